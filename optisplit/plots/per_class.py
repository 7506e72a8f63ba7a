"""Figure: the score of each class against its size, one series a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.errors import OptionError
from optisplit.plots.bands import (
    FloatArray,
    IntArray,
    SizeBands,
    SplitReport,
    log_bands,
    means_by_band,
    quantiles_by_band,
)
from optisplit.text import MEASURE_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

ClassMeasure: TypeAlias = Literal["rld", "dcp", "ld"]

ALL_AS_POINTS = 300
"""With more scored classes than this, sizes are put in bands and only a sample of the classes is drawn."""

_BANDS = 24
_FEWEST_IN_BAND = 10
_WORST_IN_BAND = 3  # always among the sampled points
_ROUNDING = 1e-12  # scores below this are 0, up to floating point


@dataclass(frozen=True, slots=True)
class MethodScores:
    """One method's series."""

    key: str  # the method's key, and its name for people
    name: str  # the method's key, and its name for people
    n_reports: int  # splits that the scores are means of
    mean: float  # mean score over the scored classes
    scores: FloatArray  # shape (q,): mean score of each scored class over the reports
    counts: IntArray  # shape (k, q): positives of each scored class in each fold of the first report
    shown: IntArray  # shape (m,): the scored classes drawn as points, ascending
    # shape (b,): mean score in each band of class sizes. Medians would jump to 0 wherever many sizes in a band are
    # multiples of the number of folds; means add up to the overall mean
    means: FloatArray | None
    quantiles: FloatArray | None  # shape (3, b): percentiles 10, 50 and 90 of the scores in each band of class sizes


@dataclass(frozen=True, slots=True)
class PerClassInfo:
    """Scores by class size, ready to draw."""

    measure: ClassMeasure  # the measure
    label_names: tuple[str, ...]  # names of the scored classes
    sizes: IntArray  # shape (q,): their positive rows
    n_left_out: int  # classes without a score
    methods: tuple[MethodScores, ...]  # one a method, in the order given
    bound: FloatArray | None  # shape (q,): best possible score of each class; None for LD, which has no known bound
    bands: SizeBands | None  # bands of class sizes; None where every class is a point
    # shape (s,): the best possible score by class size: for each distinct size, or as the mean of each band
    bound_sizes: FloatArray
    # shape (s,): the best possible score by class size: for each distinct size, or as the mean of each band
    bound_values: FloatArray
    floor: float  # where scores of 0 are drawn: half the smallest positive value in the figure
    top: float  # the largest value in the figure
    has_zeros: bool  # whether any value in the figure is 0

    @property
    def table(self) -> pd.DataFrame:
        """One row a class: label, positives, the score of each method (its name), and the best possible one."""
        import pandas as pd

        columns: dict[str, Any] = {"label": pd.Series(self.label_names, dtype="str"), "positives": self.sizes}
        columns |= {method.name: method.scores for method in self.methods}
        if self.bound is not None:
            columns["best possible"] = self.bound
        return pd.DataFrame(columns)

    @property
    def bound_mean(self) -> float | None:
        """Mean of the best possible scores; None without a bound or without classes."""
        return float(self.bound.mean()) if self.bound is not None and self.bound.size else None


def per_class_info(
    reports: Mapping[str, Sequence[SplitReport]],
    measure: ClassMeasure,
    *,
    names: Mapping[str, str] | None = None,
    max_points: int = 1200,
    seed: int = 0,
) -> PerClassInfo:
    """Work out the score of each class against its size.

    - Scores are means over each method's reports; classes without a score are left out and counted.
    - Up to 300 classes, each is a point. Of more, each method shows its mean and high 10 % by class size, and
      as points a sample: the worst three of each band, then the same random classes for every method, evenly
      over the bands.
    - Nothing to show gives a record without methods or without classes, not an error.
    """
    if measure not in MEASURE_NAMES:
        what = "measure"
        raise OptionError.unknown(what, measure, MEASURE_NAMES)
    given = {key: list(each) for key, each in reports.items() if len(each)}
    every = [report for each in given.values() for report in each]
    _check_same_labels(every)
    scored = np.flatnonzero(every[0].is_scored) if every else np.zeros(0, dtype=np.int64)
    sizes = every[0].positives[scored].astype(np.int64) if every else scored
    bands = log_bands(sizes, _BANDS, _FEWEST_IN_BAND) if len(sizes) > ALL_AS_POINTS else None
    lottery = np.random.default_rng(seed).random(len(sizes))  # one draw for all: methods show the same classes
    methods = tuple(
        _method_scores(key, (names or {}).get(key, key), each, measure, scored, bands, lottery, max_points)
        for key, each in given.items()
    )
    bound = _best_possible(every, measure, scored)
    bound_sizes, bound_values = _bound_by_size(sizes, bound, bands)
    values = np.concatenate(
        [bound_values, *(each.scores[each.shown] for each in methods)]
        + [each.means for each in methods if each.means is not None]
        + [each.quantiles[2] for each in methods if each.quantiles is not None]
    )
    positive = values[values > 0]
    return PerClassInfo(
        measure=measure,
        label_names=tuple(every[0].label_names[j] for j in scored) if every else (),
        sizes=sizes,
        n_left_out=len(every[0].positives) - len(scored) if every else 0,
        methods=methods,
        bound=bound,
        bands=bands,
        bound_sizes=bound_sizes,
        bound_values=bound_values,
        floor=float(positive.min()) / 2 if positive.size else 0.01,
        top=float(positive.max()) if positive.size else 1.0,
        has_zeros=bool((values == 0).any()),
    )


