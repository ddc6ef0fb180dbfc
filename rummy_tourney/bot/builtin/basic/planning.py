"""The best way to play a turn of basic rummy, as far as a card book would see it.

A turn is: which melds to lay, then every lay-off that can be made, then one card to throw. :class:`Planner` weighs every choice
of melds by what it leaves in hand. All weights are whole numbers, in hundredths of a point; they were tuned by play against
``greedy`` (``benchmarks/bench_strength.py --family basic``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple

from rummy_tourney.cards import CARDS, NATURALS, cards_of
from rummy_tourney.game.actions import Action, Discard, LayMeld, LayOff, SwapJoker
from rummy_tourney.game.variants.basic import BasicOptions, Laid, card_points, completes, meld_rules
from rummy_tourney.melds.model import Meld, Spot

LOOSE_COST: Final = 600
"""What a card in no meld costs, besides its points: it is one more turn to go."""
MELDED_COST: Final = 100
"""The same for a card of a meld that could not be laid yet."""
OUT_WORTH: Final = 400
"""What each live card is worth that would complete a meld."""
JOKER_WORTH: Final = 1200
"""What a joker in hand is worth, besides what its points cost."""
FED_COST: Final = 100
"""What it costs if the next seat takes the card thrown."""
MOST_FAMILIES: Final = 200
MOST_JOKER_MELDS: Final = 12
_PLAIN: Final = {code: Spot(c, c) for code, c in CARDS.items()}


@dataclass(frozen=True, slots=True)
class Situation:
    """What a turn is planned from.

    ``live`` are the cards that may still be drawn, ``risk`` the percentage of its points that a card in hand is expected to
    cost, ``next_known`` the cards the next seat is known to hold and ``next_chance`` the chance per thousand that it
    holds a given live card.
    """

    hand: int
    banned: int
    laid: tuple[Laid, ...]
    may_meld: bool
    may_lay_off: bool
    live: int
    risk: int
    next_known: int
    next_chance: int


class Plan(NamedTuple):
    """A turn: what it is worth, its actions in order, and whether it goes out."""

    value: int
    actions: tuple[Action, ...]
    goes_out: bool


GOING_OUT: Final = 1_000_000
"""The value of a plan that goes out."""


class _Draft:
    """A turn being planned: the hand and the table after the actions so far."""

    __slots__ = ("actions", "banned", "hand", "laid", "may_lay_off")

    def __init__(self, situation: Situation) -> None:
        self.hand = situation.hand
        self.banned = situation.banned
        self.laid = list(situation.laid)
        self.may_lay_off = situation.may_lay_off
        self.actions: list[Action] = []

    def copy(self) -> _Draft:
        """The same again, to go on with in another way."""
        other = object.__new__(_Draft)
        other.hand, other.banned, other.may_lay_off = self.hand, self.banned, self.may_lay_off
        other.laid, other.actions = list(self.laid), list(self.actions)
        return other


class Planner:
    """Plans turns at tables with the same options."""

    def __init__(self, options: BasicOptions) -> None:
        self.options = options
        self.rules = meld_rules(options)
        self.points = card_points(options)
        self._one_meld = options.meld_limit_per_turn == 1
        self._swaps = options.joker_reuse != "none"

    def best(self, situation: Situation) -> Plan | None:
        """The plan worth most, or ``None`` where every way to play ends without a card that may be thrown."""
        found: Plan | None = None
        for family in self._families(situation):
            for draft in self._drafts(situation, family):
                plan = self._finished(situation, draft)
                if plan is not None and (found is None or plan.value > found.value):
                    found = plan
                    if plan.goes_out:
                        return plan
        return found

    def throw_only(self, situation: Situation) -> Plan | None:
        """The best plan that puts nothing on the table."""
        return self._finished(situation, _Draft(replace(situation, may_lay_off=False)))

    # --- melds to choose from ---------------------------------------------------------------------------------------

    def _families(self, situation: Situation) -> Iterator[tuple[Meld, ...]]:
        """No meld, and every choice of melds to lay in one turn: one, or as many as fit together."""
        yield ()
        if not situation.may_meld:
            return
        melds = [self.rules.natural[mask].meld for mask in self.rules.natural_melds_of(situation.hand)]
        if situation.hand & ~NATURALS:
            melds += self._joker_melds(situation)
        if self._one_meld:
            for m in melds:
                yield (m,)
            return
        yield from islice(_families_of(melds, 0, 0), MOST_FAMILIES)

    def _joker_melds(self, situation: Situation) -> list[Meld]:
        """The melds with jokers worth looking at: those that put most points down, no joker in place of a card held."""
        best: dict[tuple[int, int], tuple[int, Meld]] = {}
        for m in self.rules.melds_of(situation.hand, situation.banned):
            stands = 0
            for s in m.spots:
                if s.card.is_joker:
                    stands |= s.stands_for.mask
            if not stands or stands & situation.hand:
                continue
            key = (m.mask & NATURALS, stands.bit_count())
            live = (stands & situation.live).bit_count()
            if key not in best or live < best[key][0]:
                best[key] = (live, m)
        ranked = sorted(best.values(), key=lambda found: self._points(found[1].mask & NATURALS) - 2 * found[0], reverse=True)
        return [m for _, m in ranked[:MOST_JOKER_MELDS]]

    # --- drafts ----------------------------------------------------------------------------------------------------

    def _drafts(self, situation: Situation, family: Sequence[Meld]) -> Iterator[_Draft]:
        """The turn with these melds and all lay-offs; with a joker left, once with it kept and once with it laid off."""
        draft = _Draft(situation)
        for m in family:
            draft.hand &= ~m.mask
            draft.laid.append(self.rules.accept(m))
            draft.may_lay_off = True
            draft.actions.append(LayMeld(m))
            if not self._completes(draft.hand, draft, draft.laid):
                return
        while self._swap(draft) or self._lay_off(draft):
            pass
        if draft.hand & ~NATURALS and draft.may_lay_off:
            yield draft.copy()
            while self._lay_off_joker(draft) or self._lay_off(draft):
                pass
        yield draft

    def _completes(self, hand: int, draft: _Draft, laid: Sequence[Laid]) -> bool:
        return bool(hand & ~draft.banned) or completes(hand, draft.banned, laid, self.options, may_lay_off=draft.may_lay_off)

    def _step(self, draft: _Draft, number: int, changed: Laid, hand: int, action: Action) -> bool:
        """Take one step if the turn can still be ended after it."""
        laid = [*draft.laid[:number], changed, *draft.laid[number + 1 :]]
        if not self._completes(hand, draft, laid):
            return False
        draft.laid = laid
        draft.hand = hand
        draft.actions.append(action)
        return True

    def _lay_off(self, draft: _Draft) -> bool:
        """Lay off one natural card: where the next one of the hand can follow, else on a set, which leaves no room."""
        if not draft.may_lay_off:
            return False
        ways = []
        for number, target in enumerate(draft.laid):
            for c in cards_of(target.fits & draft.hand):
                for end in target.ends(c.code):
                    grown = self.rules.extended(target, end, _PLAIN[c.code])
                    follows = bool(grown.fits & draft.hand & ~c.mask)
                    ways.append((follows, end == "+", -number, c.code, end, grown))
        for way in sorted(ways, key=lambda w: w[:5], reverse=True):
            number, code, end, grown = -way[2], way[3], way[4], way[5]
            if self._step(draft, number, grown, draft.hand & ~(1 << code), LayOff(number + 1, end, _PLAIN[code])):
                return True
        return False

    def _swap(self, draft: _Draft) -> bool:
        """Take a joker for the card it stands for."""
        if not self._swaps:
            return False
        for number, target in enumerate(draft.laid):
            for c in cards_of(target.swaps & draft.hand):
                joker = target.replaced(c.code)[0]
                changed = self.rules.swapped(target, joker, c)
                hand = draft.hand & ~c.mask | joker.mask
                if self._step(draft, number, changed, hand, SwapJoker(number + 1, joker, c)):
                    return True
        return False

    def _lay_off_joker(self, draft: _Draft) -> bool:
        """Lay off a joker at the first place open to one."""
        for joker in cards_of(draft.hand & ~NATURALS):
            for number, target in enumerate(draft.laid):
                for end, place in target.joker_spots(joker):
                    grown = self.rules.extended(target, end, place)
                    if self._step(draft, number, grown, draft.hand & ~joker.mask, LayOff(number + 1, end, place)):
                        return True
        return False

    # --- what is left ----------------------------------------------------------------------------------------------

    def _finished(self, situation: Situation, draft: _Draft) -> Plan | None:
        """The draft with the best card to throw."""
        left = draft.hand
        actions = tuple(draft.actions)
        if left == 0:
            return Plan(GOING_OUT, actions, goes_out=True)
        allowed = left & ~draft.banned
        if not allowed:
            return None
        if left & (left - 1) == 0:
            return Plan(GOING_OUT, (*actions, Discard(CARDS[left.bit_length() - 1])), goes_out=True)
        value, code = self._throw(situation, left, allowed, draft.laid)
        return Plan(value, (*actions, Discard(CARDS[code])), goes_out=False)

    def _throw(self, situation: Situation, left: int, allowed: int, laid: Sequence[Laid]) -> tuple[int, int]:
        """What the hand is worth without the card best thrown, and that card."""
        melded = 0
        for m in self.rules.natural_melds_of(left):
            melded |= m
        loose = left & NATURALS & ~melded
        outs = self._outs(loose, situation.live)
        base = OUT_WORTH * len(outs)
        for c in cards_of(left):
            base -= self._cost(c.code, situation.risk, melded=bool(melded & c.mask))
        choice = allowed & loose or allowed & NATURALS or allowed
        ranked = []
        for c in cards_of(choice):
            lost = OUT_WORTH * sum(1 for supports in outs.values() if supports & c.mask)
            gain = self._cost(c.code, situation.risk, melded=bool(melded & c.mask)) - lost
            ranked.append((base + gain - self._danger(situation, c.code, laid), -c.code))
        value, code = max(ranked)
        return value, -code

    def _outs(self, loose: int, live: int) -> dict[int, int]:
        """The live cards that make a meld with two loose cards, each with the loose cards all ways to do so need."""
        outs: dict[int, int] = {}
        for c in cards_of(loose):
            for pair in self.rules.pairs[c.code]:
                held = pair & loose
                missing = pair ^ held
                if held and missing & live:
                    outs[missing] = outs.get(missing, -1) & (held | c.mask)
        return outs

    def _cost(self, code: int, risk: int, *, melded: bool) -> int:
        points = risk * self.points[code]
        if melded:
            return points * 2 // 5 + MELDED_COST
        return points + (LOOSE_COST if NATURALS >> code & 1 else -JOKER_WORTH)

    def _danger(self, situation: Situation, code: int, laid: Iterable[Laid]) -> int:
        """What it costs to throw a card that the next seat may want."""
        if not NATURALS >> code & 1:
            return 10 * FED_COST
        likely = 0
        for m in laid:
            likely += 1000 * (m.fits >> code & 1)
        for pair in self.rules.pairs[code]:
            unknown = pair & ~situation.next_known
            if not unknown & ~situation.live:
                likely += (1000, situation.next_chance, situation.next_chance**2 // 1000)[unknown.bit_count()]
        return FED_COST * likely // 1000

    def _points(self, cards: int) -> int:
        return sum(self.points[c.code] for c in cards_of(cards))


def _families_of(melds: Sequence[Meld], start: int, used: int) -> Iterator[tuple[Meld, ...]]:
    """Every choice of one or more disjoint melds that leaves no later meld out."""
    for k in range(start, len(melds)):
        m = melds[k]
        if m.mask & used:
            continue
        extended = False
        for rest in _families_of(melds, k + 1, used | m.mask):
            extended = True
            yield (m, *rest)
        if not extended:
            yield (m,)
