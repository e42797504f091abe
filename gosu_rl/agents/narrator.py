"""Tells what happened between two views of the same player, one line an event.

Works on the difference of two `as_dict()`s and on nothing else: whoever may not see a card is not told of it. Best
called after every decision; called more rarely it still names every change, but no longer who chose it. Two full states
may be compared as well (watching a game). Gosu X has a narrator of its own (narrator_x.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gosu_rl.agents.epic_narrator import EpicNarrator
from gosu_rl.agents.narrator_x import NarratorX
from gosu_rl.envs.ansi import strengths, tally

Position = Mapping[str, Any]
ROUND_QUESTIONS = ("mulligan", "refresh")
IRREGULAR = {"pass": "passes", "have": "has"}
REASONS = {
    "points": "three Victory Points",
    "fifteen": "an army of fifteen",
    "nine": "nine goblins of one clan",
    "condition": "an Ôzeki's condition",
    "truncated": "truncated",
}


NARRATORS: dict[str, Any] = {"gosu_x": NarratorX, "epic_death": EpicNarrator}  # other variants: Narrator


def narrator_of(game: Any) -> Narrator | NarratorX | EpicNarrator:
    """The narrator that knows a game's words: `update(view)` gives lines about what changed since the last call."""
    narrator: Narrator | NarratorX | EpicNarrator = NARRATORS.get(game.variant, Narrator)(game)
    return narrator


class Narrator:
    """Remembers the last view, and what of a turn has been named and paid but not yet carried out."""

    def __init__(self, game: Any) -> None:
        self.cards = {card.label: card for card in game.card_set.cards}
        self.before: Position | None = None
        self.paid: list[str] = []
        self.from_discard_pile = False

    def update(self, view: Any) -> list[str]:
        """Lines about what changed since the last call; none at the first."""
        after = view.as_dict()
        before, self.before = self.before, after
        if before is None or before["decisions"] == after["decisions"]:
            return []
        lines = self._lines(before, after)
        return [line[0].upper() + line[1:] if line.startswith("you") else line for line in lines]

    def _lines(self, before: Position, after: Position) -> list[str]:
        change = _Change(before, after)
        lines = self._arrivals(change) + _army_changes(change)
        kind, mover = before["kind"], before["mover"]
        if kind in ROUND_QUESTIONS:
            lines += _hand_question(change)
        elif kind == "opening":
            lines += _opening(change)
        elif spent := _tokens(change):
            lines = spent + lines
        elif kind == "turn" and not change.named and not lines:
            lines.append(f"{change.says(mover, 'pass')}")
        elif kind == "pay":
            self._pay(change)
        lines += _revealed(change) + _takes(change) + _discards(change)
        if change.shuffled:
            lines.append("the discard pile is shuffled into the draw pile")
        new_round = _battle(change, self.cards) or _points(change)
        draws = _draws(change) + _advantage(change)
        lines += new_round + draws if change.round_over else draws + new_round
        if change.named:
            self.paid, self.from_discard_pile = [], change.named in change.undiscarded
        return lines + _ending(change)

    def _arrivals(self, change: _Change) -> list[str]:
        """Recruits and mutations, each with what was paid for it in the decisions before."""
        lines = []
        for seat in range(change.players):
            for face, slot, replaced in change.arrivals(seat):
                if change.before["kind"] == "pay" and seat == change.before["mover"]:
                    self._pay(change)
                zombie = self.from_discard_pile or face in change.undiscarded
                cost = f" (paid {', '.join(tally(self.paid))})" if self.paid else ""
                where = f"{face}{' from the discard pile' if zombie else ''} at {slot}"
                if replaced is None:
                    lines.append(f"{change.says(seat, 'recruit')} {where}{cost}")
                else:
                    lines.append(f"{change.says(seat, 'mutate')} {replaced} into {where}{cost}")
                self.paid, self.from_discard_pile = [], False
        return lines

    def _pay(self, change: _Change) -> None:
        # Paid and at once shuffled into the draw pile: the difference of the piles cannot say which card it was.
        self.paid += ["a card"] if change.shuffled else change.take_discarded()


