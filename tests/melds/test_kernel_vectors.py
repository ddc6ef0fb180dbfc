"""The kernel on named hands.

GD and GR are the worked examples of the gin specification (section 8, made with an exhaustive solver); 9.4-6 are its hands
that OpenSpiel refuses to let knock. A, B and D are the cases in which other engines were seen to be wrong, each expected
value found there by brute force.
"""

from __future__ import annotations

import pytest

from rummy_tourney.cards import CARDS, CardSet, card
from rummy_tourney.melds import kernel
from rummy_tourney.melds.model import all_natural_melds, melds_text, natural_meld, read_melds


def mask(text: str) -> int:
    return CardSet.parse(text).mask


def masks(text: str) -> list[int]:
    return [m.mask for m in read_melds(text)]


def as_text(melds: tuple[int, ...]) -> str:
    return melds_text([m for m in map(natural_meld, melds) if m is not None])


def by_id(cases: dict[str, tuple[object, ...]]) -> list[object]:
    return [pytest.param(*values, id=name) for name, values in cases.items()]


DEADWOOD: dict[str, tuple[object, ...]] = {
    "GD-1": ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", 0),
    "GD-2": ("5s 6s 7s 5h 5d 8s 9s Ts Kc Kd", 20),
    "GD-3": ("2c 3c 4c 5c 4d 4h 5d 5h 6d Ac", 6),
    "GD-4": ("Tc Jc Qc Qd Qh Kc 9c 2s 2h 3d", 17),
    "GD-5": ("4s 5s 6s 6c 6d 6h 7d 8d Kd Ac", 20),
    "GR-1 defender's own": ("7h 9h 2c 2d 2h Kc Kd 5s 8s As", 50),
    "GR-1 knocker": ("4h 5h 6h 9c 9d 9s Qc Qd Qh 3s", 3),
    "GR-4 knocker": ("2s 3s 4s 8c 8d 8h Td Jd Qd Kd", 0),
    "GR-4 defender, no lay-offs against gin": ("5s 9d 8s Ac Ad Kh Qh 6c 6h 3d", 59),
    "GR-5 all eleven cards melded": ("2s 3s 4s 5s 8c 8d 8h Td Jd Qd Kd", 0),
    "GR-5 defender": ("9d 8s Ac Ad Kh Qh 6c 6h 3d 7s", 61),
    "GR-6 knocker": ("5s 6s 7s 9c Tc Jc Ks Kc Kd Jd", 10),
    "GR-7 knocker": ("As 5s 5c 5d 6s 6c 6d 7s 7c 7d", 1),
    "A9 first": ("6h Qh Qc 5h Kd Kh 7h Kc 4h Qd", 0),
    "A9 second": ("Kc 3s 3c 9c Kh 3h 9h 3d 9d Kd", 0),
    "A9 third": ("Tc 2h 3h 2s Td 5h 3s 4h 4s Ts", 0),
    "A9 fourth": ("5s 4h 6s Th 3h Jh 5h 9h 2h 4s", 0),
    "A11 the two runs": ("6s 7s 8s 6c 7c 8c 8d", 8),
    "A12": ("Ac As Ah 2c 2h 2s 3c 3h 3s Kd", 10),
    "A13": ("Ac As Ah 2c 2h 2s 3c 3h 3s 4h", 0),
    "A15": ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts", 0),
    "A16 the most ten cards can hold": ("Ks Kc Qd Qh Js Jc Td Th 9s 9c", 98),
    "A17 just a knock": ("4s 5s 6s 9h 9d 9c As 2d 3c 4h", 10),
    "A17 just not": ("4s 5s 6s 9h 9d 9c As 2d 3c 5h", 11),
    "A18 no way round the corner": ("Qs Ks As 2s 7h 7d 7c 4c 5d 9h", 41),
    "the king of one suit and the ace of the next": ("Qc Kc Ad 2d", 23),
    "no cards": ("", 0),
}


