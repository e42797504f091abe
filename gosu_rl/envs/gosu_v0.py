"""`gosu/gosu-v0`: GOSU (2010) for 2 to 4 players.

What bumps the version, the observation and the actions: docs/envs.md.
"""

from gosu_rl.envs.versioned import makers

VARIANT = "gosu"
VERSION = 0
raw_env, env, parallel_env = makers(VARIANT, VERSION)
