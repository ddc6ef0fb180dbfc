"""Cards drawn for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_tourney.cards import SUIT_SIGNS, Card, Suit, cards_of
from rummy_tourney.melds import kernel

RED: Final = "\x1b[31m"
DIM: Final = "\x1b[2m"
BOLD: Final = "\x1b[1m"
PLAIN: Final = "\x1b[0m"


class Palette:
    """Colours, or none: ``on`` is false for files, pipes and ``NO_COLOR``."""

    def __init__(self, *, on: bool) -> None:
        self.on = on

    def paint(self, text: str, code: str) -> str:
        """``text`` in the colour ``code``, if colours are on."""
        return f"{code}{text}{PLAIN}" if self.on else text

    def face(self, card: Card) -> str:
        """Two characters and colour: ``7♥`` in red, ``K♠`` plain, ``*1`` for a joker."""
        if card.is_joker:
            return self.paint(card.text[:2], BOLD)
        text = card.text[0] + SUIT_SIGNS[card.suit]
        return self.paint(text, RED) if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else text


def row(faces: Sequence[str]) -> list[str]:
    """Three lines: the faces side by side, each card lapping over the one before."""
    if not faces:
        return ["", "(none)", ""]
    return [
        "╭──" * len(faces) + "╮",
        "".join(f"│{face}" for face in faces) + "│",
        "╰──" * len(faces) + "╯",
    ]


def side_by_side(blocks: Sequence[Sequence[str]], widths: Sequence[int], gap: str = "  ") -> list[str]:
    """Blocks of three lines next to each other; ``widths`` are what each block shows, colours not counted."""
    lines = []
    for k in range(3):
        pieces = []
        for block, width in zip(blocks, widths, strict=True):
            # A face's colour codes take no room: pad by what is shown on the frame line, which has none.
            pieces.append(block[k] + " " * (width - len(block[0])))
        lines.append(gap.join(pieces).rstrip())
    return lines


def hand_groups(hand: int, melds: Sequence[int] = ()) -> list[list[Card]]:
    """A hand as people hold it: given or best melds first, then the rest by rank."""
    naturals = hand & ((1 << 52) - 1)
    chosen = list(melds) if melds else list(kernel.arrangement(naturals))
    rest = hand
    groups = []
    for m in chosen:
        groups.append(cards_of(m & hand))
        rest &= ~m
    if rest:
        groups.append(sorted(cards_of(rest), key=lambda c: (c.rank, c.suit)))
    return [g for g in groups if g]


def draw_groups(groups: Sequence[Sequence[Card]], palette: Palette) -> list[str]:
    """Groups of cards, each a row of its own, side by side."""
    blocks = [row([palette.face(c) for c in group]) for group in groups]
    return side_by_side(blocks, [len(b[0]) for b in blocks], gap=" ")


def draw_backs(count: int, palette: Palette) -> list[str]:
    """Cards face down."""
    return row([palette.paint("░░", DIM)] * count)
