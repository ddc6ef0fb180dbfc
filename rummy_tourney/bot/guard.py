"""One deal with bots: ask, check, play, and turn whatever a bot does wrong into a fault.

Nothing a bot returns or raises can reach past this module: an exception is a ``crash``, an answer that is no action is
``illegal:not-an-action``, an action the rules refuse is ``illegal:<reason>``. The policy says what it costs.
"""

from __future__ import annotations

import re
import reprlib
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rummy_tourney.bot.policy import BotFault, Conduct, Consequence
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.notation import ACTION_TYPES, action_text
from rummy_tourney.game.rules import DealResult
from rummy_tourney.game.table import Table
from rummy_tourney.game.view import Phase, SeatView

EVIDENCE_LIMIT: Final = 2048
"""Characters of a raw answer kept as evidence."""
TRACE_LIMIT: Final = 4096
"""Characters of a traceback kept as evidence."""
DETAIL_LIMIT: Final = 200
"""Characters of an answer quoted in a sentence."""
MENU_LIMIT: Final = 40
"""Legal actions quoted in the evidence."""
HOOKS: Final = ("act", "close", "deal_over", "new_deal", "new_match", "observe")
"""The methods a bot may have."""
_REASON: Final = re.compile(r"[a-z0-9-]{1,40}")
"""What a reason code looks like: it goes into the log, so nothing else may get there."""


@dataclass(slots=True)
class Player:
    """One entry at the table: its id and its bot, in this process or behind a pipe."""

    entry: str
    bot: Any

    def hook(self, name: str) -> Callable[..., object] | None:
        """An optional method of the bot, if it has it."""
        try:
            if name not in _class_names(type(self.bot)) and name not in getattr(self.bot, "__dict__", ()):
                return None
            found = getattr(self.bot, name, None)
            return found if callable(found) else None
        except KeyboardInterrupt:
            raise
        except BaseException:
            return None


_NAMES_OF: Final[dict[type, frozenset[str]]] = {}


def _class_names(cls: type) -> frozenset[str]:
    """What the objects of a class have by their class; a class with ``__getattr__`` may have anything."""
    known = _NAMES_OF.get(cls)
    if known is None:
        known = _NAMES_OF[cls] = frozenset(HOOKS if hasattr(cls, "__getattr__") else dir(cls))
    return known


@dataclass(slots=True)
class DealOutcome:
    """A deal that was played: its result, and the faults on the way."""

    result: DealResult
    faults: list[BotFault] = field(default_factory=list)


class _DealGuard:
    """The faults of one deal and what became of them."""

    def __init__(self, table: Table, players: Sequence[Player], conduct: Conduct) -> None:
        self.table = table
        self.players = players
        self.conduct = conduct
        self.faults: list[BotFault] = []
        self.forfeited_by: int | None = None
        self.observers = [(seat, hook) for seat, p in enumerate(players) if (hook := p.hook("observe")) is not None]
        self.told = 0

    def stopped(self) -> bool:
        """Whether the deal is over or forfeited."""
        return self.table.phase is Phase.OVER or self.forfeited_by is not None

    def answer(self, seat: int, view: SeatView, reply: object) -> None:
        """Play a reply that is not simply one legal action: a list of actions, or nonsense."""
        # Not isinstance: a subclass could do anything when it is counted or walked through.
        if (type(reply) is not list and type(reply) is not tuple) or not reply:
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
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.refused(seat, action, error, before)
            return False
        return True

    def refused(self, seat: int, action: object, error: BaseException, before: int) -> None:
        """The fault of an action that could not be played; ``before`` is how long the log was when it came."""
        if len(self.table.log) != before:
            raise EngineBug(f"{_short(action)} left the table half changed: {error!r}") from error
        reason = getattr(error, "reason", None) if type(error) is IllegalAction else None
        if type(reason) is str and _REASON.fullmatch(reason):
            self.fault(seat, f"illegal:{reason}", _bounded(lambda: getattr(error, "detail", ""), EVIDENCE_LIMIT), action)
        else:
            self.fault(seat, "illegal:malformed", f"{_short(action)} holds something that is no card or meld", action)

    def fault_after_turn(self, seat: int, action: object) -> None:
        """Actions beyond the end of the turn: a fault that leaves the next player alone; nothing is played in its place."""
        verdict = self.record(seat, "illegal:after-turn", f"{_short(action)} comes after the end of the turn", action)
        if verdict is not Consequence.DEFAULT_ACTION and self.table.phase is not Phase.OVER:
            self.forfeited_by = seat

    def fault(self, seat: int, code: str, detail: str, reply: object, trace: str = "") -> None:
        """Record a fault and do what the policy says: the default action, or the end of the deal."""
        verdict = self.record(seat, code, detail, reply, trace)
        if verdict is not Consequence.DEFAULT_ACTION:
            self.forfeited_by = seat
        elif code == "late":
            self.table.substitute("to", "")
        else:
            self.table.substitute("ill", code.removeprefix("illegal:"))

    def record(self, seat: int, code: str, detail: str, reply: object, trace: str = "") -> Consequence:
        """One fault, one record."""
        entry = self.players[seat].entry
        verdict = self.conduct.judge(entry, code)
        evidence = {"traceback": trace} if trace else {"answer": _short(reply, EVIDENCE_LIMIT)}
        if self.table.phase is not Phase.OVER and self.table.to_act == seat:
            evidence["hand"] = str(self.table.view().hand)
            evidence["phase"] = self.table.phase.value
            evidence["legal"] = _menu(self.table)
        self.faults.append(BotFault(seat, entry, code, len(self.table.log), verdict, detail, evidence))
        return verdict

    def tell(self, seat: int, hook: Callable[..., object] | None, info: object) -> None:
        """Call an optional method; what it raises is a crash like any other.

        Once the deal is over nothing can change any more; then it is dropped with the bot's own state.
        """
        if hook is None:
            return
        try:
            hook(info)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if self.stopped():
                return
            verdict = self.record(seat, "crash", _error_text(error), None, _trace(error))
            if verdict is not Consequence.DEFAULT_ACTION:
                self.forfeited_by = seat

    def tell_events(self) -> None:
        """Show the observers what has happened since they were last told."""
        count = len(self.table.log)
        for seat, hook in self.observers:
            for event in self.table.seen[seat][self.told : count]:
                self.tell(seat, hook, event)
        self.told = count


