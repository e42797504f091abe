"""The parallel environment: only the mover's action counts, and all agents leave together."""

from __future__ import annotations

import numpy as np
import pytest

from gosu_rl.envs import tactics_v0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_the_same_game_as_the_aec_environment(players: int) -> None:
    aec, parallel = tactics_v0.raw_env(num_players=players), tactics_v0.parallel_env(num_players=players)
    aec.reset(seed=21)
    observations, infos = parallel.reset(seed=21)
    rng = np.random.default_rng(1)
    while True:
        mover = aec.agent_selection
        assert {info["active_agent"] for info in infos.values()} == {mover}
        for agent in aec.possible_agents:
            seen = aec.observe(agent)
            assert np.array_equal(seen["observation"], observations[agent]["observation"])
            assert np.array_equal(seen["action_mask"], observations[agent]["action_mask"])
            assert seen["action_mask"].any() == (agent == mover)
        action = int(rng.choice(np.flatnonzero(observations[mover]["action_mask"])))
        # Whatever the others hand in is ignored, legal or not.
        actions = {agent: int(rng.integers(parallel.game.num_actions)) for agent in parallel.agents} | {mover: action}
        aec.step(action)
        observations, rewards, terminated, truncated, infos = parallel.step(actions)
        assert set(observations) == set(rewards) == set(terminated) == set(truncated) == set(parallel.possible_agents)
        assert rewards == aec.rewards
        assert terminated == aec.terminations
        assert truncated == aec.truncations
        if any(terminated.values()):
            break
    assert parallel.agents == []
    assert sum(rewards.values()) == pytest.approx(0)
    assert max(rewards.values()) > 0
    assert {info["active_agent"] for info in infos.values()} == {None}
    with pytest.raises(ValueError, match=r"reset\(\)"):
        parallel.step({})


def test_the_movers_action_must_be_there_and_legal() -> None:
    env = tactics_v0.parallel_env(num_players=3)
    with pytest.raises(ValueError, match=r"reset\(\)"):
        env.step({})
    env.reset(seed=2)
    state = env.game_state.copy()
    mover = env.possible_agents[state.mover]
    others = {agent: 0 for agent in env.agents if agent != mover}
    with pytest.raises(ValueError, match=mover):
        env.step(others)
    with pytest.raises(ValueError, match="not legal") as caught:
        env.step({**others, mover: int(np.flatnonzero(~state.mask)[0])})
    assert state.legal_labels[0] in str(caught.value)
    assert env.game_state == state
    env.step({mover: state.legal[0]})
    assert env.game_state != state


@pytest.mark.ruling("T24")
def test_truncation_reaches_all_agents_at_once() -> None:
    env = tactics_v0.parallel_env(num_players=3, max_cycles=10)
    env.reset(seed=2)
    for _ in range(10):
        assert env.agents == env.possible_agents
        _, rewards, terminated, truncated, _ = env.step({a: env.action_space(a).sample() for a in env.agents})
    assert truncated == dict.fromkeys(env.possible_agents, True)
    assert terminated == dict.fromkeys(env.possible_agents, False)
    assert set(rewards.values()) == {0.0}
    assert env.agents == []
