"""Points of basic rummy, the score sheet, dealers, ties, and the payout.

``BR-S…``, ``BR-N…`` and ``BR-P…`` are the worked examples of the family's specification.
"""

from fractions import Fraction
from typing import Any

import pytest
from support.basic_tables import basic_options, play, playing, position

from rummy_tourney.cards import split_cards
from rummy_tourney.game.rules import DealResult, GameTotals, MatchState, Points
from rummy_tourney.game.variants.basic import BasicScoring, card_points, payout
from rummy_tourney.game.variants.basic.payout import amounts, flash_percentages
from rummy_tourney.game.variants.basic.scoring import nobody_out_points, out_points

B_HAND, C_HAND = "Kh 7c As", "Qd Jd 4s"

OUT: dict[str, tuple[dict[str, Any], bool, str, tuple[int, ...]]] = {
    "BR-S1": ({}, False, C_HAND, (42, 0, 0)),
    "BR-S2": ({"rummy_bonus": "double"}, True, C_HAND, (84, 0, 0)),
    "BR-S3": ({"rummy_bonus": "flat_winner:10"}, True, C_HAND, (52, 0, 0)),
    "BR-S4": ({"ace_run": "high_or_low"}, False, C_HAND, (56, 0, 0)),
    "BR-S5": ({"preset": "flash-traditional"}, True, C_HAND, (52, 0, 0)),
    "BR-S6": ({"scoring": "losers_penalty"}, False, C_HAND, (0, 18, 24)),
    "BR-S7": ({"preset": "bicycle"}, True, C_HAND, (84, -36, -48)),
    "BR-S8": ({"jokers": 2}, False, C_HAND + " *1", (57, 0, 0)),
    "double without rummy": ({"rummy_bonus": "double"}, False, C_HAND, (42, 0, 0)),
    "double penalties": ({"rummy_bonus": "double", "scoring": "losers_penalty"}, True, C_HAND, (0, 36, 48)),
}


def hand_points(text: str, **options: Any) -> int:
    """The points of a hand under some options."""
    worth = card_points(basic_options(**options))
    return sum(worth[c.code] for c in split_cards(text))


@pytest.mark.parametrize("case", OUT)
def test_points_when_somebody_is_out(case: str) -> None:
    """A goes out; B and C are left with their hands."""
    options, rummy, c_hand, expected = OUT[case]
    left = [0, hand_points(B_HAND, **options), hand_points(c_hand, **options)]
    points, parts = out_points(basic_options(**options), left, 0, bonus=rummy)
    assert points == expected
    assert tuple(sum(part.values()) for part in parts) == expected


@pytest.mark.parametrize("case", [name for name in OUT if name.startswith("BR")])
def test_the_same_points_at_a_table(case: str) -> None:
    """A lays the last three cards on the table, going rummy or after a lay-off on an earlier turn."""
    options, rummy, c_hand, expected = OUT[case]
    table = position(["2c 2d", B_HAND, c_hand], pile="5c", stock="2h", **options)
    table.acted = 0 if rummy else 1
    result = play(table, "ds", "m 2c2d2h").result()
    assert (result.points, result.winner, result.ending) == (expected, 0, "rummy" if rummy else "out")
    assert result.counters == ((0, 25, 25) if case == "BR-S5" else (0, 0, 0))


def test_a_hand_on_the_winners_side_is_broken_down() -> None:
    """The parts of the score by name."""
    table = position(["2c 2d", B_HAND, C_HAND], pile="5c", stock="2h", preset="bicycle")
    result = play(table, "ds", "m 2c2d2h").result()
    assert result.parts == ({"hands": 42, "rummy": 42}, {"hand": -18, "rummy": -18}, {"hand": -24, "rummy": -24})


@pytest.mark.parametrize(("ace_value", "joker_points", "expected"), [(1, 15, 36), (11, 15, 46), (15, 20, 55)])
def test_card_points(ace_value: int, joker_points: int, expected: int) -> None:
    """Pips, ten for the court, ace and joker as agreed."""
    assert hand_points("As Td Ks *1", ace_value=ace_value, joker_points=joker_points, jokers=1) == expected


NOBODY_OUT: dict[str, tuple[str, list[int], tuple[Points, ...]]] = {
    "BR-N1": ("winner_takes", [6, 15, 7, 21], (25, 0, 0, 0)),
    "BR-N2": ("losers_penalty", [6, 15, 7, 21], (6, 15, 7, 21)),
    "BR-N3": ("winner_paid", [6, 15, 7, 21], (25, -9, -1, -15)),
    "BR-N4": ("winner_takes", [6, 6, 15, 21], (12, 12, 0, 0)),
    "BR-N5": ("winner_takes", [5, 5, 10], (Fraction(5, 2), Fraction(5, 2), 0)),
    "BR-N6": ("winner_paid", [6, 6, 15, 21], (12, 12, -9, -15)),
    "BR-N7": ("winner_takes", [9, 9, 9], (0, 0, 0)),
    "BR-N7-paid": ("winner_paid", [9, 9], (0, 0)),
}


