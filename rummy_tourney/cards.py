"""Cards, sets of cards and packs, each with a text form and a parser beside it.

A card is written rank then suit, ``A23456789TJQK`` and ``cdhs``: ``7h``, ``Td``, ``Ks``. The same card of a
second pack is ``7h.2``; printed jokers are ``*1``, ``*2`` …  Readers also take ``10h``, lower-case ranks,
upper-case suits and the suit signs ``♣♦♥♠``.

Every card has a ``code``, and a set of cards is one int with bit ``code`` set for each of them::

    code = 13 * suit + rank - 1          first pack: suits clubs 0, diamonds 1, hearts 2, spades 3
    code = 52 + k - 1                    the joker *k (k = 1 … 12)
    code + 64 * (copy - 1)               the same card of a later pack

**Deck order.** A shuffled deck is a permutation of the positions of the unshuffled deck; that order is part of
the public format and frozen: pack by pack, each ace to king of clubs, diamonds, hearts, spades; then the
jokers ``*1``, ``*2`` … (:attr:`Pack.codes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache
from typing import Final

from msgspec import Struct

from rummy_tourney.errors import NotationError

RANK_TEXT: Final = "A23456789TJQK"
SUIT_TEXT: Final = "cdhs"
SUIT_SIGNS: Final = "♣♦♥♠"
PACK_BITS: Final = 64
"""Distance in code between a card and the same card of the next pack."""
NATURALS: Final = (1 << 52) - 1
"""Mask of the 52 natural cards of the first pack."""
MAX_JOKERS: Final = 12
MAX_PACKS: Final = 2
UNKNOWN: Final = "??"
"""How a card is written that the reader may not see."""


class Suit(IntEnum):
    """The four suits in deck order; ``NONE`` is a joker's."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NONE = 4


class Rank(IntEnum):
    """Ace (1) to king (13); ``JOKER`` (0) for printed jokers."""

    JOKER = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


class Card:
    """One physical card. Interned: equal cards are the same object, so ``is`` and ``==`` agree.

    Get one with :func:`card` (``card("7h")``) or from :data:`CARDS` by code; the class has no public constructor.
    ``rank`` and ``suit`` are its face, ``copy`` the pack it belongs to (1 or 2), ``code`` its number, ``mask`` the
    int with that one bit set, ``text`` how it is written. Cards sort by code.
    """

    __slots__ = ("code", "copy", "mask", "rank", "suit", "text")

    code: int
    copy: int
    mask: int
    rank: Rank
    suit: Suit
    text: str

    def __init__(self) -> None:
        raise TypeError('cards are interned: use card("7h") or CARDS[code]')

    @property
    def is_joker(self) -> bool:
        """Whether this is a printed joker."""
        return self.suit is Suit.NONE

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a card never changes")

    def __repr__(self) -> str:
        return self.text

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __hash__(self) -> int:
        # The default hash is an address: a bot that walks through a set of cards would then play differently each time.
        return self.code

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (card, (self.text,))


