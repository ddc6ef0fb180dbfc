"""The README tells the truth: its commands exist, its bot plays, its specs are right, its files are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_tourney.cli import COMMANDS, run_command
from rummy_tourney.tournament.spec import parse_spec

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def block(kind: str, begins: str) -> str:
    """A fenced block of the README by its language and first line."""
    for language, text in BLOCKS:
        if language == kind and text.startswith(begins):
            return str(text)
    raise AssertionError(f"the README has no {kind} block that begins with {begins!r}")


def test_every_command_of_the_readme_exists_and_every_option_is_known() -> None:
    """``tourney NAME --option`` as written."""
    shell = "\n".join(text for language, text in BLOCKS if not language)
    found = re.findall(r"^(?:.*next: |.*&& |\s*)tourney ([a-z]+)((?: [^\n`|]*)?)", shell, re.MULTILINE)
    assert len(found) > 10
    for name, rest in found:
        assert name in COMMANDS, name
        helped = subprocess.run(
            [sys.executable, "-m", "rummy_tourney", name, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for option in re.findall(r"(?<!\S)(--[a-z]+)", rest):
            assert option in helped, (name, option)


def test_the_bot_of_the_readme_plays_without_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As good as greedy, which plays the same way."""
    (tmp_path / "mybot.py").write_text(block("python", "# mybot.py"))
    monkeypatch.chdir(tmp_path)
    assert run_command(["quick", "mybot.py", "greedy", "--game", "gin", "--deals", "100", "--strict"]) == 0
    assert "mybot against greedy: 0.0000" in capsys.readouterr().out


def test_the_spec_of_the_readme_is_right() -> None:
    """Paths as from the top of a checkout."""
    loaded = parse_spec(block("yaml", "# spring.yaml"), base_dir=ROOT, label="README")
    assert loaded.warnings == ()
    assert len(loaded.spec.entries) == 3


def test_the_output_shown_is_the_output_of_the_demo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashes included: the README is reproducible on any machine."""
    monkeypatch.chdir(ROOT)
    assert run_command(["run", "schedules/demo.yaml", "--out", str(tmp_path / "run")]) == 0
    shown = block("", "Gin demo (")
    printed = capsys.readouterr().out.replace(str(tmp_path / "run"), "reports/demo")
    for line in filter(None, (line.rstrip() for line in shown.splitlines())):
        assert re.sub(r"reports/demo-[0-9a-f]{8}", "reports/demo", line) in printed


def test_every_file_the_readme_links_to_is_there() -> None:
    """No dead links."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README):
        assert (ROOT / target).exists(), target


def test_every_preset_has_a_schedule_and_stands_in_the_readme() -> None:
    """One small file per preset."""
    from rummy_tourney.game.rules import families

    for family in families().values():
        for preset in family.presets:
            assert (ROOT / "schedules" / "presets" / f"{family.name}-{preset}.yaml").is_file()
            assert preset in README
