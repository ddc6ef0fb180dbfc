"""From hands of gin to games and matches: who deals, targets, dead hands, boxes, Hollywood, fixed deals.

The worked games of the rules (GG-1 to GG-4) are in ``test_gin_vectors.py``; the small ones here are added up by hand.
"""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from support.gin_tables import gin_rules

from rummy_tourney.bot.builtin.gin import GreedyGin
from rummy_tourney.bot.guard import Player, play_deal
from rummy_tourney.bot.policy import PROFILES, Conduct
from rummy_tourney.errors import EngineBug
from rummy_tourney.game.formats import GamesInPlay, MatchFormat, fixed_dealer, rotated
from rummy_tourney.game.rules import DealResult, DealSetup, MatchState
from rummy_tourney.game.variants.gin import GinScoring

DEAD = DealResult("wall", (0, 0), scored=False)
TIE = DealResult("knock", (0, 0), ({"deadwood": 0}, {}), None, scored=False)


def won(winner: int, points: int, boxes: int = 1) -> DealResult:
    """A hand won by a seat."""
    return DealResult("knock", (points, -points) if winner == 0 else (-points, points), winner=winner, boxes=boxes)


def state(*results: DealResult) -> MatchState:
    """A match so far."""
    return MatchState(2, results, (0,) * len(results))


def scoring(preset: str | None = None, **options: object) -> GinScoring:
    """The score sheet of a game."""
    return GinScoring(gin_rules(preset, **options).options)


@pytest.mark.parametrize(
    ("rule", "dealers"),
    [
        ("loser_deals", [0, 1, 0, 0, 0, 1, 1]),
        ("winner_deals", [0, 0, 1, 1, 1, 0, 0]),
        ("alternate", [0, 1, 0, 0, 0, 1, 0]),
    ],
)
def test_next_dealer(rule: str, dealers: list[int]) -> None:
    """After hands won by 0 and 1, a dead one, a tie, 0 and 0: the loser, the winner or the other seat deals."""
    results = [won(0, 10), won(1, 10), DEAD, TIE, won(0, 10), won(0, 10)]
    sheet = scoring(next_dealer=rule)
    assert [sheet.next_dealer(state(*results[:n]), 0) for n in range(7)] == dealers


def test_after_an_undercut_the_knocker_deals() -> None:
    """The loser of an undercut is the knocker."""
    undercut = DealResult("undercut", (-28, 28), ({}, {"undercut": 25, "deadwood": 3}), 1, boxes=1)
    assert scoring().next_dealer(state(undercut), 1) == 0


def test_the_first_dealer_is_drawn() -> None:
    """The draw decides, nothing else."""
    assert scoring().first_dealer(2, lambda n: [0, 1]) == 0
    assert scoring().first_dealer(2, lambda n: [1, 0]) == 1


def test_a_game_ends_at_the_target_and_not_before() -> None:
    """99 is not 100."""
    assert scoring().finished(state(won(0, 99))) is None
    assert scoring().finished(state(won(0, 99), won(1, 99), won(0, 1))) == "target"
    assert scoring().finished(state(won(0, 99), DEAD, DEAD)) is None


def test_boxes_do_not_count_towards_the_target() -> None:
    """Unless they count at once (palace): four hands of 16 with boxes of 10 make 104."""
    hands = [won(0, 16)] * 4
    assert scoring().finished(state(*hands)) is None
    palace = scoring("palace")
    assert palace.finished(state(*hands[:3])) is None
    assert palace.scores(state(*hands[:3])) == (78, 0)
    assert palace.finished(state(*hands)) == "target"
    assert palace.totals(state(*hands)).totals == (104, 0)


def test_the_winner_is_who_reached_the_target() -> None:
    """A with two big hands reaches 100 first; B's ten small ones are worth more with their boxes, and B has not won."""
    hands = [won(1, 9)] * 10 + [won(0, 60), won(0, 45)]
    account = scoring().totals(state(*hands))
    assert account.totals == (105 + 50 + 100, 90 + 250)
    assert (account.winners, account.reason) == ((0,), "target")


@pytest.mark.parametrize("cap", [1, 20])
def test_dead_hands_in_a_row_end_the_game(cap: int) -> None:
    """[D2] Where nobody ever knocks the game ends as it stands: hand points and boxes, no bonus, no shutout."""
    sheet = scoring(max_dead_hands=cap)
    before = (won(0, 30), won(0, 20))
    assert sheet.finished(state(*before, *[DEAD] * (cap - 1))) is None
    assert sheet.finished(state(*before, *[TIE] * cap)) == "dead-deals"
    account = sheet.totals(state(*before, *[DEAD] * cap))
    assert (account.totals, account.winners, account.reason) == ((100, 0), (0,), "dead-deals")


def test_a_game_of_dead_hands_alone_is_drawn() -> None:
    """Equal totals are a drawn match: both are named."""
    account = scoring(max_dead_hands=3).totals(state(DEAD, DEAD, DEAD))
    assert (account.totals, account.winners) == ((0, 0), (0, 1))


def test_a_won_hand_restarts_the_count_of_dead_ones() -> None:
    """Only dead hands in a row count."""
    sheet = scoring(max_dead_hands=3)
    assert sheet.finished(state(DEAD, DEAD, won(0, 5), DEAD, DEAD)) is None


def test_forfeited_hands_count_like_won_ones() -> None:
    """The other seat scores the points and a box, and the offender deals where the loser does."""
    fault = DealResult("fault", (-50, 50), ({"forfeit": -50}, {"forfeit": 50}), 1, boxes=1)
    sheet = scoring()
    assert sheet.next_dealer(state(fault), 1) == 0
    assert sheet.totals(state(fault, fault)).totals == (0, 100 + 50 + 100 + 100)


