"""Repairing splits as files have them, the faulty example, and the figure that places a split among random ones."""

from __future__ import annotations

import dataclasses
import io

import numpy as np
import pytest

import optisplit
from optisplit import repair
from optisplit.check.checks import check_split
from optisplit.check.example import N_SPLITS, faulty_split
from optisplit.check.faults import faults_by_hand
from optisplit.check.places import Start
from optisplit.check.random_splits import RandomScores
from optisplit.errors import OptionError
from optisplit.io.splits import as_split, read_split
from optisplit.io.splits.roles import with_training_part
from optisplit.labels import MultilabelDataset
from optisplit.plots.random_range import (
    MOST_SHOWN,
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
    placed = Start.of(split, data, None).with_missing_placed(None, np.random.default_rng(0)).folds
    assert np.bincount(placed).tolist() == [4, 4, 4]
    assert placed[:9].tolist() == split.folds[:9].tolist()


def test_missing_rows_of_parts_keep_the_shares():
    data = some_data(20)
    split = read(lines(["train"] * 12 + ["test"] * 4, range(16)), data)
    placed = Start.of(split, data, None).with_missing_placed(None, np.random.default_rng(0)).folds
    assert np.bincount(placed).tolist() == [15, 5]


def test_rows_that_are_always_in_training_stay_there():
    data = some_data(12)
    split = read(lines([-1, -1, 0, 0, 0, 1, 1, 1, 0, 1], range(10)), data)
    done = repair(data, split, random_state=0)
    assert done.folds[:2].tolist() == [-1, -1]
    assert done.n_placed == 2
    assert (done.folds[2:] >= 0).all()


def test_a_repaired_split_has_no_missing_rows_and_lists_what_moved():
    data = some_data(row_ids=[f"r{row}" for row in range(60)])
    values = np.sort(np.arange(60) % 3)
    text = "row_id,fold\n" + "".join(f"r{row},{values[row]}\n" for row in range(57))
    split = read(text, data)
    done = repair(data, split, random_state=0)
    assert done.n_placed == 3
    assert list(done.moves.columns) == ["row", "row_id", "from_fold", "to_fold"]
    assert len(done.moves) == done.n_moved + 3
    assert done.moves["from_fold"].tolist().count("") == 3
    assert set(done.moves["to_fold"]) <= {"fold 0", "fold 1", "fold 2"}
    name, content = done.write_back()
    assert (name, content) == split.write_back(done.folds) == done.split.write_back(done.folds)
    again = read_split(io.BytesIO(content), data, name=name)
    assert again.folds.tolist() == done.folds.tolist()
    assert not again.faults
    assert done.split.folds.tolist() == done.folds.tolist()
    assert not done.split.is_missing.any()


def test_the_same_seed_repairs_alike_and_most_rows_to_move_is_kept_to():
    data = some_data()
    split = as_split(np.sort(np.arange(60) % 3), data)
    one, other = (repair(data, split, random_state=3) for _ in range(2))
    assert one.folds.tolist() == other.folds.tolist()
    assert repair(data, split, max_moved=4).n_moved <= 4


def test_rows_left_out_on_purpose_stay_out():
    data = some_data(12)
    split = read(lines([0] * 4 + [1] * 4, range(8)), data)
    done = repair(data, split, place_missing=False, random_state=0)
    assert done.folds[8:].tolist() == [-1] * 4
    assert done.n_placed == 0


def test_an_empty_part_is_left_to_people():
    data = some_data(6)
    split = read_split(io.BytesIO(b"[[0, 1, 2], [3, 4, 5], []]"), data, name="folds.json")
    assert [fault.kind for fault in faults_by_hand(split.faults)] == ["empty"]
    with pytest.raises(OptionError, match="No row is in"):
        repair(data, split)


def test_missing_rows_go_where_sizes_asked_for_lack_them():
    data = some_data(20)
    split = read(lines([1] * 8 + [2] * 8, range(16)), data)
    done = repair(data, split, fold_sizes=[0.6, 0.4], random_state=0)
    assert np.bincount(done.folds).tolist() == [12, 8]
    assert done.n_moved == 0 or set(done.moves["to_fold"]) <= {"fold 1", "fold 2"}
    more = repair(data, split, n_splits=3, fold_sizes=[8, 8, 4], random_state=0)
    assert np.bincount(more.folds).tolist() == [8, 8, 4]
    assert more.split.part_names == ("fold 1", "fold 2", "fold 3")


def test_pairs_are_repaired_as_they_are_checked():
    data = some_data(12)
    pairs = [(np.arange(4, 10), np.arange(4)), (np.array([0, 1, 2, 3, 8, 9]), np.arange(3, 8))]
    split = as_split(pairs, data)  # row 3 is tested twice, rows 8 and 9 are only trained on, 10 and 11 are nowhere
    done = repair(data, pairs, random_state=0)
    assert done.n_placed == 2
    assert done.folds[8:10].tolist() == [-1, -1]
    assert done.original.tolist() == split.folds.tolist()
    assert done.original[3] == 0
    assert set(done.moves["from_fold"]) <= {"", "fold 0", "fold 1"}


@pytest.mark.parametrize(("values", "noun"), [([1] * 4 + [2] * 2, "fold"), (["train"] * 4 + ["test"] * 2, "part")])
def test_check_and_repair_measure_a_split_alike(values, noun):
    data = MultilabelDataset.from_labels([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [1, 1]])
    split = read(lines(values), data)
    assert split.noun == noun
    found = check_split(data, split, n_random=0).report
    done = repair(data, split, max_moved=0, random_state=0)
    for report in (done.before, done.after):
        assert report.fold_names == found.fold_names == split.part_names
        np.testing.assert_array_equal(report.shares, found.shares)
        assert (report.dcp, report.dcp_bound, report.ed) == (found.dcp, found.dcp_bound, found.ed)
    wanted = (0.08333333333333331, 1) if noun == "fold" else (0.041666666666666685, 0)
    assert (found.dcp_bound, found.ed) == pytest.approx(wanted)
    if noun == "fold":  # numbers are folds
        plain = repair(data, split.folds, max_moved=0, random_state=0).before
        assert (plain.dcp_bound, plain.ed) == (found.dcp_bound, found.ed)


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
def test_faults_of_the_example_are_what_a_check_finds(name):
    data = optisplit.load(name)
    split = read(faulty_split(data), data, "example.csv")
    assert split.n_parts == N_SPLITS
    found = check_split(data, split, n_random=0)
    missing, *others = found.faults
    assert (missing.kind, missing.severity) == ("missing", "fault")
    assert others[0].kind == "missing labels"
    assert {fault.severity for fault in others} == {"fault"}
    assert found.faults[0].count == max(3, round(0.01 * data.n_rows))
    assert (found.untestable["n_helpable"] > 0).any()
    assert faulty_split(data) == faulty_split(data)
    repaired = repair(data, split, random_state=0)
    assert repaired.n_placed == found.faults[0].count
    name, content = repaired.write_back()
    assert check_split(data, read_split(io.BytesIO(content), data, name=name), n_random=0).faults == ()


def checked(n_random=40):
    data = some_data()
    return check_split(data, np.random.default_rng(3).permutation(np.arange(60) % 3), n_random=n_random)


def test_places_are_0_at_the_bound_and_100_at_the_mean():
    info = random_range_info(checked())
    assert info.measures["name"].tolist()[:2] == ["rLD", "DCP"]
    assert (info.places("bound") == 0).all()
    assert info.places("random_mean").to_numpy() == pytest.approx(100)
    assert (info.measures["random_low"] <= info.measures["random_mean"]).all()
    assert (info.measures["random_mean"] <= info.measures["random_high"]).all()
    assert info.n_random == 40
    assert "FLZ" in info.without_room
    assert "FLZ random splits are as good as can be" in info.alt_text


def test_what_is_too_far_is_drawn_at_the_end():
    check = checked()
    row = random_range_info(check).measures.head(1)
    info = dataclasses.replace(random_range_info(check), measures=row.assign(value=100 * row["random_mean"]))
    figure = plot_random_range(info)
    assert figure.data[2].x[0] == MOST_SHOWN
    assert figure.data[2].text[0].endswith("→")
    assert len(info.table) == 1


def test_a_repair_is_drawn_as_the_way_from_before_to_after():
    before = checked()
    repaired = repair(some_data(), before.split, random_state=0)
    after = check_split(some_data(), repaired.split, n_random=40)
    info = random_range_info(before, after)
    wanted = after.measures.set_index("name")
    rld = info.measures.set_index("name").loc["rLD"]
    assert (rld["after"], rld["bound_after"]) == (wanted.loc["rLD", "value"], wanted.loc["rLD", "bound"])
    # beside its own bound and its own random splits
    own = wanted.loc["rLD"]
    share = (own["value"] - own["bound"]) / (own["random_mean"] - own["bound"])
    assert rld["at_after"] == pytest.approx(100 * share)
    assert info.table["after the repair"].tolist() == info.measures["after"].tolist()
    assert "after the repair; of the random splits" in info.alt_text
    figure = plot_random_range(info)
    assert [each.name for each in figure.data] == ["9 of 10 random splits", "best possible", "before", "after"]
    assert figure.layout.annotations[0].showarrow
    assert [each.name for each in plot_random_range(random_range_info(before)).data][2:] == ["yours"]


def test_without_random_splits_there_is_nothing_to_place():
    info = random_range_info(checked(0))
    assert info.measures.empty
    assert plot_random_range(info).layout.annotations


def test_the_place_is_worded_once():
    check = checked()
    info = random_range_info(check)
    for row in info.measures.itertuples():
        assert row.place == check.measures.set_index("name")["place"][row.name]
        assert f"of the random splits, {row.place}; they mostly have" in info.alt_text
    assert RandomScores("rld", np.array([1.0, 2.0]), 3.0).percentile == 100
