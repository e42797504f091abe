"""Card texts of Gosu X in plain English: every step, filter, amount, condition, value and rule of `core/cards/texts.py`.

Different steps read differently (tests/envs/test_text_x.py), so whoever knows the English knows the card. "You" is the
controller of the card; on a tile, each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gosu_rl.core.cards import texts
from gosu_rl.core.cards.schema import Card, Tile
from gosu_rl.core.cards.texts import Amount, Comparison, Condition, Filter, Step

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LEVELS = {"troop": ("Troop", "Troops"), "hero": ("Hero", "Heroes"), "immortal": ("Immortal", "Immortals")}
ALONE = {"self": "this card", "that": "that card", "mirror": "the mirror card"}  # filters of one word that need no more
ADJECTIVES = {"other": "opposing", "open": "OPEN", "up": "face-up", "captured": "captured"}
RELATIONS = {
    "left": "to the left of this card",
    "right": "to the right of this card",
    "above": "above this card",
    "below": "below this card",
    "row": "in this card's row",
    "column": "in this card's column",
}  # joined: one of them
MARKS = {
    "self": "if it is this card",
    "not-self": "other than this card",
    "mirror": "in the mirror place",
    "that": "if it is the one just chosen",
    "bounty": "with Bounty",
    "icons": "with an Activation icon",
    "tokens": "with an Activation token on it",
    "no-tokens": "without Activation tokens",
}  # joined: all of them
SIGNS = {">=": "at least", "<=": "at most", "=": "exactly", "!=": "anything but", ">": "more than", "<": "less than"}
# What is counted, of yourself and of the opponent.
COUNTED = {
    "hand": ("cards in your hand", "cards in your opponent's hand"),
    "deck": ("cards in your deck", "cards in your opponent's deck"),
    "pile": ("cards in your discard pile", "cards in your opponent's discard pile"),
    "tokens": ("Activation tokens in your hand", "Activation tokens in your opponent's hand"),
    "spent": ("your spent Activation tokens", "your opponent's spent Activation tokens"),
    "placed": ("your Activation tokens on cards", "your opponent's Activation tokens on cards"),
    "token_count": ("Activation tokens that you own", "Activation tokens that your opponent owns"),
    "clans": ("clans among your face-up cards", "clans among your opponent's face-up cards"),
    "triples": ("your columns of three face-up cards of one clan", "your opponent's columns of three face-up cards of one clan"),
    "tiles": ("active tiles", "active tiles (as your opponent counts them)"),
    "supremacy": ("your Supremacy tokens", "your opponent's Supremacy tokens"),
    "round": ("rounds begun", "rounds begun (as your opponent counts them)"),
    "captured": ("cards that you captured this turn", "cards that your opponent captured this turn"),
    "destroyed": ("cards that you destroyed this turn", "cards that your opponent destroyed this turn"),
    "drawn": ("cards that you drew this turn", "cards that your opponent drew this turn"),
    "discarded": ("cards that you discarded this turn", "cards that your opponent discarded this turn"),
    "lost": ("your cards captured or destroyed this turn", "your opponent's cards captured or destroyed this turn"),
    "lead": ("points by which you lead at the Battle", "points by which your opponent leads at the Battle"),
}  # fmt: skip
# Counts that are 0 or 1: what it means that they hold, and that they do not; of yourself and of the opponent.
FLAGS = {
    "wonder": (
        ("you hold the Wonder token", "you do not hold the Wonder token"),
        ("your opponent holds the Wonder token", "your opponent does not hold the Wonder token"),
    ),
    "passed": (
        ("you have passed", "you have not passed"),
        ("your opponent has passed", "your opponent has not passed"),
    ),
    "active": (
        ("it is your turn", "it is not your turn"),
        ("it is your opponent's turn", "it is not your opponent's turn"),
    ),
    "additional": (
        ("this turn is an additional one", "this turn is no additional one"),
        ("this turn is an additional one of your opponent", "this turn is no additional one of your opponent"),
    ),
}
SUBJECTS = {"you": "", "other": "your opponent ", "both": "both players "}
HANDS = {"you": "your hand", "other": "his hand", "both": "their hands"}
PLAIN = {
    "extra_turn": "take an additional turn after this one",
    "unlock": "unlock an Activation token",
    "take_wonder": "take the Wonder token",
    "return_wonder": "return the Wonder token to the board",
    "flip_tiles": "turn the tile of each clan of which you have a face-up Immortal to its active side",
    "choose_clan": "choose a clan that has a face-up card in either army",
    "pass": "pass",
    "win": "win the game",
}
DECK_ENDS = {"top": "on top of your deck", "bottom": "under your deck", "discard": "into your discard pile"}
SPECIAL_STEPS = {"echo": "resolve the whole text once more (Echo)", "bounty": "draw a card (Bounty)"}
KEYWORDS = {keyword: keyword[0].upper() + keyword[1:] for keyword in texts.KEYWORDS}


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "AEIOaeio" else f"a {noun}"


def filter_words(filter_: Filter, many: bool = False) -> str:
    """The cards that fit, as a noun without article: "captured Troop of yours"; `many`: in the plural."""
    words = filter_.words
    levels = [LEVELS[word][many] for word in LEVELS if word in words]
    noun = " or ".join(levels) if levels else ("card", "cards")[many]
    parts = [*(ADJECTIVES[word] for word in ADJECTIVES if word in words), noun]
    parts += ["of yours"] if "own" in words else []
    if filter_.clan:
        clans = {"self": "of this card's clan", "chosen": "of the chosen clan"}
        parts.append(clans.get(filter_.clan, f"of clan {filter_.clan}"))
    parts += [f"with the keyword {KEYWORDS[keyword]}" for keyword in filter_.keywords]
    if filter_.names:
        parts.append(f"called {_names(filter_.names)}")
    if filter_.stems:
        parts.append(f"whose name before any bracket is {_names(filter_.stems)}")
    places = [RELATIONS[word] for word in RELATIONS if word in words]
    parts += [" or ".join(places)] if places else []
    marks = [MARKS[word] for word in MARKS if word in words]
    parts += [" and ".join(marks)] if marks else []
    return " ".join(parts)


def _names(names: Sequence[str]) -> str:
    return " or ".join(f"“{name}”" for name in names)


def _one(filter_: Filter) -> str:
    """One card that fits, with its article."""
    if filter_.words in {(word,) for word in ALONE} and filter_ == Filter(filter_.words):
        return ALONE[filter_.words[0]]
    return _with_article(filter_words(filter_))


def _some(amount: Amount, filter_: Filter, every: bool = False) -> str:
    """So many cards that fit."""
    if every:
        return f"every {filter_words(filter_)}"
    if amount == Amount(plus=1):
        return _one(filter_)
    if not amount.count and amount.cap < 0:
        return f"{_number(amount.plus)} {filter_words(filter_, many=True)}"
    return f"X {filter_words(filter_, many=True)} (X: {amount_words(amount)})"


def amount_words(amount: Amount) -> str:
    """A number, or what is counted: "the number of cards in your hand, divided by 2 and rounded down, at most 3"."""
    text = f"the number of {_counted(amount)}" if amount.count else str(amount.plus)
    if amount.times != 1:
        text += f", times {amount.times}"
    if amount.per != 1:
        text += f", divided by {amount.per} and rounded down"
    if amount.count and amount.plus:
        text += f", {'plus' if amount.plus > 0 else 'minus'} {abs(amount.plus)}"
    return text + (f", at most {amount.cap}" if amount.cap >= 0 else "")


def _counted(amount: Amount) -> str:
    if amount.count == "#army":
        return filter_words(amount.filter, many=True)
    if amount.count == "#pile":
        whose = "your opponent's" if amount.other else "your"
        return f"{filter_words(amount.filter, many=True)} in {whose} discard pile"
    if amount.count == "#shown":
        return f"{filter_words(amount.filter, many=True)} among the revealed cards"
    if amount.count in FLAGS:
        return f"times that {FLAGS[amount.count][amount.other][0]} (0 or 1)"
    return COUNTED[amount.count][amount.other]


def condition_words(condition: Condition) -> str:
    """A condition in words; its parts are joined by "and"."""
    return " and ".join(_comparison_words(part) for part in condition)


def _comparison_words(part: Comparison) -> str:
    left, right = part.left, part.right
    plain = left.count and left == Amount(left.count, left.other, left.filter)
    if plain and part.sign == ">=" and right == Amount(plus=1):
        if left.count in FLAGS:
            return FLAGS[left.count][left.other][0]
        if left.count == "#army":
            return f"there is {_with_article(filter_words(left.filter))}"
    if plain and part.sign == "=" and right == Amount(plus=0):
        if left.count in FLAGS:
            return FLAGS[left.count][left.other][1]
        if left.count == "#army":
            return f"there is no {filter_words(left.filter)}"
    return f"{amount_words(left)} is {SIGNS[part.sign]} {amount_words(right)}"


def step_words(step: Step) -> str:
    """One step that is no control word, without full stop: "you may draw a card", "both players discard a card"."""
    if step.subject == "you":
        return ("you may " if step.may else "") + _deed(step)
    return SUBJECTS[step.subject] + ("may " if step.may else "") + _deed(step)


def _deed(step: Step) -> str:
    """What is done, in the form that follows the subject and "may"."""
    verb, amount, filter_ = step.verb, step.amount, step.filter
    s = "s" if step.subject == "other" and not step.may else ""
    cards = _some(amount, filter_, step.every)
    hand = HANDS[step.subject]
    if verb in PLAIN:
        return PLAIN[verb]
    if step.to:
        up = {"draw": f"draw{s} until {hand} hold{'' if step.subject == 'both' else 's'}",
              "discard": f"discard{s} until {hand} hold{'' if step.subject == 'both' else 's'} only",
              "sacrifice": f"sacrifice{s} {filter_words(filter_, many=True)} until the army holds only"}[verb]  # fmt: skip
        size = _number(amount.plus) if amount == Amount(plus=amount.plus) else "X"
        return f"{up} {size} card{'' if amount == Amount(plus=1) else 's'}" + (
            f" (X: {amount_words(amount)})" if size == "X" else ""
        )
    return {
        "draw": f"draw{s} {cards}",
        "discard": f"discard{s} {cards} from {hand}",
        "sacrifice": f"sacrifice{s} {cards}",
        "capture": f"capture {cards}",
        "release": f"release {cards}",
        "destroy": f"destroy {cards}",
        "return": f"return {cards} to the owner's hand",
        "remove": f"remove {cards} from the game",
        "resolve": f"resolve the text of {cards}",
        "place_bounty": f"put the Bounty token on {cards}",
        "move_bounty": f"move the Bounty token, if it lies on a card, to {cards}",
        "place_ethereal": f"put an Ethereal token on {cards}",
        "reveal": f"reveal from the top of your deck {cards}",
        "look": f"look at {cards} on top of your deck",
        "keep": f"take into your hand, of these, {cards}",
        "rest_to": f"put the rest {'back ' if step.word == 'top' else ''}{DECK_ENDS.get(step.word, '')}",
        "fetch": f"search your deck for {cards}, to be shown and taken into your hand, and shuffle",
        "take_back": f"take back from your discard pile {cards}",
        "retrieve": f"take back from among your removed cards {cards}",
        "remove_pile": f"remove from your discard pile and the game {cards}",
        "put_on_deck": f"put {cards} from your hand {DECK_ENDS.get(step.word, '')}",
        "put_into_play": f"put into play, {_PLACES.get(step.word, '')}, {cards}",
        "token_back": _tokens_back(amount),
    }[verb]


_PLACES = {"hand": "from your hand if you like", "pile": "from your discard pile", "shown": "of the cards shown"}


def _tokens_back(amount: Amount) -> str:
    if amount == Amount(plus=1):
        return "take an Activation token back into your hand"
    if amount == Amount(plus=amount.plus):
        return f"take {_number(amount.plus)} Activation tokens back into your hand"
    return f"take X Activation tokens back into your hand (X: {amount_words(amount)})"


def text_words(steps: Sequence[str]) -> str:
    """A whole text as sentences: "You may discard a card from your hand. If you do: destroy a Troop."."""
    found = list(texts.read_text(steps))
    sentences: list[str] = []
    place = 0
    after = ""
    while place < len(found):
        words, place = _sentence(found, place)
        text = after + words
        sentences.append(text[0].upper() + text[1:] + ".")
        after = "after that: " if found[place - 1].verb == "end" else ""
    return " ".join(sentences)


def _sentence(steps: Sequence[Step], place: int) -> tuple[str, int]:
    """The step at `place`, or the whole block that begins there, and the place behind it."""
    step = steps[place]
    if step.verb == "choose_one":
        parts = []
        while steps[place].verb != "end":
            part, place = _block(steps, place + 1)
            parts.append(part)
        return "choose one: " + "; or: ".join(parts), place + 1
    if step.verb in ("if", "if_done"):
        condition = "you do" if step.verb == "if_done" else condition_words(step.condition)
        if step.verb == "if_done" and (place == 0 or not steps[place - 1].may):
            condition = "that did something"
        part, place = _block(steps, place + 1)
        text = f"if {condition}: {part}"
        if place < len(steps) and steps[place].verb == "else":
            part, place = _block(steps, place + 1)
            text += f"; otherwise: {part}"
        return text, min(len(steps), place + 1)
    return step_words(step), place + 1


def _block(steps: Sequence[Step], place: int) -> tuple[str, int]:
    """All up to the else, or or end that closes the block, and the place of that word (or behind the text)."""
    parts = []
    while place < len(steps) and steps[place].verb not in ("else", "or", "end"):
        inner = steps[place].verb in ("if", "if_done", "choose_one")
        words, place = _sentence(steps, place)
        parts.append(f"({words})" if inner else words)
    return ", then ".join(parts), place


def option_words(card: Card, number: int) -> str:
    """The part of a card's text that `option NUMBER` carries out; empty where the card offers no such choice."""
    steps = list(texts.read_text(card.text))
    for place, step in enumerate(steps):
        if step.verb == "choose_one":
            parts = []
            while steps[place].verb != "end":
                part, place = _block(steps, place + 1)
                parts.append(part)
            return parts[number - 1] if number <= len(parts) else ""
    return ""


