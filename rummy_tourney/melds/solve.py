"""The answers of the kernel as objects, for bots and for anybody at a prompt.

A hand is a :class:`~rummy_tourney.cards.CardSet` (fastest: ``view.hand`` is one) or any iterable of cards, of any size.
All of this is for natural cards of one pack with the ace low. A hand with a joker or a card of the second pack is
refused with a :class:`~rummy_tourney.errors.NotationError`, as is one that names a card twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from rummy_tourney.cards import CARDS, NATURALS, Card, CardSet, cards_of, join_cards, mask_of
from rummy_tourney.errors import NotationError
from rummy_tourney.melds import kernel
from rummy_tourney.melds.model import Arrangement, Meld, MeldKind, melds_of, melds_text, natural_meld


class LaidOff(Struct, frozen=True):
    """One card laid off on the meld at position ``index`` (from 0) of the melds asked about.

    ``end`` is ``"<"`` (low end of a run), ``">"`` (high end) or ``"+"`` (a set), as in the action ``LayOff``.
    """

    card: Card
    index: int
    end: str


class Defence(Struct, frozen=True):
    """What a defender does best: lay-offs in an order in which they can be made, own melds, and what stays loose.

    ``loose`` is a mask, as in :class:`~rummy_tourney.melds.model.Arrangement`; ``deadwood`` its points.
    """

    lay_offs: tuple[LaidOff, ...]
    melds: tuple[Meld, ...]
    loose: int
    deadwood: int

    @property
    def loose_cards(self) -> CardSet:
        """The cards left over."""
        return CardSet(self.loose)


# deadwood and best_discard are what bots call on every turn: they look at the hand themselves, and call nothing but the
# kernel when it is a CardSet.


def deadwood(hand: CardSet | Iterable[Card]) -> int:
    """Least points of the cards that any disjoint melds of ``hand`` leave over.

    >>> deadwood(CardSet.parse("7h 7d 7s 7c 8c 9c Kd"))
    10
    """
    mask = hand.mask if type(hand) is CardSet else mask_of(hand)
    if mask > NATURALS:
        _refuse(mask)
    return kernel.deadwood(mask)


def best_discard(hand: CardSet | Iterable[Card], *, banned: Card | None = None) -> tuple[Card, int]:
    """The card whose discard leaves the least deadwood, and that deadwood.

    Exact: every discard is weighed with the best melds of what it leaves, so a knock is possible if and only if the
    deadwood is within the knock limit. ``banned`` is a card that may not be thrown (the one just taken from the
    discard pile). Ties go to the highest rank, then to the first suit of clubs, diamonds, hearts, spades.
    Raises :class:`~rummy_tourney.errors.NotationError` when there is no card to throw.

    >>> best_discard(CardSet.parse("3h 3s 4d 4h 4s 5d 5h 5s 6c 6d 6h"))
    (6c, 0)
    """
    mask = hand.mask if type(hand) is CardSet else mask_of(hand)
    if mask > NATURALS:
        _refuse(mask)
    if banned is None and mask:
        code, left = kernel.best_discard(mask)
        return CARDS[code], left
    banned_mask = 0 if banned is None else banned.mask
    if not mask & ~banned_mask:
        raise NotationError(f"{join_cards(cards_of(mask)) or 'an empty hand'}: there is no card that may be thrown")
    code, left = kernel.best_discard_except(mask, banned_mask)
    return CARDS[code], left


def discard_table(hand: CardSet | Iterable[Card]) -> list[tuple[Card, int]]:
    """Every card of ``hand``, lowest code first, with the least deadwood its discard leaves."""
    return [(CARDS[code], left) for code, left in kernel.discard_table(_mask(hand))]


def candidate_melds(hand: CardSet | Iterable[Card]) -> list[Meld]:
    """Every meld that can be made from ``hand``, overlapping ones too: sets by rank, then runs by suit."""
    return list(melds_of(kernel.candidate_melds(_mask(hand))))


def arrangements(hand: CardSet | Iterable[Card], limit: int | None = None) -> list[Arrangement]:
    """All ways to meld ``hand`` that leave at most ``limit`` points loose; by default, the least possible.

    With the default these are the optimal arrangements, with the knock limit all melds that a knocker may claim
    (melding less than one could is allowed). In a fixed order. Meant for hands; the list of a whole suit is enormous.
    """
    mask = _mask(hand)
    return [_arrangement(mask, melds) for melds in kernel.arrangements(mask, limit)]


def best_arrangement(hand: CardSet | Iterable[Card]) -> Arrangement:
    """One optimal way to meld ``hand``: the first of :func:`arrangements`, found quickly."""
    mask = _mask(hand)
    return _arrangement(mask, kernel.arrangement(mask))


def knock_arrangement(hand: CardSet | Iterable[Card]) -> Arrangement:
    """The optimal way to meld ``hand`` that gives the defender the fewest cards to lay off.

    It counts the cards outside the hand that fit a meld directly, not chains; ties go to the smallest tuple of masks.
    """
    mask = _mask(hand)
    return _arrangement(mask, kernel.knock_arrangement(mask))


def best_defence(melds: Sequence[Meld], hand: CardSet | Iterable[Card]) -> Defence:
    """The best a defender with ``hand`` can do against a knocker's ``melds``: lay-offs and own melds chosen together.

    Among equally good ones: the fewest lay-offs, then the smallest list of (card, position of the meld). Against gin no
    lay-off is allowed: ask :func:`best_arrangement` instead. Raises :class:`~rummy_tourney.errors.NotationError` where
    a meld holds a joker or a card of the second pack, or a card is in two places.
    """
    mask = _mask(hand)
    _check_table(melds, mask)
    _, steps = kernel.best_defence([m.mask for m in melds], mask)
    lay_offs = []
    for code, index in steps:
        lay_offs.append(LaidOff(CARDS[code], index, _end(CARDS[code], melds[index])))
        mask ^= CARDS[code].mask
    own = _arrangement(mask, kernel.arrangement(mask))
    return Defence(tuple(lay_offs), own.melds, own.loose, own.deadwood)


def lays_off_on(card: Card, meld: Meld) -> str:
    """Where ``card`` can be laid off directly on ``meld``: ``"<"``, ``">"``, ``"+"``, or ``""`` for nowhere.

    For games with the ace low: neither does an ace go on a king nor a two on an ace that lies high. Jokers in the meld
    count as what they stand for; ``card`` counts as itself, and a joker fits nowhere.
    """
    faces = [s.stands_for for s in meld.spots]
    if meld.kind is MeldKind.SET:
        fits = card.rank is faces[0].rank and card.suit not in [face.suit for face in faces]
        return "+" if fits else ""
    if card.suit is not faces[0].suit:
        return ""
    if card.rank == faces[0].rank - 1:
        return "<"
    return ">" if card.rank == faces[0].rank + len(faces) else ""


def _mask(hand: CardSet | Iterable[Card]) -> int:
    mask = hand.mask if type(hand) is CardSet else mask_of(hand)
    if mask > NATURALS:
        _refuse(mask)
    return mask


def _refuse(mask: int) -> None:
    foreign = join_cards(cards_of(mask & ~NATURALS))
    raise NotationError(f"{foreign}: deadwood and melds are worked out for the 52 cards of one pack, without jokers")


def _arrangement(mask: int, melds: tuple[int, ...]) -> Arrangement:
    loose = mask
    for one in melds:
        loose ^= one
    return Arrangement(melds_of(melds), loose, kernel.points(loose))


def _check_table(melds: Sequence[Meld], hand: int) -> None:
    seen = hand
    for one in melds:
        if natural_meld(one.mask) != one:
            raise NotationError(f"{melds_text([one])} is not a meld of one pack without jokers, with the ace low")
        if seen & one.mask:
            twice = join_cards(cards_of(seen & one.mask))
            raise NotationError(f"{twice} cannot be in {melds_text([one])} and elsewhere")
        seen |= one.mask


def _end(card: Card, meld: Meld) -> str:
    """The end of a natural meld at which a card of a lay-off chain comes to lie."""
    if meld.kind is MeldKind.SET:
        return "+"
    return "<" if card.code < meld.spots[0].card.code else ">"
