"""Guided tree search: its formulas against plain Python, what virtual loss leaves behind (nothing), what the network is shown."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from law_cases import corpus, game
from tiny_game import ASK, EAST, GUESS, LEFT, RIGHT, SAFE, SHARE, TAKE, WEST, tiny

from gosu_rl.core import search
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.guided_tree import GuidedManner, GuidedTree, Judge, places
from gosu_rl.core.jit import JIT
from gosu_rl.core.search import NO_NODE, ROOT
from gosu_rl.core.tree import Manner

PLAIN = Manner(c=1.0, depth=6)
MANNERS = (
    GuidedManner(PLAIN, prior=True, value=1.0),
    GuidedManner(PLAIN, prior=True, value=0.0),
    GuidedManner(PLAIN, prior=False, value=1.0),
    GuidedManner(Manner(c=0.5, rollout="greedy", depth=3), prior=True, value=0.5),
    GuidedManner(Manner(worlds=search.FIXED), prior=True, value=1.0),
    GuidedManner(Manner(worlds=search.REDETERMINE), prior=True, value=1.0),
)


def uniform(one: Game) -> Judge:
    """A network that knows nothing: all actions alike, every return 0."""
    return lambda seen: (np.zeros((len(seen), one.num_actions)), np.zeros(len(seen)))


def opinionated(one: Game) -> Judge:
    """A network with firm and arbitrary opinions: fixed random weights."""
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(one.observation_size, one.num_actions + 1))

    def judge(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        out = seen.astype(float) @ weights / 4
        return out[:, :-1], np.tanh(out[:, -1])

    return judge


def grown(view: GameState, sims: int, seed: int, how: GuidedManner, judge: Judge, nodes: int = 0) -> GuidedTree:
    tree = GuidedTree(view.game, nodes or view.game.num_actions * (sims + 1) + 1, how.batch)
    tree.grow(view, sims, seed, how, judge)
    return tree


def children(tree: GuidedTree, node: int) -> dict[int, int]:
    """Action -> node of the children of a node (of one chooser)."""
    found, child = {}, int(tree.pool["child"][node])
    while child != NO_NODE:
        found[int(tree.pool["action"][child])] = child
        child = int(tree.pool["sibling"][child])
    return found


def positions(count: int, seed: int) -> list[GameState]:
    """Some of the corpus: all kinds of decisions, 2 to 4 players."""
    return Random(seed).sample([state for state in corpus() if len(state.legal) > 1], count)


# ------------------------------------------------------------------------------------------------ formulas


def puct(pool: np.ndarray, nodes: list[int], c: float, players: int) -> int:
    """The child of these, all legal, that PUCT takes, worked out in Python; counts its availability and the flight."""
    mass = sum(float(pool["prior"][k]) for k in nodes)
    landed = sum(int(pool["visits"][k]) for k in nodes)
    unseen = sum(float(pool["total"][k]) for k in nodes) / landed if landed else 1 / players
    scores = {}
    for k in nodes:
        pool["available"][k] += 1
        tried = int(pool["visits"][k]) + int(pool["flight"][k])
        q = float(pool["total"][k]) / tried if tried else unseen
        bonus = c * float(pool["prior"][k]) / mass * math.sqrt(int(pool["available"][k]))
        scores[k] = q + bonus / (1 + tried)
    best = max(scores.values())
    taken = next(k for k in nodes if scores[k] > best - 1e-12)
    pool["flight"][taken] += 1
    return taken


@pytest.mark.parametrize("batch", [1, 5, 16])
def test_the_roots_choices_are_those_of_the_formula(batch: int) -> None:
    """Batch after batch: from what was known before it, plain Python says which children the iterations go to."""
    compared, spread = 0, 0
    for state in positions(12, batch):
        view, one = state.view(state.mover), state.game
        how = GuidedManner(PLAIN, prior=True, value=1.0, batch=batch)
        tree = GuidedTree(one, 4000, batch)
        tree.grow(view, 4 * batch, 7, how, opinionated(one))  # from here on batches are full
        for step in range(12):
            before = tree.pool.view(np.ndarray)[: tree.nodes].copy()
            ended = tree.asked
            nodes = list(children(tree, ROOT).values())
            tree.grow(view, batch, 7, how, opinionated(one))
            if tree.asked - ended != batch:
                break  # a game ended: its result was known before the others chose
            expected = Counter(puct(before, nodes, PLAIN.c, one.players) for _ in range(batch))
            gained = {k: int(tree.pool["visits"][k]) - int(before["visits"][k]) for k in nodes}
            assert {k: n for k, n in gained.items() if n} == expected, step
            assert (tree.pool["available"][nodes] == before["available"][nodes]).all()
            compared += 1
            spread += len(expected) > 1
    assert compared > 60
    assert (spread > 30) == (batch > 1)  # virtual loss sends a batch to several children


@pytest.mark.nojit
def test_priors_are_means_over_the_judged_worlds() -> None:
    """Of every child: the mean of the softmax over the worlds' legal actions, over the judged worlds in which it was legal."""
    most = 0
    for state in [*positions(6 if JIT else 1, 3), tiny(2, ask=1).new(1), tiny(3).new(2)]:
        view, one = state.view(state.mover), state.game
        tree = GuidedTree(one, one.num_actions * 200, 8)
        heard: dict[tuple[int, int, int], list[float]] = defaultdict(list)
        judge = opinionated(one)

        def listening(seen: np.ndarray, tree: GuidedTree = tree, one: Game = one, judge: Judge = judge, heard=heard):
            logits, values = judge(seen)
            for k, row in enumerate(logits):
                node, mover = (int(tree._leaves[name][k]) for name in ("node", "mover"))
                bits = int.from_bytes(tree._legals[k].tobytes(), "little")
                legal = [a for a in range(one.num_actions) if bits >> a & 1]
                own = one.relative_actions(mover).tolist()
                weights = {a: math.exp(row[own.index(a)]) for a in legal}
                for a in legal:
                    heard[node, mover, a].append(weights[a] / sum(weights.values()))
            return logits, values

        tree.grow(view, 60, 3, GuidedManner(PLAIN, prior=True, value=1.0, batch=8), listening)
        pool = tree.pool.view(np.ndarray)[: tree.nodes]
        found = {}
        for node in pool[1:]:
            found[int(node["parent"]), int(node["chooser"]), int(node["action"])] = (
                pytest.approx(float(node["prior"])),
                int(node["judged"]),
            )
        assert found == {key: (sum(told) / len(told), len(told)) for key, told in heard.items()}
        most = max(most, *map(len, heard.values()))
    assert most > 3  # else the means would say little


