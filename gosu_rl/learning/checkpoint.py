"""A training run on disk, whole or not at all: one safetensors file with all tensors, and JSON in its header for the rest.

Nothing in it is ever executed. A checkpoint is written beside the old one and put in its place in one step, so a run killed at any
moment finds the last whole one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from safetensors import SafetensorError

from gosu_rl.core.files import write_whole
from gosu_rl.nets.checksum import checksum

FORMAT = 1
PLAIN, DIGEST = "gosu_rl.training", "sha256"
FILE_NAME = "checkpoint.safetensors"


class CheckpointError(ValueError):
    """A checkpoint that cannot be gone on from; the message names the file and the way out."""


def save(path: Path, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
    """Write tensors and plain data in one step."""
    text = json.dumps({"format": FORMAT, **plain})
    kept = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_whole(path, safetensors.torch.save(kept, {PLAIN: text, DIGEST: checksum(text, kept)}))


def load(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """What `save` wrote; CheckpointError where there is nothing, or something else, or it was damaged."""
    way_out = "begin anew with --fresh, or name another --out"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"no checkpoint can be read at {path} ({error.strerror or error})") from None
    try:
        tensors = safetensors.torch.load(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    except (SafetensorError, ValueError, KeyError, RecursionError) as error:
        raise CheckpointError(f"{path} is broken off or damaged ({' '.join(str(error).split())}); {way_out}") from None
    texts = header.get("__metadata__", {})
    if not {PLAIN, DIGEST} <= set(texts):
        raise CheckpointError(f"{path} is a safetensors file, but no checkpoint of gosu_rl; {way_out}")
    if texts[DIGEST] != checksum(texts[PLAIN], tensors):
        raise CheckpointError(f"{path} does not match its own checksum: it was damaged or edited; {way_out}")
    plain = json.loads(texts[PLAIN])
    if plain.get("format") != FORMAT:
        raise CheckpointError(
            f"{path} has format {plain.get('format')!r}, and this gosu_rl reads format {FORMAT}; {way_out}"
        )
    return tensors, plain


# ------------------------------------------------------------------------------------------------ parts of a state


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Everything Adam remembers, by the number of the parameter."""
    found = {}
    for number, memory in optimizer.state_dict()["state"].items():
        for name, value in memory.items():
            found[f"optimizer.{number}.{name}"] = torch.as_tensor(value)
    return found


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor]) -> None:
    """The reverse; the learning rate is the schedule's business."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        head, _, rest = key.partition(".")
        if head == "optimizer":
            number, _, name = rest.partition(".")
            state.setdefault(int(number), {})[name] = value
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def array_tensors(head: str, arrays: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Arrays as tensors; uint64 as what the same bits mean as int64, which every reader of safetensors knows."""
    found = {}
    for name, array in arrays.items():
        words = array.dtype == np.uint64
        found[f"{head}.{'word.' if words else ''}{name}"] = torch.from_numpy(array.view(np.int64) if words else array)
    return found


def restore_arrays(head: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """The reverse."""
    found = {}
    for key, tensor in tensors.items():
        if key.startswith(f"{head}."):
            name, array = key[len(head) + 1 :], tensor.numpy()
            words = name.startswith("word.")
            found[name.removeprefix("word.")] = array.view(np.uint64) if words else array
    return found
