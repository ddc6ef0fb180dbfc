"""Verification of a whole run against forgers who know the format: the chain, the seal and the checksums are made right again.

What is left to find them out is the seed, the rules, the schedule and the published commitment. (Changes that do not bother to
repair the chain are tried by the thousand in ``tests/history/test_chain.py``.)
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rummy_tourney.errors import RunFolderError, UsageError
from rummy_tourney.history.jsonl import HistoryReader, HistoryWriter
from rummy_tourney.render.progress import Silent
from rummy_tourney.tournament.folder import HISTORY, RunFolder
from rummy_tourney.tournament.runner import begin, finish
from rummy_tourney.tournament.spec import spec_from_mapping
from rummy_tourney.tournament.verify import Verification, verify_run

Records = list[dict[str, Any]]
Forgery = Callable[[Records, random.Random], int]
"""Changes the records; answers the index of the record at which it must be found."""


def make_run(folder: Path, **more: object) -> RunFolder:
    mapping: dict[str, object] = {
        "name": "forged", "game": "gin", "seed": "11", "players": ["greedy", "random", {"name": "g2", "bot": "greedy"}],
        "format": {"kind": "round-robin", "match": {"deals": 8, "mirrored": True}}, **more,
    }  # fmt: skip
    run = begin(spec_from_mapping(mapping, base_dir=Path(__file__).parent), folder, folder.parent)
    finish(run, 1, Silent())
    return run


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return make_run(tmp_path_factory.mktemp("honest") / "run")


@pytest.fixture(scope="module")
def honest_games(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return make_run(tmp_path_factory.mktemp("games") / "run", format={"kind": "round-robin", "match": {"games": 1}})


SHAKY = '''
class Shaky:
    """Cheats now and then, and seldom raises."""

    def __init__(self, *, rng):
        self.rng = rng

    def act(self, view):
        dice = self.rng.random()
        if dice < 0.002:
            raise RuntimeError("tired")
        return "the ace of spades" if dice < 0.01 else self.rng.choice(view.legal_actions())
'''


@pytest.fixture(scope="module")
def honest_faulty(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "shaky.py").write_text(SHAKY)
    players = ["random", str(folder / "shaky.py")]
    return make_run(folder / "run", players=players, format={"kind": "match", "match": {"deals": 40, "mirrored": True}})


def read(run: RunFolder) -> Records:
    with HistoryReader(run / HISTORY) as reader:
        return [dict(line.fields) for line in reader]


def rewrite(run: RunFolder, records: Records) -> None:
    """Write the history anew with a valid chain and seal, and make every checksum right."""
    bare = [{k: v for k, v in r.items() if k not in ("h", "prev")} for r in records]
    seal = bare[-1]
    writer = HistoryWriter(run / HISTORY, bare[0])
    for record in bare[1:-1]:
        writer.write(record)
    summary = writer.close(seal["root"])
    described = run.read_run()
    described["history"] = {
        "records": summary.records, "deals": summary.deals, "sha256": summary.sha256, "merkle": summary.merkle,
        "seal": summary.last,
    }  # fmt: skip
    run.write_json("run.json", described)
    run.write("SHA256SUMS", run.checksums())


def deals(records: Records) -> list[int]:
    return [k for k, r in enumerate(records) if r["t"] == "deal"]


def swapped_cards_of_the_deck(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    cards = [records[at]["deck"][k : k + 2] for k in range(0, 104, 2)]
    i, j = dice.sample(range(52), 2)
    cards[i], cards[j] = cards[j], cards[i]
    records[at]["deck"] = "".join(cards)
    return at


def forged_score(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    change = dice.choice([-25, -1, 1, 10, 25])
    records[at]["points"] = [records[at]["points"][0] + change, records[at]["points"][1] - change]
    return at


def forged_breakdown(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k in deals(records) if any(records[k]["parts"])])
    seat = 0 if records[at]["parts"][0] else 1
    records[at]["parts"][seat]["deadwood"] += 1
    return at


def another_card_thrown(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    moves = records[at]["moves"]
    thrown = dice.choice([k for k, m in enumerate(moves) if " dc " in m] or [len(moves) - 1])
    moves[thrown] = moves[thrown][:-2] + dice.choice([c for c in ("Ac", "7h", "Ks", "2d") if c != moves[thrown][-2:]])
    return at


def a_move_left_out(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    del records[at]["moves"][dice.randrange(len(records[at]["moves"]))]
    return at


def seats_exchanged(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["seats"] = records[at]["seats"][::-1]
    return at


def another_dealer(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["dealer"] = 1 - records[at]["dealer"]
    return at


def another_ending(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["end"] = "gin" if records[at]["end"] != "gin" else "knock"
    return at


def another_hand_at_the_end(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    seat = dice.randrange(2)
    hand = records[at]["hands"][seat]
    records[at]["hands"][seat] = hand[2:] + hand[:2]
    return at


def a_score_to_start_with(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["start"] = [10, 0]
    return at


def a_deal_dropped(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    del records[at]
    return at


def a_deal_repeated(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records.insert(at, dict(records[at]))
    return at + 1


def two_deals_exchanged(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k in deals(records) if records[k + 1]["t"] == "deal"])
    records[at], records[at + 1] = records[at + 1], records[at]
    return at


def match_totals_forged(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k, r in enumerate(records) if r["t"] == "match"])
    records[at]["totals"] = [records[at]["totals"][0] + 1, records[at]["totals"][1] - 1]
    return at


def a_match_dropped(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k, r in enumerate(records) if r["t"] == "match"])
    del records[at]
    return at




def another_winner(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k, r in enumerate(records) if r["t"] == "match"])
    records[at]["winner"] = 1 - records[at].get("winner", 0)
    return at


def deals_said_to_be_forfeited(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k, r in enumerate(records) if r["t"] == "match" and records[k - 1]["t"] == "deal"])
    count = dice.randint(1, 4)
    del records[at - count : at]
    at -= count
    records[at] |= {"deals": records[at]["deals"] - count, "forfeits": [count, 0], "reason": "forfeit", "winner": 1}
    return at


def another_first_seat(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["first"] = 1 - records[at]["first"]
    return at


def a_counter_put_in(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["counted"] = 3
    return at


def a_field_put_in(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records[at]["x_note"] = "hello"
    return at


def a_note_put_in(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    records.insert(at, {"t": "note", "text": "hello"})
    return at


def a_fault_made_up(records: Records, dice: random.Random) -> int:
    at = dice.choice(deals(records))
    fault = {
        "t": "fault", "id": f"{records[at]['id']}#9", "deal": records[at]["id"], "seat": 0, "code": "crash", "move": 3,
        "policy": "forfeit-deal",
    }  # fmt: skip
    records.insert(at + 1, fault)
    return at + 1


def faults(records: Records) -> list[int]:
    return [k for k, r in enumerate(records) if r["t"] == "fault"]


def a_fault_left_out(records: Records, dice: random.Random) -> int:
    at = dice.choice(faults(records))
    del records[at]
    return at


def a_fault_of_the_other_seat(records: Records, dice: random.Random) -> int:
    at = dice.choice([k for k in faults(records) if records[k]["code"].startswith("illegal")])
    records[at]["seat"] = 1 - records[at]["seat"]
    return at


def a_fault_of_another_code(records: Records, dice: random.Random) -> int:
    # (Of a fault that ended the deal the moves do not tell the code: that lie is found by playing again.)
    at = dice.choice([k for k in faults(records) if records[k]["policy"] == "default-action"])
    records[at]["code"] = "illegal:not-in-hand"
    return at


def a_fault_at_another_price(records: Records, dice: random.Random) -> int:
    at = dice.choice(faults(records))
    records[at]["policy"] = "default-action" if records[at]["policy"] != "default-action" else "forfeit-deal"
    return at


def a_fault_no_deal_names(records: Records, dice: random.Random) -> int:
    at = dice.choice(faults(records))
    deal = next(k for k in range(at, -1, -1) if records[k]["t"] == "deal")
    del records[deal]["faults"]
    return deal + 1


FORGERIES: list[Forgery] = [
    swapped_cards_of_the_deck, forged_score, forged_breakdown, another_card_thrown, a_move_left_out, seats_exchanged,
    another_dealer, another_ending, another_hand_at_the_end, a_score_to_start_with, a_deal_dropped, a_deal_repeated,
    two_deals_exchanged, match_totals_forged, a_match_dropped, another_winner, deals_said_to_be_forfeited,
    another_first_seat, a_counter_put_in, a_field_put_in, a_note_put_in, a_fault_made_up,
]  # fmt: skip
FAULT_FORGERIES: list[Forgery] = [
    a_fault_left_out, a_fault_of_the_other_seat, a_fault_of_another_code, a_fault_at_another_price, a_fault_no_deal_names,
    another_winner, match_totals_forged,
]  # fmt: skip


def try_forgery(honest: RunFolder, place: Path, forge: Forgery, dice: random.Random) -> None:
    shutil.copytree(honest.path, place)
    run = RunFolder(place)
    records = read(run)
    at = forge(records, dice)
    rewrite(run, records)
    found = verify_run(run)
    lines = [f.line for f in found.findings if f.file == HISTORY]
    assert lines, f"{forge.__name__} with record {at} was not found"
    assert min(lines) == at + 1, (forge.__name__, at + 1, [str(f) for f in found.findings])
    shutil.rmtree(place)


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda f: f.__name__)
def test_a_forgery_with_a_repaired_chain_is_found_where_it_was_made(
    honest: RunFolder, tmp_path: Path, forge: Forgery
) -> None:
    """Ten of each kind."""
    for number in range(10):
        try_forgery(honest, tmp_path / "run", forge, random.Random(f"{forge.__name__} {number}"))


@pytest.mark.calibration
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda f: f.__name__)
def test_a_thousand_forgeries_of_each_kind_are_found_where_they_were_made(
    honest: RunFolder, tmp_path: Path, forge: Forgery
) -> None:
    """The long run of the test above."""
    for number in range(1000):
        try_forgery(honest, tmp_path / "run", forge, random.Random(f"{forge.__name__} {number}"))


@pytest.mark.parametrize("forge", FAULT_FORGERIES, ids=lambda f: f.__name__)
def test_forged_faults_are_found_where_they_were_forged(honest_faulty: RunFolder, tmp_path: Path, forge: Forgery) -> None:
    """A fault record must be named by its deal, agree with the moves, and cost what the policy says."""
    assert faults(read(honest_faulty))
    for number in range(5):
        try_forgery(honest_faulty, tmp_path / "run", forge, random.Random(f"{forge.__name__} {number}"))


def findings(run: RunFolder) -> Verification:
    return verify_run(run)


def copied(honest: RunFolder, tmp_path: Path) -> RunFolder:
    shutil.copytree(honest.path, tmp_path / "run")
    return RunFolder(tmp_path / "run")


def test_an_honest_run_has_no_findings(honest: RunFolder, honest_games: RunFolder) -> None:
    """Mirrored deals and games to a target."""
    for run in (honest, honest_games):
        report = verify_run(run)
        assert report.findings == []
        assert report.checked == [
            "files", "chain and seal", "seed", "decks", "moves", "scores", "schedule", "standings",
        ]  # fmt: skip


@pytest.mark.parametrize(
    "forge",
    [forged_score, another_dealer, a_score_to_start_with, a_deal_dropped, match_totals_forged],
    ids=lambda f: f.__name__,
)
def test_the_score_sheet_of_a_game_is_checked(honest_games: RunFolder, tmp_path: Path, forge: Forgery) -> None:
    """Running scores and the dealer follow from the deals before."""
    try_forgery(honest_games, tmp_path / "run", forge, random.Random(3))


def test_another_seed_in_the_seal_is_found(honest: RunFolder, tmp_path: Path) -> None:
    """It does not match the commitment that was published before play."""
    run = copied(honest, tmp_path)
    records = read(run)
    records[-1]["root"] = "00" * 64
    rewrite(run, records)
    messages = [f.message for f in findings(run).findings]
    assert any("does not match the commitment" in m for m in messages)
    assert any("the deck is not the one that the seed gives" in m for m in messages)


def test_other_rules_in_the_head_are_found(honest: RunFolder, tmp_path: Path) -> None:
    """The head must describe the game that run.json describes."""
    run = copied(honest, tmp_path)
    records = read(run)
    records[0]["rules"]["gin"]["options"]["gin_bonus"] = 20
    rewrite(run, records)
    assert any("the head does not describe the run" in f.message for f in findings(run).findings)


@pytest.mark.parametrize("key", ["commitment", "spec_hash", "run_id"])
def test_a_changed_identity_in_run_json_is_found(honest: RunFolder, tmp_path: Path, key: str) -> None:
    """Even with its checksum made right."""
    run = copied(honest, tmp_path)
    described = run.read_run()
    described[key] = ("0" if described[key][0] != "0" else "1") + described[key][1:]
    run.write_json("run.json", described)
    run.write("SHA256SUMS", run.checksums())
    assert not findings(run).ok


def test_a_changed_option_in_run_json_is_found(honest: RunFolder, tmp_path: Path) -> None:
    """The spec's hash covers every resolved option."""
    run = copied(honest, tmp_path)
    described = run.read_run()
    described["resolved"]["game"]["undercut_bonus"] = 10
    run.write_json("run.json", described)
    run.write("SHA256SUMS", run.checksums())
    assert any("spec_hash" in f.message for f in findings(run).findings)


