"""Tables of basic rummy with given cards, and moves played as they are written in the hand history.

In :func:`position` seat 0 is to act and everything may be set; the rest of the pack lies in the stock.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from rummy_tourney.cards import CARDS, cards_of, join_cards, mask_of, split_cards
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import Action
from rummy_tourney.game.notation import action_text, read_action
from rummy_tourney.game.rules import DealResult, DealSetup
from rummy_tourney.game.variants.basic import BASIC, BasicOptions, BasicRules, BasicTable, BasicView
from rummy_tourney.game.variants.basic.play import fitting_cards
from rummy_tourney.game.view import Phase
from rummy_tourney.melds.model import meld
from rummy_tourney.seeding import SeededChance


def basic_options(preset: str | None = None, **options: Any) -> BasicOptions:
    """Options of a preset with overrides."""
    parsed = BASIC.parse(preset, options)
    assert isinstance(parsed, BasicOptions)
    return parsed


def basic_rules(preset: str | None = None, **options: Any) -> BasicRules:
    """Rules of a preset with overrides."""
    return BasicRules(basic_options(preset, **options))


def setup_of(deck: Sequence[int], seats: int, dealer: int, scored: int = 0) -> DealSetup:
    """The setup of a deal with a source of chance."""
    return DealSetup(deck, seats, dealer, scored, scored, (0,) * seats, SeededChance(bytes(32), 0))


def shuffled_table(seats: int, number: int, preset: str | None = None, *, scored: int = 0, **options: Any) -> BasicTable:
    """A table dealt from a shuffled deck, the same for the same number; the last seat deals."""
    rules = basic_rules(preset, **options)
    codes = rules.pack.codes
    deck = random.Random(number).sample(codes, len(codes))
    return rules.start(setup_of(deck, seats, seats - 1, scored))


def dealt_table(
    deck: str, seats: int, dealer: int, preset: str | None = None, *, scored: int = 0, **options: Any
) -> BasicTable:
    """A table dealt from a deck that begins with the cards of ``deck``, the others follow in the order of the pack."""
    rules = basic_rules(preset, **options)
    named = [c.code for c in split_cards(deck)]
    rest = [code for code in rules.pack.codes if code not in named]
    return rules.start(setup_of([*named, *rest], seats, dealer, scored))


def position(
    hands: Sequence[str],
    melds: Sequence[str] = (),
    pile: str = "",
    stock: str | None = None,
    *,
    preset: str | None = None,
    owners: Sequence[int] = (),
    scored: int = 0,
    **options: Any,
) -> BasicTable:
    """A table in the middle of a deal: seat 0 is to draw. ``pile`` is written oldest first, ``stock`` top first.

    Without ``stock`` all other cards of the pack lie there; with it they are out of the game. ``owners`` are the seats that
    laid the melds, seat 1 by default.
    """
    table = shuffled_table(len(hands), 0, preset, scored=scored, **options)
    table.hands = [mask_of(split_cards(hand)) for hand in hands]
    table.counts = [hand.bit_count() for hand in table.hands]
    table.laid = tuple(table._rules.accept(meld(text)) for text in melds)
    table.owners = tuple(owners) or (1,) * len(table.laid)
    table.fits = fitting_cards(table.laid)
    for seat in table.owners:
        table.acted |= 1 << seat
    table.pile = [c.code for c in split_cards(pile)]
    if stock is None:
        used = sum(table.hands) | sum(m.meld.mask for m in table.laid) | sum(1 << code for code in table.pile)
        table.stock = [code for code in reversed(table.setup.deck) if not used >> code & 1]
    else:
        table.stock = [c.code for c in reversed(split_cards(stock))]
    table.to_act = 0
    table.banned = 0
    table.phase, table.apply = Phase.DRAW, table._apply_draw
    return table


def playing(hand: str, melds: Sequence[str] = (), other: str = "Kc Kd", **options: Any) -> BasicTable:
    """Seat 0 has drawn and is to play; the last card of ``hand`` came from the stock."""
    *held, drawn = split_cards(hand)
    used = hand + "".join(melds) + other
    free = [CARDS[code] for code in range(52) if CARDS[code].text not in used]
    table = position([join_cards(held), other], melds, stock=drawn.text + free[0].text, **options)
    return play(table, "ds")


def taking(hand: str, melds: Sequence[str] = (), other: str = "Kc Kd", **options: Any) -> BasicTable:
    """Seat 0 has taken the last card of ``hand`` from the discard pile and is to play."""
    *held, drawn = split_cards(hand)
    table = position([join_cards(held), other], melds, pile=drawn.text, **options)
    return play(table, "dd")


def play(table: BasicTable, *moves: str) -> BasicTable:
    """Apply moves written as in the hand history, without the actor."""
    for move in moves:
        table.apply(read_action(move))
    return table


def refusal(table: BasicTable, move: str | Action) -> str:
    """The reason code with which a move is refused; checks that the refusal changed nothing."""
    before = snapshot(table)
    try:
        table.apply(read_action(move) if isinstance(move, str) else move)
    except IllegalAction as error:
        assert snapshot(table) == before, "a refused action changed the table"
        return error.reason
    raise AssertionError(f"{move} was accepted")


def snapshot(table: BasicTable) -> tuple[Any, ...]:
    """Everything about a table that an action could change."""
    return (
        [e.text for e in table.log], list(table.hands), list(table.stock), list(table.pile), table.to_act, table.phase,
        table.banned, table.turns, [len(s) for s in table.seen], table.laid, table.owners, table.fits, list(table.counts),
        table.recycles, table.acted, table.melds_left, table.ending, table.winner, table.apply,
    )  # fmt: skip


def view_of(table: BasicTable) -> BasicView:
    """What the seat to act knows."""
    view = table.view()
    assert isinstance(view, BasicView)
    return view


def menu(table: BasicTable) -> list[str]:
    """The legal actions as text."""
    return [action_text(a) for a in table.legal_actions()]


def on_table(table: BasicTable) -> list[str]:
    """The melds on the table as text, M1 first."""
    return [m.meld.text for m in table.laid]


def hand_text(table: BasicTable, seat: int) -> str:
    """A hand as text, lowest code first."""
    return join_cards(cards_of(table.hands[seat]))


def all_cards(table: BasicTable) -> int:
    """The mask of all cards in play. Fails if a card is in two places."""
    found = 0
    places = [*table.hands, *[m.meld.mask for m in table.laid], *[1 << c for c in table.stock], *[1 << c for c in table.pile]]
    for mask in places:
        assert not found & mask, "a card is in two places"
        found |= mask
    return found


def points_of_deal(table: BasicTable) -> tuple[Any, ...]:
    """The points of a deal that is over."""
    result: DealResult = table.result()
    return result.points
