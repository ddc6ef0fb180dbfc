"""Specs that are right: short forms, defaults, names, the resolved form, and the plan made of it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rummy_tourney.bot.clock import Clock, duration_text
from rummy_tourney.bot.policy import PROFILES, Consequence, FaultKind
from rummy_tourney.errors import BotLoadError, SpecError
from rummy_tourney.game.formats import MatchFormat
from rummy_tourney.game.rules import families
from rummy_tourney.tournament.roster import slug
from rummy_tourney.tournament.spec import (
    LoadedSpec,
    Spec,
    load_spec,
    parse_spec,
    plan_from_resolved,
    resolve,
    spec_from_mapping,
    spec_hash_of,
    spec_yaml,
)

BOT = "class Good:\n    def act(self, view):\n        return view.legal_actions()[0]\n"
Load = Callable[..., LoadedSpec]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Reads ``tourney: 1`` and the lines given, with a few bot files beside them."""
    for name in ("good.py", "zoe.py", "_hidden.py", "twins/ann/bot.py", "twins/bob/bot.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(BOT)

    def read(*lines: str, game: str = "gin", players: str = "[greedy, random]") -> LoadedSpec:
        text = "\n".join(["tourney: 1", f"game: {game}", f"players: {players}", *lines])
        return parse_spec(text, base_dir=tmp_path, label="spec.yaml", default_name="spec")

    return read


def ids(loaded: LoadedSpec) -> list[str]:
    """The ids of the entries, in order."""
    return [entry.id for entry in loaded.spec.entries]


# --- short forms and defaults ------------------------------------------------------------------------------------------


def test_the_shortest_spec_says_what_everything_else_is(load: Load) -> None:
    """Name and id from the file, a round robin of 100 mirrored deals, the league's fault policy, a secret seed."""
    spec = load().spec
    assert (spec.name, spec.id, spec.seed) == ("spec", "spec", None)
    assert (spec.game.family, spec.game.preset, spec.game.seats) == ("gin", None, 2)
    assert spec.game.options == families()["gin"].parse(None, {})
    assert (spec.format.kind, spec.format.cycles, spec.format.common) == ("round-robin", 1, True)
    assert spec.format.match == MatchFormat(deals=100, mirrored=True)
    assert spec.faults == PROFILES["league"]
    assert spec.clock == Clock()


@pytest.mark.parametrize(
    "game", ["oklahoma", "{kind: oklahoma}", "{preset: oklahoma}", "{kind: gin, preset: oklahoma}", "'oklahoma'"]
)
def test_a_preset_may_stand_alone(load: Load, game: str) -> None:
    """Wherever a game is named, a preset that only one family has is enough."""
    chosen = load(game=game).spec.game
    assert (chosen.family, chosen.preset) == ("gin", "oklahoma")
    assert chosen.options == families()["gin"].parse("oklahoma", {})


def test_options_override_the_preset(load: Load) -> None:
    """With - or _ in their names."""
    options = load(game="{preset: oklahoma, target: 200, gin-bonus: 20, spade_double: no}").spec.game.options
    assert (options.target, options.gin_bonus, options.spade_double, options.oklahoma) == (200, 20, False, True)


@pytest.mark.parametrize("written", ["round-robin", "match", "gauntlet"])
def test_a_format_may_be_one_word(load: Load, written: str) -> None:
    """``format: gauntlet`` is ``format: {kind: gauntlet}``."""
    assert load(f"format: {written}").spec.format.kind == written


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("{deals: 200}", MatchFormat(deals=200, mirrored=True)),
        ("{deals: 200, mirrored: false}", MatchFormat(deals=200)),
        ("{deals: 15, mirrored: no}", MatchFormat(deals=15)),
        ("{deals: 1}", MatchFormat(deals=1)),
        ("{games: 3}", MatchFormat(games=3)),
        ("{games: 3, mirrored: false}", MatchFormat(games=3)),
        ("{mirrored: false}", MatchFormat(deals=100)),
        ("{deals: 010}", MatchFormat(deals=10, mirrored=True)),
    ],
)
def test_matches(load: Load, match: str, expected: MatchFormat) -> None:
    """Mirrored unless it says otherwise, except for one single deal; 010 is ten."""
    assert load(f"format: {{match: {match}}}").spec.format.match == expected


