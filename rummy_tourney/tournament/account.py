"""What a match comes to: who forfeited it, the totals, the winner, the reason. A fold over its deals and faults.

Settling a run and verifying it use the same fold, so a match record can be checked field by field. One rule for forfeits: who
forfeits a match does not win it, and every deal left to play counts as forfeited.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rummy_tourney.bot.policy import Conduct, Consequence
from rummy_tourney.errors import BrokenHistory
from rummy_tourney.game.formats import GamesInPlay
from rummy_tourney.game.rules import GameTotals, MatchScoring, Points
from rummy_tourney.history.records import MatchRecord, exact_text, read_exact
from rummy_tourney.seeding import deck_order, seat_draw_path
from rummy_tourney.tournament.pairings import Pairing
from rummy_tourney.tournament.plan import EventPlan


@dataclass(frozen=True, slots=True)
class GamesAccount:
    """The account of a match to a target: its totals, and how many deals each seat forfeited."""

    totals: GameTotals
    forfeits: tuple[int, ...]


@dataclass
class EventFold:
    """The matches of an event in canonical order; knows which entries have been expelled from the rest."""

    plan: EventPlan
    scheduled: dict[str, int]
    expelled: set[str] = field(default_factory=set)
    _bad: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scoring: MatchScoring = self.plan.game.scoring(self.plan.parsed_options())
        self.forfeit_points = self.plan.rules().forfeit_points()

    def match(self, pairing: Pairing) -> MatchFold:
        """The fold of the next match."""
        return MatchFold(self, pairing)

    def close(self, match: MatchFold) -> None:
        """Count a match somebody forfeited; enough of them, or a fault that says so, expel an entry from the matches after."""
        percent = self.plan.policy.disqualify_percent
        for entry in match.offenders:
            self._bad[entry] = self._bad.get(entry, 0) + 1
            often = self._bad[entry] > 1 and percent is not None
            if match.conduct.disqualified or (often and 100 * self._bad[entry] >= (percent or 0) * self.scheduled[entry]):
                self.expelled.add(entry)


class SeatDraws:
    """The lots for the first dealer of one match, one after the other: ``draws(n)`` answers an order of ``n`` seats.

    The path is ``seat-draw/<event>/<round>.<table>``, the index counts the draws of the match from 0.
    """

    def __init__(self, root: bytes, event: str, pairing: Pairing) -> None:
        self._root = root
        self._path = seat_draw_path(event, f"{pairing.round}.{pairing.table}")
        self._count = 0

    def __call__(self, n: int) -> Sequence[int]:
        """The next lot: an order of ``range(n)``."""
        _, drawn = deck_order(self._root, self._path, self._count, n, "seat-draw")
        self._count += 1
        return drawn


def schedule_counts(pairings: Iterable[Pairing]) -> dict[str, int]:
    """How many matches each entry is to play."""
    counts: dict[str, int] = {}
    for pairing in pairings:
        for entry in pairing.entries:
            counts[entry] = counts.get(entry, 0) + 1
    return counts


class MatchFold:
    """One match: feed it deals and faults in order, then ask for its :meth:`record`."""

    def __init__(self, event: EventFold, pairing: Pairing) -> None:
        self._event = event
        self._plan = event.plan
        self.pairing = pairing
        self.conduct = Conduct(event.plan.policy)
        self.barred = [entry for entry in pairing.entries if entry in event.expelled]
        self._totals: dict[str, Points] = dict.fromkeys(pairing.entries, 0)
        self._seats: tuple[str, ...] = ()
        self._number = ""
        self.deals = 0

    @property
    def offenders(self) -> list[str]:
        """Who has forfeited this match: those expelled before it, or the one whose faults did."""
        if self.barred:
            return self.barred
        return [] if self.conduct.forfeited is None else [self.conduct.forfeited]

    def takes(self, number: str) -> bool:
        """Whether deal ``number`` still counts: not in a match of an expelled entry, nor after the unit that forfeited it."""
        if self.barred:
            return False
        return self.conduct.forfeited is None or (self._plan.match.mirrored and number == self._number)

    def deal(self, number: str, seats: tuple[str, ...], points: Sequence[int | str]) -> None:
        """One deal that was played."""
        self._number = number
        self._seats = seats
        for entry, value in zip(seats, points, strict=True):
            self._totals[entry] += read_exact(value)
        self.deals += 1

    def fault(self, seat: int, code: str) -> Consequence:
        """One fault of the deal before, judged over the whole match; answers what it costs."""
        return self.conduct.judge(self._seats[seat], code)

    def record(self, games: GamesAccount | None) -> MatchRecord:
        """The match record. ``games`` is the account of a match to a target, if it was played."""
        if self._plan.match.games is not None:
            return self._games_record(games or self._forfeited_games())
        entries, offenders = self.pairing.entries, self.offenders
        missing = (self._plan.match.deals or 0) - self.deals
        if missing and not offenders:
            raise BrokenHistory(f"match {self.pairing.key} has {self.deals} deals, {self._plan.match.deals} were to be played")
        price = self._event.forfeit_points * missing
        for offender in offenders:
            self._totals[offender] += price if self._event.scoring.low_wins else -price
            if len(entries) == 2 and len(offenders) == 1 and not self._event.scoring.low_wins:
                self._totals[entries[1 - entries.index(offender)]] += price
        forfeits = tuple(missing if entry in offenders else 0 for entry in entries)
        totals = tuple(self._totals[entry] for entry in entries)
        return self._record(totals, self._best(totals), "forfeit" if offenders else "deals", forfeits)

    def _games_record(self, games: GamesAccount) -> MatchRecord:
        winners = games.totals.winners
        if self.offenders:
            winners = self._best(games.totals.totals)
        reason = "forfeit" if self.offenders else games.totals.reason
        return self._record(games.totals.totals, winners, reason, games.forfeits)

    def _forfeited_games(self) -> GamesAccount:
        """The account of a match to a target that an expelled entry never played."""
        if not self.barred:
            raise BrokenHistory(f"match {self.pairing.key} was not played to its end")
        seats = len(self.pairing.entries)
        games = GamesInPlay(self._event.scoring, seats, self._plan.match.games or 1, range)
        offender = self.pairing.entries.index(self.barred[0])
        return forfeit_rest(games, offender, self._event.forfeit_points)

    def _best(self, totals: Sequence[Points]) -> tuple[int, ...]:
        """The seats with the best total among those who have not forfeited."""
        sign = -1 if self._event.scoring.low_wins else 1
        able = [seat for seat, entry in enumerate(self.pairing.entries) if entry not in self.offenders]
        best = max((sign * totals[seat] for seat in able), default=0)
        return tuple(seat for seat in able if sign * totals[seat] == best)

    def _record(
        self, totals: Sequence[Points], winners: Sequence[int], reason: str, forfeits: tuple[int, ...]
    ) -> MatchRecord:
        return MatchRecord(
            id=f"{self._plan.event}/{self.pairing.key}", seats=self.pairing.entries,
            totals=tuple(exact_text(t) for t in totals), winner=winners[0] if len(winners) == 1 else None, reason=reason,
            deals=self.deals, forfeits=forfeits,
        )  # fmt: skip


def forfeit_rest(games: GamesInPlay, offender: int, forfeit_points: int) -> GamesAccount:
    """Bring a forfeited match to a target to its end on paper."""
    forfeits = [0] * games.seats
    forfeits[offender] = games.forfeit(offender, forfeit_points)
    return GamesAccount(games.totals(), tuple(forfeits))
