"""What must hold of the stack and the tokens of a position that was read from text.

Compiled code trusts its frames: they index arrays without a check, and the frame at the bottom is never popped. So a hand-written
stack is looked at here, once, before anything runs on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gosu_rl.core.cards.schema import ALL_TRIGGERS
from gosu_rl.core.copies import members
from gosu_rl.core.gosu.numbers import NUMBERS, TRAITS
from gosu_rl.core.gosu.rules import END, OP_OFFER, name_groups
from gosu_rl.core.gosu.state import COLUMNS, FRAMES, GOSU_X_FRAMES, OPERANDS, SLOTS, UNSEEN_FRAMES
from gosu_rl.core.gosu.tables import CLANS

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

# Where a frame may lie, 0 being the bottom. In play these never lie higher, and so the stack cannot outgrow its place.
HIGHEST = {"turns": 0, "reveal_picks": 1, "turn": 1, "use": 1, "place": 1, "link": 1, "pay": 2, "run": 3, "offer": 4}
# Lowest and highest value of an operand; cards and places in the code are looked at one by one.
RANGES = {
    "times": (0, 1000), "left": (0, 120), "from_pile": (0, 1), "level": (1, 3), "release": (0, 1), "slot": (0, SLOTS - 1),
    "count": (0, 120), "trigger": (0, len(ALL_TRIGGERS) - 1),
}  # fmt: skip


def token_fault(game: Game, s: Any, q: int) -> str:
    """Whether player q has more activation tokens than there can be, in words; empty if not.

    Tokens are never made or lost within a round (G2, G11); only an Ôzeki with "spare token" adds one at a new round (G24).
    """
    ready, spent, on_cards = int(s["tokens"][q]), int(s["spent"][q]), int(s["marked"][q]).bit_count()
    own = game.rules.get("tokens", 0)
    spare = any("spare token" in card.rule for card in game.card_set.cards)
    if ready + spent + on_cards <= own + spare:
        return ""
    most = f"rule tokens={own}" + (", and one that an Ôzeki may have added" if spare else "")
    return f"p{q} has {ready} ready, {spent} spent and {on_cards} tokens on cards, more than there can be ({most})"


def _absent_frames(game: Game) -> frozenset[str]:
    """Kinds of frames that come in other variants only."""
    traits = TRAITS[game.variant]
    has = {
        "opening": "keep" in NUMBERS[game.variant],
        "reveal_picks": "keep" in NUMBERS[game.variant],
        "link": "link" in game.card_set.fields,
        "refresh": bool(traits["refreshes"]),
        "regain": bool(traits["activation"]),
    }
    return GOSU_X_FRAMES | frozenset(word for word, there in has.items() if not there)


def stack_faults(game: Game, s: Any) -> Iterator[str]:
    """What is wrong with the stack of the state record `s`, a line each; nothing where all is well."""
    frames = [[int(x) for x in s["stack"][k]] for k in range(int(s["sp"]))]
    if not frames:
        yield "the stack is empty, but the game is not over"
        return
    absent = _absent_frames(game)
    if FRAMES[frames[0][0]] != "turns":
        yield f"the stack must begin with 'turns p0', not with {FRAMES[frames[0][0]]!r}"
    for height, (op, who, *values) in enumerate(frames):
        word = FRAMES[op]
        if word in UNSEEN_FRAMES:
            yield f"{word!r} cannot lie on the stack: nothing is decided while it does"
        if word in absent:
            yield f"{word!r} cannot lie on the stack: {game.variant} has no such decision"
        if height > HIGHEST.get(word, height):
            yield f"{word!r} cannot lie at place {height + 1} of the stack, only up to place {HIGHEST[word] + 1}"
        operands = dict(zip(OPERANDS[word], values, strict=False))
        yield from _range_faults(game, word, operands)
        if word == "turn" and who != int(s["active"]):
            yield f"the stack has a turn of p{who}, but 'now:' says active=p{s['active']}"
        elif word in ("use", "place"):
            yield from named_card_faults(game, s, who, word, operands)
        elif word == "swap_with":
            seat, slot = operands["seat"], operands["slot"]
            if slot % COLUMNS >= int(s["rows"][seat, slot // COLUMNS]):
                yield f"'swap_with' names slot {slot} of p{seat}, where no goblin stands"
        elif word == "run":
            yield from _code_faults(game, operands)
        elif word == "offer":
            below = frames[height - 1]
            if FRAMES[below[0]] != "run" or int(game.R["code"][0][below[2] - 1][0]) != OP_OFFER:
                yield "'offer' must lie on the 'run' whose power it offers"


def _range_faults(game: Game, word: str, operands: dict[str, int]) -> Iterator[str]:
    limits = RANGES | {"seat": (0, game.players - 1), "clan": (-1, _groups(game) - 1)}
    for name, value in operands.items():
        low, high = limits.get(name, (value, value))
        if not low <= value <= high:
            yield f"{name}={value} of {word!r} is out of range {low} to {high}"


def _groups(game: Game) -> int:
    """Bound of the operand `clan`: the clans or, where cards name others, the lists of names behind them."""
    names = name_groups(game.card_set)
    return CLANS + len(names) if names else int(game.R["clans"][0])


def named_card_faults(game: Game, s: Any, who: int, word: str, operands: dict[str, int]) -> Iterator[str]:
    """What is wrong with the card of a `use` or `place` frame: it must lie aside and, once it has a slot, may come there."""
    card = operands["card"]
    if card not in members(s["aside"][0]):
        yield f"the card of {word!r} must lie on 'set_aside:'"
        return
    if word == "place":
        row, column = divmod(operands["slot"], COLUMNS)
        level = game.card_set.cards[card % len(game.card_set.cards)].level
        filled = int(s["rows"][who, row])
        outgrows = row > 0 and column >= int(s["rows"][who, row - 1])  # T40
        if level != row + 1 or column > filled or outgrows:
            yield f"the card of 'place' cannot come to slot {operands['slot']}: wrong row, or a gap before or below it"


def _code_faults(game: Game, operands: dict[str, int]) -> Iterator[str]:
    """`pc` must lie within the powers that the card has for the trigger."""
    card = operands["card"]
    if card < 0:
        yield "'run' needs a card"
        return
    start = int(game.R["prog"][0][card % len(game.card_set.cards), operands["trigger"]])
    code = game.R["code"][0]
    end = start
    while int(code[end][0]) != END:
        end += 1
    if not start <= operands["pc"] <= end or start == 0:
        yield f"pc={operands['pc']} of 'run' is not within the powers that its card has for trigger {operands['trigger']}"
