"""Do the measures find what is in the games? Checked on games made by hand and on a model with known win rates."""

import numpy as np
import pytest
from fake_game import DTYPE, REASONS, FakeGame
from scipy.stats import norm

from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.runner import play_block
from gosu_rl.arena.winrates import Games, measure


def plan_of(*agents, players=2, seed=1):
    return Plan(GameSpec("tactics", players), agents, seed)


def by_name(measures):
    return {(one.table, one.label): one for one in measures}


def hand_made(plan, deals):
    """Games of one battle each, seat 0 wins all; change what the test is about."""
    rows = np.zeros((deals, len(plan.seatings), plan.players), DTYPE)
    rows["first_holder"] = np.arange(plan.players)
    rows["share"][..., 0] = 1
    rows["reason"], rows["rounds"], rows["battles"] = 1, 1, 1
    rows["battle_holder"] = -1
    rows["battle_holder"][..., 0] = rows["first_holder"]
    rows["battle_top"][..., 0] = rows["battle_scored"][..., 0] = 1
    return rows


CARD = "Effect of being given the card (same deals, card given to another seat)"


def test_a_winner_by_seat_is_not_an_effect_of_the_card():
    found = by_name(measure(plan_of("a"), hand_made(plan_of("a"), 30), REASONS))
    assert found["Win share by seat", "seat 0"].interval.estimate == 1
    assert found["Win share by seat", "seat 1"].interval.estimate == 0
    assert found["Win share of the first holder", "any seat"].interval.estimate == 0.5
    assert found["Win share of the first holder", "seat 1"].interval.estimate == 0
    assert found[CARD, "any seat"].interval.estimate == 0
    assert found["Win share by place in the first round", "second to move"].interval.estimate == 0.5


def test_a_card_that_always_wins_is_worth_everything():
    plan = plan_of("a", players=3)
    rows = hand_made(plan, 30)
    for holder in range(3):
        rows["share"][:, :, holder, :3] = np.eye(3)[holder]
    found = by_name(measure(plan, rows, REASONS))
    for label in ("any seat", "seat 0", "seat 1", "seat 2"):
        assert found[CARD, label].interval.estimate == 1
        assert found["Win share of the first holder", label].interval.estimate == 1
    assert found["Win share by seat", "seat 2"].interval.estimate == pytest.approx(1 / 3)
    assert found["Win share by place in the first round", "third to move"].interval.estimate == 0


def test_the_model_gives_back_its_known_win_rate():
    game, plan = FakeGame(bonus=0.8, noise=0.5), plan_of("greedy", seed=3)
    found = by_name(measure(plan, play_block(game, plan, 0, 3000), REASONS))
    truth = norm.cdf(0.8 / np.sqrt(2 * (1 + 0.25)))  # 0.694
    holder = found["Win share of the first holder", "any seat"].interval
    assert holder.low < truth < holder.high
    assert holder.half_width < 0.02
    effect = found[CARD, "any seat"].interval
    assert effect.estimate == pytest.approx(2 * holder.estimate - 1)  # two players: mine plus yours is one
    assert effect.low < 2 * truth - 1 < effect.high
    for seat in ("seat 0", "seat 1"):
        assert found["Win share by seat", seat].interval.low < 0.5 < found["Win share by seat", seat].interval.high


def test_the_average_over_given_holders_is_the_win_rate_of_a_drawn_holder():
    game, plan = FakeGame(players=3, bonus=0.6), plan_of("greedy", players=3, seed=5)
    given = by_name(measure(plan, play_block(game, plan, 0, 2000), REASONS))
    drawn = game.play_many(["greedy"] * 3, plan.deal_seeds(0, 6000))
    rate = drawn["share"][np.arange(6000), drawn["first_holder"]].mean()
    found = given["Win share of the first holder", "any seat"].interval
    assert abs(found.estimate - rate) < 3.5 * (found.half_width / 1.96 + 0.5 / 6000**0.5)


def test_pairing_on_the_deal_narrows_the_effect():
    game, plan = FakeGame(bonus=0.3, noise=0.1), plan_of("greedy", seed=7)
    rows = play_block(game, plan, 0, 1500)
    paired = by_name(measure(plan, rows, REASONS))[CARD, "seat 0"].interval
    share = rows["share"][:, 0, :, 0].astype(float)
    unpaired = 1.96 * (share[:, 0].var() / 1500 + share[:, 1].var() / 1500) ** 0.5
    assert paired.half_width < 0.6 * unpaired


