"""Card sets drawn at random that meet everything the rulebook states.

The published cards are not known, so a measured win rate is worth more when it is given over many plausible sets. A
sampled set has the rulebook's counts, strengths and X cards; its powers and mutation costs are drawn from the weights
below.
A set is a pure function of variant, seed and `SAMPLER`, on every machine and version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gosu_rl.core.cards import check
from gosu_rl.core.cards.check import RULEBOOKS, Rulebook
from gosu_rl.core.cards.powers import BASE_POWERS, RULEBOOK_POWERS
from gosu_rl.core.cards.schema import TRIGGERS, Card, CardFileError, CardSet
from gosu_rl.core.cards.wording import nearest, quoted

SAMPLER = 1  # raise it with every change that gives other sets for the same seeds
TITLES = {"tactics": "GOSU 2: Tactics"}
PROVENANCE = {
    **dict.fromkeys(("name", "clan", "mutation", "zombie", "enter", "link", "mutate"), "reconstructed"),
    **dict.fromkeys(("level", "x", "copies", "strength", "links"), "rulebook"),
}

# Chances in percent, by level (1 Bakuto, 2 Hero, 3 Ôzeki).
NUMBER_OF_POWERS = {1: (30, 70, 0), 2: (10, 65, 25), 3: (0, 40, 60)}  # of none, one, two
MAX_MODE = {1: 0, 2: 45, 3: 70}  # that a power is in MAX mode
TRIGGER_WEIGHTS = {1: (55, 0, 45), 2: (45, 25, 30), 3: (45, 30, 25)}  # enter, link, mutate; a plain Bakuto has no link
MUTATES = {1: 65, 2: 65, 3: 50}  # that a card without mutation powers can mutate
MUTATION_COSTS = {1: (35, 45, 20, 0), 2: (10, 50, 30, 10), 3: (0, 30, 40, 30)}  # of 0, 1, 2, 3
ZOMBIE = 60  # that a card of the zombie clan which can mutate is a zombie

ONSETS = (
    "B",
    "Br",
    "D",
    "Dr",
    "F",
    "G",
    "Gl",
    "Gr",
    "H",
    "J",
    "K",
    "Kr",
    "M",
    "N",
    "P",
    "R",
    "Sk",
    "Sn",
    "T",
    "Tr",
    "V",
    "W",
    "Z",
)
VOWELS = ("a", "e", "i", "o", "u", "aa", "oo", "ee")
MIDDLES = ("bb", "dd", "gg", "kk", "ll", "mm", "nk", "rg", "rk", "sh", "st", "zz")
ENDS = ("a", "ak", "ex", "ib", "ik", "it", "o", "ok", "ul", "up", "ush", "y")

T = TypeVar("T")


class Stream:
    """splitmix64: a stream of 64-bit numbers, the same wherever it runs."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.state = seed & self.MASK

    def word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A number of 0 … bound-1, each equally likely (words of the incomplete last stretch are thrown away)."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            word = self.word()
            if word < limit:
                return word % bound

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, drawn by weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if left < weight:
                return index
            left -= weight
        raise AssertionError("below() stays under the sum of the weights")

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out


@dataclass
class _Draft:
    """A card while its powers are being dealt; `slots` are the triggers that still wait for a power."""

    name: str
    clan: str
    level: int
    slots: list[str]
    powers: dict[str, list[str]] = field(default_factory=lambda: {trigger: [] for trigger in TRIGGERS})


def sample_set(variant: str, seed: int) -> CardSet:
    """A rulebook-consistent card set of a variant, drawn by `seed` (0 … 2^64-1).

    Every power of the rulebook occurs in it, base and MAX; an X can do what its plain namesakes can, and links besides.
    Raises CardFileError (a ValueError) for an unknown variant, one that no sets are drawn for (epic_death), or a seed out of range.
    """
    if variant == "epic_death":
        raise CardFileError(
            "cannot sample 'epic_death': sets are drawn for the Gosu family only "
            f"({', '.join(RULEBOOKS)}); take 'gosu-rl cards export epic_death' and change cards, or draw a field of your own "
            "(--rules layout=mine.txt)"
        )
    if variant not in RULEBOOKS:
        hint = nearest(str(variant), RULEBOOKS)
        raise CardFileError(f"cannot sample {quoted(variant)}: it is no variant{hint} ({', '.join(RULEBOOKS)})")
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise CardFileError(f"seed {quoted(seed)} must be a whole number of 0 to 18446744073709551615")
    if variant == "gosu":
        from gosu_rl.core.cards.sample_gosu import sample_gosu  # which is built on this file

        return sample_gosu(seed)
    if variant == "gosu_x":
        from gosu_rl.core.cards.sample_gosu_x import sample_gosu_x

        return sample_gosu_x(seed)
    rulebook = RULEBOOKS[variant]
    stream = Stream(seed)
    drafts = _drafts(stream, rulebook)
    _deal_powers(stream, drafts)
    cards: list[Card] = []
    for draft in drafts:
        cards += _cards(stream, draft, rulebook)
    card_set = CardSet(
        name=f"{variant}-sample-{seed}",
        variant=variant,
        title=f"{TITLES[variant]}, sampled set {seed}",
        version=str(SAMPLER),
        composition="rulebook",
        cards=tuple(_with_a_zombie(cards, rulebook)),
        provenance=dict(PROVENANCE),
        sources={"rulebook": "Counts, strengths, clans and the link power of every X; all else is drawn at random"},
        notes=f"Drawn by sampler {SAMPLER} with seed {seed}; not the published cards.",
    )
    check.check(card_set)  # holds by construction; a fault here is one of this file
    return card_set


