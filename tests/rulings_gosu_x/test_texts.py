"""How texts are carried out: X28, X29, X30, X39, X40, X12, X46, X50, X51, X52, X55, X58."""

from __future__ import annotations

from pathlib import Path

import pytest

from gosu_rl.core.cards.texts import text_faults

from .table import act, army, asked, deck, hand, legal, pile, play, player, position, rewritten, sizes, targets, tokens

pytestmark = pytest.mark.nojit
NARASHIMA = "Narashima, Galmi, Phoenix"
ABHILASHA = "Abhilasha, Justice, Phoenix"


@pytest.mark.ruling("X28")
def test_x28_echo_may_resolve_the_text_once_more() -> None:
    text = "p0:\np1:\n  hand: Twice\n  army 1: Tomo Grunt\nnow: active=p1"
    state = play(position(text), "play Twice")
    assert asked(state) == (1, "may")
    assert state.as_dict()["power"]["step"] == "echo"
    again = play(state.copy(), "accept")
    assert sizes(again)[1] == 2
    assert asked(again) == (0, "turn")  # once more, not for ever
    assert sizes(play(state, "decline"))[1] == 1


@pytest.mark.ruling("X28")
def test_x28_echo_chooses_anew_and_is_not_for_activation() -> None:
    text = "p0:\n  army 1: Just Grunt, Usher\np1:\n  hand: {}\n  army 1: Tomo Grunt\n{}now: active=p1"
    state = play(position(text.format("Echo Hand", "")), "play Echo Hand", "target p0 1.1", "accept")
    assert army(state, 0) == [["(Just Grunt)", "(Usher)"]]
    state = play(position(text.format("", "  army 2: Echo Hand\n")), "activate 2.1", "target p0 1.1")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X29")
def test_x29_if_you_do_needs_the_part_before() -> None:
    text = "p0:\n  army 1: Just Grunt, Usher\np1:\n  hand: Slayer, {}\n  army 1: Goan Grunt\nnow: active=p1"
    state = play(position(text.format("Veteran")), "play Slayer", "recruit")
    assert legal(state) == {"discard Veteran", "decline"}
    assert army(play(state.copy(), "decline"), 0) == [["Just Grunt", "Usher"]]
    assert army(play(state, "discard Veteran"), 0) == [["Just Grunt"]]
    state = play(position(text.format("Goan Hero")), "play Slayer", "recruit")
    assert legal(state) == {"decline"}  # asked by the size of the hand, which is public


@pytest.mark.ruling("X29")
def test_x29_targets_are_chosen_one_after_another() -> None:
    state = position(
        "p0:\n  army 1: Just Grunt, Usher\np1:\n  hand: Smasher\n  army 1: Goan Grunt, Veteran\nnow: active=p1"
    )
    play(state, "play Smasher")
    assert legal(state) == targets("p0 1.2", "p1 1.2", "p1 2.1")
    play(state, "target p0 1.2")
    assert legal(state) == targets("p0 1.1", "p1 1.2", "p1 2.1")  # the next one is OPEN now
    play(state, "target p0 1.1")
    assert army(state, 0) == []


@pytest.mark.ruling("X29")
def test_x29_every_fixes_its_set_first() -> None:
    state = position(
        "p0:\n  hand: Unmaker\n  army 1: Abhi Grunt, Chain\np1:\n  army 1: Goan Grunt, Veteran, Slayer", own=ABHILASHA
    )
    play(state, "play Unmaker")
    assert army(state, 1) == [["Goan Grunt", "Veteran"]]
    assert army(state, 0) == [["Abhi Grunt"], ["Unmaker"]]


