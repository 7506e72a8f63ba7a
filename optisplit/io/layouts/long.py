"""Tables with a line for each pair of row and label: which columns hold them, found from the first rows."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.io.layouts.boxes import find_boxes
from optisplit.io.layouts.sample import LONGEST_LABEL, NUMBER, Sample, has_label_name
from optisplit.io.layouts.tags import is_list_like

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROW_NAMES = re.compile(
    r"\W*(?:\w*[_\s])?(?:row|id|ids|sample|protein|gene|doc|document|item|image|file|fname|entry|accession|patient|"
    r"article|movie|key|subject|clip|track|video|recording|study|case|admission|hadm|visit|exam|scan|user|record)\w*\W*",
    re.IGNORECASE,
)
_IMAGES = re.compile(r"\W*(?:\w*[_\s])?(?:image|img|file|fname|path|filepath|frame|photo)\w*\W*", re.IGNORECASE)
_VALUE_NAMES = re.compile(
    r"\W*(?:\w*[_\s])?(?:values?|scores?|conf|confidences?|prob|probs?|probability|probabilities|likelihoods?|certainty|"
    r"weights?|present|presence|positive|verified|relevance|label|target|is_present|has_label)\W*",
    re.IGNORECASE,
)
VALUE_WORDS = {
    "": math.nan, "nan": math.nan, "na": math.nan, "none": math.nan, "null": math.nan, "?": math.nan,
    **dict.fromkeys(("true", "t", "yes", "y", "present", "positive", "pos"), 1.0),
    **dict.fromkeys(("false", "f", "no", "n", "absent", "negative", "neg"), 0.0),
    **dict.fromkeys(("uncertain", "unsure"), -1.0),
}  # fmt: skip
"""Words for values of pairs."""

_SIDES = frozenset({"left", "right", "l", "r", "od", "os"})  # of a body: no labels
_JOINTS = ("_", "-", ":", "|", "/", " ")
_MOST_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class LongColumns:
    """Which columns hold a row, a label, and a value if there is one."""

    row: int
    label: int
    value: int | None = None
    joint: str = ""  # what stands between row and label, where one column holds both
    n_pieces: int = 0  # how many pieces apart at it are the row's; 0: all but the last
    others: tuple[tuple[int, int], ...] = ()  # which columns row and label could be too
    boxes: tuple[int, ...] = ()  # where a box is, if each line has one: lines are instances then

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns, each once."""
        return tuple(dict.fromkeys(each for each in (self.row, self.label, self.value) if each is not None))

    @property
    def parting(self) -> Callable[[str], tuple[str, str]]:
        """Tell row and label of a cell that holds both apart."""
        joint, n_pieces = self.joint, self.n_pieces

        def parted(cell: str) -> tuple[str, str]:
            if not n_pieces:
                row, _, label = cell.rpartition(joint)
                return row, label
            pieces = cell.split(joint, n_pieces)
            return joint.join(pieces[:n_pieces]), "".join(pieces[n_pieces:])

        return parted


def find_long(sample: Sample, chosen: Sequence[int] | None = None, *, is_asked: bool = False) -> LongColumns | None:
    """Find the columns of row and label, and that of values."""
    if chosen is not None:
        if len(chosen) not in (2, 3):
            return None
        joined = joined_names(sample, chosen) if len(chosen) == 2 else None
        if len(chosen) == 2 and joined is None and (boxes := find_boxes(sample)):
            return LongColumns(chosen[0], chosen[1], boxes=boxes)
        return joined or LongColumns(chosen[0], chosen[1], chosen[2] if len(chosen) > 2 else None)
    if is_asked and (joined := joined_names(sample)) is not None:
        return joined
    if is_asked and len(sample.names) == 2:
        return LongColumns(0, 1)
    boxes = find_boxes(sample)
    if boxes:
        return _of_boxes(sample, boxes)
    if not 2 <= len(sample.names) <= _MOST_COLUMNS:
        return None
    return _by_name(sample, is_asked=is_asked) if sample.is_named else _without_names(sample)


def _by_name(sample: Sample, *, is_asked: bool) -> LongColumns | None:
    names = sample.names
    rows = [column for column, name in enumerate(names) if _ROW_NAMES.fullmatch(name)]
    labels = [
        column for column, name in enumerate(names)
        if has_label_name(name) and column not in rows[:1] and (is_asked or _holds_one_label(sample, column))
    ]  # fmt: skip
    if not rows or not labels:
        return None
    label = max(labels, key=lambda column: (not sample.are_numbers(column), len(set(sample.texts(column)))))
    cells = {column: [str(cell) for cell in sample.columns[column]] for column in {*rows, label}}
    repeating = []
    for row in rows:
        n_ids = len(set(cells[row]))
        is_repeated = len(cells[row]) - n_ids >= 0.1 * len(cells[row])
        if row != label and is_repeated and len(set(zip(cells[row], cells[label], strict=True))) > n_ids:
            repeating.append((row, n_ids))
    if not repeating:
        return LongColumns(rows[0], label, _value(sample, rows[0], label)) if is_asked and rows[0] != label else None
    row = max(repeating, key=lambda each: each[1])[0]  # the finest
    others = tuple((each, label) for each, _ in repeating if each != row)
    return LongColumns(row, label, _value(sample, row, label), others=others)


