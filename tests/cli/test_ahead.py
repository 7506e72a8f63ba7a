"""The app has its kernels compiled when it starts, in processes of their own, and nothing twice at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from optisplit.cli import ahead as use
from optisplit.kernels import ahead, counting

KERNELS = """
import importlib, pkgutil, optisplit, optisplit.kernels
names = [each.name for each in pkgutil.iter_modules(optisplit.kernels.__path__)]
modules = [importlib.import_module("optisplit.kernels." + name) for name in names]
def compiled():
    kernels = [kernel for module in modules for kernel in vars(module).values() if hasattr(kernel, "py_func")]
    return {(kernel.__name__, str(signature)) for kernel in kernels for signature in kernel.signatures}
"""

ALL_ARE_THERE = """
from optisplit.cli import ahead
ahead._measure()
for method in (ahead.SLOWEST, *ahead._others()):
    ahead._divide(method)
    ahead._divide_otherwise(method)
ready = compiled()
emotions = optisplit.load("emotions")
optisplit.compare(emotions, seeds=range(1))
optisplit.evaluate(emotions, optisplit.split(emotions, fold_sizes=(0.8, 0.1, 0.1)))
for measure in ("rld", "dcp", "ld"):
    for method in ("optisplit", "optisplit-sa"):
        optisplit.split(emotions, 5, method=method, measure=measure)
print(sorted(compiled() - ready))
"""

COUNT = """
import optisplit
from optisplit.kernels.counting import count_positives
optisplit.evaluate([[1, 0], [1, 0], [0, 1], [0, 1]], [0, 1, 0, 1])
print(sum(count_positives.stats.cache_hits.values()))
"""


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_is_pressed_first_finds_all_that_it_needs():
    assert python(KERNELS + ALL_ARE_THERE) == "[]"


def test_a_kernel_that_another_process_compiles_is_waited_for(tmp_path):
    """The other process begins later than this one wants the kernel, and still is the only one that compiles it."""
    waiting = "import subprocess, sys, threading, time\nfrom optisplit.kernels import ahead\ntold = []\ndef other():\n"
    waiting += f"    time.sleep(1)\n    command = [sys.executable, '-c', {COUNT!r}]\n"
    waiting += "    told.append(int(subprocess.run(command, capture_output=True).stdout))\n"
    waiting += "ahead._started.append(threading.Thread(target=other))\nahead._started[0].start()\n"
    told = "\nahead.wait()\nprint(told)"
    assert python(waiting + COUNT + told, NUMBA_CACHE_DIR=str(tmp_path)).splitlines() == ["1", "[0]"]


@pytest.fixture
def nothing_started(monkeypatch, tmp_path):
    monkeypatch.setattr(ahead, "_started", [])
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_processes_are_started_once_and_what_they_did_is_remembered(nothing_started, monkeypatch, tmp_path):
    (tmp_path / "told.py").write_text("def main(given):\n    open(given[0], 'a').write(given[1])\n")
    monkeypatch.syspath_prepend(tmp_path)
    groups = [[str(tmp_path / "a"), "x"], [str(tmp_path / "b"), "y"]]
    for _ in range(2):
        ahead.start("told", groups)
        ahead.wait()
    assert not ahead.is_going_on()
    assert [(tmp_path / name).read_text() for name in "ab"] == ["x", "y"]
    monkeypatch.setattr(ahead, "_started", [])  # as in a process that comes later
    ahead.start("told", groups)
    ahead.wait()
    assert (tmp_path / "a").read_text() == "x"


def test_a_process_that_fails_is_no_fault_and_is_tried_again(nothing_started, monkeypatch, tmp_path):
    (tmp_path / "told.py").write_text("def main(given):\n    raise OSError\n")
    monkeypatch.syspath_prepend(tmp_path)
    ahead.start("told", [["x"]])
    ahead.wait()
    assert [path.name for path in tmp_path.glob("compiled-*")] == []


@pytest.mark.parametrize("place", [None, __file__])
def test_where_nothing_can_be_kept_the_process_ends_at_once(monkeypatch, place):
    """No place, or one that cannot be written to."""
    monkeypatch.setattr(counting, "count_positives", SimpleNamespace(stats=SimpleNamespace(cache_path=place)))
    with pytest.raises((SystemExit, OSError)):
        use._check_place()


def test_the_app_begins_with_it(monkeypatch):
    seen = []
    monkeypatch.setattr(ahead, "start", lambda module, groups: seen.append((module, groups)))
    monkeypatch.setattr("runpy.run_module", lambda *args, **more: seen.append(threading.current_thread()))
    from optisplit import cli

    monkeypatch.setattr(sys, "argv", ["optisplit"])
    assert cli.main(["app", "--no-browser"]) == 0
    assert seen == [("optisplit.cli.ahead", [["slowest"], ["others"]]), threading.main_thread()]
