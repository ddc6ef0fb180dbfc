"""``steady`` for gin: sound play as the strategy chapters of card books have it.

What it holds to, and where it stands in the code:

* Throw high loose cards early; keep cards that other cards can still turn into melds. Only live cards count: not those in the
  hand or the discard pile, nor those the opponent is known to hold (:func:`completing`, ``SteadyGin._prospects``).
* Draw from the stock, unless the upcard makes a meld, or lets the hand end at once (``SteadyGin._wants``).
* Do not feed the opponent. What it took from the discard pile it holds; what it threw, or let pass, says which pairs it
  does not hold (``SteadyGin._danger``).
* Knock early or not at all. Later the opponent may well undercut, and a hand close to gin is worth more than a small
  difference (``SteadyGin._knocks_now``).

The weights were tuned on decks of their own, against ``greedy`` and against variants of this bot;
``benchmarks/bench_strength.py`` measures on others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rummy_tourney.bot.builtin import builtin
from rummy_tourney.cards import CARDS, NATURALS
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, BigGin, Discard, Knock
from rummy_tourney.game.events import ENGINE, discard_takes, discards, passes, stock_draws
from rummy_tourney.game.variants.gin import GinOptions, GinView, best_defence_actions
from rummy_tourney.game.variants.gin.table import as_melds
from rummy_tourney.game.view import DealInfo, Phase, SeatView
from rummy_tourney.melds import kernel

POINT: Final = 64
"""What a point of deadwood counts when discards are compared."""
HORIZON: Final = (4, 4, 3, 3, 2, 2, 2, 2, 1)
"""For how many draws to come a live card counts, by turns played; the last number for all later turns."""
MELD_WORTH: Final = 5
"""Points that a live card counts for beyond the deadwood it takes away."""
GIN_WORTH: Final = 35
"""Points more if it makes gin."""
WALL_LIMIT: Final = 2
"""Most deadwood to knock with at the wall, where the opponent has had all the time there is."""
WINDOW: Final = 5
"""A discard that leaves this much more deadwood than the best one is not considered."""
CERTAIN: Final = 64
"""The chance of a card to be in the opponent's hand if it was seen to take it; other chances are parts of this."""
LIKELY: Final = 32
"""The same for a card that would meld with one the opponent took."""
DENIED: Final = 4
"""A pair is so many times less likely once the opponent has thrown or refused a card that completes it."""
FEEDING: Final = 5
"""Points that it costs to throw a card the opponent is sure to meld."""

_RANK: Final = sum(kernel.BITS[13 * suit] for suit in range(4))
_ACES, _TWOS, _QUEENS, _KINGS = (_RANK << rank for rank in (0, 1, 11, 12))
_UP_ONE: Final = NATURALS & ~_ACES
_UP_TWO: Final = NATURALS & ~(_ACES | _TWOS)
_DOWN_ONE: Final = NATURALS & ~_KINGS
_DOWN_TWO: Final = NATURALS & ~(_KINGS | _QUEENS)
_SUIT: Final = kernel.SUIT_MASK


def completing(hand: int) -> int:
    """The cards outside a hand that form a meld with two of its cards."""
    above = hand << 1 & _UP_ONE
    below = hand >> 1 & _DOWN_ONE
    runs = above & below | above & hand << 2 & _UP_TWO | below & hand >> 2 & _DOWN_TWO
    a, b, c, d = hand & _SUIT, hand >> 13 & _SUIT, hand >> 26 & _SUIT, hand >> 39
    ranks = a & b | c & d | (a | b) & (c | d)
    return (runs | ranks | ranks << 13 | ranks << 26 | ranks << 39) & ~hand


def _pairs(code: int) -> list[tuple[int, int, int, int]]:
    """The pairs that a card makes a meld of: one card, the other, both, and all cards that would make one of both."""
    rank = code % 13
    same = [rank + 13 * suit for suit in range(4) if rank + 13 * suit != code]
    pairs = [(same[0], same[1]), (same[0], same[2]), (same[1], same[2])]
    pairs += [(code + i, code + j) for i, j in ((-2, -1), (-1, 1), (1, 2)) if rank + i >= 0 and rank + j < 13]
    found = []
    for one, other in pairs:
        both = kernel.BITS[one] | kernel.BITS[other]
        found.append((kernel.BITS[one], kernel.BITS[other], both, completing(both)))
    return found


def _partners(code: int) -> int:
    """The cards of the same rank, and the neighbours of the suit."""
    bit = kernel.BITS[code]
    return kernel.fitting(bit) | bit << 1 & _UP_ONE | bit >> 1 & _DOWN_ONE


