"""Laws of secrecy in play: who is asked, what comes next and what is known depend on public facts only.

The numbered tests follow the faults that hidden information usually has: exact knowledge after a reshuffle, two reshuffles, twins,
decisions that are only put to a hand that has a choice.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hidden_cards import scrambled
from invariants import Facts
from law_cases import STYLES, corpus, game, name, walk

from gosu_rl.core.game import GameState

PILES = ("discard", "aside", "revealed", "army", "trapped", "shuffles")


def shown(state: GameState, p: int) -> bytes:
    """The open cards, and p's own hand: where these differ between two worlds, p may learn of it."""
    return b"".join(state.record[0][key].tobytes() for key in PILES) + state.record[0]["hand"][p].tobytes()


def test_what_comes_next_does_not_depend_on_hidden_cards() -> None:
    """Two worlds behind one view, the same answer in both: unless it turns up other cards, the views stay the same."""
    compared, bites = Counter(), Counter()
    for k, state in enumerate(corpus()):
        if state.over:
            continue
        chance = Random(k)
        for p in set(range(state.game.players)) - {state.mover}:
            other = scrambled(state, p, chance)
            both = [label for label in state.legal_labels if label in other.legal_labels]
            answers = [(label, label) for label in chance.sample(both, min(4, len(both)))]
            if state.kind == "opening":
                answers += [(state.legal_labels[0], other.legal_labels[-1])]
            for here, there in answers:
                one, two = state.copy().apply(here), other.copy().apply(there)
                buried = one.shuffles > state.shuffles  # a reshuffle takes in what was shown just before
                if shown(one, p) == shown(two, p) and not buried:
                    assert one.view(p) == two.view(p), f"{name(state)}: {here}\n{one.view(p)}\n{two.view(p)}"
                    compared[state.kind] += 1
                    bites[state.kind] += state.legal != other.legal
    assert set(compared) == set(state.game.kinds) - {"over"}
    assert all(bites[kind] > 1 for kind in ("mulligan", "opening", "turn", "refresh", "pay", "discard")), bites


def position(text: str) -> GameState:
    return game("small", 3).parse(f"tactics, 3 players\n{text}")


def play(text: str, *labels: str) -> list[tuple[int, str, str]]:
    """Who moves, at what kind of decision, and what p2 sees, from the start and after each label."""
    state = position(text)
    seen = [(state.mover, state.kind, str(state.view(2)))]
    for label in labels:
        state.apply(label)
        seen.append((state.mover, state.kind, str(state.view(2))))
    return seen


@pytest.mark.nojit
def test_a_mulligan_is_asked_of_every_hand() -> None:
    stack = "stack: turns p0; reveal_picks p0; opening p1 left=2; opening p0 left=2; mulligan p1 times=0; mulligan p0 times=0"
    poor = f"p0:\n hand: Fire thief, Fire seer, Fire king\np1:\n hand: Dark scout, Dark king, Dark seer\n{stack}"
    rich = f"p0:\n hand: Fire scout, Fire seer, Fire king\np1:\n hand: Dark queen, Dark king, Dark seer\n{stack}"
    labels = ["keep", "keep"]
    assert play(poor, *labels) == play(rich, *labels)
    asked = [position(text) for text in (poor, rich)]
    assert [state.legal_labels for state in asked] == [["keep", "redraw"], ["keep"]]
    first = play(poor, *labels, "discard Fire thief", "discard Fire seer", "discard Dark scout")
    second = play(rich, *labels, "discard Fire king", "discard Fire scout", "discard Dark queen")
    assert first == second
    assert [kind for _, kind, _ in first] == ["mulligan", "mulligan", *["opening"] * 4]


@pytest.mark.nojit
def test_opening_discards_are_open_only_when_all_have_chosen() -> None:
    one = game("tactics", 3)
    state = one.new(seed=4)
    while state.kind == "mulligan":
        state.apply("keep")
    twin = state.copy()
    movers = []
    while state.kind == "opening":
        p = state.mover
        state.apply(state.legal[0])
        twin.apply(twin.legal[-1])
        movers.append(p)
        for q in range(3):
            if state.kind == "opening" and not {m for m in movers if m == q}:
                assert state.view(q) == twin.view(q)
                assert state.view(q).as_dict()["discard_pile"] == []
    assert movers == [m for seat in dict.fromkeys(movers) for m in [seat] * 3]
    assert len(state.as_dict()["discard_pile"]) == 9
    assert state.as_dict()["players"][0]["picks"] == []


