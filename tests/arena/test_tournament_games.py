"""Games of a tournament: what agents do wrong costs one game, what was played is kept, figures are those of the games."""

import json
from dataclasses import replace

import numpy as np
import pytest

import gosu_rl
from gosu_rl.agents import split_specs
from gosu_rl.arena.game_store import GameStore
from gosu_rl.arena.job import Job, Outcome, Task, play_job, spoiled
from gosu_rl.arena.plan import GameSpec
from gosu_rl.arena.pool import PoolError, play_jobs
from gosu_rl.arena.standings import Played, estimates, payoff, tables
from gosu_rl.arena.store import StoreError
from gosu_rl.arena.tables import Figure
from gosu_rl.arena.tournament import Tournament, check_agents, whole_deals
from gosu_rl.cli.measuring import joined
from gosu_rl.core.record import Record

SPEC = GameSpec("tactics", 2)


def task_of(*agents, limit=0.0, records=True):
    return Task(SPEC, agents, gosu_rl.game("tactics", players=2).card_set.hash, limit, records)


def one_game(*agents, seed=8, limit=0.0):
    task = task_of(*agents, limit=limit)
    return play_job(task, task.make(), Job(0, 0, seed, (0, 1)))


def outcome(deal, slot, seating, shares, holder=0, **more):
    moves = np.array([0, 1, 0], np.int8), np.array([0.1, 0.2, 0.3], np.float32)
    plain = Outcome(deal, slot, seating, holder, shares, False, "points", 3, 50, None, None, *moves, None)
    return replace(plain, **more)


