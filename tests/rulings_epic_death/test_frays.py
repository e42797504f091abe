"""Frays: comparison, conquest cards, tosses, flight, and what they do to the turn."""

from __future__ import annotations

import pytest

from .table import asked, coins, conserved, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

FREE = "field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)"


def meeting(attacker: str, defender: str, *more: str, rng: int = 1, **setup: object) -> object:
    """p0 at 1.3 moves into the space 1.2 of p1; more lines belong to p1 or the table."""
    lines = [f"now: phase=B rng={rng}", f"p0: at=1.3 {attacker}", f"p1: at=1.2 {defender}", *more]
    if not any(line.startswith("field") for line in more):
        lines.append(FREE)
    return play(position("\n".join(lines), house=True, **setup), "space 1.2")  # type: ignore[arg-type]


@pytest.mark.ruling("E23")
@pytest.mark.ruling("E25")
def test_e23_e25_comparison_card_tosses_then_the_loser_moves() -> None:
    state = meeting("tokens=4", "tokens=3", "  conquest: Meadow, Gate")
    assert player(state, 0)["conquest"] == ["Gate"], "the top card"
    assert player(state, 1)["conquest"] == ["Meadow"]
    assert player(state, 0)["points"] == 3
    assert len(coins(state)) == 6, "both toss three"
    assert player(state, 0)["tokens"] == 4 - coins(state)[:3].count(False), "the attacker first"
    assert player(state, 1)["tokens"] == 3 - coins(state)[3:].count(False)
    assert asked(state) == (1, "flee")
    assert conserved(state)


@pytest.mark.ruling("E23")
def test_e23_the_attacker_tosses_first() -> None:
    for rng in range(1, 7):
        state = meeting("tokens=4", "tokens=3", rng=rng)
        assert player(state, 0)["tokens"] == 4 - coins(state)[:3].count(False)
        assert player(state, 1)["tokens"] == 3 - coins(state)[3:].count(False)


@pytest.mark.ruling("E23")
def test_e23_attack_counts_loose_tokens_crew_and_heroes() -> None:
    state = meeting("tokens=1\n  army: Ram:2, Knife", "tokens=4")
    assert asked(state) == (1, "flee"), "1 + 2 + 2 against 4; the Ram's value counts for nothing"


@pytest.mark.ruling("E24")
def test_e24_loose_tokens_then_crew_and_heroes_only_without_both() -> None:
    state = meeting("tokens=1\n  army: Ram:2, Raft:1, Knife", "tokens=3")  # 6 against 3: both toss three
    assert asked(state) == (0, "toss"), "one loose token, then two of three crew tokens"
    assert legal(state) == {"pick Ram", "pick Raft"}
    play(state, "pick Raft")
    assert player(state, 0)["heroes"] == ["Knife"]
    heroes = meeting("tokens=0\n  army: Knife, Rider", "tokens=3")
    assert asked(heroes) == (0, "toss")
    play(heroes, "pick Knife")
    assert asked(heroes) != (0, "toss"), "2 are tossed, and only the Rider is left for the third"
    assert len(coins(heroes)) == 1 + 1 + 3
    for rng in range(1, 7):
        crew = meeting("tokens=0\n  army: Knife, Ram:2", "tokens=3", rng=rng)
        assert player(crew, 0)["heroes"] == ["Knife"], "with crew and without loose tokens only crew is tossed"
        assert player(crew, 0)["machines"] == [["Ram", coins(crew)[:2].count(True)]]
    none = meeting("tokens=3", "tokens=0", "  conquest: Meadow")
    assert coins(none) == []
    assert player(none, 0)["conquest"] == ["Meadow"]


@pytest.mark.ruling("E25")
def test_e25_a_tie_exchanges_the_top_cards_and_the_attacker_goes_back() -> None:
    state = meeting("tokens=2\n  conquest: Brook", "tokens=2", "  conquest: Gate, Meadow")
    assert player(state, 0)["conquest"] == ["Meadow"]
    assert player(state, 1)["conquest"] == ["Gate", "Brook"]
    assert player(state, 0)["space"] == "1.3"
    one = meeting("tokens=2", "tokens=2", "  conquest: Gate")
    assert player(one, 0)["conquest"] == ["Gate"], "an empty pile gives nothing"
    assert player(one, 1)["conquest"] == []


@pytest.mark.ruling("E26")
def test_e26_the_loser_picks_any_neighbour_but_not_an_army_it_has_fought() -> None:
    state = meeting("tokens=4", "tokens=1")
    assert legal(state) == {"space 1.1", "space 1.3", "space 2.2"}, "the space that the winner left, too"
    third = position(
        "now: phase=B\np0: at=1.3 tokens=9\np1: at=1.2 tokens=3\np2: at=1.1 tokens=9\n" + FREE, 3, house=True
    )
    play(third, "space 1.2")
    assert "space 1.1" in legal(third), "an occupied one, too"
    play(third, "space 1.1")
    assert player(third, 1)["space"] == "2.1", "beaten again, and back to p0 it may not go"


