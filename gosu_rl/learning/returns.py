"""From rewards and values to advantages, for each seat of each game on its own.

A seat's trajectory is the sequence of its own decisions in one episode; what happens between two of them, other seats' moves
and its own forced ones included, is the environment to it. So a reward that is paid on another's move belongs to the seat's
last decision before it. The estimator is GAE (Schulman et al., "High-dimensional continuous control using generalized advantage
estimation", 2016) over own decisions, with gamma = 1: an episode ends, and all of it counts the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Advantages:
    """One entry for each decision of a batch; T steps, N games."""

    advantage: NDArray[np.float32]  # [T, N]
    target: NDArray[np.float32]  # [T, N]: what the value should have said
    complete: NDArray[
        np.bool_
    ]  # [T, N]: False for a seat's last decision in the batch when its episode goes on, and forced ones


def advantages(
    reward: NDArray[np.float32],
    ended: NDArray[np.bool_],
    mover: NDArray[np.integer],
    value: NDArray[np.float32],
    lam: float,
    choice: NDArray[np.bool_] | None = None,
) -> Advantages:
    """GAE over own decisions.

    `reward` [T, N, P] what each seat was paid by the step, `ended` [T, N] whether the episode ended in it, `mover` [T, N] who
    decided, `value` [T, N] what the mover expected, `choice` [T, N] whether it had more than one legal action (left out: always).

    A seat's last decision in the batch has no successor to bootstrap from unless its episode ended: it is marked incomplete and
    must not be learned from, and the one before it bootstraps from its value. (A value for a seat that is not to move would be
    a guess about positions that training never shows the network. So would be one for a forced decision, from which nothing is
    learned: it is passed over, and what it was paid goes to the decision before it.)
    """
    steps, games, seats = reward.shape
    advantage = np.zeros((steps, games), np.float32)
    complete = np.zeros((steps, games), np.bool_)
    row = np.arange(games)
    # Of each seat's next own decision: its value, its advantage, what was paid before it, and whether there is one.
    next_value = np.zeros((games, seats), np.float32)
    next_advantage = np.zeros((games, seats), np.float32)
    paid = np.zeros((games, seats), np.float32)
    known = np.zeros((games, seats), np.bool_)
    for t in range(steps - 1, -1, -1):
        over = ended[t]
        next_value[over] = 0.0
        next_advantage[over] = 0.0
        paid[over] = 0.0
        known[over] = True
        paid += reward[t]
        game = row if choice is None else np.flatnonzero(choice[t])
        seat = mover[t, game]
        there = known[game, seat]
        delta = paid[game, seat] + next_value[game, seat] - value[t, game]
        complete[t, game] = there
        advantage[t, game] = np.where(there, delta + lam * next_advantage[game, seat], 0.0)
        next_value[game, seat] = value[t, game]
        next_advantage[game, seat] = advantage[t, game]
        paid[game, seat] = 0.0
        known[game, seat] = True
    return Advantages(advantage, advantage + value, complete)
