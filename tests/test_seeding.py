"""Chance: known answers, exact uniformity, independence of the names from each other.

Expected decks and keys come from two tables computed outside this package and frozen before it was written:
``data/seed_chain_vectors.json`` (seed to deck) and ``data/shake256_deck_vectors.csv`` (36 decks from 32-byte keys).
Where no table has an answer, the test writes the bytes of the frozen formula out by hand.
"""

import csv
import json
import random
import struct
from collections import Counter
from hashlib import sha256, shake_256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_tourney import seeding
from rummy_tourney.seeding import (
    SeededChance,
    Stream,
    bot_key,
    bot_path,
    bot_random,
    bot_stream,
    commitment,
    deal_key,
    deal_path,
    deck_order,
    lp,
    order,
    random_of_key,
    root_from_beacon,
    root_from_seed,
    root_from_system,
    salt,
    seat_draw_path,
    table_break_path,
    tie_break_path,
)

DATA = Path(__file__).parent / "data"
CHAIN: list[dict[str, Any]] = json.loads((DATA / "seed_chain_vectors.json").read_text())["vectors"]
with (DATA / "shake256_deck_vectors.csv").open(newline="") as file:
    DECKS = list(csv.DictReader(file))

ROOT = root_from_seed("2026")
SIZES = [0, 1, 2, 3, 7, 32, 51, 52, 53, 54, 67, 68, 69, 104, 106, 128, 129, 255, 256, 257, 300, 1000]
indexes = st.integers(0, 2**64 - 1)


class Scripted(Stream):
    """A stream that reads given bytes instead of SHAKE's, to see what ``below`` makes of each of them."""

    __slots__ = ("script",)

    def __init__(self, script: bytes) -> None:
        super().__init__("scripted", b"", 0, 0)
        self.script = script

    def _take(self, count: int) -> bytes:
        taken, self.script = self.script[:count], self.script[count:]
        return taken


def taken(width: int, x: int, m: int) -> int | None:
    """What ``below(m)`` answers to the number ``x`` of ``width`` bytes, or None if it rejects it."""
    # The zero behind x is always accepted, so what is left over tells whether x was.
    stream = Scripted(x.to_bytes(width, "big") + bytes(width))
    answer = stream.below(m)
    return answer if len(stream.script) == width else None


# --- known answers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", CHAIN, ids=lambda v: f"{v['path']}-{v['index']}-{v['n']}")
def test_whole_chain_from_seed_to_order(vector: dict[str, Any]) -> None:
    """Root, commitment, key, order and bytes used are those of the frozen table, also for more than 256 things."""
    root = root_from_seed(vector["seed"])
    key, found = deck_order(root, vector["path"], vector["index"], vector["n"], vector["label"])
    stream = Stream(vector["label"], key, vector["index"], vector["n"])

    assert root.hex() == vector["root"]
    assert commitment(root) == vector["commitment"]
    assert key.hex() == vector["key"] == deal_key(root, vector["path"], vector["index"]).hex()
    assert found[: len(vector["order"])] == vector["order"]
    assert sha256(struct.pack(f">{vector['n']}H", *found)).hexdigest() == vector["sha256_u16be"]
    assert stream.shuffled(vector["n"]) == found
    assert stream.used == vector["bytes_used"]


@pytest.mark.parametrize("row", DECKS, ids=lambda r: f"{r['seed_name']}-{r['deal']}-{r['n']}")
def test_golden_decks_of_short_keys(row: dict[str, str]) -> None:
    """The 36 golden decks with 32-byte keys come out, with exactly the bytes they used."""
    key, deal, n = bytes.fromhex(row["seed_hex"]), int(row["deal"]), int(row["n"])
    expected = [int(text) for text in row["deck_0based"].split()]
    stream = Stream("deck", key, deal, n)

    assert order("deck", key, deal, n) == expected == stream.shuffled(n)
    assert stream.used == int(row["bytes_used"])
    assert sha256(bytes(expected)).hexdigest() == row["sha256_of_deck_bytes"]