def _meanings() -> dict[str, tuple[int, int, int]]:
    """What the events of a deal tell, by text: what was done, by whom, with which card."""
    found = {}
    for seat in range(2):
        for code in range(52):
            found[discards(seat)[code].text] = (_THREW, seat, kernel.BITS[code])
            found[discard_takes(seat)[code].text] = (_TOOK, seat, kernel.BITS[code])
        found[stock_draws(seat)[0].public.text] = (_REFUSED, seat, 0)
        found[passes(seat).text] = (_REFUSED, seat, 0)
    for code in range(52):
        found[f"d up {CARDS[code].text}"] = (_THREW, ENGINE, kernel.BITS[code])
    return found


_THREW, _TOOK, _REFUSED = range(3)
_MEANINGS: Final = _meanings()
_PAIRS: Final = tuple(_pairs(code) for code in range(52))
_PARTNERS: Final = tuple(_partners(code) for code in range(52))
_DISCARDS: Final = tuple(Discard(CARDS[code]) for code in range(52))


class _Memory:
    """What one seat has seen of one deal.

    ``gone`` are the cards of the discard pile, ``taken`` those the opponent took from it and still holds, ``denied`` those it
    threw or let pass; ``turns`` counts our own discards; ``fresh`` is the discard we took this turn.
    """

    def __init__(self, deal: DealInfo, seat: int) -> None:
        self.deal = deal
        self.seat = seat
        self.gone = 0
        self.taken = 0
        self.denied = 0
        self.turns = 0
        self.fresh = 0
        self._events = 0
        self._upcard = 0

    def follows(self, view: SeatView) -> bool:
        """Whether the view is a later one of the same deal and seat."""
        return view.deal is self.deal and view.seat == self.seat and view.event_count >= self._events

    def read(self, view: SeatView) -> None:
        """Take in what has happened since the last time."""
        for event in view.events_from(self._events):
            known = _MEANINGS.get(event.text)
            if known is not None:
                self._note(*known)
        self._events = view.event_count

    def _note(self, what: int, actor: int, card: int) -> None:
        theirs = actor == 1 - self.seat
        if what == _THREW:
            self.gone |= card
            self._upcard = card
            if theirs:
                self.taken &= ~card
                self.denied |= card
            elif actor == self.seat:
                self.turns += 1
                self.fresh = 0
        elif what == _TOOK:
            self.gone &= ~card
            if theirs:
                self.taken |= card
            else:
                self.fresh = card
        elif theirs:
            self.denied |= self._upcard


