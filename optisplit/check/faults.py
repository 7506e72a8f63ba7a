"""Faults of a split: those that its reader found, and those that only the data show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.comparison.fairness import unfair_text
from optisplit.errors import OptionError, argument
from optisplit.folds.arrays import are_divided
from optisplit.folds.constraints import as_groups
from optisplit.io.rows import origin_of
from optisplit.io.splits.base import N_EXAMPLES, SplitFault, SplitFile, row_fault, row_names
from optisplit.measures.missing import missing_words
from optisplit.text import counted, few, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from optisplit.check.missing import Missing
    from optisplit.comparison.fairness import Unfair
    from optisplit.io.layouts.group_columns import LikelyGroups
    from optisplit.io.likely_groups import TornGroups

FAULT_NAMES = {
    "missing": "rows in no part",
    "two parts": "rows in two parts",
    "overlap": "rows in training and test",
    "unknown": "entries that are no row of the data",
    "groups": "groups divided",
    "empty": "parts without a row",
    "repeated": "rows named more than once",
    "left out": "rows left out of some folds",
    "missing labels": "labels missing from parts that should have them",
    "identical": "rows with the same features as a row in another part",
    "unfair labels": "positives that belong in another part, by label size",
    "unfair rows": "rows that belong in another part, by number of labels",
    "likely groups": "likely groups divided",
    "identical in others": "rows with the same features as a row of another group in another part",
}
"""What each kind of fault is called."""

MANY_EQUAL = 0.01
"""Share of the rows from which on rows that are equal to one in another part are a fault, not only worth a look."""

BY_HAND = ("unknown", "empty")
"""Kinds of faults that only somebody who knows the data can put right."""


def find_faults(
    split: SplitFile, *, groups: Any = None, row_digests: Any = None, likely: LikelyGroups | None = None
) -> tuple[tuple[SplitFault, ...], bool | None]:
    """List what is wrong with a split, the worst first, and say whether groups are whole (None: no groups given).

    `likely`: groups that nobody named, but which a column of the data tells.
    """
    faults = list(split.faults)
    if row_digests is not None:
        digests = np.asarray(row_digests)
        if digests.shape != (split.n_rows,):
            wanted = f"row_digests must have one entry a row, {split.n_rows:,} in all"
            msg = f"{wanted}, got an array of shape {digests.shape}."
            raise OptionError(msg)
        faults += _identical(digests, split, None if groups is None else as_groups(groups, split.n_rows)[0], likely)
    are_whole = None
    if groups is not None:
        divided = _divided(groups, split)
        are_whole = not divided
        faults += divided
    return worst_first(faults), are_whole


def worst_first(faults: Iterable[SplitFault]) -> tuple[SplitFault, ...]:
    """Sort faults."""
    order = list(FAULT_NAMES)
    return tuple(sorted(faults, key=lambda fault: (fault.severity != "fault", order.index(fault.kind))))


def unfair_faults(unfair: Iterable[Unfair], split: SplitFile) -> list[SplitFault]:
    """Say in what parts are unfair, as faults."""
    advice = f"Repair the split: together they can have what is due to them in each {split.noun}, up to rounding."
    return [
        SplitFault(
            f"unfair {each.whom.split()[-1]}",
            f"The {split.noun}s are {unfair_text([each], split.part_names)} ({each.how_far}).",
            each.n_off, tuple(off.told(split.part_names) for off in each.worst), "fault", advice,
        )
        for each in unfair
    ]  # fmt: skip


def missing_label_faults(missing: Sequence[Missing], split: SplitFile, label_names: Sequence[str]) -> list[SplitFault]:
    """Say which labels are missing from parts that should have them: they could be there, and it is due to them."""
    found = [each for each in missing if each.n_due > 0]
    if not found:
        return []
    lacking = {fold for each in found for fold in each.folds}
    is_one = all(len(each.folds) == 1 for each in found) and len(lacking) == 1
    where = split.part_names[min(lacking)] if is_one else ""
    names = [label_names[each.label] for each in found]
    cannot = ", and cannot be tested there" if lacking <= set(split.tested) else ""
    sentence = f"{missing_words(len(found), len(label_names), split.noun, where)}{cannot}: {listed(names, 3)}."
    return [SplitFault("missing labels", sentence, len(found), tuple(names[:N_EXAMPLES]), "fault", "Repair the split.")]


def faults_by_hand(faults: Iterable[SplitFault]) -> tuple[SplitFault, ...]:
    """Pick the faults that somebody has to put right before a split can be repaired."""
    return tuple(fault for fault in faults if fault.kind in BY_HAND)


def _are_divided(split: SplitFile, codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which codes have rows in more than one place; missing rows have none."""
    is_here = ~split.is_missing
    found = are_divided(codes[is_here], split.folds[is_here])
    return np.pad(found, (0, int(codes.max(initial=-1)) + 1 - len(found)))


