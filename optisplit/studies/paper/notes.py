"""What a reader should know before comparing our numbers with the printed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

ARTICLE_LINE = (
    "H. Tiittanen, L. Holm, P. Törönen, Novel split quality measures for stratified multilabel cross validation with "
    "application to large and sparse gene ontology datasets, Applied Computing and Intelligence, 2022, "
    "doi 10.3934/aci.2022003"
)

NOTES: tuple[tuple[str, str], ...] = (
    (
        "Where the printed numbers come from",
        "Of the article, only the numbers that could be verified are here: its Table 1 for the data sets that come "
        "along and the sizes of the others, and single cells of Table 2. Where such a cell is not known, a number of "
        "the authors' own code, run again (ten seeds on bibtex, five on delicious), stands in its place, marked by an "
        "asterisk. If you have the "
        "article at hand, give its numbers in a CSV file (table, data, row, figure, value), and every line gets its "
        "verdict.",
    ),
    (
        "The paper's IS and SOIS",
        "are the class IterativeStratification of scikit-multilearn 0.2.0, with order 1 and 2. That class does not "
        "take the rarest label (or pair) first, which is the heart of both algorithms, so its splits are worse than "
        "those of the algorithms as published. The lines IS (as published) and SOIS (as published) have the true ones.",
    ),
    (
        "Labels on more than half of the rows",
        "are to be balanced by their negatives, says the text. The published code looks for them in a matrix of one "
        "row and takes row numbers for label numbers: it turns label 0 round in their stead. mediamill and all GO data "
        "(CC, MF, BP) have such labels, so their printed OptiSplit numbers miss what the text describes. Ours does "
        "what the text says; in the four small cases with such a label for which the published code's folds are "
        "known, it ends 13 to 37 % lower.",
    ),
    (
        "Rare shares, row shape, beyond rounding",
        "are not in the article, and nothing printed stands beside them. They show what its measures do not see: folds "
        "that together get more or fewer of the rare labels than they are due, or rows with other numbers of labels.",
    ),
    (
        "Times",
        "are processor seconds of the method alone, on this machine; the article's are of another machine, and of code "
        "in pure Python.",
    ),
    (
        "Stand-ins",
        "are label matrices of the size of CC, MF and BP, made from public annotations of human genes, closed upwards "
        "over the Gene Ontology. They have much the same label sizes, but they are not the authors' data: their scores "
        "are told beside the printed ones, never judged by them.",
    ),
    (
        "Small slips in the article's text",
        "The derivative of x/(1-x) is 1/(1-x)²; the labels of the synthetic data have 2k + j (n/2 - 2k)/q rows; "
        "delicious has 16,105 rows.",
    ),
)
"""Titles and texts."""


def verdict_line(table2: pd.DataFrame) -> str:
    """Sum up the verdicts in one sentence."""
    if table2.empty:
        return ""
    counts = table2["verdict"].value_counts()
    words = {
        "agrees": ("line agrees", "lines agree"),
        "better": ("is better", "are better"),
        "differs": ("differs", "differ"),
        "other data": ("is of other data", "are of other data"),
        "no number at hand": ("has no number to compare with", "have no number to compare with"),
        "not done": ("was not done", "were not done"),
    }
    parts = [
        f"{counts[key]} {one if counts[key] == 1 else many}" for key, (one, many) in words.items() if key in counts
    ]
    return ", ".join(parts) + "."
