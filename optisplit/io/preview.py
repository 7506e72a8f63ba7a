"""The first rows of a data set as they were read: who each row is, its labels, and what was left out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError
from optisplit.io.layouts.columns import chosen_columns
from optisplit.text import clean_name, counted, few, html_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optisplit.io.parsed import Parsed
    from optisplit.labels import MultilabelDataset

N_ROWS = 10
MOST_LABELS = 8
MOST_COLUMNS = 4
"""Labels of a row, and columns beside them, that are shown."""

LONGEST_CELL = 28
"""Longer texts are shown with their beginning and end."""

_LONGEST_KEPT = 80
_N_CELLS = 50


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row as it was read."""

    row: int  # its number in the file, from 0
    name: str | None  # what the data calls it
    labels: tuple[str, ...]  # the labels that it has
    counts: tuple[int, ...]  # how many instances of each; empty where only presence is known
    left_out: dict[str, str]  # cells of the columns that are no labels

    @property
    def labels_text(self) -> str:
        """Its first labels, and how many more there are."""
        shown = [_short(name) for name in self.labels[:MOST_LABELS]]
        if self.counts:
            shown = [name if n == 1 else f"{name} × {n:,}" for name, n in zip(shown, self.counts, strict=False)]
        return few(shown, len(self.labels)) or "(none)"


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a data set."""

    key: str | None  # the column that names rows
    columns: tuple[str, ...]  # the columns that are neither labels nor the key
    rows: tuple[PreviewRow, ...]

    def lines(self) -> list[dict[str, str]]:
        """Give a line a row, for people: titles of columns, and what stands there."""
        has_names = any(each.name is not None for each in self.rows)
        has_cells = any(each.left_out for each in self.rows)
        lines = []
        for each in self.rows:
            line = {"Row": str(each.row)}
            if has_names:
                line[_short(self.key or "Name")] = _short(each.name or "")
            line["Labels"] = each.labels_text
            if has_cells:
                line["Other columns"] = "; ".join(
                    f"{_short(name)}: {_short(cell)}" for name, cell in each.left_out.items() if cell
                )
            lines.append(line)
        return lines

    @property
    def left_out_text(self) -> str:
        """Say which columns are no labels, in a sentence; empty where there are none, or it is not known."""
        if not self.columns:
            return ""
        shown = few([repr(_short(each)) for each in self.columns[:MOST_COLUMNS]], len(self.columns))
        return f"Not labels: {shown}."

    def _repr_html_(self) -> str:
        lines = self.lines()
        caption = f"The first {counted(len(lines), 'row')} as read. {self.left_out_text}"
        return html_table(caption, lines[0], [line.values() for line in lines], left=range(len(lines[0])))


def _short(text: str) -> str:
    text = clean_name(text)
    half = LONGEST_CELL // 2
    return text if len(text) <= LONGEST_CELL else f"{text[:half]}…{text[1 - half :]}"


def preview(data: MultilabelDataset, n: int = N_ROWS) -> Preview:
    """Show the first rows of a data set as they were read.

    Parameters
    ----------
    data : MultilabelDataset
        The data.
    n : int, default=10
        How many rows.

    Returns
    -------
    Preview
        The rows: who each is, its labels, with numbers of instances where these are known, and cells of the columns
        that were left out.

    Examples
    --------
    >>> from optisplit import load
    >>> preview(load("emotions"), 1).rows[0].labels
    ('happy-pleased', 'relaxing-calm')
    """
    reading, labels = data.reading, data.labels
    left_out = {} if reading is None else dict(list(reading.left_out.items())[:MOST_COLUMNS])
    kept = None if reading is None else reading.kept_rows
    rows = []
    for at in range(min(n, data.n_rows)):
        span = slice(labels.indptr[at], labels.indptr[at + 1])
        rows.append(PreviewRow(
            at if kept is None else int(kept[at]),
            None if data.row_ids is None else data.row_ids[at],
            tuple(data.label_names[j] for j in labels.indices[span].tolist()),
            () if data.counts is None else tuple(data.counts.data[span].tolist()),
            {name: cells[at] for name, cells in left_out.items() if at < len(cells)},
        ))  # fmt: skip
    return Preview(data.key, () if reading is None else tuple(reading.left_out), tuple(rows))


def left_out(
    parsed: Parsed, label_names: Sequence[str] | None, kept_rows: NDArray[Any] | None
) -> dict[str, tuple[str, ...]]:
    """Find the columns that are neither labels nor the key, and the first cells of some, a cell a row of the data."""
    names = list(parsed.sample)
    taken = {parsed.key, *(label_names or ())}
    said = parsed.options.get("label_columns", ())
    if not isinstance(said, int):  # names are looked up at once: there may be many thousands
        taken.update(said)
        said = [name for name in said if name not in parsed.sample]
    if said:
        with suppress(OptionError):
            taken |= {names[j] for j in chosen_columns(said, names)}
    columns = [name for name in names if name not in taken]
    if parsed.options.get("layout") == "long":  # a row stands on several lines
        return dict.fromkeys(columns, ())
    rows = range(_N_CELLS) if kept_rows is None else kept_rows[:_N_CELLS].tolist()
    cells: dict[str, tuple[str, ...]] = dict.fromkeys(columns, ())
    for name in columns[:MOST_COLUMNS]:
        column = parsed.sample[name]
        cells[name] = tuple(clean_name("" if column[at] is None else column[at], _LONGEST_KEPT)
                            for at in rows if at < len(column))  # fmt: skip
    return cells
