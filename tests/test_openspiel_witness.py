"""OpenSpiel's ``gin_rummy`` as a witness: the same deals, the same choices, the same points.

Every deal is played at our table and at OpenSpiel's side by side; what may be done next and what it comes to have to be equal.
The known differences are counted, each after checking that it is what it seems (numbers as in the table of differences
of the family's rules, which was made against the sources of OpenSpiel 2.0.2):

* tie (1): equal deadwood scores nothing there;
* big gin (2): replayed as gin, the bonus differs;
* repeat (3): there the hand is drawn when both players in succession throw the card just taken;
* upcards (4): there it is drawn at the 50th upcard taken;
* knock (6): there a knock is offered by the deadwood of eleven cards melded first, which can be too high;
* chain (7): there at most two lay-offs are offered at one end of a run; replayed as a meld, and no difference in points.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from oracles.openspiel_adapter import (
    FIRST_MELD,
    KNOCK,
    PASS,
    STOCK,
    UPCARD,
    Adapter,
    card_id,
    meld_actions,
    translate,
)
from support.gin_tables import gin_rules, gin_table, play, to_the_wall
from support.goldens import perft_lines

from rummy_tourney.cards import CARDS, cards_of
from rummy_tourney.game.actions import Action, BigGin, Discard, DrawStock, Knock, LayOff, TakeDiscard
from rummy_tourney.game.rules import DealSetup
from rummy_tourney.game.variants.gin import GIN, GinTable, GinView, best_defence_actions
from rummy_tourney.game.view import Phase
from rummy_tourney.lab.perft import perft, perft_start
from rummy_tourney.melds import kernel
from rummy_tourney.melds.model import all_natural_melds

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed here: pip install open_spiel")

UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
STARTS: dict[str, Any] = {}


def start_of(rules: Any) -> Any:
    """OpenSpiel's game of these rules, before the deal. A copy: making one takes longer than a whole deal."""
    options = rules.options
    parameters = f"oklahoma={options.oklahoma},knock_card={options.knock_limit},gin_bonus={options.gin_bonus},"
    parameters = parameters.lower() + f"undercut_bonus={options.undercut_bonus}"
    if parameters not in STARTS:
        STARTS[parameters] = pyspiel.load_game(f"gin_rummy({parameters})").new_initial_state()
    return STARTS[parameters].clone()


# --- published replays -----------------------------------------------------------------------------------------------

RV_1 = "15 16 17 10 49 36 6 45 20 38 13 26 39 9 22 35 48 14 18 30 11 54 54 53 32 55 38 134 87 107 54 14 18 54 56 105 54"
RV_2 = "1 2 3 20 33 46 35 36 37 47 4 34 7 13 26 51 50 18 44 28 38 52 55 47 122 91 194 54 54"
RV_3 = "4 5 6 14 27 40 25 38 51 29 20 21 22 2 41 28 10 49 36 42 47 54 54 53 24 55 24 61 116 125 54 54 139 67 107 54"


def rv_1() -> GinTable:
    """GR-2 as a whole deal: undercut."""
    table = gin_table("3c4c5cJsJhJd7s7h8cKd", "AcAdAhTsTcTdTh2c6c5d", "Qs", "7d", preset="openspiel")
    play(table, "pass", "pass", "ds", "kn Kd [3c4c5c][7d7h7s][JdJhJs]", "lo M1<2c", "lo M1>6c")
    return play(table, "sh [AcAdAh][TcTdThTs]")


def rv_2() -> GinTable:
    """GR-4: the upcard makes gin at once; the defender has no meld."""
    table = gin_table("2s3s4s8c8d8hTdJdQd9h", "5s9d8sAcAdKhQh6c6h3d", "Kd", preset="openspiel")
    return play(table, "dd", "kn 9h [2s3s4s][8c8d8h][TdJdQdKd]", "sh")


