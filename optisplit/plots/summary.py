"""The one verdict on a comparison: which split is best, how good it is, and all methods in the order that follows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.comparison.fairness import unfair_text
from optisplit.measures.grade import Grade, grade_of, near_words, usual_rld
from optisplit.measures.missing import missing_words
from optisplit.measures.registry import MEASURES, name_of
from optisplit.measures.score import SAME, Score
from optisplit.methods import METHODS
from optisplit.text import counted, joined, number, number_with_spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from optisplit.comparison.experiment import ComparisonResult, Run
    from optisplit.measures.report import Report

CLEARLY = 1.05
"""So many times as uneven as another is clearly worse."""

VERY_UNEQUAL = 0.1
"""Mean difference from the sizes asked for, as a part of a mean fold, above which folds are of quite other sizes."""

DIGITS = 2
"""Digits of figures in tables that people read; files have them all."""

RANDOM = "random"


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
        """Labels that are missing from a fold that they could be in: a model cannot be scored for them there."""
        assert self.run is not None
        return self.run.n_missing

    @property
    def n_unavoidable(self) -> int:
        """Labels with fewer rows than there are folds, which are missing from some fold in any split."""
        positives = self.report.positives
        return int(((positives > 0) & (positives < self.report.n_splits)).sum())

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
    random: float  # mean rLD of random splits; NaN where none were made
    noun: str  # what the pieces are called: "fold" or "part"

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
        """How many labels each of these splits leaves out of a fold that they could be in, by method."""
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
            {"Measure": measure.heading} | {row.name: row.score(key).cell for row in self.done}
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
        "method": ("Method", "By the best of its splits; the best method first."),
        "grade": (
            "Grade",
            "From best possible, where it is proven that no split is better, over very good, good and weak to no "
            "better than random; faulty where labels are missing where they could be, or parts are unfair.",
        ),
        "rld": (
            "Labels spread unevenly by",
            f"rLD: how far a label's share of a {noun}'s rows is from its share of all rows, relative to that; the "
            "mean over labels. The bar is empty at the best possible and full at random splits.",
        ),
        "missing": (
            "Labels missing where they could be",
            f"Labels without a row in a {noun} that they could be in, each looked at alone: a model cannot be scored "
            f"for them there. Those with fewer rows than there are {noun}s are missing in any split, and do not count.",
        ),
        "ed": (f"{noun.capitalize()} sizes off by", f"ED: rows by which the {noun}s differ from {size}, on average."),
        "time_s": ("Seconds", "Processor time of the method itself, the mean over the seeds."),
    }


def _line(row: SummaryRow) -> dict[str, str]:
    words = {"method": row.name, "grade": row.grade_words}
    if row.run is None:
        return words | dict.fromkeys(("rld", "missing", "ed", "time_s"), "–")
    figures = {"rld": row.score("rld").value, "missing": row.n_missing, "ed": row.score("ed").value}
    figures["time_s"] = row.cells["time_s"].mean
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
        return SummaryInfo(rows, "", None, (nothing,), (), n_seeds, random, noun)
    if math.isnan(first.score("rld").value):
        nothing = "No label has both a row that carries it and one that does not, so there is nothing to spread."
        return SummaryInfo(rows, first.method, first.grade, (nothing,), (), n_seeds, random, noun)
    done = [row for row in rows if row.run is not None]
    other = _other(first, done)
    instead = _instead_sentence(first, other)
    caveats = [*_caveats(first, other, result, names)]
    last = caveats[0] if caveats else _advice(first, result)
    verdict = tuple(filter(None, (_first_sentence(first, len(done) > 1), instead, last)))
    remarks = (*caveats[1:], *_remarks(first, done, result, noun))
    return SummaryInfo(rows, first.method, first.grade, verdict, remarks, n_seeds, random, noun)


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


def _first_sentence(first: SummaryRow, is_best_of_several: bool) -> str:
    """Say which split it is, and how near to the best possible."""
    assert first.run is not None
    score, seed = first.score("rld"), first.run.seed
    which = f"The best split is that of {first.name}" if is_best_of_several else f"The split of {first.name}"
    return f"{which} (seed {seed}): its rLD is {number(score.value)}, {near_words(score)}."


def _other(first: SummaryRow, done: list[SummaryRow]) -> SummaryRow | None:
    """Pick what stands for all the other splits: random ones, or the last where there are none."""
    others = [row for row in done if row is not first]
    return next((row for row in others if row.method == RANDOM), others[-1] if others else None)


def _instead_sentence(first: SummaryRow, other: SummaryRow | None) -> str:
    """Say what another split does instead; empty where there is no other."""
    if other is None:
        return ""
    name = f"random {first.noun}s" if other.method == RANDOM else f"{other.name}, the last here,"
    spread = "spread" if other.method == RANDOM else "spreads"
    ours, theirs = first.score("rld").value, other.score("rld").value
    if ours <= SAME:
        uneven = f"{name} {spread} the labels with an rLD of {number(theirs)}"
    elif theirs < ours / CLEARLY:
        uneven = f"{name} {spread} the labels more evenly ({number(theirs)})"
    elif theirs < CLEARLY * ours:
        uneven = f"{name} {spread} the labels about as evenly ({number(theirs)})"
    else:
        uneven = f"{name} {spread} the labels {number(theirs / ours, DIGITS)} times as unevenly ({number(theirs)})"
    if first.n_missing or not other.n_missing:  # the first is told of by itself
        return f"{uneven[:1].upper()}{uneven[1:]}."
    missing = _missing_words(first, other, ", for which a model cannot be scored there")
    return f"{missing[:1].upper()}{missing[1:]}; {uneven}."


def _missing_words(row: SummaryRow, other: SummaryRow | None = None, what: str = "") -> str:
    """Say how many labels are missing, beside those of another split."""
    beside = ""
    if other is not None:
        name = f"random {row.noun}s" if other.method == RANDOM else other.name
        beside = f"{name}: {other.n_missing:,}{what}"
    return missing_words(row.n_missing, len(row.report.positives), row.noun, beside)


def _advice(first: SummaryRow, result: ComparisonResult) -> str:
    """Say what to do with a split of which nothing else is to be known."""
    if first.grade is not None and first.grade.severity == "ok":
        return "" if result.torn is not None else "Nothing speaks against using it."
    best = METHODS["optisplit-sa"].name
    return "" if "optisplit-sa" in result.methods else f"A better one is likely: compare with {best}."


def _caveats(
    first: SummaryRow, other: SummaryRow | None, result: ComparisonResult, names: Mapping[str, str]
) -> Iterator[str]:
    """Say what is to be known before the split is used, the weightiest first."""
    noun = first.noun
    if first.is_off_size:
        yield _sizes_sentence(first)
    if first.unfair:
        yield f"But its {noun}s are {first.unfair}."
    if first.n_missing:
        alone = ", each looked at alone" + (" and as far as the groups allow" if "groups" in result.constraints else "")
        yield f"But {_missing_words(first, other)}{alone}; no better split was found."
    yield from _stopped_sentence(first, result, names)
    if first.n_unavoidable and not first.n_missing:
        few = counted(first.n_unavoidable, "label", "has")
        them = "it" if first.n_unavoidable == 1 else "them"
        yield (
            f"{few} fewer rows than there are {noun}s, so that every split lacks {them} in some {noun}: leave {them} "
            f"out, or merge {them} with others."
        )


def _stopped_sentence(first: SummaryRow, result: ComparisonResult, names: Mapping[str, str]) -> Iterator[str]:
    """Say so where a run that was stopped had a better split."""
    found = [run for run in result.stopped_runs if run.report is not None]
    run = min(found, key=lambda run: run.place, default=None)
    if run is not None and run.report is not None and first.run is not None and run.place < first.run.place:
        name = names[run.method]
        yield f"{name} had a split with a lower rLD, {number(run.report.rld)}, when it was stopped: it is kept."


def _sizes_sentence(row: SummaryRow) -> str:
    """Say that the winner's folds are clearly not of the sizes asked for: it may not suit."""
    ed, share = number(row.score("ed").value), row.report.fold_sizes.mean()
    if row.noun == "part":
        return f"But the parts of {row.name} are on average {ed} rows from the sizes asked for (ED)."
    how = "very unequal" if row.is_far_off_size else "slightly unequal"
    return f"But the folds of {row.name} are of {how} size: on average {ed} rows from {share:,.0f} (ED)."


