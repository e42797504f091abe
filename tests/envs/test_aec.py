"""The AEC environment: what agents see, what an illegal action does, how rewards arrive, what reset keeps."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import gosu_rl
from gosu_rl.envs import tactics_v0
from gosu_rl.envs.aec import AECGame

PLAYERS = (2, 3, 4)


def play_out(env: AECGame, rng: np.random.Generator) -> dict[str, float]:
    """Random legal actions to the end; what `last()` told each agent when its game was over."""
    told: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            told[agent] = reward
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return told


@pytest.mark.parametrize("players", PLAYERS)
def test_observations_come_from_the_agents_own_view(players: int) -> None:
    env, rng = tactics_v0.raw_env(num_players=players), np.random.default_rng(players)
    env.reset(seed=11)
    kinds = set()
    for step in range(400):
        state = env.game_state
        kinds.add(state.kind)
        for seat, agent in enumerate(env.possible_agents):
            seen, view = env.observe(agent), state.view(seat)
            assert np.array_equal(seen["observation"], view.observation(seat))
            assert np.array_equal(seen["action_mask"].astype(bool), view.mask)
            assert seen["action_mask"].any() == (seat == state.mover)
            assert env.observation_space(agent).contains(seen)
            # Another world that this agent cannot tell from the true one shows him the same.
            other = view.determinize(seed=step)
            assert np.array_equal(seen["observation"], other.observation(seat))
        if state.over:
            env.reset()
        else:
            env.step(int(rng.choice(state.legal)))
    assert {"mulligan", "opening", "turn", "use", "pay", "over"} <= kinds


def test_observations_are_not_overwritten_by_later_steps() -> None:
    env = tactics_v0.raw_env()
    env.reset(seed=1)
    agent = env.agent_selection
    seen = env.observe(agent)
    kept = copy.deepcopy(seen)
    for _ in range(10):
        env.step(int(env.action_space(env.agent_selection).sample()))
    assert np.array_equal(seen["observation"], kept["observation"])
    assert np.array_equal(seen["action_mask"], kept["action_mask"])
    assert not np.array_equal(env.observe(agent)["observation"], kept["observation"])


@pytest.mark.parametrize("wrong", [-1, 10**6, None, "nonsense", 1.5, "first illegal"])
def test_an_illegal_action_is_a_clear_error_and_changes_nothing(wrong: object) -> None:
    env = tactics_v0.raw_env(num_players=3)
    env.reset(seed=5)
    for _ in range(30):
        env.step(int(env.action_space(env.agent_selection).sample()))
    state, agent = env.game_state.copy(), env.agent_selection
    books = copy.deepcopy((env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos))
    if wrong == "first illegal":
        wrong = int(np.flatnonzero(~state.mask)[0])
    with pytest.raises(ValueError, match="not legal") as caught:
        env.step(wrong)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert agent in message
    assert state.kind in message
    assert state.legal_labels[0] in message
    assert env.game_state == state
    assert env.agent_selection == agent
    assert books == (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos)
    env.step(state.legal[0])
    assert env.game_state != state


def test_a_long_list_of_legal_actions_is_capped() -> None:
    env = tactics_v0.raw_env(rules={"turns_after_pass": 3})
    longest = 0
    for seed in range(5):
        env.reset(seed=seed)
        while env.agents and not env.game_state.over:
            legal = env.game_state.legal
            longest = max(longest, len(legal))
            with pytest.raises(ValueError, match="legal") as caught:
                env.step(-1)
            assert str(caught.value).count("(") <= 21
            assert ("more" in str(caught.value)) == (len(legal) > 20)
            env.step(int(env.action_space(env.agent_selection).sample()))
    assert longest > 1


@pytest.mark.parametrize("players", PLAYERS)
def test_every_agent_is_told_its_return_and_they_add_up_to_zero(players: int) -> None:
    env, rng = tactics_v0.raw_env(num_players=players), np.random.default_rng(7)
    winners = set()
    for seed in range(12):
        env.reset(seed=seed)
        told = play_out(env, rng)
        assert set(told) == set(env.possible_agents)
        assert list(told.values()) == list(env.game_state.returns)
        assert sum(told.values()) == pytest.approx(0)
        assert max(told.values()) > 0
        winners.add(max(told, key=lambda agent: told[agent]))
        assert env.agents == []
    assert len(winners) > 1


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_is_rewarded_before_the_end(players: int) -> None:
    env = tactics_v0.raw_env(num_players=players)
    env.reset(seed=2)
    while not env.game_state.over:
        assert set(env.rewards.values()) == {0.0}
        assert set(env._cumulative_rewards.values()) == {0.0}
        env.step(int(env.action_space(env.agent_selection).sample()))
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


@pytest.mark.parametrize("how", [{"max_cycles": 25}, {"rules": {"max_decisions": 25}}])
@pytest.mark.ruling("T24")
def test_a_truncated_game_is_truncated_for_everybody(how: dict[str, object]) -> None:
    env = tactics_v0.raw_env(num_players=4, **how)
    env.reset(seed=3)
    for _ in range(25):
        assert not any(env.truncations.values())
        env.step(int(env.action_space(env.agent_selection).sample()))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert set(env._cumulative_rewards.values()) == {0.0}
    for agent in list(env.possible_agents):
        assert env.agent_selection == agent
        env.step(None)
    assert env.agents == []


def test_dead_agents_step_with_none_only() -> None:
    env = tactics_v0.raw_env(max_cycles=3)
    env.reset(seed=3)
    for _ in range(3):
        env.step(int(env.action_space(env.agent_selection).sample()))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(ValueError, match=r"reset\(\)"):
        env.step(None)


def test_a_seed_gives_the_games_deal_and_the_ones_that_follow_it() -> None:
    first, second = tactics_v0.raw_env(), tactics_v0.raw_env()
    first.reset(seed=9)
    assert first.game_state == gosu_rl.game("tactics", players=2).new(seed=9)
    second.reset()
    second.reset(seed=9)
    assert first.game_state == second.game_state
    follow = []
    for _ in range(3):
        first.reset()
        second.reset()
        assert first.game_state == second.game_state
        assert first.game_seed is not None
        follow.append(first.game_seed)
    assert len(set(follow)) == 3
    unseeded = [tactics_v0.raw_env() for _ in range(2)]
    for env in unseeded:
        env.reset()
    assert unseeded[0].game_seed != unseeded[1].game_seed


def test_reset_keeps_the_configuration() -> None:
    env = tactics_v0.raw_env(num_players=3, rules={"turns_after_pass": 1}, render_mode="ansi", max_cycles=77)
    game, spaces = env.game, [env.action_space(a) for a in env.possible_agents]
    for seed in (None, 4, None, 5):
        env.reset(seed=seed, options={"unknown": 1})
        assert env.game is game
        assert (env.game.players, env.game.rules["turns_after_pass"], env.game.rules["max_decisions"]) == (3, 1, 77)
        assert env.render_mode == "ansi"
        assert env.agents == env.possible_agents == ["player_0", "player_1", "player_2"]
        assert all(env.action_space(a) is space for a, space in zip(env.agents, spaces, strict=True))


@pytest.mark.ruling("T46")
def test_the_advantage_card_can_be_given_to_a_seat() -> None:
    env = tactics_v0.raw_env(num_players=3)
    for seat in range(3):
        env.reset(seed=6, options={"advantage": seat})
        assert env.game_state.advantage == seat


def test_a_bare_sample_is_legal_and_seeded() -> None:
    games = []
    for _ in range(2):
        env = tactics_v0.raw_env(num_players=3)
        env.reset(seed=8)
        for seat, agent in enumerate(env.agents):
            env.action_space(agent).seed(seat)
        actions = []
        while not env.game_state.over:
            action = env.action_space(env.agent_selection).sample()
            assert env.action_space(env.agent_selection).contains(action)
            env.step(action)
            actions.append(int(action))
        games.append(actions)
    assert games[0] == games[1]


def test_an_environment_can_be_copied_and_its_spaces_pickled_without_the_game() -> None:
    env = tactics_v0.raw_env()
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    for _ in range(20):
        action = int(env.action_space(env.agent_selection).sample())
        env.step(action)
        twin.step(action)
    assert env.game_state == twin.game_state
    assert env.game_state is not twin.game_state
    assert int(twin.action_space(twin.agent_selection).sample()) in twin.game_state.legal
    space = pickle.loads(pickle.dumps(env.action_space("player_0")))
    assert space.position is None
    assert space == env.action_space("player_0")


def test_before_the_first_reset_nothing_works_and_says_so() -> None:
    env = tactics_v0.raw_env(render_mode="ansi")
    with pytest.raises(ValueError, match=r"reset\(\)"):
        env.step(0)
    with pytest.raises(ValueError, match=r"reset\(\)"):
        env.render()
    with pytest.raises(AttributeError, match="before reset"):
        _ = tactics_v0.env().agent_selection


def test_wrong_arguments_are_clear_errors() -> None:
    with pytest.raises(ValueError, match="render_mode"):
        tactics_v0.raw_env(render_mode="rgb_array")
    with pytest.raises(ValueError, match="5"):
        tactics_v0.raw_env(num_players=5)


def test_render_shows_the_movers_view_and_no_other_hand(capsys: pytest.CaptureFixture[str]) -> None:
    env = tactics_v0.raw_env(render_mode="ansi")
    env.reset(seed=4)
    text = env.render()
    assert isinstance(text, str)
    mover = env.game_state.mover
    hands = [player["hand"] for player in env.game_state.as_dict()["players"]]
    assert all(face in text for face in hands[mover])
    hidden = set(hands[1 - mover]) - set(hands[mover])
    assert hidden
    assert not any(face in text for face in hidden if not any(face in own for own in hands[mover]))
    loud = tactics_v0.raw_env(render_mode="human")
    loud.reset(seed=4)
    assert capsys.readouterr().out.strip() == text.strip()
    assert tactics_v0.raw_env().render() is None
