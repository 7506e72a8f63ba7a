from __future__ import annotations

import inspect
import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
import sklearn.model_selection as sk
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import StackingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - importing it is what enables
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import HalvingGridSearchCV
from sklearn.tree import DecisionTreeClassifier

import optisplit
from optisplit.errors import FoldAssignmentError, LabelError, OptionError, SplitWarning
from optisplit.model_selection import MultilabelKFold, MultilabelShuffleSplit, RepeatedMultilabelKFold, train_test_split
from optisplit.model_selection.holdout import take_rows
from optisplit.model_selection.sizes import PartSizes
from optisplit.model_selection.targets import as_targets

ROOT = Path(__file__).parents[2]
RNG = np.random.default_rng(7)
N = 60
Y = (RNG.random((N, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(int)
X = RNG.normal(size=(N, 3)) + Y[:, :3]
NAMES = [["abcd"[label] for label in np.flatnonzero(row)] for row in Y]
CLASSES = np.array(["a", "b", "c"])[RNG.integers(0, 3, N)]
GROUPS = np.arange(N) // 4
QUICK = {"effort": "quick"}
TREE = DecisionTreeClassifier(random_state=0, max_depth=3)
SPLITTERS = {
    "kfold": lambda **given: MultilabelKFold(3, **{**QUICK, **given}),
    "repeated": lambda **given: RepeatedMultilabelKFold(3, n_repeats=2, **{**QUICK, **given}),
    "shuffle": lambda **given: MultilabelShuffleSplit(4, test_size=0.25, **{**QUICK, **given}),
}
EACH = pytest.mark.parametrize("make", SPLITTERS.values(), ids=SPLITTERS.keys())


def listed(splitter, *given, **named):
    return [(train.tolist(), test.tolist()) for train, test in splitter.split(*given, **named)]


# --- what the docstrings guarantee --------------------------------------------------------------


@pytest.mark.parametrize("n_rows", [60, 59])
@pytest.mark.parametrize("n_splits", [2, 4])
def test_each_row_is_in_one_test_fold_and_sizes_differ_by_one(n_rows, n_splits):
    pairs = list(MultilabelKFold(n_splits, random_state=1, **QUICK).split(X[:n_rows], Y[:n_rows]))
    assert len(pairs) == n_splits
    np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in pairs])), np.arange(n_rows))
    for train, test in pairs:
        assert train.dtype == test.dtype == np.intp
        np.testing.assert_array_equal(np.setdiff1d(np.arange(n_rows), test), train)
        assert (np.diff(test) > 0).all()
        assert len(test) in (n_rows // n_splits, -(-n_rows // n_splits))


def test_folds_are_those_of_split():
    folds = optisplit.split(Y, 5, random_state=3, measure="dcp", effort="quick")
    pairs = MultilabelKFold(5, random_state=3, measure="dcp").split(X, Y)
    assert [test.tolist() for _, test in pairs] == [np.flatnonzero(folds == fold).tolist() for fold in range(5)]


@EACH
def test_an_int_gives_the_same_pairs_at_each_call(make):
    splitter = make(random_state=0)
    assert listed(splitter, X, Y) == listed(splitter, X, Y) == listed(make(random_state=0), X, Y)
    assert listed(splitter, X, Y) != listed(make(random_state=1), X, Y)


@EACH
@pytest.mark.parametrize("source", [np.random.RandomState, np.random.default_rng])
def test_an_instance_is_drawn_from_and_moves_on(make, source):
    splitter = make(random_state=source(5))
    first, second = listed(splitter, X, Y), listed(splitter, X, Y)
    assert first != second
    again = make(random_state=source(5))
    assert [listed(again, X, Y), listed(again, X, Y)] == [first, second]


@EACH
def test_none_is_numpys_global_state(make):
    splitter = make()
    state = np.random.get_state()  # noqa: NPY002
    try:
        np.random.seed(11)  # noqa: NPY002
        first, second = listed(splitter, X, Y), listed(splitter, X, Y)
        assert first != second
        np.random.seed(11)  # noqa: NPY002
        assert listed(make(random_state=np.random), X, Y) == first
    finally:
        np.random.set_state(state)  # noqa: NPY002


def test_without_shuffle_nothing_is_random():
    assert listed(MultilabelKFold(3, shuffle=False), X, Y) == listed(MultilabelKFold(3, shuffle=False), X, Y)
    assert listed(MultilabelKFold(3, shuffle=False), X, Y) == listed(MultilabelKFold(3, random_state=0), X, Y)


def test_nothing_given_is_changed():
    given = sp.csr_matrix(Y)
    x, y, kept = X.copy(), Y.copy(), given.copy()
    listed(MultilabelKFold(3, **QUICK), x, y, GROUPS)
    train_test_split(x, given, **QUICK)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(y, Y)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(given, part), getattr(kept, part))


