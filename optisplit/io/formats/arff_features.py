"""The features of ARFF files: all columns that are no labels."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError
from optisplit.io.formats.arff_header import open_arff, split_cells, unquoted
from optisplit.io.formats.arff_labels import label_columns_of
from optisplit.io.source import FileLike, read_source
from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.io.formats.arff_header import Attribute


def read_arff_features(source: FileLike, *, label_file: FileLike | None = None) -> tuple[Any, list[str]]:
    """Read the features of an ARFF file.

    - Numbers stay numbers. A nominal column of two values is 0 for the first declared one and 1 for the other.
    - Files with sparse rows give a sparse matrix; what a row leaves out is 0.
    """
    opened = read_source(source)
    header, rows = open_arff(opened)
    labels = set(label_columns_of(header, opened, label_columns=None, label_file=label_file).columns)
    columns = [j for j in range(len(header.attributes)) if j not in labels]
    place = {column: j for j, column in enumerate(columns)}
    codes = {column: _codes(header.attributes[column]) for column in columns}
    data, indices, indptr = array("d"), array("i"), array("q", [0])
    is_sparse = False
    for number, line in rows:
        text = line.decode("latin-1")
        if text.startswith("{"):
            is_sparse = True
            pairs = [cell.split(None, 1) for cell in split_cells(text[1:-1]) if cell]
            cells = [(int(column), value) for column, value in pairs]
        else:
            cells = list(enumerate(split_cells(text)))
        for column, value in cells:
            at = place.get(column)
            if at is None:
                continue
            found = _value(value, codes[column])
            if found is None:
                msg = (
                    f"Line {number:,}: the feature {clean_name(header.attributes[column].name)!r} is "
                    f"{clean_name(value, 40)!r}; numbers, or two values, are needed."
                )
                raise FormatError(msg)
            if found:
                data.append(found)
                indices.append(at)
        indptr.append(len(data))
    matrix = sp.csr_array(
        (np.asarray(data), np.asarray(indices, dtype=np.int32), np.asarray(indptr)),
        shape=(len(indptr) - 1, len(columns)),
    )
    matrix.sort_indices()
    return matrix if is_sparse else matrix.toarray(), [header.attributes[column].name for column in columns]


def _codes(attribute: Attribute) -> dict[str, float]:
    return {value: float(at) for at, value in enumerate(attribute.values)} if len(attribute.values) == 2 else {}


def _value(text: str, codes: dict[str, float]) -> float | None:
    token = unquoted(text.strip())
    if codes:
        return codes.get(token)
    try:
        number = float(token)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
