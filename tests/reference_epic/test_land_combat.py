"""The model's combats against Lands: the rulebook's worked examples, and each ruling's situation by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .model import EpicGame
from .scenes import apply_all, army, coins_left, crews, land, scene, where
from .table import Seat


def far(**fields: Any) -> Seat:
    return army("1.6", 1, back="1.5", **fields)


# --- the rulebook's examples -----------------------------------------------------------------------------------------


def enzo(coins: str) -> EpicGame:
    return scene(
        [army("1.2", back="1.1", heroes=["Assassin"], machines=[("Battering Ram", 1)]), far()],
        field={"1.2": "Arcane Archer", "1.7": "Burg"},
        lands=[land("Arcane Archer", 11, 4)],
        coins=coins,
    )


def test_enzo_loses_assassin_and_crew() -> None:
    """Attack 2 against 11 - 3 = 8: less than half, but crew may try an Epic Death; fought, the Hero is tossed, then the crew."""
    game = enzo("--")
    assert game.kind == "epic"
    game.apply("fight")
    enzo_seat = game.table.seats[0]
    assert game.table.discard_pile == ["Assassin", "Battering Ram"]  # the Machine goes in Phase D, without crew (E17)
    assert (enzo_seat.tokens, enzo_seat.heroes, enzo_seat.machines) == (0, [], [])
    assert where(game)[0] == "1.1"
    assert game.table.field[1, 2].face_up
    assert coins_left(game) == 0
    assert game.table.pool == 21


def test_enzo_keeps_what_lives() -> None:
    game = apply_all(enzo("++"), "fight")
    assert game.table.seats[0].heroes == ["Assassin"]
    assert crews(game) == [("Battering Ram", 1)]
    assert where(game)[0] == "1.1"


def test_dante_tosses_two_of_four() -> None:
    game = scene(
        [army("1.2", 4, back="1.1", machines=[("Battering Ram", 1), ("Cannon", 2)]), far()],
        field={"1.2": "Lego-Las", "1.7": "Burg"},
        lands=[land("Lego-Las", 10, 3)],
        coins="-+",
    )
    dante = game.table.seats[0]
    assert dante.conquest == ["Lego-Las"]
    assert dante.tokens == 4 - 1 + 3
    assert crews(game) == [("Battering Ram", 1), ("Cannon", 2)]
    assert where(game)[0] == "1.2"
    assert coins_left(game) == 0


@pytest.mark.parametrize(("tokens", "coins", "left"), [(6, "---++", 6 - 3 + 1), (1, "-", 0 + 1)])
def test_arnold_tosses_five_or_his_only_one(tokens: int, coins: str, left: int) -> None:
    game = scene(
        [army("1.2", tokens, back="1.1", heroes=["Cavalier"]), far()],
        field={"1.2": "First Level Thief", "1.7": "Burg"},
        lands=[land("First Level Thief", 5, 1)],
        coins=coins,
    )
    arnold = game.table.seats[0]
    assert arnold.conquest == ["First Level Thief"]
    assert (arnold.tokens, arnold.heroes) == (left, ["Cavalier"])
    assert coins_left(game) == 0


@pytest.mark.parametrize(("attack", "possible"), [(3, True), (4, False), (5, False)])
def test_epic_death_needs_less_than_half(attack: int, possible: bool) -> None:
    """Against 8: 3 is less than half, 4 is not (E5)."""
    game = scene(
        [army("1.2", attack, back="1.1"), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 8)],
        coins="+" * 8,
    )
    assert (game.kind == "epic") == possible


# --- Epic Death ------------------------------------------------------------------------------------------------------


def test_an_epic_death_wins_without_another_toss() -> None:
    """E20: Heroes and empty Machines stay, the dead are in the pool before reinforcements are taken."""
    game = scene(
        [army("1.2", 1, back="1.1", heroes=["Assassin"], machines=[("Battering Ram", 1)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 12, 3)],
        coins="--",
        pool=0,
    )
    game.apply("epic death")
    seat = game.table.seats[0]
    assert seat.conquest == ["Ogre"]
    assert seat.heroes == ["Assassin"]
    assert game.table.pool == 0  # two died, three would be due: the pool pays what it has (E13)
    assert seat.tokens + seat.crew == 2
    assert game.kind == "crew"  # the Ram may be crewed again in Phase D
    apply_all(game, "decline")
    assert game.table.discard_pile == ["Battering Ram"]
    assert coins_left(game) == 0


def test_a_failed_epic_death_tosses_the_survivors_again() -> None:
    """E20: T is counted anew, D stays as it was though the Ram has lost its crew."""
    game = scene(
        [army("1.2", 2, back="1.1", machines=[("Battering Ram", 1)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 12)],
        coins="+--" + "+",
    )
    game.apply("epic death")
    assert where(game)[0] == "1.1"
    assert game.table.seats[0].tokens == 1
    assert coins_left(game) == 0
    assert game.table.discard_pile == ["Battering Ram"] or game.kind == "crew"


def test_no_epic_death_where_the_land_forbids_it_or_needs_more() -> None:
    """E35, E16."""
    for special in ({"epic": False}, {"needs": "hero"}):
        game = scene(
            [army("1.2", 1, back="1.1"), far()],
            field={"1.2": "Ogre", "1.7": "Burg"},
            lands=[land("Ogre", 12, **special)],
            coins="-",
        )
        assert game.kind != "epic"
        assert where(game)[0] == "1.1"
        assert coins_left(game) == 0


# --- values ----------------------------------------------------------------------------------------------------------


def test_the_requirement_is_needed_even_at_defense_0() -> None:
    """E16, E18: Machines take all Defense away, but a Hero is missing."""
    game = scene(
        [army("1.2", 3, back="1.1", machines=[("Cannon", 1)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 4, needs="hero")],
    )
    assert where(game)[0] == "1.1"
    assert game.table.seats[0].tokens == 3  # Defense 0: nobody is tossed
    game = scene(
        [army("1.2", 3, back="1.1", machines=[("Cannon", 1)], heroes=["Assassin"]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 4, needs="hero")],
    )
    assert game.table.seats[0].conquest == ["Ogre"]


def test_a_machine_with_one_of_two_crew_works_in_full_and_one_without_not_at_all() -> None:
    """E17."""
    game = scene(
        [army("1.2", 1, back="1.1", machines=[("Cannon", 1), ("Cannon", 0)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 6)],
        coins="+",
    )
    assert game.table.seats[0].conquest == ["Ogre"]  # 6 - 5 = 1; the other Cannon's crew of two cannot be paid


def test_a_machine_is_crewed_before_the_comparison() -> None:
    game = scene(
        [army("1.2", 3, back="1.1", machines=[("Cannon", 0)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 6)],
        coins="+",
    )
    assert game.kind == "crew"
    assert game.legal == {"pick Cannon", "decline"}
    game.apply("pick Cannon")
    assert game.table.seats[0].conquest == ["Ogre"]
    assert (game.table.seats[0].tokens, crews(game)) == (1, [("Cannon", 2)])


def test_actions_change_the_values_of_one_combat() -> None:
    """E18, E30: asked clockwise from the active player until both have declined in a row."""
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Cry", "Planks"]), far(hand=["Curse"])],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 5)],
        coins="+",
    )
    apply_all(game, "done", "stay")
    assert (game.kind, game.mover, game.legal) == ("window", 0, {"pass", "play Cry", "play Planks"})
    game.apply("play Cry")
    assert (game.kind, game.mover, game.legal) == ("window", 1, {"pass", "play Curse"})
    game.apply("play Curse")  # one fighter alone: nobody is to be named
    assert (game.kind, game.mover, game.legal) == ("window", 0, {"pass", "play Planks"})
    game.apply("play Planks")
    assert game.as_dict()["combat"]["attack_change"] == {0: -1}
    assert game.kind == "epic"  # nobody has a card left; Attack 1 + 2 - 3 = 0 against 5 - 2 = 3
    game.apply("fight")
    assert sorted(game.table.discard_pile) == ["Cry", "Curse", "Planks"]
    assert coins_left(game) == 0


def test_an_attack_below_0_counts_as_0() -> None:
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Cry"]), far(hand=["Curse"])],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 1)],
        coins="+",
    )
    apply_all(game, "done", "stay", "pass", "play Curse")
    assert (game.kind, game.mover) == ("window", 0)  # asked again: not all have declined since
    game.apply("pass")
    assert game.kind == "epic"  # Attack 0 against 1 is less than half
    game.apply("fight")
    assert where(game)[0] == "1.1"
    assert coins_left(game) == 0


# --- tosses ----------------------------------------------------------------------------------------------------------


def test_heroes_cover_before_crew_is_tossed() -> None:
    """E19: D 9 - 3 - 1 = 5 against two loose tokens and an Assassin: two tossed, two covered, one of the crew."""
    game = scene(
        [army("1.2", 2, back="1.1", heroes=["Assassin"], machines=[("Battering Ram", 1), ("Big Cart", 3)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 9)],
        coins="++-",
    )
    assert (game.kind, game.legal) == ("toss", {"pick Battering Ram", "pick Big Cart"})
    game.apply("pick Big Cart")
    assert crews(game) == [("Battering Ram", 1), ("Big Cart", 2)]
    assert game.table.seats[0].heroes == ["Assassin"]
    assert coins_left(game) == 0


def test_heroes_alone_are_tossed_in_the_order_of_their_owner() -> None:
    """E19: Attack 6 against 4: after the Cavalier nobody else is tossed; after the Assassin both."""
    for first, coins in (("Cavalier", "-"), ("Assassin", "+-")):
        game = scene(
            [army("1.2", back="1.1", heroes=["Assassin", "Cavalier"]), far()],
            field={"1.2": "Ogre", "1.7": "Burg"},
            lands=[land("Ogre", 4, 1)],
            coins=coins,
        )
        assert (game.kind, game.legal) == ("toss", {"pick Assassin", "pick Cavalier"})
        game.apply(f"pick {first}")
        assert game.table.seats[0].heroes == ["Assassin"]
        assert game.table.seats[0].conquest == ["Ogre"]
        assert coins_left(game) == 0


def test_crew_is_tossed_each_at_most_once() -> None:
    """E19, E46: four to toss, three there: one Machine's face left makes no question."""
    game = scene(
        [army("1.2", back="1.1", machines=[("Cannon", 2), ("Cannon", 1)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 14, epic=False)],
        coins="++-",
    )
    assert where(game)[0] == "1.1"
    assert sum(crew for _, crew in crews(game)) == 2
    assert coins_left(game) == 0


# --- effects of Lands --------------------------------------------------------------------------------------------------


def test_icons_come_before_the_text_and_again_in_every_combat() -> None:
    """E15: two lost, loose first; a later combat has them once more."""
    game = scene(
        [army("1.1", 3), far()],
        field={"1.1": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 9, icons=["lose 1"], text=["attack 1"], epic=False)],
        coins="++" + "+",
    )
    assert game.table.seats[0].tokens == 2
    assert where(game)[0] == "1.1"  # beaten on its start it stays (E22)
    assert (game.mover, game.kind) == (1, "march")
    game.apply("stay")
    assert game.table.seats[0].tokens == 1  # the second combat, at once: nothing is asked in Phases A and B
    assert game.table.round == 2


