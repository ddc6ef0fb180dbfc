"""The built-in bots of basic rummy: they never err, always play the same, and are as strong as their names say."""

import os
import subprocess
import sys
from collections.abc import Callable
from statistics import fmean, stdev
from typing import Any

import pytest
from support.basic_tables import basic_options, basic_rules, play, playing, position, taking, view_of

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.builtin.basic.greedy import GreedyBasic
from rummy_tourney.bot.builtin.basic.memory import Memory
from rummy_tourney.bot.builtin.basic.steady import SteadyBasic
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.cards import CardSet, card, cards_of
from rummy_tourney.game.actions import Action
from rummy_tourney.game.notation import action_text
from rummy_tourney.game.rules import DealSetup
from rummy_tourney.game.variants.basic import BASIC, BasicRules, BasicTable
from rummy_tourney.seeding import SeededChance, Stream, order

Maker = Callable[[int], Any]


def bot(name: str) -> Maker:
    """A maker of built-in bots; the number is that of its dice."""
    cls = builtins("basic")[name]
    if name == "random":
        return lambda number: cls(stream=Stream("bot", number.to_bytes(32, "big"), 0, 0))
    return lambda number: cls()


def deal(rules: BasicRules, seats: int, number: int) -> BasicTable:
    """Deal ``number`` of a fixed series."""
    key = number.to_bytes(32, "big")
    deck = [rules.pack.codes[place] for place in order("deck", key, 0, len(rules.pack))]
    return rules.start(DealSetup(deck, seats, seats - 1, number, number, (0,) * seats, SeededChance(key, 0)))


def played(rules: BasicRules, makers: list[Maker], number: int) -> BasicTable:
    """The deal played by bots, without a fault."""
    table = deal(rules, len(makers), number)
    players = [Player(f"bot {seat}", make(10 * number + seat)) for seat, make in enumerate(makers)]
    outcome = play_deal(table, players, Conduct(PROFILES["strict"]), 100)
    assert outcome.faults == []
    return table


HOUSE_RULES: dict[str, dict[str, Any]] = {
    **{preset: {"preset": preset} for preset in BASIC.presets},
    "jokers": {"jokers": 2, "meld_limit_per_turn": None, "ace_run": "high_or_low", "stock_exhaustion": "reshuffle_keep_top"},
    "corner": {"jokers": 4, "ace_run": "round_corner", "joker_set_binding": "any_missing_suit", "must_discard_to_go_out": True},
    "strict": {"layoff_requires_own_meld": True, "must_discard_to_go_out": True, "rummy_bonus": "double", "max_recycles": 1},
    "free": {
        "ban_discard_back": False, "jokers": 3, "joker_min_naturals": 2, "joker_reuse": "none", "stock_exhaustion": "block"
    },
    "closed": {"preset": "wrotham", "open_rounds": 0, "ace_run": "high_or_low", "must_discard_to_go_out": True},
    "open": {"preset": "wrotham", "open_rounds": 6, "meld_limit_per_turn": None, "rummy_bonus": "double"},
}  # fmt: skip
TABLES = [(name, seats) for name, given in HOUSE_RULES.items() for seats in basic_options(**given).seat_range]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_no_bot_ever_errs(name: str, seats: int) -> None:
    """Under every preset and odd house rules, with every number of seats, among each other."""
    rules = basic_rules(**HOUSE_RULES[name])
    cast = [bot("steady"), bot("greedy"), bot("random"), bot("steady"), bot("greedy"), bot("random")]
    for number in range(3):
        shifted = cast[number:] + cast[:number]
        table = played(rules, shifted[:seats], number)
        assert table.over


@pytest.mark.parametrize("name", ["steady", "greedy"])
def test_the_same_cards_are_played_the_same(name: str) -> None:
    """Nothing but what it sees decides: twice the same log, also with a bot that has played before."""
    for given in ({}, {"preset": "bicycle"}, {"preset": "wrotham"}):
        rules = basic_rules(**given)
        veteran = bot(name)(0)
        played(rules, [lambda _: veteran, bot("greedy")], 8)  # noqa: B023 - called at once
        first, second = played(rules, [bot(name)] * 2, 9), played(rules, [lambda _: veteran, bot(name)], 9)  # noqa: B023 - as above
        assert [e.text for e in first.log] == [e.text for e in second.log]


