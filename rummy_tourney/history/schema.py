"""A JSON Schema (draft 2020-12) of the records of a hand history, for tools in other languages."""

from __future__ import annotations

from typing import Any, Final

from rummy_tourney.history.records import ENDINGS

Schema = dict[str, Any]

_HASH: Final = {"$ref": "#/$defs/hash"}
_EXACTS: Final = {"type": "array", "items": {"$ref": "#/$defs/exact"}}
_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_NAME: Final = {"type": "string", "minLength": 1}
_NAMES: Final = {"type": "array", "items": _NAME}
_INDEX: Final = {"type": "integer", "minimum": 0}

_DEFS: Final[Schema] = {
    "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256, lower-case hex"},
    "exact": {
        "description": "exact points: an integer, a reduced fraction as 5/2, or digits beyond 2^53 - 1",
        "anyOf": [
            {"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1},
            {"type": "string", "pattern": "^-?[1-9][0-9]*/[1-9][0-9]*$"},
            {"type": "string", "pattern": "^-?[1-9][0-9]{15,}$"},
        ],
    },
    "move": {"type": "string", "pattern": "^(d|p[0-9]{1,2}) [a-z]+( .+)?$", "description": "actor verb args"},
    "view": {"type": "string", "pattern": "^(full|public|seat:[0-9]{1,2})$"},
}


def _record(kind: str, required: Schema, optional: Schema) -> Schema:
    """The schema of one record type. Other fields are allowed everywhere: readers keep what they do not know."""
    properties = {"t": {"const": kind}, **required, **optional, "prev": _HASH, "h": _HASH}
    return {"type": "object", "properties": properties, "required": ["t", *required, "prev", "h"]}


def _object(required: Schema, optional: Schema | None = None) -> Schema:
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


def _head() -> Schema:
    game = _object(
        {"deck": _TEXT, "family": _NAME, "hash": _HASH, "options": {"type": "object"}, "preset": {"type": ["string", "null"]}}
    )
    bot = _object({"id": _NAME, "display": _NAME, "kind": _NAME}, {"file_hash": _TEXT})
    return _record(
        "head",
        {
            "rhh": {"type": "string", "pattern": "^1\\.[0-9]+$"},
            "producer": _object({"name": _NAME}),
            "run_id": _NAME,
            "spec_hash": _NAME,
            "rules": {"type": "object", "additionalProperties": game},
            "rng": _object({"derivation": _NAME, "commitment": _TEXT}),
            "bots": {"type": "array", "items": bot},
            "view": {"$ref": "#/$defs/view"},
        },
        {"fault_policy": {"type": ["string", "object"]}},
    )


def _deal() -> Schema:
    return _record(
        "deal",
        {
            "id": _NAME,
            "rules": _NAME,
            "seats": {**_NAMES, "minItems": 1},
            "dealer": _INDEX,
            "first": _INDEX,
            "start": _EXACTS,
            "moves": {"type": "array", "items": {"$ref": "#/$defs/move"}},
            "end": {"enum": list(ENDINGS)},
            "points": _EXACTS,
        },
        {
            "counted": _INDEX,
            "deck": _NAME,
            "key": {"type": "string", "pattern": "^([0-9a-f]{2})+$"},
            "hands": _TEXTS,
            "melds": _TEXTS,
            "deadwood": {"type": "array", "items": {"type": ["integer", "null"]}},
            "parts": {
                "type": "array",
                "items": {"type": "object", "additionalProperties": {"$ref": "#/$defs/exact"}},
            },
            "faults": _NAMES,
            "full": _HASH,
        },
    )


def _match() -> Schema:
    required = {
        "id": _NAME,
        "seats": {**_NAMES, "minItems": 1},
        "totals": _EXACTS,
        "reason": _NAME,
        "deals": _INDEX,
        "forfeits": {"type": "array", "items": _INDEX},
    }
    return _record("match", required, {"winner": _INDEX})


def history_schema() -> Schema:
    """The JSON Schema of one line of a history: any record type of RHH 1.

    Fields beyond it are allowed, as the format asks of readers.
    """
    fault = _record("fault", {"id": _NAME, "seat": _INDEX, "code": _NAME, "policy": _NAME}, {"deal": _NAME, "move": _INDEX})
    note = _record("note", {}, {"deal": _NAME, "text": _NAME})
    seal = _record("seal", {"count": _INDEX, "last": _HASH, "merkle": _HASH}, {"root": _NAME})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "RHH 1.0, rummy hand history: one record",
        "oneOf": [_head(), _deal(), _match(), fault, note, seal],
        "$defs": _DEFS,
    }
