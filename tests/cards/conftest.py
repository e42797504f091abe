"""What the tests of card files share: editing the text of the packaged set, and reading the result."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gosu_rl.core.cards.load import dump, load, parse

Check = Callable[..., list[str]]


@pytest.fixture(scope="session")
def tactics_text() -> str:
    """The packaged set as `gosu-rl cards export tactics` writes it."""
    return dump(load("tactics"))


@pytest.fixture(scope="session")
def card_text(tactics_text: str) -> Callable[[str], str]:
    """The [[card]] block of a face, by label."""

    def block(label: str) -> str:
        name, is_x = (label[:-2], True) if label.endswith(" X") else (label, False)
        found = [
            block
            for block in tactics_text.split("\n\n")
            if f'name = "{name}"' in block and block.startswith("[[card]]") and ("x = true" in block) == is_x
        ]
        assert len(found) == 1, (label, found)
        return found[0]

    return block


@pytest.fixture(scope="session")
def edited(tactics_text: str, card_text: Callable[[str], str]) -> Check:
    """Faults of the packaged set after one edit: in the block of `card`, or anywhere, `old` becomes `new`."""

    def faults(old: str, new: str, card: str | None = None) -> list[str]:
        whole = tactics_text
        if card is None:
            assert old in whole
            whole = whole.replace(old, new, 1)
        else:
            block = card_text(card)
            assert old in block
            whole = whole.replace(block, block.replace(old, new, 1))
        return parse(whole, "mine.toml")[1]

    return faults
