"""What a comparison says in sentences: of the best split, of others beside it, and of what is to be known of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from optisplit.measures.grade import near_words
from optisplit.measures.missing import missing_words
from optisplit.measures.registry import name_of
from optisplit.measures.score import SAME
from optisplit.measures.shown import left_out_sentence
from optisplit.measures.widths import few_words, has_few
from optisplit.methods import METHODS
from optisplit.text import capital, counted, named, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from optisplit.comparison.experiment import ComparisonResult
    from optisplit.plots.summary import SummaryRow

CLEARLY = 1.05
"""So many times as uneven as another is clearly worse."""

DIGITS = 2
"""Digits of figures that people read in tables and sentences; files have them all."""

RANDOM = "random"


MOST_IN_SENTENCE = 3
"""Labels that a verdict names: it is short."""


def verdict_and_remarks(
    first: SummaryRow, done: Sequence[SummaryRow], result: ComparisonResult, names: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give up to three sentences: which split, what others do, what to know; and what else there is to say.

    Before them stands which groups the splits divide, where a column seems to name some.
    """
    other = _other(first, done)
    caveats = [*_caveats(first, other, result, names)]
    few = _few_sentence(first)
    last = caveats[0] if caveats else _advice(first, result, few)
    torn = "" if result.torn is None else result.torn.sentence
    sentences = (torn, _first_sentence(first, len(done) > 1), _instead_sentence(first, other), last)
    verdict = tuple(filter(None, sentences))
    more = [few] if few and few != last else []
    return verdict, (*caveats[1:], *_remarks(first, done, result), *more)


def _first_sentence(first: SummaryRow, is_best_of_several: bool) -> str:
    """Say which split it is, and how near to the best possible."""
    assert first.run is not None
    score, seed = first.score("rld"), first.run.seed
    which = f"The best split is that of {first.name}" if is_best_of_several else f"The split of {first.name}"
    return f"{which} (seed {seed}): its rLD is {number(score.value)}, {near_words(score)}."


def _other(first: SummaryRow, done: Sequence[SummaryRow]) -> SummaryRow | None:
    """Pick what stands for all the other splits: random ones, or the last where there are none."""
    others = [row for row in done if row is not first]
    return next((row for row in others if row.method == RANDOM), others[-1] if others else None)


def _instead_sentence(first: SummaryRow, other: SummaryRow | None) -> str:
    """Say what another split does instead; empty where there is no other."""
    if other is None:
        return ""
    name = _random_words(other) if other.method == RANDOM else f"{other.name}, the last here,"
    spread = "spread" if other.method == RANDOM and other.n_done == 1 else "spreads"
    ours, theirs = first.score("rld").value, other.score("rld").value
    if ours <= SAME:
        uneven = f"{name} {spread} the labels with an rLD of {number(theirs)}"
    elif theirs < ours / CLEARLY:
        uneven = f"{name} {spread} the labels more evenly ({number(theirs)})"
    elif not _is_clearly_worse(theirs, ours):
        uneven = f"{name} {spread} the labels about as evenly ({number(theirs)})"
    else:
        uneven = f"{name} {spread} the labels {number(theirs / ours, DIGITS)} times as unevenly ({number(theirs)})"
    if first.n_missing or not other.n_missing:  # the first is told of by itself
        return f"{capital(uneven)}."
    missing = _missing_words(first, other, ", for which a model cannot be scored there")
    return f"{capital(missing)}; {uneven}."


def _random_words(row: SummaryRow) -> str:
    """Name random splits, of which the best stands for all, as of every method: by faults first, then by rLD."""
    if row.n_done <= 1:
        return f"random {row.noun}s"
    is_lowest = row.score("rld").value <= row.cells["rld"].mean + SAME
    return f"the {'best' if is_lowest else 'least faulty'} of {row.n_done} random splits"


def _missing_words(row: SummaryRow, other: SummaryRow | None = None, what: str = "") -> str:
    """Say how many labels are missing, beside those of another split."""
    beside = ""
    if other is not None:
        name = _random_words(other) if other.method == RANDOM else other.name
        beside = f"{name}: {other.n_missing:,}{what}"
    return missing_words(row.n_missing, len(row.report.positives), row.noun, beside)


def _advice(first: SummaryRow, result: ComparisonResult, few: str) -> str:
    """Say what to do with a split of which nothing else is to be known than that labels have `few` positives."""
    if first.grade is not None and first.grade.severity == "ok":
        return few or ("" if result.torn is not None else "Nothing speaks against using it.")
    best = METHODS["optisplit-sa"].name
    return "" if "optisplit-sa" in result.methods else f"A better one is likely: compare with {best}."


def _few_sentence(first: SummaryRow) -> str:
    """Say so where labels have so few positives in a fold or part that their score there says little.

    Of parts the largest is for training.
    """
    report = first.report
    is_few = has_few(report.counts) & report.is_scored
    if first.noun == "part":
        is_few[report.fold_sizes.argmax()] = False
    n_few = int(is_few.any(axis=0).sum())
    if not n_few:
        return ""
    at = np.flatnonzero(is_few.any(axis=1))
    where = f"part {at[0]}" if first.noun == "part" and len(at) == 1 else f"a {first.noun}"
    they = "it" if n_few == 1 else "them"
    return f"{few_words(n_few, f'in {where}')}, so that one score of {they} there says little."


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
    rare = first.unavoidable
    if rare and not first.n_missing:
        few, them = counted(len(rare), "label", "has"), "it" if len(rare) == 1 else "them"
        which = f": {named(rare)}" if len(rare) <= MOST_IN_SENTENCE else ""
        yield (
            f"{few} fewer rows than there are {noun}s, so that every split lacks {them} in some {noun}: leave {them} "
            f"out, or merge {them} with others{which}."
        )


