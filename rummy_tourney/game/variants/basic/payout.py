"""How the stakes of a game of basic rummy are shared out. Exact: fractions for percentages, whole minor units for money."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rummy_tourney.errors import EngineBug
from rummy_tourney.game.rules import GameTotals, Points
from rummy_tourney.game.variants.basic.options import BasicOptions

AT_STAKE: Final = 25
"""Percent of the stakes that losers can win back together."""
BARRED_FROM: Final = 100
"""A penalty counter that bars its seat from the payout."""


def payout(options: BasicOptions, totals: GameTotals, counters: Sequence[int], stakes: Sequence[int]) -> tuple[int, ...] | None:
    """What each seat gets of the ``stakes`` (minor units, one per seat, any fee taken before); ``None`` without a payout.

    ``counters`` are the penalty counters. With ``flash_75`` a game that ended without reaching the target returns all stakes.
    """
    if options.payout == "none":
        return None
    if options.payout == "flash_75":
        if totals.reason != "target":
            return tuple(stakes)
        barred = [counter >= BARRED_FROM for counter in counters]
        percents = flash_percentages(totals.totals, totals.winners[0], barred, options.end_number)
        return amounts(percents, totals.winners[0], sum(stakes))
    return winner_all(totals.winners, len(stakes), sum(stakes))


def flash_percentages(points: Sequence[Points], winner: int, barred: Sequence[bool], target: int) -> tuple[Fraction, ...]:
    """Percent of the stakes per seat by the layer rule; the winner gets at least 75.

    A loser earns ``min(25, 100 * points / target)``, nothing if barred or below zero. Along the points from 0 to 25, each of
    the ``c`` losers who earned more than the point passed gets ``n / ((n - 1) (1 + c))`` of it, with ``n`` seats.
    """
    n = len(points)
    earned = [Fraction(0)] * n
    for seat in range(n):
        if seat != winner and not barred[seat] and points[seat] > 0:
            earned[seat] = min(Fraction(AT_STAKE), Fraction(100 * points[seat], target))
    shares = [Fraction(0)] * n
    below = Fraction(0)
    for height in sorted({e for e in earned if e}):
        reached = [seat for seat in range(n) if earned[seat] >= height]
        for seat in reached:
            shares[seat] += (height - below) * Fraction(n, (n - 1) * (1 + len(reached)))
        below = height
    shares[winner] = 100 - sum(shares, start=Fraction(0))
    return tuple(shares)


def amounts(percents: Sequence[Fraction], winner: int, stakes: int) -> tuple[int, ...]:
    """Percentages of ``stakes`` minor units as whole units: losers rounded down, the winner gets the rest."""
    shares = [int(percent * stakes // 100) for percent in percents]
    shares[winner] += stakes - sum(shares)
    if min(shares) < 0:
        raise EngineBug(f"a payout below zero: {shares}")
    return tuple(shares)


def winner_all(winners: Sequence[int], seats: int, stakes: int) -> tuple[int, ...]:
    """All to the winner; several share equally, what cannot be shared goes one unit each to the first of them."""
    each, over = divmod(stakes, len(winners))
    shares = [0] * seats
    for place, seat in enumerate(winners):
        shares[seat] = each + (place < over)
    return tuple(shares)
