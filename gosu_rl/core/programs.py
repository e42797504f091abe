"""Steps of card texts as rows of code: a word and its operands become (operation, x, y) by a table of a kernel's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Reader = type[int] | Mapping[str, int]  # how one operand is read: as a number, or as one of some words
StepTable = Mapping[str, tuple[int, Sequence[Reader]]]


def step_row(step: str, table: StepTable, fail: Callable[[str], Exception]) -> list[int]:
    """One step ("draw 2") as a row of code. `fail(why)` makes the error to raise for one that cannot be read."""
    word, *operands = step.split()
    if word not in table or len(operands) != len(table[word][1]):
        raise fail(f"cannot read the step {step!r}")
    op, readers = table[word]
    row = [op, 0, 0]
    for place, (text, reader) in enumerate(zip(operands, readers, strict=True), 1):
        try:
            row[place] = reader[text] if isinstance(reader, Mapping) else int(text)
        except (KeyError, ValueError):
            raise fail(f"{text!r} in the step {step!r} is not understood") from None
    return row
