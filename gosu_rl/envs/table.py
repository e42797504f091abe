"""One game at a table: what the AEC and the parallel environment share.

Holds the game, the running position, the spaces, the seeds and the drawing of the board. Whatever an agent is given is
made from that agent's own view: `GameState.observation(seat)` looks at nothing else, and the action mask is all zeros
for everybody but the player to move, whose legal actions hang on his own hand and public facts only (T42).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from gymnasium import spaces

import gosu_rl
from gosu_rl.core.position import whole
from gosu_rl.envs.ansi import render as draw

RENDER_MODES = ("human", "ansi")
OPTIONS = ("advantage", "seat")  # that some environment's `reset` knows
SHOWN_LABELS = 20  # an error message lists at most this many legal actions

Observation = dict[str, np.ndarray]


def observation_space(game: Any) -> spaces.Dict:
    """The space of one agent's observations; the layout of the vector is `game.observation_spec`."""
    size = game.observation_spec.size
    return spaces.Dict(
        {
            # Never negative; nearly all numbers are at most 1, but a hand or an army of unusual size may exceed it.
            "observation": spaces.Box(0.0, np.inf, (size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def known_options(options: Any, known: Sequence[str]) -> dict[str, Any]:
    """The options of a `reset` that are `known`; those of others are left to wrappers. ValueError for what is no table, or for a
    name that is nearly one of ours: it would silently do nothing."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options must be a table such as {{'{OPTIONS[0]}': 0}}, not {options!r}")
    given = dict(options or {})
    for name in given:
        if name in known:
            continue
        if near := get_close_matches(str(name).casefold(), OPTIONS, n=1, cutoff=0.7):
            there = (
                f"there {'is' if len(known) == 1 else 'are'} {', '.join(map(repr, known))}"
                if known
                else "there are none"
            )
            hint = f"did you mean {near[0]!r}?" if near[0] in known else "another environment has it;"
            raise ValueError(f"reset knows no option {name!r}; {hint} {there}")
    return {name: given[name] for name in known if name in given}


class LegalDiscrete(spaces.Discrete):
    """`Discrete(n)` whose `sample()` without a mask draws a legal action of its agent, when that agent is to move.

    So the shortest random loop, `env.step(env.action_space(agent).sample())`, plays legally. With a mask or
    probabilities, before the first reset and when the agent is not to move it samples like a plain `Discrete`.
    `contains` is unchanged. `own_ids` are the ids by which the agent knows the actions, where they are not the game's.
    """

    def __init__(self, n: int, seat: int) -> None:
        super().__init__(n)
        self.seat = seat
        self.own_ids: np.ndarray | None = None
        self.position: Any = None  # the running GameState, set at every reset

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """One action id (np.int64)."""
        position = self.position
        if mask is None and probability is None and position is not None and position.mover == self.seat:
            legal = position.legal
            action = legal[int(self.np_random.integers(len(legal)))]
            return np.int64(action if self.own_ids is None else self.own_ids[action])
        return super().sample(mask, probability)

    def __getstate__(self) -> dict[str, Any]:
        # A space is pickled into checkpoints by training libraries; the running game does not belong there.
        return {**self.__dict__, "position": None}


class TableEnv:
    """Base of `AECGame` and `ParallelGame`; see those for what is played how.

    Args:
        variant: name of the game, as for `gosu_rl.game`.
        version: version of the environment id.
        num_players: seats at the table.
        cards: path of a card file; None for the variant's own set.
        rules: numbers of the variant to change, e.g. `{"turns_after_pass": 2}`.
        render_mode: None, "ansi" (render() returns the board as text) or "human" (it is printed after every step).
        max_cycles: decisions after which a game is truncated; short for `rules={"max_decisions": …}` (T24).
    """

    def __init__(
        self,
        variant: str,
        version: int,
        num_players: int,
        cards: str | None,
        rules: Mapping[str, Any] | None,
        render_mode: str | None,
        max_cycles: int | None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} does not exist; use {', '.join(RENDER_MODES)} or None")
        if rules is not None and not isinstance(rules, Mapping):
            raise ValueError(f"rules must be a table such as {{'turns_after_pass': 2}}, not {rules!r}")
        if max_cycles is not None:
            rules = {**(rules or {}), "max_decisions": max_cycles}
        self.game = gosu_rl.game(variant, players=num_players, cards=cards, rules=rules)
        self.metadata = {
            "name": f"{variant}_v{version}",
            "render_modes": list(RENDER_MODES),
            # aec_to_parallel would want all agents to act in turn, once a cycle; ParallelGame needs no such wrapper.
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents: list[str] = []
        self.game_seed: int | None = None
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: observation_space(self.game) for agent in self.possible_agents}
        self._action_spaces = {a: LegalDiscrete(self.game.num_actions, seat) for a, seat in self._seat.items()}
        self._seeds = np.random.default_rng()
        self._position: Any = None

    # --- spaces and what agents see -------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object at every call: Dict of `observation` (float32 vector) and `action_mask` (int8)."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> LegalDiscrete:
        """The same object at every call: Discrete(num_actions) whose bare `sample()` is legal."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What one agent knows now, in arrays of its own: float32[size] and int8[num_actions]."""
        observation, mask = self._running().perceive(self._seat[agent])
        return {"observation": observation, "action_mask": mask}

    @property
    def game_state(self) -> Any:
        """The true position with everything hidden in it, for analysis; nothing made of it may reach an agent."""
        return self._position

    # --- the board ------------------------------------------------------------------------------------------------

    def render(self) -> str | None:
        """The board as the player to move knows it; all of it once the game is over.

        Returns the text in mode "ansi"; prints it and returns None in mode "human"; does nothing without a mode.
        """
        if self.render_mode is None:
            return None
        text = self._board()
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Nothing is held open; asked for by the API."""

    def _board(self) -> str:
        position = self._running()
        return draw(position if position.over else position.view(position.mover))

    # --- dealing and errors ---------------------------------------------------------------------------------------

    def _deal(self, seed: int | None, options: Mapping[str, Any] | None) -> Any:
        """Start the next game: from `seed`, or from the next number of the env's own generator.

        `options={"advantage": seat}` gives the Advantage card to that seat (T46); other options are left to wrappers.
        """
        holder = known_options(options, ("advantage",)).get("advantage")
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        else:
            seed = whole(seed, "seed")
            if seed < 0:
                raise ValueError(f"seed must be 0 or more, not {seed}")
            self._seeds = np.random.default_rng(seed)
        self._position = self.game.new(seed=seed) if holder is None else self.game.new(seed=seed, advantage=holder)
        self.game_seed = seed
        self._bind_spaces()
        return self._position

    def _bind_spaces(self) -> None:
        for space in self._action_spaces.values():
            space.position = self._position

    def _running(self) -> Any:
        if self._position is None:
            raise ValueError(f"{self.metadata['name']}: no game has been dealt yet; call reset() first")
        return self._position

    def _apply(self, action: Any) -> None:
        """Apply the mover's action; a ValueError that names the legal ones, and nothing changed, if it is illegal."""
        position = self._position
        if type(action) is not int:
            try:
                action = whole(action, "an action")
            except ValueError:
                raise ValueError(self._refusal(action)) from None
        try:
            position.apply(action)
        except ValueError:
            if action in position.legal:
                raise
            raise ValueError(self._refusal(action)) from None

    def _refusal(self, action: Any) -> str:
        position = self._position
        named = f"action {action!r}"
        if type(action) is int and 0 <= action < self.game.num_actions:
            named = f"action {action} ({self.game.labels[action]})"
        legal = [f"{a} ({self.game.labels[a]})" for a in position.legal]
        rest = len(legal) - SHOWN_LABELS
        listed = ", ".join(legal[:SHOWN_LABELS]) + (f" and {rest} more" if rest > 0 else "")
        agent = self.possible_agents[position.mover]
        return f"{agent} decides '{position.kind}': {named} is not legal; legal: {listed}; nothing was changed"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind_spaces()
