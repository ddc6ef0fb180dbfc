"""Our deals of gin as action lists of OpenSpiel's ``gin_rummy``, and the ways in which the two differ.

OpenSpiel numbers cards suit by suit in the order spades, clubs, diamonds, hearts, ace to king. Its players are ours: the seat
that acts first is player 0. One game is one deal. Only melds of three to five cards have a number, so longer
runs are split. This file knows our notation only, nothing of the engine; checked against OpenSpiel 2.0.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SUITS = "scdh"
RANKS = "A23456789TJQK"
UPCARD, STOCK, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
LONGEST = 5
MOST_LAID = 2
"""Lay-offs OpenSpiel offers at one end of a run."""
WALL = 2
"""Cards of the stock that are never drawn."""


def card_id(text: str) -> int:
    """The number of a card: ``As`` 0, ``Ac`` 13, ``Ad`` 26, ``Kh`` 51."""
    return 13 * SUITS.index(text[1]) + RANKS.index(text[0])


def cards_in(text: str) -> list[str]:
    """Cards written one after another."""
    return re.findall(rf"[{RANKS}][{SUITS}]", text)


def meld_actions(text: str) -> list[int]:
    """The actions that lay a meld such as ``7c7d7h`` or ``As2s3s4s5s6s``: one, or several for a long run."""
    cards = cards_in(text)
    ranks = [RANKS.index(c[0]) for c in cards]
    suits = [SUITS.index(c[1]) for c in cards]
    if ranks[0] == ranks[1]:
        missing = 4 if len(cards) == 4 else 6 - sum(suits)
        return [FIRST_MELD + 5 * ranks[0] + missing]
    actions, low = [], ranks[0]
    for length in _pieces(len(cards)):
        start = {3: 65 + 11 * suits[0], 4: 109 + 10 * suits[0], 5: 149 + 9 * suits[0]}[length]
        actions.append(FIRST_MELD + start + low)
        low += length
    return actions


def _pieces(length: int) -> list[int]:
    """A run cut into pieces of three to five cards: 6 = 3 + 3, 7 = 3 + 4, 8 = 3 + 5 and so on."""
    if length <= LONGEST:
        return [length]
    return [5, *_pieces(length - 5)] if length - 5 >= 3 else [3, *_pieces(length - 3)]


class Adapter:
    """Translates the moves of one of our deals, one after another, into :attr:`actions`.

    Three things have no word-for-word translation. Lay-offs are collected until the defender shows, because OpenSpiel
    offers only two at one end of a run: three or more in a chain are a run of their own and are laid as one. Big gin is
    gin with a card thrown that a longer meld can spare. At the wall OpenSpiel takes the last discard by itself.
    """

    def __init__(self) -> None:
        self.actions: list[int] = []
        self._stock = 31
        self._passed_at_wall = False
        self._gin = False
        self._chains: dict[str, list[str]] = {}

    def add(self, move: str) -> None:
        """Translate one move."""
        actor, verb, *rest = move.split(" ", 2)
        args = rest[0] if rest else ""
        if actor == "d":
            self._engine(verb, args)
        elif verb in ("kn", "gin", "bgin"):
            self._end(verb, args)
        elif verb == "lo":
            self._chains.setdefault(args[:-2], []).append(args[-2:])
        elif verb == "sh":
            self._show(args)
        else:
            self._turn(verb, args)

    def _engine(self, verb: str, args: str) -> None:
        if verb == "deal":
            self.actions += [card_id(c) for c in cards_in(args.partition(" ")[2])]
        elif verb == "up":
            self.actions.append(card_id(args))
        elif verb == "end" and args == "wall" and not self._passed_at_wall:
            self.actions.append(PASS)

    def _turn(self, verb: str, args: str) -> None:
        if verb == "pass":
            self._passed_at_wall = self._stock == WALL
            self.actions.append(PASS)
        elif verb == "ds":
            self._stock -= 1
            self.actions += [STOCK, card_id(args)]
        elif verb == "dc":
            self.actions.append(card_id(args))
        elif self._stock > WALL:
            self.actions.append(UPCARD)

    def _end(self, verb: str, args: str) -> None:
        melds = [cards_in(one) for one in re.findall(r"\[(\w+)\]", args)]
        thrown = spared(melds) if verb == "bgin" else args[:2]
        self._gin = verb != "kn"
        self.actions += [KNOCK, card_id(thrown)]
        for one in melds:
            self.actions += meld_actions("".join(c for c in one if c != thrown))
        self.actions.append(PASS)

    def _show(self, args: str) -> None:
        chains = self._chains.values()
        if not self._gin:
            self.actions += [card_id(c) for chain in chains if len(chain) <= MOST_LAID for c in chain]
            self.actions.append(PASS)
        for chain in chains:
            if len(chain) > MOST_LAID:
                self.actions += meld_actions("".join(sorted(chain, key=card_id)))
        for one in re.findall(r"\[(\w+)\]", args):
            self.actions += meld_actions(one)
        self.actions.append(PASS)


def spared(melds: Sequence[Sequence[str]]) -> str:
    """A card that its meld can do without: the last of one with four cards or more (eleven melded cards have one)."""
    return next(one[-1] for one in melds if len(one) > 3)


def translate(moves: Sequence[str]) -> list[int]:
    """The whole action list of a deal."""
    adapter = Adapter()
    for move in moves:
        adapter.add(move)
    return adapter.actions
