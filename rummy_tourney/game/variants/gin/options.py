"""Options and presets of the gin family: gin, straight gin, Oklahoma, Hollywood scoring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rummy_tourney.errors import OptionProblem
from rummy_tourney.game.options import Choice, Flag, Whole, option
from rummy_tourney.game.rules import Preset


@dataclass(frozen=True, slots=True)
class GinOptions:
    """Everything a table of gin may agree on beforehand."""

    knock_limit: int = option(10, "most deadwood to knock with; 0 is straight gin", Whole(0, 10))
    gin_bonus: int = option(25, "points for going gin", Whole(among=(20, 25)))
    undercut_bonus: int = option(25, "points for undercutting the knocker", Whole(among=(10, 20, 25)))
    undercut_on_tie: bool = option(True, "equal deadwood is an undercut; if not, nobody scores", Flag())
    big_gin_bonus: int | None = option(
        None, "points for melding eleven cards; null: not played", Whole(among=(31, 50), or_none=True)
    )
    box_bonus: int = option(25, "points at the end for every hand won", Whole(among=(0, 10, 20, 25)))
    immediate_boxes: bool = option(False, "boxes count towards the target at once", Flag())
    game_bonus: int = option(100, "points for reaching the target", Whole(among=(0, 100)))
    target: int = option(100, "hand points that end the game", Whole(1, 100_000))
    shutout: str = option(
        "flat:100",
        "extra if the loser won no hand",
        Choice(("none", "flat:N", "double_hand_points", "double_bonuses", "double_all")),
    )
    next_dealer: str = option(
        "loser_deals", "who deals after a scored hand", Choice(("loser_deals", "winner_deals", "alternate"))
    )
    wall_rule: str = option(
        "void_at_2",
        "at two stock cards: dead, or the last discard may be taken to knock with",
        Choice(("void_at_2", "last_upcard_knock")),
    )
    first_turn: str = option(
        "upcard_offer", "the first upcard is offered, or the first player gets eleven cards",
        Choice(("upcard_offer", "eleven_cards")),
    )  # fmt: skip
    ban_discard_back: bool = option(True, "the card just taken from the discard pile may not be thrown", Flag())
    hollywood: bool = option(False, "three games at once, Hollywood scoring", Flag())
    layoff_mode: str = option(
        "player", "the defender lays off, or the engine does it best", Choice(("player", "auto"))
    )
    max_turns: int = option(200, "turns after which a hand is dead", Whole(30, 100_000))
    max_dead_hands: int = option(20, "dead hands in a row after which the game ends as it stands", Whole(1, 10_000))
    forfeit_points: int = option(50, "the least a forfeited hand costs", Whole(0, 10_000))
    oklahoma: bool = option(False, "the first upcard sets the knock limit", Flag())
    ace_rule: str = option("gin_only", "an ace as upcard: only gin, or a limit of one", Choice(("gin_only", "one")))
    spade_double: bool = option(False, "a spade as upcard doubles the hand", Flag())
    spade_double_boxes: bool = option(False, "a spade doubles the boxes too", Flag())
    gin_extra_boxes: int = option(0, "extra boxes for gin", Whole(0, 2))
    undercut_extra_boxes: int = option(0, "extra boxes for an undercut", Whole(0, 1))
    knock_limit_cap: int = option(10, "Oklahoma: the limit is never higher than this", Whole(0, 10))

    def problems(self) -> Iterable[OptionProblem]:
        """Combinations that cannot be played."""
        if self.oklahoma and self.first_turn != "upcard_offer":
            yield OptionProblem("first_turn", "Oklahoma needs first_turn: upcard_offer, the upcard sets the limit")
        if self.oklahoma and self.knock_limit != 10:
            yield OptionProblem(
                "knock_limit", "the upcard sets the limit in Oklahoma; use knock_limit_cap for a stricter house rule"
            )
        if self.spade_double_boxes and not self.spade_double:
            yield OptionProblem("spade_double_boxes", "needs spade_double: true, without it no hand is doubled")
        if not self.oklahoma:
            if self.spade_double:
                yield OptionProblem("spade_double", "needs oklahoma: true, it looks at the upcard that sets the limit")
            if self.ace_rule != "gin_only":
                yield OptionProblem("ace_rule", "needs oklahoma: true; without it an ace as upcard sets no limit")
            if self.knock_limit_cap != 10:
                yield OptionProblem("knock_limit_cap", "needs oklahoma: true; without it set knock_limit")


_CLASSIC: Final = {"gin_bonus": 20, "undercut_bonus": 10, "box_bonus": 20}
_OKLAHOMA: Final = {"oklahoma": True, "spade_double": True, "target": 150}

PRESETS: Final[Mapping[str, Preset]] = {
    "standard": Preset({}, "gin 25, undercut 25, box 25, game 100, dead at two stock cards"),
    "modern": Preset({"big_gin_bonus": 31, "shutout": "double_all"}, "standard with big gin and a doubled shutout"),
    "classic": Preset(_CLASSIC, "the older card books: gin 20, undercut 10, box 20"),
    "palace": Preset(
        {"undercut_bonus": 20, "box_bonus": 10, "immediate_boxes": True, "game_bonus": 0, "shutout": "none"},
        "boxes count at once, no game bonus",
    ),
    "eaai": Preset(
        {"box_bonus": 0, "game_bonus": 0, "shutout": "none", "next_dealer": "alternate"},
        "the EAAI-2021 challenge: hand points only, alternate deal",
    ),
    "openspiel": Preset(
        {"undercut_on_tie": False, "wall_rule": "last_upcard_knock", "ban_discard_back": False},
        "OpenSpiel's gin_rummy; play it with a fixed number of deals",
    ),
    "straight": Preset({"knock_limit": 0}, "only gin ends the hand"),
    "oklahoma": Preset(_OKLAHOMA, "the first upcard sets the knock limit; spades double"),
    "oklahoma-plain": Preset({"oklahoma": True, "target": 100}, "Oklahoma without the spades, to 100"),
}
