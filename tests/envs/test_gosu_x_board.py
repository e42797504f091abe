"""The board of Gosu X and what a player of it is told: nothing that his view does not hold, all that it does, within the screen."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import gosu_rl
from gosu_rl.agents.human import GameLeft, Human
from gosu_rl.agents.narrator import narrator_of
from gosu_rl.core.game import GameState
from gosu_rl.envs.ansi import WIDTH, render

CARDS = Path(__file__).parents[1] / "rulings_gosu_x" / "cards.toml"
CLANS = {"p0": "Justice, Galmi, Phoenix", "p1": "Goan Sul, Tomorrow, Xi'an"}


def position(text: str) -> GameState:
    """A position with the cards of the rulings tests; a player's cards that are not named lie in his deck."""
    lines = ["gosu_x, 2 players"]
    for line in dedent(text).splitlines():
        lines.append(line)
        if line[:3] in ("p0:", "p1:"):
            lines.append(f"  clans: {CLANS[line[:2]]}")
    return gosu_rl.game("gosu_x", cards=CARDS).parse("\n".join(lines))


def told(state: GameState, *labels: str, seat: int = 1) -> list[str]:
    """Lines for a seat after each label."""
    narrator = narrator_of(state.game)
    narrator.update(state.view(seat))
    lines = []
    for label in labels:
        lines += narrator.update(state.apply(label).view(seat))
    return lines


def test_boards_fit_the_screen_and_views_show_no_hidden_card() -> None:
    """Whole games, told to seat 0: board and lines are the same in another world behind the same view."""
    game, kinds = gosu_rl.game("gosu_x"), set()
    for seed in range(2):
        chance, state = Random(seed), game.new(seed=seed)
        before = state.view(0)
        while not state.over:
            legal = [a for a in state.legal if game.labels[a] != "pass" or chance.random() < 0.15] or state.legal
            kinds.add(state.kind)
            state.apply(chance.choice(legal))
            view = state.view(0)
            narrator, other = narrator_of(game), narrator_of(game)
            narrator.update(before)
            other.update(before.determinize(seed=seed).view(0))
            lines, board = narrator.update(view), render(view)
            if not state.over:
                world = view.determinize(seed=seed + 1).view(0)
                assert other.update(world) == lines
                assert render(world) == board
            assert max(map(len, board.splitlines())) <= WIDTH
            for line in lines:
                assert line[0].isupper() or line.startswith(("p0", "p1", "the ", "to ", "round ")) or " is " in line
            before = view
        assert "won" in render(state)
        assert max(map(len, render(state).splitlines())) <= WIDTH
        assert lines[-1].startswith("the game is over: ")
    assert {"draft", "mulligan", "turn", "use", "pay", "song"} <= kinds


@pytest.mark.nojit
def test_the_board_of_the_draft() -> None:
    state = gosu_rl.game("gosu_x").new(seed=1, advantage=0)
    for label in ("pick Galmi", "pick Phoenix", "pick Xi'an"):
        state.apply(label)
    board = render(state.view(0))
    assert "    Galmi │ deck 0 │ discard pile 0" in board
    assert "    Phoenix, Xi'an │ deck 0 │ discard pile 0" in board
    assert "to be drafted: Justice, Abhilasha, Tomorrow, Narashima, Goan Sul" in board
    assert board.splitlines()[-1] == "You to decide: choose a clan for your deck"
    assert [line.partition("◄ ")[2] for line in board.splitlines() if "◄" in line] == ["drafts"]
    assert next(line for line in board.splitlines() if "◄" in line).startswith("p0 (you)")


@pytest.mark.nojit
def test_tokens_stand_on_the_board() -> None:
    """Activation tokens on a card and of each kind, Bounty, Ethereal, Wonder, active tiles, captured cards."""
    state = position("""
        p0: tokens=1
          hand: Just Hero
          army 1: Just Grunt+, (Galm Grunt)
        p1: tokens=0
          hand: Goan Grunt
          army 1: Goan Grunt$~
        now: wonder=p1 tiles=Narashima+Abhilasha
        """)
    board = render(state.view(0))
    rows = board.splitlines()
    assert any("Ju+Just Grunt" in row and "[Galm Grunt]" in row for row in rows)
    assert any("*Go$~Goan Grunt" in row for row in rows)
    assert "WONDER" in next(row for row in rows if row.startswith("p1"))
    assert "WONDER" not in next(row for row in rows if row.startswith("p0"))
    assert "active tiles: Abhilasha, Narashima" in board
    assert "◆+" in next(row for row in rows if row.startswith("p0"))


@pytest.mark.nojit
def test_draft_plays_payments_and_passes_are_told() -> None:
    state = gosu_rl.game("gosu_x").new(seed=1, advantage=0)
    assert told(state, "pick Galmi", "pick Phoenix") == ["p0 picks Galmi", "You pick Phoenix"]
    state = position("p0: tokens=0\n  hand: Just Grunt\np1:\n  hand: Goan Grunt")
    assert told(state, "play Just Grunt") == ["p0 plays Just Grunt at 1.1"]
    state = position("p0: tokens=0\n  hand: Just Grunt\np1:\n  hand: Goan Grunt")
    assert told(state, "pass") == ["p0 passes"]
    state = position("p0: tokens=2\n  hand: Just Grunt\np1:\n  hand: Goan Grunt")
    assert told(state, "spend 2") == ["p0 spends 2 tokens", "p0 draws 3 cards"]


