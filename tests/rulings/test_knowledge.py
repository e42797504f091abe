"""Who knows what of hands and trapped cards (T48; the laws of views at large are tested elsewhere)."""

from __future__ import annotations

import pytest

from .table import army, hand, legal, play, player, position


@pytest.mark.ruling("T48")
def test_t48_the_known_copy_leaves_first() -> None:
    state = position("""
        p0:
          hand: Fire Scout*, Fire Scout, Dark Scout*
        p1:
          hand: Alpha Scout
        """)
    assert player(state.view(1), 0)["known"] == ["Dark Scout", "Fire Scout"]
    assert legal(state) == {"pass", "play Fire Scout", "play Dark Scout"}  # one action for both copies
    play(state, "play Fire Scout")
    assert player(state.view(1), 0)["known"] == ["Dark Scout"]  # the other one may be anything
    assert hand(state, 0) == ["Dark Scout", "Fire Scout"]


@pytest.mark.ruling("T48")
def test_t48_which_of_two_unknown_copies_leaves_is_a_toss_up() -> None:
    """They come from two shuffles, so that a fixed choice would tell which of them stays."""
    left = []
    for number in range(60):
        state = position(f"""
            now: era=1 shuffles=1 rng={number * 977 + 1}
            p0:
              hand: Fire Scout, Fire Scout
            p1:
              hand: Alpha Scout
            epoch 1: Fire Scout/2
            """)
        play(state, "play Fire Scout")
        left.append("Fire Scout/2" in str(state).split("hand:")[1].splitlines()[0])
    assert 15 < sum(left) < 45


@pytest.mark.ruling("T48")
def test_t48_trapped_cards_keep_a_public_face() -> None:
    state = position("p0:\n  hand: Fire Scout\n  army 1: Fire Trooper, (Dark Trooper)\np1:\n  hand: Alpha Scout")
    assert army(state.view(1), 0) == [["Fire Trooper", "(Dark Trooper)"]]


@pytest.mark.ruling("T48")
def test_t48_what_is_known_is_what_a_hand_holds_never_what_it_lacks() -> None:
    """Passing with a playable card, and keeping in a mulligan, leave every world open."""
    state = position("""
        now: in_turn=0
        p0:
          hand: Alpha Chief, Dark Hero*
        p1:
          hand: Alpha Scout
        stack: turns p0; refresh p0
        """)
    play(state, "keep", "pass")
    others = set()
    for seed in range(300):
        world = state.view(1).determinize(seed)
        cards = hand(world, 0)
        assert "Dark Hero" in cards
        cards.remove("Dark Hero")
        others.update(cards)
    playable = {"Fire Scout", "Dark Trooper", "Méka Scout", "Ancient Trooper", "Enter Draw"}
    assert playable & others  # he might have redrawn or recruited with one of these
    assert len(others) > 50


@pytest.mark.ruling("T48")
def test_t48_copies_of_a_face_are_alike() -> None:
    one = position("p0:\n  hand: Fire Scout/2\np1:\n  hand: Alpha Scout")
    two = position("p0:\n  hand: Fire Scout\np1:\n  hand: Alpha Scout")
    assert (legal(one), one.as_dict()["players"]) == (legal(two), two.as_dict()["players"])
    play(one, "play Fire Scout")
    play(two, "play Fire Scout")
    assert army(one, 0) == army(two, 0) == [["Fire Scout"]]