@pytest.mark.parametrize("name", ["standings.json", "standings.csv"])
def test_forged_standings_are_found(honest: RunFolder, tmp_path: Path, name: str) -> None:
    """The standings are recomputed from the history."""
    run = copied(honest, tmp_path)
    run.write(name, (run / name).read_bytes().replace(b"g2", b"g3"))
    run.write("SHA256SUMS", run.checksums())
    assert [(f.file, f.message) for f in findings(run).findings] == [
        (name, "these are not the standings that the history gives")
    ]


@pytest.mark.parametrize("name", ["hands.rhh.jsonl.zst", "run.json", "spec.yaml", "standings.csv", "standings.json"])
def test_any_flipped_byte_of_any_file_is_found(honest: RunFolder, tmp_path: Path, name: str) -> None:
    """Bytes of the compressed history included; the file is named."""
    run = copied(honest, tmp_path)
    whole = (run / name).read_bytes()
    dice = random.Random(name)
    for _ in range(12):
        at = dice.randrange(len(whole))
        (run / name).write_bytes(whole[:at] + bytes([whole[at] ^ (1 << dice.randrange(8))]) + whole[at + 1 :])
        try:
            report = verify_run(run)
        except RunFolderError:
            assert name == "run.json"  # so damaged that it is no description of a run any more
            continue
        assert any(f.file == name for f in report.findings)


