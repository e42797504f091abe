"""Tree search over any game: right on games whose answer is known, and the laws that hold on every tree."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from law_cases import corpus, game
from tiny_game import ASK, EAST, GUESS, LABELS, LEFT, RIGHT, SAFE, SHARE, TAKE, WEST, tiny

from gosu_rl.agents.mcts import MCTS
from gosu_rl.core import search
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.jit import JIT
from gosu_rl.core.search import NO_NODE, ROOT
from gosu_rl.core.tree import Children, Manner, Tree

SEEDS = range(10)
MANNERS = (
    Manner(),
    Manner(rollout="greedy", depth=5),
    Manner(worlds=search.FIXED, rollout="greedy", depth=3),
    Manner(worlds=search.REDETERMINE, depth=10),
)


def grown(view: GameState, sims: int, seed: int, manner: Manner, nodes: int = 0) -> Tree:
    tree = Tree(view.game, nodes or sims + 1)
    tree.grow(view, sims, seed, manner)
    return tree


def searched(one: Game, method: str, seed: int, sims: int = 1000, worlds: int = 1) -> tuple[str, dict[str, float]]:
    """What the agent plays at the start of a tiny game, and the value of every action."""
    # Playouts to a won or lost end are noisier than judged positions: more exploration than the agent's default.
    agent = MCTS(sims=sims, method=method, worlds=worlds, rollout="random", depth=-1, c=0.7)
    agent.reset(one, 0, 0)
    found = agent.analyse(one.new(seed).view(0), seed)
    values = {LABELS[a]: float(value) for a, value in zip(found.actions, found.values, strict=True)}
    return LABELS[found.best], values


def children(tree: Tree, node: int) -> dict[int, int]:
    """Action -> node of the children of a node."""
    found, child = {}, int(tree.pool["child"][node])
    while child != NO_NODE:
        found[int(tree.pool["action"][child])] = child
        child = int(tree.pool["sibling"][child])
    return found


# ------------------------------------------------------------------------------------------------ games with a known answer


@pytest.mark.nojit
def test_the_tiny_games_are_what_they_say() -> None:
    """Chance and the coin by counting; each way through the bargain by playing it."""
    wins = {SAFE: 0.0, GUESS: 0.0}
    for action in wins:
        for seed in range(400):
            state = tiny(2).new(seed).apply(action)
            wins[action] += state.apply(LEFT).shares[0] if action == GUESS else state.shares[0]
    assert wins[SAFE] / 400 == pytest.approx(0.6, abs=0.08)
    assert wins[GUESS] / 400 == pytest.approx(0.5, abs=0.08)
    ends = {(EAST, TAKE): [0, 1, 0], (EAST, SHARE): [1, 0, 0], (WEST, TAKE): [0, 0, 1], (WEST, SHARE): [0.5, 0.5, 0]}
    for (first, second), shares in ends.items():
        assert tiny(3).new(1).apply(first).apply(second).shares.tolist() == shares
    state = tiny(2).new(3)
    assert state.view(0).record["coin"][0] == -1
    assert {state.view(0).determinize(seed).record["coin"].item(0) for seed in range(20)} == {0, 1}
    assert {state.view(1).determinize(seed).record["coin"].item(0) for seed in range(20)} == {
        state.record["coin"].item(0)
    }


def test_hidden_information_is_not_wished_away() -> None:
    """Safe is worth 0.6 and the guess 0.5. Searching worlds one by one believes in 1.0: strategy fusion.

    (A fixed world fixes chance too: in 6 of 10 worlds both ways look sure to win, in the others the guess alone.)
    """
    for seed in SEEDS:
        for method in ("so", "redetermine"):
            best, values = searched(tiny(2), method, seed)
            assert best == "safe"
            assert values["safe"] == pytest.approx(0.6, abs=0.06)
            assert values["guess"] < 0.65
        best, values = searched(tiny(2), "pimc", seed, sims=5000, worlds=100)
        assert best == "guess"
        assert values["guess"] > 0.9


@pytest.mark.parametrize(("wins", "right"), [(0, "guess"), (3, "guess"), (7, "safe"), (10, "safe")])
def test_the_choice_follows_the_odds(wins: int, right: str) -> None:
    assert [searched(tiny(2, safe_wins=wins), "so", seed)[0] for seed in SEEDS] == [right] * len(SEEDS)


def test_everybody_wants_his_own_best() -> None:
    """Max-n: seat 1 takes in the east and shares in the west, so the west is worth a half and the east nothing."""
    for seed in SEEDS:
        best, values = searched(tiny(3), "so", seed)
        assert best == "west"
        assert values["west"] == pytest.approx(0.5, abs=0.03)
        tree = grown(tiny(3).new(seed).view(0), 1000, seed, Manner())
        answers = children(tree, children(tree, ROOT)[WEST])
        assert tree.pool["visits"][answers[SHARE]] > 10 * tree.pool["visits"][answers[TAKE]]
        assert tree.pool["chooser"][answers[SHARE]] == 1
        assert tree.pool["total"][answers[SHARE]] == tree.pool["visits"][answers[SHARE]] / 2


@pytest.mark.nojit
def test_chance_is_drawn_anew_in_every_iteration() -> None:
    """Safe alone: its wins are a fair sample. In a fixed world chance is fixed too."""
    view = tiny(2).new(5).view(0)
    fresh = grown(view, 400, 1, Manner(c=99.0)).root()
    assert fresh.values[fresh.actions == SAFE] == pytest.approx(0.6, abs=0.12)
    fixed = [grown(view, 50, seed, Manner(c=99.0, worlds=search.FIXED)).root() for seed in range(60)]
    assert {float(one.values[one.actions == SAFE][0]) for one in fixed} == {0.0, 1.0}


@pytest.mark.nojit
def test_availability_by_hand() -> None:
    """What is legal counts from the iteration in which it got its node; what is not legal in a world does not count in it."""
    tree = grown(tiny(2, ask=1).new(2).view(0), 300, 7, Manner())
    pool, root = tree.pool, children(tree, ROOT)
    # The root's three actions are legal always; they got their nodes in iterations 1, 2 and 3.
    assert sorted(pool["available"][list(root.values())].tolist()) == [298, 299, 300]
    assert pool["visits"][list(root.values())].sum() == 300
    # Seat 0 may name either side in every world: nodes in the second and third visit of `guess`.
    guesses = pool["visits"][root[GUESS]]
    sides = list(children(tree, root[GUESS]).values())
    assert sorted(pool["available"][sides].tolist()) == [guesses - 2, guesses - 1]
    # Seat 1 has one answer in each world: available where it is legal, and then it is taken.
    asked = pool["visits"][root[ASK]]
    told = children(tree, root[ASK])
    assert set(told) == {LEFT, RIGHT}
    for node in told.values():
        assert pool["available"][node] == pool["visits"][node]
        assert pool["visits"][node] == pytest.approx(asked / 2, rel=0.35)
        assert pool["chooser"][node] == 1
        assert pool["total"][node] == 0
    assert sum(pool["visits"][node] for node in told.values()) == asked - 1
    assert pool["total"][root[ASK]] == asked


@pytest.mark.nojit
def test_the_generator_of_the_game_is_not_in_the_search() -> None:
    """Two games that differ in their coin and in what chance has in store, and the same search."""
    one, two = tiny(2).new(1), tiny(2).new(2)
    assert one.record["rng"] != two.record["rng"]
    assert one.view(0).record["rng"] == 0
    first, second = (grown(state.view(0), 200, 5, Manner()) for state in (one, two))
    assert first.pool.tobytes() == second.pool.tobytes()


def test_other_loops_play_the_tiny_games_too() -> None:
    """Playouts and games between policies know a game only by its table."""
    shares = tiny(2).playouts(4000, seed=1).shares.mean(axis=0)
    assert shares[0] == pytest.approx(0.55, abs=0.04)  # half of the time 0.6, half of it 0.5
    rows = tiny(2).play_many(["highest", "lowest"], range(1000))
    assert rows["decisions"].tolist() == [2] * 1000
    assert rows["share"][:, 0].mean() == pytest.approx(0.5, abs=0.06)
    assert tiny(3).play_many(["highest"] * 3, [1])["share"].tolist() == [[0.5, 0.5, 0.0]]
    assert tiny(2).new(1).view(0).observation(0).tolist()[:1] == [1.0]


# ------------------------------------------------------------------------------------------------ laws of every tree


def positions(count: int, seed: int) -> list[GameState]:
    """Some of the corpus: all kinds of decisions, 2 to 4 players."""
    open_ones = [state for state in corpus() if len(state.legal) > 1]
    return Random(seed).sample(open_ones, count)


def check(tree: Tree, view: GameState, sims: int) -> None:
    """What holds on every tree whose pool did not fill."""
    pool, used = tree.pool[: tree.nodes], tree.nodes
    assert tree.iterations == sims == pool["visits"][ROOT]
    assert (pool["visits"][1:] >= 1).all()
    assert (pool["available"][1:] >= pool["visits"][1:]).all()
    assert (pool["total"] >= 0).all()
    assert (pool["total"] <= pool["visits"] + 1e-9).all()
    below = np.bincount(pool["parent"][1:], pool["visits"][1:], minlength=used)
    assert below[ROOT] == sims
    assert (below[1:] < pool["visits"][1:]).all()  # a node's first visit ended there
    assert (pool["available"][1:] <= pool["visits"][pool["parent"][1:]]).all()
    root = children(tree, ROOT)
    assert set(root) <= set(view.legal)
    assert {int(pool["chooser"][node]) for node in root.values()} == {view.mover}
    if sims >= len(view.legal):
        assert set(root) == set(view.legal)
        assert (pool["available"][list(root.values())] > sims - len(root)).all()
    seats = set(range(view.game.players))
    assert {int(chooser) for chooser in pool["chooser"][1:]} <= seats


def test_counts_add_up() -> None:
    for k, state in enumerate(positions(60, 1)):
        view = state.view(state.mover)
        before = view.record.tobytes()
        for manner in MANNERS:
            check(grown(view, 150, k, manner), view, 150)
        assert view.record.tobytes() == before


@pytest.mark.nojit
def test_counts_add_up_on_a_few_positions() -> None:
    for state in positions(3 if JIT else 1, 2):
        view = state.view(state.mover)
        check(grown(view, 12, 1, Manner(depth=3)), view, 12)


def test_opponents_choose_among_what_they_hold() -> None:
    """At an opponent's first free choice, cards that he need not hold are available in some of the worlds only."""
    state = game("tactics", 2).new(3)
    while state.kind != "turn":
        state.apply(state.legal[0])
    me, view = state.mover, state.view(state.mover)
    tree = grown(view, 4000, 1, Manner(rollout="greedy", depth=5))
    passed = children(tree, ROOT)[state.game.action("pass")]
    pool = tree.pool
    answers = children(tree, passed)
    asked = pool["visits"][passed] - 1
    assert {int(pool["chooser"][node]) for node in answers.values()} == {1 - me}
    rare = [node for a, node in answers.items() if state.game.labels[a].startswith("play ")]
    assert len(rare) > 10
    assert all(pool["available"][node] < 0.8 * asked for node in rare)
    mine = {state.game.labels[a] for a in view.legal}
    alone = {card.label for card in state.game.card_set.cards if card.copies == 1}
    for a in answers:  # what I hold alone nobody else can play
        face = state.game.labels[a].removeprefix("play ")
        assert not (face in alone and f"play {face}" in mine)


