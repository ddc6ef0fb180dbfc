"""Wrotham rummy: open deals and deals laid all at once.

``WR-…`` are the worked examples of its specification; ``edge`` numbers are those of its list of mistakes.
"""

import random
from typing import Any

import pytest
from oracles.basic_twin import PACK, readings
from support.basic_tables import (
    basic_options,
    basic_rules,
    dealt_table,
    hand_text,
    menu,
    on_table,
    play,
    position,
    refusal,
    setup_of,
    shuffled_table,
    view_of,
)

from rummy_tourney.cards import card, join_cards, mask_of, split_cards
from rummy_tourney.game.actions import Declare
from rummy_tourney.game.rules import DealResult, MatchState
from rummy_tourney.game.variants.basic import BasicScoring, BasicTable, declarations, meld_rules
from rummy_tourney.game.variants.basic.wrotham import all_at_once, bonus_counts, partitions
from rummy_tourney.game.view import Phase
from rummy_tourney.melds.model import read_melds

OTHER = "2d 4s 5d 8c Jd Qs Kh"


def in_deal(number: int, hand: str, melds: tuple[str, ...] = (), other: str = OTHER, **options: Any) -> BasicTable:
    """Deal ``number`` (from 1): seat 0 holds ``hand``, the last card of it drawn from the stock."""
    *held, drawn = split_cards(hand)
    free = [c for c in PACK if c not in hand + other + "".join(melds)]
    stock = drawn.text + "".join(free)
    table = position([join_cards(held), other], melds, stock=stock, preset="wrotham", scored=number - 1, **options)
    return play(table, "ds")


def test_the_deal() -> None:
    """Eight cards to the seat that begins, seven to the others, no upcard. (edge 2)"""
    for seats, stock in ((2, 40), (3, 33), (4, 26), (5, 19), (6, 12)):
        table = shuffled_table(seats, 1, "wrotham")
        assert [hand.bit_count() for hand in table.hands] == [8] + [7] * (seats - 1)
        assert len(table.stock) == stock
        assert table.pile == []
        assert not [e for e in table.log if e.verb == "up"]


def test_the_eighth_card_of_the_first_seat_is_dealt_last() -> None:
    """One card at a time from the first seat; the odd one is the last card."""
    table = dealt_table(join_cards([card(c) for c in PACK[:15]]), 2, 1, "wrotham")
    assert hand_text(table, 0) == "Ac3c5c7c9cJcKc2d"


@pytest.mark.parametrize("scored", [0, 3])
def test_edge_1_only_the_first_turn_has_no_draw(scored: int) -> None:
    """The seat that begins plays at once; every later turn begins with a draw, its own too."""
    table = shuffled_table(2, 1, "wrotham", scored=scored)
    assert table.phase is (Phase.PLAY if scored == 0 else Phase.SHED)
    assert refusal(table, "dd") == refusal(table, "ds") == "wrong-phase"
    play(table, f"dc {hand_text(table, 0)[:2]}")
    assert table.phase is Phase.DRAW
    assert menu(table) == ["ds", "dd"]  # the second player can always take the first discard
    play(table, "ds", f"dc {hand_text(table, 1)[:2]}")
    assert table.phase is Phase.DRAW


# --- declaring --------------------------------------------------------------------------------------------------------


def test_wr_1() -> None:
    """Seven cards melded with a joker, the eighth thrown."""
    table = in_deal(5, "3h 4h *1 6h Kc Kd Ks 9c")
    move = "dcl 9c [3h4h*1=5h6h][KcKdKs]"
    assert "dcl 9c [KcKdKs][3h4h*1=5h6h]" in menu(table)  # the order of the melds does not matter
    play(table, move)
    assert table.log[-2].text == f"p0 {move}"
    result = table.result()
    assert (result.ending, result.winner, result.points) == ("declare", 0, (49, 0))
    assert result.melds == ("[3h4h*1=5h6h][KcKdKs]", "")
    assert table.upcard is card("9c")


