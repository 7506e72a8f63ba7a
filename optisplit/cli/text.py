"""Tables of the library as lines of text, for the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.errors import listed
from optisplit.text import MEASURE_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from optisplit.check.checks import SplitCheck
    from optisplit.check.repairs import Repair
    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report

N_SHOWN = 5
"""Labels named of each kind."""


def score_line(report: Report, measure: str) -> str:
    """Write one score, with its bound where there is one."""
    bound = f" (bound {getattr(report, f'{measure}_bound'):.4g})" if hasattr(report, f"{measure}_bound") else ""
    return f"{MEASURE_NAMES[measure]} {getattr(report, measure):.4g}{bound}"


def absence_lines(absences: pd.DataFrame, *, was_sought: bool) -> list[str]:
    """Say how many labels are missing from how many folds, how many of these could be helped, and name the first."""
    if absences.empty:
        return ["Absences: none; every label that has positives is in every fold."]
    n_absent = int(absences["n_absent"].sum())
    n_unavoidable = int(absences[["n_absent", "n_unavoidable"]].min(axis=1).sum())
    lines = [
        f"Absences: {len(absences):,} label(s) are missing from at least one fold, {n_absent:,} times in all: "
        f"{n_unavoidable:,} unavoidable, {n_absent - n_unavoidable:,} possible{' but not found' if was_sought else ''}."
    ]
    for row in absences.head(N_SHOWN).itertuples():
        folds = row.absent_folds.split(", ")
        more = f" and {len(folds) - 2 * N_SHOWN:,} more" if len(folds) > 2 * N_SHOWN else ""
        partly = f" ({row.n_unavoidable} unavoidable)" if 0 < row.n_unavoidable < row.n_absent else ""
        lines.append(
            f"  {row.label!r}, {row.positives:,} positive(s), not in fold {', '.join(folds[: 2 * N_SHOWN])}{more}"
            f"{partly}: {row.reason}"
        )
    left = len(absences) - N_SHOWN
    return [*lines, f"  and {left:,} more label(s)"] if left > 0 else lines


def pair_line(data: MultilabelDataset, folds: FoldArray, n_splits: int) -> str:
    """Say how evenly pairs of labels that occur together are spread."""
    from optisplit.measures.pairs import label_pairs
    from optisplit.measures.report import evaluate
    from optisplit.methods.optisplit_sa import FEWEST_PAIRED

    pairs = label_pairs(data, min_rows=FEWEST_PAIRED)
    which = f"{pairs.n_labels:,} pair(s) of labels that occur together in at least {FEWEST_PAIRED} rows"
    if pairs.n_labels == 0:
        return f"Pairs: {which}."
    return f"Pairs: {which}: {score_line(evaluate(pairs, folds, n_splits=n_splits), 'rld')}"


def group_line(groups: list[str], folds: FoldArray) -> tuple[str, bool]:
    """Say whether a split keeps groups whole."""
    import pandas as pd

    n_places = pd.Series(folds).groupby(groups, sort=False).nunique()
    divided = [str(group) for group in n_places.index[n_places > 1]]
    if not divided:
        return f"Groups: all {len(n_places):,} are whole.", True
    return f"Groups: {len(divided):,} of {len(n_places):,} are divided between folds: {listed(divided)}.", False


def check_lines(check: SplitCheck) -> list[str]:
    """Write what a check found: the measures among random splits, what is wrong, and the verdict."""
    lines = []
    if check.n_random:
        lines.append(f"Of {check.n_random} random splits with the same part sizes:")
        lines += [
            f"  {row.name:4}{row.value:>10.4g}: {row.place} (mean {row.random_mean:.4g}, 5 % to 95 %: "
            f"{row.random_low:.4g} to {row.random_high:.4g})"
            for row in check.measures.dropna(subset=["percentile"]).itertuples()
        ]
    if check.pairs is not None:
        n_pairs = len(check.pairs.label_names)
        shown = f": {score_line(check.pairs, 'rld')}, {score_line(check.pairs, 'dcp')}" if n_pairs else ""
        lines.append(f"Pairs: {n_pairs:,} pair(s) of labels that occur together in at least 2 rows{shown}")
    if len(check.untrainable):
        n_helpable = int((check.untrainable["n_helpable"] > 0).sum())
        lines.append(
            f"Untrainable: {len(check.untrainable):,} label(s) have no positive in the training rows of a tested "
            f"part, {n_helpable:,} of which could: {listed(check.untrainable['label'].tolist())}."
        )
    lines += [
        f"{'Fault' if fault.severity == 'fault' else 'To look at'}: {fault.sentence} {fault.advice}"
        for fault in check.faults
    ]
    lines.append(f"Verdict: {check.verdict.sentence}")
    return lines


def repair_lines(mended: Repair, measure: str) -> list[str]:
    """Write what a repair did: scores before and after, rows moved, the labels that gained most."""
    lines = [f"{'':6}{'before':>10}{'(bound)':>10}{'after':>10}{'(bound)':>10}"]
    names = {**MEASURE_NAMES, "ed": "ED", "fz": "FZ", "flz": "FLZ"}
    for key, name in names.items():
        figures = [
            _figure(getattr(r, each, None)) for r in (mended.before, mended.after) for each in (key, f"{key}_bound")
        ]
        lines.append(f"{name:6}" + "".join(f"{figure:>10}" for figure in figures).rstrip())
    n_rows = len(mended.folds)
    lines.append(f"Moved: {mended.n_moved:,} of {n_rows:,} rows ({100 * mended.n_moved / n_rows:.1f} %).")
    return [*lines, *_gain_lines(mended, measure)]


def _gain_lines(mended: Repair, measure: str) -> list[str]:
    shown = "dcp" if measure == "dcp" else "rld"  # gains are not told in LD
    gain = f"{shown}_gain"
    best = mended.gains[mended.gains[gain] > 0].sort_values(gain, ascending=False, kind="stable").head(N_SHOWN)
    if best.empty:
        return []
    lines = [f"Gained most in {MEASURE_NAMES[shown]}:"]
    for _, row in best.iterrows():
        absent = (
            f", missing from {row['absent_before']} -> {row['absent_after']} fold(s)" if row["absent_before"] else ""
        )
        lines.append(
            f"  {row['label']!r}, {row['positives']:,} positive(s): "
            f"{row[f'{shown}_before']:.4g} -> {row[f'{shown}_after']:.4g}{absent}"
        )
    return lines


def _figure(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
