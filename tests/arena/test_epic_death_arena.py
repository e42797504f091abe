"""Epic Death in the arena: win rates by Leader and first turn, records with their tosses, replays, single-seat records."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import gosu_rl
from gosu_rl.arena.plan import GameSpec, Plan
from gosu_rl.arena.winrates import measure
from gosu_rl.arena.wording import worded
from gosu_rl.core.record import Record, RecordError
from gosu_rl.core.replay import replay


@pytest.fixture(scope="module")
def record() -> Record:
    return gosu_rl.play(gosu_rl.game("epic_death", players=3), ["greedy", "random", "greedy"], seed=6)


def test_win_shares_by_leader_are_measured_and_battles_are_not() -> None:
    plan = Plan(GameSpec("epic_death", 2, None, {"layout": "short"}), ("greedy",), 1)
    game = plan.spec.make()
    deals, seatings = 12, len(plan.seatings)
    seeds = np.repeat(np.arange(deals, dtype=np.uint64), seatings * 2)
    holders = np.tile(np.arange(2), deals * seatings)
    rows = game.play_many(["greedy"] * 2, seeds, advantage=holders).reshape(deals, seatings, 2)
    measures = measure(plan, rows, game.reasons)
    tables = {one.table for one in measures}
    assert "Win share by Leader" in tables
    assert not any("Battle" in table for table in tables)
    leaders = [one for one in measures if one.table == "Win share by Leader"]
    assert [one.label for one in leaders] == [leader.label for leader in game.card_set.leaders]
    assert sum(one.games for one in leaders) == rows.size * 2


def test_the_first_turn_has_its_own_word() -> None:
    assert worded("What the Advantage card is worth", "epic_death") == "What the first turn is worth"
    assert worded("1st: given the card", "epic_death") == "1st: given the first turn"
    assert worded("What the Advantage card is worth", "gosu") == "What the Advantage token is worth"


def test_a_record_holds_the_deal_and_all_chance_and_is_borne_out(record: Record, tmp_path) -> None:
    deal = record.deal
    assert {len(deal["leaders"]), len(deal["starts"])} == {3}
    assert len(deal["field"]) == 37
    assert sum(len(lands) for lands in deal["box"].values()) == 58 - 37
    events = {line["event"] for line in record.lines if line["line"] == "chance"}
    assert "toss" in events
    path = tmp_path / "game.jsonl"
    record.write(path)
    again = Record.read(path)
    assert again.hash == record.hash
    assert replay(again).returns.tolist() == record.returns


def test_a_changed_coin_is_found(record: Record, tmp_path) -> None:
    lines = [dict(line) for line in record.lines]
    index = next(i for i, line in enumerate(lines) if line.get("event") == "toss")
    coins = lines[index]["coins"]
    lines[index]["coins"] = ("-" if coins[0] == "+" else "+") + coins[1:]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RecordError, match=f":{index + 1}"):
        replay(Record.read(path))


def test_a_seats_record_hides_lands_hands_and_others_thefts(record: Record) -> None:
    own = record.for_seat(1)
    assert own.deal["field"] is None
    assert own.deal["box"] is None
    assert own.deal["leaders"] == record.deal["leaders"]
    assert [hand is None for hand in own.deal["hands"]] == [True, False, True]
    for full, line in zip(record.lines, own.lines, strict=True):
        if line.get("event") == "theft":
            assert (line["cards"] is None) == (1 not in full["between"])
        if line.get("event") == "toss":
            assert line == full


def test_random_discards_stand_in_records_for_all_to_see(tmp_path: Path) -> None:
    cards = Path(__file__).parents[1] / "rulings_epic_death" / "bends.toml"
    game = gosu_rl.game("epic_death", 3, cards, {"layout": 1})
    for seed in range(30):
        record = gosu_rl.play(game, ["random", "greedy", "random"], seed=seed)
        drops = [line for line in record.lines if line.get("event") == "drop"]
        if drops:
            break
    assert drops
    assert set(drops[0]["cards"]) <= {card.label for card in game.card_set.cards}
    assert [line for line in record.for_seat(1).lines if line.get("event") == "drop"] == drops
    record.write(tmp_path / "game.jsonl")
    assert replay(Record.read(tmp_path / "game.jsonl"), game).returns.tolist() == record.returns


def test_mcts_plays_six_players(record: Record) -> None:
    game = gosu_rl.game("epic_death", players=6, rules={"max_decisions": 250})
    played = gosu_rl.play(game, ["mcts:sims=20", *["greedy"] * 5], seed=2)
    assert played.result["decisions"] <= 250
    assert len(played.returns) == 6
