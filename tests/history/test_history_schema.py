"""The JSON Schema takes what is written and refuses what is not RHH."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from history_samples import key_of, records_of, write_sample

from rummy_tourney.history import HistoryReader, Pseudonyms, history_schema, redact_history
from rummy_tourney.history.records import RECORD_TYPES
from rummy_tourney.history.schema import _record


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    """The schema, itself checked against its meta-schema."""
    schema = history_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(json.loads(json.dumps(schema)))


def test_written_records_are_valid(tmp_path: Path, validator: jsonschema.Draft202012Validator) -> None:
    """Every record of a full history and of its copies passes."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 20)
    copies = [path]
    for view in ("public", "seat:0"):
        copies.append(tmp_path / f"{view}.rhh.jsonl")
        with HistoryReader(path) as reader:
            redact_history(reader, copies[-1], view, key_of=lambda fields: key_of(1), names=Pseudonyms())
    for copy in copies:
        lines = records_of(copy)
        assert len(lines) == 26
        for line in lines:
            validator.validate(line.fields)


@pytest.mark.parametrize(
    "change",
    [
        {"points": [0.5, 1]}, {"points": ["x", 1]}, {"end": "eclipse"}, {"h": "AB" * 32}, {"h": None}, {"t": "weather"},
        {"moves": ["knock"]}, {"seats": []}, {"dealer": -1}, {"deadwood": ["4"]}, {"parts": [{"a": 1.5}]}, {"moves": None},
    ],
)  # fmt: skip
def test_other_records_are_not(tmp_path: Path, validator: jsonschema.Draft202012Validator, change: dict[str, object]) -> None:
    """A float, an unknown ending, a short hash … are no RHH."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 1)
    fields = next(line.fields for line in records_of(path) if line.kind == "deal")
    validator.validate(fields | {"x_more": 1.5, "later": None})
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(fields | change)


def test_the_schema_knows_the_fields_of_the_records() -> None:
    """Names and obligations in the schema are those of the classes that write."""
    for schema in history_schema()["oneOf"]:
        fields = msgspec.structs.fields(RECORD_TYPES[schema["properties"]["t"]["const"]])
        assert set(schema["properties"]) == {f.name for f in fields}
        always = {f.name for f in fields if f.required or f.name in ("t", "h", "prev", "rhh", "view")}
        assert set(schema["required"]) == always


def test_every_record_type_allows_more_fields() -> None:
    """Readers keep unknown fields, so a schema must not forbid them."""
    assert "additionalProperties" not in _record("note", {}, {})
    assert all("additionalProperties" not in schema for schema in history_schema()["oneOf"])
