"""The maps of folds and labels by size."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS

import optisplit
from optisplit import plots
from optisplit.check.missing import find_missing
from optisplit.errors import OptionError
from optisplit.labels import as_dataset
from optisplit.measures.missing import missing_avoidably
from optisplit.plots.fold_maps import MOST_ROWS


def report_of(counts, sizes, names=None, fold_names=()):
    counts = np.array(counts, dtype=np.int32)
    names = tuple(names or (f"label {j}" for j in range(counts.shape[1])))
    sizes = np.array(sizes, dtype=np.int64)
    return optisplit.Report(counts, sizes, sizes / max(1, sizes.sum()), names, tuple(fold_names))


def slow_deviation(count, size, positives, n_rows):
    """Give the part of its due by which a fold has more or less of a label than its due, rounded up or down."""
    due = Fraction(positives * size, n_rows)
    if math.floor(due) <= count <= math.ceil(due):
        return Fraction(0)
    return (count - math.ceil(due) if count > due else math.floor(due) - count) / due


@st.composite
def split_reports(draw):
    n_folds, n_labels = draw(st.integers(2, 6)), draw(st.integers(1, 30))
    sizes = draw(st.lists(st.integers(0, 9), min_size=n_folds, max_size=n_folds).filter(lambda each: sum(each) > 0))
    columns = [[draw(st.integers(0, size)) for size in sizes] for _ in range(n_labels)]
    return report_of(np.array(columns).T, sizes)


@SETTINGS
@given(split_reports())
def test_maps_equal_a_slow_twin(report):
    info = plots.fold_maps_info({"is": [report]})
    (method,) = info.methods
    scored = sorted(np.flatnonzero(report.is_scored).tolist(), key=lambda label: report.positives[label])
    assert info.n_labels.sum() == len(scored)
    assert len(info.row_names) <= MOST_ROWS
    ends = np.cumsum(info.n_labels)
    slow = [
        [slow_deviation(int(report.counts[fold, label]), int(size), int(report.positives[label]), report.n_rows)
         for label in scored]
        for fold, size in enumerate(report.fold_sizes)
    ]  # fmt: skip
    for row, end in enumerate(ends):
        of_row = range(end - info.n_labels[row], end)
        for fold, of_fold in enumerate(slow):
            mean = sum((of_fold[at] for at in of_row), Fraction(0)) / len(of_row)
            assert method.off[fold, row] == pytest.approx(float(mean))
            assert (method.off[fold, row] == 0) == (mean == 0)
    assert method.n_labels_off == sum(any(of_fold[at] for of_fold in slow) for at in range(len(scored)))
    assert method.is_blank == (report.beyond_rounding == 0)


@SETTINGS
@given(split_reports())
def test_missing_avoidably_is_what_checks_call_so(report):
    # rows with at most one label each, so that any counts can be had
    folds = np.repeat(np.arange(report.n_splits), report.fold_sizes)
    for label in range(len(report.label_names)):
        column = np.zeros((report.n_rows, 1), dtype=np.int8)
        for fold in range(report.n_splits):
            column[np.flatnonzero(folds == fold)[: report.counts[fold, label]], 0] = 1
        found = find_missing(as_dataset(column), folds.astype(np.int32), report.n_splits)
        avoidable = missing_avoidably(report.counts[:, [label]], report.fold_sizes)
        assert avoidable.any() == any(each.n_due > 0 for each in found)
        assert set(np.flatnonzero(avoidable)) <= {fold for each in found for fold in each.folds}


def test_by_hand():
    # due are 1.5 and 0.5; of "even" 1 or 2 are as due, of "odd" 0 and 3 are one off, and none in the first is avoidable
    info = plots.fold_maps_info(
        {"is": [report_of([[2, 0, 0], [0, 2, 0]], [15, 5], ["even", "odd", "never"])]}, noun="part"
    )
    (method,) = info.methods
    assert info.row_names == ("even", "odd")
    assert not info.is_banded
    assert info.left_out.startswith("1 of 3 labels is on no row or on every row")
    assert info.left_out.endswith("left out: 'never'.")
    assert method.off.tolist() == [[0, pytest.approx(1 / 1.5)], [0, pytest.approx(1 / 0.5)]]
    assert method.n_missing.tolist() == [[0, 1], [0, 0]]
    assert (method.n_few.tolist(), method.n_many.tolist()) == ([[0, 1], [0, 0]], [[0, 0], [0, 1]])
    assert info.remark(method) == "1 of 2 labels uneven, 1 missing from parts that should have it"
    assert "farthest off are odd in fold 1, by 200 % of their due" in info.alt_text
    assert info.left_out in info.alt_text
    assert info.table.to_dict("records")[1] == {
        "method": "is", "label": "odd", "labels": 1, "fold 0, % off": pytest.approx(100 / 1.5), "fold 1, % off": 200,
        "fold 0, missing": 1, "fold 1, missing": 0,
    }  # fmt: skip


def test_a_number_in_a_blank_cell_is_explained():
    # of 3 positives 0.75 are due to each fold: none is within rounding, but one fold has 2
    info = plots.fold_maps_info({"is": [report_of([[2], [1], [0], [0]], [10] * 4)]})
    assert info.methods[0].off.ravel().tolist() == [pytest.approx(1 / 0.75), 0, 0, 0]
    assert info.methods[0].n_missing.ravel().tolist() == [0, 0, 1, 1]
    figure = plots.plot_fold_maps(info)
    said = " ".join(each.text for each in figure.layout.annotations).replace("<br>", " ")
    assert "In a blank cell: under 1 is due there, but another fold has too many" in said
    assert figure.data[0].hovertext[0][2].endswith("1 missing: under 1 is due there, but another fold has too many")
    assert "In a blank cell" not in str(
        plots.plot_fold_maps(plots.fold_maps_info({"is": [report_of([[1], [1]], [9] * 2)]}))
    )


def test_means_over_splits():
    splits = [report_of([[2], [2]], [10, 10]), report_of([[4], [0]], [10, 10])]
    (method,) = plots.fold_maps_info({"is": splits}).methods
    assert (method.n_reports, method.off.tolist(), method.n_missing.tolist()) == (2, [[0.5], [0.5]], [[0], [0.5]])
    assert (
        plots.fold_maps_info({"is": splits}).remark(method)
        == "0.5 of 1 label uneven, 0.5 missing from folds that should have them"
    )


def test_a_perfect_split_is_blank():
    report = report_of([[1, 3], [1, 4], [0, 3]], [10, 10, 10])
    info = plots.fold_maps_info({"is": [report]}, names={"is": "IS"})
    assert info.methods[0].is_blank
    assert "IS: every label within rounding." in info.alt_text
    figure = plots.plot_fold_maps(info)
    (trace,) = figure.data
    assert not np.any(trace.z)
    assert trace.hovertext[0][0] == "<b>label 0</b><br>fold 0<br>within rounding"


@pytest.mark.parametrize(
    ("n_methods", "n_folds", "columns", "side_by_side"),
    [(1, 2, None, 1), (4, 5, None, 4), (5, 5, None, 3), (8, 5, 1, 1), (8, 20, None, 4), (8, 50, None, 1)],
)
def test_every_method_has_a_map_on_one_scale(n_methods, n_folds, columns, side_by_side):
    counts = np.random.default_rng(n_methods).integers(1, 4, (n_folds, 40))
    given = {f"m{at}": [report_of(np.roll(counts, at, axis=0), [60] * n_folds)] for at in range(n_methods)}
    figure = plots.plot_fold_maps(plots.fold_maps_info(given), columns=columns)
    maps = [trace for trace in figure.data if trace.type == "heatmap"]
    assert len({(trace.zmin, trace.zmax, trace.colorscale) for trace in maps}) == 1
    assert [trace.showscale for trace in maps] == [True] + [False] * (n_methods - 1)
    assert len({(trace.xaxis, trace.yaxis) for trace in maps}) == n_methods
    domains = [figure.layout[f"{trace.xaxis[0]}axis{trace.xaxis[1:]}"].domain for trace in maps]
    assert len(set(domains)) == side_by_side
    for trace in maps:
        low, high = figure.layout[f"yaxis{trace.yaxis[1:]}"].domain
        assert 0 <= low < high <= 1
        assert trace.y[-1] == 40


def test_bands_are_as_high_as_they_have_labels():
    counts = [[1] * 30 + [5] * 10, [1] * 30 + [5] * 10]
    info = plots.fold_maps_info({"is": [report_of(counts, [20, 20])]})
    assert (info.row_names, info.n_labels.tolist()) == (("2 rows", "10 rows"), [30, 10])
    figure = plots.plot_fold_maps(info)
    assert figure.data[0].y.tolist() == [0, 30, 40]
    assert figure.layout.yaxis.ticktext == ("2", "10")
    assert "Up: rows with the label; a band with more labels<" in figure.layout.annotations[-2].text


def test_missing_labels_are_marked():
    report = report_of([[4, 2], [0, 2]], [10, 10])
    figure = plots.plot_fold_maps(plots.fold_maps_info({"is": [report]}))
    marks = figure.data[1]
    assert (marks.mode, marks.x.tolist(), marks.text) == ("text", [1], ("1",))
    many = report_of([[4]] * 30 + [[0]] + [[4]] * 39, [10] * 70)
    assert plots.plot_fold_maps(plots.fold_maps_info({"is": [many]})).data[1].text == ("•",)


def test_names_show_as_they_stand_and_long_ones_stay_in_the_box():
    hostile, long = "<b>x</b> & $y$ %{x}", " ".join(["regulation"] * 20)
    report = report_of([[2, 3], [2, 3]], [10, 10], [hostile, long], ["train", "<i>val</i>"])
    figure = plots.plot_fold_maps(plots.fold_maps_info({"is": [report]}, names={"is": hostile}, noun="part"))
    assert "<b>&lt;b&gt;x&lt;/b&gt; &amp;" in figure.layout.annotations[0].text
    assert figure.layout.xaxis.ticktext == ("train", "&lt;i&gt;val&lt;/i&gt;")
    hover = figure.data[0].hovertext
    assert hover[0][1].split("<br>")[:2] == [
        "<b>&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &#37;{x}</b>",
        "&lt;i&gt;val&lt;/i&gt;",
    ]
    assert max(map(len, hover[1][0].split("<br>"))) <= 60


@pytest.mark.parametrize("reports", [{}, {"is": []}, {"is": [report_of([[0], [0]], [5, 5])]}])
def test_without_data(reports):
    info = plots.fold_maps_info(reports)
    figure = plots.plot_fold_maps(info)
    assert not figure.data
    assert "No labels to show" in [each.text for each in figure.layout.annotations]
    assert "no labels" in info.alt_text


def test_what_does_not_fit_is_refused():
    two, three = report_of([[2], [2]], [10, 10]), report_of([[2], [1], [1]], [10, 5, 5])
    with pytest.raises(OptionError, match="on 2 and 3 folds"):
        plots.fold_maps_info({"is": [two], "ss": [three]})
    with pytest.raises(OptionError, match="1 name for 2 folds"):
        plots.fold_maps_info({"is": [two]}, fold_names=["all"])
    with pytest.raises(OptionError, match="columns=0"):
        plots.plot_fold_maps(plots.fold_maps_info({"is": [two]}), columns=0)
    with pytest.raises(OptionError, match="different labels"):
        plots.fold_maps_info({"is": [two], "ss": [report_of([[3], [3]], [10, 10])]})
