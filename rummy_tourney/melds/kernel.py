"""Deadwood, best discards, arrangements and lay-offs on plain ints. The hot core of the package.

A hand is a mask of card codes of one 52-card pack (``cards.py``): bit ``13 * suit + rank``, ace 0 and low. Everything
here takes and returns ints and tuples of ints, knows no options, and is checked against the slow twin in
``tests/oracles/``. Nothing here checks its input: a mask with a joker or a second pack in it gives nonsense.
``solve.py`` gives the same answers as objects, and checks.

How it is fast: runs never cross suits, so a table over the 8192 rank masks of one suit holds the least deadwood
reachable with runs alone. Only ranks held three or four times can form sets; for each of those the kernel tries
no set, each three and the four, removes the set and adds four table look-ups. A second table holds,
for each rank mask, the cheapest card to drop, so the best discard of eleven cards takes one evaluation, not eleven.

The tables take some hundredths of a second to build and are built when this module is first imported;
nothing on the path of ``tourney --help`` imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

RANKS: Final = 13
SUIT_MASK: Final = 8191
FULL: Final = 52
POINTS: Final = tuple(min(code % 13 + 1, 10) for code in range(FULL))
"""Deadwood points by card code: ace 1, 2-10 their pips, J Q K 10."""
BITS: Final[tuple[int, ...]] = tuple(2**code for code in range(FULL))
"""``1 << code`` as a table (a compiler that types the shift as a C int would be wrong from 31 up)."""

# A discard key packs (deadwood after the discard, 12 - rank, suit) so that the least key is the least deadwood,
# then the highest rank, then the lowest suit. The change of deadwood can be negative, hence the offset.
_OFFSET: Final = 128
_SHIFT: Final = 6
_LEAST_DROP: Final = (_OFFSET - 10) << _SHIFT
"""Dropping one card lowers deadwood by ten points at most."""
_NO_KEY: Final = 1 << 20
"""More than any discard key."""
_CODE_OF_KEY: Final = tuple((key & 3) * 13 + 12 - (key >> 2) for key in range(52))
"""Card code by the low bits of a discard key."""


def _rank_tables() -> tuple[list[int], list[int]]:
    """Points, and points of the best disjoint runs, of every rank mask of one suit."""
    points = [0] * 8192
    melded = [0] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        rank = low.bit_length() - 1
        rest = mask ^ low
        points[mask] = points[rest] + POINTS[rank]
        best = melded[rest]
        run, worth = low, POINTS[rank]
        nxt = low << 1
        length = 1
        while mask & nxt and nxt <= 4096:
            run |= nxt
            rank += 1
            worth += POINTS[rank]
            length += 1
            if length >= 3 and worth + melded[mask ^ run] > best:
                best = worth + melded[mask ^ run]
            nxt <<= 1
        melded[mask] = best
    return points, melded


def _tables() -> tuple[list[int], list[int], tuple[list[int], list[int], list[int], list[int]]]:
    points, melded = _rank_tables()
    dead = [p - m for p, m in zip(points, melded, strict=True)]
    nothing = (255 + _OFFSET) << _SHIFT
    drop = [nothing] * 8192
    for mask in range(1, 8192):
        here = dead[mask]
        best = nothing
        left = mask
        while left:
            low = left & -left
            left ^= low
            key = ((dead[mask ^ low] - here + _OFFSET) << _SHIFT) + ((13 - low.bit_length()) << 2)
            if key < best:
                best = key
        drop[mask] = best
    by_suit = (drop, [k + 1 for k in drop], [k + 2 for k in drop], [k + 3 for k in drop])
    return dead, _shared([d << _SHIFT for d in dead]), (
        _shared(by_suit[0]), _shared(by_suit[1]), _shared(by_suit[2]), _shared(by_suit[3]),
    )  # fmt: skip


def _shared(values: list[int]) -> list[int]:
    """The same list with equal ints as one object: some hundred objects instead of 8192, which stay in the cache."""
    known: dict[int, int] = {}
    return [known.setdefault(value, value) for value in values]


_DEAD, _DEAD_KEY, (_DROP0, _DROP1, _DROP2, _DROP3) = _tables()


def points(hand: int) -> int:
    """Points of all cards of a hand, melded or not."""
    total = 0
    while hand:
        low = hand & -hand
        total += POINTS[low.bit_length() - 1]
        hand ^= low
    return total


def deadwood(hand: int) -> int:
    """Least deadwood of a hand of any size."""
    # In two steps: below 2^30 Python's ints take one digit, and bit operations on them are quick.
    low, high = hand & 0x3FFFFFF, hand >> 26
    a, b, c, d = low & 8191, low >> 13, high & 8191, high >> 13
    triples = a & b & (c | d) | c & d & (a | b)
    if triples:
        return _deadwood_with_sets(a, b, c, d, triples)
    return _DEAD[a] + _DEAD[b] + _DEAD[c] + _DEAD[d]


def _deadwood_with_sets(a: int, b: int, c: int, d: int, triples: int) -> int:
    """Least deadwood when the ranks in ``triples`` may form sets: every choice for the lowest, then the rest."""
    rank = triples & -triples
    rest = triples ^ rank
    keep = ~rank
    if rest:
        best = _deadwood_with_sets(a, b, c, d, rest)
        other = _deadwood_with_sets(a & keep, b & keep, c & keep, d & keep, rest)
        if other < best:
            best = other
        if a & b & c & d & rank:
            for other in (
                _deadwood_with_sets(a, b & keep, c & keep, d & keep, rest),
                _deadwood_with_sets(a & keep, b, c & keep, d & keep, rest),
                _deadwood_with_sets(a & keep, b & keep, c, d & keep, rest),
                _deadwood_with_sets(a & keep, b & keep, c & keep, d, rest),
            ):
                if other < best:
                    best = other
        return best
    a0, b0, c0, d0 = _DEAD[a], _DEAD[b], _DEAD[c], _DEAD[d]
    a1, b1, c1, d1 = _DEAD[a & keep], _DEAD[b & keep], _DEAD[c & keep], _DEAD[d & keep]
    best = a0 + b0 + c0 + d0
    other = a1 + b1 + c1 + d1
    if other < best:
        best = other
    if a & b & c & d & rank:
        for gain in (a0 - a1, b0 - b1, c0 - c1, d0 - d1):
            if other + gain < best:
                best = other + gain
    return best


def best_discard(hand: int) -> tuple[int, int]:
    """The discard that leaves the least deadwood, exact over all cards jointly: ``(card code, deadwood left)``.

    Ties go to the highest rank, then to the lowest suit. The hand must not be empty.
    """
    low, high = hand & 0x3FFFFFF, hand >> 26
    a, b, c, d = low & 8191, low >> 13, high & 8191, high >> 13
    triples = a & b & (c | d) | c & d & (a | b)
    if triples:
        key = _discard_with_sets(a, b, c, d, triples, _NO_KEY)
    else:
        key = _DROP0[a]
        other = _DROP1[b]
        if other < key:
            key = other
        other = _DROP2[c]
        if other < key:
            key = other
        other = _DROP3[d]
        if other < key:
            key = other
        key += _DEAD_KEY[a] + _DEAD_KEY[b] + _DEAD_KEY[c] + _DEAD_KEY[d]
    return _CODE_OF_KEY[key & 63], (key >> _SHIFT) - _OFFSET


def _discard_with_sets(a: int, b: int, c: int, d: int, triples: int, best: int) -> int:
    """The lesser of ``best`` and the least discard key when the ranks in ``triples`` may form sets.

    Tries every choice for the lowest rank, then the rest; the sets first, for what they leave is mostly so little that the
    other choices need no second look. A card of a chosen set is never the one to drop: dropping it is part of the choice
    without it.
    """
    if triples:
        rank = triples & -triples
        rest = triples ^ rank
        keep = ~rank
        a1, b1, c1, d1 = a & keep, b & keep, c & keep, d & keep
        best = _discard_with_sets(a1, b1, c1, d1, rest, best)
        if a & b & c & d & rank:
            best = _discard_with_sets(a, b1, c1, d1, rest, best)
            best = _discard_with_sets(a1, b, c1, d1, rest, best)
            best = _discard_with_sets(a1, b1, c, d1, rest, best)
            best = _discard_with_sets(a1, b1, c1, d, rest, best)
        if rest:
            return _discard_with_sets(a, b, c, d, rest, best)
    dead = _DEAD_KEY[a] + _DEAD_KEY[b] + _DEAD_KEY[c] + _DEAD_KEY[d]
    if dead + _LEAST_DROP > best:
        return best
    key = _DROP0[a]
    other = _DROP1[b]
    if other < key:
        key = other
    other = _DROP2[c]
    if other < key:
        key = other
    other = _DROP3[d]
    if other < key:
        key = other
    key += dead
    return key if key < best else best


def discard_table(hand: int) -> list[tuple[int, int]]:
    """``(card code, least deadwood left)`` for every card of a hand, lowest code first."""
    found = []
    left = hand
    while left:
        low = left & -left
        left ^= low
        found.append((low.bit_length() - 1, deadwood(hand ^ low)))
    return found


def best_discard_except(hand: int, banned: int) -> tuple[int, int]:
    """:func:`best_discard` when the cards of the mask ``banned`` may not be thrown; some card has to be left."""
    code, left = best_discard(hand)
    if not banned >> code & 1:
        return code, left
    rows = [(dead, -(code % 13), code) for code, dead in discard_table(hand) if not banned >> code & 1]
    dead, _, code = min(rows)
    return code, dead


def candidate_melds(hand: int) -> list[int]:
    """Every meld that can be made from a hand: sets by rank, then runs by suit, low card and length."""
    found = []
    suits = (hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39)
    a, b, c, d = suits
    triples = a & b & (c | d) | c & d & (a | b)
    while triples:
        rank = triples & -triples
        triples ^= rank
        held = [rank << 13 * s for s in range(4) if suits[s] & rank]
        whole = sum(held)
        found.append(whole)
        if len(held) == 4:
            found.extend(whole ^ one for one in held)
    for s in range(4):
        ranks = suits[s]
        starts = ranks & ranks >> 1 & ranks >> 2
        while starts:
            low = starts & -starts
            starts ^= low
            run = low | low << 1 | low << 2
            top = low << 2
            found.append(run << 13 * s)
            while ranks & top << 1:
                top <<= 1
                run |= top
                found.append(run << 13 * s)
    return found


def arrangements(hand: int, limit: int | None = None) -> list[tuple[int, ...]]:
    """All sets of disjoint melds of a hand that leave at most ``limit`` points loose (default: the least possible).

    Each answer is a tuple of meld masks, ordered by the lowest card code of each meld; the list is in a fixed order.
    With the default limit these are all optimal arrangements; with a knock limit they are all legal claims. The list
    grows quickly with the hand: tens for ten cards that all fit together, far too many for a whole suit and more.
    """
    if limit is None:
        return _best_arrangements(hand)
    found: list[tuple[int, ...]] = []
    _arrange(hand, limit, candidate_melds(hand), (), found)
    return found


def _best_arrangements(hand: int) -> list[tuple[int, ...]]:
    """Every choice of sets that leads to the least deadwood, with every best way to lay the runs of what it leaves."""
    choices = _set_choices(hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39)
    if len(choices) > 1:
        worth = [_DEAD[a] + _DEAD[b] + _DEAD[c] + _DEAD[d] for _, a, b, c, d in choices]
        least = min(worth)
        choices = [choice for choice, dead in zip(choices, worth, strict=True) if dead == least]
    found = [
        tuple(sorted(sets + clubs + diamonds + hearts + spades, key=_lowest))
        for sets, a, b, c, d in choices
        for clubs in _run_choices(0, a)
        for diamonds in _run_choices(1, b)
        for hearts in _run_choices(2, c)
        for spades in _run_choices(3, d)
    ]
    found.sort()
    return found


def _set_choices(a: int, b: int, c: int, d: int) -> list[tuple[tuple[int, ...], int, int, int, int]]:
    """Every choice of disjoint sets, with the rank masks of the suits that are left."""
    choices: list[tuple[tuple[int, ...], int, int, int, int]] = [((), a, b, c, d)]
    triples = a & b & (c | d) | c & d & (a | b)
    while triples:
        rank = triples & -triples
        triples ^= rank
        whole = a & rank | (b & rank) << 13 | (c & rank) << 26 | (d & rank) << 39
        sets = [whole]
        if whole.bit_count() == 4:
            sets += [whole ^ rank << 13 * suit for suit in range(4)]
        choices += [
            ((*chosen, cards), p & ~cards, q & ~(cards >> 13), r & ~(cards >> 26), s & ~(cards >> 39))
            for chosen, p, q, r, s in choices
            for cards in sets
        ]
    return choices


@cache
def _run_choices(suit: int, ranks: int) -> tuple[tuple[int, ...], ...]:
    """Every best way to lay runs of the ranks of one suit."""
    hand = ranks << 13 * suit
    found: list[tuple[int, ...]] = []
    _arrange(hand, deadwood(hand), candidate_melds(hand), (), found)
    return tuple(found)


def _arrange(hand: int, bound: int, melds: Sequence[int], chosen: tuple[int, ...], found: list[tuple[int, ...]]) -> None:
    """Add to ``found`` every way to go on from ``chosen`` that leaves at most ``bound`` points of ``hand`` loose.

    Branches on the lowest card that can still be melded: in each of its melds, or loose. No way is met twice.
    """
    if deadwood(hand) > bound:
        return
    usable = [m for m in melds if not m & ~hand]
    if not usable:
        found.append(chosen)
        return
    low = _lowest_card(usable)
    for m in usable:
        if m & low:
            _arrange(hand ^ m, bound, usable, (*chosen, m), found)
    _arrange(hand ^ low, bound - POINTS[low.bit_length() - 1], usable, chosen, found)


def _lowest_card(melds: Sequence[int]) -> int:
    """The lowest card of some melds, as a mask."""
    union = 0
    for m in melds:
        union |= m
    return union & -union


def _lowest(meld: int) -> int:
    return meld & -meld


def arrangement(hand: int) -> tuple[int, ...]:
    """One optimal arrangement: the first of :func:`arrangements`."""
    return _best_arrangements(hand)[0]


def fitting(meld: int) -> int:
    """The cards that can be laid off directly on a meld: the fourth of a set, the two ends of a run."""
    low = meld & -meld
    code = low.bit_length() - 1
    if is_run(meld):
        top = meld.bit_length() - 1
        found = 0
        if code % 13:
            found = low >> 1
        if top % 13 != 12:
            found |= BITS[top + 1]
        return found
    rank = code % 13
    return (BITS[rank] | BITS[rank + 13] | BITS[rank + 26] | BITS[rank + 39]) & ~meld


def is_run(meld: int) -> bool:
    """Whether a meld is a run, not a set: a set never holds two neighbouring codes."""
    return (meld & meld << 1) != 0


def _chains(melds: Sequence[int], hand: int) -> list[list[tuple[int, int]]]:
    """The lay-offs open to ``hand``, as chains ``[(card mask, meld index), …]``; any first part can be laid off."""
    chains: list[list[tuple[int, int]]] = []
    for index, meld in enumerate(melds):
        fit = fitting(meld) & hand
        if not fit:
            continue  # so it is with most melds of most hands
        if is_run(meld):
            chains.append(_run_chain(meld, index, hand, -1))
            chains.append(_run_chain(meld, index, hand, 1))
        else:
            chains.append([(fit, index)])
    return [chain for chain in chains if chain]


def _run_chain(meld: int, index: int, hand: int, step: int) -> list[tuple[int, int]]:
    """The chain at the low (``step`` -1) or high (``step`` 1) end of a run."""
    chain = []
    if step < 0:
        code, last = (meld & -meld).bit_length() - 1, 0
    else:
        code, last = meld.bit_length() - 1, 12
    while code % 13 != last and hand >> (code + step) & 1:
        code += step
        chain.append((BITS[code], index))
    return chain


def best_defence(melds: Sequence[int], hand: int) -> tuple[int, list[tuple[int, int]]]:
    """The defender's best: least deadwood over own melds and lay-offs together.

    ``melds`` are the knocker's, in the order claimed. Answers ``(deadwood, [(card code, meld index), …])`` with the
    lay-offs in an order in which they can be made. Among optima: fewest lay-offs, then the smallest sorted list of
    (card code, meld index).
    """
    chains = _chains(melds, hand)
    if not chains:
        return deadwood(hand), []
    # Every way to lay off: the cards as a mask, and the lay-offs in order. Each chain lengthens the ways before it.
    ways: list[tuple[int, list[tuple[int, int]]]] = [(0, [])]
    for chain in chains:
        for mask, laid in list(ways):
            taken = mask
            for end, (one, _) in enumerate(chain, start=1):
                if one & mask:
                    break
                taken |= one
                ways.append((taken, laid + chain[:end]))
    best_key: tuple[int, int, list[tuple[int, int]]] = (1000, 0, [])
    best_laid: list[tuple[int, int]] = []
    for mask, laid in ways:
        dead = deadwood(hand ^ mask)
        if dead <= best_key[0]:
            key = (dead, len(laid), sorted([(one.bit_length() - 1, index) for one, index in laid]))
            if key < best_key:
                best_key, best_laid = key, laid
    return best_key[0], [(one.bit_length() - 1, index) for one, index in best_laid]


def knock_arrangement(hand: int) -> tuple[int, ...]:
    """The arrangement a knocker should claim without seeing the other hand.

    Least deadwood; then fewest distinct cards outside the hand that fit directly (chains not counted); then the
    smallest tuple of masks.
    """
    found = _best_arrangements(hand)
    if len(found) == 1:
        return found[0]

    def exposure(melds: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        open_to = 0
        for meld in melds:
            open_to |= fitting(meld)
        return ((open_to & ~hand).bit_count(), melds)

    return min(found, key=exposure)
