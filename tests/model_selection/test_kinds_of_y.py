"""What y may be: every kind that people hold, and what the peers and our splitters make of it, in one table.

Where a peer divides the rows by the labels that were meant, so do ours. Where it takes every value but 0 for a label
and does not say so, ours refuse, and the line that the error gives is run here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold
from skmultilearn.model_selection import IterativeStratification

import optisplit
from optisplit.errors import LabelError
from optisplit.model_selection import MultilabelKFold, MultilabelShuffleSplit, train_test_split

N, K = 40, 2
RNG = np.random.default_rng(0)
Y = (RNG.random((N, 4)) < [0.5, 0.3, 0.2, 0.1]).astype(int)
CODES = np.column_stack([RNG.integers(0, 3, N), RNG.integers(0, 4, N)])
CLASSES = CODES[:, 0]
WORDS = np.column_stack([np.array(list("abc"))[CODES[:, 0]], np.array(list("wxyz"))[CODES[:, 1]]])
COUNTS = np.where(Y, RNG.integers(1, 5, Y.shape), 0)
SCORES = RNG.integers(1, 6, Y.shape).astype(float)
DAYS = np.datetime64("2024-01-01") + 40 * CODES
AMOUNTS = np.round(RNG.normal(size=N), 3)
FRAME = pd.DataFrame(Y, columns=list("abcd"))
NAMES = [["abcd"[label] for label in np.flatnonzero(row)] for row in Y]
NUMBERS = [np.flatnonzero(row).tolist() for row in Y]
PADDED = np.array([[*numbers, -1, -1, -1, -1][:4] for numbers in NUMBERS])
GAP = np.zeros(Y.shape, dtype=bool)
GAP[3, 1] = True  # a place without a label
UNKNOWN = np.where(GAP, np.nan, Y)
EMPTIED = np.where(GAP, 0, Y)
ONE_HOT = np.transpose([*(CODES[:, 0] == code for code in range(3)), *(CODES[:, 1] == code for code in range(4))])

SAME, CASTS, REFUSES = "divides by the labels meant", "divides by what is not 0", "refuses"


@dataclass(frozen=True)
class Kind:
    """A kind of y, and what becomes of it."""

    y: Any
    iterstrat: str
    skml: str
    ours: str = SAME  # or what the error says
    line: str = ""  # the line in the error that helps
    meant: Any = None  # the labels that are balanced then; default: Y
    classes: bool = False  # a class a row, which only the splitters of scikit-learn's kind take


DENSE, SPARSE = (SAME, SAME), (REFUSES, SAME)
OBJECTS, LISTS = (SAME, REFUSES), (REFUSES, REFUSES)
CAST, CAST_TEXTS = (CASTS, CASTS), (CASTS, REFUSES)
MISSING = "missing labels are not negatives"
FILLED = "pandas.DataFrame(labels).fillna(0)"
ENCODED = "optisplit.encode_targets(labels)"
AS_SETS = "[set(row) for row in labels]"

KINDS = {
    "int": Kind(Y, *DENSE),
    "int8": Kind(Y.astype(np.int8), *DENSE),
    "uint8": Kind(Y.astype(np.uint8), *DENSE),
    "float": Kind(Y.astype(float), *DENSE),
    "float32": Kind(Y.astype(np.float32), *DENSE),
    "float16": Kind(Y.astype(np.float16), *OBJECTS),
    "complex": Kind(Y.astype(complex), *SPARSE),
    "bool": Kind(Y.astype(bool), *DENSE),
    "objects": Kind(Y.astype(object), *OBJECTS),
    "bools as objects": Kind(Y.astype(bool).astype(object), *OBJECTS),
    "by columns": Kind(np.asfortranarray(Y), *DENSE),
    "matrix": Kind(np.matrix(Y), *SPARSE),
    "masked nowhere": Kind(np.ma.array(Y), *DENSE),
    "list of lists": Kind(Y.tolist(), *OBJECTS),
    "tuples": Kind(tuple(map(tuple, Y.tolist())), *OBJECTS),
    "list of arrays": Kind(list(Y), *OBJECTS),
    "frame": Kind(FRAME, *DENSE),
    "frame of bools": Kind(FRAME.astype(bool), *DENSE),
    "mixed frame": Kind(FRAME.astype({"a": bool, "b": float}), *OBJECTS),
    "nullable frame": Kind(FRAME.astype("Int8"), *OBJECTS),
    "nullable bools": Kind(FRAME.astype("boolean"), *OBJECTS),
    "frame of categories": Kind(FRAME.astype("category"), *OBJECTS),
    "polars": Kind(pl.from_pandas(FRAME), *DENSE),
    "Arrow": Kind(pa.table(FRAME), *DENSE),
    "sparse frame": Kind(pd.DataFrame.sparse.from_spmatrix(sp.csr_matrix(Y)), *SPARSE),
    "CSR": Kind(sp.csr_matrix(Y), *SPARSE),
    "CSR array": Kind(sp.csr_array(Y), *SPARSE),
    "CSC": Kind(sp.csc_matrix(Y), *SPARSE),
    "COO": Kind(sp.coo_matrix(Y), *SPARSE),
    "LIL": Kind(sp.lil_matrix(Y), *SPARSE),
    "DOK": Kind(sp.dok_matrix(Y), *SPARSE),
    "sparse bools": Kind(sp.csr_matrix(Y.astype(bool)), *SPARSE),
    "names": Kind(NAMES, *LISTS),
    "Series of names": Kind(pd.Series(NAMES), *LISTS),
    "sets": Kind(list(map(set, NAMES)), *LISTS),
    "numbers of labels": Kind(NUMBERS, *LISTS),
    "Series of rows": Kind(pd.Series(Y.tolist()), *LISTS),
    "Series of arrays": Kind(pd.Series(list(Y)), *LISTS),
    "array of lists": Kind(pd.Series(NAMES).to_numpy(), *LISTS),
    # a class a row
    "classes": Kind(CLASSES, *LISTS, meant=CLASSES, classes=True),
    "classes of one column": Kind(CLASSES[:, None], REFUSES, CASTS, meant=CLASSES, classes=True),
    "frame of classes": Kind(pd.DataFrame({"y": CLASSES}), REFUSES, CASTS, meant=CLASSES, classes=True),
    "list of classes": Kind(CLASSES.tolist(), *LISTS, meant=CLASSES, classes=True),
    "classes as words": Kind(WORDS[:, 0], *LISTS, meant=CLASSES, classes=True),
    "classes as categories": Kind(pd.Series(WORDS[:, 0], dtype="category"), *LISTS, meant=CLASSES, classes=True),
    "ratings": Kind(CLASSES + 1.0, *LISTS, meant=CLASSES, classes=True),
    "one label": Kind(Y[:, :1], REFUSES, SAME, meant=Y[:, 0], classes=True),
    "one label of texts": Kind(Y[:, 0].astype(str), *LISTS, meant=Y[:, 0], classes=True),
    "amounts": Kind(AMOUNTS, *LISTS, "y holds fractions", "optisplit.encode_targets(y)", classes=True,
                    meant=optisplit.encode_targets(AMOUNTS)),
    # numbers that are not 0 and 1
    "-1 and 1": Kind(2 * Y - 1, *CAST, "-1/1 labels", "(labels == 1)"),
    "-1.0 and 1.0": Kind(2.0 * Y - 1, *CAST, "-1/1 labels", "(labels == 1)"),
    "0 and 255": Kind((255 * Y).astype(np.uint8), *DENSE, "'255'", "(labels > 0)"),
    "1 and 2": Kind(Y + 1, *CAST, "'2'", "(labels >= 2)"),
    "counts": Kind(COUNTS, *DENSE, "counts or ratings", "(labels > 0)"),
    "counts as floats": Kind(COUNTS.astype(float), *DENSE, "counts or ratings", "(labels > 0)"),
    "sparse counts": Kind(sp.csr_matrix(COUNTS), *SPARSE, "counts or ratings", "(labels > 0)"),
    "frame of counts": Kind(pd.DataFrame(COUNTS), *DENSE, "counts or ratings", "(labels > 0)"),
    "scores": Kind(SCORES, *CAST, "classes or scores", ENCODED, meant=optisplit.encode_targets(SCORES)),
    "scores from 0": Kind(SCORES - 1, *CAST, "classes or scores", ENCODED, meant=optisplit.encode_targets(SCORES - 1)),
    "class codes": Kind(CODES, *CAST, "classes or scores", ENCODED, meant=ONE_HOT),
    "frame of class codes": Kind(pd.DataFrame(CODES, columns=["x", "y"]), *CAST, "classes", ENCODED,
                                 meant=ONE_HOT),
    "numbers filled up": Kind(PADDED, *CAST, "numbers of labels", "[set(row) - {-1} for row in labels]"),
    "likelihoods": Kind(np.where(Y, 0.9, 0.2), *CAST, "likelihoods", "(labels >= 0.5)"),
    "halves": Kind(Y / 2, *DENSE, "likelihoods", "(labels >= 0.5)"),
    "dates": Kind(DAYS, *CAST_TEXTS, "dates", ENCODED, meant=optisplit.encode_targets(DAYS)),
    # texts
    "words": Kind(WORDS, *CAST_TEXTS, "classes of its own", ENCODED, meant=ONE_HOT),
    "frame of words": Kind(pd.DataFrame(WORDS), *CAST_TEXTS, "classes of its own", ENCODED, meant=ONE_HOT),
    "texts 0 and 1": Kind(Y.astype(str), *CAST_TEXTS, "texts, not numbers", "labels.astype(int)"),
    "texts 0 and 1 as objects": Kind(Y.astype(str).astype(object), *CAST_TEXTS, "texts", "labels.astype(int)"),
    "frame of texts 0 and 1": Kind(FRAME.astype(str), *CAST_TEXTS, "texts, not numbers", "labels.astype(int)"),
    "bytes": Kind(Y.astype("S"), *CAST_TEXTS, "texts, not numbers", "labels.astype(int)"),
    "lists of texts 0 and 1": Kind(Y.astype(str).tolist(), *CAST_TEXTS, "as many in each row",
                                   "[[int(cell) for cell in row] for row in labels]"),
    "lists of yes and no": Kind(np.where(Y, "yes", "no").tolist(), *CAST_TEXTS, "as many in each row",
                                "(numpy.array(labels) == 'yes')"),
    "texts 1.0 and 0.0": Kind(Y.astype(float).astype(str), *CAST_TEXTS, "texts", "(labels == '1.0')"),
    "True and False as texts": Kind(Y.astype(bool).astype(str), *CAST_TEXTS, "texts", "(labels == 'True')"),
    "yes and no": Kind(np.where(Y, "yes", "no"), *CAST_TEXTS, "texts", "(labels == 'yes')"),
    "x and blank": Kind(np.where(Y, "x", ""), *OBJECTS, "texts", "(labels == 'x')"),
    "x and None": Kind(np.where(Y, "x", None), *OBJECTS, "texts", "(labels == 'x')"),
    "lists in texts": Kind([" ".join(row) for row in NAMES], *LISTS, "may be lists of labels",
                           "[text.split() for text in labels]", classes=True),
    # nothing where a label should be
    "NaN": Kind(UNKNOWN, REFUSES, CASTS, MISSING, FILLED, meant=EMPTIED),
    "None": Kind(np.where(GAP, None, Y), *OBJECTS, MISSING, FILLED, meant=EMPTIED),
    "NA": Kind(FRAME.astype("Int8").mask(GAP), *LISTS, MISSING, FILLED, meant=EMPTIED),
    "masked": Kind(np.ma.array(Y, mask=GAP), *CAST, MISSING, FILLED, meant=EMPTIED),
    "1 and NaN": Kind(np.where(Y, 1, np.nan), REFUSES, CASTS, MISSING, FILLED),
    # no table
    "records": Kind(FRAME.to_records(index=False), *LISTS, "columns with names", "pandas.DataFrame(labels)"),
    "columns by name": Kind({name: FRAME[name] for name in FRAME}, *LISTS, "DataFrame", "pandas.DataFrame(labels)"),
    "dictionaries": Kind(FRAME.to_dict("records"), *LISTS, r"pandas\.DataFrame", "pandas.DataFrame(labels)"),
    "three dimensions": Kind(Y.reshape(N, 2, 2), *LISTS, "3 dimensions"),
    "nothing": Kind(None, *LISTS, "None|0 dimensions"),
    "generator": Kind((row for row in Y.tolist()), *LISTS, "only once", "list(labels)"),
}  # fmt: skip
SAID_IN_OTHER_WORDS = (
    "labels.astype(int)", "[[int(cell) for cell in row] for row in labels]", "pandas.DataFrame(labels)"
)  # fmt: skip
X = np.zeros((N, 1))
EACH = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def folds_of(splitter, y):
    return [test.tolist() for _, test in splitter.split(X, y)]


def ours(y):
    return folds_of(MultilabelKFold(K, random_state=0), y)


def by_iterstrat(y):
    return folds_of(MultilabelStratifiedKFold(K, shuffle=True, random_state=0), y)


def by_skml(y):
    state = np.random.get_state()  # noqa: NPY002 - scikit-multilearn draws from it
    try:
        np.random.seed(0)  # noqa: NPY002
        return folds_of(IterativeStratification(K, order=1), y)
    finally:
        np.random.set_state(state)  # noqa: NPY002


@EACH
@pytest.mark.parametrize("peer", ["iterstrat", "skml"])
def test_what_the_peers_make_of_it(kind, peer):
    divide, outcome = {"iterstrat": by_iterstrat, "skml": by_skml}[peer], getattr(kind, peer)
    if outcome == REFUSES:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            divide(kind.y)
    else:
        assert (divide(kind.y) == divide(as_columns(kind))) == (outcome == SAME)


def as_columns(kind):
    """Give the labels that are meant as the peers take them."""
    if isinstance(kind.meant, optisplit.MultilabelDataset):
        return kind.meant.labels.toarray()
    meant = Y if kind.meant is None else kind.meant
    return pd.get_dummies(meant).to_numpy() if meant.ndim == 1 and kind.skml == CASTS else meant.reshape(N, -1)


def helped(kind):
    line = kind.line.replace("(y)", "(labels)")
    return eval(line, {"labels": kind.y, "optisplit": optisplit, "pandas": pd, "numpy": np})


@EACH
def test_what_ours_make_of_it(kind):
    doors = [ours, lambda y: next(MultilabelShuffleSplit(1, random_state=0).split(None, y)), train_test_split]
    if not kind.classes:
        doors.append(lambda labels: optisplit.split(labels, K))
    meant = Y if kind.meant is None else kind.meant
    if kind.ours == SAME:
        assert ours(kind.y) == ours(meant)
        for door in doors:
            door(kind.y)
        return
    for door in doors:
        with pytest.raises((LabelError, TypeError), match=f"(?s){kind.ours}|An array to split is None") as error:
            door(kind.y)
        assert (
            kind.line in str(error.value) or kind.line.startswith(("labels.astype", "[[int")) or "0 dim" in str(error)
        )
    if kind.line:
        assert ours(helped(kind)) == ours(meant)


def test_a_class_a_row_is_refused_by_split_with_the_line_that_helps():
    for name, kind in KINDS.items():
        if kind.classes and kind.ours == SAME and np.ndim(kind.y) == 1:
            with pytest.raises(LabelError, match=r"pandas\.get_dummies makes them"):
                optisplit.split(kind.y, K)
            assert ours(pd.get_dummies(kind.y)) is not None, name


def test_counts_that_are_to_be_balanced_themselves():
    with pytest.raises(LabelError, match=r"frame = pandas\.DataFrame\(labels\)") as error:
        MultilabelKFold(K).split(X, COUNTS)
    assert "optisplit.encode_targets(frame, counts=list(frame))" in str(error.value)
    frame = pd.DataFrame(COUNTS)
    sums = [COUNTS[test].sum(axis=0) for test in ours(optisplit.encode_targets(frame, counts=list(frame)))]
    assert np.abs(np.subtract(*sums)).max() <= 2


def test_scores_that_are_all_above_0_are_not_told_to_be_compared_with_it():
    with pytest.raises(LabelError, match=r"such as \(labels >= 3\), as \(labels > 0\) would be all"):
        MultilabelKFold(K).split(X, SCORES)
