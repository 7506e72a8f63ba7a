"""The same splits in two orders: by LD and by rLD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from optisplit.plots.style import escape, method_style, new_figure
from optisplit.text import short_number

if TYPE_CHECKING:
    from optisplit.studies.lesson.rankings import Ranking


@dataclass(frozen=True, slots=True)
class SplitRanksInfo:
    """One line a split."""

    names: tuple[str, ...]
    methods: tuple[str, ...]  # keys of their methods
    places: tuple[tuple[int, int], ...]  # place by LD and by rLD
    scores: tuple[tuple[float, float], ...]  # LD and rLD
    strong: tuple[bool, ...]  # which lines are drawn strongly: the pair whose order turns

    @property
    def alt_text(self) -> str:
        """Say in words what the figure shows."""
        parts = [
            f"{name} is number {by_ld} by LD and {by_rld} by rLD"
            for name, (by_ld, by_rld) in zip(self.names, self.places, strict=True)
        ]
        return f"Splits ranked twice: {'; '.join(parts)}."


def split_ranks_info(ranking: Ranking) -> SplitRanksInfo:
    """Lay out a ranking."""
    turns = ranking.turns()
    pair = (turns[0].by_ld, turns[0].by_rld) if turns else ()
    return SplitRanksInfo(
        names=tuple(each.name for each in ranking.splits),
        methods=tuple(each.method for each in ranking.splits),
        places=tuple((each.ld_rank, each.rld_rank) for each in ranking.splits),
        scores=tuple((each.report.ld, each.report.rld) for each in ranking.splits),
        strong=tuple(each in pair for each in ranking.splits),
    )


def plot_split_ranks(info: SplitRanksInfo) -> go.Figure:
    """Draw a line a split from its place by LD to its place by rLD."""
    figure = new_figure(70 + 34 * len(info.names), legend=False)
    for name, method, places, scores, strong in zip(
        info.names, info.methods, info.places, info.scores, info.strong, strict=True
    ):
        style = method_style(method)
        figure.add_trace(
            go.Scatter(
                x=[0, 1], y=places, mode="lines+markers", name=escape(name), opacity=1 if strong else 0.8,
                line={"color": style.color, "width": 5 if strong else 2},
                marker={"symbol": style.symbol, "size": 12 if strong else 9, "color": style.color},
                customdata=[f"LD {short_number(scores[0], 3)}", f"rLD {short_number(scores[1], 3)}"],
                hovertemplate="%{customdata}, place %{y}<extra>" + escape(name) + "</extra>",
            )
        )  # fmt: skip
    # equal scores have equal places: their names then share a line
    left: dict[int, list[str]] = {}
    right: dict[int, list[str]] = {}
    for name, places, scores, strong in zip(info.names, info.places, info.scores, info.strong, strict=True):
        shown = f"<b>{escape(name)}</b>" if strong else escape(name)
        left.setdefault(places[0], []).append(shown)
        right.setdefault(places[1], []).append(short_number(scores[1], 3))
    last = len(info.names) + 0.6
    figure.update_xaxes(
        tickvals=[0, 1], ticktext=["by LD", "by rLD"], range=[-0.08, 1.42], side="top", showgrid=False, fixedrange=True
    )
    figure.update_yaxes(
        tickvals=list(left), ticktext=[f"{', '.join(names)}  {place}" for place, names in left.items()],
        range=[last, 0.4], showgrid=False, fixedrange=True,
    )  # fmt: skip
    for place, scores_there in right.items():
        figure.add_annotation(
            x=1, y=place, text=f"{place}  ({scores_there[0]})", showarrow=False, xanchor="left", xshift=12
        )
    return figure