def value_words(text: str) -> str:
    """What one entry of `value` adds: "+1 if you hold the Wonder token"."""
    value = texts.read_value(text)
    sign = "+" if value.sign > 0 else "-"
    plain = value.amount == Amount(plus=value.amount.plus)
    more = f"{sign}{value.amount.plus}" if plain else f"{sign}X (X: {amount_words(value.amount)})"
    whose = {"self": "", "army": "your total at the Battle: ", "each": f"every {filter_words(value.filter)}: "}[
        value.to
    ]
    return f"{whose}{more}" + (f" if {condition_words(value.condition)}" if value.condition else "")


def rule_words(text: str) -> str:
    """How one entry of `rule` changes the rules for the owner of the card, or for everybody if it is a tile's."""
    rule = texts.read_rule(text)
    you = "your opponent's" if rule.other else "your"
    what = {
        "hand_limit": f"{you} hand limit",
        "turns_after_pass": f"turns that are left to the other side after {you} pass",
        "new_clan_cost": f"discards for {you} Troops of a new clan",
        "shift_cost": f"cards that {you} shifts cost",
        "song": f"{you} sacrifices more in the Song, without a victory by this card",
        "two_tokens_extra_turn": f"{you} spending two tokens to draw three cards also gives an additional turn",
        "top_open_ethereal": f"{you} OPEN card of the topmost row is Ethereal",
    }[rule.word]
    if rule.word in texts.RULE_WORDS:
        return what
    return f"{what}: {('', '+', '-')[rule.change]}{rule.number}"


def conditions_words(entries: Sequence[str]) -> str:
    """The entries of `will` or `win`, all of which must hold."""
    return " and ".join(condition_words(texts.read_condition(texts.words_of(text))) for text in entries)


def ability_lines(card: Card | Tile) -> Iterator[str]:
    """What a card or tile says, keywords first, a line each."""
    if isinstance(card, Card):
        plain = [KEYWORDS[keyword] for keyword in card.keywords if keyword != "force of will"]
        if plain:
            yield ", ".join(plain) + "."
        if card.will:
            yield f"{KEYWORDS['force of will']}, if {conditions_words(card.will)}."
        if card.text:
            when = {"": "", "entering": "On entering only: ", "activation": "On activation only: "}[card.on]
            yield when + text_words(card.text)
    for text in card.value:
        yield f"Value: {value_words(text)}."
    for text in card.rule:
        yield f"Rule: {rule_words(text)}."
    if card.win:
        yield f"At the Battle you win the game if {conditions_words(card.win)}."


def offered_words(step: str) -> str:
    """What is asked at a decision, from the step that a position names there: a step's text, "echo" or "bounty"."""
    return SPECIAL_STEPS.get(step) or step_words(texts.read_step(step)).removeprefix("you may ")
