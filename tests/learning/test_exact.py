"""Exact measures on the miniature: what they are, and that games with the real engine agree."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from gosu_rl.core import playout
from gosu_rl.core.position import records
from gosu_rl.learning import exact, game_tree
from gosu_rl.learning.miniature import miniature
from gosu_rl.learning.regret import self_play

# ------------------------------------------------------------------------------------------------ the tree


def test_the_size_that_the_docs_state(tree):
    assert (tree.nodes, tree.sets, tree.views, tree.perceptions) == (19_376, 3_412, 1_946, 1_906)
    assert int((tree.node_set < 0).sum()) == 11_028
    assert repr(tree) == "<GameTree of 19,376 nodes (11,028 ends), 3,412 information sets>"


def test_a_second_enumeration_gives_the_same_tree(tree):
    again = game_tree.enumerate_game(miniature())
    for name in (
        "layer_start",
        "node_edge",
        "node_chance",
        "node_set",
        "edge_slot",
        "set_view",
        "slot_action",
        "masks",
    ):
        np.testing.assert_array_equal(getattr(again, name), getattr(tree, name), err_msg=name)


def test_chances_add_up_to_one(tree, greedy):
    for strategy in (exact.uniform(tree), greedy):
        assert exact.reach(tree, strategy)[tree.node_set < 0].sum() == pytest.approx(1, abs=1e-12)
    assert tree.node_chance[tree.node_edge < 0].sum() == pytest.approx(1, abs=1e-12)


def test_positions_of_one_information_set_look_alike_to_the_mover(watcher, tree):
    game = tree.game
    sets = np.concatenate([sets for _, sets in watcher.positions])
    observations = np.empty((len(sets), game.observation_size), np.float32)
    masks = np.empty((len(sets), game.num_actions), np.int8)
    at = 0
    for S, _ in watcher.positions:
        for i, seat in enumerate(S["mover"].tolist()):
            playout.perceive(
                game.F_observe, game.R, records(S[i : i + 1]), game.scratch, seat, observations[at], masks[at]
            )
            masks[at] = masks[at][game.relative_actions(seat)]
            assert seat == tree.set_seat[sets[at]]
            at += 1
    assert at == int((tree.node_set >= 0).sum()) > tree.sets
    np.testing.assert_array_equal(observations, tree.observations[sets])
    np.testing.assert_array_equal(masks, tree.masks[sets])


def test_players_remember_what_they_did(tree):
    """Perfect recall: all nodes of a set have the same last set and action of their mover."""
    last = {0: np.full(tree.nodes, -1), 1: np.full(tree.nodes, -1)}
    for node in range(tree.nodes):
        edge = tree.node_edge[node]
        if edge >= 0:
            parent, slot = tree.edge_node[edge], tree.edge_slot[edge]
            for seat in (0, 1):
                last[seat][node] = slot if tree.set_seat[tree.slot_set[slot]] == seat else last[seat][parent]
    before = {}
    for node in np.flatnonzero(tree.node_set >= 0):
        where = int(tree.node_set[node])
        assert before.setdefault(where, last[tree.set_seat[where]][node]) == last[tree.set_seat[where]][node]


# ------------------------------------------------------------------------------------------------ values


def test_values_are_zero_sum_and_seats_alike(tree, greedy):
    for strategy in (exact.uniform(tree), greedy):
        values = exact.value(tree, strategy)
        assert values.sum() == pytest.approx(0, abs=1e-12)
        assert values[0] == pytest.approx(0, abs=1e-12)  # the holder is drawn, so the seats mirror each other


def test_a_best_response_is_worth_what_it_says_and_never_less_than_the_strategy(tree, greedy):
    rng = np.random.default_rng(5)
    weight = rng.random(len(tree.slot_action))
    mixed = weight / np.add.reduceat(weight, tree.set_first[:-1])[tree.slot_set]
    for strategy in (exact.uniform(tree), greedy, mixed):
        values = exact.value(tree, strategy)
        for seat in (0, 1):
            worth, answer = exact.best_response(tree, strategy, seat)
            others = tree.set_seat[tree.slot_set] != seat
            np.testing.assert_array_equal(answer[others], strategy[others])
            assert set(answer[~others]) <= {0.0, 1.0}
            assert exact.value(tree, answer)[seat] == pytest.approx(worth, abs=1e-12)
            assert worth >= values[seat] - 1e-12


def test_random_and_greedy_can_be_exploited_by_as_much_as_the_docs_state(tree, greedy):
    by_chance = exact.exploitability(tree, exact.uniform(tree))
    assert by_chance.exploitability == pytest.approx(0.8183, abs=5e-5)
    by_greed = exact.exploitability(tree, greedy)
    assert by_greed.exploitability == pytest.approx(0.2464, abs=5e-5)
    assert by_greed.nash_conv == pytest.approx(2 * by_greed.exploitability)
    assert by_greed.response_share == pytest.approx((1 + by_greed.exploitability) / 2)


def test_the_equilibrium_cannot_be_exploited_and_has_to_mix(tree, solution):
    worth, strategy = solution
    assert worth == pytest.approx(0, abs=1e-9)
    assert exact.exploitability(tree, strategy).exploitability < 1e-6
    np.testing.assert_allclose(np.add.reduceat(strategy, tree.set_first[:-1]), 1, atol=1e-9)
    likeliest = np.zeros_like(strategy)
    for i in range(tree.sets):
        a, b = tree.set_first[i : i + 2]
        likeliest[a + np.argmax(strategy[a:b])] = 1.0
    assert exact.exploitability(tree, likeliest).exploitability > 0.01


def test_nobody_gains_against_the_equilibrium(tree, greedy, solution):
    _, strategy = solution
    for other in (exact.uniform(tree), greedy):
        for seat in (0, 1):
            mine = tree.set_seat[tree.slot_set] == seat
            assert exact.value(tree, np.where(mine, other, strategy))[seat] < 1e-6


def test_cfr_gets_near_the_equilibrium_and_so_does_who_sees_only_what_a_network_sees(tree):
    assert exact.exploitability(tree, self_play(tree, 60)).exploitability < 0.01
    tied = self_play(tree, 60, tree.set_perception)
    assert exact.exploitability(tree, tied).exploitability < 0.01
    kinds = {}
    for q, p in enumerate(tied):
        key = (tree.set_perception[tree.slot_set[q]], tree.slot_relative[q])
        assert kinds.setdefault(key, p) == pytest.approx(p, abs=1e-9)


# ------------------------------------------------------------------------------------------------ policies


def test_a_network_is_asked_once_and_in_its_own_frame(tree, greedy):
    calls = []

    def evaluate(observations, masks):
        calls.append((observations.shape, masks.shape))
        assert observations.dtype == np.float32
        assert masks.dtype == np.int8
        table = np.zeros(masks.shape, np.float32)
        table[tree.slot_set, tree.slot_relative] = greedy
        return table, np.zeros(len(masks), np.float32)

    np.testing.assert_allclose(exact.of_policy(tree, evaluate), greedy, atol=1e-7)
    assert calls == [((tree.sets, tree.game.observation_spec.size), (tree.sets, tree.game.num_actions))]


def test_one_relative_policy_plays_both_seats_alike(tree):
    """A policy that prefers low actions in its own frame is worth nothing in either seat; in the absolute frame it need not be."""

    def low(observations, masks):
        weights = masks * 0.5 ** np.arange(masks.shape[1])
        return weights / weights.sum(axis=1, keepdims=True)

    strategy = exact.of_policy(tree, low)
    assert exact.value(tree, strategy)[0] == pytest.approx(0, abs=1e-9)
    gains = exact.exploitability(tree, strategy).responses
    assert gains[0] == pytest.approx(gains[1], abs=1e-9)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda table: table[:, :-1], "shape"),
        (lambda table: table * 0.9, "information set 0 do not add up"),
        (lambda table: np.where(table > 0, np.nan, table), "do not add up"),
        (lambda table: np.full_like(table, 1 / table.shape[1]), "do not add up"),
        (lambda table: table * 3 - 2 * (table > 0) * table.max(), "do not add up"),
    ],
)
def test_what_is_no_probability_is_refused(tree, spoil, message):
    with pytest.raises(ValueError, match=message):
        exact.of_policy(tree, lambda observations, masks: spoil(masks / masks.sum(axis=1, keepdims=True)))


def test_strategies_of_another_tree_and_odd_arguments_are_refused(tree):
    with pytest.raises(ValueError, match="has 8100 probabilities"):
        exact.value(tree, np.ones(3))
    with pytest.raises(ValueError, match="seat must be"):
        exact.best_response(tree, exact.uniform(tree), 2)
    with pytest.raises(ValueError, match="no compiled policy 'best'; there are random, greedy"):
        exact.of_agent(tree, "best")
    with pytest.raises(ValueError, match="one number for each of 3412"):
        self_play(tree, 1, np.zeros(4, np.int64))


def test_greedy_s_ties_fall_evenly(tree, greedy):
    """Its strategy says even chances: 600 choices at each of some tied sets do not contradict it."""
    tied = np.unique(tree.slot_set[(greedy > 0) & (greedy < 1)]).tolist()
    assert len(tied) >= 8
    for i in random.Random(1).sample(tied, 8):
        slots = slice(tree.set_first[i], tree.set_first[i + 1])
        view = tree.view(i)
        chosen = [tree.game.choose(view, "greedy", seed) for seed in random.Random(i).sample(range(2**62), 600)]
        counts = np.array([chosen.count(action) for action in tree.slot_action[slots]])
        assert counts.sum() == 600
        np.testing.assert_allclose(counts / 600, greedy[slots], atol=5 * 0.5 / 600**0.5)


# ------------------------------------------------------------------------------------------------ against the engine


def test_played_with_the_engine_a_best_response_wins_what_was_computed(tree, greedy):
    """1,000 games of the best response to greedy, seat and deal by turns, within four standard errors.

    The responder finds his set by the last one he was in, his action there and the view he has now; that this is enough is
    checked on the way.
    """
    game = tree.game
    answers = [exact.best_response(tree, greedy, seat) for seat in (0, 1)]
    sets = _by_memory(tree)
    returns = []
    for seed in range(1_000):
        seat, state, memory = seed % 2, game.new(seed=seed), -1
        words = random.Random(seed)
        while not state.over:
            legal = state.legal
            if len(legal) == 1:
                state.apply(legal[0])
                continue
            view = state.view(state.mover)
            if state.mover != seat:
                state.apply(game.choose(view, "greedy", words.getrandbits(63)))
                continue
            where = sets[memory, _told(view)]
            slots = np.arange(tree.set_first[where], tree.set_first[where + 1])
            memory = int(slots[np.argmax(answers[seat][1][slots])])
            state.apply(int(tree.slot_action[memory]))
        returns.append(state.returns[seat])
    error = np.std(returns) / len(returns) ** 0.5
    assert abs(np.mean(returns) - np.mean([worth for worth, _ in answers])) < 4 * error


def _told(view):
    return json.dumps(view.as_dict(), sort_keys=True)


def _by_memory(tree):
    """(last slot of the mover or -1, his view) -> information set; a pair that names two sets fails."""
    last = np.full((tree.nodes, 2), -1)
    found = {}
    texts = [_told(tree.view(i)) for i in range(tree.sets)]
    for node in range(tree.nodes):
        edge = tree.node_edge[node]
        if edge >= 0:
            last[node] = last[tree.edge_node[edge]]
            last[node, tree.set_seat[tree.slot_set[tree.edge_slot[edge]]]] = tree.edge_slot[edge]
        where = int(tree.node_set[node])
        if where >= 0:
            assert found.setdefault((int(last[node, tree.set_seat[where]]), texts[where]), where) == where
    return found
