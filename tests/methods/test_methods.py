from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from strategies import SETTINGS, problems

from optisplit import compare, estimate_times, load, split
from optisplit.errors import Cancelled, FoldAssignmentError, LabelError, MemoryLimitError, OptionError, PeerError
from optisplit.folds.arrays import fold_sizes
from optisplit.labels import as_labels
from optisplit.methods import METHODS, Method, get_method
from optisplit.methods import peers as peers_module
from optisplit.methods.api import as_generator

ALL = sorted(METHODS)
OURS = [key for key, method in METHODS.items() if not method.is_peer]
PEERS = [key for key, method in METHODS.items() if method.is_peer]
EMOTIONS = load("emotions")


@cache
def run_of(key, n_splits, seed):
    """Run a method on emotions, once for all tests: a peer's process takes its time to start."""
    METHODS[key].prepare()
    return METHODS[key].run(EMOTIONS.labels, n_splits, rng=np.random.default_rng(seed))


@pytest.fixture(autouse=True)
def _leaves_numpys_global_state_alone():
    before = np.random.get_state()  # noqa: NPY002 - the global state is what this is about
    yield
    after = np.random.get_state()  # noqa: NPY002
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


# The contract of every method.


@pytest.mark.parametrize(("key", "n_splits"), [(key, 3) for key in ALL] + [(key, 10) for key in OURS])
def test_every_row_is_in_one_fold(key, n_splits):
    folds = run_of(key, n_splits, 0).folds
    assert folds.dtype == np.int32
    assert folds.shape == (EMOTIONS.n_rows,)
    assert set(folds.tolist()) == set(range(n_splits))


@pytest.mark.parametrize("key", ALL)
def test_same_seed_same_folds(key):
    again = split(EMOTIONS, 3, method=key, random_state=1)
    np.testing.assert_array_equal(again, run_of(key, 3, 1).folds)
    assert (again != run_of(key, 3, 0).folds).any()


@pytest.mark.parametrize("key", ALL)
def test_the_form_of_the_labels_does_not_matter_and_they_are_left_alone(key):
    labels = EMOTIONS.labels.tocoo()
    before = labels.data.copy(), labels.row.copy(), labels.col.copy()
    np.testing.assert_array_equal(split(labels, 3, method=key, random_state=0), run_of(key, 3, 0).folds)
    for array, old in zip((labels.data, labels.row, labels.col), before, strict=True):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("key", OURS)
def test_labels_of_our_own_form_are_left_alone(key):
    matrix = as_labels(EMOTIONS.labels.copy())
    split(matrix, 3, method=key, random_state=0)
    assert (matrix != EMOTIONS.labels).nnz == 0


@pytest.mark.parametrize("key", ALL)
def test_it_has_what_people_want_to_know(key):
    method = METHODS[key]
    assert method.key == key
    for text in (method.name, method.summary, method.reference, method.cost):
        assert text == text.strip() != ""


@pytest.mark.parametrize("key", ALL)
@pytest.mark.parametrize(
    ("n_splits", "match"),
    [
        (5, "n_splits=5 exceeds the number of rows, 4; use n_splits <= 4"),
        (1, "n_splits=1 makes no split"),
        (2.0, "n_splits must be a whole number"),
    ],
)
def test_impossible_numbers_of_folds(key, n_splits, match):
    with pytest.raises(FoldAssignmentError, match=match):
        split(np.eye(4), n_splits, method=key)


@pytest.mark.parametrize("key", ALL)
def test_labels_that_are_not_binary(key):
    with pytest.raises(LabelError, match="'2'"):
        split([[2], [0]], 2, method=key)


@pytest.mark.parametrize("key", OURS)
def test_as_many_folds_as_rows(key):
    assert set(split(np.eye(4, dtype=int), 4, method=key, random_state=0)) <= set(range(4))