class _Change:
    """The difference of two positions, told apart by what is public in both."""

    def __init__(self, before: Position, after: Position) -> None:
        self.before, self.after = before, after
        self.players = len(before["players"])
        self.viewer = after["viewer"]
        self.shuffled = after["shuffles"] > before["shuffles"]
        scored = [new["points"] > old["points"] for old, new in zip(before["players"], after["players"], strict=True)]
        # A point without a new round is a battle's only if nobody is left to play; else a power gave it (G13).
        out = all(player["passed"] or player["turns_left"] == 0 for player in after["players"])
        self.round_over = after["round"] > before["round"] or (any(scored) and out)
        gained, lost = _difference(before["discard_pile"], after["discard_pile"])
        # Through a reshuffle the pile's difference says nothing about single cards.
        self.discarded = Counter() if self.shuffled else gained
        self.undiscarded = Counter() if self.shuffled else lost
        self.aside, self.unaside = _difference(before["set_aside"], after["set_aside"])
        self.named = next(iter(self.aside), None) if before["kind"] == "turn" else None
        self.out = [0] * self.players  # cards that left each hand for a place already told

    def army(self, seat: int, row: int) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
        """One row of an army before and after."""
        return self.before["players"][seat]["army"][row], self.after["players"][seat]["army"][row]

    def arrivals(self, seat: int) -> list[tuple[str, str, str | None]]:
        """New faces in an army: (face, slot, the face that it replaced or None)."""
        found = []
        for row in range(3):
            old, new = self.army(seat, row)
            gained, lost = _difference(_faces(old), _faces(new))
            for column, (face, _) in enumerate(new):
                if not gained[face] or (column < len(old) and old[column][0] == face):
                    continue
                gained[face] -= 1
                replaced = old[column][0] if column < len(old) and lost[old[column][0]] else None
                found.append((face, f"{row + 1}.{column + 1}", replaced))
                if replaced is not None:
                    self.discarded -= Counter([replaced])
                if not self.undiscarded[face] and not self.unaside[face]:
                    self.out[seat] += 1  # straight from the hand, without having been set aside
        return found

    def take_discarded(self) -> list[str]:
        """The cards that came to the discard pile from the mover's hand, told by the caller."""
        cards = sorted(self.discarded.elements())
        self.discarded = Counter()
        self.out[self.before["mover"]] += len(cards)
        return cards

    def size(self, seat: int) -> int:
        """By how much a hand grew."""
        return self.after["players"][seat]["hand_size"] - self.before["players"][seat]["hand_size"]

    def name(self, seat: int) -> str:
        return "you" if seat == self.viewer else f"p{seat}"

    def whose(self, seat: int) -> str:
        return "your" if seat == self.viewer else f"p{seat}'s"

    def does(self, verb: str, what: str, passive: str) -> str:
        """`p1 destroys your Ember Whelp`; `your Ember Whelp is destroyed` when several decisions lie in between."""
        if self.after["decisions"] == self.before["decisions"] + 1:
            return f"{self.says(self.before['mover'], verb)} {what}"
        return f"{what} {passive}"

    def says(self, seat: int, verb: str) -> str:
        """`you recruit`, `p1 recruits`, `p1 passes`."""
        if seat == self.viewer:
            return f"you {verb}"
        return f"p{seat} {IRREGULAR.get(verb, verb + 's')}"


def _faces(row: Sequence[tuple[str, bool]]) -> list[str]:
    return [face for face, _ in row]


