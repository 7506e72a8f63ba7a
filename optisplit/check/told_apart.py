"""Whether the parts of a split can be told apart by what is known of their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError
from optisplit.io.splits.tables import is_split_name
from optisplit.text import listed, shown_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.splits.base import SplitFile
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback

APART_HELP = (
    "A classifier is trained to say which part a row is in, by features and labels. An area of 0.5 means that it "
    "cannot: test rows are like those of training. Above the range of random parts they differ, so that a score on one "
    "part does not speak of the others. Columns that give a part away by themselves are named."
)


def parts_told_apart(
    data: MultilabelDataset,
    split: SplitFile,
    leave_out: Iterable[str],
    on_progress: ProgressCallback | None,
) -> tuple[Any, str]:
    """Tell whether parts differ, and say what was not looked at, or why nothing could be.

    Divided groups are not looked for: a check has them among its faults.
    """
    from optisplit.studies.impact import tell_apart  # half a second, for which a check need not wait

    rows = np.flatnonzero(~split.is_missing)  # those that the split does not mention are in no part
    features = _of_rows(data.features, rows)
    shown = shown_names(getattr(features, "columns", ()))
    own = [shown[at] for at in _columns_of_split(features, split.folds[rows], leave_out)]
    note = f"Not looked at to tell parts apart, as it says the part: {listed(own)}." if own else ""
    try:
        found = tell_apart(
            features, data.labels[rows], split.folds[rows], n_splits=split.n_parts, part_names=split.part_names,
            leave_out=own, on_progress=on_progress,
        )  # fmt: skip
    except OptionError as error:
        return None, f"Whether parts can be told apart was not found out: {error}"
    return found, note


def _of_rows(features: Any, rows: NDArray[np.int64]) -> Any:
    if features is None or len(rows) == features.shape[0]:
        return features
    return features.iloc[rows] if hasattr(features, "iloc") else features[rows]


def _columns_of_split(features: Any, folds: FoldArray, leave_out: Iterable[str]) -> list[int]:
    """Find the columns of the data that are the split itself: those named, and those that say so and have its parts."""
    if not hasattr(features, "columns"):
        return []
    named = set(leave_out)
    return [
        at
        for at, name in enumerate(map(str, features.columns))
        if name in named or (is_split_name(name) and _says(features.iloc[:, at], folds))
    ]


def _says(column: Any, folds: FoldArray) -> bool:
    """Tell whether each value of a column is one part."""
    values = np.unique(column.astype(str), return_inverse=True)[1]
    pairs = np.unique(np.stack([values, folds]), axis=1)
    return bool(pairs.shape[1] == len(np.unique(pairs[0])) == len(np.unique(pairs[1])))
