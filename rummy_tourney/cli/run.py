"""``tourney run``."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import click

from rummy_tourney.cli.common import jobs_option, json_option, play_and_report, print_json, strict_option
from rummy_tourney.errors import ExitCode, SpecError, UsageError
from rummy_tourney.tournament.kinds import MAX_NAME
from rummy_tourney.tournament.spec import LoadedSpec, load_spec


@click.command("run")
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run [default: reports/<name>-<run id>].")
@click.option("--seed", metavar="S", help="Use this public seed instead of the spec's.")
@click.option("--dry-run", is_flag=True, help="Check everything and say what would be played.")
@jobs_option
@strict_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, spec: Path, out: Path | None, seed: str | None, dry_run: bool, jobs: int, strict: bool, as_json: bool
) -> None:
    """Run the tournament that SPEC describes.

    Running a finished spec again shows its result; a run that was interrupted is finished with `tourney resume`.
    """
    from rummy_tourney.tournament.runner import begin

    loaded = load_spec(spec)
    if seed is not None:
        if not 0 < len(seed) <= MAX_NAME:
            raise UsageError(f"--seed: expected a whole number or text of 1 to {MAX_NAME} characters")
        loaded = replace(loaded, spec=replace(loaded.spec, seed=seed))
    show_warnings(loaded, strict=strict)
    if dry_run:
        ctx.exit(_dry_run(loaded, as_json=as_json))
    folder = begin(loaded, out, Path("reports"))
    run = folder.read_run()
    if run["state"] != "finished":
        if (folder / "work.shard").exists():
            click.echo(f"tourney: this run was begun before and is not finished\n\n    tourney resume {folder.path}", err=True)
            ctx.exit(ExitCode.USAGE)
        click.echo(f"{run['name']}: run {run['run_id']} in {folder.path}", err=True)
        click.echo(f"commitment {run['commitment']}", err=True)
    ctx.exit(play_and_report(folder, jobs, as_json=as_json, strict=strict))


def show_warnings(loaded: LoadedSpec, *, strict: bool) -> None:
    """Say what is odd about a spec; with ``strict`` refuse it."""
    for warning in loaded.warnings:
        click.echo(f"warning: {warning}", err=True)
    if strict and loaded.warnings:
        raise SpecError([f"{len(loaded.warnings)} warnings, and --strict makes them errors"])


def _dry_run(loaded: LoadedSpec, *, as_json: bool) -> int:
    from rummy_tourney.tournament.settle import pairings_of
    from rummy_tourney.tournament.spec import plan_from_resolved
    from rummy_tourney.tournament.work import Workshop

    plan = plan_from_resolved(loaded.resolved, loaded.base_dir)
    with redirect_stdout(sys.stderr):  # a bot may print when it is loaded
        Workshop(plan, bytes(64))  # loads every bot, so that a broken one is found now
    matches = list(pairings_of(plan))
    deals = None if plan.match.deals is None else plan.match.deals * len(matches)
    if as_json:
        print_json({"spec_hash": loaded.spec_hash, "matches": len(matches), "deals": deals, "resolved": loaded.resolved})
    else:
        much = f"{deals} deals" if deals is not None else f"{plan.match.games} game(s) each"
        click.echo(f"{loaded.spec.name}: {len(plan.entries)} entries, {len(matches)} matches, {much}; nothing was played")
    return ExitCode.OK
