"""The only door to chance: every card order, seat draw and built-in bot draws from here, and nothing else does.

All of it hangs on one *root* of 64 bytes. A purpose is a *path* (``deal/demo/1``) and an *index* (the number of the
deal), never a place in a sequence, so one more entry, worker or draw cannot move anybody else's cards. The formulas are
part of the public format and frozen; ``docs/chance.md`` tells a stranger how to check a deck with them::

    lp(parts)   each part preceded by its length in bytes as two bytes, big-endian; text is UTF-8
    root        SHAKE-256(lp("tourney-root-v1", text of the seed))                   or 64 bytes of the operating system
    commitment  SHA-256(lp("tourney-commit-v1", root))
    key         SHAKE-256(lp("tourney-deal-key-v1", path, u64be(index), root))       one key per deal
    stream      SHAKE-256(lp("tourney-shuffle-v1", label, key, u64be(index), u16be(n))), read without end
    below(m)    w = 1, 2, 4 or 8 bytes, the least with 256^w >= m, read as a big-endian number x;
                taken only if x < 256^w - 256^w mod m; the answer is x mod m
    order       d = 0 … n-1; for i = n-1 … 1: j = below(i + 1), swap d[i] and d[j]

Roots and keys are 64 bytes. Sources: SHAKE-256 is FIPS 202, SHA-256 is FIPS 180-4, the shuffle is Durstenfeld's
(Communications of the ACM 7, 1964, algorithm 235), and taking a number only below the largest multiple of ``m`` makes
every answer exactly equally likely when the bytes are.

There is no global state here. The one function that is not a function of its arguments is :func:`root_from_system`.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256, shake_256
from typing import Final, TypeVar

T = TypeVar("T")

KEY_BYTES: Final = 64
"""Length of a root and of a deal key."""

_ROOT: Final = b"tourney-root-v1"
_COMMIT: Final = b"tourney-commit-v1"
_DEAL_KEY: Final = b"tourney-deal-key-v1"
_SHUFFLE: Final = b"tourney-shuffle-v1"

_SHAKE_BLOCK: Final = 136
"""Bytes SHAKE-256 produces per permutation (its rate): asking for fewer costs the same."""
_BYTE_LIMIT: Final = (0, *(256 - 256 % m for m in range(1, 257)))
"""For each ``m`` up to 256: a byte is taken only if it is less than this."""


def lp(*parts: bytes | str) -> bytes:
    r"""Join ``parts``, each preceded by its length in bytes as two bytes, big-endian; text is encoded as UTF-8.

    Different lists of parts give different bytes, which plain joining would not. Raises :class:`ValueError` for a part
    of more than 65,535 bytes.

    >>> lp("ab", b"")
    b'\x00\x02ab\x00\x00'
    """
    joined = []
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        if len(raw) > 0xFFFF:
            raise ValueError(f"a part of {len(raw)} bytes is too long: its length must fit in two bytes (65535)")
        joined.append(len(raw).to_bytes(2, "big"))
        joined.append(raw)
    return b"".join(joined)


# --- root, commitment, key -------------------------------------------------------------------------------------------


def root_from_seed(text: str) -> bytes:
    """The root of a public seed: 64 bytes of ``SHAKE-256(lp("tourney-root-v1", text))``.

    ``text`` is the seed as the resolved spec writes it: ``seed: 2026`` is the text ``2026``. Whoever knows it knows
    every card, so it makes a run repeatable and claims no secrecy.
    """
    return shake_256(lp(_ROOT, text)).digest(KEY_BYTES)


def root_from_system() -> bytes:
    """A fresh root: 64 bytes from the operating system's generator for secrets."""
    return secrets.token_bytes(KEY_BYTES)


def root_from_beacon(spec_hash: bytes, server_seed: bytes, nonces: Sequence[bytes], beacon: bytes) -> bytes:
    """A root no single party could choose: 64 bytes of SHAKE-256 over what several of them brought.

    The input is ``lp("tourney-root-v1", spec_hash, server_seed, *sorted(nonces), beacon)``. ``nonces`` come from the
    entrants and are sorted bytewise here, so the order they arrived in does not matter; ``beacon`` is a public random
    value named in advance (empty bytes if there is none). The root is beyond the organiser's choice only if
    ``commitment(server_seed)`` was published before the nonces and the beacon were known.
    """
    return shake_256(lp(_ROOT, spec_hash, server_seed, *sorted(nonces), beacon)).digest(KEY_BYTES)


def commitment(root: bytes) -> str:
    """What is published before the first deal: the hex digits of ``SHA-256(lp("tourney-commit-v1", root))``.

    The same formula commits to a server seed before a beacon speaks (:func:`root_from_beacon`).
    """
    return sha256(lp(_COMMIT, root)).hexdigest()


