"""What a state of the search costs, counted afresh from its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.kernels.codes import DCP, LD, RLD, TIE_BREAK
from optisplit.measures.bounds import rld_bound_per_class

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.kernels.problem import Problem, State


def total_loss(problem: Problem, state: State) -> float:
    """Compute the loss in units of the typical weight of a label, sizes and missing labels aside.

    For rLD and LD it is the sum of the measure over labels, times the labels' weights. DCP looks at the fullest
    fold alone, which tells a search little; here each fold pays for the positives it holds beyond those that the
    best possible DCP allows, so that the sum is 0 exactly where DCP is at its bound, with a small part of rLD to
    break ties.
    """
    off, weights = _off(problem, state.table, problem.weights.size), problem.weights.astype(np.float64)
    if problem.measure == LD:
        is_scored = weights != 0
        costs = _ld_costs(problem, off[is_scored], problem.positives[is_scored])
        return float((weights[is_scored] * costs).sum())
    costs = (np.abs(off) * _scale(problem)).sum(axis=1)
    if problem.measure == DCP:
        costs = TIE_BREAK * costs + np.maximum(_off(problem, state.over, len(weights)), 0).sum(axis=1)
    return float((weights * costs).sum())


def least_loss(problem: Problem) -> float:
    """Give what no split of these sizes can be below, in the same units; 0 where that is not known."""
    if problem.measure != RLD:
        return 0.0
    return float((problem.weights * problem.positives) @ rld_bound_per_class(problem.positives, problem.sizes))


def fair_loss(problem: Problem, state: State) -> float:
    """Add up what folds have beyond their due of what units have in common, or lack of it, times its price."""
    off = _off(problem, state.fair_table, problem.fair_weights.size)
    return float((problem.fair_weights[:, None] * np.abs(off) * _scale(problem)).sum())


def count_missing(problem: Problem, state: State) -> int:
    """Count the pairs of a scarce label and a fold without a positive of it."""
    is_scarce = problem.lack_weights > 0
    ideal = problem.positives[is_scarce, None] * problem.share
    return int((_off(problem, state.table, problem.weights.size)[is_scarce] + ideal < 0.5).sum())


def _scale(problem: Problem) -> NDArray[np.float32]:
    """Give the weight of each fold, shape (n_splits,)."""
    return problem.scale[: problem.sizes.size]


def _off(problem: Problem, table: NDArray[np.float32], n_lines: int) -> NDArray[np.float64]:
    """Give how far each fold is off in each line of a table, shape (n_lines, n_splits)."""
    n_splits = problem.sizes.size
    if n_lines == 0:
        return np.empty((0, n_splits))
    return 0.5 * table.reshape(n_lines, -1)[:, :n_splits].astype(np.float64)


def _ld_costs(problem: Problem, off: NDArray[np.float64], positives: NDArray[np.float64]) -> NDArray[Any]:
    """Compute LD of each label: the mean distance of the odds in folds from those of all rows."""
    n_rows, sizes = float(problem.sizes.sum()), problem.sizes.astype(np.float64)
    counts = np.rint(off + positives[:, None] * problem.share)  # the table's ideal is on a grid
    odds = np.where(counts >= sizes, sizes - 1, counts / np.maximum(sizes - counts, 1))
    return np.abs(odds - (positives / (n_rows - positives))[:, None]).mean(axis=1)
