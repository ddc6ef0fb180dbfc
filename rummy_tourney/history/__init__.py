"""Hand histories, RHH 1.0: records as canonical JSON Lines in a hash chain with a seal.

A history is written once, record by record, and can be read, checked, proven and redacted without knowing any game:

>>> from rummy_tourney.history import HistoryReader, check_chain
>>> with HistoryReader("reports/sample/hands.rhh.jsonl.zst") as reader:        # doctest: +SKIP
...     report = check_chain(reader)

==================  =====================================================================================
``records.py``      the record types and exact points; the fast line of a deal
``canonical.py``    one text for one value
``links.py``        the hash of a record and its place in the chain
``merkle.py``       the tree over the deals
``jsonl.py``        the container: writer and reader
``chain.py``        is every record what it was, where it was
``proof.py``        one deal proven alone
``redact.py``       copies for the public or one seat
``schema.py``       the JSON Schema
``shards.py``       what a run appends to while it goes on
``files.py``        full disks and torn ends
==================  =====================================================================================

The format itself is described for strangers in ``docs/history-format.md``.
"""

from __future__ import annotations

from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.chain import ChainReport, Finding, check_chain
from rummy_tourney.history.files import Torn
from rummy_tourney.history.jsonl import HistoryReader, HistorySummary, HistoryWriter, Line
from rummy_tourney.history.links import chain
from rummy_tourney.history.merkle import MerkleTree, inclusion_proof, merkle_root, verify_inclusion
from rummy_tourney.history.proof import DealProof, check_proof, prove_deal, read_proof
from rummy_tourney.history.records import (
    RHH_VERSION,
    BotEntry,
    DealRecord,
    FaultRecord,
    HeadRecord,
    MatchRecord,
    NoteRecord,
    Producer,
    Rng,
    RulesEntry,
    SealRecord,
    encode_deal,
    exact_text,
    read_exact,
)
from rummy_tourney.history.redact import Pseudonyms, redact_history, redact_record
from rummy_tourney.history.schema import history_schema
from rummy_tourney.history.shards import ShardFrame, ShardReader, ShardWriter, mend_shard, read_frame

__all__ = [
    "RHH_VERSION",
    "BotEntry",
    "ChainReport",
    "DealProof",
    "DealRecord",
    "FaultRecord",
    "Finding",
    "HeadRecord",
    "HistoryReader",
    "HistorySummary",
    "HistoryWriter",
    "Line",
    "MatchRecord",
    "MerkleTree",
    "NoteRecord",
    "Producer",
    "Pseudonyms",
    "Rng",
    "RulesEntry",
    "SealRecord",
    "ShardFrame",
    "ShardReader",
    "ShardWriter",
    "Torn",
    "canonical",
    "chain",
    "check_chain",
    "check_proof",
    "encode_deal",
    "exact_text",
    "history_schema",
    "inclusion_proof",
    "mend_shard",
    "merkle_root",
    "prove_deal",
    "read_exact",
    "read_frame",
    "read_proof",
    "redact_history",
    "redact_record",
    "verify_inclusion",
]
