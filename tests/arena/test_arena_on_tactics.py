"""The measurement on the real game: compiled and Python loops agree, deals are deals, figures add up."""

import numpy as np
import pytest

import gosu_rl
from gosu_rl.arena import runner
from gosu_rl.arena.match import play_game
from gosu_rl.arena.plan import GameSpec, Plan, fingerprint
from gosu_rl.arena.store import Store
from gosu_rl.arena.winrates import measure
from gosu_rl.cli import main
from gosu_rl.core.rng import STREAM_CHOICE

GREEDY = "gosu_rl.agents.greedy:Greedy"  # not the compiled name, so it plays through Python
CARD = "Effect of being given the card (same deals, card given to another seat)"


GOLDEN, WORD = 0x9E3779B97F4A7C15, 2**64 - 1


def scramble(z):
    """splitmix64's output function, in Python numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


class Scripted:
    """Greedy with the very words that the compiled loop draws; all seats share one stream."""

    def __init__(self, game, stream):
        self.game, self.stream = game, stream

    def act(self, view):
        self.stream[0] = (self.stream[0] + GOLDEN) & WORD
        return self.game.choose(view, "greedy", scramble(self.stream[0]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_python_loop_over_views_plays_the_games_of_the_compiled_one(players):
    game = gosu_rl.game("tactics", players=players)
    seeds = np.arange(50, 56, dtype=np.uint64)
    holders = np.arange(6) % players
    rows = game.play_many(["greedy"] * players, seeds, advantage=holders)
    for row, seed, holder in zip(rows, seeds, holders, strict=True):
        start = scramble((int(seed) + GOLDEN) & WORD) + int(STREAM_CHOICE) * GOLDEN
        stream = [scramble(start & WORD)]
        played = play_game(game, [Scripted(game, stream)] * players, int(seed), int(holder))
        for name in game.result_dtype.names:
            assert (played[name] == row[name]).all(), name


def test_workers_and_compiled_chunks_change_nothing(tmp_path):
    game, plan = gosu_rl.game("tactics", players=3), Plan(GameSpec("tactics", 3), ("greedy", "random", "random"), 5)
    whole = runner.play_block(game, plan, 0, 40, workers=2)
    assert (whole[13:29] == runner.play_block(game, plan, 13, 29)).all()
    assert (whole["first_holder"] == np.arange(3)).all()
    assert (whole["seed"] == plan.deal_seeds(0, 40)[:, None, None]).all()


@pytest.mark.slow
@pytest.mark.long  # in short: the same of a stand-in, and of agents in company, in test_arena_match.py and test_side_by_side.py
def test_worker_processes_change_nothing(tmp_path):
    spec = GameSpec("tactics", 2, rules={"turns_after_pass": 2})
    game, plan = spec.make(), Plan(spec, (GREEDY, "random"), 5)
    assert not runner.is_compiled(game, plan)
    stores = [Store(tmp_path / name, plan.identity(game), game.result_dtype, (2, 2)) for name in ("alone", "together")]
    for store, workers in zip(stores, (1, 2), strict=True):
        assert runner.play(game, plan, store, 4, workers, lambda _: None)
    (alone, _), (together, there) = (store.load(4) for store in stores)
    assert there.all()
    assert (alone == together).all()
    assert (alone["share"][..., :2].sum(-1) == 1).all()


def test_figures_of_real_games_add_up():
    for players in (2, 3, 4):
        game = gosu_rl.game("tactics", players=players)
        plan = Plan(GameSpec("tactics", players), ("greedy",), 1)
        rows = runner.play_block(game, plan, 0, 150, workers=2)
        found = {(one.table, one.label): one for one in measure(plan, rows, game.reasons)}
        value = {key: one.interval.estimate for key, one in found.items()}
        assert sum(value["Win share by seat", f"seat {seat}"] for seat in range(players)) == pytest.approx(1)
        places = [one for (table, _), one in found.items() if table == "Win share by place in the first round"]
        assert sum(one.interval.estimate for one in places) == pytest.approx(1)
        holder = value["Win share of the first holder", "any seat"]
        assert places[0].interval.estimate == pytest.approx(holder)
        assert value[CARD, "any seat"] == pytest.approx(holder - (1 - holder) / (players - 1))
        reasons = ("third Victory Point", "fifteen goblins", "nine goblins of one clan")
        assert sum(value["Won by", reason] for reason in reasons) == pytest.approx(1)
        lasting = sum(one.interval.estimate for (table, _), one in found.items() if table == "Games that last")
        assert lasting == pytest.approx(1)
        assert value["Limits", "truncated games, left out above (T45)"] == 0
        ties, decided = (
            value["Battles tied at the top", "all battles"],
            value["Battles decided by the card", "all battles"],
        )
        assert 0 < decided <= ties
        if players == 2:  # the holder is always one of the two
            assert decided == ties


@pytest.mark.parametrize("players", [2, 4])
def test_seats_alone_decide_nothing_in_self_play(players):
    """A seat's number means nothing in the rules (1,000 deals; four standard errors)."""
    game = gosu_rl.game("tactics", players=players)
    plan = Plan(GameSpec("tactics", players), ("greedy",), 2)
    rows = runner.play_block(game, plan, 0, 1000, workers=2)
    for one in measure(plan, rows, game.reasons):
        if one.table == "Win share by seat":
            assert abs(one.interval.estimate - 1 / players) < 2 * one.interval.half_width


def test_changed_rules_and_cards_change_the_fingerprint():
    plain = gosu_rl.game("tactics")
    assert fingerprint(plain) == fingerprint(gosu_rl.game("tactics"))
    assert fingerprint(plain) != fingerprint(gosu_rl.game("tactics", rules={"points_to_win": 2}))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nothing", "unknown variant 'nothing'"),
        ("tactics --players 7", "2 to 4 players, not 7"),
        ("tactics --agents greedyy", "did you mean greedy"),
        ("tactics --rules foo=3", "unknown rule 'foo'"),
        ("tactics --cards nofile.toml", "nofile.toml"),
    ],
)
def test_bad_input_is_one_line_and_code_2(line, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["winrates", *line.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
