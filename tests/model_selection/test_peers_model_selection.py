"""What the peers test of themselves, and what users expect, of ours and theirs in one table.

Where a peer is known not to do something, the table says so, and the test is that it still does not.
"""

from __future__ import annotations

import inspect
import pickle
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from iterstrat import ml_stratifiers
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from skmultilearn.model_selection import iterative_train_test_split

import optisplit
from optisplit import model_selection

RNG = np.random.default_rng(3)
N, K = 103, 4
Y = (RNG.random((N, 6)) < [0.6, 0.4, 0.3, 0.2, 0.1, 0.0]).astype(int)
Y[RNG.choice(N, K, replace=False), 5] = 1  # as many as folds
Y[::10] = 0
X = np.zeros((N, 1))
CLASSES = RNG.integers(0, 4, N)
GROUPS = np.arange(N) // 3


@dataclass(frozen=True)
class Tool:
    """Classes that do the same: K folds, the same several times, and train and test parts."""

    kfold: Any
    repeated: Any = None
    shuffle: Any = None


@cache
def skml_pairs(n_splits, random_state):
    """What scikit-multilearn's IterativeStratification gives, run in a process of its own."""
    splitter = model_selection.MultilabelKFold(n_splits, method="skml-is", random_state=random_state)
    return tuple(splitter.split(X, Y))


class Skml:
    """scikit-multilearn's class has no seed, no sizes checked, and one use: the pairs of these labels."""

    def __init__(self, n_splits, *, shuffle=True, random_state=0):
        self.given = n_splits, random_state

    def split(self, X, y):
        assert y is Y
        return iter(skml_pairs(*self.given))


TOOLS = {
    "optisplit": Tool(
        model_selection.MultilabelKFold,
        model_selection.RepeatedMultilabelKFold,
        model_selection.MultilabelShuffleSplit,
    ),
    "iterative-stratification": Tool(
        ml_stratifiers.MultilabelStratifiedKFold,
        ml_stratifiers.RepeatedMultilabelStratifiedKFold,
        ml_stratifiers.MultilabelStratifiedShuffleSplit,
    ),
    "scikit-multilearn": Tool(Skml),
}


def shuffled(tool, seed=0, n_splits=K):
    return tool.kfold(n_splits, shuffle=True, random_state=seed)


def rows_tested(pairs):
    return [test.tolist() for _, test in pairs]


def each_row_is_tested_once(tool):
    pairs = list(shuffled(tool).split(X, Y))
    assert len(pairs) == K
    assert sorted(row for _, test in pairs for row in test) == list(range(N))
    for train, test in pairs:
        assert sorted([*train, *test]) == list(range(N))


def indices_are_ascending_ints(tool):
    for pair in shuffled(tool).split(X, Y):
        for rows in pair:
            assert isinstance(rows, np.ndarray)
            assert rows.dtype.kind == "i"
            assert (np.diff(rows) > 0).all()


def sizes_differ_by_at_most_one(tool):
    for seed in range(2):
        assert set(map(len, rows_tested(shuffled(tool, seed).split(X, Y)))) == {25, 26}


def every_label_is_within_a_row_of_its_share(tool):
    for seed in range(2):
        for _, test in shuffled(tool, seed).split(X, Y):
            assert (np.abs(Y[test].sum(axis=0) - Y.sum(axis=0) / K) < 1).all()


def a_label_with_a_row_a_fold_is_in_each(tool):
    for seed in range(2):
        assert [Y[test, 5].sum() for _, test in shuffled(tool, seed).split(X, Y)] == [1] * K


def the_same_seed_gives_the_same_folds(tool):
    assert rows_tested(shuffled(tool, 1).split(X, Y)) == rows_tested(shuffled(tool, 1).split(X, Y))


def another_seed_gives_other_folds(tool):
    assert rows_tested(shuffled(tool, 0).split(X, Y)) != rows_tested(shuffled(tool, 1).split(X, Y))


def an_instance_moves_on(tool):
    splitter = shuffled(tool, np.random.RandomState(0))
    assert rows_tested(splitter.split(X, Y)) != rows_tested(splitter.split(X, Y))


def without_shuffle_nothing_is_random(tool):
    first = rows_tested(tool.kfold(K, shuffle=False).split(X, Y))
    assert all(rows_tested(tool.kfold(K, shuffle=False).split(X, Y)) == first for _ in range(3))


def a_seed_without_shuffle_is_an_error(tool):
    with pytest.raises(ValueError, match="shuffle"):
        tool.kfold(K, shuffle=False, random_state=0)


