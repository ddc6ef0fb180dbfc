"""Melds as objects: what a bot builds, the table keeps and the history writes.

A :class:`Spot` is one place of a meld: a card and the card it stands for (itself, unless it is a joker or a wild card).
Text: ``7c7d7h``, ``5h*1=6h7h``. Natural melds of one pack are interned (:func:`natural_meld`); there are 329.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Final

from msgspec import Struct

from rummy_tourney.cards import CARD_PATTERN, CARDS, Card, CardSet, Rank, card, cards_of
from rummy_tourney.errors import NotationError


class MeldKind(Enum):
    """A set is three or four of a rank; a run is three or more of a suit in sequence."""

    SET = "set"
    RUN = "run"


class Spot(Struct, frozen=True, order=False):
    """One place of a meld: ``card`` lies there and counts as ``stands_for``."""

    card: Card
    stands_for: Card

    @property
    def text(self) -> str:
        """``7h`` for a card that stands for itself, ``*1=7h`` for a joker, ``9d!=6c`` for a wild card."""
        if self.card is self.stands_for:
            return self.card.text
        mark = "=" if self.card.is_joker else "!="
        return f"{self.card.text}{mark}{self.stands_for.text}"

    def __repr__(self) -> str:
        return self.text


_SPOT = re.compile(rf"({CARD_PATTERN})(?:(!?)=({CARD_PATTERN}))?")


def spot(text: str) -> Spot:
    """Read one spot, as in ``7h``, ``*1=7h`` or ``9d!=6c``."""
    match = _SPOT.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is not a card of a meld. Write it as in 7h, or *1=7h for a joker in its place")
    return _read_spot(match)


def _read_spot(match: re.Match[str]) -> Spot:
    lying = card(match.group(1))
    if match.group(3) is None:
        return Spot(lying, lying)
    stands_for = card(match.group(3))
    if stands_for.is_joker:
        raise NotationError(f"{match.group()!r}: a joker cannot be what another card stands for")
    if lying.is_joker == bool(match.group(2)):
        raise NotationError(f"{match.group()!r}: write *1=7h for a joker and 9d!=6c for a wild card")
    return Spot(lying, stands_for)


class Meld(Struct, frozen=True):
    """A set or a run. ``spots`` are in order: a run low to high, a set by suit.

    ``mask`` is the set of the physical cards. Build one with :func:`meld` (text), :func:`natural_meld` (a mask) or
    :func:`arrange_spots` (spots in any order); none of them checks a variant's own limits (jokers, ace high), the
    variant does.
    """

    kind: MeldKind
    spots: tuple[Spot, ...]
    mask: int
    text: str

    @property
    def cards(self) -> tuple[Card, ...]:
        """The physical cards, in the order of the spots."""
        return tuple([s.card for s in self.spots])

    def __len__(self) -> int:
        return len(self.spots)

    def __repr__(self) -> str:
        return f"[{self.text}]"

    def __hash__(self) -> int:
        # Equal melds have equal masks, and unlike the hash of the text it is the same in every process.
        return hash(self.mask)

    def __reduce__(self) -> tuple[object, tuple[MeldKind, tuple[Spot, ...]]]:
        return (make_meld, (self.kind, self.spots))


class Arrangement(Struct, frozen=True):
    """A way to meld a hand: disjoint melds, the mask of the cards left over, and their points."""

    melds: tuple[Meld, ...]
    loose: int
    deadwood: int

    @property
    def loose_cards(self) -> CardSet:
        """The cards left over."""
        return CardSet(self.loose)


def make_meld(kind: MeldKind, spots: Iterable[Spot]) -> Meld:
    """A meld from its spots, taken to be right and in the right order; :func:`arrange_spots` checks and sorts.

    A natural meld of one pack comes back interned.
    """
    made = _build(kind, tuple(spots))
    known = _NATURAL.get(made.mask)
    return known if known is not None and known.text == made.text else made


def _build(kind: MeldKind, spots: tuple[Spot, ...]) -> Meld:
    mask = 0
    for place in spots:
        mask |= place.card.mask
    return Meld(kind, spots, mask, spots_text(spots))


def split_spots(text: str) -> list[Spot]:
    """Read spots written one after another, with or without spaces: ``5h*1=6h7h``.

    Raises :class:`~rummy_tourney.errors.NotationError` naming the first piece that is not one.
    """
    found = []
    position = 0
    stripped = _without_spaces(text)
    while position < len(stripped):
        match = _SPOT.match(stripped, position)
        if match is None:
            raise NotationError(f"{stripped[position : position + 8]!r} in {text!r} is not a card of a meld")
        found.append(_read_spot(match))
        position = match.end()
    return found


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def spots_text(spots: Iterable[Spot]) -> str:
    """The text of some spots, in the order given."""
    return "".join([s.text for s in spots])


def meld(text: str) -> Meld:
    """Read a meld. Natural melds come back interned; all come back in canonical order, however they were written.

    Raises :class:`~rummy_tourney.errors.NotationError` when the text is not a set or run under any ace rule.

    >>> meld("9h7h8h"), meld("7s 7c 7d"), meld("5h*1=6h7h")
    ([7h8h9h], [7c7d7s], [5h*1=6h7h])
    """
    return _NATURAL_BY_TEXT.get(text) or arrange_spots(split_spots(text))


def arrange_spots(spots: Sequence[Spot]) -> Meld:
    """The meld that some spots form, in canonical order.

    A set is three or four of a rank and of different suits. In a run the ace is low where that leaves no gap
    (``As2s3s``), else high (``QsKsAs``), else the run goes round the corner (``KsAs2s``); whether it may is the
    variant's matter. Raises :class:`~rummy_tourney.errors.NotationError` for anything else.
    """
    _check_spots(spots)
    ranks = {s.stands_for.rank for s in spots}
    suits = {s.stands_for.suit for s in spots}
    if len(ranks) == 1 and len(suits) == len(spots):
        return make_meld(MeldKind.SET, sorted(spots, key=lambda s: s.stands_for.suit))
    if len(suits) == 1 and len(ranks) == len(spots):
        run = _in_sequence(spots)
        if run is not None:
            return make_meld(MeldKind.RUN, run)
    raise NotationError(f"{spots_text(spots)} is neither a set nor a run")


def _check_spots(spots: Sequence[Spot]) -> None:
    if len(spots) < 3:
        raise NotationError(f"{spots_text(spots) or 'nothing'}: a meld has at least three cards")
    if len({s.card for s in spots}) < len(spots) or len({s.stands_for for s in spots}) < len(spots):
        raise NotationError(f"{spots_text(spots)}: the same card twice")
    if any(s.stands_for.is_joker for s in spots):
        raise NotationError(f"{spots_text(spots)}: say what each joker stands for, as in *1=7h")


def _in_sequence(spots: Sequence[Spot]) -> list[Spot] | None:
    """Spots of one suit and different ranks in run order, or ``None`` where they leave more than one gap.

    The ranks lie on a circle, king next to ace; a run has one gap there and starts after it.
    """
    by_rank = sorted(spots, key=lambda s: s.stands_for.rank)
    ranks = [int(s.stands_for.rank) for s in by_rank]
    after_gap = [i for i, rank in enumerate(ranks) if rank != ranks[i - 1] % 13 + 1]
    if not after_gap:  # all thirteen
        return by_rank
    if len(after_gap) > 1:
        return None
    start = after_gap[0]
    return by_rank[start:] + by_rank[:start]


def _naturals() -> Iterator[Meld]:
    def natural(kind: MeldKind, codes: Iterable[int]) -> Meld:
        return _build(kind, tuple([Spot(CARDS[code], CARDS[code]) for code in codes]))

    for rank in range(13):
        four = range(rank, 52, 13)
        yield natural(MeldKind.SET, four)
        for left_out in four:
            yield natural(MeldKind.SET, [code for code in four if code != left_out])
    for suit_start in range(0, 52, 13):
        for low in range(11):
            for past_high in range(low + 3, 14):
                yield natural(MeldKind.RUN, range(suit_start + low, suit_start + past_high))


_NATURAL: Final = {made.mask: made for made in _naturals()}
_NATURAL_BY_TEXT: Final = {made.text: made for made in _NATURAL.values()}


def natural_meld(mask: int) -> Meld | None:
    """The natural meld (ace low, one pack) of exactly these cards, or ``None``."""
    return _NATURAL.get(mask)


def melds_of(masks: Iterable[int]) -> tuple[Meld, ...]:
    """The natural melds of some masks, each of which has to be one, in the order given."""
    return tuple([_NATURAL[mask] for mask in masks])


@cache
def all_natural_melds() -> tuple[Meld, ...]:
    """All 329 natural melds of one pack with the ace low: 65 sets, then 264 runs."""
    return tuple(_NATURAL.values())


def melds_text(melds: Iterable[Meld]) -> str:
    """``[7c7d7h][4s5s6s]``, in the order given."""
    return "".join([f"[{m.text}]" for m in melds])


def read_melds(text: str) -> tuple[Meld, ...]:
    """Read ``[7c7d7h][4s5s6s]``; the inverse of :func:`melds_text`."""
    stripped = _without_spaces(text)
    if not re.fullmatch(r"(\[[^\[\]]+\])*", stripped):
        raise NotationError(f"{text!r}: write melds in brackets, as in [7c7d7h][4s5s6s]")
    return tuple([meld(piece) for piece in re.findall(r"\[([^\[\]]+)\]", stripped)])


def points_of(cards_mask: int, ace: int = 1, joker: int = 0) -> int:
    """Points of the cards of a mask: ace ``ace``, 2-10 their pips, J Q K 10, jokers ``joker``."""
    total = 0
    for c in cards_of(cards_mask):
        if c.rank is Rank.ACE:
            total += ace
        elif c.rank is Rank.JOKER:
            total += joker
        else:
            total += min(int(c.rank), 10)
    return total
