"""The paper's tables with our numbers beside the printed ones, and a verdict on every cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from optisplit.measures.characteristics import PROPERTIES
from optisplit.studies.paper.catalogue import BESIDE, FIGURES, PAPER_DATA, ROWS
from optisplit.studies.paper.printed import read_printed, read_published_code
from optisplit.studies.paper.reasons import (
    limit_overstepped,
    reason_for_property,
    reason_not_run,
    reason_too_slow,
    reasons_for_row,
)
from optisplit.studies.paper.verdicts import (
    AGREES,
    BETTER,
    DIFFERS,
    NOT_DONE,
    NOT_PRINTED,
    OTHER_DATA,
    judge,
    judge_property,
    judge_time,
)
from optisplit.text import counted, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optisplit.studies.paper.datasets import DataFacts
    from optisplit.studies.paper.kept import Kept
    from optisplit.studies.paper.printed import Printed
    from optisplit.studies.paper.runs import PaperRun, RunLog

HERE, BEFOREHAND = "here", "beforehand"
"""Where the runs behind a line were made."""


@dataclass(frozen=True, eq=False)
class Sources:
    """What the tables are made of: what was run here, and for the rest what was made beforehand."""

    kept: Kept
    facts: Mapping[str, DataFacts]  # of the data that were read here, by key
    log: RunLog  # the runs made here
    seeds: Sequence[int]  # asked for here
    rows: Sequence[str]  # asked for here

    def facts_of(self, key: str) -> DataFacts:
        """Give the facts of a data set."""
        return self.facts.get(key, self.kept.data[key])

    def runs_of(self, key: str, row: str) -> tuple[list[PaperRun], int, str]:
        """Give the runs behind a line, how many there were to be, and where they were made."""
        digest = self.facts_of(key).digest
        if key in self.facts and row in self.rows:
            made = self.log.runs_of(key, digest, row, self.seeds)
            if made:
                return made, len(self.seeds), HERE
        return self.kept.log.runs_of(key, digest, row, self.kept.seeds), len(self.kept.seeds), BEFOREHAND


def title_of(key: str, origin: str) -> str:
    """Give the name in the paper, marked where it is other data."""
    return f"{PAPER_DATA[key].title} (stand-in)" if origin == "stand-in" else PAPER_DATA[key].title


def make_table1(sources: Sources) -> pd.DataFrame:
    """Compare the properties of the data with the paper's Table 1."""
    printed, lines = read_printed(), []
    for key in PAPER_DATA:
        facts = sources.facts_of(key)
        line: dict[str, Any] = {"data": key, "title": title_of(key, facts.origin), "origin": facts.origin}
        reasons = []
        for name in PROPERTIES:
            number = printed[1, key, "", name]
            is_other = facts.origin == "stand-in"
            verdict = OTHER_DATA if is_other else judge_property(facts.properties[name], number)
            line |= {
                name: facts.properties[name], f"printed {name}": number.value, f"text {name}": number.text,
                f"verdict {name}": verdict,
            }  # fmt: skip
            if verdict == DIFFERS:
                reasons.append(reason_for_property(key, name, facts.properties, number))
        lines.append(line | {"why": " ".join(reasons)})
    return pd.DataFrame(lines)


def make_table2(sources: Sources) -> pd.DataFrame:
    """Compare the scores of every method with the paper's Table 2, and with those of its authors' code run again."""
    lines = []
    for key in PAPER_DATA:
        facts = sources.facts_of(key)
        of_row = {row: sources.runs_of(key, row) for row in ROWS}
        means = {row: _mean_and_std(runs, "rld")[0] for row, (runs, _, _) in of_row.items()}
        for row, (runs, n_wanted, made) in of_row.items():
            line: dict[str, Any] = {
                "data": key, "title": title_of(key, facts.origin), "origin": facts.origin, "row": row,
                "name": ROWS[row].name, "paper_name": ROWS[row].paper_name, "made": made,
                "n_done": sum(run.status == "done" for run in runs), "n_runs": n_wanted,
            }  # fmt: skip
            for figure in FIGURES:
                _add_figure(line, figure, runs)
            line["rld_bound"], _ = _mean_and_std(runs, "rld_bound")
            for figure in BESIDE:
                line[figure], line[f"{figure} std"] = _mean_and_std(runs, figure)
            line["over_s"] = limit_overstepped(row, facts.shape, runs, sources.kept.limit_of(row))
            if not math.isnan(line["over_s"]):
                why = [reason_too_slow(line, facts.shape)]
            elif not runs:
                why = [reason_not_run(row, facts.shape)]
            else:
                why = [*reasons_for_row(line, facts, means, sources.kept.experiments["equals"]), *_ends(runs)]
            lines.append(line | {"why": " ".join(why)})
    return pd.DataFrame(lines)


def _add_figure(line: dict[str, Any], figure: str, runs: Sequence[PaperRun]) -> None:
    """Add one figure of a line: ours, the printed one, the verdict, and what the authors' code gave."""
    where = (2, str(line["data"]), str(line["row"]), figure)
    number, code = read_printed().get(where), read_published_code().get(where)
    mean, std = _mean_and_std(runs, figure)
    line |= {
        figure: mean, f"{figure} std": std,
        f"printed {figure}": math.nan if number is None else number.value,
        f"text {figure}": "" if number is None else number.text,
        f"verdict {figure}": _verdict(figure, mean, std, line, number),
        f"published code {figure}": math.nan if code is None else code.value,
    }  # fmt: skip


def _verdict(figure: str, mean: float, std: float, line: Mapping[str, Any], number: Printed | None) -> str:
    if number is None:
        return NOT_PRINTED
    if math.isnan(mean):
        return NOT_DONE
    if line["origin"] == "stand-in":
        return OTHER_DATA
    return judge_time(mean, number) if figure == "time_s" else judge(mean, std, line["n_done"], number)


def _mean_and_std(runs: Iterable[PaperRun], figure: str) -> tuple[float, float]:
    values = np.array([getattr(run, figure) for run in runs if run.status == "done"], dtype=np.float64)
    values = values[~np.isnan(values)]
    if not values.size:
        return math.nan, math.nan
    return float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else math.nan


def _ends(runs: Iterable[PaperRun]) -> list[str]:
    reasons = dict.fromkeys(run.reason.rstrip(".") for run in runs if run.reason)
    told = [reason for reason in reasons if not reason.startswith("not started")]
    return [f"{'Stopped' + reason[7:] if reason.startswith('stopped') else f'Not run: {reason}'}." for reason in told]


def count_verdicts(*tables: pd.DataFrame) -> dict[str, int]:
    """Count the verdicts on all printed cells."""
    counts: dict[str, int] = {}
    for table in tables:
        for column in (column for column in table if str(column).startswith("verdict ")):
            for verdict, n in table[column].value_counts().items():
                if verdict != NOT_PRINTED:
                    counts[str(verdict)] = counts.get(str(verdict), 0) + int(n)
    return counts


def verdict_line(*tables: pd.DataFrame) -> str:
    """Sum up the verdicts on all printed cells in one sentence."""
    counts = count_verdicts(*tables)
    words = {
        AGREES: ("agrees", "agree"),
        BETTER: ("is better", "are better"),
        DIFFERS: ("differs", "differ"),
        OTHER_DATA: ("is beside other data", "are beside other data"),
        NOT_DONE: ("was not done", "were not done"),
    }
    parts = [f"{counts[key]} {words[key][counts[key] != 1]}" for key in words if key in counts]
    total = sum(counts.values())
    return f"Of {counted(total, 'printed cell')}, {joined(parts)}."
