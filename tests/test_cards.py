"""Cards, sets of cards and packs: text both ways, identity, and the frozen deck order."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_tourney.cards import (
    CARDS,
    NATURALS,
    Card,
    CardSet,
    Pack,
    Rank,
    Suit,
    card,
    cards_of,
    join_cards,
    mask_of,
    pack,
    split_cards,
)
from rummy_tourney.errors import NotationError

any_card = st.sampled_from(list(CARDS.values()))
sets_of_cards = st.sets(any_card)


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # pickled on this very line


# --- one card ------------------------------------------------------------------------------------------------------


def test_there_are_two_packs_and_twelve_jokers() -> None:
    """52 cards twice and the jokers, each with its own code and text."""
    assert len(CARDS) == len({c.text for c in CARDS.values()}) == 2 * 52 + 12
    assert all(CARDS[c.code] is c and c.mask == 1 << c.code for c in CARDS.values())


def test_every_card_reads_back_as_itself() -> None:
    """Reading is the inverse of writing, and finds the one object of that card."""
    assert all(card(c.text) is c for c in CARDS.values())


@pytest.mark.parametrize(
    ("text", "code", "rank", "suit", "copy_number"),
    [
        ("Ac", 0, Rank.ACE, Suit.CLUBS, 1),
        ("Kc", 12, Rank.KING, Suit.CLUBS, 1),
        ("7h", 32, Rank.SEVEN, Suit.HEARTS, 1),
        ("Ks", 51, Rank.KING, Suit.SPADES, 1),
        ("*1", 52, Rank.JOKER, Suit.NONE, 1),
        ("*12", 63, Rank.JOKER, Suit.NONE, 1),
        ("Ac.2", 64, Rank.ACE, Suit.CLUBS, 2),
        ("Td.2", 86, Rank.TEN, Suit.DIAMONDS, 2),
    ],
)
def test_the_code_of_a_card(text: str, code: int, rank: Rank, suit: Suit, copy_number: int) -> None:
    """13 * suit + rank - 1, jokers from 52, the second pack 64 higher: part of the public format."""
    c = card(text)
    assert (c.code, c.rank, c.suit, c.copy) == (code, rank, suit, copy_number)
    assert c.is_joker == text.startswith("*")
    assert repr(c) == text


@pytest.mark.parametrize(
    ("loose", "strict"),
    [
        ("10h", "Th"),
        ("7H", "7h"),
        ("T♥", "Th"),
        ("10♠", "Ts"),
        ("td", "Td"),
        ("aS", "As"),
        ("k♣", "Kc"),
        ("Q♦.2", "Qd.2"),
        ("10C.2", "Tc.2"),
        ("7h.1", "7h"),
    ],
)
def test_loose_forms(loose: str, strict: str) -> None:
    """People write 10h, 7H and T♥, and mean a card."""
    assert card(loose) is card(strict)
    assert split_cards(f"2c{loose}3d") == [card("2c"), card(strict), card("3d")]


@pytest.mark.parametrize(
    "text", ["", "7", "h", "h7", "1h", "11h", "0h", "7x", "7hh", "7h 8h", " 7h", "7h\n", "7h.3", "*", "*0", "*13", "*01"]
)
def test_what_is_no_card(text: str) -> None:
    """The message names the text and shows how a card is written."""
    with pytest.raises(NotationError) as caught:
        card(text)
    assert str(caught.value) == f"{text!r} is not a card. Write rank then suit, as in 7h, Td, Ks, or *1 for a joker"


@given(any_card)
def test_equal_cards_are_one_object(c: Card) -> None:
    """Cards are interned, also after copying and after a journey to another process."""
    assert pickled(c) is copy.copy(c) is copy.deepcopy(c) is c
    assert pickled([c, c]) == [c, c]


def test_cards_cannot_be_made_or_changed() -> None:
    """Everybody shares the same objects, so nobody may alter them."""
    with pytest.raises(TypeError, match="interned"):
        Card()
    with pytest.raises(AttributeError, match="never changes"):
        card("7h").rank = Rank.EIGHT


def test_cards_sort_in_deck_order() -> None:
    """By suit, then by rank; jokers after the first pack, the second pack last."""
    cards = [card(text) for text in ("Ac.2", "*1", "As", "2c", "Kd")]
    assert [c.text for c in sorted(cards)] == ["2c", "Kd", "As", "*1", "Ac.2"]


def test_a_python_set_of_cards_is_walked_through_alike_in_every_process() -> None:
    """A bot that loops over a set of cards must not play differently each time it is started."""
    walk = "from rummy_tourney.cards import CARDS; print({CARDS[i * 7 % 52] for i in range(20)})"
    runs = {subprocess.run([sys.executable, "-c", walk], check=True, capture_output=True, text=True).stdout for _ in range(3)}
    assert len(runs) == 1


# --- several cards -------------------------------------------------------------------------------------------------


@given(st.lists(any_card))
def test_cards_in_a_row_read_back(cards: list[Card]) -> None:
    """Without spaces too, whatever stands beside what; order and repetition are kept."""
    assert split_cards(join_cards(cards)) == cards
    assert split_cards(" ".join(c.text for c in cards)) == cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("*12h", ["*1", "2h"]),
        ("*122h", ["*12", "2h"]),
        ("*110h", ["*1", "Th"]),
        ("*1010h", ["*10", "Th"]),
        ("*1*12*2", ["*1", "*12", "*2"]),
        ("*1 2h", ["*1", "2h"]),
        ("7h.22c", ["7h.2", "2c"]),
        ("7h, 8h,9h\n10h\t", ["7h", "8h", "9h", "Th"]),
        ("", []),
    ],
)
def test_where_one_card_ends_and_the_next_begins(text: str, cards: list[str]) -> None:
    """A joker's number ends before the rank of a card; spaces and commas part cards."""
    assert [c.text for c in split_cards(text)] == cards


