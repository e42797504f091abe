"""One seat against agents as a Gymnasium environment: one game at a time, and natively vectorised against compiled policies."""

from __future__ import annotations

import copy
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import gosu_rl.envs  # noqa: F401 - registers
from gosu_rl.agents import AgentError
from gosu_rl.arena.play import play
from gosu_rl.arena.solo import SoloEnv
from gosu_rl.core import solo, vector
from gosu_rl.core.bits import U
from gosu_rl.core.jit import JIT
from gosu_rl.core.position import GameState
from gosu_rl.envs import decision_word, next_seed
from gosu_rl.envs.solo_vector import SoloVectorEnv

ID = "gosu/Tactics-v0"
SHORT = {"points_to_win": 1}


class Lowest:
    """Always the lowest legal action; counts what becomes of its kind."""

    made = closed = 0

    def __init__(self) -> None:
        Lowest.made += 1

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self.seed = seed

    def act(self, view: Any) -> int:
        return min(view.legal)

    def close(self) -> None:
        Lowest.closed += 1


class Bad:
    """Returns what is not legal, from its second decision on."""

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self.asked = 0

    def act(self, view: Any) -> int:
        self.asked += 1
        return view.legal[0] if self.asked == 1 else -5


def make(**arguments: Any) -> SoloEnv:
    """The environment as `gymnasium.make` gives it, without the wrappers."""
    env = gymnasium.make(ID, **arguments).unwrapped
    assert isinstance(env, SoloEnv)
    return env


def play_on(env: Any, info: dict[str, Any], chance: np.random.Generator | None = None) -> tuple[float, int, Any]:
    """To the end, by the lowest legal action or a random one: the return, the number of decisions, and the last step."""
    for count in range(1, 10_000):
        legal = np.flatnonzero(info["action_mask"])
        step = env.step(legal[0] if chance is None else int(chance.choice(legal)))
        _, reward, terminated, truncated, info = step
        assert isinstance(reward, float)
        if terminated or truncated:
            return reward, count, step
        assert reward == 0
    raise AssertionError("no end")


# ------------------------------------------------------------------------------------------------ Gymnasium's own checks


