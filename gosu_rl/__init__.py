"""gosu_rl: the Gosu family of goblin card games as a benchmark for AI research, and a tool that measures them.

>>> import gosu_rl
>>> game = gosu_rl.game("tactics", players=2)
>>> state = game.new(seed=7)
>>> state.apply(state.legal[0]).kind in game.kinds
True
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "game", "make_agent", "play", "variants"]

_HOMES = {
    "game": "gosu_rl.core.variants",
    "variants": "gosu_rl.core.variants",
    "make_agent": "gosu_rl.agents",
    "play": "gosu_rl.arena.play",
}


def __getattr__(name: str) -> Any:
    """Import on first use, so that `import gosu_rl` and `gosu-rl --help` need not load numba."""
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'gosu_rl' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What `dir` and completion show: also what is not imported yet."""
    return sorted({*globals(), *_HOMES})
