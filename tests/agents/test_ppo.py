"""The agent `ppo`: it plays what its network says, from its view alone, the same alone and in company."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hand_made import drawn, linear, tactics
from hidden_cards import scrambled
from law_cases import corpus

import gosu_rl
from gosu_rl.agents import AgentError, act_batch, act_together, company_of, make_agent, split_specs
from gosu_rl.agents.ppo import PPO
from gosu_rl.core.game import GameState
from gosu_rl.nets.lookup import frames
from gosu_rl.nets.policy_file import load_policy


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    return drawn(tmp_path_factory.mktemp("nets") / "two.safetensors")


def free(players: int = 2) -> list[GameState]:
    """Positions of the corpus that the packaged cards allow, with a choice."""
    hash_ = tactics(players).card_set.hash
    return [s for s in corpus() if (s.game.card_set.hash, s.game.players) == (hash_, players) and len(s.legal) > 1]


def seated(spec: str, state: GameState, seed: int = 1) -> PPO:
    agent = make_agent(spec)
    assert isinstance(agent, PPO)
    agent.reset(state.game, state.mover, seed)
    return agent


def probabilities(spec: str, state: GameState) -> np.ndarray:
    """The network's, worked out apart: float64[actions], in the actions of the game."""
    observation, mask = state.view(state.mover).perceive(state.mover)
    own = state.game.relative_actions(state.mover)
    policy = load_policy(spec.removeprefix("ppo:"))
    out = np.zeros(state.game.num_actions)
    out[own] = policy.evaluate(observation[None], mask[own][None])[0][0]
    return out


def test_it_draws_from_the_networks_probabilities(spec: str) -> None:
    """A chi-square over 3,000 draws, at four positions of both seats."""
    positions = [state for state in free() if len(state.legal) > 2]
    for state in [s for seat in (0, 1) for s in [one for one in positions if one.mover == seat][:2]]:
        agent, view = seated(f"{spec},temperature=1", state), state.view(state.mover)
        expected = 3000 * probabilities(spec, state)
        found = Counter(agent.act_batch([view] * 3000))
        assert set(found) <= set(state.legal)
        often = [a for a in state.legal if expected[a] > 5]
        rest = 3000 - sum(expected[a] for a in often)
        terms = [(found[a] - expected[a]) ** 2 / expected[a] for a in often]
        if rest > 5:
            terms.append((3000 - sum(found[a] for a in often) - rest) ** 2 / rest)
        assert sum(terms) < 4 * len(terms) + 15


def test_temperature(spec: str) -> None:
    """0, the default: the likeliest action always; in between: likelier ones more often; hot: nearly all alike."""
    for state in free()[::17]:
        p, view = probabilities(spec, state), state.view(state.mover)
        assert {seated(spec, state, seed).act(view) for seed in range(5)} == {int(p.argmax())}
        cold = np.bincount(seated(f"{spec},temperature=0.3", state).act_batch([view] * 400), minlength=len(p))
        warm = np.bincount(seated(f"{spec},temperature=1", state).act_batch([view] * 400), minlength=len(p))
        assert cold[p.argmax()] >= warm[p.argmax()] - 25
        hot = np.bincount(seated(f"{spec},temperature=100", state).act_batch([view] * 400), minlength=len(p))
        assert hot[state.legal].min() > 0.3 * 400 / len(state.legal)


def test_one_network_plays_every_seat_alike(tmp_path: Path) -> None:
    """What it likes is meant from its own seat: `target p0` is a goblin of its own for seat 0, and of the next one for seat 2."""
    game = tactics(3)
    spec = linear(
        tmp_path / "own.safetensors", game, {f"target p0 {r}.{c}": 50.0 for r in (1, 2, 3) for c in range(1, 6)}
    )
    asked = 0
    for state in free(3):
        own = [a for a in state.legal if state.game.labels[a].startswith(f"target p{state.mover} ")]
        if own and len(own) < len(state.legal):
            asked += 1
            assert seated(spec, state).act(state.view(state.mover)) in own
    assert asked >= 1
    assert (frames(game)[1][game.action("target p0 1.1")]) == game.action("target p1 1.1")


def test_hidden_cards_change_nothing(spec: str) -> None:
    for k, state in enumerate(free()[::5]):
        other = scrambled(state, state.mover, Random(k))
        here, there = (seated(spec, one, 3).act_batch([one.view(one.mover)] * 5) for one in (state, other))
        assert here == there


def test_only_a_view_of_its_own_will_do(spec: str) -> None:
    state = free()[0]
    agent = seated(spec, state)
    with pytest.raises(ValueError, match="seat must be a number"):
        agent.act(state)
    with pytest.raises(AgentError, match="decides for the player who is to move"):
        agent.act(state.view(1 - state.mover))
    view = state.view(state.mover)
    before = view.record.tobytes()
    agent.act(view)
    assert view.record.tobytes() == before


