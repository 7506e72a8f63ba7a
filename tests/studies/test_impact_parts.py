"""Whether the way of dividing into parts matters: test estimates beside what is scored on rows set aside."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.metrics import average_precision_score, f1_score

from optisplit.errors import Cancelled, OptionError
from optisplit.labels import MultilabelDataset
from optisplit.methods.api import split
from optisplit.plots.part_estimates import part_estimates_info, plot_part_estimates
from optisplit.studies.impact import PART_SCORES, PartsImpact, measure_impact, measure_parts_impact, parts
from optisplit.studies.impact.inputs import hold_out, study_data
from optisplit.studies.impact.kept import kept_names, kept_parts_impact
from optisplit.studies.impact.models import average_precision, make_model
from optisplit.studies.impact.parts import DEFAULT_PART_METHODS, score_part
from optisplit.studies.impact.parts_results import STATISTICS, _with_interval

RNG = np.random.default_rng(5)
X = RNG.normal(size=(80, 4))
Y = (X @ RNG.normal(size=(4, 3)) + RNG.normal(size=(80, 3)) > [0.3, 0.3, 1.5]).astype(np.int8)
QUICK = "optisplit-sa, effort=quick"


@pytest.fixture(scope="module")
def result():
    return measure_parts_impact((X, Y), ["is", QUICK], seeds=range(3), fold_sizes=[0.7, 0.1, 0.2])


def test_a_line_for_each_run(result):
    assert result.methods == ["random", "is", QUICK]
    assert len(result.table) == 3 * 3
    assert (result.n_seeds, result.n_rows, result.n_labels, result.fold_sizes) == (3, 80, 3, (0.7, 0.1, 0.2))
    assert repr(result) == "PartsImpact on data: 3 methods, 3 seeds, parts 70/10/20, model ridge"
    assert "OptiSplit-SA, effort=quick" in result._repr_html_()


def test_the_same_seeds_give_the_same_estimates(result):
    again = measure_parts_impact((X, Y), ["is", QUICK], seeds=range(3), fold_sizes=[0.7, 0.1, 0.2])
    pd.testing.assert_frame_equal(again.table, result.table)
    pd.testing.assert_frame_equal(again.summary, result.summary)


def test_a_model_of_the_first_part_is_scored_on_the_last_and_on_rows_set_aside(result):
    aside, pool = hold_out(2, 80, 0.5)
    assert sorted([*aside, *pool]) == list(range(80))
    folds = split(Y[pool], method="optisplit-sa", effort="quick", fold_sizes=[0.7, 0.1, 0.2], random_state=2)
    train, test = pool[folds == 0], pool[folds == 2]
    line = result.table.query("method == @QUICK and seed == 2").iloc[0]
    assert len(test) == line["n_test"] == 8
    model = make_model("ridge", X, Y)
    for rows, end in ((test, ""), (aside, "_held_out")):
        scores = model.predict(train, rows)
        assert line[f"micro_f1{end}"] == pytest.approx(f1_score(Y[rows], scores > 0, average="micro", zero_division=0))
    assert line["macro_ap_held_out"] == pytest.approx(average_precision_score(Y[aside], scores, average="macro"))


def test_scores_by_hand_with_missing_labels_both_ways():
    # label 0 is found, label 1 has no positive here, label 2 is ranked second of two, label 3 is not looked at
    truth = np.array([[1, 0, 0, 1], [0, 0, 1, 1]], dtype=np.int8)
    scores = np.array([[2.0, -1, 1, -1], [-2, -1, -1, -1]])
    looked_at, is_rare = np.array([1, 1, 1, 0], dtype=bool), np.array([0, 1, 1, 0], dtype=bool)
    found = score_part(truth, scores, looked_at, is_rare)
    assert found["macro_f1"] == pytest.approx(1 / 3)
    assert found["macro_f1_present"] == pytest.approx(1 / 2)
    assert found["macro_ap"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert found["macro_ap_present"] == pytest.approx((1 + 0.5) / 2)
    assert found["micro_f1"] == pytest.approx(2 * 1 / (2 + 2))
    assert found["rare_macro_ap"] == pytest.approx(0.25)
    assert found["rare_macro_ap_present"] == pytest.approx(0.5)
    assert found["rare_f1"] == 0
    # one list of four: 1 (wrong), then three of -1, of which one is right
    assert found["rare_ap"] == pytest.approx(1 / 4)
    assert set(found) == set(PART_SCORES)


def test_no_rare_label_is_not_a_number():
    none = np.zeros(2, dtype=bool)
    found = score_part(np.eye(2, dtype=np.int8), np.eye(2), ~none, none)
    assert {key for key, value in found.items() if np.isnan(value)} == {key for key in PART_SCORES if "rare" in key}


def test_rows_of_equal_score_are_taken_together_as_scikit_learn_does():
    scores = np.array([[1.0, 0], [1, 0], [0, 0], [0, 0], [1, 0]])
    truth = np.array([[1, 0], [0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    theirs = [average_precision_score(truth[:, j], scores[:, j]) for j in range(2)]
    assert average_precision(truth, scores) == pytest.approx(theirs)


def test_labels_are_counted_that_cannot_be_scored_or_learned():
    labels = np.zeros((40, 4), dtype=np.int8)
    aside, pool = hold_out(0, 40, 0.5)
    labels[:, 0] = 1
    labels[[pool[0], aside[0]], 1] = 1  # in the pool once, so in one part alone
    labels[pool[:2], 2] = 1  # never among the rows set aside: not looked at
    labels[aside[:2], 3] = 1  # never among the others: not looked at
    found = measure_parts_impact((RNG.normal(size=(40, 2)), labels), [], fold_sizes=[0.5, 0.5], seeds=[0, 1]).table
    line = found[found["seed"] == 0].iloc[0]
    assert (line["labels"], line["rare_labels"]) == (2, 1)
    assert line["labels_unscored"] + line["labels_untrained"] == 1
    assert line["rare_labels_unscored"] == line["labels_unscored"]


def test_labels_never_seen_in_training_are_ranked_last(monkeypatch):
    seen = []

    def look(truth, scores, *which):
        seen.append(scores)
        return score_part(truth, scores, *which)

    monkeypatch.setattr(parts, "score_part", look)
    labels = Y.copy()
    labels[:, 2] = 0
    aside, pool = hold_out(0, 80, 0.5)
    labels[[pool[0], aside[0]], 2] = 1
    table = measure_parts_impact((X, labels), [], fold_sizes=[0.5, 0.5], seeds=range(6)).table
    is_last = [bool((scores[:, 2] == -np.inf).all()) for scores in seen[::2]]
    folds = [split(labels[hold_out(seed, 80, 0.5)[1]], method="random", fold_sizes=[0.5, 0.5], random_state=seed)
             for seed in range(6)]  # fmt: skip
    trained = [labels[hold_out(seed, 80, 0.5)[1]][each == 0, 2].any() for seed, each in enumerate(folds)]
    assert is_last == [not each for each in trained]
    assert any(is_last)
    assert np.isfinite(table["micro_f1"]).all()


def study_of(errors, truths=None, unscored=0):
    """A study of known errors, for each method a list a seed."""
    lines = [
        {"method": method, "seed": seed, "labels": 10, "labels_unscored": unscored, "rare_labels": 5,
         "rare_labels_unscored": unscored}
        | dict.fromkeys(PART_SCORES, (truths or {}).get(method, 0.5) + error)
        | {f"{key}_held_out": (truths or {}).get(method, 0.5) for key in PART_SCORES}
        for method, values in errors.items()
        for seed, error in enumerate(values)
    ]  # fmt: skip
    return PartsImpact("hand", pd.DataFrame(lines), 100, 10, (0.8, 0.1, 0.1))


def test_bias_spread_and_distance_by_hand():
    study = study_of({"random": [0.3, -0.1, 0.1], "is": [0.1, 0.1, 0.1]}, unscored=2)
    random, other = study.summary.query("score == 'macro_ap'").to_dict("records")
    assert (random["bias"], random["sd"], random["rmse"]) == pytest.approx((0.1, 0.2, np.sqrt(0.11 / 3)))
    assert (other["bias"], other["sd"], other["rmse"]) == pytest.approx((0.1, 0, 0.1))
    assert other["rmse_change"] == pytest.approx(0.1 - np.sqrt(0.11 / 3))
    assert other["bias_change"] == pytest.approx(0)
    assert (other["unscored"], other["estimate"], other["n_runs"]) == pytest.approx((0.2, 0.6, 3))
    half = 4.302653 * 0.2 / np.sqrt(3)  # Student's, of two degrees of freedom
    assert (random["bias_low"], random["bias_high"]) == pytest.approx((0.1 - half, 0.1 + half))
    assert random["rmse_change"] == random["rmse_change_low"] == random["rmse_change_high"] == 0


def test_intervals_are_those_of_seeds_left_out_in_pairs():
    common = np.random.default_rng(1).normal(size=30)
    study = study_of({"random": common + 0.5, "is": common + 0.4})
    line = study.summary.query("score == 'macro_ap' and method == 'is'").iloc[0]
    assert (line["bias_change_low"], line["bias_change_high"]) == pytest.approx((-0.1, -0.1))
    half = 2.045230 * common.std(ddof=1) / np.sqrt(30)
    assert (line["bias_low"], line["bias_high"]) == pytest.approx((line["bias"] - half, line["bias"] + half), rel=1e-5)


@pytest.mark.parametrize(("name", "truth"), [("sd", 0.1), ("rmse", np.sqrt(0.02)), ("bias", 0.1)])
def test_intervals_cover_what_they_are_to(name, truth):
    # 1,000 draws of whole studies are in benchmarks/bench_intervals.py
    rng, statistic = np.random.default_rng(6), STATISTICS[name][1]
    found = [_with_interval(name, statistic, rng.normal(0.1, 0.1, 20)) for _ in range(400)]
    assert 0.92 <= np.mean([each[f"{name}_low"] <= truth <= each[f"{name}_high"] for each in found]) <= 0.98
    pairs = ((rng.normal(0.1, 0.1, 20), rng.normal(0.1, 0.1, 20)) for _ in range(400))
    found = [_with_interval(name, statistic, *pair) for pair in pairs]
    assert 0.92 <= np.mean([each[f"{name}_low"] <= 0 <= each[f"{name}_high"] for each in found]) <= 0.98


def test_seeds_in_which_a_score_does_not_exist_are_left_out():
    study = study_of({"random": [0.1, np.nan, 0.3, 0.2], "is": [0.1, 0.2, 0.3, np.nan]})
    random, other = study.summary.query("score == 'macro_ap'").to_dict("records")
    assert (random["n_runs"], random["bias"]) == (3, pytest.approx(0.2))
    assert (other["n_runs"], other["bias"], other["bias_change"]) == (3, pytest.approx(0.2), pytest.approx(0))
    never = study_of({"random": [0.1, 0.2], "is": [np.nan, 0.1]})
    assert never.verdicts == []


def test_verdicts_are_honest():
    wide, narrow = np.tile([-0.4, 0.6], 15), np.tile([-0.1, 0.12], 15)
    study = study_of({"random": wide, "is": narrow, "optisplit-sa": 3 * wide + 1}, {"is": 0.4}, unscored=1)
    nearer, farther = study.verdicts[:2]
    assert nearer.startswith(
        "IS, macro average precision, missing labels left out: estimates are nearer to the held-out score, by 0.3994 ("
    )
    assert "No bias is shown (-0.0" in nearer
    assert "The models themselves are worse, by 0.1." in nearer
    assert "10 % of the labels cannot be scored; with random parts 10 %." in nearer
    assert "estimates are farther from the held-out score, by 1.475 (" in farther
    assert "are too high by 1.3 on average" in farther


def test_no_difference_is_said():
    wide = np.tile([-0.4, 0.6], 15)
    said = study_of({"random": wide, "is": -wide + 0.19}).verdicts[0]
    assert "no difference in the distance from the held-out score is shown (95 % interval of the change: -0." in said
    assert said.endswith("Every label can be scored.")


def test_progress_and_cancel():
    seen = []
    measure_parts_impact((X, Y), ["is"], seeds=range(2), on_progress=lambda *each: seen.append(each[:2]))
    assert seen == [(done, 4) for done in range(1, 5)]

    def stop(done, total, score):
        raise Cancelled

    with pytest.raises(Cancelled):
        measure_parts_impact((X, Y), ["is"], on_progress=stop)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seeds": [1]}, "At least two different seeds"),
        ({"holdout_size": 0.99}, "leaves too few of 80 rows to set aside, or for 3 parts"),
        ({"holdout_size": 1.5}, "leaves too few of 80 rows"),
        ({"fold_sizes": [1.0]}, "or for 1 parts"),
        ({"fold_sizes": [0.8, 0.3]}, "shares must add up to 1"),
        ({"rare_below": 0}, "rare_below must be above 0"),
        ({"methods": ["pmbsrs"]}, "'pmbsrs' takes no option 'fold_sizes'"),
        ({"methods": ["optisplit-sa, effort=quik"]}, "did you mean 'quick'"),
    ],
)
def test_wrong_use(options, said):
    with pytest.raises(OptionError, match=said):
        measure_parts_impact((X, Y), **options)


# ---- what a study takes


def test_a_data_set_that_was_read_is_taken_with_its_features(tmp_path):
    import optisplit

    table = pd.DataFrame({"age": range(0, 80, 2), "dose": 0.5, "a": [1, 0] * 20, "b": [1, 1, 0, 0] * 10})
    table.to_csv(tmp_path / "mine.csv", index=False)
    data = optisplit.load(tmp_path / "mine.csv", label_columns=["a", "b"])
    given = study_data(data)
    assert (given.features.X.tolist()[3], given.labels.toarray()[2].tolist(), given.name) == ([6], [1, 0], "mine")
    found = measure_parts_impact(data, [], seeds=range(2))
    assert len(found.table) == 2
    assert found.notes == ("1 column is left out, with one value in all rows: 'dose'.",)
    assert measure_impact(data, [], seeds=range(2), n_holdouts=2).data_name == "mine"


def test_sparse_features_with_wide_indices_can_be_trained_on_by_liblinear():
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (study_data((wide, Y)).features.X.toarray() == X).all()
    assert len(measure_parts_impact((wide, Y), [], model="logistic", seeds=range(2)).table) == 2
    assert study_data("medical").features.X.indices.dtype == np.int32


def test_features_are_needed():
    with pytest.raises(OptionError, match="'data' has labels only, and a model needs features"):
        study_data(MultilabelDataset.from_labels(np.eye(4, dtype=np.int8)))


# ---- results that come along, and their figure


@pytest.mark.parametrize("name", kept_names("impact_parts"))
def test_a_result_of_each_sample_comes_along(name):
    kept = kept_parts_impact(name)
    assert kept.result.methods == list(DEFAULT_PART_METHODS)
    assert kept.result.n_seeds == 30
    assert kept.command.startswith("python benchmarks/bench_impact.py parts --samples emotions yeast medical")
    assert set(kept.versions) == {"optisplit", "scikit-learn", "numpy", "python"}
    assert kept_parts_impact("delicious") is None


def test_what_the_guide_says_of_other_test_parts():
    shown = {}
    for name in ("emotions", "yeast", "flags", "birds", "corel5k"):
        summary = kept_parts_impact(name).result.summary
        shown[name] = int((summary["rmse_change_high"] < 0).sum()), int((summary["rmse_change_low"] > 0).sum())
    assert shown == {"emotions": (0, 2), "yeast": (11, 0), "flags": (0, 0), "birds": (9, 2), "corel5k": (9, 8)}
    corel5k = kept_parts_impact("corel5k").result.summary.set_index(["score", "method"])
    assert (corel5k.loc["macro_ap", "rmse_change_low"].drop("random") > 0).all()


def test_what_the_guide_says_of_test_parts():
    studies = {name: kept_parts_impact(name).result for name in ("medical", "enron", "bibtex")}
    of = {name: study.summary.set_index(["score", "method"]) for name, study in studies.items()}
    sa = "optisplit-sa, rare="
    nearer = {name: int((each["rmse_change_high"] < 0).sum()) for name, each in of.items()}
    farther = {name: int((each["rmse_change_low"] > 0).sum()) for name, each in of.items()}
    assert nearer == {"medical": 19, "enron": 4, "bibtex": 0}
    assert sum(farther.values()) == 4
    assert sum(len(each) for each in of.values()) - 11 * 3 == 132

    def by_method(name, score, column):
        return of[name].loc[score, column].reindex(studies[name].methods).round(3).tolist()

    unscored = [[round(100 * share) for share in by_method(name, "macro_ap", "unscored")] for name in of]
    assert unscored == [[42, 36, 32, 23, 36], [27, 17, 17, 7, 17], [2, 0, 0, 0, 0]]
    assert by_method("medical", "macro_ap", "rmse") == [0.158, 0.114, 0.091, 0.060, 0.105]
    assert by_method("medical", "macro_ap", "bias")[0] == -0.142
    assert by_method("medical", "macro_f1", "bias")[0] == -0.111
    assert (of["medical"].loc[["macro_ap", "macro_f1"], "bias_high"] < 0).all()
    assert (of["medical"].loc[["macro_ap", "macro_f1"], "rmse_change_high"].drop("random", level=1) < 0).all()
    assert by_method("enron", "macro_ap", "rmse_change")[1:] == [0.016, 0.008, 0.024, 0.008]
    assert (of["enron"].loc["macro_ap", "rmse_change_low"] > 0).tolist() == [False, True, False, True, False]
    assert min(by_method("bibtex", "macro_ap_present", "bias")) >= 0.059
    assert max(by_method("bibtex", "macro_ap_present", "bias")) <= 0.066
    too_high = by_method("medical", "macro_ap_present", "bias")
    assert (min(too_high), max(too_high)) == (0.159, 0.217)
    together = pd.concat([each.loc[["rare_ap", "rare_f1"]] for each in of.values()], keys=of)
    differs = together.index[(together["rmse_change_high"] < 0) | (together["rmse_change_low"] > 0)].tolist()
    assert differs == [("enron", "rare_f1", f"{sa}score")]
    biased = together.index[(together["bias_low"] > 0) | (together["bias_high"] < 0)].tolist()
    assert [each for each in biased if each[2] in ("random", f"{sa}share")] == [
        ("medical", "rare_ap", f"{sa}share"), ("medical", "rare_f1", f"{sa}share"),
    ]  # fmt: skip
    assert by_method("medical", "rare_ap", "bias") == [-0.014, 0.054, 0.028, 0.004, 0.057]
    assert by_method("medical", "macro_f1", "held_out_change")[3] == -0.013
    assert of["medical"].loc[("macro_f1", f"{sa}cover"), "held_out_change_high"] < 0
    untrained = studies["medical"].table.groupby("method", sort=False)["labels_untrained"].mean().round(1).tolist()
    assert untrained == [1, 0, 1, 0, 0]


def test_the_result_that_comes_along_is_made_again():
    """Of methods whose folds are what they were in the version that made it."""
    kept = kept_parts_impact("medical").result
    methods = ["random", "is"]
    again = measure_parts_impact("medical", methods, seeds=[0, 1], fold_sizes=kept.fold_sizes).table
    mine = kept.table[(kept.table["seed"] < 2) & kept.table["method"].isin(methods)]
    pd.testing.assert_frame_equal(mine.reset_index(drop=True), again, rtol=1e-4, check_dtype=False)


def test_the_figure_has_every_run_and_the_means():
    study = study_of({"random": [0.3, -0.1], "optisplit-sa, effort=quick": [0.1, 0.2]})
    info = part_estimates_info(study, "rare_ap")
    assert info.table["difference"].tolist() == pytest.approx([0.3, -0.1, 0.1, 0.2])
    assert info.alt_text == (
        "Test estimates of average precision of rare labels together less the score on rows set aside: Random 0.1 on "
        "average, root mean square 0.2236; OptiSplit-SA, effort=quick 0.15 on average, root mean square 0.1581."
    )
    figure = plot_part_estimates(info)
    assert [len(trace.x) for trace in figure.data] == [2, 1, 2, 1]
    assert figure.data[3].x[0] == pytest.approx(0.15)
    assert (figure.data[3].error_x.array[0], figure.data[3].error_x.arrayminus[0]) == pytest.approx(
        (0.63531, 0.63531), rel=1e-5
    )
    assert figure.layout.yaxis.ticktext[1] == "OptiSplit-SA, effort=quick<br>root mean square 0.158"
