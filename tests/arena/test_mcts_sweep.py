"""The script behind the tables of docs/search.md: matches go on where they were, and shares are counted right."""

from __future__ import annotations

import csv
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from gosu_rl.agents import make_agent
from gosu_rl.arena.job import Outcome


@pytest.fixture(scope="module")
def sweep() -> ModuleType:
    path = Path(__file__).parents[2] / "experiments" / "mcts_sweep.py"
    spec = importlib.util.spec_from_file_location("mcts_sweep", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mcts_sweep"] = module  # where its dataclasses look for their types
    spec.loader.exec_module(module)
    return module


def outcome(deal: int, slot: int, seating: tuple[int, ...], shares: tuple[float, ...]) -> Outcome:
    movers, seconds = np.array([0, 1], np.int8), np.array([0.010, 0.002], np.float32)
    return Outcome(deal, slot, seating, 0, shares, False, "points", 3, 50, None, None, movers, seconds, None)


def test_all_matches_are_between_agents_that_exist(sweep: ModuleType) -> None:
    found = list(sweep.matches())
    assert len(set(found)) == len(found) > 15
    for match in found:
        assert match.agent != match.other
        make_agent(match.agent)
        make_agent(match.other)


def test_a_row_counts_shares_by_deal(sweep: ModuleType) -> None:
    games = [outcome(0, 0, (0, 1), (1, 0)), outcome(0, 1, (1, 0), (0, 1)), outcome(1, 0, (0, 1), (0.5, 0.5))]
    games.append(outcome(1, 1, (1, 0), (1, 0)))
    row = sweep.measured(sweep.Match("x", "a", "b"), 2, games)
    assert row.share == 0.625  # 1 + 1 + 1/2 + 0 of four games
    assert row.low < 0.625 < row.high
    assert (row.ms, row.other_ms) == (6.0, 6.0)  # agent a sat in seat 0 twice and in seat 1 twice
    assert sweep.measured(sweep.Match("x", "a", "b"), 0, []) is None
    three = [outcome(0, 0, (0, 0, 1), (0.5, 0.5, 0)), outcome(0, 1, (0, 1, 1), (0, 1, 0))]
    row = sweep.measured(sweep.Match("x", "a", "b", 3), 1, three)
    assert row.share == 0  # only the game in which a sits alone counts
    assert row.even == pytest.approx(1 / 3, abs=1e-4)


@pytest.mark.slow
def test_a_match_goes_on_where_it_was(sweep: ModuleType, tmp_path: Path) -> None:
    match = sweep.Match("x", "mcts:sims=3", "random")
    assert sweep.run(match, 0, 1, tmp_path, 1) is None
    first = sweep.run(match, 2, 1, tmp_path, 1)
    assert (first.deals, first.games) == (2, 4)
    again = sweep.run(match, 0, 1, tmp_path, 1)
    assert again == first
    more = sweep.run(match, 3, 1, tmp_path, 1)
    assert (more.deals, more.games) == (3, 6)
    sweep.write([more], tmp_path / "results", 1)
    data = json.loads((tmp_path / "results" / "mcts_sweep.json").read_text(encoding="utf-8"))
    with (tmp_path / "results" / "mcts_sweep.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert data["rows"][0]["share"] == more.share == float(rows[0]["share"])
