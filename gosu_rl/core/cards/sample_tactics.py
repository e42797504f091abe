"""Sets of Tactics drawn at random: the counts, strengths and X cards of the rulebook; powers and costs from the weights below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gosu_rl.core.cards import check
from gosu_rl.core.cards.check import RULEBOOKS, Rulebook
from gosu_rl.core.cards.powers import BASE_POWERS, RULEBOOK_POWERS
from gosu_rl.core.cards.sample_stream import SAMPLER, Stream, draw_name
from gosu_rl.core.cards.schema import TRIGGERS, Card, CardSet

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


@dataclass
class _Draft:
    """A card while its powers are being dealt; `slots` are the triggers that still wait for a power."""

    name: str
    clan: str
    level: int
    slots: list[str]
    powers: dict[str, list[str]] = field(default_factory=lambda: {trigger: [] for trigger in TRIGGERS})


def sample_tactics(seed: int) -> CardSet:
    """A set of Tactics. Every power of the rulebook occurs in it, base and MAX; an X can do what its plain namesakes can, and links
    besides."""
    rulebook = RULEBOOKS["tactics"]
    stream = Stream(seed)
    drafts = _drafts(stream, rulebook)
    _deal_powers(stream, drafts)
    cards: list[Card] = []
    for draft in drafts:
        cards += _cards(stream, draft, rulebook)
    card_set = CardSet(
        name=f"tactics-sample-{seed}",
        variant="tactics",
        title=f"GOSU 2: Tactics, sampled set {seed}",
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
