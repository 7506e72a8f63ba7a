"""The same splits in two orders: by LD and by rLD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from optisplit.plots.style import escape, method_style, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.rankings import RankedSplit, Ranking


@dataclass(frozen=True, slots=True)
class SplitRanksInfo:
    """One line a split."""

    splits: tuple[RankedSplit, ...]
    strong: tuple[bool, ...]  # which lines are drawn strongly: the pair whose order turns

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [f"{each.name} is number {each.ld_rank} by LD and {each.rld_rank} by rLD" for each in self.splits]
        return f"Splits ranked twice: {'; '.join(parts)}."


def split_ranks_info(ranking: Ranking) -> SplitRanksInfo:
    """Lay out a ranking."""
    turns = ranking.turns()
    pair = (turns[0].by_ld, turns[0].by_rld) if turns else ()
    return SplitRanksInfo(ranking.splits, tuple(each in pair for each in ranking.splits))


def plot_split_ranks(info: SplitRanksInfo) -> go.Figure:
    """Draw a line a split from its place by LD to its place by rLD."""
    figure = new_figure(70 + 34 * len(info.splits), legend=False)
    # equal scores have equal places: their names then share a line
    left: dict[int, list[str]] = {}
    right: dict[int, str] = {}
    for split, strong in zip(info.splits, info.strong, strict=True):
        style, name, report = method_style(split.method), escape(split.name), split.report
        ld, rld = short_number(report.ld, 3), short_number(report.rld, 3)
        figure.add_trace(
            go.Scatter(
                x=[0, 1], y=[split.ld_rank, split.rld_rank], mode="lines+markers", name=name,
                opacity=1 if strong else 0.8, line={"color": style.color, "width": 5 if strong else 2},
                marker={"symbol": style.symbol, "size": 12 if strong else 9, "color": style.color},
                customdata=[f"LD {ld}", f"rLD {rld}"],
                hovertemplate="%{customdata}, place %{y}<extra>" + name + "</extra>",
            )
        )  # fmt: skip
        left.setdefault(split.ld_rank, []).append(f"<b>{name}</b>" if strong else name)
        right.setdefault(split.rld_rank, rld)
    last = len(info.splits) + 0.6
    figure.update_xaxes(
        tickvals=[0, 1], ticktext=["by LD", "by rLD"], range=[-0.08, 1.42], side="top", showgrid=False, fixedrange=True
    )
    figure.update_yaxes(
        tickvals=list(left), ticktext=[f"{', '.join(names)}  {place}" for place, names in left.items()],
        range=[last, 0.4], showgrid=False, fixedrange=True,
    )  # fmt: skip
    for place, rld in right.items():
        figure.add_annotation(x=1, y=place, text=f"{place}  ({rld})", showarrow=False, xanchor="left", xshift=12)
    return figure
