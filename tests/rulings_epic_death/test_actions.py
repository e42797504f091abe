"""Actions: windows, answers, order of asking, choices, abilities and traits."""

from __future__ import annotations

import pytest

from .table import asked, coins, conserved, dead, first_with, legal, passed, play, player, position

pytestmark = pytest.mark.nojit

FREE = "field: 1.2 (Meadow), 1.4 (Meadow), 2.3 (Hamlet)"


def mustering(mine: str, *more: str, players: int = 2, phase: str = "A"):
    """p0 has a menu before him, on an empty space."""
    stack = {"A": "stack: turns p0 stage=2; muster p0", "D": "stack: turns p0 stage=5; regroup p0"}[phase]
    return position("\n".join([f"now: phase={phase}", f"p0: at=1.3 {mine}", *more, FREE, stack]), players, house=True)


@pytest.mark.ruling("E30")
def test_e30_everybody_with_a_card_is_asked_clockwise_until_all_decline_in_a_row() -> None:
    text = """
        now: active=p1 phase=C
        p0: at=3.5
          hand: Gift, Shout
        p1: at=1.2 tokens=9
          hand: Gift/1, Ram
        p2: at=3.1
        p3: at=1.5
          hand: Wall Up, Hop
        field: 1.2 (Meadow), rest
        """.replace("Gift/1", "Dig")
    state = position(text, 4, house=True)
    order = []
    while state.kind == "window":
        order.append(state.mover)
        state.apply("play Wall Up" if state.mover == 3 and len(order) == 2 else "pass")
        while state.kind == "answer":
            state.apply("pass")
    assert order == [1, 3, 0, 1, 3], "p2 has no card; after p3's Action p0, p1 and p3 himself decline in a row"


@pytest.mark.ruling("E30")
@pytest.mark.ruling("E48")
def test_e30_e48_being_asked_does_not_tell_whether_one_holds_anything() -> None:
    for hand in ("Ram", "Wall Up"):
        state = position(
            f"now: phase=C\np0: at=1.2 tokens=9\np1: at=1.5\n  hand: {hand}\nfield: 1.2 (Meadow), rest", house=True
        )
        assert asked(state) == (1, "window")
    for hand in ("Ram", "Nope"):
        state = mustering("tokens=5", "  hand: Gift", "p1: at=1.5", f"  hand: {hand}")
        play(state, "play Gift")
        assert asked(state) == (1, "answer")


@pytest.mark.ruling("E30")
@pytest.mark.ruling("E43")
def test_e30_e43_who_lost_a_token_is_asked_once_after_his_tosses() -> None:
    text = "now: phase=C rng=?\np0: at=1.2 tokens=6\n  hand: Rescue\np1: at=1.5\nfield: 1.2 (Meadow), rest"
    state = first_with(text, lambda s: dead(s) >= 2, "pass", house=True)
    fallen = dead(state)
    assert asked(state) == (0, "after_toss")
    assert state.as_dict()["combat"]["fallen"] == {0: fallen}
    play(state, "play Rescue")
    assert player(state, 0)["tokens"] == 6 - fallen + 2 + 1, "two saved, one reinforcement"
    assert conserved(state)
    unhurt = first_with(text, lambda s: dead(s) == 0, "pass", house=True)
    assert unhurt.kind != "after_toss"


@pytest.mark.ruling("E43")
def test_e43_toss_again_brings_back_those_that_live() -> None:
    text = "now: phase=C rng=?\np0: at=1.2 tokens=6\n  hand: Again\np1: at=1.5\nfield: 1.2 (Meadow), rest"
    state = first_with(text, lambda s: dead(s) == 4, "pass", house=True)
    play(state, "play Again")
    assert len(coins(state)) == 3, "up to three of the four"
    assert player(state, 0)["tokens"] == 2 + coins(state).count(True) + 1


