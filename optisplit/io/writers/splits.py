"""Splits in the forms that other programs take, and that :func:`optisplit.read_split` reads back."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError
from optisplit.folds.arrays import ALWAYS_TRAIN, as_folds, folds_to_npz, written_folds
from optisplit.io.packing import packed, unpacked_name
from optisplit.io.registry import FORMS, check_choice
from optisplit.io.splits.base import KINDS
from optisplit.io.target import write_file
from optisplit.io.writers.parts import Made, Request, folds_csv, part_names, rows_of_file, train_and_test
from optisplit.labels import as_dataset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import FileLike
    from optisplit.io.splits.base import Kind
    from optisplit.io.target import Target
    from optisplit.labels import MultilabelDataset


def form_of(path: str | os.PathLike[str] | None) -> str:
    """Choose a form by a file's ending."""
    ending = "" if path is None else Path(unpacked_name(str(path))[0]).suffix.lower()
    return next((form.key for form in FORMS.values() if form.is_usual and form.ending == ending), "csv")


def save_split(
    folds: Any,
    target: Target,
    data: MultilabelDataset | Any,
    *,
    form: str | None = None,
    source: FileLike | None = None,
    kind: Kind = "folds",
    n_splits: int | None = None,
    pairs: bool = False,
    label_file: FileLike | None = None,
    fold_names: Sequence[str] | None = None,
) -> None:
    r"""Write a split to a file, in any of several forms; see :func:`optisplit.io.writers.split_file`.

    Parameters
    ----------
    folds : array-like of shape (n_rows,), or list of (train, test) pairs
        The split.
    target : path or binary file object
        The file.
    data : MultilabelDataset, or labels as :func:`optisplit.split` takes them
        The data whose rows are split.
    form : {"csv", "json", "npz", "column", "files", "predefined", "huggingface"}, optional
        The form; default: by the ending of `target`: .json, .npz, .zip (files), .py (predefined); otherwise csv.
    source : path or binary file object, optional
        The data's own file, for the forms column and files.
    kind : {"folds", "parts"}, default="folds"
        Folds of cross-validation; or parts, the first for training.
    n_splits : int, optional
        Number of folds or parts; default: the highest fold number plus one.
    pairs : bool, default=False
        For files: a training and a test file for each fold, not one file for each fold.
    label_file : path or binary file object, optional
        MULAN's XML, for files; default: the one beside `source`.
    fold_names : sequence of str, optional
        What the folds or parts are called, for the forms that can say it; default: by their numbers from 0, and parts
        as they are mostly used.

    Raises
    ------
    FoldAssignmentError
        If the folds do not fit the data.
    FormatError
        If `source` cannot be read, or is not the file that the data come from.
    OptionError
        If the form is unknown, needs `source`, or the file cannot be written.

    Examples
    --------
    >>> import io
    >>> from optisplit import MultilabelDataset
    >>> data = MultilabelDataset.from_labels([[1], [0], [1], [0]])
    >>> file = io.BytesIO()
    >>> save_split([0, 1, 1, 0], file, data, form="json")
    >>> file.getvalue()
    b'{"folds": [{"train": [1, 2], "test": [0, 3]}, {"train": [0, 3], "test": [1, 2]}]}\n'
    """
    path = Path(target) if isinstance(target, str | os.PathLike) else None
    made = _made(
        form or form_of(path), folds, data, kind, n_splits, source=source, pairs=pairs, label_file=label_file,
        fold_names=fold_names,
    )  # fmt: skip
    # a path is packed as its own name says
    write_file(target, packed(made.content, made.packing) if path is None else made.content)


def split_file(
    folds: Any,
    data: MultilabelDataset,
    form: str = "csv",
    *,
    source: FileLike | None = None,
    kind: Kind = "folds",
    n_splits: int | None = None,
    pairs: bool = False,
    label_file: FileLike | None = None,
    stem: str | None = None,
    fold_names: Sequence[str] | None = None,
) -> tuple[str, bytes]:
    r"""Make the file that holds a split.

    - ``csv``: a line a row, ``row_id`` (or ``row``, from 0) and ``fold``; where an id stands on several rows, or
      a row has none, ``row``, the ids under their own name (or ``id``), and ``fold``. ``npz``: the array ``test_fold``.
    - ``json``: ``{"folds": [{"train": [...], "test": [...]}, ...]}``; for parts ``{"train": [...], "test": [...]}``.
    - ``huggingface``: ``{"fold_0": {"train": [...], "test": [...]}, ...}``, for ``dataset.select(fold["train"])``; for
      parts as json.
    - ``column``: the data's own table with a column more, every other byte as it was; also JSON Lines and Parquet.
    - ``files``: a zip with a file for each fold or part, in the format of the data's own file, rows byte for byte.
    - ``predefined``: Python that makes a scikit-learn splitter, and needs nothing of OptiSplit.
    - Rows in JSON and Python are numbered from 0 as they stand in the file that the data come from, also where rows of
      it were left out.
    """
    made = _made(
        form, folds, data, kind, n_splits, source=source, pairs=pairs, label_file=label_file, stem=stem,
        fold_names=fold_names,
    )  # fmt: skip
    return made.name, packed(made.content, made.packing)


