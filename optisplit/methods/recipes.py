"""Recipes: all that is needed to make a split again, and to know that it is the same."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import math
import os
import platform
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, SplitWarning, listed
from optisplit.io.target import write_file
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.source import FileLike, OnProgress
    from optisplit.labels import MultilabelDataset
    from optisplit.methods.base import ProgressCallback

VERSION = 1
"""Of the form that recipes have in JSON."""

MAX_BYTES = 10_000_000
"""Larger files are not read as recipes."""

_OPTION_TYPES: dict[str, type] = {
    "measure": str, "effort": str, "max_epochs": int, "ties": str, "balance_pairs": bool, "cover_rare": bool,
}  # fmt: skip
_LOAD_OPTIONS = ("label_columns", "format", "layout", "label_separator", "missing")
_DIGEST_NAMES = {"labels": "labels", "names": "label names", "row_ids": "row ids"}
_PEERS = {
    "skml-is": "scikit-multilearn", "skml-sois": "scikit-multilearn", "iterstrat": "iterative-stratification",
}  # fmt: skip


@dataclass(frozen=True)
class DataStamp:
    """What tells a data set from others."""

    name: str  # what it is called
    n_rows: int  # its size
    n_labels: int  # its size
    # hexadecimal digests of the label matrix, the label names and the row ids; the last is empty where there are none
    labels: str
    # hexadecimal digests of the label matrix, the label names and the row ids; the last is empty where there are none
    names: str
    # hexadecimal digests of the label matrix, the label names and the row ids; the last is empty where there are none
    row_ids: str = ""

    @classmethod
    def of(cls, data: MultilabelDataset) -> DataStamp:
        """Make the stamp of a data set."""
        matrix = hashlib.sha256()
        for array in (data.labels.indptr, data.labels.indices):
            for start in range(0, len(array), 1 << 20):
                matrix.update(array[start : start + (1 << 20)].astype("<i8").tobytes())
        ids = "" if data.row_ids is None else _digest(*data.row_ids)
        return cls(data.name, data.n_rows, data.n_labels, matrix.hexdigest()[:32], _digest(*data.label_names), ids)

    def differences(self, other: DataStamp) -> list[str]:
        """Say in what another data set differs."""
        told = [
            f"{then:,} {what} then, {now:,} now"
            for what, then, now in (
                ("rows", self.n_rows, other.n_rows),
                ("labels", self.n_labels, other.n_labels),
            )
            if then != now
        ]
        same_shape = not told
        if self.names != other.names and self.n_labels == other.n_labels:
            told.append("other label names, or in another order")
        if self.labels != other.labels and same_shape:
            told.append("other labels on some rows, or rows or labels in another order")
        if self.row_ids and other.row_ids and self.row_ids != other.row_ids and self.n_rows == other.n_rows:
            told.append("other row ids, or in another order")
        return told


@dataclass(frozen=True)
class Recipe:
    """All that is needed to make a split again. Make one with :func:`make_recipe`.

    Parameters
    ----------
    data : DataStamp
        What tells the data from others.
    method : str
        Key of the method.
    seed : int
        The random_state.
    n_splits : int
        Number of folds.
    folds : str
        Hexadecimal digest of the folds.
    fold_sizes : tuple of int or float, or None
        Sizes of the parts, where given.
    options : dict of str to object
        The method's own options.
    groups, fixed : str
        Hexadecimal digests of the groups and of the fixed rows; empty where there are none.
    groups_from, fixed_from : str
        Where these come from: a file, or ``FILE:COLUMN``.
    source : str
        Key of the sample, or name of the file that the data come from; empty where that is not known.
    sha256 : str
        Hexadecimal digest of that file; empty where not known.
    reading : dict of str to object
        Arguments of :func:`optisplit.load` that read the file in the same way.
    scores : dict of str to float or None
        rLD, DCP and LD of the split; None where one is not defined.
    versions : dict of str to str
        Versions of all that has a say in the folds.
    """

    data: DataStamp
    method: str
    seed: int
    n_splits: int
    folds: str
    fold_sizes: tuple[int | float, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    groups: str = ""
    fixed: str = ""
    groups_from: str = ""
    fixed_from: str = ""
    source: str = ""
    sha256: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, float | None] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Write the recipe as JSON.

        Returns
        -------
        str
            The text; the same recipe, the same text.
        """
        document = {"optisplit_recipe": VERSION, **asdict(self)}
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the recipe to a file.

        Parameters
        ----------
        path : str or PathLike
            The file.

        Raises
        ------
        OptionError
            If it cannot be written.
        """
        write_file(path, self.to_json())

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """Read a recipe from JSON. Nothing in it is run, whatever it says.

        Parameters
        ----------
        text : str or bytes
            The text.

        Returns
        -------
        Recipe
            The recipe.

        Raises
        ------
        FormatError
            If it is no recipe, or one of another version.
        """
        return _read(text)

    @classmethod
    def read(cls, source: FileLike) -> Recipe:
        """Read a recipe from a file.

        Parameters
        ----------
        source : path or binary file object
            The file.

        Returns
        -------
        Recipe
            The recipe.

        Raises
        ------
        FormatError
            If it is no recipe, or one of another version.
        """
        from optisplit.io.source import read_source

        opened = read_source(source)
        if opened.n_bytes > MAX_BYTES:
            msg = f"{opened.name!r} is too large for a recipe."
            raise FormatError(msg)
        return _read(opened.data)

    def load(self, source: FileLike | None = None, *, on_progress: OnProgress | None = None) -> MultilabelDataset:
        """Load the data as they were read for the recipe.

        Parameters
        ----------
        source : path or binary file object, optional
            The file; default: the sample, or the file of that name in the current folder.
        on_progress : callable, optional
            Told how far the reading is.

        Returns
        -------
        MultilabelDataset
            The data; whether they are the same is checked when they are split.

        Raises
        ------
        FormatError
            If the file cannot be read.
        OptionError
            If it is not known what the data come from.

        Warns
        -----
        SplitWarning
            If the file has changed since; whether its labels have is checked when they are split.
        """
        from optisplit.io.samples import SAMPLES, load

        given: FileLike = self.source if source is None else source
        if isinstance(given, str) and not given:
            msg = f"The recipe does not say which file the data {self.data.name!r} come from; give it."
            raise OptionError(msg)
        if isinstance(given, str) and given in SAMPLES:
            return load(given)
        if source is None and os.path.basename(self.source) != self.source:
            msg = (
                f"The recipe names the file {clean_name(self.source, 60)!r}, which is more than a name; give the file."
            )
            raise OptionError(msg)
        if self.sha256 and isinstance(given, str | os.PathLike) and os.path.isfile(given):
            with open(given, "rb") as file:
                is_same = hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
            if not is_same:
                msg = f"{os.path.basename(given)!r} is not byte for byte the file of the recipe; its labels may be."
                warnings.warn(msg, SplitWarning, stacklevel=2)
        return load(given, on_progress=on_progress, **self.reading)

    def split(
        self,
        data: MultilabelDataset,
        *,
        groups: Any = None,
        fixed: Any = None,
        differing: Literal["error", "warn"] = "error",
        on_progress: ProgressCallback | None = None,
    ) -> FoldArray:
        """Make the split again, and check that it is the same.

        Parameters
        ----------
        data : MultilabelDataset
            The data.
        groups : array-like of shape (n_rows,), optional
            The groups, where there were any.
        fixed : array-like of shape (n_rows,), optional
            The fixed rows, where there were any.
        differing : {"error", "warn"}, default="error"
            What to do if the folds are not the same.
        on_progress : callable, optional
            Called as ``on_progress(done, total, score)``; may raise to stop.

        Returns
        -------
        ndarray of shape (n_rows,), dtype int32
            The folds.

        Raises
        ------
        OptionError
            If the data, groups or fixed rows are not the same, or the method is not known here.
        FoldAssignmentError
            If the folds came out other than they were, unless they may.

        Warns
        -----
        SplitWarning
            If the folds came out other than they were, and they may.
        """
        from optisplit.labels import as_dataset
        from optisplit.methods import split

        if differing not in ("error", "warn"):
            what = "choice for differing"
            raise OptionError.unknown(what, str(differing), ("error", "warn"))
        data = as_dataset(data)
        told = self.data.differences(DataStamp.of(data))
        if told:
            msg = f"These are not the data of the recipe ({clean_name(self.data.name, 60)!r}): {'; '.join(told)}."
            raise OptionError(msg)
        self._check_rows("groups", self.groups, groups, self.groups_from, data.n_rows)
        self._check_rows("fixed", self.fixed, fixed, self.fixed_from, data.n_rows)
        folds = split(
            data,
            self.n_splits,
            method=self.method,
            fold_sizes=None if self.fold_sizes is None else list(self.fold_sizes),
            groups=groups,
            fixed=fixed,
            random_state=self.seed,
            on_progress=on_progress,
            **self.options,
        )
        if folds_digest(folds) != self.folds:
            self._tell(differing)
        return folds

    def other_versions(self) -> dict[str, tuple[str, str]]:
        """Compare the versions in the recipe with those in use.

        Returns
        -------
        dict of str to tuple of (str, str)
            What has another version now: the version then, and now; empty for "not there".
        """
        now = _versions(self.method)
        return {
            name: (self.versions.get(name, ""), now.get(name, ""))
            for name in dict.fromkeys((*self.versions, *now))
            if self.versions.get(name) != now.get(name)
        }

    def _check_rows(self, what: str, digest: str, given: Any, origin: str, n_rows: int) -> None:
        come = f" (from {clean_name(origin, 60)})" if origin else ""
        if given is None and digest:
            msg = f"The split was made with {what}{come}, so they must be given again."
            raise OptionError(msg)
        if given is None:
            return
        if not digest:
            msg = f"The split was made without {what}, so none can be given."
            raise OptionError(msg)
        if _rows_digest(what, given, n_rows, self.n_splits) != digest:
            msg = f"These are not the {what} of the recipe{come}: they differ for at least one row."
            raise OptionError(msg)

    def _tell(self, differing: str) -> None:
        other = [f"{name} {then or 'was not there'}, now {now or 'not there'}"
                 for name, (then, now) in self.other_versions().items()]  # fmt: skip
        why = f"Other versions than then: {'; '.join(other)}." if other else "All versions are the same as then."
        msg = f"The folds of {self.method!r}, seed {self.seed}, came out other than they were. {why}"
        if differing == "error":
            raise FoldAssignmentError(msg)
        warnings.warn(msg, SplitWarning, stacklevel=3)


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
    from optisplit.folds.arrays import as_folds
    from optisplit.folds.constraints import as_fold_sizes
    from optisplit.labels import as_dataset
    from optisplit.measures.report import evaluate
    from optisplit.methods import get_method
    from optisplit.methods.api import choose_n_splits

    data = as_dataset(data)
    given = {name: value for name, value in (options or {}).items() if value is not None}
    for name, value in given.items():
        if name not in _OPTION_TYPES or type(value) is not _OPTION_TYPES[name]:
            msg = f"The option {name!r} with a value of type {type(value).__name__} has no place in a recipe."
            raise OptionError(msg)
    get_method(method).check_options(given)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        msg = f"A recipe needs a whole number from 0 for a seed, got {seed!r}."
        raise OptionError(msg)
    sizes = None if fold_sizes is None else tuple(as_fold_sizes(fold_sizes).tolist())
    if n_splits is None and sizes is None:
        _, n_splits = as_folds(folds, data.n_rows)
    n_splits = choose_n_splits(data.n_rows, n_splits, sizes)
    array, _ = as_folds(folds, data.n_rows, n_splits)
    report = evaluate(data, array, n_splits=n_splits)
    scores = {name: _number(getattr(report, name)) for name in ("rld", "dcp", "ld")}
    called, sha256, reading = _origin(data, source)
    return Recipe(
        data=DataStamp.of(data),
        method=method,
        seed=int(seed),
        n_splits=n_splits,
        folds=folds_digest(array),
        fold_sizes=sizes,
        options=given,
        groups="" if groups is None else _rows_digest("groups", groups, data.n_rows, n_splits),
        fixed="" if fixed is None else _rows_digest("fixed", fixed, data.n_rows, n_splits),
        groups_from=groups_from,
        fixed_from=fixed_from,
        source=called,
        sha256=sha256,
        reading=reading,
        scores=scores,
        versions=_versions(method),
    )


def folds_digest(folds: FoldArray) -> str:
    """Give a number that is equal where folds are."""
    return hashlib.sha256(np.asarray(folds).astype("<i4").tobytes()).hexdigest()[:32]


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _rows_digest(what: str, given: Any, n_rows: int, n_splits: int) -> str:
    from optisplit.folds.constraints import as_groups, check_places

    if what == "groups":
        codes, _ = as_groups(given, n_rows)
    else:
        codes = check_places(given, n_rows, n_splits)
    return hashlib.sha256(np.asarray(codes).astype("<i4").tobytes()).hexdigest()[:32]


def _number(value: Any) -> float | None:
    number = float(value)
    return number if math.isfinite(number) else None


def _origin(data: MultilabelDataset, source: str | os.PathLike[str] | None) -> tuple[str, str, dict[str, Any]]:
    """Give the name and digest of the data's file, and how it was read."""
    from optisplit.io.samples import SAMPLES
    from optisplit.io.source import read_source

    read = data.reading
    options = {} if read is None else read.options
    reading = {key: options[key] for key in _LOAD_OPTIONS if key in options}
    if source is None:
        return ("" if read is None else read.file_name), "", reading
    if isinstance(source, str) and source in SAMPLES:
        return source, "", {}
    path = Path(source)
    read_source(path)  # refuses what is no file in the words of all readers
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return path.name, sha256, reading


