"""The article's first figure: 24 points of three classes, split at random and evenly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from optisplit.labels import as_labels
from optisplit.measures.report import evaluate
from optisplit.methods.api import split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.measures.report import Report

N_ROWS, N_FOLDS = 24, 4
KINDS = ((0,), (0,), (0,), (0,), (0,), (0, 1), (0, 1), (0, 2), (1,), (1, 2), (2,), (2,))
"""Classes of the points that have any: 8 points of the first, 4 of the second, 4 of the third."""

DATA_SEED, SEED = 1, 2


@dataclass(frozen=True, eq=False)
class Panel:
    """One part of the figure."""

    title: str
    rows: NDArray[np.int64]  # shape (24,): the points in the order in which they are drawn
    folds: FoldArray | None  # shape (24,): the fold of each point as drawn, ascending; None for the data as a whole
    report: Report | None = None  # of the split

    def counts(self, labels: NDArray[np.int8]) -> NDArray[np.int64]:
        """Count the points of each class in each fold, shape (n_folds, 3)."""
        folds = np.zeros(N_ROWS, np.int32) if self.folds is None else self.folds
        return np.array([labels[self.rows[folds == fold]].sum(axis=0) for fold in range(folds.max() + 1)])


@dataclass(frozen=True, eq=False)
class Example:
    """The data and the parts of the figure."""

    labels: NDArray[np.int8]  # shape (24, 3)
    panels: tuple[Panel, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row a split and fold: points, and points of each class."""
        lines = []
        for panel in self.panels:
            for fold, counts in enumerate(panel.counts(self.labels).tolist()):
                name = "all" if panel.folds is None else str(fold + 1)
                n_rows = N_ROWS if panel.folds is None else int((panel.folds == fold).sum())
                line = {"part": panel.title, "fold": name, "points": n_rows}
                lines.append(line | {f"class {at}": count for at, count in enumerate(counts, start=1)})
        return pd.DataFrame(lines)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = []
        for panel in self.panels[1:3]:
            told = "; ".join(", ".join(map(str, counts)) for counts in panel.counts(self.labels).tolist())
            parts.append(f"{panel.title}: {told}")
        sizes = ", ".join(map(str, self.labels.sum(axis=0).tolist()))
        return (
            f"{N_ROWS} points of three classes with {sizes} points, in {N_FOLDS} folds of {N_ROWS // N_FOLDS}. Points "
            f"of the three classes, fold by fold. {'. '.join(parts)}. An even fold has 2, 1 and 1."
        )


@cache
def paper_example() -> Example:
    """Make the article's example: shares of 2/6, 1/6 and 1/6 in every fold are possible, and are reached."""
    rng = np.random.default_rng(DATA_SEED)
    labels = np.zeros((N_ROWS, 3), np.int8)
    for row, classes in zip(rng.permutation(N_ROWS).tolist(), KINDS, strict=False):
        labels[row, list(classes)] = 1
    panels = [Panel("The data", np.arange(N_ROWS), None)]
    for title, method in (("Random split", "random"), ("Stratified split", "optisplit-sa")):
        folds = split(as_labels(labels), N_FOLDS, method=method, random_state=SEED)
        order = np.argsort(folds, kind="stable")
        panels.append(Panel(title, order, folds[order], evaluate(labels, folds)))
    stratified = panels[-1]
    assert stratified.folds is not None
    # within each fold: the first class first, then the second, then the third
    last_first = (*(-labels[stratified.rows, at] for at in (2, 1, 0)), stratified.folds)
    order = stratified.rows[np.lexsort(last_first)]
    panels.append(Panel("The stratified split, rearranged", order, stratified.folds, stratified.report))
    return Example(labels, tuple(panels))
