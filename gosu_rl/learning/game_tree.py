"""The whole tree of a small game: every deal, every draw, every decision of every player, with exact probabilities.

`enumerate_game` walks through it once with the real engine, layer by layer (one layer is one decision of somebody), and leaves
flat arrays behind; `exact.py` computes values and best responses on them. Three things make the tree small without making it
inexact: outcomes of chance that differ by twins only are one outcome (core/gosu/chance.py), cards are drawn when they are taken
and not when the pile is shuffled, and decisions with a single legal action are passed through.

**Information sets.** Two positions belong to one set if the player to move has *seen* the same, from the deal on: his view after
every single decision, of whomever. That is what a player at the table knows, and it is perfect recall, which best responses by
backward induction rest on (Kuhn 1953). One view alone may be less: it does not say in which order things happened. How much less
is a number of each game, `GameTree.views` against `GameTree.sets`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gosu_rl.core import playout
from gosu_rl.core.gosu import chance
from gosu_rl.core.position import GameState, records, returns_of

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

LIMIT = 3_000_000  # nodes: about 2 GB and some minutes


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game as arrays. N nodes (positions with a choice, and ends), E edges (node, action), I information sets, Q slots.

    A *slot* is one action of one information set, in ascending order of set and action: what a strategy has a probability for.
    Nodes stand layer by layer, so parents come before children; between a node and its parent there may be forced decisions and
    chance. A = game.num_actions, D = game.observation_spec.size, P = game.players. Masks are in the frame of the mover
    (`game.relative_actions`), observations as the engine gives them.
    """

    game: Game
    layer_start: NDArray[np.int64]  # [layers + 1]: first node of each layer
    node_edge: NDArray[np.int64]  # [N]: the edge that leads here; -1: chance alone
    node_chance: NDArray[np.float64]  # [N]: probability of the chance events since the parent's decision
    node_set: NDArray[np.int64]  # [N]: information set; -1 at an end
    node_first: NDArray[np.int64]  # [N]: first edge, the others follow; -1 at an end
    returns: NDArray[np.float64]  # [N, P]: at ends, else zero
    edge_node: NDArray[np.int64]  # [E]
    edge_slot: NDArray[np.int64]  # [E]
    set_seat: NDArray[np.int64]  # [I]: who moves
    set_view: NDArray[np.int64]  # [I]: number of the view that is seen here
    set_first: NDArray[np.int64]  # [I + 1]: first slot of each set
    slot_action: NDArray[np.int64]  # [Q]: in the game's own frame
    observations: NDArray[np.float32]  # [I, D]
    masks: NDArray[np.int8]  # [I, A]
    examples: NDArray  # records[I]: one position of each set

    @property
    def nodes(self) -> int:
        """Positions with a choice, and ends."""
        return len(self.node_set)

    @property
    def sets(self) -> int:
        """Information sets."""
        return len(self.set_seat)

    @property
    def views(self) -> int:
        """Different views at decisions; fewer than `sets` where a view does not tell what its player has seen before."""
        return int(self.set_view.max()) + 1

    @property
    def perceptions(self) -> int:
        """Different pairs of observation and mask: what a network that sees nothing else can tell apart."""
        return int(self.set_perception.max()) + 1

    @cached_property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """(first node, end) of each layer, from the deals on."""
        return tuple(pairwise(self.layer_start.tolist()))

    @cached_property
    def set_perception(self) -> NDArray[np.int64]:
        """[I]: number of the pair of observation and mask, which is all that a network gets."""
        return _numbered(np.concatenate([self.observations.view(np.uint8), self.masks.view(np.uint8)], axis=1))[0]

    @cached_property
    def slot_set(self) -> NDArray[np.int64]:
        """[Q]: the information set of each slot."""
        return np.repeat(np.arange(self.sets), np.diff(self.set_first))

    @cached_property
    def slot_relative(self) -> NDArray[np.int64]:
        """[Q]: the action of each slot in its mover's own frame."""
        back = np.array([np.argsort(self.game.relative_actions(seat)) for seat in range(self.game.players)])
        return back[self.set_seat[self.slot_set], self.slot_action]

    def view(self, information_set: int) -> GameState:
        """The view that the mover of an information set has, to print or to ask an agent about."""
        state = GameState(self.game, self.examples[information_set : information_set + 1].copy())
        return state.view(int(self.set_seat[information_set]))

    def __repr__(self) -> str:
        ends = int((self.node_set < 0).sum())
        return f"<GameTree of {self.nodes:,} nodes ({ends:,} ends), {self.sets:,} information sets>"


