"""The summary of a comparison: figures, which is best, and the verdict in words."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import optisplit
from optisplit.cli.compare import _verdict_lines
from optisplit.comparison.experiment import ComparisonResult, Run
from optisplit.io.likely_groups import TornGroups
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


def test_methods_stand_in_the_order_of_the_verdict_each_by_its_best_split():
    even, uneven = optisplit.evaluate(LABELS, EVEN), optisplit.evaluate(LABELS, UNEVEN)
    info = summary_info(result(run("random", 0, UNEVEN), run("random", 1, UNEVEN), run("optisplit", 0, EVEN)), NAMES)
    assert [row.method for row in info.rows] == ["optisplit", "random"]
    ours, random = info.rows
    assert (ours.score("rld").value, ours.score("rld").bound) == (even.rld, even.rld_bound)
    assert (ours.run.seed, ours.n_done, ours.n_runs) == (0, 1, 1)
    assert np.isnan(ours.cells["rld"].std)
    assert random.cells["rld"].mean == pytest.approx(uneven.rld)
    assert {key: reports[0].rld for key, reports in info.reports.items()} == {
        "optisplit": even.rld,
        "random": uneven.rld,
    }
    mixed = summary_info(result(run("random", 0, UNEVEN), run("random", 1, EVEN)), NAMES).rows[0]
    assert mixed.run.seed == 1
    assert mixed.cells["rld"].mean == pytest.approx((even.rld + uneven.rld) / 2)
    assert mixed.cells["rld"].std == pytest.approx(abs(even.rld - uneven.rld) / np.sqrt(2))


def test_the_verdict_is_a_grade_and_up_to_three_sentences():
    info = summary_info(result(run("random", 0, UNEVEN), run("optisplit", 0, EVEN)), NAMES)
    assert (info.best, info.grade.title) == ("optisplit", "Best possible")
    # by hand: (0 + 1/3) / 2 against (1/2 + 1/3) / 2
    assert info.verdict == (
        "The best split is that of OptiSplit (seed 0): its rLD is 0.167, proven: no split of these sizes is better.",
        "Random folds spread the labels 2.5 times as unevenly (0.417).",
        "2 labels have fewer than 13 positives in a fold, so that one score of them there says little.",
    )
    assert info.remarks == ()
    assert info.leaderboard == [
        {"Method": "OptiSplit", "Grade": "Best possible", "Unevenness of labels": "0.167",
         "Labels missing where they should be": "0",
         "Rows off equal sizes": "0", "Seconds": "0.50"},
        {"Method": "Random", "Grade": "No better than random", "Unevenness of labels": "0.417",
         "Labels missing where they should be": "0", "Rows off equal sizes": "0", "Seconds": "0.50"},
    ]  # fmt: skip


def test_a_comparison_that_divides_patients_is_headed_so_in_all_of_its_forms():
    torn = TornGroups("patient_id", "patient", 2, 3, "fold")
    divided = dataclasses.replace(result(run("optisplit", 0, EVEN)), torn=torn)
    info = summary_info(divided, NAMES)
    assert (info.grade.title, info.grade.severity) == ("Best possible", "ok")
    assert (info.headline.title, info.headline.severity) == (
        "Best possible, but rows of one patient are divided", "warning"
    )  # fmt: skip
    assert info.verdict[0] == "patient_id repeats: 2 of 3 patients have rows in more than one fold."
    shown = divided._repr_html_()
    assert '<div class="verdict warning"><strong>Best possible, but rows of one patient are divided' in shown
    assert shown.index("2 of 3 patients") < shown.index("The split of OptiSplit")
    assert _verdict_lines(info)[:2] == ["BEST POSSIBLE, BUT ROWS OF ONE PATIENT ARE DIVIDED", info.verdict[0]]


def test_where_the_best_of_random_splits_has_not_the_lowest_score_it_is_called_what_it_is():
    runs = [run("random", 0, EVEN, n_missing=1), run("random", 1, UNEVEN), run("optisplit", 0, EVEN)]
    said = summary_info(result(*runs), NAMES).verdict[1]
    assert said == "The least faulty of 2 random splits spreads the labels 2.5 times as unevenly (0.417)."


def test_without_random_splits_the_last_method_is_named_instead():
    info = summary_info(result(run("skml-is", 0, UNEVEN), run("optisplit", 0, EVEN)), NAMES)
    assert info.verdict[1] == "IS, the last here, spreads the labels 2.5 times as unevenly (0.417)."
    assert info.rows[1].grade.title == "No better than random"  # whose mean is worked out, not drawn


def test_labels_that_random_folds_leave_out_are_counted_beside_those_of_the_split():
    labels = np.array([[1, 0], [1, 0], [0, 1], [0, 0]])
    runs = [
        Run("random", 0, "done", 0.1, None, optisplit.evaluate(labels, [0, 0, 1, 1]), n_missing=1),
        Run("optisplit", 0, "done", 0.1, None, optisplit.evaluate(labels, [0, 1, 0, 1])),
    ]
    info = summary_info(ComparisonResult(tuple(runs), ("random", "optisplit"), 2, 4, {}), NAMES)
    assert info.verdict[1] == (
        "None of 2 labels is missing from folds that should have it (random folds: 1, for which a model cannot be "
        "scored there); random folds spread the labels 2 times as unevenly (1)."
    )
    assert info.verdict[2].startswith(
        "1 label has fewer rows than there are folds, so that every split lacks it in some fold"
    )
    assert [row.grade_words for row in info.rows] == ["Best possible", "Faulty: 1 label missing"]
    assert [(row.n_missing, len(row.unavoidable)) for row in info.rows] == [(0, 1), (1, 1)]


def test_runs_that_were_not_done_are_counted_with_their_reasons():
    runs = (run("random", 0, EVEN), failed("skml-is", 0, "over time", "too slow"), failed("skml-is", 1, "failed", "no"))
    info = summary_info(result(*runs), NAMES)
    assert (info.rows[1].n_done, info.rows[1].n_runs) == (0, 2)
    assert info.rows[1].reasons == ("too slow", "no")
    assert np.isnan(info.rows[1].cells["rld"].mean)
    assert info.rows[1].grade_words == "Not done: too slow; no"
    assert info.leaderboard[1]["Unevenness of labels"] == "–"
    assert "IS" not in " ".join(info.verdict)


def test_nothing_done_and_nothing_to_score():
    info = summary_info(result(failed("random", 0, "cancelled", "cancelled")), NAMES)
    assert info.verdict == ("No run was done, so there is nothing to compare.",)
    unscored = optisplit.compare([[1], [1], [1], [1]], ["random", "optisplit"], 2, seeds=range(1))
    assert summary_info(unscored, NAMES).verdict[0].startswith("No label has both")


def test_folds_of_unequal_size_are_pointed_out():
    lopsided = run("optisplit", 0, [0, 1, 0, 1, 0, 0, 0, 0])
    info = summary_info(result(lopsided), NAMES)
    assert info.verdict[0].startswith("The split of OptiSplit (seed 0): its rLD is")
    assert "very unequal size: on average 2 rows from 4" in info.verdict[1]
    assert "unequal folds" in info.rows[0].grade_words


def test_a_score_bought_with_unequal_folds_is_not_called_the_best():
    lopsided = [0, 0, 1, 0, 0, 0, 1, 0]  # label 0: 3 and 1 of 4 rows in folds of 6 and 2; label 1: 2 and 1 of 3
    even = run("random", 0, UNEVEN)
    bought = run("optisplit", 0, lopsided)
    assert bought.report.rld < even.report.rld
    info = summary_info(result(even, bought), NAMES)
    assert info.verdict[0].startswith("The best split is that of Random (seed 0)")
    assert info.remarks[0].startswith("OptiSplit has a lower rLD, ")
    assert "by making folds of unequal size (ED 2 rows), with which" in info.remarks[0].replace(
        "but makes", "by making"
    )


def of_parts(*runs, **constraints):
    return dataclasses.replace(result(*runs), constraints={"fold_sizes": [0.75, 0.25], **constraints})


def test_parts_are_called_parts_and_measured_against_the_sizes_asked_for():
    parts = [0, 0, 0, 1, 0, 1, 0, 0]
    report = optisplit.evaluate(LABELS, parts, shares=[0.75, 0.25])
    info = summary_info(of_parts(run("optisplit", 0, parts, report=report)), NAMES)
    assert info.rows[0].cells["ed"].mean == 0
    assert "Rows off the sizes asked for" in info.leaderboard[0]
    assert not any("unequal" in sentence or "fold" in sentence for sentence in (*info.verdict, *info.remarks))


def test_parts_of_other_sizes_than_asked_for_are_pointed_out():
    even, lopsided = [0, 0, 0, 1, 0, 1, 0, 0], EVEN
    shares = {"shares": [0.75, 0.25]}
    one = run("random", 0, even, report=optisplit.evaluate(LABELS, even, **shares))
    other = run("optisplit", 0, lopsided, report=optisplit.evaluate(LABELS, lopsided, **shares))
    info = summary_info(of_parts(other), NAMES)
    assert any("on average 2 rows from the sizes asked for (ED)" in sentence for sentence in info.verdict)
    info = summary_info(of_parts(one, other), NAMES)
    assert info.best == "random"
    assert "but makes parts of other sizes than asked for (ED 2 rows)" in info.remarks[0]
    assert "other sizes" in info.rows[1].grade_words


def test_labels_that_are_missing_are_the_caveat_and_with_groups_nothing_is_promised_of_them():
    uneven = [0, 0, 0, 0, 1, 1, 1, 1]
    labels = np.array([[1], [1], [1], [0], [0], [0], [0], [0]])
    lacking = run("optisplit", 0, uneven, report=optisplit.evaluate(labels, uneven), n_missing=1)
    info = summary_info(result(lacking), NAMES)
    assert info.grade.title == "Faulty"
    assert info.verdict[-1] == (
        "But 1 of 1 label is missing from folds that should have it, each looked at alone; no better split was found."
    )
    grouped = dataclasses.replace(result(lacking), constraints={"groups": [0, 0, 0, 0, 1, 0, 1, 1]})
    assert (
        "should have it, each looked at alone and as far as the groups allow;"
        in summary_info(grouped, NAMES).verdict[-1]
    )


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
    assert len(info.verdict) <= 3
    worse = run("optisplit", 0, UNEVEN, status="over time", reason="too slow")
    assert not any("stopped" in each for each in summary_info(result(worse, run("random", 1, EVEN)), NAMES).verdict)


def many(counts, seed=0):
    """Make 200 rows in two folds of 100, with so many positives of each label in either."""
    labels = np.zeros((200, len(counts)), dtype=np.int8)
    for label, in_folds in enumerate(counts):
        for fold, n in enumerate(in_folds):
            labels[100 * fold : 100 * fold + n, label] = 1
    report = optisplit.evaluate(labels, np.repeat([0, 1], 100))
    return Run(f"{seed}", seed, "done", 0.1, None, report)


def compared(ours, *theirs):
    """Compare one split of IS with several of random folds."""
    runs = [dataclasses.replace(many(ours), method="skml-is")]
    runs += [dataclasses.replace(many(each, seed), method="random") for seed, each in enumerate(theirs)]
    return summary_info(ComparisonResult(tuple(runs), ("skml-is", "random"), 2, 200, {}), NAMES)


@pytest.mark.parametrize(
    ("ours", "theirs", "is_as_good"),
    [
        ([(51, 49)], [[(51, 49)], [(80, 20)]], True),
        ([(25, 75)], [[(24, 76)], [(5, 95)]], True),  # 4 % worse at best
        ([(25, 75)], [[(22, 78)], [(5, 95)]], False),  # 12 %, and 46 % on average
        ([(50, 50)], [[(51, 49)], [(95, 5)]], False),  # proven: no split is better
        ([(50, 50)], [[(50, 50)], [(95, 5)]], False),
    ],
)  # fmt: skip
def test_as_good_is_not_said_beside_a_proven_best_split_or_of_a_clearly_worse_one(ours, theirs, is_as_good):
    info = compared([*ours, (50, 50)], *([*each, (50, 50)] for each in theirs))
    assert info.best == "skml-is"
    assert any("is about as good" in each for each in info.remarks) == is_as_good
    if "times as unevenly" in info.verdict[1]:
        assert not is_as_good


def test_of_several_random_splits_the_best_is_told_of_and_called_so():
    info = compared([(50, 50)], [(60, 40)], [(90, 10)])
    assert info.verdict[1] == "The best of 2 random splits spreads the labels with an rLD of 0.200."
    assert compared([(50, 50)], [(60, 40)]).verdict[1] == "Random folds spread the labels with an rLD of 0.200."


def test_where_labels_have_few_positives_that_is_said():
    plenty = compared([(50, 50), (13, 13)], [(60, 40), (13, 13)])
    assert plenty.verdict[-1] == "Nothing speaks against using it."
    few = compared([(50, 50), (13, 12)], [(60, 40), (13, 13)])
    said = "1 label has fewer than 13 positives in a fold, so that one score of it there says little."
    assert few.verdict[-1] == said
    weak = compared([(25, 75), (12, 13)], [(22, 78), (12, 13)])
    assert said not in weak.verdict
    assert weak.remarks[-1] == said


def test_few_positives_count_where_labels_are_scored_not_in_the_largest_part():
    labels = np.zeros((100, 2), dtype=np.int8)
    labels[::2, 0] = True  # 10 of 50 in part 1
    labels[[0, 5, 10, 15, 20, 25, 30], 1] = 1  # 1 or 2 of 7
    parts = np.where(np.arange(100) % 10 < 2, 1, 0)
    report = optisplit.evaluate(labels, parts, shares=[0.8, 0.2])
    made = ComparisonResult(
        (Run("optisplit", 0, "done", 0.1, None, report),), ("optisplit",), 2, 100, {}, {"fold_sizes": [0.8, 0.2]}
    )
    info = summary_info(made, NAMES)
    said = "2 labels have fewer than 13 positives in part 1, so that one score of them there says little."
    assert said in (*info.verdict, *info.remarks)
