"""A spec, read and checked: the frozen value a run is made from.

Parse, then check, then run. :func:`load_spec` reads a file, reports everything that is wrong with it at once (each with
``file:line:column``), and answers a :class:`LoadedSpec`. Its ``resolved`` form is the same spec as plain JSON values with every
default filled in: it is what a run is identified by (``spec_hash``), what ``run.json`` stores, and itself a spec that
can be loaded again with the same result. :func:`plan_from_resolved` turns it into what workers need.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import comb
from pathlib import Path
from typing import Any, Final

import yaml

from rummy_tourney.bot.clock import Clock, duration_text
from rummy_tourney.bot.loading import EntrySource, resolve_entry
from rummy_tourney.bot.policy import PROFILES, Consequence, FaultKind, FaultPolicy
from rummy_tourney.errors import BotLoadError, OptionError, SpecError, UsageError
from rummy_tourney.game.formats import MatchFormat
from rummy_tourney.game.options import option_values
from rummy_tourney.game.rules import Family, families, find_game
from rummy_tourney.history.canonical import canonical
from rummy_tourney.tournament.event import Entry, EventFormat, Game, Spec
from rummy_tourney.tournament.kinds import GAMES_LATER, did_you_mean
from rummy_tourney.tournament.plan import EntryPlan, EventPlan
from rummy_tourney.tournament.roster import Named, Roster, slug
from rummy_tourney.tournament.specfile import (
    MAX_DEALS,
    VERSION,
    FaultSection,
    GameSection,
    MatchSection,
    Problem,
    Written,
    read_sections,
    unknown_key,
    value_problem,
)
from rummy_tourney.tournament.yamldoc import (
    Document,
    Place,
    Text,
    Trail,
    YamlProblem,
    document_of,
    read_document,
    read_text,
    trail_text,
)

DEFAULT_DEALS: Final = 100
"""Deals of a match where nothing is said, rounded up to a whole number of rotations."""
MAX_TABLES: Final = 1_000_000
"""Matches of an event."""
MAX_PROBLEMS: Final = 100
"""Problems printed of one spec."""
GAME_ONLY: Final = frozenset({
    "target", "game_bonus", "box_bonus", "shutout", "immediate_boxes", "hollywood", "gin_extra_boxes", "undercut_extra_boxes",
    "spade_double_boxes", "next_dealer", "first_dealer", "void_dealer", "max_dead_hands", "max_scoreless_deals", "match_end",
    "match_tie", "payout",
})  # fmt: skip
"""Options of any family that speak of a whole game: without effect where a fixed number of deals is played."""


@dataclass(frozen=True)
class LoadedSpec:
    """A spec with what goes with it: warnings (complete lines), the text it was read from, the folder its paths start from."""

    spec: Spec
    warnings: tuple[str, ...] = ()
    text: str = ""
    base_dir: Path = field(default_factory=Path)

    @cached_property
    def resolved(self) -> dict[str, Any]:
        """The spec as plain JSON values, every default filled in."""
        return resolve(self.spec)

    @cached_property
    def spec_hash(self) -> str:
        """SHA-256 of the canonical JSON of :attr:`resolved`, in hex."""
        return spec_hash_of(self.resolved)


# --- loading -----------------------------------------------------------------------------------------------------------


def load_spec(path: Path) -> LoadedSpec:
    """Read and check a spec file. Raises :class:`~rummy_tourney.errors.SpecError` with every problem in it."""
    try:
        text = read_text(path)
    except YamlProblem as problem:
        raise SpecError([_line(str(path), problem.place, (), problem.message)]) from None
    return parse_spec(text, base_dir=path.parent, label=str(path), default_name=path.stem)


def parse_spec(text: str, *, base_dir: Path, label: str = "", default_name: str = "event") -> LoadedSpec:
    """Read and check the text of a spec; ``label`` names it in messages, paths in it start from ``base_dir``."""
    try:
        document = read_document(text)
        return _Reader(document, base_dir, label).read(text, default_name)
    except YamlProblem as problem:
        raise SpecError([_line(label, problem.place, (), problem.message)]) from None


def spec_from_mapping(
    mapping: Mapping[str, object], *, base_dir: Path, label: str = "", default_name: str = "quick"
) -> LoadedSpec:
    """Check a spec that was never a file: the keys and values of one, ``tourney`` aside. Its text is made from it."""
    whole = {"tourney": VERSION, **mapping}
    try:
        document = document_of(whole)
        return _Reader(document, base_dir, label).read(spec_yaml(whole), default_name)
    except (YamlProblem, yaml.YAMLError) as problem:
        raise SpecError([_line(label, None, (), str(problem))]) from None


def spec_yaml(mapping: Mapping[str, object]) -> str:
    """A mapping of plain values as the YAML of a spec, one value a line."""
    return yaml.safe_dump(dict(mapping), sort_keys=False, allow_unicode=True, width=1_000_000, default_flow_style=False)


def _line(label: str, place: Place | None, trail: Trail, message: str) -> str:
    """``file:line:col  path: what is wrong``, without the parts there are not."""
    where = label if place is None else f"{label}:{place.line}:{place.column}".lstrip(":")
    parts = [where, f"{trail_text(trail)}: {message}" if trail else message]
    return re.sub(r"\s*[\r\n]+\s*", " ", "  ".join(part for part in parts if part))


class _Reader:
    """Checks what takes more than one section to know, and gathers problems on the way."""

    def __init__(self, document: Document, base_dir: Path, label: str) -> None:
        self.document = document
        self.base_dir = base_dir
        self.label = label
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.written: Written

    def read(self, text: str, default_name: str) -> LoadedSpec:
        """The whole spec, or all of its problems."""
        self._refuse_newer()
        self.written = read_sections(self.document)
        self.problems = self.written.problems
        written = self.written.file
        if written.tourney is None and not self.written.is_bad("tourney"):
            self._add(("tourney",), f"the schema version is missing. Hint: begin the file with tourney: {VERSION}")
        game = self._game()
        entries = self._entries(game)
        seats = self._seats(game, entries)
        event = self._format(seats, entries)
        if self.problems or self.document.flaws or game is None or seats is None or event is None:
            raise SpecError(self._lines())
        name = written.name or default_name
        spec = Spec(
            id=written.id or slug(name, "event"),
            name=name,
            game=Game(game.family.name, game.preset, game.options, seats),
            format=event.format,
            entries=event.entries,
            faults=fault_policy(written.faults),
            clock=self._clock(),
            seed=written.seed,
        )
        self._warn(game, spec)
        self.warnings.sort(key=self._place)
        return LoadedSpec(spec, tuple(self._text(w, "warning: ") for w in self.warnings), text, self.base_dir)

    # --- problems ------------------------------------------------------------------------------------------------------

    def _add(self, trail: Trail, message: str, *, at_key: bool = False) -> None:
        self.problems.append(Problem(trail, message, at_key))

    def _text(self, problem: Problem, prefix: str = "") -> str:
        place = self.document.place(problem.trail, at_key=problem.at_key)
        return _line(self.label, place, problem.trail, prefix + problem.message)

    def _lines(self) -> list[str]:
        """The lines of a :class:`SpecError`, in the order of the file."""
        found = [(flaw.place, _line(self.label, flaw.place, flaw.trail, flaw.message)) for flaw in self.document.flaws]
        # What is wrong with a value that could not even be read says nothing new.
        flawed = {flaw.place for flaw in self.document.flaws}
        found += [(self._place(p), self._text(p)) for p in self.problems if self._place(p) not in flawed]
        found.sort(key=lambda pair: pair[0])
        lines = list(dict.fromkeys(line for _, line in found))
        more = len(lines) - MAX_PROBLEMS
        return lines if more <= 0 else [*lines[:MAX_PROBLEMS], f"… and {more} more"]

    def _place(self, problem: Problem) -> Place:
        return self.document.place(problem.trail, at_key=problem.at_key) or Place(0, 0)

    # --- sections ------------------------------------------------------------------------------------------------------

    def _refuse_newer(self) -> None:
        """A newer schema is refused alone: what else looks wrong may be right there."""
        data = self.document.data
        version = data.get("tourney") if isinstance(data, dict) else None
        if isinstance(version, Text) and re.fullmatch(r"[0-9]{1,6}", version) and int(version) > VERSION:
            message = f"schema version {version} is newer than this program ({VERSION}). Hint: update rummy_tourney"
            self.problems = [Problem(("tourney",), message)]
            raise SpecError(self._lines())

    def _game(self) -> _ChosenGame | None:
        section = self.written.file.game
        if section is None:
            if not self.written.is_bad("game"):
                self._add(("game",), f"the game is missing. Expected one of {', '.join(families())}, as in game: gin")
            return None
        found = self._family(section)
        if found is None:
            return None
        family, preset = found
        raw = self._raw_options(section, family)
        try:
            if preset is not None and preset not in family.presets:
                return self._without_preset(family, preset, raw)
            return _ChosenGame(family, preset, family.parse(preset, raw))
        except OptionError as error:
            for wrong in error.problems:
                self._option_problem(wrong.key, wrong.message)
            return _ChosenGame(family, preset, None)

    def _without_preset(self, family: Family, preset: str, raw: Mapping[str, object]) -> _ChosenGame:
        """The preset does not exist; each option can still be looked at by itself."""
        hint = did_you_mean(preset, family.presets).replace("; ", ". Hint: ")
        known = ", ".join(family.presets)
        self._add(("game", "preset"), f'{family.name} has no preset "{preset[:60]}". Expected {known}{hint}')
        kinds = {option.name: option.metadata["kind"] for option in fields(family.options)}
        for name, value in raw.items():
            try:
                kinds[name].parse(value)
            except ValueError as error:
                self._option_problem(name, str(error))
        return _ChosenGame(family, preset, None)

    def _family(self, section: GameSection) -> tuple[Family, str | None] | None:
        """The family and preset that ``kind`` and ``preset`` name, each able to stand alone."""
        key, name = ("kind", section.kind) if section.kind is not None else ("preset", section.preset)
        trail = ("game", key)
        if name is None or (key == "preset" and name == "null"):
            if self.written.is_bad("game", "kind") or self.written.is_bad("game", "preset"):
                return None
            self._add(("game",), f"the kind of game is missing. Expected kind (one of {', '.join(families())}) or preset")
            return None
        try:
            family, preset = find_game(name)
        except UsageError as error:
            self.problems.append(self._no_game(trail, name, str(error)))
            return None
        if key == "kind" and section.preset is not None and section.preset != "null":
            if preset is not None and preset != section.preset:
                self._add(("game", "preset"), f'two presets ("{preset}" and "{section.preset}"). Hint: remove one')
                return None
            preset = section.preset
        return family, preset

    def _no_game(self, trail: Trail, name: str, words: str) -> Problem:
        trail = self.document.known_part(trail)
        if name in GAMES_LATER:
            return Problem(trail, f'game "{name}" comes in a later version. Available now: {", ".join(families())}')
        if words.startswith("no game"):
            known = [*families(), *(p for f in families().values() for p in f.presets)]
            hint = did_you_mean(name, [*known, *GAMES_LATER]).replace("; ", ". Hint: ")
            return Problem(trail, f'no game called "{name[:60]}". Expected {", ".join(families())}, or a preset{hint}')
        return Problem(trail, words)

    def _raw_options(self, section: GameSection, family: Family) -> dict[str, object]:
        """The options that are written beside ``kind``; keys the family does not know are problems."""
        names = [option.name for option in fields(family.options)]
        raw: dict[str, object] = {}
        for key, value in (section.model_extra or {}).items():
            name = key.replace("-", "_")
            if name not in names:
                self.problems.append(unknown_key(("game", key), GameSection, names))
            elif name in raw:
                self._add(("game", key), f'"{name}" is written twice, with - and with _. Hint: remove one', at_key=True)
            else:
                raw[name] = value
        return raw

    def _option_problem(self, key: str, message: str) -> None:
        data = self.document.at(("game",))
        written = data if isinstance(data, dict) else {}
        as_written = next((k for k in (key, key.replace("_", "-")) if k in written), None)
        if as_written is None:
            # A conflict may name an option that only the preset or a default sets.
            self._add(("game",), f"{key}: {message}")
        else:
            self.problems.append(value_problem(("game", as_written), message, self.document, at_key=True))

    def _seats(self, game: _ChosenGame | None, entries: Sequence[Named] | None) -> int | None:
        if game is None or self.written.is_bad("game", "seats"):
            return None
        allowed = game.family.seats if game.options is None else game.family.seat_range(game.options)
        section = self.written.file.game
        if section is not None and section.seats is not None:
            if section.seats in allowed:
                return section.seats
            people = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            name = game.family.name if game.preset is None or game.options is None else game.preset
            self._add(("game", "seats"), f"{name} is for {people} players (got {section.seats})")
            return None
        if self.written.file.format.kind == "match" and entries is not None and len(entries) in allowed:
            return len(entries)
        return allowed[0]

    def _entries(self, game: _ChosenGame | None) -> list[Named] | None:
        if not self.written.file.players:
            if not self.written.is_bad("players"):
                hint = "list some, as in players: [steady, greedy, ../bots/*.py]"
                self._add(("players",), f"there are no players. Hint: {hint}")
            return None
        if game is None:
            return None
        return Roster(self.document, self.base_dir, self.written).read(game.family.name)

    def _clock(self) -> Clock:
        section = self.written.file.clock
        if section is None:
            return Clock()
        message = "takes effect only for bots that run in a process of their own; it is recorded"
        self.warnings.append(Problem(("clock",), message, at_key=True))
        return Clock(**{name: value for name, value in section.model_dump().items() if value is not None})

    # --- format --------------------------------------------------------------------------------------------------------

    def _format(self, seats: int | None, entries: Sequence[Named] | None) -> _ChosenFormat | None:
        before = len(self.problems)
        section = self.written.file.format
        for key in ("cycles", "champions"):
            allowed = ("gauntlet",) if key == "champions" else ("round-robin", "gauntlet")
            misplaced = getattr(section, key) is not None and section.kind not in allowed
            if misplaced and not self.written.is_bad("format", "kind"):
                message = f"{key} has no meaning in a {section.kind}. Expected kind: {' or '.join(allowed)}"
                self._add(("format", key), message, at_key=True)
        match = self._match(section.match, seats)
        if seats is None or entries is None or match is None:
            return None
        champions = self._champions(section.champions, entries) if section.kind == "gauntlet" else []
        cycles = section.cycles or 1
        if len(self.problems) == before:
            self._check_field(section.kind, len(entries), seats, len(champions), cycles)
        if len(self.problems) != before:
            return None
        order = champions + [named for named in entries if named not in champions]
        common = (section.deals or ("common" if seats == 2 else "separate")) == "common"
        event = EventFormat(section.kind, cycles, len(champions) or None, match, common)
        return _ChosenFormat(event, tuple(named.entry() for named in order))

    def _match(self, section: MatchSection, seats: int | None) -> MatchFormat | None:
        trail = ("format", "match")
        if section.games is not None:
            for key in ("deals", "mirrored"):
                if getattr(section, key):
                    self._add((*trail, key), f"a match is either {key} or games. Hint: remove one of them", at_key=True)
                    return None
            return MatchFormat(games=section.games)
        if seats is None:
            return None
        deals = section.deals if section.deals is not None else -(-DEFAULT_DEALS // seats) * seats
        mirrored = section.mirrored if section.mirrored is not None else deals != 1
        if mirrored and deals % seats:
            near = min(-(-deals // seats) * seats, MAX_DEALS // seats * seats)
            self._add(
                (*trail, "deals"),
                f"mirrored matches need a multiple of the number of seats ({seats}), got {deals}. "
                f"Hint: write {near}, or mirrored: false",
            )
            return None
        return MatchFormat(deals=deals, mirrored=mirrored)

    def _champions(self, wanted: int | tuple[str, ...] | None, entries: Sequence[Named]) -> list[Named]:
        trail = ("format", "champions")
        if not isinstance(wanted, tuple):
            return list(entries[: wanted or 1])
        chosen = []
        for name in wanted:
            found = [named for named in entries if name in (named.display, named.id)]
            if not found:
                names = [named.display for named in entries]
                hint = did_you_mean(name, names).replace("; ", ". Hint: ")
                self._add(trail, f'no player called "{name[:60]}"{hint}')
            elif found[0] in chosen:
                self._add(trail, f'"{name[:60]}" is named twice')
            else:
                chosen.append(found[0])
        return chosen

    def _check_field(self, kind: str, players: int, seats: int, champions: int, cycles: int) -> None:
        """Whether there are enough players for the tables, and not too many tables."""
        table = f"a table of {seats}"
        if kind == "match":
            if players != seats:
                self._add(("players",), f"a match is one table: {seats} players are needed, got {players}. "
                          "Hint: use format: round-robin for more", at_key=True)  # fmt: skip
            return
        if kind == "gauntlet":
            challengers = players - champions
            tables = champions * comb(challengers, seats - 1) if challengers > 0 else 0
            if challengers < seats - 1:
                self._add(("players",), f"too few challengers for {table}: {max(challengers, 0)} beside {champions} champions. "
                          f"Expected at least {seats - 1}", at_key=True)  # fmt: skip
        else:
            tables = comb(players, seats)
            if players < seats:
                self._add(("players",), f"too few players for {table} (got {players}). Expected at least {seats}", at_key=True)
        if tables * cycles > MAX_TABLES:
            self._add(("format",), f"{tables * cycles} matches are too many. Expected at most {MAX_TABLES}", at_key=True)

    # --- warnings ------------------------------------------------------------------------------------------------------

    def _warn(self, game: _ChosenGame, spec: Spec) -> None:
        section = self.written.file.game
        if spec.format.match.deals is not None and section is not None:
            plain = option_values(game.family.parse(game.preset, {}))
            for key in section.model_extra or {}:
                name = key.replace("-", "_")
                if name in GAME_ONLY and option_values(game.options)[name] != plain[name]:
                    message = "has no effect where a fixed number of deals is played. Hint: for whole games, match: {games: 1}"
                    self.warnings.append(Problem(("game", key), message, at_key=True))
        for trap in self.document.traps:
            words = trap.reading in ("true", "false")
            as_text = trap.trail[0] == "name" or (trap.trail[0] == "players" and trap.trail[-1] != "trusted")
            if as_text or not words:
                message = f"{trap.text} is text here; other YAML tools read {trap.reading}. Hint: put quotes around it"
                self.warnings.append(Problem(trap.trail, message))


@dataclass(frozen=True, slots=True)
class _ChosenGame:
    """A game whose options are right, or ``None``."""

    family: Family
    preset: str | None
    options: Any


@dataclass(frozen=True, slots=True)
class _ChosenFormat:
    """The format, and the entries in seeding order."""

    format: EventFormat
    entries: tuple[Entry, ...]


# --- faults ------------------------------------------------------------------------------------------------------------


def fault_policy(section: FaultSection) -> FaultPolicy:
    """The policy of a profile with what the spec changes in it."""
    base = PROFILES[section.profile]
    given = section.model_fields_set
    table = {kind: Consequence(getattr(section, kind.value) or base.table[kind]) for kind in FaultKind}
    strikes = section.strikes if "strikes" in given else base.strikes
    percent = section.disqualify_percent if "disqualify_percent" in given else base.disqualify_percent
    return FaultPolicy(section.profile, table, strikes, percent)


# --- resolved ----------------------------------------------------------------------------------------------------------


def resolve(spec: Spec) -> dict[str, Any]:
    """The spec as plain JSON values with every default filled in: a spec again, and the same one."""
    event = spec.format
    settings: dict[str, Any] = {"kind": event.kind}
    if event.kind != "match":
        settings["cycles"] = event.cycles
    if event.champions is not None:
        settings["champions"] = event.champions
    settings["deals"] = "common" if event.common else "separate"
    match = event.match
    settings["match"] = {"games": match.games} if match.games else {"deals": match.deals, "mirrored": match.mirrored}
    return {
        "tourney": VERSION,
        "name": spec.name,
        "id": spec.id,
        "game": {"kind": spec.game.family, "preset": spec.game.preset, "seats": spec.game.seats,
                 **option_values(spec.game.options)},
        "format": settings,
        "players": [_resolved_entry(entry) for entry in spec.entries],
        "faults": {
            "profile": spec.faults.name,
            **{kind.value: spec.faults.table[kind].value for kind in FaultKind},
            "strikes": spec.faults.strikes,
            "disqualify_percent": spec.faults.disqualify_percent,
        },
        "clock": {f.name: duration_text(getattr(spec.clock, f.name)) for f in fields(spec.clock)},
        "seed": spec.seed,
        "entry": "free",
        "prizes": "none",
    }  # fmt: skip


def _resolved_entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "display": entry.display,
        "kind": entry.source.kind,
        "bot": entry.source.reference,
        "file_hash": entry.source.file_hash,
        "options": dict(entry.options),
        "trusted": entry.trusted,
    }


def spec_hash_of(resolved: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a resolved spec, in hex."""
    return hashlib.sha256(canonical(dict(resolved))).hexdigest()


