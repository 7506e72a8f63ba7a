"""Memory: how much there is, how much work takes, and refusing in time."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest

import optisplit
from optisplit.errors import Cancelled, MemoryLimitError, OptionError
from optisplit.io import free_memory
from optisplit.io.free_memory import available_bytes
from optisplit.methods import METHODS, memory
from optisplit.methods.memory import (
    Need,
    checking_bytes,
    estimate_bytes,
    need_of_run,
    reading_bytes,
)
from optisplit.methods.shapes import Shape

EMOTIONS = optisplit.load("emotions")


def shape(n_rows, n_labels, n_positives, n_pairs_in_rows=0, n_pairs=0):
    return Shape(n_rows, n_labels, n_positives, 0, n_pairs_in_rows, n_pairs)


@pytest.fixture
def system(monkeypatch, tmp_path):
    """A made-up system; gives a function that writes its files."""
    monkeypatch.setattr(free_memory, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(free_memory, "_CGROUPS", tmp_path / "cgroup")
    monkeypatch.delenv(free_memory.SETTING, raising=False)

    def write(name: str, content: object) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n")

    return write


def test_a_system_that_tells_nothing_refuses_nothing(system):
    assert available_bytes() == 2**60
    Need("This", 2**50, "stop").check()


def test_what_the_system_says_is_available(system):
    system("proc/meminfo", "MemTotal:  9000 kB\nMemFree: 10 kB\nMemAvailable:   5000 kB")
    assert available_bytes() == 5000 * 1024


def test_control_groups_of_version_2_and_those_above(system):
    system("proc/meminfo", "MemAvailable: 9000000 kB")
    system("proc/self/cgroup", "0::/app/worker")
    for group, limit, usage, cached in (("app/worker", "max", 500, 0), ("app", 2000, 900, 300)):
        system(f"cgroup/{group}/memory.max", limit)
        system(f"cgroup/{group}/memory.current", usage)
        system(f"cgroup/{group}/memory.stat", f"anon 1\ninactive_file {cached}")
    assert available_bytes() == 2000 - (900 - 300)
    system("cgroup/app/worker/memory.max", 600)
    assert available_bytes() == 100


def test_control_groups_of_version_1_and_a_container_that_only_sees_its_root(system):
    system("proc/meminfo", "MemAvailable: 9000000 kB")
    system("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/")
    system("cgroup/memory/memory.limit_in_bytes", 5000)
    system("cgroup/memory/memory.usage_in_bytes", 4500)
    system("cgroup/memory/memory.stat", "total_inactive_file 1000")
    assert available_bytes() == 1500
    system("cgroup/memory/memory.limit_in_bytes", 2**63 - 4096)  # as good as none
    assert available_bytes() == 9000000 * 1024


def test_what_the_operator_allows_counts_what_is_used_already(monkeypatch, system):
    system("proc/meminfo", "MemAvailable: 9000000 kB")
    system("proc/self/statm", f"99 {20_480_000 // os.sysconf('SC_PAGE_SIZE')} 1")
    monkeypatch.setenv(free_memory.SETTING, "50")
    assert available_bytes() == 50_000_000 - 20_480_000
    monkeypatch.setenv(free_memory.SETTING, "10")
    assert available_bytes() == 0


@pytest.mark.parametrize("text", ["lots", "0", "-3", "nan", "inf"])
def test_a_setting_that_is_no_amount_is_refused(monkeypatch, text):
    monkeypatch.setenv(free_memory.SETTING, text)
    match = rf"^OPTISPLIT_MEMORY_MB='{text}' must be a positive number of megabytes; correct it, or leave it out\.$"
    with pytest.raises(OptionError, match=match):
        available_bytes()


# What was measured, as peaks of processes: method, rows, labels, positives, pairs in rows, different pairs; megabytes


@pytest.mark.parametrize(
    ("method", "size", "pairs", "measured_mb"),
    [
        ("random", (1_000_000, 1000, 4_968_004), (), 38),
        ("is", (1_000_000, 1000, 4_968_004), (), 40),
        ("is", (100_000, 20_000, 995_265), (), 7.9),
        ("ss", (1_000_000, 1000, 4_968_004), (), 46),
        ("pmbsrs", (1_000_000, 1000, 4_968_004), (), 37),
        ("optisplit", (1_000_000, 1000, 4_968_004), (), 89),
        ("optisplit", (100_000, 20_000, 995_265), (), 19.8),
        ("optisplit-sa", (1_000_000, 1000, 4_968_004), (), 61),
        ("optisplit-sa", (100_000, 20_000, 995_265), (), 13.9),
        ("sois", (100_000, 20_000, 995_265), (4_457_502, 3_405_893), 221),
        ("sois", (18_903, 15_975, 1_461_602), (123_717_784, 283_360), 1886),
        ("skml-is", (300_000, 1000, 2_373_215), (), 621),
        ("skml-sois", (16_105, 983, 306_317), (2_967_044, 256_334), 565),
        ("skml-sois", (100_000, 300, 396_363), (589_126, 44_850), 357),
        ("iterstrat", (16_105, 983, 306_317), (), 257),
        ("iterstrat", (50_000, 4000, 199_493), (), 994),
    ],
)  # fmt: skip
def test_estimates_are_above_what_was_measured_and_below_twice(method, size, pairs, measured_mb):
    estimated = estimate_bytes(METHODS[method], shape(*size, *pairs), 5) / 1e6
    assert measured_mb < estimated < 2 * measured_mb + 10


def test_pairs_that_are_balanced_take_memory_too():
    size = shape(20_762, 30_938, 389_577, 3_924_691, 2_615_882)
    alone = estimate_bytes(METHODS["optisplit-sa"], size, 5)
    balanced = estimate_bytes(METHODS["optisplit-sa"], size, 5, {"balance_pairs": True})
    assert alone < 30e6 < 101e6 < balanced < 202e6


def test_every_method_has_an_estimate_that_grows_with_the_data():
    for method in METHODS.values():
        small, large = (estimate_bytes(method, shape(1000 * times, 100, 5000 * times), 5) for times in (1, 1000))
        assert 0 < small < large


def test_checks_and_reading():
    assert 94e6 < checking_bytes(1_000_000, 1000, 4_968_004, 5) < 188e6
    assert 117e6 < checking_bytes(20_762, 30_938, 389_577, 5, n_pairs_in_rows=3_924_691) < 260e6
    assert reading_bytes(37_289_758) > 158e6


# Refusing


@pytest.fixture
def free(monkeypatch):
    """Set how much memory there is."""

    def set_free(n_bytes: int) -> None:
        monkeypatch.setattr(memory, "available_bytes", lambda: n_bytes)

    return set_free


def test_the_refusal_has_both_figures_and_the_way_out(free):
    free(1_500_000_000)
    Need("This", 1_500_000_000, "stop").check()
    match = r"^This would need about 2 GB of memory, and 1\.5 GB are available; take less\.$"
    with pytest.raises(MemoryLimitError, match=match):
        Need("This", 2_000_000_000, "take less").check()
    assert Need("This", 10, "stop").shortage(free=9).startswith("This would need about 10 bytes")


def test_need_of_a_run_names_the_method_and_the_size():
    size = shape(2000, 30, 9000)
    assert need_of_run(METHODS["is"], size, 5).what == "is on 2,000 rows × 30 labels"
    assert "dense" in need_of_run(METHODS["iterstrat"], size, 5).what


def test_what_fits_alone_waits_for_the_others(free):
    free(100)
    order = []

    def second():
        with Need("Second", 60, "stop").reserved():
            order.append("second")

    with Need("First", 60, "stop").reserved(), Need("Small", 40, "stop").reserved():
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.05)
        free(50)  # as the first one uses what it was promised
        order.append("first")
    free(100)
    thread.join(10)
    assert order == ["first", "second"]


def test_what_would_never_fit_does_not_wait(free):
    free(100)
    with Need("First", 60, "stop").reserved(), pytest.raises(MemoryLimitError, match=r"^Second would need"):
        Need("Second", 101, "stop").reserved().__enter__()


def test_waiting_can_be_given_up_and_leaves_nothing_held(free):
    free(100)

    def stop():
        raise Cancelled

    with Need("First", 60, "stop").reserved(), pytest.raises(Cancelled):
        Need("Second", 60, "stop").reserved(on_wait=stop).__enter__()
    with Need("Third", 100, "stop").reserved():
        pass


def test_a_comparison_reports_methods_that_would_not_fit_and_does_the_others(free):
    free(estimate_bytes(METHODS["iterstrat"], Shape.of(EMOTIONS.labels), 3) - 1)
    result = optisplit.compare(EMOTIONS, ["random", "iterstrat"], 3, seeds=range(2))
    assert [run.status for run in result.runs_of("random")] == ["done", "done"]
    for run in result.runs_of("iterstrat"):
        assert run.status == "failed"
        assert run.reason.startswith(
            "iterstrat takes only dense labels: 593 rows × 6 labels would need about 246 MB of"
        )
    with pytest.raises(MemoryLimitError, match=r"^iterstrat takes only dense labels"):
        optisplit.split(EMOTIONS, 3, method="iterstrat")
    assert optisplit.estimate_times(EMOTIONS, ["iterstrat"])["iterstrat"] == np.inf


def test_what_is_used():
    assert free_memory.used_bytes() > 10_000_000
