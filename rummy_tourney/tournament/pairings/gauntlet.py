"""``gauntlet``: each champion meets every challenger; challengers do not meet each other."""

from __future__ import annotations

from itertools import combinations

from rummy_tourney.tournament.pairings import Field, FixedRounds, PairingSystem, pairing_system


@pairing_system("gauntlet")
def gauntlet(field: Field) -> PairingSystem:
    """The first ``champions`` entries (default 1) against all others, ``cycles`` times, one round a cycle.

    At tables of more than two, a champion meets every combination of challengers that fills the table.
    """
    champions = int(str(field.settings.get("champions", 1)))
    cycles = int(str(field.settings.get("cycles", 1)))
    challengers = field.entries[champions:]
    rounds = []
    for cycle in range(cycles):
        tables = []
        for champion in field.entries[:champions]:
            for others in combinations(challengers, field.seats - 1):
                tables.append((champion, *others) if cycle % 2 == 0 else (*others, champion))
        rounds.append(tables)
    return FixedRounds(rounds)
