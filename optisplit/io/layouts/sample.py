"""What the first rows of a table show of its columns."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from optisplit.io.layouts.cells import MISSING, OTHER, cell_code
from optisplit.io.layouts.collector import Numbered
from optisplit.io.layouts.dictionaries import is_dictionary, read_dictionaries
from optisplit.io.layouts.tags import (
    SEPARATORS,
    are_digits,
    is_odd_list,
    labels_in,
    marks_of,
    parse_list,
    within_brackets,
    within_marks,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind: TypeAlias = Literal["lists", "names", "dictionaries", "marks", "digits"]
"""What stands in cells: lists or names, names alone, dictionaries, tags with marks around each, digits 0 and 1."""

ID_NAMES = ("row", "row_id", "id", "ids", "rowid", "index", "sample_id", "", "unnamed: 0", "__index_level_0__")
"""Columns that hold ids or row numbers, likeliest first."""
NO_LABEL_NAMES = frozenset({"fold", "folds", "split", "splits", "group", "groups", "set", "subset", "partition"})
_MADE_UP_ID = re.compile(r"unnamed: \d+(?:\.\d+)*|level_\d+|__index_level_\d+__")

_TAG_NAMES = re.compile(
    r"\W*(?:\w*[_\s])?(?:(?:labels?|tags?|genres?|categor(?:y|ies)|class(?:es)?|topics?|terms?|attributes?|concepts?)"
    r"(?:[_\s]?(?:names?|ids?|list))?|codes?|keywords?|annotations?|targets?|subjects?|diag(?:nos[ei]s)?|dx|findings?|"
    r"descriptors?|icd\w*|go|go_?ids?|y)\W*|[a-z]+(?:Labels?|Tags?|Class(?:es)?|Categor(?:y|ies)|Genres?)\W*",
)
_FEATURE_NAMES = re.compile(
    r"\W*(?:tokens?|words?|n?grams|sentences?|\w*embeddings?|vectors?|features?|\w*_ids|attention\w*|\w*mask|b?boxe?s?|"
    r"actors?|cast|crew|authors?)\W*",
    re.IGNORECASE,
)
_SUBJECTS = re.compile(r"\W*(?:\w*[_\s])?subjects?(?:[_\s]?ids?)?\W*", re.IGNORECASE)
_ID = re.compile(r"[\w.-]*\d[\w.-]*")
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")
"""A cell that is a number."""

_UNUSUAL = ("\n", "/", "&", "+", "~", "^", " - ", " and ")
"""What seldom stands between labels, and often within their names."""

DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?")

LONGEST_LABEL = 80


def find_ids(names: Sequence[str]) -> int | None:
    """Find the column of row ids by its name."""
    return next((j for j, name in enumerate(names) if name.strip().lower() in ID_NAMES), None)


def is_aside(name: str) -> bool:
    """Tell whether a column's name says that it numbers, splits or groups the rows: never a label."""
    bare = name.strip().lower()
    return bare in ID_NAMES or bare in NO_LABEL_NAMES or _MADE_UP_ID.fullmatch(bare) is not None


def has_label_name(name: str) -> bool:
    """Tell whether a column's name says that labels are in it."""
    return bool(_TAG_NAMES.fullmatch(name) or _TAG_NAMES.fullmatch(name.lower()))


def made_up_name(number: int) -> str:
    """Name a column of a table without a header."""
    return f"column {number}"


