"""Ratings find known strengths, and their intervals cover them; circles are seen as circles."""

import itertools

import numpy as np
import pytest

from gosu_rl.arena.cycles import alpha_rank, beaten_by_none, maximal_lottery
from gosu_rl.arena.ratings import ELO, PRIOR, anchor_of, fit, rate

ROCK = np.array([[0.5, 0.8, 0.2], [0.2, 0.5, 0.8], [0.8, 0.2, 0.5]])  # each beats the next


def games(theta, players, deals, seed, luck=0.0):
    """Every ordered table on every deal; `luck` is how much a deal favours each agent, the same in all its games."""
    random = np.random.default_rng(seed)
    tables, won, deal = [], [], []
    for number in range(deals):
        shift = luck * random.normal(size=len(theta))
        for seats in itertools.permutations(range(len(theta)), players):
            odds = np.exp((theta + shift)[list(seats)])
            winner = seats[random.choice(players, p=odds / odds.sum())]
            tables.append(np.bincount(seats, minlength=len(theta)))
            won.append(np.eye(len(theta))[winner])
            deal.append(number)
    return np.array(tables), np.array(won), np.array(deal)


def test_two_agents_have_the_odds_of_their_wins():
    """Bradley–Terry of two is the log odds; the prior adds half a game to either side."""
    tables, deals = np.ones((100, 2), int), np.arange(100)
    won = np.zeros((100, 2))
    won[:75, 0], won[75:, 1] = 1, 1
    first, second = rate(tables, won, deals, anchor=1)
    assert first.interval.estimate == pytest.approx(ELO * np.log((75 + PRIOR / 2) / (25 + PRIOR / 2)))
    assert (second.interval.estimate, first.bound) == (0, "")
    assert first.interval.low < 400 * np.log10(3) < first.interval.high
    shared = rate(tables, np.full((100, 2), 0.5), deals, anchor=None)
    assert [one.interval.estimate for one in shared] == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_known_strengths_are_found(players):
    theta = np.array([0.0, 0.4, 0.8, 1.6, -0.5])
    found = rate(*games(theta, players, 60, seed=players), anchor=0)
    for one, truth in zip(found[1:], theta[1:], strict=True):
        width = one.interval.half_width
        assert abs(one.interval.estimate - ELO * truth) < 2.0 * width
        assert 5 < width < 120


def test_intervals_cover_where_deals_decide_much():
    """Games of a deal are not independent: an interval that took them as such would cover far less."""
    theta, hits, total = np.array([0.0, 0.0]), 0, 60
    for seed in range(total):
        tables, won, deals = games(theta, 2, 40, seed, luck=2.0)
        tables, won, deals = (np.repeat(part, 5, axis=0) for part in (tables, won, deals))  # five games alike
        one = rate(tables, won, deals, anchor=0)[1].interval
        hits += one.low <= 0 <= one.high
    assert hits >= 0.85 * total


def test_the_same_seed_gives_the_same_interval():
    data = games(np.array([0.0, 1.0]), 2, 30, seed=1)
    assert rate(*data, anchor=0, seed=5) == rate(*data, anchor=0, seed=5)
    assert rate(*data, anchor=0, seed=5) != rate(*data, anchor=0, seed=6)


def test_who_wins_everything_has_a_limit_only():
    tables, deals = np.ones((40, 2), int), np.arange(40)
    winner, loser = rate(tables, np.tile([1.0, 0.0], (40, 1)), deals, anchor=1)
    assert (winner.bound, loser.bound) == ("at least", "")
    assert 500 < winner.interval.estimate < 1500
    assert [one.bound for one in rate(tables, np.tile([0.0, 1.0], (40, 1)), deals, anchor=1)] == ["at most", ""]


def test_copies_at_a_table_share_what_they_win():
    """Two seats of one agent against one of another: even agents win 2/3 and 1/3."""
    tables = np.tile([2, 1], (90, 1))
    won = np.zeros((90, 2))
    won[:60, 0], won[60:, 1] = 1, 1
    assert rate(tables, won, np.arange(90), anchor=0)[1].interval.estimate == pytest.approx(0, abs=2)


def test_an_agent_without_games_has_no_rating():
    found = rate(np.tile([1, 1, 0], (9, 1)), np.tile([0.5, 0.5, 0.0], (9, 1)), np.arange(9), anchor=0)
    assert np.isnan(found[2].interval.estimate)
    assert all(
        np.isnan(one.interval.estimate) for one in rate(np.zeros((0, 2), int), np.zeros((0, 2)), np.zeros(0, int), 0)
    )


def test_the_fit_is_that_of_choix():
    """An independent library, on data without shared wins and with the prior as games that were played."""
    choix = pytest.importorskip("choix", reason="choix is not installed; it is only compared with")
    tables, won, _ = games(np.array([0.0, 0.7, 1.5, -1.0]), 3, 30, seed=3)
    data = [(int(w.argmax()), [int(x) for x in np.flatnonzero(t - w)]) for t, w in zip(tables, won, strict=True)]
    double = [pair for pair in data for _ in range(2)]  # everything twice, so that half a game of the prior is one
    double += [(i, [j]) for i in range(4) for j in range(4) if i != j]
    theirs = choix.ilsr_top1(4, double)
    groups, group = np.unique(tables, axis=0, return_inverse=True)
    ours = fit(groups, np.bincount(group.reshape(-1))[None].astype(float), won.sum(0)[None])[0]
    assert ours == pytest.approx(theirs - theirs.mean(), abs=1e-5)


def test_random_is_the_anchor_where_it_plays():
    assert anchor_of(["greedy", "random"]) == 1
    assert anchor_of(["greedy", "mcts"]) is None


def test_rock_paper_scissors_is_a_circle():
    assert maximal_lottery(ROCK) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(ROCK) == pytest.approx([1 / 3] * 3)
    assert beaten_by_none(ROCK) == []


def test_an_uneven_circle_has_an_uneven_lottery():
    """Margins 0.8, 0.2 and 0.6: each is drawn as often as the margin it has no part in says."""
    payoff = np.array([[0.5, 0.9, 0.2], [0.1, 0.5, 0.6], [0.8, 0.4, 0.5]])
    assert maximal_lottery(payoff) == pytest.approx([0.125, 0.375, 0.5])


def test_a_best_agent_gets_everything():
    payoff = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]])
    assert maximal_lottery(payoff) == pytest.approx([1, 0, 0])
    assert alpha_rank(payoff) == pytest.approx([1, 0, 0], abs=1e-6)
    assert beaten_by_none(payoff) == [0]


def test_a_circle_above_weaker_agents_keeps_them_out():
    payoff = np.full((4, 4), 0.9)
    payoff[:3, :3], payoff[3] = ROCK, 0.1
    payoff[3, 3] = 0.5
    assert alpha_rank(payoff) == pytest.approx([1 / 3] * 3 + [0], abs=1e-6)
    assert maximal_lottery(payoff) == pytest.approx([1 / 3] * 3 + [0], abs=1e-9)


def test_pairs_that_never_met_count_as_even():
    payoff = np.array([[0.5, np.nan], [np.nan, 0.5]])
    assert alpha_rank(payoff) == pytest.approx([0.5, 0.5])
