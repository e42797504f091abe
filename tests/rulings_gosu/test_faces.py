"""Every face of the packaged set is played: its powers come up on their trigger, in order, and change what their steps say; every
Ôzeki bends its rule or wins by its condition. Each case is one position with plenty on the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import gosu_rl
from gosu_rl.core.cards.load import load
from gosu_rl.core.cards.schema import ALL_TRIGGERS, BENDS, Card
from gosu_rl.core.game import GameState

from .table import tokens

PACKAGED = load("gosu")
POWERS = dict(PACKAGED.powers)

pytestmark = pytest.mark.nojit


class Scene:
    """Seat 0 holds the Advantage token and is a point behind; seat 1 has an army with a trapped goblin and a hand of six."""

    def __init__(self, card: Card):
        self.card = card
        self.used = {card.label}
        self.name_list = [name for name in card.names if name != card.name]
        self.own_bakutos = [self.take(1, card.clan) for _ in range(2)]
        self.own_hero = self.take(2, card.clan)
        self.pile = [self.take(2, card.clan), self.take(1, card.clan), self.take(1), *self.name_list]

    def take(self, level: int, clan: str = "") -> str:
        """An unused face without powers that would interfere: none that departs, bends or wins."""
        for card in sorted(PACKAGED.cards, key=lambda card: card.clan == self.card.clan):  # its own clan's are few
            plain = not (card.departure or card.rule or card.win) or level == 3
            free = card.label not in self.used and card.label not in self.name_list
            if card.level == level and (not clan or card.clan == clan) and plain and free and not card.win:
                self.used.add(card.label)
                return card.label
        raise AssertionError(f"no free card of level {level} {clan}")

    def parse(self, hand: Iterable[str], rows: list[list[str]], spent: int = 1) -> GameState:
        mine = [f"  army {k}: {', '.join(row)}" for k, row in enumerate(rows, 1) if row]
        theirs = [[self.take(level) for _ in range(count)] for level, count in ((1, 4), (2, 2), (3, 1))]
        theirs[0][0] = f"({theirs[0][0]})"
        other = [f"  army {k}: {', '.join(row)}" for k, row in enumerate(theirs, 1)]
        text = [
            "gosu, 2 players",
            "now: advantage=p0",
            f"p0: tokens=1 spent={spent}",
            f"  hand: {', '.join(hand)}",
            *mine,
            "p1: points=1",
            f"  hand: {', '.join(self.take(1) for _ in range(6))}",
            *other,
            f"discard_pile: {', '.join(self.pile)}",
        ]
        return gosu_rl.game("gosu", 2).parse("\n".join(text))


def settle(state: GameState) -> list[str]:
    """Say yes to everything until the next turn; returns the powers that asked something, in order."""
    asked: list[str] = []
    while not state.over and state.kind not in ("turn", "use"):
        power = state.as_dict()["power"]
        if power and power["name"] not in asked[-1:]:
            asked.append(power["name"])
        labels = state.legal_labels
        theirs = [label for label in labels if label.startswith(("target p1", "player p1"))]
        if state.kind == "regain":
            theirs = ["regain"]
        state.apply((theirs or [label for label in labels if label != "decline"])[-1])
    return asked


def numbers(state: GameState) -> Counter[str]:
    """What powers move, counted."""
    plain = state.as_dict()
    mine, theirs = plain["players"]
    goblins = [one for row in theirs["army"] for one in row]
    return Counter(
        pile=-plain["draw_pile_size"],
        foe_hand=-theirs["hand_size"],
        foe_army=-len(goblins),
        foe_trapped=sum(trapped for _, trapped in goblins),
        known=len(mine["known"]),
        ready=mine["tokens"]["ready"],
        points=mine["points"],
        extra=mine["extra_turns"] + (state.mover == 0),
    )


def expected(powers: Iterable[str], state: GameState) -> Counter[str]:
    """What the steps of some powers move in a scene: the holder is behind, so brackets count and conditions hold."""
    moved: Counter[str] = Counter()
    clans = {PACKAGED.cards[f].clan for f in faces_up(state)}
    for power in powers:
        for step in POWERS[power]:
            word, *rest = step.split()
            amount = sum(int(text) for text in rest[-2:] if text.lstrip("+").isdigit()) if word != "reveal_keep" else 0
            if word == "draw":
                moved["pile"] += amount
            elif word == "draw_per_clan":
                moved["pile"] += len(clans)
            elif word == "reveal_keep":
                moved["pile"] += int(rest[0])
                moved["known"] += sum(int(text) for text in rest[1:])
            elif word == "victim_discards":
                moved["foe_hand"] += amount
            elif word == "all_discard_half":
                moved["foe_hand"] += 3
            elif word == "destroy":
                moved["foe_army"] += 1
            elif word in ("trap", "trap_or_release"):
                moved["foe_trapped"] += 1
            elif word == "take_back":
                moved["known"] += 1
            elif word == "regain_token":
                moved["ready"] += 1
            elif word == "victory_point":
                moved["points"] += amount
            elif word == "extra_turn":
                moved["extra"] += amount
            elif word == "fewest_points_draw":
                moved["pile"] += amount
    return moved


def faces_up(state: GameState) -> list[int]:
    labels = [card.label for card in PACKAGED.cards]
    return [labels.index(face) for row in state.as_dict()["players"][0]["army"] for face, trapped in row if not trapped]


def compare(before: Counter[str], state: GameState, powers: tuple[str, ...], spent_ready: int = 0) -> None:
    after = numbers(state)
    moved = Counter({key: after[key] - before[key] for key in after})
    wanted = expected(powers, state)
    if "fewest_points_draw 1" in {step for power in powers for step in POWERS[power]}:
        assert wanted["pile"] == 1  # only seat 0 has the fewest points
    for key in ("pile", "foe_hand", "foe_army", "known", "points"):
        assert moved[key] == wanted[key], (key, moved, wanted)
    assert moved["ready"] == wanted["ready"] - spent_ready
    if not wanted["foe_army"]:
        assert moved["foe_trapped"] == wanted["foe_trapped"]
    assert (state.mover == 0) == (wanted["extra"] > 0)


def with_powers(trigger: str) -> list[object]:
    return [pytest.param(card, id=card.label) for card in PACKAGED.cards if getattr(card, trigger)]


def below(scene: Scene, level: int) -> list[list[str]]:
    """Rows that let a card of this level and the scene's clan be played."""
    rows: list[list[str]] = []
    if level > 1:
        rows.append(list(scene.own_bakutos))
    if level > 2:
        rows.append([scene.own_hero])
    return rows


