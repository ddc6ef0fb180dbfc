"""Shards: whole frames or nothing, wherever a run is killed."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rummy_tourney.errors import BrokenHistory, EngineBug, InsufficientDisk
from rummy_tourney.history.shards import ShardReader, ShardWriter, mend_shard, read_frame

UNITS = {
    "league/1/1": [b'{"t":"deal","n":1}', b'{"t":"deal","n":2}'],
    "league/1/2 Ω": [b"", b"x"],
    "league/1/3": [],
    "league/2/1": [b'{"t":"match"}'],
}


def write_units(path: Path) -> dict[str, int]:
    """The sample shard; answers where each frame begins."""
    with ShardWriter(path) as writer:
        assert writer.torn is None
        return {key: writer.append(key, lines) for key, lines in UNITS.items()}


def test_frames_come_back(tmp_path: Path) -> None:
    """Keys, lines, order and places are kept, and one frame can be read alone."""
    path = tmp_path / "a.shard"
    offsets = write_units(path)
    reader = ShardReader(path)
    frames = list(reader)
    assert reader.torn is None
    assert {f.key: list(f.lines) for f in frames} == UNITS
    assert {f.key: f.offset for f in frames} == offsets
    assert sum(f.size for f in frames) == path.stat().st_size
    for frame in frames:
        assert read_frame(path, frame.offset) == frame
    with pytest.raises(BrokenHistory):
        read_frame(path, 1)


def test_a_shard_cut_at_every_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames before the cut are whole, the rest is reported, cut off, and can be written again."""
    monkeypatch.setattr("rummy_tourney.history.shards.os.fsync", lambda descriptor: None)  # 800 syncs take seconds
    path = tmp_path / "a.shard"
    offsets = write_units(path)
    data = path.read_bytes()
    ends = [*list(offsets.values())[1:], len(data)]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        whole = [key for key, end in zip(offsets, ends, strict=True) if end <= cut]
        safe = max([end for end in ends if end <= cut], default=0)
        reader = ShardReader(path)
        assert [f.key for f in reader] == whole
        if cut == safe:
            assert reader.torn is None
        else:
            assert reader.torn is not None
            assert (reader.torn.offset, reader.torn.dropped) == (safe, cut - safe)
        with ShardWriter(path) as writer:
            assert writer.torn == reader.torn
            for key in list(UNITS)[len(whole) :]:
                writer.append(key, UNITS[key])
        assert path.read_bytes() == data


def test_a_damaged_frame_is_never_given_out(tmp_path: Path) -> None:
    """Each flipped byte is noticed; the frames before it stand, it and what follows are played again."""
    path = tmp_path / "a.shard"
    offsets = list(write_units(path).values())
    data = path.read_bytes()
    rng = random.Random(3)
    for position in range(len(data)):
        broken = bytearray(data)
        broken[position] ^= rng.randrange(1, 256)
        path.write_bytes(broken)
        reader = ShardReader(path)
        frames = list(reader)
        number = sum(offset <= position for offset in offsets) - 1
        assert reader.torn is not None
        assert [f.key for f in frames] == list(UNITS)[:number]
        assert reader.torn.offset == offsets[number]


def test_a_full_disk_costs_only_the_unit_that_did_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The frame is taken back whole, the error is resumable, and writing can go on once there is room."""
    path = tmp_path / "a.shard"
    with ShardWriter(path) as writer:
        writer.append("one", [b"1"])
        before = path.read_bytes()
        real = os.write

        def half_then_full(descriptor: int, data: memoryview) -> int:
            if len(data) > 50:
                return real(descriptor, data[:50])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr("rummy_tourney.history.files.os.write", half_then_full)
            with pytest.raises(InsufficientDisk):
                writer.append("two", [b"2"])
        assert path.read_bytes() == before
        writer.append("two", [b"2"])
    assert [f.key for f in ShardReader(path)] == ["one", "two"]


def test_an_interrupt_in_the_middle_of_a_write_takes_the_frame_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between two bites of a long write leaves whole frames only."""
    path = tmp_path / "a.shard"
    real = os.write

    def interrupted(descriptor: int, data: memoryview) -> int:
        real(descriptor, data[:10])
        raise KeyboardInterrupt

    with ShardWriter(path) as writer:
        writer.append("one", [b"1"])
        with monkeypatch.context() as patch:
            patch.setattr("rummy_tourney.history.files.os.write", interrupted)
            with pytest.raises(KeyboardInterrupt):
                writer.append("two", [b"2"])
    assert [f.key for f in ShardReader(path)] == ["one"]
    assert mend_shard(path) is None


def test_the_disk_is_synced_at_most_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock decides when to sync and nothing else; closing always syncs."""
    synced: list[float] = []
    now = [100.0]
    monkeypatch.setattr("rummy_tourney.history.shards.os.fsync", lambda descriptor: synced.append(now[0]))
    writer = ShardWriter(tmp_path / "a.shard", clock=lambda: now[0])
    for tick in range(25):
        now[0] = 100 + tick / 10
        writer.append(str(tick), [b"x"])
    assert synced == [101.0, 102.0]
    writer.close()
    writer.close()
    assert synced == [101.0, 102.0, 102.4]


def test_a_line_may_not_break_the_frame(tmp_path: Path) -> None:
    """Line feeds belong to the frame, and a key has its limits."""
    with ShardWriter(tmp_path / "a.shard") as writer:
        with pytest.raises(EngineBug, match="line feed"):
            writer.append("one", [b"a\nb"])
        with pytest.raises(EngineBug, match="too long"):
            writer.append("k" * 70_000, [])
    assert (tmp_path / "a.shard").read_bytes() == b""


_APPEND_FOR_EVER = """
import sys
from rummy_tourney.history.shards import ShardWriter
writer = ShardWriter(sys.argv[1])
for number in range(10**9):
    writer.append(str(number), [b"x" * 5000] * 20)
"""


def test_a_killed_writer_leaves_whole_frames_and_at_most_one_torn(tmp_path: Path) -> None:
    """kill -9 at five random moments: units 0 … k are there, in order, and the next writer goes on."""
    path = tmp_path / "a.shard"
    rng = random.Random(9)
    for _ in range(5):
        path.unlink(missing_ok=True)
        child = subprocess.Popen([sys.executable, "-c", _APPEND_FOR_EVER, str(path)])
        while not (path.exists() and path.stat().st_size):
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.05))
        child.send_signal(signal.SIGKILL)
        child.wait()
        mend_shard(path)
        keys = [frame.key for frame in ShardReader(path)]
        assert keys == [str(number) for number in range(len(keys))]
        assert keys
