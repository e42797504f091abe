"""The miniature's tree, enumerated once for all tests of this folder; and patience with machines that have other work."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from gosu_rl.learning import exact, game_tree
from gosu_rl.learning.equilibrium import equilibrium
from gosu_rl.learning.miniature import miniature

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


class Watcher(game_tree._Builder):
    """Keeps every position with a choice, beside its information set."""

    def __init__(self, game):
        super().__init__(game, game_tree.LIMIT)
        self.positions = []

    def keep_decisions(self, S, *rest):
        super().keep_decisions(S, *rest)
        self.positions.append((S.copy(), self.kept["node_set"][-1]))


@pytest.fixture(scope="session")
def watcher():
    watcher = Watcher(miniature())
    watcher.tree = watcher.build(None)
    return watcher


@pytest.fixture(scope="session")
def tree(watcher):
    return watcher.tree


@pytest.fixture(scope="session")
def greedy(tree):
    return exact.of_agent(tree, "greedy")


@pytest.fixture(scope="session")
def solution(tree):
    return equilibrium(tree)
