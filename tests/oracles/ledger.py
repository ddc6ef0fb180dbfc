"""Where every card lies, worked out from the moves alone.

A second account of a deal beside the table's own: it knows the deck and reads the moves as a person would, and complains as
soon as one takes a card from where it is not. It knows no rules and imports nothing from the package.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

CARD = re.compile(r"\*\d{1,2}(?!\d?[cdhs])|\*\d(?=\d[cdhs])|[A2-9TJQK][cdhs](?:\.\d)?")
"""One card. A joker may stand right before a card: ``*12h`` is ``*1`` and ``2h``."""
STANDS_FOR = re.compile(r"!?=[A2-9TJQK][cdhs](?:\.\d)?")


def cards_in(text: str) -> list[str]:
    """The cards of a text; of ``*1=7h`` or ``9d!=6c`` only the card that lies there."""
    return CARD.findall(STANDS_FOR.sub(" ", text))


class Ledger:
    """All cards of a deal. ``stock`` has its top first, ``pile`` its top last; ``gone`` are cards thrown face down."""

    def __init__(self, deck: Sequence[str], seats: int) -> None:
        self.deck = Counter(deck)
        self.stock = list(deck)
        self.pile: list[str] = []
        self.hands: list[set[str]] = [set() for _ in range(seats)]
        self.table: list[str] = []
        self.gone: list[str] = []

    def move(self, text: str) -> None:
        """Follow one move."""
        actor, verb, *rest = text.split(" ", 2)
        args = rest[0] if rest else ""
        if actor == "d":
            self._engine(verb, args)
        else:
            self._seat(self.hands[int(actor[1:])], verb, args)
        self._count()

    def _engine(self, verb: str, args: str) -> None:
        if verb == "deal":
            seat, cards = args.split(" ")
            for card in cards_in(cards):
                self.stock.remove(card)
                self.hands[int(seat[1:])].add(card)
        elif verb in ("up", "wild"):
            assert self.stock.pop(0) == args
            self.pile.append(args)
        elif verb == "rs":
            number, cards = args.split(" ")
            order = cards_in(cards)
            assert len(order) == int(number)
            assert not self.stock, "cards were shuffled into a stock that was not empty"
            for card in order:
                self.pile.remove(card)
            self.stock = order

    def _seat(self, hand: set[str], verb: str, args: str) -> None:
        if verb == "ds":
            assert self.stock.pop(0) == args
            hand.add(args)
        elif verb == "dd":
            assert self.pile.pop() == args
            hand.add(args)
        elif verb == "dc":
            hand.remove(args)
            self.pile.append(args)
        elif verb in ("kn", "gin"):
            hand.remove(args[:2])
            self.gone.append(args[:2])
            assert set(cards_in(args[2:].partition(" dw=")[0])) <= hand
        elif verb in ("bgin", "sh"):
            assert set(cards_in(args)) <= hand
        elif verb in ("m", "lo"):
            self._lay(hand, re.sub(r"M\d+[<>+=]", "", args))
        elif verb == "js":
            joker, card = cards_in(args.replace("->", " "))
            hand.remove(card)
            self.table.remove(joker)
            self.table.append(card)
            hand.add(joker)
        elif verb == "dcl":
            thrown, melds = args.split("[", 1)[0].strip(), "[" + args.split("[", 1)[1] if "[" in args else ""
            if thrown:
                hand.remove(thrown)
                self.pile.append(thrown)
            self._lay(hand, melds)
        else:
            assert verb in ("pass", "out"), f"the ledger does not know {verb}"

    def _lay(self, hand: set[str], text: str) -> None:
        for card in cards_in(text):
            hand.remove(card)
            self.table.append(card)

    def _count(self) -> None:
        """No card is lost and none is there twice."""
        everywhere = Counter(self.stock + self.pile + self.table + self.gone)
        for hand in self.hands:
            everywhere.update(hand)
        assert everywhere == self.deck
