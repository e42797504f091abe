"""The situations in which rulings decide something, as the model names them, and games that lead to the seldom ones."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

from .cases import SMALL_DEAL, SMALL_GOSU, draw_case
from .trial import Case

COMMON = ("model.py", "turns.py", "effects.py", "table.py")
FILES = {
    "tactics": (*COMMON, "tactics.py", "powers.py"),
    "gosu": (*COMMON, "gosu.py", "programs.py"),
    "gosu_x": tuple(
        f"gosu_x{part}.py"
        for part in ("", "_plays", "_battle", "_table", "_counts", "_texts", "_run", "_cards", "_armies", "_tokens")
    ),
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

# Games in which, taken together, every situation, kind of decision and end has occurred: found among thousands of `seldom_cases`.
# A change of rules, sets or policies leads them elsewhere; then the test falls back on the recipes, and takes longer.
FOUND = {
    "tactics": (
        "4,pair,11,11,changer,deal=3,keep=0,hand_target=3",
        "3,wardens,7,31,eager,deal=6,keep=4,hand_target=5,clan_army=3",
        "2,wardens,9,21,builder,deal=6,keep=4,hand_target=5,full_army=4,clan_army=4",
        "4,pair,5,29,changer,deal=3,keep=0,hand_target=3",
        "2,hooks,3,27,brisk,deal=4,keep=3,hand_target=2",
        "2,trio,4,2732939223,uniform,deal=3,keep=0,hand_target=2,new_clan_cost=1",
        "3,wardens,1,13,eager,deal=6,keep=4,hand_target=5,clan_army=3",
        "4,pair,11,47,changer,deal=3,keep=0,hand_target=3",
        "2,wardens,6,30,builder,deal=6,keep=4,hand_target=5,full_army=4,clan_army=4",
        "3,full,8,964709013,narrow,max_decisions=50",
        "2,pair,9,21,changer,deal=3,keep=0,hand_target=3",
        "2,hooks,3,39,changer,deal=6,keep=4,hand_target=5",
        "4,wardens,8,20,narrow,deal=6,keep=4,hand_target=5,clan_army=15",
        "4,sample,9,3199162544,uniform,points_to_win=5,hand_target=9",
        "2,zombies,0,0,changer,deal=6,keep=4,hand_target=5",
    ),
    "gosu": (
        "2,gosu-graves,0,36,brisk,deal=5,turns_after_pass=2",
        "2,gosu-tokens,8,1358111557,builder,deal=5",
        "4,gosu-graves,5,17,brisk,deal=5,turns_after_pass=2",
        "3,gosu-traps,10,34,narrow,deal=2,tokens=0",
        "2,gosu-lords,0,36,changer,deal=5",
        "3,gosu-judges,7,19,builder,deal=7,new_clan_cost=0",
        "3,gosu-lords,7,43,builder,deal=5,full_army=9",
        "2,gosu-traps,0,0,narrow,deal=2,tokens=0",
        "2,gosu-kings,6,42,eager,deal=5",
        "4,gosu-judges,7,3774222690,brisk,deal=6,max_turns_per_round=3",
        "2,gosu-heroes,4,1876218327,uniform,deal=5",
        "2,gosu-kings,9,21,builder,deal=5,points_to_win=9,full_army=16",
        "2,gosu-tokens,6,3391454047,uniform,deal=5,max_decisions=60",
        "4,gosu-graves,9,1019855031,builder,deal=2,tokens=5,max_mulligans=1,points_to_win=6,max_turns_per_round=20",
    ),
}


def seldom_cases(seed: int, players: int, variant: str) -> list[Case]:
    """A game of each recipe, and one at random."""
    cases = [Case(players, style, seed % 12, seed, policy, rules) for style, policy, rules in RECIPES[variant]]
    if seed == 0:
        turns = ("zombies", SMALL_DEAL) if variant == "tactics" else ("gosu-graves", SMALL_GOSU)
        cases.append(Case(players, turns[0], 0, 0, "changer", turns[1]))  # hundreds of extra turns, T44
    return [*cases, draw_case(Random(f"seldom {seed} {players}"), players, variant)]
