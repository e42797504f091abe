"""`gosu-rl bench learn`: samples a second of a training run, and of its parts alone."""

from __future__ import annotations

import argparse
import datetime
import json
from typing import Any

from gosu_rl.cli.train import with_extra

TURNS, QUICK_TURNS = 15, 5


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, and write `--json`; settings come on top of what is measured as a rule."""
    return with_extra(_run, arguments)


def _run(arguments: argparse.Namespace) -> int:
    from gosu_rl.cli.info import machine, versions
    from gosu_rl.core.files import check_writable, write_whole
    from gosu_rl.learning import bench
    from gosu_rl.learning.config import as_tree, read
    from gosu_rl.learning.trainer import device_of

    words = [f"game.variant={arguments.variant}", *bench.WORDS, *arguments.settings_given]
    config = read(None, ["budget.samples=1", *words])
    turns = QUICK_TURNS if arguments.quick else TURNS
    if arguments.json:
        check_writable(arguments.json)  # or after the measuring
    date = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    about = {"date": date, **machine(), **versions(), "device": str(device_of(config.machine.device))}
    for name, value in about.items():
        print(f"{name:12} {value}")
    print(
        f"\nnetwork {config.network.kind} {list(config.network.hidden)}, {config.ppo.epochs} epochs, minibatches of "
        f"{config.ppo.minibatch}; {config.rollout.games} games x {config.rollout.steps} decisions a batch; "
        f"{turns} batches\n",
        flush=True,
    )
    print("samples / s      inference      update       bound  end to end   ratio")

    def told(one: Any) -> None:
        print(_row("", one.inference, one.update, one.bound, one.end_to_end, one.ratio), flush=True)

    found = bench.measure(config, turns, told)
    names = ("inference", "update", "bound", "end_to_end", "ratio")
    medians = {name: bench.median(found, name) for name in names}
    print(_row("median", *medians.values()))
    if arguments.json:
        rows = [{name: getattr(one, name) for name in names} for one in found]
        data = {"about": about, "config": as_tree(config), "turns": rows, "medians": medians}
        write_whole(arguments.json, (json.dumps(data, indent=1) + "\n").encode())
    return 0


def _row(name: str, *numbers: float) -> str:
    *speeds, ratio = numbers
    return f"{name:14}" + "".join(f"{number:12,.0f}" for number in speeds) + f"{ratio:8.2f}"
