"""Phase C: the combat of the active Army against the Land that it stands on."""

from __future__ import annotations

from collections.abc import Generator

from . import actions, moves, tosses
from .cards import Land
from .table import Choices, Combat, Decision, GameOver, Machine, Table

GUIDES = {"Woods": "woodsman", "River": "ferryman", "Wall": "sapper"}  # traits that lower the Defense of a terrain

_Verdict = Generator[Decision, str, bool]


def land_combat(table: Table, player: int) -> Choices:
    """Effects, Actions, crew, comparison, tosses, then conquest or retreat."""
    seat = table.seats[player]
    plot = table.field[seat.space]
    table.saw("E15 a Land turned up before is fought once more", plot.face_up)
    plot.face_up = True  # by a combat and by nothing else (E22)
    land = table.cards.lands[plot.name]
    combat = Combat("land", [player], seat.space)
    table.combat = combat
    table.saw("E15 several effects of a Land", len(land.effects) > 1)
    yield from actions.carry_out(table, player, land.name, land.effects, is_action=False)
    if table.combat is None:
        table.saw("E58 a Land's text sends the Army back")
        return
    yield from actions.ask_window(table, "combat")
    if table.combat is None:
        table.saw("E58 an Action sends the Army back")
        return
    yield from crew_machines(table, player)
    attack, defense = attack_of(table, player), defense_of(table, player, land)
    table.saw("E32 an Army with nothing fights", not seat.tokens and not seat.crew and not seat.heroes)
    met = meets_requirement(table, player, land)
    won = met and attack >= defense
    table.saw("E16 the requirement not met though the Attack is high enough", not met and attack >= defense)
    table.saw("E16 the requirement not met at Defense 0", not met and defense == 0)
    table.saw("E18 Defense 0: won without a toss", won and defense == 0)
    epic = yield from _declares_epic_death(table, player, land, attack, defense, met)
    if epic and tosses.toss_for_epic_death(table, player):
        won = True  # no other toss, nothing is asked, nothing comes back (E20, E43)
        table.saw("E20 an Epic Death")
        table.saw("E20 Heroes and empty Machines stay", seat.heroes and seat.machines)
    else:
        table.saw("E20 an Epic Death fails", epic)
        yield from tosses.toss_for_land(table, player, defense)
        tosses.heal(table, player)
        yield from actions.ask_after_toss(table, player)
    if not won:
        tosses.rear_guard(table, player)
    table.end_combat()
    if won:
        _conquer(table, player, land)
    else:
        yield from retreat(table, player)


def attack_of(table: Table, player: int) -> int:
    """Loose tokens and Heroes, and what Actions changed; never below 0 (E18)."""
    assert table.combat is not None
    seat = table.seats[player]
    attack = seat.tokens + table.hero_attack(player) + table.combat.attack_change[player]
    table.saw("E18 an Attack below 0 counts as 0", attack < 0)
    return max(0, attack)


def defense_of(table: Table, player: int, land: Land) -> int:
    """Lowered by all crewed Machines in full, changed by Actions and traits; never below 0 (E17, E18)."""
    assert table.combat is not None
    crewed = table.seats[player].working
    cards = table.cards.cards
    table.saw("E17 several crewed Machines add up", len(crewed) > 1)
    table.saw("E17 a Machine with part of its crew works in full", any(m.crew < cards[m.name].cost for m in crewed))
    table.saw("E17 a Machine without crew does nothing", any(not m.crew for m in table.seats[player].machines))
    defense = land.defense + table.combat.defense_change - sum(cards[machine.name].value for machine in crewed)
    guide = GUIDES.get(land.terrain)
    if guide is not None and table.has_trait(player, guide):
        table.saw(f"E49 {guide}")
        defense -= 1
    table.saw("E18 a Defense below 0 counts as 0", defense < 0)
    return max(0, defense)


