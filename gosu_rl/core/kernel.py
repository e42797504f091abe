"""What a kernel offers to the rooms above: record dtypes, compiled functions, and how Python reads and writes its states.

A kernel serves one or more variants. Loops over any game (`playout.py`) know a game only as a table of function addresses `F`, a
rules record `R` and state records `S`. The table is filled as functions are needed, so that the first game does not wait for
the compiling of what it does not use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.jit import (
    JIT,
    act_signature,
    addresses,
    choose_signature,
    deal_signature,
    note_signature,
    observe_signature,
    record_type,
)

DEAL, STEP, HIDE, REDEAL, OBSERVE, NOTE, EVALUATE, POLICIES = range(
    8
)  # places in the table; policies follow one another


def deck_order(position: Any) -> list[str]:
    """A draw pile that all share, as last shuffled, top first."""
    labels = [card.label for card in position.game.card_set.cards]
    deck = [c for c in position.record["deck"][0].tolist() if c >= 0]
    return [labels[c % len(labels)] for c in reversed(deck)]


@dataclass(frozen=True)
class Kernel:
    """One compiled family of games, or of one family those that share all entries."""

    name: str
    variants: tuple[str, ...]
    players: tuple[int, int]  # fewest and most
    state: np.dtype
    rules: np.dtype
    result: np.dtype
    functions: Mapping[str, Any]  # deal, step, hide, redeal, observe, note, evaluate
    policies: Mapping[str, Any]
    kinds: tuple[str, ...]
    reasons: tuple[str, ...]
    blank: Callable[[], np.ndarray]
    numbers: Callable[[str, Mapping[str, Any] | None], dict[str, int]]
    actions: Callable[[CardSet, int, Mapping[str, int]], Any]  # cards, players, numbers in force -> ActionTable
    compile_rules: Callable[[CardSet, Mapping[str, int], Mapping[str, int]], np.ndarray]
    layout: Callable[[CardSet, int, Mapping[str, int]], list[tuple[str, int, str]]]
    write_text: Callable[[Any], str]  # GameState -> text
    read_text: Callable[[Any, str], np.ndarray]  # Game, text -> state[1]
    describe: Callable[[Any], dict[str, Any]]  # GameState -> plain data
    known_hand: Callable[[Any, int], list[str]]  # a view, a seat -> faces the viewer knows in that hand
    # Cards and rules as people give them -> as a game takes them: a rule may be a word that depends on the cards, or adds to them.
    prepare: Callable[[CardSet, Any], tuple[CardSet, Any]] = lambda cards, rules: (cards, rules)
    # What the record of a game (record.py) holds besides hands, deck and shuffles: the rest of a deal, and chance of the last step.
    dealt: Callable[[Any], dict[str, Any]] = lambda state: {}
    chance: Callable[[Any], list[dict[str, Any]]] = lambda state: []
    shorter: Mapping[str, tuple[int, int]] = field(
        default_factory=dict
    )  # variants with fewer kinds and reasons: how many
    # Reasons a game never ends for under these rules (their record) and cards.
    never: Callable[[np.ndarray, CardSet], frozenset[str]] = lambda rules, cards: frozenset()
    pile_order: Callable[[Any], list[str]] = deck_order  # a position -> `GameState.pile_order`
    # Kinds of decisions whose frame holds in its third number how many are left (`GameState.owed`).
    counted: tuple[str, ...] = ()
    _table: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Function names in the order of the table."""
        return ("deal", "step", "hide", "redeal", "observe", "note", "evaluate", *self.policies)

    def place(self, name: str) -> int:
        """Index of a function in the table."""
        return self.names.index(name)

    def need(self, *names: str) -> Any:
        """The address table with at least these functions in it, compiled or loaded from disk."""
        if not JIT:
            return self._table.setdefault("F", tuple(self._function(name) for name in self.names))
        table = self._table.setdefault("F", np.zeros(2 * len(self.names), np.int64))
        for name in names:
            k = 2 * self.place(name)
            if table[k] == 0:
                table[k : k + 2] = addresses([(self._function(name), self._signature(name))])
        return table

    def _function(self, name: str) -> Any:
        return self.functions[name] if name in self.functions else self.policies[name]

    def _signature(self, name: str) -> Any:
        state, rules = record_type(self.state), record_type(self.rules)
        if name == "note":
            return note_signature(state, record_type(self.result))
        signatures = {"deal": deal_signature, "observe": observe_signature}
        if name in self.policies or name == "evaluate":
            return choose_signature(state, rules)
        return signatures.get(name, act_signature)(state, rules)
