"""The committed sample run: an old history that this version must still read, check, and be able to play again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rummy_tourney.cli import run_command

SAMPLE = Path(__file__).parent.parent / "reports" / "sample"


def test_the_sample_run_verifies_and_plays_again_to_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails after a change to a built-in bot, make the sample anew: ``tourney run schedules/sample.yaml``."""
    assert run_command(["verify", str(SAMPLE), "--rerun"]) == 0
    assert "the same bytes" in capsys.readouterr().out