def plan_from_resolved(
    resolved: Mapping[str, Any], base_dir: Path, hashes: Mapping[str, str] | None = None, *, load: bool = True
) -> EventPlan:
    """What workers need, from a resolved spec. ``base_dir`` is the folder of the spec file: paths of bots start there.

    With ``load`` every bot is found again, and :class:`~rummy_tourney.errors.BotLoadError` is raised for one that is gone or
    whose hash is not the one in ``hashes`` (by entry id; by default those of the resolved spec). Without, the plan is good
    for everything but playing.
    """
    game, settings, faults = resolved["game"], resolved["format"], resolved["faults"]
    family = families()[game["kind"]]
    names = [option.name for option in fields(family.options)]
    options = {name: game[name] for name in names if name in game}
    entries = [_entry_plan(player, base_dir, family.name, hashes, load=load) for player in resolved["players"]]
    table = {kind: Consequence(faults[kind.value]) for kind in FaultKind}
    return EventPlan(
        event=resolved["id"],
        family=family.name,
        preset=game["preset"],
        options=options,
        seats=game["seats"],
        match=MatchFormat(**settings["match"]),
        common=settings["deals"] == "common",
        entries=tuple(entries),
        policy=FaultPolicy(faults["profile"], table, faults["strikes"], faults["disqualify_percent"]),
        format_kind=settings["kind"],
        format_settings={key: settings[key] for key in ("cycles", "champions") if key in settings},
    )


def _entry_plan(
    player: Mapping[str, Any], base_dir: Path, family: str, hashes: Mapping[str, str] | None, *, load: bool
) -> EntryPlan:
    expected = player["file_hash"] if hashes is None else hashes[player["id"]]
    if not load:
        return EntryPlan(player["id"], EntrySource(player["kind"], player["bot"], "", "", expected), player["options"])
    source = resolve_entry(player["bot"], base_dir, family)
    if source.file_hash != expected:
        raise BotLoadError(
            f"{player['id']}: {player['bot']} is not the bot this run began with. "
            "Hint: put the old one back, or begin a new run"
        )
    return EntryPlan(player["id"], source, player["options"])