def split_bytes(
    folds: FoldArray, data: MultilabelDataset, form: str, kind: Kind = "folds", fold_names: Sequence[str] | None = None
) -> bytes:
    """Make the content only of the file that :func:`split_file` makes."""
    return split_file(folds, data, form, kind=kind, fold_names=fold_names)[1]


def _made(form: str, folds: Any, labels: Any, kind: Kind, n_splits: int | None, **more: Any) -> Made:
    check_choice("form of a split", form, FORMS)
    check_choice("kind of split", kind, KINDS)
    chosen, data = FORMS[form], as_dataset(labels)
    if n_splits is None and isinstance(folds, np.ndarray) and folds.dtype.kind in "iu":
        n_splits = max(2, int(folds.max(initial=0)) + 1)  # also where fold 0 is empty
    array, n_splits = as_folds(folds, data.n_rows, n_splits)
    if chosen.needs_file and more["source"] is None:
        msg = f"The form {form!r} is made from the data's own file; give it as source."
        raise OptionError(msg)
    made: Made = chosen.maker(Request(array, data, kind, n_splits, **more))
    return made if made.name else made._replace(name=(more.get("stem") or kind) + chosen.ending)


def as_csv(request: Request) -> Made:
    """Write a line a row."""
    return Made(folds_csv(request.folds, request.data, request.fold_names))


def as_npz(request: Request) -> Made:
    """Write the fold of each row as an array of numbers: the folds' own where they are called by whole numbers."""
    own = written_folds(np.arange(request.n_splits, dtype=np.int32), request.fold_names)
    folds = request.folds
    if all(name.isdecimal() and str(int(name)) == name for name in own):
        folds = np.array([*map(int, own), ALWAYS_TRAIN], dtype=np.int32)[folds]
    return Made(folds_to_npz(folds, request.data.row_ids))


def as_json(request: Request) -> Made:
    """Write training and test rows of each fold, or the rows of each part."""
    names = request.fold_names
    are_numbered = names is None or list(names) == [f"fold {fold}" for fold in range(request.n_splits)]
    document = _lists(request)
    return _json({"folds": list(document.values())} if request.kind == "folds" and are_numbered else document)


def as_huggingface(request: Request) -> Made:
    """Write training and test rows by the names of folds, or the rows of each part."""
    if request.kind == "folds" and request.fold_names is not None:
        request = replace(request, fold_names=[name.replace(" ", "_") for name in request.fold_names])
    return _json(_lists(request))


def _lists(request: Request) -> dict[str, Any]:
    numbers = rows_of_file(request.data)
    lists = {
        key: {name: numbers[rows].tolist() for name, rows in parts.items()}
        for key, parts in train_and_test(request.folds, request.kind, request.n_splits, request.fold_names).items()
    }
    return lists[""] if request.kind == "parts" else lists


def _json(document: Any) -> Made:
    return Made((json.dumps(document) + "\n").encode())


def as_python(request: Request) -> Made:
    """Write Python that makes a scikit-learn splitter."""
    folds, data, kind, n_splits = request.folds, request.data, request.kind, request.n_splits
    numbers = rows_of_file(data)
    is_whole = kind == "folds" or n_splits == 2
    imports = "import numpy as np\n" + ("from sklearn.model_selection import PredefinedSplit\n" if is_whole else "")
    lines = ['"""A split made with OptiSplit, for scikit-learn: cross_val_score(model, X, Y, cv=cv)."""', "", imports]
    if data.reading is not None and data.reading.kept_rows is not None:
        lines += [
            "# numbers, from 0, of the rows of the file that are in the split; the others were left out:",
            "# X, Y = X[kept_rows], Y[kept_rows]",
            _array("kept_rows", numbers),
        ]
    if kind == "folds":
        lines += [
            f"# the fold, 0 to {n_splits - 1}, that each row is tested in; -1: always in training",
            _array("test_fold", folds),
            "cv = PredefinedSplit(test_fold)",
        ]
        return Made("\n".join([*lines, ""]).encode())
    names = part_names(n_splits)
    named = ", ".join(f"{part} {name}" for part, name in enumerate(names))
    lines += [f"# the part of each row: {named}", _array("parts", np.maximum(folds, 0))]
    lines += [f"{name} = np.flatnonzero(parts == {part})" for part, name in enumerate(names)]
    if is_whole:
        lines.append("cv = PredefinedSplit(np.where(parts == 0, -1, 0))")
    else:
        lines.append(f"cv = [(train, {names[1]})]  # {', '.join(names[2:])}: for the end")
    return Made("\n".join([*lines, ""]).encode())


def _array(name: str, values: Any) -> str:
    """Write an array as Python, in lines of a hundred characters or so."""
    texts = list(map(str, values.tolist()))
    per_line = max(1, 100 // (max(map(len, texts), default=1) + 2))
    lines = (f"    {', '.join(texts[start : start + per_line])},\n" for start in range(0, len(texts), per_line))
    return f"{name} = np.array([\n{''.join(lines)}])\n"
