"""PettingZoo and Gymnasium environments, registered on import, and `VectorEnv`, many games at once for training.

    import gosu_rl.envs, gymnasium, pettingzoo
    env = pettingzoo.make("aec", "gosu/tactics-v0", num_players=3)
    env = gymnasium.make("gosu/Tactics-v0", opponents=["greedy"])
    env = gosu_rl.envs.VectorEnv("tactics", num_envs=1024)

The other games: `"gosu/gosu-v0"`, `"gosu/GOSU-v0"`, `VectorEnv("gosu")`; `"gosu/gosu_x-v0"`, `"gosu/GosuX-v0"`,
`VectorEnv("gosu_x")`; `"gosu/epic_death-v0"`, `"gosu/EpicDeath-v0"`, `VectorEnv("epic_death")`.

PettingZoo: one thin module a versioned environment (`tactics_v0`, `gosu_v0`, `gosu_x_v0`, `epic_death_v0`); `aec` and `parallel`
serve every game. Gymnasium: one seat against agents, which are of a room above this one (`gosu_rl.arena.solo`); so Gymnasium
is told that environment's name, and imports it when one is made.
"""

import gymnasium
from pettingzoo import aec_registry, parallel_registry, register

from gosu_rl.envs.ansi import render
from gosu_rl.envs.vector import Step, VectorEnv, decision_word, next_seed

_MODULES = {f"gosu/{name}-v0": f"gosu_rl.envs.{name}_v0" for name in ("tactics", "gosu", "gosu_x", "epic_death")}

for _id, _module in _MODULES.items():
    # Looked at first because PettingZoo warns when an id is registered twice (a reloaded module).
    if _id not in aec_registry:
        register("aec", _id, f"{_module}:env")
    if _id not in parallel_registry:
        register("parallel", _id, f"{_module}:parallel_env")

_VARIANTS = {
    "gosu/Tactics-v0": "tactics",
    "gosu/GOSU-v0": "gosu",
    "gosu/GosuX-v0": "gosu_x",
    "gosu/EpicDeath-v0": "epic_death",
}

for _id, _variant in _VARIANTS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="gosu_rl.arena.solo:SoloEnv",
            vector_entry_point="gosu_rl.envs.solo_vector:SoloVectorEnv",
            kwargs={"variant": _variant},
        )

__all__ = ["Step", "VectorEnv", "decision_word", "next_seed", "render"]
