"""The figure of where rare labels go."""

from __future__ import annotations

import numpy as np
import pytest

import optisplit
from optisplit import plots
from optisplit.errors import OptionError
from optisplit.plots import rare_shares

# 100 labels of one row and 100 of two, 60 + 40 rows a hundred times
N = 100


def report_of(share_of_ones, share_of_twos):
    """Make a report in which part "test", with 40 % of the rows, has these shares of the positives of each size."""
    ones, twos = round(N * share_of_ones), round(2 * N * share_of_twos)
    counts = np.zeros((2, 2 * N), dtype=np.int32)
    counts[1, :ones], counts[0, ones:N] = 1, 1
    counts[1, N:] = np.arange(N) < twos // 2
    counts[1, N:] *= 2
    counts[0, N:] = 2 - counts[1, N:]
    names = tuple(f"label {j}" for j in range(2 * N))
    return optisplit.Report(counts, np.array([600, 400]), np.array([0.6, 0.4]), names, ("train", "test"))


def test_by_hand():
    info = rare_shares.rare_shares_info({"is": [report_of(0.1, 0.4)]}, names={"is": "IS"}, noun="part")
    assert (info.sizes, info.n_labels.tolist(), info.positives.tolist()) == (("1", "2"), [100, 100], [100, 200])
    (method,) = info.methods
    assert (method.key, method.name, method.n_reports) == ("is", "IS", 1)
    np.testing.assert_allclose(method.shares, [[0.9, 0.6], [0.1, 0.4]])
    assert method.due.tolist() == [0.6, 0.4]
    # of 100 positives, 40 are due and random splits differ from that by sqrt(100 x .4 x .6), about 5: 30 is far
    assert info.spread(method)[1, 0] == pytest.approx(np.sqrt(0.4 * 0.6 / 100))
    assert info.farthest(method) == (1, 0)
    assert info.remark(method) == "labels with 1 row: 10 % in test, 40 % due"
    assert "IS: labels with 1 row: 10 % in test, 40 % due." in info.alt_text
    assert info.table.to_dict("records")[0] == {
        "method": "IS", "label size": "1", "labels": 100, "positives": 100, "train, %": 90, "train, % due": 60,
        "test, %": 10, "test, % due": 40,
    }  # fmt: skip


def test_what_chance_may_do_is_not_told():
    info = rare_shares.rare_shares_info({"is": [report_of(0.3, 0.42)]}, noun="part")
    assert info.farthest(info.methods[0]) is None
    assert info.remark(info.methods[0]) == "no single size far off its due"


@pytest.mark.parametrize(("n_elsewhere", "is_told"), [(2_400, False), (3_000, True)])
def test_a_small_part_is_not_told_however_sure_it_is(n_elsewhere, is_told):
    # 10,000 labels with 2 rows, one in each part, or both in the first: 38 or 35 per cent in the other, 40 due
    counts = np.ones((2, 10_000), dtype=np.int32)
    counts[:, :n_elsewhere] = [[2], [0]]
    report = optisplit.Report(counts, np.array([600, 400]), np.array([0.6, 0.4]), tuple(map(str, range(10_000))))
    info = rare_shares.rare_shares_info({"is": [report]})
    (method,) = info.methods
    assert method.shares[1, 0] == pytest.approx((10_000 - n_elsewhere) / 20_000)
    assert 0.4 - method.shares[1, 0] > rare_shares.BY_CHANCE * info.spread(method)[1, 0]
    assert (info.farthest(method) is not None) == is_told


def test_means_over_reports_spread_less():
    info = rare_shares.rare_shares_info({"is": [report_of(0.1, 0.4), report_of(0.3, 0.4)]})
    (method,) = info.methods
    assert method.shares[1].tolist() == pytest.approx([0.2, 0.4])
    assert info.spread(method)[1, 0] == pytest.approx(np.sqrt(0.4 * 0.6 / 200))


def test_one_panel_a_method_and_one_line_a_part():
    given = {"is": [report_of(0.1, 0.4)], "ss": [report_of(0.4, 0.4)]}
    info = rare_shares.rare_shares_info(given, names={"is": "IS <b>", "ss": "SS"}, fold_names=["learn <i>", "test"])
    figure = rare_shares.plot_rare_shares(info)
    lines = [trace for trace in figure.data if trace.fill is None]
    assert [(line.yaxis, line.line.color) for line in lines] == [
        (axis, color) for axis in ("y", "y2") for color, _ in rare_shares.FOLD_STYLES[:2]
    ]
    assert lines[1].y[:2] == pytest.approx([0.1 / 0.4, 1])
    assert "10 % of the positives, 40 % due" in lines[1].hovertext[0]
    assert lines[0].hovertext[0].startswith("<b>learn &lt;i&gt;</b><br>labels with 1 row<br>(100 labels")
    assert [(shape.y0, shape.y1, shape.yref) for shape in figure.layout.shapes] == [(1, 1, "y"), (1, 1, "y2")]
    texts = [each.text for each in figure.layout.annotations]
    assert "<b>IS &lt;b&gt;</b>" in texts[0]
    assert any("●</span> learn &lt;i&gt; &nbsp; " in text for text in texts)
    assert texts[-1] == "test"  # beside the point that is the farthest off
    assert figure.layout.xaxis.ticktext == ("1", "2")
    stacked = rare_shares.plot_rare_shares(info, columns=1).layout
    panels = [stacked.yaxis.domain, stacked.yaxis2.domain]
    assert 1 > panels[0][1] > panels[0][0] > panels[1][1] > panels[1][0] >= 0
    assert figure.layout.yaxis.domain == figure.layout.yaxis2.domain


