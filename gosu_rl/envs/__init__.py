"""PettingZoo environments, registered on import.

    import gosu_rl.envs, pettingzoo
    env = pettingzoo.make("aec", "gosu/tactics-v0", num_players=3)

One thin module a versioned environment (`tactics_v0`, `gosu_v0`); `aec` and `parallel` serve every game.
"""

from pettingzoo import aec_registry, parallel_registry, register

from gosu_rl.envs.ansi import render

_MODULES = {f"gosu/{name}-v0": f"gosu_rl.envs.{name}_v0" for name in ("tactics", "gosu")}

for _id, _module in _MODULES.items():
    # Looked at first because PettingZoo warns when an id is registered twice (a reloaded module).
    if _id not in aec_registry:
        register("aec", _id, f"{_module}:env")
    if _id not in parallel_registry:
        register("parallel", _id, f"{_module}:parallel_env")

__all__ = ["render"]