def test_a_goblin_to_discard_comes_from_a_crew_if_there_is_no_loose_one() -> None:
    game = scene(
        [army("1.2", back="1.1", machines=[("Battering Ram", 1), ("Cannon", 2)]), far()],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 2, icons=["lose 1", "lose_hero"])],
    )
    assert (game.kind, game.legal) == ("lose", {"pick Battering Ram", "pick Cannon"})
    assert game.as_dict()["effect"] == {"card": "Ogre", "step": "lose 1", "subject": 0}
    game.apply("pick Battering Ram")
    assert game.table.seats[0].conquest == ["Ogre"]  # the Cannon takes the Defense to 0


def test_steals_go_to_the_active_player_and_nobody_is_asked_where_one_answer_is_left() -> None:
    """E6, E13, E48: only who has loose tokens can be robbed."""
    game = scene(
        [
            army("1.2", 1, back="1.1"),
            far(),
            army("1.5", 0, back="1.4", machines=[("Cannon", 2)]),
            army("1.4", 2, back="1.3"),
        ],
        field={"1.2": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 1, icons=["steal_token 3", "steal_card"])],
        coins="+",
    )
    assert (game.kind, game.legal) == ("victim", {"player p1", "player p3"})
    game.apply("player p3")
    assert [seat.tokens for seat in game.table.seats] == [3, 1, 0, 0]


