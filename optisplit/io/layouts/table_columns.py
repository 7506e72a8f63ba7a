"""One column of a text table, as seen by whoever looks for labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from optisplit.io.layouts.cells import (
    MISSING,
    NOTATION_NAMES,
    ONE,
    OTHER,
    UNCERTAIN,
    Faults,
    cell_notation,
    label_code,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_MAX_REMEMBERED = 50_000
_MAX_OTHER_SHARE = 0.01


NOTATION_SHIFT = 2
"""How a 0 or 1 is written stands above the two bits of its code."""


class CellCodes(dict[str, int]):
    """Cell texts and their codes; most cells of a table are alike, so each is looked at once."""

    def __missing__(self, cell: str) -> int:
        code = label_code(cell)
        if code < OTHER:
            code |= cell_notation(cell) << NOTATION_SHIFT
        if len(self) < _MAX_REMEMBERED and len(cell) < 30:
            self[cell] = code
        return code


@dataclass(slots=True)
class Column:
    """The codes of a column's cells, and its faults."""

    name: str  # the column's name, as in the header
    codes: bytearray = field(default_factory=bytearray)  # one code a row
    faults: Faults = field(default_factory=Faults)  # cells that are neither 0 nor 1

    def extend(self, cells: Sequence[str], lines: Sequence[int], known: CellCodes) -> None:
        """Take in the column's cells of some rows."""
        codes = bytes(map(known.__getitem__, cells))
        self.codes += codes
        if OTHER in codes:
            self._note_other(codes, cells, lines[codes.index(OTHER)])
        for code in (MISSING, UNCERTAIN):
            if code in codes:
                self.faults.add_unknown(code, lines[codes.index(code)], codes.count(code))

    def _note_other(self, codes: bytes, cells: Sequence[str], line: int) -> None:
        if self.faults.has_more_kinds:  # a text or a number: its values need not be told apart
            self.faults.n_other += codes.count(OTHER)
            return
        others = Counter(cell for cell, code in zip(cells, codes, strict=True) if code == OTHER)
        self.faults.add_other(others, line)

    def pass_over(self, n_cells: int) -> None:
        """Count cells as other values without looking at them."""
        self.codes += bytes([OTHER]) * n_cells
        self.faults.n_other += n_cells

    @property
    def is_hopeless(self) -> bool:
        """Whether this is clearly a text or a number: many kinds of values, and rarely 0 or 1."""
        return self.faults.has_more_kinds and self.n_binary < self.faults.n_other

    @property
    def n_binary(self) -> int:
        """How many cells are 0 or 1."""
        return len(self.codes) - self.faults.n_other - self.faults.n_unknown.total()

    @property
    def is_label(self) -> bool:
        """Whether every cell is 0 or 1 or unknown, and some are known."""
        return self.faults.n_other == 0 and self.n_binary > 0

    @property
    def is_all_unknown(self) -> bool:
        """Whether every cell is missing or uncertain, and both are there: a label of which nothing is certain."""
        return self.faults.n_unknown.total() == len(self.codes) and len(self.faults.n_unknown) > 1

    @property
    def is_marked(self) -> bool:
        """Whether cells hold a mark or nothing: a mark says that the row has the label."""
        n_missing = self.faults.n_unknown[MISSING]
        return 0 < n_missing < len(self.codes) == n_missing + self.faults.n_other and self.faults.are_marks

    @property
    def positive_rows(self) -> NDArray[np.int64]:
        """Numbers of the rows whose cell is 1."""
        codes = np.frombuffer(self.codes, dtype=np.uint8) & ((1 << NOTATION_SHIFT) - 1)
        return np.flatnonzero(codes == (OTHER if self.is_marked else ONE))

    def rows_of(self, code: int) -> NDArray[np.int64]:
        """Numbers of the rows whose cell has one code."""
        return np.flatnonzero(np.frombuffer(self.codes, dtype=np.uint8) == code)

    @property
    def notations(self) -> list[str]:
        """How its zeros and ones are written."""
        codes = {code for code in set(self.codes) if code not in (OTHER, MISSING, UNCERTAIN)}
        return [NOTATION_NAMES[at] for at in sorted({code >> NOTATION_SHIFT for code in codes})]

    @property
    def is_suspect(self) -> bool:
        """Whether this looks like a label with bad cells: a few that are others."""
        n_other = self.faults.n_other
        if n_other == 0 or self.n_binary == 0:
            return False
        return n_other <= _MAX_OTHER_SHARE * (self.n_binary + n_other)

    def why_not(self) -> str:
        """Say why this column was not taken as a label."""
        if self.faults.n_other:
            kind = next(iter(self.faults.kinds))
            return f"other values, such as {kind!r} in line {self.faults.other_line:,}"
        return "no values"
