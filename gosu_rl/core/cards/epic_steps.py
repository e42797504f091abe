"""Steps of Epic Death: what cards, Lands and abilities can say, and where they may say it.

The words are checked here; `gosu_rl.core.epic_death.rules` turns them into the kernel's integer rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gosu_rl.core.cards.epic_schema import MENUS, WINDOWS
from gosu_rl.core.cards.wording import nearest, quoted

MAX_STEPS = 8
NUMBER = tuple("123456789")
SIGNED = (*NUMBER, *(f"-{n}" for n in NUMBER))
SCOPES = ("other", "any", "fighter")
SORTS = ("any", "action", "machine", "hero")  # what take_back looks for


@dataclass(frozen=True)
class Step:
    """Operand that a step takes (None: none), and the windows an Action with it may have."""

    operand: tuple[str, ...] | None = None
    windows: tuple[str, ...] = (*MENUS, "combat", "fray")


STEPS = {
    "gain": Step(NUMBER),
    "lose": Step(NUMBER),
    "draw": Step(NUMBER),
    "discard": Step(NUMBER),
    "lose_hero": Step(),
    "lose_machine": Step(),
    "steal_token": Step(NUMBER),
    "steal_card": Step(),
    "steal_conquest": Step(),
    "choose": Step(SCOPES),
    "attack": Step(SIGNED, ("combat", "fray")),
    "defense": Step(SIGNED, ("combat",)),
    "no_requirement": Step(None, ("combat",)),
    "move": Step(None, MENUS),
    "peek": Step(None, MENUS),
    "take_back": Step(SORTS, MENUS),
    "save": Step(NUMBER, ("toss",)),
    "retoss": Step(NUMBER, ("toss",)),
    "cancel": Step(None, ("answer",)),
}
ICONS = ("gain", "draw", "steal_token", "steal_card", "lose", "discard", "lose_hero", "lose_machine")
LAND_TEXT = (*ICONS, "attack", "defense", "steal_conquest")


def step_faults(steps: Sequence[str], allowed: Sequence[str] = tuple(STEPS)) -> Iterator[str]:
    """What is wrong with the words of some steps."""
    if len(steps) > MAX_STEPS:
        yield f"{len(steps)} steps; at most {MAX_STEPS}"
    for step in steps:
        word, *operands = step.split() or [""]
        if word not in STEPS or word not in allowed:
            yield f"{quoted(step)} is no step here{nearest(word, allowed)} ({', '.join(allowed)})"
            continue
        wanted = STEPS[word].operand
        if len(operands) != (wanted is not None):
            yield f"{quoted(step)} has {len(operands)} operands, {word!r} takes {int(wanted is not None)}"
        elif wanted is not None and operands[0] not in wanted:
            yield f"{quoted(operands[0])} in {quoted(step)} must be one of {', '.join(wanted)}"


def window_faults(steps: Sequence[str], when: Sequence[str], known: Sequence[str] = WINDOWS) -> Iterator[str]:
    """What is wrong with the windows of an Action or an ability, whose steps are words that exist."""
    if not when:
        yield f"missing; say when it may be used ({', '.join(known)})"
    if len(set(when)) < len(when):
        yield "names a window twice"
    for window in when:
        if window not in known:
            yield f"{quoted(window)} is no window here{nearest(window, known)} ({', '.join(known)})"
    for step in steps:
        word = step.split()[0] if step.split() else ""
        if word not in STEPS:
            continue
        windows = STEPS[word].windows
        if step.split()[1:] == ["fighter"]:
            windows = ("combat", "fray")
        for window in when:
            if window in known and window not in windows:
                yield f"{quoted(step)} cannot be used in the window {quoted(window)}, only in {', '.join(windows)}"
