"""How results show themselves: figures stand in a room above, which is asked by name and only when they are shown."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, ClassVar

from optisplit.text import counted, named

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from optisplit.measures.report import Report


class Shown:
    """A result that notebooks show as the app does: with its grade, its verdict, its table and its figures."""

    _shown_as: ClassVar[str]  # what it is, for the room of figures

    def plot(self, kind: str | None = None, *, measure: str = "rld") -> go.Figure:
        """Draw the split, or splits, with the app's own figures.

        - Of a comparison the best split of every method is drawn, of a repair the split before and after it.
        - Where no script runs, as in exported notebooks, the figure shows as SVG.

        Parameters
        ----------
        kind : {"range", "maps", "scores", "rare"}, optional
            - ``"range"``, of checks alone and their default: between random splits and the best possible;
            - ``"maps"``, the default of others: how far each fold is from what is due to it, by label size;
            - ``"scores"``: every label's score by its size;
            - ``"rare"``: where the positives of rare labels go.
        measure : str, default="rld"
            What scores are drawn: the key of a measure that every label has.

        Returns
        -------
        plotly.graph_objects.Figure
            The figure.

        Raises
        ------
        OptionError
            If there is no such kind or measure, or nothing to draw.
        """
        return _figures().figure_of(self, self._shown_as, kind, measure)

    def _repr_html_(self) -> str:
        return str(getattr(_figures(), f"{self._shown_as}_html")(self))


def size_note(report: Report) -> str:
    """Say how many folds of how many rows and labels a report is of."""
    return f"{report.n_splits} folds over {report.n_rows:,} rows x {len(report.label_names):,} labels"


def left_out_sentence(report: Report) -> str:
    """Name the labels that have no score; empty where all have one."""
    names, n_labels = report.left_out, len(report.label_names)
    if not names:
        return ""
    are = "is" if len(names) == 1 else "are"
    return (
        f"{len(names):,} of {counted(n_labels, 'label')} {are} on no row or on every row, so no split can do anything "
        f"about that; left out: {named(names)}."
    )


def left_out_note(report: Report) -> str:
    """Say how many labels are left out of the means; empty where none is."""
    n_left_out = int((~report.is_scored).sum())
    return f"; {counted(n_left_out, 'label')} on no row or every row left out of the means" if n_left_out else ""


def _figures() -> Any:
    return importlib.import_module("optisplit.plots.notebook")
