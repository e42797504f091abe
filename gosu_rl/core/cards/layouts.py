"""Fields of Epic Death: from a grid of marks to spaces, distances and starts, and what must hold of one (E51).

A mark is `T` Town, `#` Wall, `~` River, `+` Woods, `.` no space, or a letter: a start in the Woods, with another terrain's mark
behind it (`a~`) where it lies there. Spaces are numbered row by row; neighbours share a side.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gosu_rl.core.cards.epic_schema import TERRAINS, EpicSet, Land, Layout
from gosu_rl.core.cards.schema import CardFileError
from gosu_rl.core.cards.wording import quoted

MARKS = {"+": "Woods", "~": "River", "#": "Wall", "T": "Town"}
WAY_OUT = ". + ~ # T, or a start such as a or a~"
MAX_SPACES = 60
MAX_ROWS, MAX_COLUMNS = 20, 20
MAX_LAYOUTS = 9
FEWEST, MOST = 2, 6  # players
COMMENT = ";"


@dataclass(frozen=True)
class Field:
    """A layout laid out: spaces in reading order."""

    labels: tuple[str, ...]  # "row.column", both from 1
    terrains: tuple[str, ...]
    near: tuple[tuple[int, ...], ...]  # neighbours of each space
    starts: dict[int, tuple[int, ...]]  # number of players -> spaces, in the order of the letters
    columns: int

    def distances(self, goals: list[int]) -> list[int]:
        """Steps from each space to the nearest goal; -1 where none can be reached."""
        steps = [-1] * len(self.labels)
        frontier = list(goals)
        for goal in goals:
            steps[goal] = 0
        while frontier:
            at = frontier.pop(0)
            for there in self.near[at]:
                if steps[there] < 0:
                    steps[there] = steps[at] + 1
                    frontier.append(there)
        return steps

    @property
    def towns(self) -> list[int]:
        """Spaces of the Towns."""
        return [space for space, terrain in enumerate(self.terrains) if terrain == "Town"]


def lay_out(layout: Layout) -> Field:
    """The field of a layout that has no faults. It is laid out once and shared from then on: not to be changed."""
    return _laid_out(layout.rows, tuple(layout.starts.items()))


@lru_cache(maxsize=64)  # all positions of a game ask for the same one; a set has at most nine
def _laid_out(grid: tuple[str, ...], letters_of: tuple[tuple[str, str], ...]) -> Field:
    labels: list[str] = []
    terrains: list[str] = []
    at: dict[tuple[int, int], int] = {}
    letters: dict[str, int] = {}
    rows = [row.split() for row in grid]
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark == ".":
                continue
            at[r, c] = len(labels)
            if mark[0].islower():
                letters[mark[0]] = len(labels)
            terrains.append(MARKS.get(mark[-1], "Woods"))
            labels.append(f"{r + 1}.{c + 1}")
    near = tuple(
        tuple(at[r + dr, c + dc] for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0)) if (r + dr, c + dc) in at)
        for r, c in at
    )
    starts = {int(players): tuple(letters[x] for x in word) for players, word in sorted(letters_of)}
    return Field(tuple(labels), tuple(terrains), near, starts, max(map(len, rows)))


def faults(layout: Layout, lands: tuple[Land, ...]) -> Iterator[tuple[str, str]]:
    """What is wrong with a layout, as (field, message); `lands` are those of the set it is for."""
    if not re.fullmatch(r"[a-z][a-z0-9_ -]{0,39}", layout.name):
        yield (
            "name",
            f"{quoted(layout.name)} must be up to 40 lower-case letters a to z, digits, blanks, - and _, a letter first",
        )
    rows = [row.split() for row in layout.rows]
    if not rows or len(rows) > MAX_ROWS or any(len(row) > MAX_COLUMNS for row in rows):
        yield "rows", f"a layout has 1 to {MAX_ROWS} rows of up to {MAX_COLUMNS} marks divided by blanks"
        return
    marks = [mark for row in rows for mark in row]
    for r, row in enumerate(rows, 1):
        for c, mark in enumerate(row, 1):
            if not re.fullmatch(r"[.+~#T]|[a-z][+~#T]?", mark):
                yield "rows", f"{quoted(mark)} in row {r}, place {c} must be one of {WAY_OUT}"
                return
            if mark[0].islower() and mark.endswith("T"):
                yield "rows", f"{quoted(mark)} in row {r}, place {c}: nobody can start on a Town"
                return
    spaces = sum(mark != "." for mark in marks)
    if spaces > MAX_SPACES:
        yield "rows", f"{spaces} spaces are more than the {MAX_SPACES} that are possible"
        return
    letters = Counter(mark[0] for mark in marks if mark[0].islower())
    for letter, times in letters.items():
        if times > 1:
            yield "rows", f"start {letter!r} stands on {times} spaces; a letter is one start"
            return
    broken = list(_start_faults(layout, set(letters)))
    yield from broken
    if not broken:
        yield from _field_faults(lay_out(layout), layout, lands)


def _start_faults(layout: Layout, letters: set[str]) -> Iterator[tuple[str, str]]:
    if not layout.starts:
        yield "starts", 'missing; say who starts where: 2 = "ab"'
    for players, word in layout.starts.items():
        if players not in map(str, range(FEWEST, MOST + 1)):
            yield "starts", f"{quoted(players)} is no number of players from {FEWEST} to {MOST}"
        elif len(word) != int(players) or len(set(word)) != len(word):
            yield "starts", f"{players} players need {players} different letters, not {quoted(word)}"
        elif not set(word) <= letters:
            missing = ", ".join(sorted(set(word) - letters))
            yield "starts", f"no start {missing} stands on the field, but {players} players name it"


def _field_faults(field: Field, layout: Layout, lands: tuple[Land, ...]) -> Iterator[tuple[str, str]]:
    if not field.towns:
        yield "rows", "there is no Town (T) on the field; nobody could end the game"
        return
    apart = [field.labels[i] for i, steps in enumerate(field.distances([field.towns[0]])) if steps < 0]
    if apart:
        yield "rows", f"space {apart[0]} cannot be reached from the Town at {field.labels[field.towns[0]]}"
        return
    most = max(field.starts)
    if len(field.labels) <= most:
        yield "rows", f"{len(field.labels)} spaces are too few for {most} players; there must be room for one more"
    steps = field.distances(field.towns)
    for players, starts in field.starts.items():
        far = {steps[space] for space in starts}
        if len(far) > 1:
            places = ", ".join(
                f"{letter} {steps[space]}" for letter, space in zip(layout.starts[str(players)], starts, strict=True)
            )
            text = f"the starts for {players} players are not equally far from the nearest Town: {places} steps"
            yield "starts", text
    there = Counter(field.terrains)
    for terrain in TERRAINS:
        have = sum(land.copies for land in lands if land.terrain == terrain)
        if there[terrain] > have:
            yield "rows", f"{there[terrain]} spaces of {terrain}, but the set has {have} such Lands"


def read_layout(path: str | os.PathLike[str], lands: tuple[Land, ...]) -> Layout:
    """The layout of a text file (docs/cards.md), checked. Raises CardFileError, one line with file and place."""
    where = os.fspath(path)
    try:
        text = Path(where).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise CardFileError(f"{where}: cannot read this layout file: {reason}") from error
    name, rows, starts = "", [], {}
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith(COMMENT):
            continue
        key, colon, rest = line.partition(":")
        words = key.split()
        if not colon:
            rows.append(" ".join(line.split()))
        elif words == ["name"]:
            if name:
                raise CardFileError(f"{where}:{number}: a second name; write one")
            name = rest.strip()
        elif len(words) == 2 and words[0] == "starts":
            if words[1] in starts:
                raise CardFileError(f"{where}:{number}: a second line of starts for {words[1]} players; write one")
            starts[words[1]] = "".join(rest.replace(",", " ").split())
        else:
            raise CardFileError(
                f"{where}:{number}: expected a row of marks, 'name: …' or 'starts 2: a b', found {quoted(line)}"
            )
    layout = Layout(name or Path(where).stem.lower(), tuple(rows), starts)
    for field, message in faults(layout, lands):
        raise CardFileError(f"{where}: {field}: {message}")
    return layout


def choose(card_set: EpicSet, wanted: object) -> tuple[EpicSet, object]:
    """The set and the number of the layout that the rule `layout` means: a number, a name, or the path of a layout file.

    A path is text that ends with .txt, or a path object of any name.
    """
    if isinstance(wanted, os.PathLike):
        return _with_file(card_set, os.fsdecode(wanted))
    if not isinstance(wanted, str) or wanted.isdecimal():
        return card_set, int(wanted) if isinstance(wanted, str) else wanted
    names = [layout.name for layout in card_set.layouts]
    if wanted in names:
        return card_set, names.index(wanted) + 1
    if not wanted.lower().endswith(".txt"):
        raise ValueError(f"no layout {quoted(wanted)} in {card_set.name}: there are {', '.join(names)}, or a .txt file")
    return _with_file(card_set, wanted)


def _with_file(card_set: EpicSet, wanted: str) -> tuple[EpicSet, int]:
    """The set with the layout of a file, unless it has it already, and the number of that layout."""
    names = [layout.name for layout in card_set.layouts]
    layout = read_layout(wanted, card_set.lands)
    if layout.name in names:
        place = names.index(layout.name)
        if (card_set.layouts[place].rows, dict(card_set.layouts[place].starts)) == (layout.rows, dict(layout.starts)):
            return card_set, place + 1
        raise CardFileError(
            f"{wanted}: name: the set has a layout {quoted(layout.name)} already; give yours another name"
        )
    if len(names) == MAX_LAYOUTS:
        raise CardFileError(f"{wanted}: the set has {MAX_LAYOUTS} layouts already, no more are possible")
    return card_set.with_layout(layout), len(names) + 1
