"""Learning each game but Tactics: the packaged config runs, a stopped run goes on bit for bit, its player plays, guides a search,
is attacked, and is not mixed up with players of other games, numbers of players and layouts."""

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

VARIANTS = ("gosu", "gosu_x", "epic_death")
POOL = ("pool.past=0.3", "pool.every=2", "pool.league=0.2", "pool.agents=[greedy]", "ppo.critic=privileged")


def config_of(variant: str) -> Path:
    return Path(__file__).parents[2] / "configs" / f"{variant}_ppo.yaml"


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module", params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(variant: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a second or two from the packaged config, its evaluation included."""
    folder = tmp_path_factory.mktemp(variant) / "run"
    words = [word for word in SMALL if not word.startswith(("budget", "evaluation"))]
    words += ["budget.samples=1024", "budget.minutes=0", "rollout.games=16", "evaluation.deals=2"]
    assert main(["train", "--config", str(config_of(variant)), *words, "--out", str(folder)]) == 0
    return folder


def test_the_packaged_config_is_about_the_game(variant: str) -> None:
    config = read(config_of(variant))
    assert (config.game.variant, config.game.players) == (variant, 2)
    assert config.budget.minutes > 0
    assert config.evaluation.agents == ("random", "greedy")


def test_what_was_learned_plays_and_guides(variant: str, run: Path) -> None:
    game, spec = gosu_rl.game(variant), f"ppo:{run}"
    assert sum(play(game, [spec, "mcts:sims=5"], seed=2).returns) == 0
    guided = f"mcts:sims=6,prior={spec},value={spec}"
    assert play(game, ["greedy", guided], seed=2).returns in ([1, -1], [-1, 1])


def test_a_stopped_run_goes_on_bit_for_bit(variant: str, tmp_path: Path) -> None:
    """Three batches, then one more, are four in one go: weights, optimiser, opponents, games and generators."""
    players = 3 if variant == "epic_death" else 2

    def trained(folder: Path, batches: int, resume: bool = False) -> Path:
        words = [word for word in SMALL if not word.startswith("budget")]
        words += [f"game.players={players}", "budget.minutes=0", f"budget.samples={128 * batches}", *POOL]
        # Schedules follow the share of the budget, so they are held still here.
        words += ["ppo.learning_rate=1e-3", "ppo.entropy=0.01", "machine.checkpoint_minutes=0"]
        assert Trainer(read(config_of(variant), words), folder, resume=resume).run().complete
        return folder

    stopped = trained(tmp_path / "stopped", 3)
    first = kept(stopped)[0]
    trained(stopped, 4, resume=True)
    straight = trained(tmp_path / "straight", 4)
    (one, plain), (other, alike) = kept(stopped), kept(straight)
    assert same(one, other)
    assert plain == alike
    assert not same(first, one)


def test_a_best_response_to_an_agent(
    variant: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "cores", lambda: 1)  # each worker would load torch for three deals
    words = ["budget.samples=512", "rollout.games=8", "rollout.steps=32", "ppo.minibatch=64", "evaluation.deals=2"]
    words += ["machine.device=cpu", "machine.threads=1", "--deals", "3", "--out", str(tmp_path / "response")]
    assert main(["exploit", "greedy", "--variant", variant, "--begin", f"ppo:{run}", *words]) == 0
    assert "a lower bound" in capsys.readouterr().out


def test_players_of_other_games_and_numbers_are_not_mixed_up(
    variant: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = [name for name in ("tactics", *VARIANTS) if name != variant]
    mine = f"plays {variant} with 2 players, not"
    mixed = [(variant, 2, "ppo:tactics", f"plays tactics with 2 players, not {variant} with 2")]
    mixed += [(variant, 2, "mcts:sims=9,prior=ppo:tactics", f"plays tactics with 2 players, not {variant} with 2")]
    mixed += [(other, 2, f"ppo:{run}", f"{mine} {other} with 2") for other in others]
    mixed += [(others[0], 2, f"mcts:sims=9,value=ppo:{run}", f"{mine} {others[0]} with 2")]
    if variant != "gosu_x":  # a game of two
        mixed += [(variant, 3, f"ppo:{run}", f"{mine} {variant} with 3")]
    for name, players, spec, message in mixed:
        agent = make_agent(spec)
        with pytest.raises(AgentError, match=message) as caught:
            agent.reset(gosu_rl.game(name, players), 0, 1)
        assert "\n" not in str(caught.value)
    config = str(config_of(variant))
    refused = [
        (
            ["exploit", "ppo:tactics", "--variant", variant, "--out", str(tmp_path / "a")],
            "plays tactics with 2 players",
        ),
        (["train", "--config", config, "begin=tactics", "--out", str(tmp_path / "b")], "tactics"),
        (["train", "--resume", "--out", str(run), f"game.variant={others[0]}"], "game.variant"),
    ]
    if variant == "gosu_x":
        words = ["train", "--config", config, "game.players=3", "--out", str(tmp_path / "c")]
        refused += [(words, "gosu_x is for 2 players, not 3")]
    for words, message in refused:
        capsys.readouterr()
        assert main(words) == 2
        said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("gosu_rl: compiling")]
        assert len(said) == 1
        assert message in said[0]


@pytest.mark.parametrize("variant", ["epic_death"], indirect=True)
def test_a_player_of_one_layout_does_not_play_another(run: Path) -> None:
    """Another field of Epic Death has other observations and actions; `any_cards` does not bridge that."""
    with pytest.raises(AgentError, match="on another layout of observations and actions") as caught:
        make_agent(f"ppo:{run},any_cards=true").reset(gosu_rl.game("epic_death", rules={"layout": "short"}), 0, 1)
    assert "\n" not in str(caught.value)
