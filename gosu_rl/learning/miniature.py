"""The miniature: a Tactics small enough to be enumerated, and still a game of hidden hands, traps and guesses.

Eight cards of four faces (miniature.toml), one round. Three cards are dealt and one of them is discarded in secret, at the same
time as the other player's; a Bakuto of a second clan costs a discard; whoever passes leaves the other one more turn; then the
stronger army wins, or the holder of the Advantage card in a tie. Much hangs on what the other has kept, since what stands free
may be destroyed or trapped. The equilibrium mixes, and `random` and `greedy` lose far to a best response (docs/learning.md).

Cards and rules belong together, and the cards are a toy: so they are no packaged card set, which would stand among those to play
with, and whose banner would call it a reconstruction. Elsewhere: `cards=miniature.CARDS, rules=miniature.RULES`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from gosu_rl.core.variants import game

if TYPE_CHECKING:
    from gosu_rl.core.game import Game

CARDS = str(Path(__file__).with_name("miniature.toml"))
RULES = MappingProxyType(
    {
        "deal": 3,
        "keep": 2,
        "new_clan_cost": 1,
        "turns_after_pass": 1,
        "points_to_win": 1,
        "hand_target": 0,  # with one round, no new one draws
        "max_mulligans": 0,  # redraws would empty the pile, and shuffles are not enumerated
    }
)


@cache
def miniature() -> Game:
    """The miniature, two players."""
    return game("tactics", 2, CARDS, dict(RULES))
