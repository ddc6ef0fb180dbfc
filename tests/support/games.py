"""Every game there is, ready to deal: for tests that hold for all of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rummy_tourney.game.actions import Action
from rummy_tourney.game.notation import read_action
from rummy_tourney.game.rules import DealSetup, Family, Rules, families
from rummy_tourney.game.table import Table
from rummy_tourney.game.view import SeatView
from rummy_tourney.seeding import SeededChance

Choose = Callable[[SeatView, random.Random], Action]
"""A player of one action at a time."""


@dataclass(frozen=True)
class Case:
    """A preset of a family at a table of a certain size."""

    family: str
    preset: str
    seats: int

    def __str__(self) -> str:
        return f"{self.family}-{self.preset}-{self.seats}"

    @property
    def game(self) -> Family:
        """The family."""
        return families()[self.family]

    @property
    def rules(self) -> Rules:
        """The rules of the preset."""
        return _rules(self.family, self.preset)

    def setup(self, number: int, deck: Sequence[int] | None = None) -> DealSetup:
        """The setup of a shuffled deal, the same for the same number; the last seat deals."""
        codes = self.rules.pack.codes
        if deck is None:
            deck = random.Random(f"{self} {number}").sample(codes, len(codes))
        key = number.to_bytes(32, "big")
        return DealSetup(deck, self.seats, self.seats - 1, number, number, (0,) * self.seats, SeededChance(key, number))

    def start(self, number: int = 0, deck: Sequence[int] | None = None) -> Table:
        """A table just dealt."""
        return self.rules.start(self.setup(number, deck))


@cache
def _rules(family: str, preset: str) -> Rules:
    game = families()[family]
    return game.make(game.parse(preset, {}))


def presets() -> Iterator[tuple[str, str]]:
    """Every family with each of its presets."""
    for name, family in families().items():
        for preset in family.presets:
            yield name, preset


def cases() -> list[Case]:
    """Every preset at a table of every legal size."""
    found = []
    for family, preset in presets():
        game = families()[family]
        found += [Case(family, preset, seats) for seats in game.seat_range(game.parse(preset, {}))]
    return found


def texts(table: Table) -> list[str]:
    """The moves so far."""
    return [event.text for event in table.log]


def play_out(table: Table, choose: Choose, rng: random.Random, limit: int = 20_000) -> list[Action]:
    """Play a deal to its end; answers the actions. More than ``limit`` of them are an endless deal."""
    played: list[Action] = []
    while not table.over:
        action = choose(table.view(), rng)
        table.apply(action)
        played.append(action)
        assert len(played) < limit, "this deal does not end"
    return played


def any_action(view: SeatView, rng: random.Random) -> Action:
    """Any legal action, each equally likely."""
    return rng.choice(view.legal_actions())


def replayed(table: Table, moves: Sequence[str]) -> Table:
    """Play recorded moves at a table just dealt; the log has to come out as recorded, also after every first part of them.

    What the engine says by itself is not applied: it comes with the seat's move before it or after it.
    """
    agreed = 0
    for position, move in enumerate(moves):
        actor, _, action = move.partition(" ")
        if position >= len(table.log) and actor != "d":
            assert actor == f"p{table.to_act}", f"{move} is not by the seat to act"
            table.apply(read_action(action))
        said = [event.text for event in table.log[agreed : position + 1]]
        assert said == list(moves[agreed : agreed + len(said)])
        agreed += len(said)
    return table
