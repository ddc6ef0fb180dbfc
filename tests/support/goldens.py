"""Golden deals and perft counts: how they are made, where they are kept.

Golden deals show that something changed, perft counts that something is wrong (some are confirmed by another engine). Both are
written by ``python tests/regenerate_golden.py`` and read in review.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.games import Case, texts

from rummy_tourney.bot.builtin import builtins
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.loading import load_factory, resolve_entry
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.cards import CARDS, join_cards
from rummy_tourney.game.rules import families
from rummy_tourney.lab.perft import perft, perft_start
from rummy_tourney.seeding import Stream, bot_random, bot_stream, deck_order, root_from_seed

DATA = Path(__file__).parents[1] / "data"
ROOT = root_from_seed("golden")
PERFT_DECKS = ("0", "dense-0")
PERFT_DEPTH = 4
PERFT_LIMIT = 20_000
"""Counts above this are left out: the tests count them again on every run."""
FOLDED: Mapping[str, tuple[str, tuple[str, ...], int]] = {
    "gin": ("openspiel", ("0", "dense-0", "dense-40", "dense-55", "dense-126"), 6),
}
"""Counts that another engine can confirm: preset, decks and greatest depth by family."""


def golden_path(family: str, preset: str) -> Path:
    """Where the golden deals of a preset are kept."""
    return DATA / "golden" / f"{family}-{preset}.txt"


def perft_path(family: str) -> Path:
    """Where the perft counts of a family are kept."""
    return DATA / "perft" / f"{family}.perft"


# --- golden deals ----------------------------------------------------------------------------------------------------


def golden_text(family: str, preset: str) -> str:
    """Two deals at the smallest table and one at the largest, played by built-in bots, move by move."""
    game = families()[family]
    seats = game.seat_range(game.parse(preset, {}))
    best = "greedy" if "greedy" in builtins(family) else "random"
    deals = [(min(seats), [best]), (min(seats), ["random", best]), (max(seats), [best, best, "random"])]
    parts = [_golden_deal(Case(family, preset, count), number, bots) for number, (count, bots) in enumerate(deals)]
    return "\n".join(parts)


def _golden_deal(case: Case, number: int, bots: list[str]) -> str:
    _, order = deck_order(ROOT, f"{case.family}/{case.preset}", number, len(case.rules.pack))
    deck = [case.rules.pack.codes[place] for place in order]
    names = [bots[seat % len(bots)] for seat in range(case.seats)]
    players = [_player(case.family, name, seat, number) for seat, name in enumerate(names)]
    table = case.rules.start(case.setup(number, deck))
    outcome = play_deal(table, players, Conduct(PROFILES["strict"]), case.rules.forfeit_points())
    assert not outcome.faults, outcome.faults
    result = outcome.result
    lines = [
        f"deal {number}: {' '.join(names)}",
        f"deck {join_cards([CARDS[code] for code in deck])}",
        *texts(table),
        f"end {result.ending}, points {' '.join(map(str, result.points))}, winner {result.winner}, boxes {result.boxes}",
        *[
            f"seat {s}: hand {h or '-'}, melds {m or '-'}"
            for s, (h, m) in enumerate(zip(result.hands, result.melds, strict=True))
        ],
        f"deadwood {' '.join(map(str, result.deadwood)) or '-'}",
        *[f"part {seat} {name} {value}" for seat, part in enumerate(result.parts) for name, value in part.items()],
    ]
    return "\n".join(lines) + "\n"


def _player(family: str, name: str, seat: int, number: int) -> Player:
    factory = load_factory(resolve_entry(name, Path(), family), family)

    def dice() -> Stream:
        return bot_stream(ROOT, f"seat {seat}", "golden", number)

    return Player(f"{name} {seat}", factory(rng=lambda: bot_random(ROOT, f"seat {seat}", "golden", number), stream=dice))


# --- perft -----------------------------------------------------------------------------------------------------------


def perft_lines(family: str) -> list[list[str]]:
    """The counts kept for a family: preset, deck, depth, count, and ``folded`` where claims were counted as one."""
    lines = perft_path(family).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def perft_text(family: str) -> str:
    """The counts of a family made again, below the comments that stand at the top of its file."""
    path = perft_path(family)
    old = (
        path.read_text().splitlines()
        if path.exists()
        else [f"# preset deck depth count: see rummy_tourney/lab/perft.py ({family})"]
    )
    lines = [line for line in old if line.startswith("#")]
    for preset in families()[family].presets:
        for deck in PERFT_DECKS:
            lines += _counts(family, preset, deck, PERFT_DEPTH, folded=False)
    if family in FOLDED:
        preset, decks, depth = FOLDED[family]
        for deck in decks:
            lines += _counts(family, preset, deck, depth, folded=True)
    return "\n".join(lines) + "\n"


def _counts(family: str, preset: str, deck: str, depth: int, *, folded: bool) -> list[str]:
    start = perft_start(families()[family], preset, deck)
    lines = []
    for d in range(1, depth + 1):
        count = perft(start, d, folded=folded)
        if count > PERFT_LIMIT:
            break
        lines.append(f"{preset} {deck} {d} {count}{' folded' if folded else ''}")
    return lines
