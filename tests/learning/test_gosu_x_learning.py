"""Learning Gosu X: the config runs, a stopped run goes on bit for bit, its player plays, is attacked, and is not mixed up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from learning_cases import SMALL, kept, same

import gosu_rl
from gosu_rl.agents import AgentError, make_agent
from gosu_rl.arena.play import play
from gosu_rl.cli import main
from gosu_rl.learning.config import read
from gosu_rl.learning.trainer import Trainer

CONFIG = Path(__file__).parents[2] / "configs" / "gosu_x_ppo.yaml"
POOL = ("pool.past=0.3", "pool.every=2", "pool.league=0.2", "pool.agents=[greedy]", "ppo.critic=privileged")


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of some seconds from the packaged config, its evaluation included."""
    folder = tmp_path_factory.mktemp("gosu_x") / "run"
    words = [word for word in SMALL if not word.startswith(("budget", "evaluation"))]
    words += ["budget.samples=2048", "budget.minutes=0", "rollout.games=16", "evaluation.deals=3"]
    assert main(["train", "--config", str(CONFIG), *words, "--out", str(folder)]) == 0
    return folder


def test_the_packaged_config_is_about_gosu_x() -> None:
    config = read(CONFIG)
    assert (config.game.variant, config.game.players) == ("gosu_x", 2)
    assert config.budget.minutes > 0
    assert config.evaluation.agents == ("random", "greedy")


def test_what_was_learned_plays(run: Path) -> None:
    game, spec = gosu_rl.game("gosu_x"), f"ppo:{run}"
    record = play(game, [spec, "mcts:sims=5"], seed=2)
    assert sum(record.returns) == 0
    guided = f"mcts:sims=12,prior={spec},value={spec}"
    assert play(game, ["greedy", guided], seed=2).returns in ([1, -1], [-1, 1])


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    """Three batches, then three more, are six in one go: weights, optimiser, opponents, games and generators."""

    def trained(folder: Path, batches: int, resume: bool = False) -> Path:
        words = [word for word in SMALL if not word.startswith("budget")]
        words += ["budget.minutes=0", f"budget.samples={128 * batches}", *POOL]
        # Schedules follow the share of the budget, so they are held still here.
        words += ["ppo.learning_rate=1e-3", "ppo.entropy=0.01", "machine.checkpoint_minutes=0"]
        assert Trainer(read(CONFIG, words), folder, resume=resume).run().complete
        return folder

    stopped = trained(tmp_path / "stopped", 3)
    first = kept(stopped)[0]
    trained(stopped, 6, resume=True)
    straight = trained(tmp_path / "straight", 6)
    (one, plain), (other, alike) = kept(stopped), kept(straight)
    assert same(one, other)
    assert plain == alike
    assert not same(first, one)


def test_a_best_response_to_an_agent(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["budget.samples=512", "rollout.games=8", "rollout.steps=32", "ppo.minibatch=64", "evaluation.deals=2"]
    words += ["machine.device=cpu", "machine.threads=1", "--deals", "4", "--out", str(tmp_path / "response")]
    assert main(["exploit", "greedy", "--variant", "gosu_x", "--begin", f"ppo:{run}", *words]) == 0
    assert "a lower bound" in capsys.readouterr().out


def test_players_of_other_games_are_not_mixed_up(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for variant, spec in (
        ("gosu_x", "ppo:tactics"),
        ("tactics", f"ppo:{run}"),
        ("gosu", f"ppo:{run}"),
        ("gosu_x", "mcts:sims=9,prior=ppo:tactics"),
    ):
        agent = make_agent(spec)
        with pytest.raises(AgentError, match=r"plays \w+ with 2 players, not \w+ with 2") as caught:
            agent.reset(gosu_rl.game(variant), 0, 1)
        assert "\n" not in str(caught.value)
    for words, message in (
        (
            ["exploit", "ppo:tactics", "--variant", "gosu_x", "--out", str(tmp_path / "a")],
            "plays tactics with 2 players",
        ),
        (["train", "--config", str(CONFIG), "begin=tactics", "--out", str(tmp_path / "b")], "tactics"),
        (["train", "--resume", "--out", str(run), "game.variant=gosu"], "game.variant"),
        (
            ["train", "--config", str(CONFIG), "game.players=3", "--out", str(tmp_path / "c")],
            "gosu_x is for 2 players, not 3",
        ),
    ):
        capsys.readouterr()
        assert main(words) == 2
        told = capsys.readouterr().err
        assert message in told
        assert told.count("\n") == 1
