"""Re-run the paper in one call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from optisplit.comparison.runs import checked_seeds
from optisplit.errors import OptionError
from optisplit.studies.paper import claims_of_measures, claims_of_methods
from optisplit.studies.paper.catalogue import PAPER_DATA, ROWS
from optisplit.studies.paper.claims import Evidence
from optisplit.studies.paper.datasets import choose_data, find_data
from optisplit.studies.paper.kept import kept
from optisplit.studies.paper.report import made_folder, make_page, write_files
from optisplit.studies.paper.runs import LOG_NAME, ReproductionCallback, RunLog, run_rows
from optisplit.studies.paper.tables import HERE, Sources, make_table1, make_table2, verdict_line
from optisplit.studies.synthetic import SyntheticScores, synthetic_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from optisplit.studies.paper.claims import Claim
    from optisplit.studies.paper.datasets import Place

TIME_LIMIT_S = 300.0
"""Most seconds for one run, unless told otherwise: two methods would take days on the larger data."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The paper's tables, claims and synthetic experiment: run here, and for the rest as made beforehand."""

    sources: Sources  # what the tables are made of
    is_complete: bool = True  # whether no work was left undone by a cancel

    @cached_property
    def table1(self) -> pd.DataFrame:
        """Properties of the data; see :func:`optisplit.studies.paper.tables.make_table1`."""
        return make_table1(self.sources)

    @cached_property
    def table2(self) -> pd.DataFrame:
        """Scores of the methods; see :func:`optisplit.studies.paper.tables.make_table2`."""
        return make_table2(self.sources)

    @cached_property
    def synthetic(self) -> SyntheticScores:
        """LD, rLD and DCP against label size."""
        return synthetic_scores()

    @cached_property
    def claims(self) -> list[Claim]:
        """What the article says, each with the number that checks it."""
        evidence = Evidence(self.table2, self.sources.kept, self.synthetic)
        return [check(evidence) for check in (*claims_of_measures.CHECKS, *claims_of_methods.CHECKS)]

    @property
    def verdict(self) -> str:
        """All verdicts on printed cells in one sentence."""
        return verdict_line(self.table1, self.table2)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were asked for here."""
        return tuple(self.sources.seeds)

    @property
    def log(self) -> RunLog:
        """The runs made here."""
        return self.sources.log

    @property
    def n_done(self) -> int:
        """Runs of the tables that were made here."""
        return int(self.table2.loc[self.table2["made"] == HERE, "n_done"].sum())

    def write(self, out: str | Path) -> list[Path]:
        """Write everything into a folder: CSV tables, figures, and one HTML page with all of it."""
        return write_files(self, Path(out))

    def html(self) -> str:
        """Make one page of it that needs nothing else, not even a network."""
        return make_page(self)


@cache
def as_made_beforehand() -> Reproduction:
    """Give the paper's tables as they come along, without running anything."""
    return Reproduction(Sources(kept(), {}, RunLog(), (), ()))


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
    on_progress: ReproductionCallback | None = None,
) -> Reproduction:
    """Re-run the paper: both tables and the synthetic experiment.

    - What is not run here is shown as it was made beforehand, and says so.
    - With `out`, every run is written down when it is done. Called again with the same folder, runs that are there
      are not made again, so that work that was ended goes on.
    - A method that goes over `time_limit_s` with one seed is not tried with the next; its line says so.

    Parameters
    ----------
    out : str or path, optional
        Folder to write tables, figures and a page into, and to go on from.
    data : iterable of str, optional
        Keys of :data:`PAPER_DATA`; default: those that are the paper's own, not what stands in for them.
    folder : str or path, optional
        Where to look for the authors' files; see :func:`find_data`.
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
        If a key is unknown, a seed is no whole number, or `out` cannot be written to.
    FormatError
        If a file cannot be read.

    Warns
    -----
    SplitWarning
        If a method is going to take long, or longer than its limit.

    Examples
    --------
    >>> made = reproduce(data=["bibtex"], rows=["random"], seeds=range(2))
    >>> made.table1.set_index("data").loc["bibtex", "verdict rows"]
    'agrees'
    >>> made.table2.query("made == 'here'")[["data", "row", "n_done", "verdict rld"]].values.tolist()
    [['bibtex', 'random', 2, 'agrees']]
    """
    found = find_data(folder) | {place.key: place for place in given}
    chosen = choose_data({key: found[key] for key in PAPER_DATA}, data)
    wanted = _check_rows(rows)
    seed_list = checked_seeds(seeds)
    if not seed_list:
        msg = "seeds must have at least one seed."
        raise OptionError(msg)
    log = RunLog(None if out is None else made_folder(Path(out)) / LOG_NAME)
    if before is not None:
        log.add(before.log)
    facts, is_complete = run_rows(chosen, wanted, seed_list, log, time_limit_s=time_limit_s, on_progress=on_progress)
    made = Reproduction(Sources(kept(), facts, log, seed_list, wanted), is_complete)
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
