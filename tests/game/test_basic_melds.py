"""Melds of basic rummy under every ace and joker rule, against the published vectors and a brute-force twin."""

import random
from typing import Any

import pytest
from oracles.basic_twin import PACK, all_readings, is_meld, is_run, pattern
from support.basic_tables import basic_options, menu, on_table, play, playing, refusal, taking

from rummy_tourney.cards import CardSet, card, cards_of, mask_of
from rummy_tourney.errors import IllegalAction, NotationError
from rummy_tourney.game.actions import LayMeld, LayOff
from rummy_tourney.game.variants.basic import MeldRules, meld_rules
from rummy_tourney.melds.model import Meld, MeldKind, Spot, arrange_spots, meld

ACE_RULES = ("low", "high_or_low", "round_corner")


def rules_of(ace_run: str = "low", **options: Any) -> MeldRules:
    """The meld rules of a table."""
    return meld_rules(basic_options(ace_run=ace_run, **options))


def is_accepted(text: str, rules: MeldRules) -> bool:
    """Whether a text is a meld at the table."""
    try:
        rules.accept(meld(text))
    except (NotationError, IllegalAction):
        return False
    return True


VALIDITY = {
    "BR-M1": ("Ah 2h 3h", (True, True, True)),
    "BR-M2": ("Qh Kh Ah", (False, True, True)),
    "BR-M3": ("Kh Ah 2h", (False, False, True)),
    "BR-M4": ("7c 7d 7h 7s", (True, True, True)),
    "BR-M5": ("4c 5c 6d", (False, False, False)),
    "BR-M6": ("9h Th Jh Qh", (True, True, True)),
    "BR-M7": ("5s 6s", (False, False, False)),
    "BR-M8": ("8h *1=9h Th", (True, True, True)),
    "BR-M9": ("7h 7d *1=7h", (False, False, False)),
}


@pytest.mark.parametrize("case", VALIDITY)
@pytest.mark.parametrize("ace_run", ACE_RULES)
def test_meld_validity(case: str, ace_run: str) -> None:
    """The validity table of the specification, for each ace rule."""
    text, expected = VALIDITY[case]
    assert is_accepted(text, rules_of(ace_run, jokers=2)) is expected[ACE_RULES.index(ace_run)]


def test_br_m4_is_a_set() -> None:
    """Four sevens are a set and nothing else fits it."""
    laid = rules_of().accept(meld("7c 7d 7h 7s"))
    assert laid.meld.kind is MeldKind.SET
    assert laid.fits == 0


# --- lay-offs ---------------------------------------------------------------------------------------------------------

LAY_OFFS = {
    "LO-1": ("3d4d5d", "low", "2d 6d"),
    "LO-2": ("QhKhAh", "high_or_low", "Jh"),
    "LO-3": ("Ah2h3h", "low", "4h"),
    "LO-3-high": ("Ah2h3h", "high_or_low", "4h"),
    "LO-3-corner": ("Ah2h3h", "round_corner", "4h Kh"),
    "LO-4": ("2c2d2h2s", "low", ""),
    "LO-5": ("3s4s5s", "low", "2s 6s"),
    "LO-6": ("JhQhKh", "low", "Th"),
    "LO-6-high": ("JhQhKh", "high_or_low", "Th Ah"),
    "LO-7": ("7c7d7h", "low", "7s"),
    "LO-8": ("KhAh2h", "round_corner", "Qh 3h"),
    "LO-9": ("Ah2h3h4h5h6h7h8h9hThJhQhKh", "round_corner", ""),
    "LO-10": ("2h3h4h5h6h7h8h9hThJhQhKh", "high_or_low", "Ah"),
}


@pytest.mark.parametrize("case", LAY_OFFS)
def test_what_fits_a_meld(case: str) -> None:
    """The lay-off examples: exactly these cards may be added."""
    text, ace_run, expected = LAY_OFFS[case]
    laid = rules_of(ace_run).accept(meld(text))
    assert cards_of(laid.fits) == cards_of(CardSet.parse(expected).mask)


@pytest.mark.parametrize("ace_run", ACE_RULES)
def test_what_fits_every_natural_meld_is_what_makes_a_longer_meld(ace_run: str) -> None:
    """For each meld and each other card: it fits if and only if both together are a meld of the same kind."""
    rules = rules_of(ace_run)
    for laid in rules.natural.values():
        faces = [c.text for c in laid.meld.cards]
        for c in PACK:
            grown = [*faces, c]
            longer = is_run(grown, ace_run) if laid.meld.kind is MeldKind.RUN else is_meld(grown, ace_run)
            assert bool(laid.fits & card(c).mask) == (c not in faces and longer), (faces, c)
            if laid.fits & card(c).mask:
                after = rules.extended(laid, laid.ends(card(c).code)[0], Spot(card(c), card(c)))
                assert after is rules.natural[laid.meld.mask | card(c).mask]


