"""A whole run checked from its folder: files, chain, seal, seed, decks, moves, schedule, score sheets, standings.

Nothing is taken on trust but ``run.json``'s commitment, which was published before play. Findings say where, and the check
goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import Struct

from rummy_tourney.errors import BrokenHistory, NewerVersion, RunFolderError, TourneyError, UsageError
from rummy_tourney.game.formats import GamesInPlay, fixed_dealer, rotated
from rummy_tourney.game.rules import DealResult, Points
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.chain import ChainReport, check_chain
from rummy_tourney.history.jsonl import HistoryReader, Line
from rummy_tourney.history.records import (
    DealRecord,
    FaultRecord,
    HeadRecord,
    MatchRecord,
    as_fields,
    decode_record,
    encode_deal,
    exact_text,
)
from rummy_tourney.history.replay import SUBSTITUTES, all_rules, deal_number
from rummy_tourney.history.verify import DealVerifier
from rummy_tourney.seeding import commitment, root_from_seed
from rummy_tourney.tournament import folder as names
from rummy_tourney.tournament.account import EventFold, GamesAccount, SeatDraws, forfeit_rest, schedule_counts
from rummy_tourney.tournament.folder import RunFolder, file_sha256
from rummy_tourney.tournament.pairings import Pairing
from rummy_tourney.tournament.plan import EventPlan
from rummy_tourney.tournament.runner import head_of
from rummy_tourney.tournament.settle import pairings_of, scale_of
from rummy_tourney.tournament.spec import plan_from_resolved, spec_hash_of
from rummy_tourney.tournament.standings import Standings, StandingsBuilder

MAX_FINDINGS: Final = 1000
"""After so many findings the check stops."""


class RunFinding(Struct, frozen=True):
    """One thing wrong with a run: in which file, at which line and byte where that means something, in which deal."""

    file: str
    message: str
    line: int = 0
    offset: int = 0
    deal: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line} (byte {self.offset})" if self.line else self.file
        return f"{place}: {f'deal {self.deal}: ' if self.deal else ''}{self.message}"


_UNFIT: Final = (TourneyError, ValueError, KeyError, IndexError, TypeError, AttributeError)
"""What a record can cause that is not what it should be."""


@dataclass
class Verification:
    """What a verification saw: findings, and how much was checked."""

    findings: list[RunFinding] = field(default_factory=list)
    records: int = 0
    deals: int = 0
    sha256: str = ""
    checked: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def add(self, file: str, message: str, line: Line | None = None, deal: str = "") -> None:
        """One more finding, unless there are far too many already."""
        if len(self.findings) < MAX_FINDINGS:
            number, offset = (line.number, line.offset) if line is not None else (0, 0)
            self.findings.append(RunFinding(file, message, number, offset, deal))


def verify_run(folder: RunFolder, *, deal: str | None = None) -> Verification:
    """Check a finished run, or one deal of it (chain and seal are checked as a whole in any case).

    Raises :class:`~rummy_tourney.errors.RunFolderError` if there is no finished run, and
    :class:`~rummy_tourney.errors.NewerVersion` for a history this version cannot judge.
    """
    run = folder.read_run()
    if run.get("state") != "finished":
        raise RunFolderError(f"{folder.path}: this run is not finished; finish it with: tourney resume {folder.path}")
    report = Verification()
    _check_files(folder, report)
    try:
        found = _check_contents(folder, run, report, deal)
    except NewerVersion:
        raise
    except (*_UNFIT, OSError) as error:
        # What is left of the files does not hold together; which of them is damaged, their checksums say.
        report.add(names.RUN, f"the run cannot be checked further: {type(error).__name__}: {error}")
        return report
    if not found and report.ok:
        raise UsageError(f"{folder.path}: there is no deal {deal} in this run; `tourney replay {folder.path}` lists them")
    return report


def _check_contents(folder: RunFolder, run: Mapping[str, Any], report: Verification, deal: str | None) -> bool:
    """Everything but the checksums; answers whether the deal asked for was met, if one was."""
    chain = _check_chain(folder, report)
    root = _check_seed(run, chain, report)
    plan = plan_from_resolved(run["resolved"], folder.path, run["bots"], load=False)
    _check_head(run, chain, plan, report)
    walker = _Walker(plan, root, chain, report, deal)
    walker.walk(folder)
    if deal is None and not walker.lost:
        _check_standings(folder, walker.standings(), report)
    return deal is None or walker.seen


def _check_files(folder: RunFolder, report: Verification) -> None:
    """Every file that the run determines against ``SHA256SUMS``."""
    try:
        text = (folder / names.SUMS).read_text()
    except (OSError, UnicodeDecodeError) as error:
        report.add(names.SUMS, f"cannot be read ({error}); the run may not have been finished")
        return
    sums = {name: digest for digest, _, name in (row.partition("  ") for row in text.splitlines())}
    for name in names.SUMMED:
        try:
            found = file_sha256(folder / name)
        except OSError as error:
            report.add(name, f"cannot be read ({error.strerror})")
            continue
        if sums.get(name) != found:
            report.add(name, f"is not the file that was written: its SHA-256 is {found}, {names.SUMS} says {sums.get(name)}")
    report.checked.append("files")


def _check_chain(folder: RunFolder, report: Verification) -> ChainReport:
    with HistoryReader(folder / names.HISTORY) as reader:
        chain = check_chain(reader)
    for found in chain.findings:
        report.findings.append(RunFinding(names.HISTORY, found.message, found.line, found.offset, found.deal or ""))
    report.records, report.sha256 = chain.records, chain.sha256
    report.checked.append("chain and seal")
    return chain


def _check_seed(run: Mapping[str, Any], chain: ChainReport, report: Verification) -> bytes | None:
    """The revealed root against the commitment and the seed; answers it if it can be used to check decks."""
    text = (chain.seal or {}).get("root")
    if not isinstance(text, str):
        report.add(names.HISTORY, "the seal does not reveal the root seed, so the decks cannot be checked")
        return None
    try:
        root = bytes.fromhex(text)
    except ValueError:
        report.add(names.HISTORY, "the root seed in the seal is not hexadecimal")
        return None
    if commitment(root) != run["commitment"]:
        report.add(names.HISTORY, "the root seed in the seal does not match the commitment published before play (run.json)")
    seed = run["resolved"].get("seed")
    if seed is not None and root_from_seed(seed) != root:
        report.add(names.HISTORY, f"the root seed in the seal is not the one that seed {seed!r} gives")
    report.checked.append("seed")
    return root


def _check_head(run: Mapping[str, Any], chain: ChainReport, plan: EventPlan, report: Verification) -> None:
    """What run.json says of itself, and whether the history's head agrees with it."""
    if spec_hash_of(run["resolved"]) != run["spec_hash"]:
        report.add(names.RUN, "spec_hash is not the hash of the resolved spec that stands beside it")
    identity = canonical({"spec": run["spec_hash"], "commitment": run["commitment"], "bots": run["bots"]})
    if hashlib.sha256(identity).hexdigest()[:8] != run["run_id"]:
        report.add(names.RUN, "run_id does not follow from the spec, the commitment and the bots")
    if chain.head is None:
        return
    expected = canonical(_plain_head(head_of(run, plan)))
    found = canonical({k: v for k, v in chain.head.items() if k not in ("h", "prev")})
    if expected != found:
        report.add(names.HISTORY, "the head does not describe the run that run.json describes")


