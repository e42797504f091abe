"""The Gosu kernel put together: what `gosu_rl.core.kernel.Kernel` asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gosu_rl.core.gosu import (
    actions,
    describe,
    describe_decks,
    observe,
    policies,
    results,
    rules,
    state,
    step,
    text,
    text_decks,
    view,
)
from gosu_rl.core.kernel import Kernel, deck_order

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState


def has_decks(game: Game) -> bool:
    """Whether each player has a deck of his own."""
    return rules.TRAITS[game.variant]["own_piles"] != 0


def write_text(position: GameState) -> str:
    """The position as text."""
    return text_decks.write(position) if has_decks(position.game) else text.write(position)


def read_text(game: Game, words: str) -> np.ndarray:
    """The state record of a position text."""
    return text_decks.read(game, words) if has_decks(game) else text.read(game, words)


def as_dict(position: GameState) -> dict[str, Any]:
    """The position as plain data."""
    return describe_decks.describe(position) if has_decks(position.game) else describe.describe(position)


def known_hand(position: GameState, seat: int) -> list[str]:
    """Faces that the viewer knows to be in a hand."""
    return (
        describe_decks.known_hand(position, seat) if has_decks(position.game) else describe.known_hand(position, seat)
    )


def pile_order(position: GameState) -> list[str]:
    """Piles as last shuffled, top first; player 1's deck comes before player 0's. During the draft all cards lie in one."""
    if has_decks(position.game) and position.record["picks"][0, -1]:
        own, other = describe_decks.last_orders(position)
        return other + own
    return deck_order(position)


GOSU = Kernel(
    name="gosu",
    variants=tuple(rules.NUMBERS),
    players=(2, state.SEATS),
    state=state.STATE,
    rules=rules.RULES,
    result=results.RESULT,
    functions={
        "deal": step.deal,
        "step": step.step,
        "hide": view.hide,
        "redeal": view.redeal,
        "observe": observe.observe,
        "note": results.note,
        "evaluate": policies.evaluate,
    },
    policies={"random": policies.choose_random, "greedy": policies.choose_greedy},
    kinds=state.KINDS,
    reasons=state.REASONS,
    blank=state.blank,
    numbers=rules.number_table,
    actions=actions.action_table,
    compile_rules=rules.compile_rules,
    layout=observe.layout,
    write_text=write_text,
    read_text=read_text,
    describe=as_dict,
    known_hand=known_hand,
    pile_order=pile_order,
    seats=rules.PLAYERS,
    never=rules.never,
    shorter={
        "tactics": (rules.TRAITS["tactics"]["kinds"], state.CONDITION),
        "gosu": (rules.TRAITS["gosu"]["kinds"], state.FIFTH),
    },
)
