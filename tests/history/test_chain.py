"""Checking the chain: every change to a sealed history is found, at its place, once."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from history_samples import deal, head, write_sample

from rummy_tourney.errors import NewerVersion
from rummy_tourney.history import ChainReport, HistoryReader, HistoryWriter, canonical, check_chain, encode_deal
from rummy_tourney.history.chain import MAX_FINDINGS
from rummy_tourney.history.links import GENESIS, link

DEALS = 40
ROUNDS = [pytest.param(300, id="300"), pytest.param(1000, id="1000", marks=pytest.mark.calibration)]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The lines of a sealed history of 40 deals and some records of every other type, without line feeds."""
    path = tmp_path_factory.mktemp("chain") / "run.rhh.jsonl"
    write_sample(path, DEALS)
    found = path.read_bytes().splitlines()
    assert len(found) == DEALS + 4 + 4
    return found


def check(lines: list[bytes]) -> ChainReport:
    return check_chain(HistoryReader(io.BytesIO(b"".join(line + b"\n" for line in lines))))


def only(lines: list[bytes]) -> tuple[int, str]:
    """Line and code of the one finding."""
    report = check(lines)
    assert len(report.findings) == 1, report.findings
    (finding,) = report.findings
    assert finding.offset == sum(len(line) + 1 for line in lines[: finding.line - 1])
    return finding.line, finding.code


def test_an_untouched_history_is_fine(lines: list[bytes]) -> None:
    """Nothing is found, and the report has the figures to compare with what was published."""
    report = check(lines)
    assert report.ok
    assert report.findings == ()
    assert (report.records, report.deals) == (len(lines), DEALS)
    assert report.seal is not None
    assert report.head is not None
    assert report.seal["merkle"] == report.merkle
    assert report.last == report.seal["h"]
    assert (report.torn, report.stopped) == (None, False)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_changed_byte_is_found_in_its_line(lines: list[bytes], rounds: int) -> None:
    """Whatever byte of the file becomes whatever other byte, one finding names the line."""
    text = b"".join(line + b"\n" for line in lines)
    rng = random.Random(11)
    for _ in range(rounds):
        position = rng.randrange(len(text))
        broken = bytearray(text)
        broken[position] ^= rng.randrange(1, 256)
        number = text[:position].count(b"\n") + 1
        report = check_chain(HistoryReader(io.BytesIO(bytes(broken))))
        if position == len(text) - 1:  # the last line feed became a letter: the seal itself cannot be read
            assert [f.code for f in report.findings] == ["torn"]
            continue
        assert [f.line for f in report.findings] == [number], (position, broken[position], report.findings)
        (finding,) = report.findings
        assert finding.offset == text.rfind(b"\n", 0, position) + 1
        if finding.deal is not None and b'"id":"' + finding.deal.encode() + b'"' in lines[number - 1]:
            assert finding.code in ("changed", "form")


@pytest.mark.parametrize("rounds", ROUNDS)
def test_line_feeds_put_in_or_taken_out_are_found(lines: list[bytes], rounds: int) -> None:
    """A torn or a joined line is one finding, at the first line concerned."""
    rng = random.Random(12)
    for _ in range(rounds):
        number = rng.randrange(len(lines) - 1)
        if rng.random() < 0.5:
            joined = [*lines[:number], lines[number] + lines[number + 1], *lines[number + 2 :]]
            assert only(joined) == (number + 1, "unreadable")
        else:
            cut = rng.randrange(1, len(lines[number]))
            split = [*lines[:number], lines[number][:cut], lines[number][cut:], *lines[number + 1 :]]
            assert only(split) == (number + 1, "unreadable")


def _swap_cards(fields: dict[str, Any], rng: random.Random) -> None:
    a, b = sorted(rng.sample(range(52), 2))
    cards = [fields["deck"][i : i + 2] for i in range(0, 104, 2)]
    cards[a], cards[b] = cards[b], cards[a]
    fields["deck"] = "".join(cards)


