"""Train and test parts, with a validation part on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.model_selection import BaseShuffleSplit

from optisplit.errors import LabelError, OptionError
from optisplit.folds.parts import take_rows
from optisplit.methods.base import DEFAULT_METHOD
from optisplit.model_selection.base import (
    Pair,
    RandomState,
    Splitter,
    as_rng,
    balance_in,
    check_choices,
    check_count,
    check_lengths,
    check_switch,
    chosen_options,
    divide,
)
from optisplit.model_selection.sizes import PartSizes, Size
from optisplit.model_selection.targets import as_targets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.io.encoding.encode import Balance
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.rare import Rare

    Rows = NDArray[np.intp]


class MultilabelShuffleSplit(Splitter, BaseShuffleSplit):
    """Train and test parts of given sizes that have every label in the same share, drawn anew several times.

    In place of iterative-stratification's MultilabelStratifiedShuffleSplit, with the same arguments.

    - With the default method the parts have exactly the sizes that scikit-learn's ShuffleSplit would give them (with
      `groups`: as near as they allow). Rows that are in neither part have every label in the same share too.
    - No row is in both parts; both are ascending row numbers, as iterative-stratification's are.
    - A group is never divided.
    - An int `random_state` gives the same pairs at each call of split; None gives new ones; a RandomState or
      Generator is drawn from and moves on.

    Parameters
    ----------
    n_splits : int, default=10
        How often to draw, at least once.
    test_size : float or int, optional
        Share of the rows (between 0 and 1) or number of rows; default: what `train_size` leaves, or 0.1.
    train_size : float or int, optional
        The same of the train part; default: what `test_size` leaves.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state, as in scikit-learn.
    method : str, default="optisplit-sa"
        A key of :data:`optisplit.METHODS`, of a method that takes sizes; "optisplit-sa" and "random" keep to them
        exactly, the others nearly.
    measure : {"rld", "dcp", "ld"}, optional
        The score to lower, for methods that take one; default: rLD.
    effort : {"quick", "normal", "thorough"}, optional
        How long "optisplit-sa" looks for a better split; default: "quick".
    balance_pairs : bool, optional
        Also balance pairs of labels that occur together, for methods that can; default: no.
    rare : {"share", "cover", "score"}, optional
        What becomes of labels too rare for a part, for methods that can; see :func:`optisplit.split`. Default: "share".
    cover_rare : bool, optional
        Old name: True is ``rare="cover"``, False ``rare="score"``.

        .. deprecated:: 0.4.0
    balance : str, iterable of str, mapping, MultilabelDataset, DataFrame or array-like, optional
        What is balanced beside the labels: columns of X by their names, where it is a frame, as for
        :func:`optisplit.split`; or a table with as many rows as y. Default: nothing.

    Raises
    ------
    FoldAssignmentError
        If `n_splits` is no whole number of at least 1.
    OptionError
        If a size is impossible, the method or a choice is unknown, or the method cannot do what is asked for.
    TypeError
        If a switch is neither True nor False.

    References
    ----------
    As for :class:`MultilabelKFold`.

    Examples
    --------
    >>> import numpy as np
    >>> from optisplit.model_selection import MultilabelShuffleSplit
    >>> Y = np.array([[1, 0], [0, 1]] * 10)
    >>> for train, test in MultilabelShuffleSplit(2, test_size=0.3, random_state=0).split(None, Y):
    ...     print(Y[train].sum(axis=0), Y[test].sum(axis=0))
    [7 7] [3 3]
    [7 7] [3 3]
    """

    _DEFAULT_TEST_SIZE = 0.1

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Size = None,
        train_size: Size = None,
        random_state: RandomState = None,
        method: str = DEFAULT_METHOD,
        measure: Literal["rld", "dcp", "ld"] | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        balance_pairs: bool | None = None,
        rare: Rare | None = None,
        cover_rare: bool | None = None,
        balance: Any = None,
    ) -> None:
        super().__init__(n_splits=n_splits, test_size=test_size, train_size=train_size, random_state=random_state)
        self.method = method
        self.measure = measure
        self.effort = effort
        self.balance_pairs = balance_pairs
        self.rare = rare
        self.cover_rare = cover_rare
        self.balance = balance
        self._begin()

    def _check(self) -> None:
        check_count("n_splits", self.n_splits)
        check_choices(self.method, self._options(), self.random_state, with_sizes=True)
        self._sizes  # noqa: B018 - which are checked

    @property
    def _sizes(self) -> PartSizes:
        return PartSizes(self.test_size, self.train_size, None, self._DEFAULT_TEST_SIZE)

    @property
    def _n_rounds(self) -> int:
        return self.n_splits

    def _draw(
        self, targets: MultilabelDataset, rng: np.random.Generator, groups: Any, balance: Balance | None
    ) -> list[Pair]:
        sizes = self._sizes.rows(targets.n_rows)
        train, test = draw_parts(
            targets, sizes, 2, rng, method=self.method, options=self._options(), groups=groups, balance=balance
        )
        return [(np.sort(train), np.sort(test))]


def draw_parts(
    targets: MultilabelDataset,
    sizes: tuple[int, ...],
    n_parts: int,
    rng: np.random.Generator,
    *,
    method: str,
    options: dict[str, Any],
    groups: Any = None,
    balance: Balance | None = None,
) -> list[Rows]:
    """Draw parts of given sizes, with their rows in random order."""
    folds = divide(
        targets,
        len(sizes),
        rng,
        method=method,
        options=options,
        groups=groups,
        balance=balance,
        fold_sizes=np.asarray(sizes),
        n_needed=n_parts,
    )
    return [rng.permutation(np.flatnonzero(folds == part)) for part in range(n_parts)]


def train_test_split(
    *arrays: Any,
    test_size: Size = None,
    train_size: Size = None,
    validation_size: Size = None,
    random_state: RandomState = None,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
    method: str = DEFAULT_METHOD,
    measure: Literal["rld", "dcp", "ld"] | None = None,
    effort: Literal["quick", "normal", "thorough"] | None = None,
    balance_pairs: bool | None = None,
    rare: Rare | None = None,
    cover_rare: bool | None = None,
    balance: Any = None,
) -> list[Any]:
    """Split arrays into a train and a test part, and on request a validation part, with every label in each.

    As scikit-learn's function of that name, but the rows are always divided by their labels, which are the last array
    unless `stratify` is given: ``X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.2)``.

    - With the default method the parts have exactly the sizes that scikit-learn would give them (with `groups`: as
      near as they allow).
    - No row is in two parts; the rows of a part are in random order, the same in every array.
    - Arrays keep their kind: lists stay lists (tuples become lists), frames of pandas and polars, tables of Arrow,
      tensors and data sets of Hugging Face what they are; sparse ones become CSR.
    - A group is never divided.
    - An int `random_state` gives the same parts at each call.

    Parameters
    ----------
    *arrays : array-like, sparse, DataFrame, Arrow table or Hugging Face Dataset, each with n_rows rows
        What to split; at least one. The last one holds the labels, unless `stratify` does.
    test_size : float or int, optional
        Share of the rows (between 0 and 1) or number of rows; default: what the other sizes leave, or 0.25 where
        `train_size` is not given either.
    train_size : float or int, optional
        The same of the train part; default: what the other sizes leave.
    validation_size : float or int, optional
        The same of a validation part; default: there is none.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state, as in scikit-learn.
    shuffle : bool, default=True
        Must be True: parts that take rows in their order cannot be stratified.
    stratify : array-like, sparse or DataFrame of shape (n_rows, n_labels); label lists; or array-like of shape \
            (n_rows,), optional
        The labels; a class a row will do too. Default: the last of the arrays.
    groups : array-like of shape (n_rows,), optional
        Groups (patients, families, authors) that are never divided, for methods that can.
    method : str, default="optisplit-sa"
        A key of :data:`optisplit.METHODS`, of a method that takes sizes; "optisplit-sa" and "random" keep to them
        exactly, the others nearly.
    measure : {"rld", "dcp", "ld"}, optional
        The score to lower, for methods that take one; default: rLD.
    effort : {"quick", "normal", "thorough"}, optional
        How long "optisplit-sa" looks for a better split; default: "quick".
    balance_pairs : bool, optional
        Also balance pairs of labels that occur together, for methods that can; default: no.
    rare : {"share", "cover", "score"}, optional
        What becomes of labels too rare for a part, for methods that can; see :func:`optisplit.split`. Default: "share".
    cover_rare : bool, optional
        Old name: True is ``rare="cover"``, False ``rare="score"``.

        .. deprecated:: 0.4.0
    balance : str, iterable of str, mapping, MultilabelDataset, DataFrame or array-like, optional
        What is balanced beside the labels: columns of the first array by their names, where it is a frame,
        as for :func:`optisplit.split`; or a table with as many rows. Default: nothing.

    Returns
    -------
    list, of length 2 * len(arrays), or 3 * len(arrays) with `validation_size`
        For each array its train part, its validation part where there is one, and its test part.

    Raises
    ------
    ValueError
        If the arrays differ in length (scikit-learn's error).
    LabelError
        If the last array, or `stratify`, holds no labels or classes.
    OptionError
        If there is no array, the sizes cannot be had, `shuffle` is False, the method or a choice is unknown, or the
        method cannot do what is asked for.
    FoldAssignmentError
        If a part would be empty.
    TypeError
        If an array is not one, or a switch is neither True nor False.

    Warns
    -----
    SplitWarning
        If a group is larger than a part.

    References
    ----------
    As for :class:`MultilabelKFold`.

    Examples
    --------
    >>> X, Y = list(range(20)), [[1, 0], [0, 1]] * 10
    >>> X_train, X_test, Y_train, Y_test = train_test_split(X, Y, test_size=0.2, random_state=0)
    >>> len(X_train), sorted(Y_test)
    (16, [[0, 1], [0, 1], [1, 0], [1, 0]])
    >>> parts = train_test_split(X, Y, test_size=0.1, validation_size=0.1, random_state=0)
    >>> [len(part) for part in parts]
    [16, 2, 2, 16, 2, 2]
    """
    if not arrays:
        msg = "train_test_split needs at least one array; the last one holds the labels."
        raise OptionError(msg)
    check_switch("shuffle", shuffle)
    if not shuffle:
        msg = (
            "shuffle=False would take the rows in their order, which leaves nothing to balance; "
            "use scikit-learn's train_test_split for that."
        )
        raise OptionError(msg)
    given = {
        "measure": measure, "effort": effort, "balance_pairs": balance_pairs, "rare": rare, "cover_rare": cover_rare
    }  # fmt: skip
    options = chosen_options(method, given, stacklevel=2)
    check_choices(method, options if groups is None else {**options, "groups": groups}, random_state, with_sizes=True)
    wanted = PartSizes(test_size, train_size, validation_size, default=0.25)
    check_arrays(*arrays)
    targets = _targets_of(arrays, stratify)
    check_lengths(*arrays, targets.labels, groups=groups)
    n_parts = 2 if validation_size is None else 3
    parts = draw_parts(
        targets,
        wanted.rows(targets.n_rows),
        n_parts,
        as_rng(random_state),
        method=method,
        options=options,
        groups=groups,
        balance=balance_in(arrays[0], targets, balance),
    )
    return [take_rows(array, rows) for array in arrays for rows in parts]


def check_arrays(*arrays: Any) -> None:
    """Check that there is something in the place of each array."""
    if any(array is None for array in arrays):
        msg = "An array to split is None; leave it out."
        raise TypeError(msg)


def _targets_of(arrays: tuple[Any, ...], stratify: Any) -> MultilabelDataset:
    """Read the labels: what is given for them, or the last of the arrays."""
    if stratify is not None:
        return as_targets(stratify)
    try:
        return as_targets(arrays[-1])
    except LabelError as error:
        msg = f"{error}\nHint: the last array is taken for the labels; give stratify=... if they are elsewhere."
        raise LabelError(msg) from error