def test_repeats_are_kfolds_and_the_first_is_that_of_the_seed():
    pairs = listed(RepeatedMultilabelKFold(3, n_repeats=4, random_state=2, **QUICK), X, Y)
    assert len(pairs) == 12
    assert pairs[:3] == listed(MultilabelKFold(3, random_state=2, **QUICK), X, Y)
    for start in range(0, 12, 3):
        assert sorted(row for _, test in pairs[start : start + 3] for row in test) == list(range(N))
    assert len({json.dumps(pairs[start]) for start in range(0, 12, 3)}) == 4


def test_repeats_are_computed_when_asked_for_and_y_converted_once(monkeypatch):
    from optisplit.model_selection import base

    calls = {"split": 0, "as_targets": 0}

    def counted(name):
        function = getattr(base, name)

        def call(*given, **named):
            calls[name] += 1
            return function(*given, **named)

        monkeypatch.setattr(base, name, call)

    counted("split")
    counted("as_targets")
    pairs = RepeatedMultilabelKFold(3, n_repeats=5, random_state=0, **QUICK).split(X, Y)
    assert calls == {"split": 1, "as_targets": 1}
    assert len(list(pairs)) == 15
    assert calls == {"split": 5, "as_targets": 1}


@pytest.mark.parametrize(
    ("test_size", "train_size"), [(None, None), (0.25, None), (7, None), (None, 0.7), (0.2, 0.5), (11, 0.33), (5, 9)]
)
@pytest.mark.parametrize("n_rows", [60, 57])
def test_parts_have_scikit_learns_sizes(test_size, train_size, n_rows):
    sizes = {"test_size": test_size, "train_size": train_size}
    [(train, test)] = MultilabelShuffleSplit(1, **sizes, random_state=0, **QUICK).split(None, Y[:n_rows])
    [(theirs, tested)] = sk.ShuffleSplit(1, **sizes).split(Y[:n_rows])
    assert (len(train), len(test)) == (len(theirs), len(tested))
    assert len(np.unique([*train, *test])) == len(train) + len(test)
    ours = [len(part) for part in train_test_split(X[:n_rows], Y[:n_rows], **sizes, **QUICK)]
    assert ours == [len(part) for part in sk.train_test_split(X[:n_rows], Y[:n_rows], **sizes)]


def test_parts_are_ascending_and_balanced_beside_rows_in_neither():
    y = np.repeat([[1, 0], [0, 1]], 30, axis=0)
    [(train, test)] = MultilabelShuffleSplit(1, train_size=0.5, test_size=0.2, random_state=0, **QUICK).split(None, y)
    assert y[train].sum(axis=0).tolist() == [15, 15]
    assert y[test].sum(axis=0).tolist() == [6, 6]
    assert (np.diff(train) > 0).all()
    assert (np.diff(test) > 0).all()


def test_rows_of_train_test_split_are_in_random_order_as_scikit_learns():
    rows = train_test_split(np.arange(N), stratify=Y, random_state=0, **QUICK)
    [pair] = MultilabelShuffleSplit(1, test_size=0.25, random_state=0, **QUICK).split(None, Y)
    for part, ascending in zip(rows, pair, strict=True):
        assert (np.diff(part) < 0).any()
        np.testing.assert_array_equal(np.sort(part), ascending)


# --- train_test_split ----------------------------------------------------------------------------


