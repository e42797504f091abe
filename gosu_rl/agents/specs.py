"""Spec strings: the text that makes an agent anywhere, `make_agent("random")`.

    random                          a registered name
    mcts:sims=400,quiet             a registered name with parameters; a bare word is a flag, set to true
    ppo:runs/x                      a registered name whose first parameter may be given without its name
    pipe:python mine.py,limit=5     a program of yours that speaks JSON lines (pipe.py)
    theirs:depth=3                  what an installed package offers as an entry point of the group `gosu_rl.agents`
    package.module:Class            any class of yours that follows the Agent protocol
    package.module:Class:depth=3    the same with parameters, as the constructor names and annotates them

Registered names are a table (`register` adds a row). An agent's module is imported when the agent is made, not before:
listing agents needs neither torch nor a compiler.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from gosu_rl.agents.protocol import Agent, AgentError, FailedAgentError

_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_TYPES: dict[str, type] = {"int": int, "float": float, "str": str, "bool": bool}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kind of agent: its name, its type (int, float, str or bool) and what it is for."""

    name: str
    type: type
    about: str = ""


@dataclass(frozen=True)
class Kind:
    """A registered kind of agent.

    `target` is `module:Class`; the constructor takes the parameters by name. With `positional`, the first entry of a
    spec may be that parameter's value alone, as in `ppo:runs/x`. `extra` is what `pip install 'gosu_rl[extra]'` adds for it.
    """

    name: str
    target: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    positional: str | None = None
    extra: str | None = None


_KINDS: dict[str, Kind] = {}
GROUP = "gosu_rl.agents"  # the group of entry points in which packages offer agents


def register(kind: Kind) -> None:
    """Add a kind of agent to the table. Raises AgentError for a name already taken or a malformed target."""
    if kind.name in _KINDS:
        raise AgentError(f"an agent called {kind.name!r} is registered already ({_KINDS[kind.name].target})")
    if not kind.name.isidentifier() or kind.target.count(":") != 1:
        raise AgentError(f"agent {kind.name!r}: the name must be one word and the target 'module:Class'")
    _KINDS[kind.name] = kind


def kinds() -> list[Kind]:
    """All registered kinds, by name."""
    return [_KINDS[name] for name in sorted(_KINDS)]


@cache
def offered() -> dict[str, str]:
    """Agents that installed packages offer: name -> `module:Class`, from entry points of the group `gosu_rl.agents`.

    A name of the table above cannot be taken over.
    """
    return {point.name: point.value for point in entry_points(group=GROUP) if point.name not in _KINDS}


def is_own(spec: str) -> bool:
    """Whether the agent's code is this package's, so that it may be trusted not to harm the process it runs in."""
    kind = _KINDS.get(spec.strip().partition(":")[0])
    return kind is not None and kind.name != "pipe" and kind.target.startswith("gosu_rl.")


def split_specs(texts: str | Iterable[str]) -> tuple[str, ...]:
    """The specs in one text or several: the one rule for all commands that take agents.

    With a `;` anywhere in a text, `;` and nothing else parts it. Otherwise `,` does, except where what follows is one
    more parameter of a spec that has some: `mcts:sims=400,c=0.5,greedy` is `mcts:sims=400,c=0.5` and `greedy`. A new
    spec begins with a name that `make_agent` knows or with `module:Class`.
    """
    specs: list[str] = []
    for text in [texts] if isinstance(texts, str) else texts:
        if ";" in text:
            specs += [piece.strip() for piece in text.split(";") if piece.strip()]
            continue
        own: list[str] = []
        for piece in (piece.strip() for piece in text.split(",")):
            if own and ":" in own[-1] and not _begins(piece):
                own[-1] += "," + piece
            else:
                own.append(piece)
        specs += own
    return tuple(specs)


def _begins(piece: str) -> bool:
    """Whether a piece of text begins a spec of its own."""
    head = piece.partition(":")[0].strip()
    return head in _KINDS or head in offered() or re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*(:.*)?", piece) is not None


def make_agent(spec: str) -> Agent:
    """A new agent from its spec; it still wants `reset` before its first game.

    Raises AgentError (a ValueError) of one line for an unknown name, an unknown parameter or a value of the wrong type.
    """
    if not isinstance(spec, str):
        raise AgentError(f"an agent spec is a string such as 'random', not {type(spec).__name__}")
    head, colon, rest = spec.strip().partition(":")
    if head in _KINDS:
        return _make_registered(spec, _KINDS[head], rest)
    if head in offered():
        module, _, name = offered()[head].partition(":")
        return _make_imported(spec, module, name, rest)
    class_name, _, parameters = rest.partition(":")
    if colon and class_name.isidentifier() and all(part.isidentifier() for part in head.split(".")):
        return _make_imported(spec, head, class_name, parameters)
    raise AgentError(_unknown_name(head))


def _make_registered(spec: str, kind: Kind, text: str) -> Agent:
    types = {parameter.name: parameter.type for parameter in kind.parameters}
    values = _read_parameters(spec, text, types, kind.positional)
    module, _, name = kind.target.partition(":")
    try:
        maker = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        way = f"; pip install 'gosu_rl[{kind.extra}]'" if kind.extra else ""
        raise AgentError(f"agent {spec!r} needs the module {error.name}, which is not installed{way}") from error
    return _built(spec, maker, values)


