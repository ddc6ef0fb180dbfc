"""A gin bot with a knob: it knocks only with little deadwood, hoping for gin or a safer lead.

    {name: patient, bot: ../bots/careful.py, options: {knock: 0}}

``knock`` (default 5) is the most deadwood it knocks with while the stock is long; near the wall it takes what it gets.
"""

from collections.abc import Mapping

from rummy_tourney import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Discard, Knock, Phase
from rummy_tourney.game.variants.gin import GinView
from rummy_tourney.melds import best_discard, candidate_melds, discard_table, knock_arrangement


class Careful:
    """Takes only what makes a meld, and knocks late."""

    def __init__(self, *, options: Mapping[str, object]) -> None:
        self.knock = int(str(options.get("knock", 5)))

    def act(self, view: GinView) -> Action | list[Action]:
        """One decision."""
        if view.phase is Phase.LAYOFF:
            return view.best_defence()
        if view.phase in (Phase.SHED, Phase.WALL_KNOCK):
            return self.shed(view)
        if view.phase is Phase.WALL:
            return view.legal_actions()[-1]  # take the last discard if that lets us knock
        if view.upcard is not None and view.phase is not Phase.FORCED:
            more = view.hand | view.upcard
            useful = any(view.upcard.mask & meld.mask for meld in candidate_melds(more))
            if useful and best_discard(more)[0] is not view.upcard:
                return TAKE_DISCARD
        return PASS if view.phase is Phase.UPCARD else DRAW_STOCK

    def shed(self, view: GinView) -> Action:
        """Throw what leaves the least, the dearest of it; knock when that is little enough."""
        choices = [(left, -c.rank, c) for c, left in discard_table(view.hand) if not c.mask & view.banned_mask]
        left, _, thrown = min(choices)
        limit = view.limit if view.stock_count < 12 or view.phase is Phase.WALL_KNOCK else min(view.limit, self.knock)
        if left > limit:
            return Discard(thrown)
        return Knock(thrown, knock_arrangement(view.hand - thrown).melds)
