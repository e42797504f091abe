"""`gosu-rl info`: what is needed to make sense of a figure or a bug report from this machine."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
from pathlib import Path
from typing import Any

import gosu_rl
from gosu_rl.arena.workers import cores

PACKAGES = ("gosu_rl", "numpy", "numba", "gymnasium", "pettingzoo", "matplotlib", "scipy", "torch", "open_spiel")


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("info", help="versions, machine and cache folder", description=__doc__)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for name, value in {**machine(), **versions(), **cache()}.items():
        print(f"{name:12} {value}")
    return 0


def versions() -> dict[str, str]:
    """Version of Python and of every package that matters; those not installed say so."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        found[name] = package_version(name)
    return found


def package_version(name: str) -> str:
    """A package's version; our own also when run from its sources."""
    if name == "gosu_rl":
        return gosu_rl.__version__
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def machine() -> dict[str, str]:
    """Processor, how many of it this process may use, and the system."""
    return {
        "machine": _processor(),
        "processors": str(cores()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def cache() -> dict[str, str]:
    """Where compiled code is kept, and how much of it there is."""
    from gosu_rl.core import jit

    folder = jit.cache_root() / jit.sources_hash()  # looked at, not made: that works where nothing can be written, too
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    size = sum(path.stat().st_size for path in files)
    return {"cache": str(folder), "cached": f"{len(files)} files, {size / 1e6:.1f} MB"}


def _processor() -> str:
    """The processor's name; platform.processor() says only its family on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
