"""Powers: their names and the programs behind them.

A power is a short list of steps, written as words ("destroy 2", "offer"). The seven powers of Tactics, base and MAX,
lie in `sets/powers.toml`; a free card set may add more. In GOSU amounts stand on the cards, so its set defines all
its powers itself. Here the words are checked; `gosu_rl.core.gosu.rules` turns them into the kernel's integer rows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from gosu_rl.core.cards import texts
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
# The steps of GOSU: those above, some of its own, and "(+m)", written "+m" behind an amount (G6).
GOSU_STEPS: dict[str, tuple[tuple[str, ...], ...]] = {
    **STEPS,
    "take_back": (("own", "any", "names"),),  # or one of the cards that the card names
    "if": (),  # the rest only while a condition holds: "if behind", "if hand 10"
    "regain_token": (),  # a ready token: from a card or from the spent ones (G11)
    "victory_point": (_NUMBER,),
    "discard_own": (_NUMBER,),  # must: discard that many of one's own hand
}
WITH_BONUS = ("draw", "victim_discards", "reveal_keep")
# Steps that ask nobody anything: what a departure may do, since nothing can be decided between discard and arrival (G7).
SILENT = ("draw", "draw_per_clan", "fewest_points_draw", "take_advantage", "extra_turn", "victory_point", "if")


def _counts(low: int, high: int) -> tuple[str, ...]:
    return tuple(map(str, range(low, high + 1)))


# Conditions of "if" and of winning: word -> what its operand may be, if it has one.
# Outside these ranges a condition would hold always or never: 120 cards, 15 slots, 5 clans, 3 opponents.
CONDITIONS: dict[str, tuple[str, ...]] = {
    "behind": (),  # some opponent has more Victory Points (G6)
    "advantage": (),  # holds the Advantage token
    "hand": _counts(1, 120),  # at least that many cards in the hand
    "foes_hand": _counts(0, 119),  # no opponent has more cards in the hand
    "pile": _counts(1, 120),  # at least that many cards in the discard pile
    "army": _counts(1, 15),  # at least that many goblins in the army, trapped ones too
    "foes_army": _counts(0, 14),  # no opponent has more goblins in the army
    "clans": _counts(1, 5),  # goblins of at least so many clans face up
    "foes_trapped": _counts(1, 45),  # at least that many trapped goblins in the opponents' armies together
    "names": (),  # all cards that the card names are in the army, face up or trapped (G16)
}
# Steps that put a choice with "decline" in it when they come first, so that no "offer" stands before them (T30).
TARGET_STEPS = ("destroy", "swap", "trap", "trap_or_release", "victim_discards", "take_back", "regain_token")


@cache
def built_in_programs() -> dict[str, tuple[str, ...]]:
    """The seven powers, base and MAX, by name: the packaged `sets/powers.toml`."""
    text = (resources.files("gosu_rl.core.cards") / "sets" / "powers.toml").read_text("utf-8")
    return {name: tuple(steps) for name, steps in tomllib.loads(text)["powers"].items()}


def power_programs(card_set: CardSet) -> dict[str, tuple[str, ...]]:
    """Program of every power a card of the set may name: in Tactics the rulebook's seven, then the set's own."""
    own = {name: tuple(steps) for name, steps in card_set.powers.items()}
    return own if card_set.variant in ("gosu", "gosu_x") else {**built_in_programs(), **own}


def program_faults(steps: Sequence[str], variant: str = "tactics") -> list[str]:
    """What is wrong with a program, one line a fault; empty when the kernel can run it. In Gosu X it is a card's text."""
    if variant == "gosu_x":
        return texts.text_faults(steps)
    known = GOSU_STEPS if variant == "gosu" else STEPS
    if not steps:
        return [f"a power needs at least one step ({', '.join(known)})"]
    found = []
    if len(steps) > MAX_STEPS:
        found.append(f"{len(steps)} steps; a power has at most {MAX_STEPS}")
    for step in steps:
        found += (
            condition_faults(step.split()[1:])
            if step.split()[:1] == ["if"] and "if" in known
            else _step_faults(step, known)
        )
    words = [step.split()[0] if step.split() else "" for step in steps]
    if "offer" in words[1:]:
        found.append("'offer' can only be the first step, because it asks about the whole power")
    if words == ["offer"]:
        found.append("'offer' alone offers nothing: put the steps that it asks about behind it")
    elif words[0] == "offer":
        first = next((word for word in words[1:] if word != "if"), "")  # an "if" asks nobody, so it parts nothing
        if first in TARGET_STEPS:
            found.append(f"no 'offer' before {first!r}: its choice of a target can be declined already")
    if words[-1] == "if":
        found.append("'if' at the end guards nothing: put the steps that hang on it behind it")
    return found


def condition_faults(words: Sequence[str]) -> list[str]:
    """What is wrong with a condition, given as its words."""
    text = " ".join(words)
    word, *operands = words or [""]
    if word not in CONDITIONS:
        return [f"{quoted(text)} is no condition{nearest(word, CONDITIONS)} ({', '.join(CONDITIONS)})"]
    allowed = CONDITIONS[word]
    wanted = 1 if allowed else 0
    if len(operands) != wanted:
        return [f"the condition {quoted(text)} has {len(operands)} operands, {word!r} takes {wanted}"]
    if wanted and operands[0] not in allowed:
        return [
            f"{quoted(operands[0])} in the condition {quoted(text)} must be a whole number from {allowed[0]} to {allowed[-1]}"
        ]
    return []


def _step_faults(step: str, known: Mapping[str, tuple[tuple[str, ...], ...]]) -> list[str]:
    word, *operands = step.split() or [""]
    if word not in known:
        return [f"{quoted(step)} is no step{nearest(word, known)} ({', '.join(known)})"]
    wanted = known[word]
    if known is not STEPS and operands and operands[-1].startswith("+"):
        bonus = operands.pop()
        if word not in WITH_BONUS:
            return [f"{quoted(step)}: only {', '.join(WITH_BONUS)} can have a (+n)"]
        if bonus[1:] not in _NUMBER:
            return [f"{quoted(bonus)} in {quoted(step)} must be +1 to +9"]
    if len(operands) != len(wanted):
        return [f"{quoted(step)} has {len(operands)} operands, {word!r} takes {len(wanted)}"]
    for operand, allowed in zip(operands, wanted, strict=True):
        if operand not in allowed:
            return [f"{quoted(operand)} in {quoted(step)} must be one of {', '.join(allowed)}"]
    if word == "reveal_keep" and int(operands[1]) > int(operands[0]):
        return [f"{quoted(step)} keeps more cards than it reveals"]
    return []
