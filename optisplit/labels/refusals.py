"""What is said of things that are no labels: what they hold, where, and what would help."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optisplit.errors import LabelError
from optisplit.text import counted, few, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SEPARATORS = ("|", "::", ";", "\t", ",", " ")
"""What stands between labels in a text, the least likely to be part of a label first."""

MANY = 10
"""More different values than this are hardly a few odd ones among labels."""

_LOOKED_AT = 10_000


def not_binary(
    values: NDArray[Any], first_row: int, columns: NDArray[np.integer[Any]], names: list[str] | None, n_labels: int
) -> LabelError:
    """Say which values stand where 0 or 1 should, how many they are, and in which labels."""
    count = len(values)
    held = values[:_LOOKED_AT].tolist()
    kinds = list(dict.fromkeys(str(value) for value in held))
    in_labels = list(dict.fromkeys(columns[:_LOOKED_AT].tolist()))
    where = [names[j] if names is not None and j < len(names) else f"column {j}" for j in in_labels]
    labels = "the label" if len(where) == 1 else "the labels"
    hint = _hint(held, kinds, is_one_column=n_labels == 1)
    msg = (
        f"Labels must be 0 or 1, but {counted(count, 'value', 'is')} not: {listed(kinds)}, "
        f"first in row {first_row}, in {labels} {listed(where)}." + (hint and f"\nHint: {hint}")
    )
    return LabelError(msg)


def _hint(held: list[Any], kinds: list[str], *, is_one_column: bool) -> str:
    if set(kinds) <= {"-1", "-1.0"}:
        return "these look like -1/1 labels; give (labels == 1) if -1 means 'does not have the label'."
    if set(kinds) <= {"nan", "None", "<NA>", ""}:
        return "missing labels are not negatives; drop these rows or decide what they are first."
    if set(kinds) <= {"0", "1", "True", "False", "0.0", "1.0"}:
        return "these are texts, not numbers; convert them first, for example with .astype(int)."
    if all(isinstance(value, str | bytes) for value in held):
        return (
            "where these are the names of labels, give one list of them a row, or pandas.get_dummies(...); where only "
            "some columns are labels, give these, or optisplit.load(frame, label_columns=[...])."
        )
    if any(isinstance(value, list | tuple | set | frozenset | dict) or hasattr(value, "shape") for value in held):
        return "where a column has lists of labels, give it alone, or optisplit.load(frame, label_columns='...')."
    are_whole = all(_is_whole(value) for value in held)
    if are_whole and is_one_column:
        return "one class a row can be given as one column each, as pandas.get_dummies makes them."
    features = "are these the features? Give the labels: one column of zeros and ones for each. "
    lead = features if len(kinds) > MANY else ""
    if are_whole:
        counts = "Where these are counts or ratings, say from which on a row has a label, such as (labels > 0); "
        return lead + counts + "where they are numbers of labels, give [set(row) for row in labels]."
    if all(isinstance(value, int | float) and 0 <= value <= 1 for value in held):
        return lead + "Where these are likelihoods, say from which on a row has a label, such as (labels >= 0.5)."
    return lead.rstrip()


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | float) and value >= 0 and math.isfinite(value) and value == int(value)


def not_two_dimensional(n_dimensions: int, labels: Any, values: Sequence[Any]) -> LabelError:
    """Say what would help where labels are no table: a text, or one value a row."""
    msg = f"Labels must be a table of rows x labels, but this has {counted(n_dimensions, 'dimension')}."
    if isinstance(labels, str):
        msg += f"\nHint: to read a data set by its name or path, use optisplit.load({labels!r})."
    elif isinstance(labels, dict):
        msg += "\nHint: give one list of labels a row, list(labels.values()), or a DataFrame of zeros and ones."
    elif n_dimensions == 1 and (texts := [each for each in values if isinstance(each, str)]):
        msg += f"\nHint: {how_to_part(texts)}"
    elif n_dimensions == 1 and values and isinstance(values[0], dict):
        msg += "\nHint: give one list of labels a row, or pandas.DataFrame(labels) where each is 0 or 1."
    elif n_dimensions == 1:
        msg += "\nHint: one class a row can be given as one column each, as pandas.get_dummies makes them."
    return LabelError(msg)


def separator_in(texts: Sequence[str]) -> str | None:
    """Find what may stand between labels in texts, of which one a row was given."""
    return next((each for each in SEPARATORS if any(each in text.strip() for text in texts)), None)


def how_to_part(texts: Sequence[str]) -> str:
    """Say what would make labels of texts, of which one a row was given: they are never parted unasked."""
    separator = separator_in(texts)
    if separator is None:
        return "one class a row can be given as one column each, as pandas.get_dummies makes them; or as a list of one."
    example = next(text for text in texts if separator in text.strip())
    call = "split()" if separator == " " else f"split({separator!r})"
    return (
        f"texts such as {few([repr(example[:40])], 1)} are not parted unasked; where they are lists of labels, give "
        f"[text.{call} for text in labels], or read them with optisplit.load(frame, label_columns=...); where each is "
        "one class, give pandas.get_dummies(labels)."
    )
