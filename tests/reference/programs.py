"""The powers of GOSU: programs of steps as the card file writes them, and the conditions that they and the Ozekis name.

A program is carried out step by step, each step as far as it can be (G22). Powers are optional (G15): the "offer" in front
is where the whole of it is declined, and a step with a target can be declined by itself; a program that begins with
neither is a "must". A power that by what everybody sees could change nothing is passed over (T30). "+n" counts while
some opponent has more points (G6); it is read, like "if", when the step is carried out (G18).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import effects
from .effects import Effect, accepts
from .faces import Face
from .flow import Choices, Decision
from .table import Table, ask_discards, slot_label, target_label

# --- conditions ------------------------------------------------------------------------------------------------


def behind(table: Table, player: int) -> bool:
    """Some opponent has more Victory Points (G6)."""
    return any(seat.points > table.seats[player].points for seat in table.seats)


def holds(table: Table, player: int, face: Face, condition: str) -> bool:
    """Whether a condition holds for the owner of the card `face`."""
    word, _, number = condition.partition(" ")
    seat = table.seats[player]
    foes = [other for other in table.seats if other is not seat]
    count = int(number or 0)
    match word:
        case "behind":
            return behind(table, player)
        case "advantage":
            return table.advantage == player
        case "hand":
            return len(seat.hand) >= count
        case "foes_hand":
            return all(len(foe.hand) <= count for foe in foes)
        case "pile":
            return len(table.discard_pile) >= count
        case "army":
            return len(seat.goblins) >= count
        case "foes_army":
            return all(len(foe.goblins) <= count for foe in foes)
        case "clans":  # a trapped goblin has no clan (G16)
            return effects.clans_face_up(table, player) >= count
        case "foes_trapped":
            return sum(goblin.trapped for foe in foes for goblin in foe.goblins) >= count
        case "names":  # a trapped goblin keeps its name (G16)
            there = {goblin.face.name for goblin in seat.goblins if not goblin.leaving}
            return set(face.names) <= there
    raise ValueError(f"the reference model knows no condition {condition!r}")


# --- programs --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of a program, its numbers read for this moment."""

    table: Table
    player: int
    face: Face
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.words[0]

    @property
    def numbers(self) -> list[int]:
        """The operands; "+n" is added to the last of them while an opponent has more points."""
        numbers = [int(word) for word in self.words[1:] if not word.startswith("+")]
        bonus = sum(int(word) for word in self.words[1:] if word.startswith("+"))
        if bonus and behind(self.table, self.player):
            self.table.saw("G6 a bonus counts")
            numbers[-1] += bonus
        return numbers

    @property
    def level(self) -> int:
        """The highest level that a step with targets reaches (G15)."""
        return int(self.words[1])

    @property
    def cards(self) -> list[str]:
        """What a step may take back from the discard pile."""
        pile, faces = self.table.discard_pile, self.table.faces
        match self.words[1]:
            case "own":
                return [card for card in pile if faces[card].clan == self.face.clan]
            case "any":
                return list(pile)
            case "names":
                return [card for card in pile if faces[card].name in self.face.names]
        raise ValueError(f"the reference model knows no step {' '.join(self.words)!r}")


Reach = Callable[[int, int], int]  # player, printed level -> the level that his destruction reaches


def run(table: Table, player: int, face: Face, program: Sequence[str], reach: Reach, accepted: bool) -> Choices:
    """Carries out one power of the card `face` for `player`; `accepted`: he has paid a token for it (G3)."""
    steps = [Step(table, player, face, tuple(step.split())) for step in program]
    if steps[0].name == "offer":
        steps = steps[1:]
        if not could_change(steps, reach):
            table.saw("T30 nothing that the offer could change")
            return
        table.saw("G21 no offer after a token", accepted)
        if not (accepted or (yield from accepts(player))):
            return
    for step in steps:
        if step.name == "if":
            if not holds(table, player, face, " ".join(step.words[1:])):
                table.saw("G18 a condition does not hold when the step is reached")
                return
            table.saw("G18 a condition holds when the step is reached")
        elif step.name in TARGETED:
            possible = possible_now(step, reach)
            done = yield from with_target(step, reach)
            table.saw("G22 a step declined, the next one carried out", possible and not done and step is not steps[-1])
        else:
            yield from without_target(step)


TARGETED = ("destroy", "swap", "trap", "trap_or_release", "victim_discards", "take_back", "regain_token")


