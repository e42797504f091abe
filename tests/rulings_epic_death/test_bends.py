"""Steps that no packaged card uses: random discards, Machines turned off, more tosses, long moves, changed places, and so on."""

from __future__ import annotations

from typing import Any

import pytest

from .table import asked, coins, conserved, dead, first_with, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

BENDS = "bends.toml"
FREE = "field: 1.2 (Meadow), 1.4 (Meadow/2), 2.3 (Hamlet)"


def bends(text: str, players: int = 2) -> Any:
    return position(text, players, house=BENDS)


def menu(mine: str, *more: str, phase: str = "A", players: int = 2, field: str = FREE) -> Any:
    """p0 has a menu before him, at 1.3 unless he says otherwise; 1.3 is an empty space of the usual field."""
    stack = {
        "A": "turns p0 stage=2; muster p0",
        "B": "turns p0 stage=3; march p0",
        "D": "turns p0 stage=5; regroup p0",
    }
    mine = mine if mine.startswith("at=") else f"at=1.3 {mine}"
    return bends("\n".join([f"now: phase={phase}", f"p0: {mine}", *more, field, f"stack: {stack[phase]}"]), players)


def fight(mine: str, *more: str, field: str = "1.2 (Meadow), rest", players: int = 2) -> Any:
    """The Phase C of p0, who fights the Land of 1.2."""
    return bends("\n".join(["now: phase=C", f"p0: at=1.2 back=1.1 {mine}", *more, f"field: {field}"]), players)


# ---------------------------------------------------------------- random discards


@pytest.mark.ruling("E54")
def test_e54_random_discards_are_seen_by_all_and_every_copy_is_as_likely() -> None:
    went: dict[str, int] = {}
    for rng in range(1, 121):
        state = menu("tokens=5", "  hand: Squall", "p1: at=1.5", "  hand: Ram, Ram/2, Spy, Rider")
        state.record["rng"][0] = rng
        play(state, "play Squall")
        facts = state.as_dict()
        assert len(facts["dropped"]) == 2
        assert sorted(facts["discard_pile"]) == sorted(["Squall", *facts["dropped"]])
        assert state.view(0).as_dict()["dropped"] == state.view(1).as_dict()["dropped"] == facts["dropped"]
        assert player(state, 1)["hand_size"] == 2
        for card in facts["dropped"]:
            went[card] = went.get(card, 0) + 1
    assert set(went) == {"Ram", "Spy", "Rider"}
    assert went["Ram"] == 240 - went["Spy"] - went["Rider"]
    assert 90 <= went["Ram"] <= 150, "two of the four cards: half of what goes"
    few = play(menu("tokens=5", "  hand: Squall", "p1: at=1.5", "  hand: Spy"), "play Squall")
    assert few.as_dict()["dropped"] == ["Spy"], "all, where there are fewer"
    none = play(menu("tokens=5", "  hand: Squall, Gate/9".replace(", Gate/9", ""), "p1: at=1.5"), "play Squall")
    assert none.as_dict()["dropped"] == []


@pytest.mark.ruling("E54")
def test_e54_of_alike_cards_the_one_that_more_players_know_goes() -> None:
    state = menu("tokens=5", "  hand: Squall", "p1: at=1.5", "  hand: Ram, Ram/2*0, Knife, Knife/2*0")
    play(state, "play Squall")
    left = player(state, 1)
    if len(set(left["hand"])) == 2:  # one of each has gone
        assert left["known"] == []
    else:
        assert left["known"] == left["hand"][:1]


@pytest.mark.ruling("E54")
def test_e54_a_lands_text_has_it_too_and_it_is_told_of_one_step_only() -> None:
    state = fight("tokens=9", "  hand: Spy", "p1: at=1.5", "  hand: Shout", field="1.2 (Gale), rest")
    assert state.as_dict()["dropped"] == ["Spy"]
    assert state.as_dict()["combat"]["extra_tosses"] == {0: 1}
    assert str(state.game.parse(str(state))) == str(state)
    play(state, "pass")
    assert state.as_dict()["dropped"] == []


