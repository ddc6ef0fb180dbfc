r"""Canonical JSON: one text for one value, so that a hash of it means something.

This is the part of RFC 8785 (JSON Canonicalization Scheme) that histories need: objects, lists, strings, integers, true, false
and null. Keys are sorted by their UTF-16 code units, nothing stands between the tokens, text is UTF-8, and only ``"``,
``\`` and the control characters below U+0020 are escaped. There are no floats at all: a number that is not whole is
written as text (``"5/2"``). Integers keep within ±(2^53 - 1), the range every JSON reader gets right.
"""

from __future__ import annotations

from typing import Final

import msgspec

from rummy_tourney.errors import HistoryError

MAX_INT: Final = 2**53 - 1
"""The largest integer written as a number."""
MAX_DEPTH: Final = 64
"""How deep lists and objects may nest."""

# msgspec escapes strings exactly as RFC 8785 asks and writes no spaces; the tests hold it against the standard's own vectors
# and against json.dumps. It sorts keys by code point, which is the order of UTF-16 code units unless a key reaches
# beyond U+FFFF, so only then are the keys put in order here.
_SORTING = msgspec.json.Encoder(order="sorted")
_AS_GIVEN = msgspec.json.Encoder()


class _Refused(Exception):
    """Carries the reason from deep inside a value to :func:`canonical`."""


def canonical(value: object) -> bytes:
    """The canonical JSON of ``value`` as UTF-8.

    Takes ``dict`` with text keys, ``list``, ``tuple`` (written as a list), ``str``, ``int``, ``bool`` and ``None``.
    Raises :class:`~rummy_tourney.errors.HistoryError` for anything else: floats, integers beyond :data:`MAX_INT`,
    keys that are not text, half surrogate pairs, nesting deeper than :data:`MAX_DEPTH`.

    >>> canonical({"b": [1, None], "a": "5/2"})
    b'{"a":"5/2","b":[1,null]}'
    """
    try:
        sorts_plainly = _check(value, MAX_DEPTH)
        return _SORTING.encode(value) if sorts_plainly else _AS_GIVEN.encode(_in_key_order(value))
    except _Refused as refused:
        raise HistoryError(f"cannot be written as canonical JSON: {refused}") from None
    except UnicodeEncodeError:
        raise HistoryError("cannot be written as canonical JSON: text with half a surrogate pair") from None


def _check(value: object, depth: int) -> bool:
    """Refuse what has no canonical form; answer whether sorting by code point gives the right order of keys."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        if not -MAX_INT <= value <= MAX_INT:  # type: ignore[operator]  # `kind` says that it is an int
            raise _Refused(f"the integer {value} is beyond 2^53 - 1; write it as text")
        return True
    if depth == 0:
        raise _Refused(f"nested deeper than {MAX_DEPTH}")
    if kind is dict:
        return _check_dict(value, depth)  # type: ignore[arg-type]  # `kind` says that it is a dict
    if kind is list or kind is tuple:
        plain = True
        for item in value:  # type: ignore[attr-defined]  # `kind` says that it can be iterated
            # Lists of moves are most of a history, and text needs no look.
            if type(item) is not str and not _check(item, depth - 1):
                plain = False
        return plain
    raise _Refused(f"{kind.__name__} {value!r}")


def _check_dict(value: dict[object, object], depth: int) -> bool:
    plain = True
    for key, item in value.items():
        if type(key) is not str:
            raise _Refused(f"the key {key!r} is not text")
        if not key.isascii() and max(key) > "\uffff":
            plain = False
        if type(item) is not str and not _check(item, depth - 1):
            plain = False
    return plain


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _in_key_order(value: object) -> object:
    """A copy whose dicts hold their keys in the order they are to be written."""
    if isinstance(value, dict):
        return {key: _in_key_order(value[key]) for key in sorted(value, key=_utf16)}
    if isinstance(value, (list, tuple)):
        return [_in_key_order(item) for item in value]
    return value
