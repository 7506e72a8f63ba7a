"""What a reader should know before comparing our numbers with the printed ones."""

from __future__ import annotations

from optisplit.studies.paper.stand_ins import STAND_INS

ARTICLE_LINE = (
    "H. Tiittanen, L. Holm, P. Törönen, Novel split quality measures for stratified multilabel cross validation with "
    "application to large and sparse gene ontology datasets, Applied Computing and Intelligence, 2022, "
    "doi 10.3934/aci.2022003"
)

CODE_AGAIN = (
    "Means of the authors' published code, version 0.2, and of the other programs that the article used, run again: "
    "ten seeds on bibtex and five on delicious; one for OptiSplit, which ignores its seed. Below each, small, the "
    "printed number. They are a second source, and decide no verdict."
)

NOTES: tuple[tuple[str, str], ...] = (
    (
        "The paper's IS and SOIS",
        "are the class IterativeStratification of scikit-multilearn 0.2.0, with order 1 and 2. That class does not "
        "take the rarest label (or pair) first, which is the heart of both algorithms, so its splits are worse than "
        "those of the algorithms as published. The lines IS (as published) and SOIS (as published) have the true ones.",
    ),
    (
        "Rare shares, row shape, beyond rounding",
        "are not in the article, and nothing printed stands beside them. They show what its measures do not see: folds "
        "that together get more or fewer of the rare labels than they are due, or rows with other numbers of labels.",
    ),
    (
        "Times",
        "are processor seconds of the method alone; the article's are of another machine, and of code in pure Python.",
    ),
    (
        "Stand-ins",
        "are label matrices of the size of mediamill, CC, MF and BP, whose files do not come along. CC, MF and BP: "
        f"{STAND_INS['bp'].how} mediamill: {STAND_INS['mediamill'].how} They are made when they are needed, always the "
        "same, and they are not the authors' data: their scores are told beside the printed ones, never judged by "
        "them. Who has the authors' files (mediamill.arff with 101 label columns, CC_targets.npz, MF_targets.npz, "
        "BP_targets.npz) can bring them: they are taken instead.",
    ),
)
"""Titles and texts."""