def test_hollywood_wins_enter_one_column_more_each_time() -> None:
    """The first win counts in column 1, the second in 1 and 2, the third in all three."""
    sheet = scoring(hollywood=True, target=1000, max_dead_hands=1, box_bonus=0)
    assert [sheet.totals(state(*[won(0, 10)] * n, DEAD)).totals[0] for n in range(5)] == [0, 10, 30, 60, 90]


def test_hollywood_ends_when_all_columns_are_closed() -> None:
    """Column 1 alone does not end it."""
    sheet = scoring(hollywood=True)
    hands = [won(0, 100), won(0, 100), won(0, 100)]
    assert [sheet.finished(state(*hands[:n])) for n in range(4)] == [None, None, None, "target"]
    assert sheet.scores(state(*hands[:1])) == (0, 0)


def test_hollywood_first_win_skips_a_closed_column() -> None:
    """B's first win comes after column 1 was closed and opens column 2 for him."""
    sheet = scoring(hollywood=True, box_bonus=0, shutout="none")
    parts = sheet.totals(state(won(0, 100), won(1, 40))).parts
    assert parts[1]["hands"] == 40
    assert sheet.scores(state(won(0, 100), won(1, 40))) == (0, 40)


def test_fixed_deals_count_points_only() -> None:
    """No boxes, no bonus, no target: signed hand points."""
    account = scoring().fixed_totals(state(won(0, 120), won(1, 30), DEAD, won(1, 60)))
    assert (account.totals, account.winners, account.reason) == ((30, -30), (0,), "deals")
    assert scoring().fixed_totals(state(won(0, 10), won(1, 10))).winners == (0, 1)


def test_mirrored_deals() -> None:
    """In a mirrored set the entries change seats and the dealer's seat stays; otherwise the deal passes on."""
    assert rotated(("a", "b"), 0) == ("a", "b")
    assert rotated(("a", "b"), 1) == ("b", "a")
    assert rotated(("a", "b", "c"), 1) == ("c", "a", "b")
    assert [fixed_dealer(2, n, mirrored=True) for n in range(3)] == [1, 1, 1]
    assert [fixed_dealer(2, n, mirrored=False) for n in range(3)] == [1, 0, 1]
    assert MatchFormat(deals=200, mirrored=True).shuffles(2) == 100
    assert MatchFormat(deals=200).shuffles(2) == 200
    assert (MatchFormat(deals=2, mirrored=True).rotations(2), MatchFormat(deals=2).rotations(2)) == (2, 1)
    with pytest.raises(EngineBug):
        MatchFormat(games=1).shuffles(2)


def lots(n: int) -> Sequence[int]:
    """A draw in which seat 0 always comes first."""
    return list(range(n))


@pytest.mark.parametrize("preset", ["standard", "modern", "openspiel", "oklahoma"])
def test_mirrored_self_play_sums_to_zero(preset: str) -> None:
    """The same deck for both rotations and the same deterministic bot twice: to the point what one wins the other loses."""
    form = MatchFormat(deals=80, mirrored=True)
    rules = gin_rules(preset)
    totals: dict[str, Fraction] = {"a": Fraction(0), "b": Fraction(0)}
    for number in range(form.shuffles(2)):
        deck = random.Random(number).sample(range(52), 52)
        for rotation in range(form.rotations(2)):
            entries = rotated(("a", "b"), rotation)
            table = rules.start(DealSetup(deck, 2, fixed_dealer(2, number, mirrored=True)))
            players = [Player(entry, GreedyGin()) for entry in entries]
            points = play_deal(table, players, Conduct(PROFILES["strict"]), rules.forfeit_points()).result.points
            for entry, own in zip(entries, points, strict=True):
                totals[entry] += own
    assert totals == {"a": 0, "b": 0}


def test_games_to_a_target() -> None:
    """A match of three games: the first dealer moves on with each game, most games won decides."""
    games = GamesInPlay(scoring(next_dealer="alternate"), 2, 3, lots)
    dealers = []
    for winner in (0, 1, 1):
        dealer, scores, counted = games.next_deal()
        assert (scores, counted) == ((0, 0), 0)
        dealers.append(dealer)
        games.add(won(winner, 60), dealer)
        dealer, scores, counted = games.next_deal()
        assert (max(scores), counted) == (60, 1)
        games.add(won(winner, 60), dealer)
    assert dealers == [0, 1, 0]
    assert games.over
    account = games.totals()
    assert (account.totals, account.winners, account.reason) == ((120 + 50 + 200, 2 * (120 + 50 + 200)), (1,), "games")


def test_games_won_alike_are_decided_by_totals() -> None:
    """One game each: the higher total wins the match."""
    games = GamesInPlay(scoring(), 2, 2, lots)
    for winner, points in ((0, 100), (1, 140)):
        games.add(won(winner, points), 0)
    assert games.totals().winners == (1,)


def test_a_match_that_is_not_over_has_no_totals() -> None:
    """Asking too early is a mistake of the caller."""
    games = GamesInPlay(scoring(), 2, 1, lots)
    with pytest.raises(EngineBug):
        games.totals()


def test_a_dead_hand_moves_no_counter() -> None:
    """Same dealer, same scores, the next deal's number of counted hands unchanged."""
    games = GamesInPlay(scoring(), 2, 1, lots)
    before = games.next_deal()
    games.add(DEAD, before[0])
    assert games.next_deal() == before


def test_the_table_is_told_the_scores() -> None:
    """Views carry the running scores and the number of the deal."""
    setup = DealSetup(list(range(52)), 2, 0, number=7, scores=(30, 90))
    table = gin_rules().start(setup)
    assert (table.view().deal.scores, table.view().deal.number) == ((30, 90), 7)
    assert (table.to_act, table.view().deal.dealer) == (1, 0)