@pytest.mark.ruling("X29")
def test_x29_a_forced_discard_takes_what_there_is() -> None:
    state = position(
        "p0:\n  hand: Just Grunt, Usher, Ghost\np1:\n  hand: Bully, Sneak\n  army 1: Xian Grunt\nnow: active=p1"
    )
    play(state, "play Bully")
    assert asked(state) == (0, "discard")
    play(state, "discard Ghost", "discard Usher")
    assert sizes(state) == [1, 1]
    state = play(position("p0:\np1:\n  hand: Thief\n  army 1: Xian Grunt\nnow: active=p1"), "play Thief")
    assert sizes(state) == [1, 1]


@pytest.mark.ruling("X30")
def test_x30_the_text_is_resolved_on_entering_and_for_each_token() -> None:
    state = position("p0:\n  hand: Digger\n  discard: Ghost, Just Grunt, Usher", hand_limit=9)
    play(state, "play Digger", "take Ghost")
    assert hand(state, 0) == ["Ghost"]
    play(state, "spend 1", "activate 1.1", "take Usher")
    assert hand(state, 0) == ["Ghost", "Usher"]
    assert tokens(state, 0) == (1, 0, 2, {"1.1": 1})
    play(state, "spend 1")
    assert "activate 1.1" not in legal(state)  # one icon


@pytest.mark.ruling("X30")
def test_x30_a_card_with_two_icons_bears_two_tokens() -> None:
    state = position("p0:\n  army 1: Galm Grunt\n  army 2: Taker\np1:\n  hand: Veteran")
    play(state, "activate 2.1", "spend 1", "activate 2.1")
    assert tokens(state, 0) == (0, 0, 2, {"2.1": 2})


@pytest.mark.ruling("X30")
def test_x30_a_token_on_a_veteran_only_turns() -> None:
    state = play(position("p0:\np1:\n  army 1: Veteran\nnow: active=p1"), "activate 1.1")
    assert tokens(state, 1) == (1, 0, 2, {"1.1": 1})
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X39")
def test_x39_a_card_put_into_play_enters_for_free_where_there_is_room() -> None:
    text = "p0:\n  hand: Phoenix\n  discard: Phoenix (Ash), Ghost, Finder\n  army 1: {}\n  army 2: Phoenix (Ember)\n"
    state = play(position(text.format("Phoe Grunt")), "play Phoenix")
    assert legal(state) == {"take Phoenix (Ash)", "take Ghost"}
    play(state, "take Phoenix (Ash)")
    assert army(state, 0)[0] == ["Phoe Grunt", "Phoenix (Ash)"]
    assert sizes(state)[0] == 1  # its text was resolved
    full = "Phoe Grunt, Just Grunt, Just Grunt, Galm Grunt, Galm Grunt"
    state = play(position(text.format(full)), "play Phoenix")
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("X39")
def test_x39_from_the_hand_it_can_be_declined_by_everybody() -> None:
    state = position("p0:\n  hand: Caller, Drop, Ghost\n  army 1: Nara Grunt", own="Narashima, Justice, Phoenix")
    play(state, "play Caller")
    assert legal(state) == {"take Drop", "take Ghost", "decline"}
    play(state, "take Ghost")
    assert army(state, 0)[0] == ["Nara Grunt", "Ghost"]  # of a new clan, unpaid


@pytest.mark.ruling("X12")
def test_x12_unlocking_with_none_locked_wins() -> None:
    text = (
        "p0: {}\n  hand: Byun Hyung Ja (Phoenix)\n  army 1: Phoenix (Ash), Phoenix (Ash)\n  army 2: Phoenix (Ember)\n"
    )
    state = play(position(text.format("")), "play Byun Hyung Ja (Phoenix)")
    assert tokens(state, 0) == (3, 0, 1, {})
    state = play(position(text.format("locked=0")), "play Byun Hyung Ja (Phoenix)")
    assert state.over
    assert state.reason == "fifth_token"
    assert state.game.parse(str(state)) == state
    assert state.shares.tolist() == [1.0, 0.0]