def test_shares_far_above_are_drawn_at_the_end_of_the_axis():
    counts = np.zeros((10, N), dtype=np.int32)
    counts[0] = 1
    names = tuple(f"label {j}" for j in range(N))
    report = optisplit.Report(counts, np.full(10, 50), np.full(10, 0.1), names)
    info = rare_shares.rare_shares_info({"is": [report]})
    figure = rare_shares.plot_rare_shares(info)
    everyone, farthest = figure.data[1:]
    assert (everyone.y[0], farthest.y[0]) == (rare_shares.MOST_SHOWN, rare_shares.MOST_SHOWN)
    assert farthest.line.width > everyone.line.width
    assert info.remark(info.methods[0]) == "labels with 1 row: 100 % in fold 0, 10 % due"


def test_many_folds_are_thin_lines_of_one_colour():
    labels, folds = np.eye(60, dtype=int), np.arange(60) % 20
    figure = rare_shares.plot_rare_shares(rare_shares.rare_shares_info({"is": [optisplit.evaluate(labels, folds)]}))
    (lines,) = figure.data[1:]
    assert (lines.mode, lines.line.color, lines.line.width) == ("lines", plots.method_style("is").color, 1)
    assert np.isnan(lines.y).sum() == 20  # gaps between folds
    assert any("Thin lines: folds" in each.text for each in figure.layout.annotations)


def test_an_empty_fold_has_nothing_due():
    report = optisplit.evaluate([[1], [1], [0], [0]], [0, 1, 0, 1], n_splits=3)
    info = rare_shares.rare_shares_info({"is": [report]})
    figure = rare_shares.plot_rare_shares(info)
    assert [trace.y[0] for trace in figure.data[1:4]] == [1, 1, 1]


@pytest.mark.parametrize("reports", [{}, {"is": []}, {"is": [optisplit.evaluate([[1], [1]], [0, 1])]}])
def test_without_data(reports):
    info = rare_shares.rare_shares_info(reports)
    assert info.alt_text == "Where rare labels go: no labels to show."
    assert rare_shares.plot_rare_shares(info).layout.annotations[-1].text == "No labels to show"
    assert info.table.empty


def test_reports_on_other_labels_are_refused():
    with pytest.raises(OptionError, match="different labels"):
        plots.rare_shares_info({"is": [report_of(0.1, 0.1)], "ss": [optisplit.evaluate([[1], [0]], [0, 1])]})


def test_folds_stand_out_on_light_and_dark():
    from test_figures import DARK, WHITE, contrast

    assert len({symbol for _, symbol in rare_shares.FOLD_STYLES}) == len(rare_shares.FOLD_STYLES)
    for color, _ in rare_shares.FOLD_STYLES:
        assert contrast(color, WHITE) >= 3
        assert contrast(color, DARK) >= 3


def test_rows_without_a_label_stand_at_the_left():
    """Four rows have none: all of them are in the first of two folds, where two are due."""
    labels = np.array([[0], [0], [0], [0], [1], [1], [1], [1]])
    report = optisplit.evaluate(labels, [0, 0, 0, 0, 1, 1, 1, 1])
    info = rare_shares.rare_shares_info({"is": [report]})
    assert info.n_bare == 4
    assert "Of 4 rows without a label: 0 % in fold 1, 50 % due." in info.alt_text
    figure = rare_shares.plot_rare_shares(info)
    marks = figure.data[-1]
    assert (list(marks.x), list(marks.y)) == ([rare_shares.BARE - 1, rare_shares.BARE + 1], [2, 0])
    assert figure.layout.xaxis.ticktext[0] == "no label"


def test_folds_with_the_same_share_are_named_together():
    labels = np.zeros((200, 40), dtype=int)
    labels[np.arange(40), np.arange(40)] = 1  # forty labels of one row, all in train
    folds = np.repeat([0, 1, 2], [160, 20, 20])
    report = optisplit.evaluate(labels, folds, shares=(0.8, 0.1, 0.1), fold_names=("train", "validation", "test"))
    info = rare_shares.rare_shares_info({"is": [report] * 10})
    assert info.remark(info.methods[0]) == "labels with 1 row: 0 % in validation and test, 10 % due"