def test_arrays_keep_their_kind_and_their_rows_together():
    pa = pytest.importorskip("pyarrow")
    numbers = list(range(N))
    frame = pd.DataFrame({"x": numbers}, index=[f"r{row}" for row in numbers])
    arrays = (
        np.array(numbers), numbers, tuple(numbers), frame, frame["x"], sp.csc_matrix(np.array([numbers]).T),
        sp.coo_array(np.array([numbers]).T), pa.table({"x": numbers}), pd.DataFrame(Y),
    )  # fmt: skip
    parts = train_test_split(*arrays, test_size=20, random_state=0, **QUICK)
    assert len(parts) == 18
    kinds = [type(part).__name__ for part in parts[1::2]]
    assert kinds == [
        "ndarray", "list", "list", "DataFrame", "Series", "csr_matrix", "csr_array", "Table", "DataFrame"
    ]  # fmt: skip
    assert sorted([*parts[0], *parts[1]]) == numbers
    rows = parts[1].tolist()
    assert parts[3] == parts[5] == rows
    assert parts[7].index.tolist() == [f"r{row}" for row in rows]
    assert parts[9].tolist() == parts[11].toarray().ravel().tolist() == parts[13].toarray().ravel().tolist() == rows
    assert parts[15].column("x").to_pylist() == rows
    np.testing.assert_array_equal(parts[17], Y[rows])


def test_the_last_array_holds_the_labels_unless_stratify_does():
    by_last = train_test_split(X, Y, random_state=0, **QUICK)
    given = train_test_split(Y, X, random_state=0, stratify=Y, **QUICK)
    np.testing.assert_array_equal(by_last[1], given[3])
    for part in (by_last[3], given[1]):
        np.testing.assert_allclose(part.mean(axis=0), Y.mean(axis=0), atol=1 / 15)
    assert len(train_test_split(Y, test_size=5, **QUICK)) == 2


def test_a_validation_part_on_request():
    parts = train_test_split(X, Y, test_size=0.2, validation_size=0.1, random_state=0, **QUICK)
    assert [len(part) for part in parts] == [42, 6, 12] * 2
    np.testing.assert_array_equal(np.sort(np.concatenate(parts[:3]), axis=0), np.sort(X, axis=0))