@pytest.mark.parametrize(
    "arguments", [{}, {"players": 3, "seat": 2}, {"players": 4, "relative": True, "opponents": "random"}]
)
def test_gymnasiums_checker_is_content(arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """It plays sampled actions after a reset, where they may be illegal; hence illegal="random"."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(illegal="random", **arguments))
    assert "Round 1" in capsys.readouterr().out  # mode "human" was tried


def test_a_loop_as_maskable_ppo_runs_it() -> None:
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(ID, opponents=["random"], rules=SHORT))
    chance, returns = np.random.default_rng(1), []
    observation, info = env.reset(seed=1)
    for _ in range(1500):
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert (masks == info["action_mask"]).all()
        assert observation in env.observation_space
        observation, reward, terminated, truncated, info = env.step(int(chance.choice(np.flatnonzero(masks))))
        if terminated or truncated:
            assert info["episode"]["r"] == reward
            returns.append(reward)
            observation, info = env.reset()
    assert len(returns) > 30
    assert set(returns) == {-1.0, 1.0}  # random against random: both happen


# ------------------------------------------------------------------------------------------------ the game that is played


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("relative", [False, True])
def test_games_are_those_of_play(players: int, relative: bool) -> None:
    """The same seats, agents and seeds give the same game, whoever moves last."""
    others = ["greedy", "random", "mcts:sims=3"][: players - 1]
    env = make(players=players, opponents=others, relative=relative, rules=SHORT)
    lasts, seats = set(), set()
    for seed in range(24 if players == 2 else 8):
        _, info = env.reset(seed=seed)
        seat = info["seat"]
        around = {(seat + 1 + k) % players: spec for k, spec in enumerate(others)}
        if relative:  # the lowest legal id of the game, by its own name
            reward, _ = lowest_of_the_game(env, info)
        else:
            reward, _, _ = play_on(env, info)
        state = env.game_state
        agents = [around.get(q, Lowest) for q in range(players)]
        course: list[GameState] = []
        play(env.game, agents, seed, watch=partial(keep, course))
        assert state is not None
        assert course[-1] == state
        assert reward == state.returns[seat]
        lasts.add(course[-2].mover == seat)
        seats.add(seat)
    assert lasts == {False, True} or players > 2  # some games end on the learner's move, some on another's
    assert seats == set(range(players)) or players > 2


def keep(course: list[GameState], state: GameState) -> None:
    course.append(state.copy())


def lowest_of_the_game(env: SoloEnv, info: dict[str, Any]) -> tuple[float, int]:
    order = env.game.relative_actions(info["seat"])
    for count in range(1, 10_000):
        own = np.flatnonzero(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(own[np.argmin(order[own])])
        if terminated or truncated:
            return reward, count
    raise AssertionError("no end")


def test_the_learner_is_paid_when_another_ends_the_game() -> None:
    env = make(opponents=["greedy"], seat=1)
    paid_on_others_move = 0
    for seed in range(30):
        _, info = env.reset(seed=seed)
        reward, _, step = play_on(env, info, np.random.default_rng(seed))
        state = env.game_state
        assert state is not None
        assert reward == state.returns[1] != 0
        assert step[2:4] == (True, False)
        assert not step[4]["action_mask"].any()
        assert not env.action_masks().any()
        assert (step[0] == state.observation(1)).all()
        paid_on_others_move += state.as_dict()["active"] == 0
    assert paid_on_others_move > 0
    with pytest.raises(ValueError, match=r"the game is over; call reset\(\)"):
        env.step(0)


def test_the_learner_sees_its_own_view_and_nothing_else() -> None:
    env = make(players=3, opponents=["random"], relative=True)
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        chance = np.random.default_rng(seed)
        for _ in range(25):
            state = env.game_state
            assert state is not None
            assert state.mover == env.seat == info["seat"]
            view = state.view(env.seat)
            for world in (state, view.determinize(seed=1), view):
                assert (observation == world.observation(env.seat)).all()
            assert (info["action_mask"] == state.mask[env.game.relative_actions(env.seat)]).all()
            legal = np.flatnonzero(info["action_mask"])
            observation, _, terminated, _, info = env.step(int(chance.choice(legal)))
            if terminated:
                break


def test_games_that_are_cut_off_are_truncated() -> None:
    env = make(rules={"max_decisions": 30})
    _, info = env.reset(seed=3)
    reward, _, step = play_on(env, info)
    assert (reward, step[2], step[3]) == (0.0, False, True)


def test_games_that_end_before_the_learners_turn_are_dealt_again() -> None:
    never = make(rules={"max_decisions": 1}, seat=0)
    first = [seed for seed in range(40) if never.game.new(seed=seed).mover == 0]
    _, info = never.reset(seed=first[0])
    assert never.game_seed == first[0]
    _, info = never.reset(seed=next(seed for seed in range(40) if seed not in first))
    assert never.game_seed not in range(40)  # another one
    assert info["action_mask"].any()
    hopeless = make(rules={"max_decisions": 1}, seat=0)
    with pytest.raises(ValueError, match="always ends before the learner's first decision"):
        hopeless.reset(seed=1, options={"advantage": 1, "seat": 0})  # seat 1 begins every game
    with pytest.raises(ValueError, match=r"call reset\(\)"):
        hopeless.step(0)


# ------------------------------------------------------------------------------------------------ seats, seeds, options


def test_seats_are_drawn_or_fixed() -> None:
    env = make(players=4, opponents=["random"])
    seats = []
    for seed in range(60):
        _, info = env.reset(seed=seed)
        seats.append(info["seat"])
        assert info["seat"] == solo.drawn_seat(U(seed), 4)
    assert set(seats) == {0, 1, 2, 3}
    fixed = make(players=4, opponents=["random"], seat=2)
    assert [fixed.reset(seed=seed)[1]["seat"] for seed in range(9)] == [2] * 9
    assert fixed.reset(seed=1, options={"seat": 3})[1]["seat"] == 3
    assert fixed.reset(seed=1)[1]["seat"] == 2
    for holder in range(4):
        fixed.reset(seed=1, options={"advantage": holder})
        assert fixed.game_state is not None
        assert fixed.game_state.advantage == holder


def test_resets_are_reproducible() -> None:
    one, other = make(opponents=["random"]), make(opponents=["random"])
    for seed in (5, None, None, 7, None):
        first, second = one.reset(seed=seed), other.reset(seed=seed)
        assert (first[0] == second[0]).all()
        assert one.game_seed == other.game_seed
        assert seed is None or one.game_seed == seed
        chance = (np.random.default_rng(0), np.random.default_rng(0))
        assert (play_on(one, first[1], chance[0])[2][0] == play_on(other, second[1], chance[1])[2][0]).all()
    assert one.game_seed != 7


def test_a_bare_sample_is_legal() -> None:
    env = make(players=3, opponents=["random"], relative=True)
    env.reset(seed=1)
    env.action_space.seed(3)
    for _ in range(300):
        step = env.step(env.action_space.sample())
        assert "replaced" not in step[4]
        if step[2]:
            env.reset()


def test_a_copy_goes_on_alone() -> None:
    env = make(opponents=["greedy"])
    _, info = env.reset(seed=2)
    twin = copy.deepcopy(env)
    ends = [play_on(one, info, np.random.default_rng(4))[2][0] for one in (env, twin)]
    assert (ends[0] == ends[1]).all()
    assert env.game_state is not twin.game_state


def test_render_shows_the_learners_view() -> None:
    env = make(render_mode="ansi", seat=1)
    env.reset(seed=4)
    text = env.render()
    assert isinstance(text, str)
    assert "as p1 sees it" in text
    _, info = env.reset(seed=4)
    play_on(env, info)
    assert "as p1 sees it" not in str(env.render())
    assert make().render() is None


# ------------------------------------------------------------------------------------------------ opponents


def test_every_game_gets_fresh_agents_and_closes_them() -> None:
    Lowest.made = Lowest.closed = 0
    env = make(players=3, opponents=Lowest)
    for game in range(1, 4):
        _, info = env.reset(seed=game)
        assert Lowest.made == 2 * game
        play_on(env, info)
        assert Lowest.closed == 2 * game
    env.reset()
    env.close()
    env.close()
    assert Lowest.made == Lowest.closed == 8


def test_an_opponents_fault_is_told_and_only_a_reset_helps() -> None:
    env = make(opponents=[Bad], seat=0)
    _, info = env.reset(seed=1, options={"advantage": 0})
    with pytest.raises(AgentError, match=r"Bad' in seat 1 returned -5 at decision \d+ .* not legal; legal: "):
        play_on(env, info)
    with pytest.raises(ValueError, match=r"call reset\(\)"):
        env.step(0)
    env.reset(seed=1, options={"advantage": 0})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 4, "opponents": ["greedy", "random"]}, "4 players leave 3 seats to opponents; given: 2"),
        ({"opponents": []}, "given: 0"),
        ({"seat": "first"}, "seat must be 'random' or a number from 0 to 1, not 'first'"),
        ({"seat": 2}, "seat must be 'random' or a number from 0 to 1, not 2"),
        ({"seat": True}, "seat must be 'random' or a number from 0 to 1, not True"),
        ({"seat": 0.0}, "seat must be 'random' or a number from 0 to 1, not 0.0"),
        ({"illegal": "lose"}, "illegal='lose' does not exist; use 'error' or 'random'"),
        ({"rules": {"kep": 3}}, "unknown rule 'kep'"),
        ({"players": 7}, "2 to 4 players, not 7"),
    ],
)
@pytest.mark.parametrize("kind", [SoloEnv, SoloVectorEnv])
def test_odd_arguments_are_told_in_one_line(kind: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as told:
        kind("tactics", **arguments)
    assert "\n" not in str(told.value)


def test_odd_resets_are_refused() -> None:
    env = make(opponents=["nobody"])
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        env.reset(seed=1)
    env = make()
    for reset, message in (
        ({"seed": -1}, "seed must be 0 or more"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"options": 3}, "options must be a table"),
        ({"options": {"seat": 9}}, "seat must be"),
        ({"options": {"advantage": 9}}, "advantage must be"),
        ({"seed": True}, "seed must be a whole number, not True"),
        ({"options": {"seat": True}}, "seat must be .* not True"),
        ({"options": {"advantage": True}}, "advantage must be .* not True"),
        (
            {"options": {"advantge": 1}},
            "reset knows no option 'advantge'; did you mean 'advantage'\\? there are 'seat', 'advantage'",
        ),
        ({"options": {"Seat": 1}}, "reset knows no option 'Seat'; did you mean 'seat'"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(**reset)  # type: ignore[arg-type]
    env.reset(seed=1, options={"of_a_wrapper": True})
    for action in (True, np.True_):
        with pytest.raises(ValueError, match=r"action (True|np\.True_) is not legal"):
            env.step(action)
    batch = SoloVectorEnv("tactics", 2)
    for reset, message in (
        ({"options": {"seat": 0}}, "reset knows no option 'seat'; another environment has it; there are none"),
        ({"options": 3}, "options must be a table"),
        ({"seed": True}, "seed must be a whole number, not True"),
        ({"seed": [True, 1]}, "seed must be a whole number, not True"),
        ({"seed": [1]}, "2 games need one seed or 2, not 1"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.reset(**reset)  # type: ignore[arg-type]
    one, other = batch.reset(seed=np.array(5))[0], batch.reset(seed=5)[0]
    assert (one == other).all()
    with pytest.raises(ValueError, match=r"call reset\(\)"):
        make().action_masks()


# ------------------------------------------------------------------------------------------------ illegal actions


@pytest.mark.parametrize("relative", [False, True])
def test_an_illegal_action_is_named_and_changes_nothing(relative: bool) -> None:
    env = make(players=3, opponents=["random"], seat=1, relative=relative)
    _, info = env.reset(seed=2)
    for _ in range(8):
        info = env.step(env.action_space.sample())[4]
    before = copy.deepcopy(env.game_state)
    legal = np.flatnonzero(info["action_mask"])
    assert before is not None
    for bad in (-1, 999, int(np.argmin(info["action_mask"])), True, 1.0, "pass", None, np.array([1, 2])):
        with pytest.raises(ValueError, match=r"^p1 decides '\w+': action .* is not legal; legal: ") as told:
            env.step(bad)
        for action in legal[:40]:
            assert f" {action} (" in str(told.value)
        assert all(f"({label})" in str(told.value) for label in before.legal_labels[:40])
        assert env.game_state == before


def test_an_illegal_action_may_be_replaced() -> None:
    env = make(illegal="random", opponents=["random"])
    env.reset(seed=2)
    replaced = 0
    for _ in range(400):
        _, _, terminated, _, info = env.step(int(env.np_random.integers(env.game.num_actions)))
        replaced += info.get("replaced", False)
        if terminated:
            env.reset()
    assert replaced > 300


# ------------------------------------------------------------------------------------------------ many at once


def test_gymnasium_makes_vectors_of_both_kinds() -> None:
    arguments = {"opponents": ["greedy"], "rules": SHORT, "players": 3}
    native = gymnasium.make_vec(ID, num_envs=6, vectorization_mode="vector_entry_point", **arguments)
    sync = gymnasium.make_vec(ID, num_envs=6, vectorization_mode="sync", **arguments)
    assert isinstance(native, SoloVectorEnv)
    for envs in (native, sync):
        assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
        assert envs.single_action_space == gymnasium.spaces.Discrete(native.game.num_actions)
        assert envs.single_observation_space == native.single_observation_space
        assert envs.observation_space.shape == (6, native.game.observation_size)
        observation, infos = envs.reset(seed=3)
        ended, after = 0, np.zeros(6, bool)
        for _ in range(250):
            assert observation in envs.observation_space
            assert infos["_action_mask"].all()
            actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
            observation, rewards, terminated, truncated, infos = envs.step(actions)
            assert rewards.dtype == np.float64
            assert not truncated.any()
            assert not (after & terminated).any()  # the step after an end only deals
            assert ((rewards != 0) <= terminated).all()
            assert (infos["action_mask"].any(axis=1) == ~terminated).all()
            after = terminated
            ended += int(terminated.sum())
        assert ended > 10
        envs.close()
    first = [envs.reset(seed=9)[1]["seat"] for envs in (native, gymnasium.make_vec(ID, 6, "sync", **arguments))]
    assert first[0].tolist() == first[1].tolist() == [solo.drawn_seat(U(9 + i), 3) for i in range(6)]
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(native)
    _, infos = env.reset(seed=1)
    for _ in range(60):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert env.episode_count > 0


class Reference:
    """What the native environment does with one game, by its documentation."""

    def __init__(self, env: SoloVectorEnv, policies: list[str], fixed: int | None, seed: int, relative: bool) -> None:
        self.game, self.policies, self.fixed, self.seed, self.relative = env.game, policies, fixed, seed, relative
        self.deal()

    def deal(self) -> None:
        while True:
            self.seat = solo.drawn_seat(U(self.seed), self.game.players) if self.fixed is None else self.fixed
            self.state = self.game.new(seed=self.seed)
            self.answer()
            if not self.state.over:
                return
            self.seed = next_seed(self.seed)

    def answer(self) -> None:
        state = self.state
        while not state.over and state.mover != self.seat:
            policy = self.policies[(state.mover - self.seat - 1) % self.game.players]
            word = decision_word(self.seed, state.decisions)
            state.apply(self.game.choose(state.view(state.mover), policy, word))

    def step(self, action: int) -> float:
        if self.state.over:
            self.seed = next_seed(self.seed)
            self.deal()
            return 0.0
        self.state.apply(int(self.game.relative_actions(self.seat)[action]) if self.relative else action)
        self.answer()
        return float(self.state.returns[self.seat])

    def shown(self) -> tuple[bytes, bytes]:
        observation, mask = self.state.perceive(self.seat)
        return observation.tobytes(), (mask[self.game.relative_actions(self.seat)] if self.relative else mask).tobytes()


def compare_native(players: int, count: int, steps: int, threads: int, seat: int | None, most: int) -> tuple[int, int]:
    policies = ["greedy", "random", "greedy"][: players - 1]
    relative = seat is None
    env = SoloVectorEnv(
        "tactics", count, players, policies, "random" if seat is None else seat, threads=threads, relative=relative,
        rules={"max_decisions": most, **SHORT},
    )  # fmt: skip
    observation, infos = env.reset(seed=40)
    games = [Reference(env, policies, seat, 40 + i, relative) for i in range(count)]
    chance, won, cut = np.random.default_rng(1), 0, 0
    for _ in range(steps):
        for i, game in enumerate(games):
            assert (observation[i].tobytes(), infos["action_mask"][i].tobytes()) == game.shown()
            assert infos["seat"][i] == game.seat
        actions = (infos["action_mask"] * (1 + chance.random(infos["action_mask"].shape))).argmax(axis=1)
        observation, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.tolist() == [game.step(int(action)) for game, action in zip(games, actions, strict=True)]
        assert terminated.tolist() == [game.state.over and not game.state.truncated for game in games]
        assert truncated.tolist() == [game.state.truncated for game in games]
        won, cut = won + int(terminated.sum()), cut + int(truncated.sum())
    assert env.seeds.tolist() == [game.seed for game in games]
    return won, cut


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("threads", [1, 2])
def test_native_games_are_so_many_single_games(players: int, threads: int) -> None:
    won, cut = compare_native(players, 65, 45, threads, None, 2000)
    assert won > 60
    assert cut == 0


@pytest.mark.nojit
@pytest.mark.parametrize("threads", [1, 2])
def test_native_games_are_so_many_single_games_either_way(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "PARALLEL_FROM", 2)
    _, cut = compare_native(2, 3, 12 if not JIT else 60, threads, 1, 14)
    assert cut >= 3


def test_native_resets_follow_gymnasiums_custom() -> None:
    env = SoloVectorEnv("tactics", 4)
    env.reset(seed=10)
    assert env.seeds.tolist() == [10, 11, 12, 13]
    env.reset(seed=[7, 1, 7, 2])
    assert env.seeds.tolist() == [7, 1, 7, 2]
    later = [env.reset()[0].tobytes() for _ in range(2)]
    env.reset(seed=[7, 1, 7, 2])
    assert [env.reset()[0].tobytes() for _ in range(2)] == later
    assert later[0] != later[1]
    for bad, message in (
        ([1, 2], "one seed or 4, not 2"),
        (-1, "0 or more"),
        ("x", "whole number"),
        ([1, 2, 3, -4], "0 or more"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(seed=bad)  # type: ignore[arg-type]


def test_native_arrays_are_copies_unless_that_is_not_wanted() -> None:
    kept, shared = SoloVectorEnv("tactics", 3), SoloVectorEnv("tactics", 3, copy=False)
    for env, same in ((kept, False), (shared, True)):
        observation, infos = env.reset(seed=1)
        step = env.step(infos["action_mask"].argmax(axis=1))
        assert (step[0] is observation) == same
        assert (step[4]["action_mask"] is infos["action_mask"]) == same
        assert (env.step(step[4]["action_mask"].argmax(axis=1))[1] is step[1]) == same
        assert (env.action_masks() == env.step(env.action_masks().argmax(axis=1))[4]["action_mask"]).shape == (3, 233)


def test_native_refusals() -> None:
    with pytest.raises(
        ValueError, match=r"'mcts:sims=5' is no compiled policy .* vectorization_mode='sync' takes any agents"
    ):
        gymnasium.make_vec(ID, num_envs=2, vectorization_mode="vector_entry_point", opponents=["mcts:sims=5"])
    with pytest.raises(ValueError, match="not drawn"):
        SoloVectorEnv("tactics", 2, render_mode="ansi")  # type: ignore[arg-type]
    for bad in ({"num_envs": 0}, {"threads": 0}, {"num_envs": 1.5}):
        with pytest.raises(ValueError, match=r"must be (1 or more|a whole number)"):
            SoloVectorEnv("tactics", **bad)  # type: ignore[arg-type]
    env = SoloVectorEnv("tactics", 2)
    with pytest.raises(ValueError, match=r"reset\(\) first"):
        env.step([0, 0])
    env.reset(seed=1)
    before = [env.state(i) for i in range(2)]
    for bad in ([4.0, 4.0], [4], [True, True], 4):
        with pytest.raises(ValueError, match=r"whole numbers, one a game: int\[2\]"):
            env.step(bad)
    legal = env.action_masks().argmax(axis=1)
    with pytest.raises(
        ValueError, match=r"game 1, p\d decides 'mulligan': action 0 \(pass\) is not legal; legal: 4 \(keep\)"
    ):
        env.step([legal[0], 0])
    assert [env.state(i) for i in range(2)] == before


def test_native_illegal_actions_may_be_replaced() -> None:
    env, chance, won = SoloVectorEnv("tactics", 64, illegal="random", rules=SHORT), np.random.default_rng(0), 0
    env.reset(seed=1)
    for _ in range(200):
        won += int(env.step(chance.integers(-5, 250, size=64))[2].sum())
    assert won > 100
