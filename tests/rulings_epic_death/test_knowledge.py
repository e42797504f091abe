"""Who knows what, and which questions are put."""

from __future__ import annotations

import pytest

from .table import asked, game, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

FREE = "field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)"


def mustering(*lines: str, players: int = 3):
    """p0 has his menu of Phase A before him."""
    return position("\n".join([*lines, FREE, "stack: turns p0 stage=2; muster p0"]), players, house=True)


@pytest.mark.ruling("E44")
def test_e44_hands_the_deck_face_down_lands_and_the_box_are_hidden() -> None:
    state = game(3).new(seed=4)
    view = state.view(1).as_dict()
    assert view["draw_pile"] == []
    assert view["draw_pile_size"] == 50 - 9
    assert [p["hand"] for q, p in enumerate(view["players"]) if q != 1] == [[], []]
    assert [p["hand_size"] for p in view["players"]] == [3, 3, 3]
    assert {land["land"] for land in view["field"].values()} == {None}
    assert view["box"] is None
    assert {land["terrain"] for land in view["field"].values()} == {"Woods", "River", "Wall", "Town"}


@pytest.mark.ruling("E44")
def test_e44_a_land_looked_at_is_known_to_who_looked() -> None:
    state = mustering("p0: at=1.3", "  hand: Spy", "p1: at=1.5", "p2: at=3.1")
    play(state, "play Spy")
    assert asked(state) == (0, "peek")
    assert legal(state) == {"space 1.2", "space 1.4", "space 2.3"}
    play(state, "space 1.4")
    assert state.view(0).as_dict()["field"]["1.4"] == {
        "terrain": "Woods",
        "land": "Meadow",
        "face_up": False,
        "peeked": [0],
    }
    assert state.view(1).as_dict()["field"]["1.4"] == {
        "terrain": "Woods",
        "land": None,
        "face_up": False,
        "peeked": [0],
    }
    for seed in range(5):
        assert state.view(0).determinize(seed).as_dict()["field"]["1.4"]["land"] == "Meadow"


@pytest.mark.ruling("E44")
def test_e44_a_card_taken_back_is_known_to_all_while_it_is_in_that_hand() -> None:
    state = mustering("p0: at=1.3", "  hand: Dig", "p1: at=1.5", "p2: at=3.1", "discard_pile: Gift, Duel")
    play(state, "play Dig", "take Gift")
    assert player(state, 0)["known"] == ["Gift"]
    assert state.view(2).known_hand(0) == ["Gift"]
    assert all(state.view(2).determinize(seed).as_dict()["players"][0]["hand"] == ["Gift"] for seed in range(5))
    play(state, "play Gift", "player p1")
    assert state.view(2).known_hand(0) == []


@pytest.mark.ruling("E45")
def test_e45_a_stolen_card_is_known_to_thief_and_victim_and_the_others_forget() -> None:
    state = mustering("p0: at=1.3", "  hand: Filch", "p1: at=1.5", "  hand: Gift*02, Ram", "p2: at=3.1")
    assert state.view(2).known_hand(1) == ["Gift"]
    play(state, "play Filch", "pass")
    taken = state.as_dict()["stolen"]
    assert len(taken) == 1
    assert player(state, 0)["hand"] == taken
    assert state.view(1).known_hand(0) == taken
    assert state.view(2).known_hand(0) == state.view(2).known_hand(1) == []
    kept = {"Gift", "Ram"} - set(taken)
    assert state.view(0).known_hand(1) == sorted(kept & {"Gift"}), "the thief remembers what he knew"
    assert state.view(2).as_dict()["stolen"] == []
    worlds = {state.view(2).determinize(seed).as_dict()["players"][0]["hand"][0] for seed in range(40)}
    assert len(worlds) > 5, "for p2 it can be any card that he does not see"


@pytest.mark.ruling("E45")
def test_e45_of_a_single_card_nobody_forgets() -> None:
    state = mustering("p0: at=1.3", "  hand: Filch", "p1: at=1.5", "  hand: Gift*02", "p2: at=3.1")
    play(state, "play Filch", "pass")
    assert state.view(2).known_hand(0) == ["Gift"]


