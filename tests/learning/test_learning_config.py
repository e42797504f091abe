"""Settings of a training run: what is read, what is refused and how, and that a config is the same after writing and reading."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gosu_rl.learning import config as configs
from gosu_rl.learning.config import Config, ConfigError, as_tree, as_yaml, from_tree, read
from gosu_rl.learning.schedule import Schedule

LIMIT = "budget.samples=1000"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "c.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_with_words_on_top(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "seed: 7\nbudget: {minutes: 1.5}\nnetwork: {hidden: [64, 32]}\n"
        "ppo: {learning_rate: 1e-3 -> 1e-4 cosine, clip: 1e-1}\npool: {agents: [greedy, mcts:sims=100, c=0.5]}\n",
    )
    config = read(path, ["ppo.epochs=5", "game.rules.points_to_win=1", "network.hidden=[8]", "budget.samples=1e6"])
    assert config.seed == 7
    assert config.budget == configs.BudgetConfig(1_000_000, 1.5)
    assert config.network.hidden == (8,)
    assert config.ppo.learning_rate == Schedule(1e-3, 1e-4, "cosine")
    assert config.ppo.clip == Schedule(0.1, 0.1)
    assert config.ppo.epochs == 5
    assert config.game.rules == {"points_to_win": 1}
    assert config.pool.agents == ("greedy", "mcts:sims=100,c=0.5")
    assert config.ppo.lam == Config(budget=config.budget).ppo.lam  # what nobody says stays


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("greedy", ("greedy",)),
        ("random,greedy", ("random", "greedy")),
        ("mcts:sims=100,c=0.5,greedy", ("mcts:sims=100,c=0.5", "greedy")),
        ("[mcts:sims=100, c=0.5, greedy]", ("mcts:sims=100,c=0.5", "greedy")),
        ("['mcts:sims=100,c=0.5', greedy]", ("mcts:sims=100,c=0.5", "greedy")),
        ("[]", ()),
        ("", ()),
    ],
)
def test_agents_are_read_as_on_other_command_lines(text: str, agents: tuple[str, ...]) -> None:
    assert read(None, [LIMIT, f"evaluation.agents={text}"]).evaluation.agents == agents


def test_every_setting_can_be_given_and_is_in_its_documentation() -> None:
    config = Config(budget=configs.BudgetConfig(samples=10**6))
    rows = list(configs.settings())
    assert len({name for name, _, _ in rows}) == len(rows) > 40
    for name, default, about in rows:
        assert about, name
        value = {"budget.samples": 10**6}.get(name, default)
        shown = str(list(value)) if isinstance(value, tuple) else str(value)
        if name == "game.rules":
            continue
        assert read(None, [LIMIT.replace("1000", "1000000"), f"{name}={shown}"]) == config, name


REFUSED = [
    ("ppo.epoch=3", "unknown setting 'ppo.epoch'; did you mean ppo.epochs"),
    ("epochs=3", "unknown setting 'epochs'; did you mean ppo.epochs"),
    ("seed.x=3", "unknown setting 'seed.x'"),
    ("ppo..epochs=3", "unknown setting 'ppo..epochs'"),
    ("=3", "unknown setting ''"),
    ("qqqq=3", "'gosu-rl train --settings' lists all"),
    ("ppo.epochs", "'ppo.epochs': write a setting like ppo.epochs=3"),
    ("ppo=3", "ppo holds settings of its own, e.g. ppo.epochs=3"),
    ("ppo.epochs=", "wants a whole number, not None"),
    ("ppo.epochs=2.5", "wants a whole number, not 2.5"),
    ("ppo.epochs=true", "wants a whole number, not True"),
    ("ppo.epochs=many", "wants a whole number, not 'many'"),
    ("ppo.epochs=0", "must be between 1 and 100, not 0"),
    ("ppo.epochs=[1,2]", "wants a whole number, not [1, 2]"),
    ("ppo.lam=1.5", "must be between 0 and 1, not 1.5"),
    ("ppo.lam=nan", "wants a number, not 'nan'"),
    ("ppo.lam=.inf", "wants a number, not inf"),
    ("ppo.value=-1", "must be at least 0, not -1"),
    ("ppo.learning_rate=fast", "wants a number or a schedule such as '1e-3 -> 1e-4', not 'fast'"),
    ("ppo.learning_rate=1e-3 -> -1", "must be between 0 and 1, not -1"),
    ("ppo.learning_rate=1e-3 -> 1e-4 wavy", "knows no shape 'wavy'; there are linear, cosine"),
    ("ppo.learning_rate=inf", "wants finite numbers"),
    ("ppo.clip=0.2 -> 1.5", "must be between 0.001 and 1, not 1.5"),
    ("ppo.critic=owns", "knows no 'owns'; there are own, privileged; did you mean own?"),
    ("network.kind=cnn", "knows no 'cnn'; there are mlp, cards"),
    ("network.hidden=[0]", "must be between 1 and 8192, not 0"),
    ("network.hidden={a: 1}", "wants a whole number, not {'a': 1}"),
    ("machine.mixed=1", "wants true or false, not 1"),
    ("machine.mixed=maybe", "wants true or false, not 'maybe'"),
    ("game.variant={a: 1}", "wants a text, not {'a': 1}"),
    ("game.variant=true", "wants a text, not True"),
    ("game.rules=3", "wants names and numbers such as {hand_limit: 7}, not 3"),
    ("game.rules.deal=x", "wants a whole number, not 'x'"),
    ("seed=-1", "must be between 0 and"),
    ("seed=9223372036854775808", "must be between 0 and"),
    ("ppo.minibatch=20000", "ppo.minibatch=20000 is more than a batch holds: rollout.games * rollout.steps = 16384"),
    ("budget.samples=0", "budget: give budget.samples or budget.minutes"),
    ("pool.league=0.5", "pool.league needs pool.agents"),
]


@pytest.mark.parametrize(("word", "message"), REFUSED)
def test_a_word_that_cannot_be_used_is_named(word: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(None, [LIMIT, word])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    if "=" in word and "rollout.games *" not in message and "budget:" not in message and "needs" not in message:
        assert repr(word) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ppo: {epochs: 3", "is no YAML"),
        ("seed: 1\nseed: 2", "is no YAML: the key 'seed' is given twice"),
        ("ppo: {epochs: 1, epochs: 2}", "is no YAML: the key 'epochs' is given twice"),
        ("1: 2", "key 1 is no name"),
        ("[1, 2]", "must hold settings such as 'seed: 1', not list"),
        ("just words", "must hold settings such as 'seed: 1', not str"),
        ("ppo:\n", "ppo holds settings of its own, e.g. ppo.epochs=3"),
        ("ppo: {epoch: 3}", "unknown setting 'ppo.epoch'; did you mean ppo.epochs"),
        ("pppo: {epochs: 3}", "unknown setting 'pppo'; did you mean"),
        ("ppo: {epochs: two}", "ppo.epochs wants a whole number, not 'two'"),
        ("!!python/object:os.system {}", "is no YAML"),
        ("pool: {past: 0.6, league: 0.6, agents: [greedy]}", "pool.past + pool.league is more than 1"),
        ("a: &x [*x]", "is no YAML"),
        ("\x00", "is no YAML"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        read(path, [LIMIT])
    told = str(caught.value)
    assert message in told
    assert "\n" not in told
    if "pool.past" not in message:
        assert told.startswith(str(path))


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.yaml")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="no text file in UTF-8"):
        read(tmp_path / "binary")
    assert read(written(tmp_path, ""), [LIMIT]) == read(None, [LIMIT])


def test_words_may_mend_what_a_file_lacks(tmp_path: Path) -> None:
    path = written(tmp_path, "ppo: {minibatch: 64}\nrollout: {games: 4, steps: 4}\n")
    with pytest.raises(ConfigError, match="budget"):
        read(path)
    with pytest.raises(ConfigError, match="minibatch=64 is more"):
        read(path, [LIMIT])
    assert read(path, [LIMIT, "ppo.minibatch=16"]).ppo.minibatch == 16


# ------------------------------------------------------------------------------------------------ writing and reading

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)


@st.composite
def schedules(draw: st.DrawFn, low: float, high: float) -> Schedule:
    ends = st.floats(low, min(high, 1e6))
    first, last = draw(ends), draw(ends)
    if first == last:
        return Schedule(first, first)
    return Schedule(first, last, draw(st.sampled_from(["linear", "cosine"])), draw(st.floats(1e-3, 1.0)))


def values(one: dataclasses.Field, hint: Any) -> st.SearchStrategy[Any]:
    """What a setting may be."""
    about = one.metadata
    low, high = about.get("low", -math.inf), about.get("high", math.inf)
    if about.get("among"):
        return st.sampled_from(about["among"])
    if hint is Schedule:
        return schedules(low, high)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(int(max(low, 0)), int(min(high, 2**62)))
    if hint is float:
        return st.floats(max(low, -1e9), min(high, 1e9), allow_nan=False)
    if "specs" in about:
        return st.lists(st.sampled_from(["random", "greedy", "mcts:sims=3,c=0.5", "ppo:runs/x"]), max_size=3).map(tuple)
    if hint is str:
        return names
    if one.name == "rules":
        return st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), st.integers(-(2**40), 2**40), max_size=3)
    return st.lists(st.integers(1, 8192), max_size=3).map(tuple)


PLAIN = Config(budget=configs.BudgetConfig(samples=1000), ppo=configs.PPOConfig(minibatch=2))
ROOMS = {"": Config} | {
    one.name: hint
    for one in dataclasses.fields(Config)
    if dataclasses.is_dataclass(hint := configs.get_type_hints(Config)[one.name])
}
BOUND = {("ppo", "minibatch"), ("pool", "past"), ("pool", "league"), ("budget", "samples")}  # must agree with others
PLACES = [
    (room, one.name)
    for room, kind in ROOMS.items()
    for one in dataclasses.fields(kind)
    if one.name not in ROOMS and (room, one.name) not in BOUND
]


@st.composite
def whole_configs(draw: st.DrawFn) -> Config:
    """A config with some settings of its own."""
    config = PLAIN
    for room, name in draw(st.lists(st.sampled_from(PLACES), max_size=5)):
        kind = ROOMS[room]
        one = next(one for one in dataclasses.fields(kind) if one.name == name)
        changed = {name: draw(values(one, configs.get_type_hints(kind)[name]))}
        config = dataclasses.replace(
            config, **({room: dataclasses.replace(getattr(config, room), **changed)} if room else changed)
        )
    return config


@given(whole_configs())
def test_a_config_is_the_same_after_writing_and_reading(config: Config) -> None:
    assert from_tree(as_tree(config), "here") == config
    assert from_tree(configs._mapping(as_yaml(config), "here"), "here") == config


@given(whole_configs(), whole_configs())
def test_changes_are_named(a: Config, b: Config) -> None:
    assert configs.changes(a, a) == []
    free = dataclasses.replace(
        b, **{name: getattr(a, name) for name in ("seed", "begin", "game", "rollout", "network", "ppo", "pool")}
    )
    assert configs.changes(a, free) == []  # budget, evaluation, machine
    told = configs.changes(a, b)
    assert bool(told) == (dataclasses.replace(a, budget=b.budget, evaluation=b.evaluation, machine=b.machine) != b)
    if a.seed != b.seed:
        assert f"seed (was {a.seed}, is {b.seed})" in told


def test_the_configs_that_come_with_the_project_can_be_read() -> None:
    found = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
    assert found
    for path in found:
        assert read(path).game.variant == path.stem.rpartition("_")[0]  # tactics_ppo.yaml, gosu_x_ppo.yaml
