"""Labels that are missing from a fold or from training rows, and whether that could have been helped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.comparison.lacking import find_lacking
from optisplit.errors import argument
from optisplit.folds.arrays import ALWAYS_TRAIN, as_folds
from optisplit.io.rows import groups_of
from optisplit.io.splits.assembly import as_split
from optisplit.io.splits.base import SplitFile
from optisplit.labels import as_dataset
from optisplit.measures.counting import count_positives_per_fold
from optisplit.measures.missing import too_few_words
from optisplit.methods.rare import RARE
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix, MultilabelDataset

POSSIBLE = "possible for this label alone"
NOT_DUE = "too few rows for its share there"

Cause: TypeAlias = Literal[
    "possible", "few", "fixed", "groups", "empty", "due", "kept", "no training", "one fold", "pairs"
]

_WORDS: dict[Cause, str] = {
    "possible": POSSIBLE,
    "few": "{rows} with it, for {folds}",
    "fixed": "with the fixed rows where they are, it can be in at most {n_reached} of {folds}",
    "groups": "its {rows} are in {groups}, for {folds}",
    "empty": "a {noun} has no row",
    "due": NOT_DUE,
    "kept": "its {rows_are} always in training",
    "no training": "no row with it is in {training!r}",
    "one fold": "all its rows are in this fold",
    "pairs": "none of its rows is in the training rows",
}
"""Why a label is missing, in words."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A label that is missing from folds, and why."""

    label: int  # its column
    positives: int  # rows in the folds that carry it
    folds: tuple[int, ...]  # the folds without it
    n_unavoidable: int  # how many folds any split would have left without it
    cause: Cause  # why it is missing from these
    n_groups: int = 0  # groups that these rows are in
    n_reached: int = 0  # folds that it can be in
    n_drawn: int = 0  # folds that it could be in, but need not: it has too few rows for its share there

    @property
    def n_helpable(self) -> int:
        """Folds that it could be in."""
        return len(self.folds) - self.n_unavoidable

    @property
    def n_due(self) -> int:
        """Folds that should have it: it could be there, and would be where each has what is due to it."""
        return self.n_helpable - self.n_drawn

    def why(self, noun: str, n_splits: int, training: str) -> str:
        """Say in words why; `noun` is what a fold is called, `training` the part that models are trained on."""
        said = _WORDS[self.cause].format(
            rows=counted(self.positives, "row"), rows_are=counted(self.positives, "row", "is"), noun=noun,
            folds=counted(n_splits, noun), groups=counted(self.n_groups, "group"), n_reached=self.n_reached,
            training=training,
        )  # fmt: skip
        if self.cause in ("possible", "due") or not 0 < self.n_helpable < len(self.folds):
            return said
        more = f"{said}; in {counted(self.n_helpable, noun)} more"
        return f"{more} it is {POSSIBLE}" if self.n_due else f"{more}, {NOT_DUE}"


def find_missing(
    data: MultilabelDataset, folds: FoldArray, n_splits: int, *, groups: Any = None, fixed: Any = None
) -> list[Missing]:
    """List the labels without a positive in some fold: those that could be in more folds first, then the largest."""
    lacking = find_lacking(data, folds, n_splits, groups=groups, fixed=fixed)
    if_enough: Cause = "fixed" if lacking.is_any_fixed else "empty" if groups is None else "groups"
    columns = (lacking.labels, lacking.carriers, lacking.n_reached, lacking.n_drawn, lacking.n_helpable)
    found = []
    for counts, label, carriers, reached, drawn, helpable in zip(
        lacking.counts.T, *(column.tolist() for column in columns), strict=True
    ):
        size = int(counts.sum(dtype=np.int64))
        cause: Cause = "possible" if reached == n_splits else "few" if size < n_splits else if_enough
        cause = "due" if cause == "possible" and drawn == helpable else cause
        without = tuple(np.flatnonzero(counts == 0).tolist())
        found.append(Missing(label, size, without, n_splits - reached, cause, carriers, reached, drawn))
    return sorted(found, key=lambda each: (-each.n_helpable, -each.positives, each.label))


def find_untestable(data: MultilabelDataset, split: SplitFile, missing: Iterable[Missing]) -> list[Missing]:
    """Pick the labels that are missing from parts that models are tested on, in these parts."""
    found = []
    for each in missing:
        parts = tuple(part for part in each.folds if part in split.tested)
        if parts:
            n_helpable = min(len(parts), max(0, each.n_helpable))
            n_drawn = min(each.n_drawn, n_helpable)
            found.append(replace(each, folds=parts, n_unavoidable=len(parts) - n_helpable, n_drawn=n_drawn))
    is_kept = (split.folds < 0) & ~split.is_missing
    if is_kept.any():
        places = np.where(is_kept, 1, np.where(split.is_missing, ALWAYS_TRAIN, 0)).astype(np.int32)
        in_parts, kept = count_positives_per_fold(data.labels, places, 2)
        found += [
            Missing(int(label), int(kept[label]), split.tested, len(split.tested), "kept")
            for label in np.flatnonzero((in_parts == 0) & (kept > 0))
        ]
    return found


