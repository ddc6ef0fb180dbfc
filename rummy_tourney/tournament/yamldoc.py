"""YAML text as plain data with places: which line and column every key and value stands at.

PyYAML reads the syntax (``compose`` with the safe loader, so nothing is ever constructed); what a scalar *means* is for the
reader of the data. Every scalar stays the text that was written, so that ``13:00``, ``no``, ``010`` and ``5.50`` are what
people mean and not 780, false, 8 and 5.5.

Stricter than YAML where YAML is a trap: a key given twice, ``<<``, tags, several documents, and unquoted text that runs over
more than one line are refused. Size, depth and the expansion of aliases are bounded.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.nodes import Node, ScalarNode, SequenceNode

MAX_BYTES: Final = 256 * 1024
"""The longest text that is read."""
MAX_DEPTH: Final = 16
"""How deep lists and maps may nest."""
MAX_VALUES: Final = 20_000
"""How many keys and values a document may hold, with every alias written out."""

Trail = tuple[str | int, ...]
"""The way to a value: keys and positions from the top, as ``("players", 2, "bot")``."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line and a column, both counted from 1."""

    line: int
    column: int


TOP: Final = Place(1, 1)


class YamlProblem(Exception):
    """Text that cannot be used as a document: why, and where if it has a place."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class Text(str):
    """A scalar as it was written. ``quoted`` tells ``"5"`` from ``5``."""

    __slots__ = ("quoted",)

    quoted: bool

    def __new__(cls, value: str, *, quoted: bool = False) -> Text:
        """The text ``value``, in quotes or not."""
        made = super().__new__(cls, value)
        made.quoted = quoted
        return made

    @property
    def is_null(self) -> bool:
        """Whether it says "nothing": empty, ``~`` or ``null``, without quotes."""
        return not self.quoted and self in ("", "~", "null", "Null", "NULL")


Data = Text | list[Any] | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trap:
    """An unquoted scalar that other YAML readers take for something else: ``reading`` says what they make of it."""

    trail: Trail
    text: str
    reading: str


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in the text that is refused, though the rest can be read."""

    trail: Trail
    message: str
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    """The data of a text (``dict``, ``list`` and :class:`Text`) and the place of every key and value in it.

    A document made from Python values has no places.
    """

    data: Data
    values: Mapping[Trail, Place] = field(default_factory=dict)
    keys: Mapping[Trail, Place] = field(default_factory=dict)
    flaws: Sequence[Flaw] = ()
    traps: Sequence[Trap] = ()

    def known_part(self, trail: Trail) -> Trail:
        """The longest beginning of ``trail`` that stands in the document."""
        at: Any = self.data
        for depth, part in enumerate(trail):
            inside = part < len(at) if isinstance(at, list) and isinstance(part, int) else isinstance(at, dict) and part in at
            if not inside:
                return trail[:depth]
            at = at[part]
        return trail

    def place(self, trail: Trail, *, at_key: bool = False) -> Place | None:
        """Where the value (or key) at ``trail`` stands; for a key that is missing, where the map stands that lacks it."""
        known = self.known_part(trail)
        if known in self.keys and (at_key or (known != trail and not isinstance(self.at(known), Text))):
            return self.keys[known]
        return self.values.get(known)

    def at(self, trail: Trail) -> Data:
        """The value at ``trail``, which has to be there."""
        found: Any = self.data
        for part in trail:
            found = found[part]
        return found  # type: ignore[no-any-return]  # data holds data


def trail_text(trail: Trail) -> str:
    """``players[2].bot``."""
    text = ""
    for part in trail:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


# --- files and bytes ---------------------------------------------------------------------------------------------------


