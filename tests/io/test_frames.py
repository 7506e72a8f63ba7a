"""Tables in memory, read as files are."""

import json
import pickle

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

import optisplit
from optisplit.errors import FoldAssignmentError, FormatError, OptionError
from optisplit.io.tables.frames import is_frame

FRAME = pd.DataFrame({
    "image_id": ["i3", "i1", "i2", "i9"], "patient": ["p", "q", "p", "r"], "tags": [["a", "b"], ["c"], [], ["b"]],
    "age": [3.5, 4, np.nan, 6],
})  # fmt: skip
ONE_HOT = pd.DataFrame({"id": [5, 3, 1], "cat": [1, 0, 1], "dog": [0, 1, 1], "title": ["x", "y", "z"]})
CLASSES = datasets.Features({
    "id": datasets.Value("string"), "text": datasets.Value("string"),
    "labels": datasets.List(datasets.ClassLabel(names=["cat", "dog", "eel"])),
})  # fmt: skip
TRAIN = datasets.Dataset.from_dict(
    {"id": ["x", "y", "z"], "text": ["t", "u", "v"], "labels": [[0, 2], [1], []]}, features=CLASSES
)
TEST = datasets.Dataset.from_dict({"id": ["w", "v"], "text": ["r", "s"], "labels": [[2], [1]]}, features=CLASSES)
BOTH = datasets.DatasetDict({"train": TRAIN, "test": TEST})


@pytest.mark.parametrize(
    ("given", "form"),
    [
        (FRAME, "pandas DataFrame"),
        (FRAME.set_index("image_id"), "pandas DataFrame"),
        (FRAME.set_axis([5, 3, 4, 0]), "pandas DataFrame"),
        (FRAME.assign(tags=FRAME["tags"].map(set)), "pandas DataFrame"),
        (pl.from_pandas(FRAME), "polars DataFrame"),
        (pa.Table.from_pandas(FRAME.set_index("image_id")), "Arrow Table"),
        (pa.Table.from_batches(pa.Table.from_pandas(FRAME).to_batches(max_chunksize=1)), "Arrow Table"),
        (pa.RecordBatch.from_pandas(FRAME), "Arrow RecordBatch"),
        (datasets.Dataset.from_pandas(FRAME), "Hugging Face Dataset"),
        (
            datasets.Dataset.from_pandas(FRAME.iloc[::-1], preserve_index=False).select([3, 2, 1, 0]),
            "Hugging Face Dataset",
        ),
    ],
)
def test_frames(given, form):
    data = optisplit.load(given)
    assert data.label_names == ("a", "b", "c")
    assert data.labels.toarray().tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]]
    assert (data.key, data.row_ids) == ("image_id", ("i3", "i1", "i2", "i9"))
    assert data.reading.form == form
    features = data.features
    assert list(features.columns) == ["patient", "age"]
    assert features["patient"].tolist() == list("pqpr")
    assert features["age"].tolist()[0:2] == [3.5, 4]
    assert pickle.loads(pickle.dumps(data)).digest == data.digest
    assert optisplit.load(given, **data.reading.options).digest == data.digest


def test_options_and_guesses_are_those_of_files(tmp_path):
    frame = ONE_HOT.assign(dog=[0, np.nan, 1])
    with pytest.raises(FormatError, match=r"'dog' is missing in 1 row.*\n.*missing='zero'"):
        optisplit.load(frame)
    assert optisplit.load(frame, missing="zero").labels.toarray().tolist() == [[1, 0], [0, 0], [1, 1]]
    kept = optisplit.load(frame, missing="drop-rows")
    assert (kept.row_ids, kept.features["title"].tolist()) == (("5", "1"), ["x", "z"])
    assert optisplit.load(ONE_HOT, label_columns="#2").label_names == ("cat",)
    assert optisplit.load(ONE_HOT, label_columns="c*", key="title").row_ids == ("x", "y", "z")
    ONE_HOT.to_parquet(tmp_path / "x.parquet")
    file, held = optisplit.load(tmp_path / "x.parquet"), optisplit.load(ONE_HOT)
    assert (file.digest, file.reading.guesses, file.row_ids) == (held.digest, held.reading.guesses, held.row_ids)


def test_cells_of_many_kinds():
    def labels(cells, **options):
        data = optisplit.load(pd.DataFrame({"id": ["x", "y"], "labels": cells}), **options)
        return dict(zip(data.label_names, data.labels.toarray().T.tolist(), strict=True))

    assert labels([{"NORM": 100.0, "SR": 0.0}, {"SR": 80}], threshold=50) == {"NORM": [1, 0], "SR": [0, 1]}
    assert labels([["a"], [3]]) == {"a": [1, 0], "3": [0, 1]}
    assert labels(["a|b", "a"]) == {"a": [1, 1], "b": [1, 0]}
    assert labels([np.array(["b"]), ("a", "b")]) == {"b": [1, 1], "a": [0, 1]}
    assert labels([np.array([1, 0]), np.array([1, 1])]) == {"label 0": [1, 1], "label 1": [0, 1]}
    with pytest.raises(FormatError, match="'labels' has lists in some rows, and 'b' in row 1"):
        labels([["a"], "b"])


