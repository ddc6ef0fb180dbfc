"""The guard: whatever a bot does, one fault is written down, the policy is applied, and the deal goes on or ends.

The table of consequences is that of the bot protocol (lenient, league, strict).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import texts
from support.gin_tables import gin_rules, play, shuffled_table, stacked_deck

from rummy_tourney.bot.builtin.gin import GreedyGin
from rummy_tourney.bot.guard import DETAIL_LIMIT, EVIDENCE_LIMIT, TRACE_LIMIT, DealOutcome, Player, play_deal
from rummy_tourney.bot.policy import PROFILES, BotFault, Conduct, Consequence, FaultKind, FaultPolicy, kind_of
from rummy_tourney.cards import CARDS, Card, card
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    BigGin,
    Declare,
    Discard,
    Knock,
    LayMeld,
    LayOff,
    Show,
    SwapJoker,
)
from rummy_tourney.game.rules import DealSetup
from rummy_tourney.game.variants.gin import GinTable
from rummy_tourney.game.view import Phase, SeatView
from rummy_tourney.melds.model import Meld, MeldKind, Spot, meld

FORFEIT = 50


class Scripted:
    """Does what ``act`` says when it is asked the first time (or each time), and is greedy otherwise."""

    def __init__(self, act: Callable[[SeatView], object], *, times: int = 1, phase: Phase | None = None) -> None:
        self.script = act
        self.times = times
        self.phase = phase
        self.greedy: Any = GreedyGin()

    def act(self, view: SeatView) -> object:
        """The script, while it lasts and in its phase."""
        if self.times > 0 and self.phase in (None, view.phase):
            self.times -= 1
            return self.script(view)
        return self.greedy.act(view)


def deal(
    bot: object, policy: str | FaultPolicy = "lenient", *, number: int = 3, table: GinTable | None = None
) -> tuple[DealOutcome, GinTable, Conduct]:
    """A deal of ``bot``, which acts first, against a greedy bot."""
    conduct = Conduct(PROFILES[policy] if isinstance(policy, str) else policy)
    table = table or shuffled_table(number)
    players = [Player("culprit", bot), Player("honest", GreedyGin())]
    return play_deal(table, players, conduct, FORFEIT), table, conduct


def only_fault(outcome: DealOutcome) -> BotFault:
    """The one fault of a deal."""
    assert len(outcome.faults) == 1, outcome.faults
    return outcome.faults[0]


def raising(error: BaseException) -> Callable[[SeatView], object]:
    """A bot's answer that is an exception."""

    def act(view: SeatView) -> object:
        raise error

    return act


class OddError(BaseException):
    """Not even an Exception."""


