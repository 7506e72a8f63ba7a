"""Time the measures and OptiSplit on data of every size, and print a table.

    python benchmarks/bench_core.py [FOLDER]

FOLDER may hold ``go_scale_*.npz``: labels of the size of the paper's Gene Ontology data. Each figure is the best of
three, after compilation; memory is the most that the process held, reading included, above what it had before the
data, in multiples of the labels' CSR arrays.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from pathlib import Path

SAMPLES = ("bibtex", "delicious", "go_human_cc", "wiki10_31k")


def measure(source: str, folder: str) -> dict[str, float | str]:
    import numpy as np

    import optisplit
    from optisplit.methods import get_method

    method = get_method("optisplit")
    method.prepare()
    optisplit.load("emotions")
    optisplit.evaluate([[1], [0]], [0, 1]).per_class  # noqa: B018 - compiles
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    data = optisplit.load(source if not folder else str(Path(folder) / source))
    folds = np.random.default_rng(0).integers(0, 5, data.n_rows)
    evaluate_s = min(_timed(lambda: _all_measures(data, folds)) for _ in range(3))
    times, scores = [], []
    for seed in range(3):
        start = time.perf_counter()
        found = method.run(data.labels, 5, rng=np.random.default_rng(seed)).folds
        times.append(time.perf_counter() - start)
        report = optisplit.evaluate(data, found, n_splits=5)
        scores.append(report.rld)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    csr = data.labels.data.nbytes + data.labels.indices.nbytes + data.labels.indptr.nbytes
    return {
        "data": Path(source).stem,
        "rows": data.n_rows,
        "labels": data.n_labels,
        "positives": data.n_positives,
        "evaluate_s": evaluate_s,
        "optisplit_s": min(times),
        "rld": sum(scores) / len(scores),
        "memory_x_csr": peak / csr,
    }


def _all_measures(data, folds) -> None:
    import optisplit

    report = optisplit.evaluate(data, folds, n_splits=5)
    _ = (report.rld, report.dcp, report.ld, report.ed, report.fz, report.flz, report.rld_bound, report.dcp_bound)


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    jobs = [(name, "") for name in SAMPLES]
    if len(sys.argv) > 1:
        jobs += [(path.name, str(path.parent)) for path in sorted(Path(sys.argv[1]).glob("go_scale_*.npz"))]
    titles = (
        ("rows", 8),
        ("labels", 7),
        ("positives", 11),
        ("evaluate", 9),
        ("OptiSplit", 10),
        ("rLD", 8),
        ("memory", 7),
    )
    print(f"{'data':14}", *(f"{title:>{width}}" for title, width in titles))
    for name, folder in jobs:
        with multiprocessing.get_context("spawn").Pool(1) as process:  # a process each, for honest memory
            row = process.apply(measure, (name, folder))
        print(
            f"{row['data']:14} {row['rows']:8,} {row['labels']:7,} {row['positives']:11,} {row['evaluate_s']:7.3f} s "
            f"{row['optisplit_s']:8.3f} s {row['rld']:8.4f} {row['memory_x_csr']:6.1f}x",
            flush=True,
        )


if __name__ == "__main__":
    main()
