"""The seven powers of Tactics, base and MAX.

A power of which everybody can see that it has no effect is passed over silently (T30). Targets are put in one question,
with "decline" among them; a power without targets puts accept or decline (T14, T30).
"""

from __future__ import annotations

from collections.abc import Callable

from . import effects
from .effects import accepts
from .faces import Face
from .flow import Choices
from .table import Table

VISION_CARDS = 5


def destruction(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: destroy a free card of level 1 or 2. MAX: a swap, then destroy a free card of any level, each of the two
    steps as the player likes (T29)."""
    if is_max:
        swapped = yield from effects.swap(table, player)
        table.saw("T29 the swap declined, the destruction still asked", not swapped and effects.swappable(table))
    yield from effects.destroy(table, player, 3 if is_max else 2)


def trap(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: trap a face-up card of level 1 or 2, free or not. MAX: trap or release any card (T15)."""
    yield from effects.trap(table, player, 3 if is_max else 2, may_release=is_max)


def discard(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: a player of choice discards one (T16, T31). MAX: everybody discards half of his hand (T31)."""
    if not is_max:
        yield from effects.one_discards(table, player, 1)
        return
    table.saw("T30 no hand to halve", not any(effects.halves(table)))
    if any(effects.halves(table)) and (yield from accepts(player)):
        yield from effects.all_discard_half(table, player)


def draw(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: one card. MAX: as many as the player has clans face up (T17)."""
    count = effects.clans_face_up(table, player) if is_max else 1
    table.saw("T17 no clan to draw for", not count)
    table.saw("T17 a card for each of several clans", count > 1)
    table.saw("T30 no card to draw", not table.can_draw())
    if count and table.can_draw() and (yield from accepts(player)):
        table.draw(player, count)


def vision(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Reveal five cards; take one (MAX: two), discard the others (T18)."""
    table.saw("T30 no card to reveal", not table.can_draw())
    if table.can_draw() and (yield from accepts(player)):
        yield from effects.reveal_and_keep(table, player, VISION_CARDS, 2 if is_max else 1)


def take_back(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Return. Base: a card of the power's own clan (T19). MAX: any card."""
    cards = [card for card in table.discard_pile if is_max or table.faces[card].clan == face.clan]
    yield from effects.take_back(table, player, cards, face.label)


def advantage(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Take the Advantage card and an extra turn, also if he holds it already (T34); so never passed over (T29).
    MAX: before that all who have the fewest points draw two (T33)."""
    if not (yield from accepts(player)):
        return
    if is_max:
        effects.fewest_points_draw(table, player, 2)
    effects.take_advantage(table, player)
    table.seats[player].extra_turns += 1


POWERS: dict[str, Callable[[Table, int, Face, bool], Choices]] = {
    "destruction": destruction,
    "trap": trap,
    "discard": discard,
    "draw": draw,
    "vision": vision,
    "return": take_back,
    "advantage": advantage,
}
