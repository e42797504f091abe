"""PettingZoo's own test suites, for every number of players, through the registry as a user makes the environments."""

from __future__ import annotations

import warnings

import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import gosu_rl.envs  # noqa: F401 - registers
from gosu_rl.envs import epic_death_v0, tactics_v0

PLAYERS = (2, 3, 4)
# What the suite says of any environment that is not among PettingZoo's own and has dictionaries as observations.
EXPECTED = {"Observation is not a NumPy array", "Observation space for each agent probably should be"}
# The last look of an agent whose game is over: nothing is legal any more.
EXPECTED |= {"Action mask numpy array is all zeros"}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("wrapped", [True, False])
def test_aec_suite(players: int, wrapped: bool, capsys: pytest.CaptureFixture[str]) -> None:
    if wrapped:
        env = pettingzoo.make("aec", "gosu/tactics-v0", num_players=players)
    else:
        env = tactics_v0.raw_env(num_players=players)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env, num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out
    messages = {str(warning.message) for warning in caught}
    assert [m for m in messages if not any(m.startswith(expected) for expected in EXPECTED)] == []


OTHERS = [("gosu", players) for players in PLAYERS] + [("epic_death", players) for players in (2, 4, 6)]


@pytest.mark.parametrize(("name", "players"), OTHERS)
@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_the_other_games_pass_the_suites_too(
    name: str, players: int, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    env = pettingzoo.make(kind, f"gosu/{name}-v0", num_players=players)
    assert str(env) == f"{name}_v0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "aec":
            api_test(env, num_cycles=300)
        else:
            parallel_api_test(env, num_cycles=300)
    assert "Passed" in capsys.readouterr().out


def test_epic_death_passes_the_seed_suites_and_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    seed_test(lambda: epic_death_v0.env(num_players=3), num_cycles=200)
    parallel_seed_test(lambda: epic_death_v0.parallel_env(num_players=3), num_cycles=200)
    render_test(lambda **kwargs: epic_death_v0.env(num_players=3, **kwargs))
    assert "Towns left" in capsys.readouterr().out


@pytest.mark.parametrize("players", PLAYERS)
def test_aec_seed_suite(players: int) -> None:
    seed_test(lambda: tactics_v0.env(num_players=players), num_cycles=200)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.filterwarnings("error")
def test_parallel_suite(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(pettingzoo.make("parallel", "gosu/tactics-v0", num_players=players), num_cycles=1000)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.parametrize("players", PLAYERS)
def test_parallel_seed_suite(players: int) -> None:
    parallel_seed_test(lambda: tactics_v0.parallel_env(num_players=players), num_cycles=200)


@pytest.mark.parametrize("players", PLAYERS)
def test_render_suite(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **kwargs: tactics_v0.env(num_players=players, **kwargs))
    assert "Round 1" in capsys.readouterr().out


def test_unversioned_and_old_style_names_find_the_environment() -> None:
    for name in ("gosu/tactics", "gosu/tactics_v0", "gosu/tactics-v0"):
        assert str(pettingzoo.make("aec", name)) == "tactics_v0"
        assert str(pettingzoo.make("parallel", name)) == "tactics_v0"
