"""What must hold of the stack and the draft of a Gosu X position that was read from text (see gosu/text_checks.py for why)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.gosu.state import DEEPEST, DRAFT, FRAMES, OPERANDS, SLOTS
from gosu_rl.core.gosu.text_checks import named_card_faults
from gosu_rl.core.gosu_x.draft import LATER, PICKS
from gosu_rl.core.gosu_x.rules import (
    TEXT_ALWAYS,
    X_DISCARD,
    X_ETHEREAL,
    X_FETCH,
    X_INTO_PLAY,
    X_KEEP,
    X_MODE,
    X_SACRIFICE,
)
from gosu_rl.core.gosu_x.rules import X_TOKEN_BACK as TOKEN_BACK

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

RANGES = {
    "times": (0, 1000), "left": (0, 120), "from_pile": (0, 1), "slot": (0, SLOTS - 1), "fresh": (0, 1), "first": (0, 1),
    "what": (0, 2), "how": (0, 1023), "flags": (0, (1 << 15) - 1), "stage": (0, 2), "one": (0, 20), "two": (0, 20),
}  # fmt: skip
# What each frame may lie on; those that are missing belong to other games.
ON = {
    "after": ("turns",), "dirge": ("turns",), "mulligan": ("turns", "mulligan"),
    "decks": ("mulligan",), "draft": ("draft", "decks"),
    "turn": ("after",), "will": ("after",), "use": ("after",), "place": ("after",), "pay": ("place",), "song": ("dirge", "song"),
    "text": ("turn", "after", "text"), "may": ("text", "may"), "aim": ("text", "aim", "may"), "card": ("text",), "clan": ("text",),
    "mode": ("text",), "regain": ("text",), "discard": ("turns", "text", "discard", "may"),
}  # fmt: skip
STEPS = {  # operations of the row at `pc` of a frame
    "aim": range(X_SACRIFICE, X_ETHEREAL + 1), "card": (X_KEEP, *range(X_FETCH, X_INTO_PLAY + 1)), "mode": (X_MODE,),
    "regain": (TOKEN_BACK,), "discard": (X_DISCARD,),
}  # fmt: skip


def token_fault(game: Game, s: Any, q: int) -> str:
    """Whether player q has more Activation tokens than are unlocked (X12), in words; empty if not."""
    rules, locked = game.rules, int(s["locked"][q])
    ready, spent = int(s["tokens"][q]), int(s["spent"][q])
    on_cards = int(s["marked"][q]).bit_count() + 2 * int(s["marked2"][q]).bit_count()
    most = max(rules["tokens"], rules["token_limit"] - locked)
    if ready + spent + on_cards <= most:
        return ""
    return (
        f"p{q} has {ready} ready, {spent} spent and {on_cards} tokens on cards, more than the {most} that are unlocked "
        f"(rules tokens={rules['tokens']}, token_limit={rules['token_limit']}, locked={locked})"
    )


def drafters(first: int) -> list[int]:
    """Who makes which pick: first, other, other, first, first, other (X17)."""
    return [(first + (LATER >> k & 1)) % 2 for k in range(PICKS)]


def draft_faults(s: Any, drafting: bool, copies: int) -> Iterator[str]:
    """Where picks, clans, tiles and cards do not go together: both have what they picked, and all cards lie in one pile."""
    first = int(s["first"])
    picks = [int(k) - 1 for k in s["picks"] if k > 0]
    own = [0, 0]
    for clan, q in zip(picks, drafters(first), strict=False):
        own[q] |= 1 << clan
    if len(set(picks)) < len(picks):
        yield "'draft=' names a clan twice"
    if not drafting:
        if sorted(own) != sorted(int(mask) for mask in s["clans"]):
            yield "'clans:' are not those that 'draft=' gives the two players (first, other, other, first, first, other)"
        return
    for q in range(2):
        if int(s["clans"][q]) != own[q]:
            names = ", ".join(clan for k, clan in enumerate(CLANS) if own[q] >> k & 1) or "none"
            yield f"the clans of p{q} must be those that 'draft=' gives him where p{first} is first: {names}"
    if int(s["tiles"]) != 255 & ~(own[0] | own[1]):
        yield "'tiles=' must name the clans that nobody has drafted, as long as the draft goes on; leave it out"
    lost = sum(int(c) < 0 for c in s["deck"][:copies]) if int(s["viewer"]) < 0 else 0
    if lost:
        yield f"as long as the draft goes on all {copies} cards lie in 'draw_pile:'; {lost} do not"


def drafter_faults(s: Any) -> Iterator[str]:
    """Whoever drafts next must lie on top of the stack, those after him below."""
    frames = [frame.tolist() for frame in s["stack"][: int(s["sp"])]]
    wanted = drafters(int(s["first"]))[int((s["picks"] > 0).sum()) :]
    if [frame[1] for frame in reversed(frames) if frame[0] == DRAFT] != wanted:
        yield f"'draft=' leaves the stack to end with '{'; '.join(f'draft p{q}' for q in reversed(wanted))}'"


def stack_faults(game: Game, s: Any) -> Iterator[str]:
    """What is wrong with the stack of the state record `s`, a line each; nothing where all is well."""
    frames = [[int(x) for x in s["stack"][k]] for k in range(int(s["sp"]))]
    if not frames:
        yield "the stack is empty, but the game is not over"
        return
    if FRAMES[frames[0][0]] != "turns":
        yield f"the stack must begin with 'turns p0', not with {FRAMES[frames[0][0]]!r}"
    if sum(FRAMES[frame[0]] == "text" for frame in frames) > DEEPEST:
        yield f"more than {DEEPEST} texts at work"
    text: tuple[int, int] | None = None  # where the code of the topmost text starts and ends
    for height, (op, who, *values) in enumerate(frames):
        word = FRAMES[op]
        operands = dict(zip(OPERANDS[word], values, strict=False))
        if height == 0:
            continue
        below = FRAMES[frames[height - 1][0]]
        if below not in ON.get(word, ()):
            yield f"{word!r} cannot lie on {below!r}; it lies on {' or '.join(ON.get(word, ('nothing in this game',)))}"
            return
        for name, value in operands.items():
            low, high = RANGES.get(name, (value, value))
            if not low <= value <= high:
                yield f"{name}={value} of {word!r} is out of range {low} to {high}"
                return
        if word in ("turn", "after") and who != int(s["active"]):
            yield f"the stack has {word!r} of p{who}, but 'now:' says active=p{s['active']}"
        elif word in ("use", "place"):
            yield from named_card_faults(game, s, who, word, operands)
        elif word == "text":
            card = operands["card"]
            if card < 0:
                yield "'text' needs a card"
                return
            text = code_of(game, card)
            if not text[0] <= operands["pc"] <= text[1] or text[0] == 0:
                yield f"pc={operands['pc']} of 'text' is not within the text of its card"
                return
        elif word in STEPS and (word != "discard" or operands["pc"] != 0):
            row = operands["pc"]
            if text is None or not text[0] <= row <= text[1] or int(game.R["code"][0][row][0]) not in STEPS[word]:
                yield f"pc={row} of {word!r} is no step of that kind in the text below it"
                return


def code_of(game: Game, card: int) -> tuple[int, int]:
    """Rows of code where the text of a copy starts and where its END lies; (0, 0) if it has none."""
    faces = game.card_set.cards
    start = int(game.R["prog"][0][card % len(faces), TEXT_ALWAYS])
    end = start
    while int(game.R["code"][0][end][0]) != 0:
        end += 1
    return start, end
