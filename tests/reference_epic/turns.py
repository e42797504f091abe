"""A turn: Phases A to D, one after another."""

from __future__ import annotations

from . import actions, combat, moves
from .cards import label_of, space_of
from .table import Choices, Decision, Machine, Table


def turn(table: Table, player: int) -> Choices:
    _begin(table, player)
    yield from _phase_a(table, player)
    table.phase = "B"
    yield from _phase_b(table, player)
    table.phase = "C"
    seat = table.seats[player]
    on_land = seat.space in table.field
    skipped, seat.no_combat = seat.no_combat, False  # used up, whether there is something to fight or not (E60)
    table.saw("E60 a combat is skipped", skipped and on_land and not table.frayed)
    table.saw("E60 a Phase C without a combat is skipped", skipped and (not on_land or table.frayed))
    table.saw("E38 no combat after a Fray", on_land and table.frayed)
    if on_land and not table.frayed and not skipped:
        yield from combat.land_combat(table, player)
    table.phase = "D"
    yield from _phase_d(table, player)


def _begin(table: Table, player: int) -> None:
    table.active = player
    table.phase = "A"
    table.frayed = False
    for seat in table.seats:
        seat.ability_used = seat.free_crew_used = False
        seat.fought.clear()
    table.saw("E61 a guard ends", table.seats[player].guarded)
    table.seats[player].guarded = False


# --- Phase A -------------------------------------------------------------------------------------------------------


def _phase_a(table: Table, player: int) -> Choices:
    """How many cards to draw, a token for each that is not drawn, then Heroes, Machines, Actions, ability (E2, E12)."""
    most = table.rules["reinforcements"]
    options = min(most, table.can_draw)
    drawn = 0
    if options:
        table.saw("E12 fewer cards than may be drawn", options < most)
        answer = yield Decision(player, "reinforce", frozenset(f"draw {count}" for count in range(options + 1)))
        drawn = int(answer.removeprefix("draw "))
        table.saw(f"E2 {drawn} cards drawn")
    else:
        table.saw("E12 no card to draw: not asked")
    table.draw(player, drawn)
    tokens = most - drawn
    if not drawn and table.has_trait(player, "forager"):
        table.saw("E49 forager")
        tokens += 1
    table.gain(player, tokens)
    while not actions.menu_is_empty(table, player, "a"):
        options_now = _musterable(table, player) | actions.menu_options(table, player, "a") | {"done"}
        answer = yield Decision(player, "muster", frozenset(options_now))
        if answer == "done":
            return
        card = table.cards.cards.get(answer.removeprefix("play "))
        if card is not None and card.kind != "action":
            _muster(table, player, card.name)
        else:
            yield from actions.take_option(table, player, answer)


def hero_cost(table: Table, player: int, name: str) -> int:
    cost = table.cards.cards[name].cost
    if cost > 1 and table.has_trait(player, "recruiter"):
        table.saw("E49 recruiter")
        return cost - 1
    table.saw("E49 recruiter does not make a Hero free", cost == 1 and table.has_trait(player, "recruiter"))
    return cost


def _musterable(table: Table, player: int) -> set[str]:
    """Heroes and Machines of the hand that can be paid with loose tokens."""
    seat = table.seats[player]
    options = set()
    for name in {card.name for card in seat.hand}:
        kind = table.cards.cards[name].kind
        is_hero = kind == "hero" and hero_cost(table, player, name) <= seat.tokens
        is_machine = kind == "machine" and combat.crew_price(table, player, name) is not None
        if is_hero or is_machine:
            options.add(f"play {name}")
        table.saw("E12 a card that cannot be paid", kind != "action" and not is_hero and not is_machine)
    return options


def _muster(table: Table, player: int, name: str) -> None:
    if table.cards.cards[name].kind == "hero":
        cost = hero_cost(table, player, name)
        table.leave_hand(player, name)
        table.spend(player, cost)
        table.add_hero(player, name)
        table.saw("E12 a Hero is played")
    else:
        machine = Machine(name)
        table.leave_hand(player, name)
        combat.give_crew(table, player, machine)
        table.seats[player].machines.append(machine)
        table.saw("E12 a Machine is played")


# --- Phase B -------------------------------------------------------------------------------------------------------


def _phase_b(table: Table, player: int) -> Choices:
    """Own Actions and the ability, then a move to a neighbouring space, or staying (E36)."""
    seat = table.seats[player]
    while True:
        on_land = seat.space in table.field
        table.saw("E36 an Army on a Land may only stay", on_land)
        near = table.layout.neighbours(seat.space)
        open_to = [space for space in near if table.army_at(space, besides=player) not in seat.fought]
        table.saw("E36 no move to where an Army stands that it has fought", len(open_to) < len(near) and not on_land)
        spaces = set() if on_land else {f"space {label_of(space)}" for space in open_to}
        if not spaces and actions.menu_is_empty(table, player, "b"):
            return
        answer = yield Decision(
            player, "march", frozenset(spaces | actions.menu_options(table, player, "b") | {"stay"})
        )
        if answer == "stay":
            table.saw("E32 stays on an empty space", not on_land)
            return
        if answer in spaces:
            break
        yield from actions.take_option(table, player, answer)
    target = space_of(answer.removeprefix("space "))
    quiet = _is_quiet(table, target)
    yield from moves.go(table, player, target, "moving")
    if quiet and table.has_trait(player, "pathfinder"):
        further = {f"space {label_of(space)}" for space in table.layout.neighbours(target) if _is_quiet(table, space)}
        if further:
            answer = yield Decision(player, "march", frozenset(further | {"stay"}))
            if answer != "stay":
                table.saw("E49 pathfinder")
                moves.place(table, player, space_of(answer.removeprefix("space ")))


def _is_quiet(table: Table, space: tuple[int, int]) -> bool:
    """Neither a Land nor an Army there."""
    return space not in table.field and table.army_at(space) is None


# --- Phase D -------------------------------------------------------------------------------------------------------


def _phase_d(table: Table, player: int) -> Choices:
    """Own Actions and the ability, Machines without crew, then discards down to the limit (E29)."""
    seat = table.seats[player]
    while not actions.menu_is_empty(table, player, "d"):
        answer = yield Decision(player, "regroup", frozenset(actions.menu_options(table, player, "d") | {"done"}))
        if answer == "done":
            break
        yield from actions.take_option(table, player, answer)
    yield from combat.crew_machines(table, player)
    for machine in [machine for machine in seat.machines if not machine.crew]:
        table.saw("E17 a Machine without crew is discarded in Phase D")
        table.lose_machine(player, machine)
    limit = table.rules["hand_limit"]
    if table.has_trait(player, "big pockets"):
        table.saw("E49 big pockets", len(seat.hand) > limit)
        limit += 1
    table.saw(
        "E29 another's hand over the limit is fine", any(len(s.hand) > limit for s in table.seats if s is not seat)
    )
    if len(seat.hand) > limit:
        table.saw("E29 discards down to the limit")
        yield from actions.discard_cards(table, player, len(seat.hand) - limit)
