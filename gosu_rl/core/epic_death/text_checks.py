"""What must hold of the stack of a position that was read from text, and of the Armies it is about.

Compiled code trusts its frames: they index arrays without a check, and the frame at the bottom is never popped. So a hand-written
stack is looked at here, once, before anything runs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gosu_rl.core.copies import members
from gosu_rl.core.epic_death.combat import BROKEN_OFF
from gosu_rl.core.epic_death.rules import END
from gosu_rl.core.epic_death.state import FRAMES, FROM_CARD, FROM_LAND, IN_FRAY, NO_FIGHT, ON_LAND, OPERANDS

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

MENU_FRAMES = ("reinforce", "muster", "march", "regroup", "crew", "discard", "combat", "fray", "flee", "action", "run")
BELOW = {  # what must lie right below a frame
    "window": ("asking",), "answer": ("answers",), "answers": ("action",), "toss": ("tosses",), "epic": ("combat",),
    "asking": ("combat", "fray"), "victim": ("run",), "step": ("run",), "peek": ("run",), "take": ("run",), "lose": ("run",),
    "off": ("run",), "turn_up": ("run",), "swap_land": ("run",), "swap_with": ("run",),
}  # fmt: skip
# Lowest and highest value of an operand; cards, spaces, seats and places in the code are looked at one by one.
RANGES = {
    "second": (0, 1), "what": (0, 2), "left": (0, 1000), "purpose": (0, 5), "amount": (0, 9), "nearest": (0, 1), "sort": (-1, 2),
    "won": (0, 1), "defense": (0, 300), "outcome": (0, 2), "cancelled": (0, 1), "declines": (0, 6),
    "more": (0, 2), "further": (0, 1),
}  # fmt: skip
STAGES = {"turns": (0, 8), "combat": (0, BROKEN_OFF), "fray": (0, 2), "action": (0, 2), "tosses": (0, 3)}


def stack_fault(game: Game, s: Any) -> str:
    """What is wrong with the stack of the state record `s`, in words; empty if nothing is."""
    return next(_faults(game, s), "")


def _faults(game: Game, s: Any) -> Iterator[str]:
    frames = [[int(x) for x in s["stack"][k]] for k in range(int(s["sp"]))]
    words = [FRAMES[frame[0]] for frame in frames]
    if not frames:
        yield "the stack is empty, but the game is not over"
        return
    if words[0] != "turns" or "turns" in words[1:]:
        yield "the stack must begin with 'turns p0', and have it nowhere else"
        return
    going_on = [word for word, frame in zip(words, frames, strict=True) if word != "combat" or frame[2] != BROKEN_OFF]
    yield from _army_faults(game, s, going_on)
    for height, (word, frame) in enumerate(zip(words, frames, strict=True)):
        operands = dict(zip(OPERANDS[word], frame[2:], strict=False))
        below = words[height - 1] if height else ""
        if word in BELOW and below not in BELOW[word]:
            yield f"{word!r} must lie on {' or '.join(BELOW[word])}, not on {below!r}"
        elif height == 1 and word not in MENU_FRAMES:
            yield f"{word!r} cannot lie at the second place of the stack"
        yield from _range_faults(game, word, operands)
        if word == "turns" and operands["stage"] == 8 and height == len(frames) - 1:
            yield "stage=8 of 'turns' is behind the end of a turn"
        elif word == "action" and operands["card"] not in members(s["aside"][0]):
            yield "the card of 'action' must lie on 'set_aside:'"
        elif word == "run":
            yield from _code_faults(game, operands)
        elif word == "combat" and operands["stage"] != BROKEN_OFF and not int(s["lands"]) >> int(s["at"][frame[1]]) & 1:
            yield f"'combat' of p{frame[1]}, whose Army stands on no Land"
        elif word == "fray" and frame[1] == operands["defender"]:
            yield "'fray' has one player on both sides"


def _army_faults(game: Game, s: Any, words: list[str]) -> Iterator[str]:
    """Armies share a space only while they fight or one flees; a fight has its fighters."""
    n = game.players
    at = [int(k) for k in s["at"][:n]]
    if len(set(at)) < n and not {"fray", "flee"} & set(words):
        yield "two Armies stand on one space, but no Fray is on the stack"
    fight, attacker, defender = (int(s[name]) for name in ("fight", "attacker", "defender"))
    if fight == NO_FIGHT and (attacker >= 0 or defender >= 0):
        yield "'now:' names fighters, but fight=0"
    if fight == ON_LAND and (attacker < 0 or "combat" not in words):
        yield "fight=1 needs an attacker and a 'combat' on the stack"
    if fight != ON_LAND and members(s["off"][0]):
        yield f"a Machine is turned off, but no combat is going on (fight={fight})"
    if fight == ON_LAND and not set(members(s["off"][0])) <= set(members(s["army"][attacker])):
        yield "only Machines of the Army that fights can be turned off"
    if fight == IN_FRAY and (attacker < 0 or defender < 0 or "fray" not in words):
        yield "fight=2 needs an attacker, a defender and a 'fray' on the stack"


def _range_faults(game: Game, word: str, operands: dict[str, int]) -> Iterator[str]:
    seats, spaces = (0, game.players - 1), (0, int(game.R["spaces"][0]) - 1)
    limits = RANGES | {
        "army": seats,
        "defender": seats,
        "subject": seats,
        "origin": spaces,
        "first": spaces,
        "next": (0, game.players),
    }
    if word in STAGES:
        limits["stage"] = STAGES[word]
    for name, value in operands.items():
        low, high = limits.get(name, (value, value))
        if not low <= value <= high:
            yield f"{name}={value} of {word!r} is out of range {low} to {high}"


def _code_faults(game: Game, operands: dict[str, int]) -> Iterator[str]:
    """`pc` must lie within the program of the card, Land or Leader."""
    rules, source, index = game.R[0], operands["source"], operands["index"]
    sizes = (int(rules["copies"]), int(rules["lands"]), int(rules["leaders"]))
    if not 0 <= source < len(sizes) or not 0 <= index < sizes[source]:
        yield f"source={source} index={index} of 'run' names no card, Land or Leader"
        return
    if source == FROM_CARD:
        start = int(rules["prog"][index % int(rules["faces"])])
    else:
        start = int(rules["land_prog" if source == FROM_LAND else "leader_prog"][index])
    end = start
    while int(rules["code"][end][0]) != END:
        end += 1
    if not start <= operands["pc"] <= end:
        yield f"pc={operands['pc']} of 'run' is not within the steps of what it carries out"
