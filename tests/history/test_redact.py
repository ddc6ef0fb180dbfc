"""Copies for other eyes: what is covered, what stays, and that a copy can be matched with the full record."""

from __future__ import annotations

import io
import json
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from history_samples import deal, head, key_of, records_of, write_sample

from rummy_tourney.errors import BrokenHistory, UsageError
from rummy_tourney.history import HistoryReader, HistorySummary, HistoryWriter, NoteRecord, Pseudonyms, canonical, check_chain
from rummy_tourney.history.records import ENDINGS, as_fields
from rummy_tourney.history.redact import (
    SHOWN,
    Shown,
    commitment,
    matches,
    redact_history,
    redact_move,
    redact_record,
    view_seat,
)


def redact(path: Path, copy: Path, view: str, **how: Any) -> HistorySummary:
    """A copy of a history file."""
    with HistoryReader(path) as reader:
        return redact_history(reader, copy, view, **how)


MOVES = [  # move, as seat 1 sees it, as the public sees it
    ("p1 ds 4c", "p1 ds 4c", "p1 ds ??"),
    ("p0 ds 4c.2", "p0 ds ??", "p0 ds ??"),
    ("p10 ds *1", "p10 ds ??", "p10 ds ??"),
    ("d deal p1 7h8hTd", "d deal p1 7h8hTd", "d deal p1 ??????"),
    ("d deal p0 7h8hTd", "d deal p0 ??????", "d deal p0 ??????"),
    ("d deal p0 7h.2*12c*12Kd.2", "d deal p0 ??????????", "d deal p0 ??????????"),
    ("d deal p0 r7b13k1*1y5", "d deal p0 ??????????", "d deal p0 ??????????"),
    ("d deal p0 7h 8h Td", "d deal p0 ??????", "d deal p0 ??????"),
    ("d deal p0 something else", "d deal p0 ??", "d deal p0 ??"),
    ("d deal p0", "d deal p0", "d deal p0"),
    ("d rs 3 4c5d6h", "d rs 3 ??", "d rs 3 ??"),
    ("d to p1 -> p1 ds", "d to p1 -> p1 ds", "d to p1 -> p1 ds"),
    ("p0 ds", "p0 ds", "p0 ds"),
    ("d to p1 -> p1 ds 4c", "d to p1 -> p1 ds 4c", "d to p1 -> p1 ds ??"),
    ("d ill p0 not-in-hand -> p0 ds 4c", "d ill p0 not-in-hand -> p0 ds ??", "d ill p0 not-in-hand -> p0 ds ??"),
]
OPEN = [
    "d up 5c", "d wild 9c", "d cut p2", "p1 pass", "p2 dd 5c", "p2 dd 3 Kd9s5c", "p1 m M3=7c7d7h", "p2 lo M3+7s",
    "p2 lo M1>8s", "p2 js M4 *1->6d M7=*1=9cTcJc", "p1 ra -M1-M4 +M7=r5r6r7 +M8=b5k5r5 from=r5r7", "p1 dc 9d",
    "p1 kn 9d [7c7d7h][4s5s6s] dw=4", "p1 gin 9d [7c7d7h]", "p1 bgin [7c7d7h]", "p2 sh [7c7d7h] 2c4d",
    "p1 dcl Kd [4h5h6h] ok", "p3 drop first", "p1 out", "d ill p2 not-in-hand -> p2 dc 9c", "d pen p2 -25 late",
    "d end wall", "d sc +18 -18", "d to p2",
]  # fmt: skip


@pytest.mark.parametrize(("move", "own", "public"), MOVES)
def test_hidden_moves(move: str, own: str, public: str) -> None:
    """Draws from the stock and hole cards are for one seat, the order of a reshuffle for nobody."""
    assert redact_move(move, 1) == own
    assert redact_move(move, None) == public


@pytest.mark.parametrize("move", OPEN)
def test_open_moves(move: str) -> None:
    """What lies on the table is for everybody; these are all the other moves of the notation table."""
    assert redact_move(move, None) == redact_move(move, 1) == move


@pytest.mark.parametrize("move", ["p0 peek 4c", "p0", "", "d to p1 -> p1 peek 4c"])
def test_a_verb_that_is_not_known_is_refused(move: str) -> None:
    """What a move shows can only be judged if its verb is known."""
    with pytest.raises(BrokenHistory, match="verb that RHH 1 does not know"):
        redact_move(move, None)


def test_the_order_of_a_reshuffle_is_committed_to() -> None:
    """With a salt the order can be shown later."""
    hidden = redact_move("d rs 3 4c5d6h", 0, b"salt")
    assert hidden.startswith("d rs 3 sha256:")
    assert len(hidden) == len("d rs 3 sha256:") + 64
    assert hidden != redact_move("d rs 3 4c6h5d", 0, b"salt")
    assert hidden != redact_move("d rs 3 4c5d6h", 0, b"other")


