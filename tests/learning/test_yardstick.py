"""Strength during training is that of independent paired games."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from learning_cases import Noted

import gosu_rl
from gosu_rl.agents import AgentError, agent_seed
from gosu_rl.arena.stats import mean
from gosu_rl.core.game import Game
from gosu_rl.core.many import game_seeds
from gosu_rl.envs.vector import decision_word
from gosu_rl.learning import yardstick
from gosu_rl.nets.network import build_network, network_config

QUICK = {"points_to_win": 1, "max_turns_per_round": 4}


def player(players: int) -> tuple[Game, torch.nn.Module]:
    torch.set_num_threads(1)
    torch.manual_seed(players)
    game = gosu_rl.game("tactics", players=players, rules=QUICK)
    network = build_network(
        game.observation_spec, game.num_actions, network_config(game, {"kind": "mlp", "hidden": [8]})
    )
    network.policy.weight.data *= 1000  # such that rounding does not decide
    return game, network


def alone(game: Game, network: torch.nn.Module, agent: str, seed: int, seat: int) -> tuple[float, int]:
    """Win share and decisions of one game, played without any of it."""
    state = game.new(seed=seed)
    while not state.over:
        mover = state.mover
        if mover == seat:
            frame = game.relative_actions(mover)
            logits = network(torch.from_numpy(state.observation(mover))[None])[0][0].detach().numpy()
            state.apply(int(frame[np.where(state.mask[frame], logits, -np.inf).argmax()]))
        elif agent in game.policies:
            state.apply(game.choose(state.view(mover), agent, decision_word(seed, state.decisions)))
        else:
            state.apply(state.view(mover).legal[0])  # as `Noted` plays
    return float(state.shares[seat]), state.decisions


@pytest.mark.parametrize(
    ("players", "agent"), [(2, "greedy"), (3, "random"), (4, "greedy"), (2, "learning_cases:Noted")]
)
def test_it_plays_independent_paired_games(players: int, agent: str) -> None:
    game, network = player(players)
    deals, seed = 7, 11
    found = yardstick.measure(network, game, agent, deals, seed)
    games = [
        [alone(game, network, agent, int(one), seat) for seat in range(players)] for one in game_seeds(seed, deals)
    ]
    by_deal = [float(np.mean([share for share, _ in row])) for row in games]
    assert found.share.estimate == pytest.approx(np.mean(by_deal), abs=1e-6)
    wanted = mean(by_deal, bounds=(0.0, 1.0))
    assert (found.share.low, found.share.high) == pytest.approx((wanted.low, wanted.high), abs=1e-6)
    assert found.share.blocks == found.deals == deals
    assert found.length == pytest.approx(np.mean([length for row in games for _, length in row]))
    assert found.agent == agent


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_same_arguments_give_the_same_result(temperature: float) -> None:
    game, network = player(2)
    before = torch.random.get_rng_state()
    one = yardstick.measure(network, game, "greedy", 8, 5, temperature)
    torch.rand(3)
    np.random.default_rng(1).random()
    assert yardstick.measure(network, game, "greedy", 8, 5, temperature) == one
    assert yardstick.measure(network, game, "greedy", 8, 6, temperature) != one
    torch.random.set_rng_state(before)


def test_temperature() -> None:
    """Hot, the network plays at random whatever it has learned; with 0 it does what it likes best."""
    game, network = player(2)
    torch.manual_seed(0)
    network.policy.bias.data[:] = 0
    network.policy.bias.data[game.action("pass")] = 1e6  # passes whenever it may
    cold, hot = (yardstick.measure(network, game, "random", 40, 5, heat).share.estimate for heat in (0.0, 1e9))
    assert cold < 0.35
    assert abs(hot - 0.5) < 0.2


def test_more_deals_than_fit_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    game, network = player(2)
    monkeypatch.setattr(yardstick, "MOST_GAMES", 3)
    found = yardstick.measure(network, game, "greedy", 7, 11)
    seeds = [int(one) for first, part in ((0, 3), (3, 3), (6, 1)) for one in game_seeds(11 + first, part)]
    assert len(set(seeds)) == 7
    shares = [np.mean([alone(game, network, "greedy", one, seat)[0] for seat in (0, 1)]) for one in seeds]
    assert found.share.estimate == pytest.approx(np.mean(shares))


def test_agents_are_fresh_and_leave() -> None:
    Noted.lives.clear()
    game, network = player(3)
    yardstick.measure(network, game, "learning_cases:Noted", 2, 11)
    wanted = {(agent_seed(int(one), seat), seat) for one in game_seeds(11, 2) for seat in range(3)}
    assert {(one.seed, one.seat) for one in Noted.lives} == wanted
    assert len(Noted.lives) == 2 * 3 * 2  # deals, seats of the learner, others
    assert all(one.closed == 1 for one in Noted.lives)


def test_it_can_be_stopped_and_agents_leave_then_too() -> None:
    Noted.lives.clear()
    game, network = player(2)
    asked = iter([False] * 9 + [True])
    with pytest.raises(yardstick.StoppedError):
        yardstick.measure(network, game, "learning_cases:Noted", 2, 11, stop=lambda: next(asked))
    assert Noted.lives
    assert all(one.closed == 1 for one in Noted.lives)


def test_an_agent_that_fails_is_named() -> None:
    game, network = player(2)
    with pytest.raises(AgentError, match=r"agent 'learning_cases:Broken' .*no idea"):
        yardstick.measure(network, game, "learning_cases:Broken", 2, 11)
