"""How long methods take, known beforehand: the model, the figures it works on, and what is said of it."""

from __future__ import annotations

import dataclasses
import math
import warnings
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from measured_times import MEASURED, SHAPES

from optisplit import compare, estimate_times, load
from optisplit.comparison.forecasts import Forecast, forecast, runs_at_a_time, total_seconds, warning_of
from optisplit.errors import FoldAssignmentError, OptionError, SplitWarning
from optisplit.io.samples import SAMPLES
from optisplit.labels import as_labels
from optisplit.methods import METHODS
from optisplit.methods.base import START_S
from optisplit.methods.costs import Estimate, estimate
from optisplit.methods.shapes import Shape

EMOTIONS, ENRON = load("emotions"), load("enron")
SMALL = as_labels([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 0]])
OPTIONS = {
    "optisplit": [{"measure": each} for each in ("rld", "dcp", "ld")],
    "optisplit-sa": [
        {"measure": measure, "effort": effort, "balance_pairs": pairs}
        for measure, effort, pairs in product(("rld", "dcp", "ld"), ("quick", "normal", "thorough"), (False, True))
    ],
}


@pytest.fixture
def change(monkeypatch):
    """Change a method's entry."""

    def put(key, **changes):
        monkeypatch.setitem(METHODS, key, dataclasses.replace(METHODS[key], **changes))

    return put


CASES = [(key, options) for key in METHODS for options in OPTIONS.get(key, [{}])]


def test_figures_of_a_small_matrix_by_hand():
    # rows {0, 1}, {0}, {0, 1, 2} and none; label 0 in 3 rows, 1 in 2, 2 in 1
    assert Shape.of(SMALL) == Shape(
        n_rows=4, n_labels=3, n_positives=6, n_squared=9 + 4 + 1, n_pairs_in_rows=1 + 3, n_pairs=3
    )
    assert Shape.of(as_labels(np.zeros((2, 3)))) == Shape(2, 3, 0, 0, 0, 0)


def test_an_estimate_is_by_the_methods_own_rule_and_what_it_takes_to_start(change):
    change("random", seconds=lambda shape, n_splits, options: 0.5 + 0.25 * shape.n_rows)
    change("skml-is", seconds=lambda shape, n_splits, options: 10.0 * n_splits)
    assert estimate("random", Shape.of(SMALL), 2) == Estimate(1.5)
    assert estimate_times(SMALL, "random", 2) == {"random": 1.5}
    assert estimate_times(SMALL, ["skml-is"], 2) == {"skml-is": 20 + START_S}


@pytest.mark.parametrize(("data", "key", "n_splits", "options", "seconds"), MEASURED)
def test_estimates_are_near_what_was_measured(data, key, n_splits, options, seconds):
    """Within a factor of 4 for runs over half a second, and of 8 for shorter ones."""
    shape = SHAPES.get(data) or Shape.of_sample(data)
    estimated = METHODS[key].seconds(shape, n_splits, options)
    most = 4 if seconds > 0.5 else 8
    assert seconds / most < estimated < seconds * most


def test_empty_and_constant_labels_have_estimates():
    for labels in (np.zeros((3, 2), dtype=np.int8), np.ones((3, 2), dtype=np.int8), np.eye(2, dtype=np.int8)):
        assert all(0 <= seconds < 10 for seconds in estimate_times(labels, n_splits=2).values())


@pytest.mark.parametrize(("key", "options"), CASES)
def test_every_method_has_a_rule(key, options):
    assert 0 < estimate(key, Shape.of(ENRON.labels), 5, options).seconds < 60


@pytest.mark.parametrize("data", [EMOTIONS, ENRON], ids=lambda data: data.name)
@pytest.mark.parametrize(("key", "options"), CASES)
def test_more_is_never_cheaper(key, options, data):
    labels = data.labels
    shapes = {
        "rows": [labels, sp.vstack([labels] * 2), sp.vstack([labels] * 8)],
        "labels": [labels, sp.hstack([labels] * 2), sp.hstack([labels] * 4)],
    }
    for what, matrices in shapes.items():
        seconds = [estimate(key, Shape.of(as_labels(matrix)), 5, options).seconds for matrix in matrices]
        assert seconds == sorted(seconds), what
    shape = Shape.of(labels)
    seconds = [estimate(key, shape, n_splits, options).seconds for n_splits in (2, 3, 5, 10, 50)]
    assert seconds == sorted(seconds)


def test_more_effort_is_dearer():
    shape = Shape.of(ENRON.labels)
    efforts = [estimate("optisplit-sa", shape, 5, {"effort": each}).seconds for each in ("quick", "normal", "thorough")]
    assert efforts == sorted(set(efforts))
    assert estimate("optisplit", shape, 5, {"max_epochs": 1}).seconds < estimate("optisplit", shape, 5).seconds


def test_figures_are_the_same_every_time_and_close_where_rows_are_drawn(monkeypatch):
    labels = as_labels(sp.vstack([ENRON.labels] * 3, format="csr"))
    exact = Shape.of(labels)
    monkeypatch.setattr("optisplit.methods.shapes.MOST_PAIRS", 6000)
    drawn = Shape.of(labels)
    assert drawn == Shape.of(labels)
    assert dataclasses.replace(drawn, n_pairs=0) == dataclasses.replace(exact, n_pairs=0)
    # that a row three times over brings no new pairs cannot be seen
    assert 0.5 < drawn.n_pairs / exact.n_pairs < 3


