"""A bare function is a bot too: never looks at the discard pile, throws its best discard, knocks as soon as it may."""

from rummy_tourney import DRAW_STOCK, PASS, Action, Discard, Knock, Phase
from rummy_tourney.game.variants.gin import GinView
from rummy_tourney.melds import best_discard, knock_arrangement


def act(view: GinView) -> Action | list[Action]:
    """One decision."""
    if view.phase is Phase.LAYOFF:
        return view.best_defence()
    if view.phase in (Phase.UPCARD, Phase.WALL):
        return PASS
    if view.phase in (Phase.DRAW, Phase.FORCED):
        return DRAW_STOCK
    # Nothing is ever taken from the discard pile, so no card is ever banned.
    thrown, left = best_discard(view.hand)
    if left > view.limit:
        return Discard(thrown)
    return Knock(thrown, knock_arrangement(view.hand - thrown).melds)
