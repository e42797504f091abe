"""Mutations: G7, G20, G23."""

from __future__ import annotations

import pytest

import gosu_rl

from .table import army, asked, discards, hand, legal, play, player, position, sizes, tokens

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("G7")
def test_g7_discard_then_arrival_then_the_mutation_power() -> None:
    """Each of three steps draws a card; who draws which shows the order: watcher, newcomer, mutated goblin."""
    state = position(
        """
        p0:
          hand: Drawer
          army 1: Turncoat
          army 2: Watcher
        p1:
          hand: Dark Grunt
        draw_pile: Dark Hero, Dark Guard, Dark Boss, rest
        """
    )
    play(state, "play Drawer", "replace 1.1")
    assert discards(state) == ["Turncoat"]
    assert hand(state, 0) == ["Dark Hero"]  # the watcher's, before anything arrived
    assert army(state, 0)[0] == ["Drawer"]
    assert asked(state) == (0, "offer")
    play(state, "accept")
    assert hand(state, 0) == ["Dark Boss", "Dark Guard", "Dark Hero"]  # the newcomer's, then the mutated goblin's
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("G7")
def test_g7_the_newcomers_power_comes_before_the_mutation_power() -> None:
    state = position(
        """
        p0:
          hand: Herald, Fire Grunt
          army 1: Turncoat
        p1:
          hand: Dark Grunt
        """
    )
    play(state, "play Herald", "replace 1.1")
    assert asked(state) == (0, "offer")
    assert state.as_dict()["power"] == {"card": "Herald", "name": "herald"}
    assert sizes(state)[0] == 1  # the Turncoat's card has not been drawn yet
    play(state, "decline")
    assert sizes(state)[0] == 2


@pytest.mark.ruling("G7")
def test_g7_no_zombie_rises_from_its_own_payment() -> None:
    state = position(
        """
        p0:
          hand: Fire Grunt
          army 1: Digger
        discard_pile: Dark Scout
        """
    )
    assert "take Dark Scout" in legal(state)
    assert "take Fire Grunt" not in legal(state)


@pytest.mark.ruling("G25")
@pytest.mark.parametrize(
    ("standing", "waiting", "may"), [("Digger", "Fire Scout", True), ("Fire Scout", "Digger", False)]
)
def test_g25_the_zombie_is_the_goblin_that_is_replaced(standing: str, waiting: str, may: bool) -> None:
    state = position(f"p0:\n  hand: Fire Grunt\n  army 1: {standing}\ndiscard_pile: {waiting}")
    assert (f"take {waiting}" in legal(state)) == may


@pytest.mark.ruling("G20")
def test_g20_neighbours_do_not_become_free_and_nobody_is_destroyed() -> None:
    state = position(
        """
        p0:
          hand: Burner
          army 1: Fire Grunt, Turncoat
        p1:
          hand: Dark Grunt
        """
    )
    play(state, "play Burner", "replace 1.2")
    assert army(state, 0) == [["Fire Grunt", "Burner"]]
    assert legal(state) == {"decline", "target p0 1.2"}


@pytest.mark.ruling("G20")
def test_g20_a_game_won_between_discard_and_arrival_ends_there() -> None:
    """The Grabber takes the Advantage token at the discard, which is what the Holder wins with."""
    state = position(
        """
        p0:
          hand: Fire Scout, Dark Hero
          army 1: Well, Grabber
          army 2: Fire Hero
          army 3: Holder
        p1:
          hand: Dark Grunt
        now: advantage=p1
        """
    )
    play(state, "play Fire Scout", "replace 1.1")
    assert state.reason == "condition"
    assert state.shares.tolist() == [1, 0]
    assert army(state, 0) == [["Grabber"], ["Fire Hero"], ["Holder"]]
    assert state.as_dict()["set_aside"] == ["Fire Scout"]
    assert discards(state) == ["Well"]
    assert state.game.parse(str(state)) == state
    for seat in (0, 1):
        view = state.view(seat)
        assert state.game.parse(str(view)) == view
        assert state.observation(seat).min() >= 0


@pytest.mark.ruling("G20")
def test_g20_the_empty_slot_takes_no_card_out_of_the_unseen_ones() -> None:
    """Found by the fuzzer: the number of no copy, -1, ended as bit 63, so that copy 63 passed for placed."""
    game = gosu_rl.game("gosu")
    state = game.parse(
        "gosu, 2 players\nover: condition\np0: won=1\n  army 1: (-)\n  hand: \np1:\n  hand: Dom\ndraw_pile: rest\n"
    )
    for seat in (0, 1):
        view = state.view(seat)
        world = view.determinize(seed=5)
        assert world.view(seat) == view
        assert sorted(world.as_dict()["draw_pile"] + world.as_dict()["players"][1]["hand"]) == sorted(
            state.as_dict()["draw_pile"] + ["Dom"]
        )


@pytest.mark.ruling("G23")
def test_g23_watchers_draw_in_the_order_of_slots_and_must() -> None:
    state = position(
        """
        p0:
          hand: Fire Scout
          army 1: Well, Grabber
          army 2: Watcher
        p1:
          hand: Dark Grunt
        now: advantage=p1
        """
    )
    play(state, "play Fire Scout", "replace 1.1")
    assert state.advantage == 0
    assert sizes(state)[0] == 1
    assert asked(state) == (1, "turn")
    assert tokens(state, 0) == (2, 0, [])


@pytest.mark.ruling("G23")
def test_g23_a_trapped_watcher_and_the_mutated_goblin_itself_watch_nothing() -> None:
    state = position(
        """
        p0:
          hand: Fire Scout
          army 1: Well, (Grabber)
        p1:
          hand: Dark Grunt
        now: advantage=p1
        """
    )
    play(state, "play Fire Scout", "replace 1.1")
    assert state.advantage == 1
    assert player(state, 0)["hand_size"] == 0
