"""docs/rulings.md, the code and the tests name one another: no ruling without a test, no pointer into nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from gosu_rl.core.gosu.rules import LIMITS, NUMBERS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^- \*\*(T\d+)\*\* (.*?) \*Code\* (.*?) \*Tests\* (.*?)$", re.MULTILINE)


def entries() -> dict[str, tuple[list[str], list[str]]]:
    """Ruling -> the functions and the test files that the page names."""
    folded = re.sub(r"\n +", " ", PAGE)
    found = ENTRY.findall(folded)
    return {
        number: (re.findall(r"`([^`]+)`", code), re.findall(r"`([^`]+)`", tests)) for number, _, code, tests in found
    }


def functions(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def marks(test: ast.FunctionDef) -> set[str]:
    """Numbers of the `ruling` marks on a test."""
    found = set()
    for node in test.decorator_list:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "ruling":
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return found


def in_name(test: ast.FunctionDef) -> set[str]:
    """Numbers in a test's name: test_t3_t41_… -> T3, T41."""
    match = re.match(r"test((?:_t\d+)+)(?:_|$)", test.name)
    return {part.upper() for part in match[1].split("_") if part} if match else set()


TESTS = {path.name: functions(path) for path in sorted(HERE.glob("test_*.py"))}


def test_the_page_has_every_ruling_once() -> None:
    numbers = re.findall(r"^- \*\*T(\d+)\*\*", PAGE, re.MULTILINE)
    assert sorted(map(int, numbers)) == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 48
    assert set(entries()) == {f"T{number}" for number in numbers}, "an entry lacks *Code* or *Tests*"


@pytest.mark.parametrize("number", [f"T{k}" for k in range(1, 49)])
def test_every_ruling_has_a_test_of_its_number(number: str) -> None:
    held = [
        test.name for tests in TESTS.values() for test in tests if number in in_name(test) and number in marks(test)
    ]
    assert held, f"no test in tests/rulings carries {number} in its name and as a mark"


@pytest.mark.parametrize("number", sorted(entries(), key=lambda text: int(text[1:])))
def test_the_pages_pointers_lead_somewhere(number: str) -> None:
    code, tests = entries()[number]
    assert code
    for place in code:
        path, _, name = place.rpartition(".")
        file = ROOT / f"{path}.py" if "/" in path else ROOT / "gosu_rl" / "core" / "gosu" / f"{path}.py"
        assert name in {function.name for function in functions(file)}, f"{place} is not there"
    assert tests
    for file_name in tests:
        held = [test.name for test in TESTS[file_name] if number in in_name(test)]
        assert held, f"no test of {number} in {file_name}"


def test_names_and_marks_agree() -> None:
    for tests in TESTS.values():
        for test in tests:
            if test.name.startswith("test"):
                assert in_name(test) <= marks(test), f"{test.name} lacks a mark of its number"


def test_the_page_has_the_numbers_of_the_rules() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| ([\d,]+)–([\d,]+) \|", PAGE, re.MULTILINE)
    written = {name: tuple(int(text.replace(",", "")) for text in texts) for name, *texts in rows}
    assert written == {name: (value, *LIMITS[name]) for name, value in NUMBERS["tactics"].items()}
