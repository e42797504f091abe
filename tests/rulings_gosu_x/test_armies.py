"""Capture, destruction, release, tokens on cards: X10, X23, X24, X25, X26, X27, X36, X37, X38, X54, X57."""

from __future__ import annotations

from pathlib import Path

import pytest

from .table import act, army, asked, hand, legal, pile, play, player, position, rewritten, sizes, targets, tokens

pytestmark = pytest.mark.nojit


@pytest.mark.ruling("X10")
def test_x10_any_face_up_card_can_be_captured_only_open_ones_destroyed() -> None:
    armies = (
        "p0:\n  hand: Sati\n  army 1: Just Grunt\n"
        "p1:\n  hand: Breaker\n  army 1: Goan Grunt, Veteran, (Sneak)\n  army 2: Goan Hero\n"
    )
    state = play(position(armies), "play Sati")
    assert legal(state) == targets("p0 1.1", "p0 2.1", "p1 1.1", "p1 1.2", "p1 2.1")
    play(state, "target p1 1.1")
    assert army(state, 1)[0] == ["(Goan Grunt)", "Veteran", "(Sneak)"]
    state = play(position(armies.replace("Just Grunt", "Just Grunt, Ghost") + "now: active=p1"), "play Breaker")
    assert army(state, 0) == [["Just Grunt", "Ghost"]]


@pytest.mark.ruling("X10")
def test_x10_a_captured_open_card_can_be_destroyed() -> None:
    state = position("p0:\n  army 1: (Just Grunt)\np1:\n  hand: Breaker\n  army 1: Goan Grunt\nnow: active=p1")
    play(state, "play Breaker")
    assert pile(state, 0) == ["Just Grunt"]


@pytest.mark.ruling("X23")
def test_x23_tokens_of_a_card_that_goes_are_spent_or_go_back() -> None:
    state = position(
        "p0: tokens=0\n  army 1: Just Grunt\n  army 2: Taker++$\np1:\n  hand: Breaker\n  army 1: Goan Grunt\nnow: active=p1"
    )
    play(state, "play Breaker", "decline")
    assert tokens(state, 0) == (0, 2, 2, {})
    assert state.as_dict()["bounty"] is None
    state = position("p0: tokens=0 spent=1\n  hand: Sati\n  army 1: Petal Faeries+, Just Grunt\np1: tokens=2")
    play(state, "play Sati", "target p0 1.1")
    assert army(state, 0)[0][0] == "(Petal Faeries)"
    assert tokens(state, 0) == (0, 2, 2, {})


@pytest.mark.ruling("X24")
@pytest.mark.ruling("X54")
def test_x24_x54_bounty_pays_one_card_for_an_opposing_card() -> None:
    text = "p0:\n  army 1: Just Grunt, Wanted\np1:\n  hand: {}\n  army 1: Goan Grunt\nnow: active=p1"
    state = play(position(text.format("Breaker")), "play Breaker")
    assert asked(state) == (1, "may")
    assert state.as_dict()["power"]["step"] == "bounty"
    assert sizes(play(state.copy(), "accept")) == [0, 1]
    assert sizes(play(state, "decline")) == [0, 0]
    state = play(position(text.format("Quae").replace("Just Grunt, Wanted", "Just Grunt, Ghost, Wanted")), "play Quae")
    assert army(state, 0) == [["Just Grunt", "Ghost"]]  # a sacrifice pays nothing
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X24")
def test_x24_not_for_ones_own_card_nor_a_face_down_one_and_once_for_keyword_and_token() -> None:
    state = play(position("p0:\n  hand: Sati\n  army 1: Just Grunt, Wanted"), "play Sati", "target p0 1.2")
    assert asked(state) == (1, "turn")
    text = "p0:\n  army 1: Just Grunt, {}\np1:\n  hand: Breaker\n  army 1: Goan Grunt\nnow: active=p1"
    state = play(position(text.format("(Wanted)")), "play Breaker")
    assert asked(state) == (0, "turn")
    state = play(position(text.format("Wanted$")), "play Breaker", "accept")
    assert sizes(state) == [0, 1]
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X25")
def test_x25_there_is_one_bounty_token_to_be_placed_and_moved() -> None:
    text = "p0:\n  hand: {}\n  army 1: Just Grunt, (Usher)\np1:\n  army 1: Goan Grunt{}\n"
    state = play(position(text.format("She Rift", "")), "play She Rift")
    assert legal(state) == targets("p0 1.1", "p0 2.1", "p1 1.1")  # face-up cards of both armies
    play(state, "target p1 1.1")
    assert state.as_dict()["bounty"] == "p1 1.1"
    state = play(position(text.format("Mover", "")), "play Mover")
    assert state.as_dict()["bounty"] is None  # it lies on no card
    assert asked(state) == (1, "turn")
    state = play(position(text.format("Mover", "$")), "play Mover")
    assert legal(state) == targets("p0 1.1", "p0 2.1")  # another card
    play(state, "target p0 1.1")
    assert state.as_dict()["bounty"] == "p0 1.1"


