"""The meld kernel against its slow twin, both in one run: ``python benchmarks/bench_kernel.py``.

Times say more about the machine than about the program; the ratios are what to compare. The same hands go to both,
alternately, batch by batch; the table shows the median batch.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from tabulate import tabulate

from rummy_tourney.cards import CardSet
from rummy_tourney.melds import kernel, solve

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles import melds_twin as twin
from oracles.hands import biased_hand, opposing_hand, random_hand

BATCHES = 15
BATCH = 200


def seconds(ask: Callable[..., object], questions: Sequence[tuple[object, ...]]) -> float:
    started = perf_counter()
    for question in questions:
        ask(*question)
    return (perf_counter() - started) / len(questions)


def compare(
    name: str,
    fast: tuple[Callable[..., object], Sequence[tuple[object, ...]]],
    slow: tuple[Callable[..., object], Sequence[tuple[object, ...]]],
) -> list[object]:
    """One row: name, microseconds of either, ratio."""
    quick, long = [], []
    for _ in range(BATCHES):
        quick.append(seconds(*fast))
        long.append(seconds(*slow))
    return [name, median(quick) * 1e6, median(long) * 1e6, median(long) / median(quick)]


def masks(kind: Callable[[Random, int], list[int]], size: int) -> list[int]:
    rng = Random(size)
    return [sum(1 << code for code in kind(rng, size)) for _ in range(BATCH)]


def knocks() -> list[tuple[list[int], int]]:
    """Melds of a knocker near gin, and the hand of the defender."""
    rng = Random(3)
    found: list[tuple[list[int], int]] = []
    while len(found) < BATCH:
        knocker = biased_hand(rng, 10)
        melds = kernel.knock_arrangement(sum(1 << code for code in knocker))
        if melds:
            lists = [[twin.to_code(card) for card in twin.from_mask(meld)] for meld in melds]
            found.append((list(melds), sum(1 << code for code in opposing_hand(rng, lists, knocker, 10))))
    return found


def twin_discard(hand: twin.Cards) -> tuple[twin.Card, int]:
    return twin.best_discard(twin.discards(hand))


def rows() -> list[list[object]]:
    table = []
    for label, kind in (("random", random_hand), ("biased", biased_hand)):
        ten, eleven = masks(kind, 10), masks(kind, 11)
        ten_fast, ten_slow = [(h,) for h in ten], [(twin.from_mask(h),) for h in ten]
        eleven_fast, eleven_slow = [(h,) for h in eleven], [(twin.from_mask(h),) for h in eleven]
        sets = [(CardSet(h),) for h in eleven]
        table += [
            compare(f"deadwood, 10 cards, {label}", (kernel.deadwood, ten_fast), (twin.deadwood, ten_slow)),
            compare(f"best discard, 11 cards, {label}", (kernel.best_discard, eleven_fast), (twin_discard, eleven_slow)),
            compare(f"the same for bots, {label}", (solve.best_discard, sets), (twin_discard, eleven_slow)),
            compare(f"optimal arrangements, {label}", (kernel.arrangements, ten_fast), (twin.arrangements, ten_slow)),
        ]
    against = knocks()
    slow = [([twin.from_mask(meld) for meld in melds], twin.from_mask(hand)) for melds, hand in against]
    table.append(compare("best defence", (kernel.best_defence, against), (twin.best_defence, slow)))
    return table


if __name__ == "__main__":
    print(tabulate(rows(), headers=["question", "kernel µs", "twin µs", "twin / kernel"], floatfmt=("", ".2f", ".1f", ".0f")))
