"""A stand-in for the compiled game: the documented result rows, drawn from a model whose win rates are known.

Every seat has a strength drawn with the deal, the seat given the card has a bonus on top, every game has noise; the
strongest wins. For two players P(the holder wins) = Φ(bonus / sqrt(2 (1 + noise²))).
"""

from __future__ import annotations

import os
from types import SimpleNamespace

import numpy as np

from gosu_rl.arena.plan import GameSpec

REASONS = ("", "points", "fifteen", "nine", "truncated")
DTYPE = np.dtype(
    [
        ("seed", "u8"), ("first_holder", "i1"), ("share", "f4", 4), ("truncated", "?"), ("reason", "i1"),
        ("rounds", "i2"), ("turns", "i4"), ("decisions", "i4"), ("capped", "i2"), ("points", "i1", 4),
        ("battles", "i1"),
        ("battle_holder", "i1", 16), ("battle_top", "i1", 16), ("battle_scored", "i1", 16),
    ]
)  # fmt: skip


class FakeGame:
    """`play_many` and what surrounds it."""

    reasons = REASONS
    endings = reasons
    result_dtype = DTYPE
    policies = ("random", "greedy")

    def __init__(self, players=2, bonus=0.8, noise=0.5, truncate=0.0, cards="abc", skill=None, rules=None):
        self.variant, self.players, self.bonus, self.noise, self.truncate = "tactics", players, bonus, noise, truncate
        self.skill = skill or {"random": -1.0, "greedy": 0.0}
        self.rules = {"turns_after_pass": 3, **(rules or {})}
        self.card_set = SimpleNamespace(
            name="fake",
            hash=cards,
            variant="tactics",
            banner=f"Fake cards (fake@{cards}; a reconstruction)",
            is_reconstruction=True,
            cards=(),
            copies=0,
            provenances=[],
            sources={},
        )
        self.calls = 0

    def new(self, seed, advantage=None):
        return FakeState(self, seed, seed % self.players if advantage is None else advantage)

    def log(self, state):
        return FakeLog(self, state)

    def play_many(self, policies, seeds, advantage=None, workers=1, progress=None):
        self.calls += 1
        n = self.players
        rows = np.zeros(len(seeds), DTYPE)
        rows["battle_holder"] = -1
        for i, seed in enumerate(np.asarray(seeds, np.uint64)):
            deal = np.random.default_rng(int(seed))
            strength = deal.normal(size=n)
            holder = int(deal.integers(n)) if advantage is None else int(advantage[i])
            luck = np.random.default_rng([holder + 1, int(seed)])
            rows[i] = self.one(int(seed), strength, holder, luck, policies)
        return rows

    def one(self, seed, strength, holder, luck, policies):
        n = self.players
        row = np.zeros((), DTYPE)
        total = strength + [self.skill[name] for name in policies] + self.noise * luck.normal(size=n)
        total[holder] += self.bonus
        winner = int(np.argmax(total))
        row["seed"], row["first_holder"] = seed, holder
        battles = int(luck.integers(3, 3 + n))
        row["battles"], row["rounds"] = battles, battles
        row["turns"], row["decisions"] = 20 * battles, 60 * battles
        row["battle_holder"] = -1
        row["battle_holder"][:battles] = holder
        row["battle_top"][:battles] = 1 << winner
        row["battle_scored"][:battles] = 1 << winner
        row["points"][winner] = 3
        if luck.random() < self.truncate:
            row["truncated"], row["reason"] = True, 4
        else:
            row["share"][winner], row["reason"] = 1, 1
        return row


class FakeSpec(GameSpec):
    """Makes the stand-in, in worker processes too."""

    def make(self):
        return FakeGame(players=self.players)


class FakeState:
    """Each seat in turn adds 0, 1 or 2 to its strength; then the strongest wins."""

    legal = (0, 1, 2)

    def __init__(self, game, seed, holder):
        self.game, self.seed, self.advantage = game, seed, holder
        self.added, self.is_view, self.viewer = [], False, None

    @property
    def over(self):
        return len(self.added) == self.game.players

    @property
    def mover(self):
        return -1 if self.over else len(self.added)

    @property
    def decisions(self):
        return len(self.added)

    def view(self, seat):
        shown = FakeState(self.game, None, self.advantage)
        shown.added, shown.is_view, shown.viewer = list(self.added), True, seat
        return shown

    def apply(self, action):
        if action not in self.legal:
            raise ValueError(f"{action} is not legal; legal are 0, 1, 2")
        self.added.append(action)


class FakeLog:
    def __init__(self, game, state):
        self.game, self.state, self.row = game, state, None

    def note(self, state):
        if state.over:
            strength = np.random.default_rng(state.seed).normal(size=self.game.players) + np.array(state.added)
            luck = np.random.default_rng([state.advantage + 1, state.seed])
            self.row = self.game.one(state.seed, strength, state.advantage, luck, ["greedy"] * self.game.players)


class Chooser:
    """An agent that chooses by its seed."""

    def reset(self, game, seat, seed):
        self.seat, self.random = seat, np.random.default_rng(seed)

    def act(self, view):
        assert view.is_view
        assert view.viewer == self.seat
        return int(self.random.integers(3))


class Cheat(Chooser):
    def act(self, view):
        return 7


class Crash(Chooser):
    def act(self, view):
        os._exit(9)
