"""What a seat can remember of a deal: the discards, what others hold for certain, and the stock where it was turned over."""

from __future__ import annotations

from rummy_tourney.cards import UNKNOWN, card, pack, split_cards
from rummy_tourney.game.events import Event
from rummy_tourney.game.variants.basic import BasicView


class Memory:
    """The memory of one seat over one deal, brought up to date with :meth:`follow`.

    ``live`` holds the cards that may still be drawn: all but those in the own hand, on the table, in the discard pile, or
    known to be in another hand; once the discard pile has become the stock, only cards that were in it. ``known`` has the
    cards held by others, by seat. ``next_card`` is the code of the next stock card where the discard pile was turned over
    in plain view, else ``None``. ``told`` counts the events taken in.
    """

    def __init__(self, view: BasicView) -> None:
        self.told = 0
        self._seat = view.seat
        self._drawable = pack(1, view.basic_options.jokers).mask
        self._keeps_top = view.basic_options.stock_exhaustion == "reshuffle_keep_top"
        self._pile: list[int] = []
        self._stock: list[int] = []
        self.known = [0] * view.deal.seats
        self.live = 0

    @property
    def next_card(self) -> int | None:
        """The code of the card that the next draw from the stock brings, if it is known."""
        return self._stock[-1] if self._stock else None

    def follow(self, view: BasicView) -> None:
        """Take in what has happened since the last time."""
        for event in view.events_from(self.told):
            self._take_in(event)
        self.told = view.event_count
        gone = view.hand_mask
        for m in view.laid:
            gone |= m.meld.mask
        for seat, held in enumerate(self.known):
            self.known[seat] = held & ~gone
            gone |= self.known[seat]
        for code in self._pile:
            gone |= 1 << code
        self.live = self._drawable & ~gone

    def _take_in(self, event: Event) -> None:
        verb = event.verb
        if verb == "dc":
            thrown = card(event.args)
            self._pile.append(thrown.code)
            self.known[event.actor] &= ~thrown.mask
        elif verb == "dd":
            self._got(event.actor, self._pile.pop())
        elif verb == "ds":
            if self._stock:
                self._got(event.actor, self._stock.pop())
        elif verb == "js":
            joker = event.args.split(" ")[1].partition("->")[0]
            self._got(event.actor, card(joker).code)
        elif verb == "up":
            self._pile.append(card(event.args).code)
        elif verb == "rs":
            self._renew(event.args.partition(" ")[2])

    def _got(self, seat: int, code: int) -> None:
        if seat != self._seat:
            self.known[seat] |= 1 << code

    def _renew(self, order: str) -> None:
        self._drawable = sum(1 << code for code in self._pile)
        self._pile = self._pile[-1:] if self._keeps_top else []
        self._stock = [] if UNKNOWN in order else [c.code for c in reversed(split_cards(order))]
