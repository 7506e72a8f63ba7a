"""The score of each label against its size, one series a method."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from optisplit.errors import OptionError
from optisplit.measures.registry import MEASURES, measures_per_label, name_of
from optisplit.measures.score import SAME
from optisplit.plots.bands import (
    FloatArray,
    IntArray,
    SizeBands,
    log_bands,
    means_by_band,
    quantiles_by_band,
    sample_by_band,
    values_by_size,
)
from optisplit.plots.style import (
    NEUTRAL,
    ROUNDING,
    SMALL,
    escape,
    left_out,
    log_axis,
    log_ticks,
    method_style,
    new_figure,
    say_empty,
    shown_name,
)
from optisplit.text import counted, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from optisplit.measures.report import Report

SIZE_TITLE = "Label size (rows with the label)"

_SVG_POINTS = 5000  # above this many, browsers draw SVG markers too slowly
_STRIP = 1.4  # the strip of zeros reaches from floor / 1.4 to floor * 1.4

ALL_AS_POINTS = 300
"""With more scored labels than this, sizes are put in bands and only a sample of the labels is drawn."""

_BANDS = 24
_FEWEST_IN_BAND = 10


@dataclass(frozen=True, slots=True)
class MethodScores:
    """One method's series."""

    key: str
    name: str  # its name for people
    n_reports: int  # splits that the scores are means of
    mean: float  # mean score over the scored labels
    bound: FloatArray  # shape (q,): best possible score of each label at the sizes of these splits; NaN where unknown
    scores: FloatArray  # shape (q,): mean score of each scored label over the reports
    counts: IntArray  # shape (k, q): positives of each scored label in each fold of the first report
    shown: IntArray  # shape (m,): the scored labels drawn as points, ascending
    # shape (b,): mean score in each band of label sizes, if there are bands. Medians would jump to 0 wherever many
    # sizes in a band are multiples of the number of folds; means add up to the overall mean
    means: FloatArray
    quantiles: FloatArray  # shape (3, b): percentiles 10, 50 and 90 of the scores in each band


@dataclass(frozen=True, slots=True)
class Bound:
    """The best possible scores at the fold sizes of one or more methods."""

    keys: tuple[str, ...]  # of the methods
    of: str  # their names; empty where they are all methods
    scores: FloatArray  # shape (q,): best possible score of each scored label
    # shape (s,): the same by label size: for each distinct size, or as the mean of each band
    sizes: FloatArray
    values: FloatArray

    @property
    def name(self) -> str:
        """What to call it."""
        return f"best possible, {self.of}" if self.of else "best possible"

    @property
    def mean(self) -> float:
        """Mean over the scored labels."""
        return float(self.scores.mean())


@dataclass(frozen=True, slots=True)
class PerClassInfo:
    """Scores by label size, ready to draw."""

    measure: str
    noun: str  # what a fold is called, such as "fold" or "part"
    label_names: tuple[str, ...]  # names of the scored labels
    sizes: IntArray  # shape (q,): their positive rows
    n_left_out: int  # labels without a score
    methods: tuple[MethodScores, ...]  # one a method, in the order given
    bands: SizeBands | None  # bands of label sizes; None where every label is a point
    bounds: tuple[Bound, ...]  # one for all methods whose splits have the same; none where it is not known
    floor: float  # where scores of 0 are drawn: half the smallest positive value in the figure
    top: float  # the largest value in the figure
    has_zeros: bool  # whether any value in the figure is 0

    @property
    def table(self) -> pd.DataFrame:
        """One row a label: its name, positives, the score of each method (its name), and the best possible one."""
        columns: dict[str, Any] = {"label": pd.Series(self.label_names, dtype="str"), "positives": self.sizes}
        columns |= {method.name: method.scores for method in self.methods}
        columns |= {bound.name: bound.scores for bound in self.bounds}
        return pd.DataFrame(columns)

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        name = name_of(self.measure)
        if not self.methods or not len(self.sizes):
            return f"{name} against label size: no labels to show."
        ranked = sorted(self.methods, key=lambda each: each.mean)
        best = ranked[0]
        means = ", ".join(f"{each.name} {each.mean:.3g}" for each in ranked)
        small = self.sizes <= np.percentile(self.sizes, 25)
        large = self.sizes >= np.percentile(self.sizes, 75)
        sentences = [
            f"{name} against label size for {counted(len(self.sizes), 'label')} of {self.sizes.min():,} to "
            f"{counted(int(self.sizes.max()), 'row')} and {counted(len(ranked), 'method')}.",
            f"Mean over labels, lowest first: {means}.",
            f"With {best.name} the mean is {best.scores[small].mean():.3g} over the smallest quarter of the "
            f"labels and {best.scores[large].mean():.3g} over the largest quarter.",
        ]
        if self.bounds:
            means = ", ".join(f"{each.of} {each.mean:.3g}".strip() for each in self.bounds)
            sentences.insert(2, f"The best possible mean at these fold sizes is {means}.")
        return " ".join([*sentences, *left_out(self.n_left_out)])


