"""The Gosu kernel put together: what `gosu_rl.core.kernel.Kernel` asks for.

Gosu X has the records and most functions of the others. Its deal and its step are entries of their own, so that a process compiles
only those it plays, and neither asks at every decision which of the two it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gosu_rl.core.gosu import (
    actions,
    describe,
    describe_decks,
    draft,
    moves,
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
    from gosu_rl.core.game import GameState


def pile_order(position: GameState) -> list[str]:
    """Decks of one's own as last shuffled, top first; player 1's comes before player 0's. During the draft all cards lie in one."""
    if position.record["picks"][0, -1]:
        own, other = describe_decks.last_orders(position)
        return other + own
    return deck_order(position)


GOSU = Kernel(
    name="gosu",
    variants=("tactics", "gosu"),
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
    write_text=text.write,
    read_text=text.read,
    describe=describe.describe,
    known_hand=describe.known_hand,
    never=rules.never,
    counted=("opening", "pay", "discard"),
    shorter={
        "tactics": (rules.TRAITS["tactics"]["kinds"], state.CONDITION),
        "gosu": (rules.TRAITS["gosu"]["kinds"], state.FIFTH),
    },
)
GOSU_X = replace(
    GOSU,
    name="gosu_x",
    variants=("gosu_x",),
    players=(2, state.TWO),
    functions={**GOSU.functions, "deal": draft.deal_x, "step": moves.step_x},
    write_text=text_decks.write,
    read_text=text_decks.read,
    describe=describe_decks.describe,
    known_hand=describe_decks.known_hand,
    pile_order=pile_order,
    counted=("pay", "discard", "song"),
    shorter={},
    _table={},
)
