"""The texts of Gosu X: what a step, a filter, an amount, a condition, a value and a rule may say.

The grammar is written down for people in docs/cards.md ("Gosu X"). Here words become the dataclasses below, which
`gosu_rl.core.gosu_x.rules` turns into the kernel's integer rows; whatever cannot be read is a `TextError` of one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gosu_rl.core.cards.wording import nearest, quoted

CLANS = ("Justice", "Abhilasha", "Tomorrow", "Narashima", "Galmi", "Phoenix", "Goan Sul", "Xi'an")
KEYWORDS = ("bounty", "echo", "ethereal", "force of will", "recruiter", "secret shift", "veteran", "wondrous")
MAX_STEPS = 16  # in one text, control words included
MAX_OPTIONS = 4  # of one choose_one
MOST = 99  # largest number that may be written

LEVELS = ("troop", "hero", "immortal")
EXCLUDING = (("tokens", "no-tokens"), ("up", "captured"), ("own", "other"), ("self", "not-self"))
RELATIONS = ("self", "left", "right", "above", "below", "row", "column", "mirror")
STATES = ("up", "captured")
# Words of a filter, and those of them that have a meaning for cards in hands and piles.
FILTER_WORDS = (
    "own", "other", *LEVELS, *STATES, "open", *RELATIONS, "not-self", "that", "bounty", "tokens", "no-tokens", "icons",
)  # fmt: skip
CARD_WORDS = (*LEVELS, "icons")
FILTER_KEYS = ("clan", "keyword", "name", "stem")
COUNTS = (
    "hand", "deck", "pile", "tokens", "spent", "placed", "token_count", "clans", "tiles", "supremacy", "round", "wonder",
    "passed", "active", "additional", "captured", "destroyed", "drawn", "discarded", "lost", "triples", "lead",
)  # fmt: skip
COMPARISONS = (">=", "<=", "=", "!=", ">", "<")
RULE_NUMBERS = ("hand_limit", "turns_after_pass", "new_clan_cost", "shift_cost", "song")
RULE_WORDS = ("two_tokens_extra_turn", "top_open_ethereal")
PLACES = ("hand", "pile", "shown")


class TextError(ValueError):
    """A text that cannot be read; the message says which word is wrong and what is allowed there."""


@dataclass(frozen=True)
class Filter:
    """Which cards: of an army, or (`CARD_WORDS` and keys only) of a hand or pile."""

    words: tuple[str, ...] = ()
    clan: str = ""  # a clan, "self" (of the card whose text it is) or "chosen"
    keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Amount:
    """A number worked out when it is needed: (count × times / per + plus), at most `cap`, never below 0."""

    count: str = ""  # a word of COUNTS, "#army", "#pile", "#shown"; "" for a plain number, which is `plus`
    other: bool = False  # of the opponent
    filter: Filter = field(default_factory=Filter)
    times: int = 1
    per: int = 1
    plus: int = 0
    cap: int = -1  # -1: none


@dataclass(frozen=True)
class Comparison:
    """One part of a condition."""

    left: Amount
    sign: str  # of COMPARISONS
    right: Amount


Condition = tuple[Comparison, ...]  # all hold


@dataclass(frozen=True)
class Step:
    """One step of a text."""

    verb: str
    may: bool = False
    subject: str = "you"  # you, other, both
    word: str = ""  # top, bottom, discard; hand, pile, shown
    amount: Amount = field(default_factory=lambda: Amount(plus=1))
    every: bool = False
    to: bool = False  # "down to" / "up to" the amount
    filter: Filter = field(default_factory=Filter)
    condition: Condition = ()


@dataclass(frozen=True)
class Value:
    """What a card or tile adds to military values at the Battle."""

    to: str  # self, army, each
    filter: Filter
    amount: Amount
    sign: int
    condition: Condition


@dataclass(frozen=True)
class Rule:
    """How a face-up card or an active tile changes the rules."""

    word: str
    other: bool  # a card's rule that strikes the opponent
    change: int  # 0: sets the number, 1 or -1: adds to it or takes from it
    number: int


@dataclass(frozen=True)
class Verb:
    """What a step may say behind its verb."""

    amount: bool = False
    every: bool = False
    to: bool = False
    filter: str = ""  # "army" or "cards"
    words: tuple[str, ...] = ()
    subjects: bool = False  # other, both
    may: bool = True


VERBS: dict[str, Verb] = {
    "draw": Verb(amount=True, to=True, subjects=True),
    "discard": Verb(amount=True, to=True, subjects=True, filter="cards"),
    "sacrifice": Verb(amount=True, to=True, subjects=True, filter="army"),
    "capture": Verb(amount=True, every=True, filter="army"),
    "release": Verb(amount=True, every=True, filter="army"),
    "destroy": Verb(amount=True, every=True, filter="army"),
    "return": Verb(amount=True, every=True, filter="army"),
    "remove": Verb(amount=True, every=True, filter="army"),
    "resolve": Verb(filter="army"),
    "place_bounty": Verb(filter="army"),
    "move_bounty": Verb(filter="army"),
    "place_ethereal": Verb(filter="army"),
    "reveal": Verb(amount=True, may=False),
    "look": Verb(amount=True, may=False),
    "keep": Verb(amount=True, filter="cards"),
    "rest_to": Verb(words=("top", "bottom", "discard"), may=False),
    "fetch": Verb(amount=True, filter="cards"),
    "take_back": Verb(amount=True, filter="cards"),
    "retrieve": Verb(amount=True, filter="cards"),
    "remove_pile": Verb(amount=True, filter="cards"),
    "put_on_deck": Verb(amount=True, words=("top", "bottom")),
    "put_into_play": Verb(words=PLACES, filter="cards"),
    "extra_turn": Verb(),
    "token_back": Verb(amount=True),
    "unlock": Verb(),
    "take_wonder": Verb(),
    "return_wonder": Verb(),
    "flip_tiles": Verb(),
    "choose_clan": Verb(may=False),
    "pass": Verb(),
    "win": Verb(may=False),
}
CONTROL = ("if", "if_done", "else", "end", "choose_one", "or")


def words_of(text: str) -> list[str]:
    """The words of a text; what stands in braces stays together with what touches it."""
    if re.sub(r"\{[^{}]*\}", "", text).strip("") != re.sub(r"[{}]", "", re.sub(r"\{[^{}]*\}", "", text)):
        raise TextError(f"{quoted(text)}: braces do not match")
    return re.findall(r"(?:\{[^{}]*\}|[^\s{}])+", text)


def read_filter(text: str, kind: str = "army") -> Filter:
    """A filter in braces; `kind` "cards" allows only what can be said of a card in a hand or pile."""
    if not (text.startswith("{") and text.endswith("}")):
        raise TextError(f"{quoted(text)} must be a filter in braces, as {{other open}}")
    allowed = FILTER_WORDS if kind == "army" else CARD_WORDS
    words: list[str] = []
    found: dict[str, list[str]] = {key: [] for key in FILTER_KEYS}
    for word in text[1:-1].split():
        key, colon, name = word.partition(":")
        if colon and key in FILTER_KEYS and name:
            found[key].append(name.replace("_", " "))
        elif word in allowed:
            words.append(word)
        else:
            near = nearest(word, (*allowed, *(f"{key}:" for key in FILTER_KEYS)))
            keys = ", ".join(f"{key}:…" for key in FILTER_KEYS)
            raise TextError(f"{quoted(word)} is no word of a filter here{near} ({', '.join(allowed)}, {keys})")
    for keyword in found["keyword"]:
        if keyword not in KEYWORDS:
            raise TextError(f"{quoted(keyword)} is no keyword{nearest(keyword, KEYWORDS)} ({', '.join(KEYWORDS)})")
    if len(found["clan"]) > 1:
        raise TextError(f"{quoted(text)} names two clans")
    clan = found["clan"][0] if found["clan"] else ""
    if clan and clan not in (*CLANS, "self", "chosen"):
        raise TextError(f"{quoted(clan)} is no clan{nearest(clan, CLANS)} ({', '.join(CLANS)}, self, chosen)")
    places = ("self" in words) + ("mirror" in words) + any(word in words for word in RELATIONS[1:-1])
    if places > 1 or any(set(pair) <= set(words) for pair in EXCLUDING):
        raise TextError(f"{quoted(text)} asks for two things that exclude each other")
    return Filter(tuple(words), clan, tuple(found["keyword"]), tuple(found["name"]), tuple(found["stem"]))


_AMOUNT = re.compile(r"(other\.)?(\d+|[a-z_]+|#(?:pile|shown)?\{[^{}]*\})(?:([*/])(\d+))?(?:([+-])(\d+))?")


def read_amount(text: str, cap: str = "") -> Amount:
    """An amount such as `2`, `hand`, `other.hand`, `#{own up hero}*2+1`; `cap` is the number behind "max"."""
    match = _AMOUNT.fullmatch(text)
    if not match:
        raise TextError(f"{quoted(text)} is no amount (a number, one of {', '.join(COUNTS)}, #{{…}}, #pile{{…}})")
    whose, what, sign, factor, plus_sign, plus = match.groups()
    most = -1
    if cap:
        most = _number(cap)
    more = _number(plus) * (-1 if plus_sign == "-" else 1) if plus else 0
    if what.isdigit():
        if whose or sign or plus:
            raise TextError(f"{quoted(text)}: work the number out and write it as one")
        return Amount(plus=_number(what), cap=most)
    times = _number(factor) if sign == "*" else 1
    per = _number(factor) if sign == "/" else 1
    if times == 0 or per == 0:
        raise TextError(f"{quoted(text)}: times or by nothing makes no sense")
    if what.startswith("#"):
        name, brace, rest = what[1:].partition("{")
        kind = "cards" if name else "army"
        if whose and name != "pile":
            raise TextError(f"{quoted(text)}: write 'other' into the braces")
        return Amount(f"#{name or 'army'}", bool(whose), read_filter(brace + rest, kind), times, per, more, most)
    if what not in COUNTS:
        raise TextError(f"{quoted(what)} is nothing that can be counted{nearest(what, COUNTS)} ({', '.join(COUNTS)})")
    return Amount(what, bool(whose), Filter(), times, per, more, most)


def _number(text: str) -> int:
    if not text.isdigit() or int(text) > MOST:
        raise TextError(f"{quoted(text)} must be a whole number from 0 to {MOST}")
    return int(text)


def read_condition(words: Sequence[str]) -> Condition:
    """`hand >= 3 and wonder and not other.passed`: parts joined by "and", all of which must hold."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "and":
            parts.append([])
        else:
            parts[-1].append(word)
    return tuple(_comparison(part) for part in parts)