# ---------------------------------------------------------------- Machines that do not count


@pytest.mark.ruling("E55")
def test_e55_a_machine_turned_off_gives_no_value_no_trait_and_meets_no_requirement() -> None:
    def wall(mine: str) -> Any:
        lines = f"now: phase=C\np0: at=2.2 back=1.2 tokens=9\n{mine}p1: at=1.5\n  hand: Jam, Shout\n"
        return bends(lines + "field: 2.2 (Gate), 2.3 (Hamlet), rest")

    state = wall("  army: Raft:1\n")
    play(state, "play Jam", "pass")
    assert len(coins(state)) == 10, "Defense 10, and not 10 - 1 - 1: nine loose ones and the crew"
    assert player(state, 0)["space"] == "1.2", "beaten with Attack 9"
    needy = bends(
        "now: phase=C\np0: at=2.2 back=1.2 tokens=9\n  army: Ram:2\np1: at=1.5\n  hand: Jam\n"
        "field: 2.2 (Siege Gate), 2.3 (Hamlet), rest"
    )
    play(needy, "play Jam")
    assert player(needy, 0)["conquest"] == []
    assert len(coins(needy)) == 2
    assert player(needy, 0)["machines"] == [["Ram", 2]], "its crew stays"
    assert conserved(needy)


@pytest.mark.ruling("E55")
def test_e55_who_plays_the_card_picks_of_several_faces() -> None:
    state = fight("tokens=9", "  army: Ram:1, Ram/2:2, Raft:1", "p1: at=1.5", "  hand: Jam, Jam/2, Shout")
    play(state, "play Jam")
    assert asked(state) == (1, "off")
    assert legal(state) == {"pick Ram", "pick Raft"}
    play(state, "pick Ram")
    assert state.as_dict()["combat"]["off"] == ["Ram"]
    assert "Ram:1^" in str(state), "of two alike the one with less crew"
    assert state.game.parse(str(state)).as_dict() == state.as_dict()
    copy = state.copy()
    play(copy, "play Jam", "pick Ram", "pass")
    assert len(coins(copy)) == 3, "Defense 4, less the Raft"
    play(state, "play Jam", "pick Raft", "pass")
    assert len(coins(state)) == 1, "Defense 4, less the Ram that counts"


@pytest.mark.ruling("E55")
def test_e55_one_face_is_not_asked_for_and_a_land_may_do_it() -> None:
    state = fight("tokens=9", "  army: Ram:2", "p1: at=1.5", "  hand: Shout", field="1.2 (Bog), rest")
    assert asked(state) == (1, "window")
    assert state.as_dict()["combat"]["off"] == ["Ram"]
    play(state, "pass")
    assert len(coins(state)) == 4
    assert state.as_dict()["combat"] is None
    assert "^" not in str(state), "only for that combat"
    empty = fight("tokens=9", "  army: Ram", "p1: at=1.5", "  hand: Shout, Jam")
    play(empty, "play Jam")
    assert empty.as_dict()["combat"]["off"] == [], "one without crew counts for nothing anyway"


# ---------------------------------------------------------------- more tosses


@pytest.mark.ruling("E56")
def test_e56_coins_more_in_a_combat() -> None:
    state = fight("tokens=9", "p1: at=1.5", "  hand: Grim Day, Shout")
    play(state, "play Grim Day")
    assert state.as_dict()["combat"]["extra_tosses"] == {0: 2}, "one Army fights: nobody need be named"
    assert str(state.game.parse(str(state))) == str(state)
    play(state, "pass")
    assert len(coins(state)) == 4 + 2
    few = fight("tokens=5", "p1: at=1.5", "  hand: Grim Day, Shout")
    play(few, "play Grim Day", "pass")
    assert len(coins(few)) == 5, "no more than there are"


