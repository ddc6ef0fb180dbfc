"""A spec as it is written: the keys a file may hold, what each may say, and the words for what is wrong.

The models below are the one declaration of the format. They read the text scalars of :mod:`yamldoc`, they make the JSON Schema
for editors, and :func:`read_sections` turns whatever they refuse into :class:`Problem` values. What takes more than one
section to know (does this bot exist, do the numbers fit the game) is decided in :mod:`spec`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from rummy_tourney.bot.policy import PROFILES, Consequence
from rummy_tourney.game.options import Choice, Flag, Kind, Whole
from rummy_tourney.game.rules import families
from rummy_tourney.tournament.kinds import (
    BOT,
    BOT_OPTIONS,
    CHAMPIONS,
    FORMAT,
    FORMATS_NOW,
    ID,
    SEED,
    did_you_mean,
    duration,
    kind_schema,
    one_line,
    only,
)
from rummy_tourney.tournament.yamldoc import Data, Document, Text, Trail, YamlProblem, shown

VERSION: Final = 1
"""The schema version this program writes, and the newest it reads."""
MAX_DEALS: Final = 10_000_000
MAX_CYCLES: Final = 10_000
MAX_GAMES: Final = 100_000
MAX_SEATS: Final = 16
@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a spec: where, and what in complete words. ``at_key`` points at the key, not its value."""

    trail: Trail
    message: str
    at_key: bool = False


# --- glue between kinds and models -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class As:
    """Reads a field with a :class:`~rummy_tourney.game.options.Kind`; ``doc`` explains it to editors and readers."""

    kind: Kind
    doc: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.kind.parse)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"description": self.doc, **kind_schema(self.kind)}


@dataclass(frozen=True, slots=True)
class Short:
    """A section that may be written as plain text, which then stands for its key ``key``; ``words`` is what it may be."""

    key: str
    doc: str
    words: tuple[str, ...] = ()

    def expand(self, raw: object) -> object:
        """The map that plain text stands for."""
        if isinstance(raw, Text):
            if raw.is_null:
                raise ValueError("nothing is written here. Hint: fill it in, or remove the key")
            return {self.key: raw}
        return raw

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        text = {"enum": list(self.words)} if self.words else {"type": "string"}
        return {"description": self.doc, "anyOf": [text, handler(schema)]}


class OneOrMore(Short):
    """A list that may be written as its only member."""

    def expand(self, raw: object) -> object:
        """The list that plain text stands for. A bare number is no bot, but somebody's idea of how many there are."""
        if isinstance(raw, Text) and not raw.is_null and (raw.quoted or not raw.isdecimal()):
            return [raw]
        return raw


# --- the sections ------------------------------------------------------------------------------------------------------


class Section(BaseModel):
    """A map of a spec. ``LATER`` names keys that have a meaning in a later version."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    LATER: ClassVar[frozenset[str]] = frozenset()


class MatchSection(Section):
    """What the entries of one table contest."""

    LATER = frozenset({"best_of", "max_deals", "max_tiebreak_deals"})

    deals: Annotated[
        int | None,
        As(Whole(1, MAX_DEALS), "deals to be played; with `mirrored`, a multiple of the number of seats"),
    ] = None
    mirrored: Annotated[bool | None, As(Flag(), "whether each deal is played once per rotation of the seats")] = None
    games: Annotated[
        int | None, As(Whole(1, MAX_GAMES), "games to the family's own target, instead of a number of deals")
    ] = None


class FormatSection(Section):
    """Who meets whom, and in what."""

    LATER = frozenset({
        "rounds", "pairing", "bye", "points", "tiebreaks", "withdrawal", "cut", "late", "chips", "levels", "balance",
        "rebuy", "addon", "reentry", "speed", "seeding", "reseed", "third_place", "grand_final", "reach", "bounty",
        "swap_last_two", "places", "limit",
    })  # fmt: skip

    kind: Annotated[str, As(FORMAT, "who meets whom")] = "round-robin"
    cycles: Annotated[int | None, As(Whole(1, MAX_CYCLES), "how often the whole schedule is played")] = None
    champions: Annotated[
        int | tuple[str, ...] | None,
        As(CHAMPIONS, "gauntlet only: who meets everybody; how many of the first players, or their names"),
    ] = None
    match: MatchSection = MatchSection()
    deals: Annotated[
        str | None,
        As(Choice(("common", "separate")), "whether all tables of a round play the same cards"),
    ] = None


class GameSection(Section):
    """The game: any option of its family may stand beside these keys."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: Annotated[str | None, As(one_line(), "the family, or a preset that only one family has")] = None
    preset: Annotated[str | None, As(one_line(), "a named set of options")] = None
    seats: Annotated[int | None, As(Whole(1, MAX_SEATS), "players at a table")] = None


