"""Columns of any kind become columns that can be balanced; answers by hand."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp

import optisplit
from optisplit import MultilabelDataset, encode_targets
from optisplit.errors import FormatError, OptionError
from optisplit.io.encoding.encode import Balance, whole_of
from optisplit.io.encoding.targets import Target, parse_target
from optisplit.io.tables.typed import typed


def columns_of(targets: MultilabelDataset) -> dict[str, list[int]]:
    return dict(zip(targets.label_names, targets.labels.toarray().T.tolist(), strict=True))


def test_categories():
    frame = pd.DataFrame({"site": ["b", "a", None, " ", "b"], "flag": [True, False, True, True, False]})
    assert columns_of(encode_targets(frame, categories=["site", "flag"])) == {
        "site=a": [0, 1, 0, 0, 0], "site=b": [1, 0, 0, 0, 1], "site missing": [0, 0, 1, 1, 0],
        "flag=False": [0, 1, 0, 0, 1], "flag=True": [1, 0, 1, 1, 0],
    }  # fmt: skip


def test_numbers_are_categories_by_size_and_without_a_point():
    targets = encode_targets(pd.DataFrame({"grade": [10.0, 9, np.nan, 2, 9]}), categories=["grade"])
    assert targets.label_names == ("grade=2", "grade=9", "grade=10", "grade missing")


def test_categories_of_pandas_keep_their_order():
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame({"level": pd.Series(["high", "low", "high"], dtype=kind)})
    assert encode_targets(frame, categories="level").label_names == ("level=low", "level=high")


@pytest.mark.parametrize(
    ("values", "bins", "names", "sizes"),
    [
        (range(20, 80), 4, ["20-34", "35-49", "50-64", "65-79"], [15, 15, 15, 15]),
        ([1, 1, 1, 1, 2, 3], 2, ["1", "2-3"], [4, 2]),  # equal values are never parted
        ([1, 2, 2, 2, 2, 2], 3, ["1", "2"], [1, 5]),
        ([-3, -1, 0, 4], 2, ["-3 to -1", "0-4"], [2, 2]),
        ([0.5, 1.25, 2.0, np.nan], 3, ["0.5", "1.25", "2"], [1, 1, 1, 1]),
        (["7", "12", "30", "31"], 2, ["7-12", "30-31"], [2, 2]),  # texts of numbers
    ],
)
def test_bins(values, bins, names, sizes):
    targets = encode_targets(pd.DataFrame({"x": list(values)}), numbers={"x": bins})
    known = [name for name in targets.label_names if name != "x missing"]
    assert known == [f"x={name}" for name in names]
    assert np.asarray(targets.labels.sum(axis=0)).tolist() == sizes


@pytest.mark.parametrize(
    ("period", "names"),
    [
        ("year", ["2023", "2024"]),
        ("quarter", ["2023-Q4", "2024-Q1", "2024-Q2"]),
        ("month", ["2023-12", "2024-01", "2024-05"]),
        ("week", ["2023-W52", "2024-W01", "2024-W22"]),
        ("day", ["2023-12-31", "2024-01-01", "2024-05-31"]),
    ],
)
def test_dates(period, names):
    texts = ["2024-05-31", "2023-12-31", "2024-01-01", None]
    for cells in (texts, pd.to_datetime(pd.Series(texts)), [each and dt.date.fromisoformat(each) for each in texts]):
        targets = encode_targets(pd.DataFrame({"when": cells}), dates={"when": period})
        assert targets.label_names == (*(f"when={name}" for name in names), "when missing")
        assert targets.labels.toarray()[3].tolist() == [0] * len(names) + [1]


def test_dates_are_of_their_own_time_zone():
    when = pd.Series(pd.to_datetime(["2024-01-01T00:30", "2023-12-31T23:30"])).dt.tz_localize("Europe/Helsinki")
    assert encode_targets(pd.DataFrame({"when": when}), dates={"when": "year"}).label_names == (
        "when=2023",
        "when=2024",
    )


@pytest.mark.parametrize(
    "cells",
    [
        [["a", "b"], [], None, ["b"]],
        ["a|b", "[]", None, "b"],
        ["['a', 'b']", "[]", "", '["b"]'],
    ],
)
def test_lists(cells):
    targets = encode_targets(pd.DataFrame({"tag": cells}), lists=["tag"])
    assert columns_of(targets) == {"tag=a": [1, 0, 0, 0], "tag=b": [1, 0, 0, 1], "tag missing": [0, 0, 1, 0]}


def test_lists_with_a_separator_that_is_said():
    targets = encode_targets(pd.DataFrame({"tag": ["a b;c", "c"]}), lists={"tag": ";"})
    assert columns_of(targets) == {"tag=a b": [1, 0], "tag=c": [1, 1]}


def test_counts_and_weights():
    frame = pd.DataFrame({"n": [0, 3, 1, None], "sex": list("fmfm")})
    targets = encode_targets(frame, categories=["sex"], counts=["n"], weights={"n": 2.5})
    assert columns_of(targets) == {"sex=f": [1, 0, 1, 0], "sex=m": [0, 1, 0, 1], "n": [0, 3, 1, 0],
                                   "n missing": [0, 0, 0, 1]}  # fmt: skip
    assert targets.labels.dtype == np.int32
    assert targets.weights.tolist() == [1, 1, 2.5, 2.5]
    assert encode_targets(frame, categories=["sex"]).labels.dtype == np.int8


GUESSED = {
    "few numbers": ([1, 2, 1, 2] * 3, "category"),
    "many numbers": ([3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41], "number"),
    "texts of numbers": ([str(each) for each in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)], "number"),
    "truth": ([True, False] * 6, "category"),
    "texts": (["x", "y", "y"] * 4, "category"),
    "lists": ([["x"], ["x", "y"], []] * 4, "list"),
    "texts of lists": (["x|y", "y", "x|z"] * 4, "list"),
    "names with commas": (["Smith, J", "Roe, R", "Smith, J"] * 4, "category"),
    "days": ([f"2024-{month:02}-01" for month in range(1, 13)], "date"),
    "dates": ([dt.date(2024, month, 1) for month in range(1, 13)], "date"),
    "a missing one": ([None, "x", "y"] * 4, "category"),
}


@pytest.mark.parametrize("name", GUESSED)
def test_guesses(name):
    cells, kind = GUESSED[name]
    data = MultilabelDataset.from_labels([[1], [0]] * 6)
    balance = Balance.make(data, pd.DataFrame({"x": cells}), (Target("x"),))
    assert encode_targets(pd.DataFrame({"x": cells})).digest == balance.targets.digest
    assert encode_targets(pd.DataFrame({"x": cells}), {"x": kind}).digest == balance.targets.digest


@pytest.mark.parametrize(
    ("n_days", "names"),
    [
        (10, ["2024-01-01", "2024-01-10"]),
        (300, ["2024-01", "2024-10"]),
        (900, ["2024-Q1", "2026-Q2"]),
        (4000, ["2024", "2034"]),
    ],
)
def test_the_period_is_the_shortest_of_which_there_are_few(n_days, names):
    when = pd.date_range("2024-01-01", periods=n_days)
    targets = encode_targets(pd.DataFrame({"when": when}))
    assert [targets.label_names[0], targets.label_names[-1]] == [f"when={name}" for name in names]


@pytest.mark.parametrize(
    ("cells", "how", "said"),
    [
        ([*"abcdefgh"], "category", "a different value in each of 8 rows, as ids have"),
        ([*range(12)], None, "numbers its 12 rows, as ids do"),
        ([*range(5, 17)], None, "numbers its 12 rows, as ids do"),
        ([f"name {each}" for each in range(11)] + ["x"] * 4, None, "11 values on one row only, as names have"),
        (["x"] * 4, None, "one value in all 4 rows"),
        ([3.0] * 4, "number", "one value in all 4 rows"),
        ([None] * 4, None, "one value in all 4 rows"),
        ([None] * 4, "number", "no value in any row"),
        ([None] * 4, "date", "no date in any row"),
        ([None] * 4, "list", "no item in any row"),
        ([0, 0, 0], "count", "has 0 in all rows"),
        ([1, -2, 3], "count", "1 value such as -2"),
        ([1, 0.5, 1.5], "count", "2 values such as 0.5"),
        (["1", "x", "y"], "number", "2 values are no number, such as 'x'"),
        (["2024-01-01", "31.1.2024"], "date", "1 value is no date, such as '31.1.2024'"),
        ([{"a": 1}, {"b": 1}], "category", "lists or other things"),
        (["a", "b", "a"], "x", "cannot be balanced by 'x'"),
        ([1, 2, 3], 1, "from 2 on, got 1"),
        ([1, 2, 3], {"weight": 0}, "a weight above 0, got 0"),
        ([1, 2, 3], {"kind": "list", "bins": 3}, "is a list, which has no bins"),
        ([1, 2, 3], {"bin": 3}, "did you mean 'bins'"),
    ],
)
def test_what_cannot_be_balanced(cells, how, said):
    with pytest.raises(OptionError, match=said):
        encode_targets(pd.DataFrame({"x": pd.Series(cells, dtype=object)}).infer_objects(), {"x": how})


def test_ids_as_a_quantity():
    assert encode_targets(pd.DataFrame({"x": range(12)}), {"x": 2}).label_names == ("x=0-5", "x=6-11")


def test_names_that_are_wrong():
    frame = pd.DataFrame({"age": [1, 2, 1], "sex": list("aba")})
    with pytest.raises(OptionError, match=r"(?s)'aeg'.*did you mean 'age'"):
        encode_targets(frame, ["aeg"])
    with pytest.raises(OptionError, match="named twice: 'age'"):
        encode_targets(frame, ["age"], numbers={"age": 2})
    with pytest.raises(OptionError, match="weights of columns that are not to be balanced: 'sex'"):
        encode_targets(frame, ["age"], weights={"sex": 2})
    with pytest.raises(OptionError, match="2 columns called 'sex'"):
        encode_targets(pd.DataFrame([[1, 2]], columns=["sex", "sex"]), ["sex"])


def test_tables_of_other_kinds():
    array = np.array([[0, 5], [1, 6], [0, 6]])
    wanted = ("column 0=0", "column 0=1", "column 1=5", "column 1=6")
    assert encode_targets(array).label_names == wanted
    assert encode_targets(sp.csr_array(array)).label_names == wanted
    assert encode_targets(["x", "y", "x"]).label_names == ("value=x", "value=y")
    assert encode_targets({"a": ["x", "y", "x"]}).label_names == ("a=x", "a=y")


def test_the_table_is_left_as_it_is():
    frame = pd.DataFrame({"sex": ["f", None], "age": [1.0, np.nan], "tag": [["x"], []]})
    before = frame.copy(deep=True)
    encode_targets(frame, categories=["sex"], numbers={"age": 2}, lists=["tag"])
    pd.testing.assert_frame_equal(frame, before)


COLUMNS = ["sex", "a=b", "a", "x:2"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("sex", Target("sex")),
        ("sex=category", Target("sex", "category")),
        ("sex=4:2", Target("sex", "number", bins=4, weight=2.0)),
        ("sex:0.5", Target("sex", weight=0.5)),
        ("sex=month", Target("sex", "date", period="month")),
        ("a=b", Target("a=b")),
        ("a=b=list", Target("a=b", "list")),
        ("a=count", Target("a", "count")),
        ("x:2", Target("x:2")),
        ("x:2:3", Target("x:2", weight=3.0)),
        ("other", Target("other")),
    ],
)
def test_columns_as_they_are_typed(text, target):
    assert parse_target(text, COLUMNS) == target
    assert Target.of(target.column, target.settings) == target
    assert Target.of(target.column, target.how) == target


@pytest.fixture
def data(tmp_path):
    lines = [f"r{row},{'xy'[row % 2]},{row % 3 + 20},{'mf'[row % 4 // 2]}" for row in range(24)]
    (tmp_path / "data.csv").write_text("\n".join(["id,label,age,sex", *lines, ""]))
    return optisplit.load(tmp_path / "data.csv", label_columns=["label"])


def test_columns_of_the_data(data):
    balance = Balance.of(data, ["sex", "age"])
    assert balance.targets.label_names == ("sex=f", "sex=m", "age=20", "age=21", "age=22")
    assert [each.settings for each in balance.columns] == [{"kind": "category"}] * 2
    again = Balance.of(data, {each.column: each.settings for each in balance.columns})
    assert again.targets.digest == balance.targets.digest
    assert Balance.of(data, data.features).targets.digest == encode_targets(data).digest
    assert whole_of(data, balance).label_names == (*data.label_names, *balance.targets.label_names)
    assert whole_of(data, None) is data


def test_what_the_data_do_not_have(data):
    with pytest.raises(OptionError, match="'x' is a label, which is balanced anyway"):
        Balance.of(data, "x")
    with pytest.raises(OptionError, match="3 rows, but the labels have 24"):
        Balance.of(data, [[1], [2], [1]])
    with pytest.raises(OptionError, match=r"(?s)no column 'x' to balance.*in Python a table"):
        Balance.of(MultilabelDataset.from_labels([[1], [0]]), ["x"])


def test_instances():
    labels = MultilabelDataset.from_labels([[1, 0], [1, 1]], ["cat", "dog"])
    counts = sp.csr_array(np.array([[3, 0], [1, 2]], dtype=np.int32))
    detected = MultilabelDataset(labels.labels, labels.label_names, counts=counts)
    targets = Balance.of(detected, "instances").targets
    assert columns_of(targets) == {"cat instances": [3, 1], "dog instances": [0, 2]}
    assert Balance.of(detected, {"instances": {"weight": 3}}).targets.weights.tolist() == [3, 3]


def test_numbers_without_end_and_columns_called_by_numbers():
    frame = pd.DataFrame({0: [1.0, np.inf, np.inf, 1.0], 1: [1, 2, 2, 1]})
    assert encode_targets(frame).label_names == ("0=1", "0=inf", "1=1", "1=2")


@pytest.mark.parametrize("metadata", [{"pandas": "{"}, {"pandas": "[]"}])
def test_a_table_of_arrow_that_pandas_cannot_have_is_refused(metadata):
    table = pa.table({"a": [1, 2, 1]}).replace_schema_metadata(metadata)
    with pytest.raises(FormatError, match="cannot be read"):
        encode_targets(table)


def test_numbers_are_read_whatever_blank_characters_stand_around_them():
    table = typed({"points": ["1", " 2.\x1d", None, "\u20033"], "commas": ["1,5\x1f", "2,5", "3", None]})
    assert table["points"].tolist()[:2] + table["points"].tolist()[3:] == [1, 2, 3]
    assert table["commas"].tolist()[:3] == [1.5, 2.5, 3]
