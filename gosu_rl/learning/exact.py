"""Exact values on an enumerated game: what strategies are worth, the best answer to them, and how far they are from an equilibrium.

A *strategy* here is float64[Q]: the probability of every slot of a `GameTree` (an action of an information set); the sets of each
seat are that seat's part of it. `of_policy` and `of_agent` make one of what plays games.

Best responses follow the definition: weigh every position by the chance that the others and the cards lead there, and let the
responder take, set by set from the last layer up, the action with the largest weighted sum (e.g. Johanson et al., "Accelerating
Best Response Calculation in Large Extensive Games", 2011). The result is a maximum over *all* strategies of the responder, mixed
ones and those that remember everything included. One pass takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gosu_rl.core import playout
from gosu_rl.core.position import records, seat_of
from gosu_rl.core.rng import GOLDEN
from gosu_rl.learning.game_tree import GameTree

# (observations float32[I, D], masks int8[I, A]) -> probabilities [I, A] or (probabilities, anything); in the mover's own frame
Evaluate = Callable[[NDArray[np.float32], NDArray[np.int8]], ArrayLike | tuple[ArrayLike, object]]
ROUNDING = 1e-3  # what probabilities in float32 may lack of one, or have on illegal actions


@dataclass(frozen=True, eq=False)
class Exploitability:
    """How much every seat could gain by its best response while the others stay as they are. P players; returns in [-1, 1]."""

    values: NDArray[np.float64]  # [P]: returns if all follow the strategy
    responses: NDArray[np.float64]  # [P]: returns of a seat that answers best

    @property
    def nash_conv(self) -> float:
        """The sum of all gains; 0 in a Nash equilibrium and nowhere else."""
        return float((self.responses - self.values).sum())

    @property
    def exploitability(self) -> float:
        """The mean gain of a seat. With two players: the return of a best responder who sits in each seat half of the time."""
        return self.nash_conv / len(self.values)

    @property
    def response_share(self) -> float:
        """The win share of that best responder, two players: 0.5 against an equilibrium, 1 if he always wins."""
        if len(self.values) != 2:
            raise ValueError("a best responder's win share against one strategy is defined for two players")
        return (1 + self.exploitability) / 2


# ------------------------------------------------------------------------------------------------ strategies


def uniform(tree: GameTree) -> NDArray[np.float64]:
    """Every legal action with the same probability: what `random` plays."""
    return 1.0 / np.diff(tree.set_first)[tree.slot_set]


def of_policy(tree: GameTree, evaluate: Evaluate) -> NDArray[np.float64]:
    """The strategy of a network or anything else that turns all observations and masks into probabilities at once.

    `evaluate(observations float32[I, D], masks int8[I, A])` gives probabilities [I, A], or a tuple that begins with them, in the
    mover's frame, as `Policy.evaluate` does. Raises ValueError for a wrong shape, for numbers that are no probabilities and for
    illegal actions of more than rounding; what float32 lacks of one is made good.
    """
    answer = evaluate(tree.observations, tree.masks)
    table = np.asarray(answer[0] if isinstance(answer, tuple) else answer, np.float64)
    if table.shape != tree.masks.shape:
        raise ValueError(f"the policy gave probabilities of shape {table.shape}; the tree has {tree.masks.shape}")
    strategy = table[tree.slot_set, tree.slot_relative]
    total = np.add.reduceat(strategy, tree.set_first[:-1])
    wrong = ~(np.abs(total - 1) <= ROUNDING) | ~(np.abs(table.sum(axis=1) - total) <= ROUNDING)
    wrong |= np.minimum.reduceat(strategy, tree.set_first[:-1]) < 0
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        row = ", ".join(
            f"{label} {p:.4g}" for label, p in zip(_labels(tree, i), _of_set(tree, strategy, i), strict=True)
        )
        raise ValueError(
            f"the policy's probabilities at information set {i} do not add up to one over legal actions: {row}"
        )
    return strategy / total[tree.slot_set]


def of_agent(tree: GameTree, policy: str) -> NDArray[np.float64]:
    """The strategy of a compiled policy of the game (`random`, `greedy`): an even chance for every action that it ever takes.

    Both break ties evenly and know no other chance, so all that has to be found out is which actions are tied. Each view is put to
    the policy with random words until a further action would have been missed with a probability below 1e-19. ValueError for an
    unknown policy.
    """
    game = tree.game
    if policy not in game.policies:
        raise ValueError(f"no compiled policy {policy!r}; there are {', '.join(game.policies)}")
    if policy == "random":
        return uniform(tree)
    strategy = np.zeros(len(tree.slot_action))
    F, place = game.kernel.need("hide", "step", policy), game.kernel.place(policy)
    states, V = records(tree.examples), game.scratch
    for i in range(tree.sets):
        playout.look(F, game.R, states[i : i + 1], V, int(tree.set_seat[i]))
        strategy[_slots(tree, i)] = _ties(lambda word: playout.choose(F, game.R, V, place, word), _actions(tree, i))
    return strategy


def _ties(choose: Callable[[np.uint64], int], legal: NDArray[np.int64]) -> NDArray[np.float64]:
    """Even probabilities for the actions that `choose` takes; with k found, one more among k + 1 is missed 1 in e^44 times."""
    found: set[int] = set()
    word, asked = np.uint64(0), 0
    while asked < 44 * (min(len(found), len(legal) - 1) + 1) and len(found) < len(legal):
        with np.errstate(over="ignore"):
            word += GOLDEN
        found.add(int(choose(word)))
        asked += 1
    return np.isin(legal, list(found)) / len(found)


# ------------------------------------------------------------------------------------------------ values


def value(tree: GameTree, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[P]: the expected returns if every seat follows its part of the strategy."""
    ends = tree.node_set < 0
    return reach(tree, _checked(tree, strategy))[ends] @ tree.returns[ends]


