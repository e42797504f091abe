"""What a trained network adds to tree search: matches of guided search against search alone and the network alone, and its speed.

    python experiments/guided_search.py ppo:runs/x --deals 100               # all matches
    python experiments/guided_search.py ppo:runs/x alone time --deals 400    # more deals for two groups
    python experiments/guided_search.py ppo:runs/x speed                     # simulations a CPU-second

Games are kept below --store as they end, as `mcts_sweep.py` keeps them: the same command goes on where it was stopped, deals come
from --seed alone. A network that is trained further begins anew. The table goes to --results as CSV and JSON.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from mcts_sweep import Match, line, run, write

import gosu_rl
from gosu_rl.agents.mcts import MCTS

GROUPS = ("alone", "parts", "c", "batch", "time", "speed")


def matches(network: str, sims: int) -> Iterator[Match]:
    """All matches, the most wanted first: equal simulations, then equal time."""
    plain, both = f"mcts:sims={sims}", f"mcts:sims={sims},prior={network},value={network}"
    parts = {
        "prior": f"mcts:sims={sims},prior={network}",
        "value": f"mcts:sims={sims},value={network}",
        "half": f"{both},mix=0.5",
    }
    yield Match("alone", both, plain)
    yield Match("alone", both, f"{network},temperature=0")
    yield Match("alone", f"{network},temperature=0", plain)
    yield Match("alone", f"{network},temperature=0", "greedy")
    yield Match("alone", f"{network},temperature=0", network)
    for agent in parts.values():
        yield Match("parts", agent, plain)
    for c in (0.2, 0.5, 2.0):
        yield Match("c", f"{both},c={c}", plain)
    for batch in (1, 64):
        yield Match("batch", f"{both},batch={batch}", both)
    for agent in (both, *parts.values()):
        guided = agent.replace(f"sims={sims}", "ms=20")
        yield Match("time", guided, "mcts:ms=20")


def speeds(network: str, sims: int) -> Iterator[tuple[str, float]]:
    """Simulations a CPU-second at the first choice of five turns, in one thread of Python (a network may use more)."""
    game = gosu_rl.game("tactics", players=2)
    views = []
    for seed in range(5):
        state = game.new(seed)
        while state.kind != "turn":
            state.apply(state.legal[0])
        views.append(state.view(state.mover))
    both = {"prior": network, "value": network}
    ways: list[dict[str, object]] = [{}, {"prior": network}, {"value": network}, {**both, "mix": 0.5}]
    ways += [{**both, "batch": batch} for batch in (1, 4, 16, 64)]
    for way in ways:
        agent = MCTS(sims=sims, **way)  # type: ignore[arg-type]
        agent.reset(game, 0, 1)
        best = 0.0
        for repeat in range(6):  # the first one loads code
            begun = time.process_time()
            for view in views:
                agent.analyse(view, repeat)
            best = max(best, sims * len(views) / (time.process_time() - begun))
        yield ",".join(f"{name}={value}" for name, value in way.items()) or "no network", best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="spec of a trained player, such as ppo:runs/x")
    parser.add_argument("groups", nargs="*", help=f"what to play: {', '.join(GROUPS)} (default: all)")
    parser.add_argument("--deals", type=int, default=50, help="deals a match (default: 50)")
    parser.add_argument("--sims", type=int, default=400, help="simulations a decision (default: 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", type=Path, default=Path("runs/guided_search"), help="folder for the games")
    parser.add_argument("--results", type=Path, default=Path("runs/guided_search"), help="folder for the table")
    arguments = parser.parse_args()
    groups = arguments.groups or GROUPS
    if wrong := set(groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(wrong))}; there are {', '.join(GROUPS)}")
    rows = []
    try:
        if "speed" in groups:
            for name, speed in speeds(arguments.network, arguments.sims):
                print(f"{speed:10,.0f} simulations / CPU-s   {name}", flush=True)
        for match in matches(arguments.network, arguments.sims):
            if match.group not in groups:
                continue
            row = run(match, arguments.deals, arguments.seed, arguments.store, arguments.workers)
            if row is not None:
                rows.append(row)
                print(line(row), flush=True)
                write(rows, arguments.results, arguments.seed, "guided_search")
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")


if __name__ == "__main__":
    main()
