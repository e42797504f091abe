"""`gosu-rl train`: learn a game by self-play, and keep the player."""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

EXAMPLES = """examples:
  gosu-rl train --config configs/tactics_ppo.yaml
  gosu-rl train --config configs/tactics_ppo.yaml budget.minutes=2 seed=7 --out runs/quick
  gosu-rl train --config configs/tactics_ppo.yaml game.players=4 network.hidden=[256,128]
  gosu-rl train --config configs/gosu_ppo.yaml budget.minutes=12                          GOSU (2010) instead of Tactics
  gosu-rl train --config configs/gosu_x_ppo.yaml                                        … or Gosu X
  gosu-rl train --config configs/epic_death_ppo.yaml                                    … or Epic Death
  gosu-rl train --resume --out runs/quick                        go on after Ctrl-C, a crash, or a night
  gosu-rl train --resume --out runs/quick budget.minutes=60      … and for longer
  gosu-rl train --settings                                       every setting, its default and meaning
  gosu-rl tournament tactics --agents ppo:runs/quick,greedy      let what was learned play
  tensorboard --logdir runs/quick                                look at losses, strength and speed

The folder then holds config.yaml, checkpoint.safetensors, policy.safetensors (the player, ppo:FOLDER), history.jsonl, curves.png
and TensorBoard's events. Strength during training is measured over paired deals; docs/learning.md tells how."""

NEEDED = ("torch", "safetensors", "tensorboard", "yaml")  # packages of the extra `train`


