"""The compiled players and the tree search on Epic Death: greedy against random over paired deals, positions are judged sensibly,
search plays by the rules with two to six players and sees nothing hidden.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

import gosu_rl
from gosu_rl.agents.mcts import MCTS, METHODS, Analysis
from gosu_rl.core import playout
from gosu_rl.core.epic_death import evaluation
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.kernel import EVALUATE
from gosu_rl.core.many import game_seeds
from gosu_rl.core.position import records
from gosu_rl.core.replay import replay


@cache
def game(players: int, layout: int = 2) -> Game:
    return gosu_rl.game("epic_death", players, rules={"layout": layout})


def chosen(state: GameState) -> str:
    """What greedy does; the same for every random word, so no tie decided."""
    view = state.view(state.mover)
    labels = {state.game.labels[state.game.choose(view, "greedy", seed)] for seed in range(8)}
    assert len(labels) == 1
    return labels.pop()


# ------------------------------------------------------------------------------------------------ greedy


@pytest.mark.parametrize(("players", "deals", "least"), [(2, 100, 0.9), (4, 50, 0.8), (6, 30, 0.7)])
def test_greedy_beats_random(players: int, deals: int, least: float) -> None:
    """One greedy in every seat of every deal, who begins paired with it; a deal is the unit of the interval."""
    one, shares = game(players), []
    for seat in range(players):
        names = ["random"] * players
        names[seat] = "greedy"
        holders = (seat + np.arange(deals)) % players
        shares.append(one.play_many(names, game_seeds(5, deals), advantage=holders)["share"][:, seat])
    by_deal = np.mean(shares, axis=0)
    assert by_deal.mean() - 1.96 * by_deal.std() / np.sqrt(deals) > least


def test_greedy_attacks_what_it_beats_and_leaves_what_beats_it() -> None:
    """A River Land face up beside the Army: taken by a strong Army, left by a weak one."""
    one = game(2, 1)
    land = max(
        (land for land in one.card_set.lands if land.terrain == "River" and not land.needs), key=lambda x: x.value
    )
    text = f"""epic_death, 2 players, layout=1
now: phase=B
p0: at=2.5 tokens={{}}
p1: at=4.1 tokens=5
field: 2.4 {land.label}, 3.3 (Town Hall)
stack: turns p0 stage=3; march p0
"""
    assert chosen(one.parse(text.format(land.defense + 6))) == "space 2.4"
    weak = one.parse(text.format(1))
    assert "space 2.4" in weak.legal_labels
    assert chosen(weak) != "space 2.4"


# ------------------------------------------------------------------------------------------------ what a position is worth


def worth(state: GameState) -> list[float]:
    """Win shares that the kernel expects, by seat, as search asks for them."""
    F, S = state.game.kernel.need("evaluate"), records(state.record)
    return [playout.choose(F, state.game.R, S, EVALUATE, seat) / 1e6 for seat in range(state.game.players)]


@pytest.mark.parametrize(("players", "games"), [(2, 30), (4, 15), (6, 10)])
def test_worths_are_shares_and_tell_who_wins(players: int, games: int) -> None:
    """Log loss on games of greedy: better than knowing nothing."""
    one, losses = game(players), []
    for seed in game_seeds(77, games):
        state, chance, seen = one.new(int(seed)), Random(int(seed)), []
        while not state.over:
            if chance.random() < 0.1:
                shares = worth(state)
                assert sum(shares) == pytest.approx(1, abs=1e-4)
                assert min(shares) > 0
                seen.append(shares)
            state.apply(one.choose(state.view(state.mover), "greedy", chance.getrandbits(63)))
        losses += [-float(np.dot(state.shares, np.log(shares))) for shares in seen]
    assert np.mean(losses) < 0.97 * np.log(players)


def score(state: GameState, seat: int) -> float:
    """What a seat's prospects are the exponential of, from the position as plain data."""
    one = state.as_dict()["players"][seat]
    cards = {card.name: card for card in state.game.card_set.cards}
    crewed = [(cards[name].value, crew) for name, crew in one["machines"] if crew]
    far = int(state.game.R[0]["far"][state.record[0]["at"][seat]])
    return (
        evaluation.POINT * one["points"]
        + evaluation.GOBLIN * one["tokens"]
        + evaluation.ATTACK * sum(cards[name].value for name in one["heroes"])
        + sum(evaluation.MACHINE * value + evaluation.CREW * crew for value, crew in crewed)
        + evaluation.CARD * one["hand_size"]
        + evaluation.STEP * far
    )


