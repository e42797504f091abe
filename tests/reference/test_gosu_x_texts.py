"""The model of Gosu X: what texts and keywords do, by hand, ruling by ruling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .gosu_x import GosuXGame
from .gosu_x_scenes import play_all, x_card, x_rows, x_scene
from .gosu_x_words import read_condition, read_step, read_text, read_value


def made(folder: Path, *text: str, hand: list[str] | None = None, armies: Any = (), **more: Any) -> GosuXGame:
    """Seat 0 plays a Troop with this text; more of the card as `card`."""
    entry = x_card("Actor", "Galmi", 1, *text, copies=2, **more.pop("card", {}))
    special = [entry, *more.pop("special", [])]
    their_hand = more.pop("their_hand", ["Phoenix t1"])
    game = x_scene(folder, [["Actor", *(hand or [])], their_hand], armies, special=special, **more)
    game.apply("play Actor")
    return game


def hand(game: GosuXGame, player: int = 0) -> list[str]:
    return sorted(game.table.seats[player].hand)


THEIRS = [[["Galmi t1"]], [["Phoenix t1", "Phoenix t2", "Phoenix t3"], ["Phoenix h1"]]]


# --- reading ---------------------------------------------------------------------------------------------------


def test_the_grammar_is_read_as_the_document_says() -> None:
    step = read_step("may other sacrifice to #{own up hero}*2-1 max 3 {troop}")
    assert (step.may, step.who, step.verb, step.to) == (True, "other", "sacrifice", True)
    assert (step.amount.word, step.amount.times, step.amount.plus, step.amount.most) == ("#", 2, -1, 3)
    assert step.filter.levels == {1}
    assert read_value("each {own troop} -1 if wonder and not #{own captured}").sign == -1
    assert [part.sign for part in read_condition("hand and not wonder and deck <= 2")] == [">=", "=", "<="]
    assert len(read_text(["if wonder", "draw", "else", "choose_one", "draw 2", "or", "pass", "end", "end", "win"])) == 2
    for wrong in ("drawn 1", "draw 1 {troop", "destroy {blue}", "draw cards"):
        with pytest.raises(ValueError, match=r"reference model|left over"):
            read_step(wrong)


# --- capture, destroy, and who is spared -----------------------------------------------------------------------


@pytest.mark.ruling("X9")
@pytest.mark.ruling("X10")
def test_capture_takes_any_face_up_card_and_destroy_any_open_one(tmp_path: Path) -> None:
    game = made(tmp_path, "capture {other}", "destroy {other}", armies=THEIRS)
    assert game.legal == {f"target p1 {slot}" for slot in ("1.1", "1.2", "1.3", "2.1")}
    game.apply("target p1 2.1")
    assert game.legal == {"target p1 1.3", "target p1 2.1"}  # captured or not
    game.apply("target p1 2.1")
    assert x_rows(game, 1) == [["Phoenix t1", "Phoenix t2", "Phoenix t3"], [], []]
    own = made(tmp_path, "destroy {own}", armies=[[["Galmi t1"]], []])
    assert x_rows(own, 0)[0] == ["Galmi t1"]  # itself: the only OPEN one, and a must
    none = made(tmp_path, "capture {other}")
    assert none.mover == 1


@pytest.mark.ruling("X26")
def test_ethereal_cards_are_neither_captured_nor_destroyed(tmp_path: Path) -> None:
    ghost = x_card("Ghost", "Phoenix", 1, keywords=["ethereal"], shift=0, copies=2)
    armies = [[], [["Phoenix t1", "Ghost"]]]
    game = made(tmp_path, "capture 2 {other}", armies=armies, special=[ghost])
    assert x_rows(game, 1)[0] == ["*Phoenix t1", "Ghost"]
    game = made(tmp_path, "destroy every {other}", armies=armies, special=[ghost])
    assert x_rows(game, 1)[0] == ["Phoenix t1", "Ghost"]
    game = made(tmp_path, "return {other}", armies=armies, special=[ghost])
    assert "Ghost" in hand(game, 1)
    game = made(tmp_path, "other sacrifice 1", armies=armies, special=[ghost])
    assert x_rows(game, 1)[0] == ["Phoenix t1"]


@pytest.mark.ruling("X27")
def test_justices_tile_guards_the_topmost_open_card_and_moves_along(tmp_path: Path) -> None:
    tile = {"clan": "Xi'an", "rule": ["top_open_ethereal"]}
    armies = [[], [["Phoenix t1", "Phoenix t2", "Phoenix t3"], ["Phoenix h1", "*Phoenix h2"]]]
    game = made(tmp_path, "destroy 2 {other}", armies=armies, tiles=[tile])
    assert x_rows(game, 1) == [
        ["Phoenix t1", "Phoenix t2"],
        ["Phoenix h1", "*Phoenix h2"],
        [],
    ]  # the captured one is safe
    single = made(tmp_path, "destroy every", "capture every", armies=[[], [["Phoenix t1", "Phoenix t2"]]], tiles=[tile])
    assert x_rows(single, 1)[0] == ["*Phoenix t1", "Phoenix t2"]
    assert x_rows(single, 0)[0] == ["Actor"]


@pytest.mark.ruling("X29")
def test_every_looks_at_the_army_before_it(tmp_path: Path) -> None:
    game = made(tmp_path, "destroy every {other}", armies=THEIRS)
    assert x_rows(game, 1) == [["Phoenix t1", "Phoenix t2"], [], []]
    assert game.table.seats[1].this_turn.lost == 0  # the turn is over
    one_by_one = made(tmp_path, "destroy 2 {other}", armies=THEIRS)
    one_by_one.apply("target p1 1.3")
    assert one_by_one.legal == {"target p1 1.2", "target p1 2.1"}  # 1.2 has become OPEN


@pytest.mark.ruling("X24")
@pytest.mark.ruling("X54")
def test_bounty_pays_a_draw_once_a_card_when_the_text_is_over(tmp_path: Path) -> None:
    prize = x_card("Prize", "Phoenix", 1, keywords=["bounty"], copies=2)
    armies = [[], [["Prize$", "Prize", "*Prize"]]]
    game = made(
        tmp_path, "capture every {other}", "draw 1", armies=armies, special=[prize], decks=[["Galmi h1"] * 5, []]
    )
    assert (game.kind, game.table.power) == ("may", {"card": "Actor", "name": "text", "step": "bounty"})
    assert hand(game) == ["Galmi h1"]  # the text is over first
    play_all(game, "accept", "decline")
    assert (game.mover, hand(game)) == (1, ["Galmi h1"] * 2)
    assert not any(card.bounty for card in game.table.seats[1].cards)  # captured: the token is back
    own = made(tmp_path, "capture every {own left}", armies=[[["Galmi t1", "Prize"]], []], special=[prize])
    assert own.mover == 1  # not opposing
    sacrificed = made(tmp_path, "other sacrifice 3", armies=armies, special=[prize])
    assert sacrificed.mover == 1
    empty = made(tmp_path, "capture 1 {other bounty}", armies=armies, special=[prize], decks=[[], []])
    empty.apply("target p1 1.2")
    assert empty.mover == 1  # no card to draw: nothing asked


@pytest.mark.ruling("X25")
def test_the_bounty_token_is_one(tmp_path: Path) -> None:
    armies = [[["Galmi t1"]], [["Phoenix t1$", "Phoenix t2"]]]
    game = made(tmp_path, "place_bounty", armies=armies)
    assert game.legal == {"target p0 1.1", "target p0 1.2", "target p1 1.2"}
    game.apply("target p1 1.2")
    assert game.as_dict()["bounty"] == "p1 1.2"
    moved = made(tmp_path, "move_bounty", armies=[[["Galmi t1"]], []])
    assert (moved.as_dict()["bounty"], moved.mover) == (None, 1)


@pytest.mark.ruling("X57")
def test_ethereal_tokens_are_two_and_justices_tile_takes_them(tmp_path: Path) -> None:
    tile = {"clan": "Galmi", "rule": ["top_open_ethereal"]}
    armies = [[["Galmi t1~", "Galmi t2~"], ["Galmi h1"], ["Galmi i1"]], []]
    full = made(tmp_path, "place_ethereal {own}", armies=armies, tiles=[tile])
    assert full.mover == 1
    game = made(tmp_path, "flip_tiles", "place_ethereal {own}", armies=armies, tiles=[tile])
    assert game.as_dict()["tiles"] == ["Galmi", "Narashima", "Xi'an"]
    assert [seat["ethereal"] for seat in game.as_dict()["players"]] == [[], []]
    assert game.mover == 1  # none can be placed


# --- release, mirror, counts -----------------------------------------------------------------------------------


@pytest.mark.ruling("X38")
def test_release_reaches_both_armies_and_triggers_nothing(tmp_path: Path) -> None:
    bell = x_card("Bell", "Galmi", 1, "draw 1", copies=2)
    game = made(tmp_path, "release", armies=[[["*Bell", "Galmi t1"]], [["*Phoenix t1", "Phoenix t2"]]], special=[bell])
    assert game.legal == {"target p0 1.1", "target p1 1.1"}
    game.apply("target p0 1.1")
    assert (x_rows(game, 0)[0], hand(game)) == (["Bell", "Galmi t1", "Actor"], [])
    again = made(tmp_path, "release {own}", "resolve {that}", armies=[[["*Bell"]], []], special=[bell])
    assert hand(again) == ["Galmi i1"]


@pytest.mark.ruling("X37")
def test_the_mirror_is_the_same_place_in_the_other_army(tmp_path: Path) -> None:
    game = made(tmp_path, "capture {mirror}", armies=[[["Galmi t1"]], [["Phoenix t1", "Phoenix t2"]]])
    assert x_rows(game, 1)[0] == ["Phoenix t1", "*Phoenix t2"]
    game = made(tmp_path, "capture {mirror}", armies=[[["Galmi t1"]], [["Phoenix t1"]]])
    assert x_rows(game, 1)[0] == ["Phoenix t1"]


@pytest.mark.ruling("X36")
def test_a_captured_card_has_a_row_and_nothing_else(tmp_path: Path) -> None:
    armies = [[["*Galmi t1"]], []]
    for text, drawn in ((("if #{own troop} >= 2", "draw 1"), 1), (("if #{own clan:Galmi} >= 2", "draw 1"), 0)):
        assert len(hand(made(tmp_path, *text, armies=armies))) == drawn
    rules = {"full_army": 2}
    assert made(tmp_path, "draw 1", armies=armies, rules=rules).reason == ""
    assert made(tmp_path, "release", armies=armies, rules=rules).reason == "fifteen"


@pytest.mark.ruling("X12")
@pytest.mark.ruling("X41")
def test_fifteen_face_up_cards_win_at_once_and_before_the_text(tmp_path: Path) -> None:
    row = [f"Galmi t{number}" for number in (1, 2, 3, 4)]
    top = [["Galmi h1"] * 5, ["Galmi i1"] * 5]
    game = made(tmp_path, "pass", armies=[[row, *top], []])
    assert (game.reason, game.shares) == ("fifteen", [1, 0])
    both = [[["*Galmi t1"]], [["*Phoenix t1", "Phoenix t2"]]]
    game = made(tmp_path, "release every", armies=both, rules={"full_army": 2})
    assert game.shares == [1, 0]  # the active player


@pytest.mark.ruling("X41")
def test_fifteen_by_both_in_the_song_is_a_draw(tmp_path: Path) -> None:
    armies = [[["*Galmi t1", "Galmi t2"]], [["*Phoenix t1", "Phoenix t2"]]]
    game = play_all(x_scene(tmp_path, [[], []], armies, ready=[0, 0], rules={"full_army": 2}), "pass", "pass")
    assert (game.reason, game.shares) == ("fifteen", [0.5, 0.5])


# --- Byun Hyung Ja, activation, Echo ---------------------------------------------------------------------------


@pytest.mark.ruling("X12")
@pytest.mark.ruling("X40")
def test_each_time_the_condition_holds_a_token_is_unlocked_and_the_fifth_wins(tmp_path: Path) -> None:
    text = ("if hand = 0", "unlock")
    game = made(tmp_path, *text, card={"keywords": ["echo"]})
    game.apply("accept")
    assert (game.table.seats[0].ready, game.table.seats[0].locked) == (4, 0)
    game = made(tmp_path, *text, card={"keywords": ["echo"]}, rules={"token_limit": 3})
    game.apply("accept")
    assert (game.reason, game.shares) == ("fifth_token", [1, 0])
    assert made(tmp_path, *text, hand=["Galmi t1"]).table.seats[0].locked == 2


@pytest.mark.ruling("X28")
@pytest.mark.ruling("X58")
def test_echo_resolves_the_text_once_more_but_not_for_a_token(tmp_path: Path) -> None:
    game = made(tmp_path, "draw 1", card={"keywords": ["echo"], "icons": 1})
    assert (game.kind, hand(game)) == ("may", ["Galmi i1"])
    game.apply("accept")
    assert hand(game) == ["Galmi i1", "Galmi i2"]
    play_all(game, "play Phoenix t1")
    game.apply("activate 1.1")
    assert game.mover == 1  # no Echo asked


@pytest.mark.ruling("X51")
def test_no_echo_for_a_card_that_its_own_text_took_away(tmp_path: Path) -> None:
    for text in ("destroy {own}", "capture {own self}"):
        assert made(tmp_path, text, card={"keywords": ["echo"]}).mover == 1


@pytest.mark.ruling("X30")
def test_icons_say_how_many_tokens_a_card_takes(tmp_path: Path) -> None:
    special = [
        x_card("Mill", "Galmi", 1, "draw 1", icons=2, copies=2),
        x_card("Gate", "Galmi", 1, "draw 2", icons=1, on="entering", copies=2),
    ]
    armies = [[["Mill", "*Mill", "Gate"]], []]
    game = x_scene(tmp_path, [[], []], armies, special=special, ready=[3, 0])
    assert {label for label in game.legal if "activate" in label} == {"activate 1.1", "activate 1.3"}
    play_all(game, "activate 1.1", "pass", "activate 1.1")
    assert game.legal == {"pass", "spend 1", "activate 1.3"}
    drawn = hand(game)
    game.apply("activate 1.3")
    assert hand(game) == drawn  # its text is for entering only


@pytest.mark.ruling("X52")
def test_texts_start_others_three_deep(tmp_path: Path) -> None:
    chain = x_card("Link", "Galmi", 1, "draw 1", "put_into_play pile {troop}", copies=2)
    game = x_scene(tmp_path, [["Link"], []], special=[chain], piles=[["Link"] * 4, []], decks=[["Galmi h1"] * 9, []])
    game.apply("play Link")
    assert x_rows(game, 0)[0] == ["Link"] * 4  # the fourth enters without its text
    assert len(hand(game)) == 3


# --- decks, piles, knowledge -----------------------------------------------------------------------------------


@pytest.mark.ruling("X11")
@pytest.mark.ruling("X45")
def test_drawing_makes_the_deck_anew_and_revealing_does_not(tmp_path: Path) -> None:
    game = made(tmp_path, "reveal 4", "rest_to bottom", decks=[["Galmi h1"], []], piles=[["Galmi h2"], []])
    assert [card.label for card in game.table.seats[0].deck] == ["Galmi h1"]
    game = made(tmp_path, "draw 2", decks=[["Galmi h1"], []], piles=[["Galmi h2"], []])
    assert hand(game) == ["Galmi h1", "Galmi h2"]
    assert game.table.seats[0].shuffles == 2


@pytest.mark.ruling("X45")
def test_shown_cards_are_known_where_they_end(tmp_path: Path) -> None:
    deck = ["Galmi h1", "Galmi t1", "Galmi h2", "Galmi h3"]
    game = made(tmp_path, "reveal 3", "keep 1 {hero}", "rest_to bottom", decks=[deck, []])
    assert game.legal == {"take Galmi h1", "take Galmi h2"}
    game.apply("take Galmi h2")
    seen = game.as_dict(viewer=1)["players"][0]
    assert (seen["hand"], seen["deck"]) == (["Galmi h2"], [None, "Galmi h1", "Galmi t1"])
    secret = made(tmp_path, "look 2", "keep 1", decks=[deck, []])
    secret.apply("take Galmi t1")
    seen, own = (secret.as_dict(viewer=viewer)["players"][0] for viewer in (1, 0))
    assert (seen["hand"], seen["deck"]) == ([], [None] * 3)
    assert (own["hand"], own["deck"]) == (["Galmi t1"], ["Galmi h1", None, None])


@pytest.mark.ruling("X45")
def test_a_looked_at_card_got_by_a_condition_is_shown_and_missing_ones_are_declined(tmp_path: Path) -> None:
    deck = ["Galmi h1", "Galmi t1", "Galmi h2"]
    game = made(tmp_path, "look 2", "keep 1 {troop}", decks=[deck, []])
    assert game.legal == {"take Galmi t1"}
    game.apply("take Galmi t1")
    assert game.as_dict(viewer=1)["players"][0]["hand"] == ["Galmi t1"]
    none = made(tmp_path, "look 2", "keep 1 {immortal}", decks=[deck, []])
    assert none.legal == {"decline"}


@pytest.mark.ruling("X45")
def test_an_empty_deck_makes_the_hand_known_also_in_the_middle_of_a_draw(tmp_path: Path) -> None:
    game = made(tmp_path, "draw 2", hand=["Galmi h4"], decks=[["Galmi h1"], []], piles=[["Galmi h2", "Galmi h3"], []])
    assert game.table.seats[0].known == ["Galmi h4", "Galmi h1"]
    assert hand(game) == ["Galmi h1", "Galmi h2", "Galmi h4"]


@pytest.mark.ruling("X56")
def test_a_card_put_on_the_deck_makes_the_others_forget_the_hand(tmp_path: Path) -> None:
    game = made(
        tmp_path,
        "take_back",
        "put_on_deck top 1",
        hand=["Galmi h1"],
        piles=[["Galmi h2"], []],
        decks=[["Galmi h3"], []],
    )
    assert game.legal == {"take Galmi h1", "take Galmi h2"}
    game.apply("take Galmi h1")
    seat = game.table.seats[0]
    assert (seat.known, seat.deck[0].label, seat.deck[0].owner, seat.deck[0].both) == ([], "Galmi h1", True, False)


@pytest.mark.ruling("X46")
def test_what_is_fetched_is_shown_and_the_deck_is_shuffled(tmp_path: Path) -> None:
    deck = ["Galmi h1", "Galmi t1", "Galmi h2"]
    game = made(tmp_path, "fetch 1 {hero}", decks=[deck, []])
    assert game.legal == {"take Galmi h1", "take Galmi h2"}
    game.apply("take Galmi h2")
    assert (game.table.seats[0].known, game.table.seats[0].shuffles) == (["Galmi h2"], 2)
    none = made(tmp_path, "fetch 1 {immortal}", decks=[deck, []])
    assert none.legal == {"decline"}
    none.apply("decline")
    assert none.table.seats[0].shuffles == 2


@pytest.mark.ruling("X39")
def test_what_an_effect_puts_into_play_pays_nothing_and_needs_a_slot(tmp_path: Path) -> None:
    pile = ["Goan Sul h1", "Justice t1", "Galmi i1"]
    game = made(tmp_path, "put_into_play pile", piles=[pile, []], armies=[[["Galmi t1", "Galmi t2"]], []])
    assert game.legal == {"take Goan Sul h1", "take Justice t1"}  # no Immortal without a Hero below
    game.apply("take Goan Sul h1")
    assert x_rows(game, 0)[1] == ["Goan Sul h1"]
    full = [["Galmi t1", "Galmi t2", "Galmi t3", "Galmi t4"], ["Galmi h1"], ["Galmi i2"]]
    none = made(tmp_path, "put_into_play pile {troop immortal}", piles=[pile, []], armies=[full, []])
    assert (none.mover, x_rows(none, 0)[0][-1]) == (1, "Actor")


@pytest.mark.ruling("X45")
def test_removed_cards_are_in_no_pile_till_they_are_retrieved(tmp_path: Path) -> None:
    game = made(tmp_path, "remove_pile 1", "draw 2", piles=[["Galmi h1"], []], decks=[["Galmi h2"], []])
    assert (game.as_dict()["removed"], hand(game)) == (["Galmi h1"], ["Galmi h2"])
    back = made(tmp_path, "remove_pile 1", "retrieve", piles=[["Galmi h1"], []])
    assert (back.as_dict()["removed"], hand(back)) == ([], ["Galmi h1"])


# --- prices, choices, both players -----------------------------------------------------------------------------


@pytest.mark.ruling("X29")
@pytest.mark.ruling("X50")
def test_a_price_is_paid_whole_or_not_at_all(tmp_path: Path) -> None:
    text = ("may discard 2", "if_done", "draw 3", "else", "draw 1")
    deck = [["Galmi i1"] * 5, []]
    game = made(tmp_path, *text, hand=["Galmi h1", "Galmi h2"], decks=deck)
    assert game.legal == {"decline", "discard Galmi h1", "discard Galmi h2"}
    game.apply("discard Galmi h1")
    assert hand(game) == ["Galmi i1"] * 3  # the second one was not asked
    poor = made(tmp_path, *text, hand=["Galmi h1"], decks=deck)
    assert (poor.mover, hand(poor)) == (1, ["Galmi h1", "Galmi i1"])
    choice = made(tmp_path, "choose_one", "capture {other}", "or", "draw 2", "end", decks=deck)
    assert choice.legal == {"option 1", "option 2"}
    choice.apply("option 1")
    assert (choice.mover, hand(choice)) == (1, [])


@pytest.mark.ruling("X29")
def test_the_opponent_discards_and_sacrifices_down_to_what_you_have(tmp_path: Path) -> None:
    game = made(
        tmp_path, "other discard to hand", hand=["Galmi h1"], their_hand=["Phoenix h1", "Phoenix h2", "Phoenix h3"]
    )
    assert (game.kind, game.mover) == ("discard", 1)
    play_all(game, "discard Phoenix h1", "discard Phoenix h2")
    assert hand(game, 1) == ["Phoenix h3"]
    game = made(tmp_path, "other sacrifice to #{own}", armies=[[["Galmi t1"]], THEIRS[1]])
    assert (game.kind, game.mover, game.legal) == ("aim", 1, {"target p1 1.3", "target p1 2.1"})
    game.apply("target p1 1.3")
    game.apply("target p1 2.1")
    assert x_rows(game, 1) == [["Phoenix t1", "Phoenix t2"], [], []]
    both = made(tmp_path, "both discard hand/2", hand=["Galmi h1"] * 4, their_hand=["Phoenix h1"] * 4)
    play_all(both, "discard Galmi h1", "discard Galmi h1", "discard Phoenix h1", "discard Phoenix h1")
    assert (len(hand(both)), len(hand(both, 1))) == (2, 2)  # the number is fixed when the step begins


@pytest.mark.ruling("X49")
@pytest.mark.ruling("X48")
def test_justice_turns_the_tiles_of_her_face_up_immortals(tmp_path: Path) -> None:
    lord = x_card("Justice", "Justice", 3, "flip_tiles", "if tiles >= 5", "win", on="entering")
    rows = [
        ["Galmi t1", "Justice t1", "Goan Sul t1"],
        ["Galmi h1", "Goan Sul h1", "Justice h1"],
        ["Galmi i1", "Goan Sul i1"],
    ]
    game = x_scene(tmp_path, [["Justice"], []], [rows, []], special=[lord])
    game.apply("play Justice")
    assert (game.reason, game.shares) == ("justice", [1, 0])
    rows[2] = ["Galmi i1", "*Goan Sul i1"]
    game = x_scene(tmp_path, [["Justice"], []], [rows, []], special=[lord])
    game.apply("play Justice")
    assert game.as_dict()["tiles"] == ["Galmi", "Justice", "Narashima", "Xi'an"]


# --- Force of Will ---------------------------------------------------------------------------------------------


@pytest.mark.ruling("X15")
@pytest.mark.ruling("X31")
def test_force_of_will_in_both_players_turns(tmp_path: Path) -> None:
    wrath = x_card("Wrath", "Phoenix", 1, "draw 1", keywords=["force of will"], will=["lost >= 1"], copies=2)
    game = made(
        tmp_path, "destroy {other}", armies=THEIRS, special=[wrath], their_hand=["Wrath", "Wrath", "Phoenix h2"]
    )
    game.apply("target p1 1.3")
    assert (game.kind, game.mover, game.legal) == ("will", 1, {"will Wrath", "decline"})
    game.apply("will Wrath")
    assert game.legal == {"will Wrath", "decline"}  # asked again
    game.apply("decline")
    assert (game.mover, "will Wrath" in game.legal) == (1, False)  # lost in the turn before
    bluff = made(
        tmp_path, "destroy {other}", armies=THEIRS, special=[wrath], their_hand=["Phoenix h2"], decks=[[], ["Wrath"]]
    )
    bluff.apply("target p1 1.3")
    assert bluff.legal == {"decline"}  # it could be in the hand
    known = made(
        tmp_path, "destroy {other}", armies=THEIRS, special=[wrath], their_hand=["Phoenix h2"], decks=[[], ["Wrath"]]
    )
    known.table.seats[1].known = ["Phoenix h2"]
    known.apply("target p1 1.3")
    assert known.kind == "turn"  # it could not


@pytest.mark.ruling("X31")
@pytest.mark.ruling("X59")
def test_force_of_will_does_not_use_up_the_own_turn_unless_it_passes(tmp_path: Path) -> None:
    sigh = x_card("Sigh", "Galmi", 1, "draw 1", keywords=["force of will"], will=["hand >= 1"], copies=2)
    game = x_scene(tmp_path, [["Sigh", "Galmi t1"], []], special=[sigh])
    game.apply("will Sigh")
    assert (game.kind, game.mover, hand(game)) == ("turn", 0, ["Galmi i1", "Galmi t1"])
    rest = x_card("Rest", "Galmi", 1, "pass", keywords=["force of will"], will=["hand >= 1"], copies=2)
    game = x_scene(tmp_path, [["Rest", "Galmi t1"], []], special=[rest], ready=[0, 2])
    game.apply("will Rest")
    assert (game.table.seats[0].passed, game.mover) == (True, 1)


@pytest.mark.ruling("X21")
def test_who_has_passed_may_still_use_force_of_will(tmp_path: Path) -> None:
    echo = x_card("Reply", "Galmi", 1, "draw 1", keywords=["force of will"], will=["other.active"], copies=2)
    game = x_scene(tmp_path, [["Reply"], []], special=[echo], ready=[0, 2])
    play_all(game, "pass", "spend 1")
    assert (game.kind, game.mover, game.legal) == ("will", 0, {"will Reply", "decline"})