def test_a_full_pool_stops_growing_but_not_searching() -> None:
    for state in positions(20, 3):
        view = state.view(state.mover)
        for nodes in (1, 2, 1 + len(view.legal), 40):
            tree = grown(view, 200, 1, Manner(depth=5), nodes)
            assert tree.nodes <= nodes
            assert tree.iterations == tree.pool["visits"][ROOT] == 200
            root = tree.root()
            assert len(root.actions) == min(nodes - 1, len(view.legal))
            if nodes > len(view.legal):
                assert root.visits.sum() == 200


def test_a_tree_depends_on_the_number_of_iterations_only() -> None:
    """In one go or in pieces: the same tree."""
    for state in positions(10, 4):
        view = state.view(state.mover)
        for manner in MANNERS:
            whole = grown(view, 120, 9, manner)
            pieces = Tree(view.game, 121)
            for sims in (1, 64, 55):
                pieces.grow(view, sims, 9, manner)
            assert whole.pool.tobytes() == pieces.pool.tobytes()
            assert whole.decisions == pieces.decisions


def test_seeds_matter() -> None:
    view = next(state for state in positions(9, 5) if len(state.legal) > 3)
    view = view.view(view.mover)
    trees = {grown(view, 100, seed, Manner()).pool.tobytes() for seed in (0, 1, -1, 2**64 - 2, 2**70 + 5)}
    assert len(trees) == 5


@pytest.mark.nojit
def test_only_the_movers_view_is_searched() -> None:
    state = tiny(2).new(1)
    tree = Tree(state.game, 10)
    for wrong in (state, state.view(1)):
        with pytest.raises(ValueError, match="needs the view of the player who is to move"):
            tree.grow(wrong, 5, 1, Manner())
    assert tree.iterations == 0
    assert isinstance(tree.root(), Children)
    assert len(tree.root().actions) == 0
