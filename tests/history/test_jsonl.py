"""The container: writing, reading, torn ends, hostile files, full disks, flat memory."""

from __future__ import annotations

import errno
import io
import os
import random
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard
from history_samples import ROOT, deal, head, write_sample

from rummy_tourney.errors import BrokenHistory, EngineBug, InsufficientDisk, NewerVersion
from rummy_tourney.history import HistoryReader, HistoryWriter, NoteRecord, canonical, check_chain, encode_deal, merkle_root
from rummy_tourney.history.jsonl import FRAME_RECORDS
from rummy_tourney.history.records import MAX_LINE, as_fields

BOTH = pytest.mark.parametrize("name", ["run.rhh.jsonl", "run.rhh.jsonl.zst"])


def text_of(path: Path) -> bytes:
    """The uncompressed text, by the library's own streaming reader."""
    data = path.read_bytes()
    if path.suffix != ".zst":
        return data
    return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True).read()


@BOTH
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    """All records come back in order, in a chain, under a seal that counts them; line numbers and offsets are true."""
    path = tmp_path / name
    summary = write_sample(path, deals=600)
    text = text_of(path)
    assert sha256(text).hexdigest() == summary.sha256
    with HistoryReader(path) as reader:
        lines = list(reader)
    assert reader.torn is None
    assert reader.unreadable == 0
    assert reader.head is not None
    assert reader.end == len(text)
    assert len(lines) == summary.records == 600 + 60 + 4
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    for line in lines:
        assert text[line.offset :].startswith(line.raw + b"\n")
        assert canonical(line.fields) == line.raw
    deals = [line for line in lines if line.kind == "deal"]
    assert [line.deal for line in deals] == [deal(i).id for i in range(600)]
    assert summary.deals == 600
    seal = lines[-1].fields
    assert seal["count"] == len(lines) - 1
    assert seal["last"] == lines[-2].fields["h"] == seal["prev"]
    assert seal["merkle"] == summary.merkle == merkle_root(bytes.fromhex(d.fields["h"]) for d in deals).hex()
    assert seal["root"] == ROOT.hex()
    assert seal["h"] == summary.last


def test_both_containers_hold_the_same_text(tmp_path: Path) -> None:
    """Compression changes nothing that is hashed, and writing twice gives the same bytes."""
    first, second = tmp_path / "a.rhh.jsonl", tmp_path / "b.rhh.jsonl.zst"
    again = tmp_path / "c.rhh.jsonl.zst"
    assert write_sample(first, 30) == write_sample(second, 30) == write_sample(again, 30)
    assert text_of(first) == text_of(second)
    assert second.read_bytes() == again.read_bytes()


def test_typed_deals_come_back_equal(tmp_path: Path) -> None:
    """deals() gives the records that were written, but for their place in the chain."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 5)
    with HistoryReader(path) as reader:
        found = list(reader.deals())
    for index, (line, record) in enumerate(found):
        assert as_fields(record) == line.fields | {name: tuple(v) for name, v in line.fields.items() if type(v) is list}
        assert {**as_fields(record), "prev": "", "h": ""} == {**as_fields(deal(index)), "prev": "", "h": ""}


def test_a_frame_holds_512_records_and_a_checksum(tmp_path: Path) -> None:
    """Each frame can be read by itself, begins with a record and ends with a line feed."""
    path = tmp_path / "run.rhh.jsonl.zst"
    write_sample(path, deals=1200)
    data, counts = path.read_bytes(), []
    while data:
        assert zstandard.get_frame_parameters(data).has_checksum
        frame = zstandard.ZstdDecompressor().decompressobj()
        text = frame.decompress(data)
        assert text.startswith(b"{")
        assert text.endswith(b"}\n")
        counts.append(text.count(b"\n"))
        data = frame.unused_data
    assert counts == [FRAME_RECORDS, FRAME_RECORDS, 1200 + 120 + 4 - 2 * FRAME_RECORDS]


def test_a_history_that_ends_with_a_frame_has_no_empty_frame_behind_it(tmp_path: Path) -> None:
    """Exactly 512 records are one frame."""
    path = tmp_path / "run.rhh.jsonl.zst"
    with HistoryWriter(path, head()) as writer:
        for index in range(FRAME_RECORDS - 2):
            writer.write_deal(encode_deal(deal(index)))
        assert writer.close().records == FRAME_RECORDS
    data = path.read_bytes()
    assert data.count(b"\x28\xb5\x2f\xfd") == 1
    with HistoryReader(path) as reader:
        assert check_chain(reader).ok


@pytest.mark.skipif(not (shutil.which("zstdcat") and shutil.which("jq")), reason="zstdcat or jq is not installed")
def test_command_line_tools_read_it(tmp_path: Path) -> None:
    """``zstdcat | jq`` is all a stranger needs."""
    path = tmp_path / "run.rhh.jsonl.zst"
    write_sample(path, deals=550)
    text = subprocess.run(["zstdcat", path], capture_output=True, check=True).stdout
    jq = ["jq", "-r", 'select(.t == "deal") | .id']
    out = subprocess.run(jq, input=text, capture_output=True, check=True).stdout
    assert out.decode().split() == [deal(i).id for i in range(550)]


class _Dribble(io.RawIOBase):
    """A pipe that gives one to seven bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at, self._rng = data, 0, random.Random(7)

    def read(self, size: int = -1) -> bytes:
        piece = self._data[self._at : self._at + self._rng.randint(1, 7)]
        self._at += len(piece)
        return piece


