"""Standings: a fold of the records of a history, and nothing else.

Every number is exact until it is printed. The observation is the unit of work: all rotations of one mirrored deal together, a
single deal, or a whole match to a target. Means are per deal (per match for matches to a target) with a 95 % interval over
units; head-to-head differences are paired: both entries' points of the same unit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Final

import msgspec
from msgspec import Struct

from rummy_tourney.game.rules import Points
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.records import exact_text, read_exact
from rummy_tourney.tournament.exact import Sample, decimal_text

COLUMNS: Final = (
    "rank", "entry", "matches", "won", "drawn", "lost", "deals", "deals_won", "points", "mean", "plus_minus", "faults",
    "forfeits",
)  # fmt: skip


class DealLite(Struct):
    """The fields of a deal that standings look at."""

    id: str
    seats: tuple[str, ...]
    points: tuple[int | str, ...]
    faults: tuple[str, ...] = ()


class MatchLite(Struct):
    """The fields of a match that standings look at."""

    id: str
    seats: tuple[str, ...]
    totals: tuple[int | str, ...]
    deals: int
    forfeits: tuple[int, ...]
    winner: int | None = None


_deal = msgspec.json.Decoder(DealLite).decode
_match = msgspec.json.Decoder(MatchLite).decode


@dataclass(slots=True)
class Tally:
    """What one entry has done so far. ``points`` are deal points, or match totals where matches are what counts."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    deals: int = 0
    deals_won: int = 0
    points: Points = 0
    faults: int = 0
    forfeits: int = 0
    units: Sample = field(default_factory=Sample)


@dataclass(frozen=True, slots=True)
class Scale:
    """How an event is counted: per match or per deal, whether low points win, and how many deals make a unit."""

    by_match: bool
    low_wins: bool
    rotations: int

    @property
    def order(self) -> tuple[str, ...]:
        """What the ranking looks at, first things first; who is still equal shares the place."""
        points = "fewest points" if self.low_wins else "points"
        return ("matches won (a draw is half)", points) if self.by_match else (f"{points} per deal", "deals won")


