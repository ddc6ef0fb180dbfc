"""Gin at the table: phases, refusals with their reason codes, and the hands that other programs got wrong.

Numbers in brackets such as [A6] are entries of the project's list of faults seen in other rummy programs; their deadwood
values were computed there by brute force.
"""

import random
from collections.abc import Callable

import pytest
from oracles import melds_twin as twin
from oracles.hands import biased_hand
from support.gin_tables import (
    about_to_knock,
    defend_best,
    gin_table,
    gin_view,
    knock_with,
    menu,
    play,
    refusal,
    shuffled_table,
    snapshot,
    to_the_wall,
    unused,
)

from rummy_tourney.cards import CARDS, card, split_cards
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import PASS, Action, BigGin, Discard, Knock, LayOff, Show
from rummy_tourney.game.variants.gin import GinTable
from rummy_tourney.game.view import Phase
from rummy_tourney.melds.model import Meld, MeldKind, Spot, meld, spot

OTHER = "KcKdKh JcJdJh 8c 9d 3d 4c"


def knocks(table: GinTable) -> set[str]:
    """The cards that can be thrown to knock."""
    return {a.split()[1] for a in menu(table) if a.startswith("kn ")}


def other_hand(*texts: str) -> str:
    """Any ten cards that none of ``texts`` names."""
    return "".join(unused(*texts)[-10:])


# --- the first upcard ------------------------------------------------------------------------------------------------


def test_the_first_seat_is_asked_first() -> None:
    """The non-dealer may take the upcard or pass."""
    table = shuffled_table()
    assert (table.phase, table.to_act, len(table.stock)) == (Phase.UPCARD, 0, 31)
    assert menu(table) == ["dd", "pass"]
    assert refusal(table, "ds") == "wrong-phase"


def test_after_one_pass_the_dealer_is_asked() -> None:
    """The dealer gets the same offer."""
    table = play(shuffled_table(), "pass")
    assert (table.phase, table.to_act) == (Phase.UPCARD, 1)
    assert menu(table) == ["dd", "pass"]


def test_after_two_passes_the_first_seat_must_draw() -> None:
    """[D5] The refused upcard stays in the pile and cannot be taken now."""
    table = play(shuffled_table(), "pass", "pass")
    assert (table.phase, table.to_act) == (Phase.FORCED, 0)
    assert menu(table) == ["ds"]
    assert refusal(table, "dd") == "wrong-phase"
    assert refusal(table, "pass") == "wrong-phase"
    assert len(table.pile) == 1


def test_after_the_dealer_took_the_upcard_play_goes_on_as_usual() -> None:
    """The first seat, having passed, then has an ordinary turn."""
    table = play(shuffled_table(), "pass", "dd")
    assert (table.phase, table.to_act) == (Phase.SHED, 1)
    play(table, next(a for a in menu(table) if a.startswith("dc")))
    assert (table.phase, table.to_act) == (Phase.DRAW, 0)
    assert menu(table) == ["ds", "dd"]


def test_knocking_on_the_very_first_turn() -> None:
    """The first seat may take the upcard and knock at once."""
    table = gin_table("As2s3s4h5h6h9c9dKdQh", other_hand("As2s3s4h5h6h9c9dKdQh9h"), "9h")
    play(table, "dd", "kn Kd [As2s3s][4h5h6h][9c9d9h]")
    assert (table.turns, table.knock_deadwood) == (0, 10)


# --- throwing --------------------------------------------------------------------------------------------------------


def test_discarding_the_card_just_taken_from_the_pile_is_refused() -> None:
    """Taking the upcard and throwing it straight back would be a free pass."""
    table = play(shuffled_table(), "dd")
    assert refusal(table, f"dc {table.log[-1].args}") == "banned-discard"


def test_a_card_drawn_from_the_stock_may_be_thrown_at_once() -> None:
    """The ban is for the discard pile only."""
    table = play(shuffled_table(), "pass", "pass", "ds")
    play(table, f"dc {table.log[-1].args}")


def test_the_ban_is_lifted_in_the_next_turn() -> None:
    """A card kept for a turn may be thrown later."""
    table = play(shuffled_table(), "dd")
    taken = table.log[-1].args
    play(table, next(a for a in menu(table) if a.startswith("dc")), "ds")
    play(table, f"dc {table.log[-1].args}", "ds", f"dc {taken}")


def test_the_banned_card_may_not_be_thrown_to_knock_either() -> None:
    """[A6] Ten points in hand and Kd taken: throwing it back is no knock; no other discard leaves ten or less."""
    table = play(gin_table("4s5s6s9h9d9cAs2d3c4h", other_hand("4s5s6s9h9d9cAs2d3c4hKd"), "Kd"), "dd")
    assert refusal(table, "kn Kd [4s5s6s][9c9d9h]") == "banned-discard"
    assert refusal(table, "dc Kd") == "banned-discard"
    assert knocks(table) == set()


