"""Figures: ``<name>_info`` computes, with a table and a text for those who cannot see it; ``plot_<name>`` draws."""

from __future__ import annotations

import warnings
from typing import Any

from optisplit.measures.report import Report
from optisplit.methods import METHODS
from optisplit.plots.fold_maps import FoldMapsInfo, MethodMap, fold_maps_info, plot_fold_maps
from optisplit.plots.heatmap import FoldHeatmapInfo, fold_heatmap_info, plot_fold_heatmap, worst_labels
from optisplit.plots.per_class import MethodScores, PerClassInfo, per_class_info, plot_per_class
from optisplit.plots.rare_shares import MethodShares, RareSharesInfo, plot_rare_shares, rare_shares_info
from optisplit.plots.style import DEVIATION, NEUTRAL, MethodStyle, escape, method_style

__all__ = [
    "DEVIATION",
    "NEUTRAL",
    "FoldHeatmapInfo",
    "FoldMapsInfo",
    "MethodMap",
    "MethodScores",
    "MethodShares",
    "MethodStyle",
    "PerClassInfo",
    "RareSharesInfo",
    "escape",
    "fold_heatmap_info",
    "fold_maps_info",
    "method_style",
    "per_class_info",
    "plot_fold_heatmap",
    "plot_fold_maps",
    "plot_per_class",
    "plot_rare_shares",
    "rare_shares_info",
    "worst_labels",
]

_OLD: dict[str, tuple[Any, str]] = {
    "METHOD_STYLES": ({key: method_style(key) for key in METHODS}, "method_style"),
    "SplitReport": (Report, "optisplit.Report"),
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