@pytest.mark.nojit
def test_a_turn_is_put_to_a_hand_that_cannot_play() -> None:
    army = " army 1: Fire digger\n"
    stuck = f"p0:\n hand: Dark king, Dark thief\n{army}p1:\n hand: Fire king\n"
    free = f"p0:\n hand: Fire scout, Fire brute\n{army}p1:\n hand: Fire king\n"
    assert position(stuck).legal_labels == ["pass"]
    assert len(position(free).legal_labels) > 1
    assert play(stuck, "pass", "pass") == play(free, "pass", "pass")


@pytest.mark.nojit
def test_a_new_hand_is_asked_of_every_hand() -> None:
    stack = "stack: turns p0; refresh p1 times=0; refresh p0 times=0"
    stuck = f"p0:\n hand: Dark king, Dark thief\np1:\n hand: Fire scout\n{stack}"
    free = f"p0:\n hand: Fire scout, Fire brute\np1:\n hand: Dark king\n{stack}"
    assert position(stuck).legal_labels == ["keep", "redraw"]
    assert position(free).legal_labels == ["keep"]
    assert play(stuck, "keep", "keep") == play(free, "keep", "keep")


@pytest.mark.nojit
def test_the_middle_of_a_mutation_tells_nothing_of_the_rest_of_the_hand() -> None:
    """The card is named first; then the goblin and the payment are asked for whatever else is in the hand (T47)."""
    army = " army 1: Fire brute, Fire scout\n"
    many = f"p0:\n hand: Fire digger, Dark scout, Dark scout/2, Dark thief\n{army}"
    same = f"p0:\n hand: Fire digger, Fire king, Fire king/2, Fire queen\n{army}"
    here = play(many, "play Fire digger", "replace 1.1")
    assert here == play(same, "play Fire digger", "replace 1.1")
    assert [kind for _, kind, _ in here] == ["turn", "use", "pay"]


@pytest.mark.nojit
def test_a_forced_discard_is_asked_of_a_hand_of_equal_cards() -> None:
    army = " army 1: Fire digger\n"
    alike = f"p0:\n hand: Fire brute, Fire king\n{army}p1:\n hand: Dark scout, Dark scout/2\n"
    mixed = f"p0:\n hand: Fire brute, Fire king\n{army}p1:\n hand: Dark king, Fire seer\n"
    labels = ["play Fire brute", "player p1"]
    here = play(alike, *labels)
    assert here == play(mixed, *labels)
    assert here[-1][:2] == (1, "discard")


def test_two_players_know_the_other_hand_after_a_reshuffle() -> None:
    """(1): the pile was empty, so what one does not see is in the other hand."""
    one, found = game("small", 2), 0
    for seed in range(40):
        shuffles = 0
        for state in walk(one.new(seed), STYLES[seed % 4], Random(seed), most=300):
            f = Facts(state)
            untouched = f["shuffles"] > shuffles and f["ndeck"] == len(f.deck)
            shuffles = f["shuffles"]
            if not untouched:
                continue
            found += 1
            for p in range(2):
                worlds = [Facts(state.view(p).determinize(k)) for k in range(12)]
                assert all(world.hand == f.hand for world in worlds)
                assert all(sorted(world.pile) == sorted(f.pile) for world in worlds)
                assert len(f.pile) < 5 or len({tuple(world.pile) for world in worlds}) > 1
    assert found >= 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_elimination_leaves_in_a_hand_is_known_and_no_more(players: int) -> None:
    """`known_hand`, the observation's section and the intersection of many worlds agree."""
    one, by_elimination = game("small", players), 0
    spec = one.observation_spec
    labels = [card.label for card in one.card_set.cards]
    for seed in range(24):
        for step, state in enumerate(walk(one.new(seed), STYLES[seed % 4], Random(seed), most=200)):
            if state.shuffles == 0 or step % 9:
                continue
            p = Random(step).randrange(players)
            view = state.view(p)
            worlds = [view.determinize(k).as_dict()["players"] for k in range(30)]
            seen = view.observation(p)
            for r in range(1, players):
                q = (p + r) % players
                known = Counter(view.known_hand(q))
                always = Counter(worlds[0][q]["hand"] + worlds[0][q]["picks"])
                for world in worlds[1:]:
                    always &= Counter(world[q]["hand"] + world[q]["picks"])
                assert known <= always
                public = Counter(view.as_dict()["players"][q]["known"])
                if known != public:  # cards of which there is one copy, and none in doubt, are in every world and named
                    by_elimination += 1
                section = seen[spec.slice(f"known_{r}")]
                assert {labels[f]: int(2 * x) for f, x in enumerate(section) if x} == dict(known)
    assert by_elimination >= 5


