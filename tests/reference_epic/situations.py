"""The situations in which rulings decide something, as the model names them, and games that lead to the seldom ones."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from random import Random

from .cases import draw_case
from .lockstep import Case

MODEL_FILES = (
    "actions.py", "combat.py", "conditions.py", "field_steps.py", "fight_steps.py", "model.py", "moves.py", "table.py",
    "tosses.py", "turns.py",
)  # fmt: skip
FILLINGS = {  # what may stand in a situation's text where the model writes a variable
    "window": ("combat", "fray"),
    "window.upper()": ("A", "B", "D"),
    "why": ("moving", "moved", "retreating", "fleeing", "sent back by a tie"),
    "land.needs": ("hero", "machine"),
    "drawn": ("0", "1", "2"),
    "word": (
        "terrain",
        "defense",
        "needs",
        "attacker",
        "defender",
        "tokens",
        "heroes",
        "machines",
        "hand",
        "pile",
        "rank",
    ),
    "guide": ("woodsman", "ferryman", "sapper"),
}
IMPOSSIBLE = {
    # Neither who moves in Phase B nor who flees may pick such a space.
    "E26 moving to where an Army stands that it has fought",
    "E26 fleeing to where an Army stands that it has fought",
    # One goes back to the space that one has just left.
    "E37 sent back by a tie into an occupied space",
}
TOO_SELDOM = {
    # A Fray, a card that takes the Army on to a Land, another that pushes the one it fought to where it came from, and defeat.
    "E26 retreating to where an Army stands that it has fought",
}
RICH = (
    ("pairs", "poor"), ("alley", "brawler"), ("pushers", "brawler"), ("thieves", "collector"), ("towers", "conqueror"),
    ("machines", "poor"), ("cancels", "collector"), ("giants", "conqueror"), ("heroes", "poor"), ("scarce", "poor"),
    ("twins", "conqueror"), ("twins", "uniform"), ("newer", "eager"), ("drill", "conqueror"), ("travels", "eager"),
    ("guards", "eager"), ("ifs", "conqueror"),
)  # fmt: skip


# Games in which, taken together, every situation and end occurs: found among `seldom_cases`, and more of "drill". A change of
# rules, sets or policies leads them elsewhere; then the test falls back on the recipes, takes minutes, and says so.
FOUND = (
    "2,drill,8,1809902047,conqueror,layout=2,deal=5,max_decisions=500",
    "2,ifs,1,3977657888,conqueror,layout=2,deal=9,max_decisions=500",
    "2,drill,0,1830033180,conqueror,layout=1,deal=9,max_decisions=500",
    "2,pairs,2,3072204333,poor,layout=3,deal=5,tokens=2,all_tokens=12,hand_limit=6,max_decisions=500",
    "2,guards,0,204438910,eager,layout=3,deal=5,max_decisions=500",
    "3,drill,9,4065176249,conqueror,layout=1,deal=1,hand_limit=6,max_decisions=500",
    "3,travels,10,2864557623,eager,layout=3,max_decisions=500",
    "3,alley,2,691849272,brawler,layout=1,max_decisions=500",
    "4,travels,7,2528421973,eager,layout=3,deal=1,hand_limit=0,max_decisions=60",
    "3,twins,8,2362312311,conqueror,layout=1,max_decisions=500",
    "2,drill,8,3553472357,conqueror,layout=1,tokens=8,max_decisions=500",
    "2,newer,3,2264260821,eager,layout=3,tokens=3,reinforcements=1,max_decisions=500",
    "2,guards,6,502874952,eager,layout=2,deal=5,tokens=8,hand_limit=1,max_decisions=60",
    "2,twins,11,1426507109,uniform,layout=2,deal=8,max_decisions=500",
    "2,newer,7,2117266812,eager,layout=2,tokens=0,all_tokens=6,max_decisions=500",
    "2,twins,9,526702179,conqueror,layout=3,hand_limit=0,max_decisions=500",
    "3,heroes,10,1418686845,poor,layout=3,deal=5,tokens=8,max_decisions=500",
    "2,heroes,2,806014866,poor,layout=1,deal=1,tokens=2,all_tokens=15,hand_limit=0,max_decisions=500",
    "2,ifs,7,2534105946,conqueror,layout=3,deal=5,tokens=3,max_decisions=500",
    "2,pairs,6,3237693552,poor,layout=3,deal=9,tokens=3,max_decisions=500",
    "2,drill,8,2416351751,conqueror,layout=2,max_decisions=500",
    "3,scarce,0,271216871,poor,layout=1,reinforcements=1,max_decisions=500",
    "2,scarce,9,2770901067,poor,layout=3,deal=1,tokens=3,max_decisions=500",
    "2,scarce,9,4075700244,poor,layout=1,deal=1,tokens=1,all_tokens=9,hand_limit=0,max_decisions=500",
)


def all_situations() -> set[str]:
    """Every text that the model gives to `Table.saw`, or to `ask` as a note, spelled out."""
    found = set()
    for name in MODEL_FILES:
        for node in ast.walk(ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for argument in node.args:
                    found |= {text for text in _texts(argument) if text[:1] == "E" and text[1:2].isdigit()}
    return found - IMPOSSIBLE - TOO_SELDOM


def _texts(node: ast.expr) -> set[str]:
    match node:
        case ast.Constant(value=str() as text):
            return {text}
        case ast.IfExp():
            return _texts(node.body) | _texts(node.orelse)
        case ast.JoinedStr():
            parts = [
                (part.value,) if isinstance(part, ast.Constant) else FILLINGS.get(ast.unparse(part.value), ())
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            ]
            return {"".join(str(piece) for piece in pieces) for pieces in product(*parts)}
        case _:
            return set()


def seldom_cases(seed: int) -> list[Case]:
    """One game for each group of situations that games at random come to late, and one at random."""
    chance = Random(f"seldom {seed}")
    return [
        *(draw_case(chance, 2 + seed % 5, style, policy) for style, policy in RICH),
        draw_case(chance, 2 + seed % 5),
    ]
