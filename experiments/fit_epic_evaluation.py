"""Fit the weights of Epic Death's evaluation (`gosu_rl.core.epic_death.evaluation`), and judge it on games it has not seen.

A position is worth to a seat its part of `exp(score)` over all seats; the score is a weighted sum of what all see of a player:
Victory Points, loose tokens, crew, printed Attack of Heroes, values of crewed Machines, cards in the hand, steps to the nearest
Town. Multinomial logistic regression on the winner. Positions are drawn at random from self-play of every `--agent` with two,
four and six players, one move in ten at random, so that they are not only the agents' own. A game counts as one, however long it
lasted. Every fifth game is kept out of the fit; on those three log losses are printed: with the fitted weights, with the
evaluation in force, and knowing nothing.

    python experiments/fit_epic_evaluation.py                         # games of greedy alone
    PYTHONPATH=experiments python experiments/fit_epic_evaluation.py --agent greedy --agent epic_by_hand:ByHand:sims=50
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from tqdm import tqdm

import gosu_rl
from gosu_rl.agents import agent_seed, make_agent
from gosu_rl.core import playout
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.kernel import EVALUATE
from gosu_rl.core.position import records

NAMES = ("points", "tokens", "crew", "attack", "machines", "hand", "steps")
SAMPLED = 0.05  # of the decisions
ASTRAY = 0.1  # of the moves are random
MOST_DECISIONS = 8_000  # longer games are left out
RIDGE = 1e-4  # a little pull to zero, so that what tells nothing gets no weight


def features(state: GameState) -> np.ndarray:
    """float64[players, len(NAMES)]."""
    s, rules, cards = state.record[0], state.game.R[0], state.game.card_set.cards
    rows = []
    for q in range(state.game.players):
        attack = machines = crew = 0
        for c in range(state.game.card_set.copies):
            if int(s["army"][q][c >> 6]) >> (c & 63) & 1:
                card = cards[c % len(cards)]
                if card.kind == "hero":
                    attack += card.value
                elif s["crew"][c] > 0:
                    machines += card.value
                    crew += int(s["crew"][c])
        steps = rules["far"][s["at"][q]]
        rows.append([s["points"][q], s["tokens"][q], crew, attack, machines, s["hand_size"][q], steps])
    return np.array(rows, np.float64)


def in_force(state: GameState) -> list[float]:
    """Shares of all seats that the kernel's evaluation expects."""
    F, S = state.game.kernel.need("evaluate"), records(state.record)
    return [playout.choose(F, state.game.R, S, EVALUATE, seat) / 1e6 for seat in range(state.game.players)]


@dataclass(frozen=True)
class Seen:
    """Positions with one number of players: features [k, players, names], shares in the end and shares that the evaluation in
    force expects [k, players], a weight each, which add up to one a game [k], and whether they are kept out of the fit [k]."""

    features: np.ndarray
    shares: np.ndarray
    expected: np.ndarray
    weights: np.ndarray
    kept: np.ndarray

    def loss(self, expected: np.ndarray, which: np.ndarray) -> float:
        """Mean log loss of expected shares over the games of the positions `which`."""
        each = -(self.shares[which] * np.log(np.maximum(expected[which], 1e-12))).sum(axis=1)
        return float(self.weights[which] @ each / self.weights[which].sum())


def one_game(game: Game, agent: str, seed: int, rng: random.Random) -> tuple[list, np.ndarray]:
    """(features, shares expected) of some positions of a game, and its shares; no positions if it was cut off."""
    state = game.new(seed)
    seated = [make_agent(agent) for _ in range(game.players)]
    for seat, one in enumerate(seated):
        one.reset(game, seat, agent_seed(seed, seat))
    seen = []
    while not state.over:
        if rng.random() < SAMPLED:
            seen.append((features(state), in_force(state)))
        astray = rng.random() < ASTRAY
        state.apply(rng.choice(state.legal) if astray else seated[state.mover].act(state.view(state.mover)))
    return ([] if state.truncated else seen), state.shares


def gather(players: int, agents: list[str], games: int, seed: int) -> Seen:
    """Positions from `games` games of each agent with itself."""
    game = gosu_rl.game("epic_death", players, rules={"max_decisions": MOST_DECISIONS})
    rng = random.Random(seed)
    looks, shares, expected, weights, kept = [], [], [], [], []
    for k in tqdm(range(games * len(agents)), desc=f"{players} players", disable=None):
        seen, result = one_game(game, agents[k // games], seed * 1_000_000 + k, rng)
        for look, expect in seen:
            looks.append(look)
            shares.append(result)
            expected.append(expect)
            weights.append(1 / len(seen))
            kept.append(k % 5 == 4)
    return Seen(np.array(looks), np.array(shares), np.array(expected), np.array(weights), np.array(kept))


def softmax(scores: np.ndarray) -> np.ndarray:
    """Shares by seat, the last axis."""
    z = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


def fit(tables: list[Seen]) -> np.ndarray:
    """The weights with the least log loss on what is not kept out: float64[len(NAMES)]. All games count the same."""
    total = sum(t.weights[~t.kept].sum() for t in tables)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = RIDGE * float(w @ w), 2 * RIDGE * w
        for t in tables:
            part = t.weights[~t.kept] / total
            expected = softmax(t.features @ w)
            value += t.loss(expected, ~t.kept) * part.sum()
            slope = slope + np.einsum("k,kqf,kq->f", part, t.features[~t.kept], (expected - t.shares)[~t.kept])
        return value, slope

    return minimize(loss, np.zeros(len(NAMES)), jac=True, method="BFGS").x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", action="append", help="whose games (default: greedy); may be repeated")
    parser.add_argument(
        "--games", type=int, default=200, help="games of each, for each number of players (default: 200)"
    )
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4, 6])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    agents = arguments.agent or ["greedy"]
    tables = [gather(players, agents, arguments.games, arguments.seed) for players in arguments.players]
    weights = fit(tables)
    for players, t in zip(arguments.players, tables, strict=True):
        fitted, now = t.loss(softmax(t.features @ weights), t.kept), t.loss(t.expected, t.kept)
        print(
            f"{players} players: {len(t.kept):,} positions; on the games kept out log loss {fitted:.4f} fitted, "
            f"{now:.4f} in force, {np.log(players):.4f} knowing nothing"
        )
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"  {name:9s} {weight:+.4f}")


if __name__ == "__main__":
    main()
