"""How long a study will take, before it is run: from the shape of the data, without reading what is in its columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import scipy.sparse as sp

from optisplit.methods.costs import estimate
from optisplit.methods.variants import as_variant
from optisplit.studies.impact.fast import MAX_COLUMNS, N_DIRECTIONS
from optisplit.studies.impact.words import MAX_WORDS
from optisplit.text import about_time, counted
from optisplit.ui.shapes import shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.impact.request import StudyRequest

MOST_VALUES = 40
"""Of a column of words; with more of them in the first rows alone they are ids, which are left out."""

TRAINED_ON, TESTED_ON = 0.56, 0.14
"""Shares of the rows that a model is trained and scored on, in five folds of what is not held out."""

STEPS_PER_S = 1.4e10
"""Multiplications with additions of matrices, on one processor."""

START_S = 3.0
"""Until features are read and encoded."""


@dataclass(frozen=True)
class Size:
    """How much there is to learn from."""

    n_rows: int  # rows
    n_features: float  # columns of numbers that a model is given
    n_labels: int  # labels
    n_cells: float  # cells that are not 0


def size_of(chosen: ChosenData) -> Size | None:
    """Guess how much there is to learn from by the first rows of a table; None where nothing is known yet."""
    data = chosen.uploaded
    if data is None or data.reading is None:
        return None
    n_rows, n_labels = data.n_rows, data.n_labels
    if "features" in data.__dict__ and sp.issparse(data.features):  # a study has read them before
        return Size(n_rows, data.features.shape[1], n_labels, data.features.nnz)
    found = [_column(cells, n_rows) for cells in data.reading.left_out.values()]
    if not found:
        return None
    n_features, n_filled = (float(sum(each)) for each in zip(*found, strict=True))
    return Size(n_rows, max(1.0, n_features), n_labels, n_rows * max(1.0, n_filled))


def _column(cells: Sequence[str], n_rows: int) -> tuple[float, float]:
    """Guess how many features a column makes, and how many of them are not 0 in a row."""
    known = [cell for cell in cells if cell]
    if all(map(_is_number, known)):
        return 1.0, 1.0
    n_words = sum(len(cell.split()) for cell in known) / len(known)
    if n_words >= 2:
        return min(float(MAX_WORDS), 8 * math.sqrt(n_rows * n_words)), 0.8 * n_words
    n_values = len(set(known))
    return (float(n_values), 1.0) if n_values < min(MOST_VALUES, len(known)) else (0.0, 0.0)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _ridge_s(size: Size) -> float:
    n, d = TRAINED_ON * size.n_rows, size.n_features
    smaller, density = min(n, d), size.n_cells / (size.n_rows * d)
    return (2 * n * d * smaller * density + smaller**3 / 3 + 2 * smaller**2 * size.n_labels) / STEPS_PER_S


def _logistic_s(size: Size) -> float:
    return size.n_labels * (2e-3 + TRAINED_ON * size.n_cells / 2e7)


def _fast_s(size: Size) -> float:
    d = size.n_features if size.n_features <= MAX_COLUMNS else N_DIRECTIONS
    n_tested = TESTED_ON * size.n_rows
    return (2 * n_tested * d**2 + d**3 / 3 + 2 * (d + n_tested) * d * size.n_labels) / STEPS_PER_S


SECONDS: dict[str, Callable[[Size], float]] = {"ridge": _ridge_s, "logistic": _logistic_s, "fast": _fast_s}
"""Seconds that one training takes, for all labels, by the model's key; as measured, to within a factor of three."""


def training_seconds(size: Size, model: str) -> float:
    """Estimate how long one training and its scoring take."""
    return SECONDS[model](size) + 1e-3 + TESTED_ON * size.n_rows * size.n_labels / 3e7


def start_seconds(size: Size, model: str) -> float:
    """Estimate how long it takes until the first model can be trained."""
    n_directions = N_DIRECTIONS if model == "fast" and size.n_features > MAX_COLUMNS else 0
    return START_S + (size.n_cells * (1 + 8 * n_directions) + 8 * size.n_rows * n_directions**2) / 2e9


def forecast_words(request: StudyRequest, n_trainings: int, n_pieces: int) -> str:
    """Say how many models are to be trained, and how long all of it takes, as far as that is known."""
    words = f"{counted(n_trainings, 'model')} to train"
    size, shape = size_of(request.chosen), shape_of(request.chosen)
    if size is None:
        return words
    seconds = start_seconds(size, request.model) + n_trainings * training_seconds(size, request.model)
    if shape is not None:
        variants = [as_variant(method) for method in request.methods]
        each = [estimate(variant.method, shape, n_pieces, variant.options).seconds for variant in variants]
        seconds += request.n_splittings * sum(found for found in each if math.isfinite(found))
    return f"{words} · {about_time(seconds)}"