@pytest.mark.parametrize(
    ("text", "piece"),
    [("7h8hX", "'X'"), ("7h8", "'8'"), ("7h??8h", "'??8h'"), ("*10h", "'*10h'"), ("7h *13", r"'\*13'"), ("[7h]", "h")],
)
def test_text_that_is_not_all_cards(text: str, piece: str) -> None:
    """The message names the first piece that is no card."""
    with pytest.raises(NotationError, match=piece.replace("?", r"\?").replace("'*", r"'\*")):
        split_cards(text)


def test_masks() -> None:
    """A mask is the set of codes; a card named twice cannot be in one."""
    cards = split_cards("Ks7hAc*3Ac.2")
    assert mask_of(cards) == 1 << 51 | 1 << 32 | 1 | 1 << 54 | 1 << 64
    assert [c.text for c in cards_of(mask_of(cards))] == ["Ac", "7h", "Ks", "*3", "Ac.2"]
    with pytest.raises(NotationError, match="7h is named twice"):
        mask_of(split_cards("7h8h7h"))


# --- sets of cards -------------------------------------------------------------------------------------------------


@given(sets_of_cards, sets_of_cards)
def test_a_card_set_is_a_set(a: set[Card], b: set[Card]) -> None:
    """Every operator does what Python's own sets do."""
    x, y = CardSet.of(a), CardSet.of(b)
    assert set(x | y) == a | b
    assert set(x & y) == a & b
    assert set(x - y) == a - b
    assert (x <= y) == (a <= b)
    assert (x == y) == (a == b)
    assert len(x) == len(a)
    assert bool(x) == bool(a)
    assert list(x) == sorted(a)
    assert all((c in x) == (c in a) for c in CARDS.values())


@given(sets_of_cards, any_card)
def test_a_card_set_takes_single_cards(a: set[Card], c: Card) -> None:
    """Adding a card that is there, or taking one that is not, changes nothing."""
    x = CardSet.of(a)
    assert set(x | c) == a | {c}
    assert set(x - c) == a - {c}
    assert set(x) == a


@given(sets_of_cards)
def test_a_card_set_reads_back(a: set[Card]) -> None:
    """From its text, from what Python prints, and from another process."""
    x = CardSet.of(a)
    assert CardSet.parse(str(x)) == x
    assert eval(repr(x), {"CardSet": CardSet}) == x  # noqa: S307  # the repr promises to be what makes the object
    assert pickled(x) == copy.deepcopy(x) == x
    assert hash(pickled(x)) == hash(x)


def test_a_card_set_is_frozen_and_unlike_anything_else() -> None:
    """It can be a key of a dict, and does not pass for a number or a Python set."""
    hand = CardSet.parse("7h 8h")
    with pytest.raises(AttributeError, match="immutable"):
        hand.mask = 0
    assert hand != hand.mask
    assert hand != set(hand)
    assert "7h" not in hand
    assert {hand: 1}[CardSet.parse("8h7h")] == 1
    assert repr(hand) == "CardSet.parse('7h8h')"
    with pytest.raises(NotationError, match="twice"):
        CardSet.parse("7h7h")


# --- packs ---------------------------------------------------------------------------------------------------------


def test_the_order_of_an_unshuffled_deck_is_frozen() -> None:
    """Ace to king of clubs, diamonds, hearts, spades, pack by pack, then jokers: every recorded deck depends on it."""
    one = "Ac2c3c4c5c6c7c8c9cTcJcQcKcAd2d3d4d5d6d7d8d9dTdJdQdKdAh2h3h4h5h6h7h8h9hThJhQhKhAs2s3s4s5s6s7s8s9sTsJsQsKs"
    assert join_cards(pack().cards) == one
    assert join_cards(pack(1, 2).cards) == one + "*1*2"
    two = join_cards(pack(2, 3).cards)
    assert two.startswith(one + "Ac.22c.2")
    assert two.endswith("Qs.2Ks.2*1*2*3")


@pytest.mark.parametrize(("packs", "jokers", "size"), [(1, 0, 52), (1, 2, 54), (2, 0, 104), (2, 12, 116)])
def test_packs(packs: int, jokers: int, size: int) -> None:
    """Codes, cards and mask speak of the same cards."""
    p = pack(packs, jokers)
    assert len(p) == len(p.codes) == len(set(p.codes)) == size
    assert tuple(c.code for c in p.cards) == p.codes
    assert p.mask == mask_of(p.cards)
    assert repr(p) == f"pack({packs}, {jokers})"


def test_the_first_pack_is_what_the_kernel_knows() -> None:
    """The mask of one pack without jokers."""
    assert pack().mask == NATURALS


def test_equal_packs_are_one_object() -> None:
    """However they are asked for, copied or sent to another process."""
    assert pack() is pack(1) is pack(1, 0) is pack(packs=1, jokers=0)
    assert pickled(pack(2, 4)) is copy.deepcopy(pack(2, 4)) is pack(2, 4)


@pytest.mark.parametrize(("packs", "jokers"), [(0, 0), (3, 0), (1, -1), (1, 13)])
def test_impossible_packs(packs: int, jokers: int) -> None:
    """There are codes for two packs and twelve jokers."""
    with pytest.raises(NotationError, match=f"not {packs} and {jokers}"):
        pack(packs, jokers)
    with pytest.raises(NotationError, match="1 to 2 packs and 0 to 12 jokers"):
        Pack(packs, jokers)
