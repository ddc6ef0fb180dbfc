"""Running an event: make the folder, play what is missing, settle. ``run = f(spec)``.

Crash-only: whatever happens, and at whatever moment, playing what is not in the shard and settling gives the same bytes.
There is no other way to resume than the way to run.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Any, Final, Protocol

import msgspec

from rummy_tourney.cards import join_cards
from rummy_tourney.errors import RunFolderError, TourneyError
from rummy_tourney.game.options import option_values
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.records import BotEntry, HeadRecord, Producer, Rng, RulesEntry
from rummy_tourney.history.shards import ShardReader, ShardWriter
from rummy_tourney.history.verify import COMMON, SEPARATE
from rummy_tourney.seeding import commitment, root_from_seed, root_from_system
from rummy_tourney.tournament import folder as names
from rummy_tourney.tournament.folder import RunFolder, file_sha256
from rummy_tourney.tournament.plan import EventPlan
from rummy_tourney.tournament.pool import InProcess, Interrupt, ProcessPool
from rummy_tourney.tournament.settle import (
    Finished,
    Settled,
    frame_key,
    json_line,
    pairings_of,
    settle,
    timing_line,
)
from rummy_tourney.tournament.spec import LoadedSpec, plan_from_resolved
from rummy_tourney.tournament.standings import Standings
from rummy_tourney.tournament.work import Task, Work, Workshop

TASK_UNITS: Final = 256
"""Most units handed out at a time. Decides how evenly workers are loaded, never what they play."""
PIECES: Final = 8
"""At least so many pieces for each worker, while there are units enough."""


class Interrupted(TourneyError):
    """The run was stopped by a signal; it can be resumed."""

    def __init__(self, signal_number: int, folder: Path) -> None:
        super().__init__(f"interrupted; finish it with: tourney resume {folder}")
        self.signal_number = signal_number


class Progress(Protocol):
    """Told how far a run is."""

    def start(self, units: int, done: int, deals_per_unit: int) -> None:
        """The run begins or goes on: ``units`` in all, ``done`` of them finished before."""

    def advance(self, work: Work) -> None:
        """Some work has come in."""

    def settling(self) -> None:
        """All is played; the history is being written."""

    def stop(self) -> None:
        """No more will be told."""


@dataclass(frozen=True)
class RunResult:
    """A finished run: where it is, its standings, what it hashes to."""

    folder: Path
    run: Mapping[str, Any]
    standings: Standings
    faults: int


def begin(loaded: LoadedSpec, out: Path | None, base: Path) -> RunFolder:
    """Make the folder of a new run, write what is known before the first card, and publish the commitment.

    Raises :class:`~rummy_tourney.errors.RunFolderError` if the folder holds something else; a folder that holds this very run
    is returned as it is, to be shown or resumed.
    """
    with redirect_stdout(sys.stderr):  # a bot may print when it is loaded
        Workshop(plan_from_resolved(loaded.resolved, loaded.base_dir), bytes(64))  # a bot that cannot start is found now
    seed = loaded.spec.seed
    root = root_from_system() if seed is None else root_from_seed(seed)
    description = describe(loaded, root)
    run_id = str(description["run_id"])
    folder = RunFolder(base / f"{loaded.spec.id}-{run_id}" if out is None else out)
    folder.prepare()
    with folder:
        if folder.exists():
            _same_run(folder, run_id, str(description["spec_hash"]))
            return folder
        if seed is None:
            folder.write(names.ROOT_KEY, root.hex().encode() + b"\n", private=True)
        folder.write(names.SPEC, loaded.text.encode())
        description["base"] = os.path.relpath(loaded.base_dir.resolve(), folder.path.resolve())
        folder.write_json(names.RUN, description)
    return folder


def _same_run(folder: RunFolder, run_id: str, spec_hash: str) -> None:
    there = folder.read_run()
    if there["run_id"] == run_id:
        return
    if there.get("spec_hash") == spec_hash and there.get("state") != "finished":
        raise RunFolderError(
            f"{folder.path}: holds an unfinished run of this spec; finish it with: tourney resume {folder.path}"
        )
    raise RunFolderError(f"{folder.path}: holds another run ({there['run_id']}); choose another folder with --out")


def describe(loaded: LoadedSpec, root: bytes) -> dict[str, object]:
    """What run.json says before the first card is dealt."""
    spec_hash = loaded.spec_hash
    bots = {str(player["id"]): str(player["file_hash"]) for player in loaded.resolved["players"]}
    promise = commitment(root)
    identity = canonical({"spec": spec_hash, "commitment": promise, "bots": bots})
    return {
        "run_id": hashlib.sha256(identity).hexdigest()[:8],
        "state": "running",
        "name": loaded.spec.name,
        "mode": "committed" if loaded.spec.seed is None else "public",
        "commitment": promise,
        "spec_hash": spec_hash,
        "bots": bots,
        "versions": versions(),
        "resolved": loaded.resolved,
    }


def versions() -> dict[str, str]:
    """What took part, for a reader who has to find out why two machines differ. Stands outside every hash."""
    return {
        "rummy_tourney": metadata.version("rummy_tourney"),
        "python": platform.python_version(),
        "zstandard": metadata.version("zstandard"),
    }


def finish(folder: RunFolder, workers: int, progress: Progress) -> RunResult:
    """Play what is missing of a run and settle it; a finished run is only read.

    Raises :class:`Interrupted` after Ctrl-C (or SIGTERM, SIGHUP), with everything finished so far kept.
    """
    run = folder.read_run()
    if run["state"] == "finished":
        _tidy(folder)
        return read_result(folder)
    plan = plan_from_resolved(run["resolved"], folder.path / run["base"], run["bots"])
    root = root_of(folder, run)
    with folder:
        finished = _play(folder, plan, root, workers, progress)
        progress.settling()
        settled = settle(plan, folder / names.SHARD, finished, folder / names.HISTORY, head_of(run, plan), root)
        _publish(folder, run, settled, root)
    return read_result(folder)


def root_of(folder: RunFolder, run: Mapping[str, Any]) -> bytes:
    """The root seed of a run: from the public seed, from the private file, or revealed."""
    if run["mode"] == "public":
        return root_from_seed(run["resolved"]["seed"])
    if "root" in run:
        return bytes.fromhex(run["root"])
    try:
        root = bytes.fromhex((folder / names.ROOT_KEY).read_text().strip())
    except (OSError, ValueError) as error:
        raise RunFolderError(f"{folder / names.ROOT_KEY}: the secret seed of this run cannot be read ({error})") from error
    if commitment(root) != run["commitment"]:
        raise RunFolderError(f"{folder / names.ROOT_KEY}: does not match the commitment in run.json; it was changed")
    return root


def head_of(run: Mapping[str, Any], plan: EventPlan) -> HeadRecord:
    """The head record of a run's history."""
    options = option_values(plan.parsed_options())
    deck = join_cards(plan.rules().pack.cards)
    body = {"family": plan.family, "preset": plan.preset, "options": options, "deck": deck}
    rules = RulesEntry(
        deck=deck, family=plan.family, options=options, preset=plan.preset, hash=hashlib.sha256(canonical(body)).hexdigest()
    )
    policy = run["resolved"]["faults"]
    bots = tuple(
        BotEntry(id=p["id"], display=p["display"], kind=p["kind"], file_hash=p["file_hash"]) for p in run["resolved"]["players"]
    )
    return HeadRecord(
        bots=bots, fault_policy=policy, producer=Producer(name="rummy_tourney"),
        rng=Rng(commitment=run["commitment"], derivation=COMMON if plan.common else SEPARATE), rules={plan.family: rules},
        run_id=run["run_id"], spec_hash=run["spec_hash"],
    )  # fmt: skip