def deal_key(root: bytes, path: str, index: int) -> bytes:
    """The key of one deal: 64 bytes of ``SHAKE-256(lp("tourney-deal-key-v1", path, u64be(index), root))``.

    Revealing it reveals that deal (and its reshuffles) alone. Raises :class:`ValueError` unless 0 <= ``index`` < 2^64.
    """
    return shake_256(lp(_DEAL_KEY, path, _u64be(index), root)).digest(KEY_BYTES)


def salt(key: bytes) -> bytes:
    """What hides a redacted record: 32 bytes of SHAKE-256 of the deal key and the text ``salt``, simply joined.

    A redacted history keeps ``SHA-256(salt || canonical record)``. Without the salt a reader could try all likely hands
    until the hash fits; with the revealed key anybody can check the record.
    """
    return shake_256(key + b"salt").digest(32)


# --- paths: what a draw is for ---------------------------------------------------------------------------------------


def deal_path(event: str, round_: int | str, table: int | str | None = None) -> str:
    """``deal/<event>/<round>`` when all pairings of a round play the same cards, else ``deal/<event>/<round>/<table>``.

    As in all path functions, names may not be empty or hold a ``/`` (:class:`ValueError`): two purposes would otherwise
    share a path and so their cards.
    """
    return _path("deal", event, round_, table)


def seat_draw_path(event: str, round_: int | str | None = None) -> str:
    """``seat-draw/<event>`` or ``seat-draw/<event>/<round>``: who sits where, and who deals first."""
    return _path("seat-draw", event, round_)


def table_break_path(event: str, round_: int | str | None = None) -> str:
    """``table-break/<event>`` or ``table-break/<event>/<round>``: which seats the players of a broken table take."""
    return _path("table-break", event, round_)


def tie_break_path(event: str, round_: int | str | None = None) -> str:
    """``tie-break/<event>`` or ``tie-break/<event>/<round>``: the draw that decides what play did not."""
    return _path("tie-break", event, round_)


def bot_path(entry: str, match: str) -> str:
    """``bot/<entry>/<match>``: the dice of one entry in one match. Only ``match`` may hold a ``/``."""
    if not match:
        raise ValueError("the match of a bot's path is empty")
    return f"{_path('bot', entry)}/{match}"


def _path(*names: int | str | None) -> str:
    """Join the names that are given."""
    texts = [str(name) for name in names if name is not None]
    for text in texts:
        if not text or "/" in text:
            raise ValueError(f"{text!r} cannot be part of a path: write a name without '/'")
    return "/".join(texts)


# --- streams and orders ----------------------------------------------------------------------------------------------


