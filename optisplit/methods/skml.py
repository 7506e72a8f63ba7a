"""Iterative stratification, of first and second order, as scikit-multilearn does it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.methods.peers import Peer, folds_of

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


IS = Peer(
    key="skml-is",
    name="IS (scikit-multilearn)",
    summary=(
        "Iterative stratification as scikit-multilearn 0.2.0 does it: hands out rows label by label, each to "
        "the fold that wants the label most. It does not take the rarest label first, unlike the published "
        "algorithm, and so does worse than that."
    ),
    reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011; Szymański, Kajdanowicz, 2017",
    cost="nnz × q, in pure Python",
    function=partial(run_skml, order=1),
    color="#334AFF",
    symbol="cross",
    # a row that is placed is looked up in the lists of all its labels
    seconds=lambda shape, _n_splits, _options: 1e-8 * (shape.n_squared + 3_000 * shape.n_rows),
    n_bytes=lambda shape, _n_splits, _options: 200 * (shape.n_rows + shape.n_positives),
    package="scikit-multilearn",
    module="skmultilearn.model_selection",
)

SOIS = Peer(
    key="skml-sois",
    name="SOIS (scikit-multilearn)",
    summary=(
        "Second-order iterative stratification as scikit-multilearn 0.2.0 does it: balances pairs of labels "
        "that occur together as well as single labels. It does not take the rarest pair first, unlike the "
        "published algorithm, and is slow where many pairs occur."
    ),
    reference="Szymański, Kajdanowicz, LIDTA 2017 (PMLR 74)",
    cost="(pairs of labels that occur)², in pure Python",
    function=partial(run_skml, order=2),
    color="#962EC8",
    symbol="star",
    # of the rows about a tenth take a turn in which all pairs are gone through
    seconds=lambda shape, _n_splits, _options: 3e-8 * (shape.n_squared + shape.n_rows * (1_000 + shape.n_pairs)),
    n_bytes=lambda shape, _n_splits, _options: (
        200 * (shape.n_rows + shape.n_positives) + 100 * (shape.n_pairs_in_rows + 3 * shape.n_pairs)
    ),
    package="scikit-multilearn",
    module="skmultilearn.model_selection",
)