@pytest.mark.ruling("E31")
def test_e31_a_cancel_is_answered_in_its_turn_and_the_last_is_carried_out_first() -> None:
    def announced(hand0: str):
        return play(
            mustering("tokens=5", f"  hand: {hand0}", "p1: at=1.5 tokens=5", "  hand: Nope, Ram"), "play Plague"
        )

    plain = announced("Plague, Hop")
    assert asked(plain) == (1, "answer")
    assert legal(plain) == {"pass", "play Nope"}
    play(plain, "play Nope")
    assert asked(plain) == (0, "answer"), "the cancel is announced and asked about itself"
    play(plain, "pass")
    assert player(plain, 1)["tokens"] == 5, "cancelled"
    assert sorted(plain.as_dict()["discard_pile"]) == ["Nope", "Plague"]
    doubled = announced("Plague, Nope/2")
    play(doubled, "play Nope", "play Nope")
    assert asked(doubled) == (1, "answer")
    play(doubled, "pass")
    assert player(doubled, 1)["tokens"] == 1, "the cancel was cancelled; Plague takes four"


@pytest.mark.ruling("E31")
def test_e31_asking_goes_on_with_the_next_when_a_cancel_was_cancelled() -> None:
    state = mustering(
        "tokens=5", "  hand: Plague, Nope", "p1: at=1.5", "  hand: Nope/2, Ram", "p2: at=3.5", "  hand: Hop", players=3
    )
    play(state, "play Plague", "play Nope")
    assert asked(state) == (2, "answer"), "others than p1, clockwise from him"
    play(state, "pass", "play Nope")
    assert asked(state) == (1, "answer")
    play(state, "pass", "pass")
    assert asked(state) == (2, "answer"), "of the Plague: the next after p1"
    play(state, "pass")
    assert asked(state) == (0, "victim")


@pytest.mark.ruling("E39")
def test_e39_targets_are_chosen_after_the_answers_and_the_card_lies_aside() -> None:
    state = mustering("tokens=5", "  hand: Plague", "p1: at=1.5", "  hand: Ram", "p2: at=3.5", players=3)
    play(state, "play Plague")
    assert state.as_dict()["set_aside"] == ["Plague"]
    play(state, "pass")
    assert asked(state) == (0, "victim")
    assert state.as_dict()["effect"] == {"card": "Plague", "step": "choose other", "subject": 0}
    assert legal(state) == {"player p1", "player p2"}
    play(state, "player p2")
    assert player(state, 2)["tokens"] == 1
    assert state.as_dict()["discard_pile"] == ["Plague"]


@pytest.mark.ruling("E40")
def test_e40_an_action_may_be_played_for_nothing() -> None:
    state = mustering("tokens=5", "  hand: Duel, Trophy, Wrench", "p1: at=1.5")
    assert legal(state) == {"done", "play Duel", "play Trophy", "play Wrench"}
    play(state, "play Duel", "play Trophy", "play Wrench")
    assert state.as_dict()["discard_pile"] == ["Duel", "Trophy", "Wrench"]


@pytest.mark.ruling("E33")
def test_e33_abilities_once_a_turn_and_who_must_name_another_cannot_name_himself() -> None:
    state = mustering("tokens=5\n  leader: Seller", "  hand: Gift, Hop, Plague", "p1: at=1.5")
    assert "ability" in legal(state)
    play(state, "ability", "discard Hop")
    assert player(state, 0)["tokens"] == 6
    assert "ability" not in legal(state)
    play(state, "play Gift")
    assert legal(state) == {"player p0", "player p1"}, "any player"
    play(state, "player p0", "play Plague")
    assert player(state, 1)["tokens"] == 1, "another player: of two players there is only one"
    poor = mustering("tokens=5\n  leader: Seller", "p1: at=1.5")
    assert "ability" not in legal(poor), "it begins with a discard that he cannot make"


@pytest.mark.ruling("E52")
def test_e52_the_card_says_whose_army_it_is_about() -> None:
    state = position(
        """
        now: active=p0 phase=C
        p0: at=1.2 back=1.1 tokens=9
        p1: at=1.5
          hand: Shout, Wall Up, Curse, Gift
        field: 1.2 (Meadow), rest
        """,
        house=True,
    )
    assert legal(state) == {"pass", "play Shout", "play Wall Up", "play Curse"}, "p1 does not fight, and may play"
    play(state, "play Shout", "play Curse", "play Wall Up")
    fight = state.as_dict()["combat"]
    assert fight["attack_change"] == {0: -2}, (
        "the Shout is for p1's own Army; one Army fights, so p1 is not asked whom to curse"
    )
    assert fight["defense_change"] == 4


