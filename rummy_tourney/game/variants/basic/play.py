"""What a seat may do with its cards: the checks the table refuses with and the view lists with.

A turn can always be ended: a meld, lay-off or swap is legal only if it leaves a card that may be thrown, or nothing where the
last card need not be thrown, or only the card that may not be thrown back but can still be laid off (:func:`completes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_tourney.cards import CARDS, Card, cards_of
from rummy_tourney.errors import EngineBug, IllegalAction
from rummy_tourney.game.actions import DRAW_STOCK, PASS, TAKE_DISCARD, Action, LayMeld, LayOff, SwapJoker
from rummy_tourney.game.table import check_card, check_discard, discards_of, throwable
from rummy_tourney.game.variants.basic.melds import Laid, MeldRules, check_spot, joker_order, meld_rules, not_in_hand
from rummy_tourney.game.variants.basic.options import BasicOptions
from rummy_tourney.game.variants.basic.wrotham import declarations
from rummy_tourney.game.view import Phase, SeatView
from rummy_tourney.melds.model import Meld, Spot


def completes(hand: int, banned: int, laid: Sequence[Laid], options: BasicOptions, *, may_lay_off: bool) -> bool:
    """Whether a turn can be ended with ``hand`` left and the melds ``laid`` on the table."""
    if hand & ~banned:
        return True
    if options.must_discard_to_go_out:
        return False
    if hand == 0:
        return True
    last = CARDS[hand.bit_length() - 1]
    swap = options.joker_reuse != "none" and any(m.swaps & hand for m in laid)
    return swap or (may_lay_off and any(m.joker_spots(last) if last.is_joker else m.fits & hand for m in laid))


def check_completes(hand: int, banned: int, laid: Sequence[Laid], options: BasicOptions, *, may_lay_off: bool) -> None:
    """Refuse what would leave a turn that cannot be ended."""
    if completes(hand, banned, laid, options, may_lay_off=may_lay_off):
        return
    if hand == 0:
        raise IllegalAction("must-discard", "the last card has to be thrown")
    raise IllegalAction(
        "no-discard-left", f"only {CARDS[hand.bit_length() - 1].text} would be left, which may not be thrown this turn"
    )


def check_throw(hand: int, banned: int, laid: Sequence[Laid], card: Card) -> None:
    """Refuse to throw a card that is none, is not held, or is banned this turn."""
    check_card(card)
    if not hand & card.mask:
        raise not_in_hand(card.mask, laid)
    check_discard(hand, banned, card)


def check_meld(rules: MeldRules, hand: int, table: Sequence[Laid], offered: Meld, *, may_meld: bool) -> Laid:
    """The meld as it will lie. Refuses one that is none, is not held, or is one too many this turn."""
    if not may_meld:
        raise IllegalAction("meld-limit", "only one meld may be laid in a turn")
    laid = rules.accept(offered)
    if laid.meld.mask & ~hand:
        raise not_in_hand(laid.meld.mask & ~hand, table)
    return laid


def laid_at(laid: Sequence[Laid], number: int) -> Laid:
    """The meld ``M<number>``."""
    if type(number) is int and 1 <= number <= len(laid):
        return laid[number - 1]
    raise IllegalAction("no-such-meld", f"there is no M{number} on the table")


def check_lay_off(rules: MeldRules, hand: int, laid: Sequence[Laid], action: LayOff, *, may_lay_off: bool) -> Laid:
    """The meld after a lay-off. Refuses a card that is not held or does not fit where the action says."""
    target = laid_at(laid, action.meld)
    place = action.spot
    check_spot(place)
    if not hand & place.card.mask:
        raise not_in_hand(place.card.mask, laid)
    if not may_lay_off:
        raise IllegalAction("no-own-meld", "only who has a meld on the table may lay off")
    if place.card.is_joker:
        fits = (action.end, place) in target.joker_spots(place.card)
    else:
        fits = len(action.end) == 1 and action.end in target.ends(place.card.code)
    if not fits:
        raise IllegalAction("does-not-fit", f"{place.text} does not fit M{action.meld}{action.end}")
    return rules.extended(target, action.end, place)


def check_swap(rules: MeldRules, hand: int, laid: Sequence[Laid], options: BasicOptions, action: SwapJoker) -> Laid:
    """The meld after a swap. Refuses a card that is not held or not what the joker stands for."""
    if options.joker_reuse == "none":
        raise IllegalAction("not-played", "jokers stay where they are at this table")
    target = laid_at(laid, action.meld)
    check_card(action.card)
    if not hand & action.card.mask:
        raise not_in_hand(action.card.mask, laid)
    if action.joker not in target.replaced(action.card.code):
        raise IllegalAction("not-the-card", f"{action.joker.text} does not stand for {action.card.text} in M{action.meld}")
    return rules.swapped(target, action.joker, action.card)


class BasicView(SeatView, frozen=True):
    """What a seat of basic rummy may know.

    ``laid`` are the melds on the table, ``M1`` first, and ``owners`` the seats that laid them; ``counts`` the cards each seat
    holds. ``can_draw`` says whether the stock can be drawn from, if need be after renewing it; ``recycles`` how often that
    happened. ``may_meld`` is false once the melds of this turn are used up, ``may_lay_off`` where an own meld is needed first.
    ``fits`` are the natural cards, held or not, that can be laid off now. ``fresh`` says that this seat has not
    melded, laid off or swapped on an earlier turn, so that it could still go rummy. ``all_at_once`` marks a deal of Wrotham
    in which nothing may be laid before a whole hand can be.
    """

    laid: tuple[Laid, ...]
    owners: tuple[int, ...]
    counts: tuple[int, ...]
    pile_count: int
    recycles: int
    can_draw: bool
    may_meld: bool
    may_lay_off: bool
    fits: int
    fresh: bool
    all_at_once: bool

    @property
    def rules(self) -> MeldRules:
        """What is a meld at this table."""
        return meld_rules(self.basic_options)

    @property
    def basic_options(self) -> BasicOptions:
        """The options in force."""
        options = self.deal.options
        if not isinstance(options, BasicOptions):
            raise EngineBug("a basic view with the options of another family")
        return options

    def legal_actions(self) -> Sequence[Action]:
        """Every action the rules allow here, in a fixed order; of equal jokers one is named, see ``melds.py``."""
        if self.phase is Phase.DRAW:
            return self._draws()
        discards = discards_of(throwable(self.hand_mask, self.banned_mask))
        if self.phase is Phase.PLAY:
            return [*discards, *self.melds(), *self.lay_offs(), *self.swaps()]
        if self.phase is Phase.SHED:
            must_discard = self.basic_options.must_discard_to_go_out
            return [*discards, *declarations(self.rules, self.hand_mask, self.banned_mask, must_discard=must_discard)]
        return []

    def _draws(self) -> list[Action]:
        found: list[Action] = [DRAW_STOCK] if self.can_draw else []
        if self.upcard is not None:
            found.append(TAKE_DISCARD)
        return found if self.can_draw else [*found, PASS]

    def melds(self) -> list[LayMeld]:
        """The melds that may be laid now."""
        if not self.may_meld:
            return []
        rules, options = self.rules, self.basic_options
        found = []
        for m in rules.melds_of(self.hand_mask, self.banned_mask):
            left = self.hand_mask & ~m.mask
            # The new meld matters only where a card that may not be thrown is all that is left.
            if left & ~self.banned_mask or completes(
                left, self.banned_mask, (*self.laid, rules.accept(m)), options, may_lay_off=True
            ):
                found.append(LayMeld(m))
        return found

    def lay_offs(self) -> list[LayOff]:
        """The lay-offs that may be made now: natural cards by meld, then a joker."""
        if not self.may_lay_off:
            return []
        found = []
        for number, target in enumerate(self.laid, 1):
            for c in cards_of(target.fits & self.hand_mask):
                found += [LayOff(number, end, Spot(c, c)) for end in target.ends(c.code)]
        jokers = joker_order(self.hand_mask, self.banned_mask)[:1]
        for number, target in enumerate(self.laid, 1):
            for joker in jokers:
                spots = target.joker_spots(joker)
                if target.fits and "+" in [end for end, _ in spots] and self.rules.any_suit:
                    spots = spots[:1]
                found += [LayOff(number, end, place) for end, place in spots]
        return [action for action in found if self._lay_off_completes(action)]

    def _lay_off_completes(self, action: LayOff) -> bool:
        left = self.hand_mask & ~action.spot.card.mask
        if left & ~self.banned_mask:
            return True
        after = list(self.laid)
        after[action.meld - 1] = self.rules.extended(after[action.meld - 1], action.end, action.spot)
        return completes(left, self.banned_mask, after, self.basic_options, may_lay_off=True)

    def swaps(self) -> list[SwapJoker]:
        """The jokers that may be taken now, each for the card it stands for."""
        if self.basic_options.joker_reuse == "none":
            return []
        return [action for action in self._swaps() if self._swap_completes(action)]

    def _swaps(self) -> Iterator[SwapJoker]:
        for number, target in enumerate(self.laid, 1):
            for c in cards_of(target.swaps & self.hand_mask):
                for joker in target.replaced(c.code):
                    yield SwapJoker(number, joker, c)

    def _swap_completes(self, action: SwapJoker) -> bool:
        left = self.hand_mask & ~action.card.mask | action.joker.mask
        if left & ~self.banned_mask:
            return True
        after = list(self.laid)
        after[action.meld - 1] = self.rules.swapped(after[action.meld - 1], action.joker, action.card)
        return completes(left, self.banned_mask, after, self.basic_options, may_lay_off=self.may_lay_off)


def fitting_cards(laid: Sequence[Laid]) -> int:
    """The natural cards that fit some meld."""
    found = 0
    for m in laid:
        found |= m.fits
    return found
