"""Finding trained players: what `ppo:…` names, read once a process.

ppo:tactics             the player that comes with the package for this variant and number of players (there is one, for two)
ppo:runs/x              the latest policy of a run folder: runs/x/policy.safetensors
ppo:x.safetensors       that file
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gosu_rl.core.game import Game
from gosu_rl.core.variants import variants
from gosu_rl.nets.policy_file import ENDING, Policy, PolicyError, load_policy

PLAYERS = Path(__file__).parent / "players"  # what comes with the package: VARIANT-Np.safetensors
LATEST = f"policy{ENDING}"  # in a run folder

_lock = threading.Lock()
_read: dict[
    str, tuple[tuple[int, int, int], Policy]
] = {}  # path -> what the file was when it was read, and what was in it


def check_name(text: str) -> None:
    """PolicyError where `text` names no trained player, as far as can be told without knowing the game."""
    if text in variants():
        _packaged(text)
    else:
        _own_file(text)


def locate(text: str, game: Game) -> Path:
    """The policy file that `text` means in a game of `game`; PolicyError where there is none.

    The name of a variant always means the packaged player; a folder of that name is written `./tactics`.
    """
    if text not in variants():
        return _own_file(text)
    wanted = PLAYERS / f"{text}-{game.players}p{ENDING}"
    if not wanted.is_file():
        raise PolicyError(
            f"no trained player for {text} with {game.players} players comes with gosu_rl (there are "
            f"{', '.join(_packaged(text))}); train one and name its folder"
        )
    return wanted


def policy_for(text: str, game: Game, any_cards: bool = False) -> Policy:
    """The player that `text` names, checked for `game` (`Policy.check`); PolicyError where it cannot play."""
    policy = shared(locate(text, game))
    policy.check(game, any_cards)
    return policy


def shared(path: Path) -> Policy:
    """The policy in a file, one object for all who ask while the file stays the same. It must not be changed."""
    key = os.path.realpath(path)
    try:
        status = path.stat()
    except OSError as error:
        raise PolicyError(f"no policy file can be read at {path} ({error.strerror})") from None
    stamp = status.st_mtime_ns, status.st_size, status.st_ino
    with _lock:
        known = _read.get(key)
        if known is None or known[0] != stamp:
            known = _read[key] = stamp, load_policy(path)
        return known[1]


@lru_cache(maxsize=32)
def frames(game: Game) -> NDArray[np.int64]:
    """int64[players, actions]: `game.relative_actions` of every seat."""
    return np.stack([game.relative_actions(seat) for seat in range(game.players)])


def packaged_players() -> list[str]:
    """What may follow `ppo:` without a path: the variants that a player comes with the package for."""
    return [variant for variant in variants() if any(PLAYERS.glob(f"{variant}-*p{ENDING}"))]


def _packaged(variant: str) -> list[str]:
    """Names of the packaged players of a variant; PolicyError if there is none."""
    found = sorted(path.name.removesuffix(ENDING) for path in PLAYERS.glob(f"{variant}-*p{ENDING}"))
    if not found:
        raise PolicyError(
            f"no trained player for {variant} comes with gosu_rl ({_those_there()}); train one and name its folder"
        )
    return found


def _those_there() -> str:
    return f"there are: {', '.join(packaged_players()) or 'none'}"


def _own_file(text: str) -> Path:
    path = Path(text)
    if path.is_dir():
        path /= LATEST
        if not path.is_file():
            raise PolicyError(f"{text} holds no {LATEST} (yet); name a folder that `gosu-rl train` has written to")
    elif not path.is_file():
        raise PolicyError(
            f"there is no run folder or policy file {text!r}; name one, or a packaged player ({_those_there()})"
        )
    return path
