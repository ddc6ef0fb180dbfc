"""``tourney schema``."""

from __future__ import annotations

import click

from rummy_tourney.cli.common import print_json


@click.command("schema")
@click.argument("what", type=click.Choice(["spec", "history"]))
def command(what: str) -> None:
    """Print the JSON Schema of the tournament spec or of the hand history."""
    if what == "spec":
        from rummy_tourney.tournament.specfile import spec_schema

        print_json(spec_schema())
    else:
        from rummy_tourney.history.schema import history_schema

        print_json(history_schema())
