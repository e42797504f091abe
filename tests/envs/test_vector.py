"""`VectorEnv` against N single games in a Python loop, bit for bit; and what else it promises."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gosu_rl
from gosu_rl.core import vector
from gosu_rl.core.jit import JIT
from gosu_rl.core.many import game_seeds
from gosu_rl.envs import Step, VectorEnv, decision_word, next_seed

PLAYERS = (2, 3, 4)
SHORT = {"points_to_win": 1}  # games of some thirty decisions


class Loop:
    """What `VectorEnv` does, by its documentation: one `GameState` a game."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        self.game, self.relative = env.game, env.relative
        self.seeds = [int(seed) for seed in game_seeds(seed, env.num_envs)]
        self.states = [self.game.new(seed=seed) for seed in self.seeds]

    def order(self, i: int) -> np.ndarray:
        seat = self.states[i].mover
        return self.game.relative_actions(seat) if self.relative else np.arange(self.game.num_actions)

    def shown(self) -> tuple[np.ndarray, np.ndarray, list[int]]:
        seen = [state.perceive(state.mover) for state in self.states]
        masks = [mask[self.order(i)] for i, (_, mask) in enumerate(seen)]
        return np.array([one for one, _ in seen]), np.array(masks), [state.mover for state in self.states]

    def step(self, actions: Any) -> tuple[np.ndarray, list[bool], list[bool], list[int]]:
        count = len(self.states)
        rewards, length = np.zeros((count, self.game.players), np.float32), [0] * count
        terminated, truncated = [False] * count, [False] * count
        for i, state in enumerate(self.states):
            state.apply(int(self.order(i)[actions[i]]))
            if state.over:
                rewards[i], length[i] = state.returns, state.decisions
                truncated[i] = state.truncated
                terminated[i] = not truncated[i]
                self.seeds[i] = next_seed(self.seeds[i])
                self.states[i] = self.game.new(seed=self.seeds[i])
        return rewards, terminated, truncated, length


def check_shown(step: Step, loop: Loop) -> None:
    observation, mask, mover = loop.shown()
    assert step.observation.tobytes() == observation.tobytes()
    assert step.mask.tobytes() == mask.tobytes()
    assert step.mover.tolist() == mover


def check_ends(step: Step, ends: tuple[np.ndarray, list[bool], list[bool], list[int]]) -> None:
    assert step.rewards.tobytes() == ends[0].tobytes()
    assert step.terminated.tolist() == ends[1]
    assert step.truncated.tolist() == ends[2]
    assert step.length.tolist() == ends[3]


