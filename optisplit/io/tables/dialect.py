"""How a text table is written: what stands between columns, which lines are comments, whether it has a header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Any

from optisplit.cells import COMMENT_MARKS, csv_text, guarded, unguarded
from optisplit.errors import OptionError, argument
from optisplit.io.layouts.reading import is_usual_name
from optisplit.io.tables.table import Guess
from optisplit.text import counted, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import TextIO

    from optisplit.io.tables.table import TableOptions

DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", "::": "two colons"}
"""What may stand between columns, and what that is called."""

_TYPED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "blank": " ", "space": " "}
_SAMPLE_CHARS = 100_000
_SAMPLE_RECORDS = 50
_UNIT = "\x1f"

csv.field_size_limit(max(csv.field_size_limit(), 1 << 27))  # whole articles stand in some cells


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text table is written."""

    delimiter: str = ","
    comment: str = ""  # what comment lines begin with; empty: there are none
    n_above: int = 0  # comment lines above all else
    names: tuple[str, ...] | None = None  # the names of the columns, where the last comment line above gives them
    skips_blanks: bool = False  # whether a blank follows each delimiter, also before a quote
    has_quotes: bool = True  # whether quotes around a cell are no part of it
    has_guards: bool = False  # whether cells may have a mark before them that keeps spreadsheets from computing

    @property
    def is_plain(self) -> bool:
        """Whether any reader of text tables can read it as it is."""
        is_odd = self.comment or len(self.delimiter) > 1 or self.skips_blanks or self.has_guards
        return not is_odd and self.has_quotes

    def guarded_if(self, has_guards: bool) -> Dialect:
        """Tell whether a text may have such marks, by what was found in it: behind a letter or digit none is."""
        return replace(self, has_guards=has_guards or self.delimiter[-1].isalnum())

    def reader(self, lines: Iterable[str], *, strict: bool = False) -> Iterator[list[str]]:
        """Read records from lines; texts of several lines take several."""
        records = self._as_written(lines, strict=strict)
        return (list(map(unguarded, record)) for record in records) if self.has_guards else records

    def line(self, cells: Sequence[str]) -> str:
        """Write a record as it is read, without a line's end."""
        if len(self.delimiter) > 1 or not self.has_quotes:
            return self.delimiter.join(map(guarded, cells))
        return csv_text(cells, (), self.delimiter).removesuffix("\n")

    def _as_written(self, lines: Iterable[str], *, strict: bool) -> Iterator[list[str]]:
        if len(self.delimiter) > 1:  # no quotes are known where these are used
            parted = (line.replace(self.delimiter, _UNIT) for line in lines)
            return csv.reader(parted, delimiter=_UNIT, quoting=csv.QUOTE_NONE)
        if not self.has_quotes:
            return csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE)
        return csv.reader(lines, delimiter=self.delimiter, strict=strict, skipinitialspace=self.skips_blanks)

    def guesses(self, asked: TableOptions) -> list[Guess]:
        """Say what was guessed of it, but for what was asked for."""
        found = []
        if asked.delimiter is None:
            others = tuple(each for each in DELIMITERS if each != self.delimiter)
            found.append(Guess("delimiter", self.delimiter, "it parts lines into equally many cells", others=others))
        if asked.comment is None and self.comment:
            why = f"{counted(self.n_above, 'line')} at the top {'begins' if self.n_above == 1 else 'begin'} so"
            found.append(Guess("comment", self.comment, why, others=("",)))
        return found


class Lines:
    """The lines of a text that are no comments, counted, and the records that they hold.

    `keeps`: whether it is to be known how lines stand in the file.
    """

    def __init__(self, text: TextIO, dialect: Dialect, *, strict: bool = False, keeps: bool = False) -> None:
        self.above = "".join(text.readline() for _ in range(dialect.n_above))
        self.n_comments = dialect.n_above - (dialect.names is not None)
        self._mark, self._n_read, self._at_start = dialect.comment, dialect.n_above, True
        self._comments: list[str] = []
        self._taken: list[str] = []  # the other lines, as they stand, since it was last asked
        self._keeps = keeps
        # then the reader counts lines itself, and sooner
        self._is_plain = not (self._mark or keeps or dialect.has_guards)
        self._reader: Any = dialect.reader(text if self._is_plain else self._looked_at(text), strict=strict)

    @property
    def n_read(self) -> int:
        """How many lines were read, comments too."""
        return self._n_read + (int(self._reader.line_num) if self._is_plain else 0)

    def _looked_at(self, text: TextIO) -> Iterator[str]:
        for line in text:
            self._n_read += 1
            is_comment = bool(self._mark) and self._at_start and line.startswith(self._mark)
            if self._keeps:
                (self._comments if is_comment else self._taken).append(line)
            if is_comment:
                self.n_comments += 1
                continue
            self._at_start = False
            yield line

    def records(self, count: int) -> tuple[list[list[str]], list[int] | None]:
        """Read so many records, and the line that each ends in where it is not one after the other."""
        if not self._mark:
            return list(islice(self._reader, count)), None
        records, ends = [], []
        for _ in range(count):  # a line within a text in quotes is no comment: it has to be known where records begin
            self._at_start = True
            record = next(self._reader, None)
            if record is None:
                break
            records.append(record)
            ends.append(self.n_read)
        return records, ends

    def taken(self) -> tuple[str, str]:
        """Give the lines that were read since it was last asked, where they are kept, and the comments before them."""
        texts = "".join(self._taken), "".join(self._comments)
        self._taken.clear()
        self._comments.clear()
        return texts