@pytest.mark.parametrize(
    ("sizes", "n_rows", "rows"),
    [
        ((0.2, 0.6, 0.2), 7, (3, 2, 2)),
        ((0.1, 0.8, 0.1), 100, (80, 10, 10)),
        ((0.1, 0.1, 0.1), 100, (10, 10, 10, 70)),
        ((None, 0.5, 0.25), 8, (4, 2, 2)),
        ((None, None, 3), 12, (6, 3, 3)),
        ((2, 3, 4), 9, (3, 4, 2)),
        ((None, 6, None), 9, (6, 3)),
    ],
)
def test_sizes_in_rows(sizes, n_rows, rows):
    test, train, validation = sizes
    assert PartSizes(test, train, validation, default=0.25).rows(n_rows) == rows


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: train_test_split(), "needs at least one array"),
        (lambda: train_test_split(X, Y, shuffle=False), "use scikit-learn's train_test_split"),
        (lambda: train_test_split(X, Y, test_size=1.5), r"test_size=1\.5 must be a share above 0 and below 1"),
        (lambda: train_test_split(X, Y, test_size=0), "test_size=0 must be"),
        (lambda: train_test_split(X, Y, validation_size="0.1"), "validation_size='0.1' must be"),
        (lambda: train_test_split(X, Y, train_size=True), "train_size=True must be"),
        (lambda: train_test_split(X, Y, test_size=float("nan")), "test_size=nan must be"),
        (lambda: train_test_split(X, Y, test_size=0.5, train_size=0.75), r"is 1\.25, more than all rows"),
        (lambda: train_test_split(X, Y, test_size=40, train_size=30), "they ask for 70 rows"),
        (lambda: train_test_split(X, Y, test_size=60), "a part would be empty"),
        (lambda: train_test_split(X, Y, validation_size=0.8), "a part would be empty"),
        (lambda: train_test_split(X, Y, method="pmbsrs"), "these methods do: 'random', 'is', 'sois', 'ss', 'opti"),
        (lambda: train_test_split(X, Y, method="is", groups=GROUPS), "these methods do: 'random', 'optisplit-sa'"),
        (lambda: MultilabelShuffleSplit(method="iterstrat"), "these methods do: 'random'"),
        (lambda: MultilabelShuffleSplit(train_size=2.0), r"train_size=2\.0 must be"),
        (lambda: MultilabelKFold(method="optisplit-as"), "did you mean 'optisplit-sa'"),
        (lambda: MultilabelKFold(method="ss", measure="rld"), "these methods do: 'optisplit', 'optisplit-sa'"),
        (lambda: MultilabelKFold(measure="rdl"), "did you mean 'rld'"),
        (lambda: MultilabelKFold(effort="quik"), "did you mean 'quick'"),
        (lambda: MultilabelKFold(method="optisplit", max_epochs=0), "max_epochs must be a whole number"),
        (lambda: MultilabelKFold(shuffle=False, random_state=0), "has no effect with shuffle=False"),
        (lambda: MultilabelKFold(random_state=-1), "random_state must be a whole number from 0"),
        (lambda: RepeatedMultilabelKFold(random_state="0"), "random_state must be a whole number from 0"),
        (lambda: MultilabelKFold(3, method="is").split(X, Y, GROUPS), "these methods do: 'random', 'optisplit-sa'"),
        (lambda: MultilabelKFold(3).set_params(n_split=4), "did you mean 'n_splits'"),
    ],
)
def test_impossible_choices_are_refused_at_the_call(call, message):
    with pytest.raises(OptionError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultilabelKFold(1), "n_splits=1 makes no split"),
        (lambda: MultilabelKFold(2.0), "n_splits must be a whole number"),
        (lambda: RepeatedMultilabelKFold(n_repeats=0), "n_repeats must be a whole number of at least 1, got 0"),
        (lambda: RepeatedMultilabelKFold(0), "n_splits=0 makes no split"),
        (lambda: MultilabelShuffleSplit(0), "n_splits must be a whole number of at least 1, got 0"),
        (lambda: MultilabelKFold(9).split(X[:8], Y[:8]), "exceeds the number of rows, 8"),
        (lambda: RepeatedMultilabelKFold(9).split(X[:8], Y[:8]), "exceeds the number of rows, 8"),
    ],
)
def test_impossible_numbers_are_refused_at_the_call(call, message):
    with pytest.raises(FoldAssignmentError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultilabelKFold(shuffle="yes"), "shuffle must be True or False; got 'yes'"),
        (lambda: MultilabelKFold(cover_rare=1), "cover_rare must be True or False; got 1"),
        (lambda: MultilabelShuffleSplit(balance_pairs="no"), "balance_pairs must be True or False"),
        (lambda: train_test_split(X, Y, shuffle=0), "shuffle must be True or False"),
        (lambda: train_test_split(X, None), "An array to split is None"),
        (lambda: train_test_split(X, Y, testsize=0.2), "testsize"),
        (lambda: MultilabelKFold(3).split(X), "'y'"),
        (lambda: MultilabelKFold(3).split(iter(X), Y), "Expected sequence or array-like"),
    ],
)
def test_wrong_types_are_type_errors_as_in_scikit_learn(call, message):
    with pytest.raises(TypeError, match=message):
        call()


@EACH
def test_lengths_must_agree_in_scikit_learns_words(make):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[5, 60\]") as ours:
        make().split(X[:5], Y)
    with pytest.raises(ValueError, match="inconsistent") as theirs:
        list(sk.StratifiedKFold(3).split(X[:5], CLASSES))
    assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[60, 60, 9\]"):
        make().split(X, Y, GROUPS[:9])


# --- y, X and groups -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "y",
    [
        Y.tolist(), Y.astype(bool), Y.astype(float), pd.DataFrame(Y), sp.csr_matrix(Y), sp.coo_array(Y),
        pd.DataFrame.sparse.from_spmatrix(sp.csr_matrix(Y)), optisplit.MultilabelDataset.from_labels(Y),
        pd.Series(Y.tolist(), index=np.arange(N) + 100), NAMES, pd.Series(NAMES),
        [{int(label) for label in np.flatnonzero(row)} for row in Y],
    ],
    ids=["list", "bool", "float", "frame", "csr", "coo", "sparse frame", "data set", "series of rows", "label lists",
         "series of label lists", "sets"],
)  # fmt: skip
def test_labels_in_any_form_give_the_same_folds(y):
    for splitter in (MultilabelKFold(3, random_state=0, **QUICK), MultilabelShuffleSplit(1, random_state=0, **QUICK)):
        assert listed(splitter, X, y) == listed(splitter, X, Y)


