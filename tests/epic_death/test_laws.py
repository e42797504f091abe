"""Laws of Epic Death over random games: invariants, views, worlds, observations, texts; and that games end."""

from __future__ import annotations

import os
import random
from collections import Counter

import numpy as np
import pytest
from how_often import times_more

from gosu_rl.core.epic_death.state import KINDS
from gosu_rl.core.game import Game

from .conftest import BENDS, cases, epic, stroll
from .invariants import faults

GAMES = list(cases())
IDS = [f"{game.players}p-{game.card_set.name}-{game.rules['layout']}" for game in GAMES]
NOJIT = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
STEPS = 120 if NOJIT else 700 if times_more() == 1 else 1500
# Random games of each kind; three where `make test-bounds` asks for more.
WALKS = range(1 if NOJIT or times_more() == 1 else 3)


@pytest.mark.nojit
@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_every_card_land_and_token_is_in_one_place(game: Game) -> None:
    for seed in WALKS:
        for state in stroll(game, seed, STEPS):
            assert list(faults(state)) == [], f"seed {seed}, decision {state.decisions}\n{state}"


@pytest.mark.nojit
@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_a_world_drawn_for_a_view_gives_the_same_view(game: Game) -> None:
    chance = random.Random(1)
    for state in (state for seed in WALKS for state in stroll(game, 11 + 100 * seed, STEPS)):
        if chance.random() > 0.08:
            continue
        p = chance.randrange(game.players)
        view = state.view(p)
        world = view.determinize(seed=state.decisions)
        assert list(faults(world)) == []
        assert world.view(p) == view
        assert view.view(p) == view
        seen, mask = view.perceive(p)
        assert np.isfinite(seen).all()
        assert (seen >= 0).all()
        for other in (state, world):
            again, legal = other.perceive(p)
            assert (again == seen).all()
            assert (legal == mask).all()
        assert view.legal == (state.legal if state.mover == p else [])
        for seat in range(game.players):
            hand = Counter(state.as_dict()["players"][seat]["hand"])
            assert not Counter(view.known_hand(seat)) - hand, "what is said to be known is there"
            assert not Counter(view.known_hand(seat)) - Counter(world.as_dict()["players"][seat]["hand"])


@pytest.mark.nojit
@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_positions_are_written_and_read_byte_for_byte(game: Game) -> None:
    chance = random.Random(2)
    for state in (state for seed in WALKS for state in stroll(game, 12 + 100 * seed, STEPS)):
        if chance.random() < 0.05:
            assert game.parse(str(state)) == state
            view = state.view(chance.randrange(game.players))
            assert game.parse(str(view)) == view
            assert state.copy() == state
            assert view.as_dict()["viewer"] == view.viewer


@pytest.mark.parametrize("game", GAMES, ids=IDS)
def test_worlds_can_be_played_on(game: Game) -> None:
    chance = random.Random(3)
    for state in (state for seed in WALKS for state in stroll(game, 13 + 100 * seed, STEPS // 2)):
        if state.over or chance.random() > 0.02:
            continue
        world = state.view(chance.randrange(game.players)).determinize(seed=state.decisions)
        for _ in range(60):
            if world.over:
                break
            world.apply(chance.choice(world.legal))
            assert list(faults(world)) == []


def test_every_kind_of_decision_is_reached() -> None:
    seen = {state.kind for game in GAMES for seed in range(4) for state in stroll(game, 100 + seed, 800)}
    assert seen >= set(KINDS) - {"over"}


@pytest.mark.parametrize(("players", "layout"), [(2, 1), (4, 1), (2, 2), (6, 2), (3, 3), (6, 3)])
def test_random_games_end(players: int, layout: int) -> None:
    games = epic(players, layout).playouts(1000, seed=1)
    assert games.truncated.mean() <= 0.01
    assert np.abs(games.returns.sum(axis=1)).max() < 1e-9
    assert set(games.reasons[~games.truncated]) == {"towns"}


@pytest.mark.parametrize(("players", "layout"), [(2, 1), (3, 2), (4, 3), (6, 2)])
def test_greedy_games_end_and_greedy_beats_random(players: int, layout: int) -> None:
    game = epic(players, layout)
    seeds = np.arange(200, dtype=np.uint64)
    alone = game.play_many(["greedy"] * players, seeds)
    assert alone["truncated"].mean() <= 0.01
    rows = game.play_many(["greedy"] + ["random"] * (players - 1), seeds)
    assert rows["share"][:, 0].mean() > 2.5 / players if players > 2 else rows["share"][:, 0].mean() > 0.85
    assert set(rows["leader"][:, :players].ravel()) <= set(range(12))
    assert (rows["points"].sum(axis=1) > 0).all()


@pytest.mark.parametrize("players", [2, 4])
def test_greedy_plays_the_steps_that_no_packaged_card_uses_better_than_chance(players: int) -> None:
    game = epic(players, 1, house=BENDS)
    seeds = np.arange(200, dtype=np.uint64)
    rows = game.play_many(["greedy"] + ["random"] * (players - 1), seeds)
    assert rows["share"][:, 0].mean() > (0.85 if players == 2 else 2.5 / players)
    assert game.play_many(["greedy"] * players, seeds)["truncated"].mean() <= 0.05


@pytest.mark.nojit
def test_the_deal_is_fair_and_hangs_on_the_seed_alone() -> None:
    game = epic(3, 2)
    assert game.new(seed=9) == game.new(seed=9)
    assert game.new(seed=9) != game.new(seed=10)
    if NOJIT:
        return
    leaders = Counter(game.new(seed=k).as_dict()["players"][0]["leader"] for k in range(1200))
    assert len(leaders) == 12
    assert min(leaders.values()) > 60, "100 each in the mean, with a standard deviation of 9.6"


def test_unseen_lands_of_one_terrain_are_one_bag() -> None:
    state = epic(2, 1).new(seed=3)
    view = state.view(0)
    towns = Counter(view.determinize(seed=k).as_dict()["field"]["3.3"]["land"] for k in range(900))
    assert set(towns) == {"Town Hall", "Market Town", "Bishop's Seat"}
    assert min(towns.values()) > 240, "300 each, with a standard deviation of 14"


def test_hidden_hands_are_drawn_uniformly() -> None:
    """Three unseen cards of a hand of one and a deck of two, over worlds of one view."""
    game = epic(2, 1, house=True)
    text = (
        "epic_death, 2 players\np0: at=1.3\np1: at=3.5\n  hand: Shout\n"
        "draw_pile: Gift, Ram\ndiscard_pile: rest\nfield: 1.2 (Meadow), 2.3 (Hamlet)\n"
    )
    view = game.parse(text).view(0)
    hands = Counter(view.determinize(seed=k).as_dict()["players"][1]["hand"][0] for k in range(900))
    assert set(hands) == {"Shout", "Gift", "Ram"}
    assert min(hands.values()) > 240