def _forge_points(fields: dict[str, Any], rng: random.Random) -> None:
    more = rng.randrange(1, 50)
    fields["points"] = [fields["points"][0] + more, fields["points"][1] - more]


def _change_move(fields: dict[str, Any], rng: random.Random) -> None:
    number = rng.randrange(len(fields["moves"]))
    fields["moves"][number] += "x"


def _drop_move(fields: dict[str, Any], rng: random.Random) -> None:
    del fields["moves"][rng.randrange(len(fields["moves"]))]


def _swap_seats(fields: dict[str, Any], rng: random.Random) -> None:
    fields["seats"].reverse()


def _rename(fields: dict[str, Any], rng: random.Random) -> None:
    fields["id"] += "0"


def _drop_field(fields: dict[str, Any], rng: random.Random) -> None:
    del fields[rng.choice([name for name in fields if name != "t"])]


def _add_field(fields: dict[str, Any], rng: random.Random) -> None:
    fields["x_more"] = rng.choice([0, "", [], {}, None])


def _forge_link(fields: dict[str, Any], rng: random.Random) -> None:
    fields[rng.choice(["prev", "h"])] = rng.randbytes(32).hex()


def _forge_both_links(fields: dict[str, Any], rng: random.Random) -> None:
    fields["prev"], fields["h"] = rng.randbytes(32).hex(), rng.randbytes(32).hex()


def _retype(fields: dict[str, Any], rng: random.Random) -> None:
    fields["t"] = rng.choice(["match", "note", "seal", "head", "weather"])


def _float(fields: dict[str, Any], rng: random.Random) -> None:
    fields["points"][0] = float(fields["points"][0])


FORGERIES: list[Callable[[dict[str, Any], random.Random], None]] = [
    _swap_cards, _forge_points, _change_move, _drop_move, _swap_seats, _rename, _drop_field, _add_field, _forge_link,
    _forge_both_links, _retype, _float,
]  # fmt: skip


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_changed_field_is_found_in_its_record(lines: list[bytes], rounds: int) -> None:
    """A swapped card, a forged score, a changed move, another name: one finding, at that line, naming that deal."""
    rng = random.Random(13)
    deals = [n for n, line in enumerate(lines) if b'"t":"deal"' in line]
    for index in range(rounds):
        number = rng.choice(deals)
        fields = json.loads(lines[number])
        forge = FORGERIES[index % len(FORGERIES)]
        forge(fields, rng)
        forged = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        changed = [*lines[:number], forged, *lines[number + 1 :]]
        assert only(changed) == (number + 1, "changed"), forge
        (finding,) = check(changed).findings
        if forge not in (_rename, _drop_field, _retype):
            assert finding.deal == json.loads(lines[number])["id"]
            assert finding.deal in str(finding)
            assert f"line {number + 1}, byte {finding.offset}" in str(finding)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_record_changed_and_hashed_again_is_found_behind_it(lines: list[bytes], rounds: int) -> None:
    """Who mends the hash of one record breaks the link of the next."""
    rng = random.Random(14)
    deals = [n for n, line in enumerate(lines) if b'"t":"deal"' in line]
    for _ in range(rounds):
        number = rng.choice(deals)
        fields = json.loads(lines[number])
        rng.choice([_swap_cards, _forge_points, _change_move, _drop_move, _swap_seats, _rename, _add_field])(fields, rng)
        forged, _h = link(fields, bytes.fromhex(fields["prev"]))
        assert only([*lines[:number], forged, *lines[number + 1 :]]) == (number + 2, "link")


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_dropped_line_is_found_at_its_place(lines: list[bytes], rounds: int) -> None:
    """The line that took the place of what is missing is named; a missing seal is named at the end."""
    rng = random.Random(15)
    for _ in range(rounds):
        number = rng.randrange(len(lines))
        expected = "no-seal" if number == len(lines) - 1 else "link"
        assert only([*lines[:number], *lines[number + 1 :]]) == (number + 1, expected)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_repeated_line_is_found_at_its_place(lines: list[bytes], rounds: int) -> None:
    """A line written twice is one finding, at the second."""
    rng = random.Random(16)
    for _ in range(rounds):
        number = rng.randrange(len(lines))
        expected = "after-seal" if number == len(lines) - 1 else "repeated"
        assert only([*lines[: number + 1], *lines[number:]]) == (number + 2, expected)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_swapped_lines_are_found_at_their_place(lines: list[bytes], rounds: int) -> None:
    """Two neighbours in the wrong order are one finding, at the first of them."""
    rng = random.Random(17)
    for _ in range(rounds):
        number = rng.randrange(len(lines) - 1)
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        assert only(swapped) == (number + 1, "order")


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_line_put_in_elsewhere_is_found_there(lines: list[bytes], rounds: int) -> None:
    """A record copied to another place, or one that was never there, is one finding, where it stands."""
    rng = random.Random(18)
    for _ in range(rounds):
        source = rng.randrange(1, len(lines) - 1)
        place = rng.choice([n for n in range(1, len(lines)) if n not in (source, source + 1)])
        stranger = lines[source] if rng.random() < 0.5 else link({"t": "note", "text": "!"}, rng.randbytes(32))[0]
        assert only([*lines[:place], stranger, *lines[place:]]) == (place + 1, "foreign")


