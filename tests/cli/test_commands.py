"""The commands as a user meets them: what they print, what they exit with, and what they say to wrong input."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rummy_tourney.cli import COMMANDS, run_command
from rummy_tourney.history.jsonl import HistoryReader, HistoryWriter

SPEC = """
tourney: 1
name: Small
game: gin
format: {kind: match, match: {deals: 6, mirrored: true}}
players: [greedy, random]
seed: 5
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def tourney(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder; answers exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run_command([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "small.yaml").write_text(SPEC)
    return tmp_path / "small.yaml"


@pytest.fixture
def run_folder(tourney: Run, spec: Path, tmp_path: Path) -> Path:
    assert tourney("run", spec, "--out", tmp_path / "run")[0] == 0
    return tmp_path / "run"


def test_help_names_every_command(tourney: Run) -> None:
    """And costs no import of any of them."""
    code, out, _ = tourney("--help")
    assert code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(tourney: Run, name: str) -> None:
    """``tourney NAME --help`` works for all of them."""
    code, out, _ = tourney(name, "--help")
    assert code == 0
    assert out.startswith(f"Usage: tourney {name}")


def test_a_misspelled_command_gets_the_nearest_one(tourney: Run) -> None:
    """Exit code 2."""
    code, _, err = tourney("standing")
    assert code == 2
    assert 'did you mean "standings"?' in err


def test_run_prints_standings_hashes_seed_and_what_to_do_next(tourney: Run, spec: Path) -> None:
    """The first screen of the README."""
    code, out, err = tourney("run", spec)
    assert code == 0
    folder = next(Path("reports").iterdir())
    next_commands = (f"tourney verify {folder}", f"tourney replay {folder} DEAL")
    for part in ("greedy", "± ", "history    ", "sha256", "seed       5", *next_commands):
        assert part in out
    assert "commitment" in err
    assert {p.name for p in folder.iterdir()} == {
        ".lock", "SHA256SUMS", "faults.jsonl", "hands.rhh.jsonl.zst", "run.json", "spec.yaml", "standings.csv",
        "standings.json", "timing.jsonl",
    }  # fmt: skip


def test_run_as_json_is_one_object_on_stdout(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """For machines."""
    code, out, _ = tourney("run", spec, "--out", tmp_path / "run", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["history"]["deals"] == 6
    assert len(found["history"]["sha256"]) == 64
    assert [row["rank"] for row in found["standings"]["rows"]] == [1, 2]


def test_a_dry_run_writes_nothing(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """It says what would be played."""
    code, out, _ = tourney("run", spec, "--dry-run")
    assert code == 0
    assert "2 entries, 1 matches, 6 deals" in out
    assert [p.name for p in tmp_path.iterdir()] == ["small.yaml"]


def test_another_seed_from_the_command_line_gives_other_cards(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """And another run id."""
    _, one, _ = tourney("run", spec, "--out", tmp_path / "one", "--json")
    _, two, _ = tourney("run", spec, "--out", tmp_path / "two", "--seed", "6", "--json")
    assert json.loads(one)["run_id"] != json.loads(two)["run_id"]
    assert json.loads(one)["history"]["sha256"] != json.loads(two)["history"]["sha256"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SPEC.replace("format", "fromat"), 'did you mean "format"'),
        (SPEC.replace("greedy", "gredy"), "did you mean 'greedy'"),
        (SPEC.replace("game: gin", "game: {kind: gin, seats: 3}"), "2 players"),
        (SPEC.replace("[greedy, random]", "[greedy, greedy]"), "listed twice"),
        (SPEC.replace("deals: 6", "deals: 7"), "multiple of the number of seats"),
        (SPEC.replace("game: gin", "game: {kind: gin, gin_bonus: 7}"), "20, 25"),
        (SPEC.replace("game: gin", "game: gin\n\tseed: 3"), "tab"),
        ("", "nothing here"),
    ],
)
def test_a_wrong_spec_exits_2_with_its_place_and_leaves_nothing_behind(
    tourney: Run, tmp_path: Path, text: str, message: str
) -> None:
    """Misspelled keys and bots, gin for three, doubles, wrong numbers, tabs, emptiness."""
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    code, out, err = tourney("run", path)
    assert code == 2
    assert out == ""
    assert message in err
    assert "wrong.yaml" in err
    assert [p.name for p in tmp_path.iterdir()] == ["wrong.yaml"]


def test_a_missing_spec_is_said_to_be_missing(tourney: Run) -> None:
    """Exit code 2, the name, no traceback."""
    code, _, err = tourney("run", "nowhere.yaml")
    assert code == 2
    assert "nowhere.yaml" in err
    assert "Traceback" not in err


def test_validate_reports_every_spec_and_every_problem(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """One good, one with two faults."""
    (tmp_path / "bad.yaml").write_text(SPEC.replace("gin", "ginn").replace("seed", "sead"))
    code, out, err = tourney("validate", spec, tmp_path / "bad.yaml")
    assert code == 2
    assert "small.yaml: ok" in out
    assert "ginn" in err
    assert "sead" in err


def test_the_resolved_spec_is_a_spec_with_the_same_resolution(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """What ``validate --resolved`` prints can be run."""
    _, out, _ = tourney("validate", "--resolved", spec)
    (tmp_path / "resolved.yaml").write_text(out)
    _, again, _ = tourney("validate", "--resolved", tmp_path / "resolved.yaml")
    assert again == out


def test_a_folder_with_another_run_is_refused(tourney: Run, run_folder: Path, spec: Path) -> None:
    """Nothing in it changes."""
    before = {p.name: p.read_bytes() for p in run_folder.iterdir()}
    code, _, err = tourney("run", spec, "--seed", "77", "--out", run_folder)
    assert code == 2
    assert "holds another run" in err
    assert {p.name: p.read_bytes() for p in run_folder.iterdir()} == before


def test_a_folder_with_other_files_is_refused(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """Nothing is written into it."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "photo.jpg").write_text("")
    code, _, err = tourney("run", spec, "--out", tmp_path / "mine")
    assert code == 2
    assert "photo.jpg" in err
    assert [p.name for p in (tmp_path / "mine").iterdir()] == ["photo.jpg"]


@pytest.mark.parametrize("budget", [0, 1500, 6000, 9000, 14000])
def test_a_full_disk_stops_the_run_and_resuming_gives_the_same_bytes(
    tourney: Run, spec: Path, run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, budget: int
) -> None:
    """Exit code 7 and the resume command, whatever could still be written before the disk was full."""
    real, left = os.write, budget

    def write(descriptor: int, data: bytes) -> int:
        nonlocal left
        if descriptor > 2 and len(data) > left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left -= len(data) if descriptor > 2 else 0
        return real(descriptor, data)

    folder = tmp_path / "full"
    monkeypatch.setattr(os, "write", write)
    code, _, err = tourney("run", spec, "--out", folder)
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert code == 7, err
    assert "the disk is full" in err or "disk" in err
    if (folder / "run.json").exists():
        assert f"tourney resume {folder}" in err
        assert tourney("resume", folder)[0] == 0
    else:
        assert tourney("run", spec, "--out", folder)[0] == 0
    one, two = (json.loads((f / "run.json").read_text()) for f in (run_folder, folder))
    assert one["history"]["sha256"] == two["history"]["sha256"]
    assert one["standings_sha256"] == two["standings_sha256"]


def test_a_history_from_a_newer_version_is_refused_by_name(tourney: Run, run_folder: Path) -> None:
    """Exit code 2: update, do not guess."""
    path = run_folder / "hands.rhh.jsonl.zst"
    with HistoryReader(path) as reader:
        records = [{k: v for k, v in line.fields.items() if k not in ("h", "prev")} for line in reader]
    writer = HistoryWriter(path, {**records[0], "rhh": "2.0"})
    for record in records[1:-1]:
        writer.write(record)
    writer.close()
    for command in ("verify", "replay"):
        code, _, err = tourney(command, run_folder)
        assert code == 2
        assert "RHH 2.0" in err


def test_verify_says_what_it_checked_and_exits_4_on_damage(tourney: Run, run_folder: Path) -> None:
    """Exit code 0, then 4 with the file."""
    code, out, _ = tourney("verify", run_folder)
    assert code == 0
    assert "all is well" in out
    (run_folder / "standings.csv").write_text("rank,entry\n1,me\n")
    code, _, err = tourney("verify", run_folder)
    assert code == 4
    assert "standings.csv" in err


def test_verify_rerun_plays_again_and_finds_a_bot_that_is_not_repeatable(tourney: Run, tmp_path: Path) -> None:
    """A bot that rolls dice of its own gives other bytes: exit code 4, the deal, then and now."""
    (tmp_path / "dicey.py").write_text(
        "import os\n\ndef act(view):\n    legal = view.legal_actions()\n    return legal[os.urandom(1)[0] % len(legal)]\n"
    )
    (tmp_path / "dicey.yaml").write_text(SPEC.replace("random", "dicey.py"))
    assert tourney("run", tmp_path / "dicey.yaml", "--out", tmp_path / "run")[0] == 0
    assert tourney("verify", tmp_path / "run")[0] == 0
    code, _, err = tourney("verify", tmp_path / "run", "--rerun")
    assert code == 4
    assert "not the same" in err
    assert "tourney replay" in err


def test_verify_rerun_of_an_honest_run_gives_the_same_bytes(tourney: Run, run_folder: Path) -> None:
    """History and standings."""
    code, out, _ = tourney("verify", run_folder, "--rerun")
    assert code == 0
    assert "the same bytes" in out


def test_replay_lists_all_deals_and_shows_one(tourney: Run, run_folder: Path) -> None:
    """By id and by number, from a move on, and from one seat's chair."""
    code, out, err = tourney("replay", run_folder)
    assert code == 0
    assert "6 deals played again, 0 disagree" in err
    deal = out.splitlines()[0].split()[1]
    _, whole, _ = tourney("replay", run_folder, deal)
    assert "the upcard is" in whole
    assert "╭──" in whole
    assert tourney("replay", run_folder, "1")[1] == whole
    _, late, _ = tourney("replay", run_folder, deal, "--from", "20")
    assert "the upcard is" not in late
    _, seat, _ = tourney("replay", run_folder, deal, "--view", "seat:0")
    assert "░░" in seat


def test_a_hidden_card_is_not_shown_to_another_seat(tourney: Run, run_folder: Path) -> None:
    """The other seat's hand and what it draws are not in the text."""
    path = run_folder / "hands.rhh.jsonl.zst"
    with HistoryReader(path) as reader:
        record = next(line.fields for line in reader if line.kind == "deal")
    _, text, _ = tourney("replay", run_folder, record["id"], "--view", "seat:0")
    _, public, _ = tourney("replay", run_folder, record["id"], "--view", "public")
    assert "p1 " in text
    assert " draws from the stock ??" in text or not any(m.startswith("p1 ds") for m in record["moves"])
    assert public.count("??") > text.count("??")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["9999"], "no deal '9999'"),
        (["1", "--view", "seat:5"], "seats 0 to 1"),
        (["1", "--view", "everything"], "not a seat"),
        (["1", "--from", "9999"], "has moves 0 to"),
        (["--from", "3"], "need a DEAL"),
    ],
)
def test_wrong_arguments_of_replay_are_explained(tourney: Run, run_folder: Path, arguments: list[str], message: str) -> None:
    """Exit code 2."""
    code, _, err = tourney("replay", run_folder, *arguments)
    assert code == 2
    assert message in err


def test_standings_of_an_unfinished_run_say_how_to_finish_it(tourney: Run, run_folder: Path) -> None:
    """The resume command."""
    run = json.loads((run_folder / "run.json").read_text())
    run["state"] = "running"
    (run_folder / "run.json").write_text(json.dumps(run))
    code, _, err = tourney("standings", run_folder)
    assert code == 2
    assert f"tourney resume {run_folder}" in err


def test_export_hides_and_reads_back(tourney: Run, run_folder: Path, tmp_path: Path) -> None:
    """A public copy holds no hand but those shown, and is a history of its own."""
    code, _, _ = tourney("export", run_folder, "--view", "public", "--pseudonyms", "-o", tmp_path / "public.jsonl")
    assert code == 0
    text = (tmp_path / "public.jsonl").read_text()
    assert "greedy" not in text
    moves = [m for line in text.splitlines() for m in json.loads(line).get("moves", [])]
    assert not [m for m in moves if m.split(" ")[1] == "ds" and not m.endswith("??")]
    code, _, err = tourney("export", run_folder, "--view", "public", "-o", tmp_path / "public.jsonl")
    assert code == 2
    assert "--force" in err


def test_one_deal_can_be_proven_alone(tourney: Run, run_folder: Path, tmp_path: Path) -> None:
    """Exported with its key and proof, checked without the run, and not after a change."""
    assert tourney("export", run_folder, "--proof", "small/1/1/0/1", "-o", tmp_path / "proof.json")[0] == 0
    code, out, _ = tourney("verify", tmp_path / "proof.json")
    assert code == 0
    assert "is deal 2 of the 6" in out
    assert "its key gives its deck" in out
    proof = json.loads((tmp_path / "proof.json").read_text())
    proof["deal"]["points"] = [99, -99]
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    assert tourney("verify", tmp_path / "proof.json")[0] == 4


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_bot_prints_does_not_reach_stdout(tourney: Run, tmp_path: Path, jobs: str) -> None:
    """A forgotten print must not break what a machine reads."""
    (tmp_path / "noisy.py").write_text(
        "print('loaded')\n\ndef act(view):\n    print('thinking')\n    return view.legal_actions()[0]\n"
    )
    (tmp_path / "noisy.yaml").write_text(SPEC.replace("random", "noisy.py"))
    code, out, _ = tourney("run", tmp_path / "noisy.yaml", "--out", tmp_path / "run", "--json", "-j", jobs)
    assert code == 0
    assert json.loads(out)["history"]["deals"] == 6


def test_a_proof_with_another_key_is_refused(tourney: Run, run_folder: Path, tmp_path: Path) -> None:
    """The key must give the deck."""
    assert tourney("export", run_folder, "--proof", "small/1/1/0/1", "-o", tmp_path / "proof.json")[0] == 0
    proof = json.loads((tmp_path / "proof.json").read_text())
    proof["key"] = "00" * 64
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    code, _, err = tourney("verify", tmp_path / "proof.json")
    assert code == 4
    assert "does not give the deck" in err


def test_a_faulty_bot_is_reported_with_the_command_that_shows_it(tourney: Run, tmp_path: Path) -> None:
    """Exit code 0, and 3 under --strict; the evidence names deal and move."""
    (tmp_path / "bad.py").write_text("def act(view):\n    return 'the queen of spades'\n")
    (tmp_path / "bad.yaml").write_text(SPEC.replace("random", "bad.py"))
    code, _, err = tourney("run", tmp_path / "bad.yaml", "--out", tmp_path / "run")
    assert code == 0
    assert "bad: illegal:not-an-action" in err
    show = next(line.strip() for line in err.splitlines() if line.strip().startswith("tourney replay"))
    assert tourney(*show.split()[1:])[0] == 0
    assert tourney("run", tmp_path / "bad.yaml", "--out", tmp_path / "again", "--strict")[0] == 3


def test_a_bot_file_changed_after_the_start_is_refused(tourney: Run, spec: Path, tmp_path: Path) -> None:
    """A rerun with another bot under the same name would prove nothing."""
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal_actions()[0]\n")
    (tmp_path / "mine.yaml").write_text(SPEC.replace("random", "mine.py"))
    assert tourney("run", tmp_path / "mine.yaml", "--out", tmp_path / "run")[0] == 0
    (tmp_path / "mine.py").write_text("def act(view):\n    return view.legal_actions()[-1]\n")
    code, _, err = tourney("verify", tmp_path / "run", "--rerun")
    assert code == 6
    assert "not the bot this run began with" in err


def test_quick_lets_bots_play_without_a_spec(tourney: Run, tmp_path: Path) -> None:
    """Twice the same bot gets two names; nothing is kept."""
    code, out, _ = tourney("quick", "greedy", "greedy", "random", "--deals", "4")
    assert code == 0
    assert "greedy 2" in out
    assert list(tmp_path.iterdir()) == []
    code, _, err = tourney("quick", "greedy", "nobody")
    assert code == 2
    assert "nobody" in err


def test_games_lists_families_presets_and_options(tourney: Run) -> None:
    """And a preset's own values."""
    code, out, _ = tourney("games")
    assert code == 0
    assert "oklahoma-plain" in out
    _, out, _ = tourney("games", "classic")
    assert "undercut_bonus" in out
    assert json.loads(tourney("games", "gin", "--json")[1])["game"] == "gin"
    code, _, err = tourney("games", "oklahom")
    assert code == 2
    assert 'did you mean "oklahoma"' in err


def test_bots_list_names_the_built_ins(tourney: Run) -> None:
    """With one line each on how they play."""
    code, out, _ = tourney("bots", "list", "--game", "gin")
    assert code == 0
    for name in ("greedy", "random", "steady"):
        assert name in out


@pytest.mark.parametrize("what", ["spec", "history"])
def test_schemas_are_json_schemas(tourney: Run, what: str) -> None:
    """For editors and for readers in other languages."""
    import jsonschema

    code, out, _ = tourney("schema", what)
    assert code == 0
    schema = json.loads(out)
    jsonschema.validators.validator_for(schema).check_schema(schema)


def test_no_colour_is_written_to_a_pipe(tourney: Run, run_folder: Path) -> None:
    """Escape codes are for terminals."""
    assert "\x1b[" not in tourney("replay", run_folder, "1")[1]
