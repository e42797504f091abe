"""Actions: one Discrete range, cut into named parts, each with a text form.

| range | label | meaning |
|---|---|---|
| words | `pass` `recruit` `accept` `decline` `keep` `redraw` | |
| player | `player p1` | whom a Discard hits |
| target | `target p1 2.4` | an army slot, row.column: destroy, trap, swap, link order |
| replace | `replace 1.3` | the own goblin that the named card replaces |
| play | `play F` | name a card from the hand |
| take | `take F` | a public card: zombie from the discard pile, kept from a Vision, taken back |
| discard | `discard F` | a card from the hand to the discard pile: payment, opening discard, forced discard |
| token | `spend 1` `spend 2` `regain` | activation tokens: one for a card, two for three cards, one back from the spent ones |
| activate | `activate 1.3` | a token on an own goblin with an activated power |

`token` and `activate` are there in games with activation tokens; Gosu X has some more (gosu_x/actions.py).
An action means the same in every position, up to the kind of decision. Copies of a face share an action. Seats are absolute.
"""

from __future__ import annotations

from collections.abc import Mapping

from gosu_rl.core.action_table import ActionTable, number_actions
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.gosu.numbers import TRAITS
from gosu_rl.core.gosu.state import COLUMNS, SLOTS, WORDS

PASS, RECRUIT, ACCEPT, DECLINE, KEEP_HAND, REDRAW = range(6)
SPEND_ONE, SPEND_TWO, REGAIN_SPENT = range(3)  # behind o_token
TOKEN_LABELS = ("spend 1", "spend 2", "regain")
WORD_LABELS = ("pass", "recruit", "accept", "decline", "keep", "redraw")
ALIASES = {"pay": "discard"}  # what a person might type -> the word of the label


def slot_text(slot: int) -> str:
    """`row.column`, both from 1."""
    return f"{slot // COLUMNS + 1}.{slot % COLUMNS + 1}"


def action_table(cards: CardSet, players: int, numbers: Mapping[str, int] | None = None) -> ActionTable:
    """Lay out the ranges for a card set and a number of players; no rule changes them."""
    seats = [f"player p{q}" for q in range(players)]
    return number_actions(shared_parts(cards, players, seats), ALIASES, 64 * WORDS, cards)


def shared_parts(cards: CardSet, players: int, seats: list[str]) -> list[tuple[str, list[str]]]:
    """The ranges that all three games have, in their order: name and labels; `seats` are the labels that name a player."""
    faces = [card.label for card in cards.cards]
    parts: list[tuple[str, list[str]]] = [
        ("words", list(WORD_LABELS)),
        ("player", seats),
        ("target", [f"target p{q} {slot_text(i)}" for q in range(players) for i in range(SLOTS)]),
        ("replace", [f"replace {slot_text(i)}" for i in range(SLOTS)]),
        ("play", [f"play {face}" for face in faces]),
        ("take", [f"take {face}" for face in faces]),
        ("discard", [f"discard {face}" for face in faces]),
    ]
    if TRAITS[cards.variant]["activation"]:
        parts += [
            ("token", list(TOKEN_LABELS)),
            ("activate", [f"activate {slot_text(i)}" for i in range(SLOTS)]),
        ]
    return parts
