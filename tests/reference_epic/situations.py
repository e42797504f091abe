"""The situations in which rulings decide something, as the model names them, and games that lead to the seldom ones."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from random import Random

from .cases import draw_case
from .lockstep import Case

MODEL_FILES = ("actions.py", "combat.py", "model.py", "moves.py", "table.py", "tosses.py", "turns.py")
FILLINGS = {  # what may stand in a situation's text where the model writes a variable
    "window": ("combat", "fray"),
    "window.upper()": ("A", "B", "D"),
    "why": ("moving", "moved", "retreating", "fleeing", "sent back by a tie"),
    "land.needs": ("hero", "machine"),
    "drawn": ("0", "1", "2"),
    "guide": ("woodsman", "ferryman", "sapper"),
}
IMPOSSIBLE = {
    # In Phase B nobody moves after a Fray, and who flees may not pick such a space.
    "E26 moving to where an Army stands that it has fought",
    "E26 fleeing to where an Army stands that it has fought",
    # Who was in a Fray before has no combat to retreat from.
    "E26 retreating to where an Army stands that it has fought",
    # One goes back to the space that one has just left.
    "E37 sent back by a tie into an occupied space",
}
RICH = (
    ("pairs", "poor"), ("alley", "brawler"), ("pushers", "brawler"), ("thieves", "collector"), ("towers", "conqueror"),
    ("machines", "poor"), ("cancels", "collector"), ("giants", "conqueror"), ("heroes", "poor"), ("scarce", "poor"),
    ("twins", "conqueror"), ("twins", "uniform"),
)  # fmt: skip


def all_situations() -> set[str]:
    """Every text that the model gives to `Table.saw`, or to `ask` as a note, spelled out."""
    found = set()
    for name in MODEL_FILES:
        for node in ast.walk(ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for argument in node.args:
                    found |= {text for text in _texts(argument) if text[:1] == "E" and text[1:2].isdigit()}
    return found - IMPOSSIBLE


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