def test_worths_are_what_the_weights_say() -> None:
    """The same shares from the position as plain data, and from what its mover sees: all that counts is public."""
    crews = set()
    for state in positions():
        parts = np.exp([score(state, seat) for seat in range(state.game.players)])
        np.testing.assert_allclose(worth(state), parts / parts.sum(), atol=2e-6)
        np.testing.assert_allclose(worth(state.view(state.mover)), parts / parts.sum(), atol=2e-6)
        crews |= {crew for player in state.as_dict()["players"] for _, crew in player["machines"]}
    assert crews >= {1, 2}


# ------------------------------------------------------------------------------------------------ search


@cache
def positions() -> list[GameState]:
    """Positions with a choice, of many kinds, from games of greedy with some random choices in them."""
    found: list[GameState] = []
    for players, layout in ((2, 1), (3, 2), (4, 2), (6, 3)):
        kinds: Counter[str] = Counter()
        chance, state = Random(players), game(players, layout).new(seed=players)
        while not state.over and state.decisions < 500:
            if len(state.legal) > 1 and kinds[state.kind] < 2 and chance.random() < 0.4:
                kinds[state.kind] += 1
                found.append(state.copy())
            greedy = state.game.choose(state.view(state.mover), "greedy", chance.getrandbits(63))
            state.apply(greedy if chance.random() < 0.7 else chance.choice(state.legal))
    return found


def members(words: np.ndarray) -> list[int]:
    return [64 * w + b for w in range(len(words)) for b in range(64) if int(words[w]) >> b & 1]


def scrambled(state: GameState, p: int, chance: Random) -> GameState:
    """Another state that seat p cannot tell from this one: face-down Lands, one hidden card, the deck's order and the generator.

    In plain Python from the rules of knowledge, without the core's own `redeal`.
    """
    other = state.copy()
    s, rules = other.record[0], state.game.R[0]
    # Lands of one terrain that p never saw change places with each other and with those in the box.
    placed = {int(c) for c in s["land"] if c >= 0} | {int(c) for q in range(6) for c in s["pile"][q] if c >= 0}
    box = [c for c in range(int(rules["lands"])) if c not in placed]
    unseen = [i for i in range(int(rules["spaces"])) if int(s["lands"] & ~s["face_up"] & ~s["peeked"][p]) >> i & 1]
    for terrain in range(4):
        spaces = [i for i in unseen if rules["terrain"][i] == terrain]
        bag = [int(s["land"][i]) for i in spaces] + [c for c in box if rules["terrain_of"][c] == terrain]
        chance.shuffle(bag)
        for space, land in zip(spaces, bag, strict=False):
            s["land"][space] = land
    # A card of a hand that nobody knows changes places with one of the deck that is as old.
    deck = s["deck"][: int(s["ndeck"])].tolist()
    nobody = {c for r in range(state.game.players) for c in members(s["known"][r])}
    places = [(q, c) for q in range(state.game.players) if q != p for c in members(s["hand"][q]) if c not in nobody]
    chance.shuffle(places)
    for q, c in places:
        alike = [d for d in deck if s["epoch"][d] == s["epoch"][c]]
        if alike:
            d = chance.choice(alike)
            s["hand"][q, c >> 6] &= ~np.uint64(1 << (c & 63))
            s["hand"][q, d >> 6] |= np.uint64(1 << (d & 63))
            deck[deck.index(d)] = c
            break
    chance.shuffle(deck)
    s["deck"][: len(deck)] = deck
    s["rng"] = np.uint64(chance.getrandbits(64))
    return other


def analysis(view: GameState, seed: int, **parameters: object) -> Analysis:
    agent = MCTS(**parameters)  # type: ignore[arg-type]
    agent.reset(view.game, view.mover, 1)
    return agent.analyse(view, seed)


