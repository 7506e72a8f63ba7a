"""Packages that divide multilabel data and that the app does not offer, put among the methods to be measured.

    pip install 'nanoom>=0.1.0a0' mstts maestros

Each is called as its users do, with the rows in a random order. What makes only train and test makes folds by several
such splits: each fold is the test part of what the folds before have left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.methods.base import METHODS, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

SOLVER_S = 60
"""Most processor seconds for nanoom's solver; mstts ends its own after as many seconds, for each train and test."""


def run_nanoom(labels: LabelMatrix, n_splits: int, seed: int, _watch: object) -> NDArray[np.int32]:
    """Balance rows and positives by CBC; rows without a label are in the program by the column `row`."""
    import polars as pl
    import pulp
    from nanoom import split

    class Solver(pulp.PULP_CBC_CMD):
        def __init__(self, **options: object) -> None:
            super().__init__(**options, timeMode="cpu")

    pulp.PULP_CBC_CMD = Solver
    rows = np.random.default_rng(seed).permutation(labels.shape[0])
    columns = {str(label): column for label, column in enumerate(labels[rows].toarray().T)}
    table = pl.DataFrame(columns).with_columns(pl.all().replace(0, None), row=1)
    found = split(table, table.columns, n_splits, "tricarico", time_limit_seconds=SOLVER_S, n_jobs=1)
    folds = np.empty(rows.size, dtype=np.int32)
    folds[rows] = found["split"]
    return folds


def run_mstts(labels: LabelMatrix, n_splits: int, seed: int, _watch: object) -> NDArray[np.int32]:
    """Bring every label's positives near its share by CP-SAT; the number of rows is left to them."""
    from mstts import train_test_split

    return by_hold_outs(labels, n_splits, seed, lambda held, share: train_test_split(held, share, v=0)[1])


def run_maestros(labels: LabelMatrix, n_splits: int, seed: int, _watch: object) -> NDArray[np.int32]:
    """Take the first fold of iterative-stratification's, with every row a group of its own."""
    from maestros.functions import multilabel_stratified_group_split

    def test_of(held: NDArray[np.int8], share: float) -> NDArray[np.int64]:
        features, groups = np.zeros((held.shape[0], 2)), np.arange(held.shape[0])
        return multilabel_stratified_group_split(features, held, groups, test_size=share, random_state=seed)[-1]

    return by_hold_outs(labels, n_splits, seed, test_of)


def by_hold_outs(
    labels: LabelMatrix, n_splits: int, seed: int, test_of: Callable[[NDArray[np.int8], float], object]
) -> NDArray[np.int32]:
    """Make folds of test parts: `test_of` is given the labels of what rows are left, and the share of them to take."""
    folds, left = np.zeros(labels.shape[0], dtype=np.int32), np.random.default_rng(seed).permutation(labels.shape[0])
    for fold in range(n_splits - 1, 0, -1):
        test = test_of(labels[left].toarray(), 1 / (fold + 1))
        if test is None:
            msg = "no split was found"
            raise ValueError(msg)
        folds[left[test]] = fold
        left = np.delete(left, test)
    return folds


for _peer in (
    Peer(
        key="nanoom",
        name="nanoom",
        summary="Has an integer program solved whose objective is rLD and the sizes.",
        reference="code by May; the program by Tricarico et al., ChemRxiv 2022, doi 10.26434/chemrxiv-2022-m8l33-v3",
        cost="exponential in n k at worst",
        function=run_nanoom,
        n_bytes=lambda shape, _n_splits, _options: 24 * shape.n_rows * shape.n_labels + 1_000 * shape.n_positives,
        package="nanoom",
        module="nanoom",
        to_install="nanoom>=0.1.0a0",  # its releases are all marked as alpha
        home=__name__,
    ),
    Peer(
        key="mstts",
        name="mstts",
        summary="Has a constraint program solved: least sum of what labels' positives are from their shares.",
        reference="code by Vladymyrov",
        cost="exponential in n at worst",
        function=run_mstts,
        n_bytes=lambda shape, _n_splits, _options: 200 * shape.n_rows * shape.n_labels,
        package="mstts",
        module="mstts",
        to_install="mstts",
        home=__name__,
    ),
    Peer(
        key="maestros",
        name="maestros",
        summary="Divides groups by iterative stratification.",
        reference="code by Lampe",
        cost="n × (n + q²), on dense labels",
        function=run_maestros,
        n_bytes=lambda shape, _n_splits, _options: 24 * shape.n_rows * shape.n_labels,
        package="maestros",
        module="maestros.functions",
        to_install="maestros",
        home=__name__,
    ),
):
    METHODS[_peer.key] = _peer
OTHERS = ("nanoom", "mstts", "maestros")
