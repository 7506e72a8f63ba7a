from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from optisplit import compare, load, split
from optisplit.comparison.runs import Plan, Run, Tracker
from optisplit.errors import Cancelled, FoldAssignmentError, LabelError, OptionError, SplitWarning
from optisplit.measures.registry import MEASURES
from optisplit.measures.report import evaluate
from optisplit.methods import METHODS, Method, peers

EMOTIONS = load("emotions")


@pytest.fixture(scope="module")
def result():
    return compare(EMOTIONS, ["optisplit", "random", "skml-is"], n_splits=4, seeds=[5, 0])


@pytest.fixture
def add_method(monkeypatch):
    def add(key, function):
        monkeypatch.setitem(METHODS, key, Method(key, key.title(), "For a test.", "none", "n", function))

    return add


def wait_for_cancel(labels, n_splits, *, rng, on_progress):
    """Never end by itself."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        on_progress(1, 2, 0.5)
        time.sleep(0.01)
    raise AssertionError("nobody stopped this")


def test_one_run_a_method_and_seed(result):
    assert [(run.method, run.seed, run.status) for run in result.runs] == [
        (method, seed, "done") for method in ("optisplit", "random", "skml-is") for seed in (5, 0)
    ]
    assert (result.methods, result.n_splits, result.n_rows) == (("optisplit", "random", "skml-is"), 4, 593)
    assert result.is_complete
    assert repr(result) == "Comparison of optisplit, random, skml-is: 6 of 6 runs done, 4 folds"


def test_runs_are_what_split_and_evaluate_give(result):
    for run in result.runs[:-1]:  # a peer's process takes its time to start: one is enough
        np.testing.assert_array_equal(run.folds, split(EMOTIONS, 4, method=run.method, random_state=run.seed))
        again = evaluate(EMOTIONS, run.folds, n_splits=4)
        for score in MEASURES:
            assert getattr(run.report, score) == getattr(again, score)


def test_table(result):
    table = result.table
    assert table.columns.tolist() == [
        "method", "seed", "status", "time_s", "rld", "rld_bound", "rld_excess_percent",
        "dcp", "dcp_bound", "dcp_excess_percent",
        "ld", "ed", "fz", "flz", "flz_bound", "beyond_rounding", "beyond_rounding_bound",
        "rare_shares", "rare_shares_bound", "row_shape", "row_shape_bound", "unfair", "reason",
    ]  # fmt: skip
    assert len(table) == 6
    for run, row in zip(result.runs, table.to_dict("records"), strict=True):
        assert (row["method"], row["seed"], row["status"], row["reason"]) == (run.method, run.seed, "done", "")
        assert row["time_s"] == run.cpu_s >= 0
        for score in MEASURES:
            assert row[score] == getattr(run.report, score)
        for score in ("rld", "dcp", "flz"):
            assert row[f"{score}_bound"] == getattr(run.report, f"{score}_bound")
        assert row["rld_excess_percent"] == pytest.approx(100 * (run.report.rld / run.report.rld_bound - 1))


def test_summary(result):
    summary = result.summary
    assert summary.index.tolist() == ["optisplit", "random", "skml-is"]
    for method in result.methods:
        runs = result.runs_of(method)
        assert [run.seed for run in runs] == [5, 0]
        for score in MEASURES:
            values = [getattr(run.report, score) for run in runs]
            assert summary.loc[method, (score, "mean")] == pytest.approx(np.mean(values))
            assert summary.loc[method, (score, "std")] == pytest.approx(np.std(values, ddof=1))
    assert summary["runs", "done"].tolist() == summary["runs", "all"].tolist() == [2, 2, 2]
    assert {figure for figure, _ in summary.columns} == set(result.table.columns) - {
        "method", "seed", "status", "unfair", "reason",
    } | {"runs"}  # fmt: skip


def test_a_single_run_has_no_deviation():
    summary = compare(EMOTIONS, ["random"], 3, seeds=[0]).summary
    assert np.isnan(summary.loc["random", ("rld", "std")])


def test_best_run(result):
    for measure in MEASURES:
        scores = [getattr(run.report, measure) for run in result.runs]
        assert result.best_run(measure) is result.runs[scores.index(min(scores))]


def test_methods_and_seeds_given_twice_count_once():
    result = compare(EMOTIONS, ["random", "random"], 3, seeds=[1, 1, 2])
    assert [run.seed for run in result.runs] == [1, 2]


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_the_number_of_jobs_does_not_matter(result, n_jobs):
    again = compare(EMOTIONS, ["optisplit", "random"], 4, seeds=[5, 0], n_jobs=n_jobs)
    for run, other in zip(again.runs, result.runs, strict=False):
        assert (run.method, run.seed) == (other.method, other.seed)
        np.testing.assert_array_equal(run.folds, other.folds)


def test_options():
    options = {"optisplit": {"measure": "dcp", "max_epochs": 1}}
    result = compare(EMOTIONS, ["optisplit", "random"], 4, seeds=[0], options=options)
    wanted = split(EMOTIONS, 4, method="optisplit", measure="dcp", max_epochs=1, random_state=0)
    np.testing.assert_array_equal(result.runs[0].folds, wanted)
    assert result.options == options
    options["optisplit"]["measure"] = "changed"
    assert result.options["optisplit"]["measure"] == "dcp"


def test_input_of_any_kind_is_left_alone():
    dense = EMOTIONS.labels.toarray()
    before = dense.copy()
    frame = pd.DataFrame(dense)
    for labels in (dense, frame):
        compare(labels, ["random", "optisplit"], 3, seeds=[0])
    np.testing.assert_array_equal(dense, before)


# What does not go well.


def test_a_method_that_fails_is_a_row_with_its_reason(add_method):
    def fail(labels, n_splits, *, rng, on_progress):
        return 1 / 0

    def refuse(labels, n_splits, *, rng, on_progress):
        raise OptionError("it does not like the data")

    add_method("faulty", fail)
    add_method("picky", refuse)
    result = compare(EMOTIONS, ["faulty", "random", "picky"], 3, seeds=[0, 1])
    table = result.table.set_index(["method", "seed"])
    assert table["status"].tolist() == ["failed", "failed", "done", "done", "failed", "failed"]
    assert table.loc[("faulty", 0), "reason"] == "ZeroDivisionError: division by zero"
    assert table.loc[("picky", 1), "reason"] == "it does not like the data"
    assert table.loc["faulty"][["time_s", *MEASURES, "rld_bound", "rld_excess_percent"]].isna().all(axis=None)
    assert result.summary["runs", "done"].tolist() == [0, 2, 0]
    assert result.summary["runs", "all"].tolist() == [2, 2, 2]
    assert result.runs_of("faulty") == ()
    assert result.best_run().method == "random"
    assert result.is_complete


def test_when_every_run_fails(add_method):
    def fail(labels, n_splits, *, rng, on_progress):
        raise MemoryError

    add_method("faulty", fail)
    result = compare(EMOTIONS, ["faulty"], 3, seeds=[0])
    assert result.runs[0].reason == "the memory was not enough"
    assert result.best_run() is None
    assert result.summary["runs", "done"].tolist() == [0]


def test_a_method_that_returns_nonsense_fails(add_method):
    add_method("nonsense", lambda labels, n_splits, *, rng, on_progress: np.full(labels.shape[0], 99))
    run = compare(EMOTIONS, ["nonsense"], 3, seeds=[0]).runs[0]
    assert run.status == "failed"
    assert "fold number of 3 or more" in run.reason


def test_the_time_limit_stops_a_peer_and_skips_its_later_seeds():
    data = load("delicious")
    start = time.monotonic()
    with pytest.warns(SplitWarning, match="seconds for each of 3 runs and will be stopped after 0.4 s"):
        result = compare(data, ["skml-is", "random"], 5, seeds=range(3), time_limit_s={"skml-is": 0.4}, n_jobs=1)
    assert time.monotonic() - start < 5
    assert [run.status for run in result.runs] == ["over time"] * 3 + ["done"] * 3
    assert result.runs[0].reason == "stopped: it reached the time limit of 0.4 s"
    for run in result.runs[1:3]:
        assert run.reason == "not started: with another seed it reached the time limit of 0.4 s"
    assert result.is_complete


def test_the_time_limit_stops_ours(add_method):
    add_method("endless", wait_for_cancel)
    result = compare(EMOTIONS, ["endless"], 3, seeds=[0, 1], time_limit_s=0.1)
    assert [run.status for run in result.runs] == ["over time"] * 2


def test_cancelling_gives_what_was_done_until_then(add_method):
    add_method("endless", wait_for_cancel)

    def cancel(progress):
        if progress.n_done == 1 and "Endless" in progress.message:
            raise Cancelled

    result = compare(EMOTIONS, ["random", "endless"], 3, seeds=[0, 1], n_jobs=1, on_progress=cancel)
    # seed by seed: random 0, endless 0, ...; with the first endless run nothing more is done
    assert [run.status for run in result.runs] == ["done", "cancelled", "cancelled", "cancelled"]
    assert not result.is_complete
    assert result.runs[-1].reason == "cancelled"
    assert result.runs_of("random")
    assert result.table["status"].tolist().count("cancelled") >= 2


def test_cancelling_a_peer():
    def cancel(progress):
        if "scikit-multilearn" in progress.message and progress.n_done == 1:
            raise Cancelled

    start = time.monotonic()
    result = compare(load("delicious"), ["skml-is", "random"], 5, seeds=[0], on_progress=cancel)
    assert time.monotonic() - start < 5
    assert [run.status for run in result.runs] == ["cancelled", "done"]


def test_cancelling_at_once():
    def cancel(progress):
        raise Cancelled

    result = compare(EMOTIONS, ["random", "optisplit", "skml-is"], 3, seeds=[0, 1], on_progress=cancel)
    assert {run.status for run in result.runs} == {"cancelled"}
    assert len(result.table) == 6


def test_progress():
    seen, inside = [], threading.Lock()

    def note(progress):
        assert inside.acquire(blocking=False)  # one call at a time
        seen.append(progress)
        time.sleep(0.001)
        inside.release()

    compare(EMOTIONS, ["random", "skml-is", "optisplit"], 3, seeds=[0], on_progress=note)
    assert {progress.n_runs for progress in seen} == {3}
    done = [progress.n_done for progress in seen]
    assert done == sorted(done)
    assert done[0] == 0
    assert all(0 <= progress.fraction <= 1 for progress in seen)
    assert seen[0].fraction == 0
    assert all(progress.n_done / 3 - 1e-12 <= progress.fraction for progress in seen)
    messages = {progress.message.split(":")[0] for progress in seen}
    assert {"Random, seed 0", "OptiSplit, seed 0"} <= messages
    assert any(message.startswith("Getting OptiSplit ready") for message in messages)


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"methods": ["optisplt"]}, OptionError, r"Unknown method 'optisplt'.*\nHint: did you mean 'optisplit'"),
        ({"methods": []}, OptionError, "at least one method and one seed"),
        ({"seeds": []}, OptionError, "at least one method and one seed"),
        ({"seeds": [-1]}, OptionError, "seeds must be whole numbers from 0, got -1"),
        ({"seeds": [1.5]}, OptionError, r"seeds must be whole numbers from 0, got 1\.5"),
        ({"seeds": ["a"]}, OptionError, "seeds must be whole numbers from 0, got 'a'"),
        ({"seeds": [None]}, OptionError, "seeds must be whole numbers from 0, got None"),
        ({"n_splits": 1}, FoldAssignmentError, "n_splits=1 makes no split"),
        ({"n_splits": 594}, FoldAssignmentError, "exceeds the number of rows, 593"),
        ({"options": {"optisplt": {}}}, OptionError, "Unknown method 'optisplt'"),
        ({"options": {"random": {"measure": "rld"}}}, OptionError, "Method 'random' takes no option 'measure'"),
        ({"time_limit_s": 0}, OptionError, "time_limit_s must be a positive number of seconds, got 0"),
        ({"time_limit_s": float("nan")}, OptionError, "time_limit_s must be a positive number"),
        ({"time_limit_s": {"random": -1}}, OptionError, "time_limit_s must be a positive number"),
        ({"time_limit_s": {"rnd": 1}}, OptionError, "Unknown method 'rnd'"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, match):
    with pytest.raises(error, match=match):
        compare(EMOTIONS, **arguments)


def test_bad_labels_are_refused():
    with pytest.raises(LabelError, match="'2'"):
        compare([[2], [0]], ["random"], 2)


def test_the_data_for_peers_is_written_once_for_all_their_runs(monkeypatch):
    saved = []

    def save(path, array):
        saved.append(path.name)
        return kept(path, array)

    kept = peers.np.save
    monkeypatch.setattr(peers.np, "save", save)
    result = compare(EMOTIONS, ["skml-is", "iterstrat"], 2, seeds=range(2), n_jobs=1)
    assert [run.status for run in result.runs] == ["done"] * 4
    assert saved == ["indptr.npy", "indices.npy"]


def test_the_time_left_is_estimated_then_by_what_runs_took(monkeypatch):
    slow = replace(METHODS["random"], seconds=lambda shape, n_splits, options: 100.0)
    monkeypatch.setitem(METHODS, "random", slow)
    monkeypatch.setitem(METHODS, "unknown", replace(slow, key="unknown", seconds=None))
    clock = [50.0]
    monkeypatch.setattr("optisplit.comparison.runs.time.monotonic", lambda: clock[0])

    def tracker_of(methods, **limits):
        return Tracker(Plan.check(EMOTIONS, methods, 3, range(3), {}, limits, np.full(3, 1 / 3)), seen.append, 2)

    seen = []
    tracker = tracker_of(["random"])
    tracker.tell("Getting ready")
    tracker.update(("random", 0), 0.0)
    clock[0] += 20
    tracker.update(("random", 1), 0.0)
    tracker.end(Run("random", 0, "done", 20.0))
    tracker.tell()
    assert [each.left_s for each in seen] == pytest.approx([np.nan, 150, 140, 20], nan_ok=True)
    assert seen[-1].words == "1 of 3 runs done · Random, seed 1: 0 % · about 20 seconds left"
    assert seen[0].words == "0 of 3 runs done · Getting ready"
    tracker_of(["random"], random=10.0).update(("random", 0), 0.0)
    assert seen[-1].left_s == 15  # a run is stopped at its limit
    tracker_of(["unknown"]).update(("unknown", 0), 0.0)
    assert np.isnan(seen[-1].left_s)
