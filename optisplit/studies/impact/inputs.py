"""What models are trained on: features and labels of a sample, of a data set that was read, or as they are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError, OptionError
from optisplit.io.likely_groups import likely_groups
from optisplit.io.samples import SAMPLES, load
from optisplit.labels import MultilabelDataset, as_dataset, positives_per_label
from optisplit.studies.impact.columns import as_table
from optisplit.studies.impact.encode import Features, encode_features
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

SAMPLES_WITH_FEATURES = ("emotions", "yeast", "medical", "enron", "bibtex")
"""The samples that models can be trained on, small ones first."""

MAX_CELLS = 50_000_000
"""Most rows x labels: predictions are held as a dense table."""

FEWEST = 2
"""A label needs as many positives, and as many other rows: one to be learned from, one to be scored."""

HOLDOUT_SEED = 20_220_801
"""Of the rows that are held out."""


@dataclass(frozen=True)
class StudyData:
    """What a study works on."""

    features: Features
    labels: Any  # csr_array of shape (n_rows, n_labels)
    name: str  # of the data
    rows_of: str = ""  # what rows seem to belong to; see :func:`belonging`


def load_features(name: str) -> tuple[Any, Any, tuple[str, ...]]:
    """Load features and labels of a sample."""
    data = _sample(name)
    return encode_features(data.features).X, data.labels, data.label_names


def _sample(name: str) -> MultilabelDataset:
    """Load a sample that has features."""
    if name not in SAMPLES_WITH_FEATURES:
        if name in SAMPLES:
            msg = f"{name!r} has no features; these have: {listed(SAMPLES_WITH_FEATURES)}."
            raise OptionError(msg)
        what = "data set"
        raise OptionError.unknown(what, name, SAMPLES_WITH_FEATURES)
    if name not in SAMPLES:
        msg = f"The sample {name!r} is not installed; install again."
        raise FormatError(msg)
    return load(name)


def study_data(
    data: Any, leave_out: Iterable[str] = (), on_progress: Callable[[int, int, float], object] | None = None
) -> StudyData:
    """Take what a study is given, check it, and name it; progress is called with 0 done while features are encoded."""
    name = data if isinstance(data, str) else "data"
    if isinstance(data, str):
        data = _sample(data)
    if isinstance(data, MultilabelDataset):
        if data.features is None:
            msg = f"{data.name!r} has labels only, and a model needs features; give both: (X, Y)."
            raise OptionError(msg)
        data, name = (data.features, data), data.name if name == "data" else name
    try:
        X, Y = data
    except (TypeError, ValueError) as error:
        msg = "data must be a sample's name, or features and labels: (X, Y)."
        raise OptionError(msg) from error
    labels = as_dataset(Y)
    table = as_table(X)
    if table.ndim != 2 or table.shape[0] != labels.n_rows:
        msg = f"X must have a row for each of the {labels.n_rows:,} rows of labels, but its shape is {table.shape}."
        raise OptionError(msg)
    _check_labels(labels)
    step = None if on_progress is None else lambda done, total, score: on_progress(0, total, score)
    features = encode_features(table, leave_out=leave_out, on_progress=step)
    return StudyData(features, labels.labels, name, belonging(labels))


def belonging(data: MultilabelDataset) -> str:
    """Say what rows seem to belong to, such as "patient (patient_id)"; empty where no column looks like groups."""
    return next((f"{each.noun} ({clean_name(each.column) or 'their names'})" for each in likely_groups(data)), "")


def not_kept(rows_of: str) -> str:
    """Say that rows which seem to belong together are divided in a study; empty where none seem to."""
    if not rows_of:
        return ""
    return (
        f"Rows of one {rows_of} are not kept together here: they are both trained on and scored, and where they are "
        "alike, estimates and held-out scores are both too good."
    )


def _check_labels(labels: MultilabelDataset) -> None:
    """Check that models can be trained: not too many labels, and one that some rows have and others have not."""
    if labels.n_rows * labels.n_labels > MAX_CELLS:
        msg = f"{labels.n_rows:,} rows x {labels.n_labels:,} labels are too many to train a model for each label here."
        raise OptionError(msg)
    if not can_learn_some(labels):
        msg = (
            f"No label has {FEWEST} positives and {FEWEST} other rows, so that none can be both learned and scored; "
            f"merge labels that are too rare, or take more rows."
        )
        raise OptionError(msg)


def can_learn_some(labels: MultilabelDataset) -> bool:
    """Tell whether some label can be both learned and scored."""
    sizes = positives_per_label(labels.labels)
    return bool(((sizes >= FEWEST) & (sizes <= labels.n_rows - FEWEST)).any())


def hold_out(holdout: int, n_rows: int, holdout_size: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the rows of one held-out set; the others come second."""
    order = np.random.default_rng([holdout, HOLDOUT_SEED]).permutation(n_rows)
    n_held = round(holdout_size * n_rows)
    return np.sort(order[:n_held]), np.sort(order[n_held:])
