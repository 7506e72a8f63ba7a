"""K-fold cross-validators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sklearn.model_selection import BaseCrossValidator

from optisplit.errors import OptionError
from optisplit.methods.base import DEFAULT_METHOD
from optisplit.model_selection.base import (
    FEWEST_SPLITS,
    RandomState,
    Splitter,
    check_choices,
    check_count,
    check_switch,
)

if TYPE_CHECKING:
    from optisplit.methods.rare import Rare

UNSHUFFLED_SEED = 0
"""Methods need a seed: this one where nothing is to be random."""


class MultilabelKFold(Splitter, BaseCrossValidator):
    """K-fold cross-validator that spreads every label evenly over the folds.

    In place of iterative-stratification's MultilabelStratifiedKFold, with the same arguments, and as scikit-learn's
    StratifiedKFold for several labels.

    - Every row is in exactly one test fold; train is all the others; both are ascending row numbers.
    - With the default method the folds' sizes differ by at most one row (with `groups`: as little as they allow).
    - A group is never divided; where the method cannot keep to groups it says so.
    - An int `random_state` gives the same folds at each call of split, those of ``optisplit.split(y, n_splits,
      effort="quick", random_state=...)``; None gives new ones; a RandomState or Generator is drawn from and moves on.
    - With ``shuffle=False`` nothing is random: the same data, the same folds.
    - Nothing that is given is changed.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    shuffle : bool, default=True
        Whether folds are drawn with `random_state`. Rows are stratified either way, and never taken in blocks.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness; only with ``shuffle=True``. None is numpy's global state, as in scikit-learn.
    method : str, default="optisplit-sa"
        A key of :data:`optisplit.METHODS`.
    measure : {"rld", "dcp", "ld"}, optional
        The score to lower, for methods that take one; default: rLD.
    effort : {"quick", "normal", "thorough"}, optional
        How long "optisplit-sa" looks for a better split; default: "quick".
    max_epochs : int, optional
        Most times that "optisplit" goes through all labels; default: 3.
    balance_pairs : bool, optional
        Also balance pairs of labels that occur together, for methods that can; default: no.
    rare : {"share", "cover", "score"}, optional
        What becomes of labels too rare for a fold, for methods that can; see :func:`optisplit.split`. Default: "share".
    cover_rare : bool, optional
        Old name: True is ``rare="cover"``, False ``rare="score"``.

        .. deprecated:: 0.4.0
    balance : str, iterable of str, mapping, MultilabelDataset, DataFrame or array-like, optional
        What is balanced beside the labels: columns of X by their names, where it is a frame, as for
        :func:`optisplit.split`; or a table with as many rows as y. Default: nothing.

    Raises
    ------
    FoldAssignmentError
        If `n_splits` is no whole number of at least 2.
    OptionError
        If `random_state` is given with ``shuffle=False`` or is none, the method or a choice is unknown, or the
        method does not take an option that was given.
    TypeError
        If a switch is neither True nor False.

    See Also
    --------
    RepeatedMultilabelKFold : The same several times.
    MultilabelShuffleSplit : Train and test parts of any size.

    Notes
    -----
    y is converted once a call of split; the time is otherwise that of the method.

    References
    ----------
    .. [1] H. Tiittanen, L. Holm, P. Törönen, "Novel split quality measures for stratified multilabel cross
       validation with application to large and sparse gene ontology datasets", Applied Computing and Intelligence,
       2022.
    .. [2] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the stratification of multi-label data", ECML PKDD 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from optisplit.model_selection import MultilabelKFold
    >>> X = np.zeros((8, 1))
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]])
    >>> for train, test in MultilabelKFold(2, random_state=0).split(X, Y):
    ...     print(Y[train].sum(axis=0), Y[test].sum(axis=0))
    [3 2] [3 2]
    [3 2] [3 2]
    """

    _OPTIONS = (*Splitter._OPTIONS, "max_epochs")

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = True,
        random_state: RandomState = None,
        method: str = DEFAULT_METHOD,
        measure: Literal["rld", "dcp", "ld"] | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        max_epochs: int | None = None,
        balance_pairs: bool | None = None,
        rare: Rare | None = None,
        cover_rare: bool | None = None,
        balance: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self.method = method
        self.measure = measure
        self.effort = effort
        self.max_epochs = max_epochs
        self.balance_pairs = balance_pairs
        self.rare = rare
        self.cover_rare = cover_rare
        self.balance = balance
        self._begin()

    def _check(self) -> None:
        check_count("n_splits", self.n_splits, FEWEST_SPLITS)
        check_switch("shuffle", self.shuffle)
        if not self.shuffle and self.random_state is not None:
            msg = (
                f"random_state={self.random_state!r} has no effect with shuffle=False; leave random_state out, or set "
                "shuffle=True."
            )
            raise OptionError(msg)
        check_choices(self.method, self._options(), self.random_state)

    @property
    def _source(self) -> RandomState:
        return self.random_state if self.shuffle else UNSHUFFLED_SEED


class RepeatedMultilabelKFold(Splitter, BaseCrossValidator):
    """Repeat :class:`MultilabelKFold`, each time with other folds.

    In place of iterative-stratification's RepeatedMultilabelStratifiedKFold, with the same arguments.

    - There are ``n_splits * n_repeats`` pairs; those of one repeat test every row once.
    - An int `random_state` gives the same pairs at each call of split, and its first repeat is what MultilabelKFold
      makes of it; None gives new ones; a RandomState or Generator is drawn from and moves on.
    - y is converted once, and each repeat computed when its first pair is asked for.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2.
    n_repeats : int, default=10
        How often, at least once.
    random_state : int, Generator, RandomState or None, default=None
        Seed or source of randomness. None is numpy's global state, as in scikit-learn.
    method, measure, effort, max_epochs, balance_pairs, rare, cover_rare, balance : optional
        As for :class:`MultilabelKFold`.

    Raises
    ------
    FoldAssignmentError
        If `n_splits` or `n_repeats` is not possible.
    OptionError, TypeError
        As from :class:`MultilabelKFold`.

    References
    ----------
    As for :class:`MultilabelKFold`.

    Examples
    --------
    >>> from optisplit.model_selection import RepeatedMultilabelKFold
    >>> Y = [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]]
    >>> pairs = list(RepeatedMultilabelKFold(2, n_repeats=3, random_state=0).split(None, Y))
    >>> len(pairs), sorted([*pairs[0][1].tolist(), *pairs[1][1].tolist()])
    (6, [0, 1, 2, 3, 4, 5])
    """

    _OPTIONS = MultilabelKFold._OPTIONS

    def __init__(
        self,
        n_splits: int = 5,
        *,
        n_repeats: int = 10,
        random_state: RandomState = None,
        method: str = DEFAULT_METHOD,
        measure: Literal["rld", "dcp", "ld"] | None = None,
        effort: Literal["quick", "normal", "thorough"] | None = None,
        max_epochs: int | None = None,
        balance_pairs: bool | None = None,
        rare: Rare | None = None,
        cover_rare: bool | None = None,
        balance: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.method = method
        self.measure = measure
        self.effort = effort
        self.max_epochs = max_epochs
        self.balance_pairs = balance_pairs
        self.rare = rare
        self.cover_rare = cover_rare
        self.balance = balance
        self._begin()

    def _check(self) -> None:
        check_count("n_splits", self.n_splits, FEWEST_SPLITS)
        check_count("n_repeats", self.n_repeats)
        check_choices(self.method, self._options(), self.random_state)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Tell how many pairs there are.

        Parameters
        ----------
        X, y, groups : object
            Not looked at.

        Returns
        -------
        int
            ``n_splits * n_repeats``.
        """
        return self.n_splits * self.n_repeats

    @property
    def _n_rounds(self) -> int:
        return self.n_repeats
