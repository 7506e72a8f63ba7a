"""Labels that are missing from a fold, by name, and whether that could have been helped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.folds.arrays import ALWAYS_TRAIN, as_folds
from optisplit.folds.constraints import FREE, Constraints, as_groups, check_places
from optisplit.labels import as_dataset
from optisplit.measures.report import evaluate
from optisplit.methods.units import Units

if TYPE_CHECKING:
    import pandas as pd

POSSIBLE = "possible for this label alone"


def find_absences(
    labels: Any, folds: Any, *, n_splits: int | None = None, groups: Any = None, fixed: Any = None
) -> pd.DataFrame:
    """List the labels without a positive in some fold, and say why.

    A model cannot be scored for such a label in that fold. Labels without any positive in the folds are not listed.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    folds : array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        The split.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    groups : array-like of shape (n_rows,), optional
        Groups that had to stay whole.
    fixed : array-like of shape (n_rows,), optional
        Places that were given; see :func:`optisplit.split`.

    Returns
    -------
    DataFrame
        One row a label, those that could have been in more folds first, then the largest first, with the columns

        - ``label``: its name,
        - ``positives``: rows in the folds that carry it,
        - ``absent_folds``: the folds without it, as text,
        - ``n_absent``: their number,
        - ``n_unavoidable``: how many folds any split would have left without it,
        - ``reason``: why, in words.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the folds do not fit the labels.
    OptionError
        If `groups` or `fixed` do not fit the labels.

    Examples
    --------
    >>> table = find_absences([[1, 1], [1, 0], [0, 0], [0, 0]], [0, 0, 1, 1])
    >>> table[["label", "n_absent", "n_unavoidable"]].values.tolist()
    [['label 0', 1, 0], ['label 1', 1, 1]]
    """
    import pandas as pd

    dataset = as_dataset(labels)
    assigned, k = as_folds(folds, dataset.n_rows, n_splits)
    report = evaluate(dataset, assigned, n_splits=k)
    is_absent = report.counts == 0
    listed = np.flatnonzero(is_absent.any(axis=0) & (report.positives > 0))

    places = np.where(assigned < 0, ALWAYS_TRAIN, FREE).astype(np.int32)
    if fixed is not None:
        places = np.where(assigned < 0, ALWAYS_TRAIN, check_places(fixed, dataset.n_rows, k))
    codes, names = (None, ()) if groups is None else as_groups(groups, dataset.n_rows)
    if codes is not None:  # a group stays where one of its rows is fixed
        stays = np.isin(codes, codes[places >= 0])
        places = np.where((places == FREE) & stays, assigned, places)
    held = np.bincount(assigned[assigned >= 0], minlength=k)
    units = Units.of(Constraints(held, held / held.sum(), places, codes, names))

    carriers = np.bincount(units.gather(dataset.labels).indices, minlength=dataset.n_labels)[listed]
    has_fixed = (units.fixed_counts(dataset.labels) > 0)[listed]
    is_open = (held > units.fixed_held()) & ~has_fixed  # folds that a row with the label could be brought to
    n_reached = has_fixed.sum(axis=1) + np.minimum(carriers, is_open.sum(axis=1))

    positives = report.positives[listed]
    n_absent = is_absent.sum(axis=0)[listed]
    n_unavoidable = k - n_reached
    thing = "row" if groups is None else "group"
    is_fixed = bool((places >= 0).any())
    table = pd.DataFrame(
        {
            "label": [dataset.label_names[label] for label in listed],
            "positives": positives,
            "absent_folds": [", ".join(map(str, np.flatnonzero(is_absent[:, label]))) for label in listed],
            "n_absent": n_absent,
            "n_unavoidable": n_unavoidable,
            "reason": [
                _reason(int(p), int(c), int(r), k, thing, is_fixed=is_fixed) if missing else POSSIBLE
                for p, c, r, missing in zip(positives, carriers, n_reached, n_unavoidable, strict=True)
            ],
        }
    )
    n_helpable = n_absent - n_unavoidable
    order = np.lexsort((np.arange(len(table)), -positives, -n_helpable))
    return table.iloc[order].reset_index(drop=True)


def _reason(positives: int, carriers: int, n_reached: int, n_splits: int, thing: str, *, is_fixed: bool) -> str:
    """Say why a label cannot be in every fold."""
    if positives < n_splits:
        return f"{positives} positive(s) for {n_splits} folds"
    if is_fixed:
        return f"with the fixed rows where they are, it can be in at most {n_reached} of {n_splits} folds"
    return f"its {positives} positives are in {carriers} {thing}(s), for {n_splits} folds"