def _difference(before: Iterable[str], after: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """What was gained and what was lost."""
    old, new = Counter(before), Counter(after)
    return new - old, old - new


def _army_changes(change: _Change) -> list[str]:
    """Destroyed, trapped, released and swapped cards."""
    lines = []
    for seat in range(change.players):
        for row in range(3):
            old, new = change.army(seat, row)
            gained, lost = _difference(_faces(old), _faces(new))
            if sum(lost.values()) > sum(gained.values()):
                for face in sorted(lost.elements()):
                    lines.append(change.does("destroy", f"{change.whose(seat)} {face}", "is destroyed"))
                    change.discarded -= Counter([face])
                continue
            moved = [face for (face, _), (other, _) in zip(old, new, strict=False) if face != other]
            if not gained and not lost and len(moved) == 2:
                lines.append(
                    change.does("swap", f"{' and '.join(moved)} in {change.whose(seat)} army", "swapped places")
                )
                continue
            for (face, was), (same, now) in zip(old, new, strict=False):
                if face == same and was != now and not change.round_over:
                    verb, passive = ("trap", "is trapped") if now else ("release", "is released")
                    lines.append(change.does(verb, f"{change.whose(seat)} {face}", passive))
    return lines


def _tokens(change: _Change) -> list[str]:
    """What became of activation tokens, in the game that has them."""
    lines = []
    for seat, new in enumerate(change.after["players"]):
        if "tokens" not in new or change.round_over:
            continue
        before, after = change.before["players"][seat]["tokens"], new["tokens"]
        gone = before["ready"] - after["ready"]
        put = [slot for slot in after["on"] if slot not in before["on"]]
        if gone == 1 and len(put) == 1:
            row, column = (int(text) - 1 for text in put[0].split("."))
            face = new["army"][row][column][0] if column < len(new["army"][row]) else "a goblin"
            lines.append(f"{change.says(seat, 'activate')} {face} at {put[0]}")
        elif gone > 0:
            lines.append(f"{change.says(seat, 'spend')} {'a token' if gone == 1 else f'{gone} tokens'}")
        elif gone < 0:
            lines.append(f"{change.says(seat, 'have')} {'a token' if gone == -1 else f'{-gone} tokens'} ready again")
    return lines


def _points(change: _Change) -> list[str]:
    """Victory Points that a power gave."""
    pairs = zip(change.before["players"], change.after["players"], strict=True)
    return [
        f"{change.says(seat, 'gain')} a Victory Point (now {new['points']})"
        for seat, (old, new) in enumerate(pairs)
        if new["points"] > old["points"]
    ]


def _hand_question(change: _Change) -> list[str]:
    mover = change.before["mover"]
    shown = change.take_discarded()
    if not shown:
        return [f"{change.says(mover, 'keep')} the hand"]
    return [f"{change.says(mover, 'redraw')}, showing {', '.join(tally(shown))}"]


def _opening(change: _Change) -> list[str]:
    """Nobody's picks are told before all are open (T3)."""
    mover = change.before["mover"]
    lines = []
    if change.after["mover"] != mover or change.after["kind"] != "opening":
        lines.append(f"{change.says(mover, 'pick')} three cards to discard")
    if change.after["kind"] != "opening":
        lines.append(f"the opening discards are {', '.join(tally(sorted(change.discarded.elements())))}")
        change.discarded = Counter()
        change.out = [-change.size(seat) for seat in range(change.players)]
    return lines


def _revealed(change: _Change) -> list[str]:
    if change.before["kind"] == "turn" or not change.aside:
        return []
    return [f"revealed: {', '.join(tally(sorted(change.aside.elements())))}"]


def _takes(change: _Change) -> list[str]:
    """Cards taken before everybody's eyes: Vision, Return."""
    lines = []
    source = change.undiscarded + change.unaside
    for seat in range(change.players):
        gained, _ = _difference(change.before["players"][seat]["known"], change.after["players"][seat]["known"])
        taken = sorted((gained & source).elements())
        if taken:
            lines.append(f"{change.says(seat, 'take')} {', '.join(tally(taken))}")
            change.out[seat] -= len(taken)
    return lines


def _discards(change: _Change) -> list[str]:
    """What is left of the cards that came to the discard pile: forced discards, and Vision's rest."""
    cards = sorted(change.discarded.elements())
    lines = []
    rest = sorted((change.discarded & change.unaside).elements())
    if rest:
        lines.append(f"to the discard pile: {', '.join(tally(rest))}")
        cards = sorted((change.discarded - Counter(rest)).elements())
    shrunk = [seat for seat in range(change.players) if change.size(seat) + change.out[seat] < 0]
    if cards and len(shrunk) == 1 and not change.round_over:
        change.out[shrunk[0]] += len(cards)
        lines.append(f"{change.says(shrunk[0], 'discard')} {', '.join(tally(cards))}")
    elif cards:
        lines.append(f"to the discard pile: {', '.join(tally(cards))}")
    return lines


def _draws(change: _Change) -> list[str]:
    lines = []
    if change.named and not change.undiscarded[change.named]:
        change.out[change.before["mover"]] += 1  # set aside, and told on arrival
    for seat in range(change.players):
        count = change.size(seat) + change.out[seat]
        if count <= 0:
            continue
        gained, _ = _difference(change.before["players"][seat]["hand"], change.after["players"][seat]["hand"])
        gained -= change.undiscarded + change.unaside
        drawn = sorted(gained.elements())
        what = ", ".join(tally(drawn)) if len(drawn) == count else f"{count} card{'s' * (count != 1)}"
        lines.append(f"{change.says(seat, 'draw')} {what}")
    return lines


def _advantage(change: _Change) -> list[str]:
    lines = []
    word = "token" if "tokens" in change.after["players"][0] else "card"
    if change.after["advantage"] != change.before["advantage"]:
        lines.append(f"{change.says(change.after['advantage'], 'take')} the Advantage {word}")
    seat = change.before["active"]
    others = [player for q, player in enumerate(change.before["players"]) if q != seat]
    others_in = any(not player["passed"] and player["turns_left"] != 0 for player in others)
    turns = [p["players"][seat]["turns_taken"] for p in (change.before, change.after)]
    if others_in and turns[1] > turns[0] and change.after["active"] == seat and not change.after["over"]:
        lines.append(f"{change.says(seat, 'have')} an extra turn")
    return lines


def _battle(change: _Change, cards: Mapping[str, Any]) -> list[str]:
    """The Great Battle, with the armies' strength when no army changed in the decision that led to it."""
    if not change.round_over:
        return []
    before, after = change.before["players"], change.after["players"]
    same = all(
        _faces(b["army"][row]) == _faces(a["army"][row]) for b, a in zip(before, after, strict=True) for row in range(3)
    )
    totals = ""
    if same and change.before["kind"] == "turn":
        named = [f"{change.name(seat)} {total}" for seat, total in enumerate(strengths(before, cards))]
        totals = f" ({', '.join(named)})"
    scorers = [seat for seat in range(change.players) if after[seat]["points"] > before[seat]["points"]]
    scored = " and ".join(f"{change.says(seat, 'score')} (now {after[seat]['points']})" for seat in scorers)
    return [f"Great Battle of round {change.before['round']}{totals}: {scored or 'nobody scores'}"]


def _ending(change: _Change) -> list[str]:
    if not change.after["over"] or change.before["over"]:
        return []
    reason = REASONS.get(change.after["reason"], change.after["reason"])
    winners = [seat for seat, share in enumerate(change.after["shares"]) if share > 0]
    if not winners:
        return [f"The game is over without a winner: {reason}"]
    return [f"The game is over: {' and '.join(change.says(seat, 'win') for seat in winners)} ({reason})"]
