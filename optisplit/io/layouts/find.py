"""Tables that name labels in their cells: a list in one column, a name in each of several, or a line for each pair."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from optisplit.errors import OptionError, argument
from optisplit.io.layouts.cells import MISSING, OTHER, cell_code
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.layouts.tags import SEPARATORS, is_list_like, is_odd_list, labels_in, parse_list, within_brackets
from optisplit.text import clean_name, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.tables.table import Table, TableOptions

ID_NAMES = ("row", "row_id", "id", "ids", "rowid", "index", "sample_id", "", "unnamed: 0", "__index_level_0__")
"""Columns that hold ids or row numbers, likeliest first."""
NO_LABEL_NAMES = frozenset({"fold", "folds", "split", "splits", "group", "groups", "set", "subset", "partition"})

_TAG_NAMES = re.compile(
    r"\W*(?:\w*[_\s])?(?:labels?|tags?|genres?|categor(?:y|ies)|class(?:es)?|topics?|codes?|keywords?|annotations?|"
    r"targets?|terms?|subjects?|diagnos[ei]s|icd\w*|go|go_?ids?|go_?terms?|y)\W*",
    re.IGNORECASE,
)
_ROW_NAMES = re.compile(
    r"\W*(?:\w*[_\s])?(?:row|id|ids|sample|protein|gene|doc|document|item|image|file|fname|entry|accession|patient|"
    r"article|movie|key)\w*\W*",
    re.IGNORECASE,
)
_FEATURE_NAMES = re.compile(
    r"\W*(?:tokens?|words?|n?grams|sentences?|\w*embeddings?|vectors?|features?|\w*_ids|attention\w*|\w*mask|b?boxe?s?|"
    r"actors?|cast|crew|authors?)\W*",
    re.IGNORECASE,
)
_NUMBERED_NAME = re.compile(r"(.*?)[\s_.\-]*(\d{1,3})")
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")
"""A cell that is a number."""

_WHY_LONG = "rows are repeated, each time with another label"
_LONGEST_LABEL = 80


@dataclass(frozen=True)
class LayoutChoice:
    """How a table holds its labels."""

    layout: Literal["one-hot", "tags", "wide", "long"]  # the layout
    # for tags, the column of lists; for wide, the columns of names; for long, those of row and of label
    columns: tuple[int, ...] = ()
    # what stands between the labels of a cell; None where each cell is a list of JSON or Python, or one label
    separator: str | None = None
    why: str = ""  # why this was chosen, for people
    notes: tuple[str, ...] = ()  # what else the user should know


@dataclass
class _Sample:
    """The first rows of a table, column by column."""

    names: Sequence[str]
    columns: Sequence[Sequence[Any]]
    found: dict[int, LayoutChoice] = field(default_factory=dict)

    def texts(self, column: int) -> list[str]:
        return [cell.strip() for cell in self.columns[column] if isinstance(cell, str) and cell.strip()]

    def has_lists(self, column: int) -> bool:
        return any(isinstance(cell, list) for cell in self.columns[column])

    def is_binary(self, column: int) -> bool:
        if self.has_lists(column):
            return False
        codes = {cell_code(cell) for cell in self.columns[column] if isinstance(cell, str)}
        words = {text.lower() for text in self.texts(column)}
        is_one_letter = len(words) == 1 and words <= {"t", "f", "y", "n"}  # such as a code that is always F
        return bool(codes - {MISSING}) and OTHER not in codes and not is_one_letter

    def is_aside(self, column: int) -> bool:
        name = self.names[column].strip().lower()
        return name in ID_NAMES or name in NO_LABEL_NAMES


def find_ids(names: Sequence[str]) -> int | None:
    """Find the column of row ids by its name."""
    return next((j for j, name in enumerate(names) if name.strip().lower() in ID_NAMES), None)


def has_label_name(name: str) -> bool:
    """Tell whether a column's name says that labels are in it."""
    return bool(_TAG_NAMES.fullmatch(name))


def find_layout(table: Table, options: TableOptions) -> LayoutChoice:
    """Find how a table holds its labels, from its first rows."""
    layout, separator = options.layout, options.label_separator
    sample = _Sample(table.names, table.sample)
    chosen = None if options.label_columns is None else chosen_columns(options.label_columns, table.names)
    if separator is not None and layout not in (None, "tags"):
        msg = argument("label_separator") + " goes with a column of lists (" + argument("layout", "tags")
        msg += "), not with " + argument("layout", layout) + "."
        raise OptionError(msg)
    if layout is None and separator is not None:
        layout = "tags"
    if layout is None and chosen is not None:
        layout = _layout_of_chosen(sample, chosen)
    if layout == "tags":
        return _as_tags(sample, chosen, separator)
    if layout == "wide":
        at = chosen or _wide_columns(sample)
        if not at:
            msg = "No columns such as label1, label2 were found; name the columns that hold labels ("
            msg += argument("label_columns") + ")."
            raise OptionError(msg)
        return LayoutChoice("wide", tuple(at), why="as asked for")
    if layout == "long":
        pair = _pair_columns(sample, chosen)
        if pair is None:
            msg = "For a line of each pair of row and label, name both columns: "
            msg += argument("label_columns", ["row", "label"]) + "."
            raise OptionError(msg)
        return LayoutChoice("long", pair, why="as asked for")
    if layout == "one-hot":
        return LayoutChoice("one-hot")
    return _guessed(sample)