def test_the_default_number_of_deals_fits_the_seats(load: Load) -> None:
    """100 is no multiple of three; the next is 102."""
    loaded = load("format: match", game="{kind: basic}", players="[greedy, random, {name: g, bot: greedy}]")
    assert loaded.spec.game.seats == 3
    assert loaded.spec.format.match == MatchFormat(deals=102, mirrored=True)
    assert not loaded.spec.format.common


def test_deals_are_common_at_tables_of_two_unless_the_spec_says_otherwise(load: Load) -> None:
    """Common deals cancel luck between pairings."""
    assert load().spec.format.common
    assert not load("format: {deals: separate}").spec.format.common


def test_a_match_seats_all_its_players(load: Load) -> None:
    """Without ``seats`` the table is as large as the field."""
    four = "[greedy, random, {name: g, bot: greedy}, {name: r, bot: random}]"
    assert load("format: match", game="basic", players=four).spec.game.seats == 4
    assert load(game="basic", players=four).spec.game.seats == 2


@pytest.mark.parametrize(("seed", "text"), [("2026", "2026"), ("'2026'", "2026"), ("02026", "02026"), ("-1", "-1"),
                                            ('"spring 7"', "spring 7"), ("null", None), ("~", None)])  # fmt: skip
def test_a_seed_is_the_text_that_was_written(load: Load, seed: str, text: str | None) -> None:
    """The same digits, the same cards, with quotes or without; leading zeros count."""
    assert load(f"seed: {seed}").spec.seed == text


def test_free_entry_and_no_prizes_may_be_said(load: Load) -> None:
    """They are what there is; a spec that says so loads in every version."""
    assert load("entry: free", "prizes: none").spec == load().spec


def test_aliases_save_typing(load: Load) -> None:
    """Two entries with the same options."""
    players = "[{name: a, bot: good.py, options: &o {x: 1}}, {name: b, bot: zoe.py, options: *o}]"
    assert [dict(e.options) for e in load(players=players).spec.entries] == [{"x": 1}, {"x": 1}]


# --- faults and clock --------------------------------------------------------------------------------------------------


def test_a_fault_table_changes_a_profile(load: Load) -> None:
    """What is not named stays as in the profile; null takes a limit away."""
    policy = load("faults: {profile: lenient, illegal: forfeit-deal, strikes: 5, disqualify_percent: 20}").spec.faults
    assert policy.table == {**PROFILES["lenient"].table, FaultKind.ILLEGAL: Consequence.FORFEIT_DEAL}
    assert (policy.name, policy.strikes, policy.disqualify_percent) == ("lenient", 5, 20)
    open_ended = load("faults: {strikes: null, disqualify_percent: null}").spec.faults
    assert (open_ended.strikes, open_ended.disqualify_percent) == (None, None)


@pytest.mark.parametrize("name", list(PROFILES))
def test_profiles_by_name(load: Load, name: str) -> None:
    """``faults: strict`` is the policy of that name, whole."""
    assert load(f"faults: {name}").spec.faults == PROFILES[name]


def test_a_clock_is_read_and_its_limits_are_admitted(load: Load) -> None:
    """It is recorded, and a warning says where it works."""
    loaded = load("clock: {start: 1m, move: 500ms, grace: 0ms}")
    assert loaded.spec.clock == Clock(start=60_000, move=500, grace=0)
    assert loaded.warnings == (
        "spec.yaml:4:1  clock: warning: takes effect only for bots that run in a process of their own; it is recorded",
    )