def fields_of(index: int, **changes: object) -> dict[str, Any]:
    """A sample deal as it stands in a history, with some fields changed."""
    record = msgspec.structs.replace(deal(index), **changes)
    found: dict[str, Any] = json.loads(canonical(as_fields(record)))
    return found


def test_every_ending_has_its_place_in_the_table() -> None:
    """A new ending must be thought about."""
    assert set(SHOWN) == set(ENDINGS)


@pytest.mark.parametrize("end", ENDINGS)
def test_hands_at_the_end(end: str) -> None:
    """Hands that were laid open stay; others are covered, but for the seat whose copy it is."""
    fields = fields_of(3, end=end, moves=("p0 dcl Kd [4h5h6h] bad:points",))
    public = redact_record(fields, "public")
    seat = redact_record(fields, "seat:1")
    assert public is not None
    assert seat is not None
    covered = ["??" * 10, "??" * 10]
    open_hands = {Shown.ALL: [0, 1], Shown.DECLARER: [0], Shown.NOBODY: []}[SHOWN[end]]
    for name, cover in (("hands", covered), ("melds", ["??", ""]), ("deadwood", [None, None])):
        assert public[name] == [fields[name][n] if n in open_hands else cover[n] for n in (0, 1)]
        assert seat[name] == [fields[name][n] if n in (*open_hands, 1) else cover[n] for n in (0, 1)]


def test_a_seat_that_dropped_does_not_show() -> None:
    """It pays a fixed price, so nobody counts its cards; by default action or by choice."""
    for move in ("p1 drop first", "d to p1 -> p1 drop middle"):
        copy = redact_record(fields_of(3, end="declare", moves=(move,)), "public")
        assert copy is not None
        assert copy["hands"] == [fields_of(3)["hands"][0], "??" * 10]


def test_an_unknown_ending_shows_nobody() -> None:
    """When in doubt, covered."""
    copy = redact_record({**fields_of(3), "end": "eclipse"}, "public")
    assert copy is not None
    assert copy["hands"] == ["??" * 10, "??" * 10]


def test_two_deals_that_look_the_same_to_a_seat_give_the_same_copy() -> None:
    """Change all that seat 0 cannot see: the copy does not change by a byte (without a key there are no commitments)."""
    fields = fields_of(5, end="wall")
    hand, drawn, order = fields["moves"][1].split(" ")[3], fields["moves"][5].split(" ")[2], fields["deck"]
    other = {
        **fields,
        "deck": order[50:] + order[:50],
        "deadwood": [fields["deadwood"][0], 77],
        "hands": [fields["hands"][0], hand[2:] + hand[:2]],
        "key": "00" * 64,
        "melds": [fields["melds"][0], ""],
        "moves": [m.replace(hand, hand[2:] + hand[:2]).replace(f"p1 ds {drawn}", "p1 ds Ac") for m in fields["moves"]],
        "x_seen": hand,
        "prev": "11" * 32,
        "h": "22" * 32,
    }
    assert other["moves"] != fields["moves"]
    one, two = redact_record(fields, "seat:0", key=b"k"), redact_record(other, "seat:0", key=b"k")
    assert one is not None
    assert two is not None
    assert one["full"] != two["full"]
    assert one["deck"] != two["deck"]
    for copy in (one, two):
        del copy["full"], copy["deck"]
    assert canonical(one) == canonical(two)
    del other["key"]
    assert redact_record(fields, "seat:0") == redact_record(other, "seat:0") == one


def test_a_copy_holds_nothing_of_the_secrets(tmp_path: Path) -> None:
    """Neither deck, key, root, free text, extensions nor the unsalted hashes of the original are in a copy."""
    path, copy = tmp_path / "run.rhh.jsonl", tmp_path / "copy.rhh.jsonl"
    secret = deal(2)
    with HistoryWriter(path, as_fields(head()) | {"x_room": "SECRET"}) as writer:
        writer.write(as_fields(secret) | {"key": key_of(2).hex(), "end": "wall", "x_note": "SECRET"})
        writer.write(NoteRecord(text="SECRET"))
        writer.close(root="5EC8E7" * 20)
    redact(path, copy, "public")
    text = copy.read_bytes()
    originals = [json.loads(line)["h"] for line in path.read_bytes().splitlines()]
    for word in (b"SECRET", b"5EC8E7", secret.deck.encode(), key_of(2).hex().encode(), secret.hands[1].encode()):
        assert word in path.read_bytes()
        assert word not in text
    for h in originals:
        assert h.encode() not in text


