"""Laws of views: a view is what its seat knows and nothing else, whatever the rest of the world looks like."""

from __future__ import annotations

from random import Random

import invariants
import pytest
from hidden_cards import exchanged, scrambled, settled
from hypothesis import given
from hypothesis import strategies as st
from invariants import Facts
from law_cases import PLAYERS, SETS, STYLES, corpus, game, name, walk
from test_laws_play import SEEDS, SETTINGS

import gosu_rl
from gosu_rl.core.game import GameState
from gosu_rl.core.jit import JIT


def knows_the_same(state: GameState, other: GameState, p: int) -> None:
    """Whatever seat p can see, print or be advised is the same in both states."""
    view, again = state.view(p), other.view(p)
    assert view.record.tobytes() == again.record.tobytes(), name(state)
    assert str(view) == str(again)
    assert view.as_dict() == again.as_dict()
    assert (view.observation(p) == again.observation(p)).all()
    assert (state.observation(p) == other.observation(p)).all()
    assert view.legal_labels == again.legal_labels
    assert (view.mask == again.mask).all()
    assert view.determinize(7) == again.determinize(7)
    if state.mover == p:
        assert state.legal_labels == other.legal_labels
        for policy in state.game.policies:
            assert state.game.choose(view, policy, 5) == state.game.choose(again, policy, 5)
        for spec in ("random", "greedy"):
            choices = []
            for seen in (view, again):
                agent = gosu_rl.make_agent(spec)
                agent.reset(state.game, p, 11)
                choices.append(agent.act(seen))
            assert choices[0] == choices[1]


def test_what_a_seat_cannot_know_changes_nothing_for_it() -> None:
    moved = 0
    for k, state in enumerate(corpus()):
        for p in range(state.game.players):
            other = scrambled(state, p, Random(f"{k} {p}"))
            invariants.check(other)
            moved += (other.record["hand"] != state.record["hand"]).any()
            knows_the_same(state, other, p)
    assert moved > 300


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cards", SETS)
def test_views_through_whole_games(cards: str, players: int) -> None:
    one = game(cards, players)

    @SETTINGS
    @given(seed=SEEDS, style=st.sampled_from(STYLES), p=st.integers(0, players - 1))
    def looks(seed: int, style: str, p: int) -> None:
        for number, state in enumerate(walk(one.new(seed), style, Random(seed), most=150)):
            view = state.view(p)
            world = view.determinize(number)
            assert world.view(p).record.tobytes() == view.record.tobytes()
            assert scrambled(state, p, Random(number)).view(p).record.tobytes() == view.record.tobytes()
            if number % 8 == 0:
                invariants.check(world)

    looks()


@pytest.mark.nojit
def test_a_world_drawn_from_a_view_gives_that_view() -> None:
    for state in corpus():
        for p in range(state.game.players):
            view = state.view(p)
            worlds = [view.determinize(seed) for seed in range(3 if JIT else 1)]
            for world in worlds:
                assert not world.is_view
                invariants.check(world)
                assert world.view(p) == view
                assert world.kind == state.kind
                assert world.mover == state.mover
            if state.mover == p:
                assert worlds[0].legal == state.legal
            assert worlds[0] == view.determinize(0)


@pytest.mark.nojit
def test_a_view_of_a_view_is_itself() -> None:
    for state in corpus()[::3]:
        for p in range(state.game.players):
            view = state.view(p)
            assert view.viewer == p
            assert view.is_view
            assert view.view(p) == view
            assert view.view(p).record is not view.record
            for q in range(state.game.players):
                if q != p:
                    with pytest.raises(ValueError, match=f"view of p{p}"):
                        view.view(q)
                    with pytest.raises(ValueError, match=f"view of p{p}"):
                        view.observation(q)
    with pytest.raises(ValueError, match="only a view"):
        state.determinize(1)


@pytest.mark.nojit
def test_who_is_not_to_move_sees_no_actions() -> None:
    for state in corpus():
        for p in range(state.game.players):
            view = state.view(p)
            assert view.legal == (state.legal if p == state.mover else [])
            assert view.mask.any() == (p == state.mover)
            assert view.legal_labels == (state.legal_labels if p == state.mover else [])


@pytest.mark.nojit
@pytest.mark.parametrize("seat", [-1, 4, 2**70, True, None, 0.0, "0", "p0"])
def test_views_of_nobody_are_refused(seat: object) -> None:
    for state in corpus()[::40]:
        for look in (state.view, state.observation):
            with pytest.raises(ValueError, match="seat must be a number from 0"):
                look(seat)


@pytest.mark.nojit
def test_a_view_holds_nothing_hidden() -> None:
    """Every label in a view's text, plain data and repr is of a card that its seat can see."""
    for state in corpus()[::2]:
        f = Facts(state)
        for p in range(f.n):
            hidden = set(f.pile)
            for q in range(f.n):
                hidden |= f.hand[q] - f.known[q] if q != p else set()
            v = Facts(state.view(p))
            seen = v.discard | v.aside | v.revealed
            for q in range(f.n):
                seen |= v.hand[q] | v.secret[q] | set(v.army(q))
            assert not seen & hidden
            assert not state.view(p).pile_order
            plain = state.view(p).as_dict()
            assert plain["draw_pile"] == plain["pile_order"] == []
            for q, seat in enumerate(plain["players"]):
                if q != p:
                    assert not seat["picks"]
                    assert seat["hand"] == seat["known"]


def old_and_new(state: GameState) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Hidden cards in hands as (seat, copy): of former shuffles, and of the present one."""
    f = Facts(state)
    held = [(q, c) for q in range(f.n) for c in sorted(f.hand[q] - f.known[q])]
    return [x for x in held if f["epoch"][x[1]] < f["era"]], [x for x in held if f["epoch"][x[1]] == f["era"]]


def test_cards_of_different_shuffles_cannot_be_exchanged_unnoticed() -> None:
    """Section 5 (6): the checker refuses an old card in the pile; between hands the counts that everybody keeps differ."""
    refused = told_apart = unnoticed = 0
    for state in [s for k, s in enumerate(corpus()) if not s.over and (s.shuffles > 0 or k % 8 == 0)]:
        old, new = old_and_new(state)
        f = Facts(state)
        for q, c in old[:2]:
            for into in f.pile[:2]:
                broken = exchanged(state, (q, c), (-1, into))
                with pytest.raises(AssertionError, match="present epoch"):
                    invariants.check(broken)
                refused += 1
        for q, c in old[:2]:
            for r, d in new[:4]:
                if q != r:
                    for p in range(f.n):
                        assert exchanged(state, (q, c), (r, d)).view(p) != state.view(p)
                        told_apart += 1
        for group in (old, new):
            for q, c in group[:2]:
                for r, d in group[-2:]:
                    if q == r or f["epoch"][c] != f["epoch"][d] or f.secret[q] or f.secret[r]:
                        continue
                    other = exchanged(state, (q, c), (r, d))
                    invariants.check(settled(other))
                    for p in set(range(f.n)) - {q, r}:
                        assert other.view(p) == state.view(p)
                        unnoticed += 1
        for q, c in new[:2]:
            for into in f.pile[:2]:
                if c in f.secret[q]:
                    continue
                other = exchanged(state, (q, c), (-1, into))
                invariants.check(settled(other))
                for p in set(range(f.n)) - {q}:
                    assert other.view(p) == state.view(p)
                    unnoticed += 1
    assert refused > 50
    assert told_apart > 50
    assert unnoticed > 300
