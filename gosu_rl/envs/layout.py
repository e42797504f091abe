"""The observation vector and the action ids of a game as Markdown tables, for docs/envs.md and for people.

    python -m gosu_rl.envs.layout tactics 3
"""

from __future__ import annotations

import sys
from itertools import groupby
from typing import Any

import gosu_rl


def observation_table(game: Any) -> str:
    """One row a section of `game.observation_spec`: where it lies in the vector, its name, its meaning."""
    rows = ["| from | to | section | meaning |", "|---:|---:|---|---|"]
    start = 0
    for name, length, meaning in game.observation_spec:
        rows.append(f"| {start} | {start + length - 1} | `{name}` | {meaning} |")
        start += length
    return "\n".join(rows)


def action_table(game: Any) -> str:
    """One row a range of action ids whose labels begin with the same word; single words together."""
    rows = ["| from | to | labels |", "|---:|---:|---|"]
    start = 0
    for _, group in groupby(game.labels, key=lambda label: label.partition(" ")[0] if " " in label else ""):
        labels = list(group)
        shown = labels if " " not in labels[0] or len(labels) <= 4 else [labels[0], "…", labels[-1]]
        rows.append(f"| {start} | {start + len(labels) - 1} | {' '.join(f'`{s}`' if s != '…' else s for s in shown)} |")
        start += len(labels)
    return "\n".join(rows)


def tables(game: Any) -> str:
    """Both tables under a line that gives the sizes."""
    size = sum(length for _, length, _ in game.observation_spec)
    head = f"{game.variant}, {game.players} players: observation of {size} numbers, {game.num_actions} actions"
    return f"{head}\n\n{observation_table(game)}\n\n{action_table(game)}"


if __name__ == "__main__":
    variant, players = (sys.argv[1:] + ["tactics", "2"][len(sys.argv) - 1 :])[:2]
    print(tables(gosu_rl.game(variant, players=int(players))))
