"""The agent `ppo`: a trained network that plays (`gosu_rl.nets`), whatever it was trained with.

Spec: `ppo:runs/x` (the latest policy of a run), `ppo:x.safetensors`, `ppo:tactics` (the player that comes with the package).
Parameters:

* `temperature`: 0, the default, always takes the likeliest action (of equals the first), which is strongest (docs/learning.md); 1
  plays as trained, each action with the network's probability p; in general with one in proportion to p ** (1 / temperature);
* `any_cards`: play cards or rules that the network was not trained with, as long as they fill the same layout.

The network is read once a process and shared by all seats and games; nothing else is. A single legal action is answered at
once. Randomness comes from a generator of the agent's own, one number a real decision, so games are the same played one by one or
side by side (`act_together`; `Policy.outputs` says how near to never that fails).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from gosu_rl.agents.protocol import AgentError
from gosu_rl.nets.lookup import check_name, frames, policy_for
from gosu_rl.nets.policy_file import Policy, PolicyError, softmax

HOTTEST = 100.0  # beyond it play is uniform, and a slip of the keys


class PPO:
    """Plays what a policy file holds."""

    def __init__(self, path: str, temperature: float = 0.0, any_cards: bool = False) -> None:
        if not 0 <= temperature <= HOTTEST:
            raise AgentError(f"ppo: temperature must lie between 0 and {HOTTEST:g}, not {temperature}")
        try:
            check_name(path)
        except PolicyError as error:
            raise AgentError(f"ppo: {error}") from None
        self.path, self.temperature, self.any_cards = path, temperature, any_cards

    def reset(self, game: Any, seat: int, seed: int) -> None:
        """Get ready for one game; AgentError where the network cannot play it."""
        self._policy = self._policy_for(game)
        self._frames = frames(game)
        self._rng = random.Random(seed)

    def act(self, view: Any) -> int:
        return self.act_together([self], [view])[0]

    def act_batch(self, views: Sequence[Any]) -> list[int]:
        """An action a view, all of this seat; the same as `act`, view after view."""
        return self.act_together([self] * len(views), views)

    @property
    def company(self) -> Policy:
        """Who has the same network can decide in the same call."""
        return self._policy

    @staticmethod
    def act_together(agents: Sequence[PPO], views: Sequence[Any]) -> list[int]:
        """An action an agent (one may be named several times) by one call of the network that all of them share."""
        seen = [view.perceive(view.viewer) for view in views]
        frame = np.stack([agent._frames[view.viewer] for agent, view in zip(agents, views, strict=True)])
        masks = np.take_along_axis(np.stack([mask for _, mask in seen]), frame, axis=1)
        choices = masks.argmax(axis=1)  # right where one action is legal; the others follow
        counts = masks.sum(axis=1)
        if not counts.all():
            raise AgentError("ppo decides for the player who is to move, from his own view")
        open_ = np.flatnonzero(counts > 1)
        if len(open_):
            logits, _ = agents[0]._policy.outputs(np.stack([seen[k][0] for k in open_]))
            choices[open_] = _chosen(logits, masks[open_], [agents[k] for k in open_.tolist()])
        return frame[np.arange(len(views)), choices].tolist()

    def fingerprint(self, game: Any) -> str:
        """Sixteen hex digits over the policy file."""
        return self._policy_for(game).digest[:16]

    def _policy_for(self, game: Any) -> Policy:
        try:
            return policy_for(self.path, game, self.any_cards)
        except PolicyError as error:
            raise AgentError(f"ppo: {error}") from None


def _chosen(logits: np.ndarray, masks: np.ndarray, agents: Sequence[PPO]) -> np.ndarray:
    """int64[B]: an action a row, in its seat's own frame, at the agent's temperature and with one number of its generator."""
    temperatures = np.array([agent.temperature for agent in agents])
    draws = np.array([agent._rng.random() if agent.temperature else 0.0 for agent in agents])
    hot = np.where(temperatures > 0, temperatures, 1.0)[:, None]
    sums = softmax(logits, masks, hot).cumsum(axis=1)
    drawn = (sums <= draws[:, None] * sums[:, -1:]).sum(axis=1)
    last = masks.shape[1] - 1 - (masks[:, ::-1] != 0).argmax(axis=1)
    drawn = np.minimum(drawn, last)  # rounding may put a draw at the very end
    likeliest = np.where(masks != 0, logits, -np.inf).argmax(axis=1)
    return np.where(temperatures > 0, drawn, likeliest)