def rv_3() -> GinTable:
    """Equal deadwood."""
    table = gin_table("5s6s7s2c2d2hKcKdKh4d", "8c9cTc3s3h3dJsJhJd4h", "9h", "Qc", preset="openspiel")
    return play(table, "pass", "pass", "ds", "kn Qc [2c2d2h][KcKdKh][5s6s7s]", "sh [8c9cTc][3d3h3s][JdJhJs]")


@pytest.mark.parametrize(
    ("make", "published", "points"),
    [pytest.param(rv_1, RV_1, -28, id="RV-1"), pytest.param(rv_2, RV_2, 84, id="RV-2"), pytest.param(rv_3, RV_3, 0, id="RV-3")],
)
def test_published_replay(make: Any, published: str, points: int) -> None:
    """Our log of the published deals becomes the published action list and comes to the published returns."""
    table = make()
    actions = translate([e.text for e in table.log])
    assert actions == list(map(int, published.split()))
    state = start_of(gin_rules("openspiel"))
    for action in actions:
        assert action in state.legal_actions()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == [points, -points]
    assert table.result().points == (points, -points)


@pytest.mark.parametrize("rule", ["void_at_2", "last_upcard_knock"])
def test_rv_4_a_dead_hand(rule: str) -> None:
    """Both pass, 29 cards are drawn and thrown: the wall for the dealer, who passes; nobody scores."""
    table = to_the_wall(gin_table("KsKcQdQhJsJcTdTh9s9c", "Kh2d4d6h8hTcAcAs3h5h", "Qs", wall_rule=rule))
    if rule == "last_upcard_knock":
        play(table, "pass")
    state = start_of(gin_rules())
    for action in translate([e.text for e in table.log])[:-1]:
        state.apply_action(action)
    assert state.current_phase() == pyspiel.gin_rummy.WALL
    assert state.current_player() == 1
    assert set(state.legal_actions()) <= {PASS, KNOCK}
    assert translate([e.text for e in table.log])[-1] == PASS
    state.apply_action(PASS)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_all_numbers_of_melds() -> None:
    """The 185 melds of three to five cards have the numbers OpenSpiel gives them; longer ones are split into such."""
    seen: set[int] = set()
    for one in all_natural_melds():
        actions = meld_actions(one.text)
        cards = [card for action in actions for card in UTILS.int_to_meld[action - FIRST_MELD]]
        assert sorted(cards) == sorted(card_id(c.text) for c in one.cards)
        if len(one) <= 5:
            seen.add(*actions)
    assert seen == set(range(FIRST_MELD, FIRST_MELD + 185))


# --- side by side ----------------------------------------------------------------------------------------------------


