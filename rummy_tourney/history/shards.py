"""The file that a run appends to while it goes on: one frame per finished unit of work.

::

    frame   = header, then payload
    header  = {"bytes":N,"key":"...","lines":n,"sha256":"..."} as canonical JSON, and a line feed
    payload = n lines, each with its line feed, N bytes in all
    sha256  = SHA-256(header without its sha256, as canonical JSON || payload)

A unit is finished when its frame is whole. After a kill or a power cut the file ends in at most one piece of a frame, which is
reported and cut off; that unit is played again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from rummy_tourney.errors import BrokenHistory, EngineBug
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.files import Torn, full_disk_stops, write_all

MAX_HEADER: Final = 1 << 16
"""The most bytes a header may have, with its line feed."""
SYNC_SECONDS: Final = 1.0
"""At most this long stays what was appended with the operating system alone."""


class ShardFrame(Struct, frozen=True):
    """One finished unit: its key, where its frame begins and how long it is, and its lines without line feeds."""

    key: str
    offset: int
    size: int
    lines: tuple[bytes, ...]


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    bytes: int
    key: str
    lines: int
    sha256: str


_decode_header: Final = msgspec.json.Decoder(_Header).decode


class ShardWriter:
    """Appends frames to a shard; opening one mends its tail first (``torn`` says what was cut off).

    What is appended is with the operating system when :meth:`append` returns, so it survives the death of this process;
    it is synced to the disk at most once in :data:`SYNC_SECONDS`, and on :meth:`close`. ``clock`` (seconds, monotonic) only
    decides when to sync, never what is written.
    """

    def __init__(self, path: str | os.PathLike[str], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = Path(path)
        self.torn = mend_shard(self.path) if self.path.exists() else None
        with full_disk_stops(self.path):
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._size = os.fstat(self._descriptor).st_size
        self._clock = clock
        self._synced = clock()
        self._open = True

    def append(self, key: str, lines: Sequence[bytes]) -> int:
        """Write one frame; answers the byte where it begins.

        If it cannot be written whole, the file is cut back to the frame before; a full disk then raises
        :class:`~rummy_tourney.errors.InsufficientDisk`.
        """
        frame = _frame(key, lines)
        start = self._size
        try:
            with full_disk_stops(self.path):
                write_all(self._descriptor, frame)
        except BaseException:
            os.ftruncate(self._descriptor, start)
            raise
        self._size += len(frame)
        now = self._clock()
        if now - self._synced >= SYNC_SECONDS:
            self.sync()
            self._synced = now
        return start

    def sync(self) -> None:
        """Wait until all that was appended is on the disk."""
        with full_disk_stops(self.path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Sync and close; harmless when closed already."""
        if not self._open:
            return
        self._open = False
        try:
            self.sync()
        finally:
            os.close(self._descriptor)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class ShardReader:
    """The whole frames of a shard, in order; after the last one ``torn`` tells of a tail that is no frame, if there is one.

    A damaged frame counts as the beginning of the tail: what stands behind it is played again rather than trusted.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.torn: Torn | None = None

    def __iter__(self) -> Iterator[ShardFrame]:
        self.torn = None
        with open(self.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            offset = 0
            while offset < size:
                try:
                    frame = _read_frame(file, offset, size)
                except BrokenHistory as error:
                    self.torn = Torn(offset, size - offset, str(error))
                    return
                yield frame
                offset += frame.size


def read_frame(path: str | os.PathLike[str], offset: int) -> ShardFrame:
    """The frame that begins at ``offset``. Raises :class:`~rummy_tourney.errors.BrokenHistory` if there is none."""
    with open(path, "rb") as file:
        return _read_frame(file, offset, os.fstat(file.fileno()).st_size)


def mend_shard(path: str | os.PathLike[str]) -> Torn | None:
    """Cut off a tail that is no whole frame; answers what was cut off, ``None`` if nothing."""
    reader = ShardReader(path)
    for _ in reader:
        pass
    if reader.torn is not None:
        os.truncate(path, reader.torn.offset)
    return reader.torn


def _frame(key: str, lines: Sequence[bytes]) -> bytes:
    payload = b"".join([line + b"\n" for line in lines])
    if payload.count(b"\n") != len(lines):
        raise EngineBug(f"unit {key}: a line of a shard may not hold a line feed")
    header = _header(key, len(lines), payload)
    if len(header) > MAX_HEADER:
        raise EngineBug(f"the key of a unit has {len(key)} characters; that is too long")
    return header + payload


def _header(key: str, lines: int, payload: bytes) -> bytes:
    told: dict[str, object] = {"bytes": len(payload), "key": key, "lines": lines}
    digest = sha256(canonical(told) + payload).hexdigest()
    return canonical({**told, "sha256": digest}) + b"\n"


def _read_frame(file: BinaryIO, offset: int, size: int) -> ShardFrame:
    file.seek(offset)
    first = file.readline(MAX_HEADER)
    if not first.endswith(b"\n"):
        raise BrokenHistory("a frame's header is cut off", offset=offset)
    try:
        header = _decode_header(first)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenHistory("a frame's header cannot be read", offset=offset) from error
    if not 0 <= header.bytes <= size - offset - len(first):
        raise BrokenHistory(f"the frame of {header.key} is cut off", offset=offset)
    payload = file.read(header.bytes)
    if payload.count(b"\n") != header.lines or _header(header.key, header.lines, payload) != first:
        raise BrokenHistory(f"the frame of {header.key} is damaged", offset=offset)
    lines = tuple(payload.split(b"\n")[:-1])
    return ShardFrame(header.key, offset, len(first) + len(payload), lines)
