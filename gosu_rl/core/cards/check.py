"""What must hold of a card set: structure always, and the rulebook's counts where the set claims them.

`faults` lists everything that is wrong, one `Fault` each; `load.py` gives the faults their place in a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gosu_rl.core.cards import check_x, texts
from gosu_rl.core.cards.fault import Fault
from gosu_rl.core.cards.powers import (
    SILENT,
    built_in_programs,
    condition_faults,
    power_programs,
    program_faults,
)
from gosu_rl.core.cards.schema import (
    ALL_TRIGGERS,
    BENDS,
    CARD_FIELDS,
    COMPOSITIONS,
    FIELDS,
    PROVENANCES,
    SIDES,
    Card,
    CardFileError,
    CardSet,
)
from gosu_rl.core.cards.wording import nearest, quoted

# What the kernel's tables hold (Gosu X is the largest set of the family) and what one line of print can bear.
MAX_COPIES = 120
MAX_FACES = 88
MAX_POWERS_PER_TRIGGER = 3
MAX_NAMES = 8  # on one card, and different lists of names in a set
MAX_OWN_POWERS = 64
MAX_STRENGTH = 99
MAX_MUTATION = 9
MAX_NAME = 40

NAME = re.compile(r"[^\W\d_](?:[ ]?[\w'’.!()-])*")  # letters first; no double, leading or trailing blanks
SET_NAME = re.compile(r"[a-z][a-z0-9_-]*")
POWER_NAME = re.compile(r"[a-z][a-z0-9]*(?:[ -](?:[a-z0-9]+|\(\+[1-9]\)))*(?: MAX)?")  # "draw 1 (+1)", "discard MAX"


@dataclass(frozen=True)
class Rulebook:
    """What a rulebook states about the cards of its game; `strength` and `copies` are by level, 1 first."""

    clans: tuple[str, ...]
    zombie_clan: str
    levels: tuple[str, ...]
    faces_per_clan: tuple[int, ...]  # plain Bakutos (each with an X), Heroes, Ôzekis
    copies_per_face: tuple[int, ...]
    strength: tuple[int, ...]
    total_copies: int
    total_faces: int
    crossed: bool = True  # every plain Bakuto has an X
    own_powers: bool = False  # what powers do stands on the cards, so that every set defines its own
    zombie_heroes: int | None = None  # so many Heroes of the zombie clan, and no other cards, are zombies


RULEBOOKS = {
    "tactics": Rulebook(
        clans=("Ancient", "Alpha", "Dark", "Méka", "Fire"),
        zombie_clan="Dark",
        levels=("Bakuto", "Hero", "Ôzeki"),
        faces_per_clan=(3, 4, 2),
        copies_per_face=(2, 1, 1),
        strength=(2, 3, 5),
        total_copies=75,
        total_faces=60,
    ),
    "gosu": Rulebook(
        clans=("Ancient", "Alpha", "Dark", "Méka", "Fire"),
        zombie_clan="Dark",
        levels=("Bakuto", "Hero", "Ôzeki"),
        faces_per_clan=(5, 7, 3),
        copies_per_face=(2, 1, 1),
        strength=(2, 3, 5),
        total_copies=100,
        total_faces=75,
        crossed=False,
        own_powers=True,
        zombie_heroes=3,
    ),
    "gosu_x": Rulebook(
        clans=texts.CLANS,
        zombie_clan="",
        levels=("Troop", "Hero", "Immortal"),
        faces_per_clan=(4, 5, 2),
        copies_per_face=(2, 1, 1),
        strength=(),  # no value is the same on all cards of a level
        total_copies=120,
        total_faces=88,
        crossed=False,
    ),
}


VARIANTS = (*RULEBOOKS, "epic_death")  # the last is checked in epic_check.py


def check(card_set: CardSet) -> None:
    """Raise `CardFileError` with the first fault of a set made in Python, and the number of the others."""
    found = faults(card_set)
    if found:
        card = found[0].card
        place = f"card set {quoted(card_set.name)}" + (f": card {quoted(card.label)}" if card is not None else "")
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise CardFileError(found[0].at(place) + more)


def faults(card_set: CardSet, complete: bool = True) -> list[Fault]:
    """Everything wrong with a set, in the order header, cards, set as a whole.

    complete: False when some cards could not be read, so that counts would only repeat that.
    """
    found = list(header_faults(card_set))
    if card_set.variant not in RULEBOOKS:
        return found
    rulebook = RULEBOOKS[card_set.variant]
    known = power_programs(card_set)
    for card in card_set.cards:
        found += card_faults(card, rulebook, known, card_set.fields)
        if card_set.variant == "gosu_x":
            found += check_x.card_faults(card)
        if card_set.composition == "rulebook":
            found += _rulebook_card_faults(card, rulebook)
    found += _name_faults(card_set, rulebook, complete)
    if complete:
        found += _named_card_faults(card_set)
        found += _size_faults(card_set)
        if card_set.composition == "rulebook":
            found += _composition_faults(card_set, rulebook)
    found += source_faults(card_set)
    found += check_x.set_faults(card_set, complete)
    return found


def header_faults(card_set: CardSet) -> Iterator[Fault]:
    if not SET_NAME.fullmatch(card_set.name):
        yield Fault(
            f"{quoted(card_set.name)} must be lower-case letters, digits, - and _, a letter first", field="[set] name"
        )
    if card_set.variant not in VARIANTS:
        text = f"{quoted(card_set.variant)} is no variant{nearest(card_set.variant, VARIANTS)} ({', '.join(VARIANTS)})"
        yield Fault(text, field="[set] variant")
    if card_set.composition not in COMPOSITIONS:
        hint = nearest(card_set.composition, COMPOSITIONS)
        text = f"{quoted(card_set.composition)} must be 'rulebook' or 'free'{hint}"
        yield Fault(text, field="[set] composition")
    for key in ("title", "version"):
        text = getattr(card_set, key)
        if not text.strip() or not text.isprintable() or len(text) > 80:
            yield Fault(f"{quoted(text)} must be one line of 1 to 80 characters", field=f"[set] {key}")
    yield from (
        Fault(text, field=f"[provenance] {key}")
        for key, text in provenance_faults(card_set.provenance, card_set.fields)
    )
    yield from _power_faults(card_set)


def _power_faults(card_set: CardSet) -> Iterator[Fault]:
    if card_set.variant == "gosu_x":
        if card_set.powers:
            yield Fault("Gosu X has no such table: the steps stand on the cards, text = [...]", field="[powers]")
        return
    own = card_set.variant in RULEBOOKS and RULEBOOKS[card_set.variant].own_powers
    if card_set.powers and card_set.composition == "rulebook" and not own:
        yield Fault('only a set with composition = "free" may define powers', field="[powers]")
    if len(card_set.powers) > MAX_OWN_POWERS:
        yield Fault(f"{len(card_set.powers)} powers; at most {MAX_OWN_POWERS}", field="[powers]")
    for name, steps in card_set.powers.items():
        field = f"[powers] {quoted(name)}"
        if not POWER_NAME.fullmatch(name) or len(name) > MAX_NAME:
            text = f"a power's name is lower-case words, at most {MAX_NAME} characters, with MAX behind it if you like"
            yield Fault(text, field=field)
        if name in built_in_programs() and not own:
            yield Fault("this power is the rulebook's and stays as it is; give yours another name", field=field)
        for text in program_faults(steps, card_set.variant):
            yield Fault(text, field=field)


def card_faults(
    card: Card, rulebook: Rulebook, known: Mapping[str, tuple[str, ...]], fields: tuple[str, ...] = CARD_FIELDS
) -> Iterator[Fault]:
    """What is wrong with one card by itself; `known` are the powers it may name, `fields` those of its variant."""

    def fault(field: str, message: str) -> Fault:
        return Fault(message, card, field)

    if not NAME.fullmatch(card.name) or len(card.name) > MAX_NAME:
        allowed = "letters, digits, single blanks and ' ’ . ! ( ) -, a letter first"
        yield fault("name", f"{quoted(card.name)} must be 1 to {MAX_NAME} characters: {allowed}")
    elif card.name.endswith(" X"):
        yield fault("name", f"{quoted(card.name)} may not end in ' X'; write x = true for a Bakuto X")
    if card.clan not in rulebook.clans:
        yield fault(
            "clan", f"{quoted(card.clan)} is no clan{nearest(card.clan, rulebook.clans)} ({', '.join(rulebook.clans)})"
        )
    if card.level not in (1, 2, 3):
        one, two, three = rulebook.levels
        yield fault("level", f"{quoted(card.level)} must be 1 ({one}), 2 ({two}) or 3 ({three})")
    if card.copies not in (1, 2):
        yield fault("copies", f"{quoted(card.copies)} must be 1 or 2")
    if not 0 <= card.strength <= MAX_STRENGTH:
        yield fault("strength", f"{quoted(card.strength)} must be 0 to {MAX_STRENGTH}")
    if card.mutation is not None and not 0 <= card.mutation <= MAX_MUTATION:
        text = f"{quoted(card.mutation)} must be 0 to {MAX_MUTATION}; leave it out for a card that cannot mutate"
        yield fault("mutation", text)
    if card.x and card.level != 1:
        yield fault("x", f"only a Bakuto (level 1) can be an X, this card has level {quoted(card.level)}")
    if card.x and card.copies != 1:
        yield fault("copies", f"an X has copies = 1, not {quoted(card.copies)}")
    if card.zombie and card.clan in rulebook.clans and card.clan != rulebook.zombie_clan:
        yield fault(
            "zombie", f"only {rulebook.zombie_clan} cards can have zombie mutation, this one is {quoted(card.clan)}"
        )
    if card.zombie and card.mutation is None:
        yield fault("zombie", "a zombie needs a mutation cost; write mutation = 0 or more")
    if card.mutate and card.mutation is None:
        yield fault("mutate", "a card with mutation powers needs a mutation cost; write mutation = 0 or more")
    blank = Card(card.name, card.clan, card.level)
    for name in dict.fromkeys(name for names in FIELDS.values() for name in names if name not in fields):
        if getattr(card, name) != getattr(blank, name):
            yield fault(name, f"this game has no such field ({', '.join(fields)})")
    for trigger in (trigger for trigger in ALL_TRIGGERS if trigger in fields):
        powers = getattr(card, trigger)
        if len(powers) > MAX_POWERS_PER_TRIGGER:
            yield fault(trigger, f"{len(powers)} powers; at most {MAX_POWERS_PER_TRIGGER} a trigger")
        for power in powers:
            if power not in known:
                yield fault(trigger, f"{quoted(power)} is no power{nearest(power, known)} ({', '.join(known)})")
    if "text" not in fields:
        yield from _ongoing_faults(card, known)
    yield from _link_side_faults(card)
    yield from (fault(f"provenance {key}", text) for key, text in provenance_faults(card.provenance, fields))


def _ongoing_faults(card: Card, known: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    """Departure powers, bent rules, conditions of winning, and names."""
    for power in card.departure:
        words = [step.split()[0] for step in known.get(power, ()) if step.split()]
        loud = [word for word in words if word not in SILENT]
        if loud:
            text = f"{quoted(power)} asks somebody something ({loud[0]}); a departure may only {', '.join(SILENT)}"
            yield Fault(text, card, "departure")
    for name in ("rule", "win"):
        if getattr(card, name) and card.level != 3:
            yield Fault(f"only an Ôzeki (level 3) can have it, this card has level {quoted(card.level)}", card, name)
    for bend in card.rule:
        if bend not in BENDS:
            yield Fault(
                f"{quoted(bend)} is no rule that can be bent{nearest(bend, BENDS)} ({', '.join(BENDS)})", card, "rule"
            )
    for name in ("rule", "win"):
        entries = [" ".join(entry.split()) for entry in getattr(card, name)]
        for entry in (entry for entry, times in Counter(entries).items() if times > 1):
            yield Fault(f"{quoted(entry)} stands there twice", card, name)
    for condition in card.win:
        yield from (Fault(text, card, "win") for text in condition_faults(condition.split()))
    steps = [step for trigger in ALL_TRIGGERS for power in getattr(card, trigger) for step in known.get(power, ())]
    if not card.names and ("names" in card.win or {"take_back names", "if names"} & set(steps)):
        yield Fault("missing, but its powers or its condition speak of the cards that it names", card, "names")
    if len(set(card.names)) < len(card.names) or len(card.names) > MAX_NAMES:
        yield Fault(f"names a card twice, or more than {MAX_NAMES} cards", card, "names")


def _named_card_faults(card_set: CardSet) -> Iterator[Fault]:
    """Cards that other cards name are in the set."""
    there = {card.name for card in card_set.cards}
    for card in card_set.cards:
        for name in card.names:
            if name not in there:
                yield Fault(f"there is no card {quoted(name)} in the set{nearest(name, there)}", card, "names")
    lists = {card.names for card in card_set.cards if card.names}
    if len(lists) > MAX_NAMES:
        yield Fault(f"the set has {len(lists)} different lists of names, at most {MAX_NAMES} are possible")


def _link_side_faults(card: Card) -> Iterator[Fault]:
    for side in card.links:
        if side not in SIDES:
            yield Fault(f"{quoted(side)} is no side{nearest(side, SIDES)} ({', '.join(SIDES)})", card, "links")
    if len(set(card.links)) < len(card.links):
        yield Fault("names a side twice", card, "links")
    if card.link and not card.links:
        yield Fault("a card with link powers needs a side; leave links out for all four", card, "links")
    if not card.link and set(card.links) != set(SIDES):
        yield Fault("names sides, but the card has no link power; leave links out or write link = [...]", card, "links")


def provenance_faults(
    provenance: Mapping[str, str], fields: tuple[str, ...] = CARD_FIELDS
) -> Iterator[tuple[str, str]]:
    """Pairs of key and fault in a table field -> word."""
    for key, word in provenance.items():
        if key not in fields:
            yield quoted(key), f"is no field of a card{nearest(key, fields)} ({', '.join(fields)})"
        elif word not in PROVENANCES:
            yield key, f"{quoted(word)} must be one of {', '.join(PROVENANCES)}{nearest(str(word), PROVENANCES)}"


def source_faults(card_set: CardSet) -> Iterator[Fault]:
    """Who says that a fact is the rulebook's or published says where it stands."""
    for word in card_set.sources:
        if word not in PROVENANCES:
            yield Fault(
                f"must be one of {', '.join(PROVENANCES)}{nearest(word, PROVENANCES)}", field=f"[sources] {word}"
            )
    used = set(card_set.provenances)
    for word in PROVENANCES[:-1]:
        if word in used and not card_set.sources.get(word, "").strip():
            text = f'missing, but some fields say {word!r}: write where it stands, {word} = "…"'
            yield Fault(text, field=f"[sources] {word}")