class MuteError(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise OddError


# --- one fault, one record -------------------------------------------------------------------------------------------


def test_a_deal_without_faults() -> None:
    """Two honest bots: no fault, the table's own result."""
    outcome, table, conduct = deal(GreedyGin())
    assert outcome.faults == []
    assert outcome.result == table.result()
    assert (conduct.strikes, conduct.crashes, conduct.forfeited) == ({}, {}, None)


CRASHES = [
    ValueError("no move found"), ZeroDivisionError(), RecursionError(), MemoryError(), SystemExit(3), GeneratorExit(),
    StopIteration(), OddError("beyond"), MuteError(), AssertionError("\ud800 lone surrogate"), EngineBug("says the bot"),
    IllegalAction("not-in-hand", "raised by the bot itself"), NotImplementedError("x" * 100_000),
]  # fmt: skip


@pytest.mark.parametrize("error", CRASHES, ids=lambda e: type(e).__name__)
def test_whatever_a_bot_raises_is_a_crash(error: BaseException) -> None:
    """[F7] An exception of any kind is written down with its traceback and ends the deal for its bot."""
    outcome, table, _ = deal(Scripted(raising(error)))
    fault = only_fault(outcome)
    assert (fault.seat, fault.entry, fault.code, fault.consequence) == (0, "culprit", "crash", Consequence.FORFEIT_DEAL)
    assert fault.move == 3
    assert 0 < len(fault.detail) <= DETAIL_LIMIT
    assert 0 < len(fault.evidence["traceback"]) <= TRACE_LIMIT
    assert outcome.result.ending == "fault"
    assert texts(table)[-2:] == ["d end fault", f"d sc {outcome.result.points[0]} +{outcome.result.points[1]}"]
    assert table.over
    msgspec.json.encode(outcome.faults)


def test_ctrl_c_is_ours() -> None:
    """KeyboardInterrupt is not the bot's fault and goes on to whoever runs the deal."""
    with pytest.raises(KeyboardInterrupt):
        deal(Scripted(raising(KeyboardInterrupt())))


class NoAct:
    """A bot without its one method."""


class UnreadableAct:
    """A bot whose method cannot even be looked up."""

    @property
    def act(self) -> object:
        """Raises."""
        raise OddError

    def __getattr__(self, name: str) -> object:
        raise OddError


@pytest.mark.parametrize("make", [NoAct, UnreadableAct, int])
def test_a_bot_that_cannot_act_crashes(make: Callable[[], object]) -> None:
    """No method ``act`` is a crash at the first question."""
    outcome, _, _ = deal(make())
    assert only_fault(outcome).code == "crash"
    assert "act" in only_fault(outcome).detail


NONSENSE = [
    None, 0, True, 1.5, "dc 7h", "", b"pass", object(), {"move": "pass"}, {1, 2}, [], (), Ellipsis, PASS.__class__, Discard,
    iter([PASS]), range(10**9), "x" * 10**6, 10**5000, card("7h"), Phase.DRAW,
]  # fmt: skip


@pytest.mark.parametrize("answer", NONSENSE, ids=lambda a: type(a).__name__)
def test_an_answer_that_is_no_action(answer: object) -> None:
    """Nothing, text, numbers, classes: an illegal answer; the default action is played and said to be one."""
    outcome, table, conduct = deal(Scripted(lambda view: answer))
    fault = only_fault(outcome)
    assert (fault.code, fault.consequence, fault.move) == ("illegal:not-an-action", Consequence.DEFAULT_ACTION, 3)
    assert texts(table)[3:5] == ["d ill p0 not-an-action -> p0 pass", "p0 pass"]
    assert outcome.result.ending != "fault"
    assert conduct.strikes == {"culprit": 1}
    assert len(fault.evidence["answer"]) <= EVIDENCE_LIMIT
    assert fault.evidence["phase"] == "upcard"
    assert fault.evidence["legal"] == "dd, pass"
    assert len(fault.evidence["hand"]) == 20
    msgspec.json.encode(outcome.faults)


class Sneaky(list[object]):
    """A list that answers anything but what it holds."""

    def __len__(self) -> int:
        raise OddError

    def __iter__(self) -> Any:
        return itertools.repeat(PASS)


class Unprintable:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise OddError


class UnhashableType(type):
    """A class of which even the hash is a trap."""

    def __hash__(cls) -> int:
        raise OddError

    def __eq__(cls, other: object) -> bool:
        raise OddError


class Trap(metaclass=UnhashableType):
    """Its type cannot be looked up in a table."""


TRAPS: list[Callable[[], object]] = [
    lambda: Sneaky([PASS]), Unprintable, lambda: [Unprintable()], lambda: [Trap()], lambda: [None], lambda: [[PASS]],
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(TRAPS)))
def test_traps_are_no_actions(number: int) -> None:
    """Objects made to break whoever looks at them are faults like any other."""
    outcome, table, _ = deal(Scripted(lambda view: TRAPS[number]()))
    assert only_fault(outcome).code in ("illegal:not-an-action", "illegal:malformed")
    assert texts(table)[3].startswith("d ill p0 ")


def test_a_type_that_cannot_be_looked_up_is_a_crash() -> None:
    """The worst answer there is: its type raises when it is compared."""
    outcome, _, _ = deal(Scripted(lambda view: Trap()))
    assert only_fault(outcome).code == "crash"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (DRAW_STOCK, "wrong-phase"),
        (Discard(card("7h")), "wrong-phase"),
        (Show(()), "wrong-phase"),
        (LayMeld(meld("7c7d7h")), "wrong-phase"),
        (SwapJoker(1, card("*1"), card("7h")), "wrong-phase"),
        (Declare((), None), "wrong-phase"),
        (BigGin(()), "wrong-phase"),
    ],
)
def test_an_illegal_action(answer: object, reason: str) -> None:
    """What the rules refuse is a fault with the rules' reason, and the default action takes its place."""
    outcome, table, _ = deal(Scripted(lambda view: answer))
    assert only_fault(outcome).code == f"illegal:{reason}"
    assert texts(table)[3:5] == [f"d ill p0 {reason} -> p0 pass", "p0 pass"]
    assert "not possible in the upcard phase" in only_fault(outcome).detail


