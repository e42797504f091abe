"""Draws card files of many shapes for the reference tests: far stranger sets than a sensible designer would make.

Everything follows the card file format; only "full" has the rulebook's composition. The small sets make reshuffles,
redraws, links and instant wins happen often.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import tomli_w

CLANS = ("Ancient", "Alpha", "Dark", "Méka", "Fire")
POWERS = ("destruction", "trap", "discard", "draw", "vision", "return", "advantage")
ALL_POWERS = tuple(power + mode for power in POWERS for mode in ("", " MAX"))
SIDES = ("left", "right", "above", "below")
STRENGTH = {1: 2, 2: 3, 3: 5}

# style -> clans, then faces per clan: Bakuto names (each two plain copies and one X), Heroes, Ozekis
SHAPES: dict[str, tuple[int, int, int, int]] = {
    "full": (5, 3, 4, 2),  # 75 copies, the rulebook's composition
    "pair": (2, 3, 4, 3),  # 32 copies
    "trio": (3, 2, 3, 2),  # 33
    "mono": (1, 5, 8, 7),  # 30, one clan: everything is free, instant wins are near
    "heroes": (3, 1, 6, 2),  # 33, hardly a Bakuto: mulligans and redraws
    "gentle": (3, 2, 4, 4),  # 42, cards for everybody and no destruction: full armies, many links
    "wardens": (1, 5, 8, 7),  # 30, everything traps: several armies are complete when a new round releases them
    "hooks": (2, 3, 4, 3),  # 32, links that trap, release and destroy: pending powers lost and found again
    "zombies": (1, 5, 8, 7),  # 30, mutations for nothing that win extra turns by the hundred
    "wide": (5, 4, 4, 3),  # 95 copies of 75 faces, near the most that four players can have
}
FEW_POWERS: dict[str, tuple[str, ...]] = {  # every card of these has powers, out of these
    "gentle": ("draw", "draw MAX", "vision MAX", "return MAX", "trap MAX", "advantage"),
    "wardens": ("trap", "trap", "trap MAX", "draw"),
    "hooks": ("trap MAX", "trap MAX", "trap", "destruction", "destruction MAX", "draw MAX"),
    "zombies": ("advantage", "advantage MAX", "advantage", "draw MAX"),
}


def write_set(path: Path, style: str, seed: int) -> Path:
    """Writes one card file; the same style and seed give the same file."""
    path.write_text(tomli_w.dumps(draw_set(style, seed)), encoding="utf-8")
    return path


def draw_set(style: str, seed: int) -> dict[str, Any]:
    """The data of one card file."""
    chance = Random(f"{style} {seed}")
    clan_count, bakutos, heroes, ozekis = SHAPES[style]
    clans = CLANS if clan_count == 5 else ("Dark", *chance.sample([c for c in CLANS if c != "Dark"], clan_count - 1))
    cards: list[dict[str, Any]] = []
    for clan in clans:
        for number in range(1, bakutos + 1):
            cards.append(_card(chance, style, f"{clan} Bakuto {number}", clan, 1, copies=2))
            x = _card(chance, style, f"{clan} Bakuto {number}", clan, 1)
            x["x"] = True
            x["link"] = x.get("link") or [_power(chance, style)]
            cards.append(x)
        for level, count, word in ((2, heroes, "Hero"), (3, ozekis, "Ozeki")):
            cards += [_card(chance, style, f"{clan} {word} {number}", clan, level) for number in range(1, count + 1)]
    return {
        "format": 1,
        "set": {
            "name": f"{style}-{seed}",
            "variant": "tactics",
            "title": f"Test set {style} {seed}",
            "version": "1",
            "composition": "rulebook" if style == "full" else "free",
        },
        "provenance": dict.fromkeys(("name", "clan", "level", "strength"), "reconstructed"),
        "card": cards,
    }


def _card(chance: Random, style: str, name: str, clan: str, level: int, copies: int = 1) -> dict[str, Any]:
    card: dict[str, Any] = {"name": name, "clan": clan, "level": level, "copies": copies}
    card["strength"] = STRENGTH[level] if style == "full" else chance.randint(1, 6)
    if style == "zombies":
        card |= {"mutation": 0, "zombie": True}
    elif chance.random() < 0.6:
        card["mutation"] = chance.choice([0, 0, 1, 1, 2, 3])
        card["zombie"] = clan == "Dark" and chance.random() < 0.6
    for trigger, odds in (("enter", 0.6), ("link", 0.5), ("mutate", 0.4)):
        if trigger == "mutate" and "mutation" not in card:
            continue
        if style == "full" and level == 1 and trigger == "link":
            continue  # the X alone links
        if chance.random() < odds or style in FEW_POWERS:
            count = (
                1 if style == "wide" else chance.choice([1, 1, 1, 2, 2, 3])
            )  # 75 faces times 9 powers would be too many
            card[trigger] = [_power(chance, style) for _ in range(count)]
    if "link" in card and chance.random() < 0.3:
        card["links"] = sorted(chance.sample(SIDES, chance.randint(1, 3)), key=SIDES.index)
    return card


def _power(chance: Random, style: str) -> str:
    return chance.choice(FEW_POWERS.get(style, ALL_POWERS))
