"""Recipes: all that is needed to make a split again, and to know that it is the same."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from annotated_types import Ge, Lt, MinLen

from optisplit.errors import FoldAssignmentError, FormatError, OptionError, SplitWarning
from optisplit.io.encoding.encode import Balance
from optisplit.io.rows import groups_of, own_groups
from optisplit.io.samples import SAMPLES, load
from optisplit.io.source import read_source
from optisplit.io.target import write_file
from optisplit.labels import EDITS, as_dataset
from optisplit.methods.api import split
from optisplit.methods.base import METHODS
from optisplit.methods.recipe_fields import BalanceSettings, Options, ReadingOptions, Text, Whole
from optisplit.methods.stamps import STRICT, DataStamp, folds_digest, rows_digest, versions
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
        Where these come from: a file, ``FILE:COLUMN``, or a column of the data.
    balance : dict of str to dict
        Columns of the data's table that are balanced beside the labels, and what is made of each.
    balanced : str
        Hexadecimal digest of what is balanced beside the labels; empty where nothing is.
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

    __pydantic_config__: ClassVar[dict[str, object]] = STRICT

    data: DataStamp
    method: Text
    seed: Whole
    n_splits: Annotated[Whole, Ge(2)]
    folds: Text
    fold_sizes: Annotated[tuple[Annotated[int | float, Ge(0), Lt(1 << 53)], ...], MinLen(1)] | None = None
    options: Options = field(default_factory=Options)
    groups: Text = ""
    fixed: Text = ""
    groups_from: Text = ""
    fixed_from: Text = ""
    balance: dict[Text, BalanceSettings] = field(default_factory=dict)
    balanced: Text = ""
    source: Text = ""
    sha256: Text = ""
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    scores: dict[str, float | None] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

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
        return _structure(text)

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
        opened = read_source(source)
        if opened.n_bytes > MAX_BYTES:
            msg = f"{opened.name!r} is too large for a recipe."
            raise FormatError(msg)
        return _structure(opened.data)

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
        given: FileLike = self.source if source is None else source
        if isinstance(given, str) and not given:
            msg = f"The recipe does not say which file the data {self.data.name!r} come from; give it."
            raise OptionError(msg)
        if isinstance(given, str) and given in SAMPLES:
            reading = cast("dict[str, Any]", self.reading)
            return load(given, **{key: reading[key] for key in EDITS if key in reading})
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
        return load(given, on_progress=on_progress, **cast("dict[str, Any]", self.reading))

    def split(
        self,
        data: MultilabelDataset,
        *,
        groups: Any = None,
        fixed: Any = None,
        balance: Any = None,
        differing: Literal["error", "warn"] = "error",
        on_progress: ProgressCallback | None = None,
    ) -> FoldArray:
        """Make the split again, and check that it is the same.

        Parameters
        ----------
        data : MultilabelDataset
            The data.
        groups : array-like of shape (n_rows,), str or path, optional
            The groups, where there were any; default: the column of the data that they came from, if it was one.
        fixed : array-like of shape (n_rows,), optional
            The fixed rows, where there were any.
        balance : object, optional
            What is balanced beside the labels, where that is a table that is not part of the data.
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
            If the data, groups, fixed rows or balanced columns are not the same, or the method is not known here.
        FoldAssignmentError
            If the folds came out other than they were, unless they may.

        Warns
        -----
        SplitWarning
            If the folds came out other than they were, and they may.
        """
        if differing not in ("error", "warn"):
            what = "choice for differing"
            raise OptionError.unknown(what, str(differing), ("error", "warn"))
        data = as_dataset(data)
        told = self.data.differences(DataStamp.of(data))
        if told:
            msg = f"These are not the data of the recipe ({clean_name(self.data.name, 60)!r}): {'; '.join(told)}."
            raise OptionError(msg)
        groups = groups_of(groups, data)
        if groups is None and self.groups and (own := own_groups(data, self.groups_from)) is not None:
            groups = own.values
        self._check_rows("groups", self.groups, groups, self.groups_from, data.n_rows)
        self._check_rows("fixed", self.fixed, fixed, self.fixed_from, data.n_rows)
        folds = split(
            data,
            self.n_splits,
            method=self.method,
            fold_sizes=None if self.fold_sizes is None else list(self.fold_sizes),
            groups=groups,
            fixed=fixed,
            balance=self.find_balance(data, balance),
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
        now = versions(self.method)
        return {
            name: (self.versions.get(name, ""), now.get(name, ""))
            for name in dict.fromkeys((*self.versions, *now))
            if self.versions.get(name) != now.get(name)
        }

    def find_balance(self, data: MultilabelDataset, given: Any = None) -> Balance | None:
        """Find what is balanced beside the labels, and check that it is the same.

        Parameters
        ----------
        data : MultilabelDataset
            The data.
        given : object, optional
            What is balanced, where that is a table that is not part of the data.

        Returns
        -------
        Balance or None
            What :func:`optisplit.split` takes as `balance`; None where nothing is balanced beside the labels.

        Raises
        ------
        OptionError
            If it is not there, or not the same.
        """
        if given is None and self.balanced and not self.balance:
            msg = "The split was made with a table of columns to balance, so it must be given again."
            raise OptionError(msg)
        if given is not None and not self.balanced:
            msg = "The split was made without columns to balance beside the labels, so none can be given."
            raise OptionError(msg)
        found = Balance.of(data, given if given is not None else self.balance or None)
        if found is not None and found.targets.digest != self.balanced:
            msg = "The columns to balance are not those of the recipe: they differ for at least one row."
            raise OptionError(msg)
        return found

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
        if rows_digest(what, given, n_rows, self.n_splits) != digest:
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


def _structure(text: str | bytes) -> Recipe:
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
    _date_up(document)
    import pydantic  # takes as long to load as all the rest, and few read recipes

    try:
        return pydantic.TypeAdapter(Recipe).validate_json(json.dumps(document))
    except pydantic.ValidationError as error:
        raise _wrong(error.errors()[0]) from error


def _date_up(document: dict[str, Any]) -> None:
    """Say `rare` in a recipe from before there was that choice: rare labels were put everywhere, unless told not to."""
    method, options = METHODS.get(str(document.get("method"))), document.setdefault("options", {})
    if method is None or "rare" not in method.options or not isinstance(options, dict) or "rare" in options:
        return
    if isinstance(options.get("cover_rare", True), bool):
        options["rare"] = "cover" if options.pop("cover_rare", True) else "score"


def _no_number(text: str) -> None:
    msg = f"{text} is no number in JSON"
    raise ValueError(msg)


def _wrong(found: Mapping[str, Any]) -> FormatError:
    """Say what is wrong with a part of a recipe."""
    key = ".".join(map(str, found["loc"]))
    if found["type"] == "missing":
        return FormatError(f"The recipe lacks {key!r}.")
    if found["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        return FormatError(f"A recipe has no key {clean_name(key, 40)!r}.")
    given, rule = clean_name(repr(found["input"])[:200], 60), found["msg"].lower().removeprefix("input ")
    return FormatError(f"The recipe's {clean_name(key, 80)} {rule}, got {given}.")
