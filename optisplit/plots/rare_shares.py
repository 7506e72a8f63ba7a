"""Where rare labels go: the share of the positives of labels of each size that is in each fold, beside what is due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.measures.representative import labels_by_size
from optisplit.plots.given import reports_given
from optisplit.plots.panels import Panels, columns_for, method_title, new_panels
from optisplit.plots.style import NEUTRAL, method_style, say_empty, shown_name, wrapped
from optisplit.text import counted, joined, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.measures.report import Report
    from optisplit.measures.representative import FloatArray, IntArray

FOLD_STYLES = (
    ("#2B7BBA", "circle"), ("#C8591B", "square"), ("#1E8E63", "diamond"), ("#A35BB0", "triangle-up"),
)  # fmt: skip
"""Colours and marks of few folds or parts; each stands out 3 : 1 on white and on Streamlit's dark."""

MOST_SHOWN = 3.0
"""Times what is due at which the axis ends; what is more is drawn there."""

BY_CHANCE = 5.0
"""Standard deviations of random splits up to which a share that is not as due is not told in words."""

ABOUT = 0.1
"""Part of what is due up to which a share is about as due: rows that hold many labels at once make chance larger."""

SHADED = 2.0
"""Standard deviations of random splits that are shaded: most of them are within."""

SHADE = "rgba(128, 128, 128, 0.36)"

BARE = -4.0
"""Where rows without a label stand, at the left of labels of one row, which are at 0."""

_HEIGHT = 180  # of a panel, in pixels
_TICKS = {0: "none", 1: "due", 2: "2 ×", 3: "3 ×"}
_MOST_TICKS = {1: 12, 2: 11}  # by the number of panels side by side


@dataclass(frozen=True, slots=True)
class MethodShares:
    """Where one method puts the positives of labels of each size."""

    key: str
    name: str  # its name for people
    n_reports: int  # splits that the shares are means of
    shares: FloatArray  # shape (n_splits, n_sizes): the share of the positives that is in each fold
    due: FloatArray  # shape (n_splits,): the share that is due to each fold: its share of the rows
    bare: FloatArray | None = None  # shape (n_splits,): the share of the rows without a label; None if there are none


@dataclass(frozen=True, slots=True)
class RareSharesInfo:
    """Shares of positives by label size, ready to draw."""

    noun: str  # what a fold is called, such as "fold" or "part"
    fold_names: tuple[str, ...]
    sizes: tuple[str, ...]  # the sizes that are told apart, such as "9" or "10–19", ascending
    lowest: IntArray  # shape (n_sizes,): the lowest size of each
    n_labels: IntArray  # shape (n_sizes,): labels of each size
    positives: IntArray  # shape (n_sizes,): positives of all of them
    methods: tuple[MethodShares, ...]  # in the order given
    n_bare: int = 0  # rows without a label

    @property
    def table(self) -> pd.DataFrame:
        """One row a method and label size: the share of the positives in each fold, and what is due to it."""
        lines = []
        for method in self.methods:
            sizes = zip(self.sizes, self.n_labels.tolist(), self.positives.tolist(), method.shares.T, strict=True)
            for size, n_labels, positives, shares in sizes:
                line = {"method": method.name, "label size": size, "labels": n_labels, "positives": positives}
                for name, share, due in zip(self.fold_names, shares, method.due, strict=True):
                    line |= {f"{name}, %": 100 * share, f"{name}, % due": 100 * due}
                lines.append(line)
        return pd.DataFrame(lines)

    def spread(self, method: MethodShares) -> FloatArray:
        """Give the standard deviation of the shares of random splits of these sizes, shape (n_splits, n_sizes).

        As if positives came one by one: where rows have several rare labels at once, it is larger.
        """
        return _spread(method, self.positives)

    def farthest(self, method: MethodShares) -> tuple[int, int] | None:
        """Find the fold and the size whose share is the farthest from its due, as a part of that; None if none is.

        What is off by no more than a positive, by a small part, or as random splits may be, is not.
        """
        due, spread = method.due[:, None], self.spread(method)
        off = np.abs(method.shares - due)
        is_far = (off * self.positives > 1) & (off > BY_CHANCE * spread) & (off > ABOUT * due) & (due > 0)
        if not is_far.any():
            return None
        fold, size = np.unravel_index(np.where(is_far, off / np.maximum(due, 1e-12), -1.0).argmax(), off.shape)
        return int(fold), int(size)

    def remark(self, method: MethodShares) -> str:
        """Say in a few words what is farthest from its due, if more than chance makes it."""
        found = self.farthest(method)
        if found is None:
            return "no single size far off its due"
        fold, size = found
        share, due = (percent(each, 3) for each in (method.shares[fold, size], method.due[fold]))
        # where others of about its due have the same
        like = np.flatnonzero(
            (method.shares[:, size] == method.shares[fold, size]) & np.isclose(method.due, method.due[fold], rtol=0.1)
        )
        if like.size > 1:
            due = percent(method.due[fold], 2)
        where = joined([self.fold_names[each] for each in like]) if like.size < 3 else counted(like.size, self.noun)
        return f"labels with {self.rows(size)}: {share} in {where}, {due} due"

    def bare_words(self, method: MethodShares) -> str:
        """Say which fold's share of the rows without a label is the farthest from its due; nothing without any."""
        if method.bare is None:
            return ""
        off = abs(method.bare - method.due) / np.maximum(method.due, 1e-12)
        fold = int(off.size - 1 - off[::-1].argmax())  # of parts, test comes last
        share, due = percent(method.bare[fold], 3), percent(method.due[fold], 3)
        return f" Of {counted(self.n_bare, 'row')} without a label: {share} in {self.fold_names[fold]}, {due} due."

    def rows(self, size: int) -> str:
        """Say of how many rows labels are, such as ``10–19 rows``."""
        return f"{self.sizes[size]} {'row' if self.sizes[size] == '1' else 'rows'}"

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        if not self.methods or not self.sizes:
            return "Where rare labels go: no labels to show."
        sentences = [f"{method.name}: {self.remark(method)}.{self.bare_words(method)}" for method in self.methods]
        return (
            f"Share of the positives of labels of each size in {counted(len(self.fold_names), self.noun)}, against the "
            f"{self.noun}s' shares of the rows. {' '.join(sentences)}"
        )