def test_wr_2() -> None:
    """The card just taken may not be the one thrown, and no other split of the hand melds seven."""
    other = OTHER
    table = position(["3h 4h 6h Kc Kd Ks *1", other], pile="9c", preset="wrotham", scored=4)
    play(table, "dd")
    assert refusal(table, "dcl 9c [3h4h*1=5h6h][KcKdKs]") == "banned-discard"
    assert not [text for text in menu(table) if text.startswith("dcl")]
    assert refusal(table, "dc 9c") == "banned-discard"
    play(table, "dc 6h")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("dcl 9c [3h4h*1=5h6h]", "not-all-melded"),
        ("dcl [3h4h*1=5h6h][KcKdKs]", "not-all-melded"),
        ("dcl 9c [3h4h*2=5h6h][KcKdKs]", "not-in-hand"),
        ("dcl 9d [3h4h*1=5h6h][KcKdKs]", "not-in-hand"),
        ("dcl Ks [3h4h*1=5h6h][KcKdKs]", "overlap"),
        ("dcl 9c [3h4h*1=5h6h][KcKdKs][KcKdKs]", "overlap"),
        ("m KcKdKs", "wrong-phase"),
        ("lo M1>9c", "wrong-phase"),
        ("js M1 *1->9c hand", "wrong-phase"),
    ],
)
def test_refusals_in_deals_laid_at_once(move: str, reason: str) -> None:
    """Nothing but a whole hand, and one reason for each mistake. (edge 4)"""
    assert refusal(in_deal(5, "3h 4h *1 6h Kc Kd Ks 9c"), move) == reason


def test_edge_7_eight_melded_cards() -> None:
    """All eight may be melded, unless the last card has to be thrown."""
    hand = "3h 4h 5h 6h Kc Kd Ks *1"
    move = "dcl [KcKd*1=KhKs][3h4h5h6h]"
    assert move in menu(in_deal(4, hand))
    assert play(in_deal(4, hand), move).result().ending == "declare"
    strict = in_deal(4, hand, must_discard_to_go_out=True)
    assert refusal(strict, move) == "must-discard"
    assert all(text.split(" ")[1][0] != "[" for text in menu(strict) if text.startswith("dcl"))


def test_the_first_seat_may_declare_at_once() -> None:
    """On the first turn, before anybody has drawn."""
    deck = "3h 2d 4h 4s 5h 5d 6h 8c Kc Jd Kd Qs Ks Qd 9c"
    table = dealt_table(deck, 2, 1, "wrotham", scored=3)
    assert play(table, "dcl 9c [3h4h5h6h][KcKdKs]").result().winner == 0


def test_a_second_meld_is_no_matter_of_the_limit() -> None:
    """One meld a turn holds in open deals only."""
    assert basic_options("wrotham").meld_limit_per_turn == 1


@pytest.mark.parametrize("jokers", [0, 1, 2, 3])
def test_all_ways_to_meld_a_hand(jokers: int) -> None:
    """Every way to meld seven cards, against brute force over all splits; jokers are alike."""
    rng = random.Random(jokers)
    rules = meld_rules(basic_options("wrotham"))
    some = 0
    for _ in range(6):
        low = rng.randrange(8)
        run = [c for c in PACK if c[1] == "h" and low <= "A23456789TJQK".index(c[0]) < low + 5]
        near = [*run, *[c for c in PACK if c[0] == run[0][0] and c not in run]]
        hand = [*rng.sample(near, 7 - jokers), *[f"*{k + 1}" for k in range(jokers)]]
        found = [_pattern(melds) for melds in partitions(rules, mask_of([card(c) for c in hand]))]
        assert len(set(found)) == len(found)
        assert set(found) == _splits(hand)
        some += len(found)
    assert some


def _pattern(melds: Any) -> tuple[Any, ...]:
    return tuple(sorted(tuple(sorted((s.card.text[0] == "*", s.stands_for.text) for s in m.spots)) for m in melds))


