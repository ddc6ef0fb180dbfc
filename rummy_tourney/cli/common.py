"""What several commands share: options, colours, and the summary of a run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from rummy_tourney.errors import ExitCode, InsufficientDisk
from rummy_tourney.tournament.folder import FAULTS, HISTORY, RunFolder
from rummy_tourney.tournament.pool import WorkerLost
from rummy_tourney.tournament.runner import Interrupted, RunResult, finish

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a machine to read.")
jobs_option = click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
    help="Worker processes. The results are the same bytes for every N.",
)  # fmt: skip
strict_option = click.option("--strict", is_flag=True, help="Exit 3 if a bot made a fault (warnings of a spec are errors).")


def run_argument(function: F) -> F:
    """The folder of a run."""
    return click.argument("run", metavar="RUN", type=click.Path(path_type=Path))(function)


def colours() -> bool:
    """Whether to colour what goes to stdout: only on a terminal, and not against ``NO_COLOR``."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def names_of(run: Mapping[str, Any]) -> dict[str, str]:
    """Display names by entry id."""
    return {player["id"]: player["display"] for player in run["resolved"]["players"]}


def print_json(value: object) -> None:
    """One JSON object on stdout."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))


def play_and_report(folder: RunFolder, jobs: int, *, as_json: bool, strict: bool, kept: bool = True) -> int:
    """Finish a run and say how it went; answers the exit code. ``kept`` is false if the folder goes away afterwards."""
    from rummy_tourney.render.progress import progress_for

    try:
        result = finish(folder, jobs, progress_for(quiet=as_json))
    except Interrupted as stop:
        click.echo(f"tourney: {stop}", err=True)
        return ExitCode.INTERRUPTED
    except (InsufficientDisk, WorkerLost) as stop:
        click.echo(f"tourney: {stop}\ntourney: what is finished is kept; go on with: tourney resume {folder.path}", err=True)
        return int(stop.exit_code)
    except KeyboardInterrupt:
        click.echo(f"tourney: stopped; finish it with: tourney resume {folder.path}", err=True)
        return ExitCode.INTERRUPTED
    if as_json:
        print_json(summary_json(result))
    else:
        report(result, kept=kept)
    if result.faults:
        click.echo(faults_text(folder, kept=kept), err=True)
    return ExitCode.BOT_FAULTS if strict and result.faults else ExitCode.OK


def faults_text(folder: RunFolder, *, kept: bool) -> str:
    """Who made which faults how often, the first of them, and how to see it."""
    counts = folder.read_run()["faults"]
    with open(folder / FAULTS, encoding="utf-8") as evidence:
        first = json.loads(evidence.readline())
    lines = [f"{sum(c['count'] for c in counts)} bot faults:"]
    lines += [f"  {c['entry']}: {c['code']}, {c['count']} times" for c in counts]
    lines.append(f"the first: {first['detail']}")
    if kept:
        lines.append(f"  {first['show']}\nthe evidence (of the first 100 of a kind): {folder / FAULTS}")
    else:
        lines.append("  keep the run with --out DIR to look into it")
    return "\n".join(lines)


def summary_json(result: RunResult) -> dict[str, object]:
    """A finished run for a machine."""
    import msgspec

    run = result.run
    return {
        "folder": str(result.folder),
        "run_id": run["run_id"],
        "mode": run["mode"],
        "commitment": run["commitment"],
        "root": run["root"],
        "history": {"file": HISTORY, **run["history"]},
        "standings_sha256": run["standings_sha256"],
        "faults": result.faults,
        "standings": msgspec.to_builtins(result.standings),
    }


def report(result: RunResult, *, kept: bool) -> None:
    """A finished run for people: standings, hashes, the seed, what to do next."""
    from rummy_tourney.render.text import standings_text

    run = result.run
    folder = result.folder
    click.echo(f"{run['name']} ({run['run_id']})\n")
    click.echo(standings_text(result.standings, names_of(run)))
    if not kept:
        click.echo(f"\n{run['history']['deals']} deals, history sha256 {run['history']['sha256']} (keep it with --out DIR)")
        return
    click.echo(f"\nhistory    {folder / HISTORY}  ({run['history']['deals']} deals)")
    click.echo(f"  sha256   {run['history']['sha256']}")
    click.echo(f"standings  {folder / 'standings.json'}\n  sha256   {run['standings_sha256']}")
    if run["mode"] == "public":
        click.echo(f"seed       {run['resolved']['seed']} (public: reproducible, no secrecy claimed)")
    else:
        click.echo(f"seed       drawn in secret, committed before play, revealed now:\n  root     {run['root']}")
        click.echo(f"  commitment {run['commitment']}")
    click.echo(
        f"\nnext: tourney verify {folder}          checks every deal\n"
        f"      tourney replay {folder} DEAL     shows one deal, turn by turn\n"
        f"      tourney standings {folder} --versus"
    )
