"""The score of each label against its size: a panel a method, and how far each is above the label's own best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.errors import OptionError
from optisplit.measures.registry import MEASURES, measures_per_label, name_of
from optisplit.measures.score import SAME, usual_bound
from optisplit.measures.shown import left_out_sentence
from optisplit.plots.bands import FloatArray, IntArray, SizeBands, log_bands, means_by_band, sample_by_band
from optisplit.plots.given import mean_score, reports_given
from optisplit.plots.panels import Panels, columns_for, method_title, new_panels
from optisplit.plots.style import (
    GREY,
    NEUTRAL,
    SMALL,
    log_ticks,
    method_style,
    root_ticks,
    say_empty,
    wrapped,
)
from optisplit.text import counted, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.measures.report import Report
    from optisplit.measures.score import Score

Scale: TypeAlias = Literal["excess", "score"]

SIZE_TITLE = "Label size (rows with the label)"

ALL_AS_POINTS = 300
"""With more scored labels than this, a sample of them is drawn as points."""

_BANDS = 24
_FEWEST_IN_BAND = 10  # of many labels; fewer of few
_FEWEST_BANDS = 15
_HEIGHTS = {1: 380, 2: 240}  # of a panel, in pixels, by the number of panels
_HEIGHT = 200
_BELOW_ZERO = 0.13  # of the height of a panel, for what 0 is called
_MOST_TICKS = {1: 10, 2: 7}
_MOST_SPLITS_TOLD = 20


@dataclass(frozen=True, slots=True)
class MethodScores:
    """One method's panel."""

    key: str
    name: str  # its name for people
    n_reports: int  # splits that the scores are means of
    score: Score  # the mean over labels beside what is best possible for these splits, as in every table
    scores: FloatArray  # shape (q,): mean score of each scored label over the reports
    bound: FloatArray  # shape (q,): best possible score of each label alone at these sizes; NaN where unknown
    values: FloatArray  # shape (q,): what is drawn: the scores, or how far they are above the labels' own best
    counts: IntArray  # shape (k, q): positives of each scored label in each fold of the first report
    shown: IntArray  # shape (m,): the scored labels drawn as points, ascending
    # shape (b,): mean of what is drawn in each band of label sizes. Medians would jump to 0 wherever many sizes in a
    # band are multiples of the number of folds
    means: FloatArray

    @property
    def mean(self) -> float:
        """Mean score over the scored labels."""
        return self.score.value

    def remark(self, usual: float) -> str:
        """Say the mean and how it stands to the best possible; of its own sizes, where others have the `usual` one."""
        relation = f", {self.score.sentence}{self.score.sizes_words(usual)}" if self.score.has_bound else ""
        return f"mean {number(self.mean)}{relation}"


@dataclass(frozen=True, slots=True)
class PerClassInfo:
    """Scores by label size, ready to draw."""

    measure: str
    scale: Scale  # whether scores are drawn, or how far they are above the labels' own best
    noun: str  # what a fold is called, such as "fold" or "part"
    label_names: tuple[str, ...]  # names of the scored labels
    sizes: IntArray  # shape (q,): their positive rows
    left_out: str  # which labels have no score, in a sentence
    methods: tuple[MethodScores, ...]  # one a method, in the order given
    bands: SizeBands | None  # bands of label sizes; None without labels

    @property
    def usual(self) -> float:
        """The mean that is best possible with the sizes that most methods have."""
        return usual_bound([each.score for each in self.methods])

    @property
    def top(self) -> float:
        """The largest value in the figure; 1 where all are 0."""
        drawn = [values.max(initial=0) for each in self.methods for values in (each.values[each.shown], each.means)]
        return float(max(drawn, default=0)) or 1.0

    @property
    def table(self) -> pd.DataFrame:
        """One row a label: its name, positives, and, for each method, score, best possible one, and the difference."""
        columns: dict[str, Any] = {"label": pd.Series(self.label_names, dtype="str"), "positives": self.sizes}
        for method in self.methods:
            columns[method.name] = method.scores
            if MEASURES[self.measure].has_bound:
                columns |= {
                    f"{method.name}, best possible": method.bound,
                    f"{method.name}, above it": _above(method.scores, method.bound),
                }
        return pd.DataFrame(columns)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        name = name_of(self.measure)
        if not self.methods or not len(self.sizes):
            return f"{name} against label size: no labels to show."
        ranked = sorted(self.methods, key=lambda each: each.mean)
        best = ranked[0]
        what = f"{name} above each label's own best" if self.scale == "excess" else name
        small = self.sizes <= np.percentile(self.sizes, 25)
        large = self.sizes >= np.percentile(self.sizes, 75)
        sentences = [
            f"{what} against label size for {counted(len(self.sizes), 'label')} of {self.sizes.min():,} to "
            f"{counted(int(self.sizes.max()), 'row')}.",
            "Lowest first: " + "; ".join(f"{each.name}, {each.remark(self.usual)}" for each in ranked) + ".",
            f"With {best.name}, of the smallest quarter of the labels the mean is {number(best.scores[small].mean())}, "
            f"of the largest {number(best.scores[large].mean())}.",
        ]
        return " ".join([*sentences, *filter(None, [self.left_out])])