@pytest.mark.parametrize(("hand", "expected"), by_id(DEADWOOD))
def test_deadwood_of_known_hands(hand: str, expected: int) -> None:
    """Deadwood is the least over all ways to meld."""
    assert kernel.deadwood(mask(hand)) == expected


DISCARDS: dict[str, tuple[object, ...]] = {
    "A1": ("2c 5d 6d 7d Ah 5h 6h 7h 2s 5s 7s", "7s", 10),
    "A2": ("8c 3d 4d 5d 6d Ah 2h 3h 8h 3s 8s", "3s", 0),
    "A4": ("Ac 2c 2d Ah 2h 3h Th Jh Qh As 2s", "3h", 0),
    "9.4-6 first": ("3s 5s 6s 3c 6c 5d 6d 4h 5h 6h 7h", "7h", 10),
    "9.4-6 second": ("3s 4s 5s 6s 2c 5c 6c 2h 4h 5h 6h", None, 9),
    "9.4-6 third": ("3h 3s 4d 4h 4s 5d 5h 5s 6c 6d 6h", "6c", 0),
    "GR-5 a gin in four ways": ("2s 3s 4s 5s 8c 8d 8h Td Jd Qd Kd", "2s 5s Td Kd", 0),
    "D3 at the wall": ("As 2s 3s 4s 5s 6s 7s 8s Jh Qh Kh", "As 4s 5s 8s", 0),
}


@pytest.mark.parametrize(("hand", "best", "left"), by_id(DISCARDS))
def test_best_discards_of_known_hands(hand: str, best: str | None, left: int) -> None:
    """The best discard is found over all eleven, each with its own melds, and all equally good ones are known."""
    table = kernel.discard_table(mask(hand))
    if best is not None:
        assert {CARDS[code] for code, dead in table if dead == left} == set(CardSet.parse(best))
    code, found = kernel.best_discard(mask(hand))
    assert (code, found) in table
    assert found == left == min(dead for _, dead in table)


def test_a1_has_one_knocking_discard() -> None:
    """A1: of eleven discards only the 7s allows a knock with 10, and it is the one other engines miss."""
    table = kernel.discard_table(mask("2c 5d 6d 7d Ah 5h 6h 7h 2s 5s 7s"))
    assert [CARDS[code].text for code, dead in table if dead <= 10] == ["7s"]


def test_d3_what_the_other_discards_cost() -> None:
    """D3 also gives the deadwood after the discards that spoil the gin."""
    table = {CARDS[code].text: dead for code, dead in kernel.discard_table(mask("As2s3s4s5s6s7s8sJhQhKh"))}
    assert (table["2s"], table["3s"], table["7s"], table["6s"]) == (1, 3, 8, 15)


def test_ties_go_to_the_highest_rank_then_to_the_first_suit() -> None:
    """Kings, queens, jacks and tens cost the same; the king goes, and of two kings the one of clubs."""
    assert kernel.best_discard(mask("Tc Jd Qh Ks 2c 2d 2h"))[0] == card("Ks").code
    assert kernel.best_discard(mask("Th Ks Kc 2c 2d 2h"))[0] == card("Kc").code


def test_a_banned_discard_is_passed_over() -> None:
    """The next best discard is taken, with the deadwood it leaves; other bans change nothing."""
    hand = mask("2c 2d 2h Kc Ks 9h")
    assert kernel.best_discard_except(hand, mask("Kc")) == (card("Ks").code, 19)
    assert kernel.best_discard_except(hand, mask("Kc Ks")) == (card("9h").code, 20)
    assert kernel.best_discard_except(hand, mask("Ks Ad")) == kernel.best_discard(hand) == (card("Kc").code, 19)


