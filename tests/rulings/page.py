"""A page of rulings (docs/rulings*.md), the code and the tests name one another: what the test file of each page asks for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


class RulingsPage:
    """A page whose rulings are numbered with a letter, the folder of their tests, and the folders of the core that it is about."""

    def __init__(self, name: str, letter: str, folder: str, *rooms: str):
        self.letter = letter
        self.text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        self.rooms = [ROOT / "gosu_rl" / "core" / room for room in rooms]
        self.tests = {
            path.name: functions(path) for path in sorted((Path(__file__).parent.parent / folder).glob("*.py"))
        }
        found = re.findall(
            rf"^- \*\*({letter}\d+)\*\* (.*?) \*Code\* (.*?) \*Tests\* (.*?)$",
            re.sub(r"\n +", " ", self.text),
            re.MULTILINE,
        )
        quoted = re.compile(r"`([^`]+)`")
        # Ruling -> the functions and the test files that the page names.
        self.entries = {number: (quoted.findall(code), quoted.findall(tests)) for number, _, code, tests in found}

    def check_numbers(self, fewest: int) -> None:
        """Every number from 1 on is there, once, with code and tests."""
        numbers = re.findall(rf"^- \*\*{self.letter}(\d+)\*\*", self.text, re.MULTILINE)
        assert sorted(map(int, numbers)) == list(range(1, len(numbers) + 1))
        assert len(numbers) >= fewest
        assert set(self.entries) == {f"{self.letter}{number}" for number in numbers}, "an entry lacks *Code* or *Tests*"

    def check_pointers(self, number: str) -> None:
        """The functions are there, and so is in each file a test with that number in its name and as a mark."""
        code, tests = self.entries[number]
        assert code
        for place in code:
            self.check_place(place)
        assert tests
        for file_name in tests:
            held = [t.name for t in self.tests[file_name] if number in self.in_name(t) and number in marks(t)]
            assert held, f"no test of {number} in {file_name}"

    def check_place(self, place: str) -> None:
        """`file.function` is in one of the rooms, `folder/file.function` anywhere in the repository."""
        path, _, name = place.rpartition(".")
        files = [ROOT / f"{path}.py"] if "/" in path else [room / f"{path}.py" for room in self.rooms]
        found = [function.name for file in files if file.exists() for function in functions(file)]
        assert name in found, f"{place} is not there"

    def check_marks(self) -> None:
        """A test with a number in its name is marked with it."""
        for tests in self.tests.values():
            for test in tests:
                if test.name.startswith("test"):
                    assert self.in_name(test) <= marks(test), f"{test.name} lacks a mark of its number"

    def rules(self) -> dict[str, tuple[int, ...]]:
        """The table of numbers that may be changed: value, smallest, largest."""
        rows = re.findall(r"^\| `(\w+)` \| (-?[\d,]+) \| (-?[\d,]+)–([\d,]+) \|", self.text, re.MULTILINE)
        return {name: tuple(int(text.replace(",", "")) for text in texts) for name, *texts in rows}

    def in_name(self, test: ast.FunctionDef) -> set[str]:
        """Numbers in a test's name: test_t3_t41_… -> T3, T41."""
        match = re.match(rf"test((?:_{self.letter.lower()}\d+)+)(?:_|$)", test.name)
        return {part.upper() for part in match[1].split("_") if part} if match else set()

    @property
    def in_order(self) -> list[str]:
        """The rulings of the page by number."""
        return sorted(self.entries, key=lambda text: int(text[1:]))


def functions(path: Path) -> list[ast.FunctionDef]:
    """All functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def marks(test: ast.FunctionDef) -> set[str]:
    """Numbers of the `ruling` marks on a test."""
    found = set()
    for node in test.decorator_list:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "ruling":
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return found
