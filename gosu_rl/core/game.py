"""`Game`: a variant with a card set, a number of players and the numbers in force. It never changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from gosu_rl.core import many, playout
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.kernel import Kernel
from gosu_rl.core.many import Playouts, ResultLog
from gosu_rl.core.notice import compiling
from gosu_rl.core.position import GameState, fresh, records, seat_of, word

__all__ = ["Game", "GameState", "ObservationSpec", "Playouts", "ResultLog"]


@dataclass(frozen=True)
class ObservationSpec:
    """Layout of an observation: `sections` are (name, start, stop, meaning), in order; `size` is their total length."""

    size: int
    sections: tuple[tuple[str, int, int, str], ...]

    def slice(self, name: str) -> slice:
        """Where a section stands."""
        for section, start, stop, _ in self.sections:
            if section == name:
                return slice(start, stop)
        raise ValueError(f"no section {name!r} in the observation; there are {', '.join(s[0] for s in self.sections)}")


class Game:
    """A variant, a card set, a number of players and the numbers in force. Make one with `gosu_rl.game`."""

    def __init__(self, kernel: Kernel, variant: str, card_set: CardSet, players: int, rules: Mapping[str, Any] | None):
        self.kernel = kernel
        self.variant = variant
        self.card_set = card_set
        self.players = players
        self.rules: Mapping[str, int] = MappingProxyType(
            kernel.numbers(variant, rules)
        )  # nobody changes a running game
        needed = players * self.rules["deal"]
        if needed > card_set.copies:
            raise ValueError(
                f"{players} players are dealt {needed} cards, but {card_set.name} has {card_set.copies}; "
                f"use fewer players or a smaller rule 'deal'"
            )
        self.rule_changes = {k: v for k, v in self.rules.items() if kernel.numbers(variant, None)[k] != v}
        table = kernel.actions(card_set, players, self.rules)
        self.labels: tuple[str, ...] = table.labels
        self.action_ranges: tuple[tuple[str, int, int], ...] = table.ranges
        self.num_actions = len(self.labels)
        self._index: dict[str, int] = table.index
        self._aliases: dict[str, str] = table.aliases
        self.R = records(kernel.compile_rules(card_set, self.rules, table.offsets))
        self.blank = records(kernel.blank())
        self.state_dtype = kernel.state
        self.result_dtype = kernel.result
        kinds, reasons = kernel.shorter.get(variant, (len(kernel.kinds), len(kernel.reasons)))
        self.kinds = kernel.kinds[:kinds]
        self.reasons = kernel.reasons[:reasons]
        never = kernel.never(self.R, card_set)
        self.endings = tuple("" if reason in never else reason for reason in self.reasons)  # "" where it cannot be
        self.policies = tuple(kernel.policies)

    # The kernel's address table, once the functions named are in it (always the same array).
    F_new = cached_property(lambda self: self.kernel.need("deal", "step"))
    F_step = cached_property(lambda self: self.kernel.need("step"))
    F_view = cached_property(lambda self: self.kernel.need("step", "hide"))
    F_world = cached_property(lambda self: self.kernel.need("step", "redeal"))
    F_observe = cached_property(lambda self: self.kernel.need("hide", "observe"))

    observation_size = cached_property(lambda self: self.observation_spec.size)

    @cached_property
    def scratch(self) -> np.ndarray:
        """A record that one call may write a view into; only ever used under the GIL."""
        return records(fresh(self.state_dtype))

    def __repr__(self) -> str:
        return f"<Game {self.variant}, {self.players} players, cards {self.card_set.name}@{self.card_set.hash}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.variant, self.card_set, self.players, self.rule_changes)

    @cached_property
    def observation_spec(self) -> ObservationSpec:
        """Named sections of the observation vector."""
        sections, at = [], 0
        for name, length, meaning in self.kernel.layout(self.card_set, self.players, self.rules):
            sections.append((name, at, at + length, meaning))
            at += length
        return ObservationSpec(at, tuple(sections))

    def action(self, text: str) -> int:
        """The action of a label; ValueError for a text that is no label."""
        if not isinstance(text, str):
            raise ValueError(f"an action's label is text such as 'pass', not {text!r}")
        label = text.strip()
        if label in self._index:
            return self._index[label]
        word, _, rest = label.partition(" ")
        label = f"{self._aliases.get(word, word)} {rest}".strip()
        if label in self._index:
            return self._index[label]
        label = label[:60]  # enough to tell what was meant, whatever was handed in
        raise ValueError(
            f"no action {text[:60]!r} in {self.variant} with {self.players} players (for example: {self._near(label)})"
        )

    def _near(self, label: str) -> str:
        from difflib import get_close_matches

        found = get_close_matches(label, self.labels, n=3, cutoff=0.5) or [
            "pass",
            "play " + self.card_set.cards[0].label,
        ]
        return ", ".join(repr(one) for one in found)

    def relative_actions(self, seat: int) -> np.ndarray:
        """int64[num_actions]: entry a is the action that means for `seat` what a means for seat 0 (targets and players turned
        clockwise), so that one network can play every seat."""
        seat = seat_of(seat, self.players)
        order = np.arange(self.num_actions)
        for name, first, end in self.action_ranges:
            if name in ("player", "target"):
                block = np.arange(first, end).reshape(self.players, -1)
                order[first:end] = np.roll(block, -seat, axis=0).ravel()
        return order

    # ---- positions

    def new(self, seed: int = 0, advantage: int | None = None) -> GameState:
        """A new game at its first decision. `advantage` gives the Advantage card to a seat (in Epic Death, the first turn): same
        deal, other holder (T46)."""
        holder = -1 if advantage is None else seat_of(advantage, self.players, "advantage")
        record = fresh(self.state_dtype)
        F = self.F_new
        with compiling(playout.begin):
            playout.begin(F, self.R, records(record), self.blank, self.players, word(seed), holder)
        return GameState(self, record)

    def parse(self, text: str) -> GameState:
        """The position a text describes: what `str(state)` printed, or one set up by hand (docs/positions.md)."""
        if not isinstance(text, str):
            raise ValueError(f"a position is text such as str(state) gives, not {type(text).__name__}")
        record = self.kernel.read_text(self, text)
        s = record[0]
        if int(s["over"]) == 0 and (int(s["viewer"]) < 0 or int(s["mover"]) == int(s["viewer"])):
            playout.settle(self.F_step, self.R, records(record))
        return GameState(self, record)

    # ---- many games

    def playouts(
        self, games: int, seed: int = 0, workers: int = 1, progress: Callable[[int], None] | None = None
    ) -> Playouts:
        """Play random games wholly in compiled code; game g has the g-th of `game_seeds(seed, games)`, whatever the number of
        workers. `progress(k)` is called when k more games are done."""
        return many.playouts(self, games, seed, workers, progress)

    def play_many(
        self,
        policies: Sequence[str],
        seeds: np.ndarray | Sequence[int],
        advantage: np.ndarray | Sequence[int] | None = None,
        workers: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> np.ndarray:
        """Play one game a seed between compiled policies, one name a seat; a structured array of `result_dtype`.

        `advantage`: int[games], the seat that gets the card (-1: drawn). `progress(k)` is called when k more games are done.
        """
        return many.play_many(self, policies, seeds, advantage, workers, progress)

    def choose(self, view: GameState, policy: str, seed: int) -> int:
        """The action a compiled policy takes in a view of the mover's."""
        if policy not in self.policies:  # the table holds functions that are no policies, too
            raise ValueError(f"no compiled policy {policy!r}; there are {', '.join(self.policies)}")
        if view.game is not self and (view.game.players, view.game.card_set.hash) != (self.players, self.card_set.hash):
            raise ValueError(f"the view is one of {view.game!r}, not of {self!r}")
        if not view.is_view or view.viewer != view.mover:
            raise ValueError(f"policy {policy!r} needs the mover's view of a position in play")
        F = self.kernel.need("step", policy)
        return int(playout.choose(F, self.R, records(view.record), self.kernel.place(policy), word(seed)))

    def log(self, state: GameState) -> ResultLog:
        """Start a result row for a game that Python plays."""
        return ResultLog(self, state)


def _rebuild(variant: str, card_set: CardSet, players: int, rules: Mapping[str, Any]) -> Game:
    from gosu_rl.core.variants import game

    return game(variant, players, cards=card_set, rules=rules)
