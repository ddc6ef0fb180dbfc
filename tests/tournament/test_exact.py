"""Statistics without floats, against scipy and the statistics module."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rummy_tourney.tournament.exact import Sample, decimal_text, root, student_975


@pytest.mark.parametrize("degrees", [*range(1, 31), 40, 60, 120, 1000])
def test_the_table_of_student_is_that_of_scipy(degrees: int) -> None:
    """Four decimals, as printed in any table."""
    assert float(student_975(degrees)) == pytest.approx(stats.t.ppf(0.975, degrees), abs=6e-5)


@pytest.mark.parametrize("degrees", [31, 35, 50, 90, 500, 10**6])
def test_between_tabled_degrees_the_interval_is_never_too_narrow(degrees: int) -> None:
    """The next lower number of degrees gives the wider interval."""
    exact = stats.t.ppf(0.975, degrees)
    assert exact - 1e-4 <= float(student_975(degrees)) <= exact + 0.025


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=60))
def test_mean_and_interval_are_those_of_the_textbook(values: list[int]) -> None:
    """Against the statistics module's mean and stdev."""
    sample = Sample()
    for value in values:
        sample.add(value)
    assert sample.mean() == Fraction(sum(values), len(values))
    expected = float(student_975(len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))
    half = sample.half_width()
    assert half is not None
    assert float(half) == pytest.approx(expected, abs=1e-5, rel=1e-6)


def test_too_little_data_is_said_and_never_a_nan() -> None:
    """No observation has no mean, one has no interval, equal ones have an interval of zero."""
    sample = Sample()
    assert sample.mean() is None
    assert sample.half_width() is None
    sample.add(3)
    assert sample.mean() == 3
    assert sample.half_width() is None
    sample.add(3)
    assert sample.half_width() == 0


@given(st.fractions(min_value=-1000, max_value=1000))
def test_decimals_are_within_half_a_unit_of_the_value(value: Fraction) -> None:
    """Rounded, never cut."""
    assert abs(Fraction(decimal_text(value)) - value) <= Fraction(1, 20000)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 2), 0, "1"), (Fraction(-1, 2), 0, "-1"), (Fraction(5, 2), 4, "2.5000"), (Fraction(-1, 3), 2, "-0.33"),
        (Fraction(-1, 10**6), 4, "0.0000"), (Fraction(199999, 100000), 4, "2.0000"), (Fraction(0), 4, "0.0000"),
    ],
)  # fmt: skip
def test_decimals_round_half_away_from_zero(value: Fraction, digits: int, text: str) -> None:
    """And minus zero is not written."""
    assert decimal_text(value, digits) == text


@given(st.fractions(min_value=0, max_value=10**6))
def test_the_root_is_rounded_down(value: Fraction) -> None:
    """The square of the answer is not above the value, that of the next one is."""
    found = root(value)
    step = Fraction(1, 10**8)
    assert found**2 <= value < (found + step) ** 2
