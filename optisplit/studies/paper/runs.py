"""The runs behind Table 2, one a data set, line and seed, kept in a file so that work that was ended goes on."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from optisplit.comparison.experiment import Progress, Run, compare
from optisplit.errors import Cancelled, FormatError
from optisplit.io.target import write_file
from optisplit.studies.paper.catalogue import FIGURES, N_SPLITS, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from optisplit.labels import MultilabelDataset

LOG_NAME = "runs.jsonl"


@dataclass(frozen=True, slots=True)
class PaperRun:
    """One run."""

    data: str  # key of the data set, and the digest of its labels
    digest: str  # key of the data set, and the digest of its labels
    row: str  # key of the line of Table 2
    seed: int  # the seed
    status: str  # how it ended
    limit_s: float | None = None  # the time limit that it had, in seconds
    reason: str = ""  # why it did not end well
    ed: float | None = None  # the measures, where it was done
    ld: float | None = None  # the measures, where it was done
    dcp: float | None = None  # the measures, where it was done
    rld: float | None = None  # the measures, where it was done
    rld_bound: float | None = None  # their bounds at the fold sizes of this split
    dcp_bound: float | None = None  # their bounds at the fold sizes of this split
    time_s: float | None = None  # processor seconds

    @classmethod
    def of(cls, key: str, digest: str, row: str, run: Run, limit_s: float | None) -> PaperRun:
        """Take from a comparison's run what the table needs; the folds themselves are not kept."""
        figures: dict[str, float] = {}
        if run.status == "done" and run.report is not None:
            names = (*FIGURES[:-1], "rld_bound", "dcp_bound")
            figures = {name: float(getattr(run.report, name)) for name in names} | {"time_s": run.cpu_s}
        return cls(key, digest, row, run.seed, run.status, limit_s, run.reason, **figures)

    def settles(self, limit_s: float | None) -> bool:
        """Tell whether the run need not be made again."""
        if self.status == "over time":
            return self.limit_s is not None and limit_s is not None and self.limit_s >= limit_s
        return self.status == "done"


class RunLog:
    """The runs that were made, in memory and, if wanted, in a file of one JSON object a line.

    Parameters
    ----------
    path : path, optional
        The file: read if it is there, and added to. A last line cut short, as a kill leaves it, is dropped.

    Raises
    ------
    FormatError
        If another line is not such a record.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._runs: dict[tuple[str, str, str, int], PaperRun] = {}
        if path is not None and path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        is_cut = bool(text) and not text.endswith("\n")
        for number, line in enumerate(lines, start=1):
            try:
                self._keep(PaperRun(**json.loads(line)))
            except (ValueError, TypeError) as error:
                if is_cut and number == len(lines):
                    write_file(path, "".join(f"{each}\n" for each in lines[:-1]))
                    return
                msg = f"{path.name}, line {number} is not a run of this program ({error}); move the file away."
                raise FormatError(msg) from error

    def _keep(self, run: PaperRun) -> None:
        self._runs[run.data, run.digest, run.row, run.seed] = run

    def __iter__(self) -> Iterator[PaperRun]:
        return iter(list(self._runs.values()))

    def get(self, data: str, digest: str, row: str, seed: int) -> PaperRun | None:
        """Find a run."""
        return self._runs.get((data, digest, row, seed))

    def add(self, runs: Iterable[PaperRun]) -> None:
        """Keep runs, and write them down at once."""
        made = list(runs)
        for run in made:
            self._keep(run)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(run)) + "\n" for run in made)

    def runs_of(self, data: str, digest: str, row: str, seeds: Iterable[int]) -> list[PaperRun]:
        """List the runs of one line."""
        found = (self.get(data, digest, row, seed) for seed in seeds)
        return [run for run in found if run is not None]


ReproductionCallback: TypeAlias = Callable[[Progress], None]


def run_rows(
    datasets: Mapping[str, tuple[str, Callable[[], MultilabelDataset]]],
    rows: Sequence[str],
    seeds: Sequence[int],
    log: RunLog,
    *,
    time_limit_s: float | None = None,
    on_progress: ReproductionCallback | None = None,
) -> tuple[dict[str, MultilabelDataset], bool]:
    """Make the runs that are not there yet."""
    n_runs, n_done = len(datasets) * len(rows) * len(seeds), 0
    loaded: dict[str, MultilabelDataset] = {}

    def tell(done: float, message: str) -> None:
        if on_progress is not None:
            on_progress(Progress(int(done), n_runs, done / max(n_runs, 1), message))

    try:
        for key, (title, read) in datasets.items():
            tell(n_done, f"Reading {title}")
            data = loaded[key] = read()
            for row in rows:
                left = _seeds_left(log, key, data.digest, row, seeds, time_limit_s)
                if left:
                    n_before = n_done + len(seeds) - len(left)
                    _run_row(key, title, data, row, left, log, time_limit_s, n_before, tell)
                n_done += len(seeds)
        tell(n_done, "All runs are done")
    except Cancelled:
        return loaded, False
    return loaded, True


def _seeds_left(log: RunLog, key: str, digest: str, row: str, seeds: Sequence[int], limit_s: float | None) -> list[int]:
    runs = [run for run in log.runs_of(key, digest, row, seeds) if run.settles(limit_s)]
    if any(run.status == "over time" for run in runs):
        return []
    settled = {run.seed for run in runs}
    return [seed for seed in seeds if seed not in settled]


def _run_row(
    key: str, title: str, data: MultilabelDataset, row: str, seeds: Sequence[int], log: RunLog,
    limit_s: float | None, n_before: int, tell: Callable[[float, str], None],
) -> None:  # fmt: skip
    """Run one line with the seeds that are left, a few at a time: each few are written down when they are done."""
    about, step = ROWS[row], min(os.cpu_count() or 1, 4)
    for start in range(0, len(seeds), step):
        batch = seeds[start : start + step]

        def report(progress: Progress, start: int = start) -> None:
            tell(n_before + start + progress.fraction * progress.n_runs, f"{title}, {progress.message}")

        options: dict[str, dict[str, Any]] = {about.method: dict(about.options)}
        result = compare(
            data, [about.method], N_SPLITS, seeds=batch, options=options, time_limit_s=limit_s, on_progress=report
        )
        ended = [run for run in result.runs if run.status != "cancelled"]
        log.add(PaperRun.of(key, data.digest, row, run, limit_s) for run in ended)
        if not result.is_complete:
            raise Cancelled
        if any(run.status == "over time" for run in ended):
            return


def is_number(value: float | None) -> bool:
    """Tell whether a figure is there."""
    return value is not None and not math.isnan(value)
