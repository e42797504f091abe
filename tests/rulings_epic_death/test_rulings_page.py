"""docs/rulings-epic-death.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import re

import pytest
from rulings.page import RulingsPage

from gosu_rl.core.epic_death.rules import LIMITS, NUMBERS
from gosu_rl.core.epic_death.state import KINDS

PAGE = RulingsPage("rulings-epic-death.md", "E", "rulings_epic_death", "epic_death")


def test_the_page_has_every_ruling_once() -> None:
    PAGE.check_numbers(64)


@pytest.mark.parametrize("number", PAGE.in_order)
def test_every_ruling_has_a_test_of_its_number_and_its_pointers_lead_somewhere(number: str) -> None:
    PAGE.check_pointers(number)


def test_names_and_marks_agree() -> None:
    PAGE.check_marks()


def test_the_page_has_the_numbers_of_the_rules_and_the_kinds() -> None:
    assert PAGE.rules() == {name: (value, *LIMITS[name]) for name, value in NUMBERS.items()}
    table = PAGE.text.split("### Kinds of decisions")[1]
    assert set(re.findall(r"^\| `(\w+)` \| ", table, re.MULTILINE)) == set(KINDS)
