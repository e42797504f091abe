"""Combat against Lands: effects, requirements, Machines, tosses, Epic Death, conquest and retreat."""

from __future__ import annotations

import pytest

from .table import asked, coins, conserved, dead, first_with, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

ARCHER = """
    now: active=p0 phase=C rng=?
    p0: at=2.3 back=1.3 tokens=0
      army: Assassin, Battering Ram:1
    field: 2.3 (Arcane Archer), rest
    """


def ready(army: str, tokens: int, land: str, *more: str, at: str = "2.3", back: str = "1.3", rng: int = 1) -> str:
    """A position in which p0 is about to fight a Land with an army."""
    lines = [f"now: active=p0 phase=C rng={rng}", f"p0: at={at} back={back} tokens={tokens}", f"  army: {army}"]
    return "\n".join([*lines, *more, f"field: {at} ({land}), rest"])


# ---------------------------------------------------------------- the rulebook's examples


@pytest.mark.ruling("E19")
@pytest.mark.ruling("E17")
def test_e17_e19_enzo_meets_an_arcane_archer() -> None:
    state = first_with(ARCHER, lambda s: coins(s)[:1] == [False], "fight")  # his Assassin comes up Deads
    facts = state.as_dict()
    assert len(coins(state)) == 2, "the Assassin, and the crewGoblin for what is left of 11 - 3"
    enzo = player(state, 0)
    assert enzo["heroes"] == []
    assert "Assassin" in facts["discard_pile"]
    assert enzo["points"] == 0
    assert enzo["space"] == "1.3"
    assert facts["field"]["2.3"]["land"] == "Arcane Archer"
    assert facts["field"]["2.3"]["face_up"]
    assert conserved(state)


@pytest.mark.ruling("E5")
def test_e5_enzos_attack_is_2_and_the_archers_defense_8() -> None:
    state = position(ARCHER.replace("rng=?", "rng=1"))
    assert asked(state) == (0, "epic"), "2 is less than half of 8, and the crew counts as a token"
    raised = position(ARCHER.replace("rng=?", "rng=1").replace("tokens=0", "tokens=3"))  # Attack 5: more than half of 8
    assert raised.kind != "epic"


@pytest.mark.ruling("E17")
@pytest.mark.ruling("E19")
def test_e17_e19_dante_faces_lego_las() -> None:
    state = position(ready("Battering Ram:1, Cannon:2", 6, "Lego-Las"))  # the icons take 2 of the 6
    assert len(coins(state)) == 2, "Defense 10 - 3 - 5"
    dante = player(state, 0)
    assert dante["conquest"] == ["Lego-Las"]
    assert dante["tokens"] == 4 - dead(state) + 3
    assert dante["machines"] == [["Battering Ram", 1], ["Cannon", 2]]
    assert dante["space"] == "2.3"


@pytest.mark.ruling("E19")
@pytest.mark.parametrize(("tokens", "tossed"), [(6, 5), (1, 1)])
def test_e19_arnold_faces_a_first_level_thief(tokens: int, tossed: int) -> None:
    state = position(ready("Cavalier", tokens, "First Level Thief", at="1.2", back="1.3"))
    assert len(coins(state)) == tossed
    arnold = player(state, 0)
    assert arnold["conquest"] == ["First Level Thief"]
    assert arnold["heroes"] == ["Cavalier"], "Heroes cover their Attack without a toss"
    assert arnold["tokens"] == tokens - dead(state) + 1


# ---------------------------------------------------------------- effects and requirement


