"""Draws card files of GOSU for the reference tests: programs, conditions and bent rules by chance, in many shapes.

Everything follows the card file format; only "gosu-full" has the game's composition. In the small sets reshuffles,
conditions that hold and several bent rules at once are common.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import tomli_w

from .card_sets import CLANS, STRENGTH

# style -> clans, then faces per clan: Bakutos (two copies each), Heroes, Ozekis
GOSU_SHAPES: dict[str, tuple[int, int, int, int]] = {
    "gosu-full": (5, 5, 7, 3),  # 100 copies, the game's composition
    "gosu-pair": (2, 4, 4, 4),  # 32 copies
    "gosu-trio": (3, 3, 3, 3),  # 36
    "gosu-lords": (1, 6, 8, 8),  # 28, one clan and Ozekis in plenty: bent rules and conditions
    "gosu-heroes": (3, 1, 6, 2),  # 30, hardly a Bakuto: redraws
    "gosu-traps": (2, 4, 4, 4),  # 32, traps, swaps and destruction at every turn
    "gosu-tokens": (2, 4, 4, 4),  # 32, every card is activated, tokens come back
    "gosu-judges": (2, 3, 4, 8),  # 30, goblins of equal strength and Ozekis that bend battles
    "gosu-kings": (1, 6, 8, 8),  # 28, every Ozeki has a condition that wins, most of them about the one discard pile
    "gosu-graves": (1, 6, 6, 6),  # 24, Dark: everything mutates for nothing, many turns on end
}
BENDS = (
    "long reach", "rich tokens", "round draw", "all zombies", "cheap mutation", "held fast", "strange allies", "spare token",
    "double victory", "wins ties",
)  # fmt: skip
POOL = 24  # programs of a set


def write_gosu_set(path: Path, style: str, seed: int) -> Path:
    """Writes one card file; the same style and seed give the same file."""
    path.write_text(tomli_w.dumps(draw_gosu_set(style, seed)), encoding="utf-8")
    return path


def draw_gosu_set(style: str, seed: int) -> dict[str, Any]:
    """The data of one card file."""
    chance = Random(f"{style} {seed}")
    clan_count, bakutos, heroes, ozekis = GOSU_SHAPES[style]
    clans = CLANS if clan_count == 5 else ("Dark", *chance.sample([c for c in CLANS if c != "Dark"], clan_count - 1))
    loud = {f"power {number}": _program(chance, style) for number in range(POOL)}
    silent = {f"silent {number}": [_silent(chance)] for number in range(3)}
    cards: list[dict[str, Any]] = []
    for clan in clans:
        for level, count, word in ((1, bakutos, "Bakuto"), (2, heroes, "Hero"), (3, ozekis, "Ozeki")):
            for number in range(1, count + 1):
                cards.append(_card(chance, style, f"{clan} {word} {number}", clan, level, list(loud), list(silent)))
    if style == "gosu-full":
        dark_heroes = [card for card in cards if card["clan"] == "Dark" and card["level"] == 2]
        for card in cards:
            card.pop("zombie", None)
        for card in dark_heroes[:3]:
            card |= {"zombie": True, "mutation": card.get("mutation", 1)}
    _name_others(chance, cards, loud)
    return {
        "format": 1,
        "set": {
            "name": f"{style}-{seed}",
            "variant": "gosu",
            "title": f"Test set {style} {seed}",
            "version": "1",
            "composition": "rulebook" if style == "gosu-full" else "free",
        },
        "powers": loud | silent,
        "card": cards,
    }


def _card(
    chance: Random, style: str, name: str, clan: str, level: int, loud: list[str], silent: list[str]
) -> dict[str, Any]:
    card: dict[str, Any] = {"name": name, "clan": clan, "level": level, "copies": 2 if level == 1 else 1}
    card["strength"] = STRENGTH[level] if style == "gosu-full" else chance.randint(1, 6)
    if style == "gosu-judges":
        card["strength"] = 1
    if style == "gosu-graves":
        card |= {"mutation": 0, "zombie": True}
    elif chance.random() < 0.7:
        card["mutation"] = chance.choice([0, 1, 1, 2, 3])
        card["zombie"] = clan == "Dark" and chance.random() < 0.4
    odds = {"enter": 0.6, "mutate": 0.4, "activate": 0.95 if style == "gosu-tokens" else 0.4}
    for trigger, odd in odds.items():
        if (trigger != "mutate" or "mutation" in card) and chance.random() < odd:
            card[trigger] = [chance.choice(loud) for _ in range(chance.choice([1, 1, 2]))]
    if chance.random() < 0.15:
        card["departure"] = [chance.choice(silent) for _ in range(chance.choice([1, 1, 2]))]
    if level == 3 and style == "gosu-judges":
        card["rule"] = chance.sample(["wins ties", "double victory", "held fast", "strange allies"], 2)
    elif level == 3 and style == "gosu-kings":
        shared = ["pile 12"] * 9 + ["foes_army 3"]
        card["win"] = [chance.choice([*shared, _condition(chance)])]
    elif level == 3:
        if chance.random() < 0.6:
            card["rule"] = chance.sample(BENDS, chance.choice([1, 1, 2]))
        if chance.random() < 0.4:
            card["win"] = list(dict.fromkeys(_condition(chance) for _ in range(chance.choice([1, 1, 2]))))
    return card


def _name_others(chance: Random, cards: list[dict[str, Any]], programs: dict[str, list[str]]) -> None:
    """Cards whose powers or condition speak of names get one of a few lists of them."""
    lists = [chance.sample([card["name"] for card in cards], chance.choice([1, 2, 3])) for _ in range(5)]
    for card in cards:
        powers = card.get("enter", []) + card.get("mutate", []) + card.get("activate", [])
        steps = {step for power in powers for step in programs[power]}
        if steps & {"take_back names", "if names"} or "names" in card.get("win", []):
            card["names"] = chance.choice(lists)


def _condition(chance: Random) -> str:
    return chance.choice(
        [
            "behind",
            "advantage",
            "names",
            f"hand {chance.randint(5, 9)}",
            f"foes_hand {chance.randint(0, 1)}",
            f"pile {chance.randint(8, 20)}",
            f"army {chance.randint(4, 9)}",
            f"foes_army {chance.randint(0, 3)}",
            f"clans {chance.randint(1, 3)}",
            f"foes_trapped {chance.randint(1, 3)}",
        ]
    )


def _targeted(chance: Random, style: str) -> str:
    level = chance.choice([1, 2, 3, 3])
    steps = [f"destroy {level}", f"trap {level}", f"trap_or_release {level}", "swap"]
    if style == "gosu-tokens":
        steps = ["swap", "regain_token", "regain_token", f"trap_or_release {level}"]
    elif style != "gosu-traps":
        bonus = chance.choice(["", " +1"])
        steps += [f"victim_discards {chance.choice([1, 1, 2])}{bonus}", "regain_token"]
        steps += [f"take_back {whose}" for whose in ("own", "any", "names")]
    return chance.choice(steps)


def _silent(chance: Random) -> str:
    bonus = chance.choice(["", "", " +1"])
    return chance.choice(
        [f"draw 1{bonus}", f"draw 2{bonus}", "draw_per_clan", "fewest_points_draw 1", "take_advantage", "extra_turn 1"]
    )


def _plain(chance: Random, style: str) -> str:
    """A step without a target."""
    if style == "gosu-graves" and chance.random() < 0.5:
        return f"extra_turn {chance.choice([1, 2, 9])}"
    bonus = chance.choice(["", "", " +1", " +2"])
    asking = [f"reveal_keep {chance.choice([2, 4])} 1{bonus}", "reveal_keep 3 2", "all_discard_half"]
    asking += [f"discard_own {chance.choice([1, 1, 2])}"]
    if chance.random() < 0.06:
        return "victory_point 1"
    return chance.choice([_silent(chance), _silent(chance), *asking])


def _program(chance: Random, style: str) -> list[str]:
    """One to four steps; declined at an offer or at a first target, or a must."""
    count = chance.choice([1, 1, 2, 2, 3])
    steps = [_targeted(chance, style) if chance.random() < 0.5 else _plain(chance, style) for _ in range(count)]
    targets = ("destroy", "trap", "swap", "victim", "take_back", "regain")
    if not steps[0].startswith(targets) and chance.random() < 0.8:
        steps.insert(0, "offer")
    if chance.random() < 0.35:
        place = chance.randrange(len(steps)) if steps[0] != "offer" else chance.randrange(1, len(steps))
        steps.insert(place, f"if {_condition(chance)}")
    return steps
