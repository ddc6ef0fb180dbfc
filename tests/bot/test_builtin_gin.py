"""The built-in bots of gin: they never err, always play the same, play the book's situations, and rank as their names say."""

import os
import subprocess
import sys
from statistics import fmean, stdev
from typing import Any

import pytest
from support.gin_tables import about_to_knock, gin_table, gin_view, knock_with, play, shuffled_table, to_the_wall, unused

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.builtin.gin_steady import completing
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.cards import CARDS
from rummy_tourney.game.notation import action_text
from rummy_tourney.game.variants.gin import GIN, GinTable
from rummy_tourney.melds import kernel
from rummy_tourney.seeding import Stream

HOUSE_RULES: dict[str, dict[str, Any]] = {
    **{preset: {"preset": preset} for preset in GIN.presets},
    "eleven cards": {"first_turn": "eleven_cards", "big_gin_bonus": 50, "layoff_mode": "auto"},
    "knock with three": {"knock_limit": 3, "wall_rule": "last_upcard_knock", "big_gin_bonus": 31},
    "straight to the wall": {"knock_limit": 0, "wall_rule": "last_upcard_knock", "ban_discard_back": False},
    "ace is one": {"preset": "oklahoma", "ace_rule": "one", "knock_limit_cap": 5, "gin_extra_boxes": 2},
    "short": {"max_turns": 30, "undercut_bonus": 10, "undercut_on_tie": False},
}
PAIRS = [
    ("steady", "steady"), ("steady", "greedy"), ("steady", "random"),
    ("greedy", "greedy"), ("greedy", "random"), ("random", "random"),
]  # fmt: skip


def bot(name: str, number: int = 0) -> Any:
    """A built-in bot; the number is that of its dice."""
    cls = builtins("gin")[name]
    return cls(stream=Stream("bot", number.to_bytes(32, "big"), 0, 0)) if name == "random" else cls()


def played(table: GinTable, *bots: Any) -> GinTable:
    """The deal played by two bots, without a fault."""
    players = [Player(f"seat {seat}", one) for seat, one in enumerate(bots)]
    outcome = play_deal(table, players, Conduct(PROFILES["strict"]), 50)
    assert outcome.faults == []
    return table


def texts(table: GinTable) -> list[str]:
    """The moves of a deal."""
    return [event.text for event in table.log]


def answer(table: GinTable, name: str = "steady") -> str:
    """What a bot that has just come to the table does."""
    reply = bot(name).act(gin_view(table))
    return action_text(reply[0] if isinstance(reply, (list, tuple)) else reply)


def drawn(hand: str, card: str, other: str = "", up: str = "", **options: Any) -> GinTable:
    """Seat 0 holds ``hand`` on its first turn and has just drawn ``card``; both refused the upcard."""
    return about_to_knock(hand, other or "".join(unused(hand, card, up)[:10]), up, card, **options)[0]


# --- no bot errs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_no_bot_ever_errs(name: str) -> None:
    """Hundreds of deals under every preset and odd house rules, every bot in both seats against every other."""
    for number in range(40):
        for one, other in PAIRS:
            table = shuffled_table(number, **HOUSE_RULES[name])
            bots = (bot(one, number), bot(other, number + 1))
            played(table, *(bots if number % 2 else bots[::-1]))
            assert table.over


@pytest.mark.parametrize("name", ["steady", "greedy"])
def test_the_same_cards_are_played_the_same(name: str) -> None:
    """Nothing but what a seat sees decides: twice the same log, also with bots that have played other deals before."""
    veterans = bot(name), bot(name)
    for number in range(30):
        fresh = played(shuffled_table(number), bot(name), bot(name))
        assert texts(played(shuffled_table(number), *veterans)) == texts(fresh)


def test_play_does_not_depend_on_the_process() -> None:
    """Another hash seed, the same deals."""
    script = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from support.gin_tables import shuffled_table\n"
        "from bot.test_builtin_gin import bot, played, texts\n"
        "print([texts(played(shuffled_table(n), bot('steady'), bot('greedy'))) for n in range(3)])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(answers) == 1


def test_a_bot_that_comes_late_knows_as_much() -> None:
    """What it remembers comes from the events alone: a fresh bot answers every decision like one that sat there."""
    for number in range(20):
        table = shuffled_table(number)
        seated = bot("steady"), bot("steady")
        while not table.over:
            view = gin_view(table)
            reply = seated[view.seat].act(view)
            assert bot("steady").act(view) == reply
            for action in reply if isinstance(reply, (list, tuple)) else [reply]:
                table.apply(action)


def test_one_bot_may_sit_on_both_sides() -> None:
    """A bot that plays against itself does not mix up what its two seats know."""
    for number in range(10):
        both = bot("steady")
        apart = played(shuffled_table(number), bot("steady"), bot("steady"))
        assert texts(played(shuffled_table(number), both, both)) == texts(apart)


# --- the book's situations ----------------------------------------------------------------------------------------------


