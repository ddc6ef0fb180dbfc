"""Turns of basic rummy: drawing, the completion rule, going out, the stock, stalemates, caps.

``BR-…`` are the worked examples of the family's specification; ``edge`` numbers are those of its list of mistakes.
"""

from typing import Any

import pytest
from support.basic_tables import (
    all_cards,
    basic_rules,
    dealt_table,
    hand_text,
    menu,
    on_table,
    play,
    playing,
    points_of_deal,
    position,
    refusal,
    shuffled_table,
    taking,
    view_of,
)

from rummy_tourney.cards import CARDS, CardSet, card, join_cards
from rummy_tourney.errors import EngineBug
from rummy_tourney.game.actions import PASS, Discard, LayMeld, Show
from rummy_tourney.game.events import NOBODY
from rummy_tourney.game.rules import DealSetup
from rummy_tourney.game.view import Phase
from rummy_tourney.melds.model import meld

# --- the deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)])
def test_what_is_dealt(seats: int, each: int, stock: int) -> None:
    """Hands, one upcard, and the rest is the stock; the seat after the dealer begins."""
    table = shuffled_table(seats, 1)
    assert [hand.bit_count() for hand in table.hands] == [each] * seats
    assert (len(table.pile), len(table.stock), table.to_act) == (1, stock, 0)


def test_cards_go_round_one_at_a_time_from_the_left_of_the_dealer() -> None:
    """The first card of the deck is the first hand's first."""
    table = dealt_table("Ac Ad Ah 2c 2d 2h", 3, 1)
    assert table.to_act == 2
    assert [e.text[:14] for e in table.log[:3]] == ["d deal p2 Ac2c", "d deal p0 Ad2d", "d deal p1 Ah2h"]


@pytest.mark.parametrize(("seats", "stock"), [(2, 31), (3, 21), (4, 11)])
def test_ten_cards_each(seats: int, stock: int) -> None:
    """The online card room deals ten to everybody."""
    assert len(shuffled_table(seats, 1, "flash-traditional").stock) == stock


# --- the completion rule ----------------------------------------------------------------------------------------------


def test_br_c1_a_meld_may_not_leave_only_the_banned_card() -> None:
    """With the card just taken as the only one left the turn could not be ended. (edge 3)"""
    table = taking("4c 4d 4h 9h")
    assert refusal(table, "m 4c4d4h") == "no-discard-left"
    assert menu(table) == ["dc 4c", "dc 4d", "dc 4h"]


def test_br_c2_unless_it_can_be_laid_off() -> None:
    """The meld is legal, and then the lay-off is the only action."""
    table = play(taking("4c 4d 4h 9h", ["6h7h8h"]), "m 4c4d4h")
    assert menu(table) == ["lo M1>9h"]
    assert refusal(table, "dc 9h") == "banned-discard"
    play(table, "lo M1>9h")
    assert table.result().winner == 0


def test_br_c3_which_does_not_help_where_the_last_card_has_to_be_thrown() -> None:
    """The last card may not be laid off there."""
    table = taking("4c 4d 4h 9h", ["6h7h8h"], must_discard_to_go_out=True)
    assert refusal(table, "m 4c4d4h") == "no-discard-left"


@pytest.mark.parametrize("must_discard", [False, True])
def test_br_c4_lay_off_and_throw(must_discard: bool) -> None:
    """Lay off the card taken, throw the other: out in either mode."""
    table = taking("Kc 9h", ["6h7h8h"], other="Ks Kd", must_discard_to_go_out=must_discard)
    assert play(table, "lo M1>9h", "dc Kc").result().winner == 0


def test_br_c5_a_card_from_the_stock_may_be_thrown() -> None:
    """The ban is on the discard pile only."""
    assert "dc 9h" in menu(playing("2s 9h"))


def test_the_banned_card_may_be_the_natural_card_of_a_joker() -> None:
    """Swapped for the joker it is gone, and the joker may be thrown."""
    table = taking("4c 4d 4h 9h", ["9c9d*1=9h"], jokers=2)
    play(table, "m 4c4d4h")
    assert menu(table) == ["js M1 *1->9h hand"]
    play(table, "js M1 *1->9h hand", "dc *1")
    assert table.result().winner == 0


