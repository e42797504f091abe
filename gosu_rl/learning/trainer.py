"""The training loop: collect, learn, measure, keep; from a config to a player.

    trainer = Trainer(config, Path("runs/x"))
    trainer.run()

The folder of a run holds `config.yaml`, `checkpoint.safetensors` (everything needed to go on), `policy.safetensors` (the player:
`ppo:runs/x`), `history.jsonl`, `curves.png` and TensorBoard's events. With a budget in samples, one thread and the CPU, a run that
was killed and resumed ends with the same weights, bit for bit, as one that was not. (In games that run at a checkpoint, agents of
the league begin anew; those that remember nothing, like `random` and `greedy`, do not mind.)
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch

import gosu_rl
from gosu_rl.arena.stats import Interval
from gosu_rl.core.files import write_whole
from gosu_rl.core.game import Game
from gosu_rl.envs.vector import VectorEnv
from gosu_rl.learning import checkpoint, yardstick
from gosu_rl.learning.checkpoint import CheckpointError
from gosu_rl.learning.config import MAY_CHANGE, Config, as_tree, as_yaml, changes, from_tree
from gosu_rl.learning.history import History
from gosu_rl.learning.opponents import Opponents
from gosu_rl.learning.ppo import Losses, Pull, Samples, follow, update
from gosu_rl.learning.returns import advantages
from gosu_rl.learning.rollout import Batch, Collector
from gosu_rl.learning.seated import check_agents
from gosu_rl.nets.lookup import policy_for
from gosu_rl.nets.network import build_network, network_config
from gosu_rl.nets.policy_file import save_policy
from gosu_rl.nets.privileged import with_privileged_critic

CONFIG_FILE, POLICY_FILE = "config.yaml", "policy.safetensors"
# Streams of one seed, so that what one of them draws does not move another.
DEALS, WEIGHTS, ACTIONS, ORDER, YARDSTICK = range(5)


@dataclass
class Counters:
    """How far a run is."""

    batch: int = 0
    samples: int = 0
    minutes: float = 0.0  # of training; evaluation, checkpoints and pauses left out
    episodes: int = 0
    evaluated_batch: int = -1  # at the last evaluation; -1: there was none yet
    evaluated_minutes: float = 0.0


@dataclass(frozen=True)
class Report:
    """What a run has come to: `measured` holds the last evaluation, `complete` says whether the budget was used up."""

    counters: Counters
    measured: tuple[yardstick.Measured, ...]
    complete: bool


class Trainer:
    """One run. `resume` goes on from the folder's checkpoint.

    Raises ValueError for a config that this game or machine cannot serve, CheckpointError for a checkpoint that cannot be gone on
    from, and OSError. Nothing is written before `run`.
    """

    def __init__(self, config: Config, folder: Path, resume: bool = False, command: str = ""):
        self.config, self.folder, self.command = config, folder, command
        self.device = device_of(config.machine.device)
        torch.set_num_threads(config.machine.threads or _cores())
        game = config.game
        self.game: Game = gosu_rl.game(
            game.variant, players=game.players, cards=game.cards or None, rules=dict(game.rules) or None
        )
        seeds = np.random.SeedSequence(config.seed).generate_state(5, np.uint64) >> np.uint64(1)
        self._yardstick_seed = int(seeds[YARDSTICK]) % 2**31
        self.rng = np.random.default_rng(int(seeds[ORDER]))
        self.generator = torch.Generator(self.device).manual_seed(int(seeds[ACTIONS]))
        check_agents(self.game, config.evaluation.agents if config.evaluation.deals else ())
        check_agents(self.game, config.pool.agents if config.pool.league > 0 else ())
        self.network = self._build(int(seeds[WEIGHTS]), begin=not resume).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.ppo.learning_rate.first, eps=1e-5)
        self.average = copy.deepcopy(self.network).eval() if config.ppo.average > 0 else None
        follows = config.ppo.magnet_rate > 0 and max(config.ppo.magnet.values()) > 0
        self.magnet = copy.deepcopy(self.network).eval() if follows else None
        self.env = VectorEnv(
            self.game, num_envs=config.rollout.games, seed=int(seeds[DEALS]), relative=True,
            threads=config.machine.threads or _cores(),
        )  # fmt: skip
        self.opponents = Opponents(self.env, config.pool, lambda: self._build(0), self.device)
        self.counters = Counters()
        self.measured: tuple[yardstick.Measured, ...] = ()
        self.env.reset()
        self.opponents.restart(np.ones(self.env.num_envs, np.bool_), self.rng)
        if resume:
            self._restore()
        self.collector = Collector(
            self.env, self.opponents, config.rollout.steps, self.device,
            privileged=config.ppo.critic == "privileged", mixed=config.machine.mixed,
        )  # fmt: skip
        self.acting = torch.compile(self.network) if config.machine.compile else self.network

    def _build(self, seed: int, begin: bool = False) -> torch.nn.Module:
        """A network of the config's make: with random weights, or with those that the config begins from."""
        config = network_config(self.game, asdict(self.config.network))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            if begin and self.config.begin:
                network = self._begun(config)
            else:
                network = build_network(self.game.observation_spec, self.game.num_actions, config)
            if self.config.ppo.critic == "privileged":
                network = with_privileged_critic(network, self.game, self.config.network.hidden)
        return network

    def _begun(self, wanted: dict[str, Any]) -> torch.nn.Module:
        """A copy of the player that the config begins from; ValueError where its network is of another make."""
        policy = policy_for(self.config.begin.removeprefix("ppo:"), self.game)
        if policy.meta["network"] != wanted:
            raise ValueError(
                f"begin={self.config.begin}: its network is {policy.meta['network']}, the config's {wanted}"
            )
        return copy.deepcopy(policy.network)

    # ---- the loop

    @property
    def progress(self) -> float:
        """0 at the start, 1 when the budget is used up."""
        budget, now = self.config.budget, self.counters
        parts = [now.samples / budget.samples] if budget.samples else []
        parts += [now.minutes / budget.minutes] if budget.minutes else []
        return min(1.0, max(parts))

    def run(
        self,
        stop: Callable[[], bool] = lambda: False,
        progress: Callable[[Trainer, Losses], None] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> Report:
        """Train until the budget is used up, or until `stop()` at the end of a batch; then the checkpoint is written.

        `progress(trainer, losses)` is called after every batch, `tell(line)` with every evaluation. Raises OSError where the folder
        cannot be written, DivergedError, and AgentError where an opponent fails; the last checkpoint then stays as it was.
        """
        now = self.counters
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / CONFIG_FILE, as_yaml(self.config).encode())
        if now.batch == 0:
            self.save()  # from here on there is something to resume, and it is known that it can be written
        kept = perf_counter()
        with History(self.folder) as history, closing(self.opponents):
            history.keep(now.batch)
            if now.evaluated_batch < 0:
                self._evaluate(history, stop, tell)
            while self.progress < 1.0 and not stop():
                losses = self._one_batch(history)
                if progress:
                    progress(self, losses)
                if self._evaluation_due():
                    self._evaluate(history, stop, tell)
                if perf_counter() - kept >= 60 * self.config.machine.checkpoint_minutes:
                    self.save()
                    kept = perf_counter()
            complete = self.progress >= 1.0
            if complete and now.evaluated_batch < now.batch:
                self._evaluate(history, stop, tell)
            self.save()
        return Report(now, self.measured, complete)

    def _one_batch(self, history: History) -> Losses:
        began = perf_counter()
        config, now = self.config, self.counters
        pull = Pull.at(config.ppo, self.progress)
        self.network.eval()
        batch = self.collector.collect(self.acting, self.generator, self.rng)
        learned = perf_counter()
        self.network.train()
        found = advantages(batch.reward, batch.ended, batch.mover, batch.value, config.ppo.lam, batch.choice)
        samples = Samples(batch, found, self.device)
        losses = update(
            self.acting,
            list(self.network.parameters()),
            self.optimizer,
            samples,
            config.ppo,
            pull,
            self.rng,
            self.magnet,
            config.machine.mixed,
        )
        if self.magnet is not None:
            follow(self.magnet, self.network, config.ppo.magnet_rate)
        if self.average is not None:
            # Early on the mean of all batches so far; a decay near 1 would hold on to the first, random weights.
            follow(self.average, self.network, max(1.0 - config.ppo.average, 1.0 / (now.batch + 1)))
        now.batch += 1
        now.samples += batch.action.numel()
        now.episodes += len(batch.lengths)
        if config.pool.past > 0 and (now.batch - 1) % config.pool.every == 0:
            self.opponents.remember(self.network)
        done = perf_counter()
        now.minutes += (done - began) / 60
        self._note(history, batch, losses, pull, {**batch.seconds, "learn": done - learned}, done - began)
        return losses

    def _note(
        self, history: History, batch: Batch, losses: Losses, pull: Pull, seconds: dict[str, float], took: float
    ) -> None:
        now, size = self.counters, batch.action.numel()
        length = float(np.mean(batch.lengths)) if batch.lengths else None
        figures = {
            "samples": now.samples, "minutes": now.minutes, "episodes": now.episodes, "length": length,
            "truncated": batch.truncated, **_finite(asdict(losses)), "pull": asdict(pull), "seconds": seconds, "took": took,
        }  # fmt: skip
        tags = {f"loss/{name}": value for name, value in asdict(losses).items() if math.isfinite(value)}
        tags |= {f"schedule/{name}": value for name, value in asdict(pull).items()}
        tags |= {f"speed/{phase} samples per s": size / max(spent, 1e-9) for phase, spent in seconds.items()}
        tags["speed/samples per s"] = size / took
        tags["run/samples"] = now.samples
        if length is not None:
            tags["game/decisions"] = length
        history.add("batch", now.batch, figures, tags)

    # ---- measuring

    def _evaluation_due(self) -> bool:
        """By batches where the budget is in samples, so that a resumed run measures at the same points; else by minutes."""
        config, now = self.config.evaluation, self.counters
        if self.config.budget.samples:
            return bool(config.batches) and now.batch - now.evaluated_batch >= config.batches
        return config.minutes > 0 and now.minutes - now.evaluated_minutes >= config.minutes

    def _evaluate(self, history: History, stop: Callable[[], bool], tell: Callable[[str], None] | None) -> None:
        """Measure the player as it is; given up when `stop()` says so, to be made up for when the run goes on."""
        config, now = self.config.evaluation, self.counters
        player, seed = self.player.eval(), self._yardstick_seed
        try:
            measured = tuple(
                yardstick.measure(player, self.game, agent, config.deals, seed, config.temperature, self.device, stop)
                for agent in config.agents
                if config.deals
            )
        except yardstick.StoppedError:
            return
        now.evaluated_batch, now.evaluated_minutes, self.measured = now.batch, now.minutes, measured
        if not measured:
            return
        shares = {
            one.agent: [one.share.estimate, one.share.low, one.share.high, one.deals, one.length]
            for one in self.measured
        }
        history.add(
            "evaluation", now.batch, {"samples": now.samples, "minutes": now.minutes, "shares": shares},
            {f"share/{one.agent}": one.share.estimate for one in self.measured},
        )  # fmt: skip
        parts = [
            f"{one.agent} {one.share.estimate:.1%} [{one.share.low:.1%}, {one.share.high:.1%}]" for one in self.measured
        ]
        if tell:
            tell(f"{now.minutes:6.1f} min  {now.samples / 1e6:6.2f} M samples  against " + "  ".join(parts))

    @property
    def player(self) -> torch.nn.Module:
        """The network that would play: the averaged weights where there are some."""
        return self.network if self.average is None else self.average

    # ---- keeping

    def save(self) -> None:
        """Write checkpoint and player, each in one step."""
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for head, network in (("average", self.average), ("magnet", self.magnet)):
            if network is not None:
                tensors |= {f"{head}.{name}": value for name, value in network.state_dict().items()}
        tensors |= checkpoint.optimizer_tensors(self.optimizer)
        tensors["generator"] = self.generator.get_state()
        tensors |= checkpoint.array_tensors("env", self.env.snapshot())
        past, arrangement = self.opponents.state()
        tensors |= past
        plain = {
            "config": as_tree(self.config),
            "counters": asdict(self.counters),
            "measured": [asdict(one) for one in self.measured],
            "device": self.device.type,
            "order": self.rng.bit_generator.state,
            "opponents": arrangement,
        }
        checkpoint.save(self.folder / checkpoint.FILE_NAME, tensors, plain)
        save_policy(self.folder / POLICY_FILE, _plain_network(self.player), self.game, self._about())

    def _about(self) -> dict[str, Any]:
        """What the policy file tells of its making."""
        rollout, measured_at = self.config.rollout, max(0, self.counters.evaluated_batch)
        return {
            "command": self.command,
            "config": as_tree(self.config),
            "samples": self.counters.samples,
            "minutes": round(self.counters.minutes, 2),
            "strength": [
                {"against": one.agent, "share": one.share.estimate, "low": one.share.low, "high": one.share.high,
                 "deals": one.deals, "temperature": self.config.evaluation.temperature,
                 "samples": measured_at * rollout.games * rollout.steps}
                for one in self.measured
            ],
        }  # fmt: skip

    def _restore(self) -> None:
        path = self.folder / checkpoint.FILE_NAME
        tensors, plain = checkpoint.load(path)
        if changed := changes(from_tree(plain.get("config", {}), str(path)), self.config):
            raise CheckpointError(
                f"{path} is of another run: {'; '.join(changed)}; when a run goes on only {', '.join(MAY_CHANGE)} may change; "
                "name another --out, or begin anew with --fresh"
            )
        try:
            _load(self.network, tensors, "network")
            for head, network in (("average", self.average), ("magnet", self.magnet)):
                if network is not None:
                    _load(network, tensors, head)
            checkpoint.restore_optimizer(self.optimizer, tensors)
            if plain["device"] == self.device.type:
                self.generator.set_state(tensors["generator"])
            else:  # generators of other devices draw other numbers; go on with new ones
                self.generator.manual_seed(self.generator.initial_seed() + plain["counters"]["batch"])
            self.env.restore(checkpoint.restore_arrays("env", tensors))
            past = {name: value for name, value in tensors.items() if name.startswith("past.")}
            self.opponents.restore(past, plain["opponents"])
            self.rng.bit_generator.state = plain["order"]
            self.counters = Counters(**plain["counters"])
            self.measured = tuple(
                yardstick.Measured(**{**one, "share": Interval(**one["share"])}) for one in plain["measured"]
            )
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            why = " ".join(str(error).split())[:300]
            raise CheckpointError(f"{path} does not fit this config: {why}; begin anew with --fresh") from None


def _plain_network(network: torch.nn.Module) -> torch.nn.Module:
    """Without what only training uses."""
    return getattr(network, "plain", network)


def _load(network: torch.nn.Module, tensors: dict[str, torch.Tensor], head: str) -> None:
    network.load_state_dict(
        {name[len(head) + 1 :]: one for name, one in tensors.items() if name.startswith(f"{head}.")}
    )


def _finite(figures: dict[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in figures.items()}


def device_of(name: str) -> torch.device:
    """The device of a config; ValueError for one that is not there."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        device = torch.device("meta")  # no device to compute on either
    if device.type not in ("cpu", "cuda"):
        raise ValueError(f"machine.device={name}: use cpu, cuda, cuda:1 … or auto")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ValueError(
            f"machine.device={name}: this torch sees {torch.cuda.device_count()} CUDA devices; use cpu or auto"
        )
    return device


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
