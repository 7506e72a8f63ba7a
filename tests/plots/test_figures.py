from __future__ import annotations

import itertools
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit import plots
from optisplit.errors import OptionError
from optisplit.methods import METHODS
from optisplit.plots.bands import equal_bands, log_bands, means_by_band, quantiles_by_band
from optisplit.plots.style import log_ticks, shorten

HOSTILE = "<b>x</b> & $y$ %{x}"
ESCAPED = "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &#37;{x}"
WHITE, DARK = "#ffffff", "#0e1117"


@dataclass(frozen=True)
class FakeReport:
    label_names: tuple[str, ...]
    fold_sizes: Any
    counts: Any
    positives: Any
    is_scored: Any
    per_class: pd.DataFrame

    @property
    def fold_names(self):
        return tuple(f"fold {fold}" for fold in range(len(self.fold_sizes)))


def make_report(counts, fold_sizes, names=None, **columns):
    """Build a report from positives per fold and label; rLD and DCP as defined, unless given as columns."""
    counts = np.array(counts, dtype=np.int64)
    fold_sizes = np.array(fold_sizes, dtype=np.int64)
    positives = counts.sum(axis=0)
    n_splits, n_labels = counts.shape
    is_scored = (positives > 0) & (positives < fold_sizes.sum())
    fair = positives * (fold_sizes / fold_sizes.sum())[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {
            "ld": np.full(n_labels, 0.5),
            "rld": np.abs(1 - counts / fair).mean(axis=0),
            "dcp": np.abs((counts / positives).max(axis=0) - 1 / n_splits),
        }
    values |= {"rld_bound": np.zeros(n_labels), "dcp_bound": np.zeros(n_labels)} | columns
    per_class = pd.DataFrame(values).astype(float)
    per_class.loc[~is_scored] = np.nan
    names = tuple(names or (f"label {j}" for j in range(n_labels)))
    return FakeReport(names, fold_sizes, counts, positives, is_scored, per_class)


def many_classes(n_labels, seed, n_splits=5, spread=1.0):
    """Build a report whose class sizes are like those of tags: most have 2 or 3 rows, few have thousands."""
    rng = np.random.default_rng(seed)
    sizes = np.minimum(2 + np.random.default_rng(99).pareto(0.9, n_labels), 16_000).astype(np.int64)
    shares = rng.dirichlet(np.full(n_splits, 20 / spread), n_labels)
    counts = np.array([rng.multinomial(size, share) for size, share in zip(sizes, shares, strict=True)]).T
    names = [f"a label name of usual length {j}" for j in range(n_labels)]
    return make_report(counts, [4153, 4153, 4152, 4152, 4152], names)


@pytest.fixture
def tiny():
    """Two folds of 10 rows; the last two labels have no positive, and no negative row."""
    return make_report(
        [[3, 1, 0, 10], [1, 1, 0, 10]], [10, 10], ["skewed", HOSTILE, "never", "always"], rld_bound=[0.25] * 4
    )


# per class


def test_per_class_by_hand(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld", names={"is": "IS"})
    # skewed: fair share 2 and 2, so |1 - 3/2| and |1 - 1/2|, mean 0.5; the other one is even
    assert info.label_names == ("skewed", HOSTILE)
    assert info.sizes.tolist() == [4, 2]
    assert info.n_left_out == 2
    (method,) = info.methods
    assert (method.key, method.name, method.n_reports, method.mean) == ("is", "IS", 1, 0.25)
    assert method.scores.tolist() == [0.5, 0.0]
    assert method.counts.tolist() == [[3, 1], [1, 1]]
    assert method.shown.tolist() == [0, 1]
    assert method.quantiles.shape == (3, 0)  # no bands
    assert info.bands is None
    (bound,) = info.bounds
    assert (bound.name, bound.mean) == ("best possible", 0.25)
    assert bound.sizes.tolist() == [2, 4]
    assert bound.values.tolist() == [0.25, 0.25]
    assert (info.floor, info.top, info.has_zeros) == (0.125, 0.5, True)


def test_per_class_means_over_reports_and_their_bounds():
    first = make_report([[3], [1]], [10, 10], rld_bound=[0.1])
    second = make_report([[2], [2]], [10, 10], rld_bound=[0.05])
    info = plots.per_class_info({"is": [first, second]}, "rld")
    assert info.methods[0].scores.tolist() == [0.25]
    assert info.methods[0].n_reports == 2
    assert info.bounds[0].values.tolist() == [pytest.approx(0.075)]  # the mean, as of the scores
    assert not info.has_zeros


def test_scores_are_shown_beside_the_bounds_of_their_own_splits():
    labels = [[1], [1], [1], [1], [0], [0], [0], [0]]
    even = optisplit.evaluate(labels, [0, 1, 0, 1, 0, 1, 0, 1])  # at its bound, 0
    uneven = optisplit.evaluate(labels, [0, 0, 0, 1, 0, 0, 1, 1])  # of 5 and 3 rows: no split has less than 1/6
    reports = {"is": [uneven], "ss": [even], "random": [even]}
    info = plots.per_class_info(reports, "rld", names={"is": "IS", "ss": "SS", "random": "Random"})
    assert [method.bound.tolist() for method in info.methods] == [[uneven.rld_bound], [0.0], [0.0]]
    assert [bound.name for bound in info.bounds] == ["best possible, IS", "best possible, SS and Random"]
    assert [bound.values.tolist() for bound in info.bounds] == [[uneven.rld_bound], [0.0]]
    assert info.table.columns.tolist()[-2:] == ["best possible, IS", "best possible, SS and Random"]
    figure = plots.plot_per_class(info)
    # of each point, the best possible score beside it is the one of its own split
    assert [trace.customdata[0].tolist() for trace in figure.data[:3]] == [
        pytest.approx([uneven.rld, uneven.rld_bound]), [0.0, 0.0], [0.0, 0.0],
    ]  # fmt: skip
    own, common = figure.data[3:]
    assert own.marker.color == figure.data[0].marker.color
    assert common.marker.color not in [trace.marker.color for trace in figure.data[:3]]
    assert "The best possible mean at these fold sizes is IS" in info.alt_text


def test_rounding_errors_are_zeros():
    report = make_report([[1, 2], [1, 1]], [10, 10], rld=[1e-16, 0.3])
    info = plots.per_class_info({"is": [report]}, "rld")
    assert info.methods[0].scores.tolist() == [0.0, 0.3]
    assert info.floor == 0.15


def test_zeros_are_drawn_at_a_tick_called_0(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld")
    figure = plots.plot_per_class(info)
    assert figure.data[0].y.tolist() == [0.5, 0.125]
    assert figure.data[0].customdata[:, 0].tolist() == [0.5, 0.0]
    assert figure.layout.yaxis.tickvals[0] == 0.125
    assert figure.layout.yaxis.ticktext[0] == "0"
    assert figure.layout.yaxis.range[0] < np.log10(0.125)
    assert "0 set apart" in figure.layout.yaxis.title.text


def test_no_zeros_no_strip():
    figure = plots.plot_per_class(plots.per_class_info({"is": [make_report([[3], [1]], [10, 10])]}, "ld"))
    assert "0" not in figure.layout.yaxis.ticktext
    assert not figure.layout.shapes


def test_only_zeros():
    info = plots.per_class_info({"is": [make_report([[2], [2]], [10, 10])]}, "rld")
    assert (info.floor, info.top, info.has_zeros) == (0.01, 1.0, True)
    assert plots.plot_per_class(info).data[0].y.tolist() == pytest.approx([0.01])


def test_ld_has_no_bound(tiny):
    info = plots.per_class_info({"is": [tiny]}, "ld")
    assert info.bounds == ()
    assert np.isnan(info.methods[0].bound).all()
    assert [trace.name for trace in plots.plot_per_class(info).data] == ["is (mean 0.5)"]


@pytest.mark.parametrize("reports", [{}, {"is": []}, {"is": [make_report([[0], [0]], [5, 5])]}])
def test_per_class_without_data(reports):
    info = plots.per_class_info(reports, "rld")
    figure = plots.plot_per_class(info)
    assert not figure.data
    assert figure.layout.annotations[0].text == "No labels to show"
    assert figure.layout.xaxis.title.text == "Label size (rows with the label)"
    assert "no labels" in info.alt_text


def test_per_class_refuses_what_it_cannot_compare(tiny):
    with pytest.raises(OptionError, match=r"Unknown measure 'rdl'(?s:.*)did you mean 'rld'"):
        plots.per_class_info({"is": [tiny]}, "rdl")
    other = make_report([[1], [1]], [10, 10])
    with pytest.raises(OptionError, match="different labels"):
        plots.per_class_info({"is": [tiny], "random": [other]}, "rld")


def test_per_class_alt_text(tiny):
    better = make_report([[2, 1, 0, 10], [2, 1, 0, 10]], [10, 10], tiny.label_names)
    text = plots.per_class_info({"random": [tiny], "is": [better]}, "rld", names={"is": "IS"}).alt_text
    assert "2 labels of 2 to 4 rows and 2 methods." in text
    assert "lowest first: IS 0, random 0.25." in text
    assert "Left out: 2 labels without" in text


def test_per_class_as_a_table(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld", names={"is": "IS"})
    table = info.table
    assert list(table.columns) == ["label", "positives", "IS", "best possible"]
    assert table["label"].tolist() == list(info.label_names)
    assert table["IS"].tolist() == info.methods[0].scores.tolist()
    assert "best possible" not in plots.per_class_info({"is": [tiny]}, "ld").table


# many classes


def test_300_classes_are_all_points_and_301_are_in_bands():
    for n_labels, is_banded in ((300, False), (301, True)):
        info = plots.per_class_info({"is": [many_classes(n_labels, 0)]}, "rld", max_points=100)
        assert (info.bands is not None) == is_banded
        assert len(info.methods[0].shown) == (100 if is_banded else 300)


def test_sample_holds_the_worst_of_each_band_and_the_same_classes_otherwise():
    reports = {"is": [many_classes(3000, 0)], "random": [many_classes(3000, 1, spread=9)]}
    info = plots.per_class_info(reports, "rld", max_points=600)
    again = plots.per_class_info(reports, "rld", max_points=600)
    bands = info.bands
    for method, twin in zip(info.methods, again.methods, strict=True):
        assert method.shown.tolist() == twin.shown.tolist()
        assert len(set(method.shown.tolist())) == 600
        for band in range(len(bands)):
            inside = np.flatnonzero(bands.of_label == band)
            shown = np.intersect1d(inside, method.shown)
            assert len(shown) >= min(len(inside), 600 // len(bands))
            assert method.scores[shown].max() == method.scores[inside].max()
    first, second = (set(method.shown.tolist()) for method in info.methods)
    assert len(first & second) > 450


def test_lines_are_means_and_never_below_the_bound():
    report = many_classes(2000, 0)
    bound = report.per_class["rld"].to_numpy() * 0.9
    report = make_report(report.counts, report.fold_sizes, rld_bound=bound)
    info = plots.per_class_info({"is": [report]}, "rld")
    (method,) = info.methods
    assert method.means @ info.bands.n_labels / 2000 == pytest.approx(method.mean)
    assert (method.means >= info.bounds[0].values).all()
    assert (np.diff(method.quantiles, axis=0) >= 0).all()
    assert info.bands.n_labels.min() >= 10


@pytest.mark.parametrize("measure", ["rld", "dcp"])
def test_30938_classes_are_fast_and_small(measure):
    keys = ["random", "is", "sois", "optisplit", "optisplit-sa"]
    reports = {key: [many_classes(30_938, seed)] for seed, key in enumerate(keys)}
    plots.plot_per_class(plots.per_class_info({}, "rld"))  # plotly loads its classes
    start = time.process_time()
    figure = plots.plot_per_class(plots.per_class_info(reports, measure))
    elapsed_s = time.process_time() - start
    assert len(figure.to_json()) < 1_500_000
    assert elapsed_s < 1
    assert {trace.type for trace in figure.data if trace.mode == "markers"} == {"scattergl"}
    start = time.process_time()
    heatmap = plots.plot_fold_heatmap(plots.fold_heatmap_info(reports["is"][0]))
    assert time.process_time() - start < 1
    assert len(heatmap.to_json()) < 200_000


def test_few_points_are_svg(tiny):
    figure = plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld"))
    assert {trace.type for trace in figure.data} == {"scatter"}


# bands


def test_log_bands_by_hand():
    sizes = np.array([1, 1, 2, 3, 8, 9, 100])
    bands = log_bands(sizes, 10, min_labels=2)
    assert bands.of_label.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert bands.lowest.tolist() == [1, 2, 8]
    assert bands.highest.tolist() == [1, 3, 100]
    assert bands.middle.tolist() == [1, 2.5, 9]
    assert [bands.describe(band) for band in range(len(bands))] == [
        "1 row (2 labels)",
        "2–3 rows (2 labels)",
        "8–100 rows (3 labels)",
    ]


def test_equal_bands_by_hand():
    bands = equal_bands(np.array([5, 1, 1, 1, 1, 7, 6, 9]), 3)
    # 8 classes in 3 bands; the four of size 1 stay together, and the other four are shared out
    assert bands.of_label.tolist() == [1, 0, 0, 0, 0, 2, 1, 2]
    assert bands.n_labels.tolist() == [4, 2, 2]


def test_one_class_makes_one_band():
    for bands in (log_bands(np.array([7]), 24, 10), equal_bands(np.array([7]), 24)):
        assert bands.describe(0) == "7 rows (1 label)"


def test_means_and_quantiles_by_band():
    bands = equal_bands(np.array([1] * 10 + [2]), 2)
    values = np.array([*range(10), 50.0])
    assert means_by_band(values, bands).tolist() == [4.5, 50]
    assert quantiles_by_band(values, bands).tolist() == [[0, 50], [4, 50], [8, 50]]


# heat map


def test_heatmap_by_hand():
    report = make_report([[3, 6, 0], [3, 1, 0]], [15, 5], ["even", HOSTILE, "never"])
    info = plots.fold_heatmap_info(report)
    # label of 7 rows: fair shares 5.25 and 1.75; label of 6 rows: 4.5 and 1.5
    assert info.full_names == (HOSTILE, "even")
    assert info.row_names == (f"{HOSTILE} (7)", "even (6)")
    assert info.counts.tolist() == [[6, 1], [3, 3]]
    assert info.deviations == pytest.approx(np.array([[6 / 5.25 - 1, 1 / 1.75 - 1], [3 / 4.5 - 1, 1.0]]))
    assert (info.is_banded, info.n_labels, info.n_left_out, info.limit) == (False, 2, 1, 1.0)
    text = info.alt_text
    assert "Farthest off is even in fold 1: +100%, 3 of its 6 rows." in text
    assert "Left out: 1 label without" in text


def test_heatmap_draws_counts_and_largest_on_top():
    report = make_report([[3, 6], [3, 1]], [15, 5])
    figure = plots.plot_fold_heatmap(plots.fold_heatmap_info(report))
    (trace,) = figure.data
    assert trace.text.tolist() == [[6, 1], [3, 3]]
    assert (trace.zmin, trace.zmax) == (-1, 1)
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert "largest on top" in figure.layout.yaxis.title.text
    assert "6 of 7 rows with the label<br>fair share 5.2, deviation +14.3%" in trace.hovertext[0][0]


def test_heatmap_calls_folds_as_they_are_called():
    report = make_report([[3, 6], [3, 1]], [15, 5])
    info = plots.fold_heatmap_info(report, fold_names=("train", "<i>val</i>"), noun="part")
    assert "in each part" in info.alt_text
    assert "in <i>val</i>: +100%" in info.alt_text
    figure = plots.plot_fold_heatmap(info)
    assert figure.layout.xaxis.title.text == "Part"
    assert figure.layout.xaxis.ticktext == ("train", "&lt;i&gt;val&lt;/i&gt;")
    assert "<br>train: " in figure.data[0].hovertext[0][0]
    assert list(plots.worst_labels(report, fold_names=("train", "val")).columns[-2:]) == ["train", "val"]
    from_1 = plots.plot_fold_heatmap(plots.fold_heatmap_info(report, fold_names=("fold 1", "fold 2")))
    assert from_1.layout.xaxis.ticktext == ("1", "2")
    assert "<br>fold 2: " in from_1.data[0].hovertext[0][1]
    banded = plots.fold_heatmap_info(make_report([[3] * 30, [3] * 30], [15, 5]), max_rows=5, fold_names=("a", "b"))
    assert "<br>b, median: " in plots.plot_fold_heatmap(banded).data[0].hovertext[0][5]


def test_heatmap_bands_do_not_let_too_few_and_too_many_cancel():
    # twelve labels of 4 rows, half of them in each fold alone, and one of 10 rows
    counts = np.array([[4, 0] * 6 + [5], [0, 4] * 6 + [5]])
    info = plots.fold_heatmap_info(make_report(counts, [30, 30]), max_rows=12)
    assert info.is_banded
    assert info.row_names == ("10 rows (1)", "4 rows (12)")
    assert info.full_names == ("10 rows (1 label)", "4 rows (12 labels)")
    assert info.deviations.shape == (2, 3, 2)
    assert info.deviations[0].tolist() == [[0, 0], [0, 0], [0, 0]]
    assert info.deviations[1, 0].tolist() == [-1, -1]
    assert info.deviations[1, 2].tolist() == [1, 1]
    assert info.counts.tolist() == [[5, 5], [24, 24]]
    assert info.sizes.tolist() == [10, 48]
    (trace,) = plots.plot_fold_heatmap(info).data
    assert trace.z.shape == (2, 8)
    assert np.isnan(trace.z[:, 3::4]).all()
    assert len(trace.x) == 9
    assert (np.diff(trace.x) > 0).all()
    assert "in 2 bands" in info.alt_text


def test_heatmap_colour_range():
    report = make_report([[101, 95], [99, 105]], [500, 500])
    assert plots.fold_heatmap_info(report).limit == 0.1
    assert plots.fold_heatmap_info(report, limit=0.5).limit == 0.5
    far = make_report([[4, 9], [0, 0]], [500, 500])
    assert plots.fold_heatmap_info(far).limit == 1.0


def test_folds_keep_their_names_in_table_and_text():
    report = make_report([[3, 6], [3, 1]], [15, 5], ["even", "skewed"])
    info = plots.fold_heatmap_info(report, fold_names=["train", HOSTILE], noun="part")
    assert list(info.table) == ["label", "positives", "train, deviation", f"{HOSTILE}, deviation"]
    assert info.table["train, deviation"].tolist() == pytest.approx([6 / 5.25 - 1, 3 / 4.5 - 1])
    assert f"The parts are train, {HOSTILE}." in info.alt_text
    assert "fold" not in info.alt_text


def test_folds_without_other_names_are_called_as_the_report_calls_them():
    labels, folds = [[1, 0], [0, 1], [1, 1], [0, 0]], [0, 0, 1, 1]
    info = plots.fold_heatmap_info(optisplit.evaluate(labels, folds, fold_names=["fold 1", "fold 2"]))
    assert info.fold_names == ("fold 1", "fold 2")
    assert plots.plot_fold_heatmap(info).layout.xaxis.ticktext == ("1", "2")
    report = make_report([[3, 6], [3, 1]], [10, 10])
    assert plots.fold_heatmap_info(report).fold_names == ("fold 0", "fold 1")
    with pytest.raises(OptionError, match="1 name for 2 folds"):
        plots.fold_heatmap_info(report, fold_names=["all"])


def test_hover_of_scores_speaks_of_parts(tiny):
    figure = plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld", noun="part"))
    assert "in the parts: %{hovertext}" in figure.data[0].hovertemplate


def test_old_names_warn(tiny):
    with pytest.warns(DeprecationWarning, match="worst_labels"):
        assert plots.worst_classes is plots.worst_labels
    with pytest.warns(DeprecationWarning, match="method_style"):
        assert plots.METHOD_STYLES["is"] == plots.method_style("is")
    info = plots.per_class_info({"is": [tiny]}, "rld")
    with pytest.warns(DeprecationWarning, match="alt_text"):
        assert plots.per_class_alt_text(info) == info.alt_text


@pytest.mark.parametrize("options", [{"max_rows": 0}, {"limit": 0}, {"limit": float("nan")}])
def test_heatmap_refuses_impossible_options(tiny, options):
    with pytest.raises(OptionError, match="use"):
        plots.fold_heatmap_info(tiny, **options)


def test_heatmap_with_an_empty_fold():
    info = plots.fold_heatmap_info(make_report([[2], [0], [2]], [5, 0, 5]))
    assert info.deviations.tolist() == [[0, -1, 0]]


def test_heatmap_without_data():
    info = plots.fold_heatmap_info(make_report([[0], [0]], [5, 5]))
    figure = plots.plot_fold_heatmap(info)
    assert not figure.data
    assert figure.layout.annotations[0].text == "No labels to show"
    assert "no labels" in info.alt_text


def test_heatmap_of_many_folds_has_room():
    figure = plots.plot_fold_heatmap(plots.fold_heatmap_info(make_report([[1]] * 100, [2] * 100)))
    assert len(figure.layout.xaxis.tickvals) == 20
    assert figure.data[0].text is None


def test_long_names_are_cut_in_ticks_and_whole_in_hover():
    name = "regulation of the long names of gene ontology"
    info = plots.fold_heatmap_info(make_report([[2], [2]], [10, 10], [name]))
    assert info.row_names == ("regulation of the long… (4)",)
    assert name in plots.plot_fold_heatmap(info).data[0].hovertext[0][0]


# worst classes


def test_worst_labels():
    report = make_report(
        [[3, 4, 2, 0], [1, 0, 2, 0]], [10, 10], ["a", "b", "c", "never"], rld_bound=[0.0, 0.6, 0.0, 0.0]
    )
    table = plots.worst_labels(report, n=2)
    assert list(table.columns) == ["label", "positives", "score", "best possible", "fold 0", "fold 1"]
    # a: 0.5 - 0; b: 1 - 0.6; c: 0
    assert table.to_numpy().tolist() == [["a", 4, 0.5, 0.0, 3, 1], ["b", 4, 1.0, 0.6, 4, 0]]
    assert len(plots.worst_labels(report)) == 3


def test_worst_labels_puts_larger_classes_first_among_equals():
    report = make_report([[2, 6], [0, 0]], [10, 10])
    assert plots.worst_labels(report)["positives"].tolist() == [6, 2]


def test_worst_labels_needs_a_bound(tiny):
    with pytest.raises(OptionError, match="'ld'"):
        plots.worst_labels(tiny, by="ld")


# names and colours


def test_hostile_names_show_as_they_stand(tiny):
    per_class = plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld", names={"is": HOSTILE}))
    points = per_class.data[0]
    assert points.text[1] == ESCAPED
    assert points.name == f"{ESCAPED} (mean 0.25)"
    assert f"<extra>{ESCAPED}</extra>" in points.hovertemplate
    heatmap = plots.plot_fold_heatmap(plots.fold_heatmap_info(tiny))
    assert heatmap.layout.yaxis.ticktext[1] == f"{ESCAPED} (2)"
    assert f"<b>{ESCAPED}</b>" in heatmap.data[0].hovertext[1][0]
    for figure in (per_class, heatmap):
        assert "<b>x</b>" not in figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")


def test_shorten_keeps_what_fits():
    assert shorten("abcd", 4) == "abcd"
    assert shorten("ab cde", 4) == "ab…"


def linear(color):
    values = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    bright, dim = sorted((linear(each) @ [0.2126, 0.7152, 0.0722] for each in (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


# how a deutan and a protan eye sees linear RGB (Machado, Oliveira, Fernandes 2009, severity 1)
VISIONS = {
    "full": np.eye(3),
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}


def oklab(color, vision):
    to_cones = [
        [0.41222147, 0.53633254, 0.05144599],
        [0.21190350, 0.68069955, 0.10739696],
        [0.08830246, 0.28171884, 0.62997870],
    ]
    to_lab = [
        [0.21045426, 0.79361779, -0.00407205],
        [1.97799850, -2.42859221, 0.45059371],
        [0.02590404, 0.78277177, -0.80867577],
    ]
    seen = np.clip(np.array(VISIONS[vision]) @ linear(color), 0, 1)
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ seen)


STYLES = [plots.method_style(key) for key in METHODS]


@pytest.mark.parametrize(("vision", "least"), [("full", 0.12), ("deutan", 0.07), ("protan", 0.07)])
def test_method_colours_are_distinct(vision, least):
    labs = [oklab(style.color, vision) for style in STYLES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(labs, 2)) > least


def test_methods_have_symbols_of_their_own_and_show_on_light_and_dark():
    styles = [*STYLES, *(plots.method_style(f"mine {i}") for i in range(40))]
    assert len({style.symbol for style in STYLES}) == 10
    for color in (plots.NEUTRAL, *(style.color for style in styles)):
        assert contrast(color, WHITE) >= 3
        assert contrast(color, DARK) >= 3


def test_unknown_methods_have_a_fixed_style_of_their_own():
    assert plots.method_style("mine") == plots.method_style("mine")
    assert plots.method_style("mine") not in STYLES
    assert plots.method_style("is").translucent(0.5) == "rgba(6, 115, 146, 0.5)"


def test_deviation_scale_is_symmetric_in_lightness():
    stops = dict(plots.DEVIATION)
    assert sorted(stops) == [0, 0.25, 0.5, 0.75, 1]
    for low, high in ((0, 1), (0.25, 0.75)):
        assert abs(oklab(stops[low], "full")[0] - oklab(stops[high], "full")[0]) < 0.1
    for vision in VISIONS:
        assert np.linalg.norm(oklab(stops[0], vision) - oklab(stops[1], vision)) > 0.15


def test_figures_bring_no_text_colour_or_background(tiny):
    for figure in (
        plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld")),
        plots.plot_fold_heatmap(plots.fold_heatmap_info(tiny)),
    ):
        assert figure.layout.font.color is None
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0, 0, 0, 0)"
        assert figure.layout.xaxis.automargin
        assert figure.layout.yaxis.automargin


# the package


def test_public_names_exist():
    assert plots.__all__ == sorted(plots.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    assert all(hasattr(plots, name) for name in plots.__all__)


def test_import_is_quick():
    code = (
        "import numpy, pandas, scipy.sparse, time; start = time.process_time(); import optisplit.plots; "
        "print(time.process_time() - start)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(out) < 0.2


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(0.09, 1, [0.1, 0.2, 0.5, 1]), (1, 1e6, [1, 10, 100, 1e3, 1e4, 1e5, 1e6])]
)
def test_log_ticks(low, high, ticks):
    assert log_ticks(low, high) == ticks
