"""``tourney verify``."""

from __future__ import annotations

from pathlib import Path

import click

from rummy_tourney.cli.common import jobs_option, json_option, print_json, run_argument
from rummy_tourney.errors import ExitCode
from rummy_tourney.tournament.folder import RunFolder


@click.command("verify")
@run_argument
@click.option("--deal", metavar="ID", help="Check the moves of this deal alone (chain and seal as a whole).")
@click.option("--rerun", "again", is_flag=True, help="Play everything again with the revealed seed and compare bytes.")
@jobs_option
@json_option
@click.pass_context
def command(ctx: click.Context, run: Path, deal: str | None, again: bool, jobs: int, as_json: bool) -> None:
    """Check the finished run in the folder RUN, or the proof of one deal (a file made by `tourney export --proof`).

    Files, hash chain and seal, the seed against its commitment, every deck against the seed, every move against the rules,
    scores, schedule and standings. Exit 4 if anything is wrong.
    """
    if run.is_file():
        ctx.exit(_verify_proof(run, as_json=as_json))
    folder = RunFolder(run)
    folder.require()
    from rummy_tourney.tournament.verify import verify_run

    report = verify_run(folder, deal=deal)
    outcome: dict[str, object] = {
        "ok": report.ok,
        "records": report.records,
        "deals": report.deals,
        "sha256": report.sha256,
        "checked": report.checked,
        "findings": [{name: getattr(f, name) for name in f.__struct_fields__} for f in report.findings],
    }
    if not as_json:
        for finding in report.findings:
            click.echo(str(finding), err=True)
        if report.ok:
            click.echo(f"{run}: all is well: {', '.join(report.checked)}; {report.records} records, {report.deals} deals")
            click.echo(f"sha256 {report.sha256}")
        else:
            click.echo(f"{run}: {len(report.findings)} findings", err=True)
    ok = report.ok
    if again and ok:
        ok = _rerun(folder, jobs, outcome, as_json=as_json)
    if as_json:
        print_json({**outcome, "ok": ok})
    ctx.exit(ExitCode.OK if ok else ExitCode.VERIFICATION_FAILED)


def _rerun(folder: RunFolder, jobs: int, outcome: dict[str, object], *, as_json: bool) -> bool:
    from rummy_tourney.lab.rerun import rerun
    from rummy_tourney.render.progress import progress_for

    found = rerun(folder, jobs, progress_for(quiet=as_json))
    outcome["rerun"] = {"same": found.same, "line": found.line, "deal": found.deal, "then": found.said, "now": found.says}
    if as_json:
        return found.same
    if found.same:
        click.echo("played again: the same bytes of history and standings")
    else:
        click.echo(f"played again: not the same; line {found.line}, deal {found.deal}", err=True)
        click.echo(f"  then  {found.said}\n  now   {found.says}", err=True)
        click.echo(f"  see   tourney replay {folder.path} {found.deal}", err=True)
    return found.same


def _verify_proof(path: Path, *, as_json: bool) -> int:
    from rummy_tourney.history.proof import check_deck, check_proof, read_proof

    proof = read_proof(path)
    under_root = check_proof(proof)
    deck = check_deck(proof) if proof.key else None
    ok = under_root and deck is not False
    if as_json:
        print_json({"ok": ok, "deal": proof.deal.get("id"), "merkle": proof.merkle, "proof": under_root, "deck": deck})
    elif ok:
        click.echo(f"deal {proof.deal.get('id')} is deal {proof.index + 1} of the {proof.size} under the Merkle root")
        click.echo(f"merkle {proof.merkle}\nCompare this root with the one published in the seal of the run.")
        if deck:
            click.echo("its key gives its deck, card by card")
    elif not under_root:
        click.echo(f"{path}: the proof does not hold: the deal or the path to the Merkle root was changed", err=True)
    else:
        click.echo(f"{path}: the key in this file does not give the deck of the deal", err=True)
    return ExitCode.OK if ok else ExitCode.VERIFICATION_FAILED
