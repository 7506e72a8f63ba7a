from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from optisplit.errors import LabelError, OptionError
from optisplit.labels import MultilabelDataset, as_dataset
from optisplit.text import clean_name, listed

DENSE = np.array([[1, 0], [0, 1], [1, 1]])


def test_names_by_default():
    data = MultilabelDataset.from_labels(DENSE)
    assert data.label_names == ("label 0", "label 1")
    assert data.row_ids is None
    assert (data.name, data.notes) == ("data", ())
    assert (data.n_rows, data.n_labels, data.n_positives) == (3, 2, 4)


def test_names_of_a_frame():
    frame = pd.DataFrame(DENSE, columns=["a", 7])
    assert MultilabelDataset.from_labels(frame).label_names == ("a", "7")
    assert MultilabelDataset.from_labels(frame, ["x", "y"]).label_names == ("x", "y")


def test_given_names_and_ids_are_cleaned_and_kept():
    data = MultilabelDataset.from_labels(
        DENSE, iter([" a\tb", "<b>"]), row_ids=iter([1, "two", "\u202ethree"]), name="my\ndata", notes=["n"]
    )
    assert data.label_names == ("a b", "<b>")
    assert data.row_ids == ("1", "two", "three")
    assert (data.name, data.notes) == ("my data", ("n",))


@pytest.mark.parametrize(
    ("names", "match"),
    [
        ({"label_names": ["a"]}, "There are 1 label names, but the label matrix needs 2"),
        ({"label_names": list("abc")}, "There are 3 label names, but the label matrix needs 2"),
        ({"row_ids": list("ab")}, "There are 2 row ids, but the label matrix needs 3"),
        ({"row_ids": []}, "There are 0 row ids, but the label matrix needs 3"),
    ],
)
def test_wrong_number_of_names(names, match):
    with pytest.raises(LabelError, match=match):
        MultilabelDataset.from_labels(DENSE, **names)


def test_bad_values_are_reported_by_name():
    with pytest.raises(LabelError, match=r"'2', first in row 2, in the label 'y'"):
        MultilabelDataset.from_labels([[0, 0], [0, 0], [0, 2]], ["x", "y"])


def test_as_dataset():
    data = MultilabelDataset.from_labels(DENSE, ["x", "y"])
    assert as_dataset(data) is data
    assert as_dataset(DENSE).label_names == ("label 0", "label 1")


def test_it_cannot_be_changed():
    data = as_dataset(DENSE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"


def test_digest():
    data = MultilabelDataset.from_labels(DENSE, ["x", "y"])
    assert data.digest == MultilabelDataset.from_labels(pd.DataFrame(DENSE, columns=["x", "y"])).digest
    others = [
        MultilabelDataset.from_labels(DENSE, ["x", "z"]),
        MultilabelDataset.from_labels(DENSE[::-1], ["x", "y"]),
        MultilabelDataset.from_labels(np.vstack([DENSE, [[0, 0]]]), ["x", "y"]),
        MultilabelDataset.from_labels(1 - DENSE, ["x", "y"]),
    ]
    assert len({data.digest, *(other.digest for other in others)}) == 5


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain", "plain"),
        (12, "12"),
        ("", ""),
        ("  two   words ", "two words"),
        ("line\r\nbreak\u2028here", "line break here"),
        ("no\x00\x1b\x7fcontrols", "nocontrols"),
        ("\ufeffmark\u200b", "mark"),
        ("a\u202eb\u2066c", "abc"),
        ("a\ud800b", "ab"),
        ("<script>&amp;", "<script>&amp;"),
        ("e\u0301", "é"),
        ("日本語 😀", "日本語 😀"),
        ("non\u00a0breaking", "non breaking"),
    ],
)
def test_clean_name(name, shown):
    assert clean_name(name) == shown
    assert clean_name(clean_name(name)) == clean_name(name)


def test_clean_name_has_a_limit():
    assert clean_name("x" * 200) == "x" * 200
    assert clean_name("x" * 201) == "x" * 199 + "…"
    assert clean_name("é" * 10, limit=4) == "ééé…"


def test_errors_hint_and_list():
    assert str(OptionError.unknown("method", "optisplt", ["random", "optisplit"])) == (
        "Unknown method 'optisplt'; the known ones are 'random', 'optisplit'.\nHint: did you mean 'optisplit'?"
    )
    assert "Hint" not in str(OptionError.unknown("method", "zzz", ["random"]))
    assert listed([1, 2, 3]) == "'1', '2', '3'"
    assert listed(range(2000), limit=1) == "'0' and 1,999 more"
