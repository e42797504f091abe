"""Steps of Epic Death: what cards, Lands and abilities can say, on which condition, and where they may say it.

The words are checked here; `gosu_rl.core.epic_death.rules` turns them into the kernel's integer rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gosu_rl.core.cards.epic_schema import MENUS, NEEDS, TERRAINS, WINDOWS
from gosu_rl.core.cards.wording import nearest, quoted

MAX_STEPS = 8
NUMBER = tuple("123456789")
SIGNED = (*NUMBER, *(f"-{n}" for n in NUMBER))
SCOPES = ("other", "any", "fighter")
SORTS = ("any", "action", "machine", "hero")  # what take_back looks for
COMPARISONS = (">=", "<=", "=")
MAX_COMPARED = 99
COMPARED = ("defense", "tokens", "heroes", "machines", "hand", "pile", "rank")  # conditions on a number
CONDITIONS: dict[str, tuple[str, ...]] = {  # word -> what may stand behind it (docs/cards.md)
    "terrain": TERRAINS,
    "needs": NEEDS,
    "attacker": (),
    "defender": (),
    **dict.fromkeys(COMPARED, ()),
}
MENU_AND_FIGHT = (*MENUS, "combat", "fray")


@dataclass(frozen=True)
class Step:
    """Operand that a step takes (None: none; `optional`: it may be left out), and the windows an Action with it may have."""

    operand: tuple[str, ...] | None = None
    windows: tuple[str, ...] = MENU_AND_FIGHT
    optional: bool = False


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
    "move": Step(NUMBER[:3], MENUS, optional=True),
    "peek": Step(None, MENUS),
    "take_back": Step(SORTS, MENUS),
    "save": Step(NUMBER, ("toss",)),
    "retoss": Step(NUMBER, ("toss",)),
    "cancel": Step(None, ("answer",)),
    "discard_random": Step(NUMBER),
    "machine_off": Step(None, ("combat",)),
    "kill_toss": Step(NUMBER, ("combat", "fray")),
    "swap_armies": Step(None, MENUS),
    "retreat_now": Step(None, ("combat",)),
    "turn_up": Step(None, MENUS),
    "swap_lands": Step(None, MENUS),
    "no_combat": Step(None, MENUS),
    "guard": Step(None, MENUS),
}
ICONS = ("gain", "draw", "steal_token", "steal_card", "lose", "discard", "lose_hero", "lose_machine")
LAND_TEXT = (
    *ICONS, "attack", "defense", "steal_conquest", "discard_random", "machine_off", "kill_toss", "retreat_now",
)  # fmt: skip


def split_condition(step: str) -> tuple[str, str]:
    """`"if hand >= 2: lose 1"` as `("hand >= 2", "lose 1")`; a step without a condition as `("", step)`."""
    if step.split()[:1] != ["if"]:
        return "", step
    condition, colon, bare = step.strip().removeprefix("if").partition(":")
    return (condition.strip(), bare.strip()) if colon else (condition.strip(), "")


def step_word(step: str) -> str:
    """The word of a step, without its condition; empty where there is none."""
    return (split_condition(step)[1].split() or [""])[0]


def price(ability: Sequence[str]) -> int:
    """Cards that an ability begins by discarding: what must be in the hand before it may be used (E33)."""
    first = ability[0].split() if ability else [""]
    return int(first[1]) if first[0] == "discard" else 0


def step_faults(steps: Sequence[str], allowed: Sequence[str] = tuple(STEPS)) -> Iterator[str]:
    """What is wrong with the words of some steps."""
    if len(steps) > MAX_STEPS:
        yield f"{len(steps)} steps; at most {MAX_STEPS}"
    for step in steps:
        condition, bare = split_condition(step)
        if step.split()[:1] == ["if"]:
            fault = _condition_fault(condition, ":" in step)
            if fault:
                yield f"{quoted(step)}: {fault}"
                continue
        word, *operands = bare.split() or [""]
        if word not in STEPS or word not in allowed:
            yield f"{quoted(bare or step)} is no step here{nearest(word, allowed)} ({', '.join(allowed)})"
            continue
        wanted, optional = STEPS[word].operand, STEPS[word].optional
        if len(operands) != (wanted is not None) and not (optional and not operands):
            takes = "0 or 1" if optional else int(wanted is not None)
            yield f"{quoted(bare)} has {len(operands)} operands, {word!r} takes {takes}"
        elif operands and wanted is not None and operands[0] not in wanted:
            yield f"{quoted(operands[0])} in {quoted(bare)} must be one of {', '.join(wanted)}"


def _condition_fault(condition: str, colon: bool) -> str:
    """What is wrong with the words between `if` and the colon; empty if nothing is."""
    if not colon:
        return "a condition ends with a colon, and the step stands behind it (if hand >= 2: lose 1)"
    word, *operands = condition.split() or [""]
    if word not in CONDITIONS:
        return f"{quoted(condition)} is no condition{nearest(word, CONDITIONS)} ({', '.join(CONDITIONS)})"
    if word in COMPARED:
        if len(operands) != 2:
            return f"{word!r} is compared with a number, with blanks between ({word} >= 2)"
        comparison, number = operands
        if comparison not in COMPARISONS:
            return f"{quoted(comparison)} must be one of {', '.join(COMPARISONS)}"
        if not (number.isascii() and number.isdigit() and int(number[:9]) <= MAX_COMPARED and len(number) < 9):
            return f"{quoted(number)} must be a whole number from 0 to {MAX_COMPARED}"
        return ""
    known = CONDITIONS[word]
    if len(operands) != bool(known):
        return f"{word!r} takes {'one word of ' + ', '.join(known) if known else 'nothing behind it'}"
    if known and operands[0] not in known:
        return f"{quoted(operands[0])} must be one of {', '.join(known)}{nearest(operands[0], known)}"
    return ""


def price_faults(ability: Sequence[str]) -> Iterator[str]:
    """What is wrong with the first step of an ability, which may be its price (E33)."""
    if not ability:
        return
    condition, bare = split_condition(ability[0])
    word = step_word(bare)
    if word == "discard" and condition:
        yield f"{quoted(ability[0])} is the ability's price, since it comes first; a price has no condition"
    elif word == "discard_random":
        yield f"{quoted(ability[0])} cannot come first, where an ability has its price; that is 'discard N'"


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
        bare = split_condition(step)[1]
        word = step_word(bare)
        if word not in STEPS:
            continue
        windows = STEPS[word].windows
        if bare.split()[1:] == ["fighter"]:
            windows = ("combat", "fray")
        for window in when:
            if window in known and window not in windows:
                yield f"{quoted(step)} cannot be used in the window {quoted(window)}, only in {', '.join(windows)}"
