"""How long games of Epic Death last, how many are truncated (E8), and how often who begins wins, by layout, players and agents.

Every agent plays against itself on the deals of --seed. A line a row: rounds of 10 %, 50 %, 90 % of the games and of the longest,
mean decisions, the share of truncated games, and the win share of who begins in the others, with 95 % limits.

    python experiments/epic_lengths.py random greedy --games 1000
    python experiments/epic_lengths.py mcts:sims=50 mcts:sims=200 --players 2 4 6 --games 20
"""

from __future__ import annotations

import argparse

import numpy as np
from tqdm import tqdm

import gosu_rl
from gosu_rl.agents import agent_seed, make_agent
from gosu_rl.core.game import Game
from gosu_rl.core.many import game_seeds

HEAD = (
    "layout",
    "players",
    "played by",
    "games",
    "rounds 10 / 50 / 90 %",
    "longest",
    "decisions",
    "truncated",
    "begins, wins",
)


def played(game: Game, agent: str, games: int, seed: int) -> np.ndarray:
    """float64[games, 4]: rounds, decisions, whether truncated, win share of who began."""
    seeds = game_seeds(seed, games)
    if agent in game.policies:
        rows = game.play_many([agent] * game.players, seeds, workers=1)
        won = rows["share"][np.arange(games), rows["first_holder"]]
        return np.stack([rows["rounds"], rows["decisions"], rows["truncated"], won], axis=1).astype(np.float64)
    found = []
    for one in tqdm(seeds.tolist(), desc=f"{game.players} players, {agent}", disable=None):
        state = game.new(one)
        seated = [make_agent(agent) for _ in range(game.players)]
        for seat, player in enumerate(seated):
            player.reset(game, seat, agent_seed(one, seat))
        while not state.over:
            state.apply(seated[state.mover].act(state.view(state.mover)))
        found.append((state.round, state.decisions, state.truncated, state.shares[state.advantage]))
    return np.array(found, np.float64)


def row(layout: str, game: Game, agent: str, games: int, seed: int) -> str:
    """A line of the table."""
    rounds, decisions, cut, won = played(game, agent, games, seed).T
    low, middle, high = np.percentile(rounds, (10, 50, 90))
    won = won[cut == 0]
    wide = 196 * won.std(ddof=1) / np.sqrt(len(won)) if len(won) > 1 else np.nan
    cells = (
        layout, game.players, f"`{agent}`", f"{games:,}", f"{low:.0f} / {middle:.0f} / {high:.0f}", f"{rounds.max():.0f}",
        f"{decisions.mean():,.0f}", f"{100 * cut.mean():.1f} %", f"{100 * won.mean():.1f} ± {wide:.1f} %",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--layouts", nargs="+", default=["medium"])
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4, 5, 6])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"| {' | '.join(HEAD)} |")
    print("|---|---:|---|" + "---:|" * (len(HEAD) - 3))
    for layout in arguments.layouts:
        for players in arguments.players:
            game = gosu_rl.game("epic_death", players, rules={"layout": layout})
            for agent in arguments.agents:
                print(row(layout, game, agent, arguments.games, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
