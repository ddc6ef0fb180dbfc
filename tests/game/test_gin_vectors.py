"""The worked examples of the gin and Oklahoma rules, through a table.

Source: the published examples of the family's specification, which were verified with an exhaustive solver of their own.
OpenSpiel's replays of some of them are in ``test_openspiel_witness.py``.
"""

from typing import Any

import pytest
from support.gin_tables import (
    about_to_knock,
    defend_best,
    gin_rules,
    gin_table,
    gin_view,
    knock_with,
    menu,
    play,
    refusal,
    to_the_wall,
)

from rummy_tourney.cards import card, split_cards
from rummy_tourney.game.actions import BigGin, Knock
from rummy_tourney.game.rules import DealResult, MatchState
from rummy_tourney.game.variants.gin import GinScoring
from rummy_tourney.melds.model import read_melds

DEADWOOD = {
    "GD-1": ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", 0),
    "GD-2": ("5s 6s 7s 5h 5d 8s 9s Ts Kc Kd", 20),
    "GD-3": ("2c 3c 4c 5c 4d 4h 5d 5h 6d Ac", 6),
    "GD-4": ("Tc Jc Qc Qd Qh Kc 9c 2s 2h 3d", 17),
    "GD-5": ("4s 5s 6s 6c 6d 6h 7d 8d Kd Ac", 20),
}
ANY_HAND = "Ah 3h 7h 9h Jh 2d 4c 8c Jd Ks"
"""A hand for the other seat where it does not matter; cards that are taken are replaced."""


@pytest.mark.parametrize("case", DEADWOOD)
def test_deadwood_of_a_hand_that_died(case: str) -> None:
    """A dead hand is written down with the least deadwood of both seats."""
    hand, deadwood = DEADWOOD[case]
    free = [c for c in split_cards(ANY_HAND + "Qs Td Th 8d 6h Ad 3c 7c") if c not in split_cards(hand)]
    other = "".join(c.text for c in free[:10])
    result = to_the_wall(gin_table(hand, other)).result()
    assert result.ending == "wall"
    assert result.deadwood[0] == deadwood


# --- knocks: deadwood of knocker and defender, the knocker's points, the ending ------------------------------------------

GR_1 = ("4h5h6h 9c9d9s QcQdQh 3s", "7h 9h 2c2d2h Kc Kd 5s 8s As", "[4h5h6h][9c9d9s][QcQdQh]")
GR_2 = ("3c4c5c JsJhJd 7s7h7d 8c", "AcAdAh TsTcTdTh 2c 6c 5d", "[3c4c5c][JdJhJs][7d7h7s]")
GR_3 = ("3c4c5c JsJhJd 7s7h7d 6s", "AcAdAh 8d9dTd QdQhQs 6h", "[3c4c5c][JdJhJs][7d7h7s]")
GR_4 = ("2s3s4s 8c8d8h TdJdQdKd", "5s 9d 8s Ac Ad Kh Qh 6c 6h 3d", "[2s3s4s][8c8d8h][TdJdQdKd]")
GR_6 = ("5s6s7s 9cTcJc KsKcKd Jd", "Ac 2s2c2d2h 7c 8c 8d 8s 9s", "[5s6s7s][9cTcJc][KcKdKs]")
GR_7_HANDS = ("As 5s5c5d 6s6c6d 7s7c7d", "3s 4s 8s 4c 8c 4d 8d 5h6h7h")
GR_7A = (*GR_7_HANDS, "[5c5d5s][6c6d6s][7c7d7s]")
GR_7B = (*GR_7_HANDS, "[5s6s7s][5c6c7c][5d6d7d]")
KNOCKS = [
    pytest.param(GR_1, {}, (3, 34, 31, "knock"), id="GR-1"),
    pytest.param(GR_2, {}, (8, 5, -28, "undercut"), id="GR-2"),
    pytest.param(GR_2, {"undercut_bonus": 10}, (8, 5, -13, "undercut"), id="GR-2 undercut 10"),
    pytest.param(GR_2, {"undercut_bonus": 20}, (8, 5, -23, "undercut"), id="GR-2 undercut 20"),
    pytest.param(GR_3, {}, (6, 6, -25, "undercut"), id="GR-3"),
    pytest.param(GR_3, {"preset": "openspiel"}, (6, 6, 0, "knock"), id="GR-3 OpenSpiel"),
    pytest.param(GR_4, {}, (0, 59, 84, "gin"), id="GR-4"),
    pytest.param(GR_4, {"gin_bonus": 20}, (0, 59, 79, "gin"), id="GR-4 gin 20"),
    pytest.param(GR_6, {}, (10, 9, -26, "undercut"), id="GR-6"),
    pytest.param(GR_6, {"undercut_bonus": 20}, (10, 9, -21, "undercut"), id="GR-6 undercut 20"),
    pytest.param(GR_7A, {}, (1, 3, 2, "knock"), id="GR-7a"),
    pytest.param(GR_7B, {}, (1, 0, -26, "undercut"), id="GR-7b"),
]


