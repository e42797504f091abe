"""What all folders share: with this file here pytest finds `how_often` from everywhere, and tests that need the same costly things
run in one process.

A process that tries laws gathers their positions first, one that plays the games of a napkin's size compiles them: with
`pytest -n auto --dist loadgroup` that is done once, not once a process.
"""

from __future__ import annotations

import pytest

TOGETHER = {
    "positions of the laws": ("core/test_laws_*.py", "agents/test_mcts.py", "agents/test_guide.py"),
    "tiny games": ("core/test_guided.py", "core/test_search.py", "core/test_vector_loops.py"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name, files in TOGETHER.items():
            if any(item.path.match(file) for file in files):
                item.add_marker(pytest.mark.xdist_group(name))