@pytest.mark.ruling("E26")
def test_e26_two_armies_fight_once_a_turn_then_one_goes_to_the_nearest_free_space() -> None:
    state = position(
        "now: phase=A\np0: at=1.3 tokens=4 fought=2\n  hand: Hop\np1: at=1.2 tokens=3 fought=1\n"
        f"{FREE}\nstack: turns p0 stage=2; muster p0",
        house=True,
    )
    passed(play(state, "play Hop", "space 1.2"))
    assert asked(state) == (0, "flee")
    assert legal(state) == {"space 1.4", "space 2.3"}, "the nearest unoccupied ones, from where it stands"
    play(state, "space 1.4")
    assert player(state, 0)["space"] == "1.4"
    assert player(state, 1)["tokens"] == 3, "no second Fray"
    assert player(state, 0)["conquest"] == ["Meadow"], "moved onto a Land before Phase C: a combat in this turn"


@pytest.mark.ruling("E27")
def test_e27_a_fray_takes_the_place_of_the_combat() -> None:
    state = meeting("tokens=9", "tokens=1")
    play(state, "space 1.1")
    facts = state.as_dict()
    assert facts["active"] == 1
    assert facts["players"][0]["space"] == "1.2"
    assert not facts["field"]["1.2"]["face_up"], "the winner stands on a face-down Land, without a combat"
    play(state, "draw 0", "stay")
    play(state, "draw 0")  # p0's next turn: on a Land he neither moves nor rests
    assert state.as_dict()["active"] == 1
    assert player(state, 0)["conquest"] == ["Meadow"]


@pytest.mark.ruling("E27")
def test_e27_after_the_fray_of_a_retreat_comes_phase_d() -> None:
    state = position(
        "now: phase=C\np0: at=1.2 back=1.1 tokens=0\n  hand: Gift\np1: at=1.1 tokens=3\nfield: 1.2 (Swamp), 2.3 (Hamlet)",
        house=True,
    )
    passed(state)
    assert asked(state) == (0, "flee"), "Gift went with the Swamp's second icon; he lost the combat and the Fray"
    play(state, "space 2.1")
    assert state.as_dict()["active"] == 1


@pytest.mark.ruling("E38")
def test_e38_a_fray_before_the_combat_ends_movement_and_combat() -> None:
    state = position(
        "now: phase=A\np0: at=1.2 tokens=9\n  hand: Push, Spy\np1: at=1.1 tokens=1\n"
        f"{FREE}\nstack: turns p0 stage=2; muster p0",
        house=True,
    )
    passed(play(state, "play Push", "space 1.2"))
    assert asked(state) == (1, "flee"), "the Army that was pushed into his is the attacker, and has lost"
    play(state, "space 2.2")
    assert state.as_dict()["frayed"]
    play(state, "done")
    assert asked(state) == (0, "march")
    assert legal(state) == {"stay", "play Spy"}
    play(state, "stay")
    assert asked(state) == (0, "regroup"), "no combat on the Meadow under him"
    assert not state.as_dict()["field"]["1.2"]["face_up"]


MUSTER = "stack: turns p0 stage=2; muster p0"  # p0's menu of Phase A


@pytest.mark.ruling("E38")
@pytest.mark.ruling("E36")
def test_e36_e38_after_a_fray_on_an_empty_space_the_army_moves_on_and_fights() -> None:
    text = f"now: phase=A\np0: at=2.2 tokens=9\n  hand: Push\np1: at=2.1 tokens=1\n{FREE}\n{MUSTER}"
    state = passed(play(position(text, house=True), "play Push", "space 2.2", "space 3.2"))
    assert state.as_dict()["frayed"]
    assert asked(state) == (0, "march")
    assert legal(state) == {"stay", "space 1.2", "space 2.1", "space 2.3"}, "but not to the Army that it has fought"
    play(state, "space 1.2")
    assert player(state, 0)["conquest"] == ["Meadow"]


@pytest.mark.ruling("E38")
@pytest.mark.ruling("E27")
def test_e27_e38_a_fray_between_others_leaves_the_active_army_its_combat() -> None:
    lines = [
        "now: phase=A",
        "p0: at=1.2 tokens=9",
        "  hand: Push",
        "p1: at=3.1 tokens=5",
        "p2: at=3.2 tokens=2",
        FREE,
        MUSTER,
    ]
    state = play(position("\n".join(lines), 3, house=True), "play Push", "player p2", "space 3.1")
    assert asked(state) == (2, "flee")
    play(state, "space 2.1")
    assert not state.as_dict()["frayed"]
    assert player(state, 0)["conquest"] == ["Meadow"]


