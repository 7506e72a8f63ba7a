"""Tables of the library as lines of text, for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.cli.spelling import in_options
from optisplit.errors import worded
from optisplit.measures.registry import MEASURES
from optisplit.methods.optisplit_sa import FEWEST_PAIRED
from optisplit.text import counted, few, from_to, listed, percent, short_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.check.repairs import Repair
    from optisplit.measures.report import Report

N_SHOWN = 5
"""Labels named of each kind."""


def score_line(report: Report, measure: str) -> str:
    """Write one score, with its bound where there is one."""
    score = report.score(measure)
    bound = f" (bound {short_number(score.bound)})" if MEASURES[measure].has_bound else ""
    return f"{MEASURES[measure].name} {short_number(score.value)}{bound}"


def missing_lines(missing: pd.DataFrame, *, was_sought: bool, n_drawn: int = 0, noun: str = "fold") -> list[str]:
    """Say how many labels are missing from how many folds, how many of these could be helped, and name the first.

    `n_drawn` of them need not be there, as the label has too few rows for its share.
    """
    if missing.empty:
        return [f"Missing labels: none; every label that has positives is in every {noun}."]
    n_missing, n_unavoidable = (int(missing[column].sum()) for column in ("n_missing", "n_unavoidable"))
    lines = [
        f"Missing labels: {counted(len(missing), 'label', 'is')} missing from at least one {noun}, "
        f"{counted(n_missing, 'time')} in all: {n_unavoidable:,} unavoidable, "
        f"{f'{n_drawn:,} with too few rows for their share there, ' if n_drawn else ''}"
        f"{n_missing - n_unavoidable - n_drawn:,} where they should be{', but no way was found' if was_sought else ''}."
    ]
    for row in missing.head(N_SHOWN).itertuples():
        names = row.missing_from.split(", ")
        where = few(names[: 2 * N_SHOWN], len(names))
        lines.append(f"  {row.label!r}, {counted(row.positives, 'positive')}, not in {where}: {row.reason}")
    left = len(missing) - N_SHOWN
    return [*lines, f"  and {counted(left, 'more label')}"] if left > 0 else lines


def pair_line(n_pairs: int, report: Report | None, *measures: str) -> str:
    """Say how evenly pairs of labels that occur together are spread."""
    which = f"Pairs: {counted(n_pairs, 'pair')} of labels that occur together in at least {FEWEST_PAIRED} rows"
    if not n_pairs or report is None:
        return f"{which}."
    return f"{which}: {', '.join(score_line(report, measure) for measure in measures)}"


def check_lines(check: SplitCheck) -> list[str]:
    """Write what a check found: the measures among random splits, what is wrong, and the verdict."""
    lines = []
    if check.n_random:
        lines.append(f"Of {check.n_random} random splits with the same part sizes:")
        width = max(len(each.name) for each in MEASURES.values())
        lines += [
            f"  {row.name:{width}}{short_number(row.value):>10}: {row.place} (mean {short_number(row.random_mean)}, "
            f"5 % to 95 %: {from_to(row.random_low, row.random_high)})"
            for row in check.measures.dropna(subset=["percentile"]).itertuples()
        ]
    if check.pairs is not None:
        lines.append(pair_line(len(check.pairs.label_names), check.pairs, "rld", "dcp"))
    if len(check.untrainable):
        n_helpable = int((check.untrainable["n_helpable"] > 0).sum())
        lines.append(
            f"Untrainable: {counted(len(check.untrainable), 'label', 'has')} no positive in the training rows of a "
            f"tested {check.split.noun}, {n_helpable:,} of which could: {listed(check.untrainable['label'].tolist())}."
        )
    seen = [*(check.width_sentences if check.has_features else ()), *(check.apart.sentences if check.apart else ())]
    if seen:
        lines += ["What a model would see:", *(f"  {sentence}" for sentence in seen)]
    lines += [
        f"{'Fault' if fault.severity == 'fault' else 'To look at'}: {fault.sentence} "
        + worded(fault.advice, in_options)
        for fault in check.faults
    ]
    if check.advice_on_never:
        lines.append(worded(check.advice_on_never, in_options))
    lines.append(f"Verdict: {check.grade.title}. {in_one(check.sentences)}")
    return lines


def in_one(sentences: Iterable[str]) -> str:
    """Put sentences into one text, with arguments called as options."""
    return " ".join(worded(sentence, in_options) for sentence in sentences)


def repair_lines(repaired: Repair, measure: str) -> list[str]:
    """Write what a repair did: scores before and after, rows moved, the labels that gained most."""
    width = 1 + max(len(each.name) for each in MEASURES.values())
    lines = [f"{'':{width}}{'before':>10}{'(bound)':>10}{'after':>10}{'(bound)':>10}"]
    for key, each in MEASURES.items():
        scores = (repaired.before.score(key), repaired.after.score(key))
        figures = [
            short_number(figure) if each.has_bound or figure is score.value else ""
            for score in scores
            for figure in (score.value, score.bound)
        ]
        lines.append(f"{each.name:{width}}" + "".join(f"{figure:>10}" for figure in figures).rstrip())
    n_rows = len(repaired.folds)
    placed = f" Placed: {counted(repaired.n_placed, 'row')} that had no part." if repaired.n_placed else ""
    lines.append(f"Moved: {repaired.n_moved:,} of {n_rows:,} rows ({percent(repaired.n_moved / n_rows, 3)}).{placed}")
    return [*lines, *_gain_lines(repaired, measure)]


def _gain_lines(repaired: Repair, measure: str) -> list[str]:
    shown = "dcp" if measure == "dcp" else "rld"  # gains are not told in LD
    gain = f"{shown}_gain"
    best = repaired.gains[repaired.gains[gain] > 0].sort_values(gain, ascending=False, kind="stable").head(N_SHOWN)
    if best.empty:
        return []
    lines = [f"Gained most in {MEASURES[shown].name}:"]
    for _, row in best.iterrows():
        was, now = row["missing_before"], row["missing_after"]
        missing = f", missing from {was} -> {counted(now, 'fold')}" if was else ""
        lines.append(
            f"  {row['label']!r}, {counted(row['positives'], 'positive')}: "
            f"{short_number(row[f'{shown}_before'])} -> {short_number(row[f'{shown}_after'])}{missing}"
        )
    return lines
