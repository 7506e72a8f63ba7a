"""Run the studies of impact on samples with features, and keep what they found beside the samples.

    python benchmarks/bench_impact.py folds [--seeds 10] [--holdouts 5] [--samples emotions ...] [--write]
    python benchmarks/bench_impact.py parts [--seeds 30] [--samples medical enron bibtex] [--write]

``--files birds=birds.arff.gz`` adds data of your own files, read as :func:`optisplit.load` reads them.

With ``--write``, ``sample_data/impact.csv`` (every run) and ``impact.json`` (the command, settings, versions, date) are
written, for parts ``impact_parts.csv`` and ``impact_parts.json``; the app shows them, labelled as made beforehand,
until a visitor has results of his own.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import shlex
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn

import optisplit
from optisplit.studies.impact import SAMPLES_WITH_FEATURES, measure_impact, measure_parts_impact
from optisplit.studies.impact.parts import DEFAULT_PART_METHODS, DEFAULT_PARTS, N_SEEDS
from optisplit.studies.impact.study import DEFAULT_METHODS

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=["folds", "parts"])
    parser.add_argument("--seeds", type=int, help=f"default: 10 for folds, {N_SEEDS} for parts")
    parser.add_argument("--holdouts", type=int, default=5, help="held-out sets, for folds")
    parser.add_argument("--sizes", type=float, nargs="+", default=list(DEFAULT_PARTS), help="shares of the parts")
    parser.add_argument("--methods", nargs="+", help="such as 'optisplit-sa, rare=cover'")
    parser.add_argument("--model", default="ridge")
    parser.add_argument("--samples", nargs="*", help="default: those of the study")
    parser.add_argument("--files", nargs="+", default=[], metavar="KEY=FILE", help="data with features besides")
    parser.add_argument("--add", action="store_true", help="keep what was written of other data")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    run = run_folds if given.study == "folds" else run_parts
    usual = SAMPLES_WITH_FEATURES if given.study == "folds" else ("medical", "enron", "bibtex")
    tables, facts, others = [], {}, {}
    files = dict(each.split("=", 1) for each in given.files)
    for name in [*(usual if given.samples is None else given.samples), *files]:
        start = time.perf_counter()
        data = optisplit.load(files[name]) if name in files else name
        if name in files:
            others[name] = {"n_rows": data.n_rows, "n_labels": data.n_labels}
        result, facts = run(data, given)
        print(f"{result!r}: {time.perf_counter() - start:.0f} s", flush=True)
        print(result.summary.round(4).to_string(), *result.verdicts, sep="\n", flush=True)
        table = result.table.copy()
        table.insert(0, "data", name)
        tables.append(table)
    if given.write:
        write(pd.concat(tables), facts, others, "impact" if given.study == "folds" else "impact_parts", given.add)


def run_folds(name: object, given: argparse.Namespace) -> tuple[object, dict[str, object]]:
    n_seeds = given.seeds or 10
    result = measure_impact(name, given.methods or DEFAULT_METHODS, seeds=range(n_seeds), n_holdouts=given.holdouts,
                            model=given.model)  # fmt: skip
    return result, {"n_splits": result.n_splits, "n_seeds": n_seeds, "n_holdouts": given.holdouts,
                    "holdout_size": result.holdout_size, "model": given.model}  # fmt: skip


def run_parts(name: object, given: argparse.Namespace) -> tuple[object, dict[str, object]]:
    n_seeds = given.seeds or N_SEEDS
    result = measure_parts_impact(name, given.methods or DEFAULT_PART_METHODS, fold_sizes=given.sizes,
                                  seeds=range(n_seeds), model=given.model)  # fmt: skip
    return result, {"fold_sizes": given.sizes, "n_seeds": n_seeds, "holdout_size": result.holdout_size,
                    "rare_below": result.rare_below, "model": given.model}  # fmt: skip


def write(
    table: pd.DataFrame, facts: dict[str, object], others: dict[str, dict[str, int]], stem: str, is_added: bool
) -> None:
    if is_added:
        before = pd.read_csv(FOLDER / f"{stem}.csv")
        table = pd.concat([before[~before["data"].isin(table["data"])], table])
        others = json.loads((FOLDER / f"{stem}.json").read_text(encoding="utf-8")).get("others", {}) | others
    made = facts | {
        "others": others,
        "command": "python benchmarks/bench_impact.py " + shlex.join(sys.argv[1:]),
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "versions": {
            "optisplit": optisplit.__version__,
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }
    table.to_csv(FOLDER / f"{stem}.csv", index=False, float_format="%.6g", lineterminator="\n")
    (FOLDER / f"{stem}.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
