"""One deal of basic rummy in play: draw, meld and lay off, throw. Wrotham's deals too.

A seat draws (:attr:`Phase.DRAW`), then plays (:attr:`Phase.PLAY`, or :attr:`Phase.SHED` in the deals of Wrotham where
everything is laid at once). Legality lives in ``play.py`` and ``wrotham.py``, the stock in ``stock.py``, points in
``scoring.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from rummy_tourney.cards import CARDS, NATURALS, Card, cards_of, join_cards, pack
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    Action,
    Declare,
    Discard,
    DrawStock,
    LayMeld,
    LayOff,
    Pass,
    SwapJoker,
    TakeDiscard,
)
from rummy_tourney.game.events import Event, discard_takes, discards, passes, stock_draws
from rummy_tourney.game.rules import DealResult, DealSetup, Points
from rummy_tourney.game.table import Table, throwable, wrong_action
from rummy_tourney.game.variants.basic.melds import Laid, MeldRules
from rummy_tourney.game.variants.basic.options import MOST_SEATS, BasicOptions
from rummy_tourney.game.variants.basic.play import (
    BasicView,
    check_completes,
    check_lay_off,
    check_meld,
    check_swap,
    check_throw,
    fitting_cards,
)
from rummy_tourney.game.variants.basic.scoring import Parts, nobody_out_points, out_points
from rummy_tourney.game.variants.basic.stock import AT_START_OF_TURN, can_recycle, recycle
from rummy_tourney.game.variants.basic.wrotham import all_at_once, bonus_counts, check_declare
from rummy_tourney.game.view import DealInfo, Phase
from rummy_tourney.melds.model import melds_text

_STOCK_DRAWS: Final = tuple(stock_draws(seat) for seat in range(MOST_SEATS))
_TAKES: Final = tuple(discard_takes(seat) for seat in range(MOST_SEATS))
_DISCARDS: Final = tuple(discards(seat) for seat in range(MOST_SEATS))
_NO_CARD: Final = -1
_NO_LIMIT: Final = 1000
"""More melds than a hand has."""


class BasicTable(Table):
    """One deal of basic rummy in play.

    ``laid`` are the melds on the table and ``owners`` the seats that laid them, ``counts`` the cards of each hand, ``acted``
    the seats (bit by bit) that have melded, laid off or swapped on an earlier turn.
    """

    __slots__ = ("_acts_now", "_at_once", "_bonus", "_drawn", "_points", "_result", "_rules", "_void_at", "_void_due", "acted",
                 "counts", "ending", "fits", "laid", "melds_left", "options", "owners", "recycles", "winner")  # fmt: skip

    def __init__(self, setup: DealSetup, options: BasicOptions, rules: MeldRules, points: Mapping[int, int]) -> None:
        first = (setup.dealer + 1) % setup.seats
        super().__init__(setup, DealInfo("basic", options, setup.seats, setup.dealer, first, setup.number, setup.scores))
        self.options = options
        self.ending = ""
        self.winner: int | None = None
        self.laid: tuple[Laid, ...] = ()
        self.owners: tuple[int, ...] = ()
        self.fits = 0
        self.recycles = 0
        self.acted = 0
        self.melds_left = 0
        self._rules = rules
        self._points = points
        self._result: DealResult | None = None
        self._at_once = all_at_once(options, setup.scored)
        self._bonus = bonus_counts(options, setup.scored)
        self._void_at = options.void_threshold if options.stock_exhaustion == "void_at_threshold" else -1
        self._void_due = False
        self._drawn = _NO_CARD
        self._acts_now = 0
        self.counts = [options.hand_size(setup.seats)] * setup.seats
        if options.wrotham:
            self.counts[first] += 1
            self.deal_hands(self.counts)
            self._ask_to_play(0)
        else:
            self.deal_hands(self.counts)
            self.turn_upcard()
            self._open_turn()

    def view(self) -> BasicView:
        """What the seat to act may know."""
        seat = self.to_act
        pile = self.pile
        seen = self.seen[seat]
        owners = self.owners
        may_lay_off = not self.options.layoff_requires_own_meld or seat in owners
        can_draw = bool(self.stock) or can_recycle(self.options, len(pile), self.recycles)
        return BasicView(
            seat, self.phase, self.hands[seat], CARDS[pile[-1]] if pile else None, len(self.stock), self.banned, self.deal,
            seen, len(seen), self.laid, owners, tuple(self.counts), len(pile), self.recycles, can_draw, self.melds_left > 0,
            may_lay_off, self.fits if may_lay_off else 0, not self.acted >> seat & 1, self._at_once,
        )  # fmt: skip

    # --- one function per phase -------------------------------------------------------------------------------------

    def _apply_draw(self, action: Action) -> None:
        kind = type(action)
        seat = self.to_act
        if kind is DrawStock:
            if not self.stock:
                self._renew_for_draw()
            code = self.stock.pop()
            self._void_due = len(self.stock) <= self._void_at
            self.hands[seat] |= CARDS[code].mask
            self.counts[seat] += 1
            self.emit(_STOCK_DRAWS[seat][code])
            self._drawn = code
            self._ask_to_play(0)
        elif kind is TakeDiscard:
            if not self.pile:
                raise IllegalAction("no-discard", "there is no card on the discard pile")
            code = self.pile.pop()
            bit = CARDS[code].mask
            self.hands[seat] |= bit
            self.counts[seat] += 1
            self.emit(_TAKES[seat][code])
            self._drawn = _NO_CARD
            self._ask_to_play(bit if self.options.ban_discard_back else 0)
        elif kind is Pass:
            self._decline()
        else:
            raise wrong_action(self.phase, action)

    def _apply_play(self, action: Action) -> None:
        kind = type(action)
        if kind is Discard:
            self._throw(action.card)  # type: ignore[union-attr, arg-type]  # its type was just looked at
        elif kind is LayMeld:
            self._meld(action)  # type: ignore[arg-type]  # as above
        elif kind is LayOff:
            self._lay_off(action)  # type: ignore[arg-type]  # as above
        elif kind is SwapJoker:
            self._swap(action)  # type: ignore[arg-type]  # as above
        else:
            raise wrong_action(self.phase, action)

    def _apply_at_once(self, action: Action) -> None:
        if type(action) is Discard:
            self._throw(action.card)
        elif type(action) is Declare:
            self._declare(action)
        else:
            raise wrong_action(self.phase, action)

    # --- drawing and ending a turn ----------------------------------------------------------------------------------

    def _can_recycle(self) -> bool:
        return can_recycle(self.options, len(self.pile), self.recycles)

    def _renew_for_draw(self) -> None:
        if not self._can_recycle():
            raise IllegalAction("no-stock", "the stock is used up: take the discard, or pass to end the deal")
        recycle(self, self.options, self.recycles + 1)
        self.recycles += 1

    def _decline(self) -> None:
        if self.stock or self._can_recycle():
            raise IllegalAction("must-draw", "there are cards to draw, nobody may pass")
        self.emit(passes(self.to_act))
        self._end_at_limit()

    def _ask_to_play(self, banned: int) -> None:
        self.banned = banned
        self.melds_left = self.options.meld_limit_per_turn or _NO_LIMIT
        if self._at_once:
            self.phase, self.apply = Phase.SHED, self._apply_at_once
        else:
            self.phase, self.apply = Phase.PLAY, self._apply_play

    def _throw(self, thrown: Card) -> None:
        seat = self.to_act
        check_throw(self.hands[seat], self.banned, self.laid, thrown)
        code = thrown.code
        left = self.hands[seat] ^ thrown.mask
        self.hands[seat] = left
        self.counts[seat] -= 1
        self.pile.append(code)
        self.emit(_DISCARDS[seat][code])
        if left == 0:
            self._go_out()
            return
        self.acted |= self._acts_now
        self._acts_now = 0
        self.banned = 0
        self.turns += 1
        self.to_act = (seat + 1) % self.seats
        self._open_turn()

    def _open_turn(self) -> None:
        """Look whether the deal can go on, and ask the next seat to draw."""
        options = self.options
        if options.stalemate_detection and self._nobody_can_finish():
            self._end("stalemate")
        elif self._void_due:
            self._end("void")
        elif not self.stock and options.limit_trigger == "immediate" and not self._can_recycle():
            self._end_at_limit()
        elif self.turns >= options.max_turns:
            self._end("turn-cap")
        else:
            if not self.stock and options.stock_exhaustion == AT_START_OF_TURN and self._can_recycle():
                self._renew_for_draw()
            self.phase, self.apply = Phase.DRAW, self._apply_draw

    def _nobody_can_finish(self) -> bool:
        """Whether nothing fits the table, and no seat can hold three cards or no three cards make a meld.

        Sound, not complete: with one card in hand (two where the last has to be thrown) a seat holds too few after its draw.
        """
        loose = pack(1, self.options.jokers).mask
        for m in self.laid:
            loose &= ~m.meld.mask
        for m in self.laid:
            if m.fits & loose or (m.fits and loose & ~NATURALS):
                return False
            if m.swaps & loose and self.options.joker_reuse != "none":
                return False
        too_few = 2 if self.options.must_discard_to_go_out else 1
        return max(self.counts) <= too_few or not self._rules.any_meld(loose)

    # --- melds ------------------------------------------------------------------------------------------------------

    def _meld(self, action: LayMeld) -> None:
        seat = self.to_act
        new = check_meld(self._rules, self.hands[seat], self.laid, action.meld, may_meld=self.melds_left > 0)
        left = self.hands[seat] ^ new.meld.mask
        laid = (*self.laid, new)
        if not left & ~self.banned:
            check_completes(left, self.banned, laid, self.options, may_lay_off=True)
        self.melds_left -= 1
        self.owners = (*self.owners, seat)
        self._change(seat, left, laid, Event(f"p{seat} m M{len(laid)}={new.meld.text}"))

    def _lay_off(self, action: LayOff) -> None:
        seat = self.to_act
        place = action.spot
        may = not self.options.layoff_requires_own_meld or seat in self.owners
        grown = check_lay_off(self._rules, self.hands[seat], self.laid, action, may_lay_off=may)
        left = self.hands[seat] ^ place.card.mask
        laid = self._with(action.meld, grown)
        if not left & ~self.banned:
            check_completes(left, self.banned, laid, self.options, may_lay_off=True)
        if place.card.is_joker:
            # Where jokers name no suit, the one written down is the one it has got in the meld.
            place = next(s for s in grown.meld.spots if s.card is place.card)
        self._change(seat, left, laid, Event(f"p{seat} lo M{action.meld}{action.end}{place.text}"))

    def _swap(self, action: SwapJoker) -> None:
        seat = self.to_act
        changed = check_swap(self._rules, self.hands[seat], self.laid, self.options, action)
        left = self.hands[seat] ^ action.card.mask | action.joker.mask
        laid = self._with(action.meld, changed)
        if not left & ~self.banned:
            may = not self.options.layoff_requires_own_meld or seat in self.owners
            check_completes(left, self.banned, laid, self.options, may_lay_off=may)
        text = f"p{seat} js M{action.meld} {action.joker.text}->{action.card.text} hand"
        self._change(seat, left, laid, Event(text))

    def _with(self, number: int, changed: Laid) -> tuple[Laid, ...]:
        """The melds on the table with ``M<number>`` changed."""
        return (*self.laid[: number - 1], changed, *self.laid[number:])

    def _change(self, seat: int, left: int, laid: tuple[Laid, ...], event: Event) -> None:
        """Cards have gone from a hand to the table."""
        self.hands[seat] = left
        self.counts[seat] = left.bit_count()
        self.laid = laid
        self.fits = fitting_cards(laid)
        self._acts_now = 1 << seat
        self.emit(event)
        if left == 0:
            self._go_out()

    def _declare(self, action: Declare) -> None:
        seat = self.to_act
        must_discard = self.options.must_discard_to_go_out
        melds = check_declare(self._rules, self.hands[seat], self.banned, action, must_discard=must_discard)
        thrown = "" if action.card is None else f"{action.card.text} "
        if action.card is not None:
            self.pile.append(action.card.code)
        self.hands[seat] = 0
        self.counts[seat] = 0
        self.laid = tuple([self._rules.accept(m) for m in melds])
        self.owners = (seat,) * len(melds)
        self.emit(Event(f"p{seat} dcl {thrown}{melds_text(melds)}"))
        self.winner = seat
        self.ending = "declare"
        self._close()

    # --- the end ----------------------------------------------------------------------------------------------------

    def _go_out(self) -> None:
        self.winner = self.to_act
        self.ending = "out" if self.acted >> self.to_act & 1 else "rummy"
        self._close()

    def _end_at_limit(self) -> None:
        self._end("blocked" if self.options.limit_result == "no_out_scoring" else "stalemate")

    def _end(self, ending: str) -> None:
        self.ending = ending
        self.finish(ending, by_engine=True)
        self._close()

    def _close(self) -> None:
        self.phase = Phase.OVER
        self.apply = _refuse_when_over
        self.emit_score(self.result())

    # --- what the fault policy needs --------------------------------------------------------------------------------

    def default_action(self) -> Action:
        """Draw from the stock, else take the discard, else pass; throw the card just drawn, else the dearest natural card.

        Where only the card that may not be thrown is left, it is laid off.
        """
        if self.phase is Phase.DRAW:
            if self.stock or self._can_recycle():
                return DRAW_STOCK
            return TAKE_DISCARD if self.pile else PASS
        allowed = throwable(self.hands[self.to_act], self.banned)
        if not allowed:
            return self.legal_actions()[0]
        if self._drawn != _NO_CARD and allowed >> self._drawn & 1:
            return Discard(CARDS[self._drawn])
        candidates = cards_of(allowed & NATURALS or allowed)
        return Discard(max(candidates, key=lambda c: (self._points[c.code], c.rank, -c.suit)))

    def forfeit_cost(self, seat: int) -> int:
        """The present hand, doubled or raised by the bonus if an opponent could still go rummy."""
        hand = self._hand_points(self.hands[seat])
        could_go_rummy = any(not self.acted >> other & 1 for other in range(self.seats) if other != seat)
        if not self._bonus or not could_go_rummy:
            return hand
        return 2 * hand if self.options.bonus_kind == "double" else hand + self.options.bonus_number

    # --- the score --------------------------------------------------------------------------------------------------

    def _hand_points(self, hand: int) -> int:
        points = self._points
        total = 0
        while hand:
            low = hand & -hand
            total += points[low.bit_length() - 1]
            hand ^= low
        return total

    def result(self) -> DealResult:
        """Points by the hands left, after the table of the rules."""
        if self._result is None:
            self._result = self._scored()
        return self._result

    def _scored(self) -> DealResult:
        left = [self._hand_points(hand) for hand in self.hands]
        points, parts, counters = self._award(left)
        melds = []
        for seat in range(self.seats):
            melds.append(melds_text(m.meld for m, owner in zip(self.laid, self.owners, strict=True) if owner == seat))
        hands = tuple([join_cards(cards_of(hand)) for hand in self.hands])
        return DealResult(
            self.ending, points, parts, self.winner, self.ending != "void", 0, hands, tuple(melds), tuple(left), counters
        )

    def _award(self, left: list[int]) -> tuple[tuple[Points, ...], Parts, tuple[int, ...]]:
        """Points, their breakdown and the penalty counters, from the points left in the hands."""
        options = self.options
        none = (0,) * self.seats
        if self.ending in _SOMEBODY_OUT and self.winner is not None:
            bonus = self._bonus and self.ending == "rummy"
            points, parts = out_points(options, left, self.winner, bonus=bonus)
            each = options.bonus_number if bonus and options.bonus_kind == "penalty_each" else 0
            return points, parts, tuple([0 if seat == self.winner else each for seat in range(self.seats)])
        if self.ending in _NOT_COUNTED or options.limit_result == "stalemate_zero":
            return none, ({},) * self.seats, none
        lowest = min(left)
        if left.count(lowest) == 1:
            self.winner = left.index(lowest)
        return *nobody_out_points(options, left), none


class LowWinsTable(BasicTable):
    """A deal where points are penalties."""

    __slots__ = ()

    low_wins: ClassVar[bool] = True


_SOMEBODY_OUT: Final = ("out", "rummy", "declare")
_NOT_COUNTED: Final = ("void", "stalemate")


def _refuse_when_over(action: Action) -> None:
    raise IllegalAction("deal-over", f"the deal is over, {action!r} comes too late")