def test_a_chain_of_lay_offs() -> None:
    """On 3-4-5 first the 6, then the 7: each lay-off is a move of its own."""
    table = playing("6d 7d Ks 2d", ["3d4d5d"])
    assert {"lo M1>6d", "lo M1<2d"} <= set(menu(table))
    assert "lo M1>7d" not in menu(table)
    assert refusal(table, "lo M1>7d") == "does-not-fit"
    play(table, "lo M1>6d", "lo M1>7d", "lo M1<2d")
    assert on_table(table) == ["2d3d4d5d6d7d"]
    assert table.log[-1].text == "p0 lo M1<2d"


def test_melds_are_never_rearranged() -> None:
    """On 2-2-2-2 and 3-4-5 of spades the ace of spades cannot borrow the two from the set."""
    table = playing("As 9c 9d 8h", ["2c2d2h2s", "3s4s5s"])
    assert refusal(table, "lo M2<As") == "does-not-fit"
    assert not [text for text in menu(table) if text.startswith("lo")]


def test_a_card_that_fits_both_ends_of_a_run_names_its_end() -> None:
    """Twelve cards round the corner lack one card, which fits at either end."""
    table = playing("Ah 9c 9d", ["2h3h4h5h6h7h8h9hThJhQhKh"], ace_run="round_corner")
    assert [text for text in menu(table) if text.startswith("lo")] == ["lo M1<Ah", "lo M1>Ah"]
    assert refusal(table, "lo M1+Ah") == "does-not-fit"
    assert refusal(table, LayOff(1, "<>", Spot(card("Ah"), card("Ah")))) == "does-not-fit"
    assert on_table(play(table, "lo M1>Ah")) == ["Ah2h3h4h5h6h7h8h9hThJhQhKh"]


# --- enumeration against the twin -------------------------------------------------------------------------------------


def hands_for(count: int, cards: int, jokers: int) -> list[list[str]]:
    """Hands that hold many melds: cards of two suits and a few ranks, and jokers."""
    rng = random.Random(f"{count} {cards} {jokers}")
    found = []
    for _ in range(count):
        suits, low = rng.sample("cdhs", 2), rng.randrange(13)
        near = [c for c in PACK if c[1] in suits and (("A23456789TJQK".index(c[0]) - low) % 13) < 6]
        near += [c for c in PACK if c[0] == "A23456789TJQK"[low] and c not in near]
        found.append([*rng.sample(near, cards - jokers), *[f"*{k + 1}" for k in range(jokers)]])
    return found


@pytest.mark.parametrize("ace_run", ACE_RULES)
@pytest.mark.parametrize("min_naturals", [1, 2])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_all_melds_of_a_hand(ace_run: str, min_naturals: int, jokers: int) -> None:
    """The list of melds is the twin's, each once, with the names of the jokers left out of account."""
    rules = rules_of(ace_run, jokers=jokers, joker_min_naturals=min_naturals)
    for hand in hands_for(12 if jokers < 2 else 5, 8 - jokers, jokers):
        mask = mask_of([card(c) for c in hand])
        listed = rules.melds_of(mask)
        patterns = [pattern(tuple((s.card.text, s.stands_for.text) for s in m.spots)) for m in listed]
        assert len(set(patterns)) == len(patterns)
        assert set(patterns) == {pattern(r) for r in all_readings(hand, ace_run, min_naturals)}
        assert all(rules.accept(m).meld.text == m.text for m in listed)
        assert bool(listed) == rules.any_meld(mask)


@pytest.mark.parametrize("jokers", [1, 2])
def test_every_reading_is_accepted_and_nothing_else(jokers: int) -> None:
    """Any three or four cards with any reading of the jokers are accepted if and only if the twin calls them a meld."""
    rules = rules_of("high_or_low", jokers=2)
    rng = random.Random(jokers)
    for _ in range(3000):
        naturals = rng.sample([c for c in PACK if c[0] in "QKA2" or c[1] == "h"], rng.choice([1, 2, 3]))
        faces = rng.choices([c for c in PACK if c[0] == naturals[0][0] or c[1] == naturals[0][1]], k=jokers)
        spots = [Spot(card(c), card(c)) for c in naturals]
        spots += [Spot(card(f"*{k + 1}"), card(face)) for k, face in enumerate(faces)]
        made = Meld(MeldKind.SET, tuple(spots), 0, "")
        everything = [*naturals, *faces]
        expected = len(set(everything)) == len(everything) and is_meld(everything, "high_or_low")
        try:
            rules.accept(made)
            accepted = True
        except IllegalAction:
            accepted = False
        assert accepted == expected, everything


