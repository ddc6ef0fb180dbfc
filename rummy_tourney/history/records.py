"""The records of a hand history (RHH 1.0) and their exact text.

``docs/history-format.md`` is the page for readers of the format. Fields stand in alphabetical order in every class here:
msgspec writes them in the order of declaration, and canonical JSON wants sorted keys.

A field that is empty is left out, so that a record has one form only. These may be left out, all others never are::

    head    fault_policy
    deal    counted deadwood deck faults full hands key melds parts
    match   winner
    fault   deal move
    note    deal text
    seal    root
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

from rummy_tourney.errors import BrokenHistory, EngineBug, NotationError
from rummy_tourney.history.canonical import MAX_INT, canonical

RHH_VERSION: Final = "1.0"
"""The version this program writes. It reads every 1.x."""
MAX_LINE: Final = 1 << 20
"""The most bytes a line may have, without its line feed."""
UNCHAINED: Final = "0" * 64
"""What ``prev`` and ``h`` hold before a record has its place in the chain."""
ENDINGS: Final = ("knock", "gin", "big-gin", "undercut", "out", "rummy", "declare", "wrong-declare", "dropped", "wall",
                  "blocked", "stalemate", "void", "turn-cap", "fault")  # fmt: skip
"""How a deal can end."""

Exact = int | str
"""Points in a record: an integer, or text where that is not enough (see :func:`exact_text`)."""

_FRACTION: Final = re.compile(r"(-?[1-9]\d{0,999})/([1-9]\d{0,999})")
_BIG_INT: Final = re.compile(r"-?[1-9]\d{15,999}")


def exact_text(points: int | Fraction) -> Exact:
    """Points as a record holds them: an integer, ``"5/2"`` for a fraction, digits as text beyond ±(2^53 - 1).

    >>> exact_text(18), exact_text(Fraction(5, 2)), exact_text(Fraction(4, 2))
    (18, '5/2', 2)
    """
    if points.denominator != 1:
        return f"{points.numerator}/{points.denominator}"
    whole = int(points)
    return whole if -MAX_INT <= whole <= MAX_INT else str(whole)


def read_exact(value: object) -> int | Fraction:
    """The inverse of :func:`exact_text`.

    Raises :class:`~rummy_tourney.errors.NotationError` for anything :func:`exact_text` does not write: floats, ``"4/2"``,
    ``"7"``.
    """
    if type(value) is int:
        return value
    if type(value) is str:
        found = _FRACTION.fullmatch(value)
        if found is not None:
            points: int | Fraction = Fraction(int(found.group(1)), int(found.group(2)))
        elif _BIG_INT.fullmatch(value) is not None:
            points = int(value)
        else:
            points = 0
        if exact_text(points) == value:
            return points
    raise NotationError(f'{value!r} are not exact points; write an integer, or a reduced fraction as "5/2"')


# A default that comes from a factory is written even under ``omit_defaults``; the type and the chain must always stand there.
def _head() -> Literal["head"]:
    return "head"


def _deal() -> Literal["deal"]:
    return "deal"


def _match() -> Literal["match"]:
    return "match"


def _fault() -> Literal["fault"]:
    return "fault"


def _note() -> Literal["note"]:
    return "note"


def _seal() -> Literal["seal"]:
    return "seal"


def _unchained() -> str:
    return UNCHAINED


class Producer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The program that wrote a history. Its version is left out on purpose: it would change the bytes of the same run."""

    name: str


class RulesEntry(Struct, frozen=True, kw_only=True):
    """One game of a run, options filled in. ``deck`` is the unshuffled deck, cards joined; ``hash`` is over the rest."""

    deck: str
    family: str
    hash: str
    options: dict[str, Any]
    preset: str | None


class Rng(Struct, frozen=True, kw_only=True):
    """How decks come about: the name of the derivation and the commitment to the root seed (hex)."""

    commitment: str
    derivation: str


class BotEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry: ``id`` as deals name it, ``display`` for people, ``kind`` of bot, SHA-256 of its file if it has one."""

    display: str
    file_hash: str = ""
    id: str
    kind: str


class HeadRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first record: what was played, by whom, under which rules, and how much of it this copy shows (``view``)."""

    bots: tuple[BotEntry, ...]
    fault_policy: str | dict[str, Any] = ""
    h: str = field(default_factory=_unchained)
    prev: str = field(default_factory=_unchained)
    producer: Producer
    rhh: str = field(default_factory=lambda: RHH_VERSION)
    rng: Rng
    rules: dict[str, RulesEntry]
    run_id: str
    spec_hash: str
    t: Literal["head"] = field(default_factory=_head)
    view: str = field(default_factory=lambda: "full")


class DealRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One deal: with ``deck`` and ``moves`` alone it can be played again.

    ``counted`` is how many deals of the match counted before this one, where that is not the deal's number (void deals do
    not count). ``seats`` are entry ids in seat order; ``start`` the points or chips before the deal; ``deck`` the cards from
    the top, joined; ``hands``, ``melds`` and ``deadwood`` one item per seat at the end; ``points`` what the deal changed,
    signed, and ``parts`` how that came about, by name; ``faults`` the ids of fault records; ``key`` the deal's key in hex
    once revealed; ``full``, in redacted copies, the commitment to the full record.
    """

    counted: int | None = None
    deadwood: tuple[int | None, ...] = ()
    dealer: int
    deck: str = ""
    end: str
    faults: tuple[str, ...] = ()
    first: int
    full: str = ""
    h: str = field(default_factory=_unchained)
    hands: tuple[str, ...] = ()
    id: str
    key: str = ""
    melds: tuple[str, ...] = ()
    moves: tuple[str, ...]
    parts: tuple[dict[str, Exact], ...] = ()
    points: tuple[Exact, ...]
    prev: str = field(default_factory=_unchained)
    rules: str
    seats: tuple[str, ...]
    start: tuple[Exact, ...]
    t: Literal["deal"] = field(default_factory=_deal)


class MatchRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One match: totals per seat of ``seats``, the winning seat if there is one alone, why it ended, deals played.

    ``forfeits`` counts, per seat, the deals that seat forfeited.
    """

    deals: int
    forfeits: tuple[int, ...]
    h: str = field(default_factory=_unchained)
    id: str
    prev: str = field(default_factory=_unchained)
    reason: str
    seats: tuple[str, ...]
    t: Literal["match"] = field(default_factory=_match)
    totals: tuple[Exact, ...]
    winner: int | None = None


class FaultRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bot's fault: in which deal, by which seat, its code, before which move (an index into ``moves``), what was done.

    The evidence stands under the same ``id`` in ``faults.jsonl``. Outside a deal ``deal`` and ``move`` are left out.
    """

    code: str
    deal: str = ""
    h: str = field(default_factory=_unchained)
    id: str
    move: int | None = None
    policy: str
    prev: str = field(default_factory=_unchained)
    seat: int
    t: Literal["fault"] = field(default_factory=_fault)


class NoteRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Free text for people, about a deal or the run."""

    deal: str = ""
    h: str = field(default_factory=_unchained)
    prev: str = field(default_factory=_unchained)
    t: Literal["note"] = field(default_factory=_note)
    text: str = ""


class SealRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last record: how many records stand before it, the ``h`` of the last, the Merkle root over the deals' ``h``.

    ``root`` is the root seed in hex, once it may be known.
    """

    count: int
    h: str = field(default_factory=_unchained)
    last: str
    merkle: str
    prev: str = field(default_factory=_unchained)
    root: str = ""
    t: Literal["seal"] = field(default_factory=_seal)


Record = HeadRecord | DealRecord | MatchRecord | FaultRecord | NoteRecord | SealRecord

RECORD_TYPES: Final[dict[str, type[Struct]]] = {
    "head": HeadRecord,
    "deal": DealRecord,
    "match": MatchRecord,
    "fault": FaultRecord,
    "note": NoteRecord,
    "seal": SealRecord,
}
"""The class of every record type (``t``)."""

_DECODERS: Final = {name: msgspec.json.Decoder(kind) for name, kind in RECORD_TYPES.items()}
# "deterministic" sorts the keys of the dicts in ``parts`` and keeps the fields of the struct as declared.
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


def as_fields(record: Struct) -> dict[str, Any]:
    """The fields of a record as they are written, as plain dicts and tuples."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return fields


def decode_record(line: bytes, kind: str) -> Any:
    """The record of type ``kind`` on ``line``. Unknown fields are not in it: they stay on the line.

    Raises :class:`~rummy_tourney.errors.BrokenHistory` if a field is missing or of the wrong type.
    """
    try:
        return _DECODERS[kind].decode(line)
    except msgspec.DecodeError as error:
        raise BrokenHistory(f"not a {kind} record: {error}") from error


def decode_deal(line: bytes) -> DealRecord:
    """The deal on ``line``; see :func:`decode_record`."""
    deal: DealRecord = decode_record(line, "deal")
    return deal


def _is_exact(value: object) -> bool:
    kind = type(value)
    return kind is str or (kind is int and -MAX_INT <= value <= MAX_INT)  # type: ignore[operator]  # an int, as `kind` says


def encode_deal(deal: DealRecord, extra: Mapping[str, object] | None = None) -> bytes:
    """The canonical line of a deal, without line feed, ready for :func:`~rummy_tourney.history.links.chain`.

    ``extra`` holds extension fields; their names start with ``x_``. Equal to ``canonical(as_fields(deal) | extra)`` and
    many times faster. Raises :class:`~rummy_tourney.errors.EngineBug` if a number is not exact or an extension has another
    name.
    """
    for values in (deal.points, deal.start, *[p.values() for p in deal.parts]):
        for value in values:
            if not _is_exact(value):
                raise EngineBug(f"deal {deal.id}: {value!r} is not exact; use exact_text")
    if not extra:
        return _ENCODER.encode(deal)
    for name in extra:
        if not name.startswith("x_"):
            raise EngineBug(f"deal {deal.id}: the extension field {name!r} must start with x_")
    return canonical({**as_fields(deal), **extra})
