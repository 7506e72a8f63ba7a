"""Run the paper's tables and experiments, and keep what they found beside the samples.

    nice python benchmarks/bench_paper.py runs OUT          every run of Table 2; ended early, it goes on from OUT
    nice python benchmarks/bench_paper.py experiments OUT   what the article claims beside its tables
    nice python benchmarks/bench_paper.py write OUT         sample_data/paper_runs.csv and paper.json, of what OUT has
    nice python benchmarks/bench_paper.py all OUT           these three

The app, ``optisplit paper`` and its page show the two files, labelled as made beforehand.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
from pathlib import Path

import numba
import numpy as np
import scipy

import optisplit
from optisplit.studies.paper.catalogue import PAPER_DATA, ROWS
from optisplit.studies.paper.datasets import find_data
from optisplit.studies.paper.experiments import run_all
from optisplit.studies.paper.kept import DataFacts, write_kept
from optisplit.studies.paper.reproduction import reproduce
from optisplit.studies.paper.runs import LOG_NAME, RunLog

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"
N_SEEDS = 10
LIMIT_S = 120.0
LONGER = {"optisplit-sa": 600.0, "skml-sois": 2400.0}
"""Lines of Table 2 that get more time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["runs", "experiments", "write", "all"])
    parser.add_argument("out", type=Path, metavar="OUT")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name, step in (("runs", run), ("experiments", experiment), ("write", write)):
        if given.what in (name, "all"):
            step(given.out)


def run(out: Path) -> None:
    for key in PAPER_DATA:
        for row in sorted(ROWS, key=lambda row: ROWS[row].method.startswith("skml")):
            limit_s = LONGER.get(row, LIMIT_S)
            made = reproduce(out, data=[key], rows=[row], seeds=range(N_SEEDS), time_limit_s=limit_s)
            print(key, row, made.n_done, flush=True)


def experiment(out: Path) -> None:
    found = run_all(lambda what: print(what, flush=True))
    (out / "experiments.json").write_text(json.dumps(found), encoding="utf-8")


def write(out: Path) -> None:
    facts = {key: DataFacts.of(place, place.load()) for key, place in find_data().items()}
    recipe = {
        "command": "python benchmarks/bench_paper.py all OUT",
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "n_seeds": N_SEEDS,
        "time_limit_s": LIMIT_S,
        "longer_limits_s": {ROWS[row].name: limit_s for row, limit_s in LONGER.items()},
        "machine": {
            "cores": os.cpu_count(),
            "processor": processor(),
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        },
        "versions": {
            "OptiSplit": optisplit.__version__,
            "Python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "numba": numba.__version__,
        },
    }
    experiments = json.loads((out / "experiments.json").read_text(encoding="utf-8"))
    write_kept(FOLDER, RunLog(out / LOG_NAME), facts, recipe, experiments)


def processor() -> str:
    """Name the processor's model, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
