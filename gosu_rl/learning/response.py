"""How much a responder wins from a frozen agent: a lower bound on the agent's exploitability, with its interval.

The exploitability of an agent is what a *best* response gains per game, seats by turns. Nobody knows the best response in a large
game, but any responder gains at most as much. So the mean return of a responder that was trained against the agent is a lower
bound, and no more than that: a small one may mean a strong agent or a poor responder. Where the game is small enough,
`exact.exploitability` has the number itself.

**Honesty about the choice.** Training leaves many checkpoints, and the one that did best on some deals did best there by luck as
well. So the choice (`choose`) and the measurement (`measure`) are made on different deals, from different seeds: the choice
cannot have looked at what it is judged by, and the interval holds for the responder chosen.

Games are played as in the arena: every deal over all seats and all first holders, one deal one block (docs/measuring.md).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from gosu_rl.arena import runner
from gosu_rl.arena.plan import GameSpec, Plan, check_seed
from gosu_rl.arena.precision import next_size
from gosu_rl.arena.stats import Interval, ratio
from gosu_rl.arena.store import Store
from gosu_rl.arena.winrates import Games

# What a trainer of responders is: (game, frozen agent's spec, seed) -> specs of its checkpoints, in any order. It may play as many
# games as it likes, but no deals of `deals_seed(seed, …)`.
Train = Callable[[GameSpec, str, int], Sequence[str]]
Progress = Callable[[int], object]
CHOICE, MEASUREMENT = "choice", "measurement"


@dataclass(frozen=True)
class Response:
    """What one responder gained from an agent. Returns lie between -1/(n-1) and 1, 0 for a truncated game; intervals are 95 %."""

    agent: str
    responder: str
    players: int
    deals: int
    games: int
    truncated: int
    share: Interval  # the responder's win share, truncated games left out; fair is 1/players
    gain: Interval  # its mean return
    candidates: int = 1  # responders that it was chosen from, on other deals
    complete: bool = True  # False: stopped by the user before all deals were played

    @property
    def bound(self) -> float:
        """The exploitability is at least this, with 97.5 % confidence. Never negative: an agent's answer with itself gains 0."""
        return 0.0 if math.isnan(self.gain.low) else max(0.0, self.gain.low)

    def __str__(self) -> str:
        share, gain = self.share, self.gain
        chosen = f", the best of {self.candidates} on other deals," if self.candidates > 1 else ""
        text = (
            f"{self.responder}{chosen} against {self.agent}: win share {_percent(share.estimate)} "
            f"[{_percent(share.low)}, {_percent(share.high)}] over {self.deals:,} deals ({self.games:,} games), "
            f"gain {gain.estimate:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]; "
            f"exploitability of {self.agent} is at least {self.bound:.3f} (97.5 %), a lower bound"
        )
        text += f"; {self.truncated:,} truncated games count as no gain" if self.truncated else ""
        return text + ("" if self.complete else "; INCOMPLETE: stopped by the user")


