"""What the board of Gosu X shows beside that of Tactics: clans, decks, tokens, tiles, the draft.

Made from `as_dict()` alone, like the rest of the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gosu_rl.core.cards.texts import CLANS

CLAN_COLORS = {
    "Justice": "97", "Abhilasha": "31", "Tomorrow": "36", "Narashima": "94", "Galmi": "32", "Phoenix": "33", "Goan Sul": "91",
    "Xi'an": "35",
}  # fmt: skip
DECISIONS = {
    "draft": "choose a clan for your deck",
    "mulligan": "keep the cards drawn or, with at most one Troop among them, show and redraw them",
    "turn": "name a card to play or shift to, use tokens, or pass",
    "use": "say what the named card is for",
    "pay": "pay with a card from the hand",
    "will": "use Force of Will, or let it be",
    "may": "carry out a step of a text, or leave it",
    "aim": "choose a card in an army",
    "card": "choose a card",
    "clan": "choose a clan",
    "mode": "choose a part of the text",
    "song": "choose a card to sacrifice (Song for the Dead)",
    "discard": "discard a card",
    "regain": "choose which Activation token is ready again",
}
REASONS = {  # why a game ended
    "points": "Supremacy tokens",
    "fifteen": "fifteen face-up cards",
    "fifth_token": "fifth Activation token",
    "goan_sul": "Goan Sul",
    "justice": "Justice",
    "condition": "a card's condition",
}


def header_facts(position: Mapping[str, Any], seat: int) -> list[str]:
    """What stands behind a player's points, strength and hand: his Activation tokens, and the Wonder token if it is his."""
    tokens = position["players"][seat]["tokens"]
    signs = "◆" * tokens["ready"] + "+" * sum(tokens["on"].values()) + "◇" * tokens["spent"] + "·" * tokens["locked"]
    facts = [f"tokens {signs or 'none'}"]
    if position["wonder"] == seat:
        facts.append("WONDER")
    return facts


def clan_line(position: Mapping[str, Any], seat: int) -> str:
    """The clans of a player, in the order of his picks, and how many cards his piles hold."""
    player = position["players"][seat]
    own = [clan for clan in position["draft"] if clan in player["clans"]]
    piles = f"deck {player['deck_size']} │ discard pile {len(player['discard_pile'])}"
    return f"    {', '.join(own) or 'no clan yet'} │ {piles}"


def marks(position: Mapping[str, Any], seat: int, slot: str) -> str:
    """Tokens on the card in a slot: `+` each Activation token, `$` the Bounty token, `~` an Ethereal one."""
    player = position["players"][seat]
    text = "+" * int(player["tokens"]["on"].get(slot, 0))
    text += "$" if position["bounty"] == f"p{seat} {slot}" else ""
    return text + ("~" if slot in player["ethereal"] else "")


def known_of_decks(position: Mapping[str, Any]) -> list[tuple[str, Sequence[str]]]:
    """(title, items) for each deck of which a view knows a place: `top`, `2nd from top` … and the card."""
    if position["viewer"] is None:
        return []
    found: list[tuple[str, Sequence[str]]] = []
    for seat, player in enumerate(position["players"]):
        places = [(place, face) for place, face in enumerate(player["deck"], 1) if face is not None]
        if places:
            found.append((f"known in p{seat}'s deck: ", [f"{place}. {face}" for place, face in places]))
    return found


def table_facts(position: Mapping[str, Any]) -> list[tuple[str, Sequence[str]]]:
    """(title, items) of the lines below the players: the draft, tiles, piles, removed cards."""
    facts: list[tuple[str, Sequence[str]]] = []
    if position["kind"] == "draft":
        facts.append(("to be drafted: ", [clan for clan in CLANS if clan not in position["draft"]]))
    elif position["tiles"]:
        facts.append(("active tiles: ", position["tiles"]))
    facts += known_of_decks(position)
    if position["removed"]:
        facts.append(("out of the game: ", position["removed"]))
    return facts


LEGEND = "* OPEN  [..] captured  + ◆ Activation token  $ Bounty  ~ Ethereal"
