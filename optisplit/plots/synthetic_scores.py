"""The synthetic experiment: the score of each class against its size, for splits with one known error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.measures.report import evaluate
from optisplit.studies.synthetic import DIFFERENCE, KINDS, PAPER_KINDS, synthetic_split
from optisplit.text import MEASURE_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import pandas as pd
    import plotly.graph_objects as go
    from numpy.typing import NDArray

KIND_STYLES = {
    "equal": ("#85858E", "circle", "Equal"),
    "difference": ("#C9800E", "triangle-up", "Difference"),
    "missing": ("#3995FF", "cross", "One missing"),
    "free": ("#962EC8", "diamond", "Free"),
}
"""Colour, marker symbol and short name of each kind of split."""

_NO_ERROR = 1e-12  # what rounding leaves of a score of 0


@dataclass(frozen=True, eq=False)
class SyntheticScores:
    """LD, rLD and DCP of every class of the synthetic experiment."""

    sizes: Mapping[str, NDArray[np.int64]]  # shape (n_labels,): rows of each class, by the kind of split
    # shape (n_labels,): by measure ("ld", "rld", "dcp"), then by kind: the score of each class
    scores: Mapping[str, Mapping[str, NDArray[np.float64]]]
    n_rows: int  # rows and folds
    n_splits: int  # rows and folds
    difference: float  # the part of a fold's positives that was moved in the kind "difference"

    @property
    def table(self) -> pd.DataFrame:
        """One row a kind and class: kind, class size, ld, rld, dcp."""
        import pandas as pd

        parts = [
            pd.DataFrame(
                {"kind": kind, "class_size": sizes} | {measure: self.scores[measure][kind] for measure in self.scores}
            )
            for kind, sizes in self.sizes.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def growth(self, measure: str, kind: str) -> float:
        """Tell how many times the score of the largest class is that of the smallest that has any error."""
        values = self.scores[measure][kind]
        wrong = values[values > _NO_ERROR]
        return float(wrong[-1] / wrong[0]) if wrong.size else math.nan


def synthetic_scores_info(
    *,
    n_rows: int = 100_000,
    n_labels: int = 100,
    n_splits: int = 10,
    difference: float = DIFFERENCE,
    amounts: Sequence[float] | None = None,
    kinds: Sequence[str] = PAPER_KINDS,
) -> SyntheticScores:
    """Run the paper's synthetic experiment: make the splits and score every class."""
    sizes, scores = {}, {measure: {} for measure in MEASURE_NAMES}  # type: ignore[var-annotated]
    for kind in kinds:
        made = synthetic_split(
            kind, n_rows=n_rows, n_labels=n_labels, n_splits=n_splits, difference=difference, amounts=amounts
        )
        report = evaluate(made.data, made.folds, n_splits=n_splits)
        sizes[kind] = made.sizes
        for measure in MEASURE_NAMES:
            scores[measure][kind] = getattr(report, f"{measure}_per_class")
    return SyntheticScores(sizes, scores, n_rows, n_splits, difference)


def plot_synthetic_scores(info: SyntheticScores, measure: str) -> go.Figure:
    """Draw one measure against the class size, as the paper does."""
    import plotly.graph_objects as go

    from optisplit.plots.layout import new_figure

    figure = new_figure(340)
    for kind, sizes in info.sizes.items():
        color, symbol, name = KIND_STYLES[kind]
        figure.add_trace(
            go.Scatter(
                x=sizes,
                y=info.scores[measure][kind],
                mode="markers",
                name=name,
                marker={"color": color, "symbol": symbol, "size": 8, "line": {"width": 0}},
                hovertemplate="%{x:,} rows: "
                + MEASURE_NAMES[measure]
                + " %{y:.4g}<extra>"
                + KINDS[kind].partition(":")[0]
                + "</extra>",
            )
        )
    smallest, largest = (float(pick(list(map(pick, info.sizes.values())))) for pick in (min, max))
    # three of these stand side by side: powers of ten alone have room
    ticks = [10.0**power for power in range(math.ceil(math.log10(smallest)), math.floor(math.log10(largest)) + 1)]
    figure.update_xaxes(
        type="log",
        title="Class size, rows",
        tickvals=ticks,
        ticktext=[f"{tick:,.0f}" for tick in ticks],
        tickangle=0,
    )
    figure.update_yaxes(title=f"{MEASURE_NAMES[measure]} of the class", rangemode="tozero")
    return figure


def synthetic_scores_alt_text(info: SyntheticScores, measure: str) -> str:
    """Say in words what the figure shows."""
    name = MEASURE_NAMES[measure]
    parts = []
    for kind in info.sizes:
        values = info.scores[measure][kind]
        parts.append(f"{KIND_STYLES[kind][2]} from {values[0]:.3g} (smallest class) to {values[-1]:.3g} (largest)")
    first = next(iter(info.sizes.values()))
    smallest, largest = first[0], first[-1]
    return f"{name} of every class against its size, {smallest:,} to {largest:,} rows: {'; '.join(parts)}."
