"""What holds for every game: found in the registry, so a new one is tested from the day it registers.

Played at every legal number of seats, with every preset. A family that lacks its golden deals or perft counts fails here;
``python tests/regenerate_golden.py`` makes them.
"""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import structs
from oracles.ledger import Ledger, cards_in
from support.games import Case, Choose, any_action, cases, play_out, presets, replayed, texts
from support.goldens import golden_path, golden_text, perft_lines, perft_path

from rummy_tourney.cards import CARDS, Card
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    Action,
    BigGin,
    Declare,
    Discard,
    Knock,
    LayMeld,
    LayOff,
    Show,
    SwapJoker,
)
from rummy_tourney.game.events import Event
from rummy_tourney.game.notation import action_text, read_action
from rummy_tourney.game.rules import families
from rummy_tourney.game.table import Table
from rummy_tourney.game.view import SeatView
from rummy_tourney.lab.perft import perft, perft_start
from rummy_tourney.melds.model import Spot, all_natural_melds

CASES = cases()
every_case = pytest.mark.parametrize("case", CASES, ids=str)


# --- players that try to break a deal --------------------------------------------------------------------------------


def of_kind(view: SeatView, *kinds: type) -> list[Action]:
    """The legal actions of these kinds, or all if there is none."""
    legal = view.legal_actions()
    return [a for a in legal if isinstance(a, kinds)] or list(legal)


def always_upcard(view: SeatView, rng: random.Random) -> Action:
    """Takes the upcard for ever, throws anything, never melds, never ends a deal."""
    if TAKE_DISCARD in view.legal_actions():
        return TAKE_DISCARD
    return rng.choice(of_kind(view, Discard, *map(type, (DRAW_STOCK, PASS))))


def never_melds(view: SeatView, rng: random.Random) -> Action:
    """Draws from the stock and throws; never lays a card and never knocks."""
    return rng.choice(of_kind(view, Discard, *map(type, (DRAW_STOCK, PASS))))


def worst_discard(view: SeatView, rng: random.Random) -> Action:
    """Keeps the dearest cards and throws the cheapest."""
    return min(of_kind(view, Discard, type(DRAW_STOCK)), key=lambda a: a.card.rank if isinstance(a, Discard) else 0)


def passes_if_it_can(view: SeatView, rng: random.Random) -> Action:
    """Does as little as it may."""
    legal = view.legal_actions()
    return PASS if PASS in legal else rng.choice(of_kind(view, Discard))


PLAYERS: list[Choose] = [any_action, always_upcard, never_melds, worst_discard, passes_if_it_can]


@every_case
@pytest.mark.parametrize("choose", PLAYERS, ids=lambda f: f.__name__)
def test_every_deal_ends(case: Case, choose: Choose) -> None:
    """However badly everybody plays, a deal ends with a result and as the last move its score."""
    table = case.start(1)
    play_out(table, choose, random.Random(7))
    result = table.result()
    assert len(result.points) == case.seats
    assert table.log[-1].verb == "sc"
    assert len(result.hands) == case.seats


@every_case
def test_the_default_actions_end_a_deal(case: Case) -> None:
    """Seats whose bots never answer are played by the rules, and their deal ends."""
    table = case.start(2)
    played = 0
    while not table.over:
        assert table.default_action() in table.legal_actions() or isinstance(table.default_action(), (Show, Knock))
        table.substitute("to", "")
        played += 1
        assert played < 20_000
    assert table.log[-1].verb == "sc"


# --- cards and moves -------------------------------------------------------------------------------------------------


@every_case
def test_no_card_is_lost_or_doubled(case: Case) -> None:
    """After every move the cards lie where the moves say: an account of the moves alone agrees with the table."""
    for number in range(2):
        rng = random.Random(number)
        table = case.start(number)
        ledger = Ledger([CARDS[code].text for code in table.setup.deck], case.seats)
        done = 0
        while True:
            for event in table.log[done:]:
                ledger.move(event.text)
            done = len(table.log)
            assert [CARDS[code].text for code in reversed(table.stock)] == ledger.stock
            assert [CARDS[code].text for code in table.pile] == ledger.pile
            assert [{CARDS[code].text for code in codes(hand)} for hand in table.hands] == ledger.hands
            if table.over:
                break
            table.apply(any_action(table.view(), rng))