def _versions(method: str) -> dict[str, str]:
    """Give the versions of what has a say in the folds."""
    packages = ["numpy", "scipy", "numba", *([_PEERS[method]] if method in _PEERS else [])]
    found = {"optisplit": str(importlib.import_module("optisplit").__version__), "python": platform.python_version()}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _read(text: str | bytes) -> Recipe:
    """Check every part of a recipe before it is used."""
    if len(text) > MAX_BYTES:
        msg = "This is too large for a recipe."
        raise FormatError(msg)
    try:
        document = json.loads(text, parse_constant=_no_number)
        json.dumps(document, ensure_ascii=False).encode()  # halves of characters are no text
    except (ValueError, RecursionError) as error:
        msg = f"This is no recipe, since it is no JSON: {clean_name(error, 100)}."
        raise FormatError(msg) from error
    if not isinstance(document, dict) or "optisplit_recipe" not in document:
        msg = "This is no recipe: it needs the key 'optisplit_recipe'."
        raise FormatError(msg)
    version = document.pop("optisplit_recipe")
    if version != VERSION or isinstance(version, bool):
        shown = clean_name(version, 20)
        msg = f"This recipe has the version {shown!r}, but {VERSION} is read here; a newer OptiSplit may read it."
        raise FormatError(msg)
    unknown = [key for key in document if key not in _FIELDS]
    if unknown:
        msg = f"A recipe has no key {listed([clean_name(key, 40) for key in unknown])}."
        raise FormatError(msg)
    absent = [key for key, (_, is_needed) in _FIELDS.items() if is_needed and key not in document]
    if absent:
        msg = f"The recipe lacks {listed(absent)}."
        raise FormatError(msg)
    values = {key: _FIELDS[key][0](key, value) for key, value in document.items()}
    return Recipe(**values)


