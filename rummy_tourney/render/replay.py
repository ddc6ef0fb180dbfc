"""A recorded deal shown in the terminal, turn by turn, with the cards that the viewer may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rummy_tourney.cards import CARDS
from rummy_tourney.game.events import ENGINE, Event
from rummy_tourney.game.notation import pretty, read_move
from rummy_tourney.history.records import DealRecord
from rummy_tourney.history.redact import SHOWN, Shown
from rummy_tourney.history.replay import Replay
from rummy_tourney.render.cards import BOLD, DIM, Palette, draw_backs, draw_groups, hand_groups, row, side_by_side

_VERBS: Mapping[str, str] = {
    "pass": "passes",
    "ds": "draws from the stock",
    "dd": "takes the upcard",
    "m": "melds",
    "lo": "lays off",
    "js": "swaps a joker",
    "dc": "throws",
    "kn": "knocks",
    "gin": "goes gin",
    "bgin": "goes big gin",
    "sh": "shows",
    "dcl": "declares",
}
_ENGINE: Mapping[str, str] = {
    "deal": "cards for",
    "up": "the upcard is",
    "wild": "wild is",
    "rs": "the discard pile becomes the stock, turn-over",
    "end": "the deal ends:",
    "sc": "points",
    "ill": "illegal answer of",
    "to": "no answer in time from",
    "pen": "penalty for",
}


class DealView:
    """How one deal is shown: to whom (``full``, ``public``, or a seat), under which names, in colour or not."""

    def __init__(self, deal: DealRecord, names: Mapping[str, str], seat: int | None, palette: Palette, *, full: bool) -> None:
        self.deal = deal
        self.names = [names.get(entry, entry) for entry in deal.seats]
        self.seat = seat
        self.full = full
        self.palette = palette

    def sees(self, seat: int, *, over: bool) -> bool:
        """Whether the hand of ``seat`` is shown: to itself, and to all once the deal ended in a showdown."""
        return self.full or seat == self.seat or (over and SHOWN.get(self.deal.end) is Shown.ALL)

    def event_text(self, event: Event) -> str:
        """A move in words: ``p0 steady draws from the stock 4♣``."""
        shown = event if self.full else event.seen_by(-3 if self.seat is None else self.seat)
        move = read_move(shown.text)
        args = pretty(move.args)
        if move.actor == ENGINE:
            return f"{self.palette.paint('dealer', DIM)} {_ENGINE.get(move.verb, move.verb)} {args}".rstrip()
        who = self.palette.paint(f"p{move.actor} {self.names[move.actor]}", BOLD)
        return f"{who} {_VERBS.get(move.verb, move.verb)} {args}".rstrip()

    def title(self) -> str:
        """The line above the deal."""
        deal = self.deal
        seats = ", ".join(
            f"p{seat} {name}{' (dealer)' if seat == deal.dealer else ''}" for seat, name in enumerate(self.names)
        )
        return f"deal {deal.id} · {deal.rules} · {seats}"

    def table_lines(self, replay: Replay) -> list[str]:
        """The table as it stands: each hand, the table's melds, the piles."""
        table = replay.table
        lines = []
        for seat in range(table.seats):
            marker = "▶" if seat == table.to_act and not table.over else " "
            hand = table.hands[seat]
            shown = self.sees(seat, over=table.over)
            body = draw_groups(hand_groups(hand), self.palette) if shown else draw_backs(hand.bit_count(), self.palette)
            label = f"{marker} p{seat} {self.names[seat]}"
            lines += [f"{'':20}{body[0]}", f"{label[:19]:20}{body[1]}", f"{'':20}{body[2]}"]
        return lines + self._melds(replay) + self._piles(replay)

    def _melds(self, replay: Replay) -> list[str]:
        groups = replay.table.table_groups()
        if not groups:
            return []
        blocks = [row([self.palette.face(c) for c in group]) for group in groups]
        body = side_by_side(blocks, [len(b[0]) for b in blocks], gap=" ")
        return [f"{'':20}{body[0]}", f"{'  melds':20}{body[1]}", f"{'':20}{body[2]}"]

    def _piles(self, replay: Replay) -> list[str]:
        table = replay.table
        faces = [self.palette.face(CARDS[code]) for code in table.pile[-8:]]
        more = f"… {len(table.pile) - 8} below, " if len(table.pile) > 8 else ""
        body = row(faces) if faces else ["", "(empty)", ""]
        return [f"{'':20}{body[0]}", f"{f'  stock {len(table.stock)}, discards':20}{body[1]}  {more}the last one on top",
                f"{'':20}{body[2]}"]  # fmt: skip


def show_deal(replay: Replay, view: DealView, start: int = 0) -> Iterator[str]:
    """Lines of text: the deal from move ``start`` on, the table drawn after each turn, the score at the end."""
    yield view.title()
    shown = _said(replay, view, 0, start)
    yield from shown
    if replay.position >= start:
        yield from view.table_lines(replay)
    while not replay.over:
        before = replay.position
        seat = replay.table.to_act
        replay.step()
        yield from _said(replay, view, before, start)
        passed = replay.table.log[before].verb == "pass"
        turn_over = replay.over or (replay.table.to_act != seat and not passed)
        if turn_over and replay.position >= start:
            yield ""
            yield from view.table_lines(replay)
    yield from _score(view)


def _said(replay: Replay, view: DealView, before: int, start: int) -> list[str]:
    events: Sequence[Event] = replay.table.log[before : replay.position]
    return [f"{number:>4}  {view.event_text(event)}" for number, event in enumerate(events, before) if number >= start]


def _score(view: DealView) -> Iterator[str]:
    deal = view.deal
    yield ""
    for seat, name in enumerate(view.names):
        parts = deal.parts[seat] if deal.parts else {}
        why = " = " + " + ".join(f"{value} {part}" for part, value in parts.items()) if parts else ""
        yield f"p{seat} {name}: {deal.points[seat]}{why}"
    yield f"ended: {deal.end}"
