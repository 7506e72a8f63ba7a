"""The texts that say which part a row is in: numbers, names of parts, yes and no."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from optisplit.errors import FormatError
from optisplit.folds.arrays import ALWAYS_TRAIN, MAX_SPLITS
from optisplit.io.layouts.cells import MISSING as NO_VALUE
from optisplit.io.layouts.cells import ONE, OTHER, cell_code
from optisplit.io.splits.base import MISSING, Kind, clip
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.io.row_names import RowNumbers

TRAIN, VALIDATION, TEST = "train", "validation", "test"

_Meanings: TypeAlias = tuple[dict[str, int], list[str], Kind, list[str]]
"""The part of each text; what parts are called, nothing where as they are written; what they are; what was decided."""

_ROLES = {
    **dict.fromkeys(("train", "training", "trn", "tr", "fit", "learn"), TRAIN),
    **dict.fromkeys(("val", "valid", "validation", "validate", "dev", "devel", "development", "tune"), VALIDATION),
    **dict.fromkeys(("test", "testing", "tst", "te", "eval", "evaluation", "holdout", "heldout"), TEST),
}
_ORDER = {TRAIN: 0, VALIDATION: 1, TEST: 2}
_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(\.0*)?")
_WORDS = frozenset({"true", "false", "t", "f", "yes", "no", "y", "n"})
_YES_NO_COLUMN = re.compile(r"(?:is|in|for)?[\s_.-]*(train|test)(?:ing)?(?:[\s_.-]*(?:mask|set|row|flag))?")


def role_of(name: str) -> str | None:
    """Tell what a part is for, from its name."""
    return _ROLES.get(re.sub(r"[\s_-]+", "", name.lower()).removesuffix("set"))


@dataclass(frozen=True)
class Meaning:
    """What texts were found to mean."""

    parts: NDArray[np.int64]  # the part, from 0; -1 for always in training, MISSING where there is no value
    names: tuple[str, ...]  # what the parts are called
    spellings: tuple[str, ...]  # how each part is written
    kind: Kind  # what the parts are
    notes: tuple[str, ...] = ()  # what was decided

    def changes(self, rows: RowNumbers, folds: FoldArray) -> dict[int, str]:
        """Give the new text of each line whose part changed; `rows` are those of the lines."""
        now = np.where(rows >= 0, folds[rows], self.parts)
        changed = (now != self.parts) & ~((now == ALWAYS_TRAIN) & (self.parts == MISSING))
        return {at: self.spelling(now[at]) for at in np.flatnonzero(changed).tolist()}

    def spelling(self, part: int) -> str:
        """Write a part as it is mostly written."""
        return "-1" if part == ALWAYS_TRAIN else self.spellings[part]


def meaning_of(texts: Sequence[str], column: str, kind: Kind | None, where: str) -> Meaning:
    """Find out what the texts of a split column mean."""
    counts = Counter(texts)
    values = [text for text in counts if cell_code(text) != NO_VALUE]
    if len(values) > MAX_SPLITS or (len(values) > 20 and len(values) > 0.5 * len(texts)):
        msg = (
            f"{where} has {len(values):,} different values ({listed(values, 3)}), so it does not say which part a row "
            "is in; give the column that does."
        )
        raise FormatError(msg)
    if not values:
        msg = f"{where} has no values."
        raise FormatError(msg)
    meanings, names, found, notes = _meanings(values, column, kind, where)
    # the most frequent way to write each part comes last, and counts
    spelled = {meanings[text]: text for text, _ in reversed(counts.most_common()) if text in meanings}
    names = names or [clean_name(spelled[part]) for part in sorted(spelled.keys() - {ALWAYS_TRAIN})]
    if len(names) < 2:
        msg = f"{where} has the same value for every row, {clip(values[0])!r}; a split has at least two parts."
        raise FormatError(msg)
    parts = np.fromiter((meanings.get(text, MISSING) for text in texts), dtype=np.int64, count=len(texts))
    spellings = (spelled.get(part, name.removeprefix("fold ")) for part, name in enumerate(names))
    return Meaning(parts, tuple(names), tuple(spellings), kind or found, tuple(notes))


def _meanings(values: list[str], column: str, kind: Kind | None, where: str) -> _Meanings:
    asked = _YES_NO_COLUMN.fullmatch(column.strip().lower())
    are_yes_no = all(cell_code(value) != OTHER for value in values)
    are_words = all(value.lower() in _WORDS for value in values)
    if are_yes_no and (asked or are_words) and kind != "folds":
        of_test = asked is None or asked[1] == TEST
        meanings = {value: int((cell_code(value) == ONE) == of_test) for value in values}
        notes = [] if asked else [f"{where} says yes or no; yes was taken for test, and no for training."]
        return meanings, [TRAIN, TEST][: len(set(meanings.values()))], "parts", notes
    numbers = {value: int(match[1]) for value in values if (match := _WHOLE.fullmatch(value))}
    if len(numbers) == len(values):
        return _of_numbers(numbers, where)
    return _of_names(values, where)


def _of_numbers(numbers: dict[str, int], where: str) -> _Meanings:
    lowest = min(numbers.values())
    if lowest < ALWAYS_TRAIN:
        msg = f"{where} has the number {lowest}; folds are numbered from 0 or 1, and -1 is for always in training."
        raise FormatError(msg)
    in_folds = sorted({number for number in numbers.values() if number != ALWAYS_TRAIN})
    if len(in_folds) == 1 and lowest == ALWAYS_TRAIN:  # scikit-learn's way to write one training and one test part
        meanings = {value: int(number != ALWAYS_TRAIN) for value, number in numbers.items()}
        note = f"{where} has only -1, taken for training, and {in_folds[0]}, taken for test."
        return meanings, [TRAIN, TEST], "parts", [note]
    if not in_folds:
        msg = f"{where} has only -1: all rows are always in training."
        raise FormatError(msg)
    notes = []
    if in_folds[0] > 1 or in_folds[-1] > max(2 * len(in_folds), len(in_folds) + 3):
        order = {number: part for part, number in enumerate(in_folds)}
        notes.append(f"{where} has the numbers {listed(in_folds)}, which were taken for names of folds.")
    else:
        order = {number: number - in_folds[0] for number in range(in_folds[0], in_folds[-1] + 1)}
        if in_folds[0] == 1:
            notes.append(f"The folds are numbered from 1 to {in_folds[-1]}.")
    meanings = {value: order.get(number, ALWAYS_TRAIN) for value, number in numbers.items()}
    return meanings, [f"fold {number}" for number in order], "folds", notes


def _of_names(values: list[str], where: str) -> _Meanings:
    always = {value for value in values if value in ("-1", "-1.0")}
    keys = {value: clean_name(value).casefold() for value in values if value not in always}
    names, kind = part_order(list(dict.fromkeys(keys.values())))
    order = {key: part for part, key in enumerate(names)}
    meanings = {value: order[key] for value, key in keys.items()} | dict.fromkeys(always, ALWAYS_TRAIN)
    notes = [f"{where}: upper and lower case were taken for the same."] if len(names) < len(keys) else []
    return meanings, [], kind, notes


def part_order(names: Sequence[str]) -> tuple[list[str], Kind]:
    """Put names of parts in their usual order."""
    roles = {name: role_of(name) for name in names}
    if TRAIN in roles.values():
        return sorted(names, key=lambda name: _ORDER.get(roles[name] or "", 1.5)), "parts"
    return sorted(names, key=_natural), "folds"


def _natural(name: str) -> list[tuple[int, int, str]]:
    pieces = re.findall(r"[0-9]{1,9}|[^0-9]+", name)
    return [(0, int(piece), "") if piece.isdecimal() else (1, 0, piece.lower()) for piece in pieces]
