"""What a collector keeps of N games is what N single games give with the same actions; learner and opponents are kept apart."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
import torch
from learning_cases import Noted, small, train

import gosu_rl
from gosu_rl.agents import AgentError, agent_seed
from gosu_rl.core.game import Game, GameState
from gosu_rl.core.many import game_seeds
from gosu_rl.envs.vector import VectorEnv, decision_word, next_seed
from gosu_rl.learning.config import PoolConfig
from gosu_rl.learning.opponents import ALL_SEATS, SELF, Opponents
from gosu_rl.learning.rollout import Batch, Collector
from gosu_rl.learning.seated import Seated, check_agents, seat_agent
from gosu_rl.learning.trainer import Trainer
from gosu_rl.nets.network import build_network, log_policy, network_config
from gosu_rl.nets.privileged import with_privileged_critic

CPU = torch.device("cpu")
QUICK = {"points_to_win": 1, "max_turns_per_round": 4}  # games of some thirty decisions
GAMES, STEPS = 5, 24


class Table:
    """An env with all that plays in it."""

    def __init__(
        self,
        players: int,
        pool: PoolConfig | None = None,
        games: int = GAMES,
        steps: int = STEPS,
        privileged: bool = False,
    ) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(1)
        self.game = gosu_rl.game("tactics", players=players, rules=QUICK)
        self.env = VectorEnv(self.game, num_envs=games, relative=True, seed=9)
        self.privileged = privileged
        self.network = self.build()
        self.opponents = Opponents(self.env, pool or PoolConfig(), self.build, CPU)
        self.collector = Collector(self.env, self.opponents, steps, CPU, privileged)
        self.generator, self.rng = torch.Generator().manual_seed(3), np.random.default_rng(3)
        self.env.reset()
        self.opponents.restart(np.ones(games, np.bool_), self.rng)

    def build(self) -> torch.nn.Module:
        game = self.game
        made = build_network(
            game.observation_spec, game.num_actions, network_config(game, {"kind": "mlp", "hidden": [8]})
        )
        made.policy.weight.data *= 100  # such that its preferences are told from noise
        return with_privileged_critic(made, game, [8]) if self.privileged else made

    def collect(self) -> Batch:
        return self.collector.collect(self.network, self.generator, self.rng)


def single_games(game: Game, games: int, seed: int) -> list[tuple[GameState, int]]:
    return [(game.new(seed=int(one)), int(one)) for one in game_seeds(seed, games)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_buffers_hold_what_single_games_give(players: int) -> None:
    table = Table(players)
    running = single_games(table.game, GAMES, 9)
    ended = 0
    for _ in range(3):  # across the borders of batches
        batch = table.collect()
        lengths, truncated = [], 0
        for t, i in np.ndindex(STEPS, GAMES):
            state, seed = running[i]
            seat = state.mover
            frame = table.game.relative_actions(seat)
            assert batch.mover[t, i] == seat
            assert np.array_equal(batch.observation[t, i].numpy(), state.observation(seat))
            assert np.array_equal(batch.mask[t, i].numpy(), state.mask[frame])
            assert batch.choice[t, i] == (len(state.legal) > 1)
            state.apply(int(frame[batch.action[t, i]]))
            assert batch.ended[t, i] == state.over
            wanted = state.returns if state.over else np.zeros(players)
            assert batch.reward[t, i] == pytest.approx(wanted, abs=1e-6)
            if state.over:
                ended += 1
                lengths.append(state.decisions)
                truncated += state.truncated
                seed = next_seed(seed)
                running[i] = table.game.new(seed=seed), seed
        assert sorted(batch.lengths) == sorted(lengths)
        assert batch.truncated == truncated
        assert batch.learner.all()
        assert batch.hidden is None
        # Probabilities and values are those of the network that acted.
        logits, value = table.network(batch.observation.flatten(0, 1))
        policy = log_policy(logits, batch.mask.flatten(0, 1)).gather(1, batch.action.flatten()[:, None])[:, 0]
        assert torch.allclose(policy, batch.log_prob.flatten(), atol=1e-5)
        assert np.allclose(value.detach().numpy(), batch.value.ravel(), atol=1e-5)
        assert set(batch.seconds) == {"env", "model"}
        assert all(spent > 0 for spent in batch.seconds.values())
    assert ended >= GAMES


@pytest.mark.parametrize("players", [2, 3])
def test_hidden_hands_are_those_of_the_others_clockwise(players: int) -> None:
    table = Table(players, privileged=True)
    batch = table.collect()
    assert batch.hidden is not None
    hand = table.game.observation_spec.slice("hand")
    running = [state for state, _ in single_games(table.game, GAMES, 9)]
    for t, i in np.ndindex(8, GAMES):
        state = running[i]
        others = [(state.mover + r) % players for r in range(1, players)]
        wanted = np.concatenate([state.observation(seat)[hand] for seat in others])
        assert np.array_equal(batch.hidden[t, i].numpy(), wanted)
        state.apply(int(table.game.relative_actions(state.mover)[batch.action[t, i]]))
    critic = table.network(batch.observation.flatten(0, 1), batch.hidden.flatten(0, 1))[1][:, 0]
    assert np.allclose(critic.detach().numpy(), batch.value.ravel(), atol=1e-5)


def test_the_same_seeds_give_the_same_batch() -> None:
    one, other = Table(2).collect(), Table(2).collect()
    assert torch.equal(one.action, other.action)
    assert torch.equal(one.log_prob, other.log_prob)


# ------------------------------------------------------------------------------------------------ opponents


def test_alone_the_learner_holds_every_seat() -> None:
    table = Table(3)
    assert not table.opponents.needed
    assert table.opponents.learner_moves(np.arange(GAMES) % 3).all()
    before = table.rng.bit_generator.state
    table.opponents.restart(np.ones(GAMES, np.bool_), table.rng)
    assert table.rng.bit_generator.state == before


@pytest.mark.parametrize("players", [2, 4])
def test_who_moves_is_told_and_an_arrangement_lasts_a_game(players: int) -> None:
    pool = PoolConfig(past=0.4, league=0.4, agents=("greedy", "random"), size=3)
    table = Table(players, pool, games=16, steps=1)
    opponents = table.opponents
    opponents.remember(table.network)
    seen, changed = set(), 0
    for _ in range(80):
        arrangement, seats = opponents.opponent.copy(), opponents.seat.copy()
        batch = table.collect()
        learner = (seats == ALL_SEATS) | (seats == batch.mover[0])
        assert np.array_equal(batch.learner[0], learner)
        assert ((arrangement == SELF) == (seats == ALL_SEATS)).all()
        assert batch.mask[0, np.arange(16), batch.action[0]].all()
        going_on = ~batch.ended[0]
        assert np.array_equal(opponents.opponent[going_on], arrangement[going_on])
        assert np.array_equal(opponents.seat[going_on], seats[going_on])
        changed += int((opponents.opponent[~going_on] != arrangement[~going_on]).sum())
        seen |= set(zip(arrangement.tolist(), seats.tolist(), strict=True))
    assert changed > 0
    assert {kind for kind, _ in seen} == {SELF, 0, 3, 4}  # himself, the one past self, both of the league
    assert {seat for kind, seat in seen if kind != SELF} == set(range(players))


def test_shares_of_games() -> None:
    table = Table(2, PoolConfig(past=0.3, league=0.5, agents=("greedy",), size=4), games=4000, steps=1)
    everyone = np.ones(4000, np.bool_)
    table.opponents.restart(everyone, table.rng)
    assert (table.opponents.opponent == 0).sum() == 0  # nobody to remember yet: self-play instead
    assert abs((table.opponents.opponent == SELF).mean() - 0.5) < 0.05
    for _ in range(2):
        table.opponents.remember(table.network)
    table.opponents.restart(everyone, table.rng)
    found = {kind: float((table.opponents.opponent == kind).mean()) for kind in (SELF, 0, 1, 4)}
    assert found == pytest.approx({SELF: 0.2, 0: 0.15, 1: 0.15, 4: 0.5}, abs=0.04)
    assert sum(found.values()) == pytest.approx(1.0)
    assert abs(table.opponents.seat[table.opponents.seat != ALL_SEATS].mean() - 0.5) < 0.04


def test_compiled_agents_of_the_league_play_as_they_do_elsewhere() -> None:
    table = Table(2, PoolConfig(league=1.0, agents=("greedy",)))
    seats, batch = table.opponents.seat.copy(), table.collect()
    for i, (state, seed) in enumerate(single_games(table.game, GAMES, 9)):
        for t in range(STEPS):
            if batch.ended[:t, i].any():
                break
            action = int(table.game.relative_actions(state.mover)[batch.action[t, i]])
            if state.mover != seats[i]:
                word = decision_word(seed, state.decisions)
                assert action == table.game.choose(state.view(state.mover), "greedy", word)
            state.apply(action)


def test_past_selves_play_with_their_own_weights() -> None:
    table = Table(2, PoolConfig(past=1.0, size=2), games=8, steps=4)
    stubborn = table.build()
    for weight in stubborn.parameters():
        weight.data.zero_()
    stubborn.policy.bias.data[:] = torch.linspace(0, 4000, table.game.num_actions)  # always the last legal action
    table.opponents.remember(stubborn)
    table.opponents.restart(np.ones(8, np.bool_), table.rng)
    batch = table.collect()
    theirs = ~batch.learner
    assert theirs.any()
    last = batch.mask.shape[2] - 1 - batch.mask.flip(2).to(torch.int8).argmax(2)
    assert torch.equal(batch.action[theirs], last[theirs])
    assert not torch.equal(batch.action[~theirs], last[~theirs])


def test_what_is_remembered_stays_as_it_was_and_the_oldest_leaves() -> None:
    table = Table(2, PoolConfig(past=0.5, size=2))
    for number in range(5):
        table.network.value.bias.data[:] = number
        table.opponents.remember(table.network)
        assert table.opponents._network(min(number, 1) if number < 2 else number % 2).value.bias.item() == number
    assert sorted(one["value.bias"].item() for one in table.opponents.past) == [3, 4]


def test_agents_of_the_league_are_fresh_for_every_seat_and_game() -> None:
    Noted.lives.clear()
    table = Table(3, PoolConfig(league=1.0, agents=("learning_cases:Noted",)), games=3, steps=60)
    seeds: dict[int, list[int]] = {i: [int(seed)] for i, seed in enumerate(game_seeds(9, 3))}
    for _ in range(2):
        batch = table.collect()
        for _, i in np.argwhere(batch.ended):
            seeds[int(i)].append(next_seed(seeds[int(i)][-1]))
    table.opponents.close()
    assert sum(map(len, seeds.values())) > 3  # some games ended
    known = {agent_seed(seed, seat): (i, seed, seat) for i, own in seeds.items() for seed in own for seat in range(3)}
    told = defaultdict(set)
    for one in Noted.lives:
        i, seed, seat = known[one.seed]  # seeded by the episode that it played
        assert one.seat == seat
        assert one.closed == 1
        assert one.decisions == sorted(set(one.decisions))  # a single game, in order
        told[i, seed].add(seat)
    assert len({one.seed for one in Noted.lives}) == len(Noted.lives)
    assert all(len(seats) <= 2 for seats in told.values())  # one seat is the learner's


def test_trained_players_of_a_league_decide_together_as_they_would_alone(tmp_path: Path) -> None:
    train(tmp_path / "one", "game.rules.points_to_win=1", "game.rules.max_turns_per_round=4")
    spec = f"ppo:{tmp_path / 'one'}"
    table = Table(2)
    seated = Seated(table.env, spec)
    together = seated.act(np.arange(GAMES), table.env.current.mover, table.env.current.mask)
    for i, seed in enumerate(map(int, table.env.seeds)):
        view = table.env.view(i)
        alone = seat_agent(table.game, spec, view.mover, agent_seed(seed, view.mover))
        assert table.env.own_action(i, alone.act(view)) == together[i]
    seated.close()
    with pytest.raises(AgentError, match="plays tactics with 2 players, not tactics with 3 players"):
        check_agents(gosu_rl.game("tactics", players=3), [spec])


@pytest.mark.parametrize(
    ("name", "message"),
    [("Cheat", "returned .* which is not legal; legal: "), ("Broken", "RuntimeError: no idea")],
)
def test_an_agent_that_fails_is_named(name: str, message: str) -> None:
    table = Table(2, PoolConfig(league=1.0, agents=(f"learning_cases:{name}",)))
    with pytest.raises(AgentError, match=f"agent 'learning_cases:{name}' .*{message}"):
        table.collect()


@pytest.mark.parametrize(
    "word",
    ["pool.agents=gredy", "evaluation.agents=gredy", "pool.agents=learning_cases:Nobody", "pool.agents=mcts:sims=x"],
)
def test_agents_that_cannot_be_made_are_refused_before_anything_begins(word: str, tmp_path: Path) -> None:
    words = ["pool.league=0.5", "pool.agents=greedy", "evaluation.deals=2", word]
    with pytest.raises(AgentError):
        Trainer(small(*words), tmp_path / "run")
    assert not (tmp_path / "run").exists()
