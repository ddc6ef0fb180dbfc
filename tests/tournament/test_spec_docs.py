"""The page about specs, the schedules and the sample bots: they work, and say what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.clock import Clock, duration_text
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.loading import load_factory, resolve_entry
from rummy_tourney.bot.policy import PROFILES, Conduct, FaultKind
from rummy_tourney.errors import SpecError
from rummy_tourney.game.rules import DealSetup, families
from rummy_tourney.seeding import bot_random, bot_stream, deck_order, root_from_seed
from rummy_tourney.tournament.spec import load_spec, parse_spec
from rummy_tourney.tournament.specfile import (
    ClockSection,
    FaultSection,
    FormatSection,
    GameSection,
    MatchSection,
    PlayerSection,
    SpecFile,
)

PROJECT = Path(__file__).parents[2]
BOTS = PROJECT / "bots"
SCHEDULES = PROJECT / "schedules"
PAGE = (PROJECT / "docs" / "spec.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SECTIONS = (SpecFile, GameSection, FormatSection, MatchSection, PlayerSection, FaultSection, ClockSection)


# --- the page ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0][:40])
def test_every_example_works(example: str) -> None:
    """Parts of a spec are completed with the rest of a small one; paths start from schedules/."""
    if example.startswith("# league.yaml"):
        return
    written = {line.partition(":")[0] for line in example.splitlines() if re.match(r"[a-z]", line)}
    rest = {"tourney": "1", "game": "gin", "players": "[steady, greedy]"}
    text = example + "".join(f"{key}: {value}\n" for key, value in rest.items() if key not in written)
    parse_spec(text, base_dir=SCHEDULES)


def test_the_messages_on_the_page_are_real() -> None:
    """Made by the broken spec that stands above them."""
    broken = next(example for example in EXAMPLES if example.startswith("# league.yaml"))
    shown = re.findall(r"^```text\n(league.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    with pytest.raises(SpecError) as caught:
        parse_spec(broken, base_dir=SCHEDULES, label="league.yaml")
    assert shown == ["\n".join(caught.value.problems) + "\n"]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_every_key_is_on_the_page(section: type[SpecFile]) -> None:
    """A key nobody can look up does not exist."""
    assert [key for key in section.model_fields if f"`{key}`" not in PAGE] == []


def test_every_preset_is_on_the_page() -> None:
    """And has a small spec of its own."""
    for family in families().values():
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{family.name}` |"))
        assert [preset for preset in family.presets if preset not in row] == []
        files = {file.stem for file in (SCHEDULES / "presets").iterdir()}
        assert [preset for preset in family.presets if f"{family.name}-{preset}" not in files] == []


def test_the_fault_table_on_the_page_is_the_policy() -> None:
    """One column for each profile."""
    rows = {cells[1].strip("` "): [c.strip() for c in cells[3:6]] for line in PAGE.splitlines()
            if len(cells := line.split("|")) == 7}  # fmt: skip
    policies = [PROFILES[name] for name in ("lenient", "league", "strict")]
    for kind in FaultKind:
        assert rows[kind.value] == [policy.table[kind].value for policy in policies]
    assert rows["strikes"] == [str(policy.strikes or "null") for policy in policies]
    assert rows["disqualify_percent"] == [str(policy.disqualify_percent or "null") for policy in policies]


def test_the_clock_on_the_page_is_the_clock() -> None:
    """Every default."""
    rows = {cells[1].strip("` "): cells[3].strip() for line in PAGE.splitlines() if len(cells := line.split("|")) == 5}
    for name in ClockSection.model_fields:
        assert rows[name] == duration_text(getattr(Clock(), name))


# --- schedules and bots ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted(SCHEDULES.rglob("*.yaml")), ids=lambda file: file.stem)
def test_every_schedule_is_right(file: Path) -> None:
    """Without a warning."""
    assert load_spec(file).warnings == ()


@pytest.mark.parametrize("bot", sorted(file.name for file in BOTS.glob("*.py")))
@pytest.mark.parametrize("preset", list(families()["gin"].presets))
def test_sample_bots_play_every_preset_of_gin_without_a_fault(bot: str, preset: str) -> None:
    """Forty deals against greedy under the strictest policy, in both seats."""
    family = families()["gin"]
    rules = family.make(family.parse(preset, {}))
    root = root_from_seed(f"sample {bot} {preset}")
    factories = [load_factory(resolve_entry(text, BOTS, "gin"), "gin") for text in (bot, "greedy")]
    for number in range(40):
        _, order = deck_order(root, "deal/sample/1", number, len(rules.pack.codes))
        players = [
            Player(entry, factory(rng=lambda: bot_random(root, "a", "m", 0), stream=lambda: bot_stream(root, "a", "m", 0)))
            for entry, factory in zip(("a", "b"), factories, strict=True)
        ]
        deck = [rules.pack.codes[i] for i in order]
        seated = players if number % 2 else players[::-1]
        table = rules.start(DealSetup(deck, 2, number % 2, number, 0, (0, 0)))
        assert play_deal(table, seated, Conduct(PROFILES["strict"]), rules.forfeit_points()).faults == []


def test_sample_bots_are_short() -> None:
    """They are there to be read."""
    assert {file.name: n for file in BOTS.glob("*.py") if (n := len(file.read_text().splitlines())) >= 60} == {}


def test_built_ins_named_on_the_page_exist() -> None:
    """For every game."""
    for family in families():
        assert {"random", "greedy", "steady"} <= set(builtins(family))