@pytest.mark.ruling("E56")
def test_e56_in_a_fray_only_he_tosses_more_who_was_named() -> None:
    text = """
        now: phase=B
        p0: at=1.3 tokens=7
        p1: at=2.3 tokens={}
          hand: Grim Day, Shout
        field: 1.2 (Meadow), 1.4 (Meadow/2), 2.2 (Gate), 1.1 (Meadow/3)
        """.replace("2.2 (Gate), 1.1 (Meadow/3)", "1.1 (Meadow/3), 3.3 (Brook), 2.4 (Gate)")
    field = ", 2.3 (Hamlet)"
    tossed = []
    for theirs in (3, 0):
        state = bends(text.format(theirs).rstrip() + field + "\nstack: turns p0 stage=3; march p0")
        play(state, "space 2.3", "play Grim Day")
        assert legal(state) == {"player p0", "player p1"}
        play(state, "player p0", "pass")
        tossed.append(len(coins(state)))
    assert tossed == [3 + 3 + 2, 2], "the weaker Attack each, and two more; those even where there were none"


# ---------------------------------------------------------------- moves


@pytest.mark.ruling("E57")
def test_e57_the_first_step_must_be_made_the_others_may() -> None:
    state = menu("tokens=5", "  hand: Long Hop", "p1: at=3.5")
    play(state, "play Long Hop")
    assert asked(state) == (0, "step")
    assert "stay" not in legal(state)
    play(state, "space 1.2")
    assert asked(state) == (0, "step")
    assert legal(state) == {"stay", "space 1.1", "space 1.3", "space 2.2"}
    assert state.game.parse(str(state)).as_dict() == state.as_dict()
    stays = play(state.copy(), "stay")
    assert player(stays, 0)["space"] == "1.2"
    play(state, "space 1.1", "space 2.1")
    assert player(state, 0)["space"] == "2.1", "three steps, and no fourth is asked for"
    assert asked(state)[1] != "step"


@pytest.mark.ruling("E57")
def test_e57_a_step_onto_another_army_is_the_last() -> None:
    state = menu("tokens=5", "  hand: Drag, Shout", "p1: at=1.5 tokens=2", "p2: at=2.4 tokens=1", players=3)
    play(state, "play Drag", "player p1", "space 2.5", "space 2.4")
    assert asked(state) == (0, "window"), "a Fray of p1 and p2 at once"
    play(state, "pass")
    assert asked(state) == (2, "flee"), "and p1 does not go on"
    short = menu("tokens=5", "  hand: Drag", "p1: at=1.5 tokens=2", "p2: at=1.4 tokens=1", players=3)
    play(short, "play Drag", "player p1", "space 1.4")
    assert asked(short)[1] == "flee"
    play(short, "space 2.4")
    assert asked(short)[1] != "step", "one of the two steps is lost"


@pytest.mark.ruling("E63")
def test_e63_armies_exchange_their_spaces() -> None:
    state = menu("at=1.2 tokens=5 back=1.1", "  hand: Trade, Shout", "p1: at=1.4 back=1.5 tokens=3")
    play(state, "play Trade", "player p1")
    assert [player(state, seat)["space"] for seat in (0, 1)] == ["1.4", "1.2"]
    assert [player(state, seat)["back"] for seat in (0, 1)] == [None, None]
    assert not any(place["face_up"] for place in state.as_dict()["field"].values())
    assert player(state, 0)["fought"] == [], "no Fray"
    left = bends(
        "now: phase=A frayed=1\np0: at=1.3 tokens=9\n  hand: Trade\np1: at=1.4\n"
        f"{FREE}\nstack: turns p0 stage=2; muster p0"
    )
    play(left, "play Trade", "player p1")
    assert not left.as_dict()["frayed"], "left behind (E38)"
    assert player(left, 0)["conquest"] == ["Meadow"], "so the Land there is fought in this turn"
    alone = menu("at=1.2 tokens=5 back=1.1", "  hand: Trade, Shout", "p1: at=1.4")
    play(alone, "play Trade", "player p0")
    assert (player(alone, 0)["space"], player(alone, 0)["back"]) == ("1.2", "1.1")