def play_deal(table: Table, players: Sequence[Player], conduct: Conduct, forfeit_points: int) -> DealOutcome:
    """Play a deal to its end.

    ``players`` are in seat order. Faults are judged by ``conduct``; a forfeited deal ends at once and costs the offender
    ``forfeit_points`` or what its hand would have cost, whichever is more.
    """
    guard = _DealGuard(table, players, conduct)
    acts = [p.hook("act") or _no_act for p in players]
    for seat, player in enumerate(players):
        guard.tell(seat, player.hook("new_deal"), table.deal)
    log, observers, over, see = table.log, guard.observers, Phase.OVER, table.view
    while table.phase is not over and guard.forfeited_by is None:
        if observers:
            guard.tell_events()
            if guard.stopped():
                break
        seat = table.to_act
        view = see()
        try:
            reply = acts[seat](view)
            single = type(reply) in ACTION_TYPES  # here, because even the type of a bot's object may raise something
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            guard.fault(seat, "crash", _error_text(error), None, _trace(error))
            continue
        if not single:
            guard.answer(seat, view, reply)
            continue
        before = len(log)
        try:
            table.apply(reply)  # type: ignore[arg-type]  # its type was just checked
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            guard.refused(seat, reply, error, before)
    result = table.result() if guard.forfeited_by is None else table.forfeit(guard.forfeited_by, forfeit_points)
    guard.tell_events()
    for seat, player in enumerate(players):
        guard.tell(seat, player.hook("deal_over"), result)
    return DealOutcome(result, guard.faults)


def _no_act(view: SeatView) -> object:
    raise TypeError("the bot has no method act(view)")


def _bounded(write: Callable[[], str], limit: int) -> str:
    """What ``write`` answers, as plain text that can be stored: a bot's object may do anything when it is looked at."""
    try:
        text = "".join([write()])  # join makes a plain str of a subclass
        return text[:limit].encode("utf-8", "backslashreplace").decode("utf-8")
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "something that cannot be shown"


def _shortened() -> reprlib.Repr:
    """A repr that looks at the beginning of a huge list only."""
    short = reprlib.Repr()
    short.maxlist = short.maxtuple = short.maxdict = short.maxset = short.maxfrozenset = MENU_LIMIT
    short.maxstring = short.maxother = EVIDENCE_LIMIT
    return short


_SHORT: Final = _shortened()


def _short(value: object, limit: int = DETAIL_LIMIT) -> str:
    """A bounded text of whatever a bot answered that cannot fail."""
    return _bounded(lambda: _shown(value), limit)


def _shown(value: object) -> str:
    if type(value) not in ACTION_TYPES:
        return _SHORT.repr(value)
    melds = getattr(value, "melds", ())
    if type(melds) is not tuple or len(melds) > MENU_LIMIT:  # its text might never end
        return f"{type(value).__name__} of {_SHORT.repr(melds)}"
    return action_text(value)  # type: ignore[arg-type]  # its type was just checked


def _error_text(error: BaseException) -> str:
    return _bounded(lambda: f"{type(error).__name__}: {error}", DETAIL_LIMIT)


def _trace(error: BaseException) -> str:
    return _bounded(lambda: "".join(traceback.format_exception(error))[-TRACE_LIMIT:], TRACE_LIMIT)


def _menu(table: Table) -> str:
    actions = table.legal_actions()
    shown = ", ".join(action_text(a) for a in actions[:MENU_LIMIT])
    return shown if len(actions) <= MENU_LIMIT else f"{shown} … ({len(actions)} in all)"
