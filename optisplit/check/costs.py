"""What groups, fixed rows and pairs of labels cost: how far a split is from fair because of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.folds.arrays import as_folds
from optisplit.folds.constraints import constraints_of_split
from optisplit.io.rows import groups_of
from optisplit.labels import as_dataset
from optisplit.measures.registry import MEASURES
from optisplit.measures.report import evaluate
from optisplit.methods.annealing.units import Units
from optisplit.text import counted, joined, number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.measures.report import Report

FAIRNESS = ("beyond_rounding", "rare_shares", "row_shape")
"""Keys of the measures of whether parts look like the whole."""


@dataclass(frozen=True, slots=True)
class RuleCosts:
    """What the rules of a split cost in fairness.

    Parameters
    ----------
    rules : tuple of str
        What the split had to keep to beside its sizes: "groups", "fixed rows", "label pairs".
    excess : dict of str to float
        How far each measure of fairness is above what a split of these sizes without such rules can have at best: at
        most so much is their cost.
    n_forced : int
        Positives beyond rounding that every split with these groups and fixed rows has.
    """

    rules: tuple[str, ...]
    excess: dict[str, float]
    n_forced: int

    @property
    def sentence(self) -> str:
        """The same in a sentence."""
        whose = joined(list(self.rules))
        if not any(self.excess.values()):
            return f"Fairness: {whose} cost nothing; no split without them could be fairer."
        what = [counted(int(self.excess["beyond_rounding"]), "positive") + " beyond rounding"]
        if self.n_forced:
            what[0] += f" ({self.n_forced:,} in any split with these {joined(list(self.rules[:2]))})"
        what += [f"{number(self.excess[key])} in {MEASURES[key].name.lower()}" for key in FAIRNESS[1:]]
        return f"Fairness: {whose} cost at most {joined(what)}."


def rule_costs(
    labels: Any,
    folds: Any,
    *,
    n_splits: int | None = None,
    groups: Any = None,
    fixed: Any = None,
    balance_pairs: bool = False,
) -> RuleCosts | None:
    """Tell what groups, fixed rows and pairs of labels cost a split in fairness.

    A split made with ``rare="share"`` is as fair as they allow: this says how fair that is, beside a split without
    them.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,)
        The split.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    groups, fixed : array-like of shape (n_rows,), optional
        What it had to keep to; see :func:`optisplit.split`.
    balance_pairs : bool, default=False
        Whether pairs of labels were balanced too.

    Returns
    -------
    RuleCosts or None
        None where there is no such rule.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the split does not fit the labels.
    OptionError
        If `groups` or `fixed` do not fit the labels.

    Notes
    -----
    Positives that are forced beyond rounding are counted label by label: as many as fixed rows bring, or the group
    with most positives, wherever that goes, or the group with fewest, in each part that is to have some. The true
    number may be higher.

    Examples
    --------
    >>> costs = rule_costs([[1], [1], [0], [0]], [0, 0, 1, 1], groups=["a", "a", "b", "b"])
    >>> costs.excess["beyond_rounding"], costs.n_forced
    (1.0, 1)
    """
    data = as_dataset(labels)
    array, k = as_folds(folds, data.n_rows, n_splits)
    return costs_of(
        evaluate(data, array, n_splits=k),
        data.labels,
        array,
        groups_of(groups, data),
        fixed,
        balance_pairs=balance_pairs,
    )


def costs_of(
    report: Report, labels: Any, folds: NDArray[np.int32], groups: Any, fixed: Any, *, balance_pairs: bool = False
) -> RuleCosts | None:
    """Tell what the rules of a split cost that is measured already."""
    given = {"groups": groups is not None, "fixed rows": fixed is not None, "label pairs": balance_pairs}
    rules = tuple(rule for rule, is_given in given.items() if is_given)
    if not rules:
        return None
    excess = {key: max(0.0, float(report.value(key)) - float(report.bound(key))) for key in FAIRNESS}
    n_forced = 0
    if rules != ("label pairs",):
        units = Units.of(constraints_of_split(len(folds), folds, report.n_splits, groups, fixed))
        gathered = units.gather(labels)
        amounts = np.broadcast_to(gathered.amounts, gathered.indices.shape)
        least, most = np.full(labels.shape[1], np.inf), np.zeros(labels.shape[1])
        np.minimum.at(least, gathered.indices, amounts)
        np.maximum.at(most, gathered.indices, amounts)
        n_forced = _forced_beyond_rounding(report.counts, report.fold_sizes, units.fixed_counts(labels).T, least, most)
    return RuleCosts(rules, excess, n_forced)


def _forced_beyond_rounding(
    counts: NDArray[Any], sizes: NDArray[Any], fixed: NDArray[Any], least: NDArray[Any], most: NDArray[Any]
) -> int:
    """Count positives beyond rounding that no split can do without.

    `fixed` are positives that stay, of shape (n_splits, n_labels); `least` and `most` those of the units that move and
    have fewest and most of a label (infinite and 0 where none has any).
    """
    positives = counts.sum(axis=0, dtype=np.int64)
    low, rest = np.divmod(sizes[:, None] * positives, sizes.sum())
    high = low + (rest > 0)

    def forced(held: NDArray[Any]) -> NDArray[Any]:
        """Sum up how far parts are from what is due, where each has at least so many, and the rest goes anywhere."""
        lacking = np.maximum(low, held).sum(axis=0) - positives
        return np.asarray(np.maximum(held - high, 0).sum(axis=0) + np.maximum(lacking, 0))

    # the unit with most of a label has to be somewhere
    wherever = np.min(
        [forced(fixed + most * (np.arange(len(sizes)) == part)[:, None]) for part in range(len(sizes))], axis=0
    )
    # a part that lacks some gets a whole unit, or none
    lacking = np.maximum(low - fixed, 0)
    too_many = np.maximum(fixed + np.where(lacking > 0, least, 0) - high, 0)
    in_each = np.where(lacking > 0, np.minimum(lacking, too_many), too_many).sum(axis=0)
    return math.ceil(np.maximum(wherever, in_each).sum() / 2)
