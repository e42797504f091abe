"""N games side by side in preallocated arrays: deal, step with automatic reset, and decisions of compiled policies.

The loops are written over a range of games, so one call may do all of them or several threads a part each (`team.py`); no
game knows of another, so the results are the same bit for bit. What a mover is shown is made from its view alone.

Letters in shapes: N games, P players, D numbers in an observation, A actions. `frames` is int16[2, P, A]: frames[TO_SEAT, p, a]
is the action that means for seat p what `a` means for seat 0, frames[TO_OWN, p] its inverse; without relative frames both
leave actions as they are.

**Random numbers.** Episode e of a game has the seed `next_seed(seed of episode e - 1)`. Decision d (from 0) of an episode has the
word `decision_word(seed, d)`: the one that `Game.play_many` and `Game.playouts` use for that decision of the game of that seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.bits import ONE, ZERO, U, lowest
from gosu_rl.core.jit import act_at, choose_at, deal_at, entry, inner, loop, observe_at
from gosu_rl.core.kernel import DEAL, HIDE, OBSERVE, STEP
from gosu_rl.core.notice import compiling
from gosu_rl.core.position import GameState, is_flag, records
from gosu_rl.core.rng import GOLDEN, STREAM_CHOICE, STREAM_EPISODE, mix, scramble
from gosu_rl.core.team import Team

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

START = -1
TO_SEAT, TO_OWN = 0, 1
SHOWN_LABELS = 40  # an error message lists at most this many legal actions
PARALLEL_FROM = 512  # games; with fewer, handing work to threads costs more than it saves (docs/benchmarks.md)


# ------------------------------------------------------------------------------------------------ loops


@entry
def next_seed(seed):
    """The seed of the episode that follows one with this seed (a bijection of uint64)."""
    return mix(U(seed), STREAM_EPISODE)


@entry
def decision_word(seed, decision):
    """The random word of a decision (counted from 0) of the episode with this seed."""
    return word_of(U(seed), decision)


@inner
def word_of(seed, decision):
    return scramble(mix(seed, STREAM_CHOICE) + U(decision + 1) * GOLDEN)


@inner
def deal_game(F, R, S, i, blank, n, seed):
    """Deal game i anew and run it to its first decision."""
    S[i] = blank[0]
    deal_at(F, DEAL, S, R)(S[i], R[0], n, seed, -1)
    act_at(F, STEP, S, R)(S[i], R[0], START)


@inner
def show_game(F, R, S, i, p, V, t, frames, observation, mask):
    """Write what seat p sees of game i, and what it may do there, if anything; V[t] is left with its view."""
    V[t] = S[i]
    act_at(F, HIDE, V, R)(V[t], R[0], p)
    observe_at(F, OBSERVE, V, R)(V[t], R[0], p, observation[i])
    for a in range(mask.shape[1]):
        mask[i, a] = 0
    for w in range(V[t].legal.size):
        word = V[t].legal[w]
        while word != ZERO:
            mask[i, frames[TO_OWN, p, 64 * w + lowest(word)]] = 1
            word &= word - ONE


@inner
def is_legal(S, i, frames, action):
    """Whether an action, in the mover's frame, is legal in game i."""
    if action < 0 or action >= frames.shape[2] or S[i].mover < 0:
        return False
    a = np.int64(frames[TO_SEAT, S[i].mover, action])
    return (S[i].legal[a >> 6] >> U(a & 63)) & ONE != ZERO


@inner
def return_of(s, q):
    """The zero-sum return of seat q: `GameState.returns`."""
    winners = 0
    for other in range(s.n):
        winners += s.win[other]
    return (s.n * (s.win[q] / winners) - 1.0) / (s.n - 1) if winners > 0 else 0.0


@inner
def step_game(
    F, R, S, i, V, t, blank, n, frames, seeds, actions, observation, mask, mover, rewards, terminated, truncated, length
):
    """One decision of game i, which has been checked; a game that is over pays its returns and is dealt anew."""
    act_at(F, STEP, S, R)(S[i], R[0], np.int64(frames[TO_SEAT, S[i].mover, actions[i]]))
    over = S[i].over
    terminated[i] = over == 1
    truncated[i] = over == 2
    length[i] = S[i].decisions if over != 0 else 0
    for q in range(n):
        rewards[i, q] = return_of(S[i], q)
    if over != 0:
        seeds[i] = mix(seeds[i], STREAM_EPISODE)
        deal_game(F, R, S, i, blank, n, seeds[i])
    mover[i] = S[i].mover
    show_game(F, R, S, i, S[i].mover, V, t, frames, observation, mask)


