"""Moves as text: canonical writing, forgiving reading, and refusals that say what was expected.

The spellings are those of the hand-history format's table of moves.
"""

from fractions import Fraction

import pytest

from rummy_tourney.cards import card
from rummy_tourney.errors import NotationError
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    Action,
    BigGin,
    Declare,
    Discard,
    Knock,
    LayMeld,
    LayOff,
    Show,
    SwapJoker,
)
from rummy_tourney.game.events import ENGINE
from rummy_tourney.game.notation import (
    action_text,
    loose_text,
    pretty,
    read_action,
    read_move,
    read_seat,
    seat_name,
    signed,
)
from rummy_tourney.melds.model import meld, spot

SEVENS, RUN = meld("7c7d7h"), meld("4s5s6s")
SPELLINGS: list[tuple[Action, str]] = [
    (PASS, "pass"),
    (DRAW_STOCK, "ds"),
    (TAKE_DISCARD, "dd"),
    (Discard(card("9d")), "dc 9d"),
    (LayMeld(SEVENS), "m 7c7d7h"),
    (LayOff(2, ">", spot("7s")), "lo M2>7s"),
    (LayOff(1, "<", spot("3s")), "lo M1<3s"),
    (LayOff(3, "+", spot("*1=7s")), "lo M3+*1=7s"),
    (SwapJoker(4, card("*1"), card("6d")), "js M4 *1->6d hand"),
    (Knock(card("9d"), (SEVENS, RUN)), "kn 9d [7c7d7h][4s5s6s]"),
    (Knock(card("9d"), ()), "kn 9d"),
    (BigGin((SEVENS, RUN)), "bgin [7c7d7h][4s5s6s]"),
    (Show((SEVENS,)), "sh [7c7d7h]"),
    (Show(()), "sh"),
    (Declare((SEVENS, RUN), card("Kd")), "dcl Kd [7c7d7h][4s5s6s]"),
    (Declare((SEVENS,), None), "dcl [7c7d7h]"),
]


@pytest.mark.parametrize(("action", "text"), SPELLINGS, ids=[text for _, text in SPELLINGS])
def test_spelling(action: Action, text: str) -> None:
    """Each action has one spelling, and reads back from it."""
    assert action_text(action) == text
    assert read_action(text) == action


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        ("ds 4c", "ds"), ("ds ??", "ds"), ("dd 5c", "dd"), ("dc 10h", "dc Th"), ("dc T♥", "dc Th"), ("  dc 9d ", "dc 9d"),
        ("kn 9d [7h7c7d] [6s4s5s] dw=4", "kn 9d [7c7d7h][4s5s6s]"), ("gin 9d [7c7d7h][4s5s6s]", "kn 9d [7c7d7h][4s5s6s]"),
        ("kn 9d dw=12", "kn 9d"), ("sh [7c7d7h] 3c5d", "sh [7c7d7h]"), ("sh 3c5d", "sh"), ("m M3=7c7d7h", "m 7c7d7h"),
        ("js M4 *1->6d", "js M4 *1->6d hand"),
    ],
)  # fmt: skip
def test_forgiving_reading(loose: str, canonical: str) -> None:
    """Histories name the drawn card and the deadwood; people write tens and suits their own way."""
    assert action_text(read_action(loose)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "", "draw", "dc", "dc 1x", "dc 7h8h", "pass 7h", "ds x", "lo 7s", "lo M2=7s", "lo M>7s", "m", "m 7c7d", "m 7c8d9h",
        "kn", "kn [7c7d7h]", "kn 9d 7c7d7h", "kn 9d [7c7d7h", "bgin 7c7d7h", "sh [7c7d]", "js M4 *1", "dcl x [7c7d7h]",
        "p0 dc 9d", "DC 9d",
    ],
)  # fmt: skip
def test_unreadable(text: str) -> None:
    """Anything else is refused as text, before any rule is asked."""
    with pytest.raises(NotationError):
        read_action(text)


def test_moves_and_seats() -> None:
    """A move is an actor, a verb and the rest; seats count from 0 and the engine is d."""
    assert read_move("p1 lo M2>7s") == (1, "lo", "M2>7s")
    assert read_move("d sc +18 -18") == (ENGINE, "sc", "+18 -18")
    assert read_move("p0 pass") == (0, "pass", "")
    assert [read_seat(text) for text in ("p0", "p11", "seat:3", "d")] == [0, 11, 3, ENGINE]
    assert [seat_name(seat) for seat in (0, 11, ENGINE)] == ["p0", "p11", "d"]
    for text in ("", "p1", "pass"):
        with pytest.raises(NotationError):
            read_move(text)
    for text in ("", "p", "x1", "p-1", "seat:", "p123"):
        with pytest.raises(NotationError):
            read_seat(text)


def test_points_and_cards_for_people() -> None:
    """Points carry their sign and stay exact; suits can be shown as signs."""
    assert [signed(p) for p in (18, -18, 0, Fraction(5, 2), Fraction(-5, 2))] == ["+18", "-18", "+0", "+5/2", "-5/2"]
    assert pretty("p0 kn 9d [7c7d7h] dw=4") == "p0 kn 9♦ [7♣7♦7♥] dw=4"
    assert loose_text([SEVENS], SEVENS.mask | card("Kd").mask | card("2c").mask) == "2cKd"
