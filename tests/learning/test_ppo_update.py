"""The update against a PPO written as loops over samples, and that each of its numbers acts."""

from __future__ import annotations

import copy
import dataclasses
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from gosu_rl.learning.config import PPOConfig
from gosu_rl.learning.ppo import DivergedError, Losses, Pull, Samples, follow, update
from gosu_rl.learning.returns import Advantages, advantages
from gosu_rl.learning.rollout import Batch
from gosu_rl.learning.schedule import Schedule
from gosu_rl.nets.network import build_network, log_policy
from gosu_rl.nets.privileged import Privileged

STEPS, GAMES, SIZE, ACTIONS, HANDS = 6, 4, 5, 4, 3
CPU = torch.device("cpu")
BASE = Pull(learning_rate=0.01, clip=0.2, entropy=0.03, magnet=0.0)


def network(seed: int = 1, privileged: bool = False) -> nn.Module:
    torch.manual_seed(seed)
    made = build_network(SimpleNamespace(size=SIZE, sections=()), ACTIONS, {"kind": "mlp", "hidden": [7]})
    for weight in made.parameters():
        weight.data += 0.3 * torch.randn_like(weight)  # far from uniform
    return Privileged(made, SIZE + HANDS, [6]) if privileged else made


def batch(acting: nn.Module, seed: int = 1, off: float = 0.3, privileged: bool = False) -> Batch:
    """Random decisions; the probabilities with which they were taken are `off` those of the network, so that clipping has work."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    observation = torch.randn(STEPS, GAMES, SIZE)
    mask = torch.rand(STEPS, GAMES, ACTIONS) < 0.6
    mask[..., 0] = True
    mask[1, 1] = torch.tensor([True, False, False, False])  # forced
    with torch.no_grad():
        policy = log_policy(acting(observation.flatten(0, 1))[0], mask.flatten(0, 1))
    action = torch.multinomial(policy.exp(), 1)
    log_prob = policy.gather(1, action)[:, 0] + off * torch.randn(STEPS * GAMES)
    ended = rng.random((STEPS, GAMES)) < 0.2
    ended[-1] = True
    return Batch(
        observation, mask, action.view(STEPS, GAMES), log_prob.view(STEPS, GAMES),
        rng.normal(size=(STEPS, GAMES)).astype(np.float32) / 3, rng.integers(2, size=(STEPS, GAMES)),
        rng.random((STEPS, GAMES)) < 0.8, rng.normal(size=(STEPS, GAMES, 2)).astype(np.float32), ended,
        torch.randn(STEPS, GAMES, HANDS) if privileged else None, [], 0, {},
    )  # fmt: skip


def found(played: Batch) -> Advantages:
    return advantages(played.reward, played.ended, played.mover, played.value, 0.9, played.choice)


def one_step(
    net: nn.Module, played: Batch, pull: Pull = BASE, magnet: nn.Module | None = None, **settings: Any
) -> tuple[nn.Module, Losses]:
    """A copy of the network after one gradient step over the whole batch."""
    net = copy.deepcopy(net)
    config = PPOConfig(**{"epochs": 1, "minibatch": 1000, **settings})
    optimizer = torch.optim.Adam(net.parameters(), eps=1e-5)
    samples = Samples(played, found(played), CPU)
    losses = update(net, list(net.parameters()), optimizer, samples, config, pull, np.random.default_rng(1), magnet)
    assert optimizer.param_groups[0]["lr"] == pull.learning_rate
    return net, losses


def plain_step(
    net: nn.Module,
    played: Batch,
    pull: Pull = BASE,
    magnet: nn.Module | None = None,
    value: float = 0.5,
    norm: float = 1.0,
) -> tuple[nn.Module, dict[str, float]]:
    """The same, sample by sample and term by term."""
    net = copy.deepcopy(net)
    estimate = found(played)
    places = [
        (t, i)
        for t in range(STEPS)
        for i in range(GAMES)
        if played.learner[t, i] and estimate.complete[t, i] and int(played.mask[t, i].sum()) > 1
    ]
    raw = [float(estimate.advantage[place]) for place in places]
    mean = sum(raw) / len(raw)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in raw) / len(raw))
    policy_loss, value_loss, entropy, divergence = (torch.zeros(()) for _ in range(4))
    for place in places:
        seen = played.observation[place][None]
        hidden = () if played.hidden is None else (played.hidden[place][None],)
        logits, values = net(seen, *hidden)
        legal = [a for a in range(ACTIONS) if played.mask[place][a]]
        weights = {a: logits[0, a].exp() for a in legal}
        total = sum(weights.values())
        chance = {a: weights[a] / total for a in legal}
        advantage = (float(estimate.advantage[place]) - mean) / (deviation + 1e-8)
        ratio = chance[int(played.action[place])] / float(played.log_prob[place].exp())
        bounded = min(max(ratio, torch.tensor(1 - pull.clip)), torch.tensor(1 + pull.clip))
        policy_loss = policy_loss - min(ratio * advantage, bounded * advantage)
        for each in values.flatten():
            value_loss = value_loss + (each - float(estimate.target[place])) ** 2
        entropy = entropy - sum(p * p.log() for p in chance.values())
        if magnet is None:
            slow = dict.fromkeys(legal, 1.0 / len(legal))
        else:
            other = {a: float(magnet(seen)[0][0, a].detach().exp()) for a in legal}
            slow = {a: other[a] / sum(other.values()) for a in legal}
        divergence = divergence + sum(chance[a] * (chance[a] / slow[a]).log() for a in legal)
    n = len(places)
    loss = (policy_loss + value * value_loss - pull.entropy * entropy + pull.magnet * divergence) / n
    loss.backward()
    weights_with = [w for w in net.parameters() if w.grad is not None]
    size = math.sqrt(sum(float((w.grad**2).sum()) for w in weights_with if w.grad is not None))
    with torch.no_grad():
        for w in weights_with:
            assert w.grad is not None
            cut = w.grad * min(1.0, norm / size)
            # The first step of Adam: its two means, without their bias, are the gradient and its square.
            w -= pull.learning_rate * cut / (cut.abs() + 1e-5)
    loss, policy_loss, value_loss, entropy, divergence = (
        float(x.detach()) for x in (loss, policy_loss, value_loss, entropy, divergence)
    )
    return net, {
        "total": loss, "policy": policy_loss / n, "value": value_loss / n, "entropy": entropy / n, "magnet": divergence / n,
        "gradient": size,
    }  # fmt: skip


def close(a: nn.Module, b: nn.Module) -> bool:
    return all(torch.allclose(x, y, atol=2e-5) for x, y in zip(a.parameters(), b.parameters(), strict=True))


PULLS = [
    BASE,
    dataclasses.replace(BASE, learning_rate=0.002),
    dataclasses.replace(BASE, clip=0.05),
    dataclasses.replace(BASE, entropy=0.0),
    dataclasses.replace(BASE, entropy=0.5),
    dataclasses.replace(BASE, magnet=0.4),
]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("pull", PULLS)
def test_a_step_is_what_loops_over_samples_give(pull: Pull, seed: int) -> None:
    net = network(seed)
    played = batch(net, seed)
    ours, losses = one_step(net, played, pull)
    plain, figures = plain_step(net, played, pull)
    assert close(ours, plain)
    assert not close(ours, net)
    for name, figure in figures.items():
        if name != "magnet" or pull.magnet:
            assert getattr(losses, name) == pytest.approx(figure, abs=1e-5), name


def test_the_numbers_of_a_pull_all_act() -> None:
    net = network()
    played = batch(net)
    results = [one_step(net, played, pull)[0] for pull in PULLS]
    for k, one in enumerate(results):
        assert not any(close(one, other) for other in results[:k])


def test_a_magnet_that_is_a_network() -> None:
    net, slow = network(1), network(2)
    played = batch(net)
    pull = dataclasses.replace(BASE, magnet=0.4)
    ours, losses = one_step(net, played, pull, slow)
    plain, figures = plain_step(net, played, pull, slow)
    assert close(ours, plain)
    assert losses.magnet == pytest.approx(figures["magnet"], abs=1e-5)
    assert not close(ours, one_step(net, played, pull)[0])
    itself = one_step(net, played, pull, copy.deepcopy(net))[1].magnet
    assert itself == pytest.approx(0.0, abs=1e-6)  # no distance from itself


@pytest.mark.parametrize(("value", "norm"), [(0.5, 1.0), (2.0, 1.0), (0.0, 1.0), (0.5, 1e-3)])
def test_value_weight_and_norm(value: float, norm: float) -> None:
    net = network()
    played = batch(net)
    ours, _ = one_step(net, played, value=value, max_norm=norm)
    assert close(ours, plain_step(net, played, value=value, norm=norm)[0])


def test_a_privileged_critic_learns_and_so_does_the_own_value_head() -> None:
    net = network(privileged=True)
    played = batch(net, privileged=True)
    ours, losses = one_step(net, played)
    plain, figures = plain_step(net, played)
    assert close(ours, plain)
    assert losses.value == pytest.approx(figures["value"], abs=1e-5)
    moved = {
        name for (name, a), b in zip(ours.named_parameters(), net.parameters(), strict=True) if not torch.equal(a, b)
    }
    assert {"plain.value.weight", "critic.value.weight", "plain.policy.weight"} <= moved


# ------------------------------------------------------------------------------------------------ which samples


def test_what_is_learned_from() -> None:
    net = network()
    played = batch(net)
    estimate = found(played)
    samples = Samples(played, estimate, CPU)
    rows = set(samples.rows.tolist())
    for t, i in np.ndindex(STEPS, GAMES):
        wanted = played.learner[t, i] and estimate.complete[t, i] and int(played.mask[t, i].sum()) > 1
        assert (t * GAMES + i in rows) == bool(wanted)
    assert 1 * GAMES + 1 not in rows  # the forced one


def test_minibatches_hold_every_sample_once_and_in_step() -> None:
    net = network(privileged=True)
    played = batch(net, privileged=True)
    estimate = found(played)
    samples = Samples(played, estimate, CPU)
    parts = list(samples.minibatches(4, np.random.default_rng(3)))
    sizes = [len(part[0]) for part in parts]
    assert sum(sizes) == len(samples.rows)
    assert max(sizes) - min(sizes) <= 1
    assert abs(np.mean(sizes) - 4) < 1
    together = [torch.cat([part[k] for part in parts]) for k in range(7)]
    flat = played.observation.flatten(0, 1)
    where = [int((flat == seen).all(1).nonzero()[0, 0]) for seen in together[0]]
    assert sorted(where) == samples.rows.tolist()
    assert where != samples.rows.tolist()  # mixed
    assert torch.equal(together[1], played.mask.flatten(0, 1)[where])
    assert torch.equal(together[2], played.action.flatten()[where])
    assert torch.equal(together[3], played.log_prob.flatten()[where])
    raw = estimate.advantage.ravel()[samples.rows]
    assert torch.allclose(
        together[4] * float(raw.std()) + float(raw.mean()),
        torch.from_numpy(estimate.advantage.ravel())[where],
        atol=1e-5,
    )
    assert torch.equal(together[5], torch.from_numpy(estimate.target.ravel())[where])
    assert played.hidden is not None
    assert torch.equal(together[6], played.hidden.flatten(0, 1)[where])
    other = next(samples.minibatches(1000, np.random.default_rng(4)))
    assert not torch.equal(other[0], together[0])  # another order


def test_illegal_actions_and_left_out_rows_get_no_gradient() -> None:
    """What an action that is illegal everywhere is given, and what left-out rows look like, changes nothing."""
    net = network()
    played = batch(net)
    played.mask[..., 3] = False
    played.action[played.action == 3] = 0
    before = net.policy.weight[3].clone()
    ours, _ = one_step(net, played)
    assert torch.equal(ours.policy.weight[3], before)
    samples = Samples(played, found(played), CPU)
    other = dataclasses.replace(played, observation=played.observation.clone())
    out = np.setdiff1d(np.arange(STEPS * GAMES), samples.rows)
    other.observation.flatten(0, 1)[out] += 5.0
    assert all(torch.equal(a, b) for a, b in zip(ours.parameters(), one_step(net, other)[0].parameters(), strict=True))


@pytest.mark.parametrize("rows", [0, 1])
def test_a_batch_with_nothing_to_learn_from(rows: int) -> None:
    net = network()
    played = batch(net)
    played.learner[:] = False
    if rows:
        at = np.argwhere(found(played).complete & played.choice)[0]
        played.learner[tuple(at)] = True
    ours, losses = one_step(net, played)
    assert all(torch.isfinite(w).all() for w in ours.parameters())
    assert math.isnan(losses.explained)
    if not rows:
        assert close(ours, net)
        assert losses.total == losses.gradient == 0.0


def test_explained_variance() -> None:
    net = network()
    played = batch(net)
    estimate = found(played)
    rows = Samples(played, estimate, CPU).rows
    target, value = estimate.target.ravel()[rows], played.value.ravel()[rows]
    wanted = 1 - np.var(target - value) / np.var(target)
    assert Samples(played, estimate, CPU).explained == pytest.approx(wanted, abs=1e-5)
    perfect = Advantages(np.zeros_like(estimate.target), played.value.copy(), estimate.complete)
    assert Samples(played, perfect, CPU).explained == pytest.approx(1.0)


# ------------------------------------------------------------------------------------------------ passes


def test_passes_and_target_kl() -> None:
    net = network()
    played = batch(net, off=0.0)
    assert one_step(net, played, epochs=3)[1].passes == 3
    assert one_step(net, played, epochs=5, target_kl=1e-9, minibatch=4)[1].passes == 1
    assert one_step(net, played, epochs=5, target_kl=100.0)[1].passes == 5


def test_kl_and_clipped_are_of_the_policy_that_acted() -> None:
    net = network()
    played = batch(net)
    _, losses = one_step(net, played)
    estimate = found(played)
    rows = Samples(played, estimate, CPU).rows
    policy = log_policy(net(played.observation.flatten(0, 1))[0], played.mask.flatten(0, 1))
    new = policy.gather(1, played.action.flatten()[:, None])[:, 0][rows].detach()
    old = played.log_prob.flatten()[rows]
    ratio = (new - old).exp()
    assert losses.kl == pytest.approx(float((ratio - 1 - ratio.log()).mean()), abs=1e-5)
    assert losses.clipped == pytest.approx(float(((ratio - 1).abs() > 0.2).float().mean()), abs=1e-6)
    assert losses.clipped > 0
    _, same = one_step(net, batch(net, off=0.0))
    assert same.kl == pytest.approx(0.0, abs=1e-6)
    assert same.clipped == 0.0


def test_a_clipped_sample_pushes_no_further() -> None:
    """Advantage up and the ratio beyond the range already: no gradient from the policy loss (Schulman et al. 2017, eq. 7)."""
    net = network()
    played = batch(net, off=0.0)
    played.log_prob -= 1.0  # all ratios are e
    estimate = found(played)
    rows = Samples(played, estimate, CPU).rows
    up = estimate.advantage.ravel()[rows] > estimate.advantage.ravel()[rows].mean()
    played.learner[:] = False
    played.learner.ravel()[rows[up]] = True
    # Among the rows left, advantages are normalised anew: keep those above their mean too, one by one.
    pull = dataclasses.replace(BASE, entropy=0.0)
    ours, losses = one_step(net, played, pull, value=0.0)
    assert losses.clipped == 1.0
    chosen = Samples(played, found(played), CPU)
    raw = estimate.advantage.ravel()[chosen.rows]
    normal = torch.from_numpy((raw - raw.mean()) / (raw.std() + 1e-8))
    # Of the rows above the mean nothing is left, of those below everything.
    policy = log_policy(net(played.observation.flatten(0, 1))[0], played.mask.flatten(0, 1))
    new = policy.gather(1, played.action.flatten()[:, None])[:, 0][chosen.rows]
    below = normal < 0
    loss = -((new - played.log_prob.flatten()[chosen.rows]).exp() * normal)[below].sum() / len(normal)
    grads = torch.autograd.grad(loss, net.policy.weight)[0]
    moved = ours.policy.weight - net.policy.weight
    assert torch.equal(moved.sign()[grads.abs() > 1e-4], -grads.sign()[grads.abs() > 1e-4])
    assert losses.gradient > 0


def test_mixed_precision_runs_and_stays_near() -> None:
    net = network()
    played = batch(net)
    config = PPOConfig(epochs=1, minibatch=1000)
    mixed = copy.deepcopy(net)
    samples = Samples(played, found(played), CPU)
    losses = update(
        mixed, list(mixed.parameters()), torch.optim.Adam(mixed.parameters()), samples, config, BASE,
        np.random.default_rng(1), mixed=True,
    )  # fmt: skip
    full = one_step(net, played)[1]
    assert losses.value == pytest.approx(full.value, rel=0.1)
    assert losses.total != full.total
    assert all(w.dtype == torch.float32 and torch.isfinite(w).all() for w in mixed.parameters())


@pytest.mark.parametrize("which", ["weights", "rate"])
def test_numbers_that_are_none_end_the_update(which: str) -> None:
    net = network()
    played = batch(net)
    pull = BASE
    if which == "weights":
        net.body[0].weight.data[0, 0] = torch.nan
    else:
        pull = dataclasses.replace(BASE, learning_rate=1e30)

    def several_steps() -> None:
        after = net
        for _ in range(3):
            after, _ = one_step(after, played, pull)

    with pytest.raises(DivergedError, match="training has diverged") as caught:
        several_steps()
    assert "\n" not in str(caught.value)
    assert "ppo.learning_rate" in str(caught.value)


def test_following() -> None:
    slow, fast = network(1), network(2)
    start = copy.deepcopy(slow)
    follow(slow, fast, 0.25)
    for mine, was, theirs in zip(slow.parameters(), start.parameters(), fast.parameters(), strict=True):
        assert torch.allclose(mine, 0.75 * was + 0.25 * theirs)
    follow(slow, fast, 1.0)
    assert all(torch.equal(a, b) for a, b in zip(slow.parameters(), fast.parameters(), strict=True))


def test_a_pull_is_what_the_schedules_say() -> None:
    config = PPOConfig(
        learning_rate=Schedule(1.0, 0.0),
        clip=Schedule(0.2, 0.4),
        entropy=Schedule(0.0, 1.0, "cosine"),
        magnet=Schedule(1.0, 3.0, until=0.5),
    )
    assert Pull.at(config, 0.25) == Pull(0.75, pytest.approx(0.25), pytest.approx((1 - math.cos(math.pi / 4)) / 2), 2.0)
