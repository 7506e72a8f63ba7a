"""What annealing is to solve, put into the arrays that its kernels work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit import kernels
from optisplit.kernels.codes import LANES, MEASURE_CODES
from optisplit.measures.bounds import dcp_bound_per_class

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.kernels.problem import Problem, State
    from optisplit.methods.annealing.fairness import Fair
    from optisplit.methods.annealing.units import Gathered, Units

SIZE_PRICE, SMALL_FOLD = 0.02, 100
"""Price of a row too many or too few in a fold, in units of a label's typical weight; smaller folds pay more."""

SCARCE = 8
"""Labels expected to have fewer positives than this in some fold are watched for having none there."""

ABOUT_ONE = 0.95
"""This much of a positive is due to a fold as good as one: sizes are whole rows, not quite the shares asked for."""

GRID = 1024.0
"""Steps of ideal numbers of positives, in one."""

MISSING_PRICE = 5.0
"""Price of a fold without a positive of a label that could have one there, in weights of a label with one a fold."""


def build_problem(
    gathered: Gathered,
    units: Units,
    fixed_counts: NDArray[np.int32],
    *,
    importance: NDArray[np.float64],
    is_label: NDArray[np.bool_],
    is_count: NDArray[np.bool_] | None,
    measure: str,
    fair: Fair | None,
    home: FoldArray | None,
) -> tuple[int, float, Problem]:
    """Put the problem into arrays; also tell how many columns are scored, and what the typical one weighs."""
    sizes = units.constraints.sizes
    n_splits, n_rows = len(sizes), int(sizes.sum())
    share = sizes / n_rows
    positives = gathered.totals(len(importance)) + fixed_counts.sum(axis=1)
    is_scored = _find_scored(positives, n_rows, is_count, measure)
    inverse = np.where(is_scored, importance / np.maximum(positives, 1), 0.0)
    # how much one positive moves the score of each label, far from its ideal
    of_odds = np.where(is_scored, importance * n_rows / np.maximum(n_rows - positives, 1) ** 2, 0.0)
    marginal = of_odds if measure == "ld" else inverse
    typical = float(np.median(marginal[is_scored])) if is_scored.any() else 1.0
    weights = np.where(is_scored, importance, 0.0) if measure == "ld" else inverse
    is_scarce = is_label & is_scored & _find_scarce(positives, sizes, is_fair=fair is not None)
    of_labels = (marginal / typical).astype(np.float32)
    lack_weights = np.where(is_scarce, MISSING_PRICE / n_splits / typical, 0.0).astype(np.float32)
    rarity, n_scarce = np.empty(len(units), dtype=np.float32), np.empty(len(units), dtype=np.int32)
    kernels.problem.scarce_first(*gathered, gathered.stride, of_labels, lack_weights, rarity, n_scarce)
    problem = kernels.problem.Problem(
        **gathered._asdict(),
        stride=gathered.stride,
        unit_sizes=units.sizes,
        weights=(weights / typical).astype(np.float32),
        positives=positives.astype(np.float64),
        sizes=sizes,
        share=share,
        scale=_in_lanes(1 / (n_splits * share)),
        half=_in_lanes(np.full(n_splits, 0.5)),
        caps=_caps(positives, units) if measure == "dcp" else np.empty((0, n_splits)),
        rarity=rarity,
        lack_weights=lack_weights,
        n_scarce=n_scarce,
        reach=np.where(is_scarce, np.inf, of_labels * gathered.amounts.max(initial=1)).astype(np.float32),
        **_of_fair(fair, marginal / typical, n_splits),
        home=np.empty(0, np.int32) if home is None else home,
        home_price=np.float32(0),
        measure=MEASURE_CODES[measure],
    )
    return max(1, int(is_scored[is_label].sum())), typical, problem


def _find_scored(
    positives: NDArray[np.float64], n_rows: int, is_count: NDArray[np.bool_] | None, measure: str
) -> NDArray[np.bool_]:
    """Tell which columns a split can do anything about."""
    is_scored = (positives > 0) & (positives < n_rows)
    if is_count is None:
        return is_scored
    if measure == "ld":  # which is of rows alone
        return is_scored & ~is_count
    return is_scored | (is_count & (positives > 0))  # amounts may be more than rows


def _find_scarce(positives: NDArray[np.float64], sizes: NDArray[np.int64], *, is_fair: bool) -> NDArray[np.bool_]:
    """Tell which labels may be missing from a fold, and are to be in each."""
    due = positives * (sizes.min() / sizes.sum())
    is_scarce = (positives >= len(sizes)) & (due < SCARCE)
    if is_fair and np.ptp(sizes) > 1:  # where less than one is due, a label is to be in the fold as often as that
        is_scarce &= due > ABOUT_ONE
    return is_scarce