def test_a_joker_that_was_taken_laid_and_swapped_back_stays_banned() -> None:
    """The ban is on the physical card for the whole turn."""
    table = taking("9h 2c 3d *1", ["5h6h7h"], jokers=2)
    play(table, "lo M1>*1=8h")
    assert refusal(table, "js M1 *1->8h hand") == "not-in-hand"
    other = taking("8h 2c *1", ["5h6h7h"], jokers=2)
    play(other, "lo M1>*1=8h", "js M1 *1->8h hand")
    assert refusal(other, "dc *1") == "banned-discard"


def test_without_the_ban_the_card_may_go_back() -> None:
    """A house rule lifts the ban."""
    assert "dc 9h" in menu(taking("4c 4d 4h 9h", ban_discard_back=False))


@pytest.mark.parametrize("move", ["lo M1>9h", "m 4c4d4h"])
def test_the_last_cards_may_not_be_put_down_where_one_has_to_be_thrown(move: str) -> None:
    """A meld or lay-off that empties the hand is refused."""
    hand = "9h" if move.startswith("lo") else "4c 4d 4h"
    assert refusal(playing(hand, ["6h7h8h"], must_discard_to_go_out=True), move) == "must-discard"


# --- melding and laying off ------------------------------------------------------------------------------------------


def test_one_meld_a_turn() -> None:
    """The limit holds within a turn; lay-offs do not count."""
    table = play(playing("4c 4d 4h 8s 8d 8h 5h Kc Qs", other="Ks Kd"), "m 4c4d4h")
    assert refusal(table, "m 8d8h8s") == "meld-limit"
    assert not [text for text in menu(table) if text.startswith("m")]
    play(table, "dc Kc", "ds", "dc Kd", "ds", "m 8d8h8s")
    assert on_table(table) == ["4c4d4h", "8d8h8s"]


def test_any_number_of_melds_where_that_is_agreed() -> None:
    """Without a limit the whole hand may be laid in one turn."""
    table = play(playing("4c 4d 4h 8s 8d 8h Kc", preset="bicycle"), "m 4c4d4h", "m 8d8h8s", "dc Kc")
    assert table.result().winner == 0


def test_laying_off_may_need_an_own_meld() -> None:
    """One laid earlier in the same turn is enough."""
    table = playing("9h 4c 4d 4h Kc Qs", ["6h7h8h"], layoff_requires_own_meld=True)
    assert refusal(table, "lo M1>9h") == "no-own-meld"
    assert view_of(table).fits == 0
    play(table, "m 4c4d4h", "lo M1>9h")
    assert on_table(table) == ["6h7h8h9h", "4c4d4h"]


def test_nobody_has_to_meld() -> None:
    """Melds and lay-offs are a choice."""
    assert "dc 9h" in menu(playing("4c 4d 4h 9h", ["6h7h8h"]))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("dc Ks", "not-in-hand"),
        ("m 5c6c7c", "not-in-hand"),
        ("dc 7h", "already-laid"),
        ("m 7h8h9h", "already-laid"),
        ("lo M1>6h", "already-laid"),
        ("m QhKhAh", "not-a-meld"),
        ("lo M3>9h", "no-such-meld"),
        ("lo M1>Ts", "not-in-hand"),
        ("lo M1<9h", "does-not-fit"),
        ("ds", "wrong-phase"),
        ("dd", "wrong-phase"),
        ("pass", "wrong-phase"),
        ("kn 9h", "wrong-phase"),
        ("dcl 9h [4c4d4h]", "wrong-phase"),
    ],
)
def test_each_refusal_says_why(move: str, reason: str) -> None:
    """One reason for each mistake, and the table stays as it was."""
    assert refusal(playing("9h 4c 4d 4h Qh Kh Ah", ["6h7h8h"]), move) == reason


