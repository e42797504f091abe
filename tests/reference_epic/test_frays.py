"""The model's Frays, moves and flights, by hand."""

from __future__ import annotations

from .scenes import GRID, apply_all, army, coins_left, crews, land, scene, where

PATH = "pathfinder"


def test_the_stronger_takes_a_card_and_the_loser_moves() -> None:
    """E23, E24, E25: 3 against 2, each tosses two; then the loser picks a neighbouring space."""
    game = scene(
        [
            army("1.3", 3, back="1.2"),
            army("1.4", 1, back="1.5", conquest=["Hill", "Burg"], machines=[("Battering Ram", 1)]),
        ],
        field={"1.7": "Burg"},
        coins="-+" + "+-",
    )
    game.apply("space 1.4")
    assert (game.kind, game.mover, game.legal) == ("flee", 1, {"space 1.3", "space 1.5"})
    assert game.table.seats[0].conquest == ["Burg"]
    assert game.table.seats[1].conquest == ["Hill"]
    assert game.table.seats[0].tokens == 2
    assert crews(game, 1) == [("Battering Ram", 0)]  # its loose token lived, the crew token died
    assert game.as_dict()["frayed"]
    game.apply("space 1.5")
    assert where(game) == ["1.4", "1.5"]
    assert coins_left(game) == 0
    assert game.table.combat is None


def test_a_tie_changes_both_cards_and_sends_the_attacker_back() -> None:
    """E25."""
    game = scene(
        [
            army("1.3", 1, back="1.2", heroes=["Assassin"], conquest=["Burg"]),
            army("1.4", 3, back="1.5", conquest=["Burg", "Hill"]),
        ],
        field={"1.7": "Burg"},
        coins="+" + "+++",
    )
    game.apply("space 1.4")
    assert where(game) == ["1.3", "1.4"]
    assert [seat.conquest for seat in game.table.seats] == [["Hill"], ["Burg", "Burg"]]
    assert coins_left(game) == 0  # three each, but the attacker has one token and a Hero who is not tossed (E24)


def test_heroes_are_tossed_in_a_fray_only_without_tokens_and_crew() -> None:
    game = scene(
        [army("1.3", 5, back="1.2"), army("1.4", back="1.5", heroes=["Assassin", "Assassin"])],
        field={"1.7": "Burg"},
        coins="++++" + "-+",
    )
    game.apply("space 1.4")
    assert game.table.seats[1].heroes == ["Assassin"]
    assert coins_left(game) == 0


def test_a_weaker_attack_of_0_makes_no_tosses() -> None:
    game = scene([army("1.3", 5, back="1.2"), army("1.4", back="1.5")], field={"1.7": "Burg"})
    game.apply("space 1.4")
    assert game.kind == "flee"
    assert game.table.seats[0].tokens == 5


def test_a_beaten_army_may_flee_into_another_and_starts_a_fray() -> None:
    """E26: three in a row; who has lost to one may not go back to him, and flees on to the end of the strip."""
    game = scene(
        [army("1.3", 6, back="1.2"), army("1.4", 3, back="1.5"), army("1.5", 1, back="1.6")],
        field={"1.7": "Burg"},
        coins="+" * 10,
    )
    game.apply("space 1.4")
    assert game.legal == {"space 1.3", "space 1.5"}
    game.apply("space 1.5")  # 3 against 1: seat 2 loses; beside it stand seat 0, whom it has not fought, and nobody
    assert (game.kind, game.mover, game.legal) == ("flee", 2, {"space 1.4", "space 1.6"})
    game.apply("space 1.4")  # 1 against 6: it loses, and may not go back to 1.5
    assert where(game) == ["1.4", "1.5", "1.3"]
    assert [sorted(seat.fought) for seat in game.table.seats] == [[], [], []]  # seat 1's turn has begun
    assert game.mover == 1


def test_who_has_no_space_to_pick_goes_to_the_nearest_unoccupied_one() -> None:
    """E26: at the end of the strip, between nothing and an Army that it has fought."""
    game = scene(
        [army("1.3", 6, back="1.4"), army("1.2", 2, back="1.3"), army("1.1", 4, back="1.2")],
        field={"1.7": "Burg"},
        coins="+" * 20,
    )
    game.apply("space 1.2")
    assert game.mover == 1
    game.apply("space 1.1")  # 2 against 4: it loses; 1.2 is seat 0's, whom it has fought: the nearest free space is 1.3
    assert where(game) == ["1.2", "1.3", "1.1"]


def test_a_fray_ends_movement_and_combat_of_the_turn() -> None:
    """E27, E38: the winner stands on a face-down Land and fights it in its next turn, without moving."""
    game = scene(
        [army("1.3", 3, back="1.2"), army("1.4", 1, back="1.5")],
        field={"1.4": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 2)],
        coins="++" + "+" * 6,
    )
    apply_all(game, "space 1.4", "space 1.5")
    assert not game.table.field[1, 4].face_up
    assert game.table.active == 1
    game.apply("stay")
    assert game.table.seats[0].conquest == ["Ogre"]  # in its next turn, without a question


