"""How strong a network is, while it is still learning: paired deals against fixed agents.

Every deal is played once with the learner in each seat, the yardstick in all the others; the deal is the unit of the interval.
The games have their own environment and generators, so measuring changes nothing in the run. (The arena's tournaments measure
finished players; they seat agents one by one and keep every game.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from gosu_rl.arena.stats import Interval, mean
from gosu_rl.core.game import Game
from gosu_rl.envs.vector import VectorEnv
from gosu_rl.learning.seated import Seated
from gosu_rl.nets.network import log_policy

MOST_GAMES = 1024  # side by side


class StoppedError(Exception):
    """Measuring was given up because it was asked to stop."""


@dataclass(frozen=True)
class Measured:
    """The learner against one yardstick; `share` is his win share a game (1 / players: as strong as the yardstick)."""

    agent: str
    share: Interval
    deals: int
    length: float  # decisions a game


def measure(
    network: torch.nn.Module,
    game: Game,
    agent: str,
    deals: int,
    seed: int,
    temperature: float = 0.0,
    device: torch.device | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], object] = lambda games: None,
) -> Measured:
    """Play `deals` deals in all seats; `progress(k)` hears of every k games done. The same arguments give the same result.

    Raises AgentError where the yardstick cannot play, and StoppedError as soon as `stop()` says so.
    """
    shares = np.zeros((deals, game.players))
    lengths: list[int] = []
    generator = torch.Generator(device or "cpu").manual_seed(seed)
    for first in range(0, deals, MOST_GAMES):
        part = min(MOST_GAMES, deals - first)
        env = VectorEnv(game, num_envs=part, relative=True)
        for seat in range(game.players):
            won, decisions = _play(
                network, env, agent, seat, seed + first, temperature, device, generator, stop, progress
            )
            shares[first : first + part, seat] = won
            lengths += decisions.tolist()
    return Measured(agent, mean(shares.mean(axis=1), bounds=(0.0, 1.0)), deals, float(np.mean(lengths)))


def _play(
    network: torch.nn.Module,
    env: VectorEnv,
    spec: str,
    seat: int,
    seed: int,
    temperature: float,
    device: torch.device | None,
    generator: torch.Generator,
    stop: Callable[[], bool],
    progress: Callable[[int], object],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """One game in each place of `env`, the learner in `seat`: his win shares float64[N], and decisions int64[N]."""
    step = env.reset(seed)  # the same deals whatever the seat
    players, games = env.players, env.num_envs
    open_ = np.ones(games, np.bool_)
    share, decisions = np.zeros(games), np.zeros(games, np.int64)
    others = Seated(env, spec)
    try:
        while open_.any():
            if stop():
                raise StoppedError
            mine = open_ & (step.mover == seat)
            theirs = open_ & ~mine
            actions = step.mask.argmax(axis=1).astype(np.int64)  # games that are done just go on somehow
            if mine.any():
                index = np.flatnonzero(mine)
                actions[index] = _choose(
                    network, step.observation[index], step.mask[index], temperature, device, generator
                )
            if theirs.any():
                index = np.flatnonzero(theirs)
                actions[index] = others.act(index, step.mover, step.mask)
            step = env.step(actions)
            ended = open_ & (step.terminated | step.truncated)
            # A share from a return: r = (n * share - 1) / (n - 1); a truncated game pays 0, an equal share to all.
            share[ended] = (step.rewards[ended, seat] * (players - 1) + 1) / players
            decisions[ended] = step.length[ended]
            open_ &= ~ended
            if ended.any():
                progress(int(ended.sum()))
            others.leave(np.flatnonzero(ended).tolist())
    finally:
        others.close()
    return share, decisions


def _choose(
    network: torch.nn.Module,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
    temperature: float,
    device: torch.device | None,
    generator: torch.Generator,
) -> NDArray[np.int64]:
    with torch.inference_mode():
        seen = torch.from_numpy(observation).to(device or "cpu")
        legal = torch.from_numpy(mask).to(device or "cpu") != 0
        logits = network(seen)[0].float()
        if temperature == 0.0:
            return log_policy(logits, legal).argmax(1).cpu().numpy()
        policy = log_policy(logits, legal)  # first, so that no temperature lifts an illegal action
        policy = (
            ((policy - policy.max(1, keepdim=True).values) / temperature).masked_fill(~legal, -torch.inf).softmax(1)
        )
        return torch.multinomial(policy, 1, generator=generator)[:, 0].cpu().numpy()
