"""What holds of every position, checked from its record in plain Python: `check` for full states, `check_view` for views.

Nothing here calls the compiled core; a broken law raises AssertionError with words that name it.
"""

from __future__ import annotations

from typing import Any

from gosu_rl.core.game import GameState
from gosu_rl.core.gosu.state import CARDS, COLUMNS, DEPTH, FRAMES, KINDS, REASONS, ROWS, SEATS, SLOTS, WORDS

# Field -> smallest and largest value, over all its entries. `n` players and `copies` cards are filled in below.
SMALL_FIELDS = {
    "over": (0, 2), "win": (0, 1), "reason": (0, len(REASONS) - 1), "army": (-1, "copies-1"), "trapped": (0, 2**SLOTS - 1),
    "rows": (0, COLUMNS), "deck": (-1, "copies-1"), "ndeck": (0, "copies"), "hand_size": (0, "copies"), "picked": (0, 60),
    "epoch": (0, "copies"), "era": (0, "copies"), "hidden": (-1, "copies"), "shuffles": (0, 32_000), "rnd": (1, 200),
    "first": (0, "n-1"), "active": (0, "n-1"), "adv": (0, "n-1"), "extra": (0, 32_000), "in_turn": (0, 1), "regular": (0, 1),
    "points": (0, 50), "turns_left": (-1, 100), "passed": (0, 1), "taken": (0, 10_001), "turns": (0, 32_000),
    "capped": (0, 32_000), "battles": (0, 200), "battle_top": (0, 2**SEATS - 1), "battle_scored": (0, 2**SEATS - 1),
    "sp": (0, DEPTH), "mover": (-1, "n-1"), "kind": (0, len(KINDS) - 1), "viewer": (-1, "n-1"), "stack": (-1, 32_000),
    "decisions": (0, 1_000_000), "n": (2, SEATS), "marked": (0, 2**SLOTS - 1), "tokens": (0, 10),
    "spent": (0, 10), "bent": (0, 1023),
}  # fmt: skip


def members(words: Any) -> set[int]:
    """The copies of a set of two words."""
    value = int(words[0]) | int(words[1]) << 64
    found = set()
    while value:
        found.add((value & -value).bit_length() - 1)
        value &= value - 1
    return found


class Facts:
    """A record read into plain Python once."""

    def __init__(self, state: GameState):
        self.state = state
        self.game = state.game
        self.n = state.game.players
        self.copies = state.game.card_set.copies
        s = state.record[0]
        self.number = {key: s[key].tolist() for key in SMALL_FIELDS}
        self.rng = int(s["rng"])
        self.hand, self.known, self.secret = (
            [members(s[key][q]) for q in range(SEATS)] for key in ("hand", "known", "secret")
        )
        self.discard, self.aside, self.revealed = (members(s[key][0]) for key in ("discard", "aside", "revealed"))
        self.legal = [64 * w + k for w in range(WORDS) for k in sorted(members((s["legal"][w], 0)))]
        self.deck = [c for c in self.number["deck"] if c >= 0]
        self.pile = self.number["deck"][: self.number["ndeck"]]
        self.frames = [self.number["stack"][k] for k in range(self.number["sp"])]

    def __getitem__(self, key: str) -> Any:
        return self.number[key]

    def army(self, q: int) -> list[int]:
        return [c for c in self["army"][q] if c >= 0]

    def face(self, c: int) -> int:
        faces = len(self.game.card_set.cards)
        return c if c < faces else c - faces


def need(truth: object, law: str) -> None:
    """One law."""
    if not truth:
        raise AssertionError(law)


def check(state: GameState) -> None:
    """All laws of a full state."""
    f = Facts(state)
    need(f["viewer"] == -1, "a full state is nobody's view")
    _ranges(f)
    _public(f)
    for q in range(f.n):
        need(f["hand_size"][q] == len(f.hand[q]), f"p{q}: hand_size counts the hand")
        need(f["picked"][q] == len(f.secret[q]), f"p{q}: picked counts the secret picks")
    everywhere = [c for q in range(f.n) for c in [*f.hand[q], *f.army(q)]]
    everywhere += [*f.discard, *f.aside, *f.revealed, *f.pile]
    need(sorted(everywhere) == list(range(f.copies)), "each copy lies in exactly one place")
    need(len(set(f.deck)) == len(f.deck), "no copy twice in the order of the pile")
    need(f["deck"] == f.deck + [-1] * (CARDS - len(f.deck)), "the order of the pile is closed up, -1 behind it")
    need(
        all(f["epoch"][c] == f["era"] for c in f.deck), "the pile, and what was drawn from it, is of the present epoch"
    )
    need(set(f["hidden"]) == {-1}, "a full state has no list of hidden epochs")
    if f["over"]:
        need(not f.legal, "nothing is legal when the game is over")
    else:
        _decision(f)


