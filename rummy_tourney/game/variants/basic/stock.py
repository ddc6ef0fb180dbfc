"""What happens when the stock runs out: turned over, shuffled again, or the end of drawing.

The discard pile is a list of card codes, the oldest first. A turned over pile keeps its order: the oldest discard is drawn
first. A shuffled one takes its order from the deal's chance, where number ``p`` stands for the card at place ``p`` of the pile.
"""

from __future__ import annotations

from rummy_tourney.game.table import Table
from rummy_tourney.game.variants.basic.options import BasicOptions

AT_START_OF_TURN = "reshuffle_flip"
"""The one way to renew the stock that does not wait for a seat to draw from it."""


def can_recycle(options: BasicOptions, pile_count: int, recycles: int) -> bool:
    """Whether a discard pile of ``pile_count`` cards can become the stock, after ``recycles`` times before."""
    mode = options.stock_exhaustion
    if mode in ("block", "void_at_threshold"):
        return False
    if options.max_recycles is not None and recycles >= options.max_recycles:
        return False
    return pile_count > (1 if mode in ("reshuffle_keep_top", "reshuffle_flip") else 0)


def recycle(table: Table, options: BasicOptions, number: int) -> None:
    """Make the discard pile the stock, for the ``number``-th time in this deal; :func:`can_recycle` has to agree."""
    mode = options.stock_exhaustion
    pile = table.pile
    if mode == "turn_over":
        table.pile = []
        table.renew_stock(pile, hidden=False)
        return
    stay = len(pile) - 1 if mode == "reshuffle_keep_top" else len(pile)
    # Asked before anything changes: on replay the order is found by looking at the pile.
    shuffled = table.reshuffled(pile[:stay], number)
    table.pile = pile[stay:]
    table.renew_stock(shuffled, hidden=True)
    if mode == AT_START_OF_TURN:
        table.turn_upcard()