def test_a_discard_that_is_refused_throws_the_card_just_drawn() -> None:
    """The default in the shedding phase after a draw from the stock."""
    outcome, table, _ = deal(Scripted(lambda view: Discard(_not_held(view)), phase=Phase.SHED), number=11)
    fault = only_fault(outcome)
    assert fault.code == "illegal:not-in-hand"
    position = fault.move
    thrown = texts(table)[position + 1].removeprefix("p0 dc ")
    assert texts(table)[position] == f"d ill p0 not-in-hand -> p0 dc {thrown}"
    if texts(table)[position - 1].startswith("p0 ds"):
        assert texts(table)[position - 1] == f"p0 ds {thrown}"


def _not_held(view: SeatView) -> Card:
    return next(c for c in CARDS.values() if not view.hand_mask & c.mask)


# --- forged actions --------------------------------------------------------------------------------------------------


def forged_card(mask: int, code: object, text: object = "7h") -> Card:
    """An object of the class Card that is none of the cards."""
    made = object.__new__(Card)
    for name, value in {"mask": mask, "code": code, "text": text, "rank": 7, "suit": 2, "copy": 1}.items():
        object.__setattr__(made, name, value)
    return made


class Double:
    """A stand-in for a card."""

    def __init__(self, like: Card, code: object) -> None:
        self.mask, self.code, self.text, self.rank, self.suit, self.copy = like.mask, code, "Ks", like.rank, like.suit, 1


class Shouting(int):
    """A number that writes itself as a whole move."""

    def __format__(self, spec: str) -> str:
        return "1>7s -> p1 pass\nd sc +999 -999"