@BOTH
def test_a_pipe_is_read_like_a_file(tmp_path: Path, name: str) -> None:
    """A stream may deliver in any pieces; it is not closed by the reader."""
    path = tmp_path / name
    write_sample(path, 12)
    with HistoryReader(path) as reader:
        expected = list(reader)
    stream = _Dribble(path.read_bytes())
    with HistoryReader(stream) as reader:  # type: ignore[arg-type]  # all that is needed is read()
        assert list(reader) == expected
    assert not stream.closed


def test_frames_of_other_writers_are_read(tmp_path: Path) -> None:
    """One frame for all, a frame a line, and skippable frames between are all fine."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 12)
    text = path.read_bytes()
    pack = zstandard.ZstdCompressor(level=19).compress
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    by_line = b"".join(pack(line + b"\n") for line in text.splitlines())
    for data in (pack(text), by_line, skippable + pack(text[:1000]) + skippable + pack(text[1000:])):
        reader = HistoryReader(io.BytesIO(data))
        assert b"".join(line.raw + b"\n" for line in reader) == text
        assert reader.torn is None


def test_a_plain_file_cut_at_every_byte(tmp_path: Path) -> None:
    """Whole records before the cut are read; what is dropped is counted to the byte."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 2)
    text = path.read_bytes()
    for cut in range(len(text)):
        reader = HistoryReader(io.BytesIO(text[:cut]))
        raws = [line.raw for line in reader]
        whole = text[:cut].count(b"\n")
        tail = text[:cut].rpartition(b"\n")[2]
        if not tail:
            assert reader.torn is None
        elif text[cut : cut + 1] == b"\n":  # only the line feed is missing: the record is there
            assert raws.pop() == tail
            assert reader.torn is not None
            assert (reader.torn.line, reader.torn.offset, reader.torn.dropped) == (whole + 1, cut, 0)
        else:
            assert reader.torn is not None
            assert (reader.torn.line, reader.torn.offset, reader.torn.dropped) == (whole + 1, cut - len(tail), len(tail))
            with pytest.raises(BrokenHistory, match=rf"torn at line {whole + 1}"):
                list(HistoryReader(io.BytesIO(text[:cut]), strict=True))
        assert raws == text.splitlines()[:whole]
        assert reader.unreadable == 0


def test_a_compressed_file_cut_at_every_byte(tmp_path: Path) -> None:
    """All frames before the cut are read whole, the torn one as far as it goes, and the cut is reported."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 3)
    lines = path.read_bytes().splitlines(keepends=True)
    frames = [zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(part)) for part in (lines[:3], lines[3:])]
    data = b"".join(frames)
    for cut in range(len(data)):
        reader = HistoryReader(io.BytesIO(data[:cut]))
        raws = [line.raw + b"\n" for line in reader]
        assert raws == lines[: len(raws)]
        assert len(raws) >= 3 * (cut >= len(frames[0]))
        assert (reader.torn is None) == (cut in (0, len(frames[0])))
        if reader.torn is not None:
            assert reader.torn.line == len(raws) + 1
            assert reader.torn.offset == sum(map(len, raws))


def test_a_damaged_frame_is_reported_and_not_trusted_further(tmp_path: Path) -> None:
    """A flipped bit in compressed data gives a report at the frame's lines, never an exception, and never a wrong record."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 8)
    lines = path.read_bytes().splitlines(keepends=True)
    frames = [zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(part)) for part in (lines[:5], lines[5:])]
    rng = random.Random(5)
    for _ in range(300):
        data = bytearray(b"".join(frames))
        data[rng.randrange(4, len(data))] ^= 1 << rng.randrange(8)
        reader = HistoryReader(io.BytesIO(bytes(data)))
        report = check_chain(reader)
        assert not report.ok
        with pytest.raises(BrokenHistory, match=r"torn|line"):
            list(HistoryReader(io.BytesIO(bytes(data)), strict=True))