def test_batches_are_the_single_decisions(spec: str) -> None:
    """act, act_batch and act_together: the same actions, from the same generator, in any company."""
    here = [
        s for s in corpus() if (s.game.card_set.hash, s.game.players, s.over) == (tactics().card_set.hash, 2, False)
    ]
    views = [state.view(state.mover) for state in here[:150]]
    assert any(len(view.legal) == 1 for view in views)  # forced moves among them
    for seat in (0, 1):
        mine = [view for view in views if view.viewer == seat]
        one, many = (seated(spec, free()[0], 5) for _ in range(2))
        assert [one.act(view) for view in mine] == act_batch(many, mine)
    agents = [seated(f"{spec},temperature={(0, 0.5, 1)[k % 3]}", free()[0], k) for k in range(len(views))]
    again = [seated(f"{spec},temperature={(0, 0.5, 1)[k % 3]}", free()[0], k) for k in range(len(views))]
    assert act_together(agents, views) == [agent.act(view) for agent, view in zip(again, views, strict=True)]
    assert len({company_of(agent) for agent in agents}) == 1
    assert company_of(make_agent("random")) is None


def test_a_forced_move_asks_nobody(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("asked")

    state = next(s for s in corpus() if len(s.legal) == 1 and s.game.players == 2 and s.game.card_set.name == "tactics")
    agent = seated(spec, state)
    generator = agent._rng.getstate()
    monkeypatch.setattr("gosu_rl.nets.policy_file.Policy.outputs", never)
    assert agent.act(state.view(state.mover)) == state.legal[0]
    assert agent._rng.getstate() == generator
    with pytest.raises(AssertionError, match="asked"):
        agent.act(free()[0].view(free()[0].mover))


def test_games_hang_on_the_seed_alone(spec: str) -> None:
    game = tactics()
    texts = [gosu_rl.play(game, [spec, f"{spec},temperature=0.5"], seed=seed).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    shared = [seated(spec, free()[0], 1) for _ in range(2)]
    assert shared[0]._policy is shared[1]._policy
    assert shared[0]._rng is not shared[1]._rng


def test_another_process_plays_the_same(spec: str) -> None:
    """With another number of threads, too."""
    code = f"import gosu_rl; print(gosu_rl.play(gosu_rl.game('tactics'), [{spec!r}, 'greedy'], seed=4).hash)"
    here = gosu_rl.play(tactics(), [spec, "greedy"], seed=4).hash
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=250)
    assert done.stdout.strip() == here, done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ppo", "missing a required argument: 'path'"),
        ("ppo:nowhere", "there is no run folder or policy file 'nowhere'"),
        ("ppo:{here}", "holds no policy.safetensors (yet)"),
        ("{spec},temperature=-1", "temperature must lie between 0 and 100, not -1"),
        ("{spec},temperature=nan", "temperature must lie between 0 and 100, not nan"),
        ("{spec},temperature=cold", "'temperature' wants a number"),
        ("{spec},any_cards=perhaps", "wants yes or no"),
        ("{spec},temper=1", "did you mean temperature"),
    ],
)
def test_bad_specs_are_one_clear_line(text: str, words: str, spec: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(text.format(spec=spec, here=tmp_path))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_network_for_another_game_is_one_clear_line(spec: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="plays tactics with 2 players, not tactics with 3 players"):
        make_agent(spec).reset(tactics(3), 0, 1)
    changed = gosu_rl.game("tactics", rules={"turns_after_pass": 2})
    with pytest.raises(AgentError, match="any_cards=true"):
        make_agent(spec).reset(changed, 0, 1)
    assert gosu_rl.play(changed, [f"{spec},any_cards", "random"], seed=1).result["decisions"] > 10
    (tmp_path / "junk.safetensors").write_bytes(b"junk")
    with pytest.raises(AgentError, match="no policy file, or is broken off"):
        make_agent(f"ppo:{tmp_path / 'junk.safetensors'}").reset(tactics(), 0, 1)


def test_fingerprints(spec: str, tmp_path: Path) -> None:
    game = tactics()
    one, same = make_agent(spec), make_agent(f"{spec},temperature=1")
    other = make_agent(drawn(tmp_path / "other.safetensors", seed=7))
    assert one.fingerprint(game) == same.fingerprint(game) != other.fingerprint(game)  # type: ignore[attr-defined]
    assert len(one.fingerprint(game)) == 16  # type: ignore[attr-defined]


def test_specs_with_paths_are_taken_apart() -> None:
    assert split_specs("ppo:runs/x,temperature=0,greedy") == ("ppo:runs/x,temperature=0", "greedy")
    assert split_specs("random,ppo:tactics,ppo:a/b.safetensors") == ("random", "ppo:tactics", "ppo:a/b.safetensors")
    guided = "mcts:sims=9,prior=ppo:runs/x,value=ppo:runs/y.safetensors,mix=0.5"
    assert split_specs(f"{guided},ppo:runs/x,mcts") == (guided, "ppo:runs/x", "mcts")


def test_torch_is_imported_by_who_needs_it_only() -> None:
    code = (
        "import sys, gosu_rl, gosu_rl.agents, gosu_rl.arena.tournament, gosu_rl.cli\n"
        "gosu_rl.agents.kinds(); gosu_rl.make_agent('mcts:sims=3'); gosu_rl.make_agent('greedy')\n"
        "assert not {'torch', 'safetensors'} & set(sys.modules)\n"
        "sys.modules['torch'] = None\n"
        "for spec in ('ppo:x', 'mcts:prior=ppo:x'):\n"
        "    try:\n"
        "        gosu_rl.make_agent(spec)\n"
        "    except ValueError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("the module torch, which is not installed; pip install 'gosu_rl[train]'" in line for line in lines)