def test_four_wrong_cards_have_four_reasons() -> None:
    """[F10] Taken from the pile this turn, not held, thrown and melded at once, laid already: each has its own code."""
    table = play(gin_table("4s5s6s9h9d9c As2d3c4h", "7s8h9s KcQdKh JcJdJh 2s", "Td"), "dd")
    seen = [refusal(table, "dc Td"), refusal(table, "dc Ks"), refusal(table, "kn 6s [4s5s6s][9c9d9h]")]
    play(table, "dc 4h", "ds")
    play(table, f"dc {table.log[-1].args}", "ds", "kn Td [4s5s6s][9c9d9h]", "lo M1>7s")
    seen.append(refusal(table, "lo M1>7s"))
    assert seen == ["banned-discard", "not-in-hand", "used-twice", "already-laid"]
    assert refusal(table, "sh [7s8s9s]") == "already-laid"


# --- knocking --------------------------------------------------------------------------------------------------------

# Hands of eleven cards, the knock limit, and for each card that can be thrown to knock the deadwood that is left.
ELEVEN = [
    pytest.param("2c5d6d7dAh5h6h7h2s5s7s", 10, {"7s": 10}, id="A1"),
    pytest.param("8c3d4d5d6dAh2h3h8h3s8s", 0, {"3s": 0}, id="A2"),
    pytest.param("Ac2c2dAh2h3hThJhQhAs2s", 0, {"3h": 0}, id="A4"),
    pytest.param("3s5s6s3c6c5d6d4h5h6h7h", 10, {"7h": 10}, id="OpenSpiel says 11, true 10"),
    pytest.param("3s4s5s6s2c5c6c2h4h5h6h", 9, {"6c": 9}, id="OpenSpiel says 11, true 9"),
    pytest.param("3h3s4d4h4s5d5h5s6c6d6h", 0, {"6c": 0}, id="OpenSpiel says 3, true gin"),
]


@pytest.mark.parametrize(("hand", "limit", "expected"), ELEVEN)
def test_every_discard_is_tried_for_a_knock(hand: str, limit: int, expected: dict[str, int]) -> None:
    """[A1 A2 A4 A8] A knock is judged by the cards left after each discard; melding eleven first and then dropping is wrong."""
    held = [c.text for c in split_cards(hand)]
    table, _ = about_to_knock("".join(held[:10]), other_hand(hand), draw=held[10], knock_limit=limit)
    assert knocks(table) == set(expected)
    for thrown, deadwood in expected.items():
        play(table, f"kn {thrown}")
        assert table.knock_deadwood == deadwood


def test_oklahoma_gin_with_the_ace_that_set_the_limit() -> None:
    """[A2] The ace makes the limit 0; taken, it makes gin by throwing 3s."""
    table = gin_table("8c3d4d5d6d2h3h8h3s8s", other_hand("8c3d4d5d6dAh2h3h8h3s8s"), "Ah", preset="oklahoma")
    play(table, "dd", "kn 3s [8c8h8s][3d4d5d6d][Ah2h3h]")
    assert table.ending == "gin"


@pytest.mark.parametrize("banned", [False, True])
@pytest.mark.parametrize("limit", [0, 4, 10])
def test_the_menu_is_that_of_brute_force(limit: int, banned: bool) -> None:
    """[A8, property 1] Every throwable card with every choice of melds within the limit, and nothing else."""
    rng = random.Random(100 * limit + banned)
    for _ in range(60):
        hand = biased_hand(rng, 11)
        names = [CARDS[code].text for code in hand]
        first, last = "".join(names[:10]), names[10]
        other = "".join(rng.sample(unused(*names), 10))
        table = gin_table(first, other, last if banned else "", "" if banned else last, knock_limit=limit)
        play(table, "dd") if banned else play(table, "pass", "pass", "ds")
        cards = frozenset(twin.from_code(code) for code in hand)
        throwable = cards - {twin.from_code(hand[10])} if banned else cards
        expected = {
            (CARDS[twin.to_code(thrown)].text, frozenset(map(twin.to_mask, melds)))
            for thrown in throwable
            for melds in twin.arrangements(cards - {thrown}, limit)
        }
        legal = table.legal_actions()
        offered = [(a.card.text, frozenset(m.mask for m in a.melds)) for a in legal if isinstance(a, Knock)]
        assert len(offered) == len(set(offered))
        assert set(offered) == expected
        assert {a.card.code for a in legal if isinstance(a, Discard)} == {twin.to_code(c) for c in throwable}


GIN_HANDS = [
    "6hQhQc5hKdKh7hKc4hQd", "Kc3s3c9cKh3h9h3d9dKd", "Tc2h3h2sTd5h3s4h4sTs", "5s4h6sTh3hJh5h9h2h4s", "AcAsAh2c2h2s3c3h3s4h",
    "As2s3s4s5s6s7s8s9sTs",
]  # fmt: skip