def codes(mask: int) -> list[int]:
    """The card codes of a mask."""
    return [code for code in range(mask.bit_length()) if mask >> code & 1]


@every_case
def test_a_deal_replays_from_its_moves(case: Case) -> None:
    """The moves, read back from their text, make the same moves, views and result; so does every first part of them."""
    table = case.start(3)
    play_out(table, any_action, random.Random(3))
    again = replayed(case.start(3), texts(table))
    assert texts(again) == texts(table)
    assert again.result() == table.result()
    assert [[e.text for e in seen] for seen in again.seen] == [[e.text for e in seen] for seen in table.seen]


@every_case
def test_a_played_default_action_replays(case: Case) -> None:
    """A substitute is announced by the engine and then stands in the moves as the seat's own."""
    table = case.start(4)
    rng = random.Random(4)
    for _ in range(6):
        if not table.over:
            table.substitute("ill", "not-in-hand") if rng.random() < 0.5 else table.apply(any_action(table.view(), rng))
    moves = texts(table)
    for position, move in enumerate(moves):
        if move.startswith("d ill"):
            assert move.partition(" -> ")[2].split(" ")[:2] == moves[position + 1].split(" ")[:2]


def some_actions(case: Case, rng: random.Random) -> list[Action]:
    """Actions of every kind with cards and melds taken at random."""
    cards = [CARDS[code] for code in case.rules.pack.codes]
    melds = rng.sample(all_natural_melds(), 12)
    one = rng.sample(cards, 8)
    found: list[Action] = [PASS, DRAW_STOCK, TAKE_DISCARD, *map(Discard, cards), *map(LayMeld, melds)]
    found += [LayOff(rng.randrange(4), rng.choice("<>+"), Spot(c, c)) for c in rng.sample(cards, 12)]
    found += [SwapJoker(rng.randrange(4), CARDS[52], c) for c in one]
    found += [Knock(c, (melds[k], melds[k + 1])) for k, c in enumerate(one)]
    found += [BigGin((melds[0], melds[1], melds[2])), Show((melds[0],)), Show(()), Declare((melds[0],), one[0])]
    return found


def same(action: Action) -> object:
    """What makes two actions the same: claimed melds have no order."""
    if isinstance(action, (Knock, BigGin, Show, Declare)):
        return (type(action), getattr(action, "card", None), frozenset(action.melds))
    return action


@every_case
def test_what_is_offered_is_accepted_and_the_rest_is_refused(case: Case) -> None:
    """Every action of the menu can be played, and any other is refused with a reason and changes nothing."""
    table = case.start(5)
    rng = random.Random(5)
    played: list[Action] = []
    while not table.over and len(played) < 400:
        legal = table.view().legal_actions()
        if rng.random() < max(0.06, 3 / (len(played) + 3)):
            for action in rng.sample(legal, min(len(legal), 15)):
                again = case.start(5)
                for earlier in played:
                    again.apply(earlier)
                assert again.view().legal_actions() == legal
                again.apply(action)
            offered = {same(a) for a in legal}
            for action in some_actions(case, rng):
                if same(action) not in offered:
                    before = (texts(table), list(table.hands), list(table.stock), list(table.pile), table.to_act, table.phase)
                    with pytest.raises(IllegalAction) as refusal:
                        table.apply(action)
                    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", refusal.value.reason)
                    assert refusal.value.detail
                    after = (texts(table), list(table.hands), list(table.stock), list(table.pile), table.to_act, table.phase)
                    assert after == before, action_text(action)
        action = rng.choice(legal)
        table.apply(action)
        played.append(action)


