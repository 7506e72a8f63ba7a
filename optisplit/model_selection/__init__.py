"""Cross-validators and a train/test split for scikit-learn, over every splitting method.

Use them wherever scikit-learn takes ``cv=``: as its own classes, they yield pairs of index arrays.
"""

from __future__ import annotations

from optisplit.model_selection.aliases import (
    MultilabelStratifiedKFold,
    MultilabelStratifiedShuffleSplit,
    RepeatedMultilabelStratifiedKFold,
    iterative_train_test_split,
)
from optisplit.model_selection.holdout import MultilabelShuffleSplit, train_test_split
from optisplit.model_selection.kfold import MultilabelKFold, RepeatedMultilabelKFold

__all__ = [
    "MultilabelKFold",
    "MultilabelShuffleSplit",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "RepeatedMultilabelKFold",
    "RepeatedMultilabelStratifiedKFold",
    "iterative_train_test_split",
    "train_test_split",
]
