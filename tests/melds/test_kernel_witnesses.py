"""The kernel against two engines by other people: RLCard's melding functions and OpenSpiel's gin utilities."""

from __future__ import annotations

import warnings
from random import Random
from types import ModuleType

import pytest
from oracles.hands import biased_hand, random_hand

from rummy_tourney.cards import CARDS, CardSet
from rummy_tourney.melds import kernel

RNG_SEED = 41


def optional(name: str) -> ModuleType:
    """An optional package; what it warns of on import is no concern of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module: ModuleType = pytest.importorskip(name)
    return module


def mixed_hands(size: int, how_many: int) -> list[list[int]]:
    """As many random hands as biased ones."""
    rng = Random(RNG_SEED)
    return [kind(rng, size) for kind in (random_hand, biased_hand) for _ in range(how_many)]


def mask_of(codes: list[int]) -> int:
    return sum(1 << code for code in codes)


def test_rlcard_finds_the_same_deadwood() -> None:
    """RLCard lists clusters of up to three melds of ten cards; the best of them leaves our deadwood."""
    melding = optional("rlcard.games.gin_rummy.utils.melding")
    utils = optional("rlcard.games.gin_rummy.utils.utils")
    for codes in mixed_hands(10, 200):
        hand = [utils.card_from_text(CARDS[code].text[0] + CARDS[code].text[1].upper()) for code in codes]
        clusters = melding.get_best_meld_clusters(hand) or [[]]
        assert kernel.deadwood(mask_of(codes)) == utils.get_deadwood_count(hand, clusters[0])


def test_openspiel_finds_the_same_deadwood_of_ten_cards() -> None:
    """OpenSpiel's least deadwood of a hand of ten is ours."""
    gin = optional("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10)
    for codes in mixed_hands(10, 1_000):
        cards = gin.card_strings_to_card_ints([CARDS[code].text for code in codes])
        assert kernel.deadwood(mask_of(codes)) == gin.min_deadwood(cards)


def test_openspiel_never_finds_less_deadwood_of_eleven_cards() -> None:
    """With eleven cards OpenSpiel melds first and drops a card afterwards: sometimes too much, never too little."""
    gin = optional("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10)
    for codes in mixed_hands(11, 1_000):
        cards = gin.card_strings_to_card_ints([CARDS[code].text for code in codes])
        assert kernel.best_discard(mask_of(codes))[1] <= gin.min_deadwood(cards)


@pytest.mark.parametrize(
    ("hand", "ours", "theirs"),
    [
        pytest.param("3s 5s 6s 3c 6c 5d 6d 4h 5h 6h 7h", 10, 11, id="9.4-6 first"),
        pytest.param("3s 4s 5s 6s 2c 5c 6c 2h 4h 5h 6h", 9, 11, id="9.4-6 second"),
        pytest.param("3h 3s 4d 4h 4s 5d 5h 5s 6c 6d 6h", 0, 3, id="9.4-6 third"),
        pytest.param("2c 5d 6d 7d Ah 5h 6h 7h 2s 5s 7s", 10, 11, id="A1"),
    ],
)
def test_where_openspiel_differs(hand: str, ours: int, theirs: int) -> None:
    """The hands on which OpenSpiel is known to be wrong; should it be mended, this test may go."""
    gin = optional("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10)
    cards = CardSet.parse(hand)
    assert kernel.best_discard(cards.mask)[1] == ours
    assert gin.min_deadwood(gin.card_strings_to_card_ints([c.text for c in cards])) == theirs


def test_openspiel_has_the_same_melds() -> None:
    """OpenSpiel knows 185 melds of three to five cards and lists those of a hand as we do."""
    gin = optional("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10)
    for codes in mixed_hands(11, 300):
        cards = gin.card_strings_to_card_ints([CARDS[code].text for code in codes])
        theirs = {CardSet.parse("".join(gin.card_ints_to_card_strings(meld))).mask for meld in gin.all_melds(cards)}
        ours = {meld for meld in kernel.candidate_melds(mask_of(codes)) if meld.bit_count() <= 5}
        assert ours == theirs
