"""The model's Phases A and D, Actions and their answers, knowledge and traits, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .model import EpicGame
from .scenes import apply_all, army, coins_left, crews, land, scene, where
from .table import Seat

CANCEL = {"name": "Nope", "kind": "action", "copies": 2, "when": ["answer"], "steps": ["cancel"]}
SAVE = {"name": "Save", "kind": "action", "copies": 2, "when": ["toss"], "steps": ["save 2"]}
AGAIN = {"name": "Again", "kind": "action", "copies": 2, "when": ["toss"], "steps": ["retoss 2"]}
THEFT = {"name": "Theft", "kind": "action", "copies": 2, "when": ["a"], "steps": ["steal_card"]}
GRAVE = {"name": "Grave", "kind": "action", "copies": 2, "when": ["a"], "steps": ["take_back hero"]}
TOWN = {"1.7": "Burg"}
TWO = {"reinforcements": 2}


def far(**fields: Any) -> Seat:
    return army("1.6", 1, back="1.5", **fields)


# --- Phase A -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("draw", "hand", "tokens"), [(0, 0, 3), (1, 1, 2), (2, 2, 1)])
def test_cards_or_tokens(draw: int, hand: int, tokens: int) -> None:
    """E2."""
    game = scene([army("1.2", 1, back="1.1"), far()], field=TOWN, pile=["Walk", "Walk", "Idle"], rules=TWO)
    assert (game.kind, game.legal) == ("reinforce", {"draw 0", "draw 1", "draw 2"})
    game.apply(f"draw {draw}")
    assert (len(game.table.seats[0].hand), game.table.seats[0].tokens) == (hand, tokens)


def test_no_more_cards_than_deck_and_discards_hold() -> None:
    """E12, E14: one in the discard pile; the pile is shuffled when a card is wanted."""
    game = scene([army("1.2", 1, back="1.1"), far()], field=TOWN, discards=["Walk"], rules=TWO)
    assert game.legal == {"draw 0", "draw 1"}
    assert game.table.shuffles == 0
    game.apply("draw 1")
    assert game.table.shuffles == 1
    assert game.table.seats[0].tokens == 2
    game = scene([army("1.2", 1, back="1.1"), far()], field=TOWN, rules=TWO, pool=1)
    assert game.kind == "march"  # no card anywhere: nothing asked, and the pool pays the one that it has (E13)
    assert game.table.seats[0].tokens == 2


def test_heroes_and_machines_are_paid_with_loose_tokens() -> None:
    """E12: down to none."""
    game = scene([army("1.2", 3, back="1.1", hand=["Assassin", "Cannon", "Big Cart"]), far()], field=TOWN, pool=10)
    assert game.legal == {"play Assassin", "play Cannon", "play Big Cart", "done"}
    apply_all(game, "play Cannon")
    assert game.legal == {"play Assassin", "done"}
    game.apply("play Assassin")
    seat = game.table.seats[0]
    assert (seat.tokens, seat.heroes, crews(game)) == (0, ["Assassin"], [("Cannon", 2)])
    assert game.table.pool == 11
    assert game.legal == {"done"}


@pytest.mark.parametrize(
    ("trait", "name", "left"), [("recruiter", "Cavalier", 2), ("recruiter", "Assassin", 3), ("free crew", "Cannon", 3)]
)
def test_traits_make_things_cheaper(trait: str, name: str, left: int) -> None:
    """E49: an Assassin that costs one stays at one."""
    game = scene(
        [army("1.2", 4, back="1.1", hand=[name], leader="Cheap"), far()],
        field=TOWN,
        leaders=[{"name": "Cheap", "trait": trait}],
        pool=5,
    )
    game.apply(f"play {name}")
    assert game.table.seats[0].tokens == left


def test_free_crew_once_a_turn_and_not_from_an_empty_pool() -> None:
    leaders = [{"name": "Cheap", "trait": "free crew"}]
    game = scene(
        [army("1.2", 2, back="1.1", hand=["Battering Ram", "Battering Ram"], leader="Cheap"), far()],
        field=TOWN, leaders=leaders, pool=5,
    )  # fmt: skip
    apply_all(game, "play Battering Ram")
    assert (game.table.seats[0].tokens, game.table.pool) == (2, 4)
    apply_all(game, "play Battering Ram")
    assert (game.table.seats[0].tokens, game.table.pool) == (1, 4)
    game = scene(
        [army("1.2", 0, back="1.1", hand=["Battering Ram"], leader="Cheap"), far()],
        field=TOWN, leaders=leaders, pool=0,
    )  # fmt: skip
    assert game.legal == {"done"}


def test_forager_takes_one_more_when_no_card_is_drawn() -> None:
    for draw, tokens in (("draw 0", 4), ("draw 1", 2)):
        game = scene(
            [army("1.2", 1, back="1.1", leader="Forager"), far()],
            field=TOWN, pile=["Walk", "Walk"], rules=TWO, leaders=[{"name": "Forager", "trait": "forager"}],
        )  # fmt: skip
        game.apply(draw)
        assert game.table.seats[0].tokens == tokens


def test_an_ability_is_used_once_a_turn() -> None:
    """E33, E48: with an empty hand the menu is put as long as the ability can be used."""
    game = scene(
        [army("1.2", 1, back="1.1", leader="Digger"), far()],
        field=TOWN, pile=["Walk", "Idle"], leaders=[{"name": "Digger", "ability": ["draw 1", "discard 1"], "when": ["a", "d"]}],
    )  # fmt: skip
    assert (game.kind, game.legal) == ("muster", {"ability", "done"})
    game.apply("ability")
    assert game.kind == "march"  # the card drawn was the whole hand and went at once
    assert game.as_dict()["players"][0]["ability_used"]
    assert game.table.discard_pile == ["Walk"]


# --- Phase D -----------------------------------------------------------------------------------------------------------


def test_phase_d_has_actions_then_machines_then_discards() -> None:
    """E29, E17."""
    game = scene(
        [
            army(
                "1.2",
                1,
                back="1.1",
                hand=["Idle", "Idle", "Cry", "Cry", "Planks"],
                machines=[("Cannon", 0), ("Big Cart", 0)],
            ),
            far(),
        ],
        field=TOWN,
    )
    apply_all(game, "done", "stay")
    assert (game.kind, game.legal) == ("regroup", {"play Idle", "done"})
    apply_all(game, "play Idle", "done")
    assert (game.kind, game.legal) == ("crew", {"pick Cannon", "decline"})
    game.apply("pick Cannon")
    assert crews(game) == [("Cannon", 2)]  # the Cart could not be paid and is gone
    assert (game.kind, game.legal) == ("discard", {"discard Idle", "discard Cry", "discard Planks"})
    game.apply("discard Cry")
    assert game.mover == 1
    assert sorted(game.table.discard_pile) == ["Big Cart", "Cry", "Idle"]


def test_big_pockets_keeps_four() -> None:
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Cry", "Cry", "Planks", "Planks"], leader="Pockets"), far()],
        field=TOWN, leaders=[{"name": "Pockets", "trait": "big pockets"}],
    )  # fmt: skip
    apply_all(game, "done", "stay", "done")
    assert game.mover == 1


# --- answers -----------------------------------------------------------------------------------------------------------


def test_a_cancelled_action_does_nothing() -> None:
    """E31, E39: all others are asked once, clockwise from its player, until one answers."""
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Trip"]), army("1.5", 2, back="1.4", hand=["Walk"]), far(hand=["Nope"])],
        field=TOWN, cards=[CANCEL],
    )  # fmt: skip
    game.apply("play Trip")
    assert (game.kind, game.mover, game.legal) == ("answer", 1, {"pass"})
    assert game.as_dict()["set_aside"] == ["Trip"]
    game.apply("pass")
    assert (game.mover, game.legal) == (2, {"pass", "play Nope"})
    game.apply("play Nope")
    assert (game.kind, game.mover) == ("answer", 1)  # the answer is asked about too; player 0 has no card left
    game.apply("pass")
    assert [seat.tokens for seat in game.table.seats] == [1, 2, 1]
    assert sorted(game.table.discard_pile) == ["Nope", "Trip"]


def test_a_cancel_can_be_cancelled_and_then_the_asking_goes_on() -> None:
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Trip", "Nope"]), army("1.5", 2, back="1.4", hand=["Nope"]), far(hand=["Walk"])],
        field=TOWN, cards=[CANCEL],
    )  # fmt: skip
    apply_all(game, "play Trip", "play Nope")
    assert (game.kind, game.mover) == ("answer", 2)
    game.apply("pass")
    assert (game.kind, game.mover, game.legal) == ("answer", 0, {"pass", "play Nope"})
    game.apply("play Nope")  # nobody but player 2 has a card to answer it with
    assert (game.kind, game.mover) == ("answer", 2)
    game.apply("pass")
    assert (game.kind, game.mover) == ("answer", 2)  # the asking about the Trip goes on behind player 1
    game.apply("pass")
    assert (game.kind, game.mover, game.legal) == ("victim", 0, {"player p1", "player p2"})
    game.apply("player p1")
    assert game.table.seats[1].tokens == 0
    assert sorted(game.table.discard_pile) == ["Nope", "Nope", "Trip"]


# --- after a toss --------------------------------------------------------------------------------------------------------


def fight(cards: list[Any], hand: list[str], coins: str, leader: str = "Nobody", trait: str = "") -> EpicGame:
    return scene(
        [army("1.2", 3, back="1.1", hand=hand, leader=leader), far()],
        field={"1.2": "Ogre", **TOWN},
        lands=[land("Ogre", 4, epic=False)],
        cards=cards,
        leaders=[{"name": "Trait", "trait": trait}],
        coins=coins,
    )


def test_saved_tokens_come_back_loose() -> None:
    """E43: asked once."""
    game = apply_all(fight([SAVE], ["Save", "Save"], "---"), "done", "stay", "pass")
    assert (game.kind, game.mover, game.legal) == ("after_toss", 0, {"pass", "play Save"})
    assert game.as_dict()["combat"]["fallen"] == {0: 3}
    game.apply("play Save")
    assert game.table.seats[0].tokens == 2
    assert (game.kind, where(game)[0]) == ("regroup", "1.1")


def test_tossed_again() -> None:
    game = apply_all(fight([AGAIN], ["Again"], "---+-"), "done", "stay", "pass", "play Again")
    assert game.table.seats[0].tokens == 1
    assert coins_left(game) == 0


def test_nobody_is_asked_who_lost_nothing() -> None:
    game = apply_all(fight([SAVE], ["Save"], "+++"), "done", "stay", "pass")
    assert game.kind == "regroup"


@pytest.mark.parametrize(
    ("trait", "coins", "left"), [("healer", "--++", 2), ("healer", "--+-", 1), ("rear guard", "--+", 2)]
)
def test_healer_and_rear_guard(trait: str, coins: str, left: int) -> None:
    game = fight([], [], coins, "Trait", trait)
    assert game.table.seats[0].tokens == left
    assert coins_left(game) == 0


@pytest.mark.parametrize(("trait", "terrain"), [("woodsman", "Woods"), ("ferryman", "River"), ("sapper", "Wall")])
def test_guides_lower_the_defense_on_their_terrain(trait: str, terrain: str) -> None:
    for where_it_is, won in ((terrain, True), ("Town", False)):
        game = scene(
            [army("1.2", 3, back="1.1", leader="Guide"), far()],
            field={"1.2": "Ogre", **TOWN},
            lands=[land("Ogre", 4, terrain=where_it_is, epic=False)],
            leaders=[{"name": "Guide", "trait": trait}],
            coins="+++",
        )
        assert game.table.seats[0].conquest == (["Ogre"] if won else [])


# --- knowledge -----------------------------------------------------------------------------------------------------------


def test_a_stolen_card_is_known_to_thief_and_victim_only() -> None:
    """E45: the third forgets what he knew of the victim's hand."""
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Theft"]), army("1.5", 2, back="1.4", hand=["Walk", "Cry"]), far()],
        field=TOWN, cards=[THEFT], stolen=["Walk"],
    )  # fmt: skip
    for card in game.table.seats[1].hand:
        card.knowers = {0, 2}
    game.apply("play Theft")
    hands = [[seat["hand"] for seat in game.as_dict(viewer)["players"]] for viewer in range(3)]
    assert hands == [[["Walk"], ["Cry"], []], [["Walk"], ["Cry"], []], [[], [], []]]
    assert [seat["known"] for seat in game.as_dict()["players"]] == [[], [], []]
    assert game.as_dict()["stolen"] == ["Walk"]
    assert game.as_dict(1)["stolen"] == []


