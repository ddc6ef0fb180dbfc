"""The hash chain: how each record of a history holds on to the one before.

::

    h = SHA-256(prev as 32 raw bytes || canonical(record without prev and h))        prev of the first record: 32 zero bytes
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from rummy_tourney.errors import EngineBug
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.records import UNCHAINED

GENESIS: Final = bytes(32)
"""``prev`` of the first record."""

_BLANK_H: Final = f'"h":"{UNCHAINED}",'.encode()
_BLANK_PREV: Final = f'"prev":"{UNCHAINED}",'.encode()


def body(fields: Mapping[str, object]) -> dict[str, object]:
    """The part of a record that its hash covers: everything but ``prev`` and ``h``."""
    return {name: value for name, value in fields.items() if name not in ("prev", "h")}


def record_hash(fields: Mapping[str, object], prev: bytes) -> bytes:
    """The ``h`` of a record after a record whose ``h`` is ``prev``.

    Raises :class:`~rummy_tourney.errors.HistoryError` if the record has no canonical form.
    """
    return sha256(prev + canonical(body(fields))).digest()


def link(fields: Mapping[str, object], prev: bytes) -> tuple[bytes, bytes]:
    """The line of a record in its place in the chain, without line feed, and its ``h``."""
    h = record_hash(fields, prev)
    return canonical({**fields, "prev": prev.hex(), "h": h.hex()}), h


def chain(line: bytes, prev: bytes) -> tuple[bytes, bytes]:
    """What :func:`link` answers, for a canonical line whose ``h`` and ``prev`` are still :data:`~.records.UNCHAINED`.

    The text is not parsed: the two blanks are found, hashed around and filled in. Raises
    :class:`~rummy_tourney.errors.EngineBug` unless each blank stands there exactly once.
    """
    # Why this is safe. Inside a JSON string every quote has a backslash before it, so the bytes `"h":"` can only be a key
    # (named h, or ending in `\"h`) and the start of its value. The record itself has the keys h and prev at its top
    # level, blank. If each pattern occurs once, that is where; a second one, inside an extension, is refused.
    at_h = line.find(_BLANK_H)
    at_prev = line.find(_BLANK_PREV)
    if at_h < 0 or at_prev < at_h or line.rfind(_BLANK_H) != at_h or line.rfind(_BLANK_PREV) != at_prev:
        raise EngineBug("a line to be chained must have exactly one blank h and one blank prev")
    # Neither key is ever the last of a record (``t`` comes after), so the comma behind each value goes with it.
    between = at_h + len(_BLANK_H)
    after = at_prev + len(_BLANK_PREV)
    h = sha256(b"".join((prev, line[:at_h], line[between:at_prev], line[after:]))).digest()
    filled = b"".join(
        (line[:at_h], b'"h":"', h.hex().encode(), b'",', line[between:at_prev], b'"prev":"', prev.hex().encode(), b'",',
         line[after:])
    )  # fmt: skip
    return filled, h