def impossible_numbers_are_errors(tool):
    for n_splits in (1, 0, -1, 1.5, "3"):
        with pytest.raises(ValueError, match=r"n_splits|number of folds"):
            tool.kfold(n_splits)
    with pytest.raises(ValueError, match="n_splits=11"):
        list(tool.kfold(11).split(X[:10], Y[:10]))
    with pytest.raises(TypeError, match="shuffle must be True or False"):
        tool.kfold(K, shuffle="no")


def repeats_are_so_many_folds_and_differ(tool):
    splitter = tool.repeated(K, n_repeats=3, random_state=0)
    pairs = rows_tested(splitter.split(X, Y))
    assert splitter.get_n_splits(X, Y) == len(pairs) == 3 * K
    repeats = [pairs[start : start + K] for start in range(0, 3 * K, K)]
    assert all(sorted(sum(repeat, [])) == list(range(N)) for repeat in repeats)  # noqa: RUF017 - short
    assert repeats[0] != repeats[1] != repeats[2]
    assert pairs == rows_tested(splitter.split(X, Y))


def impossible_repeats_are_errors(tool):
    for n_repeats in (0, -1, 1.5):
        with pytest.raises(ValueError, match=r"[Rr]epe"):
            tool.repeated(K, n_repeats=n_repeats)


def parts_do_not_overlap_and_are_drawn_anew(tool):
    splitter = tool.shuffle(5, test_size=0.25, random_state=0)
    pairs = list(splitter.split(X, Y))
    assert splitter.get_n_splits() == len(pairs) == 5
    for train, test in pairs:
        assert sorted([*train, *test]) == list(range(N))
        assert np.abs(Y[train].mean(axis=0) - Y[test].mean(axis=0)).max() < 0.1
    assert len({tuple(sorted(test)) for _, test in pairs}) == 5
    assert rows_tested(pairs) == rows_tested(splitter.split(X, Y))


def parts_come_in_ascending_order(tool):
    for pair in tool.shuffle(3, test_size=0.25, random_state=0).split(X, Y):
        for rows in pair:
            assert (np.diff(rows) > 0).all()


def parts_have_the_sizes_asked_for(tool):
    for test_size, n_test in ((0.25, 26), (0.33, 34), (10, 10)):
        for train, test in tool.shuffle(3, test_size=test_size, random_state=0).split(X, Y):
            assert (len(train), len(test)) == (N - n_test, n_test)


def parts_leave_out_rows_when_asked_to(tool):
    [(train, test)] = tool.shuffle(1, test_size=20, train_size=30, random_state=0).split(X, Y)
    assert (len(train), len(test)) == (30, 20)


def impossible_sizes_are_errors(tool):
    for sizes in ({"test_size": 2.0}, {"test_size": 1.0}, {"test_size": N}, {"test_size": 0.6, "train_size": 0.6}):
        with pytest.raises(ValueError, match=r"test_size|add up|sum"):
            list(tool.shuffle(2, **sizes).split(X, Y))


def sparse_labels_are_as_good(tool):
    assert rows_tested(shuffled(tool).split(X, sp.csr_matrix(Y))) == rows_tested(shuffled(tool).split(X, Y))


def a_column_of_classes_is_stratified(tool):
    for _, test in shuffled(tool).split(X, CLASSES):
        counts, whole = np.bincount(CLASSES[test], minlength=4), np.bincount(CLASSES)
        assert (np.abs(counts - whole / K) < 1).all()


def labels_of_minus_one_are_refused(tool):
    with pytest.raises(ValueError, match="-1"):
        list(shuffled(tool).split(X, 2 * Y - 1))


def labels_as_text_are_refused(tool):
    with pytest.raises(ValueError, match="text"):
        list(shuffled(tool).split(X, Y.astype(str)))


def groups_are_not_divided(tool):
    for train, test in shuffled(tool).split(X, Y, GROUPS):
        assert not set(GROUPS[train]) & set(GROUPS[test])


def x_may_be_none(tool):
    assert rows_tested(shuffled(tool).split(None, Y)) == rows_tested(shuffled(tool).split(X, Y))


def lengths_must_agree(tool):
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        list(shuffled(tool).split(X[:9], Y))


def scikit_learn_takes_it(tool):
    assert len(cross_val_score(DecisionTreeClassifier(), X, Y, cv=shuffled(tool))) == K


