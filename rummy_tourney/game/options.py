"""Options of a game family: one frozen dataclass per family, each field declared with :func:`option`.

Option values are plain JSON values (bool, int, text, ``None``, or a map of ints), so that a spec, a history and a
bot's ``hello`` say the same thing. ``tourney games NAME`` prints these declarations; :func:`parse_options`
is the only way from raw values to an options object, and reports every problem at once.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar

from rummy_tourney.errors import OptionError, OptionProblem


class Kind(Protocol):
    """What one option may hold."""

    def parse(self, raw: object) -> object:
        """The value, from text or from an already typed value; raises ``ValueError`` saying what is expected."""

    def describe(self) -> str:
        """The allowed values in words, for ``tourney games`` and error messages."""


def _whole(raw: object) -> int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, str) and re.fullmatch(r"[+-]?\d{1,12}", raw.strip()):
        return int(raw)
    return None


@dataclasses.dataclass(frozen=True, slots=True)
class Flag:
    """true or false (``yes``, ``no``, ``on``, ``off`` are understood)."""

    WORDS: ClassVar[Mapping[str, bool]] = {
        "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False,
    }  # fmt: skip

    def parse(self, raw: object) -> bool:
        """A bool, or one of the words."""
        if isinstance(raw, bool):
            return raw
        if isinstance(raw, str) and raw.strip().lower() in self.WORDS:
            return self.WORDS[raw.strip().lower()]
        raise ValueError(f"expected true or false, got {raw!r}")

    def describe(self) -> str:
        """The two values."""
        return "true, false"


@dataclasses.dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two bounds, or one of a few."""

    low: int = 0
    high: int = 1_000_000
    among: tuple[int, ...] = ()
    or_none: bool = False

    def parse(self, raw: object) -> int | None:
        """A whole number, also as text; ``None`` from ``null`` where that is allowed."""
        if self.or_none and (raw is None or (isinstance(raw, str) and raw.lower() in ("null", "none", "~", ""))):
            return None
        value = _whole(raw)
        if value is None or (self.among and value not in self.among) or not self.low <= value <= self.high:
            raise ValueError(f"expected {self.describe()}, got {raw!r}")
        return value

    def describe(self) -> str:
        """The few numbers, or the bounds."""
        words = ", ".join(map(str, self.among)) if self.among else f"a whole number {self.low} to {self.high}"
        return f"{words}, or null" if self.or_none else words


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words; a word ending in ``:N`` takes a whole number (``flat:100``)."""

    words: tuple[str, ...]

    def parse(self, raw: object) -> str:
        """The word as declared; ``-`` and ``_`` are the same, and ``null`` is ``none``."""
        text = "none" if raw is None and "none" in self.words else raw
        if isinstance(text, bool):
            text = "true" if text else "false"
        if isinstance(text, str):
            text = text.strip()
            for word in self.words:
                if word.endswith(":N"):
                    if re.fullmatch(re.escape(word[:-1]) + r"\d{1,9}", text):
                        return f"{word[:-1]}{int(text.rpartition(':')[2])}"
                elif text in (word, word.replace("_", "-"), word.replace("-", "_")):
                    return word
        raise ValueError(f"expected {self.describe()}, got {raw!r}{nearest_hint(str(raw), self.words)}")

    def describe(self) -> str:
        """The words."""
        return ", ".join(self.words)


@dataclasses.dataclass(frozen=True, slots=True)
class CountMap:
    """A map from whole numbers to whole numbers, as ``{2: 10, 3: 7}``; one number stands for every key."""

    keys: tuple[int, ...]
    low: int
    high: int

    def parse(self, raw: object) -> Mapping[str, int]:
        """The map with its keys as text and in order, as JSON has it."""
        if isinstance(raw, Mapping):
            pairs = [(_whole(k), _whole(v)) for k, v in raw.items()]
        else:
            pairs = [(k, _whole(raw)) for k in self.keys]
        result: dict[str, int] = {}
        for key, value in pairs:
            if key not in self.keys or value is None or not self.low <= value <= self.high:
                raise ValueError(f"expected {self.describe()}, got {raw!r}")
            result[str(key)] = value
        # Read-only: bots are shown the options, and one object serves every deal.
        return MappingProxyType({str(k): result[str(k)] for k in self.keys if str(k) in result})

    def describe(self) -> str:
        """The bounds of keys and values."""
        return f"a map from {self.keys[0]}-{self.keys[-1]} to {self.low}-{self.high}, or one number for all"


@dataclasses.dataclass(frozen=True, slots=True)
class WholeList:
    """A list of whole numbers; ``null`` leaves the choice to the family."""

    low: int
    high: int

    def parse(self, raw: object) -> Sequence[int] | None:
        """The numbers as a tuple, or ``None``."""
        if raw is None or (isinstance(raw, str) and raw.lower() in ("null", "all", "")):
            return None
        values = [_whole(v) for v in raw] if isinstance(raw, (list, tuple)) else [None]
        good = [v for v in values if v is not None and self.low <= v <= self.high]
        if len(good) != len(values):
            raise ValueError(f"expected {self.describe()}, got {raw!r}")
        return tuple(good)

    def describe(self) -> str:
        """The bounds of the numbers."""
        return f"a list of whole numbers {self.low} to {self.high}, or null"


def option(default: Any, doc: str, kind: Kind) -> Any:
    """Declare one option: its default, one line of explanation, and what it may hold."""
    metadata = {"doc": doc, "kind": kind}
    if isinstance(default, Mapping):
        frozen = dict(default)
        return dataclasses.field(default_factory=lambda: MappingProxyType(frozen), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True, slots=True)
class OptionDoc:
    """One row of a family's option table."""

    name: str
    default: object
    values: str
    doc: str