@pytest.mark.parametrize(
    ("milliseconds", "text"), [(0, "0ms"), (1, "1ms"), (999, "999ms"), (1_000, "1s"), (90_000, "90s"), (120_000, "2m"),
                               (3_600_000, "1h"), (86_400_000, "24h")]
)  # fmt: skip
def test_durations_are_written_in_the_largest_unit_that_fits(milliseconds: int, text: str) -> None:
    """As a person would write them in a spec."""
    assert duration_text(milliseconds) == text


# --- players -----------------------------------------------------------------------------------------------------------


def test_names_and_ids_come_from_the_bot(load: Load) -> None:
    """A built-in keeps its name, a file gives its own without folder and ending, a class stands after it."""
    loaded = load(players="[greedy, good.py, zoe.py:Good, {name: Deep Thought, bot: good.py}, {id: x1, bot: random}]")
    assert [(e.id, e.display, e.source.kind) for e in loaded.spec.entries] == [
        ("greedy", "greedy", "builtin"),
        ("good", "good", "file"),
        ("zoe-good", "zoe:Good", "file"),
        ("deep-thought", "Deep Thought", "file"),
        ("x1", "random", "builtin"),
    ]


def test_a_pattern_finds_files_in_alphabetical_order(load: Load) -> None:
    """Files that begin with _ are nobody's bots."""
    assert ids(load(players="'*.py'")) == ["good", "zoe"]
    assert ids(load(players="[random, '?o*.py']")) == ["random", "good", "zoe"]


def test_files_of_one_name_are_told_apart_by_their_folders(load: Load) -> None:
    """As where every student hands in a ``bot.py``."""
    loaded = load(players="[twins/*/bot.py, good.py]")
    assert [(e.id, e.display) for e in loaded.spec.entries] == [
        ("ann-bot", "ann/bot"), ("bob-bot", "bob/bot"), ("good", "good"),
    ]  # fmt: skip


def test_a_pattern_may_give_all_its_bots_options(load: Load) -> None:
    """And nothing that only one of them can have."""
    loaded = load(players="[{bot: 'twins/*/bot.py', options: {depth: 2}, trusted: yes}]")
    assert [(dict(e.options), e.trusted) for e in loaded.spec.entries] == [({"depth": 2}, True)] * 2


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(load: Load, tmp_path: Path) -> None:
    """Brackets are allowed in file names."""
    (tmp_path / "bot[1].py").write_text(BOT)
    assert ids(load(players="['bot[1].py', random]")) == ["bot-1", "random"]


def test_options_of_bots_are_typed_by_how_they_are_written(load: Load) -> None:
    """Whole numbers, true, false and null are themselves, the rest is the text that was written; nothing is a float."""
    options = "{a: 1, b: -7, c: true, d: null, e: 0.50, f: 010, g: no, h: '1', i: [1, x], j: {k: 1}, l: 12345678901234567890}"
    found = load(players=f"[{{bot: good.py, options: {options}}}, random]").spec.entries[0].options
    assert found == {
        "a": 1, "b": -7, "c": True, "d": None, "e": "0.50", "f": "010", "g": "no", "h": "1", "i": [1, "x"], "j": {"k": 1},
        "l": "12345678901234567890",
    }  # fmt: skip


def test_champions_come_first(load: Load) -> None:
    """By number in the order of the list, by name in the order they are named."""
    players = "[greedy, random, good.py, zoe.py]"
    by_number = load("format: {kind: gauntlet, champions: 2}", players=players)
    assert (ids(by_number), by_number.spec.format.champions) == (["greedy", "random", "good", "zoe"], 2)
    by_name = load("format: {kind: gauntlet, champions: [zoe, random]}", players=players)
    assert (ids(by_name), by_name.spec.format.champions) == (["zoe", "random", "greedy", "good"], 2)
    assert load("format: {kind: gauntlet, champions: zoe}", players=players).spec.format.champions == 1
    assert load("format: gauntlet", players=players).spec.format.champions == 1


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Spring gin league!", "spring-gin-league"),
        ("  $10 Daily Freeroll", "10-daily-freeroll"),
        ("Rommé für Ålle", "romme-fur-alle"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 60, "a" * 48),
        ("x" * 47 + " yz", "x" * 47),
        ("CON", "con"),
    ],
)
def test_slugs_are_safe_in_paths(name: str, made: str) -> None:
    """Lower case, ASCII, no dots or slashes, bounded, and no hyphen at the end."""
    assert slug(name, "event") == made


