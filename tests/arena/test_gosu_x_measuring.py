"""Gosu X in pettingzoo and in the measuring commands: clans, drafts, the Wonder token."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import gosu_rl
from gosu_rl.arena import clan_plots, clans
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.runner import play_block
from gosu_rl.arena.winrates import Games, measure
from gosu_rl.cli import main
from gosu_rl.core.cards.texts import CLANS
from gosu_rl.core.many import game_seeds
from gosu_rl.envs import gosu_x_v0

FIXED = "fixed:Justice,Goan Sul,Tomorrow,Galmi,Phoenix,Xi'an"


# ------------------------------------------------------------------------------------------------ environments


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_pettingzoos_suites_pass(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.make(kind, "gosu/gosu_x-v0")
    assert str(env) == "gosu_x_v0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (api_test if kind == "aec" else parallel_api_test)(env, num_cycles=200)
    assert "Passed" in capsys.readouterr().out
    if kind == "aec":
        seed_test(lambda: gosu_x_v0.env(), num_cycles=100)


# ------------------------------------------------------------------------------------------------ what is measured


@pytest.fixture(scope="module")
def played() -> tuple[Plan, np.ndarray, tuple[str, ...]]:
    """120 games of random players, clans by lot."""
    plan = Plan(GameSpec("gosu_x", 2, rules={"draft": "random"}), ("random",), 3)
    game = plan.spec.make()
    return plan, play_block(game, plan, 0, 60), game.reasons


def test_decks_are_those_of_the_game(played: tuple[Plan, np.ndarray, tuple[str, ...]]) -> None:
    """Clans by seat and active tiles as the positions themselves say."""
    plan, rows, reasons = played
    has, tiles = clans.decks(Games.read(plan, rows, reasons))
    game = plan.spec.make()
    for deal in range(8):
        for holder in range(2):
            position = game.new(seed=int(plan.deal_seeds(deal, deal + 1)[0]), advantage=holder).as_dict()
            for seat in range(2):
                own = {CLANS[k] for k in np.flatnonzero(has[deal, 0, holder, seat])}
                assert own == set(position["players"][seat]["clans"])
            assert {CLANS[k] for k in np.flatnonzero(tiles[deal, 0, holder])} == set(position["tiles"])


def test_win_shares_of_clans_are_plain_counting(played: tuple[Plan, np.ndarray, tuple[str, ...]]) -> None:
    """One line of each table counted again in plain Python."""
    plan, rows, reasons = played
    found = {(one.table, one.label): one for one in measure(plan, rows, reasons)}
    won: dict[tuple[str, str], list[float]] = {}

    def tell(table: str, label: str, share: float) -> None:
        won.setdefault((table, label), []).append(share)

    for row in rows.ravel():
        first = int(row["first_holder"])
        picks = [CLANS[k - 1] for k in row["picks"]]
        decks = {first: {picks[0], picks[3], picks[4]}, 1 - first: {picks[1], picks[2], picks[5]}}
        tiles = set(CLANS) - set(picks)
        for seat in range(2):
            share = float(row["share"][seat])
            if "Galmi" in decks[seat]:
                tell(clans.CLAN, "Galmi", share)
                for other in ("Phoenix", "Justice"):
                    if other in decks[seat]:
                        label = " + ".join(sorted(("Galmi", other), key=CLANS.index))
                        tell(clans.PAIR, label, share)
                if "Xi'an" in decks[1 - seat]:
                    tell(clans.AGAINST, "Galmi against Xi'an", share)
            if decks[seat] == {"Galmi", "Phoenix", "Goan Sul"}:
                tell(clans.TRIO, "Galmi + Phoenix + Goan Sul", share)
        if "Tomorrow" in tiles:
            tell(clans.TILE, "Tomorrow", float(row["share"][first]))
        if picks[0] == "Justice":
            tell(clans.FIRST_PICK, "Justice", float(row["share"][first]))
    assert len(won) >= 6
    for name, shares in won.items():
        assert found[name].games == len(shares), name
        assert found[name].interval.estimate == pytest.approx(np.mean(shares)), name
    assert sum(one.games for name, one in found.items() if name[0] == clans.CLAN) == 6 * 120
    assert sum(one.games for name, one in found.items() if name[0] == clans.TRIO) == 2 * 120


def test_battles_count_only_where_somebody_owns_the_wonder_token(
    played: tuple[Plan, np.ndarray, tuple[str, ...]],
) -> None:
    plan, rows, reasons = played
    found = {(one.table, one.label): one for one in measure(plan, rows, reasons)}
    fought = owned = won = 0
    for row in rows.ravel():
        for battle in range(int(row["battles"])):
            owner = int(row["battle_holder"][battle])
            fought += 1
            owned += owner >= 0
            won += owner >= 0 and (int(row["battle_scored"][battle]) >> owner) & 1
    assert 0 < owned < fought
    by_owner = found["Battles won by the holder", "all battles"]
    assert by_owner.games == owned
    assert by_owner.interval.estimate == pytest.approx(won / owned)
    nobody = found["Battles without an owner of the Wonder token", "all battles"]
    assert nobody.interval.estimate == pytest.approx(1 - owned / fought)


def test_win_rates_with_a_heat_map_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "rates"
    assert main(["winrates", "gosu_x", "--draft", "random", "--deals", "30", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    for words in (
        "draft=random", "Win share by pair of clans in a deck", "Win share of the first player by his first pick",
        "Effect of being the first player (same deals, another seat first)", "second Supremacy token", "first players",
        "Battles won by the owner of the Wonder token", "--draft random",
    ):  # fmt: skip
        assert words in told
    for words in ("Advantage", "Victory Point", "given the card", "holder", "nine"):
        assert words not in told
    assert (folder / "clans.png").read_bytes().startswith(b"\x89PNG")
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert [plot["file"] for plot in result["plots"]] == ["winrates.png", "clans.png"]
    with (folder / "winrates.csv").open(encoding="utf-8") as file:
        tables = {row["table"] for row in csv.DictReader(file)}
    assert {clans.CLAN, clans.PAIR, clans.TRIO, clans.AGAINST, clans.TILE, clans.TILES, clans.FIRST_PICK} <= tables
    assert main(["report", str(folder)]) == 0
    page = next(folder.glob("*.html")).read_text(encoding="utf-8")
    assert "Win shares by pairs of clans" in page
    assert page.count("data:image/png;base64,") == 2


def test_a_fixed_draft_has_one_pair_of_decks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The picks stand in the report, and the same by --rules; a combination that was in no game has no line."""
    words = ["winrates", "gosu_x", "--deals", "3", "--agents", "random", "--no-plots"]
    assert main([*words, "--draft", FIXED, "--out", str(tmp_path / "a")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"draft={FIXED}," in told
    assert "Justice + Galmi + Phoenix" in told
    assert "Justice + Tomorrow" not in told
    assert main([*words, "--rules", f"points_to_win=2,draft={FIXED}", "--out", str(tmp_path / "b")]) == 0
    one, two = (json.loads((tmp_path / name / "winrates.json").read_text(encoding="utf-8")) for name in "ab")
    assert one["measures"] == two["measures"]
    assert not clan_plots.has_clans([])


def test_impact_of_gosu_xs_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A dealt card is compared with its clan, after the draft; the opening hands are those that were dealt."""
    folder = tmp_path / "impact"
    words = ["cards", "impact", "gosu_x", "--draft", "random", "--deals", "60", "--no-plots"]
    assert main([*words, "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Dealt among the opening 7" in told
    assert "against its clan" in told
    with (folder / "impact.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    game = gosu_rl.game("gosu_x")
    assert {row["card"] for row in rows} == {card.label for card in game.card_set.cards}
    dealt = sum(int(row["seats dealt it"]) for row in rows)
    assert 5 * 240 < dealt <= 7 * 240  # seats, each of seven cards, twins counted once


def test_opening_hands_are_tallied_behind_the_draft() -> None:
    """Compiled and Python tallies agree, and count seven cards a seat though nobody has any when the game begins."""
    from gosu_rl.core.tally import NAMES, CardLog, tally_many

    game, seeds = gosu_rl.game("gosu_x"), game_seeds(8, 3)
    tally = tally_many(game, ["random", "greedy"], seeds)
    assert (tally.dealt.sum(-1) == 7).all()
    assert (tally.kept.sum(-1) == 7).all()
    state = game.new(seed=int(seeds[0]))
    log, chance = CardLog(game, state), np.random.default_rng(1)
    while not state.over:
        action = int(chance.choice(state.legal))
        log.before(state, action)
        state.apply(action)
        log.after(state)
    assert set(NAMES) == {"dealt", "kept", "held", "played", "ended"}
    assert (log.dealt.sum(-1) == 7).all()
    assert log.held.sum() >= log.kept.sum() > 0


def test_a_tournament_of_gosu_x(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "random,greedy,mcts:sims=4", "--deals", "2", "--no-plots", "--workers", "1"]
    assert main(["tournament", "gosu_x", *words, "--draft", FIXED, "--out", str(tmp_path / "t")]) == 0
    told = capsys.readouterr().out
    assert "Win share by place" in told
    assert "Advantage" not in told
    assert "won by: " in told


def test_bench_measures_two_players_only() -> None:
    from gosu_rl.arena.bench import tables

    assert tables("gosu_x", (2, 3, 4)) == (2,)
    assert tables("gosu", (2, 3, 4)) == (2, 3, 4)