@pytest.mark.ruling("X40")
def test_x40_the_condition_is_tested_when_the_text_resolves() -> None:
    state = position(
        "p0:\n  hand: Byun Hyung Ja (Phoenix)\n  army 1: Phoenix (Ash), (Phoenix (Ash))\n  army 2: Phoenix (Ember)\n"
    )
    play(state, "play Byun Hyung Ja (Phoenix)")
    assert tokens(state, 0)[2] == 2
    state = position(
        "p0:\n  army 1: Phoenix (Ash), Phoenix (Ash)\n  army 2: Phoenix (Ember)\n  army 3: Byun Hyung Ja (Phoenix)"
    )
    play(state, "activate 3.1")
    assert tokens(state, 0) == (2, 0, 1, {"3.1": 1})
    text = "p0:\np1:\n  hand: Byun Hyung Ja (Tomorrow)\n  army 1: Tomo Grunt\n  army 2: Tomo Hero\nnow: active=p1 regular={}"
    assert tokens(play(position(text.format(0)), "play Byun Hyung Ja (Tomorrow)"), 1)[2] == 1
    assert tokens(play(position(text.format(1)), "play Byun Hyung Ja (Tomorrow)"), 1)[2] == 2


@pytest.mark.ruling("X46")
def test_x46_a_fetched_card_is_shown_and_the_deck_shuffled() -> None:
    state = position("p0: shuffled=1\n  hand: Finder\n  army 1: Phoe Grunt")
    play(state, "play Finder")
    assert "take Judge" not in legal(state)
    assert {"take Marvel", "take Sati"} <= legal(state)
    play(state, "take Sati")
    assert state.view(1).known_hand(0) == ["Sati"]
    assert player(state, 0)["shuffles"] == 2


@pytest.mark.ruling("X46")
def test_x46_no_text_can_ask_what_is_in_a_hidden_hand() -> None:
    assert text_faults(["other discard 1 {hero}"])
    assert text_faults(["discard 1 {hero}"])
    assert text_faults(["look 1", "if #shown{hero}", "draw 1"])
    assert not text_faults(["reveal 1", "if #shown{hero}", "draw 1"])


@pytest.mark.ruling("X50")
def test_x50_any_part_may_be_chosen() -> None:
    state = play(position("p0:\np1:\n  hand: Chooser\n  army 1: Xian Grunt\nnow: active=p1"), "play Chooser")
    assert asked(state) == (1, "mode")
    assert legal(state) == {"option 1", "option 2", "option 3"}
    assert sizes(play(state.copy(), "option 1"))[1] == 3
    assert sizes(play(state.copy(), "option 2"))[1] == 1  # nothing to destroy; the step behind comes all the same
    assert asked(play(state, "option 3")) == (1, "turn")


@pytest.mark.ruling("X51")
def test_x51_a_text_goes_on_without_its_card() -> None:
    state = position("p0:\np1:\n  hand: Trader\n  army 1: Goan Grunt, Veteran\nnow: active=p1")
    play(state, "play Trader")
    assert legal(state) == {"decline"} | targets("p1 1.2", "p1 2.1")
    play(state, "target p1 2.1")
    assert pile(state, 1) == ["Trader"]
    assert sizes(state)[1] == 2


@pytest.mark.ruling("X51")
def test_x51_no_echo_of_a_card_that_lies_face_down(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('"capture {other}"', '"capture"'))
    text = "p0:\np1:\n  hand: Echo Hand\n  army 1: Tomo Grunt\nnow: active=p1"
    state = play(position(text, of=cards), "play Echo Hand", "target p1 2.1")
    assert army(state, 1) == [["Tomo Grunt"], ["(Echo Hand)"]]
    assert asked(state) == (0, "turn")
    state = play(position(text), "play Echo Hand")
    assert asked(state) == (1, "may")  # it found no target, but lies face up
    play(state, "accept")
    assert asked(state) == (0, "turn")