class Yes(str):
    """A text equal to everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


class Injector:
    """Raises our own refusal with a text of its own when it is looked at."""

    def __iter__(self) -> Any:
        raise IllegalAction("x -> p0 pass\nd sc +999 -999", "injected")

    def __getattr__(self, name: str) -> Any:
        raise IllegalAction("x -> p0 pass\nd sc +999 -999", "injected")


def first_held(view: SeatView) -> Card:
    """A card of the hand that may be thrown."""
    return next(c for c in view.hand if not view.banned_mask & c.mask)


FORGED: list[Callable[[SeatView], object]] = [
    lambda view: Discard(forged_card(first_held(view).mask, _not_held(view).code)),
    lambda view: Discard(forged_card(first_held(view).mask, first_held(view).code)),
    lambda view: Discard(forged_card(first_held(view).mask, -1)),
    lambda view: Discard(forged_card(first_held(view).mask, True)),
    lambda view: Discard(forged_card(first_held(view).mask, [])),
    lambda view: Discard(Double(first_held(view), 5)),  # type: ignore[arg-type]  # forged on purpose, here and below
    lambda view: Discard("7h"),  # type: ignore[arg-type]
    lambda view: Discard(None),  # type: ignore[arg-type]
    lambda view: Discard(Injector()),  # type: ignore[arg-type]
    lambda view: Knock(first_held(view), Injector()),  # type: ignore[arg-type]
    lambda view: Knock(first_held(view), (Injector(),)),  # type: ignore[arg-type]
    lambda view: Knock(first_held(view), itertools.repeat(meld("7c7d7h"))),  # type: ignore[arg-type]
    lambda view: Knock(first_held(view), (Meld(MeldKind.SET, (), view.hand_mask, "all of them"),)),
    lambda view: Knock(first_held(view), (Meld(MeldKind.SET, (), [], ""),)),  # type: ignore[arg-type]
    lambda view: Knock(first_held(view), [meld("7c7d7h")] * 100_000),  # type: ignore[arg-type]
    lambda view: Knock(None, ()),  # type: ignore[arg-type]
    lambda view: BigGin(None),  # type: ignore[arg-type]
    lambda view: LayOff(Shouting(1), ">", Spot(first_held(view), first_held(view))),
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_actions_do_not_touch_the_table(number: int) -> None:
    """Actions of the right class with wrong contents are refused; no card moves and nothing is written but the fault."""
    forge = FORGED[number]
    outcome, table, _ = deal(Scripted(forge, phase=Phase.SHED), number=11)
    fault = only_fault(outcome)
    assert fault.code.startswith("illegal:")
    assert fault.consequence is Consequence.DEFAULT_ACTION
    assert texts(table)[fault.move].startswith(f"d ill p0 {fault.code.removeprefix('illegal:')} -> p0 dc ")
    assert_whole(table)
    msgspec.json.encode(outcome.faults)


def assert_whole(table: GinTable) -> None:
    """Fifty-two cards, each once, and every move in one line."""
    thrown = [card(e.args[:2]).mask for e in table.log if e.verb in ("kn", "gin")]
    laid = [card(e.args[-2:]).mask for e in table.log if e.verb == "lo"]
    places = [*table.hands, *thrown, *laid, *(1 << code for code in table.stock + table.pile)]
    assert sum(mask.bit_count() for mask in places) == 52
    assert sum(places) == (1 << 52) - 1
    assert not any("\n" in e.text or "999" in e.text for e in table.log)


class Defender:
    """Answers a knock with something forged, and is greedy otherwise."""

    def __init__(self, forge: Callable[[SeatView], object]) -> None:
        self.script = Scripted(forge, phase=Phase.LAYOFF)

    def act(self, view: SeatView) -> object:
        """The forgery once, then honest."""
        return self.script.act(view)


LAY_OFFS: list[Callable[[SeatView], object]] = [
    lambda view: LayOff(Shouting(1), ">", Spot(card("7s"), card("7s"))),
    lambda view: LayOff(True, ">", Spot(card("7s"), card("7s"))),
    lambda view: LayOff(1.0, ">", Spot(card("7s"), card("7s"))),  # type: ignore[arg-type]  # forged, here and below
    lambda view: LayOff(1, Yes(">"), Spot(card("Kd"), card("Kd"))),
    lambda view: LayOff(1, ">", Spot(card("8s"), card("7s"))),
    lambda view: LayOff(1, ">", None),  # type: ignore[arg-type]
    lambda view: LayOff(1, ">", Spot(forged_card(card("7s").mask, card("8s").code), card("7s"))),
    lambda view: Show(None),  # type: ignore[arg-type]
    lambda view: Show((None,)),  # type: ignore[arg-type]
    lambda view: Show(Injector()),  # type: ignore[arg-type]
    lambda view: Show((meld("AcAdAh"),)),
    lambda view: None,
    lambda view: [LayOff(1, ">", Spot(card("7s"), card("7s"))), LayOff(1, ">", Spot(card("7s"), card("7s")))],
]


@pytest.mark.parametrize("number", range(len(LAY_OFFS)))
def test_forged_defences_do_not_touch_the_table(number: int) -> None:
    """[F5] A defender that answers nonsense gets its best melds shown and no lay-off; the knock is scored as usual."""
    deck = stacked_deck("4s5s6sQcQdQhKcKsKhAc", "7s8s9s2sAs3s9h6dKd4c", "3d", "2c")
    table = play(gin_rules().start(DealSetup(deck, 2, 1)), "pass", "pass")
    knocker = Scripted(lambda view: Knock(card("2c"), (meld("4s5s6s"), meld("QcQdQh"), meld("KcKhKs"))), phase=Phase.SHED)
    conduct = Conduct(PROFILES["league"])
    outcome = play_deal(table, [Player("a", knocker), Player("culprit", Defender(LAY_OFFS[number]))], conduct, FORFEIT)
    fault = only_fault(outcome)
    assert (fault.seat, fault.consequence) == (1, Consequence.DEFAULT_ACTION)
    assert fault.code.startswith("illegal:")
    assert texts(table)[fault.move].startswith("d ill p1 ")
    assert table.log[-2].verb == "sh"
    assert outcome.result.ending == "knock"
    assert_whole(table)


def test_a_forged_text_of_a_card_never_reaches_the_log() -> None:
    """Only the engine's own cards are written down."""
    bot = Scripted(lambda view: Discard(forged_card(first_held(view).mask, first_held(view).code, "XX")), phase=Phase.SHED)
    _, table, _ = deal(bot, number=11)
    assert not any("XX" in text for text in texts(table))


