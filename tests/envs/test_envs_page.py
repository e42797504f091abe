"""The examples of docs/envs.md run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "envs.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_there_is_an_example_of_each_kind_of_environment() -> None:
    for name in (
        'pettingzoo.make("aec"',
        'pettingzoo.make("parallel"',
        "VectorEnv(",
        "gymnasium.make(",
        "gymnasium.make_vec(",
    ):
        assert sum(name in example for example in EXAMPLES) == 1, name


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_runs(number: int) -> None:
    """The second example of PettingZoo leaves its imports to the first."""
    names: dict[str, object] = {}
    if "import" not in EXAMPLES[number]:
        exec("import gymnasium, pettingzoo, gosu_rl.envs", names)
    exec(EXAMPLES[number], names)
    assert len(names) > 2
