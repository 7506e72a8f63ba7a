"""The same splits by two measures: a bar a split and measure, with its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from optisplit.measures.registry import name_of
from optisplit.plots.style import escape, method_style, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.rankings import RankedSplit, Ranking


@dataclass(frozen=True, slots=True)
class SplitScoresInfo:
    """One line a split, the best by LD first."""

    splits: tuple[RankedSplit, ...]
    strong: tuple[bool, ...]  # which names stand out: the best by LD and the best by rLD
    measures: tuple[str, ...] = ("ld", "rld")

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"{each.name}: {', '.join(f'{name_of(key)} {_value(each, key)}' for key in self.measures)}"
            for each in self.splits
        ]
        return f"Splits of the same data, the best by LD first. {'; '.join(parts)}."


def split_scores_info(ranking: Ranking, measures: tuple[str, ...] = ("ld", "rld")) -> SplitScoresInfo:
    """Lay out a ranking."""
    # the best by rLD stands out where rLD is shown
    pair = ((ranking.pair.by_ld, ranking.pair.by_rld) if ranking.pair else ())[: len(measures)]
    return SplitScoresInfo(ranking.splits, tuple(each in pair for each in ranking.splits), measures)


def plot_split_scores(info: SplitScoresInfo, height: int = 310, *, is_narrow: bool = False) -> go.Figure:
    """Draw a panel a measure, side by side: a bar a split from 0, and its value."""
    figure = new_figure(height, legend=False)
    names = [escape(each.name) for each in info.splits]
    names = [f"<b>{name}</b>" if strong else name for name, strong in zip(names, info.strong, strict=True)]
    colors = [method_style(each.method).color for each in info.splits]
    lines = list(range(len(names)))
    for at, measure in enumerate(info.measures):
        values = [float(getattr(each.report, measure)) for each in info.splits]
        axis = f"x{at + 1 if at else ''}"
        best = min(values)
        texts = [f"<b>{_value(each, measure)}</b>" if float(getattr(each.report, measure)) == best
                 else _value(each, measure) for each in info.splits]  # fmt: skip
        figure.add_trace(
            go.Bar(
                x=values, y=lines, orientation="h", xaxis=axis, marker={"color": colors}, text=texts,
                textposition="outside", cliponaxis=False, hovertext=names,
                hovertemplate=f"%{{hovertext}}: {name_of(measure)} %{{x:.4g}}<extra></extra>",
            )
        )  # fmt: skip
        start, width = at / len(info.measures), 1 / len(info.measures)
        style = figure.layout.xaxis.to_plotly_json() | {
            "domain": [start, start + width - 0.04], "range": [0, max(values) * (1.7 if is_narrow else 1.22)],
            "fixedrange": True, "side": "top", "title": {"text": f"<b>{name_of(measure)}</b>", "standoff": 4},
            "nticks": 2 if is_narrow else 3,
        }  # fmt: skip
        figure.update_layout({f"xaxis{at + 1 if at else ''}": style})
    figure.update_yaxes(
        tickvals=lines, ticktext=names, range=[len(names) - 0.4, -0.6], showgrid=False, fixedrange=True
    )  # fmt: skip
    figure.update_layout(bargap=0.3)
    return figure


def _value(split: RankedSplit, measure: str) -> str:
    return short_number(float(getattr(split.report, measure)), 3)
