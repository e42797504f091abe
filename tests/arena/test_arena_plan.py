"""The design of a measurement: seeds, seatings, and the identity of a run."""

import numpy as np
import pytest
from fake_game import FakeGame

from gosu_rl.agents import split_specs
from gosu_rl.arena.plan import GameSpec, Plan, agent_seed


def plan_of(*agents, players=2, seed=1):
    return Plan(GameSpec("tactics", players), agents, seed)


def test_deals_are_the_same_however_many_are_asked_for():
    plan = plan_of("greedy")
    assert (plan.deal_seeds(0, 1000)[300:310] == plan.deal_seeds(300, 310)).all()
    assert len(np.unique(plan.deal_seeds(0, 100_000))) == 100_000
    assert not np.isin(plan_of("greedy", seed=2).deal_seeds(0, 1000), plan.deal_seeds(0, 1000)).any()


@pytest.mark.parametrize(
    ("agents", "players", "seatings"),
    [(["a"], 4, 1), (["a", "a"], 2, 1), (["a", "b"], 2, 2), (["a", "b", "b"], 3, 3), (["a", "b", "c", "d"], 4, 24)],
)
def test_all_seatings_once(agents, players, seatings):
    plan = plan_of(*agents, players=players)
    assert len(set(plan.seatings)) == len(plan.seatings) == seatings
    assert plan.games_per_deal == seatings * players
    seats = np.array(
        [[(plan.seated[:, seat] == who).sum() for seat in range(players)] for who in range(len(plan.names))]
    )
    assert (seats == seats[:, :1]).all()  # each agent sits in each seat equally often


def test_seeds_of_agents_differ_by_deal_seat_and_seating():
    deals = [int(seed) for seed in plan_of("a").deal_seeds(0, 50)]
    seeds = {agent_seed(deal, seat, seating) for deal in deals for seat in range(4) for seating in range(24)}
    assert len(seeds) == 50 * 4 * 24
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert agent_seed(7, 1, 0) == agent_seed(7, 1, 0)


@pytest.mark.parametrize("agents", [["a", "b"], ["a", "b", "c", "d"], ["a", ""], []])
def test_a_wrong_number_of_agents_is_one_clear_line(agents):
    with pytest.raises(ValueError, match="--agents") as caught:
        plan_of(*agents, players=3)
    assert "\n" not in str(caught.value)


def test_agents_are_split_where_a_new_one_begins():
    assert split_specs("greedy,random") == ("greedy", "random")
    assert split_specs("mcts:sims=400,c=1.4,greedy") == ("mcts:sims=400,c=1.4", "greedy")
    assert split_specs("my.module:Bot,greedy") == ("my.module:Bot", "greedy")
    assert split_specs("greedy,") == ("greedy", "")
    assert split_specs("my.module:Bot:depth=3,quiet,random") == ("my.module:Bot:depth=3,quiet", "random")
    assert split_specs("greedy,nobody") == ("greedy", "nobody")
    assert split_specs("pipe:python a.py --x=1,limit=5,mcts") == ("pipe:python a.py --x=1,limit=5", "mcts")


def test_a_semicolon_and_repeated_options_part_agents_too():
    assert split_specs("pipe:python a.py 1,2; greedy") == ("pipe:python a.py 1,2", "greedy")
    assert split_specs("mcts:sims=4,c=1;") == ("mcts:sims=4,c=1",)
    assert split_specs(["a:B:x=1", "y=2,greedy", "c;d"]) == ("a:B:x=1", "y=2", "greedy", "c", "d")


def test_identity_changes_with_all_that_changes_the_games():
    def name(game=None, **changes):
        return plan_of("greedy", **changes).run_name(game or FakeGame())

    assert name() == name()
    assert name().startswith("winrates-tactics-2p-greedy-")
    others = [
        name(seed=2),
        name(FakeGame(cards="abd")),
        name(FakeGame(bonus=-3)),
        name(FakeGame(rules={"turns_after_pass": 2})),
    ]
    assert len({name(), *others}) == 5
