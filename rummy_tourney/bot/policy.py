"""What a fault costs: codes, profiles, and the conduct of a match.

One fault, one record. A fault's code says what went wrong (``crash``, ``illegal:<reason>`` …), its kind groups codes for
the policy, and the policy answers with a :class:`Consequence`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from msgspec import Struct


class Consequence(StrEnum):
    """What happens to the offender."""

    DEFAULT_ACTION = "default-action"
    FORFEIT_DEAL = "forfeit-deal"
    RESTART = "restart"
    """forfeit the deal and go on with a fresh bot; the next time in the same match, forfeit the match"""
    FORFEIT_MATCH = "forfeit-match"
    DISQUALIFY = "disqualify"


class FaultKind(StrEnum):
    """The rows of a policy table."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    CRASH = "crash"
    RESOURCE = "resource"


_KINDS: Final[Mapping[str, FaultKind]] = {
    "late": FaultKind.TIMEOUT,
    "illegal": FaultKind.ILLEGAL,
    "json": FaultKind.PROTOCOL,
    "id": FaultKind.PROTOCOL,
    "too-big": FaultKind.PROTOCOL,
    "version": FaultKind.RESOURCE,
    "eof": FaultKind.CRASH,
    "crash": FaultKind.CRASH,
    "memory": FaultKind.RESOURCE,
    "children": FaultKind.RESOURCE,
}
"""The kind of each code; ``version`` is treated like a resource fault, as the profiles' table has it."""


def kind_of(code: str) -> FaultKind:
    """The kind of a fault code such as ``illegal:not-in-hand``."""
    return _KINDS[code.partition(":")[0]]


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """Consequences by kind, how many strikes a match allows, and the share of bad matches that disqualifies.

    A strike is a fault answered by a default action; one more than ``strikes`` forfeits the match (``None``: no limit).
    ``disqualify_percent`` of an entry's matches forfeited disqualifies it from the matches after; ``None``: never.
    """

    name: str
    table: Mapping[FaultKind, Consequence]
    strikes: int | None
    disqualify_percent: int | None = None


def _row(*words: str) -> Mapping[FaultKind, Consequence]:
    """Consequences for timeout, illegal, protocol, crash and resource, in that order."""
    return {kind: Consequence(word) for kind, word in zip(FaultKind, words, strict=True)}


_LENIENT: Final = _row("default-action", "default-action", "default-action", "forfeit-deal", "forfeit-match")
_LEAGUE: Final = _row("default-action", "default-action", "forfeit-deal", "restart", "forfeit-match")
_STRICT: Final = _row("forfeit-match", "forfeit-match", "forfeit-match", "forfeit-match", "disqualify")

PROFILES: Final[Mapping[str, FaultPolicy]] = {
    "lenient": FaultPolicy("lenient", _LENIENT, strikes=20),
    "league": FaultPolicy("league", _LEAGUE, strikes=3, disqualify_percent=10),
    "strict": FaultPolicy("strict", _STRICT, strikes=None),
}
"""The three named policies of the bot protocol."""


class BotFault(Struct, frozen=True):
    """One thing a bot did wrong. ``move`` is the number of moves in the deal's record when it happened.

    ``evidence`` (the raw answer or the traceback, and what was legal) goes to ``faults.jsonl``, never into the history.
    """

    seat: int
    entry: str
    code: str
    move: int
    consequence: Consequence
    detail: str
    evidence: Mapping[str, str]


@dataclass
class Conduct:
    """Strikes and crashes of the entries of one match, and who has forfeited it."""

    policy: FaultPolicy
    strikes: dict[str, int] = field(default_factory=dict)
    crashes: dict[str, int] = field(default_factory=dict)
    forfeited: str | None = None
    disqualified: bool = False

    def judge(self, entry: str, code: str) -> Consequence:
        """The consequence of one more fault of ``entry``; remembers it."""
        verdict = self.policy.table[kind_of(code)]
        if verdict is Consequence.RESTART:
            self.crashes[entry] = self.crashes.get(entry, 0) + 1
            verdict = Consequence.FORFEIT_DEAL if self.crashes[entry] == 1 else Consequence.FORFEIT_MATCH
        elif verdict is Consequence.DEFAULT_ACTION:
            self.strikes[entry] = self.strikes.get(entry, 0) + 1
            if self.policy.strikes is not None and self.strikes[entry] > self.policy.strikes:
                verdict = Consequence.FORFEIT_MATCH
        if verdict in (Consequence.FORFEIT_MATCH, Consequence.DISQUALIFY) and self.forfeited is None:
            self.forfeited = entry
            self.disqualified = verdict is Consequence.DISQUALIFY
        return verdict
