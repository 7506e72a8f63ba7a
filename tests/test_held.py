"""What users hold in memory, through every door that takes labels: the same answer, or the same sentence."""

import subprocess
import sys

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import optisplit
from optisplit.errors import LabelError
from optisplit.model_selection import MultilabelKFold, MultilabelShuffleSplit, train_test_split

LISTS = [["a", "b"], ["c"], [], ["b"]] * 5
TABLE = [[1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]] * 5
NUMBERS = [[0, 1], [2], [], [1]] * 5
CLASSES = datasets.Features({"labels": datasets.List(datasets.ClassLabel(names=["a", "b", "c"]))})
N = len(LISTS)


class Tensor:
    """What calls itself an array, as tensors of PyTorch do."""

    def __init__(self, values):
        self.shape = np.shape(values)
        self._values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)

    def __len__(self):
        return len(self._values)

    def __getitem__(self, at):
        return Tensor(self._values[at])


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def tags(rows):
    return datasets.Dataset.from_dict({"labels": rows})


GIVEN = {
    "lists": LISTS,
    "tuple of tuples": tuple(map(tuple, LISTS)),
    "sets": list(map(set, LISTS)),
    "lists of numbers": NUMBERS,
    "sets of numbers": list(map(set, NUMBERS)),
    "Series of lists": pd.Series(LISTS, index=range(100, 100 + N)),
    "Series of tuples": pd.Series(list(map(tuple, LISTS))),
    "Series of sets": pd.Series(list(map(set, LISTS))),
    "Series of arrays": pd.Series([np.array(row, dtype=object) for row in LISTS]),
    "Series of numbers": pd.Series(NUMBERS),
    "Series of Arrow": pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.string()))),
    "Series of zeros and ones": pd.Series(TABLE),
    "frame of one column of lists": pd.DataFrame({"tags": LISTS}),
    "array of lists": pd.Series(LISTS).to_numpy(),
    "column of lists": pd.DataFrame({"tags": LISTS}).to_numpy(),
    "arrays of zeros and ones": list(np.array(TABLE)),
    "table": TABLE,
    "array": np.array(TABLE),
    "frame": pd.DataFrame(TABLE),
    "CSR": sp.csr_array(TABLE),
    "polars Series": pl.Series(LISTS),
    "polars Series of numbers": pl.Series(NUMBERS),
    "polars frame": pl.DataFrame(TABLE, orient="row"),
    "polars frame of one column of lists": pl.DataFrame({"tags": LISTS}),
    "Arrow array": pa.array(LISTS),
    "Arrow chunks": pa.chunked_array([LISTS[:7], LISTS[7:]]),
    "Arrow table": pa.table(dict(zip("abc", np.array(TABLE).T, strict=True))),
    "Arrow table of lists": pa.table({"tags": LISTS}),
    "Arrow lists of one length": pa.array(TABLE, pa.list_(pa.int8(), 3)),
    "Hugging Face": tags(LISTS),
    "Hugging Face column": tags(LISTS)["labels"],
    "Hugging Face classes": datasets.Dataset.from_dict({"labels": NUMBERS}, features=CLASSES),
    "Hugging Face column of classes": datasets.Dataset.from_dict({"labels": NUMBERS}, features=CLASSES)["labels"],
    "tensor": Tensor(TABLE),
}

