"""From finished work to a sealed history: matches in canonical order, faults judged over the whole match, standings.

A pure function of the shard and the plan: which worker played what, and when, leaves no trace. Reads the shard frame by frame,
so memory does not grow with the number of deals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
from msgspec import structs

from rummy_tourney.history.jsonl import HistorySummary, HistoryWriter
from rummy_tourney.history.records import FaultRecord, HeadRecord
from rummy_tourney.history.shards import read_frame
from rummy_tourney.tournament.account import EventFold, GamesAccount, MatchFold, schedule_counts
from rummy_tourney.tournament.pairings import Field, Pairing, pairing_systems
from rummy_tourney.tournament.plan import EventPlan
from rummy_tourney.tournament.standings import Scale, Standings, StandingsBuilder
from rummy_tourney.tournament.work import DEAL, EVIDENCE, FAULT, MATCH, Work, read_account

_fault = msgspec.json.Decoder(FaultRecord).decode
_KEY_SEPARATOR: Final = ":"
EVIDENCE_KEPT: Final = 100
"""Faults of one entry and code of which the evidence is kept."""


def frame_key(work: Work) -> str:
    """The key of the frame that holds some work: ``round/table:start-stop``."""
    return f"{work.task.pairing.key}{_KEY_SEPARATOR}{work.task.start}-{work.stop}"


def rounds_of(plan: EventPlan) -> Iterator[Sequence[Pairing]]:
    """The rounds of an event, one after the other."""
    entries = tuple(entry.id for entry in plan.entries)
    system = pairing_systems()[plan.format_kind](Field(entries, plan.seats, plan.format_settings))
    number = 1
    while (pairings := system.next_round(number)) is not None:
        yield pairings
        number += 1


def pairings_of(plan: EventPlan) -> Iterator[Pairing]:
    """All matches of an event in canonical order."""
    for pairings in rounds_of(plan):
        yield from pairings


def scale_of(plan: EventPlan) -> Scale:
    """How the standings of an event count."""
    scoring = plan.game.scoring(plan.parsed_options())
    rotations = plan.match.rotations(plan.seats)
    return Scale(plan.match.games is not None, scoring.low_wins, rotations)


@dataclass
class Finished:
    """Which units are in the shard, and where: by match, the ranges of units with the offset of their frame."""

    ranges: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)

    def add(self, key: str, offset: int) -> None:
        """One frame, by its key. A frame that overlaps another one is ignored: first come, first kept."""
        match, _, units = key.rpartition(_KEY_SEPARATOR)
        start, _, stop = units.partition("-")
        begin, end = int(start), int(stop)
        known = self.ranges.setdefault(match, [])
        if all(end <= a or b <= begin for a, b, _ in known):
            known.append((begin, end, offset))
            known.sort()

    def missing(self, match: str, units: int) -> Iterator[tuple[int, int]]:
        """The ranges of units of a match that are not in the shard."""
        position = 0
        for begin, end, _ in self.ranges.get(match, []):
            if begin > position:
                yield position, begin
            position = end
        if position < units:
            yield position, units

    def units(self) -> int:
        """How many units are finished."""
        return sum(end - begin for ranges in self.ranges.values() for begin, end, _ in ranges)

    def frames(self, match: str) -> Iterator[int]:
        """The offsets of the frames of a match in order of units."""
        return iter([offset for _, _, offset in self.ranges.get(match, [])])


@dataclass(frozen=True)
class Settled:
    """A settled run: the history's summary, the standings, the faults counted by entry and code, and evidence as JSON text.

    Evidence is kept of the first :data:`EVIDENCE_KEPT` faults of each entry and code.
    """

    history: HistorySummary
    standings: Standings
    faults: dict[tuple[str, str], int]
    evidence: tuple[bytes, ...]


class Settlement:
    """Writes the history of one event from its shard."""

    def __init__(self, plan: EventPlan, shard: Path, finished: Finished, writer: HistoryWriter) -> None:
        self.plan = plan
        self.shard = shard
        self.finished = finished
        self.writer = writer
        self.builder = StandingsBuilder([e.id for e in plan.entries], scale_of(plan))
        self.event = EventFold(plan, schedule_counts(pairings_of(plan)))
        self.faults: dict[tuple[str, str], int] = {}
        self.evidence: list[bytes] = []

    def write_all(self) -> Standings:
        """Every match in order; answers the standings."""
        for pairing in pairings_of(self.plan):
            fold = self.event.match(pairing)
            account = None if fold.barred else self._play_back(pairing, fold)
            record = fold.record(account)
            self.writer.write(record)
            self.builder.match(msgspec.json.encode(record))
            self.event.close(fold)
        return self.builder.finish(self.plan.event)

    def _play_back(self, pairing: Pairing, fold: MatchFold) -> GamesAccount | None:
        """Copy the deals and faults of a match from the shard, up to the unit in which it was forfeited, if it was."""
        account = None
        keep = False
        for offset in self.finished.frames(pairing.key):
            for line in read_frame(self.shard, offset).lines:
                kind, text = line[:1], line[1:]
                if kind == DEAL:
                    deal = self.builder.read(text)
                    number = deal.id.rsplit("/", 2)[1]
                    if not fold.takes(number):
                        return None
                    fold.deal(number, deal.seats, deal.points)
                    self.writer.write_deal(text)
                    self.builder.deal(deal)
                elif kind == FAULT:
                    keep = self._fault(_fault(text), fold)
                elif kind == EVIDENCE and keep:
                    self.evidence.append(text)
                elif kind == MATCH:
                    account = read_account(text)
        return account

    def _fault(self, fault: FaultRecord, fold: MatchFold) -> bool:
        """Write a fault with what it costs over the whole match; answers whether its evidence is to be kept."""
        verdict = fold.fault(fault.seat, fault.code)
        self.writer.write(structs.replace(fault, policy=verdict.value))
        entry = self.builder.fault(fault.seat)
        self.faults[entry, fault.code] = self.faults.get((entry, fault.code), 0) + 1
        return self.faults[entry, fault.code] <= EVIDENCE_KEPT


def settle(plan: EventPlan, shard: Path, finished: Finished, history: Path, head: HeadRecord, root: bytes) -> Settled:
    """Write and seal the history of a finished event. Replaces a history that an earlier, interrupted attempt left."""
    writer = HistoryWriter(history, head)
    try:
        settlement = Settlement(plan, shard, finished, writer)
        standings = settlement.write_all()
        summary = writer.close(root.hex())
    except BaseException:
        writer.abort()
        raise
    return Settled(summary, standings, settlement.faults, tuple(settlement.evidence))


def timing_line(work: Work) -> dict[str, object]:
    """One line of ``timing.jsonl``: which units, how many deals, how many seconds."""
    return {"units": frame_key(work), "deals": work.deals, "seconds": round(work.seconds, 6)}


def json_line(value: Mapping[str, object]) -> bytes:
    """A JSON object as one line."""
    return json.dumps(value).encode() + b"\n"