def rare_shares_info(
    reports: Mapping[str, Sequence[Report]],
    *,
    names: Mapping[str, str] | None = None,
    fold_names: Sequence[str] | None = None,
    noun: str = "fold",
) -> RareSharesInfo:
    """Work out where each method puts the positives of labels of each size.

    - Labels of 1, 2, ..., 9, 10 to 19, 20 to 49, 50 to 99, ... positives are taken together, as for
      :attr:`optisplit.Report.rare_shares`; those on every row are left out.
    - Shares are means over each method's reports.
    - Nothing to show gives a record without methods or without sizes, not an error.

    Parameters
    ----------
    reports : mapping of str to sequence of Report
        Reports of each method's splits, by its key; see :func:`optisplit.evaluate`.
    names : mapping of str to str, optional
        Names for people, by the same keys.
    fold_names : sequence of str, optional
        What the folds are called; default: as in the first report.
    noun : str, default="fold"
        What a fold is called, such as "part".

    Returns
    -------
    RareSharesInfo
        With its `table` and `alt_text`.

    Raises
    ------
    OptionError
        If the reports are on different labels.
    """
    given, every = reports_given(reports)
    if not every:
        nothing = np.zeros(0, dtype=np.int64)
        return RareSharesInfo(noun, tuple(fold_names or ()), (), nothing, nothing, nothing, ())
    first = labels_by_size(every[0].counts, every[0].fold_sizes)
    return RareSharesInfo(
        noun=noun,
        fold_names=tuple(fold_names or every[0].fold_names),
        sizes=tuple(first.names),
        lowest=first.lowest,
        n_labels=first.members,
        positives=first.totals,
        methods=tuple(_method_shares(key, (names or {}).get(key, key), each) for key, each in given.items()),
        n_bare=int(_bare(every[0]).sum()),
    )


def _bare(report: Report) -> IntArray:
    """Count the rows without a label in each fold."""
    rows = report.rows_by_n_labels
    return np.zeros(report.n_splits, dtype=np.int64) if rows is None else np.asarray(rows[:, 0])


def _method_shares(key: str, name: str, reports: Sequence[Report]) -> MethodShares:
    kinds = [labels_by_size(report.counts, report.fold_sizes) for report in reports]
    shares = np.mean([each.shares for each in kinds], axis=0)
    bare = [_bare(report) for report in reports]
    bare_shares = np.mean([each / each.sum() for each in bare], axis=0) if bare[0].any() else None
    return MethodShares(key, name, len(reports), shares, np.mean([each.due for each in kinds], axis=0), bare_shares)


def _spread(method: MethodShares, members: IntArray | int) -> FloatArray:
    due = method.due[:, None]
    return np.asarray(np.sqrt(due * (1 - due) / (members * method.n_reports)))


