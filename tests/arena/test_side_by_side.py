"""Games side by side are the games one by one, whatever agents do; and they are made where they gain something."""

from dataclasses import replace

import numpy as np
import odd_agents
import pytest
from odd_agents import Friend

import gosu_rl
from gosu_rl.agents import agent_seed
from gosu_rl.arena import runner
from gosu_rl.arena.job import Job, Task, bunches, play_bunch, play_job
from gosu_rl.arena.match import game_moves, play_game, seat_agents
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.play import record_moves
from gosu_rl.arena.pool import play_jobs
from gosu_rl.arena.side_by_side import COMPANY, QUICK, SLOW, alone, can_share, pace, side_by_side
from gosu_rl.arena.store import Store

SPEC = GameSpec("tactics", 2)
FRIEND, RIVAL, FAINT = "odd_agents:Friend", "odd_agents:Rival", "odd_agents:Faint"


def task_of(*agents, limit=0.0):
    game = gosu_rl.game("tactics", players=2)
    return Task(SPEC, agents, game.card_set.hash, limit, paces=tuple(pace(game, one) for one in agents))


def jobs_of(count, *seatings):
    return [Job(k, slot, 500 + k, seating) for k in range(count) for slot, seating in enumerate(seatings)]


def told(outcome):
    """All of an outcome but the times."""
    return replace(outcome, movers=outcome.movers.tolist(), seconds=len(outcome.seconds)).__dict__


def by_place(outcomes):
    return {(one.deal, one.slot): told(one) for one in outcomes}


@pytest.mark.parametrize("agents", [(FRIEND, RIVAL), (FRIEND, "greedy"), (FRIEND, "odd_agents:Short")])
def test_outcomes_and_records_are_those_of_single_games(agents):
    task = task_of(*agents)
    game, jobs = task.make(), jobs_of(8, (0, 1), (1, 0), (0, 0))
    one_by_one = [play_job(task, game, job) for job in jobs]
    before = Friend.calls
    together = list(play_bunch(task, game, jobs))
    assert Friend.calls > before
    assert by_place(together) == by_place(one_by_one)
    assert all(one.record and one.failure is None for one in together)
    assert all((one.seconds >= 0).all() for one in together)


def test_games_that_break_down_cost_only_themselves():
    task = task_of(FAINT, FRIEND)
    jobs = jobs_of(12, (0, 1), (1, 0))
    together = by_place(play_bunch(task, task.make(), jobs))
    assert together == by_place(play_job(task, task.make(), job) for job in jobs)
    for job in jobs:
        outcome = together[job.deal, job.slot]
        seat = job.seating.index(0)
        spoiled = agent_seed(job.seed, seat) % 4 == 0
        assert outcome["failed_seat"] == (seat if spoiled else None)
        if spoiled:
            assert outcome["failure"] == "ZeroDivisionError: so it goes"
    assert 0 < sum(one["failure"] is not None for one in together.values()) < len(jobs)


@pytest.mark.parametrize("width", [1, 3, 100])
def test_any_width_plays_the_same(width):
    game = gosu_rl.game("tactics", players=3)
    names = (FRIEND, RIVAL, "greedy")
    moves = {seed: (lambda seed=seed: record_moves(game, names, seed)) for seed in range(7)}
    expected = {seed: alone(make()).text for seed, make in moves.items()}
    found = {seed: record.text for seed, record in side_by_side(((s, m()) for s, m in moves.items()), width)}
    assert found == expected
    assert {seed: gosu_rl.play(game, names, seed).text for seed in moves} == expected


def test_no_more_games_are_begun_than_may_go_on():
    begun, most = [], 0

    def game(number):
        begun.append(number)
        yield from ()
        return number

    def long(number):
        begun.append(number)
        agent = Friend()
        agent.reset(None, 0, number)
        for _ in range(number):
            yield odd_question(agent)
        return number

    for done, (key, value) in enumerate(side_by_side(((k, (long if k % 2 else game)(k)) for k in range(9)), 2), 1):
        assert key == value
        most = max(most, len(begun) - done)
    assert sorted(begun) == list(range(9))
    assert most <= 2


def odd_question(agent):
    from types import SimpleNamespace

    from gosu_rl.arena.side_by_side import Question

    return Question(agent, SimpleNamespace(legal=[1]))


def test_the_first_fault_ends_all_and_closes_the_others():
    game = gosu_rl.game("tactics", players=2)
    agents = [seat_agents(game, (FRIEND, FRIEND), seed) for seed in range(3)]
    agents[1][0].act = agents[1][1].act = lambda view: -5
    with pytest.raises(ValueError, match=r"agent Friend in seat \d, deal seed 1, decision"):
        list(side_by_side((k, game_moves(game, agents[k], k)) for k in range(3)))
    assert all(agent.closed for pair in agents for agent in pair)


def test_an_interrupt_closes_the_agents():
    game = gosu_rl.game("tactics", players=2)
    for play in (lambda moves: alone(moves), lambda moves: list(side_by_side([(0, moves), (1, moves)], 1))):
        agents = seat_agents(game, (FRIEND, FRIEND), 1)

        def interrupted(view):
            raise KeyboardInterrupt

        agents[0].act = agents[1].act = interrupted
        with pytest.raises(KeyboardInterrupt):
            play(game_moves(game, agents, 1))
        assert all(agent.closed for agent in agents)


