"""The slow twin of basic rummy's melds: every choice of cards and every reading of jokers, held against the rule as written.

Cards are texts (``7h``, ``*1``). A *reading* is a tuple of ``(card, what it stands for)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
Reading = tuple[tuple[str, str], ...]


def positions(face: str, ace_run: str) -> list[int]:
    """Where a card may stand in a run: the ace at 1, or also at 14."""
    place = RANKS.index(face[0]) + 1
    return [1, 14] if place == 1 and ace_run == "high_or_low" else [place]


def is_set(faces: Sequence[str]) -> bool:
    """Three or four cards of one rank, all of different suits."""
    return len(faces) in (3, 4) and len({f[0] for f in faces}) == 1 and len({f[1] for f in faces}) == len(faces)


def is_run(faces: Sequence[str], ace_run: str) -> bool:
    """Three or more cards of one suit at consecutive positions; round the corner the positions form a circle."""
    if len(faces) < 3 or len({f[1] for f in faces}) > 1 or len(set(faces)) < len(faces):
        return False
    if ace_run == "round_corner":
        places = {RANKS.index(f[0]) for f in faces}
        return any({(start + k) % 13 for k in range(len(faces))} == places for start in range(13))
    choices = product(*[positions(f, ace_run) for f in faces])
    return any(sorted(c) == list(range(min(c), min(c) + len(c))) for c in choices)


def is_meld(faces: Sequence[str], ace_run: str) -> bool:
    """A set or a run."""
    return is_set(faces) or is_run(faces, ace_run)


def readings(cards: Sequence[str], ace_run: str, min_naturals: int) -> Iterator[Reading]:
    """Every way in which exactly these cards are a meld."""
    naturals = [c for c in cards if c[0] != "*"]
    jokers = [c for c in cards if c[0] == "*"]
    if len(naturals) < max(min_naturals, 1) or len(cards) < 3:
        return
    near = [f for f in PACK if f[0] == naturals[0][0] or f[1] == naturals[0][1]]
    for faces in product(near, repeat=len(jokers)):
        if len(set(faces)) == len(faces) and not set(faces) & set(naturals) and is_meld([*naturals, *faces], ace_run):
            yield (*[(c, c) for c in naturals], *zip(jokers, faces, strict=True))


def all_readings(hand: Sequence[str], ace_run: str, min_naturals: int) -> Iterator[Reading]:
    """Every meld with every reading that can be made from a hand."""
    for size in range(3, len(hand) + 1):
        for cards in combinations(hand, size):
            yield from readings(cards, ace_run, min_naturals)


def pattern(reading: Reading) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A reading with the jokers' names forgotten: the natural cards and what the jokers stand for."""
    return (
        tuple(sorted(c for c, face in reading if c == face)),
        tuple(sorted(face for c, face in reading if c != face)),
    )
