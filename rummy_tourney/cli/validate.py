"""``tourney validate``."""

from __future__ import annotations

from pathlib import Path

import click

from rummy_tourney.cli.common import json_option, print_json
from rummy_tourney.errors import ExitCode, SpecError
from rummy_tourney.tournament.spec import load_spec, spec_yaml


@click.command("validate")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--resolved", is_flag=True, help="Print the spec with every default filled in.")
@click.option("--strict", is_flag=True, help="Warnings are errors.")
@json_option
@click.pass_context
def command(ctx: click.Context, specs: tuple[Path, ...], resolved: bool, strict: bool, as_json: bool) -> None:
    """Check each SPEC and report everything that is wrong with it. Exit 2 if anything is."""
    bad = 0
    rows: list[dict[str, object]] = []
    for path in specs:
        try:
            loaded = load_spec(path)
        except SpecError as error:
            bad += 1
            rows.append({"spec": str(path), "ok": False, "problems": list(error.problems), "warnings": []})
            if not as_json:
                click.echo(str(error), err=True)
            continue
        bad += bool(strict and loaded.warnings)
        good = {"ok": True, "problems": [], "warnings": list(loaded.warnings), "resolved": loaded.resolved}
        rows.append({"spec": str(path), **good})
        if as_json:
            continue
        for warning in loaded.warnings:
            click.echo(f"warning: {warning}", err=True)
        click.echo(spec_yaml(loaded.resolved) if resolved else f"{path}: ok, {loaded.spec.name}")
    if as_json:
        print_json(rows)
    ctx.exit(ExitCode.USAGE if bad else ExitCode.OK)