def test_agents_are_told_apart_from_seats_and_card():
    game, plan = FakeGame(bonus=0.5, noise=0.5, skill={"good": 1.0, "bad": 0.0}), plan_of("good", "bad", seed=2)
    assert plan.seatings == (("good", "bad"), ("bad", "good"))
    found = by_name(measure(plan, play_block(game, plan, 0, 1500), REASONS))
    good = found["Win share by agent", "good"].interval
    truth = (norm.cdf(1.5 / np.sqrt(2.5)) + norm.cdf(0.5 / np.sqrt(2.5))) / 2
    assert good.low < truth < good.high
    assert good.estimate + found["Win share by agent", "bad"].interval.estimate == pytest.approx(1)
    held = found["Win share by agent and card", "good, given the card"].interval
    assert held.low < norm.cdf(1.5 / np.sqrt(2.5)) < held.high
    assert found["Win share by seat", "seat 0"].interval.low < 0.5 < found["Win share by seat", "seat 0"].interval.high


def test_an_agent_in_two_seats_gets_its_mean_share():
    plan = plan_of("a", "a", "b", players=3)
    assert len(plan.seatings) == 3
    rows = hand_made(plan, 20)
    rows["share"] = 0
    for index, seating in enumerate(plan.seatings):
        rows["share"][:, index, :, seating.index("b")] = 1
    found = by_name(measure(plan, rows, REASONS))
    assert found["Win share by agent", "b"].interval.estimate == 1
    assert found["Win share by agent", "a"].interval.estimate == 0
    assert found["Win share by agent", "a"].games == 2 * 20 * 3 * 3
    assert found["Win share by seat", "seat 1"].interval.estimate == pytest.approx(1 / 3)


def test_shared_wins_count_in_parts():
    plan = plan_of("a", players=3)
    rows = hand_made(plan, 10)
    rows["share"][..., :3] = np.float32(1 / 3)
    found = by_name(measure(plan, rows, REASONS))
    assert found["Win share by seat", "seat 1"].interval.estimate == pytest.approx(1 / 3, abs=1e-12)
    assert found["Won by", "(shared wins among them)"].interval.estimate == 1


def test_truncated_games_are_counted_beside_and_nowhere_else():
    plan = plan_of("a")
    rows = hand_made(plan, 20)
    rows["share"][:5, 0, 1], rows["truncated"][:5, 0, 1], rows["reason"][:5, 0, 1] = 0, True, 4
    rows["rounds"][:5, 0, 1] = 99
    found = by_name(measure(plan, rows, REASONS))
    assert found["Limits", "truncated games, left out above (T45)"].interval.estimate == 5 / 40
    assert found["Win share by seat", "seat 0"].interval.estimate == 1
    assert found["Win share by seat", "seat 0"].games == 35
    assert found["A game", "rounds, mean"].interval.estimate == 1
    assert found[CARD, "any seat"].interval.blocks == 15  # a deal with a game missing has no pair


def test_battles_by_hand():
    """Battle 1: the holder (0) is tied with seat 1 and takes it. Battle 2: seat 1 holds, seat 0 wins alone."""
    plan = plan_of("a")
    rows = hand_made(plan, 8)
    rows["battles"] = 2
    rows["battle_holder"][..., 0], rows["battle_top"][..., 0], rows["battle_scored"][..., 0] = 0, 0b11, 0b01
    rows["battle_holder"][..., 1], rows["battle_top"][..., 1], rows["battle_scored"][..., 1] = 1, 0b01, 0b01
    found = {key: one.interval.estimate for key, one in by_name(measure(plan, rows, REASONS)).items()}
    assert found["Battles tied at the top", "battle 1"] == 1
    assert found["Battles decided by the card", "battle 1"] == 1
    assert found["Battles decided by the card", "all battles"] == 0.5
    assert found["Battles won by the holder", "battle 1"] == 1
    assert found["Battles won by the holder", "battle 2"] == 0
    assert found["Games won by who holds the card at that battle", "battle 2"] == 0
    assert found["Card still with the first holder", "battle 1"] == 0.5  # begun by 0 in half of the games


def test_a_tie_without_the_holder_is_not_decided_by_the_card():
    plan = plan_of("a", players=3)
    rows = hand_made(plan, 4)
    rows["battle_holder"][..., 0], rows["battle_top"][..., 0], rows["battle_scored"][..., 0] = 2, 0b011, 0b011
    found = {key: one.interval.estimate for key, one in by_name(measure(plan, rows, REASONS)).items()}
    assert found["Battles tied at the top", "battle 1"] == 1
    assert found["Battles decided by the card", "battle 1"] == 0
    assert found["Battles won by the holder", "battle 1"] == 0


def test_games_that_are_not_the_plans_are_refused():
    plan = plan_of("a")
    rows = hand_made(plan, 3)
    rows["first_holder"] = 0
    with pytest.raises(ValueError, match="begun by"):
        Games.read(plan, rows, REASONS)
    rows = hand_made(plan, 3)
    rows["share"] = 0
    with pytest.raises(ValueError, match="add up"):
        Games.read(plan, rows, REASONS)
    with pytest.raises(ValueError, match="whole deals"):
        Games.read(plan, hand_made(plan, 3)[:0], REASONS)
