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
_ENCODE = "optisplit.encode_targets(labels)"
_MISSING = frozenset({"nan", "None", "<NA>", "NaT", ""})
_YES = frozenset({"1", "1.0", "true", "yes", "y", "t", "x"})
_NO = frozenset({"0", "0.0", "false", "no", "n", "f", "-", ""})


def not_binary(
    values: NDArray[Any],
    first_row: int,
    columns: NDArray[np.integer[Any]],
    names: list[str] | None,
    n_labels: int,
    *,
    has_zeros: bool,
) -> LabelError:
    """Say which values stand where 0 or 1 should, how many they are, and in which labels."""
    count = len(values)
    held = values[:_LOOKED_AT].tolist()
    kinds = list(dict.fromkeys(str(value) for value in held))
    in_labels = list(dict.fromkeys(columns[:_LOOKED_AT].tolist()))
    where = [names[j] if names is not None and j < len(names) else f"column {j}" for j in in_labels]
    labels = "the label" if len(where) == 1 else "the labels"
    if values.dtype.kind == "M" or all(hasattr(value, "isoformat") for value in held):
        hint = f"these are dates; {_ENCODE} puts them together by periods."
    else:
        hint = _hint(held, kinds, is_one_column=n_labels == 1, has_zeros=has_zeros)
    msg = (
        f"Labels must be 0 or 1, but {counted(count, 'value', 'is')} not: {listed(kinds)}, "
        f"first in row {first_row}, in {labels} {listed(where)}." + (hint and f"\nHint: {hint}")
    )
    return LabelError(msg)


def _hint(held: list[Any], kinds: list[str], *, is_one_column: bool, has_zeros: bool) -> str:
    if set(kinds) <= {"-1", "-1.0"}:
        return "these look like -1/1 labels; give (labels == 1) if -1 means 'does not have the label'."
    if set(kinds) <= _MISSING:
        return (
            "missing labels are not negatives; drop these rows or decide what they are first, such as "
            "pandas.DataFrame(labels).fillna(0) where they mean 'does not have the label'."
        )
    texts = [value for value in held if str(value) not in _MISSING]
    if all(isinstance(value, str | bytes) for value in texts):
        return _hint_of_texts(list(dict.fromkeys(texts)), some_missing=not _MISSING.isdisjoint(kinds))
    if any(isinstance(value, list | tuple | set | frozenset | dict) or hasattr(value, "shape") for value in held):
        return "where a column has lists of labels, give it alone, or optisplit.load(frame, label_columns='...')."
    return _hint_of_numbers(held, kinds, is_one_column=is_one_column, has_zeros=has_zeros)


def _hint_of_texts(texts: list[Any], *, some_missing: bool) -> str:
    """Say what would make labels of texts: those that are a kind of 0 and 1, and words."""
    written = [text.decode(errors="replace") if isinstance(text, bytes) else text for text in texts]
    if set(written) <= {"0", "1"} and not some_missing:
        return "these are texts, not numbers; convert them first, for example with .astype(int)."
    positive = [text for text, shown in zip(texts, written, strict=True) if shown.strip().lower() in _YES]
    if len(texts) <= 2 and len(positive) == 1 and set(map(str.lower, written)) <= _YES | _NO:
        return f"these are texts, not numbers; give (labels == {positive[0]!r}) if that means 'has the label'."
    return (
        f"where each column has classes of its own, give {_ENCODE}; where these are the names of labels, give one "
        "list of them a row, or pandas.get_dummies(...); where only some columns are labels, give these, or "
        "optisplit.load(frame, label_columns=[...])."
    )


def _hint_of_numbers(held: list[Any], kinds: list[str], *, is_one_column: bool, has_zeros: bool) -> str:
    is_padded = -1 in held
    are_whole = all(_is_whole(value) or value == -1 for value in held)
    if are_whole and is_one_column:
        return "one class a row can be given as one column each, as pandas.get_dummies makes them."
    lead = ""
    if len(kinds) > MANY:
        lead = "are these the features? Give the labels: one column of zeros and ones for each. "
    if are_whole:
        several = f"where they are classes or scores, {_ENCODE} balances each value; "
        numbers = "where they are numbers of labels, give [set(row) for row in labels]."
        if is_padded:  # as lists of unlike length are filled up
            return lead + several + numbers.replace("set(row)", "set(row) - {-1}")
        such = "(labels > 0)" if has_zeros else f"(labels >= {_from_which_on(held)}), as (labels > 0) would be all"
        counts = f"Where these are counts or ratings, say from which on a row has a label, such as {such}; to balance "
        counts += "counts, frame = pandas.DataFrame(labels) and optisplit.encode_targets(frame, counts=list(frame)); "
        return lead + counts + several + numbers
    if all(isinstance(value, int | float) and 0 <= value <= 1 for value in held):
        return lead + "Where these are likelihoods, say from which on a row has a label, such as (labels >= 0.5)."
    if all(isinstance(value, int | float) and math.isfinite(value) for value in held):
        return lead + f"Where these are amounts that are to be balanced, {_ENCODE} puts them into bins."
    return lead.rstrip()


def _from_which_on(held: list[Any]) -> int:
    """Choose a number that has some below it: the middle one, or the next above the lowest."""
    values = sorted(held)
    middle = values[len(values) // 2]
    return int(middle if middle > values[0] else next((value for value in values if value > values[0]), middle))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | float) and value >= 0 and math.isfinite(value) and value == int(value)


def not_two_dimensional(n_dimensions: int, labels: Any, values: Sequence[Any]) -> LabelError:
    """Say what would help where labels are no table: a text, or one value a row."""
    msg = f"Labels must be a table of rows x labels, but this has {counted(n_dimensions, 'dimension')}."
    if isinstance(labels, str):
        msg += f"\nHint: to read a data set by its name or path, use optisplit.load({labels!r})."
    elif isinstance(labels, dict):
        msg += "\nHint: give one list of labels a row, list(labels.values()), or a DataFrame of zeros and ones."
    elif n_dimensions == 1 and getattr(getattr(labels, "dtype", None), "names", None):
        msg += "\nHint: this has columns with names; give pandas.DataFrame(labels)."
    elif n_dimensions == 0 and hasattr(labels, "__next__"):
        msg += "\nHint: this can be gone through only once; give list(labels)."
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
