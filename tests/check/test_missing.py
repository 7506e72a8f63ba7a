"""Rare labels: a positive in every fold wherever possible, and a list of those that are missing from one."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS, label_matrices

import optisplit
from optisplit import FREE, evaluate, find_missing_labels, split
from optisplit.check.missing import NOT_DUE, POSSIBLE, find_missing
from optisplit.comparison.lacking import count_drawn
from optisplit.errors import FoldAssignmentError, LabelError, OptionError
from optisplit.labels import MultilabelDataset

COLUMNS = ["label", "positives", "missing_from", "n_missing", "n_unavoidable", "reason"]


def hidden_split(seed, sizes, n_labels, per_fold=1):
    """Labels that a hidden split has in every fold, so many times each."""
    rng = np.random.default_rng(seed)
    hidden = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    labels = np.zeros((len(hidden), n_labels), dtype=np.int8)
    for label, fold in itertools.product(range(n_labels), range(len(sizes))):
        labels[rng.choice(np.flatnonzero(hidden == fold), per_fold, replace=False), label] = 1
    assert evaluate(labels, hidden).flz == 0
    return labels, hidden


# Covering.


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
@pytest.mark.parametrize("seed", range(3))
def test_a_full_cover_is_found(seed, measure):
    labels, _ = hidden_split(seed, [20] * 5, 60, per_fold=2)
    tried = [split(labels, 5, measure=measure, rare="cover", random_state=start) for start in range(2)]
    folds = min(tried, key=lambda each: evaluate(labels, each).flz)  # it is a hard problem: one of two has to do
    assert evaluate(labels, folds).flz == 0
    assert find_missing_labels(labels, folds).empty
    assert np.bincount(folds).tolist() == [20] * 5


def test_without_covering_some_labels_are_missing():
    missing = {"score": 0, "cover": 0}
    for seed, rare in itertools.product(range(4), missing):
        labels, _ = hidden_split(seed, [20] * 5, 60, per_fold=2)
        missing[rare] += evaluate(labels, split(labels, 5, rare=rare, random_state=seed)).flz
    assert missing["cover"] <= 1
    assert missing["score"] > 2


@pytest.mark.parametrize("seed", range(3))
def test_a_cover_without_a_positive_to_spare_is_found(seed):
    labels, _ = hidden_split(seed, [20] * 3, 20)  # each label has three positives, for three folds
    folds = split(labels, 3, effort="thorough", rare="cover", random_state=seed)
    assert evaluate(labels, folds).rld == 0
    assert find_missing_labels(labels, folds).empty


def test_a_small_part_has_every_label():
    labels, _ = hidden_split(0, [160, 20, 20], 40, per_fold=1)
    labels[np.random.default_rng(1).random(labels.shape) < 0.1] = 1
    found, without = (
        evaluate(labels, split(labels, fold_sizes=[0.8, 0.1, 0.1], rare=rare, random_state=0))
        for rare in ("cover", "score")
    )
    assert found.flz == 0
    assert found.flz <= without.flz


def test_covering_with_groups():
    labels, hidden = hidden_split(2, [30] * 4, 40, per_fold=2)
    order = np.argsort(hidden, kind="stable")
    groups = np.empty(120, dtype=int)
    groups[order] = np.arange(120) // 3  # three rows of one hidden fold are a group
    folds = split(labels, 4, groups=groups, rare="cover", random_state=0)
    table = find_missing_labels(labels, folds, groups=groups)
    assert len(table) == 0
    assert np.bincount(folds).tolist() == [30] * 4


def test_real_rare_labels_are_in_every_fold():
    for name in ("enron", "medical"):
        data = optisplit.load(name)
        report = evaluate(data, split(data, 5, random_state=0))
        assert report.flz == report.flz_bound


def test_covering_costs_little_of_the_score():
    data = optisplit.load("enron")
    covered, plain = (evaluate(data, split(data, 8, rare=rare, random_state=0)) for rare in ("cover", "score"))
    assert covered.flz <= plain.flz
    assert covered.rld < 1.1 * plain.rld


def test_what_is_drawn_is_missing_where_less_than_one_positive_is_due():
    counts = [  # positives in three parts, and how often the label could be there, but need not
        ((2, 0, 0), 1),  # one part has to do without it; .2 are due to each
        ((5, 0, 0), 1),  # 4 are due to the first: the fifth could be in one of the others, the fourth need not be
        ((4, 0, 0), 2),
        ((12, 0, 0), 0),  # 1.2 are due to each
        ((0, 1, 1), 0),  # 1.6 are due to the first
    ]
    table, wanted = np.array([each for each, _ in counts]).T, [each for _, each in counts]
    sizes = (80, 10, 10)
    labels = np.array([np.concatenate([np.arange(size) < n for size, n in zip(sizes, label, strict=True)])
                       for label in table.T], dtype=int)  # fmt: skip
    folds = np.repeat([0, 1, 2], sizes)
    data = optisplit.MultilabelDataset.from_labels(labels.T)
    found = {each.label: each for each in find_missing(data, folds.astype(np.int32), 3)}
    n_helpable = np.array([found[label].n_helpable for label in range(5)])
    assert count_drawn(table, n_helpable, np.array(sizes)).tolist() == wanted
    # in folds: two in the first and none in the last, where .8 are due to each, is one that could be had
    labels = np.zeros((10, 1), dtype=int)
    labels[[0, 1, 2, 4]] = 1
    data, folds = optisplit.MultilabelDataset.from_labels(labels), np.repeat(np.arange(5), 2).astype(np.int32)
    found = find_missing(data, folds, 5)
    assert [(len(each.folds), each.n_unavoidable) for each in found] == [(2, 1)]
    assert count_drawn(np.array([[2], [1], [1], [0], [0]]), np.array([1]), np.full(5, 2)).tolist() == [0]


# The list.


def test_nothing_missing_nothing_listed():
    labels = np.eye(3, dtype=np.int8).repeat(4, axis=0)
    folds = np.tile([0, 1, 2, 3], 3)
    table = find_missing_labels(labels, folds)
    assert list(table.columns) == COLUMNS
    assert table.empty
    assert find_missing_labels(optisplit.load("emotions"), np.arange(593) % 5).empty


def test_numbers_reasons_and_order():
    folds = np.repeat([0, 1, 2], 4)
    carriers = {
        "all": range(12),
        "one": [5],
        "never": [],
        "two": [0, 4],
        "lonely": [0, 1, 2, 3],
        "pair": [0, 1, 4, 5, 6],
        "many": [0, 1, 2, 4, 5, 6],
        "even": [0, 4, 8],
    }
    labels = np.zeros((12, len(carriers)), dtype=np.int8)
    for label, rows in enumerate(carriers.values()):
        labels[list(rows), label] = 1
    frame = pd.DataFrame(labels, columns=list(carriers))
    kept = frame.copy()
    table = find_missing_labels(frame, folds)
    pd.testing.assert_frame_equal(frame, kept)
    assert list(table.columns) == COLUMNS
    assert table.values.tolist() == [
        ["lonely", 4, "fold 1, fold 2", 2, 0, POSSIBLE],
        ["many", 6, "fold 2", 1, 0, POSSIBLE],
        ["pair", 5, "fold 2", 1, 0, POSSIBLE],
        ["two", 2, "fold 2", 1, 1, "2 rows with it, for 3 folds"],
        ["one", 1, "fold 0, fold 2", 2, 2, "1 row with it, for 3 folds"],
    ]
    assert table.index.tolist() == [0, 1, 2, 3, 4]


def test_names_come_from_the_data():
    data = MultilabelDataset.from_labels([[1, 1], [1, 0], [0, 0], [0, 0]], ["fever", "cough"])
    assert find_missing_labels(data, [0, 0, 1, 1])["label"].tolist() == ["fever", "cough"]
    assert find_missing_labels(data.labels, [0, 0, 1, 1])["label"].tolist() == ["label 0", "label 1"]


def test_groups_say_what_was_possible():
    labels = np.zeros((12, 3), dtype=np.int8)
    labels[:4, 0] = 1  # all in one group
    labels[[0, 1, 4, 5], 1] = 1  # in two groups
    labels[[0, 4, 8, 9], 2] = 1  # in three
    groups = np.repeat(["x", "y", "z"], 4)
    folds = np.repeat([0, 1, 2], 4)
    table = find_missing_labels(labels, folds, groups=groups)
    assert table.values.tolist() == [
        ["label 1", 4, "fold 2", 1, 1, "its 4 rows are in 2 groups, for 3 folds"],
        ["label 0", 4, "fold 1, fold 2", 2, 2, "its 4 rows are in 1 group, for 3 folds"],
    ] or table.values.tolist() == [
        ["label 0", 4, "fold 1, fold 2", 2, 2, "its 4 rows are in 1 group, for 3 folds"],
        ["label 1", 4, "fold 2", 1, 1, "its 4 rows are in 2 groups, for 3 folds"],
    ]
    rows = find_missing_labels(labels, folds)
    assert rows["n_unavoidable"].tolist() == [0, 0]
    assert set(rows["reason"]) == {POSSIBLE}


def test_fixed_rows_say_what_was_possible():
    labels = np.zeros((12, 2), dtype=np.int8)
    labels[:4, 0] = 1
    labels[[0, 1, 2, 11], 1] = 1
    folds = np.repeat([0, 1, 2], 4)
    fixed = np.where(labels[:, 0] == 1, 0, FREE)  # all rows with label 0 are given to fold 0
    table = find_missing_labels(labels, folds, fixed=fixed)
    assert table["label"].tolist() == ["label 0", "label 1"]
    assert table["n_missing"].tolist() == [2, 1]
    assert table["n_unavoidable"].tolist() == [2, 1]
    assert "fixed rows" in table["reason"][0]
    assert find_missing_labels(labels, folds)["n_unavoidable"].tolist() == [0, 0]


def test_a_fold_that_is_given_whole_takes_no_label():
    # the test part is given; a label that it does not have cannot be brought there
    labels, folds = np.array([[0, 1], [0, 1], [1, 1], [1, 1], [1, 1], [1, 0]]), np.array([0, 0, 1, 1, 2, 2])
    fixed = np.where(folds == 0, 0, FREE)
    table = find_missing_labels(labels, folds, fixed=fixed)
    assert table["label"].tolist() == ["label 0"]
    assert table["n_unavoidable"].tolist() == [1]
    assert table["reason"][0] != POSSIBLE


def test_rows_always_in_training_count_nowhere():
    labels = np.array([[1, 1], [1, 0], [1, 1], [0, 1], [1, 1]])
    folds = np.array([-1, 0, -1, 1, -1])
    table = find_missing_labels(labels, folds)
    assert table[["label", "positives", "missing_from", "n_unavoidable"]].values.tolist() == [
        ["label 0", 1, "fold 1", 1],
        ["label 1", 1, "fold 0", 1],
    ]
    for fixed in ([-1, FREE, -1, FREE, -1], [FREE] * 5, [None] * 5):
        pd.testing.assert_frame_equal(find_missing_labels(labels, folds, fixed=fixed), table)
    groups = [0, 1, 1, 2, 2]  # with rows in a fold and always in training
    assert find_missing_labels(labels, folds, groups=groups)["positives"].tolist() == [1, 1]


def test_an_empty_fold_lacks_every_label():
    labels = np.array([[1, 0], [1, 1], [0, 1], [1, 1], [1, 1], [0, 1]])
    table = find_missing_labels(labels, [0, 0, 0, 2, 2, 2], n_splits=4)
    assert table["missing_from"].tolist() == ["fold 1, fold 3", "fold 1, fold 3"]
    assert table["n_missing"].tolist() == [2, 2]
    assert table["reason"].tolist() == ["a fold has no row", "a fold has no row"]
    assert find_missing_labels(labels, [0, 0, 0, 1, 1, 1], n_splits=3)["missing_from"].tolist() == ["fold 2", "fold 2"]


def test_a_split_as_pairs():
    labels = np.array([[1, 1], [1, 0], [0, 0], [0, 0]])
    pairs = [(np.array([2, 3]), np.array([0, 1])), (np.array([0, 1]), np.array([2, 3]))]
    pd.testing.assert_frame_equal(find_missing_labels(labels, pairs), find_missing_labels(labels, [0, 0, 1, 1]))


def test_large_groups_are_no_reason_for_a_warning():
    labels = np.array([[1, 0]] * 9 + [[0, 1]] * 3)
    assert len(find_missing_labels(labels, [0] * 9 + [1] * 3, groups=[0] * 9 + [1] * 3)) == 2


@st.composite
def missing_problems(draw):
    """Labels, folds that keep groups whole, groups, and groups that are fixed where they are."""
    labels = draw(label_matrices(min_rows=6, max_rows=14))
    n_splits = draw(st.integers(2, 3))
    n_groups = draw(st.integers(n_splits, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    groups = np.append(np.arange(n_groups), rng.integers(0, n_groups, len(labels)))[: len(labels)]
    fold_of_group = np.append(np.arange(n_splits), rng.integers(-1, n_splits, n_groups))[:n_groups]
    is_fixed = rng.random(n_groups) < draw(st.sampled_from([0, 0.4, 0.9]))
    folds = fold_of_group[groups]
    return labels, n_splits, groups, folds, np.where(is_fixed[groups], folds, FREE)


def least_missing(carries, folds, units, fixed, n_splits):
    """Folds that a label misses at best: every way to place its units, in folds that are not given whole."""
    is_placed = folds >= 0
    is_full = [(fixed[folds == fold] != FREE).all() for fold in range(n_splits)]
    had = {int(fold) for fold in folds[carries & is_placed & (fixed != FREE)]}
    movable = np.unique(units[carries & is_placed & (fixed == FREE)])
    places = [fold for fold in range(n_splits) if not is_full[fold]]
    ways = itertools.product(places, repeat=min(len(movable), n_splits))
    return n_splits - max(len(had | set(way)) for way in ways)


@SETTINGS
@given(missing_problems(), st.booleans(), st.booleans())
def test_equal_to_a_look_at_every_way(problem, has_groups, has_fixed):
    labels, n_splits, groups, folds, fixed = problem
    options = {"groups": groups} if has_groups else {}
    if has_fixed:
        options["fixed"] = fixed
    table = find_missing_labels(labels, folds, n_splits=n_splits, **options).set_index("label")
    units = groups if has_groups else np.arange(len(labels))
    fixed = fixed if has_fixed else np.full(len(labels), FREE)
    n_listed = 0
    for label in range(labels.shape[1]):
        carries = labels[:, label] == 1
        missing = [fold for fold in range(n_splits) if not (carries & (folds == fold)).any()]
        n_positives = int((carries & (folds >= 0)).sum())
        if not missing or not n_positives:
            assert f"label {label}" not in table.index
            continue
        n_listed += 1
        row = table.loc[f"label {label}"]
        assert row["positives"] == n_positives
        assert row["missing_from"] == ", ".join(f"fold {fold}" for fold in missing)
        assert row["n_missing"] == len(missing)
        assert row["n_unavoidable"] == least_missing(carries, folds, units, fixed, n_splits)
        assert (row["reason"] in (POSSIBLE, NOT_DUE)) == (row["n_unavoidable"] == 0)
        if n_positives < n_splits:
            rows = "1 row" if n_positives == 1 else f"{n_positives} rows"
            assert row["reason"].partition(";")[0] == f"{rows} with it, for {n_splits} folds"
            is_partly = 0 < row["n_unavoidable"] < row["n_missing"]
            assert ("more it is possible" in row["reason"] or f"more, {NOT_DUE}" in row["reason"]) == is_partly
    assert len(table) == n_listed
    helpable = (table["n_missing"] - table["n_unavoidable"]).to_numpy()
    keys = list(zip(-helpable, -table["positives"].to_numpy(), strict=True))
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("labels", "folds", "options", "error", "said"),
    [
        ([[2], [1]], [0, 1], {}, LabelError, "Labels must be 0 or 1"),
        ([[1], [1]], [0, 1, 1], {}, FoldAssignmentError, "expected 2"),
        ([[1], [0]], [0, 1], {"groups": [1]}, OptionError, "groups has 1 entries, but there are 2 rows"),
        ([[1], [0]], [0, 1], {"fixed": [1]}, OptionError, "fixed has 1 entries, but there are 2 rows"),
        ([[1], [0]], [0, 1], {"fixed": [1, 2]}, OptionError, "1 entries of fixed are no place for a row: '2'"),
    ],
)
def test_what_does_not_fit_is_refused(labels, folds, options, error, said):
    with pytest.raises(error, match=said):
        find_missing_labels(labels, folds, **options)


def test_the_old_name_gives_the_old_columns_for_one_version():
    labels, folds = [[1, 1], [1, 0], [0, 0], [0, 0]], [0, 0, 1, 1]
    with pytest.warns(DeprecationWarning, match="find_missing_labels"):
        table = optisplit.find_absences(labels, folds)
    assert list(table.columns) == ["label", "positives", "absent_folds", "n_absent", "n_unavoidable", "reason"]
    assert table.values.tolist() == find_missing_labels(labels, folds).values.tolist()


def test_a_read_split_keeps_its_names():
    data = MultilabelDataset.from_labels([[1, 1], [1, 0], [0, 0], [0, 0]])
    parts = optisplit.read_split(io.BytesIO(b"split\ntrain\ntrain\ntest\ntest\n"), data, name="s.csv")
    assert find_missing_labels(data, parts).values.tolist() == [
        ["label 0", 2, "test", 1, 0, POSSIBLE],
        ["label 1", 1, "test", 1, 1, "1 row with it, for 2 parts"],
    ]
    folds = optisplit.read_split(io.BytesIO(b"fold\n1\n1\n2\n2\n"), data, name="s.csv")
    assert find_missing_labels(data, folds)["missing_from"].tolist() == ["fold 2", "fold 2"]
