"""The measured lower bound on exploitability: right where it is known, and chosen on other deals than measured on."""

from __future__ import annotations

import numpy as np
import pytest

from gosu_rl.arena.plan import GameSpec, deal_seeds
from gosu_rl.learning import exact, response
from gosu_rl.learning.game_tree import enumerate_game
from gosu_rl.learning.miniature import CARDS, RULES, miniature

TACTICS = GameSpec("tactics", 2)
MINIATURE = GameSpec("tactics", 2, CARDS, dict(RULES))


def test_on_the_miniature_it_is_the_exact_gain_and_below_the_best_response():
    tree = enumerate_game(miniature())
    by_chance, by_greed = exact.uniform(tree), exact.of_agent(tree, "greedy")
    gains = []
    for seat in (0, 1):
        mine = tree.set_seat[tree.slot_set] == seat
        gains.append(exact.value(tree, np.where(mine, by_greed, by_chance))[seat])
    found = response.measure(MINIATURE, "random", "greedy", 4_000)
    error = found.gain.half_width / 1.96
    assert 0 < error < 0.02
    assert abs(found.gain.estimate - np.mean(gains)) < 4 * error
    assert 0 < found.bound < exact.exploitability(tree, by_chance).exploitability
    assert (found.deals, found.games, found.truncated, found.complete) == (4_000, 16_000, 0, True)


def test_share_and_gain_say_the_same_and_a_loser_bounds_nothing():
    won = response.measure(TACTICS, "random", "greedy", 100)
    lost = response.measure(TACTICS, "greedy", "random", 100)
    for found in (won, lost):
        assert found.gain.estimate == pytest.approx(2 * found.share.estimate - 1)
    assert won.bound > 0.9
    assert lost.gain.estimate < -0.9
    assert lost.bound == 0.0
    assert "at least 0.000 (97.5 %), a lower bound" in str(lost)


def test_with_three_players_the_responder_sits_alone():
    found = response.measure(GameSpec("tactics", 3), "random", "greedy", 40)
    assert found.games == 40 * 3 * 3
    assert found.gain.estimate == pytest.approx((3 * found.share.estimate - 1) / 2)
    assert found.share.estimate > 0.8


def test_a_truncated_game_gains_nothing():
    spec = GameSpec("tactics", 2, None, {"max_decisions": 12})
    found = response.measure(spec, "random", "greedy", 20)
    assert found.truncated == found.games == 80
    assert found.gain.estimate == 0
    assert np.isnan(found.share.estimate)
    assert found.bound == 0


def test_choice_and_measurement_share_no_deal():
    for seed in (0, 1, 7):
        one, two = (
            set(deal_seeds(response.deals_seed(seed, purpose), 0, 5_000).tolist())
            for purpose in (response.CHOICE, response.MEASUREMENT)
        )
        assert len(one) == len(two) == 5_000
        assert not one & two
    assert response.deals_seed(1, response.CHOICE) != response.deals_seed(2, response.CHOICE)


def test_exploit_trains_chooses_and_measures_on_fresh_deals():
    asked, played = [], []

    def train(spec, agent, seed):
        asked.append((spec, agent, seed))
        return ["responders:First", "greedy", "responders:Last"]

    found = response.exploit(MINIATURE, "random", train, deals=300, choice_deals=60, seed=3, progress=played.append)
    assert asked == [(MINIATURE, "random", 3)]
    assert (found.responder, found.candidates, found.deals) == ("greedy", 3, 300)
    assert sum(played) == 3 * 60 + 300
    alone = response.measure(MINIATURE, "random", "greedy", 300, seed=3)
    assert alone.gain == found.gain
    assert "the best of 3 on other deals" in str(found)


def test_precision_stops_when_the_interval_is_narrow_enough():
    played = []
    found = response.measure(TACTICS, "greedy", "random", 5_000, precision=0.02, progress=played.append)
    assert found.share.half_width <= 0.02
    assert found.deals == sum(played) < 5_000
    most = response.measure(MINIATURE, "random", "greedy", 300, precision=0.0001)
    assert most.deals == 300


def test_a_folder_keeps_the_games_and_goes_on(tmp_path):
    first = response.measure(MINIATURE, "random", "greedy", 50, folder=tmp_path)
    played = []
    more = response.measure(MINIATURE, "random", "greedy", 80, folder=tmp_path, progress=played.append)
    assert (first.deals, more.deals) == (50, 80)
    assert more.gain == response.measure(MINIATURE, "random", "greedy", 80).gain


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: response.measure(MINIATURE, "greedy", "greedy", 5), "the responder is the agent itself"),
        (lambda: response.measure(MINIATURE, "greedy", "random", 0), "deals must be at least 1"),
        (lambda: response.measure(MINIATURE, "greedy", "nobody", 5), "unknown agent 'nobody'"),
        (lambda: response.measure(MINIATURE, "greedy", "random", 5, precision=2), "precision must lie between"),
        (lambda: response.exploit(MINIATURE, "greedy", lambda *_: [], 5, 5), "left no checkpoint"),
        (lambda: response.choose(MINIATURE, "greedy", [], 5), "no responders"),
        (lambda: response.deals_seed(1, "training"), "not 'training'"),
        (lambda: response.measure(MINIATURE, "greedy", "random", 5, seed=-1), "seed must lie"),
    ],
)
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