def _make_imported(spec: str, module: str, name: str, text: str) -> Agent:
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if module != error.name and not module.startswith(f"{error.name}."):
            raise AgentError(f"agent {spec!r}: importing {module} failed: no module named {error.name}") from error
        raise AgentError(f"{_unknown_name(module)} (nor is there a module {module} to import)") from error
    except (Exception, SystemExit) as error:  # whatever the lines of somebody's module do
        raise FailedAgentError.told(spec, f", importing {module}", error) from error
    maker = getattr(loaded, name, None)
    if not callable(maker):
        raise AgentError(f"agent {spec!r}: the module {module} has no class {name}")
    return _built(spec, maker, _read_parameters(spec, text, _constructor_types(maker), None))


def _built(spec: str, maker: Callable[..., Any], values: Mapping[str, Any]) -> Agent:
    try:
        inspect.signature(maker).bind(**values)
    except TypeError as error:
        raise AgentError(f"agent {spec!r}: {error}") from error
    try:
        agent = maker(**values)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        raise FailedAgentError.told(spec, " cannot be made", error) from error
    if not isinstance(agent, Agent):
        raise AgentError(
            f"agent {spec!r}: {type(agent).__name__} lacks the methods reset(game, seat, seed) and act(view)"
        )
    return agent


def _constructor_types(maker: Callable[..., Any]) -> dict[str, type]:
    """Name and type of what a constructor takes; a parameter without a plain annotation is read as text."""
    types: dict[str, type] = {}
    for parameter in inspect.signature(maker).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            continue
        note = parameter.annotation
        if isinstance(note, str):  # `from __future__ import annotations` leaves text behind
            note = _TYPES.get(note.removesuffix(" | None"), str)
        types[parameter.name] = note if note in _TYPES.values() else str
    return types


def _read_parameters(spec: str, text: str, types: Mapping[str, type], positional: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for index, entry in enumerate(text.split(",") if text else ()):
        key, equals, value = (part.strip() for part in entry.partition("="))
        first = index == 0 and positional is not None and bool(entry.strip())
        if first and (not key.isidentifier() or (not equals and types.get(key) is not bool)):
            key, equals, value = str(positional), "=", entry.strip()
        if key not in types:
            raise AgentError(f"agent {spec!r}: " + _unknown("parameter", key, list(types)))
        if key in values:
            raise AgentError(f"agent {spec!r}: the parameter {key!r} is given twice")
        if not equals and types[key] is not bool:
            raise AgentError(f"agent {spec!r}: the parameter {key!r} wants a value: {key}={types[key].__name__}")
        values[key] = _converted(spec, key, types[key], value) if equals else True
    return values


def _converted(spec: str, key: str, wanted: type, text: str) -> Any:
    try:
        return _WORDS[text.lower()] if wanted is bool else wanted(text)
    except (ValueError, KeyError):
        what = {int: "a whole number", float: "a number", bool: "yes or no"}[wanted]
        raise AgentError(f"agent {spec!r}: the parameter {key!r} wants {what}, not {text!r}") from None


def _unknown_name(name: str) -> str:
    return _unknown("agent", name, sorted([*_KINDS, *offered()])) + ", or your own class as package.module:Class"


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ";"
    return f"unknown {what} {name!r}{hint} there {'is' if len(known) == 1 else 'are'}: {', '.join(known) or 'none'}"


register(Kind("random", "gosu_rl.agents.uniform:Random", "every legal action is equally likely"))
register(Kind("greedy", "gosu_rl.agents.greedy:Greedy", "the game's compiled heuristic"))
register(
    Kind(
        "mcts",
        "gosu_rl.agents.mcts:MCTS",
        "information-set Monte Carlo tree search",
        (
            Parameter("sims", int, "iterations a decision"),
            Parameter("ms", int, "milliseconds a decision, instead of sims"),
            Parameter("c", float, "exploration constant"),
            Parameter("rollout", str, "random, or a compiled policy of the game"),
            Parameter("depth", int, "decisions of a rollout before it is judged; -1: to the end"),
            Parameter("method", str, "so, pimc or redetermine"),
            Parameter("worlds", int, "trees of pimc"),
            Parameter("threads", int, "trees grown side by side"),
            Parameter("prior", str, "a trained player that says which actions to look at, e.g. ppo:runs/x"),
            Parameter("value", str, "a trained player that says what a position is worth"),
            Parameter("mix", float, "weight of that player's word, the rest is the rollout's; 1: no rollouts"),
            Parameter("batch", int, "iterations in flight at once, with prior or value"),
            Parameter("any_cards", bool, "let prior and value judge cards and rules that they were not trained with"),
        ),
    )
)
register(
    Kind(
        "ppo",
        "gosu_rl.agents.ppo:PPO",
        "a trained network",
        (
            Parameter("path", str, "a run folder, a policy file, or tactics: the packaged player"),
            Parameter("temperature", float, "0: always the likeliest action; 1: as trained"),
            Parameter("any_cards", bool, "play cards and rules that it was not trained with"),
        ),
        positional="path",
        extra="train",
    )
)
register(
    Kind(
        "pipe",
        "gosu_rl.agents.pipe:Pipe",
        "a program of yours that speaks JSON lines",
        (Parameter("command", str, "how to start it"), Parameter("limit", float, "seconds a move")),
        positional="command",
    )
)
register(Kind("human", "gosu_rl.agents.human:Human", "asks at the terminal"))
