"""One hand of gin in play. See ``rules`` of the family for the sources; phases and their names follow card books.

Seats: the non-dealer acts first. Legality lives in the ``check_…`` and ``may_…`` functions below, over plain ints; the table
refuses with them and the view lists with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rummy_tourney.cards import CARDS, Card, Suit, cards_of, mask_text
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.actions import (
    DRAW_STOCK,
    PASS,
    TAKE_DISCARD,
    Action,
    BigGin,
    Discard,
    DrawStock,
    Knock,
    LayOff,
    Pass,
    Show,
    TakeDiscard,
)
from rummy_tourney.game.events import Event, discard_takes, discards, passes, stock_draws
from rummy_tourney.game.notation import loose_text
from rummy_tourney.game.rules import DealResult, DealSetup, Points
from rummy_tourney.game.table import Table, check_card, check_discard, discards_of, throwable, wrong_action
from rummy_tourney.game.variants.gin.options import GinOptions
from rummy_tourney.game.view import DealInfo, Phase, SeatView
from rummy_tourney.melds import kernel
from rummy_tourney.melds.model import Meld, Spot, melds_text, natural_meld

WALL_STOCK: Final = 2
"""Stock cards that are never drawn: the hand is at the wall."""
ANY_DEADWOOD: Final = 1000
"""A limit that no hand exceeds."""
_STOCK_DRAWS: Final = (stock_draws(0), stock_draws(1))
_TAKES: Final = (discard_takes(0), discard_takes(1))
_DISCARDS: Final = (discards(0), discards(1))
_CODES: Final = kernel.BITS
# An attribute of an Enum class is a slow look-up, a global is not; these are set twice a turn.
_SHED, _DRAW, _LAYOFF = Phase.SHED, Phase.DRAW, Phase.LAYOFF


def knock_limit(options: GinOptions, upcard: Card | None) -> int:
    """Most deadwood to knock with: fixed, or set by the first upcard in Oklahoma."""
    if not options.oklahoma or upcard is None:
        return options.knock_limit
    value = kernel.POINTS[upcard.code]
    if value == 1 and options.ace_rule == "gin_only":
        value = 0
    return min(value, options.knock_limit_cap)


def check_claim(
    hand: int, melds: Sequence[Meld], limit: int, *, thrown: int = 0, laid: int = 0
) -> tuple[tuple[Meld, ...], int]:
    """The claimed melds in canonical form, and the deadwood they leave.

    Refuses melds that are none, are not held, overlap, or leave more than ``limit``. ``thrown`` and ``laid`` are cards that
    were in the hand a moment ago; a claim of one of them is refused with a reason of its own.
    """
    if type(melds) is not tuple and type(melds) is not list:
        raise IllegalAction("not-a-meld", f"a claim is a tuple of melds, not a {type(melds).__name__}")
    left = hand
    claimed = []
    for m in melds:
        known = natural_meld(m.mask) if type(m) is Meld else None
        if known is None or (known is not m and known != m):
            raise IllegalAction("not-a-meld", f"{m!r} is not a set or run of natural cards, ace low")
        if known.mask & ~hand:
            raise _not_held(known.mask & ~hand, thrown, laid)
        if known.mask & ~left:
            raise IllegalAction("overlap", f"[{known.text}] uses a card of another claimed meld")
        left ^= known.mask
        claimed.append(known)
    deadwood = kernel.points(left)
    if deadwood > limit:
        raise IllegalAction("too-much-deadwood", f"{deadwood} points are left, at most {limit} are allowed")
    return tuple(claimed), deadwood


def _not_held(missing: int, thrown: int, laid: int) -> IllegalAction:
    """The refusal of a claim or lay-off of cards that are not in the hand, by where they are."""
    named = mask_text(missing)
    if missing & thrown:
        return IllegalAction("used-twice", f"{named} cannot be thrown and melded")
    if missing & laid:
        return IllegalAction("already-laid", f"{named} lies on the table already")
    return IllegalAction("not-in-hand", f"{named} is not in the hand")


def check_lay_off(melds: Sequence[int], hand: int, action: LayOff) -> str:
    """The end where the card comes to lie. Refuses a card that is not held or does not fit where the action says."""
    number = action.meld
    if type(number) is not int or not 1 <= number <= len(melds):
        raise IllegalAction("no-such-meld", f"there is no M{number} on the table")
    card = action.spot.card
    check_card(card)
    if not hand & card.mask or action.spot.stands_for is not card:
        raise _not_held(card.mask, 0, sum(melds))
    end = lay_off_end(melds[number - 1], card)
    if not end or end != action.end:
        raise IllegalAction("does-not-fit", f"{card.text} does not fit M{number}{action.end}")
    return end


def lay_off_end(meld: int, laid: Card) -> str:
    """Where a card fits a meld: ``<`` low end, ``>`` high end, ``+`` a set, or nothing."""
    if not kernel.fitting(meld) & laid.mask:
        return ""
    if meld & (meld & -meld) << 1:
        return "<" if laid.mask < meld else ">"
    return "+"


class GinView(SeatView, frozen=True):
    """What a gin seat may know: with ``limit``, the knock limit of this hand, and the knocker's melds at the lay-off.

    ``table_melds`` are the knocker's melds as they lie, lay-offs included; ``knocked_with`` is the knocker's deadwood.
    """

    limit: int
    table_melds: tuple[int, ...] = ()
    knocked_with: int = -1
    knocker_loose: int = 0

    @property
    def big_gin(self) -> bool:
        """Whether big gin is played at this table."""
        options = self.deal.options
        return isinstance(options, GinOptions) and options.big_gin_bonus is not None

    def knocks(self) -> list[Action]:
        """Every legal knock: each throwable card with each claim of melds within the limit."""
        found: list[Action] = []
        for c in cards_of(throwable(self.hand_mask, self.banned_mask)):
            rest = self.hand_mask ^ c.mask
            if kernel.deadwood(rest) <= self.limit:
                found += [Knock(c, as_melds(masks)) for masks in kernel.arrangements(rest, self.limit)]
        return found

    def big_gins(self) -> list[Action]:
        """Every legal big gin: each way to meld all eleven cards, where it is played."""
        if not self.big_gin or kernel.deadwood(self.hand_mask):
            return []
        return [BigGin(as_melds(masks)) for masks in kernel.arrangements(self.hand_mask, 0)]

    def best_defence(self) -> list[Action]:
        """The best answer to a knock as single actions: lay-offs and own melds together, exact."""
        return best_defence_actions(self)

    def legal_actions(self) -> Sequence[Action]:
        """Every action the rules allow here, in a fixed order."""
        match self.phase:
            case Phase.UPCARD:
                return [TAKE_DISCARD, PASS]
            case Phase.FORCED:
                return [DRAW_STOCK]
            case Phase.DRAW:
                return [DRAW_STOCK, TAKE_DISCARD]
            case Phase.SHED:
                return discards_of(throwable(self.hand_mask, self.banned_mask)) + self.knocks() + self.big_gins()
            case Phase.WALL:
                return [PASS, TAKE_DISCARD] if may_knock_with(self, self.upcard) else [PASS]
            case Phase.WALL_KNOCK:
                return self.knocks() + self.big_gins()
            case Phase.LAYOFF:
                return self._lay_offs() + self._shows()
        return []

    def _lay_offs(self) -> list[Action]:
        if self.knocked_with == 0:
            return []
        found: list[Action] = []
        for number, m in enumerate(self.table_melds, 1):
            for c in cards_of(kernel.fitting(m) & self.hand_mask):
                found.append(LayOff(number, lay_off_end(m, c), Spot(c, c)))
        return found

    def _shows(self) -> list[Action]:
        return [Show(as_melds(masks)) for masks in kernel.arrangements(self.hand_mask, ANY_DEADWOOD)]


def as_melds(masks: Sequence[int]) -> tuple[Meld, ...]:
    """Meld objects for the kernel's masks."""
    found = []
    for mask in masks:
        m = natural_meld(mask)
        if m is None:
            raise EngineBug(f"the kernel made a meld that is none: {mask:#x}")
        found.append(m)
    return tuple(found)