# --- lists of actions ------------------------------------------------------------------------------------------------


def whole_turn(view: SeatView) -> list[object]:
    """Take the upcard and throw a card, in one answer."""
    return [TAKE_DISCARD, Discard(first_held(view))]


def test_a_list_is_the_rest_of_the_turn() -> None:
    """Its actions are applied in order."""
    outcome, table, _ = deal(Scripted(whole_turn))
    assert outcome.faults == []
    assert [e.verb for e in table.log[3:5]] == ["dd", "dc"]


def test_an_action_after_the_turn() -> None:
    """One fault, no effect on the next player, and no further actions of the list."""
    outcome, table, conduct = deal(Scripted(lambda view: [*whole_turn(view), DRAW_STOCK, DRAW_STOCK, None]))
    fault = only_fault(outcome)
    assert (fault.code, fault.move, fault.consequence) == ("illegal:after-turn", 5, Consequence.DEFAULT_ACTION)
    assert table.log[5].actor == 1
    assert conduct.strikes == {"culprit": 1}


def test_an_action_after_the_turn_under_a_strict_policy() -> None:
    """The deal ends there: the next player is not made to play on against who has forfeited."""
    outcome, table, conduct = deal(Scripted(lambda view: [*whole_turn(view), DRAW_STOCK]), "strict")
    assert only_fault(outcome).consequence is Consequence.FORFEIT_MATCH
    assert outcome.result.ending == "fault"
    assert texts(table)[5] == "d end fault"
    assert conduct.forfeited == "culprit"


def test_an_action_after_the_end_of_the_deal() -> None:
    """What comes after the last move is a fault, and the deal stands as it was played."""
    deck = stacked_deck("4s5s6sQcQdQhKcKsKhAc", "7s8s9s2sAs3s9h6dKd4c", "3d", "2c")
    table = play(gin_rules(layoff_mode="auto").start(DealSetup(deck, 2, 1)), "pass", "pass")
    knock = Knock(card("2c"), (meld("4s5s6s"), meld("QcQdQh"), meld("KcKhKs")))
    outcome, _, conduct = deal(Scripted(lambda view: [knock, PASS], phase=Phase.SHED), "strict", table=table)
    assert only_fault(outcome).code == "illegal:after-turn"
    assert outcome.result == table.result()
    assert outcome.result.ending == "knock"
    assert conduct.forfeited == "culprit"


def test_an_illegal_action_in_the_middle_of_a_list() -> None:
    """What came before it stands; the default action takes its place and the rest is dropped."""
    outcome, table, _ = deal(Scripted(lambda view: [TAKE_DISCARD, Discard(_not_held(view)), PASS]))
    assert only_fault(outcome).move == 4
    assert [e.verb for e in table.log[3:6]] == ["dd", "ill", "dc"]


def test_a_huge_list() -> None:
    """A million actions are one fault, and little of them is kept."""
    outcome, _, _ = deal(Scripted(lambda view: [PASS] * 10**6))
    assert only_fault(outcome).code == "illegal:after-turn"
    outcome, _, _ = deal(Scripted(lambda view: [None] * 10**6))
    assert len(only_fault(outcome).evidence["answer"]) <= EVIDENCE_LIMIT


# --- policies --------------------------------------------------------------------------------------------------------

# The table of the bot protocol: late or illegal; json, id, too-big; eof or crash; memory, children, version.
TABLE = {
    "lenient": ("default-action", "default-action", "forfeit-deal", "forfeit-match"),
    "league": ("default-action", "forfeit-deal", "forfeit-deal", "forfeit-match"),
    "strict": ("forfeit-match", "forfeit-match", "forfeit-match", "disqualify"),
}
CODES = (("late", "illegal:not-in-hand"), ("json", "id", "too-big"), ("eof", "crash"), ("memory", "children", "version"))