# ---------------------------------------------------------------- a combat broken off, or none


@pytest.mark.ruling("E58")
def test_e58_a_retreat_at_once_without_tosses() -> None:
    state = fight("tokens=9", "  hand: Panic, Grim Day", "p1: at=1.5 tokens=4", "  hand: Shout, Wall Up")
    assert asked(state) == (0, "window")
    play(state, "play Panic")
    assert asked(state) == (0, "regroup"), "nobody else is asked, and Phase D comes"
    facts = state.as_dict()
    assert facts["coins"] == []
    assert facts["combat"] is None
    assert facts["field"]["1.2"] == {"terrain": "Woods", "land": "Meadow", "face_up": True, "peeked": []}
    assert player(state, 0) == {**player(state, 0), "space": "1.1", "tokens": 10, "conquest": []}
    assert facts["discard_pile"] == ["Panic"]
    assert (state.record["defense_plus"][0], state.record["open_door"][0]) == (0, 0)
    other = play(fight("tokens=9", "p1: at=1.5 tokens=4", "  hand: Panic, Shout"), "play Panic")
    assert player(other, 0)["space"] == "1.1", "the Army that fights goes, whoever plays the card"
    assert player(other, 1)["tokens"] == 5


@pytest.mark.ruling("E58")
def test_e58_into_an_occupied_space_it_is_a_fray_and_without_a_space_he_stays() -> None:
    state = fight(
        "tokens=9", "  hand: Panic", "p1: at=1.1 tokens=4", "  hand: Shout", field="1.2 (Meadow), 2.3 (Hamlet)"
    )
    play(state, "play Panic")
    assert asked(state) == (1, "window")
    assert state.as_dict()["combat"]["kind"] == "fray"
    assert state.as_dict()["effect"] == {"card": "Panic", "step": "retreat_now", "subject": 0}
    assert str(state.game.parse(str(state))) == str(state), "with a combat that is over on the stack"
    play(state, "pass")
    assert asked(state) == (1, "flee")
    play(state, "space 2.1")
    assert asked(state)[1] != "window"
    start = bends("now: phase=C\np0: at=1.1 tokens=9\n  hand: Panic, Shout\np1: at=3.5\nfield: 1.1 (Meadow), rest")
    play(start, "play Panic")
    assert player(start, 0)["space"] == "1.1"
    assert asked(start) == (0, "regroup")


@pytest.mark.ruling("E60")
def test_e60_the_next_phase_c_is_skipped_once() -> None:
    state = menu("at=1.2 back=1.1 tokens=9", "  hand: Feast, Feast/2, Shout, Spy", "p1: at=3.5", field="field: rest")
    play(state, "play Feast", "player p0", "play Feast", "player p0")
    assert player(state, 0)["no_combat"]
    assert "no_combat=1" in str(state)
    assert state.game.parse(str(state)).as_dict() == state.as_dict()
    play(state, "done", "stay")
    assert asked(state) == (0, "regroup"), "no combat"
    assert not player(state, 0)["no_combat"], "both of them used up"
    assert not state.as_dict()["field"]["1.2"]["face_up"]
    later = menu("at=1.2 back=1.1 tokens=9", "  hand: Feast, Shout", "p1: at=3.5", phase="D", field="field: rest")
    play(later, "play Feast", "player p0")
    assert player(later, 0)["no_combat"], "in Phase D it is about his next turn"
    idle = bends(
        "now: phase=B\np0: at=1.3 tokens=9 no_combat=1\n  hand: Shout\np1: at=3.5\n"
        + FREE
        + "\nstack: turns p0 stage=3; march p0"
    )
    play(idle, "stay")
    assert not player(idle, 0)["no_combat"], "also where there would have been no combat"


# ---------------------------------------------------------------- Lands