def dialect_of(text: str, asked: TableOptions) -> Dialect:
    """Find how a table is written, from its beginning, as far as it was not said."""
    sample = text[:_SAMPLE_CHARS]
    lines = list(io.StringIO(sample, newline=""))
    is_whole = len(sample) == len(text)
    mark = _mark_of(lines) if asked.comment is None else asked.comment
    n_above = _leading(lines, mark) if mark else 0
    kept = [line for line in lines[n_above:] if not mark or not line.startswith(mark)]
    delimiter = _delimiter_of(kept or lines, is_whole) if asked.delimiter is None else _typed(asked.delimiter)
    skips = len(delimiter) == 1 and any(f'{delimiter} "' in line for line in kept[:_SAMPLE_RECORDS])
    dialect = Dialect(delimiter, mark, n_above, skips_blanks=skips)
    if not n_above:
        return dialect
    widths = Counter(map(len, islice(dialect.reader(iter(kept)), _SAMPLE_RECORDS)))
    width = widths.most_common(1)[0][0] if widths else 0
    above = [next(iter(dialect.reader(iter([line[len(mark) :].strip()]))), []) for line in lines[:n_above]]
    n_alike = sum(len(cells) == width for cells in above)
    are_spaced = n_above > 1 and all(line.startswith(f"{mark} ") for line in lines[:n_above])
    has_numbers = any(_NUMBER.fullmatch(cell.strip()) for cell in above[-1])  # names of columns are none
    is_title = n_above == 1 and (has_numbers or _begins_with_header(dialect, kept))
    is_row = n_alike == n_above and not are_spaced and not is_title
    if asked.comment is None and (not kept or is_row):
        # rows that begin so, or a header whose first name does
        return Dialect(delimiter, skips_blanks=skips)
    names = tuple(cell.strip() for cell in above[-1]) if len(above[-1]) == width > 1 and not has_numbers else None
    return Dialect(delimiter, mark, n_above, names, skips)


def with_quotes(dialect: Dialect, lines: Iterable[bytes]) -> Dialect:
    """Take quotes for part of the text where tabs part cells, each line is a row, and quotes do not pair in cells.

    Where a quote opens a text of several lines, lines have unlike numbers of tabs.
    """
    if dialect.delimiter != "\t":
        return dialect
    has_odd, widths = False, set()
    for line in lines:
        if dialect.comment and line.startswith(dialect.comment.encode()):
            continue
        if line.strip(b"\r\n"):
            widths.add(line.count(b"\t"))
        if len(widths) > 1:
            return dialect
        has_odd = has_odd or (b'"' in line and any(map(_is_odd, line.rstrip(b"\r\n").split(b"\t"))))
    return replace(dialect, has_quotes=False) if has_odd else dialect


def _is_odd(cell: bytes) -> bool:
    """Tell whether a cell begins with a quote that is not closed at its end."""
    return cell.startswith(b'"') and (
        len(cell) < 2 or not cell.endswith(b'"') or b'"' in cell[1:-1].replace(b'""', b"")
    )


def _delimiter_of(lines: Sequence[str], is_whole: bool) -> str:
    """Tell what stands between the columns of a table, from its beginning; a comma where it has one column only."""
    best, best_score = ",", (0.0, True, 1)
    has_quotes = any('"' in line for line in lines)
    for delimiter in DELIMITERS:
        dialect = Dialect(delimiter, skips_blanks=any(f'{delimiter} "' in line for line in lines[:_SAMPLE_RECORDS]))
        try:
            records = list(islice(dialect.reader(iter(lines)), _SAMPLE_RECORDS))
        except csv.Error:
            continue
        complete = records if is_whole or len(records) == _SAMPLE_RECORDS else records[:-1]
        widths = Counter(len(record) for record in complete if record)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = (count / widths.total(), not has_quotes or _are_paired(dialect, lines, is_whole), width)
        if len(delimiter) > 1 and (count < widths.total() or width < 2):  # may stand within a list of labels
            continue
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _are_paired(dialect: Dialect, lines: Sequence[str], is_whole: bool) -> bool:
    """Tell whether quotes are around whole cells: what stands within them often parts a line into as many pieces."""
    records: list[list[str]] = []
    try:
        records.extend(islice(dialect.reader(iter(lines), strict=True), _SAMPLE_RECORDS))
    except csv.Error as error:
        if is_whole or "end of data" not in str(error):
            return False
    return not any(cell.count('"') % 2 for record in records for cell in record)