def test_one_deal_can_be_checked_alone(honest: RunFolder) -> None:
    """And an unknown one is said to be unknown."""
    wanted = read(honest)[deals(read(honest))[3]]["id"]
    report = verify_run(honest, deal=wanted)
    assert report.ok
    assert report.deals == 1
    with pytest.raises(UsageError, match="there is no deal"):
        verify_run(honest, deal="forged/9/9/9/9")


def test_faults_and_forfeits_verify_too(tmp_path: Path) -> None:
    """A run whose bot crashes for ever is recorded, judged and verified like any other."""
    (tmp_path / "crash.py").write_text("def act(view):\n    raise RuntimeError('no')\n")
    mapping = {
        "name": "faulty", "game": "gin", "seed": "1", "players": ["greedy", "crash.py"],
        "format": {"kind": "match", "match": {"deals": 20, "mirrored": True}},
    }  # fmt: skip
    run = begin(spec_from_mapping(mapping, base_dir=tmp_path), tmp_path / "run", tmp_path)
    result = finish(run, 1, Silent())
    assert verify_run(run).findings == []
    crash = next(r for r in result.standings.rows if r.entry == "crash")
    assert crash.faults > 0
    assert crash.forfeits > 0
    evidence = [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]
    assert evidence[0]["code"] == "crash"
    assert "RuntimeError: no" in evidence[0]["traceback"]


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ({"kind": "basic", "seats": 4}, ["greedy", "crash.py", {"name": "g2", "bot": "greedy"}, "random"]),
        ({"kind": "basic", "preset": "coolmath-like", "seats": 3}, ["greedy", "crash.py", {"name": "g2", "bot": "greedy"}]),
        ({"kind": "basic", "preset": "coolmath-like"}, ["greedy", "crash.py"]),
        ("gin", ["crash.py", "greedy"]),
        ({"kind": "gin", "hollywood": "true"}, ["crash.py", "greedy"]),
        ({"kind": "gin", "target": 100_000, "forfeit_points": 0}, ["crash.py", "greedy"]),
    ],
)
def test_a_game_forfeited_by_a_crashing_bot_ends_and_is_lost_by_it(tmp_path: Path, game: object, players: list[object]) -> None:
    """At every table size, where many points win and where few do, and however far the target is."""
    (tmp_path / "crash.py").write_text("def act(view):\n    raise RuntimeError('no')\n")
    mapping = {
        "name": "forfeited", "game": game, "seed": "1", "players": players, "faults": "league",
        "format": {"kind": "match", "match": {"games": 2}},
    }  # fmt: skip
    run = begin(spec_from_mapping(mapping, base_dir=tmp_path), tmp_path / "run", tmp_path)
    result = finish(run, 1, Silent())
    assert verify_run(run).findings == []
    last = result.standings.rows[-1]
    assert (last.entry, last.won, last.drawn) == ("crash", 0, 0)
    assert last.faults == 2
