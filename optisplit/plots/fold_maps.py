"""How far labels of each size are from their due in each fold, beyond what rounding forces: a map a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.measures.missing import missing_avoidably
from optisplit.measures.representative import beyond_rounding_in_folds
from optisplit.measures.shown import left_out_sentence
from optisplit.plots.bands import FloatArray, IntArray, wide_bands
from optisplit.plots.given import check_fold_names, reports_given
from optisplit.plots.panels import Panels, columns_for, method_title, new_panels
from optisplit.plots.style import say_empty, scale_limit, shown_name, wrapped
from optisplit.text import counted, percent, short_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.measures.report import Report

MOST_ROWS = 12
"""More labels are put in bands by their size; so many have a row each."""

_FEWEST_ROWS = 3

OFF: tuple[tuple[float, str], ...] = (
    (0.0, "rgba(128, 128, 128, 0.10)"),
    (1e-6, "rgba(200, 89, 27, 0.20)"),
    (0.25, "rgba(200, 89, 27, 0.44)"),
    (0.5, "rgba(200, 89, 27, 0.68)"),
    (1.0, "rgba(200, 89, 27, 0.85)"),
)
"""Colours of how far off labels are: blank where none is; on white and on dark, numbers in it too."""

_WHY_BLANK = "under 1 is due there, but another {} has too many"  # where labels are missing within rounding
_HEIGHT = 230  # of a map, in pixels
_ROW_TEXT = 13  # pixels that the name of a row takes
_LETTERS = 18  # of the name of a row
_MOST_NUMBERED = {1: 16, 2: 14, 3: 12}  # folds with room for a number in a cell, by the number of maps side by side
_TICK_LETTERS = {1: 52, 2: 52, 3: 38}  # of the names of folds below a map, by the number of maps side by side
_MOST_SIDE_BY_SIDE = 80  # cells


@dataclass(frozen=True, slots=True)
class MethodMap:
    """How far labels are from their due with one method: means over its splits."""

    key: str
    name: str  # its name for people
    n_reports: int
    # shape (k, b): mean over the labels of a band of what a fold has too many or too few of their positives, beyond
    # what is due to it, rounded up or down, as a part of what is due
    off: FloatArray
    n_many: FloatArray  # shape (k, b): labels of which the fold has too many, beyond rounding
    n_few: FloatArray  # shape (k, b): and too few
    n_missing: FloatArray  # shape (k, b): labels that are missing from the fold avoidably
    n_labels_off: float  # labels that are off somewhere
    n_labels_missing: float  # labels that are missing somewhere avoidably

    @property
    def is_blank(self) -> bool:
        """Whether every label is within rounding."""
        return self.n_labels_off == 0


@dataclass(frozen=True, slots=True)
class FoldMapsInfo:
    """Maps of folds and labels by size, ready to draw."""

    noun: str  # what a fold is called, such as "fold" or "part"
    fold_names: tuple[str, ...]  # as they stand in a sentence
    row_names: tuple[str, ...]  # what rows of the maps are: sizes such as "12–15 rows", or labels; smallest first
    n_labels: IntArray  # shape (b,): labels of each row
    is_banded: bool  # whether rows are bands of labels
    methods: tuple[MethodMap, ...]  # in the order given
    left_out: str  # which labels have no score, in a sentence
    limit: float  # mean deviation at which the colours end

    @property
    def ticks(self) -> tuple[str, ...]:
        """Names of the folds where it is said already what they are."""
        return tuple(name.removeprefix(f"{self.noun} ") for name in self.fold_names)

    @property
    def rows_title(self) -> str:
        """What rows of the maps are, as in the :attr:`table`."""
        return "label sizes" if self.is_banded else "label"

    @property
    def table(self) -> pd.DataFrame:
        """One row a method and band: how far its labels are off in each fold, in per cent, and how many are missing."""
        lines = []
        for method in self.methods:
            for row, name in enumerate(self.row_names):
                line: dict[str, Any] = {"method": method.name, self.rows_title: name, "labels": int(self.n_labels[row])}
                line |= {f"{fold}, % off": 100 * method.off[at, row] for at, fold in enumerate(self.fold_names)}
                line |= {f"{fold}, missing": method.n_missing[at, row] for at, fold in enumerate(self.fold_names)}
                lines.append(line)
        return pd.DataFrame(lines)

    def remark(self, method: MethodMap) -> str:
        """Say in a few words how many labels are off, and how many are missing."""
        if method.is_blank:
            return "every label within rounding"
        n_labels = int(self.n_labels.sum())
        uneven = f"{_about(method.n_labels_off)} of {counted(n_labels, 'label')} uneven"
        n_missing, them = method.n_labels_missing, "it" if method.n_labels_missing in (0, 1) else "them"
        missing = _about(n_missing) if n_missing else "none"
        return f"{uneven}, {missing} missing from {self.noun}s that should have {them}"

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        if not self.methods or not self.row_names:
            return f"Labels by size in each {self.noun}: no labels to show."
        sentences = [f"{method.name}: {self.remark(method)}{self._worst(method)}." for method in self.methods]
        return " ".join(
            [
                "How far labels of each size are from what is due to each of "
                f"{counted(len(self.fold_names), self.noun)}, beyond what rounding forces.",
                *sentences,
                *filter(None, [self.left_out]),
            ]
        )

    def _worst(self, method: MethodMap) -> str:
        if method.is_blank:
            return ""
        fold, row = np.unravel_index(method.off.argmax(), method.off.shape)
        where = f"{self._of(int(row))} in {self.fold_names[fold]}"
        return f"; farthest off are {where}, by {percent(float(method.off[fold, row]))} of their due"

    def _of(self, row: int) -> str:
        return f"labels of {self.row_names[row]}" if self.is_banded else self.row_names[row]


def _about(count: float) -> str:
    return f"{count:,.0f}" if count == round(count) or count >= 100 else short_number(count, 3)


def fold_maps_info(
    reports: Mapping[str, Sequence[Report]],
    *,
    names: Mapping[str, str] | None = None,
    fold_names: Sequence[str] | None = None,
    noun: str = "fold",
    n_missing: Mapping[str, float] | None = None,
) -> FoldMapsInfo:
    """Work out how far labels of each size are from what is due to each fold, beyond what rounding forces.

    - A fold that has of a label what is due to it, rounded up or down, counts 0: a map of zeros is as even as a split
      can be. What is more or less counts as a part of what is due.
    - Up to 12 labels have a row each; more are put in bands of similar size, and the mean over their labels counts.
    - All methods are on one scale. Numbers are means over each method's reports.
    - Nothing to show gives a record without methods or without rows, not an error.

    Parameters
    ----------
    reports : mapping of str to sequence of Report
        Reports of each method's splits, by its key; see :func:`optisplit.evaluate`.
    names : mapping of str to str, optional
        Names for people, by the same keys.
    fold_names : sequence of str, optional
        What the folds are called in a sentence, such as "train" or "fold 1"; default: as in the first report.
    noun : str, default="fold"
        What each of them is, such as "part".
    n_missing : mapping of str to float, optional
        How many labels are missing from a fold that should have them, by the same keys, where groups or fixed rows
        decide that; default: counted as if every row could be anywhere.

    Returns
    -------
    FoldMapsInfo
        With its `table` and `alt_text`.

    Raises
    ------
    OptionError
        If the reports are on different labels or numbers of folds, or names and folds do not fit.
    """
    given, every = reports_given(reports)
    check_fold_names(every, fold_names)
    if not every:
        return FoldMapsInfo(noun, tuple(fold_names or ()), (), np.zeros(0, dtype=np.int64), False, (), "", 1.0)
    scored = np.flatnonzero(every[0].is_scored)
    scored = scored[np.argsort(every[0].positives[scored], kind="stable")]  # the smallest first
    row_names, n_labels = _rows(every[0], scored)
    first = np.cumsum(n_labels) - n_labels
    methods = tuple(
        _method_map((key, (names or {}).get(key, key)), each, scored, first, (n_missing or {}).get(key))
        for key, each in given.items()
    )
    return FoldMapsInfo(
        noun=noun,
        fold_names=tuple(fold_names or every[0].fold_names),
        row_names=tuple(row_names),
        n_labels=n_labels,
        is_banded=len(scored) > MOST_ROWS,
        methods=methods,
        left_out=left_out_sentence(every[0]),
        limit=scale_limit(max((float(method.off.max(initial=0)) for method in methods), default=1.0)),
    )


def _rows(report: Report, scored: IntArray) -> tuple[list[str], IntArray]:
    """Name the rows of the maps, and count their labels: labels, or bands of them."""
    if len(scored) <= MOST_ROWS:
        return [report.label_names[label] for label in scored], np.ones(len(scored), dtype=np.int64)
    # where very many labels are of one size, the others are put together until each band has room for its name
    bands = wide_bands(report.positives[scored].astype(np.int64), (_FEWEST_ROWS, MOST_ROWS), _ROW_TEXT / _HEIGHT)
    return [bands.rows(band) for band in range(len(bands))], bands.n_labels


def _method_map(
    named: tuple[str, str], reports: Sequence[Report], scored: IntArray, first: IntArray, n_missing: float | None
) -> MethodMap:
    off, many, few, missing, n_off, n_found = (
        np.mean(each, axis=0) for each in zip(*(_split_map(report, scored, first) for report in reports), strict=True)
    )
    if n_missing == 0:  # groups, or rows that are fixed, leave no other place
        missing = np.zeros_like(missing)
    n_missing = float(n_found) if n_missing is None else n_missing
    return MethodMap(*named, len(reports), off, many, few, missing, float(n_off), n_missing)


def _split_map(report: Report, scored: IntArray, first: IntArray) -> tuple[Any, ...]:
    """Work out the map of one split; `scored` labels are in order, `first` says where rows begin."""
    counts = report.counts[:, scored]
    fold_sizes = report.fold_sizes
    due = np.multiply.outer(fold_sizes / max(int(fold_sizes.sum()), 1), counts.sum(axis=0, dtype=np.int64))
    beyond = beyond_rounding_in_folds(counts, fold_sizes)
    is_off, is_avoidable = beyond > 0, missing_avoidably(counts, fold_sizes)
    off = np.divide(beyond, due, out=np.zeros_like(beyond), where=due > 0)
    if not len(first):
        return *[np.zeros((len(fold_sizes), 0))] * 4, 0, 0
    n_labels = np.diff(np.append(first, len(scored)))
    added = [
        np.add.reduceat(each.astype(np.float64), first, axis=1)
        for each in (off, is_off & (counts > due), is_off & (counts < due), is_avoidable)
    ]
    return added[0] / n_labels, *added[1:], is_off.any(axis=0).sum(), is_avoidable.any(axis=0).sum()


def plot_fold_maps(info: FoldMapsInfo, *, columns: int | None = None) -> go.Figure:
    """Draw one map a method, side by side: a cell a fold and band of label sizes.

    Parameters
    ----------
    info : FoldMapsInfo
        What :func:`fold_maps_info` gave.
    columns : int, optional
        How many maps stand side by side, such as 1 for a narrow screen; default: up to 4, fewer of many folds.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure; its width is that of the page.
    """
    n_folds = max(1, len(info.fold_names))
    columns = columns_for(len(info.methods), columns, max(1, min(4, _MOST_SIDE_BY_SIDE // n_folds)))
    is_empty = not info.methods or not info.row_names
    titles = [(method_title(method.key, method.name), info.remark(method)) for method in info.methods]
    tops = np.append(0, np.cumsum(info.n_labels)).astype(np.float64)
    folds = list(range(0, n_folds, -(-n_folds // _most_ticks(info, columns))))
    y_axis = {"showgrid": False, "range": [0, max(1.0, tops[-1])], **_row_ticks(info, tops)}
    x_axis = {
        "showgrid": False, "range": [-0.5, n_folds - 0.5], "tickvals": folds,
        "ticktext": [shown_name(info.ticks[fold], 12) for fold in folds] if info.fold_names else [],
    }  # fmt: skip
    panels = new_panels(
        [("", "")] if is_empty else titles, columns, _HEIGHT, above=0 if is_empty else 44, head=_head(info, columns),
        below=_below(info), x_axis=x_axis, y_axis=y_axis,
    )  # fmt: skip
    if is_empty:
        return say_empty(panels.figure, "No labels to show", hide_axes=True)
    edges = (np.arange(n_folds + 1) - 0.5).astype(np.float32)
    for at, method in enumerate(info.methods):
        panels.figure.add_trace(
            go.Heatmap(
                x=edges, y=tops.astype(np.float32), z=method.off.T.astype(np.float32), xgap=1, ygap=1,
                colorscale=[list(stop) for stop in OFF], zmin=0, zmax=info.limit, showscale=False,
                hovertext=_hover_texts(info, method), hovertemplate="%{hovertext}<extra></extra>", **panels.axes(at),
            )
        )  # fmt: skip
        _mark_missing(panels, info, method, at, tops)
    _add_scale(panels, info.limit)
    return panels.figure


def _are_numbers(info: FoldMapsInfo, columns: int) -> bool:
    """Whether cells have room for the numbers of missing labels."""
    return len(info.fold_names) <= _MOST_NUMBERED.get(columns, 10)


def _head(info: FoldMapsInfo, columns: int) -> list[str]:
    lines = ["Blank: every label within rounding"]
    if any(method.n_labels_missing for method in info.methods):
        marks = "Numbers" if _are_numbers(info, columns) else "Dots"
        lines.append(f"{marks}: labels missing from that {info.noun}, which should have them")
    if any(((method.off == 0) & (method.n_missing > 0)).any() for method in info.methods):
        lines.append(f"In a blank cell: {_WHY_BLANK.format(info.noun)}")
    return lines


def _below(info: FoldMapsInfo) -> list[str]:
    lines = [info.noun.capitalize()]
    if info.is_banded:
        lines.append("Up: rows with the label; a band with more labels is higher")
    n_splits = max((method.n_reports for method in info.methods), default=1)
    return [*lines, *([f"Means of {counted(n_splits, 'split')} a method"] if n_splits > 1 else [])]


def _most_ticks(info: FoldMapsInfo, columns: int) -> int:
    longest = max((len(shown_name(tick, 12)) for tick in info.ticks), default=1)
    return max(1, _TICK_LETTERS.get(columns, 28) // (longest + 1))


def _row_ticks(info: FoldMapsInfo, tops: FloatArray) -> dict[str, Any]:
    """Name the rows that have room for their names."""
    least = _ROW_TEXT / _HEIGHT * tops[-1]
    middles = (tops[1:] + tops[:-1]) / 2
    chosen: list[int] = []
    for row, middle in enumerate(middles):
        if not chosen or middle - middles[chosen[-1]] >= least:
            chosen.append(row)
    names = (
        [info.row_names[row].removesuffix(" rows").removesuffix(" row") for row in chosen]
        if info.is_banded
        else [info.row_names[row] for row in chosen]
    )
    return {
        "tickvals": [float(middles[row]) for row in chosen],
        "ticktext": [shown_name(each, _LETTERS) for each in names],
    }


def _mark_missing(panels: Panels, info: FoldMapsInfo, method: MethodMap, panel: int, tops: FloatArray) -> None:
    """Write into cells how many labels are missing where they should be; a dot where numbers have no room."""
    folds, rows = np.nonzero(method.n_missing)
    if not folds.size:
        return
    is_wide, is_high = _are_numbers(info, panels.columns), np.diff(tops) >= _ROW_TEXT / _HEIGHT * tops[-1]
    texts = [
        _about(n_labels) if is_wide and is_high[row] else "•"
        for n_labels, row in zip(method.n_missing[folds, rows].tolist(), rows.tolist(), strict=True)
    ]
    panels.figure.add_trace(
        go.Scatter(
            x=folds, y=((tops[1:] + tops[:-1]) / 2)[rows], mode="text", text=texts, textfont={"size": 11},
            hoverinfo="skip", **panels.axes(panel),
        )
    )  # fmt: skip


def _add_scale(panels: Panels, limit: float) -> None:
    """Add the scale of the colours above the maps."""
    figure = panels.figure
    parts = [0, 0.25, 0.5, 1] if limit == 1 else [0, 0.5, 1]
    texts = [f"{100 * limit * part:g} %" for part in parts]
    texts[-1] = f"{'≥ ' * (limit == 1)}{texts[-1]}"
    bar = {
        "orientation": "h", "x": 0, "xanchor": "left", "y": 1 - 18 / figure.layout.height, "yref": "container",
        "yanchor": "top", "ypad": 0, "xpad": 0, "lenmode": "pixels", "thickness": 8, "outlinewidth": 0,
        "len": 240 if panels.columns == 1 else 300,  # a phone has room for the last tick too
        "tickvals": [limit * part for part in parts], "ticktext": texts, "ticklabeloverflow": "allow",
    }  # fmt: skip
    figure.data[0].update(showscale=True, colorbar=bar)  # all have the same
    figure.add_annotation(
        text="Labels' mean deviation beyond rounding", x=0, xref="paper", xanchor="left", y=1,
        yref="paper", yanchor="top", yshift=figure.layout.margin.t, showarrow=False,
    )  # fmt: skip


def _hover_texts(info: FoldMapsInfo, method: MethodMap) -> list[list[str]]:
    return [
        [_hover_text(info, method, row, fold) for fold in range(len(info.fold_names))]
        for row in range(len(info.row_names))
    ]


def _hover_text(info: FoldMapsInfo, method: MethodMap, row: int, fold: int) -> str:
    of = f"Labels of {info.row_names[row]} ({counted(int(info.n_labels[row]), 'label')})"
    lines = [f"<b>{wrapped(of if info.is_banded else info.row_names[row])}</b>", wrapped(info.fold_names[fold])]
    off = float(method.off[fold, row])
    if not off:
        why = [f"{_about(n)} missing: {_WHY_BLANK.format(info.noun)}"] if (n := method.n_missing[fold, row]) else []
        return "<br>".join([*lines, "within rounding", *why])
    lines.append(f"{'mean ' * info.is_banded}deviation beyond rounding: {percent(off)} of the due")
    too = ((method.n_many, "too many"), (method.n_few, "too few"), (method.n_missing, "missing"))
    if info.is_banded:
        told = [f"{_about(of_cell)} {what}" for each, what in too if (of_cell := float(each[fold, row]))]
        lines.append(wrapped(f"labels: {', '.join(told)}"))
    else:
        lines += [what for each, what in too if each[fold, row]]
    return "<br>".join(lines)
