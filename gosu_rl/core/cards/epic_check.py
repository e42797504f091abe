"""What must hold of a card set of Epic Death: structure always, and the rulebook's counts where the set claims them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gosu_rl.core.cards import layouts
from gosu_rl.core.cards.check import MAX_NAME, NAME, header_faults, provenance_faults, source_faults
from gosu_rl.core.cards.epic_schema import KINDS, MENUS, NEEDS, TERRAINS, TRAITS, EpicSet, GoblinCard, Land, Leader
from gosu_rl.core.cards.epic_steps import ICONS, LAND_TEXT, STEPS, price_faults, step_faults, window_faults
from gosu_rl.core.cards.fault import Fault
from gosu_rl.core.cards.wording import nearest, quoted

MAX_FACES = 50  # Goblin cards; four ranges of actions go over them
MAX_COPIES = 100
MAX_LANDS = 64
MAX_LEADERS = 24
MAX_CANCELS = 8  # cards that answer Actions: each may lie on another, and the stack of pending frames has an end
MAX_VALUE, MAX_COST, MAX_DEFENSE, MAX_POINTS = 30, 9, 60, 20
RULEBOOK = {"Goblin cards": 50, "Leaders": 12, "Lands": 58, "layouts": 3}
# What an ability in a menu may say: all but the words of combats, tosses and answers.
ABILITY = tuple(word for word, step in STEPS.items() if set(step.windows) & set(MENUS))


def faults(card_set: EpicSet, complete: bool = True) -> list[Fault]:
    """Everything wrong with a set. complete: False when some entries could not be read, so that counts would only repeat that."""
    found = list(header_faults(card_set))
    for entry in card_set.entries:
        found += entry_faults(entry, card_set)
    found += _name_faults(card_set)
    if complete:
        found += _size_faults(card_set)
        found += _cancel_faults(card_set)
        if card_set.composition == "rulebook":
            found += _count_faults(card_set)
    found += source_faults(card_set)
    return found


def entry_faults(entry: object, card_set: EpicSet) -> Iterator[Fault]:
    """What is wrong with one card, Leader, Land or layout by itself."""
    if isinstance(entry, GoblinCard):
        found = _card_faults(entry)
    elif isinstance(entry, Leader):
        found = _leader_faults(entry)
    elif isinstance(entry, Land):
        found = _land_faults(entry)
    else:
        found = layouts.faults(entry, card_set.lands)  # type: ignore[arg-type]
    yield from (Fault(message, entry, name) for name, message in found)
    if not isinstance(entry, (GoblinCard, Leader, Land)):
        return
    if not NAME.fullmatch(entry.name) or len(entry.name) > MAX_NAME:
        allowed = "letters, digits, single blanks and ' ’ . ! ( ) -, a letter first"
        yield Fault(f"{quoted(entry.name)} must be 1 to {MAX_NAME} characters: {allowed}", entry, "name")
    fields = card_set.fields_of(entry)
    yield from (Fault(text, entry, f"provenance {key}") for key, text in provenance_faults(entry.provenance, fields))


Found = Iterator[tuple[str, str]]


def _range(name: str, value: int, most: int, fewest: int = 0) -> Found:
    if not fewest <= value <= most:
        yield name, f"{quoted(value)} must be {fewest} to {most}"


def _word(name: str, word: str, known: tuple[str, ...], optional: bool = False) -> Found:
    if word not in known and not (optional and not word):
        yield name, f"{quoted(word)} must be one of {', '.join(known)}{nearest(word, known)}"


def _card_faults(card: GoblinCard) -> Found:
    yield from _word("kind", card.kind, KINDS)
    yield from _range("copies", card.copies, 2, 1)
    yield from _range("value", card.value, MAX_VALUE)
    yield from _range("cost", card.cost, MAX_COST, 1 if card.kind == "machine" else 0)
    yield from _word("trait", card.trait, TRAITS, optional=True)
    yield from (("steps", text) for text in step_faults(card.steps))
    if card.kind == "action":
        if card.value or card.cost or card.trait:
            yield "kind", "an Action has no value, cost or trait"
        if not card.steps:
            yield "steps", f'missing; an Action does something: steps = ["…"] ({", ".join(STEPS)})'
        yield from (("when", text) for text in window_faults(card.steps, card.when))
    elif card.steps or card.when:
        yield "kind", f"only an Action has steps and windows, this card is a {card.kind}"


def _leader_faults(leader: Leader) -> Found:
    if leader.trait and leader.ability:
        yield "trait", "a Leader has a trait or an ability, not both"
    yield from _word("trait", leader.trait, TRAITS, optional=True)
    yield from (("ability", text) for text in step_faults(leader.ability, ABILITY))
    yield from (("ability", text) for text in price_faults(leader.ability))
    if leader.ability:
        yield from (("when", text) for text in window_faults(leader.ability, leader.when, MENUS))
    elif leader.when:
        yield "when", "only an ability has windows; leave it out"


def _land_faults(land: Land) -> Found:
    yield from _word("terrain", land.terrain, TERRAINS)
    yield from _range("copies", land.copies, MAX_LANDS, 1)
    yield from _range("defense", land.defense, MAX_DEFENSE)
    yield from _range("value", land.value, MAX_POINTS)
    yield from _word("needs", land.needs, NEEDS, optional=True)
    yield from (("icons", text) for text in step_faults(land.icons, ICONS))
    yield from (("text", text) for text in step_faults(land.text, LAND_TEXT))


def _name_faults(card_set: EpicSet) -> Iterator[Fault]:
    for entries in (card_set.cards, card_set.leaders, card_set.lands, card_set.layouts):
        seen: set[str] = set()
        for entry in entries:
            if entry.name.casefold() in seen:
                yield Fault("another entry has this name; more of one card are one entry with copies", entry, "name")
            seen.add(entry.name.casefold())


def _size_faults(card_set: EpicSet) -> Iterator[Fault]:
    for count, most, what, way in (
        (len(card_set.cards), MAX_FACES, "faces of Goblin cards", "[[card]]"),
        (card_set.copies, MAX_COPIES, "Goblin cards", "[[card]]"),
        (len(card_set.leaders), MAX_LEADERS, "Leaders", "[[leader]]"),
        (card_set.land_copies, MAX_LANDS, "Lands", "[[land]]"),
        (len(card_set.layouts), layouts.MAX_LAYOUTS, "layouts", "[[layout]]"),
    ):
        if not count:
            yield Fault(f"the set has no {what}; write one {way} table for each")
        elif count > most:
            yield Fault(f"the set has {count} {what}, at most {most} are possible")


def _cancel_faults(card_set: EpicSet) -> Iterator[Fault]:
    cancels = sum(card.copies for card in card_set.cards if "answer" in card.when)
    if cancels > MAX_CANCELS:
        yield Fault(f"the set has {cancels} cards that answer Actions, at most {MAX_CANCELS} are possible")


def _count_faults(card_set: EpicSet) -> Iterator[Fault]:
    counts = {
        "Goblin cards": card_set.copies,
        "Leaders": len(card_set.leaders),
        "Lands": card_set.land_copies,
    }
    for leader in card_set.leaders:
        if not leader.trait and not leader.ability:
            yield Fault("the rulebook gives every Leader an ability; write trait or ability", leader, "trait")
    for what, count in counts.items():
        if count != RULEBOOK[what]:
            text = (
                f'the set has {count} {what}, the rulebook {RULEBOOK[what]}; correct it, or write composition = "free"'
            )
            yield Fault(text)
    kinds = Counter(card.kind for card in card_set.cards)
    for kind in KINDS:
        if not kinds[kind]:
            yield Fault(f"the rulebook has Goblin cards of the kind {kind}, the set has none")
    terrains = {land.terrain for land in card_set.lands}
    for terrain in TERRAINS:
        if terrain not in terrains:
            yield Fault(f"the rulebook has Lands of the kind {terrain}, the set has none")
    if len(card_set.layouts) < RULEBOOK["layouts"]:
        yield Fault(f"the rulebook has {RULEBOOK['layouts']} layouts, the set {len(card_set.layouts)}")
