"""Reading YAML as text with places."""

from __future__ import annotations

import codecs
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from rummy_tourney.tournament.yamldoc import (
    MAX_BYTES,
    MAX_DEPTH,
    Place,
    Text,
    YamlProblem,
    document_of,
    read_document,
    read_text,
    trail_text,
)


def refusal(text: str) -> str:
    """The complaint about a text that cannot be read at all."""
    with pytest.raises(YamlProblem) as caught:
        read_document(text)
    return caught.value.message


def test_scalars_stay_the_text_that_was_written() -> None:
    """PyYAML's own readings of these, measured: 780, False, 8, 5.5, a date, 1000, 31."""
    found = read_document("a: 13:00\nb: no\nc: 010\nd: 5.50\ne: 2026-11-30\nf: 1_000\ng: 0x1f\n").data
    assert found == {"a": "13:00", "b": "no", "c": "010", "d": "5.50", "e": "2026-11-30", "f": "1_000", "g": "0x1f"}


def test_values_that_other_readers_take_for_something_else_are_noted() -> None:
    """Only unquoted ones: quotes make every reader agree. ``true`` and plain numbers mean the same everywhere."""
    document = read_document("a: 13:00\nb: no\nc: 010\nd: '13:00'\ne: true\nf: 10\ng: 5.50\nh: 2026-11-30\ni: 1_000\n")
    assert [(t.text, t.reading) for t in document.traps] == [
        ("13:00", "a number (minutes or seconds)"),
        ("no", "false"),
        ("010", "another number"),
        ("2026-11-30", "a date"),
        ("1_000", "a number"),
    ]


def test_quotes_are_remembered() -> None:
    """A seed of text needs them, and null without them is nothing."""
    data = read_document("a: '5'\nb: 5\nc: null\nd: 'null'\ne:\nf: |\n  5\n").data
    assert isinstance(data, dict)
    assert [data[key].quoted for key in "abcdef"] == [True, False, False, True, False, True]
    assert [data[key].is_null for key in "abcdef"] == [False, False, True, False, True, False]


def test_every_key_and_value_has_its_place() -> None:
    """Lines and columns count from 1, and a letter beyond ASCII is one column."""
    document = read_document("a: 1\nbb:\n  - x\n  - {c: ü, d: [y]}\n")
    assert document.place(("bb",)) == Place(3, 3)
    assert document.place(("bb",), at_key=True) == Place(2, 1)
    assert document.place(("bb", 1, "d")) == Place(4, 15)
    assert document.place(("bb", 1, "d"), at_key=True) == Place(4, 12)
    assert document.place(("bb", 1, "d", 0)) == Place(4, 16)


def test_what_is_missing_is_reported_where_it_is_missing() -> None:
    """A missing key of a map belongs to the map's own key; what plain text stands for belongs to the text."""
    document = read_document("a: {b: 1}\nc: text\n")
    assert document.place(("a", "z")) == Place(1, 1)
    assert document.place(("c", "z")) == Place(2, 4)
    assert document.place(("nowhere",)) == Place(1, 1)


def test_trails_read_as_people_write_them() -> None:
    """As in every message."""
    assert trail_text(("players", 2, "bot")) == "players[2].bot"


def test_all_duplicate_keys_are_found() -> None:
    """YAML itself would keep the last one silently."""
    document = read_document("a: 1\nb: 2\na: 3\nc: {d: 1, d: 2}\nb: 4\n")
    assert [(f.trail, f.place.line) for f in document.flaws] == [(("a",), 3), (("c", "d"), 4), (("b",), 5)]
    assert document.data == {"a": "1", "b": "2", "c": {"d": "1"}}


def test_an_alias_stands_for_its_anchor() -> None:
    """Anchors save typing, and cost nothing within bounds."""
    assert read_document("a: &x [1, 2]\nb: *x\n").data == {"a": ["1", "2"], "b": ["1", "2"]}


def test_aliases_that_multiply_are_refused_quickly() -> None:
    """Nine levels of ten aliases would be a thousand million values."""
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    began = time.monotonic()
    assert "aliases written out" in refusal("\n".join(levels))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("text", ["[" * 50_000, "{a: " * 20_000, "- " * 50_000, "a: " + "[" * 40 + "]" * 40])
