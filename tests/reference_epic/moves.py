"""Armies on the field: how they move, what happens where two meet, and where they flee."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from . import actions, tosses
from .cards import Space, label_of, space_of
from .table import Choices, Combat, Decision, Table, ask

_Place = Generator[Decision, str, Space]


def go(table: Table, player: int, target: Space, why: str) -> Choices:
    """The Army goes to a space; whoever comes into an occupied one starts a Fray (E37).

    Where a Fray is forbidden, because the two have fought in this turn, it goes to the nearest unoccupied space (E26).
    """
    if player == table.active and why in ("moving", "moved"):
        table.saw("E38 an Army goes on after a Fray", table.frayed)
        table.frayed = False
    table.saw("E53 a card moves an Army off a Land", why == "moved" and table.seats[player].space in table.field)
    other = table.army_at(target, besides=player)
    if other is not None and other in table.seats[player].fought:
        table.saw(f"E26 {why} to where an Army stands that it has fought")
        target, other = (yield from _refuge(table, player)), None
    place(table, player, target)
    if other is not None:
        table.saw(f"E37 {why} into an occupied space")
        yield from fray(table, player, other)
    elif target in table.field:
        in_time = player == table.active and table.phase in ("A", "B")
        table.saw("E28 moved onto a Land in its own turn before Phase C", why == "moved" and in_time)
        table.saw("E28 moved onto a Land at another time", why == "moved" and not in_time)


def place(table: Table, player: int, target: Space) -> None:
    """Moves the Leader's card; the space that it leaves is where it retreats to from the next (E22)."""
    seat = table.seats[player]
    seat.back, seat.space = seat.space, target


def _refuge(table: Table, player: int) -> _Place:
    """The nearest unoccupied space by steps from where the Army stands; of several its owner picks (E26)."""
    steps = table.layout.distances(table.seats[player].space)
    free = [space for space in steps if table.army_at(space) is None]
    nearest = min(steps[space] for space in free)
    table.saw("E26 no neighbouring space is unoccupied", nearest > 1)
    return (yield from _flee(table, player, [space for space in free if steps[space] == nearest]))


def _flee(table: Table, player: int, spaces: Iterable[Space]) -> _Place:
    where = yield from ask(
        table, player, "flee", "space", [label_of(space) for space in spaces], "E42 the owner says where his Army flees"
    )
    return space_of(where)


def fray_attack(table: Table, player: int) -> int:
    """Loose tokens, crew and Heroes, and what Actions changed; never below 0 (E18, E23)."""
    assert table.combat is not None
    seat = table.seats[player]
    change = table.combat.attack_change[player]
    if table.has_trait(player, "brawler"):
        table.saw("E49 brawler")
        change += 1
    attack = seat.tokens + seat.crew + table.hero_attack(player) + change
    table.saw("E18 an Attack below 0 counts as 0", attack < 0)
    table.saw("E23 crew counts in a Fray", seat.crew)
    return max(0, attack)


def fray(table: Table, attacker: int, defender: int) -> Choices:
    """Actions, comparison, conquest cards, tosses, then the loser moves (E23)."""
    seats = table.seats
    pair = (attacker, defender)
    if table.active in pair and table.phase in ("A", "B"):
        table.frayed = True  # no combat in this turn where it stands now (E38)
        table.saw("E38 the active Army has to defend itself in its own turn", defender == table.active)
        table.saw("E38 a Fray in the menu of Phase A", table.phase == "A")
    table.saw("E23 a Fray without the active player", table.active not in pair)
    table.saw("E29 a Fray in Phase D", table.phase == "D")
    table.saw("E27 a Fray on a Land", seats[defender].space in table.field)
    seats[attacker].fought.add(defender)
    seats[defender].fought.add(attacker)
    came_from = seats[attacker].back
    assert came_from is not None
    combat = Combat("fray", [attacker, defender], seats[defender].space)
    table.combat = combat
    yield from actions.ask_window(table, "fray")
    attacks = {player: fray_attack(table, player) for player in pair}
    weaker = min(attacks.values())
    if attacks[attacker] == attacks[defender]:
        loser = None
        _swap_conquests(table, attacker, defender)
    else:
        winner, loser = pair if attacks[attacker] > attacks[defender] else pair[::-1]
        table.saw("E23 the defender wins a Fray", loser == attacker)
        if seats[loser].conquest:
            table.saw("E25 the top card of the loser's pile")
            seats[winner].conquest.append(seats[loser].conquest.pop())
        else:
            table.saw("E25 the loser has no card to lose")
    for player in pair:
        yield from tosses.toss_for_fray(table, player, weaker)
        yield from actions.ask_after_toss(table, player)
    table.end_combat()  # what is left is that somebody leaves
    if loser is None:
        table.saw("E25 a tie: the attacker goes back")
        yield from go(table, attacker, came_from, "sent back by a tie")
        return
    steps = table.layout.neighbours(seats[loser].space)
    open_to = [space for space in steps if table.army_at(space, besides=loser) not in seats[loser].fought]
    table.saw("E26 a space beside is closed by an Army fought before", len(open_to) < len(steps))
    if open_to:
        target = yield from _flee(table, loser, open_to)
        yield from go(table, loser, target, "fleeing")
    else:
        table.saw("E26 the loser has no neighbouring space to pick")
        target = yield from _refuge(table, loser)
        yield from go(table, loser, target, "fleeing")


def _swap_conquests(table: Table, attacker: int, defender: int) -> None:
    """A tie: both top cards change piles at the same time, an empty pile gives nothing (E25)."""
    one, two = table.seats[attacker].conquest, table.seats[defender].conquest
    table.saw("E25 a tie: both cards change piles", one and two)
    table.saw("E25 a tie: an empty pile gives nothing", bool(one) != bool(two))
    from_one, from_two = one[-1:], two[-1:]
    del one[-1:], two[-1:]
    one += from_two
    two += from_one
