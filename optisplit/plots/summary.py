"""The one verdict on a comparison: which split is best, how good it is, and all methods in the order that follows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.comparison.fairness import unfair_text
from optisplit.measures.grade import Grade, grade_of, usual_rld
from optisplit.measures.registry import MEASURES
from optisplit.measures.score import cells_beside
from optisplit.plots.said import DIGITS, RANDOM, verdict_and_remarks
from optisplit.text import counted, number, number_with_spread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.measures.report import Report
    from optisplit.measures.score import Score

VERY_UNEQUAL = 0.1
"""Mean difference from the sizes asked for, as a part of a mean fold, above which folds are of quite other sizes."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one method over its seeds."""

    mean: float  # NaN where no run was done
    std: float  # sample deviation; NaN where no run, or only one, was done

    @property
    def text(self) -> str:
        """Both in a few characters."""
        mean, spread = number_with_spread(self.mean, self.std)
        return f"{mean} ± {spread}" if spread and self.mean + self.std > 0 else mean


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One method of the summary, by the best of its splits."""

    method: str  # its key
    name: str
    n_done: int  # runs done, of those asked for
    n_runs: int
    cells: Mapping[str, Cell]  # over the seeds, by the keys of :func:`titles`
    reasons: tuple[str, ...]  # why runs did not end well, each reason once
    run: Run | None = None  # its best run; None where none was done
    grade: Grade | None = None  # that of its split
    unfair: str = ""  # to whom the parts of that split are unfair, and where; empty where they are fair
    noun: str = "fold"  # what they are called

    @property
    def report(self) -> Report:
        """The measures of its split."""
        assert self.run is not None
        assert self.run.report is not None
        return self.run.report

    def score(self, measure: str) -> Score:
        """Give a score of its split with its bound."""
        return self.report.score(measure)

    @property
    def n_missing(self) -> int:
        """Labels that are missing from a fold that should have them: a model cannot be scored for them there."""
        assert self.run is not None
        return self.run.n_missing

    @property
    def unavoidable(self) -> list[str]:
        """Labels with fewer rows than there are folds, which are missing from some fold in any split."""
        sizes = zip(self.report.label_names, self.report.positives.tolist(), strict=True)
        return [name for name, size in sizes if 0 < size < self.report.n_splits]

    @property
    def is_off_size(self) -> bool:
        """Whether its folds are clearly not of the sizes asked for."""
        return self.run is not None and self.run.place[0]

    @property
    def is_far_off_size(self) -> bool:
        """Whether they are of quite other sizes."""
        report = self.report
        return self.is_off_size and report.ed > VERY_UNEQUAL * report.fold_sizes.mean()

    @property
    def grade_words(self) -> str:
        """Its grade in a table, with what is wrong with the split, or why there is none."""
        if self.run is None or self.grade is None:
            return f"Not done: {'; '.join(self.reasons)}" if self.reasons else "Not done"
        wrong = []
        if self.is_off_size:
            wrong.append("other sizes" if self.noun == "part" else "unequal folds")
        if self.n_missing:
            wrong.append(f"{counted(self.n_missing, 'label')} missing")  # another column has room for where
        wrong += [f"unfair to {each.whom}" for each in self.run.unfair]
        return f"{self.grade.title}: {', '.join(wrong)}" if wrong else self.grade.title


@dataclass(frozen=True, slots=True)
class SummaryInfo:
    """The summary of a comparison."""

    rows: tuple[SummaryRow, ...]  # the best first; methods without a run last
    best: str  # key of the method whose split is the best; empty where no run was done
    grade: Grade | None  # that of the best split; None where there is none
    verdict: tuple[str, ...]  # up to three sentences: which split, what random ones do, what to know
    remarks: tuple[str, ...]  # what else there is to say, a sentence each
    n_seeds: int  # seeds of each method
    noun: str  # what the pieces are called: "fold" or "part"
    torn: str = ""  # one of what rows seem to belong to, such as a patient, and are not kept together by

    @property
    def headline(self) -> Grade | None:
        """The grade as it is headed: no all-clear while rows that seem to belong together are divided."""
        return self.grade.while_divided(self.torn) if self.grade is not None and self.torn else self.grade

    @property
    def done(self) -> tuple[SummaryRow, ...]:
        """The methods that have a split."""
        return tuple(row for row in self.rows if row.run is not None)

    @property
    def reports(self) -> dict[str, list[Report]]:
        """The reports of the splits that stand beside each other, by method, as figures take them."""
        return {row.method: [row.report] for row in self.done}

    @property
    def n_missing(self) -> dict[str, float]:
        """How many labels each of these splits leaves out of a fold that should have them, by method."""
        return {row.method: row.n_missing for row in self.done}

    @property
    def leaderboard(self) -> list[dict[str, str]]:
        """A line a method in words and short figures, under the titles of :func:`leading`."""
        titles_of = {key: title for key, (title, _) in leading(self.noun).items()}
        return [{titles_of[key]: text for key, text in _line(row).items()} for row in self.rows]

    @property
    def details(self) -> list[dict[str, str]]:
        """A line a measure, with the score of each method's split beside its bound; then means over the seeds."""
        lines = [
            {"Measure": measure.heading}
            | dict(
                zip((row.name for row in self.done), cells_beside([row.score(key) for row in self.done]), strict=True)
            )
            for key, measure in MEASURES.items()
        ]
        over = f"mean ± deviation of {counted(self.n_seeds, 'seed')}"
        seeds = [
            {"Measure": f"{titles()[key]}: {over}"} | {row.name: row.cells[key].text for row in self.done}
            for key in ("rld", "dcp", "time_s")
        ]
        return [*lines, *seeds]


