"""Gin hands per CPU second, ours against peers, interleaved in one run. Prints medians and ratios.

    python benchmarks/bench_gin.py [--rounds 5]

Peers are measured if they are installed: OpenSpiel's simple gin bot as documented and with cloned initial states, RLCard's
novice rule agent. All rates are per second of ``time.process_time`` of one process.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Discard, Knock
from rummy_tourney.game.rules import DealSetup, find_game
from rummy_tourney.game.variants.gin import GinView, best_defence_actions
from rummy_tourney.game.view import Phase
from rummy_tourney.melds import best_discard, deadwood, knock_arrangement
from rummy_tourney.render.progress import Silent
from rummy_tourney.tournament.runner import begin, finish
from rummy_tourney.tournament.spec import spec_from_mapping

HANDS = 2000
RECORDED = 6000
"""Deals of a whole run: enough that reading the spec and syncing files do not count for much."""


class UserBot:
    """What a newcomer would write with the package's evaluators."""

    def act(self, view: GinView):
        """Least deadwood."""
        if view.phase is Phase.SHED:
            hand = view.hand
            card, left = best_discard(hand, banned=view.banned)
            if left <= view.limit:
                return Knock(card, knock_arrangement(hand - card).melds)
            return Discard(card)
        if view.phase is Phase.LAYOFF:
            return best_defence_actions(view)
        if view.phase is Phase.FORCED:
            return DRAW_STOCK
        hand = view.hand
        card, left = best_discard(hand | view.upcard)
        if card is not view.upcard and left < deadwood(hand):
            return TAKE_DISCARD
        return PASS if view.phase is Phase.UPCARD else DRAW_STOCK


def decks(n: int) -> list[list[int]]:
    """Seeded decks."""
    dice = random.Random(7)
    return [dice.sample(range(52), 52) for _ in range(n)]


def play_only(bot: Callable[[], object]) -> Callable[[], int]:
    """Deal, ask, check, play, score; no record."""
    family, _ = find_game("gin")
    rules = family.make(family.parse("standard", {}))
    cards = decks(HANDS)

    def run() -> int:
        conduct = Conduct(PROFILES["league"])
        for deck in cards:
            players = [Player("a", bot()), Player("b", bot())]
            play_deal(rules.start(DealSetup(deck, 2, 1)), players, conduct, 50)
        return len(cards)

    return run


def recorded(bots: list[str]) -> Callable[[], int]:
    """A whole run: shuffles, play, records, chain, compression, standings, files."""

    def run() -> int:
        with tempfile.TemporaryDirectory() as place:
            loaded = spec_from_mapping(
                {
                    "name": "bench", "game": "gin", "seed": "1",
                    "format": {"kind": "match", "match": {"deals": RECORDED, "mirrored": True}}, "players": bots,
                },
                base_dir=Path(__file__).parent,
            )  # fmt: skip
            finish(begin(loaded, Path(place) / "run", Path(place)), 1, Silent())
        return RECORDED

    return run


def openspiel(*, clone: bool) -> Callable[[], int] | None:
    """OpenSpiel's simple gin bot against itself."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("gin_rummy")
    first = game.new_initial_state()
    start = first.clone if clone else game.new_initial_state
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), p) for p in (0, 1)]

    def run() -> int:
        dice = random.Random(1)
        for _ in range(HANDS // 8):
            state = start()
            for bot in bots:
                bot.restart()
            while not state.is_terminal():
                if state.is_chance_node():
                    legal = state.legal_actions()
                    state.apply_action(legal[int(dice.random() * len(legal))])
                else:
                    state.apply_action(bots[state.current_player()].step(state))
        return HANDS // 8

    return run


def rlcard_novice() -> Callable[[], int] | None:
    """RLCard's novice rule agents through its documented loop."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import rlcard
            from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent
        except ImportError:
            return None
    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([GinRummyNoviceRuleAgent() for _ in range(2)])

    def run() -> int:
        for _ in range(HANDS // 60):
            env.run(is_training=False)
        return HANDS // 60

    return run


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    from rummy_tourney.bot.builtin import builtins

    greedy = builtins("gin")["greedy"]
    todo = {
        "recorded end to end, greedy": recorded(["greedy", {"name": "greedy 2", "bot": "greedy"}]),
        "play only, greedy": play_only(greedy),
        "play only, a user's bot on the evaluators": play_only(UserBot),
        "OpenSpiel simple bot, as documented": openspiel(clone=False),
        "OpenSpiel simple bot, cloned states": openspiel(clone=True),
        "RLCard novice agents": rlcard_novice(),
    }
    rates: dict[str, list[float]] = {name: [] for name, run in todo.items() if run is not None}
    for _ in range(rounds + 1):
        for name, run in todo.items():
            if run is None:
                continue
            began = time.process_time()
            count = run()
            rates[name].append(count / (time.process_time() - began))
    medians = {name: statistics.median(found[1:]) for name, found in rates.items()}
    peers = [name for name in medians if name.startswith(("OpenSpiel", "RLCard", "play only, g"))]
    rows = []
    for name, median in medians.items():
        rows.append([name, f"{median:.0f}", *[f"{median / medians[peer]:.1f}" for peer in peers]])
    print(tabulate(rows, ["", "hands/s", *[f"/ {peer}" for peer in peers]], disable_numparse=True))


if __name__ == "__main__":
    main()
