"""A position as plain data: lists, numbers and card names (the contract is in docs/rulings-epic-death.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gosu_rl.core.cards.epic_schema import TERRAINS, EpicSet
from gosu_rl.core.copies import members
from gosu_rl.core.epic_death.rules import chosen_field
from gosu_rl.core.epic_death.state import (
    ACTION,
    FROM_CARD,
    FROM_LAND,
    KINDS,
    NO_FIGHT,
    ON_LAND,
    PHASES,
    REASONS,
    RUN,
)

if TYPE_CHECKING:
    from gosu_rl.core.game import Game, GameState


def epic_set(game: Game) -> EpicSet:
    """The card set of a game of Epic Death."""
    assert isinstance(game.card_set, EpicSet)
    return game.card_set


def land_labels(game: Game) -> list[str]:
    """The name of every copy of a Land."""
    return [land.label for land in epic_set(game).lands for _ in range(land.copies)]


def space_labels(game: Game) -> tuple[str, ...]:
    """The name of every space of the layout in force."""
    return chosen_field(game.card_set, game.rules, game.players).labels


def effect_at_work(state: GameState) -> dict[str, Any] | None:
    """The card, Land or Leader whose step is pending, that step, and whom it is about; None where there is none."""
    s, game = state.record[0], state.game
    for k in reversed(range(int(s["sp"]))):
        op, _, a, source, index, subject = s["stack"][k].tolist()
        if op == ACTION:
            return None
        if op == RUN:
            entry, steps, start = _program(game, source, index)
            if not steps:
                return None
            done = max(0, a - start - 1)
            return {"card": entry, "step": steps[min(done, len(steps) - 1)], "subject": subject}
    return None


def _program(game: Game, source: int, index: int) -> tuple[str, tuple[str, ...], int]:
    """Name, steps and first row of what a RUN frame carries out."""
    cards, rules = epic_set(game), game.R[0]
    if source == FROM_CARD:
        face = index % len(cards.cards)
        return cards.cards[face].label, cards.cards[face].steps, int(rules["prog"][face])
    if source == FROM_LAND:
        land = cards.lands[int(rules["land_face"][index])]
        return land.label, (*land.icons, *land.text), int(rules["land_prog"][index])
    return cards.leaders[index].label, cards.leaders[index].ability, int(rules["leader_prog"][index])


def known_hand(state: GameState, seat: int) -> list[str]:
    """Faces that the viewer knows to be in a hand, sorted; of a full state the whole hand.

    His own, what was taken back for all to see, what was stolen between the two, and, where all cards that he cannot place
    lie in that hand (an empty deck, or an older shuffle), those too.
    """
    s = state.record[0]
    labels = [card.label for card in state.game.card_set.cards] * 2
    found = members(s["hand"][seat])
    viewer = state.viewer
    if viewer is not None and viewer != seat:
        found = found + _by_elimination(state, seat, viewer)
    return sorted(labels[c] for c in found)


def _by_elimination(state: GameState, seat: int, viewer: int) -> list[int]:
    """Copies that can only be in a hand: all places that hold their epoch are in it (with other hands of its class there is
    no telling)."""
    s, n = state.record[0], state.game.players
    hidden = iter(s["hidden"].tolist())
    places: list[tuple[int, int]] = []  # (class, epoch) of every card that the viewer cannot place in a hand
    for group in range(n):
        for q in range(n):
            if q != viewer and int(s["mixed"][q]) == group:
                unknown = int(s["hand_size"][q]) - len(members(s["hand"][q]))
                places += [(group, next(hidden)) for _ in range(unknown)]
    mine = int(s["mixed"][seat])
    sharing = [
        q
        for q in range(n)
        if q not in (seat, viewer)
        and int(s["mixed"][q]) == mine
        and int(s["hand_size"][q]) > len(members(s["hand"][q]))
    ]
    if sharing:
        return []
    pinned = {k for group, k in places if group == mine} - {k for group, k in places if group != mine}
    if int(s["ndeck"]) > 0:
        pinned.discard(int(s["era"]))
    seen = set(members(s["discard"][0])) | set(members(s["aside"][0]))
    for q in range(n):
        seen.update(members(s["hand"][q]), members(s["army"][q]))
    return [c for c in range(state.game.card_set.copies) if c not in seen and int(s["epoch"][c]) in pinned]


def describe(state: GameState) -> dict[str, Any]:
    """The whole record as plain data (docs/rulings-epic-death.md); hidden things are absent from a view's.

    Four entries say less than one may think. `back` is only that of an Army on a Land: elsewhere nothing sends it back (E22).
    `peeked` names seats only while that Land lies face down. `combat` is None as soon as all tosses are done, with what is
    played after them: also when the loser flees, and at the end of the game. `effect` is the innermost step that is being
    carried out, also while a Fray goes on that it caused by a `move`, and None while an Action waits to be answered: it
    has not begun.
    """
    s, game = state.record[0], state.game
    cards = epic_set(game)
    labels = [card.label for card in cards.cards] * 2
    lands, spaces = land_labels(game), space_labels(game)
    faces = len(cards.cards)
    n = int(s["n"])
    viewer = int(s["viewer"])

    def names(words: Any) -> list[str]:
        return sorted(labels[c] for c in members(words))

    players = []
    for q in range(n):
        army = members(s["army"][q])
        known = ~0
        for p in range(n):
            if p != q:
                known &= _whole(s["known"][p])
        players.append(
            {
                "leader": cards.leaders[int(s["leader"][q])].label,
                "ability_used": bool(s["used"]) and q == int(s["active"]),
                "hand": names(s["hand"][q]),
                "hand_size": int(s["hand_size"][q]),
                "known": sorted(labels[c] for c in members(s["hand"][q]) if known >> c & 1),
                "tokens": int(s["tokens"][q]),
                "heroes": sorted(labels[c] for c in army if cards.cards[c % faces].kind == "hero"),
                "machines": [[labels[c], int(s["crew"][c])] for c in army if cards.cards[c % faces].kind == "machine"],
                "space": spaces[int(s["at"][q])],
                "back": spaces[int(s["back"][q])] if int(s["back"][q]) >= 0 else None,
                "conquest": [lands[c] for c in s["pile"][q].tolist() if c >= 0],
                "points": int(s["points"][q]),
                "no_combat": bool(s["no_combat"][q]),
                "guarded": bool(s["guarded"][q]),
                "fought": [p for p in range(n) if int(s["fought"][q]) >> p & 1],
            }
        )
    deck = [c for c in s["deck"].tolist() if c >= 0]
    over = bool(s["over"])
    return {
        "round": int(s["rnd"]),
        "mover": int(s["mover"]),
        "kind": KINDS[int(s["kind"])],
        "first": int(s["adv"]),
        "active": int(s["active"]),
        "advantage": int(s["adv"]),
        "phase": PHASES[int(s["phase"])],
        "decisions": int(s["decisions"]),
        "over": over,
        "reason": REASONS[int(s["reason"])],
        "viewer": None if viewer < 0 else viewer,
        "layout": cards.layouts[game.rules["layout"] - 1].name,
        "pool": int(s["pool"]),
        "frayed": bool(s["frayed"]),
        "players": players,
        "field": _field(game, s, lands, spaces),
        "spaces": list(spaces),
        "towns_left": int(s["towns"]),
        "box": _box(game, s, lands) if viewer < 0 else None,
        "draw_pile": [labels[c] for c in reversed(deck[: int(s["ndeck"])])],
        "draw_pile_size": int(s["ndeck"]),
        "pile_order": [labels[c] for c in reversed(deck)],
        "shuffles": int(s["shuffles"]),
        "discard_pile": names(s["discard"][0]),
        "set_aside": names(s["aside"][0]),
        "combat": _combat(s, spaces, labels),
        "coins": [bool(int(s["coins"][i >> 6]) >> (i & 63) & 1) for i in range(int(s["ncoins"]))],
        "stolen": [labels[c] for c in s["stolen"].tolist() if c >= 0],
        "dropped": [labels[c] for c in s["dropped"].tolist() if c >= 0],
        "effect": effect_at_work(state),
        "returns": state.returns.tolist() if over else None,
        "shares": state.shares.tolist() if over else None,
    }


def dealt(state: GameState) -> dict[str, Any]:
    """What a deal holds besides hands and deck, for the record of a game."""
    facts = describe(state)
    return {
        "leaders": [player["leader"] for player in facts["players"]],
        "starts": [player["space"] for player in facts["players"]],
        "field": {space: land["land"] for space, land in facts["field"].items()},
        "box": facts["box"],
    }


def chance_events(state: GameState) -> list[dict[str, Any]]:
    """Coins, thefts and random discards of the last step, as lines of a record.

    `between` are the seats that know where a stolen card is; a random discard ("drop") all see.
    """
    s = state.record[0]
    events: list[dict[str, Any]] = []
    count = int(s["ncoins"])
    if count:
        coins = (int(s["coins"][i >> 6]) >> (i & 63) & 1 for i in range(count))
        events.append({"event": "toss", "coins": "".join("-+"[coin] for coin in coins)})
    labels = [card.label for card in state.game.card_set.cards] * 2
    for c in (c for c in s["stolen"].tolist() if c >= 0):
        word, bit = c >> 6, c & 63
        knowing = [
            q for q in range(state.game.players) if (int(s["hand"][q, word]) | int(s["known"][q, word])) >> bit & 1
        ]
        events.append({"event": "theft", "cards": [labels[c]], "between": knowing})
    dropped = [labels[c] for c in s["dropped"].tolist() if c >= 0]
    if dropped:
        events.append({"event": "drop", "cards": dropped})
    return events


def _whole(words: Any) -> int:
    return int(words[0]) | int(words[1]) << 64


def _field(game: Game, s: Any, lands: list[str], spaces: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    found = {}
    for space, label in enumerate(spaces):
        if int(s["lands"]) >> space & 1:
            land = int(s["land"][space])
            found[label] = {
                "terrain": TERRAINS[int(game.R["terrain"][0][space])],
                "land": lands[land] if land >= 0 else None,
                "face_up": bool(int(s["face_up"]) >> space & 1),
                "peeked": [q for q in range(int(s["n"])) if int(s["peeked"][q]) >> space & 1],
            }
    return found


def _box(game: Game, s: Any, lands: list[str]) -> dict[str, list[str]]:
    out = {c for c in s["land"].tolist() if c >= 0} | {c for c in s["pile"].ravel().tolist() if c >= 0}
    box: dict[str, list[str]] = {terrain: [] for terrain in TERRAINS}
    for copy, label in enumerate(lands):
        if copy not in out:
            box[TERRAINS[int(game.R["terrain_of"][0][copy])]].append(label)
    return {terrain: sorted(labels) for terrain, labels in box.items()}


def _combat(s: Any, spaces: tuple[str, ...], labels: list[str]) -> dict[str, Any] | None:
    if int(s["fight"]) == NO_FIGHT:
        return None
    on_land = int(s["fight"]) == ON_LAND
    n = int(s["n"])
    return {
        "kind": "land" if on_land else "fray",
        "fighters": [int(s["attacker"])] if on_land else [int(s["attacker"]), int(s["defender"])],
        "space": spaces[int(s["at"][int(s["attacker"])])],
        "attack_change": {q: int(s["attack_plus"][q]) for q in range(n) if int(s["attack_plus"][q])},
        "defense_change": int(s["defense_plus"]),
        "fallen": {q: int(s["fallen"][q]) for q in range(n) if int(s["fallen"][q])},
        "extra_tosses": {q: int(s["extra_tosses"][q]) for q in range(n) if int(s["extra_tosses"][q])},
        "off": sorted(labels[c] for c in members(s["off"][0])),
    }
