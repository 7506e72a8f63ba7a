"""The summary of a comparison: a table for people, and in words which split is best and by how much."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from optisplit.comparison.fairness import unfair_text
from optisplit.measures.registry import MEASURES, objectives
from optisplit.measures.score import SAME, Score, score_of
from optisplit.text import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from optisplit.comparison.experiment import ComparisonResult

EQUAL_SIZES = 0.01
"""Mean difference from the sizes asked for, as a part of a mean fold, up to which folds count as being of these."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one method: mean and deviation over its seeds."""

    score: Score  # the mean, and the mean of what is best possible for each of these splits
    std: float  # sample deviation; NaN where no run, or only one, was done
    is_best: bool  # whether no other method has a lower mean

    @property
    def mean(self) -> float:
        """Mean over the seeds; NaN where no run was done."""
        return self.score.value


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One method of the summary."""

    method: str  # its key
    name: str
    n_done: int  # runs done, of those asked for
    n_runs: int
    cells: Mapping[str, Cell]  # by the keys of :func:`titles`
    reasons: tuple[str, ...]  # why runs did not end well, each reason once
    unfair: str = ""  # to whom its parts are unfair, and where; empty where they are fair


@dataclass(frozen=True, slots=True)
class SummaryInfo:
    """The summary of a comparison."""

    rows: tuple[SummaryRow, ...]  # in the order in which the methods were asked for
    best: str  # key of the method that the verdict calls the best; empty where no run was done
    verdict: tuple[str, ...]  # which split is best and by how much, a sentence each


def titles() -> dict[str, str]:
    """Give the titles of the columns, with units where a figure has one."""
    return {key: measure.heading for key, measure in MEASURES.items()} | {"time_s": "Time, s"}


def summary_info(result: ComparisonResult, names: Mapping[str, str]) -> SummaryInfo:
    """Work out what the summary says."""
    table = result.summary
    fair = [method for method in result.methods if not result.is_unfair(method)]
    rows = tuple(
        SummaryRow(
            method=method,
            name=names[method],
            n_done=int(table.loc[method, ("runs", "done")]),
            n_runs=int(table.loc[method, ("runs", "all")]),
            cells={figure: _cell(table, method, figure, fair) for figure in titles()},
            unfair=_unfair_of(result, method),
            reasons=tuple(dict.fromkeys(run.reason for run in result.runs if run.method == method and run.reason)),
        )
        for method in result.methods
    )
    done = [row for row in rows if row.n_done]
    first = _best_row(done, result)
    verdict = _verdict(done, first, result)
    if first is not None:
        verdict += _stopped_sentence(first, result, names)
    return SummaryInfo(rows, "" if first is None else first.method, verdict)


def _unfair_of(result: ComparisonResult, method: str) -> str:
    """Say in what a method's parts are unfair, by its first run that is; empty where most are fair."""
    if not result.is_unfair(method):
        return ""
    run = next(run for run in result.runs_of(method) if run.unfair)
    noun = "part" if "fold_sizes" in result.constraints else "fold"
    return unfair_text(run.unfair, [f"{noun} {fold}" for fold in range(result.n_splits)])


def _cell(table: pd.DataFrame, method: str, figure: str, fair: list[str]) -> Cell:
    has_bound = figure in MEASURES and MEASURES[figure].has_bound
    mean, std = (float(table.loc[method, (figure, each)]) for each in ("mean", "std"))
    bound = float(table.loc[method, (f"{figure}_bound", "mean")]) if has_bound else math.nan
    # a lower score is no merit where it is had by unfair parts
    rivals = table.loc[fair] if fair and figure in objectives() else table
    lowest = float(rivals[figure, "mean"].min())
    # where all are equally good, as with a single method, none stands out
    stands_out = bool(((table[figure, "mean"] - lowest).abs() > SAME * lowest).any())
    is_best = figure in MEASURES and stands_out and method in rivals.index and mean <= lowest * (1 + SAME)
    score = score_of(figure, mean, bound) if figure in MEASURES else Score(mean)
    return Cell(score, std, is_best)


def _best_row(rows: list[SummaryRow], result: ComparisonResult) -> SummaryRow | None:
    """Choose the row with the lowest rLD among those with fair parts of the sizes asked for.

    A score can be bought with parts of other sizes, whose bound is lower, or with unfair ones. Sizes come first: where
    no method has both, one with unfair parts is chosen, and if none has these sizes, any.
    """
    share = result.n_rows / result.n_splits
    return min(
        rows,
        key=lambda row: (row.cells["ed"].mean > EQUAL_SIZES * share, row.unfair != "", row.cells["rld"].mean),
        default=None,
    )


