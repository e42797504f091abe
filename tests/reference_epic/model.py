"""An independent reference model of Goblins: Epic Death, written from the rulebook, the rulings and the card files alone.

Slow and plain on purpose: names instead of numbers, lists instead of bits. The rules are generators that yield every
`Decision` and are sent the label chosen, so that an Action in the middle of a Fray in the middle of a retreat reads in
the order in which the rules tell it. Nothing of gosu_rl is used.

`table.py` is what lies on the table, `turns.py` the phases, `combat.py` the combat against a Land, `moves.py` moves,
Frays and flights, `tosses.py` the tosses, `actions.py` Actions, windows and steps of cards, `field_steps.py` the steps
about Armies and Lands on the field, `fight_steps.py` those about a combat, `conditions.py` when a step with a condition
is done. The deal and all chance come from outside, so that two programs can play the same game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from .cards import CardSet, Layout, Space, label_of
from .table import Card, Chance, Choices, Decision, GameOver, Seat, Table
from .turns import turn

RULES = {  # docs/rulings-epic-death.md, "Numbers that may be changed"
    "layout": 2,
    "deal": 3,
    "tokens": 5,
    "all_tokens": 54,
    "reinforcements": 2,
    "hand_limit": 3,
    "max_decisions": 40_000,
}


@dataclass
class Deal:
    """Everything that is drawn by lot before the first turn."""

    leaders: list[str]
    hands: list[list[str]]
    starts: list[Space]
    field: dict[Space, str]
    box: dict[str, list[str]]  # terrain -> Lands left out
    draw_pile: list[str]
    first: int


class Dice:
    """Chance of its own, for games of the model alone."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def shuffle(self, cards: list[str]) -> list[str]:
        return self.random.sample(cards, len(cards))

    def coin(self) -> bool:
        return self.random.random() < 0.5

    def steal(self, hand: list[str]) -> str:
        return self.random.choice(hand)

    def drop(self, hand: list[str]) -> str:
        return self.random.choice(hand)


def deal_by_lot(cards: CardSet, players: int, rules: Mapping[str, int], random: Random) -> Deal:
    """A fair deal (E11, E50)."""
    layout = cards.layouts[rules["layout"] - 1]
    goblins = [card.name for card in cards.cards.values() for _ in range(card.copies)]
    random.shuffle(goblins)
    size = rules["deal"]
    field: dict[Space, str] = {}
    box: dict[str, list[str]] = {}
    for terrain in ("Woods", "River", "Wall", "Town"):
        lands = [land.name for land in cards.lands.values() if land.terrain == terrain for _ in range(land.copies)]
        random.shuffle(lands)
        spaces = [space for space, kind in layout.terrain.items() if kind == terrain]
        field |= dict(zip(spaces, lands, strict=False))
        box[terrain] = lands[len(spaces) :]
    return Deal(
        leaders=random.sample(list(cards.leaders), players),
        hands=[goblins[size * player : size * (player + 1)] for player in range(players)],
        starts=random.sample(layout.starts[players], players),
        field=field,
        box=box,
        draw_pile=goblins[size * players :],
        first=random.randrange(players),
    )


def deal_fault(cards: CardSet, layout: Layout, players: int, deal: Deal) -> str:
    """What is wrong with a deal; empty if nothing."""
    goblins = Counter({card.name: card.copies for card in cards.cards.values()})
    if Counter(name for pile in [*deal.hands, deal.draw_pile] for name in pile) != goblins:
        return "hands and draw pile together are not the Goblin cards of the set"
    lands = Counter({land.name: land.copies for land in cards.lands.values()})
    if Counter([*deal.field.values(), *(name for names in deal.box.values() for name in names)]) != lands:
        return "field and box together are not the Lands of the set"
    if {space: cards.lands[name].terrain for space, name in deal.field.items()} != layout.terrain:
        return "a Land lies on a space of another terrain, or a space is without a Land"
    if any(cards.lands[name].terrain != terrain for terrain, names in deal.box.items() for name in names):
        return "a Land of the box stands under another terrain"
    if len(set(deal.leaders)) != players or not set(deal.leaders) <= set(cards.leaders):
        return f"these Leaders were dealt: {deal.leaders}"
    if sorted(deal.starts) != sorted(layout.starts[players]):
        return f"the starts {deal.starts} are not those of the layout"
    return ""


