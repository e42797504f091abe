"""Networks: shapes, draws from the masked policy, and that a privileged critic is one for training only."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from scipy import stats

import gosu_rl
from gosu_rl.nets.network import act, build_network, log_policy, network_config
from gosu_rl.nets.privileged import with_privileged_critic

SPEC = SimpleNamespace(size=6, sections=())
CONFIGS = [
    {"kind": "mlp", "hidden": [16, 8]},
    {"kind": "mlp", "hidden": []},
    {"kind": "cards", "hidden": [16], "card_width": 8},
]


def for_game(players: int, settings: dict) -> tuple[gosu_rl.core.game.Game, torch.nn.Module]:
    torch.manual_seed(1)
    game = gosu_rl.game("tactics", players=players)
    return game, build_network(game.observation_spec, game.num_actions, network_config(game, settings))


def positions(game: gosu_rl.core.game.Game, count: int) -> torch.Tensor:
    """Observations along a random game."""
    state, rng, rows = game.new(seed=3), np.random.default_rng(1), []
    while len(rows) < count:
        rows.append(state.observation(state.mover))
        state.apply(int(rng.choice(state.legal)))
        state = game.new(seed=4) if state.over else state
    return torch.from_numpy(np.stack(rows))


@pytest.mark.parametrize("settings", CONFIGS)
@pytest.mark.parametrize("players", [2, 4])
def test_shapes_and_bounds(players: int, settings: dict) -> None:
    game, network = for_game(players, settings)
    logits, value = network(positions(game, 5))
    assert logits.shape == (5, game.num_actions)
    assert value.shape == (5,)
    assert logits.dtype == value.dtype == torch.float32
    assert value.abs().max() <= 1.0
    assert logits.abs().max() < 1.0  # nearly uniform at first
    value.sum().backward()
    used = [name for name, weight in network.named_parameters() if weight.grad is not None and weight.grad.any()]
    assert any(name.startswith("value") for name in used)


@pytest.mark.parametrize("settings", CONFIGS)
def test_rows_do_not_know_of_one_another(settings: dict) -> None:
    game, network = for_game(2, settings)
    seen = positions(game, 7)
    together = network(seen)[0]
    alone = torch.cat([network(row[None])[0] for row in seen])
    assert torch.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize("settings", CONFIGS)
def test_the_config_builds_the_same_network_again(settings: dict) -> None:
    game, network = for_game(2, settings)
    again = build_network(game.observation_spec, game.num_actions, network.config)
    assert again.config == network.config
    again.load_state_dict(network.state_dict())
    seen = positions(game, 3)
    assert torch.equal(again(seen)[0], network(seen)[0])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"kind": "cnn"}, "unknown kind of network 'cnn'"),
        ({}, "unknown kind of network None"),
        ({"kind": "mlp", "depth": 3}, "unknown entry 'depth'"),
        ({"kind": "mlp", "hidden": [0]}, "hidden must be"),
        ({"kind": "mlp", "hidden": 64}, "hidden must be"),
        ({"kind": "cards", "hidden": [4], "card_width": 0}, "card_width"),
        ({"kind": "cards", "hidden": [4]}, "section 'hand'"),
    ],
)
def test_configs_that_mean_nothing_are_refused(config: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_network(SPEC, 4, config)


# ------------------------------------------------------------------------------------------------ the masked policy


def test_an_illegal_action_has_no_probability_and_no_gradient() -> None:
    torch.manual_seed(0)
    logits = torch.randn(50, 9, requires_grad=True)
    mask = torch.rand(50, 9) < 0.5
    mask[:, 0] = True
    policy = log_policy(logits, mask)
    assert (policy.exp()[~mask] == 0.0).all()
    assert torch.allclose(policy.exp().sum(1), torch.ones(50))
    for row in range(50):  # against the definition
        legal = logits[row][mask[row]]
        assert torch.allclose(policy[row][mask[row]], legal - torch.logsumexp(legal, 0), atol=1e-6)
    entropy = -(policy.exp() * torch.where(mask, policy, 0.0)).sum(1)
    (policy[:, 0].sum() + entropy.sum()).backward()
    assert logits.grad is not None
    assert (logits.grad[~mask] == 0.0).all()
    assert torch.isfinite(logits.grad).all()
    assert logits.grad[mask].any()


def test_huge_logits_leave_illegal_actions_out() -> None:
    logits = torch.tensor([[-1e12, 1e30, 0.0], [torch.nan, torch.nan, torch.nan]])
    mask = torch.tensor([[True, False, False], [False, True, False]])
    network = lambda seen: (logits, torch.zeros(2))  # noqa: E731
    action, _, _ = act(network, torch.zeros(2, 1), mask, torch.Generator())
    assert action.tolist() == [0, 1]


def test_actions_are_drawn_from_the_policy() -> None:
    logits = torch.tensor([[0.0, 1.0, -1.0, 5.0, 0.5]])
    mask = torch.tensor([[True, True, True, False, True]])
    count = 20_000
    network = lambda seen: (logits.expand(count, 5), torch.arange(count) / count)  # noqa: E731
    generator = torch.Generator().manual_seed(7)
    action, log_prob, value = act(network, torch.zeros(count, 1), mask.expand(count, 5), generator)
    policy = log_policy(logits, mask)[0]
    assert torch.equal(log_prob, policy[action])
    assert torch.equal(value, torch.arange(count) / count)
    found = np.bincount(action.numpy(), minlength=5)
    assert found[3] == 0
    legal = mask[0].numpy()
    assert stats.chisquare(found[legal], (policy.exp().numpy()[legal] * count)).pvalue > 1e-4
    again, _, _ = act(network, torch.zeros(count, 1), mask.expand(count, 5), torch.Generator().manual_seed(7))
    assert torch.equal(again, action)


# ------------------------------------------------------------------------------------------------ the privileged critic


@pytest.mark.parametrize("players", [2, 3])
def test_the_policy_never_sees_the_hidden_hands(players: int) -> None:
    game, plain = for_game(players, CONFIGS[0])
    network = with_privileged_critic(plain, game, [16])
    hand = game.observation_spec.slice("hand")
    size = (players - 1) * (hand.stop - hand.start)
    seen = positions(game, 6)
    one, other = torch.zeros(6, size), torch.ones(6, size)
    logits, values = network(seen, one)
    changed_logits, changed = network(seen, other)
    assert torch.equal(logits, changed_logits)
    assert torch.equal(logits, plain(seen)[0])
    assert torch.equal(values[:, 1], changed[:, 1])  # the own view's value
    assert torch.equal(values[:, 1], plain(seen)[1])
    assert not torch.isclose(values[:, 0], changed[:, 0]).any()  # the critic's
    at_play = network(seen)
    assert torch.equal(at_play[0], logits)
    assert torch.equal(at_play[1], values[:, 1])
    assert network.plain is plain
    hidden = one.clone().requires_grad_()
    logits, _ = network(seen, hidden)
    assert torch.autograd.grad(logits.sum(), hidden, allow_unused=True) == (None,)


def test_gradients_of_the_critic_leave_the_policy_alone() -> None:
    game, plain = for_game(2, CONFIGS[0])
    network = with_privileged_critic(plain, game, [16])
    hand = game.observation_spec.slice("hand")
    _, values = network(positions(game, 6), torch.zeros(6, hand.stop - hand.start))
    values[:, 0].sum().backward()
    assert all(weight.grad is None or not weight.grad.any() for weight in plain.parameters())
    assert any(weight.grad is not None and weight.grad.any() for weight in network.critic.parameters())
    assert math.isfinite(sum(float(w.grad.norm()) for w in network.critic.parameters() if w.grad is not None))