@every_case
def test_nothing_is_played_after_the_end(case: Case) -> None:
    """A deal that is over refuses everything."""
    table = case.start(6)
    play_out(table, any_action, random.Random(6))
    before = texts(table)
    for action in some_actions(case, random.Random(0)):
        with pytest.raises(IllegalAction):
            table.apply(action)
    assert texts(table) == before


@every_case
def test_every_legal_action_survives_its_text(case: Case) -> None:
    """Each action of a menu reads back from its text as itself."""
    table = case.start(7)
    rng = random.Random(7)
    for _ in range(40):
        if table.over:
            break
        for action in table.legal_actions():
            assert read_action(action_text(action)) == action
        table.apply(any_action(table.view(), rng))


# --- points ----------------------------------------------------------------------------------------------------------


@every_case
def test_other_seats_make_the_same_points(case: Case) -> None:
    """Turn the table by one seat: the same cards and moves give the same points, one seat on."""
    table = case.start(11)
    played = play_out(table, any_action, random.Random(11))
    setup = structs.replace(table.setup, dealer=(table.setup.dealer + 1) % case.seats)
    again = case.rules.start(setup)
    for action in played:
        again.apply(action)
    points = table.result().points
    assert again.result().points == (points[-1], *points[:-1])
    assert again.result().ending == table.result().ending


_NAMED = re.compile(r"(?<=[A2-9TJQK])[cdh]")


@every_case
def test_other_suits_make_the_same_points(case: Case) -> None:
    """Clubs, diamonds and hearts are alike: the deal with their names exchanged ends alike (spades may double, and stay)."""
    change = {"c": "d", "d": "h", "h": "c", "s": "s"}
    table = case.start(8)
    play_out(table, any_action, random.Random(8))
    deck = [_renamed(CARDS[code], change).code for code in table.setup.deck]
    again = case.start(8, deck)
    for move in texts(table):
        if not move.startswith("d "):
            again.apply(read_action(_NAMED.sub(lambda m: change[m.group()], move.partition(" ")[2])))
    assert again.result().points == table.result().points
    assert again.result().ending == table.result().ending


def _renamed(card: Card, change: dict[str, str]) -> Card:
    if card.is_joker:
        return card
    text = card.text[0] + change[card.text[1]] + card.text[2:]
    return next(c for c in CARDS.values() if c.text == text)


# --- what a seat can see ---------------------------------------------------------------------------------------------


def visible(view: SeatView) -> dict[str, object]:
    """All that a view says, in plain values."""
    fields = {f.name: repr(getattr(view, f.name)) for f in msgspec.structs.fields(view) if f.name not in ("_seen", "deal")}
    return fields | {
        "deal": repr(view.deal),
        "events": [e.text for e in view.events],
        "legal": [action_text(a) for a in view.legal_actions()],
    }


@every_case
def test_two_worlds_that_look_alike_send_the_same(case: Case) -> None:
    """Exchange two cards that a seat has not seen: everything it was sent up to then stays the same, word for word.

    The others play the same moves in both worlds: they only threw and laid what the seat has seen.
    """
    compared = 0
    for number in range(12):
        rng = random.Random(1000 + number)
        table = case.start(number)
        watcher = rng.randrange(case.seats)
        stop = rng.choice((3, 8, 20, 60))
        shown: list[dict[str, object]] = []
        played: list[Action] = []
        while not table.over and len(played) < stop:
            view = table.view()
            if view.seat == watcher:
                shown.append(visible(view))
            action = any_action(view, rng)
            table.apply(action)
            played.append(action)
        seen = [e.text for e in table.seen[watcher]]
        known = set(cards_in(" ".join(seen)))
        hidden = [place for place, code in enumerate(table.setup.deck) if CARDS[code].text not in known]
        if table.over or len(hidden) < 2:
            continue
        compared += _same_in_the_other_world(case, number, rng.sample(hidden, 2), played, watcher, (shown, seen))
    assert compared >= 3


