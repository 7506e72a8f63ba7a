"""Iterative stratification as the package iterative-stratification does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.methods.peers import folds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix


def run_iterstrat(
    labels: LabelMatrix, n_splits: int, seed: int, watch: Callable[[Callable[[], int]], None]
) -> FoldArray:
    """Run iterative-stratification's MultilabelStratifiedKFold, shuffled, as its users do."""
    from iterstrat import ml_stratifiers

    stratify = ml_stratifiers.IterativeStratification

    class Shares(np.ndarray[Any, Any]):
        """Every fold's share of the rows; the number of rows a fold still wants, made of it, is counted down."""

        def __mul__(self, n_rows: Any) -> Any:
            wanted = np.asarray(self) * n_rows
            watch(lambda: n_rows - round(wanted.sum()))
            return wanted

    def watched(labels: Any, r: Any, random_state: Any) -> Any:
        return stratify(labels, r.view(Shares), random_state)

    ml_stratifiers.IterativeStratification = watched
    try:
        stratifier = ml_stratifiers.MultilabelStratifiedKFold(n_splits=n_splits, shuffle=True, random_state=seed)
        return folds_of(stratifier, labels.astype(bool).toarray())
    finally:
        ml_stratifiers.IterativeStratification = stratify
