"""One deal proven alone against the Merkle root of the seal."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from history_samples import deal, write_sample

from rummy_tourney.errors import BrokenHistory, UsageError
from rummy_tourney.history import check_proof, prove_deal, read_proof


def test_every_deal_can_be_proven(tmp_path: Path) -> None:
    """The proof survives its way through a file and holds the whole deal."""
    path = tmp_path / "run.rhh.jsonl.zst"
    summary = write_sample(path, 21)
    for index in range(21):
        proof = prove_deal(path, deal(index).id)
        assert (proof.index, proof.size, proof.merkle) == (index, 21, summary.merkle)
        (tmp_path / "proof.json").write_text(json.dumps({"key": "00", **msgspec.to_builtins(proof)}, indent=1))
        sent = read_proof(tmp_path / "proof.json")
        assert sent == proof
        assert sent.deal["deck"] == deal(index).deck
        assert check_proof(sent)


def test_a_changed_proof_does_not_hold(tmp_path: Path) -> None:
    """Another card, score, place, step or root: no proof; and nonsense is no crash."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 21)
    proof = prove_deal(path, deal(8).id)
    other = prove_deal(path, deal(9).id)
    swap = msgspec.structs.replace
    for forged in (
        swap(proof, deal={**proof.deal, "points": [1, -1]}),
        swap(proof, deal={**proof.deal, "h": "ab" * 32}),
        swap(proof, deal={**proof.deal, "prev": "ab" * 32}),
        swap(proof, deal=other.deal),
        swap(proof, index=9),
        swap(proof, size=16),
        swap(proof, proof=proof.proof[1:]),
        swap(proof, proof=other.proof),
        swap(proof, merkle="ab" * 32),
        swap(proof, merkle="x"),
        swap(proof, deal={}),
        swap(proof, deal={**proof.deal, "prev": 5}),
        swap(proof, deal={**proof.deal, "start": [0.5]}),
    ):
        assert not check_proof(forged)


def test_a_file_that_is_no_proof_is_told(tmp_path: Path) -> None:
    """Other JSON, no JSON, deep JSON."""
    path = tmp_path / "proof.json"
    for text in ("{}", "[]", "", "\xff", "[" * 100_000, '{"deal":{},"index":"0","merkle":"","proof":[],"size":1}'):
        path.write_text(text)
        with pytest.raises(BrokenHistory, match="not a proof of a deal"):
            read_proof(path)


def test_what_cannot_be_proven_is_told(tmp_path: Path) -> None:
    """No such deal, no seal, a damaged file."""
    path = tmp_path / "run.rhh.jsonl"
    write_sample(path, 3)
    with pytest.raises(UsageError, match="has no deal nowhere"):
        prove_deal(path, "nowhere")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(BrokenHistory, match="no seal"):
        prove_deal(path, deal(1).id)
    path.write_bytes(b"".join(lines)[:-50])
    with pytest.raises(BrokenHistory, match="torn"):
        prove_deal(path, deal(1).id)