@pytest.mark.parametrize("policy", TABLE)
def test_consequences_of_a_first_fault(policy: str) -> None:
    """The three named policies answer a first fault of every code as the protocol says."""
    for codes, consequence in zip(CODES, TABLE[policy], strict=True):
        for code in codes:
            assert Conduct(PROFILES[policy]).judge("a", code) == consequence, code


def test_every_code_has_a_kind() -> None:
    """Reports group the codes in five kinds."""
    kinds = {code: kind_of(code) for codes in CODES for code in codes}
    assert set(kinds.values()) == set(FaultKind)
    assert kinds["illegal:not-in-hand"] is FaultKind.ILLEGAL


@pytest.mark.parametrize(("policy", "strikes"), [("league", 3), ("lenient", 20)])
def test_strikes(policy: str, strikes: int) -> None:
    """So many default actions a match are borne; one more forfeits it, and the deal ends there."""
    conduct = Conduct(PROFILES[policy])
    faults: list[BotFault] = []
    for number in range(strikes):
        players = [Player("culprit", Scripted(lambda view: None, times=strikes)), Player("honest", GreedyGin())]
        outcome = play_deal(shuffled_table(number), players, conduct, FORFEIT)
        faults += outcome.faults
        if conduct.forfeited:
            break
    assert [f.consequence for f in faults] == [Consequence.DEFAULT_ACTION] * strikes + [Consequence.FORFEIT_MATCH]
    assert (conduct.forfeited, outcome.result.ending) == ("culprit", "fault")


def test_strikes_add_up_over_the_deals_of_a_match() -> None:
    """Conduct belongs to the match: three deals with a fault each, and the fourth fault forfeits it."""
    conduct = Conduct(PROFILES["league"])
    for number in range(4):
        players = [Player("culprit", Scripted(lambda view: None)), Player("honest", GreedyGin())]
        outcome = play_deal(shuffled_table(number), players, conduct, FORFEIT)
        assert outcome.result.ending == "fault" if number == 3 else outcome.result.ending != "fault"
    assert (conduct.strikes, conduct.forfeited, conduct.disqualified) == ({"culprit": 4}, "culprit", False)


def test_a_league_forgives_one_crash() -> None:
    """The first crash costs the deal, the second the match; the other entry is judged by itself."""
    conduct = Conduct(PROFILES["league"])
    assert [conduct.judge(entry, "crash") for entry in ("a", "b", "a")] == ["forfeit-deal", "forfeit-deal", "forfeit-match"]
    assert conduct.forfeited == "a"


def test_strict_disqualifies_for_stolen_resources() -> None:
    """Memory, children and a wrong version disqualify at once."""
    conduct = Conduct(PROFILES["strict"])
    assert conduct.judge("a", "memory") is Consequence.DISQUALIFY
    assert (conduct.forfeited, conduct.disqualified) == ("a", True)


@pytest.mark.parametrize("policy", ["lenient", "league", "strict"])
def test_a_forfeited_deal_costs_what_losing_could_have_cost(policy: str) -> None:
    """At least the family's price, and never less than gin against the hand: the other seat scores it, with a box."""
    dear = gin_rules().start(DealSetup(stacked_deck("KsKcQdQhJsJcTdTh9s9c", "2c3c4c5c6c7c8cAd2d3d", "2h"), 2, 1))
    outcome, _, _ = deal(Scripted(raising(ValueError())), policy, table=dear)
    assert outcome.result.points == (-25 - 98, 25 + 98)
    assert (outcome.result.winner, outcome.result.boxes, outcome.result.scored) == (1, 1, True)
    assert [dict(p) for p in outcome.result.parts] == [{"forfeit": -123}, {"forfeit": 123}]
    cheap = gin_rules().start(DealSetup(stacked_deck("2c3c4c5c6c7c8cAd2d3d", "KsKcQdQhJsJcTdTh9s9c", "2h"), 2, 1))
    assert deal(Scripted(raising(ValueError())), policy, table=cheap)[0].result.points == (-FORFEIT, FORFEIT)


