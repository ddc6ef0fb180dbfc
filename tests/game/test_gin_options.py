"""Options and presets of gin: what they hold, what they do at the table, and what is refused."""

import dataclasses

import pytest
from support.gin_tables import (
    about_to_knock,
    defend_best,
    gin_rules,
    gin_table,
    knock_with,
    menu,
    play,
    refusal,
    shuffled_table,
    to_the_wall,
)

from rummy_tourney.errors import OptionError, UsageError
from rummy_tourney.game.options import describe_options, option_values, parse_options
from rummy_tourney.game.rules import find_game
from rummy_tourney.game.variants.gin import GIN, GinOptions
from rummy_tourney.game.variants.gin.options import PRESETS
from rummy_tourney.game.view import Phase

# The tables of values, defaults and presets in the rules of the family, written out.
VALUES: dict[str, list[object]] = {
    "knock_limit": list(range(11)),
    "gin_bonus": [20, 25],
    "undercut_bonus": [10, 20, 25],
    "undercut_on_tie": [True, False],
    "big_gin_bonus": [None, 31, 50],
    "box_bonus": [0, 10, 20, 25],
    "immediate_boxes": [True, False],
    "game_bonus": [0, 100],
    "target": [1, 100, 150, 500],
    "shutout": ["none", "flat:100", "flat:200", "double_hand_points", "double_bonuses", "double_all"],
    "next_dealer": ["loser_deals", "winner_deals", "alternate"],
    "wall_rule": ["void_at_2", "last_upcard_knock"],
    "first_turn": ["upcard_offer", "eleven_cards"],
    "ban_discard_back": [True, False],
    "hollywood": [True, False],
    "layoff_mode": ["player", "auto"],
    "max_turns": [30, 200, 1000],
    "max_dead_hands": [1, 20],
    "forfeit_points": [0, 50, 100],
    "oklahoma": [True, False],
    "ace_rule": ["gin_only", "one"],
    "spade_double": [True, False],
    "spade_double_boxes": [True, False],
    "gin_extra_boxes": [0, 1, 2],
    "undercut_extra_boxes": [0, 1],
    "knock_limit_cap": list(range(11)),
}
DEFAULTS: dict[str, object] = {
    "knock_limit": 10, "gin_bonus": 25, "undercut_bonus": 25, "undercut_on_tie": True, "big_gin_bonus": None, "box_bonus": 25,
    "immediate_boxes": False, "game_bonus": 100, "target": 100, "shutout": "flat:100", "next_dealer": "loser_deals",
    "wall_rule": "void_at_2", "first_turn": "upcard_offer", "ban_discard_back": True, "hollywood": False,
    "layoff_mode": "player", "max_turns": 200, "max_dead_hands": 20, "forfeit_points": 50, "oklahoma": False,
    "ace_rule": "gin_only", "spade_double": False, "spade_double_boxes": False, "gin_extra_boxes": 0,
    "undercut_extra_boxes": 0, "knock_limit_cap": 10,
}  # fmt: skip
IN_PRESETS: dict[str, dict[str, object]] = {
    "standard": {},
    "modern": {"big_gin_bonus": 31, "shutout": "double_all"},
    "classic": {"gin_bonus": 20, "undercut_bonus": 10, "box_bonus": 20},
    "palace": {"undercut_bonus": 20, "box_bonus": 10, "immediate_boxes": True, "game_bonus": 0, "shutout": "none"},
    "eaai": {"box_bonus": 0, "game_bonus": 0, "shutout": "none", "next_dealer": "alternate"},
    "openspiel": {"undercut_on_tie": False, "wall_rule": "last_upcard_knock", "ban_discard_back": False},
    "straight": {"knock_limit": 0},
    "oklahoma": {"oklahoma": True, "spade_double": True, "target": 150},
    "oklahoma-plain": {"oklahoma": True, "target": 100},
}
IN_OKLAHOMA = {"ace_rule", "spade_double", "spade_double_boxes", "knock_limit_cap"}


