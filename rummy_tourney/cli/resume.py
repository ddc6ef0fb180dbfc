"""``tourney resume``."""

from __future__ import annotations

from pathlib import Path

import click

from rummy_tourney.cli.common import jobs_option, json_option, play_and_report, run_argument, strict_option
from rummy_tourney.tournament.folder import RunFolder


@click.command("resume")
@run_argument
@jobs_option
@strict_option
@json_option
@click.pass_context
def command(ctx: click.Context, run: Path, jobs: int, strict: bool, as_json: bool) -> None:
    """Finish the run in the folder RUN. What is finished is kept; the result is the same as without the interruption."""
    folder = RunFolder(run)
    folder.require()
    ctx.exit(play_and_report(folder, jobs, as_json=as_json, strict=strict))
