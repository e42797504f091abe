"""Gosu X sets drawn at random: the rulebook's counts and keywords, the published tiles and winners, everything else by chance.

Every text is made of the effects below, some of them with a price, a condition or a choice before them. An effect has a
worth, in points of strength as the packaged set reckons (docs/cards/gosu_x.md), and a card's strength is what the norm of
its level leaves: so sampled sets are about as fair as one that people wrote, but no two play alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gosu_rl.core.cards import check
from gosu_rl.core.cards.check import RULEBOOKS
from gosu_rl.core.cards.check_x import LEADER_OF_TOKENS
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.sample_stream import SAMPLER, Stream, draw_name
from gosu_rl.core.cards.schema import Card, CardSet, Tile
from gosu_rl.core.cards.texts import KEYWORDS, read_text

# By level: what a card is worth, strengths it may have, chances in percent.
NORM = {1: 3.0, 2: 5.25, 3: 8.25}
STRENGTHS = {1: (1, 4), 2: (2, 5), 3: (4, 7)}
USUAL = {1: 2, 2: 3, 3: 5}  # of cards with a text half of the strengths next to it become it
HAS_TEXT = {1: 45, 2: 90, 3: 100}
HAS_VALUE = {1: 25, 2: 20, 3: 15}
HAS_RULE = {1: 3, 2: 8, 3: 25}
HAS_KEYWORD = {1: 30, 2: 25, 3: 25}
HAS_ICON = {1: 15, 2: 35, 3: 15}  # if it has a text
SHIFTS = {1: (30, 55, 10, 0, 5), 2: (5, 50, 35, 5, 5), 3: (0, 15, 40, 35, 10)}  # weights of 0, 1, 2, 3 and of none
PRICED, CONDITIONAL, CHOICE = 12, 15, 12  # percent of the texts that have this before the effect


@dataclass(frozen=True)
class Effect:
    """Steps that a text may consist of, their worth in points of strength, and the lowest level of card that has them."""

    worth: float
    level: int
    steps: tuple[str, ...]


EFFECTS = tuple(
    Effect(worth, level, tuple(steps))
    for worth, level, *steps in (
        (1.5, 1, "draw 1"), (3.0, 2, "draw 2"), (2.0, 2, "draw to 3"), (2.0, 2, "draw clans max 3"), (0.5, 1, "both draw 1"),
        (0.5, 1, "both discard 1"), (1.5, 2, "other discard 1"), (2.5, 3, "other discard other.hand/2 max 3"),
        (3.0, 2, "other discard to hand"), (1.0, 1, "may discard 1", "if_done", "draw 1"),
        (1.0, 1, "may discard 1 {troop}", "if_done", "draw 1"),
        (2.5, 2, "other sacrifice 1"), (3.0, 2, "other sacrifice to #{own}"),
        (2.5, 2, "may sacrifice 1 {not-self}", "if_done", "destroy {other}"),
        (1.0, 1, "capture {bounty}"), (2.5, 1, "capture {other troop}"), (3.0, 2, "capture {other troop hero}"),
        (4.0, 3, "capture {other}"), (2.0, 2, "capture {mirror}"), (2.0, 2, "capture every {other tokens}"),
        (0.75, 1, "release {own}"), (1.0, 2, "release every {own}"), (1.75, 2, "release {own}", "if_done", "resolve {that}"),
        (2.0, 1, "destroy {other troop}"), (3.5, 2, "destroy {other}"), (1.5, 2, "destroy {other captured}"),
        (3.0, 3, "choose_clan", "destroy every {clan:chosen not-self}"),
        (1.0, 2, "return {other troop hero}"), (0.75, 1, "may return {own not-self}", "if_done", "put_into_play hand {troop}"),
        (1.0, 2, "return every {not-self hero}"), (1.25, 2, "remove {other captured}"), (1.0, 2, "remove every {captured}"),
        (1.0, 2, "resolve {own troop}"), (1.25, 2, "resolve {own left right below}"),
        (0.75, 1, "place_bounty {other}"), (1.0, 1, "may move_bounty {other}", "if_done", "draw 1"),
        (4.0, 3, "place_bounty {other}", "capture {that}"), (1.0, 1, "place_ethereal {own}"),
        (2.0, 2, "look 3", "keep 1", "rest_to bottom"), (2.5, 2, "reveal 4", "keep 2 {hero}", "rest_to discard"),
        (1.25, 1, "look 2", "keep 1 {troop}", "rest_to top"), (2.0, 1, "fetch 1 {troop clan:self}"), (2.0, 2, "fetch 1 {hero}"),
        (1.5, 1, "take_back 1 {troop}"), (2.0, 2, "take_back 1"), (3.0, 3, "take_back 2 {troop hero}"),
        (1.25, 2, "may remove_pile 3", "if_done", "draw 1"), (1.25, 2, "may remove_pile 1", "retrieve 1"),
        (0.5, 1, "may put_on_deck bottom 1", "if_done", "draw 1"), (1.0, 1, "may put_on_deck top 1", "if_done", "extra_turn"),
        (1.0, 2, "put_into_play hand {troop}"), (2.5, 2, "put_into_play pile {troop}"),
        (3.5, 3, "put_into_play pile {troop hero}"), (2.25, 2, "reveal 3", "put_into_play shown {troop}", "rest_to discard"),
        (1.0, 1, "extra_turn"), (1.5, 2, "token_back 1"), (1.0, 1, "take_wonder"),
        (1.5, 2, "may return_wonder", "if_done", "draw 2"), (1.5, 2, "may pass", "if_done", "draw 2"),
    )
)  # fmt: skip
CONDITIONS = (
    "hand <= 2", "hand < other.hand", "#{own captured}", "#{other captured} >= 2", "wonder", "not wonder", "additional",
    "other.passed", "clans >= 2", "pile >= 6", "not tokens", "spent >= 1", "round >= 2", "supremacy < other.supremacy",
    "#{own up} < #{other up}", "#{row up clan:self}", "#{other bounty}", "tiles >= 3", "#{mirror}", "deck <= 25",
)  # fmt: skip
WILLS = (
    ("lost >= 1",), ("lost >= 1", "not active"), ("other.captured >= 1",), ("other.destroyed >= 1",), ("other.drawn >= 3",),
    ("passed",), ("other.passed",), ("other.discarded >= 2",), ("additional",), ("#{other up} >= #{own up}+2",),
    ("#pile{hero} >= 2",), ("wonder",),
)  # fmt: skip
VALUES = (
    (1.0, "1 if wonder"), (1.0, "1 if not #{own captured}"), (1.0, "1 if #{row up} >= 2"), (1.0, "hand/2 max 2"),
    (1.0, "each {mirror} -1"), (1.0, "#{left right up clan:self} max 1"), (1.5, "each {own column} 1"), (1.0, "spent/2"),
    (1.5, "pile/5 max 2"), (1.0, "1 if #{bounty}"), (1.5, "placed max 2"), (2.0, "army #{own up}/3"), (1.0, "round-1"),
    (1.5, "each {own keyword:veteran} 1"), (0.75, "1 if supremacy != other.supremacy"), (1.5, "other.#pile{hero}/3 max 2"),
)  # fmt: skip
RULES = (
    (0.75, "hand_limit +2"), (1.0, "other hand_limit 4"), (0.75, "turns_after_pass 2"), (0.75, "new_clan_cost -1"),
    (1.5, "shift_cost -1"), (0.75, "other shift_cost +1"),
)  # fmt: skip
# What a Byun Hyung Ja may ask, and the step or keyword that its own clan needs for it ("": none), so that it can be met whatever
# the two other clans are (X40). Phoenix has its published condition, Justice the one that her leader's tile brings about.
UNLOCKS = (
    ("hand = 0", ""), ("hand >= 6", ""), ("hand > other.hand", ""), ("#{own up} >= #{other up}+3", ""), ("triples", ""),
    ("clans >= 3 and #{own up} >= 6", ""), ("pile >= 12", ""), ("#{own up immortal} >= 2", ""), ("#{own up hero} >= 4", ""),
    ("spent >= 2 and not tokens", ""), ("#{own up} >= 8 and not #{own captured}", ""), ("supremacy < other.supremacy", ""),
    ("additional", "extra_turn"), ("#{other captured} >= 3", "capture"), ("wonder and not #{own captured}", "wondrous"),
)  # fmt: skip
# The tiles whose text is not public.
TILES = (
    Tile("", rule=("new_clan_cost 1",)), Tile("", value=("army #{other captured}",)), Tile("", value=("army #{own up open}",)),
    Tile("", rule=("shift_cost -1",)), Tile("", rule=("hand_limit +2",)), Tile("", value=("army 2 if wonder",)),
    Tile("", value=("army clans",)), Tile("", value=("army #{own up immortal}",)),
)  # fmt: skip
PUBLISHED_TILES = ("Justice", "Narashima", "Galmi", "Phoenix", "Goan Sul")
KEYWORD_WORTH = {"bounty": -0.75, "echo": 0.75, "ethereal": 0.75, "force of will": 0.75, "recruiter": 0.75,
                 "secret shift": 0.75, "veteran": 0.75, "wondrous": 1.0}  # fmt: skip


def sample_gosu_x(seed: int) -> CardSet:
    """A Gosu X set drawn by `seed`; what `sample_set("gosu_x", seed)` gives. Every verb and every keyword occurs in it."""
    packaged = load("gosu_x")
    rulebook = RULEBOOKS["gosu_x"]
    stream = Stream(seed)
    waiting = _one_of_each_verb(stream)
    keywords = stream.shuffled(KEYWORDS)
    names: set[str] = set()
    slots = [
        (clan, level)
        for clan in rulebook.clans
        for level, count in enumerate(rulebook.faces_per_clan[:2], start=1)
        for _ in range(count)
    ]
    cards = []
    for clan, level in stream.shuffled(slots):
        name = draw_name(stream, names)
        cards.append(_card(stream, name, clan, level, waiting, keywords))
    for clan in rulebook.clans:
        known = next(card for card in packaged.cards if card.clan == clan and card.name == clan)
        cards.append(known if known.win or "win" in known.text else _card(stream, clan, clan, 3, waiting, keywords))
    cards.sort(key=lambda card: (rulebook.clans.index(card.clan), card.level))
    cards = _with_unlockers(stream, _with_phoenixes(cards), packaged)
    unknown = stream.shuffled(TILES)
    tiles = [
        tile if tile.clan in PUBLISHED_TILES else replace(unknown.pop(), clan=tile.clan) for tile in packaged.tiles
    ]
    card_set = CardSet(
        name=f"gosu-x-sample-{seed}",
        variant="gosu_x",
        title=f"Gosu X, sampled set {seed}",
        version=str(SAMPLER),
        composition="rulebook",
        cards=tuple(cards),
        provenance=dict(packaged.provenance),
        sources={
            "rulebook": "Gosu X, rulebook: counts, levels, keywords, clans",
            "published": "The tiles of five clans, the leaders of Justice and Goan Sul, and what Phoenix's Byun Hyung Ja asks; all "
            "else is drawn at random",
        },
        notes=f"Drawn by sampler {SAMPLER} with seed {seed}; not the published cards.",
        tiles=tuple(tiles),
    )
    check.check(card_set)  # holds by construction; a fault here is one of this file
    return card_set


def _one_of_each_verb(stream: Stream) -> list[Effect]:
    """Effects that together have every verb."""
    seen: set[str] = set()
    out = []
    for effect in stream.shuffled(EFFECTS):
        verbs = _verbs(effect.steps)
        if not verbs <= seen:
            seen |= verbs
            out.append(effect)
    return out


def _verbs(text: Sequence[str]) -> set[str]:
    return {step.verb for step in read_text(text)}


def _card(stream: Stream, name: str, clan: str, level: int, waiting: list[Effect], keywords: list[str]) -> Card:
    """One Troop, Hero or leader. Effects and keywords that have not occurred yet are taken from the two lists first."""
    card = Card(name, clan, level, copies=2 if level == 1 else 1)
    worth = 0.0
    if stream.chance(HAS_TEXT[level]):
        worth, text = _text(stream, level, waiting)
        card = replace(card, text=text)
    if stream.chance(HAS_VALUE[level]):
        more, value = stream.pick(VALUES)
        worth, card = worth + more, replace(card, value=(value,))
    if stream.chance(HAS_RULE[level]):
        more, rule = stream.pick(RULES)
        worth, card = worth + more, replace(card, rule=(rule,))
    shift = stream.weighted(SHIFTS[level])
    card = replace(card, shift=None if shift == 4 else shift)
    keyword = _keyword(stream, card, keywords)
    if keyword:
        worth += KEYWORD_WORTH[keyword]
        card = replace(card, keywords=(keyword,))
        if keyword == "force of will":
            card = replace(card, will=stream.pick(WILLS))
        if keyword == "veteran":
            card = replace(card, icons=1)
    if card.text and not card.icons and stream.chance(HAS_ICON[level]):
        worth += 0.25
        card = replace(card, icons=1, on="activation" if stream.chance(30) and keyword != "echo" else "")
    low, high = STRENGTHS[level]
    noise = (stream.below(5) - 2) / 4  # from half a point less to half a point more
    strength = int(NORM[level] - worth + noise + 0.5)
    if card.text and abs(strength - USUAL[level]) == 1 and stream.chance(50):
        strength = USUAL[level]
    return replace(card, strength=min(high, max(low, strength)))


def _text(stream: Stream, level: int, waiting: list[Effect]) -> tuple[float, tuple[str, ...]]:
    """Worth and steps of a text: the next effect that has not occurred yet and suits the level, or any that suits it."""
    missing = [effect for effect in waiting if effect.level <= level]
    if missing:
        effect = max(missing, key=lambda effect: effect.level)  # leave the small ones to Troops
        waiting.remove(effect)
    else:
        effect = stream.pick([effect for effect in EFFECTS if effect.level <= level])
    kind = stream.below(100)
    if kind < PRICED:
        return max(0.5, effect.worth - 1.25), ("may discard 1", "if_done", *effect.steps)
    if kind < PRICED + CONDITIONAL:
        condition = f"if {stream.pick(CONDITIONS)}"
        if stream.chance(60):
            return effect.worth * 0.6, (condition, *effect.steps)
        small = stream.pick(
            [other for other in EFFECTS if other.worth <= 1 and other.level <= level and other != effect]
        )
        return effect.worth * 0.6 + small.worth * 0.4, (condition, *_closed(effect.steps), "else", *small.steps)
    if kind < PRICED + CONDITIONAL + CHOICE:
        others = [other for other in EFFECTS if other.level <= level and other != effect]
        other = min(stream.shuffled(others)[:3], key=lambda other: abs(other.worth - effect.worth))
        return max(effect.worth, other.worth) + 0.5, (
            "choose_one", *_closed(effect.steps), "or", *_closed(other.steps), "end",
        )  # fmt: skip
    if level == 3 and effect.worth <= 2:
        more = stream.pick(
            [other for other in EFFECTS if other.worth <= 1.5 and other.level <= level and other != effect]
        )
        return effect.worth + more.worth, (*_closed(effect.steps), *more.steps)
    return effect.worth, effect.steps


def _closed(steps: Sequence[str]) -> tuple[str, ...]:
    """The steps with their block closed, so that others may follow."""
    return (*steps, "end") if "if_done" in steps else tuple(steps)


def _keyword(stream: Stream, card: Card, keywords: list[str]) -> str:
    """A keyword that the card can have, or none; those of the list, which have not occurred yet, first."""
    fitting = [
        keyword
        for keyword in KEYWORDS
        if (keyword != "recruiter" or card.level == 1)
        and (keyword not in ("echo", "force of will") or card.text)
        # Whoever discards itself for its text must not take itself back: it could be used without end.
        and (keyword != "force of will" or (card.level == 2 and "take_back" not in _verbs(card.text)))
        and (keyword != "secret shift" or card.shift is not None)
        and (keyword != "veteran" or card.level < 3)
    ]
    missing = [keyword for keyword in keywords if keyword in fitting]
    if missing:
        keywords.remove(missing[0])
        return missing[0]
    return stream.pick(fitting) if stream.chance(HAS_KEYWORD[card.level]) else ""


def _with_phoenixes(cards: list[Card]) -> list[Card]:
    """Two Heroes of Phoenix share the name of their leader, as its Byun Hyung Ja needs."""
    heroes = [card for card in cards if card.clan == "Phoenix" and card.level == 2][:2]
    return [replace(card, name=f"Phoenix ({card.name})") if card in heroes else card for card in cards]


def _with_unlockers(stream: Stream, cards: list[Card], packaged: CardSet) -> list[Card]:
    """Each clan's Byun Hyung Ja behind its leader, with a condition of its own."""
    conditions = stream.shuffled(UNLOCKS)
    out = []
    for card in cards:
        out.append(card)
        if card.level < 3:
            continue
        name = f"{LEADER_OF_TOKENS} ({card.clan})"
        if card.clan == "Phoenix":
            out.append(next(known for known in packaged.cards if known.name == name))
            continue
        icons = int(stream.chance(30))
        shift = 1 + stream.below(2)
        condition = "tiles >= 3"
        if card.clan != "Justice":
            has = {word for own in cards if own.clan == card.clan for word in (*own.keywords, *_verbs(own.text))}
            condition, need = next((said, need) for said, need in conditions if not need or need in has)
            conditions.remove((condition, need))
        text = (f"if {condition}", "unlock")
        out.append(Card(name, card.clan, 3, strength=4 + stream.below(2), shift=shift, icons=icons, text=text))
    return out
