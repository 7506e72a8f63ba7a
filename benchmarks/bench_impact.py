"""Run the study of impact on every sample with features, and keep what it found beside the samples.

    python benchmarks/bench_impact.py [--seeds 10] [--holdouts 5] [--samples emotions ...] [--write]

With ``--write``, ``sample_data/impact.csv`` (every run) and ``impact.json`` (settings, versions, date) are written; the
app shows them, labelled as made beforehand, until a visitor has results of his own.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import time
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn

import optisplit
from optisplit.studies.impact import SAMPLES_WITH_FEATURES, measure_impact
from optisplit.studies.impact.study import DEFAULT_METHODS

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--holdouts", type=int, default=5)
    parser.add_argument("--model", default="ridge")
    parser.add_argument("--samples", nargs="*", default=list(SAMPLES_WITH_FEATURES))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    tables = []
    for name in given.samples:
        start = time.perf_counter()
        result = measure_impact(name, DEFAULT_METHODS, seeds=range(given.seeds), n_holdouts=given.holdouts,
                                model=given.model)  # fmt: skip
        print(f"{result!r}: {time.perf_counter() - start:.0f} s", flush=True)
        print(result.summary.round(4).to_string(), *result.verdicts, sep="\n", flush=True)
        table = result.table.copy()
        table.insert(0, "data", name)
        tables.append(table)
    if given.write:
        made = {
            "n_splits": 5,
            "n_seeds": given.seeds,
            "n_holdouts": given.holdouts,
            "holdout_size": 0.3,
            "model": given.model,
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "versions": {
                "optisplit": optisplit.__version__,
                "scikit-learn": sklearn.__version__,
                "numpy": np.__version__,
                "python": platform.python_version(),
            },
        }
        pd.concat(tables).to_csv(FOLDER / "impact.csv", index=False, float_format="%.6g", lineterminator="\n")
        (FOLDER / "impact.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