def _plain_head(head: HeadRecord) -> dict[str, Any]:
    return {k: v for k, v in as_fields(head).items() if k not in ("h", "prev")}


class _Walker:
    """Walks the records of a history beside the schedule that the spec gives."""

    def __init__(
        self, plan: EventPlan, root: bytes | None, chain: ChainReport, report: Verification, only: str | None
    ) -> None:
        self.plan = plan
        self.root = root
        self.report = report
        self.only = only
        self.seen = False
        self.lost = False
        self.builder = StandingsBuilder([e.id for e in plan.entries], scale_of(plan))
        self.event = EventFold(plan, schedule_counts(pairings_of(plan)))
        self.rules = {plan.family: plan.rules()}
        derivation = ""
        if chain.head is not None:
            try:
                head: HeadRecord = decode_record(canonical(chain.head), "head")
                self.rules = dict(all_rules(head))
                derivation = head.rng.derivation
            except BrokenHistory as error:
                report.add(names.HISTORY, str(error))
        self.verifier = DealVerifier(self.rules, derivation, root)

    def walk(self, folder: RunFolder) -> None:
        """Every deal by the rules, every match by the schedule."""
        schedule = pairings_of(self.plan)
        sheet = self._sheet(next(schedule, None))
        line: Line | None = None
        with HistoryReader(folder / names.HISTORY) as reader:
            for line in reader.lines():
                if line.kind == "deal":
                    self._deal(line, sheet)
                elif line.kind == "match":
                    if self._match(line, sheet):
                        sheet = self._sheet(next(schedule, None))
                elif line.kind == "fault":
                    self._fault(line, sheet)
                elif line.kind not in ("head", "seal", ""):
                    self.report.add(names.HISTORY, f"a {line.kind} record, which a run never writes", line)
        if sheet is not None and self.only is None and not self.lost:
            self.report.add(names.HISTORY, f"match {sheet.pairing.key} is missing before this", line)
            self.lost = True
        self.report.checked += ["decks", "moves", "scores", "schedule"]

    def _sheet(self, pairing: Pairing | None) -> _Sheet | None:
        return None if pairing is None else _Sheet(self.event, pairing, self.root)

    def _deal(self, line: Line, sheet: _Sheet | None) -> None:
        try:
            deal: DealRecord = decode_record(line.raw, "deal")
        except BrokenHistory as error:
            self._lose(line, str(error))
            return
        if self.only is not None and deal.id != self.only:
            return
        self.seen = True
        self.report.deals += 1
        try:
            if encode_deal(deal) != line.raw:
                self.report.add(names.HISTORY, "holds fields that a run never writes", line, deal.id)
            for problem in self.verifier.check(deal):
                self.report.add(names.HISTORY, problem, line, deal.id)
            if self.only is not None or self.lost:
                return
            if sheet is None:
                self._lose(line, "a deal after the last match of the schedule")
                return
            for problem in sheet.deal(deal, self.verifier.result):
                self.report.add(names.HISTORY, problem, line, deal.id)
            self.builder.deal(self.builder.read(line.raw))
        except _UNFIT as error:
            self._lose(line, f"does not fit: {error}")

    def _fault(self, line: Line, sheet: _Sheet | None) -> None:
        if self.lost or self.only is not None:
            return
        try:
            if sheet is None:
                self._lose(line, "a fault after the last match of the schedule")
                return
            for problem in sheet.fault(decode_record(line.raw, "fault")):
                self.report.add(names.HISTORY, problem, line)
            self.builder.fault(line.fields["seat"])
        except _UNFIT as error:
            self._lose(line, f"does not fit the deal before: {error}")

    def _match(self, line: Line, sheet: _Sheet | None) -> bool:
        """Check a match record; answers whether the next one may follow."""
        if self.lost or self.only is not None:
            return False
        try:
            match: MatchRecord = decode_record(line.raw, "match")
            if sheet is None:
                self._lose(line, "a match that the schedule does not have")
                return False
            for problem in sheet.match(match):
                self.report.add(names.HISTORY, problem, line)
            self.builder.match(line.raw)
        except _UNFIT as error:
            self._lose(line, f"does not fit: {error}")
        return True

    def _lose(self, line: Line, message: str) -> None:
        """Say what is wrong and stop comparing with the schedule: all that follows would be an echo."""
        if not self.lost:
            self.report.add(names.HISTORY, message, line, line.deal or "")
        self.lost = True

    def standings(self) -> Standings:
        """The standings that the records give."""
        return self.builder.finish(self.plan.event)


