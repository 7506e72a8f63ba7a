from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path

import cloudpickle
import dask
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

import optisplit
from optisplit import cli, compare, load
from optisplit.comparison import cluster as cluster_module
from optisplit.errors import Cancelled, OptionError, OptisplitError
from optisplit.labels import MultilabelDataset
from optisplit.measures.registry import MEASURES
from optisplit.methods import METHODS, Method

ROOT = Path(__file__).parents[2]
EMOTIONS = load("emotions")


@pytest.fixture(autouse=True, scope="module")
def _send_code():
    """Send the code of this module, which workers do not know."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes on this machine, which know optisplit."""
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    # Dask's memory manager lets go of copies that no run needs at the moment, and has them sent again: at any time
    with (
        dask.config.set({"distributed.scheduler.active-memory-manager.start": False}),
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as running,
    ):
        yield running
    if path is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = path


@pytest.fixture
def workers(cluster):
    """A client of the cluster, when both workers are up and idle."""
    with Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=20)
        yield client
        wait_until(lambda: not any(client.processing().values()))


@pytest.fixture
def there(cluster, workers):
    return {"backend": "dask", "cluster": cluster.scheduler_address}


@pytest.fixture
def add_method(monkeypatch):
    def add(key, function, *options):
        monkeypatch.setitem(METHODS, key, Method(key, key.title(), "For a test.", "none", "n", function, options))

    return add


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def endless(labels, n_splits, *, rng, on_progress):
    """Never end by itself; when stopped, hand over a split."""
    deadline = time.monotonic() + 30
    folds = rng.integers(n_splits, size=labels.shape[0], dtype=np.int32)
    try:
        while time.monotonic() < deadline:
            on_progress(1, 4, 0.5)
            time.sleep(0.01)
    except Cancelled as stop:
        stop.folds = folds
        raise
    raise AssertionError("nobody stopped this")


def leave_a_mark(labels, n_splits, *, rng, on_progress, folder, seconds=0.5):
    """Say which process does this, and take a while."""
    (Path(folder) / str(os.getpid())).touch()
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        on_progress(0, 1, 0.5)
        time.sleep(0.01)
    return rng.integers(n_splits, size=labels.shape[0], dtype=np.int32)


def fail(labels, n_splits, *, rng, on_progress):
    return 1 / 0


def kill_worker(labels, n_splits, *, rng, on_progress):
    os.kill(os.getpid(), signal.SIGKILL)


def check_arrays(labels, n_splits, *, rng, on_progress):
    for array in (labels.data, labels.indices, labels.indptr):
        assert array.flags.aligned  # as the kernels are compiled for
        assert array.flags.writeable
    return np.arange(labels.shape[0], dtype=np.int32) % n_splits


class Counted(MultilabelDataset):
    """A data set that notes in a file where it is unpacked."""

    def __reduce__(self):
        return unpack_counted, (self.notes[0], *(getattr(self, each.name) for each in fields(self)))


def unpack_counted(log, *parts):
    with open(log, "a") as file:
        file.write(f"{os.getpid()}\n")
    return Counted(*parts)


def assert_same(runs, others):
    assert [(run.method, run.seed, run.status, run.reason) for run in runs] == [
        (run.method, run.seed, run.status, run.reason) for run in others
    ]
    for run, other in zip(runs, others, strict=True):
        np.testing.assert_array_equal(run.folds, other.folds)
        if run.report is not None:
            assert [getattr(run.report, score) for score in MEASURES] == [
                getattr(other.report, score) for score in MEASURES
            ]
            assert run.report.label_names == other.report.label_names


# The same as on threads.


def test_runs_are_those_of_threads(there, add_method):
    add_method("faulty", fail)
    asked = {"methods": ["optisplit", "random", "faulty"], "n_splits": 4, "seeds": [5, 0]}
    asked["options"] = {"optisplit": {"measure": "dcp"}}
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - that nobody touches it
    result = compare(EMOTIONS, **asked, **there)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    here = compare(EMOTIONS, **asked)
    assert_same(result.runs, here.runs)
    assert [run.status for run in result.runs] == ["done"] * 4 + ["failed"] * 2
    assert result.runs[-1].reason == "ZeroDivisionError: division by zero"
    assert all(0 <= run.cpu_s < 20 for run in result.runs[:4])
    assert (result.methods, result.options, repr(result)) == (here.methods, here.options, repr(here))


