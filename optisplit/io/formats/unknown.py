"""Label cells that are missing or uncertain: asked about, or taken as was said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, MissingLabelsError, OpenQuestion, OptionError, argument
from optisplit.text import counted, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed, Unknown
    from optisplit.labels import LabelMatrix

_WORDS = {"missing": "missing", "uncertain": "uncertain (-1)"}


def settle(
    parsed: Parsed, labels: LabelMatrix, answers: Mapping[str, str]
) -> tuple[LabelMatrix, NDArray[np.int64] | None, list[str]]:
    """Do what was said about unknown label cells; give the labels, the rows that are kept if not all, and notes."""
    n_rows, n_labels = labels.shape
    unknown = [each for each in parsed.unknown if each.cells is not None or each.rows is not None]
    if still_open := [each for each in unknown if answers.get(each.option, "error") == "error"]:
        raise _asked(still_open, n_labels)
    said = {each.option: (each, answers[each.option], _places(each, n_labels)) for each in unknown}
    notes = []
    for each, answer, (rows, _, n_cells) in said.values():
        if answer == "one":
            labels = _with_ones(labels, each)
        if answer in ("zero", "one"):
            value = {"zero": 0, "one": 1}[answer]
            notes.append(
                f"{counted(n_cells, 'label cell', 'is')} {_WORDS[each.option]} in {counted(len(rows), 'row')} and "
                f"{'was' if n_cells == 1 else 'were'} read as {value}, as asked for."
            )
    out_rows, out_labels = np.zeros(n_rows, dtype=bool), np.zeros(n_labels, dtype=bool)
    for each, answer, (rows, columns, n_cells) in said.values():
        out, places, count, what = (
            (out_rows, rows, n_rows, "row") if answer == "drop-rows" else (out_labels, columns, n_labels, "label")
        )
        if answer in ("drop-rows", "drop-labels"):
            out[places] = True
            were, their = ("was", "its") if len(places) == 1 else ("were", "their")
            cells = f"{n_cells:,} of {their} {'label ' if what == 'row' else ''}cells"
            told = f"{len(places):,} of {count:,} {what}s {were} left out, since {cells}"
            notes.append(f"{told} {'is' if n_cells == 1 else 'are'} {_WORDS[each.option]}.")
    kept_rows = _keep_rows(parsed, ~out_rows, unknown) if out_rows.any() else None
    labels = labels if kept_rows is None else labels[kept_rows]
    if out_labels.any():
        labels = labels[:, _keep_labels(parsed, ~out_labels, unknown)]
    return labels, kept_rows, notes


def _asked(unknown: list[Unknown], n_labels: int) -> MissingLabelsError:
    """Make the one error that asks about all that is open."""
    questions, message = [], ""
    for each in unknown:
        rows, columns, n_cells = _places(each, n_labels)
        questions.append(OpenQuestion(each.option, n_cells, len(rows), len(columns), each.message))
        answers = "\nHint: " + argument(each.option, "zero") + " reads them as 0, "
        if each.rows is None:
            answers += argument(each.option, "one") + " as 1, "
        answers += argument(each.option, "drop-rows") + f" leaves out the {counted(len(rows), 'row')}, "
        answers += argument(each.option, "drop-labels") + f" the {counted(len(columns), 'label')}."
        message = message + ("\n" if message else "") + each.message + each.advice + answers
    return MissingLabelsError(message, *questions[0][1:], questions=tuple(questions))


def _places(unknown: Unknown, n_labels: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Give the rows and labels that have unknown cells, and how many such cells there are."""
    cells = unknown.cells if unknown.cells is not None else np.zeros((0, 2), dtype=np.int64)
    whole = unknown.rows if unknown.rows is not None else np.zeros(0, dtype=np.int64)
    rows = np.unique(np.concatenate([cells[:, 0], whole]).astype(np.int64))
    columns = np.arange(n_labels) if len(whole) else np.unique(cells[:, 1]).astype(np.int64)
    return rows, columns, len(cells) + len(whole) * n_labels


def _with_ones(labels: LabelMatrix, unknown: Unknown) -> LabelMatrix:
    if unknown.rows is not None and len(unknown.rows):
        rows = counted(len(unknown.rows), "row")
        msg = argument(unknown.option, "one") + f" would give {rows} every label there is, since none is named there. "
        raise OptionError(msg + unknown.message)
    cells: Any = unknown.cells
    ones = sp.csr_array((np.ones(len(cells), dtype=labels.dtype), (cells[:, 0], cells[:, 1])), shape=labels.shape)
    return (labels + ones).tocsr()


def _keep_rows(parsed: Parsed, is_kept: NDArray[np.bool_], unknown: list[Unknown]) -> NDArray[np.int64]:
    kept = np.flatnonzero(is_kept)
    if not len(kept):
        msg = "Every row has a label that is " + _why(unknown)
        raise FormatError(msg)
    ids = parsed.row_ids if parsed.row_ids is not None else [str(row) for row in range(len(is_kept))]
    parsed.row_ids = [ids[row] for row in kept.tolist()]
    if parsed.counts is not None:
        parsed.counts = parsed.counts[kept]
    return kept


def _keep_labels(parsed: Parsed, is_kept: NDArray[np.bool_], unknown: list[Unknown]) -> NDArray[np.int64]:
    kept = np.flatnonzero(is_kept)
    if not len(kept):
        msg = "Every label is somewhere " + _why(unknown)
        raise FormatError(msg)
    named = parsed.label_names or [f"label {column}" for column in range(len(is_kept))]
    parsed.label_names = [named[column] for column in kept.tolist()]
    if parsed.counts is not None:
        parsed.counts = parsed.counts[:, kept]
    return kept


def _why(unknown: list[Unknown]) -> str:
    what = joined([each.option for each in unknown]).replace(" and ", " or ")
    return f"{what}, so none is left. " + " ".join(each.message for each in unknown)
