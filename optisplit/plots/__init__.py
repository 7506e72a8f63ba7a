"""Figures: ``<name>_info`` computes, with a table and a text for those who cannot see it; ``plot_<name>`` draws."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from optisplit.measures.report import Report
from optisplit.methods import METHODS
from optisplit.plots.fold_maps import FoldMapsInfo, MethodMap, fold_maps_info, plot_fold_maps
from optisplit.plots.per_class import MethodScores, PerClassInfo, per_class_info, plot_per_class
from optisplit.plots.rare_shares import MethodShares, RareSharesInfo, plot_rare_shares, rare_shares_info
from optisplit.plots.style import DEVIATION, NEUTRAL, MethodStyle, escape, method_style
from optisplit.plots.worst import worst_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "NEUTRAL",
    "FoldMapsInfo",
    "MethodMap",
    "MethodScores",
    "MethodShares",
    "MethodStyle",
    "PerClassInfo",
    "RareSharesInfo",
    "escape",
    "fold_maps_info",
    "method_style",
    "per_class_info",
    "plot_fold_maps",
    "plot_per_class",
    "plot_rare_shares",
    "rare_shares_info",
    "worst_labels",
]


def _maps_of_one(report: Report, *, fold_names: Sequence[str] | None = None, noun: str = "fold", **_: Any) -> Any:
    return fold_maps_info({"": [report]}, names={"": "This split"}, fold_names=fold_names, noun=noun)


_OLD: dict[str, tuple[Any, str]] = {
    "DEVIATION": (DEVIATION, "optisplit.plots.style.DEVIATION"),
    "FoldHeatmapInfo": (FoldMapsInfo, "FoldMapsInfo"),
    "METHOD_STYLES": ({key: method_style(key) for key in METHODS}, "method_style"),
    "SplitReport": (Report, "optisplit.Report"),
    "fold_heatmap_info": (_maps_of_one, "fold_maps_info"),
    "plot_fold_heatmap": (plot_fold_maps, "plot_fold_maps"),
    "fold_heatmap_alt_text": (lambda info: info.alt_text, "its alt_text"),
    "per_class_alt_text": (lambda info: info.alt_text, "its alt_text"),
    "worst_classes": (worst_labels, "worst_labels"),
}
"""Names until 0.4, with what they gave and what to use."""


def __getattr__(name: str) -> Any:
    if name not in _OLD:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    given, instead = _OLD[name]
    warnings.warn(f"optisplit.plots.{name} will be gone in 0.5; use {instead}.", DeprecationWarning, stacklevel=2)
    return given
