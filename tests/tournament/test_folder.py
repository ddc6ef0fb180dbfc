"""The folder of a run: what it refuses, its lock, and writing that is all or nothing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rummy_tourney.errors import InsufficientDisk, RunFolderError
from rummy_tourney.tournament.folder import RunFolder


def test_an_empty_folder_is_accepted_and_a_missing_one_is_made(tmp_path: Path) -> None:
    """Parents too."""
    RunFolder(tmp_path / "a" / "b").prepare()
    assert (tmp_path / "a" / "b").is_dir()
    RunFolder(tmp_path / "a" / "b").prepare()


def test_a_folder_with_other_files_is_refused_by_name(tmp_path: Path) -> None:
    """Nobody's thesis is mixed with a tournament."""
    (tmp_path / "thesis.tex").write_text("chapter one")
    with pytest.raises(RunFolderError, match=r"holds thesis\.tex; choose an empty folder"):
        RunFolder(tmp_path).prepare()


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    """A folder cannot be made where a file lies."""
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="a file is in the way"):
        RunFolder(tmp_path / "file").prepare()
    with pytest.raises(RunFolderError, match="a file is in the way"):
        RunFolder(tmp_path / "file" / "deeper").prepare()


@pytest.mark.parametrize(
    ("name", "message"), [("nowhere", "no such folder"), ("file", "not a folder"), ("empty", "no run.json")]
)
def test_what_is_no_run_is_said_to_be_none(tmp_path: Path, name: str, message: str) -> None:
    """Each wrong path gets its own words."""
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunFolderError, match=message):
        RunFolder(tmp_path / name).read_run()


@pytest.mark.parametrize("text", ["", "not json", "[]", '{"state": "running"}'])
def test_a_run_json_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    """Damage is an error with a place, not a traceback."""
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunFolderError, match=r"run\.json"):
        RunFolder(tmp_path).read_run()


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    """The second one is told why."""
    with RunFolder(tmp_path), pytest.raises(RunFolderError, match="another tourney process"), RunFolder(tmp_path):
        pass
    with RunFolder(tmp_path):
        pass


def test_a_private_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """The root seed of a committed run."""
    RunFolder(tmp_path).write("root.key", b"secret", private=True)
    assert (tmp_path / "root.key").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_the_old_file_and_no_piece_of_the_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All or nothing."""
    folder = RunFolder(tmp_path)
    folder.write("standings.json", b"old")

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InsufficientDisk):
        folder.write("standings.json", b"new")
    monkeypatch.undo()
    assert [p.name for p in tmp_path.iterdir()] == ["standings.json"]
    assert (tmp_path / "standings.json").read_bytes() == b"old"
