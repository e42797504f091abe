"""Policy files: a trained network in one `.safetensors` file, with all that must agree before it may play.

Beside the weights the file's header holds two texts: `gosu_rl`, a JSON object (docs/agents.md lists its fields), and `sha256`,
over that text and all weights, so that a file that was damaged or edited is noticed. Nothing in it is ever executed.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError

from gosu_rl.core.files import write_whole
from gosu_rl.core.game import Game, ObservationSpec
from gosu_rl.nets.checksum import checksum
from gosu_rl.nets.network import build_network

FORMAT = 1  # raised when a field changes its meaning
ENDING = ".safetensors"
META, DIGEST = "gosu_rl", "sha256"  # the two texts in the header
FIELDS = {
    "format": int, "variant": str, "players": int, "cards": dict, "rules": dict, "layout": str, "sections": list,
    "actions": int, "network": dict, "about": dict,
}  # fmt: skip


class PolicyError(ValueError):
    """A policy file that cannot be used, or not for this game; the message names the file and the way out."""


class Policy:
    """A network that plays, with what its file says of it (`meta`).

    `network` is the module in evaluation mode, weights as saved. `digest` (64 hex digits) changes when anything in the file does.
    """

    def __init__(self, network: torch.nn.Module, meta: Mapping[str, Any], path: str, digest: str) -> None:
        self.network = network.eval()
        self.meta = meta
        self.path = path
        self.digest = digest
        self._exact = copy.deepcopy(self.network).double()

    def check(self, game: Game, any_cards: bool = False) -> None:
        """PolicyError unless the network can play `game`; `any_cards` lets it play cards and rules it was not trained with."""
        mine, asked = _game_name(self.meta["variant"], self.meta["players"]), _game_name(game.variant, game.players)
        if mine != asked:
            raise PolicyError(f"{self.path} plays {mine}, not {asked}; name a player that was trained for that")
        if self.meta["layout"] != layout_fingerprint(game):
            sizes = f"{sum(length for _, length in self.meta['sections'])} numbers and {self.meta['actions']} actions"
            raise PolicyError(
                f"{self.path} was trained on another layout of observations and actions ({sizes}; this game has "
                f"{game.observation_size} and {game.num_actions}); train a player for these cards"
            )
        if any_cards:
            return
        cards = self.meta["cards"]
        if cards["hash"] != game.card_set.hash:
            raise PolicyError(
                f"{self.path} was trained with the cards {cards['name']}@{cards['hash']}, not "
                f"{game.card_set.name}@{game.card_set.hash}; any_cards=true lets it play these all the same"
            )
        if self.meta["rules"] != dict(game.rule_changes):
            raise PolicyError(
                f"{self.path} was trained with {_rules(self.meta['rules'])}, not with {_rules(game.rule_changes)}; "
                "any_cards=true lets it play by these all the same"
            )

    def outputs(self, observations: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Logits float64[B, A], not masked, and values float64[B] of observations float32[B, D]; mover's own frame.

        Computed in double precision: what a row gives then depends on the other rows of the batch, on threads and on the machine in
        the last few of 53 bits only. A random draw comes out otherwise for it about once in 10**14 decisions; in single precision
        once in a million (measured on a cloned player, rows alone against rows by 64), too often for long tournaments.
        """
        with torch.inference_mode():
            logits, values = self._exact(torch.from_numpy(observations).double())
        return logits.numpy(), values.numpy()

    def evaluate(
        self, observations: NDArray[np.float32], masks: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities float32[B, A] and values float32[B] of observations float32[B, D] and masks [B, A] of 0 and 1.

        All in the mover's own frame. Every row needs a legal action, else ValueError.
        """
        logits, values = self.outputs(observations)
        return softmax(logits, masks).astype(np.float32), values.astype(np.float32)


def softmax(
    logits: NDArray[np.float64], masks: NDArray[Any], temperature: float | NDArray[np.float64] = 1.0
) -> NDArray[np.float64]:
    """Probabilities [B, A] over the actions whose mask is not 0; ValueError for a row without one.

    `temperature` > 0, one or [B, 1]: probabilities go as p ** (1 / temperature).
    """
    legal = masks != 0
    if not legal.any(axis=1).all():
        raise ValueError("a row of masks has no legal action; ask only movers of games in play")
    scaled = np.where(legal, logits, -np.inf)
    scaled = (scaled - scaled.max(axis=1, keepdims=True)) / temperature
    weights = np.exp(scaled)
    return weights / weights.sum(axis=1, keepdims=True)


# ------------------------------------------------------------------------------------------------ writing and reading


def save_policy(path: str | os.PathLike[str], net: torch.nn.Module, game: Game, about: Mapping[str, Any]) -> None:
    """Write the weights of `net` (made by `build_network`, so that it has `.config`) and what it was trained for, in one step.

    `about` is for people: the training command, the config, measured strength; anything JSON can hold. A reader never sees half a
    file. Raises ValueError where `about` is not JSON or a weight is not a finite number, OSError where `path` cannot be written.
    """
    meta = {
        "format": FORMAT,
        "variant": game.variant,
        "players": game.players,
        "cards": {"name": game.card_set.name, "hash": game.card_set.hash},
        "rules": {name: int(number) for name, number in sorted(game.rule_changes.items())},
        "layout": layout_fingerprint(game),
        "sections": [[name, stop - start] for name, start, stop, _ in game.observation_spec.sections],
        "actions": game.num_actions,
        "network": dict(net.config),  # type: ignore[arg-type]
        "about": dict(about),
    }
    try:
        text = json.dumps(meta, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"what is told about a policy must be plain JSON: {error}") from None
    weights = {name: value.detach().to("cpu").contiguous() for name, value in net.state_dict().items()}
    if (name := _not_finite(weights)) is not None:
        raise ValueError(f"the weights {name!r} hold numbers that are not finite; training has diverged")
    data = safetensors.torch.save(weights, {META: text, DIGEST: checksum(text, weights)})
    write_whole(Path(path), data)


def load_policy(path: str | os.PathLike[str]) -> Policy:
    """Read a policy file; PolicyError of one line where there is none, or it is damaged, foreign or of a later version."""
    name = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PolicyError(f"no policy file can be read at {name} ({error.strerror or error})") from None
    text, digest = _header(name, data)
    try:
        weights = safetensors.torch.load(data)
    except SafetensorError as error:
        raise PolicyError(f"{name} is broken off or damaged ({' '.join(str(error).split())}); copy it again") from None
    if checksum(text, weights) != digest:
        raise PolicyError(f"{name} does not match its own checksum: it was damaged or edited; copy it again")
    meta = _meta(name, text)
    if (bad := _not_finite(weights)) is not None:
        raise PolicyError(f"{name}: the weights {bad!r} hold numbers that are not finite; train again")
    try:
        network = build_network(_spec(meta["sections"]), meta["actions"], meta["network"])
        network.load_state_dict(weights)
    except (
        ValueError,
        TypeError,
        RuntimeError,
    ) as error:  # torch tells of missing and misshapen weights by RuntimeError
        why = " ".join(str(error).split())[:200]
        raise PolicyError(f"{name} holds a network that this version of gosu_rl does not know: {why}") from None
    return Policy(network, meta, name, digest)


@lru_cache(maxsize=32)
def layout_fingerprint(game: Game) -> str:
    """Sixteen hex digits over all that a network's inputs and outputs mean, whatever the cards are called.

    Sections of the observation (names, lengths), kinds of decisions, ranges of actions, and labels with faces by their number.
    """
    faces = {card.label: f"#{number}" for number, card in enumerate(game.card_set.cards)}
    labels = []
    for label in game.labels:
        verb, _, rest = label.partition(" ")
        labels.append(f"{verb} {faces.get(rest, rest)}")
    sections = [(name, stop - start) for name, start, stop, _ in game.observation_spec.sections]
    text = json.dumps([sections, list(game.kinds), [list(one) for one in game.action_ranges], labels])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _header(name: str, data: bytes) -> tuple[str, str]:
    """The two texts of a safetensors header: eight bytes of length, little end first, then JSON."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise PolicyError(f"{name} is no policy file, or is broken off; a policy file ends in {ENDING}")
    try:
        texts = json.loads(data[8 : 8 + length]).get("__metadata__", {})
        text, digest = texts.get(META), texts.get(DIGEST)
    except (ValueError, AttributeError, RecursionError):
        raise PolicyError(f"{name} is no policy file, or is damaged; a policy file ends in {ENDING}") from None
    if not isinstance(text, str) or not isinstance(digest, str):
        raise PolicyError(f"{name} is a safetensors file, but no policy of gosu_rl; name one that gosu_rl wrote")
    return text, digest


def _meta(name: str, text: str) -> dict[str, Any]:
    try:
        meta = json.loads(text)
        version = meta["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise PolicyError(f"{name}: what it says of itself cannot be read; train again") from None
    if version != FORMAT:
        raise PolicyError(f"{name} has format {version!r}, and this gosu_rl reads format {FORMAT}; use its own version")
    for field, kind in FIELDS.items():
        if not isinstance(meta.get(field), kind):
            raise PolicyError(f"{name}: its field {field!r} is missing or no {kind.__name__}; train again")
    sections = meta["sections"]
    if not all(isinstance(one, list) and len(one) == 2 and isinstance(one[1], int) for one in sections):
        raise PolicyError(f"{name}: its field 'sections' is no list of names and lengths; train again")
    if not {"name", "hash"} <= set(meta["cards"]):
        raise PolicyError(f"{name}: its field 'cards' lacks name or hash; train again")
    return meta


def _spec(sections: list[list[Any]]) -> ObservationSpec:
    """The layout that the network was built for; what sections mean is not kept."""
    placed, at = [], 0
    for name, length in sections:
        placed.append((name, at, at + length, ""))
        at += length
    return ObservationSpec(at, tuple(placed))


def _not_finite(weights: Mapping[str, torch.Tensor]) -> str | None:
    """The name of some weights that hold infinity or what is no number."""
    for name, tensor in weights.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            return name
    return None


def _game_name(variant: str, players: int) -> str:
    return f"{variant} with {players} players"


def _rules(changes: Mapping[str, int]) -> str:
    return (
        "the rules " + ", ".join(f"{name}={number}" for name, number in changes.items()) if changes else "plain rules"
    )