@pytest.mark.parametrize("key", ["emotions", "medical", "go_human_cc", "wiki10_31k"])
def test_figures_of_samples_are_at_hand(key):
    assert dataclasses.asdict(Shape.of_sample(key)) == pytest.approx(dataclasses.asdict(Shape.of(load(key).labels)))


def test_all_samples_have_figures_and_nothing_else_has():
    for key, sample in SAMPLES.items():
        shape = Shape.of_sample(key)
        assert (shape.n_rows, shape.n_labels, shape.n_positives) == (
            sample.n_rows, sample.n_labels, sample.n_positives,
        )  # fmt: skip
    assert Shape.of_sample("mine") is None


def test_what_cannot_run_has_a_reason_instead_of_a_time():
    huge = dataclasses.replace(Shape.of(SMALL), n_rows=10**6, n_labels=10**5, n_pairs_in_rows=10**9)
    for key, options, reason in [
        ("iterstrat", {}, "takes only dense labels"),
        ("sois", {}, "1,000,000,000 pairs of labels in all, more than the 300,000,000"),
        ("optisplit-sa", {"balance_pairs": True}, "more than the 300,000,000"),
    ]:
        made = estimate(key, huge, 5, options)
        assert made.seconds == math.inf
        assert reason in made.reason
    assert estimate("optisplit-sa", huge, 5).reason == ""


def test_what_is_unknown_is_refused():
    with pytest.raises(OptionError, match="Unknown method 'isn'"):
        estimate_times(SMALL, ["isn"], 2)
    with pytest.raises(OptionError, match="takes no option 'effort'"):
        estimate_times(SMALL, ["random"], 2, options={"random": {"effort": "quick"}})
    with pytest.raises(OptionError, match="Unknown method 'isn'"):
        estimate_times(SMALL, ["random"], 2, options={"isn": {}})
    with pytest.raises(OptionError, match="Unknown effort 'quik'"):
        estimate_times(SMALL, ["optisplit-sa"], 2, options={"optisplit-sa": {"effort": "quik"}})
    with pytest.raises(FoldAssignmentError):
        estimate_times(SMALL, ["random"], 9)


def made(seconds, limit_s=math.inf, n_runs=3, reason=""):
    return Forecast("is", "IS", Estimate(seconds, reason), n_runs, limit_s)


@pytest.mark.parametrize(
    ("each", "words", "warning"),
    [
        (made(3), "IS would take about 3 seconds a run.", ""),
        (made(90), "IS would take about 2 minutes a run.", "IS would take about 2 minutes for each of 3 runs."),
        (made(90, 100), "IS would take about 2 minutes a run.", ""),
        (
            made(7200, 120),
            "IS would take about 2 hours a run: it will be stopped after 120 s.",
            "IS would take about 2 hours for each of 3 runs and will be stopped after 120 s.",
        ),
        (
            made(12, 10, n_runs=1),
            "IS would take about 10 seconds a run: it may be stopped after 10 s.",
            "IS would take about 10 seconds for 1 run and may be stopped after 10 s.",
        ),
        (made(math.inf, 10, reason="Too large."), "IS cannot run on these data: Too large.", ""),
    ],
)
def test_what_is_said_of_a_method(each, words, warning):
    assert (each.words, each.warning) == (words, warning)


def test_one_warning_for_all_methods_says_what_to_do():
    assert warning_of([made(3), made(90, 100)]) == ""
    assert warning_of([made(3), made(90)]).endswith("3 runs. Leave out 'is', or set a time limit.")
    assert warning_of([made(90, 10)]).endswith("stopped after 10 s. Leave out 'is', or raise the time limit.")
    assert warning_of([made(90, 10), made(90)]).endswith("Leave out 'is', 'is', or set a time limit.")


def test_the_total_of_runs_at_a_time():
    assert total_seconds([made(10), made(2)], 1) == 36
    assert total_seconds([made(10), made(2)], 4) == 10  # the longest run
    assert total_seconds([made(100, 20), made(2)], 2) == 20  # stopped once, and not tried again
    assert total_seconds([made(math.inf), made(math.nan), made(1)], 1) == 3
    assert total_seconds([], 1) == 0
    assert [runs_at_a_time(1), runs_at_a_time(5, 3), runs_at_a_time(0)] == [1, 3, 1]


def test_a_method_without_a_rule_is_no_cause_for_alarm(change):
    change("random", seconds=None)
    (each,) = forecast(Shape.of(SMALL), ["random"], 2, 3)
    assert math.isnan(each.estimate.seconds)
    assert not each.is_long


def test_compare_warns_once_before_it_starts(change):
    for key in ("random", "pmbsrs"):
        change(key, seconds=lambda shape, n_splits, options: 7200.0)
    methods = ["random", "optisplit", "pmbsrs"]
    with pytest.warns(SplitWarning) as caught:
        compare(EMOTIONS, methods, 4, seeds=range(2), time_limit_s={"random": 100})
    assert [str(each.message) for each in caught] == [
        "Random would take about 2 hours for each of 2 runs and will be stopped after 100 s. PMBSRS would take about 2 "
        "hours for each of 2 runs. Leave out 'random', 'pmbsrs', or set a time limit."
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(EMOTIONS, methods, 4, seeds=[0], time_limit_s=8000)
