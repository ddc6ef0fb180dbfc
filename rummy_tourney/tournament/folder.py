"""The folder of a run: names of its files, its lock, and writing that is all or nothing.

::

    spec.yaml               the spec as given
    run.json                the resolved spec, hashes, commitment, versions, state
    root.key                committed mode: the root seed, readable by its owner alone, until the run is sealed
    work.shard              finished work of a run under way
    hands.rhh.jsonl.zst     the hand history, once the run is finished
    standings.json .csv     the standings
    faults.jsonl            evidence of bot faults      (measured: outside every hash)
    timing.jsonl            how long the work took      (measured: outside every hash)
    SHA256SUMS              checksums of what the run determines, for ``sha256sum -c``
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from rummy_tourney.errors import InsufficientDisk, RunFolderError

SPEC: Final = "spec.yaml"
RUN: Final = "run.json"
ROOT_KEY: Final = "root.key"
SHARD: Final = "work.shard"
HISTORY: Final = "hands.rhh.jsonl.zst"
STANDINGS: Final = "standings.json"
STANDINGS_CSV: Final = "standings.csv"
FAULTS: Final = "faults.jsonl"
TIMING: Final = "timing.jsonl"
SUMS: Final = "SHA256SUMS"
LOCK: Final = ".lock"
SUMMED: Final = (HISTORY, RUN, SPEC, STANDINGS_CSV, STANDINGS)
"""The files that ``SHA256SUMS`` covers."""
_OURS: Final = frozenset({SPEC, RUN, ROOT_KEY, SHARD, HISTORY, STANDINGS, STANDINGS_CSV, FAULTS, TIMING, SUMS, LOCK})


class RunFolder:
    """One run's folder. Use as a context manager to hold its lock while writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    # --- state ------------------------------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.path / RUN).is_file()

    def require(self) -> None:
        """Refuse a path that holds no run, saying what is there instead."""
        if self.exists():
            return
        if not self.path.exists():
            raise RunFolderError(f"{self.path}: no such folder; runs are kept under reports/ by default")
        if not self.path.is_dir():
            raise RunFolderError(f"{self.path}: not a folder; name the folder of a run, as reports/demo-1a2b3c4d")
        raise RunFolderError(f"{self.path}: no run.json in this folder, so it is not the folder of a run")

    def prepare(self) -> None:
        """Make the folder, or accept an empty one; refuse a folder with other people's files in it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            foreign = sorted(p.name for p in self.path.iterdir() if p.name.rstrip("~") not in _OURS)
        except (NotADirectoryError, FileExistsError):
            raise RunFolderError(f"{self.path}: a file is in the way; choose another --out") from None
        except PermissionError as error:
            raise RunFolderError(f"{self.path}: {error.strerror}; choose another --out") from None
        if foreign and not self.exists():
            raise RunFolderError(
                f"{self.path}: holds {foreign[0]}{' and more' if len(foreign) > 1 else ''}; choose an empty folder with --out"
            )

    def read_run(self) -> dict[str, Any]:
        """The contents of run.json."""
        self.require()
        try:
            found = json.loads((self.path / RUN).read_bytes())
        except (OSError, ValueError) as error:
            raise RunFolderError(f"{self.path / RUN}: cannot be read ({error})") from error
        if not isinstance(found, dict) or "run_id" not in found:
            raise RunFolderError(f"{self.path / RUN}: not the description of a run")
        return found

    # --- lock -------------------------------------------------------------------------------------------------------

    def __enter__(self) -> RunFolder:
        descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise RunFolderError(f"{self.path}: another tourney process is writing this run") from None
            raise
        self._lock = descriptor
        return self

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # --- writing ----------------------------------------------------------------------------------------------------

    def write(self, name: str, data: bytes, *, private: bool = False) -> None:
        """Write a file so that after any crash it is either the old one or the new one, whole and on the disk."""
        target = self.path / name
        temporary = self.path / f"{name}~"
        try:
            temporary.unlink(missing_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, target)
            self._sync()
        except OSError as error:
            temporary.unlink(missing_ok=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise InsufficientDisk(f"{target}: the disk is full") from error
            raise

    def write_json(self, name: str, value: Mapping[str, object]) -> None:
        """Write a JSON file for people and machines: indented, keys in the order given."""
        self.write(name, json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n")

    def remove(self, name: str) -> None:
        """Remove a file that is no longer needed."""
        (self.path / name).unlink(missing_ok=True)
        self._sync()

    def _sync(self) -> None:
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def checksums(self) -> bytes:
        """The text of ``SHA256SUMS``."""
        return b"".join(f"{file_sha256(self.path / name)}  {name}\n".encode() for name in SUMMED)


def file_sha256(path: Path) -> str:
    """SHA-256 of a file in hex, read in pieces."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
