"""A deal played again from its record: the deck and the moves are enough, no randomness is needed.

The rules decide every step. What the engine says by itself (hands dealt, the upcard, the end, the score) must come out word for
word as recorded; what a seat did is read from the record and applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from rummy_tourney.cards import Pack, split_cards
from rummy_tourney.errors import BrokenHistory, IllegalAction, NotationError, UsageError
from rummy_tourney.game.notation import read_action, read_seat
from rummy_tourney.game.rules import DealResult, DealSetup, Rules, families
from rummy_tourney.game.table import Table
from rummy_tourney.history.records import DealRecord, HeadRecord, RulesEntry, exact_text, read_exact

_read_action = lru_cache(maxsize=4096)(read_action)
SUBSTITUTES: Final = ("d ill ", "d to ")
"""How a move begins that announces a default action in place of a bad or missing answer."""


class ReplayMismatch(BrokenHistory):
    """The record and the rules disagree. ``move`` is the number of the move, from 0."""

    def __init__(self, message: str, move: int) -> None:
        super().__init__(message)
        self.move = move


class RecordedChance:
    """Orders of reshuffles, taken from the moves of a record (``d rs 31 …``, one for each)."""

    def __init__(self, moves: Sequence[str]) -> None:
        renewals = [move.split(" ", 3)[3] for move in moves if move.startswith("d rs ")]
        self._orders = {f"reshuffle/{k}": [c.code for c in split_cards(text)] for k, text in enumerate(renewals, 1)}
        self.source: Callable[[], Sequence[int]] = list

    def order(self, label: str, n: int) -> Sequence[int]:
        """Where each card of the recorded order lay in the pile that was reshuffled (its first ``n`` cards, oldest first)."""
        recorded = self._orders.get(label)
        source = list(self.source())[:n]
        if recorded is None or sorted(recorded) != sorted(source):
            raise BrokenHistory(f"the record has no usable order for {label}")
        return [source.index(code) for code in recorded]


def rules_of(entry: RulesEntry) -> Rules:
    """The rules that a history's head describes. Raises ``BrokenHistory`` for a game this version does not know."""
    family = families().get(entry.family)
    if family is None:
        raise BrokenHistory(f"this history holds {entry.family}, a game this version does not know; a newer one may")
    try:
        return family.make(family.parse(None, entry.options))
    except UsageError as error:
        raise BrokenHistory(f"the options of {entry.family} cannot be used: {error}") from error


def all_rules(head: HeadRecord) -> Mapping[str, Rules]:
    """The rules of every game of a history, by the name deals use."""
    return {name: rules_of(entry) for name, entry in head.rules.items()}


def deal_number(deal_id: str) -> tuple[str, str, str, int, int]:
    """The parts of a deal's id: event, round, table, deal number, rotation."""
    parts = deal_id.rsplit("/", 4)
    try:
        return parts[0], parts[1], parts[2], int(parts[3]), int(parts[4])
    except (IndexError, ValueError):
        raise BrokenHistory(f"{deal_id!r} is not a deal id; ids are event/round/table/deal/rotation") from None


def setup_of(deal: DealRecord, pack: Pack) -> DealSetup:
    """The setup of a recorded deal. Raises ``BrokenHistory`` if its deck is not the whole pack."""
    try:
        codes = [c.code for c in split_cards(deal.deck)]
    except NotationError as error:
        raise BrokenHistory(f"deal {deal.id}: the deck cannot be read: {error}") from error
    if sorted(codes) != sorted(pack.codes):
        raise BrokenHistory(f"deal {deal.id}: the deck is not a whole pack of {len(pack)} cards")
    number = deal_number(deal.id)[3]
    counted = number if deal.counted is None else deal.counted
    seats = len(deal.seats)
    if not 0 <= deal.dealer < seats:
        raise BrokenHistory(f"deal {deal.id}: there is no seat {deal.dealer} to deal")
    scores = tuple(read_exact(s) for s in deal.start)
    return DealSetup(codes, seats, deal.dealer, number, counted, scores, RecordedChance(deal.moves))


