"""What a bot may answer. Every action is a small frozen value with a text form (``notation.py``).

Actions are shared by all games; a variant says which it uses and when. Their text is the move of the hand history without
the actor: ``ds``, ``dd 5c``, ``dc 9d``, ``m 7c7d7h``, ``lo M2>7s``, ``kn 9d [7c7d7h][4s5s6s]``.
"""

from __future__ import annotations

from msgspec import Struct

from rummy_tourney.cards import Card
from rummy_tourney.melds.model import Meld, Spot


class Pass(Struct, frozen=True, gc=False):
    """Do nothing: refuse the first upcard, stay out at the wall, decline where a rule lets you."""


class DrawStock(Struct, frozen=True, gc=False):
    """Take the top card of the stock."""


class TakeDiscard(Struct, frozen=True, gc=False):
    """Take the upcard, the top of the discard pile."""


class Discard(Struct, frozen=True):
    """Throw one card on the discard pile."""

    card: Card


class LayMeld(Struct, frozen=True):
    """Lay a meld on the table."""

    meld: Meld


class LayOff(Struct, frozen=True):
    """Add one card to a meld on the table.

    ``meld`` is the number of the meld (``1`` is written ``M1``); ``end`` is ``">"`` (high end of a run), ``"<"`` (low end)
    or ``"+"`` (a set). ``spot`` is the card with what it stands for, when it is a joker.
    """

    meld: int
    end: str
    spot: Spot


class SwapJoker(Struct, frozen=True):
    """Put a natural card in the place of the joker that stands for it; the joker comes to the hand."""

    meld: int
    joker: Card
    card: Card


class Knock(Struct, frozen=True):
    """End the deal: throw ``card`` and claim ``melds``. With no deadwood left it is gin, whatever it was called.

    Without any melds in gin, where nobody could knock so, the engine claims the best ones, those least open to lay-offs.
    """

    card: Card
    melds: tuple[Meld, ...]


class BigGin(Struct, frozen=True):
    """End the deal with every card melded and nothing thrown."""

    melds: tuple[Meld, ...]


class Show(Struct, frozen=True):
    """The defender lays own melds and shows what is left; ends the lay-off."""

    melds: tuple[Meld, ...]


class Declare(Struct, frozen=True):
    """Lay the whole hand at once, throwing ``card`` where the rules leave one over."""

    melds: tuple[Meld, ...]
    card: Card | None


Action = (
    Pass | DrawStock | TakeDiscard | Discard | LayMeld | LayOff | SwapJoker | Knock | BigGin | Show | Declare
)

PASS = Pass()
DRAW_STOCK = DrawStock()
TAKE_DISCARD = TakeDiscard()
