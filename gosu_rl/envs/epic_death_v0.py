"""`gosu/epic_death-v0`: Goblins: Epic Death for 2 to 6 players.

What bumps the version, the observation and the actions: docs/envs.md.
"""

from gosu_rl.envs.versioned import makers

VARIANT = "epic_death"
VERSION = 0
raw_env, env, parallel_env = makers(VARIANT, VERSION)
