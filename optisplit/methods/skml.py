"""Iterative stratification, of first and second order, as scikit-multilearn does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.methods.peers import folds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix


def run_skml(
    labels: LabelMatrix, n_splits: int, seed: int, watch: Callable[[Callable[[], int]], None], *, order: int
) -> FoldArray:
    """Run scikit-multilearn's IterativeStratification as its users do."""
    from skmultilearn.model_selection import IterativeStratification

    class Watched(IterativeStratification):
        def _prepare_stratification(self, y: Any) -> Any:
            prepared = super()._prepare_stratification(y)
            rows_of_fold = prepared[-1]
            watch(lambda: sum(map(len, rows_of_fold)))
            return prepared

    np.random.seed(seed)  # noqa: NPY002 - this process is the peer's alone
    return folds_of(Watched(n_splits=n_splits, order=order), sp.lil_matrix(labels))
