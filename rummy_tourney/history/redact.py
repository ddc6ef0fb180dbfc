"""Copies of a history for other eyes: what the public or one seat may see, and a salted commitment to the rest.

**Moves** are hidden by their notation alone:

=================  ===================================  =============================
move               who sees it whole                    what the others see
=================  ===================================  =============================
``pN ds 4c``       seat N                               ``pN ds ??``
``d deal pN …``    seat N                               as many ``??`` as cards
``d rs n …``       nobody                               ``d rs n sha256:…``
all other verbs    everybody                            the move
=================  ===================================  =============================

A move that was played for a bot (``d to p2 -> p2 ds 4c``) is hidden like the move itself. A verb that is not known cannot
be judged, so such a record is refused.

**Hands at the end** are open where the ending shows them (:data:`SHOWN`); a seat that dropped never shows.

Fields that are not part of the format (``x_…``) may say anything and are left out, and so are the deal's key, the root seed,
and the original ``prev`` and ``h``: those are hashes without salt, and where little is hidden, little has to be guessed.
The copy gets a chain of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from typing import Any, Final

from rummy_tourney import seeding
from rummy_tourney.cards import UNKNOWN
from rummy_tourney.errors import BrokenHistory, UsageError
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.jsonl import HistoryReader, HistorySummary, HistoryWriter
from rummy_tourney.history.links import body
from rummy_tourney.history.records import decode_record


class Shown(Enum):
    """Whose hands an ending shows to everybody."""

    ALL = "all"
    DECLARER = "declarer"
    NOBODY = "nobody"


SHOWN: Final[Mapping[str, Shown]] = {
    # Hands are laid open, to be counted or because all agree that nobody can finish.
    "knock": Shown.ALL,
    "gin": Shown.ALL,
    "big-gin": Shown.ALL,
    "undercut": Shown.ALL,
    "out": Shown.ALL,
    "rummy": Shown.ALL,
    "declare": Shown.ALL,
    "blocked": Shown.ALL,
    "stalemate": Shown.ALL,
    # The hand that was declared is laid open and found wrong; the others put theirs away.
    "wrong-declare": Shown.DECLARER,
    # Nothing is counted.
    "dropped": Shown.NOBODY,
    "wall": Shown.NOBODY,
    "void": Shown.NOBODY,
    "turn-cap": Shown.NOBODY,
    "fault": Shown.NOBODY,
}
"""Whose final hands are public, by ending; an ending that is not here shows nobody's."""

_OPEN_VERBS: Final = frozenset(
    {"up", "wild", "cut", "pass", "dd", "m", "lo", "js", "ra", "dc", "kn", "gin", "bgin", "sh", "dcl", "drop", "out", "pen",
     "end", "sc"}
)  # fmt: skip
_PLAYED_FOR: Final = frozenset({"to", "ill"})
# A joker's number ends where the next card begins: *1 and 2c joined are *12c.
_CARD: Final = re.compile(r"(?:\*\d{1,2}(?![cdhs])|[A2-9TJQK][cdhs](?:\.\d)?|[rbky]\d{1,2}|\?\?) ?")
_VIEW: Final = re.compile(r"public|seat:(\d{1,2})")

_DEAL_KEPT: Final = ("t", "id", "rules", "seats", "dealer", "first", "counted", "start", "end", "points", "parts", "faults")
_KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "head": ("t", "rhh", "producer", "run_id", "spec_hash", "rules", "rng", "bots", "fault_policy"),
    "match": ("t", "id", "seats", "totals", "winner", "reason", "deals", "forfeits"),
    "fault": ("t", "id", "deal", "seat", "code", "move", "policy"),
    "note": ("t", "deal"),
}


