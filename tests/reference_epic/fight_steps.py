"""Steps of cards about the combat or Fray going on; without one they do nothing."""

from __future__ import annotations

from . import combat
from .cards import Step
from .table import Choices, Table, ask


def carry_out(table: Table, player: int, subject: int, step: Step) -> Choices:
    fight = table.combat
    if fight is None:
        table.saw("E58 a step about a combat that is over")
        return
    is_fighter = subject in fight.fighters
    match step.word:
        case "attack":
            table.saw("E40 the Attack of an Army that does not fight", not is_fighter)
            fight.attack_change[subject] += step.number if is_fighter else 0
        case "defense":
            fight.defense_change += step.number
            table.saw("E52 the Defense in another's combat", player not in fight.fighters)
        case "no_requirement":
            fight.needs_nothing = True
        case "kill_toss":
            table.saw("E56 more tosses for an Army that does not fight", not is_fighter)
            fight.extra_tosses[subject] += step.number if is_fighter else 0
        case "machine_off":
            yield from _machine_off(table, player)
        case "retreat_now":
            table.end_combat()
            yield from combat.retreat(table, table.active)
        case _:
            raise NotImplementedError(step.text)


def _machine_off(table: Table, player: int) -> Choices:
    """A Machine of the fighting Army that still counts; who plays the card says which (E55)."""
    working = table.seats[table.active].working
    table.saw("E55 no Machine to switch off", not working)
    if working:
        names = [machine.name for machine in working]
        name = yield from ask(table, player, "off", "pick", names, "E55 who plays the card says which Machine goes off")
        alike = [machine for machine in working if machine.name == name]
        table.saw("E55 of alike Machines the one with fewer crew goes off", len({m.crew for m in alike}) > 1)
        min(alike, key=lambda machine: machine.crew).is_off = True
        table.saw("E55 a Machine is off")
