"""Epic Death in the environments and on the screen: spaces, boards no wider than 100 columns, and nothing hidden in them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest

import gosu_rl
from gosu_rl.agents.epic_narrator import EpicNarrator
from gosu_rl.agents.narrator import narrator_of
from gosu_rl.core.epic_death.state import KINDS
from gosu_rl.envs import VectorEnv, epic_board, epic_death_v0, render


@pytest.mark.parametrize("players", [2, 6])
def test_the_aec_environment_plays_to_the_end(players: int) -> None:
    env = pettingzoo.make("aec", "gosu/epic_death-v0", num_players=players, rules={"max_decisions": 900})
    env.reset(seed=4)
    chance = random.Random(4)
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        done = terminated or truncated
        if not done:
            assert env.observation_space(agent).contains(observation)
        env.step(None if done else chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    assert abs(sum(rewards.values())) < 1e-6


def test_the_parallel_and_the_single_seat_environment_are_registered() -> None:
    env = epic_death_v0.parallel_env(num_players=3)
    observations, _ = env.reset(seed=1)
    assert len(observations) == 3
    solo = gymnasium.make("gosu/EpicDeath-v0", opponents=["random"], seat=0, rules={"layout": "short"})
    solo.reset(seed=2)
    over = False
    while not over:
        _, reward, terminated, truncated, _ = solo.step(int(np.flatnonzero(solo.unwrapped.action_masks())[0]))
        over = terminated or truncated
    assert -1 <= reward <= 1


def test_the_vector_environment_gives_the_games_of_play_many() -> None:
    game = gosu_rl.game("epic_death", players=3)
    batch = VectorEnv("epic_death", num_envs=4, players=3)
    batch.reset(seed=3)
    seeds = batch.seeds.copy() if hasattr(batch, "seeds") else None
    lengths = np.zeros(4, np.int64)
    while not lengths.all():
        step = batch.step(batch.policy_actions("greedy"))
        done = (step.terminated | step.truncated) & (lengths == 0)
        lengths[done] = step.length[done]
    assert (lengths > 20).all()
    if seeds is not None:
        rows = game.play_many(["greedy"] * 3, seeds)
        assert rows["decisions"].tolist() == lengths.tolist()


def test_boards_and_events_of_a_whole_game_hide_what_is_hidden() -> None:
    game = gosu_rl.game("epic_death", players=3, rules={"layout": "long"})
    state, chance = game.new(seed=8), random.Random(8)
    narrator = narrator_of(game)
    assert isinstance(narrator, EpicNarrator)
    narrator.update(state.view(1))
    told = []
    names = {card.label for card in game.card_set.cards}
    while not state.over and state.decisions < 700:
        view = state.view(1)
        for text in (render(view), render(state), render(view, color=True)) if state.decisions % 3 == 0 else ():
            assert all(len(re.sub(r"\x1b\[\d+m", "", line)) <= 100 for line in text.splitlines())
        down = {
            land["land"]
            for land in state.as_dict()["field"].values()
            if not land["face_up"] and 1 not in land["peeked"]
        }
        shown = {land["land"] for land in view.as_dict()["field"].values()}
        assert None in shown or not down
        for label in view.legal_labels:
            epic_board.note(label, view, {card.label: card for card in game.card_set.cards})
        state.apply(chance.choice(state.legal))
        lines = narrator.update(state.view(1))
        told += lines
        for line in lines:  # a drawn card is named to its owner only
            found = re.match(r"p[02] gets \d cards?: (.*)", line)
            if found:
                assert set(re.split(r", ", re.sub(r" ×\d", "", found[1]))) <= names
                assert all(
                    card in state.view(1).known_hand(int(line[1])) for card in re.sub(r" ×\d", "", found[1]).split(", ")
                )
    text = "\n".join(told)
    for word in ("goes from", "tossed", "is turned up", "turn of you"):
        assert word in text


def test_boards_and_events_tell_of_the_steps_that_no_packaged_card_uses() -> None:
    cards = Path(__file__).parents[1] / "rulings_epic_death" / "bends.toml"
    game = gosu_rl.game("epic_death", 3, cards, {"layout": 1})
    spoken = ("discarded at random: ", "two face-down Lands change places", "is guarded against Actions", "You are guarded",
              "the next Phase C of p", "does not count in this combat", "tosses 2 more in this fight")  # fmt: skip
    drawn = ("guarded against Actions of others", "the next Phase C is skipped", " tosses 2 more", "does not count",
             "that changes places with", "to turn up")  # fmt: skip
    missing = {*(("told", words) for words in spoken), *(("drawn", words) for words in drawn)}
    for seed in range(20):
        state, chance = game.new(seed=seed), random.Random(seed)
        narrator = narrator_of(game)
        narrator.update(state.view(1))
        while missing and not state.over and state.decisions < 500:
            plays = [label for label in state.legal_labels if label.startswith(("play", "pick"))]
            state.apply(chance.choice(plays if plays and chance.random() < 0.6 else state.legal_labels))
            told, board = "\n".join(narrator.update(state.view(1))), render(state.view(1))
            assert all(len(line) <= 100 for line in board.splitlines())
            whole = " ".join(board.split())
            missing -= {(where, words) for where, words in missing if words in (told if where == "told" else whole)}
    assert missing == set()


def test_every_kind_has_words() -> None:
    assert set(epic_board.DECISIONS) == set(KINDS)