def _no_number(text: str) -> None:
    msg = f"{text} is no number in JSON"
    raise ValueError(msg)


def _wrong(key: str, needed: str, value: object) -> FormatError:
    msg = f"The recipe's {key} must be {needed}, got {clean_name(repr(value)[:200], 60)}."
    return FormatError(msg)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > 10_000:
        raise _wrong(key, "a text", value)
    return value


def _whole(key: str, value: Any, lowest: int = 0, limit: int = 1 << 128) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value < limit:
        needed = f"a whole number from {lowest}"
        raise _wrong(key, needed, value)
    return value


def _n_splits(key: str, value: Any) -> int:
    return _whole(key, value, 2)


def _sizes(key: str, value: Any) -> tuple[int | float, ...] | None:
    if value is None:
        return None
    are_numbers = isinstance(value, list) and all(
        isinstance(each, int | float) and not isinstance(each, bool) and 0 <= each < 1 << 53 for each in value
    )
    if not are_numbers or not value:
        raise _wrong(key, "a list of numbers", value)
    return tuple(value)


def _stamp(key: str, value: Any) -> DataStamp:
    if not isinstance(value, dict) or set(value) != {"name", "n_rows", "n_labels", "labels", "names", "row_ids"}:
        raise _wrong(key, "an object with name, n_rows, n_labels, labels, names and row_ids", value)
    read: dict[str, Any] = {part: (_whole if part in ("n_rows", "n_labels") else _text)(f"{key}.{part}", each)
                            for part, each in value.items()}  # fmt: skip
    return DataStamp(**read)


