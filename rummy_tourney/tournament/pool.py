"""Worker processes that play tasks, or this process alone. Workers compute; only the parent writes.

A worker that dies (killed, out of memory) costs its task, which is played again by a fresh worker; its death is the machine's
fault and never scored. Workers end by themselves when the parent dies, however it dies: their pipe closes.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final

from rummy_tourney.errors import EngineBug, ExitCode, TourneyError
from rummy_tourney.tournament.plan import EventPlan
from rummy_tourney.tournament.work import Task, Work, Workshop

BUDGET: Final = 0.25
"""Seconds of work a worker does before it reports. Decides how much a kill can cost, never what is written."""
RETRIES: Final = 3
"""Deaths of workers over one task before the run stops."""


class WorkerLost(TourneyError):
    """Workers keep dying over one task: the machine kills them, or a bot takes its process down."""

    exit_code = ExitCode.STOPPED_BY_LIMIT


@dataclass(slots=True)
class Interrupt:
    """Set by a signal handler: no more work is handed out."""

    stopped: bool = False
    signal_number: int = 0


class InProcess:
    """Plays in this process: ``-j 1``."""

    def __init__(self, plan: EventPlan, root: bytes) -> None:
        self._workshop = Workshop(plan, root)

    def run(self, tasks: Iterator[Task], interrupt: Interrupt) -> Iterator[Work]:
        """Play tasks in order, in pieces of about :data:`BUDGET` seconds."""
        for task in tasks:
            rest: Task | None = task
            while rest is not None:
                if interrupt.stopped:
                    return
                work = self._workshop.play(rest, BUDGET)
                rest = left_over(work)
                yield work

    def close(self) -> None:
        """Nothing to close."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: Task | None = None


class ProcessPool:
    """``workers`` processes that play tasks; results come as they are ready."""

    def __init__(self, plan: EventPlan, root: bytes, workers: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._plan = plan
        self._root = root
        self._workers = [self._start() for _ in range(workers)]

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._plan, self._root), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def run(self, tasks: Iterator[Task], interrupt: Interrupt) -> Iterator[Work]:
        """Play all tasks; yields finished work in the order it is finished. After an interrupt, only what is under way."""
        waiting: list[Task] = []
        lost: dict[Task, int] = {}

        def next_task() -> Task | None:
            if interrupt.stopped:
                return None
            return waiting.pop() if waiting else next(tasks, None)

        for worker in self._workers:
            self._give(worker, next_task())
        while busy := {w.pipe: w for w in self._workers if w.task is not None}:
            for ready in wait(list(busy), timeout=1.0):
                worker = busy[ready]  # type: ignore[index]  # wait answers the very objects it was given
                task = worker.task
                work = self._receive(worker)
                if work is None and task is not None:
                    lost[task] = lost.get(task, 0) + 1
                    self._replace(worker, task, lost[task])
                    waiting.append(task)
                elif work is not None:
                    rest = left_over(work)
                    if rest is not None:
                        waiting.append(rest)
                    self._give(worker, next_task())
                    yield work
            for worker in self._workers:
                if worker.task is None and not interrupt.stopped:
                    self._give(worker, next_task())

    def _give(self, worker: _Worker, task: Task | None) -> None:
        worker.task = task
        if task is not None:
            with contextlib.suppress(BrokenPipeError):  # its death is noticed, and answered, when we wait for it
                worker.pipe.send(task)

    def _receive(self, worker: _Worker) -> Work | None:
        """The work of a worker, or ``None`` if it died. Re-raises our own errors with the worker's traceback."""
        try:
            answer = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            return None
        worker.task = None
        if isinstance(answer, Work):
            return answer
        error, trace = answer
        if isinstance(error, TourneyError):
            raise error
        raise EngineBug(f"a worker failed:\n{trace}")

    def _replace(self, worker: _Worker, task: Task, deaths: int) -> None:
        worker.process.join(5)
        code = worker.process.exitcode
        if deaths >= RETRIES:
            raise WorkerLost(
                f"a worker died {deaths} times (last exit code {code}) over match {task.pairing.key}, "
                f"units {task.start} to {task.stop - 1}; is memory short, or does a bot end its process?"
            )
        fresh = self._start()
        worker.process, worker.pipe, worker.task = fresh.process, fresh.pipe, None

    def close(self) -> None:
        """End the workers: those at rest by a word, those still at work by force."""
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.pipe.send(None)
                worker.pipe.close()
        for worker in self._workers:
            if worker.task is not None:
                worker.process.terminate()
            worker.process.join(2)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _rest_gc() -> None:
    """In a worker: collect cyclic garbage less often. A deal leaves no cycles behind, and thousands of short-lived objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def left_over(work: Work) -> Task | None:
    """The units of a task that its worker did not get to."""
    task = work.task
    return Task(task.pairing, work.stop, task.stop) if work.stop < task.stop else None


def _serve(pipe: Connection, plan: EventPlan, root: bytes) -> None:
    """A worker's life: receive a task, play, answer; until told to stop or the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.stdout = sys.stderr  # what a bot prints must not get between the results on stdout
    try:
        workshop = Workshop(plan, root)
        _rest_gc()
    except Exception as error:
        _answer_error(pipe, error)
        return
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        try:
            pipe.send(workshop.play(task, BUDGET))
        except (BrokenPipeError, ConnectionResetError):
            return
        except Exception as error:
            _answer_error(pipe, error)
            return


def _answer_error(pipe: Connection, error: Exception) -> None:
    known = error if isinstance(error, TourneyError) else None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        pipe.send((known, traceback.format_exc()))