def test_a_game_is_the_one_that_play_plays():
    task = task_of("random", "greedy")
    found = play_job(task, task.make(), Job(3, 1, 77, (1, 0)))
    record = gosu_rl.play(gosu_rl.game("tactics", players=2), ["greedy", "random"], seed=77)
    assert found.record == record.text
    assert (found.deal, found.slot, found.seating) == (3, 1, (1, 0))
    assert found.shares == tuple(record.result["shares"])
    assert found.holder == record.deal["holder"]
    assert found.decisions == len(record.decisions)
    choices = [line["player"] for line in record.decisions if len(line["legal"]) > 1]
    assert found.movers.tolist() == choices
    assert len(found.seconds) == len(choices)
    assert (found.seconds > 0).all()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("odd_agents:Illegal", "returned -5 at decision"),
        ("odd_agents:Exits", "SystemExit: enough"),
        ("odd_agents:Unmade", "RuntimeError: no model file"),
        ("odd_agents:Late", "for a move; the limit is 0.02 s"),
        ("nobody", "unknown agent 'nobody'"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_what_an_agent_does_wrong_is_its_own_fault(agent, words, seat):
    specs = ["odd_agents:First", "odd_agents:First"]
    specs[seat] = agent
    found = one_game(*specs, limit=0.02 if "Late" in agent else 0.0)
    assert found.failed_seat == seat
    assert words in found.failure
    assert "\n" not in found.failure
    assert found.shares == (0.0, 0.0)


def test_a_fault_of_the_package_is_no_fault_of_an_agent(monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("gosu_rl.core.record.Recorder.finish", broken)
    with pytest.raises(ZeroDivisionError, match="ours"):
        one_game("odd_agents:First", "odd_agents:Last")


@pytest.mark.slow
def test_workers_outlive_their_agents():
    """A worker that dies and one that hangs cost the game they were in; all others are played."""
    agents = ("odd_agents:First", "odd_agents:Raises", "odd_agents:Dies", "odd_agents:Hangs")
    task = task_of(*agents, limit=0.5)
    seeds = {"good": 2, "bad": None}
    from gosu_rl.agents import agent_seed

    seeds["bad"] = next(seed for seed in range(100) if agent_seed(seed, 1) % 4 == 0)
    seeds["good"] = next(seed for seed in range(100) if agent_seed(seed, 1) % 4)
    jobs = [Job(0, who, seeds["bad"], (0, who)) for who in (1, 2, 3)]
    jobs += [Job(1, who, seeds["good"], (0, who)) for who in (1, 2, 3)]
    found = {}
    play_jobs(task, jobs, 2, lambda one: found.update({(one.deal, one.slot): one}))
    assert sorted(found) == [(deal, who) for deal in (0, 1) for who in (1, 2, 3)]
    words = {1: "ZeroDivisionError: so it goes", 2: "died (exit code 9)", 3: "did not answer within 0.5 s"}
    for who, text in words.items():
        assert text in found[0, who].failure
        assert found[0, who].failed_seat == 1
        assert found[1, who].failure is None
        assert sum(found[1, who].shares) == 1


@pytest.mark.slow
def test_workers_that_cannot_play_at_all_are_one_clear_line():
    task = replace(task_of("random", "greedy"), card_hash="of yesterday")
    with pytest.raises(PoolError, match="was changed while it was being measured") as caught:
        play_jobs(task, [Job(0, 0, 1, (0, 1))], 1, lambda _: None)
    assert "\n" not in str(caught.value)


def test_games_come_back_as_they_were_kept(tmp_path):
    played = one_game("random", "greedy")
    bad = spoiled(Job(1, 0, 5, (1, 0)), 1, "ran away")
    with GameStore(tmp_path, {"seed": 1}) as store:
        store.add(bad)
        store.add(played)
        store.add(replace(played, decisions=1))  # there already: the first one stays
    with GameStore(tmp_path, {"seed": 1}) as store:
        assert store.done() == {(0, 0), (1, 0)}
        first, second = store.games(5)
        for name in ("seating", "holder", "shares", "truncated", "reason", "rounds", "decisions"):
            assert getattr(first, name) == getattr(played, name)
        assert (first.seconds == played.seconds).all()
        assert (first.movers == played.movers).all()
        assert (second.failed_seat, second.failure) == (1, "ran away")
        (text,) = store.records()
        (tmp_path / "one.jsonl").write_text(text)
        assert Record.read(tmp_path / "one.jsonl").text == played.record
        assert store.forget_failures() == 1
        assert store.done() == {(0, 0)}


def test_a_store_of_another_tournament_or_kind_is_refused(tmp_path):
    GameStore(tmp_path, {"seed": 1, "agents": ["a", "b"]}).close()
    with pytest.raises(StoreError, match=r"holds another run \(agents \['a', 'b'\], not \['a', 'c'\]\).*--out"):
        GameStore(tmp_path, {"seed": 1, "agents": ["a", "c"]})
    from gosu_rl.arena.store import Store

    with pytest.raises(StoreError, match=r"kind tournament, not winrates"):
        Store(tmp_path, {"seed": 1, "agents": ["a", "b"]}, np.dtype("u8"), (1, 2))


def test_a_full_disk_keeps_the_games_before(tmp_path):
    with GameStore(tmp_path, {"seed": 1}) as store:
        store.add(outcome(0, 0, (0, 1), (1.0, 0.0)))
        pages = store.database.execute("pragma page_count").fetchone()[0]
        store.database.execute(f"pragma max_page_count = {pages}")
        big = np.random.default_rng(1).bytes(40_000).hex()
        with pytest.raises(StoreError, match="the disk is full; games played so far are kept"):
            store.add(outcome(0, 1, (1, 0), (1.0, 0.0), record=big))
        assert store.done() == {(0, 0)}


def test_only_deals_before_the_first_gap_count():
    tournament = Tournament(SPEC, ("a", "b"), 1, 4)
    games = [outcome(deal, slot, (0, 1), (1.0, 0.0)) for deal, slot in [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)]]
    whole, kept = whole_deals(tournament, games)
    assert whole == 1
    assert [(one.deal, one.slot) for one in kept] == [(0, 0), (0, 1)]


def cells(table):
    return {(row[0], column): cell for row in table.rows for column, cell in zip(table.columns, row, strict=True)}


def hand_made():
    """Agent 0 beats 1 always; 1 beats 2 in three games of four; 2 and 0 share a win, and once 2 ran away."""
    games = []
    for deal in range(8):
        games.append(outcome(deal, 0, (0, 1), (1.0, 0.0), holder=1))
        games.append(outcome(deal, 1, (2, 1), (1.0, 0.0) if deal % 4 == 0 else (0.0, 1.0)))
        games.append(outcome(deal, 2, (0, 2), (0.5, 0.5)))
    games.append(outcome(7, 3, (2, 0), (0.0, 0.0), failed_seat=0, failure="ran away", holder=-1))
    games.append(outcome(7, 4, (2, 0), (0.0, 0.0), truncated=True))
    return games


def test_figures_by_hand():
    played = Played.read(["a", "b", "c"], 1, hand_made())
    assert estimates(payoff(played)) == pytest.approx(np.array([[0.5, 1, 0.5], [0, 0.5, 0.75], [0.5, 0.25, 0.5]]))
    found = {table.title: table for table in tables(played)}
    standing = cells(found["Standings"])
    assert standing["a", "win share a seat"].interval.estimate == 0.75
    assert standing["a", "wins shared"] == standing["c", "wins shared"] == 8
    assert standing["c", "games"] == 16
    assert standing["a", "rating"].interval.estimate > standing["c", "rating"].interval.estimate
    seats = cells(found["Win share by seat"])
    assert seats["a", "seat 0"].interval.estimate == 0.75
    assert np.isnan(seats["a", "seat 1"].interval.estimate)
    card = cells(found["Win share by Advantage card"])
    assert card["b", "given the card"].interval.estimate == 0
    assert card["b", "not given it"].interval.estimate == 0.75
    times = cells(found["Time a move"])
    assert times["b", "decisions"] == 16
    assert times["b", "mean"].interval.estimate == pytest.approx(0.2)
    assert times["a", "mean"].interval.estimate == pytest.approx((32 * 0.2 + 2 * 0.2) / 34)
    counts = cells(found["Games"])
    assert counts["finished", "games"] == 24
    assert counts["… with a shared win (T21)", "games"] == 8
    assert counts["truncated, left out (T45)", "games"] == 1
    assert counts["spoiled by an agent", "games"] == 1
    assert found["Spoiled games by agent"].rows == [["c", 1, 18]]
    assert found["Spoiled games"].rows[0][1:3] == ["c", "0"]
    assert found["Spoiled games"].rows[0][-1] == "ran away"


def test_who_spoils_a_game_may_lose_it():
    played = Played.read(["a", "b", "c"], 1, hand_made(), forfeit=True)
    assert payoff(played)[0][2].estimate == pytest.approx((4 + 1) / 9)


def test_payoffs_at_larger_tables_compare_two_at_a_time():
    games = [
        outcome(0, 0, (0, 1, 2), (1.0, 0.0, 0.0)),
        outcome(0, 1, (0, 1, 2), (0.0, 1.0, 0.0)),
        outcome(1, 0, (0, 1, 2), (0.0, 0.0, 1.0)),
        outcome(1, 1, (1, 2, 0), (0.0, 0.5, 0.5)),
        outcome(1, 2, (0, 0, 1), (0.5, 0.5, 0.0)),
    ]
    matrix = estimates(payoff(Played.read(["a", "b", "c"], 1, games)))
    assert matrix[0, 1] == pytest.approx(2 / 3)  # 1 + 0.5 + (a seat of) 0.5 against 1
    assert matrix[0, 2] == pytest.approx(1.5 / 3)


def test_nothing_but_spoiled_games_has_tables_too():
    played = Played.read(["a", "b"], 1, [spoiled(Job(0, 0, 5, (1, 0)), None, "died")])
    found = {table.title: table for table in tables(played)}
    assert found["Spoiled games"].rows[0][1] == "not known which"
    assert all(
        np.isnan(cell.interval.estimate) for row in found["Standings"].rows for cell in row if isinstance(cell, Figure)
    )


@pytest.mark.parametrize(
    ("agents", "more", "words"),
    [
        (("a",), {}, "at least two different agents"),
        (("a", "a"), {}, "'a' is named twice"),
        (("a", ""), {}, "empty name"),
        (("a", "human"), {}, "no human"),
        (("a", "b"), {"deals": 0}, "--deals must be at least 1"),
        (("a", "b"), {"move_limit": -1.0}, "--move-limit must be 0"),
        (("a", "b"), {"move_limit": float("nan")}, "--move-limit must be 0 .* not nan"),
        (("a", "b"), {"move_limit": float("inf")}, "--move-limit must be 0 .* not inf"),
        (("a", "b"), {"seed": -1}, "--seed must lie"),
    ],
)
def test_bad_tournaments_are_one_clear_line(agents, more, words):
    with pytest.raises(ValueError, match=words) as caught:
        Tournament(SPEC, agents, **{"seed": 1, "deals": 4, **more})
    assert "\n" not in str(caught.value)


def test_agents_that_cannot_be_made_are_found_before_the_first_game():
    with pytest.raises(ValueError, match="agent 'odd_agents:Unmade' cannot be made: RuntimeError: no model file"):
        check_agents(("random", "odd_agents:Unmade"))


def test_more_deals_go_on_with_the_same_ones():
    few, many = (list(Tournament(SPEC, ("a", "b", "c"), 4, deals).jobs()) for deals in (3, 9))
    assert many[: len(few)] == few
    assert json.dumps([job.seed for job in few]) == json.dumps([job.seed for job in many[: len(few)]])


@pytest.mark.parametrize(
    "specs",
    [
        ("random", "mcts:sims=4,c=1"),
        ("pipe:python a.py 1,2", "greedy"),
        ("pipe:python a.py,limit=3", "odd_agents:First"),
    ],
)
def test_the_command_names_the_same_agents_again(specs):
    assert split_specs(joined(specs)) == specs