def _layout_of_chosen(sample: _Sample, chosen: list[int]) -> str:
    if len(chosen) == 1 and (sample.has_lists(chosen[0]) or not _is_nearly_binary(sample, chosen[0])):
        return "tags"
    if len(chosen) > 1 and not any(_is_nearly_binary(sample, column) for column in chosen):
        return "wide"
    return "one-hot"


def _is_nearly_binary(sample: _Sample, column: int) -> bool:
    """Tell whether most cells are 0 or 1, or numbers: bad cells of a one-hot column are to be named as such."""
    texts = sample.texts(column)
    if sample.has_lists(column) or not texts:
        return not texts and not sample.has_lists(column)
    return all(NUMBER.fullmatch(text) for text in texts) or 2 * sum(cell_code(text) < OTHER for text in texts) > len(
        texts
    )


def _as_tags(sample: _Sample, chosen: list[int] | None, separator: str | None) -> LayoutChoice:
    if chosen is not None and len(chosen) != 1:
        msg = "A column of lists is one column, but " + argument("label_columns") + f" names {len(chosen):,}."
        raise OptionError(msg)
    if chosen is not None:
        column = chosen[0]
    else:
        scores = {column: score for column in range(len(sample.names)) if (score := _tag_score(sample, column))}
        if not scores:
            msg = "No column looks like lists of labels; name it (" + argument("label_columns") + ")."
            raise OptionError(msg)
        column = max(scores, key=scores.__getitem__)
    return LayoutChoice("tags", (column,), separator or _separator(sample, column, is_named=True), "as asked for")


def _guessed(sample: _Sample) -> LayoutChoice:
    n_columns = len(sample.names)
    binary = [column for column in range(n_columns) if sample.is_binary(column) and not sample.is_aside(column)]
    scores = {column: score for column in range(n_columns) if (score := _tag_score(sample, column))}
    best = max(scores, key=scores.__getitem__, default=None)
    pair = _long_guess(sample)
    is_paired = pair is not None and pair[1] == best and _separator(sample, pair[1], is_named=True) is None
    if binary and pair is not None and is_paired:
        shown = listed([clean_name(sample.names[column]) for column in binary])
        note = f"Not used: {shown}. If 0 there means that a row does not have a label, leave those lines out first."
        return LayoutChoice("long", pair, why=_WHY_LONG, notes=(note,))
    if best is not None and binary:
        vocabulary = {token.casefold() for cell in sample.columns[best] for token in
                      labels_in(cell, _separator(sample, best, is_named=True)) or ()}  # fmt: skip
        shared = [column for column in binary if sample.names[column].strip().casefold() in vocabulary]
        name = clean_name(sample.names[best])
        if shared or scores[best] < 2:
            return LayoutChoice("one-hot", notes=() if not shared else (
                f"The column {name!r} seems to name the same labels; it was not used ("
                + argument("layout", "tags") + " uses it).",
            ))  # fmt: skip
        note = (
            f"Columns of 0 and 1 ({len(binary):,}) were taken as features, since {name!r} has lists of labels; "
            + argument("layout", "one-hot")
            + " takes them as labels."
        )
        separator = _separator(sample, best, is_named=True)
        return LayoutChoice("tags", (best,), separator, _why_tags(sample, best), (note,))
    if binary:
        return LayoutChoice("one-hot")
    wide = _wide_columns(sample)
    if len(wide) > 1:
        return LayoutChoice("wide", tuple(wide), why="their names are numbered, and they name labels")
    if pair is not None:
        return LayoutChoice("long", pair, why=_WHY_LONG)
    if best is not None:
        return LayoutChoice("tags", (best,), _separator(sample, best, is_named=True), _why_tags(sample, best))
    return LayoutChoice("one-hot")


def _why_tags(sample: _Sample, column: int) -> str:
    if sample.has_lists(column) or any(map(is_list_like, sample.texts(column)[:5])):
        return "its cells are lists"
    if _TAG_NAMES.fullmatch(sample.names[column]):
        return "its name says so, and its values recur"
    return "its cells can be parted into words that recur"