HOSTILE = {
    b"": "not JSON",
    b"{": "not JSON",
    b'{"t":"deal"} x': "not JSON",
    b'{"t":"de\xffal"}': "not JSON",
    b'{"t":NaN}': "not JSON",
    b"[" * 100_000: "not JSON",
    b'{"a":' * 100_000: "not JSON",
    b"[1]": "not a record",
    b'"t"': "not a record",
    b"{}": "not a record",
    b'{"t":5}': "not a record",
    b'{"t":"note","text":"' + b"x" * MAX_LINE + b'"}': "more than a line may have",
    b"x" * (5 * MAX_LINE): "more than a line may have",
}


@pytest.mark.parametrize("line", HOSTILE, ids=lambda line: repr(line[:12]))
def test_a_line_that_is_no_record_is_told_and_passed_over(tmp_path: Path, line: bytes) -> None:
    """One bad line costs one line; its number, its place and the reason are kept."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 3)
    lines = path.read_bytes().splitlines()
    lines.insert(2, line)
    text = b"\n".join(lines) + b"\n"
    reader = HistoryReader(io.BytesIO(text))
    assert [found.raw for found in reader] == lines[:2] + lines[3:]
    assert reader.unreadable == 1
    (problem,) = reader.problems
    assert HOSTILE[line] in problem.problem
    assert (problem.number, problem.offset) == (3, len(lines[0]) + len(lines[1]) + 2)
    assert reader.end == len(text)
    with pytest.raises(BrokenHistory, match=HOSTILE[line]) as caught:
        list(HistoryReader(io.BytesIO(text), strict=True))
    assert (caught.value.line, caught.value.offset) == (3, problem.offset)


def test_a_line_of_exactly_one_mebibyte_is_read() -> None:
    """The limit is 1 MiB without the line feed, wherever the chunks of reading fall."""
    note = b'{"t":"note","text":"' + b"x" * (MAX_LINE - 22) + b'"}'
    assert len(note) == MAX_LINE
    reader = HistoryReader(io.BytesIO(note + b"\n" + note + b"\n"))
    assert [len(line.raw) for line in reader] == [MAX_LINE, MAX_LINE]


def test_a_burst_of_compressed_zeros_does_not_fill_the_memory() -> None:
    """A small file that stands for 400 MB of one line is read in bounded memory."""
    pack = zstandard.ZstdCompressor(level=1).compressobj()
    data = b"".join([pack.compress(bytes(1 << 20)) for _ in range(400)]) + pack.flush()
    assert len(data) < 100_000
    tracemalloc.start()
    try:
        reader = HistoryReader(io.BytesIO(data))
        assert list(reader) == []
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reader.torn is not None
    assert reader.torn.dropped == 400 << 20
    assert peak < 100 << 20


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.37"])
def test_every_minor_version_is_read(version: str) -> None:
    """A later 1.x may add fields; they are kept."""
    text = canonical({"t": "head", "rhh": version, "novelty": [1]})
    (line,) = HistoryReader(io.BytesIO(text + b"\n"))
    assert line.fields["novelty"] == [1]


@pytest.mark.parametrize("version", ["2.0", "0.9", "10.0"])
def test_another_major_version_is_refused_by_name(version: str) -> None:
    """The message names both versions and what to do."""
    text = canonical({"t": "head", "rhh": version})
    with pytest.raises(NewerVersion, match=rf"is RHH {version} and this program reads RHH 1\.x; use a version of tourney"):
        list(HistoryReader(io.BytesIO(text + b"\n")))


@pytest.mark.parametrize("version", ["1", "one", "1.x", "", "1.0.0", 1, None, "-1.0", " 1.0"])
def test_a_head_without_a_version_is_refused(version: object) -> None:
    """What cannot be read as a version is not guessed."""
    text = canonical({"t": "head", "rhh": version})
    with pytest.raises(BrokenHistory, match="no version"):
        list(HistoryReader(io.BytesIO(text + b"\n")))


def test_unknown_types_are_passed_over_and_counted(tmp_path: Path) -> None:
    """A record type of a later minor version disturbs nobody; unknown fields are kept."""
    path = tmp_path / "run.rhh.jsonl"
    with HistoryWriter(path, as_fields(head()) | {"x_site": "here"}) as writer:
        writer.write({"t": "weather", "rain": True})
        writer.write_deal(encode_deal(deal(1), {"x_table": {"colour": "green"}}))
        writer.write({"t": "weather", "rain": False})
    with HistoryReader(path) as reader:
        lines = list(reader)
    assert [line.kind for line in lines] == ["head", "deal", "seal"]
    assert reader.unknown == {"weather": 2}
    assert lines[0].fields["x_site"] == "here"
    assert lines[1].fields["x_table"] == {"colour": "green"}
    with HistoryReader(path) as reader:
        assert check_chain(reader).ok


def test_a_deal_with_wrong_fields_is_a_problem_of_that_deal() -> None:
    """deals() passes over a deal it cannot use and says which."""
    good = encode_deal(deal(1))
    reader = HistoryReader(io.BytesIO(good + b"\n" + b'{"t":"deal","id":"broken"}\n' + good + b"\n"))
    assert [record.id for _, record in reader.deals()] == [deal(1).id] * 2
    assert reader.problems[0].number == 2
    assert "not a deal record" in reader.problems[0].problem


def test_the_writer_keeps_the_order_of_records(tmp_path: Path) -> None:
    """A head comes first and once, the seal is the writer's own, and a closed history takes nothing more."""
    with pytest.raises(EngineBug, match="a note record cannot be record 1"):
        HistoryWriter(tmp_path / "a.rhh.jsonl", NoteRecord(text="x"))
    assert os.listdir(tmp_path) == []
    writer = HistoryWriter(tmp_path / "b.rhh.jsonl", head())
    for record in (head(), {"t": "seal"}):
        with pytest.raises(EngineBug, match="head first"):
            writer.write(record)
    with pytest.raises(EngineBug, match="longer than a line may be"):
        writer.write(NoteRecord(text="x" * MAX_LINE))
    writer.close()
    with pytest.raises(EngineBug, match="closed"):
        writer.write(NoteRecord(text="late"))


