"""Hands to try things on, as lists of card codes: uniformly random ones, and ones in which melds compete for cards."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from oracles.melds_twin import MELDS, to_code

_SMALL_MELDS = [sorted(to_code(card) for card in meld) for meld in MELDS if len(meld) <= 5]
# Blocks of (neighbouring ranks, suits) that hold at least eleven cards.
_BLOCKS = [(3, 4), (4, 3), (4, 4), (5, 3), (5, 4), (6, 2), (6, 3), (7, 2), (8, 2)]


def random_hand(rng: Random, size: int) -> list[int]:
    """Any cards."""
    return rng.sample(range(52), size)


def dense_hand(rng: Random, size: int) -> list[int]:
    """Cards of a block of neighbouring ranks, where every card is in several melds."""
    ranks, suits = rng.choice(_BLOCKS)
    low = rng.randrange(14 - ranks)
    block = [13 * suit + low + i for suit in rng.sample(range(4), suits) for i in range(ranks)]
    return rng.sample(block, size)


def near_gin_hand(rng: Random, size: int) -> list[int]:
    """Melds put together until the hand is full, then up to two cards replaced by any others."""
    hand: set[int] = set()
    while len(hand) < size:
        hand.update(rng.choice(_SMALL_MELDS))
    kept = rng.sample(sorted(hand), size - rng.randrange(3))
    others = [code for code in range(52) if code not in kept]
    return kept + rng.sample(others, size - len(kept))


def biased_hand(rng: Random, size: int) -> list[int]:
    """A dense hand or one near gin."""
    return dense_hand(rng, size) if rng.random() < 0.5 else near_gin_hand(rng, size)


def opposing_hand(rng: Random, melds: Sequence[Sequence[int]], knocker: Sequence[int], size: int) -> list[int]:
    """A hand for the defender against ``melds`` of ``knocker``, half of the time of cards near those melds."""
    free = [code for code in range(52) if code not in knocker]
    if rng.random() < 0.5:
        ranks = [code % 13 for meld in melds for code in meld]
        near = [code for code in free if any(abs(code % 13 - rank) <= 2 for rank in ranks)]
        if len(near) >= size:
            free = near
    return rng.sample(free, size)