def test_play_does_not_depend_on_the_process() -> None:
    """Another hash seed, the same deals."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from bot.test_basic_bots import basic_rules, bot, played\n"
        "for preset in ('bicycle', 'wrotham', 'flash-traditional'):\n"
        "    rules = basic_rules(preset)\n"
        "    for number in (0, 3, 4):\n"
        "        print([e.text for e in played(rules, [bot('steady'), bot('greedy')], number).log])\n"
    )
    here = os.path.dirname(os.path.dirname(__file__))
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code, here], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != b""


# --- strength --------------------------------------------------------------------------------------------------------


def lead(rules: BasicRules, one: str, other: str, deals: int) -> tuple[float, float]:
    """Mean lead in points per deal of ``one`` over ``other`` in mirrored deals of two, with half a 99% interval."""
    sign = -1 if rules.options.scoring == "losers_penalty" else 1
    found = []
    for number in range(deals):
        first = played(rules, [bot(one), bot(other)], number).result().points
        second = played(rules, [bot(other), bot(one)], number).result().points
        found.append(float(sign * (first[0] - first[1] + second[1] - second[0])) / 2)
    return fmean(found), 2.576 * stdev(found) / deals**0.5


@pytest.mark.parametrize(
    ("one", "other", "preset", "deals"),
    [
        ("greedy", "random", "pagat-basic", 40),
        ("greedy", "random", "wrotham", 12),
        ("steady", "greedy", "pagat-basic", 400),
        ("steady", "greedy", "bicycle", 100),
        ("steady", "greedy", "coolmath-like", 300),
    ],
)
def test_who_is_stronger(one: str, other: str, preset: str, deals: int) -> None:
    """The better bot is ahead by more than the error of the measurement."""
    mean, half = lead(basic_rules(preset), one, other, deals)
    assert mean > half


# --- choices ---------------------------------------------------------------------------------------------------------


def choice(table: BasicTable, bot_class: type[Any]) -> str:
    """What a bot that sits down in the middle of a deal does, as text."""
    # A fresh bot reads all events of the deal; those of a position that was set up tell of another deal.
    for seen in table.seen:
        seen.clear()
    action: Action = bot_class().act(view_of(table))
    return action_text(action)


@pytest.mark.parametrize("bot_class", [GreedyBasic, SteadyBasic])
@pytest.mark.parametrize(
    ("hand", "melds", "upcard", "expected"),
    [
        ("9h 4c 4d", [], "4h", "dd"),  # makes a meld
        ("9h 4c 4d", ["6h7h8h"], "5h", "dd"),  # can be laid off
        ("9h 4c 4d", [], "Ks", "ds"),
        ("9h 4c 4d", [], "5h", "ds"),
    ],
)
def test_when_the_discard_is_taken(bot_class: type[Any], hand: str, melds: list[str], upcard: str, expected: str) -> None:
    """Only to put it on the table."""
    assert choice(position([hand, "Kc Kd 2s"], melds, pile=upcard), bot_class) == expected


@pytest.mark.parametrize("bot_class", [GreedyBasic, SteadyBasic])
def test_a_joker_is_always_taken(bot_class: type[Any]) -> None:
    """It goes with anything."""
    assert choice(position(["9h 4c 4d", "Kc Kd 2s"], pile="*1", jokers=2), bot_class) == "dd"


@pytest.mark.parametrize("bot_class", [GreedyBasic, SteadyBasic])
def test_melds_go_down_at_once(bot_class: type[Any]) -> None:
    """Where nothing is won by waiting."""
    assert choice(playing("9h 4c 4d 4h Ks 2s"), bot_class) == "m 4c4d4h"


def test_greedy_throws_the_dearest_loose_card() -> None:
    """Not one of a meld it could not lay yet."""
    table = play(playing("Kc Kd Kh Qs 4c 4d 4h 9s", other="2c 3d"), "m 4c4d4h")
    assert choice(table, GreedyBasic) == "dc Qs"


def test_steady_keeps_a_pair_with_live_cards() -> None:
    """A queen that pairs is worth more than a lone ten."""
    assert choice(playing("Qc Qd Ts 6h 3d 2s", other="2c 3s 4s 5c 6s 7d 8h"), SteadyBasic) == "dc Ts"


def test_steady_sees_the_way_out() -> None:
    """Lay-offs first, so that the run need not be laid as the one meld of the turn."""
    table = playing("5h 6h 7h 2c 2d 2s Kc", ["8h9hTh"], other="Ks Kd 9c")
    actions = []
    while not table.over:
        actions.append(choice(table, SteadyBasic))
        play(table, actions[-1])
    assert table.result().winner == 0
    assert actions[-1] == "dc Kc"


def test_steady_goes_out_with_the_card_it_may_not_throw() -> None:
    """Meld and lay off the card just taken."""
    table = taking("4c 4d 4h 9h", ["6h7h8h"])
    assert choice(table, SteadyBasic) == "m 4c4d4h"
    play(table, "m 4c4d4h")
    assert choice(table, SteadyBasic) == "lo M1>9h"


@pytest.mark.parametrize(
    ("options", "other", "expected"),
    [
        ({"preset": "bicycle"}, "Ks Kd 9c 2c 3d 5s 6c", False),  # nobody is near the end, and going rummy pays double
        ({"preset": "bicycle"}, "Ks Kd 9c", True),
        ({}, "Ks Kd 9c 2c 3d 5s 6c", True),
        ({"meld_limit_per_turn": None, "rummy_bonus": "penalty_each:25"}, "Ks Kd 9c 2c 3d 5s 6c", True),
    ],
)
def test_steady_holds_melds_back_only_for_a_double_rummy(options: dict[str, Any], other: str, expected: bool) -> None:
    """While every other seat has at least four cards."""
    table = playing("4c 4d 4h Qs 7s Th", other=other, **options)
    assert choice(table, SteadyBasic).startswith("m") == expected


def test_steady_swaps_a_joker_for_its_card() -> None:
    """A joker is worth more than the card it stands for."""
    table = playing("9h 2c 5s Qd", ["9c9d*1=9h"], jokers=2)
    assert choice(table, SteadyBasic) == "js M1 *1->9h hand"


def test_steady_throws_low_cards_last() -> None:
    """With nobody's hand known, of two useless cards the dear one goes."""
    assert choice(playing("Kc 2d 7h 9s"), SteadyBasic) in ("dc Kc", "dc 9s")