def find_untrainable(data: MultilabelDataset, split: SplitFile, counts: NDArray[Any]) -> list[Missing]:
    """List the labels that have positives, but none in the training rows of some tested part."""
    used = np.where(split.is_missing, ALWAYS_TRAIN, 0).astype(np.int32)
    total = count_positives_per_fold(data.labels, used, 1)[0]
    without: dict[int, list[int]] = {}
    for place, part in enumerate(split.tested):
        in_training = _count_in_training(data.labels, split, counts, total, place, part)
        for label in np.flatnonzero((in_training == 0) & (total > 0)).tolist():
            without.setdefault(label, []).append(part)
    cause: Cause = "no training" if split.kind == "parts" else "one fold" if split.pairs is None else "pairs"
    found = [
        Missing(label, int(total[label]), tuple(parts), 0 if total[label] > 1 else len(parts), cause)
        for label, parts in without.items()
    ]
    return sorted(found, key=lambda each: (each.n_helpable == 0, -each.positives))


def _count_in_training(
    labels: LabelMatrix, split: SplitFile, counts: NDArray[Any], total: NDArray[Any], place: int, part: int
) -> NDArray[Any]:
    """Count the positives of each label in the training rows of a tested part."""
    if split.kind == "parts":
        return np.asarray(counts[0])
    if split.pairs is None:
        return np.asarray(total - counts[part])
    is_train = np.full(split.n_rows, ALWAYS_TRAIN, dtype=np.int32)
    is_train[split.pairs[place][0]] = 0
    return count_positives_per_fold(labels, is_train, 1)[0]


def missing_table(
    missing: Iterable[Missing], label_names: Sequence[str], fold_names: Sequence[str], noun: str
) -> pd.DataFrame:
    """Make a table of labels that are missing: see :func:`find_missing_labels` for its columns."""
    import pandas as pd

    lines = [
        (
            label_names[each.label], each.positives, ", ".join(fold_names[fold] for fold in each.folds),
            len(each.folds), each.n_unavoidable, each.why(noun, len(fold_names), fold_names[0]),
        )
        for each in missing
    ]  # fmt: skip
    columns = ["label", "positives", "missing_from", "n_missing", "n_unavoidable", "reason"]
    return pd.DataFrame(lines, columns=columns)


def never_everywhere(missing: pd.DataFrame) -> list[str]:
    """Name the labels that no split has in every fold, by the table of those that are missing."""
    return [str(label) for label in missing["label"][missing["n_unavoidable"] > 0]]


def advice_on(never: Sequence[str], noun: str) -> str:
    """Say what to do about labels that no split has in every fold."""
    said = f"No split has {counted(len(never), 'label')} in every {noun}: {listed(never, 3)}. Leave them out ("
    return said + argument("drop_labels") + "), or put them together with others (" + argument("merge_labels") + ")."


def lacking_words(table: pd.DataFrame, noun: str) -> str:
    """Say what could be done about labels that a check calls untestable or untrainable, in sentences."""
    n_due, n_could = int((table["n_due"] > 0).sum()), int((table["n_helpable"] > 0).sum())
    said = []
    if n_due:
        them = "it" if n_due == 1 else "them"
        said.append(f"{counted(n_due, 'label', 'is')} missing from {noun}s that should have {them}: a repair helps.")
    if n_could > n_due:
        cover = RARE["cover"].title
        said.append(
            f"{too_few_words(n_could - n_due, noun)}: with “{cover}” a repair or a new split puts one there where it "
            f"finds a way, and small {noun}s then hold more of the rare labels than is due to them."
        )
    if len(table) > n_could:
        said.append(f"{counted(len(table) - n_could, 'label')}: no split could help.")
    return " ".join(said)


def find_missing_labels(
    labels: Any, split: Any, *, n_splits: int | None = None, groups: Any = None, fixed: Any = None
) -> pd.DataFrame:
    """List the labels without a positive in some fold, and say why.

    A model cannot be scored for such a label in that fold. Labels without any positive in the folds are not listed.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    split : array-like of shape (n_rows,), list of (train, test) pairs of index arrays, or SplitFile
        The split; what :func:`optisplit.read_split` gives keeps the names of its folds or parts.
    n_splits : int, optional
        Number of folds; by default the highest fold number plus one.
    groups : array-like of shape (n_rows,), str or path, optional
        Groups that had to stay whole.
    fixed : array-like of shape (n_rows,), optional
        Places that were given; see :func:`optisplit.split`.

    Returns
    -------
    DataFrame
        One row a label, those that could have been in more folds first, then the largest first, with the columns

        - ``label``: its name,
        - ``positives``: rows in the folds that carry it,
        - ``missing_from``: the names of the folds without it, as text,
        - ``n_missing``: their number,
        - ``n_unavoidable``: how many folds any split would have left without it,
        - ``reason``: why, in words.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the split does not fit the labels.
    OptionError
        If `groups` or `fixed` do not fit the labels.

    Examples
    --------
    >>> table = find_missing_labels([[1, 1], [1, 0], [0, 0], [0, 0]], [0, 0, 1, 1])
    >>> table[["label", "missing_from", "n_missing", "n_unavoidable"]].values.tolist()
    [['label 0', 'fold 1', 1, 0], ['label 1', 'fold 1', 1, 1]]
    """
    data = as_dataset(labels)
    groups = groups_of(groups, data)
    if isinstance(split, SplitFile):
        read = as_split(split, data)
        folds, k, names, noun = read.folds, read.n_parts, read.part_names, read.noun
    else:
        folds, k = as_folds(split, data.n_rows, n_splits)
        names, noun = tuple(f"fold {fold}" for fold in range(k)), "fold"
    return missing_table(find_missing(data, folds, k, groups=groups, fixed=fixed), data.label_names, names, noun)
