"""Canonical JSON against RFC 8785's own examples and against a slow, obvious twin."""

from __future__ import annotations

import enum
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_tourney.errors import HistoryError
from rummy_tourney.history.canonical import MAX_DEPTH, MAX_INT, canonical

# Keys where the order of code points and of UTF-16 code units differ are drawn often.
AWKWARD = st.sampled_from(["\ufb33", "\U0001f600", "\uffff", "\U00010000", "a", "\u20ac", "\r", '"', "\\", "\u0080", "\ue000"])
TEXT = st.text(max_size=6) | st.lists(AWKWARD, max_size=3).map("".join)
SCALARS = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=5), max_leaves=25
)


def twin(value: object) -> bytes:
    """The definition, written down: keys in order of UTF-16 code units, json.dumps for the rest."""

    def in_order(item: object) -> object:
        if isinstance(item, dict):
            return {key: in_order(item[key]) for key in sorted(item, key=lambda k: k.encode("utf-16-be"))}
        return [in_order(x) for x in item] if isinstance(item, list) else item

    return json.dumps(in_order(value), ensure_ascii=False, separators=(",", ":")).encode()


@given(VALUES)
def test_canonical_equals_the_twin(value: object) -> None:
    """Any value without floats has one canonical text, and reading it back gives the value."""
    text = canonical(value)
    assert text == twin(value)
    assert json.loads(text) == value


@given(st.dictionaries(st.text(alphabet=st.characters(max_codepoint=0xFFFF, codec="utf-8")), st.integers(0, 9)))
def test_without_astral_keys_sort_keys_of_json_is_the_same(value: dict[str, int]) -> None:
    """Below U+10000 the order of code points is the order of UTF-16 code units."""
    assert canonical(value) == json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def test_every_character_is_escaped_as_the_standard_says() -> None:
    """RFC 8785 section 3.2.2.2: \\b \\t \\n \\f \\r, \\" and \\\\, \\u00xx in lower case, all else as it is."""
    short = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
    for code in [*range(0xD800), *range(0xE000, 0x10400), 0x1F600, 0x10FFFF]:
        expected = short.get(code, f"\\u{code:04x}" if code < 32 else chr(code))
        assert canonical(chr(code)) == f'"{expected}"'.encode()


def test_keys_are_sorted_as_in_the_example_of_the_standard() -> None:
    """RFC 8785 section 3.2.3: the property names of its sorting example, in its expected order."""
    names = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    expected = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(names))) == expected
    assert list(json.loads(canonical([{"x": names}]))[0]["x"]) == expected


def test_example_of_the_standard_without_its_floats() -> None:
    """RFC 8785 section 3.2.2: the string and literals of its sample object."""
    sample = {"string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/", "literals": [None, True, False]}
    assert canonical(sample) == '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()


class _Level(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (1.0, "float"),
        ([0, {"a": [float("nan")]}], "float"),
        (float("inf"), "float"),
        (MAX_INT + 1, "beyond"),
        (-MAX_INT - 1, "beyond"),
        ({1: 2}, "key"),
        ({"a": {None: 2}}, "key"),
        ("\ud800", "surrogate"),
        ({"\udc00": 1}, "surrogate"),
        ({"\udc00": 1, "\U0001f600": 2}, "surrogate"),
        (b"bytes", "bytes"),
        ({1, 2}, "set"),
        (_Level.ONE, "_Level"),
    ],
)
def test_what_has_no_canonical_form_is_refused(value: object, says: str) -> None:
    """Floats, huge integers, keys that are not text and half characters would be read differently elsewhere."""
    with pytest.raises(HistoryError, match=says):
        canonical(value)


def test_nesting_is_bounded() -> None:
    """A record cannot be nested so deeply that reading it fails."""
    deep: object = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert canonical(deep) == b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH
    with pytest.raises(HistoryError, match="nested"):
        canonical([deep])


def test_integers_at_the_edge_and_tuples_are_written() -> None:
    """2^53 - 1 is the last integer every reader gets right; tuples are lists."""
    assert canonical((MAX_INT, -MAX_INT, 0)) == b"[9007199254740991,-9007199254740991,0]"
