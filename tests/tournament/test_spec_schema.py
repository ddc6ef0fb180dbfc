"""The JSON Schema of a spec, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from rummy_tourney.game.rules import families
from rummy_tourney.tournament.spec import spec_from_mapping
from rummy_tourney.tournament.specfile import spec_schema

SCHEDULES = Path(__file__).parents[2] / "schedules"


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    return Draft202012Validator(spec_schema())


def spec(**sections: Any) -> dict[str, Any]:
    """A small spec with some sections changed."""
    return {"tourney": 1, "game": "gin", "players": ["greedy", "random"], **sections}


def test_the_schema_is_a_schema() -> None:
    """By the rules of JSON Schema itself."""
    Draft202012Validator.check_schema(spec_schema())


@pytest.mark.parametrize("file", sorted(SCHEDULES.rglob("*.yaml")), ids=lambda file: file.stem)
def test_every_schedule_fits_the_schema(validator: Draft202012Validator, file: Path) -> None:
    """Read as an editor reads it, with YAML's own typing."""
    assert [error.message for error in validator.iter_errors(yaml.safe_load(file.read_text()))] == []


@pytest.mark.parametrize("name", [f"{f.name}:{preset}" for f in families().values() for preset in f.presets])
def test_every_preset_resolved_fits_the_schema(validator: Draft202012Validator, name: str) -> None:
    """Every option of every family, with a value it can have."""
    family, _, preset = name.partition(":")
    loaded = spec_from_mapping(spec(game={"kind": family, "preset": preset}), base_dir=Path())
    assert [error.message for error in validator.iter_errors(loaded.resolved)] == []


@pytest.mark.parametrize(
    "good",
    [
        spec(game="oklahoma"),
        spec(game={"kind": "gin", "target": 50, "shutout": "flat:20", "hollywood": "yes", "big_gin_bonus": None}),
        spec(game={"preset": "oklahoma"}),
        spec(format="gauntlet", players="../bots/*.py"),
        spec(format={"kind": "gauntlet", "champions": ["a"], "match": {"games": 3}, "deals": "separate"}),
        spec(faults="strict", clock={"move": "500ms"}, seed="text"),
        spec(faults={"profile": "lenient", "crash": "restart", "strikes": None}, seed=2026),
        spec(players=[{"name": "x", "bot": "x.py", "options": {"a": 1}, "trusted": True}]),
    ],
)
def test_what_works_fits_the_schema(validator: Draft202012Validator, good: dict[str, Any]) -> None:
    """An editor must not complain about what the reader takes."""
    assert [error.message for error in validator.iter_errors(good)] == []


@pytest.mark.parametrize(
    "bad",
    [
        spec(fromat="match"),
        spec(tourney=2),
        spec(game="ginn"),
        spec(game={"kind": "gin", "targt": 5}),
        spec(game={"kind": "gin", "gin_bonus": 24}),
        spec(game={"kind": "gin", "seats": 4}),
        spec(game={"target": 5}),
        spec(game={"kind": "basic", "deal_counts": {"2": 99}}),
        spec(format="swiss"),
        spec(format={"match": {"deals": 0}}),
        spec(faults={"crash": "explode"}),
        spec(clock={"move": "10"}),
        spec(players=3),
        spec(entry="$5"),
        {"tourney": 1, "game": "gin"},
    ],
)
def test_what_does_not_work_does_not_fit(validator: Draft202012Validator, bad: dict[str, Any]) -> None:
    """What can be said in JSON Schema is said there."""
    assert not validator.is_valid(bad)
