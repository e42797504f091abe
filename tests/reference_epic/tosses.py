"""Tossing tokens: who is tossed, and what becomes of the dead."""

from __future__ import annotations

from . import actions
from .table import Choices, Table, ask


def _toss_loose(table: Table, player: int, count: int) -> None:
    """Loose tokens, together; the dead go to the pool."""
    assert table.combat is not None
    dead = sum(not table.toss() for _ in range(count))
    table.spend(player, dead)
    table.combat.fallen[player] += dead


def _toss_crew(table: Table, player: int, count: int) -> Choices:
    """Crew, one token at a time, by the owner's choice; each at most once (E19)."""
    assert table.combat is not None
    seat = table.seats[player]
    for machine in seat.machines:
        machine.tossed = 0
    table.saw("E19 crew is tossed", count > 0 and seat.crew)
    table.saw("E19 less crew than is to be tossed", count > seat.crew > 0)
    if count >= seat.crew:  # all of them, without a question, in the order of the Machines (E47)
        _toss_all_crew(table, player)
        return
    for _ in range(count):
        machine = yield from actions.pick_crew(table, player, "toss", is_toss=True)
        if table.toss():
            machine.tossed += 1
        else:
            table.lose_crew(machine)
            table.combat.fallen[player] += 1
            table.saw("E17 a Machine loses its last crew by a toss", not machine.crew)


def _toss_all_crew(table: Table, player: int) -> None:
    """By Machines as they are listed (E47)."""
    assert table.combat is not None
    machines = [machine for machine in table.seats[player].machines if machine.crew]
    table.saw("E47 crew is tossed by Machines in their order", len(machines) > 1)
    for machine in machines:
        for _ in range(machine.crew):
            if not table.toss():
                table.lose_crew(machine)
                table.combat.fallen[player] += 1
        table.saw("E17 a Machine loses its last crew by a toss", not machine.crew)


def _toss_heroes(table: Table, player: int, defense: int) -> Choices:
    """One by one, in the owner's order, until the printed Attack of those tossed reaches the Defense (E19). No token of
    the pool is needed (E13). What Attack was tossed stands in the combat's `covered`."""
    left = list(table.seats[player].heroes)
    table.saw("E13 a Hero is tossed though the pool is empty", left and not table.pool and defense > 0)
    covered = 0
    while left and covered < defense:
        name = yield from ask(table, player, "toss", "pick", left, "E19 which Hero is tossed next")
        left.remove(name)
        covered += table.cards.cards[name].value
        if table.toss():
            table.saw("E19 a tossed Hero lives")
        else:
            table.saw("E19 a tossed Hero dies")
            table.lose_hero(player, name)
    table.saw("E19 enough Heroes have been tossed", left and defense > 0)
    return covered


def toss_for_land(table: Table, player: int, defense: int) -> Choices:
    """The tosses of a combat against a Land with this Defense (E19), and what a card adds to it for them (E56)."""
    assert table.combat is not None
    seat = table.seats[player]
    more = table.combat.extra_tosses[player]
    table.saw("E56 more tosses against a Land", more)
    table.saw("E56 more tosses at Defense 0", more and not defense)
    defense += more
    if seat.tokens:
        count = min(seat.tokens, defense)
        rest = defense - count
        covered = table.hero_attack(player)
        table.saw("E19 fewer tosses than loose tokens", 0 < defense < seat.tokens)
        table.saw("E19 Heroes cover their Attack without a toss", rest and covered)
        table.saw("E19 Heroes cover all that is left", 0 < rest <= covered and seat.crew)
        _toss_loose(table, player, count)
    else:
        rest = defense
        covered = yield from _toss_heroes(table, player, defense)
    yield from _toss_crew(table, player, max(0, rest - covered))


def toss_for_fray(table: Table, player: int, weaker: int) -> Choices:
    """As many as the weaker Attack: loose tokens, then crew; Heroes only if there was neither (E24). A card may add to
    one side's number (E56)."""
    assert table.combat is not None
    seat = table.seats[player]
    table.saw("E24 a weaker Attack of 0: no tosses", weaker == 0)
    more = table.combat.extra_tosses[player]
    table.saw("E56 more tosses in a Fray", more)
    weaker += more
    if not seat.tokens and not seat.crew:
        table.saw("E24 Heroes are tossed in a Fray", weaker and seat.heroes)
        yield from _toss_heroes(table, player, weaker)
        return
    loose = min(seat.tokens, weaker)
    table.saw("E24 loose tokens, then crew", loose and weaker > loose and seat.crew)
    table.saw("E24 Heroes of an Army with tokens are not tossed", seat.heroes and weaker > seat.tokens + seat.crew)
    _toss_loose(table, player, loose)
    yield from _toss_crew(table, player, weaker - loose)


def toss_for_epic_death(table: Table, player: int) -> bool:
    """All tokens, loose ones first, then crew by Machines as they are listed (E47). Are all dead (E20)?"""
    assert table.combat is not None
    seat = table.seats[player]
    _toss_loose(table, player, seat.tokens)
    _toss_all_crew(table, player)
    return not seat.tokens and not seat.crew


def heal(table: Table, player: int) -> None:
    """The trait: one token that died is tossed once more (E49)."""
    assert table.combat is not None
    if table.combat.fallen[player] and table.has_trait(player, "healer"):
        alive = table.toss()
        table.saw("E49 healer: the token lives" if alive else "E49 healer: the token dies again")
        _come_back(table, player, int(alive))


def rear_guard(table: Table, player: int) -> None:
    """The trait: after a lost combat one token that died comes back (E49)."""
    assert table.combat is not None
    if table.combat.fallen[player] and table.has_trait(player, "rear guard"):
        table.saw("E49 rear guard")
        _come_back(table, player, 1)


def _come_back(table: Table, player: int, count: int) -> None:
    assert table.combat is not None
    table.combat.fallen[player] -= count
    table.gain(player, count)
