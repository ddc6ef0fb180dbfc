"""Deals checked one by one: the deck against the revealed seed, every move against the rules, the score against both.

The chain and the seal are checked by :mod:`rummy_tourney.history.chain`; what belongs to a whole run (the schedule, the
score sheets, the standings) by :mod:`rummy_tourney.tournament.verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rummy_tourney.cards import CARDS, join_cards
from rummy_tourney.errors import BrokenHistory
from rummy_tourney.game.rules import DealResult, Rules
from rummy_tourney.history.records import DealRecord
from rummy_tourney.history.replay import deal_number, replay_deal, result_fields
from rummy_tourney.seeding import deal_path, deck_order

COMMON = "tourney-v1 deal/event/round"
"""``rng.derivation`` of a history in which every table of a round plays the same cards."""
SEPARATE = "tourney-v1 deal/event/round/table"
"""``rng.derivation`` of a history in which every table has its own cards."""


class DealVerifier:
    """Checks the deals of one history. ``root`` is the revealed seed, or ``None`` while it is secret."""

    def __init__(self, rules: Mapping[str, Rules], derivation: str, root: bytes | None) -> None:
        self._rules = rules
        self._derivation = derivation
        self._root = root
        self._last: tuple[str, int, str] = ("", -1, "")
        self.result: DealResult | None = None
        """The result by the rules of the deal checked last, ``None`` if it could not be played."""

    def check(self, deal: DealRecord) -> Iterator[str]:
        """What is wrong with a deal, in words; nothing if all is well."""
        self.result = None
        rules = self._rules.get(deal.rules)
        if rules is None:
            yield f"names the rules {deal.rules!r}, which the head does not describe"
            return
        try:
            if self._root is not None:
                yield from self._check_deck(deal, rules)
            self.result = result = replay_deal(deal, rules)
        except BrokenHistory as error:
            yield str(error)
            return
        for name, expected in result_fields(result).items():
            found = getattr(deal, name)
            if found != expected:
                yield f"{name} is {_plain(found)}, the moves give {_plain(expected)}"

    def _check_deck(self, deal: DealRecord, rules: Rules) -> Iterator[str]:
        event, round_, table, number, _ = deal_number(deal.id)
        path = deal_path(event, round_, None if self._derivation == COMMON else table)
        if self._last[:2] != (path, number):
            _, order = deck_order(self._root or b"", path, number, len(rules.pack))
            codes = rules.pack.codes
            self._last = (path, number, join_cards([CARDS[codes[i]] for i in order]))
        if deal.deck != self._last[2]:
            yield "the deck is not the one that the seed gives"


def _plain(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
