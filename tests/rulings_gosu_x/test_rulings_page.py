"""docs/rulings-gosu-x.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import re

import pytest
from rulings.page import RulingsPage

from gosu_rl.core.cards.texts import KEYWORDS
from gosu_rl.core.gosu.numbers import LIMITS, NUMBERS, VARIANT_LIMITS

GLOSSARY = (
    "additional turn", "byun hyung ja", "capture", "destroy", "draw", "goan sul", "justice", "mirror card", "open", "release",
    "remove from the game", "reveal", "sacrifice", "same name, different card", "wonder token", "song for the dead", "pass",
)  # fmt: skip
PAGE = RulingsPage("rulings-gosu-x.md", "X", "rulings_gosu_x", "gosu_x", "gosu")


def test_the_page_has_every_ruling_once() -> None:
    PAGE.check_numbers(49)


@pytest.mark.parametrize("number", PAGE.in_order)
def test_every_ruling_has_a_test_of_its_number_and_its_pointers_lead_somewhere(number: str) -> None:
    PAGE.check_pointers(number)


def test_every_word_of_the_glossary_leads_to_rulings_and_code() -> None:
    part = PAGE.text.partition("## Where a word")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (X.+?) \| (`.+?`) \|$", part, re.MULTILINE)
    words = "\n".join(word for word, _, _ in rows).casefold()
    for word in (*KEYWORDS, *GLOSSARY):
        assert word in words, f"{word} is not in the index"
    for _, numbers, code in rows:
        assert set(numbers.split(", ")) <= set(PAGE.entries)
        for place in re.findall(r"`([^`]+)`", code):
            PAGE.check_place(place)


def test_names_and_marks_agree() -> None:
    PAGE.check_marks()


def test_the_page_has_the_numbers_of_the_rules() -> None:
    limits = {**LIMITS, **VARIANT_LIMITS["gosu_x"]}
    written = {name: (value, *limits[name]) for name, value in NUMBERS["gosu_x"].items() if name != "draft"}
    assert PAGE.rules() == written
    assert "| `draft` | `agents` |" in PAGE.text
