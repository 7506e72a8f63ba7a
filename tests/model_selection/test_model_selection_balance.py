"""Columns balanced beside the labels by scikit-learn's doors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit.errors import OptionError
from optisplit.model_selection import (
    MultilabelKFold,
    MultilabelShuffleSplit,
    RepeatedMultilabelKFold,
    train_test_split,
)

RNG = np.random.default_rng(2)
Y = (RNG.random((60, 3)) < 0.4).astype(int)
X = pd.DataFrame({"sex": list("fm") * 30, "age": RNG.permutation(60) + 20, "x": RNG.random(60)}, index=range(100, 160))


def folds_of(pairs, n_rows=60):
    folds = np.full(n_rows, -1)
    for fold, (_, test) in enumerate(pairs):
        folds[test] = fold
    return folds.tolist()


def test_names_are_columns_of_x():
    cv = MultilabelKFold(3, random_state=0, balance={"sex": None, "age": 3})
    folds = folds_of(cv.split(X, Y))
    assert pd.crosstab(X["sex"].to_numpy(), folds).to_numpy().tolist() == [[10] * 3, [10] * 3]
    targets = optisplit.encode_targets(X, categories=["sex"], numbers={"age": 3})
    alone = optisplit.split(Y, 3, effort="quick", random_state=0, balance=targets)
    assert folds == alone.tolist()
    assert cv.get_params()["balance"] == {"sex": None, "age": 3}


def test_tables_with_as_many_rows():
    wanted = folds_of(MultilabelKFold(3, random_state=0, balance="sex").split(X, Y))
    for table in (X[["sex"]], X["sex"], X["sex"].to_numpy(), optisplit.encode_targets(X, categories=["sex"])):
        assert folds_of(MultilabelKFold(3, random_state=0, balance=table).split(None, Y)) == wanted
    first = [*RepeatedMultilabelKFold(3, n_repeats=2, random_state=0, balance="sex").split(X, Y)][:3]
    assert folds_of(first) == wanted


def test_parts():
    ((_, test),) = MultilabelShuffleSplit(1, test_size=0.2, random_state=0, balance="sex").split(X, Y)
    assert X["sex"].iloc[test].value_counts().to_dict() == {"f": 6, "m": 6}
    train, test, _, _ = train_test_split(X, Y, test_size=0.2, random_state=0, balance=["sex"])
    assert test["sex"].value_counts().to_dict() == {"f": 6, "m": 6}
    assert train["sex"].value_counts().to_dict() == {"f": 24, "m": 24}


def test_what_is_wrong_is_said():
    with pytest.raises(OptionError, match="'sexx'; the known ones are 'sex', 'age', 'x'"):
        MultilabelKFold(3, balance="sexx").split(X, Y)
    with pytest.raises(OptionError, match="no column 'sex' to balance"):
        MultilabelKFold(3, balance="sex").split(None, Y)
    with pytest.raises(OptionError, match="59 rows, but the labels have 60"):
        MultilabelKFold(3, balance=X["sex"].iloc[1:]).split(X, Y)
    with pytest.raises(OptionError, match="'is' takes no weights"):
        MultilabelKFold(3, method="is", balance={"sex": {"weight": 2}, "age": 3}).split(X, Y)
