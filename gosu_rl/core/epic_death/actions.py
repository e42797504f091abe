"""Actions: one Discrete range, cut into named parts, each with a text form.

| range | label | meaning |
|---|---|---|
| words | `done` `pass` `stay` `ability` `decline` `epic death` `fight` `draw 0` `draw 1` `draw 2` | |
| player | `player p1` | whom an effect is about |
| space | `space 2.3` | a space of the field, row.column: where an Army goes, which Land is looked at, turned up or changes places |
| play | `play F` | a card from the hand |
| discard | `discard F` | a card from the hand to the discard pile |
| pick | `pick F` | a Hero or Machine in play: crewed, tossed, lost, turned off |
| take | `take F` | a card from the discard pile |

Copies of a face share an action. Seats are absolute.
"""

from __future__ import annotations

from collections.abc import Mapping

from gosu_rl.core.action_table import ActionTable, number_actions
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.epic_death.rules import chosen_field
from gosu_rl.core.epic_death.state import WORDS

DONE, PASS, STAY, ABILITY, DECLINE, EPIC_DEATH, FIGHT, DRAW_NONE = range(8)
WORD_LABELS = ("done", "pass", "stay", "ability", "decline", "epic death", "fight", "draw 0", "draw 1", "draw 2")
ALIASES = {"move": "space", "look": "space", "crew": "pick", "toss": "pick"}  # what a person might type


def action_table(cards: CardSet, players: int, numbers: Mapping[str, int]) -> ActionTable:
    """Lay out the ranges for a card set, a number of players and the layout in force."""
    faces = [card.label for card in cards.cards]
    parts = [
        ("words", list(WORD_LABELS)),
        ("player", [f"player p{q}" for q in range(players)]),
        ("space", [f"space {label}" for label in chosen_field(cards, numbers, players).labels]),
        ("play", [f"play {face}" for face in faces]),
        ("discard", [f"discard {face}" for face in faces]),
        ("pick", [f"pick {face}" for face in faces]),
        ("take", [f"take {face}" for face in faces]),
    ]
    return number_actions(parts, ALIASES, 64 * WORDS, cards)
