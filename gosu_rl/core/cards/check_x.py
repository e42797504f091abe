"""What must hold of the cards and tiles of a Gosu X set, beyond what all sets share (`check.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.fault import Fault
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.core.cards.texts import CLANS, KEYWORDS, Filter, TextError, fault_of
from gosu_rl.core.cards.wording import nearest, quoted

MAX_ICONS = 3
MAX_SHIFT = 9
MAX_ENTRIES = 4  # values, rules or conditions on one card or tile
MAX_DECK = 60  # cards of three clans
MAX_WILL = 24  # faces with Force of Will: each has an action of its own
LEADER_OF_TOKENS = "Byun Hyung Ja"  # the Immortal of each clan that unlocks tokens
TIMES = ("", "entering", "activation")
PLACED = {*texts.RELATIONS, "not-self", "that"}  # words that make no sense for a card in a hand


def card_faults(card: Card) -> Iterator[Fault]:
    """What is wrong with one card by itself."""

    def fault(field: str, message: str) -> Fault:
        return Fault(message, card, field)

    if card.shift is not None and not 0 <= card.shift <= MAX_SHIFT:
        yield fault(
            "shift", f"{quoted(card.shift)} must be 0 to {MAX_SHIFT}; leave it out for a card that cannot be shifted"
        )
    if not 0 <= card.icons <= MAX_ICONS:
        yield fault("icons", f"{quoted(card.icons)} must be 0 to {MAX_ICONS}")
    for keyword in card.keywords:
        if keyword not in KEYWORDS:
            yield fault(
                "keywords", f"{quoted(keyword)} is no keyword{nearest(keyword, KEYWORDS)} ({', '.join(KEYWORDS)})"
            )
    if len(set(card.keywords)) < len(card.keywords):
        yield fault("keywords", "names a keyword twice")
    if "recruiter" in card.keywords and card.level != 1:
        yield fault("keywords", "only a Troop (level 1) can be a recruiter")
    if "secret shift" in card.keywords and card.shift is None:
        yield fault("keywords", "a card with secret shift needs a shift cost; write shift = 0 or more")
    for keyword in ("echo", "force of will"):
        if keyword in card.keywords and not card.text:
            yield fault("keywords", f"{keyword!r} without a text does nothing; write text = [...]")
    yield from (fault("text", message) for message in (texts.text_faults(card.text) if card.text else ()))
    if card.on not in TIMES:
        yield fault("on", f"{quoted(card.on)} must be 'entering' or 'activation'; leave it out for both")
    if card.on and not card.text:
        yield fault("on", "says when the text is resolved, but the card has no text")
    if card.on == "activation" and card.icons == 0 and "force of will" not in card.keywords:
        yield fault("on", "a card without icons cannot be activated")
    if card.icons > 0 and "veteran" not in card.keywords and (not card.text or card.on == "entering"):
        yield fault("icons", "a token on this card would do nothing: it is no veteran and has no text for it")
    if "veteran" in card.keywords and card.icons == 0:
        yield fault("icons", "a veteran needs an icon to put a token on")
    if bool(card.will) != ("force of will" in card.keywords):
        yield fault("will", "a card with the keyword 'force of will' has conditions in will, and no other card has")
    for name in ("will", "win"):
        for text in getattr(card, name):
            yield from (fault(name, message) for message in _condition_faults(text))
    if any("lead" in text.replace(".", " ").split() for text in card.will):
        yield fault("will", "'lead' is known at the Battle only")
    if any(set(filter_.words) & PLACED for text in card.will for filter_ in _filters_of_condition(text)):
        yield fault("will", f"speaks of the card's place ({', '.join(sorted(PLACED))}), but it is in the hand")
    yield from (fault("value", m) for text in card.value if (m := fault_of(texts.read_value, text)))
    yield from (fault("rule", m) for text in card.rule if (m := fault_of(texts.read_rule, text)))
    for name in ("will", "win", "value", "rule"):
        if len(getattr(card, name)) > MAX_ENTRIES:
            yield fault(name, f"{len(getattr(card, name))} entries; at most {MAX_ENTRIES}")
    if any("lead" in text for text in card.value):
        yield fault("value", "a value cannot hang on the lead")


def _condition_faults(text: str) -> list[str]:
    message = fault_of(lambda words: texts.read_condition(texts.words_of(words)), text)
    return [message] if message else []


def _filters_of_condition(text: str) -> list[Filter]:
    try:
        condition = texts.read_condition(texts.words_of(text))
    except TextError:
        return []  # reported where it stands
    return [side.filter for part in condition for side in (part.left, part.right)]


def set_faults(card_set: CardSet, complete: bool) -> Iterator[Fault]:
    """Tiles, names, deck sizes and, if the set claims the rulebook's composition, what that says."""
    if card_set.variant != "gosu_x":
        if card_set.tiles:
            yield Fault("only Gosu X has tiles", field="[[tile]]")
        return
    yield from _tile_faults(card_set)
    yield from _named_faults(card_set)
    copies = Counter[str]()
    for card in card_set.cards:
        copies[card.clan] += card.copies
    if sum(sorted(copies.values())[-3:]) > MAX_DECK:
        yield Fault(f"three clans have more than {MAX_DECK} cards together, more than fit a deck")
    wills = sum("force of will" in card.keywords for card in card_set.cards)
    if wills > MAX_WILL:
        yield Fault(f"{wills} faces have Force of Will, at most {MAX_WILL} are possible")
    if complete and card_set.composition == "rulebook":
        yield from _rulebook_faults(card_set)