def test_depth_is_bounded(text: str) -> None:
    """Neither the parser nor what comes after may run out of stack."""
    assert f"at most {MAX_DEPTH} levels" in refusal(text)


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: *a}", "a: &a [b, {c: *a}]"])
def test_an_alias_inside_its_own_anchor_is_refused(text: str) -> None:
    """It would never end."""
    assert "refers to itself" in refusal(text)


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\ufffe"])
def test_control_characters_are_refused_with_their_number(character: str) -> None:
    """Raw in the text; U+0000 is the classic of a binary file."""
    assert f"U+{ord(character):04X}" in refusal(f"a: b\nc: d{character}e\n")


@pytest.mark.parametrize("escape", [r"\0", r"\x1b", r"\u2028", r"\ud800", r"\x9f"])
def test_escapes_for_control_characters_are_refused(escape: str) -> None:
    """What cannot stand in a text file cannot get in through an escape either."""
    document = read_document(f'a: "x{escape}y"\n')
    assert [f.message.partition(" (")[0] for f in document.flaws] == ["a character that cannot be used here"]


def test_text_over_several_lines_needs_quotes() -> None:
    """A list item indented too far would otherwise be glued to the line above it without a word."""
    document = read_document("players:\n  - greedy\n    - random\n")
    assert [f.place for f in document.flaws] == [Place(2, 5)]
    assert read_document("a: 'one\n  two'\nb: |\n  one\n  two\n").flaws == []


# --- files -------------------------------------------------------------------------------------------------------------


def file_refusal(path: Path) -> YamlProblem:
    """The complaint about a file that cannot be read."""
    with pytest.raises(YamlProblem) as caught:
        read_text(path)
    return caught.value


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    """Some editors write one in front of UTF-8."""
    file = tmp_path / "a.yaml"
    file.write_bytes(codecs.BOM_UTF8 + "name: Ölöf\n".encode())
    assert read_text(file) == "name: Ölöf\n"


def test_a_missing_file_is_named_with_those_beside_it(tmp_path: Path) -> None:
    """The usual cause is a slip of the pen."""
    (tmp_path / "demo.yaml").write_text("")
    assert file_refusal(tmp_path / "dmo.yaml").message == "there is no such file. Hint: beside it there are demo.yaml"
    assert "there is no folder" in file_refusal(tmp_path / "no" / "dmo.yaml").message


def test_a_folder_is_not_a_spec(tmp_path: Path) -> None:
    """Naming the folder instead of the file in it."""
    assert file_refusal(tmp_path).message.startswith("is a folder")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("name: a\n".encode("utf-16"), "is saved as UTF-16. Hint: save it again as UTF-8"),
        (b"\x89PNG\r\n\0\0", "is not a text file (it holds a zero byte)"),
        (b"a: b\n" * MAX_BYTES, "is longer than 256 KiB. Hint: is this really a spec?"),
        (b"a: 1\nb: \xe9t\xe9\n", "not UTF-8 text (got the byte 0xe9). Hint: save the file again as UTF-8"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, raw: bytes, message: str) -> None:
    """Each says what it is."""
    file = tmp_path / "a.yaml"
    file.write_bytes(raw)
    assert file_refusal(file).message == message


def test_a_byte_that_is_not_utf8_has_its_place(tmp_path: Path) -> None:
    """Latin-1 text in an otherwise good file; columns count characters."""
    file = tmp_path / "a.yaml"
    file.write_bytes("a: ü\nb: ü".encode() + b"\xe9t\xe9\n")
    assert file_refusal(file).place == Place(2, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no name there")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Opening a named pipe would wait for a writer for ever."""
    os.mkfifo(tmp_path / "pipe.yaml")
    assert stat.S_ISFIFO((tmp_path / "pipe.yaml").stat().st_mode)
    assert file_refusal(tmp_path / "pipe.yaml").message == "is not a file"


# --- python values -----------------------------------------------------------------------------------------------------


def test_python_values_read_like_written_ones() -> None:
    """What the command line puts together goes through the same checks as a file."""
    document = document_of({"a": 1, "b": True, "c": None, "d": ["x", 2], "e": {"f": "no"}})
    assert document.data == {"a": "1", "b": "true", "c": "null", "d": ["x", "2"], "e": {"f": "no"}}
    assert isinstance(document.data, dict)
    assert document.data["c"].is_null
    assert isinstance(document.data["d"][0], Text)
    assert document.data["d"][0].quoted


@pytest.mark.parametrize("value", [b"bytes", object(), "\x00", {"a": {1, 2}}])
def test_python_values_that_no_text_could_say_are_refused(value: object) -> None:
    """Never a traceback."""
    with pytest.raises(YamlProblem):
        document_of({"a": value})


def test_python_values_have_a_bounded_depth() -> None:
    """A list that holds itself has no end."""
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(YamlProblem, match="too deep"):
        document_of({"a": endless})