@pytest.mark.ruling("E41")
def test_e41_what_moves_looks_or_digs_is_for_the_menus() -> None:
    for card in position("now: phase=A", house=True).game.card_set.cards:
        words = {step.split()[0] for step in card.steps}
        if words & {"move", "peek", "take_back"}:
            assert set(card.when) <= {"a", "b", "d"}


@pytest.mark.ruling("E42")
def test_e42_the_owner_says_what_he_loses_the_player_where_an_army_goes() -> None:
    state = mustering("tokens=5", "  hand: Duel, Wrench, Purge, Push", "p1: at=1.5", "  army: Knife, Rider, Ram:2, Raft:1",
                      "  hand: Shout, Hop")  # fmt: skip
    passed(play(state, "play Duel"))
    assert asked(state) == (1, "lose")
    assert legal(state) == {"pick Knife", "pick Rider"}
    passed(play(state, "pick Knife", "play Wrench"))
    assert legal(state) == {"pick Ram", "pick Raft"}
    passed(play(state, "pick Ram", "play Purge"))
    assert asked(state) == (1, "discard")
    passed(play(state, "discard Hop", "play Push"))
    assert asked(state) == (0, "step")
    play(state, "space 2.5")
    assert player(state, 1) == {
        **player(state, 1),
        "space": "2.5",
        "heroes": ["Rider"],
        "machines": [["Raft", 1]],
        "hand": ["Shout"],
    }
    assert conserved(state), "the Ram's crew is in the pool"


@pytest.mark.ruling("E46")
def test_e46_of_alike_machines_the_emptier_is_lost_and_the_fuller_gives_a_token() -> None:
    state = mustering("tokens=5", "  hand: Wrench", "p1: at=1.5 tokens=0", "  army: Ram:2, Ram/2:1")
    play(state, "play Wrench")
    assert player(state, 1)["machines"] == [["Ram", 2]]
    loses = mustering("tokens=5", "  hand: Plague", "p1: at=1.5 tokens=3", "  army: Ram:1, Ram/2:2")
    play(loses, "play Plague")
    assert player(loses, 1)["machines"] == [["Ram", 1], ["Ram", 1]]


def test_steals_go_to_the_player_of_the_card() -> None:
    state = mustering(
        "tokens=5",
        "  hand: Recruit, Trophy",
        "p1: at=1.5 tokens=1",
        "  conquest: Meadow, Gate",
        "p2: at=3.5 tokens=4",
        players=3,
    )
    play(state, "play Recruit")
    assert legal(state) == {"player p1", "player p2"}
    play(state, "player p1")
    assert (player(state, 0)["tokens"], player(state, 1)["tokens"]) == (6, 0)
    play(state, "play Trophy")
    assert player(state, 0)["conquest"] == ["Gate"], "only p1 has a pile"


# ---------------------------------------------------------------- traits


@pytest.mark.ruling("E49")
@pytest.mark.parametrize(("leader", "k", "tokens"), [("Forager", 0, 8), ("Forager", 1, 6), ("Nobody", 0, 7)])
def test_e49_forager(leader: str, k: int, tokens: int) -> None:
    state = position(f"p0: at=1.3 tokens=5\n  leader: {leader}\np1: at=1.5\n{FREE}", house=True)
    play(state, f"draw {k}")
    assert player(state, 0)["tokens"] == tokens


@pytest.mark.ruling("E49")
def test_e49_free_crew_once_a_turn() -> None:
    state = mustering("tokens=5\n  leader: Smith", "  hand: Ram, Ram/2", "p1: at=1.5")
    play(state, "play Ram")
    assert player(state, 0)["tokens"] == 4
    play(state, "play Ram")
    assert player(state, 0)["tokens"] == 2
    assert conserved(state)


