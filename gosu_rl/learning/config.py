"""What a training run is told: one typed tree of settings, read from YAML and from `key=value` words.

    config = read("configs/tactics_ppo.yaml", ["ppo.epochs=3", "budget.minutes=2"])

Every key is known by name; an unknown one is refused with those that come near. A run prints its whole config at the start and
keeps it as `config.yaml`.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import yaml

from gosu_rl.agents import split_specs
from gosu_rl.learning.schedule import Schedule

MAY_CHANGE = ("budget", "evaluation", "machine")  # in a run that goes on


class ConfigError(ValueError):
    """A config that cannot be used; the text names the file or word, the key, and what would do."""


def _setting(default: Any, about: str, low: float = -math.inf, high: float = math.inf, among: tuple = ()) -> Any:
    """A field with its meaning and the values it takes."""
    return field(default=default, metadata={"about": about, "low": low, "high": high, "among": among})


def _agents(default: tuple[str, ...], about: str) -> Any:
    """A field of agent specs, read as on every command line: `greedy,mcts:sims=100,c=0.5` are two."""
    return field(default=default, metadata={"about": about, "specs": True})


def _rate(text: str, about: str, low: float = 0.0, high: float = math.inf) -> Any:
    """A schedule field; its default is written as in a config."""
    return field(
        default_factory=lambda: Schedule.parse(text), metadata={"about": about, "low": low, "high": high, "among": ()}
    )


@dataclass(frozen=True)
class GameConfig:
    """Which game is learned."""

    variant: str = _setting("tactics", "the game")
    players: int = _setting(2, "number of seats", 2, 6)
    cards: str = _setting("", "a card set of your own (TOML); empty: the variant's")
    rules: Mapping[str, int] = field(default_factory=dict, metadata={"about": "numbers of the rules that differ"})


@dataclass(frozen=True)
class BudgetConfig:
    """How long a run lasts; the first that is reached ends it, and progress is counted in it."""

    samples: int = _setting(0, "decisions to collect, all seats together; 0: no limit", 0)
    minutes: float = _setting(0.0, "minutes of training, evaluation left out; 0: no limit", 0.0)


@dataclass(frozen=True)
class RolloutConfig:
    """How experience is collected."""

    games: int = _setting(256, "games side by side", 1, 1 << 16)
    steps: int = _setting(64, "decisions of each game in one batch", 2, 1 << 14)


@dataclass(frozen=True)
class NetworkConfig:
    """The network (gosu_rl/nets/network.py)."""

    kind: str = _setting("mlp", "which network", among=("mlp", "cards"))
    hidden: tuple[int, ...] = _setting((128, 128), "widths of the hidden layers", 1, 8192)
    card_width: int = _setting(32, "numbers a card or army slot is described by (kind 'cards')", 1, 1024)


@dataclass(frozen=True)
class PPOConfig:
    """The update: Schulman et al., "Proximal Policy Optimization Algorithms" (2017), with the magnet of Sokota et al. (2023)."""

    epochs: int = _setting(3, "passes over a batch", 1, 100)
    minibatch: int = _setting(2048, "samples in a gradient step", 2)
    learning_rate: Schedule = _rate("1e-3 -> 1e-4", "step size of Adam", 0.0, 1.0)
    clip: Schedule = _rate("0.2", "how far the probability of an action may move from 1 : 1", 1e-3, 1.0)
    entropy: Schedule = _rate("0.02 -> 0.005", "weight of the entropy bonus")
    lam: float = _setting(0.95, "lambda of the advantage estimate; gamma is 1", 0.0, 1.0)
    value: float = _setting(0.5, "weight of the value loss", 0.0)
    max_norm: float = _setting(1.0, "gradients are cut to this norm", 1e-6)
    target_kl: float = _setting(0.0, "leave out further passes beyond this divergence; 0: never", 0.0)
    magnet: Schedule = _rate("0.0", "weight of the divergence from the magnet policy")
    magnet_rate: float = _setting(
        0.0, "how fast the magnet follows the policy, a batch; 0: it is the uniform policy", 0.0, 1.0
    )
    critic: str = _setting("own", "what the value is judged by in training", among=("own", "privileged"))
    average: float = _setting(
        0.0, "decay, a batch, of the averaged weights that are kept as the player; 0: the last weights", 0.0, 0.99999
    )


@dataclass(frozen=True)
class PoolConfig:
    """Whom the learner plays besides himself."""

    past: float = _setting(0.0, "share of games against past selves", 0.0, 1.0)
    league: float = _setting(0.0, "share of games against the agents of `agents`", 0.0, 1.0)
    agents: tuple[str, ...] = _agents((), "specs of the league, e.g. [greedy]")
    size: int = _setting(8, "past selves kept", 1, 1000)
    every: int = _setting(20, "batches between two snapshots", 1)


@dataclass(frozen=True)
class EvaluationConfig:
    """Yardsticks during training."""

    agents: tuple[str, ...] = _agents(("random", "greedy"), "whom the learner is measured against")
    deals: int = _setting(200, "paired deals against each; 0: no evaluation", 0, 1_000_000)
    minutes: float = _setting(
        2.0, "minutes of training between two evaluations (budget in minutes); 0: first and last only", 0.0
    )
    batches: int = _setting(50, "batches between two evaluations (budget in samples); 0: first and last only", 0)
    temperature: float = _setting(0.0, "how the learner draws its actions; 0: the likeliest", 0.0, 100.0)


@dataclass(frozen=True)
class MachineConfig:
    """What the run may use."""

    device: str = _setting("auto", "cpu, cuda (or cuda:1 …), or auto: cuda where there is one")
    threads: int = _setting(0, "threads of torch; 0: all cores", 0, 1024)
    mixed: bool = _setting(False, "bfloat16 in the network where that is safe (CUDA)")
    compile: bool = _setting(False, "torch.compile the network")
    checkpoint_minutes: float = _setting(2.0, "minutes between two checkpoints", 0.0)


@dataclass(frozen=True)
class Config:
    """A whole run."""

    seed: int = _setting(1, "decides all deals, weights and draws", 0, 2**63 - 1)
    begin: str = _setting(
        "", "a player to begin from, as in ppo:…: a run, a file, or a packaged one; empty: random weights"
    )
    game: GameConfig = field(default_factory=GameConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    pool: PoolConfig = field(default_factory=PoolConfig)
    evaluation: EvaluationConfig = field(default_factory=EvaluationConfig)
    machine: MachineConfig = field(default_factory=MachineConfig)

    def __post_init__(self) -> None:
        if not self.budget.samples and not self.budget.minutes:
            raise ConfigError("budget: give budget.samples or budget.minutes, or the run would never end")
        if self.ppo.minibatch > self.rollout.games * self.rollout.steps:
            raise ConfigError(
                f"ppo.minibatch={self.ppo.minibatch} is more than a batch holds: rollout.games * rollout.steps = "
                f"{self.rollout.games * self.rollout.steps}"
            )
        if self.pool.past + self.pool.league > 1.0:
            raise ConfigError("pool.past + pool.league is more than 1: they are shares of the games")
        if self.pool.league > 0 and not self.pool.agents:
            raise ConfigError("pool.league needs pool.agents, e.g. pool.agents=[greedy]")


def read(path: str | Path | None = None, words: Iterable[str] = ()) -> Config:
    """The config of a YAML file (none: the defaults) with `key=value` words on top; ConfigError names the place."""
    tree: dict[str, Any] = {}
    if path is not None:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is no text file in UTF-8: {error}") from None
        tree = _mapping(text, str(path))
    config = from_tree(tree, str(path) if path is not None else "the defaults", check=False)
    for word in words:
        config = _with_word(config, word)
    return dataclasses.replace(config)  # checks the whole


def from_tree(tree: Mapping[str, Any], where: str, check: bool = True) -> Config:
    """The config of nested plain data; `where` is what an error calls its source."""
    values = _values(Config, tree, where, "")
    if check:
        return Config(**values)
    config = object.__new__(Config)  # what the words change may be what makes it whole
    for one in dataclasses.fields(Config):
        object.__setattr__(config, one.name, values[one.name] if one.name in values else _default(one))
    return config


def as_tree(config: Any) -> dict[str, Any]:
    """Nested plain data, as YAML and JSON hold it; `from_tree` gives the same config back."""
    tree: dict[str, Any] = {}
    for one in dataclasses.fields(config):
        value = getattr(config, one.name)
        if dataclasses.is_dataclass(value) and not isinstance(value, Schedule):
            tree[one.name] = as_tree(value)
        elif isinstance(value, Schedule):
            tree[one.name] = value.first if value.first == value.last else str(value)
        elif isinstance(value, tuple):
            tree[one.name] = list(value)
        else:
            tree[one.name] = dict(value) if isinstance(value, Mapping) else value
    return tree


def as_yaml(config: Config) -> str:
    """The whole config as YAML."""
    return yaml.safe_dump(as_tree(config), sort_keys=False, default_flow_style=None, width=120)


def changes(before: Config, after: Config) -> list[str]:
    """The settings that differ and may not in a run that goes on, as `key (was …, is …)`."""
    old, new = dict(_flat(as_tree(before), "")), dict(_flat(as_tree(after), ""))
    names = [name for name in {**old, **new} if name.partition(".")[0] not in MAY_CHANGE]
    return [f"{name} (was {old.get(name)}, is {new.get(name)})" for name in names if old.get(name) != new.get(name)]


def settings() -> Iterator[tuple[str, Any, str]]:
    """(key, default, meaning) of every setting, in order; for help texts and docs."""
    yield from _settings(Config, "")


def _flat(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _settings(kind: type, prefix: str) -> Iterator[tuple[str, Any, str]]:
    for one in dataclasses.fields(kind):
        hint = get_type_hints(kind)[one.name]
        if dataclasses.is_dataclass(hint) and hint is not Schedule:
            yield from _settings(hint, f"{prefix}{one.name}.")  # type: ignore[arg-type]
        else:
            yield prefix + one.name, _default(one), one.metadata["about"]


def _default(one: dataclasses.Field) -> Any:
    if one.default_factory is not dataclasses.MISSING:
        return one.default_factory()
    return one.default


def _mapping(text: str, where: str) -> dict[str, Any]:
    try:
        tree = yaml.load(text, Loader=_Loader)
    except _NO_YAML as error:
        raise ConfigError(f"{where} is no YAML: {' '.join(str(error).split())}") from None
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise ConfigError(f"{where} must hold settings such as 'seed: 1', not {type(tree).__name__}")
    return tree


class _Loader(yaml.SafeLoader):
    """Takes a key given twice for the mistake it is, and leaves dates texts (`1e-3` is one in YAML 1.1, too; `_typed` reads it)."""


_NO_YAML = (yaml.YAMLError, ValueError, RecursionError)  # what the loader raises for texts that are none


def _construct(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [loader.construct_object(key) for key, _ in node.value]
    for key in keys:
        if not isinstance(key, str):
            raise yaml.YAMLError(f"key {key!r} is no name")
        if keys.count(key) > 1:
            raise yaml.YAMLError(f"the key {key!r} is given twice")
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_Loader.yaml_implicit_resolvers = {
    first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct)


def _values(kind: type, tree: Any, where: str, prefix: str) -> dict[str, Any]:
    """Arguments of the dataclass `kind`, converted and checked."""
    if not isinstance(tree, Mapping):
        raise ConfigError(f"{where}: {prefix.rstrip('.')} holds settings of its own, e.g. {_example(kind, prefix)}")
    hints = get_type_hints(kind)
    known = {one.name: one for one in dataclasses.fields(kind)}
    values: dict[str, Any] = {}
    for key, value in tree.items():
        if key not in known:
            raise ConfigError(f"{where}: {_unknown(prefix + str(key))}")
        if dataclasses.is_dataclass(hints[key]) and hints[key] is not Schedule:
            values[key] = hints[key](**_values(hints[key], value, where, f"{prefix}{key}."))
        else:
            values[key] = _convert(value, hints[key], known[key], f"{where}: {prefix}{key}")
    return values


def _with_word(config: Config, word: str) -> Config:
    key, equals, text = word.partition("=")
    if not equals:
        raise ConfigError(f"{word!r}: write a setting like ppo.epochs=3")
    parts = key.strip().split(".")
    try:
        value = yaml.load(text, Loader=_Loader)
    except _NO_YAML:
        value = text
    return _replaced(config, parts, value, word, "")


def _replaced(config: Any, parts: list[str], value: Any, word: str, prefix: str) -> Any:
    """The dataclass with one setting, deep inside, exchanged; nothing is checked as a whole yet."""
    known = {one.name: one for one in dataclasses.fields(config)}
    name = parts[0]
    if name not in known:
        raise ConfigError(f"{word!r}: {_unknown(prefix + '.'.join(parts))}")
    inner = getattr(config, name)
    hint = get_type_hints(type(config))[name]
    nested = dataclasses.is_dataclass(hint) and hint is not Schedule
    if nested and len(parts) > 1:
        new = _replaced(inner, parts[1:], value, word, f"{prefix}{name}.")
    elif nested:
        raise ConfigError(f"{word!r}: {name} holds settings of its own, e.g. {_example(hint, name + '.')}")
    elif isinstance(inner, Mapping) and len(parts) == 2:
        new = _convert({**inner, parts[1]: value}, hint, known[name], repr(word))
    elif len(parts) > 1:
        raise ConfigError(f"{word!r}: {_unknown(prefix + '.'.join(parts))}")
    else:
        new = _convert(value, hint, known[name], repr(word))
    copy = object.__new__(type(config))
    for one in known:
        object.__setattr__(copy, one, new if one == name else getattr(config, one))
    return copy


def _example(kind: Any, prefix: str) -> str:
    first = next(iter(_settings(kind, prefix)))
    return f"{first[0]}={first[1]}"


def _unknown(key: str) -> str:
    known = [name for name, _, _ in settings()]
    near = difflib.get_close_matches(key, known, n=3, cutoff=0.5) or [one for one in known if key in one.split(".")]
    if not near:
        near = difflib.get_close_matches(key.rpartition(".")[2], [one.rpartition(".")[2] for one in known], n=3)
        near = [one for one in known if one.rpartition(".")[2] in near]
    hint = f"did you mean {' or '.join(near[:3])}?" if near else "'gosu-rl train --settings' lists all"
    return f"unknown setting {key!r}; {hint}"


def _convert(value: Any, hint: Any, one: dataclasses.Field, where: str) -> Any:
    """A value of the type of its field, within its bounds; ConfigError begins with `where`."""
    try:
        converted = _specs(value) if "specs" in one.metadata else _typed(value, hint)
    except ValueError as error:
        raise ConfigError(f"{where} {error}") from None
    low, high = one.metadata.get("low", -math.inf), one.metadata.get("high", math.inf)
    among = one.metadata.get("among", ())
    if among and converted not in among:
        near = difflib.get_close_matches(str(value), among, n=1)
        hint_text = f"; did you mean {near[0]}?" if near else ""
        raise ConfigError(f"{where} knows no {value!r}; there are {', '.join(among)}{hint_text}")
    for number in _numbers(converted):
        if isinstance(number, (int, float)) and not low <= number <= high:
            bounds = f"at least {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}"
            raise ConfigError(f"{where} must be {bounds}, not {number:g}")
    return converted


def _numbers(converted: Any) -> tuple[Any, ...]:
    """What of a converted value must lie within the bounds."""
    if isinstance(converted, Schedule):
        return converted.values()
    return converted if isinstance(converted, tuple) else (converted,)


def _specs(value: Any) -> tuple[str, ...]:
    """Agent specs from a text, or from a list in which YAML has parted a spec with parameters at its commas."""
    if isinstance(value, str):
        return split_specs(value)
    specs: list[str] = []
    for one in _typed(value, tuple[str, ...]):
        if specs and re.match(r"\w+=", one):
            specs[-1] += "," + one
        else:
            specs.append(one)
    return tuple(specs)


def _typed(value: Any, hint: Any) -> Any:
    if hint is Schedule:
        return Schedule.parse(value)
    if hint is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"wants true or false, not {value!r}")
    if hint in (int, float):
        return _number(value, hint)
    if hint is str:
        if value is None:
            return ""
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return str(value)
        raise ValueError(f"wants a text, not {value!r}")
    if getattr(hint, "__origin__", None) is tuple:
        item = hint.__args__[0]
        items = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
        return tuple(_typed(one, item) for one in items)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError(f"wants names and numbers such as {{hand_limit: 7}}, not {value!r}")
    return {str(key): _number(number, int) for key, number in value.items()}


def _number(value: Any, hint: type) -> Any:
    what = "a whole number" if hint is int else "a number"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"wants {what}, not {value!r}")
    if hint is int and isinstance(value, int):
        return value  # exact, however large
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise ValueError(f"wants {what}, not {value!r}") from None
    if not math.isfinite(number) or (hint is int and not number.is_integer()):
        raise ValueError(f"wants {what}, not {value!r}")
    return hint(number)