@pytest.mark.parametrize("rounds", ROUNDS)
def test_two_faults_are_two_findings(lines: list[bytes], rounds: int) -> None:
    """One fault does not hide another further on."""
    rng = random.Random(19)
    for _ in range(rounds):
        first, second = sorted(rng.sample(range(1, len(lines) - 1), 2))
        if second - first < 3:
            continue
        changed = [*lines]
        changed[first] = changed[first].replace(b'"prev":"', b'"prev":"f', 1)
        del changed[second]
        assert [f.line for f in check(changed).findings] == [first + 1, second + 1]


def test_a_rewritten_tail_ends_at_another_last_hash(lines: list[bytes]) -> None:
    """Hashing everything again cannot be seen from inside: the published last hash shows it."""
    prev, rebuilt = GENESIS, []
    for line in lines[:-1]:
        fields = json.loads(line)
        if fields.get("id") == deal(20).id:
            fields["points"] = [99, -99]
        again, prev = link(fields, prev)
        rebuilt.append(again)
    report = check(rebuilt)
    seal = {**json.loads(lines[-1]), "last": prev.hex(), "merkle": report.merkle}
    rebuilt.append(link(seal, prev)[0])
    forged, original = check(rebuilt), check(lines)
    assert forged.ok
    assert forged.last != original.last
    assert forged.merkle != original.merkle
    assert forged.sha256 != original.sha256


@pytest.mark.parametrize("change", [{"count": 3}, {"last": "ab" * 32}, {"merkle": "ab" * 32}, {"count": None}, {"count": True}])
def test_a_seal_that_does_not_fit_is_found(lines: list[bytes], change: dict[str, object]) -> None:
    """Count, last hash and Merkle root of the seal are compared with what was read."""
    fields = json.loads(lines[-1])
    forged, _ = link({**fields, **change}, bytes.fromhex(fields["prev"]))
    assert only([*lines[:-1], forged]) == (len(lines), "seal")


def test_what_follows_the_seal_is_found_once(lines: list[bytes]) -> None:
    """Two histories in one file, or records added behind the seal."""
    assert only([*lines, *lines]) == (len(lines) + 1, "after-seal")
    seal = json.loads(lines[-1])
    more, _ = link({"t": "note", "text": "and"}, bytes.fromhex(seal["h"]))
    assert only([*lines, more]) == (len(lines) + 1, "after-seal")