def check_view(view: GameState) -> None:
    """All laws of a view."""
    f = Facts(view)
    p = f["viewer"]
    need(p >= 0, "a view has a viewer")
    _ranges(f)
    _public(f)
    need(f.rng == 0, "the generator is blank")
    need(set(f["deck"]) == {-1}, "the order of the pile is blank")
    others = [q for q in range(f.n) if q != p]
    for q in others:
        need(f.hand[q] == f.known[q], f"p{q}: of another hand only known cards are seen")
        need(not f.secret[q], f"p{q}: another's secret picks are blank")
    need(f["hand_size"][p] == len(f.hand[p]), "the own hand is counted")
    need(f["picked"][p] == len(f.secret[p]), "the own picks are counted")
    unknown = {q: f["hand_size"][q] - len(f.known[q]) for q in others}
    total = sum(unknown.values())
    need(all(k >= 0 for k in f["hidden"][:total]), "an epoch for every unknown card")
    need(set(f["hidden"][total:]) <= {-1}, "and no more")
    at = 0
    for q in others:
        part = f["hidden"][at : at + unknown[q]]
        need(part == sorted(part), f"p{q}: epochs are sorted")
        at += unknown[q]
    seen = set(f.hand[p]) | f.discard | f.aside | f.revealed
    for q in range(f.n):
        seen |= f.known[q] | set(f.army(q))
    unseen = set(range(f.copies)) - seen
    for epoch in range(f["era"] + 1):
        places = f["hidden"][:total].count(epoch) + (f["ndeck"] if epoch == f["era"] else 0)
        cards = sum(f["epoch"][c] == epoch for c in unseen)
        need(cards == places, f"epoch {epoch}: {cards} unseen cards for {places} places")
    need(all(f["epoch"][c] <= f["era"] for c in unseen), "no unseen card comes from a later shuffle")
    if f["over"] or f["mover"] != p:
        need(not f.legal, "who is not to move sees no legal action")
    else:
        _decision(f)


def _ranges(f: Facts) -> None:
    limits = {"copies": f.copies, "copies-1": f.copies - 1, "n-1": f.n - 1}
    for key, (low, high) in SMALL_FIELDS.items():
        values = f[key]
        if isinstance(values, list):
            flat = [x for row in values for x in row] if isinstance(values[0], list) else values
            least, most = min(flat), max(flat)
        else:
            least = most = values
        if least < low or most > limits.get(high, high):
            raise AssertionError(f"{key} lies in {low} to {high}: {values}")
    need(f["n"] == f.n, "the number of players stays")
    need(not any(f.hand[f.n :]) and not any(f.known[f.n :]) and not any(f.secret[f.n :]), "nobody's hand is empty")
    for key, blank in {"army": [-1] * SLOTS, "rows": [0] * ROWS, "turns_left": -1}.items():
        need(all(value == blank for value in f[key][f.n :]), f"{key}: seats that nobody sits in stay blank")
    for key in (
        "trapped",
        "hand_size",
        "picked",
        "points",
        "passed",
        "taken",
        "win",
        "marked",
        "tokens",
        "spent",
        "bent",
    ):
        need(not any(f[key][f.n :]), f"{key}: seats that nobody sits in stay blank")