def test_a_name_without_latin_letters_still_has_an_id() -> None:
    """The same one every time, and different names have different ones."""
    digest = hashlib.sha256("春".encode()).hexdigest()[:8]
    assert slug("春", "event") == f"event-{digest}"
    assert slug("秋", "event") != slug("春", "event")


# --- warnings ----------------------------------------------------------------------------------------------------------


def test_options_without_effect_are_named(load: Load) -> None:
    """Where a fixed number of deals is played there is no target; what the preset says anyway is no reason to warn."""
    loaded = load(game="{preset: oklahoma, target: 200, box_bonus: 25, gin_bonus: 20}")
    expected = "has no effect where a fixed number of deals is played. Hint: for whole games, match: {games: 1}"
    assert loaded.warnings == (f"spec.yaml:2:26  game.target: warning: {expected}",)
    assert load("format: {match: {games: 1}}", game="{preset: oklahoma, target: 200}").warnings == ()


def test_values_that_other_yaml_tools_misread_are_named(load: Load) -> None:
    """As text they are what they look like here; true or false where that is meant is read alike by all."""
    loaded = load(
        "name: 13:00",
        "format: {match: {deals: 010, mirrored: yes}}",
        players="[{bot: good.py, options: {a: no, b: 'no'}, trusted: no}, random]",
    )
    assert [w.partition("  ")[2] for w in loaded.warnings] == [
        "players[0].options.a: warning: no is text here; other YAML tools read false. Hint: put quotes around it",
        "name: warning: 13:00 is text here; other YAML tools read a number (minutes or seconds). Hint: put quotes around it",
        "format.match.deals: warning: 010 is text here; other YAML tools read another number. Hint: put quotes around it",
    ]
    assert loaded.spec.name == "13:00"


# --- resolved ----------------------------------------------------------------------------------------------------------

FULL = """
tourney: 1
name: Full house
game: {preset: oklahoma, target: 200, hollywood: yes}
format: {kind: gauntlet, champions: [zoe], cycles: 2, match: {games: 2}, deals: separate}
players: [greedy, "twins/*/bot.py", {name: Zoe, bot: zoe.py:Good, options: {a: 1, b: "1", c: [x, null]}}]
faults: {profile: strict, crash: restart, strikes: 7}
clock: {move: 250ms, bank: 90s}
seed: "0x1f"
"""


def test_a_resolved_spec_is_a_spec_and_the_same_one(load: Load, tmp_path: Path) -> None:
    """Nothing is left to a default, and loading it changes nothing."""
    first = parse_spec(FULL, base_dir=tmp_path)
    again = parse_spec(spec_yaml(first.resolved), base_dir=tmp_path)
    assert again.spec == first.spec
    assert again.resolved == first.resolved
    assert again.spec_hash == first.spec_hash
    assert spec_from_mapping(first.resolved, base_dir=tmp_path).spec == first.spec


