"""Melds as objects and their text."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import melds_twin as twin

from rummy_tourney.cards import CARDS, CardSet, card
from rummy_tourney.errors import NotationError
from rummy_tourney.melds.model import (
    Arrangement,
    Meld,
    MeldKind,
    Spot,
    all_natural_melds,
    arrange_spots,
    make_meld,
    meld,
    melds_of,
    melds_text,
    natural_meld,
    points_of,
    read_melds,
    split_spots,
    spot,
    spots_text,
)


def test_the_natural_melds_are_the_329_of_one_pack() -> None:
    """65 sets, then 264 runs (gin specification, section 2), the same as the slow twin's."""
    melds = all_natural_melds()
    assert [m.kind for m in melds] == [MeldKind.SET] * 65 + [MeldKind.RUN] * 264
    assert {twin.from_mask(m.mask) for m in melds} == twin.IS_MELD


def test_every_natural_meld_is_found_by_mask_and_by_text() -> None:
    """Text, mask and spots in any order lead back to the one object."""
    rng = Random(7)
    for m in all_natural_melds():
        assert natural_meld(m.mask) is m
        assert meld(m.text) is m
        assert arrange_spots(rng.sample(m.spots, len(m))) is m
        assert make_meld(m.kind, m.spots) is m
        assert CardSet.of(m.cards).mask == m.mask


def test_a_run_is_written_low_to_high_and_a_set_by_suit() -> None:
    """The canonical order does not depend on how the meld was written."""
    assert meld("9h 7h 8h").text == "7h8h9h"
    assert meld("Ks Qs Js").text == "JsQsKs"
    assert meld("7s 7c 7h 7d").text == "7c7d7h7s"
    assert meld("10♥jhQH").text == "ThJhQh"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        pytest.param("3s2sAs", "As2s3s", id="low"),
        pytest.param("AsKsQs", "QsKsAs", id="high"),
        pytest.param("2sAsKs", "KsAs2s", id="round the corner"),
        pytest.param("AsQs2sKs", "QsKsAs2s", id="round the corner, longer"),
        pytest.param("2sAs3sKs4s5s6s7s8s9sTsJs", "KsAs2s3s4s5s6s7s8s9sTsJs", id="all but the queen"),
        pytest.param("KsQsJsTs9s8s7s6s5s4s3s2sAs", "As2s3s4s5s6s7s8s9sTsJsQsKs", id="the whole suit"),
        pytest.param("KsQsJsTs9s8s7s6s5s4s3s2s", "2s3s4s5s6s7s8s9sTsJsQsKs", id="all but the ace"),
    ],
)
def test_aces_go_where_they_fit(text: str, canonical: str) -> None:
    """The ace is low if that leaves no gap, else high, else the run goes round the corner."""
    made = meld(text)
    assert made.kind is MeldKind.RUN
    assert made.text == canonical
    assert meld(canonical) == made


def test_melds_with_the_ace_high_are_not_natural_melds_of_gin() -> None:
    """Whether they are allowed is the variant's matter; the kernel's melds have the ace low."""
    assert natural_meld(meld("QsKsAs").mask) is None
    assert natural_meld(meld("As2s3s").mask) is not None


@pytest.mark.parametrize(
    ("text", "canonical", "kind"),
    [
        pytest.param("7h*1=6h5h", "5h*1=6h7h", MeldKind.RUN, id="inside"),
        pytest.param("*1=4h7h6h5h", "*1=4h5h6h7h", MeldKind.RUN, id="low end"),
        pytest.param("Qs*1=AsKs", "QsKs*1=As", MeldKind.RUN, id="as a high ace"),
        pytest.param("*2=3hAh*1=2h", "Ah*1=2h*2=3h", MeldKind.RUN, id="two"),
        pytest.param("*12=3h*1=2h4h", "*1=2h*12=3h4h", MeldKind.RUN, id="the twelfth"),
        pytest.param("7c*1=7s7d", "7c7d*1=7s", MeldKind.SET, id="in a set"),
        pytest.param("8c9d!=6c7c", "9d!=6c7c8c", MeldKind.RUN, id="wild card"),
        pytest.param("7c.2 7d 7h.2", "7c.27d7h.2", MeldKind.SET, id="second pack"),
        pytest.param("7c.2 8c 9c.2", "7c.28c9c.2", MeldKind.RUN, id="second pack, run"),
    ],
)
def test_jokers_wild_cards_and_second_packs(text: str, canonical: str, kind: MeldKind) -> None:
    """A card that stands for another takes that one's place; the text says so and can be read back."""
    made = meld(text)
    assert (made.text, made.kind) == (canonical, kind)
    assert meld(canonical) == made
    assert hash(meld(canonical)) == hash(made)
    assert made.mask == CardSet.of(s.card for s in made.spots).mask


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "at least three"),
        ("7h8h", "at least three"),
        ("7h7h7d", "twice"),
        ("7h8h*1=7h", "twice"),
        ("*1=7h*1=8h9h", "twice"),
        ("7h8hTh", "neither"),
        ("7h8h9d", "neither"),
        ("QsKsAs3s", "neither"),
        ("KhAs2h", "neither"),
        ("7c7c.27d", "neither"),
        ("5h5h.26h", "neither"),
        ("7c7d7h7s8s", "neither"),
        ("5h*17h", "say what each joker"),
        ("*1=*27h7d", "cannot be what"),
        ("9d=6c7c8c", "9d!=6c"),
        ("*1!=6c7c8c", "9d!=6c"),
        ("7h8hXh", "'Xh'"),
        ("7h8h9", "'9'"),
    ],
)
def test_what_is_no_meld(text: str, why: str) -> None:
    """Anything but a set or a run is refused, and the message says why."""
    with pytest.raises(NotationError, match=why.replace("*", r"\*")):
        meld(text)


