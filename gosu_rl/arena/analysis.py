"""What a search thinks of a position: read the position, let the agent look at the mover's view, show what it found."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure as Picture
from matplotlib.ticker import PercentFormatter

import gosu_rl
from gosu_rl.agents import AgentError, agent_seed, make_agent
from gosu_rl.arena.tables import Cell, Figure, Table
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import game_of, replay

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#8A8A8A"


@dataclass(frozen=True)
class Moment:
    """A decision to think about: the view of the player who has it, and what he chose, if that is known."""

    view: Any
    name: str  # where it comes from
    chosen: int | None = None
    number: int | None = None  # of the decision in its record


@dataclass(frozen=True)
class Option:
    """One action as the search sees it; `value` is the mover's win share, None where it was never tried."""

    action: int
    label: str
    visits: int
    part: float  # of all visits
    value: float | None
    available: int
    chosen: bool


@dataclass(frozen=True)
class Thought:
    """A decision with all its legal actions, most visited first."""

    moment: Moment
    options: Sequence[Option]
    iterations: int
    seconds: float

    @property
    def best(self) -> Option:
        return self.options[0]


def from_text(text: str, source: str, cards: str | None = None) -> Moment:
    """The decision in a position text (docs/positions.md); `source` names it in errors. ValueError for what is none."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    head = next((line for line in lines if line), "")
    match = re.match(r"(\w+), (\d+) players((?:, .*)?)$", head)
    if not match:
        raise ValueError(f"{source}: neither a record nor a position; a position begins like 'tactics, 2 players'")
    rules = {name: int(number) for name, number in re.findall(r"(\w+)=(-?\d+)", match[3])}
    named = re.search(r", cards ([\w.-]+)", match[3])
    try:
        game = gosu_rl.game(match[1], players=int(match[2]), cards=cards, rules=rules or None)
        if cards is None and named and named[1] != game.card_set.name:
            raise ValueError(f"it is a position of the card set {named[1]}; name its file with --cards")
        state = game.parse(text)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    return _moment(state, source)


def from_record(record: Record, cards: str | None = None, seat: int | None = None) -> list[Moment]:
    """Every decision of a recorded game (of one seat) with more than one legal action. RecordError as `replay` raises."""
    players = record.header["players"]
    if seat is not None and not 0 <= seat < players:
        raise RecordError(f"{record.source}: seat {seat} is not in a game of {players}; seats are 0 to {players - 1}")
    game, moments = game_of(record, cards), []

    def keep(state: Any, line: Any) -> None:
        if line["line"] == "decision" and len(state.legal) > 1 and seat in (None, state.mover):
            name = f"{record.source}, decision {line['n']}"
            moments.append(Moment(state.view(state.mover), name, game.action(line["chosen"]), line["n"]))

    replay(record, game, watch=keep)
    return moments


def one_of_record(record: Record, move: int, cards: str | None = None, seat: int | None = None) -> Moment:
    """Decision number `move` of a recorded game, with a single legal action too."""
    lines = record.decisions
    if not 0 <= move < len(lines):
        raise RecordError(f"{record.source}: has no decision {move}; it holds decisions 0 to {len(lines) - 1}")
    mover = lines[move]["player"]
    if seat is not None and seat != mover:
        raise RecordError(f"{record.source}: decision {move} is p{mover}'s, not p{seat}'s")
    game, found = game_of(record, cards), []

    def keep(state: Any, line: Any) -> None:
        if line["line"] == "decision" and line["n"] == move:
            name = f"{record.source}, decision {move}"
            found.append(Moment(state.view(state.mover), name, game.action(line["chosen"]), move))

    replay(record, game, watch=keep)
    return found[0]


def think(moment: Moment, spec: str, seed: int = 1) -> Thought:
    """Let the agent `spec` search the decision. AgentError for an agent that cannot say what it found."""
    agent: Any = make_agent(spec)
    if not hasattr(agent, "analyse"):
        raise AgentError(
            f"agent {spec!r} plays, but cannot say what it thinks; name one that searches, as mcts:sims=2000"
        )
    view = moment.view
    game = view.game
    agent.reset(game, view.mover, agent_seed(seed, view.mover))
    found = agent.analyse(view, agent_seed(seed, 0 if moment.number is None else moment.number + 1))
    total = max(1, int(sum(found.visits)))
    options = [
        Option(int(a), game.labels[a], int(v), int(v) / total, float(value), int(open_), int(a) == moment.chosen)
        for a, v, value, open_ in zip(found.actions, found.visits, found.values, found.available, strict=True)
    ]
    tried = {one.action for one in options}
    options += [
        Option(a, game.labels[a], 0, 0.0, None, int(found.iterations), a == moment.chosen)
        for a in view.legal
        if a not in tried
    ]
    return Thought(moment, options, int(found.iterations), float(found.seconds))


def as_table(thought: Thought, top: int) -> Table:
    """The `top` most visited actions, and the one that was chosen in the game."""
    columns = ["action", "visits", "of all", "win share", "available"]
    known = thought.moment.chosen is not None
    if known:
        columns.append("in the game")
    rows: list[list[Cell]] = []
    for place, one in enumerate(thought.options):
        if place < top or one.chosen:
            row: list[Cell] = [one.label, one.visits, _share(one.part), _share(one.value), one.available]
            rows.append([*row, "chosen" if one.chosen else ""] if known else row)
    left = len(thought.options) - len(rows)
    note = f"{thought.iterations:,} iterations in {thought.seconds:.2f} s"
    if left:
        note += f"; {left} more action{'s' if left > 1 else ''} with fewer visits"
    return Table(title(thought), columns, rows, note)


def review(thoughts: Sequence[Thought]) -> Table:
    """One line a decision of a game: what was chosen, what the search would choose, and what that is worth."""
    columns = [
        "n",
        "who",
        "decision",
        "chosen",
        "visits of it",
        "win share",
        "search's choice",
        "its win share",
        "difference",
    ]
    rows: list[list[Cell]] = []
    for thought in thoughts:
        view, best = thought.moment.view, thought.best
        taken = next(one for one in thought.options if one.chosen)
        row: list[Cell] = [thought.moment.number, f"p{view.mover}", view.kind, taken.label]
        row += [_share(taken.part), _share(taken.value)]
        if taken is best:
            row += ["the same", None, None]
        else:
            row += [best.label, _share(best.value)]
            known = taken.value is not None and best.value is not None
            row.append(Figure.of(float(taken.value or 0) - float(best.value or 0), "effect") if known else None)
        rows.append(row)
    same = sum(next(one for one in thought.options if one.chosen) is thought.best for thought in thoughts)
    note = f"The search agrees with {same} of {len(thoughts)} choices. Win shares of actions with few visits are rough."
    return Table("Review of the game", columns, rows, note)


def title(thought: Thought) -> str:
    """`p1 to decide: turn (round 3), games.jsonl, decision 41`."""
    view = thought.moment.view
    return f"p{view.mover} to decide: {view.kind} (round {view.round}), {thought.moment.name}"


def as_data(thought: Thought) -> dict[str, Any]:
    """The same as plain data."""
    view = thought.moment.view
    return {
        "source": thought.moment.name,
        "decision": thought.moment.number,
        "mover": view.mover,
        "kind": view.kind,
        "iterations": thought.iterations,
        "seconds": thought.seconds,
        "chosen": None if thought.moment.chosen is None else view.game.labels[thought.moment.chosen],
        "best": thought.best.label,
        "actions": [
            {"action": one.action, "label": one.label, "visits": one.visits, "value": one.value, "available": one.available}
            for one in thought.options
        ],
    }  # fmt: skip


def as_png(thought: Thought, top: int, spec: str) -> bytes:
    """Bars of visits beside dots of win share, an action a line."""
    options = [one for place, one in enumerate(thought.options) if place < top or one.chosen]
    players = thought.moment.view.game.players
    picture = Picture(figsize=(10, 1.9 + 0.36 * max(3, len(options))), dpi=130, layout="constrained")
    left, right = picture.subplots(1, 2, sharey=True, width_ratios=(1.5, 1))
    at = range(len(options))
    colours = [ORANGE if one.chosen else BLUE for one in options]
    bars = left.barh(at, [one.part for one in options], color=colours, height=0.68)
    left.bar_label(bars, [f"{one.visits:,}" for one in options], padding=4, fontsize=9, color="#444444")
    names = [f"{one.label}  (chosen)" if one.chosen else one.label for one in options]
    left.set_yticks(at, names)
    left.set_ylim(len(options) - 0.4, -0.6)
    left.margins(x=0.12)
    left.set(title="Visits", xlabel="share of all visits")
    for place, (one, colour) in enumerate(zip(options, colours, strict=True)):
        if one.value is not None:
            right.plot(one.value, place, "o", color=colour, markersize=4 + 5 * one.part**0.5)
            right.annotate(f"{100 * one.value:.1f} %", (one.value, place), (9, 0), textcoords="offset points", va="center",
                           fontsize=9, color="#444444")  # fmt: skip
    right.axvline(1 / players, color=GREY, linestyle="--", linewidth=1.2, zorder=0)
    values = [one.value for one in options if one.value is not None] + [1 / players]
    room = 0.12 + 0.15 * (max(values) - min(values))
    right.set_xlim(max(0, min(values) - 0.05), min(1.08, max(values) + room))
    right.set(title="Win share of the mover", xlabel=f"dashed: 1/{players}, the fair share")
    for axis in (left, right):
        axis.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        axis.spines[["top", "right"]].set_visible(False)
        axis.title.set_fontweight("bold")
        axis.grid(axis="x", color="#EEEEEE", zorder=0)
        axis.set_axisbelow(True)
    right.tick_params(axis="y", length=0)
    picture.suptitle(title(thought), fontsize=12.5, fontweight="bold")
    foot = f"{spec}: {thought.iterations:,} iterations; {thought.moment.view.game.card_set.banner}"
    picture.supxlabel(foot, fontsize=8.5, color="#555555")
    out = io.BytesIO()
    picture.savefig(out, format="png")
    return out.getvalue()


def _share(value: float | None) -> Figure | None:
    return None if value is None else Figure.of(value, "share")


def _moment(state: Any, source: str) -> Moment:
    if state.over:
        raise ValueError(f"{source}: the game is over ({state.reason}); nothing is left to decide")
    if state.is_view:
        if state.viewer != state.mover:
            raise ValueError(
                f"{source}: the view of p{state.viewer}, but p{state.mover} is to decide; only the mover's view can be searched"
            )
        return Moment(state, source)
    return Moment(state.view(state.mover), source)