def enumerate_game(game: Game, limit: int = LIMIT, progress: Callable[[int, int], None] | None = None) -> GameTree:
    """The tree of `game`. `progress(layer, positions)` is called as layers begin.

    Raises ValueError where the game is not Tactics or GOSU, is too large (more than `limit` nodes) or shuffles its
    discard pile.
    """
    if game.kernel.name != "gosu":
        raise ValueError(
            f"chance of {game.variant} is not laid open, so it has no exact values; they are there for: tactics. "
            "A lower bound on what a best response wins: gosu-rl exploit"
        )
    return _Builder(game, limit).build(progress)


class _Builder:
    """One layer after the other; what is kept of each are the arrays of a `GameTree`."""

    def __init__(self, game: Game, limit: int):
        self.game = game
        self.limit = limit
        self.kept: dict[str, list[NDArray]] = {}
        self.counts = {"nodes": 0, "edges": 0, "sets": 0, "slots": 0, "views": 0}

    def build(self, progress: Callable[[int, int], None] | None) -> GameTree:
        game = self.game
        dealt = []
        for deal in chance.deals(game):
            dealt.append(deal)
            self.check_size(len(dealt))
        S, chances = _stacked(dealt)
        edge = np.full(len(S), -1)
        seen = np.zeros((len(S), game.players), np.int64)
        starts = [0]
        while len(S):
            if progress:
                progress(len(starts), len(S))
            at_end = S["over"] != 0
            self.keep_ends(S[at_end], edge[at_end], chances[at_end])
            S, edge, chances, seen = (array[~at_end] for array in (S, edge, chances, seen))
            if len(S):
                now, seen = self.look(S, seen)
                S, edge, chances, seen = self.step(S, edge, chances, now, seen)
            starts.append(self.counts["nodes"])
        arrays = {name: np.concatenate(parts) for name, parts in self.kept.items()}
        return GameTree(
            game=game,
            layer_start=np.array(starts),
            set_first=np.concatenate([[0], np.cumsum(arrays.pop("set_size"))]),
            **arrays,
        )

    def keep(self, **arrays: NDArray) -> None:
        """Add to the arrays of the tree."""
        for name, array in arrays.items():
            self.kept.setdefault(name, []).append(array)

    def grow(self, name: str, more: int) -> int:
        """Count `more` of something; returns the number of the first."""
        first = self.counts[name]
        self.counts[name] += more
        if name == "nodes":
            self.check_size(self.counts[name])
        return first

    def check_size(self, nodes: int) -> None:
        if nodes > self.limit:
            raise ValueError(
                f"the tree has more than {self.limit:,} nodes: use fewer cards, smaller hands or a smaller max_turns_per_round"
            )

    def keep_ends(self, S: NDArray, edge: NDArray, chances: NDArray) -> None:
        """Nodes of positions in which the game is over."""
        k = len(S)
        self.grow("nodes", k)
        none = np.full(k, -1)
        won = S["win"][:, : self.game.players].astype(np.float64)
        returns = returns_of(won / np.maximum(1.0, won.sum(axis=1, keepdims=True)))
        self.keep(node_edge=edge, node_chance=chances, node_set=none, node_first=none, returns=returns)

    def look(self, S: NDArray, seen: NDArray) -> tuple[NDArray, NDArray]:
        """What every player sees, and what he has seen so far: two int64[len(S), P] of numbers.

        Equal numbers in a column mean equal views, up to twins, and equal pasts.
        """
        game, states = self.game, records(S)
        V = records(np.zeros(len(S), game.state_dtype))
        now, past = np.empty_like(seen), np.empty_like(seen)
        for p in range(game.players):
            for i in range(len(S)):
                playout.look(game.F_view, game.R, states[i : i + 1], V[i : i + 1], p)
            now[:, p] = _numbered(chance.by_faces(game, V.view(np.ndarray)))[0]
            past[:, p] = _numbered(np.stack([seen[:, p], now[:, p]], axis=1))[0]
        return now, past

    def step(
        self, S: NDArray, edge: NDArray, chances: NDArray, now: NDArray, seen: NDArray
    ) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Keep the layer's decisions, carry out every action; returns the next layer: states, edges, probabilities, pasts."""
        legal = np.unpackbits(
            np.ascontiguousarray(S["legal"]).astype("<u8").view(np.uint8).reshape(len(S), -1), axis=1, bitorder="little"
        )
        owner, action = np.nonzero(legal)
        choices = np.bincount(owner, minlength=len(S))
        choosing = choices > 1
        node = np.full(len(S), -1)
        node[choosing] = np.arange(choosing.sum()) + self.grow("nodes", int(choosing.sum()))
        is_edge = choosing[owner]
        child_edge = edge[owner]
        child_edge[is_edge] = np.arange(is_edge.sum()) + self.grow("edges", int(is_edge.sum()))
        child_chance = np.where(is_edge, 1.0, chances[owner])
        if choosing.any():
            first = child_edge[np.flatnonzero(np.diff(owner, prepend=-1))][choosing]
            self.keep_decisions(S[choosing], edge[choosing], chances[choosing], now[choosing], seen[choosing], first)
            rank = np.arange(len(owner)) - (np.cumsum(choices) - choices)[owner]
            slots = self.slots_of[np.cumsum(choosing)[owner[is_edge]] - 1] + rank[is_edge]
            self.keep(edge_node=node[owner[is_edge]], edge_slot=slots)
        return self.children(S, owner, action, child_edge, child_chance, seen)

    def keep_decisions(
        self, S: NDArray, edge: NDArray, chances: NDArray, now: NDArray, seen: NDArray, first: NDArray
    ) -> None:
        """Nodes and information sets of a layer; leaves the first slot of each node in `slots_of`."""
        game, rows = self.game, np.arange(len(S))
        mover = S["mover"].astype(np.int64)
        sets, example = _numbered(np.stack([mover, seen[rows, mover]], axis=1))
        views, _ = _numbered(np.stack([mover, now[rows, mover]], axis=1))
        k = len(example)
        first_set = self.grow("sets", k)
        first_view = self.grow("views", int(views.max()) + 1)
        zeros = np.zeros((len(S), game.players))
        self.keep(node_edge=edge, node_chance=chances, node_set=first_set + sets, node_first=first, returns=zeros)
        observations = np.empty((k, game.observation_size), np.float32)
        masks = np.empty((k, game.num_actions), np.int8)
        for i, row in enumerate(example):
            playout.perceive(
                game.F_observe,
                game.R,
                records(S[row : row + 1]),
                game.scratch,
                int(mover[row]),
                observations[i],
                masks[i],
            )
        of, actions = np.nonzero(masks)
        size = np.bincount(of, minlength=k)
        first_slot = np.cumsum(size) - size + self.grow("slots", len(of))
        self.slots_of = first_slot[sets]
        order = np.array([game.relative_actions(seat) for seat in range(game.players)])[mover[example]]
        self.keep(
            set_seat=mover[example],
            set_view=first_view + views[example],
            set_size=size,
            slot_action=actions,
            observations=observations,
            masks=np.take_along_axis(masks, order, axis=1),
            examples=S[example],
        )

    def children(
        self, S: NDArray, owner: NDArray, action: NDArray, edge: NDArray, chances: NDArray, seen: NDArray
    ) -> tuple[NDArray, NDArray, NDArray, NDArray]:
        """Carry out action k in position owner[k], for every k, with every outcome of chance."""
        self.check_size(self.counts["nodes"] + len(owner))
        game, F, R = self.game, self.game.F_step, self.game.R
        after = S[owner]
        states = records(after)
        for i, a in enumerate(action.tolist()):
            playout.act(F, R, states[i : i + 1], a)
        drew = np.flatnonzero((after["ndeck"] != S["ndeck"][owner]) | (after["shuffles"] != S["shuffles"][owner]))
        if not len(drew):
            return after, edge, chances, seen[owner]
        still = np.ones(len(owner), np.bool_)
        still[drew] = False
        parts, origins, factors = [after[still]], [np.flatnonzero(still)], [np.ones(still.sum())]
        for i in drew.tolist():
            found = chance.outcomes(game, S[owner[i] : owner[i] + 1], int(action[i]))
            records_of, probabilities = _stacked(found)
            parts.append(records_of)
            origins.append(np.full(len(found), i))
            factors.append(probabilities)
        origin = np.concatenate(origins)
        return np.concatenate(parts), edge[origin], chances[origin] * np.concatenate(factors), seen[owner[origin]]


def _stacked(found: list[tuple[NDArray, float]]) -> tuple[NDArray, NDArray[np.float64]]:
    """Records [k] and probabilities [k] of a list of pairs."""
    return np.concatenate([record for record, _ in found]), np.array([probability for _, probability in found])


def _numbered(rows: NDArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number equal rows alike: (int64[rows] numbers from 0, int64[numbers] a row of each)."""
    if rows.shape[1] == 0:
        return np.zeros(len(rows), np.int64), np.zeros(min(1, len(rows)), np.int64)
    whole = np.ascontiguousarray(rows)
    keys = whole.view(np.dtype((np.void, whole.itemsize * whole.shape[1]))).ravel()
    _, example, numbers = np.unique(keys, return_index=True, return_inverse=True)
    return numbers.ravel(), example