def test_completing_is_what_makes_a_meld_of_two() -> None:
    """Against the kernel's list of melds: the cards not held with which the hand has a new meld of three."""
    for number in range(50):
        hand = shuffled_table(number).hands[0]
        slow = 0
        for code in range(52):
            one = CARDS[code].mask & ~hand
            if any(m & one and m.bit_count() == 3 for m in kernel.candidate_melds(hand | one)):
                slow |= one
        assert completing(hand) == slow


def test_throws_the_king_before_the_five() -> None:
    """Of loose cards that nothing can be built on, the dear one goes first."""
    assert answer(drawn("3c 4c 5c 8h 9h Th As 7d 5s Kc", "2h", up="Ad")) == "dc Kc"


def test_keeps_a_pair_of_kings_early_and_throws_the_lone_queen() -> None:
    """Two kings can still become a set, a queen alone cannot."""
    assert answer(drawn("3c 4c 5c 8h 9h Th Ks Kd Qc 2s", "6d", up="Ad")) == "dc Qc"


def test_a_pair_with_both_others_gone_is_no_pair() -> None:
    """Kings or jacks: the pair whose other two cards lie in the discard pile is broken up, otherwise the loose eight goes."""
    hand, other = "2c 3c 4c 7h 8h 9h Ks Kd Js Jd", "Kc Jc Ac 6c Ad 5d 9d 3s 6s 9s"
    for up, thrown, answered in (("Kh", "Kc", "dc Kd"), ("Jh", "Jc", "dc Jd"), ("6d", "5d", "dc 8s")):
        table = play(gin_table(hand, other, up, "As 2d 8s"), "pass", "pass", "ds", "dc As", "ds", f"dc {thrown}", "ds")
        assert answer(table) == answered


def test_does_not_feed_what_the_opponent_collects() -> None:
    """The opponent took a king: of a king and a queen the queen goes; it took a queen: the king goes."""
    for took, thrown in (("Kd", "Qh"), ("Qd", "Ks")):
        table = gin_table("2c 3c 4c 6h 7h 8h Ks Qh Ac 5d", "9c Tc Js Jd 3h 3d 7s 9s 4s 6d", took, "8c")
        play(table, "pass", "dd", "dc 6d", "ds")
        assert answer(table) == f"dc {thrown}"


def test_throws_what_the_opponent_has_let_pass() -> None:
    """It drew from the stock over our jack, so another jack is safe; over our queen, another queen."""
    for passed, thrown in (("Jd", "Jc"), ("Qd", "Qh")):
        table = gin_table("2c 3c 4c 6h 7h 8h Jc Qh Jd Qd", "9c Tc 7d 9d 3h 3d 7s 9s 4s 6d", "Ad", "Ac 5d 2d")
        play(table, "pass", "pass", "ds", f"dc {passed}", "ds", "dc 5d", "ds")
        assert answer(table) == f"dc {thrown}"


def test_throws_what_the_opponent_throws() -> None:
    """It threw a jack, so it keeps no jacks and ours goes; it threw a king: our king goes."""
    for theirs, thrown in (("Js", "Jh"), ("Ks", "Kd")):
        table = gin_table("2c 3c 4c 6h 7h 8h Jh Kd 2d 9s", "9c Tc 7d 9d 3h 3d 7s Js 4s Ks", "Ad", "Ac 5d 2s")
        play(table, "pass", "pass", "ds", "dc 9s", "ds", f"dc {theirs}", "ds")
        assert answer(table) == f"dc {thrown}"


@pytest.mark.parametrize(("up", "steady", "greedy"), [("Jd", "dd", "dd"), ("As", "pass", "dd"), ("Qs", "pass", "pass")])
def test_takes_the_upcard_for_a_meld_and_not_for_a_few_points(up: str, steady: str, greedy: str) -> None:
    """A third jack is taken; an ace instead of a king only by greedy; a queen that fits nothing by nobody."""
    table = gin_table("2c 3c 4c 7h 9h Tc Js Jc Kd 5d", "6c 6d 8c 8d 8s Qd Qh 4h 4s 9s", up)
    assert (answer(table), answer(table, "greedy")) == (steady, greedy)


def test_takes_a_card_that_ends_the_hand() -> None:
    """An ace that melds with nothing, but brings the hand from eleven points to one while that is early enough to knock."""
    table = gin_table("2c 2d 2h 7c 7d 7h Js Jd Jc Ks", "3c 4d 5h 6s 8c 9d Tc Qd Kh 8h", "As", undercut_bonus=10)
    assert answer(table) == "dd"


THREE_SETS_AND_A_TEN = "2c 2d 2h 7c 7d 7h Js Jd Jc Ts"
SCATTERED = "Ac 3d 4h 5s 8c 9d Qh Kc Kh 6h"


def answers_by_turn(**options: Any) -> list[str]:
    """What steady does on its first four turns with three sets and a ten, if it threw a useless card each time instead."""
    table = play(gin_table(THREE_SETS_AND_A_TEN, SCATTERED, "9s", "Kd Qd 8s 8h 5d 5c 4d 4s", **options), "pass", "pass", "ds")
    answers = [answer(table)]
    for mine, yours in (("Kd", "Qd"), ("8s", "8h"), ("5d", "5c")):
        play(table, f"dc {mine}", "ds", f"dc {yours}", "ds")
        answers.append(answer(table))
    return [text.split(" [")[0] for text in answers]


