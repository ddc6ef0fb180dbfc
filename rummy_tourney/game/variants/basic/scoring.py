"""Points of one deal, and how deals add up to a game of basic rummy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from rummy_tourney.cards import CARDS, Rank
from rummy_tourney.game.rules import GameTotals, MatchState, Points
from rummy_tourney.game.variants.basic.options import BasicOptions

Parts = tuple[Mapping[str, Points], ...]


def card_points(options: BasicOptions) -> Mapping[int, int]:
    """Points in hand by card code: ace and joker by option, pips, 10 for J Q K."""
    return _card_points(options.ace_value, options.joker_points)


@cache
def _card_points(ace: int, joker: int) -> Mapping[int, int]:
    by_rank = {Rank.ACE: ace, Rank.JOKER: joker}
    return {code: by_rank.get(c.rank, min(int(c.rank), 10)) for code, c in CARDS.items()}


def out_points(options: BasicOptions, hands: Sequence[int], winner: int, *, bonus: bool) -> tuple[tuple[Points, ...], Parts]:
    """Points and their breakdown when ``winner`` has gone out and ``hands`` are the points left in every hand.

    ``bonus`` says that the winner went rummy in a deal where that counts.
    """
    losers = [seat for seat in range(len(hands)) if seat != winner]
    parts: list[dict[str, Points]] = [{} for _ in hands]
    if options.scoring != "losers_penalty":
        parts[winner]["hands"] = sum(hands[seat] for seat in losers)
    for seat in losers:
        if options.scoring == "losers_penalty":
            parts[seat]["hand"] = hands[seat]
        elif options.scoring == "winner_paid":
            parts[seat]["hand"] = -hands[seat]
    if bonus and options.bonus_kind == "double":
        for part in parts:
            if part:
                part["rummy"] = sum(part.values())
    elif bonus and options.bonus_kind == "flat_winner":
        parts[winner]["rummy"] = options.bonus_number
    return _added(parts)


def nobody_out_points(options: BasicOptions, hands: Sequence[int]) -> tuple[tuple[Points, ...], Parts]:
    """Points and their breakdown when nobody went out: the hands are compared with the lowest."""
    parts: list[dict[str, Points]] = [{} for _ in hands]
    if options.scoring == "losers_penalty":
        for seat, left in enumerate(hands):
            parts[seat]["hand"] = left
        return _added(parts)
    lowest = min(hands)
    sharers = [seat for seat, left in enumerate(hands) if left == lowest]
    gain = whole(Fraction(sum(left - lowest for left in hands), len(sharers)))
    for seat, left in enumerate(hands):
        if left == lowest:
            parts[seat]["differences"] = gain
        elif options.scoring == "winner_paid":
            parts[seat]["difference"] = lowest - left
    return _added(parts)


def whole(value: Points) -> Points:
    """A fraction that is a whole number, as an int."""
    return int(value) if value.denominator == 1 else value


def _added(parts: Sequence[Mapping[str, Points]]) -> tuple[tuple[Points, ...], Parts]:
    return tuple([sum(part.values(), start=0) for part in parts]), tuple(parts)


class BasicScoring:
    """How deals of basic rummy add up to a game."""

    def __init__(self, options: BasicOptions) -> None:
        self.options = options

    @property
    def low_wins(self) -> bool:
        """Whether the lowest total wins."""
        return self.options.scoring == "losers_penalty"

    def scores(self, state: MatchState) -> tuple[Points, ...]:
        """Points so far."""
        return tuple([whole(sum((r.points[seat] for r in state.results), start=0)) for seat in range(state.seats)])

    def counters(self, state: MatchState) -> tuple[int, ...]:
        """Penalty counters so far: no points, but they bar from the payout."""
        counted = [r.counters for r in state.results if r.counters]
        return tuple([sum(c[seat] for c in counted) for seat in range(state.seats)])

    def first_dealer(self, seats: int, draw: Callable[[int], Sequence[int]]) -> int:
        """Drawn by lot, by the highest card, or a seat agreed on."""
        kind, _, seat = self.options.first_dealer.partition(":")
        if kind == "seat":
            return int(seat)
        if kind == "high_card":
            return _highest_card(seats, draw(52))
        return draw(seats)[0]

    def next_dealer(self, state: MatchState, first: int) -> int:
        """The next seat, or with two seats the winner; after a void deal as ``void_dealer`` says."""
        dealer = first
        for result in state.results:
            if not result.scored:
                dealer = (dealer + 1) % state.seats if self.options.void_dealer == "rotate" else dealer
            elif self.options.next_dealer == "winner_deals_2p" and state.seats == 2 and result.winner is not None:
                dealer = result.winner
            else:
                dealer = (dealer + 1) % state.seats
        return dealer

    def finished(self, state: MatchState) -> str | None:
        """``target`` or ``deals`` when reached and no tie has to be broken; ``dead-deals`` after too many scoreless deals."""
        totals = self.scores(state)
        if self.options.end_kind == "deals":
            reached = sum(r.scored for r in state.results) >= self.options.end_number
        else:
            reached = max(totals) >= self.options.end_number
        if reached and not (self._breaks_ties and len(self._winners(totals)) > 1):
            return self.options.end_kind
        cap = self.options.max_scoreless_deals
        recent = state.results[-cap:]
        return "dead-deals" if len(recent) == cap and not any(any(r.points) for r in recent) else None

    def totals(self, state: MatchState) -> GameTotals:
        """The final account."""
        totals = self.scores(state)
        return GameTotals(totals, self._winners(totals), self.finished(state) or "unfinished", _by_name(state))

    def fixed_totals(self, state: MatchState) -> GameTotals:
        """The account of a fixed number of deals: the points of all deals."""
        totals = self.scores(state)
        return GameTotals(totals, self._winners(totals), "deals", _by_name(state))

    @property
    def _breaks_ties(self) -> bool:
        return self.options.match_tie == "extra_deal" or self.options.payout == "flash_75"

    def _winners(self, totals: Sequence[Points]) -> tuple[int, ...]:
        best = min(totals) if self.low_wins else max(totals)
        return tuple([seat for seat, total in enumerate(totals) if total == best])


def _by_name(state: MatchState) -> Parts:
    """The points of each seat over all deals, by the name of the part."""
    sums: list[dict[str, Points]] = [{} for _ in range(state.seats)]
    for result in state.results:
        for seat, part in enumerate(result.parts):
            for name, value in part.items():
                sums[seat][name] = whole(sums[seat].get(name, 0) + value)
    return tuple(sums)


def _highest_card(seats: int, order: Sequence[int]) -> int:
    """Who draws the highest card of a shuffled pack, ace high; those who tie draw again from the rest."""
    tied = list(range(seats))
    cards = iter(order)
    while len(tied) > 1:
        # In the order of a pack the rank goes round with 13; the ace, its 0, counts above the king.
        drawn = [(next(cards) % 13 or 13, seat) for seat in tied]
        best = max(drawn)[0]
        tied = [seat for height, seat in drawn if height == best]
    return tied[0]