@pytest.mark.ruling("X26")
def test_x26_ethereal_cards_are_no_targets_but_can_be_sacrificed() -> None:
    state = play(
        position("p0:\n  army 1: Just Grunt, Ghost\np1:\n  hand: Breaker\n  army 1: Goan Grunt\nnow: active=p1"),
        "play Breaker",
    )
    assert army(state, 0) == [["Just Grunt", "Ghost"]]
    state = play(position("p0:\n  hand: Sati\n  army 1: Just Grunt, Ghost\np1:\n  army 1: Goan Grunt~"), "play Sati")
    assert legal(state) == targets("p0 1.1", "p0 2.1")
    state = position("p0:\n  army 1: Just Grunt, Usher, Ghost\np1:\n  hand: Quae\n  army 1: Goan Grunt\nnow: active=p1")
    play(state, "play Quae")
    assert army(state, 0) == [["Just Grunt", "Usher"]]


@pytest.mark.ruling("X26")
def test_x26_an_ethereal_token_protects() -> None:
    state = position("p0:\n  hand: Veiler\n  army 1: Just Grunt\np1:\n  hand: Breaker\n  army 1: Goan Grunt")
    play(state, "play Veiler")
    assert legal(state) == targets("p0 1.1", "p0 2.1")
    play(state, "target p0 2.1")
    assert player(state, 0)["ethereal"] == ["2.1"]
    play(state, "play Breaker")
    assert army(state, 0) == [["Just Grunt"], ["Veiler"]]


@pytest.mark.ruling("X27")
def test_x27_with_justices_tile_the_topmost_open_card_is_ethereal() -> None:
    clans = {"own": "Abhilasha, Galmi, Phoenix", "other": "Goan Sul, Tomorrow, Xi'an"}
    text = "p0:\n  army 1: Galm Grunt, Usher\n{}p1:\n  hand: Smasher\n  army 1: Goan Grunt\nnow: active=p1"
    state = play(position(text.format("  army 2: Marvel\n"), **clans), "play Smasher")
    assert army(state, 0) == [
        ["Galm Grunt"],
        ["Marvel"],
    ]  # neither the Marvel nor the Smasher, and nothing below them is OPEN
    assert army(state, 1) == [["Goan Grunt"], ["Smasher"]]
    state = play(position(text.format(""), **clans), "play Smasher")
    assert army(state, 0) == [["Galm Grunt", "Usher"]]


@pytest.mark.ruling("X57")
def test_x57_justices_tile_takes_both_ethereal_tokens() -> None:
    state = position(
        """
        p0:
          hand: Judge, Veiler
          army 1: Just Grunt, Ghost, Galm Grunt~
          army 2: Just Hero
        """
    )
    play(state, "play Judge")
    assert "Justice" in state.as_dict()["tiles"]
    assert player(state, 0)["ethereal"] == []
    play(state, "spend 1", "play Veiler")
    assert player(state, 0)["ethereal"] == []
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("X36")
def test_x36_a_face_down_card_has_nothing_but_its_row() -> None:
    state = position("p0:\n  hand: Galm Hero, Ghost\n  army 1: (Galm Grunt), Just Grunt")
    assert "play Galm Hero" not in legal(state)
    assert "activate 1.1" not in legal(position("p0:\n  army 1: (Petal Faeries)"))
    assert state.view(1).as_dict()["players"][0]["army"][0][0] == ("Galm Grunt", True)  # what it is stays public


@pytest.mark.ruling("X37")
def test_x37_the_mirror_is_the_card_in_the_same_place() -> None:
    text = "p0:\n  army 1: Just Grunt\n{}p1:\n  hand: Mirror\n  army 1: Tomo Grunt\nnow: active=p1"
    state = play(position(text.format("  army 2: Marvel\n")), "play Mirror")
    assert army(state, 0) == [["Just Grunt"]]
    state = play(position(text.format("")), "play Mirror")  # an empty slot
    assert army(state, 0) == [["Just Grunt"]]
    state = play(position(text.format("  army 2: (Marvel)\n")), "play Mirror")  # face down: there all the same
    assert army(state, 0) == [["Just Grunt"]]
    text = "p0:\n  army 1: Just Grunt, Ghost\n  army 2: Marvel, Freer\np1:\n  hand: Mirror\n  army 1: Tomo Grunt\nnow: active=p1"
    state = play(position(text), "play Mirror")  # not OPEN
    assert army(state, 0) == [["Just Grunt", "Ghost"], ["Marvel", "Freer"]]


@pytest.mark.ruling("X38")
def test_x38_release_reaches_any_captured_card_and_resolves_nothing() -> None:
    state = position("p0:\n  hand: Freer\n  army 1: (Phoenix (Ash)), (Digger), Galm Grunt")
    play(state, "play Freer")
    assert army(state, 0) == [["Phoenix (Ash)", "Digger", "Galm Grunt"], ["Freer"]]
    assert hand(state, 0) == []