def test_who_plays_side_by_side():
    game = gosu_rl.game("tactics", players=2)
    paces = [
        pace(game, spec)
        for spec in (FRIEND, "random", "greedy", "mcts:sims=3", "odd_agents:First", "odd_agents:Unmade")
    ]
    assert paces == [COMPANY, QUICK, QUICK, SLOW, SLOW, SLOW]
    assert pace(game, "nobody") == SLOW
    assert can_share([COMPANY])
    assert can_share([QUICK, COMPANY])
    assert not can_share([QUICK, QUICK])
    assert not can_share([COMPANY, SLOW])


def test_bunches_hold_every_game_once():
    task = task_of(FRIEND, "greedy", "odd_agents:First")
    jobs = jobs_of(10, (0, 1), (0, 2), (0, 0), (1, 2), (1, 1))
    made = list(bunches(task, jobs, 8))
    assert sorted(job for bunch in made for job in map(repr, bunch)) == sorted(map(repr, jobs))
    shared = [bunch for bunch in made if any(job.seating in ((0, 1), (0, 0)) for job in bunch)]
    assert [len(bunch) for bunch in shared] == [8, 8, 4]
    assert all(job.seating in ((0, 1), (0, 0)) for bunch in shared for job in bunch)
    assert [job for bunch in shared for job in bunch] == [job for job in jobs if job.seating in ((0, 1), (0, 0))]
    assert all(len(bunch) == 1 for bunch in made if bunch not in shared)
    limited = task_of(FRIEND, "greedy", limit=5.0)
    assert all(len(bunch) == 1 for bunch in bunches(limited, jobs_of(3, (0, 1)), 8))
    assert all(len(bunch) == 1 for bunch in bunches(replace(task, paces=()), jobs, 8))


def test_without_company_nobody_is_asked_together(monkeypatch):
    def never(*_):
        raise AssertionError("asked together")

    monkeypatch.setattr(odd_agents.Loner, "act_together", never)
    task = task_of("odd_agents:Loner", "greedy")
    jobs = jobs_of(4, (0, 1))
    assert by_place(play_bunch(task, task.make(), jobs)) == by_place(play_job(task, task.make(), job) for job in jobs)


@pytest.mark.slow
def test_a_worker_that_dies_costs_the_game_it_died_in():
    task = task_of("odd_agents:Deadly", FRIEND)
    game, jobs = task.make(), jobs_of(3, (0, 1), (1, 0))
    outcomes = []
    play_jobs(task, jobs, 2, outcomes.append)
    assert sorted((one.deal, one.slot) for one in outcomes) == sorted((job.deal, job.slot) for job in jobs)
    found = by_place(outcomes)
    for job in jobs:
        seat = job.seating.index(0)
        outcome = found[job.deal, job.slot]
        if agent_seed(job.seed, seat) % 4 == 0:
            assert outcome["failed_seat"] == seat
            assert "died (exit code 9)" in outcome["failure"]
        else:
            assert outcome == told(play_job(task, game, job))
    assert 0 < sum(one["failure"] is not None for one in found.values()) < len(jobs)


# ------------------------------------------------------------------------------------------------ win rates


def rows_one_by_one(game, plan, deals):
    rows = np.zeros((deals, len(plan.seatings), plan.players), game.result_dtype)
    for deal, seed in enumerate(plan.deal_seeds(0, deals)):
        for index, seating in enumerate(plan.seatings):
            for holder in range(plan.players):
                rows[deal, index, holder] = play_game(
                    game, seat_agents(game, seating, int(seed), index), int(seed), holder
                )
    return rows


@pytest.mark.parametrize(
    ("players", "agents"), [(2, (FRIEND,)), (2, (FRIEND, "greedy")), (3, (FRIEND, RIVAL, "random"))]
)
def test_win_rates_are_those_of_single_games(players, agents, tmp_path):
    spec = GameSpec("tactics", players)
    game, plan = spec.make(), Plan(spec, agents, 7)
    expected = rows_one_by_one(game, plan, 6)
    before = Friend.calls
    assert (runner.play_deals(game, plan, 0, 6, together=True) == expected).all()
    assert Friend.calls > before
    assert (runner.play_deals(game, plan, 2, 5) == expected[2:5]).all()
    store = Store(tmp_path, plan.identity(game), game.result_dtype, (len(plan.seatings), players))
    store.add(1, expected[1:2])  # what was played before the break
    done = []
    assert runner.play(game, plan, store, 6, 1, done.append)
    assert sum(done) == 6
    rows, there = store.load(6)
    assert there.all()
    assert (rows == expected).all()


@pytest.mark.slow
def test_workers_change_nothing(tmp_path):
    game, plan = SPEC.make(), Plan(SPEC, (FRIEND, "greedy"), 7)
    store = Store(tmp_path, plan.identity(game), game.result_dtype, (2, 2))
    done = []
    assert runner.play(game, plan, store, 20, 2, done.append)
    assert sum(done) == 20
    assert max(done) > 1  # several deals a task
    assert (store.load(20)[0] == rows_one_by_one(game, plan, 20)).all()


def test_win_rates_can_be_stopped():
    from gosu_rl.arena.match import Stopped

    game, plan = SPEC.make(), Plan(SPEC, (FRIEND,), 7)
    with pytest.raises(Stopped):
        runner.play_deals(game, plan, 0, 3, stop=lambda: True, together=True)