def test_a_line_that_is_not_canonical_is_found(lines: list[bytes]) -> None:
    """The same record with spaces, another order or a doubled key would not give the promised bytes."""
    fields = json.loads(lines[5])
    spaced = json.dumps(fields, sort_keys=True).encode()
    reordered = json.dumps(dict(reversed(fields.items())), separators=(",", ":")).encode()
    doubled = lines[5].replace(b'{"deadwood"', b'{"dealer":9,"deadwood"', 1)
    for text in (spaced, reordered, doubled, lines[5] + b" ", lines[5] + b"\r"):
        assert only([*lines[:5], text, *lines[6:]]) == (6, "form")


def test_histories_without_a_beginning_or_an_end(lines: list[bytes]) -> None:
    """No lines at all, only a seal, a deal in the place of the head, a head in the middle."""
    assert only([]) == (1, "no-seal")
    assert only([lines[-1]]) == (1, "link")
    first, h = link(json.loads(lines[1]), GENESIS)
    seal = {"t": "seal", "count": 1, "last": h.hex(), "merkle": check([first]).merkle}
    assert only([first, link(seal, h)[0]]) == (1, "head")
    a, h = link({"t": "head", "rhh": "1.0"}, GENESIS)
    b, h = link({"t": "head", "rhh": "1.0"}, h)
    seal = {"t": "seal", "count": 2, "last": h.hex(), "merkle": check([]).merkle}
    assert only([a, b, link(seal, h)[0]]) == (2, "head")


def test_a_torn_end_is_one_finding(tmp_path: Path, lines: list[bytes]) -> None:
    """A cut file has no seal either; the cut is what is told."""
    text = b"".join(line + b"\n" for line in lines)
    report = check_chain(HistoryReader(io.BytesIO(text[:-100])))
    assert [(f.line, f.code) for f in report.findings] == [(len(lines), "torn")]
    assert report.torn is not None
    path = tmp_path / "run.rhh.jsonl.zst"
    write_sample(path, 600)
    data = path.read_bytes()
    report = check_chain(HistoryReader(io.BytesIO(data[: len(data) // 2])))
    assert [f.code for f in report.findings] == ["torn"]
    assert "inside a frame" in report.findings[0].message


def test_another_major_version_is_refused_and_a_flipped_digit_is_not_one(lines: list[bytes]) -> None:
    """An intact history of RHH 2 is newer; our own with a changed digit is damaged, and the message names both readings."""
    newer, _ = link({"t": "head", "rhh": "2.0"}, GENESIS)
    with pytest.raises(NewerVersion, match=r"RHH 2\.0"):
        check([newer])
    flipped = [lines[0].replace(b'"rhh":"1.0"', b'"rhh":"2.0"'), *lines[1:]]
    assert only(flipped) == (1, "changed")
    assert "RHH 2.0" in check(flipped).findings[0].message
    assert only([lines[0].replace(b'"rhh":"1.0"', b'"rhh":"x.0"'), *lines[1:]]) == (1, "changed")
    unversioned, h = link({"t": "head"}, GENESIS)
    seal = {"t": "seal", "count": 1, "last": h.hex(), "merkle": check([]).merkle}
    assert only([unversioned, link(seal, h)[0]]) == (1, "head")


def test_a_check_gives_up_on_something_else_entirely() -> None:
    """A file in which nothing fits is not reported line by line for ever."""
    rng = random.Random(1)
    lines = [link({"t": "note", "text": str(n)}, rng.randbytes(32))[0] for n in range(2 * MAX_FINDINGS)]
    report = check(lines)
    assert report.stopped
    assert len(report.findings) == MAX_FINDINGS


def test_a_longer_history_in_frames_is_checked_too(tmp_path: Path) -> None:
    """Extensions, other record types and several frames: the writer's output passes its own check."""
    path = tmp_path / "run.rhh.jsonl.zst"
    with HistoryWriter(path, head()) as writer:
        for index in range(1100):
            writer.write_deal(encode_deal(deal(index), {"x_n": [index]} if index % 3 else None))
    with HistoryReader(path) as reader:
        report = check_chain(reader)
    assert report.ok, report.findings
    assert canonical(report.seal)
