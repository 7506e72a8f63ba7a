"""The run made beforehand, which comes along: every method on all seven data sets, and the experiments.

``sample_data/paper_runs.csv`` has the runs, ``paper.json`` how they were made, facts of the data, and the experiments;
``benchmarks/bench_paper.py`` makes both.
"""

from __future__ import annotations

import csv
import json
import math
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from optisplit.io.samples import sample_file
from optisplit.methods.shapes import Shape
from optisplit.studies.paper.catalogue import ROWS
from optisplit.studies.paper.datasets import DataFacts
from optisplit.studies.paper.runs import PaperRun, RunLog
from optisplit.text import counted, joined

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RUNS, FACTS = "paper_runs.csv", "paper.json"
TEXTS = ("data", "row", "status", "reason")
DIGITS = 6


@dataclass(frozen=True, eq=False)
class Kept:
    """What was made beforehand, and how."""

    recipe: Mapping[str, Any]  # command, date, machine, versions, seeds, time limits
    data: Mapping[str, DataFacts]  # by the key of the data set
    log: RunLog
    experiments: Mapping[str, Any]  # see :mod:`optisplit.studies.paper.experiments`

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were to be run."""
        return tuple(range(self.recipe["n_seeds"]))

    def limit_of(self, row: str) -> float:
        """Give the most seconds that a run of a line of Table 2 had."""
        return float(self.recipe["longer_limits_s"].get(ROWS[row].name, self.recipe["time_limit_s"]))

    @property
    def sentence(self) -> str:
        """How it was made."""
        recipe = self.recipe
        machine = recipe["machine"]
        longer = joined([f"{name} {limit_s:,.0f} s" for name, limit_s in recipe["longer_limits_s"].items()])
        versions = joined([f"{name} {version}" for name, version in recipe["versions"].items()])
        return (
            f"Made beforehand on {recipe['date']} with {counted(recipe['n_seeds'], 'seed')} and 5 folds, by the "
            f"command {recipe['command']}, on {counted(machine['cores'], 'core')} ({machine['processor']}) with "
            f"{machine['memory_gb']} GB of memory that had other work to do at the same time; {versions}. Times are "
            "processor seconds of the method alone, a run's. A run that took more than "
            f"{recipe['time_limit_s']:g} s on the clock ({longer}) was stopped, and no other seed tried. What was not "
            "done to the end shows in the column Runs."
        ) + self._added

    @property
    def _added(self) -> str:
        """What was added to slow lines afterwards."""
        if "added" not in self.recipe:
            return ""
        added = self.recipe["added"]
        return (
            f" Seeds that slow lines lacked were run on {added['date']}: {counted(added['n_runs'], 'run')} with up to "
            f"{added['time_limit_s']:,.0f} s each."
        )


@cache
def kept() -> Kept:
    """Read what was made beforehand."""
    facts = json.loads(sample_file(FACTS).read_text(encoding="utf-8"))
    data = {key: DataFacts(**about | {"shape": Shape(**about["shape"])}) for key, about in facts["data"].items()}
    log = RunLog()
    with sample_file(RUNS).open(encoding="utf-8", newline="") as file:
        log.add(_run_of(line, data[line["data"]].digest) for line in csv.DictReader(file))
    return Kept(facts["recipe"], data, log, facts["experiments"])


def _run_of(line: Mapping[str, str], digest: str) -> PaperRun:
    numbers = {name: float(text) for name, text in line.items() if name not in (*TEXTS, "seed") and text}
    return PaperRun(digest=digest, seed=int(line["seed"]), **{name: line[name] for name in TEXTS}, **numbers)  # type: ignore[arg-type]


def write_kept(
    folder: Path, log: RunLog, data: Mapping[str, DataFacts], recipe: Mapping[str, Any], experiments: Mapping[str, Any]
) -> None:
    """Write the two files."""
    names = [each.name for each in fields(PaperRun) if each.name != "digest"]
    wanted = {key: about.digest for key, about in data.items()}
    runs = sorted(
        (run for run in log if wanted.get(run.data) == run.digest),
        key=lambda run: (list(data).index(run.data), run.row, run.seed),
    )
    with (folder / RUNS).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([_text(getattr(run, name)) for name in names] for run in runs)
    about = {key: asdict(each) for key, each in data.items()}
    made = {"recipe": dict(recipe), "data": about, "experiments": _rounded(experiments)}
    (folder / FACTS).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _rounded(value: Any) -> Any:
    """Give numbers as many digits as they are read with."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