@pytest.mark.nojit
def test_places_undo_the_frames() -> None:
    for one in (game("tactics", 3), tiny(2)):
        for seat in range(one.players):
            assert (places(one)[seat][one.relative_actions(seat)] == np.arange(one.num_actions)).all()


@pytest.mark.nojit
@pytest.mark.parametrize("value", [-1.0, -0.5, 0.0, 0.4, 1.0])
def test_returns_become_win_shares(value: float) -> None:
    """Bargain, one iteration: seat 1 is to move at the leaf; the kernel's evaluation shares the rest out evenly."""
    view = tiny(3).new(1).view(0)
    judge: Judge = lambda seen: (np.zeros((len(seen), 9)), np.full(len(seen), value))  # noqa: E731
    for weight in (1.0, 0.25):
        tree = grown(view, 1, 1, GuidedManner(Manner(depth=0), prior=False, value=weight), judge)
        own = max(0.0, (1 + 2 * value) / 3)
        assert tree.pool["total"][1] == pytest.approx(weight * (1 - own) / 2 + (1 - weight) / 3, abs=1e-6)
    two = tiny(2, ask=1).new(1).view(0)
    tree = grown(two, 40, 1, GuidedManner(Manner(depth=0), prior=False, value=1.0), judge)
    first = children(tree, ROOT)[ASK]  # seat 1 answers, and then seat 0 has won
    asked = int(tree.pool["ended"][first])
    assert asked >= 1
    assert tree.pool["total"][first] == pytest.approx(asked * (1 - value) / 2 + tree.pool["visits"][first] - asked)


# ------------------------------------------------------------------------------------------------ counts


def check(tree: GuidedTree, view: GameState, sims: int, how: GuidedManner) -> None:
    """What holds on every tree, however full its pool."""
    pool, used = tree.pool.view(np.ndarray)[: tree.nodes], tree.nodes
    assert tree.iterations == sims == pool["visits"][ROOT]
    assert not pool["flight"].any()
    below = np.bincount(pool["parent"][1:], pool["visits"][1:], minlength=used)
    assert (pool["visits"] == pool["ended"] + below).all()
    assert pool["ended"].sum() == sims
    assert (pool["available"][1:] >= pool["visits"][1:]).all()
    assert (pool["total"] >= 0).all()
    assert (pool["total"] <= pool["visits"] + 1e-9).all()
    assert tree.asked <= sims + how.prior
    root = tree.root()
    assert set(root.actions.tolist()) <= set(view.legal)
    if how.prior:
        assert set(children(tree, ROOT)) == set(view.legal)
        assert root.visits.sum() == sims
        assert pool["ended"][ROOT] == 0
        assert (root.available == sims).all()  # at the root every action is legal in every world
        mass = pool["prior"][list(children(tree, ROOT).values())].sum()
        assert mass == pytest.approx(1.0)


def test_counts_add_up_and_nothing_stays_in_flight() -> None:
    for k, state in enumerate(positions(30, 1)):
        view = state.view(state.mover)
        before = view.record.tobytes()
        for how in MANNERS:
            check(grown(view, 90, k, how, opinionated(state.game)), view, 90, how)
        assert view.record.tobytes() == before


@pytest.mark.nojit
def test_counts_add_up_on_a_few_positions() -> None:
    for state in positions(2, 2):
        view = state.view(state.mover)
        check(grown(view, 12, 1, MANNERS[0], opinionated(state.game)), view, 12, MANNERS[0])