def test_the_tables_are_whole() -> None:
    """No known answer got lost on the way into the test data."""
    assert len(CHAIN) == 6
    assert len(DECKS) == 36


def test_parts_are_joined_with_their_lengths() -> None:
    """The join is two bytes of length and the part, text as UTF-8; other parts give other bytes."""
    assert lp("a♥", b"\x00", "") == b"\x00\x04a\xe2\x99\xa5" + b"\x00\x01\x00" + b"\x00\x00"
    assert lp("ab", "c") != lp("a", "bc") != lp("abc")
    assert lp(b"x" * 65535)[:2] == b"\xff\xff"
    with pytest.raises(ValueError, match="65536 bytes is too long"):
        lp(b"x" * 65536)


@given(st.lists(st.binary(max_size=5), max_size=5), st.lists(st.binary(max_size=5), max_size=5))
def test_different_parts_never_join_to_the_same_bytes(one: list[bytes], two: list[bytes]) -> None:
    """The join can be read back, so no two lists of parts share a hash."""
    assert (lp(*one) == lp(*two)) == (one == two)


def test_root_with_nonces_and_a_beacon() -> None:
    """The root mixes spec hash, server seed, sorted nonces and beacon, whatever order the nonces came in."""
    by_hand = (
        b"\x00\x0ftourney-root-v1" + b"\x00\x04spec" + b"\x00\x03srv"
        + b"\x00\x01a" + b"\x00\x02ab" + b"\x00\x01b" + b"\x00\x06beacon"
    )  # fmt: skip
    assert root_from_beacon(b"spec", b"srv", [b"b", b"ab", b"a"], b"beacon") == shake_256(by_hand).digest(64)
    assert root_from_beacon(b"spec", b"srv", [b"a", b"b", b"ab"], b"beacon") == shake_256(by_hand).digest(64)


def test_beacon_root_depends_on_every_contribution() -> None:
    """Changing, dropping or adding one contribution changes the root, and an absent beacon is not a nonce."""
    roots = {
        root_from_beacon(b"spec", b"srv", [b"a"], b"z"),
        root_from_beacon(b"Spec", b"srv", [b"a"], b"z"),
        root_from_beacon(b"spec", b"Srv", [b"a"], b"z"),
        root_from_beacon(b"spec", b"srv", [b"A"], b"z"),
        root_from_beacon(b"spec", b"srv", [b"a", b"a"], b"z"),
        root_from_beacon(b"spec", b"srv", [], b"z"),
        root_from_beacon(b"spec", b"srv", [b"a", b"z"], b""),
    }
    assert len(roots) == 7


def test_system_roots_are_long_and_never_the_same() -> None:
    """Without a seed every root is 64 new bytes."""
    assert len(root_from_system()) == 64
    assert root_from_system() != root_from_system()


def test_salt_is_shake_of_the_key_and_the_word_salt() -> None:
    """The salt is 32 bytes of SHAKE-256 over the key followed by the text."""
    key = deal_key(ROOT, "deal/demo/1", 0)
    assert salt(key) == shake_256(key + b"salt").digest(32)


def test_below_and_choice_of_a_known_stream() -> None:
    """Single draws read the stream front to back, w bytes each, big-endian."""
    raw = shake_256(lp("tourney-shuffle-v1", "bot", b"k", struct.pack(">Q", 5), b"\x00\x00")).digest(15)
    stream = Stream("bot", b"k", 5, 0)
    assert stream.below(256) == raw[0]
    assert stream.below(65536) == int.from_bytes(raw[1:3], "big")
    assert stream.below(2**32) == int.from_bytes(raw[3:7], "big")
    assert stream.below(2**64) == int.from_bytes(raw[7:15], "big")
    assert stream.used == 15
    assert Stream("bot", b"k", 5, 0).choice("abcd") == "abcd"[raw[0] % 4]


