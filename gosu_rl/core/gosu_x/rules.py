"""Gosu X as tables: texts, filters, amounts, values and rules of a card set turned into rows of integers.

`compile_rules` writes them into the rules record (gosu/tables.py). Equal filters and amounts share a row. A row of a text is
(operation, word or jump, amount, filter, flags, 0); what the numbers of a filter and an amount mean stands at F_… and A_… below.

`prog[face, …]` holds where a face's text starts: on entering (TEXT_ENTER), on activation (TEXT_ACTIVATE), always (TEXT_ALWAYS, 0
where there is none), and where the conditions of Force of Will (WILL_IF) and of winning at the Battle (WIN) start. Row 0 is END.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.schema import Card, CardFileError, CardSet
from gosu_rl.core.cards.texts import (
    CLANS,
    COMPARISONS,
    COUNTS,
    KEYWORDS,
    LEVELS,
    PLACES,
    RELATIONS,
    RULE_NUMBERS,
    RULE_WORDS,
    VERBS,
    Amount,
    Condition,
    Filter,
    Step,
)
from gosu_rl.core.gosu import numbers
from gosu_rl.core.gosu.state import COLUMNS, FACES, FIFTEEN, FIFTH, GOAN_SUL, JUSTICE, NINE, REASONS, SLOTS
from gosu_rl.core.gosu.state import CONDITION as BY_CONDITION
from gosu_rl.core.gosu.tables import FACE_SETS, face_tables, mark

# ---- operations of a text, in the order of VERBS; END is 0
(X_DRAW, X_DISCARD, X_SACRIFICE, X_CAPTURE, X_RELEASE, X_DESTROY, X_RETURN, X_REMOVE, X_RESOLVE) = range(1, 10)
(X_BOUNTY, X_MOVE_BOUNTY, X_ETHEREAL, X_REVEAL, X_LOOK, X_KEEP, X_REST, X_FETCH, X_TAKE_BACK) = range(10, 19)
(X_RETRIEVE, X_REMOVE_PILE, X_PUT, X_INTO_PLAY, X_EXTRA, X_TOKEN_BACK, X_UNLOCK) = range(19, 26)
(X_TAKE_WONDER, X_RETURN_WONDER, X_FLIP, X_CLAN, X_PASS, X_WIN) = range(26, 32)
(X_IF, X_IF_DONE, X_JUMP, X_MODE) = range(32, 36)
assert len(VERBS) == X_WIN
_OPERATION = {verb: number for number, verb in enumerate(VERBS, 1)}
FLAG_MAY, FLAG_EVERY, FLAG_TO, FLAG_OTHER, FLAG_BOTH = 1, 2, 4, 8, 16  # flags of a row

# ---- a filter
F_SIDES, F_LEVELS, F_STATE, F_BITS, F_RELATIONS, F_CLAN, F_GROUP = range(7)
UP, CAPTURED = 1, 2  # of F_STATE
OPEN, NOT_SELF, THAT, BOUNTY, WITH_TOKENS, WITHOUT_TOKENS = 1, 2, 4, 8, 16, 32  # of F_BITS
SELF_CLAN, CHOSEN_CLAN = 1, 2  # of F_CLAN
_BITS = {
    "open": OPEN,
    "not-self": NOT_SELF,
    "that": THAT,
    "bounty": BOUNTY,
    "tokens": WITH_TOKENS,
    "no-tokens": WITHOUT_TOKENS,
}

# ---- an amount
A_COUNT, A_OTHER, A_FILTER, A_TIMES, A_PER, A_PLUS, A_CAP = range(7)
(C_HAND, C_DECK, C_PILE, C_TOKENS, C_SPENT, C_PLACED, C_TOKEN_COUNT, C_CLANS, C_TILES, C_SUPREMACY) = range(1, 11)
(C_ROUND, C_WONDER, C_PASSED, C_ACTIVE, C_ADDITIONAL, C_CAPTURED, C_DESTROYED, C_DRAWN, C_DISCARDED) = range(11, 20)
(C_LOST, C_TRIPLES, C_LEAD, C_ARMY, C_CARDS, C_SHOWN) = range(20, 26)
assert len(COUNTS) == C_LEAD
_COUNT = {"": 0, **{word: k for k, word in enumerate(COUNTS, 1)}, "#army": C_ARMY, "#pile": C_CARDS, "#shown": C_SHOWN}

# ---- values and rules: what they come from is a face, or FACES + a clan for its tile
V_SOURCE, V_TO, V_FILTER, V_AMOUNT, V_SIGN, V_IF = range(6)
TO_SELF, TO_ARMY, TO_EACH = range(3)
R_SOURCE, R_WORD, R_OTHER, R_CHANGE, R_NUMBER = range(5)
WORDS = (*RULE_NUMBERS, *RULE_WORDS)
W_HAND, W_TURNS, W_CLAN_COST, W_SHIFT, W_SONG, W_TWO_TOKENS, W_TOP_ETHEREAL = range(len(WORDS))

GOAN_SUL_CLAN = CLANS.index("Goan Sul")

# ---- keywords
K_BOUNTY, K_ECHO, K_ETHEREAL, K_WILL, K_RECRUITER, K_SECRET, K_VETERAN, K_WONDROUS = range(len(KEYWORDS))

# ---- places in `prog`
TEXT_ENTER, TEXT_ALWAYS, WILL_IF, TEXT_ACTIVATE, WIN = 0, 1, 2, 3, 5


def number_table(variant: str, changes: Mapping[str, Any] | None) -> dict[str, int]:
    """The numbers with a user's changes (see numbers.py); the rule `draft` may also be given in words."""
    told = dict(changes or {})
    if isinstance(told.get("draft"), str):
        told["draft"] = draft_number(told["draft"])
    in_force = numbers.number_table(variant, told)
    if in_force["draft"] > 1:
        draft_picks(in_force["draft"])  # refuses a clan picked twice
    return in_force


