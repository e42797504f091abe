"""`mcts` with trained players to help: what they say is heard, hidden cards stay hidden, and wrong specs are one line."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hand_made import drawn, linear, tactics
from hidden_cards import scrambled
from law_cases import corpus
from search_results import analysis, plain

import gosu_rl
from gosu_rl.agents import AgentError, make_agent
from gosu_rl.agents.mcts import MCTS, PUCT_C, C
from gosu_rl.core.game import GameState


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """A network with opinions for each number of players."""
    folder = tmp_path_factory.mktemp("nets")
    return {players: drawn(folder / f"{players}.safetensors", tactics(players)) for players in (2, 3, 4)}


def free(players: int) -> list[GameState]:
    hash_ = tactics(players).card_set.hash
    return [s for s in corpus() if (s.game.card_set.hash, s.game.players) == (hash_, players) and len(s.legal) > 1]


WAYS = (
    {"prior": True, "value": True},
    {"prior": True},
    {"value": True, "mix": 0.5},
    {"prior": True, "value": True, "method": "redetermine", "batch": 3},
    {"prior": True, "value": True, "method": "pimc", "worlds": 4},
    {"prior": True, "value": True, "threads": 2},
)


def with_net(way: dict[str, object], net: str) -> dict[str, object]:
    return {name: net if name in ("prior", "value") else value for name, value in way.items()}


@pytest.mark.parametrize("way", WAYS)
def test_hidden_cards_change_nothing(way: dict[str, object], nets: dict[int, str]) -> None:
    """The same information set, other hidden cards, the same seed: the same search to the last digit."""
    for players, net in nets.items():
        for k, state in enumerate(free(players)[:: max(1, len(free(players)) // 5)]):
            other = scrambled(state, state.mover, Random(k))
            parameters = {"sims": 60, **with_net(way, net)}
            here, there = (analysis(one.view(one.mover), k, **parameters) for one in (state, other))
            assert plain(here) == plain(there)
            assert here.iterations == 60
            assert here.best in state.legal
            assert here.visits.sum() == 60


def test_the_prior_says_what_is_looked_at(tmp_path: Path) -> None:
    """A network that likes to pass sends a bold search there, one that hates it keeps it away."""
    game = tactics()
    likes, hates = (linear(tmp_path / f"{x}.safetensors", game, {"pass": x}) for x in (6.0, -6.0))
    pass_ = game.action("pass")
    for state in [s for s in free(2) if pass_ in s.legal and len(s.legal) > 2][:6]:
        view = state.view(state.mover)
        liked, hated = (analysis(view, sims=200, prior=net, c=5.0) for net in (likes, hates))
        assert liked.best == pass_
        assert liked.visits[0] > 150
        assert pass_ not in hated.actions[hated.visits > 10]


def test_the_value_says_what_is_worth_it(tmp_path: Path) -> None:
    """A network that counts the goblins of both armies makes search recruit, or, with the sign turned, pass."""
    game = tactics()
    army = 11  # of a player's numbers: the size of his army
    more, less = (
        linear(
            tmp_path / f"{sign}.safetensors",
            game,
            worth={("player_0", army): 3.0 * sign, ("player_1", army): -3.0 * sign},
        )
        for sign in (1, -1)
    )
    pass_ = game.action("pass")
    state = game.new(5)
    while not (state.kind == "turn" and any(label.startswith("play") for label in state.legal_labels)):
        state.apply(state.legal[0])
    view = state.view(state.mover)
    for prior in (False, True):
        values = {}
        for name, net in (("more", more), ("less", less)):
            parameters = {"prior": net, "c": 0.3} if prior else {"c": 0.3}
            found = analysis(view, sims=400, value=net, **parameters)
            values[name] = found.values
            assert (found.best == pass_) == (name == "less"), prior
        assert max(values["more"]) > 0.5 > min(values["less"])


def test_the_mean_of_both_words(tmp_path: Path) -> None:
    """mix=0 is the rollout alone; with a network that says 0 everywhere half of it is half way to a half."""
    game = tactics()
    nothing = linear(tmp_path / "nothing.safetensors", game)
    view = free(2)[3].view(free(2)[3].mover)
    pure, half, net = (analysis(view, sims=1, value=nothing, mix=mix, batch=1) for mix in (0.0, 0.5, 1.0))
    assert pure.actions.tolist() == half.actions.tolist() == net.actions.tolist()
    assert net.values[0] == 0.5
    assert half.values[0] == pytest.approx((pure.values[0] + 0.5) / 2)
    assert pure.decisions == half.decisions > net.decisions


def test_two_networks_may_share_the_work(tmp_path: Path, nets: dict[int, str]) -> None:
    """prior and value from two files: each is heard for its own part."""
    game = tactics()
    likes = linear(tmp_path / "likes.safetensors", game, {"pass": 9.0})
    view = next(s.view(s.mover) for s in free(2) if game.action("pass") in s.legal and len(s.legal) > 2)
    found = analysis(view, sims=100, prior=likes, value=nets[2], c=20.0)
    assert found.best == game.action("pass")
    other = analysis(view, sims=100, prior=likes, value=likes, c=20.0)
    assert other.values.tolist() != found.values.tolist()
    one, two = (MCTS(sims=3, prior=likes, value=value) for value in (nets[2], likes))
    assert len(one.fingerprint(game)) == len(two.fingerprint(game)) == 33
    assert one.fingerprint(game) != two.fingerprint(game)
    assert MCTS().fingerprint(game) == ""


def test_games_hang_on_the_seed_alone(nets: dict[int, str]) -> None:
    for players in (2, 3):
        net, game = nets[players], tactics(players)
        agents = [f"mcts:sims=20,prior={net},value={net}", f"mcts:sims=20,value={net},mix=0.5", "random"][:players]
        texts = [gosu_rl.play(game, agents, seed=seed).text for seed in (1, 1, 2)]
        assert texts[0] == texts[1] != texts[2]


def test_a_budget_of_time(nets: dict[int, str]) -> None:
    view = free(2)[3].view(free(2)[3].mover)
    analysis(view, sims=10, prior=nets[2], value=nets[2])  # whatever has to be compiled
    found = analysis(view, ms=60, prior=nets[2], value=nets[2], batch=4)
    assert found.seconds >= 0.06
    assert found.iterations % 16 == 0
    assert found.iterations > 0


def test_the_spec_is_read(nets: dict[int, str]) -> None:
    net = nets[2]
    agent = make_agent(f"mcts:sims=50,prior={net},value={net},mix=0.25,batch=8")
    assert isinstance(agent, MCTS)
    assert agent._guided.manner.c == PUCT_C
    assert (agent._guided.prior, agent._guided.value, agent._guided.batch) == (True, 0.25, 8)
    alone = make_agent(f"mcts:value={net}")
    assert isinstance(alone, MCTS)
    assert (alone._guided.prior, alone._guided.value, alone._guided.manner.c) == (False, 1.0, C)
    assert make_agent("mcts:c=0.4")._manner.c == 0.4  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prior=greedy", "prior must be a trained player such as ppo:runs/x, not 'greedy'"),
        ("value=ppo:", "value must be a trained player"),
        ("value=ppo:nowhere", "there is no run folder or policy file 'nowhere'"),
        ("mix=0.5", "so it wants value=ppo:"),
        ("value={net},mix=1.5", "mix must lie between 0 and 1, not 1.5"),
        ("value={net},mix=nan", "mix must lie between 0 and 1, not nan"),
        ("prior={net},batch=0", "batch must be 1 or more, not 0"),
        ("prior={net},batch=99999", "batch must be 4,096 or less"),
    ],
)
def test_bad_specs_are_one_clear_line(text: str, words: str, nets: dict[int, str]) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent("mcts:" + text.format(net=nets[2]))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_network_for_another_game_is_one_clear_line(nets: dict[int, str]) -> None:
    with pytest.raises(AgentError, match=r"mcts: .* plays tactics with 2 players, not tactics with 3 players"):
        make_agent(f"mcts:prior={nets[2]}").reset(tactics(3), 0, 1)
    changed = gosu_rl.game("tactics", rules={"turns_after_pass": 2})
    with pytest.raises(AgentError, match="any_cards=true"):
        make_agent(f"mcts:value={nets[2]}").reset(changed, 0, 1)
    make_agent(f"mcts:value={nets[2]},any_cards").reset(changed, 0, 1)


def test_values_lie_between_0_and_1_for_any_number_of_players(nets: dict[int, str]) -> None:
    for players, net in nets.items():
        state = free(players)[7]
        found = analysis(state.view(state.mover), sims=150, prior=net, value=net)
        assert ((found.values >= 0) & (found.values <= 1)).all()
        assert np.isfinite(found.values).all()
