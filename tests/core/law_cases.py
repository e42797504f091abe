"""What the laws are tried on: card sets from a handful of cards to the packaged one, games of two to four players, and positions
of every kind of decision, gathered by walks of which some never pass and some hoard cards that cannot be played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import gosu_rl
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.jit import JIT

PLAYERS = (2, 3, 4)
SETS = ("tactics", "small", "bare")
STYLES = ("uniform", "eager", "brisk", "hoarder")
QUIET = {"pass", "decline", "keep"}


def small_set() -> CardSet:
    """38 copies of two clans with every power: reshuffles, zombies, links and forced discards come soon."""
    cards = []
    for clan, dark in (("Dark", True), ("Fire", False)):
        cards += [
            Card(f"{clan} scout", clan, 1, copies=2, strength=2, mutation=0, zombie=dark, enter=("vision",)),
            Card(f"{clan} brute", clan, 1, copies=2, strength=2, mutation=1, enter=("discard",), mutate=("return",)),
            Card(f"{clan} digger", clan, 1, copies=2, strength=1, enter=("trap MAX",), link=("draw",)),
            Card(f"{clan} scout", clan, 1, x=True, strength=2, mutation=1, zombie=dark, link=("trap", "draw MAX")),
            Card(f"{clan} brute", clan, 1, x=True, strength=3, mutation=2, link=("destruction",), mutate=("draw",)),
            Card(f"{clan} thief", clan, 2, copies=2, strength=3, mutation=1, enter=("return MAX",), link=("vision",)),
            Card(f"{clan} seer", clan, 2, copies=2, strength=3, enter=("vision MAX",), link=("discard MAX",)),
            Card(f"{clan} herald", clan, 2, strength=4, mutation=0, zombie=dark, enter=("advantage MAX",)),
            Card(f"{clan} spy", clan, 2, strength=2, mutation=1, enter=("destruction MAX",), mutate=("advantage",)),
            Card(f"{clan} king", clan, 3, copies=2, strength=5, enter=("discard MAX", "draw MAX")),
            Card(f"{clan} queen", clan, 3, strength=6, mutation=1, link=("trap MAX",), links=("below",)),
            Card(f"{clan} jester", clan, 3, strength=1, mutation=0, zombie=dark, mutate=("trap MAX", "return MAX")),
        ]
    return CardSet("small", "tactics", "Two clans with every power", "1", "free", tuple(cards))


def bare_set() -> CardSet:
    """26 copies of one clan with few Bakutos and hardly a power: mulligans, hands without a play, empty piles."""
    cards = [
        Card("Grunt", "Alpha", 1, copies=2, strength=2, mutation=2),
        Card("Grunt", "Alpha", 1, x=True, strength=2, link=("draw",)),
        Card("Boo!", "Alpha", 1, strength=1, enter=("vision",)),
        *(Card(f"Hero {k}", "Alpha", 2, copies=2, strength=3, mutation=k) for k in range(5)),
        *(Card(f"Boss {k}", "Alpha", 3, copies=2, strength=4, enter=("discard",)) for k in range(6)),
    ]
    return CardSet("bare", "tactics", "One clan, few Bakutos", "1", "free", tuple(cards))


@cache
def game(cards: str, players: int) -> Game:
    """One game object for each of SETS and PLAYERS; small sets deal fewer cards."""
    if cards == "tactics":
        return gosu_rl.game("tactics", players)
    if cards == "small":
        rules = {"deal": 6, "keep": 4, "hand_target": 5}
        return gosu_rl.game("tactics", players, cards=small_set(), rules=rules)
    rules = {"deal": 4, "keep": 3, "hand_target": 4}
    return gosu_rl.game("tactics", players, cards=bare_set(), rules=rules)


def games() -> list[Game]:
    """All of them."""
    return [game(cards, players) for cards in SETS for players in PLAYERS]


def choose(state: GameState, style: str, chance: Random) -> int:
    """A legal action, in one of STYLES: `eager` never passes or declines, `brisk` ends rounds, `hoarder` keeps what it cannot
    play. Between them they reach every kind of decision."""
    legal = state.legal
    if style == "uniform":
        return chance.choice(legal)
    labels = state.game.labels
    if state.kind == "turn" and chance.random() < {"eager": 0.0, "brisk": 0.4, "hoarder": 0.75}[style]:
        return state.game.action("pass")
    if style == "hoarder" and state.kind in ("opening", "pay", "discard"):
        level = {card.label: card.level for card in state.game.card_set.cards}
        return min(legal, key=lambda a: (level[labels[a].removeprefix("discard ")], chance.random()))
    return chance.choice([a for a in legal if labels[a] not in QUIET] or legal)


def walk(state: GameState, style: str, chance: Random, most: int = 400) -> Iterator[GameState]:
    """Play on in place; yields the state at every decision and at the end (always the same object)."""
    for _ in range(most):
        yield state
        if state.over:
            return
        state.apply(choose(state, style, chance))


def linked_army(one: Game) -> GameState:
    """A card is named to replace goblin 1.2, between two link cards: for any set with two linking X of a clan."""
    cards = one.card_set.cards
    for x1, x2 in combinations([card for card in cards if card.x and card.link and len(card.links) == 4], 2):
        crew = [c for c in cards if c.clan == x1.clan == x2.clan and c.level == 1 and not c.x]
        names = {x1.name, x2.name}
        middle = next((c for c in crew if c.mutation is not None and c.name in names), None)
        newcomer = next((c for c in crew if middle is not None and c.name != middle.name), None)
        if middle is None or newcomer is None:
            continue
        used = [x1.label, x2.label, middle.label, newcomer.label]
        spare = [c.label for c in cards if c.label not in used]
        text = f"""{one.variant}, {one.players} players
            p0:
              hand: {newcomer.label}, {", ".join(spare[:4])}
              army 1: {x1.label}, {middle.label}, {x2.label}
            p1:
              hand: {", ".join(spare[4:7])}
              army 1: {spare_of_level(one, spare[7:], 1)}
            discard_pile: {", ".join(spare[-4:])}
            """
        state = one.parse(text).apply(f"play {newcomer.label}")
        return state.apply("replace 1.2") if state.kind == "use" else state
    raise AssertionError(f"no two linking X of one clan in {one.card_set.name}")


def spare_of_level(one: Game, labels: list[str], level: int) -> str:
    """Up to three of these cards that have a level, as a row of a position text."""
    levels = {card.label: card.level for card in one.card_set.cards}
    return ", ".join([label for label in labels[:-4] if levels[label] == level][:3])


@cache
def corpus(each: int = 3) -> tuple[GameState, ...]:
    """Snapshots of every kind of decision in every game, up to `each` a kind and game; also of games that are over.

    With the JIT off three games must do: the packaged set for two, the small one for three, the bare one for four players.
    """
    found = []
    for g, one in enumerate(games() if JIT else games()[::4]):
        seen: Counter[str] = Counter()
        starts = [one.new(seed=1000 * g + number) for number in range(8)]  # enough for each style to be used twice
        if one.card_set.name != "bare":
            starts += [linked_army(one) for _ in range(16)]
        for number, state in enumerate(starts):
            chance = Random(f"{g} {number}")
            for here in walk(state, "eager" if number >= 8 else STYLES[number % len(STYLES)], chance):
                if seen[here.kind] < each and chance.random() < 0.25 + 0.75 * (number > 3):
                    seen[here.kind] += 1
                    found.append(here.copy())
    return tuple(found)


def name(state: GameState) -> str:
    """Words for a failure: which game, which decision."""
    return f"{state.game.card_set.name}, {state.game.players} players, {state.kind} at decision {state.decisions}"
