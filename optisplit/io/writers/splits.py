"""Splits in the forms that other programs take, and that :func:`optisplit.read_split` reads back."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from optisplit.errors import FoldAssignmentError, OptionError
from optisplit.io.packing import packed, unpacked_name
from optisplit.io.target import opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import FileLike
    from optisplit.io.splits.base import Kind, RowNumbers
    from optisplit.io.target import Target
    from optisplit.labels import MultilabelDataset

Form: TypeAlias = Literal["csv", "json", "npz", "column", "files", "predefined", "huggingface"]

FORMS: tuple[str, ...] = get_args(Form)
"""Forms that a split can be written in."""

PART_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
"""What parts are mostly used for, by their number."""

_ENDINGS = {
    "csv": ".csv", "json": ".json", "npz": ".npz", "files": ".zip", "predefined": ".py", "huggingface": ".json",
}  # fmt: skip


def form_of(path: str | os.PathLike[str] | None) -> Form:
    """Choose a form by a file's ending."""
    ending = "" if path is None else Path(unpacked_name(str(path))[0]).suffix.lower()
    forms: dict[str, Form] = {".json": "json", ".npz": "npz", ".zip": "files", ".py": "predefined"}
    return forms.get(ending, "csv")


def part_names(n_parts: int) -> tuple[str, ...]:
    """Name the parts of a split that is no cross-validation."""
    return PART_NAMES.get(n_parts, ("train", *(f"part_{part}" for part in range(1, n_parts))))


