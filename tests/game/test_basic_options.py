"""Options and presets of the basic family: what they hold, what is refused, how many may sit down.

Values come from the family's option and preset tables.
"""

from typing import Any

import pytest
from support.basic_tables import basic_options, basic_rules

from rummy_tourney.errors import OptionError
from rummy_tourney.game.options import describe_options, option_values
from rummy_tourney.game.rules import find_game
from rummy_tourney.game.variants.basic import BASIC, BasicOptions

DEFAULTS: dict[str, object] = {
    "players": "2-6",
    "deal_counts": {"2": 10, "3": 7, "4": 7, "5": 6, "6": 6},
    "first_dealer": "random",
    "next_dealer": "rotate",
    "void_dealer": "same",
    "meld_limit_per_turn": 1,
    "layoff_requires_own_meld": False,
    "ace_run": "low",
    "ace_value": 1,
    "must_discard_to_go_out": False,
    "ban_discard_back": True,
    "jokers": 0,
    "joker_points": 15,
    "joker_reuse": "swap_with_natural",
    "joker_set_binding": "declared",
    "joker_min_naturals": 1,
    "stock_exhaustion": "turn_over",
    "max_recycles": None,
    "limit_trigger": "on_decline",
    "limit_result": "no_out_scoring",
    "void_threshold": 2,
    "stalemate_detection": False,
    "scoring": "winner_takes",
    "rummy_bonus": "none",
    "rummy_bonus_rounds": None,
    "match_end": "target:100",
    "match_tie": "shared",
    "payout": "none",
    "max_turns": 1000,
    "max_scoreless_deals": 20,
    "deal_special": "none",
    "open_rounds": None,
    "forfeit_points": 100,
}
TEN = {str(n): 10 for n in range(2, 7)}
PRESETS: dict[str, dict[str, object]] = {
    "pagat-basic": {},
    "coolmath-like": {"scoring": "losers_penalty", "stock_exhaustion": "reshuffle_flip"},
    "flash-traditional": {
        "players": "2-4", "deal_counts": TEN, "first_dealer": "high_card", "meld_limit_per_turn": None,
        "ace_run": "high_or_low", "ace_value": 11, "stock_exhaustion": "void_at_threshold", "rummy_bonus": "penalty_each:25",
        "payout": "flash_75",
    },
    "bicycle": {
        "meld_limit_per_turn": None, "next_dealer": "winner_deals_2p", "scoring": "winner_paid", "rummy_bonus": "double",
        "match_end": "deals:10",
    },
    "cardgames-io": {
        "players": "2-4", "meld_limit_per_turn": None, "rummy_bonus": "double", "stock_exhaustion": "reshuffle",
        "max_recycles": 1, "limit_trigger": "immediate", "limit_result": "stalemate_zero", "stalemate_detection": True,
    },
    "block": {"stock_exhaustion": "block"},
    "wrotham": {
        "deal_special": "wrotham", "jokers": 3, "match_end": "deals:6", "deal_counts": {str(n): 7 for n in range(2, 7)},
    },
}  # fmt: skip


def test_defaults_are_those_of_the_option_table() -> None:
    """A table that agrees on nothing plays by the defaults, and every option is explained."""
    assert option_values(basic_options()) == DEFAULTS
    assert all(row.doc and row.values for row in describe_options(BasicOptions))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_differs_from_the_defaults_as_published(preset: str) -> None:
    """Each preset sets what its row says and nothing else."""
    assert option_values(basic_options(preset)) == DEFAULTS | PRESETS[preset]


def test_there_are_no_other_presets() -> None:
    """The seven presets of the family, each found by its name alone."""
    assert list(BASIC.presets) == list(PRESETS)
    assert all(find_game(preset) == (BASIC, preset) for preset in PRESETS)


