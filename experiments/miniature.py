"""Does self-play find its way to an equilibrium? PPO on the miniature, measured exactly.

The miniature (gosu_rl/learning/miniature.py) is small enough that a strategy's exploitability can be computed, not estimated. PPO
is trained on it with the default entropy bonus, and its exploitability is computed as it goes; beside it that of `random`, `greedy`
and an equilibrium.

    python experiments/miniature.py                  # three seeds, a minute or two each; writes results/ and a picture
    python experiments/miniature.py --samples 100000 --seeds 1
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gosu_rl.core.files import write_whole
from gosu_rl.learning import exact
from gosu_rl.learning.config import Config, read
from gosu_rl.learning.equilibrium import equilibrium
from gosu_rl.learning.game_tree import GameTree, enumerate_game
from gosu_rl.learning.miniature import CARDS, RULES, miniature
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.network import log_policy

RESULTS = Path(__file__).parent / "results"
PICTURE = Path(__file__).parents[1] / "docs/images/miniature.png"
BATCHES = 20  # between two exact measures


def training(seed: int, samples: int, words: tuple[str, ...] = ()) -> Config:
    """The default PPO, entropy bonus included, with a network and batches as small as the game."""
    small = (
        "rollout.games=128",
        "rollout.steps=32",
        "network.hidden=[64,64]",
        "ppo.minibatch=512",
        "evaluation.deals=0",
    )
    config = read(None, [*small, f"budget.samples={samples}", f"seed={seed}", "machine.threads=1", *words])
    game = dataclasses.replace(config.game, cards=CARDS, rules=dict(RULES))
    return dataclasses.replace(config, game=game)


def exploitability(tree: GameTree, network: torch.nn.Module) -> float:
    """Exact, of what the network plays when it draws its actions."""

    def evaluate(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            logits = network(torch.from_numpy(observations))[0]
            return log_policy(logits, torch.from_numpy(masks) != 0).exp().numpy()

    return exact.exploitability(tree, exact.of_policy(tree, evaluate)).exploitability


def learn(tree: GameTree, config: Config) -> list[tuple[int, float]]:
    """(samples, exploitability) along a run, the untrained network first."""
    curve: list[tuple[int, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(config, Path(folder))
        curve.append((0, exploitability(tree, trainer.player)))

        def look(now: Trainer, losses: Any) -> None:
            if now.counters.batch % BATCHES == 0 or now.progress >= 1.0:
                curve.append((now.counters.samples, exploitability(tree, now.player)))

        trainer.run(progress=look)
    return curve


def draw(curves: dict[int, list[tuple[int, float]]], marks: dict[str, float]) -> bytes:
    """The picture, as PNG."""
    import io

    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for seed, curve in curves.items():
        axes.plot(*zip(*curve, strict=True), label=f"PPO, seed {seed}")
    for name, level in marks.items():
        axes.axhline(level, linestyle="--", linewidth=1, color="grey")
        axes.annotate(f"{name} {level:.3f}", (0.99, level), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set(
        xlabel="samples",
        ylabel="exploitability (return a game)",
        title="The miniature, measured exactly",
        ylim=(0, None),
    )
    axes.legend()
    axes.grid(alpha=0.3)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    return picture.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    tree = enumerate_game(miniature())
    worth, solution = equilibrium(tree)
    marks = {
        "random": exact.exploitability(tree, exact.uniform(tree)).exploitability,
        "greedy": exact.exploitability(tree, exact.of_agent(tree, "greedy")).exploitability,
        "equilibrium": exact.exploitability(tree, solution).exploitability,
    }
    print(f"{tree!r}; value for seat 0 {worth:+.4f}; " + ", ".join(f"{name} {x:.4f}" for name, x in marks.items()))
    curves = {}
    for seed in range(1, args.seeds + 1):
        curves[seed] = learn(tree, training(seed, args.samples))
        print(
            f"seed {seed}: "
            + "  ".join(f"{n / 1e6:.2f} M {x:.3f}" for n, x in curves[seed][:: max(1, len(curves[seed]) // 8)])
        )
        print(f"   at the end {curves[seed][-1][1]:.4f}", flush=True)
    found = {"tree": repr(tree), "marks": marks, "curves": curves, "settings": as_words(training(1, args.samples))}
    RESULTS.mkdir(exist_ok=True)
    write_whole(RESULTS / "miniature.json", (json.dumps(found, indent=1) + "\n").encode())
    write_whole(PICTURE, draw(curves, marks))


def as_words(config: Config) -> dict[str, Any]:
    """The settings that matter, as plain data."""
    from gosu_rl.learning.config import as_tree

    tree = as_tree(config)
    tree["game"]["cards"] = Path(tree["game"]["cards"]).name
    return {name: tree[name] for name in ("game", "rollout", "network", "ppo", "pool")}


if __name__ == "__main__":
    main()
