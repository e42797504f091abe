"""The battlefield of Epic Death as text, at most 100 columns wide, drawn from `as_dict()` alone."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gosu_rl.envs.epic_text import card_line, steps_text

WIDTH = 100
CELL = 11  # characters of a space
TERRAIN = {"Woods": "+", "River": "~", "Wall": "#", "Town": "T"}
COLORS = {"Woods": "32", "River": "36", "Wall": "37", "Town": "33"}
BOLD = "1"

DECISIONS = {
    "reinforce": "draw 0, 1 or 2 cards; a token comes for each of the two not drawn",
    "muster": "Phase A: play Heroes, Machines and Actions, then say done",
    "march": "Phase B: move the Army or stay",
    "window": "play an Action before values are compared, or pass",
    "answer": "cancel the Action that was announced, or pass",
    "crew": "give a Machine its crew, or decline",
    "epic": "try an Epic Death, or fight on as one who is beaten",
    "toss": "say who is tossed next",
    "after_toss": "play an Action after the toss, or pass",
    "regroup": "Phase D: play Actions, then say done",
    "discard": "discard a card",
    "victim": "name a player",
    "lose": "say what is lost",
    "step": "say where the Army goes",
    "flee": "say where the Army flees",
    "peek": "choose a face-down Land to look at",
    "take": "take a card back from the discard pile",
    "off": "say which Machine of the Army that fights does not count in this combat",
    "turn_up": "choose a face-down Land to turn up",
    "swap_land": "choose a face-down Land that changes places with another of its terrain",
    "swap_with": "choose the Land with which it changes places",
    "over": "nobody; the game is over",
}
HELP = """\
A number or a text as listed takes that action; the beginning of a text will do if no other action
begins so.
  ?         this help           ? NAME    what a card, a Leader or a Land does
  b         the board again     d         the discard pile
  q         leave the game