@pytest.mark.parametrize(("hands", "options", "expected"), KNOCKS)
@pytest.mark.parametrize("mode", ["player", "auto"])
def test_knock(hands: tuple[str, str, str], options: dict[str, Any], expected: tuple[int, int, int, str], mode: str) -> None:
    """The worked knocks come to the published points, whether the defender or the engine lays off."""
    knocker, defender, melds = hands
    table, drawn = about_to_knock(knocker, defender, **options, layoff_mode=mode)
    knock_with(table, drawn, melds)
    result = table.result() if mode == "auto" else defend_best(table)
    knocked, counted, points, ending = expected
    assert (result.ending, result.deadwood, result.points) == (ending, (knocked, counted), (points, -points))


@pytest.mark.parametrize(
    ("hands", "laid"),
    [
        pytest.param(GR_1, {"7h", "9h"}, id="GR-1"),
        pytest.param(GR_2, {"2c", "6c"}, id="GR-2"),
        pytest.param(GR_3, set(), id="GR-3"),
        pytest.param(GR_6, {"8s", "9s", "8c", "7c"}, id="GR-6"),
        pytest.param(GR_7B, {"4s", "3s", "4c", "4d"}, id="GR-7b"),
    ],
)
def test_cards_laid_off(hands: tuple[str, str, str], laid: set[str]) -> None:
    """The best defence lays off exactly the cards of the worked example, not one more."""
    table, drawn = about_to_knock(hands[0], hands[1])
    knock_with(table, drawn, hands[2])
    defend_best(table)
    assert {e.args[-2:] for e in table.log if e.verb == "lo"} == laid


def test_gr_4_lay_offs_on_a_gin_are_refused() -> None:
    """Against gin nothing may be laid off, though 5s, 9d and 8s would fit."""
    table, drawn = about_to_knock(GR_4[0], GR_4[1])
    knock_with(table, drawn, GR_4[2])
    assert not [a for a in menu(table) if a.startswith("lo")]
    for move in ("lo M1>5s", "lo M3<9d", "lo M2+8s"):
        assert refusal(table, move) == "no-lay-off"


BIG_HAND = "2s3s4s5s 8c8d8h TdJdQd"
BIG_DEFENDER = "9d 8s Ac Ad Kh Qh 6c 6h 3d 7s"


def test_gr_5_big_gin() -> None:
    """Eleven melded cards are big gin where it is played: 31 + 61."""
    table, _ = about_to_knock(BIG_HAND, BIG_DEFENDER, draw="Kd", big_gin_bonus=31)
    table.apply(BigGin(read_melds("[2s3s4s5s][8c8d8h][TdJdQdKd]")))
    result = defend_best(table)
    assert (result.ending, result.deadwood, result.points) == ("big-gin", (0, 61), (92, -92))


@pytest.mark.parametrize("thrown", ["5s", "2s", "Kd", "Td"])
def test_gr_5_without_big_gin(thrown: str) -> None:
    """With big gin off the same cards are gin after a discard that keeps everything melded: 25 + 61."""
    table, _ = about_to_knock(BIG_HAND, BIG_DEFENDER, draw="Kd")
    assert refusal(table, "bgin [2s3s4s5s][8c8d8h][TdJdQdKd]") == "not-played"
    play(table, f"kn {thrown}")
    assert defend_best(table).points == (86, -86)


def test_gr_7_the_knocker_may_choose_either_arrangement() -> None:
    """Both arrangements of GR-7 are on the menu: the choice decides what can be laid off."""
    table, drawn = about_to_knock(*GR_7_HANDS)
    knocks = [a for a in menu(table) if a.startswith(f"kn {drawn} ")]
    assert f"kn {drawn} [5c5d5s][6c6d6s][7c7d7s]" in knocks
    assert f"kn {drawn} [5c6c7c][5d6d7d][5s6s7s]" in knocks