@pytest.mark.parametrize("hand", GIN_HANDS)
def test_gin_hands(hand: str) -> None:
    """[A9 A13 A15] Hands that a greedy melder misses are gin, and may still be played on."""
    table, drawn = about_to_knock(hand, other_hand(hand), knock_limit=0)
    assert f"dc {drawn}" in menu(table)
    play(table, f"kn {drawn}")
    assert (table.ending, table.knock_deadwood) == ("gin", 0)
    assert table.log[-1].verb == "gin"


def test_a_run_of_ten_is_one_meld_if_it_is_claimed_so() -> None:
    """[A15] Ten in a row may be claimed whole; split in two or three it is gin as well."""
    hand = "As2s3s4s5s6s7s8s9sTs"
    for melds in (f"[{hand}]", "[As2s3s4s][5s6s7s8s9sTs]", "[As2s3s][4s5s6s][7s8s9sTs]"):
        table, drawn = about_to_knock(hand, other_hand(hand))
        knock_with(table, drawn, melds)
        assert table.ending == "gin"


def test_gin_is_a_choice() -> None:
    """[A7] With gin in hand one may go gin, play on, and where it is played go big gin."""
    table, _ = about_to_knock("2s3s4s5s8c8d8hTsJsQs", OTHER.replace("8c", "7c"), draw="6s", big_gin_bonus=31)
    verbs = {a.split()[0] for a in menu(table)}
    assert verbs == {"dc", "kn", "bgin"}
    play(table, "dc 6s")
    assert (table.phase, table.to_act) == (Phase.DRAW, 1)


def test_a_knock_that_leaves_melds_unclaimed_is_not_gin() -> None:
    """[C7] Holding 4-5-6, Q-Q-Q and A-2-3 with the last unclaimed, one knocks with six."""
    table, drawn = about_to_knock("4s5s6sQcQdQhQsAh2h3h", other_hand("4s5s6sQcQdQhQsAh2h3h"), draw="Kc")
    knock_with(table, drawn, "[4s5s6s][QcQdQhQs]")
    assert (table.ending, table.knock_deadwood, table.log[-1].verb) == ("knock", 6, "kn")


def test_the_choice_of_melds_decides_whether_a_knock_is_legal() -> None:
    """[A11] Two runs leave 8d; the set of eights instead leaves 26, too much."""
    hand = "6s7s8s6c7c8c8d AhAdAc"
    table, drawn = about_to_knock(hand, other_hand(hand), draw="Kh")
    assert refusal(table, f"kn {drawn} [8c8d8s][AcAdAh]") == "too-much-deadwood"
    knock_with(table, drawn, "[6s7s8s][6c7c8c][AcAdAh]")
    assert table.knock_deadwood == 8


@pytest.mark.parametrize("melds", ["[AcAhAs][2c2h2s][3c3h3s]", "[Ac2c3c][Ah2h3h][As2s3s]"])
def test_two_arrangements_with_the_same_deadwood(melds: str) -> None:
    """[A12] Three runs or three sets: ten points are left either way, and both are legal claims."""
    hand = "AcAsAh2c2h2s3c3h3sKd"
    table, drawn = about_to_knock(hand, other_hand(hand), draw="Qc")
    knock_with(table, drawn, melds)
    assert table.knock_deadwood == 10


def test_exactly_ten_is_allowed_and_eleven_is_not() -> None:
    """[A17] The limit is ten or less, not less than ten."""
    for last, legal in (("4h", True), ("5h", False)):
        hand = f"4s5s6s9h9d9cAs2d3c{last}"
        table, _ = about_to_knock(hand, other_hand(hand, "Qs"), draw="Qs")
        assert ("Qs" in knocks(table)) is legal


def test_a_knock_with_nothing_melded_is_impossible() -> None:
    """[A16] The hand with the most deadwood, 98, cannot knock; nor can any hand without a meld."""
    table, drawn = about_to_knock("KsKcQdQhJsJcTdTh9s9c", other_hand("KsKcQdQhJsJcTdTh9s9c"), draw="2d")
    assert knocks(table) == set()
    assert refusal(table, f"kn {drawn}") == "too-much-deadwood"
    assert to_the_wall(gin_table("KsKcQdQhJsJcTdTh9s9c", other_hand("KsKcQdQhJsJcTdTh9s9c"))).result().deadwood[0] == 98


def test_the_ace_is_low_only() -> None:
    """[A18] Q-K-A and K-A-2 are no melds, though king and ace stand next to each other in the codes."""
    hand = "QsKsAs2s7h7d7c4c5d9h"
    table, drawn = about_to_knock(hand, other_hand(hand), draw="Jd")
    for melds in ("[QsKsAs]", "[KsAs2s]"):
        assert refusal(table, f"kn {drawn} {melds}") == "not-a-meld"
    assert to_the_wall(gin_table(hand, other_hand(hand))).result().deadwood[0] == 41


