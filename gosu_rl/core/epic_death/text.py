"""Positions of Epic Death as text: `str(state)` writes one, `game.parse` (text_read.py) reads one back, byte for byte; people
set positions up with it. The format is described in docs/positions.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.copies import members
from gosu_rl.core.epic_death.describe import epic_set, land_labels, space_labels
from gosu_rl.core.epic_death.state import FRAMES, OPERANDS, PHASES
from gosu_rl.core.position_text import HOLE, Names, frame_text, head_lines

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState

# Words of the `now` line and the fields behind them. Seats are written p0, p1 …, or - for none.
NUMBERS = {
    "round": "rnd", "began": "adv", "active": "active", "decisions": "decisions", "turns": "turns", "used": "used",
    "frayed": "frayed", "era": "era", "shuffles": "shuffles", "fight": "fight", "attacker": "attacker",
    "defender": "defender", "defense_plus": "defense_plus", "open_door": "open_door",
}  # fmt: skip
SEAT_NUMBERS = ("began", "active", "attacker", "defender")
PLAYER_NUMBERS = {
    "tokens": "tokens", "at": "at", "back": "back", "won": "win", "mixed": "mixed", "freed": "freed", "fought": "fought",
    "attack_plus": "attack_plus", "fallen": "fallen", "extra_tosses": "extra_tosses", "no_combat": "no_combat",
    "guarded": "guarded",
}  # fmt: skip
SPACE_NUMBERS = ("at", "back")
VIEW_NUMBERS = {"hand_size": "hand_size"}  # derived in a full state
OFF_MARK = "^"  # behind a Machine that does not count in this combat
COIN_MARKS = "-+"  # dead, alive


def write(state: GameState) -> str:
    """The position as text."""
    return "\n".join(_lines(state)) + "\n"


def _lines(state: GameState) -> Iterator[str]:
    game, s, names = state.game, state.record[0], Names(state.game)
    lands, spaces = _LandNames(game), space_labels(game)
    yield from head_lines(state)
    words = [f"{word}={_now_value(word, int(s[name]))}" for word, name in NUMBERS.items()]
    yield f"now: {' '.join(words)} phase={PHASES[int(s['phase'])]} rng={int(s['rng']):#x}"
    if state.over:
        yield f"over: {state.reason}"
    for q in range(game.players):
        words = [f"{word}={_player_value(word, int(s[name][q]), spaces)}" for word, name in PLAYER_NUMBERS.items()]
        if state.is_view:
            words += [f"{word}={s[name][q]}" for word, name in VIEW_NUMBERS.items()]
        yield f"p{q}: " + " ".join(words)
        yield f"  leader: {epic_set(game).leaders[int(s['leader'][q])].label}"
        yield "  hand: " + ", ".join(names.marked(c, _knowers(s, game.players, c)) for c in members(s["hand"][q]))
        army = members(s["army"][q])
        if army:
            yield "  army: " + ", ".join(names.marked(c, _crew_marks(s, c)) for c in army)
        pile = [c for c in s["pile"][q].tolist() if c >= 0]
        if pile:
            yield "  conquest: " + ", ".join(lands.text(c) for c in pile)
    yield "field: " + ", ".join(
        _space_text(s, i, label, lands, game.players) for i, label in enumerate(spaces) if has_land(s, i)
    )
    deck = [int(c) for c in s["deck"] if c >= 0]
    if state.is_view:
        yield f"draw_pile_size: {s['ndeck']}"
    else:
        yield "draw_pile: " + names.texts(reversed(deck[: int(s["ndeck"])]))
        if len(deck) > int(s["ndeck"]):
            yield "drawn: " + names.texts(reversed(deck[int(s["ndeck"]) :]))
    yield "discard_pile: " + names.texts(members(s["discard"][0]))
    aside = members(s["aside"][0])
    if aside:
        yield "set_aside: " + names.texts(aside)
    for epoch in range(1, int(s["epoch"].max()) + 1):
        yield f"epoch {epoch}: " + names.texts(np.flatnonzero(s["epoch"] == epoch))
    if state.is_view:
        yield "hidden: " + " ".join(str(k) for k in s["hidden"] if k >= 0)
    if int(s["ncoins"]):
        coins = [int(s["coins"][i >> 6]) >> (i & 63) & 1 for i in range(int(s["ncoins"]))]
        yield "coins: " + "".join(COIN_MARKS[coin] for coin in coins)
    stolen = [c for c in s["stolen"].tolist() if c >= 0]
    if stolen:
        yield "stolen: " + names.texts(stolen)
    dropped = [c for c in s["dropped"].tolist() if c >= 0]
    if dropped:
        yield "dropped: " + names.texts(dropped)
    yield "stack: " + "; ".join(
        frame_text(s["stack"][k], FRAMES, OPERANDS, lambda op, name, value: _operand(names, name, value))
        for k in range(int(s["sp"]))
    )


def _now_value(word: str, value: int) -> str:
    if word in SEAT_NUMBERS:
        return f"p{value}" if value >= 0 else HOLE
    return str(value)


def _player_value(word: str, value: int, spaces: tuple[str, ...]) -> str:
    if word in SPACE_NUMBERS:
        return spaces[value] if value >= 0 else HOLE
    return str(value)


def _knowers(s: Any, players: int, c: int) -> str:
    known = "".join(str(p) for p in range(players) if int(s["known"][p, c >> 6]) >> (c & 63) & 1)
    return "*" + known if known else ""


def _crew_marks(s: Any, c: int) -> str:
    crew, tossed = int(s["crew"][c]), int(s["tossed"][c])
    off = int(s["off"][0, c >> 6]) >> (c & 63) & 1
    return (f":{crew}" if crew else "") + (f"!{tossed}" if tossed else "") + OFF_MARK * off


def has_land(s: Any, space: int) -> bool:
    """Whether a Land lies on a space of a state record."""
    return bool(int(s["lands"]) >> space & 1)


def _space_text(s: Any, space: int, label: str, lands: _LandNames, players: int) -> str:
    land = int(s["land"][space])
    name = lands.text(land) if land >= 0 else ""
    if int(s["face_up"]) >> space & 1:
        return f"{label} {name}"
    lookers = "".join(str(p) for p in range(players) if int(s["peeked"][p]) >> space & 1)
    return f"{label} ({name})" + ("*" + lookers if lookers else "")


def _operand(names: Names, name: str, value: int) -> str:
    return f'"{names.text(value)}"' if name == "card" else str(value)


class _LandNames:
    """Copies of Lands to text: `Name/2` is the second copy of that face, `Name` the first."""

    def __init__(self, game: Game):
        self.labels = land_labels(game)

    def text(self, copy: int) -> str:
        label = self.labels[copy]
        which = copy - self.labels.index(label) + 1
        return label if which == 1 else f"{label}/{which}"
