"""Laws of states as values: text, pickles and copies give back the same bytes, for states and views of every kind of decision."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from law_cases import STYLES, corpus, games, name, walk

import gosu_rl
from gosu_rl.core.cards.schema import Card, CardSet


@pytest.mark.nojit
def test_text_gives_back_the_same_bytes() -> None:
    for k, state in enumerate(corpus()):
        for thing in (state, state.view(k % state.game.players), state.view(max(0, state.mover))):
            back = state.game.parse(str(thing))
            assert back.record.tobytes() == thing.record.tobytes(), f"{name(state)}\n{thing}"
            assert back == thing
            assert str(back) == str(thing)


def test_text_of_whole_games_gives_back_the_same_bytes() -> None:
    for g, one in enumerate(games()):
        for state in walk(one.new(seed=g), STYLES[g % 4], Random(g), most=120):
            assert one.parse(str(state)) == state
        assert one.parse(str(state)).legal == state.legal


def test_a_position_read_from_text_plays_on_alike() -> None:
    for state in corpus()[::3]:
        back = state.game.parse(str(state))
        there = walk(state.copy(), "uniform", Random(1), most=30)
        for one, other in zip(there, walk(back, "uniform", Random(1), most=30), strict=True):
            assert one == other


def test_pickles_give_back_the_same_bytes() -> None:
    for state in corpus()[::4]:
        for thing in (state, state.view(0)):
            back = pickle.loads(pickle.dumps(thing))
            assert back == thing
            assert back.record.tobytes() == thing.record.tobytes()
            assert back.legal_labels == thing.legal_labels
            if not thing.is_view and not thing.over:
                assert back.apply(back.legal[-1]) == state.copy().apply(state.legal[-1])


def test_a_pickled_game_is_the_same_game() -> None:
    for one in games():
        back = pickle.loads(pickle.dumps(one))
        assert back.labels == one.labels
        assert back.rules == one.rules
        assert back.new(seed=3) == one.new(seed=3)


def test_copies_are_equal_and_apart() -> None:
    for state in corpus()[::4]:
        for thing in (state, state.view(0), state.view(1)):
            for twin in (thing.copy(), copy.copy(thing), copy.deepcopy(thing)):
                assert twin == thing
                assert twin is not thing
                twin.record["points"][0, 0] += 1
                assert twin != thing


def test_states_of_different_games_are_not_equal() -> None:
    two, three = gosu_rl.game("tactics", 2), gosu_rl.game("tactics", 3)
    assert two.new(1) != three.new(1)
    assert two.new(1) == gosu_rl.game("tactics", 2).new(1)
    assert two.new(1) != gosu_rl.game("tactics", 2, rules={"hand_target": 6}).new(1)
    assert two.new(1) != two.new(1).view(0)
    assert two.new(1) != "a position"


def test_names_that_look_like_marks_are_read_back() -> None:
    """A card's name may end in an exclamation mark, which also marks a secret pick, or be the filler word `rest`."""
    plain = ["Boo", "Boo!", "rest", "none", "Wa (old)", "Hey ho!"]
    cards = tuple(Card(label, "Fire", 1, copies=2, strength=1) for label in plain)
    one = gosu_rl.game("tactics", 2, CardSet("marks", "tactics", "t", "1", "free", cards), {"deal": 4, "keep": 2})
    for seed in range(8):
        for state in walk(one.new(seed), "eager", Random(seed), most=40):
            assert one.parse(str(state)) == state
            assert one.parse(str(state.view(0))) == state.view(0)
