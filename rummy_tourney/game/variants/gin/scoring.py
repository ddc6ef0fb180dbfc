"""From hands to a game of gin: running points, who deals, boxes, bonuses, shutouts, Hollywood columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rummy_tourney.game.rules import DealResult, GameTotals, MatchState, Points
from rummy_tourney.game.variants.gin.options import GinOptions

HOLLYWOOD_COLUMNS = 3


@dataclass
class _Column:
    """One account of a game: Hollywood keeps three, every other game one."""

    points: list[Points] = field(default_factory=lambda: [0, 0])
    boxes: list[int] = field(default_factory=lambda: [0, 0])
    wins: list[int] = field(default_factory=lambda: [0, 0])
    closed_by: int | None = None

    def enter(self, result: DealResult, options: GinOptions) -> None:
        winner = result.winner
        if winner is None:
            return
        self.points[winner] += result.points[winner]
        self.boxes[winner] += result.boxes
        self.wins[winner] += 1
        if self.standing(winner, options) >= options.target:
            self.closed_by = winner

    def standing(self, seat: int, options: GinOptions) -> Points:
        """What counts towards the target."""
        return self.points[seat] + (options.box_bonus * self.boxes[seat] if options.immediate_boxes else 0)

    def account(self, seat: int, options: GinOptions) -> dict[str, Points]:
        """Points of a seat by name, all bonuses in."""
        hand, boxes = self.points[seat], options.box_bonus * self.boxes[seat]
        won = self.closed_by == seat
        game = options.game_bonus if won else 0
        extra: Points = 0
        if won and self.wins[1 - seat] == 0:
            kind, _, number = options.shutout.partition(":")
            if kind == "flat":
                extra = int(number)
            elif kind == "double_hand_points":
                extra = hand
            elif kind == "double_bonuses":
                extra = game + boxes
            elif kind == "double_all":
                extra = hand + game + boxes
        return {"hands": hand, "boxes": boxes, "game": game, "shutout": extra}


class GinScoring:
    """How hands of gin add up to a game."""

    def __init__(self, options: GinOptions) -> None:
        self.options = options

    @property
    def low_wins(self) -> bool:
        """In gin more is better."""
        return False

    def scores(self, state: MatchState) -> tuple[Points, ...]:
        """Hand points per seat (with boxes where they count at once); in Hollywood those of the first open column."""
        columns = self._columns(state.results)
        column = next((c for c in columns if c.closed_by is None), columns[-1])
        return tuple(column.standing(seat, self.options) for seat in range(2))

    def first_dealer(self, seats: int, draw: Callable[[int], Sequence[int]]) -> int:
        """Drawn by lot."""
        return draw(seats)[0]

    def next_dealer(self, state: MatchState, first: int) -> int:
        """The loser, the winner, or the other seat deals; after a dead hand the same dealer again."""
        dealer = first
        for result in state.results:
            if result.winner is None:
                continue
            if self.options.next_dealer == "loser_deals":
                dealer = 1 - result.winner
            elif self.options.next_dealer == "winner_deals":
                dealer = result.winner
            else:
                dealer = 1 - dealer
        return dealer

    def finished(self, state: MatchState) -> str | None:
        """``target`` when every column is closed, ``dead-deals`` after too many dead hands in a row."""
        if all(c.closed_by is not None for c in self._columns(state.results)):
            return "target"
        cap = self.options.max_dead_hands
        recent = state.results[-cap:]
        if len(recent) == cap and all(r.winner is None for r in recent):
            return "dead-deals"
        return None

    def totals(self, state: MatchState) -> GameTotals:
        """The final account. Without a target reached there is no game bonus and no shutout.

        The winner is who reached the target; with three columns, or none reached, who has the higher total.
        """
        parts: list[dict[str, Points]] = [{}, {}]
        columns = self._columns(state.results)
        for column in columns:
            for seat in range(2):
                for name, value in column.account(seat, self.options).items():
                    parts[seat][name] = parts[seat].get(name, 0) + value
        totals = [sum(p.values()) for p in parts]
        if len(columns) == 1 and columns[0].closed_by is not None:
            # Boxes can give the loser the higher total; the game is won by whoever reached the target all the same.
            return GameTotals(tuple(totals), (columns[0].closed_by,), "target", tuple(parts))
        return _ranked(totals, self.finished(state) or "unfinished", parts)

    def fixed_totals(self, state: MatchState) -> GameTotals:
        """Signed hand points only."""
        totals = [sum((r.points[seat] for r in state.results), start=0) for seat in range(2)]
        return _ranked(totals, "deals", [{"hands": t} for t in totals])

    def _columns(self, results: Sequence[DealResult]) -> list[_Column]:
        if not self.options.hollywood:
            only = _Column()
            for result in results:
                only.enter(result, self.options)
            return [only]
        columns = [_Column() for _ in range(HOLLYWOOD_COLUMNS)]
        for result in results:
            self._enter_hollywood(columns, result)
        return columns

    def _enter_hollywood(self, columns: Sequence[_Column], result: DealResult) -> None:
        """Into every open column the winner has entered, and the lowest open one the winner has not."""
        if result.winner is None:
            return
        fresh = [c for c in columns if c.closed_by is None and c.wins[result.winner] == 0][:1]
        entered = [c for c in columns if c.closed_by is None and c.wins[result.winner] > 0]
        for column in entered + fresh:
            column.enter(result, self.options)


def _ranked(totals: Sequence[Points], reason: str, parts: Sequence[dict[str, Points]]) -> GameTotals:
    best = max(totals)
    winners = tuple(seat for seat, total in enumerate(totals) if total == best)
    return GameTotals(tuple(totals), winners, reason, tuple(parts))