def legal_actions(mask: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A random legal action of every game."""
    return (mask * (1 + chance.random(mask.shape))).argmax(axis=1)


def play_both(env: VectorEnv, seed: int, steps: int) -> tuple[int, int]:
    """Play and compare; returns how many games were won and how many cut off."""
    step, loop = env.reset(seed=seed), Loop(env, seed)
    check_shown(step, loop)
    chance, won, cut = np.random.default_rng(seed), 0, 0
    for _ in range(steps):
        actions = legal_actions(step.mask, chance)
        step = env.step(actions)
        check_ends(step, loop.step(actions))
        check_shown(step, loop)
        won += int(step.terminated.sum())
        cut += int(step.truncated.sum())
    assert env.seeds.tolist() == loop.seeds
    return won, cut


# ------------------------------------------------------------------------------------------------ the same games


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_batch_is_so_many_single_games(players: int, relative: bool, threads: int) -> None:
    steps = 60 if JIT else 1
    env = VectorEnv("tactics", 72, players, rules=SHORT, relative=relative, threads=threads)
    won, cut = play_both(env, seed=players, steps=steps)
    assert cut == 0
    assert won > 40 or not JIT


@pytest.mark.nojit
@pytest.mark.parametrize("threads", [1, 2])
def test_the_batch_is_so_many_single_games_either_way(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with few games and little patience, for plain Python; games end by being cut off."""
    monkeypatch.setattr(vector, "PARALLEL_FROM", 2)
    env = VectorEnv("tactics", 3, players=3, rules={"max_decisions": 11}, relative=True, threads=threads)
    assert play_both(env, seed=1, steps=24) == (0, 6)


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_are_cut_off_are_truncated_and_pay_nothing(threads: int) -> None:
    env = VectorEnv("tactics", 64, players=2, rules={"max_decisions": 27, **SHORT}, threads=threads)
    won, cut = play_both(env, seed=4, steps=100)
    assert won > 20
    assert cut > 20


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.sampled_from(PLAYERS),
    count=st.integers(1, 5),
    seed=st.integers(0, 2**64 - 1),
    relative=st.booleans(),
    most=st.integers(1, 60),
    steps=st.integers(0, 90),
)
def test_any_batch_is_so_many_single_games(
    players: int, count: int, seed: int, relative: bool, most: int, steps: int
) -> None:
    env = VectorEnv("tactics", count, players, rules={"max_decisions": most}, relative=relative)
    won, cut = play_both(env, seed, steps)
    assert won + cut >= count * (steps // most)


def test_serial_and_parallel_are_the_same_bit_for_bit() -> None:
    one, two, five = (VectorEnv("tactics", 203, players=2, relative=True, threads=threads) for threads in (1, 2, 5))
    for env in (one, two, five):
        env.reset(seed=9)
    for turn in range(150):
        actions = one.policy_actions("greedy" if turn % 2 else "random")
        kept = [array.copy() for array in one.step(actions)]
        for env in (two, five):
            assert (env.policy_actions("random") == env.policy_actions("random")).all()
            for mine, theirs in zip(kept, env.step(actions), strict=True):
                assert mine.tobytes() == theirs.tobytes()
    assert (
        one.snapshot()["states"].tobytes() == two.snapshot()["states"].tobytes() == five.snapshot()["states"].tobytes()
    )


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_games_of_policies_are_those_of_play_many(policy: str) -> None:
    env = VectorEnv("tactics", 100, players=3)
    env.reset(seed=21)
    rows = env.game.play_many([policy] * 3, game_seeds(21, 100))
    rewards, length = np.zeros((100, 3)), np.zeros(100, int)
    while not length.all():
        step = env.step(env.policy_actions(policy))
        first = (step.length > 0) & (length == 0)
        rewards[first], length[first] = step.rewards[first], step.length[first]
    assert length.tolist() == rows["decisions"].tolist()
    assert rewards == pytest.approx((3 * rows["share"][:, :3] - 1) / 2)


@pytest.mark.nojit
@pytest.mark.parametrize("relative", [False, True])
def test_policy_actions_are_the_policys_choices_in_the_views(relative: bool) -> None:
    env = VectorEnv("tactics", 4, players=3, relative=relative)
    env.reset(seed=2)
    chance = np.random.default_rng(0)
    for turn in range(60 if JIT else 12):
        which = chance.random(4) < 0.6
        policy = env.game.policies[turn % 2]
        before = pickle.dumps(env.snapshot())
        actions = env.policy_actions(policy, which)
        assert pickle.dumps(env.snapshot()) == before
        assert actions.dtype == np.int64
        for i in range(4):
            view = env.view(i)
            assert view.viewer == view.mover
            word = decision_word(env.seeds[i], view.decisions)
            chosen = env.game.choose(view, policy, word)
            order = env.game.relative_actions(view.mover)
            assert actions[i] == (-1 if not which[i] else list(order).index(chosen) if relative else chosen)
        env.step(env.policy_actions("random"))


def test_mask_bits_are_the_mask() -> None:
    for relative in (False, True):
        env = VectorEnv("tactics", 70, players=4, relative=relative, threads=2)
        step = env.reset(seed=3)
        for _ in range(40):
            step = env.step(env.policy_actions("random"))
            bits = env.mask_bits()
            assert bits.dtype == np.uint64
            flags = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")
            assert (flags[:, : env.game.num_actions] == step.mask).all()
            assert not flags[:, env.game.num_actions :].any()


def test_the_step_is_always_the_same_arrays() -> None:
    env = VectorEnv("tactics", 8)
    first = env.reset()
    second = env.step(env.policy_actions("random"))
    assert all(one is other for one, other in zip(first, second, strict=True))
    kinds = {name: (array.dtype.str, array.shape) for name, array in second._asdict().items()}
    assert kinds == {
        "observation": ("<f4", (8, 935)),
        "mask": ("|i1", (8, 233)),
        "mover": ("|i1", (8,)),
        "rewards": ("<f4", (8, 2)),
        "terminated": ("|b1", (8,)),
        "truncated": ("|b1", (8,)),
        "length": ("<i4", (8,)),
    }


# ------------------------------------------------------------------------------------------------ what is hidden


@pytest.mark.parametrize("players", PLAYERS)
def test_worlds_that_the_mover_cannot_tell_apart_look_alike(players: int) -> None:
    env = VectorEnv("tactics", 16, players, relative=True)
    env.reset(seed=5)
    for turn in range(12):
        for _ in range(7):
            step = env.step(env.policy_actions("random"))
        shown = [step.observation.tobytes(), step.mask.tobytes(), step.mover.tolist()]
        greedy = env.policy_actions("greedy").tolist()
        here = env.snapshot()
        worlds = [env.view(i).determinize(seed=turn) for i in range(16)]
        other = np.concatenate([world.record for world in worlds])
        there = {**here, "states": np.frombuffer(other.tobytes(), np.uint8).reshape(16, -1)}
        assert (there["states"] != here["states"]).any(axis=1).all()
        step = env.restore(there)
        assert [step.observation.tobytes(), step.mask.tobytes(), step.mover.tolist()] == shown
        assert env.policy_actions("greedy").tolist() == greedy
        env.restore(here)


# ------------------------------------------------------------------------------------------------ seeds and resets


@pytest.mark.nojit
def test_resets_go_on_from_the_seed_they_have() -> None:
    env = VectorEnv("tactics", 3, rules={"deal": 8, "keep": 7}, seed=11)
    assert env.reset() is not None
    assert env.seeds.tolist() == game_seeds(11, 3).tolist()
    env.reset()
    assert env.seeds.tolist() == game_seeds(next_seed(11), 3).tolist()
    env.reset(seed=5)
    assert env.seeds.tolist() == game_seeds(5, 3).tolist()
    env.reset()
    assert env.seeds.tolist() == game_seeds(next_seed(5), 3).tolist()
    assert env.game.rules["deal"] == 8
    assert env.state(0) == env.game.new(seed=int(env.seeds[0]))
    other = VectorEnv("tactics", 3, rules={"deal": 8, "keep": 7})
    assert other.reset(seed=5).observation.tobytes() == env.reset(seed=5).observation.tobytes()


def test_next_seeds_do_not_repeat() -> None:
    seen, seed = set(), 0
    for _ in range(5000):
        seen.add(seed)
        seed = next_seed(seed)
    assert len(seen) == 5000
    assert next_seed(-1) == next_seed(2**64 - 1)


# ------------------------------------------------------------------------------------------------ rollout buffers


@pytest.mark.parametrize("threads", [1, 2])
def test_steps_can_be_written_into_a_buffer(threads: int) -> None:
    plain, env = (VectorEnv("tactics", 64, threads=threads) for _ in range(2))
    own = env.reset(seed=1)
    plain.reset(seed=1)
    kept = own.observation.tobytes()
    observations = np.full((5, 64, 935), 7, np.float32)
    masks = np.full((5, 64, 233), 7, np.int8)
    for t in range(5):
        env.write_to(observations[t], masks[t])
        actions = plain.policy_actions("random")
        mine, theirs = env.step(actions), plain.step(actions)
        assert mine.observation.base is observations
        assert observations[t].tobytes() == theirs.observation.tobytes()
        assert masks[t].tobytes() == theirs.mask.tobytes()
        assert (observations[t + 1 :] == 7).all()
    assert own.observation.tobytes() == kept
    env.write_to()
    assert env.reset(seed=2).observation is own.observation


def test_buffers_that_do_not_fit_are_refused_and_nothing_changes() -> None:
    env = VectorEnv("tactics", 4)
    step = env.reset()
    frozen = np.zeros((4, 935), np.float32)
    frozen.flags.writeable = False
    for bad in (
        np.zeros((4, 934), np.float32), np.zeros((3, 935), np.float32), np.zeros((4, 935)), np.zeros((8, 935), np.float32)[::2],
        np.zeros((935, 4), np.float32).T, frozen, [[0.0] * 935] * 4, np.zeros(4 * 935, np.float32),
    ):  # fmt: skip
        with pytest.raises(
            ValueError, match=r"observation must be a writable C-contiguous array float32\[4, 935\], not"
        ):
            env.write_to(bad)
    with pytest.raises(
        ValueError, match=r"mask must be a writable C-contiguous array int8\[4, 233\], not bool\[4, 233\]"
    ):
        env.write_to(np.zeros((4, 935), np.float32), np.zeros((4, 233), bool))
    assert env.step(env.policy_actions("random")).observation is step.observation


# ------------------------------------------------------------------------------------------------ snapshots and copies


@pytest.mark.parametrize("threads", [1, 2])
def test_a_snapshot_goes_on_exactly(threads: int) -> None:
    env = VectorEnv("tactics", 80, players=3, rules=SHORT, relative=True, threads=threads)
    env.reset(seed=6)
    for _ in range(50):
        env.step(env.policy_actions("random"))
    while not env.step(env.policy_actions("random")).terminated.any():  # so that rewards and flags are in it
        pass
    saved = {name: array.copy() for name, array in env.snapshot().items()}
    assert all(array.dtype.names is None and array.dtype != object for array in saved.values())
    then = [array.copy() for array in env._step]
    course = [[array.copy() for array in env.step(env.policy_actions("random"))] for _ in range(60)]
    assert any(step[4].any() for step in course)
    end = env.reset().observation.copy()

    for fresh in (VectorEnv("tactics", 80, 3, rules=SHORT, relative=True), env):
        step = fresh.restore(saved)
        for one, other in zip(then, step, strict=True):
            assert one.tobytes() == other.tobytes()
        for later in course:
            for one, other in zip(later, fresh.step(fresh.policy_actions("random")), strict=True):
                assert one.tobytes() == other.tobytes()
        assert fresh.reset().observation.tobytes() == end.tobytes()


@pytest.mark.nojit
def test_copies_and_pickles_go_on_alone() -> None:
    env = VectorEnv("tactics", 3, relative=True)
    for made in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert made.reset(seed=1).observation.tobytes() == env.reset(seed=1).observation.tobytes()
    for _ in range(9):
        env.step(env.policy_actions("random"))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    actions = env.policy_actions("random")
    after = [array.copy() for array in env.step(actions)]
    for twin in twins:
        for one, other in zip(after, twin.step(actions), strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.mark.nojit
def test_snapshots_of_other_games_and_damaged_ones_are_refused() -> None:
    env = VectorEnv("tactics", 3)
    env.reset(seed=1)
    env.step(env.policy_actions("random"))
    good, before = env.snapshot(), pickle.dumps(env.snapshot())

    def refused(message: str, snapshot: dict[str, np.ndarray], into: VectorEnv = env) -> None:
        with pytest.raises(ValueError, match=message):
            into.restore(snapshot)

    refused("other games than these: players 2, not 3", good, VectorEnv("tactics", 3, players=3))
    refused("other games than these: num_envs 3, not 4", good, VectorEnv("tactics", 4))
    other = VectorEnv("tactics", 2, rules={"keep": 6, "turns_after_pass": 2})
    refused(
        "other games than these: num_envs 3, not 2, rule keep 7, not 6, rule turns_after_pass 3, not 2", good, other
    )
    for variant in ("gosu", "gosu_x", "epic_death"):  # their rules and sizes differ, too, which says nothing more
        refused(f"other games than these: variant tactics, not {variant}", good, VectorEnv(variant, 3))
    refused("'about' cannot be read", {**good, "about": np.frombuffer(b"[1]", np.uint8)})
    refused(
        "no snapshot of a VectorEnv: states, root not there",
        {k: v for k, v in good.items() if k not in ("states", "root")},
    )
    refused("'about' cannot be read", {**good, "about": np.zeros(5, np.uint8)})
    refused(r"seeds must be uint64\[3\], not int64\[3\]", {**good, "seeds": good["seeds"].astype(np.int64)})
    refused(r"states must be uint8\[3, \d+\], not uint8\[2, \d+\]", {**good, "states": good["states"][:2]})
    refused("the snapshot is damaged", {**good, "states": np.full_like(good["states"], 77)})
    assert pickle.dumps(env.snapshot()) == before


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("relative", [False, True])
def test_an_illegal_action_is_named_and_changes_nothing(threads: int, relative: bool) -> None:
    env = VectorEnv("tactics", 70, players=2, threads=threads, relative=relative)
    env.reset(seed=8)
    for _ in range(25):
        step = env.step(env.policy_actions("random"))
    before, shown = pickle.dumps(env.snapshot()), [array.copy() for array in step]
    for i in (0, 33, 69):
        for wrong in (-1, 233, 2**40, int(step.mask[i].argmin())):
            actions = env.policy_actions("greedy")
            actions[i] = wrong
            with pytest.raises(
                ValueError, match=rf"^game {i}, p{step.mover[i]} decides '\w+': action {wrong}\b.* is not legal"
            ) as told:
                env.step(actions)
            text = str(told.value)
            assert text.endswith("; nothing was changed")
            state = env.state(i)
            for label in state.legal_labels[:40]:
                assert f"({label})" in text
            for action in np.flatnonzero(step.mask[i])[:40]:
                assert f" {action} (" in text
            assert pickle.dumps(env.snapshot()) == before
            assert all(one.tobytes() == other.tobytes() for one, other in zip(shown, step, strict=True))


@pytest.mark.nojit
def test_what_is_no_list_of_actions_is_refused() -> None:
    env = VectorEnv("tactics", 2)
    with pytest.raises(ValueError, match=r"reset\(\) first"):
        env.step([4, 4])
    for ask in (env.mask_bits, env.snapshot, lambda: env.view(0), lambda: env.policy_actions("random")):
        with pytest.raises(ValueError, match=r"reset\(\) first"):
            ask()
    env.reset(seed=1)
    for bad in ([4.0, 4.0], [True, False], [4], [4, 4, 4], 4, [[4, 4]], ["keep", "keep"], None):
        with pytest.raises(ValueError, match="whole numbers, one a game"):
            env.step(bad)
    good = env.policy_actions("random")
    for kind in (np.int8, np.uint8, np.int32, np.uint64):
        env.reset(seed=1)
        env.step(good.astype(kind))
    env.reset(seed=1)
    env.step(good.tolist())


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be 1 or more, not 0"),
        ({"num_envs": 2.5}, "num_envs must be a whole number, not 2.5"),
        ({"num_envs": True}, "num_envs must be a whole number, not True"),
        ({"threads": 0}, "threads must be 1 or more"),
        ({"threads": True}, "threads must be a whole number, not True"),
        ({"seed": False}, "seed must be a whole number, not False"),
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"rules": {"kep": 3}}, "unknown rule 'kep'"),
        ({"seed": "x"}, "seed must be a whole number"),
        ({"variant": "chess"}, "unknown variant 'chess'"),
    ],
)
def test_odd_arguments_are_told_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as told:
        VectorEnv(**{"variant": "tactics", "num_envs": 2, **arguments})
    assert "\n" not in str(told.value)


@pytest.mark.nojit
def test_policies_views_and_games_that_are_not_there() -> None:
    env = VectorEnv("tactics", 2)
    env.reset()
    with pytest.raises(ValueError, match="no compiled policy 'step'; there are random, greedy"):
        env.policy_actions("step")
    for which in ([1, 0], np.ones(3, bool), True):
        with pytest.raises(ValueError, match=r"which must be bool\[2\], not"):
            env.policy_actions("random", which)  # type: ignore[arg-type]
    for i in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no game {i}; they are numbered from 0 to 1"):
            env.view(i)
    with pytest.raises(ValueError, match="leave them out"):
        VectorEnv(env.game, 2, players=2)
    assert VectorEnv(env.game, 2).game is env.game
    assert "2 games" in repr(env)


def test_a_view_and_a_state_are_copies() -> None:
    env = VectorEnv("tactics", 2)
    env.reset(seed=3)
    state = env.state(1)
    assert env.view(1) == state.view(state.mover)
    state.apply(state.legal[0])
    assert env.state(1).decisions == 0
    assert gosu_rl.game("tactics").new(seed=int(env.seeds[1])) == env.state(1)
