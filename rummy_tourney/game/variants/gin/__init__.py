"""Gin rummy and its relatives: straight gin, Oklahoma, Hollywood scoring."""

from __future__ import annotations

from rummy_tourney.cards import Pack, pack
from rummy_tourney.game.rules import DealSetup, Family, register
from rummy_tourney.game.variants.gin.options import PRESETS, GinOptions
from rummy_tourney.game.variants.gin.scoring import GinScoring
from rummy_tourney.game.variants.gin.table import GinTable, GinView, best_defence_actions

__all__ = ["GIN", "GinOptions", "GinRules", "GinScoring", "GinTable", "GinView", "best_defence_actions"]


class GinRules:
    """Gin with its options fixed."""

    def __init__(self, options: GinOptions) -> None:
        self.options = options

    @property
    def pack(self) -> Pack:
        """One pack, no jokers."""
        return pack()

    def start(self, setup: DealSetup) -> GinTable:
        """Deal ten cards each and stop at the offer of the first upcard."""
        return GinTable(setup, self.options)

    def forfeit_points(self) -> int:
        """The least a forfeited hand costs."""
        return self.options.forfeit_points


GIN = register(
    Family(
        name="gin",
        title="Gin rummy",
        doc="Two players, ten cards each; knock with little deadwood, or go gin.",
        seats=range(2, 3),
        options=GinOptions,
        presets=PRESETS,
        make=GinRules,
        scoring=GinScoring,
    )
)