def read_result(folder: RunFolder) -> RunResult:
    """A finished run, from its folder."""
    run = folder.read_run()
    if run["state"] != "finished":
        raise RunFolderError(f"{folder.path}: this run is not finished; finish it with: tourney resume {folder.path}")
    try:
        standings = msgspec.json.decode((folder / names.STANDINGS).read_bytes(), type=Standings)
    except (OSError, ValueError) as error:
        raise RunFolderError(
            f"{folder / names.STANDINGS}: cannot be read ({error}); `tourney verify {folder.path}` says what is damaged"
        ) from error
    return RunResult(folder.path, run, standings, sum(row.faults for row in standings.rows))


# --- details --------------------------------------------------------------------------------------------------------


def _play(folder: RunFolder, plan: EventPlan, root: bytes, workers: int, progress: Progress) -> Finished:
    """Play every unit that is not in the shard yet; answers where everything is."""
    shard = folder / names.SHARD
    writer = ShardWriter(shard)
    finished = _read_shard(shard)
    units = plan.units_per_match
    total = units * sum(1 for _ in pairings_of(plan))
    progress.start(total, finished.units(), plan.seats if plan.match.mirrored else 1)
    try:
        if finished.units() < total:
            _play_missing(folder, plan, root, workers, progress, writer, finished)
    finally:
        progress.stop()
        writer.close()
    return finished


