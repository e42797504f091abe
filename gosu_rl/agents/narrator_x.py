"""Tells what happened between two views of a game of Gosu X, one line an event: what `narrator.py` does for shared piles.

Works on the difference of two `as_dict()`s and on nothing else, so nobody is told of a card that he may not see. Rows of an army
keep no gaps, so a slot is compared with itself: what is gone was destroyed, sacrificed, returned or removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gosu_rl.envs.ansi import tally

Position = Mapping[str, Any]
IRREGULAR = {"pass": "passes", "have": "has", "carry": "carries"}
REASONS = {
    "points": "two Supremacy tokens",
    "fifteen": "fifteen face-up cards",
    "fifth_token": "a fifth Activation token",
    "goan_sul": "a victory by Goan Sul",
    "justice": "a victory by Justice",
    "condition": "a card's condition",
    "truncated": "truncated",
}


class NarratorX:
    """Remembers the last view, and what has been paid for the card that is named."""

    def __init__(self, game: Any) -> None:
        self.before: Position | None = None
        self.paid: list[str] = []

    def update(self, view: Any) -> list[str]:
        """Lines about what changed since the last call; none at the first."""
        after = view.as_dict()
        before, self.before = self.before, after
        if before is None or before["decisions"] == after["decisions"]:
            return []
        change = _Change(before, after)
        lines = [*self._action(change), *_events(change)]
        return [line[0].upper() + line[1:] if line.startswith("you") else line for line in lines]

    def _action(self, change: _Change) -> Iterator[str]:
        """What the decision itself was, where the difference shows it."""
        before, after, mover = change.before, change.after, change.before["mover"]
        kind = before["kind"]
        if kind == "draft":
            for pick in after["draft"][len(before["draft"]) :]:
                yield f"{change.says(mover, 'pick')} {pick}"
        elif kind == "mulligan":
            again = change.grew(mover, "shuffles")
            yield f"{change.says(mover, 'redraw' if again else 'keep')} the hand"
            change.told_hand = True
        elif kind == "turn":
            self.paid = []
        elif kind == "pay":
            paid = change.take_discarded(mover)
            if before["wonder"] == mover and after["wonder"] is None and not paid:
                paid, change.told_wonder = ["the Wonder token"], True
            self.paid += paid
        elif kind == "discard" and (cards := change.take_discarded(mover)):
            yield f"{change.says(mover, 'discard')} {', '.join(tally(cards))}"
        for seat, slot, old, new in change.arrivals():
            named = new in before["set_aside"] or kind in ("turn", "use")
            cost = f" (paid {', '.join(tally(self.paid))})" if self.paid and named else ""
            self.paid = [] if named else self.paid
            verb = "play" if named else "put"
            if old is None:
                yield f"{change.says(seat, verb)} {new} {'at' if named else 'into play at'} {slot}{cost}"
            else:
                yield f"{change.says(seat, 'shift')} {old} to {new} at {slot}{cost}"


class _Change:
    """The difference of two positions, told apart by what both show."""

    def __init__(self, before: Position, after: Position) -> None:
        self.before, self.after = before, after
        self.seats = range(len(before["players"]))
        self.viewer = after["viewer"]
        self.told_hand = self.told_wonder = False
        self.armies = [[_slots(position["players"][q]) for q in self.seats] for position in (before, after)]
        self.piled = [self._gained(q, "discard_pile") for q in self.seats]  # what came to each discard pile
        self.left = [0] * len(self.seats)  # cards that left each hand for a place already told
        for q in self.seats:  # named for a turn: set aside
            aside: Counter[str] = Counter(after["set_aside"]) - Counter(before["set_aside"])
            from_pile = Counter(before["players"][q]["discard_pile"]) - Counter(after["players"][q]["discard_pile"])
            if q == before["mover"]:
                self.left[q] += sum((aside - from_pile).values())
        points = [new["points"] > old["points"] for old, new in self.pairs()]
        sings = after["kind"] == "song" and before["kind"] != "song"
        later = after["round"] > before["round"] and before["kind"] != "song"
        self.battle = any(points) or sings or later or (after["over"] and after["reason"] in ("goan_sul", "points"))

    def pairs(self) -> Iterator[tuple[Position, Position]]:
        """Each player before and after."""
        return zip(self.before["players"], self.after["players"], strict=True)

    def _gained(self, seat: int, pile: str) -> Counter[str]:
        before, after = (Counter(position["players"][seat][pile]) for position in (self.before, self.after))
        return after - before

    def grew(self, seat: int, number: str) -> int:
        """By how much a number of a player grew."""
        return int(self.after["players"][seat][number] - self.before["players"][seat][number])

    def take_discarded(self, seat: int) -> list[str]:
        """The cards that came to a discard pile from the hand, told by the caller."""
        gone = Counter(old for q, _, old, _ in self.slots(seat) if old is not None)
        cards = sorted((self.piled[seat] - gone).elements())
        self.piled[seat] -= Counter(cards)
        self.left[seat] += len(cards)
        return cards

    def slots(self, only: int | None = None) -> Iterator[tuple[int, str, str | None, str | None]]:
        """(seat, slot, face before, face after) of every slot whose card is another one."""
        for seat in self.seats:
            old, new = self.armies[0][seat], self.armies[1][seat]
            for slot in sorted({*old, *new}):
                one, two = old.get(slot, (None, False))[0], new.get(slot, (None, False))[0]
                if one != two and only in (None, seat):
                    yield seat, slot, one, two

    def arrivals(self) -> Iterator[tuple[int, str, str | None, str]]:
        """(seat, slot, the face replaced or None, face) of every card that came into an army."""
        for seat, slot, old, new in self.slots():
            if new is None:
                continue
            if old is not None:
                self.piled[seat] -= Counter([old])
            from_pile = new in (
                Counter(self.before["players"][seat]["discard_pile"])
                - Counter(self.after["players"][seat]["discard_pile"])
            )
            from_deck = self.grew(seat, "deck_size") < 0 and new not in self.before["set_aside"]
            if new not in self.before["set_aside"] and not from_pile and not from_deck:
                self.left[seat] += 1  # straight from the hand
            yield seat, slot, old, new

    def says(self, seat: int, verb: str) -> str:
        """`you play`, `p1 plays`, `p1 passes`."""
        return f"you {verb}" if seat == self.viewer else f"p{seat} {IRREGULAR.get(verb, verb + 's')}"

    def whose(self, seat: int) -> str:
        return "your" if seat == self.viewer else f"p{seat}'s"


def _slots(player: Position) -> dict[str, tuple[str, bool]]:
    """Slot -> (face, captured) of an army."""
    return {f"{r}.{c}": tuple(card) for r, row in enumerate(player["army"], 1) for c, card in enumerate(row, 1)}


def _events(change: _Change) -> Iterator[str]:
    """What else changed on the table and in the hands, in the order in which it mostly happens."""
    yield from _tokens(change)
    yield from _armies(change)
    yield from _marks(change)
    if not change.told_hand:
        yield from _hands(change)
    for seat in change.seats:
        old, new = change.before["players"][seat], change.after["players"][seat]
        only_pass = change.battle and change.before["kind"] == "turn" and seat == change.before["mover"]
        nothing = old["army"] == new["army"] and old["tokens"]["ready"] <= new["tokens"]["ready"]
        if (new["passed"] and not old["passed"]) or (only_pass and nothing and not old["passed"]):
            yield f"{change.says(seat, 'pass')}"
    yield from _battle(change)


def _tokens(change: _Change) -> Iterator[str]:
    for seat, (old, new) in enumerate(change.pairs()):
        before, after = old["tokens"], new["tokens"]
        unlocked = before["locked"] - after["locked"]
        if unlocked > 0:
            yield f"{change.says(seat, 'unlock')} {'an Activation token' if unlocked == 1 else f'{unlocked} Activation tokens'}"
        if change.battle or change.before["kind"] == "song":
            continue  # they all come back for the new round
        gone = before["ready"] + max(0, unlocked) - after["ready"]
        put = [slot for slot in after["on"] if after["on"][slot] > before["on"].get(slot, 0)]
        if gone == 1 and len(put) == 1:
            face = _slots(new).get(put[0], ("a card", False))[0]
            yield f"{change.says(seat, 'activate')} {face} at {put[0]}"
        elif gone > 0:
            yield f"{change.says(seat, 'spend')} {'a token' if gone == 1 else f'{gone} tokens'}"
        elif gone < 0:
            yield f"{change.says(seat, 'have')} {'a token' if gone == -1 else f'{-gone} tokens'} ready again"


def _armies(change: _Change) -> Iterator[str]:
    """Cards that left an army, and cards captured and released."""
    removed: Counter[str] = Counter(change.after["removed"]) - Counter(change.before["removed"])
    for seat, slot, old, new in change.slots():
        if new is not None or old is None:
            continue
        what = f"{change.whose(seat)} {old} at {slot}"
        if change.piled[seat][old] > 0:
            change.piled[seat] -= Counter([old])
            gone = change.before["kind"] == "song" or change.battle
            yield f"{change.says(seat, 'sacrifice')} {old}" if gone else f"{what} leaves for the discard pile"
        elif removed[old] > 0:
            removed[old] -= 1
            yield f"{what} is removed from the game"
        else:
            change.left[seat] -= 1
            yield f"{what} goes back to the hand"
    for seat in change.seats:
        before, after = change.armies[0][seat], change.armies[1][seat]
        for slot, (face, captured) in after.items():
            if slot in before and before[slot][0] == face and before[slot][1] != captured:
                yield f"{change.whose(seat)} {face} is {'captured' if captured else 'released'}"
    for face in sorted(removed.elements()):
        yield f"{face} is removed from the game"


def _marks(change: _Change) -> Iterator[str]:
    """The Wonder, Bounty and Ethereal tokens, and tiles."""
    before, after = change.before, change.after
    if before["wonder"] != after["wonder"] and not change.told_wonder:
        if after["wonder"] is not None:
            yield f"{change.says(after['wonder'], 'take')} the Wonder token"
        else:
            yield "the Wonder token is back beside the board"
    if before["bounty"] != after["bounty"] and after["bounty"] is not None:
        seat, slot = int(after["bounty"][1]), after["bounty"].split()[1]
        yield f"the Bounty token lies on {change.whose(seat)} {_slots(after['players'][seat])[slot][0]}"
    for seat, (old, new) in enumerate(change.pairs()):
        for slot in new["ethereal"]:
            if slot not in old["ethereal"] and slot in _slots(new):
                yield f"{change.whose(seat)} {_slots(new)[slot][0]} is Ethereal now"
    if before["tiles"]:
        for clan in after["tiles"]:
            if clan not in before["tiles"]:
                yield f"the tile of {clan} is active now"


def _hands(change: _Change) -> Iterator[str]:
    """Discards, reshuffles, draws and cards taken before everybody's eyes."""
    for seat, (old, new) in enumerate(change.pairs()):
        if not old["deck"] and not old["shuffles"]:
            continue  # the decks have just been made
        cards = sorted(change.piled[seat].elements())
        if cards and change.grew(seat, "hand_size") + change.left[seat] + len(cards) <= 0 <= change.grew(
            seat, "deck_size"
        ):
            change.left[seat] += len(cards)
            yield f"{change.says(seat, 'discard')} {', '.join(tally(cards))}"
        elif cards:
            yield f"to {change.whose(seat)} discard pile: {', '.join(tally(cards))}"
        if new["shuffles"] > old["shuffles"]:
            yield f"{change.says(seat, 'shuffle')} {'your' if seat == change.viewer else 'the'} deck"
        came: Counter[str] = Counter(new["hand"]) - Counter(old["hand"])
        public: Counter[str] = Counter(new["known"]) - Counter(old["known"])
        shown = sorted(public.elements())
        count = change.grew(seat, "hand_size") + change.left[seat]
        if came:
            yield f"{change.says(seat, 'draw')} {', '.join(tally(sorted(came.elements())))}"
        elif count > 0:
            if shown and len(shown) <= count:
                yield f"{change.says(seat, 'take')} {', '.join(tally(shown))}"
                count -= len(shown)
            if count:
                yield f"{change.says(seat, 'draw')} {count} card{'s' * (count != 1)}"


def _battle(change: _Change) -> Iterator[str]:
    """The Great Battle, the new round and the end."""
    before, after = change.before, change.after
    won = [seat for seat, (old, new) in enumerate(change.pairs()) if new["points"] > old["points"]]
    for seat in won:
        points = after["players"][seat]["points"]
        yield f"{change.says(seat, 'win')} the Great Battle of round {before['round']} (Supremacy tokens: {points})"
    if change.battle and not won and after["reason"] not in REASONS:
        yield f"the Great Battle of round {before['round']} is nobody's"
    if after["round"] > before["round"]:
        yield f"round {after['round']} begins"
    if after["over"] and not before["over"]:
        reason = REASONS.get(after["reason"], after["reason"])
        winners = [seat for seat, share in enumerate(after["shares"]) if share > 0]
        who = " and ".join(change.says(seat, "win") for seat in winners)
        yield f"the game is over: {who} ({reason})" if winners else f"the game is over without a winner: {reason}"