def test_a_resolved_spec_is_plain_json(load: Load, tmp_path: Path) -> None:
    """It goes into run.json and comes back; its hash is that of its canonical JSON, made here by other means."""
    resolved = parse_spec(FULL, base_dir=tmp_path).resolved
    text = json.dumps(resolved, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert json.loads(text) == resolved
    assert hashlib.sha256(text.encode()).hexdigest() == spec_hash_of(resolved)


def test_a_resolved_spec_shows_everything(load: Load) -> None:
    """Every key of every section, and every option of the game."""
    resolved = load("seed: 7").resolved
    sections = "tourney name id game format players faults clock seed entry prizes"
    assert list(resolved) == sections.split()
    assert resolved["game"].items() >= {"kind": "gin", "preset": None, "seats": 2, "target": 100, "hollywood": False}.items()
    assert resolved["format"] == {
        "kind": "round-robin", "cycles": 1, "deals": "common", "match": {"deals": 100, "mirrored": True},
    }  # fmt: skip
    assert [list(player) for player in resolved["players"]] == [
        ["id", "display", "kind", "bot", "file_hash", "options", "trusted"]
    ] * 2
    assert resolved["faults"] == {
        "profile": "league", "timeout": "default-action", "illegal": "default-action", "protocol": "forfeit-deal",
        "crash": "restart", "resource": "forfeit-match", "strikes": 3, "disqualify_percent": 10,
    }  # fmt: skip
    assert resolved["clock"] == {"start": "10s", "move": "1s", "grace": "50ms", "bank": "30s", "deal_cap": "1m"}
    assert resolved["seed"] == "7"


def test_the_hash_does_not_depend_on_the_machine(load: Load, tmp_path: Path) -> None:
    """The same files elsewhere, named by an absolute path or a relative one: the same resolved spec, without the path."""
    elsewhere = tmp_path / "else" / "where"
    shutil.copytree(tmp_path / "twins", elsewhere / "twins")
    here = spec_from_mapping({"game": "gin", "players": ["twins/ann/bot.py", "random"]}, base_dir=tmp_path)
    there = spec_from_mapping({"game": "gin", "players": ["twins/ann/bot.py", "random"]}, base_dir=elsewhere)
    absolute = str(elsewhere / "twins" / "ann" / "bot.py")
    named = spec_from_mapping({"game": "gin", "players": [absolute, "random"]}, base_dir=elsewhere)
    assert here.resolved == there.resolved == named.resolved
    assert str(tmp_path) not in json.dumps(named.resolved)


def test_another_bot_another_hash(load: Load, tmp_path: Path) -> None:
    """One byte of a bot file is enough; so is another seed."""
    before = load("seed: 1", players="[good.py, random]").spec_hash
    (tmp_path / "good.py").write_text(BOT + "\n")
    assert load("seed: 1", players="[good.py, random]").spec_hash != before
    assert load("seed: 2").spec_hash != load("seed: 1").spec_hash


def test_a_seed_can_be_put_in_afterwards(load: Load) -> None:
    """What ``tourney run --seed`` does."""
    spec: Spec = replace(load().spec, seed="5")
    assert resolve(spec) == load("seed: 5").resolved


def test_no_option_of_a_game_hides_behind_a_key_of_the_section() -> None:
    """``kind``, ``preset`` and ``seats`` stand beside the options in a resolved spec."""
    for family in families().values():
        assert not {"kind", "preset", "seats"} & set(family.options.__dataclass_fields__)


# --- plan --------------------------------------------------------------------------------------------------------------


def test_a_plan_says_what_the_spec_says(load: Load, tmp_path: Path) -> None:
    """From the resolved form alone, as a resumed run makes it."""
    loaded = parse_spec(FULL, base_dir=tmp_path)
    plan = plan_from_resolved(json.loads(json.dumps(loaded.resolved)), tmp_path)
    assert (plan.event, plan.family, plan.preset, plan.seats) == ("full-house", "gin", "oklahoma", 2)
    assert plan.parsed_options() == loaded.spec.game.options
    assert (plan.match, plan.common) == (MatchFormat(games=2), False)
    assert plan.policy == loaded.spec.faults
    assert (plan.format_kind, dict(plan.format_settings)) == ("gauntlet", {"cycles": 2, "champions": 1})
    assert [(e.id, e.source) for e in plan.entries] == [(e.id, e.source) for e in loaded.spec.entries]


def test_a_plan_with_another_bot_is_refused(load: Load, tmp_path: Path) -> None:
    """A run goes on with the bots it began with, or not at all."""
    resolved = load(players="[good.py, random]").resolved
    hashes = {player["id"]: player["file_hash"] for player in resolved["players"]}
    (tmp_path / "good.py").write_text("# changed\n" + BOT)
    with pytest.raises(BotLoadError, match=r"good: good\.py is not the bot this run began with"):
        plan_from_resolved(resolved, tmp_path, hashes)
    (tmp_path / "good.py").unlink()
    with pytest.raises(BotLoadError, match=r"there is no file good\.py"):
        plan_from_resolved(resolved, tmp_path, hashes)


def test_a_plan_that_is_not_played_needs_no_bots(load: Load, tmp_path: Path) -> None:
    """Verifying a run on another machine."""
    resolved = load(players="[good.py, random]").resolved
    plan = plan_from_resolved(resolved, tmp_path / "nowhere", load=False)
    assert [e.id for e in plan.entries] == ["good", "random"]


# --- files and mappings ------------------------------------------------------------------------------------------------


def test_a_file_gives_its_name_and_its_folder(load: Load, tmp_path: Path) -> None:
    """Paths start from the folder of the spec, wherever the program was started."""
    file = tmp_path / "Friday Night.yaml"
    file.write_text("tourney: 1\ngame: gin\nplayers: [good.py, random]\n")
    loaded = load_spec(file)
    assert (loaded.spec.name, loaded.spec.id, loaded.base_dir) == ("Friday Night", "friday-night", tmp_path)
    assert loaded.text == file.read_text()


def test_a_file_that_cannot_be_read_is_a_broken_spec(tmp_path: Path) -> None:
    """One line, with the path as it was given."""
    with pytest.raises(SpecError) as caught:
        load_spec(tmp_path / "missing.yaml")
    assert caught.value.problems == (f"{tmp_path / 'missing.yaml'}  there is no such file",)


def test_a_mapping_becomes_a_spec_with_a_text_of_its_own(load: Load, tmp_path: Path) -> None:
    """``tourney quick`` has no file; its run folder has one all the same, and it says the same."""
    wanted = {"game": {"kind": "gin", "target": 50}, "format": {"match": {"deals": 10}}, "players": ["good.py", "random"]}
    loaded = spec_from_mapping(wanted, base_dir=tmp_path)
    assert (loaded.spec.name, loaded.spec.format.match) == ("quick", MatchFormat(deals=10, mirrored=True))
    assert parse_spec(loaded.text, base_dir=tmp_path, default_name="quick").spec == loaded.spec


def test_problems_of_a_mapping_have_paths_instead_of_places(load: Load, tmp_path: Path) -> None:
    """There is no line to name."""
    with pytest.raises(SpecError) as caught:
        spec_from_mapping({"game": "gin", "players": ["grede", "good.py", "good.py"], "seed": 1.5}, base_dir=tmp_path)
    assert [line.partition(":")[0] for line in caught.value.problems] == ["seed", "players[0]", "players[2]"]
    assert "numbers 2 and 3" in caught.value.problems[2]


def test_a_hundred_problems_are_enough(load: Load) -> None:
    """The rest is counted."""
    with pytest.raises(SpecError) as caught:
        load(players=f"[{', '.join(f'nobody{n}' for n in range(150))}]")
    assert len(caught.value.problems) == 101
    assert caught.value.problems[-1] == "… and 50 more"


def test_too_many_players_are_refused(load: Load, tmp_path: Path) -> None:
    """A pattern in the wrong folder should not enter half the disk."""
    (tmp_path / "many").mkdir()
    for n in range(1001):
        (tmp_path / "many" / f"b{n:04}.py").write_text("")
    with pytest.raises(SpecError, match="too many players"):
        load(players="'many/*.py'")
