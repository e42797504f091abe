"""The fast tree against plain recursion over every order of the deck (`by_hand.py`), on games of four or five cards."""

from __future__ import annotations

import numpy as np
import pytest
from by_hand import roots, uniform_best_response, uniform_value

import gosu_rl
from gosu_rl.core.cards.schema import Card, CardSet
from gosu_rl.core.gosu import chance
from gosu_rl.core.position import GameState
from gosu_rl.learning import exact
from gosu_rl.learning.game_tree import enumerate_game

RULES = {"hand_target": 0, "turns_after_pass": 1, "points_to_win": 1, "max_mulligans": 0, "new_clan_cost": 0}
DRAWER = Card("Spark Imp", "Fire", 1, copies=2, strength=2, enter=("draw",))
JAILER = Card("Spark Imp", "Fire", 1, copies=2, strength=2, enter=("trap MAX",))
BRUTE = Card("Kiln Brute", "Fire", 2, strength=3, enter=("trap",))
MITE = Card("Grave Mite", "Dark", 1, strength=3, mutation=0)
BOG = Card("Bog Mite", "Dark", 1, strength=1)
OTHER = Card("Grave Mite", "Dark", 1, copies=2, strength=3, mutation=0)


def tiny(cards, players=2, **rules):
    card_set = CardSet("tiny", "tactics", "A tiny set for tests", "1", "free", tuple(cards))
    return gosu_rl.game("tactics", players, card_set, RULES | rules)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(tiny([DRAWER, BRUTE, MITE, BOG], deal=1, keep=1, max_turns_per_round=2), id="draws"),
        pytest.param(
            tiny([JAILER, BRUTE, MITE], deal=2, keep=1, max_turns_per_round=2), id="secret discards and twins"
        ),
        pytest.param(tiny([JAILER, BRUTE, MITE], players=3, deal=1, keep=1), id="three players"),
    ],
)
def test_values_best_responses_and_sets_are_those_of_plain_recursion(game):
    tree, found = enumerate_game(game), roots(game)
    strategy = exact.uniform(tree)
    for seat in range(game.players):
        slow = sum(root.chance * uniform_value(root, seat) for root in found)
        assert exact.value(tree, strategy)[seat] == pytest.approx(slow, abs=1e-12)
        assert exact.best_response(tree, strategy, seat)[0] == pytest.approx(
            uniform_best_response(found, seat), abs=1e-12
        )
    keys = {position.key for root in found for position in root.walk() if len(position.children) > 1}
    assert tree.sets == len(keys)


def test_a_draw_gives_every_face_of_the_pile_its_share():
    game = tiny([DRAWER, OTHER, BRUTE], deal=1, keep=1)
    record = next(
        record
        for record, _ in chance.deals(game)
        if GameState(game, record).as_dict()["players"][0]["hand"] == ["Spark Imp"]
        and GameState(game, record).as_dict()["players"][1]["hand"] == ["Kiln Brute"]
    )
    state = GameState(game, record)
    while state.kind != "offer":
        state.apply("play Spark Imp" if "play Spark Imp" in state.legal_labels else state.legal[0])
    found = chance.outcomes(game, state.record, game.action("accept"))
    drawn = {}
    for after, probability in found:
        (card,) = GameState(game, after).as_dict()["players"][state.mover]["hand"]
        drawn[card] = probability
    assert drawn == pytest.approx({"Spark Imp": 1 / 3, "Grave Mite": 2 / 3})
    assert sum(drawn.values()) == pytest.approx(1)


def test_a_shuffled_discard_pile_is_refused():
    with pytest.raises(chance.ReshuffleError, match="draw pile ran out at decision"):
        enumerate_game(tiny([DRAWER, BRUTE, MITE], deal=2, keep=1, points_to_win=2, hand_target=7))


def test_too_large_a_game_is_refused():
    with pytest.raises(ValueError, match="more than 1,000 nodes: use fewer cards"):
        enumerate_game(gosu_rl.game("tactics"), limit=1000)


def test_an_action_that_is_not_legal_has_no_outcomes():
    game = tiny([DRAWER, BRUTE, MITE], deal=1, keep=1)
    record, _ = next(chance.deals(game))
    with pytest.raises(ValueError, match="not legal"):
        chance.outcomes(game, record, game.action("accept"))


def test_the_deals_are_those_that_the_engine_deals():
    game = tiny([JAILER, OTHER, BRUTE], deal=2, keep=1)

    def what(record):
        state = GameState(game, record)
        hands = [tuple(player["hand"]) for player in state.as_dict()["players"]]
        return (*hands, state.advantage, tuple(state.legal_labels))

    expected = {}
    for record, probability in chance.deals(game):
        expected[what(record)] = probability
    assert sum(expected.values()) == pytest.approx(1, abs=1e-12)
    assert len(expected) == sum(1 for _ in chance.deals(game))
    games = 4000
    counts = dict.fromkeys(expected, 0)
    for seed in range(games):
        counts[what(game.new(seed=seed).record)] += 1  # a KeyError would be a deal that was left out
    wanted = np.array([games * expected[key] for key in expected])
    squares = (np.array(list(counts.values())) - wanted) ** 2 / wanted
    freedom = len(wanted) - 1
    assert abs(squares.sum() - freedom) < 5 * np.sqrt(2 * freedom)
