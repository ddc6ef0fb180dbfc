"""What the author of a bot writes.

A bot is any object with a method ``act(view)``, or a bare function ``act(view)``. It answers one action, or a list of actions
for the rest of its turn, applied in order. Everything else is optional and called only if it is there::

    class Counter:
        def __init__(self, *, rng: random.Random, options: Mapping[str, object]) -> None: ...
        def new_match(self, info: MatchInfo) -> None: ...
        def new_deal(self, info: DealInfo) -> None: ...
        def observe(self, event: Event) -> None: ...
        def act(self, view: SeatView) -> Action | Sequence[Action]: ...
        def deal_over(self, result: DealResult) -> None: ...
        def close(self) -> None: ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from rummy_tourney.game.actions import Action
from rummy_tourney.game.view import SeatView


class Bot(Protocol):
    """The one method every bot has."""

    def act(self, view: SeatView) -> Action | Sequence[Action]:
        """Answer the decision that ``view.phase`` asks for."""


class MatchInfo(Struct, frozen=True):
    """What a bot is told when a match begins: the game with its options, its seat count, and the match format."""

    family: str
    options: Mapping[str, object]
    seats: int
    deals: int | None
    games: int | None
