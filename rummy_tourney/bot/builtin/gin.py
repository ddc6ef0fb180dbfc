"""``greedy`` for gin: least deadwood now, knock as soon as allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.cards import CARDS
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, BigGin, Discard, Knock
from rummy_tourney.game.variants.gin import GinView, best_defence_actions
from rummy_tourney.game.variants.gin.table import as_melds
from rummy_tourney.game.view import Phase, SeatView
from rummy_tourney.melds import kernel


@builtin("gin", "greedy")
class GreedyGin:
    """Takes the upcard if that lowers its deadwood, throws the card that leaves least, knocks at the first chance."""

    def act(self, view: SeatView) -> Action | Sequence[Action]:
        """One step of least deadwood."""
        phase = view.phase
        if phase is Phase.SHED:
            return self._shed(view)
        if phase is Phase.DRAW or phase is Phase.UPCARD:
            upcard = view.upcard
            if upcard is not None:
                hand = view.hand_mask
                taken = hand | upcard.mask
                code, left = kernel.best_discard(taken)
                if left < kernel.deadwood(hand) and code != upcard.code:
                    return TAKE_DISCARD
            return DRAW_STOCK if phase is Phase.DRAW else PASS
        if phase is Phase.FORCED:
            return DRAW_STOCK
        if phase is Phase.WALL:
            return view.legal_actions()[-1]
        if phase is Phase.WALL_KNOCK:
            return self._shed(view)
        return best_defence_actions(cast(GinView, view))

    def _shed(self, view: SeatView) -> Action:
        hand = view.hand_mask
        if view.banned_mask:
            code, left = kernel.best_discard_except(hand, view.banned_mask)
        else:
            code, left = kernel.best_discard(hand)
        card = CARDS[code]
        if left > cast(GinView, view).limit:
            return Discard(card)
        if left == 0 and kernel.deadwood(hand) == 0 and view.deal.options.big_gin_bonus is not None:  # type: ignore[attr-defined]  # a gin view has gin options
            return BigGin(as_melds(kernel.arrangement(hand)))
        return Knock(card, as_melds(kernel.knock_arrangement(hand ^ card.mask)))
