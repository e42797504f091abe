"""Powers: their names and the programs behind them.

A power is a short list of steps, written as words ("destroy 2", "offer"). The seven powers of the rulebook, base and
MAX, lie in `sets/powers.toml`; a free card set may add more. Here the words are checked; `gosu_rl.core.gosu.rules`
turns them into the kernel's integer rows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.cards.wording import nearest, quoted

BASE_POWERS = ("destruction", "trap", "discard", "draw", "vision", "return", "advantage")
RULEBOOK_POWERS = tuple(name for base in BASE_POWERS for name in (base, f"{base} MAX"))
MAX_STEPS = 8  # steps in one program

# Step word -> what each of its operands may be, in order.
_LEVEL = tuple("123")
_NUMBER = tuple("123456789")
STEPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "offer": (),  # ask first: accept or decline the rest (T14, T30)
    "destroy": (_LEVEL,),  # a free card of at most this level (T15)
    "swap": (),  # two cards of one row of one army (T15)
    "trap": (_LEVEL,),  # a face-up card of at most this level
    "trap_or_release": (_LEVEL,),
    "victim_discards": (_NUMBER,),  # a chosen player discards that many (T16)
    "all_discard_half": (),  # everyone, half the hand rounded down (T16)
    "draw": (_NUMBER,),
    "draw_per_clan": (),  # one card a clan face up in the army (T17)
    "reveal_keep": (_NUMBER, _NUMBER),  # reveal the first number of cards, keep the second (T18)
    "take_back": (("own", "any"),),  # one card of the discard pile, of the goblin's own clan or of any (T19)
    "fewest_points_draw": (_NUMBER,),  # all tied for fewest points (T33)
    "take_advantage": (),
    "extra_turn": (_NUMBER,),  # T34
}
# Steps that put a choice with "decline" in it when they come first, so that no "offer" stands before them (T30).
TARGET_STEPS = ("destroy", "swap", "trap", "trap_or_release", "victim_discards", "take_back")


@cache
def built_in_programs() -> dict[str, tuple[str, ...]]:
    """The seven powers, base and MAX, by name: the packaged `sets/powers.toml`."""
    text = (resources.files("gosu_rl.core.cards") / "sets" / "powers.toml").read_text("utf-8")
    return {name: tuple(steps) for name, steps in tomllib.loads(text)["powers"].items()}


def power_programs(card_set: CardSet) -> dict[str, tuple[str, ...]]:
    """Program of every power a card of the set may name: the seven of the rulebook and the set's own, in that order."""
    return {**built_in_programs(), **{name: tuple(steps) for name, steps in card_set.powers.items()}}


def program_faults(steps: Sequence[str]) -> list[str]:
    """What is wrong with a program, one line a fault; empty when the kernel can run it."""
    if not steps:
        return [f"a power needs at least one step ({', '.join(STEPS)})"]
    found = []
    if len(steps) > MAX_STEPS:
        found.append(f"{len(steps)} steps; a power has at most {MAX_STEPS}")
    for step in steps:
        found += _step_faults(step)
    words = [step.split()[0] if step.split() else "" for step in steps]
    if "offer" in words[1:]:
        found.append("'offer' can only be the first step, because it asks about the whole power")
    if words == ["offer"]:
        found.append("'offer' alone offers nothing: put the steps that it asks about behind it")
    elif words[0] == "offer" and words[1] in TARGET_STEPS:
        found.append(f"no 'offer' before {words[1]!r}: its choice of a target can be declined already")
    return found


def _step_faults(step: str) -> list[str]:
    word, *operands = step.split() or [""]
    if word not in STEPS:
        return [f"{quoted(step)} is no step{nearest(word, STEPS)} ({', '.join(STEPS)})"]
    wanted = STEPS[word]
    if len(operands) != len(wanted):
        return [f"{quoted(step)} has {len(operands)} operands, {word!r} takes {len(wanted)}"]
    for operand, allowed in zip(operands, wanted, strict=True):
        if operand not in allowed:
            return [f"{quoted(operand)} in {quoted(step)} must be one of {', '.join(allowed)}"]
    if word == "reveal_keep" and int(operands[1]) > int(operands[0]):
        return [f"{quoted(step)} keeps more cards than it reveals"]
    return []
