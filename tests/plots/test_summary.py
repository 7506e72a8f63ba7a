"""The summary of a comparison: figures, which is best, and the verdict in words."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import optisplit
from optisplit.comparison.experiment import ComparisonResult, Run
from optisplit.plots.summary import summary_info

NAMES = {"random": "Random", "optisplit": "OptiSplit", "skml-is": "IS"}
LABELS = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0], [1, 0], [0, 0]])
EVEN, UNEVEN = [0, 1, 0, 1, 0, 1, 1, 0], [0, 0, 1, 1, 0, 0, 1, 1]


def run(method, seed, folds, **changes):
    report = optisplit.evaluate(LABELS, folds)
    return dataclasses.replace(Run(method, seed, "done", 0.5, np.array(folds, np.int32), report), **changes)


def result(*runs):
    return ComparisonResult(runs, tuple(dict.fromkeys(each.method for each in runs)), 2, len(LABELS), {})


def failed(method, seed, status, reason):
    return Run(method, seed, status, float("nan"), reason=reason)


def test_means_bounds_and_the_best_of_each_column():
    even, uneven = optisplit.evaluate(LABELS, EVEN), optisplit.evaluate(LABELS, UNEVEN)
    info = summary_info(result(run("random", 0, UNEVEN), run("random", 1, EVEN), run("optisplit", 0, EVEN)), NAMES)
    random, ours = info.rows
    assert random.cells["rld"].mean == pytest.approx((even.rld + uneven.rld) / 2)
    assert random.cells["rld"].std == pytest.approx(abs(even.rld - uneven.rld) / np.sqrt(2))
    assert np.isnan(ours.cells["rld"].std)
    assert ours.cells["rld"].score.bound == pytest.approx(even.rld_bound)
    assert ours.cells["rld"].is_best
    assert not random.cells["rld"].is_best
    # the sizes are equal in both: nobody stands out
    assert not ours.cells["ed"].is_best
    assert not random.cells["ed"].is_best
    assert not ours.cells["time_s"].is_best


def test_the_verdict_names_the_best_and_the_last():
    info = summary_info(result(run("random", 0, UNEVEN), run("optisplit", 0, EVEN)), NAMES)
    # by hand: (0 + 1/3) / 2 against (1/2 + 1/3) / 2
    assert info.verdict[0].startswith("OptiSplit spreads the labels most evenly: its mean rLD is 0.167")
    assert info.verdict[1].startswith("Random comes last with 0.417, 2.5 times as much")


def test_runs_that_were_not_done_are_counted_with_their_reasons():
    runs = (run("random", 0, EVEN), failed("skml-is", 0, "over time", "too slow"), failed("skml-is", 1, "failed", "no"))
    info = summary_info(result(*runs), NAMES)
    assert (info.rows[1].n_done, info.rows[1].n_runs) == (0, 2)
    assert info.rows[1].reasons == ("too slow", "no")
    assert np.isnan(info.rows[1].cells["rld"].mean)
    assert not info.rows[1].cells["rld"].is_best
    assert "IS" not in " ".join(info.verdict)


def test_nothing_done_and_nothing_to_score():
    info = summary_info(result(failed("random", 0, "cancelled", "cancelled")), NAMES)
    assert info.verdict == ("No run was done, so there is nothing to compare.",)
    unscored = optisplit.compare([[1], [1], [1], [1]], ["random", "optisplit"], 2, seeds=range(1))
    assert summary_info(unscored, NAMES).verdict[0].startswith("No label has both")


def test_folds_of_unequal_size_are_pointed_out():
    lopsided = run("optisplit", 0, [0, 1, 0, 1, 0, 0, 0, 0])
    info = summary_info(result(lopsided), NAMES)
    assert info.verdict[0].startswith("OptiSplit has a mean rLD of")
    assert any("very unequal size: on average 2 rows from 4" in sentence for sentence in info.verdict)


def test_a_score_bought_with_unequal_folds_is_not_called_the_best():
    lopsided = [0, 0, 1, 0, 0, 0, 1, 0]  # label 0: 3 and 1 of 4 rows in folds of 6 and 2; label 1: 2 and 1 of 3
    even = run("random", 0, UNEVEN)
    bought = run("optisplit", 0, lopsided)
    assert bought.report.rld < even.report.rld
    info = summary_info(result(even, bought), NAMES)
    assert info.verdict[0].startswith("Random spreads the labels most evenly")
    assert any(
        sentence.startswith("OptiSplit has a lower rLD") and "ED 2 rows" in sentence for sentence in info.verdict
    )
    assert info.rows[1].cells["rld"].is_best


def of_parts(*runs, **constraints):
    return dataclasses.replace(result(*runs), constraints={"fold_sizes": [0.75, 0.25], **constraints})


def test_parts_are_called_parts_and_measured_against_the_sizes_asked_for():
    parts = [0, 0, 0, 1, 0, 1, 0, 0]
    report = optisplit.evaluate(LABELS, parts, shares=[0.75, 0.25])
    info = summary_info(of_parts(run("optisplit", 0, parts, report=report)), NAMES)
    assert info.rows[0].cells["ed"].mean == 0
    assert "the best possible for parts of its sizes" in info.verdict[0]
    assert not any("unequal" in sentence or "fold" in sentence for sentence in info.verdict)


def test_parts_of_other_sizes_than_asked_for_are_pointed_out():
    even, lopsided = [0, 0, 0, 1, 0, 1, 0, 0], EVEN
    shares = {"shares": [0.75, 0.25]}
    one = run("random", 0, even, report=optisplit.evaluate(LABELS, even, **shares))
    other = run("optisplit", 0, lopsided, report=optisplit.evaluate(LABELS, lopsided, **shares))
    info = summary_info(of_parts(other), NAMES)
    assert any("on average 2 rows from the sizes asked for (ED)" in sentence for sentence in info.verdict)
    info = summary_info(of_parts(one, other), NAMES)
    assert info.best == "random"
    assert any("by making parts of other sizes than asked for (ED 2 rows)" in each for each in info.verdict)


def test_with_groups_nothing_is_promised_of_empty_pairs():
    uneven = [0, 0, 0, 0, 1, 0, 1, 1]
    labels = np.array([[1], [1], [1], [0], [0], [0], [0], [0]])
    report = optisplit.evaluate(labels, uneven)
    assert (report.flz, report.flz_bound) == (1, 0)
    without = result(run("optisplit", 0, uneven, report=report))
    assert any("all of them could be avoided." in each for each in summary_info(without, NAMES).verdict)
    grouped = dataclasses.replace(without, constraints={"groups": [0, 0, 0, 0, 1, 0, 1, 1]})
    assert any("could be avoided, were it not for the groups." in each for each in summary_info(grouped, NAMES).verdict)


def test_splits_of_stopped_runs_are_kept_but_count_in_no_figure():
    stopped = run("optisplit", 0, EVEN, status="cancelled", reason="cancelled", cpu_s=float("nan"))
    info = summary_info(result(stopped), NAMES)
    assert info.verdict == (
        "No run was done, so there is nothing to compare. The best splits found until then are kept.",
    )
    assert np.isnan(info.rows[0].cells["rld"].mean)
    info = summary_info(result(stopped, run("optisplit", 1, UNEVEN)), NAMES)
    assert info.rows[0].cells["rld"].mean == optisplit.evaluate(LABELS, UNEVEN).rld
    assert info.verdict[-1] == "OptiSplit had a split with a lower rLD, 0.167, when it was stopped: it is kept."
    worse = run("optisplit", 0, UNEVEN, status="over time", reason="too slow")
    assert not any("stopped" in each for each in summary_info(result(worse, run("random", 1, EVEN)), NAMES).verdict)