@pytest.mark.parametrize("case", NOBODY_OUT)
def test_points_when_nobody_is_out(case: str) -> None:
    """Hands are compared with the lowest; those who tie for it share, exactly. (edge 11)"""
    scoring, left, expected = NOBODY_OUT[case]
    points, parts = nobody_out_points(basic_options(scoring=scoring, match_end="deals:10"), left)
    assert points == expected
    assert tuple(sum(part.values()) for part in parts) == expected
    assert all(type(p) is int or p.denominator > 1 for p in points)


def test_br_n8_a_stalemate_scores_nothing() -> None:
    """All score nothing, and nobody has won."""
    options: dict[str, Any] = {"max_recycles": 0, "limit_result": "stalemate_zero"}
    result = play(position(["6c", "Tc 5d", "7c", "Kc Td Ac"], pile="2s", stock="", **options), "pass").result()
    assert (result.points, result.winner, result.scored, result.ending) == ((0, 0, 0, 0), None, True, "stalemate")
    assert not any(result.parts)


@pytest.mark.parametrize(
    ("hands", "winner", "score"), [(["6c", "Tc 5d"], 0, "+9 +0"), (["2c 3c", "5d", "Tc"], None, "+5/2 +5/2 +0")]
)
def test_a_blocked_deal_at_a_table(hands: list[str], winner: int | None, score: str) -> None:
    """The single lowest hand wins the deal; a tie has no winner, and fractions are written exactly."""
    table = play(position(hands, pile="2s", stock="", preset="block"), "pass")
    assert (table.result().ending, table.result().winner) == ("blocked", winner)
    assert table.log[-1].text == f"d sc {score}"


# --- the score sheet -------------------------------------------------------------------------------------------------


def deal(*points: Points, winner: int | None = 0, scored: bool = True, counters: tuple[int, ...] = ()) -> DealResult:
    """A deal with these points."""
    return DealResult(
        "out" if scored else "void", points, tuple({"hands": p} if p else {} for p in points), winner, scored, counters=counters
    )


def state(*deals: DealResult) -> MatchState:
    """A match after these deals."""
    return MatchState(len(deals[0].points), deals, (0,) * len(deals))


def sheet(preset: str | None = None, **options: Any) -> BasicScoring:
    """A score sheet."""
    return BasicScoring(basic_options(preset, **options))


@pytest.mark.parametrize(
    ("options", "deals", "reason", "winners"),
    [
        ({}, [(60, 0), (0, 30)], None, ()),
        ({}, [(60, 0), (0, 30), (40, 0)], "target", (0,)),
        ({"match_end": "target:50"}, [(60, 0)], "target", (0,)),
        ({"match_end": "deals:2"}, [(60, 0)], None, ()),
        ({"match_end": "deals:2"}, [(60, 0), (0, 90)], "deals", (1,)),
        ({"match_end": "deals:2"}, [(60, 0), (0, 60)], "deals", (0, 1)),
        ({"match_end": "deals:2", "match_tie": "extra_deal"}, [(60, 0), (0, 60)], None, ()),
        ({"match_end": "deals:2", "match_tie": "extra_deal"}, [(60, 0), (0, 60), (1, 0)], "deals", (0,)),
        ({"match_end": "target:50", "payout": "flash_75"}, [(60, 60)], None, ()),  # a tie for the win: one more deal
        ({"scoring": "losers_penalty"}, [(0, 60, 30), (0, 0, 75)], "target", (0,)),
        ({"scoring": "losers_penalty"}, [(90, 60, 0), (10, 20, 99)], "target", (1,)),  # edge 14: not who went out
    ],
)
def test_the_end_of_a_game(
    options: dict[str, Any], deals: list[tuple[int, ...]], reason: str | None, winners: tuple[int, ...]
) -> None:
    """Target or number of deals, the highest total or in penalty games the lowest, ties as agreed."""
    scoring = sheet(**options)
    played = state(*[deal(*points) for points in deals])
    assert scoring.finished(played) == reason
    if reason is not None:
        assert scoring.totals(played).winners == winners
        assert scoring.totals(played).reason == reason


def test_totals_are_exact_and_broken_down() -> None:
    """Two halves make a whole number."""
    half = Fraction(5, 2)
    scoring = sheet(match_end="deals:2")
    totals = scoring.totals(state(deal(half, half, winner=None), deal(half, 0)))
    assert totals.totals == (5, half)
    assert type(totals.totals[0]) is int
    assert totals.parts == ({"hands": 5}, {"hands": half})
    assert scoring.fixed_totals(state(deal(3, 0), deal(0, 7))).winners == (1,)


