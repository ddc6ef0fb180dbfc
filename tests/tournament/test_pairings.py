"""Who meets whom: Berger's published tables, tables of more seats, gauntlets."""

from __future__ import annotations

from itertools import combinations

import pytest

from rummy_tourney.tournament.pairings import Field, Pairing, PairingSystem, pairing_systems
from rummy_tourney.tournament.pairings.round_robin import berger

# The tables of FIDE Handbook C.05, annex 1, as printed in section 1.8 of the tournament rules.
PUBLISHED = {
    4: "1-4 2-3 | 4-3 1-2 | 2-4 3-1",
    6: "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | "
    "4-8 5-3 6-2 7-1",
}


def rounds(system: PairingSystem) -> list[list[Pairing]]:
    found: list[list[Pairing]] = []
    while (pairings := system.next_round(len(found) + 1)) is not None:
        found.append(list(pairings))
    return found


def field(n: int, seats: int = 2, **settings: object) -> Field:
    return Field(tuple(f"e{k}" for k in range(1, n + 1)), seats, settings)


@pytest.mark.parametrize("n", sorted(PUBLISHED))
def test_berger_tables_are_the_published_ones(n: int) -> None:
    """Boards and who is named first are those of the handbook."""
    text = " | ".join(" ".join(f"{a}-{b}" for a, b in r) for r in berger(n))
    assert text == PUBLISHED[n]


@pytest.mark.parametrize(("n", "byes"), [(5, [1, 4, 2, 5, 3]), (7, [1, 5, 2, 6, 3, 7, 4])])
def test_the_byes_of_an_odd_field_come_in_the_published_order(n: int, byes: list[int]) -> None:
    """Section 1.8: bye order for five and seven players."""
    absent = []
    for r in berger(n):
        playing = {p for pair in r for p in pair}
        absent += [p for p in range(1, n + 1) if p not in playing]
    assert absent == byes


@pytest.mark.parametrize("n", range(2, 34))
def test_everybody_meets_everybody_once_and_nobody_sits_twice_in_a_round(n: int) -> None:
    """For every size of field, odd or even."""
    met = []
    for pairings in rounds(pairing_systems()["round-robin"](field(n))):
        sitting = [entry for p in pairings for entry in p.entries]
        assert len(sitting) == len(set(sitting))
        met += [frozenset(p.entries) for p in pairings]
    names = [f"e{k}" for k in range(1, n + 1)]
    assert sorted(met, key=sorted) == sorted(map(frozenset, combinations(names, 2)), key=sorted)


def test_the_second_cycle_exchanges_first_and_second() -> None:
    """Who is named first in cycle one is named second in cycle two."""
    found = rounds(pairing_systems()["round-robin"](field(4, cycles=2)))
    assert len(found) == 6
    for r in range(3):
        assert [p.entries[::-1] for p in found[r]] == [p.entries for p in found[r + 3]]


@pytest.mark.parametrize(("n", "seats"), [(4, 4), (5, 4), (6, 4), (6, 3), (7, 3)])
def test_tables_of_more_than_two_hold_every_combination_once(n: int, seats: int) -> None:
    """A table league with k seats plays every k of the entries together once; a round seats nobody twice."""
    found = rounds(pairing_systems()["round-robin"](field(n, seats)))
    tables = [p.entries for pairings in found for p in pairings]
    assert sorted(tables) == sorted(combinations([f"e{k}" for k in range(1, n + 1)], seats))
    for pairings in found:
        sitting = [entry for p in pairings for entry in p.entries]
        assert len(sitting) == len(set(sitting))


def test_a_gauntlet_of_seven_with_one_champion_and_two_cycles_has_twelve_matches() -> None:
    """Section 1.7: k(N-k) matches a cycle; challengers never meet."""
    found = rounds(pairing_systems()["gauntlet"](field(7, champions=1, cycles=2)))
    tables = [p.entries for pairings in found for p in pairings]
    assert len(tables) == 12
    assert all("e1" in table for table in tables)


def test_a_gauntlet_of_champions_leaves_champions_apart() -> None:
    """Two champions meet all challengers and not each other."""
    found = rounds(pairing_systems()["gauntlet"](field(5, champions=2)))
    assert {p.entries for p in found[0]} == {(c, o) for c in ("e1", "e2") for o in ("e3", "e4", "e5")}


def test_a_match_seats_everybody_at_one_table() -> None:
    """One round, one table."""
    assert rounds(pairing_systems()["match"](field(4, 4))) == [[Pairing(1, 1, ("e1", "e2", "e3", "e4"))]]


def test_asking_for_a_round_again_gives_the_same_round() -> None:
    """Resuming a run is asking again."""
    for kind in pairing_systems():
        system = pairing_systems()[kind](field(6))
        assert system.next_round(1) == system.next_round(1)
