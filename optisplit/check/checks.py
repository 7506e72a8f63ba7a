"""Checking a split before training: hard faults first, then how good it is between random and the best attainable."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from optisplit.check.missing import find_absences
from optisplit.errors import OptionError, listed
from optisplit.folds.arrays import ALWAYS_TRAIN, FoldArray
from optisplit.folds.constraints import as_groups
from optisplit.io.splits.assembly import as_split
from optisplit.io.splits.base import N_EXAMPLES, SplitFault, SplitFile, row_fault, row_names
from optisplit.labels import MultilabelDataset, as_dataset
from optisplit.measures.pairs import label_pairs
from optisplit.measures.report import Report, count_positives_per_fold, evaluate
from optisplit.methods.api import as_generator

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import ProgressCallback

Severity: TypeAlias = Literal["ok", "warning", "fault"]

SCORES = {"rld": "rLD", "dcp": "DCP", "ld": "LD", "ed": "ED", "fz": "FZ", "flz": "FLZ"}
"""Measures that are shown, with their names; less is better in each."""
RANDOM_SCORES = ("rld", "dcp", "ld", "fz", "flz")
"""Those that differ between random splits of the same sizes."""
BOUNDED = ("rld", "dcp", "flz")
"""Those with a bound."""

N_RANDOM = 200
FEWEST_RANDOM = 20
MOST_WORK = 2_000_000_000
"""Positives, and counts of labels in folds, that the random splits together go through: about ten seconds."""

FAULT_NAMES = {
    "missing": "rows in no part",
    "two parts": "rows in two parts",
    "overlap": "rows in training and test",
    "unknown": "entries that are no row of the data",
    "identical": "equal rows on both sides",
    "groups": "groups divided",
    "empty": "parts without a row",
    "repeated": "rows named more than once",
    "left out": "rows left out of some folds",
}
"""What each kind of fault is called."""

PLAINLY_RANDOM = 25.0
"""Per cent of random splits that must be better for a split to be called no better than one."""

NEAR = 0.02
"""What is within this of the best attainable is as good as that."""
TYPICAL = (5.0, 95.0)
"""Percentiles between which a split is like a random one."""

MANY_EQUAL = 0.01
"""Share of the rows from which on rows that are equal to one in another part are a fault, not only worth a look."""

_FAULT_ORDER = ("missing", "two parts", "overlap", "unknown", "identical", "groups", "empty", "repeated", "left out")
_SAME = 1e-9


@dataclass(frozen=True)
class RandomScores:
    """One measure over random splits of the same sizes, and where this split is among them."""

    measure: str  # key of the measure
    values: NDArray[np.float64]  # shape (n_random,): the scores, ascending
    value: float  # the score of this split

    @property
    def mean(self) -> float:
        """Mean over the random splits."""
        return float(self.values.mean())

    @property
    def low(self) -> float:
        """The score that 5 % of the random splits are below."""
        return float(np.percentile(self.values, TYPICAL[0]))

    @property
    def high(self) -> float:
        """The score that 5 % of the random splits are above."""
        return float(np.percentile(self.values, TYPICAL[1]))

    @property
    def percentile(self) -> float:
        """Per cent of the random splits that are better than this one, counting equal ones half."""
        margin = _SAME * max(1e-12, abs(self.value))
        n_below = np.searchsorted(self.values, self.value - margin, side="left")
        n_up_to = np.searchsorted(self.values, self.value + margin, side="right")
        return float(50 * (n_below + n_up_to) / len(self.values))

    @property
    def place(self) -> str:
        """Where this split is among the random ones, in words."""
        share, n_same = self.percentile, int((np.abs(self.values - self.value) <= _SAME).sum())
        if 2 * n_same > len(self.values):
            return "the same in all" if n_same == len(self.values) else "the same in most"
        if share in (0, 100) or 0.5 <= share <= 99.5:
            return f"{share:.0f} % are better"
        return "fewer than 1 % are better" if share < 1 else "over 99 % are better"


@dataclass(frozen=True)
class Verdict:
    """What to make of a split.

    Parameters
    ----------
    severity : {"ok", "warning", "fault"}
        Whether it can be used.
    sentence : str
        What it is and what to do.
    rule : str
        Which rule said so: ``fault``, ``untestable``, ``good``, ``worse``, ``random``, ``better``, ``unknown``.
    """

    severity: Severity
    sentence: str
    rule: str


@dataclass(frozen=True)
class SplitCheck:
    """Everything that a check found.

    Parameters
    ----------
    data_name : str
        Name of the data.
    split : SplitFile
        The split.
    faults : tuple of SplitFault
        What is wrong with it, the worst first.
    verdict : Verdict
        What to make of it.
    report : Report
        The measures.
    random : mapping of str to RandomScores
        The scores of random splits, by measure; empty if none were made.
    untestable : DataFrame
        Labels without a positive in a part that is tested on: ``label``, ``positives``, ``parts`` (names, as text),
        ``n_parts``, ``n_helpable`` (how many of these could have been helped), ``reason``; those first that could.
    untrainable : DataFrame
        Labels without a positive in the training rows of a tested part, with the same columns.
    pairs : Report or None
        The measures over pairs of labels, if asked for.
    notes : tuple of str
        What was understood and decided, in sentences.
    """

    data_name: str
    split: SplitFile
    faults: tuple[SplitFault, ...]
    verdict: Verdict
    report: Report
    random: dict[str, RandomScores]
    untestable: pd.DataFrame
    untrainable: pd.DataFrame
    pairs: Report | None
    notes: tuple[str, ...]

    @property
    def n_random(self) -> int:
        """How many random splits were made."""
        return len(next(iter(self.random.values())).values) if self.random else 0

    @cached_property
    def measures(self) -> pd.DataFrame:
        """One row a measure, with where random splits are and the best attainable; NaN where there is none.

        Columns: ``measure``, ``name``, ``value``, ``bound``, ``percentile`` (per cent of the random splits that are
        better), ``place`` (the same in words), ``random_low``, ``random_mean``, ``random_high``.
        """
        import pandas as pd

        lines = []
        for key, name in SCORES.items():
            found = self.random.get(key)
            lines.append(
                {
                    "measure": key,
                    "name": name,
                    "value": float(getattr(self.report, key)),
                    "bound": float(getattr(self.report, f"{key}_bound")) if key in BOUNDED else np.nan,
                    "percentile": found.percentile if found else np.nan,
                    "place": found.place if found else "",
                    "random_low": found.low if found else np.nan,
                    "random_mean": found.mean if found else np.nan,
                    "random_high": found.high if found else np.nan,
                }
            )
        return pd.DataFrame(lines)

    @cached_property
    def labels(self) -> pd.DataFrame:
        """One row a label, the farthest above its bound in rLD first.

        Columns: ``label``, ``positives``, ``rld``, ``rld_bound``, ``dcp``, ``dcp_bound``, ``parts_without``, and the
        positives in each part, by its name.
        """
        table = self.report.per_class
        names = {f"fold {fold}": name for fold, name in enumerate(self.part_titles)}
        shown = table.drop(columns=["ld"]).rename(columns={**names, "folds_without": "parts_without"})
        excess = (table["rld"] - table["rld_bound"]).round(12).fillna(-1.0)
        order = np.lexsort((np.arange(len(table)), -table["positives"], -excess))
        return shown.iloc[order].reset_index(drop=True)

    @cached_property
    def part_titles(self) -> tuple[str, ...]:
        """The names of the parts, made distinct from each other and from other columns."""
        taken = {"label", "positives", "rld", "rld_bound", "dcp", "dcp_bound", "ld", "parts_without", "folds_without"}
        titles = []
        for name in self.split.part_names:
            title = name if name not in taken else f"part {name}"
            while title in taken:
                title += "'"
            taken.add(title)
            titles.append(title)
        return tuple(titles)

    def html(self, title: str | None = None) -> str:
        """Make one HTML page of it all that needs nothing else.

        Parameters
        ----------
        title : str, optional
            Its title; default: the names of the data and the split.

        Returns
        -------
        str
            The page.
        """
        report = importlib.import_module("optisplit.plots.check_report")  # it draws, so it is of a layer above this one
        return str(report.make_page(self, title))

    def __repr__(self) -> str:
        return f"SplitCheck of {self.split.name} on {self.data_name}: {self.verdict.severity}; {self.verdict.sentence}"


def check_split(
    labels: Any,
    split: Any,
    *,
    groups: Any = None,
    row_digests: Any = None,
    pairs: bool = False,
    shares: Any = None,
    n_random: int = N_RANDOM,
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
    on_progress: ProgressCallback | None = None,
) -> SplitCheck:
    """Look for what is wrong with a split, and say how good it is between random and the best attainable.

    - Faults come first: rows in no part or in two, rows in training and test, ids that are not the data's, identical
      rows and groups on both sides, empty parts. Nothing is repaired; see :func:`optisplit.repair`.
    - The random splits have the same part sizes, and leave rows that are always in training where they are.
    - The same int `random_state` gives the same result, and nothing given is changed.

    Parameters
    ----------
    labels : MultilabelDataset, or array-like, sparse or DataFrame of shape (n_rows, n_labels)
        0/1 label indicators.
    split : SplitFile, array-like of shape (n_rows,), or list of (train, test) pairs of index arrays
        What :func:`optisplit.read_split` gives; fold numbers with -1 for always in training; or what a scikit-learn
        splitter yields.
    groups : array-like of shape (n_rows,), optional
        Groups that are to stay whole.
    row_digests : array-like of shape (n_rows,), optional
        Numbers that are equal where rows are; see :func:`optisplit.io.splits.row_digests`. Default: rows are not
        compared.
    pairs : bool, default=False
        Whether to measure pairs of labels that occur together in at least two rows too.
    shares : array-like of shape (n_parts,), optional
        The share of the rows that each part should have. Default: equal for folds; for parts those that they have.
    n_random : int, default=200
        Random splits to compare with; 0 for none. Of very large data fewer are made, which the notes say.
    random_state : int, Generator, RandomState or None, default=0
        Seed or source of randomness.
    on_progress : callable, optional
        Called as ``on_progress(done, total, nan)`` between random splits; what it raises ends the work.

    Returns
    -------
    SplitCheck
        Faults, verdict and evidence.

    Raises
    ------
    LabelError
        If the labels are not 0/1.
    FoldAssignmentError
        If the split does not fit the labels.
    FormatError
        If the split has fewer than two parts.
    OptionError
        If `groups`, `row_digests`, `shares` or `n_random` is unsuitable.

    Examples
    --------
    >>> check = check_split([[1], [1], [0], [0]], [0, 0, 1, 1], n_random=20)
    >>> check.verdict.rule, check.untestable["parts"].tolist()
    ('untestable', ['fold 1'])
    """
    if isinstance(n_random, bool) or not isinstance(n_random, int | np.integer) or n_random < 0:
        msg = f"n_random must be a whole number from 0, got {n_random!r}."
        raise OptionError(msg)
    data = as_dataset(labels)
    read = as_split(split, data)
    notes = list(read.notes)
    faults = list(read.faults)
    if row_digests is not None:
        faults += _identical(_one_a_row(row_digests, data.n_rows, "row_digests"), read)
    divided, is_whole = _divided(groups, read) if groups is not None else ([], True)
    faults += divided
    faults.sort(key=lambda fault: (fault.severity != "fault", _FAULT_ORDER.index(fault.kind)))
    if shares is None and read.kind == "parts":
        shares = np.maximum(read.sizes, 1) / np.maximum(read.sizes, 1).sum()
    report = evaluate(data, read.folds, n_splits=read.n_parts, shares=shares)
    untestable = _untestable(data, read, groups if is_whole else None)
    untrainable = _untrainable(data, read, report)
    n_made = _affordable(int(n_random), data, read.n_parts)
    if n_made < n_random:
        notes.append(f"The data is so large that {n_made} random splits were made instead of {n_random}.")
    random = _random_scores(data, read.folds, report, n_made, as_generator(random_state), on_progress)
    pair_report = None
    if pairs:
        try:
            pair_report = evaluate(label_pairs(data, min_rows=2), read.folds, n_splits=read.n_parts, shares=shares)
        except OptionError as error:
            notes.append(f"Pairs of labels were not measured: {error}")
    check = SplitCheck(
        data.name, read, tuple(faults), Verdict("ok", "", ""), report, random, untestable, untrainable, pair_report,
        tuple(notes),
    )  # fmt: skip
    return replace(check, verdict=judge(check))


def judge(check: SplitCheck) -> Verdict:
    """Say what to make of a split: the first rule that applies, and what else is to be looked at.

    A hard fault; labels that could be tested and are not; near the best attainable; worse than random splits; like
    them; better.
    """
    hard = [fault for fault in check.faults if fault.severity == "fault"]
    if hard:
        others = [f"{FAULT_NAMES[fault.kind]} ({fault.count:,})" for fault in hard[1:]]
        more = f" Also: {', '.join(others)}." if others else ""
        return Verdict("fault", f"{hard[0].sentence} {hard[0].advice}{more}", "fault")
    helpable = check.untestable[check.untestable["n_helpable"] > 0]
    verdict = Verdict("warning", _helpable_sentence(helpable), "untestable") if len(helpable) else _judge_scores(check)
    if not check.faults:
        return verdict
    also = f"{verdict.sentence} Also: {check.faults[0].sentence} {check.faults[0].advice}"
    return Verdict("warning", also, verdict.rule)


def _judge_scores(check: SplitCheck) -> Verdict:
    """Judge by rLD, between random splits and the best attainable."""
    report = check.report
    score, bound = report.rld, report.rld_bound
    if np.isnan(score):
        sentence = "No label has both a positive and a negative row, so nothing can be measured."
        return Verdict("warning", sentence, "unknown")
    chance = check.random.get("rld")
    excess = score / bound - 1 if bound > 0 else (np.inf if score > _SAME else 0.0)
    if excess <= NEAR + _SAME:
        how = "equal to" if excess < 0.00005 else f"within {max(0.1, 100 * excess):.1f} % of"
        return Verdict("ok", f"Good: rLD {score:.3g} is {how} the best attainable.", "good")
    far = f"rLD {score:.3g} where {bound:.3g} is attainable"
    if chance is None:
        percent = "" if np.isinf(excess) else f", {100 * excess:,.0f} % above it"
        return Verdict("warning", f"{far}{percent}; repairing would show how much can be gained.", "unknown")
    gap = chance.mean - bound
    closed = (chance.mean - score) / gap if gap > 0 else 0.0
    if closed >= 1 - NEAR:
        done = f"{100 * min(closed, 0.9999):.1f} % of what separates a random split from it is gained"
        return Verdict("ok", f"Good: rLD {score:.3g} is close to the best attainable, {bound:.3g}: {done}.", "good")
    if chance.percentile > TYPICAL[1]:
        than = f"worse than {chance.percentile:.0f} % of random splits"
        return Verdict("warning", f"This split is {than}: {far}. Repair it, or make a new one.", "worse")
    if chance.percentile >= TYPICAL[0]:
        if chance.percentile >= PLAINLY_RANDOM:
            return Verdict("warning", f"No better than a random split: {far}. Repair it.", "random")
        luck = f"{chance.percentile:.0f} % of those are better still"
        return Verdict("warning", f"Hardly better than a random split ({luck}): {far}. Repair it.", "random")
    gained = f"with {100 * closed:.0f} % of the possible gain"
    sentence = f"Better than random splits, {gained}: {far}. Repairing may gain more."
    return Verdict("ok", sentence, "better")


def _helpable_sentence(helpable: pd.DataFrame) -> str:
    parts = {part for text in helpable["parts"] for part in text.split(", ")}
    where = f"in {next(iter(parts))}" if len(parts) == 1 else "in some part"
    names = listed(helpable["label"].tolist(), 3)
    return (
        f"{len(helpable):,} label(s) cannot be tested {where} though they have enough rows: {names}. Repair the split."
    )


def _one_a_row(values: Any, n_rows: int, name: str) -> Any:
    array = np.asarray(values)
    if array.shape != (n_rows,):
        msg = f"{name} must have one entry a row, {n_rows:,} in all, got an array of shape {array.shape}."
        raise OptionError(msg)
    return array


def _places(split: SplitFile, codes: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Tell which codes have rows in more than one place; missing rows have none."""
    is_here = ~split.is_missing
    n_values = split.n_parts + 1  # with always in training
    both = np.unique(codes[is_here].astype(np.int64) * n_values + split.folds[is_here] + 1)
    n_places = np.bincount(both // n_values, minlength=int(codes.max(initial=0)) + 1)
    return n_places > 1, n_places


def _identical(digests: NDArray[Any], split: SplitFile) -> list[SplitFault]:
    _, codes = np.unique(digests, return_inverse=True)
    is_divided, _ = _places(split, codes)
    rows = np.flatnonzero(is_divided[codes] & ~split.is_missing)
    if not len(rows):
        return []
    says = "are equal in every column to a row in another part"
    advice = "Put equal rows in one part, or leave all but one out: models are tested on what they have seen."
    is_fault = len(rows) >= MANY_EQUAL * split.n_rows
    severity: Literal["fault", "warning"] = "fault" if is_fault else "warning"
    fault = row_fault("identical", rows, split.row_ids, says, advice=advice, severity=severity)
    by_code: dict[int, list[int]] = {}
    for row in rows.tolist():
        by_code.setdefault(int(codes[row]), []).append(row)
    alike = list(by_code.values())[:N_EXAMPLES]
    return [replace(fault, examples=tuple(" = ".join(row_names(split.row_ids, each[:4])) for each in alike))]


def _divided(groups: Any, split: SplitFile) -> tuple[list[SplitFault], bool]:
    codes, names = as_groups(groups, split.n_rows)
    is_divided, _ = _places(split, codes)
    divided = np.flatnonzero(is_divided)
    if not len(divided):
        return [], True
    shown = [str(names[group]) for group in divided[:N_EXAMPLES]]
    more = f" and {len(divided) - 3:,} more" if len(divided) > 3 else ""
    sentence = f"{len(divided):,} of {len(names):,} group(s) are divided: {', '.join(map(repr, shown[:3]))}{more}."
    rows = np.flatnonzero(is_divided[codes])
    advice = "Repair with these groups, which puts them together: what is alike must not be on both sides."
    return [SplitFault("groups", sentence, len(divided), tuple(shown), "fault", advice, rows)], False


def _untestable(data: MultilabelDataset, split: SplitFile, groups: Any) -> pd.DataFrame:
    import pandas as pd

    table = find_absences(data, split.folds, n_splits=split.n_parts, groups=groups)
    lines = []
    for row in table.itertuples():
        absent = [part for part in map(int, row.absent_folds.split(", ")) if part in split.tested]
        if absent:
            n_helpable = min(len(absent), max(0, row.n_absent - row.n_unavoidable))
            names = [split.part_names[part] for part in absent]
            lines.append((row.label, row.positives, ", ".join(names), len(absent), n_helpable, row.reason))
    kept = split.folds < 0
    if (kept & ~split.is_missing).any():
        marked = np.where(kept & ~split.is_missing, 1, np.where(split.is_missing, ALWAYS_TRAIN, 0)).astype(np.int32)
        in_parts, in_training = count_positives_per_fold(data.labels, marked, 2)
        for label in np.flatnonzero((in_parts == 0) & (in_training > 0)):
            count = int(in_training[label])
            names = [split.part_names[part] for part in split.tested]
            reason = f"its {count:,} positive(s) are always in training"
            lines.append((data.label_names[label], count, ", ".join(names), len(names), 0, reason))
    return pd.DataFrame(lines, columns=["label", "positives", "parts", "n_parts", "n_helpable", "reason"])


def _untrainable(data: MultilabelDataset, split: SplitFile, report: Report) -> pd.DataFrame:
    """List labels without a positive in the training rows of some tested part, that have positives in use."""
    import pandas as pd

    used = np.where(split.is_missing, ALWAYS_TRAIN, 0).astype(np.int32)
    total = count_positives_per_fold(data.labels, used, 1)[0]
    lacking: dict[int, list[int]] = {}
    for place, part in enumerate(split.tested):
        is_without = (_in_training(data.labels, split, report, total, place, part) == 0) & (total > 0)
        for label in np.flatnonzero(is_without).tolist():
            lacking.setdefault(label, []).append(part)
    lines = []
    for label, parts in lacking.items():
        names = ", ".join(split.part_names[part] for part in parts)
        count = int(total[label])
        trained = split.part_names[0]
        reason = f"no positive is in {trained!r}" if split.kind == "parts" else "all its positives are in this fold"
        if split.pairs is not None and split.kind == "folds":
            reason = "none of its positives is in the training rows"
        lines.append((data.label_names[label], count, names, len(parts), len(parts) if count > 1 else 0, reason))
    lines.sort(key=lambda line: (line[4] == 0, -line[1]))
    return pd.DataFrame(lines, columns=["label", "positives", "parts", "n_parts", "n_helpable", "reason"])


def _in_training(
    labels: LabelMatrix, split: SplitFile, report: Report, total: NDArray[Any], place: int, part: int
) -> NDArray[Any]:
    """Count the positives of each label in the training rows of a tested part."""
    if split.kind == "parts":
        return report.counts[0]
    if split.pairs is None:
        return total - report.counts[part]
    marked = np.full(split.n_rows, ALWAYS_TRAIN, dtype=np.int32)
    marked[split.pairs[place][0]] = 0
    return count_positives_per_fold(labels, marked, 1)[0]


def _affordable(n_random: int, data: MultilabelDataset, n_parts: int) -> int:
    """Say how many random splits are made of data of this size."""
    work = data.n_positives + data.n_rows + 10 * n_parts * data.n_labels
    return min(n_random, max(FEWEST_RANDOM, MOST_WORK // max(1, work)))


def _random_scores(
    data: MultilabelDataset,
    folds: FoldArray,
    report: Report,
    n_random: int,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None,
) -> dict[str, RandomScores]:
    if not n_random:
        return {}
    placed = np.flatnonzero(folds >= 0)
    mixed = folds.copy()
    scores = np.empty((n_random, len(RANDOM_SCORES)))
    for done in range(n_random):
        if on_progress is not None:
            on_progress(done, n_random, float("nan"))
        mixed[placed] = rng.permutation(folds[placed])
        counts = count_positives_per_fold(data.labels, mixed, report.n_splits)
        other = Report(counts, report.fold_sizes, report.shares, report.label_names)
        scores[done] = [getattr(other, key) for key in RANDOM_SCORES]
    if on_progress is not None:
        on_progress(n_random, n_random, float("nan"))
    return {
        key: RandomScores(key, np.sort(scores[:, at]), float(getattr(report, key)))
        for at, key in enumerate(RANDOM_SCORES)
    }
