"""Compiling ahead of time: everything a game needs, or everything there is, so that nothing waits for it later.

What is compiled depends on the record types of a kernel only, not on cards, rules or players, so one small game of each kernel
stands for all its games. Loops are called through the Python face, because that is what fixes the types of their arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache, partial
from threading import TIMEOUT_MAX

import numpy as np

from gosu_rl.core import jit, notice, tally, variants
from gosu_rl.core.bits import U
from gosu_rl.core.game import Game
from gosu_rl.core.guided_tree import GuidedManner, GuidedTree
from gosu_rl.core.kernel import Kernel
from gosu_rl.core.position import GameState
from gosu_rl.core.solo import ERROR, RANDOM, SoloBatch, drawn_seat
from gosu_rl.core.tree import Manner, Tree
from gosu_rl.core.vector import PARALLEL_FROM, Batch, decision_word, next_seed

Progress = Callable[[int, int, str], None]  # steps done, steps in all, what comes next ("" at the end)
Step = tuple[str, Callable[[], object]]

PLAYED = (
    "step",
    "deal",
    "hide",
)  # functions without which no agent gets to its first decision; the one that takes longest first


def compile_game(progress: Progress | None = None) -> int:
    """Compile, or load from disk, what playing from Python needs: deals, actions, legal sets, views.

    `progress(done, steps, what)` is called before every step and at the end; while it is there to tell, the notice on stderr
    is held back. Returns how many compiled functions this process holds then; 0 with NUMBA_DISABLE_JIT=1.
    """
    return _take([step for stage in stages(everything=False) for step in stage], progress)


def compile_all(progress: Progress | None = None) -> int:
    """Compile, or load from disk, every function of every kernel and every loop over games; else as `compile_game`."""
    return _take([step for stage in stages(everything=True) for step in stage], progress)


def stages(everything: bool) -> tuple[list[Step], list[Step]]:
    """The steps of `compile_all` or `compile_game`: functions of kernels, then what needs them.

    Steps of one stage may be taken in any order, and in several processes that share a cache.
    """
    kernels = {kernel.name: kernel for kernel in variants.KERNELS.values()}.values()
    games = [(kernel, variants.game(kernel.variants[0], players=kernel.players[0])) for kernel in kernels]
    functions = [step for name in PLAYED for step in _functions(name, kernels)]
    others = [step for kernel, game in games for step in _game_steps(kernel, game)]
    if everything:
        more = dict.fromkeys(name for kernel in kernels for name in kernel.names if name not in PLAYED)
        functions += [step for name in more for step in _functions(name, kernels)]
        others += [step for kernel, game in games for step in _loop_steps(kernel, game)]
    return functions, others


def _take(steps: list[Step], progress: Progress | None) -> int:
    if progress is None:
        for _, run in steps:
            run()
    else:
        with notice.compiling(patience=TIMEOUT_MAX):
            for done, (what, run) in enumerate(steps):
                progress(done, len(steps), what)
                run()
        progress(len(steps), len(steps), "")
    return sum(jit.specialisations().values())


def _functions(name: str, kernels: Collection[Kernel]) -> Iterator[Step]:
    for kernel in kernels:
        if name in kernel.names:
            yield f"{kernel.name}: {name}", partial(kernel.need, name)


def _game_steps(kernel: Kernel, game: Game) -> Iterator[Step]:
    start = cache(partial(game.new, seed=1))
    yield f"{kernel.name}: new", start
    yield f"{kernel.name}: legal", lambda: start().legal
    yield f"{kernel.name}: mask", lambda: start().mask
    yield f"{kernel.name}: view", lambda: start().view(start().mover)
    yield f"{kernel.name}: apply", lambda: start().copy().apply(start().legal[0])


def _loop_steps(kernel: Kernel, game: Game) -> Iterator[Step]:
    start = cache(partial(game.new, seed=1))
    yield f"{kernel.name}: parse", lambda: game.parse(str(start()))
    yield f"{kernel.name}: determinize", lambda: start().view(0).determinize(seed=1)
    yield f"{kernel.name}: observation", lambda: start().observation(0)
    yield f"{kernel.name}: choose", lambda: game.choose(start().view(start().mover), game.policies[0], seed=1)
    yield f"{kernel.name}: log", lambda: game.log(start())
    yield f"{kernel.name}: playouts", lambda: game.playouts(1, seed=1)
    policies = [game.policies[0]] * game.players
    yield f"{kernel.name}: play_many", lambda: game.play_many(policies, np.array([1], np.uint64))
    if tally.can_tally(kernel):
        yield f"{kernel.name}: tally", lambda: tally.tally_many(game, policies, np.array([1], np.uint64))
        yield f"{kernel.name}: card log", lambda: _log_cards(game, start().copy())
    yield f"{kernel.name}: search", lambda: _search(game)
    yield f"{kernel.name}: vector", lambda: _batches(game)
    yield f"{kernel.name}: guided search", lambda: _guided_search(game)


def _search(game: Game) -> None:
    """One iteration of a tree search."""
    state = game.new(seed=1)
    tree = Tree(game, nodes=2)
    tree.grow(state.view(state.mover), 1, 1, Manner())
    tree.root()


def _batches(game: Game) -> None:
    """Games side by side, in one thread and in two."""
    for games, threads in ((1, 1), (PARALLEL_FROM, 2)):
        batch = Batch(game, games, threads=threads)
        batch.seeds[:] = np.arange(games)
        batch.deal()
        actions = np.empty(games, np.int64)
        batch.choose(game.policies[0], np.ones(games, np.bool_), actions)
        batch.step(actions)
        batch.legal_words()
        batch.hidden_hands()
        learners = SoloBatch(game, games, [game.policies[0]] * (game.players - 1), threads=threads)
        learners.seeds[:] = np.arange(games)
        learners.deal()
        learners.step(np.flatnonzero(learners.mask[0])[:1].repeat(games), RANDOM)
        learners.step(learners.mask.argmax(axis=1), ERROR)
    drawn_seat(next_seed(U(1)), game.players)
    decision_word(U(1), 0)


def _guided_search(game: Game) -> None:
    """A few iterations of a tree search in which nothing is known better."""
    state = game.new(seed=1)
    tree = GuidedTree(game, nodes=2 * game.num_actions, batch=1)
    how = GuidedManner(Manner(), prior=True, value=0.5, batch=1)
    tree.grow(
        state.view(state.mover), 2, 1, how, lambda seen: (np.zeros((len(seen), game.num_actions)), np.zeros(len(seen)))
    )


def _log_cards(game: Game, state: GameState) -> None:
    """One action in the tally of a game that Python plays."""
    log = tally.CardLog(game, state)
    log.before(state, state.legal[0])
    log.after(state.apply(state.legal[0]))
