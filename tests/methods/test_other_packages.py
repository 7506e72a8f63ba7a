"""Packages that only the benchmarks know: left out where they are missing, and run as peers where they are there."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from optisplit import METHODS, load
from optisplit.errors import PeerError
from optisplit.folds.arrays import fold_sizes

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
EMOTIONS = load("emotions")
FAKE = """
import subprocess, sys
BUSY = "import time\\nwhile time.process_time() < 0.5: pass"

def train_test_split(labels, share, v):
    if labels.shape[1] == 1:
        return None, None
    subprocess.run([sys.executable, "-c", BUSY])  # as a solver is
    n_test = round(share * labels.shape[0])
    return range(n_test, labels.shape[0]), range(n_test)
"""


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    before = dict(METHODS)
    yield importlib.import_module("bench_methods")
    METHODS.clear()
    METHODS.update(before)
    for name in ("bench_methods", "other_packages"):
        del sys.modules[name]


@pytest.fixture
def fake_package(monkeypatch, tmp_path):
    (tmp_path / "mstts.py").write_text(FAKE)
    monkeypatch.syspath_prepend(tmp_path)


def test_packages_that_are_not_installed_are_left_out_and_named(monkeypatch, capsys, bench):
    for package in bench.OTHERS:
        monkeypatch.setitem(sys.modules, package, None)  # as if it were not there
    assert bench.installed([*bench.OTHERS, "random", "is"]) == ["random", "is"]
    assert capsys.readouterr().out.splitlines() == [
        "Left out: nanoom needs the package nanoom, which is not installed.",
        "Hint: pip install 'nanoom>=0.1.0a0'",
        "Left out: mstts needs the package mstts, which is not installed.",
        "Hint: pip install 'mstts'",
        "Left out: maestros needs the package maestros, which is not installed.",
        "Hint: pip install 'maestros'",
    ]


@pytest.mark.usefixtures("bench", "fake_package")
def test_folds_of_what_makes_only_train_and_test_and_the_time_of_its_solver():
    run = METHODS["mstts"].run(EMOTIONS.labels, 3, rng=np.random.default_rng(0))
    assert fold_sizes(run.folds, 3).tolist() == [197, 198, 198]
    assert run.cpu_s > 0.9
    with pytest.raises(PeerError, match=r"^mstts failed in its own process: ValueError: no split was found$"):
        METHODS["mstts"].run(EMOTIONS.labels[:, [0]], 3, rng=np.random.default_rng(0))