@pytest.mark.parametrize(
    "y",
    [
        CLASSES.tolist(), pd.Series(CLASSES), pd.Series(CLASSES, dtype="category"), pd.DataFrame({"target": CLASSES}),
        np.searchsorted(["a", "b", "c"], CLASSES), -np.searchsorted(["a", "b", "c"], CLASSES).astype(float),
        CLASSES.astype(object), CLASSES.reshape(-1, 1), tuple(CLASSES), np.ma.array(CLASSES),
    ],
    ids=["list", "series", "categories", "frame", "ints", "floats", "objects", "column", "tuple", "masked array"],
)  # fmt: skip
def test_a_column_of_classes_is_stratified_whatever_they_are_called(y):
    splitter = MultilabelKFold(3, random_state=0, **QUICK)
    pairs = listed(splitter, X, y)
    assert pairs == listed(splitter, X, CLASSES)
    counts = [[(CLASSES[test] == each).sum() for each in "abc"] for _, test in pairs]
    assert (np.ptp(counts, axis=0) <= 1).all()


@pytest.mark.parametrize("y", [np.arange(N) % 2, np.arange(N) % 2 * 2 - 1, np.arange(N) % 2 == 0])
def test_a_binary_column(y):
    for _, test in MultilabelKFold(3, random_state=0, **QUICK).split(X, y):
        assert (y[test] == y[0]).sum() == 10


def test_classes_become_labels_by_first_appearance():
    assert as_targets([3, "x", 3, 1]).labels.toarray().tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert as_targets([3, "x", 3, 1]).label_names == ("3", "x", "1")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y is None"),
        (2 * Y - 1, r"Labels must be 0 or 1.*\nHint: these look like -1/1 labels"),
        (X, "are these the features"),
        (X[:, 0], "holds fractions such as"),
        (np.arange(N), r"Each of the 60 rows of y has a class of its own.*\nHint: are these ids"),
        (np.where(np.arange(N) < 2, None, "a"), r"2 rows have no class in y \('0', '1', counted from 0\)"),
        (np.where(np.arange(N) < 2, np.nan, 1.0), r"2 rows have no class in y"),
        (np.ma.array(np.arange(N) % 2, mask=np.arange(N) == 5), r"1 row has no class in y \('5', counted from 0\)"),
        (np.zeros((N, 2, 2)), r"3 dimensions"),
    ],
)
def test_what_holds_no_labels_is_refused(y, message):
    with pytest.raises(LabelError, match=message):
        MultilabelKFold(3).split(X, y)


def test_train_test_split_tells_where_it_looked_for_labels():
    with pytest.raises(LabelError, match="the last array is taken for the labels"):
        train_test_split(Y, X)
    with pytest.raises(LabelError) as error:
        train_test_split(Y, X, stratify=X)
    assert "last array" not in str(error.value)


@pytest.mark.parametrize("x", [None, X.tolist(), pd.DataFrame(X), sp.csr_matrix(X), ["text"] * N, np.zeros(N)])
def test_x_counts_only_by_its_rows(x):
    splitter = MultilabelKFold(3, random_state=0, **QUICK)
    assert listed(splitter, x, Y) == listed(splitter, X, Y)


@EACH
@pytest.mark.parametrize("method", ["optisplit-sa", "random"])
def test_groups_are_never_divided(make, method):
    options = {} if method == "optisplit-sa" else {"effort": None}
    for train, test in make(method=method, **options, random_state=0).split(X, Y, GROUPS):
        assert not set(GROUPS[train]) & set(GROUPS[test])


def test_train_test_split_keeps_groups_whole():
    names = pd.Series([f"patient {group}" for group in GROUPS])
    parts = train_test_split(names, Y, test_size=0.25, validation_size=0.25, groups=names, random_state=0, **QUICK)
    assert [len(part) for part in parts[:3]] == [28, 16, 16]
    assert len(set(parts[0]) | set(parts[1]) | set(parts[2])) == 15 == sum(len(set(part)) for part in parts[:3])