@builtin("gin", "steady")
class SteadyGin:
    """Builds melds from live cards, feeds the opponent as little as it can, knocks early or plays for gin.

    Plays by the advice of card books, with nothing left to chance: the same cards are always played the same way.
    """

    def __init__(self) -> None:
        self._memory: _Memory | None = None

    def act(self, view: GinView) -> Action | Sequence[Action]:
        """Answer one decision."""
        phase = view.phase
        if phase is Phase.SHED or phase is Phase.WALL_KNOCK:
            return self._end_turn(view, self._remember(view))
        if phase is Phase.DRAW:
            return TAKE_DISCARD if self._wants(view, self._remember(view)) else DRAW_STOCK
        if phase is Phase.UPCARD:
            return TAKE_DISCARD if self._wants(view, self._remember(view)) else PASS
        if phase is Phase.FORCED:
            return DRAW_STOCK
        if phase is Phase.WALL:
            return self._last_chance(view)
        return best_defence_actions(view)

    def _remember(self, view: GinView) -> _Memory:
        """What is known of this deal by now."""
        memory = self._memory
        if memory is None or not memory.follows(view):
            memory = self._memory = _Memory(view.deal, view.seat)
        memory.read(view)
        return memory

    def _wants(self, view: GinView, memory: _Memory) -> bool:
        """Whether to take the upcard: it melds and so lowers the deadwood, or it ends the hand when that is wanted."""
        upcard = view.upcard
        if upcard is None:
            return False
        hand = view.hand_mask
        taken = hand | upcard.mask
        code, left = kernel.best_discard(taken)
        if code == upcard.code or left >= kernel.deadwood(hand):
            return False
        if upcard.mask & completing(hand):
            return True
        return left <= view.limit and self._knocks_now(view, memory, taken ^ kernel.BITS[code])

    def _last_chance(self, view: GinView) -> Action:
        """At the wall: take the last discard to knock with hardly any deadwood; with more, a dead hand is better."""
        upcard = view.upcard
        last = view.legal_actions()[-1]
        if upcard is None or last != TAKE_DISCARD:
            return PASS
        banned = upcard.mask if cast(GinOptions, view.deal.options).ban_discard_back else 0
        left = kernel.best_discard_except(view.hand_mask | upcard.mask, banned)[1]
        return last if left <= WALL_LIMIT else PASS

    def _end_turn(self, view: GinView, memory: _Memory) -> Action:
        hand = view.hand_mask
        code, left = kernel.best_discard_except(hand, view.banned_mask)
        if left == 0 and view.big_gin and kernel.deadwood(hand) == 0:
            return BigGin(as_melds(kernel.arrangement(hand)))
        rest = hand ^ kernel.BITS[code]
        if left <= view.limit and (left == 0 or view.phase is Phase.WALL_KNOCK or self._knocks_now(view, memory, rest)):
            return Knock(CARDS[code], as_melds(kernel.knock_arrangement(rest)))
        return _DISCARDS[self._discard(view, memory)]

    def _knocks_now(self, view: GinView, memory: _Memory, rest: int) -> bool:
        """Whether to knock with ``rest``, which is within the limit, rather than to go on.

        Early the opponent still holds a lot. Every turn played and every discard it took makes an undercut more likely, and
        every live card that makes gin makes waiting better (it counts as three turns). The dearer an undercut, the sooner it
        is too late.
        """
        patience = 16 - cast(GinOptions, view.deal.options).undercut_bonus // 4
        patience -= memory.turns + memory.taken.bit_count()
        if patience < 0:
            return False
        for card in _bits(completing(rest) & _live(rest, memory)):
            if kernel.best_discard(rest | card)[1] == 0:
                patience -= 3
                if patience < 0:
                    return False
        return True

    def _discard(self, view: GinView, memory: _Memory) -> int:
        """The code of the best card to throw: little deadwood left, good prospects, little danger.

        Ties go to the higher rank, then to the lower suit.
        """
        hand = view.hand_mask
        live = _live(hand, memory)
        unseen = live.bit_count()
        horizon = POINT * HORIZON[min(memory.turns, len(HORIZON) - 1)]
        danger = _Danger(hand, memory, unseen)
        # What was just taken stays, also where the rules would let it go back: else two of us could pass it for ever.
        kept = view.banned_mask | memory.fresh
        rows = [(code, left) for code, left in kernel.discard_table(hand) if not kernel.BITS[code] & kept]
        worst = min(left for _, left in rows) + WINDOW
        best = (0, 0)
        chosen = -1
        for code, left in rows:
            if left <= worst:
                prospects = _prospects(hand ^ kernel.BITS[code], left, live)
                cost = POINT * left - prospects * horizon // unseen + danger.of(code)
                if chosen < 0 or (cost, -(code % 13)) < best:
                    best = (cost, -(code % 13))
                    chosen = code
        return chosen


def _prospects(hand: int, deadwood: int, live: int) -> int:
    """What the live cards would do for a hand of ten, in points, summed over them."""
    total = 0
    outs = completing(hand) & live
    while outs:
        card = outs & -outs
        outs ^= card
        left = kernel.best_discard(hand | card)[1]
        if left < deadwood:
            total += deadwood - left + MELD_WORTH
            if left == 0:
                total += GIN_WORTH
    return total


class _Danger:
    """How likely the opponent melds a card we throw, from the pairs it may hold."""

    def __init__(self, hand: int, memory: _Memory, unseen: int) -> None:
        self._absent = hand | memory.gone
        self._taken = memory.taken
        self._denied = memory.denied
        self._near = 0
        for card in _bits(memory.taken):
            self._near |= _PARTNERS[card.bit_length() - 1]
        self._unknown = (10 - memory.taken.bit_count()) * CERTAIN // unseen

    def of(self, code: int) -> int:
        """The cost of throwing a card, in parts of a point."""
        total = 0
        for one, other, both, makers in _PAIRS[code]:
            if both & self._absent:
                continue
            chance = self._held(one) * self._held(other)
            if makers & self._denied and not both & self._taken:
                chance //= DENIED
            total += chance
        return total * FEEDING * POINT // CERTAIN**2

    def _held(self, card: int) -> int:
        """The chance, in parts of :data:`CERTAIN`, that the opponent holds a card."""
        if card & self._taken:
            return CERTAIN
        return LIKELY if card & self._near else self._unknown


def _live(hand: int, memory: _Memory) -> int:
    """The cards that may still come: in the stock, or in the opponent's hand unseen."""
    return NATURALS & ~(hand | memory.gone | memory.taken)


def _bits(mask: int) -> list[int]:
    """The single bits of a mask, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        mask ^= low
        found.append(low)
    return found
