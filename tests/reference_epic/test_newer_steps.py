"""The model's steps and conditions that no packaged card has (E54 to E64), by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .model import EpicGame
from .scenes import GRID, apply_all, army, coins_left, crews, land, scene, where
from .table import Seat

TOWN = {"1.7": "Burg"}
OGRE = {"1.2": "Ogre", **TOWN}


def card(steps: list[str], *when: str, name: str = "Card") -> dict[str, Any]:
    return {"name": name, "kind": "action", "copies": 2, "when": list(when or ("a",)), "steps": steps}


def far(**fields: Any) -> Seat:
    return army("1.6", 1, back="1.5", **fields)


def menu(steps: list[str], *others: Seat, **fields: Any) -> EpicGame:
    """Seat 0 on 1.2 has one card for its menu of Phase A, played at once."""
    start = {"field": TOWN, "cards": [card(steps)]} | fields
    mine = start.pop("mine", army("1.2", 2, back="1.1", hand=["Card"]))
    return apply_all(scene([mine, *others], **start), "play Card")


def fight(steps: list[str], coins: str, defense: int = 4, seat: Seat | None = None, **fields: Any) -> EpicGame:
    """Seat 0 fights a Land on 1.2; its one card, for the window of the combat, has been played."""
    mine = army("1.2", 3, back="1.1", hand=["Card"]) if seat is None else seat
    game = scene(
        [mine, far()],
        field=OGRE,
        lands=[land("Ogre", defense, 1, epic=False, **fields)],
        cards=[card(steps, "combat")],
        coins=coins,
    )
    return apply_all(game, "done", "stay", "play Card")


# --- cards -------------------------------------------------------------------------------------------------------------


def test_random_discards_are_seen_by_all_and_take_nothing_else_from_memory() -> None:
    """E54: one after the other; fewer if there are no more."""
    victim = army("1.5", 2, back="1.4", hand=["Walk", "Cry", "Cry"])
    for card_known in victim.hand[1:]:
        card_known.knowers = {0, 2}
    game = menu(["choose other", "discard_random 2"], victim, far(), stolen=["Cry", "Walk"])
    game.apply("player p1")
    assert game.as_dict(2)["players"][1]["hand"] == ["Cry"]
    assert game.as_dict()["dropped"] == game.as_dict(2)["dropped"] == ["Cry", "Walk"]
    assert game.as_dict()["stolen"] == []
    assert game.table.discard_pile == ["Cry", "Walk", "Card"]
    game = menu(["choose other", "discard_random 9"], army("1.5", hand=["Walk", "Cry"]), stolen=["Cry", "Walk"])
    assert game.table.seats[1].hand == []


# --- combat ------------------------------------------------------------------------------------------------------------


def test_a_machine_that_is_off_does_not_count_in_this_combat() -> None:
    """E55: neither value nor requirement; its crew stays; in the next combat it counts again."""
    seat = army("1.2", 3, back="1.1", hand=["Card"], machines=[("Cannon", 2)])
    game = fight(["machine_off"], "+++" + "++", 6, seat, needs="machine")
    assert game.table.seats[0].conquest == []  # and tosses as for Defense 6: three loose ones, then the crew
    assert coins_left(game) == 0
    assert crews(game) == [("Cannon", 2)]
    assert not game.table.seats[0].machines[0].is_off


def test_of_alike_machines_the_one_with_fewer_crew_goes_off() -> None:
    """E55: of faces the player of the card chooses one; those without crew do not count anyway."""
    machines = [("Cannon", 2), ("Cannon", 1), ("Battering Ram", 1), ("Big Cart", 0)]
    seat = army("1.2", 3, back="1.1", hand=["Card", "Cry"], machines=machines)
    game = fight(["machine_off"], "", 6, seat)
    assert (game.kind, game.mover, game.legal) == ("off", 0, {"pick Cannon", "pick Battering Ram"})
    game.apply("pick Cannon")
    assert game.as_dict()["combat"]["off"] == ["Cannon"]
    assert [machine.is_off for machine in game.table.seats[0].machines] == [False, True, False, False]


@pytest.mark.parametrize(("defense", "won", "tosses"), [(0, True, 2), (2, True, 3), (5, False, 3)])
def test_more_tosses_against_a_land(defense: int, won: bool, tosses: int) -> None:
    """E56: two more than the Defense, of the three tokens there are."""
    game = fight(["kill_toss 2"], "+" * tosses, defense)
    assert coins_left(game) == 0
    assert bool(game.table.seats[0].conquest) == won


def test_more_tosses_in_a_fray_for_one_side() -> None:
    """E56: 5 against 1, the stronger tosses one and two more."""
    game = scene(
        [army("1.3", 5, back="1.2"), army("1.4", 1, back="1.5", hand=["Card"])],
        field=TOWN,
        cards=[card(["choose fighter", "kill_toss 2"], "fray")],
        coins="---" + "+",
    )
    apply_all(game, "space 1.4", "play Card", "player p0")
    assert [seat.tokens for seat in game.table.seats] == [2, 1]
    assert coins_left(game) == 0


def test_an_army_called_back_goes_at_once_and_without_tosses() -> None:
    """E58: the Land stays, face up; the rest of the card is done without a combat; nobody is asked any more."""
    seat = army("1.2", 3, back="1.1", hand=["Card", "Cry"], machines=[("Cannon", 0)])
    game = fight(["retreat_now", "attack 2", "gain 1", "choose fighter", "gain 5", "choose any"], "", 2, seat)
    assert (game.kind, where(game)[0]) == ("victim", "1.1")
    assert game.as_dict()["combat"] is None
    assert game.table.set_aside == ["Card"]
    game.apply("player p1")
    assert game.kind == "regroup"
    assert game.table.seats[0].tokens == 4  # nobody was a fighter any more: the 5 went to nobody
    assert game.table.field[1, 2].face_up


def test_an_army_called_back_from_its_start_stays() -> None:
    """E58, E22."""
    game = fight(["retreat_now"], "", 2, army("1.2", 3, hand=["Card"]))
    assert where(game)[0] == "1.2"
    assert (1, 2) in game.table.field


def test_a_land_may_send_the_army_back_into_a_fray() -> None:
    """E58, E4: another Army has come to where it was."""
    game = scene(
        [army("1.3", 3, back="1.4"), army("1.4", 1, back="1.5")],
        field={"1.3": "Bog", **TOWN},
        lands=[land("Bog", 1, text=["if tokens >= 3: retreat_now"])],
        coins="++",
    )
    assert (game.kind, game.mover, game.legal) == ("flee", 1, {"space 1.3", "space 1.5"})
    assert where(game)[0] == "1.4"


# --- field -------------------------------------------------------------------------------------------------------------


def test_a_move_of_several_steps_may_end_early() -> None:
    """E57: the first step has to be made."""
    game = menu(["move 3"], far())
    assert (game.kind, game.legal) == ("step", {"space 1.1", "space 1.3"})
    game.apply("space 1.3")
    assert (game.kind, game.legal) == ("step", {"space 1.2", "space 1.4", "stay"})
    apply_all(game, "space 1.4", "stay")
    assert where(game)[0] == "1.4"
    assert game.kind == "march"


def test_a_move_ends_where_another_army_stands() -> None:
    """E57: by a Fray, and where the two have fought already."""
    game = menu(["move 3", "gain 1"], army("1.3", 9, back="1.4"), coins="++++")
    game.apply("space 1.3")
    assert (game.kind, game.mover) == ("flee", 0)
    game.apply("space 1.2")
    assert game.kind == "march"
    assert game.table.seats[0].tokens == 3


def test_armies_change_places_without_a_fray() -> None:
    """E63: neither has anywhere to retreat to; the Land is fought in this turn."""
    game = menu(
        ["choose other", "swap_armies"],
        army("1.4", 1, back="1.5"),
        field={"1.4": "Ogre", **TOWN},
        lands=[land("Ogre", 9)],
    )
    assert where(game) == ["1.4", "1.2"]
    assert [seat.back for seat in game.table.seats] == [None, None]
    assert (game.kind, game.legal) == ("epic", {"epic death", "fight"})


def test_a_land_is_turned_up_beside_the_subject() -> None:
    """E59."""
    game = menu(
        ["choose other", "turn_up"],
        army("1.4", 1, back="1.5"),
        field={"1.3": "Ogre", "1.5": "Hill", **TOWN},
        lands=[land("Ogre", 9)],
    )
    assert (game.kind, game.mover, game.legal) == ("turn_up", 0, {"space 1.3", "space 1.5"})
    game.table.field[1, 3].peeked.add(1)
    game.apply("space 1.3")
    assert game.as_dict(1)["field"]["1.3"] == {"terrain": "Woods", "land": "Ogre", "face_up": True, "peeked": []}


def test_lands_change_places_and_knowledge_goes_along() -> None:
    """E64: not under an Army, not face up, only of one terrain."""
    game = scene(
        [army("1.2", 2, back="1.1", hand=["Card"]), army("2.2", 1, back="2.1")],
        rows=GRID,
        field={"1.3": "Ogre", "1.4": "Hill", "2.2": "Hill", "2.3": "!Hill", "3.3": "Hill", "3.4": "Burg"},
        lands=[land("Ogre", 9)],
        cards=[card(["swap_lands"])],
    )
    game.table.field[1, 3].peeked = {1}
    game.apply("play Card")
    assert (game.kind, game.legal) == ("swap_land", {"space 1.3", "space 1.4", "space 3.3"})
    game.apply("space 1.3")
    assert (game.kind, game.legal) == ("swap_with", {"space 1.4", "space 3.3"})
    game.apply("space 3.3")
    assert {space: plot.name for space, plot in game.table.field.items() if plot.name == "Ogre"} == {(3, 3): "Ogre"}
    assert game.as_dict(1)["field"]["3.3"]["land"] == "Ogre"
    assert game.as_dict(0)["field"]["3.3"]["land"] is None
    assert game.as_dict(1)["field"]["1.3"]["land"] is None


def test_nothing_to_exchange_is_not_asked() -> None:
    """E64, E6."""
    game = menu(["swap_lands", "gain 1"], far(), field={"1.4": "Hill", **TOWN})
    assert game.table.seats[0].tokens == 3


# --- turns and naming --------------------------------------------------------------------------------------------------


def test_one_phase_c_is_skipped() -> None:
    """E60: twice said, once skipped; the Army stays on its Land and fights it a turn later."""
    mine = army("1.2", 9, back="1.1", hand=["Card"])
    game = menu(["no_combat", "no_combat"], far(), mine=mine, field=OGRE, lands=[land("Ogre", 2, 1)], coins="++")
    assert where(game)[0] == "1.2"
    assert game.mover == 1
    assert not game.table.seats[0].no_combat
    assert game.table.seats[0].conquest == []
    game.apply("stay")  # then seat 0's turn has nothing to ask
    assert game.table.seats[0].conquest == ["Ogre"]


def test_nobody_else_names_a_guarded_player_until_his_next_turn() -> None:
    """E61: for an Action; an ability may."""
    seats = [
        army("1.2", 2, back="1.1", hand=["Card"]),
        army("1.4", 1, back="1.5", hand=["Trip"], leader="Pest"),
        far(hand=["Idle"]),
    ]
    game = scene(
        seats,
        field=TOWN,
        cards=[card(["guard"])],
        leaders=[{"name": "Pest", "ability": ["choose other", "lose 1"], "when": ["a"]}],
    )
    apply_all(game, "play Card", "stay")
    assert [seat["guarded"] for seat in game.as_dict()["players"]] == [True, False, False]
    game.apply("play Trip")  # only seat 2 can be named: not asked
    assert [seat.tokens for seat in game.table.seats] == [2, 1, 0]
    game.apply("ability")
    assert game.legal == {"player p0", "player p2"}
    apply_all(game, "player p0", "stay", "done", "stay", "done")
    assert game.table.active == 0
    assert not game.table.seats[0].guarded


def test_with_nobody_to_name_nothing_is_done() -> None:
    """E61: the steps up to the next `choose` are left out, a theft too; that one leaves only himself."""
    game = menu(["choose other", "guard", "choose other", "lose 1", "steal_token 1", "choose any", "gain 1"], far())
    assert [seat.tokens for seat in game.table.seats] == [3, 1]


def test_a_guard_keeps_others_out_of_ones_fights() -> None:
    """E61: seat 2 is not asked in the Fray, the other fighter is, but may not name the guarded one."""
    game = scene(
        [
            army("1.3", 3, back="1.2", hand=["Card", "Idle"]),
            army("1.4", 2, back="1.5", hand=["Curse"]),
            far(hand=["Curse"]),
        ],
        field=TOWN,
        cards=[card(["guard"])],
        coins="++++",
    )
    apply_all(game, "play Card", "done", "space 1.4")
    assert (game.kind, game.mover) == ("window", 0)
    game.apply("pass")
    assert (game.kind, game.mover, game.legal) == ("window", 1, {"pass", "play Curse"})
    game.apply("play Curse")  # on itself: nobody else can be named
    assert game.as_dict()["combat"]["attack_change"] == {0: 0, 1: -3}
    game.apply("pass")
    assert game.mover == 1  # seat 2 was passed over: it flees
    assert game.kind == "flee"


# --- conditions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("terrain Woods", True), ("terrain Town", False), ("defense <= 99", False), ("needs hero", False),
        ("attacker", False), ("defender", False), ("tokens = 4", True), ("tokens >= 5", False), ("heroes <= 1", True),
        ("heroes = 0", False), ("machines = 2", True), ("hand = 1", True), ("hand >= 2", False), ("pile = 6", True),
        ("pile <= 5", False), ("rank = 2", True), ("rank >= 3", False),
    ],
)  # fmt: skip
def test_conditions_in_a_menu(condition: str, holds: bool) -> None:
    """E62: two loose tokens and two on a Machine, the card played no longer in hand, the Burg on top of the pile."""
    mine = army(
        "1.2", 2, back="1.1", hand=["Card", "Cry"], heroes=["Assassin"], machines=[("Cannon", 2), ("Big Cart", 0)],
        conquest=["Hill", "Burg"],
    )  # fmt: skip
    rich = army("1.5", 1, back="1.4", conquest=["Burg", "Burg"])
    game = menu([f"if {condition}: gain 1"], rich, far(), mine=mine)
    assert game.table.seats[0].tokens == 2 + holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [("defense = 1", True), ("defense >= 4", False), ("needs machine", True), ("needs hero", False),
     ("attacker", True), ("defender", False)],
)  # fmt: skip
def test_conditions_in_a_combat(condition: str, holds: bool) -> None:
    """E62: the Defense with Machines and changes, the printed requirement whatever an Action says."""
    seat = army("1.2", 3, back="1.1", hand=["Card"], machines=[("Battering Ram", 1)])
    game = fight(["no_requirement", "defense -2", f"if {condition}: gain 2"], "+", 6, seat, needs="machine")
    assert game.table.seats[0].tokens == 3 + 1 + 2 * holds


@pytest.mark.parametrize(("condition", "change"), [("attacker", 0), ("defender", 2), ("defense <= 99", 0)])
def test_conditions_in_a_fray(condition: str, change: int) -> None:
    """E62: the attacker is who moved in (E23)."""
    game = scene(
        [army("1.3", 3, back="1.2"), army("1.4", 2, back="1.5", hand=["Card", "Idle"])],
        field=TOWN,
        cards=[card([f"if {condition}: attack 2"], "fray")],
    )
    apply_all(game, "space 1.4", "play Card")
    assert game.as_dict()["combat"]["attack_change"] == {0: 0, 1: change}


def test_a_condition_is_about_whoever_is_named_then_and_may_leave_a_choice_out() -> None:
    """E62: looked at when the step is reached; the subject stays whom it was."""
    steps = ["choose other", "lose 1", "if tokens >= 1: lose 1", "if tokens >= 1: choose any", "gain 3"]
    game = menu(steps, army("1.5", 1, back="1.4"), pool=20)
    assert [seat.tokens for seat in game.table.seats] == [2, 3]


def test_a_cancel_whose_condition_does_not_hold() -> None:
    """E62, E31: it is spent, and the asking goes on behind its player."""
    nope = card(["if heroes >= 1: cancel"], "answer", name="Nope")
    game = scene(
        [
            army("1.2", 1, back="1.1", hand=["Trip"]),
            army("1.5", 2, back="1.4", hand=["Nope"]),
            far(hand=["Nope"], heroes=["Assassin"]),
        ],
        field=TOWN,
        cards=[nope],
    )
    apply_all(game, "play Trip", "play Nope")
    assert (game.kind, game.mover) == ("answer", 2)  # about the cancel
    game.apply("pass")
    assert (game.kind, game.mover, game.legal) == ("answer", 2, {"pass", "play Nope"})  # about the Trip
    game.apply("play Nope")
    assert [seat.tokens for seat in game.table.seats] == [1, 2, 1]
    assert sorted(game.table.discard_pile) == ["Nope", "Nope", "Trip"]
