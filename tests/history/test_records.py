"""Records: exact points, the fast line of a deal, reading back."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec
import pytest
from history_samples import deal, head
from hypothesis import given
from hypothesis import strategies as st

from rummy_tourney.errors import BrokenHistory, EngineBug, NotationError
from rummy_tourney.history.canonical import MAX_INT, canonical
from rummy_tourney.history.links import GENESIS, chain, link, record_hash
from rummy_tourney.history.records import (
    RECORD_TYPES,
    UNCHAINED,
    DealRecord,
    NoteRecord,
    as_fields,
    decode_deal,
    decode_record,
    encode_deal,
    exact_text,
    read_exact,
)

EXACT = st.integers(-MAX_INT, MAX_INT) | st.fractions().map(exact_text)
DEALS = st.builds(
    DealRecord,
    deadwood=st.lists(st.integers(0, 98) | st.none(), max_size=3).map(tuple),
    dealer=st.integers(0, 5),
    deck=st.text(max_size=20),
    end=st.sampled_from(["gin", "wall"]),
    faults=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    first=st.integers(0, 5),
    full=st.just("") | st.just("ab" * 32),
    hands=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    id=st.text(max_size=8),
    key=st.just("") | st.just("cd" * 64),
    melds=st.lists(st.text(max_size=5), max_size=2).map(tuple),
    moves=st.lists(st.text(max_size=8), max_size=6).map(tuple),
    parts=st.lists(st.dictionaries(st.text("abcdehprv-_", min_size=1), EXACT, max_size=4), max_size=2).map(tuple),
    points=st.lists(EXACT, max_size=3).map(tuple),
    rules=st.text(max_size=5),
    seats=st.lists(st.text(max_size=5), max_size=3).map(tuple),
    start=st.lists(EXACT, max_size=3).map(tuple),
)


@given(DEALS, st.binary(min_size=32, max_size=32))
def test_the_fast_line_of_a_deal_is_the_canonical_line(record: DealRecord, prev: bytes) -> None:
    """Encoding the struct, and filling in the chain without parsing, gives what the definitions give."""
    line = encode_deal(record)
    assert line == canonical(as_fields(record))
    chained, h = chain(line, prev)
    assert (chained, h) == link(as_fields(record), prev)
    assert record_hash(json.loads(chained), prev) == h
    assert as_fields(decode_deal(chained)) == as_fields(record) | {"prev": prev.hex(), "h": h.hex()}


@given(st.integers() | st.fractions())
def test_exact_points_survive(points: int | Fraction) -> None:
    """Integers and fractions of any size come back equal, and the text is in canonical JSON."""
    text = exact_text(points)
    assert read_exact(json.loads(canonical(text))) == points
    assert isinstance(text, int) == (points.denominator == 1 and abs(points) <= MAX_INT)


@pytest.mark.parametrize(
    "wrong",
    [1.0, True, None, "", "7", "4/2", "5/1", "-0/3", "5/-2", "+5/2", "05/2", " 5/2", "5/2 ", "5/2\n", "٣/٢", "1e9", [1]],
)
def test_points_that_nobody_writes_are_refused(wrong: object) -> None:
    """There is one text for each value of points."""
    with pytest.raises(NotationError, match="not exact points"):
        read_exact(wrong)


def test_fields_are_declared_in_sorted_order() -> None:
    """msgspec writes fields as declared; canonical JSON wants them sorted."""
    for kind, record in RECORD_TYPES.items():
        names = msgspec.structs.fields(record)
        assert [f.name for f in names] == sorted(f.name for f in names), kind


def test_empty_fields_are_left_out_and_the_rest_always_written() -> None:
    """A record has one form only: emptiness is absence."""
    record = DealRecord(dealer=0, end="void", first=1, id="a", moves=(), points=(), rules="main", seats=(), start=())
    expected = (
        f'{{"dealer":0,"end":"void","first":1,"h":"{UNCHAINED}","id":"a","moves":[],"points":[],'
        f'"prev":"{UNCHAINED}","rules":"main","seats":[],"start":[],"t":"deal"}}'
    )
    assert encode_deal(record).decode() == expected


def test_extension_fields_are_written_and_kept_out_of_the_struct() -> None:
    """x_ fields are part of the line and of the hash; the struct reads past them."""
    line, h = chain(encode_deal(deal(1), {"x_room": {"z": 1, "a": "Ω"}}), GENESIS)
    assert b',"t":"deal","x_room":{"a":"\xce\xa9","z":1}}' in line
    assert record_hash(json.loads(line), GENESIS) == h
    assert decode_deal(line).id == deal(1).id
    with pytest.raises(EngineBug, match="must start with x_"):
        encode_deal(deal(1), {"room": 1})


@pytest.mark.parametrize("where", ["points", "start", "parts"])
@pytest.mark.parametrize("value", [0.5, True, None, MAX_INT + 1, Fraction(5, 2)])
def test_inexact_points_never_reach_a_line(where: str, value: object) -> None:
    """A float that slipped into a result is the program's fault and is stopped where the line is made."""
    changed = ({"deadwood": value},) if where == "parts" else (0, value)
    with pytest.raises(EngineBug, match="not exact"):
        encode_deal(msgspec.structs.replace(deal(1), **{where: changed}))


def test_only_a_blank_line_can_be_chained() -> None:
    """A second blank inside an extension, or a line that is chained already, is refused instead of guessed."""
    line = encode_deal(deal(2))
    with pytest.raises(EngineBug, match="exactly one blank"):
        chain(encode_deal(deal(2), {"x_copy": {"h": UNCHAINED, "z": 0}}), GENESIS)
    with pytest.raises(EngineBug, match="exactly one blank"):
        chain(encode_deal(deal(2), {"x_copy": {"prev": UNCHAINED, "z": 0}}), GENESIS)
    with pytest.raises(EngineBug, match="exactly one blank"):
        chain(chain(line, b"\x01" * 32)[0], GENESIS)


def test_text_that_looks_like_a_blank_does_not_mislead_the_chain() -> None:
    """Quotes inside text are escaped, so no name or move can be taken for the blank."""
    bait = f'"h":"{UNCHAINED}","prev":"{UNCHAINED}",'
    record = msgspec.structs.replace(deal(2), deck=bait, moves=(bait,), rules=bait, id=bait)
    prev = b"\x07" * 32
    assert chain(encode_deal(record), prev) == link(as_fields(record), prev)


def test_wrong_fields_are_told() -> None:
    """Reading a record with a missing or wrong field says which."""
    with pytest.raises(BrokenHistory, match=r"not a deal record.*dealer"):
        decode_deal(b'{"t":"deal"}')
    with pytest.raises(BrokenHistory, match=r"not a note record.*\$.text"):
        decode_record(canonical(as_fields(NoteRecord()) | {"text": 5}), "note")


def test_head_has_its_own_version_and_view() -> None:
    """A head says that it is RHH 1.0 and shows everything, unless told otherwise."""
    assert (head().rhh, head().view, head().t) == ("1.0", "full", "head")
    assert as_fields(head())["rhh"] == "1.0"