def _begins_with_header(dialect: Dialect, lines: Sequence[str]) -> bool:
    """Tell whether the first of some lines has the names of columns for certain."""
    records = list(islice(dialect.reader(iter(lines)), _SAMPLE_RECORDS))
    if len(records) < 2:
        return False
    guess = header_guess(records, list(map(is_usual_name, records[0])))
    return bool(guess.value) and guess.is_sure


def _typed(delimiter: str) -> str:
    found = _TYPED.get(delimiter.lower(), delimiter)
    if not found or any(mark in found for mark in '\r\n"'):
        raise OptionError(argument("delimiter", delimiter) + " cannot stand between columns.")
    return found


def _mark_of(lines: Sequence[str]) -> str:
    """Find what the first lines begin with, if that is how comments are marked."""
    return next((mark for mark in COMMENT_MARKS if lines and lines[0].startswith(mark) and _leading(lines, mark)), "")


def _leading(lines: Sequence[str], mark: str) -> int:
    at = 0
    for at, line in enumerate(lines):
        if line.strip() and not line.startswith(mark):
            return at
    return at + 1 if lines else 0


# --- the header

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")
_NUMBERS = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[\s,;|]+[-+]?\d+(?:\.\d+)?)*")
_BINARY = frozenset(("0", "1", "0.0", "1.0", ""))
_CODE = re.compile(r"[\w.:/\-]*\d[\w.:/\-]*")


def header_guess(records: Sequence[Sequence[str]], is_known_name: Sequence[bool]) -> Guess:
    """Tell whether the first record has the names of the columns; `is_known_name`: cells that are usual names."""
    first, body = records[0], records[1:]
    if _is_data(first):
        return Guess("header", False, "the first line holds values, as the lines below do", others=(True,))
    if _recurs(records):
        return Guess("header", False, "texts of the first line are values in the lines below", others=(True,))
    below = [
        {cell.strip() for cell in column} - {""} for column in islice(zip_longest(*body, fillvalue=""), len(first))
    ]
    votes = [_vote(cell.strip(), column) for cell, column in zip(first, below, strict=False)]
    n_data, n_names = votes.count(False), votes.count(True) + sum(is_known_name)
    if n_data and not n_names and not _are_numbered(first):
        return Guess("header", False, "the first line looks like the lines below", others=(True,))
    why = "the first line looks unlike those below" if n_names else "nothing says that the first line is a row"
    return Guess("header", True, why, is_sure=bool(n_names) or not body, others=(False,))


def _vote(cell: str, body: Collection[str]) -> bool | None:
    """Tell whether a first cell is a name (True) or a value (False) of the column below; None: it may be both."""
    if not body or not cell:
        return None
    if all(_NUMBERS.fullmatch(each) for each in body):
        if not _NUMBERS.fullmatch(cell):
            return True
        return None if _BINARY.issuperset(body) else False
    if all(_CODE.fullmatch(each) for each in body):
        shapes = {_shape(each) for each in body}
        if len(shapes) <= 2:
            return _shape(cell) not in shapes
    return None


def _shape(code: str) -> str:
    return re.sub(r"9+", "9", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d", "9", code))))


def _are_numbered(cells: Sequence[str]) -> bool:
    """Tell whether names are numbered: 0, 1, 2, or label1, label2, label3."""
    found = [re.fullmatch(r"(.*?)(\d+)", cell.strip()) for cell in cells]
    stems: dict[str, list[int]] = {}
    for match in found:
        if match:
            stems.setdefault(match[1], []).append(int(match[2]))
    return any(
        len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] in (0, 1)
        for numbers in stems.values()
    )


def _is_data(record: Sequence[str]) -> bool:
    """Tell whether a first line is a row: numbers that no one would call columns."""
    cells = [cell.strip() for cell in record]
    numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
    has_repeats = any(numbers.count(cell) > 1 for cell in ("0", "1", "0.0", "1.0"))
    has_fractions = len(numbers) == len(cells) and not all(cell.isdecimal() for cell in numbers)
    return has_repeats or has_fractions


def _recurs(records: Sequence[Sequence[str]]) -> bool:
    """Tell whether texts of the first line are values of their columns, as in tables of pairs without a header."""
    first, rest = records[0], records[1:]
    if any(list(record) == list(first) for record in rest):
        return False  # a header that is repeated, as where files were put together
    for cell, column in zip(first, zip_longest(*rest, fillvalue=""), strict=False):
        if not cell.strip() or _NUMBER.fullmatch(cell.strip()) or cell not in column:
            continue
        if len({each for each in column if each.strip()}) > 1:  # a column may have its own name where a row has it
            return True
    return False


def header_note(guess: Guess, names: Sequence[str]) -> str | None:
    """Say what became of the first line, where that is not plain to see."""
    if not guess.value:
        return "The first line holds values, not names, so the columns are called by their numbers, from 1."
    if names and all(_NUMBER.fullmatch(each) for each in names if each):
        return f"The first line was taken as column names, though they are numbers: {listed(list(names))}."
    if not guess.is_sure:
        told = f"The first line was taken as column names: {listed(list(names))}. If it is a row, say so: "
        return told + argument("header", False) + "."
    return None