def _same_in_the_other_world(
    case: Case,
    number: int,
    places: list[int],
    played: list[Action],
    watcher: int,
    sent: tuple[list[dict[str, object]], list[str]],
) -> bool:
    """Whether the world with two cards exchanged could be played the same way; if so it has to look the same."""
    first, second = places
    deck = list(case.setup(number).deck)
    deck[first], deck[second] = deck[second], deck[first]
    table = case.start(number, deck)
    shown = []
    for action in played:
        view = table.view()
        if view.seat == watcher:
            shown.append(visible(view))
        try:
            table.apply(action)
        except IllegalAction:
            assert view.seat != watcher, "a hidden card changed what the watcher may do"
            return False
    assert (shown, [e.text for e in table.seen[watcher]]) == sent
    return True


def reachable(start: object) -> Iterator[Any]:
    """Everything that can be reached from an object by its attributes and contents, classes and functions left out."""
    todo, met = [start], {id(start)}
    while todo:
        thing = todo.pop()
        yield thing
        beyond = list(gc.get_referents(thing))
        if isinstance(thing, msgspec.Struct):
            beyond += [getattr(thing, name) for name in thing.__struct_fields__]
        beyond += [getattr(thing, name) for name in getattr(type(thing), "__slots__", ()) if hasattr(thing, name)]
        for other in beyond:
            if id(other) not in met and not isinstance(other, type) and type(other).__name__ not in LEFT_OUT:
                met.add(id(other))
                todo.append(other)


LEFT_OUT = {"function", "module", "builtin_function_or_method", "getset_descriptor", "member_descriptor", "method_descriptor"}


@every_case
def test_no_way_leads_from_a_view_to_what_is_hidden(case: Case) -> None:
    """Walking everything reachable from a view meets no table, no other hand, no hidden card and no order of the stock."""
    table = case.start(9)
    rng = random.Random(9)
    for turn in range(30):
        if table.over:
            break
        view = table.view()
        if turn % 5 == 0:
            other_hands = {hand for seat, hand in enumerate(table.hands) if seat != view.seat and hand}
            for thing in reachable(view):
                assert not isinstance(thing, Table)
                assert thing is not table.setup
                assert thing is not table.stock
                if isinstance(thing, Event):
                    assert thing.owner in (-1, view.seat) or thing.public is thing
                if type(thing) is int:
                    assert thing not in other_hands
        table.apply(any_action(view, rng))


@every_case
def test_a_view_stays_what_it_was(case: Case) -> None:
    """A bot may keep a view: what happens later does not show in it."""
    table = case.start(10)
    rng = random.Random(10)
    kept: list[tuple[SeatView, dict[str, object]]] = []
    for _ in range(12):
        if table.over:
            break
        view = table.view()
        kept.append((view, visible(view)))
        table.apply(any_action(view, rng))
    assert all(visible(view) == then for view, then in kept)


# --- what stands beside a family -------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", families())
def test_every_preset_has_perft_counts(family: str) -> None:
    """A family has its perft file, and every preset is in it."""
    assert perft_path(family).exists(), f"python tests/regenerate_golden.py {family}"
    assert {line[0] for line in perft_lines(family)} == set(families()[family].presets)


@pytest.mark.parametrize("family", [name for name in families() if perft_path(name).exists()])
def test_perft(family: str) -> None:
    """The number of sequences of actions from fixed decks is what the file says."""
    for preset, deck, depth, count, *folded in perft_lines(family):
        start = perft_start(families()[family], preset, deck)
        assert perft(start, int(depth), folded=bool(folded)) == int(count), (preset, deck, depth)


@pytest.mark.parametrize(("family", "preset"), list(presets()))
def test_golden_deals(family: str, preset: str) -> None:
    """The golden deals are played today as they were: a change here is a change of play, to be explained in review."""
    path = golden_path(family, preset)
    assert path.exists(), f"python tests/regenerate_golden.py {family}"
    assert golden_text(family, preset) == path.read_text()
