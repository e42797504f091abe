"""One seat of a game as an ordinary Gymnasium environment; any agents play the others.

    import gymnasium, gosu_rl.envs
    env = gymnasium.make("gosu/Tactics-v0", opponents=["mcts:sims=50"], seat="random")

It lives here and not with the other environments because it seats agents, as `play` does; `gosu_rl.envs` registers it by name, so
nothing below this room imports it. Many games against compiled policies at once: `gosu_rl.envs.solo_vector`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import gymnasium
import numpy as np

import gosu_rl
from gosu_rl.agents import Agent
from gosu_rl.arena.play import agent_name, choice, close_agents, seat_agents
from gosu_rl.core import solo, vector
from gosu_rl.core.cards.schema import CardSet
from gosu_rl.core.position import GameState, whole, word
from gosu_rl.core.vector import refusal
from gosu_rl.envs.ansi import render as draw
from gosu_rl.envs.solo_vector import Seat, fixed_seat, illegal_rule, opponents_of, vector_space
from gosu_rl.envs.table import RENDER_MODES, LegalDiscrete, known_options

Opponent = str | Callable[[], Agent] | Agent


class SoloEnv(gymnasium.Env):
    """The learner's decisions in one seat; its opponents move inside `step`, each from its own view.

    Args:
        variant: name of the game, as for `gosu_rl.game`.
        players, cards, rules: as for `gosu_rl.game`.
        opponents: specs of agents (`gosu_rl.make_agent`), or callables that make one; one a seat from the learner's left
            neighbour on, or one for all. Every game gets fresh agents, each reset with `agent_seed(seed of the game, seat)`.
        seat: where the learner sits: a number, or "random", drawn from the seed of every game (`core.solo.drawn_seat`).
        relative: actions are in the learner's frame: `a` means for it what `a` means for seat 0 (`Game.relative_actions`).
        illegal: what an illegal action is: "error", a ValueError that names the legal ones; or "random", a random legal one is
            taken instead and `info["replaced"]` is there.
        render_mode: None, "ansi" (render() returns the learner's view of the board) or "human" (it is printed).

    Observation: float32[D] from the learner's view, `game.observation_spec`. `info["action_mask"]` int8[A] and `action_masks()`
    bool[A] say what is legal, `info["seat"]` where the learner sits. The reward is 0 but for the learner's return when the
    game ends, on whoever's move; a game that is cut off (T24, T45) is truncated and pays 0.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it
    action_space: LegalDiscrete

    def __init__(
        self,
        variant: str,
        players: int = 2,
        opponents: Opponent | Sequence[Opponent] = ("greedy",),
        seat: Seat = "random",
        cards: str | PathLike[str] | CardSet | None = None,
        rules: Mapping[str, Any] | None = None,
        relative: bool = False,
        illegal: str = "error",
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r} does not exist; use {', '.join(RENDER_MODES)} or None")
        self.game = gosu_rl.game(variant, players=players, cards=cards, rules=rules)
        self.opponents = opponents_of(opponents, self.game.players)
        self.render_mode = render_mode
        self.observation_space = vector_space(self.game)
        self.action_space = LegalDiscrete(self.game.num_actions, 0)
        self.game_seed: int | None = None
        self.seat = 0
        self._fixed = fixed_seat(seat, self.game.players)
        self._illegal = illegal_rule(illegal)
        self._frames = vector.frames(self.game, bool(relative))
        self._agents: dict[int, Agent] = {}
        self._position: GameState | None = None  # None: nothing to be played on

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal the next game: that of `seed` (`game.new(seed)`), which seeds the env's generator too, or of that one's next number.

        `options={"seat": s}` seats the learner for this game, `{"advantage": s}` gives the Advantage card to seat s (T46). If the
        opponents end a game before the learner's first decision, another one is dealt.

        Raises ValueError for a bad seed or option, or if no game gets to the learner; AgentError for an opponent's fault.
        """
        if seed is not None and whole(seed, "seed") < 0:
            raise ValueError(f"seed must be 0 or more, not {seed}")
        chosen = known_options(options, ("seat", "advantage"))
        super().reset(seed=None if seed is None else whole(seed, "seed"))
        fixed = fixed_seat(chosen["seat"], self.game.players) if "seat" in chosen else self._fixed
        for _ in range(solo.MOST_DEALS):
            number = int(self.np_random.integers(2**63)) if seed is None else whole(seed, "seed")
            seed = None
            self._deal(number, fixed, chosen.get("advantage"))
            if not self._running().over:
                self._show()
                return self._perceived()
        self._position = None
        raise ValueError(
            f"{self.game.variant}: the game always ends before the learner's first decision; "
            "change the rules (is 'max_decisions' too small?) or the seat"
        )

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take the learner's decision and let the others move until it is asked again or the game is over.

        Raises ValueError for an illegal action (nothing has changed) and after the end; AgentError for an opponent's fault,
        after which only `reset` helps.
        """
        position = self._running()
        if position.over:
            raise ValueError("the game is over; call reset()")
        taken, replaced = self._meant(action)
        position.apply(taken)
        self._answer()
        self._show()
        observation, info = self._perceived()
        if replaced:
            info["replaced"] = True
        truncated = bool(position.truncated)
        return observation, float(position.returns[self.seat]), position.over and not truncated, truncated, info

    def action_masks(self) -> np.ndarray:
        """bool[A]: which actions are legal, as MaskablePPO asks for it; none when the game is over."""
        return self._running().perceive(self.seat)[1][self._frames[vector.TO_SEAT, self.seat]].astype(np.bool_)

    @property
    def game_state(self) -> GameState | None:
        """The true position with everything hidden in it, for analysis; nothing made of it may reach an agent."""
        return self._position

    def render(self) -> str | None:
        """The board as the learner knows it; all of it once the game is over. Text in mode "ansi"; printed in mode "human"."""
        if self.render_mode is None:
            return None
        text = self._board()
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """Close the opponents that can be closed."""
        close_agents(self._agents)

    # ---- within

    def _deal(self, number: int, fixed: int | None, advantage: int | None) -> None:
        """Start the game with this seed and run it to the learner's first decision."""
        game = self.game
        self._position = None
        close_agents(self._agents)
        position = game.new(seed=number) if advantage is None else game.new(seed=number, advantage=advantage)
        self.seat = int(solo.drawn_seat(word(number), game.players)) if fixed is None else fixed
        self.game_seed = number
        around = {(self.seat + 1 + k) % game.players: given for k, given in enumerate(self.opponents)}
        seat_agents(game, {seat: around[seat] for seat in sorted(around)}, number, self._agents)
        self._names = {seat: agent_name(given) for seat, given in around.items()}
        self._position = position
        self._bind()
        self._answer()

    def _answer(self) -> None:
        """Let the opponents move until it is the learner's turn or the game is over."""
        position = self._running()
        self._position = None  # should an opponent fail
        while not position.over and (seat := position.mover) != self.seat:
            position.apply(choice(self._agents[seat], self._names[seat], seat, position))
        self._position = position
        if position.over:
            close_agents(self._agents)

    def _meant(self, action: Any) -> tuple[int, bool]:
        """The action of the game that is meant by one of the learner's, and whether that is a replacement of an illegal one."""
        position, legal = self._running(), self._running().legal
        try:
            number = whole(action, "an action")
        except ValueError:
            number = -1
        if 0 <= number < self.game.num_actions:
            meant = int(self._frames[vector.TO_SEAT, self.seat, number])
            if meant in legal:
                return meant, False
        if self._illegal == solo.RANDOM:
            return legal[int(self.np_random.integers(len(legal)))], True
        raise ValueError(refusal(position, self._frames, number if number >= 0 else action))

    def _perceived(self) -> tuple[np.ndarray, dict[str, Any]]:
        observation, mask = self._running().perceive(self.seat)
        return observation, {"action_mask": mask[self._frames[vector.TO_SEAT, self.seat]], "seat": self.seat}

    def _running(self) -> GameState:
        if self._position is None:
            raise ValueError("there is no game to be played on; call reset()")
        return self._position

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _board(self) -> str:
        position = self._running()
        return draw(position if position.over else position.view(self.seat))

    def _bind(self) -> None:
        """Let `action_space.sample()` know what is legal."""
        self.action_space.seat = self.seat
        self.action_space.own_ids = self._frames[vector.TO_OWN, self.seat]
        self.action_space.position = self._position

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