def test_void_deals_do_not_count() -> None:
    """They are dealt again and do not bring the last deal nearer."""
    scoring = sheet(match_end="deals:2")
    void = deal(0, 0, winner=None, scored=False)
    assert scoring.finished(state(deal(5, 0), void, void)) is None
    assert scoring.finished(state(deal(5, 0), void, deal(0, 4))) == "deals"


@pytest.mark.parametrize("scored", [True, False])
def test_deals_in_a_row_without_a_score_end_the_game(scored: bool) -> None:
    """Void deals, stalemates and equal hands alike: the game ends as it stands, ranked as usual."""
    scoring = sheet(max_scoreless_deals=3)
    nothing = deal(0, 0, winner=None, scored=scored)
    assert scoring.finished(state(deal(5, 0), nothing, nothing)) is None
    ended = state(deal(5, 0), nothing, nothing, nothing)
    assert scoring.finished(ended) == "dead-deals"
    assert scoring.totals(ended).winners == (0,)
    assert scoring.finished(state(nothing, nothing, deal(1, 0), nothing, nothing)) is None


def test_penalty_counters_are_no_points() -> None:
    """They add up beside the score. (edge 15)"""
    scoring = sheet("flash-traditional")
    played = state(deal(40, 0, counters=(0, 25)), deal(0, 20, counters=(25, 0)), deal(30, 0))
    assert scoring.counters(played) == (25, 25)
    assert scoring.scores(played) == (70, 20)


def test_low_wins() -> None:
    """Only where losers score their hands the lowest total wins."""
    assert sheet("coolmath-like").low_wins
    assert not sheet().low_wins


# --- dealers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "deals", "dealer"),
    [
        ({}, [], 2),
        ({}, [deal(5, 0, 0)], 0),
        ({}, [deal(5, 0, 0)] * 2, 1),
        ({}, [deal(0, 0, 0, winner=None, scored=False)], 2),
        ({"void_dealer": "rotate"}, [deal(0, 0, 0, winner=None, scored=False)], 0),
        ({"next_dealer": "winner_deals_2p"}, [deal(5, 0, 0, winner=1)], 0),  # three seats rotate
    ],
)
def test_the_next_dealer(options: dict[str, Any], deals: list[DealResult], dealer: int) -> None:
    """The deal passes on, unless it is dealt again."""
    assert sheet(**options).next_dealer(MatchState(3, tuple(deals), ()), 2) == dealer


@pytest.mark.parametrize(("winner", "dealer"), [(0, 0), (1, 1), (None, 1)])
def test_with_two_players_the_winner_may_deal(winner: int | None, dealer: int) -> None:
    """And the deal passes on if there was no single winner."""
    assert sheet("bicycle").next_dealer(MatchState(2, (deal(1, -1, winner=winner),), ()), 0) == dealer


def drawn(*orders: list[int]) -> Any:
    """A source of orders that answers the given ones, filled up with the rest."""
    waiting = list(orders)

    def draw(n: int) -> list[int]:
        order = waiting.pop(0)
        return [*order, *[k for k in range(n) if k not in order]]

    return draw


@pytest.mark.parametrize(
    ("cards", "seats", "dealer"),
    [
        ("5c Kd 7h", 3, 1),
        ("Ac Kd Qh", 3, 0),  # the ace is high
        ("5c 5d 4h 9s Ts", 3, 1),  # a tie draws again from the rest
        ("5c 5d 5h 9s 9h 2c Qc 3h", 3, 0),
        ("2c 3d 4d 5d 6d 7d", 6, 5),
    ],
)
def test_the_highest_card_deals(cards: str, seats: int, dealer: int) -> None:
    """One card per seat in seat order; those who tie for the highest draw again."""
    order = [c.code for c in split_cards(cards)]
    assert sheet("flash-traditional").first_dealer(seats, drawn(order)) == dealer


def test_other_first_dealers() -> None:
    """By lot, or as agreed."""
    assert sheet().first_dealer(3, drawn([2, 0, 1])) == 2
    assert sheet(first_dealer="seat:1").first_dealer(3, drawn()) == 1


# --- payout ----------------------------------------------------------------------------------------------------------