def test_an_index_that_names_no_rows_is_none():
    assert optisplit.load(ONE_HOT.drop(columns="id")).row_ids is None
    assert optisplit.load(ONE_HOT.drop(columns=["id", "title"]).iloc[[2, 0]]).row_ids == ("2", "0")
    assert optisplit.load(ONE_HOT.set_axis([4, 7, 9])).row_ids == ("5", "3", "1")
    assert optisplit.load(ONE_HOT.drop(columns="id").set_axis(["p", "q", "r"])).row_ids == ("p", "q", "r")


def test_classes_of_hugging_face_have_their_names():
    data = optisplit.load(TRAIN, label_columns="labels")
    assert data.label_names == ("cat", "dog", "eel")
    assert data.labels.toarray().tolist() == [[1, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert optisplit.load(TRAIN.select([2, 0])).row_ids == ("z", "x")


def test_a_dataset_dict_and_its_split():
    data = optisplit.load(BOTH, label_columns="labels")
    assert data.row_ids == ("x", "y", "z", "w", "v")
    assert data.features["split"].tolist() == ["train"] * 3 + ["test"] * 2
    given = optisplit.read_split(BOTH, data)
    assert (given.folds.tolist(), given.part_names) == ([0, 0, 0, 1, 1], ("train", "test"))
    assert not optisplit.check_split(data, given).faults
    taken = optisplit.take_parts(BOTH, given)
    assert {name: part["id"][:] for name, part in taken.items()} == {"train": ["x", "y", "z"], "test": ["w", "v"]}
    with pytest.raises(FormatError, match=r"'test' has other columns.*\n.*dataset\['train'\]"):
        optisplit.load(datasets.DatasetDict({"train": TRAIN, "test": TEST.remove_columns("labels")}))


def test_pictures_are_not_read():
    pictures = datasets.Dataset.from_dict({"image": [{"bytes": b"x", "path": None}] * 2, "labels": [["a"], ["b"]]})
    data = optisplit.load(pictures)
    assert data.label_names == ("a", "b")
    assert data.features is None


def test_a_table_beside_the_data_may_be_in_memory():
    data = optisplit.load(FRAME)
    beside = pd.DataFrame({"image_id": ["i9", "i2", "i1", "i3"], "part": ["test", "train", "test", "train"]})
    for held in (beside, pl.from_pandas(beside), pa.Table.from_pandas(beside), datasets.Dataset.from_pandas(beside)):
        assert optisplit.read_split(held, data).folds.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("held", [FRAME.iloc[:0], pd.DataFrame(), pl.DataFrame({"fold": []})])
def test_a_split_without_rows(held):
    with pytest.raises(FormatError, match="'data' has no rows"):
        optisplit.read_split(held, optisplit.load(FRAME))


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        (pl.LazyFrame({"a": [0, 1]}), {}, r"collect\(\)"),
        (TRAIN.to_iterable_dataset(), {}, r"Dataset\.from_list"),
        (np.eye(3), {}, r"MultilabelDataset\.from_labels"),
        (FRAME, {"format": "arff"}, "no file of the format 'arff'"),
        (FRAME, {"header": True}, "header does not go"),
        (FRAME.iloc[:0], {}, "has no rows"),
        (FRAME, {"label_columns": "tag"}, "tag"),
    ],
)
def test_refusals(given, options, said):
    with pytest.raises((OptionError, FormatError), match=said):
        optisplit.load(given, **options)
    assert is_frame(given) is not isinstance(given, np.ndarray)


def test_parts_of_a_dataset():
    parts = optisplit.take_parts(TRAIN, [0, 1, 0], names=["train", "test"])
    assert type(parts) is datasets.DatasetDict
    assert {name: part["id"][:] for name, part in parts.items()} == {"train": ["x", "z"], "test": ["y"]}
    one = optisplit.take_parts(FRAME, [0, 1, -1, 0], fold=0)
    assert {name: part["image_id"].tolist() for name, part in one.items()} == {
        "train": ["i1", "i2"],
        "test": ["i3", "i9"],
    }
    assert_array_equal(optisplit.take_parts(np.arange(4), [0, 1, 1, 0])["fold_1"], [1, 2])
    for folds, options, said in (
        ([0, 1, 1, 0], {"names": ["train"]}, "2 parts, but 1 name"),
        ([0, 1, -1, 0], {}, "1 row is always in training"),
        ([0, 1, 1, 0], {"fold": 2}, "no fold 2"),
        ([0, 1, 1], {}, "3"),
    ):
        with pytest.raises(FoldAssignmentError, match=said):
            optisplit.take_parts(np.arange(4), folds, **options)


def test_a_split_of_a_plain_array_is_written(tmp_path):
    optisplit.save_split([0, 1, 0], tmp_path / "folds.json", [[0, 1], [1, 0], [1, 1]])
    assert json.loads((tmp_path / "folds.json").read_text())["folds"][1]["test"] == [1]


@pytest.mark.parametrize("kind", [float, np.float32])
def test_dictionaries_of_fractions_are_not_cut_to_whole_numbers(kind):
    scores = [{"a": kind(0.25), "b": kind(0.9)}, {"a": kind(0.75), "b": 0}]
    frame = pd.DataFrame({"labels": scores, "id": ["x", "y"]})
    assert optisplit.load(frame, threshold=0.5).labels.toarray().tolist() == [[0, 1], [1, 0]]
    with pytest.raises(FormatError, match=r"0 to 0\.9, that are not only 0 and 1"):
        optisplit.load(frame)