def could_change(steps: Sequence[Step], reach: Reach) -> bool:
    """Whether by what everybody sees now one of the steps would do anything (T30)."""
    for step in steps:
        if step.name == "if":
            if not holds(step.table, step.player, step.face, " ".join(step.words[1:])):
                return False
        elif possible_now(step, reach):
            return True
    return False


def possible_now(step: Step, reach: Reach) -> bool:
    table, player = step.table, step.player
    match step.name:
        case "destroy":
            return bool(effects.destroyable(table, reach(player, step.level)))
        case "swap":
            return bool(effects.swappable(table))
        case "trap" | "trap_or_release":
            return bool(effects.trappable(table, reach(player, step.level), step.name == "trap_or_release"))
        case "victim_discards":
            return any(seat.hand for seat in table.seats)
        case "take_back":
            return bool(step.cards)
        case "regain_token":
            return bool(regainable(table, player))
        case "all_discard_half":
            return any(effects.halves(table))
        case "draw" | "reveal_keep" | "fewest_points_draw":
            return table.can_draw()
        case "draw_per_clan":
            return table.can_draw() and effects.clans_face_up(table, player) > 0
        case "discard_own":
            return bool(table.seats[player].hand)
        case "take_advantage" | "extra_turn" | "victory_point":  # never passed over (T29)
            return True
    raise ValueError(f"the reference model knows no step {' '.join(step.words)!r}")


def with_target(step: Step, reach: Reach) -> Effect:
    """A step with targets can be declined by itself, whatever stands before it (G22)."""
    table, player = step.table, step.player
    match step.name:
        case "destroy":
            level = reach(player, step.level)
            return (yield from effects.destroy(table, player, level))
        case "swap":
            return (yield from effects.swap(table, player))
        case "trap" | "trap_or_release":
            return (yield from effects.trap(table, player, reach(player, step.level), step.name == "trap_or_release"))
        case "victim_discards":
            return (yield from effects.one_discards(table, player, step.numbers[0]))
        case "take_back":
            return (yield from effects.take_back(table, player, step.cards, step.face.label))
        case "regain_token":
            return (yield from regain(table, player))
    raise ValueError(f"the reference model knows no step {' '.join(step.words)!r}")


def without_target(step: Step) -> Choices:
    table, player = step.table, step.player
    match step.name:
        case "draw":
            table.draw(player, step.numbers[0])
        case "draw_per_clan":
            table.draw(player, effects.clans_face_up(table, player))
        case "reveal_keep":
            yield from effects.reveal_and_keep(table, player, *step.numbers)
        case "fewest_points_draw":
            effects.fewest_points_draw(table, player, step.numbers[0])
        case "all_discard_half":
            yield from effects.all_discard_half(table, player)
        case "discard_own":
            yield from ask_discards(table, player, "discard", step.numbers[0])
        case "take_advantage":
            effects.take_advantage(table, player)
        case "extra_turn":
            if table.seats[player].turns_left == 0:  # in an extra turn played after the last one that counts (G19)
                table.saw("G19 an extra turn won after the last one that counts is lost")
            else:
                table.seats[player].extra_turns += step.numbers[0]
        case "victory_point":
            table.saw("G13 a power gives a Victory Point")
            table.gain_points({player: step.numbers[0]})
        case _:
            raise ValueError(f"the reference model knows no step {' '.join(step.words)!r}")


# --- tokens ----------------------------------------------------------------------------------------------------


def regainable(table: Table, player: int) -> list[str]:
    """Where a token may come back from: the spent ones, or a card, which can then be used again (G11)."""
    seat = table.seats[player]
    labels = [target_label(place) for place in table.places(player) if table.at(place).token]
    return labels + ["regain"] * (seat.spent > 0)


def regain(table: Table, player: int) -> Effect:
    seat = table.seats[player]
    options = regainable(table, player)
    table.saw("T30 no token to regain", not options)
    if not options:
        return False
    answer = yield Decision(player, "regain", frozenset(options) | {"decline"})
    if answer == "decline":
        return False
    if answer == "regain":
        seat.spent -= 1
    else:
        slot = answer.rpartition(" ")[2]
        goblin = next(table.at(place) for place in table.places(player) if slot_label(place) == slot)
        goblin.token = False
        table.saw("G11 a token regained from a card")
    seat.ready += 1
    return True