def _count_elsewhere(split: SplitFile, codes: NDArray[Any]) -> NDArray[np.int64]:
    """Count for each row those of the same code that are in another part; rows in no part count nowhere."""
    is_here = ~split.is_missing
    places = codes.astype(np.int64) * (split.n_parts + 1) + np.where(is_here, split.folds, 0) + 1
    _, places = np.unique(places, return_inverse=True)
    n_same, n_beside = (np.bincount(each, is_here)[each] for each in (codes, places))
    return np.where(is_here, n_same - n_beside, 0).astype(np.int64)


def _identical(
    digests: NDArray[Any], split: SplitFile, groups: NDArray[np.int32] | None, likely: LikelyGroups | None
) -> list[SplitFault]:
    """List rows that are equal to one in another part; those that groups tell apart are only worth a look."""
    _, codes = np.unique(digests, return_inverse=True)
    n_elsewhere = _count_elsewhere(split, codes)
    is_same, is_other, who, noun = n_elsewhere > 0, np.zeros(split.n_rows, dtype=np.bool_), "the groups", "group"
    is_given = groups is not None
    if groups is None and likely is not None:
        groups, who, noun = likely.codes, likely.column or "the names of rows", likely.noun
    if groups is not None:
        _, own = np.unique(codes * (int(groups.max(initial=0)) + 2) + groups + 1, return_inverse=True)
        n_own = _count_elsewhere(split, own)
        is_nameless = (np.bincount(codes, groups < 0) > 0)[codes]  # nobody knows whose one of these rows is
        is_other = (n_elsewhere > n_own) & ~is_nameless
        is_same &= ((n_own > 0) | is_nameless) & (not is_given)  # rows of one given group are a matter of that group
    same, other = np.flatnonzero(is_same), np.flatnonzero(is_other)
    rows = np.flatnonzero(is_same | is_other)
    faults = [
        row_fault(
            "identical", same, split.row_ids, "the same in every feature as a row in another part",
            advice="Models are tested on what they have seen: leave all but one out; or repair with "
            + argument("groups", (likely and likely.column) or ..., of="split")
            + ", a column that says which rows belong together.",
            severity="fault" if len(same) >= MANY_EQUAL * split.n_rows else "warning",
        ),
        row_fault(
            "identical in others", other, split.row_ids,
            f"the same in every feature as a row of another {noun} in another part",
            advice=f"By {who} these only look the same, which is no fault; see whether that is right.",
            severity="warning",
        ),
    ]  # fmt: skip
    return [
        replace(fault, examples=_alike(rows[np.isin(codes[rows], codes[fault.rows])], codes, groups, split))
        for fault in faults
        if fault.count
    ]


def _alike(
    rows: NDArray[Any], codes: NDArray[Any], groups: NDArray[np.int32] | None, split: SplitFile
) -> tuple[str, ...]:
    """Name rows that are equal, one of each group."""
    by_code: dict[int, dict[int, int]] = {}
    for row in rows.tolist():
        group = row if groups is None or groups[row] < 0 else -1 - int(groups[row])
        by_code.setdefault(int(codes[row]), {}).setdefault(group, row)
    alike = [list(each.values())[:4] for each in list(by_code.values())[:N_EXAMPLES]]
    return tuple(" = ".join(row_names(split.row_ids, each)) for each in alike)


def likely_group_faults(torn: TornGroups | None, split: SplitFile) -> list[SplitFault]:
    """Say that groups which nobody named are divided: worth a look, as they may be none; name a row of each."""
    if torn is None:
        return []
    first = row_names(split.row_ids, torn.rows[:N_EXAMPLES])
    return [SplitFault("likely groups", torn.sentence, torn.n_torn, first, "warning", torn.advice + ".")]


def _divided(groups: Any, split: SplitFile) -> list[SplitFault]:
    codes, names = as_groups(groups, split.n_rows)
    is_divided = _are_divided(split, codes)
    divided = np.flatnonzero(is_divided)
    if not len(divided):
        return []
    shown = [str(names[group]) for group in divided[:N_EXAMPLES]]
    are = "is" if len(divided) == 1 else "are"
    which = f"{len(divided):,} of {counted(len(names), 'group')}{origin_of(groups)} {are} divided"
    sentence = f"{which}: {few(list(map(repr, shown[:3])), len(divided))}."
    rows = np.flatnonzero(is_divided[codes])
    advice = "Repair with these groups, which puts them together: what is alike must not be on both sides."
    return [SplitFault("groups", sentence, len(divided), tuple(shown), "fault", advice, rows)]