def read_text(file: Path) -> str:
    """The text of a YAML file. Raises :class:`YamlProblem` for everything that is no readable UTF-8 text."""
    try:
        if file.is_dir():
            raise YamlProblem(f"is a folder. Hint: name the file in it, as in {file.name or '.'}/demo.yaml")
        if file.exists() and not file.is_file():
            raise YamlProblem("is not a file")
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise YamlProblem(f"there is no such file{_neighbours(file)}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise YamlProblem(f"cannot be read: {reason}") from None
    return decode(raw)


def decode(raw: bytes) -> str:
    """UTF-8 bytes as text, without a byte order mark. Raises :class:`YamlProblem` with the place of the first bad byte."""
    if len(raw) > MAX_BYTES:
        raise YamlProblem(f"is longer than {MAX_BYTES // 1024} KiB. Hint: is this really a spec?")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise YamlProblem("is saved as UTF-16. Hint: save it again as UTF-8")
    if b"\0" in raw:
        raise YamlProblem("is not a text file (it holds a zero byte)")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        bad = raw[error.start]
        raise YamlProblem(
            f"not UTF-8 text (got the byte 0x{bad:02x}). Hint: save the file again as UTF-8", Place(line, column)
        ) from None


def _neighbours(file: Path) -> str:
    """A hint with the YAML files beside a missing one."""
    try:
        found = sorted(p.name for p in file.parent.iterdir() if p.suffix in (".yaml", ".yml"))
    except OSError:
        return f". Hint: there is no folder {file.parent} either"
    if not found:
        return ""
    more = ", …" if len(found) > 5 else ""
    return f". Hint: beside it there are {', '.join(found[:5])}{more}"


# --- text to nodes -----------------------------------------------------------------------------------------------------


def read_document(text: str) -> Document:
    """The document in ``text``. Raises :class:`YamlProblem` with the place of what is wrong."""
    node = _compose(text)
    if node is None or (isinstance(node, ScalarNode) and node.value == "" and node.style is None):
        raise YamlProblem("nothing here. Hint: a small spec to start from is in the README and in schedules/demo.yaml", TOP)
    return _Converter().document(node)


def _compose(text: str) -> Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _syntax_problem(error, text) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        raise YamlProblem(
            f"a character that is not allowed in a text file (got U+{int(error.character):04X}). Hint: delete it",
            Place(line, column),
        ) from None
    except RecursionError:
        raise YamlProblem(f"lists and maps nest too deep. Expected at most {MAX_DEPTH} levels", TOP) from None
    except (ValueError, OverflowError):
        # What PyYAML lets through for such escapes, and for absurd numbers after %YAML.
        raise YamlProblem("not YAML: an escape such as \\UFFFFFFFF, for a character that does not exist", TOP) from None


_SYNTAX: Final[Sequence[tuple[str, str, str]]] = (
    # A pattern over what PyYAML says (its context and its problem); what is wrong; a hint.
    (
        "found character '(.)' that cannot start any token",
        'unquoted text cannot begin with "{0}"',
        "put quotes around the whole text",
    ),
    (
        "scanning an (?:alias|anchor)",
        "text that begins with * or & refers to something else in YAML",
        'put quotes around it, as in "*.py"',
    ),
    (
        "undefined alias '(.*?)'",
        "*{0} refers to nothing",
        'put quotes around text that begins with *, as in "*.py"',
    ),
    (
        "mapping values are not allowed",
        "a colon where none can be",
        "put quotes around a value that holds a colon and a space, and check how far this line is indented",
    ),
    (
        "sequence entries are not allowed|expected <block end>, but found '-'",
        "a list item (-) where none can be",
        "begin the list on a line of its own, with every - in the same column",
    ),
    (
        "could not find expected ':'",
        "a line without a colon",
        'write "key: value", and put quotes around text of several lines',
    ),
    (
        "scanning a quoted scalar|quoted scalar found unexpected",
        "a quote that is never closed",
        "close it with the same kind of quote",
    ),
    (
        "unknown escape character '(.*?)'|expected escape sequence",
        "a backslash that means nothing inside double quotes",
        "use single quotes around text with a backslash",
    ),
    (
        "parsing a flow (?:sequence|mapping)",
        "a bracket that is not closed",
        "check the [ ] and {{ }} from here on, and the commas between their values",
    ),
    (
        "expected the node content, but found '(.)'",
        'a "{0}" where a value should be',
        "fill in the value, or put quotes around text that begins with this sign",
    ),
    (
        "duplicate anchor '(.*?)'",
        "the anchor &{0} is set twice",
        "give each anchor a name of its own",
    ),
    (
        "expected a single document",
        "a second document begins here (---)",
        "one file holds one spec; put the second into a file of its own",
    ),
    (
        "directive|incompatible YAML|document start",
        "a line that YAML takes for a directive",
        "put quotes around text that begins with %; a spec needs no %YAML line",
    ),
    (
        "tag",
        "a tag (!…) that means nothing here",
        "put quotes around text that begins with !",
    ),
    (
        "block scalar",
        "text right after | or >",
        "put quotes around text that begins with | or >, or begin the text on the next line",
    ),
    (
        "expected <block end>|not allowed here",
        "this does not fit what stands before it",
        "check how far the line is indented, and that quoted text ends where the value ends",
    ),
)


def _syntax_problem(error: yaml.MarkedYAMLError, text: str) -> YamlProblem:
    """What PyYAML found, in the words of somebody who writes specs."""
    mark = error.problem_mark or error.context_mark
    place = TOP if mark is None else Place(mark.line + 1, mark.column + 1)
    tab = _tab_in_indentation(text, place.line)
    if tab is not None:
        return YamlProblem(f"line {tab.line} uses a tab; YAML allows spaces only. Hint: replace tabs by spaces", tab)
    context = error.context or ""
    if error.context_mark is not None and re.search("quoted scalar|flow|simple key", context):
        # Where it began says more than where YAML gave up.
        place = Place(error.context_mark.line + 1, error.context_mark.column + 1)
    for pattern, wrong, hint in _SYNTAX:
        found = re.search(pattern, f"{context} {error.problem}")
        if found is not None:
            return YamlProblem(f"{wrong.format(*found.groups())}. Hint: {hint.format(*found.groups())}", place)
    return YamlProblem(f"not YAML: {error.problem}", place)


def _tab_in_indentation(text: str, until: int) -> Place | None:
    """The first tab among the leading blanks of the failing line or the one before it."""
    lines = text.splitlines()[:until]
    for number in range(max(1, until - 1), len(lines) + 1):
        line = lines[number - 1]
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        if "\t" in blanks and line.strip():
            return Place(number, blanks.index("\t") + 1)
    return None


# --- nodes to data -----------------------------------------------------------------------------------------------------

_PLAIN_TAGS: Final = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "seq", "map", "merge", "value")
)
_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class _Converter:
    """Turns nodes into data and keeps their places."""

    def __init__(self) -> None:
        self._count = 0
        self._values: dict[Trail, Place] = {}
        self._keys: dict[Trail, Place] = {}
        self._flaws: list[Flaw] = []
        self._traps: list[Trap] = []

    def document(self, node: Node) -> Document:
        data = self._convert(node, ())
        return Document(data, self._values, self._keys, self._flaws, self._traps)

    def _convert(self, node: Node, trail: Trail) -> Data:
        place = _place(node)
        self._count += 1
        if self._count > MAX_VALUES:
            raise YamlProblem(f"more than {MAX_VALUES} values, aliases written out. Hint: a spec is small", place)
        if len(trail) > MAX_DEPTH:
            deep = "lists and maps nest too deep, or an alias refers to itself"
            raise YamlProblem(f"{deep}. Expected at most {MAX_DEPTH} levels", place)
        if node.tag not in _PLAIN_TAGS:
            self._flaw(trail, f"the tag {_short(node.tag)} means nothing here. Hint: remove it, or quote the text", place)
        self._values[trail] = place
        if isinstance(node, ScalarNode):
            return self._scalar(node, trail, place)
        if isinstance(node, SequenceNode):
            return [self._convert(item, (*trail, number)) for number, item in enumerate(node.value)]
        return self._map(node, trail)

    def _map(self, node: Node, trail: Trail) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = _place(key_node)
            refusal = _key_refusal(key_node)
            if refusal is not None:
                self._flaw(trail, refusal, place)
                continue
            key = str(key_node.value)
            inner = (*trail, key)
            if key in found:
                before = self._keys[inner].line
                where = f"line {before}" if before == place.line else f"lines {before} and {place.line}"
                self._flaw(inner, f'"{_short(key)}" appears twice ({where}). Hint: remove one of them', place)
                continue
            self._keys[inner] = place
            found[key] = self._convert(value_node, inner)
        return found

    def _scalar(self, node: ScalarNode, trail: Trail, place: Place) -> Text:
        value = node.value
        refusal = _character_refusal(value)
        quoted = node.style is not None
        if refusal is None and not quoted and value and node.end_mark.line > node.start_mark.line:
            refusal = (
                f"unquoted text runs on over lines {place.line} to {node.end_mark.line + 1} (got {shown(value)}). "
                f"Hint: check how far line {place.line + 1} is indented, or put quotes around the text"
            )
        if refusal is not None:
            self._flaw(trail, refusal, place)
            return Text(_FORBIDDEN.sub("?", value), quoted=quoted)
        reading = None if quoted else _other_reading(node.tag, value)
        if reading is not None:
            self._traps.append(Trap(trail, value, reading))
        return Text(value, quoted=quoted)

    def _flaw(self, trail: Trail, message: str, place: Place) -> None:
        self._flaws.append(Flaw(trail, message, place))