def test_nothing_appears_under_the_name_before_it_is_whole(tmp_path: Path) -> None:
    """The old file stays until the new one is complete; an exception removes what was begun."""
    path = tmp_path / "run.rhh.jsonl"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with HistoryWriter(path, head()) as writer:
            writer.write_deal(encode_deal(deal(1)))
            assert path.read_bytes() == b"old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]
    with HistoryWriter(path, head()):
        pass
    assert path.read_bytes() != b"old"
    assert os.listdir(tmp_path) == [path.name]


def full_after(limit: int) -> Callable[[int, memoryview], int]:
    """An ``os.write`` for a disk with ``limit`` bytes left: takes what fits, then refuses."""
    real, left = os.write, [limit]

    def write(descriptor: int, data: memoryview) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = real(descriptor, data[: left[0]])
        left[0] -= taken
        return taken

    return write


@BOTH
@pytest.mark.parametrize("limit", [0, 1, 5000, 100_000])
def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    """Wherever the disk runs full, the run can be resumed and the folder is as before."""
    monkeypatch.setattr("rummy_tourney.history.files.os.write", full_after(limit))
    with pytest.raises(InsufficientDisk, match="disk is full"):
        write_sample(tmp_path / name, deals=700)
    assert os.listdir(tmp_path) == []


def test_a_disk_that_is_full_only_at_the_sync_is_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some file systems find out late."""

    def fsync(descriptor: int) -> None:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    monkeypatch.setattr("rummy_tourney.history.jsonl.os.fsync", fsync)
    with pytest.raises(InsufficientDisk):
        write_sample(tmp_path / "run.rhh.jsonl", deals=3)
    assert os.listdir(tmp_path) == []


def test_other_errors_of_the_disk_are_not_called_full(tmp_path: Path) -> None:
    """A folder that is not there is an ordinary error."""
    with pytest.raises(FileNotFoundError):
        HistoryWriter(tmp_path / "nowhere" / "run.rhh.jsonl", head())


def test_memory_is_flat(tmp_path: Path) -> None:
    """Writing and checking 20 000 records takes no more memory than 2 000."""

    def peak(work: Callable[[], object]) -> int:
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    lines = [encode_deal(deal(index)) for index in range(50)]

    def write(count: int) -> None:
        with HistoryWriter(tmp_path / f"{count}.rhh.jsonl.zst", head()) as writer:
            for index in range(count):
                writer.write_deal(lines[index % 50])

    def check(count: int) -> None:
        with HistoryReader(tmp_path / f"{count}.rhh.jsonl.zst") as reader:
            assert check_chain(reader).ok

    for work in (write, check):
        small, large = peak(partial(work, 2_000)), peak(partial(work, 20_000))
        assert large < small * 1.2 + 100_000
        assert large < 8 << 20
