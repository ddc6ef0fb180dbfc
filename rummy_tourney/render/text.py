"""Tables for people: standings, head-to-head, options. Numbers are printed as they are stored, never rounded again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tabulate import tabulate

from rummy_tourney.game.options import describe_options
from rummy_tourney.game.rules import Family
from rummy_tourney.tournament.standings import Standings


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Iterable[str] = ()) -> str:
    """A plain table; columns named in ``right`` are set to the right."""
    numeric = set(right)
    align = ["right" if h in numeric else "left" for h in headers]
    return tabulate(list(rows), headers=list(headers), tablefmt="simple", colalign=align, disable_numparse=True)


def standings_text(standings: Standings, names: Mapping[str, str]) -> str:
    """The standings with their 95 % intervals, the order they are ranked by, and who is ahead for certain."""
    headers = [
        "#", "entry", f"points/{standings.per}", "95 %", "matches", "won", "drawn", "lost", "deals", "deals won", "faults",
    ]  # fmt: skip
    rows: list[list[object]] = []
    for row in standings.rows:
        mean = "-" if row.mean is None else row.mean
        half = "not enough data" if row.plus_minus is None else f"± {row.plus_minus}"
        name = names.get(row.entry, row.entry)
        forfeits = f" ({row.forfeits} deals forfeited)" if row.forfeits else ""
        rows.append([
            row.rank, name, mean, half, row.matches, row.won, row.drawn, row.lost, row.deals, row.deals_won,
            f"{row.faults}{forfeits}",
        ])  # fmt: skip
    if not any(row.faults or row.forfeits for row in standings.rows):
        headers, rows = headers[:-1], [r[:-1] for r in rows]
    text = table(rows, headers, right=[h for h in headers if h not in ("entry",)])
    return f"{text}\nranked by {', then '.join(standings.order)}\n{lead_text(standings, names)}"


def lead_text(standings: Standings, names: Mapping[str, str]) -> str:
    """One sentence on whether the first is really ahead of the second."""
    if len(standings.rows) < 2:
        return ""
    first, second = standings.rows[0], standings.rows[1]
    one, two = names.get(first.entry, first.entry), names.get(second.entry, second.entry)
    found = standings.head_to_head(first.entry, second.entry)
    if found is None:
        return f"{one} and {two} have not met."
    if found.plus_minus is None:
        return f"{one} against {two}: {found.mean} a {standings.per}, not enough data for an interval."
    verdict = "ahead outside the 95 % interval" if found.separated else "not separated: more deals are needed"
    return f"{one} against {two}: {found.mean} ± {found.plus_minus} points a {standings.per} ({verdict})."


def versus_text(standings: Standings, names: Mapping[str, str]) -> str:
    """Head to head: the paired mean difference of every pair that met, row against column."""
    entries = [row.entry for row in standings.rows]
    rows = []
    for a in entries:
        cells: list[str] = [names.get(a, a)]
        for b in entries:
            found = standings.head_to_head(a, b) if a != b else None
            half = "" if found is None or found.plus_minus is None else f" ±{found.plus_minus}"
            cells.append("" if found is None else f"{found.mean}{half}")
        rows.append(cells)
    return table(rows, ("", *(names.get(e, e) for e in entries)), right=[names.get(e, e) for e in entries])


def option_table(family: Family, values: Mapping[str, object] | None = None) -> str:
    """The options of a family with values and defaults; with ``values``, what a preset makes of them."""
    rows = []
    for doc in describe_options(family.options):
        row = [doc.name, doc.values, plain(doc.default)]
        if values is not None:
            now = values[doc.name]
            row.append("" if now == doc.default else plain(now))
        rows.append([*row, doc.doc])
    headers = ["option", "values", "default", *(["here"] if values is not None else []), "meaning"]
    return table(rows, headers)


def plain(value: object) -> str:
    """An option's value as a spec would write it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {plain(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(plain(v) for v in value) + "]"
    return str(value)