@pytest.mark.parametrize(
    ("given", "seats"),
    [
        ({}, range(2, 7)),
        ({"players": 4}, range(4, 5)),
        ({"players": "3 - 5"}, range(3, 6)),
        ({"preset": "cardgames-io"}, range(2, 5)),
    ],
)
def test_the_seats_follow_the_players_option(given: dict[str, Any], seats: range) -> None:
    """How many may sit down is an option, one number or a range."""
    preset = given.pop("preset", None)
    assert BASIC.seat_range(basic_options(preset, **given)) == seats


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({}, 1),
        ({"ace_run": "high_or_low"}, 15),
        ({"ace_run": "round_corner"}, 15),
        ({"ace_run": "round_corner", "ace_value": 1}, 1),
    ],
)
def test_the_ace_is_worth_more_where_it_may_be_high(given: dict[str, Any], value: int) -> None:
    """Unless said otherwise an ace counts 15 where it may be high."""
    assert basic_options(**given).ace_value == value


def test_wrotham_brings_its_own_pack_and_deal_wherever_it_is_asked_for() -> None:
    """Asking for the special deals alone gives the whole game."""
    assert basic_options(deal_special="wrotham") == basic_options("wrotham")
    assert len(basic_rules("wrotham").pack) == 55
    assert basic_options("wrotham").open_deals == 3
    assert basic_options("wrotham", match_end="deals:7").open_deals == 3
    assert basic_options("wrotham", open_rounds=0).open_deals == 0


@pytest.mark.parametrize(
    ("key", "given"),
    [
        ("deal_counts", {"deal_counts": 10}),  # six seats would need 61 cards
        ("deal_counts", {"deal_counts": {2: 20}, "players": "2-3", "deal_special": "wrotham"}),
        ("deal_counts", {"deal_counts": {3: 17}, "players": 3}),  # 52 cards dealt or turned: no stock
        ("match_end", {"scoring": "winner_paid"}),
        ("match_end", {"match_end": "deals:0"}),
        ("rummy_bonus", {"scoring": "losers_penalty", "rummy_bonus": "flat_winner:10"}),
        ("payout", {"payout": "flash_75", "match_end": "deals:5"}),
        ("payout", {"payout": "flash_75", "scoring": "losers_penalty"}),
        ("first_dealer", {"first_dealer": "seat:2"}),
        ("open_rounds", {"open_rounds": 2}),
        ("rummy_bonus_rounds", {"rummy_bonus_rounds": [1]}),
        ("jokers", {"deal_special": "wrotham", "jokers": 2}),
        ("joker_reuse", {"deal_special": "wrotham", "joker_reuse": "none"}),
        ("match_end", {"deal_special": "wrotham", "match_end": "target:100"}),
        ("open_rounds", {"deal_special": "wrotham", "open_rounds": 7}),
        ("rummy_bonus_rounds", {"deal_special": "wrotham", "rummy_bonus": "double", "rummy_bonus_rounds": [1, 4]}),
        ("players", {"players": 7}),
        ("players", {"players": "4-2"}),
        ("players", {"players": True}),
        ("ace_value", {"ace_value": 10}),
        ("deals", {"deals": 5}),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(key: str, given: dict[str, Any]) -> None:
    """A wrong value or an impossible combination is named before the first card is dealt."""
    with pytest.raises(OptionError) as refused:
        basic_options(**given)
    assert key in [problem.key for problem in refused.value.problems]


def test_a_first_dealer_by_seat_needs_a_table_of_that_size() -> None:
    """Seat 3 can deal first where at least four sit down."""
    assert basic_options(players="4-6", first_dealer="seat:3").first_dealer == "seat:3"


@pytest.mark.parametrize(("seats", "stock"), [(2, 31), (3, 30), (4, 23), (5, 21), (6, 15)])
def test_initial_stock(seats: int, stock: int) -> None:
    """52 cards less the hands and the upcard."""
    assert 52 - seats * basic_options().hand_size(seats) - 1 == stock
