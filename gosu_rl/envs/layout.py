"""The observation vector and the action ids of a game as Markdown tables, for docs/envs.md and for people.

python -m gosu_rl.envs.layout tactics 3
"""

from __future__ import annotations

import sys
from typing import Any

import gosu_rl

SHORT = 8  # a range of at most this many actions is listed in full


def observation_table(game: Any) -> str:
    """One row a section of `game.observation_spec`: where it lies in the vector, its name, its meaning."""
    rows = ["| from | to | section | meaning |", "|---:|---:|---|---|"]
    for name, start, stop, meaning in game.observation_spec.sections:
        rows.append(f"| {start} | {stop - 1} | `{name}` | {meaning} |")
    return "\n".join(rows)


def action_table(game: Any) -> str:
    """One row a range of `game.action_ranges`: its ids, its name, its first and last label (all of a short range)."""
    rows = ["| from | to | range | labels |", "|---:|---:|---|---|"]
    for name, first, end in game.action_ranges:
        if first == end:  # a range that this variant does not have
            continue
        labels = [f"`{label}`" for label in game.labels[first:end]]
        shown = labels if len(labels) <= SHORT else [labels[0], "…", labels[-1]]
        rows.append(f"| {first} | {end - 1} | {name} | {' '.join(shown)} |")
    return "\n".join(rows)


def tables(game: Any) -> str:
    """Both tables under a line that gives the sizes."""
    size, count = game.observation_spec.size, game.num_actions
    head = f"{game.variant}, {game.players} players: observation of {size} numbers, {count} actions"
    return f"{head}\n\n{observation_table(game)}\n\n{action_table(game)}"


if __name__ == "__main__":
    variant, players = (sys.argv[1:] + ["tactics", "2"][len(sys.argv) - 1 :])[:2]
    print(tables(gosu_rl.game(variant, players=int(players))))
