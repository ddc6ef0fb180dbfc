"""``tourney bots``."""

from __future__ import annotations

import click

from rummy_tourney.cli.common import json_option, print_json


@click.group("bots")
def command() -> None:
    """Bots that can be named in a spec."""


@command.command("list")
@click.option("--game", help="Only those that play this game.")
@json_option
def list_bots(game: str | None, as_json: bool) -> None:
    """List the built-in bots by game."""
    from rummy_tourney.bot.builtin import builtins
    from rummy_tourney.game.rules import families, find_game
    from rummy_tourney.render.text import table

    known = list(families().values()) if game is None else [find_game(game)[0]]
    rows = []
    for family in known:
        for name, cls in builtins(family.name).items():
            first_line = (cls.__doc__ or "").strip().partition("\n")[0]
            rows.append({"game": family.name, "bot": name, "what": first_line})
    if as_json:
        print_json(rows)
        return
    click.echo(table([tuple(r.values()) for r in rows], ("game", "bot", "how it plays")))
    click.echo("\nOr name a file (../bots/counter.py), a class in it (../bots/counter.py:Counter), or package.module:Name.")