def _drafts(stream: Stream, rulebook: Rulebook) -> list[_Draft]:
    """One draft a name, clan by clan, with its triggers."""
    names: set[str] = set()
    drafts = []
    for clan in rulebook.clans:
        for level, count in enumerate(rulebook.faces_per_clan, start=1):
            for _ in range(count):
                number = stream.weighted(NUMBER_OF_POWERS[level])
                slots = [TRIGGERS[stream.weighted(TRIGGER_WEIGHTS[level])] for _ in range(number)]
                drafts.append(_Draft(draw_name(stream, names), clan, level, slots))
    return drafts


def draw_name(stream: Stream, taken: set[str]) -> str:
    """A goblin's name that is not taken yet; it is taken then."""
    while True:
        name = stream.pick(ONSETS) + stream.pick(VOWELS) + stream.pick(MIDDLES) + stream.pick(ENDS)
        if name not in taken:
            taken.add(name)
            return name


def _deal_powers(stream: Stream, drafts: Sequence[_Draft]) -> None:
    """Fill every slot: first one place for each of the fourteen powers, then the rest by the chances of their level."""
    places = stream.shuffled([(draft, trigger) for draft in drafts for trigger in draft.slots])
    for power in RULEBOOK_POWERS:
        # A MAX power needs a Hero or an Ôzeki; base powers take Bakutos first, so that room for MAX is left.
        levels = (2, 3) if power.endswith(" MAX") else (1, 2, 3)
        fitting = [place for place in places if place[0].level in levels]
        draft, trigger = min(fitting, key=lambda place: place[0].level)
        places.remove((draft, trigger))
        draft.powers[trigger].append(power)
    for draft, trigger in places:
        mode = " MAX" if stream.chance(MAX_MODE[draft.level]) else ""
        unused = [base for base in BASE_POWERS if base + mode not in draft.powers[trigger]]
        draft.powers[trigger].append(stream.pick(unused) + mode)


def _cards(stream: Stream, draft: _Draft, rulebook: Rulebook) -> list[Card]:
    """The faces of one name: a Hero or an Ôzeki, or a Bakuto with its X."""
    mutation = None
    if draft.powers["mutate"] or stream.chance(MUTATES[draft.level]):
        mutation = stream.weighted(MUTATION_COSTS[draft.level])
    card = Card(
        name=draft.name,
        clan=draft.clan,
        level=draft.level,
        copies=rulebook.copies_per_face[draft.level - 1],
        strength=rulebook.strength[draft.level - 1],
        mutation=mutation,
        zombie=draft.clan == rulebook.zombie_clan and mutation is not None and stream.chance(ZOMBIE),
        enter=tuple(draft.powers["enter"]),
        link=tuple(draft.powers["link"]),
        mutate=tuple(draft.powers["mutate"]),
    )
    if draft.level > 1:
        return [card]
    # The X can do all its plain namesakes can, and links besides.
    return [card, replace(card, x=True, copies=1, link=(stream.pick(BASE_POWERS),))]


def _with_a_zombie(cards: Sequence[Card], rulebook: Rulebook) -> list[Card]:
    """The cards, with at least one zombie among them: a Hero of the zombie clan if chance gave none."""
    if any(card.zombie for card in cards):
        return list(cards)
    first = next(card for card in cards if card.clan == rulebook.zombie_clan and card.level == 2)
    zombie = replace(first, zombie=True, mutation=1 if first.mutation is None else first.mutation)
    return [zombie if card is first else card for card in cards]
