"""Re-run the paper in one call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from optisplit.comparison.runs import checked_seeds
from optisplit.errors import OptionError
from optisplit.studies.paper.catalogue import PAPER_DATA, ROWS
from optisplit.studies.paper.datasets import choose_data, find_data
from optisplit.studies.paper.printed import read_printed
from optisplit.studies.paper.report import made_folder, make_page, write_files
from optisplit.studies.paper.runs import LOG_NAME, ReproductionCallback, RunLog, run_rows
from optisplit.studies.paper.tables import make_table1, make_table2
from optisplit.studies.synthetic import SyntheticScores, synthetic_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from optisplit.studies.paper.datasets import Place

TIME_LIMIT_S = 300.0
"""Most seconds for one run, unless told otherwise: two methods would take days on the larger data."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The paper's tables and its synthetic experiment, re-run."""

    table1: pd.DataFrame  # properties of the data; see :func:`optisplit.studies.paper.tables.make_table1`
    table2: pd.DataFrame  # scores of the methods; see :func:`optisplit.studies.paper.tables.make_table2`
    synthetic: SyntheticScores  # LD, rLD and DCP against label size
    seeds: tuple[int, ...]  # the seeds of Table 2
    log: RunLog  # the runs behind it
    is_complete: bool = True  # whether no work was left undone by a cancel

    @property
    def n_done(self) -> int:
        """Runs in Table 2 that were done."""
        return int(self.table2["n_done"].sum()) if len(self.table2) else 0

    def write(self, out: str | Path) -> list[Path]:
        """Write everything into a folder: CSV tables, figures, and one HTML page with all of it."""
        return write_files(self, Path(out))

    def html(self) -> str:
        """Make one page of it that needs nothing else, not even a network."""
        return make_page(self)


def reproduce(
    out: str | Path | None = None,
    *,
    data: Iterable[str] | None = None,
    folder: str | Path | None = None,
    given: Iterable[Place] = (),
    before: Reproduction | None = None,
    rows: Iterable[str] | None = None,
    seeds: Iterable[int] = range(10),
    time_limit_s: float | None = TIME_LIMIT_S,
    printed: str | Path | BinaryIO | None = None,
    on_progress: ReproductionCallback | None = None,
) -> Reproduction:
    """Re-run the paper: both tables and the synthetic experiment.

    - With `out`, every run is written down when it is done. Called again with the same folder, runs that are there
      are not made again, so that work that was ended goes on.
    - A method that goes over `time_limit_s` with one seed is not tried with the next; its line says so.

    Parameters
    ----------
    out : str or path, optional
        Folder to write tables, figures and a page into, and to go on from.
    data : iterable of str, optional
        Keys of :data:`PAPER_DATA`; default: all that are at hand.
    folder : str or path, optional
        Where to look for the authors' files and for stand-ins; see :func:`find_data`.
    given : iterable of Place, optional
        Data sets that are read already.
    before : Reproduction, optional
        An earlier one, whose runs need not be made again.
    rows : iterable of str, optional
        Keys of :data:`ROWS`; default: all.
    seeds : iterable of int, default=range(10)
        Table 2 has the means over these.
    time_limit_s : float or None, default=300
        Most seconds for one run; None for no limit.
    printed : str, path or binary file object, optional
        CSV with more printed numbers; see :func:`read_printed`.
    on_progress : callable, optional
        Called with a :class:`~optisplit.comparison.experiment.Progress`. Where it raises
        :class:`~optisplit.errors.Cancelled`, the result has what was done until then.

    Returns
    -------
    Reproduction
        The tables and figures.

    Raises
    ------
    OptionError
        If a key is unknown, data are not at hand, a seed is no whole number, or `out` cannot be written to.
    FormatError
        If a file cannot be read.

    Warns
    -----
    SplitWarning
        If a method is going to take long, or longer than its limit.

    Examples
    --------
    >>> made = reproduce(data=["bibtex"], rows=["random"], seeds=range(2))
    >>> made.table1.set_index("data").loc["bibtex", "verdict"]
    'agrees'
    >>> made.table2[["data", "row", "n_done"]].values.tolist()
    [['bibtex', 'random', 2]]
    """
    numbers = read_printed(printed)
    found = find_data(folder) | {place.key: place for place in given}
    chosen = choose_data({key: found[key] for key in PAPER_DATA if key in found}, data)
    wanted = _check_rows(rows)
    seed_list = checked_seeds(seeds)
    if not seed_list:
        msg = "seeds must have at least one seed."
        raise OptionError(msg)
    log = RunLog(None if out is None else made_folder(Path(out)) / LOG_NAME)
    if before is not None:
        log.add(before.log)
    loaded, is_complete = run_rows(chosen, wanted, seed_list, log, time_limit_s=time_limit_s, on_progress=on_progress)
    made = Reproduction(
        make_table1(loaded, found, numbers),
        make_table2(log, loaded, found, wanted, seed_list, numbers),
        synthetic_scores(),
        seed_list,
        log,
        is_complete,
    )
    if out is not None:
        made.write(out)
    return made


def _check_rows(rows: Iterable[str] | None) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(ROWS if rows is None else rows))
    for row in wanted:
        if row not in ROWS:
            what = "line of Table 2"
            raise OptionError.unknown(what, row, ROWS)
    if not wanted:
        msg = f"rows must name at least one line of Table 2: {', '.join(ROWS)}."
        raise OptionError(msg)
    return wanted
