"""The situations in which rulings decide something, as the model names them, and games that lead to the seldom ones."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

from .cases import SMALL_DEAL, draw_case
from .lockstep import Case

MODEL_FILES = ("model.py", "turns.py", "powers.py", "table.py")


def all_situations() -> set[str]:
    """Every text that the model gives to `Table.saw`."""
    found = set()
    for name in MODEL_FILES:
        tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "saw":
                texts = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
                found |= {text for text in texts if isinstance(text, str) and text.startswith("T")}
    return found


def seldom_cases(seed: int, players: int) -> list[Case]:
    """One game for each group of situations that games at random come to late, and one at random."""
    recipes = (
        ("wardens", "eager", (*SMALL_DEAL, ("clan_army", 3))),  # several armies win at a release
        ("wardens", "builder", (*SMALL_DEAL, ("full_army", 4), ("clan_army", 4))),  # both instant wins at once
        ("wardens", "brisk", (*SMALL_DEAL, ("clan_army", 3), ("points_to_win", 1))),  # several win by points
        ("wardens", "narrow", (*SMALL_DEAL, ("clan_army", 15))),  # a pending link trapped and released again
        ("hooks", "eager", SMALL_DEAL),  # pending links lost
        ("hooks", "changer", SMALL_DEAL),  # no clan left to draw for
        ("hooks", "brisk", (("deal", 4), ("keep", 3), ("hand_target", 2))),  # nothing left to destroy
        ("pair", "changer", (("deal", 3), ("keep", 0), ("hand_target", 3))),  # no hand left to hit
    )
    cases = [Case(players, style, seed % 12, seed, policy, rules) for style, policy, rules in recipes]
    if seed == 0:
        cases.append(Case(players, "zombies", 0, 0, "changer", SMALL_DEAL))  # hundreds of extra turns, T44
    return [*cases, draw_case(Random(f"seldom {seed} {players}"), players)]