# --- the end of a combat -----------------------------------------------------------------------------------------------


def test_the_last_town_ends_the_game_at_once() -> None:
    """E10: no Phase D, though the hand is too large; tied in points, more Land cards win (E7)."""
    game = scene(
        [army("1.7", 25, back="1.6", hand=["Idle"] * 2 + ["Walk"] * 2), army("1.1", 1, conquest=["Hill"] * 6)],
        field={"1.7": "Burg"},
        coins="-" * 20,
    )
    apply_all(game, "done", "stay", "pass")
    assert game.over
    assert game.reason == "towns"
    assert game.shares == [0.0, 1.0]  # six points each; six Lands against one
    assert game.returns == [-1.0, 1.0]
    assert game.table.seats[0].tokens == 5 + 6
    assert len(game.table.seats[0].hand) == 4


@pytest.mark.parametrize(("crew", "shares"), [(1, [1.0, 0.0]), (2, [0.5, 0.5]), (3, [0.0, 1.0])])
def test_ties_are_decided_by_tokens_loose_and_crew(crew: int, shares: list[float]) -> None:
    """E7, E34: six points and one Land each; of twenty tossed all die and six come back, against four and a crew."""
    game = scene(
        [army("1.7", 20, back="1.6"), army("1.1", 4, conquest=["Burg"], machines=[("Big Cart", crew)])],
        field={"1.7": "Burg"},
        coins="-" * 20,
    )
    assert game.over
    assert game.table.seats[0].tokens == 6
    assert game.shares == shares


def test_a_retreat_onto_a_land_and_into_a_fray() -> None:
    """E4, E22: beaten on 1.3 it goes back to 1.2, where another Army stands; the Fray is part of Phase C."""
    game = scene(
        [army("1.3", 2, back="1.2"), army("1.2", 1, back="1.1", conquest=["Hill"])],
        field={"1.3": "Ogre", "1.2": "Hill", "1.7": "Burg"},
        lands=[land("Ogre", 4, epic=False)],
        coins="++" + "+" + "+",
    )
    # the Fray: 2 against 1, so player 1 loses its card and picks a neighbouring space
    assert (game.kind, game.mover, game.legal) == ("flee", 1, {"space 1.1", "space 1.3"})
    assert game.table.phase == "C"
    assert not game.table.frayed  # after its combat (E38)
    assert game.table.seats[0].conquest == ["Hill"]
    game.apply("space 1.1")
    assert where(game) == ["1.2", "1.1"]
    assert (game.table.active, game.kind, coins_left(game)) == (1, "march", 0)
