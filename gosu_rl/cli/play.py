"""`gosu-rl play`: one game at the terminal, against agents or between agents."""

from __future__ import annotations

import argparse
import secrets
import textwrap
from collections.abc import Callable
from typing import Any

import gosu_rl
from gosu_rl.agents import make_agent
from gosu_rl.agents.human import GameLeft, Human
from gosu_rl.agents.narrator import narrator_of
from gosu_rl.agents.specs import split_specs
from gosu_rl.arena.play import play
from gosu_rl.cli.draft import add_draft, with_draft
from gosu_rl.cli.measuring import parse_rules
from gosu_rl.core.files import check_writable
from gosu_rl.core.record import Record
from gosu_rl.core.variants import variants
from gosu_rl.envs.ansi import WIDTH, render

EXAMPLES = """examples:
  gosu-rl play tactics                                          you against greedy; ? at the prompt helps
  gosu-rl play tactics --seats human,greedy,mcts:sims=400       three players
  gosu-rl play tactics --seats greedy,random --seed 5 --record game.jsonl
      watch two agents, and keep the game for gosu-rl replay
  gosu-rl play gosu_x                                           Gosu X; the draft first
  gosu-rl play gosu_x --draft random                            ... with clans drawn by lot
  gosu-rl play tactics --cards mine.toml --rules turns_after_pass=2
      your own cards, your own rules (their numbers: docs/rulings.md, docs/rulings-gosu.md, docs/rulings-gosu-x.md,
      docs/rulings-epic-death.md)
  gosu-rl play gosu --rules turns_after_pass=10                 GOSU (2010) under the rule of tournaments
  gosu-rl play epic_death --seats human,greedy,greedy --rules layout=long
      Epic Death for three on the long field

docs/agents.md says which agents there are, and how to make one."""
INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C


def add_parser(subparsers: Any) -> None:
    """Add `play` to the command."""
    parser = subparsers.add_parser(
        "play",
        help="play a game at the terminal, or watch one",
        description="Play a game at the terminal. Without a human in the seats the whole game is shown, hands too.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("variant", help=f"the game: {', '.join(variants())}")
    parser.add_argument(
        "--seats", default="human,greedy", help="one agent a seat, e.g. human,greedy (the default) or greedy,random"
    )
    parser.add_argument("--seed", type=int, help="deal of the game; drawn and shown if left out")
    parser.add_argument("--cards", help="card file instead of the variant's own cards")
    parser.add_argument("--rules", action="append", default=[], metavar="NAME=VALUE", help="change a rule's number")
    add_draft(parser)
    parser.add_argument("--record", metavar="FILE", help="write the finished game's record here")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play; 0 when the game ended or a person left it, 130 after Ctrl-C. Errors of the user's are ValueErrors."""
    specs = list(split_specs(args.seats))
    if not all(specs):
        raise ValueError(f"--seats {args.seats!r}: a seat is empty; write one agent a seat, e.g. human,greedy")
    if args.record is not None:
        check_writable(args.record)  # or after the game, which would be lost
    rules = with_draft(parse_rules(args.rules), args.draft, args.variant)
    game = gosu_rl.game(args.variant, players=len(specs), cards=args.cards, rules=rules)
    agents = [make_agent(spec) for spec in specs]
    seed = secrets.randbits(31) if args.seed is None else args.seed
    print(game.card_set.banner)
    print(f"seats: {', '.join(f'p{seat} {spec}' for seat, spec in enumerate(specs))}; seed {seed}")
    try:
        record = play(game, agents, seed, watch=_watcher(game, agents))
    except GameLeft as leaving:
        print(f"The game was left: {leaving}." + (" No record was written." if args.record else ""))
        return 0
    except KeyboardInterrupt:
        print("\nThe game was broken off." + (" No record was written." if args.record else ""))
        return INTERRUPTED
    if args.record is not None:
        named = {**record.header, "agents": specs}  # the specs say more than the classes made from them
        Record((named, *record.lines[1:])).write(args.record)
        print(f"record: {args.record}")
    return 0


def _watcher(game: Any, agents: list[Any]) -> Callable[[Any], None]:
    """What is told while the game is played: each person his own view of it; everything if no person plays."""
    people = [(seat, agent) for seat, agent in enumerate(agents) if isinstance(agent, Human)]
    if not people:
        return _Spectator(game).watch

    def watch(state: Any) -> None:
        for seat, person in people:
            if len(people) == 1 or state.over or state.mover == seat:
                # Several people share the terminal: each is told his part when it is his move, and not before.
                person.watch(state.view(seat))
        if state.over:
            print("\n" + render(state))

    return watch


class _Spectator:
    """Shows a game between agents: every event, and the board at the start, after each round and at the end."""

    def __init__(self, game: Any) -> None:
        self.narrator = narrator_of(game)
        self.round = 0

    def watch(self, state: Any) -> None:
        for line in self.narrator.update(state):
            print(textwrap.fill(f"» {line}", WIDTH, subsequent_indent="    ", break_on_hyphens=False))
        if state.over or state.round != self.round:
            print("\n" + render(state) + "\n")
        self.round = state.round