A space of the field reads: terrain (+ Woods, ~ River, # Wall, T Town), the Land (? if it lies face
down, in brackets if you know it all the same), and the Armies on it. Spaces are written row.column.
`·` is a space without a Land (any more)."""


def render(view: Any, asked: str, color: bool = False) -> str:
    """The field, the Armies and the decision (`asked`: in words) that a view or a full state holds; at most 100 visible columns."""
    return "\n".join(_Board(view, asked, color).lines())


def tally(labels: Iterable[str]) -> list[str]:
    """Labels with equal ones counted."""
    return [label if count == 1 else f"{label} ×{count}" for label, count in Counter(labels).items()]


class _Board:
    def __init__(self, view: Any, asked: str, color: bool) -> None:
        self.position: Mapping[str, Any] = view.as_dict()
        self.players: Sequence[Mapping[str, Any]] = self.position["players"]
        self.known = [view.known_hand(seat) for seat in range(len(self.players))]
        self.viewer = self.position["viewer"]
        cards = view.game.card_set
        self.lands = {land.label: land for land in cards.lands}
        self.leaders = {leader.label: leader for leader in cards.leaders}
        self.cards = {card.label: card for card in cards.cards}
        self.asked = asked
        self.color = color

    def lines(self) -> list[str]:
        out = [self._paint(self._title(), BOLD), "", *self._field(), ""]
        for seat in range(len(self.players)):
            out += self._player(seat)
        out += ["", self._piles(), *self._combat()]
        out.append(self._decision())
        return out

    def _title(self) -> str:
        position = self.position
        seen = "everything" if self.viewer is None else f"as p{self.viewer} sees it"
        turn = f"Phase {position['phase']} of p{position['active']}"
        return f"Round {position['round']} · {turn} · decision {position['decisions']} · {seen}"

    # --- the field ------------------------------------------------------------------------------------------------

    def _field(self) -> list[str]:
        """Two lines a row of the layout: terrain and Land, then Armies; face-up Lands are explained below."""
        places = [tuple(int(part) for part in space.split(".")) for space in self.position["spaces"]]
        rows, columns = max(row for row, _ in places), max(column for _, column in places)
        width = min(CELL, (WIDTH - 3) // columns)
        there = {space: [] for space in self.position["spaces"]}  # type: dict[str, list[str]]
        for seat, player in enumerate(self.players):
            there[player["space"]].append(f"p{seat}")
        lines = ["   " + "".join(f"{column:<{width}}" for column in range(1, columns + 1)).rstrip()]
        for row in range(1, rows + 1):
            above, below = f"{row:>2} ", "   "
            for column in range(1, columns + 1):
                space = f"{row}.{column}"
                above += self._cell(space, width) if space in there else " " * width
                armies = "[" + " ".join(there[space]) + "]" if there.get(space) else ""
                below += f"{armies:<{width}}"
            lines.append(above.rstrip())
            if below.strip():
                lines.append(below.rstrip())
        return lines

    def _cell(self, space: str, width: int) -> str:
        land = self.position["field"].get(space)
        if land is None:
            return f"{'·':<{width}}"
        mark = TERRAIN[land["terrain"]]
        name = land["land"] or "?"
        text = f"{mark}{name}" if land["face_up"] else f"{mark}?" if name == "?" else f"{mark}({name})"
        if land["face_up"] and name in self.lands:
            text = f"{mark}{self.lands[name].defense} {name}"
        return self._paint(f"{text[: width - 1]:<{width}}", COLORS[land["terrain"]])

    # --- players --------------------------------------------------------------------------------------------------

    def _player(self, seat: int) -> list[str]:
        player, position = self.players[seat], self.position
        name = f"p{seat}" + (" (you)" if seat == self.viewer else "")
        heroes = sum(self.cards[hero].value for hero in player["heroes"])
        machines = sum(self.cards[name].value for name, crew in player["machines"] if crew) - self._off(seat)
        facts = [
            f"{name:<9}",
            f"{player['points']:>2} points",
            f"{player['tokens']:>2} Goblins",
            f"Attack {player['tokens'] + heroes}",
            f"Machines -{machines}",
            f"hand {player['hand_size']}",
            f"at {player['space']}",
        ]
        if position["active"] == seat and not position["over"]:
            facts.append("◄ turn")
        lines = [self._paint(" │ ".join(facts), BOLD if seat == position["mover"] else "")]
        lines += self._wrap("", [f"{player['leader']}: {card_line(self.leaders[player['leader']])}"])
        bent = ["guarded against Actions of others"] if player["guarded"] else []
        bent += ["the next Phase C is skipped"] if player["no_combat"] else []
        lines += self._wrap("", bent)
        army = tally(player["heroes"])
        army += [f"{name} ({crew} crew)" if crew else f"{name} (no crew)" for name, crew in player["machines"]]
        if army:
            lines += self._wrap("army: ", army)
        if player["conquest"]:
            lines += self._wrap("conquests, top last: ", player["conquest"])
        if player["hand"] and self.viewer in (None, seat):
            lines += self._wrap("hand: ", tally(player["hand"]))
        elif self.known[seat]:
            lines += self._wrap("known in hand: ", tally(self.known[seat]))
        return lines

    # --- table ----------------------------------------------------------------------------------------------------

    def _piles(self) -> str:
        position = self.position
        line = f"pool {position['pool']} │ Goblin deck {position['draw_pile_size']} │ discard pile {len(position['discard_pile'])}"
        if position["shuffles"]:
            line += f" │ reshuffled {position['shuffles']}×"
        return line + f" │ Towns left {position['towns_left']}"

    def _combat(self) -> list[str]:
        fight = self.position["combat"]
        if fight is None:
            return []
        fighters = " and ".join(f"p{seat}" for seat in fight["fighters"])
        if fight["kind"] == "land":
            land = self.position["field"].get(fight["space"], {}).get("land")
            what = f"{fighters} fights {land}: {card_line(self.lands[land])}" if land else f"{fighters} fights"
        else:
            what = f"a Fray of {fighters} at {fight['space']}"
        changes = [f"Attack of p{seat} {change:+d}" for seat, change in fight["attack_change"].items()]
        changes += [f"Defense {fight['defense_change']:+d}"] if fight["defense_change"] else []
        changes += [f"p{seat} tosses {extra} more" for seat, extra in fight["extra_tosses"].items()]
        changes += [f"{name} does not count" for name in fight["off"]]
        return self._wrap("", [what + (f" ({', '.join(changes)})" if changes else "")], indent="")

    def _off(self, seat: int) -> int:
        """The value of the Machines of a seat's that do not count in the combat going on."""
        fight = self.position["combat"]
        return sum(self.cards[name].value for name in fight["off"]) if fight and seat in fight["fighters"] else 0

    def _decision(self) -> str:
        position = self.position
        if position["over"]:
            winners = [f"p{seat}" for seat, share in enumerate(position["shares"] or []) if share > 0]
            return self._paint(f"Over ({position['reason']}): " + (" and ".join(winners) or "nobody") + " won", BOLD)
        mover = position["mover"]
        who = "You" if mover == self.viewer else f"p{mover}"
        effect = position["effect"]
        whose = f" ({effect['card']}: {steps_text([effect['step']])})" if effect else ""
        aside = position["set_aside"]
        answered = f" ({', '.join(aside)} announced)" if position["kind"] == "answer" and aside else ""
        text = f"{who} to decide: {self.asked}{whose}{answered}"
        return textwrap.fill(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)

    # --- text -----------------------------------------------------------------------------------------------------

    def _wrap(self, title: str, items: Iterable[str], indent: str = "    ") -> list[str]:
        text = title + ", ".join(items)
        hanging = indent + " " * len(title)
        return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False)

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and code else text


def note(label: str, view: Any, cards: Mapping[str, Any]) -> str:
    """What stands behind an action in a list: what the card does, what lies on a space, how a player stands."""
    verb, _, rest = label.partition(" ")
    if verb in ("play", "discard", "take", "pick") and rest in cards:
        return card_line(cards[rest])
    position = view.as_dict()
    if verb == "space":
        armies = [f"p{seat}'s Army" for seat, player in enumerate(position["players"]) if player["space"] == rest]
        land = position["field"].get(rest)
        if land is None:
            return ", ".join(["no Land", *armies])
        lands = {land.label: land for land in view.game.card_set.lands}
        known = f"{land['land']}: {card_line(lands[land['land']])}" if land["land"] else f"{land['terrain']}, face down"
        return ", ".join([known, *armies])
    if verb == "player":
        player = position["players"][int(rest.removeprefix("p"))]
        return f"{player['points']} points, {player['tokens']} Goblins, {player['hand_size']} cards"
    if verb == "ability":
        leaders = {leader.label: leader for leader in view.game.card_set.leaders}
        return card_line(leaders[position["players"][view.viewer]["leader"]])
    return ""