def per_class_info(
    reports: Mapping[str, Sequence[Report]],
    measure: str,
    *,
    names: Mapping[str, str] | None = None,
    noun: str = "fold",
    max_points: int = 1200,
    seed: int = 0,
) -> PerClassInfo:
    """Work out the score of each label against its size.

    - Scores are means over each method's reports; labels without a score are left out and counted.
    - Up to 300 labels, each is a point. Of more, each method shows its mean and high 10 % by label size, and
      as points a sample: the worst three of each band, then the same random labels for every method, evenly
      over the bands.
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
    max_points : int, default=1200
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
        If the measure is unknown, or the reports are on different labels.
    """
    if measure not in measures_per_label():
        what = "measure"
        raise OptionError.unknown(what, measure, measures_per_label())
    given = {key: list(each) for key, each in reports.items() if len(each)}
    every = [report for each in given.values() for report in each]
    check_same_labels(every)
    scored = np.flatnonzero(every[0].is_scored) if every else np.zeros(0, dtype=np.int64)
    sizes = every[0].positives[scored].astype(np.int64) if every else scored
    bands = log_bands(sizes, _BANDS, _FEWEST_IN_BAND) if len(sizes) > ALL_AS_POINTS else None
    lottery = np.random.default_rng(seed).random(len(sizes))  # one draw for all: methods show the same labels
    methods = tuple(
        _method_scores(key, (names or {}).get(key, key), each, measure, scored, bands, lottery, max_points)
        for key, each in given.items()
    )
    bounds = tuple(_bounds(methods, sizes, bands)) if MEASURES[measure].has_bound and len(sizes) else ()
    drawn = ((each.scores[each.shown], each.means, each.quantiles[2]) for each in methods)
    values = np.concatenate([np.zeros(0), *(each.values for each in bounds), *chain.from_iterable(drawn)])
    positive = values[values > 0]
    return PerClassInfo(
        measure=measure,
        noun=noun,
        label_names=tuple(every[0].label_names[j] for j in scored) if every else (),
        sizes=sizes,
        n_left_out=len(every[0].positives) - len(scored) if every else 0,
        methods=methods,
        bands=bands,
        bounds=bounds,
        floor=float(positive.min()) / 2 if positive.size else 0.01,
        top=float(positive.max()) if positive.size else 1.0,
        has_zeros=bool((values == 0).any()),
    )


def check_same_labels(reports: Sequence[Report]) -> None:
    """Refuse reports on different labels."""
    for report in reports[1:]:
        if report.label_names != reports[0].label_names or not np.array_equal(report.positives, reports[0].positives):
            msg = "The reports are on different labels; compare methods on one data set at a time."
            raise OptionError(msg)


def _mean_of(reports: Sequence[Report], column: str, scored: IntArray) -> FloatArray:
    values = np.array([report.per_class[column] for report in reports], dtype=np.float64)[:, scored]
    values[np.abs(values) < ROUNDING] = 0.0
    return np.asarray(values.mean(axis=0))