def _splits(hand: list[str]) -> set[tuple[Any, ...]]:
    """All ways to split seven cards into three and four, or not at all, by brute force."""
    from itertools import combinations

    found = set()
    for three in combinations(hand, 3):
        four = [c for c in hand if c not in three]
        for a in readings(three, "low", 1):
            for b in readings(four, "low", 1):
                found.add(tuple(sorted(tuple(sorted((c[0] == "*", face) for c, face in part)) for part in (a, b))))
    for whole in readings(hand, "low", 1):
        found.add((tuple(sorted((c[0] == "*", face) for c, face in whole)),))
    return found


def test_every_declaration_that_is_offered_is_accepted() -> None:
    """And ends the deal; the joker that may not be thrown is melded."""
    table = position(["3h 4h 5h Kc Kd *1 9c", OTHER], pile="*2", preset="wrotham", scored=3)
    play(table, "dd")
    offered = declarations(view_of(table).rules, table.hands[0], table.banned, must_discard=False)
    assert offered
    for action in offered:
        again = play(position(["3h 4h 5h Kc Kd *1 9c", OTHER], pile="*2", preset="wrotham", scored=3), "dd")
        again.apply(action)
        assert again.result().ending == "declare"
    assert refusal(table, Declare(read_melds("[3h4h5h][KcKd*1=Kh]"), card("*2"))) == "banned-discard"


def test_a_joker_may_be_thrown_by_a_declaration() -> None:
    """Where it is the eighth card and does not fit."""
    table = in_deal(4, "3h 4h 5h 9c Kc Kd Ks *1")
    assert "dcl *1 [3h4h5h]" not in menu(table)
    natural = in_deal(4, "3h 4h 5h 6h Kc Kd Ks *1")
    assert play(natural, "dcl *1 [3h4h5h6h][KcKdKs]").upcard is card("*1")


# --- open deals ------------------------------------------------------------------------------------------------------


def test_wr_3() -> None:
    """A joker is swapped for its card and laid off in the same turn."""
    table = in_deal(2, "8s 2c 2h 4d 6d 9d Jc Qd", ("7s*2=8s9s",))
    play(table, "js M1 *2->8s hand")
    assert on_table(table) == ["7s8s9s"]
    assert table.hands[0] & card("*2").mask
    assert on_table(play(table, "lo M1>*2=Ts")) == ["7s8s9s*2=Ts"]


def test_wr_4() -> None:
    """The fourth five is laid off; the one whose place the joker has can only be swapped. (edge 6)"""
    table = in_deal(2, "5s 5h 2h 4d 6d 9d Jc Qd", ("5c5d*3=5h",), other="2d 4s 8c 8d Jd Qs Kh")
    assert refusal(table, "lo M1+5h") == "does-not-fit"
    assert refusal(table, "js M1 *3->5s hand") == "not-the-card"
    play(table, "lo M1+5s")
    assert on_table(table) == ["5c5d*3=5h5s"]
    play(table, "js M1 *3->5h hand")
    assert on_table(table) == ["5c5d5h5s"]


def test_edge_5_a_swap_adds_no_card() -> None:
    """One card out, one joker in."""
    table = in_deal(2, "8s 2c 2h 4d 6d 9d Jc Qd", ("7s*2=8s9s",))
    before = table.counts[0]
    assert play(table, "js M1 *2->8s hand").counts[0] == before


@pytest.mark.parametrize(("hand", "expected"), [("*1 Qc 2d", 27), ("Ah 9s", 10)])
def test_wr_5(hand: str, expected: int) -> None:
    """Points left in hand in an open deal."""
    table = position(["2c 2s", hand], pile="5c", stock="2h", preset="wrotham")
    assert play(table, "ds", "m 2c2h2s").result().deadwood == (0, expected)
    both = position(["2c 2s", "*1 Qc 2d", "Ah 9s"], pile="5c", stock="2h", preset="wrotham")
    assert play(both, "ds", "m 2c2h2s").result().points == (37, 0, 0)


def test_wr_6() -> None:
    """A hand counts in full though all of it would meld. (edge 9)"""
    table = in_deal(4, "3h 4h 5h 6h Kc Kd Ks 9c", other="Th Jh Qh 4c 4d 4s *2")
    result = play(table, "dcl 9c [3h4h5h6h][KcKdKs]").result()
    assert result.deadwood == (0, 57)
    assert result.points == (57, 0)


