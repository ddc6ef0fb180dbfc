"""Standings folded from hand-made records; the expected numbers are worked by hand beside each case."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rummy_tourney.tournament.standings import Scale, Standings, StandingsBuilder

MIRRORED = Scale(by_match=False, low_wins=False, rotations=2)
MATCHES = Scale(by_match=True, low_wins=False, rotations=1)


def deal(builder: StandingsBuilder, seats: Sequence[str], points: Sequence[int | str], faults: Sequence[str] = ()) -> None:
    line = json.dumps({"id": "x/1/1/0/0", "seats": seats, "points": points, "faults": list(faults)}).encode()
    builder.deal(builder.read(line))


def match(
    builder: StandingsBuilder,
    seats: Sequence[str],
    totals: Sequence[int | str],
    winner: int | None,
    deals: int,
    forfeits: Sequence[int] = (0, 0),
) -> None:
    fields = {
        "id": "x/1/1", "seats": seats, "totals": totals, "winner": winner, "deals": deals, "forfeits": list(forfeits),
    }  # fmt: skip
    builder.match(json.dumps(fields).encode())


def rows(standings: Standings) -> dict[str, tuple[object, ...]]:
    return {
        r.entry: (r.rank, r.won, r.drawn, r.lost, r.deals, r.deals_won, r.points, r.mean, r.plus_minus)
        for r in standings.rows
    }


def test_a_mirrored_match_counts_both_rotations_as_one_observation() -> None:
    """Units of a: (+20 -10)/2 = 5 and (+4 +2)/2 = 3: mean 4, s = sqrt(2), half = 12.7062 * sqrt(2)/sqrt(2) = 12.7062."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    deal(builder, ["a", "b"], [20, -20])
    deal(builder, ["b", "a"], [10, -10])
    deal(builder, ["a", "b"], [4, -4])
    deal(builder, ["b", "a"], [-2, 2])
    match(builder, ["a", "b"], [16, -16], 0, 4)
    found = builder.finish("x")
    assert rows(found) == {
        "a": (1, 1, 0, 0, 4, 3, 16, "4.0000", "12.7062"),
        "b": (2, 0, 0, 1, 4, 1, -16, "-4.0000", "12.7062"),
    }
    (versus,) = found.versus
    assert (versus.a, versus.b, versus.units, versus.mean, versus.plus_minus, versus.separated) == (
        "a", "b", 2, "8.0000", "25.4124", False,
    )  # fmt: skip


def test_head_to_head_can_be_asked_from_either_side() -> None:
    """The sign turns, the interval stays."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    for _ in range(3):
        deal(builder, ["a", "b"], [7, -7])
        deal(builder, ["b", "a"], [-3, 3])
    match(builder, ["a", "b"], [30, -30], 0, 6)
    found = builder.finish("x")
    forward, backward = found.head_to_head("a", "b"), found.head_to_head("b", "a")
    assert forward is not None
    assert backward is not None
    assert (forward.mean, backward.mean) == ("10.0000", "-10.0000")
    assert forward.plus_minus == backward.plus_minus == "0.0000"
    assert forward.separated
    assert found.head_to_head("a", "nobody") is None


def test_one_observation_gives_no_interval_and_no_nan() -> None:
    """Not enough data is said, not invented."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    deal(builder, ["a", "b"], [1, -1])
    deal(builder, ["b", "a"], [1, -1])
    match(builder, ["a", "b"], [0, 0], None, 2)
    found = builder.finish("x")
    assert rows(found)["a"] == (1, 0, 1, 0, 2, 1, 0, "0.0000", None)
    assert b"NaN" not in found.to_json()


def test_equal_entries_share_the_place_and_the_next_one_is_skipped() -> None:
    """Competition ranks: 1, 1, 3."""
    builder = StandingsBuilder(["a", "b", "c"], Scale(by_match=False, low_wins=False, rotations=1))
    deal(builder, ["a", "b", "c"], [5, 5, -10])
    match(builder, ["a", "b", "c"], [5, 5, -10], None, 1, (0, 0, 0))
    assert [(r.entry, r.rank) for r in builder.finish("x").rows] == [("a", 1), ("b", 1), ("c", 3)]


