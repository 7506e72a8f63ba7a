"""A few rows in their folds, each row one cell of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.plots.style import GRID, NEUTRAL, NOTHING, escape, new_figure
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

LABEL_STYLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "A": ("#B14700", "diamond"),
        "B": ("#067392", "square"),
        "C": ("#962EC8", "circle"),
        "in": ("#B14700", "square"),
        "out": ("#6B6B75", "square"),
    }
)
"""Colour and marker symbol of the lesson's labels, and of rows with and without the label in question.

White letters can be read on each, and each stands out on white and on dark.
"""

MIN_COLUMNS = 8
_CELL_PX = 46  # height of a fold's line


@dataclass(frozen=True, eq=False)
class FoldGridInfo:
    """Where each row is drawn, and how."""

    texts: tuple[str, ...]  # what is written on each row's cell
    kinds: tuple[str, ...]  # key of :data:`LABEL_STYLES` for each row
    folds: NDArray[np.int32]  # shape (n_rows,): the fold of each row
    columns: NDArray[np.int64]  # shape (n_rows,): its place in it
    sizes: NDArray[np.int64]  # shape (n_splits,): rows in each fold
    marked: tuple[int, ...]  # rows with a ring round them
    moves: tuple[tuple[int, int, int], ...]  # rows that are to move: row, fold that it goes to, place there

    @property
    def n_columns(self) -> int:
        """Cells a fold has room for."""
        ends = [column + 1 for _, _, column in self.moves]
        return max(MIN_COLUMNS, *self.sizes.tolist(), *ends)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = []
        for fold in range(self.sizes.size):
            rows = [text for text, at in zip(self.texts, self.folds, strict=True) if at == fold]
            parts.append(f"Fold {fold}: {', '.join(rows) or 'no rows'}")
        parts += [
            f"{self.texts[row]} is to move from fold {self.folds[row]} to fold {fold}" for row, fold, _ in self.moves
        ]
        return ". ".join(parts) + "."


def fold_grid_info(
    texts: Sequence[str],
    kinds: Sequence[str],
    folds: NDArray[np.int32],
    n_splits: int,
    *,
    marked: Sequence[int] = (),
    moves: Sequence[tuple[int, int]] = (),
) -> FoldGridInfo:
    """Give each row its cell: rows stand in their folds in the order given."""
    # what is to move stands behind the rows of the fold that it goes to
    filled = pd.Series([*folds.tolist(), *(fold for _, fold in moves)], dtype=np.int64)
    columns = filled.groupby(filled).cumcount().to_numpy()
    placed = tuple((row, fold, int(column)) for (row, fold), column in zip(moves, columns[len(folds) :], strict=True))
    sizes = np.bincount(folds, minlength=n_splits)
    return FoldGridInfo(tuple(texts), tuple(kinds), folds, columns[: len(folds)], sizes, tuple(marked), placed)


def plot_fold_grid(info: FoldGridInfo) -> go.Figure:
    """Draw the grid: one line a fold, one cell a row."""
    n_splits, n_columns = info.sizes.size, info.n_columns
    figure = new_figure(_CELL_PX * n_splits + 24, legend=False)
    size = 32 if n_columns <= 10 else max(12, 330 // n_columns)
    for fold in range(n_splits):
        for column in range(n_columns):
            figure.add_shape(
                type="rect", x0=column - 0.5, x1=column + 0.5, y0=fold - 0.5, y1=fold + 0.5,
                line={"color": GRID, "width": 1}, layer="below",
            )  # fmt: skip
    if info.marked:
        at = list(info.marked)
        figure.add_trace(_outlines(info.columns[at], info.folds[at], "circle", size + 9, 3))
    figure.add_trace(_rows(info, size))
    if info.moves:
        _, folds, columns = zip(*info.moves, strict=True)
        figure.add_trace(_outlines(columns, folds, "square", size, 2))
    for row, fold, column in info.moves:
        figure.add_annotation(
            x=column, y=fold, ax=int(info.columns[row]), ay=int(info.folds[row]), xref="x", yref="y", axref="x",
            ayref="y", text="", showarrow=True, arrowhead=2, arrowwidth=2, arrowcolor=NEUTRAL, standoff=4,
            startstandoff=size / 2,
        )  # fmt: skip
    figure.update_xaxes(range=[-0.55, n_columns - 0.45], visible=False, fixedrange=True)
    figure.update_yaxes(
        range=[n_splits - 0.45, -0.55], tickvals=list(range(n_splits)), showgrid=False, fixedrange=True,
        ticktext=[f"Fold {fold}<br>{counted(rows, 'row')}" for fold, rows in enumerate(info.sizes.tolist())],
    )  # fmt: skip
    figure.update_layout(margin={"l": 8, "r": 4, "t": 8, "b": 8}, dragmode=False)
    return figure


def _outlines(x: Any, y: Any, symbol: str, size: int, width: int) -> go.Scatter:
    line = {"color": NEUTRAL, "width": width}
    marker = {"size": size, "color": NOTHING, "symbol": symbol, "line": line}
    return go.Scatter(x=x, y=y, mode="markers", hoverinfo="skip", marker=marker)


def _rows(info: FoldGridInfo, size: int) -> go.Scatter:
    colors, symbols = zip(*(LABEL_STYLES[kind] for kind in info.kinds), strict=True)
    same = {"marker": {"opacity": 1}, "textfont": {"color": "white"}}  # a click is not to pale the others
    return go.Scatter(
        x=info.columns, y=info.folds, mode="markers+text", text=list(map(escape, info.texts)),
        textfont={"color": "white", "size": 12 if size >= 30 else 9},
        marker={"size": size, "color": colors, "symbol": symbols, "line": {"width": 0}, "opacity": 1},
        customdata=np.arange(len(info.texts)), hovertemplate="%{text}, fold %{y}<extra></extra>",
        selected=same, unselected=same,
    )  # fmt: skip
