"""How much better one built-in bot is than another: mirrored deals, paired by deck, with 99% intervals.

    python benchmarks/bench_strength.py [--family gin] [--game standard oklahoma] [--deals 4000] [--seats 2] [steady greedy]

Every deck is played once for each seat of the first bot, the second sits everywhere else. The lead of a deal is the first bot's
points above the mean of its table (below it where few points win); for two players with signed points that is just the first
bot's points. Averaging over the seats of a deck cancels the luck of the cards as far as it goes, so decks are the sample: the
interval is the mean of the decks' leads with 2.576 standard errors. Sums are exact and only what is printed is rounded.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tabulate import tabulate

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.loading import BotFactory
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.game.formats import fixed_dealer, rotated
from rummy_tourney.game.rules import DealResult, DealSetup, Family, families
from rummy_tourney.seeding import SeededChance, bot_random, bot_stream, deal_path, deck_order, root_from_seed

NORMAL_99 = 2.576
GAMES = {"gin": ["standard", "oklahoma", "straight"]}
"""What is measured unless ``--game`` says otherwise; of other families the first preset."""
PAIRS = [("steady", "greedy"), ("greedy", "random"), ("steady", "random")]


@dataclass
class Strength:
    """What two bots did: per deck the lead times the square of the seats, so that it is whole where points are."""

    seats: int
    leads: list[int | Fraction]
    won: int
    lost: int

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.leads) * self.seats

    def mean(self) -> Fraction:
        """The mean lead per deal."""
        return Fraction(sum(self.leads)) / (len(self.leads) * self.seats**2)

    def half_interval(self) -> float:
        """Half the width of the 99% interval of the mean, from the spread over decks."""
        n, scale = len(self.leads), self.seats**2
        spread = Fraction(sum(lead * lead for lead in self.leads)) / scale**2 - n * self.mean() ** 2
        return NORMAL_99 * math.sqrt(spread / (n - 1) / n)


class Bench:
    """A game that two bots are compared in."""

    def __init__(self, family: Family, preset: str, seats: int, seed: str) -> None:
        options = family.parse(preset, {})
        self.family = family
        self.preset = preset
        self.seats = seats
        self.rules = family.make(options)
        self.sign = -1 if family.scoring(options).low_wins else 1
        self.root = root_from_seed(seed)
        self.conduct = Conduct(PROFILES["strict"])
        self.factories = {name: BotFactory(name, cls, {}) for name, cls in builtins(family.name).items()}

    def compare(self, first: str, second: str, decks: int) -> Strength:
        """Play ``decks`` decks, each once for every seat of ``first``."""
        found = Strength(self.seats, [], 0, 0)
        for number in range(decks):
            total: int | Fraction = 0
            for rotation in range(self.seats):
                entries = rotated([first, *[f"{second} {k}" for k in range(1, self.seats)]], rotation)
                result = self.play(entries, number, rotation)
                place = entries.index(first)
                total += self.sign * (self.seats * result.points[place] - sum(result.points))
                found.won += result.winner == place
                found.lost += result.winner not in (None, place)
            found.leads.append(total)
        return found

    def play(self, entries: Sequence[str], number: int, rotation: int) -> DealResult:
        """One deal; a fault of a built-in is an error."""
        codes = self.rules.pack.codes
        path = deal_path("strength", self.preset)
        key, order = deck_order(self.root, path, number, len(codes))
        dealer = fixed_dealer(self.seats, number, mirrored=True)
        deck = [codes[place] for place in order]
        setup = DealSetup(deck, self.seats, dealer, number, number, (0,) * self.seats, SeededChance(key, number))
        players = [Player(entry, self.fresh(entry, number * self.seats + rotation)) for entry in entries]
        outcome = play_deal(self.rules.start(setup), players, self.conduct, self.rules.forfeit_points())
        assert not outcome.faults, outcome.faults[0]
        return outcome.result

    def fresh(self, entry: str, index: int) -> Any:
        """A new bot with dice of its own; ``entry`` is the name of a built-in, with a number for all but the first."""
        return self.factories[entry.partition(" ")[0]](
            rng=lambda: bot_random(self.root, entry, self.preset, index),
            stream=lambda: bot_stream(self.root, entry, self.preset, index),
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", help="two built-ins; by default steady, greedy and random in pairs")
    parser.add_argument("--family", default="gin", choices=list(families()))
    parser.add_argument("--game", nargs="*", help="presets of the family")
    parser.add_argument("--deals", type=int, default=4000, help="different decks, each played once for every seat")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="2026")
    given = parser.parse_args()
    if len(given.bots) not in (0, 2):
        parser.error("name two bots, or none")
    family = families()[given.family]
    known = builtins(given.family)
    pairs = [tuple(given.bots)] if given.bots else [pair for pair in PAIRS if set(pair) <= set(known)]
    rows = []
    for preset in given.game or GAMES.get(given.family, list(family.presets)[:1]):
        bench = Bench(family, preset, given.seats, given.seed)
        for first, second in pairs:
            began = time.process_time()
            found = bench.compare(first, second, given.deals)
            spent = (time.process_time() - began) / found.deals
            lead = [f"{float(found.mean()):+.2f}", f"± {found.half_interval():.2f}"]
            shares = [f"{100 * count / found.deals:.1f} %" for count in (found.won, found.lost)]
            rows.append([preset, first, second, given.deals, *lead, *shares, f"{1e3 * spent:.2f}"])
    heads = ["game", "bot", "against", "decks", "lead", "99 %", "won", "lost", "ms a deal"]
    print(tabulate(rows, heads, disable_numparse=True))


if __name__ == "__main__":
    main()