def _comparison(words: Sequence[str]) -> Comparison:
    text = " ".join(words)
    if len(words) == 1:
        return Comparison(read_amount(words[0]), ">=", Amount(plus=1))
    if len(words) == 2 and words[0] == "not":
        return Comparison(read_amount(words[1]), "=", Amount(plus=0))
    if len(words) != 3 or words[1] not in COMPARISONS:
        raise TextError(f"{quoted(text)} is no condition: write AMOUNT {' '.join(COMPARISONS)} AMOUNT, X, or not X")
    return Comparison(read_amount(words[0]), words[1], read_amount(words[2]))


def read_step(text: str) -> Step:
    """One step of a text."""
    words = words_of(text)
    if not words:
        raise TextError("an empty step")
    if words[0] in CONTROL:
        return _control(words)
    may = words[0] == "may"
    rest = words[1:] if may else words
    subject = "you"
    if rest and rest[0] in ("other", "both"):
        subject, rest = rest[0], rest[1:]
    if not rest or rest[0] not in VERBS:
        word = rest[0] if rest else text
        near = nearest(word, (*VERBS, *CONTROL))
        raise TextError(f"{quoted(word)} is no step{near} ({', '.join((*VERBS, *CONTROL))})")
    verb, rest = rest[0], rest[1:]
    spec = VERBS[verb]
    if may and not spec.may:
        raise TextError(f"{quoted(text)}: {verb!r} cannot be optional; put 'may' to another step")
    if subject != "you" and not spec.subjects:
        raise TextError(
            f"{quoted(text)}: only {', '.join(v for v, s in VERBS.items() if s.subjects)} can have a subject"
        )
    return _operands(text, verb, spec, may, subject, rest)