def _make(code: int) -> Card:
    copy, low = divmod(code, PACK_BITS)
    if low < 52:
        suit, rank = Suit(low // 13), Rank(low % 13 + 1)
        text = RANK_TEXT[rank - 1] + SUIT_TEXT[suit]
    else:
        suit, rank = Suit.NONE, Rank.JOKER
        text = f"*{low - 51}"
    if copy:
        text += f".{copy + 1}"
    made = object.__new__(Card)
    fields = {"code": code, "copy": copy + 1, "mask": 1 << code, "rank": rank, "suit": suit, "text": text}
    for name, value in fields.items():
        object.__setattr__(made, name, value)
    return made


def _valid_codes() -> Iterator[int]:
    for copy in range(MAX_PACKS):
        yield from range(copy * PACK_BITS, copy * PACK_BITS + 52)
    yield from range(52, 52 + MAX_JOKERS)


CARDS: Final[dict[int, Card]] = {code: _make(code) for code in sorted(_valid_codes())}
"""Every card that exists, by code."""

_BY_TEXT: Final[dict[str, Card]] = {c.text: c for c in CARDS.values()}
_RANKS = "(?:10|[A2-9TJQKatjqk])"
_SUITS = "[cdhsCDHS♣♦♥♠]"
CARD_PATTERN: Final = rf"(?:{_RANKS}{_SUITS}(?:\.\d)?|\*\d{{1,2}}(?!0?{_SUITS}))"
"""Regular expression of one card inside a longer text. A joker may stand right before a card, and ``*12h`` is then the
joker ``*1`` and the ``2h``: a number that a suit follows ends in a rank."""
_ANY_CARD = re.compile(CARD_PATTERN)
_LOOSE = re.compile(rf"({_RANKS})({_SUITS})(?:\.([12]))?")


def card(text: str) -> Card:
    """Read one card.

    Raises :class:`~rummy_tourney.errors.NotationError` for anything that is not exactly one card.

    >>> card("7h"), card("10♥"), card("*1"), card("ks.2")
    (7h, Th, *1, Ks.2)
    """
    found = _BY_TEXT.get(text)
    if found is not None:
        return found
    loose = _LOOSE.fullmatch(text)
    if loose is None:
        raise NotationError(f"{text!r} is not a card. Write rank then suit, as in 7h, Td, Ks, or *1 for a joker")
    rank, suit, copy = loose.groups()
    rank = "T" if rank == "10" else rank.upper()
    suit = SUIT_TEXT[SUIT_SIGNS.index(suit)] if suit in SUIT_SIGNS else suit.lower()
    return _BY_TEXT[rank + suit + (".2" if copy == "2" else "")]


def split_cards(text: str) -> list[Card]:
    """Read cards written one after another, with or without spaces or commas: ``7h8hTd``, ``7h 8h Td``, ``7h, 8h``.

    Order and repetition are kept. Raises :class:`~rummy_tourney.errors.NotationError` naming the first
    piece that is not a card.
    """
    # What our own writers wrote, decks above all: two characters a card.
    plain = [_BY_TEXT.get(text[k : k + 2]) for k in range(0, len(text), 2)]
    if "." not in text and None not in plain:
        return plain  # type: ignore[return-value]  # None was just ruled out
    found: list[Card] = []
    position = 0
    while position < len(text):
        if text[position].isspace() or text[position] == ",":
            position += 1
            continue
        match = _ANY_CARD.match(text, position)
        if match is None:
            raise NotationError(f"{text[position : position + 6]!r} in {text!r} is not a card")
        found.append(card(match.group()))
        position = match.end()
    return found


def join_cards(cards: Iterable[Card]) -> str:
    """The text of ``cards`` in the order given, without spaces: the inverse of :func:`split_cards`."""
    return "".join([c.text for c in cards])


def cards_of(mask: int) -> list[Card]:
    """The cards of a mask, lowest code first. Every bit has to be the code of a card."""
    found = []
    while mask:
        low = mask & -mask
        found.append(CARDS[low.bit_length() - 1])
        mask ^= low
    return found


def mask_text(mask: int) -> str:
    """The text of the cards of a mask, lowest code first: ``join_cards(cards_of(mask))``, quickly."""
    if mask >> 52:
        return join_cards(cards_of(mask))
    low = _suit_text(0, mask & 8191) + _suit_text(1, mask >> 13 & 8191)
    return low + _suit_text(2, mask >> 26 & 8191) + _suit_text(3, mask >> 39)


@cache
def _suit_text(suit: int, ranks: int) -> str:
    return "".join([RANK_TEXT[rank] + SUIT_TEXT[suit] for rank in range(13) if ranks >> rank & 1])


def mask_of(cards: Iterable[Card]) -> int:
    """The mask of some cards. Raises :class:`~rummy_tourney.errors.NotationError` if one is named twice."""
    mask = 0
    for c in cards:
        if mask & c.mask:
            raise NotationError(f"{c.text} is named twice")
        mask |= c.mask
    return mask


class CardSet(Struct, frozen=True, eq=False, gc=False):
    """An immutable set of cards over one int, ``mask``; iterates lowest code first.

    ``|`` and ``-`` take a card or another set::

        hand = CardSet.parse("7h 7d 7s 7c 8c 9c Kd")
        card("Kd") in hand, len(hand), hand - card("Kd"), hand | card("Ac"), hand & seen, seen <= hand
    """

    mask: int = 0

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """The set of some cards, each named once."""
        return cls(mask_of(cards))

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Read a set of cards, as in ``CardSet.parse("7h 8h 9h")``."""
        return cls(mask_of(split_cards(text)))

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Card) and bool(self.mask & item.mask)

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_of(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self.mask)

    def __or__(self, other: Card | CardSet) -> CardSet:
        return CardSet(self.mask | other.mask)

    def __sub__(self, other: Card | CardSet) -> CardSet:
        return CardSet(self.mask & ~other.mask)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & other.mask)

    def __le__(self, other: CardSet) -> bool:
        return not self.mask & ~other.mask

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __str__(self) -> str:
        return join_cards(self)

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"

    def __reduce__(self) -> tuple[type[CardSet], tuple[int]]:
        return (CardSet, (self.mask,))


class Pack:
    """What a deck is made of: how many 52-card packs and how many jokers.

    ``codes`` is the unshuffled deck, the order to which a shuffle's permutation applies; ``cards`` the same as cards,
    ``mask`` the same as a mask.
    Get one with :func:`pack`; equal packs are the same object.
    """

    __slots__ = ("cards", "codes", "jokers", "mask", "packs")

    def __init__(self, packs: int, jokers: int) -> None:
        if not 1 <= packs <= MAX_PACKS or not 0 <= jokers <= MAX_JOKERS:
            raise NotationError(f"a deck has 1 to {MAX_PACKS} packs and 0 to {MAX_JOKERS} jokers, not {packs} and {jokers}")
        naturals = [copy * PACK_BITS + low for copy in range(packs) for low in range(52)]
        self.packs = packs
        self.jokers = jokers
        self.codes: tuple[int, ...] = (*naturals, *range(52, 52 + jokers))
        self.cards: tuple[Card, ...] = tuple(CARDS[code] for code in self.codes)
        self.mask: int = sum(1 << code for code in self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"pack({self.packs}, {self.jokers})"

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return (pack, (self.packs, self.jokers))


def pack(packs: int = 1, jokers: int = 0) -> Pack:
    """The deck of ``packs`` 52-card packs and ``jokers`` printed jokers.

    Raises :class:`~rummy_tourney.errors.NotationError` for more than 2 packs or 12 jokers.
    """
    return _pack(packs, jokers)


@cache
def _pack(packs: int, jokers: int) -> Pack:
    return Pack(packs, jokers)
