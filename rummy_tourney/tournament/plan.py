"""What a worker needs to play any unit of an event: small, picklable, and the same in every process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rummy_tourney.bot.loading import EntrySource
from rummy_tourney.bot.policy import FaultPolicy
from rummy_tourney.game.formats import MatchFormat
from rummy_tourney.game.rules import Family, Rules, families


@dataclass(frozen=True, slots=True)
class EntryPlan:
    """One entry: the id the history knows it by, where its bot comes from, and the options it is given."""

    id: str
    source: EntrySource
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EventPlan:
    """One event, ready to be played.

    ``event`` is the slug in deal ids and chance paths. ``common`` says whether every match of a round plays the same cards.
    """

    event: str
    family: str
    preset: str | None
    options: Mapping[str, object]
    seats: int
    match: MatchFormat
    common: bool
    entries: tuple[EntryPlan, ...]
    policy: FaultPolicy
    format_kind: str
    format_settings: Mapping[str, object]

    @property
    def game(self) -> Family:
        """The family of the game."""
        return families()[self.family]

    def parsed_options(self) -> Any:
        """The options object of the game."""
        return self.game.parse(None, self.options)

    def rules(self) -> Rules:
        """The rules of the game with these options."""
        return self.game.make(self.parsed_options())

    @property
    def units_per_match(self) -> int:
        """Units of work in one match: its shuffles if mirrored, else one, the match itself."""
        return self.match.shuffles(self.seats) if self.match.mirrored else 1
