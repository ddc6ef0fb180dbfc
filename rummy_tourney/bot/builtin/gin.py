"""``greedy`` for gin: least deadwood now, knock as soon as allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.cards import CARDS
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, BigGin, Discard, Knock
from rummy_tourney.game.variants.gin import GinView, best_defence_actions
from rummy_tourney.game.variants.gin.table import as_melds
from rummy_tourney.game.view import Phase
from rummy_tourney.melds import kernel

# An attribute of an Enum class is a slow look-up, a global is not; these are asked for twenty times a hand.
_SHED, _DRAW, _UPCARD, _FORCED = Phase.SHED, Phase.DRAW, Phase.UPCARD, Phase.FORCED
_DISCARDS: Final = tuple(Discard(CARDS[code]) for code in range(52))


_RANK_MATES: Final = tuple(sum(kernel.BITS[code % 13 + 13 * suit] for suit in range(4)) for code in range(52))
_NEIGHBOURS: Final = tuple(
    sum(kernel.BITS[code + step] for step in (-2, -1, 1, 2) if 0 <= code % 13 + step <= 12) for code in range(52)
)


def _useless(hand: int, code: int) -> bool:
    """Whether a card of ten points surely fits no meld of the hand; then taking it cannot lower deadwood.

    It would stay loose at ten points, and the card thrown for it saves ten at most. Most upcards are of this kind, and this
    costs a fraction of a best discard.
    """
    return (
        code % 13 >= 9
        and (hand & _NEIGHBOURS[code]).bit_count() < 2
        and (hand & _RANK_MATES[code]).bit_count() < 2
    )


@builtin("gin", "greedy")
class GreedyGin:
    """Takes the upcard if that lowers its deadwood, throws the card that leaves least, knocks at the first chance."""

    def __init__(self) -> None:
        # The hand after the last discard with its deadwood: the next question is about that very hand.
        self._hand = 0
        self._deadwood = 0

    def act(self, view: GinView) -> Action | Sequence[Action]:
        """One step of least deadwood."""
        phase = view.phase
        hand = view.hand_mask
        if phase is _DRAW:
            return self._take(view, hand) or DRAW_STOCK
        if phase is _SHED:
            if view.banned_mask:
                code, left = kernel.best_discard_except(hand, view.banned_mask)
            else:
                code, left = kernel.best_discard(hand)
            return self._end_turn(view, hand, code, left)
        if phase is _UPCARD:
            return self._take(view, hand) or PASS
        if phase is _FORCED:
            return DRAW_STOCK
        return self._rare(view, hand)

    def _rare(self, view: GinView, hand: int) -> Action | Sequence[Action]:
        """The wall, and the answer to a knock."""
        if view.phase is Phase.WALL:
            return view.legal_actions()[-1]
        if view.phase is Phase.WALL_KNOCK:
            return self._end_turn(view, hand, *kernel.best_discard_except(hand, view.banned_mask))
        return best_defence_actions(view)

    def _take(self, view: GinView, hand: int) -> Sequence[Action] | None:
        """Take the upcard and throw another card, if that leaves less deadwood than now."""
        upcard = view.upcard
        if upcard is None:
            return None
        if _useless(hand, upcard.code):
            return None
        taken = hand | upcard.mask
        code, left = kernel.best_discard(taken)
        now = self._deadwood if hand == self._hand else kernel.deadwood(hand)
        if left >= now or code == upcard.code:
            return None
        return TAKE_DISCARD, self._end_turn(view, taken, code, left)

    def _end_turn(self, view: GinView, hand: int, code: int, left: int) -> Action:
        """Throw the card ``code``, which leaves ``left`` points of deadwood, and end the hand if that may be."""
        self._hand = hand ^ kernel.BITS[code]
        self._deadwood = left
        if left > view.limit:
            return _DISCARDS[code]
        if left == 0 and view.big_gin and kernel.deadwood(hand) == 0:
            return BigGin(as_melds(kernel.arrangement(hand)))
        return Knock(CARDS[code], as_melds(kernel.knock_arrangement(self._hand)))
