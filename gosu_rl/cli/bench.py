"""`gosu-rl bench`: measure speed on this machine, beside OpenSpiel (extra `bench`) and pgx where they are installed."""

from __future__ import annotations

import argparse
import datetime
import json
from dataclasses import asdict
from typing import Any

from gosu_rl.arena import bench_vector
from gosu_rl.core.variants import variants

PLAYERS = (2, 3, 4)
SEARCHED = (2, 4)
LARGE = (2, 4, 6)  # of a game for up to six

EXAMPLES = """examples:
  gosu-rl bench --quick                 a minute or two
  gosu-rl bench --quick --variant gosu  the same of GOSU (2010); also of gosu_x and epic_death
  gosu-rl bench --json figures.json     longer, with cold starts; every repeat into a file
  gosu-rl bench learn                   a training run, beside what inference and update alone allow
  gosu-rl bench learn ppo.epochs=2 network.hidden=[128,128] machine.threads=1"""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "bench",
        help="measure speed on this machine",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="?", metavar="learn", help="measure training instead of games")
    parser.add_argument(
        "settings_given", nargs="*", metavar="KEY=VALUE", help="settings of that training, as for train"
    )
    parser.add_argument("--quick", action="store_true", help="shorter and fewer repeats, and no cold start")
    parser.add_argument("--json", metavar="FILE", help="write all figures, repeat by repeat, to FILE")
    parser.add_argument("--variant", default="tactics", help=f"the game: {', '.join(variants())} (default: tactics)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what:
        from gosu_rl.cli import bench_learn

        if arguments.what != "learn":
            raise ValueError(f"bench measures games, or with 'learn' training, not {arguments.what!r}")
        return bench_learn.run(arguments)
    import gosu_rl
    from gosu_rl.arena import bench, bench_peers
    from gosu_rl.cli.info import machine, versions
    from gosu_rl.core.files import check_writable, write_whole

    gosu_rl.game(arguments.variant)  # better to fail now than after the heading
    effort = bench.QUICK if arguments.quick else bench.Effort()
    about = {"date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), **machine(), **versions()}
    if arguments.json:
        check_writable(arguments.json)  # or after the measuring
    for name, value in about.items():
        print(f"{name:12} {value}")
    print(f"\n{effort.repeats} repeats of {effort.seconds} CPU-s each: median (lowest … highest)\n", flush=True)

    figures: list[Any] = []

    def told(figure: Any) -> None:
        figures.append(figure)
        print(_row(figure), flush=True)

    variant = arguments.variant
    large = bool(bench.tables(variant, LARGE[-1:]))
    played = bench.tables(variant, LARGE if large else PLAYERS)
    searched = bench.tables(variant, LARGE if large else SEARCHED)
    for players in played:
        told(bench.compiled_playouts(variant, players, effort))
    for players in played:
        told(bench.state_loop(variant, players, effort))
    for players in played:
        told(bench.aec_loop(variant, players, effort))
    bench_vector.measure(variant, effort, told)
    for players in played:
        told(bench.policy_games(variant, players, "greedy", effort))
    for players in searched:
        for where in (bench.OPENING, bench.WHOLE):
            told(bench.searches(variant, players, where, effort))
    for figure in bench.sizes(variant, 2):
        told(figure)
    if not arguments.quick:
        for figure in bench.starts(variant, 2, effort):
            told(figure)
    peers = bench_peers.available()
    if peers:
        bench_peers.measure(effort, told)
    boards = bench_vector.peer_available() and not arguments.quick  # it compiles for a minute and more
    if boards:
        bench_vector.measure_peer(effort, told)
    medians = {figure.name: figure.median for figure in figures}
    ratios = (_ratios(medians, variant, played, searched) if peers else []) + (
        _vector_ratios(medians, variant) if boards else []
    )
    if ratios:
        print("\nratios of medians\n" + "\n".join(ratios))
    if not peers:
        print("\nOpenSpiel is not installed, so there is nothing to compare with: pip install open_spiel")
    if not boards and not arguments.quick:
        print("\npgx is not installed, so VectorEnv stands alone: pip install pgx")
    if arguments.json:
        data = {"about": about, "effort": asdict(effort), "figures": [asdict(f) for f in figures], "ratios": ratios}
        write_whole(arguments.json, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


def _row(figure: Any) -> str:
    values = figure.values
    spread = f"({_number(min(values))} … {_number(max(values))})" if len(values) > 1 else ""
    note = f"  {figure.note}" if figure.note else ""
    return f"{figure.name:46} {_number(figure.median):>12} {figure.unit:18} {spread}{note}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _ratios(medians: dict[str, float], variant: str, measured: tuple[int, ...], searched: tuple[int, ...]) -> list[str]:
    """Like with like: compiled games against C++ rollouts and bots, Python loop against Python loop, search against search."""
    lines = []
    for ours, theirs, tables in (
        ("compiled random games", ("rollouts in C++", "evaluate_bots"), measured),
        ("Python loop over GameState", ("Python loop over State",), measured),
        ("ISMCTS, first decisions", ("ISMCTS, first decisions",), searched),
    ):
        for players in tables:
            own = medians[f"{variant} {players}p, {ours}"]
            for peer in ("hearts", "gin_rummy"):
                for their in theirs:
                    ratio = own / medians[f"OpenSpiel {peer}, {their}"]
                    lines.append(f"{variant} {players}p, {ours} / OpenSpiel {peer}, {their}: {ratio:.2f}")
    return lines


def _vector_ratios(medians: dict[str, float], variant: str) -> list[str]:
    """Vector environments of as many games, random choices included on both sides."""
    from gosu_rl.arena import bench

    lines = []
    for players in bench.tables(variant, bench_vector.TABLES):
        games = bench_vector.title(variant, players, bench_vector.PEER_GAMES, bench_vector.THREADS[-1])
        ours = f"{games}, {bench_vector.WITH_CHOICES}"
        for peer in bench_vector.PEERS:
            theirs = f"pgx {peer}, {bench_vector.PEER_GAMES} games"
            lines.append(f"{ours} / {theirs}: {medians[ours] / medians[theirs]:.0f}")
    return lines