def test_king_and_ace_of_the_next_suit_are_no_run() -> None:
    """Kc and Ad have neighbouring codes and nothing else in common."""
    table = knocked("JcQcKc2d3d4d7h7s7c5s", "[JcQcKc][2d3d4d][7c7h7s]", "AdQh2c4h6s8sTs9h5c6h")
    assert refusal(table, "lo M1>Ad") == "does-not-fit"
    assert [a for a in menu(table) if a.startswith("lo")] == ["lo M2<Ad"]


BAD_CLAIMS = [
    pytest.param("kn Qs [4s5s6s][8c8d8h]", "not-in-hand", id="not held"),
    pytest.param("kn Qs [4s5s6s][4s5s6s]", "overlap", id="the same meld twice"),
    pytest.param("kn 9h [4s5s6s][9c9d9h]", "used-twice", id="thrown and melded"),
    pytest.param("kn Qs [4s5s6s]", "too-much-deadwood", id="too much deadwood"),
    pytest.param("kn Kd [4s5s6s][9c9d9h]", "not-in-hand", id="thrown but not held"),
    pytest.param("bgin [4s5s6s][9c9d9h]", "not-played", id="big gin"),
    pytest.param("sh [4s5s6s]", "wrong-phase", id="show"),
    pytest.param("lo M1>7s", "wrong-phase", id="lay-off"),
    pytest.param("m 4s5s6s", "wrong-phase", id="meld"),
    pytest.param("pass", "wrong-phase", id="pass"),
    pytest.param("ds", "wrong-phase", id="second draw"),
]


@pytest.mark.parametrize(("move", "reason"), BAD_CLAIMS)
def test_one_reason_for_each_bad_claim(move: str, reason: str) -> None:
    """[F6] Every way a knock can be wrong has its own code and changes nothing."""
    hand = "4s5s6s9h9d9cAs2d3c4h"
    table, _ = about_to_knock(hand, other_hand(hand, "QsKd"), draw="Qs")
    assert refusal(table, move) == reason


def test_overlapping_melds() -> None:
    """[F6] A card in two claimed melds is refused, whatever the deadwood."""
    table, drawn = about_to_knock("4s5s6s7s7h7d7cAs2d3c", OTHER, draw="Qs")
    assert refusal(table, f"kn {drawn} [4s5s6s7s][7c7d7h7s]") == "overlap"


SEVENS = tuple(Spot(card(t), card(t)) for t in ("7c", "7d", "7h"))
FALSE_MELDS: list[Callable[[], object]] = [
    lambda: Meld(MeldKind.RUN, SEVENS, meld("7c7d7h").mask, "7c7d7h"),
    lambda: Meld(MeldKind.SET, SEVENS, meld("9c9d9h").mask, "9c9d9h"),
    lambda: Meld(MeldKind.SET, (), 0, ""),
    lambda: meld("5s6s*1=7s"),
    lambda: meld("5s.2 6s.2 7s.2"),
    lambda: "4s5s6s",
    lambda: None,
]


@pytest.mark.parametrize("make", FALSE_MELDS)
def test_melds_that_are_none(make: Callable[[], object]) -> None:
    """Jokers, a second pack, and objects that only look like melds are refused as such."""
    table, drawn = about_to_knock("4s5s6s7h7d7cAs2d3c4h", OTHER, draw="Qs")
    claim: tuple[object, ...] = (meld("4s5s6s"), make())
    assert refusal(table, Knock(card(drawn), claim)) == "not-a-meld"  # type: ignore[arg-type]  # that is the point


def test_order_of_claimed_melds_does_not_matter() -> None:
    """[B1, property 4] The melds may be claimed in any order; only their numbers change."""
    points = set()
    for melds in ("[7c7d7h][4s5s6s]", "[4s5s6s][7c7d7h]"):
        table, drawn = about_to_knock("7c7d7h4s5s6sAcAdAh8d", "7s8sKcKdKhJcJdJh2h3c", draw="Qs")
        knock_with(table, drawn, f"{melds}[AcAdAh]")
        points.add(defend_best(table).points)
        assert table.counted == 5
    assert points == {(-28, 28)}


# --- lay-offs --------------------------------------------------------------------------------------------------------


def knocked(knocker: str, melds: str, defender: str, draw: str = "") -> GinTable:
    """A table at the defender's turn to lay off."""
    table, drawn = about_to_knock(knocker, defender, draw=draw)
    return knock_with(table, drawn, melds)


