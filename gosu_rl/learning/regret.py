"""An equilibrium by self-play without a network: CFR+, and with it what players of poor memory can reach.

Counterfactual regret minimisation (Zinkevich et al. 2007) in the form of Tammelin, "Solving large imperfect information games
using CFR+" (2014): players in turn, regrets cut off at zero, strategies averaged with weights that grow. Each iteration is four
passes over the tree. `equilibrium.py` is exact and better where its linear programme fits; this is for larger trees, and for the
question that a programme cannot answer: how well can a player do who tells apart only what a network tells apart?
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gosu_rl.learning.exact import reach, uniform
from gosu_rl.learning.game_tree import GameTree


def self_play(tree: GameTree, iterations: int, alike: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """The average strategy float64[Q] of CFR+ against itself, two players.

    `alike` int[I] numbers what the mover perceives (`tree.set_view`, `tree.set_perception`): sets with one number get one strategy.
    Left out, every set has its own, and the average comes near an equilibrium. With shared numbers a player forgets, for which
    the theory promises nothing: measure what comes out (`exact.exploitability`). ValueError for other than two players.
    """
    if tree.game.players != 2:
        raise ValueError(f"CFR+ is for two players, not {tree.game.players}")
    if alike is None:
        alike = np.arange(tree.sets)
    if alike.shape != (tree.sets,):
        raise ValueError(
            f"alike must hold one number for each of {tree.sets} information sets, not shape {alike.shape}"
        )
    kind = np.unique(alike[tree.slot_set] * tree.game.num_actions + tree.slot_relative, return_inverse=True)[1].ravel()
    regret = np.zeros(int(kind.max()) + 1)  # of every action of a kind of position
    total = np.zeros(len(kind))
    for k in range(1, iterations + 1):
        for seat in (0, 1):
            strategy = _matching(tree, np.maximum(regret, 0.0)[kind])
            mine = tree.set_seat[tree.slot_set] == seat
            worth = _slot_worths(tree, strategy, seat, mine)
            gain = np.where(mine, worth - _per_set(tree, worth * strategy), 0.0)
            regret = np.maximum(regret + np.bincount(kind, gain), 0.0)
            weight = _set_sums(tree, reach(tree, np.where(mine, strategy, 1.0)))[tree.slot_set]
            total += np.bincount(kind, np.where(mine, k * weight * strategy, 0.0))[kind]
    return _matching(tree, total)


def _matching(tree: GameTree, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities in proportion to weights [Q] >= 0; uniform where all are zero."""
    total = _per_set(tree, weight)
    return np.where(total > 0, weight / np.where(total > 0, total, 1.0), uniform(tree))


def _per_set(tree: GameTree, slots: NDArray[np.float64]) -> NDArray[np.float64]:
    """[Q]: the sum over the slot's information set."""
    return np.add.reduceat(slots, tree.set_first[:-1])[tree.slot_set]


def _set_sums(tree: GameTree, own: NDArray[np.float64]) -> NDArray[np.float64]:
    """[I]: the reach of every set. With chance and its mover's own probabilities in it, it is his own part times a constant."""
    decisions = tree.node_set >= 0
    return np.asarray(np.bincount(tree.node_set[decisions], own[decisions], minlength=tree.sets), np.float64)


def _slot_worths(tree: GameTree, strategy: NDArray, seat: int, mine: NDArray) -> NDArray[np.float64]:
    """[Q]: counterfactual value of every action for `seat`: what it brings, weighted by how the others lead there."""
    worth = reach(tree, np.where(mine, 1.0, strategy)) * tree.returns[:, seat]
    own = np.where(mine, strategy, 1.0)[tree.edge_slot]  # the others' probabilities are in the weights already
    edge_worth = np.zeros(len(tree.edge_slot))
    for a, b in reversed(tree.layers):
        choosing = np.flatnonzero(tree.node_set[a:b] >= 0) + a
        if len(choosing):
            first = int(tree.node_first[choosing[0]])
            last = int(tree.node_first[choosing[-1]] + np.diff(tree.set_first)[tree.node_set[choosing[-1]]])
            here = slice(first, last)  # the edges of a layer stand together
            worth[choosing] = np.add.reduceat(edge_worth[here] * own[here], tree.node_first[choosing] - first)
        led = np.flatnonzero(tree.node_edge[a:b] >= 0) + a
        np.add.at(edge_worth, tree.node_edge[led], worth[led])
    return np.asarray(np.bincount(tree.edge_slot, edge_worth, minlength=len(strategy)), np.float64)