def test_a_custom_policy_may_answer_a_crash_with_the_default_action() -> None:
    """Any table of kinds and consequences works; a crash of an answer then plays on."""
    table = dict(PROFILES["lenient"].table) | {FaultKind.CRASH: Consequence.DEFAULT_ACTION}
    outcome, played, _ = deal(Scripted(raising(ValueError())), FaultPolicy("mild", table, strikes=None))
    assert only_fault(outcome).consequence is Consequence.DEFAULT_ACTION
    assert texts(played)[3] == "d ill p0 crash -> p0 pass"
    assert outcome.result.ending != "fault"


# --- optional methods ------------------------------------------------------------------------------------------------


class Listener(GreedyGin):
    """Writes down what it is told."""

    def __init__(self, broken: str = "", error: BaseException | None = None) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []
        self.broken = broken
        self.error = error or ValueError("hook")

    def _hear(self, name: str, what: object) -> None:
        self.heard.append((name, what))
        if name == self.broken:
            raise self.error

    def new_deal(self, info: object) -> None:
        """A deal begins."""
        self._hear("new_deal", info)

    def observe(self, event: object) -> None:
        """Something happened."""
        self._hear("observe", event)

    def deal_over(self, result: object) -> None:
        """A deal is over."""
        self._hear("deal_over", result)


def test_an_observer_hears_all_it_may_see_and_nothing_else() -> None:
    """From the deal to the score, each event once, in the form of its seat, before the result."""
    listener = Listener()
    outcome, table, _ = deal(listener)
    assert listener.heard[0] == ("new_deal", table.deal)
    assert listener.heard[-1] == ("deal_over", outcome.result)
    assert [what for name, what in listener.heard[1:-1]] == table.seen[0]
    assert table.seen[0][-1].verb == "sc"
    assert table.seen[0][1].text == "d deal p1 " + "??" * 10


def test_an_observer_is_told_before_it_is_asked() -> None:
    """When a bot acts it has heard every event of its view."""
    heard: list[object] = []

    class Careful(Listener):
        def act(self, view: SeatView) -> Any:
            heard.append([what for name, what in self.heard if name == "observe"] == list(view.events))
            return super().act(view)  # type: ignore[arg-type]  # a view of gin

    deal(Careful())
    assert heard
    assert all(heard)


@pytest.mark.parametrize("hook", ["new_deal", "observe"])
@pytest.mark.parametrize("error", [ValueError("hook"), OddError(), MuteError()], ids=lambda e: type(e).__name__)
def test_a_hook_that_raises_is_a_crash(hook: str, error: BaseException) -> None:
    """Before and during the deal: one fault, the deal is forfeited, and the other bot still hears how it ended."""
    other = Listener()
    conduct = Conduct(PROFILES["league"])
    table = shuffled_table(3)
    outcome = play_deal(table, [Player("culprit", Listener(hook, error)), Player("honest", other)], conduct, FORFEIT)
    fault = only_fault(outcome)
    assert (fault.code, fault.seat, fault.consequence) == ("crash", 0, Consequence.FORFEIT_DEAL)
    assert outcome.result.ending == "fault"
    assert outcome.result.points[0] <= -FORFEIT
    assert [what for name, what in other.heard if name == "observe"] == table.seen[1]
    assert other.heard[-1] == ("deal_over", outcome.result)


def test_a_hook_that_raises_after_the_end_changes_nothing() -> None:
    """The deal is played; there is nothing left to forfeit."""
    outcome, table, conduct = deal(Listener("deal_over"))
    assert outcome.faults == []
    assert outcome.result == table.result()
    assert conduct.crashes == {}


def test_both_players_may_crash_in_the_same_breath() -> None:
    """The first to fall forfeits; there is one fault."""
    conduct = Conduct(PROFILES["league"])
    players = [Player("a", Listener("new_deal")), Player("b", Listener("new_deal"))]
    outcome = play_deal(shuffled_table(3), players, conduct, FORFEIT)
    assert only_fault(outcome).entry == "a"
    assert outcome.result.winner == 1


# --- fuzzing ---------------------------------------------------------------------------------------------------------

