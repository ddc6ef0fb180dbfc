"""What the values of a spec may be, and what that is in JSON Schema.

A kind works as in :mod:`rummy_tourney.game.options`: ``parse`` answers the value or raises ``ValueError`` with ``expected …,
got …``, ``describe`` says what is expected. The ones here read the text scalars of :mod:`yamldoc`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rummy_tourney.game.options import Choice, CountMap, Flag, Kind, Whole, WholeList, nearest
from rummy_tourney.tournament.yamldoc import Data, Text

MAX_PLAYERS: Final = 1_000
MAX_NAME: Final = 100
MAX_SLUG: Final = 48
DAY: Final = 24 * 3_600_000
"""Milliseconds."""
SLUG: Final = re.compile(r"[a-z0-9]+(?:[-._][a-z0-9]+)*")

FORMATS_NOW: Final = ("round-robin", "match", "gauntlet")
FORMATS_LATER: Final = (
    "swiss", "knockout", "double-elimination", "ladder", "mtt", "sng", "rounds", "quick", "shootout", "cash",
)  # fmt: skip
GAMES_LATER: Final = (
    "indian", "rummy-500", "knock", "conquian", "canasta", "okey", "tripoley", "kalooki", "romme", "rummikub",
    "points", "raise", "deals", "pool-61", "pool-101", "pool-201", "kalooki-40", "kalooki-51", "romme-40", "romme-classic",
    "romme-club", "scala-40", "ramino-7",
)  # fmt: skip
"""Games with a place in the plan; whichever is registered counts as here."""


class Unfit(Exception):
    """A value that a kind does not take, without words of its own."""


@dataclass(frozen=True, slots=True)
class Reads:
    """A kind made of a function that answers the value, or raises :class:`Unfit` or a ``ValueError`` with its own words."""

    read: Callable[[object], Any]
    expects: str
    schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})

    def parse(self, raw: object) -> Any:
        """The value; raises ``ValueError`` saying what is expected."""
        try:
            return self.read(raw)
        except Unfit as unfit:
            raise ValueError(f"expected {self.expects}, got {raw!r}{unfit}") from None

    def describe(self) -> str:
        """The allowed values in words."""
        return self.expects


def did_you_mean(raw: object, known: Iterable[str]) -> str:
    """``'; did you mean "x"?'`` for text that is near something known, or nothing."""
    near = nearest(raw, known) if isinstance(raw, str) and len(raw) <= MAX_NAME else None
    return f'; did you mean "{near}"?' if near else ""


# --- text --------------------------------------------------------------------------------------------------------------


def one_line(limit: int = MAX_NAME) -> Reads:
    """Text of one line; blanks at its ends are dropped."""

    def read(raw: object) -> str:
        line = raw.strip() if isinstance(raw, str) else ""
        if not line or len(line) > limit or "\n" in line or "\r" in line:
            raise Unfit
        return str(line)

    return Reads(read, f"one line of text, at most {limit} characters", {"type": ["string", "number", "boolean"]})


def _read_slug(raw: object) -> str:
    if not isinstance(raw, str) or len(raw) > MAX_SLUG or not SLUG.fullmatch(raw):
        raise Unfit
    return str(raw)


ID: Final = Reads(
    _read_slug,
    f"lower-case letters, digits and single - . _ between them, at most {MAX_SLUG} characters",
    {"type": ["string", "integer"], "pattern": f"^{SLUG.pattern}$", "maxLength": MAX_SLUG},
)
"""A name that is safe in paths and the same whatever the case."""


def _read_seed(raw: object) -> str | None:
    if isinstance(raw, Text):
        if (raw.quoted and 0 < len(raw) <= MAX_NAME) or re.fullmatch(r"[+-]?[0-9]{1,100}", raw):
            return str(raw)
        if raw.is_null and raw:
            return None
    raise Unfit


SEED: Final = Reads(
    _read_seed,
    f"a whole number, or text in quotes (at most {MAX_NAME} characters; it is hashed)",
    {"type": ["integer", "string", "null"]},
)
"""The seed as the text that was written; ``None`` for a secret one."""


def _read_bot(raw: object) -> str:
    if isinstance(raw, dict) and "command" in raw:
        raise ValueError(
            "programs that talk over stdin and stdout come with the bot protocol RBP in a later version. "
            "Available now: built-in bots, Python files and Python modules"
        )
    if not isinstance(raw, Text) or raw.is_null:
        raise Unfit
    return str(one_line(1_000).parse(raw))


BOT: Final = Reads(
    _read_bot, "a built-in bot, a Python file (../bots/counter.py) or a module with a class (package.module:Name)"
)


def only(word: str, complaint: str) -> Reads:
    """One word: all that this version understands of something larger."""

    def read(raw: object) -> str:
        if not isinstance(raw, str) or raw.strip().lower() != word:
            raise ValueError(f"{complaint} in a later version. Available now: {word}")
        return word

    return Reads(read, word, {"const": word})


def _read_format(raw: object) -> str:
    if isinstance(raw, str) and raw in FORMATS_NOW:
        return str(raw)
    if isinstance(raw, str) and raw in FORMATS_LATER:
        raise ValueError(f'format "{raw}" comes in a later version. Available now: {", ".join(FORMATS_NOW)}')
    raise Unfit(did_you_mean(raw, (*FORMATS_NOW, *FORMATS_LATER)))


FORMAT: Final = Reads(_read_format, ", ".join(FORMATS_NOW), {"enum": list(FORMATS_NOW)})


# --- numbers and more --------------------------------------------------------------------------------------------------

_UNITS: Final[Mapping[str, int]] = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}


def duration(low: int) -> Reads:
    """A length of time with its unit, as whole milliseconds from ``low`` to a day."""

    def read(raw: object) -> int:
        found = re.fullmatch(r"([0-9]{1,9}) ?(ms|s|m|h)", raw) if isinstance(raw, str) else None
        if found is None or not low <= int(found[1]) * _UNITS[found[2]] <= DAY:
            raise Unfit
        return int(found[1]) * _UNITS[found[2]]

    expects = f"a whole number with its unit (500ms, 10s, 2m), from {low}ms to 24h"
    return Reads(read, expects, {"type": "string", "pattern": "^[0-9]{1,9} ?(ms|s|m|h)$"})


def _read_champions(raw: object) -> int | tuple[str, ...]:
    if isinstance(raw, list) and raw and all(isinstance(name, Text) and name for name in raw):
        return tuple(str(name) for name in raw)
    if not isinstance(raw, Text) or raw.is_null:
        raise Unfit
    if raw.quoted or not re.fullmatch(r"[+-]?[0-9]+", raw):
        return (str(raw),)
    if not re.fullmatch(r"[0-9]{1,6}", raw) or not 1 <= int(raw) < MAX_PLAYERS:
        raise Unfit
    return int(raw)


CHAMPIONS: Final = Reads(
    _read_champions,
    "how many of the first players, or a list of names",
    {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
)


def _read_bot_options(raw: object) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise Unfit
    return {key: json_value(value) for key, value in raw.items()}


BOT_OPTIONS: Final = Reads(_read_bot_options, "a map of names and values", {"type": "object"})


def json_value(data: Data) -> object:
    """A bot's option as a JSON value.

    Unquoted whole numbers (up to 15 digits, no leading zero), ``true``, ``false`` and ``null`` are what they look like;
    everything else is text, so a number with a point stays exactly as it was written.
    """
    if isinstance(data, dict):
        return {key: json_value(value) for key, value in data.items()}
    if isinstance(data, list):
        return [json_value(value) for value in data]
    if not data.quoted:
        if data.is_null:
            return None
        if data.lower() in ("true", "false"):
            return data.lower() == "true"
        if re.fullmatch(r"-?(0|[1-9][0-9]{0,14})", data):
            return int(data)
    return str(data)


# --- JSON Schema -------------------------------------------------------------------------------------------------------

_FLAG_WORDS: Final = [True, False, *Flag.WORDS]


def kind_schema(kind: Kind) -> dict[str, Any]:
    """What a kind takes, as JSON Schema. Where JSON Schema has no words for it, only a description."""
    match kind:
        case Reads():
            return dict(kind.schema)
        case Flag():
            return {"enum": _FLAG_WORDS}
        case Whole(among=among, or_none=or_none) if among:
            return {"enum": [*among, None] if or_none else list(among)}
        case Whole(low=low, high=high, or_none=or_none):
            return {"type": ["integer", "null"] if or_none else "integer", "minimum": low, "maximum": high}
        case Choice(words=words):
            return _choice_schema(words)
        case CountMap(keys=keys, low=low, high=high):
            number = {"type": "integer", "minimum": low, "maximum": high}
            by_key = {"type": "object", "properties": {str(k): number for k in keys}, "additionalProperties": False}
            return {"anyOf": [number, by_key]}
        case WholeList(low=low, high=high):
            return {"type": ["array", "null"], "items": {"type": "integer", "minimum": low, "maximum": high}}
        case _:
            return {"description": kind.describe()}


def _choice_schema(words: Sequence[str]) -> dict[str, Any]:
    plain: list[Any] = [word for word in words if not word.endswith(":N")]
    if "none" in plain:
        plain.append(None)
    numbered = [{"type": "string", "pattern": f"^{re.escape(word[:-1])}[0-9]{{1,9}}$"} for word in words if word.endswith(":N")]
    choices: list[dict[str, Any]] = [{"enum": plain}] if plain else []
    return choices[0] if choices and not numbered else {"anyOf": [*choices, *numbered]}
