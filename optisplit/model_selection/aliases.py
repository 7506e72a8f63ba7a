"""Names of iterative-stratification and scikit-multilearn, with their arguments: only the import changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.folds.parts import take_rows
from optisplit.methods.base import DEFAULT_METHOD
from optisplit.model_selection.holdout import MultilabelShuffleSplit, check_arrays
from optisplit.model_selection.kfold import MultilabelKFold, RepeatedMultilabelKFold

if TYPE_CHECKING:
    from optisplit.model_selection.base import RandomState
    from optisplit.model_selection.sizes import Size


class MultilabelStratifiedKFold(MultilabelKFold):
    """``MultilabelKFold`` under iterative-stratification's name, with its arguments and defaults.

    Parameters
    ----------
    n_splits : int, default=3
        Number of folds, at least 2.
    shuffle : bool, default=False
        Whether folds are drawn with `random_state`. Rows are stratified either way, and without it nothing is random.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness; only with ``shuffle=True``. None is numpy's global state.

    Raises
    ------
    FoldAssignmentError, OptionError, TypeError
        As from :class:`~optisplit.model_selection.MultilabelKFold`.

    See Also
    --------
    optisplit.model_selection.MultilabelKFold : The same with a choice of methods, measures and effort.

    Examples
    --------
    >>> from optisplit import MultilabelStratifiedKFold
    >>> Y = [[0, 0], [0, 0], [0, 1], [0, 1], [1, 1], [1, 1], [1, 0], [1, 0]]
    >>> for train, test in MultilabelStratifiedKFold(n_splits=2, shuffle=True, random_state=0).split(Y, Y):
    ...     print(sorted(Y[row] for row in test))
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """

    _OPTIONS = ()
    method = DEFAULT_METHOD

    def __init__(self, n_splits: int = 3, *, shuffle: bool = False, random_state: RandomState = None) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self._check()


class RepeatedMultilabelStratifiedKFold(RepeatedMultilabelKFold):
    """``RepeatedMultilabelKFold`` under iterative-stratification's name, with its arguments.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    n_repeats : int, default=10
        How often, at least once.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state.

    Raises
    ------
    FoldAssignmentError, OptionError
        As from :class:`~optisplit.model_selection.RepeatedMultilabelKFold`.

    See Also
    --------
    optisplit.model_selection.RepeatedMultilabelKFold : The same with a choice of methods, measures and effort.

    Examples
    --------
    >>> from optisplit import RepeatedMultilabelStratifiedKFold
    >>> RepeatedMultilabelStratifiedKFold(n_splits=2, n_repeats=3, random_state=0).get_n_splits()
    6
    """

    _OPTIONS = ()
    method = DEFAULT_METHOD

    def __init__(self, n_splits: int = 5, *, n_repeats: int = 10, random_state: RandomState = None) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.random_state = random_state
        self._check()


class MultilabelStratifiedShuffleSplit(MultilabelShuffleSplit):
    """``MultilabelShuffleSplit`` under iterative-stratification's name, with its arguments.

    Parameters
    ----------
    n_splits : int, default=10
        How often to draw, at least once.
    test_size : float or int, optional
        Share of the rows (between 0 and 1) or number of rows; default: what `train_size` leaves, or 0.1.
    train_size : float or int, optional
        The same of the train part; default: what `test_size` leaves.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state.

    Raises
    ------
    FoldAssignmentError, OptionError
        As from :class:`~optisplit.model_selection.MultilabelShuffleSplit`.

    See Also
    --------
    optisplit.model_selection.MultilabelShuffleSplit : The same with a choice of methods, measures and effort.

    Examples
    --------
    >>> from optisplit import MultilabelStratifiedShuffleSplit
    >>> Y = [[1, 0], [0, 1]] * 10
    >>> for train, test in MultilabelStratifiedShuffleSplit(n_splits=2, test_size=0.3, random_state=0).split(Y, Y):
    ...     print(len(train), sorted(Y[row] for row in test))
    14 [[0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    14 [[0, 1], [0, 1], [0, 1], [1, 0], [1, 0], [1, 0]]
    """

    _OPTIONS = ()
    method = DEFAULT_METHOD

    def __init__(
        self, n_splits: int = 10, *, test_size: Size = None, train_size: Size = None, random_state: RandomState = None
    ) -> None:
        self.n_splits = n_splits
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state
        self._check()


def iterative_train_test_split(X: Any, y: Any, test_size: Size, random_state: RandomState = None) -> tuple[Any, ...]:
    """Split features and labels into a train and a test part, in scikit-multilearn's order: X, y, X, y.

    As its function of that name; the parts have exactly the sizes that scikit-learn would give them, and their rows
    are in the order that they had.

    Parameters
    ----------
    X : array-like, sparse or DataFrame of shape (n_rows, n_features), or whatever else holds rows
        The features, or what else is to be divided.
    y : array-like, sparse or DataFrame of shape (n_rows, n_labels); label lists; or array-like of shape (n_rows,)
        The labels, as :func:`~optisplit.model_selection.train_test_split` takes them.
    test_size : float or int
        Share of the rows (between 0 and 1) or number of rows.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state.

    Returns
    -------
    X_train, y_train, X_test, y_test : as X and y
        Not the order of scikit-learn's ``X_train, X_test, y_train, y_test``.

    Raises
    ------
    ValueError
        If X and y differ in length (scikit-learn's error).
    LabelError
        If y holds no labels or classes.
    OptionError
        If the size cannot be had.
    TypeError
        If X or y is None.

    See Also
    --------
    optisplit.model_selection.train_test_split : Any number of arrays, in scikit-learn's order.

    Examples
    --------
    >>> X, Y = list(range(20)), [[1, 0], [0, 1]] * 10
    >>> X_train, y_train, X_test, y_test = iterative_train_test_split(X, Y, test_size=0.2, random_state=0)
    >>> len(X_train), len(y_train), sorted(y_test)
    (16, 16, [[0, 1], [0, 1], [1, 0], [1, 0]])
    """
    check_arrays(X, y)
    train, test = next(MultilabelShuffleSplit(1, test_size=test_size, random_state=random_state).split(X, y))
    return take_rows(X, train), take_rows(y, train), take_rows(X, test), take_rows(y, test)