class Mixed:
    """A player whose habits differ from deal to deal: more or less careless, early or late to knock, odd in its claims."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.careless = rng.choice((0.0, 0.05, 0.2, 1.0))
        self.patience = rng.choice((0.0, 0.0, 0.5, 0.9, 1.0))
        self.odd = rng.choice((0.0, 0.5, 1.0))

    def choose(self, view: GinView) -> Sequence[Action]:
        """One action, or all of a defence."""
        legal = view.legal_actions()
        if view.phase is Phase.LAYOFF:
            return [self._any(legal)] if self.rng.random() < self.odd else best_defence_actions(view)
        big = [a for a in legal if isinstance(a, BigGin)]
        if big:
            return [self._any(big)]
        claims = [a for a in legal if isinstance(a, Knock)]
        if claims and (self.rng.random() >= self.patience or view.phase is Phase.WALL_KNOCK):
            return [self._claim(view, claims)]
        if view.phase is Phase.SHED:
            throws = [a for a in legal if isinstance(a, Discard)]
            return [self._any(throws) if self._slips() else self._best_throw(view)]
        if view.phase is Phase.DRAW and not self._slips():
            return [legal[self._upcard_helps(view)]]
        return [self._any(legal)]

    def _any(self, actions: Sequence[Action]) -> Action:
        return self.rng.choice(actions)

    def _slips(self) -> bool:
        return self.rng.random() < self.careless

    def _claim(self, view: GinView, claims: Sequence[Knock]) -> Action:
        if self.rng.random() < self.odd:
            return self._any(claims)
        code, _ = kernel.best_discard_except(view.hand_mask, view.banned_mask)
        return next(a for a in claims if a.card.code == code)

    def _best_throw(self, view: GinView) -> Action:
        code, _ = kernel.best_discard_except(view.hand_mask, view.banned_mask)
        return next(a for a in view.legal_actions() if isinstance(a, Discard) and a.card.code == code)

    def _upcard_helps(self, view: GinView) -> bool:
        assert view.upcard is not None
        code, left = kernel.best_discard(view.hand_mask | view.upcard.mask)
        return left < kernel.deadwood(view.hand_mask) and code != view.upcard.code


class Beside:
    """One of our tables and OpenSpiel's state of the same deal, kept in step."""

    def __init__(self, table: GinTable, state: Any) -> None:
        self.table = table
        self.state = state
        self.adapter = Adapter()
        self.moves = 0
        self.played = 0
        self.difference = ""

    def follow(self) -> None:
        """Play at OpenSpiel's table what has happened at ours, up to the first difference."""
        log = self.table.log
        while self.moves < len(log):
            self.adapter.add(log[self.moves].text)
            self.moves += 1
            while self.played < len(self.adapter.actions) and not self.difference:
                action = self.adapter.actions[self.played]
                self.difference = self._why_not(action)
                if not self.difference:
                    self.state.apply_action(action)
                    self.played += 1

    def _why_not(self, action: int) -> str:
        if self.state.is_terminal():
            return self._why_over()
        if action in self.state.legal_actions():
            return ""
        assert action == KNOCK, f"{self.table.log[self.moves - 1]} is refused: {self.state}"
        self._check_missing_knock()
        return "knock"

    def _why_over(self) -> str:
        """A hand that OpenSpiel calls drawn: the last four moves, or the upcards taken, must say so."""
        assert self.state.returns() == [0, 0]
        moves = [e for e in self.table.log[: self.moves] if e.actor >= 0]
        for k in range(len(moves) - 3):
            turn = moves[k : k + 4]
            if [e.verb for e in turn] == ["dd", "dc", "dd", "dc"] and len({e.args for e in turn}) == 1:
                return "repeat"
        first_offer = next(k for k, e in enumerate(moves) if e.verb == "dc")
        assert sum(e.verb == "dd" for e in moves[first_offer:]) >= 50
        return "upcards"

    def _check_missing_knock(self) -> None:
        """OpenSpiel's deadwood of eleven cards is above the limit although one discard leaves less."""
        state = self.state
        hand = list(state.hands()[state.current_player()])
        if len(hand) == 10:
            hand.append(state.upcard())
        theirs = UTILS.min_deadwood(hand)
        exact = min(UTILS.min_deadwood([c for c in hand if c != thrown]) for thrown in hand)
        assert exact <= state.knock_card() < theirs

    def compare_menus(self) -> None:
        """What may be done now is the same at both tables."""
        table, state = self.table, self.state
        if self.difference or table.over or state.is_terminal():
            return
        legal = table.legal_actions()
        theirs = set(state.legal_actions())
        if table.phase in (Phase.UPCARD, Phase.FORCED, Phase.DRAW):
            draw = {DrawStock: STOCK, TakeDiscard: UPCARD}
            assert {draw.get(type(a), PASS) for a in legal} == theirs
        elif table.phase is Phase.SHED:
            thrown = {card_id(a.card.text) for a in legal if isinstance(a, Discard)}
            assert thrown == theirs - {KNOCK} - self._banned()
            self._compare_knock(any(isinstance(a, Knock) for a in legal), KNOCK in theirs)
        elif table.phase is Phase.WALL:
            self._compare_knock(len(legal) == 2, KNOCK in theirs)
        elif table.phase is Phase.LAYOFF and table.log[-1].verb != "lo" and table.knock_deadwood:
            fits = {card_id(a.spot.card.text) for a in legal if isinstance(a, LayOff)}
            assert fits == theirs - {PASS}

    def _banned(self) -> set[int]:
        return {card_id(c.text) for c in cards_of(self.table.banned)}

    def _compare_knock(self, ours: bool, theirs: bool) -> None:
        table = self.table
        if ours and not theirs:
            self._check_missing_knock()
        elif theirs and not ours:
            # They know no ban: only the card just taken (at the wall, to be taken) can be thrown to knock.
            banned = table.banned | CARDS[table.pile[-1]].mask if table.phase is Phase.WALL else table.banned
            hand = table.hands[table.to_act] | banned
            assert table.options.ban_discard_back
            assert kernel.best_discard(hand)[1] <= table.limit < kernel.best_discard_except(hand, banned)[1]