@pytest.mark.parametrize("action", [LayMeld(meld("4c4d4h")), Discard(card("9h")), Show(()), None, 7])
def test_before_the_draw_nothing_else_is_possible(action: Any) -> None:
    """A seat draws first, whatever it answers."""
    assert refusal(position(["9h 4c 4d 4h", "Kc"], pile="2s"), action) == "wrong-phase"


# --- going out and going rummy ---------------------------------------------------------------------------------------


def test_out_by_a_meld_and_by_a_lay_off() -> None:
    """The deal is over as soon as the hand is empty, without a discard. (edge 1)"""
    assert play(playing("4c 4d 4h"), "m 4c4d4h").result().ending == "rummy"
    table = play(playing("9h", ["6h7h8h"]), "lo M1>9h")
    assert table.over
    assert table.log[-2].text == "p0 lo M1>9h"


def test_after_the_end_nothing_is_accepted() -> None:
    """Nobody may meld or lay off any more."""
    table = play(playing("9h", ["6h7h8h"]), "lo M1>9h")
    assert refusal(table, "dc 9h") == "deal-over"
    assert table.legal_actions() == []


def test_rummy_looks_at_earlier_turns_only() -> None:
    """Melding and laying off within the winning turn is going rummy; one lay-off on an earlier turn is not. (edge 13)"""
    at_once = playing("4c 4d 4h 8s 8d 8h 9h Kc", ["5h6h7h"], other="Ks Kd", preset="bicycle")
    play(at_once, "m 4c4d4h", "m 8d8h8s", "dc Kc")
    assert not at_once.over  # the 9h is left
    at_once = playing("4c 4d 4h 8s 8d 8h 8c Kc", ["5h6h7h"], other="Ks Kd", preset="bicycle")
    assert play(at_once, "m 4c4d4h", "m 8c8d8s", "lo M1>8h", "dc Kc").result().ending == "rummy"
    later = playing("8h 4c 4d 4h Kc", ["5h6h7h"], other="Ks Kd", preset="bicycle")
    play(later, "lo M1>8h", "dc Kc", "ds", "dc Kd", "ds", "m 4c4d4h")
    while not later.over:
        play(later, f"dc {hand_text(later, 0)[:2]}")
    assert later.result().ending == "out"


def test_a_swap_on_an_earlier_turn_is_not_rummy_either() -> None:
    """Having had anything to do with the table counts."""
    table = playing("9h Kc Qs", ["9c9d*1=9h"], jokers=2, other="Ks Kd")
    assert view_of(table).fresh
    play(table, "js M1 *1->9h hand", "dc Kc", "ds", "dc Kd", "ds")
    assert not view_of(table).fresh


# --- the full trace ---------------------------------------------------------------------------------------------------

T1_DECK = "4c Kh As 5c Ks 7d 6c 3d 7h 9h 8s Tc 9d Jd 6d Kd Qh Js 2s 5h 4h 8d 9s Qc 7s 7c Td 8c"
T1_MOVES = (
    "ds", "m 9d9h9s", "dc Kd",
    "dd", "m KdKhKs", "dc Qh",
    "ds", "dc Qc",
    "ds", "m 4c5c6c", "dc 7s",
    "ds", "lo M3>7c", "dc Jd",
    "ds", "dc Js",
    "ds", "lo M3>8c", "dc 2s",
)  # fmt: skip
T1_LOG = """\
d deal p1 4c5c6c9h9dKd2s
d deal p2 KhKs3d8sJdQh5h
d deal p0 As7d7hTc6dJs4h
d up 8d
p1 ds 9s
p1 m M1=9d9h9s
p1 dc Kd
p2 dd Kd
p2 m M2=KdKhKs
p2 dc Qh
p0 ds Qc
p0 dc Qc
p1 ds 7s
p1 m M3=4c5c6c
p1 dc 7s
p2 ds 7c
p2 lo M3>7c
p2 dc Jd
p0 ds Td
p0 dc Js
p1 ds 8c
p1 lo M3>8c
p1 dc 2s
""".splitlines()