def add_parser(subparsers: Any) -> None:
    """Add `train` to the subcommands."""
    parser = subparsers.add_parser(
        "train",
        help="learn a game by self-play",
        description="Train a network by self-play (masked PPO) and keep the player it becomes.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("settings_given", nargs="*", metavar="KEY=VALUE", help="settings on top of the config's")
    parser.add_argument("--config", metavar="FILE", help="settings as YAML; default: all as --settings shows")
    parser.add_argument("--out", metavar="DIR", help="folder of the run (default: runs/NAME-OF-THE-CONFIG)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--fresh", action="store_true", help="forget the run that is in --out and begin anew")
    parser.add_argument("--settings", action="store_true", help="list every setting and end")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Train. 0 when the budget was used up, 130 when stopped before; ValueError and OSError for bad input."""
    return with_extra(_run, args)


def with_extra(command: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Run a command that needs the packages of the extra `train`; ValueError tells how to get one that is missing, and
    MemoryError that torch got no more memory."""
    try:
        return command(args)
    except RuntimeError as error:  # torch has no type of its own for it on the CPU
        if "out of memory" not in str(error) and "can't allocate" not in str(error):
            raise
        raise MemoryError("make rollout.games, rollout.steps, ppo.minibatch or network.hidden smaller") from error
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in NEEDED:
            raise
        raise ValueError(
            f"training needs the Python package {missing!r}, which is not installed: pip install 'gosu_rl[train]'"
        ) from error


def _run(args: argparse.Namespace) -> int:
    from gosu_rl.learning import config as configs

    if args.settings:
        for name, default, about in configs.settings():
            shown = list(default) if isinstance(default, tuple) else default
            print(f"{name:26} {shown!s:18} {about}")
        return 0
    folder = _folder(args)
    config = _config(args, folder)
    check_free(folder, args.resume, args.fresh)
    print(f"# {folder}/{_CONFIG}\n{configs.as_yaml(config)}", flush=True)

    from gosu_rl.learning.curves import draw
    from gosu_rl.learning.trainer import Trainer

    trainer = Trainer(config, folder, resume=args.resume, command=_command(args, folder))
    if args.fresh:
        forget(folder)  # not before it is certain that the new run can begin
    print(_about(trainer), flush=True)
    report = watched(trainer)
    draw(folder)
    print(f"{'done' if report.complete else 'stopped'}: {folder}/policy.safetensors  curves.png  history.jsonl")
    where = shlex.quote(str(folder))
    if not report.complete:
        print(f"go on with: gosu-rl train --resume --out {where}")
    print(
        f"let it play: gosu-rl tournament {config.game.variant} --players {config.game.players} --agents ppo:{where},greedy"
    )
    return 0 if report.complete else 130


_CONFIG = "config.yaml"
_BAR = "{desc}: {percentage:5.1f}%|{bar}| {elapsed}<{remaining} {postfix}"


def watched(trainer: Any) -> Any:
    """Run a trainer with a progress bar until its budget is used up or Ctrl-C stops it; its `Report`."""
    from tqdm import tqdm

    with _interrupted() as stop, tqdm(total=100, unit="%", disable=None, desc="train", bar_format=_BAR) as bar:

        def progress(now: Any, losses: Any) -> None:
            bar.n = round(100 * now.progress, 1)
            speed = now.counters.samples / max(1e-9, 60 * now.counters.minutes)
            bar.set_postfix_str(
                f"{now.counters.samples / 1e6:.2f} M samples, {speed:,.0f}/s, entropy {losses.entropy:.2f}, "
                f"explained {losses.explained:.2f}"
            )

        return trainer.run(stop=lambda: bool(stop), progress=progress, tell=tqdm.write)


def _folder(args: argparse.Namespace) -> Path:
    if args.out:
        folder = Path(args.out)
    elif args.config:
        folder = Path("runs") / Path(args.config).stem
    elif args.resume:
        raise ValueError("--resume wants the folder of the run: gosu-rl train --resume --out runs/x")
    else:
        folder = Path("runs") / "train"
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; name a folder")
    return folder


def _config(args: argparse.Namespace, folder: Path) -> Any:
    from gosu_rl.learning import checkpoint
    from gosu_rl.learning.config import read

    words = args.settings_given
    if not args.resume:
        if not args.config and not any(word.startswith("budget.") for word in words):
            raise ValueError("without --config a budget is needed, e.g. gosu-rl train budget.minutes=10")
        return read(args.config, words)
    if args.config:
        raise ValueError("--resume takes the run's own config; leave --config away (settings may follow as KEY=VALUE)")
    if args.fresh:
        raise ValueError("--resume and --fresh contradict each other")
    if not (folder / checkpoint.FILE_NAME).exists():
        raise ValueError(
            f"{folder} holds no {checkpoint.FILE_NAME}, so there is nothing to resume; name the run's --out"
        )
    return read(folder / _CONFIG, words)  # the checkpoint refuses what may not change


def check_free(folder: Path, resume: bool, fresh: bool) -> None:
    """ValueError where files would be overwritten unasked, or `fresh` would remove what no run has written."""
    from gosu_rl.learning import checkpoint, history, trainer

    if resume or not folder.exists():
        return
    names = (checkpoint.FILE_NAME, _CONFIG, trainer.POLICY_FILE, history.FILE_NAME)
    there = [name for name in names if (folder / name).exists()]
    if there and not fresh:
        what = f"a file {there[0]}"
        if checkpoint.FILE_NAME in there or _CONFIG in there:
            what = "a run"
        goes_on = "go on with --resume, " if checkpoint.FILE_NAME in there else ""
        raise ValueError(f"{folder} holds {what} already; {goes_on}begin anew with --fresh, or name another --out")
    if fresh and any(folder.iterdir()) and not _holds_a_run(folder):
        raise ValueError(f"--fresh would clear {folder}, which holds no run of gosu-rl train; name another --out")


def _holds_a_run(folder: Path) -> bool:
    """A checkpoint, or the config of a run that was killed before its first one."""
    from gosu_rl.learning import checkpoint
    from gosu_rl.learning.config import ConfigError, read

    if (folder / checkpoint.FILE_NAME).exists():
        return True
    try:
        read(folder / _CONFIG)
    except (ConfigError, OSError):
        return False
    return True


def forget(folder: Path) -> None:
    """Remove what a run has written, and nothing else."""
    from gosu_rl.learning import checkpoint, curves, history, trainer

    for name in (checkpoint.FILE_NAME, _CONFIG, trainer.POLICY_FILE, history.FILE_NAME, curves.FILE_NAME):
        (folder / name).unlink(missing_ok=True)
    for partial in folder.glob("*.part"):  # of a run killed while it wrote
        partial.unlink()
    for events in (folder / history.EVENTS).glob("events.out.tfevents.*"):
        events.unlink()


def _about(trainer: Any) -> str:
    numbers = sum(one.numel() for one in trainer.network.parameters())
    return (
        f"{trainer.game!r}: {trainer.game.observation_size} numbers in, {trainer.game.num_actions} actions, "
        f"{numbers:,} weights, on {trainer.device}"
    )


def _command(args: argparse.Namespace, folder: Path) -> str:
    words = ["gosu-rl", "train", *(["--config", args.config] if args.config else []), *args.settings_given]
    return shlex.join([*words, "--out", str(folder), *(["--resume"] if args.resume else [])])


@contextmanager
def _interrupted() -> Iterator[list[int]]:
    """A list that is not empty once Ctrl-C was pressed or SIGTERM came: the batch is finished and kept. A second ends at once."""
    came: list[int] = []

    def note(number: int, frame: Any) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)
        print("\nstopping after this batch (again: at once, back to the last checkpoint)", file=sys.stderr)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
