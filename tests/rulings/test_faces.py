"""Every face of a card set is played: recruited, linked with, mutated; the powers its entry names must come up in order and do
what they say. Each case is one set-up position with plenty on the table, and a short reckoning of what has to change.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import gosu_rl
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.sample import sample_set
from gosu_rl.core.cards.schema import TRIGGERS, Card, CardSet
from gosu_rl.core.game import Game, GameState

from .table import army, asked, hand, player, sizes

PACKAGED = load("tactics")

KINDS = {  # the decisions of each power, where there is something to do; the other seat's in capitals
    "destruction": ["destroy"],
    "destruction MAX": ["swap", "swap_with", "destroy"],
    "trap": ["trap"],
    "trap MAX": ["trap"],
    "discard": ["victim", "DISCARD"],
    "discard MAX": ["offer"],  # and one `discard` for every second card of each hand
    "draw": ["offer"],
    "draw MAX": ["offer"],
    "vision": ["offer", "keep"],
    "vision MAX": ["offer", "keep", "keep"],
    "return": ["return"],
    "return MAX": ["return"],
    "advantage": ["offer"],
    "advantage MAX": ["offer"],
}


@dataclass
class Scene:
    """A position of seat 0 with one thing to do; cards are taken from the set as they are needed."""

    cards: CardSet
    used: set[str] = field(default_factory=set)

    def take(self, level: int, clan: str = "", not_clan: str = "", quiet: bool = False) -> Card:
        """An unused face of a level, of a clan or of another one; `quiet`: without link powers, as far as there are such."""
        found = [
            card
            for card in self.cards.cards
            if card.level == level
            and card.label not in self.used
            and (not clan or card.clan == clan)
            and (not not_clan or card.clan != not_clan)
        ]
        card = min(found, key=lambda card: (quiet and bool(card.link), len(card.enter)))
        self.used.add(card.label)
        return card

    def parse(self, game: Game, cards: list[Card], rows: list[list[Card]]) -> GameState:
        """Seat 0 with these cards; seat 1 has an army with a trapped goblin, a hand of six, and holds the Advantage card."""
        labels = ", ".join(card.label for card in cards)
        lines = [f"  army {k}: {', '.join(card.label for card in row)}" for k, row in enumerate(rows, 1) if row]
        theirs = [[self.take(level).label for _ in range(count)] for level, count in ((1, 4), (2, 4), (3, 2))]
        theirs[0][0] = f"({theirs[0][0]})"
        other = [f"  army {k}: {', '.join(row)}" for k, row in enumerate(theirs, 1)]
        spare = ", ".join(self.take(2).label for _ in range(4)) + ", " + ", ".join(self.take(1).label for _ in range(2))
        pile = [self.take(1, clan=clan).label for clan in ("Fire", "Dark", "Alpha", "Méka", "Ancient")]
        text = [
            "tactics, 2 players",
            "now: advantage=p1",
            "p0: points=1",
            f"  hand: {labels}",
            *lines,
            "p1:",
            f"  hand: {spare}",
            *other,
            f"discard_pile: {', '.join(pile)}",
        ]
        return game.parse("\n".join(text))


def answer(state: GameState) -> str:
    """Accept; take what lies first; aim at seat 1: trap at the bottom left, destroy at the top right."""
    labels = state.legal_labels
    if "accept" in labels:
        return "accept"
    at_other = [label for label in labels if label.startswith(("target p1", "player p1"))]
    if state.kind == "trap":
        rows = army(state, 1)
        return next(label for label in at_other if not rows[int(label[-3]) - 1][int(label[-1]) - 1].startswith("("))
    if at_other:
        return at_other[-1] if state.kind == "destroy" else at_other[0]
    return next(label for label in labels if label != "decline")


def resolve(state: GameState) -> list[str]:
    """Answer everything up to the next turn; the kinds that were put, the other seat's in capitals."""
    kinds = []
    while state.kind not in ("turn", "over"):
        kinds.append(state.kind if state.mover == 0 else state.kind.upper())
        state.apply(answer(state))
    return kinds


def goblins(state: GameState) -> tuple[int, int]:
    """Seat 1's goblins, and how many of them are trapped."""
    rows = [name for row in army(state, 1) for name in row]
    return len(rows), sum(name.startswith("(") for name in rows)


