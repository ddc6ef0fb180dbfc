"""The container of a history: JSON Lines, plain (``.rhh.jsonl``) or in zstd frames (``.rhh.jsonl.zst``).

Both directions work record by record and keep no more than a frame in memory, however long the history is.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec
import zstandard
from msgspec import Struct

from rummy_tourney.errors import BrokenHistory, EngineBug, NewerVersion
from rummy_tourney.history.files import Torn, full_disk_stops, sync_folder, write_all
from rummy_tourney.history.links import GENESIS, chain, link
from rummy_tourney.history.merkle import MerkleTree
from rummy_tourney.history.records import MAX_LINE, RECORD_TYPES, RHH_VERSION, DealRecord, as_fields, decode_deal

FRAME_RECORDS: Final = 512
"""Records in one zstd frame; what a torn tail can cost at most."""

_LEVEL: Final = 3
_FLUSH_BYTES: Final = 1 << 18
_READ_BYTES: Final = 1 << 16
# Compressed bytes handed to the decompressor at a time. A zstd block of four bytes can stand for 128 KiB, so this
# bounds what one call may return (32 MiB) when a file is made to burst.
_BITE: Final = 1 << 10
_ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPABLE_MAGIC: Final = b"\x2a\x4d\x18"
# The window the zstd command accepts by default; more would let a file ask for gigabytes.
_MAX_WINDOW: Final = 1 << 27
_KEPT_PROBLEMS: Final = 100

_decode: Final = msgspec.json.Decoder().decode


class HistorySummary(Struct, frozen=True):
    """What a writer wrote: records (head and seal included), deals, ``h`` of the seal, Merkle root, SHA-256 of the text.

    ``sha256`` is over the uncompressed text: the number that is equal for equal runs.
    """

    records: int
    deals: int
    last: str
    merkle: str
    sha256: str


class HistoryWriter:
    """Writes a history: chains the records, counts them, seals the end.

    All goes to a file beside ``path`` with a name of its own; :meth:`close` syncs it and moves it into place, replacing
    what was there. As a context manager it closes at the end and, after an exception, removes what it wrote.
    When the disk is full any method raises :class:`~rummy_tourney.errors.InsufficientDisk` and nothing is left behind.
    """

    def __init__(self, path: str | os.PathLike[str], head: Struct | Mapping[str, object]) -> None:
        self.path = Path(path)
        self.last = GENESIS
        self.records = 0
        self.tree = MerkleTree()
        self._hash = sha256()
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True) if self.path.suffix == ".zst" else None
        self._frame: zstandard.ZstdCompressionObj | None = None
        self._temporary = self.path.with_name(f".{self.path.name}.part")
        with full_disk_stops(self.path):
            self._descriptor = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        self._open = True
        try:
            self.write(head)
        except BaseException:
            self.abort()
            raise

    def write_deal(self, line: bytes) -> bytes:
        """Chain and write a line made by :func:`~rummy_tourney.history.records.encode_deal`; answers its ``h``."""
        line, h = chain(line, self.last)
        self.tree.append(h)
        self._put(line, h)
        return h

    def write(self, record: Struct | Mapping[str, object]) -> bytes:
        """Chain and write any record but the seal; ``prev`` and ``h`` it may have are replaced. Answers its ``h``."""
        fields = as_fields(record) if isinstance(record, Struct) else record
        kind = fields.get("t")
        if (kind == "head") != (self.records == 0) or kind == "seal":
            raise EngineBug(f"a {kind} record cannot be record {self.records + 1} of a history; head first, close() seals")
        line, h = link(fields, self.last)
        if kind == "deal":
            self.tree.append(h)
        self._put(line, h)
        return h

    def close(self, root: str = "") -> HistorySummary:
        """Write the seal, with the root seed in hex if it may be revealed, and put the file in its place."""
        merkle = self.tree.root().hex()
        seal: dict[str, object] = {"t": "seal", "count": self.records, "last": self.last.hex(), "merkle": merkle}
        if root:
            seal["root"] = root
        self._put(*link(seal, self.last))
        try:
            self._flush(end_of_frame=True)
            with full_disk_stops(self.path):
                os.fsync(self._descriptor)
                os.close(self._descriptor)
                self._open = False
                os.replace(self._temporary, self.path)
                sync_folder(self.path.parent)
        except BaseException:
            self.abort()
            raise
        return HistorySummary(self.records, self.tree.size, self.last.hex(), merkle, self._hash.hexdigest())

    def abort(self) -> None:
        """Remove what was written; harmless when there is nothing to remove."""
        if self._open:
            self._open = False
            os.close(self._descriptor)
        self._temporary.unlink(missing_ok=True)

    def __enter__(self) -> HistoryWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is not None:
            self.abort()
        elif self._open:
            self.close()

    def _put(self, line: bytes, h: bytes) -> None:
        if not self._open:
            raise EngineBug(f"{self.path}: this history is closed")
        if len(line) > MAX_LINE:
            raise EngineBug(f"a record of {len(line)} bytes is longer than a line may be ({MAX_LINE})")
        self._pending += (line, b"\n")
        self._pending_bytes += len(line) + 1
        self.last = h
        self.records += 1
        if self.records % FRAME_RECORDS == 0:
            self._flush(end_of_frame=True)
        elif self._pending_bytes >= _FLUSH_BYTES:
            self._flush(end_of_frame=False)

    def _flush(self, *, end_of_frame: bool) -> None:
        text = b"".join(self._pending)
        self._pending.clear()
        self._pending_bytes = 0
        self._hash.update(text)
        try:
            with full_disk_stops(self.path):
                write_all(self._descriptor, self._packed(text, end_of_frame=end_of_frame))
        except BaseException:
            self.abort()
            raise

    def _packed(self, text: bytes, *, end_of_frame: bool) -> bytes:
        if self._compressor is None:
            return text
        if self._frame is None:
            if not text:
                return b""
            self._frame = self._compressor.compressobj()
        packed = self._frame.compress(text)
        if end_of_frame:
            packed += self._frame.flush()
            self._frame = None
        return packed


class Line(Struct, frozen=True, gc=False):
    """One line of a history.

    ``number`` counts from 1, ``offset`` is the byte in the uncompressed text where the line begins. ``fields`` is the whole
    record as it stands there, unknown fields included. If the line is no record, ``problem`` says why and ``fields`` is empty.
    """

    number: int
    offset: int
    raw: bytes
    fields: dict[str, Any]
    problem: str = ""

    @property
    def kind(self) -> str:
        """The record's type, ``t``; empty if the line is no record."""
        kind = self.fields.get("t", "")
        return kind if isinstance(kind, str) else ""

    @property
    def deal(self) -> str | None:
        """The id of the deal the record is or speaks of, if it does."""
        found = self.fields.get("id") if self.kind == "deal" else self.fields.get("deal")
        return found if isinstance(found, str) and found else None


