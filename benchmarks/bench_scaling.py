"""Measure how OptiSplit-SA's cost and memory grow with the data, and draw it.

    python benchmarks/bench_scaling.py [--plot FILE] [POSITIVES ...]

POSITIVES are numbers of positives; default: 1e5, 1e6, 1e7 and 1e8. Each data set has 20 labels a row on average, of
10,000 labels whose sizes follow a power law, as tags and protein functions do. Prints the seconds of one sweep, the
nanoseconds a positive, and the peak of memory in multiples of the labels' own arrays, which are counted too. Five
folds. Each size runs in a process of its own, so that one's memory is not another's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import optisplit
from optisplit.folds.constraints import check_constraints
from optisplit.methods.annealing.search import Search
from optisplit.methods.annealing.units import Units

N_LABELS, PER_ROW, N_SPLITS, N_SWEEPS = 10_000, 20, 5, 10


def power_law_labels(n_positives: int, seed: int = 0) -> sp.csr_array:
    """Draw labels for ``n_positives / PER_ROW`` rows, a few million entries at a time."""
    rng = np.random.default_rng(seed)
    n_rows = n_positives // PER_ROW
    weights = 1.0 / np.arange(20, N_LABELS + 20)
    cumulated = np.cumsum(weights / weights.sum())
    parts, step = [], 200_000
    for start in range(0, n_rows, step):
        size = min(step, n_rows - start)
        drawn = np.searchsorted(cumulated, rng.random((size, PER_ROW))).astype(np.int32)
        drawn = np.minimum(np.sort(drawn, axis=1), N_LABELS - 1)
        keep = np.ones(drawn.shape, dtype=bool)
        keep[:, 1:] = drawn[:, 1:] != drawn[:, :-1]
        indptr = np.concatenate([[0], np.cumsum(keep.sum(axis=1))])
        indices = drawn[keep]
        parts.append(sp.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=(size, N_LABELS)))
    return optisplit.as_labels(sp.vstack(parts, format="csr"))


def measure(n_positives: int) -> dict[str, float]:
    labels = power_law_labels(n_positives)
    size = labels.indptr.nbytes + labels.indices.nbytes + labels.data.nbytes
    optisplit.split(np.eye(10, dtype=np.int8), 2, effort="quick")  # compiles
    rng = np.random.default_rng(0)
    tracemalloc.start()
    units = Units.of(check_constraints(labels.shape[0], N_SPLITS), rng)
    everything = np.ones(N_LABELS)
    search = Search(
        labels, units, units.at_random(rng), importance=everything, is_label=everything > 0, measure="rld", rng=rng,
        n_sweeps=N_SWEEPS,
    )  # fmt: skip
    start = time.thread_time()
    search.anneal(1.0)
    sweep_s = (time.thread_time() - start) / N_SWEEPS
    search.come_to_rest()
    peak = tracemalloc.get_traced_memory()[1]
    return {
        "positives": labels.nnz, "rows": labels.shape[0], "sweep_s": sweep_s,
        "ns_per_positive": 1e9 * sweep_s / labels.nnz, "memory": (size + peak) / size,
    }  # fmt: skip


def draw(results: list[dict[str, float]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    positives = [each["positives"] for each in results]
    seconds = [each["sweep_s"] for each in results]
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog(positives, seconds, "o-", label="measured")
    steady = seconds[-1] / positives[-1]
    axes.loglog(positives, [steady * each for each in positives], "--", color="gray", label="proportional")
    axes.set_xlabel("positives in the data")
    axes.set_ylabel("seconds for one sweep over all rows")
    axes.set_title("OptiSplit-SA: cost of a sweep, 5 folds, one core")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positives", nargs="*", type=float)
    parser.add_argument("--plot", type=Path, help="file to draw to (PNG or SVG); needs matplotlib")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one)))
        return
    results = []
    for n_positives in given.positives or [1e5, 1e6, 1e7, 1e8]:
        command = [sys.executable, __file__, "--one", str(int(n_positives))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        results.append(json.loads(done.stdout.splitlines()[-1]))
        told = results[-1]
        print(
            f"{told['positives']:>12,} positives, {told['rows']:>10,} rows: {told['sweep_s']:.4f} s a sweep, "
            f"{told['ns_per_positive']:.1f} ns a positive, memory {told['memory']:.2f} x the labels",
            flush=True,
        )
    if given.plot:
        draw(results, given.plot)


if __name__ == "__main__":
    main()
