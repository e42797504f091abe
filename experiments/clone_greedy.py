"""Train a network by imitation in a minute or two: what the compiled policy `greedy` does, and who wins its games.

The result is a policy file, a player like any other (`ppo:FILE`): about as strong as greedy, with a value head. Measurements of
guided search use it where no player trained by self-play is at hand.

    python experiments/clone_greedy.py runs/clone.safetensors --seconds 120
    gosu-rl tournament tactics --agents greedy,ppo:runs/clone.safetensors,mcts:sims=200,value=ppo:runs/clone.safetensors

Games are played between copies of greedy; now and then a seat takes a random action, so that positions differ, but what is learned
there is what greedy would have done. Every position is seen once.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from tqdm import tqdm

import gosu_rl
from gosu_rl.core.game import Game
from gosu_rl.nets.lookup import frames
from gosu_rl.nets.network import build_network
from gosu_rl.nets.policy_file import save_policy

STRAY = 0.1  # share of decisions that are taken at random
KEEP = 0.5  # share of decisions that are learned from: neighbours in a game say much the same


@dataclass(frozen=True)
class Batch:
    """Positions with a choice, in the mover's own frame. B of them."""

    observations: np.ndarray  # float32[B, D]
    masks: np.ndarray  # int8[B, A]
    actions: np.ndarray  # int64[B]: what greedy does
    returns: np.ndarray  # float32[B]: what the mover got in the end


def positions(game: Game, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, int, float]]:
    """Endless: observation, mask, action, return of one position after another, game after game."""
    rng = random.Random(seed)
    back = np.argsort(frames(game), axis=1)  # from an action to its place in a seat's own frame
    while True:
        state = game.new(rng.getrandbits(63))
        kept: list[tuple[np.ndarray, np.ndarray, int, int]] = []
        while not state.over:
            seat, legal = state.mover, state.legal
            if len(legal) == 1:
                state.apply(legal[0])
                continue
            view = state.view(seat)
            action = game.choose(view, "greedy", rng.getrandbits(63))
            if rng.random() < KEEP:
                observation, mask = view.perceive(seat)
                kept.append((observation, mask[frames(game)[seat]], int(back[seat, action]), seat))
            state.apply(rng.choice(legal) if rng.random() < STRAY else action)
        for observation, mask, action, seat in kept:
            yield observation, mask, action, float(state.returns[seat])


def batches(game: Game, seed: int, size: int, mix: int = 32) -> Iterator[Batch]:
    """Endless batches; positions of `mix` batches are shuffled, so that a game does not fill one."""
    source = positions(game, seed)
    rng = np.random.default_rng(seed)
    while True:
        drawn = [next(source) for _ in range(size * mix)]
        order = rng.permutation(len(drawn))
        for k in range(mix):
            observations, masks, actions, returns = zip(
                *(drawn[i] for i in order[k * size : (k + 1) * size]), strict=True
            )
            yield Batch(np.stack(observations), np.stack(masks), np.array(actions), np.array(returns, np.float32))


def losses(network: torch.nn.Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, float]:
    """Cross-entropy of greedy's action, squared error of the return, and how often the likeliest action is greedy's."""
    logits, values = network(torch.from_numpy(batch.observations))
    logits = logits.masked_fill(torch.from_numpy(batch.masks) == 0, -torch.inf)
    actions = torch.from_numpy(batch.actions)
    agree = float((logits.argmax(1) == actions).float().mean())
    return (
        functional.cross_entropy(logits, actions),
        functional.mse_loss(values, torch.from_numpy(batch.returns)),
        agree,
    )


def clone(
    game: Game, seconds: float, seed: int, hidden: list[int], size: int = 512
) -> tuple[torch.nn.Module, dict[str, float]]:
    """A network trained for so many seconds by the clock, and moving means of what it reached."""
    torch.manual_seed(seed)
    network = build_network(game.observation_spec, game.num_actions, {"kind": "mlp", "hidden": hidden})
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    begun = time.perf_counter()
    reached = dict.fromkeys(("cross-entropy", "squared error", "agreement"), 0.0)
    with tqdm(desc="cloning greedy", unit=" positions", disable=None) as bar:
        for number, batch in enumerate(batches(game, seed, size), 1):
            done = (time.perf_counter() - begun) / seconds
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = 1e-3 * (1 - done)
            policy, value, agree = losses(network, batch)
            optimizer.zero_grad()
            (policy + value).backward()
            optimizer.step()
            weight = max(1 / number, 0.01)
            for name, now in zip(reached, (policy.item(), value.item(), agree), strict=True):
                reached[name] += weight * (now - reached[name])
            bar.update(size)
    return network, {**reached, "positions": float(size * (number - 1))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the policy file to write")
    parser.add_argument("--variant", default="tactics")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--hidden", default="256,256", help="widths of the layers")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = gosu_rl.game(arguments.variant, players=arguments.players)
    network, reached = clone(
        game, arguments.seconds, arguments.seed, [int(width) for width in arguments.hidden.split(",")]
    )
    about = {"made by": "experiments/clone_greedy.py", "seconds": arguments.seconds, "seed": arguments.seed, **reached}
    save_policy(arguments.file, network, game, about)
    print(", ".join(f"{name} {number:.3f}" for name, number in reached.items()))


if __name__ == "__main__":
    main()