def best_response(tree: GameTree, strategy: NDArray[np.float64], seat: int) -> tuple[float, NDArray[np.float64]]:
    """The most that `seat` can get while the others follow `strategy`, and the strategy with a best answer in its place.

    The answer is pure; of equally good actions it takes the first, and so it does where the others never let it come.
    """
    seat = seat_of(seat, tree.game.players)
    mine = tree.set_seat[tree.slot_set] == seat
    weight = reach(tree, np.where(mine, 1.0, _checked(tree, strategy)))
    worth = weight * tree.returns[:, seat]  # of nodes, weighted; those of decisions follow from their edges
    edge_worth = np.zeros(len(tree.edge_slot))
    answer = strategy.copy()
    for a, b in reversed(tree.layers):
        choosing = np.flatnonzero(tree.node_set[a:b] >= 0) + a
        if len(choosing):
            _choose(tree, seat, choosing, edge_worth, worth, answer)
        reached = np.flatnonzero(tree.node_edge[a:b] >= 0) + a
        np.add.at(edge_worth, tree.node_edge[reached], worth[reached])
    return float(worth[tree.node_edge < 0].sum()), answer


def exploitability(tree: GameTree, strategy: NDArray[np.float64]) -> Exploitability:
    """Values, best responses and with them the distance to equilibrium of a strategy."""
    best = [best_response(tree, strategy, seat)[0] for seat in range(tree.game.players)]
    return Exploitability(value(tree, strategy), np.array(best))


def _choose(
    tree: GameTree, seat: int, nodes: NDArray, edge_worth: NDArray, worth: NDArray, answer: NDArray[np.float64]
) -> None:
    """Give the decisions of one layer their worth: the responder's best action, everybody else's sum."""
    sets = tree.node_set[nodes]
    size = np.diff(tree.set_first)[sets]
    edges = _ranges(tree.node_first[nodes], size)
    node_of = np.repeat(np.arange(len(nodes)), size)
    own = tree.set_seat[sets] == seat
    chosen = np.ones(len(edges), np.bool_)
    if own.any():
        slot_worth = np.bincount(tree.edge_slot[edges], edge_worth[edges], minlength=len(answer))
        mine = np.unique(sets[own])
        slots = _ranges(tree.set_first[mine], np.diff(tree.set_first)[mine])
        begins = np.flatnonzero(np.diff(tree.slot_set[slots], prepend=-1))
        best = np.maximum.reduceat(slot_worth[slots], begins)
        at_best = np.flatnonzero(slot_worth[slots] == np.repeat(best, np.diff(np.append(begins, len(slots)))))
        first = at_best[np.flatnonzero(np.diff(tree.slot_set[slots[at_best]], prepend=-1))]
        answer[slots] = 0.0
        answer[slots[first]] = 1.0
        chosen = ~own[node_of] | (answer[tree.edge_slot[edges]] > 0)
    worth[nodes] = np.bincount(node_of, edge_worth[edges] * chosen, minlength=len(nodes))


def reach(tree: GameTree, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[N]: the product of chance and of the strategy's probabilities on the way to every node.

    With ones for a seat's slots, that seat is left out: the counterfactual reach.
    """
    reached = tree.node_chance.copy()
    for a, b in tree.layers:
        edges = tree.node_edge[a:b]
        led = np.flatnonzero(edges >= 0)
        edges = edges[led]
        reached[a + led] *= reached[tree.edge_node[edges]] * strategy[tree.edge_slot[edges]]
    return reached


def _checked(tree: GameTree, strategy: NDArray[np.float64]) -> NDArray[np.float64]:
    if strategy.shape != tree.slot_action.shape:
        raise ValueError(
            f"a strategy of this tree has {len(tree.slot_action)} probabilities, not shape {strategy.shape}"
        )
    return strategy


def _ranges(first: NDArray, size: NDArray) -> NDArray[np.int64]:
    """first[0], first[0] + 1, … size[0] of them, then those of first[1], and so on."""
    ends = np.cumsum(size)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(first - (ends - size), size)


def _slots(tree: GameTree, information_set: int) -> slice:
    return slice(int(tree.set_first[information_set]), int(tree.set_first[information_set + 1]))


def _of_set(tree: GameTree, strategy: NDArray, information_set: int) -> NDArray:
    return strategy[_slots(tree, information_set)]


def _actions(tree: GameTree, information_set: int) -> NDArray[np.int64]:
    return tree.slot_action[_slots(tree, information_set)]


def _labels(tree: GameTree, information_set: int) -> list[str]:
    return [tree.game.labels[a] for a in _actions(tree, information_set)]
