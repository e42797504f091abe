"""The state of a Gosu game as one NumPy record, and the stack of pending decisions inside it.

The first fields (`legal` … `viewer`) stand under these names in every kernel: the loops of `playout.py` need no others.
Seats are the first axis of every array that has one; unused seats stay zero. All small fields are signed, with -1 for "none".
Sets of cards are two uint64 words over copies (`gosu_rl.core.bits`).

**Stack.** `stack[0:sp]` holds frames (operation, who, a, b, c, d); the top frame alone says who moves and what is legal.
Frames below AUTO are decisions, named as `kind` shows them; the others run by themselves.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.jit import JIT

SEATS = 4  # most players of the kernel
ROWS, COLUMNS = 3, 5
SLOTS = ROWS * COLUMNS
CARDS = 120  # most copies
FACES = 88  # most faces
DECK = 60  # most cards of one's own deck
WORDS = 6  # uint64 words of the legal set: 75 faces and four players make 328 actions
DEPTH = 12  # frames
DEEPEST = 3  # texts of Gosu X at work at one time (X52)
TWO = 2  # players of a game in which each has a deck of his own

# ---- decisions (the order of KINDS)
OVER, MULLIGAN, OPENING, TURN, USE, PAY, LINK, OFFER, DESTROY, TRAP = range(10)
SWAP, SWAP_WITH, VICTIM, DISCARD, KEEP, RETURN, REFRESH = range(10, 17)
REGAIN = 17
DRAFT, WILL, MAY, AIM, CARD, CLAN, MODE, SONG = range(18, 26)  # Gosu X
KINDS = (
    "over", "mulligan", "opening", "turn", "use", "pay", "link", "offer", "destroy", "trap",
    "swap", "swap_with", "victim", "discard", "keep", "return", "refresh", "regain",
    "draft", "will", "may", "aim", "card", "clan", "mode", "song",
)  # fmt: skip

# ---- frames that run by themselves
AUTO = 26
RUN, PLACE, REVEAL_PICKS, TURNS, ARRIVE, ROUND, DECKS, TEXT, AFTER, DIRGE = range(AUTO, AUTO + 10)
FRAMES = (
    *KINDS, "run", "place", "reveal_picks", "turns", "arrive", "round", "decks", "text", "after", "dirge",
)  # fmt: skip
GOSU_X_FRAMES = frozenset(("decks", "text", "after", "dirge", *KINDS[DRAFT:]))  # frames of no other game
UNSEEN_FRAMES = ("arrive", "round")  # nothing is decided while they lie on the stack

# What the operands a, b, c, d of each frame mean (also the words of the position text).
OPERANDS = {
    "mulligan": ("times",),
    "opening": ("left",),
    "turn": (),
    "use": ("card", "from_pile"),
    "pay": ("left", "fresh"),  # fresh: nothing is paid yet, so the Wonder token may be spent on it (X33)
    "link": ("card1", "card2", "card3", "card4"),
    "offer": (),
    "destroy": ("level",),
    "trap": ("level", "release"),
    "swap": (),
    "swap_with": ("seat", "slot"),
    "victim": ("count",),
    "discard": ("left", "pc", "first"),  # pc: of the step, if it may be declined; first: nothing is discarded yet
    "keep": ("left",),
    "return": ("clan",),
    "refresh": ("times",),
    "regain": ("pc", "left"),  # pc: of the step in Gosu X
    "draft": (),
    "will": (),
    "may": ("what", "left"),  # 0 an optional step, 1 Echo, 2 a Bounty draw; left: the amount, if it has one
    "aim": ("pc", "left", "first"),  # a slot for the step at pc of the text below
    "card": ("pc", "left", "first"),  # a card of a pile, deck or hand for it
    "clan": (),
    "mode": ("pc",),
    "song": ("left",),
    "decks": (),  # between the draft and the first hands
    "text": ("pc", "card", "how", "flags"),  # flags: effects.py
    "after": ("stage",),  # of a turn: the other's Force of Will, then the hand limit (X19)
    "dirge": ("stage", "one", "two"),  # Song for the Dead; how many cards seats 0 and 1 sacrifice more than half
    "run": ("pc", "card", "trigger"),
    "place": ("card", "slot"),
    "reveal_picks": (),
    "turns": (),
    "arrive": ("card", "slot", "old", "watcher"),  # between discard and arrival of a mutation (G7)
    "round": ("stage",),  # between a battle and the next round's first turn
}

# ---- reasons a game ends for
PLAYING, POINTS, FIFTEEN, NINE, TRUNCATED, CONDITION, FIFTH, GOAN_SUL, JUSTICE = range(9)
REASONS = ("", "points", "fifteen", "nine", "truncated", "condition", "fifth_token", "goan_sul", "justice")

_small = "i1" if JIT else "i8"  # plain Python would raise where int8 is widened silently in compiled code
_short = "i2" if JIT else "i8"
_long = "i4" if JIT else "i8"

STATE = np.dtype(
    [
        ("rng", "u8"),
        ("legal", "u8", (WORDS,)),
        ("decisions", _long),
        ("mover", _small),
        ("kind", _small),
        ("over", _small),  # 0 playing, 1 won, 2 truncated
        ("n", _small),  # players
        ("viewer", _small),  # -1: the full state; p: what seat p knows
        ("win", _small, (SEATS,)),
        ("reason", _small),
        # -- cards
        ("hand", "u8", (SEATS, 2)),
        ("known", "u8", (SEATS, 2)),  # part of the hand that everybody knows
        ("secret", "u8", (SEATS, 2)),  # opening discards picked so far, still in the hand (T3)
        ("discard", "u8", (TWO, 2)),  # one that all share is the first
        ("aside", "u8", (1, 2)),  # the card named for a recruit or a mutation (T47)
        ("revealed", "u8", (1, 2)),  # Vision
        ("army", _small, (SEATS, SLOTS)),  # copy, or -1
        ("trapped", _short, (SEATS,)),  # slot mask
        ("rows", _small, (SEATS, ROWS)),  # cards in each row; rows are packed and never longer than the one below (T40)
        (
            "deck",
            _small,
            (CARDS,),
        ),  # the order of the last shuffle; the top is deck[ndeck - 1], above it what was drawn
        ("ndeck", _small),
        ("hand_size", _small, (SEATS,)),
        ("picked", _small, (SEATS,)),  # how many opening discards are picked
        # -- what is known of hidden cards (see view.py)
        # The shuffle that a hidden copy comes from; with decks of one's own: the decks as last shuffled, copy + 1 or 0.
        ("epoch", _small, (CARDS,)),
        ("era", _small),  # the epoch of the present draw pile
        ("hidden", _small, (CARDS,)),  # views only: epochs of others' hidden cards, seat by seat
        ("shuffles", _short),
        ("bent", _short, (SEATS,)),  # rules that face-up Ôzekis bend for each player, mask over BENDS (army.py)
        # -- the round
        ("rnd", _short),
        ("first", _small),  # who began the round
        ("active", _small),  # whose turn it is, or was last
        ("adv", _small),  # holder of the Advantage card
        ("extra", _short),  # extra turns the active player has still to take (T7); no more are counted than fit
        ("in_turn", _small),
        ("regular", _small),  # the turn being taken is a regular one
        ("points", _small, (SEATS,)),
        ("turns_left", _small, (SEATS,)),  # -1: no limit yet
        # -- activation tokens (G2): ready, on cards (at most one a card, G11), spent
        ("marked", _short, (SEATS,)),  # slot mask of the cards with a token
        ("tokens", _small, (SEATS,)),
        ("spent", _small, (SEATS,)),
        ("passed", _small, (SEATS,)),
        ("taken", _short, (SEATS,)),  # turns in this round
        ("turns", _long),  # turns in this game
        ("capped", _long),  # turns in which T44 left nothing but a pass
        ("battles", _short),
        ("battle_top", _small),  # last Great Battle: mask of the seats with the highest total
        ("battle_scored", _small),  # and of those that scored
        # -- Gosu X (zero or -1 elsewhere). Decks of one's own lie in `deck`, seat q's from DECK * q on (decks.py)
        ("ndecks", _small, (TWO,)),
        ("shuffled", _short, (TWO,)),
        ("pinned", "u8", (2, 2)),  # copies in decks whose place is known: to both players, to their owner only
        ("sunk", "u8", (1, 2)),  # copies that both know to lie in a deck, though not where
        ("removed", "u8", (1, 2)),
        ("picks", _small, (6,)),  # the draft: clan + 1 of each pick
        ("clans", _short, (TWO,)),  # mask of the clans of each player
        ("tiles", _short),  # mask of the clans whose tile is active
        ("wonder", _small),  # who has the Wonder token, or -1
        ("bounty", _small),  # the Bounty token: SLOTS * seat + slot, or -1
        ("ether", _short, (TWO,)),  # slots with an Ethereal token
        ("marked2", _short, (TWO,)),  # slots with two Activation tokens (or, with `marked`, three)
        ("locked", _small, (TWO,)),  # Activation tokens not yet unlocked
        # For each text at work, the outermost first: the places in its owner's deck, from the bottom, of cards that it shows.
        ("shown", "u8", (DEEPEST,)),
        ("limit", _small),  # turns after the pass as the rules in force have it; -1: nobody has passed
        ("lead", _short),  # at the Battle: by how much seat 0 leads
        ("battle_wonder", _small),  # who had the Wonder token at the last Battle, or -1
        ("tally", _small, (TWO, 5)),  # this turn: captured, destroyed, drawn, discarded, lost
        # -- pending decisions
        ("sp", _small),
        ("stack", _short, (DEPTH, 6)),
    ],
    align=True,
)


def blank() -> np.ndarray:
    """One record as every game starts from: state[1], zero but for the fields whose "none" is -1."""
    record = np.zeros(1, STATE)
    for name in (
        "mover",
        "viewer",
        "army",
        "deck",
        "hidden",
        "turns_left",
        "wonder",
        "bounty",
        "battle_wonder",
        "limit",
    ):
        record[name] = -1
    return record