def test_wr_7() -> None:
    """Blocked: the two lowest hands share the difference."""
    table = position(["Tc 2d", "7c 5d", "Kh 2h 8s"], pile="3c", stock="", preset="wrotham", scored=5, stock_exhaustion="block")
    result = play(table, "pass").result()
    assert (result.ending, result.points) == ("blocked", (4, 4, 0))


def test_wr_8() -> None:
    """The win is shared after six deals."""
    scoring = BasicScoring(basic_options("wrotham"))
    deals = [DealResult("out", points, winner=0) for points in [(140, 0, 0), (0, 155, 0), (0, 0, 155), *[(0, 0, 0)] * 2]]
    assert scoring.finished(MatchState(3, tuple(deals), ())) is None
    ended = MatchState(3, (*deals, DealResult("stalemate", (0, 0, 0))), ())
    assert scoring.finished(ended) == "deals"
    assert scoring.totals(ended).totals == (140, 155, 155)
    assert scoring.totals(ended).winners == (1, 2)


def test_wr_9() -> None:
    """On the first turn one of two melds may be laid, and then a card has to be thrown."""
    deck = "2c 2d 3c 4s 4c 5d 5c 8c 7h Jc 7d Qs 7s Qd Jd"
    table = dealt_table(deck, 2, 1, "wrotham")
    assert hand_text(table, 0) == "2c3c4c5c7dJd7h7s"
    melds = [text for text in menu(table) if text.startswith("m")]
    assert melds == ["m 7d7h7s", "m 2c3c4c", "m 2c3c4c5c", "m 3c4c5c"]
    play(table, "m 2c3c4c5c")
    assert refusal(table, "m 7d7h7s") == "meld-limit"
    assert [text[:2] for text in menu(table)] == ["dc"] * 4
    assert not play(table, "dc Jd").over


# --- rounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "closed"),
    [
        ({}, [4, 5, 6]),
        ({"open_rounds": 6}, []),
        ({"open_rounds": 0}, [1, 2, 3, 4, 5, 6]),
        ({"match_end": "deals:5"}, [3, 4, 5]),
    ],
)
def test_edge_3_rounds_are_deals(options: dict[str, Any], closed: list[int]) -> None:
    """The first half of the deals is open unless said otherwise; a longer match begins again."""
    wrotham = basic_options("wrotham", **options)
    deals = wrotham.end_number
    assert [r for r in range(1, deals + 1) if all_at_once(wrotham, r - 1)] == closed
    assert all_at_once(wrotham, deals) == all_at_once(wrotham, 0)


def test_edge_8_a_void_deal_does_not_advance_the_round() -> None:
    """The round follows the deals that have counted."""
    rules = basic_rules("wrotham")
    assert rules.start(setup_of(rules.pack.codes, 2, 1, scored=2)).view().all_at_once is False
    assert rules.start(setup_of(rules.pack.codes, 2, 1, scored=3)).view().all_at_once is True


@pytest.mark.parametrize(("listed", "deals"), [(None, [1, 2, 3]), ([2], [2]), ([], [])])
def test_the_rummy_bonus_holds_in_open_deals_only(listed: list[int] | None, deals: list[int]) -> None:
    """In the others every win is at one go, so the bonus never holds there."""
    options = basic_options("wrotham", rummy_bonus="double", rummy_bonus_rounds=listed)
    assert [r for r in range(1, 7) if bonus_counts(options, r - 1)] == deals


def test_the_bonus_at_a_table() -> None:
    """Going rummy doubles an open deal; a declaration is never doubled."""
    double: dict[str, Any] = {"rummy_bonus": "double"}
    open_deal = position(["2c 2s", "Kh"], pile="5c", stock="2h", preset="wrotham", **double)
    assert play(open_deal, "ds", "m 2c2h2s").result().points == (20, 0)
    other = in_deal(4, "3h 4h 5h 6h Kc Kd Ks 9c", other="Kh", **double)
    assert play(other, "dcl 9c [3h4h5h6h][KcKdKs]").result().points == (10, 0)
    assert not bonus_counts(basic_options("wrotham"), 0)
