"""GOSU sets drawn at random: published counts and strengths, three zombies among the Dark Heroes, for every Ôzeki a bent rule or a
condition of its own; names, costs and who has which power are chance.

The powers themselves are those of the packaged set, so that sampled sets differ in what lies where, not in what can be done.
"""

from __future__ import annotations

from dataclasses import replace

from gosu_rl.core.cards import check
from gosu_rl.core.cards.check import RULEBOOKS
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.powers import SILENT
from gosu_rl.core.cards.sample_stream import SAMPLER, Stream, draw_name
from gosu_rl.core.cards.schema import BENDS, Card, CardSet

# Powers by the level that they belong to, after the packaged set; a card takes powers of its level or the one below.
TRIGGERS = ("enter", "mutate", "activate")
TRIGGER_WEIGHTS = (50, 25, 25)
MUTATES = {1: 85, 2: 75, 3: 60}  # chance in percent that a card without mutation powers can mutate
COSTS = {1: (25, 65, 10, 0), 2: (0, 60, 40, 0), 3: (0, 0, 60, 40)}  # weights of the costs 0 to 3
BOSS_HAS_POWER = 70  # chance in percent that an Ôzeki has a power besides its rule or condition
CONDITIONS = (("hand 12",), ("pile 45",), ("foes_hand 0", "hand 2"), ("foes_army 2", "army 7"), ("names",))
PROVENANCE = {
    **dict.fromkeys(
        ("name", "clan", "mutation", "zombie", "enter", "mutate", "activate", "departure", "rule", "win", "names"),
        "reconstructed",
    ),
    **dict.fromkeys(("level", "copies", "strength"), "published"),
}


def sample_gosu(seed: int) -> CardSet:
    """A GOSU set drawn by `seed`; what `sample_set("gosu", seed)` gives."""
    packaged = load("gosu")
    rulebook = RULEBOOKS["gosu"]
    stream = Stream(seed)
    names: set[str] = set()
    slots = [
        (clan, level)
        for clan in rulebook.clans
        for level, count in enumerate(rulebook.faces_per_clan, start=1)
        for _ in range(count)
    ]
    by_level = _powers_by_level(packaged)
    first = {level: stream.shuffled(powers) for level, powers in by_level.items()}  # so that every power occurs
    marks = stream.shuffled([((bend,), ()) for bend in BENDS] + [((), win) for win in CONDITIONS])
    cards = []
    for clan, level in stream.shuffled(slots):
        card = Card(
            name=draw_name(stream, names),
            clan=clan,
            level=level,
            copies=rulebook.copies_per_face[level - 1],
            strength=rulebook.strength[level - 1],
        )
        if level == 3:
            rule, win = marks.pop()
            card = replace(card, rule=rule, win=win)
        if level < 3 or first[3] or stream.chance(BOSS_HAS_POWER):
            card = _with_power(
                stream, card, first[level].pop() if first[level] else stream.pick(by_level[level]), packaged
            )
        if card.mutate or stream.chance(MUTATES[level]):
            card = replace(card, mutation=stream.weighted(COSTS[level]))
        cards.append(card)
    cards.sort(key=lambda card: (rulebook.clans.index(card.clan), card.level))
    card_set = CardSet(
        name=f"gosu-sample-{seed}",
        variant="gosu",
        title=f"GOSU, sampled set {seed}",
        version=str(SAMPLER),
        composition="rulebook",
        cards=tuple(_with_zombies(stream, _with_names(stream, cards), rulebook.zombie_clan)),
        powers=dict(packaged.powers),
        provenance=dict(PROVENANCE),
        sources={
            "published": "Counts and strengths, and that three Dark Heroes are zombies; all else is drawn at random"
        },
        notes=f"Drawn by sampler {SAMPLER} with seed {seed}; not the published cards.",
    )
    check.check(card_set)  # holds by construction; a fault here is one of this file
    return card_set


def _powers_by_level(packaged: CardSet) -> dict[int, list[str]]:
    """The packaged set's powers by the lowest level of card that has them; those about names are left to Walror's kind."""
    found: dict[str, int] = {}
    for card in packaged.cards:
        for trigger in ("enter", "mutate", "activate", "departure"):
            for power in getattr(card, trigger):
                found[power] = min(card.level, found.get(power, 3))
    named = {name for name, steps in packaged.powers.items() if {"take_back names", "if names"} & set(steps)}
    return {
        level: [power for power in packaged.powers if found[power] == level and power not in named]
        for level in (1, 2, 3)
    }


def _with_power(stream: Stream, card: Card, power: str, packaged: CardSet) -> Card:
    words = [step.split()[0] for step in packaged.powers[power]]
    if all(word in SILENT for word in words) and stream.chance(50):
        return replace(card, departure=(power,))
    trigger = TRIGGERS[stream.weighted(TRIGGER_WEIGHTS)]
    return replace(card, enter=(power,) if trigger == "enter" else (), mutate=(power,) if trigger == "mutate" else (),
                   activate=(power,) if trigger == "activate" else ())  # fmt: skip


def _with_names(stream: Stream, cards: list[Card]) -> list[Card]:
    """Whoever wins by names gets three Heroes of his clan to name."""
    out = []
    for card in cards:
        if "names" in card.win:
            heroes = [other.name for other in cards if other.clan == card.clan and other.level == 2]
            card = replace(card, names=tuple(stream.shuffled(heroes)[:3]))
        out.append(card)
    return out


def _with_zombies(stream: Stream, cards: list[Card], clan: str) -> list[Card]:
    """Three Heroes of the zombie clan become zombies, with a cost if they had none."""
    heroes = [k for k, card in enumerate(cards) if card.clan == clan and card.level == 2]
    chosen = set(stream.shuffled(heroes)[:3])
    return [
        replace(card, zombie=True, mutation=1 if card.mutation is None else card.mutation) if k in chosen else card
        for k, card in enumerate(cards)
    ]
