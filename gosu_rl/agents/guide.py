"""What trained networks say of positions in a search: the `Judge` that `mcts:…,prior=ppo:…,value=ppo:…` grows its trees with."""

from __future__ import annotations

import numpy as np

from gosu_rl.agents.protocol import AgentError
from gosu_rl.core.game import Game
from gosu_rl.core.guided_tree import Answers
from gosu_rl.nets.lookup import check_name, policy_for
from gosu_rl.nets.policy_file import PolicyError

PREFIX = "ppo:"


class Guide:
    """Two trained players, either of which may be missing or the other one again; for one game once `sit_down` has been called.

    `prior` and `value` are specs such as `ppo:runs/x`, without parameters, or empty. Raises AgentError where one names no player.
    """

    def __init__(self, prior: str, value: str, any_cards: bool = False) -> None:
        self._any_cards = any_cards
        self._names = {"prior": _path("prior", prior), "value": _path("value", value)}

    def sit_down(self, game: Game) -> None:
        """Read what will be asked, once a process; AgentError where it cannot play `game`."""
        try:
            found = {
                what: policy_for(name, game, self._any_cards) if name else None for what, name in self._names.items()
            }
        except PolicyError as error:
            raise AgentError(f"mcts: {error}") from None
        self._prior, self._value, self._actions = found["prior"], found["value"], game.num_actions

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits over each policy file."""
        return " ".join(one.digest[:16] for one in (self._prior, self._value) if one is not None)

    def judge(self, observations: np.ndarray) -> Answers:
        """Logits float64[k, A] and values float64[k], in the mover's own frame; zeros for what nobody was named for."""
        logits, values = np.zeros((len(observations), self._actions)), np.zeros(len(observations))
        if self._value is not None:
            logits, values = self._value.outputs(observations)
        if self._prior is not None and self._prior is not self._value:
            logits, _ = self._prior.outputs(observations)
        return logits, values


def _path(what: str, spec: str) -> str:
    name = spec.removeprefix(PREFIX)
    if spec and (name == spec or not name):
        raise AgentError(f"mcts: {what} must be a trained player such as ppo:runs/x, not {spec!r}")
    if name:
        try:
            check_name(name)
        except PolicyError as error:
            raise AgentError(f"mcts: {error}") from None
    return name
