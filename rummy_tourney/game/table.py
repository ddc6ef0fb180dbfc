"""One deal in play: the only mutable thing of the engine, and private to it.

A variant subclasses :class:`Table`. Each phase has one function that applies an action; it checks with the same
functions over plain ints that the view's ``legal_actions`` uses, raises
:class:`~rummy_tourney.errors.IllegalAction` before it changes anything, and emits an :class:`Event` for all
that happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rummy_tourney.cards import CARDS, Card, join_cards
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.actions import Action, Discard
from rummy_tourney.game.events import Event, hand_dealt, stock_renewed, upcards
from rummy_tourney.game.notation import action_text, signed
from rummy_tourney.game.rules import DealResult, DealSetup, forfeited
from rummy_tourney.game.view import DealInfo, Phase, SeatView

_CODES = range(max(CARDS) + 1)
_MASKS = [1 << code for code in _CODES]
_TEXTS = [CARDS[code].text if code in CARDS else "" for code in _CODES]


class Table:
    """One deal in play. ``to_act`` is the seat to be asked, ``phase`` what about; ``log`` holds what happened so far."""

    __slots__ = ("apply", "banned", "deal", "dealer", "hands", "log", "phase", "pile", "seats", "seen", "setup", "stock",
                 "to_act", "turns")  # fmt: skip

    low_wins: ClassVar[bool] = False
    """Whether fewer points are better; a table of a penalty game says so itself."""
    apply: Callable[[Action], None]
    """Play ``action`` for the seat to act. Raises ``IllegalAction`` and changes nothing if the rules refuse it."""

    def __init__(self, setup: DealSetup, deal: DealInfo) -> None:
        self.setup = setup
        self.deal = deal
        self.seats = setup.seats
        self.dealer = setup.dealer
        self.to_act = deal.first
        self.phase = Phase.OVER
        self.hands: list[int] = [0] * setup.seats
        self.stock: list[int] = list(setup.deck[::-1])
        self.pile: list[int] = []
        self.banned = 0
        self.turns = 0
        self.log: list[Event] = []
        self.seen: list[list[Event]] = [[] for _ in range(setup.seats)]

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.phase is Phase.OVER

    @property
    def upcard(self) -> Card | None:
        """The top of the discard pile."""
        return CARDS[self.pile[-1]] if self.pile else None

    def emit(self, event: Event) -> None:
        """Write down what happened and show it to each seat as that seat may know it."""
        self.log.append(event)
        public = event.public
        for seen in self.seen:
            seen.append(public)
        if public is not event and event.owner >= 0:
            self.seen[event.owner][-1] = event

    def deal_hands(self, counts: Sequence[int]) -> None:
        """Deal one card at a time from the first seat on, ``counts[seat]`` to each; then show the hands' events."""
        first, seats, deck = self.deal.first, self.seats, self.setup.deck
        order = [(first + k) % seats for k in range(seats)]
        least = min(counts)
        dealt = [list(deck[k : seats * least : seats]) for k in range(seats)]
        at = seats * least
        for extra in range(least, max(counts)):
            for k, seat in enumerate(order):
                if extra < counts[seat]:
                    dealt[k].append(deck[at])
                    at += 1
        del self.stock[len(self.stock) - at :]
        for seat, codes in zip(order, dealt, strict=True):
            mask = 0
            for code in codes:
                mask |= _MASKS[code]
            self.hands[seat] = mask
            self.emit(hand_dealt(seat, "".join([_TEXTS[code] for code in codes]), len(codes)))

    def turn_upcard(self) -> None:
        """Turn the next card of the stock up as the first discard."""
        code = self.stock.pop()
        self.pile.append(code)
        self.emit(upcards()[code])

    def reshuffled(self, cards: Sequence[int], number: int) -> list[int]:
        """Some cards in the order of the deal's ``number``-th reshuffle (from 1)."""
        if self.setup.chance is None:
            raise EngineBug("a deal that shuffles again needs a source of chance in its setup")
        return [cards[place] for place in self.setup.chance.order(f"reshuffle/{number}", len(cards))]

    def renew_stock(self, cards: Sequence[int], *, hidden: bool) -> None:
        """Put ``cards``, top first, in place of the empty stock; a ``hidden`` order is seen by nobody."""
        self.stock = list(reversed(cards))
        self.emit(stock_renewed(join_cards([CARDS[code] for code in cards]), len(cards), hidden=hidden))

    def table_groups(self) -> Sequence[Sequence[Card]]:
        """The cards of the melds on the table, for whoever draws it; nothing in games that keep melds in the hand."""
        return ()

    def view(self) -> SeatView:
        """What the seat to act may know."""
        raise NotImplementedError

    def legal_actions(self) -> Sequence[Action]:
        """What the seat to act may do: exactly what its view says."""
        return self.view().legal_actions()

    def default_action(self) -> Action:
        """What is done for a seat whose answer cannot be used; part of each family's rules."""
        raise NotImplementedError

    def substitute(self, kind: str, reason: str) -> Action:
        """Play the default action in place of a bad answer (``kind`` is ``ill`` or ``to``) and say so in the log."""
        action = self.default_action()
        code = f" {reason}" if reason else ""
        self.emit(Event(f"d {kind} p{self.to_act}{code} -> p{self.to_act} {action_text(action)}"))
        self.apply(action)
        return action

    def finish(self, ending: str, *, by_engine: bool) -> None:
        """End the deal; the engine says so itself where no seat's action did."""
        if by_engine:
            self.emit(Event(f"d end {ending}"))
        self.phase = Phase.OVER

    def result(self) -> DealResult:
        """How it ended and what everybody scores. Only once the deal is over."""
        raise NotImplementedError

    def forfeit_cost(self, seat: int) -> int:
        """What the present hand of ``seat`` would cost it against the dearest finish of an opponent."""
        raise NotImplementedError

    def forfeit_result(self, seat: int, least: int) -> DealResult:
        """What the deal is worth if ``seat`` forfeits it now: ``least`` points, or its hand's cost if that is more."""
        return forfeited(self.seats, seat, max(least, self.forfeit_cost(seat)), low_wins=self.low_wins)

    def forfeit(self, seat: int, least: int) -> DealResult:
        """End the deal because ``seat`` has forfeited it; answers the result (see :meth:`forfeit_result`)."""
        result = self.forfeit_result(seat, least)
        self.finish("fault", by_engine=True)
        self.emit_score(result)
        return result

    def emit_score(self, result: DealResult) -> None:
        """Write the points as the last move."""
        self.emit(Event("d sc " + " ".join([signed(p) for p in result.points])))