BEST_DEFENCES = [
    pytest.param(
        "AsAcAdJsQsKsTcTdTh2h", "[AcAdAs][JsQsKs][TcTdTh]", "4s5s9sTs4c5c4d5d4h5h", 0, (-27, 27), id="B2"
    ),
    pytest.param("7s8s9s5c6c7cAhAcAd2h", "[7s8s9s][5c6c7c][AcAdAh]", "6d7d8d9d5h6h7h8h9h6s", 0, (-27, 27), id="B7"),
    pytest.param("5c6c7c8c5d6d7d8dAh2h", "[5c6c7c8c][5d6d7d8d]", "9cTc3d9d4h5h6h7h8h9h", 3, (-25, 25), id="B8"),
]  # fmt: skip


@pytest.mark.parametrize(("knocker", "melds", "defender", "counted", "points"), BEST_DEFENCES)
def test_best_defence(knocker: str, melds: str, defender: str, counted: int, points: tuple[int, int]) -> None:
    """[B2 B7 B8] Lay-offs and own melds are chosen together; own melds first, or sets first, would cost points."""
    table = knocked(knocker, melds, defender, draw="Ks" if "Ks" not in knocker else "Qh")
    result = defend_best(table)
    assert (table.counted, result.points) == (counted, points)


def test_chains_of_any_length() -> None:
    """[B3 B4] 7, 8 and 9 follow each other on 4-5-6, and 3, 2, A on its low end."""
    table = knocked("4s5s6sQcQdQhKcKdKhAc", "[4s5s6s][QcQdQh][KcKdKh]", "7s8s9s2sAs3s9h6d3c4c")
    assert refusal(table, "lo M1>8s") == "does-not-fit"
    play(table, "lo M1>7s", "lo M1>8s", "lo M1<3s", "lo M1>9s", "lo M1<2s", "lo M1<As")
    assert refusal(table, "lo M1<Ks") == "not-in-hand"
    play(table, "sh")
    assert table.counted == 9 + 6 + 3 + 4
    assert table.log[-2].text == "p1 sh 3c4c6d9h"


def test_the_card_names_its_meld_and_its_end() -> None:
    """[B15] 7s fits the sevens and the spade run: the move says which; a wrong end or meld is refused."""
    table = knocked("7c7d7h4s5s6sAcAdAh2c", "[7c7d7h][4s5s6s][AcAdAh]", "7s8sKcKdKhJcJdJhAs3c")
    assert {"lo M1+7s", "lo M2>7s", "lo M3+As"} <= set(menu(table))
    for move in ("lo M2<7s", "lo M2+7s", "lo M1>7s", "lo M3+7s", "lo M2>8s", "lo M1+Kc"):
        assert refusal(table, move) == "does-not-fit"
    for move in ("lo M4+7s", "lo M0+7s"):
        assert refusal(table, move) == "no-such-meld"
    play(table, "lo M2>7s", "lo M2>8s")


def test_nothing_fits_a_set_of_four_or_the_end_of_the_ranks() -> None:
    """[B14] Four of a rank are complete, and a run ends at ace and king."""
    table = knocked("7c7d7h7sJsQsKsAh2h3h", "[7c7d7h7s][JsQsKs]", "AsTc8s8h6sKcKdJcJd4h")
    assert [a for a in menu(table) if a.startswith("lo")] == []
    for move in ("lo M1+8s", "lo M2>As", "lo M2<As", "lo M1>8s"):
        assert refusal(table, move) == "does-not-fit"


def test_a_joker_is_never_laid_off() -> None:
    """Gin has no jokers: a lay-off of one is refused, whatever it is said to be."""
    table = knocked("4s5s6sQcQdQhKcKdKhAc", "[4s5s6s][QcQdQh][KcKdKh]", "7s8s9s2sAs3s9h6d3c4c")
    assert refusal(table, LayOff(1, ">", spot("*1=7s"))) == "not-in-hand"
    assert refusal(table, LayOff(1, ">", spot("8s!=7s"))) == "not-in-hand"


def test_a_defender_may_break_up_a_meld_of_his_own() -> None:
    """[B16] It costs him points and is not repaired: the broken set then counts in full."""
    table = knocked("7c7d7h4s5s6sQcQdQh2c", "[7c7d7h][4s5s6s][QcQdQh]", "KsKcKd7s8s9s3c3d3h2h")
    play(table, "lo M2>7s", "sh [3c3d3h][KcKdKs]")
    assert table.counted == 8 + 9 + 2
    assert table.result().points == (17, -17)


def test_a_defender_may_show_less_than_he_has() -> None:
    """What is not claimed counts as deadwood."""
    table = knocked("7c7d7h4s5s6sQcQdQh2c", "[7c7d7h][4s5s6s][QcQdQh]", "KsKcKd3c3d3h4h5h6h2h")
    assert refusal(table, "sh [3c3d3h][3h4h5h6h]") == "overlap"
    assert refusal(table, "sh [AcAdAh]") == "not-in-hand"
    play(table, "sh [KcKdKs]")
    assert table.counted == 9 + 15 + 2


