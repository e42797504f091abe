"""The Gosu kernel put together: what `gosu_rl.core.kernel.Kernel` asks for."""

from __future__ import annotations

from gosu_rl.core.gosu import actions, describe, observe, policies, results, rules, state, step, text, view
from gosu_rl.core.kernel import Kernel

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
    write_text=text.write,
    read_text=text.read,
    describe=describe.describe,
    known_hand=describe.known_hand,
    seats=rules.PLAYERS,
    shorter={
        "tactics": (rules.TRAITS["tactics"]["kinds"], state.CONDITION),
        "gosu": (rules.TRAITS["gosu"]["kinds"], state.FIFTH),
    },
)
