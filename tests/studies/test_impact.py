"""Whether the way of splitting matters: models, scores, and what is made of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.metrics import average_precision_score, f1_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

from optisplit.errors import Cancelled, OptionError
from optisplit.io.samples import SAMPLES
from optisplit.methods.api import split
from optisplit.studies.impact import (
    SAMPLES_WITH_FEATURES,
    SCORES,
    ImpactResult,
    fast,
    load_features,
    measure_impact,
    suggested_model,
)
from optisplit.studies.impact.kept import kept_impact, kept_names
from optisplit.studies.impact.models import average_precision, make_model, scaled, score

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 4))
Y = (X @ RNG.normal(size=(4, 3)) + RNG.normal(size=(60, 3)) > 0.3).astype(np.int8)
SHAPES = {"emotions": 72, "yeast": 103, "medical": 1449, "enron": 1001, "bibtex": 1836}


# ---- features


@pytest.mark.parametrize("name", ["emotions", "yeast", "medical", "enron"])
def test_features_have_the_shapes_of_the_published_data(name):
    features, labels, names = load_features(name)
    assert features.shape == (SAMPLES[name].n_rows, SHAPES[name])
    assert labels.shape == (SAMPLES[name].n_rows, SAMPLES[name].n_labels) == (labels.shape[0], len(names))
    assert sp.issparse(features) == (name in ("medical", "enron"))
    assert np.isfinite(features.data if sp.issparse(features) else features).all()


def test_features_are_those_of_the_file():
    features, _, _ = load_features("emotions")
    assert features[0, :3].tolist() == [0.034741, 0.089665, 0.091225]


# ---- models and scores


@pytest.mark.parametrize("n_features", [4, 90])  # fewer and more than training rows
@pytest.mark.parametrize("is_sparse", [False, True])
def test_ridge_is_scikit_learns(is_sparse, n_features):
    train, test = np.arange(40), np.arange(40, 60)
    filled = np.random.default_rng(8).normal(size=(60, n_features))
    features = sp.csr_array(np.where(filled > 0.5, filled, 0)) if is_sparse else filled
    ours = make_model("ridge", features, Y).predict(train, test)
    given = features.toarray() if is_sparse else (filled - filled[train].mean(axis=0)) / filled[train].std(axis=0)
    theirs = TheirRidge(alpha=1.0).fit(given[train], 2.0 * Y[train] - 1).predict(given[test])
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


@pytest.mark.parametrize("test_rows", [20, 45])  # few and many: sums over the others, or over the training rows
@pytest.mark.parametrize("is_sparse", [False, True])
def test_fast_is_the_ridge(is_sparse, test_rows):
    rng = np.random.default_rng(9)
    features = rng.normal(1e6, rng.uniform(1, 50, 30), size=(60, 30))
    features = sp.random_array((60, 90), density=0.2, rng=rng).tocsr() if is_sparse else features
    rows = rng.permutation(60)
    at = np.sort(rows[test_rows:]), np.sort(rows[:test_rows])
    np.testing.assert_allclose(
        make_model("fast", features, Y).predict(*at), make_model("ridge", features, Y).predict(*at), atol=1e-9
    )


@pytest.mark.parametrize("is_sparse", [False, True])
def test_fast_takes_the_main_directions_of_many_features(is_sparse, monkeypatch):
    monkeypatch.setattr(fast, "N_DIRECTIONS", 5)
    wide = sp.csr_array(np.hstack([X, np.zeros((60, 2000))]))
    train, test = np.arange(40), np.arange(40, 60)
    found = make_model("fast", wide if is_sparse else wide.toarray(), Y).predict(train, test)
    given = X if is_sparse else (X - X.mean(axis=0)) / X.std(axis=0)
    theirs = TheirRidge(alpha=1.0).fit(given[train], 2.0 * Y[train] - 1).predict(given[test])
    np.testing.assert_allclose(found, theirs, atol=1e-8)


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        RandomForestClassifier(5, random_state=0),
        GaussianNB(),
        SVR(),
        DecisionTreeRegressor(),
    ],
)
@pytest.mark.parametrize("n_labels", [1, 3])
def test_any_estimator_is_trained_label_by_label_or_at_once(estimator, n_labels):
    found = make_model(estimator, X, Y[:, :n_labels]).predict(np.arange(40), np.arange(60))
    assert found.shape == (60, n_labels)
    assert f1_score(Y[:40, :n_labels], found[:40] > 0, average="micro") > 0.5


def test_a_model_is_suggested_by_size():
    assert suggested_model(72, 593, 6) == "ridge"
    assert suggested_model(200, 50_000, 1_000) == suggested_model(30_000, 20_000, 5) == "fast"


def test_logistic_is_scikit_learns_and_estimators_are_cloned():
    train, test = np.arange(40), np.arange(40, 60)
    given = scaled(X, train)
    estimator = OneVsRestClassifier(LogisticRegression(solver="liblinear"))
    theirs = estimator.fit(given[train], Y[train]).decision_function(given[test])
    np.testing.assert_allclose(make_model("logistic", X, Y).predict(train, test), theirs)
    neighbours = KNeighborsClassifier(3)
    found = make_model(neighbours, X, Y).predict(train, test)
    assert ((found > 0) == KNeighborsClassifier(3).fit(given[train], Y[train]).predict(given[test])).all()
    assert not hasattr(neighbours, "classes_")


def test_labels_without_training_rows_are_not_trained():
    one_sided = Y.copy()
    one_sided[:40, 0] = 0
    one_sided[:40, 1] = 1
    found = make_model("logistic", X, one_sided).predict(np.arange(40), np.arange(40, 60))
    assert (found[:, 0] == -1).all()
    assert (found[:, 1] == 1).all()


def test_scaling_looks_at_training_rows_only():
    moved = X.copy()
    moved[40:] += 100
    assert (scaled(moved, np.arange(40))[:40] == scaled(X, np.arange(40))[:40]).all()


def test_scores_are_scikit_learns():
    scores = RNG.normal(size=(60, 3))
    truth = Y.copy()
    truth[:, 2] = 0
    found = score(truth, scores)
    predicted = (scores > 0).astype(int)
    assert found["micro_f1"] == pytest.approx(f1_score(truth, predicted, average="micro"))
    assert found["macro_f1"] == pytest.approx(f1_score(truth, predicted, average="macro", zero_division=0))
    present = [f1_score(truth[:, j], predicted[:, j]) for j in (0, 1)]
    assert found["macro_f1_present"] == pytest.approx(np.mean(present))
    precisions = [average_precision_score(truth[:, j], scores[:, j]) for j in (0, 1)]
    assert found["macro_ap"] == pytest.approx(np.mean(precisions))


def test_average_precision_by_hand():
    truth = np.array([[True], [False], [True]])
    assert average_precision(truth, np.array([[3.0], [2.0], [1.0]])).tolist() == [pytest.approx((1 + 2 / 3) / 2)]


def test_nothing_to_score_is_not_a_number():
    found = score(np.zeros((4, 2), dtype=np.int8), np.full((4, 2), -1.0))
    assert np.isnan(found["macro_ap"])
    assert found["micro_f1"] == 0


# ---- the study


@pytest.fixture(scope="module")
def result():
    return measure_impact((X, Y), ["is", "optisplit-sa"], seeds=range(3), n_holdouts=2, n_splits=3)


def test_a_line_for_each_run(result):
    assert result.methods == ["random", "is", "optisplit-sa"]
    assert len(result.table) == 3 * 3 * 2
    assert (result.n_seeds, result.n_holdouts, result.n_rows, result.n_labels) == (3, 2, 60, 3)
    assert result.table.groupby("holdout")["macro_ap_held_out"].nunique().tolist() == [1, 1]


def test_the_same_seeds_give_the_same_estimates(result):
    again = measure_impact((X, Y), ["is", "optisplit-sa"], seeds=range(3), n_holdouts=2, n_splits=3)
    pd.testing.assert_frame_equal(again.table, result.table)


def test_an_estimate_is_the_mean_over_folds_of_rows_not_held_out(result):
    order = np.random.default_rng([1, 20_220_801]).permutation(60)
    held, pool = np.sort(order[:18]), np.sort(order[18:])
    folds = split(Y[pool], 3, method="is", random_state=2)
    model = make_model("ridge", X, Y)
    each = [score(Y[pool[folds == fold]], model.predict(pool[folds != fold], pool[folds == fold])) for fold in range(3)]
    line = result.table.query("method == 'is' and seed == 2 and holdout == 1").iloc[0]
    assert line["micro_f1"] == pytest.approx(np.mean([found["micro_f1"] for found in each]))
    assert line["macro_ap_held_out"] == pytest.approx(score(Y[held], model.predict(pool, held))["macro_ap"])


def test_labels_that_cannot_be_scored_are_counted():
    rare = np.zeros((30, 2), dtype=np.int8)
    rare[:15, 0] = 1
    rare[[0, 29], 1] = 1
    features = RNG.normal(size=(30, 2))
    found = measure_impact((features, rare), ["optisplit-sa"], seeds=[0, 1], n_holdouts=2, n_splits=5).table
    found = found[found["method"] == "optisplit-sa"]
    assert (found["labels_unscored_somewhere"] <= 1).all()
    assert found["labels_unscored_somewhere"].max() == 1
    assert (found["no_positive_in_test"] >= 3 * found["labels_unscored_somewhere"]).all()


def test_folds_in_which_nothing_can_be_scored_are_left_out():
    rare = np.zeros((30, 1), dtype=np.int8)
    rare[:6] = 1
    found = measure_impact((RNG.normal(size=(30, 2)), rare), ["is"], seeds=[0, 1], n_holdouts=2, n_splits=5)
    assert found.table["no_positive_in_test"].max() >= 1
    assert found.table["macro_ap"].between(0, 1).all()


def study_of(estimates, held_out, n_unscored=0, **options):
    """A study of known estimates, for each method a list a held-out set, and the score on each held-out set."""
    lines = [
        {"method": method, "seed": seed, "holdout": holdout, "labels_unscored_somewhere": n_unscored}
        | dict.fromkeys(SCORES, value)
        | {f"{key}_held_out": held_out[holdout] for key in SCORES}
        for method, sets in estimates.items()
        for holdout, values in enumerate(sets)
        for seed, value in enumerate(values)
    ]
    return ImpactResult("hand", pd.DataFrame(lines), 10, 2, 5, **options)


def hand_made(deviations):
    """A study with held-out scores 0.5 and 0.6, and estimates of each method off them by a deviation, or by 0."""
    estimates = {
        method: [[held - deviation, held, held + deviation] for held in (0.5, 0.6)]
        for method, deviation in deviations.items()
    }
    return study_of(estimates, (0.5, 0.6), n_unscored=2)


def test_spread_and_its_interval_by_hand():
    found = hand_made({"random": 0.1, "optisplit-sa": 0.01}).summary.query("score == 'micro_f1'").set_index("method")
    assert found.loc["random", "sd"] == pytest.approx(0.1)
    assert found.loc["optisplit-sa", "sd"] == pytest.approx(0.01)
    line = found.loc["optisplit-sa"]
    quantile = np.sqrt(stats.f.ppf(0.975, 4, 4))  # two held-out sets, three seeds each
    assert (line["ratio"], line["ratio_low"], line["ratio_high"]) == pytest.approx(
        (0.1, 0.1 / quantile, 0.1 * quantile)
    )
    assert line["error"] == pytest.approx(0.02 / 3)
    assert (line["gain"], line["gain_low"], line["gain_high"]) == pytest.approx((0.06, 0.06, 0.06))
    assert line["unscored"] == 2


def test_intervals_of_the_distance_allow_for_rows_in_common():
    # distances by held-out set: random 0.3 and 0.5, the method 0.1 and 0.2; so it gains 0.2 and 0.3
    estimates = {"random": [[0.7] * 2, [0.9] * 2], "is": [[0.5] * 2, [0.6] * 2]}
    line = study_of(estimates, (0.4, 0.4), holdout_size=0.2).summary.iloc[1]
    half = stats.t.ppf(0.975, 1) * np.sqrt((1 / 2 + 0.05 / 0.95) * 0.005)  # 0.005: variance of 0.2 and 0.3
    assert (line["gain"], line["gain_low"], line["gain_high"]) == pytest.approx((0.25, 0.25 - half, 0.25 + half))
    # and of 0.1 and 0.2
    assert (line["bias"], line["bias_low"], line["bias_high"]) == pytest.approx((0.15, 0.15 - half, 0.15 + half))


def test_intervals_of_bias_cover_what_they_are_to():
    # 1,000 draws of whole studies, and gains and ratios, are in benchmarks/bench_intervals.py
    rng, held = np.random.default_rng(7), np.array([0.5, 0.6, 0.4, 0.5])
    draws = {  # a method a draw: what all sets of a draw have in common, correlation 0.04, each set's own, each seed's
        "random" if draw == 0 else f"is, draw={draw}":
        held[:, None] + 0.1 + rng.normal(0, 0.02) + rng.normal(0, 0.1, (4, 1)) + rng.normal(0, 0.04, (4, 3))
        for draw in range(100)
    }  # fmt: skip
    found = study_of(draws, held).summary.query("score == 'micro_f1'")
    assert 0.91 <= ((found["bias_low"] <= 0.1) & (found["bias_high"] >= 0.1)).mean() <= 0.99


def test_verdicts_are_honest():
    smaller, larger, same = hand_made({"random": 0.1, "is": 0.01, "optisplit": 1.0, "optisplit-sa": 0.09}).verdicts[:3]
    assert "IS, macro average precision: the spread over seeds is 90 % smaller than with random folds" in smaller
    assert "OptiSplit, macro average precision: the spread over seeds is 900 % larger" in larger
    assert (
        "3 seeds and 2 held-out sets show no difference in spread (95 % interval: 179 % larger to 71 % smaller)" in same
    )
    assert "Estimates are nearer to the held-out score, by 0.06 (" in smaller
    assert "Estimates are farther from the held-out score, by 0.6 (" in larger
    assert "2.0 labels could not be scored in some fold; with random folds 2.0." in same


def test_no_spread_at_all():
    assert "do not differ between seeds at all" in hand_made({"random": 0.0, "is": 0.0}).verdicts[0]


def test_progress_and_cancel():
    seen = []
    measure_impact(
        (X, Y), ["is"], seeds=range(2), n_holdouts=2, n_splits=3, on_progress=lambda *each: seen.append(each[:2])
    )
    assert seen == [(done, 26) for done in range(1, 27)]

    def stop(done, total, score):
        raise Cancelled

    with pytest.raises(Cancelled):
        measure_impact((X, Y), ["is"], seeds=range(2), on_progress=stop)


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ("delicious", {}, "has no features; these have: 'emotions'"),
        ("emotion", {}, "did you mean 'emotions'"),
        ((X, Y), {"seeds": [1]}, "At least two different seeds"),
        ((X, Y), {"n_holdouts": 1}, "n_holdouts must be at least 2"),
        ((X, Y), {"holdout_size": 0.99}, "leaves too few of 60 rows"),
        ((X, Y), {"model": "rigde"}, "did you mean 'ridge'"),
        ((X, Y), {"model": 3}, "or a scikit-learn estimator, not 3"),
        ((X, Y), {"methods": ["optisplt"]}, "did you mean 'optisplit'"),
        ((X[:50], Y), {}, "a row for each of the 60 rows"),
        ((np.where(X > 1, np.inf, X), Y), {}, "cells are missing or infinite"),
        ((X, np.eye(60)), {}, "No label has 2 positives and 2 other rows"),
        ((X, Y), {"leave_out": ["dose"]}, "names columns of a table"),
        ((pd.DataFrame(X, columns=list("abcd")), Y), {"leave_out": ["aa"]}, "did you mean 'a'"),
        (
            (sp.eye_array(20_001), np.eye(1, 20_001)[0].repeat(1)[:, None] + np.eye(20_001, 1, -9)),
            {},
            "whichever are fewer, but X is 20,001 x 20,001",
        ),
        (3, {}, "a sample's name, or features and labels"),
    ],
)
def test_wrong_use(data, options, said):
    with pytest.raises(OptionError, match=said):
        measure_impact(data, **options)


# ---- results that come along

COVER = "optisplit-sa, rare=cover"


def test_results_of_other_data_come_along_too():
    assert kept_names() == [*SAMPLES_WITH_FEATURES, "flags", "birds", "corel5k"]
    birds = kept_impact("birds").result
    assert (birds.n_rows, birds.n_labels, kept_impact("delicious")) == (322, 19, None)
    for name, left in (("birds", [9.4, 4.4, 4.4]), ("corel5k", [175.9, 98.0, 97.8])):
        found = kept_impact(name).result.summary.set_index(["method", "score"])
        assert found["unscored"].groupby("method", sort=False).first().round(1).tolist() == left
        ratios = found.loc["is"].drop("micro_f1")
        assert (ratios["ratio_high"] < 1).all()
        assert ratios["ratio"].between(0.61, 0.735).all()


@pytest.mark.parametrize("name", kept_names())
def test_a_result_of_each_sample_comes_along(name):
    kept = kept_impact(name)
    assert kept.result.methods == ["random", "is", COVER]
    assert kept.result.n_seeds >= 10
    assert kept.result.n_holdouts >= 3
    assert len(kept.result.verdicts) == 2 * len(SCORES)
    assert set(kept.versions) == {"optisplit", "scikit-learn", "numpy", "python"}


def test_what_the_guide_says_of_all_samples_together():
    results = [kept_impact(name).result.summary.set_index(["score", "method"]) for name in SAMPLES_WITH_FEATURES]
    together = np.exp(np.mean([np.log(each["ratio"]) for each in results], axis=0))
    found = dict(zip(results[0].index, together, strict=True))
    macro = [found[score, method] for score in SCORES if score != "micro_f1" for method in ("is", COVER)]
    assert (round(min(macro), 2), round(max(macro), 2)) == (0.78, 0.84)
    assert round(found["macro_ap", COVER], 2) == 0.81
    assert [round(found["micro_f1", method], 2) for method in ("is", COVER)] == [0.92, 0.90]


def test_what_the_guide_says_of_the_distance_from_the_held_out_score():
    results = [kept_impact(name).result.summary.set_index(["score", "method"]) for name in kept_names()]
    gains = {(name, *at): line["gain"] for name, each in zip(kept_names(), results, strict=True)
             for at, line in each.iterrows() if line["gain_low"] > 0 or line["gain_high"] < 0}  # fmt: skip
    assert {name for name, *_ in gains} == {"emotions", "yeast", "medical", "corel5k"}
    assert {at[1:]: round(gain, 4) for at, gain in gains.items() if at[0] == "corel5k"} == {
        ("macro_ap", "is"): 0.0037, ("macro_ap", COVER): 0.0035,
    }  # fmt: skip
    assert {round(gains["medical", "macro_f1", method], 3) for method in ("is", COVER)} == {0.026, 0.025}
    assert {round(gains["medical", "macro_f1_present", method], 4) for method in ("is", COVER)} == {0.0071, 0.0085}
    assert [(at, round(gain, 3)) for at, gain in gains.items() if at[0] == "yeast"] == [
        (("yeast", "macro_ap", "is"), -0.002)
    ]
    of_emotions = {at[1]: round(gain, 3) for at, gain in gains.items() if at[0] == "emotions"}
    assert set(of_emotions) == {"macro_f1", "macro_f1_present", "micro_f1"}
    assert set(of_emotions.values()) <= {0.004, 0.005}


def test_the_result_that_comes_along_is_made_again():
    """Of methods whose folds are what they were in the version that made it."""
    kept = kept_impact("emotions").result
    again = measure_impact("emotions", ["is"], seeds=range(2), n_holdouts=2).table
    mine = kept.table[(kept.table["seed"] < 2) & (kept.table["holdout"] < 2) & (kept.table["method"] != COVER)]
    columns = ["micro_f1", "macro_ap", "macro_ap_held_out"]
    at = ["method", "seed", "holdout"]
    np.testing.assert_allclose(
        mine.sort_values(at)[columns].to_numpy(), again.sort_values(at)[columns].to_numpy(), rtol=1e-4
    )
