"""Spec strings: what they make, and the one line they answer with when they are wrong."""

from __future__ import annotations

import sys
import types
from importlib.metadata import EntryPoint

import pytest

from gosu_rl.agents import Agent, AgentError, Kind, Parameter, act_batch, agent_seed, kinds, make_agent, register, specs


class Mine:
    """An agent with parameters of every type."""

    def __init__(self, depth: int = 1, rate: float = 0.5, path: str = "", quiet: bool = False) -> None:
        self.given = (depth, rate, path, quiet)

    def reset(self, game: object, seat: int, seed: int) -> None:
        self.seat = seat

    def act(self, view: list[int]) -> int:
        return view[0]


class Broken:
    """Has no `act`."""

    def reset(self, game: object, seat: int, seed: int) -> None:
        raise AssertionError("never reached")


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> None:
    made = types.ModuleType("spec_test_agents")
    made.Mine, made.Broken, made.number = Mine, Broken, 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spec_test_agents", made)
    monkeypatch.setattr(specs, "_KINDS", dict(specs._KINDS))
    parameters = (Parameter("depth", int), Parameter("rate", float), Parameter("path", str), Parameter("quiet", bool))
    register(Kind("mine", "spec_test_agents:Mine", "for this test", parameters, positional="path"))


def test_the_plain_agents_are_registered() -> None:
    assert {"random", "greedy", "human"} <= {kind.name for kind in kinds()}
    assert isinstance(make_agent("random"), Agent)
    assert isinstance(make_agent(" greedy "), Agent)
    assert make_agent("random") is not make_agent("random")


@pytest.mark.parametrize(
    ("spec", "given"),
    [
        ("mine", (1, 0.5, "", False)),
        ("mine:depth=4,quiet", (4, 0.5, "", True)),
        ("mine:runs/x", (1, 0.5, "runs/x", False)),
        ("mine:runs/x,depth=2", (2, 0.5, "runs/x", False)),
        ("mine:quiet=no, rate=2", (1, 2.0, "", False)),
        ("spec_test_agents:Mine", (1, 0.5, "", False)),
        ("spec_test_agents:Mine:depth=3,rate=0.25,path=a b,quiet=yes", (3, 0.25, "a b", True)),
    ],
)
@pytest.mark.usefixtures("module")
def test_parameters_arrive_with_their_types(spec: str, given: tuple[object, ...]) -> None:
    agent = make_agent(spec)
    assert agent.given == given  # type: ignore[attr-defined]
    assert [type(value) for value in agent.given] == [int, float, str, bool]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("greedi", ["unknown agent 'greedi'", "did you mean greedy?", "random", "package.module:Class"]),
        ("", ["unknown agent ''"]),
        ("random:speed=3", ["unknown parameter 'speed'", "there are: none"]),
        ("mine:dpth=3", ["unknown parameter 'dpth'", "did you mean depth", "quiet"]),
        ("mine:depth=3,depth=4", ["'depth' is given twice"]),
        ("mine:x,depth", ["'depth' wants a value: depth=int"]),
        ("mine:depth=many", ["'depth' wants a whole number, not 'many'"]),
        ("mine:rate=", ["'rate' wants a number"]),
        ("mine:quiet=perhaps", ["'quiet' wants yes or no"]),
        ("no_such_module_anywhere:Bot", ["no_such_module_anywhere"]),
        ("spec_test_agents:Bot", ["has no class Bot"]),
        ("spec_test_agents:number", ["has no class number"]),
        ("spec_test_agents:Broken", ["Broken lacks the methods"]),
        ("spec_test_agents:Mine:breadth=1", ["unknown parameter 'breadth'", "depth"]),
    ],
)
@pytest.mark.usefixtures("module")
def test_a_wrong_spec_gets_one_clear_line(spec: str, parts: list[str]) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_spec_that_is_no_text_is_refused() -> None:
    with pytest.raises(AgentError, match="is a string such as 'random', not int"):
        make_agent(3)  # type: ignore[arg-type]


@pytest.mark.usefixtures("module")
def test_a_name_can_be_registered_once() -> None:
    with pytest.raises(AgentError, match="registered already"):
        register(Kind("mine", "spec_test_agents:Mine", "again"))
    with pytest.raises(AgentError, match="must be one word"):
        register(Kind("two words", "spec_test_agents:Mine", "spaces"))


def test_agent_seeds_are_the_documented_hash() -> None:
    # Worked out apart: sha256(b"gosu_rl agent 3 0").hexdigest()[:16], then shifted right by one.
    assert agent_seed(3, 0) == 0x5158DC3B67A40B5C >> 1
    seeds = {agent_seed(seed, seat) for seed in range(200) for seat in range(4)}
    assert len(seeds) == 800
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_a_spec_inside_a_spec_stays_with_it() -> None:
    """`prior=ppo:runs/x` is a parameter: a colon in it begins no agent of its own."""
    guided = "mcts:sims=9,prior=ppo:runs/x,value=ppo:runs/y.safetensors"
    assert specs.split_specs(f"{guided},greedy,ppo:runs/x,temperature=0") == (
        guided,
        "greedy",
        "ppo:runs/x,temperature=0",
    )
    kind = next(kind for kind in kinds() if kind.name == "mcts")
    types = {parameter.name: parameter.type for parameter in kind.parameters}
    values = specs._read_parameters(guided, guided.partition(":")[2], types, kind.positional)
    assert values == {"sims": 9, "prior": "ppo:runs/x", "value": "ppo:runs/y.safetensors"}


def test_act_batch_asks_one_by_one_or_all_at_once() -> None:
    class Batched(Mine):
        answers = (4, 5)

        def act_batch(self, views: list[list[int]]) -> list[int]:
            return list(self.answers)

    assert act_batch(Mine(), [[7], [8]]) == [7, 8]  # type: ignore[arg-type]
    assert act_batch(Batched(), [[7], [8]]) == [4, 5]  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="got 1 views and returned 2 actions"):
        act_batch(Batched(), [[7]])  # type: ignore[arg-type]


def test_agents_offered_by_packages(module: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points of the group gosu_rl.agents are specs; they cannot take over a name of the table."""
    points = [
        EntryPoint("theirs", "spec_test_agents:Mine", specs.GROUP),
        EntryPoint("random", "spec_test_agents:Mine", specs.GROUP),
        EntryPoint("gone", "no_such_package_here:Agent", specs.GROUP),
    ]
    monkeypatch.setattr(specs, "entry_points", lambda group: [one for one in points if one.group == group])
    specs.offered.cache_clear()
    try:
        assert specs.offered() == {"theirs": "spec_test_agents:Mine", "gone": "no_such_package_here:Agent"}
        assert type(make_agent("theirs:depth=3")).__name__ == "Mine"
        assert type(make_agent("random")).__module__ == "gosu_rl.agents.uniform"
        assert specs.split_specs("mcts:sims=4,c=1,theirs,quiet") == ("mcts:sims=4,c=1", "theirs", "quiet")
        assert not specs.is_own("theirs")
        with pytest.raises(AgentError, match="no_such_package_here"):
            make_agent("gone")
        with pytest.raises(AgentError, match=r"there are: .*theirs"):
            make_agent("nobody")
    finally:
        specs.offered.cache_clear()
