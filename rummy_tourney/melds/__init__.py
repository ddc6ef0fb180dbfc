"""Melds, deadwood and lay-offs: the part of rummy that is arithmetic.

The words, used the same way in code, logs and help:

=============  ==========================================================================================
meld           a set or a run; a card is in at most one
set            three or four cards of one rank, all of different suits
run            three or more cards of one suit in sequence; the ace is low unless a game says otherwise
deadwood       the points of the cards in no meld: ace 1, 2 to 10 their pips, J Q K 10
loose          not in any meld; a loose card counts as deadwood
arrangement    one way to meld a hand: disjoint melds and what they leave loose
claim          the arrangement a knocker shows; it need not be the best, only within the limit
lay off        add a card to a meld on the table, at the low (``<``) or high (``>``) end of a run or to a set (``+``)
chain          lay-offs at one end of a run, each resting on the one before, such as the 8 and then the 9 on 5-6-7
defence        what the other side of a knock does: lay-offs and own melds, chosen together
spot           one place of a meld: a card and the card it stands for
=============  ==========================================================================================

``model`` has the objects and their text, ``solve`` the answers a bot wants (``best_discard(view.hand)``), ``kernel``
the same on plain ints, where the work is done.
"""

from rummy_tourney.melds.model import (
    Arrangement,
    Meld,
    MeldKind,
    Spot,
    all_natural_melds,
    arrange_spots,
    make_meld,
    meld,
    melds_of,
    melds_text,
    natural_meld,
    points_of,
    read_melds,
    split_spots,
    spot,
    spots_text,
)
from rummy_tourney.melds.solve import (
    Defence,
    LaidOff,
    arrangements,
    best_arrangement,
    best_defence,
    best_discard,
    candidate_melds,
    deadwood,
    discard_table,
    knock_arrangement,
    lays_off_on,
)

__all__ = [
    "Arrangement",
    "Defence",
    "LaidOff",
    "Meld",
    "MeldKind",
    "Spot",
    "all_natural_melds",
    "arrange_spots",
    "arrangements",
    "best_arrangement",
    "best_defence",
    "best_discard",
    "candidate_melds",
    "deadwood",
    "discard_table",
    "knock_arrangement",
    "lays_off_on",
    "make_meld",
    "meld",
    "melds_of",
    "melds_text",
    "natural_meld",
    "points_of",
    "read_melds",
    "split_spots",
    "spot",
    "spots_text",
]
