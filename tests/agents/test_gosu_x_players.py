"""The compiled players and the tree search on Gosu X: greedy plays well, search plays by the rules and sees no hidden card."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from test_laws_gosu_x import corpus, other_world

import gosu_rl
from gosu_rl.agents.mcts import MCTS, METHODS, Analysis
from gosu_rl.core import playout
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.kernel import EVALUATE
from gosu_rl.core.many import game_seeds
from gosu_rl.core.position import records
from gosu_rl.core.replay import replay


@cache
def game(draft: str = "agents") -> Game:
    """The packaged set."""
    return gosu_rl.game("gosu_x", rules={"draft": draft})


# ------------------------------------------------------------------------------------------------ greedy


@pytest.mark.parametrize("draft", ["agents", "random"])
def test_greedy_wins_nearly_every_game_against_random(draft: str) -> None:
    """From both seats of every deal, beginning or not; a deal is the unit of the interval."""
    one, deals = game(draft), 200
    shares = []
    for seat in range(2):
        names = ["random", "random"]
        names[seat] = "greedy"
        for holder in range(2):
            rows = one.play_many(names, game_seeds(5, deals), advantage=np.full(deals, holder))
            assert not rows["truncated"].any()
            shares.append(rows["share"][:, seat])
    by_deal = np.mean(shares, axis=0)
    assert by_deal.mean() - 1.96 * by_deal.std() / np.sqrt(deals) > 0.95


def test_greedy_is_the_same_player_whatever_is_hidden() -> None:
    """In every kind of decision its action is legal and that of another world behind the same view."""
    asked: Counter[str] = Counter()
    for k, state in enumerate(corpus()):
        if state.over:
            continue
        view, other = state.view(state.mover), other_world(state, state.mover, k).view(state.mover)
        action = state.game.choose(view, "greedy", k)
        assert action in state.legal
        assert state.game.choose(other, "greedy", k) == action, state.kind
        asked[state.kind] += 1
    assert len(asked) > 12


def test_drafts_of_all_three_kinds_are_played() -> None:
    """By the players: greedy takes the clan of most strength first; by lot: every clan; fixed: those named."""
    seeds = game_seeds(2, 60)
    played = game("agents").play_many(["greedy", "greedy"], seeds)["picks"]
    assert (played[:, 0] == 2).all()  # Abhilasha
    drawn = game("random").play_many(["greedy", "greedy"], seeds)["picks"]
    assert set(drawn[:, 0]) == set(range(1, 9))
    assert all(len(set(picks)) == 6 for picks in drawn)
    fixed = game("fixed:Galmi,Justice,Phoenix,Xi'an,Tomorrow,Goan Sul").play_many(["random", "greedy"], seeds)["picks"]
    assert (fixed == [5, 1, 6, 8, 3, 7]).all()


# ------------------------------------------------------------------------------------------------ what a position is worth


def worth(state: GameState) -> list[float]:
    """Win shares that the kernel expects, by seat, as search asks for them."""
    F, S = state.game.kernel.need("evaluate"), records(state.record)
    return [playout.choose(F, state.game.R, S, EVALUATE, seat) / 1e6 for seat in range(2)]


def test_worths_are_shares_and_tell_who_wins() -> None:
    """Shares in every kind of decision; on games of greedy (not those of the fit) clearly better than knowing nothing."""
    for state in corpus():
        if not state.over:
            assert sum(worth(state)) == pytest.approx(1, abs=1e-5)
            assert min(worth(state)) > 0
    one, losses = game("random"), []
    for seed in game_seeds(77, 80):
        state, seen, k = one.new(int(seed)), [], 0
        while not state.over:
            k += 1
            if k % 9 == 0:
                seen.append(np.maximum(worth(state), 1e-6))
            state.apply(one.choose(state.view(state.mover), "greedy", k))
        losses += [-float(np.dot(state.shares, np.log(shares))) for shares in seen]
    assert np.mean(losses) < 0.9 * np.log(2)


# ------------------------------------------------------------------------------------------------ search


def analysis(view: GameState, seed: int, **parameters: object) -> Analysis:
    agent = MCTS(**parameters)  # type: ignore[arg-type]
    agent.reset(view.game, view.mover, 1)
    return agent.analyse(view, seed)


def plain(found: Analysis) -> list[object]:
    """All of an Analysis but the time it took."""
    arrays = (found.actions, found.visits, found.values, found.available)
    return [*(one.tolist() for one in arrays), found.iterations, found.decisions]


@pytest.mark.parametrize("method", sorted(METHODS))
def test_hidden_cards_change_nothing_for_search(method: str) -> None:
    """The same information set, other hidden cards and decks, the same seed: the same search to the last digit."""
    moved: Counter[str] = Counter()
    for k, state in enumerate(corpus()):
        if state.over or len(state.legal) < 2:
            continue
        rollout, depth = (("greedy", 10), ("random", -1), ("greedy", 0))[k % 3]
        parameters = {"sims": 16, "method": method, "worlds": 2, "rollout": rollout, "depth": depth}
        other = other_world(state, state.mover, k)
        here, there = (analysis(one.view(one.mover), k, **parameters) for one in (state, other))
        assert plain(here) == plain(there), state.kind
        assert here.best in state.legal
        moved[state.kind] += other != state
    assert moved["turn"] > 3
    assert sum(moved.values()) > 30


@pytest.mark.parametrize(
    "specs",
    [
        ["mcts:sims=20", "mcts:sims=16,method=pimc,worlds=4"],
        ["mcts:sims=12,method=redetermine", "greedy"],
        ["random", "mcts:sims=12,threads=2"],
    ],
)
def test_whole_games_of_search_are_legal_and_reproducible(specs: list[str]) -> None:
    first, second = (gosu_rl.play(game(), specs, seed=6) for _ in range(2))
    assert first == second
    assert not first.lines[-1]["truncated"]
    assert replay(first).returns.tolist() == first.returns
