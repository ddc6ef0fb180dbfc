"""Basic rummy: how much better one built-in bot is than another. Mirrored deals, the mean lead with its 99% interval.

    python benchmarks/bench_strength_basic.py [--deals 2000] [--preset pagat-basic] [--seats 2] [steady greedy]

Every deck is played once for each seat of the first bot, the second sits everywhere else. The lead is the points of the first
bot less the mean of the others (in penalty games the other way round), averaged over the seats of a deck.
"""

from __future__ import annotations

import argparse
import time
from statistics import fmean, stdev

from tabulate import tabulate

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.game.rules import DealSetup, Rules, find_game
from rummy_tourney.seeding import SeededChance, Stream, order

NORMAL_99 = 2.576


def make(name: str, number: int) -> object:
    """A built-in bot; ``random`` gets its own dice."""
    cls = builtins("basic")[name]
    return cls(stream=Stream("bot", number.to_bytes(32, "big"), 0, 0)) if name == "random" else cls()


def lead(rules: Rules, one: str, other: str, deals: int, seats: int = 2, start: int = 0) -> tuple[float, float]:
    """Mean lead per deal of ``one`` over ``other``, and half its 99% interval, over ``deals`` decks from ``start`` on."""
    sign = -1 if rules.start(_setup(rules, seats, 0)).low_wins else 1
    conduct = Conduct(PROFILES["strict"])
    found = []
    for number in range(start, start + deals):
        sums = 0.0
        for place in range(seats):
            names = [one if seat == place else other for seat in range(seats)]
            players = [Player(f"{name} {seat}", make(name, 10 * number + seat)) for seat, name in enumerate(names)]
            outcome = play_deal(rules.start(_setup(rules, seats, number)), players, conduct, 100)
            assert not outcome.faults, outcome.faults[0]
            points = [float(p) for p in outcome.result.points]
            sums += sign * (points[place] - (sum(points) - points[place]) / (seats - 1))
        found.append(sums / seats)
    return fmean(found), NORMAL_99 * stdev(found) / deals**0.5


def _setup(rules: Rules, seats: int, number: int) -> DealSetup:
    key = number.to_bytes(32, "big")
    codes = rules.pack.codes
    deck = [codes[place] for place in order("deck", key, 0, len(codes))]
    return DealSetup(deck, seats, seats - 1, number, number, (0,) * seats, SeededChance(key, 0))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="*", default=[])
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--preset", default="pagat-basic")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--start", type=int, default=0)
    given = parser.parse_args()
    pairs = [tuple(given.bots)] if given.bots else [("steady", "greedy"), ("greedy", "random")]
    family, _ = find_game("basic")
    rules = family.make(family.parse(given.preset, {}))
    rows = []
    for one, other in pairs:
        began = time.process_time()
        mean, half = lead(rules, one, other, given.deals, given.seats, given.start)
        spent = (time.process_time() - began) / given.deals / given.seats
        rows.append([one, other, given.preset, given.seats, given.deals, f"{mean:+.2f}", f"± {half:.2f}", f"{1e3 * spent:.2f}"])
    print(tabulate(rows, ["bot", "against", "preset", "seats", "decks", "lead", "99 %", "ms a deal"], disable_numparse=True))


if __name__ == "__main__":
    main()