def plot_rare_shares(info: RareSharesInfo, *, columns: int | None = None) -> go.Figure:
    """Draw one panel a method: for each fold a line over label sizes, and what is due.

    Parameters
    ----------
    info : RareSharesInfo
        What :func:`rare_shares_info` gave.
    columns : int, optional
        How many panels stand side by side, such as 1 for a narrow screen; default: up to 3.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure; its width is that of the page.
    """
    columns = columns_for(len(info.methods), columns, 3)
    is_empty = not info.methods or not info.sizes
    top = min(MOST_SHOWN, max(2.0, *(float(_times_due(each).max(initial=0)) for each in info.methods), 0))
    titles = [(method_title(method.key, method.name), info.remark(method)) for method in info.methods]
    last = len(info.sizes) - 0.5
    most_ticks = _MOST_TICKS.get(columns, 9) - (4 if info.n_bare else 0)
    step = -(-len(info.sizes) // most_ticks) or 1
    chosen = range(0, len(info.sizes), step)
    panels = new_panels(
        [("", "")] if is_empty else titles, columns, _HEIGHT,
        head=[f"Positives of labels of each size in each {info.noun}, against what is due", *_folds_told(info)],
        below=["Label size (rows with the label)", "grey: where most random splits are" + _bare_told(info)],
        keys=_keys(info),
        x_axis={"range": [_first(info), max(0.5, last)], "showgrid": False, "tickangle": 0,
                "tickvals": [*([BARE] if info.n_bare else []), *chosen],
                "ticktext": [*(["no label"] if info.n_bare else []),
                             *(_tick(info.sizes[at], int(info.lowest[at])) for at in chosen)]},
        y_axis={"range": [-0.12, top + 0.12], "tickvals": list(_TICKS), "ticktext": list(_TICKS.values())},
    )  # fmt: skip
    if is_empty:
        return say_empty(panels.figure, "No labels to show", hide_axes=True)
    for at, method in enumerate(info.methods):
        _draw_panel(panels, info, method, at)
    return panels.figure


def _first(info: RareSharesInfo) -> float:
    return BARE - 2 if info.n_bare else -0.5


def _bare_told(info: RareSharesInfo) -> str:
    return f"; no label: {counted(info.n_bare, 'row')} without any" if info.n_bare else ""


def _folds_told(info: RareSharesInfo) -> list[str]:
    """Say how folds are drawn that have no colours of their own."""
    return [] if _is_coloured(info) else [f"Thin lines: {info.noun}s; bold: the one that is farthest off, if any is"]


def _is_coloured(info: RareSharesInfo) -> bool:
    return len(info.fold_names) <= len(FOLD_STYLES)


def _keys(info: RareSharesInfo) -> list[tuple[str, str]]:
    """Give the colours of the folds with their names."""
    if not _is_coloured(info):
        return []
    return [(color, name) for (color, _), name in zip(FOLD_STYLES, info.fold_names, strict=False)]


def _tick(size: str, lowest: int) -> str:
    if size == str(lowest):
        return size
    return f"{lowest // 1000}k+" if lowest >= 1000 else f"{lowest}+"


def _times_due(method: MethodShares) -> FloatArray:
    """Give the shares as multiples of what is due; 1 where nothing is, as a fold without rows has it."""
    due = np.broadcast_to(method.due[:, None], method.shares.shape)
    return np.divide(method.shares, due, out=np.ones_like(method.shares), where=due > 0)


def _draw_panel(panels: Panels, info: RareSharesInfo, method: MethodShares, panel: int) -> None:
    axes = panels.axes(panel)
    panels.figure.add_shape(
        type="line", x0=0, x1=1, y0=1, y1=1, xref=f"{axes['xaxis']} domain", yref=axes["yaxis"], layer="below",
        line={"color": NEUTRAL, "width": 1.5},
    )  # fmt: skip
    far = info.farthest(method)
    if _is_coloured(info):
        lines = [_line(info, method, [at], *FOLD_STYLES[at]) for at in range(len(info.fold_names))]
    else:
        color, folds = method_style(method.key).color, list(range(len(info.fold_names)))
        lines = [_line(info, method, folds, color, None)]
        if far is not None:
            lines.append(_line(info, method, [far[0]], color, "circle"))
    panels.figure.add_traces([trace.update(axes) for trace in (_shade(info, method), *lines)])
    if method.bare is not None:
        panels.figure.add_traces([trace.update(axes) for trace in _bare_marks(info, method, method.bare)])
    if far is not None:
        _name_farthest(panels, info, method, far, axes)


def _line(info: RareSharesInfo, method: MethodShares, folds: list[int], color: str, symbol: str | None) -> go.Scatter:
    """Draw folds, thin and with gaps between them where they have no marks."""
    n_sizes = len(info.sizes)
    times = np.full((len(folds), n_sizes + 1), np.nan)
    times[:, :n_sizes] = _times_due(method)[folds].clip(max=MOST_SHOWN)
    marks = np.clip(3 + 1.4 * np.log10(np.maximum(info.positives, 1)), 4, 9)
    is_thin = symbol is None
    return go.Scatter(
        x=np.tile(np.arange(n_sizes + 1, dtype=np.float32), len(folds)), y=times.ravel().astype(np.float32),
        mode="lines" if is_thin else "lines+markers", line={"color": color, "width": 1 if is_thin else 2},
        opacity=0.6 if is_thin else 1, marker={"color": color, "symbol": symbol, "size": marks, "line": {"width": 0}},
        cliponaxis=False,
        hovertext=[text for fold in folds for text in (*_hover_texts(info, method, fold), "")],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _bare_marks(info: RareSharesInfo, method: MethodShares, bare: FloatArray) -> list[go.Scatter]:
    """Draw at the left, apart from the labels, what each fold has of the rows without any; behind it the shade."""
    due, n_folds = np.maximum(method.due, 1e-12), len(info.fold_names)
    spread = float(SHADED * (_spread(method, info.n_bare)[:, 0] / due).max())
    low, high = max(0.0, 1 - spread), min(MOST_SHOWN, 1 + spread)
    edges = [BARE - 1, BARE + 1]
    shade = go.Scatter(
        x=[*edges, *edges[::-1]], y=[high, high, low, low], mode="lines", fill="toself", fillcolor=SHADE, line_width=0,
        hoverinfo="skip",
    )  # fmt: skip
    if _is_coloured(info):
        marker: dict[str, Any] = {"color": [color for color, _ in FOLD_STYLES[:n_folds]],
                                  "symbol": [symbol for _, symbol in FOLD_STYLES[:n_folds]], "size": 8}  # fmt: skip
    else:
        marker = {"color": method_style(method.key).color, "size": 4}
    texts = [
        f"<b>{wrapped(name)}</b><br>{counted(info.n_bare, 'row')} without a label<br>{percent(share, 3)} of them, "
        f"{percent(wanted, 3)} due"
        for name, share, wanted in zip(info.fold_names, bare, method.due, strict=True)
    ]
    marks = go.Scatter(
        x=np.linspace(BARE - 1, BARE + 1, n_folds), y=(bare / due).clip(max=MOST_SHOWN), mode="markers",
        cliponaxis=False, marker=marker | {"line": {"width": 0}}, hovertext=texts,
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    return [shade, marks]


def _name_farthest(
    panels: Panels, info: RareSharesInfo, method: MethodShares, far: tuple[int, int], axes: dict[str, str]
) -> None:
    """Write beside the point that is the farthest off which fold it is."""
    fold, size = far
    height = min(float(_times_due(method)[fold, size]), MOST_SHOWN)
    is_left = size < len(info.sizes) / 2
    panels.figure.add_annotation(
        text=shown_name(info.fold_names[fold], 14), x=size, y=height, xref=axes["xaxis"], yref=axes["yaxis"],
        showarrow=False, xanchor="left" if is_left else "right", xshift=7 if is_left else -7,
        yanchor="bottom" if height > 1 else "top", font_size=11,
    )  # fmt: skip


def _shade(info: RareSharesInfo, method: MethodShares) -> go.Scatter:
    """Shade where most random splits would be, of the fold in which they differ most from its due."""
    held = method.due > 0
    spread = SHADED * (info.spread(method)[held] / method.due[held, None]).max(axis=0)
    x, low, high = np.arange(len(info.sizes)), (1 - spread).clip(min=0), (1 + spread).clip(max=MOST_SHOWN)
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]), y=np.concatenate([high, low[::-1]]), mode="lines", fill="toself",
        fillcolor=SHADE, line_width=0, hoverinfo="skip",
    )  # fmt: skip


def _hover_texts(info: RareSharesInfo, method: MethodShares, fold: int) -> list[str]:
    due, name = percent(method.due[fold], 3), wrapped(info.fold_names[fold])
    return [
        f"<b>{name}</b><br>labels with {info.rows(size)}<br>({counted(n_labels, 'label')}, "
        f"{counted(positives, 'positive')})<br>{percent(method.shares[fold, size], 3)} of the positives, {due} due"
        for size, (n_labels, positives) in enumerate(zip(info.n_labels.tolist(), info.positives.tolist(), strict=True))
    ]
