"""Exact values the slow way, to check the fast one by: plain recursion over `GameState`s, every order of the deck one by one.

Nothing of `gosu_rl.learning` or `core/gosu/chance.py` is used. Copies are told apart, and drawn in the order of a pile that is
fixed from the start; an information set is the list of all views its player has had, as plain data by face names.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import permutations

import numpy as np

from gosu_rl.core import playout
from gosu_rl.core.position import GameState, records


class Position:
    """A state with the chance that cards lead there, and what each player has seen."""

    def __init__(self, state, chance, seen):
        self.state, self.chance = state, chance
        told = [json.dumps(state.view(p).as_dict(), sort_keys=True) for p in range(state.game.players)]
        self.seen = [f"{before}|{now}" for before, now in zip(seen, told, strict=True)]
        self.mover = state.mover
        self.key = None if state.over else f"{self.mover}{self.seen[self.mover]}"
        self.children = {}
        if not state.over:
            for label in state.legal_labels:
                self.children[label] = Position(state.copy().apply(label), chance, self.seen)

    def walk(self):
        yield self
        for child in self.children.values():
            yield from child.walk()


def roots(game):
    """One position for every order of the deck and every holder."""
    copies, size, n = game.card_set.copies, game.rules["deal"], game.players
    orders = list(permutations(range(copies)))
    found = []
    for holder in range(n):
        for order in orders:
            record = game.new(seed=0, advantage=holder).record
            for q in range(n):
                cards = order[size * q : size * (q + 1)]
                record["hand"][0, q] = (np.uint64(sum(1 << c for c in cards)), np.uint64(0))
            pile = order[size * n :]
            record["deck"][0] = -1
            record["deck"][0, : len(pile)] = pile
            playout.settle(game.F_step, game.R, records(record))
            found.append(Position(GameState(game, record), 1 / len(orders) / n, [""] * n))
    return found


def uniform_value(position, seat):
    """Expected return of a seat when everybody draws lots."""
    if position.state.over:
        return position.state.returns[seat]
    return float(np.mean([uniform_value(child, seat) for child in position.children.values()]))


def uniform_best_response(found, seat):
    """The most that a seat can get against players who draw lots, set by set, the longest pasts first."""
    reach, sets = {}, defaultdict(list)

    def spread(position, probability):
        reach[id(position)] = probability
        if position.mover == seat:
            sets[position.key].append(position)
        share = 1 if position.mover == seat else 1 / max(1, len(position.children))
        for child in position.children.values():
            spread(child, probability * share)

    for root in found:
        spread(root, root.chance)
    answer = {}

    def worth(position):
        if position.state.over:
            return reach[id(position)] * position.state.returns[seat]
        if position.mover == seat:
            return worth(position.children[answer[position.key]])
        return sum(worth(child) for child in position.children.values())

    for key in sorted(sets, key=lambda key: -sets[key][0].state.decisions):
        labels = list(sets[key][0].children)
        answer[key] = max(labels, key=lambda label: sum(worth(position.children[label]) for position in sets[key]))
    return sum(worth(root) for root in found)
