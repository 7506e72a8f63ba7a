"""Three questions to a study, answered in words, and advice."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from optisplit.errors import OptionError
from optisplit.io.samples import load
from optisplit.studies.impact import PART_SCORES, SCORES, ImpactResult, PartsImpact, answer, measure_impact
from optisplit.studies.impact.kept import kept_impact, kept_parts_impact


def folds_of(deviations, bias=0.0, unscored=(0, 0), methods=("random", "is")):
    """A study of five folds: random and others, each with a deviation between seeds."""
    lines = [
        {"method": method, "seed": seed, "holdout": holdout, "labels_unscored_somewhere": n_unscored}
        | dict.fromkeys(SCORES, 0.5 + bias + holdout / 100 + step * deviation)
        | {f"{key}_held_out": 0.5 for key in SCORES}
        for method, deviation, n_unscored in zip(methods, deviations, unscored, strict=True)
        for holdout in (-1, 0, 1)
        for seed, step in enumerate((-1, 0, 1))
    ]
    return ImpactResult("hand", pd.DataFrame(lines), 100, 4, 5)


def advised(found):
    return {each.kind: each for each in found.advice}


def test_luck_has_the_interval_of_a_standard_deviation():
    luck = answer(folds_of((0.04, 0.004))).questions[0]
    low, high = (0.04 * np.sqrt(6 / stats.chi2.ppf(p, 6)) for p in (0.975, 0.025))  # three sets, three seeds
    assert luck.figures == pytest.approx({"sd": 0.04, "sd_low": low, "sd_high": high})
    assert "have a standard deviation of 0.04 between seeds (95 % interval 0.026 to 0.088)" in luck.sentences[0]
    assert "differ by up to 0.11 in 19 of 20 cases" in luck.sentences[0]
    assert luck.sentences[1].startswith("IS: the spread is 10 % of that")


def test_no_difference_is_said():
    found = answer(folds_of((0.004, 0.004)))
    luck, unscored, distance = found.questions
    assert luck.sentences[1] == "IS: no difference in spread is shown."
    assert unscored.sentences == ("None: with every method each label could be scored in every fold.",)
    assert distance.sentences[0].startswith("With random folds, no bias of macro F1, missing labels as 0 is shown (")
    assert distance.sentences[2] == "IS: no difference is shown."
    assert [each.kind for each in found.advice] == ["nothing"]


def test_advice_rests_on_figures():
    found = advised(answer(folds_of((0.02, 0.02), bias=-0.2, unscored=(0, 0))))
    assert set(found) == {"repeat", "more-folds"}
    assert (found["repeat"].figure, found["more-folds"].figure) == pytest.approx((0.02, -0.2))
    assert "with 16 seeds and report the mean: its luck is 0.005, that of one seed 0.02" in found["repeat"].sentence
    assert "estimates are 0.2 too low" in found["more-folds"].sentence


def test_rare_labels_are_named_and_a_method_is_advised():
    found = answer(folds_of((0.004, 0.004), unscored=(3, 1)), label_counts=[9, 4, 2, 0], label_names=list("abcd"))
    assert found.questions[1].sentences == (
        "Labels that cannot be scored in some fold, on average of all runs: Random: 3.0 labels; IS: 1.0 labels (30 % "
        "of the rows are held out first, so that fewer are left for folds).",
        "2 labels have fewer positives than there are folds: 'b', 'c'.",
    )
    assert advised(found)["merge-or-drop"].figure == 2
    assert advised(found)["method"].sentence.startswith("Split with IS: 1.0 labels cannot be scored everywhere")


@pytest.mark.parametrize(
    ("unscored", "rows_of", "says"),
    [
        ((3, 1, 1, 1), "", "Split with IS or SS or OptiSplit-SA: 1.0 labels cannot"),
        ((3, 0, 1, 3), "", "Split with IS: 0.0 labels cannot"),
        ((3, 0, 0, 3), "", "Split with IS or SS: 0.0 labels cannot"),
        ((3, 0, 0, 1), "patient (id)", "Split with OptiSplit-SA (of the methods that can keep groups together): 1.0 "),
        ((3, 0, 0, 3), "patient (id)", ""),
    ],
)
def test_ties_are_advised_together_and_groups_for_those_that_keep_them(unscored, rows_of, says):
    study = folds_of((0.004,) * 4, unscored=unscored, methods=("random", "is", "ss", "optisplit-sa"))
    found = answer(replace(study, rows_of=rows_of))
    assert advised(found)["method"].sentence.startswith(says) if says else "method" not in advised(found)
    assert found.caveat.startswith("Rows of one patient (id) are not kept together here: " if rows_of else "")
    assert found.caveat.endswith("The advice holds for splits that keep them together, as Compare makes them with "
                                 "groups." if rows_of else "")  # fmt: skip


def test_of_steadier_methods_none_is_preferred_that_is_not_shown_to_be_better():
    study = folds_of((0.04, 0.004, 0.005), unscored=(0, 0, 0), methods=("random", "is", "optisplit-sa"))
    said = advised(answer(study))["method"].sentence
    assert said.startswith("Split with IS or OptiSplit-SA: estimates differ less")


def test_a_study_says_first_that_rows_of_a_patient_are_divided():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"patient_id": [f"P{row // 3}" for row in range(60)], "age": rng.integers(20, 90, 60)})
    data = load(table.assign(**{name: rng.integers(0, 2, 60) for name in ("flu", "gout")}))
    study = measure_impact(data, ["is"], n_splits=2, seeds=range(2), n_holdouts=2)
    assert study.rows_of == "patient (patient_id)"
    assert study.verdicts[0] == answer(study).caveat.partition(" The advice")[0]


def parts_of(errors, fold_sizes=(0.8, 0.1, 0.1)):
    lines = [
        {
            "method": method,
            "seed": seed,
            "labels": 10,
            "labels_unscored": 0,
            "rare_labels": 0,
            "rare_labels_unscored": 0,
        }
        | dict.fromkeys(PART_SCORES, 0.5 + error)
        | {f"{key}_held_out": 0.5 for key in PART_SCORES}
        for method in ("random", "is")
        for seed, error in enumerate(errors)
    ]
    return PartsImpact("hand", pd.DataFrame(lines), 100, 10, fold_sizes)


def test_parts_are_answered_too():
    errors = np.tile([-0.1, 0.1], 10)
    found = answer(parts_of(errors), label_counts=[60] * 10)
    assert found.questions[0].figures["sd"] == pytest.approx(errors.std(ddof=1))
    assert "A single one is off by 0.1 (root mean square)." in found.questions[2].sentences
    sizes = advised(found)["sizes"]
    assert (sizes.figure, sizes.sentence[:31]) == (pytest.approx(13 / 60), "Take a test part of 22 %: then ")
    assert advised(answer(parts_of(errors), label_counts=[8] * 10))["repeat"].figure == 8
    assert advised(answer(parts_of(errors)))["repeat"].sentence.endswith("its luck alone is 0.1.")
    assert math.isnan(advised(answer(parts_of(errors / 100)))["nothing"].figure)


@pytest.mark.parametrize("name", ["medical", "birds", "corel5k"])
def test_studies_that_come_along_are_answered(name):
    for kept in (kept_impact(name), kept_parts_impact(name)):
        found = answer(kept.result)
        assert [each.key for each in found.questions] == ["luck", "unscored", "distance"]
        assert all(np.isfinite(list(each.figures.values())).all() for each in found.questions)
        assert "method" in advised(found)


def test_unknown_scores_are_refused():
    with pytest.raises(OptionError, match="did you mean 'macro_f1'"):
        answer(folds_of((1, 1)), score="macro_f2")
