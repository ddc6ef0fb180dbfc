"""Answers as objects: the same as the kernel's, with complaints in words."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from oracles import melds_twin as twin
from oracles.hands import biased_hand, opposing_hand

from rummy_tourney import melds as front_door
from rummy_tourney.cards import CARDS, Card, CardSet, card
from rummy_tourney.errors import NotationError
from rummy_tourney.melds import (
    LaidOff,
    all_natural_melds,
    arrangements,
    best_arrangement,
    best_defence,
    best_discard,
    candidate_melds,
    deadwood,
    discard_table,
    kernel,
    knock_arrangement,
    lays_off_on,
    meld,
    melds_text,
    read_melds,
)

HAND = CardSet.parse("2c 5d 6d 7d Ah 5h 6h 7h 2s 5s 7s")  # case A1: knock by throwing the 7s, with 10

ASKING_ABOUT_A_HAND: list[Callable[[CardSet | list[Card]], object]] = [
    deadwood,
    best_discard,
    discard_table,
    candidate_melds,
    arrangements,
    best_arrangement,
    knock_arrangement,
    lambda hand: best_defence([], hand),
]


@pytest.mark.parametrize("ask", ASKING_ABOUT_A_HAND)
def test_a_hand_may_be_a_card_set_or_any_cards(ask: Callable[[object], object]) -> None:
    """A set, a list in any order and a generator are the same hand."""
    assert ask(HAND) == ask(list(HAND)[::-1]) == ask(c for c in HAND)


@pytest.mark.parametrize("ask", ASKING_ABOUT_A_HAND)
@pytest.mark.parametrize("foreign", ["*1", "7h.2"])
def test_jokers_and_second_packs_are_refused(ask: Callable[[object], object], foreign: str) -> None:
    """The kernel knows 52 cards; another card would give nonsense, so it is named and refused."""
    with pytest.raises(NotationError, match=foreign.replace("*", r"\*") + ": .*one pack, without jokers"):
        ask(HAND | card(foreign))
    with pytest.raises(NotationError, match="one pack, without jokers"):
        ask([card(foreign)])


@pytest.mark.parametrize("ask", ASKING_ABOUT_A_HAND)
def test_a_card_named_twice_is_refused(ask: Callable[[object], object]) -> None:
    """A list of cards may hold a mistake that a set cannot."""
    with pytest.raises(NotationError, match="7h is named twice"):
        ask([card("7h"), card("8h"), card("7h")])


def test_best_discard() -> None:
    """The card and what it leaves; a banned card is passed over."""
    assert best_discard(HAND) == (card("7s"), 10)
    assert best_discard(CardSet.parse("2c2d2hKcKs"), banned=card("Kc")) == (card("Ks"), 10)
    assert best_discard(CardSet.parse("2c2d2hKcKs"), banned=card("Qc")) == (card("Kc"), 10)
    assert best_discard(CardSet.parse("2c2d2hKcKs"), banned=card("*1")) == (card("Kc"), 10)


def test_nothing_to_throw() -> None:
    """No card, or none but the banned one, is an error and not a card."""
    with pytest.raises(NotationError, match="empty hand"):
        best_discard(CardSet())
    with pytest.raises(NotationError, match="empty hand"):
        best_discard([], banned=card("7h"))
    with pytest.raises(NotationError, match="7h: there is no card"):
        best_discard(CardSet.parse("7h"), banned=card("7h"))


def test_tables_and_melds_of_a_hand() -> None:
    """Cards and melds instead of codes and masks, in the kernel's order."""
    assert [(c.code, left) for c, left in discard_table(HAND)] == kernel.discard_table(HAND.mask)
    assert [m.mask for m in candidate_melds(HAND)] == kernel.candidate_melds(HAND.mask)
    assert melds_text(candidate_melds(HAND)) == "[5d5h5s][7d7h7s][5d6d7d][5h6h7h]"


def test_arrangements_account_for_every_card() -> None:
    """Melds and loose cards together are the hand, and the deadwood is the points of the loose ones."""
    rng = Random(11)
    for _ in range(300):
        hand = CardSet.of(CARDS[code] for code in biased_hand(rng, 10))
        for found in (*arrangements(hand), *arrangements(hand, 10), best_arrangement(hand), knock_arrangement(hand)):
            cards = [c for m in found.melds for c in m.cards] + list(found.loose_cards)
            assert len(cards) == 10
            assert CardSet.of(cards) == hand
            assert found.deadwood == twin.points(twin.from_code(c.code) for c in found.loose_cards)
        assert best_arrangement(hand) == arrangements(hand)[0]
        assert best_arrangement(hand).deadwood == knock_arrangement(hand).deadwood == deadwood(hand)


def test_the_arrangement_to_claim() -> None:
    """GR-7 of the gin specification: three cards fit the sets and six the runs."""
    claim = knock_arrangement(CardSet.parse("As 5s 5c 5d 6s 6c 6d 7s 7c 7d"))
    assert melds_text(claim.melds) == "[5c5d5s][6c6d6s][7c7d7s]"
    assert (str(claim.loose_cards), claim.deadwood) == ("As", 1)


