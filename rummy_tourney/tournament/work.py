"""The work itself: playing units. Runs in the workers, computes and returns, and touches no file.

A **unit** is what counts as one observation and what a resumed run finds done or not: all rotations of one mirrored deal, or a
whole match where the deals of a match belong together. In a mirrored set every deal is played by fresh bots, so that nobody
remembers the cards of another rotation; otherwise a bot lives for its match.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.loading import BotFactory, load_factory
from rummy_tourney.bot.policy import BotFault, Conduct, FaultKind, kind_of
from rummy_tourney.bot.protocol import MatchInfo
from rummy_tourney.cards import CARDS
from rummy_tourney.game.formats import GamesInPlay, fixed_dealer, rotated
from rummy_tourney.game.rules import DealResult, DealSetup, GameTotals, Points
from rummy_tourney.history.records import DealRecord, FaultRecord, encode_deal, exact_text, read_exact
from rummy_tourney.seeding import SeededChance, bot_random, bot_stream, deal_path, deck_order
from rummy_tourney.tournament.account import GamesAccount, SeatDraws, forfeit_rest
from rummy_tourney.tournament.pairings import Pairing
from rummy_tourney.tournament.plan import EventPlan

DEAL, FAULT, EVIDENCE, MATCH = b"D", b"F", b"E", b"M"
"""First byte of a line of work: what follows is a deal, a fault, a fault's evidence, or the account of a match."""


@dataclass(frozen=True, slots=True)
class Task:
    """Units ``start`` to ``stop`` (exclusive) of one match."""

    pairing: Pairing
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker made of a task: the units from ``task.start`` up to ``stop``, as lines for the shard."""

    task: Task
    stop: int
    lines: list[bytes]
    deals: int
    faults: int
    seconds: float


class _AccountLine(Struct, frozen=True):
    """A :class:`GamesAccount` on its way through the shard."""

    totals: tuple[int | str, ...]
    winners: tuple[int, ...]
    reason: str
    forfeits: tuple[int, ...]


def _account_line(account: GamesAccount) -> _AccountLine:
    totals = account.totals
    return _AccountLine(tuple(exact_text(t) for t in totals.totals), totals.winners, totals.reason, account.forfeits)


def read_account(line: bytes) -> GamesAccount:
    """The account of a match to a target, from a line of work (without its first byte)."""
    read = msgspec.json.decode(line, type=_AccountLine)
    totals = GameTotals(tuple(read_exact(t) for t in read.totals), read.winners, read.reason)
    return GamesAccount(totals, read.forfeits)


class Workshop:
    """Plays units of one event. One per worker process; loads each bot once."""

    def __init__(self, plan: EventPlan, root: bytes) -> None:
        self.plan = plan
        self.root = root
        self.rules = plan.rules()
        self.scoring = plan.game.scoring(self.rules.options)
        self.forfeit_points = self.rules.forfeit_points()
        self.codes = self.rules.pack.codes
        self.texts = [CARDS[code].text for code in self.codes]
        self.factories: dict[str, BotFactory] = {
            entry.id: load_factory(entry.source, plan.family, entry.options) for entry in plan.entries
        }

    def play(self, task: Task, budget: float) -> Work:
        """Play units of ``task`` until they are done or ``budget`` seconds have passed, at least one of them."""
        began = time.monotonic()
        lines: list[bytes] = []
        deals = faults = 0
        unit = task.start
        while True:
            done = self._mirrored(task.pairing, unit) if self.plan.match.mirrored else self._match(task.pairing)
            lines += done.lines
            deals += done.deals
            faults += done.faults
            unit += 1
            elapsed = time.monotonic() - began
            if unit >= task.stop or elapsed >= budget:
                return Work(task, unit, lines, deals, faults, elapsed)

    # --- units ------------------------------------------------------------------------------------------------------

    def _mirrored(self, pairing: Pairing, number: int) -> _Lines:
        """One deal, once per rotation of the seats, each time with fresh bots."""
        seats = self.plan.seats
        key, deck, text = self._deck(pairing, number)
        conduct = Conduct(self.plan.policy)
        out = _Lines(self.plan.event, pairing)
        dealer = fixed_dealer(seats, number, mirrored=True)
        for rotation in range(self.plan.match.rotations(seats)):
            if conduct.forfeited is not None:
                break
            entries = rotated(pairing.entries, rotation)
            players = self._players(entries, pairing, number * seats + rotation)
            setup = DealSetup(deck, seats, dealer, number, number, (0,) * seats, SeededChance(key, number))
            self._play(out, setup, rotation, text, players, conduct)
            _close(players)
        return out

    def _match(self, pairing: Pairing) -> _Lines:
        """A whole match with the same bots from beginning to end."""
        out = _Lines(self.plan.event, pairing)
        conduct = Conduct(self.plan.policy)
        players = self._players(pairing.entries, pairing, 0)
        if self.plan.match.games is None:
            self._fixed_deals(out, pairing, players, conduct)
        else:
            self._games(out, pairing, players, conduct)
        _close(players)
        return out

    def _fixed_deals(self, out: _Lines, pairing: Pairing, players: list[Player], conduct: Conduct) -> None:
        seats = self.plan.seats
        for number in range(self.plan.match.shuffles(seats)):
            if conduct.forfeited is not None:
                break
            key, deck, text = self._deck(pairing, number)
            dealer = fixed_dealer(seats, number, mirrored=False)
            setup = DealSetup(deck, seats, dealer, number, number, (0,) * seats, SeededChance(key, number))
            self._play(out, setup, 0, text, players, conduct)
            self._restart_crashed(out, players, pairing, number)

    def _games(self, out: _Lines, pairing: Pairing, players: list[Player], conduct: Conduct) -> None:
        plan = self.plan
        seats = plan.seats
        draws = SeatDraws(self.root, plan.event, pairing)
        games = GamesInPlay(self.scoring, seats, plan.match.games or 1, draws)
        number = 0
        while not games.over and conduct.forfeited is None:
            dealer, scores, counted = games.next_deal()
            key, deck, text = self._deck(pairing, number)
            setup = DealSetup(deck, seats, dealer, number, counted, scores, SeededChance(key, number))
            result = self._play(out, setup, 0, text, players, conduct)
            self._restart_crashed(out, players, pairing, number)
            games.add(result, dealer)
            number += 1
        if conduct.forfeited is not None:
            account = forfeit_rest(games, pairing.entries.index(conduct.forfeited), self.forfeit_points)
        else:
            account = GamesAccount(games.totals(), (0,) * seats)
        out.lines.append(MATCH + msgspec.json.encode(_account_line(account)))

    # --- one deal ---------------------------------------------------------------------------------------------------

    def _deck(self, pairing: Pairing, number: int) -> tuple[bytes, list[int], str]:
        """The key of a deal, its deck as card codes, and the deck as text."""
        plan = self.plan
        path = deal_path(plan.event, pairing.round, None if plan.common else pairing.table)
        key, positions = deck_order(self.root, path, number, len(self.codes))
        codes, texts = self.codes, self.texts
        return key, [codes[i] for i in positions], "".join([texts[i] for i in positions])

    def _play(
        self, out: _Lines, setup: DealSetup, rotation: int, deck_text: str, players: list[Player], conduct: Conduct
    ) -> DealResult:
        out.crashed.clear()
        table = self.rules.start(setup)
        outcome = play_deal(table, players, conduct, self.forfeit_points)
        result = outcome.result
        deal_id = f"{out.prefix}/{setup.number}/{rotation}"
        fault_ids = tuple([f"{deal_id}#{k}" for k in range(len(outcome.faults))])
        scores: Sequence[Points] = setup.scores
        record = DealRecord(
            id=deal_id, rules=self.plan.family, seats=tuple([p.entry for p in players]), dealer=setup.dealer,
            first=table.deal.first, start=tuple([exact_text(s) for s in scores]), deck=deck_text,
            moves=tuple([e.text for e in table.log]), end=result.ending, hands=result.hands, melds=result.melds,
            counted=None if setup.scored == setup.number else setup.scored,
            deadwood=result.deadwood, points=tuple([exact_text(p) for p in result.points]),
            parts=tuple([{k: exact_text(v) for k, v in p.items()} for p in result.parts]), faults=fault_ids,
        )  # fmt: skip
        out.lines.append(DEAL + encode_deal(record))
        out.deals += 1
        for fault_id, fault in zip(fault_ids, outcome.faults, strict=True):
            out.add_fault(fault_id, deal_id, fault)
        return result

    # --- bots -------------------------------------------------------------------------------------------------------

    def _players(self, entries: Sequence[str], pairing: Pairing, instance: int) -> list[Player]:
        return [self._player(entry, pairing, instance) for entry in entries]

    def _player(self, entry: str, pairing: Pairing, instance: int) -> Player:
        """A fresh bot, told about its match. What it raises on the way is a crash in its first deal."""
        match = f"{self.plan.event}/{pairing.key}"
        try:
            bot = self.factories[entry](
                rng=lambda: bot_random(self.root, entry, match, instance),
                stream=lambda: bot_stream(self.root, entry, match, instance),
            )
            player = Player(entry, bot)
            hook = player.hook("new_match")
            if hook is not None:
                hook(self._match_info())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Player(entry, _Broken(error))
        return player

    def _match_info(self) -> MatchInfo:
        """What a bot is told about its match; the options are its own copy, to do with as it likes."""
        plan = self.plan
        return MatchInfo(plan.family, copy.deepcopy(dict(plan.options)), plan.seats, plan.match.deals, plan.match.games)

    def _restart_crashed(self, out: _Lines, players: list[Player], pairing: Pairing, number: int) -> None:
        """A bot that crashed in the deal just played starts the next one afresh; the others keep what they remember."""
        for seat in sorted(out.crashed):
            players[seat] = self._player(players[seat].entry, pairing, number + 1)


class _Broken:
    """Stands in for a bot that could not be made: every call repeats what went wrong."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def act(self, view: Any) -> Any:
        raise self._error