def _stopped_sentence(first: SummaryRow, result: ComparisonResult, names: Mapping[str, str]) -> Iterator[str]:
    """Say so where a run that was stopped had a better split."""
    found = [run for run in result.stopped_runs if run.report is not None]
    run = min(found, key=lambda run: run.place, default=None)
    if run is None or run.report is None or first.run is None:
        return
    if run.place[:-1] < first.run.place[:-1]:  # of equal scores it says nothing, whichever is fairer to rows
        name = names[run.method]
        yield f"{name} had a split with a lower rLD, {number(run.report.rld)}, when it was stopped: it is kept."


def _sizes_sentence(row: SummaryRow) -> str:
    """Say that the winner's folds are clearly not of the sizes asked for: it may not suit."""
    ed, share = number(row.score("ed").value), row.report.fold_sizes.mean()
    if row.noun == "part":
        return f"But the parts of {row.name} are on average {ed} rows from the sizes asked for (ED)."
    how = "very unequal" if row.is_far_off_size else "slightly unequal"
    return f"But the folds of {row.name} are of {how} size: on average {ed} rows from {share:,.0f} (ED)."


def _remarks(first: SummaryRow, done: Sequence[SummaryRow], result: ComparisonResult) -> Iterator[str]:
    """Say what else there is to say of the methods beside each other."""
    yield from _near_sentence(first, done)
    lower = [row for row in done[1:] if row.score("rld").value < first.score("rld").value]
    yield from (_lower_sentence(row) for row in lower)
    yield from _dcp_sentence(first, done)
    yield from (f"{row.name} is {row.unfair}." for row in done[1:] if row.unfair and row not in lower)
    for row in done:
        n_unfair = sum(len(run.unfair) > 0 for run in result.runs_of(row.method))
        if n_unfair and not row.unfair:
            verb = "is" if n_unfair == 1 else "are"
            yield f"{n_unfair} of {counted(row.n_done, 'split')} of {row.name} {verb} unfair; not the one shown."
    yield from (
        f"{row.name}: {row.n_done} of {counted(row.n_runs, 'run')} done: {'; '.join(row.reasons)}."
        for row in done
        if row.reasons
    )
    if left_out := left_out_sentence(first.report):
        yield left_out


def _near_sentence(first: SummaryRow, done: Sequence[SummaryRow]) -> Iterator[str]:
    """Say so where the next method is as good, as far as the seeds can tell.

    Never where the split is proven to be the best, nor of one that is clearly worse, however far seeds are apart.
    """
    ours = first.score("rld")
    behind = [row for row in done[1:] if not _is_flawed(row) and row.score("rld").value >= ours.value]
    if not behind or ours.is_best:
        return
    theirs = behind[0].score("rld").value
    spread = max((row.cells["rld"].std for row in (first, behind[0])), key=lambda std: -1 if math.isnan(std) else std)
    if theirs - ours.value < spread and not _is_clearly_worse(theirs, ours.value):
        yield f"{behind[0].name} is about as good ({number(theirs)}): the difference is within the spread over seeds."


def _is_flawed(row: SummaryRow) -> bool:
    """Tell whether a split has more against it than its score."""
    return bool(row.unfair) or row.n_missing > 0 or row.is_off_size


def _is_clearly_worse(theirs: float, ours: float) -> bool:
    """Tell whether a score is so much higher than ours that no sentence may call it as good."""
    return theirs >= CLEARLY * ours


def _lower_sentence(row: SummaryRow) -> str:
    """Say why a method with a lower score is not called the best."""
    rld, ed = row.score("rld"), row.score("ed")
    start = f"{row.name} has a lower rLD, {number(rld.value)}, but"
    if row.is_off_size:
        sizes = "parts of other sizes than asked for" if row.noun == "part" else "folds of unequal size"
        return f"{start} makes {sizes} (ED {number(ed.value)} rows), with which {number(rld.bound)} would be possible."
    if row.unfair:
        return f"{start} its {row.noun}s are {row.unfair}."
    if row.n_missing:
        return f"{start} {_missing_words(row)}."
    return f"{start} with its {row.noun} sizes (ED {number(ed.value)} rows) {number(rld.bound)} would be possible."


def _dcp_sentence(first: SummaryRow, done: Sequence[SummaryRow]) -> Iterator[str]:
    """Say so where another method with fair folds of the sizes asked for is better by DCP."""
    equal = [row for row in done if row is first or not (row.is_off_size or row.unfair)]
    best = min(equal, key=lambda row: row.score("dcp").value)
    ours, theirs = first.score("dcp").value, best.score("dcp").value
    if theirs < ours * (1 - SAME):
        yield f"By {name_of('dcp')}, {best.name} is better ({number(theirs)} against {number(ours)})."
