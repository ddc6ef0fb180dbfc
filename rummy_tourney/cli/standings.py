"""``tourney standings``."""

from __future__ import annotations

from pathlib import Path

import click

from rummy_tourney.cli.common import json_option, names_of, print_json, run_argument
from rummy_tourney.tournament.folder import RunFolder


@click.command("standings")
@run_argument
@click.option("--versus", is_flag=True, help="Head to head: paired mean differences with 95 % intervals.")
@json_option
def command(run: Path, versus: bool, as_json: bool) -> None:
    """Show the standings of the finished run in the folder RUN."""
    import msgspec

    from rummy_tourney.render.text import standings_text, versus_text
    from rummy_tourney.tournament.runner import read_result

    result = read_result(RunFolder(run))
    if as_json:
        print_json(msgspec.to_builtins(result.standings))
        return
    names = names_of(result.run)
    click.echo(standings_text(result.standings, names))
    if versus:
        click.echo(f"\nrow against column, points a {result.standings.per}, 95 %\n")
        click.echo(versus_text(result.standings, names))
