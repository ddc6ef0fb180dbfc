"""``round-robin``: everybody meets everybody, by Berger's tables for two-player games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rummy_tourney.tournament.pairings import Field, FixedRounds, PairingSystem, pairing_system


def berger(n: int) -> list[list[tuple[int, int]]]:
    """Berger's table for ``n`` players numbered from 1, the first named of a pair first.

    An odd field has one more, absent player (the highest number): who would meet it has a bye and is left out of the round.
    The formula reproduces the tables of FIDE Handbook C.05, annex 1, for 4, 6, 8 and 10 players.
    """
    even = n + n % 2
    m = even - 1
    rounds = []
    for r in range(m):
        x = (r * even // 2) % m
        first = (x + 1, even) if r % 2 == 0 else (even, x + 1)
        pairs = [first] + [((x + k) % m + 1, (x - k) % m + 1) for k in range(1, even // 2)]
        rounds.append([pair for pair in pairs if max(pair) <= n])
    return rounds


def _table_rounds(entries: Sequence[str], seats: int) -> list[list[tuple[str, ...]]]:
    """Every combination of entries that fills a table, packed into rounds in which nobody sits twice."""
    rounds: list[list[tuple[str, ...]]] = []
    busy: list[set[str]] = []
    for table in combinations(entries, seats):
        for number, taken in enumerate(busy):
            if taken.isdisjoint(table):
                rounds[number].append(table)
                taken.update(table)
                break
        else:
            rounds.append([table])
            busy.append(set(table))
    return rounds


@pairing_system("round-robin")
def round_robin(field: Field) -> PairingSystem:
    """All pairs (or all tables), ``cycles`` times; every second cycle with first and second exchanged."""
    cycles = int(str(field.settings.get("cycles", 1)))
    if field.seats == 2:
        names = field.entries
        once: list[list[tuple[str, ...]]] = [[(names[a - 1], names[b - 1]) for a, b in r] for r in berger(len(names))]
    else:
        once = _table_rounds(field.entries, field.seats)
    rounds = []
    for cycle in range(cycles):
        rounds += once if cycle % 2 == 0 else [[tuple(reversed(table)) for table in tables] for tables in once]
    return FixedRounds(rounds)
