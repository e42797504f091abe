"""The model on the rulebook's own statements: opening, recruiting, mutating, links, turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli_w

from .model import ReferenceGame
from .scenes import apply_all, card, plain_cards, rows, scene
from .tactics import TacticsGame

SPARE = ["Méka o1", "Méka o2", "Méka o3"]  # cards to pay with that cannot be played


def start(folder: Path, hands: list[list[str]], pile: list[str], **rules: int) -> ReferenceGame:
    """A game from its very beginning; the set is exactly the cards given."""
    used = [label for cards in [*hands, pile] for label in cards]
    entries = [dict(entry, copies=used.count(entry["name"])) for entry in plain_cards() if entry["name"] in used]
    path = folder / "start.toml"
    path.write_text(tomli_w.dumps({"format": 1, "card": entries}), encoding="utf-8")
    return TacticsGame(path, len(hands), hands, pile, 1, lambda cards: sorted(cards, reverse=True), rules)


# --- opening ---------------------------------------------------------------------------------------------------


@pytest.mark.ruling("T2")
def test_redraw_only_without_a_bakuto_and_as_often_as_needed(tmp_path: Path) -> None:
    hands = [["Fire b1", "Fire h1"], ["Fire h2", "Fire h3"]]
    game = start(tmp_path, hands, ["Dark h1", "Dark h2", "Dark h3", "Dark b1", "Alpha h1"], deal=2, keep=1)
    assert (game.mover, game.kind, game.legal) == (1, "mulligan", {"keep", "redraw"})  # the Advantage holder first
    game.apply("redraw")
    assert game.table.seats[1].hand == ["Dark h1", "Dark h2"]
    assert game.table.discard_pile == ["Fire h2", "Fire h3"]
    assert game.legal == {"keep", "redraw"}
    game.apply("redraw")
    assert game.table.seats[1].hand == ["Dark h3", "Dark b1"]
    assert (game.mover, game.legal) == (1, {"keep"})  # T41: put all the same
    game.apply("keep")
    assert (game.mover, game.legal) == (0, {"keep"})


@pytest.mark.ruling("T41")
def test_mulligans_end_at_the_limit(tmp_path: Path) -> None:
    hands = [["Fire b1"], ["Fire h2"]]
    game = start(tmp_path, hands, ["Dark h1", "Dark h2", "Dark h3"], deal=1, keep=1, max_mulligans=2)
    assert apply_all(game, "redraw", "redraw").legal == {"keep"}


@pytest.mark.ruling("T3")
def test_opening_discards_show_together(tmp_path: Path) -> None:
    hands = [["Fire b1", "Fire b2", "Fire h1"], ["Dark b1", "Dark b2", "Dark h1"]]
    game = start(tmp_path, hands, ["Alpha h1"], deal=3, keep=1)
    apply_all(game, "keep", "keep")
    assert (game.mover, game.kind) == (1, "opening")
    apply_all(game, "discard Dark h1", "discard Dark b2", "discard Fire h1")
    assert game.table.discard_pile == []
    assert game.as_dict()["players"][1]["picks"] == ["Dark b2", "Dark h1"]
    game.apply("discard Fire b1")
    assert sorted(game.table.discard_pile) == ["Dark b2", "Dark h1", "Fire b1", "Fire h1"]
    assert (game.mover, game.kind) == (1, "turn")


# --- recruiting ------------------------------------------------------------------------------------------------


@pytest.mark.ruling("T8")
@pytest.mark.parametrize(
    ("army", "free"),
    [
        ([], True),  # the first goblin
        ([["Fire b1"]], False),
        ([["Fire b1", "Dark b1"]], True),
        ([["*Dark b1"]], False),  # trapped: no clan, but an army
        ([["Fire b1", "*Dark b1"]], False),
    ],
)
def test_cost_of_a_bakuto(tmp_path: Path, army: list[list[str]], free: bool) -> None:
    game = scene(tmp_path, [["Dark b2", *SPARE], []], [army])
    assert game.legal == {"pass", "play Dark b2"}
    game.apply("play Dark b2")
    assert (game.kind == "pay") is not free
    if not free:
        assert game.table.set_aside == ["Dark b2"]
        apply_all(game, "discard Méka o1", "discard Méka o2")
        assert game.table.discard_pile == ["Méka o1", "Méka o2"]
    assert rows(game, 0)[0][-1] == "Dark b2"
    poor = scene(tmp_path, [["Dark b2", "Méka o1"], []], [army])
    assert ("play Dark b2" in poor.legal) is free


@pytest.mark.ruling("T42")
def test_paying_with_the_whole_hand_is_not_asked(tmp_path: Path) -> None:
    game = scene(tmp_path, [["Dark b2", "Méka o1", "Méka o2"], []], [[["Fire b1"]]])
    game.apply("play Dark b2")
    assert rows(game, 0)[0] == ["Fire b1", "Dark b2"]
    assert game.table.seats[0].hand == []
    assert (game.mover, game.kind, game.legal) == (1, "turn", {"pass"})


@pytest.mark.ruling("T9")
@pytest.mark.parametrize(
    ("army", "named"),
    [
        ([], {"Fire b2"}),
        ([["Fire b1"]], {"Fire b2", "Fire h2"}),
        ([["Fire b1"], ["Fire h1"]], {"Fire b2", "Fire o2"}),  # one Bakuto carries one Hero
        ([["Fire b1", "Dark b1"], ["Fire h1"]], {"Fire b2", "Fire h2", "Fire o2"}),
        ([["*Fire b1", "Dark b1"], ["Fire h1"]], set()),  # the Bakuto of the clan is trapped, and two cannot be paid
        ([["Fire b1", "Dark b1"], ["*Fire h1"]], {"Fire b2", "Fire h2"}),  # trapped, it still counts as a card
        ([["Fire b1", "Dark b1"], ["Dark h1"]], {"Fire b2", "Fire h2"}),  # no Fire Hero for the Ozeki
        ([["Fire b1", "Fire b2", "Fire b3", "Fire b4", "Fire b5"]], {"Fire h2"}),  # the row is full (T40)
    ],
)
def test_who_may_be_recruited(tmp_path: Path, army: list[list[str]], named: set[str]) -> None:
    for name in ("Fire b2", "Fire h2", "Fire o2"):
        game = scene(tmp_path, [[name, "Méka o1"], []], [army])
        assert (f"play {name}" in game.legal) is (name in named)


# --- mutating --------------------------------------------------------------------------------------------------

MUTANT = card("Mutant", "Fire", 1, mutation=1, copies=2)
MUTANT_X = card("Mutant", "Fire", 1, mutation=0, x=True, link=["draw"])
ZOMBIE = card("Zombie", "Dark", 2, mutation=2, zombie=True)


@pytest.mark.ruling("T10")
def test_no_mutation_into_the_same_name_nor_of_a_trapped_goblin(tmp_path: Path) -> None:
    full = ["Mutant", "Dark b1", "Dark b2", "Dark b3", "Dark b4"]
    hand = ["Mutant", "Mutant X", "Fire h1", "Alpha b1", *SPARE]
    game = scene(tmp_path, [hand, []], [[full]], special=[MUTANT, MUTANT_X])
    assert game.legal == {"pass", "play Alpha b1", "play Fire h1"}  # the Hero by recruiting
    full[0] = "*Mutant"
    game = scene(tmp_path, [hand, []], [[full]], special=[MUTANT, MUTANT_X])
    assert game.legal == {"pass"}


@pytest.mark.ruling("T47")
def test_the_card_comes_first_then_its_use_then_payment(tmp_path: Path) -> None:
    game = scene(tmp_path, [["Alpha b1", *SPARE], []], [[["Mutant", "Mutant X"]]], special=[MUTANT, MUTANT_X])
    game.apply("play Alpha b1")
    assert (game.kind, game.legal) == ("use", {"recruit", "replace 1.1", "replace 1.2"})
    assert game.table.set_aside == ["Alpha b1"]
    game.apply("replace 1.1")
    assert (game.kind, game.legal) == ("pay", {f"discard {name}" for name in SPARE})
    game.apply("discard Méka o2")
    assert rows(game, 0)[0] == ["Alpha b1", "Mutant X"]
    assert game.table.discard_pile == ["Méka o2", "Mutant"]


@pytest.mark.ruling("T47")
def test_a_replacement_needs_the_cost_besides_itself(tmp_path: Path) -> None:
    game = scene(tmp_path, [["Alpha b1"], []], [[["Mutant"]]], special=[MUTANT, MUTANT_X])
    assert game.legal == {"pass"}
    game = scene(tmp_path, [["Alpha b1"], []], [[["Mutant X"]]], special=[MUTANT, MUTANT_X])
    assert game.legal == {"pass", "play Alpha b1"}
    game.apply("play Alpha b1")  # one use only: not asked (T42)
    assert rows(game, 0)[0] == ["Alpha b1"]


@pytest.mark.ruling("T11")
def test_zombies_reach_into_the_discard_pile_but_not_for_payments(tmp_path: Path) -> None:
    army = [["Dark b1"], ["Zombie"]]
    hand = ["Fire h1", "Fire o1", "Fire o2"]
    game = scene(tmp_path, [hand, []], [army], special=[ZOMBIE], discards=["Alpha h1", "Alpha b1"])
    assert game.legal == {"pass", "play Fire h1", "take Alpha h1"}
    game.apply("take Alpha h1")
    assert game.table.set_aside == ["Alpha h1"]
    apply_all(game, "discard Fire h1", "discard Fire o1")
    assert rows(game, 0) == [["Dark b1"], ["Alpha h1"], []]
    assert sorted(game.table.discard_pile) == ["Alpha b1", "Fire h1", "Fire o1", "Zombie"]
    empty_pile = scene(tmp_path, [hand, []], [army], special=[ZOMBIE])
    assert empty_pile.legal == {"pass", "play Fire h1"}


@pytest.mark.ruling("T12")
def test_four_powers_in_one_turn(tmp_path: Path) -> None:
    """The rulebook's example: mutation, come into play, and two links."""
    special = [
        card("Old", "Fire", 1, mutation=0, mutate=["return MAX"]),
        card("New", "Dark", 1, enter=["trap"]),
        card("Left", "Dark", 1, link=["draw"]),
        card("Above", "Dark", 2, link=["discard"]),
        card("Right", "Alpha", 1, link=["vision"]),  # another clan: silent
    ]
    army = [["Left", "Old", "Right"], ["Dark h1", "Above"]]
    game = scene(tmp_path, [["New", "Méka o1"], ["Méka o2"]], [army], special=special)
    apply_all(game, "play New", "replace 1.2")
    assert (game.kind, game.legal) == ("return", {"take Old", "decline"})  # it may take itself back (T19)
    game.apply("take Old")
    assert game.table.seats[0].known == ["Old"]
    assert game.kind == "trap"
    game.apply("decline")
    assert (game.kind, game.legal) == ("link", {"target p0 1.1", "target p0 2.2"})
    game.apply("target p0 2.2")
    assert (game.kind, game.legal) == ("victim", {"player p0", "player p1", "decline"})
    game.apply("player p1")  # the last card of a hand: not asked
    assert game.table.seats[1].hand == []
    assert (game.mover, game.kind) == (0, "offer")
    game.apply("accept")
    assert game.table.seats[0].hand == ["Méka o1", "Old", "Alpha o5"]
    assert game.mover == 1


