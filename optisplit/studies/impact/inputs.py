"""What models are trained on: features and labels of a sample, of a data set that was read, or as they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from optisplit.errors import FormatError, OptionError
from optisplit.io.samples import SAMPLES, load
from optisplit.labels import MultilabelDataset, as_labels
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES_WITH_FEATURES = ("emotions", "yeast", "medical", "enron", "bibtex")
"""The samples that models can be trained on, small ones first."""

MAX_CELLS = 50_000_000
"""Most rows x labels: predictions are held as a dense table."""

HOLDOUT_SEED = 20_220_801
"""Of the rows that are held out."""


def load_features(name: str) -> tuple[Any, Any, tuple[str, ...]]:
    """Load features and labels of a sample."""
    if name not in SAMPLES_WITH_FEATURES:
        if name in SAMPLES:
            msg = f"{name!r} has no features; these have: {listed(SAMPLES_WITH_FEATURES)}."
            raise OptionError(msg)
        what = "data set"
        raise OptionError.unknown(what, name, SAMPLES_WITH_FEATURES)
    if name not in SAMPLES:
        msg = f"The sample {name!r} is not installed; install again."
        raise FormatError(msg)
    data = load(name)
    return _numbers(data.features), data.labels, data.label_names


def features_and_labels(data: Any) -> tuple[Any, Any, str]:
    """Take what a study is given, check it, and name it."""
    if isinstance(data, str):
        X, labels, _ = load_features(data)
        return X, labels, data
    name = "data"
    if isinstance(data, MultilabelDataset):
        if data.features is None:
            msg = f"{data.name!r} has labels only, and a model needs features; give both: (X, Y)."
            raise OptionError(msg)
        data, name = (data.features, data.labels), data.name
    try:
        X, Y = data
    except (TypeError, ValueError) as error:
        msg = "data must be a sample's name, or features and labels: (X, Y)."
        raise OptionError(msg) from error
    labels, X = as_labels(Y), _numbers(X)
    if X.ndim != 2 or X.shape[0] != labels.shape[0]:
        msg = f"X must have a row for each of the {labels.shape[0]:,} rows of labels, but its shape is {X.shape}."
        raise OptionError(msg)
    if not np.isfinite(X.data if sp.issparse(X) else X).all():
        msg = "X must be numbers without gaps, but some are missing or infinite; fill or drop them first."
        raise OptionError(msg)
    if labels.shape[0] * labels.shape[1] > MAX_CELLS:
        msg = (
            f"{labels.shape[0]:,} rows x {labels.shape[1]:,} labels are too many to train a model for each label here."
        )
        raise OptionError(msg)
    return X, labels, name


def _numbers(features: Any) -> Any:
    """Turn features into a table of numbers, sparse where they are."""
    if sp.issparse(features):
        X = sp.csr_array(features, dtype=np.float64)
        if max(*X.shape, X.nnz) <= np.iinfo(np.int32).max:  # scikit-learn's liblinear takes no others
            X = sp.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)
        return X
    if isinstance(features, pd.DataFrame):
        words = [str(name) for name, kind in features.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]
        if words:
            msg = (
                f"A model needs numbers, but {counted(len(words), 'column', 'holds')} other things: {listed(words)}; "
                "encode or drop them, and give features and labels: (X, Y)."
            )
            raise OptionError(msg)
        features = features.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(features, dtype=np.float64)


def hold_out(holdout: int, n_rows: int, holdout_size: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the rows of one held-out set; the others come second."""
    order = np.random.default_rng([holdout, HOLDOUT_SEED]).permutation(n_rows)
    n_held = round(holdout_size * n_rows)
    return np.sort(order[:n_held]), np.sort(order[n_held:])
