"""What a card does, in words, from its card set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gosu_rl.core.cards.check import RULEBOOKS
from gosu_rl.envs import epic_text
from gosu_rl.envs.step_text import condition_text, program_text
from gosu_rl.envs.text_x import ability_lines, offered_words

LEVELS = {1: "Bakuto", 2: "Hero", 3: "Ôzeki"}
LEVELS_X = dict(enumerate(RULEBOOKS["gosu_x"].levels, start=1))
CLANS_X = RULEBOOKS["gosu_x"].clans
TRIGGERS = (
    ("enter", "comes into play"),
    ("link", "link"),
    ("mutate", "mutates"),
    ("activate", "activated"),
    ("departure", "when another goblin of yours mutates"),
)
# What GOSU's Ôzekis allow their owners as long as they lie face up (BENDS of cards/schema.py).
BENT = {
    "long reach": "your powers that destroy or trap reach every level",
    "rich tokens": "spending tokens for cards brings one card more",
    "round draw": "you draw two cards at each new round",
    "all zombies": "all your goblins that can mutate may mutate into a card of the discard pile",
    "cheap mutation": "your mutations cost a card less",
    "held fast": "the others' trapped goblins stay trapped at a new round",
    "strange allies": "your Heroes and Ôzekis need no clan below them",
    "spare token": "one more activation token at each new round",
    "double victory": "a Great Battle that you win is worth two points to you",
    "wins ties": "you win tied Great Battles without the Advantage token",
}

POWERS = {
    "destruction": "destroy a free card of level 1 or 2 in any army",
    "destruction MAX": "swap two cards of one row of one army, then destroy a free card of any level",
    "trap": "turn a card of level 1 or 2 face down until the next round",
    "trap MAX": "turn any card face down, or release a trapped one",
    "discard": "a player of your choice discards one card",
    "discard MAX": "everybody discards half of his hand, rounded down",
    "draw": "draw a card",
    "draw MAX": "draw a card for each clan face up in your army",
    "vision": "reveal five cards, keep one, discard the rest",
    "vision MAX": "reveal five cards, keep two, discard the rest",
    "return": "take back a card of this goblin's clan from the discard pile",
    "return MAX": "take back any card from the discard pile",
    "advantage": "the Advantage card is yours, and so is another turn after this one",
    "advantage MAX": "whoever has fewest points draws two cards; then the Advantage card is yours, and so is another turn",
}


def card_line(card: Any) -> str:
    """One line: clan, level, strength, mutation, and the names of its powers; of a Gosu X card its whole text."""
    if card.clan in CLANS_X:
        return _card_line_x(card)
    facts = [f"{card.clan} {LEVELS.get(card.level, f'level {card.level}')}", f"strength {card.strength}"]
    if card.mutation is not None:
        facts.append(f"{'zombie mutation' if card.zombie else 'mutation'} {card.mutation}")
    for trigger, title in TRIGGERS:
        powers = getattr(card, trigger)
        if powers:  # of GOSU the texts say more than the names, which people may choose as they like
            sides = f" ({', '.join(card.links)})" if trigger == "link" and len(card.links) < 4 else ""
            facts.append(f"{title}{sides}: {' + '.join(powers)}")
    facts += [f"bends a rule: {bend}" for bend in card.rule]
    if card.win:
        facts.append(f"wins: {' and '.join(condition_text(condition, card.names) for condition in card.win)}")
    return " · ".join(facts)


def _card_line_x(card: Any) -> str:
    facts = [f"{card.clan} {LEVELS_X.get(card.level, f'level {card.level}')}", f"strength {card.strength}"]
    facts += [f"shift {card.shift}"] if card.shift is not None else []
    facts += [f"{card.icons} icon{'s' if card.icons > 1 else ''}"] if card.icons else []
    return " · ".join([*facts, *(line.rstrip(".") for line in ability_lines(card))])


def tile_line(tile: Any) -> str:
    """What a clan's tile does for both players while it is active, in one line."""
    return " · ".join(line.rstrip(".") for line in ability_lines(tile))


def card_help(card: Any, card_set: Any) -> list[str]:
    """Several lines: the card, then each of its powers explained; house powers by the steps that their set lists.

    `card` is an entry of `card_set`: a face, in Epic Death also a Leader or a Land.
    """
    if card_set.variant == "epic_death":
        return epic_text.card_help(card)
    if card_set.variant == "gosu_x":
        head = f"{card.label}: {_card_line_x(replace(card, keywords=(), text=(), will=(), value=(), rule=(), win=()))}"
        return [head, *(f"  {line}" for line in ability_lines(card))]
    lines = [f"{card.label}: {card_line(card)}"]
    seen = dict.fromkeys(power for trigger, _ in TRIGGERS for power in getattr(card, trigger))
    lines += [f"  {power}: {power_help(power, card_set, card.names)}" for power in seen]
    return lines + [f"  {bend}: {BENT[bend]}" for bend in card.rule]


def offer_help(power: Mapping[str, Any], card: Any, card_set: Any) -> str:
    """What a decision offers, in words: `power` is that of a position's `as_dict()`, `card` the one it names."""
    if card_set.variant == "gosu_x":
        return offered_words(power["step"])
    return power_help(power["name"], card_set, card.names)


def power_help(power: str, card_set: Any, names: Sequence[str] = ()) -> str:
    """What a power does, in words; `names` are those on its card."""
    if card_set.variant == "gosu" and power in card_set.powers:
        return program_text(card_set.powers[power], names)
    if power in card_set.powers:  # a house set may give even a known name another program
        return ", then ".join(card_set.powers[power])
    return POWERS[power]
