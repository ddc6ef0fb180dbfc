"""Wrotham rummy: which deals are open, and laying the whole hand at once in the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rummy_tourney.cards import NATURALS, Card, cards_of
from rummy_tourney.errors import IllegalAction
from rummy_tourney.game.actions import Declare
from rummy_tourney.game.table import check_discard, throwable
from rummy_tourney.game.variants.basic.melds import MeldRules, joker_order, not_in_hand
from rummy_tourney.game.variants.basic.options import BasicOptions
from rummy_tourney.melds.model import Meld, Spot, make_meld


def deal_in_cycle(options: BasicOptions, scored: int) -> int:
    """The number of a deal, from 1, when ``scored`` deals have counted before; a longer match begins again."""
    return scored % options.end_number + 1


def all_at_once(options: BasicOptions, scored: int) -> bool:
    """Whether nothing may be laid in this deal before a whole hand can be."""
    return options.wrotham and deal_in_cycle(options, scored) > options.open_deals


def bonus_counts(options: BasicOptions, scored: int) -> bool:
    """Whether the rummy bonus holds in this deal: in Wrotham only in open deals, and there only in those listed."""
    if options.bonus_kind == "none" or not options.wrotham:
        return options.bonus_kind != "none"
    if all_at_once(options, scored):
        return False
    return options.rummy_bonus_rounds is None or deal_in_cycle(options, scored) in options.rummy_bonus_rounds


def check_declare(rules: MeldRules, hand: int, banned: int, action: Declare, *, must_discard: bool) -> tuple[Meld, ...]:
    """The declared melds in canonical form. Refuses unless they are the whole hand but for the card thrown."""
    left = hand
    if action.card is not None:
        check_discard(hand, banned, action.card)
        left ^= action.card.mask
    elif must_discard:
        raise IllegalAction("must-discard", "the last card has to be thrown")
    declared = []
    for offered in action.melds:
        laid = rules.accept(offered)
        if laid.meld.mask & ~hand:
            raise not_in_hand(laid.meld.mask & ~hand)
        if laid.meld.mask & ~left:
            raise IllegalAction("overlap", f"[{laid.meld.text}] uses a card that is used already")
        left ^= laid.meld.mask
        declared.append(laid.meld)
    if left:
        raise IllegalAction("not-all-melded", f"{left.bit_count()} more cards would have to be melded")
    return tuple(declared)


def declarations(rules: MeldRules, hand: int, banned: int, *, must_discard: bool) -> list[Declare]:
    """Every way to declare a hand: each card that may be thrown with each way to meld the rest, then all melded."""
    found = []
    patterns = _patterns(rules, hand)
    jokers = cards_of(throwable(hand, banned) & ~NATURALS)
    # Jokers are alike: throwing one of them is enough.
    for thrown in cards_of(throwable(hand, banned) & NATURALS) + jokers[-1:]:
        found += [Declare(melds, thrown) for melds in _partitions(patterns, hand ^ thrown.mask, banned)]
    if not must_discard:
        found += [Declare(melds, None) for melds in _partitions(patterns, hand, banned)]
    return found


def partitions(rules: MeldRules, hand: int, banned: int = 0) -> Iterator[tuple[Meld, ...]]:
    """Every way to meld all cards of a hand. Jokers are named in one order only, meld by meld."""
    return _partitions(_patterns(rules, hand), hand, banned)


class _Pattern(NamedTuple):
    """A meld, the mask of its natural cards, and how many jokers it has (which ones does not matter here)."""

    meld: Meld
    naturals: int
    jokers: int


def _patterns(rules: MeldRules, hand: int) -> list[_Pattern]:
    return [_Pattern(m, m.mask & NATURALS, (m.mask & ~NATURALS).bit_count()) for m in rules.melds_of(hand)]


def _partitions(patterns: Sequence[_Pattern], hand: int, banned: int) -> Iterator[tuple[Meld, ...]]:
    jokers = joker_order(hand, banned)
    for melds in _covers(hand & NATURALS, len(jokers), patterns):
        yield _named(melds, jokers)


def _covers(naturals: int, jokers: int, patterns: Sequence[_Pattern]) -> Iterator[tuple[Meld, ...]]:
    """Melds that use up the natural cards and the number of jokers; every meld has a natural card."""
    if not naturals:
        if not jokers:
            yield ()
        return
    usable = []
    reached = 0
    for p in patterns:
        if not p.naturals & ~naturals and p.jokers <= jokers:
            usable.append(p)
            reached |= p.naturals
    if reached != naturals:
        return
    low = naturals & -naturals
    for p in usable:
        if p.naturals & low:
            for rest in _covers(naturals ^ p.naturals, jokers - p.jokers, usable):
                yield (p.meld, *rest)


def _named(melds: Sequence[Meld], jokers: Sequence[Card]) -> tuple[Meld, ...]:
    """The melds with each joker used once."""
    if not jokers:
        return tuple(melds)
    unused = iter(jokers)
    return tuple(
        make_meld(m.kind, [Spot(next(unused), s.stands_for) if s.card.is_joker else s for s in m.spots]) for m in melds
    )
