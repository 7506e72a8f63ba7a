"""What data is like: sizes, label sets, imbalance, and the figures of it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from strategies import SETTINGS, label_matrices

import optisplit
from optisplit.errors import LabelError
from optisplit.io.samples import load
from optisplit.labels import MultilabelDataset
from optisplit.measures import characteristics as module
from optisplit.measures.characteristics import LabelSet, characteristics, count_together
from optisplit.plots.co_occurrence import co_occurrence_info, plot_co_occurrence
from optisplit.plots.label_sizes import N_BINS, label_sizes_info, plot_label_sizes
from optisplit.plots.labels_per_row import MOST_BARS, labels_per_row_info, plot_labels_per_row

SMALL = np.array(
    [
        # a  b  c  d
        [1, 1, 0, 0],
        [1, 0, 0, 0],
        [1, 0, 0, 0],
        [1, 1, 1, 0],
        [0, 0, 0, 0],
    ]
)  # sizes 4, 2, 1, 0; IRLbl 1, 2, 4
ODD = {
    "no positives": np.zeros((3, 2), dtype=int),
    "one label": np.array([[1], [0], [1]]),
    "one label on all rows": np.ones((3, 1), dtype=int),
    "all labels on all rows": np.ones((4, 3), dtype=int),
    "one row": np.array([[1, 0, 1]]),
    "one empty row": np.array([[0]]),
}


def slow_scumble(labels) -> list[float]:
    """Compute SCUMBLE row by row, as the formula says."""
    sizes = labels.sum(axis=0)
    values = []
    for row in labels:
        ratios = [sizes.max() / sizes[label] for label in np.flatnonzero(row)]
        mean = sum(ratios) / len(ratios) if ratios else 1.0
        values.append(1 - math.prod(ratios) ** (1 / len(ratios)) / mean if ratios else 0.0)
    return values


def test_a_small_case_worked_by_hand():
    found = characteristics(MultilabelDataset.from_labels(SMALL, list("abcd")))
    assert (found.n_rows, found.n_labels, found.n_positives) == (5, 4, 7)
    assert found.cardinality == 7 / 5
    assert found.density == 7 / 20
    assert found.rows_by_n_labels.tolist() == [1, 2, 1, 1]
    assert found.labels_per_row == (0, 1.0, 3)
    assert found.n_unlabelled == 1
    assert (found.n_label_sets, found.n_single_label_sets, found.label_set_share) == (4, 3, 4 / 5)
    assert found.label_sets == (
        LabelSet(("a",), 2),
        LabelSet(("a", "b"), 1),
        LabelSet(tuple("abc"), 1),
        LabelSet((), 1),
    )
    assert found.size_quantiles == (0, 0.75, 1.5, 2.5, 4)
    assert (found.n_empty_labels, found.n_full_labels) == (1, 0)
    np.testing.assert_array_equal(found.irlbl, [1, 2, 4, np.nan])
    assert found.mean_ir == pytest.approx(7 / 3)
    assert found.max_ir == 4
    assert found.cv_ir == pytest.approx(math.sqrt(7 / 3) / (7 / 3))
    two, three = 1 - math.sqrt(2) / 1.5, 1 - 2 / (7 / 3)  # rows {a, b} and {a, b, c}: 1·2 and 1·2·4
    assert found.scumble == pytest.approx((two + three) / 5)
    np.testing.assert_allclose(found.scumble_per_label, [(two + three) / 4, (two + three) / 2, three, np.nan])


def test_the_table_of_labels_and_that_of_rare_ones():
    found = characteristics(MultilabelDataset.from_labels(SMALL, list("cbad")))
    assert found.per_label["label"].tolist() == list("cbad")
    assert found.per_label["positives"].tolist() == [4, 2, 1, 0]
    assert found.per_label["share"].tolist() == [0.8, 0.4, 0.2, 0]
    rare = found.rarer_than(3)
    assert rare.to_dict("list") == {"label": ["d", "a", "b"], "positives": [0, 1, 2], "folds_without": [3, 2, 1]}
    assert found.rarer_than(2)["label"].tolist() == ["d", "a"]


@pytest.mark.parametrize(
    ("name", "cardinality", "density", "n_label_sets"),
    [("emotions", 1.869, 0.311, 27), ("yeast", 4.237, 0.303, 198), ("bibtex", 2.402, 0.015, 2856)],
)
def test_what_mulan_says_of_its_data(name, cardinality, density, n_label_sets):
    found = characteristics(optisplit.load(name))
    assert found.cardinality == pytest.approx(cardinality, abs=1e-3)
    assert found.density == pytest.approx(density, abs=5e-4)
    assert found.n_label_sets == n_label_sets


def test_what_mldr_says_of_emotions():
    found = characteristics(optisplit.load("emotions"))
    assert found.mean_ir == pytest.approx(1.478068, abs=1e-6)
    assert found.scumble == pytest.approx(0.01095238, abs=1e-8)
    assert (found.n_single_label_sets, found.label_sets[0].n_rows) == (4, 81)


@SETTINGS
@given(label_matrices())
def test_the_same_as_going_through_the_rows(labels):
    found = characteristics(labels)
    lengths, sizes = labels.sum(axis=1), labels.sum(axis=0)
    sets = Counter(tuple(row) for row in labels.tolist())
    assert (found.n_label_sets, found.n_single_label_sets) == (len(sets), list(sets.values()).count(1))
    assert [each.n_rows for each in found.label_sets] == sorted(sets.values(), reverse=True)[: module.MOST_LABEL_SETS]
    assert found.labels_per_row == (lengths.min(), np.median(lengths), lengths.max())
    slow = np.array(slow_scumble(labels))
    assert found.scumble == pytest.approx(slow.mean(), abs=1e-9)
    present = np.flatnonzero(sizes)
    wanted = [slow[labels[:, label] == 1].mean() for label in present]
    np.testing.assert_allclose(found.scumble_per_label[present], wanted, atol=1e-9)
    if present.size:
        assert found.mean_ir == pytest.approx((sizes.max() / sizes[present]).mean())
    chosen = np.arange(labels.shape[1])[::2]
    together = count_together(optisplit.as_labels(labels), chosen)
    np.testing.assert_array_equal(together, labels[:, chosen].T.astype(int) @ labels[:, chosen])


def test_going_through_it_in_small_pieces_changes_nothing(monkeypatch):
    labels = np.random.default_rng(0).integers(0, 2, (40, 6)) * (np.arange(40) % 3 > 0)[:, None]
    whole = characteristics(labels)
    monkeypatch.setattr(module, "_CHUNK", 4)  # less than the longest row
    pieces = characteristics(labels)
    assert (pieces.n_label_sets, pieces.scumble) == (whole.n_label_sets, pytest.approx(whole.scumble))
    np.testing.assert_allclose(pieces.scumble_per_label, whole.scumble_per_label)


def test_counts_do_not_run_over():
    labels = sp.csr_array(np.ones((1000, 2), dtype=np.int8))
    assert count_together(labels, np.array([1, 0])).tolist() == [[1000, 1000], [1000, 1000]]


def test_labels_are_checked():
    with pytest.raises(LabelError, match="must be 0 or 1"):
        characteristics([[2, 0]])


@pytest.mark.parametrize("name", ODD)
def test_odd_data_is_described_and_drawn(name):
    data = MultilabelDataset.from_labels(ODD[name])
    found = characteristics(data)
    assert found.n_rows == data.n_rows
    assert not found.scumble > 1
    for info, plot in (
        (labels_per_row_info(found), plot_labels_per_row),
        (co_occurrence_info(data), plot_co_occurrence),
    ):
        assert plot(info).to_json()
        assert info.alt_text
    for n_splits in (0, 2, 50):
        sizes = label_sizes_info(found.sizes, n_splits)
        assert plot_label_sizes(sizes).to_json()
        assert sizes.table["labels"].sum() == data.n_labels


@pytest.mark.parametrize("n_splits", [2, 5, 10])
@pytest.mark.parametrize("name", ["medical", "bibtex"])
def test_no_bar_holds_labels_that_are_too_rare_and_others(name, n_splits):
    sizes = characteristics(load(name)).sizes
    info = label_sizes_info(sizes, n_splits)
    table = info.table
    is_rare = table["to rows"] < n_splits
    assert not ((table["from rows"] < n_splits) & ~is_rare).any()
    assert table["labels"][is_rare].sum() == info.n_too_rare == (sizes < n_splits).sum()
    assert len(info.n_labels) <= N_BINS + 1


def test_rows_are_put_together_where_there_are_many_lengths():
    lengths = [0, 0, 1, 2, 3, 95]
    labels = np.array([[1] * length + [0] * (95 - length) for length in lengths])
    info = labels_per_row_info(characteristics(labels))
    assert len(info.n_rows) <= MOST_BARS + 1
    table = info.table
    assert table.iloc[:3].to_dict("list") == {"from labels": [0, 1, 4], "to labels": [0, 3, 6], "rows": [2, 3, 0]}
    assert table.iloc[-1].tolist() == [94, 95, 1]
    assert "2 of them without a label" in info.alt_text
    assert "the highest bar, 3 rows, is at 1–3 labels" in info.alt_text.lower()


def test_the_parts_of_rows_that_labels_share():
    info = co_occurrence_info(MultilabelDataset.from_labels(SMALL, ["a", "<b>b</b>", "c", "d"]))
    assert info.names == ("a", "<b>b</b>", "c")
    assert info.counts.tolist() == [[4, 2, 1], [2, 2, 1], [1, 1, 1]]
    np.testing.assert_allclose(info.shares, [[np.nan, 0.5, 0.25], [1, np.nan, 0.5], [1, 1, np.nan]])
    assert info.limit == 1
    table = info.table
    assert len(table) == 6
    assert table.iloc[0].tolist() == ["<b>b</b>", 2, "a", 2, 1.0]
    figure = plot_co_occurrence(info)
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;b&lt;/b&gt; · 2"
    assert "<b>b</b>" not in figure.data[0].hovertext[0][2].replace("<b>c</b>", "")
    assert "of the 2 rows with <b>b</b>, 2 (100 %) also carry a" in info.alt_text


def test_only_the_largest_labels_are_looked_at():
    labels = np.triu(np.ones((30, 30), dtype=int))
    info = co_occurrence_info(MultilabelDataset.from_labels(labels), n_largest=4)
    assert info.names == ("label 29", "label 28", "label 27", "label 26")
    assert "the 4 largest of 30 labels" in info.alt_text
