"""The kernel of Tactics and GOSU put together: what `gosu_rl.core.kernel.Kernel` asks for."""

from __future__ import annotations

from gosu_rl.core.gosu import (
    actions,
    describe,
    numbers,
    observe,
    policies,
    results,
    rules,
    state,
    step,
    tables,
    text,
    view,
)
from gosu_rl.core.kernel import Kernel

GOSU = Kernel(
    name="gosu",
    variants=("tactics", "gosu"),
    players=(2, state.SEATS),
    state=state.STATE,
    rules=tables.RULES,
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
    numbers=numbers.number_table,
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
        "tactics": (numbers.TRAITS["tactics"]["kinds"], state.CONDITION),
        "gosu": (numbers.TRAITS["gosu"]["kinds"], state.FIFTH),
    },
)