def test_the_only_card_of_a_hand_stays_known_to_who_knew_it() -> None:
    game = scene(
        [army("1.2", 1, back="1.1", hand=["Theft"]), army("1.5", 2, back="1.4", hand=["Walk"]), far()],
        field=TOWN, cards=[THEFT], stolen=["Walk"],
    )  # fmt: skip
    game.table.seats[1].hand[0].knowers = {2}
    game.apply("play Theft")
    assert game.as_dict()["players"][0]["known"] == ["Walk"]


def test_a_card_taken_back_is_known_and_leaves_first() -> None:
    """E44, E45."""
    game = scene(
        [army("1.2", 4, back="1.1", hand=["Grave", "Assassin"]), far()],
        field=TOWN, cards=[GRAVE], discards=["Assassin", "Cannon", "Cavalier"],
    )  # fmt: skip
    game.apply("play Grave")
    assert (game.kind, game.legal) == ("take", {"take Assassin", "take Cavalier"})
    game.apply("take Assassin")
    assert game.as_dict(1)["players"][0]["hand"] == ["Assassin"]
    game.apply("play Assassin")
    assert game.as_dict(1)["players"][0]["hand"] == []
    assert game.table.seats[0].heroes == ["Assassin"]


def test_a_peek_shows_the_land_to_who_looked() -> None:
    """E44: to nobody else, and it stays face down."""
    game = scene(
        [army("1.3", 1, back="1.2", leader="Spy"), far()],
        field={"1.2": "Hill", "1.4": "Ogre", **TOWN},
        lands=[land("Ogre", 4)],
        leaders=[{"name": "Spy", "ability": ["peek"], "when": ["a"]}],
    )
    game.apply("ability")
    assert (game.kind, game.legal) == ("peek", {"space 1.2", "space 1.4"})
    game.apply("space 1.4")
    assert game.as_dict(0)["field"]["1.4"]["land"] == "Ogre"
    assert game.as_dict(1)["field"]["1.4"]["land"] is None
    assert game.as_dict(1)["field"]["1.4"]["peeked"] == [0]
    assert not game.table.field[1, 4].face_up


def test_of_alike_machines_the_poorer_goes_and_the_richer_gives() -> None:
    """E46."""
    wreck = {"name": "Wreck", "kind": "action", "when": ["a"], "steps": ["lose_machine", "lose 1"]}
    game = scene(
        [army("1.2", 0, back="1.1", hand=["Wreck"], machines=[("Cannon", 2), ("Cannon", 1), ("Cannon", 0)]), far()],
        field=TOWN, cards=[wreck],
    )  # fmt: skip
    game.apply("play Wreck")
    assert crews(game) == [("Cannon", 1), ("Cannon", 1)]