@pytest.mark.ruling("X28")
def test_x28_wondrous_is_not_repeated(tmp_path: Path) -> None:
    cards = rewritten(
        tmp_path, ('keywords = ["wondrous"]', 'keywords = ["wondrous", "echo"]\ntext = ["may return_wonder"]')
    )
    state = position("p0:\n  hand: Marvel\n  army 1: Galm Grunt", of=cards)
    play(state, "play Marvel", "accept", "accept")
    assert state.as_dict()["wonder"] is None
    assert asked(state) == (1, "turn")


@pytest.mark.ruling("X29")
def test_x29_if_you_do_is_about_the_step_right_before_it(tmp_path: Path) -> None:
    cards = rewritten(tmp_path, ('"draw 1", "put_on_deck top 1"', '"draw 1", "take_wonder", "if_done", "draw 1"'))
    text = "p0:\n  hand: Planner\n  army 1: Digger\nnow: wonder={}"
    state = play(position(text.format("p1"), of=cards), "play Planner")
    assert sizes(state)[0] == 2
    state = play(position(text.format("p0"), of=cards), "play Planner")  # he has it already: nothing was taken
    assert sizes(state)[0] == 1


@pytest.mark.ruling("X39")
@pytest.mark.ruling("X52")
def test_x39_x52_a_card_put_into_play_by_the_third_text_enters_without_its_own() -> None:
    state = position("p0:\n  hand: Phoenix (Ash)\n  army 1: Nara Grunt\n  army 2: Caller", own=NARASHIMA)
    row = state.game.R["prog"][0][[card.label for card in state.game.card_set.cards].index("Caller"), 1]
    for texts, drawn in ((2, 1), (3, 0)):
        above = "; ".join([f'text p0 pc={row + 1} card="Caller" how=0'] * (texts - 1))
        words = str(state).splitlines()
        words[-1] = f'stack: turns p0; after p0; {above}; text p0 pc={row} card="Caller" how=0'
        here = play(state.game.parse("\n".join(words)), "take Phoenix (Ash)")
        assert army(here, 0)[0] == ["Nara Grunt", "Phoenix (Ash)"]
        assert sizes(here)[0] == drawn


@pytest.mark.ruling("X52")
def test_x52_three_texts_at_most() -> None:
    deep = 'text p0 pc={0} card="Freer" how=0'
    state = position("p0:\n  hand: Waker\n  army 1: Galm Grunt, Usher\n  army 2: (Freer)")
    row = state.game.R["prog"][0][[card.label for card in state.game.card_set.cards].index("Freer"), 1]
    text = str(state).splitlines()
    text[-1] = "stack: turns p0; after p0; " + "; ".join([deep.format(row)] * 4)
    with pytest.raises(ValueError, match="more than 3 texts"):
        state.game.parse("\n".join(text))
    text[-1] = (
        "stack: turns p0; after p0; " + "; ".join([deep.format(row)] * 2) + f'; text p0 pc={row + 1} card="Freer" how=0'
    )
    assert state.game.parse("\n".join(text)).mover == 1
    waker = state.game.R["prog"][0][[card.label for card in state.game.card_set.cards].index("Waker"), 1]
    deepest = f'text p0 pc={waker} card="Waker" how=0'
    text[-1] = "stack: turns p0; after p0; " + "; ".join([deep.format(row + 1)] * 2 + [deepest])
    state = state.game.parse("\n".join(text))
    assert army(state, 0)[1] == ["Freer"]  # released, but its text, a fourth one, is not begun
    assert asked(state)[0] == 1


@pytest.mark.ruling("X55")
def test_x55_this_turn_begins_and_ends_with_the_turn() -> None:
    state = position("p0:\n  army 1: Just Grunt\np1:\n  hand: Breaker, Veteran\n  army 1: Goan Grunt\nnow: active=p1")
    play(state, "play Breaker")
    assert asked(state) == (0, "turn")
    assert player(state, 0)["this_turn"] == dict.fromkeys(("captured", "destroyed", "drawn", "discarded", "lost"), 0)
    state = position(
        "p0:\n  hand: Avenger\n  army 1: Goan Grunt\np1:\n",
        own="Goan Sul, Galmi, Phoenix",
        other="Justice, Abhilasha, Xi'an",
    )
    assert "will Avenger" not in legal(state)


