"""The runs behind Table 2, one a data set, line and seed, kept in a file so that work that was ended goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeAlias

from optisplit.comparison.experiment import Progress, Run, compare
from optisplit.errors import Cancelled, FormatError
from optisplit.io.target import write_file
from optisplit.studies.paper.catalogue import BESIDE, FIGURES, N_SPLITS, ROWS
from optisplit.studies.paper.datasets import DataFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from optisplit.labels import MultilabelDataset
    from optisplit.studies.paper.datasets import Place

LOG_NAME = "runs.jsonl"

ReproductionCallback: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class PaperRun:
    """One run."""

    data: str  # key of the data set
    digest: str  # of its labels
    row: str  # key of the line of Table 2
    seed: int
    status: str  # how it ended
    limit_s: float | None = None  # the time limit that it had, in seconds
    reason: str = ""  # why it did not end well
    # the measures, where it was done, with their bounds at the fold sizes of this split
    ed: float | None = None
    ld: float | None = None
    dcp: float | None = None
    rld: float | None = None
    rld_bound: float | None = None
    dcp_bound: float | None = None
    time_s: float | None = None  # processor seconds
    # what the article does not have; not in the files of earlier versions
    rare_shares: float | None = None
    row_shape: float | None = None
    beyond_rounding: float | None = None

    @classmethod
    def of(cls, key: str, digest: str, row: str, run: Run, limit_s: float | None) -> PaperRun:
        """Take from a comparison's run what the table needs; the folds themselves are not kept."""
        figures: dict[str, float] = {}
        if run.status == "done" and run.report is not None:
            names = (*FIGURES[:-1], "rld_bound", "dcp_bound", *BESIDE)
            figures = {name: float(getattr(run.report, name)) for name in names} | {"time_s": run.cpu_s}
        return cls(key, digest, row, run.seed, run.status, limit_s, run.reason, **figures)

    def settles(self, limit_s: float | None) -> bool:
        """Tell whether the run need not be made again."""
        if self.status == "over time":
            return self.limit_s is not None and limit_s is not None and self.limit_s >= limit_s
        return self.status == "done"


class RunLog:
    """The runs that were made, in memory and, if wanted, in a file of one JSON object a line.

    A file that is there is read, and added to. A last line cut short, as a kill leaves it, is dropped; any other line
    that is no run is a FormatError.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._runs: dict[tuple[str, str, str, int], PaperRun] = {}
        if path is not None and path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        *lines, rest = path.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, start=1):
            try:
                self._keep(PaperRun(**json.loads(line)))
            except (ValueError, TypeError) as error:
                msg = f"{path.name}, line {number} is not a run of this program ({error}); move the file away."
                raise FormatError(msg) from error
        if rest:
            write_file(path, "".join(f"{line}\n" for line in lines))

    def _keep(self, run: PaperRun) -> None:
        self._runs[run.data, run.digest, run.row, run.seed] = run

    def __iter__(self) -> Iterator[PaperRun]:
        return iter(list(self._runs.values()))

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
        found = (self._runs.get((data, digest, row, seed)) for seed in seeds)
        return [run for run in found if run is not None]

    def seeds_left(
        self, data: str, digest: str, row: str, seeds: Sequence[int], limit_s: float | None
    ) -> Sequence[int]:
        """List the seeds of one line that are still to be run; none where the line's time is known to be too long."""
        runs = [run for run in self.runs_of(data, digest, row, seeds) if run.settles(limit_s)]
        if any(run.status == "over time" for run in runs):
            return ()
        settled = {run.seed for run in runs}
        return [seed for seed in seeds if seed not in settled]


def run_rows(
    places: Mapping[str, Place],
    rows: Sequence[str],
    seeds: Sequence[int],
    log: RunLog,
    *,
    time_limit_s: float | None = None,
    on_progress: ReproductionCallback | None = None,
) -> tuple[dict[str, DataFacts], bool]:
    """Make the runs that are not there yet; give facts of the data, and whether all was done."""
    n_runs, n_done = len(places) * len(rows) * len(seeds), 0
    facts: dict[str, DataFacts] = {}

    def tell(done: float, message: str) -> None:
        if on_progress is not None:
            on_progress(Progress(int(done), n_runs, done / max(n_runs, 1), message))

    try:
        for key, place in places.items():
            tell(n_done, f"{'Making' if place.is_made else 'Reading'} {place.title}")
            data = place.load()
            facts[key] = DataFacts.of(place, data)
            for row in rows:
                left = log.seeds_left(key, data.digest, row, seeds, time_limit_s)
                n_before = n_done + len(seeds) - len(left)
                _run_row(place, data, row, left, log, time_limit_s, n_before, tell)
                n_done += len(seeds)
        tell(n_done, "All runs are done")
    except Cancelled:
        return facts, False
    return facts, True


def _run_row(
    place: Place, data: MultilabelDataset, row: str, seeds: Sequence[int], log: RunLog, limit_s: float | None,
    n_before: int, tell: Callable[[float, str], None],
) -> None:  # fmt: skip
    """Run one line with the seeds that are left, a few at a time: each few are written down when they are done."""
    about, step = ROWS[row], min(os.cpu_count() or 1, 4)
    for start in range(0, len(seeds), step):

        def report(progress: Progress, start: int = start) -> None:
            tell(n_before + start + progress.fraction * progress.n_runs, f"{place.title}, {progress.message}")

        result = compare(
            data, [about.method], N_SPLITS, seeds=seeds[start : start + step], options={about.method: about.options},
            time_limit_s=limit_s, on_progress=report,
        )  # fmt: skip
        ended = [run for run in result.runs if run.status != "cancelled"]
        log.add(PaperRun.of(place.key, data.digest, row, run, limit_s) for run in ended)
        if not result.is_complete:
            raise Cancelled
        if any(run.status == "over time" for run in ended):
            return
