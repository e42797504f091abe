"""N games side by side in which one seat learns and compiled policies play the others.

Between two decisions of the learner its opponents move, each from its own view, so to the learner the game is an ordinary
environment. A game that is over stays as it is until the next call, which deals it anew instead of taking an action: so the last
position is shown too (Gymnasium calls that autoreset in the next step). Seeds and random words are those of `vector.py`.

Letters in shapes: as in `vector.py`. `seats` int64[N] is the learner's seat in each game; `policies` int64[P-1] the places of the
opponents' policies in the kernel's table, the learner's left neighbour first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.bits import U
from gosu_rl.core.jit import act_at, choose_at, entry, inner, loop
from gosu_rl.core.kernel import HIDE, STEP
from gosu_rl.core.playout import random_action
from gosu_rl.core.rng import STREAM_EPISODE, STREAM_SEAT, mix
from gosu_rl.core.vector import TO_SEAT, Games, deal_game, is_legal, return_of, show_game, word_of

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

DRAWN = -1  # the learner's seat is drawn anew for every game
MOST_DEALS = 1000  # in search of one in which the learner gets to decide
ERROR, RANDOM = 0, 1  # what an illegal action is


@inner
def seat_of(seed, n):
    return np.int64(((mix(seed, STREAM_SEAT) >> U(32)) * U(n)) >> U(32))


@entry
def drawn_seat(seed, n):
    """The seat that a learner without a fixed one has in the game with this seed: uniform over 0 … n-1."""
    return seat_of(U(seed), n)


@inner
def run_to(F, R, S, i, p, V, t, seed, policies):
    """Let the opponents of seat p move until it is p's turn or the game is over."""
    while S[i].over == 0 and S[i].mover != p:
        q = S[i].mover
        V[t] = S[i]
        act_at(F, HIDE, V, R)(V[t], R[0], q)
        policy = policies[(q - p - 1 + S[i].n) % S[i].n]
        action = choose_at(F, policy, V, R)(V[t], R[0], word_of(seed, S[i].decisions))
        act_at(F, STEP, S, R)(S[i], R[0], action)


@inner
def deal_solo(F, R, S, i, V, t, blank, n, seeds, seats, fixed, policies):
    """Deal game i from its seed, or from one of those that follow, to the learner's first decision; False if there is none."""
    for _ in range(MOST_DEALS):
        seats[i] = seat_of(seeds[i], n) if fixed < 0 else fixed
        deal_game(F, R, S, i, blank, n, seeds[i])
        run_to(F, R, S, i, seats[i], V, t, seeds[i], policies)
        if S[i].over == 0:
            return True
        seeds[i] = mix(seeds[i], STREAM_EPISODE)
    return False


@loop
def deal_solos(F, R, S, V, blank, n, frames, seeds, seats, fixed, policies, observation, mask, first, end, t):
    """Deal games first … end-1; returns how many could not be dealt so that the learner gets to decide."""
    failed = 0
    for i in range(first, end):
        if not deal_solo(F, R, S, i, V, t, blank, n, seeds, seats, fixed, policies):
            failed += 1
        show_game(F, R, S, i, seats[i], V, t, frames, observation, mask)
    return failed


@entry
def find_illegal_solo(S, frames, actions):
    """The first game in play whose action is not legal, or -1."""
    for i in range(S.size):
        if S[i].over == 0 and not is_legal(S, i, frames, actions[i]):
            return i
    return -1


@loop
def step_solos(
    F, R, S, V, blank, n, frames, seeds, seats, fixed, policies, actions, observation, mask, rewards, terminated, truncated,
    first, end, t,
):  # fmt: skip
    """The learner's action and its opponents' answers in games first … end-1; an illegal action is replaced by a random one.

    Games that are over are dealt anew instead; returns how many could not be.
    """
    failed = 0
    for i in range(first, end):
        p = seats[i]
        if S[i].over != 0:
            seeds[i] = mix(seeds[i], STREAM_EPISODE)
            if not deal_solo(F, R, S, i, V, t, blank, n, seeds, seats, fixed, policies):
                failed += 1
        else:
            if is_legal(S, i, frames, actions[i]):
                action = np.int64(frames[TO_SEAT, p, actions[i]])
            else:
                action = random_action(S[i], word_of(seeds[i], S[i].decisions))
            act_at(F, STEP, S, R)(S[i], R[0], action)
            run_to(F, R, S, i, p, V, t, seeds[i], policies)
        terminated[i] = S[i].over == 1
        truncated[i] = S[i].over == 2
        rewards[i] = return_of(S[i], p)
        show_game(F, R, S, i, seats[i], V, t, frames, observation, mask)
    return failed


class SoloBatch(Games):
    """N games with one learner each.

    `policies` are names of compiled policies, the learner's left neighbour first; `seat` None draws the learner's seat from the
    seed of every game. `rewards` float64[N] are the learner's, `seats` int64[N] says where it sits.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        policies: Sequence[str],
        seat: int | None = None,
        relative: bool = False,
        threads: int = 1,
    ):
        super().__init__(game, games, relative, threads)
        self.F = game.kernel.need("deal", "step", "hide", "observe", *policies)
        self.policies = np.array([game.kernel.place(name) for name in policies], np.int64)
        self.fixed = DRAWN if seat is None else seat
        self.seats = np.zeros(games, np.int64)
        self.rewards = np.zeros(games, np.float64)

    def deal(self) -> None:
        """Deal every game from its seed. Raises ValueError if some game always ends before the learner's first decision."""
        self.rewards[:] = 0
        self.terminated[:] = self.truncated[:] = False
        self._run(deal_solos, self.observation, self.mask)

    def step(self, actions: np.ndarray, illegal: int = ERROR) -> int:
        """The learners' actions int64[N], or a new deal where a game is over; returns the first game whose action is
        illegal, when nothing has been done, else -1. With `illegal` RANDOM such an action is replaced by a random one."""
        wrong = int(find_illegal_solo(self.S, self.frames, actions)) if illegal == ERROR else -1
        if wrong < 0:
            self._run(
                step_solos, actions, self.observation, self.mask, self.rewards, self.terminated, self.truncated
            )  # fmt: skip
        return wrong

    def _run(self, compiled: Any, *arrays: np.ndarray) -> None:
        game = self.game
        games = (self.F, game.R, self.S, self.V, game.blank, game.players, self.frames, self.seeds, self.seats)
        failed: list[int] = []

        def part(first: int, end: int, t: int) -> None:
            failed.append(int(compiled(*games, self.fixed, self.policies, *arrays, first, end, t)))

        self.share(compiled, part)
        if sum(failed):
            raise ValueError(
                f"{game.variant}: the game always ends before the learner's first decision; "
                "change the rules (is 'max_decisions' too small?) or the seat"
            )
