"""Columns balanced beside the labels, by every method; counts and weights by those that know them."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit import METHODS
from optisplit.errors import LabelError, OptionError
from optisplit.labels import side_by_side

RNG = np.random.default_rng(1)
LABELS = (RNG.random((120, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(int)
FRAME = pd.DataFrame({"sex": RNG.choice(["f", "m"], 120), "site": RNG.choice(list("xyz"), 120)})
TARGETS = optisplit.encode_targets(FRAME)
COUNTED = optisplit.encode_targets({"n": RNG.poisson(2, 120)}, counts=["n"])


@pytest.mark.parametrize("method", [key for key, each in METHODS.items() if not each.is_peer and key != "optisplit-sa"])
def test_other_methods_balance_columns_as_labels(method):
    both = np.hstack([LABELS, TARGETS.labels.toarray()])
    wanted = optisplit.split(both, 3, method=method, random_state=0)
    assert optisplit.split(LABELS, 3, method=method, balance=FRAME, random_state=0).tolist() == wanted.tolist()


def test_what_is_balanced_is_no_label_of_the_search():
    """Rare columns are balanced, but need not be in every fold, as rare labels do with rare='cover'."""
    folds = optisplit.split(LABELS, 3, balance=FRAME, rare="cover", random_state=0)
    report = optisplit.evaluate(LABELS, folds, balance=FRAME)
    assert report.score("rld").is_best
    assert report.balanced.rld < 1.5 * report.balanced.rld_bound


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
def test_counts_go_through_the_search(measure):
    alone = optisplit.split(COUNTED, 4, measure=measure, random_state=0)
    beside = optisplit.split(LABELS, 4, measure=measure, balance=COUNTED, random_state=0)
    for folds in (alone, beside):
        assert np.bincount(folds).tolist() == [30] * 4


def test_weights_go_before():
    """Where not all can be even, what weighs more is evener."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.choice(list("abcdefgh"), 60) for name in "uvwxyz"})
    light, heavy = ({name: {"weight": weight if name in "uv" else 1} for name in table} for weight in (1, 20))
    off = []
    for how in (light, heavy):
        targets = optisplit.encode_targets(table, how)
        folds = optisplit.split(targets, 6, random_state=0)
        report = optisplit.evaluate(targets, folds)
        is_heavy = np.array([name[0] in "uv" for name in report.label_names])
        off.append(float((report.rld_per_class - report.rld_bound_per_class)[is_heavy].sum()))
    assert off[1] < off[0]


def test_weights_that_are_all_one_are_none():
    assert optisplit.encode_targets(FRAME, weights={"sex": 1}).weights is None
    assert not optisplit.encode_targets(FRAME, weights={"sex": 2, "site": 2}).has_amounts


def test_matrices_side_by_side_keep_their_kinds():
    assert side_by_side(TARGETS.labels, TARGETS.labels).dtype == np.int8
    both = side_by_side(TARGETS.labels, COUNTED.labels)
    assert both.dtype == np.int32
    assert both.toarray().tolist() == np.hstack([TARGETS.labels.toarray(), COUNTED.labels.toarray()]).tolist()


def test_a_recipe_with_a_table_wants_it_again():
    data = optisplit.MultilabelDataset.from_labels(LABELS)
    folds = optisplit.split(data, 3, balance=FRAME, random_state=0)
    made = optisplit.make_recipe(data, folds, method="optisplit-sa", seed=0, balance=FRAME)
    recipe = optisplit.Recipe.from_json(made.to_json())
    assert recipe.split(data, balance=FRAME).tolist() == folds.tolist()
    with pytest.raises(OptionError, match="a table of columns to balance, so it must be given again"):
        recipe.split(data)
    with pytest.raises(OptionError, match="not those of the recipe"):
        recipe.split(data, balance=FRAME[["sex"]])
    plain = optisplit.make_recipe(data, folds, method="optisplit-sa", seed=0)
    with pytest.raises(OptionError, match="without columns to balance"):
        plain.split(data, balance=FRAME)


def test_counts_are_not_written_as_labels():
    with pytest.raises(LabelError, match="hold counts"):
        optisplit.save(COUNTED, io.BytesIO(), format="csv")


def images(n_rows: int = 400):
    rng = np.random.default_rng(3)
    presence = (rng.random((n_rows, 6)) < [0.5, 0.3, 0.2, 0.1, 0.1, 0.05]).astype(np.int8)
    labels = optisplit.MultilabelDataset.from_labels(presence)
    counts = optisplit.encode_targets(pd.DataFrame(presence * rng.geometric(0.4, presence.shape)).add_prefix("n "),
                                      counts=[f"n {at}" for at in range(6)]).labels  # fmt: skip
    return optisplit.MultilabelDataset(labels.labels, labels.label_names, counts=counts)


def beyond(counts, sizes):
    due = counts.sum(axis=0) * np.asarray(sizes)[:, None]
    return np.maximum(0, np.maximum(np.floor(due) - counts, counts - np.ceil(due)) - 0.01 * due)


@pytest.mark.parametrize("sizes", [[0.8, 0.1, 0.1], [0.25] * 4])
def test_images_and_instances_are_within_rounding(sizes):
    data = images()
    folds = optisplit.split(data, fold_sizes=sizes, balance="instances", random_state=0)
    assert folds.tolist() == optisplit.split(data, fold_sizes=sizes, balance="instances", random_state=0).tolist()
    assert np.bincount(folds).tolist() == [round(400 * size) for size in sizes]
    report = optisplit.evaluate(data, folds, balance="instances")
    assert report.beyond_rounding == 0
    assert beyond(report.balanced.counts, sizes).sum() == 0
    alone = optisplit.evaluate(data, optisplit.split(data, fold_sizes=sizes, random_state=0), balance="instances")
    assert beyond(alone.balanced.counts, sizes).sum() > 20


def test_rows_stay_where_they_are_fixed_while_instances_are_balanced():
    data, fixed = images(), np.full(400, optisplit.FREE)
    fixed[:40] = np.arange(40) % 5 - 1
    folds = optisplit.split(data, 4, fixed=fixed, balance="instances", random_state=0)
    assert folds[:40].tolist() == fixed[:40].tolist()


def test_labels_stay_as_even_where_they_are_not_to_be_shared():
    data = images()
    folds = optisplit.split(data, 4, balance="instances", rare="score", random_state=0)
    assert optisplit.evaluate(data, folds).score("rld").is_best
