"""``random``: uniform over the legal actions of any game."""

from __future__ import annotations

from rummy_tourney.bot.builtin import ANY_FAMILY, builtin
from rummy_tourney.game.actions import Action
from rummy_tourney.game.view import SeatView
from rummy_tourney.seeding import Stream


@builtin(ANY_FAMILY, "random")
class RandomBot:
    """Plays any legal action with equal chance. The floor of every table."""

    def __init__(self, *, stream: Stream) -> None:
        self._below = stream.below

    def act(self, view: SeatView) -> Action:
        """One of the legal actions, each equally likely."""
        legal = view.legal_actions()
        return legal[self._below(len(legal))]
