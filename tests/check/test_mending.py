"""Mending splits, splits with planted faults, and the figure that places a split among random ones."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest

import optisplit
from optisplit.check.checks import RandomScores, check_split
from optisplit.check.example import N_SPLITS, planted_split
from optisplit.check.mending import mend, place_missing, to_mend_first, with_training_part
from optisplit.errors import OptionError
from optisplit.io.splits import as_split, read_split
from optisplit.labels import MultilabelDataset
from optisplit.plots.random_range import (
    MOST_SHOWN,
    place_words,
    plot_random_range,
    random_range_info,
)


def some_data(n_rows=60, row_ids=None) -> MultilabelDataset:
    rng = np.random.default_rng(0)
    labels = np.column_stack([rng.random(n_rows) < 0.4, np.arange(n_rows) % 5 == 0, np.arange(n_rows) % 3 == 0])
    return MultilabelDataset.from_labels(labels.astype(int), ["often", "fifth", "third"], row_ids=row_ids)


def read(text: str, data: MultilabelDataset, name: str = "split.csv", **options):
    return read_split(io.BytesIO(text.encode()), data, name=name, **options)


def lines(values, rows=None) -> str:
    rows = range(len(values)) if rows is None else rows
    return "row,fold\n" + "".join(f"{row},{value}\n" for row, value in zip(rows, values, strict=True))


def test_missing_rows_go_where_folds_are_short():
    data = some_data(12)
    split = read(lines([0] * 4 + [1] * 2 + [2] * 3, range(9)), data)
    placed = place_missing(split, np.random.default_rng(0))
    assert np.bincount(placed).tolist() == [4, 4, 4]
    assert placed[:9].tolist() == split.folds[:9].tolist()


def test_missing_rows_of_parts_keep_the_shares():
    data = some_data(20)
    split = read(lines(["train"] * 12 + ["test"] * 4, range(16)), data)
    placed = place_missing(split, np.random.default_rng(0))
    assert np.bincount(placed).tolist() == [15, 5]


def test_rows_that_are_always_in_training_stay_there():
    data = some_data(12)
    split = read(lines([-1, -1, 0, 0, 0, 1, 1, 1, 0, 1], range(10)), data)
    mended = mend(data, split)
    assert mended.folds[:2].tolist() == [-1, -1]
    assert mended.n_placed == 2
    assert (mended.folds[2:] >= 0).all()


def test_a_mended_split_has_no_missing_rows_and_lists_what_moved():
    data = some_data(row_ids=[f"r{row}" for row in range(60)])
    values = np.sort(np.arange(60) % 3)
    text = "row_id,fold\n" + "".join(f"r{row},{values[row]}\n" for row in range(57))
    split = read(text, data)
    mended = mend(data, split)
    assert mended.n_placed == 3
    assert list(mended.moves.columns) == ["row", "row_id", "from_part", "to_part"]
    assert len(mended.moves) == mended.n_moved + 3
    assert (mended.moves["from_part"] == "").sum() == 3
    name, content = split.write_back(mended.folds)
    again = read_split(io.BytesIO(content), data, name=name)
    assert again.folds.tolist() == mended.folds.tolist()
    assert not again.faults
    assert mended.as_split().folds.tolist() == mended.folds.tolist()
    assert not mended.as_split().is_missing.any()


def test_the_same_seed_mends_alike_and_most_rows_to_move_is_kept_to():
    data = some_data()
    split = as_split(np.sort(np.arange(60) % 3), data)
    assert mend(data, split).folds.tolist() == mend(data, split).folds.tolist()
    assert mend(data, split, max_moved=4).n_moved <= 4


def test_rows_left_out_on_purpose_stay_out():
    data = some_data(12)
    split = read(lines([0] * 4 + [1] * 4, range(8)), data)
    mended = mend(data, split, place=False)
    assert mended.folds[8:].tolist() == [-1] * 4
    assert mended.n_placed == 0


def test_an_empty_part_is_left_to_people():
    data = some_data(6)
    split = read_split(io.BytesIO(b"[[0, 1, 2], [3, 4, 5], []]"), data, name="folds.json")
    assert [fault.kind for fault in to_mend_first(split.faults)] == ["empty"]
    with pytest.raises(OptionError, match="No row is in"):
        mend(data, split)


def test_the_training_part_can_be_chosen_and_the_file_keeps_its_names():
    data = some_data(9)
    split = read(lines(["a"] * 3 + ["b"] * 3 + ["c"] * 3), data, kind="parts")
    chosen = with_training_part(split, 1)
    assert chosen.part_names == ("b", "a", "c")
    assert chosen.folds.tolist() == [1] * 3 + [0] * 3 + [2] * 3
    assert "trained on 'b'" in chosen.notes[-1]
    _, unchanged = chosen.write_back(chosen.folds)
    assert unchanged.decode() == lines(["a"] * 3 + ["b"] * 3 + ["c"] * 3)
    moved = chosen.folds.copy()
    moved[0] = 0
    assert read(chosen.write_back(moved)[1].decode(), data, kind="parts").folds.tolist()[0] == 1
    assert with_training_part(split, 0) is split


def test_the_training_part_cannot_be_chosen_of_folds():
    data = some_data(9)
    with pytest.raises(OptionError, match="split into parts"):
        with_training_part(read(lines(np.arange(9) % 3), data), 1)
    with pytest.raises(OptionError, match="numbered from 0"):
        with_training_part(read(lines(["a", "b", "c"] * 3), data, kind="parts"), 3)


@pytest.mark.parametrize("name", ["emotions", "medical"])
def test_planted_faults_are_what_a_check_finds(name):
    data = optisplit.load(name)
    split = read(planted_split(data), data, "example.csv")
    assert split.n_parts == N_SPLITS
    found = check_split(data, split, n_random=0)
    assert [fault.kind for fault in found.faults] == ["missing"]
    assert found.faults[0].count == max(3, round(0.01 * data.n_rows))
    assert (found.untestable["n_helpable"] > 0).any()
    assert planted_split(data) == planted_split(data)


def checked(n_random=40):
    data = some_data()
    return check_split(data, np.random.default_rng(3).permutation(np.arange(60) % 3), n_random=n_random)


def test_places_are_0_at_the_bound_and_100_at_the_mean():
    info = random_range_info(checked())
    assert [row.name for row in info.rows][:2] == ["rLD", "DCP"]
    for row in info.rows:
        assert row.place(row.bound) == 0
        assert row.place(row.mean) == pytest.approx(100)
        assert row.low <= row.mean <= row.high
    assert info.n_random == 40
    assert "FLZ" in info.without_room
    assert "FLZ random splits are as good as can be" in info.alt_text


def test_what_is_too_far_is_drawn_at_the_end():
    check = checked()
    row = random_range_info(check).rows[0]
    info = dataclasses.replace(random_range_info(check), rows=(dataclasses.replace(row, value=100 * row.mean),))
    figure = plot_random_range(info)
    assert figure.data[2].x[0] == MOST_SHOWN
    assert figure.data[2].text[0].endswith("→")
    assert len(info.table) == 1


def test_without_random_splits_there_is_nothing_to_place():
    info = random_range_info(checked(0))
    assert info.rows == ()
    assert plot_random_range(info).layout.annotations


def test_words_for_a_place():
    assert place_words(float("nan"), 0) == ""
    assert place_words(50, 200) == "in their middle"
    assert place_words(99.75, 200) == "worse than 99 % of them"
    assert place_words(0.25, 200) == "better than 99 % of them"
    assert RandomScores("rld", np.array([1.0, 2.0]), 3.0).percentile == 100
