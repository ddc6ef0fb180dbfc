"""What the package offers at its front door."""

from __future__ import annotations

import subprocess
import sys

import rummy_tourney


def test_every_public_name_is_there_and_listed_once() -> None:
    """``__all__`` equals what can be loaded."""
    assert len(set(rummy_tourney.__all__)) == len(rummy_tourney.__all__)
    assert sorted(rummy_tourney._MODULE_OF) == sorted(rummy_tourney.__all__)
    for name in rummy_tourney.__all__:
        assert getattr(rummy_tourney, name) is not None


def test_importing_the_package_imports_nothing_heavy() -> None:
    """A command line that only prints help must not pay for the engine."""
    code = (
        "import sys, rummy_tourney, rummy_tourney.cli;"
        "heavy = ('numpy','scipy','pydantic','yaml','rich','tabulate','rummy_tourney.melds.kernel');"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_engine_needs_no_heavy_library() -> None:
    """A deal can be played and replayed with the standard library, msgspec and zstandard alone."""
    code = (
        "import sys, rummy_tourney.bot.guard, rummy_tourney.history.replay, rummy_tourney.game.rules as r; r.families();"
        "print([m for m in ('numpy','scipy','click','pydantic','yaml','rich','tabulate') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