@loop
def deal_games(F, R, S, V, blank, n, frames, seeds, observation, mask, mover, anew, first, end, t):
    """Show games first … end-1, dealt from their seeds before if `anew` is not 0."""
    for i in range(first, end):
        if anew != 0:
            deal_game(F, R, S, i, blank, n, seeds[i])
        mover[i] = S[i].mover
        show_game(F, R, S, i, S[i].mover, V, t, frames, observation, mask)


@entry
def find_illegal(S, frames, actions):
    """The first game whose action is not legal, or -1."""
    for i in range(S.size):
        if not is_legal(S, i, frames, actions[i]):
            return i
    return -1


@loop
def step_part(
    F, R, S, V, blank, n, frames, seeds, actions, observation, mask, mover, rewards, terminated, truncated, length, first, end, t
):  # fmt: skip
    """One decision in each of the games first … end-1, whose actions `find_illegal` has passed."""
    for i in range(first, end):
        step_game(
            F, R, S, i, V, t, blank, n, frames, seeds, actions, observation, mask, mover, rewards, terminated, truncated, length
        )  # fmt: skip


@loop
def step_all(
    F, R, S, V, blank, n, frames, seeds, actions, observation, mask, mover, rewards, terminated, truncated, length
):  # fmt: skip
    """One decision in every game; if an action is not legal nothing is done, and the first such game is returned, else -1."""
    for i in range(S.size):
        if not is_legal(S, i, frames, actions[i]):
            return i
    for i in range(S.size):
        step_game(
            F, R, S, i, V, 0, blank, n, frames, seeds, actions, observation, mask, mover, rewards, terminated, truncated, length
        )  # fmt: skip
    return -1


@loop
def choose_games(F, R, S, V, frames, seeds, policy, which, actions, first, end, t):
    """Write the actions that a policy (place in the table) takes in the mover's view, where `which` is true; else -1."""
    for i in range(first, end):
        actions[i] = -1
        p = S[i].mover
        if which[i] and p >= 0:
            V[t] = S[i]
            act_at(F, HIDE, V, R)(V[t], R[0], p)
            a = choose_at(F, policy, V, R)(V[t], R[0], word_of(seeds[i], S[i].decisions))
            actions[i] = frames[TO_OWN, p, a]


@entry
def legal_words(S, frames, words):
    """Write the legal set of every game as bits, in the mover's frame, into words [N, k]."""
    for i in range(S.size):
        for w in range(words.shape[1]):
            words[i, w] = ZERO
        for w in range(S[i].legal.size):
            word = S[i].legal[w]
            while word != ZERO:
                a = np.int64(frames[TO_OWN, S[i].mover, 64 * w + lowest(word)])
                words[i, a >> 6] |= ONE << U(a & 63)
                word &= word - ONE


@loop
def others_hands(F, R, S, V, n, full, start, width, hands):
    """Write the columns start … start+width-1 of the other seats' observations, clockwise from the mover, into hands [N, .].

    `full` float32[D] is scratch.
    """
    for i in range(S.size):
        for r in range(1, n):
            q = (S[i].mover + r) % n
            V[0] = S[i]
            act_at(F, HIDE, V, R)(V[0], R[0], q)
            observe_at(F, OBSERVE, V, R)(V[0], R[0], q, full)
            for k in range(width):
                hands[i, (r - 1) * width + k] = full[start + k]


# ------------------------------------------------------------------------------------------------ the arrays


