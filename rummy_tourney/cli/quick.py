"""``tourney quick``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from rummy_tourney.cli.common import jobs_option, json_option, play_and_report, strict_option
from rummy_tourney.tournament.spec import spec_from_mapping


@click.command("quick")
@click.argument("bots", metavar="BOT BOT...", nargs=-1, required=True)
@click.option("--game", default="gin", show_default=True, help="A game or a preset (tourney games).")
@click.option("--deals", type=click.IntRange(1), default=200, show_default=True, help="Deals of each match.")
@click.option("--games", type=click.IntRange(1), help="Games to the target instead of a number of deals.")
@click.option("--seats", type=click.IntRange(2), help="Players at a table [default: what the game and the bots allow].")
@click.option("--single", is_flag=True, help="Do not mirror the deals.")
@click.option("--seed", metavar="S", default="1", show_default=True, help="A public seed.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep the run in this folder [default: it is not kept].")
@jobs_option
@strict_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, bots: tuple[str, ...], game: str, deals: int, games: int | None, seats: int | None, single: bool,
    seed: str, out: Path | None, jobs: int, strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """Let BOTs play each other, everybody against everybody, without a spec.

    A BOT is a built-in (tourney bots list), a file (bots/counter.py, bots/pair.py:Alpha) or
    package.module:Name. The same bot may be named twice.
    """
    from rummy_tourney.tournament.runner import begin

    match: dict[str, object] = {"games": games} if games is not None else {"deals": deals, "mirrored": not single}
    mapping = {
        "name": "quick",
        "game": {"kind": game} if seats is None else {"kind": game, "seats": seats},
        "format": {"kind": "round-robin", "match": match},
        "players": [{"name": name, "bot": bot} for name, bot in _named(bots)],
        "seed": seed,
    }
    loaded = spec_from_mapping(mapping, base_dir=Path(), label="quick")
    for warning in loaded.warnings:
        click.echo(warning, err=True)
    if out is not None:
        ctx.exit(play_and_report(begin(loaded, out, Path("reports")), jobs, as_json=as_json, strict=strict))
    with tempfile.TemporaryDirectory(prefix="tourney-quick-") as place:
        folder = begin(loaded, Path(place) / "run", Path(place))
        code = play_and_report(folder, jobs, as_json=as_json, strict=strict, kept=False)
    ctx.exit(code)


def _named(bots: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each bot with a name of its own: ``greedy``, ``greedy 2`` and so on."""
    found: list[tuple[str, str]] = []
    for bot in bots:
        name = Path(bot).stem if bot.endswith(".py") else bot
        taken = sum(known == name or known.startswith(f"{name} ") for known, _ in found)
        found.append((name if taken == 0 else f"{name} {taken + 1}", bot))
    return found