class PlayerSection(Section):
    """One entry, or all the entries a pattern finds."""

    LATER = frozenset({"rating", "seed", "bankroll", "clock", "limit", "command", "withdraw"})

    name: Annotated[str | None, As(one_line(), "the name people see; by default from the bot")] = None
    id: Annotated[str | None, As(ID, "the name in records and paths; by default made from the name")] = None
    bot: Annotated[str | None, As(BOT, "a built-in bot, a Python file, a pattern of files, or package.module:Name")] = None
    options: Annotated[dict[str, object], As(BOT_OPTIONS, "passed to the bot as they are")] = {}
    trusted: Annotated[bool, As(Flag(), "whether the entry may run inside the worker's own process")] = False
    display: Annotated[str | None, As(one_line(), "`name`, as a resolved spec calls it")] = None
    kind: Annotated[
        str | None,
        As(Choice(("builtin", "file", "module")), "as a resolved spec writes it; if it is given, it has to be right"),
    ] = None
    file_hash: Annotated[
        str | None,
        As(one_line(), "SHA-256 of the file, or the version of a built-in; if it is given, it has to be right"),
    ] = None


_CONSEQUENCE: Final = Choice(tuple(c.value for c in Consequence))


class FaultSection(Section):
    """What a fault costs."""

    profile: Annotated[str, As(Choice(tuple(PROFILES)), "the policy that the other keys change")] = "league"
    timeout: Annotated[str | None, As(_CONSEQUENCE, "an answer that came too late")] = None
    illegal: Annotated[str | None, As(_CONSEQUENCE, "an answer the rules refuse")] = None
    protocol: Annotated[str | None, As(_CONSEQUENCE, "an answer nobody can read (own process only)")] = None
    crash: Annotated[str | None, As(_CONSEQUENCE, "an exception, or the end of the process")] = None
    resource: Annotated[str | None, As(_CONSEQUENCE, "too much memory, or child processes (own process only)")] = None
    strikes: Annotated[
        int | None,
        As(Whole(0, 1_000_000, or_none=True), "default actions a match forgives; one more forfeits it; null: any number"),
    ] = None
    disqualify_percent: Annotated[
        int | None,
        As(Whole(1, 100, or_none=True), "share of forfeited matches that disqualifies; null: never"),
    ] = None


class ClockSection(Section):
    """How long an entry may think."""

    start: Annotated[int | None, As(duration(1), "from the start of its process to its first word")] = None
    move: Annotated[int | None, As(duration(1), "one decision")] = None
    grace: Annotated[int | None, As(duration(0), "how much later an answer may come without being late")] = None
    bank: Annotated[int | None, As(duration(0), "extra thinking time for a whole match")] = None
    deal_cap: Annotated[int | None, As(duration(1), "all decisions of one deal together")] = None


