"""One deal with bots: ask, check, play, and turn whatever a bot does wrong into a fault.

Nothing a bot returns or raises can reach past this module: an exception is a ``crash``, an answer that is no action is
``illegal:not-an-action``, an action the rules refuse is ``illegal:<reason>``. The policy says what it costs.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rummy_tourney.bot.policy import BotFault, Conduct, Consequence
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.notation import ACTION_TYPES, action_text
from rummy_tourney.game.rules import DealResult, Points
from rummy_tourney.game.table import Table
from rummy_tourney.game.view import Phase, SeatView

EVIDENCE_LIMIT: Final = 2048
"""Characters of a raw answer kept as evidence."""
TRACE_LIMIT: Final = 4096
"""Characters of a traceback kept as evidence."""
MENU_LIMIT: Final = 40
"""Legal actions quoted in the evidence."""
BOT_FAILURES: Final = (Exception, SystemExit)
"""What a bot may raise. KeyboardInterrupt is ours."""


@dataclass(slots=True)
class Player:
    """One entry at the table: its id and its bot, in this process or behind a pipe."""

    entry: str
    bot: Any

    def hook(self, name: str) -> Callable[..., object] | None:
        """An optional method of the bot, if it has it."""
        found = getattr(self.bot, name, None)
        return found if callable(found) else None


@dataclass(slots=True)
class DealOutcome:
    """A deal that was played: its result, and the faults on the way."""

    result: DealResult
    faults: list[BotFault] = field(default_factory=list)


class _DealGuard:
    """The faults of one deal and what became of them."""

    def __init__(self, table: Table, players: Sequence[Player], conduct: Conduct, forfeit_points: int) -> None:
        self.table = table
        self.players = players
        self.conduct = conduct
        self.forfeit_points = forfeit_points
        self.faults: list[BotFault] = []
        self.forfeited_by: int | None = None

    def answer(self, seat: int, view: SeatView, reply: object) -> None:
        """Play a reply that is not simply one legal action: a list of actions, or nonsense."""
        if not isinstance(reply, (list, tuple)) or not reply:
            self.fault(seat, "illegal:not-an-action", f"answered {_short(reply)} in the {view.phase} phase", reply)
            return
        for action in reply:
            if self.table.phase is Phase.OVER or self.table.to_act != seat:
                self.fault_after_turn(seat, action)
                return
            if not self.play(seat, action):
                return

    def play(self, seat: int, action: object) -> bool:
        """Apply one action; a refusal is a fault."""
        before = len(self.table.log)
        try:
            if type(action) not in ACTION_TYPES:
                raise IllegalAction("not-an-action", f"{_short(action)} is not an action")
            self.table.apply(action)  # type: ignore[arg-type]  # its type was just checked
        except IllegalAction as refusal:
            self.fault(seat, f"illegal:{refusal.reason}", refusal.detail, action)
            return False
        except BOT_FAILURES as error:
            if len(self.table.log) != before:
                raise EngineBug(f"{_short(action)} left the table half changed: {error!r}") from error
            self.fault(seat, "illegal:malformed", f"{_short(action)} holds something that is no card or meld", action)
            return False
        return True

    def fault_after_turn(self, seat: int, action: object) -> None:
        """Actions beyond the end of the turn: recorded, and otherwise without effect on the next player."""
        self.record(seat, "illegal:after-turn", f"{_short(action)} comes after the end of the turn", action)

    def fault(self, seat: int, code: str, detail: str, reply: object, trace: str = "") -> None:
        """Record a fault and do what the policy says: the default action, or the end of the deal."""
        verdict = self.record(seat, code, detail, reply, trace)
        if verdict is Consequence.DEFAULT_ACTION:
            kind, _, reason = code.partition(":")
            self.table.substitute("to" if kind == "late" else "ill", reason or kind)
        else:
            self.forfeited_by = seat

    def record(self, seat: int, code: str, detail: str, reply: object, trace: str = "") -> Consequence:
        """One fault, one record."""
        entry = self.players[seat].entry
        verdict = self.conduct.judge(entry, code)
        evidence = {"answer": _short(reply, EVIDENCE_LIMIT)} if trace == "" else {"traceback": trace[-TRACE_LIMIT:]}
        if self.table.phase is not Phase.OVER and self.table.to_act == seat:
            evidence["hand"] = str(self.table.view().hand)
            evidence["phase"] = self.table.phase.value
            evidence["legal"] = _menu(self.table)
        self.faults.append(BotFault(seat, entry, code, len(self.table.log), verdict, detail, evidence))
        return verdict


def play_deal(table: Table, players: Sequence[Player], conduct: Conduct, forfeit_points: int) -> DealOutcome:
    """Play a deal to its end.

    ``players`` are in seat order. Faults are judged by ``conduct``; a forfeited deal ends at once and costs the offender
    ``forfeit_points`` or what its hand would have cost, whichever is more.
    """
    guard = _DealGuard(table, players, conduct, forfeit_points)
    acts = [p.bot.act for p in players]
    observers = [(seat, hook) for seat, p in enumerate(players) if (hook := p.hook("observe")) is not None]
    told = 0
    for seat, player in enumerate(players):
        _tell(guard, seat, player.hook("new_deal"), table.deal)
    while table.phase is not Phase.OVER and guard.forfeited_by is None:
        seat = table.to_act
        if observers:
            told = _tell_events(guard, observers, told)
            if guard.forfeited_by is not None:
                break
        view = table.view()
        try:
            reply = acts[seat](view)
        except BOT_FAILURES as error:
            guard.fault(seat, "crash", f"{type(error).__name__}: {error}", None, traceback.format_exc())
            continue
        if type(reply) in ACTION_TYPES:
            try:
                table.apply(reply)
            except BOT_FAILURES:
                # Refused: nothing has changed, so play it once more on the slow path that writes the fault.
                guard.play(seat, reply)
        else:
            guard.answer(seat, view, reply)
    if guard.forfeited_by is None:
        result = table.result()
    else:
        result = forfeited_deal(table, guard.forfeited_by, forfeit_points)
    for seat, player in enumerate(players):
        _tell_end(player.hook("deal_over"), result)
    return DealOutcome(result, guard.faults)


def forfeited_deal(table: Table, seat: int, forfeit_points: int) -> DealResult:
    """End a deal that ``seat`` has forfeited: it pays, with two players the other one gets it, with more nobody does."""
    cost = max(forfeit_points, table.forfeit_cost(seat))
    result = forfeit_result(table.seats, seat, cost)
    if table.phase is not Phase.OVER:
        table.finish("fault", by_engine=True)
        table.emit_score(result)
    return result


def forfeit_result(seats: int, seat: int, cost: int) -> DealResult:
    """The points of a deal forfeited by ``seat`` at the price of ``cost``."""
    points: list[Points] = [0] * seats
    points[seat] = -cost
    winner = None
    if seats == 2:
        winner = 1 - seat
        points[winner] = cost
    parts: tuple[dict[str, Points], ...] = tuple({"forfeit": p} if p else {} for p in points)
    return DealResult("fault", tuple(points), parts, winner, True, 1 if winner is not None else 0)


def _tell(guard: _DealGuard, seat: int, hook: Callable[..., object] | None, info: object) -> None:
    """Call an optional method; what it raises is a crash like any other."""
    if hook is None or guard.forfeited_by is not None:
        return
    try:
        hook(info)
    except BOT_FAILURES as error:
        guard.record(seat, "crash", f"{type(error).__name__}: {error}", None, traceback.format_exc())
        guard.forfeited_by = seat


def _tell_events(guard: _DealGuard, observers: Sequence[tuple[int, Callable[..., object]]], told: int) -> int:
    """Show the observers what has happened since they were last told."""
    count = len(guard.table.log)
    for seat, hook in observers:
        for event in guard.table.seen[seat][told:count]:
            _tell(guard, seat, hook, event)
    return count


def _tell_end(hook: Callable[..., object] | None, result: DealResult) -> None:
    """``deal_over`` cannot change anything any more, so what it raises is dropped with the bot's own state."""
    if hook is None:
        return
    try:
        hook(result)
    except BOT_FAILURES:
        return


def _short(value: object, limit: int = 200) -> str:
    """A bounded ``repr`` that cannot fail."""
    try:
        if type(value) in ACTION_TYPES:
            return action_text(value)[:limit]  # type: ignore[arg-type]  # its type was just checked
        return repr(value)[:limit]
    except BOT_FAILURES:
        return f"<{type(value).__name__}>"


def _menu(table: Table) -> str:
    actions = table.legal_actions()
    shown = ", ".join(action_text(a) for a in actions[:MENU_LIMIT])
    return shown if len(actions) <= MENU_LIMIT else f"{shown} … ({len(actions)} in all)"
