"""Tells what happened between two views of a game of Epic Death, one line an event, from the difference of two `as_dict()`s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gosu_rl.envs.epic_board import tally

Position = Mapping[str, Any]
PHASE_QUESTIONS = ("window", "answer", "after_toss")


class EpicNarrator:
    """Remembers the last view."""

    def __init__(self, game: Any) -> None:
        self.before: Position | None = None

    def update(self, view: Any) -> list[str]:
        """Lines about what changed since the last call; none at the first."""
        after = view.as_dict()
        before, self.before = self.before, after
        if before is None or before["decisions"] == after["decisions"]:
            return []
        lines = _Change(before, after).lines()
        return [line[0].upper() + line[1:] if line.startswith("you") else line for line in lines]


class _Change:
    """The difference of two positions of one viewer."""

    def __init__(self, before: Position, after: Position) -> None:
        self.before, self.after = before, after
        self.viewer = after["viewer"]
        self.pairs = list(zip(before["players"], after["players"], strict=True))

    def name(self, seat: int) -> str:
        return "you" if seat == self.viewer else f"p{seat}"

    def says(self, seat: int, verb: str) -> str:
        """`you move`, `p1 moves`, `p1 passes`."""
        if seat == self.viewer:
            return f"you {verb}"
        irregular = {"pass": "passes", "have": "has", "discard": "discards", "toss": "tosses", "be": "is"}
        return f"p{seat} {irregular.get(verb, verb + 's')}"

    def lines(self) -> list[str]:
        out = self._cards_played() + self._moves() + self._coins() + self._lands() + self._bends()
        for seat in range(len(self.pairs)):
            out += self._army(seat) + self._hand(seat)
        if not out and self.before["kind"] in PHASE_QUESTIONS:
            out.append(self.says(self.before["mover"], "pass"))
        if self.after["shuffles"] > self.before["shuffles"]:
            out.append("the discard pile is shuffled into the Goblin deck")
        return out + self._turn()

    def _cards_played(self) -> list[str]:
        announced: Counter[str] = Counter(self.after["set_aside"]) - Counter(self.before["set_aside"])
        lines = [f"{self.says(self.before['mover'], 'play')} {card}" for card in announced.elements()]
        done: Counter[str] = Counter(self.before["set_aside"]) - Counter(self.after["set_aside"])
        went: Counter[str] = Counter(self.after["discard_pile"]) - Counter(self.before["discard_pile"])
        straight = [  # announced and carried out in one step, since nobody could answer it
            card
            for card in went.elements()
            if self.before["kind"] in ("muster", "march", "regroup", "window", "after_toss", "answer")
            and card not in announced
            and card not in done
            and self._left_hand(self.before["mover"])
            and not self._lost(card)
        ]
        return lines + [f"{self.says(self.before['mover'], 'play')} {card}" for card in straight[:1]]

    def _left_hand(self, seat: int) -> bool:
        before, after = self.pairs[seat]
        return after["hand_size"] < before["hand_size"]

    def _lost(self, card: str) -> bool:
        """Whether the card was a Hero or Machine in play before."""
        return any(
            card in before["heroes"] or card in [name for name, _ in before["machines"]] for before, _ in self.pairs
        )

    def _moves(self) -> list[str]:
        lines = []
        for seat, (before, after) in enumerate(self.pairs):
            if after["space"] != before["space"]:
                lines.append(
                    f"{self.says(seat, 'go')} from {before['space']} to {after['space']}".replace("gos", "goes")
                )
            for other in after["fought"]:
                if other not in before["fought"] and other > seat:
                    lines.append(f"a Fray of {self.name(seat)} and {self.name(other)}")
        return lines

    def _coins(self) -> list[str]:
        coins = self.after["coins"]
        if not coins or self.after["decisions"] != self.before["decisions"] + 1:
            return []
        dead = coins.count(False)
        return [f"{len(coins)} tossed: {len(coins) - dead} alive, {dead} dead"]

    def _lands(self) -> list[str]:
        lines = []
        for space, land in self.after["field"].items():
            if land["face_up"] and not self.before["field"][space]["face_up"]:
                lines.append(f"{land['land']} is turned up at {space}")
        for seat, (before, after) in enumerate(self.pairs):
            won = Counter(after["conquest"]) - Counter(before["conquest"])
            lost = Counter(before["conquest"]) - Counter(after["conquest"])
            if won:
                lines.append(f"{self.says(seat, 'win')} {', '.join(tally(won.elements()))}")
            if lost:
                lines.append(f"{self.says(seat, 'lose')} {', '.join(tally(lost.elements()))} from the conquest pile")
        return lines

    def _bends(self) -> list[str]:
        """Cards discarded at random, Lands that changed places, and what has been laid on players and fights."""
        lines = []
        if self.after["dropped"] and self.after["decisions"] == self.before["decisions"] + 1:
            lines.append(f"discarded at random: {', '.join(self.after['dropped'])}")
        if self.before["kind"] == "swap_with" or (
            self.before["kind"] == "swap_land" and self.after["kind"] != "swap_with"
        ):
            lines.append("two face-down Lands change places")
        for seat, (before, after) in enumerate(self.pairs):
            if after["guarded"] and not before["guarded"]:
                lines.append(f"{self.says(seat, 'be')} guarded against Actions".replace("you be", "you are"))
            if after["no_combat"] and not before["no_combat"]:
                lines.append(f"the next Phase C of {self.name(seat)} is skipped")
        old, new = self.before["combat"] or {}, self.after["combat"] or {}
        off = Counter(new.get("off", ())) - Counter(old.get("off", ()))
        lines += [f"{name} does not count in this combat" for name in off.elements()]
        for seat, extra in new.get("extra_tosses", {}).items():
            if extra > old.get("extra_tosses", {}).get(seat, 0):
                lines.append(f"{self.says(seat, 'toss')} {extra} more in this fight")
        return lines

    def _army(self, seat: int) -> list[str]:
        before, after = self.pairs[seat]
        old = Counter([*before["heroes"], *(name for name, _ in before["machines"])])
        new = Counter([*after["heroes"], *(name for name, _ in after["machines"])])
        lines = [f"{self.says(seat, 'muster')} {card}" for card in (new - old).elements()]
        lines += [f"{self.says(seat, 'lose')} {card}" for card in (old - new).elements()]
        change = after["tokens"] - before["tokens"]
        if change:
            lines.append(f"{self.name(seat)}: {change:+d} Goblin{'s' * (abs(change) != 1)}, now {after['tokens']}")
        return lines

    def _hand(self, seat: int) -> list[str]:
        before, after = self.pairs[seat]
        change = after["hand_size"] - before["hand_size"]
        if change > 0:
            got = Counter(after["hand"]) - Counter(before["hand"])
            what = f": {', '.join(tally(got.elements()))}" if got else ""
            return [f"{self.says(seat, 'get')} {change} card{'s' * (change != 1)}{what}"]
        if change < 0 and self.before["kind"] == "discard" and self.before["mover"] == seat:
            went: Counter[str] = Counter(self.after["discard_pile"]) - Counter(self.before["discard_pile"])
            return [f"{self.says(seat, 'discard')} {', '.join(tally(went.elements()))}"] if went else []
        return []

    def _turn(self) -> list[str]:
        lines = []
        if self.after["over"]:
            winners = [self.name(seat) for seat, share in enumerate(self.after["shares"] or []) if share > 0]
            lines.append(f"the game is over: {' and '.join(winners) or 'nobody'} won")
        elif self.after["active"] != self.before["active"]:
            lines.append(f"turn of {self.name(self.after['active'])} (round {self.after['round']})")
        return lines
