"""docs/rulings-gosu-x.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import pytest
from rulings.page import RulingsPage

from gosu_rl.core.gosu.rules import LIMITS, NUMBERS, VARIANT_LIMITS

PAGE = RulingsPage("rulings-gosu-x.md", "X", "rulings_gosu_x", "gosu")


def test_the_page_has_every_ruling_once() -> None:
    PAGE.check_numbers(49)


@pytest.mark.parametrize("number", PAGE.in_order)
def test_every_ruling_has_a_test_of_its_number_and_its_pointers_lead_somewhere(number: str) -> None:
    PAGE.check_pointers(number)


def test_names_and_marks_agree() -> None:
    PAGE.check_marks()


def test_the_page_has_the_numbers_of_the_rules() -> None:
    limits = {**LIMITS, **VARIANT_LIMITS["gosu_x"]}
    written = {name: (value, *limits[name]) for name, value in NUMBERS["gosu_x"].items() if name != "draft"}
    assert PAGE.rules() == written
    assert "| `draft` | `agents` |" in PAGE.text