def exploit(
    spec: GameSpec,
    agent: str,
    train: Train,
    deals: int,
    choice_deals: int,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Response:
    """Train responders against `agent`, choose one on `choice_deals` deals, and measure it on `deals` others.

    `progress(k)` hears of every k deals played. Raises ValueError where the trainer returns nothing, or an agent cannot play.
    """
    responders = list(train(spec, agent, seed))
    if not responders:
        raise ValueError(f"training against {agent!r} left no checkpoint to measure; train longer")
    best = choose(spec, agent, responders, choice_deals, seed, workers, progress)
    found = measure(spec, agent, best, deals, seed, workers, progress=progress)
    return replace(found, candidates=len(responders))


def choose(
    spec: GameSpec,
    agent: str,
    responders: Sequence[str],
    deals: int,
    seed: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> str:
    """The responder with the largest mean return on the deals of the choice, the same for all; of equal ones the first.

    One alone is chosen without a game.
    """
    if not responders:
        raise ValueError("no responders to choose from")
    if len(set(responders)) == 1:
        return responders[0]
    gains = []
    for responder in responders:
        found = _played(spec, agent, responder, deals, seed, CHOICE, workers, None, None, progress)
        if not found.complete:
            raise KeyboardInterrupt  # a choice on some of the deals would be another choice
        gains.append(found.gain.estimate)
    return responders[int(np.argmax(gains))]


def measure(
    spec: GameSpec,
    agent: str,
    responder: str,
    deals: int,
    seed: int = 1,
    workers: int = 1,
    precision: float | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Response:
    """Play `responder` against `agent` (in all other seats) on the deals of the measurement.

    With `precision` only until the half-width of the win share is at most that, and `deals` is the most. `folder` keeps the games,
    so that the same call goes on where it was stopped; left out, they are thrown away. Raises ValueError where both are the same
    agent, or one cannot play.
    """
    if precision is not None and not 0 < precision < 0.5:
        raise ValueError(f"precision must lie between 0 and 0.5, like 0.01 for 1 point, not {precision:g}")
    return _played(spec, agent, responder, deals, seed, MEASUREMENT, workers, precision, folder, progress)


def deals_seed(seed: int, purpose: str) -> int:
    """The seed of the deals for a purpose, `choice` or `measurement`: a hash, so neither shares deals with the other.

    The first eight bytes of the SHA-256 of the text `gosu_rl response PURPOSE SEED`, big end first, without the lowest bit.
    """
    check_seed(seed)
    if purpose not in (CHOICE, MEASUREMENT):
        raise ValueError(f"deals are for {CHOICE} or {MEASUREMENT}, not {purpose!r}")
    return int.from_bytes(hashlib.sha256(f"gosu_rl response {purpose} {seed}".encode()).digest()[:8], "big") >> 1


def _played(
    spec: GameSpec,
    agent: str,
    responder: str,
    deals: int,
    seed: int,
    purpose: str,
    workers: int,
    precision: float | None,
    folder: Path | None,
    progress: Progress | None,
) -> Response:
    if deals < 1:
        raise ValueError(f"deals must be at least 1, not {deals}")
    if responder == agent:
        raise ValueError(f"the responder is the agent itself ({agent!r}), which gains 0; name another")
    plan = Plan(spec, (responder, *[agent] * (spec.players - 1)), deals_seed(seed, purpose))
    game = spec.make()
    runner.check_agents(game, plan)
    with (
        TemporaryDirectory() if folder is None else nullcontext(folder) as place,
        Store(Path(place), plan.identity(game), game.result_dtype, (len(plan.seatings), plan.players)) as store,
    ):
        told = 0  # deals that `progress` has heard of

        def tell(before: int) -> Progress:
            skip = before

            def one(done: int) -> None:
                nonlocal skip, told
                new = max(0, done - skip)  # the runner begins with the deals that are there
                skip = max(0, skip - done)
                told += new
                if progress and new:
                    progress(new)

            return one

        size = deals if precision is None else next_size(0, math.nan, precision, deals)
        while True:
            finished = runner.play(game, plan, store, size, workers, tell(told))
            rows, there = store.load(size)
            whole = size if there.all() else int(np.argmin(there))  # behind a gap short games would be over-represented
            if whole == 0:
                raise KeyboardInterrupt
            found = _response(plan, rows[:whole], game.reasons, finished)
            if not finished or size >= deals or precision is None or found.share.half_width <= precision:
                return found
            size = next_size(size, found.share.half_width, precision, deals)


def _response(plan: Plan, rows: NDArray, reasons: Sequence[str], complete: bool) -> Response:
    """The figures of whole blocks rows[deal, seating, holder]; the responder is the plan's first agent."""
    n = plan.players
    games = Games.read(plan, rows, reasons)
    seat = (plan.seated == 0).argmax(axis=1)  # [s]: where the responder sits
    share = np.take_along_axis(games.share, seat[None, :, None, None], axis=-1)[..., 0]
    gain = np.where(games.good, (n * share - 1) / (n - 1), 0.0)
    count = np.full(len(rows), float(plan.games_per_deal))
    return Response(
        agent=plan.agents[1],
        responder=plan.agents[0],
        players=n,
        deals=len(rows),
        games=int(count.sum()),
        truncated=int((~games.good).sum()),
        share=ratio(games.per_deal(share), games.per_deal(games.good), (0.0, 1.0)),
        gain=ratio(games.per_deal(gain), count, (-1 / (n - 1), 1.0)),
        complete=complete,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
