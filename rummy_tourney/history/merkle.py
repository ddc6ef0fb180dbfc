"""The Merkle tree of RFC 6962 over the deals of a history, so that one deal can be proven without the others.

::

    leaf(d)    = SHA-256(0x00 || d)            d is the 32-byte ``h`` of a deal
    node(l, r) = SHA-256(0x01 || l || r)
    root of n leaves: the left part is the largest power of two below n; no leaves: SHA-256 of nothing
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class MerkleTree:
    """A tree that only grows; it keeps one hash for each bit of its size, however many leaves it has."""

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        self.size = 0
        # The roots of the full subtrees, largest first: one for each 1 in the binary form of ``size``.
        self._peaks: list[bytes] = []

    def append(self, data: bytes) -> None:
        """Add a leaf."""
        tip = leaf_hash(data)
        size = self.size
        while size & 1:
            tip = node_hash(self._peaks.pop(), tip)
            size >>= 1
        self._peaks.append(tip)
        self.size += 1

    def root(self) -> bytes:
        """The root over the leaves so far."""
        if not self._peaks:
            return sha256().digest()
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root


def merkle_root(leaves: Iterable[bytes]) -> bytes:
    """The root over ``leaves`` (their data, not their hashes)."""
    tree = MerkleTree()
    for data in leaves:
        tree.append(data)
    return tree.root()


def _siblings(index: int, size: int) -> list[tuple[int, int]]:
    """The ranges of leaves whose roots prove leaf ``index``, from the leaf upwards."""
    low, high = 0, size
    found = []
    while high - low > 1:
        middle = low + (1 << (high - low - 1).bit_length() - 1)
        if index < middle:
            found.append((middle, high))
            high = middle
        else:
            found.append((low, middle))
            low = middle
    return found[::-1]


def inclusion_proof(leaves: Iterable[bytes], index: int, size: int) -> list[bytes]:
    """The hashes that lead from leaf ``index`` of ``size`` leaves to the root, from the leaf upwards.

    Reads ``leaves`` once, in order, and keeps little of them. Raises :class:`ValueError` if there are not ``size`` of them
    or ``index`` is not among them.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    ranges = _siblings(index, size)
    trees = {span: MerkleTree() for span in ranges}
    ahead = iter(sorted(ranges))
    span = next(ahead, None)
    count = 0
    for number, data in enumerate(leaves):
        count += 1
        while span is not None and number >= span[1]:
            span = next(ahead, None)
        if span is not None and number >= span[0]:
            trees[span].append(data)
    if count != size:
        raise ValueError(f"{size} leaves were announced and {count} came")
    return [trees[span].root() for span in ranges]


def verify_inclusion(data: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether ``proof`` shows that ``data`` is leaf ``index`` of the ``size`` leaves under ``root``."""
    if not 0 <= index < size:
        return False
    spans = _siblings(index, size)
    if len(proof) != len(spans):
        return False
    reached = leaf_hash(data)
    for (low, _), sibling in zip(spans, proof, strict=True):
        reached = node_hash(sibling, reached) if low < index else node_hash(reached, sibling)
    return reached == root
