"""The command line. Each command lives in a module of its own and is imported only when it is used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Final, NoReturn

import click

from rummy_tourney.errors import ExitCode, TourneyError

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "run": ("run", "Run a tournament from a spec."),
    "resume": ("resume", "Finish a run that was interrupted."),
    "quick": ("quick", "Let bots play each other, without a spec."),
    "validate": ("validate", "Check specs and show what was filled in."),
    "replay": ("replay", "Play recorded deals again, in the terminal."),
    "verify": ("verify", "Check a run: seed, decks, moves, scores, standings."),
    "standings": ("standings", "Show the standings of a run."),
    "export": ("export", "Write a copy of a run's history, or one deal with its proof."),
    "games": ("games", "List the games, their options and presets."),
    "bots": ("bots", "List the bots that can be named in a spec."),
    "schema": ("schema", "Print the JSON Schema of the spec or the history."),
}
"""Module and one-line help of every command."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called; their one-line help is known beforehand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rummy_tourney.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; an unknown one gets the nearest name."""
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            from rummy_tourney.game.options import nearest_hint

            ctx.fail(f'no command "{name}"{nearest_hint(name, COMMANDS)}')
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="rummy_tourney", prog_name="tourney")
def tourney() -> None:
    r"""Run seeded, verifiable tournaments of rummy bots.

    \b
    Start here:  tourney run schedules/demo.yaml
                 tourney quick steady greedy --game gin --deals 1000
    """


def main() -> NoReturn:
    """The ``tourney`` program: run a command and turn what happens into an exit code."""
    sys.exit(run_command(sys.argv[1:]))


def run_command(arguments: list[str]) -> int:
    """Run one command; answers its exit code. Errors are said on stderr."""
    try:
        outcome = tourney.main(args=arguments, prog_name="tourney", standalone_mode=False)
        return int(outcome) if isinstance(outcome, int) else ExitCode.OK
    except click.exceptions.Exit as stop:
        return int(stop.exit_code)
    except click.ClickException as error:
        error.show()
        return int(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return ExitCode.INTERRUPTED
    except SystemExit:
        # click ends so when the reader of our output has gone (| head). Nothing is wrong with us.
        return ExitCode.OK
    except TourneyError as error:
        click.echo(f"tourney: {error}", err=True)
        return int(error.exit_code)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"tourney: {place}{error.strerror or error}", err=True)
        return ExitCode.USAGE
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("tourney: this is a bug of tourney, not of your input. Please report the lines above.", err=True)
        return ExitCode.BUG
