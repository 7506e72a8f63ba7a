"""How a table holds its labels, as was said or as its first rows look."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.layouts.cells import MARKS, OTHER, cell_code
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.layouts.long import find_long, joined_names
from optisplit.io.layouts.sample import LONGEST_LABEL, NUMBER, Kind, Sample, has_label_name, made_up_name, tag_score
from optisplit.io.layouts.tags import is_list_like, marks_of
from optisplit.text import clean_name, listed, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optisplit.io.layouts.long import LongColumns
    from optisplit.io.tables.table import Table, TableOptions

_APART = re.compile(r"\s*[\s,;|]\s*")
_NUMBERED_NAME = re.compile(r"(.*?)[\s_.\-]*(\d{1,3})")

_WHY_LONG = "rows are repeated, each time with another label"
ASKED = "as asked for"


@dataclass(frozen=True)
class LayoutChoice:
    """How a table holds its labels."""

    layout: Literal["one-hot", "tags", "wide", "long"]  # the layout
    # for tags, the column of lists; for wide, those of names; for long, those of row and label, and of values if any
    columns: tuple[int, ...] = ()
    # what stands between the labels of a cell; None where each cell is a list of JSON or Python, or one label
    separator: str | None = None
    why: str = "every value in them is 0 or 1"  # why this was chosen, for people
    notes: tuple[str, ...] = ()  # what else the user should know
    kind: Kind = "lists"  # for tags, what stands in the cells
    marks: str = ""  # the marks around, or before, each tag
    long: LongColumns | None = None  # for long, what the columns hold
    is_sure: bool = True  # whether hardly anything else can be meant
    others: tuple[tuple[str, Any], ...] = ()  # arguments of :func:`load_file` that lead to other likely readings


def find_layout(table: Table, options: TableOptions) -> LayoutChoice:
    """Find how a table holds its labels, from its first rows."""
    layout, separator = options.layout, options.label_separator
    sample = Sample(table.names, table.sample)
    chosen = None if options.label_columns is None else chosen_columns(options.label_columns, table.names)
    if separator is not None and layout not in (None, "tags", "wide"):
        msg = argument("label_separator") + " goes with a column of lists (" + argument("layout", "tags")
        msg += "), not with " + argument("layout", layout) + "."
        raise OptionError(msg)
    if layout is None and chosen is not None:
        layout = _layout_of_chosen(sample, chosen, separator)
    if layout is None and separator is not None:
        layout = "tags"
    if layout == "tags":
        return _as_tags(sample, chosen, separator)
    if layout == "wide":
        return _as_wide(sample, chosen, separator)
    if layout == "long":
        return _as_long(sample, chosen)
    if layout == "one-hot":
        if (
            chosen is not None
            and len(chosen) == 1
            and not sample.is_binary(chosen[0])
            and _is_vector(sample, chosen[0])
        ):
            return _tags(sample, chosen[0], None, ASKED)
        return LayoutChoice("one-hot", why=ASKED)
    return _guessed(sample)


def _layout_of_chosen(sample: Sample, chosen: list[int], separator: str | None) -> str:
    pair = find_long(sample) if len(chosen) in (2, 3) else None
    if len(chosen) == 2 and joined_names(sample, chosen) is not None:
        return "long"
    if pair is not None and tuple(chosen[:2]) in ((pair.row, pair.label), *pair.others):
        return "long"
    is_binary = [sample.is_nearly_binary(column) for column in chosen]
    if all(texts and MARKS.issuperset(texts) for texts in map(sample.texts, chosen)):
        return "one-hot"  # a mark or nothing
    if len(chosen) == 1:
        holds_rows = sample.kind(chosen[0]) == "digits" or _has_rows_of_numbers(sample, chosen[0])
        return "tags" if separator is not None or not is_binary[0] or holds_rows else "one-hot"
    return "wide" if separator is not None or not any(is_binary) else "one-hot"


def _has_rows_of_numbers(sample: Sample, column: int) -> bool:
    """Tell whether what looks like numbers may be several: ``4,27`` or ``4 27`` beside ``4`` and ``27``."""
    rows = [_APART.split(text) for text in sample.texts(column)]
    tokens = {row[0] for row in rows if len(row) == 1}
    parts = [part for row in rows if len(row) > 1 for part in row]
    return any(len(row) > 2 for row in rows) or (
        bool(parts) and 2 * sum(part in tokens for part in parts) >= len(parts)
    )


def _as_tags(sample: Sample, chosen: list[int] | None, separator: str | None) -> LayoutChoice:
    if chosen is not None and len(chosen) != 1:
        msg = "A column of lists is one column, but " + argument("label_columns") + f" names {len(chosen):,}; "
        raise OptionError(msg + argument("layout", "wide") + " takes several columns together.")
    if chosen is not None:
        column = chosen[0]
    else:
        scores = {column: score for column in range(len(sample.names)) if (score := tag_score(sample, column))}
        if not scores:
            msg = "No column looks like lists of labels; name it (" + argument("label_columns") + ")."
            raise OptionError(msg)
        column = max(scores, key=scores.__getitem__)
    return _tags(sample, column, separator, ASKED)


def _tags(sample: Sample, column: int, separator: str | None, why: str) -> LayoutChoice:
    """Take a column of lists, in whatever way its cells hold them."""
    kind = sample.kind(column)
    if separator is not None:
        return LayoutChoice("tags", (column,), separator, why)
    if kind == "marks":
        return LayoutChoice("tags", (column,), None, why, kind=kind, marks=marks_of(sample.texts(column)) or "")
    if kind != "lists":
        return LayoutChoice("tags", (column,), None, why, kind=kind)
    separator, rivals = sample.separators(column, is_named=True)
    notes = []
    for rival in rivals:
        note = f"The labels in {clean_name(sample.names[column])!r} could also be parted at {rival!r}: "
        notes.append(note + argument("label_separator", rival) + " does so.")
    others = tuple(("label_separator", rival) for rival in rivals)
    return LayoutChoice("tags", (column,), separator, why, tuple(notes), is_sure=not rivals, others=others)


def _is_vector(sample: Sample, column: int) -> bool:
    """Tell whether cells are a number for each label, all of one length."""
    rows = sample.labels(column, is_named=True)
    widths = {len(row) for row in rows if row}
    return len(widths) == 1 and min(widths) > 1 and all(NUMBER.fullmatch(item) for row in rows for item in row)


def _as_wide(sample: Sample, chosen: list[int] | None, separator: str | None) -> LayoutChoice:
    at = chosen or _wide_columns(sample)
    if not at:
        msg = "No columns such as label1, label2 were found; name the columns that hold labels ("
        raise OptionError(msg + argument("label_columns") + ").")
    return _wide(sample, at, separator, ASKED)


def _wide(sample: Sample, at: Sequence[int], separator: str | None, why: str) -> LayoutChoice:
    """Take columns that each hold a name, or a list of names."""
    separator = separator or _separator_of_wide(sample, at)
    has_lists = any(sample.has_lists(column) or any(map(is_list_like, sample.texts(column)[:50])) for column in at)
    return LayoutChoice("wide", tuple(at), separator, why, kind="lists" if has_lists or separator else "names")


def _separator_of_wide(sample: Sample, at: Sequence[int]) -> str | None:
    """Find what stands between labels in columns of names: what parts some into names that stand alone elsewhere."""
    cells = Counter(text for column in at for text in sample.texts(column))
    for separator in ("|", "::", ";", ","):
        parts = [part.strip() for cell in cells if separator in cell and not is_list_like(cell)
                 for part in cell.split(separator)]  # fmt: skip
        if parts and 5 * sum(part in cells for part in parts) >= 4 * len(parts):
            return separator
    return None


def _as_long(sample: Sample, chosen: list[int] | None) -> LayoutChoice:
    found = find_long(sample, chosen, is_asked=True)
    if found is None:
        msg = "For a line of each pair of row and label, name both columns, and that of a value if there is one: "
        raise OptionError(msg + argument("label_columns", ["row", "label"]) + ".")
    return LayoutChoice("long", found.columns, why=ASKED, long=found)


def _guessed(sample: Sample) -> LayoutChoice:
    n_columns = len(sample.names)
    binary = [column for column in range(n_columns) if sample.is_binary(column) and not sample.is_aside(column)]
    scores = {column: score for column in range(n_columns) if (score := tag_score(sample, column))}
    best = max(scores, key=scores.__getitem__, default=None)
    if (joined := joined_names(sample)) is not None:
        return _joined(sample, joined)
    pair = find_long(sample)
    if pair is not None and pair.boxes:
        return replace(_pairs(sample, pair, []), why="each line has a box, and counts as an instance")
    if pair is not None and (binary or pair.value is not None):
        is_paired = pair.label == best and sample.separator(pair.label, is_named=True) is None
        if pair.value is not None or is_paired:
            return _pairs(sample, pair, binary)
    if best is not None and binary:
        return _lists_or_columns(sample, best, scores, binary)
    if binary:
        _refuse_constant(sample, binary)
        return LayoutChoice("one-hot")
    wide = _wide_columns(sample)
    if len(wide) > 1:
        return _wide(sample, wide, None, "their names are numbered, and they name labels")
    if pair is not None:
        return _pairs(sample, pair, binary)
    if best is not None:
        return _best_list(sample, best, scores)
    return LayoutChoice("one-hot")


def _refuse_constant(sample: Sample, binary: Sequence[int]) -> None:
    """Refuse a column as the only label, unless it is said, where it is the same on every row and others are there."""
    others = [column for column in range(len(sample.names)) if column not in binary]
    if len(binary) > 1 or len(others) < 2 or len(set(sample.texts(binary[0]))) > 1:
        return
    n_rows = len(sample.columns[0])
    if any(2 * sum(cell_code(text) < OTHER for text in sample.texts(column)) > n_rows for column in others):
        return  # those may be labels with bad cells
    name = clean_name(sample.names[binary[0]])
    msg = (
        f"The only column of 0 and 1 is {name!r}, which is {sample.texts(binary[0])[0]} on all of the first rows; say "
    )
    raise FormatError(msg + "which columns are the labels: " + argument("label_columns", [name]) + " takes that one.")


def _joined(sample: Sample, found: LongColumns) -> LayoutChoice:
    name, value = (clean_name(sample.names[column]) for column in found.columns)
    note = (
        f"What follows the last {found.joint!r} in {name!r} was taken for a label, and what stands before it for the "
    )
    note += f"row. If {name!r} names the rows as it is, and {value!r} is their one label, "
    note += argument("layout", "one-hot") + " reads it so."
    return LayoutChoice(
        "long", found.columns, why="each name has the same endings, and the values are 0 and 1", notes=(note,),
        long=found, is_sure=False, others=(("layout", "one-hot"),),
    )  # fmt: skip


def _pairs(sample: Sample, pair: LongColumns, binary: Sequence[int]) -> LayoutChoice:
    notes, others = [], [("label_columns", [sample.names[column] for column in each]) for each in pair.others]
    if others:
        shown = listed([each[0] for _, each in others])
        note = f"Rows could also be those of {shown}: "
        notes.append(note + argument("label_columns", others[0][1]) + " takes them so.")
    left = [sample.names[column] for column in binary if column not in pair.columns]
    if left:
        names = [sample.names[column] for column in pair.columns]
        shown = named([clean_name(name) for name in left])
        note = f"Not used: {shown}. If 0 there means that a row does not have a label, "
        notes.append(note + argument("label_columns", [*names[:2], left[0]]) + " takes it so.")
        others += [("label_columns", [*names[:2], name]) for name in left]
    return LayoutChoice("long", pair.columns, why=_WHY_LONG, notes=tuple(notes), long=pair, is_sure=not notes,
                        others=tuple(others))  # fmt: skip


def _lists_or_columns(sample: Sample, best: int, scores: dict[int, float], binary: Sequence[int]) -> LayoutChoice:
    """Decide between a column of lists, and columns of 0 and 1."""
    vocabulary = {token.casefold() for token in sample.tokens(best, is_named=True)}
    shared = [column for column in binary if sample.names[column].strip().casefold() in vocabulary]
    name = clean_name(sample.names[best])
    if shared or scores[best] < 2:
        others = (("layout", "tags"),) if shared else ()
        return LayoutChoice("one-hot", others=others, notes=() if not shared else (
            f"The column {name!r} seems to name the same labels; it was not used (" + argument("layout", "tags")
            + " uses it).",
        ))  # fmt: skip
    note = (
        f"Columns of 0 and 1 ({len(binary):,}) were taken as features, since {name!r} has lists of labels; "
        + argument("layout", "one-hot")
        + " takes them as labels."
    )
    choice = _best_list(sample, best, scores)
    is_sure = choice.is_sure and len(binary) < 3
    return replace(choice, notes=(*choice.notes, note), is_sure=is_sure, others=(("layout", "one-hot"), *choice.others))


def _best_list(sample: Sample, best: int, scores: dict[int, float]) -> LayoutChoice:
    """Take the likeliest column of lists, with those that name the same labels beside it."""
    rivals = [column for column, score in scores.items() if score >= 2 and column != best]
    vocabulary = set(sample.tokens(best, is_named=True))
    beside = [column for column in rivals if _shares(vocabulary, set(sample.tokens(column, is_named=True)))]
    name = sample.names[best]
    if beside and has_label_name(name) and sample.kind(best) == "lists":
        at = sorted([best, *beside])
        shown = named([clean_name(sample.names[column]) for column in at])
        note = f"The columns {shown} name the same labels, so they were taken together; "
        note += argument("label_columns", [name]) + " takes one alone."
        others = tuple(("label_columns", [sample.names[column]]) for column in (best, *beside))
        return replace(
            _wide(sample, at, None, "they name the same labels"), notes=(note,), is_sure=False, others=others
        )
    choice = _tags(sample, best, None, _why_tags(sample, best))
    if not rivals:
        return choice
    shown = named([clean_name(sample.names[column]) for column in rivals])
    note = f"Labels could also be in {shown}; " + argument("label_columns", [sample.names[rivals[0]]]) + " takes them."
    others = tuple(("label_columns", [sample.names[column]]) for column in rivals)
    is_sure = choice.is_sure and all(scores[column] < scores[best] for column in rivals)
    return replace(choice, notes=(*choice.notes, note), is_sure=is_sure, others=(*choice.others, *others))


def _shares(vocabulary: set[str], other: set[str]) -> bool:
    """Tell whether two columns name the same labels: a fifth of the fewer ones are in both."""
    n_both = len(vocabulary & other)
    return n_both > 0 and 5 * n_both >= min(len(vocabulary), len(other))


def _why_tags(sample: Sample, column: int) -> str:
    kind = sample.kind(column)
    if kind == "dictionaries":
        return "its cells are dictionaries"
    if kind == "digits":
        return "its cells are rows of 0 and 1"
    if sample.has_lists(column) or any(map(is_list_like, sample.texts(column)[:5])):
        return "its cells are lists"
    if has_label_name(sample.names[column]):
        return "its name says so, and its values recur"
    return "its cells can be parted into words that recur"


def _wide_columns(sample: Sample) -> list[int]:
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
        numbers = all(NUMBER.fullmatch(text) for text in texts)
        if len(columns) > 1 and texts and max(map(len, texts)) <= LONGEST_LABEL and (
            has_label_name(stem) or (not numbers and recurring > 0.7)
        ):  # fmt: skip
            return columns
    return []