def test_defaults() -> None:
    """Without a preset every option has the default of the rules."""
    assert option_values(GIN.parse(None, {})) == DEFAULTS
    assert {row.name: row.default for row in describe_options(GinOptions)} == DEFAULTS


def test_every_option_is_listed_here() -> None:
    """The tables above speak of every option there is."""
    names = [f.name for f in dataclasses.fields(GinOptions)]
    assert names == list(DEFAULTS) == list(VALUES)


@pytest.mark.parametrize("preset", IN_PRESETS)
def test_preset(preset: str) -> None:
    """A preset sets the values of the rules and leaves the rest at its default."""
    assert option_values(GIN.parse(preset, {})) == DEFAULTS | IN_PRESETS[preset]
    assert find_game(preset) == (GIN, preset)


def test_every_preset_is_listed_here() -> None:
    """There are exactly the presets of the rules."""
    assert list(PRESETS) == list(IN_PRESETS)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in VALUES for value in VALUES[name]])
def test_allowed_value(name: str, value: object) -> None:
    """Every value of the rules is understood, typed or as text."""
    company: dict[str, object] = {"oklahoma": True} if name in IN_OKLAHOMA else {}
    if name == "spade_double_boxes":
        company["spade_double"] = True
    assert getattr(GIN.parse(None, company | {name: value}), name) == value
    spoken = "null" if value is None else str(value).lower()
    assert getattr(GIN.parse(None, company | {name.replace("_", "-"): spoken}), name) == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("knock_limit", 11), ("knock_limit", -1), ("knock_limit", "ten"), ("knock_limit", True), ("gin_bonus", 30),
        ("undercut_bonus", 0), ("undercut_on_tie", 1), ("big_gin_bonus", 25), ("box_bonus", 5), ("game_bonus", 50),
        ("target", 0), ("target", 99.5), ("shutout", "flat"), ("shutout", "flat:-1"), ("shutout", "flat:x"),
        ("shutout", "double"), ("next_dealer", "random"), ("wall_rule", "void"), ("first_turn", "offer"),
        ("ban_discard_back", "maybe"), ("layoff_mode", "bot"), ("max_turns", 29), ("max_dead_hands", 0),
        ("forfeit_points", -1), ("oklahoma", 2), ("ace_rule", "two"), ("gin_extra_boxes", 3), ("undercut_extra_boxes", 2),
        ("knock_limit_cap", 11), ("knock_limmit", 5),
    ],
)  # fmt: skip
def test_refused_value(name: str, value: object) -> None:
    """A value outside the rules is refused and the option is named."""
    with pytest.raises(OptionError) as caught:
        GIN.parse(None, {name: value})
    assert [p.key for p in caught.value.problems] == [name]


@pytest.mark.parametrize(
    ("preset", "raw", "key"),
    [
        ("oklahoma", {"first_turn": "eleven_cards"}, "first_turn"),
        ("oklahoma", {"knock_limit": 5}, "knock_limit"),
        ("straight", {"oklahoma": True}, "knock_limit"),
        (None, {"spade_double": True}, "spade_double"),
        ("oklahoma-plain", {"spade_double_boxes": True}, "spade_double_boxes"),
        (None, {"ace_rule": "one"}, "ace_rule"),
        (None, {"knock_limit_cap": 5}, "knock_limit_cap"),
    ],
)
def test_refused_combination(preset: str | None, raw: dict[str, object], key: str) -> None:
    """Options that contradict each other, or would do nothing, are refused by name."""
    with pytest.raises(OptionError) as caught:
        GIN.parse(preset, raw)
    assert [p.key for p in caught.value.problems] == [key]


def test_all_problems_at_once() -> None:
    """Two wrong values and a misspelt name are reported together, with the nearest name."""
    with pytest.raises(OptionError) as caught:
        GIN.parse("standard", {"gin_bonus": 30, "target": "far", "undercut_bonsu": 10})
    assert [p.key for p in caught.value.problems] == ["gin_bonus", "target", "undercut_bonsu"]
    assert 'did you mean "undercut_bonus"?' in str(caught.value)