def test_gr_7_a_bare_knock_claims_the_arrangement_least_open_to_lay_offs() -> None:
    """Who only says "knock" gets the sets of GR-7: three cards fit them, six fit the runs."""
    table, drawn = about_to_knock(*GR_7_HANDS)
    table.apply(Knock(card(drawn), ()))
    assert [m.text for m in table.claims] == ["5c5d5s", "6c6d6s", "7c7d7s"]
    assert table.log[-1].text == f"p0 kn {drawn} [5c5d5s][6c6d6s][7c7d7s] dw=1"


# --- games -----------------------------------------------------------------------------------------------------------


def hand_of(winner: int | None, points: int = 0, boxes: int = 1) -> DealResult:
    """The result of one hand of gin, as the score sheet sees it."""
    if winner is None:
        return DealResult("wall", (0, 0), scored=False)
    signed = (points, -points) if winner == 0 else (-points, points)
    return DealResult("knock", signed, winner=winner, boxes=boxes)


def final(hands: list[DealResult], preset: str | None = None, **options: object) -> tuple[tuple[object, ...], tuple[int, ...]]:
    """Totals and winners of a game of these hands; the game has to end with the last of them and not before."""
    scoring = GinScoring(gin_rules(preset, **options).options)
    for n in range(len(hands)):
        assert scoring.finished(MatchState(2, tuple(hands[:n]), (0,) * n)) is None
    state = MatchState(2, tuple(hands), (0,) * len(hands))
    assert scoring.finished(state) == "target"
    account = scoring.totals(state)
    assert [sum(p.values()) for p in account.parts] == list(account.totals)
    return account.totals, account.winners


GG_HANDS = [(0, 31), (1, 28), (0, 24), (None, 0), (1, 12), (0, 55)]


def test_gg_1() -> None:
    """Standard: A 110 + 75 + 100 = 285, B 40 + 50 = 90."""
    assert final([hand_of(*h) for h in GG_HANDS], "standard") == ((285, 90), (0,))


def test_gg_2() -> None:
    """Classic: A 105 + 60 + 100 = 265, B 25 + 40 = 65; the undercut and the gin are worth less."""
    hands = [(0, 31), (1, 13), (0, 24), (None, 0), (1, 12), (0, 50)]
    assert final([hand_of(*h) for h in hands], "classic") == ((265, 65), (0,))


@pytest.mark.parametrize(
    ("shutout", "total"),
    [("none", 285), ("flat:100", 385), ("double_hand_points", 395), ("double_bonuses", 460), ("double_all", 570)],
)
def test_gg_3(shutout: str, total: int) -> None:
    """A wins 31 + 24 + 55 in three hands, B none: the five readings of a shutout."""
    hands = [hand_of(0, p) for p in (31, 24, 55)]
    assert final(hands, shutout=shutout) == ((total, 0), (0,))


def test_gg_4_hollywood() -> None:
    """Three columns: +264, +379 (a shutout) and +226 for A, 869 in all."""
    hands = [hand_of(*h) for h in [(0, 25), (0, 18), (0, 36), (1, 40), (0, 50), (1, 30), (0, 20)]]
    (mine, yours), winners = final(hands, hollywood=True)
    assert isinstance(mine, int)
    assert isinstance(yours, int)
    assert mine - yours == 264 + 379 + 226 == 869
    assert winners == (0,)
    assert (mine, yours) == (329 + 379 + 281, 65 + 0 + 55)


# --- Oklahoma --------------------------------------------------------------------------------------------------------

LIMITS = [
    pytest.param("7d", {}, 7, id="OK-L1"),
    pytest.param("Qh", {}, 10, id="OK-L2 queen"),
    pytest.param("Th", {}, 10, id="OK-L2 ten"),
    pytest.param("Kc", {}, 10, id="OK-L2 king"),
    pytest.param("Ac", {}, 0, id="OK-L3 gin only"),
    pytest.param("Ac", {"ace_rule": "one"}, 1, id="OK-L3 one"),
    pytest.param("2s", {}, 2, id="OK-L4"),
    pytest.param("7d", {"knock_limit_cap": 3}, 3, id="OK-L5"),
]


