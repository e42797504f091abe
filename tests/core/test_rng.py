"""The generator: published reference values, even bounded draws and shuffles, streams of their own."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numba
import numpy as np
import pytest
from scipy.stats import chisquare

from gosu_rl.core import jit, rng
from gosu_rl.core.position import records

# As an entry is compiled, but kept nowhere: the cache knows the sources of the core only.
compiled = numba.njit(pipeline_class=jit._WholeCompiler)
BOX = np.dtype([("rng", "u8")])
STREAMS = (rng.STREAM_DEAL, rng.STREAM_HOLDER, rng.STREAM_PLAY, rng.STREAM_WORLD, rng.STREAM_CHOICE)


@compiled
def draw_bits(box, out):
    for i in range(out.size):
        out[i] = rng.bits(box[0])


@compiled
def draw_below(box, n, out):
    for i in range(out.size):
        out[i] = rng.below(box[0], n)


@compiled
def draw_orders(box, out):
    for i in range(out.shape[0]):
        for k in range(out.shape[1]):
            out[i, k] = k
        rng.shuffle(box[0], out[i], out.shape[1])


@compiled
def mixed(seed, stream):
    return rng.mix(seed, stream)


def box(seed: int) -> np.ndarray:
    made = np.zeros(1, BOX)
    made["rng"] = seed
    return records(made)


@pytest.mark.nojit
def test_reference_values_of_splitmix64() -> None:
    out = np.zeros(5, np.uint64)
    draw_bits(box(1234567), out)
    assert out.tolist() == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 10, 40, 75, 120, 1000])
def test_bounded_draws_are_even(n: int) -> None:
    out = np.zeros(100_000, np.int64)
    draw_below(box(n), n, out)
    counts = np.bincount(out, minlength=n)
    assert len(counts) == n
    assert n == 1 or chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("n", [3 * 2**29, 2**31 - 1, 2**30 + 1])
def test_large_bounds_are_even_too(n: int) -> None:
    """Where a draw without rejection would favour some numbers by a third."""
    out = np.zeros(60_000, np.int64)
    draw_below(box(n), n, out)
    assert out.min() >= 0
    assert out.max() < n
    counts = np.histogram(out, bins=12, range=(0, n))[0]
    assert chisquare(counts).pvalue > 1e-4
    assert chisquare(np.bincount(out % 3)).pvalue > 1e-4


def test_shuffles_of_four_are_even() -> None:
    out = np.zeros((48_000, 4), np.int64)
    draw_orders(box(4), out)
    counts = Counter(map(tuple, out.tolist()))
    assert set(counts) == set(permutations(range(4)))
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_bits_are_even() -> None:
    out = np.zeros(20_000, np.uint64)
    draw_bits(box(7), out)
    ones = [(int(k), int(np.count_nonzero(out >> np.uint64(k) & np.uint64(1)))) for k in range(64)]
    assert all(abs(count - 10_000) < 5 * 71 for _, count in ones)  # five standard deviations


def test_streams_and_seeds_do_not_meet() -> None:
    states = {int(mixed(np.uint64(seed), stream)) for seed in range(2000) for stream in STREAMS}
    assert len(states) == 2000 * len(STREAMS)
    first = np.zeros(20_000, np.uint64)
    seen: set[int] = set()
    for stream in STREAMS:
        draw_bits(box(int(mixed(np.uint64(1), stream))), first)
        assert not seen & set(first.tolist())
        seen |= set(first.tolist())


@pytest.mark.nojit
def test_compiled_and_plain_draws_are_the_same() -> None:
    out = np.zeros(300, np.int64)
    draw_below(box(11), 75, out)
    state, plain = 11, []
    mask = 2**64 - 1
    while len(plain) < 300:  # splitmix64 and Lemire's bounded draw, in Python's whole numbers
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        z ^= z >> 31
        product = (z >> 32) * 75
        if product % 2**32 >= 2**32 % 75:
            plain.append(product >> 32)
    assert out.tolist() == plain