class _Lines:
    """Lines of work of one unit."""

    def __init__(self, event: str, pairing: Pairing) -> None:
        self.prefix = f"{event}/{pairing.key}"
        self.lines: list[bytes] = []
        self.deals = 0
        self.faults = 0
        self.crashed: set[int] = set()
        """Seats that crashed in the last deal."""

    def add_fault(self, fault_id: str, deal_id: str, fault: BotFault) -> None:
        record = FaultRecord(
            id=fault_id, deal=deal_id, seat=fault.seat, code=fault.code, move=fault.move, policy=fault.consequence.value
        )
        evidence = {
            "id": fault_id, "deal": deal_id, "move": fault.move, "entry": fault.entry, "code": fault.code,
            "detail": fault.detail, **fault.evidence,
        }  # fmt: skip
        self.lines.append(FAULT + msgspec.json.encode(record))
        self.lines.append(EVIDENCE + msgspec.json.encode(evidence))
        self.faults += 1
        if kind_of(fault.code) is FaultKind.CRASH:
            self.crashed.add(fault.seat)


def _close(players: Sequence[Player]) -> None:
    """Let bots that want it say goodbye; nothing they do then counts."""
    for player in players:
        hook = player.hook("close")
        if hook is not None:
            try:
                hook()
            except KeyboardInterrupt:
                raise
            except BaseException:  # noqa: S112 - the match is over, nothing a bot does now counts
                continue
