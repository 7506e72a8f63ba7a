"""The figures of splits by the names that ``plot`` takes, the same for comparisons, reports, checks and repairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError
from optisplit.plots.fold_maps import fold_maps_info, plot_fold_maps
from optisplit.plots.per_class import per_class_info, plot_per_class
from optisplit.plots.random_range import plot_random_range, random_range_info
from optisplit.plots.rare_shares import plot_rare_shares, rare_shares_info
from optisplit.plots.svg import to_svg

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import plotly.graph_objects as go

    from optisplit.check.checks import SplitCheck
    from optisplit.measures.report import Report

COLUMNS = 2
"""Panels side by side: in reports and notebooks there is less room than in the app."""


@dataclass(frozen=True, slots=True)
class Splits:
    """Splits of one data set, ready to be drawn beside each other."""

    reports: Mapping[str, Sequence[Report]]  # by the key of their method, or what else each of them is
    names: Mapping[str, str]  # for people, by the same keys
    fold_names: Sequence[str]
    noun: str  # what a fold is called
    # labels missing from a fold that should have them, by the same keys, where more is known than the reports say
    n_missing: Mapping[str, float] = field(default_factory=dict)
    check: SplitCheck | None = None  # of the only one, where it was checked


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure, and what it shows."""

    title: str
    figure: go.Figure
    alt_text: str

    @property
    def svg(self) -> str:
        """The figure as SVG."""
        return to_svg(self.figure, self.title, self.alt_text)


def _scores(splits: Splits, measure: str) -> tuple[Any, go.Figure]:
    info = per_class_info(splits.reports, measure, names=splits.names, noun=splits.noun)
    return info, plot_per_class(info, columns=COLUMNS)


def _maps(splits: Splits, _: str) -> tuple[Any, go.Figure]:
    info = fold_maps_info(
        splits.reports, names=splits.names, fold_names=splits.fold_names, noun=splits.noun, n_missing=splits.n_missing
    )
    return info, plot_fold_maps(info, columns=COLUMNS)


def _rare(splits: Splits, _: str) -> tuple[Any, go.Figure]:
    info = rare_shares_info(splits.reports, names=splits.names, fold_names=splits.fold_names, noun=splits.noun)
    return info, plot_rare_shares(info, columns=COLUMNS)


def _range(splits: Splits, _: str) -> tuple[Any, go.Figure]:
    assert splits.check is not None  # else there is no such kind
    info = random_range_info(splits.check)
    return info, plot_random_range(info)


KINDS: dict[str, tuple[str, Callable[[Splits, str], tuple[Any, go.Figure]]]] = {
    "range": ("Between random splits and the best possible", _range),
    "maps": ("How far each {noun} is from what is due to it", _maps),
    "scores": ("How evenly each label is spread, by its size", _scores),
    "rare": ("Where rare labels go", _rare),
}
"""Title and function of each kind of figure."""


def kinds_of(splits: Splits) -> list[str]:
    """Give the kinds of figures that there are of splits, the first to be shown where none is named."""
    if splits.check is not None:
        return [kind for kind in KINDS if kind != "range" or splits.check.random]
    return [kind for kind in ("maps", "scores", "rare") if splits.reports]


def drawing_of(splits: Splits, kind: str | None = None, measure: str = "rld") -> Drawing:
    """Draw splits.

    Raises
    ------
    OptionError
        If there is no such figure of them, or no such measure.
    """
    known = kinds_of(splits)
    if not known:
        msg = "No run was done, so there is nothing to draw."
        raise OptionError(msg)
    kind = known[0] if kind is None else kind
    if kind not in known:
        what = "figure"
        raise OptionError.unknown(what, kind, known)
    title, draw = KINDS[kind]
    info, figure = draw(splits, measure)
    return Drawing(title.format(noun=splits.noun), figure, info.alt_text)


def splits_of_check(check: SplitCheck) -> Splits:
    """Give the split of a check, ready to be drawn."""
    names = {"yours": check.split.name}
    missing = {"yours": check.n_missing}
    return Splits({"yours": [check.report]}, names, check.report.fold_titles, check.split.noun, missing, check)