DOORS = {
    "as_labels": optisplit.as_labels,
    "from_labels": optisplit.MultilabelDataset.from_labels,
    "split": lambda labels: optisplit.split(labels, 2, method="random", random_state=0),
    "evaluate": lambda labels: optisplit.evaluate(labels, np.arange(N) % 2),
    "check_split": lambda labels: optisplit.check_split(labels, np.arange(N) % 2),
    "save_split": lambda labels: optisplit.save_split(np.arange(N) % 2, "folds.csv", labels),
    "k-fold": lambda labels: list(MultilabelKFold(2, random_state=0, method="random").split(np.zeros(N), labels)),
    "shuffle": lambda labels: list(MultilabelShuffleSplit(1, random_state=0, method="random").split(None, labels)),
    "train_test_split": lambda labels: train_test_split(labels, method="random", random_state=0),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_the_same_labels_in_every_form(given):
    data = optisplit.MultilabelDataset.from_labels(given)
    assert data.labels.toarray().tolist() == TABLE
    assert optisplit.as_labels(given).toarray().tolist() == TABLE
    pairs = [list(MultilabelKFold(2, random_state=0).split(None, each)) for each in (given, np.array(TABLE))]
    for found, wanted in zip(*pairs, strict=True):
        np.testing.assert_array_equal(found[1], wanted[1])


def test_names():
    for form, names in {
        "Series of lists": ("a", "b", "c"),
        "Series of numbers": ("0", "1", "2"),
        "Hugging Face classes": ("a", "b", "c"),
        "Hugging Face column of classes": ("a", "b", "c"),
        "polars frame": ("column_0", "column_1", "column_2"),
        "Arrow table": ("a", "b", "c"),
        "tensor": ("label 0", "label 1", "label 2"),
    }.items():
        assert optisplit.MultilabelDataset.from_labels(GIVEN[form]).label_names == names
    unused = datasets.Dataset.from_dict({"labels": [[0, 2], [2, 0]]}, features=CLASSES)
    assert optisplit.as_labels(unused).toarray().tolist() == [[1, 0, 1], [1, 0, 1]]  # never taken for a table


REFUSED = {
    "texts": (
        ["7 12", "3"] * 10,
        r"such as '7 12' are not parted unasked.*\[text\.split\(\) for text in labels\]",
    ),
    "Series of texts": (pd.Series(["a,b", "c"] * 10), r"\[text\.split\(','\) for text in labels\]"),
    "polars texts": (pl.Series(["a|b", "c"] * 10), r"\[text\.split\('\|'\) for text in labels\]"),
    "numbers of one length": ([[0, 2], [1, 3]] * 10, r"\[set\(row\) for row in labels\]"),
    "could be both": ([[1, 0], [1]] * 10, r"different lengths.*\[set\(row\) for row in labels\]"),
    "a list and a text": ([["a"], "b"] * 10, r"10 rows have no list.*row 1, with 'b'.*give \['b'\]"),
    "a list and nothing": ([["a"], None] * 10, r"10 rows have no list.*give an empty list"),
    "missing lists": (pd.Series([["a"], np.nan] * 10), r"10 rows have no list"),
    "texts of 0 and 1": ([["0", "1"], ["1", "0"]] * 10, r"texts such as '0' and '1'.*int\(\.\.\.\)"),
    "array of texts": (np.array([["0", "1"], ["1", "0"]] * 10), r"these are texts, not numbers"),
    "counts": ([[0, 3], [2, 1]] * 10, r"\(labels > 0\)"),
    "ratings": (pd.DataFrame([[1.0, 5.0], [2.0, 3.0]] * 10), r"\(labels > 0\)"),
    "likelihoods": (np.array([[0.1, 0.9], [0.5, 0.25]] * 10), r"\(labels >= 0\.5\)"),
    "words": (pd.DataFrame({"x": ["cat", "dog"] * 10, "y": ["a", "b"] * 10}), r"pandas\.get_dummies"),
    "other columns too": (pd.DataFrame({"id": range(N), "tags": LISTS}), r"label_columns='\.\.\.'"),
    "padded": ([[0, -1], [1]] * 10, r"row 0 has -1"),
    "query": (pl.LazyFrame({"a": [0, 1] * 10}), r"collect\(\)"),
    "stream": (tags(LISTS).to_iterable_dataset(), r"Dataset\.from_list"),
    "dictionary": ({str(row): labels for row, labels in enumerate(LISTS)}, r"list\(labels\.values\(\)\)"),
    "dictionaries": ([{"a": 1}, {"b": 1}] * 10, r"pandas\.DataFrame\(labels\)"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", REFUSED)
def test_every_door_refuses_the_same(kind, door):
    given, said = REFUSED[kind]
    with pytest.raises(LabelError, match=f"(?s){said}"):
        DOORS[door](given)


def test_a_class_a_row_is_for_scikit_learns_doors_alone():
    for classes in ([0, 1, 2, 1] * 5, ["cat", "dog"] * 10):
        for door in list(DOORS)[:6]:
            with pytest.raises(LabelError, match=r"pandas\.get_dummies"):
                DOORS[door](classes)
            DOORS[door](pd.get_dummies(classes))
        for door in list(DOORS)[6:]:
            DOORS[door](classes)


def test_advice_helps():
    texts, numbers = ["7 12", "3"] * 10, [[0, 2], [1, 3]] * 10
    assert optisplit.as_labels([text.split() for text in texts]).sum() == 30
    assert optisplit.as_labels([set(row) for row in numbers]).shape == (20, 4)
    assert optisplit.as_labels(np.array([[0, 3], [2, 1]]) > 0).sum() == 3


def test_a_tensor_that_is_no_array_of_numpy_is_refused():
    class OnGpu(Tensor):
        def __array__(self, dtype=None, copy=None):
            msg = "can't convert cuda:0 device type tensor to numpy."
            raise TypeError(msg)

    with pytest.raises(LabelError, match=r"cuda:0.*\nHint: .*labels\.detach\(\)\.cpu\(\)"):
        optisplit.as_labels(OnGpu(TABLE))


@pytest.mark.parametrize("form", GIVEN)
def test_parts_are_what_the_whole_is(form):
    given = GIVEN[form]
    rows, test_rows, train, test = train_test_split(np.arange(N), given, test_size=0.25, random_state=0)
    kind = type(given)
    assert type(train) is type(test) is (list if kind in (tuple, datasets.arrow_dataset.Column) else kind)
    assert (len(train) if not sp.issparse(train) else train.shape[0]) == len(rows) == 15
    assert optisplit.as_labels(test).sum() == np.array(TABLE)[test_rows].sum()


def test_features_of_any_kind_beside_labels():
    labels = np.array(TABLE)
    held = {
        "hugging face": datasets.Dataset.from_dict({"x": list(range(N))}),
        "polars": pl.DataFrame({"x": range(N)}),
        "arrow": pa.table({"x": list(range(N))}),
        "pandas": pd.DataFrame({"x": range(N)}),
    }
    for features in held.values():
        train, test, _, _, rows, _ = train_test_split(features, labels, np.arange(N), stratify=labels, random_state=0)
        assert type(train) is type(test) is type(features)
        x = train["x"]
        assert list(x.to_pylist() if hasattr(x, "to_pylist") else x[:] if not hasattr(x, "tolist") else x) == list(rows)


def test_groups_in_any_form():
    names = np.repeat(["p", "q", "r", "s", "t"], 4)
    wanted = [test.tolist() for _, test in MultilabelKFold(2, random_state=0).split(None, TABLE, names)]
    for groups in (
        names.tolist(), pd.Series(names), pd.DataFrame({"g": names}), names.reshape(-1, 1), pl.Series(names),
        pl.DataFrame({"g": names}), pa.array(names), pa.table({"g": names}),
    ):  # fmt: skip
        found = [test.tolist() for _, test in MultilabelKFold(2, random_state=0).split(None, TABLE, groups)]
        assert found == wanted
        train_test_split(TABLE, groups=groups, random_state=0)


def test_no_package_is_imported_for_it():
    code = (
        "import sys, optisplit; optisplit.as_labels([['a'], ['b']]); "
        "print([each for each in ('polars', 'datasets', 'pandas', 'pyarrow', 'torch') if each in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