def _name_faults(card_set: CardSet, rulebook: Rulebook, complete: bool) -> Iterator[Fault]:
    """Names are unique, but for a plain Bakuto and its X."""
    labels = Counter(card.label.casefold() for card in card_set.cards)
    seen: set[str] = set()
    for card in card_set.cards:
        label = card.label.casefold()
        if labels[label] > 1 and label in seen:
            yield Fault(
                "another card has this name; two copies of one card are one entry with copies = 2", card, "name"
            )
        seen.add(label)
    plain = {card.name: card for card in card_set.cards if not card.x}
    for card in card_set.cards:
        if not card.x:
            continue
        twin = plain.get(card.name)
        if twin is None:
            if complete:
                others = nearest(card.name, (name for name, other in plain.items() if other.level == 1))
                yield Fault(
                    f"there is no plain Bakuto {quoted(card.name)} that this could be the X of{others}", card, "name"
                )
        elif twin.level != 1:
            yield Fault(
                f"the plain card of this name has level {quoted(twin.level)}; an X belongs to a Bakuto", card, "x"
            )
        elif twin.clan != card.clan and {twin.clan, card.clan} <= set(rulebook.clans):
            yield Fault(f"{quoted(card.clan)}, but the plain Bakuto of this name is {quoted(twin.clan)}", card, "clan")


