"""Who meets whom. One module per format; each registers a system with :func:`pairing_system`.

A system is a pure function of the spec and of the results of earlier rounds: asked for a round twice it answers the same, and
resuming a run is asking again. Rounds and tables count from 1.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match: the entries of one table in one round. The first entry named sits first."""

    round: int
    table: int
    entries: tuple[str, ...]

    @property
    def key(self) -> str:
        """``round/table``: unique in an event, and what a resumed run looks for."""
        return f"{self.round}/{self.table}"


@dataclass(frozen=True, slots=True)
class Field:
    """What a system may know before the first card: the entries in seeding order and the format's own settings."""

    entries: tuple[str, ...]
    seats: int
    settings: Mapping[str, object]


class PairingSystem(Protocol):
    """The rounds of one event."""

    def next_round(self, number: int) -> Sequence[Pairing] | None:
        """The pairings of round ``number`` (from 1), or ``None`` when the event is over."""


_SYSTEMS: dict[str, Callable[[Field], PairingSystem]] = {}
_LOADED = False


def pairing_system(
    kind: str,
) -> Callable[[Callable[[Field], PairingSystem]], Callable[[Field], PairingSystem]]:
    """Register the maker of a system under the ``format.kind`` of the spec; refuses a kind that is taken."""

    def register(make: Callable[[Field], PairingSystem]) -> Callable[[Field], PairingSystem]:
        if kind in _SYSTEMS:
            raise ValueError(f"a pairing system for {kind!r} is registered already")
        _SYSTEMS[kind] = make
        return make

    return register


def pairing_systems() -> Mapping[str, Callable[[Field], PairingSystem]]:
    """Every system by kind, in alphabetical order."""
    global _LOADED  # noqa: PLW0603 - the registry is filled once per process, on first use
    if not _LOADED:
        for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
            importlib.import_module(f"{__name__}.{module}")
        _LOADED = True
    return dict(sorted(_SYSTEMS.items()))


class FixedRounds:
    """A system whose rounds are all known beforehand."""

    def __init__(self, rounds: Sequence[Sequence[tuple[str, ...]]]) -> None:
        self._rounds = rounds

    def next_round(self, number: int) -> Sequence[Pairing] | None:
        """The pairings of round ``number``, or ``None`` after the last."""
        if number > len(self._rounds):
            return None
        tables = self._rounds[number - 1]
        return [Pairing(number, table, entries) for table, entries in enumerate(tables, 1)]