def _public(f: Facts) -> None:
    """What everybody can check."""
    cards = f.game.card_set.cards
    all_copies = set(range(f.copies))
    for q in range(f.n):
        rows = f["rows"][q]
        need(rows[0] >= rows[1] >= rows[2], f"p{q}: no row is longer than the one below (T40)")
        for slot in range(SLOTS):
            row, col = divmod(slot, COLUMNS)
            c = f["army"][q][slot]
            need((c >= 0) == (col < rows[row]), f"p{q}: rows are packed to the left (T40)")
            need(c < 0 or cards[f.face(c)].level == row + 1, f"p{q}: each row holds its own level")
            need(c >= 0 or not f["trapped"][q] >> slot & 1, f"p{q}: only goblins can be trapped")
            need(c >= 0 or not f["marked"][q] >> slot & 1, f"p{q}: tokens lie on goblins (G11)")
        need(f.known[q] <= f.hand[q], f"p{q}: known cards are in the hand")
        need(f.secret[q] <= f.hand[q], f"p{q}: secret picks are in the hand")
        need(f.hand[q] <= all_copies, f"p{q}: no copy that the set does not have")
        need(
            f["tokens"][q] + f["spent"][q] + f["marked"][q].bit_count() <= f.game.rules.get("tokens", -1) + 1,
            f"p{q}: tokens",
        )
        need(f["points"][q] < f.game.rules["points_to_win"] or f["over"], f"p{q}: enough points end the game (T21)")
        need(not f["passed"][q] or f["turns_left"][q] == 0, f"p{q}: who has passed has no turns left (T36)")
    if f.game.rules["turns_after_pass"] >= 0:  # GOSU knows no limit but in tournaments (G4)
        need(len({left < 0 for left in f["turns_left"][: f.n]}) == 1, "the first pass limits everybody (T6)")
    need(f["kind"] == 0 if f["over"] else f["kind"] > 0, "kind `over` and the end belong together")
    need((f["reason"] != 0) == (f["over"] != 0), "an end has a reason")
    need(f["over"] == 1 or not any(f["win"]), "nobody has won before the end")
    need(f["over"] != 1 or any(f["win"]), "a game that is won has a winner")
    need((f["reason"] == 4) == (f["over"] == 2), "truncated is a reason of its own")
    for row in f["stack"][f["sp"] :]:
        need(not any(row), "no trace of frames that are gone")
    for frame in f.frames:
        need(0 < frame[0] < len(FRAMES), "frames are of known kinds")
        need(0 <= frame[1] < f.n, "frames belong to a seat")
    need((f["mover"] == -1) == bool(f["over"]), "somebody moves until the end")
    if f["over"]:
        need(not f.frames, "no decision is pending at the end")
        return
    need(FRAMES[f.frames[0][0]] == "turns", "the round is at the bottom of the stack")
    need(f.frames[-1][0] == f["kind"], "the top frame is the decision")
    need(f.frames[-1][1] == f["mover"], "and says who takes it")
    named = [frame[2] for frame in f.frames if FRAMES[frame[0]] in ("use", "place")]
    need(f.aside == set(named), "the named card is set aside until it takes its slot (T47)")
    need(not f.revealed or KINDS[f["kind"]] == "keep", "revealed cards lie open only while some are kept (T18)")


def _decision(f: Facts) -> None:
    """The legal set, from the mover's place."""
    kind, p, top = KINDS[f["kind"]], f["mover"], f.frames[-1]
    labels = {f.game.labels[a] for a in f.legal if a < f.game.num_actions}
    need(f.legal, "some action is legal")
    need(f.legal[-1] < f.game.num_actions, "only actions that exist are legal")
    spare = [f.game.card_set.cards[f.face(c)].label for c in f.hand[p] - f.secret[p]]
    words = {
        "mulligan": "keep", "refresh": "keep", "turn": "pass", "offer": "accept", "destroy": "decline", "trap": "decline",
        "swap": "decline", "victim": "decline", "return": "decline",
    }  # fmt: skip
    need(words.get(kind) is None or words[kind] in labels, f"{kind} always allows {words.get(kind)}")
    if kind in ("pay", "discard", "opening"):
        need(labels == {f"discard {label}" for label in spare}, f"{kind}: any card of the hand")
        most = len(f.hand[p]) - (kind != "opening")  # the whole hand goes without a question (T42)
        need(0 < top[2] <= most, f"{kind}: {top[2]} of {len(f.hand[p])} cards")
    elif kind == "turn":
        plays = {label[5:] for label in labels if label.startswith("play ")}
        need(plays <= set(spare), "only cards of the hand are named")
        takes = {label[5:] for label in labels if label.startswith("take ")}
        need(takes <= {f.game.card_set.cards[f.face(c)].label for c in f.discard}, "zombies come from the discard pile")
    elif kind in ("use", "link", "keep", "swap_with"):
        need(len(labels) > 1, f"{kind}: one answer is given by the game itself (T42)")
    elif kind in ("destroy", "trap", "swap", "victim", "return"):
        need(len(labels) > 1, f"{kind}: no target, no question (T30)")
    need(kind != "swap_with" or all(label.startswith("target ") for label in labels), "swap_with: a row mate")
    rows = {(q, row): f["rows"][q][row] for q in range(f.n) for row in range(ROWS)}
    for label in labels:
        if label.startswith("target p"):
            q, row, col = int(label[8]), int(label[10]) - 1, int(label[12]) - 1
            need(col < rows[q, row], f"{label}: a goblin stands there")
