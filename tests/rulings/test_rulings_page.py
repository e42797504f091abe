"""docs/rulings.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import pytest

from gosu_rl.core.gosu.numbers import LIMITS, NUMBERS
from rulings.page import RulingsPage

PAGE = RulingsPage("rulings.md", "T", "rulings", "gosu")


def test_the_page_has_every_ruling_once() -> None:
    PAGE.check_numbers(48)


@pytest.mark.parametrize("number", PAGE.in_order)
def test_every_ruling_has_a_test_of_its_number_and_its_pointers_lead_somewhere(number: str) -> None:
    PAGE.check_pointers(number)


def test_names_and_marks_agree() -> None:
    PAGE.check_marks()


def test_the_page_has_the_numbers_of_the_rules() -> None:
    assert PAGE.rules() == {name: (value, *LIMITS[name]) for name, value in NUMBERS["tactics"].items()}
