"""A Nash equilibrium of an enumerated two-player game, by linear programming: the yardstick for everything that learns.

Sequence form (von Stengel, "Efficient computation of behavior strategies", 1996): a player's realisation plan gives each of his
slots the probability that he himself contributes to getting there and taking it; plans are linear constraints, and the value of the
game is a linear programme of the size of the tree. Where a plan never comes, the strategy is uniform.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from gosu_rl.learning.exact import reach, uniform
from gosu_rl.learning.game_tree import GameTree


def equilibrium(tree: GameTree) -> tuple[float, NDArray[np.float64]]:
    """(return of seat 0, strategy float64[Q]) of a Nash equilibrium. ValueError unless the game has two players."""
    if tree.game.players != 2:
        raise ValueError(f"equilibria are computed for two players, not {tree.game.players}")
    last = _last_slots(tree)
    plans = [_Plans(tree, last, seat) for seat in (0, 1)]
    payoff = _payoff(tree, last, plans)
    strategy = uniform(tree)
    values = []
    for seat, matrix in ((0, payoff), (1, -payoff.T)):
        worth, plan = _maximin(matrix.tocsr(), plans[seat], plans[1 - seat])
        plans[seat].write(plan, strategy)
        values.append(worth)
    return (values[0] - values[1]) / 2, strategy


class _Plans:
    """The realisation plans of one seat: a vector x >= 0 over its sequences (0: none yet, then its slots) with C x = d."""

    def __init__(self, tree: GameTree, last: NDArray, seat: int):
        self.tree = tree
        self.sets = np.flatnonzero(tree.set_seat == seat)
        self.slots = np.flatnonzero(tree.set_seat[tree.slot_set] == seat)
        self.sequence = np.zeros(len(tree.slot_action) + 1, np.int64)  # slot -> its place in x; slot -1 -> 0
        self.sequence[self.slots] = np.arange(len(self.slots)) + 1
        self.size = len(self.slots) + 1
        # one row a set: its slots add up to the sequence that leads there; perfect recall makes that one sequence
        decisions = np.flatnonzero(tree.node_set >= 0)
        parent = np.zeros(tree.sets, np.int64)
        parent[tree.node_set[decisions]] = self.sequence[last[decisions, seat]]
        row_of = np.zeros(tree.sets, np.int64)
        row_of[self.sets] = np.arange(len(self.sets)) + 1
        rows = np.concatenate([[0], row_of[tree.slot_set[self.slots]], row_of[self.sets]])
        columns = np.concatenate([[0], self.sequence[self.slots], parent[self.sets]])
        ones = np.concatenate([[1.0], np.ones(len(self.slots)), -np.ones(len(self.sets))])
        self.constraints = sparse.csr_matrix((ones, (rows, columns)), shape=(len(self.sets) + 1, self.size))
        self.total = np.zeros(len(self.sets) + 1)
        self.total[0] = 1.0

    def write(self, plan: NDArray, strategy: NDArray[np.float64]) -> None:
        """Turn a plan into probabilities of this seat's slots, in place."""
        tree = self.tree
        x = np.maximum(plan[1:], 0.0)
        of = tree.slot_set[self.slots]
        total = np.bincount(of, x, minlength=tree.sets)[of]
        strategy[self.slots] = np.where(total > 1e-12, x / np.maximum(total, 1e-12), strategy[self.slots])


def _last_slots(tree: GameTree) -> NDArray[np.int64]:
    """[N, 2]: the last slot that each seat has taken on the way to every node; -1: none."""
    last = np.full((tree.nodes, 2), -1)
    for a, b in tree.layers:
        led = np.flatnonzero(tree.node_edge[a:b] >= 0) + a
        edges = tree.node_edge[led]
        slots = tree.edge_slot[edges]
        last[led] = last[tree.edge_node[edges]]
        last[led, tree.set_seat[tree.slot_set[slots]]] = slots
    return last


def _payoff(tree: GameTree, last: NDArray, plans: list[_Plans]) -> sparse.coo_matrix:
    """[sequences of seat 0, sequences of seat 1]: returns of seat 0, weighted by chance."""
    chance = reach(tree, np.ones(len(tree.slot_action)))
    ends = np.flatnonzero(tree.node_set < 0)
    rows, columns = (plans[seat].sequence[last[ends, seat]] for seat in (0, 1))
    matrix = sparse.coo_matrix((chance[ends] * tree.returns[ends, 0], (rows, columns)), (plans[0].size, plans[1].size))
    matrix.sum_duplicates()
    return matrix


def _maximin(payoff: sparse.csr_matrix, own: _Plans, other: _Plans) -> tuple[float, NDArray[np.float64]]:
    """The plan of a player that gets most against its best answer: max d'v with C'v <= A'x, over plans x (v is free)."""
    rows = len(other.total)
    cost = np.concatenate([np.zeros(own.size), -other.total])
    upper = sparse.hstack([-payoff.T, other.constraints.T], format="csr")
    equal = sparse.hstack([own.constraints, sparse.csr_matrix((len(own.total), rows))], format="csr")
    bounds = [(0.0, None)] * own.size + [(None, None)] * rows
    found = linprog(
        cost, A_ub=upper, b_ub=np.zeros(other.size), A_eq=equal, b_eq=own.total, bounds=bounds, method="highs"
    )
    if not found.success:
        raise RuntimeError(f"the linear programme of the equilibrium was not solved: {found.message}")
    return -float(found.fun), found.x[: own.size]
