"""A position of Gosu X as plain data (docs/rulings-gosu-x.md, "as_dict() of Gosu X")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.copies import members
from gosu_rl.core.gosu.actions import slot_text
from gosu_rl.core.gosu.describe import army_rows
from gosu_rl.core.gosu.state import AIM, CARD, CLAN, DECK, DISCARD, KINDS, MAY, MODE, REASONS, REGAIN, SLOTS, TEXT
from gosu_rl.core.gosu_x.effects import BOUNTY_DRAW, ECHO
from gosu_rl.core.gosu_x.rules import TEXT_ALWAYS

if TYPE_CHECKING:
    from gosu_rl.core.game import GameState

TALLY = ("captured", "destroyed", "drawn", "discarded", "lost")
OF_TEXTS = (AIM, CARD, CLAN, MODE, MAY, REGAIN, DISCARD)  # kinds of decisions that can belong to a text


def text_at_work(state: GameState) -> dict[str, str] | None:
    """The card whose text the pending decision belongs to, and the step; both are public. None where there is none."""
    s, game = state.record[0], state.game
    kind = int(s["kind"])
    if state.over or kind not in OF_TEXTS:
        return None
    frames = s["stack"][: int(s["sp"])].tolist()
    places = [k for k, frame in enumerate(frames) if frame[0] == TEXT]
    if not places:
        return None
    _, _, pc, copy, _, _ = frames[places[-1]]
    card = game.card_set.cards[copy % len(game.card_set.cards)]
    what = frames[-1][2] if kind == MAY else 0
    if what in (ECHO, BOUNTY_DRAW):
        return {"card": card.label, "name": "text", "step": "echo" if what == ECHO else "bounty"}
    steps = rows_of_steps(state, copy % len(game.card_set.cards))
    return {"card": card.label, "name": "text", "step": steps.get(pc - 1, "")}


def rows_of_steps(state: GameState, face: int) -> dict[int, str]:
    """For each row of code of a face's text the step that it comes from."""
    game = state.game
    row = int(game.R["prog"][0][face, TEXT_ALWAYS])
    found = {}
    for step in game.card_set.cards[face].text:
        word = step.split()[0]
        if word == "end":
            continue
        found[row] = step
        row += 1
        if word == "if":
            row += step.split().count("and")  # a row for each part of the condition
    return found


def known_hand(state: GameState, seat: int) -> list[str]:
    """Faces that the viewer knows to be in a hand, sorted: his own, or those that everybody knows (decks.py: elimination too)."""
    s, viewer = state.record[0], state.viewer
    labels = [card.label for card in state.game.card_set.cards] * 2
    whole = viewer is None or viewer == seat
    return sorted(labels[c] for c in members(s["hand"][seat] if whole else s["known"][seat]))


def last_orders(state: GameState) -> list[list[str]]:
    """Each player's deck as last shuffled, top first; nothing in views and before the draft's end."""
    labels = [card.label for card in state.game.card_set.cards] * 2
    copies = state.record[0]["epoch"].tolist()
    return [[labels[c - 1] for c in reversed(copies[DECK * q : DECK * q + DECK]) if c] for q in range(2)]


def describe(state: GameState) -> dict[str, Any]:
    """The whole record as plain data; hidden things are absent from a view's, or None."""
    s, game = state.record[0], state.game
    labels = [card.label for card in game.card_set.cards] * 2

    def faces(words: Any) -> list[str]:
        return sorted(labels[c] for c in members(words))

    def order(copies: list[int]) -> list[str | None]:
        return [labels[c] if c >= 0 else None for c in reversed(copies)]

    players: list[dict[str, Any]] = []
    split = int(s["picks"][-1]) > 0
    for q in range(game.players):
        left = int(s["turns_left"][q])
        deck = s["deck"][DECK * q : DECK * q + DECK].tolist() if split else []
        size = int(s["ndecks"][q])
        tokens = {
            slot_text(slot): (int(s["marked"][q]) >> slot & 1) + 2 * (int(s["marked2"][q]) >> slot & 1)
            for slot in range(SLOTS)
            if (int(s["marked"][q]) | int(s["marked2"][q])) >> slot & 1
        }
        players.append(
            {
                "clans": [clan for k, clan in enumerate(CLANS) if int(s["clans"][q]) >> k & 1],
                "hand": faces(s["hand"][q]),
                "hand_size": int(s["hand_size"][q]),
                "known": faces(s["known"][q]),
                "picks": [],
                "points": int(s["points"][q]),
                "turns_left": None if left < 0 else left,
                "passed": bool(s["passed"][q]),
                "extra_turns": int(s["extra"]) if q == int(s["active"]) else 0,
                "turns_taken": int(s["taken"][q]),
                "army": army_rows(s, q, labels),
                "deck": order(deck[:size]),
                "deck_size": size,
                "pile_order": last_orders(state)[q],
                "shuffles": int(s["shuffled"][q]),
                "discard_pile": faces(s["discard"][q]),
                "tokens": {
                    "ready": int(s["tokens"][q]), "spent": int(s["spent"][q]), "locked": int(s["locked"][q]), "on": tokens,
                },
                "ethereal": [slot_text(slot) for slot in range(SLOTS) if int(s["ether"][q]) >> slot & 1],
                "this_turn": {word: int(s["tally"][q, k]) for k, word in enumerate(TALLY)},
            }
        )  # fmt: skip
    viewer, over, bounty = int(s["viewer"]), bool(s["over"]), int(s["bounty"])
    return {
        "round": int(s["rnd"]),
        "mover": int(s["mover"]),
        "kind": KINDS[int(s["kind"])],
        "first": int(s["first"]),
        "active": int(s["active"]),
        "advantage": int(s["adv"]),
        "decisions": int(s["decisions"]),
        "over": over,
        "reason": REASONS[int(s["reason"])],
        "viewer": None if viewer < 0 else viewer,
        "players": players,
        "wonder": None if int(s["wonder"]) < 0 else int(s["wonder"]),
        "bounty": None if bounty < 0 else f"p{bounty // SLOTS} {slot_text(bounty % SLOTS)}",
        "tiles": [clan for k, clan in enumerate(CLANS) if int(s["tiles"]) >> k & 1] if split else [],
        "draft": [CLANS[int(k) - 1] for k in s["picks"] if k > 0],
        "additional": not bool(s["regular"]),
        "shown": next((n for n in map(int.bit_count, reversed(s["shown"].tolist())) if n), 0),
        "removed": faces(s["removed"][0]),
        "draw_pile": [label for player in players for label in player["deck"] if label is not None],
        "draw_pile_size": sum(player["deck_size"] for player in players),
        "pile_order": state.pile_order,
        "shuffles": int(s["shuffles"]),
        "discard_pile": sorted(face for player in players for face in player["discard_pile"]),
        "set_aside": faces(s["aside"][0]),
        "power": text_at_work(state),
        "returns": state.returns.tolist() if over else None,
        "shares": state.shares.tolist() if over else None,
    }
