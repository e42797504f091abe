"""The board as text, at most 100 columns wide.

Drawn from `as_dict()` alone: a view shows what its player knows, a full state shows everything. So what is hidden in a
view cannot slip onto the screen.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gosu_rl.envs import ansi_x, epic_board

WIDTH = 100
ROWS = 3
COLUMNS = 5
NAME = 12  # characters for a name within a cell; a cell is `*Fi Ember Whelp   2`
CELL = NAME + 6

CLAN_COLORS = {"Ancient": "97", "Alpha": "32", "Dark": "35", "Méka": "36", "Fire": "31", **ansi_x.CLAN_COLORS}
BOLD, DIM = "1", "2"

DECISIONS = {
    "mulligan": "keep the cards dealt or, without a Bakuto among them, redraw",
    "opening": "pick a card to discard (three in all, hidden until all have picked)",
    "turn": "name a card to play, or pass",
    "use": "say what the named card is for",
    "pay": "pay with a card from the hand",
    "link": "choose which linked card resolves next",
    "offer": "take a power or leave it",
    "destroy": "choose a free card to destroy",
    "trap": "choose a card to trap or release",
    "swap": "choose the first of two cards to swap",
    "swap_with": "choose the second of two cards to swap",
    "victim": "choose who must discard",
    "discard": "discard a card",
    "keep": "choose which revealed card to keep",
    "return": "take a card back from the discard pile",
    "refresh": "keep the hand or, with nothing playable, redraw it",
    "regain": "choose which activation token is ready again",
    "over": "nobody; the game is over",
}


DECISIONS_OF: dict[str, dict[str, str]] = {
    "gosu": {
        **DECISIONS,
        "turn": "play a goblin, spend tokens for cards, put a token on a goblin to use its power, or pass",
    },
    "gosu_x": ansi_x.DECISIONS,
    "epic_death": epic_board.DECISIONS,
}


OUT_OF_TURN = {  # what players decide at the deal and between rounds, when it is nobody's turn: who does is marked instead
    "draft": "drafts",
    "mulligan": "keeps or redraws",
    "opening": "discards",
    "refresh": "keeps or redraws",
    "song": "sacrifices",
}


def decision_text(view: Any) -> str:
    """What the mover of a view or a state is asked, in words; and how many are still to go, where he is asked one by one."""
    return DECISIONS_OF.get(view.game.variant, DECISIONS).get(view.kind, view.kind) + to_go(view)


def to_go(view: Any, before: str = "; ") -> str:
    """ "; 3 to go" where the mover gives cards one by one (`GameState.owed`), the one that is asked for included."""
    if view.owed is None:
        return ""
    return before + (f"{view.owed} to go" if view.owed > 1 else "the last one")


def render(view: Any, color: bool = False) -> str:
    """The board that a view (or, with everything in it, a full state) holds.

    Args:
        view: a `GameState`; whatever it does not know is not drawn.
        color: paint clans with ANSI escape sequences.

    Returns:
        Lines of at most 100 visible columns, without a newline at the end.
    """
    if view.game.variant == "epic_death":
        return epic_board.render(view, decision_text(view), color)
    position = view.as_dict()
    known = [view.known_hand(seat) for seat in range(len(position["players"]))]
    asked = decision_text(view)
    board = _Board(position, known, view.game.card_set, view.game.rules["points_to_win"], asked, color)
    return "\n".join(board.lines())


def is_free(army: Sequence[Sequence[Any]], row: int, column: int) -> bool:
    """True if no card lies above that one nor right of it; row and column are counted from 0."""
    above = row + 1 < len(army) and len(army[row + 1]) > column
    return not above and column == len(army[row]) - 1


def tally(labels: Iterable[str]) -> list[str]:
    """Labels with equal ones counted: `Ember Whelp ×2`, in order of first appearance."""
    return [label if count == 1 else f"{label} ×{count}" for label, count in Counter(labels).items()]


def strengths(players: Sequence[Mapping[str, Any]], cards: Mapping[str, Any]) -> list[int]:
    """Strength of each player's army: the face-up cards' added up."""
    return [sum(cards[face].strength for row in p["army"] for face, trapped in row if not trapped) for p in players]


class _Board:
    def __init__(
        self,
        position: Mapping[str, Any],
        known: Sequence[Sequence[str]],
        card_set: Any,
        points_to_win: int,
        asked: str,
        color: bool,
    ) -> None:
        self.known_hands = known
        self.position = position
        self.players = position["players"]
        self.viewer = position["viewer"]
        self.cards = {card.label: card for card in card_set.cards}
        self.own_decks = "wonder" in position  # Gosu X
        self.points_to_win = points_to_win
        self.asked = asked
        self.color = color

    def lines(self) -> list[str]:
        out = [self._paint(self._title(), BOLD)]
        for seat in range(len(self.players)):
            out += ["", *self._player(seat)]
        out += ["", *self._piles()]
        out.append(self._decision())
        return out

    def _title(self) -> str:
        position = self.position
        seen = "everything" if self.viewer is None else f"as p{self.viewer} sees it"
        return f"Round {position['round']} · decision {position['decisions']} · {seen}"

    # --- players --------------------------------------------------------------------------------------------------

    def _player(self, seat: int) -> list[str]:
        player = self.players[seat]
        style = BOLD if seat == self.position["mover"] else ""
        lines = [self._paint(line, style) for line in self._header(seat)]
        below = len(lines)
        army = player["army"]
        height = max((row + 1 for row in range(len(army)) if army[row]), default=0)
        for row in reversed(range(height)):
            cells = [self._cell(army, row, column, self._marks(seat, row, column)) for column in range(COLUMNS)]
            lines.append(f"  {row + 1} " + " ".join(cells).rstrip())
        if not height:
            lines.append("    (no army)")
        if self.own_decks:
            lines.insert(below, ansi_x.clan_line(self.position, seat))
        return lines + self._hand(seat)

    def _marks(self, seat: int, row: int, column: int) -> str:
        """The tokens on a card, a sign each."""
        slot = f"{row + 1}.{column + 1}"
        if self.own_decks:
            return ansi_x.marks(self.position, seat, slot)
        return "+" if slot in self.players[seat].get("tokens", {}).get("on", ()) else ""

    def _header(self, seat: int) -> list[str]:
        """What is to be said of a player in one line, or in two where the screen is too narrow for all of it."""
        player, position = self.players[seat], self.position
        name = f"p{seat}" + (" (you)" if seat == self.viewer else "")
        facts = [
            f"{name:<9}",
            f"{'Supremacy' if self.own_decks else 'points'} {self._points(player['points'])}",
            f"strength {strengths([player], self.cards)[0]:>2}",
            f"hand {player['hand_size']:>2}",
        ]
        if self.own_decks:
            facts += ansi_x.header_facts(position, seat)
        elif position["advantage"] == seat:
            facts.append("ADVANTAGE")
        if player["passed"]:
            facts.append("passed")
        elif player["turns_left"] is not None:
            left = player["turns_left"]
            facts.append("no turn left" if left == 0 else f"{left} turn{'s' * (left != 1)} left")
        if "tokens" in player and not self.own_decks:
            tokens = player["tokens"]
            facts.append("tokens " + "◆" * tokens["ready"] + "+" * len(tokens["on"]) + "◇" * tokens["spent"])
        if player["extra_turns"]:
            facts.append(f"extra turns {player['extra_turns']}")
        if does := OUT_OF_TURN.get(position["kind"]):
            facts += [f"◄ {does}"] if position["mover"] == seat else []
        elif position["active"] == seat and not position["over"]:
            facts.append("◄ turn")
        lines = [facts[0]]
        for fact in facts[1:]:
            longer = f"{lines[-1]} │ {fact}"
            lines = [*lines[:-1], longer] if len(longer) <= WIDTH else [*lines, f"{'':<9} │ {fact}"]
        return lines

    def _points(self, points: int) -> str:
        if self.points_to_win > 5:
            return f"{points}/{self.points_to_win}"
        return "●" * points + "○" * (self.points_to_win - points)

    def _cell(self, army: Sequence[Sequence[tuple[str, bool]]], row: int, column: int, marks: str) -> str:
        """One card in CELL visible characters: free mark, clan, name, strength; a trapped card's name in brackets.

        `marks`, the tokens on the card, stand behind the clan or behind the brackets and take room from the name.
        """
        if column >= len(army[row]):
            return " ·".ljust(CELL)
        face, trapped = army[row][column]
        card = self.cards[face]
        mark = "*" if is_free(army, row, column) else " "
        if trapped:  # no clan, no strength, but its face is known to all
            name = f"[{short_name(card, CELL - 3 - len(marks))}]{marks}"
            return mark + self._paint(name.ljust(CELL - 1), DIM)
        behind = marks or " "
        width = NAME + 1 - len(behind)
        text = f"{card.clan[:2]}{behind}{short_name(card, width):<{width}}{card.strength:>2}"
        return mark + self._paint(text.ljust(CELL - 1), CLAN_COLORS.get(card.clan, ""))

    def _hand(self, seat: int) -> list[str]:
        player = self.players[seat]
        lines = []
        if player["hand"] and self.viewer in (None, seat):
            lines += self._wrap("hand: ", map(self._describe, player["hand"]))
        elif self.known_hands[seat]:
            lines += self._wrap("known in hand: ", tally(self.known_hands[seat]))
        if player["picks"]:
            lines += self._wrap("picked to discard: ", tally(player["picks"]))
        return lines

    def _describe(self, face: str) -> str:
        card = self.cards[face]
        return f"{face} ({card.clan[:2]}{card.level})"

    # --- table ----------------------------------------------------------------------------------------------------

    def _piles(self) -> list[str]:
        position = self.position
        if self.own_decks:
            return self._own_piles()
        discarded = position["discard_pile"]
        line = f"draw pile {position['draw_pile_size']} │ discard pile {len(discarded)}"
        if position["shuffles"]:
            line += f" │ reshuffled {position['shuffles']}×"
        tokens = "  + token" if "tokens" in self.players[0] else ""
        lines = [f"{line} │ * free  [..] trapped{tokens}"]
        if position["set_aside"]:
            lines += self._wrap("set aside: ", tally(position["set_aside"]), indent="")
        if self.viewer is None and discarded:
            lines += self._wrap("discarded: ", tally(discarded), indent="")
        return lines

    def _own_piles(self) -> list[str]:
        position = self.position
        lines = [ansi_x.LEGEND]
        facts = ansi_x.table_facts(position)
        facts += [("set aside: ", tally(position["set_aside"]))] if position["set_aside"] else []
        if self.viewer is None:
            for seat, player in enumerate(self.players):
                pile = player["discard_pile"]
                facts += [(f"p{seat}'s discard pile: ", tally(pile))] if pile else []
        return [*lines, *(line for title, items in facts for line in self._wrap(title, items, indent=""))]

    def _decision(self) -> str:
        position = self.position
        if position["over"]:
            shares = position["shares"] or []
            winners = [f"p{seat}" for seat, share in enumerate(shares) if share > 0]
            return self._paint(f"Over ({self._reason()}): " + (" and ".join(winners) or "nobody") + " won", BOLD)
        mover = position["mover"]
        who = "You" if mover == self.viewer else f"p{mover}"
        power = position.get("power")
        whose = f" ({power['card'] if self.own_decks else power['name'] + ', ' + power['card']})" if power else ""
        text = f"{who} to decide: {self.asked}{whose}"
        return textwrap.fill(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)

    def _reason(self) -> str:
        reason = str(self.position["reason"])
        return ansi_x.REASONS.get(reason, reason) if self.own_decks else reason

    # --- text -----------------------------------------------------------------------------------------------------

    def _wrap(self, title: str, items: Iterable[str], indent: str = "    ") -> list[str]:
        text = title + ", ".join(item.replace(" ", "\u00a0") for item in items)  # an item is never broken
        hanging = indent + " " * len(title)
        wrapped = textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False)
        return [line.replace("\u00a0", " ") for line in wrapped]

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color and code else text


def short_name(card: Any, width: int) -> str:
    """A card's label in at most `width` characters; a cut name ends in `.` and keeps its X."""
    label: str = card.label
    if len(label) <= width:
        return label
    tail = ". X" if card.x else "."
    return card.name[: width - len(tail)].rstrip() + tail
