"""Random deals of every preset with every number of seats: cards are kept, the menu is right, the log replays."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from support.basic_tables import all_cards, basic_options, basic_rules, setup_of, snapshot

from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import Action, Declare, Discard, LayMeld, LayOff, SwapJoker
from rummy_tourney.game.events import ENGINE
from rummy_tourney.game.notation import action_text, read_action
from rummy_tourney.game.variants.basic import BASIC, BasicRules, BasicTable

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "jokers": {"jokers": 2, "meld_limit_per_turn": None, "ace_run": "high_or_low", "stock_exhaustion": "reshuffle_keep_top"},
    "corner": {"jokers": 4, "ace_run": "round_corner", "joker_set_binding": "any_missing_suit", "must_discard_to_go_out": True},
    "strict": {"layoff_requires_own_meld": True, "ban_discard_back": False, "max_recycles": 2, "stalemate_detection": True},
    "two naturals": {
        "jokers": 3, "joker_min_naturals": 2, "joker_reuse": "none", "stock_exhaustion": "reshuffle",
        "limit_trigger": "immediate", "max_recycles": 1, "rummy_bonus": "flat_winner:10",
    },
    "fives": {"jokers": 4, "meld_limit_per_turn": None, "stalemate_detection": True, "must_discard_to_go_out": True},
    "closed wrotham": {"deal_special": "wrotham", "open_rounds": 0, "ace_run": "round_corner"},
}  # fmt: skip


def tables() -> Iterator[tuple[str, BasicRules, int]]:
    """Every preset with every number of seats, and some house rules with two and four."""
    for preset in BASIC.presets:
        for seats in basic_options(preset).seat_range:
            yield f"{preset}-{seats}", basic_rules(preset), seats
    for name, options in HOUSE_RULES.items():
        for seats in (2, 4):
            yield f"{name}-{seats}", basic_rules(**options), seats


TABLES = {name: (rules, seats) for name, rules, seats in tables()}
ENDINGS = {"out", "rummy", "declare", "blocked", "stalemate", "void", "turn-cap"}


def start(name: str, number: int) -> BasicTable:
    """A shuffled deal at one of the tables."""
    rules, seats = TABLES[name]
    deck = random.Random(f"{name} {number}").sample(rules.pack.codes, len(rules.pack))
    return rules.start(setup_of(deck, seats, number % seats, number))


def some_action(legal: list[Action], rng: random.Random) -> Action:
    """Any kind of action with equal chance, then any of that kind: melds come about more often."""
    kinds = sorted({type(a).__name__ for a in legal})
    kind = rng.choice(kinds)
    return rng.choice([a for a in legal if type(a).__name__ == kind])


@pytest.mark.parametrize("name", TABLES)
def test_a_deal_ends_and_keeps_its_cards(name: str) -> None:
    """Within the caps, with every card in one place after every move and the counts right."""
    for number in range(4):
        table = start(name, number)
        rng = random.Random(number)
        moves = 0
        while not table.over:
            table.apply(some_action(list(table.legal_actions()), rng))
            moves += 1
            assert all_cards(table) == TABLES[name][0].pack.mask
            assert [hand.bit_count() for hand in table.hands] == table.counts
        result = table.result()
        assert result.ending in ENDINGS
        assert table.turns <= table.options.max_turns
        assert sum(len(e.text) > 0 for e in table.log) >= moves
        assert all(sum(part.values()) == points for part, points in zip(result.parts, result.points, strict=True))


@pytest.mark.parametrize("name", TABLES)
def test_a_log_replays_to_the_letter(name: str) -> None:
    """The recorded moves of the seats, read back from their text, make the same log."""
    for number in range(2):
        table = start(name, number)
        rng = random.Random(number)
        while not table.over:
            table.apply(some_action(list(table.legal_actions()), rng))
        again = TABLES[name][0].start(table.setup)
        for event in table.log:
            if event.actor != ENGINE:
                again.apply(read_action(event.text.split(" ", 1)[1]))
        assert [e.text for e in again.log] == [e.text for e in table.log]
        assert again.result() == table.result()


def changed(action: Action, table: BasicTable, rng: random.Random) -> list[Action]:
    """Actions like one that is legal, which may be so or not."""
    pack = TABLES_PACK[len(table.setup.deck)]
    c = rng.choice(pack)
    if isinstance(action, Discard):
        return [Discard(c)]
    if isinstance(action, LayOff):
        place = action.spot
        return [LayOff(action.meld + 1, action.end, place), LayOff(action.meld, rng.choice("<>+"), place)]
    if isinstance(action, SwapJoker):
        return [SwapJoker(action.meld, action.joker, c), SwapJoker(action.meld + 1, action.joker, action.card)]
    if isinstance(action, LayMeld):
        return [Declare((action.meld,), c), LayMeld(rng.choice(NATURAL_MELDS))]
    if isinstance(action, Declare):
        return [Declare(action.melds, c), Declare(action.melds[:1], action.card), Declare(action.melds, None)]
    return []


TABLES_PACK = {len(rules.pack): rules.pack.cards for rules, _ in TABLES.values()}
NATURAL_MELDS = [laid.meld for laid in basic_rules(ace_run="round_corner")._melds.natural.values()]


@pytest.mark.parametrize("name", TABLES)
def test_what_is_offered_is_accepted_and_what_is_refused_changes_nothing(name: str) -> None:
    """Every legal action can be played from a position; actions like them are played only if the menu has them.

    Where jokers are alike the menu names one of them, so an accepted action may differ from it in the joker alone.
    """
    rng = random.Random(name)
    table = start(name, 1)
    played: list[Action] = []
    checked = 0
    while not table.over and checked < 12:
        legal = list(table.legal_actions())
        if any(not isinstance(a, Discard) for a in legal) and len(played) % 3 == 0:
            checked += 1
            texts = {action_text(a) for a in legal}
            for action in rng.sample(legal, min(6, len(legal))):
                again(name, played).apply(action)
                for other in changed(action, table, rng):
                    before = snapshot(table)
                    branch = again(name, played)
                    try:
                        branch.apply(other)
                    except IllegalAction:
                        with pytest.raises(IllegalAction):
                            table.apply(other)
                        assert snapshot(table) == before
                    else:
                        assert action_text(other) in texts or "*" in action_text(other)
        action = some_action(legal, rng)
        played.append(action)
        table.apply(action)


def again(name: str, played: list[Action]) -> BasicTable:
    """The same deal after the same actions."""
    table = start(name, 1)
    for action in played:
        table.apply(action)
    return table


@pytest.mark.parametrize("name", [n for n in TABLES if n.endswith("-3")])
def test_no_seat_sees_another_hand(name: str) -> None:
    """A seat's events show the cards of the others only where they were thrown, taken or laid."""
    table = start(name, 2)
    rng = random.Random(3)
    while not table.over:
        table.apply(some_action(list(table.legal_actions()), rng))
    for seat, seen in enumerate(table.seen):
        for event, full in zip(seen, table.log, strict=True):
            if full.verb == "deal":
                assert ("?" in event.text) == (not full.text.startswith(f"d deal p{seat}"))
            elif full.verb == "ds":
                assert event.text.endswith("??") == (full.actor != seat)
            else:
                assert event.text == full.public.text
