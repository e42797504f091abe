"""The three makers that every versioned environment module offers: `raw_env`, `env`, `parallel_env`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from gosu_rl.envs.aec import AECGame
from gosu_rl.envs.parallel import ParallelGame

Makers = tuple[Callable[..., AECGame], Callable[..., OrderEnforcingWrapper], Callable[..., ParallelGame]]


def makers(variant: str, version: int) -> Makers:
    """`raw_env`, `env`, `parallel_env` of one version of one variant; what bumps a version: docs/envs.md."""

    def raw_env(
        num_players: int = 2,
        cards: str | None = None,
        rules: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> AECGame:
        """The bare AEC environment; for the arguments see `gosu_rl.envs.table.TableEnv`."""
        return AECGame(variant, version, num_players, cards, rules, render_mode, max_cycles)

    def env(**kwargs: Any) -> OrderEnforcingWrapper:
        """The AEC environment with PettingZoo's check of the calling order; arguments as `raw_env`.

        No other wrapper: TerminateIllegalWrapper would turn a programming error into a lost game, and
        AssertOutOfBoundsWrapper would hide the error that names the legal actions behind a bare AssertionError.
        """
        return OrderEnforcingWrapper(raw_env(**kwargs))

    def parallel_env(
        num_players: int = 2,
        cards: str | None = None,
        rules: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> ParallelGame:
        """The parallel environment; for the arguments see `gosu_rl.envs.table.TableEnv`."""
        return ParallelGame(variant, version, num_players, cards, rules, render_mode, max_cycles)

    return raw_env, env, parallel_env
