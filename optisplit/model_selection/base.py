"""What the cross-validators have in common: parameters, the method that they run, randomness, groups."""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from sklearn.utils import check_consistent_length, check_random_state

from optisplit.errors import FoldAssignmentError, OptionError, SplitWarning
from optisplit.folds.arrays import check_n_splits, train_test_pairs
from optisplit.folds.constraints import as_groups
from optisplit.io.encoding.encode import Balance
from optisplit.methods import METHODS, get_method
from optisplit.methods.api import as_generator, split
from optisplit.methods.rare import in_todays_words
from optisplit.model_selection.targets import as_targets
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset

Pair: TypeAlias = "tuple[NDArray[np.intp], NDArray[np.intp]]"

RandomState: TypeAlias = int | np.random.Generator | np.random.RandomState | None
"""What `random_state` may be."""

FEWEST_SPLITS = 2

DEFAULT_EFFORT = "quick"

_ONE_GROUP = (
    "All {} are in one group, as lightgbm.cv and catboost.cv call every splitter: this is taken as no groups, and rows "
    "are divided one by one.\nHint: folds=list(cv.split(X, y)) in place of folds=cv does the same without this warning."
)


def as_rng(random_state: RandomState) -> np.random.Generator:
    """Make the generator of one call of split: an int gives the same each time, None is numpy's global state."""
    return as_generator(check_random_state(None) if _is_numpys(random_state) else random_state)


def _is_numpys(random_state: object) -> bool:
    """Tell whether numpy's global state is meant: scikit-learn takes None and the module itself for it."""
    return random_state is None or random_state is np.random


def check_choices(
    method: str, options: dict[str, Any], random_state: RandomState = None, *, with_sizes: bool = False
) -> None:
    """Check everything that does not depend on data."""
    chosen = get_method(method)
    if with_sizes and "fold_sizes" not in chosen.options:
        able = ", ".join(repr(each.key) for each in METHODS.values() if "fold_sizes" in each.options)
        msg = f"Method {method!r} makes only equal folds, not a train and a test part; these methods do: {able}."
        raise OptionError(msg)
    chosen.check_options(options)
    check_switch("balance_pairs", options.get("balance_pairs", False))
    if not isinstance(random_state, np.random.Generator | np.random.RandomState) and not _is_numpys(random_state):
        as_generator(random_state)


def chosen_options(method: str, given: dict[str, Any], *, stacklevel: int | None = None) -> dict[str, Any]:
    """Choose the options that a method is run with; little effort by default, since these are called often."""
    options = {name: value for name, value in given.items() if value is not None}
    options = in_todays_words(options, stacklevel=None if stacklevel is None else stacklevel + 1)
    if "effort" not in options and "effort" in get_method(method).options:
        options["effort"] = DEFAULT_EFFORT
    return options


def check_switch(name: str, value: object) -> None:
    """Check what is to be True or False."""
    if not isinstance(value, bool | np.bool_):
        msg = f"{name} must be True or False; got {value!r}."
        raise TypeError(msg)


def check_count(name: str, value: int, least: int = 1) -> None:
    """Check a number of splits or repeats."""
    if least == FEWEST_SPLITS:
        check_n_splits(value, sys.maxsize)
    elif isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        msg = f"{name} must be a whole number of at least {least}, got {value!r}."
        raise FoldAssignmentError(msg)


def divide(
    targets: MultilabelDataset,
    n_parts: int,
    rng: np.random.Generator,
    *,
    method: str,
    options: dict[str, Any],
    groups: Any = None,
    balance: Balance | None = None,
    fold_sizes: Any = None,
    n_needed: int | None = None,
) -> FoldArray:
    """Run the method, and see that no part came out empty, which scikit-learn would trip over much later."""
    given = {"groups": groups, "balance": balance, "fold_sizes": fold_sizes}
    folds = split(targets, n_parts, method=method, **given, random_state=rng, **options)
    is_empty = np.bincount(folds, minlength=n_parts)[:n_needed] == 0
    if is_empty.any():
        part = int(np.argmax(is_empty))
        why = "whole groups do not reach" if groups is not None else f"{method!r} draws sizes too"
        msg = f"Part {part} of {len(is_empty)} came out without rows: {why}; use fewer or larger parts."
        raise FoldAssignmentError(msg)
    return folds


def check_lengths(*arrays: Any, groups: Any) -> None:
    """Check that there are as many rows everywhere; groups may be a column's name or a file too."""
    check_consistent_length(*arrays, None if isinstance(groups, str | os.PathLike) else groups)


def balance_in(X: Any, targets: MultilabelDataset, balance: Any) -> Balance | None:
    """Find what is to be balanced beside the labels: names are those of columns of X where it has any."""
    return Balance.of(targets, balance, X if hasattr(X, "columns") else None)


def _is_one_group(groups: Any, n_rows: int) -> bool:
    """Tell whether all rows are in one group."""
    if n_rows == 1 or isinstance(groups, str | os.PathLike):
        return False
    values = np.asarray(groups).reshape(-1)
    if str(values[0]) != str(values[-1]):  # as nearly always, so that long columns need not be read twice
        return False
    return len(as_groups(groups, n_rows)[1]) == 1