def _operands(text: str, verb: str, spec: Verb, may: bool, subject: str, rest: list[str]) -> Step:
    word, every, to = "", False, False
    amount = Amount(plus=1)
    filter_ = Filter()
    if spec.words:
        if not rest or rest[0] not in spec.words:
            raise TextError(f"{quoted(text)}: behind {verb!r} stands one of {', '.join(spec.words)}")
        word, rest = rest[0], rest[1:]
    if spec.every and rest[:1] == ["every"]:
        every, rest = True, rest[1:]
    elif spec.amount and rest and not rest[0].startswith("{"):
        if spec.to and rest[0] == "to":
            to, rest = True, rest[1:]
        if not rest:
            raise TextError(f"{quoted(text)}: an amount is missing")
        cap = ""
        if rest[1:2] == ["max"]:
            cap = rest[2] if len(rest) > 2 else ""
            if not cap:
                raise TextError(f"{quoted(text)}: a number is missing behind 'max'")
        amount = read_amount(rest[0], cap)
        rest = rest[3:] if cap else rest[1:]
    if spec.filter and rest:
        filter_, rest = read_filter(rest[0], spec.filter), rest[1:]
    if rest:
        raise TextError(f"{quoted(text)}: {quoted(' '.join(rest))} is too much, or stands in the wrong place")
    if verb == "discard" and filter_ != Filter() and (not may or subject != "you" or to or amount != Amount(plus=1)):
        raise TextError(f"{quoted(text)}: only 'may discard 1 {{…}}' can say which card: a hand is hidden")
    if may and subject != "you" and to:
        raise TextError(f"{quoted(text)}: 'to' with a subject is a must")
    return Step(verb, may, subject, word, amount, every, to, filter_)