class Sample:
    """The first rows of a table, column by column."""

    def __init__(self, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
        self.names, self.columns = names, columns
        self._texts: dict[int, list[str]] = {}
        self._types: dict[int, set[type]] = {}
        self._binary: dict[int, bool] = {}
        self._kinds: dict[int, Kind] = {}
        self._separators: dict[tuple[int, bool], tuple[str | None, tuple[str | None, ...]]] = {}

    @cached_property
    def is_named(self) -> bool:
        """Whether the table has a header."""
        return list(self.names) != [made_up_name(column) for column in range(1, len(self.names) + 1)]

    def texts(self, column: int) -> list[str]:
        """Give the texts of a column, without blanks around them, and without those that are empty."""
        if column not in self._texts:
            cells = self.columns[column]
            self._texts[column] = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
        return self._texts[column]

    def has_lists(self, column: int) -> bool:
        """Tell whether cells are lists, or dictionaries, and no texts."""
        if column not in self._types:
            self._types[column] = set(map(type, self.columns[column]))
        return not self._types[column].isdisjoint((list, dict))

    def is_aside(self, column: int) -> bool:
        """Tell whether a column's name says that it is never a label."""
        return is_aside(self.names[column])

    def is_binary(self, column: int) -> bool:
        """Tell whether the cells are 0 and 1, or missing."""
        if column not in self._binary:
            self._binary[column] = not self.has_lists(column) and self._holds_binary(column)
        return self._binary[column]

    def _holds_binary(self, column: int) -> bool:
        different = set(self.columns[column])  # most columns of 0 and 1 hold few texts
        codes = {cell_code(cell) for cell in different if isinstance(cell, str)}
        words = {cell.strip().lower() for cell in different if isinstance(cell, str)} - {""}
        is_one_letter = len(words) == 1 and words <= {"t", "f", "y", "n"}  # such as a code that is always F
        return bool(codes - {MISSING}) and OTHER not in codes and not is_one_letter

    def are_numbers(self, column: int) -> bool:
        """Tell whether all cells are numbers."""
        texts = self.texts(column)
        return bool(texts) and not self.has_lists(column) and all(map(NUMBER.fullmatch, set(texts)))

    def is_nearly_binary(self, column: int) -> bool:
        """Tell whether most cells are 0 or 1, or numbers: bad cells of a one-hot column are to be named as such."""
        texts = self.texts(column)
        if self.has_lists(column) or not texts:
            return not texts and not self.has_lists(column)
        return self.are_numbers(column) or 2 * sum(cell_code(text) < OTHER for text in texts) > len(texts)

    def kind(self, column: int) -> Kind:
        """Tell what stands in the cells of a column of labels."""
        if column not in self._kinds:
            self._kinds[column] = self._found_kind(column)
        return self._kinds[column]

    def _found_kind(self, column: int) -> Kind:
        texts = self.texts(column)
        cells = [cell for cell in self.columns[column] if isinstance(cell, dict) and cell]
        some: list[Any] = cells or [text for text in texts[:50] if text not in ("{}", "[]")]
        if some and 2 * sum(map(is_dictionary, some)) > len(some):
            return "dictionaries"
        if marks_of(texts) is not None:
            return "marks"
        if are_digits(texts, 2 if has_label_name(self.names[column]) else 3):
            return "digits"
        return "lists"

    def has_same_keys(self, column: int) -> bool:
        """Tell whether all dictionaries of a column have the same keys."""
        numbers = Numbered()
        read, _ = read_dictionaries([cell for cell in self.columns[column] if cell], numbers)
        return len(read.keys) == len(read.counts) * len(numbers.names)

    def labels(self, column: int, *, is_named: bool) -> list[list[str]]:
        """Give the labels of each cell, as far as the first rows show how they are told apart."""
        if self.has_lists(column):
            return [list(cell) for cell in self.columns[column] if isinstance(cell, list | dict)]
        texts = self.texts(column)
        if (marks := marks_of(texts)) is not None:
            return [within_marks(text, marks) or [] for text in texts]
        if self.kind(column) == "digits":
            return [list(text) for text in texts]
        separator = self.separator(column, is_named=is_named)
        return [labels_in(text, separator) or [] for text in texts]

    def tokens(self, column: int, *, is_named: bool) -> Counter[str]:
        """Count the labels of all cells."""
        return Counter(chain.from_iterable(self.labels(column, is_named=is_named)))

    def separator(self, column: int, *, is_named: bool) -> str | None:
        """Find what stands between labels; None where cells are single labels."""
        return self.separators(column, is_named=is_named)[0]

    def separators(self, column: int, *, is_named: bool) -> tuple[str | None, tuple[str | None, ...]]:
        """Find what stands between labels: the separator whose parts recur most; and what else it might well be."""
        if (column, is_named) not in self._separators:
            self._separators[column, is_named] = self._found_separators(column, is_named=is_named)
        return self._separators[column, is_named]

    def _found_separators(self, column: int, *, is_named: bool) -> tuple[str | None, tuple[str | None, ...]]:
        texts = [text for text in self.texts(column) if parse_list(text) is None and not is_odd_list(text)]
        texts = [text if (within := within_brackets(text)) is None else within for text in texts]
        best: str | None = None
        scores: dict[str | None, float] = {None: 0.0}
        for separator in SEPARATORS if is_named else SEPARATORS[:-1]:
            share = sum(separator in text for text in texts) / max(len(texts), 1)
            tokens = Counter(token.strip() for text in texts for token in text.split(separator) if token.strip())
            if not share or not tokens:
                continue
            recurring = sum(count for count in tokens.values() if count > 1) / tokens.total()
            if separator == " " and len(tokens) >= len(set(texts)) and not _stand_alone(texts, None):
                continue  # parting makes no fewer different labels: blanks are part of the names
            scores[separator] = share * (0.2 + recurring) * (0.25 if separator == " " else 1.0)
            if scores[separator] > 1.3 * scores[best]:
                best = separator
        rivals = sorted(scores.keys() - {best, None}, key=scores.__getitem__, reverse=True)
        others = tuple(each for each in rivals if best is not None and 1.3 * scores[each] >= scores[best])
        if best is None and is_named:  # a part of names, or between labels: nothing decides
            others = tuple(each for each in _UNUSUAL if _stand_alone(texts, each))
            others += (" ",) if _share_words(texts) and not others else ()
        return best, others


def _stand_alone(texts: Sequence[str], separator: str | None) -> bool:
    """Tell whether most parts of cells that have several are also cells of their own; None parts at blanks."""
    cells = [[part.strip() for part in text.split(separator)] for text in texts]
    parts = [part for cell in cells if len(cell) > 1 for part in cell]
    alone = {cell[0] for cell in cells if len(cell) == 1}
    return 2 * sum(part in alone for part in parts) > len(parts)


def _share_words(texts: Sequence[str]) -> bool:
    """Tell whether most cells of several words have half of them in common with other cells."""
    cells = [set(text.split()) for text in set(texts) if len(text.split()) > 1]
    among = Counter(chain.from_iterable(cells))
    n_sharing = sum(2 * sum(among[word] > 1 for word in cell) >= len(cell) for cell in cells)
    return len(cells) > 1 and 2 * n_sharing > len(cells)


_FRACTION = re.compile(r"[.,]\d*[1-9]")


def tag_score(sample: Sample, column: int) -> float:
    """Say how likely a column holds lists of labels: 0 for not at all; 2 and more where lists or its name show it."""
    if sample.is_aside(column):
        return 0.0
    name = sample.names[column]
    is_named = has_label_name(name)
    texts = sample.texts(column)
    kind = sample.kind(column)
    if kind == "dictionaries":
        return 4.0 if is_named else 0.0 if _FEATURE_NAMES.fullmatch(name) or sample.has_same_keys(column) else 3.0
    if sample.has_lists(column):
        return _list_score(name, list(sample.tokens(column, is_named=is_named)), is_named=is_named)
    if not texts:
        return 0.0
    lists = [parsed for text in texts[:50] if (parsed := parse_list(text)) is not None]
    if len(lists) > 0.5 * len(texts[:50]):
        return _list_score(name, list(chain.from_iterable(lists)), is_named=is_named)
    if is_named and sum(map(is_odd_list, texts[:50])) > 0.5 * len(texts[:50]) and kind == "lists":
        return 4.0  # to be refused by name, not passed over
    if kind == "digits":
        return 2.5 if is_named else 0.7
    if _SUBJECTS.fullmatch(name) and all(map(_ID.fullmatch, texts)):
        return 0.0  # ids of people, not what a text is about
    return _text_score(sample, column, is_named=is_named)


def _text_score(sample: Sample, column: int, *, is_named: bool) -> float:
    texts = sample.texts(column)
    if not is_named and _are_numbers_in_rows(texts):
        return 0.0 if _FEATURE_NAMES.fullmatch(sample.names[column]) else 0.8
    if (sample.are_numbers(column) and not is_named) or sample.is_binary(column):
        return 0.0
    tokens = sample.tokens(column, is_named=is_named)
    if not tokens or max(map(len, tokens)) > LONGEST_LABEL:
        return 0.0
    recurring = sum(count for count in tokens.values() if count > 1) / tokens.total()
    if is_named:  # names rather than numbers, where a table has both
        if all(map(DATE.fullmatch, texts)) or (sample.are_numbers(column) and any(map(_FRACTION.search, texts))):
            return 0.0
        score = 2.0 + recurring * (0.5 if sample.are_numbers(column) else 1.0) if recurring else 1.5
        is_small = len(texts) < 10 and (recurring > 0 or len(texts) < 5)  # where hardly anything can recur
        return score if recurring > 0.3 or is_small else 0.0
    separator = sample.separator(column, is_named=is_named)
    is_parted = [separator in text for text in texts] if separator else [len(each) > 1 for each in sample.labels(
        column, is_named=is_named)]  # fmt: skip
    parted = sum(is_parted) / len(texts) if separator or sample.kind(column) == "marks" else 0.0
    return recurring if parted >= 0.3 and recurring >= 0.6 else 0.0


def _are_numbers_in_rows(texts: Sequence[str]) -> bool:
    """Tell whether cells are whole numbers with blanks or commas between, that recur: class numbers, or 0 and 1."""
    rows = [text.replace(",", " ").split() for text in texts]
    if not any(len(row) > 2 for row in rows) or not all(token.isdecimal() for row in rows for token in row):
        return False
    tokens = Counter(chain.from_iterable(rows))
    n_parted = sum(len(row) > 1 for row in rows)
    return 2 * n_parted >= len(rows) and tokens.total() >= 2 * len(tokens) and max(map(len, rows)) <= LONGEST_LABEL


def _list_score(name: str, items: list[str], *, is_named: bool) -> float:
    """Say how likely lists are labels; below 2 where columns of 0 and 1 are likelier."""
    if is_named:
        return 3.5 if all(map(NUMBER.fullmatch, items)) else 4.0
    if _FEATURE_NAMES.fullmatch(name):
        return 0.25
    are_numbers = all(NUMBER.fullmatch(item) for item in items)
    if are_numbers and any("." in item for item in items):
        return 0.0
    return 0.5 if are_numbers else 3.0