class Splitter:
    """The common part of the cross-validators; not to be used itself."""

    # scikit-learn's documented place for what `split` takes by metadata routing: groups, unless told otherwise
    __metadata_request__split: ClassVar[dict[str, bool]] = {"groups": True}

    _OPTIONS: ClassVar[tuple[str, ...]] = ("measure", "effort", "balance_pairs", "rare", "cover_rare")

    n_splits: int
    random_state: RandomState
    method: str
    balance: Any = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Get the parameters, as scikit-learn's estimators give theirs.

        Parameters
        ----------
        deep : bool, default=True
            Makes no difference: no parameter has parameters of its own.

        Returns
        -------
        dict
            Values by name, as they were given.
        """
        names = list(inspect.signature(type(self)).parameters)
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params: Any) -> Self:
        """Set parameters; nothing changes where one of them is not possible.

        Parameters
        ----------
        **params : object
            New values by name.

        Returns
        -------
        Splitter
            The cross-validator itself.

        Raises
        ------
        OptionError
            If there is no parameter of a name, or as from the class itself.
        """
        known = self.get_params()
        for name in params:
            if name not in known:
                what = f"parameter of {type(self).__name__}"
                raise OptionError.unknown(what, name, known)
        type(self)(**{**known, **params})  # which checks them
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[Pair]:
        """Divide the rows by their labels, and hand out pairs of index arrays.

        Parameters
        ----------
        X : array-like, sparse or DataFrame of shape (n_rows, n_features), or None
            Only its number of rows matters, and the columns of it that are to be balanced.
        y : array-like, sparse or DataFrame of shape (n_rows, n_labels); label lists; or array-like of shape (n_rows,)
            As :func:`optisplit.as_labels` takes them; or a class a row, each of them a label. Texts that may be lists
            of labels, such as ``"7 12"``, are no classes.
        groups : array-like of shape (n_rows,) or (n_rows, 1), optional
            Groups (patients, families, authors) that are never divided. One group for all rows, as lightgbm.cv and
            catboost.cv give it where there are no groups, is taken as none.

        Returns
        -------
        iterator of (train, test)
            As many pairs of index arrays, ndarray of int, as ``get_n_splits()`` says.

        Raises
        ------
        ValueError
            If X, y and groups differ in length (scikit-learn's error).
        LabelError
            If y is no labels or classes.
        FoldAssignmentError
            If there are fewer rows than folds, or a fold or part would be empty.
        OptionError
            If the method cannot keep groups whole, a row has no group, the sizes cannot be had of so many rows, or a
            column cannot be balanced.

        Warns
        -----
        SplitWarning
            If a group is larger than a fold, or all rows are in one.
        """
        self._check()
        targets, groups = self._given(X, y, groups)
        given, rng = (groups, balance_in(X, targets, self.balance)), as_rng(self._source)
        first = self._draw(targets, rng, *given)  # now, so that what does not fit is said now
        return chain(first, chain.from_iterable(self._draw(targets, rng, *given) for _ in range(1, self._n_rounds)))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Tell how many pairs of train and test rows there are.

        Parameters
        ----------
        X, y, groups : object
            Not looked at.

        Returns
        -------
        int
            Their number.
        """
        return self.n_splits

    def _begin(self) -> None:
        """Check the parameters as they are given, the one time that old names are warned of."""
        chosen_options(self.method, {name: getattr(self, name) for name in self._OPTIONS}, stacklevel=3)
        self._check()

    def _check(self) -> None:
        """Check the parameters; nothing here, which every class adds to."""

    @property
    def _source(self) -> RandomState:
        return self.random_state

    @property
    def _n_rounds(self) -> int:
        """How often rows are divided."""
        return 1

    def _draw(
        self, targets: MultilabelDataset, rng: np.random.Generator, groups: Any, balance: Balance | None
    ) -> Iterable[Pair]:
        """Divide the rows once; here into folds, each the test part of one pair."""
        folds = divide(
            targets, self.n_splits, rng, method=self.method, options=self._options(), groups=groups, balance=balance
        )
        return train_test_pairs(folds, self.n_splits)

    def _options(self) -> dict[str, Any]:
        return chosen_options(self.method, {name: getattr(self, name) for name in self._OPTIONS})

    def _given(self, X: Any, y: Any, groups: Any) -> tuple[MultilabelDataset, Any]:
        """Check what a call of split was given; y is converted here, once a call."""
        targets = as_targets(y)
        check_lengths(X, targets.labels, groups=groups)
        if groups is None:
            return targets, None
        if _is_one_group(groups, targets.n_rows):
            warnings.warn(_ONE_GROUP.format(counted(targets.n_rows, "row")), SplitWarning, stacklevel=3)
            return targets, None
        get_method(self.method).check_options({"groups": groups})
        return targets, groups
