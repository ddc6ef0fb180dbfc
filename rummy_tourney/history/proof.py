"""Proving one deal of a sealed history to somebody who knows nothing but the seal's Merkle root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rummy_tourney.cards import pack, split_cards
from rummy_tourney.errors import BrokenHistory, HistoryError, UsageError
from rummy_tourney.history.jsonl import HistoryReader, Line
from rummy_tourney.history.links import record_hash
from rummy_tourney.history.merkle import inclusion_proof, verify_inclusion
from rummy_tourney.seeding import order


class DealProof(Struct, frozen=True):
    """A deal, its place among the deals of its history (``index`` of ``size``), and the hashes up to ``merkle``, in hex.

    ``key`` is the deal's key in hex, if it is revealed: it gives the deck, and no other deal's.
    """

    deal: dict[str, Any]
    index: int
    merkle: str
    proof: tuple[str, ...]
    size: int
    key: str = ""


def prove_deal(path: str | os.PathLike[str], deal: str) -> DealProof:
    """The proof for the deal with this id. Reads the file twice, with flat memory.

    Raises :class:`~rummy_tourney.errors.UsageError` if there is no such deal and
    :class:`~rummy_tourney.errors.BrokenHistory` if the history is damaged or has no seal.
    """
    found: dict[str, Any] | None = None
    index = size = 0
    merkle = ""
    with HistoryReader(path, strict=True) as reader:
        for line in reader:
            if line.kind == "seal":
                merkle = line.fields["merkle"]
            elif line.kind == "deal":
                if found is None and line.fields.get("id") == deal:
                    found, index = line.fields, size
                size += 1
    if found is None:
        raise UsageError(f"{os.fspath(path)} has no deal {deal}")
    if not merkle:
        raise BrokenHistory(f"{os.fspath(path)} has no seal, so nothing can be proven against it")
    with HistoryReader(path, strict=True) as reader:
        proof = inclusion_proof(_leaves(reader), index, size)
    return DealProof(found, index, merkle, tuple(h.hex() for h in proof), size)


def read_proof(path: str | os.PathLike[str]) -> DealProof:
    """A proof from a file: a JSON object with the fields of :class:`DealProof`; others are passed over.

    Raises :class:`~rummy_tourney.errors.BrokenHistory` if the file holds something else.
    """
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=DealProof)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BrokenHistory(f"{os.fspath(path)} is not a proof of a deal: {error}") from error


def check_proof(proof: DealProof) -> bool:
    """Whether the deal is what it says, and is under the Merkle root: compare that root with the published seal.

    ``index`` and ``size`` only say which way the path goes, as in RFC 6962: that the deal is under the root is proven, the
    number of deals is not.
    """
    try:
        h = record_hash(proof.deal, bytes.fromhex(proof.deal["prev"]))
        if h.hex() != proof.deal["h"]:
            return False
        steps = [bytes.fromhex(step) for step in proof.proof]
        return verify_inclusion(h, proof.index, proof.size, steps, bytes.fromhex(proof.merkle))
    except (KeyError, TypeError, ValueError, HistoryError):
        return False


def check_deck(proof: DealProof) -> bool:
    """Whether the revealed key gives the deck of the deal: ten lines in any language do the same (``docs/chance.md``).

    Raises :class:`~rummy_tourney.errors.BrokenHistory` if the deal's deck or id cannot be read.
    """
    try:
        deck = split_cards(proof.deal["deck"])
        number = int(proof.deal["id"].rsplit("/", 2)[1])
        unshuffled = pack(max(c.copy for c in deck), sum(c.is_joker for c in deck)).codes
        positions = order("deck", bytes.fromhex(proof.key), number, len(unshuffled))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BrokenHistory(f"the deck of this proof cannot be read: {error}") from error
    return [c.code for c in deck] == [unshuffled[position] for position in positions]


def _leaves(reader: HistoryReader) -> Iterator[bytes]:
    for line in reader:
        if line.kind == "deal":
            yield _leaf(line)


def _leaf(line: Line) -> bytes:
    try:
        return bytes.fromhex(line.fields["h"])
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenHistory(f"line {line.number}: a deal without h", line=line.number, offset=line.offset) from error