def _method_scores(
    key: str, name: str, reports: Sequence[Report], measure: str, scored: IntArray, bands: SizeBands | None,
    lottery: FloatArray, max_points: int,
) -> MethodScores:  # fmt: skip
    scores = _mean_of(reports, measure, scored)
    return MethodScores(
        key=key,
        name=name,
        n_reports=len(reports),
        mean=float(scores.mean()) if scores.size else float("nan"),
        bound=_mean_of(reports, f"{measure}_bound", scored) if MEASURES[measure].has_bound else scores * np.nan,
        scores=scores,
        counts=reports[0].counts[:, scored].astype(np.int64),
        shown=np.arange(len(scores)) if bands is None else sample_by_band(scores, bands, lottery, max_points),
        means=np.zeros(0) if bands is None else means_by_band(scores, bands),
        quantiles=np.zeros((3, 0)) if bands is None else quantiles_by_band(scores, bands),
    )


def _bounds(methods: Sequence[MethodScores], sizes: IntArray, bands: SizeBands | None) -> Iterator[Bound]:
    """Give each bound once: fold sizes may differ from method to method, and no score is shown beside another's."""
    groups: list[list[MethodScores]] = []
    for method in methods:
        same = (group for group in groups if np.allclose(group[0].bound, method.bound, rtol=0, atol=SAME))
        group = next(same, None)
        groups.append([method]) if group is None else group.append(method)
    for group in groups:
        of = joined([method.name for method in group]) if len(groups) > 1 else ""
        keys = tuple(method.key for method in group)
        yield Bound(keys, of, group[0].bound, *values_by_size(group[0].bound, sizes, bands))


def _measure_title(key: str) -> str:
    """Name an axis, in lines short enough for the height of the figure."""
    measure = MEASURES[key]
    return "<br>".join(textwrap.wrap(f"{measure.name}: {measure.title} (0 = perfect)", 38))


def plot_per_class(info: PerClassInfo) -> go.Figure:
    """Draw the score of each label against its size."""
    figure = new_figure(520, x_title=SIZE_TITLE, y_title=_measure_title(info.measure))
    if not info.methods or not len(info.sizes):
        return say_empty(figure, "No labels to show")
    _set_axes(figure, info)
    is_gl = sum(len(each.shown) for each in info.methods) > _SVG_POINTS
    banded = () if info.bands is None else [(info.bands, each) for each in info.methods]
    figure.add_traces([_spread(info, bands, each) for bands, each in banded])
    figure.add_traces([_points(info, each, is_gl) for each in info.methods])
    figure.add_traces([_mean_line(info, bands, each) for bands, each in banded])
    figure.add_traces([_bound(info, bound) for bound in info.bounds])
    return figure


def _set_axes(figure: go.Figure, info: PerClassInfo) -> None:
    low, high = info.sizes.min() / 1.15, info.sizes.max() * 1.15
    figure.update_xaxes(log_axis(log_ticks(low, high), range=[math.log10(low), math.log10(high)]))
    bottom = info.floor / _STRIP if info.has_zeros else info.floor * 1.7
    heights = log_ticks(info.floor * 1.7, info.top * 1.2)
    texts = [f"{tick:g}" for tick in heights]
    remark = "log scale"
    if info.has_zeros:
        heights, texts, remark = [info.floor, *heights], ["0", *texts], "log scale, 0 set apart at the bottom"
        figure.add_hrect(
            y0=bottom, y1=info.floor * _STRIP, fillcolor=NEUTRAL, opacity=0.12, line_width=0, layer="below"
        )
    figure.update_yaxes(
        type="log", range=[math.log10(bottom), math.log10(info.top * 1.2)], tickvals=heights, ticktext=texts,
        title_text=f"{_measure_title(info.measure)}<br>{SMALL.format(remark)}",
    )  # fmt: skip
    if info.bands is not None:
        n_shown = max(len(each.shown) for each in info.methods)
        legend = (
            "line: mean of the labels of about that size; shade: up to the high 10 % of them",
            f"points: {n_shown:,} of {len(info.sizes):,} labels",
        )
        figure.update_xaxes(title_text="<br>".join([SIZE_TITLE, *map(SMALL.format, legend)]))


def _height(info: PerClassInfo, values: FloatArray) -> NDArray[np.float32]:
    return np.maximum(values, info.floor).astype(np.float32)


def _series(method: MethodScores) -> dict[str, Any]:
    """Name a trace, so that all traces of a method come and go together."""
    return {"name": f"{escape(method.name)} (mean {method.mean:.3g})", "legendgroup": method.key}