def _above(scores: FloatArray, bound: FloatArray) -> FloatArray:
    excess = scores - bound
    return np.where(np.abs(excess) <= SAME, 0.0, excess)


def per_class_info(
    reports: Mapping[str, Sequence[Report]],
    measure: str,
    *,
    names: Mapping[str, str] | None = None,
    noun: str = "fold",
    scale: Scale = "excess",
    max_points: int = 400,
    seed: int = 0,
) -> PerClassInfo:
    """Work out the score of each label against its size.

    - Scores are means over each method's reports; labels without a score are left out and counted.
    - What is drawn is how far each score is above the lowest that this label alone can have in folds of these sizes,
      or the score itself (`scale`; always where a measure has no lowest score).
    - Each method shows the mean by label size, and labels as points: all of up to 300; of more a sample: the worst
      three of each band of sizes, then the same random labels for every method, evenly over the bands.
    - Nothing to show gives a record without methods or without labels, not an error.

    Parameters
    ----------
    reports : mapping of str to sequence of Report
        Reports of each method's splits, by its key; see :func:`optisplit.evaluate`.
    measure : str
        What is drawn: the key of a measure that every label has, such as ``"rld"``.
    names : mapping of str to str, optional
        Names for people, by the same keys.
    noun : str, default="fold"
        What a fold is called, such as "part".
    scale : {"excess", "score"}, default="excess"
        Whether to draw how far scores are above the labels' own best, or the scores.
    max_points : int, default=400
        Labels drawn for each method where there are more than 300.
    seed : int, default=0
        Of the sample.

    Returns
    -------
    PerClassInfo
        With its `table` and `alt_text`.

    Raises
    ------
    OptionError
        If the measure or the scale is unknown, or the reports are on different labels.
    """
    for what, asked, known in (("measure", measure, measures_per_label()), ("scale", scale, ("excess", "score"))):
        if asked not in known:
            raise OptionError.unknown(what, asked, known)
    given, every = reports_given(reports)
    scored = np.flatnonzero(every[0].is_scored) if every else np.zeros(0, dtype=np.int64)
    sizes = every[0].positives[scored].astype(np.int64) if every else scored
    fewest = max(1, min(_FEWEST_IN_BAND, len(sizes) // _FEWEST_BANDS))
    bands = log_bands(sizes, _BANDS, fewest) if len(sizes) else None
    lottery = np.random.default_rng(seed).random(len(sizes))  # one draw for all: methods show the same labels
    drawn: Scale = scale if MEASURES[measure].has_bound else "score"
    sample = None if len(sizes) <= ALL_AS_POINTS else (lottery, max_points)
    return PerClassInfo(
        measure=measure,
        scale=drawn,
        noun=noun,
        label_names=tuple(every[0].label_names[j] for j in scored) if every else (),
        sizes=sizes,
        left_out=left_out_sentence(every[0]) if every else "",
        methods=tuple(
            _method_scores((key, (names or {}).get(key, key)), each, measure, drawn, scored, bands, sample)
            for key, each in given.items()
        ),
        bands=bands,
    )


def _method_scores(
    named: tuple[str, str], reports: Sequence[Report], measure: str, scale: Scale, scored: IntArray,
    bands: SizeBands | None, sample: tuple[FloatArray, int] | None,
) -> MethodScores:  # fmt: skip
    scores = np.mean([report.per_label(measure)[scored] for report in reports], axis=0)
    bound = np.mean([report.bound_per_label(measure)[scored] for report in reports], axis=0)
    scores[np.abs(scores) <= SAME] = 0.0
    values = _above(scores, bound) if scale == "excess" else scores
    return MethodScores(
        *named,
        n_reports=len(reports),
        score=mean_score(reports, measure),
        scores=scores,
        bound=bound,
        values=values,
        counts=reports[0].counts[:, scored].astype(np.int64),
        shown=np.arange(len(scores)) if sample is None or bands is None else sample_by_band(values, bands, *sample),
        means=np.zeros(0) if bands is None else means_by_band(values, bands),
    )


def plot_per_class(info: PerClassInfo, *, columns: int | None = None) -> go.Figure:
    """Draw one panel a method: labels by size, and behind them the means of the other panels in grey.

    Parameters
    ----------
    info : PerClassInfo
        What :func:`per_class_info` gave.
    columns : int, optional
        How many panels stand side by side, such as 1 for a narrow screen; default: up to 3.

    Returns
    -------
    plotly.graph_objects.Figure
        The figure; its width is that of the page.
    """
    columns = columns_for(len(info.methods), columns, 3)
    is_empty = not info.methods or info.bands is None
    titles = [(method_title(method.key, method.name), method.remark(info.usual)) for method in info.methods]
    panels = new_panels(
        [("", "")] if is_empty else titles, columns, _HEIGHTS.get(len(info.methods), _HEIGHT), head=_head(info),
        below=_below(info),
        x_axis={} if is_empty else _size_axis(info.sizes, columns), y_axis={} if is_empty else _score_axis(info.top),
    )  # fmt: skip
    if info.bands is None or not info.methods:
        return say_empty(panels.figure, "No labels to show", hide_axes=True)
    for at, method in enumerate(info.methods):
        _add_zero(panels, info, at)
        others = [each for each in info.methods if each is not method]
        traces = [*_others(info.bands, others), _points(info, method), *_own_best(info, info.bands, method)]
        panels.figure.add_traces(
            [trace.update(panels.axes(at)) for trace in (*traces, _mean_line(info, info.bands, method))]
        )
    return panels.figure


def _head(info: PerClassInfo) -> list[str]:
    what = " above each label's own best possible" if info.scale == "excess" else f": {MEASURES[info.measure].title}"
    return [f"{name_of(info.measure)}{what} (root scale)"]


def _below(info: PerClassInfo) -> list[str]:
    n_labels, n_shown = len(info.sizes), max((len(each.shown) for each in info.methods), default=0)
    if not n_labels:
        return [SIZE_TITLE]
    which = "points: labels" if n_shown == n_labels else f"points: {n_shown:,} of {counted(n_labels, 'label')}"
    lines = [f"{which} · line: mean of labels of about that size"]
    if len(info.methods) > 1:
        lines[0] += f" · grey: in {'the other panel' if len(info.methods) == 2 else 'other panels'}"
    if info.scale == "score" and MEASURES[info.measure].has_bound:
        lines.append("dashed: the best possible of each label alone")
    if any(each.score.is_of_fair for each in info.methods):
        lines.append(
            f"a fair split into {info.noun}s of unequal size cannot have every label at its own best; what is said of "
            "the mean allows for that"
        )
    return [SIZE_TITLE, *lines]


def _size_axis(sizes: IntArray, columns: int) -> dict[str, Any]:
    low, high = sizes.min() / 1.3, sizes.max() * 1.3
    ticks = log_ticks(low, high, _MOST_TICKS.get(columns, 5))
    return {
        "type": "log", "range": [math.log10(low), math.log10(high)], "tickvals": ticks, "showgrid": False,
        "ticktext": [f"{tick:,g}" for tick in ticks], "tickangle": 0,
    }  # fmt: skip


def _score_axis(top: float) -> dict[str, Any]:
    ticks = root_ticks(top)
    highest = math.sqrt(top) * 1.06
    return {
        "range": [-_BELOW_ZERO * highest, highest], "tickvals": [math.sqrt(tick) for tick in ticks],
        "ticktext": [f"{tick:g}" for tick in ticks],
    }  # fmt: skip


def _height(values: FloatArray) -> NDArray[np.float32]:
    return np.sqrt(np.maximum(values, 0)).astype(np.float32)


def _add_zero(panels: Panels, info: PerClassInfo, panel: int) -> None:
    """Draw the line of 0, and write below it what it means."""
    axes = panels.axes(panel)
    panels.figure.add_shape(
        type="line", x0=0, x1=1, y0=0, y1=0, xref=f"{axes['xaxis']} domain", yref=axes["yaxis"], layer="below",
        line={"color": NEUTRAL, "width": 1.5},
    )  # fmt: skip
    means = "best possible for the label" if info.scale == "excess" else "perfect"
    panels.figure.add_annotation(
        text=SMALL.format(f"0 = {means}"), x=1, y=0, xref=f"{axes['xaxis']} domain", yref=axes["yaxis"],
        xanchor="right", yanchor="top", showarrow=False, yshift=-3,
    )  # fmt: skip


def _others(bands: SizeBands, others: Sequence[MethodScores]) -> list[go.Scatter]:
    """Draw the means of the other panels as one trace, with gaps."""
    if not others:
        return []
    x = np.concatenate([[*bands.middle, np.nan] for _ in others]).astype(np.float32)
    y = np.concatenate([[*_height(each.means), np.nan] for each in others]).astype(np.float32)
    is_line = len(bands) > 1
    return [
        go.Scatter(
            x=x, y=y, mode="lines" if is_line else "markers", line={"color": GREY, "width": 1.5},
            marker={"color": GREY, "size": 6}, hoverinfo="skip",
        )
    ]  # fmt: skip


def _own_best(info: PerClassInfo, bands: SizeBands, method: MethodScores) -> list[go.Scatter]:
    """Draw the mean of the labels' best possible scores, where scores themselves are drawn."""
    if info.scale == "excess" or not MEASURES[info.measure].has_bound:
        return []
    line = {"color": NEUTRAL, "width": 2, "dash": "dash"}
    y = _height(means_by_band(method.bound, bands))
    return [go.Scatter(x=bands.middle.astype(np.float32), y=y, mode="lines", line=line, hoverinfo="skip")]


def _points(info: PerClassInfo, method: MethodScores) -> go.Scatter:
    style, shown = method_style(method.key), method.shown
    size = 5 if len(shown) > 150 else 6 if len(shown) > 60 else 9
    opacity = 0.35 if len(shown) < len(info.sizes) else 0.75
    figures = np.column_stack([method.scores[shown], method.bound[shown], _above(method.scores, method.bound)[shown]])
    return go.Scatter(
        x=info.sizes[shown].astype(np.float32), y=_height(method.values[shown]),
        text=[wrapped(info.label_names[j]) for j in shown],
        hovertext=[_counts_text(method.counts[:, j].tolist()) for j in shown], customdata=figures.astype(np.float32),
        hovertemplate=_point_template(info, method), mode="markers",
        marker={"color": style.color, "symbol": style.symbol, "size": size, "opacity": opacity, "line": {"width": 0}},
    )  # fmt: skip


def _counts_text(counts: list[int]) -> str:
    more = ", …" if len(counts) > _MOST_SPLITS_TOLD else ""
    return wrapped(", ".join(map(str, counts[:_MOST_SPLITS_TOLD])) + more)


def _point_template(info: PerClassInfo, method: MethodScores) -> str:
    lines = ["<b>%{text}</b>", "%{x:,} rows with the label", f"{name_of(info.measure)} %{{customdata[0]:.3g}}"]
    where = f"positives in the {info.noun}s"
    if method.n_reports > 1:
        lines[-1] += f", mean of {method.n_reports} splits"
        where += " of the first split"
    if MEASURES[info.measure].has_bound:
        lines.append("best possible %{customdata[1]:.3g}, so %{customdata[2]:.3g} above")
    return "<br>".join([*lines, f"{where}:", "%{hovertext}<extra></extra>"])


def _mean_line(info: PerClassInfo, bands: SizeBands, method: MethodScores) -> go.Scatter:
    style = method_style(method.key)
    what = f"{name_of(info.measure)}{' above the labels’ own best' if info.scale == 'excess' else ''}"
    return go.Scatter(
        x=bands.middle.astype(np.float32), y=_height(method.means), text=bands.descriptions,
        customdata=method.means.astype(np.float32),
        hovertemplate=f"<b>%{{text}}</b><br>{what}:<br>mean %{{customdata:.3g}}<extra></extra>",
        mode="lines+markers", line={"color": style.color, "width": 2.5},
        marker={"color": style.color, "size": 5 if len(bands) > 1 else 10},
    )  # fmt: skip
