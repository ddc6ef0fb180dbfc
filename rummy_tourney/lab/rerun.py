"""Playing a finished run again and comparing bytes."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from rummy_tourney.history.jsonl import HistoryReader, Line
from rummy_tourney.tournament import folder as names
from rummy_tourney.tournament.folder import RunFolder
from rummy_tourney.tournament.runner import Progress, finish, root_of


@dataclass(frozen=True)
class Rerun:
    """What came of playing a run again: the two hashes, and where the histories part if they do."""

    before: str
    again: str
    line: int = 0
    deal: str = ""
    said: str = ""
    says: str = ""

    @property
    def same(self) -> bool:
        """Whether history and standings came out byte for byte."""
        return self.before == self.again


def rerun(folder: RunFolder, workers: int, progress: Progress) -> Rerun:
    """Play a finished run again in a temporary folder, from its resolved spec and revealed seed.

    File entries must still be what they were: a changed bot file is refused with its hash before anything is played.
    """
    run = folder.read_run()
    root = root_of(folder, run)
    with tempfile.TemporaryDirectory(prefix="tourney-rerun-") as place:
        again = RunFolder(Path(place) / "run")
        again.prepare()
        fresh = {k: v for k, v in run.items() if k not in ("root", "history", "standings_sha256", "faults")}
        fresh["state"] = "running"
        fresh["base"] = str((folder.path / run["base"]).resolve())
        again.write(names.SPEC, (folder / names.SPEC).read_bytes())
        if run["mode"] != "public":
            again.write(names.ROOT_KEY, root.hex().encode() + b"\n", private=True)
        again.write_json(names.RUN, fresh)
        result = finish(again, workers, progress)
        before = f"{run['history']['sha256']}/{run['standings_sha256']}"
        now = f"{result.run['history']['sha256']}/{result.run['standings_sha256']}"
        if before == now:
            return Rerun(before, now)
        return _first_difference(before, now, folder / names.HISTORY, again / names.HISTORY)


def _first_difference(before: str, again: str, old: Path, new: Path) -> Rerun:
    with HistoryReader(old) as one, HistoryReader(new) as two:
        for a, b in zip_longest(one, two):
            if a is None or b is None or a.raw != b.raw:
                return Rerun(before, again, *_describe(a, b))
    return Rerun(before, again)


def _describe(a: Line | None, b: Line | None) -> tuple[int, str, str, str]:
    known = a or b
    number = known.number if known is not None else 0
    if a is None or b is None:
        return number, "", "nothing" if a is None else "a record", "nothing" if b is None else "a record"
    for name in a.fields:
        one, two = a.fields.get(name), b.fields.get(name)
        if one != two and name not in ("h", "prev"):
            return number, a.deal or "", _moves(name, one, two), _moves(name, two, one)
    return number, a.deal or "", "the same", "the same"


def _moves(name: str, one: object, two: object) -> str:
    """The first move that differs, or the field as it is."""
    if name == "moves" and isinstance(one, list) and isinstance(two, list):
        for number, (x, y) in enumerate(zip_longest(one, two)):
            if x != y:
                return f"move {number}: {x}"
    return f"{name}: {str(one)[:160]}"
