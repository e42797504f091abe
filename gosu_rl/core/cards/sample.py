"""Card sets drawn at random that meet everything the rulebook states.

The published cards are not known, so a measured win rate is worth more when it is given over many plausible sets. A set is a pure
function of variant, seed and `SAMPLER`, on every machine and version of Python.
"""

from __future__ import annotations

from gosu_rl.core.cards.check import RULEBOOKS
from gosu_rl.core.cards.sample_gosu import sample_gosu
from gosu_rl.core.cards.sample_gosu_x import sample_gosu_x
from gosu_rl.core.cards.sample_tactics import sample_tactics
from gosu_rl.core.cards.schema import CardFileError, CardSet
from gosu_rl.core.cards.wording import nearest, quoted

SAMPLERS = {"tactics": sample_tactics, "gosu": sample_gosu, "gosu_x": sample_gosu_x}


def sample_set(variant: str, seed: int) -> CardSet:
    """A rulebook-consistent card set of a variant, drawn by `seed` (0 … 2^64-1).

    Raises CardFileError (a ValueError) for an unknown variant, one that no sets are drawn for (epic_death), or a seed out of range.
    """
    if variant == "epic_death":
        raise CardFileError(
            "cannot sample 'epic_death': sets are drawn for the Gosu family only "
            f"({', '.join(RULEBOOKS)}); take 'gosu-rl cards export epic_death' and change cards, or draw a field of your own "
            "(--rules layout=mine.txt)"
        )
    if variant not in RULEBOOKS:
        hint = nearest(str(variant), RULEBOOKS)
        raise CardFileError(f"cannot sample {quoted(variant)}: it is no variant{hint} ({', '.join(RULEBOOKS)})")
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise CardFileError(f"seed {quoted(seed)} must be a whole number of 0 to 18446744073709551615")
    return SAMPLERS[variant](seed)