class Stream:
    """An endless stream of exact uniform numbers.

    Its bytes are ``SHAKE-256(lp("tourney-shuffle-v1", label, key, u64be(index), u16be(n)))``; ``n`` is the number of
    things a shuffle orders, and 0 for streams that are no shuffle. Raises :class:`ValueError` unless
    0 <= ``index`` < 2^64 and 0 <= ``n`` < 2^16. All bytes read stay in memory.
    """

    __slots__ = ("_bytes", "_hash", "_used")

    def __init__(self, label: str, key: bytes, index: int, n: int) -> None:
        self._hash = shake_256(_stream_message(label, key, index, n))
        self._bytes = self._hash.digest(_first_length(n))
        self._used = 0

    @property
    def used(self) -> int:
        """How many bytes have been drawn, the rejected ones included."""
        return self._used

    def below(self, m: int) -> int:
        """A number from 0 to ``m`` - 1, each exactly equally likely; 1 <= ``m`` <= 2^64, else :class:`ValueError`.

        Reads w = 1, 2, 4 or 8 bytes, the least with 256^w >= m, as a big-endian x until x < 256^w - 256^w mod m; the
        answer is x mod m. So ``below(1)`` is 0 and still reads one byte.
        """
        if not 1 <= m <= 1 << 64:
            raise ValueError(f"a number below {m} cannot be drawn: the bound must be from 1 to 2^64")
        width = _width(m)
        span = 1 << 8 * width
        limit = span - span % m
        while True:
            x = int.from_bytes(self._take(width), "big")
            if x < limit:
                return x % m

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, each exactly equally likely: ``items[below(len(items))]``.

        Raises :class:`ValueError` if there are none. The order of ``items`` decides: never pass what came from a set.
        """
        return items[self.below(len(items))]

    def shuffled(self, n: int) -> list[int]:
        """The numbers 0 … ``n`` - 1 in random order: for i = n-1 … 1 swap the items at i and ``below(i + 1)``."""
        if n < 0:
            raise ValueError(f"{n} things cannot be ordered")
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def _take(self, count: int) -> bytes:
        """The next ``count`` (at most 8) bytes."""
        end = self._used + count
        if end > len(self._bytes):
            # hashlib always produces an output from its start; doubling keeps the whole cost linear.
            self._bytes = self._hash.digest(2 * len(self._bytes))
        taken = self._bytes[self._used : end]
        self._used = end
        return taken


def order(label: str, key: bytes, index: int, n: int) -> list[int]:
    """The order of ``n`` things for one purpose; equal to ``Stream(label, key, index, n).shuffled(n)``, and faster.

    Position 0 of a deck is its top card, and the numbers are positions of the unshuffled deck
    (:attr:`rummy_tourney.cards.Pack.codes`). Raises :class:`ValueError` unless 0 <= ``index`` < 2^64 and
    0 <= ``n`` < 2^16.
    """
    if not 2 <= n <= 256:
        return Stream(label, key, index, n).shuffled(n)
    # Every deal passes here, so below() is written out for single bytes: 6 microseconds for 52 cards instead of 27.
    items = list(range(n))
    m = n
    for byte in shake_256(_stream_message(label, key, index, n)).digest(_first_length(n)):
        if byte < _BYTE_LIMIT[m]:
            j = byte % m
            m -= 1
            items[m], items[j] = items[j], items[m]
            if m == 1:
                return items
    # So many rejections that the bytes ran out: begin again with a stream that has no end.
    return Stream(label, key, index, n).shuffled(n)


def deck_order(root: bytes, path: str, index: int, n: int, label: str = "deck") -> tuple[bytes, list[int]]:
    """The key of deal ``index`` of ``path`` and the order of its ``n`` cards (or of seats, with another ``label``)."""
    key = deal_key(root, path, index)
    return key, order(label, key, index, n)


@dataclass(frozen=True, slots=True)
class SeededChance:
    """The chance of one deal in play, drawn from its key: what a table asks when cards are shuffled again."""

    key: bytes = field(repr=False)  # a secret until the deal is over: it must not slip into a message
    index: int

    def order(self, label: str, n: int) -> list[int]:
        """The order of ``n`` cards for ``label``: ``reshuffle/1`` for the first reshuffle of the deal, and so on."""
        return order(label, self.key, self.index, n)


# --- dice of bots ----------------------------------------------------------------------------------------------------


def bot_key(root: bytes, entry: str, match: str, index: int) -> bytes:
    """The key of an entry's dice in one match: ``deal_key(root, "bot/<entry>/<match>", index)``.

    ``index`` counts the instances of the bot in that match, from 0. A bot in another process gets this key and makes
    its own generator of it (:func:`random_of_key`); it tells nothing about the root or any deck.
    """
    return deal_key(root, bot_path(entry, match), index)


def random_of_key(key: bytes) -> random.Random:
    """Python's generator seeded with ``key`` read as one big-endian number."""
    return random.Random(int.from_bytes(key, "big"))  # noqa: S311  a bot's dice, never a card


def bot_random(root: bytes, entry: str, match: str, index: int) -> random.Random:
    """The ``rng`` a user's bot receives: ``random_of_key(bot_key(root, entry, match, index))``.

    What its methods make of the seed is Python's affair and may change between versions of Python; the cards never do.
    """
    return random_of_key(bot_key(root, entry, match, index))


def bot_stream(root: bytes, entry: str, match: str, index: int) -> Stream:
    """The dice of a built-in bot, alike on every version of Python: a :class:`Stream` with label ``bot`` and n = 0."""
    return Stream("bot", bot_key(root, entry, match, index), index, 0)


# --- details ---------------------------------------------------------------------------------------------------------


def _u64be(index: int) -> bytes:
    if not 0 <= index < 1 << 64:
        raise ValueError(f"index {index} is out of range: it must be from 0 to 2^64 - 1")
    return index.to_bytes(8, "big")


def _width(m: int) -> int:
    """The least of 1, 2, 4 and 8 bytes that can hold ``m`` values."""
    for width in (1, 2, 4):
        if m <= 1 << 8 * width:
            return width
    return 8


def _stream_message(label: str, key: bytes, index: int, n: int) -> bytes:
    """What SHAKE-256 is fed to make a stream."""
    if not 0 <= n <= 0xFFFF:
        raise ValueError(f"{n} things cannot be ordered: their number must be from 0 to 65535")
    return lp(_SHUFFLE, label, key, _u64be(index), n.to_bytes(2, "big"))


def _first_length(n: int) -> int:
    """How many bytes to fetch first: two per thing to order, which nearly always is enough, in whole SHAKE blocks."""
    return _SHAKE_BLOCK * (1 + 2 * n // _SHAKE_BLOCK)