@pytest.mark.parametrize(
    ("preset", "points", "score"), [("pagat-basic", (0, 61, 0), "+0 +61 +0"), ("losers", (45, 0, 16), "+45 +0 +16")]
)
def test_br_t1(preset: str, points: tuple[int, ...], score: str) -> None:
    """The full deal of the specification, scored both ways."""
    options: dict[str, Any] = {"scoring": "losers_penalty"} if preset == "losers" else {}
    table = dealt_table(T1_DECK, 3, 0, **options)
    piles = []
    for move in T1_MOVES:
        play(table, move)
        if move.startswith("dc"):
            piles.append(join_cards([CARDS[code] for code in table.pile]))
    assert piles == ["8dKd", "8dQh", "8dQhQc", "8dQhQc7s", "8dQhQc7sJd", "8dQhQc7sJdJs", "8dQhQc7sJdJs2s"]
    assert [e.text for e in table.log] == [*T1_LOG, f"d sc {score}"]
    result = table.result()
    assert (result.ending, result.points, result.winner) == ("out", points, 1)
    assert CardSet.parse(result.hands[2]) == CardSet.parse("8s 3d 5h")
    assert CardSet.parse(result.hands[0]) == CardSet.parse("As 7d 7h Tc 6d 4h Td")
    assert result.deadwood == (45, 0, 16)
    assert result.melds == ("", "[9d9h9s][4c5c6c7c8c]", "[KdKhKs]")
    assert table.low_wins == (preset == "losers")


def test_br_t1_the_second_meld_has_to_wait() -> None:
    """4c 5c 6c may not be melded in the first turn too: one meld a turn."""
    table = play(dealt_table(T1_DECK, 3, 0), "ds", "m 9d9h9s")
    assert refusal(table, "m 4c5c6c") == "meld-limit"


# --- the stock runs out -----------------------------------------------------------------------------------------------


def test_turn_over_keeps_the_order() -> None:
    """The oldest discard is drawn first, and the refused one becomes the last stock card. (edges 6 and 7)"""
    table = position(["9h 4c 4d", "Kc Kd"], pile="5c 8d Kh", stock="")
    assert menu(table) == ["ds", "dd"]
    play(table, "ds")
    assert [e.text for e in table.log[-2:]] == ["d rs 3 5c8dKh", "p0 ds 5c"]
    assert [CARDS[code].text for code in reversed(table.stock)] == ["8d", "Kh"]
    assert (table.pile, table.upcard) == ([], None)
    play(table, "dc 9h")
    assert table.upcard is card("9h")
    assert view_of(table).pile_count == 1


def test_the_order_of_a_turned_pile_is_public() -> None:
    """Everybody has seen the discards, so everybody sees their order."""
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c 8d Kh", stock=""), "ds")
    assert all(seen[-2].text == "d rs 3 5c8dKh" for seen in table.seen)


def test_a_pile_of_one_card() -> None:
    """The refused card is drawn back, may be thrown again, and one turn-over is used up. (edge 8)"""
    table = play(position(["9h 4c", "Kc Kd"], pile="5c", stock="", max_recycles=1), "ds")
    assert table.recycles == 1
    assert "dc 5c" in menu(table)
    play(table, "dc 5c")
    assert menu(table) == ["dd", "pass"]


def test_taking_the_discard_is_possible_with_an_empty_stock() -> None:
    """Nothing is turned over before somebody declines the discard."""
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c 8d Kh", stock=""), "dd")
    assert table.recycles == 0
    assert len(table.pile) == 2


def test_a_reshuffle_is_seen_by_nobody() -> None:
    """The order comes from the deal's chance under its label, is in the log, and no seat sees it."""
    pile = "5c 8d Kh 2s 7d 9c"
    table = position(["9h 4c 4d", "Kc Kd"], pile=pile, stock="", stock_exhaustion="reshuffle")
    places = table.setup.chance.order("reshuffle/1", 6) if table.setup.chance else []
    expected = "".join(pile.split()[place] for place in places)
    play(table, "ds")
    shuffled, drawn = table.log[-2:]
    assert shuffled.text == f"d rs 6 {expected}"
    assert shuffled.owner == NOBODY
    assert all(seen[-2].text == "d rs 6 ??" for seen in table.seen)
    assert drawn.text == f"p0 ds {expected[:2]}"
    assert table.pile == []


