"""The figure of every label's score by its size."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SETTINGS

import optisplit
from optisplit import plots
from optisplit.errors import OptionError
from optisplit.measures.score import SAME

HOSTILE = "<b>x</b> & $y$ %{x}"
ESCAPED = "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &#37;{x}"


def report_of(counts, sizes, names=None, shares=None):
    counts, sizes = np.array(counts, dtype=np.int32), np.array(sizes, dtype=np.int64)
    names = tuple(names or (f"label {j}" for j in range(counts.shape[1])))
    return optisplit.Report(counts, sizes, sizes / sizes.sum() if shares is None else np.array(shares), names)


def many_labels(n_labels, seed, n_splits=5):
    """Build a report whose label sizes are like those of tags: most have 2 or 3 rows, few have thousands."""
    rng = np.random.default_rng(seed)
    sizes = np.minimum(2 + np.random.default_rng(99).pareto(0.9, n_labels), 4_000).astype(np.int64)
    shares = rng.dirichlet(np.full(n_splits, 20), n_labels)
    counts = np.array([rng.multinomial(size, share) for size, share in zip(sizes, shares, strict=True)]).T
    names = [f"a label of usual length {j}" for j in range(n_labels)]
    return report_of(counts, [4153, 4153, 4152, 4152, 4152], names)


@pytest.fixture
def tiny():
    """Two folds of 10 rows; the last two labels have no positive, and no negative row."""
    return report_of([[3, 2, 0, 10], [1, 1, 0, 10]], [10, 10], ["skewed", HOSTILE, "never", "always"])


def test_by_hand(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld", names={"is": "IS"})
    # skewed: 2 and 2 are due, so 0.5 where 0 is possible; of three rows one has to be too many: 1/3, its best
    assert info.label_names == ("skewed", HOSTILE)
    assert (info.sizes.tolist(), info.scale) == ([4, 3], "excess")
    assert info.left_out.endswith("left out: 'never', 'always'.")
    (method,) = info.methods
    assert (method.key, method.name, method.n_reports) == ("is", "IS", 1)
    assert method.scores.tolist() == pytest.approx([0.5, 1 / 3])
    assert method.bound.tolist() == pytest.approx([0, 1 / 3])
    assert method.values.tolist() == [pytest.approx(0.5), 0]
    assert method.counts.tolist() == [[3, 2], [1, 1]]
    assert method.shown.tolist() == [0, 1]
    assert info.table.to_dict("records")[0] == {
        "label": "skewed", "positives": 4, "IS": pytest.approx(0.5), "IS, best possible": 0,
        "IS, above it": pytest.approx(0.5),
    }  # fmt: skip
    assert "2 labels of 3 to 4 rows." in info.alt_text
    assert info.left_out in info.alt_text


def test_what_is_said_of_the_mean_is_what_tables_say(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld")
    (method,) = info.methods
    assert method.score == tiny.score("rld")
    assert method.remark(info.usual) == f"mean 0.417, {tiny.score('rld').sentence}"
    said = plots.plot_per_class(info).layout.annotations[0].text
    assert said.replace("\N{NO-BREAK SPACE}", " ").endswith(f"{method.remark(info.usual)}</span>")


def test_means_over_reports_and_their_own_bounds():
    even, uneven = report_of([[2], [2]], [10, 10]), report_of([[3], [1]], [13, 7])
    (method,) = plots.per_class_info({"is": [even, uneven]}, "rld").methods
    of_uneven = uneven.score("rld")
    assert method.scores.tolist() == [pytest.approx(of_uneven.value / 2)]
    assert method.bound.tolist() == [pytest.approx(of_uneven.bound / 2)]
    assert method.values.tolist() == [pytest.approx((of_uneven.value - of_uneven.bound) / 2)]


@st.composite
def reports(draw):
    n_folds, n_labels = draw(st.integers(2, 5)), draw(st.integers(1, 12))
    sizes = draw(st.lists(st.integers(0, 9), min_size=n_folds, max_size=n_folds).filter(lambda each: sum(each) > 0))
    columns = [[draw(st.integers(0, size)) for size in sizes] for _ in range(n_labels)]
    return report_of(np.array(columns).T, sizes)


@pytest.mark.parametrize("measure", ["rld", "dcp"])
@settings(SETTINGS, max_examples=20)
@given(report=reports())
def test_excess_is_never_negative_and_what_is_drawn_is_in_the_table(measure, report):
    info = plots.per_class_info({"is": [report]}, measure)
    (method,) = info.methods
    assert (method.values >= 0).all()
    assert np.allclose(method.values, report.per_label(measure)[report.is_scored] - method.bound, rtol=0, atol=SAME)
    table = info.table
    figure = plots.plot_per_class(info)
    if len(table):
        points = next(trace for trace in figure.data if trace.mode == "markers")
        assert points.y.astype(float) ** 2 == pytest.approx(table["is, above it"].to_numpy(), abs=1e-6)
        assert points.customdata[:, 0] == pytest.approx(table["is"].to_numpy(), rel=1e-6)


def test_a_panel_a_method_with_the_others_in_grey(tiny):
    better = report_of([[2, 2, 0, 10], [2, 1, 0, 10]], [10, 10], tiny.label_names)
    info = plots.per_class_info({"random": [tiny], "is": [better]}, "rld", names={"is": "IS", "random": HOSTILE})
    assert "Lowest first: IS, mean 0.167, equal to the best possible;" in info.alt_text
    figure = plots.plot_per_class(info)
    assert not figure.layout.showlegend
    others, points, line = (trace for trace in figure.data if trace.xaxis == "x")
    assert others.line.color == plots.style.GREY
    assert others.y[:-1] == pytest.approx(np.sqrt(info.methods[1].means))
    assert points.marker.color == line.line.color == plots.method_style("random").color
    titles = [each.text for each in figure.layout.annotations]
    assert any(f"<b>{ESCAPED}</b>" in title for title in titles)
    # on Check the panels are one split before and after its repair, and no methods
    assert any(title.endswith("grey: in the other panel</span>") for title in titles)
    assert titles.count('<span style="font-size: 11px">0 = best possible for the label</span>') == 2
    assert [(line.y0, line.y1) for line in figure.layout.shapes] == [(0, 0), (0, 0)]
    assert (figure.layout.yaxis.ticktext[0], figure.layout.yaxis.tickvals[0]) == ("0", 0)
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    stacked = plots.plot_per_class(info, columns=1)
    assert stacked.layout.xaxis.domain == stacked.layout.xaxis2.domain == (0, 1)


def test_scores_themselves_can_be_drawn(tiny):
    info = plots.per_class_info({"is": [tiny]}, "rld", scale="score")
    assert info.methods[0].values.tolist() == info.methods[0].scores.tolist()
    figure = plots.plot_per_class(info)
    assert [trace.line.dash for trace in figure.data] == [None, "dash", None]
    assert "0 = perfect" in figure.layout.annotations[-1].text
    of_ld = plots.per_class_info({"is": [tiny]}, "ld")
    assert of_ld.scale == "score"  # it has no best possible
    assert list(of_ld.table) == ["label", "positives", "is"]
    assert of_ld.methods[0].remark(of_ld.usual) == f"mean {optisplit.text.number(tiny.score('ld').value)}"
    assert "dash" not in [trace.line.dash for trace in plots.plot_per_class(of_ld).data]


def test_unequal_parts_say_that_labels_have_bounds_of_their_own():
    # of 600 positives of labels of 3, 80, 10 and 10 per cent: fair, but each label alone is best in the first part
    counts = np.repeat([[2, 2, 3], [1, 0, 0], [0, 1, 0]], [60, 60, 80], axis=1)
    report = report_of(counts, [800, 100, 100])
    assert report.score("rld").bound > report.bound_per_label("rld").mean()
    info = plots.per_class_info({"is": [report]}, "rld", noun="part")
    assert info.methods[0].remark(info.usual).endswith("the best possible of splits as fair")
    said = " ".join(each.text for each in plots.plot_per_class(info).layout.annotations)
    assert "a fair split into parts of unequal size" in said.replace("</span><br>", "").replace("<span>", " ")


@pytest.mark.parametrize("given_reports", [{}, {"is": []}, {"is": [report_of([[0], [0]], [5, 5])]}])
def test_without_data(given_reports):
    info = plots.per_class_info(given_reports, "rld")
    figure = plots.plot_per_class(info)
    assert not figure.data
    assert "No labels to show" in [each.text for each in figure.layout.annotations]
    assert "no labels" in info.alt_text


def test_what_cannot_be_drawn_is_refused(tiny):
    with pytest.raises(OptionError, match=r"Unknown measure 'rdl'(?s:.*)did you mean 'rld'"):
        plots.per_class_info({"is": [tiny]}, "rdl")
    with pytest.raises(OptionError, match="Unknown scale 'log'"):
        plots.per_class_info({"is": [tiny]}, "rld", scale="log")
    with pytest.raises(OptionError, match="different labels"):
        plots.per_class_info({"is": [tiny], "random": [report_of([[1], [1]], [10, 10])]}, "rld")
    with pytest.raises(OptionError, match="columns=0"):
        plots.plot_per_class(plots.per_class_info({"is": [tiny]}, "rld"), columns=0)


def test_hover_texts_speak_of_parts_and_stand_in_their_box():
    name = "regulation of the long names of gene ontology, positive, in the mitochondrion"
    report = report_of([[10_000]] * 30, [50_000] * 30, [name])
    figure = plots.plot_per_class(plots.per_class_info({"is": [report, report]}, "rld", noun="part"))
    points = next(trace for trace in figure.data if trace.mode == "markers")
    assert "positives in the parts of the first split:<br>%{hovertext}" in points.hovertemplate
    lines = points.text[0].split("<br>") + points.hovertext[0].split("<br>")
    assert len(lines) > 4
    assert max(map(len, lines)) <= 44
    assert points.hovertext[0].endswith("…")


# many labels


def test_300_labels_are_all_points_and_of_301_a_sample():
    for n_labels, n_shown in ((300, 300), (301, 100)):
        info = plots.per_class_info({"is": [many_labels(n_labels, 0)]}, "rld", max_points=100)
        assert len(info.methods[0].shown) == n_shown
        assert info.bands.n_labels.min() >= 10


def test_a_sample_holds_the_worst_of_each_band_and_the_same_labels_otherwise():
    given_reports = {"is": [many_labels(3000, 0)], "random": [many_labels(3000, 1)]}
    info, again = (plots.per_class_info(given_reports, "rld", max_points=600) for _ in range(2))
    for method, twin in zip(info.methods, again.methods, strict=True):
        assert method.shown.tolist() == twin.shown.tolist()
        assert len(set(method.shown.tolist())) == 600
        for band in range(len(info.bands)):
            inside = np.flatnonzero(info.bands.of_label == band)
            assert method.values[np.intersect1d(inside, method.shown)].max() == method.values[inside].max()
    first, second = (set(method.shown.tolist()) for method in info.methods)
    assert len(first & second) > 450


def test_lines_are_means_over_labels():
    report = many_labels(2000, 0)
    (method,) = (info := plots.per_class_info({"is": [report]}, "rld")).methods
    excess = report.score("rld").value - report.score("rld").bound
    assert method.means @ info.bands.n_labels / 2000 == pytest.approx(excess)


def test_31000_labels_are_fast_and_small():
    keys = ["random", "is", "sois", "optisplit", "optisplit-sa"]
    first = [many_labels(31_000, seed) for seed in range(3)]
    given_reports = {
        key: [optisplit.Report(each.counts, each.fold_sizes, each.shares, each.label_names) for each in first]
        for key in keys
    }
    plots.plot_per_class(plots.per_class_info({"is": [many_labels(20, 0)]}, "dcp"))  # plotly loads its classes
    start = time.process_time()
    text = plots.plot_per_class(plots.per_class_info(given_reports, "dcp")).to_json()
    assert time.process_time() - start < 1
    assert len(text) < 1_000_000
    start = time.process_time()
    maps = plots.plot_fold_maps(plots.fold_maps_info(given_reports)).to_json()
    assert time.process_time() - start < 1
    assert len(maps) < 200_000