def test_shoved_onto_a_land_the_combat_comes_in_the_next_turn() -> None:
    """E28, E42: who plays the card says where; seat 1 stands on a Land then."""
    game = scene(
        [army("1.1", 3, back="1.2", hand=["Shove"]), army("1.5", 4, back="1.6")],
        field={"1.4": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 2)],
        coins="++",
    )
    game.apply("play Shove")
    assert (game.kind, game.mover, game.legal) == ("step", 0, {"space 1.4", "space 1.6"})
    game.apply("space 1.4")
    assert game.table.seats[1].back == (1, 5)
    assert (game.kind, game.mover) == ("march", 0)  # Phase A's menu is empty now, Phase B may move
    game.apply("stay")
    assert game.table.seats[1].conquest == ["Ogre"]


def test_a_walk_onto_a_land_in_phase_a_is_fought_in_this_turn() -> None:
    """E28, E36."""
    game = scene(
        [army("1.3", 3, back="1.2", hand=["Walk"]), army("1.6", 4, back="1.5")],
        field={"1.4": "Ogre", "1.7": "Burg"},
        lands=[land("Ogre", 2)],
        coins="++",
    )
    apply_all(game, "play Walk", "space 1.4")
    assert game.table.seats[0].conquest == ["Ogre"]


def test_two_armies_fight_once_a_turn() -> None:
    """E26: moved once more to where it has fought, it goes to the nearest unoccupied space; of several its owner picks."""
    game = scene(
        [army("2.1", 5, back="1.1", hand=["Shove", "Shove"]), army("2.2", 1, back="2.3")],
        rows=GRID,
        field={"3.4": "Burg"},
        coins="+" * 4,
    )
    apply_all(game, "play Shove", "space 2.1", "pass")
    assert (game.kind, game.mover) == ("flee", 1)
    game.apply("space 2.2")
    assert (game.kind, game.mover) == ("muster", 0)
    apply_all(game, "play Shove", "space 2.1")
    assert (game.kind, game.mover) == ("flee", 1)
    assert game.legal == {"space 1.2", "space 2.3", "space 3.2"}
    game.apply("space 3.2")
    assert where(game) == ["2.1", "3.2"]
    assert coins_left(game) == 2  # one Fray only: both tossed one
    assert (game.kind, game.mover, game.legal) == ("march", 0, {"stay", "space 1.1", "space 2.2", "space 3.1"})


def test_actions_before_the_comparison_of_a_fray() -> None:
    """E30: cards about the Land's Defense stay in the hand; who does not fight is asked too."""
    game = scene(
        [
            army("1.3", 2, back="1.2", hand=["Planks", "Cry"]),
            army("1.4", 3, back="1.5"),
            army("1.6", 1, hand=["Curse"]),
        ],
        field={"1.7": "Burg"},
        coins="+" * 8,
    )
    apply_all(game, "done", "space 1.4")
    assert (game.kind, game.mover, game.legal) == ("window", 0, {"pass", "play Cry"})
    game.apply("play Cry")
    assert (game.mover, game.legal) == (2, {"pass", "play Curse"})
    game.apply("play Curse")
    assert (game.kind, game.mover, game.legal) == ("victim", 2, {"player p0", "player p1"})
    game.apply("player p0")  # 2 + 2 - 3 = 1 against 3
    game.apply("pass")
    assert (game.kind, game.mover) == ("flee", 0)
    assert coins_left(game) == 6


def test_pathfinder_moves_once_more_over_empty_spaces() -> None:
    """E49: not onto a Land, not into an Army, and no further."""
    game = scene(
        [army("1.2", 1, back="1.1", leader="Longlegs"), army("1.5", 1, back="1.6")],
        field={"1.7": "Burg"},
        leaders=[{"name": "Longlegs", "trait": PATH}],
    )
    game.apply("space 1.3")
    assert (game.kind, game.legal) == ("march", {"stay", "space 1.2", "space 1.4"})
    game.apply("space 1.4")
    assert where(game) == ["1.4", "1.5"]
    assert game.table.seats[0].back == (1, 3)
    assert game.mover == 1


def test_brawler_counts_one_more_in_a_fray() -> None:
    game = scene(
        [army("1.3", 2, back="1.2", leader="Bruiser"), army("1.4", 2, back="1.5")],
        field={"1.7": "Burg"},
        leaders=[{"name": "Bruiser", "trait": "brawler"}],
        coins="++++",
    )
    game.apply("space 1.4")
    assert (game.kind, game.mover) == ("flee", 1)