def test_a_defence_names_every_lay_off_with_its_end() -> None:
    """GR-6 of the gin specification: break the eights, lay off at both kinds of ends, keep the twos."""
    found = best_defence(read_melds("[5s6s7s][9cTcJc][KsKcKd]"), CardSet.parse("Ac 2s 2c 2d 2h 7c 8c 8d 8s 9s"))
    assert found.lay_offs == (
        LaidOff(card("8s"), 0, ">"),
        LaidOff(card("9s"), 0, ">"),
        LaidOff(card("8c"), 1, "<"),
        LaidOff(card("7c"), 1, "<"),
    )
    assert melds_text(found.melds) == "[2c2d2h2s]"
    assert (str(found.loose_cards), found.deadwood) == ("Ac8d", 9)


def test_a_defence_against_a_set() -> None:
    """GR-1 of the gin specification: the fourth nine goes on the nines, the seven on the run."""
    found = best_defence(read_melds("[4h5h6h][9c9d9s][QcQdQh]"), CardSet.parse("7h 9h 2c 2d 2h Kc Kd 5s 8s As"))
    assert found.lay_offs == (LaidOff(card("7h"), 0, ">"), LaidOff(card("9h"), 1, "+"))
    assert (melds_text(found.melds), found.deadwood) == ("[2c2d2h]", 34)


def test_a_defence_can_be_played_card_by_card() -> None:
    """Each lay-off fits the meld as it lies when its turn comes, at the end named, and no card is used twice."""
    rng = Random(12)
    for _ in range(300):
        knocker = biased_hand(rng, 10)
        melds = knock_arrangement([CARDS[code] for code in knocker]).melds
        codes = opposing_hand(rng, [[c.code for c in m.cards] for m in melds], knocker, 10)
        hand = CardSet.of(CARDS[code] for code in codes)
        found = best_defence(melds, hand)
        table = list(melds)
        left = hand
        for step in found.lay_offs:
            assert lays_off_on(step.card, table[step.index]) == step.end
            assert step.card in left
            left -= step.card
            table[step.index] = meld(table[step.index].text + step.card.text)
        assert CardSet.of([c for m in found.melds for c in m.cards] + list(found.loose_cards)) == left
        assert found.deadwood == kernel.best_defence([m.mask for m in melds], hand.mask)[0] == deadwood(left)


@pytest.mark.parametrize(
    ("melds", "why"),
    [
        ("[5h*1=6h7h]", "not a meld of one pack"),
        ("[QsKsAs]", "ace low"),
        ("[7c.27d7h]", "not a meld of one pack"),
        ("[4s5s6s][6s7s8s]", "6s cannot be in"),
        ("[2c2d2h]", "2c cannot be in"),
    ],
)
def test_a_table_the_kernel_cannot_judge(melds: str, why: str) -> None:
    """Melds with jokers, a high ace or another pack, and cards in two places, are refused."""
    with pytest.raises(NotationError, match=why):
        best_defence(read_melds(melds), CardSet.parse("2c Kd"))


def test_lays_off_on_is_what_makes_a_meld_again() -> None:
    """For every natural meld and card: it fits if and only if the two together are a meld, and at which end."""
    for m in all_natural_melds():
        cards = twin.from_mask(m.mask)
        for code in range(52):
            end = lays_off_on(CARDS[code], m)
            assert bool(end) == twin.fits(twin.from_code(code), cards)
            if end in ("<", ">"):
                grown = meld(m.text + CARDS[code].text)
                assert grown.cards[0 if end == "<" else -1] is CARDS[code]
            elif end:
                assert end == "+"
                assert m.cards[0].rank == CARDS[code].rank


@pytest.mark.parametrize(
    ("laid", "on", "end"),
    [
        ("8h", "5h*1=6h*2=7h", ">"),
        ("4h", "*1=5h6h7h", "<"),
        ("7h", "7c7d*1=7s", "+"),
        ("7s", "7c7d*1=7s", ""),
        ("7s.2", "7c7d7h", "+"),
        ("7h.2", "7c7d7h", ""),
        ("9s.2", "6s7s8s", ">"),
        ("*1", "6s7s8s", ""),
        ("*1", "7c7d7h", ""),
        ("7s", "7c7d7h*1=7s", ""),
        ("As", "JsQsKs", ""),
        ("Js", "QsKsAs", "<"),
        ("2s", "QsKsAs", ""),
        ("Qs", "KsAs2s", "<"),
        ("3s", "KsAs2s", ""),
        ("Ks", "As2s3s", ""),
    ],
)
def test_lays_off_on_melds_of_other_games(laid: str, on: str, end: str) -> None:
    """Jokers count as what they stand for, a card of the second pack as its face, and a joker to lay off has no place."""
    assert lays_off_on(card(laid), meld(on)) == end


def test_the_front_door_is_complete() -> None:
    """Everything the package offers is there and public."""
    assert all(hasattr(front_door, name) for name in front_door.__all__)
    assert list(front_door.__all__) == sorted(front_door.__all__)