def check(state: GameState, powers: list[tuple[Card, str]]) -> None:
    """Resolve what has come up and compare it with the powers named, in order."""
    mine, theirs = sizes(state)
    clans = len({card.clan for card in army_cards(state)})
    standing, trapped = goblins(state)
    holder, extra, wanted = state.advantage, 0, []
    for _, power in powers:
        wanted += KINDS[power]
        if power == "discard MAX":
            wanted += ["discard"] * (mine // 2) + ["DISCARD"] * (theirs // 2)
            mine, theirs = mine - mine // 2, theirs - theirs // 2
        elif power == "discard":
            theirs -= 1
        elif power.startswith("destruction"):
            standing -= 1
        elif power.startswith("trap"):
            trapped += 1
        elif power.startswith("advantage"):
            holder, extra = 0, extra + 1
            theirs += 2 if power == "advantage MAX" else 0  # seat 1 alone has the fewest points
        else:
            mine += {"draw": 1, "draw MAX": clans, "vision": 1, "vision MAX": 2, "return": 1, "return MAX": 1}[power]
    assert resolve(state) == wanted
    assert (sizes(state), state.advantage) == ([mine, theirs], holder)
    assert goblins(state) == (standing, trapped)
    if extra:
        assert (asked(state), player(state, 0)["extra_turns"]) == ((0, "turn"), extra - 1)
    else:
        assert asked(state) == (1, "turn")


def army_cards(state: GameState) -> list[Card]:
    """Seat 0's face-up goblins."""
    by_label = {card.label: card for card in state.game.card_set.cards}
    return [by_label[name] for row in army(state, 0) for name in row if not name.startswith("(")]


def arrivals(card: Card) -> list[tuple[Card, str]]:
    return [(card, power) for power in card.enter]


def recruited(cards: CardSet, game: Game, face: Card) -> None:
    """Recruit the face beside goblins of other clans."""
    scene = Scene(cards, {face.label})
    below = [[scene.take(k, not_clan=face.clan), scene.take(k, clan=face.clan)] for k in range(1, face.level)]
    state = scene.parse(game, [face, *(scene.take(3, not_clan=face.clan) for _ in range(2))], below)
    state.apply(f"play {face.label}")
    if state.kind == "use":
        state.apply("recruit")
    assert army(state, 0)[face.level - 1] == [face.label]
    check(state, arrivals(face))


def linked(cards: CardSet, game: Game, face: Card) -> None:
    """Recruit a goblin of the face's clan and level on its right."""
    scene = Scene(cards, {face.label})
    newcomer = scene.take(face.level, clan=face.clan, quiet=True)
    below = [[scene.take(k, clan=face.clan), scene.take(k, not_clan=face.clan)] for k in range(1, face.level)]
    state = scene.parse(game, [newcomer, scene.take(3, not_clan=face.clan)], [*below, [face]])
    state.apply(f"play {newcomer.label}")
    if state.kind == "use":
        state.apply("recruit")
    assert army(state, 0)[face.level - 1] == [face.label, newcomer.label]
    check(state, arrivals(newcomer) + [(face, power) for power in face.link if "right" in face.links])


def mutated(cards: CardSet, game: Game, face: Card) -> None:
    """Mutate the face into a goblin of another clan; only its replacement and the price are in the hand."""
    assert face.mutation is not None
    scene = Scene(cards, {face.label})
    newcomer = scene.take(face.level, not_clan=face.clan)
    below = [[scene.take(k, clan=face.clan)] for k in range(1, face.level)]
    price = [scene.take(3, not_clan=newcomer.clan) for _ in range(min(face.mutation, 2))]
    price += [scene.take(2, not_clan=newcomer.clan) for _ in range(face.mutation - len(price))]
    state = scene.parse(game, [newcomer, *price], [*below, [face]])
    state.apply(f"play {newcomer.label}")
    if state.kind == "use":
        state.apply(f"replace {face.level}.1")
    assert army(state, 0)[face.level - 1] == [newcomer.label]
    assert face.label in state.as_dict()["discard_pile"]
    assert hand(state, 0) == []
    check(state, [(face, power) for power in face.mutate] + arrivals(newcomer))


def play_face(cards: CardSet, game: Game, face: Card, trigger: str) -> None:
    {"enter": recruited, "link": linked, "mutate": mutated}[trigger](cards, game, face)


def cases(cards: CardSet) -> list[tuple[Card, str]]:
    """Every face is recruited; those with link powers link; those with a mutation cost mutate."""
    found = [(card, "enter") for card in cards.cards]
    found += [(card, "link") for card in cards.cards if card.link]
    return found + [(card, "mutate") for card in cards.cards if card.mutation is not None]


@pytest.fixture(scope="module")
def tactics() -> Game:
    return gosu_rl.game("tactics", 2)


@pytest.mark.parametrize(
    ("face", "trigger"),
    [pytest.param(card, trigger, id=f"{card.label}, {trigger}") for card, trigger in cases(PACKAGED)],
)
def test_every_face_of_the_packaged_set(tactics: Game, face: Card, trigger: str) -> None:
    play_face(PACKAGED, tactics, face, trigger)


@pytest.mark.parametrize("seed", range(4))
def test_every_face_of_sampled_sets(seed: int) -> None:
    cards = sample_set("tactics", seed)
    game = gosu_rl.game("tactics", 2, cards)
    for face, trigger in cases(cards):
        try:
            play_face(cards, game, face, trigger)
        except AssertionError as error:
            raise AssertionError(f"{face.label}, {trigger}: {error}") from error


def test_the_cases_name_every_face_and_every_power_of_the_set() -> None:
    played = cases(PACKAGED)
    assert {card.label for card, trigger in played if trigger == "enter"} == {card.label for card in PACKAGED.cards}
    assert len(PACKAGED.cards) == 60
    for trigger in TRIGGERS:
        named = {card.label for card in PACKAGED.cards if getattr(card, trigger)}
        assert named <= {card.label for card, how in played if how == trigger}
    assert {power for card in PACKAGED.cards for trigger in TRIGGERS for power in getattr(card, trigger)} == set(KINDS)