class SpecFile(Section):
    """One event: one file."""

    LATER = frozenset({
        "schedule", "series", "events", "calendar", "from", "to", "tz", "include", "leaderboard", "bankroll", "field",
        "stars", "deal", "rebuy", "late", "bounty", "guarantee", "tickets", "min_players", "limit", "nonces", "beacon",
        "audit", "withdraw",
    })  # fmt: skip

    tourney: Annotated[int | None, As(Whole(among=(VERSION,)), "version of this schema")] = None
    name: Annotated[str | None, As(one_line(), "what people call the event; by default the name of the file")] = None
    id: Annotated[str | None, As(ID, "the event's name in paths; by default made from the name")] = None
    game: Annotated[GameSection | None, Short("kind", "the game, or a preset that only one family has")] = None
    format: Annotated[FormatSection, Short("kind", "who meets whom", FORMATS_NOW)] = FormatSection()
    players: Annotated[
        list[Annotated[PlayerSection, Short("bot", "a bot")]] | None,
        OneOrMore("", "the entries: built-in bots, files, patterns such as ../bots/*.py"),
    ] = None
    faults: Annotated[FaultSection, Short("profile", "what a fault costs", tuple(PROFILES))] = FaultSection()
    clock: ClockSection | None = None
    seed: Annotated[str | None, As(SEED, "makes the run repeatable and public; without it the seed is drawn and secret")] = None
    entry: Annotated[str, As(only("free", "paid entries come"), "what an entry pays")] = "free"
    prizes: Annotated[str, As(only("none", "prizes come"), "what a place gets")] = "none"


# --- reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """What could be read of a spec file. ``failed`` are the places of what could not; there the defaults stand."""

    file: SpecFile
    problems: list[Problem]
    failed: frozenset[Trail] = frozenset()

    def is_bad(self, *trail: str | int) -> bool:
        """Whether something at ``trail``, or inside it, could not be read."""
        return any(place[: len(trail)] == trail for place in self.failed)


def read_sections(document: Document) -> Written:
    """Read a document section by section, as far as it can be read.

    What is wrong is left out, so that the rest can still be checked. Raises
    :class:`~rummy_tourney.tournament.yamldoc.YamlProblem` for a document that is no map at all.
    """
    data = document.data
    if not isinstance(data, dict):
        raise YamlProblem(
            f"not a spec (got {shown(data)}). Expected a map that begins with tourney: {VERSION}", document.place(())
        )
    try:
        return Written(SpecFile.model_validate(data), [])
    except ValidationError as error:
        found = error.errors(include_url=False)
    problems = [_problem(details, document) for details in found]
    failed = frozenset(document.known_part(details["loc"]) for details in found)
    return Written(SpecFile.model_validate(_without(data, (), failed)), problems, failed)


def _without(data: Data, trail: Trail, failed: frozenset[Trail]) -> Data:
    """A copy without the values at ``failed``. An item of a list becomes an empty map: the others keep their numbers."""
    if isinstance(data, dict):
        return {
            key: _without(value, (*trail, key), failed) for key, value in data.items() if (*trail, key) not in failed
        }
    if isinstance(data, list):
        return [
            {} if (*trail, number) in failed else _without(value, (*trail, number), failed)
            for number, value in enumerate(data)
        ]
    return data


def _problem(details: ErrorDetails, document: Document) -> Problem:
    trail: Trail = details["loc"]
    match details["type"]:
        case "extra_forbidden":
            return unknown_key(trail, section_at(trail[:-1]))
        case "value_error":
            return value_problem(trail, str(details.get("ctx", {}).get("error", details["msg"])), document)
        case "model_type" | "model_attributes_type" | "dict_type":
            return Problem(trail, f"wrong kind of value (got {shown(details['input'])}). Expected a map (key: value)")
        case "list_type":
            return Problem(trail, f"wrong kind of value (got {shown(details['input'])}). Expected a list")
        case _:
            return Problem(trail, f"{details['msg']} (got {shown(details['input'])})")


def value_problem(trail: Trail, complaint: str, document: Document, *, at_key: bool = False) -> Problem:
    """A problem from the words of a kind: ``expected X, got Y; did you mean "Z"?``."""
    known = document.known_part(trail)
    text, _, guess = complaint.partition('; did you mean "')
    hint = f'. Hint: did you mean "{guess}' if guess else ""
    found = re.fullmatch(r"expected (.*?), got .*", text, re.DOTALL)
    if found is None:
        return Problem(known, text + hint, at_key)
    return Problem(known, f"wrong value (got {shown(document.at(known))}). Expected {found[1]}{hint}", at_key)


