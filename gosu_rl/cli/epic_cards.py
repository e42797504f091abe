"""Tables of a card set of Epic Death, for `gosu-rl cards show`: Goblin cards by kind, Leaders, Lands by terrain, layouts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from gosu_rl.core.cards.epic_schema import TERRAINS, EpicSet
from gosu_rl.core.cards.layouts import lay_out
from gosu_rl.envs.epic_text import card_line

TITLES = {"machine": "Machines", "hero": "Heroes", "action": "Actions"}
Row = tuple[str, int, str]  # name, copies, what it does


def groups(card_set: EpicSet) -> Iterator[tuple[str, list[Row]]]:
    """Everything but the layouts, in groups with a title."""
    for kind, title in TITLES.items():
        yield title, [(card.label, card.copies, card_line(card)) for card in card_set.cards if card.kind == kind]
    yield "Leaders", [(leader.label, 1, card_line(leader).removeprefix("Leader · ")) for leader in card_set.leaders]
    for terrain in TERRAINS:
        lands = [land for land in card_set.lands if land.terrain == terrain]
        yield terrain, [(land.label, land.copies, card_line(land).removeprefix(f"{terrain} · ")) for land in lands]


def set_lines(card_set: EpicSet, width: int) -> list[str]:
    """One table a group, at most `width` columns wide."""
    lines = textwrap.wrap(card_set.notes, width)
    widest = max(len(entry.label) for entry in card_set.entries)
    for title, rows in groups(card_set):
        lines += ["", f"{title} ({sum(copies for _, copies, _ in rows)})"]
        for name, copies, text in rows:
            head = f"  {name:{widest}}  {copies:>2}  "
            wrapped = textwrap.wrap(text or "-", width - len(head))
            lines += [head + wrapped[0], *(" " * len(head) + more for more in wrapped[1:])]
    for layout in card_set.layouts:
        starts = ", ".join(f"{players}: {' '.join(letters)}" for players, letters in layout.starts.items())
        spaces = len(lay_out(layout).labels)
        lines += ["", f"layout {layout.name}: {spaces} Lands; starts by players: {starts}"]
        lines += [f"  {row}" for row in layout.rows]
    return lines


def markdown_lines(card_set: EpicSet) -> list[str]:
    """The same as Markdown tables."""
    lines = []
    for title, rows in groups(card_set):
        lines += [f"### {title}", "", "| card | copies | what it does |", "|---|---:|---|"]
        lines += [f"| {name} | {copies} | {text or '-'} |" for name, copies, text in rows]
        lines.append("")
    for layout in card_set.layouts:
        lines += [f"### Layout {layout.name}", "", "```", *layout.rows, "```", ""]
    return lines
