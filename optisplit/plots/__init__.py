"""Figures: ``<name>_info`` computes, ``plot_<name>`` draws, ``<name>_alt_text`` says it in words."""

from optisplit.plots.bands import SplitReport
from optisplit.plots.heatmap import FoldHeatmapInfo, fold_heatmap_alt_text, fold_heatmap_info, worst_classes
from optisplit.plots.heatmap_plot import plot_fold_heatmap
from optisplit.plots.palette import DEVIATION, METHOD_STYLES, NEUTRAL, MethodStyle, escape, method_style
from optisplit.plots.per_class import MethodScores, PerClassInfo, per_class_alt_text, per_class_info
from optisplit.plots.per_class_plot import plot_per_class

__all__ = [
    "DEVIATION",
    "METHOD_STYLES",
    "NEUTRAL",
    "FoldHeatmapInfo",
    "MethodScores",
    "MethodStyle",
    "PerClassInfo",
    "SplitReport",
    "escape",
    "fold_heatmap_alt_text",
    "fold_heatmap_info",
    "method_style",
    "per_class_alt_text",
    "per_class_info",
    "plot_fold_heatmap",
    "plot_per_class",
    "worst_classes",
]
