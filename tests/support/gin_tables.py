"""Gin tables with given cards, and moves played as they are written in the hand history.

The seat that acts first is always seat 0 here (seat 1 deals).
"""

from __future__ import annotations

import random
from typing import Any

from rummy_tourney.cards import CARDS, card, cards_of, mask_of, split_cards
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import Action, Knock
from rummy_tourney.game.notation import action_text, read_action
from rummy_tourney.game.rules import DealResult, DealSetup
from rummy_tourney.game.variants.gin import GIN, GinRules, GinTable, GinView, best_defence_actions
from rummy_tourney.game.view import Phase
from rummy_tourney.melds.model import read_melds


def unused(*texts: str) -> list[str]:
    """The cards of one pack that none of ``texts`` names, aces of clubs first."""
    used = mask_of(split_cards("".join(texts)))
    return [CARDS[code].text for code in range(52) if not used >> code & 1]


def stacked_deck(first: str, second: str, up: str = "", draws: str = "") -> list[int]:
    """A deck that deals the given hands, upcard and stock cards; the rest follows in the order of ``unused``.

    Cards go round one at a time, first seat first, then the upcard, then the stock. The twenty-first card is the upcard, or
    the eleventh card of ``first``.
    """
    mine, yours = split_cards(first), split_cards(second)
    rest = unused(first, second, up, draws)
    if len(mine) == 10 and not up:
        up = rest.pop(0)
    dealt = [c for pair in zip(mine, yours, strict=False) for c in pair] + mine[10:] + split_cards(up)
    return [c.code for c in dealt + split_cards(draws) + split_cards("".join(rest))]


def gin_rules(preset: str | None = None, **options: Any) -> GinRules:
    """Rules of gin with a preset and overrides."""
    return GinRules(GIN.parse(preset, options))


def gin_table(first: str, second: str, up: str = "", draws: str = "", preset: str | None = None, **options: Any) -> GinTable:
    """A table just dealt with the given cards."""
    return gin_rules(preset, **options).start(DealSetup(stacked_deck(first, second, up, draws), 2, 1))


def shuffled_table(number: int = 0, preset: str | None = None, **options: Any) -> GinTable:
    """A table dealt from a shuffled deck, the same for the same number."""
    deck = random.Random(number).sample(range(52), 52)
    return gin_rules(preset, **options).start(DealSetup(deck, 2, 1))


def play(table: GinTable, *moves: str) -> GinTable:
    """Apply moves written as in the hand history, without the actor."""
    for move in moves:
        table.apply(read_action(move))
    return table


def refusal(table: GinTable, move: str | Action) -> str:
    """The reason code with which a move is refused; checks that the refusal changed nothing."""
    before = snapshot(table)
    try:
        table.apply(read_action(move) if isinstance(move, str) else move)
    except IllegalAction as error:
        assert snapshot(table) == before, "a refused action changed the table"
        return error.reason
    raise AssertionError(f"{move} was accepted")


def snapshot(table: GinTable) -> tuple[Any, ...]:
    """Everything about a table that an action could change."""
    return (
        [e.text for e in table.log], list(table.hands), list(table.stock), list(table.pile), table.to_act, table.phase,
        table.banned, table.turns, [len(s) for s in table.seen], tuple(table.table_melds), table.claims, table.ending,
        table.knocker, table.knock_deadwood, table.counted, table.limit, table.apply,
    )  # fmt: skip


def about_to_knock(knocker: str, defender: str, up: str = "", draw: str = "", **options: Any) -> tuple[GinTable, str]:
    """A table where seat 0 holds ``knocker`` and a card just drawn, on its first turn; and that card."""
    free = unused(knocker, defender, up, draw)
    drawn = draw or free.pop()
    table = gin_table(knocker, defender, up or free[0], drawn, **options)
    return play(table, "pass", "pass", "ds"), drawn


def knock_with(table: GinTable, thrown: str, melds: str) -> GinTable:
    """Knock for the seat to act."""
    table.apply(Knock(card(thrown), read_melds(melds)))
    return table


def defend_best(table: GinTable) -> DealResult:
    """The defender's best answer, and what it comes to."""
    for action in best_defence_actions(gin_view(table)):
        table.apply(action)
    return table.result()


def gin_view(table: GinTable) -> GinView:
    """What the seat to act knows."""
    view = table.view()
    assert isinstance(view, GinView)
    return view


def to_the_wall(table: GinTable) -> GinTable:
    """Both refuse the upcard, then draw and throw the drawn card until two stock cards are left."""
    play(table, "pass", "pass")
    while table.phase in (Phase.FORCED, Phase.DRAW):
        before = table.hands[table.to_act]
        play(table, "ds")
        drawn = cards_of(table.hands[table.to_act] ^ before)[0]
        play(table, f"dc {drawn.text}")
    return table


def menu(table: GinTable) -> list[str]:
    """The legal actions as text."""
    return [action_text(a) for a in table.legal_actions()]
