"""``match``: one table, all entries at it."""

from __future__ import annotations

from rummy_tourney.tournament.pairings import Field, FixedRounds, PairingSystem, pairing_system


@pairing_system("match")
def single_match(field: Field) -> PairingSystem:
    """One round, one table."""
    return FixedRounds([[field.entries]])
