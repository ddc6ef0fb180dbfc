"""Melds as objects: what a bot builds, the table keeps and the history writes.

A :class:`Spot` is one place of a meld: a card and the card it stands for (itself, unless it is a joker or a wild card).
Text: ``7c7d7h``, ``5h*1=6h7h``. Natural melds of one pack are interned (:func:`natural_meld`); there are 329.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from typing import Final

from msgspec import Struct

from rummy_tourney.cards import CARDS, Card, Rank, card, cards_of
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
        """``7h`` for a card that stands for itself, ``*1=7h`` for one that does not."""
        return self.card.text if self.card is self.stands_for else f"{self.card.text}={self.stands_for.text}"

    def __repr__(self) -> str:
        return self.text


def spot(text: str) -> Spot:
    """Read one spot, as in ``7h`` or ``*1=7h``."""
    left, equals, right = text.partition("=")
    lying = card(left)
    return Spot(lying, card(right) if equals else lying)


class Meld(Struct, frozen=True):
    """A set or a run. ``spots`` are in order: a run low to high, a set by suit.

    ``mask`` is the set of the physical cards. Build one with :func:`meld` (text), :func:`natural_meld` (a mask) or
    :func:`make_meld` (spots); none of them checks a variant's own limits (jokers, ace high), the variant does.
    """

    kind: MeldKind
    spots: tuple[Spot, ...]
    mask: int
    text: str

    @property
    def cards(self) -> tuple[Card, ...]:
        """The physical cards, in the order of the spots."""
        return tuple(s.card for s in self.spots)

    def __len__(self) -> int:
        return len(self.spots)

    def __repr__(self) -> str:
        return f"[{self.text}]"

    def __reduce__(self) -> tuple[object, tuple[MeldKind, tuple[Spot, ...]]]:
        return (make_meld, (self.kind, self.spots))


class Arrangement(Struct, frozen=True):
    """A way to meld a hand: disjoint melds and the cards left over, with their points."""

    melds: tuple[Meld, ...]
    loose: int
    deadwood: int


def make_meld(kind: MeldKind, spots: Iterable[Spot]) -> Meld:
    """A meld from its spots, in the order given. The mask is that of the physical cards."""
    places = tuple(spots)
    mask = 0
    for place in places:
        mask |= place.card.mask
    return Meld(kind, places, mask, "".join([p.text for p in places]))


_PIECE = re.compile(r"(?:\*\d{1,2}|(?:10|[A2-9TJQKatjqk])[cdhsCDHS♣♦♥♠](?:\.\d)?)(?:=(?:10|[A2-9TJQKatjqk])[cdhsCDHS♣♦♥♠])?")


def split_spots(text: str) -> list[Spot]:
    """Read spots written one after another: ``5h*1=6h7h``."""
    found = []
    position = 0
    stripped = text.replace(" ", "")
    while position < len(stripped):
        match = _PIECE.match(stripped, position)
        if match is None:
            raise NotationError(f"{stripped[position:position + 8]!r} in {text!r} is not a card of a meld")
        found.append(spot(match.group()))
        position = match.end()
    return found


def meld(text: str) -> Meld:
    """Read a meld. Natural melds come back interned and in canonical order, whatever order they were written in.

    Raises :class:`~rummy_tourney.errors.NotationError` when the text is not a set or run under any ace rule.

    >>> meld("9h7h8h"), meld("7s 7c 7d"), meld("5h*1=6h7h")
    ([7h8h9h], [7c7d7s], [5h*1=6h7h])
    """
    return arrange_spots(split_spots(text))


def arrange_spots(spots: Sequence[Spot]) -> Meld:
    """The meld that some spots form, in canonical order (aces where they fit; round the corner if need be)."""
    if len(spots) < 3:
        raise NotationError(f"{spots_text(spots)}: a meld has at least three cards")
    if len({s.stands_for for s in spots}) < len(spots) or len({s.card for s in spots}) < len(spots):
        raise NotationError(f"{spots_text(spots)}: the same card twice")
    if any(s.stands_for.is_joker for s in spots):
        raise NotationError(f"{spots_text(spots)}: say what each joker stands for, as in *1=7h")
    mask = 0
    for place in spots:
        mask |= place.card.mask
    known = _NATURAL.get(mask)
    if known is not None and all(s.card is s.stands_for for s in spots):
        return known
    ranks = [s.stands_for.rank for s in spots]
    if len(set(ranks)) == 1 and len(spots) <= 4:
        return _canonical(MeldKind.SET, sorted(spots, key=lambda s: s.stands_for.suit))
    if len({s.stands_for.suit for s in spots}) == 1:
        run = _in_sequence(spots)
        if run is not None:
            return _canonical(MeldKind.RUN, run)
    raise NotationError(f"{spots_text(spots)} is neither a set nor a run")


def spots_text(spots: Iterable[Spot]) -> str:
    """The text of some spots, in the order given."""
    return "".join([s.text for s in spots])


def _in_sequence(spots: Sequence[Spot]) -> list[Spot] | None:
    """Spots of one suit in run order: from the ace if that is unbroken, else from the card after the one gap."""
    by_rank = sorted(spots, key=lambda s: s.stands_for.rank)
    ranks = [int(s.stands_for.rank) for s in by_rank]
    gaps = [i for i in range(len(ranks)) if ranks[i] != ranks[i - 1] % 13 + 1]
    if len(gaps) == 0 and len(ranks) == 13:
        return by_rank
    if len(gaps) != 1:
        return None
    start = gaps[0]
    return by_rank[start:] + by_rank[:start]


def _canonical(kind: MeldKind, spots: Sequence[Spot]) -> Meld:
    return make_meld(kind, spots)


def _naturals() -> dict[int, Meld]:
    found: dict[int, Meld] = {}
    for rank in range(13):
        suits = [13 * s + rank for s in range(4)]
        for left_out in (None, *suits):
            codes = [c for c in suits if c != left_out]
            made = make_meld(MeldKind.SET, [Spot(CARDS[c], CARDS[c]) for c in codes])
            found[made.mask] = made
    for suit in range(4):
        for low in range(13):
            for high in range(low + 3, 14):
                codes = [13 * suit + r for r in range(low, high)]
                made = make_meld(MeldKind.RUN, [Spot(CARDS[c], CARDS[c]) for c in codes])
                found[made.mask] = made
    return found


_NATURAL: Final[dict[int, Meld]] = _naturals()
"""The 329 natural melds of one pack with the ace low, by mask: 65 sets and 264 runs."""


def natural_meld(mask: int) -> Meld | None:
    """The natural meld (ace low, one pack) of exactly these cards, or ``None``."""
    return _NATURAL.get(mask)


@cache
def all_natural_melds() -> tuple[Meld, ...]:
    """All 329 natural melds with the ace low, sets before runs."""
    return tuple(_NATURAL.values())


def melds_text(melds: Iterable[Meld]) -> str:
    """``[7c7d7h][4s5s6s]``, in the order given."""
    return "".join([f"[{m.text}]" for m in melds])


def read_melds(text: str) -> tuple[Meld, ...]:
    """Read ``[7c7d7h][4s5s6s]``; the inverse of :func:`melds_text`."""
    stripped = text.replace(" ", "")
    if stripped and not re.fullmatch(r"(\[[^\[\]]+\])+", stripped):
        raise NotationError(f"{text!r}: write melds in brackets, as in [7c7d7h][4s5s6s]")
    return tuple(meld(piece) for piece in re.findall(r"\[([^\[\]]+)\]", stripped))


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
