"""Split multilabel data into folds, and measure how good a split is.

The names below are the public API; everything heavy is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from optisplit.absences import find_absences
    from optisplit.checks import check_split
    from optisplit.constraints import FREE
    from optisplit.data import MultilabelDataset
    from optisplit.errors import OptisplitError, SplitWarning
    from optisplit.experiment import ComparisonResult, compare
    from optisplit.labels import as_labels
    from optisplit.measures import Report, evaluate
    from optisplit.methods import METHODS, split
    from optisplit.methods.costs import estimate_times
    from optisplit.pairs import label_pairs
    from optisplit.recipes import Recipe, make_recipe
    from optisplit.repairs import Repair, repair
    from optisplit.samples import SAMPLES, load
    from optisplit.split_files import read_split
    from optisplit.writers import save, save_split

__version__ = "0.3.0"

__all__ = [
    "FREE",
    "METHODS",
    "SAMPLES",
    "ComparisonResult",
    "MultilabelDataset",
    "OptisplitError",
    "Recipe",
    "Repair",
    "Report",
    "SplitWarning",
    "as_labels",
    "check_split",
    "compare",
    "estimate_times",
    "evaluate",
    "find_absences",
    "label_pairs",
    "load",
    "make_recipe",
    "read_split",
    "repair",
    "save",
    "save_split",
    "split",
]

_HOME = {
    "FREE": "constraints",
    "METHODS": "methods",
    "SAMPLES": "samples",
    "ComparisonResult": "experiment",
    "MultilabelDataset": "data",
    "OptisplitError": "errors",
    "Recipe": "recipes",
    "Repair": "repairs",
    "Report": "measures",
    "SplitWarning": "errors",
    "as_labels": "labels",
    "check_split": "checks",
    "compare": "experiment",
    "estimate_times": "methods.costs",
    "evaluate": "measures",
    "find_absences": "absences",
    "label_pairs": "pairs",
    "load": "samples",
    "make_recipe": "recipes",
    "read_split": "split_files",
    "repair": "repairs",
    "save": "writers",
    "save_split": "writers",
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