def _options(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(key, "an object", value)
    for name, each in value.items():
        if name not in _OPTION_TYPES:
            needed = f"options out of {', '.join(_OPTION_TYPES)}"
            raise _wrong(key, needed, name)
        if type(each) is not _OPTION_TYPES[name]:
            called, needed = f"{key}.{name}", f"of type {_OPTION_TYPES[name].__name__}"
            raise _wrong(called, needed, each)
        if isinstance(each, int):
            _whole(f"{key}.{name}", int(each), 0, 1 << 31)
    return value


def _reading(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(key, "an object", value)
    for name, each in value.items():
        if name not in _LOAD_OPTIONS:
            needed = f"options out of {', '.join(_LOAD_OPTIONS)}"
            raise _wrong(key, needed, name)
        if name == "label_columns":
            is_fine = (isinstance(each, int) and not isinstance(each, bool)) or (
                isinstance(each, list) and all(isinstance(column, str) for column in each)
            )
        else:
            is_fine = isinstance(each, str)
        if not is_fine:
            called = f"{key}.{name}"
            raise _wrong(called, "what optisplit.load takes", each)
    return value


def _scores(key: str, value: Any) -> dict[str, float | None]:
    if not isinstance(value, dict) or not all(
        each is None or (isinstance(each, int | float) and not isinstance(each, bool) and abs(each) < 1e300)
        for each in value.values()
    ):
        raise _wrong(key, "an object of numbers", value)
    return value


def _texts(key: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise _wrong(key, "an object of texts", value)
    return value


_FIELDS: dict[str, tuple[Any, bool]] = {
    "data": (_stamp, True),
    "method": (_text, True),
    "seed": (_whole, True),
    "n_splits": (_n_splits, True),
    "folds": (_text, True),
    "fold_sizes": (_sizes, False),
    "options": (_options, False),
    "groups": (_text, False),
    "fixed": (_text, False),
    "groups_from": (_text, False),
    "fixed_from": (_text, False),
    "source": (_text, False),
    "sha256": (_text, False),
    "reading": (_reading, False),
    "scores": (_scores, False),
    "versions": (_texts, False),
}
"""How each part of a recipe is checked, and whether it must be there."""