@pytest.mark.ruling("E15")
def test_e15_icons_from_top_to_bottom_then_the_text_in_every_combat() -> None:
    text = """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=5
          hand: Shout, Ram, Hop
        field: 1.2 (Swamp), rest
        """
    state = position(text, house=True)
    assert asked(state) == (0, "discard")
    assert player(state, 0)["tokens"] == 3, "the icon above has taken two"
    assert state.as_dict()["combat"]["attack_change"] == {}, "not yet the text"
    play(state, "discard Hop")
    assert state.as_dict()["combat"]["attack_change"] == {0: -1}, "the text comes after the icons"
    again = position(text.replace("1.2 (Swamp)", "1.2 Swamp"), house=True)  # face up from an earlier combat
    assert asked(again) == (0, "discard")


@pytest.mark.ruling("E15")
def test_e15_a_goblin_to_discard_is_a_crew_token_if_none_is_loose() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=1
          army: Ram:2, Raft:1
        field: 1.2 (Swamp), rest
        """,
        house=True,
    )
    assert asked(state) == (0, "lose")
    assert legal(state) == {"pick Ram", "pick Raft"}
    assert player(state, 0)["tokens"] == 0
    play(state, "pick Raft")
    assert player(state, 0)["machines"][-1] == ["Raft", 0]


@pytest.mark.ruling("E6")
def test_e6_what_cannot_be_done_is_not_done() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=3
        p1: tokens=0
        field: 1.2 (Den), rest
        draw_pile:
        discard_pile: rest
        """,
        house=True,
    )
    assert asked(state) == (0, "window"), "he has drawn a card"
    tossed = coins(play(state, "pass"))
    den = player(passed(state), 0)
    assert den["conquest"] == ["Den"], "nobody to steal from, no Hero, no Machine"
    assert den["hand_size"] == 1, "the last icon draws; the discard pile is shuffled in for it"
    assert den["tokens"] == 3 + 1 - tossed.count(False) + 1


@pytest.mark.ruling("E16")
def test_e16_without_the_requirement_an_army_cannot_win_and_tosses_as_a_loser() -> None:
    fight = ready("Ram:2", 9, "Hero Gate", at="2.2", back="1.2")
    state = position(fight, house=True)  # Defense 2 - 3 = 0
    assert player(state, 0)["conquest"] == []
    assert coins(state) == []
    assert player(state, 0)["space"] == "1.2"
    with_hero = position(fight.replace("Ram:2", "Ram:2, Knife"), house=True)
    assert player(with_hero, 0)["conquest"] == ["Hero Gate"]
    lost = position(ready("Knife", 3, "Siege Gate", at="2.2", back="1.2"), house=True)
    assert asked(lost) != (0, "epic"), "the requirement is a Machine with crew"
    assert len(coins(lost)) == 3
    crewed = position(ready("Knife, Raft:1", 3, "Siege Gate", at="2.2", back="1.2"), house=True)
    assert asked(crewed) == (0, "epic"), "5 against 20 - 1"


@pytest.mark.ruling("E16")
def test_e16_the_requirement_is_looked_at_after_actions() -> None:
    hand = "  hand: Back Gate"
    state = position(ready("Ram:2", 9, "Hero Gate", hand, at="2.2", back="1.2"), house=True)
    assert asked(state) == (0, "window")
    play(state, "play Back Gate")
    assert player(state, 0)["conquest"] == ["Hero Gate"]


@pytest.mark.ruling("E17")
def test_e17_machines_add_up_and_need_crew() -> None:
    both = position(ready("Battering Ram:1, Battering Ram/2:1", 9, "Lego-Las"))
    assert len(coins(both)) == 4
    half = position(ready("Cannon:1", 9, "Lego-Las"))
    assert len(coins(half)) == 5, "one of two crew tokens works it in full"
    empty = position(ready("Cannon", 1, "First Level Thief", at="1.2"))
    assert asked(empty) != (0, "crew"), "two tokens are wanted, one is there"
    assert player(empty, 0)["conquest"] == []