def test_unknown_preset() -> None:
    """An unknown preset is refused with the nearest known one."""
    with pytest.raises(UsageError, match='did you mean "oklahoma"'):
        GIN.parse("oklahomma", {})


def test_options_survive_a_round_trip() -> None:
    """Plain values of any preset parse back to the same options."""
    for preset in PRESETS:
        options = GIN.parse(preset, {})
        assert parse_options(GinOptions, option_values(options)) == options


def test_an_option_overrides_the_preset() -> None:
    """OpenSpiel's Oklahoma is its preset with oklahoma: true; spades then do not double."""
    options = GIN.parse("openspiel", {"oklahoma": True})
    assert (options.oklahoma, options.spade_double, options.ace_rule) == (True, False, "gin_only")
    assert options.wall_rule == "last_upcard_knock"


# --- what the options do at the table --------------------------------------------------------------------------------

KNOCKER = "4s5s6s 9h9d9c As 2d 3c 4h"  # 10 points
MELDS = "[4s5s6s][9c9d9h]"
DEFENDER = "KcKdKh JcJdJh Ac 2h 3d 4c"  # 10 points, nothing to lay off


@pytest.mark.parametrize("limit", range(11))
def test_knock_limit(limit: int) -> None:
    """Ten points may be knocked with at ten, and at no lower limit."""
    table, drawn = about_to_knock(KNOCKER, DEFENDER, draw="Qs", knock_limit=limit)
    if limit == 10:
        knock_with(table, drawn, MELDS)
    else:
        assert refusal(table, f"kn {drawn} {MELDS}") == "too-much-deadwood"


@pytest.mark.parametrize(("on_tie", "points", "winner"), [(True, -25, 1), (False, 0, None)])
def test_undercut_on_tie(on_tie: bool, points: int, winner: int | None) -> None:
    """Equal deadwood is an undercut, or a hand that does not count (OpenSpiel)."""
    table, drawn = about_to_knock(KNOCKER, DEFENDER, draw="Qs", undercut_on_tie=on_tie)
    knock_with(table, drawn, MELDS)
    result = defend_best(table)
    assert (result.points, result.winner) == ((points, -points), winner)
    assert result.scored is (winner is not None)
    assert result.boxes == (1 if winner is not None else 0)


@pytest.mark.parametrize("bonus", [31, 50])
def test_big_gin_bonus(bonus: int) -> None:
    """Big gin scores its own bonus instead of the one for gin."""
    table, _ = about_to_knock("2s3s4s5s8c8d8hTsJsQs", DEFENDER, draw="6s", big_gin_bonus=bonus)
    play(table, "bgin [2s3s4s5s6s][8c8d8h][TsJsQs]")
    result = defend_best(table)
    assert result.points == (bonus + 10, -bonus - 10)
    assert result.parts[0] == {"big_gin": bonus, "deadwood": 10}


def test_gin_extra_boxes_and_undercut_extra_boxes() -> None:
    """The extra boxes go to the winner of such a hand, in Oklahoma or not."""
    table, drawn = about_to_knock(KNOCKER, DEFENDER, draw="Qs", undercut_extra_boxes=1, gin_extra_boxes=2)
    knock_with(table, drawn, MELDS)
    assert defend_best(table).boxes == 2
    table, drawn = about_to_knock("4s5s6s9h9d9c9sAs2s3s", DEFENDER, draw="Qs", undercut_extra_boxes=1, gin_extra_boxes=2)
    play(table, f"kn {drawn}")
    assert defend_best(table).boxes == 3


def test_wall_rule() -> None:
    """At two stock cards the hand is dead, or the other seat is asked once more."""
    assert to_the_wall(shuffled_table(4)).result().ending == "wall"
    table = to_the_wall(shuffled_table(4, wall_rule="last_upcard_knock"))
    assert (table.phase, table.to_act, len(table.stock)) == (Phase.WALL, 1, 2)


