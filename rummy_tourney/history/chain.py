"""Checking the hash chain and the seal of a history: every record still what it was, and in its place.

This needs no rules of any game. It finds each change that was made to a sealed history without hashing again all that
stands behind it. Whoever does that ends at another last hash: compare it, or the SHA-256 of the text, with what was published.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, Final, TypeGuard

from msgspec import Struct, structs

from rummy_tourney.errors import BrokenHistory, HistoryError, NewerVersion
from rummy_tourney.history.canonical import canonical
from rummy_tourney.history.files import Torn
from rummy_tourney.history.jsonl import HistoryReader, Line, check_version
from rummy_tourney.history.links import GENESIS, record_hash
from rummy_tourney.history.merkle import MerkleTree

MAX_FINDINGS: Final = 1000
"""After so many findings a check stops: the file is something else."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")


class Finding(Struct, frozen=True):
    """One thing wrong with a history.

    ``line`` counts from 1; ``offset`` is the byte of the uncompressed text where the line begins; ``deal`` is the id of
    the deal concerned, if the line still tells. ``code`` is one of::

        unreadable   the line is no record                  changed      the record does not match its own hash
        link         the line does not follow the one before: a record is missing here, or was hashed again
        order        this line and the one before are in the wrong order
        repeated     the record before, once more           foreign      a record that does not belong here
        form         right in content, not in canonical form
        head         the first record is no head, or there is a second one
        seal         count, last hash or Merkle root of the seal do not fit
        no-seal      the seal is missing                    after-seal   something follows the seal
        torn         the end of the file is cut off
    """

    line: int
    offset: int
    deal: str | None
    code: str
    message: str

    def __str__(self) -> str:
        deal = f", deal {self.deal}" if self.deal else ""
        return f"line {self.line}, byte {self.offset}{deal}: {self.message}"


class ChainReport(Struct, frozen=True):
    """What a check of the chain found, and the figures to compare with what was published.

    ``sha256`` is over the uncompressed text, ``last`` the ``h`` of the last record, ``merkle`` the root over the deals read.
    ``stopped`` is true if the check gave up at :data:`MAX_FINDINGS`.
    """

    findings: tuple[Finding, ...]
    records: int
    deals: int
    last: str
    merkle: str
    sha256: str
    head: dict[str, Any] | None
    seal: dict[str, Any] | None
    torn: Torn | None
    stopped: bool

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def check_chain(reader: HistoryReader) -> ChainReport:
    """Check ``h`` and ``prev`` of every record, and the seal.

    After a bad record the check goes on from the ``h`` that stands there, so one fault gives one finding, at its place.
    Raises :class:`~rummy_tourney.errors.NewerVersion` for an intact history of another major version.
    """
    walk = _Walk()
    for line in reader.lines():
        walk.see(line)
        if len(walk.findings) >= MAX_FINDINGS:
            break
    else:
        walk.finish(reader)
    return walk.report(reader.torn)


class _Link(Struct, frozen=True):
    """What a readable record says of the chain: its ``prev`` and ``h``, and the ``h`` it ought to have after that ``prev``."""

    prev: str
    h: str
    computed: str