@pytest.mark.ruling("E17")
def test_e17_an_empty_machine_may_get_all_its_crew_before_the_comparison() -> None:
    state = position(ready("Cannon, Plank Tower", 3, "First Level Thief", at="1.2"))
    assert asked(state) == (0, "crew")
    assert legal(state) == {"pick Cannon", "pick Plank Tower", "decline"}
    play(state, "pick Cannon")
    assert player(state, 0)["conquest"] == ["First Level Thief"], "Defense 0: no tosses"
    assert coins(state) == []
    assert player(state, 0)["machines"] == [["Cannon", 2], ["Plank Tower", 0]] or state.kind == "crew"


@pytest.mark.ruling("E17")
@pytest.mark.ruling("E20")
def test_e17_e20_crew_after_the_last_action_then_epic_death() -> None:
    state = position(ready("Raft", 3, "Gate", "  hand: Hop", at="2.2", back="1.2"), house=True)
    assert asked(state) == (0, "window")
    assert asked(play(state, "pass")) == (0, "crew")
    assert asked(play(state, "pick Raft")) == (0, "epic"), "2 against 10 - 1, and nobody is asked for Actions again"


@pytest.mark.ruling("E17")
def test_e17_what_a_discarded_machine_carries_goes_to_the_pool() -> None:
    state = position(
        ready("Ram:2", 5, "Den", at="1.2", back="1.1").replace("(Den), rest", "(Den), 2.3 (Hamlet)"), house=True
    )
    mine = player(state, 0)
    assert mine["machines"] == []
    assert asked(state) == (0, "window"), "the Den's last icon has drawn a card"
    assert mine["tokens"] == 5 + 1 + 1, "one stolen, one gained, none from the Ram"
    assert conserved(state)


@pytest.mark.ruling("E18")
def test_e18_what_actions_change_is_over_with_the_combat() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=9
          hand: Shout, Hop
        p1: at=1.4 back=1.5 tokens=9
          hand: Wall Up, Ram
        field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)
        """,
        house=True,
    )
    passed(play(state, "play Shout", "pass", "play Wall Up"))
    play(state, "done", "draw 0", "done")
    assert asked(state) == (1, "march")
    play(state, "stay")
    assert asked(state) == (1, "window")
    fight = state.as_dict()["combat"]
    assert (fight["attack_change"], fight["defense_change"]) == ({}, 0)
    play(state, "pass")
    assert len(coins(play(state, "pass"))) == 4, "the Meadow's own Defense"


@pytest.mark.ruling("E18")
def test_e18_an_attack_below_zero_is_zero() -> None:
    text = "now: phase=B\np0: at=1.3 tokens=0\n  hand: Curse\np1: at=1.2 tokens=0\nfield: 2.3 (Hamlet)"
    state = passed(play(position(text, house=True), "space 1.2", "play Curse", "player p0"))
    assert player(state, 0)["space"] == "1.3", "0 against 0: a tie, and the attacker goes back"


@pytest.mark.ruling("E18")
def test_e18_nothing_is_below_zero_and_changes_end_with_the_combat() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=9
          hand: Shout
        p1:
          hand: Wall Up
        field: 1.2 (Meadow), rest
        """,
        house=True,
    )
    play(state, "play Shout", "pass", "play Wall Up")
    assert len(coins(state)) == 8, "Defense 4 + 4, and nobody has a card left to be asked about"
    assert player(state, 0)["points"] == 1, "Attack 9 + 3"
    assert state.as_dict()["combat"] is None
    weak = position(ready("Ram:2, Ram/2:2", 0, "Meadow", at="1.2"), house=True)
    assert player(weak, 0)["conquest"] == ["Meadow"], "Attack 0 against Defense 0"


# ---------------------------------------------------------------- tosses


