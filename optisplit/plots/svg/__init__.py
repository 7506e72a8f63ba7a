"""Figures as SVG, without a browser: what stays where no script runs, as in reports, exported notebooks and print."""

from optisplit.plots.svg.drawing import to_svg

__all__ = ["to_svg"]
