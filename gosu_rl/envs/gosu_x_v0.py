"""`gosu/gosu_x-v0`: Gosu X for 2 players.

What bumps the version, the observation and the actions: docs/envs.md.
"""

from gosu_rl.envs.versioned import makers

VARIANT = "gosu_x"
VERSION = 0
raw_env, env, parallel_env = makers(VARIANT, VERSION)
