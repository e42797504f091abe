"""The kernel of Epic Death put together: what `gosu_rl.core.kernel.Kernel` asks for."""

from __future__ import annotations

from gosu_rl.core.epic_death import (
    actions,
    describe,
    evaluation,
    observe,
    policies,
    results,
    rules,
    state,
    step,
    text,
    text_read,
    view,
)
from gosu_rl.core.kernel import Kernel

EPIC_DEATH = Kernel(
    name="epic_death",
    variants=("epic_death",),
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
        "evaluate": evaluation.evaluate,
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
    read_text=text_read.read,
    describe=describe.describe,
    known_hand=describe.known_hand,
    counted=("discard",),
    prepare=rules.prepare,
    dealt=describe.dealt,
    chance=describe.chance_events,
)
