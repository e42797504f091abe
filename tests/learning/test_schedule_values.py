"""Schedules as functions of progress, and as texts. (That they act is in test_ppo_update.py and test_trainer.py.)"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gosu_rl.learning.schedule import Schedule

finite = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("text", "progress", "value"),
    [
        ("0.5", 0.7, 0.5),
        ("1 -> 0", 0.0, 1.0),
        ("1 -> 0", 0.25, 0.75),
        ("1 -> 0", 1.0, 0.0),
        ("1 -> 0", 3.0, 0.0),
        ("1->0", 0.5, 0.5),
        ("1 -> 0 linear", 0.5, 0.5),
        ("1 -> 0 until 0.5", 0.25, 0.5),
        ("1 -> 0 until 0.5", 0.5, 0.0),
        ("1 -> 0 until 0.5", 0.9, 0.0),
        ("1 -> 0 cosine", 0.5, 0.5),
        ("1 -> 0 cosine", 0.25, (1 + math.cos(math.pi / 4)) / 2),
        ("1 -> 0 cosine until 0.5", 0.125, (1 + math.cos(math.pi / 4)) / 2),
        ("1e-3 -> 1e-4", 0.5, 5.5e-4),
    ],
)
def test_values(text: str, progress: float, value: float) -> None:
    assert Schedule.parse(text).at(progress) == pytest.approx(value, abs=1e-12)


@given(finite, finite, st.sampled_from(["linear", "cosine"]), st.floats(0.01, 1.0), st.floats(0, 1))
def test_it_stays_between_its_ends_and_goes_one_way(
    first: float, last: float, shape: str, until: float, progress: float
) -> None:
    schedule = Schedule(first, last, shape, until)
    low, high = sorted((first, last))
    slack = 1e-9 * max(1.0, abs(low), abs(high))
    now, later = schedule.at(progress), schedule.at(min(1.0, progress + 0.1))
    assert low - slack <= now <= high + slack
    assert (later - now) * (last - first) >= -slack * abs(last - first)
    assert schedule.at(0.0) == pytest.approx(first)
    assert schedule.at(until) == pytest.approx(last, abs=slack)


@given(finite, finite, st.sampled_from(["linear", "cosine"]), st.floats(0.01, 1.0))
def test_its_text_means_the_same(first: float, last: float, shape: str, until: float) -> None:
    schedule = Schedule(first, last, shape, until)
    again = Schedule.parse(str(schedule))
    assert again == (schedule if first != last else Schedule(first, first))
    assert Schedule.parse(again) is again


@pytest.mark.parametrize("value", ["", "->", "1 ->", "1 -> 2 -> 3", "1 to 2", "1 -> 2 until x", None, True, [1]])
def test_what_is_none_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="wants a number or a schedule"):
        Schedule.parse(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("1 -> 2 until 0", "until"),
        ("1 -> 2 until 1.5", "until"),
        ("1 -> 2 sine", "knows no shape 'sine'"),
        ("1 -> 2 until", "knows no shape 'until'"),
        ("1 -> inf", "finite"),
        ("nan", "finite"),
        (float("inf"), "finite"),
    ],
)
def test_what_makes_no_sense_is_refused(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Schedule.parse(value)
