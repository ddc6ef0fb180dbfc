"""docs/history-format.md says what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from history_samples import write_sample

from rummy_tourney import history
from rummy_tourney.history.chain import Finding
from rummy_tourney.history.records import ENDINGS, RECORD_TYPES
from rummy_tourney.history.redact import SHOWN, Shown

PAGE = (Path(__file__).parents[2] / "docs" / "history-format.md").read_text(encoding="utf-8")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The check of the chain that the page prints, as a file."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "check.py"
    path.write_text(code, encoding="utf-8")
    return path


def test_the_strangers_check_agrees_with_ours(tmp_path: Path, script: Path) -> None:
    """The page's own script, with the standard library alone, accepts what we write and refuses a change."""
    path = tmp_path / "run.rhh.jsonl"
    summary = write_sample(path, 25)
    text = path.read_bytes()
    done = subprocess.run([sys.executable, "-I", script], input=text, capture_output=True, check=True)
    assert done.stdout.decode() == f"sealed {summary.records - 1} records {summary.deals} deals {summary.last}\n"
    forged = text.replace(b'"points":[', b'"points":[1', 1)
    refused = subprocess.run([sys.executable, "-I", script], input=forged, capture_output=True, check=False)
    number = forged[: forged.index(b'"points":[1')].count(b"\n") + 1
    assert refused.stderr.decode().strip() == f"line {number} was changed, or does not follow the line before"


def test_every_field_type_ending_and_finding_is_on_the_page() -> None:
    """A field, an ending or a finding that is added must be described."""
    for kind, record in RECORD_TYPES.items():
        assert f"`{kind}`" in PAGE
        for field in msgspec.structs.fields(record):
            assert f"`{field.name}`" in PAGE, f"{kind}.{field.name}"
    for ending in ENDINGS:
        assert f"`{ending}`" in PAGE
    codes = re.findall(r"^        ?([a-z-]+)   ", Finding.__doc__ or "", re.MULTILINE)
    assert len(codes) >= 8
    for code in codes:
        assert f"`{code}`" in PAGE


def test_the_table_of_open_hands_is_the_one_in_force() -> None:
    """The page lists every ending under whose hands it shows."""
    rows = {}
    for endings, whose in re.findall(r"^  \| ((?:`[a-z-]+` ?)+)\| (.*) \|$", PAGE, re.MULTILINE):
        for ending in re.findall(r"`([a-z-]+)`", endings):
            rows[ending] = {"a": Shown.ALL, "t": Shown.DECLARER, "n": Shown.NOBODY}[whose[0]]
    assert rows == SHOWN


def test_the_front_door_is_what_it_says() -> None:
    """``__all__`` is sorted, complete and importable."""
    public = [name for name in vars(history) if not name.startswith("_") and name[0].isupper()]
    assert set(history.__all__) >= set(public)
    for name in history.__all__:
        assert getattr(history, name).__doc__ or isinstance(getattr(history, name), str)
