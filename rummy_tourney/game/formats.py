"""From deals to a match: a fixed number of deals (mirrored or not), or games to the family's target.

A match of a fixed number of deals compares bots: only deal points count, the dealer follows the rotation, a dead deal scores
nothing. A game follows the family's own score sheet until that says it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rummy_tourney.errors import EngineBug
from rummy_tourney.game.rules import DealResult, GameTotals, MatchScoring, MatchState, Points, forfeited

MAX_FORFEITED_DEALS: Final = 1_000
"""Deals after which a forfeited match ends as it stands, its target being too far for forfeits to reach it."""


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """What two (or one table of) entries contest.

    Exactly one of ``deals`` (that many deals are played; with ``mirrored`` each deal is played once per rotation of the
    seats, and ``deals`` is a multiple of the number of seats) and ``games`` (that many games to the target) is set.
    """

    deals: int | None = None
    mirrored: bool = False
    games: int | None = None

    def shuffles(self, seats: int) -> int:
        """How many different deals a match of fixed length needs."""
        if self.deals is None:
            raise EngineBug("a match to a target has no fixed number of deals")
        return self.deals // seats if self.mirrored else self.deals

    def rotations(self, seats: int) -> int:
        """How often each deal is played."""
        return seats if self.mirrored else 1


def rotated(entries: Sequence[str], rotation: int) -> tuple[str, ...]:
    """The entries in seat order after ``rotation`` moves of everybody one seat on."""
    n = len(entries)
    return tuple(entries[(seat - rotation) % n] for seat in range(n))


def fixed_dealer(seats: int, number: int, *, mirrored: bool) -> int:
    """Who deals in a match of fixed length.

    The last seat, so that seat 0 acts first; in a mirrored set the entries move and the dealer's seat does not, otherwise the
    deal passes on with every deal.
    """
    return seats - 1 if mirrored else (seats - 1 + number) % seats


class GamesInPlay:
    """The score sheet of a match to a target: one or more games, deal after deal.

    ``draw`` answers fresh random orders for the first dealer of the match; the first dealer moves one seat on with each
    further game.
    """

    def __init__(self, scoring: MatchScoring, seats: int, games: int, draw: Callable[[int], Sequence[int]]) -> None:
        self._scoring = scoring
        self.seats = seats
        self._games = games
        self._first = scoring.first_dealer(seats, draw)
        self._state = MatchState(seats, (), ())
        self.finished: list[GameTotals] = []

    @property
    def over(self) -> bool:
        """Whether all games are finished."""
        return len(self.finished) >= self._games

    def next_deal(self) -> tuple[int, tuple[Points, ...], int]:
        """Dealer, running scores, and how many deals have counted so far, for the next deal."""
        first = (self._first + len(self.finished)) % self.seats
        dealer = self._scoring.next_dealer(self._state, first)
        counted = sum(r.scored for r in self._state.results)
        return dealer, self._scoring.scores(self._state), counted

    def add(self, result: DealResult, dealer: int) -> None:
        """Enter a deal; closes the game when the family says it is over."""
        state = self._state
        self._state = MatchState(self.seats, (*state.results, result), (*state.dealers, dealer))
        if self._scoring.finished(self._state) is not None:
            self.finished.append(self._scoring.totals(self._state))
            self._state = MatchState(self.seats, (), ())

    def forfeit(self, seat: int, cost: int) -> int:
        """Bring the match to its end because ``seat`` has forfeited it; answers how many deals that took.

        With two players every deal that is left goes to the other one at ``cost`` (at least a point) until the target is
        reached. With more nobody scores a forfeited deal, so that the target would never be: then the games that are not
        finished end as they stand, the offender charged ``cost`` in each. So they do after :data:`MAX_FORFEITED_DEALS`.
        """
        deals = 0
        while self.seats == 2 and not self.over and deals < MAX_FORFEITED_DEALS:
            dealer, _, _ = self.next_deal()
            self.add(forfeited(2, seat, max(1, cost), low_wins=self._scoring.low_wins), dealer)
            deals += 1
        while not self.over:
            deals += 1
            self._close_as_it_stands(seat, cost)
        return deals

    def _close_as_it_stands(self, seat: int, cost: int) -> None:
        sign = -1 if self._scoring.low_wins else 1
        scores = list(self._scoring.scores(self._state))
        scores[seat] -= sign * cost
        others = [other for other in range(self.seats) if other != seat]
        best = max(sign * scores[other] for other in others)
        winners = tuple(other for other in others if sign * scores[other] == best)
        self.finished.append(GameTotals(tuple(scores), winners, "forfeit"))
        self._state = MatchState(self.seats, (), ())

    def totals(self) -> GameTotals:
        """The match: totals of all games added up, won by whoever won most games, then by totals."""
        if not self.over:
            raise EngineBug("the match is not over")
        if len(self.finished) == 1:
            return self.finished[0]
        totals = tuple(sum((g.totals[s] for g in self.finished), start=0) for s in range(self.seats))
        won = [sum(s in g.winners for g in self.finished) for s in range(self.seats)]
        sign = -1 if self._scoring.low_wins else 1
        ranked = [(won[s], sign * totals[s]) for s in range(self.seats)]
        winners = tuple(s for s in range(self.seats) if ranked[s] == max(ranked))
        return GameTotals(totals, winners, "games")
