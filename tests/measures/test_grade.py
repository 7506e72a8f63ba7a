"""The one grade of a split: what each is given for, and the sentence that says why."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import optisplit
from optisplit.measures.grade import GRADES, Grade, gained, grade_of, near_words
from optisplit.measures.score import Score

UNFAIR = SimpleNamespace(whom="some labels")


def report(value: float, bound: float, **changes):
    """Stand for a report with one score."""
    given = {"fold_names": ("fold 0", "fold 1"), "shares": np.array([0.5, 0.5]), "score": lambda _: Score(value, bound)}
    given["positives"] = np.ones(2000, dtype=int)
    return SimpleNamespace(**given | changes)


@pytest.mark.parametrize(
    ("value", "bound", "random", "key", "reason"),
    [
        (0.2, 0.2, 0.5, "best", "Proven: no split of these sizes is better."),
        (0.2, 0.2, None, "best", "Proven: no split of these sizes is better."),
        (0.21, 0.2, 0.5, "very good", "It is at most 5 % above the best possible."),
        (0.204, 0.2, None, "very good", "It is at most 2 % above the best possible."),
        # 0.3 of 0.6 above 0, and so on: (random - value) / (random - bound)
        (
            0.012,
            0.01,
            0.11,
            "very good",
            "98 % of the way from the mean of random splits to the best possible is gained.",
        ),
        (0.03, 0.01, 0.11, "good", "80 % of the way from the mean of random splits to the best possible is gained."),
        (0.035, 0.01, 0.11, "good", "75 % of the way from the mean of random splits to the best possible is gained."),
        (
            0.06,
            0.01,
            0.11,
            "weak",
            "Only 50 % of the way from the mean of random splits to the best possible is gained.",
        ),
        (0.106, 0.01, 0.11, "random", "It spreads the labels no more evenly than random splits do on average."),
        (0.2, 0.01, 0.11, "random", "It spreads the labels no more evenly than random splits do on average."),
        (0.012, 0.01, None, "good", "It is at most 20 % above the best possible."),
        (0.03, 0.01, None, "weak", "It is at most 200 % above the best possible."),
        (0.03, 0.0, None, "weak", "It is above the best possible."),
        (float("nan"), float("nan"), None, "unknown", "No label has both a row that carries it and one that does not."),
    ],
)
def test_the_grade_goes_by_what_is_above_the_bound_and_by_the_way_from_random_splits(value, bound, random, key, reason):
    grade = grade_of(report(value, bound), random=random)
    assert (grade.key, grade.reason) == (key, reason)
    assert (grade.title, grade.severity) == GRADES[key]


def test_faults_come_before_scores():
    at_bound = report(0.2, 0.2)
    grade = grade_of(at_bound, n_avoidable_missing=1)
    assert (grade.title, grade.severity) == ("Faulty", "fault")
    assert grade.reason == "1 of 2,000 labels is missing from folds that should have it."
    parts = report(0.2, 0.2, shares=np.array([0.8, 0.2]))
    grade = grade_of(parts, n_avoidable_missing=1200, unfair=(UNFAIR, UNFAIR))
    assert grade.reason == (
        "1,200 of 2,000 labels are missing from parts that should have them and its parts are unfair to some labels."
    )
    assert grade_of(at_bound, has_faults=True).reason == "It has faults that make its scores worthless."


def test_grades_are_ranked_from_the_best_down():
    keys = list(GRADES)
    assert [Grade.of(key, "").rank for key in keys] == list(range(len(keys)))
    assert keys[0] == "best"
    assert keys.index("random") < keys.index("faulty")


def test_what_is_proven_of_fair_splits_is_said_of_these():
    assert near_words(Score(1.0, 1.0, is_of_fair=True)) == "proven: no split of these sizes that is as fair is better"
    assert near_words(Score(1.1, 1.0)) == "at most 10 % above the best possible"
    assert near_words(Score(1.1)) == ""


def test_the_way_gained():
    assert gained(Score(0.06, 0.01), 0.11) == pytest.approx(0.5)
    assert np.isnan(gained(Score(0.01, 0.01), 0.01))  # random splits are as good as can be
    assert np.isnan(gained(Score(0.01, 0.01), None))


def test_a_split_of_real_rows():
    labels = [[1], [1], [0], [0]]
    even, uneven = (optisplit.evaluate(labels, folds) for folds in ([0, 1, 0, 1], [0, 0, 1, 1]))
    assert grade_of(even, random=0.5).key == "best"
    assert grade_of(uneven, random=0.5).key == "random"


def test_no_grade_gives_an_all_clear_while_rows_of_one_group_are_divided():
    headed = [Grade.of(key, "").while_divided("patient") for key in ("best", "weak", "faulty")]
    assert [(each.title, each.severity) for each in headed] == [
        ("Best possible, but rows of one patient are divided", "warning"),
        ("Weak, but rows of one patient are divided", "warning"),
        ("Faulty, and rows of one patient are divided", "fault"),
    ]
