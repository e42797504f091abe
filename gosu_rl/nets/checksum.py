"""One checksum over a text and tensors, so that a file of weights that was damaged or edited is noticed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import torch


def checksum(text: str, tensors: Mapping[str, torch.Tensor]) -> str:
    """SHA-256, 64 hex digits, over the text and, by name, type, shape and bytes of every tensor (contiguous, on the CPU)."""
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"\n{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
