"""docs/rulings-gosu-x.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from rulings.test_rulings_page import functions, marks

from gosu_rl.core.cards.texts import KEYWORDS
from gosu_rl.core.gosu.rules import LIMITS, NUMBERS, VARIANT_LIMITS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = (ROOT / "docs" / "rulings-gosu-x.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^- \*\*(X\d+)\*\* (.*?) \*Code\* (.*?) \*Tests\* (.*?)$", re.MULTILINE)
GLOSSARY = (
    "additional turn", "byun hyung ja", "capture", "destroy", "draw", "goan sul", "justice", "mirror card", "open", "release",
    "remove from the game", "reveal", "sacrifice", "same name, different card", "wonder token", "song for the dead", "pass",
)  # fmt: skip
TESTS = {path.name: functions(path) for path in sorted(HERE.glob("test_*.py"))}


def entries() -> dict[str, tuple[list[str], list[str]]]:
    """Ruling -> the functions and the test files that the page names."""
    found = ENTRY.findall(re.sub(r"\n +", " ", PAGE))
    return {
        number: (re.findall(r"`([^`]+)`", code), re.findall(r"`([^`]+)`", tests)) for number, _, code, tests in found
    }


def in_name(test: ast.FunctionDef) -> set[str]:
    """Numbers in a test's name: test_x2_x18_… -> X2, X18."""
    match = re.match(r"test((?:_x\d+)+)(?:_|$)", test.name)
    return {part.upper() for part in match[1].split("_") if part} if match else set()


def test_the_page_has_every_ruling_once() -> None:
    numbers = re.findall(r"^- \*\*X(\d+)\*\*", PAGE, re.MULTILINE)
    assert sorted(map(int, numbers)) == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 49
    assert set(entries()) == {f"X{number}" for number in numbers}, "an entry lacks *Code* or *Tests*"


@pytest.mark.parametrize("number", sorted(entries(), key=lambda text: int(text[1:])))
def test_every_ruling_has_a_test_of_its_number_and_its_pointers_lead_somewhere(number: str) -> None:
    code, tests = entries()[number]
    assert code
    for place in code:
        path, _, name = place.rpartition(".")
        file = ROOT / "gosu_rl" / "core" / "gosu" / f"{path}.py"
        assert name in {function.name for function in functions(file)}, f"{place} is not there"
    assert tests
    for file_name in tests:
        held = [test.name for test in TESTS[file_name] if number in in_name(test) and number in marks(test)]
        assert held, f"no test of {number} in {file_name}"


def test_every_word_of_the_glossary_leads_to_rulings_and_code() -> None:
    part = PAGE.partition("## Where a word")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (X.+?) \| (`.+?`) \|$", part, re.MULTILINE)
    words = "\n".join(word for word, _, _ in rows).casefold()
    for word in (*KEYWORDS, *GLOSSARY):
        assert word in words, f"{word} is not in the index"
    for _, numbers, code in rows:
        assert set(numbers.split(", ")) <= set(entries())
        for place in re.findall(r"`([^`]+)`", code):
            path, _, name = place.rpartition(".")
            file = ROOT / "gosu_rl" / "core" / "gosu" / f"{path}.py"
            assert name in {function.name for function in functions(file)}, f"{place} is not there"


def test_names_and_marks_agree() -> None:
    for tests in TESTS.values():
        for test in tests:
            if test.name.startswith("test"):
                assert in_name(test) <= marks(test), f"{test.name} lacks a mark of its number"


def test_the_page_has_the_numbers_of_the_rules() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (-?[\d,]+) \| ([\d,]+)–([\d,]+) \|", PAGE, re.MULTILINE)
    written = {name: tuple(int(text.replace(",", "")) for text in texts) for name, *texts in rows}
    limits = {**LIMITS, **VARIANT_LIMITS["gosu_x"]}
    assert written == {name: (value, *limits[name]) for name, value in NUMBERS["gosu_x"].items() if name != "draft"}
    assert "| `draft` | `agents` |" in PAGE
