"""Playing for a whole hand at once (the later deals of Wrotham): count the ways to complete one, and keep the most open.

A way is two melds of three and four cards, or a run of seven. It is worth more the fewer cards it lacks; cards that cannot be
drawn any more close it, unless a joker stands in.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rummy_tourney.bot.builtin.basic.memory import Memory
from rummy_tourney.cards import NATURALS, cards_of
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Discard
from rummy_tourney.game.variants.basic import BasicOptions, BasicView, card_points, declarations, meld_rules

WAY_WORTH: Final = (1_000_000, 40_000, 1_600, 64, 2, 0)
"""What a way is worth by the number of cards it lacks: each card lacking makes it about 25 times less likely."""
MOST_LACKING: Final = 4


class WholeHand:
    """Chooses draws and discards by the worth of all ways to a whole hand that are still open."""

    def __init__(self, options: BasicOptions) -> None:
        self._options = options
        self._rules = meld_rules(options)
        self._points = card_points(options)
        self._melds = {size: [m for m in self._rules.natural if m.bit_count() == size] for size in (3, 4, 7)}

    def draw(self, view: BasicView, memory: Memory) -> Action:
        """Take the discard if it is worth more than a card of the stock on average."""
        upcard = view.upcard
        if upcard is None:
            return DRAW_STOCK
        if upcard.is_joker:
            return TAKE_DISCARD
        live = memory.live & NATURALS
        wanted = _Worth(self._melds, view.hand_mask, live | upcard.mask).wanted
        from_stock = [wanted[c.code] for c in cards_of(live)]
        if memory.next_card is not None:
            from_stock = [wanted.get(memory.next_card, 0)]
        if wanted[upcard.code] * len(from_stock) > sum(from_stock):
            return TAKE_DISCARD
        return DRAW_STOCK if view.can_draw else PASS

    def play(self, view: BasicView, memory: Memory) -> Action:
        """Declare if possible, else throw the card whose ways are worth least for each of its points."""
        worth = _Worth(self._melds, view.hand_mask, memory.live & NATURALS)
        if worth.complete:
            must_discard = self._options.must_discard_to_go_out
            declared = declarations(self._rules, view.hand_mask, view.banned_mask, must_discard=must_discard)
            if declared:
                return declared[0]
        allowed = view.hand_mask & ~view.banned_mask
        choice = cards_of(allowed & NATURALS or allowed)
        points = self._points
        return Discard(
            min(choice, key=lambda c: (1000 * worth.held.get(c.code, 0) // (points[c.code] + 1), -points[c.code], c.code))
        )


class _Part:
    """A meld as part of ways: what it lacks, and what its ways are worth.

    ``held`` is lost with each card of it that is thrown, ``wanted`` won with each card it lacks that is drawn.
    """

    __slots__ = ("dead", "held", "lacking", "meld", "missing", "wanted")

    def __init__(self, meld: int, hand: int, live: int) -> None:
        self.meld = meld
        self.missing = meld & ~hand
        self.lacking = self.missing.bit_count()
        self.dead = (self.missing & ~live).bit_count()
        self.held = 0
        self.wanted = 0


class _Worth:
    """What the open ways of a hand are worth: by each card held that they need, and by each live card that they lack.

    ``complete`` says that a way lacks nothing.
    """

    def __init__(self, melds: dict[int, list[int]], hand: int, live: int) -> None:
        self.complete = False
        self._jokers = (hand & ~NATURALS).bit_count()
        self._reach = self._jokers + MOST_LACKING
        threes, fours, sevens = [
            sorted([p for p in [_Part(m, hand, live) for m in melds[size]] if self._open(p)], key=lambda p: p.lacking)
            for size in (3, 4, 7)
        ]
        for three in threes:
            for four in fours:
                if three.lacking + four.lacking > self._reach:
                    break
                if not three.meld & four.meld and three.dead + four.dead <= self._jokers:
                    self._count(three.lacking + four.lacking, (three, four))
        for seven in sevens:
            self._count(seven.lacking, (seven,))
        self.held = dict.fromkeys(range(52), 0)
        self.wanted = dict.fromkeys(range(52), 0)
        for part in (*threes, *fours, *sevens):
            for c in cards_of(part.meld & hand):
                self.held[c.code] += part.held
            for c in cards_of(part.missing & live):
                self.wanted[c.code] += part.wanted

    def _open(self, part: _Part) -> bool:
        return part.lacking <= self._reach and part.dead <= self._jokers

    def _count(self, missing: int, parts: Iterable[_Part]) -> None:
        lacking = missing - self._jokers
        if lacking <= 0:
            self.complete = True
            held, wanted = WAY_WORTH[0], 0
        else:
            held = WAY_WORTH[lacking]
            wanted = WAY_WORTH[lacking - 1] - held
        for part in parts:
            part.held += held
            part.wanted += wanted