@pytest.mark.filterwarnings("ignore::optisplit.errors.SplitWarning")
def test_a_part_without_rows_is_an_error():
    with pytest.raises(FoldAssignmentError, match="came out without rows"):
        MultilabelKFold(3).split(X, Y, np.arange(N) // 30)
    with pytest.raises(FoldAssignmentError, match="came out without rows"):
        train_test_split(X, Y, groups=np.zeros(N))


def test_large_groups_are_warned_of():
    with pytest.warns(SplitWarning, match="larger than"):
        MultilabelKFold(3, **QUICK).split(X, Y, np.minimum(np.arange(N), 10))


@EACH
@pytest.mark.parametrize("method", ["optisplit-sa", "is"])
@pytest.mark.parametrize(
    "groups",
    [np.zeros(N, np.int32), np.zeros(N, np.int64), ["all"] * N, pd.DataFrame({"group": [7] * N})],
    ids=["lightgbm", "catboost", "texts", "frame"],
)
def test_one_group_for_all_rows_is_none_and_said(make, method, groups):
    splitter = make(method=method, effort=None, random_state=0)
    with pytest.warns(SplitWarning, match=r"All 60 rows are in one group, as lightgbm\.cv and catboost\.cv") as warned:
        pairs = listed(splitter, np.empty(N), Y, groups)
    assert warned[0].filename == __file__
    assert pairs == listed(splitter, np.empty(N), Y)


@pytest.mark.parametrize(
    ("groups", "message"),
    [([None] * N, "60 rows have no group"), ([" "] * N, "60 rows have no group"), (np.full(N, np.nan), "no group")],
)
def test_no_group_for_any_row_is_no_group_for_all(groups, message):
    with pytest.raises(OptionError, match=message):
        MultilabelKFold(3).split(X, Y, groups)


def test_one_group_is_an_error_where_no_other_tool_gives_it():
    with pytest.raises(FoldAssignmentError, match="came out without rows"), pytest.warns(SplitWarning, match="larger"):
        train_test_split(X, Y, groups=np.zeros(N))
    with pytest.warns(SplitWarning, match="larger than"):
        assert len(set(optisplit.split(Y, 3, groups=np.zeros(N)))) == 1


def cv_of_lightgbm(folds, label):
    """Call a splitter as lightgbm.cv of 4.7 does."""
    return folds.split(X=np.empty(len(label)), y=label.astype(np.float32), groups=np.zeros(len(label), dtype=np.int32))


def cv_of_catboost(folds, label):
    """Call a splitter as catboost.cv of 1.2 does."""
    count, zeros = folds.get_n_splits(), np.zeros(len(label))
    pairs = list(folds.split(X=zeros, y=label, groups=zeros.astype(np.int64)))
    assert len(pairs) == count
    return pairs


@pytest.mark.parametrize("call", [cv_of_lightgbm, cv_of_catboost])
def test_boosting_libraries_take_them(call):
    label = np.searchsorted(["a", "b", "c"], CLASSES)
    with pytest.warns(SplitWarning, match="taken as no groups"):
        pairs = list(call(MultilabelKFold(3, random_state=0), label))
    for found, wanted in zip(pairs, MultilabelKFold(3, random_state=0).split(X, CLASSES), strict=True):
        np.testing.assert_array_equal(found[1], wanted[1])


@pytest.mark.parametrize("method", [key for key, each in optisplit.METHODS.items() if not each.is_peer])
def test_every_method_of_ours_makes_folds(method):
    pairs = list(MultilabelKFold(3, method=method, random_state=0).split(X, Y))
    assert sorted(row for _, test in pairs for row in test) == list(range(N))
    if "fold_sizes" in optisplit.METHODS[method].options:
        train, test = next(MultilabelShuffleSplit(1, test_size=0.3, method=method, random_state=0).split(X, Y))
        assert sorted([*train, *test]) == list(range(N))
        assert abs(len(test) - 18) <= 9


def test_take_rows_of_an_array_of_objects():
    assert take_rows(np.array([None, "x", 3], dtype=object), np.array([2, 1])).tolist() == [3, "x"]


# --- as scikit-learn's own classes -----------------------------------------------------------------


def test_repr_is_scikit_learns():
    shown = repr(MultilabelKFold(3, random_state=0))
    assert shown.startswith("MultilabelKFold(balance=None, balance_pairs=None, cover_rare=None,")
    assert "n_splits=3" in repr(MultilabelKFold(3))
    assert "test_size=0.2" in repr(MultilabelShuffleSplit(test_size=0.2))


@EACH
def test_parameters_can_be_read_set_and_cloned(make):
    splitter = make(random_state=0, measure="dcp")
    params = splitter.get_params()
    assert list(params) == list(inspect.signature(type(splitter)).parameters)
    assert params["measure"] == "dcp"
    for copy in (clone(splitter), pickle.loads(pickle.dumps(splitter))):
        assert type(copy) is type(splitter)
        assert copy.get_params() == params
        assert listed(copy, X, Y) == listed(splitter, X, Y)
    assert splitter.set_params(n_splits=2, random_state=9) is splitter
    assert (splitter.n_splits, splitter.random_state) == (2, 9)
    with pytest.raises(OptionError, match="Unknown measure"):
        splitter.set_params(n_splits=5, measure="rldd")
    assert splitter.n_splits == 2


def test_attributes_that_were_changed_are_checked_again():
    splitter = MultilabelKFold(3)
    splitter.n_splits = 1
    with pytest.raises(FoldAssignmentError, match="n_splits=1"):
        splitter.split(X, Y)


def test_public_bases():
    assert issubclass(MultilabelKFold, sk.BaseCrossValidator)
    assert issubclass(RepeatedMultilabelKFold, sk.BaseCrossValidator)
    assert issubclass(MultilabelShuffleSplit, sk.BaseShuffleSplit)
    assert MultilabelKFold(4).get_n_splits() == MultilabelKFold(4).get_n_splits(X, Y, GROUPS) == 4
    assert RepeatedMultilabelKFold(4, n_repeats=3).get_n_splits(X) == 12
    assert MultilabelShuffleSplit(7).get_n_splits() == 7


@EACH
def test_cross_val_score_uses_the_very_folds(make):
    splitter = make(random_state=0)
    scores = sk.cross_val_score(TREE, X, Y, cv=splitter)
    by_hand = [clone(TREE).fit(X[train], Y[train]).score(X[test], Y[test]) for train, test in splitter.split(X, Y)]
    assert scores.tolist() == by_hand


def test_cross_val_score_on_threads():
    splitter, model = MultilabelKFold(3, random_state=0, **QUICK), DummyClassifier(strategy="most_frequent")
    one = sk.cross_val_score(model, X, Y, cv=splitter)
    with joblib.parallel_config("threading"):
        two = sk.cross_val_score(model, X, Y, cv=splitter, n_jobs=2)
    assert one.tolist() == two.tolist()


def test_cross_val_predict():
    splitter = MultilabelKFold(3, random_state=0, **QUICK)
    predicted = sk.cross_val_predict(TREE, X, Y, cv=splitter)
    for train, test in splitter.split(X, Y):
        np.testing.assert_array_equal(predicted[test], clone(TREE).fit(X[train], Y[train]).predict(X[test]))
    for other in ("repeated", "shuffle"):
        with pytest.raises(ValueError, match="only works for partitions"):
            sk.cross_val_predict(TREE, X, Y, cv=SPLITTERS[other]())


def test_searches_and_nested_cross_validation():
    grid = {"max_depth": [1, 3]}
    search = sk.GridSearchCV(TREE, grid, cv=MultilabelKFold(3, random_state=0, **QUICK))
    assert clone(search).fit(X, Y).n_splits_ == 3
    assert clone(search).set_params(cv__n_splits=2).fit(X, Y).n_splits_ == 2
    assert len(sk.cross_val_score(search, X, Y, cv=MultilabelKFold(2, random_state=1, **QUICK))) == 2
    strategies = {"strategy": ["most_frequent", "prior"]}
    sparse, dense = (
        sk.GridSearchCV(DummyClassifier(), strategies, cv=search.cv).fit(X, y).cv_results_["mean_test_score"].tolist()
        for y in (sp.csr_matrix(Y), Y)
    )
    assert sparse == dense
    randomized = sk.RandomizedSearchCV(TREE, grid, n_iter=2, cv=SPLITTERS["shuffle"](random_state=0))
    assert randomized.fit(X, Y).n_splits_ == 4


def test_halving_search():
    search = HalvingGridSearchCV(
        TREE, {"max_depth": [1, 2, 3]}, cv=MultilabelKFold(2, random_state=0, **QUICK), min_resources=20, random_state=0
    )
    assert search.fit(X, Y).n_iterations_ == 2
    with pytest.raises(ValueError, match="must yield consistent folds"):
        HalvingGridSearchCV(TREE, {"max_depth": [1, 2]}, cv=MultilabelKFold(2), min_resources=20).fit(X, Y)


def test_other_tools_take_them():
    folds = MultilabelKFold(3, random_state=0, **QUICK)
    assert RFECV(TREE, cv=folds).fit(X, Y).n_features_ >= 1
    _, train_scores, test_scores = sk.learning_curve(TREE, X, Y, cv=folds, train_sizes=[0.5, 1.0])
    assert train_scores.shape == test_scores.shape == (2, 3)
    stack = StackingClassifier([("tree", TREE)], LogisticRegression(), cv=folds).fit(X, CLASSES)
    assert set(stack.predict(X)) <= set("abc")
    calibrated = CalibratedClassifierCV(TREE, cv=folds).fit(X, CLASSES)
    assert len(calibrated.calibrated_classifiers_) == 3
    score, scores, _ = sk.permutation_test_score(TREE, X, Y, cv=folds, n_permutations=2, random_state=0)
    assert 0 <= score <= 1
    assert scores.shape == (2,)


@EACH
def test_groups_reach_the_splitter_in_the_old_way_and_through_routing(make):
    splitter = make(random_state=0)
    wanted = [
        clone(TREE).fit(X[train], Y[train]).score(X[test], Y[test]) for train, test in splitter.split(X, Y, GROUPS)
    ]
    old = sk.cross_validate(TREE, X, Y, groups=GROUPS, cv=splitter)["test_score"]
    search = sk.GridSearchCV(TREE, {"max_depth": [3]}, cv=splitter)
    search.fit(X, Y, groups=GROUPS)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = sk.cross_validate(TREE, X, Y, params={"groups": GROUPS}, cv=splitter)["test_score"]
        assert splitter.set_split_request(groups="family") is splitter
        renamed = sk.cross_validate(TREE, X, Y, params={"family": GROUPS}, cv=clone(splitter))["test_score"]
        with pytest.raises(TypeError, match="unexpected argument"):
            sk.cross_validate(TREE, X, Y, params={"groups": GROUPS}, cv=splitter)
    assert old.tolist() == routed.tolist() == renamed.tolist() == wanted
    assert search.best_score_ == pytest.approx(np.mean(wanted))


def test_groups_are_refused_inside_scikit_learn_too():
    with pytest.raises(OptionError, match="takes no option 'groups'"):
        sk.cross_val_score(TREE, X, Y, groups=GROUPS, cv=MultilabelKFold(3, method="is"))


# --- the package -----------------------------------------------------------------------------------


def test_importing_stays_light():
    code = """
import sys, optisplit.model_selection
print(*sorted({"numba", "plotly", "streamlit", "iterstrat", "skmultilearn"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_emotions_is_a_matter_of_moments():
    data = optisplit.load("emotions")
    labels, splitter = data.labels.toarray(), MultilabelKFold(5, random_state=0)
    features = np.zeros((593, 72))
    list(splitter.split(features, labels))
    took = []
    for _ in range(3):
        start = time.thread_time()
        pairs = list(splitter.split(features, labels))
        took.append(time.thread_time() - start)
    alone = []
    for _ in range(3):
        start = time.thread_time()
        optisplit.split(data, 5, random_state=0)
        alone.append(time.thread_time() - start)
    assert len(pairs) == 5
    assert min(took) < 1.5 * min(alone) + 0.005


CHECKED = (
    "GL05", "GL06", "GL07", "GL08", "GL10", "SS01", "SS02", "SS03", "SS04", "SS05", "SS06", "PR01",
    "PR02", "PR03", "PR04", "PR06", "PR07", "PR10", "RT01", "RT03", "YD01", "SA04", "EX01",
)  # fmt: skip
"""numpydoc's checks that the main functions pass too."""


@pytest.mark.parametrize(
    "name",
    ["MultilabelKFold", "RepeatedMultilabelKFold", "MultilabelShuffleSplit", "train_test_split"],
)
def test_docstrings(name):
    thing = getattr(optisplit.model_selection, name)
    path = f"{thing.__module__}.{name}"
    errors = [(code, text) for code, text in validate(path)["errors"] if code in CHECKED]
    assert errors == []
    doc = NumpyDocString(inspect.getdoc(thing))
    named = [part.strip(" *") for entry in doc["Parameters"] for part in entry.name.split(",")]
    assert named == [each for each in inspect.signature(thing).parameters if each != "self"]