@pytest.mark.ruling("E49")
def test_e49_recruiter_pays_one_less_but_at_least_one() -> None:
    state = mustering("tokens=5\n  leader: Talker", "  hand: Rider, Scout", "p1: at=1.5")
    play(state, "play Rider")
    assert player(state, 0)["tokens"] == 3
    play(state, "play Scout")
    assert player(state, 0)["tokens"] == 2


@pytest.mark.ruling("E49")
def test_e49_woodsman_ferryman_sapper_lower_one_terrain_each() -> None:
    def tosses(army: str, leader: str, at: str, back: str, land: str) -> int:
        lines = f"now: phase=C\np0: at={at} back={back} tokens=9\n  leader: {leader}\n{army}p1: at=1.5\nfield: {at} ({land}), rest"
        return len(coins(position(lines, house=True)))

    assert tosses("", "Woodsman", "1.2", "1.1", "Meadow") == 3
    assert tosses("", "Woodsman", "1.3", "1.2", "Brook") == 7
    assert tosses("  army: Raft:1\n", "Nobody", "1.3", "1.2", "Brook") == 7 - 1 - 1, (
        "the Raft's value, and its ferryman"
    )
    assert tosses("  army: Rider\n", "Nobody", "2.2", "1.2", "Gate") == 9, "9 loose tokens for 10 - 1"
    assert tosses("  army: Rider\n", "Nobody", "1.2", "1.1", "Meadow") == 4


@pytest.mark.ruling("E49")
def test_e49_big_pockets_and_rear_guard_and_healer() -> None:
    pockets = mustering("tokens=5\n  leader: Pockets", "  hand: Shout, Curse, Ram, Knife, Hop", "p1: at=1.5", phase="D")
    play(pockets, "done", "discard Hop")
    assert player(pockets, 0)["hand_size"] == 4
    lost = "now: phase=C rng=?\np0: at=2.2 back=1.2 tokens=4\n  leader: {}\np1: at=1.5\nfield: 2.2 (Siege Gate), rest"
    guard = first_with(lost.format("Keeper"), lambda s: dead(s) == 4, house=True)
    assert player(guard, 0)["tokens"] == 1, "one of four comes back"
    healed = first_with(lost.format("Doctor"), lambda s: coins(s) == [False, False, False, False, True], house=True)
    assert player(healed, 0)["tokens"] == 1, "one of the dead is tossed once more"


@pytest.mark.ruling("E49")
def test_e49_a_pathfinder_goes_on_over_free_ground_only() -> None:
    state = position(f"now: phase=B\np0: at=2.1\n  leader: Runner\np1: at=3.2\n{FREE}", house=True)
    play(state, "space 2.2")
    assert legal(state) == {"stay", "space 2.1"}, "no Land, no Army"


@pytest.mark.ruling("E49")
def test_e49_healer_and_rear_guard_have_their_moments() -> None:
    for rng in range(1, 5):
        fray = f"now: phase=B rng={rng}\np0: at=1.3 tokens=4\n  leader: Doctor\np1: at=2.3 tokens=3\n{FREE}"
        assert len(coins(play(position(fray, house=True), "space 2.3"))) == 6
    won = f"now: phase=C rng=?\np0: at=1.2 back=1.1 tokens=9\n  leader: Keeper\np1: at=1.5\n{FREE}"
    state = first_with(won, lambda s: dead(s) == 3, house=True)
    assert player(state, 0)["tokens"] == 9 - 3 + 1, "nothing comes back after a victory but the reinforcement"


@pytest.mark.ruling("E33")
def test_e33_an_ability_belongs_to_its_phases() -> None:
    state = mustering("tokens=5\n  leader: Seller", "  hand: Gift", "p1: at=1.5", phase="D")
    assert legal(state) == {"done", "play Gift"}


@pytest.mark.ruling("E43")
def test_e43_no_more_come_back_than_have_died() -> None:
    text = "now: phase=C rng=?\np0: at=1.2 tokens=6\n  hand: Rescue\np1: at=1.5\nfield: 1.2 (Meadow), rest"
    state = play(first_with(text, lambda s: dead(s) == 1, "pass", house=True), "play Rescue")
    assert player(state, 0)["tokens"] == 6 + 1