@pytest.mark.parametrize("key", OURS)
@SETTINGS
@given(problem=problems())
def test_contract_on_any_data(key, problem):
    labels, n_splits = problem
    folds = split(labels, n_splits, method=key, random_state=0)
    assert folds.dtype == np.int32
    assert folds.shape == (len(labels),)
    assert folds.min() >= 0
    assert folds.max() < n_splits


@SETTINGS
@given(problem=problems())
def test_random_folds_differ_by_one_row_at_most(problem):
    labels, n_splits = problem
    sizes = fold_sizes(split(labels, n_splits, method="random", random_state=0), n_splits)
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(sizes) <= 0).all()


# Names, options, seeds.


def test_unknown_method():
    with pytest.raises(OptionError, match=r"Unknown method 'optisplt'; .*'random'.*\nHint: did you mean 'optisplit'\?"):
        split(np.eye(4), 2, method="optisplt")
    assert get_method("random") is METHODS["random"]


@pytest.mark.parametrize(
    ("key", "option"),
    [
        (key, option)
        for key in ALL
        for option in ({"measure": "rld"}, {"max_epochs": 2}, {"initial": [0, 1, 0, 1]}, {"ties": "numpy"})
        if not set(option) <= set(METHODS[key].options)
    ],
)
def test_options_of_other_methods(key, option):
    (name,) = option
    with pytest.raises(OptionError, match=f"Method '{key}' takes no option '{name}'; these methods do: .*'optisplit'"):
        split(np.eye(4), 2, method=key, **option)


def test_options_that_no_method_has():
    with pytest.raises(OptionError, match="Method 'random' takes no option 'colour'; no method does"):
        METHODS["random"].run(as_labels(np.eye(4)), 2, rng=np.random.default_rng(0), options={"colour": 1})


@pytest.mark.parametrize(
    ("key", "options", "match"),
    [
        ("optisplit", {"measure": "rdl"}, "Unknown measure 'rdl'"),
        ("optisplit", {"max_epochs": 0}, "max_epochs must be a whole number of at least 1, got 0"),
        ("optisplit", {"ties": "none"}, "Unknown way to break ties 'none'"),
        ("optisplit-sa", {"effort": "quik"}, "Unknown effort 'quik'"),
    ],
)
def test_values_that_an_option_cannot_have_are_refused_before_anything_runs(key, options, match):
    with pytest.raises(OptionError, match=match):
        METHODS[key].check_options(options)
    with pytest.raises(OptionError, match=match):
        compare(EMOTIONS, ["random", key], 3, options={key: options})


def test_options_arrive():
    labels = EMOTIONS.labels
    by = {measure: split(labels, 5, measure=measure, random_state=0).tolist() for measure in ("rld", "dcp")}
    assert by["rld"] == split(labels, 5, random_state=0).tolist()
    assert by["rld"] != by["dcp"]
    with pytest.raises(OptionError, match="Unknown measure 'rdl'"):
        split(labels, 5, measure="rdl")
    with pytest.raises(FoldAssignmentError, match="expected 593"):
        split(labels, 5, initial=[0, 1])


@pytest.mark.parametrize("random_state", [-1, 1.5, "1", True, [1]])
def test_bad_random_state(random_state):
    with pytest.raises(OptionError, match="random_state must be a whole number from 0"):
        split(np.eye(4), 2, random_state=random_state)


def test_random_states():
    generator = np.random.default_rng(3)
    assert as_generator(generator) is generator
    assert as_generator(np.int64(3)).integers(2**32) == np.random.default_rng(3).integers(2**32)
    state = np.random.RandomState(3)
    first, second = as_generator(state).integers(2**32), as_generator(state).integers(2**32)
    assert first != second
    assert first == as_generator(np.random.RandomState(3)).integers(2**32)
    assert as_generator(None).integers(2**62) != as_generator(None).integers(2**62)


def test_preparing_compiles_once():
    for method in METHODS.values():
        method.prepare()
        method.prepare()


@pytest.mark.parametrize("key", ALL)
def test_the_time_is_that_of_the_method_alone(key):
    assert 0 <= run_of(key, 3, 0).cpu_s < 0.5  # importing scikit-learn alone takes longer