def test_first_turn_eleven_cards() -> None:
    """The first seat gets eleven cards, nothing is turned up, and it begins by throwing one."""
    table = gin_table("As2s3s4s5s6s7s8s9sTsKd", DEFENDER.replace("Kd", "Qd"), first_turn="eleven_cards")
    assert [e.text for e in table.log] == ["d deal p0 As2s3s4s5s6s7s8s9sTsKd", "d deal p1 KcQdKhJcJdJhAc2h3d4c"]
    assert (table.phase, table.to_act, len(table.stock), table.upcard) == (Phase.SHED, 0, 31, None)
    assert "dc Kd" in menu(table)
    play(table, "dc Ts")
    assert (table.phase, table.to_act) == (Phase.DRAW, 1)
    assert menu(table) == ["ds", "dd"]


def test_first_turn_eleven_cards_can_end_at_once() -> None:
    """With eleven cards the deal can be over before anybody has drawn."""
    table = gin_table("As2s3s4s5s6s7s8s9sTsKd", DEFENDER.replace("Kd", "Qd"), first_turn="eleven_cards", big_gin_bonus=50)
    assert not [a for a in menu(table) if a.startswith("bgin")]
    play(table, "kn Kd [As2s3s4s5s6s7s8s9sTs]")
    assert defend_best(table).ending == "gin"


@pytest.mark.parametrize("ban", [True, False])
def test_ban_discard_back(ban: bool) -> None:
    """The card just taken from the pile may go straight back only where the ban is off."""
    table = play(shuffled_table(1, ban_discard_back=ban), "dd")
    up = table.log[-1].args
    if ban:
        assert refusal(table, f"dc {up}") == "banned-discard"
        assert f"dc {up}" not in menu(table)
    else:
        assert f"dc {up}" in menu(table)
        play(table, f"dc {up}")


def test_layoff_mode_auto() -> None:
    """The engine lays off for the defender, who is not asked; the log reads as if he had done it himself."""
    hands = ("3c4c5c JsJhJd 7s7h7d 8c", "AcAdAh TsTcTdTh 2c 6c 5d")
    table, drawn = about_to_knock(*hands, layoff_mode="auto")
    play(table, f"kn {drawn}")
    assert table.over
    logged = [e.text for e in table.log]
    table, drawn = about_to_knock(*hands)
    play(table, f"kn {drawn}")
    defend_best(table)
    assert [e.text for e in table.log] == logged


def test_max_turns() -> None:
    """After that many turns the hand is dead, wherever the stock stands."""
    table = shuffled_table(2, max_turns=30)
    while not table.over:
        play(table, "dd")
        play(table, next(a for a in menu(table) if a.startswith("dc")))
    assert table.turns == 30
    assert table.result().ending == "turn-cap"
    assert [e.text for e in table.log[-2:]] == ["d end turn-cap", "d sc +0 +0"]


def test_forfeit_points() -> None:
    """A forfeited hand costs that much, or gin and the deadwood in hand if that is more."""
    rules = gin_rules(forfeit_points=70)
    assert rules.forfeit_points() == 70
    table = gin_table("KsKc QdQh JsJc TdTh 9s9c", "2c3c4c5c6c7c8cAd2d3d", "2h", forfeit_points=0)
    assert table.forfeit_cost(0) == 25 + 98
    assert table.forfeit_cost(1) == 25


def test_forfeit_cost_is_doubled_with_the_hand() -> None:
    """Where a spade doubles the hand it doubles what forfeiting it costs."""
    table = gin_table("KsKc QdQh JsJc TdTh 9s9c", "2c3c4c5c6c7c8cAd2d3d", "2s", preset="oklahoma", big_gin_bonus=31)
    assert table.forfeit_cost(0) == 2 * (31 + 98)


def test_forfeit_cost_of_a_knocker() -> None:
    """Once a seat has knocked it can only be undercut: that is what it would have cost."""
    table, drawn = about_to_knock(KNOCKER, DEFENDER, draw="Qs", gin_bonus=20)
    knock_with(table, drawn, MELDS)
    assert table.forfeit_cost(0) == 25 + 10