@pytest.mark.parametrize("ace_run", ACE_RULES)
def test_pairs_that_make_a_meld(ace_run: str) -> None:
    """``makes_meld`` says whether a card makes a meld of three with two of the hand."""
    rules = rules_of(ace_run)
    rng = random.Random(5)
    for _ in range(300):
        hand = rng.sample(PACK, 7)
        c, rest = hand[0], hand[1:]
        expected = any(is_meld([c, a, b], ace_run) for i, a in enumerate(rest) for b in rest[i + 1 :])
        assert rules.makes_meld(card(c).code, mask_of([card(r) for r in rest])) == expected


# --- jokers -----------------------------------------------------------------------------------------------------------


def test_a_joker_says_what_it_stands_for() -> None:
    """A joker without a name, or with the name of a card of the meld, is refused."""
    table = playing("7h 7d *1 Kc Qs", jokers=2)
    with pytest.raises(NotationError):
        arrange_spots([Spot(card("7h"), card("7h")), Spot(card("7d"), card("7d")), Spot(card("*1"), card("*1"))])
    odd = Meld(MeldKind.SET, (Spot(card("7h"), card("7h")), Spot(card("7d"), card("7d")), Spot(card("*1"), card("7h"))), 0, "")
    assert refusal(table, LayMeld(odd)) == "not-a-meld"
    assert refusal(table, "m 7h7d*2=7c") == "not-in-hand"
    assert on_table(play(table, "m 7h7d*1=7c")) == ["*1=7c7d7h"]
    assert table.log[-1].text == "p0 m M1=*1=7c7d7h"


def test_a_joker_may_stand_for_a_card_that_lies_elsewhere() -> None:
    """Only in its own meld must no card be there twice."""
    table = playing("8h Th *1 Kc Qs", ["9c9d9h"], jokers=2)
    assert on_table(play(table, "m 8h*1=9hTh")) == ["9c9d9h", "8h*1=9hTh"]


@pytest.mark.parametrize(("needed", "expected"), [(1, True), (2, False)])
def test_natural_cards_a_meld_needs(needed: int, expected: bool) -> None:
    """One natural card is enough, or two, as agreed."""
    assert is_accepted("8h*1=9h*2=Th", rules_of(jokers=2, joker_min_naturals=needed)) is expected


def test_a_meld_of_jokers_alone_does_not_exist() -> None:
    """At least one card has to be natural."""
    assert not is_accepted("*1=8h*2=9h*3=Th", rules_of(jokers=3))


def test_a_natural_card_cannot_stand_for_another() -> None:
    """Only jokers are wild."""
    rules = rules_of(jokers=2)
    with pytest.raises(IllegalAction):
        rules.accept(
            Meld(MeldKind.RUN, tuple(Spot(card(c), card(f)) for c, f in (("7h", "7h"), ("8h", "8h"), ("2c", "9h"))), 0, "")
        )


def test_a_forged_meld_counts_as_what_its_cards_are() -> None:
    """A meld object whose mask says more than its cards does not take the other cards."""
    table = playing("7h 8h 9h 9c Kc Qs")
    forged = Meld(MeldKind.RUN, meld("7h8h9h").spots, meld("7h8h9h").mask | card("Kc").mask, "7h8h9h")
    table.apply(LayMeld(forged))
    assert table.hands[0] == CardSet.parse("9c Kc Qs").mask


def test_lay_offs_of_a_joker() -> None:
    """A joker goes to either end of a run, or to a set of three in place of the suit it lacks."""
    table = playing("*1 Kc Qs", ["5s6s7s", "9c9d9h", "2c2d2h2s"], jokers=2)
    assert [text for text in menu(table) if text.startswith("lo")] == ["lo M1<*1=4s", "lo M1>*1=8s", "lo M2+*1=9s"]
    assert refusal(table, "lo M2+*1=9h") == "does-not-fit"
    assert refusal(table, "lo M1>*1=9s") == "does-not-fit"
    assert on_table(play(table, "lo M1>*1=8s"))[0] == "5s6s7s*1=8s"