def test_the_observation_tells_one_power_from_another() -> None:
    """Two offers in the same position differ in what is offered, and the observation shows it; payments show the slot."""
    one = game("tactics", 2)
    spec, told, slots = one.observation_spec, {}, 0
    for seed in range(30):
        for state in walk(one.new(seed), STYLES[seed % 4], Random(seed), most=200):
            if state.over:
                continue
            power = state.as_dict()["power"]
            seen = state.observation(state.mover)
            steps, card = seen[spec.slice("power_steps")], seen[spec.slice("power_card")]
            if state.kind == "offer":
                assert one.card_set.cards[int(card.argmax())].label == power["card"]
                told.setdefault(power["name"], steps.tobytes())
                assert told[power["name"]] == steps.tobytes()
            if power is None:
                assert not steps.any()
                assert not card.any()
            pending = seen[spec.slice("pending_slot")]
            assert pending.sum() == (1 if state.kind in ("pay", "swap_with") else 0)
            slots += int(pending.sum())
    assert len(told) >= 6
    assert len(set(told.values())) == len(told)
    assert slots > 50


def test_old_cards_stay_where_old_cards_can_be() -> None:
    """(2): with three and four players, after one reshuffle and more."""
    eras, moved = Counter(), 0
    for cards in ("small", "bare"):
        for players in (3, 4):
            one = game(cards, players)
            for seed in range(12):
                for state in walk(one.new(seed), STYLES[seed % 4], Random(seed), most=300):
                    f = Facts(state)
                    if f["era"] == 0 or state.decisions % 3:
                        continue
                    eras[f["era"]] += 1
                    p = state.decisions % players
                    hidden = [Counter(f["epoch"][c] for c in f.hand[q] - f.known[q]) for q in range(players)]
                    for k in range(3):
                        w = Facts(state.view(p).determinize(k))
                        assert all(f["epoch"][c] == f["era"] for c in w.pile)
                        assert [
                            Counter(f["epoch"][c] for c in w.hand[q] - w.known[q]) for q in range(players)
                        ] == hidden
                        assert w.known == f.known
                        moved += w.hand != f.hand
    assert eras[1] > 50
    assert sum(eras[k] for k in eras if k >= 2) > 5
    assert moved > 100


@pytest.mark.nojit
def test_a_known_card_leaves_first_and_its_twin_stays_possible() -> None:
    """(3): a face taken back in public, its twin drawn in secret; one is played, the other may or may not be there (T48)."""
    for held, open_one in (("Fire scout/1", "Fire scout/2"), ("Fire scout/2", "Fire scout/1")):
        text = f"""tactics, 2 players
            p0:
              hand: Fire thief, {held}, Fire king, Dark king
              army 1: Fire brute
            p1:
              hand: Dark seer, Fire seer
            discard_pile: {open_one}, Dark brute
            """
        state = game("small", 2).parse(text)
        for label in ("play Fire thief", "take Fire scout"):
            assert label in state.legal_labels
            state.apply(label)
        assert state.view(1).as_dict()["players"][0]["known"] == ["Fire scout"]
        assert state.as_dict()["players"][0]["hand"].count("Fire scout") == 2
        while state.mover != 0:
            state.apply("pass")
        state.apply("play Fire scout")
        view = state.view(1)
        assert view.as_dict()["players"][0]["known"] == []
        assert "Fire scout" in state.as_dict()["players"][0]["hand"]
        holds = Counter("Fire scout" in view.determinize(k).as_dict()["players"][0]["hand"] for k in range(80))
        assert set(holds) == {True, False}
