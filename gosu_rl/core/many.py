"""Many games at once, wholly in compiled code: random playouts, and games between compiled policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core import playout
from gosu_rl.core.jit import JIT
from gosu_rl.core.notice import compiling
from gosu_rl.core.position import WORD, GameState, records, returns_of, whole, word

if TYPE_CHECKING:
    from gosu_rl.core.game import Game


@dataclass(frozen=True, repr=False)
class Playouts:
    """Results of random games, one entry a game."""

    seeds: np.ndarray  # uint64[games]
    shares: np.ndarray  # float64[games, players]: 1/w for each of w winners
    returns: np.ndarray  # float64[games, players]: zero-sum, 0 when truncated
    decisions: np.ndarray  # int32[games]
    rounds: np.ndarray  # int32[games]
    reasons: np.ndarray  # str[games]
    truncated: np.ndarray  # bool[games]

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        if not len(self):
            return "<Playouts of no games>"
        shares = ", ".join(f"{share:.3f}" for share in self.shares.mean(axis=0))
        means = f"{self.decisions.mean():.1f} decisions and {self.rounds.mean():.2f} rounds a game"
        return f"<Playouts of {len(self)} games: win shares {shares}; {means}; {int(self.truncated.sum())} truncated>"


def game_seeds(seed: int, games: int) -> np.ndarray:
    """uint64[games]: the seeds of a run of games, far apart from one another and from those of another run's seed."""
    if whole(games, "games") < 0:
        raise ValueError(f"the number of games cannot be {games}")
    with np.errstate(over="ignore"):
        z = word(seed) * np.uint64(0xD1342543DE82EF95) + np.arange(1, games + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def playouts(
    game: Game, games: int, seed: int = 0, workers: int = 1, progress: Callable[[int], None] | None = None
) -> Playouts:
    """Play random games wholly in compiled code; game g has seed `mix(seed, g)`, whatever the number of workers."""
    games = whole(games, "games")
    seeds = game_seeds(seed, games)
    F = game.kernel.need("deal", "step")
    share = np.zeros((games, game.players), np.float64)
    decisions, rounds, reasons, over = (np.zeros(games, np.int32) for _ in range(4))

    def chunk(a: int, b: int) -> None:
        S = records(np.zeros(1, game.state_dtype))
        playout.random_games(
            F, game.R, S, game.blank, game.players, seeds[a:b],
            share[a:b], decisions[a:b], rounds[a:b], reasons[a:b], over[a:b],
        )  # fmt: skip

    in_chunks(playout.random_games, chunk, games, workers, progress)
    names = np.array(game.reasons)
    return Playouts(seeds, share, returns_of(share), decisions, rounds, names[reasons], over == 2)


def play_many(
    game: Game,
    policies: Sequence[str],
    seeds: np.ndarray | Sequence[int],
    advantage: np.ndarray | Sequence[int] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Play one game a seed between compiled policies, one name a seat; a structured array of `result_dtype`.

    `advantage`: int[games], the seat that gets the card (-1: drawn). `progress(k)` is called when k more games are done.
    """
    seeds, holders, places = policy_places(game, policies, seeds, advantage)
    F = game.kernel.need("deal", "step", "hide", "note", *policies)
    rows = records(np.zeros(len(seeds), game.result_dtype))

    def chunk(a: int, b: int) -> None:
        S, V = (records(np.zeros(1, game.state_dtype)) for _ in range(2))
        playout.policy_games(F, game.R, S, V, game.blank, game.players, places, seeds[a:b], holders[a:b], rows[a:b])

    in_chunks(playout.policy_games, chunk, len(seeds), workers, progress)
    return rows.view(np.ndarray)


def policy_places(
    game: Game,
    policies: Sequence[str],
    seeds: np.ndarray | Sequence[int],
    advantage: np.ndarray | Sequence[int] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arguments of a loop over games between compiled policies, checked: seeds u8[games], holders i8[games], places i8[players]."""
    if len(policies) != game.players:
        raise ValueError(f"{game.players} seats need {game.players} policies, not {len(policies)}")
    for name in policies:
        if name not in game.policies:
            raise ValueError(f"no compiled policy {name!r}; there are {', '.join(game.policies)}")
    seeds = _whole_numbers(seeds, np.uint64, "seeds must be a list of whole numbers, one a game")
    given = np.full(len(seeds), -1) if advantage is None else advantage
    each = f"one seat from 0 to {game.players - 1} for each seed"
    holders = _whole_numbers(given, np.int64, f"advantage must hold whole numbers, {each}")
    if holders.shape != seeds.shape or ((holders < -1) | (holders >= game.players)).any():
        raise ValueError(f"advantage must hold {each} (-1: drawn)")
    return seeds, holders, np.array([game.kernel.place(name) for name in policies], np.int64)


def _whole_numbers(given: Any, dtype: type, told: str) -> np.ndarray:
    """A list of whole numbers as an array, cut to 64 bits where it holds uint64; ValueError (`told`) for anything else.

    A list that is no array goes number by number: NumPy alone would take True for 1, and two kinds of integers for floats.
    """
    if isinstance(given, Sequence) and not isinstance(given, str):
        try:
            numbers = [whole(number, "it") for number in given]
            given = np.array([number & WORD for number in numbers] if dtype is np.uint64 else numbers, dtype)
        except (ValueError, OverflowError):
            raise ValueError(told) from None
    array = np.asarray(given)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise ValueError(told)
    return np.ascontiguousarray(array, dtype)


def in_chunks(
    loop: Any,
    run: Callable[[int, int], None],
    games: int,
    workers: int,
    progress: Callable[[int], None] | None,
    size: int = 256,
) -> None:
    """Run `run(a, b)`, which calls `loop`, over ranges of games; compiled loops let go of the GIL, so threads use all cores."""
    workers = whole(workers, "workers")
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    ranges = [(a, min(a + size, games)) for a in range(0, games, size)]

    def one(pair: tuple[int, int]) -> int:
        run(*pair)
        return pair[1] - pair[0]

    if ranges and JIT:  # the first range alone: it may compile; the others may just take long
        with compiling(loop):
            done = one(ranges.pop(0))
        if progress:
            progress(done)
    if workers == 1 or len(ranges) < 2:
        for pair in ranges:
            done = one(pair)
            if progress:
                progress(done)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            for done in pool.map(one, ranges):
                if progress:
                    progress(done)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


class ResultLog:
    """The result row of one game played from Python: call `note` after every `apply`."""

    def __init__(self, game: Game, state: GameState):
        self._F = game.kernel.need("note")
        self._rows = records(np.zeros(1, game.result_dtype))
        playout.note_row(self._F, records(state.record), self._rows, 0)

    def note(self, state: GameState) -> None:
        """Take in what the last action changed."""
        playout.note_row(self._F, records(state.record), self._rows, 1)

    @property
    def row(self) -> np.void:
        """The row, of `game.result_dtype`; complete once the game is over."""
        return self._rows.view(np.ndarray)[0]
