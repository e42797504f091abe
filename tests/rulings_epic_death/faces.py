"""The packaged set played face by face: rich positions, and what has to come of a card, reckoned from the words of its entry."""

from __future__ import annotations

from collections.abc import Sequence

from gosu_rl.core.cards.epic_schema import EpicSet, GoblinCard, Leader
from gosu_rl.core.cards.load import load
from gosu_rl.core.game import GameState

from .table import conserved, position

_loaded = load("epic_death")
assert isinstance(_loaded, EpicSet)
PACKAGED: EpicSet = _loaded
ABLE = [leader for leader in PACKAGED.leaders if leader.ability]
PLAIN, FOREIGN = ABLE[0].name, ABLE[1].name  # Leaders without a trait; nobody need use an ability
PLACES = {"Woods": "1.2", "River": "1.3", "Wall": "2.3", "Town": "3.3"}  # on the short field
TOWN = "3.3 (Town Hall)"  # some Town must be left
MENUS = {  # window -> phase and frames
    "a": ("A", "turns p0 stage=2; muster p0"),
    "b": ("B", "turns p0 stage=3; march p0"),
    "d": ("D", "turns p0 stage=5; regroup p0"),
}
CHOICES = ("victim", "lose", "discard", "step", "peek", "take", "flee")


def name_of(value: object) -> str:
    """What a case is called."""
    return getattr(value, "name", None) or str(value)


def of_kind(kind: str) -> list[GoblinCard]:
    """All faces of a kind."""
    return [card for card in PACKAGED.cards if card.kind == kind]


def spare(kind: str, count: int, *without: str) -> list[GoblinCard]:
    """Some faces of a kind without a trait, and other than those named."""
    return [card for card in of_kind(kind) if not card.trait and card.name not in without][:count]


def scene(*lines: str) -> GameState:
    """The position of these lines; p1 stands out of the way unless they say otherwise."""
    far = [] if any(line.startswith("p1:") for line in lines) else ["p1: at=4.1"]
    return position("\n".join([*lines, *far]))


def rich(
    card: str, phase: str, at: str, *rest: str, tokens: int = 12, theirs: int = 12, leader: str = PLAIN
) -> GameState:
    """Two Armies with some of everything; p0, at some space, holds the card. `rest`: the field, and frames."""
    actions, heroes, machines = spare("action", 5, card), spare("hero", 3, card), spare("machine", 3, card)
    return position(
        "\n".join(
            [
                f"now: phase={phase}",
                f"p0: at={at} tokens={tokens}",
                f"  leader: {leader}",
                f"  hand: {card}, {actions[0].name}",
                f"  army: {heroes[0].name}, {machines[0].name}:{machines[0].cost}",
                "  conquest: First Level Thief",
                f"p1: at=4.1 tokens={theirs}",
                f"  leader: {FOREIGN if leader != FOREIGN else PLAIN}",
                f"  hand: {', '.join(other.name for other in actions[1:4])}",
                f"  army: {heroes[1].name}, {machines[1].name}:{machines[1].cost}",
                "  conquest: First Level Thief/2",
                f"discard_pile: {heroes[2].name}, {machines[2].name}, {actions[4].name}",
                *rest,
            ]
        )
    )


def settle(state: GameState) -> GameState:
    """Take the first answer to every question of a step, and cancel nothing."""
    while state.kind in CHOICES or state.kind == "answer":
        state.apply("pass" if state.kind == "answer" else state.legal_labels[0])
    return state


def counts(state: GameState) -> dict[str, int]:
    """What steps can change, in numbers: of p0 and p1, of the combat, of what p0 has looked at."""
    facts = state.as_dict()
    fight = facts["combat"] or {"attack_change": {}, "defense_change": 0}
    found = {"defense": fight["defense_change"]}
    for seat in (0, 1):
        one = facts["players"][seat]
        found |= {f"{name} {seat}": len(one[name]) for name in ("heroes", "machines", "conquest", "known")}
        found |= {f"tokens {seat}": one["tokens"], f"hand {seat}": one["hand_size"]}
        found[f"attack {seat}"] = fight["attack_change"].get(seat, 0)
    found["peeked"] = sum(0 in place["peeked"] for place in facts["field"].values())
    return found


def reckoned(steps: Sequence[str]) -> dict[str, int]:
    """What these steps change, where there is enough of everything: p0 carries them out, p1 is whom he names."""
    change: dict[str, int] = {}

    def add(name: str, number: int) -> None:
        change[name] = change.get(name, 0) + number

    subject = 0
    for step in steps:
        word, operand = [*step.split(), "1"][:2]
        n = int(operand) if operand.lstrip("-").isdigit() else 1
        match word:
            case "choose":
                subject = 1
            case "gain":
                add(f"tokens {subject}", n)
            case "lose":
                add(f"tokens {subject}", -n)
            case "draw":
                add(f"hand {subject}", n)
            case "discard":
                add(f"hand {subject}", -n)
            case "lose_hero":
                add(f"heroes {subject}", -1)
            case "lose_machine":
                add(f"machines {subject}", -1)
            case "steal_token":
                add("tokens 0", n)
                add("tokens 1", -n)
            case "steal_card":
                add("hand 0", 1)
                add("hand 1", -1)
                add("known 0", 1)
            case "steal_conquest":
                add("conquest 0", 1)
                add("conquest 1", -1)
            case "attack":
                add(f"attack {subject}", n)
            case "defense":
                add("defense", n)
            case "peek":
                add("peeked", 1)
            case "take_back":
                add(f"hand {subject}", 1)
                add(f"known {subject}", 1)
            case "move" | "no_requirement":
                pass  # no number; the tests look at these themselves
            case _:
                raise AssertionError(f"no reckoning for {step!r}")
    return change


def check(state: GameState, before: dict[str, int], steps: Sequence[str], *, played: bool) -> None:
    """Just what the steps say has changed since then; `played`: a card has left p0's hand besides."""
    wanted = reckoned(steps)
    wanted["hand 0"] = wanted.get("hand 0", 0) - played
    after = counts(state)
    assert {name: after[name] - before[name] for name in after} == dict.fromkeys(after, 0) | wanted
    assert conserved(state)


def holding(entry: GoblinCard | Leader) -> list[str]:
    """Lines that give p0 this Hero, Machine with its crew, or Leader."""
    if isinstance(entry, Leader):
        return [f"  leader: {entry.name}"]
    crew = f":{entry.cost}" if entry.kind == "machine" else ""
    return [f"  leader: {PLAIN}", f"  army: {entry.name}{crew}"]
