"""Perft: counts checked against counting by hand and by a second, simpler way."""

import pytest

from rummy_tourney.cards import CARDS, pack
from rummy_tourney.errors import UsageError
from rummy_tourney.game.actions import Action, Knock
from rummy_tourney.game.rules import families
from rummy_tourney.game.variants.gin import GIN
from rummy_tourney.lab.perft import Start, divide, main, perft, perft_deck, perft_start


def test_the_first_plies_of_gin_by_hand() -> None:
    """Take or pass; then ten discards (not the card just taken), or take or pass again: 2, then 10 + 2."""
    start = perft_start(GIN, "standard", "0")
    assert [perft(start, depth) for depth in range(3)] == [1, 2, 12]
    assert divide(start, 2) == {"dd": 10, "pass": 2}


def slow_count(start: Start, path: list[Action], depth: int) -> int:
    """All sequences one by one, each played from the deal to its end."""
    table = start()
    for action in path:
        table.apply(action)
    if depth == 0:
        return 1
    return 0 if table.over else sum(slow_count(start, [*path, a], depth - 1) for a in table.legal_actions())


@pytest.mark.parametrize("deck", ["3", "dense-55"])
@pytest.mark.parametrize("family", families())
def test_counts_are_those_of_playing_every_sequence(family: str, deck: str) -> None:
    """The last ply is counted without being played; playing it gives the same number."""
    start = perft_start(families()[family], None, deck)
    assert [perft(start, d) for d in range(1, 4)] == [slow_count(start, [], d) for d in range(1, 4)]
    assert sum(divide(start, 3).values()) == perft(start, 3)


def test_a_folded_count_takes_all_claims_as_one() -> None:
    """In this deck one can knock after taking the upcard: however many ways, they count once and go no further."""
    start = perft_start(GIN, "openspiel", "dense-126")
    table = start()
    table.apply(table.legal_actions()[0])
    claims = sum(isinstance(a, Knock) for a in table.legal_actions())
    assert claims > 1
    assert divide(start, 2)["dd"] - divide(start, 2, folded=True)["dd"] == claims - 1
    assert sum(divide(start, 4, folded=True).values()) == perft(start, 4, folded=True)


def test_decks() -> None:
    """A number is a shuffled deck; dense brings the cards of five neighbouring ranks to the top."""
    whole = pack(2, 3)
    assert sorted(perft_deck(whole, "7")) == sorted(whole.codes)
    assert perft_deck(whole, "7") != perft_deck(whole, "8")
    dense = perft_deck(pack(), "dense-7")
    assert sorted(dense) == list(range(52))
    assert {CARDS[code].rank for code in dense[:20]} == {8, 9, 10, 11, 12}
    plain = [code for code in perft_deck(pack(), "7") if code in dense[:20]]
    assert dense[:20] == plain
    for name in ("", "dense", "dense-", "x7", "-1", "7a", "1234567"):
        with pytest.raises(UsageError):
            perft_deck(whole, name)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the counts by depth and the last by first action."""
    assert main(["gin", "--preset", "openspiel", "--depth", "2"]) == 0
    assert capsys.readouterr().out == "depth 1: 2\ndepth 2: 13\n  dd: 11\n  pass: 2\n"
    assert main(["straight", "--depth", "1", "--folded"]) == 0
    assert capsys.readouterr().out == "depth 1: 2\n  dd: 1\n  pass: 1\n"
    with pytest.raises(SystemExit):
        main(["bridge"])
    assert "no game called" in capsys.readouterr().err