@pytest.mark.ruling("E59")
def test_e59_a_land_is_turned_up() -> None:
    state = menu("tokens=5", "  hand: Lantern, Shout", "p1: at=3.5", field=f"{FREE.replace('(Meadow)', '(Meadow)*01')}")
    play(state, "play Lantern")
    assert asked(state) == (0, "turn_up")
    assert legal(state) == {"space 1.2", "space 1.4", "space 2.3"}
    play(state, "space 1.2")
    for seen in (state, state.view(1)):
        assert seen.as_dict()["field"]["1.2"] == {"terrain": "Woods", "land": "Meadow", "face_up": True, "peeked": []}
    one = menu("tokens=5", "  hand: Lantern, Shout", "p1: at=3.5", field="field: 1.2 (Meadow), 2.3 Hamlet")
    play(one, "play Lantern")
    assert one.as_dict()["field"]["1.2"]["face_up"], "one: at once"
    none = menu("tokens=5", "  hand: Lantern, Shout", "p1: at=3.5", field="field: 1.2 Meadow, 2.3 Hamlet")
    play(none, "play Lantern")
    assert asked(none) == (0, "muster")


@pytest.mark.ruling("E64")
def test_e64_two_lands_change_places_and_who_knew_one_knows_it_there() -> None:
    field = "field: 1.2 (Meadow)*0, 1.4 (Den), 2.1 (Gale)*01, 2.5 (Bog), 3.2 Meadow/2, 2.2 (Gate), 2.3 (Hamlet)"
    state = menu("tokens=5", "  hand: Signpost, Shout", "p1: at=2.5", field=field)
    play(state, "play Signpost")
    assert asked(state) == (0, "swap_land")
    assert legal(state) == {"space 1.2", "space 1.4", "space 2.1"}, "face down, no Army, another of that terrain"
    play(state, "space 1.2")
    assert asked(state) == (0, "swap_with")
    assert legal(state) == {"space 1.4", "space 2.1"}
    assert state.game.parse(str(state)).as_dict() == state.as_dict()
    twins = play(state.copy(), "space 2.1")
    assert twins.as_dict()["field"]["1.2"]["peeked"] == [0, 1]
    assert twins.as_dict()["field"]["2.1"]["peeked"] == [0]
    play(state, "space 1.4")
    places = state.as_dict()["field"]
    assert (places["1.2"]["land"], places["1.4"]["land"]) == ("Den", "Meadow")
    assert (places["1.2"]["peeked"], places["1.4"]["peeked"]) == ([], [0])
    mine, theirs = state.view(0).as_dict()["field"], state.view(1).as_dict()["field"]
    assert (mine["1.2"]["land"], mine["1.4"]["land"]) == (None, "Meadow")
    assert (theirs["1.2"]["land"], theirs["1.4"]["land"]) == (None, None)
    pair = menu("tokens=5", "  hand: Signpost, Shout", "p1: at=3.5", field=FREE)
    play(pair, "play Signpost", "space 1.4")
    assert asked(pair) == (0, "muster"), "with two there is one answer to the second question"
    alone = menu("tokens=5", "  hand: Signpost, Shout", "p1: at=3.5", field="field: 1.2 (Meadow), 2.3 (Hamlet)")
    play(alone, "play Signpost")
    assert asked(alone) == (0, "muster")


# ---------------------------------------------------------------- guarded


