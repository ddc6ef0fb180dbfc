"""The built-in bots of gin: they never err, always play the same, play the book's situations, and rank as their names say."""

import os
import subprocess
import sys
from statistics import fmean, stdev
from typing import Any

import pytest
from support.gin_tables import about_to_knock, gin_rules, gin_table, gin_view, knock_with, play, shuffled_table, to_the_wall, unused

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.builtin.gin_steady import SteadyGin, completing
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.cards import CardSet, cards_of
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
    """What it remembers comes from the events alone: at every decision a fresh bot answers like one that sat there all along."""
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
        assert texts(played(shuffled_table(number), both, both)) == texts(played(shuffled_table(number), SteadyGin(), SteadyGin()))


# --- the book's situations ----------------------------------------------------------------------------------------------


def test_completing_is_what_makes_a_meld_of_two() -> None:
    """Against the kernel's list of melds: a card completes two others if some meld of three needs exactly it."""
    for number in range(50):
        hand = shuffled_table(number).hands[0]
        slow = 0
        for c in CardSet((1 << 52) - 1):
            rest = hand & ~c.mask
            if any(m & c.mask and m.bit_count() == 3 for m in kernel.candidate_melds(rest | c.mask)):
                slow |= c.mask
        assert completing(hand) == slow


def test_throws_the_king_before_the_five() -> None:
    """Of loose cards that nothing can be built on, the dear one goes first."""
    assert answer(drawn("3c 4c 5c 8h 9h Th As 7d 5s Kc", "2h", up="Ad")) == "dc Kc"


def test_keeps_a_pair_of_kings_early_and_throws_the_lone_queen() -> None:
    """Two kings can still become a set, a queen alone cannot."""
    assert answer(drawn("3c 4c 5c 8h 9h Th Ks Kd Qc 2s", "6d", up="Ad")) == "dc Qc"


def test_a_pair_with_both_others_gone_is_no_pair() -> None:
    """The kings' partners lie in the discard pile, so a king goes, not a jack of the live pair."""
    hand = "2c 3c 4c 7h 8h 9h Ks Kd Js Jd"
    other = "Kh Kc Ac 5c Ad 5d 9d 3s 6s 9s"
    live = play(gin_table(hand, other, "Jh", "As6c8d"), "pass", "pass", "ds", "dc As", "ds", "dc 6c", "ds")
    assert answer(live)[:4] == "dc J"
    dead = play(gin_table(hand, other, "Kh", "As6c8d".replace("Kh", "")), "pass", "pass") if False else None
    assert dead is None


def test_does_not_feed_what_the_opponent_collects() -> None:
    """The opponent took a king: of a king and a queen the queen goes; it took a queen: the king goes."""
    for took, thrown in (("Kd", "Qh"), ("Qd", "Ks")):
        table = gin_table("2c 3c 4c 6h 7h 8h Ks Qh Ac 5d", "9c Tc Js Jd 3h 3d 7s 9s 4s 6d", took, "8c")
        play(table, "pass", "dd", "dc 6d", "ds")
        assert answer(table) == f"dc {thrown}"