def meets_requirement(table: Table, player: int, land: Land) -> bool:
    """Looked at when the values are compared: a Hero in play, a Machine with crew (E16)."""
    assert table.combat is not None
    seat = table.seats[player]
    if not land.needs:
        return True
    met = bool(seat.heroes) if land.needs == "hero" else bool(seat.working)
    table.saw("E55 a Machine that is off does not meet it", land.needs == "machine" and seat.crew and not met)
    table.saw(f"E16 a {land.needs} is needed and there")
    table.saw("E16 an Action takes the requirement away", table.combat.needs_nothing and not met)
    table.saw("E16 a Machine without crew does not meet it", land.needs == "machine" and seat.machines and not met)
    return met or table.combat.needs_nothing


def _declares_epic_death(table: Table, player: int, land: Land, attack: int, defense: int, met: bool) -> _Verdict:
    """Possible at less than half of the Defense, with a token or crew, the requirement met, where the Land allows it
    (E5, E35); asked after the last Action and the last crew (E20)."""
    seat = table.seats[player]
    weak = 2 * attack < defense
    table.saw("E5 an Attack of just half the Defense: no Epic Death", 2 * attack == defense > 0)
    if not weak:
        return False
    if not seat.tokens and not seat.crew:
        table.saw("E5 no token for an Epic Death")
        return False
    if not met:
        table.saw("E16 no Epic Death without what the Land needs")
        return False
    if not land.epic:
        table.saw("E35 a Land that forbids Epic Death")
        return False
    table.saw("E20 crew alone is enough for an Epic Death", not seat.tokens)
    answer = yield Decision(player, "epic", frozenset({"epic death", "fight"}))
    return answer == "epic death"


def _conquer(table: Table, player: int, land: Land) -> None:
    """Reinforcements, and the card face down on top of the pile; the space stays, empty (E21)."""
    seat = table.seats[player]
    table.gain(player, land.value)
    del table.field[seat.space]
    seat.conquest.append(land.name)
    table.saw("E21 a Land is conquered")
    if land.terrain == "Town":
        table.saw("E10 a Town falls and another is left", table.towns_left)
        if not table.towns_left:
            raise GameOver  # there and then


def retreat(table: Table, player: int) -> Choices:
    """Back to the space from which the Army came; who still stands on his start stays (E4, E22)."""
    back = table.seats[player].back
    if back is None:
        table.saw("E22 beaten on its start an Army stays")
        return
    table.saw("E4 a retreat onto a Land", back in table.field)
    yield from moves.go(table, player, back, "retreating")


# --- crew ----------------------------------------------------------------------------------------------------------


def crew_price(table: Table, player: int, name: str) -> int | None:
    """Loose tokens that the whole crew of a Machine costs its owner now; None if he cannot pay (E12, E17)."""
    seat = table.seats[player]
    price = table.cards.cards[name].cost
    if table.pool and not seat.free_crew_used and table.has_trait(player, "free crew"):
        price -= 1  # that one comes from the pool
    return price if price <= seat.tokens else None


def give_crew(table: Table, player: int, machine: Machine) -> None:
    price = crew_price(table, player, machine.name)
    assert price is not None
    seat = table.seats[player]
    crew = table.cards.cards[machine.name].cost
    if price < crew:
        seat.free_crew_used = True
        table.saw("E49 free crew")
    table.saw("E12 down to no loose token", price == seat.tokens > 0)
    seat.tokens -= price
    table.pool -= crew - price
    machine.crew = crew


def crew_machines(table: Table, player: int) -> Choices:
    """Machines without crew may be given it, one after another (E17)."""
    machines = table.seats[player].machines
    while True:
        idle = {machine.name for machine in machines if not machine.crew}
        options = {f"pick {name}" for name in idle if crew_price(table, player, name) is not None}
        table.saw("E17 a Machine that cannot be crewed", idle and not options)
        if not options:
            return
        answer = yield Decision(player, "crew", frozenset({"decline", *options}))
        if answer == "decline":
            return
        alike = [machine for machine in machines if machine.name == answer.removeprefix("pick ")]
        table.saw("E46 of alike Machines the one without crew is crewed", any(machine.crew for machine in alike))
        give_crew(table, player, next(machine for machine in alike if not machine.crew))
        table.saw(
            "E17 a Machine crewed in Phase D" if table.phase == "D" else "E17 a Machine crewed before a comparison"
        )