def _check_same_labels(reports: Sequence[SplitReport]) -> None:
    for report in reports[1:]:
        if report.label_names != reports[0].label_names or not np.array_equal(report.positives, reports[0].positives):
            msg = "The reports are on different labels; compare methods on one data set at a time."
            raise OptionError(msg)


def _column(report: SplitReport, column: str, scored: IntArray) -> FloatArray:
    values = np.array(report.per_class[column], dtype=np.float64)[scored]
    values[np.abs(values) < _ROUNDING] = 0.0
    return values


def _method_scores(
    key: str,
    name: str,
    reports: Sequence[SplitReport],
    measure: str,
    scored: IntArray,
    bands: SizeBands | None,
    lottery: FloatArray,
    max_points: int,
) -> MethodScores:
    scores = np.mean([_column(report, measure, scored) for report in reports], axis=0)
    return MethodScores(
        key=key,
        name=name,
        n_reports=len(reports),
        mean=float(scores.mean()) if scores.size else float("nan"),
        scores=scores,
        counts=reports[0].counts[:, scored].astype(np.int64),
        shown=np.arange(len(scores)) if bands is None else _sample(scores, bands, lottery, max_points),
        means=None if bands is None else means_by_band(scores, bands),
        quantiles=None if bands is None else quantiles_by_band(scores, bands),
    )


def _sample(scores: FloatArray, bands: SizeBands, lottery: FloatArray, n_points: int) -> IntArray:
    """Take classes from all bands in turns: of each band first the worst, then as the lottery has it."""
    places = np.arange(len(scores)) - np.r_[0, np.cumsum(bands.n_classes)][np.sort(bands.of_class)]
    by_score = np.lexsort((lottery, -scores, bands.of_class))
    priority = lottery.copy()
    priority[by_score[places < _WORST_IN_BAND]] = -1.0
    by_priority = np.lexsort((priority, bands.of_class))
    turn = np.empty(len(scores), dtype=np.int64)
    turn[by_priority] = places
    return np.sort(np.lexsort((lottery, turn))[: max(n_points, 0)])


def _best_possible(reports: Sequence[SplitReport], measure: str, scored: IntArray) -> FloatArray | None:
    if measure == "ld" or not reports:
        return None
    # fold sizes, and so bounds, may differ from split to split: the lowest one holds for them all
    return np.min([_column(report, f"{measure}_bound", scored) for report in reports], axis=0)


def _bound_by_size(sizes: IntArray, bound: FloatArray | None, bands: SizeBands | None) -> tuple[FloatArray, FloatArray]:
    if bound is None or not bound.size:
        return np.zeros(0), np.zeros(0)
    if bands is not None:
        return bands.middle, means_by_band(bound, bands)
    distinct, at = np.unique(sizes, return_inverse=True)
    medians = [np.median(bound[at == place]) for place in range(len(distinct))]
    return distinct.astype(np.float64), np.array(medians)


def per_class_alt_text(info: PerClassInfo) -> str:
    """Say in words what the figure shows."""
    name = MEASURE_NAMES[info.measure]
    if not info.methods or not len(info.sizes):
        return f"{name} against class size: no classes to show."
    ranked = sorted(info.methods, key=lambda each: each.mean)
    best = ranked[0]
    means = ", ".join(f"{each.name} {each.mean:.3g}" for each in ranked)
    small = info.sizes <= np.percentile(info.sizes, 25)
    large = info.sizes >= np.percentile(info.sizes, 75)
    sentences = [
        f"{name} against class size for {len(info.sizes):,} classes of {info.sizes.min():,} to "
        f"{info.sizes.max():,} rows and {len(ranked)} method(s).",
        f"Mean over classes, lowest first: {means}.",
        f"With {best.name} the mean is {best.scores[small].mean():.3g} over the smallest quarter of the "
        f"classes and {best.scores[large].mean():.3g} over the largest quarter.",
    ]
    if info.bound_mean is not None:
        sentences.insert(2, f"The best possible mean is {info.bound_mean:.3g}.")
    if info.n_left_out:
        sentences.append(f"{info.n_left_out:,} class(es) without a positive or without a negative row are left out.")
    return " ".join(sentences)