def _tile_faults(card_set: CardSet) -> Iterator[Fault]:
    for tile in card_set.tiles:
        place = f"[[tile]] {tile.clan}"
        if tile.clan not in CLANS:
            yield Fault(
                f"{quoted(tile.clan)} is no clan{nearest(tile.clan, CLANS)} ({', '.join(CLANS)})", field="[[tile]]"
            )
        for text in tile.value:
            message = fault_of(texts.read_value, text)
            if not message and texts.read_value(text).to != "army":
                message = f"{quoted(text)}: a tile adds to whole armies: army AMOUNT"
            if not message and "lead" in text:
                message = "a value cannot hang on the lead"
            if message:
                yield Fault(message, field=f"{place} value")
        for text in tile.rule:
            message = fault_of(texts.read_rule, text)
            if not message and (texts.read_rule(text).other or texts.read_rule(text).word == "song"):
                message = f"{quoted(text)}: a tile works for both players, and 'song' is for cards only (X42)"
            if message:
                yield Fault(message, field=f"{place} rule")
        yield from (Fault(message, field=f"{place} win") for text in tile.win for message in _condition_faults(text))
        if max(len(tile.rule), len(tile.value), len(tile.win)) > MAX_ENTRIES:
            yield Fault(f"at most {MAX_ENTRIES} entries in one list", field=place)
    for clan, count in Counter(tile.clan for tile in card_set.tiles).items():
        if count > 1:
            yield Fault(f"{count} tiles; a clan has one", field=f"[[tile]] {clan}")


def filters_of(card: Card) -> Iterator[Filter]:
    """All filters on a card that can be read."""
    amounts = []
    try:
        for step in texts.read_text(card.text):
            yield step.filter
            amounts.append(step.amount)
            amounts += [side for part in step.condition for side in (part.left, part.right)]
        for text in card.value:
            value = texts.read_value(text)
            yield value.filter
            amounts.append(value.amount)
            amounts += [side for part in value.condition for side in (part.left, part.right)]
        for text in (*card.will, *card.win):
            amounts += [side for part in texts.read_condition(texts.words_of(text)) for side in (part.left, part.right)]
    except TextError:
        return  # reported where it stands
    yield from (amount.filter for amount in amounts)


def _named_faults(card_set: CardSet) -> Iterator[Fault]:
    """Cards that other cards name are in the set."""
    names = {card.name for card in card_set.cards}
    stems = {card.stem for card in card_set.cards}
    for card in card_set.cards:
        for filter_ in filters_of(card):
            for name in filter_.names:
                if name not in names:
                    yield Fault(f"there is no card {quoted(name)} in the set{nearest(name, names)}", card, "text")
            for stem in filter_.stems:
                if stem not in stems:
                    yield Fault(f"no card of the set has the name {quoted(stem)}{nearest(stem, stems)}", card, "text")


def _rulebook_faults(card_set: CardSet) -> Iterator[Fault]:
    """What the rulebook says about the set as a whole."""
    for clan in CLANS:
        unlockers = [card for card in card_set.cards if card.clan == clan and card.stem == LEADER_OF_TOKENS]
        if [card.level for card in unlockers] != [3]:
            yield Fault(f"clan {clan} needs one Immortal called '{LEADER_OF_TOKENS} (…)', it has {len(unlockers)}")
        for card in unlockers:
            yield from _unlocker_faults(card, card_set)
        if clan not in {tile.clan for tile in card_set.tiles}:
            yield Fault(f"clan {clan} has no tile; write a [[tile]]")
    for keyword in KEYWORDS:
        if not any(keyword in card.keywords for card in card_set.cards):
            yield Fault(f"no card has the keyword {keyword!r}; the rulebook's glossary knows it")
    texts_of = [card.text for card in card_set.cards if card.stem == LEADER_OF_TOKENS]
    if any(a == b for a, b in combinations(texts_of, 2)):
        yield Fault(f"two {LEADER_OF_TOKENS} have the same condition; each clan's has its own")


def _unlocker_faults(card: Card, card_set: CardSet) -> Iterator[Fault]:
    """Byun Hyung Ja unlocks on a condition that can be met whatever the two other clans are (X40)."""
    try:
        steps = texts.read_text(card.text)
    except TextError:
        return
    verbs = [step.verb for step in steps]
    if "unlock" not in verbs or "if" not in verbs[: verbs.index("unlock")]:
        yield Fault('must unlock a token on a condition: text = ["if …", "unlock"]', card, "text")
        return
    own = [other for other in card_set.cards if other.clan == card.clan]
    for step in steps:
        for part in step.condition:
            filter_ = part.left.filter
            if part.left.count != "#army" or part.sign not in (">=", "=", ">") or "own" not in filter_.words:
                continue
            if filter_.clan not in ("", "self", card.clan):
                yield Fault(f"asks for cards of {filter_.clan}, which may not be in the deck", card, "text")
            there = sum(other.copies for other in own if _fits(other, filter_))
            named = filter_.names or filter_.stems or filter_.keywords
            if named and part.right.count == "" and there < part.right.plus:
                yield Fault(f"asks for {part.right.plus} cards of which its clan has {there}", card, "text")


def _fits(card: Card, filter_: Filter) -> bool:
    names = not (filter_.names or filter_.stems) or card.name in filter_.names or card.stem in filter_.stems
    return names and all(keyword in card.keywords for keyword in filter_.keywords)