def test_a_card_whose_place_a_joker_has_taken_can_only_be_swapped() -> None:
    """The natural card is no lay-off; it goes into the joker's place."""
    table = playing("9h Kc Qs", ["9c9d*1=9h"], jokers=2)
    assert refusal(table, "lo M1+9h") == "does-not-fit"
    assert "js M1 *1->9h hand" in menu(table)
    play(table, "js M1 *1->9h hand")
    assert on_table(table) == ["9c9d9h"]
    assert table.hands[0] == CardSet.parse("*1 Kc Qs").mask
    assert table.log[-1].text == "p0 js M1 *1->9h hand"
    play(table, "lo M1+*1=9s")
    assert on_table(table) == ["9c9d9h*1=9s"]


def test_swaps_need_the_very_card() -> None:
    """Rank and suit have to be those the joker stands for, and swapping has to be played."""
    table = playing("9s 8h 9h Qs", ["9c9d*1=9h", "5h6h*2=7h"], jokers=2)
    assert refusal(table, "js M1 *1->9s hand") == "not-the-card"
    assert refusal(table, "js M2 *1->9h hand") == "not-the-card"
    assert refusal(table, "js M3 *1->9h hand") == "no-such-meld"
    assert refusal(table, "js M2 *2->7h hand") == "not-in-hand"
    stays = playing("9s 8h 9h Qs", ["9c9d*1=9h"], jokers=2, joker_reuse="none")
    assert refusal(stays, "js M1 *1->9h hand") == "not-played"
    assert not [text for text in menu(stays) if text.startswith("js")]


def test_the_swapped_joker_may_be_thrown() -> None:
    """It came from the table, so no ban holds for it."""
    table = play(playing("9h Kc Qs", ["9c9d*1=9h"], jokers=2), "js M1 *1->9h hand", "dc *1")
    assert table.upcard is card("*1")


def test_jokers_that_name_no_suit() -> None:
    """With ``any_missing_suit`` any natural card the set lacks may be swapped, or laid off while there is room."""
    options: dict[str, Any] = {"jokers": 2, "joker_set_binding": "any_missing_suit"}
    table = playing("9s 9h Kc Qs", ["9c9d*1=9h"], **options)
    assert [t for t in menu(table) if t[:2] in ("lo", "js")] == [
        "lo M1+9h", "lo M1+9s", "js M1 *1->9h hand", "js M1 *1->9s hand"
    ]  # fmt: skip
    play(table, "lo M1+9h")
    assert on_table(table) == ["9c9d9h*1=9s"]
    play(table, "js M1 *1->9s hand")
    assert on_table(table) == ["9c9d9h9s"]


def test_what_is_written_of_a_joker_without_a_suit_does_not_matter() -> None:
    """It is written down as the lowest suits the set lacks."""
    options: dict[str, Any] = {"jokers": 2, "joker_set_binding": "any_missing_suit"}
    table = playing("9d 9h *1 *2 Kc", **options)
    sets = {text for text in menu(table) if text.startswith("m") and text.count("9") > 2}
    assert sets == {"m *1=9c*2=9d9h", "m *1=9c9d*2=9h", "m *1=9c9d9h", "m *1=9c9d9h*2=9s"}
    play(table, "m 9d9h*2=9s")
    assert table.log[-1].text == "p0 m M1=*2=9c9d9h"
    assert [t for t in menu(table) if t.startswith("lo")] == ["lo M1+*1=9c"]
    play(table, "lo M1+*1=9s")
    assert table.log[-1].text == "p0 lo M1+*1=9c"
    assert on_table(table) == ["*1=9c9d9h*2=9s"]


def test_the_banned_joker_is_used_first() -> None:
    """Lists of actions name one of several equal jokers: the one that may not be thrown, so that the turn can be ended."""
    table = taking("9d 9h *1 *2", jokers=2, must_discard_to_go_out=True)
    melds = [text for text in menu(table) if text.startswith("m")]
    assert "m *2=9c9d9h" in melds
    assert all("*2" in text for text in melds)
    assert refusal(table, "dc *2") == "banned-discard"
    assert refusal(table, "m *1=9c9d9h") == "no-discard-left"


@pytest.mark.parametrize("binding", ["declared", "any_missing_suit"])
def test_melds_without_a_gap_have_no_joker_ends(binding: str) -> None:
    """A whole suit and four of a kind take no joker."""
    rules = rules_of("round_corner", jokers=2, joker_set_binding=binding)
    for text in ("Ah2h3h4h5h6h7h8h9hThJhQhKh", "9c9d9h*1=9s"):
        assert rules.accept(meld(text)).joker_spots(card("*2")) == []
