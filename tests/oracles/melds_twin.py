"""The slow twin of ``rummy_tourney.melds``: the rules of gin as one would explain them, and nothing clever.

It imports nothing from the package. A card is a pair ``(suit, rank)``, suits 0 to 3 in the order clubs, diamonds, hearts,
spades, ranks 1 (ace) to 13 (king); sorted, these pairs are in deck order. Hands and melds are frozensets of cards.
Every answer comes from listing all possibilities and taking the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

Card: TypeAlias = tuple[int, int]
Cards: TypeAlias = frozenset[Card]
LayOffs: TypeAlias = frozenset[tuple[Card, int]]

SUITS = range(4)
RANKS = range(1, 14)
DECK: list[Card] = [(suit, rank) for suit in SUITS for rank in RANKS]

SETS: list[Cards] = [
    frozenset(cards) for rank in RANKS for size in (3, 4) for cards in combinations([(s, rank) for s in SUITS], size)
]
RUNS: list[Cards] = [
    frozenset((suit, rank) for rank in range(low, high + 1))
    for suit in SUITS
    for low in RANKS
    for high in RANKS
    if high - low >= 2
]
MELDS: list[Cards] = SETS + RUNS
IS_MELD: frozenset[Cards] = frozenset(MELDS)


def from_code(code: int) -> Card:
    """The card with a code of the package: ``13 * suit + rank - 1``."""
    return code // 13, code % 13 + 1


def to_code(card: Card) -> int:
    """The inverse of :func:`from_code`."""
    suit, rank = card
    return 13 * suit + rank - 1


def from_mask(mask: int) -> Cards:
    """The cards of a mask of the package."""
    return frozenset(from_code(code) for code in range(52) if mask >> code & 1)


def to_mask(cards: Iterable[Card]) -> int:
    """The inverse of :func:`from_mask`."""
    return sum(1 << to_code(card) for card in cards)


def points(cards: Iterable[Card]) -> int:
    """Ace 1, 2 to 10 their pips, J Q K 10."""
    return sum(min(rank, 10) for _, rank in cards)


def melds_in(hand: Cards) -> list[Cards]:
    """Every meld that can be made from a hand."""
    return [meld for meld in MELDS if meld <= hand]


def disjoint(melds: Sequence[Cards]) -> Iterator[tuple[Cards, ...]]:
    """Every choice of melds no two of which share a card, each choice once; the first is to choose none."""
    yield ()
    for i, meld in enumerate(melds):
        for others in disjoint([other for other in melds[i + 1 :] if not other & meld]):
            yield (meld, *others)


def left_over(hand: Cards, melds: Iterable[Cards]) -> Cards:
    """The cards of a hand that are in none of the melds."""
    return hand.difference(*melds)


def deadwood(hand: Cards) -> int:
    """Least points left over by any disjoint melds."""
    return min(points(left_over(hand, melds)) for melds in disjoint(melds_in(hand)))


def arrangements(hand: Cards, limit: int | None = None) -> set[frozenset[Cards]]:
    """All choices of disjoint melds that leave at most ``limit`` points (default: the least possible)."""
    left = {frozenset(melds): points(left_over(hand, melds)) for melds in disjoint(melds_in(hand))}
    bound = min(left.values()) if limit is None else limit
    return {melds for melds, loose in left.items() if loose <= bound}


def discards(hand: Cards) -> dict[Card, int]:
    """The deadwood left by each discard."""
    return {card: deadwood(hand - {card}) for card in hand}


def best_discard(table: dict[Card, int], banned: Iterable[Card] = ()) -> tuple[Card, int]:
    """The best of :func:`discards` that is not banned. Ties: highest rank, then first suit."""
    left, _, _, card = min((left, -card[1], card[0], card) for card, left in table.items() if card not in banned)
    return card, left


def fits(card: Card, meld: Cards) -> bool:
    """Whether a card can be laid off directly on a meld: the result is a meld again."""
    return card not in meld and meld | {card} in IS_MELD


def lay_offs(table: Sequence[Cards], hand: Cards) -> set[LayOffs]:
    """Every set of (card, position of the meld) that can be reached by laying off one card after another."""
    reached: set[LayOffs] = {frozenset()}
    to_extend: list[LayOffs] = [frozenset()]
    while to_extend:
        made = to_extend.pop()
        held = hand - {card for card, _ in made}
        for index, meld in enumerate(table):
            grown = meld | {card for card, where in made if where == index}
            for card in held:
                more = made | {(card, index)}
                if fits(card, grown) and more not in reached:
                    reached.add(more)
                    to_extend.append(more)
    return reached


def best_defence(table: Sequence[Cards], hand: Cards) -> tuple[int, list[tuple[Card, int]]]:
    """Least deadwood over all lay-offs, then the fewest lay-offs, then the smallest sorted list."""
    tried = [(deadwood(hand - {card for card, _ in made}), len(made), sorted(made)) for made in lay_offs(table, hand)]
    left, _, made = min(tried)
    return left, made


def exposure(hand: Cards, melds: Iterable[Cards]) -> int:
    """How many cards outside the hand fit one of the melds directly."""
    melds = list(melds)
    return sum(1 for card in DECK if card not in hand and any(fits(card, meld) for meld in melds))


def knock_arrangement(hand: Cards) -> tuple[int, ...]:
    """The optimal arrangement with the least exposure, as masks by lowest card; ties: the smallest tuple of masks."""
    tried = []
    for melds in arrangements(hand):
        masks = tuple(to_mask(meld) for meld in sorted(melds, key=min))
        tried.append((exposure(hand, melds), masks))
    return min(tried)[1]
