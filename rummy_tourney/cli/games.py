"""``tourney games``."""

from __future__ import annotations

import click

from rummy_tourney.cli.common import json_option, print_json
from rummy_tourney.game.options import describe_options, option_values
from rummy_tourney.game.rules import Family, families, find_game


@click.command("games")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games; with NAME (a family or a preset) its options with values and defaults."""
    if name is None:
        _list(as_json=as_json)
        return
    family, preset = find_game(name)
    if as_json:
        print_json(_family_json(family))
        return
    from rummy_tourney.render.text import option_table, table

    click.echo(f"{family.name}: {family.title}. {family.doc}")
    options = family.parse(preset, {})
    click.echo(f"seats: {range_text(family.seat_range(options))}\n")
    values = None
    if preset is not None:
        click.echo(f"preset {preset}: {family.presets[preset].doc}\n")
        values = option_values(options)
    click.echo(option_table(family, values))
    if preset is None:
        rows = [(key, value.doc) for key, value in family.presets.items()]
        click.echo(f"\n{table(rows, ('preset', 'what it is'))}")
    if family.words:
        click.echo("\n" + table(family.words.items(), ("word", "here")))


def _list(*, as_json: bool) -> None:
    known = families()
    if as_json:
        print_json([_family_json(f) for f in known.values()])
        return
    from rummy_tourney.render.text import table

    rows = [(f.name, f.title, range_text(f.seats), ", ".join(f.presets)) for f in known.values()]
    click.echo(table(rows, ("game", "what it is", "seats", "presets")))
    click.echo("\nA preset's name serves alone: game: oklahoma. More: tourney games NAME")


def range_text(seats: range) -> str:
    """``2`` or ``2-6``."""
    low, high = seats[0], seats[-1]
    return str(low) if low == high else f"{low}-{high}"


def _family_json(family: Family) -> dict[str, object]:
    return {
        "game": family.name,
        "title": family.title,
        "seats": list(family.seats),
        "options": [
            {"name": d.name, "default": d.default, "values": d.values, "doc": d.doc} for d in describe_options(family.options)
        ],
        "presets": {name: {"doc": p.doc, "values": dict(p.values)} for name, p in family.presets.items()},
    }