def _play_missing(
    folder: RunFolder, plan: EventPlan, root: bytes, workers: int, progress: Progress, writer: ShardWriter, finished: Finished
) -> None:
    # What a bot prints must not get between the results on stdout.
    with (
        redirect_stdout(sys.stderr),
        _interruptible() as interrupt,
        open(folder / names.TIMING, "ab", buffering=0) as timing,
    ):
        pool = InProcess(plan, root) if workers == 1 else ProcessPool(plan, root, workers)
        try:
            for work in pool.run(_tasks(plan, finished, workers), interrupt):
                key = frame_key(work)
                finished.add(key, writer.append(key, work.lines))
                with suppress(OSError):  # how long it took is good to know, and no reason to stop
                    timing.write(json_line(timing_line(work)))
                progress.advance(work)
        finally:
            pool.close()
        if interrupt.stopped:
            raise Interrupted(interrupt.signal_number, folder.path)


def _tasks(plan: EventPlan, finished: Finished, workers: int) -> Iterator[Task]:
    """What is still to be played, in canonical order, in pieces. The missing ranges are fixed before a match is handed out."""
    missing = plan.units_per_match * sum(1 for _ in pairings_of(plan)) - finished.units()
    size = max(1, min(TASK_UNITS, missing // (PIECES * workers)))
    for pairing in pairings_of(plan):
        for begin, end in list(finished.missing(pairing.key, plan.units_per_match)):
            for start in range(begin, end, size):
                yield Task(pairing, start, min(start + size, end))


def _read_shard(path: Path) -> Finished:
    finished = Finished()
    for frame in ShardReader(path):
        finished.add(frame.key, frame.offset)
    return finished


def _publish(folder: RunFolder, run: Mapping[str, Any], settled: Settled, root: bytes) -> None:
    """Write the results; run.json says finished only when everything else is in place, and the shard goes last."""
    folder.write(names.STANDINGS, settled.standings.to_json())
    folder.write(names.STANDINGS_CSV, settled.standings.to_csv())
    folder.write(names.FAULTS, b"".join(_with_command(folder, text) for text in settled.evidence))
    history = settled.history
    done = dict(run)
    done["state"] = "finished"
    done["root"] = root.hex()
    done["history"] = {
        "records": history.records,
        "deals": history.deals,
        "sha256": history.sha256,
        "merkle": history.merkle,
        "seal": history.last,
    }
    done["faults"] = [
        {"entry": entry, "code": code, "count": count} for (entry, code), count in sorted(settled.faults.items())
    ]
    done["standings_sha256"] = file_sha256(folder / names.STANDINGS)
    folder.write_json(names.RUN, done)
    _tidy(folder)


def _with_command(folder: RunFolder, evidence: bytes) -> bytes:
    """The evidence of a fault with the command that shows it."""
    fault = json.loads(evidence)
    fault["show"] = f"tourney replay {folder.path} {fault['deal']} --from {max(0, fault['move'] - 1)}"
    return json_line(fault)


def _tidy(folder: RunFolder) -> None:
    """The last steps of a finished run; doing them again changes nothing, so a kill between them does no harm."""
    if not (folder / names.SUMS).exists():
        folder.write(names.SUMS, folder.checksums())
    for name in (names.SHARD, names.ROOT_KEY):
        if (folder / name).exists():
            folder.remove(name)


@contextmanager
def _interruptible() -> Iterator[Interrupt]:
    """Turn the first Ctrl-C (SIGTERM, SIGHUP) into a request to stop, the second into stopping at once."""
    interrupt = Interrupt()

    def on_signal(number: int, frame: FrameType | None) -> None:
        if interrupt.stopped:
            raise KeyboardInterrupt
        interrupt.stopped = True
        interrupt.signal_number = number
        os.write(2, b"\nfinishing what is under way; once more to stop at once\n")

    before: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before[number] = signal.signal(number, on_signal)
    except ValueError:
        before = {}  # not the main thread: the embedding program deals with signals
    try:
        yield interrupt
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)
