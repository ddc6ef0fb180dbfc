"""Exact statistics for standings: sums of ints and Fractions in, decimal text out. No float takes part.

A mean is a fraction; a 95 % interval is Student's t on the units of work, with the square root taken in integers, so that every
machine prints the same digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final

DIGITS: Final = 4
"""Decimals of means and intervals in the standings."""

T_975: Final = (
    "12.7062", "4.3027", "3.1824", "2.7764", "2.5706", "2.4469", "2.3646", "2.3060", "2.2622", "2.2281",
    "2.2010", "2.1788", "2.1604", "2.1448", "2.1314", "2.1199", "2.1098", "2.1009", "2.0930", "2.0860",
    "2.0796", "2.0739", "2.0687", "2.0639", "2.0595", "2.0555", "2.0518", "2.0484", "2.0452", "2.0423",
)  # fmt: skip
"""The 97.5 % quantile of Student's t for 1 to 30 degrees of freedom (any table of it)."""
_T_FAR: Final = ((40, "2.0211"), (60, "2.0003"), (120, "1.9799"), (1000, "1.9623"))


def student_975(degrees: int) -> Fraction:
    """The two-sided 95 % quantile of Student's t; between tabled values that of fewer degrees (the wider interval)."""
    if degrees <= len(T_975):
        return Fraction(T_975[degrees - 1])
    value = Fraction(T_975[-1])
    for bound, text in _T_FAR:
        if degrees >= bound:
            value = Fraction(text)
    return value


def decimal_text(value: Fraction, digits: int = DIGITS) -> str:
    """``value`` rounded half away from zero to ``digits`` decimals."""
    scaled = abs(value) * 10**digits
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and whole else ""
    if digits == 0:
        return f"{sign}{whole}"
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def root(value: Fraction, digits: int = DIGITS + 4) -> Fraction:
    """The square root of ``value`` (not negative), rounded down to ``digits`` decimals."""
    scale = 10 ** (2 * digits)
    return Fraction(isqrt(value.numerator * scale // value.denominator), 10**digits)


@dataclass(slots=True)
class Sample:
    """Count, sum and sum of squares of observations; two samples add up in any order."""

    count: int = 0
    total: int | Fraction = 0
    squares: int | Fraction = 0

    def add(self, value: int | Fraction) -> None:
        """One more observation."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def mean(self) -> Fraction | None:
        """The mean, or ``None`` without observations."""
        return Fraction(self.total) / self.count if self.count else None

    def half_width(self) -> Fraction | None:
        """Half the 95 % interval of the mean, or ``None`` with fewer than two observations."""
        if self.count < 2:
            return None
        n = self.count
        variance = (Fraction(self.squares) - Fraction(self.total) ** 2 / n) / (n - 1)
        return student_975(n - 1) * root(variance / n)