class Replay:
    """A recorded deal, step by step. ``table`` is where it stands, ``position`` how many moves have been played."""

    def __init__(self, deal: DealRecord, rules: Rules) -> None:
        self.deal = deal
        self.moves = deal.moves
        self.position = 0
        self.result: DealResult | None = None
        setup = setup_of(deal, rules.pack)
        self._least = rules.forfeit_points()
        try:
            self.table: Table = rules.start(setup)
        except UsageError as error:
            raise ReplayMismatch(f"deal {deal.id} cannot be dealt: {error}", 0) from error
        if self.table.deal.first != deal.first:
            raise ReplayMismatch(f"deal {deal.id}: seat {deal.first} is said to be first, by the rules it is not", 0)
        if isinstance(setup.chance, RecordedChance):
            setup.chance.source = lambda: self.table.pile
        self._agree()

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.table.over

    def step(self) -> None:
        """Play the next recorded move of a seat, with all that the engine says after it."""
        if self.position >= len(self.moves):
            raise self._mismatch("the record stops before the deal is over")
        text = self._next_choice()
        try:
            if text.startswith(SUBSTITUTES):
                words = text.split(" ")
                self.table.substitute(words[1], words[3] if words[3] != "->" else "")
            elif text == "d end fault":
                self._forfeit()
            else:
                self._act(text)
        except IllegalAction as error:
            raise self._mismatch(f"the rules refuse it: {error}") from error
        except (NotationError, IndexError) as error:
            raise self._mismatch(f"cannot be read: {error}") from error
        self._agree()

    def _next_choice(self) -> str:
        """The next move that somebody chose; what the engine says before it (a reshuffle) is compared once it is played."""
        for at in range(self.position, len(self.moves)):
            text = self.moves[at]
            if not text.startswith("d ") or text.startswith(SUBSTITUTES) or text == "d end fault":
                return text
        raise self._mismatch("the record stops before the deal is over")

    def finish(self) -> DealResult:
        """Play to the end; answers the result by the rules."""
        while not self.table.over:
            self.step()
        if self.position != len(self.moves):
            raise self._mismatch("the deal was over before this move")
        return self.result if self.result is not None else self.table.result()

    def _act(self, text: str) -> None:
        actor, _, rest = text.partition(" ")
        if read_seat(actor) != self.table.to_act:
            raise self._mismatch(f"it is p{self.table.to_act}'s turn")
        self.table.apply(_read_action(rest))

    def _forfeit(self) -> None:
        """The offender is the seat whose forfeit gives the recorded points."""
        recorded = [read_exact(p) for p in self.deal.points]
        for seat in range(self.table.seats):
            result = self.table.forfeit_result(seat, self._least)
            if list(result.points) == recorded:
                self.result = self.table.forfeit(seat, self._least)
                return
        raise self._mismatch("the points are nobody's forfeit")

    def _agree(self) -> None:
        """What the table has said since the last step must be what the record says."""
        log = self.table.log
        while self.position < len(log):
            said = log[self.position].text
            if self.position >= len(self.moves) or self.moves[self.position] != said:
                raise self._mismatch(f"the rules say {said!r}")
            self.position += 1

    def _mismatch(self, why: str) -> ReplayMismatch:
        text = self.moves[self.position] if self.position < len(self.moves) else "end of the record"
        return ReplayMismatch(f"deal {self.deal.id}, move {self.position} ({text!r}): {why}", self.position)


def replay_deal(deal: DealRecord, rules: Rules) -> DealResult:
    """Play a recorded deal again; raises :class:`ReplayMismatch` at the first move that the rules do not confirm."""
    return Replay(deal, rules).finish()


def result_fields(result: DealResult) -> dict[str, Any]:
    """A result as the fields of a deal record."""
    return {
        "end": result.ending,
        "hands": result.hands,
        "melds": result.melds,
        "deadwood": result.deadwood,
        "points": tuple([exact_text(p) for p in result.points]),
        "parts": tuple([{name: exact_text(v) for name, v in part.items()} for part in result.parts]),
    }