class Games:
    """The arrays of N games, and how threads share them. No checks: the environments above make them."""

    def __init__(self, game: Game, games: int, relative: bool, threads: int):
        self.game = game
        self.threads = threads if games >= PARALLEL_FROM else 1
        self.team = Team(self.threads) if self.threads > 1 else None
        self.S = records(np.zeros(games, game.state_dtype))
        self.V = records(np.zeros(2 * self.threads, game.state_dtype))  # every other one: threads share no cache line
        self.frames = frames(game, relative)
        self.seeds = np.zeros(games, np.uint64)
        self.observation = np.zeros((games, game.observation_size), np.float32)
        self.mask = np.zeros((games, game.num_actions), np.int8)
        self.terminated = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)

    def state(self, i: int) -> GameState:
        """A copy of the position of game i, byte for byte (NumPy's own copies leave out what pads a record)."""
        return GameState(self.game, np.frombuffer(bytearray(self.S[i : i + 1].tobytes()), self.game.state_dtype))

    def share(self, compiled: Any, part: Callable[[int, int, int], None]) -> None:
        """Run `part(first, end, t)`, which calls a compiled loop, over all games; V[t] is that part's own."""
        games = len(self.S)
        with compiling(compiled):
            if self.team is None:
                part(0, games, 0)
            else:
                cuts = [games * t // self.threads for t in range(self.threads + 1)]
                self.team.run([(part, (cuts[t], cuts[t + 1], 2 * t)) for t in range(self.threads)])


class Batch(Games):
    """N games in which every seat is played from outside. `observation` and `mask` may be exchanged for arrays alike."""

    def __init__(self, game: Game, games: int, relative: bool = False, threads: int = 1):
        super().__init__(game, games, relative, threads)
        self.mover = np.full(games, -1, np.int8)
        self.rewards = np.zeros((games, game.players), np.float32)
        self.length = np.zeros(games, np.int32)
        self.F = game.kernel.need("deal", "step", "hide", "observe")

    def deal(self) -> None:
        """Deal every game from its seed."""
        self.rewards[:] = 0
        self.terminated[:] = self.truncated[:] = False
        self.length[:] = 0
        self._show(1)

    def show(self) -> None:
        """Write observation, mask and mover of all games again, after a change of the states."""
        self._show(0)

    def _show(self, anew: int) -> None:
        game = self.game

        def part(first: int, end: int, t: int) -> None:
            deal_games(
                self.F, game.R, self.S, self.V, game.blank, game.players, self.frames, self.seeds,
                self.observation, self.mask, self.mover, anew, first, end, t,
            )  # fmt: skip

        self.share(deal_games, part)

    def step(self, actions: np.ndarray) -> int:
        """Carry out int64[N] actions; returns the first game whose action is illegal, when nothing has been done, else -1."""
        game = self.game
        before = (self.F, game.R, self.S, self.V, game.blank, game.players, self.frames, self.seeds, actions)
        after = (self.observation, self.mask, self.mover, self.rewards, self.terminated, self.truncated, self.length)
        if self.team is None:
            with compiling(step_all):
                return int(step_all(*before, *after))
        wrong = int(find_illegal(self.S, self.frames, actions))
        if wrong < 0:
            self.share(step_part, lambda first, end, t: step_part(*before, *after, first, end, t))
        return wrong

    def choose(self, policy: str, which: np.ndarray, actions: np.ndarray) -> None:
        """Write a compiled policy's actions where bool[N] `which` is true, else -1, into int64[N]."""
        F = self.game.kernel.need("hide", policy)
        place = self.game.kernel.place(policy)

        def part(first: int, end: int, t: int) -> None:
            choose_games(
                F, self.game.R, self.S, self.V, self.frames, self.seeds, place, which, actions, first, end, t
            )  # fmt: skip

        self.share(choose_games, part)

    def legal_words(self) -> np.ndarray:
        """uint64[N, k]: the legal sets as bits, action a being bit a % 64 of word a // 64."""
        words = np.empty((len(self.S), self.S["legal"].shape[-1]), np.uint64)
        legal_words(self.S, self.frames, words)
        return words

    def hidden_hands(self) -> np.ndarray:
        """float32[N, (P - 1) * H]: the other seats' hands as their own observations show them; for critics in training."""
        game = self.game
        hand = game.observation_spec.slice("hand")
        width = hand.stop - hand.start
        hands = np.empty((len(self.S), (game.players - 1) * width), np.float32)
        full = np.empty(game.observation_size, np.float32)
        with compiling(others_hands):
            others_hands(self.F, game.R, self.S, self.V, game.players, full, hand.start, width, hands)
        return hands


def frames(game: Game, relative: bool) -> np.ndarray:
    """int16[2, P, A]: see the head of this file."""
    both = np.empty((2, game.players, game.num_actions), np.int16)
    for seat in range(game.players):
        order = game.relative_actions(seat) if relative else np.arange(game.num_actions)
        both[TO_SEAT, seat] = order
        both[TO_OWN, seat, order] = np.arange(game.num_actions)
    return both


def refusal(state: GameState, frames: np.ndarray, action: Any) -> str:
    """Why an action (in the mover's frame) is refused: the seat, the decision, and what is legal, by id and label."""
    labels, seat = state.game.labels, state.mover
    named = f"action {action!r}"
    if isinstance(action, int) and not is_flag(action) and 0 <= action < len(labels):
        named = f"action {action} ({labels[frames[TO_SEAT, seat, action]]})"
    legal = sorted((int(frames[TO_OWN, seat, a]), labels[a]) for a in state.legal)
    rest = len(legal) - SHOWN_LABELS
    listed = ", ".join(f"{a} ({label})" for a, label in legal[:SHOWN_LABELS]) + (
        f" and {rest} more" if rest > 0 else ""
    )
    return f"p{seat} decides {state.kind!r}: {named} is not legal; legal: {listed}; nothing was changed"