def play_beside(rules: Any, number: int, *, menus: bool = True) -> tuple[Beside, bool]:
    """One deal between two mixed players; also says whether a chain of three or more lay-offs was in it."""
    rng = random.Random(number)
    deck = rng.sample(range(52), 52)
    if number % 4 == 3:
        # Five ranks hold twenty cards: hands full of melds, where knocks, gins and lay-offs are many.
        low = rng.randrange(9)
        deck.sort(key=lambda code: not low <= code % 13 < low + 5)
    table = rules.start(DealSetup(deck, 2, 1))
    beside = Beside(table, start_of(rules))
    players = [Mixed(rng), Mixed(rng)]
    beside.follow()
    while not table.over:
        if menus:
            beside.compare_menus()
        view = table.view()
        for action in players[table.to_act].choose(view):
            table.apply(action)
        beside.follow()
    laid = Counter(e.args[:3] for e in table.log if e.verb == "lo")
    return beside, any(count > 2 for count in laid.values())


def outcome(beside: Beside, rules: Any) -> str:
    """The name of the difference in points, after checking its size; ``equal`` if there is none."""
    if beside.difference:
        return beside.difference
    result = beside.table.result()
    assert beside.state.is_terminal()
    theirs = beside.state.returns()[0]
    ours = result.points[0]
    if ours == theirs:
        return "equal"
    options = rules.options
    if result.ending == "undercut" and result.deadwood[0] == result.deadwood[1]:
        assert abs(ours) == options.undercut_bonus
        assert theirs == 0
        return "tie"
    assert result.ending == "big-gin", (ours, theirs, [e.text for e in beside.table.log])
    assert abs(ours) - abs(theirs) == options.big_gin_bonus - options.gin_bonus
    return "big gin"


def tally(preset: str, options: dict[str, Any], numbers: range) -> Counter[str]:
    """How many deals ended how, and how many differ for which reason."""
    rules = gin_rules(preset, **options)
    counts: Counter[str] = Counter()
    for number in numbers:
        beside, chain = play_beside(rules, number)
        counts[outcome(beside, rules)] += 1
        counts[f"ending {beside.table.result().ending}"] += 1
        counts["chain"] += chain
    return counts


GAMES = [
    pytest.param("openspiel", {}, {"equal", "repeat", "upcards", "knock"}, id="openspiel"),
    pytest.param("standard", {}, {"equal", "tie", "knock", "upcards"}, id="standard"),
    pytest.param("modern", {}, {"equal", "tie", "knock", "big gin", "upcards"}, id="modern"),
    pytest.param("classic", {}, {"equal", "tie", "knock", "upcards"}, id="classic"),
    pytest.param("straight", {}, {"equal", "knock", "upcards"}, id="straight"),
    pytest.param("openspiel", {"oklahoma": True}, {"equal", "repeat", "upcards", "knock"}, id="openspiel-oklahoma"),
    pytest.param("oklahoma-plain", {}, {"equal", "tie", "knock", "upcards"}, id="oklahoma-plain"),
]


