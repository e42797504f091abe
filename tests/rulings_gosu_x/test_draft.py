"""The draft, the decks and the first hands: X1, X2, X17, X18."""

from __future__ import annotations

from collections import Counter

import pytest

from gosu_rl.core.cards.texts import CLANS

from .table import OTHER, OWN, asked, deck, game, hand, legal, play, player, position, sizes, starting

pytestmark = pytest.mark.nojit


def picks(*clans: str) -> list[str]:
    return [f"pick {clan}" for clan in clans]


@pytest.mark.ruling("X1")
@pytest.mark.ruling("X17")
def test_x1_x17_one_two_two_one_and_the_tiles_of_the_others_are_active() -> None:
    state = game().new(seed=3, advantage=1)
    seats = []
    for clan in ("Justice", "Goan Sul", "Tomorrow", "Galmi", "Phoenix", "Xi'an"):
        assert state.kind == "draft"
        seats.append(state.mover)
        assert f"pick {clan}" in legal(state)
        state.apply(f"pick {clan}")
    assert seats == [1, 0, 0, 1, 1, 0]
    found = state.as_dict()
    assert found["tiles"] == ["Abhilasha", "Narashima"]
    assert set(player(state, 1)["clans"]) == {"Justice", "Galmi", "Phoenix"}
    assert set(player(state, 0)["clans"]) == {"Goan Sul", "Tomorrow", "Xi'an"}
    assert asked(state) == (1, "mulligan")  # who picks first settles his hand first and begins the round
    assert sizes(state) == [7, 7]


@pytest.mark.ruling("X1")
def test_x1_a_deck_is_made_of_the_cards_of_its_clans() -> None:
    state = starting()
    for seat, clans in ((0, OWN), (1, OTHER)):
        cards = Counter(hand(state, seat)) + Counter(deck(state, seat))
        wanted = Counter[str | None]()
        for card in game().card_set.cards:
            if card.clan in clans.split(", "):
                wanted[card.label] += card.copies
        assert cards == wanted


@pytest.mark.ruling("X17")
def test_x17_a_picked_clan_is_gone_and_a_pick_is_public() -> None:
    state = play(game().new(seed=1, advantage=0), "pick Galmi")
    assert legal(state) == {f"pick {clan}" for clan in CLANS if clan != "Galmi"}
    assert state.view(0).as_dict()["draft"] == state.view(1).as_dict()["draft"] == ["Galmi"]


@pytest.mark.ruling("X17")
def test_x17_the_same_seed_deals_the_same_cards_whoever_drafts_first() -> None:
    one, two = (
        starting(5, first=0),
        game(draft="fixed:Goan Sul,Justice,Galmi,Tomorrow,Xi'an,Phoenix").new(5, advantage=1),
    )
    assert hand(one, 0) == hand(two, 0)
    assert deck(one, 1) == deck(two, 1)


@pytest.mark.ruling("X17")
def test_x17_a_random_draft_takes_six_different_clans() -> None:
    seen = set()
    for seed in range(20):
        state = game(draft="random").new(seed=seed, advantage=0)
        assert len(set(state.as_dict()["draft"])) == 6
        seen.add(tuple(state.as_dict()["draft"]))
    assert len(seen) > 15


@pytest.mark.ruling("X17")
def test_x17_a_fixed_draft_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="picked twice"):
        game(draft="fixed:Galmi,Galmi,Justice,Phoenix,Tomorrow,Xi'an")
    with pytest.raises(ValueError, match="no clan"):
        game(draft="fixed:Galmo,Goan Sul,Justice,Phoenix,Tomorrow,Xi'an")


@pytest.mark.ruling("X2")
@pytest.mark.ruling("X18")
def test_x2_x18_only_a_hand_of_at_most_one_troop_may_be_redrawn_but_all_are_asked() -> None:
    allowed = set()
    for seed in range(40):
        state = starting(seed)
        for _ in range(2):
            levels = {card.label: card.level for card in game().card_set.cards}
            troops = sum(levels[face] == 1 for face in hand(state, state.mover))
            assert state.kind == "mulligan"
            assert ("redraw" in legal(state)) == (troops < 2)
            allowed.add("redraw" in legal(state))
            state.apply("keep")
        assert state.kind == "turn"
    assert allowed == {True, False}


@pytest.mark.ruling("X18")
def test_x18_a_redraw_shuffles_the_hand_back_and_asks_again() -> None:
    state = position(
        """
        p0: shuffled=1
          hand: Phoenix, Finder, Seer, Judge, She Rift, Mover, Marvel
          deck: rest
        p1: shuffled=1
        stack: turns p0; mulligan p1; mulligan p0
        """
    )
    before = Counter(hand(state, 0)) + Counter(deck(state, 0))
    play(state, "redraw")
    assert asked(state) == (0, "mulligan")
    assert sizes(state)[0] == 7
    assert Counter(hand(state, 0)) + Counter(deck(state, 0)) == before
    assert state.view(1).known_hand(0) == []
    assert player(state, 0)["shuffles"] == 2


@pytest.mark.ruling("X18")
def test_x18_the_first_player_settles_his_hand_wholly_before_the_other() -> None:
    for seed in range(30):
        state = starting(seed, first=0)
        if "redraw" in legal(state):
            play(state, "redraw")
            assert asked(state) == (0, "mulligan")
            play(state, "keep")
            assert asked(state) == (1, "mulligan")
            return
    raise AssertionError("no hand with fewer than two Troops among thirty")