F = Fraction
PAYOUT: dict[str, tuple[list[int], int, list[int], list[Fraction], list[int]]] = {
    "BR-P1": ([100, 25], 100, [], [F(75), F(25)], [750, 250]),
    "BR-P1b": ([100, 60], 100, [], [F(75), F(25)], [750, 250]),
    "BR-P2": ([100, 13], 100, [], [F(87), F(13)], [870, 130]),
    "BR-P3": ([100, 20], 100, [], [F(80), F(20)], [800, 200]),
    "BR-P4": ([100, 0], 100, [], [F(100), F(0)], [1000, 0]),
    "BR-P5": ([100, 30, 0], 100, [], [F(325, 4), F(75, 4), F(0)], [1219, 281, 0]),
    "BR-P6": ([100, 25, 25], 100, [], [F(75), F(25, 2), F(25, 2)], [1126, 187, 187]),
    "BR-P7": ([100, 40, 10], 100, [], [F(315, 4), F(65, 4), F(5)], [1182, 243, 75]),
    "BR-P8": ([100, 20, 12], 100, [], [F(82), F(12), F(6)], [1230, 180, 90]),
    "BR-P9": ([100, 50, 0, 0], 100, [], [F(250, 3), F(50, 3), F(0), F(0)], [1667, 333, 0, 0]),
    "BR-P10": ([100, 50, 50, 0], 100, [], [F(700, 9), F(100, 9), F(100, 9), F(0)], [1556, 222, 222, 0]),
    "BR-P11": ([100, 50, 50, 50], 100, [], [F(75), F(25, 3), F(25, 3), F(25, 3)], [1502, 166, 166, 166]),
    "BR-P12": ([100, 24, 12, 6], 100, [], [F(242, 3), F(38, 3), F(14, 3), F(2)], [1614, 253, 93, 40]),
    "BR-P13": ([100, 40, 30], 100, [0, 0, 100], [F(325, 4), F(75, 4), F(0)], [1219, 281, 0]),
    "BR-P14": ([50, 13], 50, [], [F(75), F(25)], [750, 250]),
    "BR-P15": ([50, 10], 50, [], [F(80), F(20)], [800, 200]),
}


@pytest.mark.parametrize("case", PAYOUT)
def test_flash_payout(case: str) -> None:
    """Percentages by the layer rule and amounts in minor units, a stake of 500 each."""
    points, target, counters, percents, expected = PAYOUT[case]
    counters = counters or [0] * len(points)
    assert list(flash_percentages(points, 0, [c >= 100 for c in counters], target)) == percents
    options = basic_options("flash-traditional", match_end=f"target:{target}")
    totals = GameTotals(tuple(points), (0,), "target")
    assert payout(options, totals, counters, [500] * len(points)) == tuple(expected)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_winner_never_gets_less_than_three_quarters(seats: int) -> None:
    """Over a grid of points: the published greatest shares are reached, the winner's least is 75, all is shared out."""
    greatest = {2: [25], 3: [F(75, 4), F(25, 2)], 4: [F(50, 3), F(100, 9), F(25, 3)]}[seats]
    grid = [[a, b, c] for a in range(0, 31, 5) for b in range(0, a + 1, 5) for c in range(0, b + 1, 5)]
    shares = [flash_percentages([100, *losers[: seats - 1]], 0, [False] * seats, 100) for losers in grid]
    assert all(sum(share) == 100 for share in shares)
    assert min(share[0] for share in shares) == 75
    assert [max(share[place] for share in shares) for place in range(1, seats)] == greatest


def test_the_order_of_seats_does_not_matter_to_the_payout() -> None:
    """The winner may sit anywhere, and fractions of points count exactly."""
    assert flash_percentages([10, 100, 40], 1, [False] * 3, 100) == (F(5), F(315, 4), F(65, 4))
    assert flash_percentages([F(5, 2), 100], 1, [False] * 2, 100) == (F(5, 2), F(195, 2))
    assert flash_percentages([-5, 100], 1, [False] * 2, 100) == (0, 100)


def test_a_game_without_a_target_returns_all_stakes() -> None:
    """Ended by deals without a score: everybody gets the stake back."""
    totals = GameTotals((30, 10), (0,), "dead-deals")
    assert payout(basic_options("flash-traditional"), totals, [0, 0], [500, 500]) == (500, 500)


def test_the_winner_takes_all_at_home() -> None:
    """Several winners share; what is left over goes to the first of them."""
    options = basic_options(payout="winner_all")
    assert payout(options, GameTotals((100, 4), (0,), "target"), [0, 0], [500, 500]) == (1000, 0)
    assert payout(options, GameTotals((90, 90, 4), (0, 1), "deals"), [0] * 3, [5] * 3) == (8, 7, 0)
    assert payout(basic_options(), GameTotals((100, 4), (0,), "target"), [0, 0], [500, 500]) is None


def test_amounts_add_up() -> None:
    """Losers are rounded down, the winner gets the rest."""
    assert amounts([F(75), F(25, 2), F(25, 2)], 0, 101) == (77, 12, 12)


def test_one_deal_end_to_end_in_a_penalty_game() -> None:
    """The points of a deal are penalties there, written with their sign."""
    table = play(playing("4c 4d 4h", other="Kc 5d", scoring="losers_penalty"), "m 4c4d4h")
    assert table.log[-1].text == "d sc +0 +15"
    assert table.result().parts == ({}, {"hand": 15})
