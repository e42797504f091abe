"""The actions of one game: named ranges of one Discrete space, each action with a text form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gosu_rl.core.cards.schema import CardSet


@dataclass(frozen=True)
class ActionTable:
    """The actions of one game: their labels, in order, and where each range starts."""

    labels: tuple[str, ...]
    offsets: dict[str, int]
    ranges: tuple[tuple[str, int, int], ...]  # name, first, end
    aliases: dict[str, str]  # a first word that people type -> the word of the label

    @property
    def index(self) -> dict[str, int]:
        """Label -> action."""
        return {label: a for a, label in enumerate(self.labels)}


def number_actions(
    parts: Sequence[tuple[str, list[str]]], aliases: Mapping[str, str], most: int, cards: CardSet
) -> ActionTable:
    """Number the labels of all ranges one after another. The offset of range x is `o_x`; the first range, of words, needs none.

    Raises ValueError where there are more than `most` actions, with the number of faces that would fit.
    """
    labels: list[str] = []
    offsets: dict[str, int] = {}
    ranges = []
    for name, texts in parts:
        ranges.append((name, len(labels), len(labels) + len(texts)))
        offsets[f"o_{name}"] = len(labels)
        labels += texts
    del offsets[f"o_{parts[0][0]}"]
    if len(labels) > most:
        faces = len(cards.cards)
        over_faces = sum(len(texts) == faces for _, texts in parts)
        fit = faces - -(-(len(labels) - most) // over_faces)
        raise ValueError(
            f"{cards.path or cards.name}: {faces} faces are too many for this number of players, at most {fit} are "
            f"possible; use a smaller set or fewer players"
        )
    return ActionTable(tuple(labels), offsets, tuple(ranges), dict(aliases))
