"""Cross-validators and a train/test split for scikit-learn, over every splitting method.

Use them wherever scikit-learn takes ``cv=``: as its own classes, they yield pairs of index arrays.
"""

from __future__ import annotations

from optisplit.model_selection.aliases import MultilabelStratifiedKFold as MultilabelStratifiedKFold
from optisplit.model_selection.aliases import MultilabelStratifiedShuffleSplit as MultilabelStratifiedShuffleSplit
from optisplit.model_selection.aliases import RepeatedMultilabelStratifiedKFold as RepeatedMultilabelStratifiedKFold
from optisplit.model_selection.aliases import iterative_train_test_split as iterative_train_test_split
from optisplit.model_selection.holdout import MultilabelShuffleSplit, train_test_split
from optisplit.model_selection.kfold import MultilabelKFold, RepeatedMultilabelKFold

# the peers' names belong to the package itself, which documents them
__all__ = ["MultilabelKFold", "MultilabelShuffleSplit", "RepeatedMultilabelKFold", "train_test_split"]
