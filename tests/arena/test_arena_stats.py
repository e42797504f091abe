"""Intervals over blocks against known answers, against scipy, and by how often they cover the truth."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gosu_rl.arena.stats import mean, paired, ratio


def test_the_mean_has_the_textbook_t_interval():
    # 2, 4, 4, 4, 5, 5, 7, 9: mean 5, standard deviation (n - 1) 2.138, t(7, 0.975) = 2.3646
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert found.estimate == 5
    assert found.blocks == 8
    assert found.low == pytest.approx(5 - 2.3646 * 2.1381 / 8**0.5, abs=1e-4)
    assert found.high == pytest.approx(5 + 2.3646 * 2.1381 / 8**0.5, abs=1e-4)


def test_the_mean_agrees_with_scipy():
    values = np.random.default_rng(1).gamma(2.0, size=37)
    reference = scipy_stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean(values).low == pytest.approx(reference.low)
    assert mean(values).high == pytest.approx(reference.high)


def test_equal_blocks_make_the_ratio_the_mean_of_block_means():
    wins = np.random.default_rng(2).integers(0, 5, 60)
    over = ratio(wins, np.full(60, 4))
    assert (over.estimate, over.low, over.high) == pytest.approx(
        (mean(wins / 4).estimate, mean(wins / 4).low, mean(wins / 4).high)
    )


def test_paired_is_scipys_paired_interval_and_skips_gaps():
    rng = np.random.default_rng(3)
    a, b = rng.normal(1, 1, 50), rng.normal(0, 1, 50)
    reference = scipy_stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (paired(a, b).low, paired(a, b).high) == pytest.approx((reference.low, reference.high))
    a_gap, b_gap = np.append(a, np.nan), np.append(b, 100.0)
    assert paired(a_gap, b_gap) == paired(a, b)


def test_pairing_pays_where_the_deal_decides_much():
    rng = np.random.default_rng(4)
    deal = rng.normal(0, 3, 200)
    a, b = deal + 0.5 + rng.normal(0, 0.3, 200), deal + rng.normal(0, 0.3, 200)
    assert paired(a, b).half_width < 0.2 * (mean(a).half_width + mean(b).half_width)
    assert paired(a, b).low < 0.5 < paired(a, b).high


def test_the_t_interval_agrees_with_a_bootstrap_over_deals():
    rng = np.random.default_rng(5)
    battles = rng.integers(3, 6, 400).astype(float)
    ties = rng.binomial(battles.astype(int), rng.beta(2, 8, 400)).astype(float)
    reference = scipy_stats.bootstrap(
        (ties, battles),
        lambda y, x, axis: y.sum(axis) / x.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=4000,
        rng=6,
    ).confidence_interval
    found = ratio(ties, battles, (0, 1))
    assert found.low == pytest.approx(reference.low, abs=0.1 * found.half_width)
    assert found.high == pytest.approx(reference.high, abs=0.1 * found.half_width)


def test_nothing_seen_is_the_exact_binomial_limit_not_a_width_of_zero():
    # Clopper and Pearson for 0 of n, with n shrunk as t against normal; near the rule of three, 3.69 / n for two sides.
    found = ratio(np.zeros(1000), np.full(1000, 2), (0, 1))
    assert found.low == 0
    assert found.high == pytest.approx(scipy_stats.binomtest(0, 1000).proportion_ci(method="exact").high, rel=0.01)
    mirrored = ratio(np.full(1000, 2), np.full(1000, 2), (0, 1))
    assert mirrored.low == pytest.approx(1 - found.high)
    assert mirrored.high == 1


def test_limits_never_leave_the_bounds():
    rng = np.random.default_rng(7)
    for chance in (0.001, 0.02, 0.5, 0.97, 0.999):
        for blocks in (2, 5, 30):
            found = ratio(rng.binomial(2, chance, blocks), np.full(blocks, 2), (0, 1))
            assert 0 <= found.low <= found.estimate <= found.high <= 1


def test_what_cannot_be_known_is_nan():
    assert np.isnan(mean([]).estimate)
    lone = mean([3.0])
    assert lone.estimate == 3
    assert np.isnan(lone.low)
    assert np.isnan(mean([3.0, 3.0, 3.0]).low)
    assert (mean([0.5], (0, 1)).low, mean([0.5], (0, 1)).high) == (0, 1)


def test_blocks_without_games_say_nothing():
    assert ratio([1, 0, 2, 0], [2, 0, 2, 0], (0, 1)) == ratio([1, 2], [2, 2], (0, 1))


@pytest.mark.parametrize(
    ("y", "x", "message"),
    [([1], [1, 2], "1 blocks"), ([1, 1], [1, -1], "negative"), ([[1]], [[1]], "shape"), ([np.nan], [1], "finite")],
)
def test_bad_blocks_are_refused(y, x, message):
    with pytest.raises(ValueError, match=message):
        ratio(y, x)


def _coverage(make, truth, runs=1500):
    hits = 0
    for run in range(runs):
        y, x = make(np.random.default_rng([11, run]))
        found = ratio(y, x, (0, 1))
        hits += found.low <= truth <= found.high
    return hits / runs


def test_coverage_of_clustered_games_where_a_naive_interval_fails():
    blocks, games, truth = 60, 4, 0.5
    naive_hits = 0

    def make(rng):
        return rng.binomial(games, rng.beta(1, 1, blocks)), np.full(blocks, games)

    for run in range(300):
        y, x = make(np.random.default_rng([11, run]))
        found = scipy_stats.binomtest(int(y.sum()), int(x.sum())).proportion_ci(method="wilson")
        naive_hits += found.low <= truth <= found.high
    assert 0.935 < _coverage(make, truth) < 0.965  # 1,500 runs: 0.95 ± 0.015 is 2.7 standard errors
    assert naive_hits / 300 < 0.88  # games of one deal are not independent


def test_coverage_of_a_ratio_with_unequal_blocks():
    def make(rng):
        battles = rng.integers(3, 8, 80)
        return rng.binomial(battles, 0.2), battles

    assert 0.935 < _coverage(make, 0.2) < 0.965


@pytest.mark.parametrize(("chance", "blocks"), [(0.01, 200), (0.98, 100), (0.002, 300)])
def test_rare_events_are_covered_at_least_as_often_as_promised(chance, blocks):
    def make(rng):
        return rng.binomial(2, chance, blocks), np.full(blocks, 2)

    assert _coverage(make, chance) > 0.94


def test_coverage_with_few_blocks():
    assert 0.93 < _coverage(lambda rng: (rng.uniform(0, 1, 8), np.ones(8)), 0.5) < 0.985