CHECKS = {
    check.__name__: check
    for check in (
        each_row_is_tested_once, indices_are_ascending_ints, sizes_differ_by_at_most_one,
        every_label_is_within_a_row_of_its_share, a_label_with_a_row_a_fold_is_in_each,
        the_same_seed_gives_the_same_folds, another_seed_gives_other_folds, an_instance_moves_on,
        without_shuffle_nothing_is_random, a_seed_without_shuffle_is_an_error, impossible_numbers_are_errors,
        repeats_are_so_many_folds_and_differ, impossible_repeats_are_errors, parts_do_not_overlap_and_are_drawn_anew,
        parts_come_in_ascending_order,
        parts_have_the_sizes_asked_for, parts_leave_out_rows_when_asked_to, impossible_sizes_are_errors,
        sparse_labels_are_as_good, a_column_of_classes_is_stratified, labels_of_minus_one_are_refused,
        labels_as_text_are_refused, groups_are_not_divided, x_may_be_none, lengths_must_agree, scikit_learn_takes_it,
    )
}  # fmt: skip

OF_SKML = (
    "each_row_is_tested_once", "indices_are_ascending_ints", "sizes_differ_by_at_most_one",
    "every_label_is_within_a_row_of_its_share", "a_label_with_a_row_a_fold_is_in_each",
)  # fmt: skip
"""scikit-multilearn's class makes folds of labels, and that is all: it refuses a seed."""

Failed = pytest.fail.Exception

KNOWN_NOT_TO = {
    "iterative-stratification": {
        "without_shuffle_nothing_is_random": (AssertionError, "breaks ties at random all the same"),
        "parts_leave_out_rows_when_asked_to": (AssertionError, "hands out all rows, in the proportion of the sizes"),
        "sparse_labels_are_as_good": (TypeError, "takes dense labels only"),
        "a_column_of_classes_is_stratified": (ValueError, "takes several columns only"),
        "labels_of_minus_one_are_refused": (Failed, "takes every -1 for a positive"),
        "labels_as_text_are_refused": (Failed, "takes every '0' for a positive"),
        "groups_are_not_divided": (AssertionError, "does not look at groups, and does not say so"),
        "x_may_be_none": (TypeError, "needs something of that length"),
    },
    "scikit-multilearn": {
        "every_label_is_within_a_row_of_its_share": (AssertionError, "does not take the rarest label first"),
        "a_label_with_a_row_a_fold_is_in_each": (AssertionError, "does not take the rarest label first"),
    },
}
"""By peer, what it does not do: what comes of the check, and why."""

CASES = [(name, check) for name in TOOLS for check in CHECKS if name != "scikit-multilearn" or check in OF_SKML]


@pytest.mark.parametrize(("name", "check"), CASES, ids=[f"{name}-{check}" for name, check in CASES])
def test_what_the_tools_do(name, check):
    tool, known = TOOLS[name], KNOWN_NOT_TO.get(name, {})
    if check in known:
        with pytest.raises(known[check][0]):
            CHECKS[check](tool)
    else:
        CHECKS[check](tool)


def test_the_table_is_about_these_checks():
    assert {check for known in KNOWN_NOT_TO.values() for check in known} <= {check for _, check in CASES}
    assert "optisplit" not in KNOWN_NOT_TO


SCRIPT = """
from {module} import {prefix}KFold, Repeated{prefix}KFold, {prefix}ShuffleSplit

outcome = []
for splitter in (
    {prefix}KFold(n_splits=5, shuffle=True, random_state=0),
    {prefix}KFold(5),
    Repeated{prefix}KFold(n_splits=5, n_repeats=2, random_state=0),
    {prefix}ShuffleSplit(n_splits=3, test_size=0.25, random_state=0),
):
    pairs = list(splitter.split(X, Y))
    outcome.append((splitter.get_n_splits(X, Y), [(len(train), len(test)) for train, test in pairs]))
"""


@pytest.mark.parametrize(
    ("module", "prefix"),
    [
        ("iterstrat.ml_stratifiers", "MultilabelStratified"),
        ("optisplit.model_selection", "Multilabel"),
        ("optisplit.model_selection", "MultilabelStratified"),
        ("optisplit", "MultilabelStratified"),
    ],
)
def test_only_the_import_changes(module, prefix):
    names: dict[str, Any] = {"X": X, "Y": Y}
    exec(SCRIPT.format(module=module, prefix=prefix), names)
    assert [count for count, _ in names["outcome"]] == [5, 5, 10, 3]
    assert [len(pairs) for _, pairs in names["outcome"]] == [5, 5, 10, 3]
    assert names["outcome"][3] == (3, [(77, 26)] * 3)