class DataclassOptions(Protocol):
    """Any family's options: a frozen dataclass that can check itself."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def problems(self) -> Iterable[OptionProblem]:
        """Combinations that cannot be played."""


OptionsT = TypeVar("OptionsT", bound=DataclassOptions)


def describe_options(cls: type[DataclassOptions]) -> list[OptionDoc]:
    """The option table of a family, in declaration order."""
    rows = []
    for field in dataclasses.fields(cls):
        default = field.default
        if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        kind: Kind = field.metadata["kind"]
        rows.append(OptionDoc(field.name, default, kind.describe(), field.metadata["doc"]))
    return rows


def option_values(options: DataclassOptions) -> dict[str, object]:
    """Every option with its value, as plain JSON values."""
    plain: dict[str, object] = {}
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        plain[field.name] = list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
    return plain


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like ``word``, or ``None`` when nothing is near."""
    found = difflib.get_close_matches(word.lower(), sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None


def nearest_hint(word: str, known: Iterable[str]) -> str:
    """``'; did you mean "x"?'``, or nothing."""
    near = nearest(word, known)
    return f'; did you mean "{near}"?' if near else ""


def parse_options(
    cls: type[OptionsT],
    raw: Mapping[str, object],
    *,
    base: Mapping[str, object] | None = None,
    adjust: Callable[[dict[str, object], frozenset[str]], None] | None = None,
) -> OptionsT:
    """Options of a family from raw values: defaults, then ``base`` (a preset), then ``raw``.

    ``adjust`` may fill in defaults that depend on other options; it is given the values and the names that were
    set explicitly. Raises :class:`~rummy_tourney.errors.OptionError` with every problem found.
    """
    fields = {f.name: f for f in dataclasses.fields(cls)}
    problems: list[OptionProblem] = []
    values: dict[str, object] = {}
    for source in (base or {}, raw):
        for key, given in source.items():
            name = key.replace("-", "_")
            if name not in fields:
                problems.append(OptionProblem(key, f'unknown option "{key}"{nearest_hint(name, fields)}'))
                continue
            try:
                values[name] = fields[name].metadata["kind"].parse(given)
            except ValueError as error:
                problems.append(OptionProblem(key, str(error)))
    if adjust is not None:
        adjust(values, frozenset(values))
    if problems:
        raise OptionError(problems)
    options = cls(**values)
    conflicts = list(options.problems())
    if conflicts:
        raise OptionError(conflicts)
    return options