@pytest.mark.parametrize(("preset", "options", "allowed"), GAMES)
def test_deals_agree(preset: str, options: dict[str, Any], allowed: set[str]) -> None:
    """Some hundred deals: the same menus, and the same points but for the differences of these rules."""
    deals = {"openspiel": 100, "standard": 60}.get(preset, 30)
    counts = tally(preset, options, range(deals))
    reasons = {name for name in counts if not name.startswith("ending") and name != "chain"}
    assert reasons <= allowed, counts
    assert counts["equal"] >= 0.85 * deals


@pytest.mark.calibration
@pytest.mark.parametrize(("preset", "options", "allowed"), GAMES)
def test_ten_thousand_deals_agree(preset: str, options: dict[str, Any], allowed: set[str]) -> None:
    """Ten thousand deals of each game: no difference is left without its reason (``-s`` shows the counts)."""
    counts = tally(preset, options, range(1000, 11_000))
    sys.stdout.write(f"\n{preset} {options}: {dict(sorted(counts.items()))}\n")
    reasons = {name for name in counts if not name.startswith("ending") and name != "chain"}
    assert reasons <= allowed, counts
    assert counts["equal"] >= 8500


# --- perft -----------------------------------------------------------------------------------------------------------

CONFIRMED = [
    pytest.param(deck, int(depth), int(count), id=f"{deck} {depth}")
    for preset, deck, depth, count, *folded in perft_lines("gin")
    if folded and preset == "openspiel"
]


class TheirPerft:
    """Counts the sequences of OpenSpiel's game as ``lab.perft`` counts ours folded, and the ones it does not have.

    ``missing`` are sequences of ours beyond a hand that OpenSpiel calls drawn (3), or ending in a knock that it does not
    offer (6).
    """

    def __init__(self, deck: str) -> None:
        self.ours = perft_start(GIN, "openspiel", deck)
        self.cards = [card_id(CARDS[code].text) for code in self.ours().setup.deck]
        self.missing = 0

    def start(self) -> Any:
        """OpenSpiel's game after the deal: ten cards to each, then the upcard."""
        state = start_of(gin_rules("openspiel"))
        for card in self.cards[0:20:2] + self.cards[1:20:2] + self.cards[20:21]:
            state.apply_action(card)
        return state

    def count(self, state: Any, path: list[str], depth: int) -> int:
        """Sequences of exactly ``depth`` actions from ``state``, which our moves ``path`` lead to."""
        if state.is_terminal():
            self.missing += perft(lambda: self._our_table(path), depth, folded=True)
            return 0
        legal = state.legal_actions()
        if depth == 1:
            self.missing += KNOCK not in legal and any(isinstance(a, Knock) for a in self._our_table(path).legal_actions())
            return len(legal)
        return sum(self.count(*self._after(state, path, action), depth - 1) for action in legal if action != KNOCK)

    def _our_table(self, path: list[str]) -> GinTable:
        table = self.ours()
        assert isinstance(table, GinTable)
        return play(table, *path)

    def _after(self, state: Any, path: list[str], action: int) -> tuple[Any, list[str]]:
        after = state.clone()
        after.apply_action(action)
        if action == STOCK:
            after.apply_action(self.cards[52 - after.stock_size()])
        words = {STOCK: "ds", UPCARD: "dd", PASS: "pass"}
        return after, [*path, words.get(action) or f"dc {UTILS.card_string(action)}"]


@pytest.mark.parametrize(("deck", "depth", "count"), CONFIRMED)
def test_perft_agrees(deck: str, depth: int, count: int) -> None:
    """OpenSpiel counts as many sequences of draws and discards, with a knock as one, as stand in our perft file."""
    theirs = TheirPerft(deck)
    assert theirs.count(theirs.start(), [], depth) + theirs.missing == count
