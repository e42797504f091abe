"""Ways to choose among legal labels, so that random games reach the seldom kinds of decisions too."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

QUIET = {"pass", "decline", "keep"}
Policy = Callable[[Random, str, list[str]], str]


def uniform(chance: Random, kind: str, legal: list[str]) -> str:
    return chance.choice(legal)


def eager(chance: Random, kind: str, legal: list[str]) -> str:
    """Never passes, declines or keeps a bad hand while something else is legal: long rounds, all powers."""
    return chance.choice([label for label in legal if label not in QUIET] or legal)


def brisk(chance: Random, kind: str, legal: list[str]) -> str:
    """Passes a third of its turns, takes powers: many rounds, games won by points."""
    if "pass" in legal and chance.random() < 0.33:
        return "pass"
    return eager(chance, kind, legal)


def builder(chance: Random, kind: str, legal: list[str]) -> str:
    """Recruits rather than replaces, destroys and traps seldom: full armies and instant wins."""
    if kind in ("destroy", "trap", "victim", "aim") and "decline" in legal and chance.random() < 0.9:
        return "decline"
    if kind == "use" and "recruit" in legal:
        return "recruit"
    return eager(chance, kind, legal)


def hoarder(chance: Random, kind: str, legal: list[str]) -> str:
    """Keeps Bakutos out of its hand and rarely plays: hands with nothing to play at new rounds."""
    if kind in ("pay", "discard", "opening"):
        return min(legal, key=lambda label: ("Bakuto" not in label, chance.random()))
    if "pass" in legal and chance.random() < 0.7:
        return "pass"
    return eager(chance, kind, legal)


def changer(chance: Random, kind: str, legal: list[str]) -> str:
    """Mutates rather than recruits, from the discard pile above all: long chains of powers and of extra turns."""
    wanted = {"turn": "take ", "use": "replace "}.get(kind, "")
    return eager(chance, kind, [label for label in legal if wanted and label.startswith(wanted)] or legal)


def narrow(chance: Random, kind: str, legal: list[str]) -> str:
    """Traps and releases the same few goblins over and over, seat 0's first."""
    return eager(chance, kind, legal[:4] if kind == "trap" else legal)


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "eager": eager,
    "brisk": brisk,
    "builder": builder,
    "hoarder": hoarder,
    "changer": changer,
    "narrow": narrow,
}


def planter(chance: Random, kind: str, legal: list[str]) -> str:
    """Gosu X: plays a card whenever it can, and never a shift: full armies."""
    plays = [label for label in legal if label.startswith("play ")]
    return builder(chance, kind, plays if plays and chance.random() < 0.9 else legal)


def spender(chance: Random, kind: str, legal: list[str]) -> str:
    """Gosu X: tokens on cards, tokens for cards, the Wonder token; else it passes a third of its turns."""
    spends = [label for label in legal if label.startswith(("activate ", "spend "))]
    return brisk(chance, kind, spends if spends and chance.random() < 0.6 else legal)


X_POLICIES: dict[str, Policy] = POLICIES | {"planter": planter, "spender": spender}