@pytest.mark.ruling("E19")
def test_e19_loose_tokens_then_what_heroes_leave_then_crew_of_the_owners_choice() -> None:
    state = position(ready("Knife, Ram:2, Raft:1", 2, "Gate", at="2.2", back="1.2"), house=True)
    assert state.kind != "epic"  # Attack 4, Defense 10 - 4 = 6
    assert asked(state) == (0, "toss"), "6 - 2 loose - 2 of the Knife: two of three crew tokens"
    assert len(coins(state)) == 2
    assert legal(state) == {"pick Ram", "pick Raft"}
    play(state, "pick Raft")
    assert len(coins(state)) == 2, "the one from the Raft, and then only the Ram is left"
    assert player(state, 0)["space"] == "1.2"


@pytest.mark.ruling("E19")
def test_e19_heroes_are_tossed_one_by_one_when_no_token_is_loose() -> None:
    state = position(ready("Knife, Knife/2, Rider, Scout", 0, "Brook", at="1.3", back="1.2"), house=True)
    assert asked(state) == (0, "toss")  # Attack 2 + 2 + 4 + 1 = 9 against 7: a victory that is tossed for
    assert legal(state) == {"pick Knife", "pick Rider", "pick Scout"}
    play(state, "pick Rider")
    assert asked(state) == (0, "toss")
    play(state, "pick Scout")
    assert asked(state) == (0, "toss") or len(coins(state)) == 2
    assert legal(state) == {"pick Knife"} or state.kind != "toss"
    assert player(state, 0)["conquest"] == ["Brook"], "4 + 1 + 2: Attack 7 reached"


@pytest.mark.ruling("E46")
@pytest.mark.ruling("E19")
def test_e19_e46_the_winner_tosses_before_the_reinforcements_and_a_token_at_most_once() -> None:
    state = position(ready("Ram:2, Ram/2:2", 1, "Brook", at="1.3", back="1.2"), house=True)
    assert len(coins(state)) == 1
    won = player(state, 0)
    assert won["tokens"] == 1 - dead(state) + 2
    assert [crew for _, crew in won["machines"]] == [2, 2]


@pytest.mark.ruling("E47")
def test_e47_loose_tokens_first_then_crew_machine_by_machine() -> None:
    def first_ram_falls(state) -> bool:
        return coins(state)[:3] == [True, False, False]

    text = ready("Ram:2, Raft:1", 1, "Siege Gate", at="2.2", back="1.2").replace("rng=1", "rng=?")
    state = first_with(text, first_ram_falls, "fight", house=True)
    beaten = player(state, 0)
    assert beaten["tokens"] == 1
    assert beaten["machines"][0] == ["Ram", 0]
    assert beaten["machines"][1] == ["Raft", int(coins(state)[3])]


# ---------------------------------------------------------------- Epic Death


@pytest.mark.ruling("E5")
@pytest.mark.parametrize(("tokens", "offered"), [(4, True), (5, False), (0, False)])
def test_e5_epic_death_if_twice_the_attack_is_less_than_the_defense(tokens: int, offered: bool) -> None:
    state = position(ready("", tokens, "Gate", at="2.2", back="1.2").replace("  army: \n", ""), house=True)
    assert (state.kind == "epic") == offered
    if offered:
        assert legal(state) == {"epic death", "fight"}


@pytest.mark.ruling("E20")
def test_e20_all_dead_is_a_victory_without_another_toss() -> None:
    text = ready("Knife, Ram:2", 1, "Gate", at="2.2", back="1.2").replace("rng=1", "rng=?")
    state = first_with(text, lambda s: player(s, 0)["conquest"] == ["Gate"], "epic death", house=True)
    won = player(state, 0)
    assert coins(state) == [False] * 3, "one loose token and two of the crew"
    assert won["heroes"] == ["Knife"]
    assert won["tokens"] == 3, "reinforcements, after all dead are in the pool"
    assert conserved(state)
    assert won["space"] == "2.2"