def throwable(hand: int, banned: int) -> int:
    """The cards that may be thrown: those held, without the ones banned this turn."""
    return hand & ~banned


def check_card(card: Card) -> None:
    """Refuse what only looks like a card: a bot could make an object whose code and mask are those of two cards."""
    if CARDS.get(card.code) is not card:
        raise IllegalAction("not-a-card", f"what was named is not a card but a {type(card).__name__}")


def check_discard(hand: int, banned: int, card: Card) -> None:
    """Refuse to throw a card that is none, is not held, or is banned this turn."""
    if hand & ~banned & card.mask and CARDS.get(card.code) is card:
        return
    check_card(card)
    if not hand & card.mask:
        raise IllegalAction("not-in-hand", f"{card.text} is not in the hand")
    raise IllegalAction("banned-discard", f"{card.text} was taken from the discard pile this turn and may not go back")


def wrong_action(phase: Phase, action: object) -> IllegalAction:
    """The refusal of an action that this phase does not know."""
    name = type(action).__name__
    return IllegalAction("wrong-phase", f"{name} is not possible in the {phase} phase")


def discards_of(mask: int) -> list[Action]:
    """A discard for every card of a mask."""
    found: list[Action] = []
    while mask:
        low = mask & -mask
        mask ^= low
        found.append(Discard(CARDS[low.bit_length() - 1]))
    return found
