"""The steps of a power and the conditions of GOSU in plain words, for card help."""

from __future__ import annotations

from collections.abc import Sequence

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LEVELS = {"1": "of level 1", "2": "of level 1 or 2", "3": "of any level"}


def program_text(steps: Sequence[str], names: Sequence[str] = ()) -> str:
    """A power's steps as one text; `names` are the cards that its card names."""
    parts: list[str] = []
    guard = ""
    for step in steps:
        word, *operands = step.split()
        if word == "offer":
            continue
        if word == "if":
            guard = f"if {condition_text(' '.join(operands), names)}: "
            continue
        parts.append(guard + step_text(word, operands, names))
        guard = ""
    return ", then ".join(parts)


def step_text(word: str, operands: Sequence[str], names: Sequence[str]) -> str:
    """One step in words."""
    bonus = operands[-1] if operands and operands[-1].startswith("+") else ""
    numbers = [operand for operand in operands if operand != bonus]
    more = f" ({bonus} if an opponent has more points)" if bonus else ""
    cards = f"{_count(numbers[-1], 'card')}{more}" if numbers and numbers[-1].isdigit() else ""
    texts = {
        "draw": f"draw {cards}",
        "draw_per_clan": "draw a card for each clan face up in your army",
        "fewest_points_draw": f"whoever has fewest points draws {cards}",
        "victim_discards": f"a player of your choice discards {cards}",
        "discard_own": f"discard {cards} of yours",
        "all_discard_half": "everybody discards half of his hand, rounded down",
        "swap": "swap two cards of one row of one army",
        "take_advantage": "the Advantage token is yours",
        "regain_token": "one of your activation tokens is ready again",
    }
    if word == "destroy":
        return f"destroy a free card {LEVELS[numbers[0]]}"
    if word == "trap":
        return f"turn a card {LEVELS[numbers[0]]} face down until the next round"
    if word == "trap_or_release":
        return f"turn a card {LEVELS[numbers[0]]} face down, or release a trapped one"
    if word == "reveal_keep":
        return f"reveal {_count(numbers[0], 'card')}, keep {COUNTS[int(numbers[1])]}{more}, discard the rest"
    if word == "take_back":
        what = {"own": "a card of this goblin's clan", "any": "any card", "names": f"one of {', '.join(names)}"}
        return f"take back {what[numbers[0]]} from the discard pile"
    if word == "extra_turn":
        return "take another turn after this one" if numbers[0] == "1" else f"take {COUNTS[int(numbers[0])]} more turns"
    if word == "victory_point":
        return f"gain {_count(numbers[0], 'Victory Point')}"
    return texts[word]


def condition_text(condition: str, names: Sequence[str] = ()) -> str:
    """A condition in words, as of the card's owner."""
    word, _, number = condition.partition(" ")
    texts = {
        "behind": "an opponent has more points than you",
        "advantage": "you hold the Advantage token",
        "hand": f"you have {number} or more cards in hand",
        "foes_hand": f"no opponent has more than {number} cards in hand",
        "pile": f"the discard pile holds {number} or more cards",
        "army": f"your army has {number} or more goblins",
        "foes_army": f"no opponent's army has more than {number} goblins",
        "clans": f"goblins of {number} or more clans are face up in your army",
        "foes_trapped": f"{number} or more goblins are trapped in the opponents' armies",
        "names": f"{', '.join(names)} are in your army",
    }
    return texts[word]


def _count(number: str, what: str) -> str:
    return f"a {what}" if number == "1" else f"{COUNTS[int(number)]} {what}s"