class _Sheet:
    """The score sheet of one match: what the next deal must look like, which faults it has, what the match must come to."""

    def __init__(self, event: EventFold, pairing: Pairing, root: bytes | None) -> None:
        self.event = event
        self.plan = event.plan
        self.pairing = pairing
        self.fold = event.match(pairing)
        self._last: DealRecord | None = None
        self._faults = 0
        self._games: GamesInPlay | None = None
        if self.plan.match.games is not None and root is not None:
            draws = SeatDraws(root, self.plan.event, pairing)
            self._games = GamesInPlay(event.scoring, self.plan.seats, self.plan.match.games, draws)

    def deal(self, deal: DealRecord, result: DealResult | None) -> Iterator[str]:
        """What is wrong with a deal's place: id, seats, dealer, scores. ``result`` is its result by the rules."""
        yield from self._faults_complete()
        plan, seats, played = self.plan, self.plan.seats, self.fold.deals
        mirrored = plan.match.mirrored
        number, rotation = divmod(played, seats) if mirrored else (played, 0)
        event, round_, table, found, turned = deal_number(deal.id)
        if (event, f"{round_}/{table}") != (plan.event, self.pairing.key):
            raise BrokenHistory(f"belongs to match {event}/{round_}/{table}, expected {plan.event}/{self.pairing.key}")
        if not self.fold.takes(str(number)):
            raise BrokenHistory("a deal of a match that was forfeited before")
        if (found, turned) != (number, rotation):
            yield f"is deal {found} rotation {turned}, expected deal {number} rotation {rotation}"
        entries = rotated(self.pairing.entries, rotation) if mirrored else self.pairing.entries
        if deal.seats != entries:
            yield f"the seats are {', '.join(deal.seats)}, expected {', '.join(entries)}"
        yield from self._start(deal, result, number)
        self.fold.deal(str(number), deal.seats, deal.points)
        self._last, self._faults = deal, 0

    def _start(self, deal: DealRecord, result: DealResult | None, number: int) -> Iterator[str]:
        """Who deals, from which scores, as the how-manieth deal that counts."""
        dealer, counted = fixed_dealer(self.plan.seats, number, mirrored=self.plan.match.mirrored), number
        start: tuple[Points, ...] = (0,) * self.plan.seats
        if self._games is not None:
            if result is None:
                raise BrokenHistory("the score sheet cannot go on after a deal that cannot be played")
            dealer, start, counted = self._games.next_deal()
            self._games.add(result, dealer)
        elif self.plan.match.games is not None:
            return
        if deal.dealer != dealer:
            yield f"seat {deal.dealer} deals, expected seat {dealer}"
        if deal.start != tuple(exact_text(s) for s in start):
            yield f"starts at {deal.start}, the score sheet says {start}"
        if deal.counted != (None if counted == number else counted):
            yield f"counts as deal {deal.counted}, the score sheet says {counted}"

    def fault(self, fault: FaultRecord) -> Iterator[str]:
        """What is wrong with a fault of the deal before: its name, its place in the moves, what it cost."""
        deal = self._last
        if deal is None:
            raise BrokenHistory("a fault before any deal")
        expected = f"{deal.id}#{self._faults}"
        if (fault.id, fault.deal) != (expected, deal.id) or fault.id not in deal.faults:
            yield f"fault {fault.id} stands where {expected} should"
        at = -1 if fault.move is None else fault.move
        if not 0 <= at <= len(deal.moves):
            yield f"fault {fault.id} is at move {at}, the deal has {len(deal.moves)}"
        elif at < len(deal.moves) and deal.moves[at].startswith(SUBSTITUTES):
            kind, _, reason = fault.code.partition(":")
            said = "d to" if kind == "late" else "d ill"
            words = f"{said} p{fault.seat} {reason or kind} ->" if said == "d ill" else f"{said} p{fault.seat} ->"
            if not deal.moves[at].startswith(words):
                yield f"fault {fault.id} says {fault.code} of seat {fault.seat}, the moves say {deal.moves[at]!r}"
        verdict = self.fold.fault(fault.seat, fault.code)
        if fault.policy != verdict.value:
            yield f"fault {fault.id} cost {fault.policy}, by the policy it is {verdict.value}"
        self._faults += 1

    def _faults_complete(self) -> Iterator[str]:
        deal = self._last
        if deal is None:
            return
        if self._faults != len(deal.faults):
            yield f"deal {deal.id} names {len(deal.faults)} faults, {self._faults} follow it"
        substituted = sum(move.startswith(SUBSTITUTES) for move in deal.moves)
        if substituted > self._faults or (deal.end == "fault" and not self._faults):
            yield f"deal {deal.id} has moves of faults that are not recorded"

    def match(self, match: MatchRecord) -> Iterator[str]:
        """What is wrong with a match record: it must be the very record that its deals and faults give."""
        yield from self._faults_complete()
        if match.id != f"{self.plan.event}/{self.pairing.key}":
            raise BrokenHistory(f"match {match.id} stands where {self.plan.event}/{self.pairing.key} should")
        games = None
        if self.plan.match.games is not None and not self.fold.barred:
            if self._games is None:
                return
            games = self._account(self._games)
        expected = self.fold.record(games)
        self.event.close(self.fold)
        for name in ("seats", "deals", "totals", "winner", "reason", "forfeits"):
            found, wanted = getattr(match, name), getattr(expected, name)
            if found != wanted:
                yield f"match {match.id} says {name} {found}, its deals and faults give {wanted}"

    def _account(self, games: GamesInPlay) -> GamesAccount:
        forfeited = self.fold.conduct.forfeited
        if forfeited is not None:
            return forfeit_rest(games, self.pairing.entries.index(forfeited), self.event.forfeit_points)
        if not games.over:
            raise BrokenHistory("ends before its games do")
        return GamesAccount(games.totals(), (0,) * games.seats)


def _check_standings(folder: RunFolder, standings: Standings, report: Verification) -> None:
    for name, expected in ((names.STANDINGS, standings.to_json()), (names.STANDINGS_CSV, standings.to_csv())):
        try:
            if (folder / name).read_bytes() != expected:
                report.add(name, "these are not the standings that the history gives")
        except OSError as error:
            report.add(name, f"cannot be read ({error.strerror})")
    report.checked.append("standings")
