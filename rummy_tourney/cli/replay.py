"""``tourney replay``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from rummy_tourney.cli.common import colours, json_option, names_of, print_json, run_argument
from rummy_tourney.errors import BrokenHistory, ExitCode, UsageError
from rummy_tourney.game.notation import read_seat
from rummy_tourney.game.rules import Rules
from rummy_tourney.history.jsonl import HistoryReader, Line
from rummy_tourney.history.records import DealRecord, decode_record
from rummy_tourney.history.redact import redact_move
from rummy_tourney.history.replay import Replay, all_rules, replay_deal, result_fields
from rummy_tourney.tournament.folder import HISTORY, RunFolder


@click.command("replay")
@run_argument
@click.argument("deal", required=False)
@click.option("--from", "start", type=click.IntRange(0), default=0, metavar="N", help="Show from move N on.")
@click.option(
    "--view", default="full", show_default=True, metavar="VIEW", help="Whose eyes: full, public, or a seat (seat:0)."
)
@json_option
@click.pass_context
def command(ctx: click.Context, run: Path, deal: str | None, start: int, view: str, as_json: bool) -> None:
    """Play the recorded deals of RUN again by the rules.

    With DEAL (an id as in `tourney replay RUN`, or its number counted from 1) show that deal in the terminal, turn by turn. RUN
    is the folder of a run, or a history file.
    """
    path, names = _history(run)
    if deal is None:
        if start or view != "full":
            raise UsageError("--from and --view need a DEAL; `tourney replay RUN` lists them")
        ctx.exit(_replay_all(path, names, as_json=as_json))
    rules, record = _find(path, deal)
    seat = _seat(view, len(record.seats))
    if as_json:
        moves = list(record.moves) if view == "full" else [redact_move(move, seat) for move in record.moves]
        print_json({"id": record.id, "problem": _problem(record, rules), "moves": moves[start:], "points": record.points})
        return
    if start >= len(record.moves):
        raise UsageError(f"--from {start}: deal {record.id} has moves 0 to {len(record.moves) - 1}")
    from rummy_tourney.render.cards import Palette
    from rummy_tourney.render.replay import DealView, show_deal

    shown = DealView(record, names, seat, Palette(on=colours()), full=view == "full")
    for text in show_deal(Replay(record, rules), shown, start):
        click.echo(text)


def _history(run: Path) -> tuple[Path, dict[str, str]]:
    """The history file, and display names if it lies in the folder of a run."""
    if run.is_file():
        return run, {}
    folder = RunFolder(run)
    found = folder.read_run()
    if not (folder / HISTORY).exists():
        raise UsageError(f"{run}: this run is not finished; finish it with: tourney resume {run}")
    return folder / HISTORY, names_of(found)


def _seat(view: str, seats: int) -> int | None:
    if view in ("full", "public"):
        return None
    seat = read_seat(view)
    if not 0 <= seat < seats:
        raise UsageError(f"--view {view}: this deal has seats 0 to {seats - 1}")
    return seat


def _records(path: Path) -> Iterator[tuple[Mapping[str, Rules], Line]]:
    """The deals of a history, each with the rules its head describes."""
    rules: Mapping[str, Rules] | None = None
    with HistoryReader(path) as reader:
        for line in reader:
            if line.kind == "head":
                rules = all_rules(decode_record(line.raw, "head"))
            elif rules is None:
                raise BrokenHistory(f"{path}: does not begin with a head record; is this a hand history?")
            elif line.kind == "deal":
                yield rules, line
        if rules is None:
            raise BrokenHistory(f"{path}: holds no records that can be read; is this a hand history?")


def _rules_for(rules: Mapping[str, Rules], record: DealRecord) -> Rules:
    found = rules.get(record.rules)
    if found is None:
        raise BrokenHistory(f"deal {record.id} names the rules {record.rules!r}, which the head does not describe")
    return found


def _find(path: Path, deal: str) -> tuple[Rules, DealRecord]:
    ids: list[str] = []
    for number, (rules, line) in enumerate(_records(path), 1):
        if line.deal == deal or deal == str(number):
            record: DealRecord = decode_record(line.raw, "deal")
            return _rules_for(rules, record), record
        if len(ids) < 3:
            ids.append(str(line.deal))
    raise UsageError(f"{path}: no deal {deal!r}; the ids here look like {', '.join(ids)}")


def _problem(record: DealRecord, rules: Rules) -> str:
    """What is wrong with a deal, or nothing."""
    fields = result_fields(replay_deal(record, rules))
    wrong = [name for name, value in fields.items() if getattr(record, name) != value]
    return f"recorded {', '.join(wrong)} are not what the moves give" if wrong else ""


def _replay_all(path: Path, names: dict[str, str], *, as_json: bool) -> int:
    wrong = count = 0
    rows = []
    for rules, line in _records(path):
        record: DealRecord = decode_record(line.raw, "deal")
        count += 1
        try:
            problem = _problem(record, _rules_for(rules, record))
        except BrokenHistory as error:
            problem = str(error)
        wrong += bool(problem)
        if as_json:
            rows.append({"id": record.id, "end": record.end, "points": record.points, "problem": problem})
            continue
        seats = "  ".join(f"{names.get(e, e)} {p}" for e, p in zip(record.seats, record.points, strict=True))
        click.echo(f"{count:>7}  {record.id:32} {record.end:10} {seats}{'   ' + problem if problem else ''}")
    if as_json:
        print_json(rows)
    else:
        click.echo(f"{count} deals played again, {wrong} disagree with their record", err=True)
    return ExitCode.VERIFICATION_FAILED if wrong else ExitCode.OK
