"""The kernel against its slow twin (``oracles/melds_twin.py``) on random hands and on hands where melds compete.

The short runs are part of every test run. The long ones (``-m calibration``) take some seven minutes on one core and meet
what short ones may miss: on uniformly random hands, melding before discarding goes wrong once in 300 000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import melds_twin as twin
from oracles.hands import biased_hand, opposing_hand, random_hand

from rummy_tourney.melds import kernel

Generator = Callable[[Random, int], list[int]]


def mask_of(codes: list[int]) -> int:
    return sum(1 << code for code in codes)


def hands(generator: Generator, seed: int, how_many: int, size: int) -> Iterator[int]:
    rng = Random(seed)
    for _ in range(how_many):
        yield mask_of(generator(rng, size))


def tables(seed: int, how_many: int) -> Iterator[tuple[list[int], int, Random]]:
    """Melds of a knocker in any order of claiming, and the hand of the defender."""
    rng = Random(seed)
    while how_many:
        knocker = biased_hand(rng, 10)
        options = sorted(sorted(map(sorted, melds)) for melds in twin.arrangements(twin.from_mask(mask_of(knocker))))
        melds = [[twin.to_code(card) for card in meld] for meld in rng.choice(options)]
        if melds:
            rng.shuffle(melds)
            how_many -= 1
            yield [mask_of(meld) for meld in melds], mask_of(opposing_hand(rng, melds, knocker, 10)), rng


def check_discards(hand: int) -> None:
    """Deadwood, every discard, the best one, and the best one besides each single ban and a double one."""
    cards = twin.from_mask(hand)
    assert kernel.deadwood(hand) == twin.deadwood(cards)
    expected = twin.discards(cards)
    assert kernel.discard_table(hand) == sorted((twin.to_code(card), left) for card, left in expected.items())
    best, left = twin.best_discard(expected)
    assert kernel.best_discard(hand) == (twin.to_code(best), left)
    second, more = twin.best_discard(expected, [best])
    assert kernel.best_discard_except(hand, twin.to_mask([best])) == (twin.to_code(second), more)
    third, most = twin.best_discard(expected, [best, second])
    assert kernel.best_discard_except(hand, twin.to_mask([best, second])) == (twin.to_code(third), most)
    assert kernel.best_discard_except(hand, twin.to_mask([second, third])) == (twin.to_code(best), left)


def check_arrangements(hand: int) -> None:
    """Candidate melds, optimal arrangements, all claims within ten points, and the arrangement to claim."""
    cards = twin.from_mask(hand)
    assert sorted(kernel.candidate_melds(hand)) == sorted(map(twin.to_mask, twin.melds_in(cards)))
    for limit in (None, 10):
        found = kernel.arrangements(hand, limit)
        expected = {frozenset(map(twin.to_mask, melds)) for melds in twin.arrangements(cards, limit)}
        assert {frozenset(melds) for melds in found} == expected
        assert len(found) == len(expected)
        assert all(list(melds) == sorted(melds, key=lambda meld: meld & -meld) for melds in found)
    assert kernel.arrangement(hand) == kernel.arrangements(hand)[0]
    assert kernel.knock_arrangement(hand) == twin.knock_arrangement(cards)


def check_defence(melds: list[int], hand: int, rng: Random) -> None:
    """The joint optimum, the choice among optima, that it can be played, and that the order of claiming is harmless."""
    left, lay_offs = kernel.best_defence(melds, hand)
    expected, made = twin.best_defence([twin.from_mask(meld) for meld in melds], twin.from_mask(hand))
    assert left == expected
    assert sorted(lay_offs) == [(twin.to_code(card), index) for card, index in made]
    grown = list(melds)
    for code, index in lay_offs:
        assert (hand & kernel.fitting(grown[index])) >> code & 1
        grown[index] |= 1 << code
    other_order = rng.sample(melds, len(melds))
    assert kernel.best_defence(other_order, hand)[0] == left


@pytest.mark.parametrize("size", [10, 11])
@pytest.mark.parametrize(("generator", "how_many"), [(random_hand, 20_000), (biased_hand, 5_000)])
def test_deadwood_and_discards(generator: Generator, how_many: int, size: int) -> None:
    """Least deadwood and best discard are what trying everything finds."""
    for hand in hands(generator, size, how_many, size):
        check_discards(hand)


@pytest.mark.parametrize("generator", [random_hand, biased_hand])
@pytest.mark.parametrize("size", [10, 11])
def test_arrangements(generator: Generator, size: int) -> None:
    """Every optimal arrangement and every legal claim is listed once."""
    for hand in hands(generator, 100 + size, 1_000, size):
        check_arrangements(hand)


def test_defences() -> None:
    """Lay-offs and own melds together are what trying every order of lay-offs finds."""
    for melds, hand, rng in tables(200, 1_000):
        check_defence(melds, hand, rng)


@pytest.mark.calibration
@pytest.mark.parametrize(("generator", "how_many"), [(random_hand, 1_000_000), (biased_hand, 100_000)])
def test_deadwood_and_discards_at_length(generator: Generator, how_many: int) -> None:
    """A million random hands of eleven and a hundred thousand biased ones."""
    for hand in hands(generator, 300, how_many, 11):
        check_discards(hand)


@pytest.mark.calibration
@pytest.mark.parametrize(("generator", "how_many"), [(random_hand, 1_000_000), (biased_hand, 100_000)])
def test_deadwood_of_ten_at_length(generator: Generator, how_many: int) -> None:
    """A million random hands of ten and a hundred thousand biased ones."""
    for hand in hands(generator, 400, how_many, 10):
        assert kernel.deadwood(hand) == twin.deadwood(twin.from_mask(hand))


@pytest.mark.calibration
@pytest.mark.parametrize("generator", [random_hand, biased_hand])
def test_arrangements_at_length(generator: Generator) -> None:
    """Twenty thousand hands of each kind."""
    for hand in hands(generator, 500, 20_000, 10):
        check_arrangements(hand)


@pytest.mark.calibration
def test_defences_at_length() -> None:
    """Twenty thousand knocks."""
    for melds, hand, rng in tables(600, 20_000):
        check_defence(melds, hand, rng)


some_cards = st.sets(st.integers(0, 51), min_size=1, max_size=14)


@given(some_cards, st.permutations(range(4)))
def test_suits_are_alike(codes: set[int], suits: list[int]) -> None:
    """Exchanging suits changes neither the deadwood nor what the best discard leaves."""
    hand = sum(1 << code for code in codes)
    exchanged = sum(1 << 13 * suits[code // 13] + code % 13 for code in codes)
    assert kernel.deadwood(hand) == kernel.deadwood(exchanged)
    assert kernel.best_discard(hand)[1] == kernel.best_discard(exchanged)[1]
    assert len(kernel.arrangements(hand)) == len(kernel.arrangements(exchanged))


@given(some_cards)
def test_hands_of_any_size(codes: set[int]) -> None:
    """Other games deal other numbers of cards; the answers hold for all of them."""
    hand = sum(1 << code for code in codes)
    cards = twin.from_mask(hand)
    assert kernel.points(hand) == twin.points(cards)
    assert kernel.deadwood(hand) == twin.deadwood(cards)
    best, left = twin.best_discard(twin.discards(cards))
    assert kernel.best_discard(hand) == (twin.to_code(best), left)


@pytest.mark.parametrize("cards", twin.MELDS[::7])
def test_fitting_is_what_makes_a_meld_again(cards: twin.Cards) -> None:
    """A card fits a meld directly if and only if the two together are a meld."""
    expected = [card for card in twin.DECK if twin.fits(card, cards)]
    assert kernel.fitting(twin.to_mask(cards)) == twin.to_mask(expected)
