"""Laws of play: cards are conserved and every position is sound, games are pure functions of their seed and actions, what is
illegal changes nothing, and results add up.
"""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import invariants
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_cases import PLAYERS, SETS, STYLES, choose, corpus, game, games, name, small_set, walk

import gosu_rl
from gosu_rl.core.cards import check as card_check
from gosu_rl.core.cards.schema import Card, CardSet

SETTINGS = settings(
    max_examples=12, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cards", SETS)
def test_every_position_of_a_game_is_sound(cards: str, players: int) -> None:
    one = game(cards, players)
    checked = Counter()

    @SETTINGS
    @given(seed=SEEDS, style=st.sampled_from(STYLES), looker=st.integers(0, players - 1))
    def plays(seed: int, style: str, looker: int) -> None:
        for state in walk(one.new(seed), style, Random(seed), most=150):
            checked[state.kind] += 1
            invariants.check(state)
            invariants.check_view(state.view(looker))

    plays()
    assert checked["turn"] > 50


def test_every_kind_of_decision_is_tried_with_every_number_of_players() -> None:
    for players in PLAYERS:
        kinds = {state.kind for state in corpus() if state.game.players == players}
        assert kinds == set(games()[0].kinds)
    for one in games()[:6]:  # of the packaged and the small set
        assert {state.kind for state in corpus() if state.game is one} == set(one.kinds)


@pytest.mark.nojit
def test_every_position_of_the_corpus_is_sound_for_every_seat() -> None:
    for state in corpus():
        invariants.check(state)
        for p in range(state.game.players):
            invariants.check_view(state.view(p))


def test_same_seed_and_actions_give_the_same_bytes() -> None:
    for g, one in enumerate(games()):
        first = one.new(seed=g)
        second = one.new(seed=g)
        chance = Random(g)
        while not first.over and first.decisions < 120:
            assert first.record.tobytes() == second.record.tobytes()
            action = choose(first, STYLES[g % 4], chance)
            first.apply(action)
            second.apply(one.labels[action])
        assert first == second
        assert one.new(seed=g) != one.new(seed=g + 1)


def test_the_deal_does_not_depend_on_who_holds_the_advantage_card() -> None:
    for one in games():
        deals = [one.new(seed=5, advantage=q) for q in range(one.players)]
        for q, state in enumerate(deals):
            assert state.advantage == q
            assert (state.record["hand"] == deals[0].record["hand"]).all()
            assert (state.record["deck"] == deals[0].record["deck"]).all()
            assert (state.record["rng"] == deals[0].record["rng"]).all()


def test_snapshots_keep_their_bytes_while_the_game_goes_on() -> None:
    for g, one in enumerate(games()):
        kept = []
        for number, state in enumerate(walk(one.new(seed=g), STYLES[g % 4], Random(g), most=150)):
            if number % 10 == 0:
                p = number % one.players
                for thing in (state.copy(), state.view(p), state.view(p).determinize(number)):
                    kept.append((thing, thing.record.tobytes(), str(thing)))
        for thing, data, text in kept:
            assert thing.record.tobytes() == data
            assert str(thing) == text


def test_a_copy_goes_its_own_way() -> None:
    for state in corpus():
        if state.over:
            continue
        before = state.record.tobytes()
        twin = state.copy()
        twin.apply(twin.legal[0])
        assert state.record.tobytes() == before
        assert twin != state


NO_ACTIONS = [
    -1, -(2**63), 2**31, 2**63, 2**64 - 1, 2**70, -(2**70), True, False, None, 0.0, 4.0, math.nan, math.inf, "", "fly", "pass ,",
    b"keep", (4,), [4], {}, object, np.float64(4), np.bool_(True), np.array([4]), np.int64(-1), np.uint64(2**64 - 1),
]  # fmt: skip


@pytest.mark.nojit
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused(action: object) -> None:
    for state in [s for s in corpus() if not s.over][::9]:
        before = state.record.tobytes()
        with pytest.raises(ValueError, match="legal: ") as caught:
            state.apply(action)
        assert state.legal_labels[0] in str(caught.value)
        assert "\n" not in str(caught.value)
        assert state.record.tobytes() == before


@pytest.mark.nojit
def test_illegal_ids_and_labels_are_refused_and_change_nothing() -> None:
    for state in corpus():
        before = state.record.tobytes()
        legal = set(state.legal)
        chance = Random(state.decisions)
        wrong = [a for a in range(state.game.num_actions) if a not in legal]
        for a in [state.game.num_actions, *chance.sample(wrong, min(8, len(wrong)))]:
            forms = [a, np.int16(a), np.uint64(a)] + ([state.game.labels[a]] if a < state.game.num_actions else [])
            for form in forms:
                with pytest.raises(ValueError, match="is illegal") as caught:
                    state.apply(form)
                for label in state.legal_labels[:40]:
                    assert label in str(caught.value), name(state)
                assert state.over == ("the game is over" in str(caught.value))
        assert state.record.tobytes() == before


@pytest.mark.nojit
def test_legal_actions_are_taken_in_every_form() -> None:
    for state in corpus()[::5]:
        for a in state.legal[:3]:
            after = [state.copy().apply(form) for form in (a, np.int8(a) if a < 128 else a, np.uint64(a))]
            after.append(state.copy().apply(state.game.labels[a]))
            assert all(other == after[0] for other in after[1:])
            assert after[0].decisions == state.decisions + 1


@pytest.mark.nojit
def test_a_view_is_not_played_on() -> None:
    for state in corpus()[::7]:
        for p in range(state.game.players):
            view = state.view(p)
            before = view.record.tobytes()
            for action in [0, "pass", None, *view.legal[:1]]:
                with pytest.raises(ValueError, match="a view cannot be played on"):
                    view.apply(action)
            assert view.record.tobytes() == before


@pytest.mark.nojit
def test_mask_labels_and_legal_say_the_same() -> None:
    for state in corpus():
        assert state.legal == sorted(set(state.legal))
        assert np.flatnonzero(state.mask).tolist() == state.legal
        assert state.mask.dtype == np.bool_
        assert state.mask.shape == (state.game.num_actions,)
        assert [state.game.action(label) for label in state.legal_labels] == state.legal
        assert bool(state.legal) != state.over


def test_returns_are_zero_sum_and_follow_the_shares() -> None:
    reasons = Counter()
    for one in games():
        n = one.players
        for seed in range(15):
            state = one.new(seed)
            for here in walk(state, STYLES[seed % 4], Random(seed), most=5000):
                if not here.over:
                    assert not here.returns.any()
                    assert not here.shares.any()
            reasons[state.reason] += 1
            winners = np.count_nonzero(state.shares)
            assert winners >= 1
            assert state.shares.max() == pytest.approx(1 / winners)
            assert state.shares.sum() == pytest.approx(1)
            assert state.returns.sum() == pytest.approx(0)
            assert state.returns == pytest.approx((n * state.shares - 1) / (n - 1))
            assert state.reason != "points" or max(state.points) == one.rules["points_to_win"]
    assert reasons["points"] > 50
    assert reasons["nine"] + reasons["fifteen"] > 0


def test_a_truncated_game_has_no_winner() -> None:
    one = gosu_rl.game("tactics", 3, rules={"max_decisions": 20})
    state = one.new(seed=1)
    for here in walk(state, "uniform", Random(1)):
        invariants.check(here)
    assert (state.over, state.truncated, state.reason, state.decisions) == (True, True, "truncated", 20)
    assert not state.returns.any()
    assert not state.shares.any()


def test_extra_turns_of_a_house_set_do_not_run_over() -> None:
    boost = ["extra_turn 9"] * 8
    cards = [Card(f"Runner {k}", "Fire", 1, copies=2, enter=("boost", "boost")) for k in range(12)]
    house = CardSet("house", "tactics", "Extra turns", "1", "free", tuple(cards), powers={"boost": boost})
    assert not card_check.faults(house)
    state = gosu_rl.game("tactics", 2, cards=house, rules={"deal": 8, "keep": 7}).new(seed=1)
    for here in walk(state, "eager", Random(1), most=200):
        invariants.check(here)
        assert here.record["extra"][0] >= 0
    assert state.decisions > 20


def test_battles_are_counted_up_to_the_largest_number_of_points() -> None:
    one = gosu_rl.game("tactics", 4, rules={"points_to_win": 50, "hand_target": 0})
    state = one.new(seed=3)
    for here in walk(state, "hoarder", Random(1), most=20_000):
        if here.kind == "turn" and here.round > 2:
            here.apply("pass") if here.legal_labels != ["pass"] else None
        if here.decisions % 50 == 0:
            invariants.check(here)
    assert state.reason == "points"
    assert 50 <= state.record["battles"][0] <= 197
    assert state.round == state.record["battles"][0]
    with pytest.raises(ValueError, match="points_to_win"):
        gosu_rl.game("tactics", 4, rules={"points_to_win": 51})


def test_the_small_sets_are_good_card_sets() -> None:
    for one in games():
        assert not card_check.faults(one.card_set)
    assert small_set().copies == 36