def compile_rules(cards: CardSet, in_force: Mapping[str, int], offsets: Mapping[str, int]) -> np.ndarray:
    """The record rules[1] of dtype RULES for a card set, the numbers in force and the action ranges."""
    table = face_tables(cards, in_force, offsets, CLANS)
    _Compiler(table[0], cards).fill()
    return table


def never(rules: np.ndarray, cards: CardSet) -> frozenset[str]:
    """Reasons (of REASONS) for which no game with the record `rules` and these cards ends."""
    steps = {f: {step.verb for step in texts.read_text(card.text)} for f, card in enumerate(cards.cards)}
    reasons = {int(rules["win_reason"][0][f]) for f, card in enumerate(cards.cards) if card.win or "win" in steps[f]}
    for tile in cards.tiles:
        if tile.win:
            reasons.add(GOAN_SUL if tile.clan == "Goan Sul" else BY_CONDITION)
    if any("unlock" in verbs for verbs in steps.values()):
        reasons.add(FIFTH)
    if int(rules["full_army"][0]) <= SLOTS:
        reasons.add(FIFTEEN)
    can_be_out = (FIFTEEN, NINE, BY_CONDITION, FIFTH, GOAN_SUL, JUSTICE)
    return frozenset(REASONS[reason] for reason in can_be_out if reason not in reasons)


def draft_number(text: str) -> int:
    """What `draft` says in words: agents, random, or fixed:CLAN,… with six clans in the order of the picks.

    Small and capital letters count as alike; clans may also be written as in positions and filters (`Goan_Sul`), and with the
    apostrophe that word processors make (`Xi’an`).
    """
    word, colon, rest = text.strip().partition(":")
    word = word.strip().casefold()
    if word in ("agents", "random") and not colon:
        return ("agents", "random").index(word)
    if word != "fixed" or not colon:
        raise ValueError(f"rule draft must be agents, random, or fixed: and six clans, not {text[:60]!r}")
    names = [name.strip() for name in rest.split(",")] if rest.strip() else []
    folded = {clan.casefold(): k for k, clan in enumerate(CLANS)}
    places = [folded.get(name.replace("_", " ").replace("’", "'").casefold(), -1) for name in names]
    if -1 in places:
        raise ValueError(f"rule draft: {names[places.index(-1)][:40]!r} is no clan ({', '.join(CLANS)})")
    if len(names) != 6:
        raise ValueError(
            f"rule draft must be agents, random, or fixed: and six clans, not {len(names)}; the two left over give the tiles"
        )
    number = 2 + sum(place * 8**k for k, place in enumerate(places))
    draft_picks(number)
    return number