def _of_boxes(sample: Sample, boxes: tuple[int, ...]) -> LongColumns | None:
    """Find the columns of image and class, where each line has a box."""
    others = [column for column in range(len(sample.names)) if column not in boxes and sample.texts(column)]
    if not sample.is_named:
        return LongColumns(others[0], others[1], boxes=boxes) if len(others) > 1 else None
    names = sample.names
    rows = [column for column in others if _IMAGES.fullmatch(names[column])]
    rows = rows or [column for column in others if _ROW_NAMES.fullmatch(names[column])]
    labels = [
        column for column in others
        if column not in rows[:1] and has_label_name(names[column]) and _holds_one_label(sample, column)
    ]  # fmt: skip
    if not rows or not labels:
        return None
    label = max(labels, key=lambda column: (not sample.are_numbers(column), len(set(sample.texts(column)))))
    more = tuple((row, label) for row in rows[1:] if row != label)
    return LongColumns(rows[0], label, others=more, boxes=boxes)


def _holds_one_label(sample: Sample, column: int) -> bool:
    """Tell whether each cell of a column is one label's name: no list, and no 0 or 1."""
    is_plain = not sample.has_lists(column) and not sample.is_binary(column) and sample.kind(column) == "lists"
    has_lists = any(map(is_list_like, sample.texts(column)))
    return is_plain and not has_lists and sample.separator(column, is_named=True) is None


def _value(sample: Sample, row: int, label: int) -> int | None:
    """Find the column that says how much, or whether at all, a row has the label."""
    likely = [
        column for column, name in enumerate(sample.names)
        if column not in (row, label) and _VALUE_NAMES.fullmatch(name)
        and (sample.are_numbers(column) or sample.is_binary(column) or VALUE_WORDS.keys() >= words_of(sample, column))
    ]  # fmt: skip
    return min(likely, key=lambda column: not sample.is_binary(column), default=None)


def words_of(sample: Sample, column: int) -> set[str]:
    """Give the different words of a column."""
    return {text.lower() for text in sample.texts(column)}


def _without_names(sample: Sample) -> LongColumns | None:
    """Find pairs in a table without a header: the first column, and that with the most texts that recur."""
    ids = sample.texts(0)
    n_ids = len(set(ids))
    recurring = {}
    for column in range(1, len(sample.names)):
        texts = sample.texts(column)
        n_texts = len(set(texts))
        if len(texts) == len(ids) and 1 < n_texts < len(texts) and not all(map(NUMBER.fullmatch, texts)):
            recurring[column] = n_texts
    if not recurring or len(ids) - n_ids < 0.1 * len(ids):
        return None
    label = max(recurring, key=recurring.__getitem__)
    pairs = set(zip(ids, sample.texts(label), strict=True))
    is_pair = len(pairs) > n_ids and max(map(len, sample.texts(label))) <= LONGEST_LABEL
    value = next((at for at in range(1, len(sample.names)) if at != label and _are_likelihoods(sample, at)), None)
    return LongColumns(0, label, value) if is_pair else None


def _are_likelihoods(sample: Sample, column: int) -> bool:
    """Tell whether all cells are numbers from 0 to 1, and some lie between."""
    texts = sample.texts(column)
    if len(texts) < len(sample.columns[column]) or not sample.are_numbers(column):
        return False
    values = [float(text.replace(",", ".")) for text in texts]
    return min(values) >= 0 and max(values) <= 1 and any(0 < value < 1 for value in values)


def joined_names(sample: Sample, chosen: Sequence[int] | None = None) -> LongColumns | None:
    """Find a column whose names are a row's and a label's, such as ``img1_edema``, beside one of 0 and 1."""
    columns = range(len(sample.names)) if chosen is None else chosen
    if len(columns) > 3:
        return None
    binary = [column for column in columns if sample.is_binary(column)]
    others = [column for column in columns if column not in binary and len(sample.texts(column)) > 3]
    if len(binary) != 1 or len(others) != 1:
        return None
    texts = sample.texts(others[0])
    for joint in _JOINTS:
        for n_pieces in (0, 1, 2, 3):
            found = LongColumns(others[0], others[0], binary[0], joint, n_pieces)
            if joint in texts[0] and _has_equal_endings(list(map(found.parting, texts))):
                return found
    return None


def _has_equal_endings(pairs: Sequence[tuple[str, str]]) -> bool:
    """Tell whether each row has the same labels, as far as the rows are whole."""
    labels: dict[str, set[str]] = defaultdict(set)
    for row, label in pairs:
        labels[row].add(label)
    last = pairs[-1][0]
    whole = [each for row, each in labels.items() if row != last]
    return (
        len(whole) > 0
        and "" not in labels
        and len(whole[0]) > 1
        and all(each == whole[0] for each in whole)
        and labels[last] <= whole[0]
        and all(re.search(r"[^\W\d]", label) for label in whole[0])
        and not {label.lower() for label in whole[0]} <= _SIDES
    )