def _key_refusal(node: Node) -> str | None:
    """What is wrong with a key, if anything is."""
    if not isinstance(node, ScalarNode):
        return "a list or map as a key. Expected plain text before the colon"
    if node.tag == "tag:yaml.org,2002:merge":
        return "merge keys (<<) are not read. Hint: write the keys out"
    if node.value == "":
        return "a key is missing before the colon"
    if "\n" in node.value:
        return "a key of several lines. Hint: check the commas and quotes before it"
    return _character_refusal(node.value)


def _character_refusal(value: str) -> str | None:
    bad = _FORBIDDEN.search(value)
    if bad is None:
        return None
    return f"a character that cannot be used here (got U+{ord(bad.group()):04X}). Hint: delete it"


def _place(node: Node) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)


def _other_reading(tag: str, value: str) -> str | None:
    """What a YAML 1.1 reader makes of unquoted text that this one leaves alone, or ``None`` where all agree."""
    kind = tag.rpartition(":")[2]
    if kind == "bool" and value.lower() not in ("true", "false"):
        return "true" if value.lower() in ("yes", "on") else "false"
    if kind == "timestamp":
        return "a date"
    if kind in ("int", "float") and ":" in value:
        return "a number (minutes or seconds)"
    if kind == "int" and not re.fullmatch(r"[+-]?(0|[1-9]\d*)", value):
        return "another number" if re.fullmatch(r"[+-]?0[0-7_]+", value) else "a number"
    return None


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"


def shown(value: object) -> str:
    """A value in a message: text in quotes, shortened; a list or map by its kind."""
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Text) and value.is_null:
        return "nothing"
    return repr(_short(str(value)))


# --- data that was never YAML ------------------------------------------------------------------------------------------


def document_of(value: object) -> Document:
    """A document made from Python values (maps, lists, text, numbers, booleans, ``None``); it has no places.

    Raises :class:`YamlProblem` for a value that YAML could not have said.
    """
    return Document(_plain(value, 0))


def _plain(value: object, depth: int) -> Data:
    if depth > MAX_DEPTH:
        raise YamlProblem(f"lists and maps nest too deep. Expected at most {MAX_DEPTH} levels")
    if value is None:
        return Text("null")
    if isinstance(value, bool):
        return Text("true" if value else "false")
    if isinstance(value, (int, float)):
        return Text(str(value))
    if isinstance(value, str):
        refusal = _character_refusal(value)
        if refusal is not None:
            raise YamlProblem(refusal)
        return Text(value, quoted=True)
    if isinstance(value, Mapping):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_plain(item, depth + 1) for item in value]
    raise YamlProblem(f"{type(value).__name__} cannot stand in a spec")
