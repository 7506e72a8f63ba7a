"""How often a repair looks, and the progress of work in several stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.folds.arrays import are_divided
from optisplit.methods.annealing.trades import MOST_GROUPS

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.folds.constraints import Constraints
    from optisplit.methods.base import ProgressCallback

N_TRIES = 8
"""How often a repair looks that puts few groups together; every other time without regard to what parts have now."""


def count_tries(constraints: Constraints, folds: FoldArray, max_moved: int | None) -> int:
    """Say how often to look: where divided groups are put together most is new, and where they are few luck decides."""
    codes = constraints.groups
    if codes is None or max_moved is not None or not are_divided(codes[folds >= 0], folds[folds >= 0]).any():
        return 1
    return N_TRIES if int(codes.max()) < MOST_GROUPS else 2


def stage(on_progress: ProgressCallback | None, number: int, n_stages: int) -> ProgressCallback | None:
    """Take the progress of one of several stages, one after the other, as that of all."""
    if on_progress is None or n_stages == 1:
        return on_progress
    return lambda done, total, score: on_progress(number * total + done, n_stages * total, score)
