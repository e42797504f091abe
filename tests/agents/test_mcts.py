"""The agent `mcts`: it knows what its seat knows, it is reproducible, and its parameters are checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from how_often import times_more
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from hidden_cards import scrambled
from law_cases import corpus, game, name
from search_results import analysis, plain

import gosu_rl
from gosu_rl.agents import AgentError
from gosu_rl.agents.mcts import MCTS, METHODS, Analysis
from gosu_rl.core.game import GameState


@cache
def free() -> list[GameState]:
    """Positions of all kinds in which there is a choice, for 2 to 4 players."""
    return [state for state in corpus() if len(state.legal) > 1]


@settings(max_examples=25 * times_more(), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    k=st.integers(0, 10_000),
    seed=st.integers(0, 2**63),
    method=st.sampled_from(sorted(METHODS)),
    rollout=st.sampled_from(["random", "greedy"]),
    depth=st.sampled_from([-1, 0, 6]),
)
def test_hidden_cards_change_nothing(k: int, seed: int, method: str, rollout: str, depth: int) -> None:
    """The same information set, other hidden cards, the same seed: the same search to the last digit, and the same move."""
    state = free()[k % len(free())]
    other = scrambled(state, state.mover, Random(seed))
    parameters = {"sims": 40, "method": method, "worlds": 4, "rollout": rollout, "depth": depth}
    here, there = (analysis(one.view(state.mover), seed, **parameters) for one in (state, other))
    assert plain(here) == plain(there), name(state)
    movers = []
    for one in (state, other):
        agent = MCTS(**parameters)  # type: ignore[arg-type]
        agent.reset(one.game, one.mover, seed)
        movers.append([agent.act(one.view(one.mover)) for _ in range(2)])
    assert movers[0] == movers[1]
    assert movers[0][0] in state.legal


def test_hidden_cards_were_really_moved() -> None:
    """Else the law above would say nothing."""
    moved = [scrambled(state, state.mover, Random(k)) != state for k, state in enumerate(free())]
    assert len(moved) > 200
    assert {state.game.players for state in free()} == {2, 3, 4}
    assert np.mean(moved) > 0.95


PARAMETERS = ("", "method=pimc,worlds=5", "method=redetermine", "rollout=random,depth=-1", "threads=2")


def traced() -> list[list[object]]:
    """Whole searches, and games, of every kind."""
    found = []
    for text in PARAMETERS:
        for players in (2, 4):
            spec = f"mcts:sims=60{',' if text else ''}{text}"
            state = game("tactics", players).new(3)
            while state.kind != "turn":
                state.apply(state.legal[-1])
            agent = gosu_rl.make_agent(spec)
            agent.reset(state.game, state.mover, 5)
            found.append(plain(agent.analyse(state.view(state.mover), 8)))  # type: ignore[attr-defined]
    record = gosu_rl.play(game("small", 3), ["mcts:sims=30", "greedy", "mcts:sims=20,method=pimc,worlds=2"], seed=4)
    return [*found, [record.text.partition("\n")[2]]]


def test_another_process_finds_the_same() -> None:
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "core"), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", "import json, test_mcts; print(json.dumps(test_mcts.traced()))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(traced()))


def test_the_order_of_actions() -> None:
    """Most visits first, then value, then the lower id; all legal actions are there once there were iterations for them."""
    for state in free()[::9]:
        found = analysis(state.view(state.mover), 3, sims=200)
        keys = list(zip(-found.visits, -found.values, found.actions, strict=True))
        assert keys == sorted(keys)
        assert sorted(found.actions.tolist()) == state.legal
        assert found.visits.sum() == found.iterations == 200
        assert (found.available >= found.visits).all()
        assert ((found.values >= 0) & (found.values <= 1 + 1e-12)).all()
        assert found.decisions >= 200
        assert found.seconds > 0
        assert found.best == found.actions[0]


def test_a_single_legal_action_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(MCTS, "analyse", never)
    forced = [state for state in corpus() if len(state.legal) == 1]
    assert len(forced) > 5
    for state in forced:
        agent = MCTS(sims=1_000_000)
        agent.reset(state.game, state.mover, 1)
        assert agent.act(state.view(state.mover)) == state.legal[0]
    choice = free()[0]
    agent = MCTS()
    agent.reset(choice.game, choice.mover, 1)
    with pytest.raises(AssertionError, match="searched"):
        agent.act(choice.view(choice.mover))


def test_only_the_movers_view_is_searched_and_left_as_it_was() -> None:
    state = free()[5]
    agent = MCTS(sims=50)
    agent.reset(state.game, state.mover, 1)
    for wrong in (state, state.view((state.mover + 1) % state.game.players)):
        with pytest.raises(AgentError, match="searches the view of the player who is to move"):
            agent.analyse(wrong, 1)
    view = state.view(state.mover)
    before = view.record.tobytes()
    agent.act(view)
    assert view.record.tobytes() == before


def test_threads_and_worlds_add_up() -> None:
    """Trees side by side: the sum of the single ones, in whatever order the threads ran."""
    state = game("tactics", 2).new(6)
    while state.kind != "turn":
        state.apply(state.legal[0])
    view = state.view(state.mover)
    single = [analysis(view, 9 + 7_919 * k, sims=40) for k in range(3)]
    for together in (analysis(view, 9, sims=120, threads=3), analysis(view, 9, sims=118, threads=3)):
        assert together.iterations == 120
        assert together.decisions == sum(one.decisions for one in single)
        for a, visits, value in zip(together.actions, together.visits, together.values, strict=True):
            parts = [(one.visits[one.actions == a].sum(), one.values[one.actions == a].sum()) for one in single]
            assert visits == sum(v for v, _ in parts)
            assert value == pytest.approx(sum(v * w for v, w in parts) / visits)
    worlds = [analysis(view, 9, sims=60, method="pimc", worlds=6, threads=threads) for threads in (1, 2)]
    assert plain(worlds[0]) == plain(worlds[1])
    assert worlds[0].iterations == 60


def test_a_budget_of_time() -> None:
    view = free()[3].view(free()[3].mover)
    analysis(view, 1, sims=10)  # whatever has to be compiled
    begun = time.process_time()
    short = analysis(view, 1, ms=40)
    assert time.process_time() - begun < 0.4  # CPU time: the clock of a busy machine proves nothing
    assert short.seconds >= 0.04
    assert short.iterations % 64 == 0
    assert short.iterations > 0
    long = analysis(view, 1, ms=400)
    assert long.iterations > short.iterations
    assert long.seconds >= 0.4


def test_moves_of_one_game_use_different_seeds() -> None:
    """Else the same chance would come up at every decision."""
    seen: list[int] = []

    class Listening(MCTS):
        def analyse(self, view: GameState, seed: int) -> Analysis:
            seen.append(seed)
            return super().analyse(view, seed)

    for seat, seed in ((0, 1), (1, 2)):
        agent = Listening(sims=5)
        state = free()[0]
        agent.reset(state.game, seat, seed)
        for _ in range(20):
            agent.act(state.view(state.mover))
    assert len(set(seen)) == 40


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("sims=0", "mcts: sims must be 1 or more, not 0"),
        ("ms=-5", "mcts: ms must be 0 or more, not -5"),
        ("depth=-2", "mcts: depth must be -1 or more, not -2"),
        ("worlds=0", "mcts: worlds must be 1 or more, not 0"),
        ("threads=0", "mcts: threads must be 1 or more, not 0"),
        ("c=-0.1", "mcts: c must lie between 0 and 100, not -0.1"),
        ("c=nan", "mcts: c must lie between 0 and 100, not nan"),
        ("method=uct", "mcts: no method 'uct'; there are so, pimc, redetermine"),
        ("method=pimc,ms=10", "mcts: method pimc needs a budget in sims, not ms"),
        ("sims=many", "many"),
        ("sim=3", "sim"),
    ],
)
def test_parameters_are_checked(parameters: str, message: str) -> None:
    with pytest.raises(AgentError) as caught:
        gosu_rl.make_agent(f"mcts:{parameters}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rollout_must_be_a_policy_of_the_game() -> None:
    agent = gosu_rl.make_agent("mcts:rollout=clever")
    for word, odd in (("sims", True), ("sims", 1.5), ("threads", "2"), ("depth", 3.0), ("ms", float("nan"))):
        with pytest.raises(AgentError, match=f"^mcts: {word} must be a whole number, not {odd!r}$"):
            MCTS(**{word: odd})  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="tactics has no rollout policy 'clever'; there are random, greedy"):
        agent.reset(game("tactics", 2), 0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_it_beats_random_players(players: int) -> None:
    won = 0.0
    for seed in range(6):
        for seat in range(players):
            agents = ["random"] * players
            agents[seat] = "mcts:sims=100"
            won += gosu_rl.play(game("tactics", players), agents, seed).result["shares"][seat]
    assert won / (6 * players) > 0.9