# Another package's method, in a process of its own.


@pytest.fixture
def children(monkeypatch, tmp_path):
    """The processes started, with their temporary folders all in one place."""
    started = []
    popen = subprocess.Popen

    def start(*arguments, **options):
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(peers_module.subprocess, "Popen", start)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return started


def assert_nothing_left(children, folder):
    for child in children:
        assert child.returncode is not None  # waited for: no zombie
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)
    assert list(folder.iterdir()) == []
    deadline = time.monotonic() + 5
    while any(thread.name == "optisplit-peer-progress" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def _puts_numpys_global_state_back(_leaves_numpys_global_state_alone):
    before = np.random.get_state()  # noqa: NPY002
    yield
    np.random.set_state(before)  # noqa: NPY002


@pytest.mark.parametrize("key", PEERS)
@pytest.mark.usefixtures("_puts_numpys_global_state_back")
def test_same_as_in_this_process(key):
    from iterstrat.ml_stratifiers import MultilabelStratifiedKFold
    from skmultilearn.model_selection import IterativeStratification

    seed = int(np.random.default_rng(1).integers(2**32))
    np.random.seed(seed)  # noqa: NPY002 - scikit-multilearn draws from there
    sparse, dense = sp.lil_matrix(EMOTIONS.labels), EMOTIONS.labels.toarray()
    stratifier, labels = {
        "skml-is": (IterativeStratification(n_splits=3, order=1), sparse),
        "skml-sois": (IterativeStratification(n_splits=3, order=2), sparse),
        "iterstrat": (MultilabelStratifiedKFold(n_splits=3, shuffle=True, random_state=seed), dense),
    }[key]
    wanted = np.full(EMOTIONS.n_rows, -1)
    for fold, (_, test) in enumerate(stratifier.split(np.zeros((EMOTIONS.n_rows, 1)), labels)):
        wanted[test] = fold
    np.testing.assert_array_equal(run_of(key, 3, 1).folds, wanted)


@pytest.mark.parametrize("key", PEERS)
@pytest.mark.usefixtures("_puts_numpys_global_state_back")
def test_a_peer_counts_the_rows_that_it_places(key):
    at_start, counters = [], []

    def watch(count):
        at_start.append(count())
        counters.append(count)

    labels = sp.vstack([EMOTIONS.labels, sp.csr_array((7, EMOTIONS.n_labels), dtype=np.int8)], format="csr")
    folds = METHODS[key].function(labels, 4, 0, watch)
    assert folds.dtype == np.int32
    assert set(folds.tolist()) == set(range(4))
    assert at_start == [0]
    assert counters[0]() == EMOTIONS.n_rows + 7


def test_two_at_once_are_the_same_as_alone():
    together = [None, None]

    def run(seed):
        together[seed] = split(EMOTIONS, 3, method="skml-is", random_state=seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in (0, 1):
        np.testing.assert_array_equal(together[seed], run_of("skml-is", 3, seed).folds)


@pytest.mark.parametrize("key", PEERS)
def test_progress_of_a_peer(children, tmp_path, key):
    calls = []
    labels = load("medical").labels
    METHODS[key].run(labels, 5, rng=np.random.default_rng(0), on_progress=lambda *call: calls.append(call))
    done, total, score = map(np.array, zip(*calls, strict=True))
    assert done[0] == 0
    assert (np.diff(done) >= 0).all()
    assert done[-1] <= labels.shape[0]
    assert (total == labels.shape[0]).all()
    assert np.isnan(score).all()
    assert [child.returncode for child in children] == [0]
    assert_nothing_left(children, tmp_path)


@pytest.mark.parametrize(("key", "at_call"), [("skml-is", 1), *((key, 5) for key in PEERS)])
def test_a_cancelled_peer_is_gone(children, tmp_path, key, at_call):
    stop = Mock(side_effect=[*[None] * (at_call - 1), Cancelled])
    start = time.monotonic()
    with pytest.raises(Cancelled):
        METHODS[key].run(load("delicious").labels, 5, rng=np.random.default_rng(0), on_progress=stop)
    assert time.monotonic() - start < 5
    assert [child.returncode for child in children] == [-9]
    assert_nothing_left(children, tmp_path)


def test_a_peer_ends_with_its_parent(tmp_path):
    # the process must not outlive a parent that was killed, which closes its standard input
    labels = load("delicious").labels
    np.save(tmp_path / "indptr.npy", labels.indptr)
    np.save(tmp_path / "indices.npy", labels.indices)
    module, home, folder = "optisplit.methods.peer_process", METHODS["skml-is"].home, str(tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-m", module, "skml-is", home, folder, folder, str(labels.shape[1]), "5", "0"],
        cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    child.stdin.close()
    assert child.wait(timeout=10) == 1
    assert child.stderr.read() == ""  # nor did it fail
    child.stdout.close()
    child.stderr.close()
    assert not (tmp_path / "folds.npy").exists()


def test_a_peer_that_fails_has_its_last_line_told(children, tmp_path):
    # iterative-stratification takes no single label
    reason = r"ValueError: Supported target type is: multilabel-indicator\. Got 'binary' instead\."
    with pytest.raises(PeerError, match=f"^iterstrat failed in its own process: {reason}$"):
        METHODS["iterstrat"].run(EMOTIONS.labels[:, [0]], 3, rng=np.random.default_rng(0))
    assert_nothing_left(children, tmp_path)


@pytest.mark.parametrize("key", PEERS)
def test_a_package_that_is_not_installed(monkeypatch, children, key):
    method = METHODS[key]
    monkeypatch.setitem(sys.modules, method.module.partition(".")[0], None)  # as if it were not there
    message = f"{key} needs the package {method.package}, which is not installed.\nHint: pip install 'optisplit[peers]'"
    assert method.obstacle == message
    with pytest.raises(PeerError, match=f"^{re.escape(message)}$"):
        split(EMOTIONS, 3, method=key)
    failed, done = compare(EMOTIONS, [key, "random"], 3, seeds=[0]).runs
    assert (failed.status, failed.reason, done.status) == ("failed", message, "done")
    assert estimate_times(EMOTIONS, [key]) == {key: np.inf}
    assert children == []


def test_dense_labels_that_are_too_large(monkeypatch, children):
    too_many = 4 * 2**30 // 1000 + 1
    labels = sp.csr_array((too_many, 1000), dtype=np.int8)
    match = (
        r"^iterstrat takes only dense labels: 4,294,968 rows × 1,000 labels would need about 22\.8 GB of memory, "
        r"and 15 GB are available; use a method that takes sparse labels\.$"
    )
    monkeypatch.setattr("optisplit.methods.memory.available_bytes", lambda: 15_000_000_000)
    with pytest.raises(MemoryLimitError, match=match):
        METHODS["iterstrat"].run(labels, 3, rng=np.random.default_rng(0))
    assert children == []


def test_a_process_that_says_nothing(monkeypatch, children, tmp_path):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(PeerError, match=r"failed in its own process: it was ended by the system \(exit code 1\)"):
        split(EMOTIONS, 3, method="skml-is")
    assert_nothing_left(children, tmp_path)


def test_a_process_that_cannot_start(monkeypatch, children, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    with pytest.raises(PeerError, match=r"skml-is could not be started in a process of its own: .*No such file"):
        split(EMOTIONS, 3, method="skml-is")
    assert_nothing_left(children, tmp_path)


def test_a_method_of_ones_own():
    def first_half(labels, n_splits, *, rng, on_progress):
        return (np.arange(labels.shape[0]) >= labels.shape[0] // 2).astype(np.int32)

    method = Method("half", "Half", "Cuts in the middle.", "none", "n", first_half)
    assert not method.is_peer
    done = method.run(as_labels(np.eye(4)), 2, rng=np.random.default_rng(0))
    assert done.folds.tolist() == [0, 0, 1, 1]
