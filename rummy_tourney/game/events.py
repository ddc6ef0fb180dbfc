"""What happened at a table, as each seat may know it.

An :class:`Event` is one move of the hand history. Most events look the same to everybody; a card drawn from the stock or
dealt to a hand does not, and such an event carries the form the others see as :attr:`Event.public`. Whether a
card is hidden is decided here, event by event, and nowhere else. The public form knows nothing of the full one.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rummy_tourney.cards import CARDS, UNKNOWN

ENGINE: Final = -1
"""The actor of events that no seat chose (``d`` in the text)."""
NOBODY: Final = -2
"""``owner`` of an event whose full form no seat may see (the order of a reshuffle)."""


class Event:
    """One thing that happened. Frozen, and shared wherever the same thing happens again.

    ``text`` is the move as in the hand history. ``owner`` is the seat that may see ``text``; every other seat sees
    ``public.text``. An event that is open to all is its own ``public``.
    """

    __slots__ = ("owner", "public", "text")

    text: str
    owner: int
    public: Event

    def __init__(self, text: str, owner: int = ENGINE, public: str | Event | None = None) -> None:
        _set_text(self, text)
        _set_owner(self, owner)
        if public is None:
            _set_public(self, self)
        else:
            _set_public(self, Event(public) if type(public) is str else public)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an event never changes")

    def seen_by(self, seat: int) -> Event:
        """The event as ``seat`` may know it."""
        return self if self.owner == seat else self.public

    @property
    def actor(self) -> int:
        """The seat that acted, or :data:`ENGINE`."""
        head = self.text.split(" ", 1)[0]
        return ENGINE if head == "d" else int(head[1:])

    @property
    def verb(self) -> str:
        """The second word: ``ds``, ``dd``, ``dc``, ``m``."""
        return self.text.split(" ", 2)[1]

    @property
    def args(self) -> str:
        """Everything after the verb."""
        parts = self.text.split(" ", 2)
        return parts[2] if len(parts) > 2 else ""

    def __repr__(self) -> str:
        return f"Event({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


# The slots themselves: the only way in, and much quicker than object.__setattr__.
_set_text = Event.__dict__["text"].__set__
_set_owner = Event.__dict__["owner"].__set__
_set_public = Event.__dict__["public"].__set__


@cache
def stock_draws(seat: int) -> dict[int, Event]:
    """``p0 ds 4c`` by card code, hidden from the other seats.

    All of them share one public form: were there one per card, a bot could tell the card from which object it was shown.
    """
    hidden = Event(f"p{seat} ds {UNKNOWN}")
    return {code: Event(f"p{seat} ds {c.text}", seat, hidden) for code, c in CARDS.items()}


@cache
def discard_takes(seat: int) -> dict[int, Event]:
    """``p0 dd 5c`` by card code."""
    return {code: Event(f"p{seat} dd {c.text}") for code, c in CARDS.items()}


@cache
def discards(seat: int) -> dict[int, Event]:
    """``p0 dc 9d`` by card code."""
    return {code: Event(f"p{seat} dc {c.text}") for code, c in CARDS.items()}


@cache
def passes(seat: int) -> Event:
    """``p0 pass``."""
    return Event(f"p{seat} pass")


@cache
def upcards() -> dict[int, Event]:
    """``d up 5c`` by card code."""
    return {code: Event(f"d up {c.text}") for code, c in CARDS.items()}


@cache
def _unseen_hand(seat: int, count: int) -> Event:
    return Event(f"d deal p{seat} {UNKNOWN * count}")


def hand_dealt(seat: int, text: str, count: int) -> Event:
    """``d deal p1 7h8h…``; the others only learn how many cards."""
    return Event(f"d deal p{seat} {text}", seat, _unseen_hand(seat, count))


def stock_renewed(text: str, count: int, *, hidden: bool) -> Event:
    """``d rs 31 5c8d…``: the new order of the stock, top first; a ``hidden`` one is seen by nobody."""
    if hidden:
        return Event(f"d rs {count} {text}", NOBODY, f"d rs {count} {UNKNOWN}")
    return Event(f"d rs {count} {text}")
