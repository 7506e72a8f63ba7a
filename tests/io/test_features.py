"""Tests of what files say of rows beside their labels."""

from __future__ import annotations

import dataclasses
import gzip
import json
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from optisplit import load
from optisplit.errors import FormatError

HEADER = "@relation 'r: -C 1'\n@attribute a {0,1}\n@attribute n numeric\n@attribute v {no,yes}\n@data\n"


@pytest.fixture
def features_of(tmp_path):
    def read(text, name, **options):
        path = tmp_path / name
        path.write_text(text)
        return load(path, **options).features

    return read


def test_dense_and_sparse_rows_of_arff(features_of):
    dense = features_of(HEADER + "1,2.5,yes\n0,0,no\n", "dense.arff")
    assert dense.columns.tolist() == ["n", "v"]
    assert dense.to_numpy().tolist() == [[2.5, 1.0], [0.0, 0.0]]
    sparse = features_of(HEADER + "{0 1, 1 2.5, 2 yes}\n{}\n", "sparse.arff")
    assert sp.issparse(sparse)
    assert (sparse.toarray() == dense.to_numpy()).all()


def test_rows_of_arff_with_weights_comments_and_tabs(features_of):
    rows = "1,2.5,yes,{0.5}\n0\t0\tno\n{1 3} % half\n"
    assert features_of(HEADER + rows, "a.arff").toarray().tolist() == [[2.5, 1.0], [0.0, 0.0], [3.0, 0.0]]


def test_texts_categories_and_missing_numbers_of_arff(features_of):
    header = HEADER.replace("@data", "@attribute s string\n@attribute c {r,g,b}\n@data")
    frame = features_of(header + "1,?,yes,'a b',g\n0,1,no,?,b\n", "a.arff")
    assert frame["n"].isna().tolist() == [True, False]
    assert frame["s"].tolist()[0] == "a b"
    assert frame["s"].isna().tolist() == [False, True]
    assert frame["c"].astype(str).tolist() == ["g", "b"]
    assert frame["c"].cat.categories.tolist() == ["r", "g", "b"]


@pytest.mark.parametrize("row", ["1,x,yes", "1,2,maybe", "1,inf,yes"])
def test_cells_of_arff_that_are_not_what_is_declared_are_named(features_of, row):
    with pytest.raises(FormatError, match=r"Line 6: the feature '[nv]' is"):
        features_of(HEADER + row + "\n", "a.arff")


TABLE = (
    "id;name;x;when;ok;size;code;lab1;lab2\n7;ann;1.5;2020-01-02;true;1,5;007;1;0\n8;;2;2021-03-04;false;2;012;0;1\n"
)


def test_columns_of_a_table_are_typed(features_of):
    frame = features_of(TABLE, "t.csv", label_columns=2)
    assert frame.columns.tolist() == ["name", "x", "when", "ok", "size", "code"]
    assert frame["name"].isna().tolist() == [False, True]
    assert frame["x"].tolist() == [1.5, 2.0]
    assert frame["when"].tolist() == [pd.Timestamp(2020, 1, 2), pd.Timestamp(2021, 3, 4)]
    assert frame["ok"].tolist() == [True, False]
    assert frame["size"].tolist() == [1.5, 2.0]
    assert frame["code"].tolist() == ["007", "012"]


def test_rows_that_were_left_out_have_no_features(features_of):
    frame = features_of("x,a,b\n1,1,\n2,0,1\n3,1,1\n", "t.csv", missing="drop-rows")
    assert frame["x"].tolist() == [2, 3]


def test_they_are_read_when_first_asked_for_also_after_pickling(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    data = pickle.loads(pickle.dumps(load(path, label_columns=2)))
    assert "features" not in vars(data)
    assert data.features["x"].tolist() == [1.5, 2.0]
    path.write_bytes(gzip.compress(TABLE.partition("8;")[0].encode()))
    assert data.features["x"].tolist() == [1.5, 2.0]  # they are kept
    again = dataclasses.replace(data)
    with pytest.raises(FormatError, match="has 1 rows now, but 2 when it was read"):
        _ = again.features


def test_json_and_parquet_have_their_own_types(tmp_path, features_of):
    rows = [{"id": "a", "labels": ["x"], "n": 3, "t": "u"}, {"id": "b", "labels": ["x", "y"], "n": None, "t": "v"}]
    frame = features_of("\n".join(map(json.dumps, rows)), "t.jsonl")
    assert frame.columns.tolist() == ["n", "t"]
    assert frame["n"].isna().tolist() == [False, True]
    pd.DataFrame(rows).to_parquet(tmp_path / "t.parquet")
    frame = load(tmp_path / "t.parquet").features
    assert frame["n"].tolist()[0] == 3.0
    assert frame["t"].tolist() == ["u", "v"]


@pytest.mark.parametrize("text", ["1,2 1:0.5 3:2\n2 2:1 # a comment\n", "1,2 qid:4 1:0.5 3:2\n2 2:1\n"])
def test_features_of_libsvm_are_sparse(features_of, text):
    found = features_of(text, "t.svm")
    assert found.toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]]


def test_features_of_xmc_are_counted_from_0(features_of):
    assert features_of("2 3 2\n0,1 0:0.5 2:2\n1 1:1\n", "t.txt").toarray().tolist() == [[0.5, 0, 2], [0, 1, 0]]


def test_files_of_labels_alone_have_none(tmp_path, features_of):
    assert features_of("a,b\n1,0\n0,1\n", "t.csv") is None
    assert features_of("row,label\nx,a\nx,b\ny,a\n", "t.csv") is None
    sp.save_npz(tmp_path / "t.npz", sp.csr_array(np.eye(3, dtype=np.int8)))
    assert load(tmp_path / "t.npz").features is None
