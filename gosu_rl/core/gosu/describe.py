"""A position as plain data: lists, numbers and face labels (the contract is `as_dict` in docs/architecture.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gosu_rl.core.cards.schema import ALL_TRIGGERS
from gosu_rl.core.copies import members
from gosu_rl.core.gosu.actions import slot_text
from gosu_rl.core.gosu.numbers import TRAITS
from gosu_rl.core.gosu.rules import BEGIN
from gosu_rl.core.gosu.state import COLUMNS, KINDS, REASONS, ROWS, RUN, SLOTS

if TYPE_CHECKING:
    from gosu_rl.core.game import GameState


POWER_KINDS = ("offer", "destroy", "trap", "swap", "swap_with", "victim", "discard", "keep", "return", "regain")


def power_at_work(state: GameState) -> dict[str, str] | None:
    """The power that the pending decision belongs to and its card, both public; None where there is none."""
    s, game = state.record[0], state.game
    if KINDS[int(s["kind"])] not in POWER_KINDS:
        return None
    for k in reversed(range(int(s["sp"]))):
        op, _, pc, copy, trigger, _ = s["stack"][k].tolist()
        if op == RUN:
            f = copy % len(game.card_set.cards)
            card = game.card_set.cards[f]
            start = int(game.R["prog"][0][f, trigger])
            begun = int((game.R["code"][0][start:pc, 0] == BEGIN).sum())  # the last one begun is at work
            return {"card": card.label, "name": getattr(card, ALL_TRIGGERS[trigger])[begun - 1]} if begun else None
    return None


def known_hand(state: GameState, seat: int) -> list[str]:
    """Faces that the viewer knows to be in a hand, sorted: his own, those shown to all, and those that elimination leaves there.

    Elimination works on epochs (view.py): if all places that hold a shuffle's cards lie in one hand, so do its unseen cards.
    """
    s, viewer = state.record[0], state.viewer
    labels = [card.label for card in state.game.card_set.cards] * 2
    if viewer is None or viewer == seat:
        return sorted(labels[c] for c in members(s["hand"][seat]))
    places: list[tuple[int, int]] = []  # (seat, epoch) of every card that the viewer cannot place in a hand
    hidden = iter(s["hidden"].tolist())
    for q in range(state.game.players):
        if q != viewer:
            unknown = int(s["hand_size"][q]) - len(members(s["known"][q]))
            places += [(q, next(hidden)) for _ in range(unknown)]
    pinned = {k for q, k in places if q == seat} - {k for q, k in places if q != seat}
    if int(s["ndeck"]) > 0:
        pinned.discard(int(s["era"]))
    seen = {int(c) for c in s["army"].ravel() if c >= 0}
    for words in (s["discard"][0], s["aside"][0], s["revealed"][0], s["hand"][viewer], *s["known"]):
        seen.update(members(words))
    found = [c for c in range(state.game.card_set.copies) if c not in seen and int(s["epoch"][c]) in pinned]
    return sorted(labels[c] for c in found + members(s["known"][seat]))


def army_rows(s: Any, q: int, labels: list[str]) -> list[list[tuple[str, bool]]]:
    """(face, trapped) of an army's cards, row by row."""
    slots, trapped, rows = s["army"][q].tolist(), int(s["trapped"][q]), s["rows"][q].tolist()
    return [
        [
            (labels[slots[slot]], bool(trapped >> slot & 1))
            for slot in range(COLUMNS * row, COLUMNS * row + rows[row])
            if slots[slot] >= 0  # not one left empty by a game that ended between discard and arrival (G20)
        ]
        for row in range(ROWS)
    ]


def describe(state: GameState) -> dict[str, Any]:
    """The whole record as plain data; hidden things are absent from a view's."""
    s = state.record[0]
    labels = [card.label for card in state.game.card_set.cards] * 2  # first copies, then twins
    n = int(s["n"])

    def faces(words: Any) -> list[str]:
        return sorted([labels[c] for c in members(words)])

    players: list[dict[str, Any]] = []
    tokens = TRAITS[state.game.variant]["activation"]
    for q in range(n):
        left = int(s["turns_left"][q])
        players.append(
            {
                "hand": faces(s["hand"][q] & ~s["secret"][q]),  # opening discards already picked are listed apart
                "hand_size": int(s["hand_size"][q]) - int(s["picked"][q]),
                "known": faces(s["known"][q]),
                "picks": faces(s["secret"][q]),
                "points": int(s["points"][q]),
                "turns_left": None if left < 0 else left,
                "passed": bool(s["passed"][q]),
                "extra_turns": int(s["extra"]) if q == int(s["active"]) else 0,
                "turns_taken": int(s["taken"][q]),
                "army": army_rows(s, q, labels),
            }
        )
        if tokens:
            marked = int(s["marked"][q])
            players[-1]["tokens"] = {
                "ready": int(s["tokens"][q]),
                "spent": int(s["spent"][q]),
                "on": [slot_text(slot) for slot in range(SLOTS) if marked >> slot & 1],
            }
    deck = [c for c in s["deck"].tolist() if c >= 0]
    viewer = int(s["viewer"])
    over = bool(s["over"])
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
        "draw_pile": [labels[c] for c in reversed(deck[: int(s["ndeck"])])],
        "draw_pile_size": int(s["ndeck"]),
        "pile_order": [labels[c] for c in reversed(deck)],
        "shuffles": int(s["shuffles"]),
        "discard_pile": faces(s["discard"][0]),
        "set_aside": sorted(faces(s["aside"][0]) + faces(s["revealed"][0])),
        "power": power_at_work(state),
        "returns": state.returns.tolist() if over else None,
        "shares": state.shares.tolist() if over else None,
    }
