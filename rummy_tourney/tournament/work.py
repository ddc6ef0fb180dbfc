"""The work itself: playing units. Runs in the workers, computes and returns, and touches no file.

A **unit** is what counts as one observation and what a resumed run finds done or not: all rotations of one mirrored deal, or a
whole match where the deals of a match belong together. In a mirrored set every deal is played by fresh bots, so that nobody
remembers the cards of another rotation; otherwise a bot lives for its match.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import Struct

from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.loading import BotFactory, load_factory
from rummy_tourney.bot.policy import BotFault, Conduct
from rummy_tourney.bot.protocol import MatchInfo
from rummy_tourney.cards import CARDS
from rummy_tourney.game.formats import GamesInPlay, fixed_dealer, rotated
from rummy_tourney.game.rules import DealResult, DealSetup, Points, forfeited
from rummy_tourney.history.records import DealRecord, FaultRecord, encode_deal, exact_text
from rummy_tourney.seeding import SeededChance, bot_random, bot_stream, deal_path, deck_order, order, seat_draw_path
from rummy_tourney.seeding import deal_key as derive_key
from rummy_tourney.tournament.pairings import Pairing
from rummy_tourney.tournament.plan import EventPlan

DEAL, FAULT, EVIDENCE, MATCH = b"D", b"F", b"E", b"M"
"""First byte of a line of work: what follows is a deal, a fault, a fault's evidence, or the account of a match."""
MAX_FORFEITED_DEALS: Final = 1_000
"""Deals after which a forfeited match ends as it stands."""


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


class MatchAccount(Struct, frozen=True):
    """The account of a match to a target, as the worker that played it kept it."""

    totals: tuple[int | str, ...]
    winners: tuple[int, ...]
    reason: str
    forfeits: tuple[int, ...]


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
        self.info = MatchInfo(plan.family, plan.options, plan.seats, plan.match.deals, plan.match.games)

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
            result = self._play(out, setup, 0, text, players, conduct)
            self._restart_crashed(players, conduct, pairing, number, result)

    def _games(self, out: _Lines, pairing: Pairing, players: list[Player], conduct: Conduct) -> None:
        plan = self.plan
        seats = plan.seats
        draws = 0

        def draw(n: int) -> Sequence[int]:
            nonlocal draws
            path = seat_draw_path(plan.event, f"{pairing.round}.{pairing.table}")
            drawn = order("seat-draw", derive_key(self.root, path, draws), draws, n)
            draws += 1
            return drawn

        games = GamesInPlay(self.scoring, seats, plan.match.games or 1, draw)
        forfeits = [0] * seats
        number = 0
        while not games.over and conduct.forfeited is None:
            dealer, scores, counted = games.next_deal()
            key, deck, text = self._deck(pairing, number)
            setup = DealSetup(deck, seats, dealer, number, counted, scores, SeededChance(key, number))
            result = self._play(out, setup, 0, text, players, conduct)
            self._restart_crashed(players, conduct, pairing, number, result)
            games.add(result, dealer)
            number += 1
        if conduct.forfeited is not None and not games.over:
            offender = pairing.entries.index(conduct.forfeited)
            forfeits[offender] = self._forfeit_rest(games, offender)
        totals = games.totals()
        account = MatchAccount(
            tuple(exact_text(t) for t in totals.totals), totals.winners, totals.reason, tuple(forfeits)
        )
        out.lines.append(MATCH + msgspec.json.encode(account))

    def _forfeit_rest(self, games: GamesInPlay, offender: int) -> int:
        """Play a forfeited match to its end on paper; answers how many deals that took.

        With two players every deal that is left goes to the other one until the target is reached. With more nobody scores a
        forfeited deal, so that the target would never be: the games then end as they stand, and so they do if a target is too
        far for forfeits to reach it.
        """
        deals = 0
        while self.plan.seats == 2 and not games.over and deals < MAX_FORFEITED_DEALS:
            dealer, _, _ = games.next_deal()
            games.add(forfeited(2, offender, max(1, self.forfeit_points), low_wins=self.scoring.low_wins), dealer)
            deals += 1
        if not games.over:
            games.forfeit(offender, self.forfeit_points)
            deals += 1
        return deals

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
                hook(self.info)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Player(entry, _Broken(error))
        return player

    def _restart_crashed(
        self, players: list[Player], conduct: Conduct, pairing: Pairing, number: int, result: DealResult
    ) -> None:
        """A bot whose crash cost it the deal starts the next one afresh."""
        if result.ending != "fault":
            return
        for seat, player in enumerate(players):
            if conduct.crashes.get(player.entry):
                players[seat] = self._player(player.entry, pairing, number + 1)


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