def test_the_show_ends_the_deal() -> None:
    """[B17] Lay-offs come before the show; after it nothing more is possible."""
    table = knocked("7c7d7h4s5s6sQcQdQh2c", "[7c7d7h][4s5s6s][QcQdQh]", "KsKcKd7s8s9s3c3d3h2h")
    play(table, "sh")
    assert table.over
    assert refusal(table, "lo M2>7s") == "deal-over"


@pytest.mark.parametrize("action", [Show(None), Show((None,)), PASS, LayOff(1, ">", None), Discard(None)])  # type: ignore[arg-type]  # junk on purpose
def test_null_melds_after_a_knock(action: Action) -> None:
    """[F5] A defender that answers nothing is refused; the table stands as it was."""
    table = knocked("7c7d7h4s5s6sQcQdQh2c", "[7c7d7h][4s5s6s][QcQdQh]", "KsKcKd7s8s9s3c3d3h2h")
    before = snapshot(table)
    with pytest.raises((IllegalAction, TypeError, AttributeError)):
        table.apply(action)
    assert snapshot(table) == before


def test_no_lay_off_against_gin_even_to_get_rid_of_everything() -> None:
    """[B13] The defender could go to 0, and may not: he pays the gin bonus and his deadwood."""
    table = knocked("4s5s6sQcQdQhKcKdKhKs", "[4s5s6s][QcQdQh][KcKdKhKs]", "7s3sAcAdAh2c2d2h2sQs")
    assert refusal(table, "lo M1>7s") == "no-lay-off"
    assert defend_best(table).points == (25 + 20, -45)


def test_gin_against_a_defender_without_deadwood() -> None:
    """The gin bonus is scored also when the defender has nothing left over."""
    table = knocked("4s5s6sQcQdQhKcKdKhKs", "[4s5s6s][QcQdQh][KcKdKhKs]", "AcAdAh2c2d2h3c3d3h3s")
    result = defend_best(table)
    assert (result.ending, result.points, result.parts[0]) == ("gin", (25, -25), {"gin": 25, "deadwood": 0})


def test_a_defender_without_deadwood_undercuts_and_gets_no_gin_bonus() -> None:
    """Only a knocker can go gin."""
    table = knocked("4s5s6sQcQdQhKcKdKhAs", "[4s5s6s][QcQdQh][KcKdKh]", "AcAdAh2c2d2h3c3d3h3s")
    result = defend_best(table)
    assert (result.ending, result.points) == ("undercut", (-26, 26))
    assert result.parts[1] == {"undercut": 25, "deadwood": 1}


def test_c_3_a_hand_another_program_scored_for_the_knocker() -> None:
    """[C3] Ten against eight is an undercut."""
    table, _ = about_to_knock("4s5s6s9h9d9cAs2d3c4h", "AcAdAh7s8s9s2h3h4d2c", draw="Kc")
    play(table, "kn Kc [4s5s6s][9c9d9h]")
    result = defend_best(table)
    assert (result.ending, result.deadwood) == ("undercut", (10, 8))


# --- the wall --------------------------------------------------------------------------------------------------------


def wall_table(hand: str, last: str, **options: object) -> GinTable:
    """A table where the dealer holds ``hand`` and the first seat has just thrown ``last``, two cards being left."""
    first = other_hand(hand, last)
    spare = unused(hand, last, first)
    table = gin_table(first, hand, spare[0], "".join(spare[1:29]) + last, **options)  # type: ignore[arg-type]  # any option
    return to_the_wall(table)


D3 = ("As2s3s4s5s6s7s8sQhKh", "Jh")


def test_the_stock_is_never_drawn_below_two() -> None:
    """The hand is dead as soon as a turn without a knock leaves two cards, same result for both."""
    table = to_the_wall(shuffled_table(5))
    assert len(table.stock) == 2
    assert table.turns == 29
    assert [e.text for e in table.log[-2:]] == ["d end wall", "d sc +0 +0"]
    result = table.result()
    assert (result.ending, result.points, result.winner, result.scored, result.boxes) == ("wall", (0, 0), None, False, 0)


def test_the_fiftieth_card_may_be_knocked_with() -> None:
    """A knock on the turn that took the stock to two counts normally."""
    hand = "4s5s6s9h9d9cAs2d3c4h"
    table = play(gin_table(hand, other_hand(hand)), "pass", "pass")
    for _ in range(28):
        play(table, "ds")
        play(table, f"dc {table.log[-1].args}")
    play(table, "ds")
    assert (len(table.stock), table.to_act) == (2, 0)
    play(table, f"kn {table.log[-1].args}")
    assert defend_best(table).scored