@pytest.mark.nojit
def test_a_shift_is_told_with_its_cost() -> None:
    text = "p0:\n  hand: Galm Grunt, Just Hero, {more}\n  army 1: Just Grunt\np1:\n  hand: Goan Grunt"
    expected = "p0 shifts Just Grunt to Galm Grunt at 1.1"
    lines = told(
        position(text.format(more="Just Lord, Phoe Grunt")), "play Galm Grunt", "replace 1.1", "discard Just Hero"
    )
    assert lines == [f"{expected} (paid Just Hero)"]
    at_once = position("p0:\n  hand: Galm Grunt, Just Hero\n  army 1: Just Grunt\np1:\n  hand: Goan Grunt")
    assert told(at_once, "play Galm Grunt") == [expected, "p0 discards Just Hero"]  # nothing else can be paid


@pytest.mark.nojit
def test_a_person_drafts_and_asks() -> None:
    """The list names what each tile would do; `?` explains cards and tiles, `d` shows both piles."""
    game = gosu_rl.game("gosu_x")
    state, out = game.new(seed=1, advantage=0), io.StringIO()
    human = Human(io.StringIO("?\n? galmi\n? scale bearer\nd\npick x\n"), out, color=False)
    human.reset(game, 0, 0)
    assert game.labels[human.act(state.view(0))] == "pick Xi'an"
    shown = out.getvalue()
    assert "pick Galmi" in shown
    assert "tile, if nobody takes it: " in shown
    assert "Tile of Galmi: " in shown
    assert "Bounty" in shown
    assert "Your discard pile: empty" in shown
    assert "p1's discard pile: empty" in shown
    assert "Now: choose a clan for your deck." in shown


def test_a_person_plays_to_the_end() -> None:
    """First actions only; every decision says what it asks for, and the end is told."""
    game = gosu_rl.game("gosu_x", cards=CARDS)
    state, out = game.new(seed=4), io.StringIO()
    people = [Human(io.StringIO("1\n" * 4000), out, color=False) for _ in range(2)]
    for seat, person in enumerate(people):
        person.reset(game, seat, 0)
    while not state.over:
        state.apply(people[state.mover].act(state.view(state.mover)))
    people[0].watch(state.view(0))
    assert "the game is over: " in out.getvalue()
    person, view = Human(io.StringIO("q\n"), out, color=False), game.new(seed=4, advantage=0).view(0)
    person.reset(game, 0, 0)
    with pytest.raises(GameLeft):
        person.act(view)


def test_a_person_is_told_how_many_sacrifices_the_song_wants() -> None:
    state = position(
        """p0: passed=1 turns_left=0
  army 1: Just Grunt, Usher, Digger
  army 2: Just Hero, Marvel
p1: passed=1 turns_left=0
  army 1: Goan Grunt
stack: turns p0"""
    )
    assert (state.mover, state.kind, state.owed) == (0, "song", 3)
    person = Human(io.StringIO("?\n2\n"), out := io.StringIO(), color=False)
    person.reset(state.game, 0, 0)
    state.apply(person.act(state.view(0)))
    said = out.getvalue()
    assert "You to decide: choose a card to sacrifice (Song for the Dead); 3 to go\n" in said
    assert "Now: choose a card to sacrifice (Song for the Dead); 3 to go." in said
    assert said.count("p0 song, 3 to go> ") == 2
    assert state.owed == 2
    assert "p0 to decide: choose a card to sacrifice (Song for the Dead); 2 to go" in render(state.view(1))


def test_board_speaks_of_supremacy_and_breaks_a_header_that_is_too_long() -> None:
    """Gosu X has no Victory Points; the Wonder token, turns left and many tokens at once do not fit into one line."""
    game = gosu_rl.game("gosu_x", rules={"turns_after_pass": 100, "tokens": 9, "token_limit": 9, "points_to_win": 5})
    state = game.new(seed=3)
    while state.kind != "turn":
        state.apply(state.legal[0])
    mover = state.mover
    text = str(state).replace(" decisions=", f" wonder=p{mover} decisions=").replace("turns_left=-1", "turns_left=100")
    board = render(game.parse(text).view(mover)).splitlines()
    header = next(k for k, line in enumerate(board) if line.startswith(f"p{mover} (you)"))
    assert max(map(len, board)) <= WIDTH
    assert "Supremacy ○○○○○" in board[header]
    assert "points" not in " ".join(board)
    assert board[header + 1].startswith("          │ ")
    assert "◄ turn" in board[header] + board[header + 1]


def test_board_says_in_words_why_the_game_ended() -> None:
    state = gosu_rl.game("gosu_x", rules={"points_to_win": 1}).new(seed=1)
    while not state.over:
        state.apply(state.legal[0])
    assert state.reason == "points"
    assert "Over (Supremacy tokens): p" in render(state)
