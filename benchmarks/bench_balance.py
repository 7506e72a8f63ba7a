"""Balance instances beside images of each class, and time encoding and balancing of columns; print tables.

    python benchmarks/bench_balance.py [--effort quick|normal|thorough]

The images are made up like those of COCO: 5,000 images, 80 classes of which the k-th is 1 / k as frequent as the first,
and many instances of a class in an image where there are any. A class is off in a part where its images, or its
instances, are further from what is due to the part than rounding and 1 % of what is due.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd
import scipy.sparse as sp

import optisplit
from optisplit import MultilabelDataset

N_IMAGES, N_CLASSES = 5_000, 80
DIVISIONS = {"80/10/10": [0.8, 0.1, 0.1], "5 folds": [0.2] * 5}
TOLERANCE = 0.01


def images(seed: int = 0) -> MultilabelDataset:
    """Make up detection data."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, N_CLASSES + 1)
    n_classes = 1 + rng.poisson(1.9, N_IMAGES)
    rows = np.repeat(np.arange(N_IMAGES), n_classes)
    classes = rng.choice(N_CLASSES, rows.size, p=shares / shares.sum())
    instances = rng.geometric(0.4, rows.size)
    counts = sp.csr_array((instances.astype(np.int32), (rows, classes)), shape=(N_IMAGES, N_CLASSES))
    counts.sum_duplicates()
    presence = sp.csr_array((np.ones(counts.nnz, np.int8), counts.indices, counts.indptr), shape=counts.shape)
    names = [f"class {number}" for number in range(N_CLASSES)]
    data = MultilabelDataset.from_labels(presence, names, name="images")
    return MultilabelDataset(data.labels, data.label_names, name="images", counts=counts)


def off(counts: np.ndarray, shares: np.ndarray) -> tuple[int, float]:
    """Count pairs of a class and a part that are off, and give the largest deviation beyond rounding, in % of due."""
    due = counts.sum(axis=0) * shares[:, None]
    beyond = np.maximum(0, np.maximum(np.floor(due) - counts, counts - np.ceil(due)))
    return int((beyond > TOLERANCE * due).sum()), 100 * float((beyond / np.maximum(due, 1)).max())


def balance_instances(effort: str, seeds: range) -> None:
    """Compare splits with and without instances."""
    data = images()
    print(f"{data!r}, {int(data.counts.sum()):,} instances; effort {effort}, seeds {seeds.start} to {seeds.stop - 1}")
    print("| division | balanced | images off | largest | instances off | largest | rLD | bound | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, sizes in DIVISIONS.items():
        for balance in (None, "instances"):
            found = []
            for seed in seeds:
                start = time.process_time()
                folds = optisplit.split(data, fold_sizes=sizes, balance=balance, effort=effort, random_state=seed)
                seconds = time.process_time() - start
                report = optisplit.evaluate(data, folds, shares=sizes, balance="instances")
                shares = report.fold_sizes / report.n_rows
                found.append([*off(report.counts, shares), *off(report.balanced.counts, shares), report.rld,
                              report.rld_bound, seconds])  # fmt: skip
            mean = np.mean(found, axis=0)
            cells = " | ".join(f"{value:.4g}" for value in mean)
            print(f"| {name} | images{'' if balance is None else ' and instances'} | {cells} |", flush=True)


def encode(n_rows: int = 1_000_000) -> None:
    """Time the encoding of five columns."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "sex": rng.choice(["f", "m"], n_rows),
        "site": rng.choice([f"site {number}" for number in range(30)], n_rows),
        "age": np.where(rng.random(n_rows) < 0.1, np.nan, rng.integers(0, 90, n_rows)),
        "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1_500, n_rows), "D"),
        "lesions": rng.poisson(1, n_rows),
    })  # fmt: skip
    start = time.perf_counter()
    targets = optisplit.encode_targets(
        frame, categories=["sex", "site"], numbers={"age": 4}, dates={"when": "month"}, counts=["lesions"]
    )
    print(f"\nencode_targets, {n_rows:,} rows x 5 columns -> {targets.n_labels}: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    optisplit.split([[1, 0], [0, 1]] * 4, 2)  # compiles
    balance_instances(options.effort, range(options.seeds))
    encode()
