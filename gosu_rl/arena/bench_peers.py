"""OpenSpiel's hearts and gin rummy, measured in the same run as our own games (optional extra `bench`).

Which is compared with which:

* *Compiled* random games. `pyspiel` has no call that plays random games in C++, but its information-set search does:
  with two simulations it re-deals twice and runs a RandomRolloutEvaluator at each, which is nothing but "copy the
  state, play uniformly at random to the end" n times, in C++. The two re-deals and the tree of two nodes vanish beside
  hundreds of rollouts. This flatters the peer: it copies a dealt state where ours deals anew. Chance events after the
  deal (gin rummy's draws) are played but not counted, as ours are not. The decisions of a rollout are not returned;
  their mean is taken from rollouts of the same state in Python (hearts: always the same number).
* *Bots* in C++: `pyspiel.evaluate_bots` with uniform random bots, dealing included; each decision asks a bot object.
* *Python loop*: `legal_actions`, a random choice, `apply_action`, as our loop over GameState; chance events are played
  in the same loop from `chance_outcomes`, since that is how a Python user meets them.
* *ISMCTS* in C++: `pyspiel.ISMCTSBot` with one RandomRolloutEvaluator(1) an iteration, as our search with full random playouts.
  Positions are the first decisions of deals only: later in hearts its resampling brings the process down (pyspiel 2.0).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from gosu_rl.arena.bench import OPENING, SIMULATIONS, Effort, Figure, rate

GAMES = {"hearts": 2000, "gin_rummy": 100}  # name -> rollouts that take a fraction of a second


def available() -> bool:
    """Whether OpenSpiel can be imported."""
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        return False
    return True


def measure(effort: Effort, told: Callable[[Figure], None]) -> list[Figure]:
    """All figures of both peers; `told(figure)` is called as each is done."""
    import pyspiel

    figures = []
    for name, rollouts in GAMES.items():
        game = pyspiel.load_game(name)
        rng = random.Random(1)
        for one in (_rollouts, _bots):
            figures.append(one(pyspiel, game, name, rollouts, rng, effort))
            told(figures[-1])
        figures.append(_python_loop(game, name, rng, effort))
        told(figures[-1])
        figures.append(_searches(pyspiel, game, name, rng, effort))
        told(figures[-1])
    return figures


def _rollouts(pyspiel: Any, game: Any, name: str, rollouts: int, rng: random.Random, effort: Effort) -> Figure:
    dealt = _dealt(game, rng)
    sample = [_play(dealt.clone(), rng) for _ in range(200 if effort.repeats > 3 else 60)]
    mean = sum(sample) / len(sample)

    def once(repeat: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, repeat + 1)
        bot = pyspiel.ISMCTSBot(
            repeat + 1, evaluator, 1.0, 2, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False
        )
        bot.step(dealt)
        return rollouts * (2 * mean - 1)  # the second evaluation begins one decision later

    note = f"random rollouts inside C++, {mean:.1f} decisions a rollout, no dealing"
    return rate(f"OpenSpiel {name}, rollouts in C++", "decisions / CPU-s", once, effort, note)


def _bots(pyspiel: Any, game: Any, name: str, rollouts: int, rng: random.Random, effort: Effort) -> Figure:
    sample = [_play(game.new_initial_state(), rng) for _ in range(200 if effort.repeats > 3 else 60)]
    mean = sum(sample) / len(sample)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]

    def once(repeat: int) -> float:
        for _ in range(10):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, rng.getrandbits(30))
        return 10 * mean

    return rate(f"OpenSpiel {name}, evaluate_bots", "decisions / CPU-s", once, effort, "uniform random bots in C++")


def _python_loop(game: Any, name: str, rng: random.Random, effort: Effort) -> Figure:
    def once(repeat: int) -> float:
        return _play(game.new_initial_state(), rng)

    return rate(f"OpenSpiel {name}, Python loop over State", "decisions / CPU-s", once, effort)


def _searches(pyspiel: Any, game: Any, name: str, rng: random.Random, effort: Effort) -> Figure:
    deals: list[Any] = []
    while len(deals) < 20:
        deal = _dealt(game, rng)
        if len(deal.legal_actions()) > 1:  # a forced action is answered without a search
            deals.append(deal)
    turn = itertools.cycle(deals)

    def once(repeat: int) -> float:
        dealt, seed = next(turn), rng.getrandbits(30)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        pyspiel.ISMCTSBot(seed, evaluator, 1.0, SIMULATIONS, -1, final, False, False).step(dealt)
        return SIMULATIONS

    sample = [_play(deal.clone(), rng) for deal in deals * 3]
    note = f"one random rollout each, {sum(sample) / len(sample):.1f} decisions to the end"
    return rate(f"OpenSpiel {name}, ISMCTS, {OPENING}", "simulations / CPU-s", once, effort, note)


def _dealt(game: Any, rng: random.Random) -> Any:
    """A new game after its deal."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


def _play(state: Any, rng: random.Random) -> int:
    """Play to the end at random and return the number of players' decisions. Chance here has equal odds throughout."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
    return decisions