def may_knock_with(view: GinView, upcard: Card | None) -> bool:
    """Whether taking the last discard would let this seat knock or go big gin at once."""
    if upcard is None:
        return False
    hand = view.hand_mask | upcard.mask
    options = view.deal.options
    if not isinstance(options, GinOptions):
        return False
    banned = upcard.mask if options.ban_discard_back else 0
    if options.big_gin_bonus is not None and kernel.deadwood(hand) == 0:
        return True
    return kernel.best_discard_except(hand, banned)[1] <= view.limit


class GinTable(Table):
    """One hand of gin in play."""

    __slots__ = ("_bar", "_max_turns", "_no_wall", "_passes", "_result", "claims", "counted", "defender_melds", "doubled",
                 "ending", "knock_deadwood", "knocker", "limit", "options", "table_melds")  # fmt: skip

    def __init__(self, setup: DealSetup, options: GinOptions) -> None:
        first = 1 - setup.dealer
        super().__init__(setup, DealInfo("gin", options, 2, setup.dealer, first, setup.number, setup.scores))
        self.options = options
        self.ending = ""
        self.knocker = -1
        self.knock_deadwood = -1
        self.counted = -1
        self.claims: tuple[Meld, ...] = ()
        self.defender_melds: tuple[Meld, ...] = ()
        self.table_melds: list[int] = []
        self._passes = 0
        self._result: DealResult | None = None
        self._bar = options.ban_discard_back
        self._no_wall = options.wall_rule == "void_at_2"
        self._max_turns = options.max_turns
        if options.first_turn == "eleven_cards":
            self.deal_hands([11 if seat == first else 10 for seat in range(2)])
            self.phase, self.apply = _SHED, self._apply_shed
        else:
            self.deal_hands((10, 10))
            self.turn_upcard()
            self.phase, self.apply = Phase.UPCARD, self._apply_upcard
        upcard = self.upcard
        self.limit = knock_limit(options, upcard)
        self.doubled = options.spade_double and upcard is not None and upcard.suit is Suit.SPADES

    def view(self) -> GinView:
        """What the seat to act may know."""
        seat = self.to_act
        seen = self.seen[seat]
        pile = self.pile
        if self.phase is _LAYOFF:
            loose = self.hands[self.knocker]
            for m in self.claims:
                loose &= ~m.mask
            return GinView(
                seat, self.phase, self.hands[seat], None, len(self.stock), 0, self.deal, seen, len(seen),
                self.limit, tuple(self.table_melds), self.knock_deadwood, loose,
            )  # fmt: skip
        return GinView(
            seat, self.phase, self.hands[seat], CARDS[pile[-1]] if pile else None, len(self.stock), self.banned,
            self.deal, seen, len(seen), self.limit,
        )  # fmt: skip

    def emit(self, event: Event) -> None:
        """As for any table, written out for two seats: this runs for every move of every hand."""
        self.log.append(event)
        public = event.public
        first, second = self.seen
        if public is event:
            first.append(event)
            second.append(event)
        else:
            first.append(event if event.owner == 0 else public)
            second.append(event if event.owner == 1 else public)

    def table_groups(self) -> Sequence[Sequence[Card]]:
        """The knocker's melds as they lie."""
        return [cards_of(m) for m in self.table_melds]

    # --- one function per phase -------------------------------------------------------------------------------------

    def _apply_upcard(self, action: Action) -> None:
        if type(action) is TakeDiscard:
            self._take()
            self.phase, self.apply = _SHED, self._apply_shed
        elif type(action) is Pass:
            self.emit(passes(self.to_act))
            self._passes += 1
            self.to_act = 1 - self.to_act
            if self._passes == 2:
                self.phase, self.apply = Phase.FORCED, self._apply_forced
        else:
            raise wrong_action(self.phase, action)

    def _apply_forced(self, action: Action) -> None:
        if type(action) is not DrawStock:
            raise wrong_action(self.phase, action)
        self._apply_draw(action)

    def _apply_draw(self, action: Action) -> None:
        kind = type(action)
        if kind is DrawStock:
            seat = self.to_act
            code = self.stock.pop()
            self.hands[seat] |= _CODES[code]
            self.banned = 0
            self.emit(_STOCK_DRAWS[seat][code])
        elif kind is TakeDiscard:
            self._take()
        else:
            raise wrong_action(self.phase, action)
        self.phase, self.apply = _SHED, self._apply_shed

    def _apply_shed(self, action: Action) -> None:
        if type(action) is Discard:
            self._throw(action.card)
        elif type(action) is Knock:
            self._knock(action)
        elif type(action) is BigGin:
            self._big_gin(action)
        else:
            raise wrong_action(self.phase, action)

    def _apply_wall(self, action: Action) -> None:
        if type(action) is Pass:
            self.emit(passes(self.to_act))
            self._end("wall")
        elif type(action) is TakeDiscard:
            if not may_knock_with(self.view(), self.upcard):
                raise IllegalAction("cannot-knock", "at the wall the discard may only be taken to knock with it")
            self._take()
            self.phase, self.apply = Phase.WALL_KNOCK, self._apply_wall_knock
        else:
            raise wrong_action(self.phase, action)

    def _apply_wall_knock(self, action: Action) -> None:
        if type(action) is Discard:
            raise IllegalAction("must-knock", "the last discard was taken to knock with it")
        self._apply_shed(action)

    def _apply_layoff(self, action: Action) -> None:
        if type(action) is LayOff:
            self._lay_off(action)
        elif type(action) is Show:
            self._show(action)
        else:
            raise wrong_action(self.phase, action)

    # --- what the phases do -----------------------------------------------------------------------------------------

    def _take(self) -> None:
        seat = self.to_act
        code = self.pile.pop()
        bit = _CODES[code]
        self.hands[seat] |= bit
        self.banned = bit if self._bar else 0
        self.emit(_TAKES[seat][code])

    def _throw(self, thrown: Card) -> None:
        seat = self.to_act
        check_discard(self.hands[seat], self.banned, thrown)
        code = thrown.code
        self.hands[seat] ^= _CODES[code]
        self.pile.append(code)
        self.emit(_DISCARDS[seat][code])
        self.turns += 1
        self.to_act = 1 - seat
        if len(self.stock) > WALL_STOCK and self.turns < self._max_turns:
            self.phase, self.apply = _DRAW, self._apply_draw
        elif self.turns >= self._max_turns:
            self._end("turn-cap")
        elif self._no_wall:
            self._end("wall")
        else:
            self.phase, self.apply = Phase.WALL, self._apply_wall

    def _knock(self, action: Knock) -> None:
        seat = self.to_act
        check_discard(self.hands[seat], self.banned, action.card)
        rest = self.hands[seat] ^ action.card.mask
        # Nobody can knock without melds, so a claim of none asks for the best one.
        claim = action.melds or as_melds(kernel.knock_arrangement(rest))
        melds, deadwood = check_claim(rest, claim, self.limit, thrown=action.card.mask)
        self.hands[seat] = rest
        verb = "kn" if deadwood else "gin"
        tail = f" dw={deadwood}" if deadwood else ""
        self.emit(Event(f"p{seat} {verb} {action.card.text} {melds_text(melds)}".rstrip() + tail))
        self._ask_defender(melds, deadwood, "knock" if deadwood else "gin")

    def _big_gin(self, action: BigGin) -> None:
        seat = self.to_act
        if self.options.big_gin_bonus is None:
            raise IllegalAction("not-played", "big gin is not played at this table")
        melds, _ = check_claim(self.hands[seat], action.melds, 0)
        self.emit(Event(f"p{seat} bgin {melds_text(melds)}"))
        self._ask_defender(melds, 0, "big-gin")

    def _ask_defender(self, melds: tuple[Meld, ...], deadwood: int, ending: str) -> None:
        self.ending = ending
        self.knocker = self.to_act
        self.knock_deadwood = deadwood
        self.claims = melds
        self.table_melds = [m.mask for m in melds]
        self.to_act = 1 - self.to_act
        self.banned = 0
        self.phase, self.apply = Phase.LAYOFF, self._apply_layoff
        if self.options.layoff_mode == "auto":
            for action in best_defence_actions(self.view()):
                self.apply(action)

    def _lay_off(self, action: LayOff) -> None:
        if self.knock_deadwood == 0:
            raise IllegalAction("no-lay-off", "nothing may be laid off on a gin")
        seat = self.to_act
        end = check_lay_off(self.table_melds, self.hands[seat], action)
        laid = action.spot.card
        self.hands[seat] ^= laid.mask
        self.table_melds[action.meld - 1] |= laid.mask
        self.emit(Event(f"p{seat} lo M{action.meld}{end}{laid.text}"))

    def _show(self, action: Show) -> None:
        seat = self.to_act
        self.defender_melds, self.counted = check_claim(
            self.hands[seat], action.melds, ANY_DEADWOOD, laid=sum(self.table_melds)
        )
        melds, loose = melds_text(self.defender_melds), loose_text(self.defender_melds, self.hands[seat])
        self.emit(Event(f"p{seat} sh {melds}{' ' if melds and loose else ''}{loose}".rstrip()))
        margin = self.knock_deadwood - self.counted
        if self.ending == "knock" and (margin > 0 or (margin == 0 and self.options.undercut_on_tie)):
            self.ending = "undercut"
        self._close()

    def _end(self, ending: str) -> None:
        self.ending = ending
        self.finish(ending, by_engine=True)
        self._close()

    def _close(self) -> None:
        self.phase = Phase.OVER
        self.apply = _refuse_when_over
        self._result = self._score()
        self.emit_score(self._result)

    # --- what the fault policy needs --------------------------------------------------------------------------------

    def default_action(self) -> Action:
        """Pass; else draw from the stock; else throw the card just drawn; at the end show the best melds."""
        match self.phase:
            case Phase.UPCARD | Phase.WALL:
                return PASS
            case Phase.FORCED | Phase.DRAW:
                return DRAW_STOCK
            case Phase.LAYOFF:
                return Show(as_melds(kernel.arrangement(self.hands[self.to_act])))
            case Phase.WALL_KNOCK:
                code, _ = kernel.best_discard_except(self.hands[self.to_act], self.banned)
                rest = self.hands[self.to_act] ^ CARDS[code].mask
                return Knock(CARDS[code], as_melds(kernel.knock_arrangement(rest)))
        return Discard(self._default_discard())

    def _default_discard(self) -> Card:
        last = self.log[-1]
        for event in reversed(self.log):
            if event.actor >= 0:
                last = event
                break
        if last.actor == self.to_act and last.verb == "ds":
            return next(c for c in cards_of(self.hands[self.to_act]) if c.text == last.args)
        return CARDS[kernel.best_discard_except(self.hands[self.to_act], self.banned)[0]]

    def forfeit_cost(self, seat: int) -> int:
        """The present hand against the dearest finish of the opponent: gin and its deadwood; an undercut after its knock."""
        hand = self.hands[seat]
        if seat == self.knocker:
            cost = self.options.undercut_bonus + self.knock_deadwood if self.knock_deadwood else 0
        else:
            deadwood = kernel.deadwood(hand) if hand.bit_count() < 11 else kernel.best_discard(hand)[1]
            cost = deadwood + max(self.options.gin_bonus, self.options.big_gin_bonus or 0)
        return cost * (2 if self.doubled else 1)

    # --- the score --------------------------------------------------------------------------------------------------

    def result(self) -> DealResult:
        """Hand points after the table of the rules: knock, gin, big gin, undercut, dead."""
        if self._result is None:
            raise EngineBug("the hand is not over")
        return self._result

    def _score(self) -> DealResult:
        hands = (mask_text(self.hands[0]), mask_text(self.hands[1]))
        if self.knocker < 0:
            deadwood = tuple(kernel.deadwood(h) for h in self.hands)
            return DealResult(self.ending, (0, 0), ({}, {}), None, False, 0, hands, ("", ""), deadwood)
        winner, parts, boxes = self._award()
        points: Points = sum(parts.values())
        loser = 1 - winner
        melds = [melds_text(self.defender_melds)] * 2
        melds[self.knocker] = melds_text(self.claims)
        counted = [self.counted] * 2
        counted[self.knocker] = self.knock_deadwood
        signed: list[Points] = [0, 0]
        signed[winner], signed[loser] = points, -points
        both: list[dict[str, Points]] = [{}, {}]
        both[winner] = parts
        scored = points != 0
        return DealResult(
            self.ending, tuple(signed), tuple(both), winner if scored else None, scored, boxes if scored else 0,
            hands, tuple(melds), tuple(counted),
        )  # fmt: skip

    def _award(self) -> tuple[int, dict[str, Points], int]:
        """The winner of the hand, the points by name, and the boxes."""
        options = self.options
        knocked, counted, boxes = self.knock_deadwood, self.counted, 1
        winner = self.knocker
        parts: dict[str, Points]
        if self.ending == "big-gin":
            parts = {"big_gin": options.big_gin_bonus or 0, "deadwood": counted}
            boxes += options.gin_extra_boxes
        elif self.ending == "gin":
            parts = {"gin": options.gin_bonus, "deadwood": counted}
            boxes += options.gin_extra_boxes
        elif self.ending == "undercut":
            winner = 1 - self.knocker
            parts = {"undercut": options.undercut_bonus, "deadwood": knocked - counted}
            boxes += options.undercut_extra_boxes
        else:
            parts = {"deadwood": counted - knocked}
        if self.doubled:
            parts = {name: 2 * value for name, value in parts.items()}
            boxes *= 2 if options.spade_double_boxes else 1
        return winner, parts, boxes


def _refuse_when_over(action: Action) -> None:
    raise IllegalAction("deal-over", f"the deal is over, {action!r} comes too late")


def best_defence_actions(view: GinView) -> list[Action]:
    """The defender's best answer to a knock as single actions: lay-offs in order, then the show."""
    hand = view.hand_mask
    actions: list[Action] = []
    if view.knocked_with > 0:
        melds = list(view.table_melds)
        for code, index in kernel.best_defence(melds, hand)[1]:
            c = CARDS[code]
            actions.append(LayOff(index + 1, lay_off_end(melds[index], c), Spot(c, c)))
            melds[index] |= c.mask
            hand ^= c.mask
    actions.append(Show(as_melds(kernel.arrangement(hand))))
    return actions
