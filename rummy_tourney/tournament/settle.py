"""From finished work to a sealed history: matches in canonical order, faults judged over the whole match, standings.

A pure function of the shard and the plan: which worker played what, and when, leaves no trace. Reads the shard frame by frame,
so memory does not grow with the number of deals.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from rummy_tourney.bot.policy import Conduct
from rummy_tourney.errors import EngineBug
from rummy_tourney.game.rules import Points
from rummy_tourney.history.jsonl import HistorySummary, HistoryWriter
from rummy_tourney.history.records import FaultRecord, HeadRecord, MatchRecord, exact_text, read_exact
from rummy_tourney.history.shards import read_frame
from rummy_tourney.tournament.pairings import Field, Pairing, pairing_systems
from rummy_tourney.tournament.plan import EventPlan
from rummy_tourney.tournament.standings import Scale, Standings, StandingsBuilder
from rummy_tourney.tournament.work import DEAL, EVIDENCE, FAULT, MATCH, MatchAccount, Work

_fault = msgspec.json.Decoder(FaultRecord).decode
_account = msgspec.json.Decoder(MatchAccount).decode
_KEY_SEPARATOR: Final = ":"


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
    """A settled run: the history's summary, the standings, and the evidence of each fault as JSON text."""

    history: HistorySummary
    standings: Standings
    evidence: tuple[bytes, ...]


class Settlement:
    """Writes the history of one event from its shard."""

    def __init__(self, plan: EventPlan, shard: Path, finished: Finished, writer: HistoryWriter) -> None:
        self.plan = plan
        self.shard = shard
        self.finished = finished
        self.writer = writer
        self.builder = StandingsBuilder([e.id for e in plan.entries], scale_of(plan))
        self.evidence: list[bytes] = []
        self.forfeit_points = plan.rules().forfeit_points()
        self.low_wins = self.builder.scale.low_wins
        self.expelled: set[str] = set()
        self.bad: dict[str, int] = {}
        self.scheduled: dict[str, int] = {}
        for pairing in pairings_of(plan):
            for entry in pairing.entries:
                self.scheduled[entry] = self.scheduled.get(entry, 0) + 1

    def write_all(self) -> Standings:
        """Every match in order; answers the standings."""
        for pairing in pairings_of(self.plan):
            self._match(pairing)
        return self.builder.finish(self.plan.event)

    def _match(self, pairing: Pairing) -> None:
        conduct = Conduct(self.plan.policy)
        offenders = [entry for entry in pairing.entries if entry in self.expelled]
        played = _Played(dict.fromkeys(pairing.entries, 0))
        account: MatchAccount | None = None
        if not offenders:
            account = self._play_back(pairing, conduct, played)
            offenders = [] if conduct.forfeited is None else [conduct.forfeited]
        record = self._account(pairing, played, offenders, account)
        self.writer.write(record)
        self.builder.match(msgspec.json.encode(record))
        for entry in offenders:
            self._punish(entry, conduct)

    def _play_back(self, pairing: Pairing, conduct: Conduct, played: _Played) -> MatchAccount | None:
        """Copy the deals and faults of a match from the shard, up to the unit in which it was forfeited, if it was."""
        account = None
        unit = ""
        mirrored = self.plan.match.mirrored
        for offset in self.finished.frames(pairing.key):
            for line in read_frame(self.shard, offset).lines:
                kind, text = line[:1], line[1:]
                if kind == DEAL:
                    deal = self.builder.read(text)
                    number = deal.id.rsplit("/", 2)[1]
                    if conduct.forfeited is not None and mirrored and number != unit:
                        return None
                    unit = number
                    self.writer.write_deal(text)
                    self.builder.deal(deal)
                    played.add(deal.seats, deal.points)
                elif kind == FAULT:
                    fault = _fault(text)
                    conduct.judge(played.seats[fault.seat], fault.code)
                    self.writer.write(fault)
                    self.builder.fault(fault.seat)
                elif kind == EVIDENCE:
                    self.evidence.append(text)
                elif kind == MATCH:
                    account = _account(text)
        return account

    def _account(
        self, pairing: Pairing, played: _Played, offenders: Sequence[str], account: MatchAccount | None
    ) -> MatchRecord:
        entries = pairing.entries
        seats = len(entries)
        if account is not None:
            winner = account.winners[0] if len(account.winners) == 1 else None
            return MatchRecord(
                id=self._id(pairing), seats=entries, totals=account.totals, winner=winner, reason=account.reason,
                deals=played.deals, forfeits=account.forfeits,
            )  # fmt: skip
        expected = self.plan.match.deals or 1
        missing = expected - played.deals
        if missing and not offenders:
            raise EngineBug(f"match {pairing.key} has {played.deals} deals, {expected} were to be played")
        totals = dict(played.totals)
        for offender in offenders:
            price = self.forfeit_points * missing
            totals[offender] += price if self.low_wins else -price
            if seats == 2 and len(offenders) == 1 and not self.low_wins:
                totals[entries[1 - entries.index(offender)]] += price
        winner = _winner([totals[e] for e in entries], low_wins=self.low_wins)
        if len(offenders) == 1 and seats == 2 and missing:
            winner = 1 - entries.index(offenders[0])
        return MatchRecord(
            id=self._id(pairing), seats=entries, totals=tuple(exact_text(totals[e]) for e in entries), winner=winner,
            reason="forfeit" if missing else "deals", deals=played.deals,
            forfeits=tuple(missing if e in offenders else 0 for e in entries),
        )  # fmt: skip

    def _id(self, pairing: Pairing) -> str:
        return f"{self.plan.event}/{pairing.key}"

    def _punish(self, entry: str, conduct: Conduct) -> None:
        """Count a bad match; enough of them, or a fault that says so, expel an entry from the matches after."""
        self.bad[entry] = self.bad.get(entry, 0) + 1
        percent = self.plan.policy.disqualify_percent
        if conduct.disqualified or (
            percent is not None and 100 * self.bad[entry] >= percent * self.scheduled[entry] and self.bad[entry] > 1
        ):
            self.expelled.add(entry)


@dataclass
class _Played:
    """What was really played of one match."""

    totals: dict[str, Points]
    deals: int = 0
    seats: tuple[str, ...] = ()

    def add(self, seats: tuple[str, ...], points: Iterable[int | str]) -> None:
        for entry, value in zip(seats, points, strict=True):
            self.totals[entry] += read_exact(value)
        self.seats = seats
        self.deals += 1


def _winner(totals: Sequence[Points], *, low_wins: bool) -> int | None:
    best = min(totals) if low_wins else max(totals)
    return totals.index(best) if list(totals).count(best) == 1 else None


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
    return Settled(summary, standings, tuple(settlement.evidence))


def timing_line(work: Work) -> dict[str, object]:
    """One line of ``timing.jsonl``: which units, how many deals, how many seconds."""
    return {"units": frame_key(work), "deals": work.deals, "seconds": round(work.seconds, 6)}


def json_line(value: Mapping[str, object]) -> bytes:
    """A JSON object as one line."""
    return json.dumps(value).encode() + b"\n"

