"""Labels that are too rare for the folds or parts asked for: how many, which, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from optisplit.measures.characteristics import rare_labels
from optisplit.plots.label_sizes import label_sizes_info, plot_label_sizes
from optisplit.text import counted, joined, percent, short_number
from optisplit.ui import keys, pieces
from optisplit.ui import rare_labels as changed
from optisplit.ui.widgets import chart_with_table, download_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optisplit.labels import MultilabelDataset
    from optisplit.ui.compare.request import Division
    from optisplit.ui.datasets import ChosenData

MOST_LISTED = 300
"""Labels of the table: twenty thousand would take long to send. The file has them all."""

N_RAREST = 6
"""Labels that are named where none is too rare."""

TABLE_HEIGHT = 250
"""Pixels: what is in it and the chart are on one screen."""


def show(chosen: ChosenData, sizes: NDArray[np.int64], stem: str) -> None:
    """Ask for how many folds or parts, and show which labels are too rare for them, beside the sizes of all."""
    left, right = st.columns([5, 6], gap="medium")
    with left:
        division = pieces.ask(st.container(width=320), st.session_state.get(keys.DIVIDE, "folds"))
        if division is None:
            return
        rare = Rare.of(chosen.data, sizes, division)
        st.markdown(rare.sentence)
        shown = rare.listed
        st.dataframe(
            shown.head(MOST_LISTED), hide_index=True, key="rare_table", alt=rare.title,
            height=min(TABLE_HEIGHT, 37 + 35 * len(shown)) if len(shown) else "auto",
            column_config={
                "Label": st.column_config.TextColumn(width=120), "Positives": st.column_config.NumberColumn(width=75),
                "What helps": st.column_config.TextColumn(width=290),
            },
        )  # fmt: skip
        if rare.n_labels:
            code = f"[name for name, n in zip(data.label_names, data.labels.sum(axis=0)) if n < {division.n_splits}]"
            with st.container(horizontal=True):
                changed.buttons(chosen, rare.names, "rare", code if rare.n_labels > N_RAREST else "")
                download_table("All as CSV", rare.table, f"{stem}_rarer-than-{division.n_splits}.csv", key="rare_csv")
    with right:
        info = label_sizes_info(sizes, division.n_splits, division.noun)
        st.subheader(
            "How many labels there are of each size", anchor=False,
            help="Each bar counts the labels with that many rows; both axes are logarithmic. The long tail at the left "
            "is what makes a split hard: a label on few rows goes missing from a fold by chance.",
        )  # fmt: skip
        chart_with_table(plot_label_sizes(info), info, "label-sizes", stem=stem)


@dataclass(frozen=True)
class Rare:
    """The labels that are too rare, in words and as a table."""

    data: MultilabelDataset
    sizes: NDArray[np.int64]  # positives of each label
    division: Division  # folds or parts asked for
    table: pd.DataFrame  # ``label``, ``positives``, ``folds_without``

    @classmethod
    def of(cls, data: MultilabelDataset, sizes: NDArray[np.int64], division: Division) -> Rare:
        """Find them."""
        return cls(data, sizes, division, rare_labels(data.label_names, sizes, division.n_splits))

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called, the rarest first."""
        return tuple(self.table["label"])

    @property
    def n_labels(self) -> int:
        """How many there are."""
        return len(self.table)

    @property
    def pieces(self) -> str:
        """What the rows are divided into."""
        return counted(self.division.n_splits, self.division.noun)

    @property
    def title(self) -> str:
        """Say what the table shows."""
        return f"Labels too rare for {self.pieces}" if self.n_labels else "The rarest labels"

    @property
    def sentence(self) -> str:
        """Say how many there are, and what it means; as markdown."""
        n_all, noun = self.data.n_labels, self.division.noun
        odd = {"no row": int((self.sizes == 0).sum()), "every row": int((self.sizes == self.data.n_rows).sum())}
        told = [f"{counted(n, 'label')} on {where}" for where, n in odd.items() if n]
        also = f" {joined(told)}: no split can do anything about that, and the measures leave such labels out."
        if not self.n_labels:
            least = counted(int(self.sizes.min()), "row")
            said = f"**No label is too rare for {self.pieces}**: each is on {least} or more."
        else:
            share, are = percent(self.n_labels / n_all, 2), "is" if self.n_labels == 1 else "are"
            said = (
                f"**{counted(self.n_labels, 'label')} of {n_all:,} ({share}) {are} too rare for {self.pieces}**: on "
                f"fewer than {self.division.n_splits} rows. Whatever the split, each is missing from some {noun}, and "
                "no model can be scored on it there."
            )
        return said + self._drawn + (also if told else "")

    @property
    def _drawn(self) -> str:
        """Say which more have less than one row due in the smallest part."""
        smallest = min(self.division.shares, default=1 / self.division.n_splits)
        n_more = int(((self.sizes >= self.division.n_splits) & (self.sizes * smallest < 1 - 1e-9)).sum())
        if not n_more:
            return ""
        return (
            f" {counted(n_more, 'more label', 'has')} less than one row due in the smallest part, which holds "
            f"{percent(smallest)}."
        )

    @property
    def listed(self) -> pd.DataFrame:
        """List them, and what helps; where there are none, the rarest labels and what is due to each fold."""
        if self.n_labels:
            sizes, several = self.table["positives"].tolist(), self.n_labels > 1
            helps = [what_helps(size, self.division.noun, can_merge=several) for size in sizes]
            lines = {"Label": self.table["label"], "Positives": self.table["positives"], "What helps": helps}
            return pd.DataFrame(lines)
        rarest = np.argsort(self.sizes, kind="stable")[:N_RAREST]
        due = [self._due(int(self.sizes[label])) for label in rarest.tolist()]
        return pd.DataFrame(
            {
                "Label": [self.data.label_names[label] for label in rarest.tolist()],
                "Positives": self.sizes[rarest],
                f"Due in each {self.division.noun}": due,
            }
        )

    def _due(self, size: int) -> str:
        shares = self.division.shares or (1 / self.division.n_splits,)
        return ", ".join(short_number(size * share, 3) for share in shares)


def what_helps(positives: int, noun: str, *, can_merge: bool) -> str:
    """Say what can be done about a label with so few positives, which may be merged with others that are too rare."""
    if positives == 0:
        return "leave it out: it is on no row"
    ways = [*(["merge it"] if can_merge else []), "leave it out"]
    return " or ".join(ways) if positives == 1 else f"{', '.join(ways)}, or at most {positives} {noun}s"
