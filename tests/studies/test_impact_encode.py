"""Features of any table as numbers."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from optisplit.errors import Cancelled, OptionError
from optisplit.studies.impact import encode, encode_features, feature_columns, measure_parts_impact
from optisplit.studies.impact.words import words_of

RNG = np.random.default_rng(2)
TABLE = pd.DataFrame(
    {
        "name": [f"p{i:03d}" for i in range(30)],
        "line": range(1, 31),
        "age": [*RNG.normal(50, 9, 29), None],
        "site": ["Oulu", "Turku", None] * 10,
        "seen": pd.date_range("2024-01-30", periods=30, freq="36h").astype(str),
        "note": [f"{what} {day}" for day in range(10) for what in ("pain in chest", "no pain", "боль в груди")],
        "always": "x",
        "never": [None] * 30,
        "is_new": [True, False] * 15,
    }
)


@pytest.fixture(scope="module")
def found():
    return encode_features(TABLE)


def column(found, name):
    return found.X[:, found.names.index(name)]


def test_numbers_stay_and_say_where_they_are_missing(found):
    assert (column(found, "age")[:29] == TABLE["age"][:29]).all()
    assert column(found, "age")[29] == np.median(TABLE["age"][:29])
    assert column(found, "age is missing").tolist() == [0] * 29 + [1]
    assert (column(found, "is_new") == TABLE["is_new"]).all()


def test_categories_dates_and_texts(found):
    assert (column(found, "site is missing") == TABLE["site"].isna()).all()
    assert column(found, "site is Oulu").tolist() == [1, 0, 0] * 10
    assert column(found, "seen_month")[:2].tolist() == [1, 1]
    assert (np.diff(column(found, "seen_total_seconds")) > 0).all()
    assert (column(found, "note: боль") > 0).tolist() == [False, False, True] * 10
    assert (column(found, "note: pain") > 0).tolist() == [True, True, False] * 10


def test_each_feature_knows_its_column(found):
    assert [each.name for each in found.columns] == ["age", "site", "seen", "note", "is_new"]
    assert len(found.of_column) == len(found.names) == found.X.shape[1]
    assert [found.names[j] for j in np.flatnonzero(found.of_column == 4)] == ["is_new"]


def test_what_is_left_out_is_said(found):
    assert found.notes == (
        "2 columns are left out, since values name rows, each on one row: 'name', 'line'.",
        "1 column is left out, with one value in all rows: 'always'.",
        "1 column is left out, without a value in any row: 'never'.",
        "1 column has missing values: the median stands for them, and a further column says where: 'age'.",
        "1 column has missing values, taken as a value of their own: 'site'.",
    )


def test_columns_are_told_without_encoding_them():
    kinds = {each.name: each.kind for each in feature_columns(TABLE)}
    assert kinds == {
        "name": "id", "line": "id", "age": "number", "site": "category", "seen": "date", "note": "text",
        "always": "constant", "never": "empty", "is_new": "number",
    }  # fmt: skip
    assert [each.n_missing for each in feature_columns(TABLE)][2:4] == [1, 10]
    assert feature_columns(np.eye(3)) == []


def test_measured_numbers_that_all_differ_are_no_ids():
    table = pd.DataFrame({"income": RNG.permutation(1000)[:50], "patient_id": RNG.permutation(1000)[:50]})
    assert [each.kind for each in feature_columns(table)] == ["number", "id"]


def test_columns_can_be_left_out():
    found = encode_features(TABLE, leave_out=["note", "seen", "site"])
    assert found.names == ("age", "age is missing", "is_new")


def test_words_of_many_scripts():
    assert words_of("Chest-pain, 2 days") == ["chest", "pain", "2", "days"]
    assert words_of("Боль В груди") == ["боль", "в", "груди"]
    assert words_of("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert words_of("胸の痛み。abc") == ["胸の", "の痛", "痛み", "abc"]
    assert words_of("xปวด") == ["x", "ปว", "วด"]


def test_many_words_make_a_sparse_table_with_scaled_numbers(monkeypatch):
    monkeypatch.setattr(encode, "SMALL_CELLS", 10)
    table = pd.DataFrame({"a": RNG.normal(5, 3, 40), "text": [f"word{i % 21} and so {i}" for i in range(40)]})
    found = encode_features(table)
    assert sp.issparse(found.X)
    values = found.X.toarray()[:, 0]
    assert (values.mean(), values.std()) == pytest.approx((0, 1))
    assert found.names[:2] == ("a", "text: and")


def test_matrices_stay_as_they_are():
    dense, sparse = RNG.normal(size=(9, 3)), sp.random_array((9, 30), density=0.2, rng=1)
    assert encode_features(dense).X is dense
    found = encode_features(sparse).X
    assert sp.issparse(found)
    assert (found != sparse).nnz == 0
    gaps = dense.copy()
    gaps[2, 1] = np.nan
    assert encode_features(gaps).X[2, 1] == np.median(np.delete(dense[:, 1], 2))


def test_values_that_are_no_scalars_and_names_that_are_no_words():
    table = pd.DataFrame({0: [["a"], ["b"]] * 5, "x": range(0, 20, 2)}).set_axis([0, 0], axis=1)
    assert [each.name for each in encode_features(table).columns] == ["0", "column 0"]
    assert encode_features([["a", 1], ["b", 2]] * 3).X.shape == (6, 2)


def test_progress_and_cancel():
    seen = []
    encode_features(TABLE, on_progress=lambda *each: seen.append(each[:2]))
    assert seen[0] == (0, 5)
    assert seen[-1] == (4, 5)

    def stop(done, total, score):
        raise Cancelled

    with pytest.raises(Cancelled):
        encode_features(TABLE, on_progress=stop)


@pytest.mark.parametrize(
    ("features", "said"),
    [
        (None, "There are no features, and a model needs some"),
        (np.ones((5, 2)), "Every feature is constant over the 5 rows"),
        (sp.csr_array((5, 2)), "Every feature is constant"),
        (np.empty((5, 0)), "There are no features: X has the shape"),
        (pd.DataFrame({"a": [1, 1], "b": None}), "each is constant, empty or an id"),
        (pd.DataFrame({"a": [1, np.inf]}), "'a' has 1 infinite value"),
        (pd.DataFrame({"a": ["one two", "three four", "five six"] * 1}), "no word that two rows have"),
        (np.zeros((2, 2, 2)), "its shape is"),
    ],
)
def test_wrong_features(features, said):
    with pytest.raises(OptionError, match=said):
        encode_features(features)


def test_without_skrub_it_is_said_what_to_do(monkeypatch):
    imported = builtins.__import__

    def without(name, *rest):
        if name == "skrub":
            raise ImportError
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert encode_features(TABLE[["age", "is_new"]]).X.shape == (30, 3)
    with pytest.raises(OptionError, match=r"1 column holds other things than numbers: 'site'. .* [(]pip install skr"):
        encode_features(TABLE[["age", "site"]])


def test_a_table_of_any_columns_can_be_studied():
    labels = np.stack([TABLE["site"] == "Oulu", TABLE["is_new"]], axis=1).astype(np.int8)
    found = measure_parts_impact((TABLE, labels), [], fold_sizes=[0.7, 0.3], seeds=range(2), leave_out=["seen"])
    assert found.notes[0].startswith("2 columns are left out")
    assert found.table["micro_f1"].min() > 0.5