def test_spots_can_be_read_one_by_one() -> None:
    """A spot is a card and what it stands for."""
    assert spot("7h") == Spot(card("7h"), card("7h"))
    assert spot("*1=7h") == Spot(card("*1"), card("7h"))
    assert spot("9d!=6c").text == "9d!=6c"
    for wrong in ("", "7", "7h8h", "7h=", "=7h", "*1=", "9d=6c", "*1==7h", " 7h"):
        with pytest.raises(NotationError):
            spot(wrong)


def test_a_joker_may_stand_right_before_a_two() -> None:
    """``*12h`` is the first joker and the two of hearts."""
    assert [s.text for s in split_spots("*12h*12=2c2d")] == ["*1", "2h", "*12=2c", "2d"]


natural_spots = st.sampled_from([Spot(c, c) for c in CARDS.values()])
joker_spots = st.builds(
    Spot,
    st.sampled_from([c for c in CARDS.values() if c.is_joker]),
    st.sampled_from([c for c in CARDS.values() if not c.is_joker]),
)


@given(st.lists(natural_spots | joker_spots))
def test_the_text_of_spots_reads_back(spots: list[Spot]) -> None:
    """Reading is the inverse of writing, whatever stands beside what."""
    assert split_spots(spots_text(spots)) == spots


@given(st.lists(st.sampled_from(all_natural_melds()), max_size=4))
def test_the_text_of_melds_reads_back(melds: list[Meld]) -> None:
    """A list of melds keeps its order in text."""
    assert list(read_melds(melds_text(melds))) == melds


def test_melds_in_brackets() -> None:
    """Spaces are allowed between and inside the brackets; anything else outside them is not."""
    assert melds_text(read_melds("[7c 7d 7h] [4s5s6s]")) == "[7c7d7h][4s5s6s]"
    assert read_melds("") == read_melds("  ") == ()
    for wrong in ("7c7d7h", "[7c7d7h", "[7c7d7h]4s", "[]", "[[7c7d7h]]"):
        with pytest.raises(NotationError, match="brackets"):
            read_melds(wrong)


def pickled(value: Meld) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # pickled on this very line


def test_melds_survive_copying_and_pickling() -> None:
    """Workers send melds to each other; a natural one arrives as the same object, any other as an equal one."""
    for text in ("7c7d7h", "5h*1=6h7h", "QsKsAs"):
        made = meld(text)
        for twin_of in (pickled(made), copy.deepcopy(made), copy.copy(made)):
            assert twin_of == made
            assert hash(twin_of) == hash(made)
    assert pickled(meld("7c7d7h")) is meld("7c7d7h")


def test_an_arrangement_names_its_loose_cards() -> None:
    """The mask is for the kernel, the cards for people."""
    found = Arrangement(melds_of([meld("7c7d7h").mask]), CardSet.parse("KdAs").mask, 11)
    assert found.melds == (meld("7c7d7h"),)
    assert found.loose_cards == CardSet.parse("AsKd")


def test_points() -> None:
    """Ace 1, pips, court cards 10; games with dear aces and jokers say so."""
    hand = CardSet.parse("As 2s 9s Ts Js Qs Ks *1").mask
    assert points_of(hand) == 1 + 2 + 9 + 40
    assert points_of(hand, ace=15, joker=25) == 15 + 2 + 9 + 40 + 25
    assert points_of(CardSet.parse("Ad Ad.2").mask, ace=11) == 22
