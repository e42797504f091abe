"""One turn: what a player may name, recruiting, mutating, and what an arrival sets off."""

from __future__ import annotations

from .faces import Face
from .powers import resolve
from .table import ROW_LENGTH, Choices, Decision, Goblin, Table, ask_discards, ask_place, slot_label

# Where a neighbour lies as seen from the newcomer (rows up, columns right) -> the neighbour's side that must link.
NEIGHBOURS = {(0, -1): "right", (0, 1): "left", (1, 0): "below", (-1, 0): "above"}


# --- what may be done ------------------------------------------------------------------------------------------


def nameable(table: Table, player: int) -> set[str]:
    """The labels of a turn apart from `pass`: cards with a use that can be paid (T47).

    A set without them is also what lets a player redraw at a new round (T43).
    """
    hand, discards = set(table.seats[player].hand), set(table.discard_pile)
    labels = {f"play {card}" for card in hand if uses(table, player, table.faces[card], False)}
    return labels | {f"take {card}" for card in discards if uses(table, player, table.faces[card], True)}


def uses(table: Table, player: int, face: Face, from_discard: bool) -> set[str]:
    """What the card can be used for, payments included; for a card still in the hand or in the discard pile."""
    seat = table.seats[player]
    payers = len(seat.hand) - (0 if from_discard else 1)  # the named card itself does not pay (T47)
    labels = set()
    if not from_discard and can_recruit(table, player, face) and recruit_cost(table, player, face) <= payers:
        labels.add("recruit")
    for column, goblin in enumerate(seat.army[face.level - 1]):
        if can_replace(table, goblin, face, from_discard) and mutation_cost(goblin) <= payers:
            labels.add(f"replace {slot_label((player, face.level - 1, column))}")
            table.saw(
                "T47 a zombie's replacement paid with the last card",
                from_discard and 0 < mutation_cost(goblin) == payers,
            )
    return labels


def can_recruit(table: Table, player: int, face: Face) -> bool:
    """There is a place for it, and the clan rule of Heroes and Ozekis holds (T9).

    Trapped goblins count as cards, never as a clan.
    """
    seat = table.seats[player]
    row = face.level - 1
    if len(seat.army[row]) == ROW_LENGTH:
        table.saw("T40 a full row takes no recruit")
        return False
    lower_rows = range(row)
    enough_below = row == 0 or len(seat.army[row]) < len(seat.army[row - 1])
    clan_below = all(seat.has_clan(lower, face.clan) for lower in lower_rows)
    if enough_below and row:
        trapped = sum(goblin.trapped for goblin in seat.army[row - 1])
        table.saw(
            "T9 trapped goblins count in number",
            clan_below and len(seat.army[row - 1]) - trapped <= len(seat.army[row]),
        )
        printed = all(any(goblin.face.clan == face.clan for goblin in seat.army[lower]) for lower in lower_rows)
        table.saw("T9 trapped goblins have no clan", printed and not clan_below)
        table.saw("T9 no Hero or Ozeki without its clan below", not printed)
    return enough_below and clan_below


def recruit_cost(table: Table, player: int, face: Face) -> int:
    """Bakutos only: free for an empty army or beside a face-up Bakuto of the clan, else two cards (T8)."""
    seat = table.seats[player]
    if face.level > 1 or not seat.goblins or seat.has_clan(0, face.clan):
        table.saw("T8 the first Bakuto of an army destroyed is free again", not seat.goblins and seat.turns_taken)
        return 0
    table.saw("T8 all others of the clan are trapped", any(goblin.face.clan == face.clan for goblin in seat.army[0]))
    return table.rules["new_clan_cost"]


def can_replace(table: Table, goblin: Goblin, face: Face, from_discard: bool) -> bool:
    """Face up, with a printed cost, another name: a Bakuto and its X share one; the level is the row's (T10).

    Only a zombie mutates into a card of the discard pile. No clan rule, no recruiting cost (T47).
    """
    old = goblin.face
    able = old.mutation is not None and (old.zombie or not from_discard)
    table.saw("T10 a trapped goblin does not mutate", able and goblin.trapped and old.name != face.name)
    table.saw("T10 a Bakuto and its X are one name", able and old.name == face.name and old.x != face.x)
    return able and not goblin.trapped and old.name != face.name


def mutation_cost(goblin: Goblin) -> int:
    assert goblin.face.mutation is not None
    return goblin.face.mutation


# --- doing it --------------------------------------------------------------------------------------------------


