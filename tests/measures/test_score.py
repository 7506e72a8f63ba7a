"""A score beside its bound: one formula and one sentence for all doors."""

from __future__ import annotations

import math

import pytest

from optisplit.measures.score import Score, cells_beside, score_of


@pytest.mark.parametrize(
    ("value", "bound", "excess", "sentence", "remark"),
    [
        (0.03, 0.02, 0.5, "at most 50 % above the best possible", "50 % above 0.0200"),
        (0.0206545, 0.02, 0.032725, "at most 3.27 % above the best possible", "3.27 % above 0.0200"),
        (0.2000001, 0.2, 5e-7, "less than 0.01 % above the best possible", "less than 0.01 % above 0.200"),
        (0.02, 0.02, 0.0, "equal to the best possible", "best possible"),
        (0.02 + 1e-12, 0.02, 0.0, "equal to the best possible", "best possible"),  # what rounding leaves
        (1e-12, 0.0, 0.0, "equal to the best possible", "best possible"),
        (0.0, 1e-12, 0.0, "equal to the best possible", "best possible"),
        (0.1, 0.0, math.inf, "above the best possible", "above 0"),
        (3, 2, 0.5, "at most 50 % above the best possible", "50 % above 2"),
        (0.1, math.nan, math.nan, "", ""),
        (math.nan, 0.1, math.nan, "", ""),
    ],
)
def test_how_far_a_score_is_above_its_bound(value, bound, excess, sentence, remark):
    score = Score(value, bound)
    assert score.excess == pytest.approx(excess, nan_ok=True)
    assert score.is_best == (excess == 0)
    assert (score.sentence, score.remark) == (sentence, remark)


def test_a_cell_has_the_score_and_its_remark():
    assert Score(0.03, 0.02).cell == "0.0300 (50 % above 0.0200)"
    assert Score(1.5).cell == "1.50"
    assert Score(math.nan, 0.1).cell == "–"


def test_scores_beside_each_other_are_told_against_one_bound_and_others_with_whose_it_is():
    equal, unequal = (Score(value, 0.1) for value in (0.1, 0.2)), (Score(value, 0.08) for value in (0.088, 0.08))
    assert cells_beside([*equal, *unequal][:3]) == [
        "0.100 (best possible)",
        "0.200 (100 % above 0.100)",
        "0.0880 (10 % above 0.0800, best possible with its own sizes)",
    ]
    assert cells_beside([Score(0.1, 0.1), Score(0.2, 0.1), Score(0.08, 0.08)])[2] == (
        "0.0800 (best possible with its own sizes)"
    )
    assert cells_beside([Score(1.5), Score(0.08, 0.08)]) == ["1.50", "0.0800 (best possible)"]


def test_what_is_next_to_its_bound_at_best_is_not_told_in_percent():
    score = score_of("row_shape", 0.05, 0.0001)
    assert (score.sentence, score.remark) == ("above the best possible", "at best 0.000100")
    assert score.excess == pytest.approx(499)
    assert score_of("row_shape", 0.1, 0.1).remark == "best possible"
    assert score_of("rld", 0.05, 0.0001).remark == "49,900 % above 0.000100"
