"""Split multilabel data into folds, and measure how good a split is.

The names below are the public API; everything heavy is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from optisplit.data import MultilabelDataset
    from optisplit.errors import OptisplitError
    from optisplit.experiment import ComparisonResult, compare
    from optisplit.labels import as_labels
    from optisplit.measures import Report, evaluate
    from optisplit.methods import METHODS, split
    from optisplit.samples import SAMPLES, load

__version__ = "0.1.0"

__all__ = [
    "METHODS",
    "SAMPLES",
    "ComparisonResult",
    "MultilabelDataset",
    "OptisplitError",
    "Report",
    "as_labels",
    "compare",
    "evaluate",
    "load",
    "split",
]

_HOME = {
    "METHODS": "methods",
    "SAMPLES": "samples",
    "ComparisonResult": "experiment",
    "MultilabelDataset": "data",
    "OptisplitError": "errors",
    "Report": "measures",
    "as_labels": "labels",
    "compare": "experiment",
    "evaluate": "measures",
    "load": "samples",
    "split": "methods",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