ARRANGEMENTS: dict[str, tuple[object, ...]] = {
    "A9 first": ("6h Qh Qc 5h Kd Kh 7h Kc 4h Qd", {"[QcQdQh][KcKdKh][4h5h6h7h]"}),
    "A9 second": ("Kc 3s 3c 9c Kh 3h 9h 3d 9d Kd", {"[3c3d3h3s][9c9d9h][KcKdKh]"}),
    "A9 third": ("Tc 2h 3h 2s Td 5h 3s 4h 4s Ts", {"[TcTdTs][2h3h4h5h][2s3s4s]"}),
    "A9 fourth": ("5s 4h 6s Th 3h Jh 5h 9h 2h 4s", {"[2h3h4h5h][9hThJh][4s5s6s]"}),
    "A11": ("6s 7s 8s 6c 7c 8c 8d", {"[6c7c8c][6s7s8s]"}),
    "A12": ("Ac As Ah 2c 2h 2s 3c 3h 3s Kd", {"[Ac2c3c][Ah2h3h][As2s3s]", "[AcAhAs][2c2h2s][3c3h3s]"}),
    "A13": ("Ac As Ah 2c 2h 2s 3c 3h 3s 4h", {"[Ac2c3c][Ah2h3h4h][As2s3s]"}),
    "GD-3": ("2c 3c 4c 5c 4d 4h 5d 5h 6d Ac", {"[Ac2c3c][4c4d4h][5c5d5h]"}),
    "A16": ("Ks Kc Qd Qh Js Jc Td Th 9s 9c", {""}),
}


@pytest.mark.parametrize(("hand", "expected"), by_id(ARRANGEMENTS))
def test_optimal_arrangements_of_known_hands(hand: str, expected: set[str]) -> None:
    """All optimal arrangements are listed, and the quick single one is the first of them."""
    found = kernel.arrangements(mask(hand))
    assert {as_text(melds) for melds in found} == expected
    assert kernel.arrangement(mask(hand)) == found[0]


def test_a11_a_knocker_may_not_choose_the_set() -> None:
    """A11: with 8s8c8d the four other cards are 26 points; only the two runs are within the limit of 10."""
    assert [as_text(m) for m in kernel.arrangements(mask("6s 7s 8s 6c 7c 8c 8d"), 10)] == ["[6c7c8c][6s7s8s]"]
    assert "[8c8d8s]" in [as_text(m) for m in kernel.arrangements(mask("6s 7s 8s 6c 7c 8c 8d"), 26)]


def test_a15_ten_in_a_row() -> None:
    """A15: ten spades in sequence are one run, or two, or three, in nine ways."""
    found = [as_text(m) for m in kernel.arrangements(mask("As2s3s4s5s6s7s8s9sTs"))]
    assert len(found) == len(set(found)) == 9
    assert "[As2s3s4s5s6s7s8s9sTs]" in found


def test_there_are_329_melds() -> None:
    """65 sets and 264 runs of one pack (gin specification, section 2), each found in a whole pack."""
    found = kernel.candidate_melds((1 << 52) - 1)
    assert len(found) == len(set(found)) == 329
    assert sum(kernel.is_run(m) for m in found) == 264
    assert set(found) == {m.mask for m in all_natural_melds()}


