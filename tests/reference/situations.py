"""The situations in which rulings decide something, as the model names them, and games that lead to the seldom ones."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

from .cases import SMALL_DEAL, SMALL_GOSU, draw_case
from .lockstep import Case

COMMON = ("model.py", "turns.py", "effects.py", "table.py")
FILES = {
    "tactics": (*COMMON, "tactics.py", "powers.py"),
    "gosu": (*COMMON, "gosu.py", "programs.py"),
    "gosu_x": ("gosu_x.py", "gosu_x_table.py", "gosu_x_counts.py", "gosu_x_texts.py"),
}
# What the common files note and one variant cannot come to, and why.
UNREACHABLE: dict[str, dict[str, str]] = {
    "tactics": {
        "G11 the token of a card that leaves is spent": "no tokens",
        "G11 the token moves with a swapped card": "no tokens",
        "G11 the token stays on a trapped card": "no tokens",
    },
    "gosu_x": {},
    "gosu": {
        "T41 put with keep alone to an empty hand": "a hand is only empty after the opening, and no redraw comes later",
    },
}


def all_situations(variant: str) -> set[str]:
    """Every text that the model of a variant gives to `Table.saw`."""
    found = set()
    for name in FILES[variant]:
        tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "saw":
                texts = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
                found |= {text for text in texts if isinstance(text, str) and re.match(r"[TGX]\d", text)}
    return found - set(UNREACHABLE[variant])


def numbers(situations: set[str]) -> set[str]:
    """The rulings that they are named by."""
    return {text.split()[0] for text in situations}


RECIPES = {  # one game for each group of situations that games at random come to late: style, policy, rules
    "tactics": (
        ("wardens", "eager", (*SMALL_DEAL, ("clan_army", 3))),  # several armies win at a release
        ("wardens", "builder", (*SMALL_DEAL, ("full_army", 4), ("clan_army", 4))),  # both instant wins at once
        ("wardens", "brisk", (*SMALL_DEAL, ("clan_army", 3), ("points_to_win", 1))),  # several win by points
        ("wardens", "narrow", (*SMALL_DEAL, ("clan_army", 15))),  # a pending link trapped and released again
        ("hooks", "eager", SMALL_DEAL),  # pending links lost
        ("hooks", "changer", SMALL_DEAL),  # no clan left to draw for
        ("hooks", "brisk", (("deal", 4), ("keep", 3), ("hand_target", 2))),  # nothing left to destroy
        ("pair", "changer", (("deal", 3), ("keep", 0), ("hand_target", 3))),  # no hand left to hit
    ),
    "gosu": (
        ("gosu-kings", "eager", SMALL_GOSU),  # several conditions met at once
        ("gosu-kings", "builder", (("deal", 5), ("points_to_win", 9), ("full_army", 16))),
        ("gosu-judges", "builder", (("deal", 7), ("new_clan_cost", 0))),  # ties won by a rule
        ("gosu-judges", "brisk", (*SMALL_GOSU, ("points_to_win", 1))),  # several win by points
        ("gosu-graves", "brisk", (*SMALL_GOSU, ("turns_after_pass", 2))),  # extra turns lost
        ("gosu-traps", "narrow", (("deal", 2), ("tokens", 0))),  # nothing to trap, no hand to hit
        ("gosu-heroes", "uniform", SMALL_GOSU),  # redraws
        ("gosu-lords", "builder", (*SMALL_GOSU, ("full_army", 9))),
        ("gosu-lords", "changer", SMALL_GOSU),  # bent rules
    ),
}


def seldom_cases(seed: int, players: int, variant: str) -> list[Case]:
    """A game of each recipe, and one at random."""
    cases = [Case(players, style, seed % 12, seed, policy, rules) for style, policy, rules in RECIPES[variant]]
    if seed == 0:
        turns = ("zombies", SMALL_DEAL) if variant == "tactics" else ("gosu-graves", SMALL_GOSU)
        cases.append(Case(players, turns[0], 0, 0, "changer", turns[1]))  # hundreds of extra turns, T44
    return [*cases, draw_case(Random(f"seldom {seed} {players}"), players, variant)]
