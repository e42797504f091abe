"""The state of a game of Epic Death as one NumPy record.

The first fields (`legal` … `viewer`) stand under these names in every kernel. Seats are the first axis of every array that
has one; unused seats stay zero. All small fields are signed, with -1 for "none". Sets of Goblin cards are two uint64 words over
copies, sets of spaces one uint64 word.

**Stack.** `stack[0:sp]` holds frames (operation, who, a, b, c, d); the top frame alone says who moves and what is legal.
Frames below AUTO are decisions, named as `kind` shows them; the others run by themselves.
"""

from __future__ import annotations

import numpy as np

from gosu_rl.core.jit import JIT

SEATS = 6
CARDS = 100  # most Goblin cards
FACES = 50
LANDS = 64  # most Lands
SPACES = 60
LEADERS = 24
WORDS = 5  # uint64 words of the legal set
DEPTH = 48  # frames; cancels lie one upon another, at most MAX_CANCELS of them (cards/epic_check.py), two frames each
COINS = 8  # uint64 words of coins
THEFTS = 8  # random thefts that are remembered of one step
DROPS = 40  # random discards that are remembered of one step

# ---- decisions (the order of KINDS)
OVER, REINFORCE, MUSTER, MARCH, WINDOW, ANSWER, CREW, EPIC, TOSS = range(9)
AFTER_TOSS, REGROUP, DISCARD, VICTIM, LOSE, STEP, FLEE, PEEK, TAKE = range(9, 18)
OFF, TURN_UP, SWAP_LAND, SWAP_WITH = range(18, 22)
KINDS = (
    "over", "reinforce", "muster", "march", "window", "answer", "crew", "epic", "toss",
    "after_toss", "regroup", "discard", "victim", "lose", "step", "flee", "peek", "take",
    "off", "turn_up", "swap_land", "swap_with",
)  # fmt: skip

# ---- frames that run by themselves
AUTO = 22
TURNS, COMBAT, FRAY, ASKING, ANSWERS, ACTION, RUN, TOSSES = range(AUTO, AUTO + 8)
FRAMES = (*KINDS, "turns", "combat", "fray", "asking", "answers", "action", "run", "tosses")

# What the operands a, b, c, d of each frame mean (also the words of the position text).
OPERANDS = {
    "reinforce": (),
    "muster": (),
    "march": ("second",),  # 1: the further move of a pathfinder
    "window": (),
    "answer": (),
    "crew": (),
    "epic": (),
    "toss": ("what",),  # HERO or TOKEN
    "after_toss": (),
    "regroup": (),
    "discard": ("left",),
    "victim": ("purpose", "amount"),
    "lose": ("what", "left"),
    "step": ("army", "more", "further"),  # steps that may follow this one; 1: this one may be declined
    "flee": ("nearest",),  # 0: a neighbouring space, 1: the nearest unoccupied one
    "peek": ("army",),
    "take": ("sort", "army"),
    "off": (),
    "turn_up": ("army",),
    "swap_land": (),
    "swap_with": ("first",),  # the space of the Land that changes its place
    "turns": ("stage",),
    "combat": ("stage", "won", "defense"),
    "fray": ("defender", "stage", "origin", "outcome"),
    "asking": ("next", "declines"),
    "answers": ("next",),
    "action": ("card", "stage", "cancelled"),
    "run": ("pc", "source", "index", "subject"),
    "tosses": ("left", "stage"),
}

HERO, MACHINE, TOKEN = range(3)  # operand `what`
FOR_TOKEN, FOR_CARD, FOR_CONQUEST, FOR_OTHER, FOR_ANY, FOR_FIGHTER = range(6)  # operand `purpose`
FROM_CARD, FROM_LAND, FROM_LEADER = range(3)  # operand `source`: what `index` counts (copies, land copies, Leaders)
NO_FIGHT, ON_LAND, IN_FRAY = range(3)  # field `fight`
PHASES = "ABCD"

