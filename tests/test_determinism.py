"""Same spec, same bots, same seed: the same bytes, whatever the workers, the interruptions and the interpreter's hash seed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SPEC = """
tourney: 1
name: Bytes
game: gin
format: {kind: round-robin, match: {deals: 240, mirrored: true}}
players: [greedy, random, {name: shaky, bot: shaky.py}]
seed: 7
"""

SHAKY = '''
"""Draws dice, and now and then raises or cheats: its faults must be as repeatable as its play."""


class Shaky:
    def __init__(self, *, rng):
        self.rng = rng

    def act(self, view):
        dice = self.rng.random()
        if dice < 0.002:
            raise RuntimeError("tired")
        if dice < 0.004:
            return "the ace of spades"
        return self.rng.choice(view.legal_actions())
'''


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rummy_tourney", *arguments]


def tourney(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    whole = {**os.environ, **(env or {})}
    return subprocess.run(command(*arguments), capture_output=True, text=True, env=whole, timeout=300, check=False)


def hashes(folder: Path) -> tuple[str, bytes, bytes]:
    """What a finished run is compared by: history (canonical text), standings, standings as CSV."""
    run = json.loads((folder / "run.json").read_text())
    assert run["state"] == "finished"
    return run["history"]["sha256"], (folder / "standings.json").read_bytes(), (folder / "standings.csv").read_bytes()


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spec")
    (folder / "shaky.py").write_text(SHAKY)
    (folder / "bytes.yaml").write_text(SPEC)
    return folder / "bytes.yaml"


THREE = "[greedy, {name: g2, bot: greedy}, shaky.py]"
OTHER_SPECS = {
    "games": ("gin", "{games: 3}", THREE),
    "table games": ("{kind: basic, seats: 3}", "{games: 1}", THREE),
    "unmirrored table": ("{kind: basic, seats: 3}", "{deals: 12, mirrored: false}", THREE),
}


@pytest.mark.parametrize("name", sorted(OTHER_SPECS))
def test_whole_matches_with_faults_give_the_same_bytes_too(tmp_path: Path, name: str) -> None:
    """Games to a target and tables of three, with a bot that crashes and cheats: one worker, two, and verified."""
    game, match, players = OTHER_SPECS[name]
    (tmp_path / "shaky.py").write_text(SHAKY)
    (tmp_path / "spec.yaml").write_text(
        f"tourney: 1\nname: Other\ngame: {game}\nformat: {{kind: round-robin, cycles: 2, match: {match}}}\n"
        f"players: {players}\nseed: 3\n"
    )
    found = []
    for workers in ("1", "2"):
        folder = tmp_path / f"run-{workers}"
        done = tourney("run", str(tmp_path / "spec.yaml"), "--out", str(folder), "-j", workers)
        assert done.returncode == 0, done.stderr
        found.append(hashes(folder))
        checked = tourney("verify", str(folder))
        assert checked.returncode == 0, checked.stderr
    assert found[0] == found[1]


@pytest.fixture(scope="module")
def reference(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes, bytes]:
    folder = tmp_path_factory.mktemp("reference") / "run"
    done = tourney("run", str(spec), "--out", str(folder))
    assert done.returncode == 0, done.stderr
    assert "bot faults" in done.stderr
    return hashes(folder)


@pytest.mark.parametrize("workers", ["2", "4"])
def test_any_number_of_workers_gives_the_same_bytes(
    spec: Path, reference: tuple[str, bytes, bytes], tmp_path: Path, workers: str
) -> None:
    """Two and four workers against one."""
    done = tourney("run", str(spec), "--out", str(tmp_path / "run"), "-j", workers)
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "run") == reference


@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_the_interpreters_hash_seed_leaves_no_trace(
    spec: Path, reference: tuple[str, bytes, bytes], tmp_path: Path, hash_seed: str
) -> None:
    """No set or dict order reaches a result."""
    done = tourney("run", str(spec), "--out", str(tmp_path / "run"), "-j", "2", env={"PYTHONHASHSEED": hash_seed})
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "run") == reference


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_killed_at_ten_moments_and_resumed_gives_the_same_bytes(
    spec: Path, reference: tuple[str, bytes, bytes], tmp_path: Path, workers: str
) -> None:
    """SIGKILL after random times, resumed each time, then finished."""
    folder = tmp_path / "run"
    dice = random.Random(f"kill {workers}")
    arguments = ["run", str(spec), "--out", str(folder), "-j", workers]
    for _ in range(10):
        process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.05, 0.9))
        process.kill()
        process.wait()
        if (folder / "run.json").exists():
            arguments = ["resume", str(folder), "-j", workers]
    done = tourney(*arguments)
    assert done.returncode == 0, done.stderr
    assert hashes(folder) == reference
    assert tourney("verify", str(folder)).returncode == 0


def test_ctrl_c_stops_with_the_resume_command_and_resuming_gives_the_same_bytes(
    spec: Path, reference: tuple[str, bytes, bytes], tmp_path: Path
) -> None:
    """Exit code 130, the exact command to go on, and the same bytes in the end."""
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command("run", str(spec), "--out", str(folder), "-j", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for _ in range(200):
        time.sleep(0.02)
        if (folder / "work.shard").exists() and (folder / "work.shard").stat().st_size:
            break
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"tourney resume {folder}" in stderr
    again = tourney("run", str(spec), "--out", str(folder))
    assert again.returncode == 2
    assert f"tourney resume {folder}" in again.stderr
    assert tourney("resume", str(folder), "-j", "2").returncode == 0
    assert hashes(folder) == reference


def test_running_a_finished_spec_again_shows_it_and_plays_nothing(spec: Path, tmp_path: Path) -> None:
    """Exit code 0, the same files."""
    folder = tmp_path / "run"
    assert tourney("run", str(spec), "--out", str(folder)).returncode == 0
    before = {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in folder.iterdir()}
    again = tourney("run", str(spec), "--out", str(folder))
    assert again.returncode == 0
    assert "points/deal" in again.stdout
    assert {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in folder.iterdir()} == before


def test_a_dead_parent_leaves_no_worker_behind(spec: Path, tmp_path: Path) -> None:
    """Workers end by themselves when their pipe closes."""
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command("run", str(spec), "--out", str(folder), "-j", "2"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    children: list[int] = []
    for _ in range(500):
        time.sleep(0.01)
        children = _children(process.pid)
        if len(children) >= 2:
            break
    assert children
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(_alive(pid) for pid in children):
        time.sleep(0.05)
    assert not [pid for pid in children if _alive(pid)]


def test_a_secret_seed_is_committed_before_and_revealed_after(tmp_path: Path) -> None:
    """Without a seed in the spec the root is drawn, kept privately, and revealed with the seal; the run can be played again."""
    text = SPEC.replace("seed: 7\n", "").replace(", {name: shaky, bot: shaky.py}", "").replace("240", "40")
    (tmp_path / "secret.yaml").write_text(text)
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command("run", str(tmp_path / "secret.yaml"), "--out", str(folder)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    key = folder / "root.key"
    for _ in range(400):
        if key.exists():
            assert key.stat().st_mode & 0o077 == 0
            break
        time.sleep(0.005)
    assert process.wait(60) == 0
    assert not key.exists()
    run = json.loads((folder / "run.json").read_text())
    assert run["mode"] == "committed"
    assert len(run["root"]) == 128
    assert tourney("verify", str(folder), "--rerun").returncode == 0


def _children(pid: int) -> list[int]:
    found: list[int] = []
    if not Path(f"/proc/{pid}/task").exists():
        return found
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
