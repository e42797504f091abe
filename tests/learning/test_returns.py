"""Advantages over own decisions, against an independent computation that goes through one seat of one game at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from learning_cases import experiment

from gosu_rl.learning.returns import advantages

pytestmark = pytest.mark.nojit


@dataclass
class Played:
    """A made-up batch; T steps of N games for P seats."""

    reward: np.ndarray
    ended: np.ndarray
    mover: np.ndarray
    value: np.ndarray
    choice: np.ndarray


@st.composite
def batches(draw: st.DrawFn) -> Played:
    steps, games, seats = draw(st.integers(1, 14)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    ends, forced = draw(st.sampled_from([0.0, 0.1, 0.4])), draw(st.sampled_from([0.0, 0.2, 0.9]))
    shape = steps, games
    ended = rng.random(shape) < ends
    reward = rng.normal(size=(*shape, seats)) * (ended | (rng.random(shape) < 0.3))[..., None]
    return Played(
        reward.astype(np.float32), ended, rng.integers(seats, size=shape), rng.normal(size=shape).astype(np.float32),
        rng.random(shape) >= forced,
    )  # fmt: skip


def one_seat(played: Played, game: int, seat: int, lam: float) -> dict[int, tuple[float, bool]]:
    """Step -> (advantage, complete) of a seat's decisions, by the definition of GAE: a sum of discounted one-step errors."""
    steps = len(played.ended)
    mine = [t for t in range(steps) if played.mover[t, game] == seat and played.choice[t, game]]
    found: dict[int, tuple[float, bool]] = {}
    for first in range(len(mine)):
        total, weight, complete, at = 0.0, 1.0, True, first
        while True:
            t = mine[at]
            end = next((u for u in range(t, steps) if played.ended[u, game]), None)
            after = mine[at + 1] if at + 1 < len(mine) else None
            if after is not None and (end is None or after <= end):  # it decides again in this episode
                paid = sum(float(played.reward[u, game, seat]) for u in range(t, after))
                total += weight * (paid + float(played.value[after, game]) - float(played.value[t, game]))
                weight *= lam
                at += 1
            elif end is not None:  # this was its last decision of the episode
                paid = sum(float(played.reward[u, game, seat]) for u in range(t, end + 1))
                total += weight * (paid - float(played.value[t, game]))
                break
            else:  # the batch ends before anything is known of what became of it
                complete = at > first
                break
        found[mine[first]] = (total if complete else 0.0, complete)
    return found


@given(batches(), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_every_seat_of_every_game(played: Played, lam: float) -> None:
    found = advantages(played.reward, played.ended, played.mover, played.value, lam, played.choice)
    steps, games, seats = played.reward.shape
    seen = np.zeros((steps, games), np.bool_)
    for game in range(games):
        for seat in range(seats):
            for t, (advantage, complete) in one_seat(played, game, seat, lam).items():
                seen[t, game] = True
                assert found.complete[t, game] == complete
                assert found.advantage[t, game] == pytest.approx(advantage, abs=1e-4)
                assert found.target[t, game] == pytest.approx(advantage + played.value[t, game], abs=1e-4)
    assert np.array_equal(seen, played.choice)
    assert not found.complete[~seen].any()  # forced decisions are not learned from


@given(batches())
def test_without_word_on_choice_every_decision_is_one(played: Played) -> None:
    args = played.reward, played.ended, played.mover, played.value, 0.9
    for left, right in zip(
        vars(advantages(*args)).values(), vars(advantages(*args, np.ones_like(played.choice))).values(), strict=True
    ):
        assert np.array_equal(left, right)


@given(batches())
def test_with_lambda_1_the_target_is_what_the_seat_was_paid(played: Played) -> None:
    """Zero values, everything over: the target of a decision is the sum of all its seat gets from there to the end."""
    played.ended[-1] = True
    played.value[:] = 0.0
    found = advantages(played.reward, played.ended, played.mover, played.value, 1.0)
    assert found.complete.all()
    for t, game in np.ndindex(played.ended.shape):
        end = t + int(np.argmax(played.ended[t:, game]))
        paid = played.reward[t : end + 1, game, played.mover[t, game]].sum()
        assert found.target[t, game] == pytest.approx(paid, abs=1e-4)


def test_a_reward_on_anothers_move_is_credited_to_the_last_own_decision() -> None:
    """Seat 0 decides, seat 1 ends the game and seat 0 is paid: his decision gets it. Who credits the mover of the terminal step
    alone gets nothing, so this test fails for such an estimator."""
    reward = np.zeros((3, 1, 2), np.float32)
    reward[1, 0] = 1.0, -1.0
    ended, mover = np.array([[False], [True], [False]]), np.array([[0], [1], [0]])
    value, choice = np.zeros((3, 1), np.float32), np.ones((3, 1), np.bool_)
    right = advantages(reward, ended, mover, value, 0.95, choice)
    assert right.advantage[:, 0].tolist() == [1.0, -1.0, 0.0]
    assert right.complete[:, 0].tolist() == [True, True, False]
    wrong = experiment("sanity_ladder").crediting_the_last_mover(reward, ended, mover, value, 0.95, choice)
    assert wrong.advantage[0, 0] == 0.0
    assert wrong.advantage[1, 0] == -1.0


def test_a_reward_passes_a_forced_decision() -> None:
    reward = np.zeros((2, 1, 2), np.float32)
    reward[1, 0] = 1.0, -1.0
    ended, mover = np.array([[False], [True]]), np.zeros((2, 1), np.int64)
    value = np.array([[0.25], [9.0]], np.float32)  # whatever the network says of a forced position
    found = advantages(reward, ended, mover, value, 0.5, np.array([[True], [False]]))
    assert found.target[0, 0] == 1.0
    assert found.complete[:, 0].tolist() == [True, False]
