"""Card texts of Gosu X in English: everything the grammar can say is said, and different things are said differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.sample import sample_set
from gosu_rl.core.cards.schema import Card
from gosu_rl.core.cards.texts import Amount, Condition, Filter, Step, TextError, Value
from gosu_rl.envs.card_text import card_help, card_line, offer_help
from gosu_rl.envs.text_x import (
    ability_lines,
    condition_words,
    conditions_words,
    filter_words,
    offered_words,
    rule_words,
    step_words,
    text_words,
    value_words,
)

ALL_WORDS = (*texts.FILTER_WORDS, "clan:Galmi", "clan:Xi'an", "clan:self", "clan:chosen", "keyword:bounty", "keyword:secret_shift",
             "name:Sati", "name:Quae", "stem:Phoenix", "stem:Galmi")  # fmt: skip
FILTERS = [
    "{}",
    *(f"{{{word}}}" for word in ALL_WORDS),
    *(f"{{{' '.join(pair)}}}" for pair in combinations(ALL_WORDS, 2)),
]
COUNTS = (*texts.COUNTS, *(f"other.{word}" for word in texts.COUNTS), "#{own}", "#{other up}", "#pile{hero}",
          "other.#pile{hero}", "#shown{hero}")  # fmt: skip
AMOUNTS = (
    "0",
    "1",
    "2",
    "3",
    "12",
    "2 max 1",
    *COUNTS,
    "hand*2",
    "hand/2",
    "hand+2",
    "hand-2",
    "hand max 2",
    "hand*2+1 max 3",
)


def same(thing: Any) -> Any:
    """A step, amount, condition or filter with the words of its filters in one order, so that equal meanings are equal."""
    if isinstance(thing, Filter):
        return replace(thing, words=tuple(sorted(thing.words)))
    if isinstance(thing, tuple):
        return tuple(map(same, thing))
    if isinstance(thing, Step | Amount | Value | texts.Comparison):
        return replace(thing, **{name: same(getattr(thing, name)) for name in thing.__dataclass_fields__})
    return thing


def readable(read: Callable[[str], Any], written: Iterable[str]) -> dict[Any, str]:
    """What can be read of all that is written: meaning -> the words that were written."""
    found = {}
    for text in written:
        try:
            found[same(read(text))] = text
        except TextError:
            continue
    return found


def all_steps() -> dict[Step, str]:
    operands = {*product(("",), FILTERS), *product(AMOUNTS, ("", "{hero}")), *product(("every",), FILTERS[:30])}
    operands |= {*product(("to 3", "to 1", "to hand", "to other.hand max 2"), ("", "{hero}")), ("", "")}
    return readable(
        texts.read_step,
        (
            f"{may} {subject} {verb} {word} {amount} {filter_}"
            for verb, spec in texts.VERBS.items()
            for may, subject, word in product(("", "may"), ("", "other", "both"), spec.words or ("",))
            for amount, filter_ in operands
        ),
    )


def assert_told_apart(meanings: dict[Any, str], say: Callable[[Any], str], least: int) -> None:
    assert len(meanings) >= least
    said: dict[str, str] = {}
    for meaning, written in meanings.items():
        words = say(meaning)
        assert words not in said, f"{written!r} and {said[words]!r} both read {words!r}"
        said[words] = written


def test_no_two_steps_read_alike() -> None:
    steps = all_steps()
    assert {step.verb for step in steps} == set(texts.VERBS)
    assert_told_apart(steps, step_words, 5000)


def test_no_two_filters_read_alike_in_singular_or_plural() -> None:
    filters = readable(texts.read_filter, FILTERS)
    for many in (False, True):
        assert_told_apart(filters, lambda filter_: filter_words(filter_, many=many), 400)  # noqa: B023


def test_no_two_conditions_read_alike() -> None:
    written = {
        f"{a} {sign} {b}" for a, sign, b in product(AMOUNTS, texts.COMPARISONS, ("0", "1", "3", "hand", "other.hand"))
    }
    written |= {*COUNTS, *(f"not {count}" for count in COUNTS), "hand and deck", "hand and not deck"}

    def read(text: str) -> Condition:
        return texts.read_condition(texts.words_of(text))

    assert_told_apart(readable(read, (text for text in written if " max " not in text)), condition_words, 1500)


def test_no_two_values_or_rules_read_alike() -> None:
    values = {
        f"{to}{sign}{amount}{condition}"
        for to, sign, amount, condition in product(
            ("", "army ", "each {own hero} ", "each {mirror} "),
            ("", "-"),
            AMOUNTS,
            ("", " if wonder", " if not wonder"),
        )
    }
    # Read once more inside, so that the words given are those written.
    assert_told_apart({text: text for text in readable(texts.read_value, values).values()}, value_words, 500)
    rules = [f"{word} {number}" for word in texts.RULE_NUMBERS for number in ("0", "1", "2", "+1", "-1")] + [
        *texts.RULE_WORDS
    ]
    rules += [f"other {rule}" for rule in rules]
    assert_told_apart({text: text for text in rules}, rule_words, 54)


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["may discard 1", "if_done", "destroy {other troop}"],
         "You may discard a card from your hand. If you do: destroy an opposing Troop."),
        (["destroy", "if_done", "draw 2"], "Destroy a card. If that did something: draw two cards."),
        (["choose_one", "draw 1", "or", "release {own}", "end", "draw 1"],
         "Choose one: draw a card; or: release a card of yours. After that: draw a card."),
        (["if wonder", "if hand <= 2", "draw 1", "end", "extra_turn", "else", "win"],
         "If you hold the Wonder token: (if the number of cards in your hand is at most 2: draw a card), then take an additional "
         "turn after this one; otherwise: win the game."),
        (["other sacrifice to #{own}"],
         "Your opponent sacrifices cards until the army holds only X cards (X: the number of cards of yours)."),
        (["both discard to 3"], "Both players discard until their hands hold only three cards."),
        (["capture every {other open hero row bounty}"], "Capture every opposing OPEN Hero in this card's row with Bounty."),
        (["put_into_play pile {troop hero}"], "Put into play, from your discard pile, a Troop or Hero."),
    ],
)  # fmt: skip
def test_texts_are_sentences(steps: list[str], words: str) -> None:
    assert text_words(steps) == words


def test_blocks_read_differently_from_what_stands_behind_them() -> None:
    inside = ["if wonder", "draw 1", "extra_turn"]
    behind = ["if wonder", "draw 1", "end", "extra_turn"]
    nested = ["if wonder", "if passed", "draw 1", "else", "extra_turn", "end", "end"]
    outer = ["if wonder", "if passed", "draw 1", "end", "else", "extra_turn"]
    assert len({text_words(steps) for steps in (inside, behind, nested, outer)}) == 4


def test_force_of_will_names_all_its_conditions() -> None:
    assert conditions_words(["passed", "not wonder"]) == "you have passed and you do not hold the Wonder token"


def test_every_card_of_the_set_can_be_read_and_no_two_read_alike() -> None:
    card_set = load("gosu_x")
    said = [
        (card.strength, card.shift, card.icons, *ability_lines(card))
        for card in card_set.cards
        if card.text or card.value or card.rule
    ]
    assert len(set(said)) == len(said) > 70
    for card in card_set.cards:
        for line in ability_lines(card):
            assert line[0].isupper(), line
            assert line.endswith("."), line
    assert all(list(ability_lines(tile)) for tile in card_set.tiles)


@pytest.mark.parametrize("seed", range(5))
def test_every_card_of_a_sampled_set_can_be_read(seed: int) -> None:
    for card in sample_set("gosu_x", seed).cards:
        assert bool(list(ability_lines(card))) == bool(
            card.keywords or card.text or card.value or card.rule or card.win
        )


def test_the_help_of_a_card_says_it_all() -> None:
    card_set = load("gosu_x")
    queen = next(card for card in card_set.cards if card.name == "Festival Queen")
    assert card_help(queen, card_set) == [
        "Festival Queen: Galmi Hero · strength 2 · shift 2 · 1 icon",
        "  Wondrous.",
        "  You may return the Wonder token to the board. If you do: draw X cards (X: the number of clans among your "
        "face-up cards, at most 2).",
    ]
    assert card_line(queen).startswith("Galmi Hero · strength 2 · shift 2 · 1 icon · Wondrous · You may return")
    lone = Card("Odd", "Galmi", 3, strength=4, icons=2)
    assert card_line(lone) == "Galmi Immortal · strength 4 · 2 icons"


def test_what_is_offered_is_said_as_a_deed() -> None:
    assert offered_words("may extra_turn") == "take an additional turn after this one"
    assert (offered_words("echo"), offered_words("bounty")) == (
        "resolve the whole text once more (Echo)",
        "draw a card (Bounty)",
    )
    card_set = load("gosu_x")
    power = {"card": "Festival Queen", "name": "text", "step": "may return_wonder"}
    assert offer_help(power, card_set.cards[0], card_set) == "return the Wonder token to the board"
    gosu = load("gosu")
    card = next(card for card in gosu.cards if card.name == "Mumbler")
    assert offer_help({"card": "Mumbler", "name": "draw 1", "step": "draw 1"}, card, gosu) == "draw a card"
