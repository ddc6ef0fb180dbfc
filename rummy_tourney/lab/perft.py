"""Perft: how many sequences of actions a game allows from a fixed deck, by length.

A wrong rule shows as a wrong count, and the counts by first action (:func:`divide`) lead to the place. Two independent
engines that agree on such counts agree on what is legal; ``tests/data/perft/`` keeps them, one file per family with lines
``preset deck depth count``, and says which of them another engine has confirmed. By hand::

    python -m rummy_tourney.lab.perft gin --preset openspiel --deck dense-0 --depth 4 --folded

A folded count takes all ways to end the deal by a claim (``kn``, ``bgin``, ``dcl``) at one decision as a single sequence that
goes no further: other engines agree on whether one may knock, but not on how the melds are then named.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Final

from rummy_tourney.cards import CARDS, Pack
from rummy_tourney.errors import UsageError
from rummy_tourney.game.actions import Action, BigGin, Declare, Knock
from rummy_tourney.game.notation import action_text
from rummy_tourney.game.rules import DealSetup, Family, find_game
from rummy_tourney.game.table import Table
from rummy_tourney.seeding import SeededChance, deck_order, root_from_seed

Start = Callable[[], Table]
"""Deals the same table again and again."""
CLAIMS: Final = frozenset({Knock, BigGin, Declare})
"""Actions that end the deal by claiming melds; one sequence together in a folded count."""
FOLDED: Final = "claim"
"""How :func:`divide` names them then."""
_DENSE_RANKS: Final = 5


def perft_deck(pack: Pack, name: str) -> list[int]:
    """A deck by its name, as card codes with the top first.

    ``"7"`` is the deck number 7 of the path and seed ``perft``; ``"dense-7"`` the same with all cards of five neighbouring
    ranks (from rank 7 mod 9 + 1 on) brought to the top, so that the hands are full of melds. Raises ``UsageError`` for
    any other name.
    """
    match = re.fullmatch(r"(dense-)?(\d{1,6})", name)
    if match is None:
        raise UsageError(f'"{name}" is not a deck of perft; decks are numbers, or dense- and a number')
    number = int(match.group(2))
    _, order = deck_order(root_from_seed("perft"), "perft", number, len(pack.codes))
    deck = [pack.codes[place] for place in order]
    if match.group(1) is None:
        return deck
    low = number % 9 + 1
    return sorted(deck, key=lambda code: not low <= CARDS[code].rank < low + _DENSE_RANKS)


def perft_start(family: Family, preset: str | None, deck: str) -> Start:
    """Deals of a preset from a named deck, for as few seats as the preset allows; the last seat deals."""
    options = family.parse(preset, {})
    rules = family.make(options)
    seats = min(family.seat_range(options))
    key, _ = deck_order(root_from_seed("perft"), "perft", 0, 1)
    setup = DealSetup(perft_deck(rules.pack, deck), seats, seats - 1, chance=SeededChance(key, 0))
    return lambda: rules.start(setup)


def perft(start: Start, depth: int, *, folded: bool = False) -> int:
    """The number of sequences of exactly ``depth`` legal actions from the start of the deal."""
    return _count(start, (), depth, folded=folded) if depth else 1


def divide(start: Start, depth: int, *, folded: bool = False) -> dict[str, int]:
    """The same number split by first action, in the order of the menu."""
    single, claims = _menu(_table_after(start, ()), folded=folded)
    counts = {action_text(a): _count(start, (a,), depth - 1, folded=folded) if depth > 1 else 1 for a in single}
    if claims:
        counts[FOLDED] = int(depth == 1)
    return counts


def _count(start: Start, path: tuple[Action, ...], depth: int, *, folded: bool) -> int:
    # A table cannot be copied, so each node plays its path again; the last ply is counted, not played.
    table = _table_after(start, path)
    if table.over:
        return 0
    single, claims = _menu(table, folded=folded)
    if depth == 1:
        return len(single) + claims
    return sum(_count(start, (*path, action), depth - 1, folded=folded) for action in single)


def _table_after(start: Start, path: Sequence[Action]) -> Table:
    table = start()
    for action in path:
        table.apply(action)
    return table


def _menu(table: Table, *, folded: bool) -> tuple[list[Action], bool]:
    """The actions to count one by one, and whether there are folded ones beside them."""
    legal = table.legal_actions()
    single = [a for a in legal if not (folded and type(a) in CLAIMS)]
    return single, len(single) < len(legal)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts of one deck, and those of the greatest depth by first action."""
    parser = argparse.ArgumentParser(prog="python -m rummy_tourney.lab.perft", description="Count sequences of actions.")
    parser.add_argument("game", help="a family, or a preset that only one family has")
    parser.add_argument("--preset", help="a preset of the family")
    parser.add_argument("--deck", default="0", help="a number, or dense- and a number (default: 0)")
    parser.add_argument("--depth", type=int, default=4, help="the greatest number of actions (default: 4)")
    parser.add_argument("--folded", action="store_true", help="count all claims at one decision as one")
    given = parser.parse_args(arguments)
    try:
        family, preset = find_game(given.game)
        start = perft_start(family, given.preset or preset, given.deck)
    except UsageError as error:
        parser.error(str(error))
    for depth in range(1, given.depth + 1):
        sys.stdout.write(f"depth {depth}: {perft(start, depth, folded=given.folded)}\n")
    for text, count in divide(start, given.depth, folded=given.folded).items():
        sys.stdout.write(f"  {text}: {count}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