def test_virtual_loss_leaves_no_trace() -> None:
    """Where every leaf is worth the same to all, so is every node, to the last bit: nothing of a loss stays in a total."""
    for state in positions(12, 5):
        view, n = state.view(state.mover), state.game.players
        for prior in (True, False):
            how = GuidedManner(PLAIN, prior=prior, value=1.0, batch=32)
            tree = grown(view, 200, 3, how, uniform(state.game))
            pool = tree.pool.view(np.ndarray)[1 : tree.nodes]
            if tree.asked == 200 + prior and n == 2:  # no game ended
                assert (pool["total"] == pool["visits"] / n).all()
            assert not tree.pool["flight"].any()


def test_a_full_pool_stops_growing_but_not_searching() -> None:
    for state in positions(8, 6):
        view, one = state.view(state.mover), state.game
        for how in MANNERS[:3]:
            for nodes in (one.num_actions + 1, one.num_actions + 40):
                tree = grown(view, 150, 1, how, opinionated(one), nodes)
                assert tree.nodes <= nodes
                check(tree, view, 150, how)
    with pytest.raises(ValueError, match="wants a pool of at least 10 nodes, not 9"):
        GuidedTree(tiny(2), 9, 1)


def test_a_tree_is_a_function_of_its_arguments() -> None:
    for state in positions(8, 7):
        view = state.view(state.mover)
        for how in MANNERS:
            one, two = (grown(view, 80, 9, how, opinionated(state.game)) for _ in range(2))
            assert one.pool.tobytes() == two.pool.tobytes()
            assert one.decisions == two.decisions
    trees = {grown(view, 60, seed, MANNERS[0], opinionated(view.game)).pool.tobytes() for seed in (0, 1, -1, 2**70 + 5)}
    assert len(trees) == 4


@pytest.mark.nojit
def test_only_the_movers_view_is_searched() -> None:
    state = tiny(2).new(1)
    tree = GuidedTree(state.game, 100, 4)
    for wrong in (state, state.view(1)):
        with pytest.raises(ValueError, match="needs the view of the player who is to move"):
            tree.grow(wrong, 5, 1, MANNERS[0], uniform(state.game))
    assert tree.iterations == 0
    assert len(tree.root().actions) == 0


# ------------------------------------------------------------------------------------------------ what it finds


@pytest.mark.nojit
def test_the_network_sees_what_the_mover_sees() -> None:
    """Seat 0 never sees the coin; seat 1, asked about it, sees his, as it lies in the world at hand."""
    tree = GuidedTree(tiny(2, ask=1), 400, 4)
    seen_by: dict[int, set[int]] = defaultdict(set)

    def judge(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for k, row in enumerate(seen):
            seen_by[int(tree._leaves["mover"][k])].add(int(row[1]))
        return uniform(tree.game)(seen)

    view = tree.game.new(2).view(0)
    tree.grow(view, 120, 1, GuidedManner(Manner(c=2.0), prior=True, value=1.0, batch=4), judge)
    assert seen_by == {0: {-1}, 1: {0, 1}}
    told = children(tree, children(tree, ROOT)[ASK])
    assert set(told) == {LEFT, RIGHT}
    for node in told.values():  # each is legal in its own worlds only, where it is sure: its prior there is 1
        assert tree.pool["prior"][node] == 1.0
        assert tree.pool["available"][node] == tree.pool["visits"][node] > 10


@pytest.mark.parametrize("seed", range(5))
def test_known_answers_are_found(seed: int) -> None:
    """Safe (0.6) before the guess (0.5), though single worlds know better; and everybody wants his own best."""
    rolled = GuidedManner(Manner(c=1.0), prior=True, value=0.0)
    guess = grown(tiny(2).new(seed).view(0), 2000, seed, rolled, uniform(tiny(2)))
    root = guess.root()
    assert root.actions[root.visits.argmax()] == SAFE
    assert root.values[root.actions == SAFE] == pytest.approx(0.6, abs=0.06)
    assert root.values[root.actions == GUESS] < 0.65
    bargain = grown(tiny(3).new(seed).view(0), 600, seed, MANNERS[0], uniform(tiny(3)))
    root = bargain.root()
    assert root.actions[root.visits.argmax()] == WEST
    answers = children(bargain, children(bargain, ROOT)[WEST])
    assert bargain.pool["visits"][answers[SHARE]] > 5 * bargain.pool["visits"][answers[TAKE]]


def test_priors_and_values_turn_the_search() -> None:
    """A prior is looked at first; a value that contradicts it wins in the end."""
    view = tiny(3).new(1).view(0)

    def believes(east: float, shares: float) -> Judge:
        def judge(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            logits = np.zeros((len(seen), 9))
            logits[:, EAST] = east
            return logits, np.full(len(seen), shares)

        return judge

    how = GuidedManner(Manner(c=1.0), prior=True, value=1.0, batch=1)
    first = grown(view, 1, 1, how, believes(3.0, 0.0)).root()
    assert first.actions.tolist() == [EAST]
    first = grown(view, 1, 1, how, believes(-3.0, 0.0)).root()
    assert first.actions.tolist() == [WEST]
    late = grown(view, 2000, 1, how, believes(3.0, 0.0)).root()
    assert late.actions[late.visits.argmax()] == WEST
