"""What the article claims beside its tables, measured: times, joined folds, other starts, slips of the code."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.folds.arrays import fold_sizes
from optisplit.io.samples import load
from optisplit.labels import as_labels, positives_per_label
from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.report import evaluate
from optisplit.methods.api import split
from optisplit.methods.optisplit import optisplit, optisplit_with_first_label_turned
from optisplit.studies.paper.catalogue import N_SPLITS
from optisplit.studies.paper.stand_ins import STAND_INS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix, MultilabelDataset

Facts = dict[str, Any]
"""What an experiment found: names and numbers, as a JSON document holds them."""

STARTS = ("random", "pmbsrs", "is", "sois", "ss")
"""Methods whose splits OptiSplit is started from."""

SAMPLES = ("bibtex", "delicious", "wiki10_31k")
DENSITY = 0.02


def run_method(method: str, data: MultilabelDataset, seed: int, **options: Any) -> FoldArray:
    """Split with one seed, as the paper does: five folds."""
    return split(data, N_SPLITS, method=method, random_state=seed, **options)


def growth_of_time(
    n_rows: Sequence[int] = (20_000, 40_000, 80_000, 160_000), n_labels: Sequence[int] = (200, 400, 800, 1600)
) -> Facts:
    """Measure how the processor time of OptiSplit grows, with rows and with labels."""
    found: Facts = {"density": DENSITY, "rows": list(n_rows), "labels": list(n_labels)}
    by_rows = [_seconds(rows, n_labels[0]) for rows in n_rows]
    by_labels = [_seconds(n_rows[0], labels) for labels in n_labels]
    found |= {"seconds_by_rows": by_rows, "seconds_by_labels": by_labels}
    found["power_of_rows"] = power(n_rows, by_rows)
    found["power_of_labels"] = power(n_labels, by_labels)
    return found


def power(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Fit the power of the size with which time grows."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _seconds(n_rows: int, n_labels: int, n_times: int = 3) -> float:
    """Take the least processor time of a few runs on labels drawn at random."""
    rng = np.random.default_rng(n_rows + n_labels)
    n_positives = int(DENSITY * n_rows * n_labels)
    drawn = (rng.integers(0, n_rows, n_positives), rng.integers(0, n_labels, n_positives))
    matrix = sp.coo_array((np.ones(n_positives, np.int32), drawn), shape=(n_rows, n_labels)).tocsr()
    matrix.data[:] = 1
    labels = as_labels(matrix)
    times = []
    for seed in range(n_times):
        start = time.thread_time()
        optisplit(labels, N_SPLITS, rng=np.random.default_rng(seed))
        times.append(time.thread_time() - start)
    return min(times)


def joined_folds(sample: str, seeds: Sequence[int]) -> Facts:
    """Make a train and a test part by joining all folds but one, and beside them parts of that size made at once."""
    data = load(sample)
    joined, shares, direct, bounds = [], [], [], []
    for seed in seeds:
        folds = run_method("optisplit", data, seed)
        parts = np.where(folds == N_SPLITS - 1, 1, 0).astype(np.int32)
        joined.append(evaluate(data, parts, n_splits=2).rld)
        shares.append(float(parts.mean()))
        report = evaluate(data, split(data, fold_sizes=[0.8, 0.2], rare="score", random_state=seed))
        direct.append(report.rld)
        bounds.append(report.rld_bound)
    return {
        "joined_rld": float(np.mean(joined)), "direct_rld": float(np.mean(direct)), "bound": float(np.mean(bounds)),
        "test_share_min": min(shares), "test_share_max": max(shares), "n_seeds": len(seeds),
    }  # fmt: skip


def other_starts(sample: str, seeds: Sequence[int], starts: Sequence[str] = STARTS) -> Facts:
    """Start OptiSplit from other methods' splits: rLD before, and after."""
    data = load(sample)
    found: Facts = {"n_seeds": len(seeds)}
    for start in starts:
        before, after = [], []
        for seed in seeds:
            folds = run_method(start, data, seed)
            before.append(evaluate(data, folds))
            after.append(evaluate(data, run_method("optisplit", data, seed, initial=folds)))
        found[start] = {
            "before": float(np.mean([report.rld for report in before])),
            "after": float(np.mean([report.rld for report in after])),
            "ed_before": float(np.mean([report.ed for report in before])),
            "ed_after": float(np.mean([report.ed for report in after])),
        }
    return found


def first_label_turned(labels: LabelMatrix, seeds: Sequence[int]) -> Facts:
    """Set the published code's slip with labels on more than half of the rows beside what the text describes."""
    meant, slipped = [], []
    for seed in seeds:
        meant.append(evaluate(labels, optisplit(labels, N_SPLITS, rng=np.random.default_rng(seed))).rld)
        folds = optisplit_with_first_label_turned(labels, N_SPLITS, rng=np.random.default_rng(seed))
        slipped.append(evaluate(labels, folds).rld)
    n_larger = int((2 * positives_per_label(labels) > labels.shape[0]).sum())
    return {
        "n_larger": n_larger, "n_labels": labels.shape[1], "meant_rld": float(np.mean(meant)),
        "slipped_rld": float(np.mean(slipped)), "n_seeds": len(seeds),
    }  # fmt: skip


def order_of_equals(sample: str, seeds: Sequence[int]) -> Facts:
    """Move rows with equally many labels in the order in which numpy's sort leaves them, as the published code does."""
    data = load(sample)
    reports = [evaluate(data, run_method("optisplit", data, seed, ties="numpy")) for seed in seeds]
    return {
        "n_seeds": len(seeds), "ed": float(np.mean([report.ed for report in reports])),
        "rld": float(np.mean([report.rld for report in reports])),
    }  # fmt: skip


def shares_of_rare(sample: str, size: int, methods: Sequence[str], seed: int = 0) -> Facts:
    """Tell how the positives of all labels on `size` rows together fall to the folds, the largest share first."""
    data = load(sample)
    rare = np.flatnonzero(positives_per_label(data.labels) == size)
    found: Facts = {"size": size, "n_labels": int(rare.size), "seed": seed}
    for method in methods:
        folds = run_method(method, data, seed)
        counts = count_positives_per_fold(data.labels, folds, N_SPLITS)[:, rare].sum(axis=1)
        order = np.argsort(-counts, kind="stable")
        rows = fold_sizes(folds, N_SPLITS)
        found[method] = {
            "positives": (counts[order] / counts.sum()).tolist(), "rows": (rows[order] / data.n_rows).tolist()
        }  # fmt: skip
    return found


def run_all(tell: Callable[[str], None], n_seeds: int = 3) -> Facts:
    """Make all experiments."""
    seeds = range(n_seeds)
    found: Facts = {}
    tell("growth of time")
    found["growth"] = growth_of_time()
    for name, run in (("joined", joined_folds), ("starts", other_starts), ("equals", order_of_equals)):
        found[name] = {}
        for sample in SAMPLES:
            tell(f"{name}, {sample}")
            found[name][sample] = run(sample, seeds)
    found["turned"] = {}
    for key in ("yeast", "mediamill", "cc"):
        tell(f"turned, {key}")
        data = STAND_INS[key].make() if key in STAND_INS else load(key)
        found["turned"][key] = first_label_turned(data.labels, seeds)
    found["rare"] = {}
    for sample, size in (("wiki10_31k", 2), ("go_human_bp", 1)):
        tell(f"rare, {sample}")
        found["rare"][sample] = shares_of_rare(sample, size, ("random", "optisplit", "ss", "is", "optisplit-sa"))
    return found