def asks(power: str) -> bool:
    """Whether a power puts any question."""
    return any(step.split()[0] not in ("draw", "if", "extra_turn", "take_advantage") for step in POWERS[power])


@pytest.mark.parametrize("card", with_powers("enter"))
def test_powers_on_coming_into_play(card: Card) -> None:
    scene = Scene(card)
    rows = below(scene, card.level)
    spent = 2 if "regain 2 tokens" in card.enter else 1
    state = scene.parse([card.label, scene.take(2), scene.take(2)], rows, spent)
    before = numbers(state)
    state.apply(f"play {card.label}")
    if state.kind == "use":
        state.apply("recruit")
    asked = settle(state)
    assert asked == [power for power in card.enter if asks(power)]
    compare(before, state, card.enter)
    if "advantage" in " ".join(card.enter):
        assert state.advantage == 0


@pytest.mark.parametrize("card", with_powers("mutate"))
def test_powers_on_mutation(card: Card) -> None:
    scene = Scene(card)
    rows = below(scene, card.level)
    newcomer = next(
        c.label
        for c in PACKAGED.cards
        if c.level == card.level and not c.enter and c.label not in scene.used and not c.departure and not c.win
    )
    scene.used.add(newcomer)
    rows.append([card.label])
    state = scene.parse([newcomer, *(scene.take(2) for _ in range(3))], rows)
    before = numbers(state)
    state.apply(f"play {newcomer}")
    if state.kind == "use":
        state.apply(f"replace {card.level}.1")
    asked = []
    while state.kind == "pay":
        state.apply(state.legal[0])
    asked += settle(state)
    assert asked == [power for power in card.mutate if asks(power)]
    compare(before, state, card.mutate)


