"""The compiled players and the tree search on GOSU: greedy handles activation tokens, positions are judged sensibly, search plays
by the rules and sees no hidden card.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest
from hidden_cards import scrambled
from test_laws_gosu import corpus, game

import gosu_rl
from gosu_rl.agents.mcts import MCTS, METHODS, Analysis
from gosu_rl.core import playout
from gosu_rl.core.game import GameState
from gosu_rl.core.kernel import EVALUATE
from gosu_rl.core.many import game_seeds
from gosu_rl.core.position import records
from gosu_rl.core.replay import replay

PLAYERS = (2, 3, 4)


def position(text: str, players: int = 2) -> GameState:
    """A position of the packaged set; what is not named lies in the draw pile."""
    return game("gosu", players).parse(f"gosu, {players} players\n{text}")


def chosen(state: GameState) -> str:
    """What greedy does; the same for every random word, so no tie decided."""
    view = state.view(state.mover)
    labels = {state.game.labels[state.game.choose(view, "greedy", seed)] for seed in range(8)}
    assert len(labels) == 1
    return labels.pop()


# ------------------------------------------------------------------------------------------------ greedy


@pytest.mark.parametrize("players", PLAYERS)
def test_greedy_wins_nearly_every_game_against_random(players: int) -> None:
    """From every seat of every deal; a deal is the unit of the interval."""
    one, deals = game("gosu", players), 300
    shares = []
    for seat in range(players):
        names = ["random"] * players
        names[seat] = "greedy"
        holders = (seat + np.arange(deals)) % players
        shares.append(one.play_many(names, game_seeds(5, deals), advantage=holders)["share"][:, seat])
    by_deal = np.mean(shares, axis=0)
    assert by_deal.mean() - 1.96 * by_deal.std() / np.sqrt(deals) > 0.95


def without_tokens(view: GameState) -> GameState:
    """The same view with the ways of spending tokens struck out."""
    poorer = view.copy()
    for name, first, end in view.game.action_ranges:
        if name in ("token", "activate"):
            for action in range(first, end):
                poorer.record["legal"][0, action >> 6] &= ~np.uint64(1 << (action & 63))
    return poorer


@pytest.mark.parametrize("players", [2, 4])
def test_tokens_win_games_for_greedy(players: int) -> None:
    """One greedy among others who are like him but never spend a token."""
    one, spent, shares = game("gosu", players), Counter[str](), []
    for k, seed in enumerate(game_seeds(9, 24)):
        seat, chance = k % players, Random(k)
        state = one.new(int(seed), advantage=(seat + k // players) % players)
        while not state.over:
            view = state.view(state.mover)
            if state.mover != seat and state.kind == "turn":
                view = without_tokens(view)
            label = one.labels[one.choose(view, "greedy", chance.getrandbits(63))]
            spent[label.split()[0] if state.kind == "turn" else ""] += state.mover == seat
            state.apply(label)
        shares.append(state.shares[seat])
    assert np.mean(shares) > 0.75
    assert spent["spend"] > 30
    assert spent["activate"] > 3


def test_greedy_weighs_a_goblins_power_against_the_cards_for_its_token() -> None:
    """A look at three for one card is worth more than one card and less than three; nothing beats a draw of two for one token."""
    text = "p0: tokens={ready} spent={spent}\n  army 1: {first}\n  army 2: {second}\np1:\n  hand: Mumbler\n  army 1: Mumbler"
    greybeard, nan = {"first": "Greybeard", "second": ""}, {"first": "Netter", "second": "Two-Hand Nan"}
    assert chosen(position(text.format(ready=2, spent=0, **greybeard))) == "spend 2"
    assert chosen(position(text.format(ready=1, spent=1, **greybeard))) == "activate 1.1"
    assert chosen(position(text.format(ready=1, spent=1, **nan))) == "activate 2.1"
    assert chosen(position(text.format(ready=1, spent=1, first="Netter", second=""))) == "spend 1"
    assert chosen(position(text.format(ready=0, spent=2, **nan))) == "pass"


def test_greedy_regains_a_token_from_the_goblin_it_would_use_again() -> None:
    """Oiler arrives: rather the token on Two-Hand Nan, who may draw anew, than a spent one."""
    state = position(
        "p0: tokens=0 spent=1\n  hand: Oiler\n  army 1: Springer\n  army 2: Two-Hand Nan+\np1:\n  hand: Netter"
    )
    state.apply("play Oiler")
    if state.kind == "use":
        state.apply("recruit")
    assert state.kind == "regain"
    assert {"regain", "target p0 2.1"} <= set(state.legal_labels)
    assert chosen(state) == "target p0 2.1"


# ------------------------------------------------------------------------------------------------ what a position is worth


def worth(state: GameState) -> list[float]:
    """Win shares that the kernel expects, by seat, as search asks for them."""
    F, S = state.game.kernel.need("evaluate"), records(state.record)
    return [playout.choose(F, state.game.R, S, EVALUATE, seat) / 1e6 for seat in range(state.game.players)]


def test_worths_are_shares() -> None:
    for state in corpus():
        if not state.over:
            assert sum(worth(state)) == pytest.approx(1, abs=1e-5)
            assert min(worth(state)) > 0


def test_what_makes_a_position_better() -> None:
    """Ready tokens, cards, goblins, points; and not to be out of the round."""
    text = (
        "p0: points={points} tokens={ready} spent={spent} turns_left={left}\n  hand: {hand}\n  army 1: {army}\n"
        "p1:\n  hand: Mumbler\n  army 1: Mumbler"
    )
    plain = {"points": 0, "ready": 1, "spent": 1, "left": -1, "hand": "Netter", "army": "Growler"}
    even = worth(position(text.format(**plain)))[0]
    for change in (
        {"ready": 2, "spent": 0},
        {"hand": "Netter, Packling"},
        {"army": "Growler, Packling"},
        {"points": 2},
    ):
        assert worth(position(text.format(**{**plain, **change})))[0] > even, change
    assert worth(position(text.format(**{**plain, "ready": 0, "spent": 2})))[0] < even
    assert worth(position(text.format(**{**plain, "left": 0})))[0] < even


def test_worths_tell_who_wins() -> None:
    """Log loss on games of greedy: clearly better than knowing nothing, for 2 to 4 players (it was fitted on others)."""
    for players in PLAYERS:
        one, losses = game("gosu", players), []
        for seed in game_seeds(77, 60):
            state, chance, seen = one.new(int(seed)), Random(int(seed)), []
            while not state.over:
                if chance.random() < 0.1:
                    seen.append(np.maximum(worth(state), 1e-6))
                state.apply(one.choose(state.view(state.mover), "greedy", chance.getrandbits(63)))
            losses += [-float(np.dot(state.shares, np.log(shares))) for shares in seen]
        assert np.mean(losses) < 0.88 * np.log(players)


# ------------------------------------------------------------------------------------------------ search


@cache
def free() -> list[GameState]:
    """Positions of all kinds in which there is a choice, for 2 to 4 players."""
    return [state for state in corpus() if len(state.legal) > 1]


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
    """The same information set, other hidden cards, the same seed: the same search to the last digit."""
    moved: Counter[str] = Counter()
    for k, state in enumerate(free()):
        rollout, depth = (("greedy", 10), ("random", -1), ("greedy", 0))[k % 3]
        parameters = {"sims": 24, "method": method, "worlds": 3, "rollout": rollout, "depth": depth}
        other = scrambled(state, state.mover, Random(k))
        here, there = (analysis(one.view(one.mover), k, **parameters) for one in (state, other))
        assert plain(here) == plain(there), f"{state.game.players} players, {state.kind}"
        assert here.best in state.legal
        moved[state.kind] += other != state
    assert moved["turn"] > 5
    assert sum(moved.values()) > 50


@pytest.mark.parametrize(
    ("players", "specs"),
    [
        (2, ["mcts:sims=25", "mcts:sims=20,method=pimc,worlds=4"]),
        (3, ["mcts:sims=15,method=redetermine", "greedy", "mcts:sims=15,rollout=random,depth=-1"]),
        (4, ["mcts:sims=15", "random", "mcts:sims=15,threads=2", "greedy"]),
    ],
)
def test_whole_games_of_search_are_legal_and_reproducible(players: int, specs: list[str]) -> None:
    first, second = (gosu_rl.play(game("gosu", players), specs, seed=6) for _ in range(2))
    assert first == second
    assert not first.lines[-1]["truncated"]
    assert replay(first).returns.tolist() == first.returns


def test_search_finds_a_win_by_an_ozeki() -> None:
    """The Eldest wins with twelve cards in hand (G8): eleven, and a token that buys one."""
    hand = "Netter, Growler, Packling, Sniffer, Tagalong, Sparkler, Cinderpup, Smudge, Kindling, Scorchfoot, Graverat"
    state = position(
        f"p0: tokens=1 spent=1\n  hand: {hand}\n  army 1: Mumbler\n  army 2: Loya\n  army 3: The Eldest\n"
        "p1: points=2\n  hand: Ticktock\n  army 1: Ticktock, Springer"
    )
    for method in METHODS:
        found = analysis(state.view(0), 1, sims=300, method=method)
        assert state.game.labels[found.best] == "spend 1"
        assert found.values[0] == 1
    after = state.copy().apply("spend 1")
    assert (after.over, after.reason, after.returns.tolist()) == (True, "condition", [1, -1])