def test_where_few_points_win_the_lowest_mean_leads() -> None:
    """Penalty points: 3 a deal is better than 9."""
    builder = StandingsBuilder(["a", "b"], Scale(by_match=False, low_wins=True, rotations=1))
    deal(builder, ["a", "b"], [9, 3])
    match(builder, ["a", "b"], [9, 3], 1, 1)
    found = builder.finish("x")
    assert [(r.entry, r.deals_won) for r in found.rows] == [("b", 1), ("a", 0)]
    assert found.order[0] == "fewest points per deal"


def test_matches_to_a_target_are_ranked_by_matches_won_and_counted_by_totals() -> None:
    """A win and a draw are 1 1/2; the mean is of match totals (285 + 100)/2."""
    builder = StandingsBuilder(["a", "b"], MATCHES)
    deal(builder, ["a", "b"], [31, -31])
    match(builder, ["a", "b"], [285, 90], 0, 1)
    deal(builder, ["b", "a"], [12, -12])
    match(builder, ["b", "a"], [100, 100], None, 1)
    found = builder.finish("x")
    assert rows(found)["a"][:8] == (1, 1, 1, 0, 2, 1, 385, "192.5000")
    assert found.per == "match"


def test_fractions_of_points_stay_exact() -> None:
    """Shares like 5/2 add up to whole points."""
    builder = StandingsBuilder(["a", "b"], Scale(by_match=False, low_wins=False, rotations=1))
    deal(builder, ["a", "b"], ["5/2", "5/2"])
    deal(builder, ["a", "b"], ["1/2", 0])
    match(builder, ["a", "b"], [3, "5/2"], 0, 2)
    found = builder.finish("x")
    assert {r.entry: r.points for r in found.rows} == {"a": 3, "b": "5/2"}


def test_only_those_who_share_the_best_total_have_drawn() -> None:
    """Two of three share the win; the third has lost."""
    builder = StandingsBuilder(["a", "b", "c"], Scale(by_match=False, low_wins=False, rotations=1))
    deal(builder, ["a", "b", "c"], [5, 5, -10])
    match(builder, ["a", "b", "c"], [5, 5, -10], None, 1, (0, 0, 0))
    assert {r.entry: (r.won, r.drawn, r.lost) for r in builder.finish("x").rows} == {
        "a": (0, 1, 0), "b": (0, 1, 0), "c": (0, 0, 1),
    }  # fmt: skip


def test_forfeited_deals_count_as_observations_at_their_price() -> None:
    """Two units played at +5, then four deals forfeited at 50 each: two more units at +50; mean (5+5+50+50)/4."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    for _ in range(2):
        deal(builder, ["a", "b"], [5, -5])
        deal(builder, ["b", "a"], [-5, 5])
    match(builder, ["a", "b"], [220, -220], 0, 4, (0, 4))
    found = builder.finish("x")
    assert {r.entry: (r.mean, r.forfeits) for r in found.rows} == {"a": ("27.5000", 0), "b": ("-27.5000", 4)}


def test_faults_count_for_the_seat_that_made_them() -> None:
    """One fault, one count."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    deal(builder, ["b", "a"], [5, -5], ["x/1/1/0/0#0"])
    builder.fault(1)
    deal(builder, ["a", "b"], [5, -5])
    match(builder, ["a", "b"], [0, 0], None, 2)
    assert {r.entry: r.faults for r in builder.finish("x").rows} == {"a": 1, "b": 0}


def test_an_entry_that_has_not_played_stands_last_without_numbers() -> None:
    """No mean is made up for it."""
    builder = StandingsBuilder(["idle", "a", "b"], MIRRORED)
    deal(builder, ["a", "b"], [-90, 90])
    deal(builder, ["b", "a"], [90, -90])
    match(builder, ["a", "b"], [-180, 180], 1, 2)
    last = builder.finish("x").rows[-1]
    assert (last.entry, last.mean, last.plus_minus, last.matches) == ("idle", None, None, 0)


def test_csv_and_json_say_the_same() -> None:
    """Every column of the table is in both."""
    builder = StandingsBuilder(["a", "b"], MIRRORED)
    deal(builder, ["a", "b"], [1, -1])
    deal(builder, ["b", "a"], [1, -1])
    match(builder, ["a", "b"], [0, 0], None, 2)
    found = builder.finish("x")
    header, *lines = found.to_csv().decode().splitlines()
    plain = json.loads(found.to_json())
    for line, row in zip(lines, plain["rows"], strict=True):
        cells = dict(zip(header.split(","), line.split(","), strict=True))
        assert cells == {name: "" if value is None else str(value) for name, value in row.items()}
