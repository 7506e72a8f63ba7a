"""How far each label's positives in each fold are from the fold's fair share of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from optisplit.errors import OptionError
from optisplit.measures.registry import with_excess
from optisplit.plots.bands import FloatArray, IntArray, SizeBands, equal_bands, quantiles_by_band
from optisplit.plots.style import (
    DEVIATION,
    SMALL,
    add_map,
    escape,
    left_out,
    new_map,
    say_empty,
    scale_limit,
    shorten,
    shown_name,
)
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from optisplit.measures.report import Report

ROW_NAME_LIMIT = 28
"""Longest row name, in characters, the number of positives included."""

_BANDS = 24
_TEXT_CELLS = (30, 10)  # most rows and folds with the count written in the cell
_MOST_TICKS = 20
_GAP = 0.06  # between folds, where a fold is 1 wide
_QUANTILES = ("low 10 %", "median", "high 10 %")
_NOTHING = "No labels to show"


@dataclass(frozen=True, slots=True)
class FoldHeatmapInfo:
    """Deviations by label and fold, ready to draw."""

    row_names: tuple[str, ...]  # short names: labels from the largest to the smallest, or bands of their sizes
    full_names: tuple[str, ...]  # the same, not shortened
    fold_names: tuple[str, ...]  # as they stand in a sentence
    noun: str  # what each of them is, such as "fold" or "part"
    fold_sizes: IntArray  # shape (k,): rows of the data in each fold
    # shape (r, k): positives in the fold / fair share - 1. For bands: shape (r, 3, k), percentiles 10, 50 and 90
    # over the band's labels
    deviations: FloatArray
    counts: IntArray  # shape (r, k): positives in the fold; for bands those of all their labels
    sizes: IntArray  # shape (r,): positives altogether
    is_banded: bool  # whether rows are bands of labels
    n_labels: int  # scored labels
    n_left_out: int  # labels without a score
    limit: float  # deviation at which the colour scale ends, on both sides

    @property
    def ticks(self) -> tuple[str, ...]:
        """Names of the folds where it is said already what they are."""
        return tuple(name.removeprefix(f"{self.noun} ") for name in self.fold_names)

    @property
    def table(self) -> pd.DataFrame:
        """One row a label, or a band: its name, positives, and deviation in each fold (of a band, the median)."""
        middle = self.deviations[:, 1] if self.is_banded else self.deviations
        first = {"label sizes" if self.is_banded else "label": self.full_names, "positives": self.sizes}
        return pd.DataFrame(
            first | {f"{title}, deviation": middle[:, fold] for fold, title in enumerate(self.fold_names)}
        )

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        if not self.row_names or not len(self.fold_sizes):
            return f"Positives by label and {self.noun}: no labels to show."
        sentences = [
            f"Deviation of each label's positives in each {self.noun} from the {self.noun}'s fair share: "
            f"{counted(self.n_labels, 'label')}, {counted(len(self.fold_sizes), self.noun)}, largest labels on top."
        ]
        if len(self.ticks) <= _TEXT_CELLS[1]:
            sentences.append(f"The {self.noun}s are {', '.join(self.ticks)}.")
        sentences += self._sentences_on_bands() if self.is_banded else self._sentences_on_labels()
        return " ".join([*sentences, *left_out(self.n_left_out)])

    def _sentences_on_bands(self) -> list[str]:
        low, _, high = self.deviations.transpose(1, 0, 2)
        span = (high - low).mean(axis=1)
        widest, tightest = int(span.argmax()), int(span.argmin())
        return [
            f"Labels are put in {len(self.row_names)} bands by size.",
            "Between the low and the high 10 %, deviations spread most for labels of "
            f"{self.full_names[widest]}, from {low[widest].mean():+.0%} to {high[widest].mean():+.0%}, "
            f"and least for labels of {self.full_names[tightest]}, from {low[tightest].mean():+.0%} to "
            f"{high[tightest].mean():+.0%}.",
        ]

    def _sentences_on_labels(self) -> list[str]:
        row, fold = np.unravel_index(np.abs(self.deviations).argmax(), self.deviations.shape)
        within = float((np.abs(self.deviations) <= 0.1).mean())
        return [
            f"{within:.0%} of the cells are within 10 % of the fair share.",
            f"Farthest off is {self.full_names[row]} in {self.fold_names[fold]}: "
            f"{self.deviations[row, fold]:+.0%}, {self.counts[row, fold]:,} of its {self.sizes[row]:,} rows.",
        ]


def fold_heatmap_info(
    report: Report,
    *,
    fold_names: Sequence[str] | None = None,
    noun: str = "fold",
    max_rows: int = 60,
    limit: float | None = None,
) -> FoldHeatmapInfo:
    """Work out how far each label's positives in each fold are from the fold's fair share.

    - The fair share is the label's positives times the fold's part of the rows.
    - Rows go from the largest label to the smallest; labels without a score are left out and counted.
    - More than `max_rows` labels are put in bands of similar size, each shown by the low 10 %, the median
      and the high 10 % of its labels' deviations in the fold: in a mean, too many would hide too few.

    Parameters
    ----------
    report : Report
        See :func:`optisplit.evaluate`.
    fold_names : sequence of str, optional
        What the folds are called in a sentence, such as "train" or "fold 1"; default: as the report calls them.
    noun : str, default="fold"
        What each of them is, such as "part".
    max_rows : int, default=60
        Most labels that have a row of their own.
    limit : float, optional
        Deviation at which the colours end; default: one that suits the data.

    Returns
    -------
    FoldHeatmapInfo
        With its `table` and `alt_text`.

    Raises
    ------
    OptionError
        If a number is not possible, or names and folds do not fit.
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
        largest_first = range(len(bands) - 1, -1, -1)
        row_names = tuple(f"{bands.rows(band)} ({bands.n_labels[band]:,})" for band in largest_first)
        full_names = tuple(map(bands.describe, largest_first))
        counts, sizes = _sum_by_band(counts, bands), _sum_by_band(sizes[None], bands)[0]
        rows = quantiles_by_band(deviations, bands)[..., ::-1].transpose(2, 0, 1)
    else:
        full_names = tuple(report.label_names[j] for j in scored)
        row_names = tuple(_row_name(name, int(size)) for name, size in zip(full_names, sizes, strict=True))
        rows = deviations.T
    if limit is None:
        limit = scale_limit(float(np.percentile(np.abs(rows), 95))) if rows.size else 1.0
    return FoldHeatmapInfo(
        row_names=row_names,
        full_names=full_names,
        fold_names=_names_of_folds(report, fold_names),
        noun=noun,
        fold_sizes=fold_sizes,
        deviations=rows,
        counts=counts.T,
        sizes=sizes,
        is_banded=is_banded,
        n_labels=len(scored),
        n_left_out=len(report.positives) - len(scored),
        limit=float(limit),
    )


