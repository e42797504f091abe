"""A tournament: which games it is made of, and playing those that are not in the store yet.

The Advantage card lies where the deal puts it (T46): a deal is played as at the table, and the seatings let every agent
have every hand, and so the card, equally often. Game k of deal d can be played again by anybody:
`gosu_rl.play(game, [agents of its seating], seed=its deal's seed)`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gosu_rl.agents import AgentError, make_agent
from gosu_rl.arena.game_store import GameStore
from gosu_rl.arena.job import Job, Outcome, Task, compile_for
from gosu_rl.arena.on_ray import play_jobs_on_ray
from gosu_rl.arena.plan import GameSpec, check_no_human, check_seed, deal_seeds, fingerprint, networks, networks_fact
from gosu_rl.arena.pool import play_jobs
from gosu_rl.arena.schedule import Schedule
from gosu_rl.arena.side_by_side import pace


@dataclass(frozen=True)
class Tournament:
    """Who plays what. `agents` are different specs; `deals` is rounded up to whole cycles of the schedule.

    `move_limit` in seconds, 0 for none. ValueError where the pieces do not fit.
    """

    spec: GameSpec
    agents: tuple[str, ...]
    seed: int
    deals: int
    mode: str = "auto"
    move_limit: float = 0.0
    schedule: Schedule = field(init=False)

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.deals < 1:
            raise ValueError(f"--deals must be at least 1, not {self.deals}")
        if not 0 <= self.move_limit < math.inf:
            raise ValueError(f"--move-limit must be 0 (none) or more seconds, not {self.move_limit:g}")
        for spec in self.agents:
            if not spec:
                raise ValueError("--agents holds an empty name; write it like greedy,random")
            if self.agents.count(spec) > 1:
                raise ValueError(f"the agent {spec!r} is named twice; a tournament is between different agents")
            check_no_human(spec, "a tournament")
        object.__setattr__(self, "schedule", Schedule(len(self.agents), self.spec.players, self.mode))
        object.__setattr__(self, "deals", self.schedule.whole(self.deals))

    @cached_property
    def games(self) -> int:
        """Number of games of the whole tournament."""
        return sum(len(self.schedule.seatings(deal)) for deal in range(self.deals))

    def jobs(self) -> Iterator[Job]:
        """All games, in order."""
        for deal, seed in enumerate(deal_seeds(self.seed, 0, self.deals)):
            for slot, seating in enumerate(self.schedule.seatings(deal)):
                yield Job(deal, slot, int(seed), seating)

    def identity(self, game: Any) -> dict[str, Any]:
        """What must agree for two runs to be parts of one: everything but the number of deals and the workers."""
        return {
            "variant": self.spec.variant,
            "players": self.spec.players,
            "cards": f"{game.card_set.name}@{game.card_set.hash}",
            "rules": dict(sorted(dict(game.rules).items())),
            "agents": list(self.agents),
            "seed": self.seed,
            "schedule": self.schedule.kind,
            "move_limit": self.move_limit,
            "behaviour": fingerprint(game),
            **networks_fact(game, self.agents),
        }

    def run_name(self, game: Any) -> str:
        """A folder name that tells tournaments of different identity apart."""
        who = re.sub(r"[^A-Za-z0-9=.]+", "-", "-".join(self.agents)).strip("-")[:40].strip("-")
        text = json.dumps(self.identity(game), sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"tournament-{self.spec.variant}-{self.spec.players}p-{who}-{digest}"


def check_agents(agents: tuple[str, ...]) -> None:
    """AgentError where a spec names no agent. Whether it can play is seen when it plays."""
    for spec in agents:
        try:
            make_agent(spec)
        except AgentError:
            raise
        except Exception as error:  # a constructor by others may raise anything
            raise AgentError(f"agent {spec!r} cannot be made: {type(error).__name__}: {error}") from error


def play(
    game: Any,
    tournament: Tournament,
    store: GameStore,
    workers: int,
    progress: Callable[[int], object],
    records: bool = True,
    ray: str | None = None,
) -> bool:
    """Play what is missing into the store; `progress(n)` hears of every n games done.

    `ray` is the address of a Ray cluster, None: worker processes here. Returns False if the user stopped it (Ctrl-C),
    else True. Raises PoolError or StoreError (ValueErrors) where nothing can be played or kept.
    """
    done = store.done()
    missing = [job for job in tournament.jobs() if (job.deal, job.slot) not in done]
    progress(tournament.games - len(missing))
    if not missing:
        return True
    task = Task(
        tournament.spec,
        tournament.agents,
        game.card_set.hash,
        tournament.move_limit,
        records,
        networks(game, tournament.agents),
        tuple(pace(game, spec) for spec in tournament.agents),
    )

    def take(outcome: Outcome) -> None:
        store.add(outcome)
        progress(1)

    try:
        if ray is not None:
            play_jobs_on_ray(ray, task, missing, take)
        else:
            compile_for(game, tournament.agents)  # once here, and not in all workers at a time
            play_jobs(task, missing, min(workers, len(missing)), take)
    except KeyboardInterrupt:
        return False
    return True


def whole_deals(tournament: Tournament, outcomes: list[Outcome]) -> tuple[int, list[Outcome]]:
    """How many deals from the first on are complete, and their games.

    Of a run that was stopped only these count: among games behind a gap short ones are over-represented.
    """
    by_deal: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        by_deal.setdefault(outcome.deal, []).append(outcome)
    whole = 0
    while whole < tournament.deals and len(by_deal.get(whole, ())) == len(tournament.schedule.seatings(whole)):
        whole += 1
    return whole, [outcome for outcome in outcomes if outcome.deal < whole]
