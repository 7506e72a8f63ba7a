"""What a model would see of a split: labels that cannot be scored, and how wide the intervals of scores are."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from optisplit import check_split, load, read_split
from optisplit.io.features import has_features
from optisplit.studies.impact import score_widths


def table(n_rows: int = 40, **columns) -> pd.DataFrame:
    rows = np.arange(n_rows)
    labels = {"often": (rows % 2 == 0).astype(int), "seldom": (rows < 3).astype(int), "never": (rows == 39).astype(int)}
    return pd.DataFrame({"id": [f"r{row}" for row in rows], **columns, **labels})


def read(frame: pd.DataFrame, name: str = "mine.csv"):
    return load(io.BytesIO(frame.to_csv(index=False).encode()), name=name)


def test_each_label_has_the_tested_part_with_fewest_of_its_positives():
    data = read(table(size=np.arange(40) / 7))
    parts = np.repeat([0, 1, 2], [20, 10, 10])
    check = check_split(data, parts, n_random=0)
    assert check.has_features
    # taken as folds: all three are tested
    assert check.widths[["label", "part", "in_test"]].values.tolist() == [
        ["never", "fold 0", 0], ["seldom", "fold 1", 0], ["often", "fold 1", 5]
    ]  # fmt: skip
    assert check.widths["width"].tolist() == score_widths([0, 0, 5]).tolist()
    assert check.width_sentences[0] == (
        "2 labels of 3 have no positive in the fold with fewest of them, and cannot be scored there: 'seldom', 'never'."
    )


def test_of_training_and_test_parts_the_test_part_counts():
    frame = table(size=np.arange(40) / 7, part=np.repeat(["train", "test"], 20))
    data, given = read(frame), io.BytesIO(frame[["id", "part"]].to_csv(index=False).encode())
    check = check_split(data, read_split(given, data, name="parts.csv"), n_random=0)
    assert check.widths[["label", "part", "in_test"]].values.tolist() == [
        ["seldom", "test", 0], ["never", "test", 1], ["often", "test", 10]
    ]  # fmt: skip
    assert check.width_sentences[0] == "1 label of 3 has no positive in test, and cannot be scored there: 'seldom'."
    assert "What a model would see" in check.html()


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [(table(), False), (table(size=np.arange(40) / 7), True), (table()[["often", "seldom", "never"]], False)],
)
def test_features_are_known_without_reading_them(frame, wanted):
    data = read(frame)
    assert has_features(data) == wanted == (data.features is not None)
    assert not has_features(data.from_labels(data.labels))
    assert check_split(data, np.arange(40) % 2, n_random=0).has_features == wanted


@pytest.mark.parametrize(("sample", "wanted"), [("emotions", True), ("go_human_cc", False)])
def test_samples_have_features_or_not(sample, wanted):
    assert has_features(load(sample)) == wanted


def test_a_table_in_memory_has_features():
    assert has_features(load(table(size=np.arange(40) / 7)))
