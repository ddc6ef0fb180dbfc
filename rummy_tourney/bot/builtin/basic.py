"""``greedy`` for basic rummy: most points on the table now, fewest points left in hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, cast

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.cards import CARDS, NATURALS, card, cards_of
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Discard, LayMeld, LayOff
from rummy_tourney.game.variants.basic import BasicView, MeldRules, card_points, declarations, meld_rules
from rummy_tourney.game.view import Phase, SeatView
from rummy_tourney.melds.model import Spot

_DISCARDS: Final = {code: Discard(c) for code, c in CARDS.items()}
_PLAIN: Final = {code: Spot(c, c) for code, c in CARDS.items()}


@builtin("basic", "greedy")
class GreedyBasic:
    """Takes the discard only to put it on the table, melds and lays off all it can, throws the dearest loose card."""

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
        if view.phase is Phase.DRAW:
            return self._draw(view)
        if view.phase is Phase.SHED:
            declared = declarations(self._rules, view.hand_mask, view.banned_mask,
                                    must_discard=view.basic_options.must_discard_to_go_out)
            return declared[0] if declared else self._throw(view)
        return self._put_down(view) or self._throw(view)

    def _draw(self, view: BasicView) -> Action:
        upcard = view.upcard
        if upcard is not None and (upcard.mask & view.fits or upcard.is_joker or self._melds_with(view.hand_mask, upcard.mask)):
            return TAKE_DISCARD
        if not view.can_draw:
            return PASS
        # A turned pile comes round in the same order; without a card taken now and then each seat would meet the same cards.
        return TAKE_DISCARD if view.recycles and view.event_count % 5 == 0 and upcard is not None else DRAW_STOCK

    def _melds_with(self, hand: int, card: int) -> bool:
        if hand & ~NATURALS:
            return any(m.mask & card for m in self._rules.melds_of(hand | card))
        return any(m & card for m in self._rules.natural_melds_of(hand | card))

    def _put_down(self, view: BasicView) -> Action | None:
        """The meld worth most, else a lay-off, else nothing."""
        hand = view.hand_mask
        if hand & ~NATURALS:
            return self._put_down_with_jokers(view)
        if view.may_meld:
            melds = self._rules.natural_melds_of(hand)
            if melds:
                best = max(melds, key=self._worth)
                if hand & ~best & ~view.banned_mask:
                    return LayMeld(self._rules.natural[best].meld)
                legal = view.melds()
                if legal:
                    return max(legal, key=lambda action: self._worth(action.meld.mask))
        fitting = hand & view.fits
        if not fitting:
            return None
        if not hand & (hand - 1) or not hand & ~view.banned_mask & ~fitting:
            legal_offs = view.lay_offs()
            return legal_offs[0] if legal_offs else None
        code = fitting.bit_length() - 1
        for number, m in enumerate(view.laid, 1):
            if m.fits & 1 << code:
                return LayOff(number, m.ends(code)[0], _PLAIN[code])
        return None

    def _put_down_with_jokers(self, view: BasicView) -> Action | None:
        melds = view.melds()
        if melds:
            return max(melds, key=lambda action: self._worth(action.meld.mask))
        offs = view.lay_offs()
        if offs:
            return max(offs, key=lambda action: self._worth(action.spot.card.mask))
        return None

    def _worth(self, cards: int) -> int:
        return sum(self._points[c.code] for c in cards_of(cards))

    def _throw(self, view: BasicView) -> Action:
        hand = view.hand_mask & ~view.banned_mask
        melded = 0
        for m in self._rules.natural_melds_of(hand):
            melded |= m
        loose = hand & NATURALS & ~melded or hand & NATURALS or hand
        if view.recycles:
            # The whole stock has gone by and nobody is out: holding the same low cards for ever would end nothing.
            choice = cards_of(loose)
            return Discard(choice[view.event_count // 7 % len(choice)])
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


def just_drawn(view: BasicView) -> int:
    """The card drawn from the stock or taken this turn while nothing has been put down since, as a mask; else 0."""
    last = view.events_from(view.event_count - 1)[0]
    return card(last.args).mask if last.verb in ("ds", "dd") else 0
