"""The Merkle tree against the published vectors of Certificate Transparency (RFC 6962) and the recursive definition."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest

from rummy_tourney.history.merkle import MerkleTree, inclusion_proof, merkle_root, verify_inclusion

# Leaves, roots for 1 … 8 leaves and audit paths: the test vectors of the certificate-transparency project.
LEAVES = [
    bytes.fromhex(text)
    for text in ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
]
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PATHS = [  # leaf (from 0), size, path
    (0, 1, []),
    (1, 2, ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"]),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        1,
        5,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
    (
        0,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
]


def definition(leaves: list[bytes]) -> bytes:
    """RFC 6962 section 2.1, word for word."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + definition(leaves[:k]) + definition(leaves[k:])).digest()


def test_published_roots() -> None:
    """The roots of the first 0 … 8 leaves are those of Certificate Transparency."""
    tree = MerkleTree()
    assert tree.root().hex() == EMPTY
    for leaf, root in zip(LEAVES, ROOTS, strict=True):
        tree.append(leaf)
        assert tree.root().hex() == root
    assert merkle_root(LEAVES).hex() == ROOTS[-1]


@pytest.mark.parametrize(("leaf", "size", "path"), PATHS)
def test_published_paths(leaf: int, size: int, path: list[str]) -> None:
    """The audit paths are those of Certificate Transparency, and they verify."""
    proof = inclusion_proof(LEAVES[:size], leaf, size)
    assert [step.hex() for step in proof] == path
    assert verify_inclusion(LEAVES[leaf], leaf, size, proof, bytes.fromhex(ROOTS[size - 1]))


def test_every_leaf_of_every_small_tree_can_be_proven_and_nothing_else() -> None:
    """Root and proofs agree with the definition for 1 … 40 leaves; each single change to a proof fails."""
    rng = random.Random(6962)
    leaves = [rng.randbytes(32) for _ in range(40)]
    for size in range(1, 41):
        root = definition(leaves[:size])
        assert merkle_root(leaves[:size]) == root
        for index in range(size):
            proof = inclusion_proof(iter(leaves[:size]), index, size)
            assert verify_inclusion(leaves[index], index, size, proof, root)
            assert not verify_inclusion(leaves[index - 1] + b"x", index, size, proof, root)
            assert not verify_inclusion(leaves[index], index, size, [*proof, root], root)
            assert not verify_inclusion(leaves[index], index, size, proof, bytes(32))
            assert not verify_inclusion(leaves[index], size, size, proof, root)
            if proof:
                assert not verify_inclusion(leaves[index], index, size, proof[:-1], root)
                assert not verify_inclusion(leaves[index], index ^ 1, size, proof, root)
                broken = [*proof]
                broken[rng.randrange(len(proof))] = bytes(32)
                assert not verify_inclusion(leaves[index], index, size, broken, root)


def test_a_proof_needs_an_index_within_and_as_many_leaves_as_said() -> None:
    """Wrong figures are refused instead of giving a proof of something else."""
    with pytest.raises(ValueError, match="no leaf 8"):
        inclusion_proof(LEAVES, 8, 8)
    with pytest.raises(ValueError, match="9 leaves were announced and 8 came"):
        inclusion_proof(LEAVES, 0, 9)
    with pytest.raises(ValueError, match="7 leaves were announced and 8 came"):
        inclusion_proof(LEAVES, 0, 7)


def test_memory_grows_with_the_logarithm() -> None:
    """A tree of 10 000 leaves keeps no more than 14 hashes."""
    tree = MerkleTree()
    for index in range(10_000):
        tree.append(index.to_bytes(4))
        assert len(tree._peaks) == tree.size.bit_count() <= 14
