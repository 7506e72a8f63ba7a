"""What the paper's tables have: data sets, methods, figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

N_SPLITS = 5
"""Folds in the paper's comparison of methods."""

FIGURES = ("ed", "ld", "dcp", "rld", "time_s")
"""Columns of Table 2."""

BESIDE = ("rare_shares", "row_shape", "beyond_rounding")
"""Measures that the article does not have, and that are told beside Table 2: what its own do not see."""


@dataclass(frozen=True, slots=True)
class PaperData:
    """One data set of the paper."""

    key: str  # short name
    title: str  # its name in the paper
    sample: str = ""  # key of the sample that is the very same data; empty where it does not come along
    authors_file: str = ""  # name of the file that the authors' code reads
    label_columns: int | None = None  # labels are that many last columns of the file


PAPER_DATA: Mapping[str, PaperData] = MappingProxyType(
    {
        each.key: each
        for each in (
            PaperData("bibtex", "bibtex", sample="bibtex", authors_file="bibtex.arff", label_columns=159),
            PaperData("delicious", "delicious", sample="delicious", authors_file="delicious.arff", label_columns=983),
            PaperData("mediamill", "mediamill", authors_file="mediamill.arff", label_columns=101),
            PaperData("cc", "CC", authors_file="CC_targets.npz"),
            PaperData("mf", "MF", authors_file="MF_targets.npz"),
            PaperData("bp", "BP", authors_file="BP_targets.npz"),
            PaperData("wiki10_31k", "Wiki10-31K", sample="wiki10_31k", authors_file="wiki10_31k.npz"),
        )
    }
)
"""The paper's data sets, by key, in the order of its tables."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of Table 2 for each data set."""

    key: str  # short name
    name: str  # what to call it
    method: str  # key of the method that it runs
    options: Mapping[str, Any] = field(default_factory=dict)  # the method's options
    paper_name: str = ""  # what the paper calls it; empty where the paper does not have it
    remark: str = ""  # what a reader should know of it


ROWS: Mapping[str, Row] = MappingProxyType(
    {
        row.key: row
        for row in (
            Row("optisplit-rld", "OptiSplit, rLD", "optisplit", {"measure": "rld"}, paper_name="OptiSplit (rLD)"),
            Row("optisplit-dcp", "OptiSplit, DCP", "optisplit", {"measure": "dcp"}, paper_name="OptiSplit (DCP)"),
            Row(
                "skml-sois", "SOIS (scikit-multilearn)", "skml-sois", paper_name="SOIS",
                remark="The paper's SOIS is this class. It does not take the rarest pair first, as the published "
                "algorithm does: that one is in the row SOIS (as published).",
            ),
            Row(
                "sois", "SOIS (as published)", "sois",
                remark="What the algorithm of Szymański and Kajdanowicz gives; the paper has no number for it.",
            ),
            Row(
                "skml-is", "IS (scikit-multilearn)", "skml-is", paper_name="IS",
                remark="The paper's IS is this class. It does not take the rarest label first, as the published "
                "algorithm does: that one is in the row IS (as published).",
            ),
            Row(
                "is", "IS (as published)", "is",
                remark="What the algorithm of Sechidis et al. gives; the paper has no number for it.",
            ),
            Row("ss", "SS", "ss", paper_name="SS", remark="Fold sizes are drawn, not fixed: see ED."),
            Row("random", "Random", "random", paper_name="Random"),
            Row(
                "pmbsrs", "PMBSRS", "pmbsrs", paper_name="PMBSRS",
                remark="The authors' code multiplies frequencies, which end at 0 for rows with many labels; ours adds "
                "logarithms.",
            ),
            Row(
                "optisplit-sa", "OptiSplit-SA", "optisplit-sa",
                remark="Not in the paper, which names annealing as future work.",
            ),
        )
    }
)  # fmt: skip
"""The lines of Table 2, by key, in its order: the paper's methods, what the true algorithms give, and OptiSplit-SA."""
