"""Each game but Tactics as environments: gymnasium's checker, one seat's pay, and batches that play the games of single states."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gosu_rl.arena.solo import SoloEnv
from gosu_rl.core.many import game_seeds
from gosu_rl.envs import VectorEnv, decision_word

GOSU, GOSU_X, EPIC_DEATH = "gosu/GOSU-v0", "gosu/GosuX-v0", "gosu/EpicDeath-v0"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (GOSU, {}, "Round 1"),
        (GOSU, {"players": 4, "relative": True, "opponents": "random", "seat": 2}, "Round 1"),
        (GOSU_X, {"relative": True, "opponents": "random"}, "to be drafted: "),
        (EPIC_DEATH, {}, "Towns left"),
        (EPIC_DEATH, {"players": 6, "relative": True, "opponents": "random", "seat": 4}, "Towns left"),
    ],
)
def test_gymnasiums_checker_is_content(
    name: str, arguments: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, illegal="random", **arguments).unwrapped)
    assert words in capsys.readouterr().out


def seen_of_one_seat(env: SoloEnv, games: int) -> list[tuple[str, str]]:
    """(kind, label) of every decision of the learner's seat in some games of random choices; each pays what the game returns."""
    chance, seen = np.random.default_rng(3), []
    for seed in range(games):
        observation, info = env.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            assert (observation == env.game_state.view(info["seat"]).observation(info["seat"])).all()
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            seen.append((env.game_state.kind, env.game.labels[action]))
            observation, reward, terminated, truncated, info = env.step(action)
        assert reward == env.game_state.returns[env.seat]
        assert not truncated
    return seen


def test_one_seat_of_gosu_spends_its_tokens_itself() -> None:
    env = gymnasium.make(GOSU, opponents=["greedy", "mcts:sims=3"], players=3).unwrapped
    assert isinstance(env, SoloEnv)
    assert env.game.variant == "gosu"
    assert sum(label.startswith(("spend", "activate")) for _, label in seen_of_one_seat(env, 4)) > 5


def test_one_seat_of_gosu_x_drafts_its_clans_itself() -> None:
    env = gymnasium.make(GOSU_X, opponents=["mcts:sims=3"]).unwrapped
    assert isinstance(env, SoloEnv)
    assert sum(kind == "draft" for kind, _ in seen_of_one_seat(env, 2)) == 6


@pytest.mark.parametrize(
    ("name", "arguments", "steps", "ends", "share"),
    [  # at least so many games end, and the mean return stays below that: random choices against greedy
        (GOSU, {"num_envs": 32, "threads": 2}, 120, 20, -0.9),
        (EPIC_DEATH, {"num_envs": 16, "rules": {"layout": 1}}, 400, 8, -0.5),
    ],
)
def test_many_games_of_one_learner(name: str, arguments: dict[str, Any], steps: int, ends: int, share: float) -> None:
    envs = gymnasium.make_vec(name, vectorization_mode="vector_entry_point", opponents=["greedy"], **arguments)
    _, infos = envs.reset(seed=1)
    chance, ended, total = np.random.default_rng(1), 0, 0.0
    for _ in range(steps):
        # Next-step autoreset: a game that has ended takes any action and is dealt anew.
        actions = [int(chance.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in infos["action_mask"]]
        _, rewards, terminated, truncated, infos = envs.step(np.array(actions))
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        ended, total = ended + int(terminated.sum()), total + float(rewards.sum())
    assert ended > ends
    assert total / ended < share


@pytest.mark.parametrize(
    ("variant", "count", "players", "rules"),
    [
        ("gosu", 6, 2, {}),
        ("gosu", 6, 4, {}),
        ("gosu_x", 4, 2, {"draft": "agents"}),
        ("gosu_x", 4, 2, {"draft": "random"}),
        ("epic_death", 3, 2, {"layout": 1}),
        ("epic_death", 3, 6, {"layout": 2}),
    ],
)
def test_a_batch_plays_the_games_of_single_states(
    variant: str, count: int, players: int, rules: dict[str, Any]
) -> None:
    """Observation, mask, mover, returns and length of every game, decision by decision, until it ends."""
    env = VectorEnv(variant, count, players=players, rules=rules)
    game = env.game
    step, seeds = env.reset(seed=4), [int(seed) for seed in game_seeds(4, count)]
    states, going = [game.new(seed=seed) for seed in seeds], [True] * count
    while any(going):
        for i, state in enumerate(states):
            if going[i]:
                observation, mask = state.perceive(state.mover)
                assert (step.observation[i] == observation).all()
                assert (step.mask[i] == mask).all()
                assert step.mover[i] == state.mover
        actions = env.policy_actions("greedy")
        for i, state in enumerate(states):
            if going[i]:
                word = int(decision_word(np.uint64(seeds[i]), state.decisions))
                assert game.choose(state.view(state.mover), "greedy", word) == actions[i]
                state.apply(int(actions[i]))
        step = env.step(actions)
        for i, state in enumerate(states):
            if going[i]:
                assert step.terminated[i] == state.over
            if going[i] and state.over:
                assert step.rewards[i].tolist() == pytest.approx(state.returns.tolist())
                assert step.length[i] == state.decisions
                going[i] = False
