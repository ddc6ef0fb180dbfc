"""Playing for a whole hand at once (the later deals of Wrotham): count the ways to complete one, and keep the most open.

A way is two melds of three and four cards, or a run of seven. It is worth more the fewer cards it lacks; cards that cannot be
drawn any more close it, unless a joker stands in.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from rummy_tourney.bot.builtin.basic.memory import Memory
from rummy_tourney.cards import NATURALS, cards_of
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Discard
from rummy_tourney.game.variants.basic import BasicOptions, BasicView, MeldRules, card_points, declarations, meld_rules

K = 1
WAY_WORTH: Final = (1_000_000, 40_000, 1_600, 64, 2, 0, 0, 0)
"""What a way is worth by the number of cards it lacks: each card lacking makes it about 25 times less likely."""


class _Worth(NamedTuple):
    """What the open ways of a hand are worth: in all, to be lost with each card held, to be won with each card not held."""

    complete: bool
    held: dict[int, int]
    wanted: dict[int, int]


class WholeHand:
    """Chooses draws and discards by the worth of all ways to a whole hand that are still open."""

    def __init__(self, options: BasicOptions) -> None:
        self._options = options
        self._ways = _ways(meld_rules(options))
        self._rules = meld_rules(options)
        self._points = card_points(options)

    def draw(self, view: BasicView, memory: Memory) -> Action:
        """Take the discard if it is worth more than a card of the stock on average."""
        upcard = view.upcard
        if upcard is None:
            return DRAW_STOCK
        if upcard.is_joker:
            return TAKE_DISCARD
        live = memory.live & NATURALS
        wanted = self._worth(view.hand_mask, live | upcard.mask).wanted
        from_stock = [wanted.get(c.code, 0) for c in cards_of(live)]
        if memory.next_card is not None:
            from_stock = [wanted.get(memory.next_card, 0)]
        if wanted.get(upcard.code, 0) * len(from_stock) > K * sum(from_stock):
            return TAKE_DISCARD
        return DRAW_STOCK if view.can_draw else PASS

    def play(self, view: BasicView, memory: Memory) -> Action:
        """Declare if possible, else throw the card whose ways are worth least."""
        worth = self._worth(view.hand_mask, memory.live & NATURALS)
        if worth.complete:
            must_discard = self._options.must_discard_to_go_out
            declared = declarations(self._rules, view.hand_mask, view.banned_mask, must_discard=must_discard)
            if declared:
                return declared[0]
        allowed = view.hand_mask & ~view.banned_mask
        choice = cards_of(allowed & NATURALS or allowed)
        return Discard(min(choice, key=lambda c: (worth.held.get(c.code, 0), -self._points[c.code], c.code)))

    def _worth(self, hand: int, live: int) -> _Worth:
        jokers = (hand & ~NATURALS).bit_count()
        held: dict[int, int] = dict.fromkeys(range(52), 0)
        wanted: dict[int, int] = dict.fromkeys(range(52), 0)
        complete = False
        reach = jokers + 4
        for way in self._ways:
            missing = way & ~hand
            lacking = missing.bit_count()
            if lacking > reach or (missing & ~live).bit_count() > jokers:
                continue
            lacking -= jokers
            if lacking <= 0:
                complete = True
                lacking = 0
            else:
                step = WAY_WORTH[lacking - 1] - WAY_WORTH[lacking]
                for c in cards_of(missing & live):
                    wanted[c.code] += step
            for c in cards_of(way & hand):
                held[c.code] += WAY_WORTH[lacking]
        return _Worth(complete, held, wanted)


@cache
def _ways(rules: MeldRules) -> tuple[int, ...]:
    """Every way to meld seven cards."""
    by_size: dict[int, list[int]] = {3: [], 4: [], 7: []}
    for mask in rules.natural:
        if mask.bit_count() in by_size:
            by_size[mask.bit_count()].append(mask)
    pairs = [three | four for three in by_size[3] for four in by_size[4] if not three & four]
    return tuple(pairs + by_size[7])