@pytest.mark.ruling("E61")
def test_e61_nobody_else_names_the_guarded_for_an_action() -> None:
    hands = ("  hand: Plague, Filch, Shout", "p1: at=1.5 tokens=5 guarded=1", "  hand: Spy", "p2: at=3.5 tokens=5")
    state = menu("tokens=5", *hands, "  hand: Curse", players=3)
    assert "guarded=1" in str(state)
    assert player(state, 1)["guarded"]
    play(state, "play Plague")
    assert player(state, 2)["tokens"] == 1, "the only one left to name"
    play(state, "play Filch")
    assert (player(state, 1)["hand_size"], player(state, 2)["hand_size"]) == (1, 0)
    alone = menu("tokens=5", "  hand: Plague, Shout", "p1: at=1.5 tokens=5 guarded=1")
    play(alone, "play Plague")
    assert [player(alone, seat)["tokens"] for seat in (0, 1)] == [5, 5], "with nobody to name the rest is left out"
    robber = menu("tokens=5\n  leader: Robber", "  hand: Shout", "p1: at=1.5 tokens=5 guarded=1")
    play(robber, "ability")
    assert player(robber, 1)["tokens"] == 4, "an ability is no Action"
    den = fight("tokens=9", "p1: at=1.5 tokens=5 guarded=1", "  hand: Shout", field="1.2 (Den), rest")
    assert player(den, 1)["tokens"] == 4, "nor is a Land"
    himself = menu("tokens=5 guarded=1", "  hand: Feast, Shout", "p1: at=1.5 guarded=1")
    play(himself, "play Feast")
    assert player(himself, 0)["no_combat"], "he may name himself"


@pytest.mark.ruling("E61")
def test_e61_it_lasts_until_his_next_turn_begins() -> None:
    state = menu("tokens=5", "  hand: Shelter, Shout", "p1: at=3.5", phase="D")
    play(state, "play Shelter")
    assert player(state, 0)["guarded"]
    play(state, "done")
    assert asked(state) == (1, "reinforce")
    assert player(state, 0)["guarded"]
    play(state, "draw 0")
    while state.as_dict()["active"] == 1:
        assert player(state, 0)["guarded"]
        state.apply(next(label for label in ("stay", "done", "pass", state.legal_labels[0]) if label in legal(state)))
    assert asked(state) == (0, "reinforce")
    assert not player(state, 0)["guarded"]


@pytest.mark.ruling("E61")
def test_e61_nobody_else_plays_into_his_combat() -> None:
    state = fight("tokens=9 guarded=1", "  hand: Shout", "p1: at=1.5", "  hand: Wall Up")
    assert asked(state) == (0, "window")
    play(state, "pass")
    assert player(state, 0)["conquest"] == ["Meadow"], "p1 was not asked"


@pytest.mark.ruling("E61")
def test_e61_in_a_fray_only_the_other_fighter_plays_and_he_cannot_name_him() -> None:
    state = bends(
        "now: phase=B\np0: at=1.3 tokens=7\n  hand: Curse, Shout\np1: at=2.3 tokens=3 guarded=1\n  hand: Spy\n"
        "p2: at=3.5\n  hand: Grim Day\nfield: 2.3 (Hamlet), 1.2 (Meadow)\nstack: turns p0 stage=3; march p0",
        players=3,
    )
    play(state, "space 2.3")
    assert asked(state) == (0, "window")
    play(state, "play Curse")
    assert state.as_dict()["combat"]["attack_change"] == {0: -2}, "only himself is left to name"
    assert asked(state) == (1, "window")
    play(state, "pass")
    assert asked(state) == (0, "window"), "p2 is not asked"


# ---------------------------------------------------------------- the words of positions


@pytest.mark.ruling("E55")
def test_a_position_with_a_machine_turned_off_must_make_sense() -> None:
    with pytest.raises(ValueError, match="Knife is no Machine; only Machines can be turned off"):
        bends("p0: at=1.3\n  army: Knife^")
    with pytest.raises(ValueError, match="a Machine is turned off, but no combat is going on"):
        bends("p0: at=1.3\n  army: Ram:1^\nstack: turns p0 stage=2; muster p0")


def test_first_with_is_used_for_dice() -> None:
    text = "now: phase=C rng=?\np0: at=1.2 back=1.1 tokens=9\np1: at=1.5\n  hand: Grim Day\nfield: 1.2 (Meadow), rest"
    state = first_with(text, lambda s: dead(s) == 6, "play Grim Day", house=BENDS)
    assert player(passed(state), 0)["tokens"] == 9 - 6 + 1
