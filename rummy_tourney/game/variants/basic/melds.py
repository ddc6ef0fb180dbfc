"""Which melds there are under the options of a table, what fits them, and which can be made from a hand.

One object of :class:`MeldRules` serves every deal with the same ace and joker rules (:func:`meld_rules`). Natural melds are
looked up by their mask; only melds with jokers are worked out when they are met.

Jokers are alike, so lists of melds name them in one order only: first the joker that may not be thrown this turn (it is the
one to get rid of), then by number. With ``any_missing_suit`` a joker in a set stands for no suit in particular; it is
written as the lowest suits that the set lacks, and what a player writes there does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from rummy_tourney.cards import CARDS, NATURALS, Card, cards_of, join_cards
from rummy_tourney.errors import IllegalAction, NotationError
from rummy_tourney.game.table import check_card
from rummy_tourney.game.variants.basic.options import BasicOptions
from rummy_tourney.melds import kernel
from rummy_tourney.melds.model import Meld, MeldKind, Spot, all_natural_melds, arrange_spots, make_meld

RANKS: Final = 13
NOTHING: Final = -1
"""In place of a card code: no card."""
_PLAIN: Final = {code: Spot(CARDS[code], CARDS[code]) for code in CARDS}
_SUIT_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


class Laid(Struct, frozen=True):
    """A meld on the table and what may be done to it.

    ``fits`` holds the natural cards that can be laid off on it, ``low`` and ``high`` are the codes of those that fit the ends
    of a run (:data:`NOTHING` where none does; in a run of twelve round the corner they are the same). ``swaps`` holds the
    natural cards that may take the place of a joker.
    """

    meld: Meld
    fits: int
    low: int
    high: int
    swaps: int

    def ends(self, code: int) -> str:
        """Where the natural card ``code`` can be laid off: ``+`` for a set, ``<``, ``>`` or ``<>`` for a run, or nothing."""
        if not self.fits >> code & 1:
            return ""
        if self.meld.kind is MeldKind.SET:
            return "+"
        return ("<" if code == self.low else "") + (">" if code == self.high else "")

    def joker_spots(self, joker: Card) -> list[tuple[str, Spot]]:
        """Where ``joker`` can be laid off and what it stands for there."""
        if self.meld.kind is MeldKind.SET:
            return [("+", Spot(joker, c)) for c in cards_of(self.fits)]
        ends = (("<", self.low), (">", self.high))
        return [(end, Spot(joker, CARDS[code])) for end, code in ends if code != NOTHING]

    def replaced(self, code: int) -> list[Card]:
        """The jokers whose place the natural card ``code`` may take."""
        if not self.swaps >> code & 1:
            return []
        jokers = [s for s in self.meld.spots if s.card.is_joker]
        named = [s.card for s in jokers if s.stands_for.code == code]
        return named or [s.card for s in jokers]


class MeldRules:
    """Melds under one ace rule and one joker rule. Get one with :func:`meld_rules`."""

    def __init__(self, ace_run: str, min_naturals: int, *, any_suit: bool) -> None:
        self.ace_run = ace_run
        self.min_naturals = min_naturals
        self.any_suit = any_suit
        self.natural: Mapping[int, Laid] = {m.mask: self._describe(m) for m in _natural_melds(ace_run)}
        threes = [mask for mask in self.natural if mask.bit_count() == 3]
        self.pairs: tuple[tuple[int, ...], ...] = tuple(
            [tuple([mask ^ 1 << code for mask in threes if mask >> code & 1]) for code in range(52)]
        )
        """By card code: every two cards, as a mask, that make a meld of three with it."""

    # --- from a meld to what may be done with it ------------------------------------------------------------------------

    def accept(self, offered: Meld) -> Laid:
        """The meld as it comes to lie on the table. Raises ``IllegalAction`` if it is none under these rules."""
        known = self.natural.get(offered.mask)
        if known is not None and known.meld is offered:
            return known
        if type(offered) is not Meld:
            raise IllegalAction("not-a-meld", f"{offered!r} is not a meld")
        return self._accept_spots(offered.spots)

    def _accept_spots(self, spots: Sequence[Spot]) -> Laid:
        naturals = 0
        for place in spots:
            check_spot(place)
            naturals += not place.card.is_joker
        try:
            made = arrange_spots(spots)
        except NotationError as error:
            raise IllegalAction("not-a-meld", str(error)) from None
        if naturals < self.min_naturals:
            raise IllegalAction("too-many-jokers", f"[{made.text}] needs {self.min_naturals} natural cards")
        if made.kind is MeldKind.RUN and not self._ace_allows(made):
            raise IllegalAction("not-a-meld", f"[{made.text}] is not a run here, the ace rule is {self.ace_run}")
        return self.laid(made.kind, made.spots)

    def laid(self, kind: MeldKind, spots: Iterable[Spot]) -> Laid:
        """The meld of some spots that are known to be one, in order."""
        places = tuple(spots)
        if kind is MeldKind.SET:
            places = self._bound(places)
        made = make_meld(kind, places)
        known = self.natural.get(made.mask)
        return known if known is not None else self._describe(made)

    def extended(self, laid: Laid, end: str, place: Spot) -> Laid:
        """A meld after a lay-off that is known to fit."""
        known = self.natural.get(laid.meld.mask | place.card.mask)
        if known is not None:
            return known
        spots = laid.meld.spots
        if end == "+":
            return self.laid(MeldKind.SET, sorted((*spots, place), key=_suit))
        return self.laid(MeldKind.RUN, (place, *spots) if end == "<" else (*spots, place))

    def swapped(self, laid: Laid, joker: Card, card: Card) -> Laid:
        """A meld after a natural card has taken the place of a joker."""
        new = _PLAIN[card.code]
        spots = [new if s.card is joker else s for s in laid.meld.spots]
        if laid.meld.kind is MeldKind.SET:
            spots.sort(key=_suit)
        return self.laid(laid.meld.kind, spots)

    def _bound(self, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """A set in order; where its jokers name nothing, they get the lowest suits it lacks."""
        jokers = [s.card for s in spots if s.card.is_joker]
        if not self.any_suit or not jokers:
            return spots
        naturals = [s for s in spots if not s.card.is_joker]
        free = cards_of(_column(naturals[0].card) & ~_cards(naturals))
        bound = [Spot(j, c) for j, c in zip(sorted(jokers), free, strict=False)]
        return tuple(sorted([*naturals, *bound], key=_suit))

    def _ace_allows(self, run: Meld) -> bool:
        """Whether a run, written in order, is one under the ace rule."""
        past = run.spots[0].stands_for.rank - 1 + len(run.spots)
        return past <= RANKS or self.ace_run == "round_corner" or (self.ace_run == "high_or_low" and past == RANKS + 1)

    def _describe(self, made: Meld) -> Laid:
        natural = _cards(s for s in made.spots if not s.card.is_joker)
        jokers = 0
        for s in made.spots:
            if s.card.is_joker:
                jokers |= s.stands_for.mask
        if made.kind is MeldKind.RUN:
            low, high = self._run_ends(made)
            fits = (1 << low if low >= 0 else 0) | (1 << high if high >= 0 else 0)
            return Laid(made, fits, low, high, jokers)
        free = _column(made.spots[0].stands_for) & ~natural
        if self.any_suit:
            return Laid(made, free if len(made.spots) < 4 else 0, NOTHING, NOTHING, free if jokers else 0)
        return Laid(made, free & ~jokers, NOTHING, NOTHING, jokers)

    def _run_ends(self, run: Meld) -> tuple[int, int]:
        """The codes of the cards that fit the low and the high end of a run."""
        first = run.spots[0].stands_for
        base = RANKS * first.suit
        start = first.rank - 1
        past = start + len(run.spots)
        if len(run.spots) == RANKS:
            return NOTHING, NOTHING
        if self.ace_run == "round_corner":
            return base + (start - 1) % RANKS, base + past % RANKS
        low = base + start - 1 if start > 0 else NOTHING
        if past < RANKS:
            return low, base + past
        return low, base if self.ace_run == "high_or_low" and past == RANKS else NOTHING

    # --- from cards to melds --------------------------------------------------------------------------------------------

    def melds_of(self, hand: int, banned: int = 0) -> list[Meld]:
        """Every meld that can be made from a hand: sets by rank, then runs by suit, first card and length.

        Jokers are named in one order only: those of ``banned`` first, then by number.
        """
        jokers = joker_order(hand, banned)
        if jokers:
            return [*self._joker_sets(hand, jokers), *self._joker_runs(hand, jokers)]
        return [self.natural[mask].meld for mask in self.natural_melds_of(hand)]

    def natural_melds_of(self, hand: int) -> list[int]:
        """Every meld that can be made from the natural cards of a hand, as masks."""
        hand &= NATURALS
        if self.ace_run == "low":
            return kernel.candidate_melds(hand)
        if not hand & _SUIT_COLUMN:
            return kernel.candidate_melds(hand)
        found = kernel.candidate_melds(hand)
        if self.ace_run == "round_corner":
            return [m for m in found if not kernel.is_run(m)] + _circular_runs(hand)
        for base in range(0, 52, RANKS):
            if hand >> base & 1:
                found += _ace_high_runs(hand, base)
        return found

    def makes_meld(self, code: int, hand: int) -> bool:
        """Whether the natural card ``code`` makes a meld with natural cards of ``hand``."""
        for pair in self.pairs[code]:  # noqa: SIM110 - any() would cost twice as much, on every draw of every bot
            if pair & hand == pair:
                return True
        return False

    def any_meld(self, cards: int) -> bool:
        """Whether any of some cards form a meld."""
        jokers = (cards & ~NATURALS).bit_count()
        cards &= NATURALS
        if jokers == 0:
            return bool(self.natural_melds_of(cards))
        if jokers >= 2 and self.min_naturals == 1 and cards:
            return True
        suits = [cards >> base & 8191 for base in range(0, 52, RANKS)]
        a, b, c, d = suits
        if a & b | a & c | a & d | b & c | b & d | c & d:
            return True
        return any(self._near(ranks, jokers) for ranks in suits)

    def _near(self, ranks: int, jokers: int) -> bool:
        """Whether two cards of one suit lie so near that jokers can fill the gap."""
        if self.ace_run == "high_or_low":
            ranks |= (ranks & 1) << RANKS
        elif self.ace_run == "round_corner":
            ranks |= ranks << RANKS
        return any(ranks & ranks << distance for distance in range(1, jokers + 2))

    def _joker_sets(self, hand: int, jokers: Sequence[Card]) -> Iterator[Meld]:
        for rank in range(RANKS):
            faces = [CARDS[rank + base] for base in range(0, 52, RANKS)]
            for chosen in _set_patterns(hand, faces, len(jokers)):
                naturals = sum(place == _NATURAL for place in chosen)
                if naturals >= self.min_naturals and (not self.any_suit or _lowest_free(chosen)):
                    yield _with_jokers(MeldKind.SET, zip(chosen, faces, strict=True), jokers)

    def _joker_runs(self, hand: int, jokers: Sequence[Card]) -> Iterator[Meld]:
        for base in range(0, 52, RANKS):
            ranks = hand >> base & 8191
            if ranks:
                for start in range(RANKS):
                    for chosen in self._run_patterns(ranks, start, len(jokers)):
                        faces = [CARDS[base + (start + k) % RANKS] for k in range(len(chosen))]
                        yield _with_jokers(MeldKind.RUN, zip(chosen, faces, strict=True), jokers)

    def _run_patterns(self, ranks: int, start: int, jokers: int) -> Iterator[tuple[int, ...]]:
        """Every run from ``start`` on, as what lies in each place: a natural card that is held, or a joker."""
        longest = {"low": RANKS - start, "high_or_low": min(RANKS, RANKS + 1 - start), "round_corner": RANKS}[self.ace_run]
        growing: list[tuple[int, ...]] = [()]
        for place in range(longest):
            held = ranks >> (start + place) % RANKS & 1
            wider = [(*chosen, _NATURAL) for chosen in growing if held]
            wider += [(*chosen, _JOKER) for chosen in growing if chosen.count(_JOKER) < jokers]
            growing = wider
            if place >= 2:
                for chosen in growing:
                    # A whole suit is a circle: it counts as one run, the one that starts with the ace.
                    if chosen.count(_NATURAL) >= self.min_naturals and (place < RANKS - 1 or start == 0):
                        yield chosen


_ABSENT: Final = 0
_NATURAL: Final = 1
_JOKER: Final = 2


@cache
def _rules(ace_run: str, min_naturals: int, any_suit: bool) -> MeldRules:
    return MeldRules(ace_run, min_naturals, any_suit=any_suit)


def meld_rules(options: BasicOptions) -> MeldRules:
    """The meld rules of a table; equal rules are the same object."""
    return _rules(options.ace_run, options.joker_min_naturals, options.joker_set_binding == "any_missing_suit")


def check_spot(place: Spot) -> None:
    """Refuse a card that claims to be what it is not."""
    check_card(place.card)
    if place.card.is_joker:
        check_card(place.stands_for)
        if place.stands_for.is_joker or place.stands_for.copy != 1:
            raise IllegalAction("not-a-meld", f"{place.card.text} has to stand for a card of the pack")
    elif place.stands_for is not place.card:
        raise IllegalAction("not-a-meld", f"{place.card.text} cannot stand for {place.stands_for.text}, it is no joker")


def joker_order(hand: int, banned: int) -> list[Card]:
    """The jokers of a hand in the order in which lists of actions use them."""
    return cards_of(hand & banned & ~NATURALS) + cards_of(hand & ~banned & ~NATURALS)


def not_in_hand(missing: int, laid: Iterable[Laid] = ()) -> IllegalAction:
    """The refusal of cards that are not held, by where they are."""
    named = join_cards(cards_of(missing))
    if any(m.meld.mask & missing for m in laid):
        return IllegalAction("already-laid", f"{named} lies on the table")
    return IllegalAction("not-in-hand", f"{named} is not in the hand")


def _suit(place: Spot) -> int:
    return place.stands_for.suit


def _cards(spots: Iterable[Spot]) -> int:
    mask = 0
    for s in spots:
        mask |= s.card.mask
    return mask


def _column(face: Card) -> int:
    """The four cards of a rank."""
    return _SUIT_COLUMN << face.rank - 1


def _with_jokers(kind: MeldKind, places: Iterable[tuple[int, Card]], jokers: Sequence[Card]) -> Meld:
    spots = []
    used = 0
    for place, face in places:
        if place == _NATURAL:
            spots.append(_PLAIN[face.code])
        elif place == _JOKER:
            spots.append(Spot(jokers[used], face))
            used += 1
    return make_meld(kind, spots)


def _set_patterns(hand: int, faces: Sequence[Card], jokers: int) -> list[tuple[int, ...]]:
    """Every set of one rank, as what lies in the place of each suit: nothing, a natural card that is held, or a joker."""
    growing: list[tuple[int, ...]] = [()]
    for face in faces:
        wider = [(*chosen, _ABSENT) for chosen in growing if _ABSENT not in chosen]
        if hand & face.mask:
            wider += [(*chosen, _NATURAL) for chosen in growing]
        wider += [(*chosen, _JOKER) for chosen in growing if chosen.count(_JOKER) < jokers]
        growing = wider
    return growing


def _lowest_free(chosen: Sequence[int]) -> bool:
    """Whether the jokers of a set stand in the lowest suits it has no natural card of."""
    free = [place for place in chosen if place != _NATURAL]
    return free == sorted(free, reverse=True)


def _natural_melds(ace_run: str) -> Iterator[Meld]:
    yield from all_natural_melds()
    if ace_run == "low":
        return
    for base in range(0, 52, RANKS):
        for length in range(3, RANKS):
            for start in range(RANKS + 1 - length, RANKS):
                if start + length == RANKS + 1 or ace_run == "round_corner":
                    yield make_meld(MeldKind.RUN, [_PLAIN[base + (start + k) % RANKS] for k in range(length)])


def _ace_high_runs(hand: int, base: int) -> Iterator[int]:
    """Runs of one suit that end with the ace above the king; the whole suit counts as a run from the ace on."""
    run = 1 << base
    for rank in range(RANKS - 1, 1, -1):
        bit = 1 << base + rank
        if not hand & bit:
            return
        run |= bit
        if rank < RANKS - 1:
            yield run


def _circular_runs(hand: int) -> list[int]:
    """Runs round the corner, by suit, first card and length; the whole suit only once."""
    found = []
    for base in range(0, 52, RANKS):
        for start in range(RANKS):
            run = 0
            for length in range(1, RANKS + 1):
                bit = 1 << base + (start + length - 1) % RANKS
                if not hand & bit or (length == RANKS and start):
                    break
                run |= bit
                if length >= 3:
                    found.append(run)
    return found
