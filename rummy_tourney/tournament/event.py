"""One event as a frozen value: what a spec says once it is known to be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rummy_tourney.bot.clock import Clock
from rummy_tourney.bot.loading import EntrySource
from rummy_tourney.bot.policy import FaultPolicy
from rummy_tourney.game.formats import MatchFormat


@dataclass(frozen=True, slots=True)
class Game:
    """The game of an event: family, preset if one was named, options object, players at a table."""

    family: str
    preset: str | None
    options: Any
    seats: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its id in records and paths, the name people see, where its bot comes from, its own options."""

    id: str
    display: str
    source: EntrySource
    options: Mapping[str, object]
    trusted: bool = False


@dataclass(frozen=True, slots=True)
class EventFormat:
    """Who meets whom, and in what. ``champions`` (gauntlet only) counts the first entries."""

    kind: str
    cycles: int
    champions: int | None
    match: MatchFormat
    common: bool


@dataclass(frozen=True, slots=True)
class Spec:
    """One event, known to be right. ``seed`` is ``None`` for a secret one; entries are in seeding order."""

    id: str
    name: str
    game: Game
    format: EventFormat
    entries: tuple[Entry, ...]
    faults: FaultPolicy
    clock: Clock
    seed: str | None