def test_a_second_reshuffle_has_another_label() -> None:
    """Each reshuffle of a deal has its own order."""
    asked = []

    class Noted:
        """Notes what it is asked, and leaves the order as it is."""

        def order(self, label: str, n: int) -> range:
            asked.append((label, n))
            return range(n)

    rules = basic_rules(stock_exhaustion="reshuffle")
    table = rules.start(DealSetup(rules.pack.codes, 2, 1, chance=Noted()))
    while table.recycles < 2 and not table.over:
        play(table, "ds", f"dc {hand_text(table, table.to_act)[:2]}")
    assert asked == [("reshuffle/1", 32), ("reshuffle/2", 32)]


def test_a_reshuffle_without_a_source_of_chance_is_our_fault() -> None:
    """A caller that forgets the chance learns it at once."""
    rules = basic_rules(stock_exhaustion="reshuffle")
    table = rules.start(DealSetup(rules.pack.codes, 2, 1))
    while table.stock:
        play(table, "ds", f"dc {hand_text(table, table.to_act)[:2]}")
    with pytest.raises(EngineBug):
        play(table, "ds")


def test_reshuffle_keep_top() -> None:
    """The top discard stays where it is; with it alone nothing can be shuffled."""
    options: dict[str, Any] = {"stock_exhaustion": "reshuffle_keep_top"}
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c 8d Kh", stock="", **options), "ds")
    assert table.upcard is card("Kh")
    assert len(table.stock) == 1
    assert menu(position(["9h 4c 4d", "Kc Kd"], pile="Kh", stock="", **options)) == ["dd", "pass"]


def test_reshuffle_flip() -> None:
    """Before the next seat chooses, the whole pile is shuffled and its top card turned up."""
    options: dict[str, Any] = {"stock_exhaustion": "reshuffle_flip"}
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c 8d Kh", stock="2s", **options), "ds")
    assert not table.stock
    play(table, "dc 9h")
    assert [e.verb for e in table.log[-2:]] == ["rs", "up"]
    assert (len(table.stock), len(table.pile), table.recycles) == (3, 1, 1)
    assert table.phase is Phase.DRAW
    alone = play(position(["9h 4c 4d", "Kc Kd"], pile="", stock="2s", **options), "ds", "dc 9h")
    assert menu(alone) == ["dd", "pass"]


def test_drawing_the_last_card_ends_nothing() -> None:
    """The seat plays on as usual. (edge 9)"""
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c", stock="4h"), "ds")
    assert table.phase is Phase.PLAY
    assert "m 4c4d4h" in menu(table)


def test_block_goes_on_while_discards_are_taken() -> None:
    """Only who declines the discard ends the deal. (edge 10)"""
    table = position(["9h 4c", "Kc Kd"], pile="5c", stock="", preset="block")
    play(table, "dd", "dc 9h", "dd", "dc Kc", "dd", "dc 4c")
    assert not table.over
    assert refusal(table, "ds") == "no-stock"
    play(table, "pass")
    assert [e.text for e in table.log[-3:]] == ["p1 pass", "d end blocked", "d sc +4 +0"]
    assert table.result().winner == 0  # 15 points against 19


def test_nobody_may_pass_while_cards_can_be_drawn() -> None:
    """Declining is not a way to end a deal early."""
    assert refusal(position(["9h 4c", "Kc"], pile="5c", stock="2s"), PASS) == "must-draw"
    assert refusal(position(["9h 4c", "Kc"], pile="5c", stock=""), PASS) == "must-draw"
    assert refusal(position(["9h 4c", "Kc"], pile="", stock="2s"), "dd") == "no-discard"


@pytest.mark.parametrize(
    ("options", "ending"),
    [
        ({"max_recycles": 0}, None),
        ({"max_recycles": 0, "limit_trigger": "immediate"}, "blocked"),
        ({"preset": "block", "limit_trigger": "immediate"}, "blocked"),
        ({"max_recycles": 0, "limit_trigger": "immediate", "limit_result": "stalemate_zero"}, "stalemate"),
    ],
)
def test_the_last_exhaustion(options: dict[str, Any], ending: str | None) -> None:
    """At the limit the deal goes on until somebody declines, or ends with the turn that emptied the stock."""
    table = play(position(["9h 4c 4d", "Kc Kd"], pile="5c", stock="2s", **options), "ds", "dc 9h")
    assert (table.result().ending if table.over else None) == ending