class StandingsBuilder:
    """Feed it the deal, fault and match records of a history in order, then ask for :meth:`finish`."""

    def __init__(self, entries: Sequence[str], scale: Scale) -> None:
        self.scale = scale
        self.tallies = {entry: Tally() for entry in entries}
        self.pairs: dict[tuple[str, str], Sample] = {pair: Sample() for pair in combinations(entries, 2)}
        self._numbers = {entry: k for k, entry in enumerate(entries)}
        self._unit: dict[str, Points] = {}
        self._unit_deals = 0
        self._played: dict[str, Points] = {}
        self._seats: tuple[str, ...] = ()

    @staticmethod
    def read(line: bytes) -> DealLite:
        """The fields of a deal record that standings look at."""
        return _deal(line)

    def deal(self, deal: DealLite) -> None:
        """One deal."""
        points = [p if type(p) is int else read_exact(p) for p in deal.points]
        best = min(points) if self.scale.low_wins else max(points)
        alone = points.count(best) == 1
        unit, played = self._unit, self._played
        for entry, value in zip(deal.seats, points, strict=True):
            tally = self.tallies[entry]
            tally.deals += 1
            if alone and value == best:
                tally.deals_won += 1
            unit[entry] = unit.get(entry, 0) + value
            played[entry] = played.get(entry, 0) + value
        self._seats = deal.seats
        self._unit_deals += 1
        if not self.scale.by_match and self._unit_deals == self.scale.rotations:
            self._close_unit()

    def fault(self, seat: int) -> str:
        """One fault, by the seat of the deal before it; answers the entry."""
        entry = self._seats[seat]
        self.tallies[entry].faults += 1
        return entry

    def match(self, line: bytes) -> None:
        """One match record, as it stands in the history: the end of a match."""
        match = _match(line)
        totals = {entry: read_exact(t) for entry, t in zip(match.seats, match.totals, strict=True)}
        if self.scale.by_match:
            self._unit, self._unit_deals = dict(totals), 1
            self._close_unit()
        else:
            if self._unit_deals:
                self._close_unit()
            self._forfeited(match, totals)
        best = min(totals.values()) if self.scale.low_wins else max(totals.values())
        for seat, entry in enumerate(match.seats):
            tally = self.tallies[entry]
            tally.matches += 1
            tally.points += totals[entry]
            tally.forfeits += match.forfeits[seat]
            tally.won += match.winner == seat
            tally.drawn += match.winner is None and totals[entry] == best and not match.forfeits[seat]
        self._played = {}

    def _forfeited(self, match: MatchLite, totals: Mapping[str, Points]) -> None:
        """Deals of a match that were never played count as units too, all alike."""
        missing = max(match.forfeits)
        for _ in range(missing // self.scale.rotations):
            self._unit = {e: Fraction(totals[e] - self._played.get(e, 0), missing) for e in match.seats}
            self._unit_deals = 1
            self._close_unit()

    def _close_unit(self) -> None:
        # Kept as the sum over all rotations of a deal, so that whole points stay ints; finish() divides once.
        unit, whole = self._unit, self.scale.rotations
        if self._unit_deals != whole:
            unit = {entry: Fraction(value * whole, self._unit_deals) for entry, value in unit.items()}
        for entry, value in unit.items():
            self.tallies[entry].units.add(value)
        for pair in combinations(sorted(unit, key=self._numbers.__getitem__), 2):
            self.pairs[pair].add(unit[pair[0]] - unit[pair[1]])
        self._unit = {}
        self._unit_deals = 0

    def finish(self, event: str) -> Standings:
        """The table, ranked."""
        keys = {entry: self._rank_key(tally) for entry, tally in self.tallies.items()}
        ranked = sorted(self.tallies, key=lambda e: keys[e], reverse=True)
        rows: list[Row] = []
        for place, entry in enumerate(ranked, 1):
            shared = rows and keys[rows[-1].entry] == keys[entry]
            rows.append(self._row(rows[-1].rank if shared else place, entry, self.tallies[entry]))
        versus = [self._versus(a, b, sample) for (a, b), sample in self.pairs.items() if sample.count]
        return Standings(event, self.scale.order, "match" if self.scale.by_match else "deal", tuple(rows), tuple(versus))

    def _per_deal(self, value: Fraction | None) -> Fraction | None:
        """From the sum over the rotations of a deal to one of them."""
        return None if value is None else value / self.scale.rotations

    def _row(self, rank: int, entry: str, tally: Tally) -> Row:
        mean, half = self._per_deal(tally.units.mean()), self._per_deal(tally.units.half_width())
        return Row(
            rank, entry, tally.matches, tally.won, tally.drawn, tally.matches - tally.won - tally.drawn, tally.deals,
            tally.deals_won, exact_text(tally.points), None if mean is None else decimal_text(mean),
            None if half is None else decimal_text(half), tally.faults, tally.forfeits,
        )  # fmt: skip

    def _versus(self, a: str, b: str, sample: Sample) -> Versus:
        mean, half = self._per_deal(sample.mean()) or Fraction(0), self._per_deal(sample.half_width())
        separated = half is not None and abs(mean) > half
        return Versus(a, b, sample.count, decimal_text(mean), None if half is None else decimal_text(half), separated)

    def _rank_key(self, tally: Tally) -> tuple[Fraction, Fraction]:
        sign = -1 if self.scale.low_wins else 1
        if self.scale.by_match:
            return Fraction(2 * tally.won + tally.drawn, 2), sign * Fraction(tally.points)
        mean = tally.units.mean()
        # An entry that has not played stands below everybody who has; None of its numbers is invented.
        return (Fraction(-(10**12)) if mean is None else sign * mean), Fraction(tally.deals_won)


class Row(Struct, frozen=True):
    """One line of the standings. ``mean`` and ``plus_minus`` are decimal text, ``None`` where there is not enough data."""

    rank: int
    entry: str
    matches: int
    won: int
    drawn: int
    lost: int
    deals: int
    deals_won: int
    points: int | str
    mean: str | None
    plus_minus: str | None
    faults: int
    forfeits: int


class Versus(Struct, frozen=True):
    """Two entries head to head: the mean of the paired differences ``a - b`` with its 95 % interval.

    ``separated`` says whether the interval excludes zero.
    """

    a: str
    b: str
    units: int
    mean: str
    plus_minus: str | None
    separated: bool


class Standings(Struct, frozen=True):
    """The standings of one event. ``per`` says what the means are per: ``deal`` or ``match``."""

    event: str
    order: tuple[str, ...]
    per: str
    rows: tuple[Row, ...]
    versus: tuple[Versus, ...]

    def to_json(self) -> bytes:
        """Canonical JSON with a line feed: the bytes of ``standings.json``."""
        return canonical(msgspec.to_builtins(self)) + b"\n"

    def to_csv(self) -> bytes:
        """The rows as CSV with a header line."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in self.rows:
            writer.writerow([getattr(row, name) for name in COLUMNS])
        return text.getvalue().encode()

    def head_to_head(self, a: str, b: str) -> Versus | None:
        """The paired comparison of two entries, as ``a - b``, if they have met."""
        for found in self.versus:
            if (found.a, found.b) == (a, b):
                return found
            if (found.a, found.b) == (b, a):
                mean = found.mean[1:] if found.mean.startswith("-") else f"-{found.mean}"
                mean = mean if mean.strip("-0.") else found.mean
                return Versus(a, b, found.units, mean, found.plus_minus, found.separated)
        return None
