"""The texts of Gosu X: every example of docs/cards.md can be read, and what cannot be read says where and what is allowed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.load import parse
from gosu_rl.core.cards.texts import Amount, Filter, TextError

PAGE = (Path(__file__).parents[2] / "docs" / "cards.md").read_text(encoding="utf-8")
PART = PAGE[PAGE.index("## Gosu X") : PAGE.index("## What is checked")]
STEPS = PART[PART.index("### Steps") : PART.index("| control")]
EXAMPLES = [
    step
    for line in STEPS.splitlines()
    if line.startswith("| `")
    for step in re.findall(r"`([^`]*)`", line.split("|")[-2])
]
ENTRIES = re.findall(r"`(?:(\w+) = )?(\[[^`]*\])`", PART[PART.index("### Every tile") :])
SET = """format = 1
[set]
name = "one"
variant = "gosu_x"
title = "One card"
version = "1"
composition = "free"
[[card]]
name = "Card"
clan = "Galmi"
level = 1
strength = 2
{}
"""


@pytest.mark.parametrize("step", EXAMPLES)
def test_examples_of_steps_can_be_read(step: str) -> None:
    assert texts.fault_of(texts.read_step, step) == ""


def test_every_step_has_an_example() -> None:
    verbs = {texts.read_step(step).verb for step in EXAMPLES}
    assert verbs == set(texts.VERBS)


@pytest.mark.parametrize(("field", "words"), ENTRIES)
def test_entries_of_the_published_cards_can_be_read(field: str, words: str) -> None:
    entries = ast.literal_eval(words)
    readers = {
        "rule": texts.read_rule,
        "value": texts.read_value,
        "win": lambda w: texts.read_condition(texts.words_of(w)),
    }
    if field in readers:
        assert [texts.fault_of(readers[field], entry) for entry in entries] == [""] * len(entries)
    else:
        assert texts.text_faults(entries) == []


def test_what_a_step_means() -> None:
    step = texts.read_step("may destroy #{own up hero}*2+1 max 3 {other open clan:Goan_Sul stem:Hemro}")
    assert (step.verb, step.may, step.subject) == ("destroy", True, "you")
    assert step.amount == Amount("#army", False, Filter(("own", "up", "hero")), 2, 1, 1, 3)
    assert step.filter == Filter(("other", "open"), "Goan Sul", (), (), ("Hemro",))
    assert texts.read_step("other discard to hand").to
    assert texts.read_step("destroy every {captured}").every
    condition = texts.read_condition(["not", "other.passed", "and", "hand", ">=", "3"])
    assert [(part.left.count, part.left.other, part.sign, part.right.plus) for part in condition] == [
        ("passed", True, "=", 0),
        ("hand", False, ">=", 3),
    ]


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["captur {bounty}"], "did you mean 'capture'"),
        (["capture {bountyy}"], "no word of a filter"),
        (["destroy 2 {own} 2"], "too much"),
        (["draw handd"], "did you mean 'hand'"),
        (["draw 1 max"], "a number is missing"),
        (["draw 100"], "0 to 99"),
        (["other capture {up}"], "subject"),
        (["discard 1 {hero}"], "a hand is hidden"),
        (["may win"], "cannot be optional"),
        (["keep 1"], "before it"),
        (["rest_to bottom"], "before it"),
        (["destroy {clan:chosen}"], "choose_clan"),
        (["resolve {that}"], "needs a step with a target"),
        (["look 1", "if #shown{hero}", "draw 1"], "secret"),
        (["end"], "'end' without"),
        (["else", "draw 1"], "'else' without"),
        (["choose_one", "draw 1"], "needs an 'or'"),
        (["choose_one", "draw 1", "or"], "nothing behind"),
        (["if hand > 3", "end"], "nothing between"),
        (["if_done", "draw 1"], "right before"),
        (["if hand => 3", "draw 1"], "no condition"),
        (["capture {own"], "braces"),
        (["capture {tokens no-tokens}"], "exclude"),
        (["capture {keyword:flying}"], "no keyword"),
        (["capture {clan:Fire}"], "no clan"),
        (["put_into_play deck"], "one of hand, pile, shown"),
        (["draw 1"] * 17, "at most 16"),
    ],
)
def test_what_cannot_be_read_says_why(steps: list[str], words: str) -> None:
    faults = texts.text_faults(steps)
    assert faults, steps
    assert words in faults[0]
    assert "\n" not in faults[0]


@pytest.mark.parametrize("text", ["hand_limit", "hand_limit many", "two_tokens_extra_turn 1", "song", "", "other"])
def test_rules_that_cannot_be_read(text: str) -> None:
    with pytest.raises(TextError, match=r"no rule|whole number|needs a number behind it, like"):
        texts.read_rule(text)


@pytest.mark.parametrize(
    ("lines", "field", "words"),
    [
        ('keywords = ["flying"]', "keywords", "no keyword"),
        ('keywords = ["secret shift"]', "keywords", "needs a shift cost"),
        ("icons = 1", "icons", "would do nothing"),
        ('icons = 4\ntext = ["draw 1"]', "icons", "0 to 3"),
        ("shift = 10", "shift", "0 to 9"),
        ('on = "entering"', "on", "no text"),
        ('text = ["draw 1"]\non = "leaving"', "on", "'entering' or 'activation'"),
        ('keywords = ["force of will"]\ntext = ["draw 1"]', "will", "has conditions"),
        ('will = ["hand > 1"]', "will", "no other card"),
        ('keywords = ["force of will"]\ntext = ["draw 1"]\nwill = ["#{left}"]', "will", "in the hand"),
        ('keywords = ["echo"]', "keywords", "without a text"),
        ('value = ["1 if lead"]', "value", "cannot hang on the lead"),
        ("mutation = 1", "mutation", "unknown"),
        ('text = ["capture {name:Nobody}"]', "text", "no card 'Nobody'"),
        ('rule = ["hand_limit"]', "rule", "needs a number behind it, like hand_limit 1"),
    ],
)
def test_faults_of_a_card_name_the_field(lines: str, field: str, words: str) -> None:
    _, faults = parse(SET.format(lines), "one.toml")
    assert any("card 'Card'" in fault and field in fault and words in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('[[tile]]\nclan = "Galmo"', "no clan"),
        ('[[tile]]\nclan = "Galmi"\nvalue = ["1"]', "whole armies"),
        ('[[tile]]\nclan = "Galmi"\nrule = ["song 1"]', "for cards only"),
        ('[[tile]]\nclan = "Galmi"\n[[tile]]\nclan = "Galmi"', "a clan has one"),
        ('[[tile]]\nclan = "Galmi"\nspeed = 1', "unknown"),
    ],
)
def test_faults_of_tiles(lines: str, words: str) -> None:
    _, faults = parse(SET.format(lines), "one.toml")
    assert any(words in fault for fault in faults), faults
