"""Self-play on the miniature comes near an equilibrium: measured exactly, with the default entropy bonus."""

from __future__ import annotations

import pytest

from experiments.miniature import learn, training
from gosu_rl.learning import exact
from gosu_rl.learning.game_tree import enumerate_game
from gosu_rl.learning.miniature import miniature


@pytest.mark.slow
def test_ppo_drives_exploitability_down():
    tree = enumerate_game(miniature())
    greedy = exact.exploitability(tree, exact.of_agent(tree, "greedy")).exploitability
    curve = learn(tree, training(seed=5, samples=100_000))
    untrained, trained = curve[0][1], curve[-1][1]
    assert untrained > 0.6  # an untrained network plays like `random`
    assert trained < 0.75 * greedy < 0.25 * untrained
