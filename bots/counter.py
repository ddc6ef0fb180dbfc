"""A gin bot that counts cards: what lies in the discard pile can no longer complete a meld.

It takes the upcard when that lowers its deadwood and knocks as soon as it may. Among the discards that leave the least
deadwood it throws the card that the fewest cards still out there could turn into a meld.
"""

from rummy_tourney import DRAW_STOCK, PASS, TAKE_DISCARD, Action, Card, CardSet, DealInfo, Discard, Event, Knock, Phase, card
from rummy_tourney.game.variants.gin import GinView
from rummy_tourney.melds import all_natural_melds, best_discard, deadwood, discard_table, knock_arrangement

THREES = [CardSet(meld.mask) for meld in all_natural_melds() if len(meld.spots) == 3]


class Counter:
    """Least deadwood, with an eye on what is gone."""

    def new_deal(self, info: DealInfo) -> None:
        """Forget the last deal."""
        self.gone = CardSet()

    def observe(self, event: Event) -> None:
        """Remember every card that is thrown."""
        if event.verb == "dc":
            self.gone = self.gone | card(event.args)

    def act(self, view: GinView) -> Action | list[Action]:
        """One decision."""
        if view.phase is Phase.LAYOFF:
            return view.best_defence()
        if view.phase in (Phase.SHED, Phase.WALL_KNOCK):
            return self.shed(view)
        if view.phase is Phase.WALL:
            return view.legal_actions()[-1]  # take the last discard if that lets us knock
        if view.upcard is not None and view.phase is not Phase.FORCED:
            thrown, left = best_discard(view.hand | view.upcard)
            if thrown is not view.upcard and left < deadwood(view.hand):
                return TAKE_DISCARD
        return PASS if view.phase is Phase.UPCARD else DRAW_STOCK

    def shed(self, view: GinView) -> Action:
        """Knock if that is allowed, else throw the most useless card."""
        allowed = [(left, thrown) for thrown, left in discard_table(view.hand) if not thrown.mask & view.banned_mask]
        least = min(left for left, _ in allowed)
        best = [thrown for left, thrown in allowed if left == least]
        thrown = min(best, key=lambda c: (self.chances(view.hand, c), -c.rank, c.suit))
        if least > view.limit:
            return Discard(thrown)
        return Knock(thrown, knock_arrangement(view.hand - thrown).melds)

    def chances(self, hand: CardSet, held: Card) -> int:
        """How many cards still out there would make a meld of this card and one other of the hand."""
        missing = [three - hand for three in THREES if held in three]
        return sum(len(cards) == 1 and not cards <= self.gone for cards in missing)
