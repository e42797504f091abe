"""Plays one game in the compiled core and in the reference model side by side and compares all there is to see.

Chance is the core's. All that is read for it stands in the core's `as_dict()`:

- the deal, from the position before the first decision: `leader`, `hand` and `space` of every player, `field`, `box`,
  `draw_pile` (top first) and `advantage`;
- `shuffles` and `pile_order` after a decision: how the discard pile was shuffled while it was carried out. Of two
  reshuffles within one decision only the last one's order shows; such a game is left early (`unresolved`);
- `coins` after a decision: every token tossed while it was carried out, in order, True for alive;
- `stolen` and `dropped` after a decision: the cards stolen, and discarded at random, meanwhile, in order.

The model takes exactly what it needs of these and complains when something is missing or left over; deal and shuffles are
checked against the rules. Two things cannot be told from names: in which order the Machines of an Army are listed and
tossed (by copy numbers, E47: `_adopt_order` takes the order that the core shows; where a Machine is tossed in the decision that
brings it into play, the game is left early), and which of two alike cards known to different players left a hand (E45: a random
one; the game is left early).

Where the contract does not say how a position is spelled, the model follows the core (`EpicGame.as_dict`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import gosu_rl
from tests.reference import trial  # this way under pytest and as a program
from tests.reference.trial import (
    VIEW_EVERY,
    WORLD_EVERY,
    Tally,
    difference,
    face_fault,
    mismatch,
    round_fractions,
)

from .card_sets import write_set
from .cards import CardSet, read_card_set, space_of
from .model import Deal, EpicGame, deal_game
from .policies import POLICIES
from .worlds import view_fault, world_fault

PACKAGED = "epic_death"


class Case(trial.Case):
    """A case whose `command` names this package's fuzzer."""

    fuzzer = "tests.reference_epic.fuzz"


class CoreChance:
    """Gives out what the core came to while it carried out the last decision."""

    def __init__(self) -> None:
        self.orders: list[list[str]] = []
        self.coins: list[bool] = []
        self.stolen: list[str] = []
        self.dropped: list[str] = []

    def load(self, position: dict[str, Any], shuffled: int) -> None:
        self.orders = [list(position["pile_order"])] if shuffled else []
        self.coins = [bool(coin) for coin in position["coins"]]
        self.stolen = list(position["stolen"])
        self.dropped = list(position["dropped"])

    @property
    def left_over(self) -> str:
        """What the core did and the model did not; empty if nothing."""
        return ", ".join(name for name in ("orders", "coins", "stolen", "dropped") if getattr(self, name))

    def shuffle(self, cards: list[str]) -> list[str]:
        if not self.orders:
            raise AssertionError(f"the model shuffles {cards} where the core does not shuffle")
        order = self.orders.pop(0)
        if sorted(order) != sorted(cards):
            raise AssertionError(f"the core shuffled {sorted(order)}, by the rules these are to be shuffled: {cards}")
        return order

    def coin(self) -> bool:
        if not self.coins:
            raise AssertionError("the model tosses a token more than the core")
        return self.coins.pop(0)

    def steal(self, hand: list[str]) -> str:
        if not self.stolen:
            raise AssertionError("the model steals a card where the core does not")
        name = self.stolen.pop(0)
        if name not in hand:
            raise AssertionError(f"the core steals {name}, which is not in the hand {hand}")
        return name

    def drop(self, hand: list[str]) -> str:
        if not self.dropped:
            raise AssertionError("the model discards a card at random where the core does not")
        name = self.dropped.pop(0)
        if name not in hand:
            raise AssertionError(f"the core discards {name}, which is not in the hand {hand}")
        return name


def packaged_file() -> Path:
    """The card file that comes with the package."""
    return Path(gosu_rl.__file__).parent / "core" / "cards" / "sets" / f"{PACKAGED}.toml"


def set_file(case: Case, folder: Path) -> Path:
    """The case's card file, written into `folder` (once) if it is a set of our own."""
    if case.style == PACKAGED:
        return packaged_file()
    path = folder / f"{case.style}-{case.set_seed}.toml"
    if not path.exists():
        write_set(path, case.style, case.set_seed)
    return path


@lru_cache(maxsize=256)
def _game(path: Path, players: int, rules: tuple[tuple[str, int], ...]) -> tuple[Any, CardSet]:
    """Core and cards of a card file, which is read once by each."""
    cards = {} if path.stem == PACKAGED else {"cards": str(path)}
    return gosu_rl.game("epic_death", players=players, rules=dict(rules), **cards), read_card_set(path)


def deal_of(position: dict[str, Any]) -> Deal:
    """The deal that a position before the first decision shows."""
    seats = position["players"]
    return Deal(
        leaders=[seat["leader"] for seat in seats],
        hands=[list(seat["hand"]) for seat in seats],
        starts=[space_of(seat["space"]) for seat in seats],
        field={space_of(space): plot["land"] for space, plot in position["field"].items()},
        box={terrain: list(names) for terrain, names in position["box"].items()},
        draw_pile=list(position["draw_pile"]),
        first=position["advantage"],
    )


