"""The seven powers, base and MAX.

A power of which everybody can see that it has no effect is passed over silently (T30). Targets are put in one question,
with "decline" among them; a power without targets puts accept or decline (T14, T30). Whatever it looks at is read
when it resolves, not when it was triggered (T32).
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from .faces import Face
from .table import Choices, Decision, Place, Table, ask_discards, ask_place

VISION_CARDS = 5
DECLINE = ("decline",)


def resolve(table: Table, player: int, face: Face, power: str) -> Choices:
    """Carries out one power of the card `face` for `player`, whose turn it is."""
    name, _, mode = power.partition(" ")
    table.power = {"card": face.label, "name": power}
    yield from POWERS[name](table, player, face, mode == "MAX")
    table.power = None


def accepts(player: int) -> Generator[Decision, str, bool]:
    answer = yield Decision(player, "offer", frozenset({"accept", "decline"}))
    return answer == "accept"


def destruction(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: destroy a free card of level 1 or 2. MAX: a swap, then destroy a free card of any level, each of the two
    steps as the player likes (T29)."""
    if is_max:
        yield from swap(table, player)
    rows = (0, 1, 2) if is_max else (0, 1)
    targets = [place for place in table.places() if place[1] in rows and table.is_free(place)]  # trapped or not (T15)
    table.saw("T30 nothing to destroy", not targets)
    if targets:
        place = yield from ask_place(player, "destroy", targets, DECLINE)
        if place is not None:
            table.destroy(place)


def swap(table: Table, player: int) -> Choices:
    """Two cards that stand in one row change places, trapped or not; nobody comes into play (T15)."""

    def others(place: Place) -> list[Place]:
        return [other for other in table.places() if other[:2] == place[:2] and other != place]

    first_targets = [place for place in table.places() if others(place)]
    if not first_targets:
        table.saw("T30 nothing to swap")
        return
    first = yield from ask_place(player, "swap", first_targets, DECLINE)
    if first is None:
        table.saw("T29 the swap declined, the destruction still asked")
        return
    second_targets = others(first)
    if len(second_targets) == 1:
        table.saw("T42 not asked: one partner for a swap")
        second: Place | None = second_targets[0]
    else:
        second = yield from ask_place(player, "swap_with", second_targets)
    assert second is not None
    row = table.seats[first[0]].army[first[1]]
    one, other = row[first[2]], row[second[2]]
    row[first[2]], row[second[2]] = other, one
    table.saw("T29 two copies of one face swapped", one.face is other.face)
    table.saw("T15 a trapped goblin swapped", one.trapped != other.trapped)
    table.check_victory([first[0]])


def trap(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: trap a face-up card of level 1 or 2, free or not. MAX: trap or release any card (T15)."""
    targets = [place for place in table.places() if is_max or (place[1] < 2 and not table.at(place).trapped)]
    table.saw("T30 nothing to trap", not targets)
    if targets:
        place = yield from ask_place(player, "trap", targets, DECLINE)
        if place is not None:
            table.saw("T15 a goblin trapped that is not free", not table.is_free(place))
            table.saw("T15 an own goblin trapped or released", place[0] == player)
            table.at(place).trapped = not table.at(place).trapped
            table.check_victory([place[0]])


def discard(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: a player with cards in hand, himself and those out of the round included, discards one (T16, T31).
    MAX: everybody discards half of his hand, rounded down; the halves are those before the first discard (T31)."""
    if is_max:
        halves = [len(seat.hand) // 2 for seat in table.seats]
        table.saw("T30 no hand to halve", not any(halves))
        if any(halves) and (yield from accepts(player)):
            for victim in table.clockwise(player):
                yield from ask_discards(table, victim, "discard", halves[victim])
        return
    victims = {f"player p{number}": number for number, seat in enumerate(table.seats) if seat.hand}
    table.saw("T30 no hand to hit", not victims)
    if victims:
        answer = yield Decision(player, "victim", frozenset(victims) | frozenset(DECLINE))
        if answer in victims:
            table.saw("T16 hit by one's own power", victims[answer] == player)
            table.saw("T31 one who is out is hit", table.seats[victims[answer]].is_out and victims[answer] != player)
            yield from ask_discards(table, victims[answer], "discard", 1)


def draw(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Base: one card. MAX: as many as the player has clans face up (T17)."""
    count = len({goblin.face.clan for goblin in table.seats[player].face_up}) if is_max else 1
    table.saw("T17 no clan to draw for", not count)
    table.saw("T17 a card for each of several clans", count > 1)
    table.saw("T30 no card to draw", not table.can_draw())
    if count and table.can_draw() and (yield from accepts(player)):
        table.draw(player, count)


def vision(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Reveal five cards, or what there is (T18); take one (MAX: two), discard the others."""
    table.saw("T30 no card to reveal", not table.can_draw())
    if not table.can_draw() or not (yield from accepts(player)):
        return
    revealed = table.set_aside
    for _ in range(VISION_CARDS):
        card = table.take_top()
        if card is not None:
            revealed.append(card)
    table.saw("T18 fewer than five to reveal", len(revealed) < VISION_CARDS)
    to_take = min(2 if is_max else 1, len(revealed))
    for remaining in range(to_take, 0, -1):
        card = revealed[0]
        if remaining < len(revealed) and len(set(revealed)) > 1:  # not asked when all are taken or all are alike (T42)
            answer = yield Decision(player, "keep", frozenset(f"take {card}" for card in revealed))
            card = answer.removeprefix("take ")
        else:
            table.saw("T42 not asked: revealed cards all taken or all alike")
        revealed.remove(card)
        table.take_openly(player, card)
    table.discard_pile.extend(revealed)
    revealed.clear()


def take_back(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Return. Base: a card of the power's own clan (T19). MAX: any card."""
    cards = [card for card in table.discard_pile if is_max or table.faces[card].clan == face.clan]
    table.saw("T30 nothing to take back", not cards)
    if cards:
        answer = yield Decision(player, "return", frozenset(f"take {card}" for card in cards) | frozenset(DECLINE))
        if answer != "decline":
            card = answer.removeprefix("take ")
            table.saw("T19 a card takes itself back", card == face.label)
            table.discard_pile.remove(card)
            table.take_openly(player, card)


def advantage(table: Table, player: int, face: Face, is_max: bool) -> Choices:
    """Take the Advantage card and an extra turn, also if he holds it already (T34); so never passed over (T29).
    MAX: before that all who have the fewest points draw two, clockwise from the player, himself included (T33)."""
    if not (yield from accepts(player)):
        return
    if is_max:
        fewest = min(seat.points for seat in table.seats)
        lowest = [seat for seat in table.seats if seat.points == fewest]
        table.saw("T33 several have the fewest points", 1 < len(lowest) < len(table.seats))
        table.saw("T33 one who is out draws", any(seat.is_out and seat is not table.seats[player] for seat in lowest))
        table.saw("T33 the player does not draw", table.seats[player] not in lowest)
        for other in table.clockwise(player):
            if table.seats[other].points == fewest:
                table.draw(other, 2)
    table.saw("T34 the holder takes the Advantage card again", table.advantage == player)
    table.saw("T4 the Advantage card changes hands in a round", table.advantage != player)
    table.advantage = player
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
