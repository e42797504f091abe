"""Learning Epic Death: the config runs, a stopped run goes on bit for bit, its player plays, guides a search, is attacked,
and is not mixed up with players of other games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from learning_cases import SMALL, kept, same

import gosu_rl
from gosu_rl.agents import AgentError, make_agent
from gosu_rl.arena.play import play
from gosu_rl.cli import main, measuring
from gosu_rl.learning.config import read
from gosu_rl.learning.trainer import Trainer

CONFIG = Path(__file__).parents[2] / "configs" / "epic_death_ppo.yaml"
POOL = ("pool.past=0.3", "pool.every=2", "pool.league=0.2", "pool.agents=[greedy]", "ppo.critic=privileged")


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of some seconds from the packaged config, its evaluation included."""
    folder = tmp_path_factory.mktemp("epic_death") / "run"
    words = [word for word in SMALL if not word.startswith(("budget", "evaluation"))]
    words += ["budget.samples=1024", "budget.minutes=0", "rollout.games=16", "evaluation.deals=2"]
    assert main(["train", "--config", str(CONFIG), *words, "--out", str(folder)]) == 0
    return folder


def test_the_packaged_config_is_about_epic_death() -> None:
    config = read(CONFIG)
    assert (config.game.variant, config.game.players) == ("epic_death", 2)
    assert config.budget.minutes > 0
    assert config.evaluation.agents == ("random", "greedy")


def test_what_was_learned_plays_and_guides(run: Path) -> None:
    game = gosu_rl.game("epic_death")
    assert sum(play(game, [f"ppo:{run}", "greedy"], seed=2).returns) == 0
    guided = f"mcts:sims=6,prior=ppo:{run},value=ppo:{run}"
    assert play(game, ["greedy", guided], seed=2).returns in ([1, -1], [-1, 1])


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    """Two batches, then two more, are four in one go: weights, optimiser, opponents, games and generators; with three players."""

    def trained(folder: Path, batches: int, resume: bool = False) -> Path:
        words = [word for word in SMALL if not word.startswith("budget")]
        words += ["game.players=3", "budget.minutes=0", f"budget.samples={128 * batches}", *POOL]
        # Schedules follow the share of the budget, so they are held still here.
        words += ["ppo.learning_rate=1e-3", "ppo.entropy=0.01", "machine.checkpoint_minutes=0"]
        assert Trainer(read(CONFIG, words), folder, resume=resume).run().complete
        return folder

    stopped = trained(tmp_path / "stopped", 2)
    first = kept(stopped)[0]
    trained(stopped, 4, resume=True)
    straight = trained(tmp_path / "straight", 4)
    (one, plain), (other, alike) = kept(stopped), kept(straight)
    assert same(one, other)
    assert plain == alike
    assert not same(first, one)


def test_a_best_response_to_an_agent(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "cores", lambda: 1)  # each worker would load torch for three deals
    words = ["budget.samples=512", "rollout.games=8", "rollout.steps=32", "ppo.minibatch=64", "evaluation.deals=0"]
    words += ["machine.device=cpu", "machine.threads=1", "--deals", "3", "--out", str(tmp_path / "response")]
    assert main(["exploit", "greedy", "--variant", "epic_death", "--begin", f"ppo:{run}", *words]) == 0
    assert "a lower bound" in capsys.readouterr().out


def test_players_of_other_games_numbers_and_layouts_are_not_mixed_up(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for variant, players, spec, message in (
        ("epic_death", 2, "ppo:tactics", "plays tactics with 2 players, not epic_death with 2"),
        ("tactics", 2, f"ppo:{run}", "plays epic_death with 2 players, not tactics with 2"),
        ("gosu", 2, f"mcts:sims=9,value=ppo:{run}", "plays epic_death with 2 players, not gosu with 2"),
        ("epic_death", 3, f"ppo:{run}", "plays epic_death with 2 players, not epic_death with 3"),
    ):
        agent = make_agent(spec)
        with pytest.raises(AgentError, match=message) as caught:
            agent.reset(gosu_rl.game(variant, players), 0, 1)
        assert "\n" not in str(caught.value)
    with pytest.raises(AgentError, match="on another layout of observations and actions") as caught:  # another field
        make_agent(f"ppo:{run},any_cards=true").reset(gosu_rl.game("epic_death", rules={"layout": "short"}), 0, 1)
    assert "\n" not in str(caught.value)
    for words, told in (
        (["exploit", "ppo:tactics", "--variant", "epic_death", "--out", str(tmp_path / "a")], "plays tactics"),
        (["train", "--config", str(CONFIG), "begin=tactics", "--out", str(tmp_path / "b")], "tactics"),
        (["train", "--resume", "--out", str(run), "game.variant=tactics"], "game.variant"),
    ):
        capsys.readouterr()
        assert main(words) == 2
        said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("gosu_rl: compiling")]
        assert len(said) == 1
        assert told in said[0]
