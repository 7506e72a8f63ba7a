"""Run the paper's tables and experiments, and keep what they found beside the samples.

    nice python benchmarks/bench_paper.py runs OUT          every run of Table 2; ended early, it goes on from OUT
    nice python benchmarks/bench_paper.py experiments OUT   what the article claims beside its tables
    nice python benchmarks/bench_paper.py write OUT         sample_data/paper_runs.csv and paper.json, of what OUT has
    nice python benchmarks/bench_paper.py all OUT           these three

    nice python benchmarks/bench_paper.py missing OUT       the seeds that lines of the kept run lack that have some
    nice python benchmarks/bench_paper.py write OUT         then adds them to the kept files

Times are compared: run nothing else beside it.

The app, ``optisplit paper`` and its page show the two files, labelled as made beforehand.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import os
import platform
from pathlib import Path
from typing import Any

import numba
import numpy as np
import scipy

import optisplit
from optisplit.studies.paper.catalogue import PAPER_DATA, ROWS
from optisplit.studies.paper.datasets import find_data
from optisplit.studies.paper.experiments import run_all
from optisplit.studies.paper.kept import DataFacts, kept, write_kept
from optisplit.studies.paper.reproduction import reproduce
from optisplit.studies.paper.runs import LOG_NAME, RunLog

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"
N_SEEDS = 10
LIMIT_S = 120.0
LONGER = {"optisplit-sa": 600.0, "skml-sois": 2400.0}
"""Lines of Table 2 that get more time."""

MISSING_LIMIT_S = 7200.0
"""Most seconds for a seed that is added: the lines that lack some are slow ones."""

BEGUN_WITH = "begun_with.json"
"""The recipe of the kept run, and how many of its runs were done, where a folder was begun with it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["runs", "experiments", "write", "all", "missing"])
    parser.add_argument("out", type=Path, metavar="OUT")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.what == "missing":
        add_missing(given.out)
    for name, step in (("runs", run), ("experiments", experiment), ("write", write)):
        if given.what in (name, "all"):
            step(given.out)


def run(out: Path) -> None:
    for key in PAPER_DATA:
        for row in sorted(ROWS, key=lambda row: ROWS[row].method.startswith("skml")):
            limit_s = LONGER.get(row, LIMIT_S)
            made = reproduce(out, data=[key], rows=[row], seeds=range(N_SEEDS), time_limit_s=limit_s)
            print(key, row, made.n_done, flush=True)


def add_missing(out: Path) -> None:
    """Go on from the kept run with lines that have some of their seeds; those without any are too slow, or large."""
    made = kept()
    if not (out / BEGUN_WITH).is_file():
        RunLog(out / LOG_NAME).add(made.log)
        (out / "experiments.json").write_text(json.dumps(made.experiments), encoding="utf-8")
        begun = {"recipe": made.recipe, "n_done": n_done(made.log)}
        (out / BEGUN_WITH).write_text(json.dumps(begun), encoding="utf-8")
    log = RunLog(out / LOG_NAME)
    for key, row in itertools.product(PAPER_DATA, ROWS):
        done = [run for run in log.runs_of(key, made.data[key].digest, row, range(N_SEEDS)) if run.status == "done"]
        if 0 < len(done) < N_SEEDS:
            print(key, row, f"{len(done)} of {N_SEEDS} are there", flush=True)
            reproduce(out, data=[key], rows=[row], seeds=range(N_SEEDS), time_limit_s=MISSING_LIMIT_S)


def experiment(out: Path) -> None:
    found = run_all(lambda what: print(what, flush=True))
    (out / "experiments.json").write_text(json.dumps(found), encoding="utf-8")


def write(out: Path) -> None:
    log = RunLog(out / LOG_NAME)
    if (out / BEGUN_WITH).is_file():
        facts, recipe = kept().data, added(json.loads((out / BEGUN_WITH).read_text(encoding="utf-8")), log)
    else:
        facts = {key: DataFacts.of(place, place.load()) for key, place in find_data().items()}
        recipe = recipe_here()
    experiments = json.loads((out / "experiments.json").read_text(encoding="utf-8"))
    write_kept(FOLDER, log, facts, recipe, experiments)


def n_done(log: RunLog) -> int:
    return sum(run.status == "done" for run in log)


def added(begun: dict[str, Any], log: RunLog) -> dict[str, Any]:
    """Say in the recipe of what a folder was begun with how many runs were added in all, and when last."""
    recipe = begun["recipe"]
    n_runs = recipe.get("added", {}).get("n_runs", 0) + n_done(log) - begun["n_done"]
    return recipe | {"added": {"date": today(), "n_runs": n_runs, "time_limit_s": MISSING_LIMIT_S}}


def today() -> str:
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def recipe_here() -> dict[str, Any]:
    return {
        "command": "python benchmarks/bench_paper.py all OUT",
        "date": today(),
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


def processor() -> str:
    """Name the processor's model, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
