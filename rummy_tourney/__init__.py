"""Seeded, verifiable tournaments for rummy bots, and audits for card rooms.

What a bot author needs can be imported from here::

    from rummy_tourney import Phase, SeatView, best_discard, Discard, DRAW_STOCK

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rummy_tourney.bot.protocol import Bot, MatchInfo
    from rummy_tourney.cards import Card, CardSet, Rank, Suit, card
    from rummy_tourney.game.actions import (
        DRAW_STOCK,
        PASS,
        TAKE_DISCARD,
        Action,
        BigGin,
        Declare,
        Discard,
        Knock,
        LayMeld,
        LayOff,
        Show,
        SwapJoker,
    )
    from rummy_tourney.game.events import Event
    from rummy_tourney.game.notation import action_text, read_action
    from rummy_tourney.game.rules import DealResult
    from rummy_tourney.game.view import DealInfo, Phase, SeatView
    from rummy_tourney.melds import (
        Arrangement,
        Meld,
        all_natural_melds,
        arrangements,
        best_arrangement,
        best_defence,
        best_discard,
        candidate_melds,
        deadwood,
        discard_table,
        knock_arrangement,
        lays_off_on,
        meld,
    )

_HOME: Final = {
    "bot.protocol": ("Bot", "MatchInfo"),
    "cards": ("Card", "CardSet", "Rank", "Suit", "card"),
    "game.actions": (
        "DRAW_STOCK", "PASS", "TAKE_DISCARD", "Action", "BigGin", "Declare", "Discard", "Knock", "LayMeld", "LayOff", "Show",
        "SwapJoker",
    ),
    "game.events": ("Event",),
    "game.notation": ("action_text", "read_action"),
    "game.rules": ("DealResult",),
    "game.view": ("DealInfo", "Phase", "SeatView"),
    "melds": (
        "Arrangement", "Meld", "all_natural_melds", "arrangements", "best_arrangement", "best_defence", "best_discard",
        "candidate_melds", "deadwood", "discard_table", "knock_arrangement", "lays_off_on", "meld",
    ),
}  # fmt: skip
_MODULE_OF: Final = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "DRAW_STOCK",
    "PASS",
    "TAKE_DISCARD",
    "Action",
    "Arrangement",
    "BigGin",
    "Bot",
    "Card",
    "CardSet",
    "DealInfo",
    "DealResult",
    "Declare",
    "Discard",
    "Event",
    "Knock",
    "LayMeld",
    "LayOff",
    "MatchInfo",
    "Meld",
    "Phase",
    "Rank",
    "SeatView",
    "Show",
    "Suit",
    "SwapJoker",
    "action_text",
    "all_natural_melds",
    "arrangements",
    "best_arrangement",
    "best_defence",
    "best_discard",
    "candidate_melds",
    "card",
    "deadwood",
    "discard_table",
    "knock_arrangement",
    "lays_off_on",
    "meld",
    "read_action",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'rummy_tourney' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"rummy_tourney.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