def save_split(
    folds: Any,
    target: Target,
    data: MultilabelDataset,
    *,
    form: Form | None = None,
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
    data : MultilabelDataset
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
        What the folds or parts are called, for csv, and for json with parts; default: by their numbers from 0, and
        parts in json as they are mostly used.

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
    chosen = form or form_of(path)
    _, content, compression = _made(folds, data, chosen, source, kind, n_splits, pairs, label_file, None, fold_names)
    with opened(target) as out:  # a path is packed as its own name says
        out.write(packed(content, compression) if path is None else content)


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

    - ``csv``: a line a row, ``row_id`` (or ``row``, from 0) and ``fold``. ``npz``: the array ``test_fold``.
    - ``json``: ``{"folds": [{"train": [...], "test": [...]}, ...]}``; for parts ``{"train": [...], "test": [...]}``.
    - ``huggingface``: ``{"fold_0": {"train": [...], "test": [...]}, ...}``, for ``dataset.select(fold["train"])``; for
      parts as json.
    - ``column``: the data's own table with a column more, every other byte as it was; also JSON Lines and Parquet.
    - ``files``: a zip with a file for each fold or part, in the format of the data's own file, rows byte for byte.
    - ``predefined``: Python that makes a scikit-learn splitter, and needs nothing of OptiSplit.
    - Rows in JSON and Python are numbered from 0 as they stand in the file that the data come from, also where rows of
      it were left out.
    """
    name, content, compression = _made(folds, data, form, source, kind, n_splits, pairs, label_file, stem, fold_names)
    return name, packed(content, compression)


def _made(
    folds: Any, data: MultilabelDataset, form: str, source: FileLike | None, kind: Kind,
    n_splits: int | None, pairs: bool, label_file: FileLike | None, stem: str | None,
    fold_names: Sequence[str] | None,
) -> tuple[str, bytes, str | None]:  # fmt: skip
    """Give the name and content of a file, and what it is to be packed with."""
    from optisplit.folds.arrays import as_folds, folds_to_csv, folds_to_npz

    if form not in FORMS:
        what = "form of a split"
        raise OptionError.unknown(what, str(form), FORMS)
    if kind not in ("folds", "parts"):
        what = "kind of split"
        raise OptionError.unknown(what, str(kind), ("folds", "parts"))
    if n_splits is None and isinstance(folds, np.ndarray) and folds.dtype.kind in "iu":
        n_splits = max(2, int(folds.max(initial=0)) + 1)  # also where fold 0 is empty
    array, n_splits = as_folds(folds, data.n_rows, n_splits)
    if form in ("column", "files"):
        if source is None:
            msg = f"The form {form!r} is made from the data's own file; give it as source."
            raise OptionError(msg)
        from optisplit.io.writers.own_files import files_of_parts, with_column

        if form == "column":
            return with_column(array, data, source, kind, n_splits, stem)
        return *files_of_parts(array, data, source, kind, n_splits, pairs=pairs, label_file=label_file, stem=stem), None
    name = (stem or kind) + _ENDINGS[form]
    match form:
        case "csv":
            return name, folds_to_csv(array, data.row_ids, fold_names).encode(), None
        case "npz":
            return name, folds_to_npz(array, data.row_ids), None
        case "predefined":
            return name, _python(array, data, kind, n_splits).encode(), None
    document = _lists(array, data, kind, n_splits, fold_names)
    if form == "json" and kind == "folds":
        return name, _json({"folds": list(document.values())}), None
    return name, _json(document), None


def split_bytes(
    folds: FoldArray, data: MultilabelDataset, form: Form, kind: Kind = "folds", fold_names: Sequence[str] | None = None
) -> bytes:
    """Make the content only of the file that :func:`split_file` makes."""
    return split_file(folds, data, form, kind=kind, fold_names=fold_names)[1]


def rows_of_file(data: MultilabelDataset) -> RowNumbers:
    """Give the number of each row in the file that the data come from."""
    kept = None if data.reading is None else data.reading.kept_rows
    if kept is None:
        return np.arange(data.n_rows)
    if len(kept) != data.n_rows:
        msg = f"The data has {data.n_rows:,} rows, but {len(kept):,} were kept of its file; load it again."
        raise FoldAssignmentError(msg)
    return np.asarray(kept, dtype=np.int64)


def train_and_test(
    folds: FoldArray, kind: Kind, n_splits: int, names: Sequence[str] | None = None
) -> dict[str, dict[str, RowNumbers]]:
    """Give the rows of each part: of each fold's two, or of all."""
    if kind == "parts":
        parts = np.maximum(folds, 0)
        return {"": {name: np.flatnonzero(parts == part) for part, name in enumerate(names or part_names(n_splits))}}
    return {
        f"fold_{fold}": {"train": np.flatnonzero(folds != fold), "test": np.flatnonzero(folds == fold)}
        for fold in range(n_splits)
    }


def _lists(
    folds: FoldArray, data: MultilabelDataset, kind: Kind, n_splits: int, names: Sequence[str] | None
) -> dict[str, Any]:
    numbers = rows_of_file(data)
    lists = {
        key: {name: numbers[rows].tolist() for name, rows in parts.items()}
        for key, parts in train_and_test(folds, kind, n_splits, names).items()
    }
    return lists[""] if kind == "parts" else lists


def _json(document: Any) -> bytes:
    return (json.dumps(document) + "\n").encode()


def _python(folds: FoldArray, data: MultilabelDataset, kind: Kind, n_splits: int) -> str:
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
        return "\n".join([*lines, ""])
    names = part_names(n_splits)
    named = ", ".join(f"{part} {name}" for part, name in enumerate(names))
    lines += [f"# the part of each row: {named}", _array("parts", np.maximum(folds, 0))]
    lines += [f"{name} = np.flatnonzero(parts == {part})" for part, name in enumerate(names)]
    if is_whole:
        lines.append("cv = PredefinedSplit(np.where(parts == 0, -1, 0))")
    else:
        lines.append(f"cv = [(train, {names[1]})]  # {', '.join(names[2:])}: for the end")
    return "\n".join([*lines, ""])


def _array(name: str, values: Any) -> str:
    """Write an array as Python, in lines of a hundred characters or so."""
    texts = list(map(str, values.tolist()))
    per_line = max(1, 100 // (max(map(len, texts), default=1) + 2))
    text = io.StringIO()
    text.write(f"{name} = np.array([\n")
    for start in range(0, len(texts), per_line):
        text.write(f"    {', '.join(texts[start : start + per_line])},\n")
    text.write("])\n")
    return text.getvalue()