def play_card(table: Table, player: int, label: str) -> Choices:
    """The named card, then its use, then payments, then the arrival (T11, T47)."""
    verb, _, card = label.partition(" ")
    face = table.faces[card]
    labels = uses(table, player, face, from_discard=verb == "take")
    if verb == "play":
        table.leave_hand(player, card)
    else:
        table.discard_pile.remove(card)  # so no zombie comes from its own payment (T11)
    table.set_aside.append(card)

    if len(labels) == 1:
        table.saw("T42 not asked: one use")
        use = next(iter(labels))
    else:
        use = yield Decision(player, "use", frozenset(labels))

    if use == "recruit":
        table.saw("T8 a Bakuto of a new clan", recruit_cost(table, player, face))
        yield from ask_discards(table, player, "pay", recruit_cost(table, player, face))
        table.set_aside.remove(card)
        newcomer = Goblin(face)
        table.seats[player].army[face.level - 1].append(newcomer)  # leftmost empty place (T40)
        yield from arrive(table, player, newcomer, mutated=None)
    else:
        column = int(use.rpartition(".")[2]) - 1
        row = table.seats[player].army[face.level - 1]
        mutated = row[column]
        table.saw("T10 a mutation that costs nothing", mutation_cost(mutated) == 0)
        table.saw("T11 a zombie mutation", verb == "take")
        table.saw(
            "T47 a mutation against the clan rule",
            not all(table.seats[player].has_clan(r, face.clan) for r in range(face.level - 1)),
        )
        yield from ask_discards(table, player, "pay", mutation_cost(mutated))
        table.discard_pile.append(mutated.face.label)
        table.set_aside.remove(card)
        newcomer = row[column] = Goblin(face)
        yield from arrive(table, player, newcomer, mutated)


def arrive(table: Table, player: int, newcomer: Goblin, mutated: Goblin | None) -> Choices:
    """Mutation powers, then come-into-play powers, then links in the order that the player chooses (T12)."""
    seat = table.seats[player]
    pending = linking_neighbours(table, player, newcomer)  # fixed now; later changes add nothing (T25)
    settled = list(pending)
    table.check_victory([player])

    if mutated is not None:
        for power in mutated.face.mutate:  # wherever the card is by now (T26)
            yield from resolve(table, player, mutated.face, power)
    for power in newcomer.face.enter:
        if seat.has_face_up(newcomer):
            yield from resolve(table, player, newcomer.face, power)
        else:
            table.saw("T26 the newcomer is trapped or gone before its power")
    face_down: list[Goblin] = []
    while True:
        offered = [goblin for goblin in pending if seat.has_face_up(goblin)]  # T26
        table.saw("T26 a link card face down is offered again later", any(goblin in face_down for goblin in offered))
        face_down = [goblin for goblin in pending if goblin not in offered]
        if not offered:
            table.saw("T26 a link card is trapped or gone before its choice", pending)
            break
        chosen = offered[0]
        if len(offered) > 1:
            place = yield from ask_place(player, "link", [table.place_of(player, goblin) for goblin in offered])
            assert place is not None
            chosen = table.at(place)
        else:
            table.saw("T42 not asked: one link card")
        table.saw("T26 a link stays when the newcomer is gone", not seat.has_face_up(newcomer))
        table.saw(
            "T25 a link stays when no longer a neighbour",
            newcomer in seat.goblins and chosen not in linking_neighbours(table, player, newcomer),
        )
        table.saw("T13 a mutation sets off a link", mutated)
        pending.remove(chosen)
        for power in chosen.face.link:  # all powers of a card together, as listed (T27)
            if seat.has_face_up(chosen):
                yield from resolve(table, player, chosen.face, power)
            else:
                table.saw("T26 a link card is trapped or gone between its powers")
    if newcomer in seat.goblins:
        now = linking_neighbours(table, player, newcomer)
        table.saw("T25 a neighbour of later does not link", any(goblin not in settled for goblin in now))


def linking_neighbours(table: Table, player: int, newcomer: Goblin) -> list[Goblin]:
    """Face-up neighbours of the newcomer's clan with a link power on the side towards it (T13)."""
    army = table.seats[player].army
    _, row, column = table.place_of(player, newcomer)
    found = []
    for (up, right), side in NEIGHBOURS.items():
        if 0 <= row + up < 3 and 0 <= column + right < len(army[row + up]):
            neighbour = army[row + up][column + right]
            same_clan = neighbour.face.clan == newcomer.face.clan
            if not neighbour.trapped and same_clan and neighbour.face.link:
                if side in neighbour.face.links:
                    found.append(neighbour)
                else:
                    table.saw("T28 a card that does not link on this side")
    return found