def test_a_peer(there):
    assert_same(*(compare(EMOTIONS, ["iterstrat"], 3, seeds=[7], **where).runs for where in (there, {})))


def test_constraints_go_along(there):
    asked = {"methods": ["random", "optisplit-sa"], "fold_sizes": [0.5, 0.3, 0.2], "seeds": [0]}
    asked["groups"] = pd.Series([f"p{row % 97}" for row in range(593)])
    assert_same(compare(EMOTIONS, **asked, **there).runs, compare(EMOTIONS, **asked).runs)


def test_the_current_client_will_do(cluster, workers):
    with Client(cluster):
        result = compare(EMOTIONS, ["random"], 3, seeds=[0], backend="dask")
    assert_same(result.runs, compare(EMOTIONS, ["random"], 3, seeds=[0]).runs)


def test_the_command_line(cluster, workers, tmp_path, capsys):
    given = ["compare", "emotions", "--methods", "random,optisplit", "--seeds", "2", "-o", str(tmp_path / "table.csv")]
    assert cli.main([*given, "--dask", cluster.scheduler_address]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert [line.split()[0] for line in shown.out.splitlines()[-2:]] == ["random", "optisplit"]
    wanted = compare(EMOTIONS, ["random", "optisplit"], seeds=range(2)).table
    written = pd.read_csv(tmp_path / "table.csv", keep_default_na=False)
    unlike = ["time_s", "reason"]
    pd.testing.assert_frame_equal(written.drop(columns=unlike), wanted.drop(columns=unlike), check_dtype=False)


# What goes over the wire.


def test_data_is_sent_once_a_worker(there, workers, tmp_path, add_method):
    add_method("mark", leave_a_mark, "folder", "seconds")
    log = tmp_path / "unpacked.txt"
    data = Counted(EMOTIONS.labels, EMOTIONS.label_names, notes=(str(log),))
    options = {"mark": {"folder": str(tmp_path), "seconds": 0.2}}
    result = compare(data, ["random", "mark"], 4, seeds=range(5), options=options, **there)
    assert {run.status for run in result.runs} == {"done"}
    processes = set(workers.run(os.getpid).values())
    assert {int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()} == processes  # both had work
    assert Counter(map(int, log.read_text().split())) == dict.fromkeys(processes, 1)


def test_methods_are_made_ready_once_a_worker(there, workers):
    workers.run(forget_ready)
    compare(EMOTIONS, ["random", "optisplit"], 4, seeds=range(6), **there)
    ready = workers.run(count_ready).values()
    assert sum(n_ready for n_ready, _ in ready) >= 2
    assert all(n_ready == n_times for n_ready, n_times in ready)


def forget_ready():
    from optisplit.methods import base

    base._compile.cache_clear()


def count_ready():
    """Count the methods that are compiled in this process, and how often one was."""
    from optisplit.methods import base

    found = base._compile.cache_info()
    return found.currsize, found.misses


def test_arrays_arrive_as_they_were(there, add_method):
    add_method("check", check_arrays)
    assert [run.reason for run in compare(EMOTIONS, ["check"], 3, seeds=range(2), **there).runs] == ["", ""]


# Progress, and stopping.


def test_progress(there, add_method, tmp_path):
    add_method("mark", leave_a_mark, "folder", "seconds")
    seen, threads = [], set()

    def note(progress):
        seen.append(progress)
        threads.add(threading.current_thread())

    options = {"mark": {"folder": str(tmp_path), "seconds": 0.7}}
    compare(EMOTIONS, ["random", "mark"], 3, seeds=range(3), options=options, on_progress=note, **there)
    assert threads == {threading.main_thread()}
    assert {progress.n_runs for progress in seen} == {6}
    done = [progress.n_done for progress in seen]
    assert done == sorted(done)
    assert set(done) == set(range(7))
    assert (seen[0].fraction, seen[-1].fraction) == (0, 1)
    messages = {progress.message for progress in seen}
    assert {
        "Sending the data to the workers",
        "Random, seed 2: done",
        "Mark, seed 1: done",
        "Mark, seed 0: 0 %",
    } <= messages


def test_cancelling_keeps_what_there_is(there, workers, cluster, add_method):
    add_method("endless", endless)

    def cancel(progress):
        if progress.n_done >= 1 and progress.message.startswith("Endless, seed 0: 25 %"):
            raise Cancelled

    start = time.monotonic()
    result = compare(EMOTIONS, ["random", "endless"], 3, seeds=range(3), on_progress=cancel, **there)
    assert time.monotonic() - start < 10
    assert not result.is_complete
    assert result.runs_of("random")
    endless_runs = result.runs[3:]
    assert {(run.status, run.reason) for run in endless_runs} == {("cancelled", "cancelled")}
    first = np.random.default_rng(0).integers(3, size=593, dtype=np.int32)
    np.testing.assert_array_equal(endless_runs[0].folds, first)  # the best so far came back
    assert endless_runs[0].report is not None
    assert not any(workers.processing().values())
    assert not cluster.scheduler.extensions["events"]._events


def test_cancelling_at_once(there):
    def cancel(progress):
        raise Cancelled

    result = compare(EMOTIONS, ["random", "optisplit"], 3, seeds=[0, 1], on_progress=cancel, **there)
    assert [run.status for run in result.runs] == ["cancelled"] * 4


def test_whoever_goes_away_leaves_nothing_running(there, workers, add_method):
    add_method("endless", endless)

    def interrupt(progress):
        if any(workers.run(is_at_work).values()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(EMOTIONS, ["endless"], 3, seeds=range(4), on_progress=interrupt, **there)
    wait_until(lambda: not any(workers.run(is_at_work).values()), seconds=10)


def is_at_work():
    """Tell whether a thread of this process is in endless()."""
    frames = list(sys._current_frames().values())
    while frames:
        frame = frames.pop()
        if frame.f_code.co_name == "endless":
            return True
        if frame.f_back:
            frames.append(frame.f_back)
    return False


def test_time_limit(there, add_method):
    add_method("endless", endless)
    result = compare(EMOTIONS, ["endless", "random"], 3, seeds=range(5), time_limit_s={"endless": 0.3}, **there)
    assert [run.status for run in result.runs] == ["over time"] * 5 + ["done"] * 5
    reasons = Counter(run.reason for run in result.runs[:5])
    assert set(reasons) == {
        "stopped: it reached the time limit of 0.3 s",
        "not started: with another seed it reached the time limit of 0.3 s",
    }


# Workers that are not fit, or die.


def test_another_version(there, monkeypatch):
    monkeypatch.setattr(optisplit, "__version__", "9.9")
    with pytest.raises(OptionError, match=r"has optisplit .*; install optisplit 9\.9 there"):
        compare(EMOTIONS, ["random"], **there)


def test_a_dead_worker_s_runs_are_done_again(there, workers, add_method, tmp_path):
    killed = kill_in_mid_run(1, there, add_method, tmp_path)
    wait_until(lambda: killed.isdisjoint(workers.run(os.getpid).values()))


def test_data_is_sent_again_when_all_workers_die(there, workers, add_method, tmp_path):
    kill_in_mid_run(2, there, add_method, tmp_path)


def kill_in_mid_run(n_killed, there, add_method, folder):
    add_method("mark", leave_a_mark, "folder")
    killed = set()

    def kill(progress):
        found = {int(path.name) for path in folder.iterdir()}
        if not killed and len(found) == 2:
            killed.update(sorted(found)[:n_killed])
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    options = {"mark": {"folder": str(folder)}}
    result = compare(EMOTIONS, ["mark"], 3, seeds=range(4), options=options, on_progress=kill, **there)
    assert len(killed) == n_killed
    assert [(run.seed, run.status) for run in result.runs] == [(seed, "done") for seed in range(4)]
    for run in result.runs:
        np.testing.assert_array_equal(run.folds, np.random.default_rng(run.seed).integers(3, size=593, dtype=np.int32))
    return killed


def test_a_run_that_kills_every_worker_fails(there, cluster, add_method, monkeypatch):
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    add_method("deadly", kill_worker)
    result = compare(EMOTIONS, ["deadly"], 3, seeds=[0], **there)
    assert result.runs[0].status == "failed"
    assert result.runs[0].reason == "its worker process died each time, perhaps for lack of memory"


@pytest.fixture
def by_hand(tmp_path):
    """A scheduler, which need not know optisplit, and a worker, as programs; yields the first and its address."""
    started = []

    def start(path, *arguments):
        sink = (tmp_path / f"dask-{len(started)}.log").open("w")
        program = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            env={**os.environ, "PYTHONPATH": path}, stdout=sink, stderr=sink, cwd=tmp_path,
        )  # fmt: skip
        sink.close()
        started.append(program)

    file = tmp_path / "scheduler.json"
    try:
        start("", "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        start(str(ROOT), "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))
        yield started[0], json.loads(file.read_text())["address"]
    finally:
        for program in started:
            program.kill()
            program.wait()