def _of_fair(fair: Fair | None, of_labels: NDArray[np.float64], n_splits: int) -> dict[str, Any]:
    """Give what the problem says of what units have in common: empty arrays where there is nothing."""
    indptr, indices, amounts = np.zeros(1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)
    weights, targets = np.empty(0, np.float32), np.empty((0, n_splits))
    if fair is not None:
        indptr, indices, amounts, targets = fair.indptr, fair.indices, fair.amounts, fair.targets
        weights = fair.weights(of_labels)
    return {
        "fair_indptr": indptr, "fair_indices": indices, "fair_amounts": amounts, "fair_weights": weights,
        "fair_targets": targets, "is_firm": False,
    }  # fmt: skip


def _caps(positives: NDArray[np.int64], units: Units) -> NDArray[np.float64]:
    """Tell how many positives of each label a fold may hold where DCP is to be at its bound."""
    shares = units.constraints.shares
    bound = dcp_bound_per_class(positives, units.constraints.sizes, shares)
    return np.floor(positives[:, None] * (shares + bound[:, None]) + 1e-9)


def _in_lanes(of_folds: NDArray[np.float64], beyond: float = 0.0) -> NDArray[np.float32]:
    """Put a number for each fold where annealing looks at LANES of them in one step."""
    return np.pad(of_folds, (0, -len(of_folds) % LANES), constant_values=beyond).astype(np.float32)


def build_state(problem: Problem, folds: FoldArray, rng: np.random.Generator) -> State:
    """Make room for what annealing works on; the tables are yet to be filled."""
    n_labels, n_splits = problem.weights.size, problem.sizes.size
    width = problem.scale.size
    return kernels.problem.State(
        folds=folds,
        table=np.zeros(n_labels * width, dtype=np.float32),
        over=np.zeros(n_labels * width if problem.caps.size else 0, dtype=np.float32),
        lack=np.zeros(n_labels * width, dtype=np.float32),
        fair_table=np.zeros(problem.fair_weights.size * width, dtype=np.float32),
        fair_prices=np.zeros(problem.fair_weights.size * width, dtype=np.float32),
        held=np.zeros(n_splits, dtype=np.int64),
        size_price=np.full(1, SIZE_PRICE * (1 + SMALL_FOLD * n_splits / problem.sizes.sum()), dtype=np.float32),
        size_prices=np.zeros(n_splits, dtype=np.float32),
        entering=_in_lanes(np.zeros(n_splits), np.inf),
        leaving=np.zeros(width, dtype=np.float32),
        rest=np.zeros(folds.size, dtype=np.uint8),
        zeros=np.zeros(width, dtype=np.float32),
        changes=np.zeros(width, dtype=np.float32),
        random=rng.integers(1, 2**63, size=1, dtype=np.uint64),
    )


def fill_tables(problem: Problem, state: State, fixed_counts: NDArray[np.int32], fixed_held: NDArray[np.int64]) -> None:
    """Count positives and rows in each fold afresh, into the state's tables.

    `fixed_counts` of shape (n_labels, n_splits) and `fixed_held` are of rows that do not move.
    """
    n_splits = problem.sizes.size
    counts = fixed_counts.astype(np.float64)
    labels = problem.indptr, problem.indices, problem.amounts, problem.stride
    kernels.problem.count_units(*labels, state.folds, counts)
    held = np.bincount(state.folds, problem.unit_sizes, minlength=n_splits)
    state.held[:] = fixed_held + held.astype(np.int64)

    def fill(table: NDArray[np.float32], beyond: NDArray[np.float64]) -> None:
        table.reshape(len(beyond), -1)[:, :n_splits] = 2 * beyond

    # on a grid that single precision can hold, so that adding and taking away whole numbers is exact
    fill(state.table, counts - np.rint(problem.positives[:, None] * problem.share * GRID) / GRID)
    fill(state.lack, counts - 1)
    if state.over.size:
        fill(state.over, counts - problem.caps)
    if problem.fair_weights.size:
        common = problem.fair_indptr, problem.fair_indices, problem.fair_amounts, np.uint64(1)
        amounts = np.zeros_like(problem.fair_targets)
        kernels.problem.count_units(*common, state.folds, amounts)
        fill(state.fair_table, amounts - problem.fair_targets)
