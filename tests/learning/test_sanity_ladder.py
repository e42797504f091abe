"""The first rungs: does learning work at all? (experiments/sanity_ladder.py climbs higher.)"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from learning_cases import experiment

from gosu_rl.learning import yardstick
from gosu_rl.learning.config import read
from gosu_rl.learning.trainer import Trainer

ladder = experiment("sanity_ladder")
BATCHES = 15


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def test_a_game_of_one_move_is_learned() -> None:
    rung = ladder.learn("one move", ladder.SignGame(after=0), batches=BATCHES)
    assert rung.first < 0.5  # a third by chance
    assert rung.share > 0.95


@pytest.mark.parametrize(("after", "players"), [(1, 2), (2, 3)])
def test_a_reward_on_anothers_move_is_learned_from(after: int, players: int) -> None:
    rung = ladder.learn("late", ladder.SignGame(after, players), batches=BATCHES)
    assert rung.first < 0.5
    assert rung.share > 0.9


def test_it_is_not_when_the_last_mover_gets_the_credit() -> None:
    """The test above is worth something: with this estimator it fails."""
    rung = ladder.learn("wrong", ladder.SignGame(1), ladder.crediting_the_last_mover, batches=BATCHES)
    assert rung.share < 0.5


@pytest.mark.slow
def test_tactics_is_learned(tmp_path: Path) -> None:
    """Drawing its actions, the network is as good as `random` at first and clearly better after half a minute's work."""
    words = ["budget.samples=40960", "rollout.games=64", "rollout.steps=64", "ppo.minibatch=512", "network.hidden=[64]"]
    words += [
        "ppo.learning_rate=3e-3",
        "ppo.entropy=0.01",
        "evaluation.deals=0",
        "machine.threads=1",
        "machine.device=cpu",
    ]
    trainer = Trainer(read(None, words), tmp_path)

    def against_random(temperature: float) -> yardstick.Measured:
        return yardstick.measure(trainer.network, trainer.game, "random", 100, 5, temperature)

    before = against_random(1.0).share
    trainer.run()
    after = against_random(1.0).share
    assert before.estimate < 0.62
    assert after.low > 0.75
    assert against_random(0.0).share.estimate > 0.9