@pytest.mark.ruling("T26")
def test_powers_of_a_card_that_is_trapped_or_gone_are_lost(tmp_path: Path) -> None:
    special = [
        card("Self", "Dark", 1, enter=["trap", "draw"]),
        card("Linker", "Dark", 1, link=["destruction", "draw"]),
    ]
    game = scene(tmp_path, [["Self"], []], [[["Linker"]]], special=special)
    apply_all(game, "play Self", "target p0 1.2")  # traps itself: no draw, but the link comes
    assert rows(game, 0)[0] == ["Linker", "*Self"]
    assert (game.kind, game.legal) == ("destroy", {"target p0 1.2", "decline"})
    game.apply("target p0 1.2")
    assert game.kind == "offer"  # the newcomer is gone, the link card goes on
    game = scene(tmp_path, [["Self"], []], [[["Linker"]]], special=special)
    apply_all(game, "play Self", "target p0 1.1")  # traps the link card
    assert game.kind == "offer"  # Self's draw
    assert apply_all(game, "accept").mover == 1


@pytest.mark.ruling("T28")
@pytest.mark.parametrize(("sides", "fires"), [(["right"], True), (["left", "above", "below"], False)])
def test_a_card_links_on_its_sides_only(tmp_path: Path, sides: list[str], fires: bool) -> None:
    special = [card("Linker", "Dark", 1, link=["draw"], links=sides)]
    game = scene(tmp_path, [["Dark b1"], []], [[["Linker"]]], special=special)
    assert (apply_all(game, "play Dark b1").kind == "offer") is fires