def _remarks(first: SummaryRow, done: list[SummaryRow], result: ComparisonResult, noun: str) -> Iterator[str]:
    """Say what else there is to say of the methods beside each other."""
    yield from _near_sentence(first, done)
    lower = [row for row in done[1:] if row.score("rld").value < first.score("rld").value]
    yield from (_lower_sentence(row, noun) for row in lower)
    yield from _dcp_sentence(first, done)
    yield from (f"{row.name} is {row.unfair}." for row in done[1:] if row.unfair and row not in lower)
    for row in done:
        n_unfair = sum(len(run.unfair) > 0 for run in result.runs_of(row.method))
        if n_unfair and not row.unfair:
            yield f"{n_unfair} of {counted(row.n_done, 'split')} of {row.name} are unfair; not the one shown."
    yield from (
        f"{row.name}: {row.n_done} of {counted(row.n_runs, 'run')} done: {'; '.join(row.reasons)}."
        for row in done
        if row.reasons
    )
    left_out = first.report.left_out
    if left_out:
        names = joined(left_out, limit=5)
        yield (
            f"{counted(len(left_out), 'label', 'is')} on no row or on every row, so no split can do anything about "
            f"that; left out of the means: {names}."
        )


def _near_sentence(first: SummaryRow, done: list[SummaryRow]) -> Iterator[str]:
    """Say so where the next method is as good, as far as the seeds can tell."""
    behind = [row for row in done[1:] if not row.unfair and row.score("rld").value >= first.score("rld").value]
    if not behind:
        return
    spread = max((row.cells["rld"].std for row in (first, behind[0])), key=lambda std: -1 if math.isnan(std) else std)
    if behind[0].score("rld").value - first.score("rld").value < spread:
        score = number(behind[0].score("rld").value)
        yield f"{behind[0].name} is about as good ({score}): the difference is within the spread over seeds."


