"""Pairs of a row and a label that have a value each, such as a likelihood: which of them say that a row has a label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.layouts.collector import once_each
from optisplit.io.parsed import Unknown
from optisplit.io.tables.table import Guess
from optisplit.text import capital, clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed


@dataclass(slots=True)
class Valued:
    """Pairs of a row and a label, with a value each."""

    rows: NDArray[np.int32]
    labels: NDArray[np.int32]
    values: NDArray[np.float64]  # NaN where none is stated
    shape: tuple[int, int]  # rows and labels
    where: str  # what holds them, for people: "the column 'codes'"
    names: Sequence[str]  # of the labels
    row_name: Callable[[int], str]  # what to call a row: "line 3", or its name in quotes
    is_counted: bool = False  # whether the values are written as whole numbers
    # what a value other than 0 and 1 says without a threshold: nothing, or that the row has the label
    otherwise: Literal["ask", "has label"] = "ask"
    aside: str = ""  # how to read it without the values, for people


def refuse_threshold(threshold: float | None) -> None:
    """Refuse a threshold where labels have no values."""
    if threshold is not None:
        msg = argument("threshold") + " needs values of labels, but these have none; leave it out."
        raise OptionError(msg)


@dataclass(slots=True)
class Decided:
    """Which labels rows have."""

    labels: sp.csr_array
    told: str  # how values were taken, a part of a sentence
    unknown: list[Unknown] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    counts: sp.csr_array | None = None


def decide(valued: Valued, threshold: float | None) -> Decided:
    """Decide which pairs say that a row has a label.

    - Values that are all 0 and 1, or true and false: 0 says that the row does not have it; -1 is asked about.
    - Others are compared with the threshold; without one, dictionaries whose keys differ from row to row count with
      every key, and all else is asked about.
    """
    values = valued.values
    is_missing = np.isnan(values)
    is_uncertain = values == -1
    is_zero_or_one = is_missing | (values == 0) | (values == 1)
    notes: list[str] = []
    guesses: list[Guess] = []
    counts = None
    if (is_zero_or_one | is_uncertain).all() and is_zero_or_one.any() and not is_missing.all():
        has_label = values == 1
        told = "a value of 1 says that a row has the label, 0 that it does not"
    else:
        is_uncertain[:] = False
        if threshold is not None:
            has_label = values >= threshold
            told = f"values from {threshold:g} on say that a row has the label"
            if valued.is_counted and threshold == 1 and not is_missing.any():
                counts = _counts(valued, has_label)
        else:
            _refuse_undecided(valued)
            has_label = np.ones(len(values), dtype=bool)
            is_missing[:] = False  # the key alone counts
            told = "every key counts, whatever its value"
            notes, guesses = _said_of_values(values)
    unknown = [
        *_unknown(valued, is_missing, "missing", "no value"),
        *_unknown(valued, is_uncertain, "uncertain", "the value -1"),
    ]  # fmt: skip
    labels = in_rows(valued.rows, valued.labels, valued.shape)
    labels.sort_indices()
    if not labels.has_canonical_format:  # some are there twice
        said = values if counts is not None else np.where(is_missing, 2, np.where(is_uncertain, 3, has_label))
        notes.append(_repeated(valued, said))
    labels, _ = once_each(in_rows(valued.rows[has_label], valued.labels[has_label], valued.shape))
    return Decided(labels, told, unknown, notes, guesses, counts)


def _refuse_undecided(valued: Valued) -> None:
    """Refuse values that alone say which labels rows have, as long as nobody says how."""
    values = valued.values
    is_complete = len(values) == valued.shape[0] * valued.shape[1]
    has_zeros_among_counts = valued.is_counted and bool((values == 0).any())
    if valued.otherwise == "has label" and not is_complete and not has_zeros_among_counts:
        return
    shown = f"{np.nanmin(values):g} to {np.nanmax(values):g}" if not np.isnan(values).all() else "no"
    msg = f"{capital(valued.where)} has values, {shown}, that are not only 0 and 1"
    if valued.otherwise == "has label":
        msg += ", and keys with 0" if has_zeros_among_counts and not is_complete else ", and every row has every key"
    positive = values[values > 0]
    msg += ": say from which value on a row has the label, as " + argument("threshold")
    if valued.is_counted and len(positive):
        msg += " (" + argument("threshold", 1) + " takes 1 or more, and keeps the counts)"
    elif len(positive):
        example = 0.5 if positive.max() <= 1 else float(np.sort(positive)[len(positive) // 2])  # a mean may overflow
        msg += ", such as " + argument("threshold", float(f"{example:.3g}"))
    raise FormatError(msg + "." + valued.aside)


def _said_of_values(values: NDArray[np.float64]) -> tuple[list[str], list[Guess]]:
    kinds = np.unique(values[~np.isnan(values)])
    if len(kinds) < 2:
        return [], []
    note = f"Their values, {kinds[0]:g} to {kinds[-1]:g}, were not used; with "
    note += argument("threshold") + ", a row has a label from that value on (" + argument("threshold", float(kinds[1]))
    note += f" leaves out those with {kinds[0]:g})."
    why = "keys differ from row to row, so each says that its row has the label"
    return [note], [Guess("threshold", None, why, is_sure=bool(kinds[0] > 0), others=(float(kinds[1]),))]


def _unknown(
    valued: Valued, is_unknown: NDArray[np.bool_], option: Literal["missing", "uncertain"], what: str
) -> list[Unknown]:
    at = np.flatnonzero(is_unknown)
    if not len(at):
        return []
    sizes = np.bincount(valued.labels[at], minlength=len(valued.names))
    labels = [clean_name(valued.names[j]) for j in np.flatnonzero(sizes).tolist()]
    told = f"{counted(len(at), 'label cell', 'has')} {what} in {valued.where}, first for {labels_of(valued, at[0])}."
    if len(labels) > 1:
        told += f" They are of {counted(len(labels), 'label')}: {listed(labels)}."
    return [Unknown(option, told, np.stack([valued.rows[at], valued.labels[at]], axis=1))]


def labels_of(valued: Valued, at: int) -> str:
    """Say which pair of row and label stands at a place."""
    return f"{clean_name(valued.names[valued.labels[at]])!r} of {valued.row_name(int(valued.rows[at]))}"


def _repeated(valued: Valued, said: NDArray[Any]) -> str:
    """Refuse pairs that are there twice and say different things; of others tell."""
    places = valued.rows.astype(np.int64) * max(valued.shape[1], 1) + valued.labels
    order = np.argsort(places, kind="stable")
    is_same = places[order[1:]] == places[order[:-1]]
    differs = np.flatnonzero(is_same & (said[order[1:]] != said[order[:-1]]))
    if len(differs):
        first, second = int(order[differs[0]]), int(order[differs[0] + 1])
        msg = (
            f"The label {labels_of(valued, first)} has several values in {valued.where}, such as "
            f"{valued.values[first]:g} and {valued.values[second]:g}; so it is {counted(len(differs), 'time')}. Leave "
            "one for each row and label."
        )
        raise FormatError(msg)
    return f"{counted(int(is_same.sum()), 'line', 'repeats')} a pair of row and label; it counts once."


def _counts(valued: Valued, has_label: NDArray[np.bool_]) -> sp.csr_array:
    places = valued.rows[has_label].astype(np.int64) * max(valued.shape[1], 1) + valued.labels[has_label]
    places, first = np.unique(places, return_index=True)
    rows, labels = np.divmod(places, max(valued.shape[1], 1))
    counts = valued.values[has_label][first].astype(np.int32)
    return sp.csr_array((counts, (rows, labels)), shape=valued.shape)


def in_rows(rows: NDArray[np.int32], labels: NDArray[np.int32], shape: tuple[int, int]) -> sp.csr_array:
    """Make a CSR matrix of pairs, those that are repeated included."""
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    if (rows[1:] < rows[:-1]).any():
        labels = labels[np.argsort(rows, kind="stable")]
    return sp.csr_array((np.ones(len(labels), dtype=np.int8), labels, indptr), shape=shape)


def add_rows_without(parsed: Parsed, rows: NDArray[np.integer[Any]], told: str) -> None:
    """Ask about rows that have no label at all; beside cells that are missing, in one question."""
    if not len(rows):
        return
    cells = None
    if same := next((each for each in parsed.unknown if each.option == "missing"), None):
        parsed.unknown.remove(same)
        told, cells = f"{same.message} {told}", same.cells
    parsed.unknown.append(Unknown("missing", told, cells, rows))