def play(case: Case, folder: Path) -> Tally:
    """One game to its end; raises MismatchError at the first difference."""
    game, cards = _game(set_file(case, folder), case.players, case.rules)
    core = game.new(seed=case.seed)
    position = core.as_dict()
    chance = CoreChance()
    try:
        model = deal_game(cards, deal_of(position), chance, dict(case.rules))
    except ValueError as error:
        raise mismatch(case, [], f"the deal is not lawful: {error}") from error
    choose = POLICIES[case.policy]
    random = Random(f"{case.seed} {case.policy}")
    looks = Random(f"{case.seed} views")
    tally = Tally(games=1, situations=model.table.seen)
    log: list[str] = []
    while True:
        _compare(case, core, position, model, log)
        _look(case, core, model, log, looks, tally)
        if position["over"]:
            break
        label = choose(random, model)
        log.append(f"{tally.decisions}: p{model.mover} {model.kind}: {label}")
        tally.decisions += 1
        tally.kinds[model.kind] += 1
        core.apply(label)
        shuffles = position["shuffles"]
        position = core.as_dict()
        shuffled = position["shuffles"] - shuffles
        tally.shuffles += shuffled
        if shuffled > 1:
            tally.unresolved += 1
            return tally
        chance.load(position, shuffled)
        if chance.coins and _builds_beside_another(model, label):
            tally.unresolved += 1
            return tally
        try:
            model.apply(label)
        except Exception as error:
            raise mismatch(case, log, f"the model cannot follow: {error!r}") from error
        if chance.left_over:
            raise mismatch(case, log, f"the model has no use for the core's {chance.left_over}")
        if model.table.blurred:
            tally.unresolved += 1
            return tally
        _adopt_order(model, position)
    tally.reasons[position["reason"]] += 1
    return tally


def _builds_beside_another(model: EpicGame, label: str) -> bool:
    """Whether this decision brings a Machine into an Army that has one. The core has not shown yet in which order the two are
    listed, and so not either, where tosses follow at once, whose crew is tossed first (E47)."""
    word, _, name = label.partition(" ")
    if word != "play" or model.table.cards.cards[name].kind != "machine":
        return False
    return bool(model.table.seats[model.mover].machines)


def _adopt_order(model: EpicGame, position: dict[str, Any]) -> None:
    """Puts the Machines of the model's Armies into the order that the core shows (E47)."""
    for seat, shown in zip(model.table.seats, position["players"], strict=True):
        left = list(seat.machines)
        order = []
        for name, crew in shown["machines"]:
            machine = next((mine for mine in left if (mine.name, mine.crew) == (name, crew)), None)
            if machine is None:
                return  # not the same Machines: the comparison will tell
            left.remove(machine)
            order.append(machine)
        if not left:
            seat.machines[:] = order


def _compare(case: Case, core: Any, position: dict[str, Any], model: EpicGame, log: list[str]) -> None:
    wanted = comparable(model.as_dict() | {"legal": sorted(model.legal)})
    found = comparable(position | {"legal": sorted(core.legal_labels)})  # a label named twice would differ
    if found != wanted:
        raise mismatch(case, log, difference(wanted, found))
    if fault := face_fault(core, wanted):
        raise mismatch(case, log, fault)


def _look(case: Case, core: Any, model: EpicGame, log: list[str], chance: Random, tally: Tally) -> None:
    """Now and then at what one seat sees, and at what it may imagine."""
    viewer = chance.randrange(case.players)
    if chance.random() < 1 / VIEW_EVERY:
        tally.views += 1
        wanted, found = (comparable(side) for side in view_fault(core, model, viewer))
        if found != wanted:
            raise mismatch(case, log, f"the view of p{viewer}:\n{difference(wanted, found)}")
    if chance.random() < 1 / WORLD_EVERY:
        tally.worlds += 1
        if fault := world_fault(core, model, viewer, chance.getrandbits(32)):
            raise mismatch(case, log, fault)


def comparable(position: dict[str, Any]) -> dict[str, Any]:
    """The same position in one spelling: plain lists, orders that mean nothing sorted, changes of 0 left out."""
    plain = dict(position)
    round_fractions(plain)
    plain["coins"] = [bool(coin) for coin in plain["coins"]]
    plain["spaces"] = sorted(plain["spaces"], key=space_of)
    if plain["box"] is not None:
        plain["box"] = {terrain: sorted(names) for terrain, names in plain["box"].items() if names}
    plain["players"] = [
        seat | {"machines": [list(machine) for machine in seat["machines"]]} for seat in plain["players"]
    ]
    combat = plain["combat"]
    if combat is not None:
        counts = {
            name: {int(seat): number for seat, number in combat[name].items() if number}
            for name in ("attack_change", "fallen", "extra_tosses")
        }
        plain["combat"] = combat | counts | {"fighters": list(combat["fighters"])}
    return plain
