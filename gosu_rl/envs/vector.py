"""`VectorEnv`: N games of one kind in one compiled call, for training.

    env = VectorEnv("tactics", num_envs=1024, players=2, threads=2)
    step = env.reset(seed=1)
    while training:
        step = env.step(actions_of(step.observation, step.mask))

One network plays every seat: each game shows what its *mover* sees, whoever that is, made from the mover's own view. Nothing here
needs torch or gymnasium.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from gosu_rl.core import vector
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.many import game_seeds
from gosu_rl.core.position import whole, word
from gosu_rl.core.variants import game as make_game
from gosu_rl.core.vector import refusal

SNAPSHOT = ("states", "seeds", "rewards", "terminated", "truncated", "length", "root", "about")


class Step(NamedTuple):
    """What `reset` and `step` return: arrays that the next call overwrites. N games, P players, D numbers, A actions."""

    observation: np.ndarray  # float32[N, D], what the mover sees
    mask: np.ndarray  # int8[N, A], 1 where an action is legal
    mover: np.ndarray  # int8[N], the seat that decides
    rewards: np.ndarray  # float32[N, P], returns of the game that ended in this step (zero-sum), else 0
    terminated: np.ndarray  # bool[N], a game was won or drawn in this step
    truncated: np.ndarray  # bool[N], a game was cut off (T24, T45); its rewards are 0
    length: np.ndarray  # int32[N], decisions of the game that ended in this step, else 0


def next_seed(seed: int) -> int:
    """The seed of the episode that follows, in the same place of the batch, the one with this seed."""
    return int(vector.next_seed(word(seed)))


def decision_word(seed: int, decision: int) -> int:
    """The random word with which `policy_actions` decides for the decision (counted from 0) of the episode with this seed."""
    return int(vector.decision_word(word(seed), whole(decision, "decision")))


class VectorEnv:
    """N games that are stepped together; a game that ends is dealt anew in the same step.

    Args:
        variant: name of the game, as for `gosu_rl.game`; or a `Game`, and then no players, cards and rules.
        num_envs: N, how many games.
        players, cards, rules: as for `gosu_rl.game`.
        seed: of the first `reset` that has none of its own. Game i starts with `game_seeds(seed, N)[i]`, and goes on with
            `next_seed` of it.
        relative: masks and actions are in the mover's own frame: `a` means for it what `a` means for seat 0
            (`Game.relative_actions`), so that one network can play every seat.
        threads: how many share the games from 512 games on. The results are the same bit for bit, whatever the number.

    Raises ValueError for arguments out of range. Not to be used by two threads at once.
    """

    def __init__(
        self,
        variant: str | Game,
        num_envs: int,
        players: int | None = None,
        cards: str | PathLike[str] | CardSet | None = None,
        rules: Mapping[str, Any] | None = None,
        seed: int = 0,
        relative: bool = False,
        threads: int = 1,
    ) -> None:
        if isinstance(variant, Game):
            if (players, cards, rules) != (None, None, None):
                raise ValueError("a Game has its players, cards and rules already; leave them out")
            self.game = variant
        else:
            self.game = make_game(variant, 2 if players is None else players, cards, rules)
        self.num_envs = _at_least_one(num_envs, "num_envs")
        self.players = self.game.players
        self.relative = bool(relative)
        self._batch = vector.Batch(self.game, self.num_envs, self.relative, _at_least_one(threads, "threads"))
        self._own = self._batch.observation, self._batch.mask
        self._root = int(word(seed))
        self._dealt = False
        self._step = self._arrays()

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.num_envs} games: {self.game!r}>"

    # ---- the loop

    def reset(self, seed: int | None = None) -> Step:
        """Deal every game anew: from `seed`, or from the seed that follows the one of the last reset."""
        if seed is not None:
            self._root = int(word(seed))
        elif self._dealt:
            self._root = next_seed(self._root)
        self._batch.seeds[:] = game_seeds(self._root, self.num_envs)
        self._batch.deal()
        self._dealt = True
        return self._step

    def step(self, actions: Any) -> Step:
        """Carry out one action a game, int[N].

        Raises:
            ValueError: no whole numbers, not N of them, or an illegal one (the message names the first such game, the seat to
                move and what is legal); nothing has changed in any game.
        """
        self._need_games()
        chosen = self._checked(actions)
        wrong = self._batch.step(chosen)
        if wrong >= 0:
            raise ValueError(self._refusal(wrong, int(chosen[wrong])))
        return self._step

    @property
    def current(self) -> Step:
        """The arrays of the last `reset`, `step` or `restore`."""
        return self._step

    def write_to(self, observation: np.ndarray | None = None, mask: np.ndarray | None = None) -> None:
        """From the next call on write into these arrays (a place in a rollout buffer); None: into the env's own.

        Raises ValueError unless they are writable, C-contiguous, float32[N, D] and int8[N, A].
        """
        batch, own = self._batch, self._own
        batch.observation, batch.mask = (
            own[0] if observation is None else _fitting(observation, own[0], "observation"),
            own[1] if mask is None else _fitting(mask, own[1], "mask"),
        )
        self._step = self._arrays()

    # ---- what else can be asked

    def mask_bits(self) -> np.ndarray:
        """uint64[N, words]: the legal sets as bits: action a is bit a % 64 of word a // 64. In the frame of `mask`."""
        self._need_games()
        return self._batch.legal_words()

    def policy_actions(self, policy: str, which: np.ndarray | None = None) -> np.ndarray:
        """int64[N]: what a compiled policy of the game (`game.policies`) does in the mover's view where bool[N] `which` is
        true (everywhere if it is left out), elsewhere -1. In the frame of `mask`.

        Its random word is `decision_word(seed of the episode, decisions so far)`, so asking does not change anything, and games
        played wholly so are those of `Game.play_many`.
        """
        self._need_games()
        if policy not in self.game.policies:
            raise ValueError(f"no compiled policy {policy!r}; there are {', '.join(self.game.policies)}")
        chosen = np.ones(self.num_envs, np.bool_) if which is None else np.ascontiguousarray(which)
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
            raise ValueError(f"which must be bool[{self.num_envs}], not {chosen.dtype}{list(chosen.shape)}")
        actions = np.empty(self.num_envs, np.int64)
        self._batch.choose(policy, chosen, actions)
        return actions

    def view(self, i: int) -> GameState:
        """The mover's view of game i, a copy: for agents written in Python. Its actions are absolute, whatever the frame."""
        state = self.state(i)
        return state.view(state.mover)

    def state(self, i: int) -> GameState:
        """A copy of the true position of game i with everything hidden in it: for analysis, never for an agent."""
        self._need_games()
        i = whole(i, "the number of a game")
        if not 0 <= i < self.num_envs:
            raise ValueError(f"there is no game {i}; they are numbered from 0 to {self.num_envs - 1}")
        return self._batch.state(i)

    def own_action(self, i: int, action: int) -> int:
        """What an absolute action, such as an agent takes in `view(i)`, is called in the frame of `mask` in game i."""
        self._need_games()
        action = whole(action, "an action")
        if not 0 <= action < self.game.num_actions:
            raise ValueError(f"there is no action {action}; they are numbered from 0 to {self.game.num_actions - 1}")
        return int(self._batch.frames[vector.TO_OWN, self._batch.mover[i], action])

    def hidden_hands(self) -> np.ndarray:
        """float32[N, (P - 1) * H]: the section `hand` of the other seats' observations, clockwise from the mover.

        It is what the mover must not know: for critics in training only (privileged learning), never for an agent.
        """
        self._need_games()
        return self._batch.hidden_hands()

    @property
    def seeds(self) -> np.ndarray:
        """uint64[N]: the seeds of the episodes that run, a copy."""
        return self._batch.seeds.copy()

    # ---- checkpoints

    def snapshot(self) -> dict[str, np.ndarray]:
        """Everything that the games depend on, as plain arrays (uint8, uint64, float32, bool, int32): for a checkpoint."""
        self._need_games()
        about = json.dumps(self._about(), sort_keys=True).encode()
        return {
            "states": self._states().copy(),
            **{name: array.copy() for name, array in self._kept().items()},
            "root": np.array([self._root], np.uint64),
            "about": np.frombuffer(about, np.uint8).copy(),
        }

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> Step:
        """Go on exactly where the snapshot was taken; returns the step of that moment.

        Raises ValueError for a snapshot of other games (variant, players, cards, rules, N), and then nothing has changed.
        Threads and the frame may differ.
        """
        given = {name: np.asarray(snapshot[name]) for name in SNAPSHOT if name in snapshot}
        if missing := [name for name in SNAPSHOT if name not in given]:
            raise ValueError(f"this is no snapshot of a VectorEnv: {', '.join(missing)} not there")
        self._check_origin(given["about"])
        batch = self._batch
        for name, own in (("states", self._states()), ("root", batch.seeds[:1]), *self._kept().items()):
            if given[name].dtype != own.dtype or given[name].shape != own.shape:
                shown = f"{given[name].dtype}{list(given[name].shape)}"
                raise ValueError(f"snapshot: {name} must be {own.dtype}{list(own.shape)}, not {shown}")
        states = np.frombuffer(given["states"].tobytes(), self.game.state_dtype)
        whole_states = (states["n"] == self.players) & (states["viewer"] == -1) & (states["over"] == 0)
        if not (whole_states & (states["mover"] >= 0) & (states["mover"] < self.players)).all():
            raise ValueError("snapshot: some of the states are not positions in play; the snapshot is damaged")
        self._states()[:] = given["states"]
        self._root = int(given["root"][0])
        for name, own in self._kept().items():
            own[:] = given[name]
        batch.show()
        self._dealt = True
        return self._step

    def _states(self) -> np.ndarray:
        """The states as bytes: the very memory that they lie in."""
        return self._batch.S.view(np.ndarray).view(np.uint8).reshape(self.num_envs, -1)

    def _kept(self) -> dict[str, np.ndarray]:
        """The arrays that a snapshot holds as they are."""
        b = self._batch
        return {
            "seeds": b.seeds, "rewards": b.rewards, "terminated": b.terminated, "truncated": b.truncated, "length": b.length,
        }  # fmt: skip

    def _check_origin(self, about: np.ndarray) -> None:
        try:
            theirs = json.loads(bytes(about.astype(np.uint8, casting="safe")))
        except (TypeError, ValueError):
            raise ValueError("this is no snapshot of a VectorEnv: 'about' cannot be read") from None
        if not isinstance(theirs, dict) or not isinstance(theirs.get("rules"), dict):
            raise ValueError("this is no snapshot of a VectorEnv: 'about' cannot be read")
        if differing := _differences(theirs, self._about()):
            raise ValueError(f"the snapshot is of other games than these: {', '.join(differing)}")

    def _about(self) -> dict[str, Any]:
        game = self.game
        return {
            "variant": game.variant,
            "players": game.players,
            "cards": game.card_set.hash,
            "rules": dict(game.rules),
            "num_envs": self.num_envs,
            "bytes a state": game.state_dtype.itemsize,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go on where this one stands, and write into arrays of their own."""
        setting = (self.game, self.num_envs, self._root, self.relative, self._batch.threads)
        return _revived, (*setting, self.snapshot() if self._dealt else None)

    # ---- checks

    def _arrays(self) -> Step:
        b = self._batch
        return Step(b.observation, b.mask, b.mover, b.rewards, b.terminated, b.truncated, b.length)

    def _need_games(self) -> None:
        if not self._dealt:
            raise ValueError("no games have been dealt yet; call reset() first")

    def _checked(self, actions: Any) -> np.ndarray:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise ValueError(
                f"actions must be whole numbers, one a game: int[{self.num_envs}], not {given.dtype}{list(given.shape)}"
            )
        return np.ascontiguousarray(given, np.int64)

    def _refusal(self, i: int, action: int) -> str:
        return f"game {i}, {refusal(self.state(i), self._batch.frames, action)}"


def _revived(
    game: Game, num_envs: int, root: int, relative: bool, threads: int, snapshot: dict[str, np.ndarray] | None
) -> VectorEnv:
    env = VectorEnv(game, num_envs, seed=root, relative=relative, threads=threads)
    if snapshot is not None:
        env.restore(snapshot)
    return env


def _at_least_one(number: Any, name: str) -> int:
    number = whole(number, name)
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, not {number}")
    return number


def _differences(theirs: Mapping[str, Any], own: Mapping[str, Any]) -> list[str]:
    """What tells the games of a snapshot from these, each as "players 2, not 3"; the variant alone where that is another."""
    if theirs.get("variant") != own["variant"]:
        return [f"variant {theirs.get('variant')}, not {own['variant']}"]
    rules, in_force = theirs["rules"], own["rules"]
    pairs = [(name, theirs.get(name), own[name]) for name in own if name != "rules"]
    pairs += [(f"rule {name}", rules.get(name), in_force.get(name)) for name in sorted({*rules, *in_force})]
    return [f"{name} {there}, not {here}" for name, there, here in pairs if there != here]


def _fitting(array: np.ndarray, own: np.ndarray, name: str) -> np.ndarray:
    if (
        type(array) is not np.ndarray
        or array.dtype != own.dtype
        or array.shape != own.shape
        or not array.flags.c_contiguous
        or not array.flags.writeable
    ):
        shown = f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{name} must be a writable C-contiguous array {own.dtype}{list(own.shape)}, not {shown}")
    return array