def _control(words: list[str]) -> Step:
    verb, rest = words[0], words[1:]
    if verb == "if":
        return Step("if", condition=read_condition(rest))
    if rest:
        raise TextError(f"{quoted(' '.join(words))}: {verb!r} stands alone")
    return Step(verb)


def read_text(steps: Sequence[str]) -> tuple[Step, ...]:
    """A whole text, its blocks checked: every else, or and end belongs to an if, if_done or choose_one."""
    found = tuple(read_step(step) for step in steps)
    if len(found) > MAX_STEPS:
        raise TextError(f"{len(found)} steps; a text has at most {MAX_STEPS}")
    open_blocks: list[list[str]] = []
    before = ""
    for step in found:
        verb = step.verb
        if before in ("if", "if_done", "else", "choose_one", "or") and verb in ("else", "or", "end"):
            raise TextError(f"there is nothing between {before!r} and {verb!r}")
        if verb in ("if", "if_done", "choose_one"):
            if verb == "if_done" and before in ("", "end", "else", "or", "if", "if_done", "choose_one"):
                raise TextError("'if_done' needs a step right before it")
            open_blocks.append([verb])
        elif verb == "else":
            if not open_blocks or open_blocks[-1][0] not in ("if", "if_done") or "else" in open_blocks[-1]:
                raise TextError("'else' without an 'if' before it")
            open_blocks[-1].append("else")
        elif verb == "or":
            if not open_blocks or open_blocks[-1][0] != "choose_one":
                raise TextError("'or' without a 'choose_one' before it")
            open_blocks[-1].append("or")
            if len(open_blocks[-1]) > MAX_OPTIONS:
                raise TextError(f"choose_one has at most {MAX_OPTIONS} options")
        elif verb == "end":
            if not open_blocks:
                raise TextError("'end' without an 'if', 'if_done' or 'choose_one' before it")
            if open_blocks.pop() == ["choose_one"]:
                raise TextError("choose_one needs an 'or'")
        before = verb
    if before in ("if", "if_done", "else", "choose_one", "or"):
        raise TextError(f"there is nothing behind {before!r}")
    if ["choose_one"] in open_blocks:
        raise TextError("choose_one needs an 'or'")
    _check_order(found)
    return found


