"""Every number of a data set, with its formula, its meaning and who defined it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.text import number

if TYPE_CHECKING:
    from optisplit.measures.characteristics import Characteristics

INSTANCES = "Instances"
"""What it is called how often labels occur in all rows, where one may occur several times."""

CHARTE_2015 = "Charte, Rivera, del Jesus, Herrera, *Neurocomputing* 163, 2015"
CHARTE_2014 = "Charte, Rivera, del Jesus, Herrera, *HAIS* 2014"
TSOUMAKAS = "Tsoumakas, Katakis, *IJDWM* 3, 2007"


@dataclass(frozen=True, slots=True)
class Term:
    """One number of a data set."""

    title: str  # what it is called
    value: str  # the number, as it is shown
    formula: str  # its formula, in LaTeX; empty where there is nothing to compute
    meaning: str  # what it means, in markdown
    source: str = ""  # who defined it, in markdown; may be empty

    @property
    def help(self) -> str:
        """All that there is to say of it, in markdown."""
        parts = [self.meaning, f"${self.formula}$" if self.formula else "", self.source]
        return "\n\n".join(part for part in parts if part)


def terms(about: Characteristics) -> tuple[Term, ...]:
    """Put the numbers of a data set into words."""
    return (*_sizes(about), *_imbalance(about))


def _sizes(about: Characteristics) -> tuple[Term, ...]:
    fewest, middle, most = about.labels_per_row
    top = about.label_sets[0].n_rows
    return (
        Term("Rows", f"{about.n_rows:,}", "n", "Rows of the data; others call them instances or examples."),
        Term("Labels", f"{about.n_labels:,}", "q", "Others call them classes. Each row may carry any number of them."),
        Term(
            "Positives", f"{about.n_positives:,}", r"\textstyle\sum_l c_l",
            "Pairs of a row and a label that it carries; $c_l$ is the number of rows with label $l$.",
        ),
        Term(
            "Cardinality", number(about.cardinality), r"\textstyle\sum_l c_l\,/\,n", "Labels of a row, on average.",
            TSOUMAKAS,
        ),
        Term(
            "Density", number(about.density), r"\textstyle\sum_l c_l\,/\,(nq)",
            "Cardinality divided by the number of labels: the part of all pairs of row and label that is positive.",
            TSOUMAKAS,
        ),
        Term("Labels of a row, fewest", number(fewest), r"\min_i |L_i|", "$L_i$ are the labels of row $i$."),
        Term("Labels of a row, median", number(middle), "", "Half of the rows have at most that many."),
        Term("Labels of a row, most", number(most), r"\max_i |L_i|", "The row with the most labels."),
        Term("Rows without a label", f"{about.n_unlabelled:,}", r"|\{i : L_i = \emptyset\}|", "They count as rows."),
        Term(
            "Label sets", f"{about.n_label_sets:,}", r"|\{L_1, \dots, L_n\}|",
            "Different combinations of labels that rows have; also called diversity.",
        ),
        Term(
            "Label sets a row", number(about.label_set_share), r"|\{L_1, \dots, L_n\}|\,/\,n",
            "1 where no two rows have the same labels.",
        ),
        Term("Label sets of one row", f"{about.n_single_label_sets:,}", "", "Combinations that only one row has."),
        Term("Rows with the commonest label set", f"{top:,}", "", "Rows with exactly the same labels, at most."),
    )  # fmt: skip


def _imbalance(about: Characteristics) -> tuple[Term, ...]:
    return (
        Term(
            "MeanIR", number(about.mean_ir), r"\textstyle\sum_l \mathrm{IRLbl}_l\,/\,q",
            r"How many times rarer than the largest label a label is, $\mathrm{IRLbl}_l = \max_m c_m / c_l$, on "
            "average. 1 where all are of equal size. Labels on no row are left out.", CHARTE_2015,
        ),
        Term("MaxIR", number(about.max_ir), r"\max_l \mathrm{IRLbl}_l", "The same for the rarest label.", CHARTE_2015),
        Term(
            "CVIR", number(about.cv_ir), r"\mathrm{sd}(\mathrm{IRLbl})\,/\,\mathrm{MeanIR}",
            "How much the imbalance differs between labels: deviation ($q-1$) over mean.", CHARTE_2015,
        ),
        Term(
            "SCUMBLE", number(about.scumble), r"\textstyle\sum_i (1 - G_i/A_i)\,/\,n",
            "How far rare and frequent labels stand in the same rows, from 0 to 1; $G_i$ and $A_i$ are the geometric "
            "and the arithmetic mean of IRLbl over the labels of row $i$. Where it is high, rare labels cannot be "
            "moved without frequent ones. A row without labels counts 0.", CHARTE_2014,
        ),
        Term("Labels on no row", f"{about.n_empty_labels:,}", r"|\{l : c_l = 0\}|", "No split can help that."),
        Term("Labels on all rows", f"{about.n_full_labels:,}", r"|\{l : c_l = n\}|", "They are the same in any split."),
    )  # fmt: skip
