"""Odd arguments of the environments: ValueErrors of one line, before and after a deal."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from gosu_rl.envs import tactics_v0

MAKERS = [tactics_v0.raw_env, tactics_v0.parallel_env]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "arguments",
    [
        *[{"seed": seed} for seed in (-1, 1.5, "x", [1], float("nan"), True)],
        *[{"options": options} for options in (5, "advantage", [1])],
        *[{"options": {"advantage": seat}} for seat in (9, "x", True, 0.0)],
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
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"advantge": 1}, "reset knows no option 'advantge'; did you mean 'advantage'? there is 'advantage'"),
        ({"seat": 1}, "reset knows no option 'seat'; another environment has it; there is 'advantage'"),
    ],
)
def test_a_misspelt_option_does_not_silently_do_nothing(make: Any, options: dict[str, Any], message: str) -> None:
    env = make()
    with pytest.raises(ValueError, match=re.escape(message)):
        env.reset(seed=1, options=options)
    env.reset(seed=1, options={"of_a_wrapper": 5})


@pytest.mark.parametrize("odd", [True, np.True_, 1.0, "keep", None])
def test_what_is_no_action_is_refused_and_changes_nothing(odd: Any) -> None:
    one, all_at_once = (make() for make in MAKERS)
    for env in (one, all_at_once):
        env.reset(seed=1)
        before = str(env.game_state)
        with pytest.raises(ValueError, match=r"action .* is not legal; legal: .*; nothing was changed") as told:
            env.step(odd if env is one else dict.fromkeys(env.agents, odd))
        assert f"action {odd!r} is" in str(told.value)
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