def _check_order(steps: Sequence[Step]) -> None:
    """Steps that need one before them."""
    seen: set[str] = set()
    for step in steps:
        filters = [step.filter, step.amount.filter]
        for part in step.condition:
            filters += [part.left.filter, part.right.filter]
            counts = {part.left.count, part.right.count}
            if "#shown" in counts and ("reveal" not in seen or "look" in seen):
                raise TextError("'#shown{…}' needs a 'reveal' before it, and no 'look': what is looked at is a secret")
        if (step.verb in ("keep", "rest_to") or step.word == "shown") and not seen & {"reveal", "look"}:
            raise TextError(f"{step.verb!r} needs a 'reveal' or 'look' before it")
        if any(f.clan == "chosen" for f in filters) and "choose_clan" not in seen:
            raise TextError("'clan:chosen' needs a 'choose_clan' before it")
        if any("that" in f.words for f in filters) and not seen & AIMED:
            raise TextError("'that' needs a step with a target before it")
        seen.add(step.verb)


AIMED = {name for name, verb in VERBS.items() if verb.filter == "army"}


def read_value(text: str) -> Value:
    """`[self|army|each {…}] [-]AMOUNT [max N] [if CONDITION]`."""
    words = words_of(text)
    condition: Condition = ()
    if "if" in words:
        place = words.index("if")
        condition = read_condition(words[place + 1 :])
        words = words[:place]
    to, filter_ = "self", Filter()
    if words and words[0] in ("self", "army", "each"):
        to, words = words[0], words[1:]
        if to == "each":
            if not words:
                raise TextError(f"{quoted(text)}: behind 'each' stands a filter, as each {{own hero}} 1")
            filter_, words = read_filter(words[0]), words[1:]
    if not words:
        raise TextError(f"{quoted(text)}: an amount is missing")
    sign = -1 if words[0].startswith("-") else 1
    cap = words[2] if words[1:2] == ["max"] and len(words) == 3 else ""
    if len(words) > (3 if cap else 1):
        raise TextError(f"{quoted(text)}: {quoted(' '.join(words[1:]))} is too much (AMOUNT, max N, if CONDITION)")
    return Value(to, filter_, read_amount(words[0].removeprefix("-"), cap), sign, condition)


def read_rule(text: str) -> Rule:
    """`[other] hand_limit 5`, `shift_cost -1`, `two_tokens_extra_turn`."""
    words = text.split()
    other = words[:1] == ["other"]
    words = words[1:] if other else words
    if len(words) == 1 and words[0] in RULE_WORDS:
        return Rule(words[0], other, 0, 1)
    if len(words) == 2 and words[0] in RULE_NUMBERS:
        change = {"+": 1, "-": -1}.get(words[1][0], 0)
        return Rule(words[0], other, change, _number(words[1].lstrip("+-") if change else words[1]))
    if words in [[word] for word in RULE_NUMBERS]:
        raise TextError(
            f"{quoted(text)} needs a number behind it, like {words[0]} {'-1' if words[0] == 'shift_cost' else '1'}"
        )
    known = (*RULE_NUMBERS, *RULE_WORDS)
    near = nearest(words[0] if words else "", known)
    raise TextError(
        f"{quoted(text)} is no rule{near} ({', '.join(f'{w} N' for w in RULE_NUMBERS)}, {', '.join(RULE_WORDS)})"
    )


def fault_of(read: Callable[[str], object], text: str) -> str:
    """What is wrong with one text, or an empty string."""
    try:
        read(text)
    except TextError as error:
        return str(error)
    return ""


def text_faults(steps: Sequence[str]) -> list[str]:
    """What is wrong with a card's text, one line a fault: single steps first, then how they hang together."""
    found = [fault for step in steps if (fault := fault_of(read_step, step))]
    if not found:
        try:
            read_text(steps)
        except TextError as error:
            found = [str(error)]
    return found