def titles() -> dict[str, str]:
    """Give the titles of the columns, with units where a figure has one."""
    return {key: measure.heading for key, measure in MEASURES.items()} | {"time_s": "Time, s"}


def leading(noun: str) -> dict[str, tuple[str, str]]:
    """Give the columns of the leaderboard: what each is called, and what it says."""
    size = "equal sizes" if noun == "fold" else "the sizes asked for"
    return {
        "method": ("Method", "By the best of its splits over the seeds; the best method first."),
        "grade": (
            "Grade",
            "From best possible, where it is proven that no split of its sizes is better, over very good, good and "
            "weak to no better than random; faulty where labels are missing where they should be, or parts are unfair.",
        ),
        "rld": (
            "Unevenness of labels",
            f"rLD: how far a label's share of a {noun}'s rows is from its share of all rows, relative to that; the "
            "mean over labels. Less is better; rounding leaves some of it even in the best possible split.",
        ),
        "missing": (
            "Labels missing where they should be",
            f"Labels without a row in a {noun} that should have one, each looked at alone: a model cannot be scored "
            f"for them there. Those with too few rows for their share of some {noun} do not count.",
        ),
        "ed": (f"Rows off {size}", f"ED: rows by which the {noun}s differ from {size}, on average."),
        "time_s": ("Seconds", "Processor time of the method itself, the mean over the seeds."),
    }


def _line(row: SummaryRow) -> dict[str, str]:
    words = {"method": row.name, "grade": row.grade_words}
    if row.run is None:
        return words | dict.fromkeys(("rld", "missing", "ed", "time_s"), "–")
    figures = {"missing": row.n_missing, "ed": row.score("ed").value, "time_s": row.cells["time_s"].mean}
    words["rld"] = number(row.score("rld").value)  # as the sentences have it
    return words | {key: number(value, DIGITS) for key, value in figures.items()}


def summary_info(result: ComparisonResult, names: Mapping[str, str]) -> SummaryInfo:
    """Work out what the summary says."""
    noun = "part" if "fold_sizes" in result.constraints else "fold"
    table, best = result.summary, result.best_runs
    random = float(table.loc[RANDOM, ("rld", "mean")]) if RANDOM in best else math.nan
    rows = tuple(sorted((_row(result, method, names[method], noun, random) for method in result.methods), key=_place))
    first = rows[0] if best else None
    n_seeds = max((row.n_runs for row in rows), default=0)
    if first is None:
        kept = " The best splits found until then are kept." if result.stopped_runs else ""
        nothing = f"No run was done, so there is nothing to compare.{kept}"
        return SummaryInfo(rows, "", None, (nothing,), (), n_seeds, noun)
    if math.isnan(first.score("rld").value):
        nothing = "No label has both a row that carries it and one that does not, so there is nothing to spread."
        return SummaryInfo(rows, first.method, first.grade, (nothing,), (), n_seeds, noun)
    done = [row for row in rows if row.run is not None]
    verdict, remarks = verdict_and_remarks(first, done, result, names)
    torn = "" if result.torn is None else result.torn.noun
    return SummaryInfo(rows, first.method, first.grade, verdict, remarks, n_seeds, noun, torn)


def _place(row: SummaryRow) -> tuple[int, float, tuple[float, ...]]:
    """Say where a method stands, the best lowest: by its grade, and then its score.

    Folds of quite other sizes than asked for come after all others. Those of slightly other sizes count as half a
    grade less: a good split of them is still better than a weak one. A lower score than that of a better grade is
    bought with folds of somewhat other sizes, whose bound is lower.
    """
    if row.run is None or row.grade is None:
        return 2, 0, ()
    return int(row.is_far_off_size), row.grade.rank + row.is_off_size / 2, row.run.place


def _row(result: ComparisonResult, method: str, name: str, noun: str, random: float) -> SummaryRow:
    table, run = result.summary, result.best_runs.get(method)
    grade = None
    if run is not None and run.report is not None:
        # what is known exactly, as where a split is checked by itself; groups and fixed rows leave less to chance
        is_bound = not result.constraints.keys().isdisjoint(("groups", "fixed"))
        given = None if is_bound else usual_rld(run.report)
        if given is None and not math.isnan(random):
            given = random
        grade = grade_of(run.report, random=given, unfair=run.unfair, n_avoidable_missing=run.n_missing)
    return SummaryRow(
        method=method,
        name=name,
        n_done=int(table.loc[method, ("runs", "done")]),
        n_runs=int(table.loc[method, ("runs", "all")]),
        cells={key: Cell(*(float(table.loc[method, (key, each)]) for each in ("mean", "std"))) for key in titles()},
        reasons=tuple(dict.fromkeys(each.reason for each in result.runs if each.method == method and each.reason)),
        run=run,
        grade=grade,
        unfair="" if run is None else unfair_text(run.unfair, [f"{noun} {at}" for at in range(result.n_splits)]),
        noun=noun,
    )