class Pseudonyms:
    """Stable other names: the first name met is ``player-1``, the next ``player-2``, and so on.

    Met in the order of the head's entries, so the same history always gives the same names.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """The other name of ``name``."""
        return self._known.setdefault(name, f"player-{len(self._known) + 1}")


def view_seat(view: str) -> int | None:
    """The seat of ``seat:1``; ``None`` for ``public``. Raises :class:`~rummy_tourney.errors.UsageError` for anything else."""
    found = _VIEW.fullmatch(view)
    if found is None:
        raise UsageError(f'"{view}" is not a view; write public, or seat:0, seat:1 …')
    return None if found.group(1) is None else int(found.group(1))


def commitment(fields: Mapping[str, object], key: bytes) -> str:
    """What a redacted deal keeps of the full record: SHA-256(salt || canonical(record without prev and h)), in hex."""
    return sha256(seeding.salt(key) + canonical(body(fields))).hexdigest()


def matches(redacted: Mapping[str, object], full: Mapping[str, object], key: bytes) -> bool:
    """Whether ``full`` is the record that ``redacted`` was made from."""
    return redacted.get("full") == commitment(full, key)


def redact_move(move: str, seat: int | None, salt: bytes | None = None) -> str:
    """A move as ``seat`` (``None``: the public) may see it.

    Raises :class:`~rummy_tourney.errors.BrokenHistory` for a verb that is not part of the format.
    """
    actor, _, rest = move.partition(" ")
    verb, _, args = rest.partition(" ")
    if verb in _OPEN_VERBS:
        return move
    if verb == "ds":
        return move if not args or actor == f"p{seat}" else f"{actor} ds {UNKNOWN}"
    if verb == "deal":
        owner, _, cards = args.partition(" ")
        return move if not cards or owner == f"p{seat}" else f"{actor} deal {owner} {_covered(cards)}"
    if verb == "rs":
        hidden = UNKNOWN if salt is None else _salted(salt, move)
        return f"{actor} rs {args.partition(' ')[0]} {hidden}"
    if verb in _PLAYED_FOR:
        why, arrow, played = args.partition(" -> ")
        return f"{actor} {verb} {why}{arrow}{redact_move(played, seat, salt)}" if arrow else move
    raise BrokenHistory(f"the move {move!r} has a verb that RHH 1 does not know, so nobody can say what it shows")


def redact_record(
    fields: Mapping[str, Any], view: str, *, key: bytes | None = None, names: Callable[[str], str] | None = None
) -> dict[str, Any] | None:
    """A record as ``view`` may see it, without ``prev`` and ``h``; ``None`` if it is left out (seals, unknown types).

    ``key`` is the deal's key; without it (and without one in the record) the copy has no commitments. ``names`` gives entries
    other names, see :class:`Pseudonyms`.
    """
    kind = fields["t"]
    seat = view_seat(view)
    if kind == "deal":
        return _redact_deal(fields, seat, key, names)
    if kind not in _KEPT:
        return None
    copy = {name: fields[name] for name in _KEPT[kind] if name in fields}
    if kind == "head":
        copy["view"] = view
        if names is not None:
            copy["bots"] = [{"display": names(b["id"]), "id": names(b["id"]), "kind": b["kind"]} for b in copy["bots"]]
    if kind == "match" and names is not None:
        copy["seats"] = [names(name) for name in copy["seats"]]
    return copy


def redact_history(
    reader: HistoryReader,
    path: str | os.PathLike[str],
    view: str,
    *,
    key_of: Callable[[Mapping[str, Any]], bytes | None] = lambda fields: None,
    names: Callable[[str], str] | None = None,
) -> HistorySummary:
    """Write the copy of a history that ``view`` may see to ``path``, with a chain and a seal of its own.

    ``key_of`` answers the key of a deal whose record does not hold it. Raises
    :class:`~rummy_tourney.errors.BrokenHistory`, and writes nothing, if the history is damaged, does not begin with a head, or
    is a redacted copy itself.
    """
    view_seat(view)
    records = iter(reader)
    head = next(records, None)
    if head is None or head.kind != "head":
        raise BrokenHistory("a history begins with its head; this one does not", line=1)
    if head.fields.get("view", "full") != "full":
        raise BrokenHistory(f"this is a redacted copy ({head.fields['view']}); make copies from the full history", line=1)
    with HistoryWriter(path, redact_record(head.fields, view, names=names) or {}) as writer:
        for line in records:
            decode_record(line.raw, line.kind)  # refuses missing and wrong fields, which could not be covered
            key = key_of(line.fields) if line.kind == "deal" else None
            copy = redact_record(line.fields, view, key=key, names=names)
            if copy is not None:
                writer.write(copy)
        if reader.torn is not None or reader.problems:
            raise BrokenHistory(f"the history is damaged: {reader.torn or reader.problems[0].problem}; verify it first")
        return writer.close()


def _redact_deal(
    fields: Mapping[str, Any], seat: int | None, key: bytes | None, names: Callable[[str], str] | None
) -> dict[str, Any]:
    if key is None and fields.get("key"):
        key = _key_of(fields)
    salt = None if key is None else seeding.salt(key)
    copy = {name: fields[name] for name in _DEAL_KEPT if name in fields}
    copy["moves"] = [redact_move(move, seat, salt) for move in fields["moves"]]
    copy.update(_final_hands(fields, seat))
    if key is not None and salt is not None:
        copy["full"] = commitment(fields, key)
        if "deck" in fields:
            copy["deck"] = _salted(salt, fields["deck"])
    if names is not None:
        copy["seats"] = [names(name) for name in copy["seats"]]
    return copy


def _key_of(fields: Mapping[str, Any]) -> bytes:
    try:
        return bytes.fromhex(fields["key"])
    except ValueError as error:
        raise BrokenHistory(f"deal {fields['id']}: its key is not hexadecimal") from error


def _final_hands(fields: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """``hands``, ``melds`` and ``deadwood`` with what is hidden covered."""
    open_seats = set(_shown_seats(fields["end"], fields["moves"], len(fields["seats"])))
    if seat is not None:
        open_seats.add(seat)
    covers: dict[str, Callable[[Any], object]] = {
        "hands": _covered,
        "melds": lambda melds: UNKNOWN if melds else "",
        "deadwood": lambda count: None,
    }
    return {
        name: [item if n in open_seats else cover(item) for n, item in enumerate(fields[name])]
        for name, cover in covers.items()
        if name in fields
    }


def _shown_seats(end: str, moves: Sequence[str], seats: int) -> Iterator[int]:
    shown = SHOWN.get(end, Shown.NOBODY)
    if shown is Shown.NOBODY:
        return
    dropped = _actors(moves, "drop")
    declared = _actors(moves, "dcl")
    for seat in range(seats):
        actor = f"p{seat}"
        if actor not in dropped and (shown is Shown.ALL or actor in declared):
            yield seat


def _actors(moves: Iterable[str], verb: str) -> set[str]:
    """Who made such a move, alone or by default."""
    found = set()
    for move in moves:
        words = move.rpartition(" -> ")[2].split(" ", 2)
        if len(words) > 1 and words[1] == verb:
            found.add(words[0])
    return found


def _covered(cards: str) -> str:
    """``??`` for each card; for all of them together where the text is not cards."""
    found = _CARD.findall(cards)
    return UNKNOWN * len(found) if "".join(found) == cards else UNKNOWN


def _salted(salt: bytes, text: str) -> str:
    return "sha256:" + sha256(salt + text.encode()).hexdigest()
