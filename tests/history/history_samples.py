"""Made-up histories with the look of gin deals, for the tests of the container. No rules are followed here."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

from rummy_tourney import seeding
from rummy_tourney.cards import join_cards, pack
from rummy_tourney.history import (
    BotEntry,
    DealRecord,
    FaultRecord,
    HeadRecord,
    HistoryReader,
    HistorySummary,
    HistoryWriter,
    Line,
    MatchRecord,
    NoteRecord,
    Producer,
    Rng,
    RulesEntry,
    encode_deal,
    exact_text,
)

ROOT = seeding.root_from_seed("samples")
SEATS = ("alpha", "beta")


def head() -> HeadRecord:
    """A head for two entries playing gin."""
    return HeadRecord(
        bots=(
            BotEntry(id="alpha", display="Alpha Ω", kind="builtin"),
            BotEntry(id="beta", display="Beta", kind="python", file_hash="ab" * 32),
        ),
        fault_policy="league",
        producer=Producer(name="rummy_tourney"),
        rng=Rng(derivation="tourney-shuffle-v1", commitment=seeding.commitment(ROOT)),
        rules={
            "main": RulesEntry(
                deck=join_cards(pack().cards), family="gin", hash="cd" * 32, options={"knock_limit": 10}, preset="standard"
            )
        },
        run_id="0123abcd",
        spec_hash="ef" * 32,
    )


def key_of(index: int) -> bytes:
    """The key of sample deal ``index``."""
    return seeding.deal_key(ROOT, "deal/samples/1", index)


def deal(index: int, *, turns: int = 13) -> DealRecord:
    """Sample deal ``index``: two hands, upcard, draws and discards, an ending, points."""
    rng = random.Random(index)
    cards = [c.text for c in pack().cards]
    rng.shuffle(cards)
    moves = [f"d deal p0 {''.join(cards[:10])}", f"d deal p1 {''.join(cards[10:20])}", f"d up {cards[20]}"]
    for turn in range(turns):
        seat, drawn = turn % 2, cards[21 + turn]
        moves += [f"p{seat} ds {drawn}", f"p{seat} dc {drawn}"]
    points = rng.randrange(1, 60)
    end = rng.choice(["knock", "gin", "wall"])
    if end == "wall":
        points = 0
        moves.append("d end wall")
    else:
        moves.append(f"p0 {'kn' if end == 'knock' else 'gin'} {cards[-1]} [7c7d7h][4s5s6s] dw=4")
    moves.append(f"d sc +{points} -{points}")
    half = exact_text(Fraction(points, 2))
    return DealRecord(
        deadwood=(4, 4 + points),
        dealer=1,
        deck="".join(cards),
        end=end,
        faults=(f"f{index}",) if index % 10 == 7 else (),
        first=0,
        hands=("".join(cards[:10]), "".join(cards[10:20])),
        id=f"samples/1/1/{index}/0",
        melds=("[7c7d7h][4s5s6s]", ""),
        moves=tuple(moves),
        parts=({"deadwood": points, "half": half}, {"deadwood": -points}),
        points=(points, -points),
        rules="main",
        seats=SEATS,
        start=(0, 0),
    )


def write_sample(path: Path, deals: int = 40) -> HistorySummary:
    """Write a history with a record of each type."""
    with HistoryWriter(path, head()) as writer:
        for index in range(deals):
            if index % 10 == 7:
                writer.write(
                    FaultRecord(
                        id=f"f{index}", deal=f"samples/1/1/{index}/0", seat=1, code="late", move=5, policy="default-action"
                    )
                )
            writer.write_deal(encode_deal(deal(index)))
        writer.write(NoteRecord(text="played “by hand”\n"))
        writer.write(
            MatchRecord(
                deals=deals, forfeits=(0, 0), id="samples/1/1", reason="deals", seats=SEATS, totals=(7, "-5/2"), winner=0
            )
        )
        return writer.close(root=ROOT.hex())


def records_of(path: Path) -> list[Line]:
    """The records of a history file."""
    with HistoryReader(path) as reader:
        return list(reader)
