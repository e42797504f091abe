"""One learner against compiled policies as a Gymnasium vector environment: many games in one compiled call.

    envs = gymnasium.make_vec("gosu/Tactics-v0", num_envs=256, vectorization_mode="vector_entry_point", opponents=["greedy"])

The environment with any opponents, one game at a time, is `gosu_rl.arena.solo.SoloEnv`; the two take the same arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

import gosu_rl
from gosu_rl.core import solo
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.position import GameState, seat_of, whole, word
from gosu_rl.core.vector import refusal
from gosu_rl.envs.table import known_options

ILLEGAL = {"error": solo.ERROR, "random": solo.RANDOM}
Seat = int | str  # a seat's number, or "random"


class SoloVectorEnv(gymnasium.vector.VectorEnv):
    """N games with a learner each, stepped together; between two of its decisions the opponents move.

    Args:
        variant: name of the game, as for `gosu_rl.game`.
        num_envs: N, how many games.
        players, cards, rules: as for `gosu_rl.game`.
        opponents: names of compiled policies (`game.policies`), one a seat from the learner's left neighbour on, or one for all.
        seat: where the learner sits: a number, or "random", drawn from the seed of every game (`core.solo.drawn_seat`).
        relative: actions are in the learner's frame: `a` means for it what `a` means for seat 0 (`Game.relative_actions`).
        illegal: what an illegal action is: "error", or "random", a random legal one is taken instead.
        threads: how many share the games from 512 games on; the results are the same.
        copy: return arrays of their own; False, and they are overwritten by the next call, which is faster.

    Observations are float32[N, D], made from the learner's view; infos hold `action_mask` int8[N, A] and `seat` int64[N]. Rewards
    are 0 but for the return of a game that ends. A game that has ended shows its last position, with an empty mask; the next
    `step` ignores that game's action and deals it anew (autoreset in the next step).

    Raises ValueError for arguments out of range, opponents that are not compiled, illegal actions (naming the first such
    game and what is legal; nothing has changed then).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        variant: str,
        num_envs: int = 1,
        players: int = 2,
        opponents: str | Sequence[str] = ("greedy",),
        seat: Seat = "random",
        cards: str | PathLike[str] | CardSet | None = None,
        rules: Mapping[str, Any] | None = None,
        relative: bool = False,
        illegal: str = "error",
        threads: int = 1,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(
                "many games at once are not drawn; leave render_mode out, or use vectorization_mode='sync'"
            )
        self.game = gosu_rl.game(variant, players=players, cards=cards, rules=rules)
        names = opponents_of(opponents, self.game.players)
        for name in names:
            if not isinstance(name, str) or name not in self.game.policies:
                raise ValueError(
                    f"opponent {name!r} is no compiled policy of {variant} (there are {', '.join(self.game.policies)}); "
                    "vectorization_mode='sync' takes any agents"
                )
        for count, what in ((num_envs, "num_envs"), (threads, "threads")):
            if whole(count, what) < 1:
                raise ValueError(f"{what} must be 1 or more, not {count}")
        self.num_envs = whole(num_envs, "num_envs")
        self._illegal = illegal_rule(illegal)
        fixed = fixed_seat(seat, self.game.players)
        self._batch = solo.SoloBatch(self.game, self.num_envs, names, fixed, bool(relative), whole(threads, "threads"))
        self._copy = copy
        self._dealt = False
        self.single_observation_space = vector_space(self.game)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal every game anew. As in Gymnasium a whole number as `seed` gives game i the seed `seed` + i, a sequence one seed
        each; without one, seeds are drawn from the env's generator, which a number seeds too. No options are known."""
        known_options(options, ())
        if seed is None:
            seeds = self.np_random.integers(2**63, size=self.num_envs).astype(np.uint64)
        else:
            if (isinstance(seed, Sequence) and not isinstance(seed, str)) or np.ndim(seed):
                numbers = list(seed)  # type: ignore[arg-type]
            else:
                numbers = [whole(seed, "seed") + i for i in range(self.num_envs)]
            if len(numbers) != self.num_envs:
                raise ValueError(f"{self.num_envs} games need one seed or {self.num_envs}, not {len(numbers)}")
            if any(whole(number, "seed") < 0 for number in numbers):
                raise ValueError(f"seed must be 0 or more, not {min(numbers)}")
            super().reset(seed=whole(numbers[0], "seed"))
            seeds = np.array([word(number) for number in numbers], np.uint64)
        self._batch.seeds[:] = seeds
        self._batch.deal()
        self._dealt = True
        observation, mask = self._shown()
        return observation, self._infos(mask)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of every learner, int[N]: observations, rewards float64[N], terminations, truncations, infos."""
        if not self._dealt:
            raise ValueError("no games have been dealt yet; call reset() first")
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise ValueError(
                f"actions must be whole numbers, one a game: int[{self.num_envs}], not {given.dtype}{list(given.shape)}"
            )
        chosen = np.ascontiguousarray(given, np.int64)
        wrong = self._batch.step(chosen, self._illegal)
        if wrong >= 0:
            raise ValueError(f"game {wrong}, {self._refusal(wrong, int(chosen[wrong]))}")
        batch = self._batch
        ends = (batch.rewards, batch.terminated, batch.truncated)
        rewards, terminated, truncated = (array.copy() for array in ends) if self._copy else ends
        observation, mask = self._shown()
        return observation, rewards, terminated, truncated, self._infos(mask)

    def action_masks(self) -> np.ndarray:
        """bool[N, A]: which actions are legal; none where a game is over."""
        return self._batch.mask.astype(np.bool_)

    def state(self, i: int) -> GameState:
        """A copy of the true position of game i with everything hidden in it: for analysis, never for an agent."""
        return self._batch.state(i)

    @property
    def seeds(self) -> np.ndarray:
        """uint64[N]: the seeds of the games in play, a copy."""
        return self._batch.seeds.copy()

    def _shown(self) -> tuple[np.ndarray, np.ndarray]:
        batch = self._batch
        return (batch.observation.copy(), batch.mask.copy()) if self._copy else (batch.observation, batch.mask)

    def _infos(self, mask: np.ndarray) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        seats = self._batch.seats.copy()
        return {"action_mask": mask, "_action_mask": everywhere, "seat": seats, "_seat": everywhere.copy()}

    def _refusal(self, i: int, action: int) -> str:
        return refusal(self.state(i), self._batch.frames, action)


# ------------------------------------------------------------------------------------------------ shared with SoloEnv


def vector_space(game: Any) -> spaces.Box:
    """The space of one observation; the layout of the vector is `game.observation_spec`."""
    # Never negative; nearly all numbers are at most 1, but a hand or an army of unusual size may exceed it. They are made by
    # dividing numbers of 16 bits at most, which is the bound; Gymnasium's checker warns of an infinite one.
    return spaces.Box(0.0, float(np.iinfo(np.int16).max), (game.observation_size,), np.float32)


def opponents_of(opponents: Any, players: int) -> list[Any]:
    """One opponent a seat from the learner's left neighbour on; a single one stands for all."""
    given = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else list(opponents)
    if len(given) == 1:
        given *= players - 1
    if len(given) != players - 1:
        raise ValueError(f"{players} players leave {players - 1} seats to opponents; given: {len(given)}")
    return given


def fixed_seat(seat: Seat, players: int) -> int | None:
    """The learner's seat; None for "random"."""
    if isinstance(seat, str):
        if seat == "random":
            return None
        raise ValueError(f"seat must be 'random' or a number from 0 to {players - 1}, not {seat!r}")
    try:
        return seat_of(seat, players)
    except ValueError:
        raise ValueError(f"seat must be 'random' or a number from 0 to {players - 1}, not {seat!r}") from None


def illegal_rule(illegal: str) -> int:
    """`core.solo.ERROR` or `RANDOM`."""
    if illegal not in ILLEGAL:
        raise ValueError(f"illegal={illegal!r} does not exist; use {' or '.join(map(repr, ILLEGAL))}")
    return ILLEGAL[illegal]