@pytest.mark.ruling("E26")
@pytest.mark.ruling("E4")
def test_e4_e26_a_retreat_to_an_army_fought_before_in_the_turn_is_no_fray() -> None:
    field = "field: 1.2 (Swamp), 2.3 (Hamlet)"
    text = f"now: phase=A\np0: at=2.2 tokens=5\n  hand: Push, Push/2, Hop\np1: at=2.1 tokens=1\n{field}\n{MUSTER}"
    state = passed(play(position(text, house=True), "play Push", "space 2.2"))
    passed(play(state, "space 2.1"))
    play(state, "play Hop", "space 1.2", "play Push", "space 2.2")
    assert asked(state) == (0, "epic"), "the Swamp has taken two tokens and one of the Attack"
    play(state, "fight")
    assert asked(state) == (0, "flee")
    assert legal(state) == {"space 1.1", "space 1.3"}
    play(state, "space 1.3")
    assert [player(state, seat)["space"] for seat in (0, 1)] == ["1.3", "2.2"]


@pytest.mark.ruling("E26")
def test_e26_the_nearest_space_is_an_unoccupied_one() -> None:
    lines = [
        "now: phase=A",
        "p0: at=1.3 tokens=4 fought=2",
        "  hand: Hop",
        "p1: at=1.2 fought=1",
        "p2: at=1.4",
        FREE,
        MUSTER,
    ]
    state = passed(play(position("\n".join(lines), 3, house=True), "play Hop", "space 1.2"))
    assert state.as_dict()["field"]["2.3"]["face_up"], "not to p2, whom it has not fought; so it met the Town"
    assert player(state, 2)["tokens"] == 5
    assert player(state, 0)["space"] == "1.3", "and was beaten there"


@pytest.mark.ruling("E26")
def test_e26_in_the_next_turn_the_same_armies_may_fight_again() -> None:
    state = play(meeting("tokens=9", "tokens=1"), "space 1.1")
    assert player(state, 0)["fought"] == []
    play(state, "draw 0")
    assert "space 1.2" in legal(state)
    play(state, "space 1.2")
    assert player(state, 1)["fought"] == [0]


@pytest.mark.ruling("E38")
def test_e38_a_card_takes_an_army_on_to_a_combat_of_this_turn() -> None:
    field = "field: 1.2 (Meadow), 1.3 (Brook), 2.3 (Hamlet)"
    text = f"now: phase=A\np0: at=1.2 tokens=9\n  hand: Push, Hop\np1: at=1.1 tokens=1\n{field}\n{MUSTER}"
    state = passed(play(position(text, house=True), "play Push", "space 1.2"))
    play(state, "space 1.1", "play Hop", "space 1.3")
    assert player(state, 0)["conquest"] == ["Brook"], "the Meadow is left behind, and the Fray with it"


@pytest.mark.ruling("E38")
@pytest.mark.ruling("E27")
def test_e27_e38_who_flees_onto_a_land_before_phase_c_fights_it_in_the_next_turn() -> None:
    field = "field: 2.2 (Hero Gate), 2.3 (Hamlet)"
    text = f"now: phase=A\np0: at=1.1 tokens=3\n  hand: Hop\n  army: Knife\np1: at=2.1 tokens=9\n{field}\n{MUSTER}"
    state = passed(play(position(text, house=True), "play Hop", "space 2.1"))
    assert asked(state) == (0, "flee")
    play(state, "space 2.2")
    facts = state.as_dict()
    assert facts["active"] == 1, "on a Land: no move, and no combat after a Fray"
    assert not facts["field"]["2.2"]["face_up"]
    play(state, "draw 0", "stay", "draw 0")
    assert player(state, 0)["conquest"] == ["Hero Gate"]


@pytest.mark.ruling("E49")
def test_e49_a_brawler_is_one_stronger_in_frays_and_no_machine_is() -> None:
    state = meeting("tokens=2\n  leader: Brawler", "tokens=2")
    assert asked(state) == (1, "flee")
    tie = meeting("tokens=1\n  army: Drum:1", "tokens=2")
    assert player(tie, 0)["space"] == "1.3", "2 against 2: nobody works the Machine in a Fray"


@pytest.mark.ruling("E30")
def test_e30_in_a_fray_nothing_that_names_a_land_can_be_played() -> None:
    state = meeting("tokens=2\n  hand: Shout, Wall Up, Back Gate, Curse", "tokens=4")
    assert asked(state) == (0, "window")
    assert legal(state) == {"pass", "play Shout", "play Curse"}
    play(state, "play Curse", "player p1")
    assert asked(state) == (0, "window"), "an Action was played, so he is asked again"
    play(state, "play Shout", "pass")
    assert asked(state)[1] in ("flee", "after_toss")
    assert player(state, 1)["tokens"] == 4 - coins(state)[2:].count(False), "2 + 3 against 4 - 2: two tosses each"