# knocker's melds, defender, deadwood after the best defence, cards laid off
DEFENCES: dict[str, tuple[object, ...]] = {
    "GR-1": ("[4h5h6h][9c9d9s][QcQdQh]", "7h 9h 2c 2d 2h Kc Kd 5s 8s As", 34, "7h 9h"),
    "GR-2": ("[3c4c5c][JsJhJd][7s7h7d]", "Ac Ad Ah Ts Tc Td Th 2c 6c 5d", 5, "2c 6c"),
    "GR-3": ("[3c4c5c][JsJhJd][7s7h7d]", "Ac Ad Ah 8d 9d Td Qd Qh Qs 6h", 6, ""),
    "GR-6": ("[5s6s7s][9cTcJc][KsKcKd]", "Ac 2s 2c 2d 2h 7c 8c 8d 8s 9s", 9, "7c 8c 8s 9s"),
    "GR-7a": ("[5s5c5d][6s6c6d][7s7c7d]", "3s 4s 8s 4c 8c 4d 8d 5h 6h 7h", 3, ""),
    "GR-7b": ("[5s6s7s][5c6c7c][5d6d7d]", "3s 4s 8s 4c 8c 4d 8d 5h 6h 7h", 0, "4c 4d 3s 4s"),
    "B1": ("[7c7d7h][4s5s6s]", "7s 8s", 0, "7s 8s"),
    "B1, melds in the other order": ("[4s5s6s][7c7d7h]", "7s 8s", 0, "7s 8s"),
    "B2": ("[AcAdAs][JsQsKs][TcTdTh]", "4s 5s 9s Ts 4c 5c 4d 5d 4h 5h", 0, "9s Ts"),
    "B3 a run of one's own needs no lay-off": (
        "[4s5s6s][QcQdQh][KcKdKh]",
        "7s 8s 9s 2d 4c Jd 9h Th 3c 6d",
        44,
        "",
    ),
    "B7": ("[7s8s9s][5c6c7c]", "6d 7d 8d 9d 5h 6h 7h 8h 9h 6s", 0, "6s"),
    "B8": ("[5c6c7c8c][5d6d7d8d]", "9c Tc 3d 9d 4h 5h 6h 7h 8h 9h", 3, "9c Tc 9d"),
    "B14 a set of four takes nothing": ("[7c7d7h7s]", "6s 8s", 14, ""),
    "B14 neither end": ("[7s8s9s]", "Js 5s 7h", 22, ""),
    "aces end a run": ("[As2s3s]", "Ks Qh", 20, ""),
    "kings end a run": ("[JdQdKd]", "Ad Ah", 2, ""),
}


@pytest.mark.parametrize(("melds", "hand", "expected", "laid"), by_id(DEFENCES))
def test_best_defence_of_known_knocks(melds: str, hand: str, expected: int, laid: str) -> None:
    """Lay-offs and own melds are chosen together, and no more cards are laid off than it takes."""
    left, lay_offs = kernel.best_defence(masks(melds), mask(hand))
    assert left == expected
    assert CardSet.of(CARDS[code] for code, _ in lay_offs) == CardSet.parse(laid)


def test_b1_both_cards_go_on_the_run() -> None:
    """B1: the seven must not go on the sevens, or the eight has no place."""
    _, lay_offs = kernel.best_defence(masks("[7c7d7h][4s5s6s]"), mask("7s 8s"))
    assert lay_offs == [(card("7s").code, 1), (card("8s").code, 1)]


def test_b2_the_ten_goes_on_the_run() -> None:
    """B2: the ten fits the tens too, but on the jack it makes room for the nine."""
    _, lay_offs = kernel.best_defence(masks("[AcAdAs][JsQsKs][TcTdTh]"), mask("4s5s9sTs4c5c4d5d4h5h"))
    assert lay_offs == [(card("Ts").code, 1), (card("9s").code, 1)]


def test_b7_and_b8_cost_more_when_own_melds_come_first() -> None:
    """B7, B8: the best own melds leave 5 and 13 that cannot be laid off, so the two must be weighed together."""
    assert kernel.deadwood(mask("6d 7d 8d 9d 5h 6h 7h 8h 9h 6s")) == 5
    assert kernel.deadwood(mask("9c Tc 3d 9d 4h 5h 6h 7h 8h 9h")) == 13


def test_b3_a_run_goes_on_growing_at_both_ends() -> None:
    """B3: after 7s and 8s on 4s5s6s the 9s is next, and after 3s and 2s the ace; then the run ends."""
    assert kernel.fitting(mask("4s5s6s")) == mask("3s7s")
    assert kernel.fitting(mask("4s5s6s7s8s")) == mask("3s9s")
    assert kernel.fitting(mask("2s3s4s5s6s")) == mask("As7s")
    assert kernel.fitting(mask("As2s3s4s5s6s")) == mask("7s")
    assert kernel.fitting(mask("9cTcJcQcKc")) == mask("8c")


def test_gr7_the_knocker_claims_the_sets() -> None:
    """GR-7: 1 point either way, but three cards fit the sets and six the runs, so a knocker claims the sets."""
    claim = kernel.knock_arrangement(mask("As 5s 5c 5d 6s 6c 6d 7s 7c 7d"))
    assert as_text(claim) == "[5c5d5s][6c6d6s][7c7d7s]"