def draft_picks(number: int) -> tuple[int, ...]:
    """The six picks behind a number of `draft`; ValueError if a clan is picked twice."""
    picks = tuple((number - 2) // 8**k % 8 for k in range(6))
    if len(set(picks)) < 6:
        raise ValueError(f"rule draft: a clan is picked twice ({', '.join(CLANS[k] for k in picks)})")
    return picks


class _Compiler:
    def __init__(self, r: Any, cards: CardSet):
        self.r = r
        self.cards = cards
        self.code: list[list[int]] = [[0] * 6]
        self.filters: dict[tuple[int, ...], int] = {}
        self.amounts: dict[tuple[int, ...], int] = {}
        self.groups: dict[frozenset[int], int] = {}
        self.values: list[list[int]] = []
        self.ruled: list[list[int]] = []
        self.filter(Filter(), "army")  # row 0: every card
        self.amount(Amount(plus=1))

    def fill(self) -> None:
        r = self.r
        wills = 0
        for f, card in enumerate(self.cards.cards):
            r["keywords"][f] = sum(1 << k for k, word in enumerate(KEYWORDS) if word in card.keywords)
            r["icons"][f] = card.icons
            r["mutation"][f] = -1 if card.shift is None else card.shift
            if "force of will" in card.keywords:
                r["wills"][f] = wills
                wills += 1
            self.card(f, card)
        r["will_faces"] = wills
        for k, word in enumerate(KEYWORDS):
            mark(r["keyword_faces"][k], (f for f, card in enumerate(self.cards.cards) if word in card.keywords))
        for k, clan in enumerate(CLANS):
            mark(r["clan_copies"][k], self.copies_of(clan))
        for tile in self.cards.tiles:
            k = CLANS.index(tile.clan)
            self.ongoing(FACES + k, tile.value, tile.rule)
            if tile.win:
                r["tile_win"][k] = self.conditions(tile.win)
        for name, rows in (
            ("code", self.code), ("filters", list(self.filters)), ("amounts", list(self.amounts)),
            ("values", self.values), ("ruled", self.ruled),
        ):  # fmt: skip
            room = len(r[name])
            if len(rows) > room:
                where = self.cards.path or self.cards.name
                raise CardFileError(f"{where}: its cards need {len(rows)} rows of {name}, more than {room}")
            for k, row in enumerate(rows):
                r[name][k][: len(row)] = row
        if len(self.groups) > FACE_SETS:
            raise CardFileError(
                f"{self.cards.path or self.cards.name}: more than {FACE_SETS} different groups of cards in filters"
            )
        for faces, k in self.groups.items():
            mark(r["groups"][k], faces)
        r["n_values"], r["n_ruled"] = len(self.values), len(self.ruled)

    def copies_of(self, clan: str) -> list[int]:
        faces = [f for f, card in enumerate(self.cards.cards) if card.clan == clan]
        twins = [f + len(self.cards.cards) for f in faces if self.cards.cards[f].copies == 2]
        return faces + twins

    def card(self, f: int, card: Card) -> None:
        prog = self.r["prog"][f]
        if card.text:
            start = self.text(texts.read_text(card.text), card)
            prog[TEXT_ALWAYS] = start
            prog[TEXT_ENTER] = start if card.on != "activation" else 0
            prog[TEXT_ACTIVATE] = start if card.on != "entering" else 0
        if card.will:
            prog[WILL_IF] = self.conditions(card.will)
        if card.win:
            prog[WIN] = self.conditions(card.win)
        self.r["win_reason"][f] = {"Goan Sul": GOAN_SUL, "Justice": JUSTICE}.get(card.clan, BY_CONDITION)
        self.ongoing(f, card.value, card.rule)

    def ongoing(self, source: int, values: tuple[str, ...], rules: tuple[str, ...]) -> None:
        for text in values:
            value = texts.read_value(text)
            filter_ = self.filter(value.filter, "army")
            condition = self.comparisons(value.condition) if value.condition else 0
            to = ("self", "army", "each").index(value.to)
            self.values.append([source, to, filter_, self.amount(value.amount), value.sign, condition])
        for text in rules:
            rule = texts.read_rule(text)
            change = rule.change or 1 if rule.word == "song" else rule.change  # sacrifices of several cards add up
            self.ruled.append([source, WORDS.index(rule.word), int(rule.other), change, rule.number])

    # ---- conditions, amounts, filters

    def conditions(self, words: tuple[str, ...]) -> int:
        """A program of IF rows that all must hold, and where it starts."""
        return self.comparisons(tuple(c for text in words for c in texts.read_condition(texts.words_of(text))))

    def comparisons(self, condition: Condition) -> int:
        start = len(self.code)
        for part in condition:
            self.code.append(
                [X_IF, 0, self.amount(part.left), self.amount(part.right), COMPARISONS.index(part.sign), 0]
            )
        self.code.append([0] * 6)
        return start

    def amount(self, amount: Amount) -> int:
        kind = "army" if amount.count in ("", "#army") else "cards"
        row = (
            _COUNT[amount.count], int(amount.other), self.filter(amount.filter, kind),
            amount.times, amount.per, amount.plus, amount.cap,
        )  # fmt: skip
        return self.amounts.setdefault(row, len(self.amounts))

    def filter(self, filter_: Filter, kind: str) -> int:
        words = set(filter_.words)
        sides = (1 if "own" in words else 0) | (2 if "other" in words else 0) or 3
        levels = [k for k, word in enumerate(LEVELS) if word in words]
        rows = ((1 << COLUMNS) - 1) << (COLUMNS * np.array(levels, int))
        slots = int(rows.sum()) if levels else (1 << SLOTS) - 1
        state = UP if "up" in words else CAPTURED if "captured" in words else 0
        bits = sum(bit for word, bit in _BITS.items() if word in words)
        relations = sum(1 << k for k, word in enumerate(RELATIONS) if word in words)
        clan = {"self": SELF_CLAN, "chosen": CHOSEN_CLAN}.get(filter_.clan, 0)
        row = (sides, slots, state, bits, relations, clan, self.group(filter_, kind, levels))
        return self.filters.setdefault(row, len(self.filters))

    def group(self, filter_: Filter, kind: str, levels: list[int]) -> int:
        """The set of faces that a filter asks for; -1 where it asks for none in particular."""
        of_level = kind == "cards" and levels
        by_clan = filter_.clan if filter_.clan in CLANS else ""
        if not (of_level or by_clan or filter_.names or filter_.stems or filter_.keywords or "icons" in filter_.words):
            return -1
        faces = frozenset(
            f
            for f, card in enumerate(self.cards.cards)
            if (not of_level or card.level - 1 in levels)
            and by_clan in ("", card.clan)
            and (not (filter_.names or filter_.stems) or card.name in filter_.names or card.stem in filter_.stems)
            and set(filter_.keywords) <= set(card.keywords)
            and ("icons" not in filter_.words or card.icons > 0)
        )
        return self.groups.setdefault(faces, len(self.groups))

    # ---- texts

    def text(self, steps: tuple[Step, ...], card: Card) -> int:
        """Rows of a text, closed by END; blocks become jumps."""
        start = len(self.code)
        blocks: list[list[int]] = []  # the rows whose jump goes to the next else or end; of a choose_one all its rows
        for step in steps:
            if step.verb == "if":
                rows = range(len(self.code), len(self.code) + len(step.condition))
                self.comparisons(step.condition)
                self.code.pop()
                blocks.append([*rows])
            elif step.verb == "if_done":
                blocks.append([len(self.code)])
                self.code.append([X_IF_DONE, 0, 0, 0, 0, 0])
            elif step.verb == "choose_one":
                blocks.append([len(self.code)])
                self.code.append([X_MODE, 1, len(self.code) + 1, 0, 0, 0])
            elif step.verb in ("else", "or"):
                jump = len(self.code)
                self.code.append([X_JUMP, 0, 0, 0, 0, 0])
                block = blocks[-1]
                if step.verb == "or":
                    choice = self.code[block[0]]
                    choice[1] += 1
                    choice[1 + choice[1]] = len(self.code)
                    block.append(jump)
                else:
                    self.close(block)
                    blocks[-1] = [jump]
            elif step.verb == "end":
                self.close(blocks.pop())
            else:
                self.code.append(self.row(step, card))
        while blocks:
            self.close(blocks.pop())
        self.code.append([0] * 6)
        return start

    def close(self, rows: list[int]) -> None:
        """Jumps of a block go on with the next row."""
        for row in rows:
            if self.code[row][0] != X_MODE:
                self.code[row][1] = len(self.code)

    def row(self, step: Step, card: Card) -> list[int]:
        kind = VERBS[step.verb].filter or "army"
        word = 0
        if step.verb == "put_into_play":
            word = PLACES.index(step.word)
        elif step.word:
            word = ("top", "bottom", "discard").index(step.word)
        elif step.verb == "win":
            word = {"Goan Sul": GOAN_SUL, "Justice": JUSTICE}.get(card.clan, BY_CONDITION)
        flags = FLAG_MAY * step.may + FLAG_EVERY * step.every + FLAG_TO * step.to
        flags += {"you": 0, "other": FLAG_OTHER, "both": FLAG_BOTH}[step.subject]
        return [_OPERATION[step.verb], word, self.amount(step.amount), self.filter(step.filter, kind), flags, 0]


assert FIFTEEN < BY_CONDITION < GOAN_SUL < JUSTICE
