"""The clock of an entry: how long it may think. Lengths are whole milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

_UNITS = (("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1))


@dataclass(frozen=True, slots=True)
class Clock:
    """Limits of one entry, in milliseconds; there is no "no limit".

    ``start``: from the start of its process to its first word. ``move``: one decision. ``grace``: how much later than
    ``move`` an answer may come without being late. ``bank``: extra thinking for a whole match, used when ``move`` runs out.
    ``deal_cap``: all decisions of one deal together.
    """

    start: int = 10_000
    move: int = 1_000
    grace: int = 50
    bank: int = 30_000
    deal_cap: int = 60_000


def duration_text(milliseconds: int) -> str:
    """A length of time as specs write it, in the largest unit that divides it: ``10s``, ``500ms``, ``2m``."""
    for unit, size in _UNITS:
        if milliseconds and milliseconds % size == 0:
            return f"{milliseconds // size}{unit}"
    return "0ms"