def _lower_sentence(row: SummaryRow, noun: str) -> str:
    """Say why a method with a lower score is not called the best."""
    rld, ed = row.score("rld"), row.score("ed")
    start = f"{row.name} has a lower rLD, {number(rld.value)}, but"
    if row.is_off_size:
        sizes = "parts of other sizes than asked for" if noun == "part" else "folds of unequal size"
        return f"{start} makes {sizes} (ED {number(ed.value)} rows), with which {number(rld.bound)} would be possible."
    if row.unfair:
        return f"{start} its {noun}s are {row.unfair}."
    if row.n_missing:
        return f"{start} {_missing_words(row)}."
    return f"{start} with its {noun} sizes (ED {number(ed.value)} rows) {number(rld.bound)} would be possible."


def _dcp_sentence(first: SummaryRow, done: list[SummaryRow]) -> Iterator[str]:
    """Say so where another method with fair folds of the sizes asked for is better by DCP."""
    equal = [row for row in done if row is first or not (row.is_off_size or row.unfair)]
    best = min(equal, key=lambda row: row.score("dcp").value)
    ours, theirs = first.score("dcp").value, best.score("dcp").value
    if theirs < ours * (1 - SAME):
        yield f"By {name_of('dcp')}, {best.name} is better ({number(theirs)} against {number(ours)})."