def deal_game(cards: CardSet, deal: Deal, chance: Chance, rules: Mapping[str, int] | None = None) -> EpicGame:
    """A game from its deal on. Raises ValueError for an unlawful deal."""
    numbers = RULES | dict(rules or {})
    layout = cards.layouts[numbers["layout"] - 1]
    if fault := deal_fault(cards, layout, len(deal.hands), deal):
        raise ValueError(fault)
    if any(len(hand) != numbers["deal"] for hand in deal.hands):
        raise ValueError(f"hands of {[len(hand) for hand in deal.hands]} cards; the deal is {numbers['deal']} each")
    seats = [
        Seat(leader, [Card(name) for name in hand], numbers["tokens"], start)
        for leader, hand, start in zip(deal.leaders, deal.hands, deal.starts, strict=True)
    ]
    table = Table(cards, layout, numbers, seats, deal.field, deal.draw_pile, deal.first, chance)
    return EpicGame(table, deal.box)


class EpicGame:
    """One game: `legal` says what the `mover` may answer, `apply` answers it."""

    def __init__(self, table: Table, box: Mapping[str, list[str]]) -> None:
        self.table = table
        self.box = {terrain: sorted(names) for terrain, names in box.items()}
        self.decisions = 0
        self.reason = ""
        self.shares: list[float] | None = None
        self._flow = self._game()
        self._decision: Decision | None = None
        self._advance(None)

    # --- what the tests see ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.shares is not None

    @property
    def mover(self) -> int:
        return -1 if self._decision is None else self._decision.mover

    @property
    def kind(self) -> str:
        return "over" if self._decision is None else self._decision.kind

    @property
    def legal(self) -> set[str]:
        return set() if self._decision is None else set(self._decision.legal)

    @property
    def returns(self) -> list[float] | None:
        """Zero-sum: a winner alone among n gets 1, the others -1/(n-1); all 0 for a truncated game (E8)."""
        if self.shares is None:
            return None
        n = len(self.shares)
        if self.reason == "truncated":
            return [0.0] * n
        return [(n * share - 1) / (n - 1) for share in self.shares]

    def apply(self, label: str) -> None:
        if label not in self.legal:
            raise ValueError(f"{label!r} is not legal; legal are {sorted(self.legal)}")
        self.decisions += 1
        self._advance(label)

    def _advance(self, label: str | None) -> None:
        self.table.coins, self.table.stolen, self.table.dropped = [], [], []
        try:
            self._decision = next(self._flow) if label is None else self._flow.send(label)
        except GameOver:
            self._decision = None
            self.reason = "towns"
            winners = self._winners()
            self.shares = [(1 / len(winners) if player in winners else 0.0) for player in range(len(self.table.seats))]
            return
        if self.decisions >= self.table.rules["max_decisions"]:
            self.table.saw("E8 truncated")
            self._decision = None
            self.reason = "truncated"
            self.shares = [0.0] * len(self.table.seats)

    def _winners(self) -> list[int]:
        """Most Victory Points, then most Land cards, then most tokens, loose and crew; else they share (E7, E34)."""
        table = self.table

        def rank(player: int) -> tuple[int, int, int]:
            seat = table.seats[player]
            return table.points(player), len(seat.conquest), seat.tokens + seat.crew

        ranks = [rank(player) for player in range(len(table.seats))]
        best = max(ranks)
        level = [r for r in ranks if r[0] == best[0]]
        table.saw("E7 tied in points, decided by Land cards", len({r[1] for r in level}) > 1)
        table.saw("E34 tied in Land cards too, decided by tokens", len({r[2] for r in level if r[1] == best[1]}) > 1)
        winners = [player for player, its in enumerate(ranks) if its == best]
        table.saw("E7 a shared win", len(winners) > 1)
        table.saw("E10 who takes the last Town does not win", table.active not in winners)
        return winners

    def as_dict(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as plain data, in the shape of docs/rulings-epic-death.md: `back` of Armies on a Land only, `peeked`
        of face-down Lands only, no `combat` once all tosses are done, no `effect` while an Action is answered.

        Or as `viewer` may see it: without cards of others that he does not know, face-down Lands that he has not looked
        at, the box, and orders.
        """
        table = self.table
        sees_all = viewer is None
        players = [
            {
                "leader": seat.leader,
                "ability_used": seat.ability_used,
                "hand": sorted(
                    card.name for card in seat.hand if viewer in (None, player) or viewer in card.knowers
                ),
                "hand_size": len(seat.hand),
                "known": sorted(card.name for card in seat.hand if len(card.knowers) == len(table.seats) - 1),
                "tokens": seat.tokens,
                "heroes": sorted(seat.heroes),
                "machines": [[machine.name, machine.crew] for machine in seat.machines],
                "space": label_of(seat.space),
                "back": label_of(seat.back) if seat.back is not None and seat.space in table.field else None,
                "conquest": list(seat.conquest),
                "points": table.points(player),
                "fought": sorted(seat.fought),
                "no_combat": seat.no_combat,
                "guarded": seat.guarded,
            }
            for player, seat in enumerate(table.seats)
        ]  # fmt: skip
        field = {
            label_of(space): {
                "terrain": table.layout.terrain[space],
                "land": plot.name if sees_all or plot.face_up or viewer in plot.peeked else None,
                "face_up": plot.face_up,
                "peeked": [] if plot.face_up else sorted(plot.peeked),
            }
            for space, plot in table.field.items()
        }
        combat = table.combat
        return {
            "round": table.round,
            "mover": self.mover,
            "kind": self.kind,
            "first": table.first,
            "active": table.active,
            "advantage": table.first,
            "phase": table.phase,
            "decisions": self.decisions,
            "over": self.over,
            "reason": self.reason,
            "viewer": viewer,
            "layout": table.layout.name,
            "pool": table.pool,
            "frayed": table.frayed,
            "players": players,
            "field": field,
            "spaces": [label_of(space) for space in table.layout.terrain],
            "towns_left": table.towns_left,
            "box": self.box if sees_all else None,
            "draw_pile": list(table.draw_pile) if sees_all else [],
            "draw_pile_size": len(table.draw_pile),
            "pile_order": list(table.pile_order) if sees_all else [],
            "shuffles": table.shuffles,
            "discard_pile": sorted(table.discard_pile),
            "set_aside": sorted(table.set_aside),
            "combat": None if combat is None else {
                "kind": combat.kind,
                "fighters": list(combat.fighters),
                "space": label_of(combat.space),
                "attack_change": {player: combat.attack_change[player] for player in combat.fighters},
                "defense_change": combat.defense_change,
                "off": sorted(machine.name for player in combat.fighters
                              for machine in table.seats[player].machines if machine.is_off),
                "extra_tosses": {player: combat.extra_tosses[player] for player in combat.fighters},
                "fallen": {player: combat.fallen[player] for player in combat.fighters},
            },
            "coins": list(table.coins),
            "stolen": list(table.stolen) if sees_all else [],
            "dropped": list(table.dropped),
            "effect": None if table.effect is None or self.kind == "answer" else {
                "card": table.effect[0],
                "step": table.effect[1].text,
                "subject": table.effect[2],
            },
            "returns": self.returns,
            "shares": self.shares,
        }  # fmt: skip

    # --- the game ----------------------------------------------------------------------------------------------

    def _game(self) -> Choices:
        """Turns clockwise; a round is over when the turn comes back to who began (E11, E50)."""
        table = self.table
        while True:
            for player in table.clockwise(table.first):
                yield from turn(table, player)
            table.round += 1
