"""Write the golden deals and perft counts again: ``python tests/regenerate_golden.py [FAMILY...]``, then read the diff.

A golden deal that changes says that play changed; a perft count that changes says that the rules did. Neither may change by
accident.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from support.goldens import golden_path, golden_text, perft_path, perft_text

from rummy_tourney.game.rules import families


def main(names: list[str]) -> int:
    """Regenerate the named families, or all."""
    unknown = sorted(set(names) - set(families()))
    if unknown:
        sys.stderr.write(f"no family called {', '.join(unknown)}; there are {', '.join(families())}\n")
        return 2
    for family in names or families():
        for preset in families()[family].presets:
            _write(golden_path(family, preset), golden_text(family, preset))
        _write(perft_path(family), perft_text(family))
    return 0


def _write(path: Path, text: str) -> None:
    changed = not path.exists() or path.read_text() != text
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    sys.stdout.write(f"{'written  ' if changed else 'unchanged'} {path.parent.name}/{path.name}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
