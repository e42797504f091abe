"""The model of Gosu X by itself: a game with chance of its own, and what must hold of every position."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from .gosu_x import GosuXGame
from .gosu_x_table import ETHEREAL_TOKENS
from .gosu_x_words import XCardFile


def deal_x(cards: str | Path | XCardFile, chance: Random, rules: dict[str, int] | None = None) -> GosuXGame:
    """A game whose first player, decks and lots are drawn from `chance`."""
    return GosuXGame(
        cards,
        first=chance.randrange(2),
        shuffle=lambda player, labels: chance.sample(labels, len(labels)),
        lots=lambda: chance.randrange(2),
        rules=rules,
    )


def check_x_position(game: GosuXGame) -> None:
    """Cards and tokens are where they can be, every one once, and knowledge is of what is there."""
    table = game.table
    drafted = len(table.draft) == 6
    assert len(table.tiles) >= (2 if drafted else 0)
    in_aside = Counter(table.set_aside)
    for seat in table.seats:
        own = {face.label for face in table.faces.values() if face.clan in seat.clans}
        aside = Counter({label: count for label, count in in_aside.items() if label in own})
        places = [seat.hand, seat.discard_pile, seat.removed, [card.label for card in seat.deck]]
        places.append([card.face.label for card in seat.cards])
        found = Counter(label for place in places for label in place) + aside
        assert found == Counter({label: table.faces[label].copies for label in own} if drafted else {})
        assert not Counter(seat.known) - Counter(seat.hand)
        assert not seat.surely - Counter(card.label for card in seat.deck if not card.both)
        assert Counter(card.label for card in seat.deck if not card.both) - seat.surely or Counter(
            seat.known
        ) == Counter(seat.hand)
        low, middle, high = (len(row) for row in seat.army)
        assert 5 >= low >= middle >= high  # X35
        for number, row in enumerate(seat.army):
            assert all(card.face.level == number + 1 for card in row)
        for card in seat.cards:
            assert 0 <= card.tokens <= card.face.icons
            assert not card.captured or not (card.tokens or card.bounty or card.ethereal)  # X24
        count = seat.ready + seat.spent + seat.placed + seat.locked
        assert count == max(game.rules["tokens"], game.rules["token_limit"])
        assert min(seat.ready, seat.spent, seat.locked) >= 0
        assert not (seat.passed and seat.extra_turn)
        assert seat.points < game.rules["points_to_win"] or game.over
    cards = [card for seat in table.seats for card in seat.cards]
    assert sum(card.bounty for card in cards) <= 1
    assert sum(card.ethereal for card in cards) <= (0 if table.tile_guards() else ETHEREAL_TOKENS)
    assert game.over or table.power is not None or table.depth == 0
