"""docs/envs.md shows the layout in force, and every version of an environment keeps the layout it was born with."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.envs import gosu_v0, gosu_x_v0, tactics_v0
from gosu_rl.envs.layout import action_table, observation_table, tables

PAGE = Path(__file__).parents[2] / "docs" / "envs.md"
# Fingerprint of names and lengths of the observation's sections and of the action labels. A change here is a change of
# the environment's version: see "What bumps the version" in docs/envs.md.
FINGERPRINTS = {("tactics", 0): "36d0f95a5b70d59f", ("gosu", 0): "ad5e2d005dd990fe", ("gosu_x", 0): "6c577626b748036a"}


def fingerprint(variant: str) -> str:
    parts = []
    for players in (2,) if variant == "gosu_x" else (2, 3, 4):
        game = gosu_rl.game(variant, players=players)
        sections = [(name, stop - start) for name, start, stop, _ in game.observation_spec.sections]
        parts.append([sections, list(game.labels)])
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def test_the_page_shows_the_layout_in_force() -> None:
    assert tables(gosu_rl.game("tactics", players=2)) in PAGE.read_text("utf-8")


@pytest.mark.parametrize("module", [tactics_v0, gosu_v0, gosu_x_v0])
def test_a_version_keeps_its_layout(module: object) -> None:
    variant, version = module.VARIANT, module.VERSION  # type: ignore[attr-defined]
    assert fingerprint(variant) == FINGERPRINTS[variant, version], "layout changed: bump the version (docs/envs.md)"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_tables_cover_everything_without_a_gap(players: int) -> None:
    game = gosu_rl.game("tactics", players=players)
    env = tactics_v0.raw_env(num_players=players)
    sizes = (env.observation_space("player_0")["observation"].shape[0], game.num_actions)
    for table, size in zip((observation_table(game), action_table(game)), sizes, strict=True):
        rows = [line.split("|")[1:3] for line in table.splitlines()[2:]]
        ranges = [(int(first), int(last)) for first, last in rows]
        assert ranges[0][0] == 0
        assert all(before[1] + 1 == after[0] for before, after in pairwise(ranges))
        assert ranges[-1][1] + 1 == size