def test_three_cards_in_the_stock_are_not_the_wall() -> None:
    """A turn that takes the upcard at three stock cards leaves three: play goes on, and the next draw ends it."""
    table = play(shuffled_table(6), "pass", "pass")
    for _ in range(28):
        play(table, "ds")
        play(table, f"dc {table.log[-1].args}")
    assert len(table.stock) == 3
    play(table, "dd")
    play(table, next(a for a in menu(table) if a.startswith("dc")))
    assert (len(table.stock), table.phase) == (3, Phase.DRAW)
    play(table, "ds")
    play(table, next(a for a in menu(table) if a.startswith("dc")))
    assert table.result().ending == "wall"


def test_at_the_wall_the_last_discard_may_be_taken_to_knock() -> None:
    """[D3] All eleven cards meld; As, 4s, 5s and 8s keep gin, 2s leaves 1, 3s 3 and 7s 8, and 6s would leave 15."""
    table = wall_table(*D3, preset="openspiel")
    assert (table.phase, table.to_act) == (Phase.WALL, 1)
    assert menu(table) == ["pass", "dd"]
    assert refusal(table, "ds") == "wrong-phase"
    play(table, "dd")
    assert table.phase is Phase.WALL_KNOCK
    assert refusal(table, "dc As") == "must-knock"
    assert refusal(table, "dd") == "wrong-phase"
    left = {}
    for thrown in knocks(table):
        again = play(wall_table(*D3, preset="openspiel"), "dd", f"kn {thrown}")
        left[thrown] = again.knock_deadwood
    assert left == {"As": 0, "4s": 0, "5s": 0, "8s": 0, "2s": 1, "3s": 3, "7s": 8}


def test_at_the_wall_a_hand_that_cannot_knock_can_only_pass() -> None:
    """The last discard is no way to play on."""
    table = wall_table("KsKcQdQhJsJcTdTh9s9c", "2d", wall_rule="last_upcard_knock")
    assert menu(table) == ["pass"]
    assert refusal(table, "dd") == "cannot-knock"
    play(table, "pass")
    assert [e.text for e in table.log[-3:]] == ["p1 pass", "d end wall", "d sc +0 +0"]


def test_at_the_wall_passing_with_a_gin_hand_is_allowed() -> None:
    """Nobody has to knock."""
    table = play(wall_table(*D3, preset="openspiel"), "pass")
    assert table.result().ending == "wall"


@pytest.mark.parametrize(("ban", "menu_at_the_wall"), [(True, ["pass"]), (False, ["pass", "dd"])])
def test_at_the_wall_the_taken_card_itself_is_thrown_only_without_the_ban(ban: bool, menu_at_the_wall: list[str]) -> None:
    """Ten points in hand: the knock has to throw the card just taken."""
    table = wall_table("4s5s6s9h9d9cAs2d3c4h", "Kd", wall_rule="last_upcard_knock", ban_discard_back=ban)
    assert menu(table) == menu_at_the_wall
    if not ban:
        play(table, "dd", "kn Kd")
        assert table.knock_deadwood == 10


def test_at_the_wall_big_gin() -> None:
    """Where big gin is played the last discard may also make eleven melded cards."""
    table = wall_table(*D3, wall_rule="last_upcard_knock", big_gin_bonus=50, knock_limit=0)
    play(table, "dd", "bgin [As2s3s4s5s6s7s8s][JhQhKh]")
    assert table.ending == "big-gin"


# --- endless play ----------------------------------------------------------------------------------------------------


def test_two_bots_that_always_take_the_upcard_end() -> None:
    """[D1] Swapping discards for ever ends at the cap, with every card still there."""
    table = shuffled_table(7)
    while not table.over:
        play(table, "dd")
        play(table, next(a for a in menu(table) if a.startswith("dc")))
    assert (table.turns, table.result().ending) == (200, "turn-cap")


# --- what each seat sees ---------------------------------------------------------------------------------------------


def test_the_defender_sees_the_knock_and_the_knocker_does_not_see_the_hand() -> None:
    """[F1 F3] Melds, loose cards and deadwood of the knocker are on the table; the defender's hand is not."""
    table = knocked("7c7d7h4s5s6sQcQdQh2c", "[7c7d7h][4s5s6s][QcQdQh]", "KsKcKd7s8s9s3c3d3h2h")
    view = gin_view(table)
    assert [meld_of(m) for m in view.table_melds] == ["7c7d7h", "4s5s6s", "QcQdQh"]
    assert (view.knocked_with, view.knocker_loose, view.phase) == (2, card("2c").mask, Phase.LAYOFF)
    assert table.seen[0][1].text == "d deal p1 " + "??" * 10
    assert not any("Ks" in e.text for e in table.seen[0][1:])
    play(table, "lo M2>7s", "sh [3c3d3h][KcKdKs]")
    assert [e.text for e in table.seen[0][-3:]] == ["p1 lo M2>7s", "p1 sh [3c3d3h][KcKdKs] 2h8s9s", "d sc +17 -17"]


