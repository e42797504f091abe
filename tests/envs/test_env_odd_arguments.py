"""Odd arguments of the environments: ValueErrors of one line, before and after a deal."""

from __future__ import annotations

from typing import Any

import pytest

from gosu_rl.envs import tactics_v0

MAKERS = [tactics_v0.raw_env, tactics_v0.parallel_env]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "arguments",
    [
        *[{"seed": seed} for seed in (-1, 1.5, "x", [1], float("nan"))],
        *[{"options": options} for options in (5, "advantage", [1], {"advantage": 9}, {"advantage": "x"})],
    ],
)
def test_reset(make: Any, arguments: dict[str, Any]) -> None:
    env = make()
    env.reset(seed=1)
    before = str(env.game_state)
    with pytest.raises(ValueError, match=r"\A.+\Z"):
        env.reset(**arguments)
    assert str(env.game_state) == before


@pytest.mark.parametrize("make", MAKERS)
def test_nothing_is_seen_before_the_deal(make: Any) -> None:
    with pytest.raises(ValueError, match="reset"):
        make().observe("player_0")


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("cycles", [None, 5])
def test_rules(make: Any, cycles: int | None) -> None:
    with pytest.raises(ValueError, match="rules"):
        make(rules=5, max_cycles=cycles)
