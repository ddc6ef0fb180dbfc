"""Whatever is written, the reader of specs answers a spec or a SpecError, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_tourney.errors import SpecError
from rummy_tourney.tournament.spec import LoadedSpec, parse_spec, spec_from_mapping, spec_yaml
from rummy_tourney.tournament.specfile import (
    ClockSection,
    FaultSection,
    FormatSection,
    GameSection,
    MatchSection,
    PlayerSection,
    SpecFile,
)

BOT = "class Good:\n    def act(self, view):\n        return view.legal_actions()[0]\n"
SECTIONS = (SpecFile, GameSection, FormatSection, MatchSection, PlayerSection, FaultSection, ClockSection)
OTHER_KEYS = {"target", "knock_limit", "knock-limit", "oklahoma", "big_gin_bonus", "deal_counts", "command", "<<", "?", ""}
KEYS = sorted({key for section in SECTIONS for key in [*section.model_fields, *section.LATER]} | OTHER_KEYS)
WORDS = [
    "1", "2", "100", "0", "-1", "010", "1e9", "1.5", "99999999999999999999", "true", "no", "~", "null", "gin", "basic",
    "oklahoma", "wrotham", "kalooki", "match", "gauntlet", "round-robin", "swiss", "common", "league", "strict", "restart",
    "forfeit-deal", "10s", "500ms", "25h", "free", "none", "greedy", "random", "grede", "good.py", "good.py:Good", "good.py:",
    "*.py", "[*].py", "a/b", "../", "/", "..", "~/x.py", "email.mime:X", "os:path", "a.b:C", ":", ".py", "x.csv", "13:00",
    "2026-11-30", "flat:100", "ﬁ", "💥", "a\nb", " ", "'", '"', "{", "[", "\\",
]  # fmt: skip

scalars = st.one_of(
    st.sampled_from(WORDS), st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12), st.binary(max_size=3)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)
specs = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(SpecFile.model_fields, values),
        "game": st.one_of(st.just("gin"), values),
        "players": st.one_of(st.just(["greedy", "random"]), values),
    },
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("fuzz")
    (made / "good.py").write_text(BOT)
    return made


def check(loaded: LoadedSpec, folder: Path) -> None:
    """A spec that was accepted is complete: what it resolves to is the same spec."""
    again = parse_spec(spec_yaml(loaded.resolved), base_dir=folder)
    assert again.resolved == loaded.resolved
    assert again.spec_hash == loaded.spec_hash


def check_refusal(error: SpecError) -> None:
    """A refusal has something to say, in whole lines of bearable length."""
    assert error.problems
    assert all(line and "\n" not in line and len(line) < 3_000 for line in error.problems)


@settings(max_examples=250)
@given(spec=specs)
def test_any_structure_is_a_spec_or_a_spec_error(spec: dict[str, object], folder: Path) -> None:
    """Wrong types, wrong words, absurd numbers, in every place."""
    try:
        check(spec_from_mapping(spec, base_dir=folder), folder)
    except SpecError as error:
        check_refusal(error)


@settings(max_examples=250)
@given(text=st.text(st.characters(codec="utf-8"), max_size=200))
def test_any_text_is_a_spec_or_a_spec_error(text: str, folder: Path) -> None:
    """Most of it is no YAML, and says so."""
    try:
        check(parse_spec(text, base_dir=folder), folder)
    except SpecError as error:
        check_refusal(error)


SOUND = """tourney: 1
name: Spring gin league
game: {kind: gin, preset: oklahoma, target: 200}
format:
  kind: gauntlet
  champions: [greedy]
  match: {deals: 200, mirrored: true}
players:
  - greedy
  - *bot
  - &bot good.py
  - {name: deep, bot: "good.py:Good", options: {depth: 2, rate: 0.5}}
clock: {start: 10s, move: 500ms}
faults: {profile: league, strikes: 5}
seed: 2026
""".replace("  - *bot\n", "")


@settings(max_examples=250)
@given(
    edits=st.lists(
        st.tuples(st.integers(0, len(SOUND) - 1), st.sampled_from(["insert", "replace", "delete"]),
                  st.one_of(st.sampled_from(list("\t\n :-{}[]'\"*&!|>%@#,?~\\<")), st.characters(codec="utf-8"))),
        min_size=1, max_size=5,
    )
)  # fmt: skip
def test_a_sound_spec_with_slips_of_the_pen_is_a_spec_or_a_spec_error(edits: list[tuple[int, str, str]], folder: Path) -> None:
    """Close to what people really write."""
    letters = list(SOUND)
    for position, kind, letter in edits:
        at = min(position, len(letters) - 1)
        letters[at : at + (kind != "insert")] = [] if kind == "delete" else [letter]
    try:
        check(parse_spec("".join(letters), base_dir=folder), folder)
    except SpecError as error:
        check_refusal(error)


def test_the_sound_spec_is_sound(folder: Path) -> None:
    """So that the slips start from something that works."""
    assert len(parse_spec(SOUND, base_dir=folder).spec.entries) == 3