def _size_faults(card_set: CardSet) -> Iterator[Fault]:
    if not card_set.cards:
        yield Fault("the set has no cards; write one [[card]] table a face")
    if card_set.copies > MAX_COPIES:
        yield Fault(f"the set has {card_set.copies} copies, at most {MAX_COPIES} are possible")
    if len(card_set.cards) > MAX_FACES:
        yield Fault(f"the set has {len(card_set.cards)} faces, at most {MAX_FACES} are possible")


def _rulebook_card_faults(card: Card, rulebook: Rulebook) -> Iterator[Fault]:
    """What the rulebook says about every single card."""
    if card.level in (1, 2, 3):
        title = rulebook.levels[card.level - 1]
        strength = rulebook.strength[card.level - 1] if rulebook.strength else card.strength
        if card.strength != strength:
            yield Fault(f"{quoted(card.strength)}, but the rulebook gives every {title} {strength}", card, "strength")
        copies = 1 if card.x else rulebook.copies_per_face[card.level - 1]
        if card.copies != copies and card.copies in (1, 2) and not card.x:
            which = "plain Bakuto" if rulebook.crossed and card.level == 1 else title
            yield Fault(f"{quoted(card.copies)}, but the rulebook has {copies} of every {which}", card, "copies")
    if card.x and not card.link:
        yield Fault("the rulebook gives every X a link power; write link = [...]", card, "link")