def test_a_limit_that_scores_nothing() -> None:
    """With ``stalemate_zero`` declining gives nobody points and nobody the deal."""
    table = position(["9h 4c", "Kc Kd"], pile="5c", stock="", max_recycles=0, limit_result="stalemate_zero")
    result = play(table, "pass").result()
    assert (result.ending, result.points, result.winner, result.scored) == ("stalemate", (0, 0), None, True)


def test_void_at_threshold() -> None:
    """The ninth stock draw of four players leaves two cards: the drawer finishes the turn, then the deal is void."""
    table = shuffled_table(4, 3, "flash-traditional")
    for _ in range(8):
        play(table, "ds", f"dc {hand_text(table, table.to_act)[:2]}")
    play(table, "ds")
    assert len(table.stock) == 2
    assert table.phase is Phase.PLAY
    play(table, f"dc {hand_text(table, table.to_act)[:2]}")
    result = table.result()
    assert (result.ending, result.points, result.scored, result.winner) == ("void", (0, 0, 0, 0), False, None)
    assert table.log[-2].text == "d end void"


def test_going_out_in_the_turn_that_reaches_the_threshold() -> None:
    """The turn is finished: who goes out in it has won."""
    table = play(position(["4c 4d", "Kc Kd"], pile="5c", stock="4h 2s 3s", preset="flash-traditional"), "ds", "m 4c4d4h")
    assert table.result().ending == "rummy"


# --- stalemate --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "melds", "pile", "options", "ends"),
    [
        (["2c", "3d"], ["KcKdKhKs"], "5h", {}, True),
        (["2c 9s", "3d"], ["KcKdKhKs"], "5h", {}, True),  # no three loose cards make a meld
        (["2c 2d", "3d"], ["KcKdKhKs"], "2h", {}, False),
        (["2c 2d", "3d"], ["KcKdKhKs"], "2h", {"must_discard_to_go_out": True}, True),  # three cards would leave none to throw
        (["2c", "3d"], ["KcKdKh"], "5h", {}, True),  # the fourth king is out of the game
        (["2c", "3d"], ["KcKdKh"], "Ks", {}, False),
        (["2c", "3d"], ["9h*1=ThJh"], "Th", {"jokers": 2}, False),
        (["2c", "3d"], ["9c9d9h*1=9s"], "9s", {"jokers": 2}, False),
        (["2c", "3d"], ["9c9d9h*1=9s"], "9s", {"jokers": 2, "joker_reuse": "none"}, True),
        (["2c", "3d"], ["9c9d9h"], "*2", {"jokers": 2}, False),
        (["2c", "3d"], ["9c9d9h9s"], "*2", {"jokers": 2}, True),
        (["2c 4c", "3d"], ["9c9d9h9s"], "*2", {"jokers": 2}, False),  # with two natural cards a joker makes a meld
    ],
)
def test_a_deal_that_nobody_can_win(
    hands: list[str],
    melds: list[str],
    pile: str,
    options: dict[str, Any],
    ends: bool,
) -> None:
    """The test of the specification: nothing fits the table, and hands are too small or no three cards make a meld."""
    table = position(hands, melds, pile=pile, stock="", stalemate_detection=True, **options)
    loose = [card(c) for c in " ".join([*hands, pile]).split()]
    everything = sum(c.mask for c in loose) | sum(m.meld.mask for m in table.laid)
    gone = [c for c in basic_rules(**options).pack.cards if not everything & c.mask]
    # Cards that are out of the game do not exist in a real deal; lay them on the table as melds that nothing fits.
    table.laid = (*table.laid, *[_dead(c.mask) for c in gone])
    assert table._nobody_can_finish() is ends