@pytest.mark.parametrize("card", with_powers("activate"))
def test_activated_powers(card: Card) -> None:
    scene = Scene(card)
    rows = [*below(scene, card.level), [card.label]]
    state = scene.parse([scene.take(2), scene.take(2)], rows)
    before = numbers(state)
    state.apply(f"activate {card.level}.1")
    settle(state)
    compare(before, state, card.activate, spent_ready=1)
    assert tokens(state, 0)[2] == [f"{card.level}.1"]


@pytest.mark.parametrize("card", with_powers("departure"))
def test_powers_when_another_goblin_mutates(card: Card) -> None:
    scene = Scene(card)
    rows = below(scene, card.level)
    goes = next(c for c in PACKAGED.cards if c.level == 1 and c.mutation == 0 and c.label not in scene.used)
    scene.used.add(goes.label)
    comes = next(c for c in PACKAGED.cards if c.level == 1 and not c.enter and c.label not in scene.used)
    scene.used.add(comes.label)
    rows[0].insert(0, goes.label)
    rows.append([card.label])
    state = scene.parse([comes.label], rows)
    before = numbers(state)["pile"]
    state.apply(f"play {comes.label}")
    if state.kind == "use":
        state.apply("replace 1.1")
    drawn = numbers(state)["pile"] - before
    assert drawn == 1, "its card is drawn before the mutated goblin's own power is offered"


@pytest.mark.parametrize("card", with_powers("rule"))
def test_rules_bent_hold_while_the_ozeki_is_face_up(card: Card) -> None:
    scene = Scene(card)
    rows = [*below(scene, 3), [card.label]]
    state = scene.parse([scene.take(2)], rows)
    assert state.record["bent"][0, 0] == sum(1 << BENDS.index(bend) for bend in card.rule)
    hidden = state.game.parse(str(state).replace(f"army 3: {card.label}", f"army 3: ({card.label})", 1))
    assert hidden.record["bent"][0, 0] == 0


def test_walror_wins_once_garsh_fact_and_ideo_are_in_play_with_it() -> None:
    text = """gosu, 2 players
    p0:
      hand: {last}, Mumbler
      army 1: Sparkler, Kindling, Smudge, Cinderpup
      army 2: {heroes}
      army 3: {boss}
    p1:
      hand: Netter
    """
    game = gosu_rl.game("gosu", 2)
    state = game.parse(text.format(last="Ideo", heroes="Garsh, (Fact)", boss="Walror"))
    state.apply("play Ideo")
    if state.kind == "use":
        state.apply("recruit")
    assert (state.reason, state.shares.tolist()) == ("condition", [1, 0])
    trapped = game.parse(text.format(last="Ideo", heroes="Garsh, Fact", boss="(Walror)"))
    trapped.apply("play Ideo")
    if trapped.kind == "use":
        trapped.apply("recruit")
    assert not trapped.over


def test_every_ozeki_has_a_rule_or_a_condition_of_its_own() -> None:
    ozekis = [card for card in PACKAGED.cards if card.level == 3]
    own = [(card.rule, card.win) for card in ozekis]
    assert all(rule or win for rule, win in own)
    assert len(set(own)) == len(ozekis) == 15
    assert {bend for card in ozekis for bend in card.rule} == set(BENDS)


def test_every_face_is_played_by_a_test_here() -> None:
    """By a trigger of its own, as an Ôzeki, or named below: a face without any would be played by nothing."""
    for card in PACKAGED.cards:
        assert any(getattr(card, trigger) for trigger in (*ALL_TRIGGERS, "rule", "win")), card.label
