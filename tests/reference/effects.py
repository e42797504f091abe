"""What powers do, whatever they are called: destroy, swap, trap, discard, draw, reveal, take back, take the Advantage card.

Both variants build their powers from these. Whatever an effect looks at is read when it is carried out, not when it
was triggered (T32). Those with targets put one question, with "decline" among the targets (T30), and return whether
they were carried out.
"""

from __future__ import annotations

from collections.abc import Generator

from .flow import Choices, Decision
from .table import Place, Table, ask_discards, ask_place

DECLINE = ("decline",)
Effect = Generator[Decision, str, bool]


def accepts(player: int) -> Effect:
    answer = yield Decision(player, "offer", frozenset({"accept", "decline"}))
    return answer == "accept"


# --- goblins ---------------------------------------------------------------------------------------------------


def destroyable(table: Table, level: int) -> list[Place]:
    """Free cards of this level or less, trapped or not, of any army (T15)."""
    return [place for place in table.places() if place[1] < level and table.is_free(place)]


def destroy(table: Table, player: int, level: int) -> Effect:
    targets = destroyable(table, level)
    table.saw("T30 nothing to destroy", not targets)
    if not targets:
        return False
    place = yield from ask_place(player, "destroy", targets, DECLINE)
    if place is not None:
        table.destroy(place)
    return place is not None


def partners(table: Table, place: Place) -> list[Place]:
    return [other for other in table.places() if other[:2] == place[:2] and other != place]


def swappable(table: Table) -> list[Place]:
    """Cards that have another beside them in their row, trapped or not (T15)."""
    return [place for place in table.places() if partners(table, place)]


def swap(table: Table, player: int) -> Effect:
    """Two cards that stand in one row change places; nobody comes into play (T15)."""
    targets = swappable(table)
    table.saw("T30 nothing to swap", not targets)
    if not targets:
        return False
    first = yield from ask_place(player, "swap", targets, DECLINE)
    if first is None:
        return False
    table.saw("T42 not asked: one partner for a swap", len(partners(table, first)) == 1)
    second = yield from ask_place(player, "swap_with", partners(table, first))
    assert second is not None
    one, other = table.at(first), table.at(second)
    table.saw("T29 two copies of one face swapped", one.face is other.face)
    table.saw("T15 a trapped goblin swapped", one.trapped != other.trapped)
    table.saw("G11 the token moves with a swapped card", one.token != other.token)
    table.swap(first, second)
    return True


def trappable(table: Table, level: int, may_release: bool) -> list[Place]:
    """Face-up cards of this level or less, free or not; trapped ones too if the power may release (T15)."""
    return [place for place in table.places() if place[1] < level and (may_release or not table.at(place).trapped)]


def trap(table: Table, player: int, level: int, may_release: bool) -> Effect:
    targets = trappable(table, level, may_release)
    table.saw("T30 nothing to trap", not targets)
    if not targets:
        return False
    place = yield from ask_place(player, "trap", targets, DECLINE)
    if place is not None:
        table.saw("T15 a goblin trapped that is not free", not table.is_free(place))
        table.saw("T15 an own goblin trapped or released", place[0] == player)
        table.saw("G11 the token stays on a trapped card", table.at(place).token and not table.at(place).trapped)
        table.turn_over(place)
    return place is not None


# --- hands -----------------------------------------------------------------------------------------------------


def one_discards(table: Table, player: int, count: int) -> Effect:
    """A player with cards in hand, himself and those out of the round included, discards that many (T16, T31)."""
    victims = {f"player p{number}": number for number, seat in enumerate(table.seats) if seat.hand}
    table.saw("T30 no hand to hit", not victims)
    if not victims:
        return False
    answer = yield Decision(player, "victim", frozenset({*victims, *DECLINE}))
    if answer == "decline":
        return False
    victim = victims[answer]
    table.saw("T16 hit by one's own power", victim == player)
    table.saw("T31 one who is out is hit", table.seats[victim].is_out and victim != player)
    yield from ask_discards(table, victim, "discard", count)
    return True


def halves(table: Table) -> list[int]:
    return [len(seat.hand) // 2 for seat in table.seats]


def all_discard_half(table: Table, player: int) -> Choices:
    """Everybody, half of his hand, rounded down; the halves are those before the first discard (T31)."""
    numbers = halves(table)
    for victim in table.clockwise(player):
        yield from ask_discards(table, victim, "discard", numbers[victim])


# --- piles -----------------------------------------------------------------------------------------------------


def clans_face_up(table: Table, player: int) -> int:
    return len({goblin.face.clan for goblin in table.seats[player].face_up})


def reveal_and_keep(table: Table, player: int, count: int, keep: int) -> Choices:
    """Reveal so many cards, or what there is (T18); take some of them, discard the others."""
    revealed = table.set_aside
    for _ in range(count):
        card = table.take_top()
        if card is not None:
            revealed.append(card)
    table.saw("T18 fewer to reveal than it says", len(revealed) < count)
    for remaining in range(min(keep, len(revealed)), 0, -1):
        card = revealed[0]
        asked = remaining < len(revealed) and len(set(revealed)) > 1  # not when all are taken or all are alike (T42)
        if asked:
            answer = yield Decision(player, "keep", frozenset(f"take {card}" for card in revealed))
            card = answer.removeprefix("take ")
        else:
            table.saw("T42 not asked: revealed cards all taken or all alike")
        revealed.remove(card)
        table.take_openly(player, card)
        if asked:
            table.changed()  # what needs no answer is one change with the discard of the others (G16)
    table.discard_pile.extend(revealed)
    revealed.clear()
    table.changed()


def take_back(table: Table, player: int, cards: list[str], card_itself: str) -> Effect:
    """One of these cards of the discard pile; `card_itself` is the card whose power it is (T19)."""
    table.saw("T30 nothing to take back", not cards)
    if not cards:
        return False
    answer = yield Decision(player, "return", frozenset({*(f"take {card}" for card in cards), *DECLINE}))
    if answer == "decline":
        return False
    card = answer.removeprefix("take ")
    table.saw("T19 a card takes itself back", card == card_itself)
    table.discard_pile.remove(card)
    table.take_openly(player, card)
    table.changed()
    return True


def fewest_points_draw(table: Table, player: int, count: int) -> None:
    """All who have the fewest points draw, clockwise from the player, himself included (T33)."""
    fewest = min(seat.points for seat in table.seats)
    lowest = [seat for seat in table.seats if seat.points == fewest]
    table.saw("T33 several have the fewest points", 1 < len(lowest) < len(table.seats))
    table.saw("T33 one who is out draws", any(seat.is_out and seat is not table.seats[player] for seat in lowest))
    table.saw("T33 the player does not draw", table.seats[player] not in lowest)
    table.all_draw({other: count for other in table.clockwise(player) if table.seats[other].points == fewest})


# --- Advantage -------------------------------------------------------------------------------------------------


def take_advantage(table: Table, player: int) -> None:
    table.saw("T34 the holder takes the Advantage card again", table.advantage == player)
    table.saw("T4 the Advantage card changes hands in a round", table.advantage != player)
    table.advantage = player
    table.changed()
