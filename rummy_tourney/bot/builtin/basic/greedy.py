"""``greedy`` for basic rummy: most points on the table now, fewest points left in hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.cards import CARDS, NATURALS, Card, cards_of
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Discard, LayMeld, LayOff
from rummy_tourney.game.variants.basic import BasicView, MeldRules, card_points, declarations, meld_rules
from rummy_tourney.game.view import Phase, SeatView
from rummy_tourney.melds.model import Spot

_DISCARDS: Final = {code: Discard(c) for code, c in CARDS.items()}
_PLAIN: Final = {code: Spot(c, c) for code, c in CARDS.items()}


@builtin("basic", "greedy")
class GreedyBasic:
    """Takes the discard only to put it on the table, melds and lays off all it can, throws the dearest loose card.

    Once the stock has gone by and been renewed, everybody sits on low cards that nothing can replace, and a turned pile
    comes round in the same order for ever. Then it throws its loose cards in turn and takes a discard now and then.
    """

    def __init__(self) -> None:
        self._options: object = None
        self._rules: MeldRules
        self._points: Mapping[int, int]

    def act(self, seat_view: SeatView) -> Action:
        """One step towards fewest points in hand."""
        view = cast(BasicView, seat_view)
        if view.deal.options is not self._options:
            self._options = view.deal.options
            self._rules = meld_rules(view.basic_options)
            self._points = card_points(view.basic_options)
        phase = view.phase
        if phase is Phase.DRAW:
            return self._draw(view)
        if phase is Phase.SHED:
            return self._declare(view) or self._throw(view, self._rules.natural_melds_of(view.hand_mask))
        if view.hand_mask & ~NATURALS:
            return self._put_down_with_jokers(view) or self._throw(view, self._rules.natural_melds_of(view.hand_mask))
        melds = self._rules.natural_melds_of(view.hand_mask)
        return self._meld(view, melds) or self._lay_off(view) or self._throw(view, melds)

    def _draw(self, view: BasicView) -> Action:
        upcard = view.upcard
        if upcard is None:
            return DRAW_STOCK
        if upcard.mask & view.fits or self._melds_with(view.hand_mask, upcard):
            return TAKE_DISCARD
        if not view.can_draw:
            return PASS
        return TAKE_DISCARD if view.recycles and view.event_count % 5 == 0 else DRAW_STOCK

    def _melds_with(self, hand: int, upcard: Card) -> bool:
        if upcard.is_joker:
            return True
        if hand & ~NATURALS:
            return any(m.mask & upcard.mask for m in self._rules.melds_of(hand | upcard.mask))
        return self._rules.makes_meld(upcard.code, hand)

    def _declare(self, view: BasicView) -> Action | None:
        must_discard = view.basic_options.must_discard_to_go_out
        declared = declarations(self._rules, view.hand_mask, view.banned_mask, must_discard=must_discard)
        return declared[0] if declared else None

    def _meld(self, view: BasicView, melds: list[int]) -> Action | None:
        if not melds or not view.may_meld:
            return None
        best = max(melds, key=self._worth)
        if view.hand_mask & ~best & ~view.banned_mask:
            return LayMeld(self._rules.natural[best].meld)
        return max(view.melds(), key=lambda action: self._worth(action.meld.mask), default=None)

    def _lay_off(self, view: BasicView) -> Action | None:
        fitting = view.hand_mask & view.fits
        if not fitting:
            return None
        code = fitting.bit_length() - 1
        if not view.hand_mask & ~view.banned_mask & ~(1 << code):
            return next(iter(view.lay_offs()), None)
        number, target = next((n, m) for n, m in enumerate(view.laid, 1) if m.fits >> code & 1)
        return LayOff(number, target.ends(code)[0], _PLAIN[code])

    def _put_down_with_jokers(self, view: BasicView) -> Action | None:
        melds = view.melds()
        if melds:
            return max(melds, key=lambda action: self._worth(action.meld.mask))
        return max(view.lay_offs(), key=lambda action: self._worth(action.spot.card.mask), default=None)

    def _worth(self, cards: int) -> int:
        points = self._points
        total = 0
        while cards:
            low = cards & -cards
            cards ^= low
            total += points[low.bit_length() - 1]
        return total

    def _throw(self, view: BasicView, melds: list[int]) -> Action:
        allowed = view.hand_mask & ~view.banned_mask
        loose = allowed & NATURALS
        for m in melds:
            loose &= ~m
        loose = loose or allowed & NATURALS or allowed
        if view.recycles:
            choice = cards_of(loose)
            return _DISCARDS[choice[view.event_count // 7 % len(choice)].code]
        return _DISCARDS[self._dearest(loose)]

    def _dearest(self, cards: int) -> int:
        points = self._points
        best = code = -1
        while cards:
            low = cards & -cards
            cards ^= low
            c = low.bit_length() - 1
            if points[c] >= best:
                best, code = points[c], c
        return code