def test_steady_ends_a_blocked_deal_with_the_lower_hand() -> None:
    """It changes dear cards for cheap ones as long as it can, then passes."""
    assert choice(position(["9h 4c", "Kc"], pile="2s", stock="", preset="block"), SteadyBasic) == "dd"
    assert choice(position(["9h 4c", "Kc"], pile="Ts", stock="", preset="block"), SteadyBasic) == "pass"


def test_steady_collects_a_whole_hand() -> None:
    """In a deal laid at once it keeps what is nearest to seven melded cards."""
    hand = "3h 4h 5h 6h Kc Kd 2s 9c"
    table = position([hand[:-3], "2d 4s 5d 8c Jd Qs Qh"], stock="9c" + "As", preset="wrotham", scored=4)
    play(table, "ds")
    assert choice(table, SteadyBasic) == "dc 9c"
    ready = position(["3h 4h 5h 6h Kc Kd 2s", "2d 4s 5d 8c Jd Qs Qh"], pile="Ks", preset="wrotham", scored=4)
    assert choice(ready, SteadyBasic) == "dd"
    assert choice(play(ready, "dd"), SteadyBasic) == "dcl 2s [KcKdKs][3h4h5h6h]"


# --- memory ----------------------------------------------------------------------------------------------------------


def remembered(table: BasicTable) -> Memory:
    """What the seat to act remembers."""
    view = view_of(table)
    memory = Memory(view)
    memory.follow(view)
    return memory


def test_memory_follows_the_discards() -> None:
    """Cards thrown are gone, cards taken are known to be held until they are seen again."""
    table = deal(basic_rules(), 2, 5)
    first = table.upcard
    assert first is not None
    play(table, "dd")
    thrown = next(c for c in CardSet(table.hands[0]) if c is not first)
    play(table, f"dc {thrown.text}")
    memory = remembered(table)
    assert memory.known[0] == first.mask
    assert not memory.live & (first.mask | thrown.mask | table.hands[1])
    assert memory.live.bit_count() == 52 - 10 - 2
    play(table, "ds", f"dc {cards_of(table.hands[1])[0].text}", "ds", f"dc {first.text}")
    assert remembered(table).known[0] == 0


def test_memory_of_a_turned_pile() -> None:
    """The order is known: the next card, and what the others draw."""
    table = deal(basic_rules(), 2, 5)
    while not table.recycles:
        play(table, "ds")
        play(table, f"dc {cards_of(table.hands[table.to_act])[0].text}")
    memory = remembered(table)
    assert memory.next_card == table.stock[-1]
    drawer = 1 - table.to_act
    in_hand = next(e.text.split(" ")[-1] for e in reversed(table.log) if e.verb == "ds")
    assert memory.known[drawer] in (0, card(in_hand).mask)
    assert memory.live & ~sum(1 << code for code in table.stock) == 0


def test_memory_after_a_hidden_reshuffle() -> None:
    """The order is not known, but which cards can be drawn is."""
    table = deal(basic_rules(stock_exhaustion="reshuffle"), 2, 5)
    while not table.recycles:
        play(table, "ds")
        play(table, f"dc {cards_of(table.hands[table.to_act])[0].text}")
    memory = remembered(table)
    assert memory.next_card is None
    assert memory.live >= sum(1 << code for code in table.stock) & ~table.hands[table.to_act]


def test_a_bot_that_is_led_back_in_a_deal_forgets_what_came_later() -> None:
    """A replay may show it an earlier moment: it answers as if it had just come there."""
    rules = basic_rules()
    table = deal(rules, 2, 6)
    early = table.view()
    veteran = SteadyBasic()
    first = veteran.act(early)
    for _ in range(6):
        play(table, "ds", f"dc {cards_of(table.hands[table.to_act])[0].text}")
    veteran.act(table.view())
    assert veteran.act(early) == first == SteadyBasic().act(early)