def meld_of(mask: int) -> str:
    """The text of a meld's cards, by code."""
    return "".join(CARDS[code].text for code in range(52) if mask >> code & 1)


def test_lay_offs_show_in_the_next_view() -> None:
    """The defender sees the melds as they have grown."""
    table = knocked("4s5s6sQcQdQhKcKdKhAc", "[4s5s6s][QcQdQh][KcKdKh]", "7s8s9s2sAs3s9h6d3c4c")
    play(table, "lo M1>7s")
    assert meld_of(gin_view(table).table_melds[0]) == "4s5s6s7s"
    assert "lo M1>8s" in menu(table)


def test_a_drawn_card_is_seen_by_its_owner_alone() -> None:
    """A card from the stock is hidden, a card from the pile is not."""
    table = play(shuffled_table(8), "pass", "pass", "ds")
    drawn = table.log[-1].args
    assert table.seen[0][-1].text == f"p0 ds {drawn}"
    assert table.seen[1][-1].text == "p0 ds ??"
    play(table, f"dc {drawn}", "dd")
    assert table.seen[0][-1].text == table.seen[1][-1].text == f"p1 dd {drawn}"


def test_the_hidden_form_of_a_draw_is_one_object() -> None:
    """Were there one object per card, a bot in the same process could tell the card from its identity."""
    hidden = set()
    for number in range(20):
        table = play(shuffled_table(number), "pass", "pass", "ds")
        hidden.add(id(table.seen[1][-1]))
    assert len(hidden) == 1


def test_the_view_carries_the_options() -> None:
    """[F4] A bot is given the rules in force, not their name."""
    view = gin_view(shuffled_table(9, "oklahoma", gin_bonus=20))
    assert view.deal.options == shuffled_table(9, "oklahoma", gin_bonus=20).options
    assert (view.deal.family, view.deal.dealer, view.deal.first, view.deal.seats) == ("gin", 1, 0, 2)


# --- Oklahoma --------------------------------------------------------------------------------------------------------


def test_the_limit_is_that_of_the_first_upcard_only() -> None:
    """Later discards neither change the limit nor double the hand."""
    table = gin_table("4h5h6h9c9d9sKcKdKh5d", "2h2c7d8dTcJcQhAd3c6s", "3h", "4s7s", preset="oklahoma")
    play(table, "pass", "pass", "ds", "dc 4s")
    assert (gin_view(table).limit, table.doubled) == (3, False)
    play(table, "ds", "dc 7s", "ds")
    assert refusal(table, f"kn {table.log[-1].args} [4h5h6h][9c9d9s][KcKdKh]") == "too-much-deadwood"


def test_the_knockers_discard_does_not_double() -> None:
    """A spade thrown to knock is only a discard."""
    table, _ = about_to_knock("4h5h6h9c9d9sKcKdKh3c", "2h2c7d8dTcJcQhAd6s5c", up="8h", draw="Qs", preset="oklahoma")
    play(table, "kn Qs")
    assert defend_best(table).points[0] == 2 + 2 + 7 + 8 + 10 + 10 + 10 + 1 + 6 + 5 - 3


def test_a_new_deal_sets_a_new_limit() -> None:
    """Limit and doubling belong to the deal, not to the table."""
    limits = {up: gin_table("4h5h6h9c9d9sKcKdKh5d", "2h2c7d8dTcJcQhAd3c6s", up, preset="oklahoma") for up in ("2s", "Jd")}
    assert {up: (t.limit, t.doubled) for up, t in limits.items()} == {"2s": (2, True), "Jd": (10, False)}


def test_with_limit_0_nothing_is_ever_laid_off() -> None:
    """Only gin ends such a hand, and gin allows no lay-off."""
    table = gin_table("4h5h6h9c9d9sKcKdKh9h", "3h7hAd2d6d8dTcJcQh2c", "Ac", "Qs", preset="oklahoma")
    play(table, "pass", "pass", "ds", "kn Qs")
    assert refusal(table, "lo M1<3h") == "no-lay-off"


def test_big_gin_in_one_of_each_phase() -> None:
    """Big gin with a card of the pile is as good as with one of the stock."""
    table = gin_table("2s3s4s5s8c8d8hTsJsQs", OTHER.replace("8c", "7c"), "6s", big_gin_bonus=31)
    play(table, "dd")
    assert refusal(table, "bgin [2s3s4s5s][8c8d8h][TsJsQs]") == "too-much-deadwood"
    table.apply(BigGin((meld("2s3s4s5s6s"), meld("8c8d8h"), meld("TsJsQs"))))
    assert table.ending == "big-gin"