class _Piece(NamedTuple):
    offset: int
    raw: bytes
    length: int
    ended: bool


def check_version(head: Mapping[str, object]) -> None:
    """Accept every 1.x.

    Raises :class:`~rummy_tourney.errors.NewerVersion` for another major version and
    :class:`~rummy_tourney.errors.BrokenHistory` if there is no version to be read.
    """
    text = head.get("rhh")
    major, dot, minor = text.partition(".") if isinstance(text, str) else ("", "", "")
    if not (dot and major.isdecimal() and minor.isdecimal()):
        raise BrokenHistory(f"the head names no version of the format: rhh is {text!r}")
    mine = RHH_VERSION.partition(".")[0]
    if major != mine:
        raise NewerVersion(
            f"this history is RHH {text} and this program reads RHH {mine}.x; use a version of tourney that knows RHH {major}"
        )


class HistoryReader:
    """Reads a history from a path or a binary stream, once, with flat memory.

    Iterating gives the records of known type as :class:`Line`; :meth:`lines` gives every line, readable or not. zstd is
    recognised by its first bytes, not by the name. Damage does not raise: after the reading, ``torn`` tells of an end
    that was cut off, ``problems`` holds the first lines that are no record (``unreadable`` counts them all) and
    ``unknown`` counts records of unknown type, by type. With ``strict`` damage raises
    :class:`~rummy_tourney.errors.BrokenHistory` where it is met.
    """

    def __init__(self, source: str | os.PathLike[str] | BinaryIO, *, strict: bool = False) -> None:
        self.strict = strict
        self.head: dict[str, Any] | None = None
        self.torn: Torn | None = None
        self.problems: list[Line] = []
        self.unreadable = 0
        self.unknown: Counter[str] = Counter()
        self.end = 0
        self._cut = ""
        self._owns = isinstance(source, (str, os.PathLike))
        self._stream: BinaryIO = open(source, "rb") if isinstance(source, (str, os.PathLike)) else source  # noqa: SIM115 - closed by close()

    def __enter__(self) -> HistoryReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if this reader opened it."""
        if self._owns:
            self._stream.close()

    def __iter__(self) -> Iterator[Line]:
        """The records of known type.

        Raises :class:`~rummy_tourney.errors.NewerVersion` at a head of another major version.
        """
        for line in self.lines():
            kind = line.kind
            if kind == "head":
                check_version(line.fields)
                self.head = line.fields
            if kind in RECORD_TYPES:
                yield line
            elif kind:
                self.unknown[kind] += 1

    def deals(self) -> Iterator[tuple[Line, DealRecord]]:
        """The deals, each as its line and as a record; a deal with missing or wrong fields counts as a problem."""
        for line in self:
            if line.kind != "deal":
                continue
            try:
                deal = decode_deal(line.raw)
            except BrokenHistory as error:
                self._problem(Line(line.number, line.offset, line.raw, line.fields, str(error)))
                continue
            yield line, deal

    def lines(self) -> Iterator[Line]:
        """Every line in turn, whatever it holds; sets ``torn`` and ``end`` (the length of the text) at the end."""
        number = 0
        for number, piece in enumerate(self._pieces(), start=1):
            line = self._line(number, piece)
            if piece.ended:
                if line.problem:
                    self._problem(line)
                yield line
            else:
                yield from self._last(line, piece.length)
        if self._cut and self.torn is None:
            self.torn = Torn(self.end, 0, self._cut, line=number + 1)
        if self.strict and self.torn is not None:
            raise BrokenHistory(str(self.torn), line=self.torn.line, offset=self.torn.offset)

    def _last(self, line: Line, length: int) -> Iterator[Line]:
        """A line without line feed: all of a record, or the first part of one."""
        reason = self._cut or "the last line has no line feed"
        if line.problem:
            self.torn = Torn(line.offset, length, reason, line=line.number)
        else:
            self.torn = Torn(self.end, 0, reason, line=line.number)
            yield line

    def _line(self, number: int, piece: _Piece) -> Line:
        if piece.length > MAX_LINE:
            return Line(number, piece.offset, b"", {}, f"{piece.length} bytes are more than a line may have ({MAX_LINE})")
        try:
            fields = _decode(piece.raw)
        except (msgspec.DecodeError, RecursionError) as error:
            return Line(number, piece.offset, piece.raw, {}, f"not JSON: {error}")
        if type(fields) is not dict or type(fields.get("t")) is not str:
            return Line(number, piece.offset, piece.raw, {}, "not a record: a JSON object with its type under t")
        return Line(number, piece.offset, piece.raw, fields)

    def _problem(self, line: Line) -> None:
        if self.strict:
            raise BrokenHistory(f"line {line.number}: {line.problem}", line=line.number, offset=line.offset)
        self.unreadable += 1
        if len(self.problems) < _KEPT_PROBLEMS:
            self.problems.append(line)

    def _pieces(self) -> Iterator[_Piece]:
        """The text cut at its line feeds. Of a line that is too long only the length is kept."""
        held, start, dropped = b"", 0, 0
        for chunk in self._text():
            pieces = chunk.split(b"\n")
            pieces[0] = held + pieces[0]
            held = pieces.pop()
            for raw in pieces:
                length = dropped + len(raw)
                self.end = start + length + 1
                yield _Piece(start, raw, length, ended=True)
                start, dropped = self.end, 0
            if len(held) > MAX_LINE:
                dropped += len(held)
                held = b""
        if held or dropped:
            length = dropped + len(held)
            self.end = start + length
            yield _Piece(start, held, length, ended=False)

    def _text(self) -> Iterator[bytes]:
        """The uncompressed text in chunks."""
        read = self._stream.read
        first = b""
        while len(first) < len(_ZSTD_MAGIC) and (more := read(_READ_BYTES)):
            first += more
        chunks = _chain_first(first, iter(lambda: read(_READ_BYTES), b""))
        if first.startswith(_ZSTD_MAGIC) or first[1:4] == _SKIPPABLE_MAGIC:
            return self._unpacked(chunks)
        return chunks

    def _unpacked(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The text of zstd frames. Damage ends it and is told in ``_cut``: the rest of a frame cannot be trusted."""
        decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
        frame: zstandard.ZstdDecompressionObj | None = None
        for bite in _bites(chunks):
            rest = bite
            while rest:
                if frame is None:
                    frame = decompressor.decompressobj()
                try:
                    text = frame.decompress(rest)
                except zstandard.ZstdError as error:
                    self._cut = f"the compressed data is damaged from here or shortly before ({error})"
                    return
                rest = b""
                if text:
                    yield text
                if frame.eof:
                    rest, frame = frame.unused_data, None
        if frame is not None:
            self._cut = "the compressed file ends inside a frame"


def _chain_first(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _bites(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _BITE):
            yield chunk[start : start + _BITE]
