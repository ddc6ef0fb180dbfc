"""Basic (straight) rummy in its house forms, and Wrotham rummy."""

from __future__ import annotations

from rummy_tourney.cards import Pack, pack
from rummy_tourney.game.rules import DealSetup, Family, register
from rummy_tourney.game.variants.basic.melds import Laid, MeldRules, meld_rules
from rummy_tourney.game.variants.basic.options import MOST_SEATS, PRESETS, BasicOptions, fill_in
from rummy_tourney.game.variants.basic.payout import payout
from rummy_tourney.game.variants.basic.play import BasicView, completes
from rummy_tourney.game.variants.basic.scoring import BasicScoring, card_points
from rummy_tourney.game.variants.basic.table import BasicTable, LowWinsTable
from rummy_tourney.game.variants.basic.wrotham import declarations

__all__ = [
    "BASIC",
    "BasicOptions",
    "BasicRules",
    "BasicScoring",
    "BasicTable",
    "BasicView",
    "Laid",
    "MeldRules",
    "card_points",
    "completes",
    "declarations",
    "meld_rules",
    "payout",
]


class BasicRules:
    """Basic rummy with its options fixed."""

    def __init__(self, options: BasicOptions) -> None:
        self.options = options
        self._melds = meld_rules(options)
        self._points = card_points(options)
        self._table = LowWinsTable if options.scoring == "losers_penalty" else BasicTable

    @property
    def pack(self) -> Pack:
        """One pack with the jokers of the options."""
        return pack(1, self.options.jokers)

    def start(self, setup: DealSetup) -> BasicTable:
        """Deal the hands and stop at the first decision."""
        return self._table(setup, self.options, self._melds, self._points)

    def forfeit_points(self) -> int:
        """The least a forfeited deal costs."""
        return self.options.forfeit_points


def _seats_of(options: BasicOptions) -> range:
    return options.seat_range


BASIC = register(
    Family(
        name="basic",
        title="Basic rummy",
        doc="Two to six players; meld sets and runs, lay off on every meld, and be the first to have no cards.",
        seats=range(2, MOST_SEATS + 1),
        options=BasicOptions,
        presets=PRESETS,
        make=BasicRules,
        scoring=BasicScoring,
        adjust=fill_in,
        seats_of=_seats_of,
    )
)