def _dead(mask: int) -> Any:
    from rummy_tourney.game.variants.basic import Laid
    from rummy_tourney.melds.model import Meld, MeldKind

    return Laid(Meld(MeldKind.SET, (), mask, ""), 0, -1, -1, 0)


def test_a_stalemate_ends_the_deal_for_nothing() -> None:
    """Found at the start of a turn: no points, nobody's deal, and it counts as a deal."""
    table = play(position(["2c", "3d"], ["KcKdKhKs"], stock="5h", stalemate_detection=True), "ds")
    used = sum(table.hands) | sum(m.meld.mask for m in table.laid)
    table.laid = (*table.laid, _dead(basic_rules().pack.mask & ~used))
    table.owners = (1, 1)
    result = play(table, "dc 5h").result()
    assert (result.ending, result.points, result.winner, result.scored) == ("stalemate", (0, 0), None, True)
    assert table.log[-2].text == "d end stalemate"


def test_stalemates_are_looked_for_only_where_agreed() -> None:
    """Without detection such a deal runs to the cap."""
    assert not position(["2c", "3d"], ["KcKdKhKs"], stock="5h").options.stalemate_detection


@pytest.mark.parametrize(("result", "points"), [("no_out_scoring", True), ("stalemate_zero", False)])
def test_the_cap_on_turns(result: str, points: bool) -> None:
    """A deal of bots that only draw and throw ends after ``max_turns`` turns, scored like a deal without a winner."""
    table = shuffled_table(2, 5, max_turns=40, limit_result=result)
    while not table.over:
        play(table, "ds", f"dc {hand_text(table, table.to_act)[:2]}")
    assert table.turns == 40
    assert table.result().ending == "turn-cap"
    assert any(points_of_deal(table)) == points
    assert table.log[-2].text == "d end turn-cap"


# --- other mistakes of the list --------------------------------------------------------------------------------------


def test_edge_2_the_ban_is_on_the_card_not_the_rank() -> None:
    """Another nine may be thrown."""
    assert menu(taking("9c 9d 4c 9h")) == ["dc 4c", "dc 9c", "dc 9d", "m 9c9d9h"]


@pytest.mark.parametrize(("ace_run", "expected"), [("low", []), ("high_or_low", []), ("round_corner", ["lo M1<Kh"])])
def test_edge_4_nothing_goes_below_a_low_ace(ace_run: str, expected: list[str]) -> None:
    """The king fits A-2-3 only round the corner."""
    table = playing("Kh 9c 9d", ["Ah2h3h"], other="Ks Kd", ace_run=ace_run)
    assert [text for text in menu(table) if text.startswith("lo")] == expected


def test_edge_4_nothing_goes_above_a_high_ace() -> None:
    """The two does not fit Q-K-A."""
    table = playing("2h 9c 9d", ["QhKhAh"], other="Ks Kd", ace_run="high_or_low")
    assert not [text for text in menu(table) if text.startswith("lo")]


def test_edge_12_cards_in_hand_count_even_if_they_would_meld() -> None:
    """Three kings in hand are thirty points."""
    table = play(playing("4c 4d 4h", other="Kc Kd Kh"), "m 4c4d4h")
    assert table.result().points == (30, 0)


def test_edge_16_the_value_of_an_ace_does_not_depend_on_its_use() -> None:
    """The option says 11, whether the hand's ace would go with a king or with a two."""
    for other in ("Ac Kc", "Ac 2c"):
        table = play(playing("4c 4d 4h", other=other, ace_value=11), "m 4c4d4h")
        assert table.result().points[0] == 11 + (10 if "K" in other else 2)


# --- the fault policy ------------------------------------------------------------------------------------------------


def test_default_actions() -> None:
    """Draw from the stock, throw what was drawn; where nothing can be drawn take the discard."""
    table = position(["9h 4c 4d", "Kc Kd"], pile="5c", stock="2s")
    table.substitute("to", "")
    assert [e.text for e in table.log[-2:]] == ["d to p0 -> p0 ds", "p0 ds 2s"]
    table.substitute("ill", "not-in-hand")
    assert [e.text for e in table.log[-2:]] == ["d ill p0 not-in-hand -> p0 dc 2s", "p0 dc 2s"]
    blocked = position(["9h 4c 4d", "Kc Kd"], pile="5c", stock="", preset="block")
    blocked.substitute("to", "")
    assert blocked.log[-1].text == "p0 dd 5c"
    blocked.substitute("to", "")
    assert blocked.log[-1].text == "p0 dc 9h"


