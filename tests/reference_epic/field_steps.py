"""Steps of cards about the field: Armies that are moved or change places, Lands that are looked at, turned up or exchanged.

Who plays the card chooses; whose Army it is about says the step's subject (E42).
"""

from __future__ import annotations

from collections.abc import Generator

from . import moves
from .cards import Space, Step, label_of, space_of
from .table import Choices, Decision, Plot, Table, ask

_Place = Generator[Decision, str, Space]


def carry_out(table: Table, player: int, subject: int, step: Step) -> Choices:
    match step.word:
        case "move":
            yield from _move(table, player, subject, step.number or 1)
        case "swap_armies":
            _swap_armies(table, player, subject)
        case "peek":
            yield from _peek(table, player, subject)
        case "turn_up":
            yield from _turn_up(table, player, subject)
        case "swap_lands":
            yield from _swap_lands(table, player)
        case _:
            raise NotImplementedError(step.text)


# --- Armies --------------------------------------------------------------------------------------------------------


def _move(table: Table, player: int, subject: int, count: int) -> Choices:
    """Up to so many steps; the first has to be made, and behind one to where another Army stands comes none (E57)."""
    seat = table.seats[subject]
    table.saw("E42 another's Army is moved", subject != player)
    for number in range(count):
        options = [label_of(space) for space in table.layout.neighbours(seat.space)]
        if number == 0:
            where = yield from ask(
                table, player, "step", "space", options, "E42 who plays the card says where an Army goes"
            )
        else:
            answer = yield Decision(player, "step", frozenset({"stay", *(f"space {option}" for option in options)}))
            if answer == "stay":
                table.saw("E57 a further step is declined")
                return
            table.saw("E57 a further step")
            table.saw("E57 on over a Land", seat.space in table.field)
            where = answer.removeprefix("space ")
        target = space_of(where)
        is_occupied = table.army_at(target) is not None
        yield from moves.go(table, subject, target, "moved")
        if is_occupied:
            table.saw("E57 no further step behind one to another Army", number + 1 < count)
            return


def _swap_armies(table: Table, player: int, subject: int) -> None:
    """Without a Fray; neither has a space to retreat to now (E63)."""
    if subject == player:
        table.saw("E63 an Army changes places with itself")
        return
    one, two = table.seats[player], table.seats[subject]
    one.space, two.space = two.space, one.space
    one.back = two.back = None
    table.saw("E63 two Armies change places")
    if table.active in (player, subject):
        table.saw("E63 a Fray of this turn is left behind", table.frayed)
        table.frayed = False


# --- Lands ---------------------------------------------------------------------------------------------------------


def _pick(table: Table, player: int, kind: str, spaces: list[Space], note: str = "") -> _Place:
    name = yield from ask(table, player, kind, "space", [label_of(space) for space in spaces], note)
    return space_of(name)


def _hidden_beside(table: Table, subject: int) -> list[Space]:
    """Spaces beside an Army with a Land face down."""
    near = table.layout.neighbours(table.seats[subject].space)
    return [space for space in near if space in table.field and not table.field[space].face_up]


def _peek(table: Table, player: int, subject: int) -> Choices:
    """At a face-down Land beside the subject's Army; who plays the card looks (E44)."""
    spaces = _hidden_beside(table, subject)
    table.saw("E40 no Land to look at", not spaces)
    if spaces:
        space = yield from _pick(table, player, "peek", spaces)
        table.field[space].peeked.add(player)
        table.saw("E44 a Land looked at is known to who looked")


def _turn_up(table: Table, player: int, subject: int) -> Choices:
    """A face-down Land beside the subject's Army; all see it from now on (E59)."""
    spaces = _hidden_beside(table, subject)
    table.saw("E59 no Land to turn up", not spaces)
    if spaces:
        space = yield from _pick(table, player, "turn_up", spaces, "E59 who plays the card says which Land")
        table.saw("E59 a Land with an Army on it is turned up", table.army_at(space) is not None)
        table.field[space].face_up = True
        table.saw("E59 a Land is turned up")


def _swap_lands(table: Table, player: int) -> Choices:
    """Two face-down Lands of one terrain without an Army on them change places; what is known of them goes along (E64)."""
    terrain = table.layout.terrain

    def is_free(space: Space, plot: Plot) -> bool:
        return not plot.face_up and table.army_at(space) is None

    free = [space for space, plot in table.field.items() if is_free(space, plot)]
    table.saw("E64 a Land with an Army on it stays where it is", any(
        not plot.face_up and space not in free for space, plot in table.field.items()))  # fmt: skip

    def partners(space: Space) -> list[Space]:
        return [other for other in free if other != space and terrain[other] == terrain[space]]

    first = [space for space in free if partners(space)]
    table.saw("E64 no two Lands to exchange", not first)
    if first:
        one = yield from _pick(table, player, "swap_land", first, "E64 who plays the card says which Lands")
        two = yield from _pick(table, player, "swap_with", partners(one))
        field = table.field
        table.saw("E64 what is known of a Land goes along", field[one].peeked != field[two].peeked)
        field[one], field[two] = field[two], field[one]