def _tag_score(sample: _Sample, column: int) -> float:
    """Say how likely a column holds lists of labels: 0 for not at all; 2 and more where lists or its name show it."""
    if sample.is_aside(column):
        return 0.0
    is_named = bool(_TAG_NAMES.fullmatch(sample.names[column]))
    if sample.has_lists(column):
        items = [item for cell in sample.columns[column] if isinstance(cell, list) for item in cell]
        return _list_score(sample.names[column], items, is_named=is_named)
    texts = sample.texts(column)
    if not texts:
        return 0.0
    lists = [parsed for text in texts[:50] if (parsed := parse_list(text)) is not None]
    if len(lists) > 0.5 * len(texts[:50]):
        return _list_score(sample.names[column], [item for each in lists for item in each], is_named=is_named)
    if is_named and sum(map(is_odd_list, texts[:50])) > 0.5 * len(texts[:50]):
        return 4.0  # to be refused by name, not passed over
    if all(NUMBER.fullmatch(text) for text in texts) and not is_named:
        return 0.0
    if sample.is_binary(column):
        return 0.0
    separator = _separator(sample, column, is_named=is_named)
    tokens = Counter(token for text in texts for token in labels_in(text, separator) or ())
    if not tokens or max(map(len, tokens)) > _LONGEST_LABEL:
        return 0.0
    recurring = sum(count for count in tokens.values() if count > 1) / tokens.total()
    if is_named:
        return 2.0 + recurring if recurring > 0.3 or len(texts) < 10 else 0.0
    parted = sum(separator in text for text in texts) / len(texts) if separator and separator != " " else 0.0
    return recurring if parted >= 0.3 and recurring >= 0.6 else 0.0


def _list_score(name: str, items: list[str], *, is_named: bool) -> float:
    """Say how likely lists are labels; below 2 where columns of 0 and 1 are likelier."""
    if is_named:
        return 4.0
    if _FEATURE_NAMES.fullmatch(name):
        return 0.25
    are_numbers = all(NUMBER.fullmatch(item) for item in items)
    if are_numbers and any("." in item for item in items):
        return 0.0
    return 0.5 if are_numbers else 3.0


def _separator(sample: _Sample, column: int, *, is_named: bool) -> str | None:
    """Find what stands between labels: the separator whose parts recur most; None where cells are single labels."""
    texts = [text for text in sample.texts(column) if parse_list(text) is None and not is_odd_list(text)]
    texts = [text if (within := within_brackets(text)) is None else within for text in texts]
    if not texts:
        return None
    best, best_score = None, 0.0
    for separator in SEPARATORS if is_named else SEPARATORS[:-1]:
        share = sum(separator in text for text in texts) / len(texts)
        tokens = Counter(token.strip() for text in texts for token in text.split(separator) if token.strip())
        if not share or not tokens:
            continue
        recurring = sum(count for count in tokens.values() if count > 1) / tokens.total()
        score = share * (0.2 + recurring) * (0.25 if separator == " " else 1.0)
        if separator == " " and len(tokens) >= len(set(texts)):
            continue  # parting makes no fewer different labels: blanks are part of the names
        if score > 1.3 * best_score:
            best, best_score = separator, score
    return best


def _wide_columns(sample: _Sample) -> list[int]:
    """Find columns such as label1, label2, label3 that hold names."""
    stems: dict[str, list[int]] = {}
    for column, name in enumerate(sample.names):
        if name == made_up_name(column + 1):
            continue
        match = _NUMBERED_NAME.fullmatch(name.strip())
        if match and match[1]:
            stems.setdefault(match[1].strip().lower(), []).append(column)
    for stem, columns in stems.items():
        texts = [text for column in columns for text in sample.texts(column)]
        counts = Counter(texts)
        recurring = sum(count for count in counts.values() if count > 1) / max(counts.total(), 1)
        is_named = bool(_TAG_NAMES.fullmatch(stem))
        numbers = all(NUMBER.fullmatch(text) for text in texts)
        if len(columns) > 1 and texts and max(map(len, texts)) <= _LONGEST_LABEL and (
            is_named or (not numbers and recurring > 0.7)
        ):  # fmt: skip
            return columns
    return []


def _pair_columns(sample: _Sample, chosen: list[int] | None) -> tuple[int, int] | None:
    if chosen is not None:
        return (chosen[0], chosen[1]) if len(chosen) == 2 else None
    if len(sample.names) == 2:
        return 0, 1
    return _long_guess(sample, is_asked=True)


def _long_guess(sample: _Sample, *, is_asked: bool = False) -> tuple[int, int] | None:
    if not 2 <= len(sample.names) <= 6:
        return None
    if list(sample.names) == [made_up_name(column) for column in range(1, len(sample.names) + 1)]:
        return _long_without_names(sample)
    rows = [column for column, name in enumerate(sample.names) if _ROW_NAMES.fullmatch(name)]
    labels = [
        column for column, name in enumerate(sample.names) if _TAG_NAMES.fullmatch(name) and column not in rows[:1]
    ]
    if not rows or not labels or rows[0] == labels[0]:
        return None
    ids, terms = ([str(cell) for cell in sample.columns[column]] for column in (rows[0], labels[0]))
    repeats = len(ids) - len(set(ids))
    pairs = len(set(zip(ids, terms, strict=True)))
    if is_asked or (repeats >= 0.1 * len(ids) and pairs > len(set(ids))):
        return rows[0], labels[0]
    return None


def made_up_name(number: int) -> str:
    """Name a column of a table without a header."""
    return f"column {number}"


def _long_without_names(sample: _Sample) -> tuple[int, int] | None:
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
    return (0, label) if len(pairs) > n_ids and max(map(len, sample.texts(label))) <= _LONGEST_LABEL else None