@pytest.mark.ruling("E20")
def test_e20_otherwise_the_survivors_are_tossed_for_the_same_defense() -> None:
    text = ready("", 3, "Gate", at="2.2", back="1.2").replace("  army: \n", "").replace("rng=1", "rng=?")
    state = first_with(text, lambda s: coins(s)[:3] == [True, True, False], "epic death", house=True)
    assert len(coins(state)) == 5, "three for the Epic Death, then the two survivors"
    beaten = player(state, 0)
    assert beaten["tokens"] == coins(state)[3:].count(True)
    assert beaten["space"] == "1.2"
    assert beaten["points"] == 0


@pytest.mark.ruling("E20")
def test_e20_crew_that_survives_is_tossed_again() -> None:
    text = ready("Ram:2", 0, "Siege Gate", at="2.2", back="1.2").replace("rng=1", "rng=?")
    state = first_with(text, lambda s: coins(s)[:2] == [True, True], "epic death", house=True)
    assert len(coins(state)) == 4
    assert sum(crew for _, crew in player(state, 0)["machines"]) == coins(state)[2:].count(True)


@pytest.mark.ruling("E20")
def test_e20_epic_death_succeeds_once_in_two_to_the_power_of_the_tokens() -> None:
    won = 0
    text = ready("", 2, "Gate", at="2.2", back="1.2").replace("  army: \n", "")
    for rng in range(400):
        state = play(position(text.replace("rng=1", f"rng={rng * 7919 + 3}"), house=True), "epic death")
        won += player(state, 0)["points"] > 0
    assert 70 <= won <= 130, "a quarter of 400 is 100, with a standard error of 8.7"


@pytest.mark.ruling("E35")
def test_e35_towns_forbid_epic_death() -> None:
    state = position(ready("", 5, "Town Hall", at="3.3", back="2.3").replace("  army: \n", ""))
    assert state.kind != "epic"
    assert player(state, 0)["points"] == 0
    assert all(not land.needs for land in state.game.card_set.lands if land.terrain == "Woods")


# ---------------------------------------------------------------- after it


@pytest.mark.ruling("E21")
def test_e21_the_card_goes_on_the_pile_and_the_space_is_empty() -> None:
    text = ready("Ram:2, Ram/2:2", 1, "Brook", "  conquest: Meadow", at="1.3", back="1.2")
    state = position(text, house=True)
    assert player(state, 0)["conquest"] == ["Meadow", "Brook"]
    assert player(state, 0)["points"] == 3
    assert player(state, 0)["tokens"] == 1 - dead(state) + 2, "the Brook is worth two: so many reinforcements"
    assert "1.3" not in state.as_dict()["field"]
    assert state.view(1).as_dict()["players"][0]["conquest"] == ["Meadow", "Brook"]


@pytest.mark.ruling("E4")
@pytest.mark.ruling("E22")
def test_e4_e22_a_beaten_army_goes_back_and_one_on_its_start_stays() -> None:
    text = ready("", 0, "Swamp", at="1.2", back="1.1").replace("  army: \n", "")
    back = position(text, house=True)
    assert player(back, 0)["space"] == "1.1"
    start = position(text.replace("back=1.1", "back=-"), house=True)
    assert player(start, 0)["space"] == "1.2"
    assert start.as_dict()["field"]["1.2"]["face_up"]


@pytest.mark.ruling("E4")
def test_e4_a_retreat_into_an_occupied_space_is_a_fray() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=0
        p1: at=1.1 tokens=3
        field: 1.2 (Swamp), 1.4 (Meadow)
        """.replace("1.4 (Meadow)", "1.4 (Meadow), 2.3 (Hamlet)"),
        house=True,
    )
    assert state.as_dict()["players"][0]["fought"] == [1]
    assert asked(state) == (0, "flee"), "it lost the Fray, and must go on"


@pytest.mark.ruling("E3")
def test_e3_actions_are_for_their_windows_only() -> None:
    text = "now: active=p0 phase=A\np0:\n  hand: Shout, Hop, Rescue, Nope\nstack: turns p0 stage=2; muster p0"
    state = position(text, house=True)
    assert legal(state) == {"done", "play Hop"}
