"""What a seat may know when it is asked: the fold of the events it has seen, and nothing else.

A view holds plain frozen data. There is no way from it to the table, to another hand or to the order of the stock; a test
walks every object reachable from a view to make sure. Each family adds the few facts its rules need.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from rummy_tourney.cards import CARDS, Card, CardSet
from rummy_tourney.game.actions import Action
from rummy_tourney.game.events import Event
from rummy_tourney.game.options import DataclassOptions
from rummy_tourney.game.rules import Points


class Phase(StrEnum):
    """What a seat is being asked. A variant uses the phases it needs."""

    UPCARD = "upcard"
    """take the first upcard, or pass"""
    FORCED = "forced"
    """draw from the stock; nothing else is allowed"""
    DRAW = "draw"
    """take a card from the stock or the discard pile"""
    SHED = "shed"
    """throw a card, or end the deal"""
    PLAY = "play"
    """meld, lay off, and throw a card"""
    LAYOFF = "layoff"
    """add cards to the knocker's melds, then show"""
    WALL = "wall"
    """the stock has run down: take the last discard and knock, or pass"""
    WALL_KNOCK = "wall-knock"
    """the last discard was taken to knock with it: knock"""
    OVER = "over"
    """nothing more to decide"""


class DealInfo(Struct, frozen=True):
    """What everybody knew before the first card: the same object for every view of a deal."""

    family: str
    options: DataclassOptions
    seats: int
    dealer: int
    first: int
    number: int
    scores: tuple[Points, ...]


class SeatView(Struct, frozen=True):
    """The table as one seat sees it at one decision.

    ``hand_mask`` is the hand as an int for the kernel (``melds.kernel``), :attr:`hand` the same as a :class:`CardSet`.
    ``upcard`` is the top of the discard pile, ``None`` where there is none to take. ``banned_mask`` holds the cards that may
    not be thrown this turn.
    """

    seat: int
    phase: Phase
    hand_mask: int
    upcard: Card | None
    stock_count: int
    banned_mask: int
    deal: DealInfo
    _seen: list[Event]
    _seen_count: int

    @property
    def hand(self) -> CardSet:
        """The cards this seat holds."""
        return CardSet(self.hand_mask)

    @property
    def banned(self) -> Card | None:
        """The card that may not be thrown this turn: the one just taken from the discard pile, where that is the rule."""
        return CARDS[self.banned_mask.bit_length() - 1] if self.banned_mask else None

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything this seat has seen in this deal, in order."""
        return tuple(self._seen[: self._seen_count])

    @property
    def event_count(self) -> int:
        """``len(events)`` without making the tuple."""
        return self._seen_count

    def events_from(self, start: int) -> tuple[Event, ...]:
        """The events from number ``start`` on: what is new to a bot that has looked at ``start`` of them."""
        return tuple(self._seen[start : self._seen_count])

    def legal_actions(self) -> Sequence[Action]:
        """Every action the rules allow here. Finite, and in a fixed order."""
        raise NotImplementedError  # each family's view answers