def _composition_faults(card_set: CardSet, rulebook: Rulebook) -> Iterator[Fault]:
    """Counts per clan and level, and the totals."""
    if any(card.clan not in rulebook.clans or card.level not in (1, 2, 3) for card in card_set.cards):
        return  # reported with the card; its count would only repeat it
    way_out = 'correct the clan and level of your cards, or write composition = "free"'
    for clan in rulebook.clans:
        for level, title in enumerate(rulebook.levels, start=1):
            cards = [card for card in card_set.cards if card.clan == clan and card.level == level and not card.x]
            wanted = rulebook.faces_per_clan[level - 1]
            if len(cards) != wanted:
                kind = "plain Bakutos" if rulebook.crossed and level == 1 else f"cards of level {level} ({title})"
                yield Fault(f"clan {clan} has {len(cards)} {kind}, the rulebook {wanted}; {way_out}")
    if rulebook.zombie_heroes is not None:
        zombies = [card for card in card_set.cards if card.zombie]
        if len(zombies) != rulebook.zombie_heroes or any(card.level != 2 for card in zombies):
            text = f"exactly {rulebook.zombie_heroes} cards are zombies, all of them Heroes; the set has {len(zombies)}"
            yield Fault(text)
    crossed = {card.name for card in card_set.cards if card.x or not rulebook.crossed}
    for card in card_set.cards:
        if card.level == 1 and not card.x and card.name not in crossed:
            yield Fault("this Bakuto has no X; the rulebook gives one to every Bakuto name", card, "x")
    if card_set.copies != rulebook.total_copies or len(card_set.cards) != rulebook.total_faces:
        counts = f"{card_set.copies} copies of {len(card_set.cards)} faces"
        yield Fault(f"the set has {counts}, the rulebook {rulebook.total_copies} of {rulebook.total_faces}; {way_out}")
