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

from gosu_rl.agents import Agent, agent_seed, make_agent
from gosu_rl.arena.stats import Interval, mean
from gosu_rl.core.game import Game, GameState
from gosu_rl.envs.vector import VectorEnv
from gosu_rl.nets.network import log_policy

MOST_GAMES = 1024  # side by side


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
    progress: Callable[[int], None] | None = None,
) -> Measured:
    """Play `deals` deals in all seats; `progress(k)` hears of every k games done. The same arguments give the same result."""
    shares = np.zeros((deals, game.players))
    lengths: list[int] = []
    generator = torch.Generator(device or "cpu").manual_seed(seed)
    for first in range(0, deals, MOST_GAMES):
        part = min(MOST_GAMES, deals - first)
        env = VectorEnv(game, num_envs=part, relative=True)
        for seat in range(game.players):
            won, decisions = _play(network, env, agent, seat, seed + first, temperature, device, generator)
            shares[first : first + part, seat] = won
            lengths += decisions.tolist()
            if progress:
                progress(part)
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
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """One game in each place of `env`, the learner in `seat`: his win shares float64[N], and decisions int64[N]."""
    step = env.reset(seed)  # the same deals whatever the seat
    players, games = env.players, env.num_envs
    open_ = np.ones(games, np.bool_)
    share, decisions = np.zeros(games), np.zeros(games, np.int64)
    agents: dict[tuple[int, int], Agent] = {}
    compiled = spec in env.game.policies
    while open_.any():
        mine = open_ & (step.mover == seat)
        theirs = open_ & ~mine
        actions = step.mask.argmax(axis=1).astype(np.int64)  # games that are done just go on somehow
        if mine.any():
            index = np.flatnonzero(mine)
            actions[index] = _choose(network, step.observation[index], step.mask[index], temperature, device, generator)
        if compiled and theirs.any():
            actions[theirs] = env.policy_actions(spec, theirs)[theirs]
        elif theirs.any():
            places = np.flatnonzero(theirs).tolist()
            seated = [_agent(agents, env, spec, place, int(step.mover[place])) for place in places]
            for place, action in zip(places, _decide(seated, [env.view(place) for place in places]), strict=True):
                actions[place] = env.own_action(place, action)
        step = env.step(actions)
        ended = open_ & (step.terminated | step.truncated)
        # A share from a return: r = (n * share - 1) / (n - 1); a truncated game pays 0, an equal share to all.
        share[ended] = (step.rewards[ended, seat] * (players - 1) + 1) / players
        decisions[ended] = step.length[ended]
        open_ &= ~ended
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
        policy = log_policy(logits / temperature, legal).exp()
        return torch.multinomial(policy, 1, generator=generator)[:, 0].cpu().numpy()


def _agent(agents: dict[tuple[int, int], Agent], env: VectorEnv, spec: str, place: int, seat: int) -> Agent:
    """The agent in a seat of the game in a place, made at its first decision."""
    if (place, seat) not in agents:
        agent = agents[place, seat] = make_agent(spec)
        agent.reset(env.game, seat, agent_seed(int(env.seeds[place]), seat))
    return agents[place, seat]


def _decide(agents: list[Agent], views: list[GameState]) -> list[int]:
    """An action each; agents that can decide in one call (trained networks) do."""
    together = getattr(agents[0], "act_together", None)
    if together is not None:
        return [int(action) for action in together(agents, views)]
    return [int(agent.act(view)) for agent, view in zip(agents, views, strict=True)]