# --- turns -----------------------------------------------------------------------------------------------------


def turns(game: ReferenceGame, count: int) -> list[int]:
    """Movers of the next turns, in which each passes only for want of anything else."""
    movers = []
    for _ in range(count):
        movers.append(game.mover)
        game.apply(min(game.legal - {"pass"}, default="pass"))
    return movers


@pytest.mark.ruling("T6")
def test_three_more_turns_after_the_first_pass(tmp_path: Path) -> None:
    hand = [f"Fire b{number}" for number in range(1, 6)]
    game = scene(tmp_path, [hand, hand, hand], advantage=1)
    game.apply("pass")
    assert [seat["turns_left"] for seat in game.as_dict()["players"]] == [3, 0, 3]
    assert turns(game, 2) == [2, 0]
    assert game.mover == 2
    game.apply("pass")  # a later pass renews nothing
    assert [seat["turns_left"] for seat in game.as_dict()["players"]] == [2, 0, 0]
    assert turns(game, 2) == [0, 0]
    assert (game.kind, game.table.round, game.mover) == ("refresh", 2, 1)
    assert [seat["points"] for seat in game.as_dict()["players"]] == [1, 0, 0]


@pytest.mark.ruling("T7")
def test_extra_turns_come_at_once_and_beyond_the_limit(tmp_path: Path) -> None:
    special = [card("Quick", "Fire", 1, enter=["advantage", "advantage"])]
    hand = ["Quick", "Fire b2", "Fire b3"]
    rules = {"turns_after_pass": 1}
    game = scene(tmp_path, [hand, ["Dark b1"]], special=special, advantage=1, rules=rules)
    apply_all(game, "pass", "play Quick", "accept", "accept")
    mine = game.as_dict()["players"][0]
    assert (game.mover, game.kind, mine["turns_left"], mine["extra_turns"]) == (0, "turn", 0, 1)
    assert game.table.advantage == 0
    game.apply("play Fire b2")
    assert (game.mover, game.kind, game.as_dict()["players"][0]["extra_turns"]) == (0, "turn", 0)
    game.apply("play Fire b3")
    assert (game.mover, game.kind, game.table.first) == (0, "refresh", 0)


@pytest.mark.ruling("T35")
def test_a_pass_in_an_extra_turn_forfeits_and_counts(tmp_path: Path) -> None:
    special = [card("Quick", "Fire", 1, enter=["advantage", "advantage"])]
    game = scene(tmp_path, [["Quick", "Fire b2"], ["Dark b1", "Dark b2"]], special=special)
    apply_all(game, "play Quick", "accept", "accept", "pass")
    seats: list[dict[str, Any]] = game.as_dict()["players"]
    assert (game.mover, seats[0]["extra_turns"], seats[0]["passed"], seats[1]["turns_left"]) == (1, 0, True, 3)


@pytest.mark.ruling("T44")
def test_a_round_has_a_last_turn(tmp_path: Path) -> None:
    hand = [f"Fire b{number}" for number in range(1, 6)]
    game = scene(tmp_path, [hand, []], rules={"max_turns_per_round": 2})
    assert turns(game, 4) == [0, 1, 0, 0]
    assert game.kind == "refresh"
    assert len(rows(game, 0)[0]) == 2
