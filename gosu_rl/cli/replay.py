"""`gosu-rl replay FILE`: play recorded games again and stop at the first difference; or show them, whole or to a seat.

Without options every game of the file is checked and gets one line. --show prints each position and choice as well.
--seat P prints what seat P may know: with --show the positions through his eyes, without it the record's lines for him.
"""

from __future__ import annotations

import argparse
from typing import Any

from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import game_of, replay

EXAMPLES = """examples:
  gosu-rl replay games.jsonl                          check all games
  gosu-rl replay games.jsonl --game 3 --show | less   read the third one, everything open
  gosu-rl replay games.jsonl --game 3 --show --seat 1 the same through the eyes of seat 1
  gosu-rl replay game.jsonl --seat 1 > seat1.jsonl    the record that may be given to seat 1

gosu-rl play tactics --seats greedy,random --record game.jsonl makes a record; docs/records.md explains the format."""


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="check a record against the rules, or show it",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="a record file (JSON Lines, any number of games)")
    parser.add_argument("--game", type=int, metavar="N", help="only the N-th game of the file, counted from 1")
    parser.add_argument("--show", action="store_true", help="print every position and choice")
    parser.add_argument("--seat", type=int, metavar="P", help="only what seat P (from 0) may know")
    parser.add_argument("--cards", metavar="FILE", help="the card file the games were played with")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    records = Record.read_all(arguments.file)
    chosen = range(1, len(records) + 1)
    if arguments.game is not None:
        if arguments.game not in chosen:
            raise RecordError(f"{arguments.file}: has no game {arguments.game}; it holds games 1 to {len(records)}")
        chosen = range(arguments.game, arguments.game + 1)
    games: dict[str, Any] = {}  # one Game for all records that agree in variant, players, rules and cards
    for number in chosen:
        record = records[number - 1]
        header = record.header
        key = repr((header["variant"], header["players"], header["cards"]["hash"], header["rules"]))
        if key not in games:
            games[key] = game_of(record, arguments.cards)
        _replay_one(number, record, games[key], arguments)
    return 0


def _replay_one(number: int, record: Record, game: Any, arguments: argparse.Namespace) -> None:
    seat = arguments.seat
    known = record if seat is None else record.for_seat(seat)
    replay(record, game, watch=_printer(known, seat) if arguments.show else None)
    if seat is not None and not arguments.show:
        print(known.text, end="")
        return
    result = record.result
    if result["truncated"]:
        outcome = "truncated, nobody wins"
    else:
        winners = [str(player) for player, share in enumerate(result["shares"]) if share > 0]
        outcome = f"seat {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'} ({result['reason']})"
    print(
        f"game {number}: agrees; {result['decisions']} decisions, {result['rounds']} rounds, {outcome}; {record.hash}"
    )


def _printer(known: Record, seat: int | None) -> Any:
    """A watcher that prints every position, seen by `seat` if one is given, and the line `known` has of the choice."""
    choices = {line["n"]: line["chosen"] for line in known.decisions}

    def show(state: Any, line: Any) -> None:
        print(state if seat is None else state.view(seat))
        if line["line"] == "decision":
            chosen = choices[line["n"]]
            print(f"--> {line['n']}: p{line['player']} {line['kind']}: {'(hidden)' if chosen is None else chosen}\n")

    return show