class _Walk:
    """The state of a check between two lines."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.head: dict[str, Any] | None = None
        self.seal: dict[str, Any] | None = None
        self.tree = MerkleTree()
        self.records = 0
        self.deals = 0
        self.text = sha256()
        self.last = GENESIS.hex()
        # What the next record may have as ``prev``; nothing means anything, after a line that cannot be read. More than one
        # only directly after a finding, where it is not known which of two records the chain goes on from.
        self.accept: tuple[str, ...] = (self.last,)
        # The record that did not follow the one before, while the next line may still tell why: what was expected, and it.
        self.gap: tuple[tuple[str, ...], _Link] | None = None
        self.bad_line = 0

    def see(self, line: Line) -> None:
        """Take the next line."""
        self.records += 1
        self.text.update(line.raw + b"\n")
        if line.problem:
            self._unreadable(line)
            return
        link = self._link_of(line)
        if link is not None:
            self._place(line, link)
            self._count(line, link)

    def finish(self, reader: HistoryReader) -> None:
        """Take the end of the file."""
        torn = reader.torn
        if torn is not None:
            self._add(Line(torn.line, torn.offset, b"", {}), "torn", str(torn))
        elif self.seal is None and not (self.records and self.bad_line == self.records):
            # (A damaged last line may have been the seal: that is one fault, not two.)
            what = "the seal is missing: the run was not finished, or the end was cut off"
            self._add(Line(self.records + 1, reader.end, b"", {}), "no-seal", what)

    def report(self, torn: Torn | None) -> ChainReport:
        """All that was seen."""
        return ChainReport(
            findings=tuple(self.findings),
            records=self.records,
            deals=self.deals,
            last=self.last,
            merkle=self.tree.root().hex(),
            sha256=self.text.hexdigest(),
            head=self.head,
            seal=self.seal,
            torn=torn,
            stopped=len(self.findings) >= MAX_FINDINGS,
        )

    def _add(self, line: Line, code: str, message: str) -> None:
        self.bad_line = line.number
        self.findings.append(Finding(line.number, line.offset, line.deal, code, message))

    def _amend(self, code: str, message: str) -> None:
        """Say better what the last finding was, now that the next line is known."""
        self.findings[-1] = structs.replace(self.findings[-1], code=code, message=message)

    def _unreadable(self, line: Line) -> None:
        # Lines in a row that cannot be read come from one fault (a line feed in the middle of a record): tell the first.
        if not (self.findings and self.findings[-1].code == "unreadable" and self.bad_line == line.number - 1):
            self._add(line, "unreadable", line.problem)
        self.bad_line = line.number
        self.accept, self.gap = (), None

    def _link_of(self, line: Line) -> _Link | None:
        """The links of a record, or a finding if it has none that could be checked."""
        prev, h = line.fields.get("prev"), line.fields.get("h")
        if not _is_hash(prev) or not _is_hash(h):
            self._add(line, "changed", "the record has no valid prev and h")
        else:
            try:
                return _Link(prev, h, record_hash(line.fields, bytes.fromhex(prev)).hex())
            except HistoryError as error:
                self._add(line, "changed", str(error))
        self.accept, self.gap = (h,) if _is_hash(h) else (), None
        return None

    def _place(self, line: Line, link: _Link) -> None:
        """Compare a record with its hash and with the record before."""
        gap, self.gap = self.gap, None
        linked = not self.accept or link.prev in self.accept
        if link.computed != link.h:
            self._changed(line, link, linked=linked)
        elif gap is not None and link.prev in gap[0]:
            self._after_gap(link, gap[1])
        elif self.seal is not None:
            self._after_seal(line, link)
        elif linked:
            self.accept = (link.h,)
            self._form(line)
        else:
            self._not_linked(line, link)

    def _changed(self, line: Line, link: _Link, *, linked: bool) -> None:
        what = "the record was changed: it does not match its own hash"
        in_place = [] if linked else [record_hash(line.fields, bytes.fromhex(h)).hex() for h in self.accept]
        if link.h in in_place:
            what = "the record's prev was changed"
        if self.records == 1 and line.kind == "head":
            what += _other_version(line)
        self._add(line, "changed", what)
        # If only the links were changed, the next record still goes on from the right hash.
        self.accept = (link.h, link.computed, *in_place)

    def _not_linked(self, line: Line, link: _Link) -> None:
        if link.h == self.last:
            self._add(line, "repeated", f"line {line.number - 1} once more")
            return
        before = f"line {line.number - 1}" if line.number > 1 else "the beginning"
        self._add(line, "link", f"does not follow {before}: a record is missing here, or one was changed and hashed again")
        self.gap = (self.accept, link)
        self.accept = (link.h, *self.accept)

    def _after_gap(self, link: _Link, stranger: _Link) -> None:
        """This record follows the line before the last: the last line (the stranger) stands in the wrong place."""
        number = self.findings[-1].line
        if link.h == stranger.prev:
            self._amend("order", f"lines {number} and {number + 1} are in the wrong order")
            self.accept = (stranger.h,)
            # Unless the stranger comes once more, now in its place: then it was the first of the two that is too many.
            self.gap = ((link.h,), stranger)
        else:
            self._amend("foreign", "the record does not belong here: it was put in, moved or repeated")
            self.accept = (link.h,)

    def _after_seal(self, line: Line, link: _Link) -> None:
        self.accept = (link.h,)
        if self.findings and self.findings[-1].code == "after-seal":
            self.bad_line = line.number
        else:
            self._add(line, "after-seal", "something follows the seal")

    def _form(self, line: Line) -> None:
        if canonical(line.fields) != line.raw:
            self._add(line, "form", "the line is not in canonical form")
        if (line.kind == "head") != (self.records == 1):
            what = f"the first record is a {line.kind}, not a head" if self.records == 1 else "a second head"
            self._add(line, "head", what)
        elif self.records == 1:
            self._check_version(line)

    def _check_version(self, line: Line) -> None:
        try:
            check_version(line.fields)
        except BrokenHistory as error:
            self._add(line, "head", str(error))

    def _count(self, line: Line, link: _Link) -> None:
        """Keep the figures that the seal is compared with."""
        self.last = link.h
        kind = line.kind
        if kind == "deal":
            self.deals += 1
            self.tree.append(bytes.fromhex(link.h))
        elif kind == "head" and self.head is None:
            self.head = line.fields
        elif kind == "seal" and self.seal is None and link.h == link.computed:
            self.seal = line.fields
            self._check_seal(line, link)

    def _check_seal(self, line: Line, link: _Link) -> None:
        if self.findings:
            return  # the figures cannot fit any more, and why has been said
        expected = {"count": self.records - 1, "last": link.prev, "merkle": self.tree.root().hex()}
        wrong = [f"{name} is {line.fields.get(name)}, counted {value}" for name, value in expected.items()
                 if line.fields.get(name) != value]  # fmt: skip
        if wrong:
            self._add(line, "seal", "the seal does not fit: " + "; ".join(wrong))


def _is_hash(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _other_version(line: Line) -> str:
    """A hint for a head that fails its hash perhaps because a later version hashes differently."""
    try:
        check_version(line.fields)
    except NewerVersion as error:
        return f" (or {error})"
    except BrokenHistory:
        return ""
    return ""