# --- exactness -------------------------------------------------------------------------------------------------------


def test_below_is_exact_for_every_bound_of_one_byte() -> None:
    """For each bound up to 256, the 256 bytes give every answer equally often, and fewer than m bytes are refused."""
    for m in range(1, 257):
        counts = Counter(taken(1, x, m) for x in range(256))
        refused = counts.pop(None, 0)
        assert set(counts) == set(range(m))
        assert set(counts.values()) == {256 // m}
        assert refused == 256 % m


@pytest.mark.parametrize("m", [257, 1000, 32769, 65535, 65536])
def test_below_is_exact_for_bounds_of_two_bytes(m: int) -> None:
    """For bounds around the edges of two bytes, the 65,536 pairs give every answer equally often."""
    counts = Counter(taken(2, x, m) for x in range(65536))
    assert counts.pop(None, 0) == 65536 % m
    assert set(counts) == set(range(m))
    assert set(counts.values()) == {65536 // m}


@pytest.mark.parametrize(
    ("m", "width"), [(65537, 4), (2**31 + 1, 4), (2**32 - 1, 4), (2**32, 4), (2**32 + 1, 8), (2**63 + 1, 8), (2**64, 8)]
)
def test_below_accepts_up_to_the_last_whole_multiple(m: int, width: int) -> None:
    """For wide bounds the last number of the last whole multiple is taken and everything above it refused."""
    span = 256**width
    last = span // m * m - 1
    assert taken(width, last, m) == m - 1
    assert taken(width, 0, m) == 0
    if last + 1 < span:
        assert taken(width, last + 1, m) is None
        assert taken(width, span - 1, m) is None


def test_below_one_reads_one_byte() -> None:
    """The formula gives w = 1 for m = 1: the answer is 0 and one byte is used."""
    stream = Stream("bot", b"", 0, 0)
    assert stream.below(1) == 0
    assert stream.used == 1


@pytest.mark.parametrize("m", [0, -1, 2**64 + 1])
def test_bounds_that_cannot_be_drawn_are_refused(m: int) -> None:
    """A bound below 1 or above 2^64 is an error, not a loop without end."""
    with pytest.raises(ValueError, match="from 1 to 2\\^64"):
        Stream("bot", b"", 0, 0).below(m)


def test_choice_from_nothing_is_refused() -> None:
    """There is no random item of an empty list."""
    with pytest.raises(ValueError, match="below 0"):
        Stream("bot", b"", 0, 0).choice([])


def test_every_order_of_four_has_exactly_one_history() -> None:
    """The swaps map the 4 * 3 * 2 possible draws one to one onto the 24 orders."""
    orders = {
        tuple(Scripted(bytes([first, second, third])).shuffled(4))
        for first in range(4)
        for second in range(3)
        for third in range(2)
    }
    assert orders == set(permutations(range(4)))


# --- the fast path ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
def test_fast_order_equals_the_stream(n: int) -> None:
    """The path every deal takes and the stream that is its definition give the same order."""
    for index in range(5):
        found = order("deck", ROOT, index, n)
        assert found == Stream("deck", ROOT, index, n).shuffled(n)
        assert sorted(found) == list(range(n))


@given(st.text(max_size=8), st.binary(max_size=70), indexes, st.integers(0, 300))
def test_fast_order_equals_the_stream_for_any_names(label: str, key: bytes, index: int, n: int) -> None:
    """Neither label, key, index nor size makes the two differ."""
    assert order(label, key, index, n) == Stream(label, key, index, n).shuffled(n)


@pytest.mark.parametrize("first", [1, 40, 51])
def test_order_does_not_depend_on_how_bytes_are_fetched(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Running out of the first bytes changes nothing: the rest of the stream is fetched."""
    expected = {n: order("deck", ROOT, 0, n) for n in (52, 256, 300)}
    monkeypatch.setattr(seeding, "_first_length", lambda n: first)
    for n, deck in expected.items():
        assert order("deck", ROOT, 0, n) == deck == Stream("deck", ROOT, 0, n).shuffled(n)


def test_a_long_stream_is_the_plain_output_of_shake() -> None:
    """However it is fetched, a stream is one SHAKE-256 output read from its start."""
    stream = Stream("bot", b"key", 1, 0)
    read = bytes(stream.below(256) for _ in range(5000))
    message = lp("tourney-shuffle-v1", "bot", b"key", struct.pack(">Q", 1), struct.pack(">H", 0))
    assert read == shake_256(message).digest(5000)


@pytest.mark.parametrize("index", [-1, 2**64])
def test_an_index_outside_64_bits_is_refused(index: int) -> None:
    """A deal number must fit in eight bytes, wherever it is given."""
    with pytest.raises(ValueError, match="out of range"):
        order("deck", ROOT, index, 52)
    with pytest.raises(ValueError, match="out of range"):
        Stream("deck", ROOT, index, 52)
    with pytest.raises(ValueError, match="out of range"):
        deal_key(ROOT, "deal/demo/1", index)


@pytest.mark.parametrize("n", [-1, 65536])
def test_a_size_outside_16_bits_is_refused(n: int) -> None:
    """The number of things to order must fit in two bytes."""
    with pytest.raises(ValueError, match="cannot be ordered"):
        order("deck", ROOT, 0, n)
    with pytest.raises(ValueError, match="cannot be ordered"):
        Stream("deck", ROOT, 0, n)


def test_a_negative_number_of_things_cannot_be_shuffled() -> None:
    """A stream refuses what has no order."""
    with pytest.raises(ValueError, match="cannot be ordered"):
        Stream("bot", b"", 0, 0).shuffled(-1)


# --- names, not order ------------------------------------------------------------------------------------------------


names = st.text("abcdefgh-@:.123", min_size=1, max_size=8)
deal_names = st.tuples(names, st.integers(1, 9), st.none() | st.integers(1, 9), st.integers(0, 5))


@given(st.lists(deal_names, min_size=1, max_size=6), st.lists(deal_names, max_size=6), st.randoms(use_true_random=False))
def test_other_paths_never_change_a_deck(
    mine: list[tuple[str, int, int | None, int]], others: list[tuple[str, int, int | None, int]], rng: random.Random
) -> None:
    """More events, rounds, tables, bots and a busy global generator leave every deck as it was, in any sequence."""

    def deck(name: tuple[str, int, int | None, int]) -> list[int]:
        return deck_order(ROOT, deal_path(*name[:3]), name[3], 52)[1]

    alone = {name: deck(name) for name in mine}
    together = [*mine, *others]
    rng.shuffle(together)
    again = {}
    for name in together:
        bot_stream(ROOT, name[0], "match", 0).below(52)
        deck_order(ROOT, seat_draw_path(name[0]), 0, 7, "seat-draw")
        random.random()
        again[name] = deck(name)
    assert {name: again[name] for name in mine} == alone


@given(deal_names, deal_names)
def test_two_deals_share_cards_only_if_they_share_all_names(
    one: tuple[str, int, int | None, int], two: tuple[str, int, int | None, int]
) -> None:
    """Event, round, table and deal number each count, and no combination of them can be read in two ways."""
    keys = [deal_key(ROOT, deal_path(*name[:3]), name[3]) for name in (one, two)]
    assert (keys[0] == keys[1]) == (one == two)


def test_label_key_index_and_size_each_give_another_order() -> None:
    """A reshuffle of 52 cards is not the deck again, and neither is a deck of another key, deal or size."""
    base = order("deck", ROOT, 0, 52)
    assert order("reshuffle/1", ROOT, 0, 52) != base
    assert order("deck", ROOT[::-1], 0, 52) != base
    assert order("deck", ROOT, 1, 52) != base
    assert [x for x in order("deck", ROOT, 0, 53) if x < 52] != base


def test_paths_are_written_as_documented() -> None:
    """The spelling of each path is part of the public format."""
    assert deal_path("demo", 1) == "deal/demo/1"
    assert deal_path("spring-gin-league", 3, 2) == "deal/spring-gin-league/3/2"
    assert deal_path("daily@2026-11-30T13:00Z", "final", "a") == "deal/daily@2026-11-30T13:00Z/final/a"
    assert seat_draw_path("month", 1) == "seat-draw/month/1"
    assert seat_draw_path("month") == "seat-draw/month"
    assert table_break_path("month", 4) == "table-break/month/4"
    assert tie_break_path("month") == "tie-break/month"
    assert tie_break_path("month", 2) == "tie-break/month/2"
    assert bot_path("steady", "demo/1/2") == "bot/steady/demo/1/2"


@pytest.mark.parametrize("name", ["", "a/b", "/"])
def test_names_that_would_make_paths_ambiguous_are_refused(name: str) -> None:
    """A slash or nothing in a name could give two purposes the same path, so it is refused."""
    with pytest.raises(ValueError, match="part of a path"):
        deal_path(name, 1)
    with pytest.raises(ValueError, match="part of a path"):
        deal_path("demo", 1, name)
    with pytest.raises(ValueError, match="part of a path"):
        bot_path(name, "match")
    with pytest.raises(ValueError, match="empty"):
        bot_path("steady", "")


# --- reshuffles and bots ---------------------------------------------------------------------------------------------


def test_chance_of_a_deal_orders_by_label() -> None:
    """A table's reshuffles come from its deal's key and number, one label each, and can be asked in any sequence."""
    key = deal_key(ROOT, "deal/demo/1", 7)
    chance = SeededChance(key, 7)
    second, first = chance.order("reshuffle/2", 20), chance.order("reshuffle/1", 20)
    assert first == order("reshuffle/1", key, 7, 20) == chance.order("reshuffle/1", 20)
    assert second == order("reshuffle/2", key, 7, 20) != first


def test_chance_does_not_print_its_key() -> None:
    """A message that shows the object does not give the deck away."""
    key = deal_key(ROOT, "deal/demo/1", 7)
    assert repr(SeededChance(key, 7)) == "SeededChance(index=7)"


def test_dice_of_a_bot_follow_from_entry_match_and_index() -> None:
    """The same names give the same dice in every process; one other name gives others."""
    draws = {names: bot_random(ROOT, *names).random() for names in [("a", "m", 0), ("b", "m", 0), ("a", "n", 0), ("a", "m", 1)]}
    assert len(set(draws.values())) == 4
    assert bot_random(ROOT, "a", "m", 0).random() == draws["a", "m", 0]
    assert random_of_key(bot_key(ROOT, "a", "m", 0)).random() == draws["a", "m", 0]
    assert bot_key(ROOT, "a", "m", 0) == deal_key(ROOT, "bot/a/m", 0)


def test_random_of_key_is_python_seeded_with_the_key_as_a_number() -> None:
    """Anybody can build the same generator from the key alone."""
    key = bytes(range(64))
    assert random_of_key(key).random() == random.Random(int(key.hex(), 16)).random()


def test_dice_of_a_built_in_bot_are_a_stream() -> None:
    """Built-in bots draw from the stream named ``bot`` of their own key."""
    stream, same = bot_stream(ROOT, "a", "m", 3), Stream("bot", deal_key(ROOT, "bot/a/m", 3), 3, 0)
    assert [stream.below(1000) for _ in range(50)] == [same.below(1000) for _ in range(50)]


def test_the_global_generator_is_neither_read_nor_moved() -> None:
    """Chance has no global state: seeding or using Python's global generator does not touch it, nor it that one."""
    before = random.getstate()
    first = (order("deck", ROOT, 0, 52), bot_random(ROOT, "a", "m", 0).random())
    assert random.getstate() == before
    random.seed(1)
    assert (order("deck", ROOT, 0, 52), bot_random(ROOT, "a", "m", 0).random()) == first
