"""Compare every method on every data set, side by side in one run, and print the table that the README shows.

    python benchmarks/bench_methods.py [DATA ...]

DATA are samples' names or files; default: all samples that come along. Five folds, mean of three seeds, one run at a
time; a method that takes over two minutes on a data set is left out there. The score is rLD, the bound the best
possible one for folds of equal size, the excess that of the score over that bound, and the time processor seconds.
"""

from __future__ import annotations

import sys

import optisplit
from optisplit.bounds import rld_bound_per_class
from optisplit.experiment import excess_percent
from optisplit.labels import positives_per_label
from optisplit.methods.random import equal_sizes

N_SPLITS, N_SEEDS, LIMIT_S = 5, 3, 120


def equal_bound(data: optisplit.MultilabelDataset) -> float:
    positives = positives_per_label(data.labels)
    is_scored = (positives > 0) & (positives < data.n_rows)
    return float(rld_bound_per_class(positives, equal_sizes(data.n_rows, N_SPLITS))[is_scored].mean())


def main() -> None:
    methods = list(optisplit.METHODS)
    print("| data | bound |", *(f" {optisplit.METHODS[key].name} |" for key in methods), sep="")
    print("|---|---|", *("---|" for _ in methods), sep="")
    for source in sys.argv[1:] or list(optisplit.SAMPLES):
        data = optisplit.load(source)
        bound = equal_bound(data)
        result = optisplit.compare(data, methods, N_SPLITS, seeds=range(N_SEEDS), time_limit_s=LIMIT_S, n_jobs=1)
        cells = []
        for key in methods:
            if len(result.runs_of(key)) < N_SEEDS:
                cells.append(f"over {LIMIT_S} s")
                continue
            score, time_s, ed = (result.summary.loc[key, (figure, "mean")] for figure in ("rld", "time_s", "ed"))
            cells.append(f"{score:.4f} (+{excess_percent(score, bound):.1f} %), ED {ed:.1f}, {time_s:.2f} s")
        print(f"| {data.name} {data.n_rows:,} × {data.n_labels:,} | {bound:.4f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