def plain(found: Analysis) -> list[object]:
    """All of an Analysis but the time it took."""
    arrays = (found.actions, found.visits, found.values, found.available)
    return [*(one.tolist() for one in arrays), found.iterations, found.decisions]


def test_rollouts_are_longer_with_six_players() -> None:
    """Left out, `depth` is thirty there and ten with fewer; what is asked for holds."""
    for players, own, other in ((6, 30, 10), (2, 10, 30)):
        state = game(players).new(seed=3)
        view = state.view(state.mover)
        assert plain(analysis(view, 5, sims=30)) == plain(analysis(view, 5, sims=30, depth=own))
        assert plain(analysis(view, 5, sims=30)) != plain(analysis(view, 5, sims=30, depth=other))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_what_is_hidden_changes_nothing_for_search(method: str) -> None:
    """The same information set with other Lands face down, another hidden card and another deck: the same search."""
    moved: Counter[str] = Counter()
    for k, state in enumerate(positions()):
        rollout, depth = (("greedy", 10), ("random", 30), ("greedy", 0))[k % 3]
        parameters = {"sims": 12, "method": method, "worlds": 3, "rollout": rollout, "depth": depth}
        other = scrambled(state, state.mover, Random(k))
        here, there = (analysis(one.view(one.mover), k, **parameters) for one in (state, other))
        assert plain(here) == plain(there), f"{state.game.players} players, {state.kind}"
        assert here.best in state.legal
        moved[state.kind] += other.record[0]["land"].tolist() != state.record[0]["land"].tolist()
    assert len(moved) > 6
    assert sum(moved.values()) > 25


def test_what_is_hidden_changes_nothing_for_greedy_and_what_is_seen() -> None:
    """Views, observations and legal actions are the same, and worlds drawn for a view differ only in what is hidden."""
    for k, state in enumerate(positions()):
        p = state.mover
        view, other = state.view(p), scrambled(state, p, Random(k)).view(p)
        assert other == view
        assert (other.observation(p) == view.observation(p)).all()
        assert other.legal == view.legal == state.legal
        world = view.determinize(k)
        assert world.view(p) == view
        now, then = world.record[0], state.record[0]
        for name in ("army", "crew", "discard", "at", "tokens", "pool", "leader", "pile", "points", "lands", "face_up"):
            assert (now[name] == then[name]).all(), name
        assert (now["hand"][p] == then["hand"][p]).all()
        open_ = [i for i in range(60) if int(then["face_up"] | then["peeked"][p]) >> i & 1]
        assert (now["land"][open_] == then["land"][open_]).all()


@pytest.mark.parametrize(
    ("players", "specs"),
    [
        (2, ["mcts:sims=10", "mcts:sims=9,method=pimc,worlds=3"]),
        (3, ["mcts:sims=8,method=redetermine", "greedy", "mcts:sims=8,rollout=random,depth=20"]),
        (5, ["mcts:sims=6", "random", "mcts:sims=6,threads=2", "greedy", "greedy"]),
        (6, ["mcts:sims=4", "greedy", "random", "mcts:sims=4", "greedy", "greedy"]),
    ],
)
def test_whole_games_of_search_are_legal_and_reproducible(players: int, specs: list[str]) -> None:
    first, second = (gosu_rl.play(game(players), specs, seed=6) for _ in range(2))
    assert first == second
    assert not first.lines[-1]["truncated"]
    assert replay(first).returns.tolist() == first.returns
    assert len(first.returns) == players
    assert sum(first.returns) == pytest.approx(0)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_search_takes_the_last_town(method: str) -> None:
    """Four players, one Town left, and the Army that beats it is beside it: that move ends the game and wins it."""
    one = game(4)
    state = one.parse(
        """epic_death, 4 players
now: phase=B
p0: at=4.3 tokens=32
  conquest: Market Town
p1: at=1.4
p2: at=7.4
p3: at=4.7
field: 4.4 Town Hall
stack: turns p0 stage=3; march p0
"""
    )
    found = analysis(state.view(0), 1, sims=120, method=method, worlds=4)
    assert one.labels[found.best] == "space 4.4"
    assert found.values[0] > 0.9
    assert len(found.actions) == 5
