"""Basic rummy: deals per CPU second of one core, built-in bots against themselves. Prints medians.

    python benchmarks/bench_basic.py [--rounds 5] [--deals 400]

``play`` is deal, ask, check, play and score; ``turns`` are those of a deal on average. All rates are per second of
``time.process_time`` of one process. There is no peer to compare with: no public engine plays this game with lay-offs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from tabulate import tabulate

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.game.rules import DealSetup, find_game
from rummy_tourney.seeding import SeededChance, order

TABLES = (
    ("greedy", "pagat-basic", 4),
    ("greedy", "pagat-basic", 2),
    ("greedy", "bicycle", 4),
    ("greedy", "flash-traditional", 4),
    ("steady", "pagat-basic", 4),
    ("steady", "pagat-basic", 2),
)


def play(bot: str, preset: str, seats: int, deals: int) -> Callable[[], int]:
    """Deals of a fixed series at one table; answers the turns played."""
    family, _ = find_game("basic")
    rules = family.make(family.parse(preset, {}))
    codes = rules.pack.codes
    setups = []
    for number in range(deals):
        key = number.to_bytes(32, "big")
        deck = [codes[place] for place in order("deck", key, 0, len(codes))]
        setups.append(DealSetup(deck, seats, seats - 1, number, number, (0,) * seats, SeededChance(key, 0)))

    def run() -> int:
        conduct = Conduct(PROFILES["league"])
        players = [Player(f"seat {seat}", builtins("basic")[bot]()) for seat in range(seats)]
        turns = 0
        for setup in setups:
            table = rules.start(setup)
            play_deal(table, players, conduct, 100)
            turns += table.turns
        return turns

    return run


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deals", type=int, default=400)
    given = parser.parse_args()
    runs = {table: play(*table, given.deals if table[0] == "greedy" else given.deals // 4) for table in TABLES}
    seconds: dict[tuple[str, str, int], list[float]] = {table: [] for table in TABLES}
    turns = {}
    for _ in range(given.rounds + 1):
        for table, run in runs.items():
            began = time.process_time()
            turns[table] = run()
            seconds[table].append(time.process_time() - began)
    rows = []
    for table in TABLES:
        deals = given.deals if table[0] == "greedy" else given.deals // 4
        median = statistics.median(seconds[table][1:])
        rows.append([*table, f"{deals / median:.0f}", f"{turns[table] / deals:.1f}", f"{1e6 * median / turns[table]:.1f}"])
    print(tabulate(rows, ["bot", "preset", "seats", "deals/s", "turns a deal", "µs a turn"], disable_numparse=True))


if __name__ == "__main__":
    main()
