"""Draws card files of many styles for the reference tests: far stranger sets and fields than a sensible designer makes.

Everything follows the card file format ("free" composition). Small fields and small decks make meetings, Frays,
reshuffles and thefts happen often.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import tomli_w

from .cards import SIGNS, TERRAINS, Layout, Space

LETTERS = "abcdef"
TRAITS = (
    "forager", "pathfinder", "free crew", "healer", "big pockets", "brawler", "woodsman", "ferryman", "sapper",
    "recruiter", "rear guard",
)  # fmt: skip
KINDS_BACK = ("hero", "machine", "action", "any")
BOUNDS = {  # conditions that compare a number, and about where it lies
    "defense": (0, 10), "tokens": (0, 8), "heroes": (0, 3), "machines": (0, 3), "hand": (0, 5), "pile": (0, 4), "rank": (1, 4),
}  # fmt: skip
MAX_CANCELS = 8  # cards in a set that answer Actions; more is no valid card file


@dataclass(frozen=True)
class Style:
    """What a family of sets is rich in."""

    faces: tuple[int, int, int]  # Heroes, Machines, Actions
    doubles: float = 0.6  # share of faces with two copies
    spaces: tuple[int, int] = (10, 18)  # of a layout
    towns: int = 1
    defense: tuple[int, int] = (1, 8)  # of Lands; Towns add 2
    values: tuple[int, ...] = (0, 1, 1, 2, 2, 3, 4)  # of Lands
    needs: float = 0.25  # share of Lands that need something
    traits: float = 0.3  # share of Heroes and Machines with a trait
    windows: tuple[str, ...] = ("a", "b", "d", "combat", "fray", "toss", "answer", "menus", "fights")
    words: tuple[str, ...] = ()  # steps that Actions and abilities are rich in
    newer: bool = False  # with the steps and conditions that no packaged card has (E54 to E64)
    conditions: float = 0.0  # share of steps with a condition


STYLES: dict[str, Style] = {
    "mixed": Style((8, 7, 16)),
    "pairs": Style((4, 4, 6), doubles=1.0, spaces=(8, 12)),  # alike cards everywhere: E45, E46
    "pushers": Style((4, 4, 12), spaces=(8, 12), words=("move",), windows=("a", "b", "d", "menus", "fray")),
    "thieves": Style((4, 3, 12), doubles=0.9, words=("steal_card", "take_back", "steal_conquest", "draw", "peek")),
    "cancels": Style((3, 3, 14), doubles=0.9, windows=("answer", "answer", "a", "combat", "fray")),
    "machines": Style((2, 11, 6), traits=0.5, needs=0.4, defense=(3, 14), words=("lose_machine", "lose", "gain")),
    "heroes": Style((12, 2, 8), traits=0.5, needs=0.4, defense=(3, 12), words=("lose_hero", "lose", "take_back")),
    "towers": Style((6, 6, 8), doubles=0.8, towns=3, spaces=(12, 30), defense=(0, 6)),
    "giants": Style((5, 5, 10), defense=(6, 22), words=("gain", "save", "retoss"), windows=("toss", "a", "combat")),
    "scarce": Style((3, 3, 5), doubles=0.0, words=("draw",)),  # hardly a card: empty piles
    "twins": Style(
        (3, 3, 5), spaces=(4, 6), towns=2, defense=(-2, 0), values=(1,), needs=0
    ),  # short games that end level
    "alley": Style((5, 4, 9), spaces=(7, 8), words=("move", "choose other")),
    # the same again with the newer steps: all of them; in fights; on the field; who may be named; conditions everywhere
    "newer": Style((7, 6, 18), newer=True, conditions=0.25),
    "drill": Style((4, 9, 14), doubles=0.8, traits=0.6, needs=0.4, defense=(2, 12), newer=True, conditions=0.15,
                   words=("machine_off", "kill_toss", "retreat_now"), windows=("combat", "combat", "fray", "fights", "a")),
    "travels": Style((3, 3, 14), spaces=(8, 14), defense=(0, 6), newer=True, conditions=0.1,
                     words=("move", "swap_armies", "turn_up", "swap_lands", "peek", "no_combat"), windows=("a", "b", "d", "menus")),
    "guards": Style((4, 4, 16), doubles=0.9, spaces=(8, 12), newer=True, conditions=0.1,
                    words=("guard", "guard", "choose other", "steal_card", "steal_token", "discard_random", "move"),
                    windows=("a", "b", "d", "menus", "combat", "fray", "answer")),
    "ifs": Style((6, 6, 16), doubles=0.8, towns=2, needs=0.5, newer=True, conditions=0.8, words=("choose any", "choose fighter")),
}  # fmt: skip


def write_set(path: Path, style: str, seed: int) -> Path:
    """Writes one card file; the same style and seed give the same file."""
    path.write_text(tomli_w.dumps(draw_set(style, seed)), encoding="utf-8")
    return path


def draw_set(style: str, seed: int) -> dict[str, Any]:
    """The data of one card file."""
    chance = Random(f"epic {style} {seed}")
    rich = STYLES[style]
    layouts = [draw_layout(chance, f"field {number}", rich) for number in (1, 2, 3)]
    return {
        "format": 1,
        "set": {
            "name": f"{style}-{seed}",
            "variant": "epic_death",
            "title": f"Test set {style} {seed}",
            "version": "1",
            "composition": "free",
        },
        "provenance": {"name": "reconstructed"},
        "card": _cards(chance, rich),
        "leader": [_leader(chance, rich, number) for number in range(1, 9)],
        "land": _lands(chance, rich, layouts),
        "layout": layouts,
    }


# --- layouts -------------------------------------------------------------------------------------------------------


def draw_layout(chance: Random, name: str, rich: Style) -> dict[str, Any]:
    """A field of any shape, all of one piece, with starts for as many numbers of players as it has room for."""
    while True:
        spaces = _blob(chance, chance.randint(*rich.spaces))
        towns = chance.sample(spaces, chance.randint(1, rich.towns))
        steps = Layout("", dict.fromkeys(spaces, ""), {}).distances(*towns)
        rings: dict[int, list[Space]] = {}
        for space in spaces:
            rings.setdefault(steps[space], []).append(space)
        wide = [ring for distance, ring in rings.items() if distance > 0 and len(ring) >= 2]
        if wide:
            break
    ring = max(wide, key=len) if chance.random() < 0.7 else chance.choice(wide)
    starts = chance.sample(ring, min(len(ring), len(LETTERS)))
    signs = {space: chance.choice("++~~#") for space in spaces}
    signs |= dict.fromkeys(towns, "T")
    for letter, space in zip(LETTERS, starts, strict=False):
        signs[space] = letter if chance.random() < 0.7 else letter + signs[space]
    rows, columns = (max(space[side] for space in spaces) for side in (0, 1))
    table = {}
    for players in range(2, len(starts) + 1):
        table[str(players)] = "".join(sorted(chance.sample(LETTERS[: len(starts)], players)))
    return {
        "name": name,
        "rows": [
            " ".join(signs.get((row, column), ".") for column in range(1, columns + 1)) for row in range(1, rows + 1)
        ],
        "starts": table,
    }


def _blob(chance: Random, size: int) -> list[Space]:
    """Spaces that hang together, in a corner of a grid."""
    spaces = [(0, 0)]
    while len(spaces) < size:
        row, column = chance.choice(spaces[-4:] if chance.random() < 0.4 else spaces)
        down, right = chance.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
        place = (row + down, column + right)
        rows = {space[0] for space in [*spaces, place]}
        columns = {space[1] for space in [*spaces, place]}
        if place not in spaces and max(rows) - min(rows) < 8 and max(columns) - min(columns) < 8:
            spaces.append(place)
    top, left = (min(space[side] for space in spaces) for side in (0, 1))
    return sorted((row - top + 1, column - left + 1) for row, column in spaces)


def terrains_of(layout: dict[str, Any]) -> list[str]:
    signs = [sign for row in layout["rows"] for sign in row.split() if sign != "."]
    return [SIGNS[sign if sign in SIGNS else (sign[1:] or "+")] for sign in signs]


# --- cards ---------------------------------------------------------------------------------------------------------


def _lands(chance: Random, rich: Style, layouts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    lands = []
    for terrain in TERRAINS:
        most = max(terrains_of(layout).count(terrain) for layout in layouts)
        wanted = most + chance.randint(0, 3)
        number = 0
        while wanted > 0:
            number += 1
            land = _land(chance, rich, f"{terrain} {number}", terrain)
            land["copies"] = min(wanted, chance.choice([1, 1, 2, 3, 6]))
            wanted -= land["copies"]
            lands.append(land)
    return lands


def _land(chance: Random, rich: Style, name: str, terrain: str) -> dict[str, Any]:
    land: dict[str, Any] = {
        "name": name,
        "terrain": terrain,
        "defense": max(0, chance.randint(*rich.defense) + 2 * (terrain == "Town")),
        "value": chance.choice(rich.values),
        "icons": [_effect(chance) for _ in range(chance.choice([0, 0, 1, 1, 2, 3]))],
        "text": [_text(chance) for _ in range(chance.choice([0, 0, 0, 1, 2]))],
    }
    if rich.newer:
        if chance.random() < 0.4:
            word = chance.choice(["discard_random", "discard_random", "machine_off", "kill_toss"])
            land["text"].append("retreat_now" if chance.random() < 0.1 else _step(chance, word))
        for part in ("icons", "text"):
            land[part] = [_with_condition(chance, rich, step) for step in land[part]]
    if chance.random() < rich.needs:
        land["needs"] = chance.choice(["hero", "machine"])
    if chance.random() < (0.6 if terrain == "Town" else 0.1):
        land["epic"] = False
    return land


def _effect(chance: Random) -> str:
    word = chance.choice(
        ["gain", "draw", "steal_token", "steal_card", "lose", "lose", "discard", "lose_hero", "lose_machine"]
    )
    return word if word in ("steal_card", "lose_hero", "lose_machine") else f"{word} {chance.choice([1, 1, 2, 3])}"


def _text(chance: Random) -> str:
    return chance.choice(
        [_effect(chance), f"attack {_change(chance)}", f"defense {_change(chance)}", "steal_conquest", _effect(chance)]
    )


def _change(chance: Random) -> int:
    return chance.choice([-9, -3, -2, -1, 1, 1, 2, 3, 5])


def _cards(chance: Random, rich: Style) -> list[dict[str, Any]]:
    heroes, machines, actions = rich.faces
    cards = [_fighter(chance, rich, f"Hero {number}", "hero") for number in range(1, heroes + 1)]
    cards += [_fighter(chance, rich, f"Machine {number}", "machine") for number in range(1, machines + 1)]
    cards += [_action(chance, rich, f"Action {number}") for number in range(1, actions + 1)]
    chance.shuffle(cards)  # the order of the file is the order of copy numbers
    for card in cards:
        card["copies"] = 2 if chance.random() < rich.doubles else 1
    left = MAX_CANCELS
    for card in cards:
        if card.get("when") == ["answer"]:
            if left == 0:  # as many as the core allows
                card |= {"when": ["a"], "steps": _steps(chance, rich, ["a"])}
            else:
                card["copies"] = min(card["copies"], left)
                left -= card["copies"]
    return cards


def _fighter(chance: Random, rich: Style, name: str, kind: str) -> dict[str, Any]:
    card: dict[str, Any] = {"name": name, "kind": kind, "value": chance.choice([1, 2, 2, 3, 4, 5])}
    card["cost"] = chance.choice([1, 1, 2, 3]) if kind == "machine" else chance.choice([0, 1, 1, 2, 3])
    if chance.random() < 0.05:
        card["value"] = 0
    if chance.random() < rich.traits:
        card["trait"] = chance.choice(TRAITS)
    return card


def _leader(chance: Random, rich: Style, number: int) -> dict[str, Any]:
    name = f"Leader {number}"
    if chance.random() < 0.5:
        return {"name": name, "trait": chance.choice(TRAITS)} if chance.random() < 0.9 else {"name": name}
    when = chance.choice([["a"], ["b"], ["d"], ["a", "b"], ["a", "b", "d"]])
    return {"name": name, "ability": _ability(chance, rich, when), "when": when}


def _ability(chance: Random, rich: Style, when: list[str]) -> list[str]:
    """A `discard` that stands first is a price: no condition, and no card at random."""
    while True:
        steps = _steps(chance, rich, when)
        word = steps[0].rpartition(": ")[2].split()[0]
        if word != "discard_random" and (word != "discard" or not steps[0].startswith("if ")):
            return steps


def _action(chance: Random, rich: Style, name: str) -> dict[str, Any]:
    window = chance.choice(rich.windows)
    when = {"menus": ["a", "b", "d"], "fights": ["combat", "fray"]}.get(window, [window])
    if chance.random() < 0.15 and window not in ("toss", "answer"):
        when = sorted({*when, chance.choice(["a", "b", "d", "combat"])}, key="abd".find)
    return {"name": name, "kind": "action", "when": when, "steps": _steps(chance, rich, when)}


def _steps(chance: Random, rich: Style, when: list[str]) -> list[str]:
    """Steps that every window of the card allows, some with a condition."""
    return [_with_condition(chance, rich, step) for step in _bare_steps(chance, rich, when)]


def _with_condition(chance: Random, rich: Style, step: str) -> str:
    if not rich.newer or chance.random() >= rich.conditions:
        return step
    return f"if {_condition(chance)}: {step}"


def _condition(chance: Random) -> str:
    """One of all conditions, with numbers at which either answer is likely."""
    word = chance.choice([*BOUNDS, *BOUNDS, "terrain", "terrain", "needs", "attacker", "defender"])
    match word:
        case "terrain":
            return f"terrain {chance.choice(TERRAINS)}"
        case "needs":
            return f"needs {chance.choice(['hero', 'machine'])}"
        case "attacker" | "defender":
            return word
    bound = chance.randint(*BOUNDS[word]) if chance.random() < 0.95 else chance.choice([0, 99])
    return f"{word} {chance.choice(['>=', '>=', '<=', '<=', '='])} {bound}"


def _bare_steps(chance: Random, rich: Style, when: list[str]) -> list[str]:
    if "answer" in when:
        return ["cancel"]
    if "toss" in when:
        return [f"{chance.choice(['save', 'retoss'])} {chance.choice([1, 2, 9])}"]
    words = [
        "gain",
        "draw",
        "lose",
        "discard",
        "lose_hero",
        "lose_machine",
        "steal_token",
        "steal_card",
        "steal_conquest",
    ]
    words += ["choose other", "choose other", "choose any"]
    windows = set(when)
    if windows <= {"a", "b", "d"}:
        words += ["move", "move", "peek", "take_back"]
    if windows <= {"combat", "fray"}:
        words += ["attack", "attack", "choose fighter", "choose fighter"]
    if windows <= {"combat"}:
        words += ["defense", "defense", "no_requirement"]
    if rich.newer:
        words += _newer_words(windows)
    words += 4 * [word for word in rich.words if word in words]
    steps: list[str] = []
    for _ in range(chance.choice([1, 1, 2, 2, 3])):
        word = chance.choice(words)
        if word in ("swap_armies", "no_combat") and chance.random() < 0.7:
            steps.append(chance.choice(["choose other", "choose any"]))
        steps.append(_step(chance, word))
        if rich.newer and word == "move":
            steps[-1] = chance.choice(["move", "move 2", "move 2", "move 3"])
        if word.startswith("choose"):  # someone was named for something
            steps.append(_step(chance, chance.choice([w for w in words if not w.startswith("choose")])))
    return steps[:8]


def _newer_words(windows: set[str]) -> list[str]:
    words = ["discard_random"]
    if windows <= {"a", "b", "d"}:
        words += ["move", "swap_armies", "turn_up", "swap_lands", "no_combat", "guard"]
    if windows <= {"combat", "fray"}:
        words += ["kill_toss"]
    if windows <= {"combat"}:
        words += ["machine_off", "retreat_now"]
    return words


def _step(chance: Random, word: str) -> str:
    if word in ("attack", "defense"):
        return f"{word} {_change(chance)}"
    if word == "take_back":
        return f"take_back {chance.choice(KINDS_BACK)}"
    if word in ("gain", "draw", "lose", "discard", "steal_token", "discard_random", "kill_toss"):
        return f"{word} {chance.choice([1, 1, 1, 2, 3])}"
    return word