def test_the_default_discard_after_the_drawn_card_has_gone() -> None:
    """The dearest natural card; a joker only if there is nothing else."""
    table = play(playing("9h 4c *1 8h", ["5h6h7h"], jokers=2), "lo M1>8h")
    table.substitute("to", "")
    assert table.log[-1].text == "p0 dc 9h"
    only = play(playing("*1 *2 8h", ["5h6h7h"], jokers=2), "lo M1>8h")
    only.substitute("to", "")
    assert only.log[-1].text == "p0 dc *1"


def test_the_default_where_nothing_may_be_thrown() -> None:
    """The one card that is left is laid off."""
    table = play(taking("4c 4d 4h 9h", ["6h7h8h"]), "m 4c4d4h")
    table.substitute("to", "")
    assert [e.text for e in table.log[-3:-1]] == ["d to p0 -> p0 lo M1>9h", "p0 lo M1>9h"]


@pytest.mark.parametrize(
    ("options", "acted", "cost"),
    [
        ({}, False, 20),
        ({"rummy_bonus": "double"}, False, 40),
        ({"rummy_bonus": "double"}, True, 20),  # the opponent has melded: it cannot go rummy any more
        ({"rummy_bonus": "flat_winner:10"}, False, 30),
        ({"rummy_bonus": "penalty_each:25"}, False, 45),
    ],
)
def test_forfeiting_is_never_cheaper_than_losing(options: dict[str, Any], acted: bool, cost: int) -> None:
    """A hand of twenty points, against the dearest finish of the opponent."""
    table = position(["Kc Kd", "9h 4c"], ["2c2d2h"] if acted else [], **options)
    assert table.forfeit_cost(0) == cost
    assert table.forfeit(0, 10).points == (-cost, cost)


def test_a_forfeit_in_a_penalty_game_is_a_penalty() -> None:
    """Where few points win, the offender is charged."""
    table = position(["Kc Kd", "9h 4c"], scoring="losers_penalty")
    assert table.forfeit(0, 100).points == (100, 0)


def test_no_card_is_lost_when_the_pile_comes_round() -> None:
    """Every card is in one place after every move of a deal that goes through all kinds of recycling."""
    for mode in ("turn_over", "reshuffle", "reshuffle_keep_top", "reshuffle_flip"):
        table = shuffled_table(3, 7, stock_exhaustion=mode, max_turns=300)
        while not table.over:
            play(table, "ds")
            play(table, f"dc {hand_text(table, table.to_act)[:2]}")
            assert all_cards(table) == basic_rules().pack.mask
        assert table.recycles > 3


@pytest.mark.parametrize(("mode", "stays"), [("reshuffle", 0), ("reshuffle_flip", 0), ("reshuffle_keep_top", 1)])
def test_a_reshuffle_is_asked_for_while_the_pile_still_lies(mode: str, stays: int) -> None:
    """A source of chance that answers from a record finds the cards that are shuffled as the first of the pile."""
    seen: list[list[int]] = []

    class Watching:
        """Looks at the table when it is asked, and leaves the order as it is."""

        def order(self, label: str, n: int) -> range:
            assert label == f"reshuffle/{len(seen) + 1}"
            seen.append(table.pile[:n])
            assert len(table.pile) == n + stays
            return range(n)

    rules = basic_rules(stock_exhaustion=mode, max_turns=200)
    table = rules.start(DealSetup(rules.pack.codes, 2, 1, chance=Watching()))
    while not table.over:
        play(table, "ds", f"dc {hand_text(table, table.to_act)[:2]}")
    renewed = [e.args.partition(" ")[2] for e in table.log if e.verb == "rs"]
    assert renewed == [join_cards([CARDS[code] for code in pile]) for pile in seen]
    assert len(renewed) > 2
