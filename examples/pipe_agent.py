"""An agent as a program of its own: it reads JSON lines from standard input and answers on standard output.

    gosu-rl tournament tactics --agents 'random; pipe:python examples/pipe_agent.py' --deals 20

Needs nothing but Python, and could be written in any language. It plays the first card it can, and passes when it has
three goblins more than anybody else.
"""

import json
import sys


def choose(message: dict, seat: int) -> str:
    """One of the labels in `legal`."""
    legal, players = message["legal"], message["view"]["players"]
    goblins = [sum(len(row) for row in player["army"]) for player in players]
    ahead = goblins[seat] - max(count for other, count in enumerate(goblins) if other != seat)
    if message["kind"] == "turn" and "pass" in legal and ahead >= 3:
        return "pass"
    return next((label for label in legal if label.startswith(("play ", "recruit", "accept"))), legal[-1])


def main() -> None:
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            seat = message["seat"]
        elif message["type"] == "decision":
            print(json.dumps(choose(message, seat)), flush=True)
        else:
            return


if __name__ == "__main__":
    main()