ALIASES = ["MultilabelStratifiedKFold", "RepeatedMultilabelStratifiedKFold", "MultilabelStratifiedShuffleSplit"]


@pytest.mark.parametrize("name", ALIASES)
def test_aliases_have_the_peers_arguments(name):
    ours, theirs = getattr(optisplit, name), getattr(ml_stratifiers, name)
    found, wanted = (inspect.signature(each).parameters for each in (ours, theirs))
    assert list(found) == list(wanted)
    for each in found:
        assert found[each].kind == wanted[each].kind
        default = wanted[each].default
        assert found[each].default == (None if default == "default" else default)  # a word that scikit-learn dropped


@pytest.mark.parametrize("name", ALIASES)
def test_aliases_are_splitters_like_the_others(name):
    given = {"n_splits": 4, "random_state": 3, **({"shuffle": True} if name.endswith("edKFold") else {})}
    given = {each: given[each] for each in given if each in inspect.signature(getattr(optisplit, name)).parameters}
    splitter = getattr(optisplit, name)(**given)
    assert repr(splitter).startswith(f"{name}(n_")
    assert "method" not in splitter.get_params()
    for copy in (clone(splitter), pickle.loads(pickle.dumps(splitter)), clone(splitter).set_params(n_splits=4)):
        assert copy.get_params() == splitter.get_params()
        assert rows_tested(copy.split(X, Y)) == rows_tested(splitter.split(X, Y))
    twin = getattr(model_selection, name.replace("Stratified", ""))(**given)
    assert isinstance(splitter, type(twin))
    assert rows_tested(splitter.split(X, Y)) == rows_tested(twin.split(X, Y))
    with pytest.raises(ValueError, match="did you mean 'n_splits'"):
        splitter.set_params(n_split=2)


def test_aliases_take_folds_of_the_peers_without_shuffle_too():
    assert rows_tested(optisplit.MultilabelStratifiedKFold(K).split(X, Y)) == rows_tested(
        model_selection.MultilabelKFold(K, shuffle=False).split(X, Y)
    )


def test_iterative_train_test_split_is_in_scikit_multilearns_order():
    rows = np.arange(N).reshape(-1, 1)
    for function in (iterative_train_test_split, optisplit.iterative_train_test_split):
        X_train, y_train, X_test, y_test = function(rows, Y, 0.25)
        assert X_train.shape[1] == X_test.shape[1] == 1
        np.testing.assert_array_equal(Y[X_train[:, 0]], y_train)
        np.testing.assert_array_equal(Y[X_test[:, 0]], y_test)
        assert (np.diff(X_train[:, 0]) > 0).all()
        assert (np.diff(X_test[:, 0]) > 0).all()
        assert abs(len(X_test) - N / 4) < 3


def test_iterative_train_test_split_is_train_test_split_in_another_order():
    taken = optisplit.iterative_train_test_split(sp.csr_matrix(np.arange(1, N + 1)).T, Y.tolist(), 0.25, random_state=4)
    rows = [np.sort(part) for part in model_selection.train_test_split(np.arange(N), stratify=Y, random_state=4)]
    assert [type(part).__name__ for part in taken] == ["csr_matrix", "list"] * 2
    for part, X_part, y_part in zip(rows, taken[::2], taken[1::2], strict=True):
        assert X_part.toarray().ravel().tolist() == (part + 1).tolist()
        assert y_part == Y[part].tolist()
    for given in ((None, Y), (X, None)):
        with pytest.raises(TypeError, match="is None"):
            optisplit.iterative_train_test_split(*given, 0.25)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        optisplit.iterative_train_test_split(X[:9], Y, 0.25)
    with pytest.raises(ValueError, match=r"test_size=1\.5"):
        optisplit.iterative_train_test_split(X, Y, 1.5)


def test_what_the_readme_shows_runs():
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    section = text.partition("### In scikit-learn\n")[2].partition("\n### ")[0]
    first, change = (block.partition("```")[0] for block in section.split("```python\n")[1:])
    names: dict[str, Any] = {"X": X, "Y": Y, "model": DecisionTreeClassifier()}
    exec(first, names)
    assert [len(names[part]) for part in ("X_train", "X_test", "Y_train", "Y_test")] == [82, 21, 82, 21]
    assert len(names["scores"]) == 5
    before, now = (f"from {code}" for code in change.split("from ")[1:])
    for code, module in ((before, "iterstrat"), (now, "optisplit")):
        exec(code, names)
        assert type(names["cv"]).__module__.startswith(module)
        assert len(list(names["cv"].split(X, Y))) == 5