def _verdict(rows: list[SummaryRow], first: SummaryRow | None, result: ComparisonResult) -> tuple[str, ...]:
    if first is None:
        kept = " The best splits found until then are kept." if result.stopped_runs else ""
        return (f"No run was done, so there is nothing to compare.{kept}",)
    ranked = sorted(rows, key=lambda row: row.cells["rld"].mean)
    if math.isnan(ranked[0].cells["rld"].mean):
        return ("No label has both a row that carries it and one that does not, so there is nothing to spread.",)
    share = result.n_rows / result.n_splits
    noun = "part" if "fold_sizes" in result.constraints else "fold"
    rld, last = first.cells["rld"], ranked[-1]
    reports = [run.report for run in result.runs_of(first.method) if run.report is not None]
    is_of_fair = any(report.score("rld").is_of_fair for report in reports)
    relation = replace(rld.score, is_of_fair=is_of_fair).sentence
    praise = "spreads the labels most evenly: its mean rLD is" if len(rows) > 1 else "has a mean rLD of"
    of = f"Of the methods with fair {noun}s, " if not first.unfair and any(row.unfair for row in rows) else ""
    sentences = [
        f"{of}{first.name} {praise} {number(rld.mean)}, {relation} for {noun}s of its "
        f"sizes ({number(rld.score.bound)})."
    ]
    sentences.extend(_sizes_sentence(first, share, noun))
    if first.unfair:
        sentences.append(f"But its {noun}s are {first.unfair}.")
    sentences.extend(_near_sentence(first, ranked))
    if last is not first and rld.mean > 0:
        times = last.cells["rld"].mean / rld.mean
        sentences.append(f"{last.name} comes last with {number(last.cells['rld'].mean)}, {times:.3g} times as much.")
    sentences.extend(_lower_sentence(row, noun, share) for row in ranked[: ranked.index(first)])
    sentences.extend(_dcp_sentence(first, rows, share))
    sentences.extend(_empty_sentence(first, noun, has_groups="groups" in result.constraints))
    return tuple(sentences)


def _stopped_sentence(first: SummaryRow, result: ComparisonResult, names: Mapping[str, str]) -> tuple[str, ...]:
    """Say so where a run that was stopped had a better split than the best method's mean."""
    found = [(run.report.rld, run) for run in result.stopped_runs if run.report is not None and not run.unfair]
    rld, run = min(found, key=lambda pair: pair[0], default=(math.nan, None))
    if run is None or not rld < first.cells["rld"].mean:
        return ()
    return (f"{names[run.method]} had a split with a lower rLD, {number(rld)}, when it was stopped: it is kept.",)


def _lower_sentence(row: SummaryRow, noun: str, share: float) -> str:
    """Say why a method with a lower score is not called the best."""
    rld, ed = row.cells["rld"], row.cells["ed"]
    if row.unfair and ed.mean <= EQUAL_SIZES * share:
        return f"{row.name} has a lower rLD, {number(rld.mean)}, but its {noun}s are {row.unfair}."
    sizes = "parts of other sizes than asked for" if noun == "part" else "folds of unequal size"
    return (
        f"{row.name} has a lower rLD, {number(rld.mean)}, by making {sizes} (ED {number(ed.mean)} rows), "
        f"with which {number(rld.score.bound)} would be possible."
    )


def _dcp_sentence(first: SummaryRow, rows: list[SummaryRow], share: float) -> list[str]:
    """Say so where another method with fair folds of the sizes asked for is better by DCP."""
    equal = [row for row in rows if row is first or (row.cells["ed"].mean <= EQUAL_SIZES * share and not row.unfair)]
    best = min(equal, key=lambda row: row.cells["dcp"].mean)
    if best.cells["dcp"].mean >= first.cells["dcp"].mean * (1 - SAME):
        return []
    figures = f"{number(best.cells['dcp'].mean)} against {number(first.cells['dcp'].mean)}"
    return [f"By DCP, {best.name} is better ({figures})."]


def _sizes_sentence(row: SummaryRow, share: float, noun: str) -> list[str]:
    """Say so where the winner's folds are clearly not of the sizes asked for: it may not suit."""
    ed = row.cells["ed"].mean
    if ed <= EQUAL_SIZES * share:
        return []
    if noun == "part":
        return [f"But the parts of {row.name} are on average {number(ed)} rows from the sizes asked for (ED)."]
    how = "very unequal" if ed > 0.1 * share else "slightly unequal"
    return [f"But the folds of {row.name} are of {how} size: on average {number(ed)} rows from {share:,.0f} (ED)."]


def _near_sentence(first: SummaryRow, ranked: list[SummaryRow]) -> list[str]:
    """Say so where the next method is as good, as far as the seeds can tell."""
    behind = [row for row in ranked[ranked.index(first) + 1 :] if not row.unfair]
    if not behind:
        return []
    a, b = first.cells["rld"], behind[0].cells["rld"]
    spread = max((std for std in (a.std, b.std) if not math.isnan(std)), default=0.0)
    if b.mean - a.mean >= spread:
        return []
    return [f"{behind[0].name} is about as good ({number(b.mean)}): the difference is within the spread over seeds."]


def _empty_sentence(row: SummaryRow, noun: str, *, has_groups: bool) -> list[str]:
    flz = row.cells["flz"]
    if flz.mean == 0:
        return []
    pairs = f"{number(flz.mean)} pairs of a label and a {noun} have no row with the label"
    bound = flz.score.bound
    if flz.mean - bound < 0.05:
        return [f"{pairs}, because there are too few such rows: no split has fewer such pairs."]
    least = f"{number(bound)} of them cannot be avoided" if bound else "all of them could be avoided"
    if has_groups:  # which the bound does not know of
        least = f"at least {least}" if bound else f"{least}, were it not for the groups"
    return [f"On average {pairs}; {least}."]
