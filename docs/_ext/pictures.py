"""Pictures that the library draws while the guide is built, as SVG in the colours of the page."""

from __future__ import annotations

import html
from functools import cache
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import optisplit
from optisplit.plots import plot_rare_shares, rare_shares_info
from optisplit.plots.style import escape, method_style, new_figure
from optisplit.plots.svg import to_svg

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = ("random", "is", "optisplit", "optisplit-sa")


@cache
def _mails() -> Any:
    return optisplit.load("enron")


def _compared() -> tuple[str, str]:
    """Draw the maps of a comparison."""
    result = optisplit.compare(_mails(), METHODS, n_splits=5, seeds=[0], n_jobs=1)
    return result.plot("maps").svg, "Five folds of enron by four methods"


def _sweep() -> tuple[str, str]:
    """Draw the score of some methods above the best possible, by the number of folds."""
    numbers = [2, 3, 5, 8, 12, 20]
    figure = new_figure(300, x_title="Number of folds", y_title="rLD above the best possible")
    said = []
    for key in METHODS:
        reports = [
            optisplit.evaluate(_mails(), optisplit.split(_mails(), k, method=key, random_state=0)) for k in numbers
        ]
        excess = [report.rld - report.rld_bound for report in reports]
        style, name = method_style(key), optisplit.METHODS[key].name
        figure.add_scatter(
            x=numbers, y=excess, name=escape(name), mode="lines+markers", line={"color": style.color, "width": 2},
            marker={"color": style.color, "symbol": style.symbol, "size": 8},
        )  # fmt: skip
        said.append(f"{name} from {excess[0]:.3f} to {excess[-1]:.3f}")
    figure.update_xaxes(tickvals=numbers)
    figure.update_yaxes(rangemode="tozero")
    title = "How far rLD is above the best possible, by the number of folds, on enron"
    return to_svg(figure, title, f"{title}: {', '.join(said)}."), title


def _repaired() -> tuple[str, str]:
    """Draw a split before and after its repair."""
    old = optisplit.split(_mails(), 5, method="random", random_state=1)
    repaired = optisplit.repair(_mails(), old, random_state=0)
    moved = f"{repaired.n_moved:,} of {len(old):,} rows moved"
    return repaired.plot("maps").svg, f"A random split of enron before and after its repair: {moved}"


def _rare() -> tuple[str, str]:
    """Draw where rare labels go with each choice of what becomes of them."""
    data, sizes = optisplit.load("go_human_cc").labels[:6000], [0.8, 0.1, 0.1]
    reports = {}
    for rare in ("share", "cover", "score"):
        parts = optisplit.split(data, fold_sizes=sizes, rare=rare, random_state=0)
        reports[f'rare="{rare}"'] = [optisplit.evaluate(data, parts, shares=sizes)]
    info = rare_shares_info(reports, fold_names=["train", "validation", "test"], noun="part")
    title = "Where the rare labels of 6,000 rows of go_human_cc go, in parts of 80, 10 and 10 %"
    return to_svg(plot_rare_shares(info), title, info.alt_text), title


PICTURES: dict[str, Callable[[], tuple[str, str]]] = {
    "compared": _compared,
    "sweep": _sweep,
    "repaired": _repaired,
    "rare": _rare,
}


class Picture(SphinxDirective):
    """A picture, and below it what it shows."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        svg, caption = PICTURES[self.arguments[0]]()
        text = f"{html.escape(caption)}. Drawn when these pages were built."
        drawn = f'<figure class="picture"><div class="wide">{svg}</div><figcaption>{text}</figcaption></figure>'
        return [nodes.raw("", drawn, format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