def _names_of_folds(report: Report, fold_names: Sequence[str] | None) -> tuple[str, ...]:
    names = report.fold_names if fold_names is None else tuple(fold_names)
    if len(names) != len(report.fold_sizes):
        msg = f"fold_names has {counted(len(names), 'name')} for {len(report.fold_sizes):,} folds; give one a fold."
        raise OptionError(msg)
    return names


def _deviations(counts: IntArray, sizes: IntArray, fold_sizes: IntArray) -> FloatArray:
    fair = sizes * (fold_sizes / max(int(fold_sizes.sum()), 1))[:, None]
    # an empty fold lacks all of every label
    return np.divide(counts, fair, out=np.zeros(counts.shape), where=fair > 0) - 1


def _sum_by_band(counts: IntArray, bands: SizeBands) -> IntArray:
    """Add up the labels of each band, largest labels first."""
    summed = [np.bincount(bands.of_label, weights=row, minlength=len(bands))[::-1] for row in counts]
    return np.array(summed, dtype=np.int64)


def _row_name(name: str, size: int) -> str:
    tail = f" ({size:,})"
    return shorten(name, ROW_NAME_LIMIT - len(tail)) + tail


def plot_fold_heatmap(info: FoldHeatmapInfo) -> go.Figure:
    """Draw how far each label's positives in each fold are from the fold's fair share."""
    n_rows, n_folds = len(info.row_names), len(info.fold_sizes)
    figure = new_map(n_rows, row_height=26 if n_rows <= 20 else 20 if n_rows <= 30 else 16, below=62)
    title = info.noun.capitalize()
    figure.update_xaxes(title_text=title)
    figure.update_yaxes(title_text="Label (its rows), largest on top")
    if not n_rows or not n_folds:
        return say_empty(figure, _NOTHING)
    cells = _band_cells(info) if info.is_banded else _label_cells(info)
    add_map(figure, cells, DEVIATION, "too few ← rows with the label → too many", _color_ticks(info.limit))
    folds = list(range(0, n_folds, -(-n_folds // _MOST_TICKS)))  # no more names than find room
    limit = 14 if n_folds <= 6 else 8
    figure.update_xaxes(
        tickvals=folds, ticktext=[shown_name(info.ticks[fold], limit) for fold in folds], range=[-0.5, n_folds - 0.5]
    )
    figure.update_yaxes(
        tickvals=list(range(n_rows)), ticktext=list(map(escape, info.row_names)), range=[n_rows - 0.5, -0.5],
        tickfont_size=12 if n_rows <= 30 else 11,
    )  # fmt: skip
    if info.is_banded:
        remark = "left to right: low 10 %, median, high 10 %"
        figure.update_xaxes(title_text=f"{title}<br>{SMALL.format(remark)}")
        figure.update_yaxes(title_text="Label sizes, largest on top (number of labels)")
    return figure


def _color_ticks(limit: float) -> dict[float, str]:
    # − is as wide as +; at the ends the colour stays the same beyond the number
    low, less, more, high = (
        f"{sign}{100 * part * limit:.0f} %" for sign, part in (("−", 1), ("−", 0.5), ("+", 0.5), ("+", 1))
    )
    return {-limit: low if limit == 1 else f"≤ {low}", -limit / 2: less, 0: "fair", limit / 2: more, limit: f"≥ {high}"}


def _label_cells(info: FoldHeatmapInfo) -> dict[str, Any]:
    n_rows, n_folds = info.counts.shape
    is_texted = n_rows <= _TEXT_CELLS[0] and n_folds <= _TEXT_CELLS[1]
    fair = info.sizes[:, None] * (info.fold_sizes / info.fold_sizes.sum())
    titles = list(map(shown_name, info.fold_names))
    hover = [
        [
            f"<b>{name}</b><br>{titles[fold]}: {info.counts[row, fold]:,} of {info.sizes[row]:,} rows with "
            f"the label<br>fair share {fair[row, fold]:,.1f}, deviation {info.deviations[row, fold]:+.1%}"
            for fold in range(n_folds)
        ]
        for row, name in enumerate(map(shown_name, info.full_names))
    ]
    return {
        "x": np.arange(n_folds, dtype=np.int32), "y": np.arange(n_rows, dtype=np.int32),
        "z": info.deviations.astype(np.float32), "xgap": 2, "ygap": 1, "hovertext": hover,
        "text": info.counts.astype(np.int32) if is_texted else None, "texttemplate": "%{text:,}" if is_texted else None,
    }  # fmt: skip


def _band_cells(info: FoldHeatmapInfo) -> dict[str, Any]:
    n_rows, n_parts, n_folds = info.deviations.shape
    z = np.full((n_rows, n_folds, n_parts + 1), np.nan)  # the last one is the gap between folds
    z[..., :-1] = info.deviations.transpose(0, 2, 1)
    widths = np.tile([*[(1 - _GAP) / n_parts] * n_parts, _GAP], n_folds)
    edges = np.concatenate([[0.0], np.cumsum(widths)]) - 0.5 + _GAP / 2
    hover = [
        [text for fold in range(n_folds) for text in (*_band_hovers(info, name, row, fold), "")]
        for row, name in enumerate(info.full_names)
    ]
    return {
        "x": edges.astype(np.float32), "y": np.arange(n_rows, dtype=np.int32), "ygap": 1, "hovertext": hover,
        "z": z.reshape(n_rows, -1).astype(np.float32),
    }  # fmt: skip


def _band_hovers(info: FoldHeatmapInfo, name: str, row: int, fold: int) -> list[str]:
    low, middle, high = info.deviations[row, :, fold]
    said = (
        f"10 % of the labels are at {low:+.0%} or lower",
        f"half of the labels are at {middle:+.0%} or lower",
        f"10 % of the labels are at {high:+.0%} or higher",
    )
    end = f"<br>{info.counts[row, fold]:,} of the band's {info.sizes[row]:,} positives"
    title = shown_name(info.fold_names[fold])
    return [f"<b>{name}</b><br>{title}, {part}: {text}{end}" for part, text in zip(_QUANTILES, said, strict=True)]


def worst_labels(
    report: Report,
    *,
    by: Literal["rld", "dcp"] = "rld",
    n: int = 20,
    fold_names: Sequence[str] | None = None,
) -> pd.DataFrame:
    """List the labels that are farthest above the best score that they could have, and their positives by fold."""
    if by not in with_excess():
        what = "measure with a best possible value"
        raise OptionError.unknown(what, by, with_excess())
    score = np.array(report.per_class[by], dtype=np.float64)
    bound = np.array(report.per_class[f"{by}_bound"], dtype=np.float64)
    scored = np.flatnonzero(report.is_scored)
    excess = np.round(score[scored] - bound[scored], 12)  # equal up to floating point is equal
    chosen = scored[np.lexsort((-report.positives[scored], -excess))][: max(n, 0)]
    columns = {
        "label": [report.label_names[j] for j in chosen],
        "positives": report.positives[chosen],
        "score": score[chosen],
        "best possible": bound[chosen],
    }
    names = _names_of_folds(report, fold_names)
    return pd.DataFrame(columns | {name: counts[chosen] for name, counts in zip(names, report.counts, strict=True)})
