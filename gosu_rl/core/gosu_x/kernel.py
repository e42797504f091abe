"""The kernel of Gosu X put together. Its records are those of Tactics and GOSU, and so are loops over games and small entries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gosu_rl.core.gosu.kernel import GOSU
from gosu_rl.core.gosu.state import TWO
from gosu_rl.core.gosu_x import actions, describe, draft, evaluation, moves, observe, policies, rules, text, view
from gosu_rl.core.kernel import deck_order

if TYPE_CHECKING:
    from gosu_rl.core.game import GameState


def pile_order(position: GameState) -> list[str]:
    """Decks of one's own as last shuffled, top first; player 1's comes before player 0's. During the draft all cards lie in one."""
    if position.record["picks"][0, -1]:
        own, other = describe.last_orders(position)
        return other + own
    return deck_order(position)


GOSU_X = replace(
    GOSU,
    name="gosu_x",
    variants=("gosu_x",),
    players=(2, TWO),
    functions={
        "deal": draft.deal,
        "step": moves.step,
        "hide": view.hide,
        "redeal": view.redeal,
        "observe": observe.observe,
        "note": GOSU.functions["note"],
        "evaluate": evaluation.evaluate,
    },
    policies={"random": GOSU.policies["random"], "greedy": policies.choose_greedy},
    numbers=rules.number_table,
    actions=actions.action_table,
    compile_rules=rules.compile_rules,
    layout=observe.layout,
    write_text=text.write,
    read_text=text.read,
    describe=describe.describe,
    known_hand=describe.known_hand,
    pile_order=pile_order,
    never=rules.never,
    counted=("pay", "discard", "song"),
    shorter={},
    _table={},
)
