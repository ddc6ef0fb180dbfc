"""Everything this package raises on purpose.

::

    TourneyError
    ├── UsageError              the caller can mend it                       exit code 2
    │   ├── NotationError       text that cannot be read
    │   ├── OptionError         a game option that does not exist or cannot hold
    │   ├── SpecError           a tournament spec with one or more problems
    │   ├── RunFolderError      a run folder that is taken, locked or missing
    │   └── BotLoadError        an entry that cannot be found or started     exit code 6
    ├── IllegalAction           an action the rules refuse, with a reason code
    ├── HistoryError            a hand history that cannot be used           exit code 4
    │   ├── NewerVersion        written by a later major version
    │   └── BrokenHistory       damaged: says where
    ├── InsufficientDisk        the disk is full; the run can be resumed     exit code 7
    └── EngineBug               this program contradicts itself              exit code 1

Catch the level you care about. ``exit_code`` is what the command line returns for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """What a ``tourney`` command reports to the shell."""

    OK = 0
    BUG = 1
    USAGE = 2
    BOT_FAULTS = 3
    VERIFICATION_FAILED = 4
    AUDIT_FLAG = 5
    BOT_CANNOT_START = 6
    STOPPED_BY_LIMIT = 7
    NO_VERDICT = 8
    INTERRUPTED = 130


class TourneyError(Exception):
    """Base of every deliberate error of this package."""

    exit_code = ExitCode.BUG


class UsageError(TourneyError):
    """Something the caller can mend; the message says where, what, and what to do next."""

    exit_code = ExitCode.USAGE


class NotationError(UsageError, ValueError):
    """Text that is not a card, a meld, a move or a seat."""


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """One thing wrong with one option: ``key`` names it, ``message`` says what to write instead."""

    key: str
    message: str


class OptionError(UsageError):
    """One or more options of a game that do not exist, have a wrong value, or contradict each other."""

    def __init__(self, problems: Sequence[OptionProblem]) -> None:
        super().__init__("; ".join(f"{p.key}: {p.message}" for p in problems))
        self.problems = tuple(problems)


class SpecError(UsageError):
    """A tournament spec that cannot be run. ``problems`` are complete lines, ready to print."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class RunFolderError(UsageError):
    """A run folder that is missing, locked, or holds another run."""


class BotLoadError(UsageError):
    """An entry that cannot be found, imported or constructed."""

    exit_code = ExitCode.BOT_CANNOT_START


class IllegalAction(TourneyError):
    """An action the rules refuse.

    ``reason`` is a short stable code (``not-in-hand``, ``banned-discard`` …) that ends up in fault
    records as ``illegal:<reason>``; ``detail`` is for people.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[str, str]]:
        return (IllegalAction, (self.reason, self.detail))


class HistoryError(TourneyError):
    """A hand history that cannot be used as asked."""

    exit_code = ExitCode.VERIFICATION_FAILED


class NewerVersion(HistoryError):
    """Written by a newer major version of the format than this program reads."""

    exit_code = ExitCode.USAGE


class BrokenHistory(HistoryError):
    """A damaged history: ``line`` (from 1) and ``offset`` (bytes of the uncompressed text) say where."""

    def __init__(self, message: str, *, line: int = 0, offset: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.offset = offset


class InsufficientDisk(TourneyError):
    """The disk is full. What was finished is safe; free some space and resume."""

    exit_code = ExitCode.STOPPED_BY_LIMIT


class EngineBug(TourneyError):
    """The program contradicts itself: please report it with the command that shows it."""
