"""Moves as text and back: the one notation of the hand history, the bot protocol and every error message.

A move is ``actor verb args``; an action is a move without its actor. The table of verbs stands in
``docs/history-format.md``. Writers are canonical; readers also take the loose card forms of :mod:`rummy_tourney.cards`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from rummy_tourney.cards import SUIT_SIGNS, card, mask_text
from rummy_tourney.errors import NotationError
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    Action,
    BigGin,
    Declare,
    Discard,
    DrawStock,
    Knock,
    LayMeld,
    LayOff,
    Pass,
    Show,
    SwapJoker,
    TakeDiscard,
)
from rummy_tourney.game.events import ENGINE
from rummy_tourney.melds.model import Meld, meld, melds_text, read_melds, spot

_BRACKETS: Final = r"((?:\s*\[[^\[\]]+\])*)"


class Move(NamedTuple):
    """A move taken apart: the acting seat (or :data:`~rummy_tourney.game.events.ENGINE`), the verb, the rest."""

    actor: int
    verb: str
    args: str


_SEATS: Final = {"d": ENGINE, **{f"p{seat}": seat for seat in range(10)}}


def seat_name(seat: int) -> str:
    """``p0`` for seat 0, ``d`` for the engine."""
    return "d" if seat == ENGINE else f"p{seat}"


def read_seat(text: str) -> int:
    """Read ``p0``, ``d`` or ``seat:0``."""
    known = _SEATS.get(text)
    if known is not None:
        return known
    match = re.fullmatch(r"(?:p|seat:)(\d{1,2})", text)
    if match is None:
        raise NotationError(f"{text!r} is not a seat; seats are written p0, p1 … or seat:0")
    return int(match.group(1))


def read_move(text: str) -> Move:
    """Take a move apart, without looking into its arguments."""
    head, _, rest = text.partition(" ")
    verb, _, args = rest.partition(" ")
    if not verb:
        raise NotationError(f"{text!r} is not a move; a move is an actor, a verb and its arguments, as in p0 dc 9d")
    return Move(read_seat(head), verb, args)


def signed(points: int | Fraction) -> str:
    """``+18``, ``-5/2``, ``+0``: points with their sign, exact."""
    return f"+{points}" if points >= 0 else str(points)


# --- writing -------------------------------------------------------------------------------------------------------


def _knock_text(action: Knock) -> str:
    return f"kn {action.card.text} {melds_text(action.melds)}".rstrip()


def _declare_text(action: Declare) -> str:
    thrown = "" if action.card is None else f" {action.card.text}"
    return f"dcl{thrown} {melds_text(action.melds)}"


ACTION_TYPES: Final = frozenset({
    Pass, DrawStock, TakeDiscard, Discard, LayMeld, LayOff, SwapJoker, Knock, BigGin, Show, Declare,
})  # fmt: skip
"""Every class of action there is."""


def action_text(action: Action) -> str:
    """The canonical text of an action: ``dc 9d``, ``kn 9d [7c7d7h][4s5s6s]``, ``lo M2>7s``."""
    match action:
        case Pass():
            return "pass"
        case DrawStock():
            return "ds"
        case TakeDiscard():
            return "dd"
        case Discard():
            return f"dc {action.card.text}"
        case LayMeld():
            return f"m {action.meld.text}"
        case LayOff():
            return f"lo M{action.meld}{action.end}{action.spot.text}"
        case SwapJoker():
            return f"js M{action.meld} {action.joker.text}->{action.card.text} hand"
        case Knock():
            return _knock_text(action)
        case BigGin():
            return f"bgin {melds_text(action.melds)}"
        case Show():
            return f"sh {melds_text(action.melds)}".rstrip()
        case Declare():
            return _declare_text(action)


# --- reading -------------------------------------------------------------------------------------------------------


def _no_args(action: Action) -> Callable[[str], Action]:
    def read(args: str) -> Action:
        if args:
            raise NotationError(f"{args!r} is not expected here")
        return action

    return read


def _optional_card(action: Action) -> Callable[[str], Action]:
    def read(args: str) -> Action:
        if args and args != "??":
            card(args)
        return action

    return read


def _match(pattern: str, args: str, example: str) -> re.Match[str]:
    found = re.fullmatch(pattern, args.strip())
    if found is None:
        raise NotationError(f"{args!r} does not read like {example!r}")
    return found


def _read_lay_off(args: str) -> Action:
    found = _match(r"M(\d{1,3})([<>+])(\S+)", args, "M2>7s")
    return LayOff(int(found.group(1)), found.group(2), spot(found.group(3)))


def _read_swap(args: str) -> Action:
    found = _match(r"M(\d{1,3}) (\S+)->(\S+)(?: hand)?", args, "M4 *1->6d hand")
    return SwapJoker(int(found.group(1)), card(found.group(2)), card(found.group(3)))


def _read_knock(args: str) -> Action:
    found = _match(r"(\S+?)\s*" + _BRACKETS + r"\s*(?:dw=\d+)?", args, "9d [7c7d7h][4s5s6s] dw=4")
    return Knock(card(found.group(1)), read_melds(found.group(2)))


def _read_big_gin(args: str) -> Action:
    return BigGin(read_melds(_match(_BRACKETS, args, "[7c7d7h][4s5s6s…]").group(1)))


def _read_show(args: str) -> Action:
    return Show(read_melds(_match(_BRACKETS + r"\s*[^\[\]]*", args, "[AdAhAs][9hThJh] 3c5d").group(1)))


def _read_declare(args: str) -> Action:
    found = _match(r"([^\s\[]+)?\s*" + _BRACKETS, args, "Kd [4h5h6h][7c8c9cTc]")
    return Declare(read_melds(found.group(2)), card(found.group(1)) if found.group(1) else None)


def _read_meld(args: str) -> Action:
    text = re.sub(r"\AM\d{1,3}=", "", args)
    return LayMeld(meld(text))


_READERS: Final[dict[str, Callable[[str], Action]]] = {
    "pass": _no_args(PASS),
    "ds": _optional_card(DRAW_STOCK),
    "dd": _optional_card(TAKE_DISCARD),
    "dc": lambda args: Discard(card(args)),
    "m": _read_meld,
    "lo": _read_lay_off,
    "js": _read_swap,
    "kn": _read_knock,
    "gin": _read_knock,
    "bgin": _read_big_gin,
    "sh": _read_show,
    "dcl": _read_declare,
}

VERBS: Final = tuple(_READERS)
"""The verbs a seat can play."""


def read_action(text: str) -> Action:
    """Read an action as a bot writes it, or as the history has it after the actor (``ds 4c`` reads as ``ds``).

    Raises :class:`~rummy_tourney.errors.NotationError` saying what was expected.
    """
    verb, _, args = text.strip().partition(" ")
    reader = _READERS.get(verb)
    if reader is None:
        raise NotationError(f"{verb!r} is not a move; the moves are {', '.join(VERBS)}")
    return reader(args)


def pretty(text: str) -> str:
    """Card letters replaced by suit signs, for people: ``7h`` becomes ``7♥``."""
    return re.sub(r"([A2-9TJQK])([cdhs])", lambda m: m.group(1) + SUIT_SIGNS["cdhs".index(m.group(2))], text)


def loose_text(melds: Iterable[Meld], hand: int) -> str:
    """The cards of ``hand`` that are in none of ``melds``, as text."""
    for m in melds:
        hand &= ~m.mask
    return mask_text(hand)
