"""Options and presets of the basic family: straight rummy in its many house forms, and Wrotham."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rummy_tourney.errors import OptionProblem
from rummy_tourney.game.options import Choice, CountMap, Flag, Whole, WholeList, option
from rummy_tourney.game.rules import Preset

DEFAULT_COUNTS: Final[Mapping[int, int]] = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
"""Cards dealt to each seat, by the number of seats."""
MOST_SEATS: Final = 6
WROTHAM_HAND: Final = 7
"""Cards of every hand in Wrotham; the first seat to act gets one more."""


@dataclass(frozen=True, slots=True)
class SeatRange:
    """How many may sit at a table: one number or two with a hyphen, as in ``4`` or ``2-4``."""

    low: int
    high: int

    def parse(self, raw: object) -> str:
        """``"2-4"`` or ``"4"``, whatever way it was written."""
        match = None if isinstance(raw, bool) else re.fullmatch(r"(\d{1,2})(?:\s*-\s*(\d{1,2}))?", str(raw).strip())
        if match is not None:
            low = int(match.group(1))
            high = int(match.group(2) or low)
            if self.low <= low <= high <= self.high:
                return str(low) if low == high else f"{low}-{high}"
        raise ValueError(f"expected {self.describe()}, got {raw!r}")

    def describe(self) -> str:
        """The allowed values in words."""
        return f"a number of seats {self.low} to {self.high}, or a range such as {self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class BasicOptions:
    """Everything a table of basic rummy may agree on beforehand."""

    players: str = option("2-6", "how many may sit at the table", SeatRange(2, MOST_SEATS))
    deal_counts: Mapping[str, int] = option(
        {str(n): count for n, count in DEFAULT_COUNTS.items()},
        "cards dealt to each seat, by the number of seats",
        CountMap(tuple(DEFAULT_COUNTS), 3, 20),
    )
    first_dealer: str = option("random", "who deals first", Choice(("random", "high_card", "seat:N")))
    next_dealer: str = option(
        "rotate", "who deals next: the next seat, or with two seats the winner", Choice(("rotate", "winner_deals_2p"))
    )
    void_dealer: str = option("same", "who deals again after a void deal", Choice(("same", "rotate")))
    meld_limit_per_turn: int | None = option(
        1, "melds a seat may lay in one turn; null: any number", Whole(among=(1,), or_none=True)
    )
    layoff_requires_own_meld: bool = option(False, "only who has a meld on the table may lay off", Flag())
    ace_run: str = option("low", "A-2-3 only, Q-K-A too, or K-A-2 as well", Choice(("low", "high_or_low", "round_corner")))
    ace_value: int = option(
        1, "points of an ace in hand; 15 where nothing is said and the ace may be high", Whole(among=(1, 11, 15))
    )
    must_discard_to_go_out: bool = option(False, "the last card has to be thrown", Flag())
    ban_discard_back: bool = option(True, "the card just taken from the discard pile may not be thrown", Flag())
    jokers: int = option(0, "jokers in the pack", Whole(0, 4))
    joker_points: int = option(15, "points of a joker in hand", Whole(0, 100))
    joker_reuse: str = option(
        "swap_with_natural", "the card a joker stands for may take its place", Choice(("none", "swap_with_natural"))
    )
    joker_set_binding: str = option(
        "declared", "a joker in a set stands for a named suit, or for any suit the set lacks",
        Choice(("declared", "any_missing_suit")),
    )  # fmt: skip
    joker_min_naturals: int = option(1, "natural cards a meld needs", Whole(among=(1, 2)))
    stock_exhaustion: str = option(
        "turn_over", "what happens when the stock runs out",
        Choice(("turn_over", "reshuffle", "reshuffle_keep_top", "reshuffle_flip", "block", "void_at_threshold")),
    )  # fmt: skip
    max_recycles: int | None = option(
        None, "how often the discard pile becomes the stock again; null: always", Whole(0, 1000, or_none=True)
    )
    limit_trigger: str = option(
        "on_decline", "with nothing left to draw the deal ends when a seat declines the discard, or at once",
        Choice(("on_decline", "immediate")),
    )  # fmt: skip
    limit_result: str = option(
        "no_out_scoring", "a deal that nobody can finish is scored by the hands, or not at all",
        Choice(("no_out_scoring", "stalemate_zero")),
    )  # fmt: skip
    void_threshold: int = option(2, "void_at_threshold: stock cards left when the deal is called off", Whole(0, 20))
    stalemate_detection: bool = option(False, "end a deal that nobody can ever win", Flag())
    scoring: str = option(
        "winner_takes", "the winner scores the others' hands, the losers score theirs, or both",
        Choice(("winner_takes", "losers_penalty", "winner_paid")),
    )  # fmt: skip
    rummy_bonus: str = option(
        "none",
        "going out at one go, without having melded before",
        Choice(("none", "double", "flat_winner:N", "penalty_each:N")),
    )
    rummy_bonus_rounds: tuple[int, ...] | None = option(
        None, "Wrotham: the deals with the rummy bonus, counted from 1; null: all open deals", WholeList(1, 1000)
    )
    match_end: str = option("target:100", "points that end the game, or a number of deals", Choice(("target:N", "deals:N")))
    match_tie: str = option(
        "shared", "a tie for the win is shared, or one more deal is played", Choice(("shared", "extra_deal"))
    )
    payout: str = option("none", "how the stakes are shared out", Choice(("none", "winner_all", "flash_75")))
    max_turns: int = option(1000, "turns after which a deal ends", Whole(30, 100_000))
    max_scoreless_deals: int = option(
        20, "deals in a row without a score after which the game ends as it stands", Whole(1, 10_000)
    )
    deal_special: str = option("none", "a game with deals of its own: Wrotham", Choice(("none", "wrotham")))
    open_rounds: int | None = option(
        None, "Wrotham: so many deals are open, then all at once; null: half of them", Whole(0, 1000, or_none=True)
    )
    forfeit_points: int = option(100, "the least a forfeited deal costs", Whole(0, 10_000))

    @property
    def wrotham(self) -> bool:
        """Whether this is Wrotham."""
        return self.deal_special == "wrotham"

    @property
    def pack_size(self) -> int:
        """Cards in the pack."""
        return 52 + self.jokers

    @property
    def seat_range(self) -> range:
        """How many may sit at the table."""
        low, _, high = self.players.partition("-")
        return range(int(low), int(high or low) + 1)

    @property
    def end_kind(self) -> str:
        """``target`` or ``deals``."""
        return self.match_end.partition(":")[0]

    @property
    def end_number(self) -> int:
        """The target, or the number of deals."""
        return int(self.match_end.partition(":")[2])

    @property
    def open_deals(self) -> int:
        """Wrotham: how many deals, from the first, are open."""
        return self.end_number // 2 if self.open_rounds is None else self.open_rounds

    @property
    def bonus_kind(self) -> str:
        """The rummy bonus without its number."""
        return self.rummy_bonus.partition(":")[0]

    @property
    def bonus_number(self) -> int:
        """The number of ``flat_winner:N`` and ``penalty_each:N``, 0 for the others."""
        return int(self.rummy_bonus.partition(":")[2] or 0)

    def hand_size(self, seats: int) -> int:
        """Cards dealt to each of ``seats`` seats."""
        return self.deal_counts.get(str(seats), DEFAULT_COUNTS[seats])

    def problems(self) -> Iterable[OptionProblem]:
        """Combinations that cannot be played."""
        yield from self._seat_problems()
        yield from self._score_problems()
        yield from self._wrotham_problems() if self.wrotham else self._plain_problems()

    def _seat_problems(self) -> Iterable[OptionProblem]:
        for seats in self.seat_range:
            needed = seats * self.hand_size(seats) + 1
            if needed >= self.pack_size:
                yield OptionProblem(
                    "deal_counts",
                    f"{seats} seats with {self.hand_size(seats)} cards and an upcard need {needed} cards and a stock, "
                    f"the pack has {self.pack_size}; deal fewer cards or set players",
                )
                return
        kind, _, seat = self.first_dealer.partition(":")
        if kind == "seat" and int(seat) >= self.seat_range[0]:
            yield OptionProblem(
                "first_dealer", f"{self.seat_range[0]} players have no seat {seat}, seats count from 0; set players"
            )

    def _score_problems(self) -> Iterable[OptionProblem]:
        if self.end_number < 1:
            yield OptionProblem("match_end", "expected a number from 1 up")
        if self.scoring == "winner_paid" and self.end_kind != "deals":
            yield OptionProblem("match_end", "scoring: winner_paid needs match_end: deals:N, its totals go up and down")
        if self.bonus_kind == "flat_winner" and self.scoring != "winner_takes":
            yield OptionProblem("rummy_bonus", "flat_winner needs scoring: winner_takes")
        if self.payout == "flash_75" and (self.end_kind != "target" or self.scoring != "winner_takes"):
            yield OptionProblem("payout", "flash_75 needs match_end: target:N and scoring: winner_takes")

    def _wrotham_problems(self) -> Iterable[OptionProblem]:
        if self.jokers != 3:
            yield OptionProblem("jokers", "Wrotham is played with 3 jokers")
        if self.joker_reuse != "swap_with_natural":
            yield OptionProblem("joker_reuse", "in Wrotham a joker is always swapped for its card")
        if any(self.hand_size(seats) != WROTHAM_HAND for seats in self.seat_range):
            yield OptionProblem("deal_counts", f"Wrotham deals {WROTHAM_HAND} cards to everybody")
        if self.end_kind != "deals":
            yield OptionProblem("match_end", "Wrotham has a fixed number of deals: deals:N")
        elif self.open_deals > self.end_number:
            yield OptionProblem("open_rounds", f"there are only {self.end_number} deals")
        closed = [r for r in self.rummy_bonus_rounds or () if r > self.open_deals]
        if closed:
            yield OptionProblem("rummy_bonus_rounds", f"deal {closed[0]} is not open: going out at one go is its rule there")

    def _plain_problems(self) -> Iterable[OptionProblem]:
        for name in ("open_rounds", "rummy_bonus_rounds"):
            if getattr(self, name) is not None:
                yield OptionProblem(name, "needs deal_special: wrotham")


def fill_in(values: dict[str, object], given: frozenset[str]) -> None:
    """Defaults that depend on other options: the ace that may be high is worth 15, Wrotham brings its own pack and deal."""
    if values.get("ace_run", "low") != "low" and "ace_value" not in given:
        values["ace_value"] = 15
    if values.get("deal_special") == "wrotham":
        for name, value in _WROTHAM.items():
            if name not in given:
                values[name] = value


_EVERYBODY_TEN: Final = dict.fromkeys(DEFAULT_COUNTS, 10)
_WROTHAM: Final[Mapping[str, object]] = {
    "jokers": 3,
    "match_end": "deals:6",
    "deal_counts": {str(n): WROTHAM_HAND for n in DEFAULT_COUNTS},
}

PRESETS: Final[Mapping[str, Preset]] = {
    "pagat-basic": Preset({}, "one meld a turn, the winner scores the other hands, to 100"),
    "coolmath-like": Preset(
        {"scoring": "losers_penalty", "stock_exhaustion": "reshuffle_flip"}, "losers score their hands, the lowest total wins"
    ),
    "flash-traditional": Preset(
        {
            "players": "2-4",
            "deal_counts": _EVERYBODY_TEN,
            "first_dealer": "high_card",
            "meld_limit_per_turn": None,
            "ace_run": "high_or_low",
            "ace_value": 11,
            "stock_exhaustion": "void_at_threshold",
            "rummy_bonus": "penalty_each:25",
            "payout": "flash_75",
        },
        "an online card room: ten cards each, ace high or low, void at two stock cards, three quarters to the winner",
    ),
    "bicycle": Preset(
        {
            "meld_limit_per_turn": None,
            "next_dealer": "winner_deals_2p",
            "scoring": "winner_paid",
            "rummy_bonus": "double",
            "match_end": "deals:10",
        },
        "any number of melds, the losers pay the winner, going rummy pays double",
    ),
    "cardgames-io": Preset(
        {
            "players": "2-4",
            "meld_limit_per_turn": None,
            "rummy_bonus": "double",
            "stock_exhaustion": "reshuffle",
            "max_recycles": 1,
            "limit_trigger": "immediate",
            "limit_result": "stalemate_zero",
            "stalemate_detection": True,
        },
        "a browser game: reshuffled once, then the deal is nobody's",
    ),
    "block": Preset({"stock_exhaustion": "block"}, "the stock is never used again"),
    "wrotham": Preset(
        {"deal_special": "wrotham", **_WROTHAM}, "three jokers; three deals of open melds, then three all at once"
    ),
}
