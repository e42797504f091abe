"""Which cards win: the games that are counted, the figures, and whether they find what is there and nothing else."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import gosu_rl
from gosu_rl.arena import impact, impact_result, result_file
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.stats import contrast, discoveries, ratio
from gosu_rl.cli import main
from gosu_rl.core.tally import NAMES

GREEDY = "gosu_rl.agents.greedy:Greedy"  # not the compiled name, so it plays through Python


@pytest.fixture(scope="module")
def played():
    plan = Plan(GameSpec("tactics", 3), ("greedy",), 4)
    games, complete = impact.play(plan, 300)
    assert complete
    return plan.spec.make(), games


def invented(deals, faces, effect, seed):
    """Games of two with one card dealt to each; a seat that has face 0 wins `effect` more often."""
    random = np.random.default_rng(seed)
    counts = np.zeros((deals, 1, 2, faces), np.uint8)
    for deal in range(deals):
        counts[deal, 0, 0, random.integers(faces)] = 1
        counts[deal, 0, 1, random.integers(faces)] = 1
    lift = effect * (counts[:, 0, 0, 0].astype(float) - counts[:, 0, 1, 0])
    first = random.random(deals) < 0.5 + lift
    share = np.stack([first, ~first], -1)[:, None].astype(float)
    return impact.Played(share, np.ones((deals, 1), bool), counts, counts, counts, counts, counts)


# ------------------------------------------------------------------------------------------------ games


def test_every_holder_gets_the_same_deal(played):
    game, games = played
    assert (games.dealt == games.dealt[:, :1]).all()  # T46
    assert (games.dealt.sum(-1) == 10).all()
    copies = np.array([card.copies for card in game.card_set.cards])
    assert (games.dealt.sum(2) <= copies).all()
    assert (games.dealt.sum((0, 1, 2)) > 0).all()


def test_cards_in_armies_were_played_and_kept_ones_held(played):
    _, games = played
    assert (games.ended <= games.played).all()
    assert (games.kept <= games.held).all()
    assert games.good.all()
    assert (games.kept.sum(-1) == 7).all()
    assert (games.ended.sum(-1) <= 15).all()
    assert games.ended.sum() > 0
    assert games.share.sum(-1) == pytest.approx(np.ones((300, 3)))


def test_agents_in_python_play_the_same_deals_and_seatings():
    compiled, _ = impact.play(Plan(GameSpec("tactics", 2), ("greedy", "random"), 9), 3)
    through_python, _ = impact.play(Plan(GameSpec("tactics", 2), (GREEDY, "random"), 9), 3)
    assert compiled.share.shape == through_python.share.shape == (3, 4, 2)  # two seatings, two holders
    assert (compiled.dealt == through_python.dealt).all()
    assert (through_python.kept.sum(-1) == 7).all()
    assert (through_python.ended <= through_python.played).all()


def test_compiled_chunks_and_workers_change_nothing(monkeypatch):
    plan = Plan(GameSpec("tactics", 2), ("greedy",), 3)
    whole, _ = impact.play(plan, 40)
    monkeypatch.setattr(impact, "GAMES_A_TASK", 14)
    parts, _ = impact.play(plan, 40, workers=2)
    for name in impact.Played.__dataclass_fields__:
        assert (getattr(whole, name) == getattr(parts, name)).all(), name


@pytest.mark.slow
def test_worker_processes_change_nothing(monkeypatch):
    monkeypatch.setattr(impact, "DEALS_A_TASK", 2)
    plan = Plan(GameSpec("tactics", 2), (GREEDY,), 3)
    (alone, _), (together, _) = (impact.play(plan, 5, workers=workers) for workers in (1, 2))
    for name in impact.Played.__dataclass_fields__:
        assert (getattr(alone, name) == getattr(together, name)).all(), name


def test_ctrl_c_keeps_whole_deals_before_the_gap(monkeypatch):
    plan = Plan(GameSpec("tactics", 2), ("greedy",), 3)
    monkeypatch.setattr(impact, "GAMES_A_TASK", 20)

    def stop(deals):
        raise KeyboardInterrupt

    games, complete = impact.play(plan, 40, progress=stop)
    assert not complete
    assert games.deals == 10
    found = impact_result.make_result(plan.spec.make(), plan, games, "gosu-rl …", 40)
    assert found.incomplete == "INCOMPLETE: 10 of 40 deals"


# ------------------------------------------------------------------------------------------------ figures


def test_a_card_line_is_what_counting_gives(played):
    game, games = played
    lines = impact.cards(game, games)
    line = max(lines, key=lambda one: one.figures["played"].seats)
    face = [card.label for card in game.card_set.cards].index(line.label)
    level = [card.level == line.level for card in game.card_set.cards]
    for name in NAMES:
        had = getattr(games, name)[..., face] > 0
        one = line.figures[name]
        assert one.seats == had.sum()
        assert one.won.estimate == pytest.approx(games.share[had].mean())
        assert one.rate.estimate == pytest.approx(had.mean())
        usual = np.repeat(games.share[..., None], sum(level), -1)[getattr(games, name)[..., level] > 0].mean()
        reference = 1 / 3 if name == "dealt" else usual
        assert one.versus.interval.estimate == pytest.approx(games.share[had].mean() - reference)
    assert line.winners.estimate == pytest.approx((games.ended[..., face] > 0)[games.share > 0].mean())
    assert line.losers.estimate == pytest.approx((games.ended[..., face] > 0)[games.share == 0].mean())
    assert impact.average(game, games, "played").estimate > 1 / 3  # who wins plays more: why dealt comes first
    assert abs(impact.average(game, games, "dealt").estimate - 1 / 3) < 0.01


def test_clans_share_out_the_armies(played):
    game, games = played
    lines = impact.clans(game, games)
    assert [line.clan for line in lines] == list(dict.fromkeys(card.clan for card in game.card_set.cards))
    for part in ("copies", "winners", "losers"):
        values = [getattr(line, part) for line in lines]
        assert sum(v if part == "copies" else v.estimate for v in values) == pytest.approx(1)
    assert sum(line.difference.estimate for line in lines) == pytest.approx(0, abs=1e-6)
    # Every seat is dealt ten, so what the cards of one clan gain those of the others lose.
    clan = np.array([[card.clan == line.clan for line in lines] for card in game.card_set.cards])
    weights = games.dealt.sum((0, 1, 2)) @ clan
    gains = [line.dealt.interval.estimate for line in lines]
    assert (weights * gains).sum() == pytest.approx(0, abs=1e-6 * weights.sum())


def test_a_strong_card_is_found_and_its_size_is_right():
    figures = impact.figures(invented(4000, 10, 0.2, 1), "dealt", [1] * 10)
    assert figures[0].stands
    assert figures[0].versus.interval.low < 0.2 * 0.9 < figures[0].versus.interval.high
    assert sum(one.stands for one in figures[1:]) <= 1


def test_without_any_effect_marks_are_rare():
    marked = sum(
        any(one.stands for one in impact.figures(invented(400, 12, 0.0, seed), "dealt", [1] * 12))
        for seed in range(120)
    )
    assert marked <= 13  # 5 % of 120 are 6; more than 13 has a chance of 0.4 %


def test_few_deals_are_not_judged():
    figures = impact.figures(invented(60, 30, 0.0, 3), "dealt", [1] * 30)
    few = [one for one in figures if one.won.blocks < impact.FEW]
    assert few
    assert all(np.isnan(one.q) and not one.stands for one in few)


# ------------------------------------------------------------------------------------------------ statistics


def test_a_contrast_is_a_paired_t_test_where_it_can_be():
    from scipy import stats

    random = np.random.default_rng(5)
    a, b, ones = random.random(200), random.random(200), np.ones(200)
    found = contrast(a, ones, b, ones, (-1, 1))
    known = stats.ttest_rel(a, b)
    assert found.p == pytest.approx(known.pvalue)
    interval = known.confidence_interval()
    assert (found.interval.low, found.interval.high) == pytest.approx((interval.low, interval.high))


def test_a_contrast_against_a_constant_is_the_ratio_itself():
    random = np.random.default_rng(6)
    x = random.integers(0, 4, 300).astype(float)
    y = random.binomial(x.astype(int), 0.4).astype(float)
    one, fixed = ratio(y, x, (0, 1)), contrast(y, x, np.full(300, 0.5), np.ones(300), (-1, 1))
    assert fixed.interval.estimate == pytest.approx(one.estimate - 0.5)
    assert fixed.interval.half_width == pytest.approx(one.half_width, rel=0.01)


def test_a_contrast_covers_the_truth():
    hits = 0
    for seed in range(300):
        random = np.random.default_rng(seed)
        skill = random.normal(size=80)  # of a deal: both ratios hang on it
        x, x0 = random.integers(0, 5, 80).astype(float), random.integers(1, 9, 80).astype(float)
        chance = 1 / (1 + np.exp(-skill))
        y = random.binomial(x.astype(int), chance).astype(float)
        y0 = random.binomial(x0.astype(int), chance).astype(float)
        interval = contrast(y, x, y0, x0, (-1, 1)).interval
        hits += interval.low <= 0 <= interval.high
    assert 0.91 < hits / 300 < 0.98


def test_rare_events_get_no_p():
    found = contrast(np.r_[1.0, np.zeros(99)], np.ones(100), np.full(100, 0.5), np.ones(100), (-1, 1))
    assert np.isnan(found.p)
    assert np.isnan(found.interval.low)


def test_discoveries_are_those_of_benjamini_and_hochberg():
    q, found = discoveries([0.001, 0.012, np.nan, 0.014, 0.2, 0.9])
    assert q[0] == pytest.approx(0.005)  # 0.001 x 5
    assert q[1] == q[3] == pytest.approx(0.014 * 5 / 3)
    assert np.isnan(q[2])
    assert found.tolist() == [True, True, False, True, False, False]


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_writes_tables_picture_and_result(tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["cards", "impact", "tactics", "--deals", "200", "--seed", "2", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    labels = [card.label for card in gosu_rl.game("tactics").card_set.cards]
    assert told.index("Dealt among the opening 10") < told.index("Kept, held, played") < told.index("Clans")
    assert all(f"\n  {label}  " in told for label in labels)
    rows = list(csv.DictReader((out / "impact.csv").read_text(encoding="utf-8").splitlines()))
    assert sorted(row["card"] for row in rows) == sorted(labels)
    won = [float(row["win share"]) for row in rows]
    assert won == sorted(won, reverse=True)
    assert all(float(row["win share low"]) <= float(row["win share"]) <= float(row["win share high"]) for row in rows)
    assert (out / "impact.png").read_bytes().startswith(b"\x89PNG")
    found = result_file.read(out / "result.json")
    assert found.kind == "impact"
    assert found.command.endswith(f"--deals 200 --seed 2 --out {out}")
    assert [len(table.rows) for table in found.tables] == [60, 63, 5]
    assert json.loads((out / "result.json").read_text(encoding="utf-8"))["identity"]["seed"] == 2


def test_sorting_by_name_and_no_picture(tmp_path, capsys):
    out = tmp_path / "run"
    words = ["cards", "impact", "tactics", "--deals", "5", "--sort", "name", "--no-plots", "--out", str(out)]
    assert main(words) == 0
    rows = [line.split(",")[0] for line in (out / "impact.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert rows == sorted(rows)
    assert not (out / "impact.png").exists()
    assert not result_file.read(out / "result.json").plots


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nothing", "nothing"),
        ("tactics --players 7", "2 to 4 players, not 7"),
        ("tactics --agents greedyy", "did you mean greedy"),
        ("tactics --agents greedy,greedy,random", "3 agents for 2 players"),
        ("tactics --rules foo=3", "unknown rule 'foo'"),
        ("tactics --deals 0", "--deals must lie between 1 and 10,000,000, not 0"),
        ("tactics --workers 0", "--workers must be at least 1"),
    ],
)
def test_bad_input_is_one_line_and_code_2(line, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["cards", "impact", *line.split()]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_of_another_kind_of_run_is_left_alone(tmp_path, capsys):
    (tmp_path / "result.json").write_text(
        json.dumps(
            {
                "format": 1,
                "kind": "winrates",
                "title": "",
                "command": "",
                "cards": {"banner": ""},
                "facts": [],
                "tables": [],
            }
        )
    )
    assert main(["cards", "impact", "tactics", "--deals", "2", "--out", str(tmp_path)]) == 2
    assert "holds a run of gosu-rl winrates" in capsys.readouterr().err
