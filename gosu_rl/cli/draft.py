"""`--draft`: who drafts the clans of Gosu X. Nothing else is imported here, since light commands have the option, too."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import gosu_rl


def add_draft(parser: argparse.ArgumentParser) -> None:
    """The option, short for the rule of that name."""
    parser.add_argument(
        "--draft",
        metavar="D",
        help="gosu_x: who drafts the clans: agents (the default), random, or fixed:Justice,Galmi,… with six clans in the order "
        "of the picks (first player, second, second, first, first, second)",
    )


def with_draft(rules: Mapping[str, Any], draft: str | None, variant: str) -> dict[str, Any]:
    """Changed rules with what `--draft` says; ValueError where the game has no draft, or the rules change it already."""
    if draft is None:
        return dict(rules)
    if variant in gosu_rl.variants() and variant != "gosu_x":  # what is no variant is told elsewhere
        raise ValueError(f"--draft {draft[:60]!r}: {variant} has no draft, only gosu_x has; leave it out")
    if "draft" in rules:
        raise ValueError("--draft and --rules draft=… say the same; give one of them")
    return {**rules, "draft": draft}