@pytest.mark.parametrize(("up", "options", "limit"), LIMITS)
def test_oklahoma_limit(up: str, options: dict[str, Any], limit: int) -> None:
    """The first upcard sets the knock limit; it stays when the card has been taken, and a spade doubles the hand."""
    table = gin_table("2c4c6c8c Jh Qc 3d5d9d9h", "2d4d6d8d Jc Qd 3h5h9c9s", up, preset="oklahoma", **options)
    assert gin_view(table).limit == limit
    assert table.doubled is (up == "2s")
    play(table, "dd", "dc 8c")
    assert gin_view(table).limit == limit


OK_KNOCK = ("3h4h5h 9c9d9s KcKdKh 4s", "6h 7h Js Jd 2c 2d 8s 5c As Qd", "[3h4h5h][9c9d9s][KcKdKh]")
OK_CUT = ("3h4h5h 9c9d9s KcKdKh 5s", "6h7h8h JsJdJc 2c2d2h 3s", "[3h4h5h][9c9d9s][KcKdKh]")
OK_GIN = ("3h4h5h 9c9d9s KcKdKhKs", "6h7h8h JsJdJc Qc Qd Th Ad", "[3h4h5h][9c9d9s][KcKdKhKs]")


@pytest.mark.parametrize(
    ("hands", "up", "points", "boxes"),
    [
        pytest.param(OK_KNOCK, "4c", 44, 1, id="OK-1"),
        pytest.param(OK_KNOCK, "6s", 88, 1, id="OK-2"),
        pytest.param(OK_CUT, "7s", -54, 1, id="OK-5"),
        pytest.param(OK_CUT, "7c", -27, 1, id="OK-6"),
        pytest.param(OK_GIN, "7s", 112, 1, id="OK-7"),
    ],
)
def test_oklahoma_points(hands: tuple[str, str, str], up: str, points: int, boxes: int) -> None:
    """Knock, undercut and gin in Oklahoma; a spade doubles every point of the hand, but not its box."""
    table, drawn = about_to_knock(hands[0], hands[1], up=up, preset="oklahoma")
    knock_with(table, drawn, hands[2])
    result = defend_best(table)
    assert (result.points, result.boxes) == ((points, -points), boxes)


@pytest.mark.parametrize(
    ("up", "options"),
    [
        pytest.param("3d", {}, id="OK-3"),
        pytest.param("Ad", {}, id="OK-4 gin only"),
        pytest.param("Ad", {"ace_rule": "one"}, id="OK-4 one"),
    ],
)
def test_oklahoma_knock_above_the_limit(up: str, options: dict[str, Any]) -> None:
    """Four points are too many after a three, or an ace, as upcard."""
    table, drawn = about_to_knock(OK_KNOCK[0], OK_KNOCK[1], up=up, draw="Qc", preset="oklahoma", **options)
    assert not [a for a in menu(table) if a.startswith("kn")]
    assert refusal(table, f"kn {drawn} {OK_KNOCK[2]}") == "too-much-deadwood"


@pytest.mark.parametrize(
    ("double", "boxes"), [pytest.param(False, 3, id="OK-8"), pytest.param(True, 6, id="OK-8 doubled boxes")]
)
def test_oklahoma_extra_boxes(double: bool, boxes: int) -> None:
    """Two extra boxes for gin make three, 75 points at the end; doubled with the spade they make six."""
    options: dict[str, Any] = {"gin_extra_boxes": 2, "spade_double_boxes": double, "preset": "oklahoma"}
    table, drawn = about_to_knock(OK_GIN[0], OK_GIN[1], up="7s", **options)
    knock_with(table, drawn, OK_GIN[2])
    result = defend_best(table)
    assert (result.points, result.boxes) == ((112, -112), boxes)
    scoring = GinScoring(gin_rules("oklahoma", gin_extra_boxes=2, target=100).options)
    account = scoring.totals(MatchState(2, (result,), (1,)))
    assert account.parts[0] == {"hands": 112, "boxes": 25 * boxes, "game": 100, "shutout": 100}


def test_ok_9_an_ace_as_upcard_leaves_only_gin() -> None:
    """OpenSpiel's own Oklahoma unit test: with three points after the best discard there is no knock to offer."""
    table = gin_table("3c5c7c9c Jc Kc 4d6d8dTd", "As2s3s4s5s6s7s8s2hKh", "Ac", preset="oklahoma")
    play(table, "pass", "dd")
    assert gin_view(table).limit == 0
    assert {a.partition(" ")[0] for a in menu(table)} == {"dc"}
    assert refusal(table, "kn Kh [As2s3s4s5s6s7s8s]") == "too-much-deadwood"
