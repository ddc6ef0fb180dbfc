"""The contract of a variant, and the registry of game families.

A new game is one file in ``game/variants/`` that calls :func:`register` and its tests; nothing else needs to know it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from rummy_tourney.cards import Pack
from rummy_tourney.errors import UsageError
from rummy_tourney.game import variants
from rummy_tourney.game.options import DataclassOptions, nearest_hint, parse_options

if TYPE_CHECKING:
    from rummy_tourney.game.table import Table

Points = int | Fraction


class Chance(Protocol):
    """Where a table gets an order it cannot know beforehand: a reshuffle. From the seed in play, from the log on replay."""

    def order(self, label: str, n: int) -> Sequence[int]:
        """A permutation of ``range(n)`` for the purpose named by ``label`` (``reshuffle/1``, ``reshuffle/2`` …)."""


class DealSetup(Struct, frozen=True):
    """All that is decided before the first card is dealt.

    ``deck`` holds card codes, top first. ``scores`` are the points of the match so far, one per seat.
    ``number`` counts the deals of the match from 0, dead ones included; ``scored`` counts only those that changed
    the score table's deal counter (six-deal games look at it).
    """

    deck: Sequence[int]
    seats: int
    dealer: int
    number: int = 0
    scored: int = 0
    scores: tuple[Points, ...] = ()
    chance: Chance | None = None


class DealResult(Struct, frozen=True):
    """How a deal ended, exactly.

    ``ending`` is one of the words of the history format (``knock``, ``gin``, ``wall`` …). ``points`` are signed, one per
    seat. ``parts`` breaks them down per seat by name. ``winner`` is the seat that won the deal or ``None``.
    ``scored`` is false for a deal that does not count (void, dead): it is dealt again.
    """

    ending: str
    points: tuple[Points, ...]
    parts: tuple[Mapping[str, Points], ...] = ()
    winner: int | None = None
    scored: bool = True
    boxes: int = 0
    hands: tuple[str, ...] = ()
    melds: tuple[str, ...] = ()
    deadwood: tuple[int, ...] = ()
    counters: tuple[int, ...] = ()


def forfeited(seats: int, seat: int, cost: int, *, low_wins: bool) -> DealResult:
    """The result of a deal that ``seat`` has forfeited at the price of ``cost``.

    The offender pays; with two players the other one scores it, with more nobody does. Where few points win (``low_wins``) the
    offender is charged ``cost`` and nobody is credited.
    """
    points: list[Points] = [0] * seats
    winner = None
    if low_wins:
        points[seat] = cost
    else:
        points[seat] = -cost
        if seats == 2:
            winner = 1 - seat
            points[winner] = cost
    parts: tuple[dict[str, Points], ...] = tuple({"forfeit": p} if p else {} for p in points)
    return DealResult("fault", tuple(points), parts, winner, True, 1 if winner is not None else 0)


class Rules(Protocol):
    """One game with its options fixed."""

    @property
    def pack(self) -> Pack:
        """What the deck is made of."""

    @property
    def options(self) -> DataclassOptions:
        """The options in force."""

    def start(self, setup: DealSetup) -> Table:
        """Deal the cards and stop at the first decision."""

    def forfeit_points(self) -> int:
        """The least a forfeited deal costs the offender."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of option values with one line on where it comes from."""

    values: Mapping[str, object]
    doc: str


@dataclass(frozen=True)
class Family:
    """A family of games: options, presets, and how to make rules of them."""

    name: str
    title: str
    doc: str
    seats: range
    options: type[Any]
    presets: Mapping[str, Preset]
    make: Callable[[Any], Rules]
    scoring: Callable[[Any], MatchScoring]
    adjust: Callable[[dict[str, object], frozenset[str]], None] | None = None
    seats_of: Callable[[Any], range] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def parse(self, preset: str | None, raw: Mapping[str, object]) -> Any:
        """The options object for a preset with overrides. Raises ``OptionError`` or ``UsageError`` (unknown preset)."""
        base: Mapping[str, object] = {}
        if preset is not None:
            if preset not in self.presets:
                raise UsageError(
                    f'{self.name} has no preset "{preset}"{nearest_hint(preset, self.presets)}'
                    f" (there are: {', '.join(self.presets)})"
                )
            base = self.presets[preset].values
        return parse_options(self.options, raw, base=base, adjust=self.adjust)

    def seat_range(self, options: Any) -> range:
        """How many may sit at a table under these options."""
        return self.seats if self.seats_of is None else self.seats_of(options)


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match so far, as its scoring sees it: the results of its deals in order and who dealt each."""

    seats: int
    results: tuple[DealResult, ...]
    dealers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameTotals:
    """The final account of one game: totals with bonuses per seat, and why it ended."""

    totals: tuple[Points, ...]
    winners: tuple[int, ...]
    reason: str
    parts: tuple[Mapping[str, Points], ...] = ()


class MatchScoring(Protocol):
    """How deals add up to a game: running scores, the next dealer, the end, the bonuses."""

    @property
    def low_wins(self) -> bool:
        """Whether fewer points are better (penalty games)."""

    def scores(self, state: MatchState) -> tuple[Points, ...]:
        """Running points per seat, as a table would show them before the next deal."""

    def first_dealer(self, seats: int, draw: Callable[[int], Sequence[int]]) -> int:
        """Who deals first; ``draw(n)`` answers a fresh random order of ``range(n)``, as often as needed."""

    def next_dealer(self, state: MatchState, first: int) -> int:
        """Who deals next; ``first`` is the seat drawn to deal first."""

    def finished(self, state: MatchState) -> str | None:
        """Why the game is over (``target``, ``deals``, ``dead-deals`` …), or ``None`` while it goes on."""

    def totals(self, state: MatchState) -> GameTotals:
        """The final account once :meth:`finished` answers."""

    def fixed_totals(self, state: MatchState) -> GameTotals:
        """The account of a match of a fixed number of deals: deal points only, no boxes, bonuses or target."""


_FAMILIES: dict[str, Family] = {}
_LOADED = False


def register(family: Family) -> Family:
    """Add a family. Refuses a name that is taken: a variant registered twice is a mistake."""
    if family.name in _FAMILIES:
        raise ValueError(f"a family called {family.name!r} is registered already")
    _FAMILIES[family.name] = family
    return family


def families() -> Mapping[str, Family]:
    """Every family by name, in alphabetical order; imports the variants on first use."""
    global _LOADED  # noqa: PLW0603 - the registry is filled once per process, on first use
    if not _LOADED:
        for module in sorted(m.name for m in pkgutil.iter_modules(variants.__path__)):
            importlib.import_module(f"{variants.__name__}.{module}")
        _LOADED = True
    return dict(sorted(_FAMILIES.items()))


def find_game(name: str) -> tuple[Family, str | None]:
    """A family by its name, or a family and preset by a preset's name alone (``oklahoma``).

    Raises :class:`~rummy_tourney.errors.UsageError` with the nearest known name.
    """
    known = families()
    if name in known:
        return known[name], None
    owners = [family for family in known.values() if name in family.presets]
    if len(owners) == 1:
        return owners[0], name
    if owners:
        kinds = " and ".join(family.name for family in owners)
        raise UsageError(f'"{name}" is a preset of {kinds}: name the family too')
    names = [*known, *(p for f in known.values() for p in f.presets)]
    raise UsageError(f'no game called "{name}"{nearest_hint(name, names)} (see: tourney games)')
