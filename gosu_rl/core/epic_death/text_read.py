"""Reading positions of Epic Death from text, leniently: what is left out is as at the start of a game (text.py writes them).

`rest` stands for all Goblin cards, or all spaces with a Land, that are not named; pool, points and Towns left are worked out.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from gosu_rl.core.cards.epic_schema import TERRAINS
from gosu_rl.core.copies import members
from gosu_rl.core.epic_death.describe import epic_set, land_labels, space_labels
from gosu_rl.core.epic_death.state import AUTO, COINS, DROPS, FRAMES, OPERANDS, PHASES, REASONS, THEFTS, TURNS
from gosu_rl.core.epic_death.text import (
    COIN_MARKS,
    NUMBERS,
    OFF_MARK,
    PLAYER_NUMBERS,
    SEAT_NUMBERS,
    SPACE_NUMBERS,
    VIEW_NUMBERS,
    has_land,
)
from gosu_rl.core.epic_death.text_checks import stack_fault
from gosu_rl.core.position_text import HOLE, PositionReader, split

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

LARGEST = (
    {"rng": 2**64 - 1}
    | dict.fromkeys(("decisions", "turns", "round", "shuffles"), 30_000_000)
    | {"fight": 2, "used": 1, "frayed": 1, "open_door": 1, "won": 1, "freed": 1, "mixed": 5, "fought": 63}
    | {"no_combat": 1, "guarded": 1}
)
SMALLEST = {"defense_plus": -1000, "attack_plus": -1000}
# The stage of the TURNS frame with which a phase begins, where no stack is given.
FIRST_STAGE = {"A": 0, "B": 2, "C": 3, "D": 4}


class _Reader(PositionReader):
    def __init__(self, game: Game, text: str):
        super().__init__(game, text)
        self.spaces = space_labels(game)
        self.lands = land_labels(game)
        self.free_lands = [True] * len(self.lands)
        self.rest: tuple[str, list[int], int] | None = None  # the pile that takes what is left, and where in it

    def read(self) -> np.ndarray:
        s, game = self.s, self.game
        s["n"] = game.players
        s["rnd"] = 1
        for q in range(game.players):
            s["tokens"][q] = game.rules["tokens"]
            s["at"][q] = game.R["start"][0][game.players, q]
        lines = self.lines(lambda key: key in ("hand", "army", "leader", "conquest"))
        late = ("drawn", "stolen", "dropped", "stack")
        for key, rest, number, player in lines:
            self.at = f"line {number}"
            self.given.add(f"{key} {player}" if key in ("leader", "player") else key)
            if key not in late and not key.startswith("epoch"):
                self.line(key, rest, player)
        self.fill_rest()
        for key, rest, number, _ in lines:
            self.at = f"line {number}"
            if key == "drawn":
                self.drawn(rest)
            elif key.startswith("epoch"):
                self.epoch(key, rest)
            elif key == "stolen":
                self.told(rest, "stolen", THEFTS)
            elif key == "dropped":
                self.told(rest, "dropped", DROPS)
            elif key == "stack":
                self.stack(rest, FRAMES, OPERANDS, self.operand)
        self.finish()
        return self.record

    def line(self, key: str, rest: str, player: int) -> None:
        s = self.s
        if key == "player":
            self.numbers(rest, {**PLAYER_NUMBERS, **VIEW_NUMBERS}, player)
        elif key == "now":
            self.numbers(rest, {**NUMBERS, "rng": "rng", "phase": "phase"}, None)
        elif key == "leader":
            s["leader"][player] = self.leader(rest)
        elif key == "hand":
            self.hand(player, rest)
        elif key == "army":
            self.army(player, rest)
        elif key == "conquest":
            for i, text in enumerate(split(rest)):
                s["pile"][player, i] = self.land(text)
        elif key == "field":
            self.field(rest)
        elif key == "discard_pile":
            self.set_of(s["discard"][0], self.pile(key, rest))
        elif key == "set_aside":
            self.set_of(s["aside"][0], self.pile(key, rest))
        elif key == "draw_pile":
            self.set_deck(self.pile(key, rest))
        elif key == "draw_pile_size":
            s["ndeck"] = self.integer(rest, 0, self.names.copies)
            self.of_views.append("draw_pile_size:")
        elif key == "view":
            s["viewer"] = self.seat(rest)
        elif key == "over":
            self.ending(rest, REASONS)
        elif key == "hidden":
            self.hidden(rest)
        elif key == "coins":
            self.coins(rest)
        else:
            self.fail(f"unknown line {key!r}")

    def numbers(self, rest: str, fields: dict[str, str], player: int | None) -> None:
        for word in rest.split():
            name, equals, value = word.partition("=")
            if not equals or name not in fields:
                self.fail(f"expected 'name=number' with a name of {', '.join(fields)}; found {word!r}")
            self.of_views += [f"{name}="] if name in VIEW_NUMBERS else []
            if value == HOLE and name in (*SPACE_NUMBERS, "attacker", "defender"):
                number = -1
            elif name in SEAT_NUMBERS:
                number = self.seat(value if value.startswith("p") else f"p{value}")
            elif name in SPACE_NUMBERS:
                number = self.space(value)
            elif name == "phase":
                if value not in PHASES or len(value) != 1:
                    self.fail(f"{value!r} is no phase; there are {', '.join(PHASES)}")
                number = PHASES.index(value)
            else:
                number = self.integer(value, SMALLEST.get(name, 0), LARGEST.get(name, 120))
            if player is None:
                self.s[fields[name]] = number
            else:
                self.s[fields[name]][player] = number

    def space(self, text: str) -> int:
        if text.strip() not in self.spaces:
            self.fail(f"{text.strip()!r} is no space of this layout; spaces are row.column, such as {self.spaces[0]}")
        return self.spaces.index(text.strip())

    def leader(self, text: str) -> int:
        labels = [leader.label for leader in epic_set(self.game).leaders]
        if text not in labels:
            near = get_close_matches(text, labels, n=1)
            self.fail(
                f"no Leader {text!r} in {self.game.card_set.name}" + (f"; did you mean {near[0]!r}?" if near else "")
            )
        return labels.index(text)

    def land(self, text: str) -> int:
        label, slash, which = text.partition("/")
        label = label.strip()
        if label not in self.lands:
            near = get_close_matches(label, self.lands, n=1)
            self.fail(
                f"no Land {label!r} in {self.game.card_set.name}" + (f"; did you mean {near[0]!r}?" if near else "")
            )
        first, times = self.lands.index(label), self.lands.count(label)
        copies = range(first, first + times)
        if slash:
            number = self.integer(which.strip(), 1, times)
            copies = range(first + number - 1, first + number)
        for c in copies:
            if self.free_lands[c]:
                self.free_lands[c] = False
                return c
        return self.fail(f"{label} lies in two places, or more often than there are copies")

    def field(self, rest: str) -> None:
        """Spaces with a Land: `1.2 Name` face up, `1.2 (Name)` face down, `*01` behind it: looked at by p0 and p1."""
        s = self.s
        others = False
        for text in split(rest):
            if text == "rest":
                others = True
                continue
            match = re.fullmatch(r"(\d+\.\d+)\s+(.+?)(?:\*(\d+))?", text)
            if not match:
                self.fail(f"expected 'row.column Land', found {text!r}")
            space = self.space(match[1])
            if has_land(s, space):
                self.fail(f"space {match[1]} stands there twice")
            name = match[2]
            down = name.startswith("(") and name.endswith(")")
            s["lands"] |= np.uint64(1 << space)
            if not down:
                s["face_up"] |= np.uint64(1 << space)
            name = name[1:-1].strip() if down else name
            if name:
                self.put_land(space, self.land(name))
            elif int(s["viewer"]) < 0:
                self.fail(f"space {match[1]}: only a view may leave a face-down Land open; name it, or write 'rest'")
            for p in match[3] or "":
                s["peeked"][self.seat(f"p{p}")] |= np.uint64(1 << space)
        if others:
            self.fill_field()

    def put_land(self, space: int, copy: int) -> None:
        rules = self.game.R[0]
        if rules["terrain_of"][copy] != rules["terrain"][space]:
            there, is_a = (TERRAINS[int(rules[name][i])] for name, i in (("terrain", space), ("terrain_of", copy)))
            self.fail(f"{self.lands[copy]} is a {is_a} and cannot lie on {self.spaces[space]}, a space of {there}")
        self.s["land"][space] = copy

    def fill_field(self) -> None:
        """Lands not named elsewhere lie face down on the spaces without one."""
        rules = self.game.R[0]
        for space in range(len(self.spaces)):
            if has_land(self.s, space):
                continue
            for copy in range(len(self.lands)):
                if self.free_lands[copy] and rules["terrain_of"][copy] == rules["terrain"][space]:
                    self.free_lands[copy] = False
                    self.s["lands"] |= np.uint64(1 << space)
                    self.s["land"][space] = copy
                    break

    def pile(self, key: str, rest: str) -> list[int]:
        copies: list[int] = []
        for text in split(rest):
            if text == "rest" and text not in self.names.index:
                if self.rest is not None:
                    self.fail("'rest' may stand in one pile only")
                self.rest = (key, copies, len(copies))
            else:
                copies.append(self.copy(text))
        return copies

    def hand(self, player: int, rest: str) -> None:
        for text in split(rest):
            match = re.fullmatch(r"(.+?)(?:\*(\d+))?", text)
            assert match
            c = self.copy(match[1])
            self.set_of(self.s["hand"][player], [c])
            for p in match[2] or "":
                self.set_of(self.s["known"][self.seat(f"p{p}")], [c])

    def army(self, player: int, rest: str) -> None:
        for text in split(rest):
            match = re.fullmatch(rf"(.+?)(?::(\d+))?(?:!(\d+))?({re.escape(OFF_MARK)})?", text)
            assert match
            c = self.copy(match[1])
            card = epic_set(self.game).cards[c % len(self.names.labels)]
            if card.kind == "action" or (card.kind == "hero" and match[2]):
                self.fail(
                    f"{card.label} is {'an Action' if card.kind == 'action' else 'a Hero'}; that cannot be in an army"
                )
            if match[4] and card.kind != "machine":
                self.fail(f"{card.label} is no Machine; only Machines can be turned off ({OFF_MARK})")
            self.set_of(self.s["army"][player], [c])
            if match[4]:
                self.set_of(self.s["off"][0], [c])
            self.s["crew"][c] = self.integer(match[2], 0, card.cost) if match[2] else 0
            self.s["tossed"][c] = self.integer(match[3], 0, max(1, card.cost)) if match[3] else 0

    def coins(self, rest: str) -> None:
        if set(rest) - set(COIN_MARKS) or len(rest) > 64 * COINS:
            self.fail(f"coins are a row of + (alive) and - (dead), at most {64 * COINS}")
        for i, mark in enumerate(rest):
            self.s["coins"][i >> 6] |= np.uint64(COIN_MARKS.index(mark) << (i & 63))
        self.s["ncoins"] = len(rest)

    def told(self, rest: str, name: str, most: int) -> None:
        """Cards stolen or discarded at random in the last step."""
        copies = [self.copy(text, claim=False) for text in split(rest)]
        if len(copies) > most:
            self.fail(f"{len(copies)} {name} cards are more than the {most} that are told of")
        self.s[name][: len(copies)] = copies
        self.s[f"n{name}"] = len(copies)

    def operand(self, name: str, value: str) -> int:
        if name == "card":
            return self.copy(value.strip('"'), claim=False)
        return self.integer(value, -1, 30_000)

    def fill_rest(self) -> None:
        """Cards not named go where a pile says `rest`, or, if no draw pile is given, there; so do Lands, Leaders likewise."""
        s = self.s
        taken = [int(s["leader"][q]) for q in range(self.game.players) if f"leader {q}" in self.given]
        spare = iter(i for i in range(int(self.game.R["leaders"][0])) if i not in taken)
        for q in range(self.game.players):
            if f"leader {q}" not in self.given:
                s["leader"][q] = next(spare)
        if int(s["viewer"]) >= 0:
            return
        if "field" not in self.given:
            self.fill_field()
        left = [c for c in range(self.names.copies) if self.free[c]]
        if self.rest is not None:
            key, copies, place = self.rest
            if key == "draw_pile":
                self.set_deck(copies[:place] + left + copies[place:])
            else:
                self.set_of(s["discard" if key == "discard_pile" else "aside"][0], left)
        elif "draw_pile" not in self.given:
            self.set_deck(left)
        elif left:
            missing = ", ".join(self.names.text(c) for c in left[:3])
            self.fail(f"{len(left)} cards are nowhere ({missing} …); put 'rest' into a pile for them")

    def finish(self) -> None:
        """Work out what follows from the rest, and check that the position can be."""
        s, n, rules = self.s, self.game.players, self.game.R[0]
        self.at = "at its end"
        self.check_kind()
        for q in range(n):
            pile = [c for c in s["pile"][q].tolist() if c >= 0]
            s["piled"][q] = len(pile)
            s["points"][q] = sum(int(rules["worth"][c]) for c in pile)
            if int(s["viewer"]) < 0:
                s["hand_size"][q] = len(members(s["hand"][q]))
        if int(s["viewer"]) >= 0:
            self.check_hidden(self.unknown_cards())
        if len({int(k) for k in s["leader"][:n]}) < n:
            self.fail("a Leader leads two Armies")
        in_play = int(s["tokens"][:n].sum() + s["crew"].sum())
        s["pool"] = int(rules["all_tokens"]) - in_play
        if in_play > int(rules["all_tokens"]):
            self.fail(f"{in_play} tokens are in play, but there are {rules['all_tokens']}")
        s["towns"] = sum(
            has_land(s, i) and TERRAINS[int(rules["terrain"][i])] == "Town" for i in range(len(self.spaces))
        )
        if int(s["over"]):
            s["mover"] = -1
            return
        if not int(s["towns"]):
            self.fail("no Town is left on the field, but the game is not over")
        if "stack" not in self.given:
            s["stack"][0] = (TURNS, 0, FIRST_STAGE[PHASES[int(s["phase"])]], 0, 0, 0)
            s["sp"] = 1
        fault = stack_fault(self.game, s)
        if fault:
            self.fail(fault)
        op, who = (int(k) for k in s["stack"][int(s["sp"]) - 1][:2])
        if op < AUTO:
            s["kind"], s["mover"] = op, who
        elif int(s["viewer"]) >= 0:
            self.fail(
                f"the stack of a view must end with a decision, not with {FRAMES[op]!r}: what comes of it may be hidden"
            )


def read(game: Game, text: str) -> np.ndarray:
    """The state record of a position text."""
    return _Reader(game, text).read()
