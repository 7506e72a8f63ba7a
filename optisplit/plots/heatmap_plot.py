"""Drawing of the deviations by class and fold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from optisplit.plots.layout import SMALL, new_figure, say_empty
from optisplit.plots.palette import DEVIATION, escape, shorten

if TYPE_CHECKING:
    from optisplit.plots.bands import FloatArray
    from optisplit.plots.heatmap import FoldHeatmapInfo

_TEXT_CELLS = (30, 10)  # most rows and folds with the count written in the cell
_COLOR_TITLE = "too few ← rows with the label → too many"
_PARTS = ("low 10 %", "median", "high 10 %")
_TOP = 72  # pixels above the cells, for the colour bar and its title
_TITLE = 24  # of them for the title
_BOTTOM = 62  # about, below them
_GAP = 0.06  # between folds, where a fold is 1 wide


def plot_fold_heatmap(info: FoldHeatmapInfo) -> go.Figure:
    """Draw how far each class's positives in each fold are from the fold's fair share."""
    n_rows, n_folds = len(info.row_names), len(info.fold_sizes)
    figure = new_figure(_figure_height(n_rows))
    figure.update_layout(margin_t=_TOP)
    figure.update_xaxes(title_text=info.noun.capitalize(), showgrid=False)
    figure.update_yaxes(title_text="Class (rows with the label), largest on top", showgrid=False)
    if not n_rows or not n_folds:
        say_empty(figure, "No classes to show")
        return figure
    figure.add_trace(_banded(info) if info.is_banded else _single(info))
    # not the colour bar's own title, which would touch the bar
    figure.add_annotation(
        text=_COLOR_TITLE,
        x=0.5,
        y=1,
        xref="paper",
        yref="paper",
        yanchor="bottom",
        yshift=_TOP - _TITLE + 2,
        showarrow=False,
    )
    every = -(-n_folds // 20)  # no more fold numbers than find room
    folds = list(range(0, n_folds, every))
    figure.update_xaxes(tickvals=folds, ticktext=_ticks(info, folds), range=[-0.5, n_folds - 0.5])
    figure.update_yaxes(
        tickvals=list(range(n_rows)),
        # the axis title says what the number in brackets is; without the word there is room on a narrow page
        ticktext=[escape(re.sub(r" class(es)?\)$", ")", name) if info.is_banded else name) for name in info.row_names],
        range=[n_rows - 0.5, -0.5],
        tickfont_size=12 if n_rows <= 30 else 11,
    )
    if info.is_banded:
        remark = "left to right: low 10 %, median, high 10 %"
        figure.update_xaxes(title_text=f"{info.noun.capitalize()}<br>{SMALL.format(remark)}")
        figure.update_yaxes(title_text="Class size, largest on top (number of classes)")
    return figure


def _ticks(info: FoldHeatmapInfo, folds: list[int]) -> list[str]:
    """Name folds below the axis, whose title says already what they are."""
    limit = 14 if len(folds) <= 6 else 8
    return [escape(shorten(info.fold_names[fold].removeprefix(f"{info.noun} "), limit)) for fold in folds]


def _figure_height(n_rows: int) -> int:
    row_height = 26 if n_rows <= 20 else 20 if n_rows <= 30 else 16
    return _TOP + _BOTTOM + max(n_rows * row_height, 120)


def _color_bar(limit: float, height: int) -> dict[str, Any]:
    ticks = [-limit, -limit / 2, 0, limit / 2, limit]
    words = ["", "", "fair", "", ""]
    texts = [word or f"{tick:+.0%}" for tick, word in zip(ticks, words, strict=True)]
    # − is as wide as +; at the ends the colour stays the same beyond the number
    texts = [text.replace("-", "−").replace("%", " %") for text in texts]
    texts[0], texts[-1] = texts[0] if limit == 1 else f"≤ {texts[0]}", f"≥ {texts[-1]}"  # short, for narrow windows
    return {
        "orientation": "h",
        "x": 0.5,
        "xanchor": "center",
        "y": 1 - _TITLE / height,
        "yref": "container",
        "yanchor": "top",
        "ypad": 0,
        "len": 0.86,
        "ticklabeloverflow": "allow",
        "thickness": 12,
        "tickvals": ticks,
        "ticktext": texts,
        "outlinewidth": 0,
    }


def _heatmap(info: FoldHeatmapInfo, z: FloatArray, **more: Any) -> go.Heatmap:
    return go.Heatmap(
        z=z.astype(np.float32),
        y=np.arange(len(info.row_names), dtype=np.int32),
        zmin=-info.limit,
        zmax=info.limit,
        colorscale=[list(stop) for stop in DEVIATION],
        colorbar=_color_bar(info.limit, _figure_height(len(info.row_names))),
        ygap=1,
        hoverongaps=False,
        **more,
    )


def _row_text(info: FoldHeatmapInfo) -> list[str]:
    return [escape(shorten(name, 60)) for name in info.full_names]


def _fold_text(info: FoldHeatmapInfo) -> list[str]:
    return [escape(shorten(name, 60)) for name in info.fold_names]


def _single(info: FoldHeatmapInfo) -> go.Heatmap:
    n_rows, n_folds = info.counts.shape
    is_texted = n_rows <= _TEXT_CELLS[0] and n_folds <= _TEXT_CELLS[1]
    fair = info.sizes[:, None] * (info.fold_sizes / info.fold_sizes.sum())
    names = _fold_text(info)
    hover = [
        [
            f"<b>{name}</b><br>{names[fold]}: {info.counts[row, fold]:,} of {info.sizes[row]:,} rows with "
            f"the label<br>fair share {fair[row, fold]:,.1f}, deviation {info.deviations[row, fold]:+.1%}"
            for fold in range(n_folds)
        ]
        for row, name in enumerate(_row_text(info))
    ]
    return _heatmap(
        info,
        info.deviations,
        x=np.arange(n_folds, dtype=np.int32),
        xgap=2,
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        text=info.counts.astype(np.int32) if is_texted else None,
        texttemplate="%{text:,}" if is_texted else None,
    )


def _banded(info: FoldHeatmapInfo) -> go.Heatmap:
    n_rows, _, n_folds = info.deviations.shape
    n_columns = len(_PARTS) + 1  # the last one is the gap between folds
    z = np.full((n_rows, n_folds, n_columns), np.nan)
    z[..., :-1] = info.deviations.transpose(0, 2, 1)
    widths = np.tile([*[(1 - _GAP) / len(_PARTS)] * len(_PARTS), _GAP], n_folds)
    edges = np.concatenate([[0.0], np.cumsum(widths)]) - 0.5 + _GAP / 2
    hover = [
        [
            _band_hover(info, (name, fold_name), row, fold, part)
            for fold, fold_name in enumerate(_fold_text(info))
            for part in (*_PARTS, "")
        ]
        for row, name in enumerate(_row_text(info))
    ]
    return _heatmap(
        info,
        z.reshape(n_rows, n_folds * n_columns),
        x=edges.astype(np.float32),
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _band_hover(info: FoldHeatmapInfo, names: tuple[str, str], row: int, fold: int, part: str) -> str:
    if not part:
        return ""
    low, middle, high = info.deviations[row, :, fold]
    said = {
        "low 10 %": f"10 % of the classes are at {low:+.0%} or lower",
        "median": f"half of the classes are at {middle:+.0%} or lower",
        "high 10 %": f"10 % of the classes are at {high:+.0%} or higher",
    }
    return (
        f"<b>{names[0]}</b><br>{names[1]}, {part}: {said[part]}"
        f"<br>{info.counts[row, fold]:,} of the band's {info.sizes[row]:,} positives"
    )
