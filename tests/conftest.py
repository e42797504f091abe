"""What all folders share: with this file here pytest finds `how_often` from everywhere, and tests that need the same costly things
run in one process.

Laws and searches are tried on positions that each process gathers for itself, and on games of a napkin's size that each process
compiles: with `pytest -n auto --dist loadgroup` one process does both.
"""

from __future__ import annotations

import pytest

TOGETHER = {
    "laws and searches": (
        "core/test_laws_*.py", "core/test_guided.py", "core/test_search.py", "core/test_vector_loops.py", "agents/test_mcts.py",
        "agents/test_guide.py",
    ),
}  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name, files in TOGETHER.items():
            if any(item.path.match(file) for file in files):
                item.add_marker(pytest.mark.xdist_group(name))
