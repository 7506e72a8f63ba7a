"""The paper's synthetic experiment: known errors, known scores."""

from __future__ import annotations

import numpy as np
import pytest

from optisplit import evaluate
from optisplit.errors import OptionError
from optisplit.plots.synthetic_scores import plot_synthetic_scores, synthetic_scores_alt_text
from optisplit.studies.synthetic import KINDS, synthetic_scores, synthetic_split

SMALL = {"n_rows": 1000, "n_labels": 7, "n_splits": 5}


def counts_of(made):
    report = evaluate(made.data, made.folds)
    return report.counts


@pytest.mark.parametrize("kind", KINDS)
def test_sizes_go_in_equal_steps_from_two_a_fold_to_half_of_the_rows(kind):
    made = synthetic_split(kind, **SMALL)
    wanted = np.linspace(10, 500, 7)
    assert np.bincount(made.folds).tolist() == [200] * 5
    assert (np.abs(made.sizes - wanted) < 5).all()
    assert made.sizes.tolist() == made.data.labels.sum(axis=0).tolist()
    assert (np.diff(made.sizes) > 0).all()


def test_equal_is_without_any_error():
    counts = counts_of(synthetic_split("equal", **SMALL))
    assert (counts == counts[0]).all()


def test_difference_moves_a_fifth_from_the_second_fold_to_the_first():
    made = synthetic_split("difference", **SMALL)
    counts = counts_of(made)
    moved = (counts[2] * 0.2).astype(int)
    assert moved[-1] == 20
    np.testing.assert_array_equal(counts[0], counts[2] + moved)
    np.testing.assert_array_equal(counts[1], counts[2] - moved)
    np.testing.assert_array_equal(counts[3], counts[2])


def test_one_missing_has_none_in_the_first_fold_and_as_many_in_each_other():
    counts = counts_of(synthetic_split("missing", **SMALL))
    assert (counts[0] == 0).all()
    assert (counts[1:] == counts[1]).all()


def test_free_gives_each_fold_what_is_asked_for():
    made = synthetic_split("free", amounts=[150, 50, 0, 100, 100], **SMALL)
    counts = counts_of(made)
    assert made.sizes[-1] == 500
    assert counts[:, -1].tolist() == [188, 62, 0, 125, 125]  # 187.5 and 62.5: the row left over goes to the first
    assert (np.abs(counts - np.array([3, 1, 0, 2, 2])[:, None] / 8 * made.sizes) < 1).all()


def test_free_with_equal_amounts_differs_by_rounding_alone():
    counts = counts_of(synthetic_split("free", **SMALL))
    assert (np.ptp(counts, axis=0) <= 1).all()


@pytest.mark.parametrize("amounts", [[1, 0, 0, 0, 0], [300, 1, 1, 1, 1], [3, 3, 0, 0, 0]])
def test_free_makes_classes_no_larger_than_the_fullest_fold_has_room_for(amounts):
    made = synthetic_split("free", amounts=amounts, **SMALL)
    assert (counts_of(made) <= 200).all()
    assert 190 <= counts_of(made).max() <= 200


def test_scores_of_one_kind():
    info = synthetic_scores(kinds=("free",), amounts=[2, 0, 1, 1, 1], **SMALL)
    assert list(info.sizes) == ["free"]
    assert info.growth("ld", "free") > 10
    assert info.growth("rld", "free") == pytest.approx(1, rel=0.02)
    assert "Free from" in synthetic_scores_alt_text(info, "rld")


@pytest.mark.parametrize("amounts", [[1, 1], [0] * 5, [-1, 1, 1, 1, 1], [np.nan, 1, 1, 1, 1]])
def test_amounts_that_mean_nothing_are_said(amounts):
    with pytest.raises(OptionError, match="amounts must be 5 numbers from 0 up, not all 0"):
        synthetic_split("free", amounts=amounts, **SMALL)


def test_the_papers_own_size_gives_the_scores_that_the_formulas_say():
    """For a class of share d: missing from one of 10 folds, its share is 10/9 d in the others."""
    info = synthetic_scores()
    d = info.sizes["missing"] / info.n_rows
    assert (info.n_rows, info.n_splits, len(d)) == (100_000, 10, 100)
    p = d * 10 / 9
    ld = (np.abs(d / (1 - d)) + 9 * np.abs(p / (1 - p) - d / (1 - d))) / 10
    np.testing.assert_allclose(info.scores["ld"]["missing"], ld, rtol=1e-12)
    np.testing.assert_allclose(info.scores["rld"]["missing"], 0.2, rtol=1e-12)
    np.testing.assert_allclose(info.scores["dcp"]["missing"], 1 / 9 - 1 / 10, rtol=1e-9)
    for measure in ("ld", "rld", "dcp"):
        np.testing.assert_allclose(info.scores[measure]["equal"], 0, atol=1e-12)
    large = info.sizes["difference"] > 5000
    np.testing.assert_allclose(info.scores["rld"]["difference"][large], 0.04, rtol=0.02)
    np.testing.assert_allclose(info.scores["dcp"]["difference"][large], 0.02, rtol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_the_labels_made(kind):
    amounts = {"amounts": [3, 1, 0, 2, 2]} if kind == "free" else {}
    info, made = synthetic_scores([kind], **SMALL, **amounts), synthetic_split(kind, **SMALL, **amounts)
    report = evaluate(made.data, made.folds, n_splits=5)
    for measure in ("ld", "rld", "dcp"):
        np.testing.assert_allclose(info.scores[measure][kind], report.per_label(measure), rtol=1e-12)
    np.testing.assert_array_equal(info.sizes[kind], made.sizes)


def test_only_ld_grows_with_class_size():
    info = synthetic_scores(n_rows=10_000)
    assert info.growth("ld", "missing") > 500
    assert info.growth("rld", "missing") == pytest.approx(1)
    assert info.growth("dcp", "missing") == pytest.approx(1)
    assert np.isnan(info.growth("ld", "equal"))


def test_the_figure_has_every_class_of_every_kind_and_words():
    info = synthetic_scores(**SMALL)
    figure = plot_synthetic_scores(info, "ld", is_log=False)
    assert [trace.name for trace in figure.data] == ["Equal", "Difference", "One missing"]
    assert all(len(trace.x) == 7 for trace in figure.data)
    np.testing.assert_array_equal(figure.data[2].y, info.scores["ld"]["missing"])
    logarithmic = plot_synthetic_scores(info, "ld")
    assert logarithmic.layout.yaxis.type == logarithmic.layout.xaxis.type == "log"
    np.testing.assert_array_equal(logarithmic.data[2].y, info.scores["ld"]["missing"])
    assert set(logarithmic.data[0].y) == {logarithmic.layout.yaxis.tickvals[0]}  # no error: at the foot
    assert logarithmic.layout.yaxis.ticktext[0] == "0"
    assert "One missing from" in synthetic_scores_alt_text(info, "ld")
    assert list(info.table.columns) == ["kind", "class_size", "rld", "dcp", "ld"]
    assert len(info.table) == 21


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "mising"}, "missing"),
        ({"n_rows": 1001}, "use 1,000"),
        ({"n_splits": 1}, "n_splits must be a whole number of at least 2"),
        ({"n_rows": 8}, "n_rows must be a whole number of at least 20"),
        ({"n_labels": 0}, "n_labels must be a whole number of at least 1"),
        ({"difference": 1.5}, "difference must be from 0 to 1"),
    ],
)
def test_bad_arguments_are_said(given, message):
    with pytest.raises(OptionError, match=message):
        synthetic_split(**{"kind": "equal", **SMALL, **given})
