"""Games of the model alone, with chance of its own: what is lawful in every position, and which situations they meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from .cases import cards_of
from .lockstep import Case
from .model import RULES, Dice, EpicGame, deal_by_lot, deal_game
from .policies import POLICIES


def new_game(case: Case) -> EpicGame:
    cards = cards_of(case.style, case.set_seed)
    chance = Random(case.seed)
    rules = dict(case.rules)
    return deal_game(cards, deal_by_lot(cards, case.players, RULES | rules, chance), Dice(chance), rules)


def positions(case: Case) -> Iterator[EpicGame]:
    """The game at every decision of a case, and at its end."""
    game = new_game(case)
    chance = Random(f"{case.seed} {case.policy}")
    yield game
    while not game.over:
        game.apply(POLICIES[case.policy](chance, game))
        yield game


def position_fault(game: EpicGame) -> str:
    """What is wrong with a position, whatever was played; empty if nothing."""
    table = game.table
    seats = table.seats
    tokens = table.pool + sum(seat.tokens + seat.crew for seat in seats)
    if tokens != table.rules["all_tokens"] or min([table.pool, *(seat.tokens for seat in seats)]) < 0:
        return f"{tokens} tokens of {table.rules['all_tokens']}"
    cards = Counter([*table.draw_pile, *table.discard_pile, *table.set_aside])
    for seat in seats:
        cards.update(card.name for card in seat.hand)
        cards.update(machine.name for machine in seat.machines)
        cards.update(seat.heroes)
    if cards != Counter({name: card.copies for name, card in table.cards.cards.items()}):
        return "a Goblin card lost or doubled"
    lands = Counter([plot.name for plot in table.field.values()])
    lands.update(name for names in game.box.values() for name in names)
    lands.update(name for seat in seats for name in seat.conquest)
    if lands != Counter({name: land.copies for name, land in table.cards.lands.items()}):
        return "a Land lost or doubled"
    fighters = table.combat.fighters if table.combat is not None else []
    spots = Counter(seat.space for seat in seats)
    for space, count in spots.items():
        fighting = len(fighters) == 2 and {seats[player].space for player in fighters} == {space}
        leaving = game.reason == "truncated" or (game.kind == "flee" and seats[game.mover].space == space)
        if space not in table.layout.terrain or count > 1 + (fighting or leaving):
            return f"{count} Armies on {space} (E37)"
    for player, seat in enumerate(seats):
        if any(not 0 <= machine.crew <= table.cards.cards[machine.name].cost for machine in seat.machines):
            return f"p{player} has a Machine with {[machine.crew for machine in seat.machines]} crew"
        if any(player in card.knowers for card in seat.hand):
            return f"p{player} counts among those who know of his own cards"
    if not game.over and (not game.legal or not 0 <= game.mover < len(seats)):
        return "nobody to move, or nothing to choose"
    return ""