def _spread(info: PerClassInfo, bands: SizeBands, method: MethodScores) -> go.Scatter:
    # downwards it would be spikes to 0, at every label size that the number of folds divides
    low = _height(info, method.means)
    high = np.maximum(low, _height(info, method.quantiles[2]))
    return go.Scatter(
        x=np.concatenate([bands.middle, bands.middle[::-1]]).astype(np.float32), y=np.concatenate([high, low[::-1]]),
        fill="toself", fillcolor=method_style(method.key).translucent(0.16), line_width=0, mode="lines",
        hoverinfo="skip", legendgroup=method.key, showlegend=False,
    )  # fmt: skip


def _points(info: PerClassInfo, method: MethodScores, is_gl: bool) -> Any:
    style, shown, is_sample = method_style(method.key), method.shown, info.bands is not None
    size = 4 if is_sample else 10 if len(shown) <= 60 else 7
    opacity = 0.3 if is_sample else 0.85
    draw = go.Scattergl if is_gl else go.Scatter
    return draw(
        x=info.sizes[shown].astype(np.float32), y=_height(info, method.scores[shown]),
        text=[shown_name(info.label_names[j]) for j in shown],
        hovertext=[_counts_text(method.counts[:, j].tolist()) for j in shown],
        customdata=np.column_stack([method.scores[shown], method.bound[shown]]).astype(np.float32),
        hovertemplate=_point_template(info, method), mode="markers", showlegend=not is_sample,
        marker={"color": style.color, "symbol": style.symbol, "size": size, "opacity": opacity}, **_series(method),
    )  # fmt: skip


def _counts_text(counts: list[int]) -> str:
    return ", ".join(map(str, counts[:20])) + (", …" if len(counts) > 20 else "")


def _point_template(info: PerClassInfo, method: MethodScores) -> str:
    score = f"{name_of(info.measure)} %{{customdata[0]:.4g}}"
    if MEASURES[info.measure].has_bound:
        score += " (best possible %{customdata[1]:.4g})"
    where = f"in the {info.noun}s"
    if method.n_reports > 1:
        score += f", mean of {method.n_reports} splits"
        where += " of the first split"
    about = f"<b>%{{text}}</b><br>%{{x:,}} rows with the label<br>{score}<br>{where}: %{{hovertext}}"
    return f"{about}<extra>{escape(method.name)}</extra>"


def _mean_line(info: PerClassInfo, bands: SizeBands, method: MethodScores) -> go.Scatter:
    style = method_style(method.key)
    return go.Scatter(
        x=bands.middle.astype(np.float32), y=_height(info, method.means), text=bands.descriptions,
        customdata=np.vstack([method.means, method.quantiles]).T.astype(np.float32),
        hovertemplate="<b>%{text}</b><br>"
        f"{name_of(info.measure)}: mean %{{customdata[0]:.4g}}, median %{{customdata[2]:.4g}}<br>"
        "10 % of the labels up to %{customdata[1]:.4g}, 10 % from %{customdata[3]:.4g}"
        f"<extra>{escape(method.name)}</extra>",
        mode="lines+markers", line={"color": style.color, "width": 2.5},
        marker={"color": style.color, "symbol": style.symbol, "size": 8}, **_series(method),
    )  # fmt: skip


def _bound(info: PerClassInfo, bound: Bound) -> go.Scatter:
    is_line = info.bands is not None
    # where methods have bounds of their own, because of their fold sizes, each is drawn as the method is
    is_own = bool(bound.of) and len(bound.keys) == 1
    color = method_style(bound.keys[0]).color if is_own else NEUTRAL
    about = "about " if is_line else ""
    # from size to size the bound jumps, down to 0 at multiples of the number of folds: single sizes get marks
    return go.Scatter(
        x=bound.sizes.astype(np.float32), y=_height(info, bound.values), customdata=bound.values.astype(np.float32),
        hovertemplate=f"{escape(bound.name)}: %{{customdata:.4g}}<br>for {about}%{{x:,}} rows<extra></extra>",
        mode="lines" if is_line else "markers", line={"color": color, "width": 2.5, "dash": "dash"},
        marker={"symbol": "line-ew-open", "size": 16, "color": color, "line": {"width": 2}},
        name=escape(bound.name), legendgroup=bound.keys[0] if is_own else None,
    )  # fmt: skip