def test_a_lost_scheduler(by_hand, add_method):
    scheduler, address = by_hand
    add_method("endless", endless)

    def kill(progress):
        if "Endless" in progress.message:
            scheduler.kill()

    start = time.monotonic()
    with pytest.raises(OptisplitError, match=r"^The Dask cluster does not answer any more; [01] of 2 runs were done\."):
        compare(EMOTIONS, ["random", "endless"], 3, seeds=[0], on_progress=kill, backend="dask", cluster=address)
    assert time.monotonic() - start < 15


# What is refused.


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"backend": "dsk"}, r"^Unknown backend 'dsk'; the known ones are 'dask'\.\nHint: did you mean 'dask'\?$"),
        ({"backend": "dask"}, r"needs a cluster.*such as cluster='tcp://host:8786'\.$"),
        ({"cluster": "tcp://a:1"}, "give backend='dask' with it"),
        ({"backend": "dask", "cluster": "tcp://a:1", "n_jobs": 2}, r"n_jobs=2 is for threads here.*--nthreads"),
    ],
)
def test_bad_arguments_are_refused(arguments, match):
    with pytest.raises(OptionError, match=match):
        compare(EMOTIONS, ["random"], **arguments)


def test_without_dask(monkeypatch):
    monkeypatch.setattr(cluster_module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r'not installed\.\nHint: pip install "dask\[distributed\]"'):
        compare(EMOTIONS, ["random"], backend="dask", cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nothing such"])
def test_a_scheduler_that_does_not_answer(monkeypatch, address, capsys):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    start = time.monotonic()
    assert cli.main(["compare", "emotions", "--methods", "random", "--dask", address]) == 2
    assert time.monotonic() - start < 5
    assert capsys.readouterr().err.startswith(f"optisplit: No Dask scheduler answers at {address};")


def test_a_program_that_takes_the_call_and_says_nothing(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(OptisplitError, match=f"^No Dask scheduler answers at {address};"):
            compare(EMOTIONS, ["random"], backend="dask", cluster=address)


@pytest.mark.parametrize("call", ["replicate", "ncores"])
def test_a_scheduler_that_falls_silent(there, monkeypatch, call):
    monkeypatch.setattr(cluster_module, "ANSWER_S", 0.5)
    never = threading.Event()
    monkeypatch.setattr(Client, call, lambda *_, **__: never.wait(60))

    def stop(progress):
        if call == "replicate":  # which may take as long as the data are large, so it is for the user to say
            raise Cancelled

    try:
        if call == "replicate":
            result = compare(EMOTIONS, ["random"], 3, seeds=[0], on_progress=stop, **there)
            assert [run.status for run in result.runs] == ["cancelled"]
        else:
            with pytest.raises(OptisplitError, match=r"^The Dask cluster does not answer any more; 0 of 1 runs"):
                compare(EMOTIONS, ["random"], 3, seeds=[0], **there)
    finally:
        never.set()


def test_a_cluster_without_workers(monkeypatch):
    monkeypatch.setattr(cluster_module, "WORKERS_S", 0.3)
    with (
        LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(OptisplitError, match="has no worker; start one with: dask worker tcp://"),
    ):
        compare(EMOTIONS, ["random"], backend="dask", cluster=empty.scheduler_address)


def test_a_cluster_that_loses_its_workers_for_good(monkeypatch, add_method):
    monkeypatch.setattr(cluster_module, "WORKERS_S", 1.0)
    monkeypatch.setattr(cluster_module, "LOOK_S", 0.3)
    add_method("endless", endless)
    asked = []
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as shrinking:

        def shrink(progress):
            if "Endless" in progress.message and not asked:
                asked.append(True)
                shrinking.scale(0)

        with pytest.raises(OptisplitError, match=r"^The Dask cluster .*; 0 of 1 runs were done"):
            compare(
                EMOTIONS, ["endless"], 3, seeds=[0], backend="dask", cluster=shrinking.scheduler_address,
                on_progress=shrink,
            )  # fmt: skip