@pytest.mark.ruling("E45")
def test_e45_the_copy_that_more_players_know_of_leaves_first() -> None:
    state = mustering("p0: at=1.3", "  hand: Hop*1, Hop/2*12", "p1: at=1.5", "p2: at=3.1")
    play(state, "play Hop", "space 1.2")
    assert "Hop*1" in str(state), "Hop/2, of which two knew, is played"


@pytest.mark.ruling("E45")
def test_e45_of_two_alike_cards_the_better_known_one_is_stolen() -> None:
    hops = 0
    for rng in range(60):
        state = mustering(
            "p0: at=1.3", "  hand: Filch", "p1: at=1.5", "  hand: Hop*0, Hop/2, Ram", "p2: at=3.1", f"now: rng={rng}"
        )
        play(state, "play Filch", "pass")
        if state.as_dict()["stolen"] == ["Hop"]:
            hops += 1
            assert state.view(0).known_hand(1) == [], "what the thief knew of may be what he took"
            assert state.view(1).known_hand(0) == ["Hop"]
    assert 27 <= hops <= 53, "each card of the hand is as likely as the others, so two of three are a Hop"


@pytest.mark.ruling("E45")
def test_e45_a_card_taken_back_and_forgotten_is_in_no_deck() -> None:
    state = mustering(
        "p0: at=1.3", "  hand: Dig, Ram", "p1: at=1.5", "  hand: Filch", "p2: at=3.1", "discard_pile: Gift, Duel"
    )
    play(state, "play Dig")
    play(passed(state), "take Gift")
    assert state.view(2).known_hand(0) == ["Gift"]
    while state.mover != 1 or "play Filch" not in legal(state):
        options = [label for label in ("pass", "skip", "stay", "draw 0") if label in legal(state)]
        play(state, options[0] if options else state.legal_labels[0])
    play(state, "play Filch")
    while state.kind in ("answer", "victim"):
        play(state, "player p0" if state.kind == "victim" else "pass")
    view = state.view(2)
    assert view.known_hand(0) == view.known_hand(1) == [], "p2 forgets whose hand it is in"
    seats = [view.determinize(seed).as_dict()["players"] for seed in range(60)]
    places = ["".join(str(q) for q in (0, 1) if "Gift" in seat[q]["hand"]) for seat in seats]
    assert set(places) == {"0", "1"}, "with either of them, and never in the deck"


@pytest.mark.ruling("E48")
def test_e48_what_public_facts_settle_is_not_asked() -> None:
    two = mustering("p0: at=1.3", "  hand: Plague", "p1: at=1.5 tokens=5", players=2)
    play(two, "play Plague")
    assert player(two, 1)["tokens"] == 1, "one player to name"
    whole = mustering("p0: at=1.3", "  hand: Purge", "p1: at=1.5", "  hand: Ram", "p2: at=3.1")
    play(whole, "play Purge", "pass", "player p1")
    assert player(whole, 1)["hand"] == [], "the whole hand must go"
    empty = position(f"p0: at=1.3\np1: at=1.5\n{FREE}", house=True)
    play(empty, "draw 0")
    assert asked(empty) == (0, "march"), "no menu for an empty hand without an ability"
    alike = mustering("p0: at=1.3", "  hand: Purge", "p1: at=1.5", "  hand: Ram, Ram/2", "p2: at=3.1")
    play(alike, "play Purge", "pass", "player p1")
    assert asked(alike) == (1, "discard"), "a pick from a larger hand is put even if all its cards are alike"


def test_after_a_reshuffle_old_cards_are_in_hands_only() -> None:
    state = position(
        f"p0: at=1.3\n  hand: Ram\np1: at=1.5\n  hand: Gift, Duel\ndraw_pile:\ndiscard_pile: rest\n{FREE}", house=True
    )
    play(state, "draw 1")
    assert state.shuffles == 1
    view = state.view(0)
    assert view.known_hand(1) == ["Duel", "Gift"], "by elimination"
    assert all(view.determinize(seed).as_dict()["players"][1]["hand"] == ["Duel", "Gift"] for seed in range(8))
    passed(state)
