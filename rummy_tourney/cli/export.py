"""``tourney export``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from rummy_tourney.cli.common import run_argument
from rummy_tourney.errors import EngineBug, UsageError
from rummy_tourney.tournament.folder import HISTORY, RunFolder


@click.command("export")
@run_argument
@click.option("--view", metavar="VIEW", help="What the copy may show: public, or a seat (seat:0).")
@click.option("--pseudonyms", is_flag=True, help="Give the entries other names in the copy.")
@click.option("--proof", metavar="DEAL", help="One deal with the proof that it is under the seal, and its key.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The file to write (.jsonl or .jsonl.zst)."
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def command(run: Path, view: str | None, pseudonyms: bool, proof: str | None, output: Path, force: bool) -> None:
    """Write a copy of the history of RUN that shows no more than it may, or one deal with its proof.

    A copy keeps salted commitments, so that a full record can be matched with it later. It is read back and compared before
    the command ends.
    """
    folder = RunFolder(run)
    found = folder.read_run()
    if found["state"] != "finished":
        raise UsageError(f"{run}: this run is not finished; finish it with: tourney resume {run}")
    if (view is None) == (proof is None):
        raise UsageError("say what to export: --view public, --view seat:0, or --proof DEAL")
    if output.exists() and not force:
        raise UsageError(f"{output}: exists already; --force replaces it")
    if proof is not None:
        _export_proof(folder, proof, output)
    else:
        _export_view(folder, str(view), output, pseudonyms=pseudonyms)


def _export_proof(folder: RunFolder, deal: str, output: Path) -> None:
    from msgspec import structs

    from rummy_tourney.history.proof import prove_deal

    proof = prove_deal(folder / HISTORY, deal)
    found = structs.replace(proof, key=_keys(folder)(proof.deal).hex())
    text = json.dumps({n: getattr(found, n) for n in found.__struct_fields__}, indent=1)
    output.write_text(text + "\n")
    click.echo(f"{output}: deal {deal} with its key and proof; check it with: tourney verify {output}")


def _export_view(folder: RunFolder, view: str, output: Path, *, pseudonyms: bool) -> None:
    from rummy_tourney.history.chain import check_chain
    from rummy_tourney.history.jsonl import HistoryReader
    from rummy_tourney.history.redact import Pseudonyms, redact_history

    names = Pseudonyms() if pseudonyms else None
    with HistoryReader(folder / HISTORY) as reader:
        summary = redact_history(reader, output, view, key_of=_keys(folder), names=names)
    with HistoryReader(output) as copy:
        again = check_chain(copy)
    if not again.ok or again.sha256 != summary.sha256:
        output.unlink(missing_ok=True)
        raise EngineBug("the copy did not read back as it was written; it has been removed")
    click.echo(f"{output}: {summary.deals} deals as {view} may see them\nsha256 {summary.sha256}")


def _keys(folder: RunFolder) -> Callable[[Mapping[str, Any]], bytes]:
    """Answers the key of a deal record, from the revealed root."""
    from rummy_tourney.history.replay import deal_number
    from rummy_tourney.seeding import deal_key, deal_path

    run = folder.read_run()
    root = bytes.fromhex(run["root"])
    common = run["resolved"]["format"]["deals"] == "common"

    def key_of(fields: Mapping[str, Any]) -> bytes:
        event, round_, table, number, _ = deal_number(fields["id"])
        return deal_key(root, deal_path(event, round_, None if common else table), number)

    return key_of
