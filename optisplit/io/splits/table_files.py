"""Tables that a split was read from, written with another split and every other byte as it stands."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.cells import guarded
from optisplit.io.second_tables import is_parquet
from optisplit.io.source import UTF8_MARK
from optisplit.io.splits.base import cannot_say, repaired_file
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.io.tables.records import encoded

if TYPE_CHECKING:
    from optisplit.folds.arrays import FoldArray
    from optisplit.io.line_rows import LineRows
    from optisplit.io.row_names import RowNumbers
    from optisplit.io.second_tables import Table
    from optisplit.io.source import Source
    from optisplit.io.splits.base import SplitFile
    from optisplit.io.splits.values import Meaning
    from optisplit.io.tables.dialect import Dialect
    from optisplit.io.tables.records import Record


@dataclass(frozen=True)
class TableSource:
    """A table that a split was read from: text, JSON Lines or Parquet."""

    source: Source  # the file
    table: Table  # what is in it
    at: int  # the split's column
    rows: LineRows  # the row of each line
    meaning: Meaning  # the part of each line

    def write(self, split: SplitFile, folds: FoldArray) -> tuple[str, bytes]:
        """Write the table with other parts in its column; lines whose part stays are not touched."""
        changed = self.meaning.changes(self.rows.rows, folds)
        self.rows.check_shared(folds)
        if is_parquet(self.source):
            content = self._parquet(changed)
        elif self.table.are_objects:
            content = self._json_lines(changed)
        else:
            content = self._text(changed, folds, np.flatnonzero(split.is_missing & (folds >= 0)))
        return repaired_file(self.source.name, content)

    def _text(self, changed: dict[int, str], folds: FoldArray, new: RowNumbers) -> bytes:
        """Write lines; of those that put one row into several parts, the first is kept."""
        lines, dialect = self.table.lines, self.table.dialect
        new_texts = {id(lines[at]): _with_cell(lines[at], self.at, dialect, text) for at, text in changed.items()}
        dropped = {id(lines[at]) for at in self._contradicting().tolist()}
        new_texts |= dict.fromkeys(dropped, "")
        texts = (record.above + new_texts.get(id(record), record.raw) for record in self.table.records)
        kept = [text for text in texts if text]
        kept += self._added(new, folds, kept)
        return encoded("".join(kept), self.source)

    def _contradicting(self) -> RowNumbers:
        """Find the lines that put a row into another part than another line, but for the first of each row."""
        rows, parts = self.rows.rows, self.meaning.parts
        _, first, at = np.unique(rows, return_index=True, return_inverse=True)
        is_torn = np.isin(rows, rows[parts != parts[first][at]])
        return np.flatnonzero((rows >= 0) & is_torn & (first[at] != np.arange(len(rows))))

    def _added(self, rows: RowNumbers, folds: FoldArray, kept: list[str]) -> list[str]:
        """Make lines for rows that had none and now have a part."""
        new, naming = np.setdiff1d(rows, self.rows.rows), self.rows.naming
        if self.rows.key is None or naming is None or not len(new):
            return []
        if naming.base is None:  # one line for all rows of a name
            first = naming.rows([naming.names[row] for row in new.tolist()])
            naming.refuse_torn(np.where(np.isin(np.arange(len(folds)), new), folds, -1))
            new = np.intersect1d(new, first)
        header = self.table.records[0]
        end = re.search(r"[\r\n]+$", header.raw)
        line_end = end[0] if end else "\n"
        if not kept[-1].endswith(("\n", "\r")):
            kept[-1] += line_end
        added = []
        for row, spelled in zip(new.tolist(), naming.spell(new), strict=True):
            cells = [""] * max(len(header.cells), self.at + 1, self.rows.key + 1)
            cells[self.rows.key], cells[self.at] = spelled, self.meaning.spelling(int(folds[row]))
            added.append(self.table.dialect.line(cells) + line_end)
        return added

    @property
    def _title(self) -> str:
        """What the column is called in the file, where names may hold more than is shown."""
        return self.table.records[0].cells[self.at]

    def _known(self, changed: dict[int, str]) -> dict[str, int]:
        """Find lines that say what others are to say, which is written just as there."""
        wanted = set(changed.values())
        return {text: at for at, text in reversed(list(enumerate(self.table.column(self.at)))) if text in wanted}

    def _json_lines(self, changed: dict[int, str]) -> bytes:
        lines = list(io.BytesIO(self.source.data))
        full = [at for at, line in enumerate(lines) if line.removeprefix(UTF8_MARK).strip()]

        def row_of(at: int) -> dict[str, Any]:
            row: dict[str, Any] = json.loads(lines[full[at]].removeprefix(UTF8_MARK))
            return row

        known = {text: row_of(at)[self._title] for text, at in self._known(changed).items()}
        for at, text in changed.items():
            row, line = row_of(at), lines[full[at]]
            row[self._title] = known[text] if text in known else _as_before(row.get(self._title), text)
            is_plain = line.isascii() or b"\\ud" in line  # halves of characters cannot be encoded
            lines[full[at]] = json.dumps(row, ensure_ascii=is_plain).encode() + line[len(line.rstrip()) :]
        return b"".join(lines)

    def _parquet(self, changed: dict[int, str]) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with open_parquet(self.source) as file:
            table = file.read()
        at = table.column_names.index(self._title)
        values = list(table.column(at))
        known: dict[str, Any] = {text: values[at] for text, at in self._known(changed).items()}
        some = next((value for value in values if value.is_valid), None)
        for place, text in changed.items():
            if text not in known:
                known[text] = self._scalar(some, text)
            values[place] = known[text]
        field = table.field(at)
        buffer = io.BytesIO()
        pq.write_table(table.set_column(at, field, pa.array(values, type=field.type)), buffer)
        return buffer.getvalue()

    def _scalar(self, some: Any, text: str) -> Any:
        """Make what says a part that no line has, of the type that others are."""
        import pyarrow as pa

        try:
            return pa.scalar(_as_before(some.as_py(), text), type=some.type)
        except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
            where = f"The column {self.table.header[self.at]!r}"
            raise cannot_say(where, str(some.type), text) from error


def _with_cell(record: Record, at: int, dialect: Dialect, text: str) -> str:
    """Put another text in a cell of a line, and leave all else as it stands."""
    body = record.raw.rstrip("\r\n")
    end = record.raw[len(body) :]
    wanted = [*record.cells, *[""] * (at + 1 - len(record.cells))]
    wanted[at] = text
    mark = re.escape(dialect.delimiter)
    pattern = rf'(?:\A|(?<={mark}))(?:"(?:[^"]|"")*"[^{mark}]*|[^{mark}]*)'
    cells = [match[0] for match in re.finditer(pattern, body)]
    cells += [""] * (at + 1 - len(cells))
    old = cells[at]
    bare = old.strip()
    is_quoted = bare.startswith('"') and '"' not in text
    quoted = f'"{guarded(text)}"' if is_quoted else dialect.line([text])
    cells[at] = old.replace(bare, quoted, 1) if bare else quoted
    made = dialect.delimiter.join(cells)
    reread = next(replace(dialect, has_guards=True).reader(io.StringIO(made, newline="")), [])
    if [each.strip() for each in reread] != [each.strip() for each in wanted]:
        made = dialect.line(wanted)  # quotes in places where they should not be
    return made + end


def _as_before(old: Any, text: str) -> Any:
    """Write a part as a number where parts are numbers."""
    return int(text) if not isinstance(old, str) and text.lstrip("-").isdecimal() else text