@pytest.mark.ruling("X55")
def test_x55_a_card_is_lost_by_its_owner_whoever_strikes_it() -> None:
    text = "p0:\n  hand: Sati, Usher, Usher\n  army 1: Just Grunt\np1:\n  army 1: Goan Grunt"
    for target, lost in (("p0 1.1", [1, 0]), ("p1 1.1", [0, 1])):
        state = act(
            position(text, other="Goan Sul, Tomorrow, Narashima", hand_limit=1), "play Sati", f"target {target}"
        )
        while state.kind == "will":
            state.apply("decline")
        assert state.kind == "discard"  # still his turn
        assert [player(state, seat)["this_turn"]["lost"] for seat in range(2)] == lost
        assert player(state, 0)["this_turn"]["captured"] == 1


@pytest.mark.ruling("X58")
def test_x58_nor_is_there_an_echo_of_it() -> None:
    clans = {"own": "Tomorrow, Galmi, Phoenix", "other": "Goan Sul, Justice, Xi'an"}
    state = position("p0:\n  hand: Waker\n  army 1: Galm Grunt, Usher\n  army 2: (Twice)\n", **clans)
    act(state, "play Waker")
    assert sizes(state)[0] == 1
    assert asked(state)[0] == 1


@pytest.mark.ruling("X58")
def test_x58_to_be_resolved_is_not_to_enter() -> None:
    state = position("p0:\n  hand: Waker\n  army 1: Galm Grunt, Usher\n  army 2: (Marvel)\n")
    play(state, "play Waker")
    assert army(state, 0)[1] == ["Marvel", "Waker"]
    assert state.as_dict()["wonder"] is None


@pytest.mark.ruling("X29")
def test_x29_shown_cards_go_where_the_text_says() -> None:
    state = position("p0:\n  hand: Seer\n  army 1: Phoe Grunt\n  deck: Judge, Ghost, Usher, Mover, rest")
    play(state, "play Seer")
    assert legal(state) == {"take Ghost", "take Usher"}
    play(state, "take Usher")
    assert deck(state, 0)[0] == "Mover"
    assert deck(state, 0)[-2:] == ["Judge", "Ghost"]
    assert deck(state.view(1), 0)[-2:] == ["Judge", "Ghost"]  # both have seen them
    assert state.view(1).known_hand(0) == ["Usher"]


@pytest.mark.ruling("X39")
def test_x39_a_shown_card_is_put_into_play_and_the_rest_discarded() -> None:
    state = position("p0:\n  hand: Presenter\n  army 1: Nara Grunt\n  deck: Nara Grunt, Exile, rest", own=NARASHIMA)
    play(state, "play Presenter")
    assert army(state, 0) == [["Nara Grunt", "Nara Grunt"], ["Presenter"]]  # no room for a second Hero
    assert pile(state, 0) == ["Exile"]


@pytest.mark.ruling("X51")
def test_x51_who_comes_back_is_a_new_card() -> None:
    state = position("p0:\n  hand: Recaller\n  army 1: Nara Grunt", own=NARASHIMA)
    play(state, "play Recaller")
    assert hand(state, 0) == ["Recaller"]  # it returned itself
    row = state.game.R["prog"][0][[card.label for card in state.game.card_set.cards].index("Echo Hand"), 1]
    text = "p0:\n  army 1: Just Grunt\np1:\n  army 1: Tomo Grunt\n  army 2: Echo Hand\nnow: active=p1\n"
    stack = f'stack: turns p0; after p1; text p1 pc={row + 1} card="Echo Hand" how='
    assert asked(position(text + stack + "0")) == (1, "may")
    assert asked(position(text + stack + "8"))[1] != "may"  # it has left since its text began