def test_a_copy_is_a_history_of_its_own(tmp_path: Path) -> None:
    """It has its own chain and seal, says whose view it is, and keeps every record but the seal in order."""
    path, copy = tmp_path / "run.rhh.jsonl.zst", tmp_path / "copy.rhh.jsonl.zst"
    write_sample(path, 40)
    summary = redact(path, copy, "seat:1", key_of=lambda fields: key_of(int(fields["id"].split("/")[3])))
    original = [line.fields for line in records_of(path)]
    redacted = [line.fields for line in records_of(copy)]
    with HistoryReader(copy) as reader:
        assert check_chain(reader).ok
    assert [f["t"] for f in redacted] == [f["t"] for f in original]
    assert summary.records == len(original)
    assert redacted[0]["view"] == "seat:1"
    assert "root" not in redacted[-1]
    for full, seen in zip(original, redacted, strict=True):
        if full["t"] == "deal":
            key = key_of(int(full["id"].split("/")[3]))
            assert matches(seen, full, key)
            assert not matches(seen, {**full, "points": [999, -999]}, key)
            assert not matches(seen, full, key_of(99))
            assert seen["deck"].startswith("sha256:")
            assert seen["points"] == full["points"]
        elif full["t"] == "note":
            assert set(seen) == {"t", "prev", "h"}
        elif full["t"] in ("match", "fault"):
            assert {**seen, "prev": "", "h": ""} == {**full, "prev": "", "h": ""}


def test_the_commitment_is_the_documented_formula() -> None:
    """SHA-256(SHAKE-256(key || "salt", 32 bytes) || canonical record without prev and h), worked by hand."""
    fields, key = fields_of(1), key_of(1)
    salt = shake_256(key + b"salt").digest(32)
    text = json.dumps(
        {k: v for k, v in fields.items() if k not in ("prev", "h")}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert commitment(fields, key) == sha256(salt + text.encode()).hexdigest()
    copy = redact_record(fields, "public", key=key)
    assert copy is not None
    assert copy["deck"] == "sha256:" + sha256(salt + fields["deck"].encode()).hexdigest()
    in_record = redact_record({**fields, "key": key.hex()}, "public")
    assert in_record is not None
    assert in_record["deck"] == copy["deck"]


def test_names_can_be_replaced_everywhere(tmp_path: Path) -> None:
    """The same entry has the same other name in head, deals and matches, and no real name is left."""
    path, copy = tmp_path / "run.rhh.jsonl", tmp_path / "copy.rhh.jsonl"
    write_sample(path, 12)
    redact(path, copy, "public", names=Pseudonyms())
    text = copy.read_text(encoding="utf-8")
    for name in ("alpha", "beta", "Alpha", "Beta", "ab" * 32):
        assert name not in text
    records = [line.fields for line in HistoryReader(io.BytesIO(text.encode()))]
    assert [b["id"] for b in records[0]["bots"]] == ["player-1", "player-2"]
    for fields in records:
        if fields["t"] in ("deal", "match"):
            assert fields["seats"] == ["player-1", "player-2"]


def test_views_are_read_strictly() -> None:
    """public or seat:N, nothing else."""
    assert view_seat("public") is None
    assert view_seat("seat:0") == 0
    assert view_seat("seat:12") == 12
    for wrong in ("full", "seat", "seat:", "seat:x", "p0", "seat:1 ", "Public", "seat:123"):
        with pytest.raises(UsageError, match="is not a view"):
            view_seat(wrong)


def test_copies_are_made_from_full_histories(tmp_path: Path) -> None:
    """A copy of a copy would commit to the wrong thing, one of a damaged history would hide the damage."""
    path, copy = tmp_path / "run.rhh.jsonl", tmp_path / "copy.rhh.jsonl"
    write_sample(path, 3)
    redact(path, copy, "public")
    with pytest.raises(BrokenHistory, match="redacted copy"):
        redact(copy, tmp_path / "again.rhh.jsonl", "seat:0")
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for damaged, says in (
        (whole[:-9], "damaged: torn"),
        (lines[0] + b"{\n" + b"".join(lines[1:]), "damaged: not JSON"),
        (whole.replace(b'"moves"', b'"x_moves"'), "not a deal record"),
        (whole.replace(b'"melds"', b'"key":"x","melds"'), "not hexadecimal"),
    ):
        with pytest.raises(BrokenHistory, match=says):
            redact_history(HistoryReader(io.BytesIO(damaged)), tmp_path / "again.rhh.jsonl", "public")
    headless = io.BytesIO(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    with pytest.raises(BrokenHistory, match="begins with its head"):
        redact_history(HistoryReader(headless), tmp_path / "again.rhh.jsonl", "public")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copy.rhh.jsonl", "run.rhh.jsonl"]
