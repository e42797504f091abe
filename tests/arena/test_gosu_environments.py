"""GOSU as environments and in the measuring commands: names, games as the engine's, the token's name."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gosu_rl
import gosu_rl.envs  # registers
from gosu_rl.arena.solo import SoloEnv
from gosu_rl.cli import main
from gosu_rl.core.many import game_seeds
from gosu_rl.envs import VectorEnv, decision_word

ID = "gosu/GOSU-v0"


@pytest.mark.parametrize("arguments", [{}, {"players": 4, "relative": True, "opponents": "random", "seat": 2}])
def test_gymnasiums_checker_is_content(arguments: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, illegal="random", **arguments).unwrapped)
    assert "Round 1" in capsys.readouterr().out


def test_one_seat_is_paid_what_the_game_returns() -> None:
    env = gymnasium.make(ID, opponents=["greedy", "mcts:sims=3"], players=3).unwrapped
    assert isinstance(env, SoloEnv)
    assert env.game.variant == "gosu"
    chance, spent = np.random.default_rng(3), 0
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            assert (observation == env.game_state.view(info["seat"]).observation(info["seat"])).all()
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            spent += env.game.labels[action].startswith(("spend", "activate"))
            observation, reward, terminated, truncated, info = env.step(action)
        assert reward == env.game_state.returns[env.seat]
        assert not truncated
    assert spent > 5


def test_many_games_of_one_learner() -> None:
    envs = gymnasium.make_vec(ID, num_envs=32, vectorization_mode="vector_entry_point", opponents=["greedy"], threads=2)
    _, infos = envs.reset(seed=1)
    chance, ended, total = np.random.default_rng(1), 0, 0.0
    for _ in range(120):
        # Next-step autoreset: a game that has ended takes any action and is dealt anew.
        actions = [int(chance.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in infos["action_mask"]]
        _, rewards, terminated, truncated, infos = envs.step(np.array(actions))
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        ended, total = ended + int(terminated.sum()), total + float(rewards.sum())
    assert ended > 20
    assert total / ended < -0.9  # random choices against greedy


@pytest.mark.parametrize("players", [2, 4])
def test_a_batch_plays_the_games_of_single_states(players: int) -> None:
    """Observation, mask, mover, returns and length of every game, decision by decision, until it ends."""
    env = VectorEnv("gosu", 6, players=players)
    game = env.game
    step, seeds = env.reset(seed=4), [int(seed) for seed in game_seeds(4, 6)]
    states, going = [game.new(seed=seed) for seed in seeds], [True] * 6
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
            if going[i] and state.over:
                assert step.terminated[i]
                assert step.rewards[i].tolist() == pytest.approx(state.returns.tolist())
                assert step.length[i] == state.decisions
                going[i] = False


def test_win_rates_speak_of_the_advantage_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rates"
    assert main(["winrates", "gosu", "--deals", "40", "--players", "3", "--no-plots", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Effect of being given the Advantage token (same deals, Advantage token given to another seat)" in told
    assert "Advantage token still with the first holder" in told
    assert "Advantage card" not in told
    written = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix in (".txt", ".csv"))
    assert "Advantage card" not in written
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert "gosu" in json.dumps(result)


def test_impact_of_gosus_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "impact"
    assert main(["cards", "impact", "gosu", "--deals", "60", "--no-plots", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Dealt among the opening 7" in told
    with (folder / "impact.csv").open(encoding="utf-8") as file:
        cards = {row["card"] for row in csv.DictReader(file)}
    assert cards == {card.label for card in gosu_rl.game("gosu").card_set.cards}
    with (folder / "clans.csv").open(encoding="utf-8") as file:
        assert {row["clan"] for row in csv.DictReader(file)} == {"Ancient", "Alpha", "Dark", "Méka", "Fire"}


def test_a_tournament_of_gosu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "random,greedy,mcts:sims=5", "--deals", "3", "--no-plots", "--workers", "1"]
    assert main(["tournament", "gosu", *words, "--out", str(tmp_path / "t")]) == 0
    assert "gosu" in capsys.readouterr().out
