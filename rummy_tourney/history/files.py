"""Writing files so that a full disk or a sudden death leaves whole things or nothing."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from rummy_tourney.errors import InsufficientDisk

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class Torn(Struct, frozen=True):
    """The end of a file that was cut off in the middle of something.

    Everything before ``offset`` (bytes; of the uncompressed text of a history, of the file itself for a shard) is whole.
    ``dropped`` bytes after it could be read and cannot be used. ``line`` counts from 1 and is 0 for shards.
    """

    offset: int
    dropped: int
    reason: str
    line: int = 0

    def __str__(self) -> str:
        where = f"line {self.line}, byte {self.offset}" if self.line else f"byte {self.offset}"
        return f"torn at {where}: {self.reason}; {self.dropped} bytes dropped"


@contextmanager
def full_disk_stops(path: Path) -> Iterator[None]:
    """Turn "no space left" and "quota exceeded" into :class:`~rummy_tourney.errors.InsufficientDisk`."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise InsufficientDisk(
            f"{path}: the disk is full. What was finished is safe; free some space, then resume the run"
        ) from error


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; the system may take a long write in several bites."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_folder(folder: Path) -> None:
    """Make a rename in ``folder`` last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