# ---- reasons a game ends for
PLAYING, TOWNS, TRUNCATED = range(3)
REASONS = ("", "towns", "truncated")

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
        # -- Goblin cards
        ("hand", "u8", (SEATS, 2)),
        ("known", "u8", (SEATS, 2)),  # known[p]: the copies in other hands of which p knows in whose
        ("discard", "u8", (1, 2)),
        ("aside", "u8", (1, 2)),  # Actions that have been announced and are not done (E39)
        ("army", "u8", (SEATS, 2)),  # Heroes and Machines in play
        ("crew", _small, (CARDS,)),  # crew tokens on each Machine in play
        ("tossed", _small, (CARDS,)),  # of these, or of a Hero, how many have been tossed in the tosses going on
        (
            "deck",
            _small,
            (CARDS,),
        ),  # the order of the last shuffle; the top is deck[ndeck - 1], above it what was drawn
        ("ndeck", _small),
        ("hand_size", _small, (SEATS,)),
        # -- what is known of hidden cards (view.py)
        ("epoch", _small, (CARDS,)),  # the shuffle a hidden copy comes from; era + 1: taken back since
        ("era", _small),  # the epoch of the present deck
        ("mixed", _small, (SEATS,)),  # hands between which epochs are not told apart have the same number here
        ("hidden", _small, (CARDS,)),  # views only: epochs of others' hidden cards
        ("shuffles", _long),
        # -- Armies
        ("leader", _small, (SEATS,)),
        ("tokens", _short, (SEATS,)),  # loose ones
        ("pool", _short),
        ("at", _small, (SEATS,)),  # the space of each Army
        ("back", _small, (SEATS,)),  # the space to retreat to, -1: none (E22)
        # -- the field
        ("land", _small, (SPACES,)),  # copy of the Land on a space, or -1
        ("lands", "u8"),  # spaces with a Land
        ("face_up", "u8"),
        ("peeked", "u8", (SEATS,)),  # face-down Lands that a seat has looked at
        ("towns", _small),  # Towns left
        ("pile", _small, (SEATS, LANDS)),  # conquest piles, bottom first
        ("piled", _small, (SEATS,)),
        ("points", _short, (SEATS,)),
        # -- the turn
        ("rnd", _long),
        ("adv", _small),  # who began
        ("active", _small),
        ("turns", _long),
        ("phase", _small),  # index into PHASES
        ("used", _small),  # the active Leader's ability has been used in this turn
        ("freed", _small, (SEATS,)),  # a crew token came from the pool in this turn (trait "free crew")
        ("frayed", _small),  # the active Army has had a Fray before its combat and has not moved on since (E38)
        ("fought", _small, (SEATS,)),  # mask of the Armies that each has fought in this turn (E26)
        ("no_combat", _small, (SEATS,)),  # the next Phase C is skipped
        ("guarded", _small, (SEATS,)),  # no Action of others till the next turn begins
        # -- the combat or Fray going on
        ("fight", _small),
        ("attacker", _small),
        ("defender", _small),
        ("attack_plus", _short, (SEATS,)),
        ("defense_plus", _short),
        ("open_door", _small),  # the Land asks for nothing
        ("fallen", _short, (SEATS,)),  # tokens that died in it
        ("extra_tosses", _short, (SEATS,)),  # coins more in its tosses
        ("off", "u8", (1, 2)),  # Machines that do not count in it
        # -- chance of the last step
        ("coins", "u8", (COINS,)),
        ("ncoins", _short),
        ("stolen", _small, (THEFTS,)),
        ("nstolen", _small),
        ("dropped", _small, (DROPS,)),
        ("ndropped", _small),
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
        "deck",
        "hidden",
        "at",
        "back",
        "land",
        "pile",
        "leader",
        "attacker",
        "defender",
        "stolen",
        "dropped",
    ):
        record[name] = -1
    record["mixed"] = np.arange(SEATS)
    return record
