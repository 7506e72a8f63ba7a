"""Writing down how a split was made."""

from __future__ import annotations

import hashlib
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from optisplit.errors import OptionError
from optisplit.folds.arrays import as_folds
from optisplit.folds.constraints import as_fold_sizes
from optisplit.io.encoding.encode import Balance
from optisplit.io.rows import groups_of
from optisplit.io.samples import SAMPLES
from optisplit.io.source import read_source
from optisplit.labels import EDITS, as_dataset
from optisplit.measures.registry import objectives
from optisplit.measures.report import evaluate
from optisplit.methods.api import choose_n_splits
from optisplit.methods.base import get_method
from optisplit.methods.rare import DEFAULT_RARE, in_todays_words
from optisplit.methods.recipe_fields import OPTION_TYPES, Options, ReadingOptions
from optisplit.methods.recipes import Recipe
from optisplit.methods.stamps import DataStamp, folds_digest, rows_digest, versions

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from optisplit.labels import MultilabelDataset


def make_recipe(
    data: MultilabelDataset,
    folds: Any,
    *,
    method: str,
    seed: int,
    n_splits: int | None = None,
    fold_sizes: Any = None,
    options: Mapping[str, Any] | None = None,
    groups: Any = None,
    fixed: Any = None,
    groups_from: str = "",
    fixed_from: str = "",
    balance: Any = None,
    source: str | os.PathLike[str] | None = None,
) -> Recipe:
    """Write down how a split was made.

    Parameters
    ----------
    data : MultilabelDataset
        The data.
    folds : array-like of shape (n_rows,)
        The split that came out.
    method : str
        Key of the method.
    seed : int
        The random_state.
    n_splits : int, optional
        Number of folds; default: as many as `fold_sizes`, otherwise as the folds have.
    fold_sizes : array-like of shape (n_splits,), optional
        Sizes of the parts, where they were given.
    options : mapping of str, optional
        The method's own options, such as ``measure``.
    groups, fixed : array-like of shape (n_rows,), optional
        The groups and the fixed rows, where they were given.
    groups_from, fixed_from : str, optional
        Where these come from, such as ``patients.csv:patient``.
    balance : object, optional
        What was balanced beside the labels, where it was given. Columns of the data's table are written down with what
        was made of them; of other tables only a digest is.
    source : str or PathLike, optional
        What was loaded: the key of a sample, or the data's file. Default: the file's name only, where it is known.

    Returns
    -------
    Recipe
        The recipe.

    Raises
    ------
    FoldAssignmentError
        If the folds do not fit the data.
    OptionError
        If the method is unknown or does not take an option, or the seed or an option cannot be written down.

    Examples
    --------
    >>> import optisplit
    >>> data = optisplit.load("emotions")
    >>> folds = optisplit.split(data, 5, method="random", random_state=0)
    >>> recipe = make_recipe(data, folds, method="random", seed=0, source="emotions")
    >>> bool((recipe.split(recipe.load()) == folds).all())
    True
    """
    data = as_dataset(data)
    given = {name: value for name, value in (options or {}).items() if value is not None}
    given = in_todays_words(given, stacklevel=2)
    _check(method, seed, given)
    sizes = None if fold_sizes is None else tuple(as_fold_sizes(fold_sizes).tolist())
    if n_splits is None and sizes is None:
        _, n_splits = as_folds(folds, data.n_rows)
    n_splits = choose_n_splits(data.n_rows, n_splits, sizes)
    array, _ = as_folds(folds, data.n_rows, n_splits)
    report = evaluate(data, array, n_splits=n_splits)
    scores = {name: float(getattr(report, name)) for name in objectives()}
    called, sha256, reading = _origin(data, source)
    groups = groups_of(groups, data)
    beside = Balance.of(data, balance)
    return Recipe(
        data=DataStamp.of(data),
        method=method,
        seed=int(seed),
        n_splits=n_splits,
        folds=folds_digest(array),
        fold_sizes=sizes,
        options=cast("Options", _with_rare(method, given)),
        groups="" if groups is None else rows_digest("groups", groups, data.n_rows, n_splits),
        fixed="" if fixed is None else rows_digest("fixed", fixed, data.n_rows, n_splits),
        groups_from=groups_from or getattr(groups, "origin", ""),
        fixed_from=fixed_from,
        balance={} if beside is None else {each.column: cast("Any", each.settings) for each in beside.columns},
        balanced="" if beside is None else beside.targets.digest,
        source=called,
        sha256=sha256,
        reading=reading,
        scores={name: score if math.isfinite(score) else None for name, score in scores.items()},
        versions=versions(method),
    )


def _with_rare(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """Write down the choice for rare labels: a recipe without it is from before there was one."""
    return {"rare": DEFAULT_RARE} | options if "rare" in get_method(method).options else options


def _check(method: str, seed: int, options: Mapping[str, Any]) -> None:
    """Refuse what cannot be written down."""
    for name, value in options.items():
        if name not in OPTION_TYPES or type(value) is not OPTION_TYPES[name]:
            msg = f"The option {name!r} with a value of type {type(value).__name__} has no place in a recipe."
            raise OptionError(msg)
    get_method(method).check_options(options)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        msg = f"A recipe needs a whole number from 0 for a seed, got {seed!r}."
        raise OptionError(msg)


def _origin(data: MultilabelDataset, source: str | os.PathLike[str] | None) -> tuple[str, str, ReadingOptions]:
    """Give the name and digest of the data's file, and how it was read."""
    read = data.reading
    options = {} if read is None else read.options
    reading, edits = (
        cast("ReadingOptions", {key: options[key] for key in keys if key in options})
        for keys in (ReadingOptions.__annotations__, EDITS)
    )
    if source is None:
        return ("" if read is None else read.file_name), _digest_of(None if read is None else read.file), reading
    if isinstance(source, str) and source in SAMPLES:
        return source, "", edits
    path = Path(source)
    read_source(path)  # refuses what is no file in the words of all readers
    return path.name, _digest_of(path), reading


def _digest_of(file: Path | bytes | None) -> str:
    """Give the digest of a file, or of its bytes; none where it is not there, or a folder."""
    if not file or (isinstance(file, Path) and not file.is_file()):
        return ""
    with io.BytesIO(file) if isinstance(file, bytes) else file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
