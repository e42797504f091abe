"""Every agent in every seat, every pair equally often: for any number of agents."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gosu_rl.arena.schedule import FULL_UP_TO, Schedule


def seats(schedule, deals):
    count = np.zeros((schedule.agents, schedule.players), int)
    for deal in range(deals):
        for seating in schedule.seatings(deal):
            for seat, agent in enumerate(seating):
                count[agent, seat] += 1
    return count


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 15), st.integers(2, 4), st.sampled_from(["auto", "balanced"]), st.integers(1, 2))
def test_every_pair_and_every_seat_equally_often(agents, players, mode, cycles):
    if mode == "balanced" and agents <= players:
        return
    schedule = Schedule(agents, players, mode)
    deals = cycles * schedule.cycle
    met = schedule.meetings(deals)
    assert len(set(met[~np.eye(agents, dtype=bool)])) == 1
    assert met[0, 1] > 0
    count = seats(schedule, deals)
    assert (count == count[0, 0]).all()
    each = seats(schedule, 1)  # in every single deal all play equally often, and in every seat
    assert (each == each[0, 0]).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 12), st.integers(2, 4), st.integers(0, 50))
def test_every_group_gets_every_hand_of_its_deal(agents, players, deal):
    if agents <= players:
        return
    games = Schedule(agents, players, "balanced").seatings(deal)
    assert len(set(games)) == len(games)
    groups = {}
    for seating in games:
        assert len(set(seating)) == players
        groups.setdefault(frozenset(seating), []).append(seating)
    for group, seatings in groups.items():
        for agent in group:
            assert sorted(seating.index(agent) for seating in seatings) == list(range(players))


@pytest.mark.parametrize(
    ("agents", "players", "games"), [(2, 2, 2), (4, 2, 12), (3, 3, 6), (4, 3, 24), (4, 4, 24), (2, 3, 6), (2, 4, 14)]
)
def test_few_agents_take_all_seat_assignments(agents, players, games):
    schedule = Schedule(agents, players)
    assert schedule.kind == "full"
    found = schedule.seatings(5)
    assert len(found) == len(set(found)) == games
    every = itertools.product(range(agents), repeat=players)
    distinct = min(agents, players)
    wanted = {word for word in every if len(set(word)) == distinct or (agents < players and len(set(word)) > 1)}
    assert set(found) == wanted


def test_many_agents_take_a_balanced_part():
    assert Schedule(8, 2).kind == "full"
    assert Schedule(9, 2).kind == "balanced"
    assert len(Schedule(20, 4).seatings(0)) == 80
    assert Schedule(7, 3, "balanced").cycle == 1  # Fano's plane: seven groups of three let all pairs meet once
    assert len(Schedule(13, 4, "balanced").seatings(0)) == 13 * 4  # the projective plane of order three
    assert Schedule(9, 3).whole(10) == 12
    assert FULL_UP_TO >= 60


def test_neighbours_change_from_cycle_to_cycle():
    schedule = Schedule(5, 4, "balanced")
    left = {
        frozenset((seating[0], seating[1]) for seating in schedule.seatings(cycle * schedule.cycle))
        for cycle in range(6)
    }
    assert len(left) == 6


@pytest.mark.parametrize(
    ("agents", "players", "mode", "words"),
    [
        (1, 2, "auto", "at least two"),
        (3, 3, "balanced", "more agents than seats"),
        (3, 2, "swiss", "no schedule 'swiss'"),
    ],
)
def test_what_does_not_fit_is_one_clear_line(agents, players, mode, words):
    with pytest.raises(ValueError, match=words) as caught:
        Schedule(agents, players, mode)
    assert "\n" not in str(caught.value)