def unknown_key(trail: Trail, section: type[Section] | None, more: Iterable[str] = ()) -> Problem:
    """A key nobody knows, with the nearest that somebody does; or one that only a later version knows."""
    key = str(trail[-1])
    if section is not None and key in section.LATER:
        return Problem(trail, f'"{key}" comes in a later version. Hint: remove it for now', at_key=True)
    known = [*(section.model_fields if section is not None else ()), *more]
    if section is FaultSection and key in _CODE_KINDS:
        return Problem(trail, f'"{key}" is a fault code. Hint: write its kind, {_CODE_KINDS[key]}', at_key=True)
    guess = did_you_mean(key, known)
    hint = f". Hint: {guess[2:]}" if guess else f". Expected {', '.join(known)}"
    return Problem(trail, f'unknown key "{key[:60]}"{hint}', at_key=True)


_CODE_KINDS: Final[Mapping[str, str]] = {
    "late": "timeout", "json": "protocol", "id": "protocol", "too-big": "protocol", "eof": "crash",
    "memory": "resource", "children": "resource", "version": "resource",
}  # fmt: skip


def section_at(trail: Trail) -> type[Section] | None:
    """The model of the map at ``trail``."""
    section: type[Section] = SpecFile
    for part in trail:
        if isinstance(part, str):
            inner = _section_in(section.model_fields[part].annotation) if part in section.model_fields else None
            if inner is None:
                return None
            section = inner
    return section


def _section_in(annotation: Any) -> type[Section] | None:
    """The model inside an annotation such as ``list[Annotated[PlayerSection, …]] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    found = [_section_in(inner) for inner in get_args(annotation)]
    return next((section for section in found if section is not None), None)


# --- schema ------------------------------------------------------------------------------------------------------------


def spec_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a spec, with the options and presets of every family; for editors."""
    schema: dict[str, Any] = _tidy(SpecFile.model_json_schema())
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = f"tourney spec, version {VERSION}"
    schema["required"] = ["tourney", "game", "players"]
    schema["properties"]["game"] = _game_schema(schema["$defs"].pop("GameSection"))
    return schema


def _tidy(schema: Any) -> Any:
    """Without the titles pydantic makes of names, and without the null that only stands for a key that is left out."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _tidy(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}
    if "default" in kept and not isinstance(kept["default"], (str, bool)):
        del kept["default"]
    if len(kept.get("anyOf", ())) == 1:
        kept.update(kept.pop("anyOf")[0])
    return kept


def _game_schema(section: Mapping[str, Any]) -> JsonSchemaValue:
    known = families()
    every_preset = [preset for family in known.values() for preset in family.presets]
    alone = sorted({p for p in every_preset if every_preset.count(p) == 1})
    kinds = []
    for family in known.values():
        own = [preset for preset in family.presets if preset in alone]
        properties = {
            **section["properties"],
            "kind": {"enum": [family.name, *own]},
            "preset": {"enum": [*family.presets, None]},
            "seats": {"type": "integer", "minimum": family.seats.start, "maximum": family.seats.stop - 1},
            **_option_schemas(family.options),
        }
        needed = [{"required": ["kind"]}, {"required": ["preset"], "properties": {"preset": {"enum": own}}}]
        kinds.append({"type": "object", "properties": properties, "additionalProperties": False, "anyOf": needed})
    return {"description": "the game", "anyOf": [{"enum": [*known, *alone]}, *kinds]}


def _option_schemas(options: Any) -> dict[str, JsonSchemaValue]:
    found: dict[str, JsonSchemaValue] = {}
    for field in dataclasses.fields(options):
        default = field.default
        described: JsonSchemaValue = {"description": field.metadata["doc"], **kind_schema(field.metadata["kind"])}
        if default is not dataclasses.MISSING:
            described["default"] = list(default) if isinstance(default, tuple) else default
        found[field.name] = described
    return found

