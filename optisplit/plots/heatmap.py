"""Figure: how far each class's positives in each fold are from the fold's fair share of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from optisplit.errors import OptionError
from optisplit.plots.bands import FloatArray, IntArray, SizeBands, SplitReport, equal_bands, quantiles_by_band
from optisplit.plots.palette import shorten
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW_NAME_LIMIT = 28
"""Longest row name, in characters, the class size included."""

_BANDS = 24
_LIMITS = (0.1, 0.2, 0.5, 1.0)  # colour ranges to choose from


@dataclass(frozen=True, slots=True)
class FoldHeatmapInfo:
    """Deviations by class and fold, ready to draw."""

    # short names of the rows: classes from the largest to the smallest, or bands of class sizes
    row_names: tuple[str, ...]
    full_names: tuple[str, ...]  # the same, not shortened
    fold_sizes: IntArray  # shape (k,): rows of the data in each fold
    # shape (r, k): positives in the fold / fair share - 1. For bands: percentiles 10, 50 and 90 over the band's
    # classes
    deviations: FloatArray
    counts: IntArray  # shape (r, k): positives in the fold; for bands those of all their classes
    sizes: IntArray  # shape (r,): positives altogether
    is_banded: bool  # whether rows are bands of classes
    n_classes: int  # scored classes
    n_left_out: int  # classes without a score
    limit: float  # deviation at which the colour scale ends, on both sides
    fold_names: tuple[str, ...]  # what the folds are called, in order
    noun: str  # "fold" or "part"


def fold_heatmap_info(
    report: SplitReport,
    *,
    fold_names: Sequence[str] | None = None,
    noun: str = "fold",
    max_rows: int = 60,
    limit: float | None = None,
) -> FoldHeatmapInfo:
    """Work out how far each class's positives in each fold are from the fold's fair share.

    - The fair share is the class's positives times the fold's part of the rows.
    - Rows go from the largest class to the smallest; classes without a score are left out and counted.
    - More than `max_rows` classes are put in bands of similar size, each shown by the low 10 %, the median
      and the high 10 % of its classes' deviations in the fold: in a mean, too many would hide too few.
    """
    if max_rows < 1:
        msg = f"max_rows={max_rows} leaves nothing to draw; use max_rows >= 1."
        raise OptionError(msg)
    if limit is not None and not limit > 0:
        msg = f"limit={limit} is no range for colours; use a limit above 0, such as 0.5 for 50 %."
        raise OptionError(msg)
    scored = np.flatnonzero(report.is_scored)
    scored = scored[np.argsort(-report.positives[scored], kind="stable")]
    sizes, counts = report.positives[scored].astype(np.int64), report.counts[:, scored].astype(np.int64)
    fold_sizes = report.fold_sizes.astype(np.int64)
    deviations = _deviations(counts, sizes, fold_sizes)
    is_banded = len(scored) > max_rows
    if is_banded:
        bands = equal_bands(sizes, min(max_rows, _BANDS))
        row_names = full_names = tuple(bands.describe(band) for band in reversed(range(len(bands))))
        counts, sizes = _sum_by_band(counts, bands), _sum_by_band(sizes[None], bands)[0]
        rows = quantiles_by_band(deviations, bands)[..., ::-1].transpose(2, 0, 1)
    else:
        full_names = tuple(report.label_names[j] for j in scored)
        row_names = tuple(_row_name(name, int(size)) for name, size in zip(full_names, sizes, strict=True))
        rows = deviations.T
    return FoldHeatmapInfo(
        row_names=row_names,
        full_names=full_names,
        fold_sizes=fold_sizes,
        deviations=rows,
        counts=counts.T,
        sizes=sizes,
        is_banded=is_banded,
        n_classes=len(scored),
        n_left_out=len(report.positives) - len(scored),
        limit=_limit(rows) if limit is None else float(limit),
        fold_names=_names(report, fold_names, noun),
        noun=noun,
    )


def _names(report: SplitReport, fold_names: Sequence[str] | None, noun: str) -> tuple[str, ...]:
    """Name the folds as they were called, or by their numbers."""
    return tuple(fold_names or (f"{noun} {fold}" for fold in range(len(report.fold_sizes))))


def _deviations(counts: IntArray, sizes: IntArray, fold_sizes: IntArray) -> FloatArray:
    fair = sizes * (fold_sizes / max(int(fold_sizes.sum()), 1))[:, None]
    # an empty fold lacks all of every class
    return np.divide(counts, fair, out=np.zeros(counts.shape), where=fair > 0) - 1


def _sum_by_band(counts: IntArray, bands: SizeBands) -> IntArray:
    """Add up the classes of each band, largest classes first."""
    summed = [np.bincount(bands.of_class, weights=row, minlength=len(bands))[::-1] for row in counts]
    return np.array(summed, dtype=np.int64)


def _row_name(name: str, size: int) -> str:
    tail = f" ({size:,})"
    return shorten(name, ROW_NAME_LIMIT - len(tail)) + tail


def _limit(deviations: FloatArray) -> float:
    if not deviations.size:
        return _LIMITS[-1]
    wanted = float(np.percentile(np.abs(deviations), 95))
    return next((limit for limit in _LIMITS if limit >= wanted), _LIMITS[-1])


def fold_heatmap_alt_text(info: FoldHeatmapInfo) -> str:
    """Say in words what the figure shows."""
    if not info.row_names or not len(info.fold_sizes):
        return f"Positives by class and {info.noun}: no classes to show."
    sentences = [
        f"Deviation of each class's positives in each {info.noun} from its fair share: {info.n_classes:,} "
        f"class(es), {counted(len(info.fold_sizes), info.noun)}, largest classes on top."
    ]
    if info.is_banded:
        low, _, high = info.deviations.transpose(1, 0, 2)
        span = (high - low).mean(axis=1)
        widest, tightest = int(span.argmax()), int(span.argmin())
        sentences += [
            f"Classes are put in {len(info.row_names)} bands by size.",
            "Between the low and the high 10 %, deviations spread most for classes of "
            f"{info.full_names[widest]}, from {low[widest].mean():+.0%} to {high[widest].mean():+.0%}, "
            f"and least for classes of {info.full_names[tightest]}, from {low[tightest].mean():+.0%} to "
            f"{high[tightest].mean():+.0%}.",
        ]
    else:
        row, fold = np.unravel_index(np.abs(info.deviations).argmax(), info.deviations.shape)
        within = float((np.abs(info.deviations) <= 0.1).mean())
        sentences += [
            f"{within:.0%} of the cells are within 10 % of the fair share.",
            f"Farthest off is {info.full_names[row]} in {info.fold_names[fold]}: {info.deviations[row, fold]:+.0%}, "
            f"{info.counts[row, fold]:,} of its {info.sizes[row]:,} rows.",
        ]
    if info.n_left_out:
        sentences.append(f"{info.n_left_out:,} class(es) without a positive or without a negative row are left out.")
    return " ".join(sentences)


def worst_classes(
    report: SplitReport,
    *,
    by: Literal["rld", "dcp"] = "rld",
    n: int = 20,
    fold_names: Sequence[str] | None = None,
    noun: str = "fold",
) -> pd.DataFrame:
    """List the classes that are farthest above the best score that they could have."""
    if by not in ("rld", "dcp"):
        what = "measure with a best possible value"
        raise OptionError.unknown(what, by, ("rld", "dcp"))
    score = np.array(report.per_class[by], dtype=np.float64)
    bound = np.array(report.per_class[f"{by}_bound"], dtype=np.float64)
    scored = np.flatnonzero(report.is_scored)
    excess = np.round(score[scored] - bound[scored], 12)  # equal up to floating point is equal
    chosen = scored[np.lexsort((-report.positives[scored], -excess))][: max(n, 0)]
    columns = {
        "label": [report.label_names[j] for j in chosen],
        "class size": report.positives[chosen],
        "score": score[chosen],
        "best possible": bound[chosen],
    }
    names = _names(report, fold_names, noun)
    folds = {name: counts[chosen] for name, counts in zip(names, report.counts, strict=True)}
    return pd.DataFrame(columns | folds)
