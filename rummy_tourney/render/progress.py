"""Live progress on a terminal; silence anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from rummy_tourney.tournament.work import Work


class Silent:
    """Says nothing: for pipes, files and ``--json``."""

    def start(self, units: int, done: int, deals_per_unit: int) -> None:
        """The run begins."""

    def advance(self, work: Work) -> None:
        """Some work has come in."""

    def settling(self) -> None:
        """The history is being written."""

    def stop(self) -> None:
        """No more will be told."""


class Bar:
    """A bar on stderr: units done, deals per second, faults, time left."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._deals = 0
        self._faults = 0

    def start(self, units: int, done: int, deals_per_unit: int) -> None:
        """The run begins or goes on."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[what]}"), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        self._task = self._progress.add_task("playing", total=units, completed=done, what="")
        self._progress.start()

    def advance(self, work: Work) -> None:
        """Some work has come in."""
        self._deals += work.deals
        self._faults += work.faults
        faults = f", {self._faults} faults" if self._faults else ""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, advance=work.stop - work.task.start, what=f"{self._deals} deals{faults}")

    def settling(self) -> None:
        """The history is being written."""

    def stop(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()


def progress_for(*, quiet: bool) -> Silent | Bar:
    """A bar if stderr is a terminal, silence otherwise."""
    return Silent() if quiet or not sys.stderr.isatty() else Bar()
