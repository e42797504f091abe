"""Fit the weights of the kernel's evaluation (`gosu_rl.core.gosu.policies.prospects`) to games between greedy players.

A position is worth to a seat its part of `exp(score)` over all seats; the score is a weighted sum of what all see of a player
(points, strength face up, strength trapped, hand size, ready tokens, the Advantage card, whether he is out of the round).
Multinomial logistic regression on the winner, positions drawn at random from games with 2, 3 and 4 players (of Gosu X with 2, and
random drafts; its weights stand in `gosu_rl.core.gosu_x.evaluation.prospects`).

    python experiments/fit_evaluation.py --games 3000
    python experiments/fit_evaluation.py --variant gosu
    python experiments/fit_evaluation.py --variant gosu_x
"""

from __future__ import annotations

import argparse
import random

import numpy as np
from scipy.optimize import minimize
from tqdm import tqdm

import gosu_rl
from gosu_rl.core.gosu_x.values import army_value
from gosu_rl.core.jit import entry
from gosu_rl.core.position import records

NAMES = ("points", "points^2", "strength", "trapped", "hand", "tokens", "advantage", "out", "leads if out", "own turn")


def features(state: gosu_rl.core.game.GameState) -> np.ndarray:  # type: ignore[name-defined]
    """float64[players, len(NAMES)]."""
    s, cards = state.record[0], state.game.card_set.cards
    faces = len(cards)
    rows = []
    strength = []
    for q in range(state.game.players):
        up = down = 0
        for slot, c in enumerate(s["army"][q]):
            if c >= 0:
                value = cards[c % faces].strength
                if int(s["trapped"][q]) >> slot & 1:
                    down += value
                else:
                    up += value
        strength.append(up + 0.5 * (q == s["adv"]))
        rows.append(
            [
                s["points"][q],
                s["points"][q] ** 2,
                up / 10,
                down / 10,
                s["hand_size"][q] / 5,
                s["tokens"][q],
                q == s["adv"],
                s["turns_left"][q] == 0,
                0,
                q == s["active"],
            ]
        )
    for q, row in enumerate(rows):
        lead = (strength[q] - max(x for p, x in enumerate(strength) if p != q)) / 10
        row[NAMES.index("leads if out")] = lead * (1 if all(s["turns_left"][: state.game.players] >= 0) else 0)
    return np.array(rows, np.float64)


NAMES_X = ("points", "value", "captured", "hand", "tokens", "unlocked", "wonder", "passed", "out", "own turn")


@entry
def values_of(S, R, out):
    """Military value of each army of a two-player game of Gosu X."""
    for q in range(2):
        out[q] = army_value(S[0], R[0], q)


def features_x(state: gosu_rl.core.game.GameState) -> np.ndarray:  # type: ignore[name-defined]
    """float64[2, len(NAMES_X)]."""
    s, cards = state.record[0], state.game.card_set.cards
    values = np.zeros(2, np.int64)
    values_of(records(state.record), state.game.R, values)
    rows = []
    for q in range(2):
        down = sum(
            cards[c % len(cards)].strength
            for slot, c in enumerate(s["army"][q])
            if c >= 0 and int(s["trapped"][q]) >> slot & 1
        )
        unlocked = state.game.rules["token_limit"] - state.game.rules["tokens"] - s["locked"][q]
        facts = [s["points"][q], values[q] / 10, down / 10, s["hand_size"][q] / 5, s["tokens"][q], unlocked]
        rows.append([*facts, q == s["wonder"], s["passed"][q] != 0, s["turns_left"][q] == 0, q == s["active"]])
    return np.array(rows, np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", default="tactics", help="tactics, gosu or gosu_x (default: tactics)")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    X: list[np.ndarray] = []
    y: list[np.ndarray] = []
    own_decks = arguments.variant == "gosu_x"
    names, seen_of = (NAMES_X, features_x) if own_decks else (NAMES, features)
    tables = (2,) if own_decks else (2, 3, 4)
    for players in tables:
        game = gosu_rl.game(arguments.variant, players, rules={"draft": "random"} if own_decks else None)
        for k in tqdm(range(arguments.games // len(tables)), desc=f"{players} players"):
            state = game.new(k)
            seen = []
            while not state.over:
                if rng.random() < 0.05:
                    seen.append(seen_of(state))
                # now and then a random move, so that positions are not only greedy's own
                if rng.random() < 0.1:
                    state.apply(rng.choice(state.legal))
                else:
                    state.apply(game.choose(state.view(state.mover), "greedy", rng.getrandbits(60)))
            X += seen
            y += [state.shares] * len(seen)

    def loss(w: np.ndarray) -> float:
        total = 0.0
        for n in tables:
            pick = [i for i, x in enumerate(X) if len(x) == n]
            z = np.array([X[i] for i in pick]) @ w
            z -= z.max(axis=1, keepdims=True)
            log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
            total -= float((np.array([y[i] for i in pick]) * log_p).sum())
        return total / len(X)

    fit = minimize(loss, np.zeros(len(names)), method="BFGS")
    print(f"{len(X)} positions; log loss {fit.fun:.4f} (knowing nothing: {loss(np.zeros(len(names))):.4f})")
    for name, weight in zip(names, fit.x, strict=True):
        print(f"  {name:14s} {weight:+.3f}")


if __name__ == "__main__":
    main()