@pytest.mark.ruling("X38")
def test_x38_unless_the_text_says_so() -> None:
    state = position("p0:\n  hand: Waker\n  army 1: (Phoenix (Ash)), Galm Grunt")
    play(state, "play Waker")
    assert army(state, 0)[0] == ["Phoenix (Ash)", "Galm Grunt"]
    assert sizes(state)[0] == 1


@pytest.mark.ruling("X38")
def test_x38_both_armies_unless_the_text_says_whose() -> None:
    state = position(
        "p0:\n  hand: Rescuer\n  army 1: (Abhi Grunt), Chain\np1:\n  army 1: (Goan Grunt)",
        own="Abhilasha, Galmi, Phoenix",
    )
    act(state, "play Rescuer")
    assert army(state, 0)[0] == ["Abhi Grunt", "Chain"]
    assert army(state, 1)[0] == ["Goan Grunt"]


@pytest.mark.ruling("X54")
def test_x54_an_inner_text_leaves_the_bounty_draws_of_the_outer_one_to_it(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('"capture {bounty}"', '"capture {bounty}", "put_into_play hand {troop}"'))
    text = """\
        now: bounty=p1:1.1
        p0:
          hand: Petal Faeries, Phoenix (Ash)
          army 1: Just Grunt
        p1:
          army 1: Goan Grunt"""
    state = position(text, of=cards)
    play(state, "play Petal Faeries", "recruit", "take Phoenix (Ash)")
    assert sizes(state)[0] == 1  # drawn by Phoenix (Ash)
    assert asked(state) == (0, "may")
    assert state.as_dict()["power"] == {"card": "Petal Faeries", "name": "text", "step": "bounty"}
    assert state.game.parse(str(state)) == state
    play(state, "accept")
    assert sizes(state)[0] == 2


@pytest.mark.ruling("X54")
def test_x54_two_bounties_of_one_text_are_two_draws() -> None:
    text = "p0:\n  army 1: Just Grunt, Wanted, Wanted\np1:\n  hand: Smasher\n  army 1: Goan Grunt\nnow: active=p1"
    state = play(position(text), "play Smasher", "target p0 1.3", "target p0 1.2")
    play(state, "accept")
    assert asked(state) == (1, "may")
    play(state, "accept")
    assert sizes(state) == [0, 2]
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X23")
def test_x23_a_bounty_and_an_ethereal_token_go_beside_the_board_with_their_card() -> None:
    state = position("p0:\n  hand: Phoenix (Ash), Usher\n  army 1: Just Grunt~$\np1:\n  army 1: Goan Grunt")
    assert player(state, 0)["ethereal"] == ["1.1"]
    play(state, "play Phoenix (Ash)")
    assert army(state, 0) == [["Phoenix (Ash)"]]
    assert player(state, 0)["ethereal"] == []
    assert state.as_dict()["bounty"] is None


@pytest.mark.ruling("X26")
@pytest.mark.ruling("X57")
def test_x26_x57_there_are_two_ethereal_tokens() -> None:
    text = "p0:\n  hand: Veiler\n  army 1: Just Grunt{}, Usher~, Digger\np1:\n  army 1: Goan Grunt"
    state = play(position(text.format("~")), "play Veiler")
    assert player(state, 0)["ethereal"] == ["1.1", "1.2"]
    assert asked(state) == (1, "turn")
    state = play(position(text.format("")), "play Veiler")
    assert legal(state) == targets("p0 1.1", "p0 1.3", "p0 2.1")


@pytest.mark.ruling("X27")
def test_x27_only_the_topmost_row_has_such_a_card() -> None:
    armies = """\
        p0:
          army 1: Galm Grunt, Usher
          army 2: Marvel
          army 3: {}
        p1:
          hand: Breaker
          army 1: Goan Grunt
        now: active=p1"""
    clans = {"own": "Abhilasha, Galmi, Phoenix", "other": "Goan Sul, Tomorrow, Xi'an"}
    for immortal in ("Galm Lord", "(Galm Lord)"):
        state = play(position(armies.format(immortal), **clans), "play Breaker")
        assert army(state, 0) == [["Galm Grunt"], ["Marvel"], [immortal]]  # the Usher was OPEN, too, but not on top


@pytest.mark.ruling("X36")
def test_x36_a_face_down_card_is_of_no_clan_for_texts_either() -> None:
    text = "p0:\n  army 1: Just Grunt, {}\np1:\n  hand: Goan Sul\n  army 1: Goan Grunt\n  army 2: Goan Hero\nnow: active=p1"
    state = act(position(text.format("Digger")), "play Goan Sul")
    assert legal(state) == {"pick Justice", "pick Phoenix", "pick Goan Sul"}
    state = act(position(text.format("(Digger)")), "play Goan Sul")
    assert legal(state) == {"pick Justice", "pick Goan Sul"}
    state = act(position(text.format("(Wanted)")), "play Goan Sul", "pick Justice")
    assert army(state, 0) == [["Just Grunt", "(Wanted)"]]  # the OPEN card has no clan, the one of Justice is not OPEN
