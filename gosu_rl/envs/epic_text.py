"""What cards, Leaders and Lands of Epic Death do, in words, from the card set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gosu_rl.core.cards.epic_steps import split_condition

TRAITS = {
    "forager": "one token more when you draw no card in Phase A",
    "pathfinder": "after a move onto free ground your Army may move once more onto free ground",
    "free crew": "once a turn a crew token comes from the pool",
    "healer": "against a Land one token that died is tossed once more",
    "big pockets": "you may keep one card more",
    "brawler": "Attack one higher in Frays",
    "woodsman": "Defense one lower in the Woods",
    "ferryman": "Defense one lower on a River",
    "sapper": "Defense one lower at a Wall",
    "recruiter": "your Heroes cost one token less, at least one",
    "rear guard": "after a lost combat one token that died comes back",
}
WINDOWS = {
    "a": "Phase A",
    "b": "Phase B",
    "d": "Phase D",
    "combat": "before a combat",
    "fray": "before a Fray",
    "toss": "after your tosses",
    "answer": "in answer to an Action",
}
SORTS = {"any": "any card", "action": "an Action", "machine": "a Machine", "hero": "a Hero"}
_PLAIN = {
    "lose_hero": "{who} a Hero",
    "lose_machine": "{who} a Machine",
    "steal_card": "steal a random card",
    "steal_conquest": "steal the top card of a conquest pile",
    "no_requirement": "the Land asks for nothing",
    "peek": "look at a face-down Land beside the Army",
    "cancel": "that Action does nothing",
    "machine_off": "a Machine of the Army that fights does not count in this combat",
    "swap_armies": "your Army and {his} exchange their spaces",
    "retreat_now": "the Army that fights this combat retreats at once, without tosses",
    "turn_up": "turn up a face-down Land beside {whose} Army",
    "swap_lands": "two face-down Lands of one terrain change places",
    "no_combat": "{whose} next Phase C is skipped",
    "guard": "until {whose} next turn no Action of others names {him} or is played in {whose} fights",
}
COMPARISONS = {">=": "at least", "<=": "at most", "=": "exactly"}


def steps_text(steps: Sequence[str]) -> str:
    """Steps as a sentence: "choose another player, he loses 2 Goblins"."""
    parts = []
    about = ""  # whom the steps are about: "" oneself, else "he"
    for step in steps:
        condition, bare = split_condition(step)
        word, _, operand = bare.partition(" ")
        on = f"{_condition(condition, about)}: " if condition else ""
        if word == "choose":
            about = "he"
            names = {"other": "another player", "any": "any player", "fighter": "an Army that fights"}
            parts.append(f"{on}choose {names[operand]}")
        else:
            parts.append(on + _step(word, operand, about))
    return ", ".join(parts)


def _condition(condition: str, about: str) -> str:
    """`hand >= 2` as "if he has at least 2 cards in hand"."""
    word, *operands = condition.split()
    who, has, whose = ("he", "has", "his") if about else ("you", "have", "your")
    if word == "terrain":
        return f"if {whose} Army stands on a space of {operands[0]}"
    if word == "needs":
        return f"if the Land needs a {operands[0].capitalize()}"
    if word in ("attacker", "defender"):
        return f"if {whose} Army is the {word} in a fight"
    amount = f"{COMPARISONS[operands[0]]} {operands[1]}"
    one = operands[1] == "1"
    if word == "defense":
        return f"if the Defense is {amount}"
    if word == "pile":
        return f"if the top card of {whose} conquest pile is worth {amount}"
    if word == "rank":
        return f"if {whose} rank by Victory Points is {amount}"
    things = {"tokens": "Goblin", "heroes": "Hero", "machines": "Machine", "hand": "card"}[word]
    plural = things if one else "Heroes" if word == "heroes" else f"{things}s"
    return f"if {who} {has} {amount} {plural}{' in hand' if word == 'hand' else ''}"


def _step(word: str, operand: str, about: str) -> str:
    s = "s" if about else ""
    count = "" if operand == "1" else "s"
    subject = f"{about} " if about else ""
    if word in _PLAIN:
        whose, him, his = ("his", "him", "his") if about else ("your", "you", "itself")
        return _PLAIN[word].format(who=f"{subject}discard{s}", whose=whose, him=him, his=his)
    if word == "move":
        spaces = "one space" if operand in ("", "1") else f"up to {operand} spaces"
        return f"move {'his' if about else 'your'} Army {spaces}"
    if word == "kill_toss":
        return f"{subject or 'you '}toss{'es' if about else ''} {operand} Goblin{count} more in this fight"
    sentences = {
        "gain": f"{subject}take{s} {operand} Goblin{count} from the pool",
        "lose": f"{subject}lose{s} {operand} Goblin{count}",
        "draw": f"{subject}draw{s} {operand} card{count}",
        "discard": f"{subject}discard{s} {operand} card{count}",
        "discard_random": f"{subject}discard{s} {operand} random card{count}",
        "steal_token": f"steal {operand} Goblin{count} from another Army",
        "save": f"up to {operand} of your Goblins that died come back",
        "retoss": f"toss up to {operand} of your Goblins that died once more",
    }
    if word == "take_back":
        return f"{subject}take{s} back {SORTS[operand]} from the discard pile"
    if word in ("attack", "defense"):
        value = "Attack" if word == "attack" else "Defense"
        return f"{'his ' if about and word == 'attack' else ''}{value} {int(operand):+d}"
    return sentences[word]


def card_line(card: Any) -> str:
    """One line for a Goblin card, a Leader or a Land."""
    if hasattr(card, "terrain"):
        return _land_line(card)
    if not hasattr(card, "kind"):
        return "Leader" + _ability(card)
    if card.kind == "action":
        return f"Action ({', '.join(WINDOWS[window] for window in card.when)}): {steps_text(card.steps)}"
    what = (
        f"Machine -{card.value}, crew {card.cost}"
        if card.kind == "machine"
        else f"Hero {card.value}, costs {card.cost}"
    )
    return what + (f" · {TRAITS[card.trait]}" if card.trait else "")


def _ability(leader: Any) -> str:
    if leader.trait:
        return f" · {TRAITS[leader.trait]}"
    if leader.ability:
        return f" · once a turn ({', '.join(WINDOWS[window] for window in leader.when)}): {steps_text(leader.ability)}"
    return ""


def _land_line(land: Any) -> str:
    facts = [land.terrain, f"Defense {land.defense}", f"worth {land.value}"]
    facts += [steps_text([step]) for step in (*land.icons, *land.text)]
    facts += [f"needs a {land.needs.capitalize()}"] if land.needs else []
    facts += [] if land.epic else ["no Epic Death"]
    return " · ".join(facts)


def card_help(card: Any) -> list[str]:
    """What `? NAME` shows."""
    return [f"{card.label}: {card_line(card)}"]
