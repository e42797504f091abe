"""`play`: agents get views, seeds make games, and a wrong action is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gosu_rl
from gosu_rl.agents import AgentError, act_batch, act_together, agent_seed


@pytest.fixture(scope="module")
def game() -> Any:
    return gosu_rl.game("tactics", players=3)


class Watcher:
    """Plays the first legal action and keeps what it was shown."""

    made: list[Watcher] = []  # noqa: RUF012 - shared on purpose, to count the agents made

    def __init__(self) -> None:
        self.views: list[Any] = []
        Watcher.made.append(self)

    def reset(self, game: Any, seat: int, seed: int) -> None:
        self.seat, self.seed = seat, seed

    def act(self, view: Any) -> int:
        self.views.append(view)
        return view.legal[0]


class Wrong(Watcher):
    answer: Any = 10_000

    def act(self, view: Any) -> Any:
        return self.answer


def test_agents_get_views_of_their_own_seat(game: Any) -> None:
    Watcher.made.clear()
    record = gosu_rl.play(game, [Watcher] * 3, seed=9)
    assert [agent.seat for agent in Watcher.made] == [0, 1, 2]
    assert [agent.seed for agent in Watcher.made] == [agent_seed(9, seat) for seat in range(3)]
    assert sum(len(agent.views) for agent in Watcher.made) == len(record.decisions)
    for agent in Watcher.made:
        assert agent.views
        for view in agent.views:
            assert view.is_view
            assert view.viewer == agent.seat
            assert view.mover == agent.seat
    assert record.header["agents"] == [f"{__name__}:Watcher"] * 3


def test_a_game_is_a_function_of_its_seed_and_agents(game: Any) -> None:
    specs = ["greedy", "random", "random"]
    first = gosu_rl.play(game, specs, seed=1)
    assert gosu_rl.play(game, specs, seed=1).hash == first.hash
    assert gosu_rl.play(game, specs, seed=2).hash != first.hash
    assert gosu_rl.play(game, ["random", "random", "random"], seed=1).deal == first.deal


def test_random_is_uniform_over_the_legal_actions(game: Any) -> None:
    class Three:
        legal = (4, 7, 9)

    agent = gosu_rl.make_agent("random")
    agent.reset(game, 0, 5)
    counts = dict.fromkeys(Three.legal, 0)
    for _ in range(3000):
        counts[agent.act(Three)] += 1
    # Each count has mean 1000 and standard deviation 26.
    assert all(abs(count - 1000) < 130 for count in counts.values())


def test_greedy_beats_random() -> None:
    game = gosu_rl.game("tactics", players=2)
    total = 0.0
    for seed in range(40):
        seat = seed % 2
        specs = ["greedy", "random"] if seat == 0 else ["random", "greedy"]
        total += gosu_rl.play(game, specs, seed=seed).returns[seat]
    assert total / 40 > 0.5


def test_greedy_decides_from_the_view_alone() -> None:
    game = gosu_rl.game("tactics", players=2)
    greedy, other = gosu_rl.make_agent("greedy"), gosu_rl.make_agent("greedy")
    state = game.new(seed=12)
    asked = 0
    while not state.over:
        view = state.view(state.mover)
        world = view.determinize(seed=asked)
        greedy.reset(game, state.mover, asked)
        other.reset(game, state.mover, asked)
        action = greedy.act(view)
        assert action in state.legal
        assert other.act(world.view(state.mover)) == action
        state.apply(action)
        asked += 1
    assert asked > 20


@pytest.mark.parametrize("answer", [10_000, -1, None, "pass", 0.5, True, False])
def test_an_illegal_action_is_named(game: Any, answer: Any) -> None:
    class Bad(Wrong):
        pass

    Bad.answer = answer
    with pytest.raises(AgentError) as caught:
        gosu_rl.play(game, [Bad, Watcher, Watcher], seed=9)
    message = str(caught.value)
    state = game.new(seed=9)
    while state.mover != 0:
        state.apply(state.legal[0])
    assert "Bad' in seat 0 returned" in message
    assert f"{answer!r} at decision {state.decisions} ({state.kind})" in message
    assert "\n" not in message
    for label in state.legal_labels:
        assert label in message


def test_a_batch_of_answers_holds_actions_only() -> None:
    """What was no whole number was cut down to one, so 1.7 became action 1."""

    class Odd:
        answer: Any = 1.7

        def act(self, view: Any) -> Any:
            return self.answer

    class Batched(Odd):
        def act_batch(self, views: Any) -> Any:
            return [self.answer] * len(views)

        @staticmethod
        def act_together(agents: Any, views: Any) -> Any:
            return [one.answer for one in agents]

    for answer in (1.7, True, "4", None):
        Odd.answer = answer
        for ask, name in (
            (lambda: act_batch(Odd(), [None]), "Odd.act"),  # type: ignore[arg-type]
            (lambda: act_batch(Batched(), [None]), "Batched.act_batch"),  # type: ignore[arg-type]
            (lambda: act_together([Batched()], [None]), "Batched.act_together"),  # type: ignore[list-item]
        ):
            with pytest.raises(AgentError, match=rf"{name}: an action must be a whole number, not {answer!r}"):
                ask()
    Odd.answer = np.int16(4)
    assert act_batch(Batched(), [None, None]) == [4, 4]  # type: ignore[arg-type]


def test_a_seed_is_checked_before_agents_get_one(game: Any) -> None:
    for seed in (True, 1.0, float("nan"), "1"):
        with pytest.raises(ValueError, match="seed must be a whole number"):
            gosu_rl.play(game, ["random"] * 3, seed=seed)


def test_seats_want_an_agent_each(game: Any) -> None:
    with pytest.raises(AgentError, match="a game of 3 players wants 3 agents, one a seat; given: 2"):
        gosu_rl.play(game, ["random", "random"], seed=1)
    with pytest.raises(AgentError, match="given: 1"):
        gosu_rl.play(game, "random", seed=1)
    one = Watcher()
    with pytest.raises(AgentError, match="sits in another seat already"):
        gosu_rl.play(game, [one, one, "random"], seed=1)
    with pytest.raises(AgentError, match="neither a spec, nor an agent"):
        gosu_rl.play(game, [3, "random", "random"], seed=1)  # type: ignore[list-item]


def test_watch_sees_every_position(game: Any) -> None:
    seen: list[bool] = []
    record = gosu_rl.play(game, ["random"] * 3, seed=4, watch=lambda state: seen.append(state.over))
    assert seen == [False] * len(record.decisions) + [True]
