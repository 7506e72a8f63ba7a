"""Compare every method on every data set, side by side in one run, and write the table that the guide shows.

    python benchmarks/bench_methods.py [--packages] [--limit SECONDS] [--write docs/benchmarks.md] [DATA ...]

DATA are samples' names or files; default: all samples that come along. Five folds, mean of three seeds, one run at a
time; a method that takes over the limit on a data set is left out there. The score is rLD, the bound the best
possible one for folds of equal size, the excess that of the score over that bound, and the time processor seconds.
At the end it says where any method was better than OptiSplit-SA in rLD, DCP or ED. With ``--write`` the table
replaces the one in that file. With ``--packages`` it compares OptiSplit-SA with packages that the app does not offer
(`other_packages.py` says what to install), in a table of their own; one that is not installed is left out, and named.
"""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from other_packages import OTHERS

import optisplit
from optisplit.folds.constraints import check_constraints
from optisplit.labels import positives_per_label
from optisplit.measures.bounds import rld_bound_per_class

N_SPLITS, N_SEEDS = 5, 3
OURS = "optisplit-sa"
LIMITS_S = {"skml-sois": 30}  # quadratic in the pairs of labels that occur: seconds for some thousand, then hours


def equal_bound(data: optisplit.MultilabelDataset) -> float:
    positives = positives_per_label(data.labels)
    is_scored = (positives > 0) & (positives < data.n_rows)
    return float(rld_bound_per_class(positives, check_constraints(data.n_rows, N_SPLITS).sizes)[is_scored].mean())


def cell(result: optisplit.ComparisonResult, key: str, bound: float, limit_s: float) -> str:
    if len(result.runs_of(key)) < N_SEEDS:
        reasons = {run.reason for run in result.runs if run.method == key and run.reason}
        return f"over {limit_s:g} s" if any("time limit" in reason for reason in reasons) else "cannot"
    score, time_s = (float(result.summary.loc[key, (figure, "mean")]) for figure in ("rld", "time_s"))
    excess = 100 * (score / bound - 1) if bound else math.inf  # below 0 where folds are of other sizes
    return f"{score:.4f} ({excess:+,.{0 if abs(excess) >= 10 else 1}f} %) {time_s:,.2f} s"


def losses(data: optisplit.MultilabelDataset, result: optisplit.ComparisonResult) -> list[str]:
    """Say where another method's mean is lower than ours."""
    found = []
    for key in result.methods:
        if key == OURS or len(result.runs_of(key)) < N_SEEDS:
            continue
        for measure in ("rld", "dcp", "ed"):
            theirs, ours = (float(result.summary.loc[each, (measure, "mean")]) for each in (key, OURS))
            if theirs < ours - 1e-12:
                found.append(f"{data.name}: {key} has {measure} {theirs:.6g}, {OURS} {ours:.6g}")
    return found


def installed(methods: list[str]) -> list[str]:
    """Pick the methods that can be run here, and say why the others cannot."""
    for key in methods:
        if optisplit.METHODS[key].obstacle:
            print(f"Left out: {optisplit.METHODS[key].obstacle}")
    return [key for key in methods if not optisplit.METHODS[key].obstacle]


def replace_table(file: Path, mark: str, lines: list[str]) -> None:
    """Put a table in the place of the one that stands between two marks in a file."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    table, text = "\n".join([begin, *lines, end]), file.read_text(encoding="utf-8")
    file.write_text(re.sub(f"{begin}.*?{end}", lambda _: table, text, flags=re.DOTALL), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="*")
    parser.add_argument("--limit", type=float, default=120, help="most seconds for a run")
    parser.add_argument("--packages", action="store_true", help="packages that the app does not offer")
    parser.add_argument("--write", type=Path, help="file whose table is replaced")
    given = parser.parse_args()

    offered = [key for key in optisplit.METHODS if key not in OTHERS]
    methods = installed([*OTHERS, OURS] if given.packages else offered)
    lines = [
        f"| data | bound | {' | '.join(optisplit.METHODS[key].name for key in methods)} |",
        f"|---|---|{'---|' * len(methods)}",
    ]
    print(*lines, sep="\n", flush=True)
    worse = []
    for source in given.data or list(optisplit.SAMPLES):
        data = optisplit.load(source)
        bound = equal_bound(data)
        limits = {key: min(given.limit, LIMITS_S.get(key, given.limit)) for key in methods}
        result = optisplit.compare(data, methods, N_SPLITS, seeds=range(N_SEEDS), time_limit_s=limits, n_jobs=1)
        cells = " | ".join(cell(result, key, bound, limits[key]) for key in methods)
        lines.append(f"| {data.name} {data.n_rows:,} × {data.n_labels:,} | {bound:.4f} | {cells} |")
        print(lines[-1], flush=True)
        worse += losses(data, result)
    print("\nBetter than OptiSplit-SA in rLD, DCP or ED:", *(worse or ["nothing, on any of these data"]), sep="\n- ")
    if given.write:
        replace_table(given.write, "packages" if given.packages else "benchmark", lines)


if __name__ == "__main__":
    main()
