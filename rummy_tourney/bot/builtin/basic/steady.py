"""``steady``: sound card-book play of basic rummy and Wrotham."""

from __future__ import annotations

from typing import cast

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.bot.builtin.basic.memory import Memory
from rummy_tourney.bot.builtin.basic.planning import Plan, Planner, Situation
from rummy_tourney.bot.builtin.basic.whole_hand import WholeHand
from rummy_tourney.cards import Card, cards_of
from rummy_tourney.errors import EngineBug
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action
from rummy_tourney.game.variants.basic import BasicOptions, BasicView
from rummy_tourney.game.view import DealInfo, Phase, SeatView

HOLD_DOWN_TO = 4
"""Melds are held back for going rummy while every other seat has at least so many cards."""


@builtin("basic", "steady")
class SteadyBasic:
    """Plans each turn with what it has seen.

    It takes the discard only to meld it or lay it off, keeps the loose cards with most live cards to complete them, gets rid of
    points as the others come near to going out, and avoids what the next seat can use. Melds go on the table at once,
    except where going rummy pays double.
    """

    def __init__(self) -> None:
        self._deal: DealInfo | None = None
        self._options: BasicOptions | None = None
        self._planner: Planner
        self._whole_hand: WholeHand
        self._memory: Memory

    def act(self, seat_view: SeatView) -> Action:
        """The next step of the best plan."""
        view = cast(BasicView, seat_view)
        if view.deal is not self._deal or view.event_count < self._memory.told:
            self._new_deal(view)
        self._memory.follow(view)
        if view.all_at_once:
            choose = self._whole_hand.draw if view.phase is Phase.DRAW else self._whole_hand.play
            return choose(view, self._memory)
        return self._draw(view) if view.phase is Phase.DRAW else self._play(view)

    def _new_deal(self, view: BasicView) -> None:
        self._deal = view.deal
        self._memory = Memory(view)
        if view.deal.options is not self._options:
            self._options = view.basic_options
            self._planner = Planner(self._options)
            self._whole_hand = WholeHand(self._options)

    def _situation(self, view: BasicView, *, drawn: int = 0, banned: int = 0, may_meld: bool = True) -> Situation:
        nearest = min(count for seat, count in enumerate(view.counts) if seat != view.seat)
        after = (view.seat + 1) % view.deal.seats
        live = self._memory.live & ~drawn
        return Situation(
            view.hand_mask | drawn, banned, view.laid, may_meld, view.may_lay_off, live, _risk(nearest) // (1 + view.recycles),
            self._memory.known[after], min(1000, 1000 * view.counts[after] // max(1, live.bit_count())),
        )  # fmt: skip

    # --- drawing ---------------------------------------------------------------------------------------------------

    def _draw(self, view: BasicView) -> Action:
        upcard = view.upcard
        if upcard is None:
            return DRAW_STOCK
        banned = upcard.mask if self._planner.options.ban_discard_back else 0
        taken = self._planner.best(self._situation(view, drawn=upcard.mask, banned=banned))
        if taken is not None and taken.goes_out:
            return TAKE_DISCARD
        if self._useful(view, upcard):
            return TAKE_DISCARD
        if not view.can_draw:
            return self._without_stock(view, upcard)
        known = self._memory.next_card
        if known is not None and taken is not None:
            drawn = self._planner.best(self._situation(view, drawn=1 << known))
            if drawn is not None and drawn.value < taken.value:
                return TAKE_DISCARD
        return DRAW_STOCK

    def _useful(self, view: BasicView, upcard: Card) -> bool:
        """Whether the upcard can be melded or laid off."""
        if upcard.is_joker or upcard.mask & view.fits or any(m.swaps & upcard.mask for m in view.laid):
            return True
        return self._planner.rules.makes_meld(upcard.code, view.hand_mask)

    def _without_stock(self, view: BasicView, upcard: Card) -> Action:
        """Nothing can be drawn: change a dear card for a cheaper one as long as there is one, then let the deal end."""
        points = self._planner.points
        dearest = max(points[c.code] for c in cards_of(view.hand_mask))
        return TAKE_DISCARD if points[upcard.code] < dearest else PASS

    # --- playing ---------------------------------------------------------------------------------------------------

    def _play(self, view: BasicView) -> Action:
        situation = self._situation(view, banned=view.banned_mask, may_meld=view.may_meld)
        plan = self._planner.best(situation)
        if plan is not None and not plan.goes_out and self._holds_back(view):
            plan = self._planner.throw_only(situation) or plan
        return _first(view, plan)

    def _holds_back(self, view: BasicView) -> bool:
        """Whether to keep all melds in hand for going rummy: only if that pays double and nobody is near the end."""
        options = self._planner.options
        if options.rummy_bonus != "double" or options.meld_limit_per_turn == 1 or not view.fresh:
            return False
        return min(count for seat, count in enumerate(view.counts) if seat != view.seat) >= HOLD_DOWN_TO


def _first(view: BasicView, plan: Plan | None) -> Action:
    """The first step of a plan; without one there is only what the rules leave."""
    if plan is not None:
        return plan.actions[0]
    legal = view.legal_actions()
    if not legal:
        raise EngineBug("a seat is asked and may do nothing")
    return legal[-1]


def _risk(nearest: int) -> int:
    """Percentage of its points that a card in hand is expected to cost when the nearest seat has so many cards."""
    if nearest >= 7:
        return 25
    return 100 if nearest >= 4 else 200