def test_knocks_early_with_ten_and_later_plays_for_gin() -> None:
    """Three cards would make gin: from the third turn on they and a possible undercut outweigh a knock."""
    assert answers_by_turn() == ["kn Kd", "kn Ts", "dc Ts", "dc Ts"]


def test_a_cheap_undercut_is_risked_longer() -> None:
    """At ten points an undercut instead of twenty-five, it knocks two turns more."""
    assert answers_by_turn(undercut_bonus=10) == ["kn Kd", "kn Ts", "kn Ts", "kn Ts"]


def test_straight_gin_is_played_for_gin_only() -> None:
    """Without knocking the loose card goes."""
    assert answers_by_turn(preset="straight") == ["dc Kd", "dc Ts", "dc Ts", "dc Ts"]


def test_plays_for_gin_with_many_cards_to_make_it() -> None:
    """Three open runs and an ace: six cards make gin, so it goes on from the first turn, where greedy knocks."""
    table = drawn("4c 5c 6c 8h 9h Th 5s 6s 7s Ad", "Kd", up="2d")
    assert answer(table) == "dc Kd"
    assert answer(table, "greedy").startswith("kn Kd")


@pytest.mark.parametrize("name", ["steady", "greedy"])
def test_goes_gin_and_big_gin_where_it_is_played(name: str) -> None:
    """Eleven melded cards are big gin in the modern game, and gin in the standard one."""
    hand = "4c 5c 6c 7c 8h 9h Th Jh 3s 3d"
    assert answer(drawn(hand, "3h", up="2d", preset="modern"), name) == "bgin [4c5c6c7c][3d3h3s][8h9hThJh]"
    gin = drawn(hand, "3h", up="2d")
    played(gin, bot(name), bot("random"))
    assert gin.result().ending == "gin"


def test_at_the_wall_it_knocks_with_next_to_nothing() -> None:
    """The last discard makes gin: taken. It leaves two points: taken. It leaves three: let pass, where greedy takes it."""
    for hand, last, steady in (
        ("2c 2d 2h 7c 7d 7h Js Jd Jc 9s", "Jh", "dd"),
        ("4c 5c 6c 7c 7d 7h Js Jd Jc 9s", "2h", "dd"),
        ("4c 5c 6c 7c 7d 7h Js Jd Jc 9s", "3h", "pass"),
    ):
        first = "Ac 3d 4h 5s 8c 9d Qh Kc Kh 6h"
        rest = unused(first, hand, last)
        table = gin_table(first, hand, rest[0], " ".join(rest[1:29]) + last, wall_rule="last_upcard_knock")
        assert answer(to_the_wall(table)) == steady
        assert answer(table, "greedy") == "dd"


@pytest.mark.parametrize("name", ["steady", "greedy"])
def test_defends_jointly_with_melds_and_lay_offs(name: str) -> None:
    """Vector GR-6 of the rules: four lay-offs and the set of deuces leave nine, an undercut of a knock with ten."""
    table, thrown = about_to_knock("5s6s7s9cTcJcKsKcKdJd", "Ac2s2c2d2h7c8c8d8s9s")
    knock_with(table, thrown, "[5s6s7s][9cTcJc][KsKcKd]")
    for action in bot(name).act(gin_view(table)):
        table.apply(action)
    assert table.result().deadwood == (10, 9)
    assert table.result().points == (-26, 26)


# --- strength -----------------------------------------------------------------------------------------------------------


def lead(one: str, other: str, decks: int, **options: Any) -> tuple[float, float]:
    """Mean points per deal of ``one`` over mirrored decks of a fixed series, and their standard error over decks."""
    found = []
    for number in range(decks):
        first = played(shuffled_table(number, **options), bot(one, number), bot(other, number)).result().points[0]
        second = played(shuffled_table(number, **options), bot(other, number), bot(one, number)).result().points[1]
        found.append(float(first + second) / 2)
    return fmean(found), stdev(found) / decks**0.5


def test_greedy_is_far_stronger_than_random() -> None:
    """By dozens of points a deal, also with three standard errors less."""
    mean, error = lead("greedy", "random", 150)
    assert mean - 3 * error > 30


@pytest.mark.parametrize("preset", ["standard", "straight"])
def test_steady_is_stronger_than_greedy(preset: str) -> None:
    """By a clear margin: more than two standard errors on decks it was not tuned on."""
    mean, error = lead("steady", "greedy", 300, preset=preset)
    assert mean - 2 * error > 0


@pytest.mark.calibration
@pytest.mark.parametrize("preset", list(GIN.presets))
def test_steady_is_stronger_than_greedy_in_every_preset(preset: str) -> None:
    """By more than its 99% interval over two thousand mirrored decks."""
    mean, error = lead("steady", "greedy", 2000, preset=preset)
    assert mean - 2.576 * error > 0