anything: st.SearchStrategy[object] = st.deferred(
    lambda: leaves | st.lists(anything, max_size=3) | st.dictionaries(st.text(max_size=3), anything, max_size=2)
)
leaves: st.SearchStrategy[object] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)
    | st.sampled_from([CARDS[5], CARDS[52], meld("7c7d7h"), Spot(CARDS[3], CARDS[3]), PASS, DRAW_STOCK, TAKE_DISCARD])
)  # fmt: skip
forged: st.SearchStrategy[object] = st.one_of(
    st.builds(Discard, anything), st.builds(LayMeld, anything), st.builds(Show, anything), st.builds(BigGin, anything),
    st.builds(Knock, anything, anything), st.builds(LayOff, anything, anything, anything),
    st.builds(SwapJoker, anything, anything, anything), st.builds(Declare, anything, anything),
    st.builds(LayOff, st.integers(0, 4), st.sampled_from(["<", ">", "+"]), st.builds(Spot, anything, anything)),
    st.builds(Discard, st.sampled_from([CARDS[code] for code in range(52)])),
    st.builds(Knock, st.sampled_from([CARDS[code] for code in range(52)]), st.lists(anything, max_size=3).map(tuple)),
    st.builds(Meld, anything, anything, anything, anything).map(lambda m: Show((m,))),
)  # fmt: skip


class Fuzzer:
    """Answers one junk value after the other, and greedily when they are used up."""

    def __init__(self, answers: list[object]) -> None:
        self.answers = answers[::-1]
        self.greedy: Any = GreedyGin()

    def act(self, view: SeatView) -> object:
        """The next answer."""
        return self.answers.pop() if self.answers else self.greedy.act(view)


@settings(max_examples=250)
@given(
    answers=st.lists(anything | forged | st.lists(forged, max_size=4), min_size=1, max_size=12),
    others=st.lists(anything | forged, max_size=4),
    policy=st.sampled_from(["lenient", "league", "strict"]),
    number=st.integers(0, 50),
)
def test_no_answer_gets_past_the_guard(answers: list[object], others: list[object], policy: str, number: int) -> None:
    """Junk of any kind: no exception, no lost card, faults that can be stored, points that add up to zero."""
    table = shuffled_table(number, wall_rule=random.Random(number).choice(["void_at_2", "last_upcard_knock"]))
    conduct = Conduct(PROFILES[policy])
    players = [Player("a", Fuzzer(answers)), Player("b", Fuzzer(others))]
    outcome = play_deal(table, players, conduct, FORFEIT)
    assert table.over
    assert sum(outcome.result.points) == 0
    assert_whole(table)
    msgspec.json.encode(outcome.faults)
    for fault in outcome.faults:
        assert kind_of(fault.code) in FaultKind
        assert all(c.isascii() and c.isprintable() for c in fault.code)
    if policy == "strict" and outcome.faults:
        assert len(outcome.faults) == 1
        assert conduct.forfeited == outcome.faults[0].entry


@settings(max_examples=60)
@given(junk=anything | forged, phase=st.sampled_from([Phase.UPCARD, Phase.DRAW, Phase.SHED]), number=st.integers(0, 30))
def test_one_junk_answer_is_one_fault_at_most(junk: object, phase: Phase, number: int) -> None:
    """Whatever it is, it is judged once."""
    outcome, table, _ = deal(Scripted(lambda view: junk, phase=phase), number=number)
    assert len(outcome.faults) <= 1
    assert_whole(table)


def test_an_engine_that_half_applies_an_action_is_caught() -> None:
    """If the table ever changed before it refused, that is our bug and is said so loudly."""
    table = shuffled_table(3)

    def broken(action: object) -> None:
        table.emit(table.log[0])
        raise IllegalAction("not-in-hand", "too late")

    table.apply = broken
    with pytest.raises(EngineBug, match="half changed"):
        deal(GreedyGin(), table=table)


def test_the_greedy_bot_makes_no_fault() -> None:
    """A hundred deals with every preset's rules in turn, without one illegal answer."""
    for number in range(100):
        preset = ("standard", "modern", "openspiel", "straight", "oklahoma")[number % 5]
        conduct = Conduct(PROFILES["strict"])
        players = [Player("a", GreedyGin()), Player("b", GreedyGin())]
        outcome = play_deal(shuffled_table(number, preset), players, conduct, FORFEIT)
        assert outcome.faults == []
