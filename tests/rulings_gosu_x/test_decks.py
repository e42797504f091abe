"""Own decks and who knows what of them: X11, X45, X56; views and redeals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import gosu_rl
from gosu_rl.core.position_text import PositionError

from .table import act, army, asked, deck, game, hand, legal, pile, play, player, position, rewritten, sizes, starting

pytestmark = pytest.mark.nojit
NARASHIMA = "Narashima, Galmi, Phoenix"
ABHILASHA = "Abhilasha, Justice, Phoenix"


def short(cards: int) -> str:
    """Lines of a p0 who has so many cards in his deck, and the rest in the discard pile."""
    everything = [str(card) for card in deck(position("p0:"), 0)]
    return f"  deck: {', '.join(everything[:cards])}\n  discard: {', '.join(everything[cards:])}\n"


@pytest.mark.ruling("X11")
def test_x11_the_pile_is_shuffled_in_when_a_card_is_needed() -> None:
    state = position("p0: shuffled=1\n" + short(1))
    play(state, "spend 1")
    assert player(state, 0)["deck_size"] == 0
    assert player(state, 0)["shuffles"] == 1  # not before one is needed
    state = position("p0: shuffled=1\n" + short(1), hand_limit=9)
    play(state, "spend 2")
    assert player(state, 0)["shuffles"] == 2
    assert sizes(state)[0] == 3
    assert pile(state, 0) == []


@pytest.mark.ruling("X11")
def test_x11_revealing_shuffles_nothing() -> None:
    state = position("p0: shuffled=1\n  hand: Seer\n  army 1: Phoe Grunt\n  deck: Ghost, rest")
    others = [str(card) for card in deck(state, 0)[1:]]
    state = position(
        f"p0: shuffled=1\n  hand: Seer\n  army 1: Phoe Grunt\n  deck: Ghost\n  discard: {', '.join(others)}"
    )
    play(state, "play Seer")
    assert hand(state, 0) == ["Ghost"]
    assert player(state, 0)["shuffles"] == 1


@pytest.mark.ruling("X11")
def test_x11_an_empty_deck_makes_the_hand_known_by_elimination() -> None:
    state = position("p0:\n" + short(2) + "p1:\n  hand: Sneak")
    play(state, "spend 1")
    assert state.view(1).known_hand(0) == []
    play(state, "spend 1", "spend 1")
    assert state.view(1).known_hand(0) == hand(state, 0)
    assert len(hand(state, 0)) == 2
    seen = state.view(1)
    assert all(hand(seen.determinize(seed=k), 0) == hand(state, 0) for k in range(5))


@pytest.mark.ruling("X45")
def test_x45_a_removed_card_is_gone_but_public() -> None:
    state = position("p0:\n  hand: Exile\n  army 1: Nara Grunt\np1:\n  army 1: Goan Grunt", own=NARASHIMA)
    play(state, "play Exile")
    assert state.view(1).as_dict()["removed"] == ["Goan Grunt"]
    assert army(state, 1) == []
    assert pile(state, 1) == []


@pytest.mark.ruling("X45")
def test_x45_unless_a_text_retrieves_it() -> None:
    text = "p0:\n  hand: Hermit\n  army 1: Nara Grunt\n  discard: Usher, Ash\n".replace("Ash", "Phoenix (Ash)")
    state = play(position(text, own=NARASHIMA), "play Hermit")
    assert legal(state) == {"take Usher", "take Phoenix (Ash)", "decline"}
    play(state, "take Usher", "take Phoenix (Ash)")
    assert asked(state) == (0, "card")
    play(state, "take Usher")
    assert hand(state, 0) == ["Usher"]
    assert state.as_dict()["removed"] == ["Phoenix (Ash)"]


@pytest.mark.ruling("X45")
def test_x45_only_ones_own_removed_cards_are_retrieved() -> None:
    text = "p0:\n  hand: Hermit\n  army 1: Nara Grunt\n  discard: Usher, Ash\np1:\nremoved: Goan Grunt, Exile\n"
    state = play(position(text.replace("Ash", "Phoenix (Ash)"), own=NARASHIMA), "play Hermit", "take Usher")
    play(state, "take Phoenix (Ash)")
    assert legal(state) == {"take Usher", "take Phoenix (Ash)", "take Exile"}


@pytest.mark.ruling("X45")
def test_x45_a_card_that_goes_back_goes_to_its_owner_and_is_known() -> None:
    state = play(position("p0:\n  hand: Recaller\n  army 1: Nara Grunt", own=NARASHIMA), "play Recaller")
    assert hand(state, 0) == ["Recaller"]  # the only OPEN card
    assert state.view(1).known_hand(0) == ["Recaller"]


@pytest.mark.ruling("X56")
def test_x56_a_card_put_on_the_deck_face_down_is_known_to_its_owner_alone() -> None:
    state = position("p0:\n  hand: Planner, Usher*, Ghost\n  army 1: Phoe Grunt\n  deck: Judge, rest")
    act(state, "play Planner", "recruit")
    assert asked(state) == (0, "card")
    assert legal(state) == {"take Usher", "take Ghost", "take Judge"}
    play(state, "take Usher")
    assert deck(state, 0)[0] == "Usher"
    assert deck(state.view(0), 0)[0] == "Usher"
    assert deck(state.view(1), 0)[0] is None
    assert state.view(1).known_hand(0) == []  # the Usher that both knew may be the one that went
    worlds = {deck(state.view(1).determinize(seed=k), 0)[0] for k in range(30)}
    assert len(worlds) > 5
    assert {deck(state.view(0).determinize(seed=k), 0)[0] for k in range(10)} == {"Usher"}


@pytest.mark.ruling("X56")
def test_x56_a_known_place_is_forgotten_with_a_shuffle_and_drawn_cards_stay_known() -> None:
    state = position("p0:\n  hand: Finder\n  army 1: Phoe Grunt\n  deck: Judge*, Usher!, rest")
    assert deck(state.view(1), 0)[:2] == ["Judge", None]
    assert deck(state.view(0), 0)[:2] == ["Judge", "Usher"]
    drawn = play(state.copy(), "spend 1")
    assert drawn.view(1).known_hand(0) == ["Judge"]
    play(state, "play Finder", "take Sati")
    assert set(deck(state.view(0), 0)) == {None}


@pytest.mark.ruling("X56")
def test_x56_looked_at_cards_are_the_lookers_secret() -> None:
    state = position("p0:\n  hand: Peeker\n  army 1: Phoe Grunt\n  deck: Judge, Usher, rest")
    act(state, "play Peeker")
    assert legal(state) == {"take Judge", "take Usher"}
    assert deck(state.view(0), 0)[:2] == ["Judge", "Usher"]
    assert deck(state.view(1), 0)[:2] == [None, None]
    assert state.view(1).as_dict()["shown"] == 2
    play(state, "take Judge")
    assert state.view(1).known_hand(0) == []
    assert deck(state.view(0), 0)[-1] == "Usher"
    assert deck(state.view(1), 0)[-1] is None


@pytest.mark.ruling("X56")
def test_x56_cards_under_the_deck() -> None:
    state = position("p0:\n  hand: Buried, Judge, Sati, Mover\n  army 1: Abhi Grunt", own=ABHILASHA)
    play(state, "play Buried", "recruit")
    play(state, "take Sati", "take Judge")
    assert deck(state, 0)[-2:] == ["Sati", "Judge"]  # each goes under all
    assert hand(state, 0) == ["Mover"]


def test_a_view_shows_neither_order_nor_hand_and_worlds_differ() -> None:
    state = starting(3)
    seen = state.view(1)
    assert hand(seen, 0) == []
    assert set(deck(seen, 0)) == {None} == set(deck(seen, 1))
    hands = {tuple(hand(seen.determinize(seed=k), 0)) for k in range(10)}
    assert len(hands) == 10
    world = seen.determinize(seed=1)
    assert world.view(1) == seen
    assert Counter(hand(world, 0)) + Counter(deck(world, 0)) == Counter(hand(state, 0)) + Counter(deck(state, 0))


def test_during_the_draft_nobody_knows_the_order_of_the_cards() -> None:
    state = game().new(seed=4)
    seen = state.view(0)
    assert seen.determinize(seed=1).view(0) == seen
    assert seen.determinize(seed=1) != seen.determinize(seed=2)
    assert state.game.parse(str(state)) == state
    assert state.game.parse(str(seen)) == seen


@pytest.mark.ruling("X56")
def test_x56_what_both_knew_on_a_deck_that_is_shuffled_is_still_known_to_be_in_it() -> None:
    state = position("p0:\n  hand: Finder, Ghost\n  army 1: Phoe Grunt\n  deck: Judge*, Usher, rest")
    play(state, "play Finder", "take Sati")
    seen = state.view(1)
    worlds = [seen.determinize(seed=k) for k in range(40)]
    assert all("Judge" not in hand(world, 0) and world.view(1) == seen for world in worlds)
    assert len({tuple(hand(world, 0)) for world in worlds}) > 10
    play(state, "spend 1", "spend 1")
    drawn = state.view(1)  # what was drawn may be the Judge
    assert any("Judge" in hand(drawn.determinize(seed=k), 0) for k in range(200))


@pytest.mark.ruling("X56")
def test_x56_a_secret_choice_from_the_deck_makes_the_other_forget_what_he_knew_there() -> None:
    state = position("p0:\n  hand: Peeker\n  army 1: Phoe Grunt\n  deck: Judge*, Usher, rest")
    play(state, "play Peeker", "take Usher")
    assert state.view(1).known_hand(0) == []
    assert set(deck(state.view(1), 0)) == {None}
    assert any("Judge" in hand(state.view(1).determinize(seed=k), 0) for k in range(200))
    other = position("p0:\n  hand: Peeker\n  army 1: Phoe Grunt\n  deck: Judge*, Usher, rest")
    play(other, "play Peeker", "take Judge")
    assert other.view(1) == state.view(1)


@pytest.mark.ruling("X11")
def test_x11_the_hand_is_known_as_the_deck_runs_out_though_it_is_made_anew_at_once() -> None:
    state = position("p0:\n  hand: Marvel\n" + short(3).replace("Marvel, ", "").replace(", Marvel", ""), hand_limit=9)
    lost = deck(state, 0)
    play(state, "spend 2")
    assert state.view(1).known_hand(0) == sorted(["Marvel", *map(str, lost)])
    text = "p0: shuffled=1\n  hand: Marvel\n" + short(1).replace("Marvel, ", "").replace(", Marvel", "")
    state = position(text, hand_limit=9)
    first = deck(state, 0)[0]
    play(state, "spend 2")
    assert player(state, 0)["shuffles"] == 2
    assert state.view(1).known_hand(0) == sorted(["Marvel", str(first)])  # two more came from the new deck


def presenting(shown: str, hand_cards: str = "") -> gosu_rl.GameState:
    """p0 plays Presenter, who reveals two cards of his deck and puts one of them into play."""
    text = f"""\
        p0:
          hand: Presenter{hand_cards}
          army 1: Nara Grunt, Drop
          deck: {shown}, Usher, Giver, rest"""
    return play(position(text, own=NARASHIMA), "play Presenter")


@pytest.mark.ruling("X45")
def test_x45_shown_cards_are_these_cards_wherever_an_inner_text_puts_them() -> None:
    state = presenting("Seer, Marvel")
    play(state, "take Seer")
    assert legal(state) == {"take Usher", "take Giver"}
    assert state.as_dict()["shown"] == 3
    assert "shown=1/1+2+3" in str(state)
    assert state.game.parse(str(state)) == state
    assert state.game.parse(str(state.view(1))) == state.view(1)
    play(state, "take Usher")
    assert pile(state, 0) == ["Marvel"]  # which Seer had put under the deck
    assert deck(state, 0)[-1] == "Giver"


@pytest.mark.ruling("X45")
def test_x45_a_shuffle_ends_what_is_shown() -> None:
    state = play(presenting("Finder, Marvel"), "take Finder")
    play(state, "take Exile")
    assert pile(state, 0) == []
    assert hand(state, 0) == ["Exile"]


@pytest.mark.ruling("X45")
def test_x45_a_shown_card_that_an_inner_text_draws_is_shown_no_more() -> None:
    state = play(presenting("Phoenix (Ember), Marvel"), "take Phoenix (Ember)", "accept")
    assert hand(state, 0) == ["Marvel", "Usher"]
    assert state.view(1).known_hand(0) == ["Marvel"]
    assert pile(state, 0) == []


@pytest.mark.ruling("X45")
@pytest.mark.parametrize("back", ["Caller", "Marvel"])
def test_x45_a_card_put_on_top_is_none_of_those_shown(back: str) -> None:
    state = play(presenting("Planner, Marvel", ", Caller"), "take Planner", f"take {back}")
    assert deck(state, 0)[0] == back
    assert pile(state, 0) == []


def test_the_order_of_the_last_shuffle_stays_when_texts_move_cards() -> None:
    state = position("p0:\n  hand: Seer\n  army 1: Phoe Grunt\n  deck: Judge, Usher, Sati, rest")
    shuffled = deck(state, 0)
    play(state, "play Seer")
    assert deck(state, 0)[:2] != shuffled[:2]
    assert player(state, 0)["pile_order"] == shuffled
    assert state.game.parse(str(state)) == state
    assert state.view(0).pile_order == []
    state = position("p0:\n  hand: Finder\n  army 1: Phoe Grunt")
    play(state, "play Finder", "take Sati")
    assert player(state, 0)["pile_order"] == deck(state, 0)


@pytest.mark.ruling("X56")
def test_x56_the_only_card_looked_at_hides_nothing(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('"look 2"', '"look 1"'))
    state = position("p0:\n  hand: Peeker\n  army 1: Phoe Grunt\n  deck: Judge*, Usher, rest", of=cards)
    play(state, "play Peeker", "take Judge")
    assert state.view(1).known_hand(0) == ["Judge"]


def test_a_text_shows_only_places_that_there_are() -> None:
    with pytest.raises(PositionError, match="0 texts are at work"):
        position("now: shown=1\np0:")
